"""Invoices, household bills and papers of no listed type."""
import datetime as dt

from offices import BLUE, GREEN, RED, person_fields
from papers import ttf
from people import *
from render import Doc, design, logo

WORK = {"FR": ["Remplacement chauffe-eau 200 L", "Main d'œuvre", "Déplacement", "Peinture plafond séjour", "Fourniture robinetterie", "Dépose et évacuation",
    "Tableau électrique 2 rangées", "Pose parquet stratifié (m²)", "Diagnostic panne", "Petites fournitures", "Débouchage canalisation"],
        "EN": ["Boiler service", "Labour", "Call-out charge", "Supply and fit internal door", "Materials", "Waste removal", "Rewire kitchen circuit",
            "Decorating – hallway", "Replacement lock set", "Gutter cleaning", "Parts"],
        "DE": ["Wartung Gastherme", "Arbeitszeit", "Anfahrt", "Material"], "ES": ["Reparación de persiana", "Mano de obra", "Desplazamiento"],
            "IT": ["Manutenzione caldaia", "Manodopera", "Trasferta"],
        "NL": ["Schilderwerk kozijnen", "Arbeidsuren", "Voorrijkosten"], "PT": ["Reparação de canalização", "Mão de obra", "Deslocação"]}


def lines_of(r, lang, n=None):
    """Description, quantity, unit price and sum, in cents."""
    out = []
    for d in r.sample(WORK[lang], n or r.randint(2, 3 if lang not in ("FR", "EN") else 6)):
        q, u = r.choice([1, 1, 1, 2, 3, 5, 12]), r.choice([r.randint(10, 400) * 100, r.randint(900, 30000), r.randint(4, 90) * 50 + 400])
        out.append((d, q, u, q * u))
    return out


def inv_no(r, y):
    return r.choice([f"FA{y % 100}{digits(r, 4)}", f"{y}-{digits(r, 3)}", f"F-{y}/{digits(r, 4)}", digits(r, 7), f"FC{digits(r, 6)}",
        f"{digits(r, 2)}.{y}.{digits(r, 3)}"])


@design("INVOICE", "FR", "FR")
def facture_artisan(r):
    """Two rates of VAT, a deposit already paid, two addresses."""
    f, p = firm(r), Person(r)
    made = past(r, 3, 330)
    due, no, L = made + dt.timedelta(days=r.choice([0, 15, 30, 45])), inv_no(r, made.year), lines_of(r, "FR")
    rates = [r.choice([1000, 2000, 2000]) for _ in L]
    disc = r.choice([0, 0, 5])
    ht = sum(x[3] for x in L)
    rem = round(ht * disc / 100)
    base = {k: sum(x[3] for x, q in zip(L, rates) if q == k) for k in sorted(set(rates))}
    base = {k: v - round(v * disc / 100) for k, v in base.items()}
    rem = ht - sum(base.values())
    vat = {k: round(v * k / 10000) for k, v in base.items()}
    ttc = ht - rem + sum(vat.values())
    dep = r.choice([0, 0, round(ttc * .3 / 100) * 100])
    tot, a, c = ttc - dep, Account(r), r.choice([GREEN, BLUE, "#333", "#b5651d", "#8a1c4a"])
    iban = r.random() < .75
    style = r.randint(0, 2)
    head = f"<div>{logo(r, f.brand, c)}<br>{f.name}<br>{f.street}<br>{f.pc} {f.city}<br>Tél. {f.phone}<br>SIRET {f.siret}<br>TVA intracom. {f.vat}</div>"
    cust = f"<div><small>Adresse de facturation</small><br>{p.title} {p.full}<br>{p.street}<br>{p.pc} {p.city}</div>"
    site = place(r, "FR")
    css = ["th{background:%s;color:#fff}td{border-bottom:.4pt solid #ccc}" % c, "td,th{border:.5pt solid #444}",
        "tr:nth-child(even){background:#f2f2f2}th{border-bottom:1.5pt solid %s}" % c][style]
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:15mm;@bottom-right{{content:counter(page) "/" counter(pages);font:7pt
'Liberation Mono'}}}}body{{font:9.5pt '{r.choice(["Lato", "Open Sans", "Liberation Sans", "Carlito",
"P052"])}'}}.r{{display:flex;justify-content:space-between}}table{{width:100%;border-collapse:collapse;margin-top:6mm}}td,th{{padding:1.5mm
2mm;text-align:left}}{css}
    .n{{text-align:right}}.s{{width:85mm;margin-left:auto}}</style><div class=r>{head if style != 1 else cust}{cust if style != 1 else head}</div><h2
style="color:{c}">Facture n° {no}</h2><p>Date : {day(made)} &nbsp; Échéance : {day(due)}<br>Chantier : {site[0]}, {site[1]} {site[2]} – intervention du
{day(made - dt.timedelta(days=r.randint(1, 20)))}</p>
    <table><tr><th>Désignation<th class=n>Qté<th class=n>P.U. HT<th class=n>TVA<th class=n>Montant
HT{"".join(f"<tr><td>{d}<td class=n>{q}<td class=n>{money(u)}<td class=n>{k // 100} %<td class=n>{money(s)}" for (d, q, u, s), k in zip(L, rates))}</table>
    <table class=s><tr><td>Total HT<td class=n>{money(ht)}
€{f"<tr><td>Remise {disc} %<td class=n>-{money(rem)} €<tr><td>Total HT net<td class=n>{money(ht - rem)} €" if rem else
""}{"".join(f"<tr><td>TVA {k // 100} % sur {money(base[k])}<td class=n>{money(v)} €" for k, v in vat.items())}<tr><td>{'Total TTC' if dep else
'<b>Total TTC à payer</b>'}<td class=n>{money(ttc)} €
    {f"<tr><td>Acompte versé<td class=n>-{money(dep)} €<tr><td><b>Net à payer</b><td class=n><b>{money(tot)} €</b>" if dep else
""}</table>{f"<p>Règlement par virement – IBAN : {a.spaced} – BIC : {a.bic}</p>" if iban else "<p>Règlement par chèque ou espèces à réception.</p>"}
    <p style="font-size:7pt">Pénalités de retard : 3 fois le taux d'intérêt légal. Indemnité forfaitaire pour frais de recouvrement : 40 € (professionnels).
Assurance décennale : {r.choice(['Valserine', 'Izoard'])} n° {digits(r, 8)}.</p>"""
    fl = {"invoiceNumber": (no, no), "issueDate": (made, day(made)), "totalAmount": (tot, money(tot)), "issuer": (f.name, f.name)}
    if iban:
        fl["iban"] = (a.iban, a.spaced)
    return Doc("fr", "table", r.choice(["weasyprint", "weasyprint", "chromium"]), src, made, fl, iban=a.spaced if iban else "", sums=[([ht,
        -rem] + list(vat.values()) + [-dep], tot), ([x[3] for x in L], ht)], total=[money(tot) + " €"] + [money(L[0][3])],
               order=[(made, due, day, "due before it was issued")] if due > made else [], dated=r.random() < .5)


@design("INVOICE", "FR", "FR")
def facture_word(r):
    """A one-man business without VAT, typed in a word processor."""
    b, p = Person(r), Person(r)
    made, no, L, a = past(r, 3, 300), r.choice(["2026-", "n°", "F"]) + digits(r, 3), lines_of(r, "FR", r.randint(1, 3)), Account(r)
    tot, s = sum(x[3] for x in L), siren(r)
    due = made + dt.timedelta(days=30)

    def build(w):
        w.add_paragraph(f"{b.full} – Entrepreneur individuel\n{b.street}, {b.pc} {b.city}\nSIREN {s}")
        w.add_paragraph(f"{p.title} {p.full}\n{p.street}\n{p.pc} {p.city}").alignment = 2
        w.add_heading(f"FACTURE {no}", 1)
        w.add_paragraph(f"Le {day(made, 'long')}")
        tb = w.add_table(1, 4)
        tb.style = r0
        for c, h in zip(tb.rows[0].cells, ["Prestation", "Quantité", "Prix unitaire", "Total"]):
            c.text = h
        for d, q, u, t in L:
            for c, v in zip(tb.add_row().cells, [d, str(q), money(u) + " €", money(t) + " €"]):
                c.text = v
        w.add_paragraph(f"\nTotal à régler : {money(tot)} €").runs[0].bold = True
        w.add_paragraph("TVA non applicable, art. 293 B du CGI")
        w.add_paragraph(f"À régler avant le {day(due, 'long')} par virement : {a.spaced}")
    r0 = r.choice(["Table Grid", "Light List Accent 1", "Light Shading"])
    fl = {"invoiceNumber": (no, no), "issueDate": (made, day(made, "long")), "totalAmount": (tot, money(tot)), "issuer": (b.full, b.full), "iban": (a.iban,
        a.spaced)}
    return Doc("fr", "prose", "libreoffice", build, made, fl, iban=a.spaced, sums=[([x[3] for x in L], tot)], total=[money(tot) + " €"] if len(L) > 1 else [],
        order=[(made, due, lambda d: day(d, "long"), "due before it was issued")], font=r.choice(["Carlito", "Liberation Serif", "Open Sans"]))


@design("INVOICE", "FR", "FR")
def facture_garage(r):
    f, p = firm(r, "FR", "Garage"), Person(r)
    made, no, L = past(r, 3, 320), digits(r, 6), [(d, 1, v, v) for d, v in [("Vidange + filtre huile", 8900), ("Plaquettes avant (jeu)", 6450),
        ("Main d'œuvre 1,50 h x 72,00", 10800), ("Géométrie", 7900), ("Recyclage déchets", 350)]]
    L = r.sample(L, r.randint(3, 5))
    avoir = r.random() < .2
    sg = -1 if avoir else 1
    ht = sum(x[3] for x in L)
    tva = round(ht * .2)
    tot, pl, a = ht + tva, plate(r), Account(r)
    km = r.randint(20, 180) * 1000 + r.randint(0, 999)

    def draw(c):
        c.setFont("Courier-Bold", 14)
        c.drawString(40, 800, f.name.upper())
        c.setFont("Courier", 9)
        for i, s in enumerate([f.street, f"{f.pc} {f.city}", f"TEL {f.phone}", f"R.C.S. {f.siren}  TVA {f.vat}"]):
            c.drawString(40, 786 - 11 * i, s)
        c.roundRect(300, 690, 255, 62, 6)
        for i, s in enumerate([f"{p.title} {p.last.upper()} {p.first}", p.street.upper(), f"{p.pc} {p.city.upper()}"]):
            c.drawString(310, 735 - 13 * i, s)
        c.setFont("Courier-Bold", 11)
        c.drawString(40, 665, f"{'AVOIR' if avoir else 'FACTURE'} No {no}      DATE {day(made)}")
        c.setFont("Courier", 9)
        c.drawString(40, 645, f"IMMAT. {pl}   KM {km}   O.R. {no[::-1]}")
        c.line(40, 637, 555, 637)
        y = 622
        for d, q, u, s in L:
            c.drawString(44, y, d)
            c.drawRightString(470, y, f"{q},00")
            c.drawRightString(550, y, money(sg * s))
            y -= 14
        c.line(40, y, 555, y)
        for k, v in [("TOTAL H.T.", ht), ("T.V.A. 20,00 %", tva), ("NET A VOUS CREDITER EUR" if avoir else "NET A PAYER EUR", tot)]:
            y -= 16
            c.setFont("Courier-Bold" if "NET" in k else "Courier", 10)
            c.drawRightString(450, y, k)
            c.drawRightString(550, y, money(sg * v))
        c.setFont("Courier", 8)
        c.drawString(40, y - 40, f"PAYABLE COMPTANT. VIREMENT : {a.spaced}")
        c.drawString(40, y - 52, "Réserve de propriété : loi du 12 mai 1980. Pièces usagées conservées 8 jours.")
    fl = {"invoiceNumber": (no, no), "issueDate": (made, day(made)), "issuer": (f.name, f.name.upper()), "iban": (a.iban, a.spaced), "totalAmount": (sg * tot,
        money(sg * tot))}
    return Doc("fr", "table", "reportlab", draw, made, fl, iban=a.spaced, sums=[([ht, tva], tot)], total=[money(sg * tot)],
        info={"Producer": r.choice(["GPL Ghostscript 8.15", "PDFCreator Version 0.9.5", "Win2PDF 7.1"])}, compress=0)


@design("INVOICE", "FR", "FR")
def facture_typst(r):
    f, g = firm(r), firm(r)
    made = past(r, 3, 300)
    no, L, a = f"{made:%y%m}-{digits(r, 4)}", lines_of(r, "FR", 3), Account(r)
    ht = sum(x[3] for x in L)
    tva = round(ht * .2)
    due = made + dt.timedelta(days=r.choice([30, 45, 60]))
    rows = "".join(f"[{d}], [{q}], [{money(u)}], [{money(s)}], " for d, q, u, s in L)
    src = f"""#set page(paper: "a4", margin: 20mm, numbering: "1 / 1")
