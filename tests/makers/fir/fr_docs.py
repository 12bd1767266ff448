"""Documents in French, of France, Belgium and Switzerland, each with the look of the program that such an office uses."""
import datetime as dt
import io
import random
import re
from decimal import Decimal as D

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH as AL
from docx.shared import Cm, Pt, RGBColor
from fpdf import FPDF

from engines import esc, logo, scrawl, stamp, CLAIMS
from world import REF, fdate, money, plain, q2

DAY = dt.timedelta(days=1)


def page(css, body, margin='16mm 18mm', title=''):
    return f'<!doctype html><html><head><meta charset="utf-8"><title>{esc(title)}</title><style>@page{{size:A4;margin:{margin}}}' \
           f'body{{margin:0}}table{{border-collapse:collapse}}{css}</style></head><body>{body}</body></html>'


def res(engine, src, day, lay, **kw):
    if engine == 'chromehead':      # printed from a site: the browser's own line above and below
        t = re.search('<title>(.*?)</title>', src)[1] or 'Document'
        us = f'{day.day:02d}/{day.month:02d}/{day.year} {8 + day.day % 11:02d}:{(day.day * 7) % 60:02d}'
        head = f'<div style="font:7.5pt Liberation Sans;display:flex;justify-content:space-between;margin-bottom:9mm"><span>{us}</span><span>{t}</span><span>' \
            f'</span></div>'
        foot = '<div style="font:7.5pt Liberation Sans;position:fixed;bottom:0;left:0;right:0"><span>https://espace.client/doc/print?id=' \
               f'{day.toordinal()}</span><span style="float:right">1/1</span></div>'
        src, engine = src.replace('<body>', '<body>' + head).replace('</body>', foot + '</body>'), 'chrome'
    return dict(engine=engine, src=src, day=day, layout=lay, **kw)


PRINT = {
    'fr': """Conformément au règlement (UE) 2016/679, vous disposez d’un droit d’accès, de rectification et d’opposition sur vos données (délégué à la
 protection des données, TSA 40100, 92919 La Défense Cedex).|En cas de réclamation, adressez-vous d’abord à votre interlocuteur habituel ;
 sans réponse sous 60 jours, le médiateur peut être saisi par courrier : Médiateur, BP 40026, 75625 Paris Cedex 13.|Les pénalités de retard
 sont exigibles sans rappel, au taux appliqué par la BCE majoré de 10 points ; indemnité forfaitaire pour frais de recouvrement : 40,00 €
 (décret n° 2012-1115 du 2 octobre 2012).|Tarifs en vigueur depuis le 01/02/2024, révisables au 1er août de chaque année. Barème complet sur
 simple demande.|Document conservé dix ans (article L123-22 du Code de commerce). Ne pas jeter sur la voie publique.|Dispensé de timbrage –
 autorisation 59-2011 du 14.03.2011. Pli non distribuable : retour à l’expéditeur.|Pour toute question : 0 800 00 12 34 (service et appel
 gratuits), du lundi au vendredi de 8 h à 18 h 30, le samedi de 9 h à 13 h.|Vous pouvez choisir de recevoir ce document sous forme
 électronique ; votre choix est modifiable à tout moment.""",
    'en': """Data protection: we hold your details in line with the Data Protection Act 2018. Ask us for a copy of what we hold.|If you are unhappy with
 our reply you may take your complaint to the ombudsman within six months of our final letter.|Interest may be charged on overdue accounts at
 8% above base rate. A charge of 12.50 applies to returned payments.|Rates effective 04/01/2024 and subject to change. See the tariff leaflet
 for details.|Lines are open 8am to 8pm Monday to Friday and 9am to 1pm on Saturday. Calls may be recorded for training.|Please keep this
 document in a safe place; a fee of 10.00 is payable for duplicates.|Registered office: 1 Harbour Exchange, floor 3. Authorised and
 regulated. E&OE.|Large print and braille versions are available on request. Go paperless and we plant a tree.""",
}
PRINT = {k: [x.replace('\n', '').strip() for x in v.split('|')] for k, v in PRINT.items()}


def small_print(src, lang, seed):
    """Real papers are full of other people's addresses, other dates and other sums: some get a paragraph, some a whole page of them."""
    r = random.Random(f'small {seed}')
    if lang not in PRINT or 'class=q' in src or r.random() < .3:
        return src
    n = r.choice([1, 2, 3, 6, 8])
    t = r.sample(PRINT[lang], n)
    css = f'font-size:{r.choice([6, 6.5, 7, 7.5])}pt;color:{r.choice(["#000", "#444", "#777"])};' \
          f'margin-top:{r.choice([4, 10, 18])}mm;text-align:{r.choice(["left", "justify"])}'
    if n > 5:
        css += f';columns:{r.choice([1, 2])}' + (';break-before:page' if r.random() < .4 else '')
    return src.replace('</body>', f'<div style="{css}">' + ''.join(f'<p style="margin:1mm 0">{x}</p>' for x in t) + '</div></body>')


def claim(w, share=.6):
    return w.pick(CLAIMS) if w.r.random() < share else None


def lines_of(w, trade, n=None):
    """What was done, how much of it, at what price."""
    stock = {
        'plomb': 'Remplacement mitigeur cuisine|Recherche de fuite sur réseau encastré|Fourniture et pose WC suspendu|Tube cuivre écroui 14/16 (ml)|Main '
            'd’œuvre plombier qualifié (h)|'
                 'Déplacement zone 2|Débouchage canalisation haute pression|Joint silicone sanitaire|Chauffe-eau 200 L vertical|Évacuation gravats',
        'peint': 'Préparation des supports, ponçage|Enduit de lissage 2 passes (m²)|Peinture acrylique mate 2 couches (m²)|Pose de toile de verre '
            '(m²)|Protection sols et mobilier|'
                 'Reprise plafond suite dégât des eaux (m²)|Plinthes laquées (ml)',
        'garage': 'Plaquettes de frein AV (jeu)|Disque de frein AV|Huile 5W30 (L)|Filtre à huile|M.O. mécanique T2 (h)|Pare-chocs AR à peindre|M.O. tôlerie '
            'T1 (h)|'
                  'Ingrédients peinture|Forfait géométrie|Pneu 205/55 R16 91V|Recyclage déchets',
        'elec': 'Tableau 2 rangées équipé|Disjoncteur différentiel 30 mA|Prise 2P+T encastrée|Câble R2V 3G2,5 (ml)|Main d’œuvre électricien (h)|Mise en '
            'conformité terre|Spot LED encastré',
        'free': 'Conception identité visuelle|Maquette plaquette 4 pages|Rédaction d’articles|Séance photo (demi-journée)|Maintenance site internet '
            '(mois)|Traduction EN>FR (feuillet)',
        'veto': 'Consultation|Vaccin CHPPiL|Radiographie 2 clichés|Anesthésie générale|Détartrage|Comprimés antiparasitaires (bte)|Hospitalisation (jour)',
        'notaire': 'Émoluments de formalités|Émolument proportionnel|Droits d’enregistrement avancés|État hypothécaire|Copies authentiques|Honoraires de '
            'consultation (art. L444-1)',
        'vente': 'Lave-linge 8 kg frontal|Canapé 3 places tissu gris|Livraison à l’étage|Extension garantie 2 ans|Reprise ancien appareil|Matelas '
            '140x190|Éco-participation meuble',
        'en': 'Boiler service and safety check|Labour (hours)|Copper pipe 22mm (m)|Call-out charge|Replacement thermostat|Roof tiles, supply and '
            'fit|Scaffold hire (week)|'
              'Skirting boards, primed (m)|Skip hire|Gutter clearance|Emergency lock change',
        'us': 'Water heater install|Drywall repair, labor (hr)|Interior paint (gal)|Dump fee|Service call|Shingle replacement (sq)|Permit fee|Garage door '
            'spring',
        'de': 'Arbeitsstunden Monteur|Anfahrtspauschale|Thermostatventil|Rohrleitung 18 mm (m)|Wartung Gasheizung|Kleinmaterial',
        'es': 'Mano de obra oficial (h)|Desplazamiento|Grifo monomando|Pintura plástica (m²)|Retirada de escombros|Sustitución de persiana',
        'it': 'Manodopera (ore)|Diritto di chiamata|Rubinetto miscelatore|Tinteggiatura pareti (mq)|Smaltimento materiali|Sostituzione caldaia',
        'nl': 'Arbeidsloon (uur)|Voorrijkosten|Schilderwerk kozijnen|Thermostaatkraan|Afvoer puin',
            'pt': 'Mão de obra (h)|Deslocação|Torneira misturadora|Pintura (m²)|Remoção de entulho',
    }[trade].split('|')
    out = []
    for name in w.r.sample(stock, min(len(stock), n or w.r.randint(2, 6))):
        small = '(' in name and not name.endswith('(art. L444-1)')
        q = D(w.pick('1', '2', '3', '4.5', '7', '12', '18.5')) if small else D(w.pick('1', '1', '1', '2'))
        u = w.eur(9, 68) if small else w.eur(18, 690)
        out.append((name, q, u, q2(q * u)))
    return out


def qfr(q):
    return str(q).replace('.', ',')


def to_block(p, v, co=True):
    return f'{esc(p.title)} {esc(v.full)}<br>{esc(p.street)}<br>{esc(p.pc)} {esc(p.city)}'


def cust(w, cc='FR'):
    p = w.person(cc)
    return p, f'{p.title} {p.first} {p.last}', [f'{p.title} {p.first} {p.last}', p.street, f'{p.pc} {p.city}']


# ================================================================== invoices
def word_base(w, font=None, size=None):
    d = Document()
    st = d.styles['Normal']
    st.font.name, st.font.size = font or w.pick('Carlito', 'Liberation Serif', 'Liberation Sans', 'URW Bookman', 'Lato'), Pt(size or w.pick(10, 10.5, 11))
    st.paragraph_format.space_after = Pt(2)
    s = d.sections[0]
    s.page_width, s.page_height = Cm(21), Cm(29.7)
    s.left_margin = s.right_margin = Cm(w.pick(1.8, 2.2, 2.5))
    s.top_margin = s.bottom_margin = Cm(w.pick(1.5, 2))
    return d


def para(d, text='', bold=False, size=None, al=None, color=None, ind=None, after=None, it=False):
    p = d.add_paragraph()
    r = p.add_run(text)
    r.bold, r.italic = bold, it
    if size:
        r.font.size = Pt(size)
    if color:
        r.font.color.rgb = RGBColor.from_string(color)
    if al:
        p.alignment = {'r': AL.RIGHT, 'c': AL.CENTER, 'j': AL.JUSTIFY}[al]
    if ind:
        p.paragraph_format.left_indent = Cm(ind)
    if after is not None:
        p.paragraph_format.space_after = Pt(after)
    return p


def grid(d, rows, widths, style='Table Grid', right=(), head=True):
    t = d.add_table(rows=0, cols=len(widths))
    t.style = style
    for i, row in enumerate(rows):
        cells = t.add_row().cells
        for j, (c, x) in enumerate(zip(cells, row)):
            c.width = Cm(widths[j])
            c.text = ''
            r = c.paragraphs[0].add_run(str(x))
            r.bold = head and i == 0
            if j in right:
                c.paragraphs[0].alignment = AL.RIGHT
    return t


def inv_word(w):
    f, (p, name, to) = w.firm(stem=w.pick('{n} Plomberie Chauffage', 'Entreprise {n}', '{n} & Fils', 'SOS Dépannage {n}')), cust(w)
    day = w.day(700, 4)
    no = w.pick(f'F{day:%Y}-{w.num(3)}', f'{day:%y%m}{w.num(3)}', f'FA{w.num(5)}', f'{w.num(3)}/{day.year}')
    L = lines_of(w, w.pick('plomb', 'peint', 'elec'))
    rate = [w.pick(D('10'), D('20'), D('10')) for _ in L]
    d = word_base(w)
    para(d, w.f('issuer', f.name), True, w.pick(14, 18, 22), color=w.pick('1F3864', '7B2C1E', '2E5E1E', '000000'))
    para(d, f'{f.street} – {f.pc} {f.city}', size=9)
    para(d, f'Tél. {f.tel}   Siret {f.siret}   APE 4322A', size=9, after=14)
    for x in to:
        para(d, x, ind=9.5)
    para(d, f'{f.city}, le {w.fd("issueDate", day, w.pick("/", "long"))}', al='r')
    para(d, f'{w.pick("FACTURE n° ", "Facture N°", "FACTURE : ")}{w.f("invoiceNumber", no)}', True, 14, after=10)
    para(d, w.pick('Objet : travaux dans votre logement', 'Suivant devis accepté', f'Chantier : {p.street}, {p.city}'), after=6)
    grid(d, [('Désignation', 'Qté', 'P.U. HT', 'TVA', 'Montant HT')] + [(a, qfr(q), money(u), f'{r} %', money(t)) for (a, q, u, t), r in zip(L, rate)],
         [8, 1.6, 2.6, 1.6, 3], w.pick('Table Grid', 'Light Grid Accent 1', 'Light List'), (1, 2, 3, 4))
    ht = sum(x[3] for x in L)
    vat = {r: q2(sum(x[3] for x, y in zip(L, rate) if y == r) * r / 100) for r in sorted(set(rate))}
    ttc = ht + sum(vat.values())
    dep = q2(ttc * D('0.3')) if w.r.random() < .4 else D(0)
    para(d)
    para(d, f'Total HT : {money(ht)}', al='r')
    for r, v in vat.items():
        para(d, f'TVA {r} % : {money(v)}', al='r')
    if dep:
        para(d, f'Total TTC : {money(ttc)}', al='r')
        para(d, f'Acompte versé le {fdate(day - 30 * DAY, "/")} : -{money(dep)}', al='r')
    para(d, f'{w.pick("NET À PAYER : ", "Net à payer TTC : ")}{w.fa("totalAmount", w.tot(ttc - dep))}', True, 12, 'r', after=12)
    para(d, w.pick('Règlement à réception par chèque ou virement', 'Paiement à 30 jours, échéance ' + fdate(w.late(day + 30 * DAY), '/')))
    if w.r.random() < .7:
        para(d, 'IBAN : ' + w.fi(w.iban()))
    para(d, 'En cas de retard, indemnité forfaitaire de 40 € et pénalités au taux de 3 fois l’intérêt légal.', size=8, it=True)
    para(d, f'TVA intracommunautaire {f.vat}', size=8)
    return res('office', d, day, 'colon')


