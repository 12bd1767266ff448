"""Bank details, payslips, tax notices, company registers, insurance certificates."""
import datetime as dt
from decimal import Decimal

from base import Doc, design
from d_bills import PRODUCERS, total_forge
from engines import Ops, data_uri, logo, signature, stamp
from world import date, luhn, money, q2

FRBANK = ['Banque Armorine', 'Crédit du Val', 'Caisse Mutuelle Océane', 'NeoBanca', 'Banque Postelle']
ENBANK = {'GB': ['Hallamshire Bank', 'Thamesgate Bank', 'Northern & Wold Building Society'], 'IE': ['Bank of Leinster', 'Claddagh Bank',
    'Munster Credit Bank']}


# ---------------------------------------------------------------- bank details

@design('BANK_DETAILS', 'FR')
def rib_table(w):
    """The classic slip with its row of boxes."""
    p, bank, ib, bic = w.person('FR'), w.pick(FRBANK), w.iban('FR'), w.bic('FR')
    b, day = ib[4:], w.day(5, 900)
    holder = f'{p.civ[:1] + ("ME" if p.sex == "F" else "")} {p.rev}'.replace('M ', 'M. ') if w.pick(0, 1) else p.rev
    o, F = Ops(), w.pick('H', 'C', 'D', 'N')
    B = F + 'B'
    top = w.pick(40, 60)
    o.img(40, top - 20, 38, 38, logo(w.r.randint(0, 9999))).t(86, top, bank, 14, 'HB').t(555, top, 'RELEVÉ D’IDENTITÉ BANCAIRE', 11, 'HB', al='r')
    o.t(40, top + 50, 'Titulaire du compte', 7, F).t(40, top + 64, holder, 10, B).t(40, top + 78, p.street, 9, F).t(40, top + 91, f'{p.zip} {p.city}', 9, F)
    x = 40
    for k, v, wd in [('Code banque', b[:5], 80), ('Code guichet', b[5:10], 80), ('Numéro de compte', b[10:21], 130), ('Clé RIB', b[21:], 50),
    ('Domiciliation', w.place('FR')[0].upper(), 170)]:
        o.r(x, top + 110, wd, 32, line='#333333').t(x + 4, top + 120, k, 6.5, F).t(x + 4, top + 136, v, 10, B)
        x += wd
    o.r(40, top + 150, 340, 34, line='#333333').t(44, top + 160, 'IBAN (International Bank Account Number)', 6.5, F).t(44, top + 177, w.grp(ib), 11, B)
    o.r(384, top + 150, 166, 34, line='#333333').t(388, top + 160, 'Code BIC / SWIFT', 6.5, F).t(388, top + 177, bic, 11, B)
    o.t(40, top + 205, 'Ce relevé est destiné à être remis, sur leur demande, à vos créanciers ou débiteurs appelés à faire inscrire des', 7, F)
    o.t(40, top + 215, 'opérations à votre compte (virements, prélèvements, etc.).', 7, F)
    d = Doc(w, 'FR', 'fr', w.pick('reportlab', 'fpdf', 'mupdf'), 'boxes', 'classic slip')
    d.put(iban=w.grp(ib), bic=bic, accountHolder=holder).style.update(date='/')
    d.src = o
    return d.made(day).office(*PRODUCERS)


@design('BANK_DETAILS', 'FR')
def rib_web(w):
    p, bank, ib, bic, day = w.person('FR'), w.pick(FRBANK), w.iban('FR'), w.bic('FR'), w.day(3, 500)
    firm = w.pick(None, None, w.firm('FR', 'Conseil', 'Transports'))
    h = firm or w.pick(p.full, p.frcap)
    d = Doc(w, 'FR', 'fr', w.pick('chromium', 'weasy', 'lohtml'), 'colon', 'online bank')
    d.html('''<style>@page{size:A4;margin:22mm}body{font-family:"{{ ft }}";font-size:11pt;color:#223}</style><body><h2 style="color:{{ col }}">{{ bank
    }}</h2><h3>Mes coordonnées bancaires</h3><p>Titulaire : <b>{{ h }}</b></p><p>{{ p.street }}<br>{{ p.zip }} {{ p.city }}</p>
    <p>IBAN : <b>{{ ib }}</b></p><p>BIC : <b>{{ bic }}</b></p><p>Agence : {{ ag }}</p><p><small>RIB édité le {{ day }} depuis votre espace personnel. {{
    bank }} SA, société immatriculée au RCS.</small></p>''', ft=w.pick('Lato', 'Open Sans', 'Carlito'), col=w.pick('#00695c', '#6a1b9a', '#ad1457'),
           bank=bank, h=h, p=p, ib=w.grp(ib) if w.pick(1, 1, 0) else ib, bic=bic, ag=w.place('FR')[0] + ' Centre', day=date(day, '/'))
    d.put(iban=w.grp(ib), bic=bic, accountHolder=h)
    return d.made(day)


@design('BANK_DETAILS', 'FR')
def rib_letter(w):
    p, bank, ib, bic, day = w.person('FR'), w.pick(FRBANK), w.iban('FR'), w.bic('FR'), w.day(3, 500)
    d = Doc(w, 'FR', 'fr', 'docx', 'prose', 'letter of the branch')
    ad = w.person('FR')
    d.src = [('b', bank), ('p', f'Agence de {p.city}'), ('right', f'{p.city}, le {date(day, "long", "fr")}'), ('h',
        'Attestation de domiciliation bancaire', 'c'),
             ('p', f'Je soussigné(e), {ad.full}, conseiller(ère) de clientèle, certifie que {p.civ} {p.full} est titulaire dans nos livres du compte '
                 f'de dépôt suivant :'),
             ('tab', [['IBAN', w.grp(ib)], ['BIC', bic], ['Date d’ouverture', date(w.day(1000, 4000), '/')]]),
             ('p', 'La présente attestation est délivrée pour servir et valoir ce que de droit et ne constitue pas un engagement de la banque.'), ('right',
             ad.full)]
    d.put(iban=w.grp(ib), bic=bic, accountHolder=p.full)
    return d.made(day)


@design('BANK_DETAILS', 'BC')
def rib_bc(w):
    cc = w.pick('BE', 'CH')
    p, ib, bic, day = w.person(cc), w.iban(cc), w.bic(cc), w.day(3, 500)
    bank = {'BE': 'Banque Sambrienne', 'CH': 'Banque Cantonale du Jorat'}[cc]
    d = Doc(w, cc, 'fr', w.pick('weasy', 'typst'), 'table', 'certificate ' + cc)
    kw = dict(bank=bank, p=p, ib=w.grp(ib), bic=bic, day=date(day, '.'), c=p.city)
    if d.engine == 'weasy':
        d.html('''<style>@page{size:A4;margin:24mm}body{font:11pt "DejaVu Sans"}td{padding:2mm 6mm 2mm 0;border-bottom:.5pt solid #aaa}</style><body><b>{{
    bank }}</b><p style="margin-top:25mm">{{ c }}, le {{ day }}</p><h3>Attestation de compte</h3><p>Nous confirmons l’existence du compte ci-après
    :</p><table><tr><td>Titulaire<td>{{ p.full }}
        <tr><td>Domicile<td>{{ p.street }}, {{ p.zip }} {{ p.city }}<tr><td>IBAN<td>{{ ib }}<tr><td>BIC (SWIFT)<td>{{ bic }}<tr><td>Monnaie<td>''' + ('CHF'
            if cc == 'CH' else 'EUR') + '''</table><p>Document établi sans signature.</p>''', **kw)
    else:
        d.typ('''#set text(font: "Lato", size: 11pt)
#set page(paper: "a4")
*{{ bank }}* #h(1fr) {{ c }}, le {{ day }}
#line(length: 100%)
#v(2cm)
= Identité bancaire
#grid(columns: (4cm, 1fr), row-gutter: 10pt, [Nom du titulaire], [{{ p.full }}], [IBAN], [{{ ib }}], [BIC], [{{ bic }}], [Type], [Compte courant])''', **kw)
    d.put(iban=w.grp(ib), bic=bic, accountHolder=p.full)
    return d.made(day)


@design('BANK_DETAILS', 'EN')
def bank_letter(w):
    cc = w.pick('GB', 'IE')
    p, ib, bic, day = w.person(cc), w.iban(cc), w.bic(cc), w.day(3, 400)
    bank, firm = w.pick(ENBANK[cc]), w.pick(None, None, w.firm(cc, 'Ceramics', 'Consulting'))
    h = firm or w.pick(f'{p.civ} {p.full}', p.full)
    f, sc = lambda x: date(x, 'long'), ib[8:14]
    d = Doc(w, cc, 'en', w.pick('docx', 'latex', 'weasy', 'latex'), 'prose', 'confirmation letter')
    scs, man = f'{sc[:2]}-{sc[2:4]}-{sc[4:]}', w.person(cc)
    openday = f(w.day(600, 4000))
    if d.engine == 'docx':
        d.src = [('b', bank), ('p', f(day)), ('p', f'{h}\n{p.street}\n{p.city}\n{p.zip}'), ('p', 'To whom it may concern'), ('b',
            'Bank account confirmation'),
                 ('p', f'We confirm that the account below has been held with us since {openday}.'), ('tab', [['Account name', h], ['Sort code', scs],
                 ['Account number', ib[14:]], ['IBAN', w.grp(ib)], ['BIC', bic]]),
                 ('p', 'This information is given in strict confidence and without responsibility on the part of the bank or its officials.'), ('p',
                 f'Yours faithfully\n\n{man.full}\nBranch Manager')]
    elif d.engine == 'latex':
        d.tex(r'''\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{mathptmx}\usepackage[margin=30mm]{geometry}
\pagestyle{empty}\setlength{\parindent}{0pt}\setlength{\parskip}{8pt}\begin{document}

{\Large\scshape {{ bank }} }\hfill {{ day }}

\vspace{15mm}Dear Sir or Madam,

\textbf{Account holder: {{ h }} }

As requested by our customer, we are pleased to confirm the following details. International payments should quote IBAN \mbox{ {{ ib }} } and BIC {{ bic
}}. Domestic payments should quote sort code {{ sc }} and account number {{ ac }}.

The account was opened on {{ od }} and is conducted satisfactorily.

Yours sincerely,

\vspace{12mm}{{ m.full }}\\Customer Service Adviser\end{document}''', bank=bank, day=f(day), h=h, ib=w.grp(ib), bic=bic, sc=scs, ac=ib[14:], od=openday,
    m=man)
    else:
        d.html('''<style>@page{size:A4;margin:20mm}body{font:10.5pt "Open Sans"}dl{display:grid;grid-template-columns:45mm 1fr;gap:2mm}</style><body><div
    style="background:{{ col }};color:#fff;padding:5mm;font-size:15pt">{{ bank }}</div><p style="text-align:right">{{ day }}</p><h3>Proof of
    account</h3><dl><dt>Account holder<dd>{{ h }}
        <dt>Address<dd>{{ p.street }}, {{ p.city }} {{ p.zip }}<dt>Sort code<dd>{{ sc }}<dt>Account number<dd>{{ ac }}<dt>IBAN<dd>{{ ib
    }}<dt>SWIFT/BIC<dd>{{ bic }}<dt>Account status<dd>Open</dl><p>You can share this document to prove you hold an account with us.</p>''',
        col=w.pick('#00416a', '#7b1e3a', '#0b6e4f'),
               bank=bank, day=f(day), h=h, p=p, sc=scs, ac=ib[14:], ib=w.grp(ib), bic=bic)
    d.put(iban=w.grp(ib), bic=bic, accountHolder=h)
    return d.made(day)