#set text(font: "{r.choice(['Lato', 'Libertinus Serif', 'Roboto'])}", size: 10pt, lang: "fr")
#grid(columns: (1fr, 70mm), [#text(size: 17pt, weight: "bold")[{f.brand}] \\ {f.name} \\ {f.street}, {f.pc} {f.city} \\ SIREN {f.siren} · TVA {f.vat}],
[Client \\ *{g.name}* \\ {g.street} \\ {g.pc} {g.city} \\ TVA {g.vat}])
#v(8mm) #text(size: 15pt)[Facture] \\ Numéro de facture #h(4mm) *{no}* \\ Date de facture #h(4mm) {day(made, 'd.m.y')} \\ Échéance #h(4mm) {day(due,
'd.m.y')} \\ Votre commande #h(4mm) BC-{digits(r, 5)} du {day(made - dt.timedelta(days=19), 'd.m.y')}
#table(columns: (1fr, 18mm, 28mm, 30mm), align: (left, right, right, right), [*Libellé*], [*Qté*], [*Prix HT*], [*Total HT*], {rows})
#align(right)[#table(columns: (40mm, 30mm), stroke: none, [Total HT], [{money(ht)}], [TVA 20 %], [{money(tva)}], [*Total TTC*], [*{money(ht + tva)}*])]
IBAN {a.spaced} · BIC {a.bic} \\ #text(size: 7pt)[Escompte pour paiement anticipé : néant. Tout retard entraîne une indemnité de 40 €.]"""
    fl = {"invoiceNumber": (no, no), "issueDate": (made, day(made, "d.m.y")), "totalAmount": (ht + tva, money(ht + tva)), "issuer": (f.name, f.name),
        "iban": (a.iban, a.spaced)}
    return Doc("fr", "table", "typst", src, made, fl, iban=a.spaced, sums=[([ht, tva], ht + tva)], total=[money(ht + tva)], order=[(made, due,
        lambda d: day(d, "d.m.y"), "due before it was issued")])


@design("INVOICE", "CB", "CH")
def facture_chbe(r):
    cc = r.choice(["CH", "BE"])
    f, p = firm(r, cc), Person(r, cc)
    made, no, L, a = past(r, 3, 250), inv_no(r, 2026), lines_of(r, "FR", 3), Account(r, cc)
    L = [(d, q, u // 5 * 5, q * (u // 5 * 5)) for d, q, u, _ in L]
    net = sum(x[3] for x in L)
    rate = 81 if cc == "CH" else 210
    vat = round(net * rate / 1000)
    rnd = (5 - (net + vat) % 5) % 5 if cc == "CH" else 0
    tot, st, cur = net + vat + rnd, "ch" if cc == "CH" else "de", "CHF" if cc == "CH" else "EUR"
    due = made + dt.timedelta(days=30)
    slip = f"""<div style="border-top:1px dashed #000;margin-top:60px;padding-top:10px;display:flex;gap:40px;font-size:11px"><div><b>Récépissé</b><br>Compte
/ Payable à<br>{a.spaced}<br>{f.name}<br>{f.pc} {f.city}</div><div><b>Section paiement</b><br>Monnaie {cur} &nbsp; Montant {money(tot, 'ch').replace("'",
" ")}<br>Compte / Payable à<br>{a.spaced}<br>Payable
par<br>{p.full}</div></div>""" if cc == "CH" else f"<p>Paiement au compte {a.spaced} ({a.bic}), communication {no}.</p>"
    src = f"""<style>@page{{size:A4;margin:16mm}}body{{font:13px '{r.choice(["Liberation Sans", "Nimbus Sans",
"Open Sans"])}'}}table{{width:100%;border-collapse:collapse}}td{{padding:5px;border-bottom:1px solid #ddd}}td:last-child{{text-align:right}}</style>{logo(r,
f.brand, RED)}<p>{f.name} · {f.street} · {f.pc} {f.city}<br>{(f.uid + ' TVA') if cc == 'CH' else 'TVA BE ' + f.be}</p>
    <p style="margin-left:60%">{p.title} {p.full}<br>{p.street}<br>{p.pc} {p.city}</p><p>{f.city}, le {day(made, 'long')}</p><h3>Facture
{no}</h3><table>{"".join(f"<tr><td>{d}<td>{q} × {money(u, st)}<td>{money(s, st)}" for d, q, u, s in L)}<tr><td>Sous-total<td><td>{money(net, st)}<tr><td>TVA
{str(rate / 10).replace('.', ',')} %<td><td>{money(vat, st)}{f"<tr><td>Arrondi<td><td>{money(rnd, st)}" if rnd else ""}
    <tr><td><b>Total {cur} à payer</b><td><td><b>{money(tot, st)}</b></table><p>Payable net jusqu'au {day(due, 'd.m.y')}.</p>{slip}"""
    fl = {"invoiceNumber": (no, no), "issueDate": (made, day(made, "long")), "totalAmount": (tot, money(tot, st)), "issuer": (f.name, f.name),
        "iban": (a.iban, a.spaced)}
    d = Doc("fr", "table", r.choice(["chromium", "weasyprint"]), src if "<meta" in src else '<meta charset="utf-8">' + src, made, fl, iban=a.spaced,
        sums=[([net, vat, rnd], tot)], total=[money(tot, st)])
    d.land = cc
    return d


@design("INVOICE", "EN", "GB")
def invoice_uk(r):
    f, p = firm(r, "GB"), Person(r, "GB")
    made, L, a, no = past(r, 3, 330), lines_of(r, "EN"), Account(r, "GB"), r.choice(["INV-", "", "SI-"]) + digits(r, 5)
    net = sum(x[3] for x in L)
    v = r.random() < .7
    vat = round(net * .2) if v else 0
    tot, due = net + vat, made + dt.timedelta(days=r.choice([7, 14, 30]))
    iban = r.random() < .5
    c = r.choice(["#264653", "#a44a3f", "#3a5a40", "#000"])
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:18mm}}body{{font:10pt '{r.choice(["Lato", "Nimbus Roman", "Roboto",
"Open Sans"])}'}}h1{{color:{c};font-weight:300;font-size:26pt;margin:0}}table{{width:100%;border-collapse:collapse;margin:6mm
0}}th{{text-align:left;border-bottom:1.4pt solid {c}}}td{{padding:1.6mm 0}}.n{{text-align:right}}</style>
    <div style="float:right;text-align:right">{f.name}<br>{f.street}<br>{f.city} {f.pc}<br>{f.phone}<br>{('VAT Reg No ' + f.gbvat) if v else
'Not VAT registered'}<br>Company No {f.crn}</div><h1>{'INVOICE' if r.random() < .7 else 'Tax Invoice'}</h1><p>Invoice number {no}<br>Invoice date {day(made,
'long', 'en')}<br>Due date {day(due, 'long', 'en')}</p><p><b>Bill to</b><br>{p.full}<br>{p.street}<br>{p.city}<br>{p.pc}</p>
    <table><tr><th>Description<th class=n>Qty<th class=n>Unit price<th