def inv_app(w):
    """The coloured bill of a free invoicing site, by someone who charges no VAT."""
    p0 = w.person()
    me = f'{p0.first} {p0.last}'
    (p, name, to), day = cust(w), w.day(600, 3)
    L, col = lines_of(w, 'free'), w.pick('#3a7bd5', '#e2574c', '#1abc9c', '#6c5ce7', '#222')
    tot = sum(x[3] for x in L)
    disc = q2(tot * D('0.05')) if w.r.random() < .4 else 0
    siret = w.siret(w.siren())
    due = w.late(day + w.pick(15, 30, 45) * DAY)
    rows = ''.join(f'<tr><td>{esc(a)}<td class=n>{qfr(q)}<td class=n>{money(u)}<td class=n>{money(t)}' for a, q, u, t in L)
    body = f'''<div class=top><div><b style="font-size:15pt;color:{col}">{esc(w.f("issuer", me))}</b>
<br>{esc(w.pick("Graphiste indépendante", "Micro-entreprise", "Photographe"))}<br>
{esc(p0.street)}<br>{p0.pc} {esc(p0.city)}<br>SIRET {siret}</div><div style="text-align:right"><div class=big>Facture</div>
<table class=m><tr><td>Numéro<td><b>{w.f("invoiceNumber", w.pick(f"{day.year}-{w.num(4)}", f"INV-{w.num(6)}", f"FAC{day:%y}-{w.num(3)}"))}</b>
<tr><td>Date d’émission<td>{w.fd("issueDate", day, w.pick("/", "long"))}<tr><td>Échéance<td>{fdate(due, "/")}</table></div></div>
<div class=to><small>DESTINATAIRE</small><br>{"<br>".join(map(esc, to))}</div>
<table class=l><tr><th>Description<th class=n>Quantité<th class=n>Prix unitaire<th class=n>Total{rows}</table>
<table class=t>{f"<tr><td>Sous-total<td>{money(tot)}<tr><td>Remise 5 %<td>-{money(disc)}" if disc else ""}
<tr class=g><td>Total à payer<td>{w.fa("totalAmount", w.tot(tot - disc))}</table>
<p class=s>TVA non applicable, art. 293 B du CGI</p><p class=s>Moyen de paiement : virement<br>IBAN {w.fi(w.iban("FR"))}<br>BIC {w.bic("FR")}</p>
<div class=ft>{esc(me)} – SIRET {siret} – dispensé d’immatriculation au RCS et au RM &nbsp; 1/1</div>'''
    css = f'''body{{font:{w.pick("10pt Lato", "9.5pt Roboto", "10pt 'Open Sans'")};color:#333}}.top{{display:flex;justify-content:space-between}}
.big{{font-size:26pt;color:{col}}}
.m td{{padding:1mm 2mm}}.to{{margin:12mm 0;padding:4mm;background:#f4f6f8;width:70mm;border-left:1mm solid
{col}}}.l{{width:100%}}.l th{{background:{col};color:#fff;text-align:left;padding:2mm}}
.l td{{padding:2.4mm 2mm;border-bottom:.2mm solid #ddd}}.l .n{{text-align:right}}.t{{margin:5mm 0 10mm
auto;min-width:70mm}}.t td{{padding:1.5mm 2mm}}.t td+td{{text-align:right}}
.g td{{font-weight:bold;font-size:12pt;border-top:.4mm solid {col}}}.s{{font-size:8.5pt}}
.ft{{position:fixed;bottom:0;font-size:7pt;color:#888;width:100%;text-align:center}}'''
    return res(w.pick('chrome', 'weasy'), page(css, body, title=w.pick('Facture', '')), day, 'table', claim=None)


def inv_garage(w):
    """A workshop program: boxes, plate and mileage, work by hours, excess of the insurer."""
    f, (p, name, to), day = w.firm(stem=w.pick('Garage {n}', 'Carrosserie {n}', 'Auto {n} Services')), cust(w), w.day(500, 4)
    L = lines_of(w, 'garage', w.r.randint(4, 8))
    plate = f'{w.let(2)}-{w.num(3)}-{w.let(2)}'
    ht = sum(x[3] for x in L)
    tva = q2(ht * D('.2'))
    fr = D(w.pick(0, 0, 250, 300))
    net = ht + tva
    rows = ''.join(f'<tr><td>{w.let(2)}{w.num(5)}<td>{esc(a.upper())}<td class=n>{qfr(q)}<td class=n>{money(u, cur=False)}<td class=n>0,00<td '
        f'class=n>{money(t, cur=False)}<td>1' for a, q, u, t in L)
    pay = f'<tr><td>Part assurance ({esc(w.pick("MAVIA", "ASSURIA", "GROUPE PRÉVOIR-AUTO"))})<td class=n>-{money(net - fr, cur=False)}' if fr else ''
    due = fr if fr else net
    body = f'''<table class=w><tr><td style="width:50%"><b style="font-size:13pt">{esc(w.f("issuer", f.name.upper()))}</b><br>{esc(f.street)}
<br>{f.pc} {esc(f.city.upper())}<br>Tél : {f.tel}<br>
R.C.S. {esc(f.city)} {f.siren}<br>N° TVA : {f.vat}<td class=b>{"<br>".join(esc(x.upper()) for x in to)}</table>
<table class="w g"><tr><th>FACTURE N°<th>DATE<th>N° O.R.<th>COMPTE CLIENT<th>RÉCEPT.<tr><td>{w.f("invoiceNumber", w.pick(w.num(7), "FC" + w.num(6)))}
<td>{w.fd("issueDate", day)}<td>{w.num(6)}<td>4110{w.num(3)}<td>{w.let(3)}</table>
<table class="w g"><tr><th>IMMATRICULATION<th>MARQUE / TYPE<th>N° DE SÉRIE<th>1re M.E.C.<th>KILOMÉTRAGE<tr><td>{plate}
<td>{w.pick("PEUGEOT 208", "RENAULT CLIO IV", "CITROEN C3", "VW GOLF VII")}<td>{w.vin()}
<td>{fdate(w.early(w.day(day - 3600 * DAY, day - 800 * DAY)), "/")}<td>{w.nz(5)}</table>
<table class="w l"><tr><th>Réf.<th>Désignation<th>Qté<th>P.U. HT<th>Rem %<th>Montant HT<th>T{rows}</table>
<table style="margin-left:auto" class=g><tr><td>TOTAL HT<td class=n>{money(ht, cur=False)}<tr><td>TVA 20,00 % (1)<td class=n>{money(tva, cur=False)}<tr>
<td>TOTAL TTC<td class=n>{money(w.tot(net) if not fr else net, cur=False)}{pay}
<tr><td><b>NET À PAYER EUR</b><td class=n><b>{w.fa("totalAmount", w.tot(due), cur=False)}</b></table>
<p>Mode de règlement : {w.pick("CARTE BANCAIRE", "CHÈQUE", "COMPTANT")}&nbsp;&nbsp; Échéance : {fdate(w.late(day), "/")}</p>
<p class=f>Réserve de propriété (loi 80-335 du 12/05/1980). Les pièces remplacées ont été {w.pick("restituées", "recyclées")}.
Garantie 1 an pièces et main d'œuvre.</p>'''
    css = f'''body{{font:8.6pt {w.pick("'Liberation Sans'", "'Liberation Sans Narrow'", "'DejaVu Sans'")}}}.w{{width:100%;margin-bottom:4mm}}.b{{padding:12mm
0 4mm 10mm;font-size:10pt}}
.g th,.g td,.l th{{border:.25mm solid #000;padding:1mm 1.5mm}}.g th,.l th{{background:#ddd;font-size:7pt;font-weight:normal}}.l
td{{border-left:.25mm solid #000;border-right:.25mm solid #000;padding:.6mm 1.5mm}}
.l{{border:.25mm solid #000;min-height:60mm}}.n{{text-align:right}}.f{{font-size:6.5pt}}'''
    return res('weasy', page(css, body, '12mm'), day, 'table', claim=claim(w))


def tex(s):
    return re.sub(r'([&%$#_{}])', r'\\\1', s).replace('\u00a0', '~').replace('€', '\\euro{}').replace('’', "'").replace('\u202f', '~')


TEXHEAD = r'''\documentclass[%s]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage[french]{babel}
\usepackage{%s}\usepackage[a4paper,margin=2.3cm]{geometry}
\usepackage{array,textcomp}\providecommand{\euro}{\texteuro}\pagestyle{%s}\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\begin{document}'''


def inv_notary(w):
    f, (p, name, to), day = w.firm(stem='Maître {n}', forms=['']), cust(w), w.day(800, 6)
    L = lines_of(w, w.pick('notaire', 'notaire'), 4)
    ht = sum(x[2] for x in L[:2])
    deb = sum(x[2] for x in L[2:])
    tva = q2(ht * D('.2'))
    prov = q2((ht + deb) * D('.4'))
    o = w.f('issuer', w.pick(f'SCP {f.stem[7:]} et Associés', f'Office notarial {f.stem[7:]}', f'Étude de {f.stem}'))
    s = TEXHEAD % (w.pick('11pt', '10pt'), w.pick('lmodern', 'mathptmx', 'charter'), 'empty')
    s += f'{{\\Large\\scshape {tex(o)}}}\\\\ Notaires\\\\ {tex(f.street)}, {f.pc} {tex(f.city)}\\\\ \\vspace{{8mm}}\n\n\\hfill\\begin{{minipage}}{{7cm}}' \
        + r'\\ '.join(map(tex, to))
    s += f'\\end{{minipage}}\\vspace{{10mm}}\n\n{tex(f.city)}, le {w.fd("issueDate", day, "long")}\n\n\\textbf{{Facture ' \
        f'n\\textsuperscript{{o}} {w.f("invoiceNumber", f"{day.year}/{w.num(4)}")}}}'
    s += f'\\hfill Dossier {tex(p.last.upper())} / {w.num(6)} / {w.let(2)}' \
         f'\n\n\\vspace{{6mm}}\\begin{{tabular}}{{@{{}}p{{10.5cm}}r@{{}}}}\\hline \\textbf{{Émoluments et honoraires}} & \\\\'
    s += ''.join(f'{tex(a)} & {tex(money(u))}\\\\' for a, q, u,
        t in L[:2]) + f'TVA 20 \\% & {tex(money(tva))}\\\\[3pt]\\textbf{{Débours et taxes (non soumis à TVA)}} & \\\\'
    s += ''.join(f'{tex(a)} & {tex(money(u))}\\\\' for a, q, u,
        t in L[2:]) + f'\\hline Total & {tex(money(ht + tva + deb))}\\\\ Provision reçue & -{tex(money(prov))}\\\\'
    s += f'\\hline \\textbf{{Solde à régler}} & \\textbf{{{tex(w.fa("totalAmount", w.tot(ht + tva + deb - prov)))}}}' \
         f'\\\\ \\hline\\end{{tabular}}\n\n\\vspace{{8mm}}'
    s += f'Votre règlement est attendu pour le {fdate(w.late(day + 30 * DAY), "long")} par virement sur le compte de ' \
        f'l\'étude~:\n\nIBAN {w.fi(w.iban())}\n\n\\vfill\\footnotesize '
    s += f'Membre d\'une association agréée -- Le règlement des honoraires par chèque est accepté. SIRET {f.siret}.\\end{{document}}'
    return res('latex', s, day, 'prose')


def inv_listing(w):
    """A wholesaler's mainframe bill over two pages, with the sum carried over."""
    f, g, day = w.firm(stem='{n} Matériaux'), w.firm(stem='Entreprise {n}'), w.day(700, 4)
    items = [(w.pick('CIMENT CEM II 35KG', 'PLAQUE BA13 2500X1200', 'RAIL R48 3ML', 'VIS TTPC 25 BTE1000', 'LAINE VERRE 100MM', 'PARPAING 20X20X50',
        'TUBE PVC D100', 'ENDUIT JOINT 25KG',
              'CHEVRON 63X75', 'OSB 18MM'), D(w.r.randint(1, 60)), w.eur(1, 39)) for _ in range(w.pick(9, 44))]
    head = [f'!{w.f("issuer", f.name.upper())}', f'{plain(f.street).upper()}', f'{f.pc} {plain(f.city).upper()}      TEL {f.tel}',
        f'SIRET {f.siret}  NII {f.vat}', '',
            ' ' * 44 + g.name.upper(), ' ' * 44 + plain(g.street).upper(), ' ' * 44 + f'{g.pc} {plain(g.city).upper()}', '',
            f'!FACTURE NO {w.f("invoiceNumber", w.num(8))}    DU {w.fd("issueDate", day, w.pick("/", "/2"))}    CLIENT {w.num(6)}   REP {w.num(2)}', '',
            f'{"ARTICLE":<10}{"DESIGNATION":<30}{"QTE":>8}{"PU HT":>10}{"MONTANT HT":>14} T', '-' * 74]
    out, tot, n = head[:], D(0), 0
    for a, q, u in items:
        t = q2(q * u)
        tot += t
        out.append(f'{w.num(7):<10}{a:<30}{q:>8}{money(u, "fr0", False):>10}{money(t, "fr0", False):>14} 5')
        n += 1
        if n == 30:
            out += [f'{"A REPORTER":>48}{money(tot, "fr0", False):>24}'] + [''] * (57 - len(out) - 1) + head[:1] + [f'PAGE 2  SUITE FACTURE '
                f'{w.fields["invoiceNumber"].printed}', '',
                    f'{"REPORT":>48}{money(tot, "fr0", False):>24}']
    tva = q2(tot * D('.2'))
    out += ['-' * 74, f'{"TOTAL HT":>58}{money(tot, "fr0", False):>14}', f'{"TVA (5) 20,00 %":>58}{money(tva, "fr0", False):>14}',
        f'!{"NET A PAYER EUR":>58}{w.fa("totalAmount", w.tot(tot + tva), "fr0", False):>14}', '',
            f'REGLEMENT : LCR MAGNETIQUE A 45 JOURS FIN DE MOIS   ECHEANCE {fdate(w.late(day + 60 * DAY), "/")}',
                'PAS D ESCOMPTE POUR PAIEMENT ANTICIPE - PENALITES DE RETARD 12 %']
    return res('listing', [(9, 800, 13)] + out, day, 'table', claim=claim(w, .8))


def inv_typst(w):
    f, (p, name, to), day = w.firm(stem=w.pick('Atelier {n}', 'Cabinet vétérinaire {n}', 'Studio {n}')), cust(w), w.day(500, 3)
    L = lines_of(w, 'veto' if 'vét' in f.name else 'free')
    ht = sum(x[3] for x in L)
    tva = q2(ht * D('.2'))
    q = lambda s: s.replace('#', '\\#').replace('@', '\\@').replace('*', '\\*').replace('_', '\\_').replace('<', '\\<').replace('$', '\\$')
    br = ' \\ '
    rows = ''.join(f'[{q(a)}], [{qfr(n)}], [{money(u)}], [{money(t)}],\n' for a, n, u, t in L)
    s = f'''#set page(paper: "a4", margin: 2cm)\n#set text(font: "{w.pick("Lato", "Roboto", "Libertinus Serif", "Liberation Serif")}",
size: {w.pick(10, 10.5)}pt, lang: "fr")
#grid(columns: (1fr, 1fr), [*{q(w.f("issuer", f.name))}* \\ {q(f.street)} \\ {f.pc} {q(f.city)} \\ SIRET {f.siret}], align(right)[{br.join(q(x) for x in to)}])
#v(1.5cm)\n= Facture {q(w.f("invoiceNumber", w.pick(f"{w.let(2)}{w.num(4)}", f"{day.year}.{w.num(3)}")))}\nFait
à {q(f.city)} le {w.fd("issueDate", day, "long")}. À régler avant le {fdate(w.late(day + 30 * DAY), "long")}.
#table(columns: (1fr, auto, auto, auto), align: (left, right, right, right), stroke: (x, y) => if y ==
0 {{ (bottom: 1pt) }} else {{ (bottom: .3pt + gray) }}, [*Prestation*], [*Qté*], [*PU HT*], [*HT*],
{rows}[], [], [Total HT], [{money(ht)}], [], [], [TVA 20 %], [{money(tva)}], [], [], [*Total TTC*], [*{w.fa("totalAmount", w.tot(ht + tva))}*])
#v(1cm) Règlement par virement : {w.fi(w.iban())} #h(1fr) Merci de votre confiance.'''
    return res('typst', s, day, 'prose')


