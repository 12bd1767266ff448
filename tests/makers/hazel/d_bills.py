"""Invoices and proofs of address: each function is a design of its own."""
import datetime as dt
from decimal import Decimal

from base import Doc, design
from engines import Ops, data_uri, logo, signature, stamp
from world import date, money, q2

PRODUCERS = ('own', 'own', 'none', 'iText 2.1.7 by 1T3XT', 'Apache FOP Version 2.6', 'OpenText Exstream Version 16.3.2', 'PDFlib+PDI 9.3.1 (JDBC)',
             'Compart MFFPDF I/O Filter 5.9', 'Crystal Reports', 'SAP NetWeaver 7.50', 'Acrobat Distiller 5.0.5 (Windows)', 'Quadient CXM AG')


def lines_of(w, goods, n, lo=20, hi=480):
    out = []
    for name in w.r.sample(goods, n):
        q, u = w.r.randint(1, 6), w.amount(lo, hi)
        out.append((name, q, u, q2(q * u)))
    return out


def total_forge(d, printed, value, style, what='total to be paid', cur=''):
    """A total that is raised or lowered while the lines stay."""
    w = d.w
    other = q2(value + Decimal(w.pick(100, 200, -100, 90)) if value > 300 else value + Decimal(w.pick(9, 20, 50)))
    d.bad_sum.append((printed, printed.replace(money(value, style), money(other, style)), what))


# ---------------------------------------------------------------- French invoices

@design('INVOICE', 'FR')
def inv_artisan(w):
    """A builder's invoice out of a word processor: two rates of tax, deposit taken off."""
    p, seller, day = w.person('FR'), w.firm('FR', 'Plomberie', 'Couverture', 'Rénovation', 'Chauffage'), w.day(20, 500)
    siren, (c, z) = w.siren(), w.place('FR')
    ls = lines_of(w, ['Dépose ancienne chaudière', 'Fourniture chaudière à condensation', 'Main d’œuvre (heures)', 'Raccordement évacuation',
        'Robinet thermostatique',
                      'Tuyau cuivre 14/16 (ml)', 'Déplacement'], w.r.randint(3, 5))
    a = sum((x[3] for x in ls[:-1]), Decimal(0))
    b = ls[-1][3]
    v1, v2 = q2(a * Decimal('.055')), q2(b * Decimal('.20'))
    tot, dep = a + b + v1 + v2, q2((a + b) * Decimal('.3'))
    due, m = tot - dep, (lambda v: money(v, 'fr') + ' €')
    num, iban = f'F{day.year}-{w.digits(3)}', w.iban('FR')
    st = w.street('FR')
    d = Doc(w, 'FR', 'fr', 'docx', 'table', 'artisan, word processor')
    d.src = [('b', seller), ('p', f'{st} – {z} {c}\nSIRET {w.siret(siren)} – TVA {w.frvat(siren)}\nAssurance décennale Brennor n° {w.digits(8)}'),
             ('right', f'{p.civ} {p.full}\n{p.street}\n{p.zip} {p.city}'), ('h', f'Facture n° {num}'), ('p',
             f'Date : {date(day, "/")}        Échéance : {date(day + dt.timedelta(30), "/")}'),
             ('tab', [['Désignation', 'Qté', 'P.U. HT', 'TVA', 'Total HT']] + [[n, q, m(u), '20 %' if i == len(ls) - 1 else '5,5 %', m(t)] for i, (n, q, u,
             t) in enumerate(ls)]),
             ('right', f'Total HT : {m(a + b)}\nTVA 5,5 % : {m(v1)}\nTVA 20 % : {m(v2)}\nTotal TTC : {m(tot)}\nAcompte versé : -{m(dep)}'), ('b',
             f'Net à payer : {m(due)}'),
             ('p', f'Règlement par virement : IBAN {w.grp(iban)}'), ('p',
             'En cas de retard de paiement, indemnité forfaitaire de 40 €. Pas d’escompte pour paiement anticipé.')]
    d.put(invoiceNumber=num, issueDate=(date(day, '/'), day), totalAmount=(m(due), due), issuer=seller, iban=w.grp(iban)).style.update(date='/', money='fr')
    d.sums += [([x[3] for x in ls] + [v1, v2, -dep], due)]
    total_forge(d, m(due), due, 'fr')
    d.bad_date.append((date(day + dt.timedelta(30), '/'), date(day - dt.timedelta(45), '/'), 'due before the invoice was made'))
    return d.made(day)


@design('INVOICE', 'FR')
def inv_micro(w):
    """A freelancer's page without VAT."""
    me, cli, day, cli_at = w.person('FR'), w.firm('FR', 'Conseil', 'Studio', 'Édition'), w.day(15, 600), w.place('FR')
    ls = lines_of(w, ['Création de logo', 'Maquette brochure 16 p.', 'Retouche photo', 'Journée de formation', 'Rédaction article', 'Intégration web'],
        w.r.randint(1, 4), 60, 400)
    tot, m, siren = sum(x[3] for x in ls), (lambda v: money(v, 'fr') + ' €'), w.siren()
    disc = q2(tot * Decimal('.05')) if len(ls) > 1 else Decimal(0)
    num, iban = f'{day:%Y%m}-{w.r.randint(1, 60):02d}', w.iban('FR')
    d = Doc(w, 'FR', 'fr', w.pick('weasy', 'chromium'), 'colon', 'freelancer')
    col = w.pick('#c2185b', '#00796b', '#37474f', '#e65100')
    d.html('''<style>@page{size:A4;margin:0}body{font:10.5pt "Lato";margin:0;padding:22mm 20mm}h1{font-size:32pt;font-weight:300;color:{{ col }};margin:0}
    .two{display:flex;justify-content:space-between;margin:10mm 0}.ln{display:flex;border-bottom:.5pt dotted #999;padding:2.5mm 0}.ln span:first-child{flex:1}
    .tot{font-size:16pt;text-align:right;margin-top:8mm;color:{{ col
    }}}footer{position:fixed;bottom:12mm;font-size:8pt;color:#777}</style><body><h1>facture</h1>
    <div class="two"><div><b>{{ me.full }}</b><br>Graphiste indépendant(e)<br>{{ me.street }}<br>{{ me.zip }} {{ me.city }}<br>SIRET {{ sir
    }}</div><div>Pour :<br><b>{{ cli }}</b><br>{{ cs }}<br>{{ cz }} {{ cc }}</div></div>
    <p>Facture n° : <b>{{ num }}</b> &nbsp;—&nbsp; Émise le : {{ day }}</p>{% for n,q,u,t in ls %}<div class="ln"><span>{{ n }}</span><span>{{ q }} × {{
    m(u) }}&emsp;</span><span>{{ m(t) }}</span></div>{% endfor %}
    {% if disc %}<div class="ln"><span>Remise fidélité 5 %</span><span>-{{ m(disc) }}</span></div>{% endif %}
    <div class="tot">À régler : {{ m(due) }}</div><p style="font-size:9pt">TVA non applicable, art. 293 B du CGI.</p><p>IBAN : {{ iban
    }}</p><footer>Paiement à 30 jours. Pénalités de retard : 3 fois le taux légal.</footer>''',
           col=col, me=me, sir=w.siret(siren), cli=cli, cs=w.street('FR'), cz=cli_at[1], cc=cli_at[0], num=num, day=date(day, 'long', 'fr'),
               ls=ls, m=m,
           disc=disc, due=tot - disc, iban=w.grp(iban))
    d.put(invoiceNumber=num, issueDate=(date(day, 'long', 'fr'), day), totalAmount=(m(tot - disc), tot - disc), issuer=me.full,
        iban=w.grp(iban)).style.update(date='long', money='fr')
    d.sums.append(([x[3] for x in ls] + [-disc], tot - disc))
    if len(ls) > 1:
        total_forge(d, m(tot - disc), tot - disc, 'fr')
    return d.made(day)