class=n>Amount{"".join(f"<tr><td>{d}<td class=n>{q}<td class=n>£{money(u, 'en')}<td class=n>£{money(s, 'en')}" for d, q, u, s in
L)}{f"<tr><td><td><td class=n>Subtotal<td class=n>£{money(net, 'en')}<tr><td><td><td class=n>VAT @ 20%<td class=n>£{money(vat, 'en')}" if v else
""}<tr><td><td><td class=n><b>Total due</b><td class=n><b>£{money(tot, 'en')}</b></table>
    <p>Please pay by bank transfer: sort code {'-'.join(a.sort[i:i + 2] for i in (0, 2, 4))}, account {a.account}{', IBAN ' + a.spaced if iban else ''}.
Quote {no}. Thank you for your business.</p>"""
    fl = {"invoiceNumber": (no, no), "issueDate": (made, day(made, "long", "en")), "totalAmount": (tot, money(tot, "en")), "issuer": (f.name, f.name)}
    if iban:
        fl["iban"] = (a.iban, a.spaced)
    return Doc("en", "table", "weasyprint", src, made, fl, iban=a.spaced if iban else "", sums=[([net, vat], tot), ([x[3] for x in L], net)],
        total=["£" + money(tot, "en"), "£" + money(L[0][3], "en")], order=[(made, due, lambda d: day(d, "long", "en"), "due before it was issued")])


@design("INVOICE", "EN", "US")
def invoice_us(r):
    f, p = firm(r, "US"), Person(r, "US")
    made, L, no = past(r, 3, 300), lines_of(r, "EN"), digits(r, 4)
    net = sum(x[3] for x in L)
    tx, dep = round(net * .0625), r.choice([0, 10000])
    dep = dep if net > 20000 else 0
    tot, due = net + tx - dep, made + dt.timedelta(days=30)
    end = "\\\\"
    rows = "".join(f"{d.replace('–', '--')} & {q} & {money(u, 'en')} & {money(s, 'en')}{end}" for d, q, u, s in L)
    depo = f"& & Deposit received & -{money(dep, 'en')}{end}" if dep else ""
    src = rf"""\documentclass[11pt,letterpaper]{{article}}\usepackage[margin=1in]{{geometry}}\usepackage[T1]{{fontenc}}\usepackage[utf8]{{inputenc}}
\usepackage{{{r.choice(['lmodern', 'mathptmx', 'charter'])}}}\pagestyle{{{r.choice(['plain', 'empty'])}}}\setlength{{\parindent}}{{0pt}}
\begin{{document}}{{\Huge {f.brand}}}\hfill{{\Large INVOICE}}\par {f.name}\\{f.street}, {f.city}, MA {f.pc}\\{f.phone}\par\vspace{{6mm}}
\begin{{tabular}}{{@{{}}ll}}Invoice \#: & {no}\\Date: & {day(made, 'us', 'en')}\\Terms: & Net 30, due {day(due, 'us',
'en')}\end{{tabular}}\par\vspace{{4mm}}Bill to: {p.full}, {p.street}, {p.city}, MA {p.pc}\par\vspace{{6mm}}\begin{{tabular}}{{@{{}}p{{8cm}}rrr}}\hline Item &
Qty & Rate & Amount\\\hline
{rows}\hline & & Subtotal & {money(net, 'en')}\\& & Sales tax 6.25\% & {money(tx, 'en')}\\{depo}& & \textbf{{Balance due}} & \textbf{{\${money(tot,
'en')}}}\end{{tabular}}\par\vspace{{8mm}}Make checks payable to {f.name}.\end{{document}}"""
    return Doc("en", "table", "pdflatex", src, made, {"invoiceNumber": (no, no), "issueDate": (made, day(made, "us", "en")), "totalAmount": (tot, money(tot,
        "en")), "issuer": (f.name, f.name)}, sums=[([net, tx, -dep], tot)], total=[money(tot, "en")], page="letter",
               order=[(made, due, lambda d: day(d, "us", "en"), "due before it was issued")])


@design("INVOICE", "EN", "IE")
def invoice_plain(r):
    """Printed from a bookkeeping program: plain fonts, boxes."""
    cc = r.choice(["GB", "IE"])
    f, g = firm(r, cc), firm(r, cc)
    made, L, a, no = past(r, 3, 300), lines_of(r, "EN", 4), Account(r, cc), "SIN" + digits(r, 6)
    net = sum(x[3] for x in L)
    k = 20 if cc == "GB" else 23
    vat = round(net * k / 100)
    bf = r.choice([0, 0, r.randint(2000, 9000)])
    tot, cur = net + vat + bf, "£" if cc == "GB" else "€"

    def build(q):
        q.add_page()
        q.set_font("times", "B", 16)
        q.cell(0, 9, f.name, new_x="LMARGIN", new_y="NEXT")
        q.set_font("times", "", 10)
        q.multi_cell(0, 5, f"{f.street}, {f.city} {f.pc}\nVAT {f.gbvat if cc == 'GB' else 'IE' + f.crn + 'T'}\n\nTo: {g.name}\n{g.street}\n{g.city} "
            f"{g.pc}\n\nInvoice No: {no}\nTax point: {day(made)}\nCustomer ref: {no[3:5]}PO\n", new_x="LMARGIN", new_y="NEXT")
        for d, n, u, s in L + [("Net", "", "", net), (f"VAT {k}%", "", "", vat)] + ([("Balance brought forward", "", "", bf)] if bf else []) + [("TOTAL DUE",
            "", "", tot)]:
            q.set_font("times", "B" if d == "TOTAL DUE" else "", 10)
            q.cell(95, 7, d.replace("–", "-"), border=1)
            q.cell(15, 7, str(n), border=1)
            q.cell(30, 7, money(u, "en") if u else "", border=1, align="R")
            q.cell(35, 7, cur + money(s, "en"), border=1, align="R", new_x="LMARGIN", new_y="NEXT")
        q.ln(5)
        q.set_font("courier", "", 10)
        q.multi_cell(0, 5, f"Remit to {f.name}\nIBAN {a.spaced}\nBIC {a.bic}")
    fl = {"invoiceNumber": (no, no), "issueDate": (made, day(made)), "totalAmount": (tot, money(tot, "en")), "issuer": (f.name, f.name), "iban": (a.iban,
        a.spaced)}
    d = Doc("en", "table", "fpdf2", build, made, fl, iban=a.spaced, sums=[([net, vat, bf], tot)], total=[cur + money(tot, "en")],
        info={"Producer": r.choice(["Sage 50 Accounts", "TAS Books", "PDF reDirect v2"])})
    d.land = cc
    return d


TX = {"de": ("Rechnung", "Rechnungsnummer", "Rechnungsdatum", "Leistung", "Menge", "Einzelpreis", "Betrag", "Nettobetrag", "USt. 19 %", "Rechnungsbetrag", 19,
    "Bitte überweisen Sie auf das Konto", "Zahlbar ohne Abzug bis"),
      "es": ("FACTURA", "Factura n.º", "Fecha de emisión", "Concepto", "Cant.", "Precio", "Importe", "Base imponible", "IVA 21 %", "Total a pagar", 21,
          "Pago por transferencia", "Vencimiento"),
      "it": ("FATTURA", "Numero", "Data", "Descrizione", "Q.tà", "Prezzo", "Importo", "Imponibile", "IVA 22 %", "Totale da pagare", 22, "Bonifico bancario",
          "Scadenza"),
      "nl": ("Factuur", "Factuurnummer", "Factuurdatum", "Omschrijving", "Aantal", "Prijs", "Bedrag", "Subtotaal", "Btw 21%", "Te betalen", 21,
          "Gelieve over te maken op", "Vervaldatum"),
      "pt": ("Fatura", "Fatura n.º", "Data de emissão", "Descrição", "Qtd.", "Preço", "Valor", "Base tributável", "IVA 23 %", "Total a pagar", 23,
          "Transferência bancária", "Vencimento")}


@design("INVOICE", "XX", "DE")
def invoice_foreign(r):
    lang = r.choice(list(TX))
    cc, t, st = lang.upper(), TX[lang], {"de": "d.m.y", "es": "d/m/y", "it": "d/m/y", "nl": "d-m-y", "pt": "d/m/y"}[lang]
    f, p, L, a = firm(r, cc, r.choice(["Studio", "Service", "Technik" if lang == "de" else "Tecnica"])), Person(r, cc), lines_of(r, cc), Account(r, cc)
    made, no = past(r, 3, 300), inv_no(r, 2026)
    net = sum(x[3] for x in L)
    vat = round(net * t[10] / 100)
    tot, due = net + vat, made + dt.timedelta(days=14)
    fl = {"invoiceNumber": (no, no), "issueDate": (made, day(made, st)), "totalAmount": (tot, money(tot, "de")), "issuer": (f.name, f.name), "iban": (a.iban,
        a.spaced)}
    common = dict(iban=a.spaced, sums=[([net, vat], tot)], total=[money(tot, "de")], order=[(made, due, lambda d: day(d, st), "due before it was issued")])
    if r.random() < .5:
        rows = "".join(f"[{d}], [{q}], [{money(u, 'de')}], [{money(s, 'de')}], " for d, q, u, s in L)
        src = f"""#set page(paper: "a4", margin: 22mm)