class Bill(FPDF):
    def footer(self):
        self.set_y(-12)
        self.set_font('Helvetica', 'I', 7)
        self.cell(0, 5, f'Page {self.page_no()}/{{nb}}', align='C')


def inv_fpdf(w):
    """A phone app's bill: core fonts, coloured bars, credit notes too."""
    f, (p, name, to), day = w.firm(stem=w.pick('{n} Élec', '{n} Multiservices', 'Allo {n}')), cust(w), w.day(400, 3)
    avoir = w.r.random() < .3
    L = lines_of(w, w.pick('elec', 'plomb'), w.r.randint(2, 5))
    s = -1 if avoir else 1
    ht = s * sum(x[3] for x in L)
    r = w.pick(D('5.5'), D('10'), D('20'))
    tva = q2(ht * r / 100)
    t = lambda x: x.replace('€', 'EUR').replace('\u00a0', ' ').replace('’', "'").replace('œ', 'oe').replace('–', '-').encode('latin-1',
        'replace').decode('latin-1')
    d = Bill()
    d.set_creation_date(dt.datetime(day.year, day.month, day.day, 10, 0, tzinfo=dt.timezone.utc))
    d.add_page()
    fam = w.pick('Helvetica', 'Times')
    d.set_font(fam, 'B', 16)
    d.set_fill_color(*w.pick((30, 90, 160), (200, 80, 30), (40, 120, 70)))
    d.set_text_color(255)
    d.cell(0, 12, '  ' + t(w.f('issuer', f.name)), fill=True, new_x='LMARGIN', new_y='NEXT')
    d.set_text_color(0)
    d.set_font(fam, '', 9)
    d.multi_cell(90, 5, t(f'{f.street}\n{f.pc} {f.city}\nTel. {f.tel}\nSIRET {f.siret}'), new_x='LMARGIN', new_y='NEXT')
    d.set_xy(120, 40)
    d.multi_cell(80, 5, t('\n'.join(to)), border=1)
    d.set_xy(10, 75)
    d.set_font(fam, 'B', 12)
    d.cell(0, 8, t(('AVOIR' if avoir else 'FACTURE') + ' N° ' + w.f('invoiceNumber', ('A' if avoir else w.pick('F', 'FA-', '')) + f'{day:%Y%m}{w.num(2)}')),
        new_x='LMARGIN', new_y='NEXT')
    d.set_font(fam, '', 10)
    d.cell(0, 6, t('Date : ' + w.fd('issueDate', day, w.pick('/', '.'))), new_x='LMARGIN', new_y='NEXT')
    if not avoir:
        d.cell(0, 6, t('Échéance : ' + fdate(w.late(day + 15 * DAY), '/')), new_x='LMARGIN', new_y='NEXT')
    else:
        d.cell(0, 6, t(f'Annule partiellement la facture du {fdate(w.early(day - 20 * DAY), "/")}'), new_x='LMARGIN', new_y='NEXT')
    d.ln(4)
    for i, row in enumerate([('Libellé', 'Qté', 'PU HT', 'Total HT')] + [(a, qfr(q), money(u, cur=False), money(s * x, cur=False)) for a, q, u, x in L]):
        d.set_font(fam, 'B' if i == 0 else '', 9)
        for c, wd in zip(row, (100, 20, 30, 40)):
            d.cell(wd, 7, t(c), border='TB' if i == 0 else 'B', align='L' if wd == 100 else 'R')
        d.ln()
    d.ln(4)
    for a, b in (('Total HT', money(ht)), (f'TVA {qfr(r)} %', money(tva)), ('Net à déduire' if avoir else 'Net à payer', w.fa('totalAmount', w.tot(ht + tva)))):
        d.set_font(fam, 'B' if a.startswith('Net') else '', 10)
        d.cell(150, 7, t(a), align='R')
        d.cell(40, 7, t(b), align='R', new_x='LMARGIN', new_y='NEXT')
    w.fields['totalAmount'].printed = t(w.fields['totalAmount'].printed)
    d.set_font(fam, '', 8)
    if not avoir:
        d.cell(0, 10, t('Coordonnées bancaires : ' + w.fi(w.iban())))
    return res('raw', bytes(d.output()), day, 'colon')


def inv_situation(w):
    """A progress bill: work so far, less the earlier bills, less what the client keeps back."""
    f, (p, name, to), day = w.firm(stem=w.pick('{n} Construction', 'Charpente {n}')), cust(w), w.day(600, 4)
    market, pct, prev = w.eur(9000, 42000), w.pick(60, 75, 90), w.pick(30, 45)
    cum, before = q2(market * pct / 100), q2(market * prev / 100)
    ht = cum - before
    tva = q2(ht * D('.1'))
    keep = q2((ht + tva) * D('.05'))
    d = word_base(w, size=10)
    t = grid(d, [(f'{w.f("issuer", f.name)}\n{f.street}\n{f.pc} {f.city}\nSIRET {f.siret}', '\n'.join(to))], [8.5, 8.5], 'Normal Table', head=False)
    para(d)
    para(d, f'FACTURE DE SITUATION N° {w.pick(2, 3)}', True, 15, 'c')
    para(d, f'Facture {w.f("invoiceNumber", f"SIT{w.num(4)}-{day:%y}")} du {w.fd("issueDate", day)} – marché du {fdate(w.early(day - 160 * DAY), "/")}',
        al='c', after=12)
    rows = [('Libellé', 'Montant EUR'), ('Montant du marché HT', money(market, cur=False)), (f'Avancement cumulé {pct} %', money(cum, cur=False)),
        (f'Situations précédentes {prev} %', '-' + money(before, cur=False)),
            ('Montant HT de la présente situation', money(ht, cur=False)), ('TVA 10 %', money(tva, cur=False)), ('Montant TTC', money(ht + tva, cur=False)),
                ('Retenue de garantie 5 % (caution)', '-' + money(keep, cur=False)),
            ('NET À RÉGLER', w.fa('totalAmount', w.tot(ht + tva - keep), cur=False))]
    grid(d, rows, [12, 4.5], w.pick('Table Grid', 'Medium Shading 1 Accent 1', 'Light Shading'), (1,))
    para(d)
    para(d, 'Attestation TVA taux réduit remise par le client. Virement : ' + w.fi(w.iban()) + ' / ' + w.bic('FR'), size=9)
    return res('office', d, day, 'table')


def inv_be(w):
    f, (p, name, to), day = w.firm('BE', w.pick('{n} Toitures', 'Boulangerie {n}', 'Établissements {n}')), cust(w, 'BE'), w.day(500, 3)
    L = lines_of(w, w.pick('peint', 'vente'))
    rate = [D(w.pick(6, 21)) for _ in L]
    ht = sum(x[3] for x in L)
    vat = {r: q2(sum(x[3] for x, y in zip(L, rate) if y == r) * r / 100) for r in sorted(set(rate))}
    style = w.pick('be', 'be2')
    tva = 'BE ' + w.bce()
    rows = ''.join(f'<tr><td>{esc(a)}<td>{qfr(q)}<td>{money(u, "be", False)}<td>{r}%<td>{money(t, "be", False)}' for (a, q, u, t), r in zip(L, rate))
    body = f'''{logo(f.name, f.stem)}<p class=r>{esc(to[0])}<br>{esc(to[1])}<br>{esc(to[2])}</p><h2>Facture</h2><p>Facture n° : 
<b>{w.f("invoiceNumber", f"{day.year}/{w.num(4)}")}</b><br>Date facture : {w.fd("issueDate", day, w.pick("/", "-"))}
<br>Date d'échéance : {fdate(w.late(day + 30 * DAY), "/")}<br>Votre référence : {w.num(5)}</p><table class=l><tr><th>Description<th>Qté<th>PU<th>TVA
<th>Total HTVA{rows}</table>
<table class=t><tr><td>Total HTVA<td>{money(ht, style)}{"".join(f"<tr><td>TVA {r}%<td>{money(v, style)}" for r, v in vat.items())}<tr><td><b>Total TVAC</b>
<td><b>{w.fa("totalAmount", w.tot(ht + sum(vat.values())), style)}</b></table>
<p>À verser sur le compte {w.fi(w.iban("BE"))} (BIC {w.bic("BE")}) avec la communication {w.ogm()}</p>
<div class=f>{esc(w.f("issuer", f.name))} – {esc(f.street)} – {f.pc} {esc(f.city)} – TVA {tva} – RPM {esc(w.pick("Bruxelles", "Liège", "Namur"))}
– {f.tel}</div>'''
    css = f'''body{{font:10pt {w.pick("Carlito", "Roboto", "'Open Sans'", "'URW Gothic'")}}}.r{{margin-left:105mm}}.l{{width:100%}}.l
th{{text-align:left;border-bottom:.5mm solid #444}}.l td{{padding:1.4mm 0}}
.t{{margin:8mm 0 8mm auto}}.t td{{padding:1mm 3mm;text-align:right}}.f{{position:fixed;bottom:0;font-size:7.5pt;border-top:.2mm
solid #888;width:100%}}h2{{font-weight:300}}'''
    return res(w.pick('weasy', 'chrome'), page(css, body), day, 'colon', claim=None)


def inv_ch(w):
    f, (p, name, to), day = w.firm('CH', w.pick('Menuiserie {n}', 'Garage {n}', '{n} Paysagiste')), cust(w, 'CH'), w.day(500, 3)
    L = lines_of(w, w.pick('peint', 'garage'))
    ht = sum(x[3] for x in L)
    tva = q2(ht * D('.081'))
    tot = ((ht + tva) * 20).quantize(D(1)) / 20      # Swiss bills end in five centimes
    due = w.tot(tot)
    ib = w.iban('CH')
    rows = ''.join(f'<tr><td>{i + 1}<td>{esc(a)}<td>{q}<td>{money(u, "ch", False)}<td>{money(t, "ch", False)}' for i, (a, q, u, t) in enumerate(L))
    body = f'''<b>{esc(w.f("issuer", f.name))}</b><br>{esc(f.street)}, {f.pc} {esc(f.city)}<br>{w.uid()} TVA
<p style="margin:14mm 0 10mm">{"<br>".join(map(esc, to))}</p>
<p>{esc(f.city)}, le {w.fd("issueDate", day, w.pick(".", "long"))}</p><h3>Facture no {w.f("invoiceNumber", w.num(5))}</h3><table class=l><tr><th>Pos.
<th>Désignation<th>Qté<th>Prix<th>CHF{rows}
<tr><td><td>Sous-total<td><td><td>{money(ht, "ch", False)}<tr><td><td>TVA 8.1 %<td><td><td>{money(tva, "ch", False)}<tr><td><td>Arrondi<td><td>
<td>{money(tot - ht - tva, "ch", False)}
<tr><td><td><b>Total CHF</b><td><td><td><b>{w.fa("totalAmount", due, "ch", False)}</b></table>
<p>Payable à 30 jours net, soit au {fdate(w.late(day + 30 * DAY), ".")}.</p>
<div class=q><div><b>Récépissé</b><br><small>Compte / Payable à</small><br>{" ".join(ib[i:i + 4] for i in range(0, 21, 4))}<br>{esc(f.name)}
<br>{f.pc} {esc(f.city)}<br><br><small>Monnaie &nbsp; Montant</small><br>CHF &nbsp; {money(due, "ch", False).replace("'", " ")}</div>
<div><b>Section paiement</b><br><br>
<svg width=130 height=130>{"".join(f'<rect x="{x * 5}" y="{y * 5}" width="5" height="5"/>' for x in range(26) for y in range(26) if w.r.random() < .5)}
<rect x="54" y="54" width="22" height="22" fill="#fff"/><rect x="56" y="56" width="18" height="18"/>
<path d="M65 59v12M59 65h12" stroke="#fff" stroke-width="4"/></svg></div>
<div><small>Compte / Payable à</small><br>{w.fi(ib)}<br>{esc(f.name)}<br>{esc(f.street)}<br>{f.pc} {esc(f.city)}<br><br>
<small>Informations supplémentaires</small><br>Facture {w.fields["invoiceNumber"].printed}<br><br><small>Payable par</small>
<br>{"<br>".join(map(esc, to))}</div></div>'''
    css = f'''body{{font:9.5pt {w.pick("'Liberation Sans'", "'Nimbus Sans'")}}}.l{{width:100%}}.l td,.l
th{{text-align:left;padding:1mm}}.l td:last-child,.l th:last-child{{text-align:right}}
.q{{position:absolute;bottom:0;left:0;right:0;border-top:.2mm dashed #000;display:flex;gap:8mm;padding-top:4mm;font-size:8pt}}'''
    return res('chrome', page(css, body, '14mm'), day, 'table')


# ================================================================== proof of address
SUPPLY = ['Énergie Vallonne', 'Lumio', 'Alpéo Énergies', 'Gaz & Volts de l’Ouest', 'Électris', 'Soleyane']
WATER = ['Eaux du Pévèle', 'Syndicat des Eaux de la Plaine', 'Aqualiane', 'Régie des Eaux du Littoral']
TEL = ['Télévia', 'Fibréo', 'Mobilys', 'Nordcom', 'Orbi Telecom']