@design('INVOICE', 'FR')
def inv_erp(w):
    """Wholesaler: narrow print of an old system in fixed columns, carried-over sum on two pages now and then."""
    cli, seller, day = w.firm('FR', 'Boulangerie', 'Garage', 'Hôtel'), w.firm('FR', 'Distribution', 'Fournitures', 'Négoce'), w.day(15, 900)
    (c, z), (c2, z2), siren = w.place('FR'), w.place('FR'), w.siren()
    n = w.r.randint(6, 12)
    ls = [(w.digits(6), w.pick('PALETTE EUR 80x120', 'FILM ETIRABLE 450MM', 'CARTON DC 400x300', 'RUBAN ADHESIF X6', 'GANTS NITRILE T9', 'SAC KRAFT 25KG',
        'ETIQUETTES A4',
           'CUTTER PRO', 'CALAGE BULLES 50M'), w.r.randint(1, 40), w.amount(2, 60)) for _ in range(n)]
    ls = [(*x, q2(x[2] * x[3])) for x in ls]
    ht = sum(x[4] for x in ls)
    rem, port = q2(ht * Decimal('.08')), w.amount(12, 45)
    base = ht - rem + port
    tva = q2(base * Decimal('.2'))
    ttc, num, iban = base + tva, w.digits(8), w.iban('FR')
    o, f, m = Ops(), lambda v: date(v, '/'), lambda v: money(v, 'fr')
    o.img(30, 28, 42, 42, logo(w.r.randint(0, 9999))).t(80, 48, seller, 15, 'NB').t(80, 62,
        f'{w.street("FR")} - {z} {c} - RCS {c.upper()} {siren} - APE 4690Z', 7, 'N')
    o.t(330, 110, cli.upper(), 10, 'C').t(330, 124, w.street('FR').upper(), 10, 'C').t(330, 138, f'{z2} {c2.upper()}', 10, 'C')
    o.r(30, 160, 535, 30, line='#000000')
    for x, k, v in [(36, 'FACTURE N°', num), (140, 'DATE', f(day)), (230, 'CODE CLIENT', 'C' + w.digits(5)), (330, 'V/REF', w.digits(5)), (420,
    'N° TVA INTRA', w.frvat(siren))]:
        o.t(x, 171, k, 6, 'N').t(x, 184, v, 9, 'CB')
    y = 212
    o.t(36, y, 'REF     DESIGNATION                QTE    P.U. HT     MONTANT HT', 8.5, 'CB')
    for i, (ref, nm, q, u, t) in enumerate(ls):
        y += 14
        o.t(36, y, ref, 8.5, 'C').t(80, y, nm, 8.5, 'C').t(250, y, q, 8.5, 'C', al='r').t(320, y, m(u), 8.5, 'C', al='r').t(420, y, m(t), 8.5, 'C', al='r')
        if i == 7 and n > 9:
            part = sum(k[4] for k in ls[:8])
            o.t(36, y + 24, 'A REPORTER', 8.5, 'CB').t(420, y + 24, m(part), 8.5, 'CB', al='r').t(540, 815, '1/2', 8)
            o.page()
            o.t(36, 60, f'FACTURE N° {num}   REPORT', 8.5, 'CB').t(420, 60, m(part), 8.5, 'CB', al='r')
            y = 64
    y = max(y + 40, 300)
    for k, v in [('TOTAL HT BRUT', ht), ('REMISE 8,00 %', -rem), ('PORT', port), ('NET HT', base), ('TVA 20,00 %', tva), ('NET A PAYER EUR', ttc)]:
        o.t(330, y, k, 9, 'CB' if 'PAYER' in k else 'C').t(540, y, m(v), 9, 'CB' if 'PAYER' in k else 'C', al='r')
        y += 14
    due = day + dt.timedelta(45)
    o.t(36, y + 20, f'REGLEMENT : LCR 45 JOURS   ECHEANCE {f(due)}', 9, 'C').t(36, y + 36, f'BANQUE : IBAN {w.grp(iban)}  BIC {w.bic("FR")}', 9, 'C')
    o.t(36, 800, 'Réserve de propriété : loi n° 80-335. Escompte pour paiement comptant : néant. Indemnité de recouvrement : 40 euros.', 6.5, 'N')
    d = Doc(w, 'FR', 'fr', w.pick('reportlab', 'fpdf', 'mupdf'), 'columns', 'old system')
    d.put(invoiceNumber=num, issueDate=(f(day), day), totalAmount=(m(ttc), ttc), issuer=seller, iban=w.grp(iban)).style.update(date='/', money='fr')
    d.sums += [([x[4] for x in ls] + [-rem, port, tva], ttc)]
    total_forge(d, m(ttc), ttc, 'fr')
    d.bad_date.append((f(due), f(day - dt.timedelta(45)), 'due before the invoice was made'))
    d.src = o
    return d.made(day).office(*PRODUCERS)


@design('INVOICE', 'FR')
def inv_shop(w):
    """Order on a web shop, or its credit note."""
    p, seller, day = w.person('FR'), w.firm('FR', 'Mobilier', 'Cycles', 'Électroménager'), w.day(5, 700)
    ls = lines_of(w, ['Table basse chêne', 'Vélo pliant 20"', 'Casque urbain M', 'Lampe de bureau', 'Aspirateur traîneau', 'Chaise pliante',
        'Garantie 3 ans'], w.r.randint(2, 4), 9, 300)
    port, ttc_l = Decimal('6.90'), sum(x[3] for x in ls)
    ttc = ttc_l + port
    ht = q2(ttc / Decimal('1.2'))
    num, m, siren = 'FA' + w.digits(9), (lambda v: money(v, 'fr') + ' €'), w.siren()
    sig, at = w.street('FR'), w.place('FR')
    d = Doc(w, 'FR', 'fr', w.pick('weasy', 'weasy', 'chromium'), 'table', 'web shop')
    d.html('''<style>@page{size:A4;margin:15mm;@bottom-right{content:"page " counter(page) " / " counter(pages);font:7pt "DejaVu Serif"}}body{font:9pt
    "Open Sans"}table{width:100%;border-collapse:collapse}
    th{background:#222;color:#fff;text-align:left;padding:2mm}td{padding:2mm;border-bottom:.4pt solid
    #ccc}.n{text-align:right}.a{display:flex;justify-content:space-between}</style>
    <body><div class="a"><div><img src="{{ im }}" width="48"><br><b>{{ s }}</b><br>{{ ad }}<br>RCS {{ siren }}</div><div><h2>FACTURE</h2>N° {{ num
    }}<br>Date de facture {{ day }}<br>
    Commande du {{ ord }}</div></div><br><div class="a"><div><b>Adresse de facturation</b><br>{{ p.full }}<br>{{ p.street }}<br>{{ p.zip }} {{ p.city
    }}</div><div><b>Adresse de livraison</b><br>
    Relais Point Colis<br>{{ rs }}<br>{{ p.zip }} {{ p.city }}</div></div><br><table><tr><th>Article<th>Qté<th class=n>Prix unit. TTC<th class=n>Total
    TTC</tr>{% for n,q,u,t in ls %}
    <tr><td>{{ n }}<td>{{ q }}<td class=n>{{ m(u) }}<td class=n>{{ m(t) }}</tr>{% endfor %}<tr><td>Frais de port<td>1<td class=n>{{ m(port) }}<td
    class=n>{{ m(port) }}</tr></table>
    <p class=n>Total HT {{ m(ht) }}<br>dont TVA 20 % {{ m(tva) }}<br>dont éco-participation 0,42 €<br><b>Total TTC {{ m(ttc) }}</b></p><p>Payée par carte
    bancaire le {{ ord }}.</p>''',
           im=data_uri(logo(w.r.randint(0, 9999))), s=seller, ad=f'{w.street("FR")}, {at[1]} {at[0]}', siren=w.grp(siren, 3),
               num=num, day=date(day, '/'),
           ord=date(day - dt.timedelta(2), '/'), p=p, rs=sig, ls=ls, m=m, port=port, ht=ht, tva=ttc - ht, ttc=ttc)
    d.put(invoiceNumber=num, issueDate=(date(day, '/'), day), totalAmount=(m(ttc), ttc), issuer=seller).style.update(date='/', money='fr')
    d.missing = ['iban']
    d.sums += [([x[3] for x in ls] + [port], ttc)]
    total_forge(d, m(ttc), ttc, 'fr')
    return d.made(day)


@design('INVOICE', 'FR')
def inv_latex(w):
    """An architect or a translator who sets the pages with LaTeX."""
    me, cli, day = w.person('FR'), w.person('FR'), w.day(10, 700)
    h, r = w.r.randint(6, 60), w.pick(48, 65, 72, 90)
    ht, fr = Decimal(h * r), w.amount(10, 90)
    tva = q2((ht + fr) * Decimal('.2'))
    ttc, m = ht + fr + tva, (lambda v: money(v, 'fr') + ' €')
    num, iban = f'{day.year}/{w.r.randint(1, 99):03d}', w.iban('FR')
    d = Doc(w, 'FR', 'fr', 'latex', 'prose', 'LaTeX')
    d.tex(r'''\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage[french]{babel}\usepackage{lmodern,eurosym,geometry}
\geometry{margin=25mm}\pagestyle{empty}\setlength{\parindent}{0pt}\begin{document}\textbf{\large {{ me.full }}}\\Traductions et relecture\\{{ me.street
}}\\{{ me.zip }} {{ me.city }}\\SIRET {{ sir }} \hfill {{ me.city }}, le {{ day }}

\vspace{12mm}\hspace{90mm}\begin{minipage}{60mm}{{ cli.civ }} {{ cli.full }}\\{{ cli.street }}\\{{ cli.zip }} {{ cli.city }}\end{minipage}\vspace{12mm}

\textbf{Note d'honoraires n\textsuperscript{o} {{ num }}}\bigskip

Relecture d'un manuscrit : {{ h }} heures à {{ r }} € de l'heure, soit {{ a }} hors taxes, auxquels s'ajoutent {{ f }} de frais d'envoi.
La taxe sur la valeur ajoutée au taux de 20~\% s'élève à {{ t }}.\bigskip

\begin{tabular}{lr}Honoraires & {{ a }}\\Frais & {{ f }}\\TVA 20~\% & {{ t }}\\\hline\textbf{Montant dû} & \textbf{ {{ x }} }\end{tabular}\bigskip

Vous voudrez bien virer cette somme sur le compte {{ iban }} avant le {{ due }}.\vfill\small Membre d'une association agréée, le règlement des honoraires
par chèque est accepté.\end{document}'''.replace(
        '€ de', r'\euro{} de'), me=me, sir=w.siret(w.siren()), day=date(day, 'long', 'fr'), cli=cli, num=num, h=h, r=r, a=m(ht), f=m(fr), t=m(tva),
        x=m(ttc), iban=w.grp(iban),
          due=date(day + dt.timedelta(30), 'long', 'fr'))
    d.put(invoiceNumber=num, issueDate=(date(day, 'long', 'fr'), day), totalAmount=(m(ttc), ttc), issuer=me.full,
        iban=w.grp(iban)).style.update(date='long', money='fr')
    d.sums.append(([ht, fr, tva], ttc))
    total_forge(d, m(ttc), ttc, 'fr')
    d.bad_date.append((date(day + dt.timedelta(30), 'long', 'fr'), date(day - dt.timedelta(20), 'long', 'fr'), 'to be paid before it was written'))
    return d.made(day)


# ---------------------------------------------------------------- invoices in English