@design('BANK_DETAILS', 'EN')
def deposit_form(w):
    """North American direct-deposit form: routing and account number, no IBAN."""
    cc = w.pick('US', 'CA')
    p, day = w.person(cc), w.day(3, 400)
    bank = w.pick('First Prairie Bank', 'Bluewater Credit Union') if cc == 'US' else w.pick('Banque Laurentide / Laurentide Bank', 'Maritime Trust')
    o, F = Ops(612, 792), w.pick('H', 'T', 'K')
    o.t(306, 60, bank, 16, F + 'B', al='c').t(306, 84, 'DIRECT DEPOSIT INFORMATION FORM' if cc == 'US' else 'PRE-AUTHORIZED DEPOSIT / VOID CHEQUE', 12,
        F + 'B', al='c')
    rows = [('Account holder name', p.full), ('Address', f'{p.street}, {p.city} {p.zip}'),
        ('Routing number (ABA)' if cc == 'US' else 'Transit – Institution', w.digits(9) if cc == 'US' else w.digits(5) + ' – ' + w.digits(3)),
            ('Account number', w.digits(w.pick(9, 12))), ('Account type', 'Checking' if cc == 'US' else 'Chequing'), ('Date', date(day, 'uslong'))]
    if cc == 'CA' and w.pick(0, 1):
        pass
    bic = w.bic(cc, True)
    rows.append(('SWIFT code for wires', bic))
    for i, (k, v) in enumerate(rows):
        o.t(60, 130 + i * 30, k, 9, F).t(230, 130 + i * 30, v, 11, F + 'B').l(226, 134 + i * 30, 550, 134 + i * 30)
    o.t(60, 400, 'I authorize my employer to deposit my pay to the account above.', 9, F).img(60, 420, 120, 44, signature(w.r.randint(0, 999)))
    d = Doc(w, cc, 'en', w.pick('reportlab', 'mupdf'), 'lines', 'deposit form')
    d.put(bic=bic, accountHolder=p.full)
    d.missing = ['iban']
    d.src = o
    return d.made(day).office('own', 'none')


# ---------------------------------------------------------------- payslips

@design('PAYSLIP', 'FR')
def bulletin(w):
    """A French payslip with its many lines of contributions."""
    p, emp, end = w.person('FR'), w.firm('FR', 'Logistique', 'Ingénierie', 'Hôtellerie', 'Services'), w.day(20, 600).replace(day=28)
    siren, (c, z) = w.siren(), w.place('FR')
    base, hs = w.amount(1850, 3900), w.amount(0, 160)
    gross = base + hs
    con = [(n, gross if i != 3 else q2(gross * Decimal('.9825')), r) for i, (n, r) in enumerate([('Sécurité sociale plafonnée', '6.90'),
        ('Sécurité sociale déplafonnée', '0.40'), ('Complémentaire tranche 1', '4.01'),
                                                                            ('CSG déductible', '6.80'), ('CSG/CRDS non déductible', '2.90'),
                                                                            ('Complémentaire santé', '0.85')])]
    con = [(n, b, r, q2(b * Decimal(r) / 100)) for n, b, r in con]
    tot, tr = sum(x[3] for x in con), w.amount(0, 44)
    pre = gross - tot + tr
    rate = Decimal(w.pick('0', '1.3', '3.8', '7.5'))
    pas = q2((gross - tot) * rate / 100)
    net, m, f = pre - pas, lambda v: money(v, 'fr'), lambda x: date(x, '/')
    d = Doc(w, 'FR', 'fr', w.pick('reportlab', 'weasy', 'fpdf', 'mupdf'), 'table', 'bulletin de paie')
    per = f'du 01/{end:%m/%Y} au {end:%d/%m/%Y}'
    if d.engine == 'weasy':
        d.html('''<style>@page{size:A4;margin:12mm}body{font:8.5pt "Liberation Sans Narrow","Liberation Sans"}table{width:100%;border-collapse:collapse}.g
    td,.g th{border:.5pt solid #555;padding:1mm}.n{text-align:right}.h{display:flex;justify-content:space-between}</style><body><h2
    style="text-align:center;border:1pt solid">BULLETIN DE SALAIRE</h2><div class=h><div><b>{{ e }}</b><br>{{ ea }}<br>{{ z }} {{ c }}<br>
        Siret : {{ siret }}<br>Code NAF : 5229B<br>URSSAF</div><div>Période : {{ per }}<br>Paiement le {{ f(end) }} par virement<br>Matricule : {{ mat
    }}<br>N° SS : {{ nir }}<br>Emploi : {{ job }}<br>Convention collective : {{ cc }}</div><div style="padding-top:14mm">{{ p.civ }} {{ p.rev }}<br>{{
    p.street }}<br>{{ p.zip }} {{ p.city }}</div></div><br>
        <table class=g><tr><th>Éléments de paie<th>Base<th>Taux<th>À déduire<th>À payer</tr><tr><td>Salaire de base<td class=n>151,67<td><td><td class=n>{{
    m(base) }}</tr><tr><td>Heures supplémentaires 25 %<td><td><td><td class=n>{{ m(hs) }}</tr><tr><td><b>Salaire brut</b><td><td><td><td class=n><b>{{
    m(gross) }}</b></tr>
        {% for n,b,r,t in con %}<tr><td>{{ n }}<td class=n>{{ m(b) }}<td class=n>{{ r.replace(".",",") }}<td class=n>{{ m(t) }}<td></tr>{% endfor
    %}<tr><td>Total des cotisations<td><td><td class=n>{{ m(tot) }}<td></tr><tr><td>Remboursement transport<td><td><td><td class=n>{{ m(tr)
    }}</tr><tr><td><b>Net à payer avant impôt sur le revenu</b><td><td><td><td class=n>{{ m(pre) }}</tr>
        <tr><td>Impôt sur le revenu prélevé à la source<td class=n>{{ m(gross-tot) }}<td class=n>{{ rate }}<td class=n>{{ m(pas) }}<td></tr></table><p
    style="font-size:13pt;text-align:right;border:1pt solid;padding:2mm">NET PAYÉ : <b>{{ m(net) }} €</b></p><p>Congés N-1 : acquis 25,00 pris {{ cp }},00.
    Conservez ce bulletin sans limitation de durée.</p>''', e=emp, ea=w.street('FR'), z=z, c=c,
               siret=w.siret(siren), per=per, f=f, end=end, mat=w.digits(5), nir=w.nir(p), job=w.pick('Technicien', 'Assistante', 'Chef d’équipe'),
                   cc=w.pick('Syntec', 'Transports routiers'), p=p, m=m, base=base, hs=hs, gross=gross, con=con, tot=tot, tr=tr, pre=pre, rate=str(rate),
                       pas=pas, net=net, cp=w.r.randint(1, 20))
    else:
        o, F = Ops(), w.pick('H', 'N', 'C', 'K')
        o.r(24, 24, 547, 22, fill=w.pick('#dddddd', '#c9dcf0', '#ffffff'), line='#000000').t(297, 39, 'BULLETIN DE PAIE', 12, F + 'B', al='c')
        o.ts(30, 64, [emp, w.street('FR'), f'{z} {c}', 'SIRET ' + w.siret(siren)], 8, F)
        o.ts(30, 124, ['Période ' + per, f'Date de paiement {f(end)}', 'N° de sécurité sociale ' + w.nir(p), 'Qualification ' + w.pick('Agent de maîtrise',
            'Employé niveau II', 'Cadre position 2.1')], 8, F)
        o.r(310, 70, 255, 74, line='#999999').ts(322, 94, [f'{p.civ} {p.LAST} {p.first}', p.street, f'{p.zip} {p.city}'], 10, F, 1.4)
        rows = [['Libellé', 'Base', 'Taux', 'Part salariale', 'Gains'], ['SALAIRE MENSUEL', '151,67', '', '', m(base)], ['HEURES SUPPL.', '', '', '',
            m(hs)], ['SALAIRE BRUT', '', '', '', m(gross)]]
        rows += [[n, m(b), r.replace('.', ','), m(t), ''] for n, b, r, t in con] + [['TOTAL COTISATIONS', '', '', m(tot), ''], ['Indemnité transport', '',
            '', '', m(tr)], ['Net avant impôt', '', '', '', m(pre)],
                 ['Prélèvement à la source', m(gross - tot), str(rate).replace('.', ','), m(pas), '']]
        y = o.table(24, 190, (227, 80, 60, 90, 90), rows, 8, 14, F, 'lrrrr', '#aaaaaa', '#eeeeee')
        o.r(330, y + 8, 241, 26, line='#000000', lw=1.2).t(338, y + 25, 'NET À PAYER', 11, F + 'B').t(564, y + 25, m(net) + ' €', 12, F + 'B', al='r')
        o.t(24, y + 60, 'Dans votre intérêt, et pour vous aider à faire valoir vos droits, conservez ce bulletin de paie sans limitation de durée.', 7, F)
        d.src = o
    d.person(p, last=p.LAST).put(netAmount=(m(net) + ' €', net), postCode=p.zip, city=p.city).style.update(money='fr', date='/')
    d.sums.append(([base, hs, -tot, tr, -pas], net))
    total_forge(d, m(net) + ' €', net, 'fr', 'net pay')
    d.bad_date.append((f(end), f(end - dt.timedelta(62)), 'paid two months before the period'))
    return d.made(end).office('own', 'none', 'PDFsharp 1.32.3057-g (www.pdfsharp.net)', 'Sage Paie', 'iText 2.1.7 by 1T3XT')


@design('PAYSLIP', 'FR')
def bulletin_lo(w):
    """Household employer's short slip."""
    p, emp, end = w.person('FR'), w.person('FR'), w.day(20, 500).replace(day=27)
    h, r = w.r.randint(20, 90), Decimal(w.pick('12.50', '13.20', '14.00'))
    gross = q2(h * r)
    con = q2(gross * Decimal('.2188'))
    net, m = gross - con, lambda v: money(v, 'fr') + ' €'
    d = Doc(w, 'FR', 'fr', w.pick('docx', 'lohtml'), 'colon', 'household slip')
    mon = date(end, 'long', 'fr').split(' ', 1)[1]
    if d.engine == 'docx':
        d.src = [('h', 'Bulletin de salaire – particulier employeur'), ('p', f'Employeur : {emp.full}, {emp.street}, {emp.zip} {emp.city}'), ('p',
            f'Salarié(e) : {p.full}\n{p.street}\n{p.zip} {p.city}'), ('p', f'Mois : {mon}'),
                 ('tab', [['Heures effectuées', str(h)], ['Salaire horaire brut', m(r)], ['Salaire brut', m(gross)], ['Cotisations salariales',
                 '-' + m(con)], ['Salaire net payé', m(net)]]), ('p', f'Payé le {date(end, "/")} par virement.')]
    else:
        d.html('''<body style="font-family:Carlito"><h2>Bulletin de salaire</h2><p>Employeur : {{ e.full }}<br>{{ e.street }} {{ e.zip }} {{ e.city
    }}</p><p>Salarié(e) : <b>{{ p.full }}</b><br>{{ p.street }}<br>{{ p.zip }} {{ p.city }}</p><p>Période d’emploi : {{ mon }}</p><table border=1
    cellpadding=4><tr><td>Nombre d’heures</td><td>{{ h }}</td></tr><tr><td>Brut</td><td>{{ b }}</td></tr>
        <tr><td>Retenues salariales</td><td>-{{ c }}</td></tr><tr><td><b>Net à payer</b></td><td><b>{{ n }}</b></td></tr></table><p>Versé le {{ d
    }}</p>''', e=emp, p=p, mon=mon, h=h, b=m(gross), c=m(con), n=m(net), d=date(end, '/'))
    d.person(p).put(netAmount=(m(net), net), postCode=p.zip, city=p.city).style.update(money='fr', date='/')
    d.sums.append(([gross, -con], net))
    total_forge(d, m(net), net, 'fr', 'net pay')
    return d.made(end)