def poa_energy(w):
    """A supplier's two-column bill with meter readings, taxes and instalments."""
    p, day = w.person(), w.day(340, 3)
    v, a, co = w.who(p, w.pick(str.upper, str)), w.where(p, w.pick(str.upper, str)), w.f('issuer', w.pick(SUPPLY))
    o = w.nz(5)
    kwh = w.r.randint(300, 3100)
    conso, abo, cta = q2(D(kwh) * D('0.1746')), w.eur(20, 60), w.eur(3, 9)
    ht = conso + abo + cta
    tva = q2((abo + cta) * D('.055')) + q2(conso * D('.2'))
    col = w.pick('#0a5', '#e67e00', '#036', '#7a1fa2')
    start, end = w.early(day - 64 * DAY), day - 4 * DAY
    body = f'''<div class=h>{logo(co, co)}<div class=x>Facture du <b>{w.fd("issueDate", day, w.pick("long", "/"))}</b><br>N° {w.num(11)}</div></div>
<div class=c><div class=lft><p><b>Vos références</b><br>N° client : {w.nz(10)}<br>N° de compte : {w.num(2)} {w.num(3)} {w.num(3)} {w.num(3)}
<br>Point de livraison (PDL) :<br>{w.nz(14)}</p>
<p><b>Titulaire du contrat</b><br>{esc(v.fulr)}</p><p><b>Lieu de consommation</b><br>{esc(a.street)}<br>{esc(a.tail)}</p><p><b>Nous contacter</b>
<br>09 69 {w.num(2)} {w.num(2)} {w.num(2)}<br>appel non surtaxé</p></div>
<div class=rgt><div class=adr>{esc(p.title)} {esc(v.full)}<br>{esc(a.street)}
<br>{esc(a.tail)}</div>
<div class=big><span>Montant à payer TTC</span><b>{money(w.tot(ht + tva))}</b><br><small>prélevé le {fdate(w.late(day + 16 * DAY), "long")}</small></div>
<table><tr><th>Électricité du {fdate(start, "/")} au {fdate(end, "/")}<th>kWh<th>HT<tr><td>Abonnement {w.pick(6, 9)} kVA – option base<td><td>{money(abo)}
<tr><td>Index {o} → {int(o) + kwh} (relevé {w.pick("réel", "estimé")})<td>{kwh}<td>{money(conso)}
<tr><td>CTA<td><td>{money(cta)}<tr><td>Total hors TVA<td><td>{money(ht)}<tr><td>TVA 5,5 % et 20 %<td><td>{money(tva)}</table>
<p class=s>Consultez l’évolution de votre consommation sur votre espace client. Prochain relevé vers le {fdate(day + 58 * DAY, "/")}.</p></div></div>
<div class=f>{esc(co)} – SA au capital de {group3(w.nz(8))} € – {w.siren()} RCS Nanterre<span style="float:right">1/2</span></div>
<div style="page-break-before:always"><h3>Le détail de votre facture</h3>
<p class=s>Prix du kWh : 0,1746 € HT. TURPE inclus. Le fournisseur verse les contributions au gestionnaire
du réseau. En cas de litige, médiateur national de l’énergie.</p>
<p>Historique (kWh) : {" – ".join(f"{m} {w.r.randint(90, 900)}" for m in ("jan", "mar", "mai", "juil", "sept", "nov"))}</p></div>'''
    css = f'''body{{font:9pt {w.pick("Lato", "'Open Sans'", "Roboto")};color:#222}}.h{{display:flex;justify-content:space-between;border-bottom:1mm
solid {col}}}.x{{text-align:right}}.c{{display:flex;gap:8mm}}
.lft{{width:48mm;background:#f3f6f4;padding:3mm;font-size:8pt}}.rgt{{flex:1}}.adr{{margin:14mm 0 14mm
30mm;font-size:10pt}}.big{{background:{col};color:#fff;padding:4mm;border-radius:3mm}}.big b{{float:right;font-size:17pt}}
table{{width:100%;margin-top:6mm}}td,th{{text-align:left;padding:1.2mm;border-bottom:.1mm solid #ccc}}td:last-child,td:nth-child(2){{text-align:right}}
.s{{font-size:7.5pt;color:#555}}.f{{position:absolute;top:268mm;width:100%;font-size:6.5pt}}'''
    return res(w.pick('weasy', 'weasy', 'chrome'), page(css, body, '12mm'), day, 'nolabel')


def group3(s):
    return re.sub(r'(?<=\d)(?=(\d{3})+$)', '\u00a0', s)


def poa_water(w):
    """A utility's batch print: narrow fixed columns, window address without any label."""
    p, day = w.person(), w.day(360, 3)
    v, a, co = w.who(p), w.where(p, str.upper), w.f('issuer', w.pick(WATER).upper())
    i0, m3 = w.r.randint(200, 2000), w.r.randint(12, 95)
    eau, ass, abo = q2(m3 * D('1.6421')), q2(m3 * D('1.9030')), w.eur(14, 33)
    ht = eau + ass + abo
    tva = q2(ht * D('.055'))
    L = [f'!{co}', 'SERVICE CLIENTELE  BP ' + w.num(3), '', '', ' ' * 46 + f'{plain(p.title).upper()} {plain(v.fulr)}', ' ' * 46 + plain(a.street).upper(),
        ' ' * 46 + plain(a.tail), '', '',
         f'FACTURE D EAU ET D ASSAINISSEMENT         NO {w.num(9)}',
             f'EMISE LE {w.fd("issueDate", day, w.pick("/", "."))}          REFERENCE ABONNE {w.num(3)}.{w.num(5)}.{w.num(2)}', '',
         f'ADRESSE DESSERVIE : {plain(a.street).upper()}', f'COMPTEUR {w.let(1)}{w.num(2)}{w.let(2)}{w.num(6)}  DIAMETRE 15',
             f'RELEVE ANCIEN {i0:>6} LE {fdate(w.early(day - 190 * DAY), "/")}',
         f'RELEVE NOUVEAU {i0 + m3:>5} LE {fdate(day - 9 * DAY, "/")}', f'CONSOMMATION {m3:>7} M3', '-' * 72,
             f'{"RUBRIQUE":<34}{"QUANTITE":>10}{"PRIX":>12}{"MONTANT HT":>14}',
         f'{"ABONNEMENT SEMESTRE":<34}{"1":>10}{"":>12}{money(abo, "fr0", False):>14}',
             f'{"DISTRIBUTION DE L EAU":<34}{m3:>10}{"1,6421":>12}{money(eau, "fr0", False):>14}',
         f'{"COLLECTE ET TRAITEMENT EAUX USEES":<34}{m3:>10}{"1,9030":>12}{money(ass, "fr0", False):>14}', '-' * 72,
             f'{"TOTAL HT":>56}{money(ht, "fr0", False):>14}',
         f'{"TVA 5,5 %":>56}{money(tva, "fr0", False):>14}', f'!{"NET A PAYER":>56}{money(w.tot(ht + tva), "fr0", False):>14}', '',
             f'A PAYER AVANT LE {fdate(w.late(day + 25 * DAY), "/")} PAR TIP, CHEQUE OU PRELEVEMENT', '',
         '- - - - - - - - - - - - - - TALON A DETACHER - - - - - - - - - - - - - -', f'{w.num(12)} {w.num(24)}', f'{money(w.tot(ht + tva), "fr0")}']
    for k in ('lastName', 'firstName', 'address', 'city'):
        w.fields[k].printed = plain(w.fields[k].printed)
        w.fields[k].printed = w.fields[k].printed.upper() if k == 'address' else w.fields[k].printed
    return res('listing', [(w.pick(9, 9.5, 10), 800, 13.4)] + L, day, 'nolabel', claim=claim(w, .8))


def poa_telecom(w):
    p, day = w.person(), w.day(300, 3)
    v, a, co = w.who(p, str), w.where(p), w.f('issuer', w.pick(TEL))
    abo, opt, hors = w.eur(15, 45), w.eur(2, 12), w.eur(0, 9)
    tot = abo + opt + hors
    ht = q2(tot / D('1.2'))
    c = w.pick('#d0006f', '#f60', '#111', '#0057b8')
    body = f'''<table class=w><tr><td><span class=lg>{esc(co)}</span><td class=r>votre facture
<br>{w.pick("mobile", "internet fibre", "internet + mobile")}</table>
<table class=w style="margin-top:8mm"><tr><td class=k>titulaire<td>{esc(v.full)}<td rowspan=5 class=a>{esc(v.full)}<br>{esc(a.street)}<br>{esc(a.tail)}<tr>
<td class=k>n° de ligne<td>0{w.pick(6, 7, 9)} {w.num(2)} {w.num(2)} {w.num(2)} {w.num(2)}
<tr><td class=k>n° de client<td>{w.num(9)}<tr><td class=k>n° de facture<td>{w.let(1)}{w.num(9)}<tr><td class=k>date de facture
<td>{w.fd("issueDate", day, w.pick("/", "long", "."))}</table>
<h1>{money(w.tot(tot))} <small>TTC</small></h1><p>Prélèvement sur votre compte bancaire à partir du {fdate(w.late(day + 12 * DAY), "/")}</p>
<table class="w d"><tr><td>Abonnements, forfaits, formules et options (du {fdate(w.early(day - 3 * DAY), "/")} au {fdate(day + 27 * DAY, "/")})
<td>{money(abo)}<tr><td>Options<td>{money(opt)}<tr><td>Consommations hors forfait<td>{money(hors)}
<tr><td>Total TTC<td>{money(w.tot(tot))}<tr><td class=s>dont montant HT {money(ht)} – TVA 20 % {money(tot - ht)}<td></table>
<p class=s style="margin-top:90mm">{esc(co)} SAS au capital de 12 000 000 € – RCS Paris {w.siren()} –
Service client : 3{w.num(3)}. Ce document peut servir de justificatif de domicile.</p>'''
    css = f'''body{{font:9.5pt {w.pick("Roboto", "'URW Gothic'", "'Nimbus Sans'")}}}.w{{width:100%}}.lg{{font-size:24pt;font-weight:bold;color:{c}}}
.r{{text-align:right;font-size:13pt}}.k{{color:#666;width:32mm}}
.a{{font-size:10.5pt;padding:6mm 0 0 18mm;vertical-align:bottom}}h1{{color:{c};margin:12mm 0 0}}.d td{{border-bottom:.2mm
solid #bbb;padding:2mm 0}}.d td+td{{text-align:right}}.s{{font-size:7.5pt;color:#777}}'''
    return res(w.pick('chrome', 'weasy'), page(css, body, '15mm'), day, 'table', claim=None)


def poa_attest(w):
    """A certificate of contract from the customer's web space, all in one sentence."""
    p, day = w.person(), w.day(120, 2)
    v, a, co = w.who(p, w.pick(str, str.upper)), w.where(p), w.f('issuer', w.pick(SUPPLY + TEL))
    since = w.early(w.day(3000, 200))
    kind = w.pick('fourniture d’électricité', 'fourniture de gaz naturel', 'accès internet')
    body = f'''{logo(co, co)}<p style="text-align:right">Le {w.fd("issueDate", day, w.pick("/", "long"))}</p>
<h2>{w.pick("Attestation de titulaire de contrat", "Attestation de contrat", "Justificatif de domicile")}</h2>
<p>Nous, {esc(co)}, attestons que 
<b>{esc(p.title)} {esc(v.full)}</b> est titulaire depuis le {fdate(since, "/")} d’un contrat de {kind} (référence {w.num(9)}) pour le logement situé :</p>
<p style="margin-left:20mm"><b>{esc(a.street)}<br>{esc(a.tail)}</b></p>
<p>Cette attestation est établie à la demande de l’intéressé{"e" if p.sex == "F" else ""} et ne peut servir à des fins de preuve de paiement.</p>
<p style="margin-top:20mm">Le service clients</p>{scrawl(co)}<p class=s>{esc(co)} – {w.num(1)} rue des Télégraphes 75008 Paris – {w.siren()} RCS Paris</p>'''
    css = f'''body{{font:11pt/1.6 {w.pick("Lato", "Roboto", "Carlito", "'Liberation Sans'")}}}h2{{text-align:center;margin:20mm
0}}.s{{font-size:7.5pt;margin-top:50mm;color:#555}}'''
    return res(w.pick('chrome', 'chromehead', 'weasy'), page(css, body, '20mm', title=w.pick('Attestation', 'Espace client')), day, 'prose')


def poa_letter(w):
    """A schedule of instalments sent as a Word letter by a small local supplier."""
    p, day = w.person(), w.day(300, 10)
    v, a, co = w.who(p), w.where(p), w.f('issuer', w.pick('Régie municipale d’électricité de ', 'Régie des Eaux de ') + w.place('FR')[1])
    m = w.eur(28, 140)
    d = word_base(w)
    para(d, co, True, 13)
    para(d, 'Service des abonnés – ouvert de 8h30 à 12h', size=9, after=20)
    for x in (f'{p.title} {v.full}', a.street, a.tail):
        para(d, x, ind=9)
    para(d, f'Le {w.fd("issueDate", day, "long")}', al='r', after=14)
    para(d, f'Objet : échéancier {day.year}-{day.year + 1} – abonnement n° {w.num(7)}', True, after=10)
    para(d, f'{p.title},', after=6)
    para(d, f'Suite à la relève du {fdate(w.early(day - 12 * DAY), "/")}, vos mensualités sont fixées comme suit :', after=6)
    grid(d, [('Échéance', 'Montant')] + [(fdate(day + (20 + 30 * i) * DAY, '/'), money(m)) for i in range(5)] + [('Total', money(w.tot(m * 5)))], [6, 4],
        'Table Grid', (1,))
    para(d)
    para(d, 'Le solde sera calculé après la prochaine relève. Veuillez agréer nos salutations distinguées.', after=20)
    para(d, 'Le régisseur', al='r')
    return res('office', d, day, 'prose')


def poa_be(w):
    p, day = w.person('BE'), w.day(330, 3)
    v, a, co = w.who(p, str), w.where(p), w.f('issuer', w.pick('Lumielle Belgium SA', 'Wallo Énergie', 'Intercom Sambre', 'Proxinet'))
    el, gz = w.eur(60, 480), w.eur(20, 300)
    tv = q2((el + gz) * D('.06'))
    ac = q2((el + gz + tv) * D('.7'))
    body = f'''<div style="display:flex;justify-content:space-between">{logo(co, co)}<div>{esc(v.full)}<br>{esc(a.street)}<br>{esc(a.tail)}
<br>BELGIQUE</div></div><h2>{w.pick("Décompte annuel", "Facture de régularisation")}</h2>
<table class=i><tr><td>Date<td>Numéro de facture<td>Référence client<td>Code EAN<tr><th>{w.fd("issueDate", day, w.pick(".", "/"))}<th>{w.num(10)}
<th>{w.num(8)}<th>5414{w.num(14)}</table>
<p>Période : {fdate(w.early(day - 370 * DAY), "/")} – {fdate(day - 6 * DAY, "/")}</p><table class=t><tr><td>Électricité (hors TVA)<td>{money(el, "be2")}<tr>
<td>Gaz naturel (hors TVA)<td>{money(gz, "be2")}<tr><td>TVA 6 %<td>{money(tv, "be2")}<tr><td>Acomptes facturés<td>{money(-ac, "be2")}
<tr><th>Solde en notre faveur<th>{money(w.tot(el + gz + tv - ac), "be2")}</table>
<p>À payer avant le {fdate(w.late(day + 15 * DAY), "/")} sur {" ".join(w.iban("BE")[i:i + 4] for i in (0, 4, 8, 12))}, communication {w.ogm()}</p>
<p class=s>{esc(co)} – TVA BE {w.bce()}</p>'''
    css = f'''body{{font:9.5pt {w.pick("'Open Sans'", "Lato", "'DejaVu Sans'")}}}.i td{{font-size:7.5pt;color:#777;padding-right:10mm}}.i
th{{text-align:left}}.t{{width:75%}}.t td,.t th{{padding:1.5mm 0;text-align:left;border-bottom:.1mm dotted #555}}
.t td+td,.t th+th{{text-align:right}}h2{{margin-top:18mm;color:#{w.pick("086", "a30", "036")}}}.s{{font-size:7pt}}'''
    return res('weasy', page(css, body), day, 'under', claim=claim(w, .4))