@design('INVOICE', 'EN')
def inv_uk_ltd(w):
    cc = w.pick('GB', 'GB', 'IE')
    seller, cli, day = w.firm(cc, 'Joinery', 'Catering', 'IT Services', 'Landscapes', 'Electrical'), w.firm(cc, 'Lettings', 'Hotels', 'Foods'), w.day(10, 600)
    cur, vr = ('£', Decimal('.20')) if cc == 'GB' else ('€', Decimal('.23'))
    ls = lines_of(w, ['Site survey', 'Labour (days)', 'Skip hire', 'Oak worktop, oiled', 'Network cabinet 12U', 'Call-out', 'Materials as per quote',
        'Disposal of waste'], w.r.randint(2, 5))
    net = sum(x[3] for x in ls)
    cis = q2(net * Decimal('.2')) if cc == 'GB' and w.pick(0, 0, 1) else Decimal(0)
    vat = q2(net * vr)
    tot, m = net + vat - cis, (lambda v: cur + money(v, 'en'))
    num, ib, f = f'{w.pick("INV-", "SI-", "")}{w.digits(5)}', w.iban(cc), lambda x: date(x, w.style_)
    w.style_ = w.pick('long', 'short', '/')
    d = Doc(w, cc, 'en', w.pick('weasy', 'chromium', 'weasy', 'lohtml'), 'table', 'limited company')
    (c, z), (c2, z2) = w.place(cc), w.place(cc)
    term, sc = w.pick(14, 30), ib[8:14]
    d.html('''<style>@page{size:A4;margin:18mm}body{font-family:"{{ ft }}";font-size:10pt}table{width:100%;border-collapse:collapse}.g td,.g
    th{border-bottom:1px solid {{ col }};padding:4px;text-align:left}</style>
    <body><table><tr><td><font size="5" color="{{ col }}"><b>{{ s }}</b></font><br>{{ a1 }}<br>{{ c }}<br>{{ z }}</td><td align="right"><font size="5">{{
    ttl }}</font></td></tr></table><br>
    <table><tr><td valign="top">Bill to<br><b>{{ cli }}</b><br>{{ a2 }}<br>{{ c2 }} {{ z2 }}</td><td><table><tr><td>Invoice number</td><td><b>{{ num
    }}</b></td></tr><tr><td>Invoice date</td>
    <td>{{ day }}</td></tr><tr><td>Due date</td><td>{{ due }}</td></tr><tr><td>Your PO</td><td>{{ po }}</td></tr></table></td></tr></table><br><table
    class="g"><tr><th>Description</th><th>Qty</th>
    <th>Unit price</th><th>VAT</th><th>Amount {{ cur }}</th></tr>{% for n,q,u,t in ls %}<tr><td>{{ n }}</td><td>{{ q }}</td><td>{{ m(u) }}</td><td>{{ vr
    }}%</td><td>{{ m(t) }}</td></tr>{% endfor %}</table>
    <table><tr><td width="60%"></td><td>Subtotal</td><td align="right">{{ m(net) }}</td></tr><tr><td></td><td>VAT @ {{ vr }}%</td><td align="right">{{
    m(vat) }}</td></tr>
    {% if cis %}<tr><td></td><td>Less CIS deduction 20%</td><td align="right">-{{ m(cis) }}</td></tr>{% endif %}<tr><td></td><td><b>Total due</b></td><td
    align="right"><b>{{ m(tot) }}</b></td></tr></table>
    <p>Please pay by bank transfer: {{ "Sort code " ~ sc ~ ", account no. " ~ ac ~ "," if gb else "" }} IBAN {{ ib }}. Terms {{ term }} days.</p><p><font
    size="1">Registered in {{ "England and Wales" if gb else "Ireland" }} no. {{ reg }}. VAT reg. {{ vn }}</font></p>''',
           ft=w.pick('Liberation Sans', 'Carlito', 'Liberation Serif', 'Roboto'), col=w.pick('#1f4e79', '#548235', '#7f3f00', '#444444'), s=seller,
           a1=w.street(cc), c=c, z=z,
           ttl=w.pick('INVOICE', 'Tax invoice', 'VAT INVOICE'), cli=cli, a2=w.street(cc), c2=c2, z2=z2, num=num, day=f(day),
               due=f(day + dt.timedelta(term)), po=w.digits(6), cur=cur, ls=ls,
           m=m, vr=int(vr * 100), net=net, vat=vat, cis=cis, tot=tot, gb=cc == 'GB', sc=f'{sc[:2]}-{sc[2:4]}-{sc[4:]}', ac=ib[14:], ib=w.grp(ib),
               term=term, reg=w.digits(8, '01'),
           vn=w.gbvat() if cc == 'GB' else 'IE' + w.pps()[:8])
    d.put(invoiceNumber=num, issueDate=(f(day), day), totalAmount=(m(tot), tot), issuer=seller, iban=w.grp(ib)).style.update(date=w.style_, money='en')
    d.sums.append(([x[3] for x in ls] + [vat, -cis], tot))
    total_forge(d, m(tot), tot, 'en')
    d.bad_date.append((f(day + dt.timedelta(term)), f(day - dt.timedelta(33)), 'due before the invoice was made'))
    return d.made(day)


@design('INVOICE', 'EN')
def inv_us(w):
    ca = w.pick(False, False, True)
    cc = 'CA' if ca else 'US'
    p, seller, day = w.person(cc), w.firm(cc, 'HVAC', 'Auto Repair', 'Roofing', 'Moving'), w.day(10, 600)
    ls = lines_of(w, ['Labor, per hour', 'Brake pads, front', 'Diagnostic fee', 'Refrigerant R-410A', 'Shop supplies', 'Filter replacement',
        'Truck and two men, hours'], w.r.randint(2, 5), 15, 260)
    sub = sum(x[3] for x in ls)
    tax = [('GST 5%', q2(sub * Decimal('.05'))), ('PST 7%', q2(sub * Decimal('.07')))] if ca else [(f'Sales tax {w.pick("8.25", "7.00", "6.50")}%', None)]
    if not ca:
        tax = [(tax[0][0], q2(sub * Decimal(tax[0][0].split()[2][:-1]) / 100))]
    dep = Decimal(w.pick(0, 50, 100))
    tot, num, st = sub + sum(t for _, t in tax) - dep, w.digits(w.pick(4, 5, 6)), w.pick('us', 'uslong') if not ca else 'iso'
    f, m = lambda x: date(x, st), lambda v: '$' + money(v, 'en')
    o = Ops(612, 792)
    (c, z), ft, colr = w.place(cc), w.pick('H', 'K', 'T', 'L'), w.pick('#b71c1c', '#0d47a1', '#1b5e20', '#333333')
    B = ft + 'B'
    o.r(0, 0, 612, 8, fill=colr).t(40, 50, seller, 18, B, colr).ts(40, 66, [w.street(cc), f'{c} {z}', f'({w.digits(3)}) 555-0{w.digits(3)}'], 9, ft)
    o.t(572, 50, 'INVOICE', 20, B, '#999999', 'r')
    for i, (k, v) in enumerate([('Invoice #', num), ('Date', f(day)), ('Terms', 'Due on receipt')]):
        o.r(400, 66 + i * 18, 172, 18, line='#bbbbbb').t(405, 78 + i * 18, k, 8.5, ft).t(567, 78 + i * 18, v, 9, B, al='r')
    o.t(40, 140, 'BILL TO', 8, B, colr).ts(40, 154, [p.full, p.street, f'{p.city} {p.zip}'], 10, ft)
    rows = [['Description', 'Qty', 'Rate', 'Amount']] + [[n, q, money(u, 'en'), money(t, 'en')] for n, q, u, t in ls]
    y = o.table(40, 220, (300, 60, 80, 92), rows, 9, 18, ft, 'lrrr', '#cccccc', '#e8e8e8')
    for k, v in [('Subtotal', sub)] + tax + ([('Deposit received', -dep)] if dep else []) + [('BALANCE DUE', tot)]:
        o.t(460, y + 8, k, 9 if k[0] != 'B' else 11, ft if k[0] != 'B' else B, al='r').t(570, y + 8, m(v) if v >= 0 else '-' + m(-v),
            9 if k[0] != 'B' else 11, B, al='r')
        y += 18
    o.t(40, 720, 'Thank you for your business! Make checks payable to ' + seller + '.', 9, ft)
    if ca:
        o.t(40, 735, 'GST/HST Registration No. ' + w.sin().replace(' ', '') + ' RT0001', 8, ft)
    d = Doc(w, cc, 'en', w.pick('reportlab', 'fpdf', 'mupdf'), 'boxes', 'small firm')
    d.put(invoiceNumber=num, issueDate=(f(day), day), totalAmount=(m(tot), tot), issuer=seller).style.update(date=st, money='en')
    d.missing = ['iban']
    d.sums.append(([x[3] for x in ls] + [t for _, t in tax] + [-dep], tot))
    total_forge(d, m(tot), tot, 'en')
    d.src = o
    return d.made(day).office('own', 'none', 'Intuit QuickBooks PDF', 'Acrobat Distiller 5.0.5 (Windows)')


@design('INVOICE', 'EN')
def inv_typst(w):
    """A consultant's short note of fees in prose with a small table; sometimes a credit note."""
    cc = w.pick('GB', 'IE')
    me, cli, day = w.person(cc), w.firm(cc, 'Press', 'Insurance Brokers', 'Theatre'), w.day(10, 500)
    n, r = w.r.randint(2, 12), w.pick(320, 410, 475)
    exp_ = w.amount(20, 180)
    tot, cur = n * r + exp_, '£' if cc == 'GB' else '€'
    m, num, ib = (lambda v: cur + money(v, 'en')), f'{me.last[0]}{day:%y}-{w.digits(3)}', w.iban(cc)
    d = Doc(w, cc, 'en', 'typst', 'prose', 'consultant')
    d.typ('''#set page(paper: "a4", margin: 28mm)
#set text(font: "{{ ft }}", size: 11pt)
#align(right)[{{ me.full }} \\ {{ me.street }} \\ {{ me.city }} {{ me.zip }}]
#v(8mm)
{{ cli }} \\ {{ a }} \\ {{ c }} {{ z }}
#v(6mm)
= Invoice {{ num }}
{{ day }}
#v(4mm)
For {{ n }} days of consultancy at {{ r }} a day, and for expenses as attached.
#table(columns: (1fr, auto), stroke: none, inset: 5pt, [Fees, {{ n }} days], align(right)[{{ f }}], [Travel and subsistence], align(right)[{{ e }}],
table.hline(), [*Total payable*], align(right)[*{{ t }}*])
I am not registered for VAT. Kindly pay within thirty days to IBAN {{ ib }}, {{ me.full }}.
#v(12mm)
_With thanks,_ \\ {{ me.first }}''', ft=w.pick('Libertinus Serif', 'Lato', 'DejaVu Serif', 'Liberation Serif'), me=me, cli=cli, a=w.street(cc),
    c=(at := w.place(cc))[0], z=at[1], num=num,
          day=date(day, 'ord'), n=n, r=cur + str(r), f=m(n * r), e=m(exp_), t=m(tot), ib=w.grp(ib))
    d.put(invoiceNumber=num, issueDate=(date(day, 'ord'), day), totalAmount=(m(tot), tot), issuer=me.full, iban=w.grp(ib)).style.update(date='ord',
        money='en')
    d.sums.append(([Decimal(n * r), exp_], tot))
    total_forge(d, m(tot), tot, 'en')
    return d.made(day)