#set text(font: "Roboto", size: 10pt)
#text(size: 8pt)[{f.name} · {f.street} · {f.pc} {f.city}] #v(4mm) {p.full} \\ {p.street} \\ {p.pc} {p.city} #v(10mm) #text(size: 16pt)[{t[0]}] \\ {t[1]}:
{no} #h(8mm) {t[2]}: {day(made, st)}
#table(columns: (1fr, 16mm, 28mm, 30mm), stroke: (x: none), [*{t[3]}*], [*{t[4]}*], [*{t[5]}*], [*{t[6]}*], {rows} [{t[7]}], [], [], [{money(net, 'de')}],
[{t[8]}], [], [], [{money(vat, 'de')}], [*{t[9]} EUR*], [], [], [*{money(tot, 'de')}*])
{t[11]} {a.spaced}. {t[12]} {day(due, st)}."""
        d = Doc(lang, "table", "typst", src, made, fl, **common)
    else:
        src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:18mm}}body{{font:10pt
'Liberation Sans'}}table{{width:100%;border-collapse:collapse}}td{{border:.4pt solid #888;padding:1.5mm}}</style>
{logo(r, f.brand, BLUE)}<p>{f.name}, {f.street}, {f.pc}
{f.city}</p><p style="text-align:right">{p.full}<br>{p.street}<br>{p.pc} {p.city}</p><h2>{t[0]}</h2><p>{t[1]} <b>{no}</b><br>{t[2]} <b>{day(made,
st)}</b><br>{t[12]} {day(due, st)}</p>
        <table><tr><td>{t[3]}<td>{t[4]}<td>{t[5]} €<td>{t[6]} €{"".join(f"<tr><td>{d}<td>{q}<td>{money(u, 'de')}<td>{money(s, 'de')}" for d, q, u, s in
L)}</table><p style="text-align:right">{t[7]} {money(net, 'de')} €<br>{t[8]} {money(vat, 'de')} €<br><b>{t[9]} {money(tot, 'de')} €</b></p><p>{t[11]}:
{a.spaced} – BIC {a.bic}</p>"""
        d = Doc(lang, "colon", "weasyprint", src, made, fl, **common)
    d.land = cc
    return d


# ------------------------------------------------------------------ household bills
def home(p, made, shown, iss, up=False):
    f = person_fields(p, up)
    f["firstName"] = (p.first, p.first)
    f["issueDate"], f["issuer"] = (made, shown), (iss, iss)
    return f