def poa_ch(w):
    p, day = w.person('CH'), w.day(330, 3)
    v, a, co = w.who(p, str), w.where(p), w.f('issuer', w.pick('Services industriels de la Riviera', 'Romande Courant SA', 'Swisslink SA'))
    e, t = w.eur(80, 420), w.eur(10, 50)
    tv = q2((e + t) * D('.081'))
    body = f'''<b style="font-size:14pt">{esc(co)}</b><p class=a>{esc(p.title)}<br>{esc(v.full)}<br>{esc(a.street)}<br>{esc(a.tail)}</p>
<p>Facture d’électricité / {w.uid()} TVA<br>Date : {w.fd("issueDate", day, ".")}<br>Objet : {esc(a.street)}, {esc(a.city)}
<br>Échéance : {fdate(w.late(day + 30 * DAY), ".")}</p>
<table><tr><td>Énergie et acheminement<td>{money(e, "ch", False)}<tr><td>Taxes et redevances communales<td>{money(t, "ch", False)}<tr><td>TVA 8.1%
<td>{money(tv, "ch", False)}<tr><th>Total en CHF<th>{money(w.tot(e + t + tv), "ch", False)}</table>'''
    css = "body{font:10pt 'Nimbus Sans'}.a{margin:20mm 0 16mm 100mm}table{width:120mm}td,th{text-align:left;padding:1.5mm 0;" \
          "border-bottom:.2mm solid #999}td+td,th+th{text-align:right}"
    return res('weasy', page(css, body), day, 'colon', claim=claim(w))


# ================================================================== payslips
def pay_rows(w, gross):
    """Contributions of an employee in France: label, base, rate, employee's and employer's share."""
    out = []
    for n, ra, rb in (('Sécurité sociale - Maladie Maternité Invalidité Décès', '0', '7.00'), ('Complémentaire Santé', '0.9', '0.9'),
        ('Accidents du travail - maladies prof.', '0', '1.32'),
                      ('Sécurité Sociale plafonnée', '6.90', '8.55'), ('Sécurité Sociale déplafonnée', '0.40', '2.02'), ('Complémentaire Tranche 1', '4.01',
                          '6.01'), ('Allocations familiales', '0', '3.45'),
                      ('Assurance chômage', '0', '4.05'), ('Autres contributions dues par l’employeur', '0', '1.62')):
        out.append((n, gross, D(ra), q2(gross * D(ra) / 100), q2(gross * D(rb) / 100)))
    b = q2(gross * D('.9825'))
    out += [('CSG déduct. de l’impôt sur le revenu', b, D('6.80'), q2(b * D('.068')), D(0)), ('CSG/CRDS non déduct. de l’impôt sur le revenu', b, D('2.90'),
        q2(b * D('.029')), D(0))]
    return out


def pay_fr(w):
    p, f, end = w.person(), w.firm(stem=w.pick('Transports {n}', '{n} Distribution', 'Clinique {n}', 'Hôtel {n}', 'Ets {n}')), w.day(600, 30).replace(day=28)
    hours, rate = D('151.67'), w.eur(12, 26)
    base, prime = q2(hours * rate), w.eur(20, 240)
    gross = base + prime
    R = pay_rows(w, gross)
    ded = sum(r[3] for r in R)
    nets = gross - ded
    pct = D(w.pick('0', '1.3', '3.5', '5.7'))
    pas = q2((nets + R[-1][3]) * pct / 100)
    tr = w.eur(15, 45)
    net = nets - pas - tr
    v, a = w.who(p, w.pick(str.upper, str)), None
    w.f('postCode', p.pc), w.f('city', p.city)
    m = lambda x: money(x, 'fr', False)
    look = w.pick(0, 1, 2)
    month = fdate(end, 'long').split(' ', 1)[1]
    rows = ''.join(f'<tr><td>{esc(n)}<td>{m(b)}<td>{qfr(r) if r else ""}<td>{m(e) if e else ""}<td>{m(g) if g else ""}' for n, b, r, e, g in R)
    top = f'''<table class=w><tr><td class=x><b>{esc(f.name)}</b><br>{esc(f.street)}<br>{f.pc} {esc(f.city)}
<br>Siret : {f.siret} &nbsp; Code NAF : {w.num(4)}Z<br>Urssaf : {w.num(12)}<td class=x>
<b class=ti>{w.pick("BULLETIN DE PAIE", "BULLETIN DE SALAIRE", "Bulletin de paie")}</b><br>
Période : {month}<br>Paiement le {fdate(w.late(end + 2 * DAY), "/")} par virement</table><table class=w><tr><td class=x>Matricule : {w.num(5)}
<br>N° SS : {w.nir(p)}<br>Emploi : {w.pick("Employé polyvalent", "Conducteur", "Aide-soignante", "Comptable", "Technicien")}<br>
Statut : {w.pick("Ouvrier", "Employé", "Agent de maîtrise")} &nbsp; Coef. {w.pick(150, 190, 215)}<br>Entrée : {fdate(w.early(w.day(4000, 700)), "/")}
<br>Convention : {w.pick("Transports routiers", "Commerce de détail", "Hôtels cafés restaurants")}
<td class=ad>{esc(p.title)} {esc(v.fulr if look == 1 else v.full)}<br>{esc(p.street)}<br>{p.pc} {esc(p.city)}</table>'''
    body = top + f'''<table class="w g"><tr><th>{w.pick("Rubriques", "Libellé", "Désignation")}<th>Base<th>Taux
<th>{w.pick("Part salarié", "À déduire", "Salarial")}<th>{w.pick("Part employeur", "Charges patronales")}
<tr><td>Salaire de base<td>{qfr(hours)}<td>{qfr(rate)}<td>{m(base)}<td><tr>
<td>{w.pick("Prime d’ancienneté", "Prime de panier", "Heures supplémentaires 25 %")}<td><td><td>{m(prime)}<td><tr class=s><td>Salaire brut<td><td>
<td>{m(gross)}<td>{rows}
<tr class=s><td>Total des cotisations et contributions<td><td><td>{m(ded)}<td>{m(sum(r[4] for r in R))}<tr class=s><td>Montant net social<td><td>
<td>{m(nets)}<td><tr class=s><td>Net à payer avant impôt sur le revenu<td><td><td>{m(nets)}<td>
<tr><td>Impôt sur le revenu prélevé à la source – taux {qfr(pct)} %<td>{m(nets + R[-1][3])}<td>{qfr(pct)}<td>{m(pas)}<td><tr><td>Titres-restaurant / acompte
<td><td><td>{m(tr)}<td></table>
<table class="w n"><tr><td>Net payé en euros<td>{w.fa("netAmount", w.tot(net), cur=False)}</table><table class="w g c"><tr><th>Cumuls<th>Brut
<th>Net imposable<th>Heures<th>Congés acquis<th>Pris<th>Solde<tr><td>Année {end.year}<td>{m(gross * end.month)}<td>{m((nets + R[-1][3]) * end.month)}
<td>{m(hours * end.month)}
<td>{qfr(D("2.08") * end.month)}<td>{w.pick(0, 2, 5)},00<td>{qfr(D("2.08") * end.month)}</table>
<p class=f>Dans votre intérêt et pour vous aider à faire valoir vos droits, conservez ce bulletin de paie
sans limitation de durée. Informations : www.service-public.fr</p>'''
    css = ['''body{font:7.6pt 'Liberation Sans'}.g td,.g th{border:.2mm solid #000;padding:.7mm 1mm}.g th{background:#e4e4e4}.s{font-weight:bold}''',
           '''body{font:7.8pt 'Roboto Condensed'}.g th{background:#2b5797;color:#fff;padding:1mm}.g
td{padding:.8mm 1mm;border-bottom:.1mm solid #cdd}.s{background:#eef3fa;font-weight:bold}.ti{color:#2b5797}''',
           '''body{font:7.6pt 'DejaVu Sans Mono';letter-spacing:-.1mm}.g{border:.3mm solid #000}.g td,.g
th{border-left:.3mm solid #000;padding:.4mm 1mm}.g th{border-bottom:.3mm solid #000}'''][look]
    css += '.w{width:100%;margin-bottom:3mm}.g td+td{text-align:right}.x{vertical-align:top;width:52%;line-height:1.45}.ti{font-size:12pt}.ad{font-size:10pt;' \
           'padding:8mm 0 0 8mm}.n td{font-size:11pt;font-weight:bold;border:.5mm solid #000;padding:1.5mm}.n td+td{text-align:right}.f{font-size:6pt}'
    return res(w.pick('weasy', 'chrome'), page(css, body, '10mm'), end + 2 * DAY, 'table', claim=None)


def pay_modern(w):
    """A start-up's payroll in soft blocks: the sum to be paid stands at the top."""
    p, f, end = w.person(), w.firm(stem=w.pick('{n} Labs', 'Studio {n}', '{n} Conseil')), w.day(500, 30).replace(day=28)
    gross = w.eur(1900, 4600)
    R = pay_rows(w, gross)
    ded = sum(r[3] for r in R)
    pas = q2((gross - ded) * D('.041'))
    net = gross - ded - pas
    v = w.who(p, str)
    w.f('postCode', p.pc), w.f('city', p.city)
    body = f'''<div class=a><div><h1>{fdate(end, "long").split(" ", 1)[1].capitalize()}</h1>Bulletin de paie</div><div class=r><b>{esc(v.full)}</b>
<br>{esc(p.street)}<br>{p.pc} {esc(p.city)}<br>N° SS {w.nir(p)}</div></div>
<div class=k><div><small>Salaire brut</small><br>{money(gross)}</div><div><small>Cotisations</small><br>- {money(ded)}</div><div>
<small>Impôt sur le revenu</small><br>- {money(pas)}</div><div class=y><small>Net à payer</small><br>{w.fa("netAmount", w.tot(net))}</div></div>
{"".join(f"<div class=l><span>{esc(n)}</span><i>{money(b)} × {qfr(r)} %</i><b>{money(e)}</b></div>" for n, b, r, e, g in R if e)}
<p class=s>{esc(f.name)} · {esc(f.street)}, {f.pc} {esc(f.city)} · SIRET {f.siret} · Entrée le {fdate(w.early(w.day(2200, 620)), "/")}
 · versé le {fdate(w.late(end + DAY), "/")} · Convention Syntec</p>'''
    css = '''body{font:9pt Lato;color:#2d3142}.a{display:flex;justify-content:space-between}.r{text-align:right}.k{display:flex;gap:4mm;margin:8mm 0}.k
div{flex:1;background:#f2f4fb;border-radius:2mm;padding:3mm;font-size:12pt}.k .y{background:#4f5dff;color:#fff}
.k small{font-size:7.5pt}.l{display:flex;padding:1.6mm 0;border-bottom:.1mm solid #e3e5ee}.l span{flex:1}.l
i{width:45mm;text-align:right;color:#888}.l b{width:30mm;text-align:right}.s{font-size:7pt;color:#777;margin-top:8mm}'''
    return res('chrome', page(css, body, '16mm'), end + DAY, 'under')


def pay_cesu(w):
    """The short slip of household employees."""
    p, e, end = w.person(), w.person(), w.day(500, 30).replace(day=28)
    v = w.who(p)
    w.f('postCode', p.pc), w.f('city', p.city.upper())
    h, r = D(w.pick('12', '24', '38.5')), w.eur(12, 16)
    net = q2(h * r)
    conge = q2(net * D('.1'))
    L = [f'!BULLETIN DE SALAIRE', f'CENTRE NATIONAL DU CHEQUE EMPLOI SERVICE - PERIODE DU 01/{end:%m/%Y} AU {fdate(end, "/")}', '',
        'EMPLOYEUR' + ' ' * 32 + 'SALARIE', f'{plain(e.title).upper()} {plain(e.last).upper()} {plain(e.first).upper()}'.ljust(41) + plain(v.fulr).upper(),
         plain(e.street).upper().ljust(41) + plain(p.street).upper(), f'{e.pc} {plain(e.city).upper()}'.ljust(41) + f'{p.pc} {plain(p.city).upper()}',
             f'N CESU Y{w.num(7)}'.ljust(41) + 'NSS ' + w.nir(p), '',
         f'NOMBRE D HEURES EFFECTUEES {qfr(h):>20}', f'SALAIRE HORAIRE NET        {qfr(r):>20}', f'SALAIRE NET                {money(net, "fr0", False):>20}',
             f'CONGES PAYES 10 %          {money(conge, "fr0", False):>20}',
         f'!NET A PAYER AU SALARIE     {w.fa("netAmount", w.tot(net + conge), "fr0", False):>20}', '',
             f'DATE DE PAIEMENT {fdate(w.late(end + 2 * DAY), "/")}', '', 'CE DOCUMENT EST ETABLI PAR LE CENTRE AU VU DE LA DECLARATION DE L EMPLOYEUR.',
                 'A CONSERVER SANS LIMITATION DE DUREE.']
    for k in ('lastName', 'firstName', 'city'):
        w.fields[k].printed = plain(w.fields[k].printed).upper()
    return res('listing', [(9.5, 790, 14)] + L, end + 3 * DAY, 'colon', claim=claim(w, .8))


def pay_be(w, cc='BE'):
    p, f, end = w.person(cc), w.firm(cc, w.pick('{n} Logistics', 'Boucherie {n}', '{n} Consult')), w.day(500, 30).replace(day=28)
    v = w.who(p, str)
    w.f('postCode', p.pc), w.f('city', p.city)
    gross = w.eur(2300, 5200)
    st = 'be' if cc == 'BE' else 'ch'
    if cc == 'BE':
        R = [('Cotisation ONSS 13,07 %', q2(gross * D('.1307'))), ('Précompte professionnel', q2(gross * D('.19'))), ('Cotisation spéciale sécurité sociale',
            w.eur(10, 30)), ('Retenue chèques-repas', w.eur(15, 25))]
        ids = f'N° national {w.nrn(p)} – Commission paritaire {w.pick(200, 140.03, 118)} – ONSS {w.num(7)}-{w.num(2)}'
    else:
        R = [('AVS/AI/APG 5.3 %', q2(gross * D('.053'))), ('Assurance-chômage 1.1 %', q2(gross * D('.011'))), ('AANP 1.2 %', q2(gross * D('.012'))),
            ('LPP cotisation', w.eur(90, 260)), ('Impôt à la source', q2(gross * D('.062')))]
        ids = f'No AVS {w.avs()}'
    net = gross - sum(x for _, x in R)
    d = word_base(w, w.pick('Liberation Sans', 'Carlito'), 9.5)
    para(d, f.name, True, 12)
    para(d, f'{f.street} – {f.pc} {f.city}', size=8, after=8)
    para(d, w.pick('FICHE DE PAIE', 'Décompte de rémunération') if cc == 'BE' else w.pick('Bulletin de salaire', 'Décompte de salaire'), True, 13)
    para(d, f'Période : {fdate(end, "long").split(" ", 1)[1]}   Date de paiement : {fdate(w.late(end + DAY), "/" if cc == "BE" else ".")}')
    para(d, ids, size=8.5, after=8)
    for x in (f'{v.full}', p.street, f'{p.pc} {p.city}'):
        para(d, x, ind=9.5)
    para(d, f'Entrée en service : {fdate(w.early(w.day(3800, 700)), "." if cc == "CH" else "/")}', after=8)
    rows = [('Libellé', 'Montant')] + [('Salaire brut', money(gross, st, False))] + [(a, '-' + money(x, st, False)) for a, x in R] + [(w.pick('NET À PAYER',
        'Net') if cc == 'BE' else 'Salaire net versé', w.fa('netAmount', w.tot(net), st, False))]
    grid(d, rows, [11, 4], w.pick('Table Grid', 'Light List', 'Light Shading'), (1,))
    para(d)
    para(d, 'Viré sur votre compte. Document à conserver.', size=8)
    return res('office', d, end + DAY, 'table')