@design('PAYSLIP', 'BC')
def payslip_bc(w):
    cc = w.pick('BE', 'CH', 'QC')
    p, emp, end = w.person(cc), w.firm(cc, 'Horlogerie', 'Chimie', 'Informatique'), w.day(20, 500).replace(day=25)
    st, cur = {'BE': ('de', 'EUR'), 'CH': ('ch', 'CHF'), 'QC': ('qc', '$')}[cc]
    base = w.amount(2400, 6800)
    ex = w.amount(50, 250)
    ded = {'BE': [('ONSS 13,07 %', '.1307'), ('Précompte professionnel', '.2114'), ('Cotisation spéciale', '.0061')], 'CH': [('AVS/AI/APG 5.300 %',
        '.053'), ('AC 1.100 %', '.011'), ('LPP', '.0712'), ('AANP', '.0117')],
           'QC': [('Impôt fédéral', '.098'), ('Impôt provincial', '.121'), ('RRQ', '.064'), ('Assurance-emploi', '.0127'), ('RQAP', '.00494')]}[cc]
    ded = [(n, q2((base + ex) * Decimal(r))) for n, r in ded]
    net = base + ex - sum(x for _, x in ded)
    m = lambda v: money(v, st) + (f' {cur}' if cc == 'QC' else '')
    title = {'BE': 'Fiche de paie', 'CH': 'Décompte de salaire', 'QC': 'Relevé de paie'}[cc]
    d = Doc(w, 'CA' if cc == 'QC' else cc, 'fr', w.pick('weasy', 'typst', 'reportlab'), 'table', 'payslip ' + cc)
    idn = {'BE': 'NISS ' + w.rrn(p), 'CH': 'N° AVS ' + w.ahv(), 'QC': 'N° employé ' + w.digits(5)}[cc]
    rows = [('Salaire mensuel', base), ('Prime / 13e mois prorata', ex)] + [(n, -x) for n, x in ded]
    lab = {'BE': 'Net à payer', 'CH': 'Salaire net versé', 'QC': 'Paie nette'}[cc]
    mon = date(end, 'long', 'fr').split(' ', 1)[1]
    kw = dict(e=emp, a=w.street(cc), pl=w.place(cc), p=p, t=title, mon=mon, idn=idn, rows=[(n, m(v)) for n, v in rows], lab=lab, net=m(net), cur=cur,
        end=date(end, '.'))
    if d.engine == 'weasy':
        d.html('''<style>@page{size:A4;margin:18mm}body{font:9.5pt "{{ ft }}"}td{padding:1.2mm 3mm}.n{text-align:right}</style><body><b>{{ e }}</b><br>{{ a
    }}, {{ pl[1] }} {{ pl[0] }}<div style="margin:10mm 0 10mm 95mm">{{ p.civ }}<br>{{ p.full }}<br>{{ p.street }}<br>{{ p.zip }} {{ p.city }}</div><h3>{{ t
    }} – {{ mon }}</h3><p>{{ idn }}</p><table width="100%">
        {% for n,v in rows %}<tr><td>{{ n }}<td class=n>{{ v }}</tr>{% endfor %}<tr style="background:#eee;font-weight:bold"><td>{{ lab }} {{ cur }}<td
    class=n>{{ net }}</tr></table><p>Valeur {{ end }}</p>'''.replace('{{ ft }}', w.pick('Liberation Sans', 'Roboto')), **kw)
    elif d.engine == 'typst':
        d.typ('''#set page(paper: "a4")
#set text(font: "Carlito", size: 11pt)
*{{ e }}* \\ {{ a }}, {{ pl[1] }} {{ pl[0] }}
#align(right)[{{ p.full }} \\ {{ p.street }} \\ {{ p.zip }} {{ p.city }}]
== {{ t }} {{ mon }}
{{ idn }}
#table(columns: (1fr, 4cm), align: (left, right), {% for n,v in rows %}[{{ n }}], [{{ v }}], {% endfor %}[*{{ lab }} {{ cur }}*], [*{{ net }}*])
Date de valeur : {{ end }}''', **kw)
    else:
        o = Ops()
        o.t(40, 50, emp, 12, 'HB').t(40, 64, kw['a'] + ', ' + ' '.join(reversed(kw['pl'])), 8).ts(340, 110, [p.full, p.street, f'{p.zip} {p.city}'],
            10).t(40, 200, f'{title} – {mon}', 13, 'HB').t(40, 216, idn, 8)
        o.table(40, 245, (380, 120), [[n, v] for n, v in kw['rows']] + [[f'{lab} {cur}', m(net)]], 9.5, 17, 'H', 'lr', '#cccccc', None, True)
        d.src = o
    d.person(p).put(netAmount=(m(net), net), postCode=p.zip, city=p.city).style.update(money=st, date='.')
    d.sums.append(([v for _, v in rows], net))
    total_forge(d, m(net), net, st, 'net pay')
    return d.made(end).office('own', 'none')


@design('PAYSLIP', 'EN')
def payslip_uk(w):
    cc = w.pick('GB', 'GB', 'IE')
    p, emp, end = w.person(cc), w.firm(cc, 'Care Homes', 'Engineering', 'Retail', 'Academy Trust'), w.day(20, 420).replace(day=28)
    cur = '£' if cc == 'GB' else '€'
    base, ot = w.amount(1700, 4300), w.amount(0, 300)
    gross = base + ot
    ded = [('PAYE Tax', '.132'), ('National Insurance', '.071'), ('Pension', '.05')] if cc == 'GB' else [('PAYE', '.148'), ('PRSI Class A1', '.041'),
        ('USC', '.0267')]
    ded = [(n, q2(gross * Decimal(r))) for n, r in ded] + ([('Student Loan', Decimal(w.r.randint(20, 90)))] if cc == 'GB' and w.pick(0, 1) else [])
    td = sum(x for _, x in ded)
    net, m = gross - td, lambda v: money(v, 'en')
    o, F = Ops(595, 400 if w.pick(0, 1) else 842), w.pick('H', 'C', 'K', 'P')
    B, bl = F + 'B' if F != 'C' else 'CB', w.pick('#1b4f72', '#2e7d32', '#555555', '#7b241c')
    f = lambda x: date(x, '/')
    o.r(20, 20, 555, 22, fill=bl)
    for x, t in [(26, 'Employee No.'), (120, 'Employee'), (320, 'Process Date'), (430, 'NI Number' if cc == 'GB' else 'PPS No.')]:
        o.t(x, 34, t, 8, B, '#ffffff')
    o.t(26, 56, w.digits(3), 9, F).t(120, 56, f'{p.civ} {p.full}', 9, B).t(320, 56, f(end), 9, F).t(430, 56, w.nino() if cc == 'GB' else w.pps(), 9, F)
    o.table(20, 82, (170, 80), [['Payments', 'Amount'], ['Basic pay', m(base)], ['Overtime', m(ot)]], 8.5, 15, F, 'lr', None, '#dde4ea')
    o.table(285, 82, (190, 100), [['Deductions', 'Amount']] + [[n, m(v)] for n, v in ded], 8.5, 15, F, 'lr', None, '#dde4ea')
    o.ts(30, 190, [f'{p.full}', p.street, p.city, p.zip], 9, F)
    o.t(300, 200, emp, 10, B).t(300, 214, f'Tax code {w.pick("1257L", "BR", "1185L M1")}   Pay period: Month {((end.month + 8) % 12) + 1}' if cc == 'GB'
        else 'Tax credits: cumulative', 8, F)
    o.r(20, 270, 555, 1, fill=bl).t(26, 292, f'Total gross pay  {m(gross)}', 9, F).t(230, 292, f'Total deductions  {m(td)}', 9, F)
    o.r(420, 276, 155, 28, line=bl, lw=1.4).t(426, 294, 'NET PAY', 10, B).t(568, 294, cur + m(net), 12, B, al='r')
    d = Doc(w, cc, 'en', w.pick('reportlab', 'fpdf', 'mupdf'), 'under', 'payroll strip')
    d.person(p).put(netAmount=(cur + m(net), net), postCode=p.zip, city=p.city).style.update(money='en', date='/')
    d.sums.append(([gross] + [-v for _, v in ded], net))
    total_forge(d, cur + m(net), net, 'en', 'net pay')
    d.src = o
    return d.made(end).office('own', 'none', 'Sage Payroll', 'BrightPay 2024', 'Microsoft Reporting Services PDF Rendering Extension 15.0.0.0')


@design('PAYSLIP', 'EN')
def paystub_us(w):
    cc = w.pick('US', 'CA')
    p, emp, end = w.person(cc), w.firm(cc, 'Freight', 'Healthcare', 'Software'), w.day(20, 400)
    h, r = w.r.randint(70, 88), w.amount(18, 55)
    gross = q2(h * r)
    ded = [('Federal Income Tax', '.11'), ('Social Security', '.062'), ('Medicare', '.0145'), ('Dental', '.006')] if cc == 'US' else [('Income Tax',
        '.172'), ('CPP', '.0595'), ('EI', '.0166')]
    ded = [(n, q2(gross * Decimal(x))) for n, x in ded]
    net, m, k = gross - sum(x for _, x in ded), (lambda v: '$' + money(v, 'en')), w.r.randint(3, 20)
    f = lambda x: date(x, 'us') if cc == 'US' else date(x, 'iso')
    d = Doc(w, cc, 'en', w.pick('weasy', 'weasy', 'lohtml', 'chromium'), 'table', 'pay stub')
    d.html('''<style>@page{size:Letter;margin:14mm}body{font-family:"{{ ft }}";font-size:9pt}</style><body><table width="100%"><tr><td><b>{{ e }}</b><br>{{
    ea }}<br>{{ pl[0] }} {{ pl[1] }}</td><td align="right"><b>Earnings Statement</b><br>Period beginning: {{ b }}<br>Period ending: {{ en }}<br>Pay date:
    {{ pd }}</td></tr></table><hr>
    <p>{{ p.full }}<br>{{ p.street }}<br>{{ p.city }} {{ p.zip }}</p><table width="100%" border="1" cellspacing="0" cellpadding="3"><tr
    bgcolor="#ccd9e6"><td>Earnings</td><td>Rate</td><td>Hours</td><td>This period</td><td>Year to date</td></tr><tr><td>Regular</td><td>{{ r }}</td><td>{{
    h }}</td><td>{{ m(g) }}</td><td>{{ m(g*k) }}</td></tr>
    <tr bgcolor="#ccd9e6"><td>Deductions</td><td></td><td></td><td></td><td></td></tr>{% for n,x in ded %}<tr><td>{{ n }}</td><td></td><td></td><td>-{{
    m(x) }}</td><td>{{ m(x*k) }}</td></tr>{% endfor %}<tr><td><b>Net Pay</b></td><td></td><td></td><td><b>{{ m(net)
    }}</b></td><td></td></tr></table><p>Deposited to account ending XXXX{{ l4 }}. Not negotiable.</p>''',
           ft=w.pick('Liberation Sans', 'Liberation Mono'), e=emp, ea=w.street(cc), pl=w.place(cc), b=f(end - dt.timedelta(14)), en=f(end),
           pd=f(end + dt.timedelta(5)), p=p, r=m(r), h=f'{h}.00', m=m, g=gross, k=k, ded=ded, net=net, l4=w.digits(4))
    d.person(p).put(netAmount=(m(net), net), postCode=p.zip, city=p.city.split(',')[0]).style.update(money='en', date='us')
    d.sums.append(([gross] + [-x for _, x in ded], net))
    total_forge(d, m(net), net, 'en', 'net pay')
    d.bad_date.append((f(end), f(end - dt.timedelta(40)), 'the period ends before it begins'))
    return d.made(end + dt.timedelta(4)).office('own', 'none', 'ADP PDF Generator')