@design("PROOF_OF_ADDRESS", "FR", "FR")
def facture_energie(r):
    p, made, c = Person(r), past(r, 3, 90), r.choice(["#005eb8", "#e8541e", "#2b8a3e"])
    iss = r.choice(["Électra Rhône", "Lumen Énergies", "Alpes Gaz Service", "Sylvolt"])
    other = place(r, "FR") if r.random() < .2 else None
    i0 = r.randint(2000, 30000)
    k = r.randint(180, 900)
    abo, conso, tax, due = r.randint(1400, 2900), round(k * 19.52), round(k * 2.25), made + dt.timedelta(days=15)
    v5, v20 = round(abo * .055), round((conso + tax) * .2)
    tot = abo + conso + tax + v5 + v20
    pay = other or (p.street, p.pc, p.city)
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:13mm}}body{{font:9.6pt '{r.choice(["Open Sans", "Lato",
"Roboto"])}'}}h1{{color:{c};font-size:16pt}}.big{{background:{c};color:#fff;padding:4mm;border-radius:3mm;font-size:13pt;width:70mm}}
table{{width:100%;border-collapse:collapse;margin-top:4mm}}td,th{{padding:1.2mm 2mm;border-bottom:.3pt solid #bbb;text-align:right}}td:first-child,
th:first-child{{text-align:left}}.r{{display:flex;justify-content:space-between}}</style>
    <div class=r><div>{logo(r, iss, c)}</div><div>{p.title} {p.last.upper()} {p.first}<br>{pay[0]}<br>{pay[1]} {pay[2].upper()}</div></div><h1>Votre facture
d'électricité du {day(made, 'long')}</h1><div class=r><div>N° client : {digits(r, 10)}<br>N° de compte : {digits(r, 3)} {digits(r, 3)}<br>Facture n°
{digits(r, 11)}<br>Point de livraison (PDL) : {digits(r, 14)}
    <br>Lieu de consommation : {p.street}, {p.pc} {p.city}</div><div class=big>Montant à payer<br><b>{money(tot)} € TTC</b><br><span
style="font-size:9pt">prélevé le {day(due)}</span></div></div><table><tr><th>Relevé<th>Ancien index<th>Nouvel index<th>Consommation<tr><td>Heures base –
{r.choice(['relève réelle', 'estimation'])} du {day(made - dt.timedelta(days=62))} au {day(made - dt.timedelta(days=2))}<td>{i0}<td>{i0 + k}<td>{k}
kWh</table>
    <table><tr><th>Détail<th>Montant HT<th>TVA<tr><td>Abonnement (2 mois)<td>{money(abo)} €<td>5,5 %<tr><td>Consommation {k} kWh × 0,1952<td>{money(conso)}
€<td>20 %<tr><td>Contributions et taxes (accise)<td>{money(tax)} €<td>20 %<tr><td>TVA à 5,5 %<td>{money(v5)} €<td><tr><td>TVA à 20 %<td>{money(v20)}
€<td><tr><td><b>Total TTC</b><td><b>{money(tot)} €</b><td></table>
    <p>Prochaine facture vers le {day(made + dt.timedelta(days=61))}. Service client 09 69 {digits(r, 2)} {digits(r, 2)} {digits(r, 2)} (appel non surtaxé).
Médiateur national de l'énergie : Libre réponse n°59252.</p><p style="font-size:6.5pt">{iss} – SA au capital de 4 200 000 € – RCS Lyon {siren(r)}</p>"""
    return Doc("fr", "colon", r.choice(["weasyprint", "chromium"]), src, made, home(p, made, day(made, "long"), iss), sums=[([abo, conso, tax, v5, v20],
        tot)], total=[money(tot) + " €"], order=[(made, due, lambda d: day(d), "taken before the date of the bill")], info={"Producer": "StreamServe "
            "Communication Server 5.6.2"})


@design("PROOF_OF_ADDRESS", "FR", "FR")
def facture_mobile(r):
    p, made = Person(r), past(r, 3, 90)
    iss, c = r.choice([("Célestel", (.8, 0, .3)), ("Nuage Mobile", (.1, .5, .7)), ("Fibra Sud-Est", (.9, .45, 0))])
    L = [("Forfait 100 Go", 1999), ("Option international", r.choice([0, 500])), ("Box fibre – abonnement", r.choice([0, 3499])), ("Remise multi-lignes",
        -r.choice([0, 300])), ("Achat de service (hors forfait)", r.choice([0, 215]))]
    L = [x for x in L if x[1]]
    tot = sum(v for _, v in L)
    line, no, due = f"06 {digits(r, 2)} {digits(r, 2)} {digits(r, 2)} {digits(r, 2)}", digits(r, 10), made + dt.timedelta(days=12)

    def draw(c_):
        c_.setFillColorRGB(*c)
        c_.rect(0, 800, 595, 42, fill=1, stroke=0)
        c_.setFillGray(1)
        c_.setFont(ttf("Roboto", "Bold"), 20)
        c_.drawString(36, 812, iss)
        c_.setFillGray(0)
        c_.setFont(ttf("Roboto"), 10)
        for i, s in enumerate([f"{p.title} {p.first} {p.last}", p.street, f"{p.pc} {p.city}"]):
            c_.drawString(330, 735 - 14 * i, s)
        for i, s in enumerate([f"Facture n° {no}", f"Émise le {day(made)}", f"Votre ligne {line}", f"Identifiant {no[::-1][:8]}"]):
            c_.drawString(36, 735 - 14 * i, s)
        c_.setFont(ttf("Roboto", "Bold"), 13)
        c_.drawString(36, 640, f"Total à payer : {money(tot)} € TTC")
        c_.setFont(ttf("Roboto"), 9)
        c_.drawString(36, 624, f"Ce montant sera prélevé le {day(due)} sur votre compte bancaire ••••{no[:3]}")
        y = 590
        for a, v in L:
            c_.drawString(40, y, a)
            c_.drawRightString(550, y, money(v) + " €")
            c_.setDash(1, 2)
            c_.line(40, y - 4, 550, y - 4)
            c_.setDash()
            y -= 18
        c_.drawString(40, y, f"Total TTC dont TVA 20 % {money(round(tot / 6))} €")
        c_.drawRightString(550, y, money(tot) + " €")
        c_.setFont("Courier", 7)
        c_.drawString(500, 24, "page 1 / 1")
        c_.drawString(36, 24, f"{iss} SAS - service clients 3 chiffres - duplicata disponible 1 an")
    return Doc("fr", "nolabel", "reportlab", draw, made, home(p, made, day(made), iss), sums=[([v for _, v in L], tot)],
        total=[money(tot) + " €"] if len(L) > 1 else [], order=[(made, due, day, "taken before the date of the bill")], info={"Producer": "Quadient CXM "
            "AG~Inspire~12.0.13", "Title": "Facture"})


@design("PROOF_OF_ADDRESS", "FR", "FR")
def attestation_contrat(r):
    p, made = Person(r), past(r, 1, 80)
    iss = r.choice(["Électra Rhône", "Lumen Énergies", "Eaux de la Saône", "Fibra Sud-Est"])
    kind = {"E": "d'eau potable", "F": "Internet fibre"}.get(iss[0], "d'électricité") if iss[0] == "F" or "Eaux" in iss else "d'électricité"
    start = past(r, 30, 2500, made)

    def build(w):
        w.add_paragraph(iss).runs[0].bold = True
        w.add_heading("Attestation de titulaire de contrat", 1)
        w.add_paragraph(f"Nous certifions que {p.title} {p.first} {p.last} est titulaire d'un contrat de fourniture {kind} depuis le {day(start, 'long')} "
            f"pour l'adresse suivante :")
        w.add_paragraph(f"{p.street}\n{p.pc} {p.city}")
        w.add_paragraph(f"Référence client : {ref}")
        w.add_paragraph("Cette attestation peut être utilisée comme justificatif de domicile. Elle ne préjuge pas du règlement des factures.")
        w.add_paragraph(f"Attestation établie le {day(made, 'long')}.")
    ref = digits(r, 9)
    return Doc("fr", "prose", "libreoffice", build, made, home(p, made, day(made, "long"), iss), order=[(start, made, lambda d: day(d, "long"),
        "made before the contract began")], font=r.choice(["Lato", "Carlito", "Liberation Sans"]))


@design("PROOF_OF_ADDRESS", "FR", "FR")
def facture_eau(r):
    p, made = Person(r), past(r, 5, 170)
    iss = r.choice(["Eaux de la Saône", "Régie des Eaux du Grand Val", "Source Vive SA"])
    i0, k = r.randint(200, 3000), r.randint(18, 90)
    dist, ass, ab, org = k * 212, k * 178, 2460, round(k * 33)
    vat = round((dist + ass + ab + org) * .055)
    tot, men = dist + ass + ab + org + vat, 0
    men = r.choice([0, tot // 2 // 100 * 100])
    src = f"""<html><body style="font-family:sans-serif;font-size:10pt"><p style="color:#07a;font-size:18pt"><b>{iss}</b></p><p>Service de l'eau et de
l'assainissement<br>{p.title} {p.last} {p.first}<br>{p.street}<br>{p.pc} {p.city}</p><h3>Facture n° {digits(r, 8)} du {day(made, 'd.m.y')}</h3><p>Abonné :
{digits(r, 7)} – Compteur {letters(r, 1)}{digits(r, 6)} – Adresse desservie : {p.street}, {p.pc} {p.city}</p>
    <p>Index précédent {i0} m³ – Index actuel {i0 + k} m³ – Volume facturé {k} m³</p><p>Abonnement : {money(ab)} €</p><p>Distribution de l'eau {k} × 2,12 :
{money(dist)} €</p><p>Collecte et traitement des eaux usées {k} × 1,78 : {money(ass)} €</p><p>Organismes publics (agence de l'eau) {k} × 0,33 : {money(org)}
€</p><p>TVA 5,50 % : {money(vat)} €</p>
    {f"<p>Total de la période : {money(tot)} €</p><p>Mensualités déjà prélevées : -{money(men)} €</p>" if men else ""}<p><b>Net à payer : {money(tot - men)}
€</b> avant le {day(made + dt.timedelta(days=20), 'd.m.y')}</p></body></html>"""
    return Doc("fr", "colon", "mupdf", src, made, home(p, made, day(made, "d.m.y"), iss), sums=[([ab, dist, ass, org, vat, -men], tot - men)],
        total=[money(tot - men) + " €"], order=[(made, made + dt.timedelta(days=20), lambda d: day(d, "d.m.y"), "to be paid before the date of the bill")])


@design("PROOF_OF_ADDRESS", "CB", "CH")
def energie_chbe(r):
    cc = r.choice(["CH", "BE"])
    p, made = Person(r, cc), past(r, 3, 120)
    iss = r.choice(["Services Industriels du Lac", "Romande Réseaux"]) if cc == "CH" else r.choice(["Mosénergie", "Lumisca"])
    cur, st = ("CHF", "ch") if cc == "CH" else ("EUR", "de")
    L = [("Énergie", r.randint(6000, 15000)), ("Acheminement", r.randint(2000, 7000)), ("Taxes et redevances", r.randint(500, 2000)),
        ("Eau" if cc == "CH" else "Cotisation fédérale", r.randint(500, 3000))]
    net = sum(v for _, v in L)
    vat = round(net * (.081 if cc == "CH" else .06))
    ac = r.choice([0, 5000])
    tot, due = net + vat - ac, made + dt.timedelta(days=30)
    src = f"""#set page(paper: "a4", margin: 20mm)
#set text(font: "{r.choice(['Open Sans', 'Roboto', 'Liberation Sans'])}", size: 10pt)
#rect(fill: rgb("{r.choice(['#dbeee0', '#e2ecf7', '#f6ead7'])}"), width: 100%, inset: 10pt)[#text(size: 18pt, weight: "bold")[{iss}] #h(1fr) Facture
{digits(r, 9)}]
#v(6mm) #grid(columns: (1fr, 1fr), [N° de client {digits(r, 7)} \\ Date de facture {day(made, 'd.m.y')} \\ Période {day(made - dt.timedelta(days=95),
'd.m.y')} – {day(made - dt.timedelta(days=5), 'd.m.y')}], [{p.title.replace('M.', 'Monsieur').replace('Mme', 'Madame')} \\ {p.full} \\ {p.street} \\ {p.pc}
{p.city}])
#v(6mm) Objet desservi : {p.street}, {p.pc} {p.city}
#table(columns: (1fr, 40mm), align: (left, right), {"".join(f"[{a}], [{money(v, st)}], " for a, v in L)} [TVA {'8,1' if cc == 'CH' else '6'} %], [{money(vat,
st)}], {f"[Acompte facturé], [-{money(ac, st)}], " if ac else ""} [*Montant dû {cur}*], [*{money(tot, st)}*])
Échéance {day(due, 'd.m.y')}. {'Merci d’utiliser la QR-facture jointe.' if cc == 'CH' else 'Domiciliation européenne active.'}"""
    d = Doc("fr", "table", "typst", src, made, home(p, made, day(made, "d.m.y"), iss), sums=[([v for _, v in L] + [vat, -ac], tot)], total=[money(tot, st)],
        order=[(made, due, lambda x: day(x, "d.m.y"), "due before the date of the bill")])
    d.land = cc
    return d


@design("PROOF_OF_ADDRESS", "EN", "GB")
def bill_uk(r):
    p, made = Person(r, "GB"), past(r, 3, 95)
    iss, c = r.choice([("Pennine Energy", "#00754a"), ("Brightwater Utilities", "#0a6ebd"), ("Juniper Power Ltd", "#5b2a86")])
    b0, el, g, pay = r.randint(1000, 9000), r.randint(4000, 12000), r.randint(2000, 9000), 0
    vat = round((el + g) * .05)
    pay = r.randint(30, 90) * 100
    tot = b0 + el + g + vat - pay
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:15mm}}body{{font:10pt '{r.choice(["Lato", "Open Sans",
"Carlito"])}'}}.h{{background:{c};color:#fff;padding:5mm;font-size:18pt}}table{{width:110mm;border-collapse:collapse}}td{{padding:1.3mm;border-bottom:.4pt
solid #ccc}}td+td{{text-align:right}}.o{{float:right;width:58mm;background:#f3f3f3;padding:4mm;font-size:9pt}}</style><div class=h>{iss}</div>
    <div class=o>Account number<br><b>{digits(r, 10)}</b><br><br>Bill date<br><b>{day(made, 'ord' if r.random() < .3 else 'long', 'en')}</b><br><br>Your
supply address<br>{p.street}, {p.city} {p.pc}<br><br>Electricity meter {letters(r, 1)}{digits(r, 2)}{letters(r, 1)}{digits(r, 5)}<br>MPAN {digits(r,
13)}</div><p>{p.title} {p.first} {p.last}<br>{p.street}<br>{p.city}<br>{p.pc}</p><h3>Your energy bill</h3><p>For {day(made - dt.timedelta(days=91), 'long',
'en')} to {day(made - dt.timedelta(days=1), 'long', 'en')}</p>
    <table><tr><td>Balance on your last bill<td>£{money(b0, 'en')}<tr><td>What you've paid – thank you<td>-£{money(pay, 'en')}<tr><td>Electricity
used<td>£{money(el, 'en')}<tr><td>Gas used<td>£{money(g, 'en')}<tr><td>VAT at 5%<td>£{money(vat, 'en')}<tr><td><b>{'Your account is in debit' if tot > 0 else
'Your account is in credit'}</b><td><b>£{money(abs(tot), 'en')}</b></table><p>We'll collect your Direct Debit as usual. Could you pay less? Compare at
{iss.split()[0].lower()}.example/tariffs.</p>"""
    sh = next(s for s in (day(made, "ord", "en"), day(made, "long", "en")) if f"<b>{s}</b>" in src)
    return Doc("en", "under", r.choice(["weasyprint", "chromium"]), src, made, home(p, made, sh, iss), sums=[([b0, -pay, el, g, vat], tot)],
        total=["£" + money(abs(tot), "en")])


@design("PROOF_OF_ADDRESS", "EN", "US")
def bill_us(r):
    p, made = Person(r, "US"), past(r, 3, 80)
    iss = r.choice(["Shawmut Gas and Electric", "Bay Harbor Water and Sewer Commission", "Copley Broadband"])
    k = r.randint(220, 900)
    parts = [("Supply charges" if "Gas" in iss else "Current charges", k * 15), ("Delivery charges" if "Gas" in iss else "Service fee", k * 13),
        ("Taxes and surcharges", r.randint(150, 900))]
    tot, due = sum(v for _, v in parts), made + dt.timedelta(days=25)
    src = f"""<style>@page{{size:Letter;margin:.6in}}body{{font:13px '{r.choice(["Roboto", "Liberation Sans",
"Open Sans"])}'}}.g{{display:grid;grid-template-columns:1fr 1fr 1fr;border:2px solid #124;margin:14px 0}}.g div{{padding:10px;border-right:1px solid
#124}}td{{padding:4px 30px 4px 0}}</style><h2 style="color:#124">{iss}</h2><p>Service to: {p.first.upper()} {p.last.upper()}, {p.street.upper()},
{p.city.upper()} MA {p.pc}</p>
    <div class=g><div>Account number<br><b>{digits(r, 4)}-{digits(r, 6)}</b></div><div>Statement date<br><b>{day(made, 'us', 'en')}</b></div><div>Amount due