# ================================================================== tax
def tax_fr(w):
    p, year = w.person(), w.pick(2023, 2024, 2025, 2026)
    day = dt.date(year, 7, w.r.randint(5, 28))
    v, a = w.who(p), w.where(p, str.upper)
    inc = w.r.randint(17000, 68000)
    tax, ret = w.r.randint(900, 6800), w.r.randint(100, 880)
    due = tax - ret
    num = f'{year % 100} {w.pick(59, 69, 33)} {w.num(3)} {w.num(4)} {w.num(2)}'
    n0 = lambda x: group3(str(int(x)))
    t = w.f('totalAmount', f'{n0(w.tot(due))} €', 'amount', q2(w.tot(due)))
    body = f'''<table class=w><tr><td class=q><b>FINANCES PUBLIQUES</b><br>SIP {esc(p.city.upper())}<br>{w.num(2)} RUE DE LA CITÉ ADMINISTRATIVE
<br>{p.pc} {esc(p.city.upper())}<td><h2>AVIS D’IMPÔT ÉTABLI EN {year}</h2>IMPÔT SUR LES REVENUS DE L’ANNÉE {year - 1}</table>
<table class=w><tr><td class=r><b>Vos références</b><br>Numéro fiscal : {w.num(2)} {w.num(2)} {w.num(3)} {w.num(3)} {w.num(3)}
<br>Référence de l’avis : {w.f("documentNumber", num)}<br>Numéro de rôle : {w.num(3)}<br>Date d’établissement : {fdate(w.early(day), "/")}
<br>Date de mise en recouvrement : 31/07/{year}
<td class=ad>{esc(v.fulr)}<br>{esc(a.street.upper())}<br>{esc(a.tail)}</table><div class=box><table class=w><tr>
<td>{w.pick("Montant restant à payer", "Il vous reste à payer")}<td class=n>{t}<tr><td>À payer au plus tard le
<td class=n>{fdate(w.late(dt.date(year, 9, 15)), "/")}</table></div>
<table class="w d"><tr><th>Détail des revenus<th>Déclar. 1<th>Total<tr><td>Salaires<td>{n0(inc)}<td>{n0(inc)}<tr><td>Déduction 10 % ou frais réels
<td>- {n0(inc // 10)}<td>- {n0(inc // 10)}<tr><td>Revenu brut global<td><td>{n0(inc - inc // 10)}<tr><td>Revenu fiscal de référence<td><td>{n0(inc - inc // 10)}
<tr><td>Nombre de parts<td><td>{w.pick("1,00", "1,50", "2,00", "2,50")}<tr><td>Impôt sur le revenu net<td><td>{n0(tax)}<tr>
<td>Prélèvement à la source déjà versé<td><td>- {n0(ret)}<tr><td><b>Solde</b><td><td><b>{n0(w.tot(due))}</b></table>
<p class=s>Vous pouvez payer sur le site des finances publiques. Réclamations : jusqu’au 31/12/{year + 2}.</p>'''
    w.fields['address'].printed = a.street.upper()
    css = f'''body{{font:8.8pt {w.pick("'Liberation Sans'", "'Nimbus Sans'")}}}.w{{width:100%;margin-bottom:6mm}}.q{{width:45%;color:#036}}
.r{{background:#eef2f8;padding:3mm;width:50%;line-height:1.5}}.ad{{padding:14mm 0 0 14mm;font-size:10.5pt}}h2{{margin:0;font-size:13pt}}
.box{{border:.6mm solid #036;padding:2mm;font-size:12pt;font-weight:bold}}.box .w{{margin:0}}.n,.d td+td{{text-align:right}}.d
td,.d th{{border-bottom:.1mm solid #999;padding:.9mm;text-align:left}}.s{{font-size:7pt}}'''
    return res('weasy', page(css, body, '12mm'), day, 'colon', claim=w.pick(None, ('', 'Apache FOP Version 1.1'), ('Compart', 'Compart Docbridge')))


def tax_land(w):
    p, year = w.person(), w.pick(2023, 2024, 2025, 2026)
    day = dt.date(year, 8, w.r.randint(8, 28))
    v, a = w.who(p, w.pick(str, str.upper)), w.where(p)
    base = w.r.randint(900, 4200)
    rates = [('Commune', D('41.32')), ('Intercommunalité', D('3.98')), ('Taxe GEMAPI', D('0.412')), ('Ordures ménagères', D('11.20'))]
    parts = [(a_, r, int(base * r / 100)) for a_, r in rates]
    fee = int(sum(x[2] for x in parts) * D('.03'))
    due = w.tot(sum(x[2] for x in parts) + fee)
    d = word_base(w, 'Liberation Sans', 9.5)
    para(d, 'DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES', True, 11, color='1F3864')
    para(d, f'AVIS D’IMPÔT {year} – TAXES FONCIÈRES', True, 14)
    para(d, 'votées et perçues par la commune, l’intercommunalité et divers organismes', size=8, after=10)
    for x in (f'{p.title} {v.fulr}', a.street, a.tail):
        para(d, x, ind=9.5)
    para(d)
    para(d, f'Numéro fiscal : {w.num(13)}      Référence de l’avis : {w.f("documentNumber", f"{year % 100} {w.num(2)} {w.num(7)} {w.num(2)}")}')
    para(d, f'Numéro de propriétaire : {w.num(3)} {w.let(1)}{w.num(5)} {w.let(1)}     Débiteur(s) légal(aux) : {w.let(4)}{w.num(2)} {v.fulr}')
    para(d, f'Date d’établissement : {fdate(w.early(day), "/")}     Mise en recouvrement : 31/08/{year}', after=8)
    grid(d, [('Taxe', 'Base', 'Taux', 'Cotisation')] + [(x, str(base), qfr(r) + ' %', str(c)) for x, r,
        c in parts] + [('Frais de gestion de la fiscalité directe locale', '', '', str(fee))], [8, 2.5, 2.8, 3], right=(1, 2, 3))
    para(d)
    para(d, f'Montant de votre impôt : {w.f("totalAmount", money(due), "amount", q2(due))}', True, 13)
    para(d, f'À payer au plus tard le {fdate(w.late(dt.date(year, 10, 15)), "/")}')
    return res('office', d, day, 'colon')


def tax_be(w, cc='BE'):
    p, year = w.person(cc), w.pick(2023, 2024, 2025)
    day = w.day(dt.date(year, 3, 1), dt.date(year, 12, 1))
    v, a = w.who(p, str), w.where(p)
    st, sep = ('be', '/') if cc == 'BE' else ('ch', '.')
    x, y, z = w.eur(4000, 12000), w.eur(200, 900), w.eur(2500, 3900)
    due = w.tot(x + y - z)
    if cc == 'BE':
        head, sub, ref = 'Service public fédéral FINANCES', f'Avertissement-extrait de rôle – Impôt des personnes physiques – Exercice ' \
            f'd’imposition {year}', ('Article de rôle', w.num(9))
        rows = [('Impôt État', x), ('Taxe communale 7,0 %', y), ('Précompte professionnel', -z)]
        extra = f'Numéro national : {w.nrn(p)}<br>Date d’envoi : {fdate(w.early(day), sep)}'
    else:
        head, sub, ref = f'Administration cantonale des impôts – {w.pick("Vaud", "Neuchâtel", "Fribourg")}', f'Décision de taxation et décompte ' \
            f'final {year - 1}', ('N° de contribuable', f'{w.num(3)}.{w.num(3)}.{w.num(2)}')
        rows = [('Impôt cantonal et communal', x), ('Impôt fédéral direct', y), ('Acomptes versés', -z)]
        extra = f'No AVS : {w.avs()}<br>Notifié le {fdate(w.early(day), sep)}'
    body = f'''<b style="font-size:12pt">{esc(head)}</b><p class=a>{esc(p.title)} {esc(v.full)}<br>{esc(a.street)}<br>{esc(a.tail)}</p><h3>{esc(sub)}</h3>
<p>{ref[0]} : {w.f("documentNumber", ref[1])}<br>{extra}</p>
<table>{"".join(f"<tr><td>{esc(n)}<td>{money(q, st, False)}" for n, q in rows)}<tr class=t><td>{"Solde à payer" if cc == "BE" else "Solde en notre faveur"}
<td>{w.fa("totalAmount", due, st)}</table><p>{"À payer au plus tard le" if cc == "BE" else "Échéance"} {fdate(w.late(day + 61 * DAY), sep)}
{" – communication " + w.ogm() if cc == "BE" else ""}</p>
<p style="font-size:7.5pt">Délai de réclamation : {"un an" if cc == "BE" else "30 jours"} à compter de la notification.</p>'''
    css = f'''body{{font:9.8pt {w.pick("'Liberation Sans'", "Carlito", "'DejaVu Serif'")}}}.a{{margin:16mm
0 16mm 95mm}}table{{width:100%}}td{{padding:1.6mm 0;border-bottom:.15mm solid #888}}td+td{{text-align:right}}.t{{font-weight:bold;font-size:12pt}}'''
    return res('weasy', page(css, body, '18mm'), day, 'colon', claim=claim(w, .5))


# ================================================================== bank details
BANKS = ['Banque Artésienne', 'Crédit Coopératif du Ponant', 'Caisse Mutuelle Rhodanienne', 'Néobank France', 'Banque Postale Régionale']


def rib_grid(w):
    p, bk, day = w.person(), w.pick(BANKS), w.day(600, 2)
    ib = w.iban()
    p2 = f'{p.title.upper()} {p.first.upper()} {p.last.upper()}'
    h = w.f('accountHolder', w.pick(p2, f'M OU MME {p.last.upper()} {p.first.upper()}', f'{p.last} {p.first}'))
    body = f'''<div class=fr><table class=w><tr><td>{logo(bk, bk)}<td style="text-align:right"><b>RELEVÉ D’IDENTITÉ BANCAIRE</b><br>
<small>édité le {fdate(day, "/")}</small></table>
<p class=s>Ce relevé est destiné à être remis, sur leur demande, à vos créanciers ou débiteurs appelés à faire inscrire des opérations à votre compte.</p>
<table class="w g"><tr><th>Code banque<th>Code guichet<th>N° du compte<th>Clé RIB<th>Domiciliation<tr><td>{ib[4:9]}<td>{ib[9:14]}<td>{ib[14:25]}<td>{ib[25:]}
<td>{esc(plain(p.city).upper())}</table>
<table class="w g"><tr><th>IBAN (International Bank Account Number)<th>BIC<tr><td>{w.fi(ib)}<td>{w.f("bic", w.bic("FR"))}</table><table class=w><tr>
<td style="width:45%"><small>Titulaire du compte</small><br>{esc(h)}<br>{esc(p.street.upper())}<br>{p.pc} {esc(p.city.upper())}<td><small>Agence</small>
<br>{esc(p.city)}<br>Tél. 09 {w.num(2)} {w.num(2)} {w.num(2)} {w.num(2)}</table></div>'''
    body *= w.pick(1, 1, 1, 2) if not w.bend else 1     # some banks print the slip twice on the page
    css = f'''body{{font:9pt {w.pick("'Liberation Sans'", "Roboto", "'DejaVu Sans'")}}}.fr{{border:.3mm
solid #333;padding:4mm;margin-bottom:12mm}}.w{{width:100%;margin-bottom:3mm}}.g td,.g th{{border:.2mm
solid #666;padding:1.5mm;text-align:center}}.g th{{font-weight:normal;font-size:7pt;background:#f2f2f2}}.s{{font-size:7pt}}'''
    return res(w.pick('weasy', 'chrome'), page(css, body), day, 'under', claim=None)


def rib_web(w, cc='FR'):
    """Printed from the bank's site, with the browser's own head and foot."""
    p, bk = w.person(cc), w.pick(BANKS) if cc == 'FR' else w.pick('Banque Lémanique', 'Raiffaise Suisse',
        'PostCompte SA') if cc == 'CH' else w.pick('Belfina Banque', 'Crédal Plus', 'ArgentaNord')
    day, ib = w.day(300, 2), None
    ib = w.iban(cc)
    rows = [('Titulaire', w.f('accountHolder', f'{p.first} {p.last}')), ('IBAN', w.fi(ib)), (w.pick('BIC', 'Code BIC/SWIFT'), w.f('bic', w.bic(cc))),
        ('Banque', bk), ('Type de compte', w.pick('Compte courant', 'Compte à vue', 'Compte privé'))]
    lay = w.pick('colon', 'under', 'table')
    inner = {'colon': ''.join(f'<p>{a} : <b>{esc(b)}</b></p>' for a, b in rows),
        'under': ''.join(f'<div class=u><small>{a}</small><br><b>{esc(b)}</b></div>' for a, b in rows),
             'table': '<table>' + ''.join(f'<tr><th>{a}<td>{esc(b)}' for a, b in rows) + '</table>'}[lay]
    body = f'{logo(bk, bk)}<h2>{w.pick("Mes coordonnées bancaires", "Relevé d’identité bancaire", "Coordonnées du compte")}</h2>{inner}<p class=s>Édité ' \
        f'le {fdate(day, "/" if cc != "CH" else ".")} depuis votre espace personnel. {esc(bk)} {"agréée ACPR" if cc == "FR" else ""}</p>'
    css = f'''body{{font:11pt {w.pick("Lato", "'Open Sans'", "Roboto")};color:#223}}.u{{padding:3mm 0;border-bottom:.2mm
solid #ddd}}small{{color:#888}}td,th{{padding:3mm;border:.2mm solid #ccc;text-align:left}}th{{background:#f7f7fa;font-weight:normal}}
.s{{font-size:8pt;color:#777;margin-top:20mm}}'''
    return res(w.pick('chromehead', 'chrome'), page(css, body, title=f'{bk} - RIB'), day, lay)