@design('INVOICE', 'BC')
def inv_bc(w):
    """Swiss page with the payment slip below, Belgian one with a structured communication, one of Québec with two taxes."""
    cc = w.pick('CH', 'BE', 'QC')
    seller, p, day = w.firm(cc, 'Menuiserie', 'Garage', 'Jardins', 'Électricité'), w.person(cc), w.day(10, 500)
    ls = lines_of(w, ['Taille de haies', 'Évacuation déchets verts', 'Pose de parquet', 'Vidange et filtres', 'Heures de main-d’œuvre',
        'Fournitures diverses', 'Contrôle tableau'], w.r.randint(2, 4), 25, 220)
    net = sum(x[3] for x in ls)
    st, cur = {'CH': ('ch', 'CHF'), 'BE': ('de', 'EUR'), 'QC': ('qc', '$')}[cc]
    taxes = {'CH': [('TVA 8.1 %', '.081')], 'BE': [('TVA 21 %', '.21')], 'QC': [('TPS 5 %', '.05'), ('TVQ 9,975 %', '.09975')]}[cc]
    taxes = [(k, q2(net * Decimal(v))) for k, v in taxes]
    tot = net + sum(t for _, t in taxes)
    if cc == 'CH':
        adj = (tot * 20).quantize(Decimal(1)) / 20 - tot
        taxes.append(('Arrondi', q2(adj)))
        tot = q2(tot + adj)
    ds = {'CH': '.', 'BE': '/', 'QC': 'iso'}[cc]
    f, m = lambda x: date(x, ds), lambda v: f'{money(v, st)} {cur}' if cc == 'QC' else f'{cur} {money(v, st)}'
    num, (c, z), ads = w.pick('F', 'R-', '') + w.digits(6), w.place(cc), w.street(cc)
    d = Doc(w, 'CA' if cc == 'QC' else cc, 'fr', w.pick('weasy', 'chromium'), 'table', 'slip ' + cc)
    iban = w.grp(w.iban(cc)) if cc != 'QC' else ''
    com = w.digits(10)
    qr = ''
    if cc == 'CH':
        import qrcode
        qr = data_uri(qrcode.make(f'SPC\n0200\n1\n{iban.replace(" ", "")}\nK\n{seller}\n{ads}\n{z} {c}\n\n\nCH\n{tot}\nCHF').convert('RGB'))
    d.html('''<style>@page{size:{{ "Letter" if qc else "A4" }};margin:16mm}body{font:10pt "{{ ft
    }}"}table{width:100%;border-collapse:collapse}td,th{padding:1.5mm;text-align:left}.n{text-align:right}
    .slip{border-top:1px dashed #000;margin-top:14mm;padding-top:3mm;font-size:8pt;display:flex;gap:8mm}</style><body><b style="font-size:14pt">{{ s
    }}</b><br>{{ ads }}, {{ z }} {{ c }}<br>{{ vat }}
    <p style="margin-left:95mm">{{ p.civ }}<br>{{ p.full }}<br>{{ p.street }}<br>{{ p.zip }} {{ p.city }}</p><h3>Facture {{ num }}</h3><p>{{ c }}, le {{
    day }}<br>Payable jusqu’au {{ due }}</p>
    <table><tr style="border-bottom:1pt solid"><th>Prestation<th>Quantité<th class=n>Prix<th class=n>Montant</tr>{% for n,q,u,t in ls %}<tr><td>{{ n
    }}<td>{{ q }}<td class=n>{{ m(u) }}<td class=n>{{ m(t) }}</tr>{% endfor %}
    <tr style="border-top:.5pt solid"><td colspan=3>Sous-total<td class=n>{{ m(net) }}</tr>{% for k,t in taxes %}<tr><td colspan=3>{{ k }}<td class=n>{{
    m(t) }}</tr>{% endfor %}
    <tr><td colspan=3><b>Total à payer</b><td class=n><b>{{ m(tot) }}</b></tr></table>{% if qr %}<div class=slip><div><b>Récépissé</b><br>Compte / Payable
    à<br>{{ iban }}<br>{{ s }}<br>{{ z }} {{ c }}<br><br>Monnaie Montant<br>
    CHF {{ mm }}</div><img src="{{ qr }}" width="150"><div><b>Section paiement</b><br>Compte / Payable à<br>{{ iban }}<br>{{ s }}<br><br>Payable par<br>{{
    p.full }}</div></div>
    {% elif iban %}<p>À verser sur le compte {{ iban }} avec la communication structurée +++{{ com[:3] }}/{{ com[3:7] }}/{{ com[7:] }}{{ k97 }}+++</p>{%
    else %}<p>Chèque à l’ordre de {{ s }}. Merci de votre confiance !</p>{% endif %}''',
           qc=cc == 'QC', ft=w.pick('Liberation Sans', 'Lato', 'Open Sans', 'DejaVu Serif'), s=seller, ads=ads, z=z, c=c, vat={'CH': w.uid() + ' TVA',
               'BE': 'TVA BE' + w.bce(),
           'QC': f'TPS {w.sin().replace(" ", "")} RT0001   TVQ {w.digits(10)} TQ0001'}[cc], p=p, num=num, day=f(day), due=f(day + dt.timedelta(30)), ls=ls,
           m=m, net=net, taxes=taxes, tot=tot, qr=qr,
           iban=iban, mm=money(tot, 'ch').replace("'", ' '), com=com, k97=f'{int(com) % 97 or 97:02d}')
    d.put(invoiceNumber=num, issueDate=(f(day), day), totalAmount=(m(tot), tot), issuer=seller).style.update(date=ds, money=st)
    if iban:
        d.put(iban=iban)
    else:
        d.missing = ['iban']
    d.sums.append(([x[3] for x in ls] + [t for _, t in taxes], tot))
    total_forge(d, m(tot), tot, st)
    d.bad_date.append((f(day + dt.timedelta(30)), f(day - dt.timedelta(30)), 'payable until a day before the invoice'))
    return d.made(day)


WORDS = {  # invoice words of five languages
    'DE': ('Rechnung', 'Rechnungsnr.', 'Rechnungsdatum', 'Nettobetrag', 'MwSt. 19 %', 'Rechnungsbetrag', 'Zahlbar innerhalb von 14 Tagen ohne Abzug.',
    '.19', 'Pos. Bezeichnung', 'USt-IdNr. DE', '.',
           ['Wartung Heizung', 'Anfahrt', 'Ersatzteil Pumpe', 'Arbeitszeit Monteur', 'Kleinmaterial']),
    'ES': ('FACTURA', 'Nº de factura', 'Fecha', 'Base imponible', 'IVA 21 %', 'TOTAL FACTURA', 'Forma de pago: transferencia bancaria.', '.21', 'Concepto',
    'CIF B', '/',
           ['Mano de obra', 'Material eléctrico', 'Desplazamiento', 'Revisión anual', 'Cuadro 12 módulos']),
    'IT': ('FATTURA', 'Numero documento', 'Data', 'Imponibile', 'IVA 22 %', 'Totale documento', 'Modalità di pagamento: bonifico 30 gg.', '.22',
    'Descrizione', 'P. IVA IT', '/',
           ['Consulenza tecnica', 'Noleggio attrezzatura', 'Trasporto', 'Posa in opera', 'Collaudo']),
    'NL': ('FACTUUR', 'Factuurnummer', 'Factuurdatum', 'Subtotaal excl. btw', 'Btw 21%', 'Totaal te betalen', 'Gelieve binnen 14 dagen te betalen.', '.21',
    'Omschrijving', 'Btw-id NL', '-',
           ['Schilderwerk', 'Materiaal', 'Voorrijkosten', 'Arbeidsuren', 'Steigerhuur']),
    'PT': ('FATURA', 'Fatura n.º', 'Data de emissão', 'Total ilíquido', 'IVA 23%', 'Total a pagar', 'Pagamento por transferência a 30 dias.', '.23',
    'Designação', 'NIF ', '/',
           ['Mão de obra', 'Peças', 'Deslocação', 'Limpeza de fossa', 'Aluguer de máquina'])}