# ---------------------------------------------------------------- tax notices

@design('TAX_NOTICE', 'FR')
def avis_ir(w):
    p, y = w.person('FR'), w.pick(2023, 2024, 2025)
    day = dt.date(y + 1, 7, w.r.randint(20, 31))
    rev = [Decimal(w.r.randint(14000, 60000)), Decimal(w.pick(0, 0, 2300))]
    brut = (sum(rev) * Decimal('.07')).quantize(Decimal(1))
    red = Decimal(w.pick(0, 66, 150))
    net = brut - red
    wh = (net * Decimal(w.pick('.5', '.7'))).quantize(Decimal(1))
    due = net - wh
    m = lambda v: f'{v:,.0f}'.replace(',', '\u00a0') + ' €'
    num, fisc = f'{w.digits(2)} {w.digits(2)} {w.digits(7)} {w.digits(2)}', w.grp(w.digits(13, '0123'), 2)
    o = Ops()
    o.r(0, 0, 595, 5, fill='#000091').t(40, 40, 'RÉPUBLIQUE FRANÇAISE', 8, 'HB').t(40, 52, 'DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES', 7).t(300, 50,
        f'AVIS D’IMPÔT {y + 1}', 16, 'HB').t(300, 64, f'IMPÔT SUR LES REVENUS DE {y} – PRÉLÈVEMENTS SOCIAUX', 7.5, 'HB')
    o.t(40, 100, 'Vos références', 9, 'HB', '#000091').ts(40, 116, ['Numéro fiscal : ' + fisc, 'Référence de l’avis : ' + num,
        f'Date d’établissement : {date(day, "/")}', 'Revenu fiscal de référence : ' + m(sum(rev))], 8.5, 'H', 1.4)
    o.ts(320, 130, [p.rev, p.street.upper(), f'{p.zip} {p.city.upper()}'], 10, 'C', 1.4)
    rows = [['Détail des revenus', 'Déclarant 1'], ['Salaires', m(rev[0])], ['Revenus fonciers', m(rev[1])], ['Impôt avant réductions', m(brut)],
        ['Réductions d’impôt', '-' + m(red)], ['Impôt net', m(net)], ['Prélèvement à la source déjà versé', '-' + m(wh)]]
    y0 = o.table(40, 230, (380, 130), rows, 9, 17, 'H', 'lr', None, '#e3e3fd')
    o.r(40, y0 + 10, 515, 34, line='#000091', lw=1.2).t(50, y0 + 31, 'Somme qui vous reste à payer', 11, 'HB').t(545, y0 + 31, m(due), 13, 'HB', al='r')
    pay = dt.date(y + 1, 9, 25)
    o.t(40, y0 + 65, f'Date limite de paiement : {date(pay, "/")}. Vous pouvez payer sur impots.gouv.fr. Cet avis peut servir de justificatif de '
        f'ressources.', 8)
    d = Doc(w, 'FR', 'fr', w.pick('reportlab', 'mupdf'), 'colon', 'income tax')
    d.person(p, last=p.LAST).home(p, p.street.upper(), p.city.upper()).put(totalAmount=(m(due), due), documentNumber=num).style.update(money='fr', date='/')
    d.sums.append(([net, -wh], due))
    d.bad_sum.append((m(due), m(due + w.pick(90, 100, 200)), 'sum left to pay'))
    d.bad_date.append((date(pay, '/'), date(dt.date(y, 9, 15), '/'), 'to be paid before the notice was made'))
    d.src = o
    return d.made(day).office('none', 'PDFlib+PDI 9.3.1 (JDBC)', 'Compart MFFPDF I/O Filter 5.9', 'iText 2.1.7 by 1T3XT')


@design('TAX_NOTICE', 'FR')
def taxe_fonciere(w):
    p, y = w.person('FR'), w.pick(2023, 2024, 2025)
    day = dt.date(y, 8, w.r.randint(20, 31))
    base = w.r.randint(900, 4500)
    a, b = Decimal(round(base * .3842)), Decimal(w.r.randint(80, 260))
    g = Decimal(round(float(a + b) * .03))
    t, m = a + b + g, lambda v: f'{v:,.0f}'.replace(',', ' ') + ' €'
    num = f'{y % 100} {p.zip[:2]} {w.digits(7)} {w.digits(2)}'
    d = Doc(w, 'FR', 'fr', w.pick('weasy', 'latex'), 'table', 'property tax')
    kw = dict(p=p, y=y, day=date(day, '/'), base=base, a=m(a), b=m(b), g=m(g), t=m(t), num=num, lim=f'15/10/{y}', c=w.place('FR')[0])
    if d.engine == 'weasy':
        d.html('''<style>@page{size:A4;margin:14mm}body{font:9pt "Liberation Sans"}table{border-collapse:collapse;width:100%}td,th{border:.5pt solid
    #666;padding:1.5mm}.n{text-align:right}</style><body><div style="display:flex;justify-content:space-between"><div><b>Direction générale des finances
    publiques</b><br>SIP de {{ c }}</div><div style="text-align:right"><b style="font-size:15pt">AVIS D’IMPÔT {{ y }}</b><br>
        Taxes foncières</div></div><div style="margin:14mm 0 10mm 95mm;font-size:10.5pt">{{ p.civ }} {{ p.rev }}<br>{{ p.street }}<br>{{ p.zip }} {{ p.city
    }}</div><p>Référence de l’avis : <b>{{ num }}</b><br>Date d’établissement : {{ day }}</p><table><tr><th>Propriétés
    bâties<th>Base<th>Cotisation</tr><tr><td>Commune<td class=n>{{ base }}<td class=n>{{ a }}</tr><tr><td>Ordures ménagères<td><td class=n>{{ b }}</tr>
        <tr><td>Frais de gestion<td><td class=n>{{ g }}</tr></table><p style="font-size:13pt;background:#eef;padding:3mm">Montant de votre impôt <b
    style="float:right">{{ t }}</b></p><p>Date limite de paiement : {{ lim }}</p>''', **kw)
    else:
        d.tex(r'''\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{eurosym,helvet}\renewcommand{\familydefault}{\sfdefault}\usepackage[margin=20mm]{geometry}
\pagestyle{empty}\setlength{\parindent}{0pt}\begin{document}

\textbf{FINANCES PUBLIQUES}\hfill\textbf{\Large TAXE FONCIÈRE {{ y }} }\\Centre de {{ c }}\hfill avis d'imposition

\vspace{14mm}\hspace{95mm}\begin{minipage}{70mm}{{ p.rev }}\\{{ p.street }}\\{{ p.zip }} {{ p.city }}\end{minipage}\vspace{10mm}

Numéro d'avis : {{ num }}\hfill Établi le {{ day }}\bigskip

\begin{tabular}{|p{90mm}|r|}\hline Base nette & {{ base }}\\\hline Cotisation de la commune & {{ a }}\\\hline Enlèvement des ordures ménagères & {{ b
}}\\\hline Frais de gestion & {{ g }}\\\hline\textbf{Somme à payer} & \textbf{ {{ t }} }\\\hline\end{tabular}\bigskip

À payer au plus tard le {{ lim }}.\end{document}''', **kw)
    d.person(p, last=p.LAST).home(p).put(totalAmount=(m(t), t), documentNumber=num).style.update(money='fr', date='/')
    d.sums.append(([a, b, g], t))
    d.bad_sum.append((m(t), m(t + w.pick(100, 90, -50)), 'sum to pay'))
    d.bad_date.append((f'15/10/{y}', f'15/03/{y}', 'to be paid before the notice was made'))
    return d.made(day).office('none', 'own', 'PDFlib+PDI 9.3.1 (JDBC)')


@design('TAX_NOTICE', 'BC')
def tax_bc(w):
    cc = w.pick('BE', 'CH', 'QC')
    p, y = w.person(cc), w.pick(2023, 2024)
    day = w.day(60, 500)
    st, cur = {'BE': ('de', 'EUR'), 'CH': ('ch', 'CHF'), 'QC': ('qc', '$')}[cc]
    a, b, c = w.amount(1800, 9000), w.amount(200, 900), w.amount(500, 1700)
    t, m = a + b - c, lambda v: money(v, st) + ' ' + cur
    title, office = {'BE': ('Avertissement-extrait de rôle', 'SPF Finances – Administration générale de la Fiscalité'), 'CH': ('Décision de taxation',
        'Administration cantonale des impôts'), 'QC': ('Avis de cotisation', 'Revenu Québec')}[cc]
    labs = {'BE': ('Impôt des personnes physiques', 'Taxe communale', 'Précompte professionnel', 'Solde à payer', 'Article du rôle'),
        'CH': ('Impôt cantonal et communal', 'Impôt fédéral direct', 'Acomptes versés', 'Solde en notre faveur', 'N° de contribuable'),
            'QC': ('Impôt sur le revenu', 'Cotisation au RQAP', 'Impôt retenu à la source', 'Montant à payer', 'Numéro de l’avis')}[cc]
    num, ds = {'BE': w.digits(9), 'CH': f'{w.digits(3)}.{w.digits(3)}.{w.digits(2)}', 'QC': w.letters(2) + w.digits(8)}[cc], {'BE': '/', 'CH': '.',
        'QC': 'iso'}[cc]
    d = Doc(w, 'CA' if cc == 'QC' else cc, 'fr', w.pick('weasy', 'weasy', 'docx', 'chromium'), 'colon', 'tax ' + cc)
    due = day + dt.timedelta(60)
    if d.engine == 'docx':
        d.src = [('b', office), ('right', f'{p.civ} {p.full}\n{p.street}\n{p.zip} {p.city}'), ('h', f'{title} – exercice {y}'), ('p',
            f'{labs[4]} : {num}\nDate d’envoi : {date(day, ds)}'),
                 ('tab', [[labs[0], m(a)], [labs[1], m(b)], [labs[2], '-' + m(c)], [labs[3], m(t)]], 'Medium Shading 1'), ('p',
                 f'À payer au plus tard le {date(due, ds)}.')]
    else:
        d.html('''<style>@page{size:A4;margin:18mm}body{font:10pt "Open Sans"}p.l{display:flex;justify-content:space-between;border-bottom:.4pt solid
    #999;margin:1mm 0}</style><body><b>{{ o }}</b><h2>{{ t }}</h2><div style="border:.6pt solid;padding:3mm;width:75mm">{{ p.civ }} {{ p.full }}<br>{{
    p.street }}<br>{{ p.zip }} {{ p.city }}</div><p>{{ l[4] }} : {{ num }}<br>Période fiscale : {{ y }}<br>
        Date : {{ day }}</p><p class=l><span>{{ l[0] }}</span><span>{{ a }}</span></p><p class=l><span>{{ l[1] }}</span><span>{{ b }}</span></p><p
    class=l><span>{{ l[2] }}</span><span>-{{ c }}</span></p><p class=l><b>{{ l[3] }}</b><b>{{ x }}</b></p><p>Échéance : {{ due }}. Une réclamation peut
    être formée dans les délais légaux.</p>''',
               o=office, t=title, p=p, l=labs, num=num, y=y, day=date(day, ds), a=m(a), b=m(b), c=m(c), x=m(t), due=date(due, ds))
    d.person(p).home(p).put(totalAmount=(m(t), t), documentNumber=num).style.update(money=st, date=ds)
    d.sums.append(([a, b, -c], t))
    total_forge(d, m(t), t, st)
    d.bad_date.append((date(due, ds), date(day - dt.timedelta(44), ds), 'to be paid before the notice was made'))
    return d.made(day)