by {day(due, 'us', 'en')}<br><b>${money(tot, 'en')}</b></div></div><p>Previous balance $0.00 – Payments received
$0.00</p><table>{"".join(f"<tr><td>{a}<td>${money(v, 'en')}" for a, v in parts)}<tr><td><b>Total current charges</b><td><b>${money(tot, 'en')}</b></table>
    <p>Usage this period: {k}. Average daily use {round(k / 30, 1)}.</p><hr style="border-top:1px dashed"><p>Please detach and return with payment</p><p
style="margin-left:50%">{p.first.upper()} {p.last.upper()}<br>{p.street.upper()}<br>{p.city.upper()} MA {p.pc}</p>"""
    f = home(p, made, day(made, "us", "en"), iss, True)
    return Doc("en", "under", "chromium", src, made, f, sums=[([v for _, v in parts], tot)], total=["$" + money(tot, "en")], order=[(made, due,
        lambda d: day(d, "us", "en"), "due before the statement date")], page="letter")


@design("PROOF_OF_ADDRESS", "EN", "IE")
def bill_letter(r):
    cc = r.choice(["IE", "GB"])
    p, made = Person(r, cc), past(r, 3, 90)
    iss = r.choice(["Liffey Telecom", "Atlantic Fibre"]) if cc == "IE" else r.choice(["Mersey Fibre", "Beckside Water"])
    cur, net = ("€" if cc == "IE" else "£"), r.choice([2999, 3550, 4200, 5575])
    vat = round(net * .2)
    acc, tel = digits(r, 9), r.random() < .5

    def draw(c):
        c.setFont("Helvetica-Bold", 22)
        c.setFillColorRGB(.1, .3, .4)
        c.drawString(45, 785, iss)
        c.setFillGray(0)
        c.setFont("Helvetica", 10.5)
        for i, s in enumerate([f"{p.title} {p.first} {p.last}", p.street, p.city, p.pc]):
            c.drawString(45, 735 - 14 * i, s)
        for i, s in enumerate([f"Account no. {acc}", f"Bill date: {day(made, 'Mon', 'en')}", f"Page 1 of 1"]):
            c.drawRightString(550, 735 - 14 * i, s)
        c.setFont("Helvetica-Bold", 14)
        c.drawString(45, 650, "Your monthly bill" if tel else "Your bill at a glance")
        c.setFont("Helvetica", 11)
        for i, (a, v) in enumerate([("Monthly charges", net), ("VAT", vat), ("Total to pay", net + vat)]):
            c.drawString(55, 620 - 20 * i, a)
            c.drawRightString(300, 620 - 20 * i, cur + money(v, "en"))
        c.setFont("Times-Roman", 9)
        c.drawString(45, 530, "You pay by Direct Debit, so there is nothing more to do. We will take the money on or after the tenth working day.")
        c.drawString(45, 516, "Moving home? Tell us at least 14 days before you go.")
    d = Doc("en", "colon", "reportlab", draw, made, home(p, made, day(made, "Mon", "en"), iss), sums=[([net, vat], net + vat)], total=[cur + money(net + vat,
        "en")], info={"Producer": r.choice(["OpenText Exstream 16.6", "Doc1 6.6 (Pitney Bowes)"])})
    d.land = cc
    return d


BX = {"de": ("Stromabrechnung", "Kundennummer", "Rechnungsdatum", "Arbeitspreis", "Grundpreis", "Umsatzsteuer", "Zu zahlender Betrag", "Lieferanschrift",
    "Stadtwerke Lindau-Nord"), "es": ("Factura de electricidad", "N.º de cliente", "Fecha de factura", "Energía consumida", "Potencia contratada", "IVA",
        "Total a pagar", "Dirección de suministro", "Luz del Levante S.A."),
      "it": ("Bolletta energia elettrica", "Codice cliente", "Data di emissione", "Spesa per l'energia", "Quota fissa", "IVA", "Totale bolletta",
          "Indirizzo di fornitura", "Energia Subalpina S.p.A."), "nl": ("Jaarnota energie", "Klantnummer", "Factuurdatum", "Leveringskosten", "Vastrecht",
              "Btw", "Te betalen", "Leveringsadres", "Polderstroom B.V."),
      "pt": ("Fatura de eletricidade", "N.º de cliente", "Data de emissão", "Energia", "Potência", "IVA", "Valor a pagar", "Morada de fornecimento",
          "Luz do Norte S.A.")}


@design("PROOF_OF_ADDRESS", "XX", "ES")
def bill_foreign(r):
    lang = r.choice(list(BX))
    cc, t = lang.upper(), BX[lang]
    p, made = Person(r, cc), past(r, 3, 95)
    a, b = r.randint(3000, 14000), r.randint(800, 2500)
    v = round((a + b) * .2)
    st = {"de": "d.m.y", "nl": "d-m-y"}.get(lang, "d/m/y")
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:17mm}}body{{font:10pt '{r.choice(["Liberation Sans", "Lato",
"Roboto Condensed"])}'}}td{{padding:1.5mm 8mm 1.5mm 0}}</style>{logo(r, t[8], r.choice([GREEN, BLUE, RED]))}<p
style="text-align:right">{p.full}<br>{p.street}<br>{p.pc} {p.city}</p><h2>{t[0]}</h2><p>{t[1]}: {digits(r, 9)}<br>{t[2]}: {day(made, st)}<br>{t[7]}:
{p.street}, {p.pc} {p.city}</p>
    <table><tr><td>{t[3]}<td align=right>{money(a, 'de')} €<tr><td>{t[4]}<td align=right>{money(b, 'de')} €<tr><td>{t[5]}<td align=right>{money(v, 'de')}
€<tr><td><b>{t[6]}</b><td align=right><b>{money(a + b + v, 'de')} €</b></table>"""
    d = Doc(lang, "colon", r.choice(["weasyprint", "chromium"]), src, made, home(p, made, day(made, st), t[8]), sums=[([a, b, v], a + b + v)],
        total=[money(a + b + v, "de") + " €"])
    d.land = cc
    return d


# ------------------------------------------------------------------ everything else
def letter_doc(r, lang, kind, made, html=None, build=None, typ=None, **k):
    src, b = (html, k.pop("via", "weasyprint")) if html else (build, "libreoffice") if build else (typ, "typst")
    d = Doc(lang, "prose", b, src, made, {}, **k)
    d.label = kind
    return d


@design("OTHER", "FR", "FR")
def autre_fr_word(r):
    p, q, made = Person(r), Person(r), past(r, 3, 400)
    rent, ch = r.randint(420, 1400) * 100, r.randint(20, 120) * 100
    k = r.choice(["quittance", "lettre", "travail", "preavis", "etat_des_lieux", "caution"])
    T = {"quittance": ("QUITTANCE DE LOYER", [f"Je soussigné {q.full}, propriétaire du logement désigné ci-dessous, déclare avoir reçu de {p.title} "
        f"{p.full} la somme de {money(rent + ch)} euros au titre du paiement du loyer et des charges pour le mois de {MONTHS['fr'][made.month - 1]} "
            f"{made.year}.", f"Adresse de la location : {p.street}, {p.pc} {p.city}", f"Loyer : {money(rent)} €\nProvision pour charges : {money(ch)} "
                f"€\nTotal : {money(rent + ch)} €",
                              "Cette quittance annule tous les reçus qui auraient pu être établis précédemment."]),
         "lettre": ("Demande de logement", ["Madame, Monsieur,", f"Actuellement à la recherche d'un appartement de type T3 à {p.city}, je me permets de "
             f"vous adresser mon dossier. Je travaille depuis quatre ans comme infirmière à l'hôpital et mon conjoint est enseignant.", "Nous n'avons pas "
                 "d'animaux et sommes non-fumeurs. Nous pouvons visiter le bien tous les soirs après 18 h.", "Je vous prie d'agréer, Madame, Monsieur, "
                     "mes salutations distinguées."]),
         "travail": ("CONTRAT DE TRAVAIL À DURÉE INDÉTERMINÉE", [f"Entre la société {firm(r).name} et {p.title} {p.full}, il a été convenu ce qui suit.",
             f"Article 1 – Engagement. Le salarié est engagé à compter du {day(made, 'long')} en qualité de technicien, sous réserve de la visite médicale.",
                 "Article 2 – Période d'essai. Le présent contrat est soumis à une période d'essai de deux mois.", f"Article 3 – Rémunération. Le salarié "
                     f"percevra une rémunération brute mensuelle de {money(rent * 3)} € pour 151,67 heures.", "Article 4 – Congés. Le salarié bénéficiera "
                         "des congés payés légaux."]),
         "preavis": ("Congé du logement – lettre recommandée avec accusé de réception", [f"Madame, Monsieur, par la présente je vous informe de ma "
             f"décision de quitter le logement que j'occupe au {p.street}, {p.pc} {p.city}.", "Le préavis étant d'un mois en zone tendue, le bail prendra "
                 "fin à l'expiration de ce délai. Je vous propose de convenir d'une date pour l'état des lieux et la remise des clés."]),
         "etat_des_lieux": ("ÉTAT DES LIEUX D'ENTRÉE", [f"Logement : {p.street}, {p.pc} {p.city}. Locataire : {p.full}. Bailleur : {q.full}.",
             "Entrée : peinture bon état, sol carrelage bon état, interphone fonctionne.\nSéjour : parquet rayé près de la fenêtre, deux prises "
                 "descellées, radiateur en bon état.\nCuisine : évier bon état, joint à reprendre, hotte fonctionne.\nChambre : moquette usagée, volet "
                     "roulant fonctionne.\nSalle d'eau : faïence fêlée (1 carreau).", "Relevé des compteurs : eau froide 00412 m³, électricité 18 254 "
                         "kWh. Clés remises : 3."]),
         "caution": ("ACTE DE CAUTIONNEMENT SOLIDAIRE", [f"Je soussigné(e) {q.full}, demeurant {q.street}, {q.pc} {q.city}, déclare me porter caution "
             f"solidaire de {p.full} pour le paiement du loyer de {money(rent)} € par mois, charges en sus.", "Je reconnais avoir pris connaissance des "
                 "conditions du bail et renonce au bénéfice de discussion et de division.", "Le présent engagement vaut pour la durée initiale du bail et "
                     "son premier renouvellement."])}[k]

    def build(w):
        if r0:
            w.add_paragraph(f"{(q if k == 'quittance' else p).full}\n{(q if k == 'quittance' else p).street}\n{(q if k == 'quittance' else p).pc} "
                f"{(q if k == 'quittance' else p).city}")
        w.add_heading(T[0], 1)
        for s in T[1]:
            w.add_paragraph(s)
        w.add_paragraph(f"Fait à {q.city}, le {day(made, 'long')}")
        w.add_paragraph("Signature")
    r0 = r.random() < .7
    return letter_doc(r, "fr", k, made, build=build, font=r.choice(["Carlito", "Liberation Serif", "Lato", "Liberation Sans"]), size=r.choice([10.5, 11, 12]),
        sums=[([rent, ch], rent + ch)], total=[money(rent + ch)] if k == "quittance" else [])