def rib_letter(w, cc='FR'):
    p, bk, day = w.person(cc), w.pick(BANKS) if cc == 'FR' else 'Belfina Banque SA', w.day(500, 3)
    h = w.f('accountHolder', f'{p.title} {p.first} {p.last.upper()}')
    d = word_base(w)
    para(d, bk, True, 15)
    para(d, f'Agence de {p.city}', after=24)
    para(d, f'{p.city}, le {fdate(day, "long")}', al='r', after=20)
    para(d, w.pick('ATTESTATION DE TITULARITÉ DE COMPTE', 'À QUI DE DROIT'), True, 13, 'c', after=16)
    para(d,
        f'Nous soussignés, {bk}, certifions que {h}, demeurant {p.street}, {p.pc} {p.city}, est titulaire dans nos livres d’un compte de dépôt ouvert le '
            f'{fdate(w.early(w.day(5000, 700)), "/")}, '
            f'identifié par l’IBAN {w.fi(w.iban(cc), w.pick(4, 0))} et le code BIC {w.f("bic", w.bic(cc))}.', al='j', after=10)
    para(d, 'La présente attestation est délivrée pour servir et valoir ce que de droit et n’engage pas la responsabilité de la banque.', al='j', after=30)
    para(d, 'Le directeur d’agence', al='r')
    return res('office', d, day, 'prose')


# ================================================================== vehicles
def veh_fr(w):
    p = w.person()
    issue = w.day(1800, 10)
    first = w.early(issue - dt.timedelta(days=w.r.randint(0, 3000)))
    v, a = w.who(p), w.where(p, str.upper)
    for k in ('address',):
        w.fields[k].printed = p.street.upper()
    plate = w.f('registrationNumber', f'{w.let(2)}-{w.num(3)}-{w.let(2)}')
    make, model = w.pick([('RENAULT', 'CLIO'), ('PEUGEOT', '308'), ('DACIA', 'SANDERO'), ('TOYOTA', 'YARIS'), ('FORD', 'TRANSIT')])
    vin, fo = w.vin(), f'{issue.year}{w.let(2)}{w.num(5)}'
    m1 = ('CRFRA' + plate.replace('-', '') + '<<' + vin).ljust(44, '<')[:44]
    cells = [('A', plate), ('B', fdate(first, '/')), ('C.1', f'{v.last} {v.first}'), ('C.4a', 'EST LE PROPRIETAIRE DU VEHICULE'), ('C.3',
        f'{p.street.upper()}'), ('', a.tail), ('D.1', make), ('D.2', f'M{w.num(2)}{w.let(3)}VP{w.num(3)}'), ('D.3', model), ('E', vin),
             ('F.1', w.nz(4)), ('F.2', w.nz(4)), ('G', '1' + w.num(3)), ('G.1', '1' + w.num(3)), ('I', w.fd('issueDate', issue, '/')), ('J', 'M1'), ('J.1',
                 'VP'), ('K', f'E2*2007/46*{w.num(4)}*{w.num(2)}'), ('P.1', '1' + w.num(3)),
             ('P.2', w.num(2)), ('P.3', w.pick('ES', 'GO', 'EH')), ('P.6', w.pick(4, 5, 7)), ('Q', ''), ('S.1', '5'), ('U.1', w.num(2)), ('V.7',
                 '1' + w.num(2)), ('V.9', 'EURO6'), ('X.1', 'VISITE AVANT LE ' + fdate(w.late(issue + 730 * DAY), '/'))]
    big = {'A', 'C.1', 'C.3', '', 'C.4a', 'E', 'X.1', 'K'}
    body = f'''<div class=c><div class=h>RÉPUBLIQUE FRANÇAISE<br><b>CERTIFICAT D’IMMATRICULATION</b><br>
<small>Ministère de l’Intérieur — Permiso de circulación · Osvědčení o registraci · Registreringsattest
· Zulassungsbescheinigung · Registration certificate</small></div>
{"".join(f'<div class="f{" b" if k in big else ""}"><i>{k}</i> {esc(str(x))}</div>' for k, x in cells)}
<div class=z>N° de formule {fo}&nbsp; Y.1 {w.nz(3)}&nbsp; Y.6 {w.nz(3)},76</div><pre>{esc(m1)}\n{esc((fo + "<" + make).ljust(44, "<")[:44])}</pre></div>'''
    css = f'''body{{font:8.4pt {w.pick("'Liberation Mono'", "'Liberation Sans'", "'Nimbus Mono PS'")}}}
.c{{width:{w.pick(120, 150, 172)}mm;background:linear-gradient(#e9f0e4,#f3ead9);padding:5mm;border:.2mm solid #9a9}}.h{{font:9pt 'Liberation
Sans';text-align:center;margin-bottom:4mm;color:#464}}
.h small{{font-size:4.6pt}}.f{{display:inline-block;width:31%;padding:.8mm 0;white-space:nowrap}}.b{{width:98%}}.f
i{{font:italic 6pt 'Liberation Sans';color:#575;margin-right:2mm}}.z{{font-size:7pt;border-top:.2mm dashed
#575;margin-top:3mm}}pre{{font:9pt 'OCR B';letter-spacing:.1mm;margin:3mm 0 0}}'''
    return res('chrome', page(css, body), issue + 5 * DAY, 'codes')


def veh_cpi(w):
    """The provisional certificate that one prints at home."""
    p, issue = w.person(), w.day(500, 3)
    v, a, plate = w.who(p), w.where(p), w.f('registrationNumber', f'{w.let(2)}-{w.num(3)}-{w.let(2)}')
    d = word_base(w, 'Liberation Sans', 9.5)
    para(d, 'MINISTÈRE DE L’INTÉRIEUR', True, 11)
    para(d, 'CERTIFICAT PROVISOIRE D’IMMATRICULATION', True, 14, 'c', after=8)
    grid(d, [('(A) Numéro d’immatriculation', plate), ('(B) Date de 1re immatriculation', fdate(w.early(issue - w.r.randint(30, 4000) * DAY), '/')),
        ('(C.1) Titulaire', f'{v.last} {v.first}'), ('(C.3) Adresse', f'{a.street}\n{a.tail}'),
             ('(D.1) Marque', w.pick('CITROEN', 'OPEL', 'KIA')), ('(E) N° d’identification', w.vin()), ('(P.6) Puissance administrative',
                 f'{w.pick(4, 5, 6)} CV'), ('(I) Date du certificat', w.fd('issueDate', issue, '/')),
             ('Valable jusqu’au', fdate(w.late(issue + 30 * DAY), '/'))], [6.5, 10], head=False)
    para(d)
    para(d,
        'Ce certificat permet de circuler sur le territoire national pendant un mois à compter de la date du certificat. Il doit être présenté à toute '
            'réquisition.', size=8.5)
    para(d, f'Code de cession : {w.num(5)}   N° de dossier : {w.num(10)}', size=8.5)
    return res('office', d, issue, 'table')


def veh_be(w, cc='BE'):
    p, issue = w.person(cc), w.day(1500, 8)
    v, a = w.who(p), w.where(p, str.upper)
    plate = w.f('registrationNumber', f'1-{w.let(3)}-{w.num(3)}' if cc == 'BE' else f'VD {w.nz(6)}')
    sep = '/' if cc == 'BE' else '.'
    first = fdate(w.early(issue - w.r.randint(10, 2500) * DAY), sep)
    if cc == 'BE':
        t, rows = 'CERTIFICAT D’IMMATRICULATION – KENTEKENBEWIJS – Partie I', [('A  N° d’immatriculation', plate), ('B  Première immatriculation', first),
            ('C.1.1 Nom', v.last), ('C.1.2 Prénom', v.first), ('C.1.3 Adresse', f'{a.street}, {a.tail}'), ('D.1 Marque', 'SKODA'),
                        ('E  N° de châssis', w.vin()), ('I  Date du certificat', w.fd('issueDate',
                        issue, sep)), ('J  Catégorie', 'M1'), ('P.1 Cylindrée', '1498'),
                        ('V.7 CO2', '118')]
    else:
        t, rows = 'PERMIS DE CIRCULATION · FAHRZEUGAUSWEIS', [('15 Plaque', plate), ('01-06 Détenteur', f'{v.last} {v.first}'), ('Adresse',
            f'{a.street}, {a.tail}'), ('19 Genre de véhicule', 'Voiture de tourisme'), ('21 Marque et type', 'VW Golf'), ('23 Châssis', w.vin()),
                        ('36 1re mise en circulation', first), ('37 Cylindrée', '1395'), ('Date de délivrance',
                        w.fd('issueDate', issue, sep)), ('18 N° matricule', f'{w.num(3)}.{w.num(3)}.{w.num(3)}')]
    body = f'<div class=c><h4>{t}</h4>' + ''.join(f'<div><small>{esc(x)}</small><br>{esc(y)}</div>' for x, y in rows) + '</div>'
    css = f'''body{{font:9pt 'Liberation Mono'}}.c{{width:{w.pick(105, 140)}mm;background:{w.pick("#f7d9e3", "#dfe8dc", "#d7dff0")};padding:5mm}}
h4{{font:bold 9pt 'Liberation Sans';margin:0 0 3mm}}.c div{{padding:1mm 0}}small{{font:6pt 'Liberation Sans';color:#555}}'''
    return res('weasy', page(css, body), issue + 6 * DAY, 'under')


# ================================================================== companies
def kbis(w):
    f, p, day = w.firm(), w.person(), w.day(200, 2)
    name = w.f('companyName', f.stem.upper() + ' ' + w.pick('IMMOBILIER', 'BÂTIMENT', 'CONSEIL', 'TRANSPORTS'))
    a, reg = w.where(f), w.early(w.day(6000, 400))
    rn = w.f('registrationNumber', f'{f.siren[:3]} {f.siren[3:6]} {f.siren[6:]}')
    sec = lambda t, rows: f'<h4>{t}</h4><table>' + ''.join(f'<tr><td>{x}<td>{esc(y)}' for x, y in rows) + '</table>'
    body = f'''<table class=w><tr><td>Greffe du Tribunal de Commerce de {esc(f.city)}<br><small>{w.num(2)} rue du Palais<br>{f.pc} {esc(f.city)}</small>
<td style="text-align:right"><small>N° de gestion {reg.year}B{w.num(5)}<br>Code de vérification : {w.let(10)}</small></table>
<h2>Extrait Kbis</h2><p class=c>EXTRAIT D’IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES SOCIÉTÉS<br>à jour au {fdate(day, "long")}</p>'''
    body += sec('IDENTIFICATION DE LA PERSONNE MORALE', [('Immatriculation au RCS, numéro', f'{rn} R.C.S. {f.city}'), ('Date d’immatriculation', fdate(reg,
        '/')), ('Dénomination ou raison sociale', name), ('Forme juridique', w.pick('Société à responsabilité limitée', 'Société par actions simplifiée')),
                ('Capital social', f'{w.pick("1 000,00", "7 500,00", "50 000,00")} Euros'), ('Adresse du siège', f'{a.street} {a.tail}'),
                    ('Durée de la personne morale', f'Jusqu’au {fdate(reg.replace(day=1) + dt.timedelta(days=36159), "/")}'),
                        ('Date de clôture de l’exercice social', '31 Décembre')])
    body += sec('GESTION, DIRECTION, ADMINISTRATION, CONTRÔLE, ASSOCIÉS OU MEMBRES', [(w.pick('Gérant', 'Président'), ''), ('Nom, prénoms',
        f'{p.last.upper()} {p.first}'), ('Date et lieu de naissance', f'Le {fdate(p.birth, "/")} à {p.birthplace}'), ('Nationalité', 'Française')])
    body += sec('RENSEIGNEMENTS RELATIFS À L’ACTIVITÉ ET À L’ÉTABLISSEMENT PRINCIPAL', [('Adresse de l’établissement', f'{a.street} {a.tail}'),
        ('Activité(s) exercée(s)', w.pick('Travaux de maçonnerie générale', 'Conseil en gestion', 'Transport public routier de marchandises')),
            ('Date de commencement d’activité', fdate(reg - 12 * DAY, '/'))])
    body += f'<p class=c>Le Greffier</p><div style="text-align:center">{stamp(["GREFFE", f.city], "#733", -6, True, 90, 90)}</div><p class=s>' \
        f'R.C.S. {esc(f.city)} - {fdate(day, "/")} - {w.num(2)}:{w.num(2)}<span style="float:right">page 1/1</span></p>'
    css = f'''body{{font:8.8pt {w.pick("'Liberation Sans'", "'Nimbus Roman'", "'Liberation Serif'")}}}.w{{width:100%}}
h2{{text-align:center;font-size:17pt;margin:5mm 0 1mm}}.c{{text-align:center}}h4{{background:#e6e6e6;padding:1mm 2mm;margin:4mm 0 1mm;font-size:8.6pt}}
td{{padding:.7mm 2mm;vertical-align:top}}td:first-child{{width:70mm;font-style:italic}}.s{{font-size:7pt;border-top:.2mm solid}}'''
    return res('weasy', page(css, body, '14mm'), day, 'table', claim=claim(w, .5))


def sirene(w):
    f, day = w.firm(), w.day(250, 2)
    a = w.where(f, str.upper)
    w.fields['address'].printed = f.street.upper()
    rn = w.f('registrationNumber', f'{f.siren[:3]} {f.siren[3:6]} {f.siren[6:]}')
    since = w.early(w.day(5000, 400))
    r1 = [('Description de l’entreprise', f'Entreprise active depuis le {fdate(since, "/")}'), ('Identifiant SIREN', rn), ('Identifiant SIRET du siège',
        f'{f.siret[:3]} {f.siret[3:6]} {f.siret[6:9]} {f.siret[9:]}'), ('Dénomination', w.f('companyName', f.stem.upper())), ('Catégorie juridique',
            '5499 - Société à responsabilité limitée (sans autre indication)'),
          ('Activité Principale Exercée (APE)', w.pick('43.22A - Travaux d’installation d’eau', '62.02A - Conseil en systèmes informatiques')),
              ('Appartenance au champ de l’ESS', 'Non')]
    r2 = [('Description de l’établissement', f'Établissement actif depuis le {fdate(since, "/")}'), ('Adresse', f'{f.street.upper()}'), ('', a.tail),
        ('Enseigne', w.pick('', f.stem.upper()))]
    t = lambda rows: '<table>' + ''.join(f'<tr><td>{x}<td>{esc(y)}' for x, y in rows) + '</table>'
    body = f'<table style="border:0"><tr><td style="border:0"><b style="font-size:15pt;color:#e1000f">Insee</b><br>Répertoire Sirene<td style="border:0;' \
        f'text-align:right">À la date du {fdate(day, "/")}</table><h3>Situation au Répertoire SIRENE</h3>{t(r1)}<br>{t(r2)}<p class=s>Important : à ' \
            f'l’exception des informations relatives à l’identification de l’entreprise, les renseignements figurant dans ce document n’ont de valeur que ' \
                f'pour les applications statistiques (décret n°97-497 du 16 mai 1997).</p>'
    css = '''body{font:9.5pt 'Open Sans'}table{width:100%;border:.3mm solid #000091}td{padding:1.6mm 2mm;border-bottom:.1mm solid #bbb}
td:first-child{width:65mm;color:#000091}h3{text-align:center}.s{font-size:7.5pt}'''
    return res(w.pick('chrome', 'chromehead'), page(css, body, title='Avis de situation'), day, 'table')