@design('INVOICE', 'XX')
def inv_other(w):
    cc = list(WORDS)[w.serial % 5]
    t = WORDS[cc]
    seller, p, day = w.firm(cc), w.person(cc), w.day(10, 500)
    ls = lines_of(w, t[11], w.r.randint(2, 4), 15, 240)
    net = sum(x[3] for x in ls)
    vat = q2(net * Decimal(t[7]))
    tot, m, f = net + vat, (lambda v: money(v, 'de') + ' €'), lambda x: date(x, t[10])
    num, ib, (c, z) = w.pick('RE-', '', 'A/', '2026-') + w.digits(5), w.iban(cc), w.place(cc)
    tax = t[9] + (w.digits(9) if cc in 'DE PT' else w.digits(8) if cc == 'ES' else '')
    if cc == 'IT':
        v = w.digits(10, '0')
        from world import luhn
        tax += v + luhn(v)
    elif cc == 'NL':
        tax += w.digits(9) + 'B01'
    elif cc in ('DE', 'ES', 'PT'):
        tax = ''  # their check digits are left out rather than printed wrong
    d = Doc(w, cc, cc.lower(), w.pick('weasy', 'chromium', 'weasy', 'lohtml', 'docx'), 'table', 'tradesman ' + cc)
    if d.engine == 'docx':
        d.src = [('b', seller), ('p', f'{w.street(cc)}, {z} {c}   {tax}'), ('p', f'{p.civ} {p.full}\n{p.street}\n{p.zip} {p.city}'), ('h', t[0]), ('p',
            f'{t[1]}: {num}\n{t[2]}: {f(day)}'),
                 ('tab', [[t[8], '#', '€', '€']] + [[n, q, m(u), m(x)] for n, q, u, x in ls], 'Light Grid Accent 1'), ('right',
                 f'{t[3]}: {m(net)}\n{t[4]}: {m(vat)}'), ('b', f'{t[5]}: {m(tot)}'),
                 ('p', t[6]), ('p', f'IBAN: {w.grp(ib)}')]
    else:
        d.html('''<style>@page{size:A4;margin:20mm}body{font-family:"{{ ft }}";font-size:10pt}td,th{padding:3px 6px}</style><body><p align="right"><b>{{ s
    }}</b><br>{{ a }}<br>{{ z }} {{ c }}<br>{{ tax }}</p>
        <p>{{ p.civ }} {{ p.full }}<br>{{ p.street }}<br>{{ p.zip }} {{ p.city }}</p><h2>{{ t[0] }}</h2><table><tr><td>{{ t[1] }}</td><td><b>{{ num
    }}</b></td></tr><tr><td>{{ t[2] }}</td><td>{{ day }}</td></tr></table><br>
        <table width="100%" border="1" cellspacing="0"><tr bgcolor="#eeeeee"><th align="left">{{ t[8] }}</th><th>#</th><th>€</th><th>€</th></tr>{% for
    n,q,u,x in ls %}<tr><td>{{ n }}</td><td>{{ q }}</td><td align="right">{{ m(u) }}</td>
        <td align="right">{{ m(x) }}</td></tr>{% endfor %}</table><table align="right"><tr><td>{{ t[3] }}</td><td align="right">{{ m(net)
    }}</td></tr><tr><td>{{ t[4] }}</td><td align="right">{{ m(vat) }}</td></tr>
        <tr><td><b>{{ t[5] }}</b></td><td align="right"><b>{{ m(tot) }}</b></td></tr></table><br clear="all"><p>{{ t[6] }}</p><p>IBAN {{ ib }}</p>''',
            ft=w.pick('Carlito', 'Liberation Sans', 'DejaVu Sans', 'Liberation Serif'),
               s=seller, a=w.street(cc), z=z, c=c, tax=tax, p=p, t=t, num=num, day=f(day), ls=ls, m=m, net=net, vat=vat, tot=tot, ib=w.grp(ib))
    d.put(invoiceNumber=num, issueDate=(f(day), day), totalAmount=(m(tot), tot), issuer=seller, iban=w.grp(ib)).style.update(date=t[10], money='de')
    d.sums.append(([x[3] for x in ls] + [vat], tot))
    total_forge(d, m(tot), tot, 'de')
    return d.made(day)


# ---------------------------------------------------------------- proofs of address

def poa(d, p, day, f, issuer, style, first=None, last=None, street=None, city=None):
    d.person(p, first, last).home(p, street, city).put(issueDate=(f(day), day), issuer=issuer)
    d.style.update(date=style)
    return d


@design('PROOF_OF_ADDRESS', 'FR')
def poa_energy(w):
    p, sup, day = w.person('FR'), w.pick('Énergie Valdoise', 'Électris', 'Soléane Énergies', 'GazLumen'), w.day(5, 120)
    f, m = lambda x: date(x, w.sty, 'fr'), lambda v: money(v, 'fr') + ' €'
    w.sty = w.pick('/', 'long')
    k0 = w.r.randint(8000, 40000)
    k1 = k0 + w.r.randint(180, 900)
    abo, pu = w.amount(11, 30), Decimal('0.1952')
    conso, cta = q2((k1 - k0) * pu), w.amount(3, 9)
    v1, v2 = q2((abo + cta) * Decimal('.055')), q2(conso * Decimal('.2'))
    tot = abo + conso + cta + v1 + v2
    pdl, num = w.digits(14), w.digits(11, '1')
    d = Doc(w, 'FR', 'fr', w.pick('weasy', 'chromium'), 'boxes', 'energy bill')
    col = w.pick('#0a4da2', '#f26f21', '#00816a')
    d.html('''<style>@page{size:A4;margin:12mm}body{font:9pt "{{ ft }}";color:#222}.h{background:{{ col
    }};color:#fff;padding:4mm;font-size:16pt}.g{display:flex;gap:8mm;margin:5mm 0}.l{width:62mm;font-size:8pt}
    .box{border:1.2pt solid {{ col }};border-radius:3mm;padding:4mm;margin:4mm
    0}table{width:100%;border-collapse:collapse;font-size:8.5pt}td,th{padding:1.2mm;border-bottom:.3pt solid #bbb;text-align:left}.n{text-align:right}</style>
    <body><div class=h>{{ sup }}</div><div class=g><div class=l><b>Vos références client</b><br>N° client : {{ nc }}<br>N° de compte : {{ cpt
    }}<br>Titulaire : {{ p.civ }} {{ p.frcap }}<br>Point de livraison : {{ pdl }}<br>
    <b>Lieu de consommation</b><br>{{ p.street }}<br>{{ p.zip }} {{ p.city }}<br><br><b>Nous contacter</b><br>09 69 00 00 00 (appel non surtaxé)<br>TSA
    20000 – 92000 Nanterre</div><div style="margin:18mm 0 0 25mm;font-size:10.5pt">{{ p.civ }} {{ p.frcap }}<br>{{ p.street }}<br>{{ p.zip }} {{ p.city
    }}</div></div>
    <h3>Facture n° {{ num }} du {{ day }}</h3><div class=box>Montant TTC à payer <b style="float:right;font-size:14pt">{{ m(tot) }}</b><br>Ce montant sera
    prélevé le {{ prel }}. Prochaine facture vers le {{ nxt }}.</div>
    <table><tr><th>Électricité – option Base 6 kVA<th>Ancien relevé<th>Nouveau relevé<th>kWh<th class=n>Prix €/kWh<th class=n>Montant
    HT</tr><tr><td>Abonnement<td><td><td><td><td class=n>{{ m(abo) }}</tr>
    <tr><td>Consommation relevée<td>{{ k0 }}<td>{{ k1 }}<td>{{ k1-k0 }}<td class=n>0,1952<td class=n>{{ m(conso) }}</tr><tr><td>Contribution tarifaire
    d’acheminement<td><td><td><td><td class=n>{{ m(cta) }}</tr>
    <tr><td>TVA à 5,50 %<td><td><td><td><td class=n>{{ m(v1) }}</tr><tr><td>TVA à 20,00 %<td><td><td><td><td class=n>{{ m(v2) }}</tr><tr><td><b>Total
    TTC</b><td><td><td><td><td class=n><b>{{ m(tot) }}</b></tr></table>
    <p style="font-size:7pt;color:#666">{{ sup }} SA au capital de 1 200 000 € – RCS Nanterre {{ rcs }}. Document à conserver 5 ans. Ce document tient lieu
    de justificatif de domicile.</p>''', ft=w.pick('Liberation Sans', 'Open Sans', 'Roboto'),
           col=col, sup=sup, nc=w.grp(w.digits(9), 3), cpt=w.digits(10), p=p, pdl=pdl, num=num, day=f(day), m=m, tot=tot, prel=f(day + dt.timedelta(15)),
               nxt=f(day + dt.timedelta(61)), abo=abo, k0=k0, k1=k1,
           conso=conso, cta=cta, v1=v1, v2=v2, rcs=w.grp(w.siren(), 3))
    d.sums.append(([abo, conso, cta, v1, v2], tot))
    total_forge(d, m(tot), tot, 'fr')
    d.bad_date.append((f(day + dt.timedelta(15)), f(day - dt.timedelta(40)), 'debited before the bill was made'))
    return poa(d, p, day, f, sup, w.sty, last=p.LAST).made(day).office(*PRODUCERS)