@design("OTHER", "FR", "FR")
def autre_fr_page(r):
    p, made, f = Person(r), past(r, 3, 400), firm(r)
    k = r.choice(["devis", "billet", "bulletin_scolaire", "cv", "ordonnance", "diplome", "releve_club", "resultat_labo"])
    c, font = r.choice([GREEN, BLUE, RED, "#444"]), r.choice(["Lato", "Open Sans", "P052", "Liberation Sans", "Roboto"])
    L = lines_of(r, "FR", 3)
    ht = sum(x[3] for x in L)
    pts = [r.randint(70, 180) / 10 for _ in range(5)]
    subjects = ["Français", "Mathématiques", "Histoire-géographie", "Anglais", "SVT"]
    said = ["Ensemble satisfaisant.", "Doit approfondir.", "Très bonne participation.", "Des progrès à l'oral.", "Sérieux et régulier."]
    marks = "".join(f"<tr><td>{m}<td>{str(n).replace('.', ',')}<td>{x}" for m, n, x in zip(subjects, pts, said))
    body = {"devis": f"<h2>DEVIS n° D{digits(r, 4)}</h2><p>{f.name}, {f.street}, {f.pc} {f.city}<br>Établi le {day(made)} pour {p.full} – valable 3 mois, "
        f"à retourner signé avec la mention « bon pour accord "
            f"»</p><table>{''.join(f'<tr><td>{d}<td>{q}<td>{money(u)}<td>{money(s)}' for d, q, u, s in L)}</table><p>Total estimé HT {money(ht)} € – TVA "
                f"10 % {money(round(ht * .1))} € – Total TTC {money(ht + round(ht * .1))} €<br>Acompte de 30 % à la commande.</p>",
            "billet": f"<h2>E-billet</h2><p>Voyageur : {p.full}<br>Référence dossier : {letters(r, 6)}</p><h3>LYON PART-DIEU 08h{r.randint(10, 59)} → "
                f"PARIS GARE DE LYON 10h{r.randint(10, 59)}</h3><p>{day(made, 'long')} – Train n° {digits(r, 4)} – voiture {r.randint(1, 18)} place "
                    f"{r.randint(11, 118)} – 2de classe</p><p>Prix {money(r.randint(1900, 9800))} € – billet échangeable sans frais jusqu'à la veille.</p>",
            "bulletin_scolaire": f"<h2>Collège des Érables – Bulletin du 2e trimestre</h2><p>Élève : {p.last.upper()} {p.first} – classe de 4e "
                f"B</p><table>{marks}</table>"
                f"<p>Moyenne générale {sum(pts) / 5:.2f} – Appréciation : trimestre encourageant.</p>",
            "cv": f"<h1 style='color:{c}'>{p.full}</h1><p>{p.street}, {p.pc} {p.city} – permis B</p><h3>Expérience</h3><p>2021–2026 : gestionnaire de "
                f"copropriété, {f.brand}<br>2017–2021 : assistante commerciale<br>2015 : stage de fin d'études</p><h3>Formation</h3><p>BTS Professions "
                    f"immobilières, mention bien<br>Baccalauréat ES</p><h3>Langues et loisirs</h3><p>Anglais courant, italien notions. Escalade, "
                        f"chorale.</p>",
            "ordonnance": f"<p><b>Docteur {f.boss.full}</b><br>Médecine générale – conventionné secteur 1<br>{f.street}, {f.pc} {f.city}<br>N° RPPS "
                f"1000{digits(r, 7)}</p><p style='text-align:right'>Le {day(made)}</p><p>{p.title} {p.full}, né(e) le {day(p.birth)}</p><p>PARACÉTAMOL 1 "
                    f"g : 1 comprimé 3 fois par jour pendant 5 jours<br>Séances de kinésithérapie : rééducation de l'épaule, 10 séances<br>Bilan sanguin "
                        f": NFS, ferritine</p>",
            "diplome": f"<div style='border:3pt double {c};padding:18mm;text-align:center'><p>RÉPUBLIQUE FRANÇAISE – MINISTÈRE DE L'ENSEIGNEMENT "
                f"SUPÉRIEUR</p><h1>DIPLÔME DE LICENCE</h1><p>Vu les procès-verbaux du jury attestant que l'intéressé(e) a satisfait aux "
                    f"épreuves,</p><p>le diplôme de LICENCE Droit, économie, gestion, mention Économie est conféré à</p><h2>{p.title} "
                        f"{p.full}</h2><p>né(e) le {day(p.birth, 'long')} à {p.birthplace}, au titre de l'année universitaire 2019-2020, avec la mention "
                            f"Assez Bien</p><p>Le président de l'université</p></div>",
            "releve_club": f"<h2>Tennis Club des Brotteaux</h2><p>Relevé de compte adhérent – {p.full} – licence "
                f"{digits(r, 7)}{letters(r, 1)}</p><table><tr><td>Cotisation saison 2026/2027<td>245,00<tr><td>Location court couvert (4 "
                    f"h)<td>48,00<tr><td>Réglé par chèque<td>-293,00<tr><td>Solde<td>0,00</table><p>L'assemblée générale aura lieu au club-house. Le "
                        f"trésorier.</p>",
            "resultat_labo": f"<h3>Laboratoire de biologie médicale des Monts</h3><p>Patient : {p.full} – prélèvement du {day(made)} à 08h15 – édition du "
                f"{day(made + dt.timedelta(days=1))}</p><table><tr><td>Hémoglobine<td>13,{r.randint(1, 9)} g/dL<td>12,0 – "
                    f"16,0<tr><td>Leucocytes<td>6,{r.randint(1, 9)} G/L<td>4,0 – 10,0<tr><td>Glycémie à jeun<td>0,9{r.randint(0, 9)} g/L<td>0,74 – "
                        f"1,06<tr><td>Ferritine<td>{r.randint(20, 160)} µg/L<td>15 – 150</table><p>Validé par le biologiste responsable.</p>"}[k]
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:20mm}}body{{font:10.5pt
'{font}'}}table{{border-collapse:collapse;width:100%}}td{{border-bottom:.5pt solid #aaa;padding:1.5mm}}h2,h3{{color:{c}}}</style>{logo(r, f.brand, c) if k in
('devis', 'releve_club') else ''}{body}"""
    return letter_doc(r, "fr", k, made, html=src, via=r.choice(["weasyprint", "chromium", "weasyprint"]))


@design("OTHER", "CB", "CH")
def autre_chbe(r):
    cc = r.choice(["CH", "BE"])
    p, made = Person(r, cc), past(r, 5, 300)
    k = r.choice(["poursuites", "scolarite", "bail", "gerance"])
    office = "Office cantonal des poursuites" if cc == "CH" else "Administration communale"
    said = ("Le registre ne contient ni poursuite ni acte de défaut de biens pour la personne susmentionnée, à la date de la présente." if cc == "CH" else
            "Le ménage se compose de la seule personne indiquée, inscrite comme chef de ménage.")
    t = {"poursuites": f"= {office}\n#v(6mm) *{'Extrait du registre des poursuites' if cc == 'CH' else 'Composition de ménage'}*\n\nConcerne : {p.full}, "
        f"{p.street}, {p.pc} {p.city}, né(e) le "
            f"{day(p.birth, 'd.m.y')}.\n\n{said}",
         "scolarite": f"= Haute école du Lac\n#v(8mm) *Attestation d'immatriculation – semestre d'automne 2026*\n\nLe service des admissions atteste que "
             f"{p.title} {p.full} est régulièrement immatriculé(e) en Bachelor en travail social, numéro {digits(r, 2)}-{digits(r, 3)}-{digits(r, 3)}. "
                 f"Crédits acquis à ce jour : {r.randint(30, 150)} ECTS.",
         "bail": f"= Contrat de bail à loyer pour habitation\n#v(4mm) Bailleur : Régie {r.choice(WORD)} SA. Locataire : {p.full}.\n\nObjet loué : "
             f"appartement de 3,5 pièces au 2e étage. Début du bail : {day(made, 'd.m.y')}. Loyer mensuel net {money(r.randint(1100, 2900) * 100, 'ch')} "
                 f"plus acompte de chauffage. Résiliation : trois mois avant l'échéance. Garantie : trois mois de loyer déposés auprès d'une banque.",
         "gerance": f"Régie {r.choice(WORD)} SA \\ Service technique #v(10mm) {p.title} {p.full} \\ {p.street} \\ {p.pc} {p.city} #v(8mm) *Travaux dans "
             f"l'immeuble – coupure d'eau*\n\nMadame, Monsieur, nous vous informons que les colonnes d'eau seront remplacées dans votre immeuble. L'eau "
                 f"sera coupée de 8 h à 16 h. Merci de laisser le passage libre à l'entreprise mandatée."}[k]
    font = r.choice(["Libertinus Serif", "Lato", "Liberation Sans"])
    src = f'#set page(paper: "a4", margin: 25mm)\n#set text(font: "{font}", size: 11pt)\n{t}\n\n#v(8mm) {p.city}, le {day(made, "long")}'
    d = letter_doc(r, "fr", k, made, typ=src)
    d.land = cc
    return d


@design("OTHER", "EN", "GB")
def other_en_page(r):
    cc = r.choice(["GB", "US", "IE"])
    p, q, made = Person(r, cc), Person(r, cc), past(r, 5, 400)
    f = firm(r, cc)
    k = r.choice(["reference", "school", "gym", "gp_letter", "quote", "cv", "tenancy", "ticket", "degree", "inventory"])
    D = day(made, "us" if cc == "US" else "long", "en")
    cur = {"GB": "£", "US": "$", "IE": "€"}[cc]
    lease = {"US": "RESIDENTIAL LEASE AGREEMENT", "GB": "ASSURED SHORTHOLD TENANCY AGREEMENT"}.get(cc, "LETTING AGREEMENT")
    body = {"reference": f"<p>{D}</p><p>To whom it may concern</p><p>Re: landlord reference for {p.full}</p><p>{p.first} rented a one-bedroom flat from "
        f"me for a little over two years. The rent was always paid on time, the place was kept clean and the neighbours never complained. I would be "
            f"happy to let to {p.first} again.</p><p>{q.full}</p>",
            "school": f"<h2>St Werburgh's Primary School</h2><p>{D}</p><p>Dear Parent/Carer of {p.first} {p.last},</p><p>Year 4 will visit the Museum of "
                f"Science and Industry later this term. Children should bring a packed lunch and a waterproof coat. We ask for a voluntary contribution "
                    f"of {cur}12.50 towards the coach.</p><p>Please return the slip below by Friday.</p><hr><p>I give permission for my child to take "
                        f"part in the trip. Signed ____________</p>",
            "gym": f"<h2>{f.brand} Leisure – Membership statement</h2><p>Member: {p.full} &nbsp; Member since {made.year - 3}</p><table><tr><td>Opening "
                f"balance<td>{cur}0.00<tr><td>Monthly membership<td>{cur}32.00<tr><td>Guest pass<td>{cur}6.50<tr><td>Received with "
                    f"thanks<td>-{cur}38.50<tr><td>Closing balance<td>{cur}0.00</table><p>Visits this month: {r.randint(2, 20)}. Classes booked: spin, "
                        f"pilates.</p>",
            "gp_letter": f"<h3>Lapwing Medical Practice</h3><p>{D}</p><p>Dear {p.title} {p.last},</p><p>Your recent blood test results are back and the "
                f"doctor would like to discuss them. This is not urgent. Please book a routine telephone appointment within the next two weeks.</p><p>You "
                    f"are also due a flu vaccination. Clinics run on Saturday mornings.</p>",
            "quote": f"<h2>Quotation Q{digits(r, 4)}</h2><p>{f.name}<br>Prepared for {p.full} on {D}. This is an estimate, not a bill; prices hold for 30 "
                f"days.</p><table><tr><td>Strip out existing bathroom<td>{cur}640.00<tr><td>Supply and fit suite<td>{cur}2,180.00<tr><td>Tiling 14 sq "
                    f"m<td>{cur}910.00<tr><td>Estimated total excl. tax<td>{cur}3,730.00</table><p>To accept, sign and return one copy.</p>",
            "cv": f"<h1>{p.full}</h1><p>{p.city} · full clean driving record</p><h3>Profile</h3><p>Reliable lettings negotiator with eight years in "
                f"residential property.</p><h3>Employment</h3><p>Senior negotiator, {f.brand}, 2020 – present<br>Branch assistant, 2016 – "
                    f"2020</p><h3>Education</h3><p>A-levels: English, Geography, Business Studies</p><p>References available on request.</p>",
            "tenancy": f"<h2>{lease}</h2>"
            f"<p>This agreement is made on {D} between {q.full} (the Landlord) and {p.full} (the Tenant).</p>"
            f"<p>1. The Landlord lets and the Tenant takes the Property at {p.street}, {p.city} {p.pc} for a term of twelve months.</p>"
            f"<p>2. The Tenant shall pay the rent of {cur}{money(r.randint(700, 2600) * 100, 'en')} per calendar month in advance.</p>"
            f"<p>3. The Tenant shall not assign, sublet or part with possession. 4. The Tenant shall keep the interior clean and in good repair.</p>"
            "<p>Signed by the parties</p>",
            "ticket": f"<h2>Admit one</h2><p>Harrier Hall presents</p><h1>The Winter Concert</h1><p>{D} – doors 19:00 – Row {letters(r, 1)} Seat "
                f"{r.randint(1, 40)}</p><p>Booking ref {letters(r, 6)} · Name {p.full} · {cur}28.00 + booking fee {cur}2.80</p><p>No readmission. Tickets "
                    f"cannot be exchanged or refunded.</p>",
            "degree": f"<div style='text-align:center;border:4pt double #333;padding:20mm'><h1>University of the Pennines</h1><p>This is to certify "
                f"that</p><h2>{p.full}</h2><p>having completed the approved course of study and passed the examinations was admitted to the degree "
                    f"of</p><h2>Bachelor of Science with Honours</h2><p>Second Class, First Division in Quantity Surveying</p><p>Vice-Chancellor "
                        f"&nbsp;&nbsp;&nbsp; Registrar</p></div>",
            "inventory": f"<h2>Check-in inventory and schedule of condition</h2><p>Property: {p.street}, {p.city}. Inspected {D} by "
                f"{q.full}.</p><table><tr><td>Hallway<td>Walls: scuffs at low level. Carpet: good.<tr><td>Kitchen<td>Oven clean, hob scratch rear left. "
                    f"Sink good.<tr><td>Bedroom<td>Mattress clean. One curtain hook missing.<tr><td>Meter readings<td>Electric {digits(r, 5)}, gas "
                        f"{digits(r, 4)}<tr><td>Keys handed over<td>2 front door, 1 window</table>"}[k]
    src = f"""<meta charset="utf-8"><style>@page{{size:{'Letter' if cc == 'US' else 'A4'};margin:22mm}}body{{font:11pt '{r.choice(["Lato", "P052",
"Liberation Serif", "Open Sans", "Nimbus Roman", "Roboto"])}'}}table{{border-collapse:collapse;width:100%}}td{{border-bottom:.5pt solid
#aaa;padding:1.5mm}}</style>{body}"""
    d = letter_doc(r, "en", k, made, html=src, via=r.choice(["weasyprint", "chromium", "weasyprint"]))
    d.land = cc
    return d