@design('TAX_NOTICE', 'EN')
def hmrc(w):
    """HM Revenue's calculation or the Irish statement of liability."""
    cc = w.pick('GB', 'GB', 'IE')
    p, day = w.person(cc), w.day(20, 500)
    y = day.year - (2 if cc == 'GB' and day.month < 6 else 1)  # the year that had ended
    a, b, c = w.amount(1500, 9800), w.amount(100, 900), w.amount(300, 1300)
    cur = '£' if cc == 'GB' else '€'
    t, m, f = a + b - c, (lambda v: cur + money(v, 'en')), lambda x: date(x, 'long')
    num = w.utr() if cc == 'GB' else w.pps()
    d = Doc(w, cc, 'en', w.pick('weasy', 'weasy', 'docx', 'chromium'), 'colon', 'revenue letter')
    due = day + dt.timedelta(w.pick(31, 90))
    if d.engine == 'docx':
        d.src = [('b', 'HM Revenue & Customs' if cc == 'GB' else 'Revenue – Cáin agus Custaim na hÉireann'), ('p',
            f'{p.civ} {p.full}\n{p.street}\n{p.city}\n{p.zip}'), ('right', f'Date {f(day)}\n{"Unique Taxpayer Reference" if cc == "GB" else "PPSN"} {num}'),
                 ('h', ('Simple Assessment' if cc == 'GB' else 'Statement of Liability') + f' for the tax year {y}' + (f' to {y + 1}' if cc == 'GB' else
                 '')), ('p', f'Dear {p.civ} {p.last}'), ('p', 'This letter shows how much tax you owe and how we worked it out.'),
                 ('tab', [['Income Tax', m(a)], ['National Insurance contributions' if cc == 'GB' else 'Universal Social Charge', m(b)],
                 ['Less tax already paid', '-' + m(c)], ['Amount to pay', m(t)]]), ('p',
                 f'You must pay this by {f(due)}. If you think it is wrong, tell us within 60 days.')]
    else:
        d.html('''<style>@page{size:A4;margin:20mm}body{font:11pt "Liberation Sans"}table{width:100%}td:last-child{text-align:right}</style><body><div
    style="display:flex;justify-content:space-between"><b style="font-size:14pt;border-left:4pt solid #008670;padding-left:3mm">{{ o }}</b><div>Phone 0300
    555 3300<br>{{ web }}</div></div>
        <div style="display:flex;justify-content:space-between;margin-top:14mm"><div>{{ p.full }}<br>{{ p.street }}<br>{{ p.city }}<br>{{ p.zip
    }}</div><div>Issue date: {{ day }}<br>{{ rl }}: {{ num }}</div></div><h3>{{ ttl }} {{ y }}{% if gb %}-{{ (y+1)|string|truncate(4,True,'') }}{% endif
    %}</h3><table><tr><td>Income tax due<td>{{ a }}<tr><td>{{ l2 }}<td>{{ b }}<tr><td>minus tax deducted
        <td>{{ c }}<tr><td><b>Total amount due</b><td><b>{{ t }}</b></table><p>Payment is due by {{ due }}.</p><p>Keep this notice for your records. You
    may need it as proof of income.</p>''', o='HM Revenue & Customs' if cc == 'GB' else 'Office of the Revenue Commissioners',
        web='www.gov.uk/contact-hmrc' if cc == 'GB' else 'www.revenue.ie', p=p, day=f(day),
               rl='UTR' if cc == 'GB' else 'PPS Number', num=num, ttl='Tax calculation (SA302)' if cc == 'GB' else 'Notice of assessment', y=y,
                   gb=cc == 'GB', a=m(a), l2='Class 4 National Insurance' if cc == 'GB' else 'USC', b=m(b), c=m(c), t=m(t), due=f(due))
    d.person(p).home(p).put(totalAmount=(m(t), t), documentNumber=num).style.update(money='en', date='long')
    d.sums.append(([a, b, -c], t))
    total_forge(d, m(t), t, 'en')
    d.bad_date.append((f(due), f(day - dt.timedelta(75)), 'to be paid before the notice was made'))
    return d.made(day).office('own', 'none', 'OpenText Exstream Version 16.3.2')


@design('TAX_NOTICE', 'EN')
def council_tax(w):
    p, y = w.person('GB'), w.pick(2024, 2025, 2026)
    day = dt.date(y, 3, w.r.randint(3, 15))
    parts = [(n, w.amount(lo, hi)) for n, lo, hi in [('Borough Council', 700, 1100), ('Police and Crime Commissioner', 180, 300),
        ('Fire and Rescue Authority', 60, 110), ('Adult social care precept', 90, 190)]]
    tot = sum(x for _, x in parts)
    disc = q2(tot * Decimal('.25')) if w.pick(0, 1) else Decimal(0)
    due, m = tot - disc, lambda v: money(v, 'en')
    inst = q2(due / 10)
    first, num, band = due - 9 * inst, w.digits(9), w.pick('B', 'C', 'D', 'E')
    o, F, col = Ops(), w.pick('H', 'P', 'K'), w.pick('#00695c', '#4a148c', '#b71c1c')
    o.t(40, 50, f'{p.city} {"City" if w.pick(0, 1) else "Borough"} Council', 17, F + 'B', col).t(40, 66, 'Revenues and Benefits Service', 9, F).t(555, 50,
        f'Council Tax Bill {y}/{(y + 1) % 100:02d}', 14, F + 'B', al='r')
    o.ts(60, 120, [f'{p.civ} {p.full}', p.street, p.city, p.zip], 11, F, 1.35)
    for i, (k, v) in enumerate([('Account number', num), ('Date of issue', date(day, 'long')), ('Valuation band', band), ('Reason for bill', 'Annual bill')]):
        o.t(340, 120 + i * 16, k, 8.5, F).t(555, 120 + i * 16, v, 9, F + 'B', al='r')
    o.t(40, 210, 'Property: ' + f'{p.street}, {p.city}, {p.zip}', 9, F)
    rows = [['Charge for band ' + band, '£']] + [[n, m(x)] for n, x in parts] + [[f'Total for 01/04/{y} to 31/03/{y + 1}',
        m(tot)]] + ([['Less: single person discount 25%', '-' + m(disc)]] if disc else []) + [['Total amount due', m(due)]]
    yy = o.table(40, 236, (380, 130), rows, 9, 16, F, 'lr', '#bbbbbb', '#e4ecec', True)
    o.t(40, yy + 26, f'Instalments: 1 of £{m(first)} on 01/04/{y}, then 9 of £{m(inst)} on the 1st of each month until 01/01/{y + 1}.', 9, F)
    o.t(40, yy + 44, 'You pay by direct debit. Thank you.', 9, F)
    d = Doc(w, 'GB', 'en', w.pick('reportlab', 'mupdf', 'fpdf'), 'table', 'council tax')
    d.person(p).home(p).put(totalAmount=(m(due), due), documentNumber=num).style.update(money='en', date='long')
    d.sums += [([x for _, x in parts] + [-disc], due), ([first] + [inst] * 9, due)]
    total_forge(d, m(due), due, 'en')
    d.bad_date.append((f'31/03/{y + 1}', f'31/03/{y - 1}', 'the charge ends before it begins'))
    d.src = o
    return d.made(day).office(*PRODUCERS)


@design('TAX_NOTICE', 'EN')
def irs_cra(w):
    cc = w.pick('US', 'US', 'CA')
    p, y, day = w.person(cc), w.pick(2023, 2024), w.day(30, 500)
    a, b, c = w.amount(400, 6000), w.amount(20, 300), w.amount(5, 90)
    t, m = a + b + c, lambda v: '$' + money(v, 'en')
    f = lambda x: date(x, 'uslong')
    due = day + dt.timedelta(21)
    d = Doc(w, cc, 'en', w.pick('weasy', 'lohtml') if cc == 'US' else w.pick('typst', 'weasy'), 'table', 'IRS' if cc == 'US' else 'CRA')
    num = w.pick('CP14', 'CP21A', 'CP501') if cc == 'US' else w.letters(2) + w.digits(8)
    idn = f'XXX-XX-{w.digits(4)}' if cc == 'US' else 'XXX XX' + w.digits(1) + ' ' + w.digits(3)
    num = f'{w.digits(4)}-{w.digits(5)}-{w.digits(3)}' if cc == 'US' else num
    kw = dict(p=p, y=y, day=f(day), due=f(due), a=m(a), b=m(b), c=m(c), t=m(t), num=num, idn=idn, cp=w.pick('CP14', 'CP501', 'CP22A'), us=cc == 'US',
        o='Department of the Treasury\u2003Internal Revenue Service' if cc == 'US' else 'Canada Revenue Agency\u2003Agence du revenu du Canada')
    if d.engine == 'typst':
        d.typ('''#set page(paper: "us-letter", margin: 22mm)
#set text(font: "Liberation Sans", size: 10pt)
{{ o }} #h(1fr) *Notice of assessment*
#v(8mm)
{{ p.full }} \\ {{ p.street }} \\ {{ p.city }} {{ p.zip }}
#align(right)[#table(columns: 2, align: left, [Notice number], [{{ num }}], [Social insurance no.], [{{ idn }}], [Tax year], [{{ y }}], [Date issued], [{{
day }}])]
We assessed your {{ y }} income tax and benefit return.
#table(columns: (1fr, 4cm), align: (left, right), [Net federal tax], [{{ a }}], [Net provincial tax], [{{ b }}], [Interest on late payment], [{{ c }}],
[*Balance owing*], [*{{ t }}*])
Pay the balance by {{ due }}.''', **kw)
    else:
        d.html('''<style>@page{size:Letter;margin:16mm}body{font-family:"Liberation Sans";font-size:10pt}</style><body><table width="100%"><tr><td><b>{{ o
    }}</b><br><br>{{ p.full }}<br>{{ p.street }}<br>{{ p.city }} {{ p.zip }}</td><td><table border="1" cellspacing="0" cellpadding="3"><tr><td>{{ "Notice"
    if us else "Notice of assessment" }}</td><td>{{ cp if us else "T451" }}</td></tr><tr><td>Tax year</td><td>{{ y }}</td></tr>
        <tr><td>Notice date</td><td>{{ day }}</td></tr><tr><td>{{ "Social Security number" if us else "Social insurance no." }}</td><td>{{ idn
    }}</td></tr><tr><td>{{ "Caller ID / notice number" if us else "Notice number" }}</td><td>{{ num }}</td></tr></table></td></tr></table><h3>{{ "You have
    unpaid taxes for " ~ y if us else "Your assessment" }}</h3><p><b>Amount due by {{ due }}: {{ t }}</b></p>
        <table width="100%" cellpadding="3"><tr><td>{{ "Tax you owe" if us else "Federal and provincial tax" }}</td><td align="right">{{ a
    }}</td></tr><tr><td>{{ "Failure-to-pay penalty" if us else "Penalty" }}</td><td align="right">{{ b }}</td></tr><tr><td>Interest charges</td><td
    align="right">{{ c }}</td></tr><tr><td><b>Amount due</b></td><td align="right"><b>{{ t }}</b></td></tr></table>
        <p>If you already paid your balance in full, please disregard this notice.</p>''', **kw)
    d.person(p).home(p).put(totalAmount=(m(t), t), documentNumber=num).style.update(money='en', date='uslong')
    d.sums.append(([a, b, c], t))
    total_forge(d, m(t), t, 'en')
    d.bad_date.append((f(due), f(day - dt.timedelta(100)), 'due before the notice date'))
    return d.made(day).office('own', 'none')