@design('PROOF_OF_ADDRESS', 'FR')
def poa_attest(w):
    """Certificate of a contract holder, downloaded from the customer's area."""
    p, sup, day = w.person('FR'), w.pick('Énergie Valdoise', 'Fibréa Télécom', 'Eaux du Bocage', 'Orvia Mobile'), w.day(1, 80)
    f = lambda x: date(x, 'long', 'fr')
    what = {'Énergie Valdoise': 'de fourniture d’électricité', 'Fibréa Télécom': 'd’accès à internet fixe', 'Eaux du Bocage': 'de fourniture d’eau',
        'Orvia Mobile': 'de téléphonie mobile'}[sup]
    since, n = f(w.day(400, 3000)), w.digits(10)
    d = Doc(w, 'FR', 'fr', w.pick('typst', 'reportlab', 'latex'), 'prose', 'certificate')
    kw = dict(sup=sup, p=p, day=f(day), what=what, since=since, n=n, c=w.place('FR')[0])
    if d.engine == 'typst':
        d.typ('''#set page(paper: "a4", margin: (x: 25mm, y: 30mm))
#set text(font: "{{ ft }}", size: 11pt, lang: "fr")
#text(size: 17pt, weight: "bold", fill: rgb("#0b5394"))[{{ sup }}]
#v(15mm)
#align(center)[#text(size: 14pt)[*Attestation de titulaire de contrat*]]
#v(10mm)
Nous soussignés, {{ sup }}, attestons que {{ p.civ }} {{ p.frcap }} est titulaire depuis le {{ since }} d’un contrat {{ what }} n° {{ n }} pour le logement
situé :
#pad(left: 2cm)[{{ p.street }} \\ {{ p.zip }} {{ p.city }}]
Cette attestation est délivrée à la demande de l’intéressé(e) pour servir et valoir ce que de droit.
#v(10mm)
Fait à {{ c }}, le {{ day }} \\ Le service clients''', ft=w.pick('Lato', 'Open Sans', 'Liberation Sans'), **kw)
    elif d.engine == 'latex':
        d.tex(r'''\documentclass[12pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{helvet}\renewcommand{\familydefault}{\sfdefault}\usepackage[margin=28mm]{geometry}
\pagestyle{empty}\setlength{\parindent}{0pt}\begin{document}

\textbf{\LARGE {{ sup }} }\vspace{20mm}

\begin{center}\textbf{ATTESTATION DE CONTRAT}\end{center}\vspace{8mm}
Titulaire du contrat : {{ p.civ }} {{ p.frcap }}\medskip

Numéro de contrat : {{ n }}\medskip

Adresse du logement : {{ p.street }}, {{ p.zip }} {{ p.city }}\medskip

Nous certifions que le contrat {{ what }} ci-dessus est actif depuis le {{ since }} et à jour de ses paiements.\vspace{10mm}

Attestation éditée le {{ day }}.\end{document}''', **kw)
    else:
        o = Ops()
        o.img(40, 36, 46, 46, logo(w.r.randint(0, 9999))).t(94, 64, sup, 16, 'LB')
        o.ts(330, 150, [f'{p.civ} {p.frcap}', p.street, f'{p.zip} {p.city}'], 11, 'L', 1.4)
        o.t(40, 250, 'Attestation valant justificatif de domicile', 14, 'LB')
        o.ts(40, 285, [f'Madame, Monsieur,', '', f'Nous vous confirmons que vous disposez d’un contrat {what} (référence {n})',
            f'souscrit le {since} à l’adresse indiquée ci-dessus.',
                       'Ce document est remis sous réserve de tous droits.'], 10.5, 'L', 1.5)
        o.t(40, 400, f'Le {f(day)}', 10.5, 'L').t(330, 400, 'La direction de la clientèle', 10.5, 'L').img(330, 405, 110, 40, signature(w.r.randint(0, 999)))
        d.src = o
    return poa(d, p, day, f, sup, 'long', last=p.LAST).made(day).office('own', 'none', 'iText® 5.5.13.2 ©2000-2020 iText Group NV (AGPL-version)')


@design('PROOF_OF_ADDRESS', 'FR')
def poa_water(w):
    p, sup, day = w.person('FR'), w.pick('Eaux du Bocage', 'Régie des Eaux du Val d’Or', 'Syndicat des eaux de la Brève'), w.day(5, 150)
    f, m = lambda x: date(x, '/'), lambda v: money(v, 'fr')
    i0 = w.r.randint(100, 1500)
    vol = w.r.randint(30, 160)
    a, b, c = w.amount(15, 30), q2(vol * Decimal('1.6240')), q2(vol * Decimal('1.9100'))
    v1, v2 = q2((a + b) * Decimal('.055')), q2(c * Decimal('.10'))
    tot, prev = a + b + c + v1 + v2, w.amount(20, 60)
    due = tot - prev
    o = Ops()
    o.t(36, 50, sup, 14, 'DB', '#0277bd').t(36, 64, 'Service public de l’eau et de l’assainissement', 8, 'D')
    o.t(36, 100, 'Référence abonné', 7, 'D').t(36, 112, w.digits(9), 9, 'DM').t(36, 128, 'Adresse desservie', 7, 'D').t(36, 140, p.street, 8, 'D').t(36,
        150, f'{p.zip} {p.city}', 8, 'D')
    o.ts(320, 130, [p.rev, p.street.upper(), f'{p.zip} {p.city.upper()}'], 10, 'C', 1.4)
    o.t(36, 210, f'FACTURE D’EAU N° {w.digits(10)}', 12, 'DB').t(36, 226,
        f'établie le {f(day)} – période du {f(day - dt.timedelta(200))} au {f(day - dt.timedelta(20))}', 8, 'D')
    rows = [['Compteur', 'Index ancien', 'Index nouveau', 'Volume m³', 'Prix €', 'Montant €'], ['DN15 ' + w.letters(3), i0, i0 + vol, vol, '', ''],
        ['Abonnement eau', '', '', '', '', m(a)],
            ['Distribution de l’eau', '', '', vol, '1,6240', m(b)], ['Collecte des eaux usées', '', '', vol, '1,9100', m(c)], ['TVA 5,5 %', '', '', '', '',
            m(v1)], ['TVA 10 %', '', '', '', '', m(v2)],
            ['Total de la facture', '', '', '', '', m(tot)], ['Mensualités déjà prélevées', '', '', '', '', '-' + m(prev)]]
    y = o.table(36, 250, (160, 75, 80, 70, 60, 78), rows, 8, 15, 'D', 'lrrrrr', '#b0c4d4', '#d7ecf8')
    o.r(330, y, 230, 26, fill='#0277bd').t(340, y + 17, 'SOLDE À PAYER', 10, 'DB', '#ffffff').t(552, y + 17, m(due) + ' €', 11, 'DB', '#ffffff', 'r')
    lim = day + dt.timedelta(21)
    o.t(36, y + 60, f'À régler avant le {f(lim)}. Qualité de l’eau : conforme. Urgence fuite 24h/24.', 8, 'D')
    o.l(0, 640, 595, 640, '#777777', .4).t(36, 662, 'TIP SEPA – à détacher', 7, 'D').t(36, 690, w.digits(22) + '  ' + w.digits(12), 10, 'O')
    d = Doc(w, 'FR', 'fr', w.pick('reportlab', 'mupdf', 'fpdf'), 'table', 'water bill')
    d.sums += [([a, b, c, v1, v2, -prev], due)]
    total_forge(d, m(due) + ' €', due, 'fr')
    d.bad_date.append((f(lim), f(day - dt.timedelta(60)), 'to be paid before the bill was made'))
    d.src = o
    return poa(d, p, day, f, sup, '/', last=p.LAST).made(day).office(*PRODUCERS)


@design('PROOF_OF_ADDRESS', 'FR')
def poa_box(w):
    p, sup, day = w.person('FR'), w.pick('Fibréa Télécom', 'NetZenith', 'Bouclair'), w.day(3, 100)
    a, b, c = w.amount(20, 45), w.amount(0, 12), w.amount(3, 15)
    tot, m, f = a + b - c, (lambda v: money(v, 'fn') + '€'), lambda x: date(x, '.') if w.k else date(x, '/')
    w.k = w.pick(True, False)
    d = Doc(w, 'FR', 'fr', w.pick('chromium', 'weasy'), 'nolabel', 'internet bill')
    num, tel = w.digits(12), '09 ' + ' '.join(w.digits(2, '0123456789') for _ in range(4))
    d.html('''<style>@page{size:A4;margin:0}body{margin:0;font:10pt
    Roboto}.s{position:absolute;left:0;top:0;bottom:0;width:58mm;background:#f3f0fa;padding:12mm 8mm;box-sizing:border-box;font-size:8.5pt;min-height:297mm}
    .m{margin-left:68mm;padding:14mm 14mm 0 0}.r{display:flex;justify-content:space-between;padding:2mm 0;border-bottom:.4pt solid #ddd}</style><body><div
    class=s><b style="font-size:17pt;color:#5e35b1">{{ sup }}</b><br><br>Ligne {{ tel }}<br>Identifiant {{ id }}<br><br>
    Espace client<br>assistance : 3900<br><br>Facture éditée en euros</div><div class=m><div style="margin-left:25mm">{{ p.civ }} {{ p.full }}<br>{{
    p.street }}<br>{{ p.zip }} {{ p.city }}</div><br><br><h2>Votre facture du {{ day }}</h2>n° {{ num }}
    <div class=r><span>Forfait Fibre 2 Gb/s<br><small>du {{ d1 }} au {{ d2 }}</small></span><span>{{ m(a) }}</span></div><div class=r><span>Services et
    appels hors forfait</span><span>{{ m(b) }}</span></div><div class=r><span>Remise 12 mois</span><span>-{{ m(c) }}</span></div>
    <div class=r style="font-size:14pt"><b>Total TTC</b><b>{{ m(t) }}</b></div><p>Prélèvement prévu le {{ pr }} sur votre compte bancaire. Vous n’avez rien
    à faire.</p><p style="font-size:7.5pt">{{ sup }} SAS, RCS Paris {{ rcs }}</p></div>''', sup=sup, tel=tel, id='fb' + w.digits(7),
           p=p, day=f(day), num=num, d1=f(day), d2=f(day + dt.timedelta(29)), m=m, a=a, b=b, c=c, t=tot, pr=f(day + dt.timedelta(9)), rcs=w.grp(w.siren(), 3))
    d.sums += [([a, b, -c], tot)]
    total_forge(d, m(tot), tot, 'fn')
    d.bad_date.append((f(day + dt.timedelta(29)), f(day - dt.timedelta(70)), 'the period ends before it begins'))
    return poa(d, p, day, f, sup, '.' if w.k else '/').made(day)


UK = [('Northmoor Energy', 'e'), ('Brightwell Gas & Power', 'e'), ('Severn Vale Water', 'w'), ('Isca Water Services', 'w'), ('Kestrel Broadband', 'b'),
    ('Talkline', 'b')]