def rne(w):
    f, p, day = w.firm(), w.person(), w.day(200, 2)
    q = lambda s: s.replace('#', '\\#').replace('@', '\\@').replace('*', '\\*')
    a = w.where(f)
    s = f'''#set page(paper: "a4", margin: 2cm, footer: align(center)[#text(7pt)[Extrait délivré le {fdate(day, "/")} -- registre national des entreprises]])
#set text(font: "{w.pick("Roboto", "Open Sans")}", size: 9.5pt, lang: "fr")
#text(16pt, weight: "bold")[Attestation d'immatriculation au\\ Registre national des entreprises]\n
== Identité
/ Dénomination: {q(w.f("companyName", f.name))}
/ SIREN: {w.f("registrationNumber", f.siren)}
/ Date d'immatriculation au RNE: {fdate(w.early(w.day(3000, 300)), "/")}
/ Forme juridique: {f.form}
/ Début d'activité: {fdate(w.day(6000, 3100), "/")}
== Siège social
/ Adresse: {q(a.street)}, {q(a.tail)} FRANCE
== Dirigeant
/ Nom, prénoms: {q(p.last.upper())} {q(p.first)}
/ Qualité: {w.pick("Gérant", "Président")}
== Établissement principal
/ SIRET: {f.siret}
/ Code APE: 4399C
/ Effectif: {w.pick("0", "1 à 2", "6 à 9")} salariés'''
    return res('typst', s, day, 'colon')


def bce(w, cc='BE'):
    f, day = w.firm(cc, w.pick('{n} Invest', 'Pharmacie {n}', '{n} Menuiserie')), w.day(250, 2)
    a = w.where(f)
    sep = '/' if cc == 'BE' else '.'
    since = fdate(w.early(w.day(7000, 400)), sep)
    if cc == 'BE':
        h, rows = 'Banque-Carrefour des Entreprises – Données de l’entité enregistrée', [('Numéro d’entreprise', w.f('registrationNumber', w.bce())),
            ('Statut', 'Actif'), ('Situation juridique', f'Situation normale depuis le {since}'), ('Dénomination', w.f('companyName', f.stem)),
                        ('Adresse du siège', f'{a.street}, {a.tail}'), ('Forme légale',
                        'Société à responsabilité limitée'),
                        ('Nombre d’unités d’établissement', '1'), ('Code Nacebel',
                        '43.320')]
    else:
        h, rows = f'Registre du commerce du canton de {w.pick("Vaud", "Fribourg", "Neuchâtel")} – Extrait avec éventuelles radiations', [('Numéro '
            'd’identification', w.f('registrationNumber', w.uid())), ('Nature juridique', 'Société à responsabilité '
                'limitée'), ('Inscription', since), ('Raison sociale', w.f('companyName', f.name)),
                        ('Siège', f.city),
                        ('Adresse',
                        f'{a.street}, {a.tail}'), ('But', 'tous travaux de menuiserie et agencement'), ('Capital', 'CHF 20’000'),
                        ('Organe de publication', 'FOSC')]
    lay = w.pick('table', 'under')
    inner = '<table>' + ''.join(f'<tr><td>{esc(x)}<td>{esc(y)}' for x,
        y in rows) + '</table>' if lay == 'table' else ''.join(f'<p><b>{esc(x)}</b><br>{esc(y)}</p>' for x, y in rows)
    body = f'<h3>{esc(h)}</h3>{inner}<p class=s>Extrait du {fdate(day, sep)} {w.num(1)}:{w.num(2)}. Ce document n’a pas de valeur légale sans signature.</p>'
    css = f'''body{{font:10pt {w.pick("'DejaVu Sans'", "'Liberation Sans'", "Carlito")}}}td{{padding:1.5mm
4mm 1.5mm 0;border-bottom:.1mm solid #ccc;vertical-align:top}}p{{margin:2mm 0}}.s{{font-size:7.5pt;margin-top:10mm}}'''
    return res(w.pick('chromehead', 'weasy', 'chrome'), page(css, body, title='Extrait'), day, lay)


# ================================================================== insurance
INS = ['Assuria Mutuelle', 'La Prévoyance du Nord', 'GMV Assurances', 'Mutuelle des Artisans de l’Ouest', 'Concordia Risques SA', 'AlpiVita Assurances SA']


def ins_auto(w):
    p, co, day = w.person(), w.pick(INS), w.day(360, 2)
    v = w.who(p, w.pick(str.upper, str))
    w.f('postCode', p.pc), w.f('city', p.city), w.f('issuer', co)
    pol = w.f('policyNumber', w.pick(w.num(9), f'{w.let(2)} {w.num(6)}', f'{w.num(3)}.{w.num(4)}.{w.num(2)}'))
    end = w.late(day + 364 * DAY)
    plate = f'{w.let(2)}-{w.num(3)}-{w.let(2)}'
    body = f'''<div style="display:flex;justify-content:space-between">{logo(co, co)}<div style="text-align:right">{esc(p.title)} {esc(v.full)}
<br>{esc(p.street)}<br>{p.pc} {esc(p.city)}</div></div>
<h2>{w.pick("Mémo Véhicule Assuré", "Attestation d’assurance automobile", "Document de référence – assurance automobile")}</h2>
<p>{esc(co)} atteste que le véhicule désigné ci-dessous est garanti en responsabilité civile (articles L211-1 et suivants du Code des assurances).</p><table>
<tr><td>N° de contrat<td>{esc(pol)}<tr><td>Souscripteur<td>{esc(v.full)}<tr><td>Immatriculation<td>{plate}<tr><td>Marque et modèle
<td>{w.pick("RENAULT CAPTUR", "PEUGEOT 2008", "SEAT IBIZA")}
<tr><td>Date d’effet<td>{fdate(day, "/")}<tr><td>Date d’échéance<td>{fdate(end, "/")}<tr><td>Formule
<td>{w.pick("Tiers Plus", "Tous risques", "Tiers")}</table><p>Fait à {esc(w.place("FR")[1])}, le {fdate(day, "/")}</p>{scrawl(co)}
<div class=v><b>À coller sur le pare-brise jusqu’au 1er avril 2024 seulement</b> – l’information figure désormais au Fichier des Véhicules Assurés (FVA).
<br>En cas de sinistre : 09 70 {w.num(2)} {w.num(2)} {w.num(2)}</div>
<p class=s>{esc(co)} – Entreprise régie par le Code des assurances – {w.siren()} RCS Niort</p>'''
    css = f'''body{{font:10pt {w.pick("Lato", "'Open Sans'", "'Nimbus Sans'")}}}table{{width:100%}}td{{padding:2mm;border:.2mm
solid #999}}td:first-child{{width:55mm;background:#f3f3f3}}h2{{color:hsl({w.r.randint(0, 359)},60%,30%);margin-top:12mm}}.v{{border:.4mm
dashed #777;padding:3mm;margin:6mm 0;font-size:8.5pt}}.s{{font-size:7pt}}'''
    return res(w.pick('weasy', 'chrome'), page(css, body), day, 'table')


def ins_home(w, cc='FR'):
    p, co, day = w.person(cc), w.pick(INS), w.day(360, 2)
    v = w.who(p, w.pick(str.upper, str))
    w.f('postCode', p.pc), w.f('city', p.city), w.f('issuer', co)
    ag = w.person(cc)
    d = word_base(w)
    para(d, co, True, 15, color=w.pick('003366', '8B0000', '1B5E20'))
    para(d, f'Votre agent général : {ag.first} {ag.last}', size=9)
    para(d, f'Orias n° {w.num(8)}' if cc == 'FR' else f'FSMA {w.num(6)}' if cc == 'BE' else f'FINMA {w.num(5)}', size=9, after=16)
    for x in (f'{p.title} {v.full}', p.street, f'{p.pc} {p.city}'):
        para(d, x, ind=9.5)
    para(d)
    para(d, w.pick('ATTESTATION D’ASSURANCE HABITATION',
        'ATTESTATION MULTIRISQUE HABITATION') if cc == 'FR' else w.pick('Attestation d’assurance incendie / RC ménage',
            'ATTESTATION RESPONSABILITÉ CIVILE PRIVÉE'), True, 13, 'c', after=12)
    para(d,
        f'La société {co} certifie que {p.title} {v.full} est assuré{"e" if p.sex == "F" else ""} par le contrat n° '
            f'{w.f("policyNumber", w.pick(f"H{w.num(8)}", f"{w.num(4)}-{w.num(5)}", w.num(10)))} pour le logement situé {p.street}, {p.pc} {p.city}, '
            f'dont {"elle" if p.sex == "F" else "il"} est {w.pick("locataire", "propriétaire occupant", "copropriétaire")}.', al='j', after=8)
    para(d, f'Les garanties suivantes sont acquises du {fdate(day, "/")} au {fdate(w.late(day + 364 * DAY), "/")} :', after=4)
    for x in w.r.sample(['Incendie, explosion et risques annexes', 'Dégâts des eaux', 'Responsabilité civile vie privée', 'Responsabilité locative',
        'Vol et vandalisme', 'Catastrophes naturelles', 'Bris de glace'], 5):
        para(d, '– ' + x, ind=1)
    para(d)
    para(d, 'La présente attestation ne peut engager l’assureur en dehors des limites prévues au contrat auquel elle se réfère.', al='j', size=9, after=16)
    para(d, f'Fait à {w.place(cc)[1]}, le {fdate(day, "long")}', al='r')
    return res('office', d, day, 'prose')


def ins_pro(w):
    p, co, day = w.person(), w.pick(INS), dt.date(w.pick(2025, 2026), 1, w.r.randint(2, 28))
    v = w.who(p, str)
    w.f('postCode', p.pc), w.f('city', p.city)
    s = TEXHEAD % ('10pt', w.pick('lmodern', 'helvet', 'utopia', 'bookman'), 'plain')
    if 'helvet' in s:
        s = s.replace('\\begin{document}', '\\renewcommand{\\familydefault}{\\sfdefault}\\begin{document}')
    s += f'{{\\large\\bfseries {tex(w.f("issuer", co))}}}\\hfill {fdate(day, "long")}\n\n\\begin{{center}}\\Large Attestation d\'assurance\\\\ ' \
        f'responsabilité civile {w.pick("professionnelle", "décennale", "professionnelle et décennale")}\\end{{center}}\n\n'
    s += f'Nous soussignés, {tex(co)}, attestons que l\'entreprise individuelle\n\n\\begin{{quote}}\\textbf{{{tex(v.full)}}}' \
         f'\\\\ {tex(p.street)}\\\\ {p.pc} {tex(p.city)}\\\\ SIREN {w.siren()}\\end{{quote}}\n\n'
    s += f'est titulaire du contrat n\\textsuperscript{{o}}~{tex(w.f("policyNumber", w.pick(f"RCD{w.num(7)}", f"{w.num(8)} {w.num(3)}")))}, souscrit à effet ' \
        f'du {fdate(w.early(day - w.r.randint(400, 2000) * DAY), "/")}.\n\n'
    s += f'Période de validité : du 01/01/{day.year} au {fdate(w.late(dt.date(day.year, 12, 31)), "/")}.\n\n\\begin{{tabular}}{{|p{{9cm}}|r|}}\\hline Nature ' \
        f'des dommages & Plafond par sinistre\\\\ \\hline Dommages corporels & 8 000 000 \\euro\\\\ Dommages matériels & 1 500 000 \\euro\\\\ Dommages ' \
            f'immatériels & 300 000 \\euro\\\\ \\hline\\end{{tabular}}\n\n'
    s += 'Activités garanties : ' + w.pick('maçonnerie et béton armé, carrelage', 'plomberie, installations sanitaires',
        'peinture, revêtements de murs') + ".\n\nLa présente attestation ne constitue qu'une présomption de garantie.\\end{document}"
    return res('latex', s, day, 'prose')


DESIGNS = [('INVOICE', 'FR', f) for f in (inv_word, inv_app, inv_garage, inv_notary, inv_listing, inv_typst, inv_fpdf, inv_situation)] + [('INVOICE', 'BE',
    inv_be), ('INVOICE', 'CH', inv_ch)]
DESIGNS += [('PROOF_OF_ADDRESS', 'FR', f) for f in (poa_energy, poa_water, poa_telecom, poa_attest, poa_letter)] + [('PROOF_OF_ADDRESS', 'BE', poa_be),
    ('PROOF_OF_ADDRESS', 'CH', poa_ch)]
DESIGNS += [('PAYSLIP', 'FR', f) for f in (pay_fr, pay_modern, pay_cesu)] + [('PAYSLIP', 'BE', pay_be), ('PAYSLIP', 'CH', lambda w: pay_be(w, 'CH'))]
DESIGNS += [('TAX_NOTICE', 'FR', tax_fr), ('TAX_NOTICE', 'FR', tax_land), ('TAX_NOTICE', 'BE', tax_be), ('TAX_NOTICE', 'CH', lambda w: tax_be(w, 'CH'))]
DESIGNS += [('BANK_DETAILS', 'FR', rib_grid), ('BANK_DETAILS', 'FR', rib_web), ('BANK_DETAILS', 'FR', rib_letter), ('BANK_DETAILS', 'BE',
    lambda w: rib_letter(w, 'BE')), ('BANK_DETAILS', 'CH', lambda w: rib_web(w, 'CH')), ('BANK_DETAILS', 'BE', lambda w: rib_web(w, 'BE'))]
DESIGNS += [('VEHICLE_REGISTRATION', 'FR', veh_fr), ('VEHICLE_REGISTRATION', 'FR', veh_cpi), ('VEHICLE_REGISTRATION', 'BE', veh_be), ('VEHICLE_REGISTRATION',
    'CH', lambda w: veh_be(w, 'CH'))]
DESIGNS += [('COMPANY_REGISTRATION', 'FR', kbis), ('COMPANY_REGISTRATION', 'FR', sirene), ('COMPANY_REGISTRATION', 'FR', rne), ('COMPANY_REGISTRATION', 'BE',
    bce), ('COMPANY_REGISTRATION', 'CH', lambda w: bce(w, 'CH'))]
DESIGNS += [('INSURANCE_CERTIFICATE', 'FR', ins_auto), ('INSURANCE_CERTIFICATE', 'FR', ins_home), ('INSURANCE_CERTIFICATE', 'FR', ins_pro),
    ('INSURANCE_CERTIFICATE', 'BE', lambda w: ins_home(w, 'BE')), ('INSURANCE_CERTIFICATE', 'CH', lambda w: ins_home(w, 'CH'))]