# ---------------------------------------------------------------- company registers

@design('COMPANY_REGISTRATION', 'FR')
def kbis(w):
    name, siren, (c, z), st, day, ph = w.firm('FR', 'Menuiserie', 'Conseil', 'Traiteur', 'Immobilier'), w.siren(), w.place('FR'), w.street('FR'), w.day(3,
        90), w.person('FR')
    f = lambda x: date(x, '/')
    reg, cap, sn = w.day(400, 6000), w.pick('1 000,00', '7 500,00', '50 000,00'), w.grp(siren, 3)
    d = Doc(w, 'FR', 'fr', w.pick('latex', 'reportlab', 'weasy'), 'table', 'Kbis')
    rows = [('Immatriculation au RCS, numéro', f'{sn} R.C.S. {c}'), ('Date d’immatriculation', f(reg)), ('Dénomination ou raison sociale', name),
        ('Forme juridique', 'Société à responsabilité limitée' if 'SARL' in name else 'Société par actions'),
            ('Capital social', cap + ' Euros'), ('Adresse du siège', f'{st} {z} {c}'), ('Activités principales', w.pick('Conseil en gestion',
            'Travaux de menuiserie', 'Achat et vente de biens')), ('Durée de la personne morale',
            f'Jusqu’au {f(reg.replace(year=reg.year + 99, day=min(reg.day, 28)))}'),
            ('Gérant / Président', f'{ph.rev}, né(e) le {f(ph.birth)} à {ph.birthplace}')]
    head = f'Greffe du Tribunal de Commerce de {c}'
    if d.engine == 'latex':
        d.tex(r'''\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage[margin=22mm]{geometry}
\pagestyle{empty}\setlength{\parindent}{0pt}\begin{document}
{{ head }}\hfill N\textsuperscript{o} de gestion {{ g }}

\begin{center}\textbf{\Large Extrait Kbis}\\[3mm]\textsc{extrait d'immatriculation principale au registre du commerce et des sociétés}\\à jour au {{ day
}}\end{center}\bigskip
\textbf{IDENTIFICATION DE LA PERSONNE MORALE}\medskip

\begin{tabular}{p{62mm}p{95mm}}{% for k,v in rows %}\textit{ {{ k }} } & {{ v }}\\[2mm]{% endfor %}\end{tabular}\vfill
Le Greffier \hfill FIN DE L'EXTRAIT\end{document}''', head=head, g=f'{reg.year} B {w.digits(5)}', day=f(day), rows=rows)
    elif d.engine == 'weasy':
        d.html('''<style>@page{size:A4;margin:18mm}body{font:9.5pt "Liberation
    Sans"}i{color:#555;display:inline-block;width:68mm;vertical-align:top}
    b.v{font-weight:normal;display:inline-block;width:100mm}h3{background:#ececec;padding:1mm 2mm}</style><body>
    <div style="font-size:8pt">{{ head }}<br>Code de vérification : {{ cv }}</div>
        <h2 style="text-align:center">Extrait Kbis</h2><p style="text-align:center">EXTRAIT D’IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES
    SOCIÉTÉS<br>à jour au {{ day }}</p><h3>Identification</h3>{% for k,v in rows %}<p style="margin:1.5mm 0"><i>{{ k }}</i> <b class=v>{{ v }}</b></p>{%
    endfor %}<img src="{{ st }}" width="150" style="float:right">''',
               head=head, cv=w.letters(10), day=f(day), rows=rows, st=data_uri(stamp(['GREFFE', c.upper()])))
    else:
        o = Ops()
        o.t(40, 46, head, 9, 'T').t(297, 86, 'EXTRAIT K BIS', 16, 'TB', al='c').t(297, 102, f'à jour au {f(day)}', 9, 'T', al='c')
        for i, (k, v) in enumerate(rows):
            o.t(40, 140 + i * 24, k, 9, 'T', '#444444').t(230, 140 + i * 24, v, 10, 'T')
        o.img(380, 420, 150, 80, stamp(['GREFFE', c.upper()])).t(40, 560, 'Fin de l’extrait', 8, 'T')
        d.src = o
    d.put(companyName=name, registrationNumber=sn, address=st, postCode=z, city=c).style.update(date='/')
    d.bad_date.append((f(reg), f(day + dt.timedelta(120)), 'registered after the day of the extract'))
    return d.made(day).office('own', 'none', 'iText 2.1.7 by 1T3XT')


@design('COMPANY_REGISTRATION', 'FR')
def sirene(w):
    """Directory notice of the statistics office, also for sole traders."""
    p, siren, day = w.person('FR'), w.siren(), w.day(2, 120)
    name, (c, z), st = w.pick(w.firm('FR', 'Peinture', 'Café'), p.rev), w.place('FR'), w.street('FR')
    f, since = lambda x: date(x, '/'), w.day(300, 4000)
    d = Doc(w, 'FR', 'fr', w.pick('chromium', 'fpdf', 'lohtml'), 'table', 'directory notice')
    rows = [('Identifiant SIREN', w.grp(siren, 3)), ('Identifiant SIRET du siège', w.siret(siren)), ('Dénomination', name), ('Catégorie juridique',
        '5499 - Société'), ('Activité principale exercée (APE)', '43.34Z'), ('Adresse', st), ('', f'{z} {c.upper()}'),
            ('Actif depuis le', f(since))]
    if d.engine == 'fpdf':
        o = Ops()
        o.t(297, 60, 'SITUATION AU RÉPERTOIRE SIRENE', 14, 'HB', al='c').t(297, 78, f'À la date du {f(day)}', 9, al='c')
        o.table(50, 120, (200, 290), rows, 10, 24, 'H', None, '#888888')
        o.t(50, 340, 'Aucune valeur juridique n’est attachée à l’avis de situation.', 8)
        d.src = o
    else:
        d.html('''<body style="font-family:'Liberation Sans';font-size:11pt"><h2>Avis de situation au répertoire SIRENE</h2><p>Situation au {{ d
    }}</p><table border="1" cellspacing="0" cellpadding="6" width="100%">{% for k,v in rows %}<tr><td>{{ k }}</td><td>{{ v }}</td></tr>{% endfor
    %}</table><p><small>Aucune valeur juridique n’est attachée à l’avis de situation.</small></p>''', d=f(day), rows=rows)
    d.put(companyName=name, registrationNumber=w.grp(siren, 3), address=st, postCode=z, city=c.upper()).style.update(date='/')
    d.bad_date.append((f(since), f(day + dt.timedelta(200)), 'active since a day after the notice'))
    return d.made(day)


@design('COMPANY_REGISTRATION', 'BC')
def register_bc(w):
    cc = w.pick('BE', 'CH', 'QC')
    name, (c, z), st, day = w.firm(cc, 'Brasserie', 'Fiduciaire', 'Toitures'), w.place(cc), w.street(cc), w.day(3, 200)
    num = {'BE': (lambda b: f'{b[:4]}.{b[4:7]}.{b[7:]}')(w.bce()), 'CH': w.uid(), 'QC': w.digits(10, '1')}[cc]
    title, auth, l = {'BE': ('Extrait de la Banque-Carrefour des Entreprises', 'SPF Économie', 'Numéro d’entreprise'),
        'CH': ('Extrait du registre du commerce', 'Registre du commerce du canton', 'IDE/UID'),
                      'QC': ('État de renseignements d’une personne morale', 'Registraire des entreprises', 'Numéro d’entreprise du Québec (NEQ)')}[cc]
    ds = {'BE': '/', 'CH': '.', 'QC': 'iso'}[cc]
    f, since = lambda x: date(x, ds), w.day(500, 5000)
    d = Doc(w, 'CA' if cc == 'QC' else cc, 'fr', w.pick('typst', 'weasy', 'reportlab'), 'table', 'register ' + cc)
    rows = [(l, num), ('Dénomination / raison de commerce', name), ('Siège', st), ('', f'{z} {c}'), ('Inscrite depuis le', f(since)), ('Statut', 'Active'),
        ('But', w.pick('Exploitation d’un débit de boissons', 'Conseil fiscal et comptable'))]
    if d.engine == 'typst':
        d.typ('''#set page(paper: "a4", margin: 20mm, footer: [Page 1 sur 1])
#set text(font: "Liberation Serif", size: 11pt)
#smallcaps[{{ a }}]
= {{ t }}
#table(columns: (5cm, 1fr), stroke: 0.4pt, {% for k,v in rows %}[{{ k }}], [{{ v }}], {% endfor %})
Extrait établi le {{ d }}. Sans garantie.''', a=auth, t=title, rows=rows, d=f(day))
    elif d.engine == 'weasy':
        d.html('''<style>@page{size:A4}body{font:10pt Lato}dt{font-weight:bold;margin-top:3mm}dd{margin:0}</style><body>{{ a }}<h2>{{ t }}</h2><dl>{% for
    k,v in rows %}{% if k %}<dt>{{ k }}{% endif %}<dd>{{ v }}{% endfor %}</dl><p>Délivré le {{ d }}</p>''', a=auth, t=title, rows=rows, d=f(day))
    else:
        o = Ops()
        o.t(40, 50, auth, 10, 'D').t(40, 80, title, 15, 'DB').table(40, 120, (200, 310), rows, 9.5, 22, 'D', None, '#999999')
        o.t(40, 320, 'Date : ' + f(day), 9, 'D')
        d.src = o
    d.put(companyName=name, registrationNumber=num, address=st, postCode=z, city=c).style.update(date=ds)
    d.bad_date.append((f(since), f(day + dt.timedelta(90)), 'registered after the day of the extract'))
    return d.made(day)