@design('PROOF_OF_ADDRESS', 'EN')
def poa_uk(w):
    """British utility: charges, payments received, meter readings."""
    p, (sup, k), day = w.person('GB'), w.pick(UK), w.day(4, 110)
    f, m = lambda x: date(x, 'long'), lambda v: '£' + money(v, 'en')
    old, paid = w.amount(20, 140), None
    paid = old if w.pick(0, 1) else q2(old / 2)
    r0 = w.r.randint(2000, 70000)
    u = w.r.randint(150, 900)
    use = q2(u * Decimal({'e': '0.2450', 'w': '0.1890', 'b': '0.0390'}[k]))
    stand = w.amount(9, 32)
    vat = q2((use + stand) * Decimal({'e': '.05', 'w': '0', 'b': '.2'}[k]))
    new = use + stand + vat
    bal = old - paid + new
    d = Doc(w, 'GB', 'en', w.pick('weasy', 'chromium'), 'boxes', 'utility bill')
    acct = w.pick('A-' + w.letters(4, '0123456789ABCDEF') + w.digits(4), w.grp(w.digits(12), 4), w.digits(10))
    pay = day + dt.timedelta(w.pick(14, 21))
    d.html('''<style>@page{size:A4;margin:14mm 15mm}body{font:9.5pt "{{ ft }}"}.top{display:flex;justify-content:space-between}h1{color:{{ col
    }};font-size:22pt;margin:0}.big{background:{{ col }};color:#fff;border-radius:{{ rad }}mm;padding:5mm;margin:5mm 0}
    table{width:100%;border-collapse:collapse}td{padding:1.6mm 0;border-bottom:.4pt solid #ccc}.n{text-align:right}</style><body><div class=top><h1>{{ sup
    }}</h1><div>Account number<br><b>{{ acct }}</b><br>Bill date<br><b>{{ day }}</b></div></div>
    <p style="margin:8mm 0">{{ p.civ }} {{ p.full }}<br>{{ p.street }}<br>{{ p.city }}<br>{{ p.zip }}</p><h2>Your {{ what }} bill</h2><div class=big>What
    you owe <span style="float:right;font-size:18pt">{{ m(bal) }}</span><br>Please pay by {{ pay }}</div>
    <table><tr><td>Your last bill<td class=n>{{ m(old) }}<tr><td>What you’ve paid since – thank you<td class=n>-{{ m(paid) }}<tr><td>{{ lab }}{% if k ==
    "e" %} ({{ u }} kWh at 24.50p){% endif %}<td class=n>{{ m(use) }}<tr><td>Standing charge<td class=n>{{ m(stand) }}
    <tr><td>VAT<td class=n>{{ m(vat) }}<tr><td><b>Balance</b><td class=n><b>{{ m(bal) }}</b></table>{% if k != "b" %}<h3>Meter
    readings</h3><table><tr><td>Meter {{ mt }}<td>{{ d0 }}: {{ r0 }} {{ rt }}<td>{{ d1 }}: {{ r1 }} {{ rt }}</table>{% endif %}
    <p>Supply address: {{ p.street }}, {{ p.city }}, {{ p.zip }}{% if k == "e" %}<br>MPAN {{ mp }}{% endif %}</p><p style="font-size:7.5pt;color:#555">{{
    sup }} Limited. Registered in England and Wales no. {{ reg }}. VAT registration number {{ vn }}. Got a complaint? Call 0330 555 0100 or write to
    Customer Care, PO Box 4410.</p>''',
           ft=w.pick('Lato', 'Open Sans', 'Liberation Sans', 'Roboto'), col=w.pick('#5a2d82', '#00857d', '#d4145a', '#1d3c78'), rad=w.pick(0, 2, 5),
           sup=sup, acct=acct, day=f(day), p=p, what={'e': 'electricity', 'w': 'water', 'b': 'broadband and phone'}[k],
           m=m, bal=bal, pay=f(pay), old=old, paid=paid, lab={'e': 'Electricity used', 'w': 'Water and wastewater', 'b': 'Calls and add-ons'}[k], k=k, u=u,
               use=use, stand=stand, vat=vat, mt=w.letters(2) + w.digits(8), d0=date(day - dt.timedelta(92), 'short'),
           d1=date(day - dt.timedelta(2), 'short'), r0=r0, r1=r0 + u, rt=w.pick('(actual)', '(estimated)', '(customer)'), mp=w.digits(13), reg=w.digits(8,
               '0'), vn=w.gbvat())
    d.sums += [([old, -paid, use, stand, vat], bal)]
    total_forge(d, m(bal), bal, 'en')
    d.bad_date.append((f(pay), f(day - dt.timedelta(50)), 'to be paid before the bill date'))
    return poa(d, p, day, f, sup, 'long').made(day).office(*PRODUCERS)


@design('PROOF_OF_ADDRESS', 'EN')
def poa_ie(w):
    p, sup, day = w.person('IE'), w.pick('Shannonside Electric', 'Clíona Gas Networks', 'Liffey Fibre', 'Corrib Broadband'), w.day(4, 110)
    f, m = lambda x: date(x, 'short'), lambda v: '€' + money(v, 'en')
    u = w.r.randint(200, 1100)
    a, s, l = q2(u * Decimal('.3115')), w.amount(30, 48), Decimal('3.23')
    v = q2((a + s + l) * Decimal('.09'))
    t = a + s + l + v
    o, A = Ops(), w.pick('K', 'P', 'H')
    o.r(0, 0, 595, 70, fill=w.pick('#004d40', '#283593', '#bf360c')).t(30, 44, sup, 20, A + 'B', '#ffffff').t(565, 44, 'Bill', 18, A, '#ffffff', 'r')
    o.ts(60, 120, [p.civ + ' ' + p.full, p.street, p.city, p.zip], 11, A, 1.35)
    for i, (k, x) in enumerate([('Account Number', w.digits(9)), ('Invoice Number', w.digits(9)), ('Issue Date', f(day)), ('MPRN', '10' + w.digits(9)),
    ('Total due', m(t)), ('Payment due', f(day + dt.timedelta(14)))]):
        o.t(350, 110 + i * 17, k, 9, A, '#555555').t(560, 110 + i * 17, x, 9.5, A + 'B', al='r').l(350, 114 + i * 17, 560, 114 + i * 17, '#cccccc', .4)
    y = o.table(30, 270, (270, 100, 80, 85), [['Charge details', 'Units', 'Rate', 'Amount'],
        [f'24 hour rate {f(day - dt.timedelta(63))} – {f(day - dt.timedelta(2))}', f'{u} kWh', '€0.3115', m(a)], ['Standing charge', '61 days', '', m(s)],
        ['PSO levy', '', '', m(l)],
                                                       ['VAT @ 9%', '', '', m(v)], ['Total charges for this period', '', '', m(t)]], 9, 18, A, 'lrrr',
                                                       None, '#eeeeee', True)
    o.t(30, y + 30, 'Pay by direct debit, online or at any post office. 24h emergency 1800 555 0199.', 9, A).t(30, 810,
        sup + ' DAC, Registered Office Dublin. Directors’ list on request.', 7, A)
    d = Doc(w, 'IE', 'en', w.pick('reportlab', 'mupdf', 'fpdf'), 'side box', 'Irish bill')
    d.sums += [([a, s, l, v], t)]
    total_forge(d, m(t), t, 'en')
    d.bad_date.append((f(day + dt.timedelta(14)), f(day - dt.timedelta(80)), 'payment due before the issue date'))
    d.src = o
    return poa(d, p, day, f, sup, 'short').made(day).office(*PRODUCERS)


@design('PROOF_OF_ADDRESS', 'EN')
def poa_us(w):
    cc = w.pick('US', 'US', 'CA')
    p, sup, day = w.person(cc), w.pick('Cascadia Power & Light', 'Three Rivers Water Authority', 'Lone Mesa Electric Co-op', 'Maplecrest Hydro',
        'Atlantic Bell Internet'), w.day(4, 80)
    ds = w.pick('us', 'uslong') if cc == 'US' else 'uslong'
    f, m = lambda x: date(x, ds), lambda v: '$' + money(v, 'en')
    a, b, c, pv = w.amount(30, 150), w.amount(8, 20), w.amount(1, 9), w.amount(40, 160)
    t = a + b + c
    d = Doc(w, cc, 'en', w.pick('lohtml', 'weasy', 'fpdf', 'fpdf'), 'table', 'North American bill')
    if d.engine == 'fpdf':
        o = Ops(612, 792)
        o.t(36, 46, sup.upper(), 13, 'HB').t(36, 60, 'P.O. Box 60044', 8).t(576, 46, 'STATEMENT', 13, 'HB', al='r')
        for i, (k, x) in enumerate([('Account No.', w.digits(10)), ('Statement Date', f(day)), ('Amount Due', m(t)), ('Due Date',
        f(day + dt.timedelta(20)))]):
            o.r(36 + i * 135, 80, 135, 34, line='#000000').t(42 + i * 135, 92, k, 7).t(42 + i * 135, 107, x, 10, 'HB')
        o.t(36, 145, 'Service address: ' + p.street, 9).t(36, 170, 'ACCOUNT ACTIVITY', 10, 'HB')
        y = o.table(36, 190, (400, 130), [['Previous balance', m(pv)], ['Payment received – thank you', '-' + m(pv)], ['Current service charges', m(a)],
            ['Customer charge', m(b)], ['Local taxes and fees', m(c)], ['TOTAL AMOUNT DUE', m(t)]], 9.5, 18, 'H', 'lr', '#999999', None, True)
        o.l(0, 560, 612, 560, '#888888').t(36, 576, 'Detach and return with your payment', 7).ts(80, 640, [p.full.upper(), p.street.upper(),
            f'{p.city.upper()} {p.zip}'], 11, 'C', 1.3)
        d.src = o
        up = lambda s: s
    else:
        up = lambda s: s
        d.html('''<style>@page{size:Letter;margin:15mm}body{font-family:"Liberation Sans";font-size:10pt}</style><body><table width="100%"><tr><td><b><font
    size="5">{{ sup }}</font></b></td><td align="right">Account {{ ac }}<br>Billing date: {{ day }}</td></tr></table><hr>
        <p>{{ p.full }}<br>{{ p.street }}<br>{{ p.city }} {{ p.zip }}</p><p>Service period {{ d1 }} - {{ d2 }} &nbsp; Meter {{ mt }}</p><table width="100%"
    border="1" cellspacing="0" cellpadding="4"><tr><td>Previous balance</td><td align="right">{{ m(pv) }}</td></tr><tr><td>Payments</td><td
    align="right">-{{ m(pv) }}</td></tr>
        <tr><td>Usage</td><td align="right">{{ m(a) }}</td></tr><tr><td>Basic service</td><td align="right">{{ m(b) }}</td></tr><tr><td>Taxes</td><td
    align="right">{{ m(c) }}</td></tr><tr bgcolor="#dddddd"><td><b>Please pay by {{ due }}</b></td><td align="right"><b>{{ m(t) }}</b></td></tr></table>
        <p>Questions? Call 1-800-555-0142. Late payments are subject to a 1.5% charge.</p>''', sup=sup, ac=w.digits(10), day=f(day), p=p,
            d1=f(day - dt.timedelta(31)), d2=f(day - dt.timedelta(1)), mt=w.digits(8), m=m, pv=pv, a=a, b=b, c=c, due=f(day + dt.timedelta(20)), t=t)
    d.sums += [([a, b, c], t)]
    total_forge(d, m(t), t, 'en')
    d.bad_date.append((f(day + dt.timedelta(20)), f(day - dt.timedelta(90)), 'due before the bill was made'))
    return poa(d, p, day, f, sup, ds).made(day).office(*PRODUCERS)