@design("OTHER", "EN", "GB")
def other_en_typed(r):
    cc = r.choice(["GB", "US"])
    p, made = Person(r, cc), past(r, 5, 400)
    k = r.choice(["meter_report", "repair_request", "minutes", "parking", "job_offer", "warranty"])
    T = {"meter_report": ["METER READING REPORT", f"Inspector visit {day(made, 'dmon', 'en')}", f"Dial 1: {digits(r, 5)}", f"Dial 2: {digits(r, 5)}",
        "Seal intact. No sign of tampering. Access from rear yard.", "Comment: next reading by remote unit."], "repair_request": ["MAINTENANCE REQUEST",
            f"Tenant: {p.full}", "The extractor fan in the bathroom has stopped working and there is mould above the window.", "The tap in the kitchen "
                "drips all night.", "Please call before visiting; we have a dog."],
         "minutes": ["MINUTES OF THE RESIDENTS' ASSOCIATION", f"Held on {day(made, 'long', 'en')}, 7.30 pm, community room", "Present: eleven "
             "leaseholders, the managing agent", "1. The lift will be out of service for two weeks.", "2. The service charge budget was approved by nine "
                 "votes to two.", "3. Bicycles must not be left on the landings."], "parking": ["RESIDENT PARKING PERMIT APPLICATION", f"Applicant {p.full}",
                     "Zone C. One visitor pack requested.", "I declare that the vehicle is kept at the address overnight."],
         "job_offer": ["OFFER OF EMPLOYMENT", f"Dear {p.first},", f"We are delighted to offer you the position of warehouse supervisor starting "
             f"{day(made, 'long', 'en')}.", "The salary is 31,400 a year with 25 days of annual leave. The offer is subject to satisfactory references.",
                 "Please sign and return the enclosed copy."], "warranty": ["LIMITED WARRANTY CARD", "Appliance: tumble dryer, model TD-710", "Parts and "
                     "labour are covered for two years from purchase.", "Damage by misuse or limescale is excluded.", "Keep this card with your proof of "
                         "purchase."]}[k]
    fam = r.choice(["courier", "helvetica", "times"])

    def build(w):
        w.add_page()
        w.set_font(fam, "B", 14)
        w.cell(0, 12, T[0], new_x="LMARGIN", new_y="NEXT")
        w.set_font(fam, "", 11)
        for s in T[1:]:
            w.multi_cell(0, 7, s.replace("–", "-"), new_x="LMARGIN", new_y="NEXT")
            w.ln(2)
    d = Doc("en", "prose", "fpdf2", build, made, {}, page="letter" if cc == "US" else "A4", info={"Producer": r.choice(["FPDF 1.53", "Microsoft: Print To "
        "PDF"])})
    d.label, d.land = k, cc
    return d