@design('COMPANY_REGISTRATION', 'EN')
def incorporation(w):
    """Certificate of incorporation: name and number, no address."""
    cc = w.pick('GB', 'IE', 'US', 'CA')
    name, day = w.firm(cc, 'Trading', 'Holdings', 'Ceramics', 'Biosciences').upper() if w.pick(0, 1) else w.firm(cc, 'Trading', 'Ventures'), w.day(100, 6000)
    num = {'GB': w.digits(8, '01'), 'IE': w.digits(6), 'US': w.digits(7), 'CA': w.digits(7) + '-' + w.digits(1)}[cc]
    f = lambda x: date(x, 'ord' if cc in ('GB', 'IE') else 'uslong')
    d = Doc(w, cc, 'en', w.pick('latex', 'reportlab', 'typst', 'mupdf'), 'prose', 'certificate of incorporation')
    head = {'GB': 'CERTIFICATE OF INCORPORATION OF A PRIVATE LIMITED COMPANY', 'IE': 'CERTIFICATE OF INCORPORATION',
        'US': 'STATE OF DELAWARE – CERTIFICATE OF INCORPORATION', 'CA': 'Certificate of Incorporation – Canada Business Corporations Act'}[cc]
    lead = {'GB': 'The Registrar of Companies for England and Wales hereby certifies that', 'IE': 'I hereby certify that',
        'US': 'I, Secretary of State, do hereby certify that', 'CA': 'I hereby certify that the corporation'}[cc]
    tail = {'GB': 'is this day incorporated under the Companies Act 2006 as a private company, that the company is limited by shares.',
        'IE': 'is this day incorporated under the Companies Act 2014 and that the company is limited by shares.',
            'US': 'is duly incorporated under the laws of this State and is in good standing.',
            'CA': 'is incorporated under the Canada Business Corporations Act.'}[cc]
    nl = {'GB': 'Company Number', 'IE': 'Number', 'US': 'File Number', 'CA': 'Corporation number'}[cc]
    plc = {'GB': 'Given at Companies House, Cardiff, on', 'IE': 'Given under my hand at Dublin, this', 'US': 'Dated', 'CA': 'Date of Incorporation:'}[cc]
    kw = dict(h=head, l=lead, n=name, num=num, t=tail, nl=nl, plc=plc, day=f(day))
    if d.engine == 'latex':
        d.tex(r'''\documentclass[12pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{mathptmx}\usepackage[margin=30mm]{geometry}
\pagestyle{empty}\begin{document}

\begin{center}\vspace*{20mm}{\LARGE\bfseries {{ h }} }\\[12mm]{{ nl }} {{ num }}\\[14mm]{{ l }}\\[8mm]
{\Large\bfseries {{ n }} }\\[8mm]{{ t }}\\[14mm]{{ plc }} {{ day }}\end{center}\end{document}''', **kw)
    elif d.engine == 'typst':
        d.typ('''#set page(paper: "a4", margin: 30mm)
#set text(font: "Libertinus Serif", size: 12pt)
#set align(center)
#v(2cm)
#text(size: 18pt)[*{{ h }}*]
#v(1cm)
{{ nl }}: *{{ num }}*
#v(1cm)
{{ l }}
#text(size: 15pt)[*{{ n }}*]

{{ t }}
#v(1cm)
{{ plc }} {{ day }}''', **kw)
    else:
        o = Ops()
        o.r(30, 30, 535, 780, line='#8a6d3b', lw=3).r(38, 38, 519, 764, line='#8a6d3b', lw=.6).t(297, 130,
            head if len(head) < 45 else head[:head.rfind(' ', 0, 45)], 15, 'TB', al='c')
        if len(head) >= 45:
            o.t(297, 150, head[head.rfind(' ', 0, 45) + 1:], 15, 'TB', al='c')
        o.t(297, 210, f'{nl}: {num}', 12, 'T', al='c').t(297, 270, lead, 11, 'T', al='c').t(297, 305, name, 16, 'TB', al='c')
        for i in range(0, len(tail), 70):
            o.t(297, 340 + i / 70 * 18, tail[i:i + 70], 11, 'T', al='c')
        o.t(297, 440, f'{plc} {f(day)}', 11, 'T', al='c').img(235, 560, 130, 70, stamp(['REGISTRAR', 'SEAL'], (150, 40, 40)))
        d.src = o
    d.put(companyName=name, registrationNumber=num).style.update(date='ord')
    d.missing = ['address', 'postCode']
    d.bad_date.append((f(day), '31st June 2021' if cc in ('GB', 'IE') else 'June 31, 2021', 'a day that does not exist'))
    return d.made(day).office('own', 'none', 'Companies House PDF Generator')


@design('COMPANY_REGISTRATION', 'EN')
def company_profile(w):
    cc = w.pick('GB', 'IE', 'CA')
    name, (c, z), st, day = w.firm(cc, 'Logistics', 'Studios', 'Bakeries'), w.place(cc), w.street(cc), w.day(2, 150)
    num = {'GB': w.digits(8, '01'), 'IE': w.digits(6), 'CA': w.digits(7)}[cc]
    f, inc = lambda x: date(x, 'long' if cc != 'CA' else 'iso'), w.day(400, 5000)
    d = Doc(w, cc, 'en', w.pick('chromium', 'weasy', 'weasy', 'docx'), 'under', 'company profile')
    off = [w.person(cc) for _ in range(2)]
    auth = {'GB': 'Companies House', 'IE': 'Companies Registration Office – Company Printout',
        'CA': 'Ministry of Public and Business Service Delivery – Profile Report'}[cc]
    if d.engine == 'docx':
        d.src = [('b', auth), ('h', name), ('tab', [['Company number', num], ['Registered office address', f'{st}\n{c}\n{z}'], ['Company status',
            'Active'], ['Company type', 'Private limited company'], ['Incorporated on', f(inc)]]), ('b', 'Officers'), ('p',
            '\n'.join(x.full + ', Director' for x in off)), ('p', f'Report date: {f(day)}')]
    else:
        d.html('''<style>@page{size:A4;margin:16mm}body{font:11pt "Liberation
    Sans"}dt{font-size:9pt;color:#555;margin-top:3mm}dd{margin:0;font-weight:bold}</style><body><div style="border-bottom:3pt solid #1d70b8">{{ a
    }}</div><h1 style="font-size:18pt">{{ n }}</h1><p>Company number <b>{{ num }}</b></p><dl><dt>Registered office address<dd>{{ st }}, {{ c }}, {{ z
    }}<dt>Company status<dd>Active
        <dt>Company type<dd>Private limited Company<dt>Incorporated on<dd>{{ inc }}<dt>Nature of business (SIC)<dd>{{ sic }}</dl><h3>Officers</h3>{% for x
    in off %}<p>{{ x.rev }} — Director</p>{% endfor %}<p style="font-size:8pt">Information correct at {{ d }}</p>''', a=auth, n=name, num=num, st=st, c=c,
        z=z, inc=f(inc), sic='10710 - Manufacture of bread', off=off, d=f(day))
    d.put(companyName=name, registrationNumber=num, address=st, postCode=z, city=c).style.update(date='long')
    d.bad_date.append((f(inc), f(day + dt.timedelta(100)), 'incorporated after the day of the report'))
    return d.made(day)


# ---------------------------------------------------------------- insurance certificates

@design('INSURANCE_CERTIFICATE', 'FR')
def ins_home(w):
    p, ins, day = w.person('FR'), w.pick('Mutuelle Garonnaise', 'Assurances Brennor', 'Prévalys'), w.day(3, 300)
    end, num = day + dt.timedelta(365), w.pick(w.digits(9), 'MRH' + w.digits(7), w.digits(4) + ' ' + w.digits(6) + ' ' + w.letters(1))
    f = lambda x: date(x, 'long' if w.s else '/', 'fr')
    w.s = w.pick(0, 1)
    d = Doc(w, 'FR', 'fr', w.pick('weasy', 'docx', 'latex', 'reportlab', 'weasy'), 'prose', 'home cover')
    kw = dict(i=ins, p=p, n=num, a=f(day), b=f(end), t=w.pick('locataire', 'propriétaire occupant'), r=w.r.randint(1, 6))
    if d.engine == 'docx':
        d.src = [('b', ins), ('h', 'Attestation d’assurance habitation', 'c'), ('p',
            f'{ins}, entreprise régie par le code des assurances, atteste que {p.civ} {p.full} a souscrit un contrat multirisque habitation n° {num}.'),
            ('p', f'Adresse du risque : {p.street}, {p.zip} {p.city}'),
                 ('p', f'Qualité de l’assuré : {kw["t"]}. Nombre de pièces : {kw["r"]}.'), ('tab', [['Responsabilité civile vie privée', 'Oui'],
                 ['Risques locatifs', 'Oui'], ['Dégâts des eaux', 'Oui']]), ('p', f'La présente attestation est valable du {f(day)} au {f(end)}.'),
                 ('right', 'Le directeur général')]
    elif d.engine == 'latex':
        d.tex(r'''\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}\usepackage[margin=25mm]{geometry}
\pagestyle{empty}\setlength{\parindent}{0pt}\begin{document}
\textsf{\textbf{\LARGE {{ i }} }}\vspace{10mm}
\hfill\begin{minipage}{70mm}{{ p.civ }} {{ p.full }}\\{{ p.street }}\\{{ p.zip }} {{ p.city }}\end{minipage}\vspace{12mm}

\begin{center}\fbox{\textbf{ATTESTATION D'ASSURANCE}}\end{center}\vspace{6mm}Contrat n\textsuperscript{o} : {{ n }}\medskip

Nous attestons garantir, en qualité de {{ t }}, le logement de {{ r }} pièces désigné ci-dessus, contre l'incendie, l'explosion et les dégâts des eaux,
ainsi que la responsabilité civile.\medskip

Période de validité : du {{ a }} au {{ b }}.\end{document}''', **kw)
    elif d.engine == 'weasy':
        d.html('''<style>@page{size:A4;margin:20mm}body{font:10.5pt "Open Sans"}.b{border:1pt solid #1565c0;border-radius:3mm;padding:4mm}</style><body><h2
    style="color:#1565c0">{{ i }}</h2><p style="margin-left:90mm">{{ p.civ }} {{ p.full }}<br>{{ p.street }}<br>{{ p.zip }} {{ p.city }}</p><h3>Attestation
    d’assurance Multirisque Habitation</h3><div class=b>N° de contrat : <b>{{ n }}</b><br>Date d’effet : {{ a }}<br>
        Prochaine échéance : {{ b }}<br>Qualité : {{ t }}</div><p>Cette attestation, délivrée pour valoir ce que de droit, n’engage l’assureur que dans les
    limites des conditions du contrat.</p>''', **kw)
    else:
        o, A = Ops(), w.pick('H', 'K', 'L')
        o.img(36, 30, 44, 44, logo(w.r.randint(0, 999))).t(90, 58, ins, 15, A + 'B').t(297, 130, 'ATTESTATION D’ASSURANCE', 14, A + 'B', al='c').t(297,
            146, 'Responsabilité civile – Risques locatifs', 10, A, al='c')
        for i, (k, v) in enumerate([('Souscripteur', f'{p.civ} {p.full}'), ('Adresse assurée', p.street), ('', f'{p.zip} {p.city}'), ('Contrat', num),
        ('Période', f'du {f(day)} au {f(end)}')]):
            o.t(60, 190 + i * 22, k, 9, A, '#666666').t(190, 190 + i * 22, v, 10.5, A)
        o.img(360, 330, 150, 78, stamp([ins.split()[0].upper(), 'AGENCE']))
        d.src = o
    d.person(p).put(policyNumber=num, issuer=ins, postCode=p.zip, city=p.city).style.update(date='long' if w.s else '/')
    d.bad_date.append((f(end), f(day - dt.timedelta(200)), 'cover ends before it begins'))
    return d.made(day)