@design('PROOF_OF_ADDRESS', 'BC')
def poa_bc(w):
    cc = w.pick('BE', 'CH', 'QC')
    p, sup, day = w.person(cc), {'BE': 'Wallonergie', 'CH': 'Services Industriels du Léman', 'QC': 'Hydro-Boréal'}[cc], w.day(4, 120)
    ds, st, cur = {'BE': ('/', 'de', 'EUR'), 'CH': ('.', 'ch', 'CHF'), 'QC': ('iso', 'qc', '$')}[cc]
    f, m = lambda x: date(x, ds), lambda v: money(v, st) + ' ' + cur
    a, b, tv = w.amount(40, 300), w.amount(10, 40), None
    tv = q2((a + b) * Decimal({'BE': '.06', 'CH': '.081', 'QC': '.14975'}[cc]))
    pre = w.amount(10, 45)
    t = a + b + tv - pre
    d = Doc(w, 'CA' if cc == 'QC' else cc, 'fr', w.pick('docx', 'weasy', 'weasy'), 'table', 'energy ' + cc)
    due = day + dt.timedelta(30)
    if d.engine == 'docx':
        d.src = [('h', sup), ('p', f'Numéro de client : {w.digits(9)}\nFacture n° {w.digits(10)} du {f(day)}'), ('right',
            f'{p.civ} {p.full}\n{p.street}\n{p.zip} {p.city}'), ('b', 'Décompte d’électricité'),
                 ('tab', [['Poste', 'Montant'], ['Énergie consommée', m(a)], ['Frais de réseau et abonnement', m(b)], ['Taxes', m(tv)],
                 ['Acomptes facturés', '-' + m(pre)], ['À payer', m(t)]], 'Light List Accent 1'),
                 ('p', f'Date d’échéance : {f(due)}'), ('p', f'Lieu de consommation : {p.street}, {p.zip} {p.city}. Compteur {w.digits(8)}.')]
    else:
        d.html('''<style>@page{size:A4;margin:15mm}body{font:9.5pt "DejaVu Sans"}dt{float:left;width:70mm;clear:left;color:#555}dd{margin:0 0 2mm
    75mm}hr{border:0;border-top:2pt solid #c62828}</style><body><b style="font-size:15pt">{{ sup }}</b><hr><div style="float:right;width:70mm">{{ p.civ
    }}<br>{{ p.full }}<br>{{ p.street }}<br>
        {{ p.zip }} {{ p.city }}</div><p>Facture {{ n }}<br>Date : {{ day }}</p><div style="clear:both;height:12mm"></div><dl><dt>Énergie ({{ kwh }}
    kWh)<dd>{{ m(a) }}<dt>Abonnement<dd>{{ m(b) }}<dt>Taxes<dd>{{ m(tv) }}<dt>Acomptes déduits<dd>-{{ m(pre) }}<dt><b>Montant à payer</b><dd><b>{{ m(t) }}</b>
        <dt>Échéance<dd>{{ due }}<dt>Relevé du compteur<dd>{{ i0 }} → {{ i1 }}</dl>''', sup=sup, p=p, n=w.digits(9), day=f(day), kwh=812, m=m, a=a, b=b,
            tv=tv, pre=pre, t=t, due=f(due), i0=10233, i1=11045)
    d.sums += [([a, b, tv, -pre], t)]
    total_forge(d, m(t), t, st)
    d.bad_date.append((f(due), f(day - dt.timedelta(31)), 'due before the bill was made'))
    return poa(d, p, day, f, sup, ds).made(day)


POAW = {'DE': ('Stadtwerke Mühltal', 'Ihre Stromrechnung', 'Rechnungsdatum', 'Kundennummer', 'Zählerstand', 'Arbeitspreis', 'Grundpreis', 'MwSt. 19 %',
    'Zu zahlender Betrag', '.19', 'Verbrauchsstelle', '.'),
        'ES': ('Iberluz Energía', 'FACTURA DE ELECTRICIDAD', 'Fecha de emisión', 'Nº de contrato', 'Lectura', 'Consumo', 'Potencia', 'IVA 21 %',
        'Total importe factura', '.21', 'Dirección de suministro', '/'),
        'IT': ('Luce Adriatica', 'Bolletta energia elettrica', 'Data emissione', 'Codice cliente', 'Lettura', 'Spesa per la materia energia',
        'Quota fissa', 'IVA 10 %', 'Totale da pagare', '.10', 'Indirizzo di fornitura', '/'),
        'NL': ('Polderstroom', 'Jaarnota elektriciteit', 'Factuurdatum', 'Klantnummer', 'Meterstand', 'Leveringskosten', 'Vastrecht', 'Btw 21%',
        'Te betalen', '.21', 'Leveringsadres', '-'),
        'PT': ('Águas do Mondego', 'Fatura de água', 'Data de emissão', 'N.º de cliente', 'Leitura', 'Consumo', 'Tarifa fixa', 'IVA 6%', 'Valor a pagar',
        '.06', 'Local de consumo', '/')}


@design('PROOF_OF_ADDRESS', 'XX')
def poa_other(w):
    cc = list(POAW)[w.serial % 5]
    t, p, day = POAW[cc], w.person(cc), w.day(4, 110)
    a, b = w.amount(30, 200), w.amount(5, 25)
    v = q2((a + b) * Decimal(t[9]))
    tot, m, f = a + b + v, (lambda x: money(x, 'de') + ' €'), lambda x: date(x, t[11])
    d = Doc(w, cc, cc.lower(), w.pick('chromium', 'reportlab', 'typst'), 'colon', 'utility ' + cc)
    r0 = w.r.randint(1000, 9000)
    if d.engine == 'chromium':
        d.html('''<style>body{font:13px "Open Sans"}th{text-align:left;font-weight:400;color:#666;padding-right:30px}</style><div
    style="display:flex;justify-content:space-between"><h2 style="color:#2e7d32">{{ t[0] }}</h2><div>{{ p.civ }} {{ p.full }}<br>{{ p.street }}<br>{{ p.zip
    }} {{ p.city }}</div></div>
        <h3>{{ t[1] }}</h3><table><tr><th>{{ t[2] }}<td>{{ day }}<tr><th>{{ t[3] }}<td>{{ n }}<tr><th>{{ t[4] }}<td>{{ r0 }} – {{ r1 }}<tr><th>{{ t[5]
    }}<td>{{ m(a) }}<tr><th>{{ t[6] }}<td>{{ m(b) }}<tr><th>{{ t[7] }}<td>{{ m(v) }}<tr><th><b>{{ t[8] }}</b><td><b>{{ m(tot) }}</b></table>''',
               t=t, p=p, day=f(day), n=w.digits(8), r0=r0, r1=r0 + 700, m=m, a=a, b=b, v=v, tot=tot)
    elif d.engine == 'typst':
        d.typ('''#set page(paper: "a4", margin: 22mm)
#set text(font: "Roboto", size: 10pt)
#grid(columns: (1fr, 1fr), [*#text(16pt)[{{ t[0] }}]*], [{{ p.civ }} {{ p.full }} \\ {{ p.street }} \\ {{ p.zip }} {{ p.city }}])
#v(1cm)
== {{ t[1] }}
{{ t[2] }}: {{ day }} \\ {{ t[3] }}: {{ n }} \\ {{ t[10] }}: {{ p.street }}, {{ p.zip }} {{ p.city }}
#table(columns: (1fr, 4cm), fill: (_, y) => if calc.odd(y) { luma(235) }, [{{ t[5] }}], [{{ a }}], [{{ t[6] }}], [{{ b }}], [{{ t[7] }}], [{{ v }}], [*{{
t[8] }}*], [*{{ tot }}*])''', t=t, p=p, day=f(day), n=w.digits(8), a=m(a), b=m(b), v=m(v), tot=m(tot))
    else:
        o = Ops()
        o.img(30, 30, 40, 40, logo(w.r.randint(0, 9999))).t(78, 56, t[0], 15, 'PB').ts(340, 120, [f'{p.civ} {p.full}', p.street, f'{p.zip} {p.city}'],
            10.5, 'P', 1.4)
        o.t(30, 220, t[1], 13, 'PB')
        for i, (k, x) in enumerate([(t[2], f(day)), (t[3], w.digits(8)), (t[4], f'{r0} / {r0 + 812}'), (t[5], m(a)), (t[6], m(b)), (t[7], m(v)), (t[8],
        m(tot))]):
            o.t(30, 248 + i * 18, k + ':', 9.5, 'P').t(300, 248 + i * 18, x, 9.5, 'PB', al='r')
        d.src = o
    d.sums += [([a, b, v], tot)]
    total_forge(d, m(tot), tot, 'de')
    return poa(d, p, day, f, t[0], t[11]).made(day)