@design('INSURANCE_CERTIFICATE', 'FR')
def ins_car(w):
    from d_ident import CARS, plate
    p, ins, day = w.person('FR'), w.pick('Mutuelle Garonnaise', 'Autossur', 'La Vigilante'), w.day(3, 300)
    end, num, (mk, md) = day + dt.timedelta(365), w.digits(8) + w.letters(1), w.pick(CARS)
    f = lambda x: date(x, '/')
    o = Ops(595, 420)
    o.r(20, 20, 555, 380, line='#2e7d32', lw=1.5).r(20, 20, 555, 34, fill='#c8e6c9').t(30, 42, 'MÉMO VÉHICULE ASSURÉ – attestation d’assurance automobile',
        12, 'HB').t(565, 42, ins, 11, 'HB', al='r')
    for i, (k, v) in enumerate([('Assureur', ins), ('N° de contrat', num), ('Souscripteur', p.rev), ('Adresse', p.street), ('', f'{p.zip} {p.city}'),
    ('Immatriculation', plate(w, 'FR')), ('Véhicule', f'{mk} {md}'), ('Valable du', f'{f(day)} 00:00'), ('au', f'{f(end)} 24:00')]):
        o.t(40, 90 + i * 26, k, 8, 'H', '#2e7d32').t(170, 90 + i * 26, v, 11, w.pick('H', 'H', 'HB'))
    o.t(40, 380, 'Ce document atteste de la souscription d’un contrat d’assurance au sens de l’article R. 211-14 du code des assurances.', 7)
    d = Doc(w, 'FR', 'fr', w.pick('reportlab', 'fpdf', 'mupdf'), 'colon', 'car cover')
    d.person(p, last=p.LAST).put(policyNumber=num, issuer=ins, postCode=p.zip, city=p.city).style.update(date='/')
    d.bad_date.append((f(end), f(day - dt.timedelta(100)), 'cover ends before it begins'))
    d.src = o
    return d.made(day).office(*PRODUCERS)


@design('INSURANCE_CERTIFICATE', 'BC')
def ins_bc(w):
    cc = w.pick('BE', 'CH', 'QC')
    p, day = w.person(cc), w.day(3, 300)
    ins = {'BE': 'Assurances Sambre & Meuse', 'CH': 'Helvorane Assurances SA', 'QC': 'Promutuelle Boréale'}[cc].replace(' & ', ' et ')
    num, ds = w.pick('P', 'T') + w.digits(8), {'BE': '/', 'CH': '.', 'QC': 'iso'}[cc]
    f, end = lambda x: date(x, ds), day + dt.timedelta(365)
    d = Doc(w, 'CA' if cc == 'QC' else cc, 'fr', w.pick('typst', 'lohtml', 'weasy'), 'table', 'cover ' + cc)
    kw = dict(i=ins, p=p, n=num, a=f(day), b=f(end), t={'BE': 'Attestation d’assurance incendie et RC familiale',
        'CH': 'Attestation de couverture – RC privée et ménage', 'QC': 'Certificat d’assurance habitation'}[cc])
    if d.engine == 'typst':
        d.typ('''#set page(paper: "a4")
#set text(font: "Open Sans", size: 10.5pt)
#rect(width: 100%, fill: rgb("#fde0dc"), inset: 8pt)[#text(14pt)[*{{ i }}*]]
= {{ t }}
#table(columns: (5cm, 1fr), stroke: none, [Police n°], [{{ n }}], [Preneur d’assurance], [{{ p.full }}], [Adresse], [{{ p.street }}, {{ p.zip }} {{ p.city
}}], [Début], [{{ a }}], [Fin], [{{ b }}])
La compagnie certifie que les primes sont payées à ce jour.''', **kw)
    else:
        d.html('''<style>@page{size:A4;margin:20mm}</style><body style="font-family:Carlito;font-size:11pt"><p><b>{{ i }}</b></p><p>{{ p.civ }} {{ p.full
    }}<br>{{ p.street }}<br>{{ p.zip }} {{ p.city }}</p><h2>{{ t }}</h2><table cellpadding="5"><tr><td>Numéro de police</td><td>{{ n
    }}</td></tr><tr><td>Valable du</td><td>{{ a }}</td></tr><tr><td>Valable au</td><td>{{ b }}</td></tr>
        <tr><td>Somme assurée</td><td>5 millions</td></tr></table><p>Attestation établie à la demande du preneur d’assurance.</p>''', **kw)
    d.person(p).put(policyNumber=num, issuer=ins, postCode=p.zip, city=p.city).style.update(date=ds)
    d.bad_date.append((f(end), f(day - dt.timedelta(10)), 'cover ends before it begins'))
    return d.made(day)


@design('INSURANCE_CERTIFICATE', 'EN')
def ins_motor(w):
    from d_ident import CARS, plate
    cc = w.pick('GB', 'GB', 'IE')
    p, ins, day = w.person(cc), w.pick('Admiralgate Insurance', 'Pennine Mutual', 'Celtic Shield Insurance', 'Harbour & Hythe Insurance'), w.day(3, 320)
    end, num, pl = day + dt.timedelta(365), w.pick(w.letters(2) + '/' + w.digits(8), w.digits(10), 'PM-' + w.digits(4) + '-' + w.digits(4)), plate(w, cc)
    f = lambda x: date(x, 'long')
    d = Doc(w, cc, 'en', w.pick('weasy', 'docx', 'typst', 'mupdf'), 'numbered', 'motor certificate')
    it = [('Registration mark of vehicle', pl), ('Name of policyholder', f'{p.civ} {p.full}'), ('Effective date of the commencement of insurance',
        '00:01 hours on ' + f(day)), ('Date of expiry of insurance', '23:59 hours on ' + f(end)),
          ('Persons or classes of persons entitled to drive', 'The policyholder. Any other driver named in the schedule.'), ('Limitations as to use',
          'Social, domestic and pleasure purposes including commuting.')]
    addr = f'{p.street}, {p.city}, {p.zip}'
    if d.engine == 'docx':
        d.src = [('b', ins), ('h', 'Certificate of Motor Insurance'), ('p', f'Certificate / policy number: {num}'), ('p', addr)] + [('p',
            f'{i + 1}. {k}\n     {v}') for i, (k, v) in enumerate(it)] + [('p',
            'I hereby certify that the policy to which this certificate relates satisfies the requirements of the relevant law.')]
    elif d.engine == 'typst':
        d.typ('''#set page(paper: "a4", margin: 22mm)
#set text(font: "Lato", size: 10.5pt)
#text(16pt, fill: rgb("#6a1b9a"))[*{{ ins }}*] #h(1fr) Policy number *{{ n }}*
= Certificate of Motor Insurance
{{ ad }}
{% for k,v in it %}

+ {{ k }}: *{{ v }}*
{% endfor %}

_Authorised insurer_''', ins=ins, n=num, ad=addr, it=it)
    elif d.engine == 'weasy':
        d.html('''<style>@page{size:A4;margin:18mm}body{font:10pt "Liberation Sans"}li{margin:3mm 0}</style><body><table width="100%"><tr><td
    style="font-size:16pt;color:#0d47a1"><b>{{ ins }}</b><td style="text-align:right">Policy No. <b>{{ n }}</b></table><h2>CERTIFICATE OF MOTOR
    INSURANCE</h2><p>{{ ad }}</p><ol>{% for k,v in it %}<li>{{ k }}<br><b>{{ v }}</b>{% endfor %}</ol><p>Signed on behalf of the authorised insurer</p>''',
        ins=ins, n=num, ad=addr, it=it)
    else:
        o = Ops()
        o.r(30, 30, 535, 50, fill='#e8eaf6').t(44, 62, ins, 18, 'PB').t(44, 110, 'CERTIFICATE OF MOTOR INSURANCE', 13, 'PB').t(44, 132,
            'Policy number: ' + num, 10, 'P').t(44, 150, addr, 10, 'P')
        for i, (k, v) in enumerate(it):
            o.t(44, 185 + i * 36, f'{i + 1}. {k}', 8, 'P', '#555555').t(56, 200 + i * 36, v, 10, 'PB')
        d.src = o
    d.person(p).put(policyNumber=num, issuer=ins, postCode=p.zip, city=p.city).style.update(date='long')
    d.bad_date.append((f(end), f(day - dt.timedelta(300)), 'expires before it commences'))
    return d.made(day)


@design('INSURANCE_CERTIFICATE', 'EN')
def ins_us(w):
    from d_ident import CARS, vin
    cc = w.pick('US', 'CA')
    p, ins, day = w.person(cc), w.pick('Great Basin Casualty', 'Liberty Elm Insurance', 'Northern Loon Mutual'), w.day(3, 170)
    end, num, (mk, md) = day + dt.timedelta(182), w.pick(w.digits(9), w.letters(3) + ' ' + w.digits(7)), w.pick(CARS)
    f = lambda x: date(x, 'us') if cc == 'US' else date(x, 'iso')
    o = Ops(612, 300 if w.pick(0, 1) else 792)
    col = '#f8bbd0' if cc == 'CA' else w.pick('#e3f2fd', '#ffffff', '#fff8e1')
    o.r(40, 30, 532, 240, fill=col, line='#444444').t(306, 52, 'EVIDENCE OF LIABILITY INSURANCE' if cc == 'US' else
        'MOTOR VEHICLE LIABILITY INSURANCE CARD (CANADA)', 12, 'HB', al='c')
    for x, y, k, v in [(52, 80, 'COMPANY', ins), (330, 80, 'POLICY NUMBER', num), (52, 115, 'EFFECTIVE DATE', f(day)), (330, 115, 'EXPIRATION DATE',
    f(end)), (52, 150, 'YEAR / MAKE / MODEL', f'{w.r.randint(2014, 2025)} {mk} {md}'), (330, 150, 'VIN', vin(w))]:
        o.t(x, y, k, 6.5).t(x, y + 13, v, 10.5, 'HB')
    o.t(52, 185, 'NAMED INSURED AND ADDRESS', 6.5).ts(52, 199, [p.full, p.street, f'{p.city} {p.zip}'], 10, 'H').t(52, 258,
        'THIS CARD MUST BE KEPT IN THE INSURED VEHICLE AND PRESENTED UPON DEMAND', 7, 'HB')
    d = Doc(w, cc, 'en', w.pick('reportlab', 'fpdf', 'mupdf'), 'under', 'insurance card')
    d.person(p).put(policyNumber=num, issuer=ins, postCode=p.zip, city=p.city.split(',')[0]).style.update(date='us')
    d.bad_date.append((f(end), f(day - dt.timedelta(182)), 'expires before it is effective'))
    d.src = o
    return d.made(day).office('own', 'none')
