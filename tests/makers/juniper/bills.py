"""Invoices and household bills, each family by the kind of program that such a company runs."""
import datetime as dt
import io

import qrcode

from base import Doc, design
from data import date, money
from engines import (Canvas, chrome, fill, fp, groff, gs, lineprinter, mm, office, para, ps, psx, table, tex, typ, weasy, word)

D = dt.timedelta
WORK = {
    "fr": ["Dépose de l'ancien équipement", "Fourniture et pose mitigeur", "Main d'œuvre atelier", "Vidange et filtre à huile", "Plaquettes de frein avant",
        "Panneaux chêne massif 18 mm",
           "Forfait déplacement", "Joint silicone et consommables", "Peinture acrylique deux couches", "Location nacelle 12 m", "Mise en service",
               "Évacuation des gravats", "Tuiles terre cuite (m²)"],
    "en": ["Labour, fitter", "Boiler service and flue check", "Supply oak worktop", "Call-out charge", "Front brake pads, fitted", "Skip hire 6 yd",
        "Copper pipe 15 mm", "Painting, two coats",
           "Parts and sundries", "Removal of waste", "MOT repair work", "Floor tiles (sq m)"],
    "de": ["Heizungswartung", "Anfahrtspauschale", "Arbeitslohn Monteur", "Dichtungssatz", "Umwälzpumpe 25-60", "Entsorgung Altgerät"],
    "es": ["Mano de obra", "Cambio de aceite", "Azulejo blanco (m²)", "Desplazamiento", "Material eléctrico"], "it": ["Manodopera", "Sostituzione caldaia",
        "Tubo rame 18 mm", "Diritto di chiamata"],
    "nl": ["Arbeidsloon", "Voorrijkosten", "Kraan keuken", "Remblokken voor"], "pt": ["Mão de obra", "Deslocação", "Torneira misturadora", "Tubo multicamada"]}


def vat(rate_per_mille, base):
    return (base * rate_per_mille + 500) // 1000


def cur(cc):
    return {"GB": "£", "US": "$", "CA": "$", "CAE": "$", "CH": "CHF"}.get(cc, "€")


@design("INVOICE", "fr", "FR", "BE")
def craftsman(k, cc):
    """A craftsman's Word file; several VAT rates, a deposit already paid."""
    p, a, sa, co = k.person(cc), k.addr(cc), k.addr(cc), k.company(cc)
    iss = k.day()
    due = iss + D(days=k.choice([0, 15, 30]))
    num = k.choice([f"F{iss:%Y}-{k.digits(3)}", f"{iss:%y%m}{k.digits(3)}", f"FA {k.digits(5)}"])
    m = lambda c: money(c, "fr") + " €"
    rates = [100, 200] if cc == "FR" else [60, 210]
    ls = [(w, q, u, s, k.choice(rates)) for w, q, u, s in k.lines(WORK["fr"], k.randint(3, 6))]
    ht = sum(x[3] for x in ls)
    tv = {r: vat(r, sum(x[3] for x in ls if x[4] == r)) for r in rates}
    ttc = ht + sum(tv.values())
    dep = ttc * 3 // 10 // 1000 * 1000 if k.random() < .4 else 0
    iban = k.iban(cc)
    siren = k.siren()
    d = word(k.choice(["Carlito", "Liberation Serif", "Liberation Sans"]), 10, k.choice([18, 24]))
    para(d, co, True, k.choice([0, 1]), 16, 0)
    para(d, f"{sa.street} – {sa.line} – Tél. 0{k.randint(1, 5)} {k.randint(10, 99)} {k.randint(10, 99)} {k.randint(10, 99)} {k.randint(10, 99)}", size=8.5,
        align=k.choice([0, 1]))
    para(d, f"{p.title} {p.full}\n{a.street}\n{a.line}", align=k.choice([0, 2]), after=14)
    para(d, f"**FACTURE N° {num}** du {date(iss, 'd/m/y')}" + (f" – échéance : {date(due, 'd/m/y')}" if due > iss else " – payable à réception"), size=12)
    table(d, [("Désignation", "Qté", "P.U. HT", "TVA", "Total HT")] + [(w, q, money(u, "fr"), f"{r / 10:g} %".replace(".", ","), money(s, "fr")) for w, q, u,
        s, r in ls],
          k.choice(["Table Grid", "Light Grid Accent 1", "Light List"]), (1, 2, 3, 4), (80, 14, 26, 20, 28))
    para(d, "", after=2)
    tot = [("Total HT", m(ht))] + [(f"TVA {r / 10:g} %".replace(".", ","), m(v)) for r, v in tv.items()] + [("Total TTC", m(ttc))]
    tot += [("Acompte versé", "- " + m(dep)), ("Net à payer", m(ttc - dep))] if dep else [("Net à payer", m(ttc))]
    for l, v in tot:
        para(d, f"{l} : {v}", l[0] == "N", 2, after=0)
    para(d, f"\nRèglement par virement – IBAN {k.spaced(iban)}", size=9)
    para(d, (f"SIRET {k.siret(siren)} – TVA {k.frvat(siren)} – Garantie décennale MAAF n° {k.digits(8)}" if cc == "FR"
        else f"TVA BE {k.bce()} – RPM {sa.city}"), size=7.5, align=1)
    x = Doc(k, "INVOICE", "fr", cc, "word_craftsman", "LibreOffice", "colon", iss)
    x.f(invoiceNumber=num, issueDate=date(iss, "d/m/y"), totalAmount=m(ttc - dep), issuer=co, iban=k.spaced(iban))
    x.sums = [m(ttc), m(ht)] + [money(l[3], "fr") for l in ls if l[1] > 1]
    if due > iss:
        x.d((date(iss, "d/m/y"), iss, "d/m/y"), (date(due, "d/m/y"), due, "d/m/y"))
    return x.out(office(k, d))


@design("INVOICE", "fr", "FR", "FR")
def carried_over(k, cc):
    """An ERP's formatting objects: a long table over two or three pages with sums carried over, and conditions at the end."""
    co, cust, a, sa = k.company("FR"), k.company("FR"), k.addr("FR"), k.addr("FR")
    iss = k.day()
    due = (iss.replace(day=28) + D(days=34)).replace(day=k.choice([10, 15]))
    num = f"{k.choice(['FC', 'VT', ''])}{iss:%Y}{k.digits(6)}"
    n = k.randint(22, 44)
    ls = [(f"{k.letters(2)}{k.digits(5)}", w + k.choice(["", " réf. " + k.digits(4), " – lot " + k.letters(1)]), q, u, q * u) for w, q, u in
          ((k.choice(WORK["fr"]), k.randint(1, 12), k.randint(150, 9000)) for _ in range(n))]
    rem = k.choice([0, 0, 50, 100])
    ht = sum(x[4] for x in ls)
    disc = vat(rem, ht)
    net, st = ht - disc, "fr"
    v = vat(200, net)
    rows, run, pages, cap = "", 0, [], 24
    tr = lambda l, val: f'<tr class="ro"><td colspan="4">{l}</td><td class="n">{money(val, st)}</td></tr>'
    for i, (r, w, q, u, s) in enumerate(ls):
        if i and i % cap == 0:
            rows += tr("À reporter", run)
            pages.append(rows)
            rows = tr("Report", run)
        run += s
        rows += f'<tr><td>{r}</td><td>{w}</td><td class="n">{q}</td><td class="n">{money(u, st)}</td><td class="n">{money(s, st)}</td></tr>'
    pages.append(rows)
    siren, iban = k.siren(), k.iban("FR")
    f1 = k.choice(["Nimbus Sans", "Liberation Sans Narrow", "DejaVu Sans Condensed", "C059"])
    head = f"""<div class="hd"><div class="co">{co}</div><div>{sa.street}<br>{sa.line}</div></div>
<div class="inf"><table><tr><th>Facture</th><th>Date</th><th>Client</th><th>Échéance</th></tr><tr><td>{num}</td><td>{date(iss, 'd.m.y')}</td>
<td>{k.digits(6)}</td><td>{date(due, 'd.m.y')}</td></tr></table></div>"""
    body = ""
    for i, pg in enumerate(pages):
        body += f'<section>{head}<div class="to">{cust}<br>{a.street}<br>{a.line}</div><table class="l"><tr><th>Réf.</th><th>Libellé</th><th>Qté</th>'
        body += f'<th>Prix unit.</th><th>Montant HT</th></tr>{pg}</table>'
        if i == len(pages) - 1:
            body += f"""<table class="t"><tr><td>Total brut HT</td><td class="n">{money(ht, st)}</td>
</tr>{f'<tr><td>Remise {rem / 10:g} %</td><td class="n">-{money(disc, st)}</td></tr>' if rem else ''}
<tr><td>Net HT</td><td class="n">{money(net, st)}</td></tr><tr><td>TVA 20,00 %</td><td class="n">{money(v, st)}</td></tr><tr class="b">
<td>NET À PAYER EUR</td><td class="n">{money(net + v, st)}</td></tr></table>
<p class="s">Virement : IBAN {k.spaced(iban)} BIC {k.bic('FR')}. Pas d'escompte pour paiement anticipé.
Pénalités de retard : trois fois le taux légal, indemnité forfaitaire 40 €.</p>"""
        body += f'<div class="pg">Page {i + 1}/{len(pages)}</div></section>'
    css = f"""@page{{size:A4;margin:12mm}}body{{font:8.5pt '{f1}'}}section{{break-after:page;position:relative;height:270mm}}table{{border-collapse:collapse}}
.hd{{display:flex;justify-content:space-between}}
.co{{font-size:14pt;font-weight:bold}}.inf td,.inf th{{border:.5pt solid #333;padding:2pt 8pt}}.to{{margin:6mm 0 6mm 105mm;line-height:1.4}}.l{{width:100%}}
.l th{{background:{k.choice(['#ddd', '#234', '#eee'])};color:{k.choice(['#000'])};text-align:left}}
.l td{{padding:1.5pt 3pt;border-bottom:.2pt solid #bbb}}.n{{text-align:right}}.ro td{{font-style:italic;text-align:right}}.t{{margin:5mm 0 0 auto}}
.t td{{padding:2pt 6pt;border:.4pt solid #555}}.b{{font-weight:bold}}.s{{font-size:7pt}}
.pg{{position:absolute;bottom:0;right:0;font:7pt 'DejaVu Sans'}}.l th{{color:#000}}"""
    css = css.replace("background:#234", "background:#c5d2e0")
    x = Doc(k, "INVOICE", "fr", "FR", "fo_carried_over", "Apache FOP", "table", iss)
    x.f(invoiceNumber=num, issueDate=date(iss, "d.m.y"), totalAmount=money(net + v, st), issuer=co, iban=k.spaced(iban))
    x.sums = [money(net + v, st), money(v, st), money(net, st)]
    x.d((date(iss, "d.m.y"), iss, "d.m.y"), (date(due, "d.m.y"), due, "d.m.y"))
    return x.out(weasy(k, f"<style>{css}</style>{body}"), prod=k.choice(["Apache FOP Version 2.8", "Apache FOP Version 1.1", "iText 2.1.7 by 1T3XT"]),
        creator=k.choice(["DocBook", "SAP NetWeaver 750", None]))


@design("INVOICE", "en", "GB", "IE")
def spool_invoice(k, cc):
    """A host's monthly invoice with remittance slip, Courier on a pre-printed form."""
    co, p, a, sa = k.company(cc), k.person(cc), k.addr(cc), k.addr(cc)
    iss = k.day()
    num, acct = k.digits(7), k.letters(2) + k.digits(5)
    ls = k.lines(WORK["en"], k.randint(3, 7))
    net = sum(l[3] for l in ls)
    r = 200 if cc == "GB" else 230
    v = vat(r, net)
    m = lambda c: money(c, "en")
    fd = date(iss, k.choice(["d/m/y", "MON"]), "en")
    iban = k.iban(cc) if k.random() < .75 else None
    L = [f"{co.upper():<58}INVOICE", f"{sa.street.upper():<58}{'VAT REG ' + k.digits(9):>20}", sa.line.upper(), "", "",
        f"     {p.title.upper()} {p.full.upper()}", f"     {a.street.upper()}",
         f"     {a.city.upper()}", f"     {a.pc}", "", f"INVOICE NO  {num:<14}ACCOUNT  {acct:<12}TAX POINT  {fd}", "",
             f"{'DESCRIPTION':<40}{'QTY':>5}{'PRICE':>14}{'AMOUNT':>16}", "-" * 78]
    L += [f"{w[:38]:<40}{q:>5}{m(u):>14}{m(s):>16}" for w, q, u, s in ls] + ["", f"{'GOODS':>60}{m(net):>18}", f"{f'VAT @ {r / 10:.1f}%':>60}{m(v):>18}",
        f"{'TOTAL DUE ' + ('GBP' if cc == 'GB' else 'EUR'):>60}{m(net + v):>18}", "", ""]
    L += [f"PAYMENT WITHIN {k.choice([14, 30])} DAYS OF TAX POINT", f"BANK IBAN {k.spaced(iban)}" if iban else "CHEQUES PAYABLE TO THE COMPANY", "",
        "- " * 39, "REMITTANCE ADVICE     PLEASE RETURN WITH PAYMENT", "",
          f"ACCOUNT {acct}   INVOICE {num}   AMOUNT {m(net + v)}"]
    x = Doc(k, "INVOICE", "en", cc, "spool_remittance", "host spool", "table", iss)
    x.f(invoiceNumber=num, issueDate=fd, totalAmount=m(net + v), issuer=co.upper(), iban=k.spaced(iban) if iban else None)
    x.sums = [m(net + v), m(net), m(v)]
    ov = "0.9 0.95 0.9 rg 24 640 540 18 re f 0 g " if k.random() < .5 else ".7 G 24 400 545 260 re S "
    return x.out(lineprinter(k, [L], ov, 10.5, k.choice(["AFP2PDF 3.1", "", "StreamServe 5.6", "Optio DesignStudio"]), left=40, bold=("TOTAL DUE",
        "INVOICE NO") if k.random() < .5 else ()))


@design("INVOICE", "en", "US", "CAE", "GB")
def app_receipt(k, cc):
    """A narrow receipt from a mobile till; the total is what was paid."""
    co, a = k.company(cc), k.addr(cc)
    iss = k.day()
    num = k.choice(["#" + k.digits(6), "R-" + k.digits(4) + "-" + k.digits(4), "INV" + k.digits(5)])
    ls = k.lines(WORK["en"], k.randint(1, 4), 500, 22000)
    sub = sum(l[3] for l in ls)
    rate = {"US": 825, "CAE": 1300, "GB": 2000}[cc]
    tax = (sub * rate + 5000) // 10000
    tip = sub // 10 if cc == "US" and k.random() < .4 else 0
    c, m = cur(cc), lambda v: cur(cc) + money(v, "en")
    fd = date(iss, "us" if cc != "GB" else "long", "en")
    p = fp(90, 150 + 9 * len(ls), 7)
    fam = k.choice(["rb", "os"])
    p.set_fill_color(*k.choice([(20, 90, 200), (30, 30, 30), (10, 140, 100)]))
    p.rect(0, 0, 90, 22, "F")
    p.set_text_color(255)
    p.set_font(fam, "B", 12)
    p.set_xy(7, 6)
    p.cell(76, 6, k.t(co), align="C")
    p.set_text_color(20)
    p.set_xy(7, 28)
    p.set_font(fam, "B", 20)
    p.cell(76, 10, k.t(m(sub + tax + tip)), align="C")
    p.set_font(fam, "", 8)
    for ln in (f"Paid with Visa ending {k.digits(4)}", f"{fd} at {k.randint(8, 19)}:{k.randint(10, 59)}", f"Receipt {num}", a.street, a.line):
        p.set_xy(7, p.get_y() + (10 if ln.startswith("Paid") else 4.5))
        p.cell(76, 4, k.t(ln), align="C")
    p.set_y(p.get_y() + 10)
    rows = [(f"{w} × {q}" if q > 1 else w, m(s), "") for w, q, u, s in ls] + [("Subtotal", m(sub), "B"), ({"US": "Sales tax 8.25%", "CAE": "HST 13%",
        "GB": "VAT 20%"}[cc], m(tax), "")]
    rows += [("Tip", m(tip), "")] if tip else []
    for l, v, st in rows + [("Total", m(sub + tax + tip), "B")]:
        p.set_font(fam, st, 9)
        p.set_x(7)
        p.cell(50, 7, k.t(l), border="T" if st else 0)
        p.cell(26, 7, k.t(v), align="R", border="T" if st else 0, new_x="LMARGIN", new_y="NEXT")
    p.set_font(fam, "", 7)
    p.multi_cell(76, 4, f"\nThank you for your business!\nThis invoice was paid in full. Questions? hello@{co.split()[0].lower()}.example", align="C")
    p.set_producer(k.choice(["fpdf2", "Square Receipts", "PDFKit.NET 12"]))
    x = Doc(k, "INVOICE", "en", cc, "app_receipt", "fpdf2", "nolabel", iss)
    x.f(invoiceNumber=num, issueDate=fd, totalAmount=m(sub + tax + tip), issuer=co)
    x.sums = [m(sub + tax + tip), m(sub), m(tax)]
    return x.out(bytes(p.output()))


@design("INVOICE", "fr", "CH")
def qr_bill(k, cc):
    """Swiss invoice with the payment part below; the QR code holds the same data."""
    co, p, a, sa = k.company("CH"), k.person("CH"), k.addr("CH"), k.addr("CH")
    iss = k.day()
    due = iss + D(days=30)
    num = k.digits(5) + k.choice(["", "-" + iss.strftime("%y")])
    ls = k.lines(WORK["fr"], k.randint(2, 5))
    ht = sum(l[3] for l in ls)
    v = vat(81, ht)
    tot = -(-(ht + v) // 5) * 5
    rnd = tot - ht - v
    iban, m = k.iban("CH"), lambda q: money(q, "ch")
    c = Canvas(k)
    f = k.choice(["Helvetica", "Times-Roman"])
    fb = {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold"}[f]
    c.s(20, 22, co, 15, fb, color=k.choice([(0, 0, 0), (.6, .1, .1), (.1, .3, .5)]))
    c.s(20, 28, f"{sa.street}, {sa.line}   {k.che()} TVA", 8, f)
    for i, t in enumerate([p.title if p.title != "M." else "Monsieur", p.full, a.street, a.line]):
        c.s(120, 45 + i * 5, t, 10, f)
    c.s(20, 78, f"Facture {num}", 13, fb)
    c.s(20, 85, f"{sa.city}, le {date(iss, 'long')}", 9, f)
    c.s(20, 90, f"Payable jusqu'au {date(due, 'd.m.y')}", 9, f)
    y = 100
    for w, q, u, s in ls:
        c.s(20, y, w, 9, f)
        c.s(120, y, f"{q} x {m(u)}", 9, f)
        c.s(190, y, m(s), 9, f, "r")
        y += 6
    c.line(20, y - 3, 190, y - 3)
    for l, val in [("Total hors TVA", ht), ("TVA 8.1 %", v)] + ([("Arrondi", rnd)] if rnd else []) + [("Total CHF", tot)]:
        c.s(120, y + 2, l, 9.5, fb if "CHF" in l else f)
        c.s(190, y + 2, m(val), 9.5, fb if "CHF" in l else f, "r")
        y += 5.5
    c.line(0, 192, 210, 192, .3, .5)
    c.line(62, 192, 62, 297, .3, .5)
    amt = money(tot, "fr").replace(",", ".")
    for x0, head in ((5, "Récépissé"), (67, "Section paiement")):
        c.s(x0, 200, head, 11, "Helvetica-Bold")
    x1 = 118
    for x0, sz, y0 in ((5, 8, 207), (x1, 9, 200)):
        yy = y0
        for h, vals in (("Compte / Payable à", [k.spaced(iban), co, sa.street, sa.line]), ("Payable par", [p.full, a.street, a.line])):
            c.s(x0, yy, h, 6.5, "Helvetica-Bold")
            for t in vals:
                yy += 4
                c.s(x0, yy, t, sz, "Helvetica")
            yy += 7
    for x0, y0 in ((5, 262), (67, 270)):
        c.s(x0, y0, "Monnaie", 6.5, "Helvetica-Bold")
        c.s(x0 + 16, y0, "Montant", 6.5, "Helvetica-Bold")
        c.s(x0, y0 + 5, "CHF", 9)
        c.s(x0 + 16, y0 + 5, amt, 9)
    img = qrcode.make(k.t("SPC\n0200\n1\n" + iban + f"\nS\n{co}\n{sa.street}\n\n{sa.pc}\n{sa.city}\nCH\n\n\n\n\n\n\n\n"
                          f"{tot / 100:.2f}\nCHF\nS\n{p.full}\n{a.street}\n\n{a.pc}\n{a.city}\nCH\nNON\n\n{num}\nEPD"),
                      error_correction=qrcode.constants.ERROR_CORRECT_M, border=0)
    b = io.BytesIO()
    img.save(b, "PNG")
    from reportlab.lib.utils import ImageReader
    c.c.drawImage(ImageReader(io.BytesIO(b.getvalue())), 67 * mm, 46 * mm, 46 * mm, 46 * mm)
    x = Doc(k, "INVOICE", "fr", "CH", "swiss_qr_bill", "ReportLab", "prose", iss)
    x.f(invoiceNumber=num, issueDate=date(iss, "long"), totalAmount=m(tot), issuer=co, iban=k.spaced(iban))
    x.sums = [m(v), m(ht)] + [m(l[3]) for l in ls if l[1] > 1]
    x.d((date(iss, "long"), iss, "long"), (date(due, "d.m.y"), due, "d.m.y"))
    return x.out(c.done(), none=k.random() < .3)


@design("INVOICE", "fr", "CA")
@design("INVOICE", "en", "CAE")
def canada_tex(k, cc):
    """A small firm that writes its invoices in LaTeX; two sales taxes."""
    fr = cc == "CA"
    co, p, a, sa = k.company(cc), k.person(cc), k.addr(cc), k.addr(cc)
    iss = k.day()
    due = iss + D(days=30)
    num = k.digits(4) + k.choice(["-A", ""])
    ls = k.lines(WORK["fr" if fr else "en"], k.randint(2, 5))
    sub = sum(l[3] for l in ls)
    t1 = vat(50, sub)
    t2 = (sub * 9975 + 50000) // 100000 if fr else (sub * 7000 + 50000) // 100000
    tot = sub + t1 + t2
    m = (lambda q: money(q, "fr").replace(" ", "~") + "~\\$") if fr else (lambda q: "\\$" + money(q, "en"))
    mv = (lambda q: money(q, "fr") + " $") if fr else (lambda q: "$" + money(q, "en"))
    rows = "".join(f"{w} & {q} & {m(u)} & {m(s)}\\\\" for w, q, u, s in ls)
    W = (("Facture", "Date", "Échéance", "Facturé à", "Description", "Qté", "Prix", "Montant", "Sous-total", "TPS 5 \\%", "TVQ 9,975 \\%", "Total à payer")
        if fr else
         ("Invoice", "Date", "Due date", "Bill to", "Description", "Qty", "Rate", "Amount", "Subtotal", "GST 5\\%", "PST 7\\%", "Balance due"))
    st = "iso" if k.random() < .5 else ("long" if fr else "us")
    lang = "fr" if fr else "en"
    src = fill(r"""\documentclass[<fs>pt,letterpaper]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}%
\usepackage{lmodern,textcomp}<font>\usepackage[margin=<mg>mm]{geometry}
\usepackage{array}\pagestyle{empty}\setlength\parindent{0pt}\renewcommand\arraystretch{1.3}\begin{document}{\LARGE\textbf{<co>}}%
\\<sa>\\<sl>\hfill {\Large\textsc{<w0>} <num>}\\[8mm]
\begin{minipage}{.55\textwidth}\textbf{<w3>}\\<cust>\\<as>\\<al>\end{minipage}\begin{minipage}{.4\textwidth}%
\raggedleft <w1> : <iss>\\<w2> : <due>\end{minipage}\\[10mm]
\begin{tabular}{p{80mm}rrr}\hline\textbf{<w4>}&<w5>&<w6>&<w7>\\\hline <rows>\hline &&<w8>&<sub>\\&&<w9>&<t1>\\&&<w10>&<t2>\\\cline{3-4}&&\textbf{<w11>}&%
\textbf{<tot>}\\\end{tabular}

\vfill\small <foot>\end{document}""", fs=k.choice([10, 11]), font=k.choice(["", "\\renewcommand\\familydefault{\\sfdefault}", "\\usepackage{charter}",
    "\\usepackage{mathptmx}"]), mg=k.choice([20, 28]), co=co, sa=sa.street, sl=sa.line,
        num=num, cust=p.full, al=a.line, iss=date(iss, st, lang), due=date(due, st, lang), rows=rows, sub=m(sub), t1=m(t1), t2=m(t2), tot=m(tot),
        foot=f"TPS/GST {k.digits(9)} RT0001 \\quad TVQ/QST {k.digits(10)} TQ0001", **{"as": a.street, **{f"w{i}": w for i, w in enumerate(W)}})
    x = Doc(k, "INVOICE", lang, cc, "latex_canada", "pdfTeX", "colon", iss)
    x.f(invoiceNumber=num, issueDate=date(iss, st, lang), totalAmount=mv(tot), issuer=co)
    x.sums = [m(tot), m(sub), m(t1)]
    x.d((date(iss, st, lang), iss, st), (date(due, st, lang), due, st))
    return x.out(tex(k, src))


@design("INVOICE", "fr", "FR", "FR")
def web_shop(k, cc):
    """A web shop's page printed by a browser engine: cards, a discount, sometimes a credit note."""
    co, p, a, sa = k.company("FR"), k.person("FR"), k.addr("FR"), k.addr("FR")
    iss = k.day()
    credit = k.random() < .25
    num = f"{'AV' if credit else 'FAC'}-{iss:%Y%m}-{k.digits(4)}"
    sg = -1 if credit else 1
    ls = k.lines(["Lampe de bureau articulée", "Étagère murale 80 cm", "Tapis berbère 120×180", "Lot de 6 verres", "Casque audio sans fil", "Machine à café",
        "Housse de couette lin"], k.randint(1, 4), 1500, 24000)
    ship, disc = k.choice([0, 490, 690]), k.choice([0, 0, 1000])
    ttc = sum(l[3] for l in ls) + ship - disc
    ht = (ttc * 1000 + 600) // 1200
    m = lambda c: money(c * sg, k.st) + " €"
    k.st = k.choice(["fr", "frn", "comma"])
    hue = k.choice(["#0f766e", "#7c3aed", "#b45309", "#111827", "#be123c"])
    lay = k.random() < .5
    rows = "".join(f'<tr><td>{w}<br><small>Réf. {k.digits(6)}</small></td><td>{q}</td><td>{m(u)}</td><td>{m(s)}</td></tr>' for w, q, u, s in ls)
    fd = date(iss, "long")
    info = (f'<div><small>{"Avoir" if credit else "Numéro de facture"}</small><b>{num}</b></div><div><small>Date</small><b>{fd}</b></div><div><small>Commande '
        f'du</small><b>{date(iss - D(days=2), "long")}</b></div>')
    html = f"""<style>@page{{size:A4;margin:{k.choice([0, 14])}mm}}body{{font:13px/1.5 '{k.choice(['Roboto', 'Open Sans', 'Lato'])}';margin:0;color:#222}}
main{{padding:34px}}header{{background:{hue if lay else '#fff'};color:{'#fff' if lay else hue};
padding:26px 34px;display:flex;justify-content:space-between}}h1{{margin:0;font-size:24px}}.g{{display:grid;grid-template-columns:1fr 1fr 1fr;gap:14px;
margin:18px 0}}.g div{{border:1px solid #ddd;border-radius:8px;padding:10px}}.g small,.g b{{display:block}}
table{{width:100%;border-collapse:collapse}}td,th{{padding:8px;border-bottom:1px solid #eee;text-align:right}}td:first-child,th:first-child{{text-align:left}}
.tot{{width:46%;margin-left:auto;margin-top:14px}}.big td{{font-size:17px;font-weight:bold;color:{hue}}}</style>
<header><h1>{co}</h1><div>{'AVOIR' if credit else 'Facture'}<br>{sa.street}, {sa.line}</div></header><main><div class=g>{info}</div>
<div class=g style="grid-template-columns:1fr 1fr"><div><small>Adresse de facturation</small>{p.full}<br>{a.street}<br>{a.line}</div><div>
<small>Livraison</small>Point relais<br>{sa.line}</div></div>
<table><tr><th>Article<th>Qté<th>Prix TTC<th>Total</tr>{rows}</table>
<table class=tot>{f'<tr><td>Livraison<td>{m(ship)}</tr>' if ship else ''}{f'<tr><td>Code promo<td>{m(-disc)}</tr>' if disc else ''}
<tr><td>Total HT<td>{m(ht)}</tr><tr><td>TVA 20 %<td>{m(ttc - ht)}</tr><tr class=big><td>{'Montant remboursé' if credit else 'Total TTC'}<td>{m(ttc)}</tr>
</table>
<p><small>{co} – SIREN {(lambda s: s[:3] + ' ' + s[3:6] + ' ' + s[6:])(k.siren())} – Payé par carte le {date(iss, 'd/m/y')}</small></main>"""
    x = Doc(k, "INVOICE", "fr", "FR", "web_shop", "Skia/PDF", "under", iss)
    x.f(invoiceNumber=num, issueDate=fd, totalAmount=m(ttc), issuer=co)
    x.sums = [m(ht), m(ttc - ht)] + [m(l[3]) for l in ls if l[1] > 1]
    return x.out(chrome(k, html))


TR = {  # invoice, number, date, due, description, quantity, price, sum, net, vat, total, rate, customer, money, notation
    "DE": ("Rechnung", "Rechnungsnummer", "Rechnungsdatum", "Zahlbar bis", "Leistung", "Menge", "Einzelpreis", "Gesamt", "Nettobetrag", "zzgl. MwSt. 19 %",
        "Rechnungsbetrag", 190, "Kundennr.", "de", "d.m.y"),
    "ES": ("FACTURA", "Nº factura", "Fecha de emisión", "Vencimiento", "Concepto", "Cant.", "Precio", "Importe", "Base imponible", "IVA 21 %",
        "TOTAL A PAGAR", 210, "Cliente", "de", "d/m/y"),
    "IT": ("Fattura", "Fattura n.", "Data", "Scadenza", "Descrizione", "Q.tà", "Prezzo", "Importo", "Imponibile", "IVA 22%", "Totale documento", 220,
        "Cliente", "de", "d/m/y"),
    "NL": ("Factuur", "Factuurnummer", "Factuurdatum", "Vervaldatum", "Omschrijving", "Aantal", "Prijs", "Bedrag", "Subtotaal", "21% btw", "Te betalen", 210,
        "Klantnummer", "de", "d-m-y"),
    "PT": ("Fatura", "Fatura n.º", "Data de emissão", "Data de vencimento", "Descrição", "Qtd.", "Preço", "Valor", "Total ilíquido", "IVA 23%",
        "Total a pagar", 230, "Cliente", "de", "d-m-y")}


@design("INVOICE", "de", "DE", "DE")
@design("INVOICE", "es", "ES")
@design("INVOICE", "it", "IT")
@design("INVOICE", "nl", "NL")
@design("INVOICE", "pt", "PT")
def abroad(k, cc):
    T, lang = TR[cc], cc.lower()
    co, p, a, sa = k.company(cc), k.person(cc), k.addr(cc), k.addr(cc)
    iss = k.day()
    due = iss + D(days=k.choice([14, 30]))
    num = {"DE": f"RE-{iss:%Y}-{k.digits(4)}", "ES": f"A/{k.digits(4)}", "IT": f"{k.digits(3)}/{iss:%Y}", "NL": f"{iss:%Y}{k.digits(4)}",
        "PT": f"FT {iss:%Y}/{k.digits(3)}"}[cc]
    ls = k.lines(WORK[lang], k.randint(2, 5))
    net = sum(l[3] for l in ls)
    v, iban, m = vat(T[11], net), k.iban(cc), lambda c: money(c, T[13]) + " €"
    st = T[14]
    i, u = date(iss, st), date(due, st)
    if k.random() < .5:
        rows = ",".join(f"[{w}], [{q}], [{m(x)}], [{m(s)}]" for w, q, x, s in ls)
        pdf = typ(k, fill("""#set page("a4", margin: <mg>mm)\n#set text(font: "<font>", size: 10pt)
#align(<al>)[#text(16pt, weight: "bold")[<co>]\\ #text(8pt)[<sa> · <sl>]]
#v(12mm)#box(width: 80mm)[<cust> \\ <street> \\ <line>]\n#v(8mm)#text(14pt)[<t0>]\n#grid(columns: (40mm, auto), row-gutter: 5pt, [<t1>:], [<num>], [<t2>:], 
[<iss>], [<t3>:], [<due>])
#v(6mm)#table(columns: (1fr, auto, auto, auto), stroke: (x, y) => (bottom: 0.4pt), align: (x, y) => if x == 0 {left} else {right}, [*<t4>*], [*<t5>*], 
[*<t6>*], [*<t7>*], <rows>)
#align(right)[<t8>: <net> \\ <t9>: <v> \\ *<t10>: <tot>*]\n#v(1fr)#text(8pt)[IBAN <iban>]""", mg=k.choice([18, 25]), font=k.choice(["Lato",
    "Liberation Serif", "Carlito"]), al=k.choice(["left", "right", "center"]),
            co=co, sa=sa.street, sl=sa.line, cust=p.full, street=a.street, line=a.line, num=num, iss=i, due=u, rows=rows, net=m(net), v=m(v), tot=m(net + v),
                iban=k.spaced(iban),
            **{f"t{j}": str(t) for j, t in enumerate(T[:11])}))
        prod, lay = None, "colon"
    else:
        H = [f"/HB 15 F ({psx(co)}) 50 780 S /H 8 F ({psx(sa.street + ', ' + sa.line)}) 50 766 S",
            f"/T 11 F ({psx(p.full)}) 330 715 S ({psx(a.street)}) 330 701 S ({psx(a.line)}) 330 687 S",
             f"/HB 13 F ({T[0]}) 50 640 S .9 setgray 50 600 495 30 B fill 0 setgray"]
        for n, (l, t) in enumerate([(T[1], num), (T[2], i), (T[3], u), (T[12], k.digits(5))]):
            H.append(f"/H 7 F ({psx(l)}) {56 + n * 124} 620 S /HB 9 F ({psx(t)}) {56 + n * 124} 606 S")
        H.append("".join(f"/HB 9 F ({psx(t)}) {xx} 570 {al} " for t, xx, al in zip(T[4:8], (50, 360, 450, 545), "SRRR")))
        y = 552
        for w, q, uu, s in ls:
            H.append(f"/H 9 F ({psx(w)}) 50 {y} S ({q}) 360 {y} R ({money(uu, 'de')}) 450 {y} R ({money(s, 'de')}) 545 {y} R")
            y -= 16
        for l, t in ((T[8], net), (T[9], v), (T[10], net + v)):
            H.append(f"{'/HB' if t == net + v else '/H'} 10 F ({psx(l)}) 450 {y - 10} R ({money(t, 'de')} EUR) 545 {y - 10} R")
            y -= 16
        H.append(f"/H 8 F (IBAN {k.spaced(iban)}) 50 60 S 50 74 495 0 B stroke")
        m = lambda c: money(c, "de") + " EUR"
        pdf, prod, lay = ps(k, "\n".join(H)), None, "under"
    x = Doc(k, "INVOICE", lang, cc, "abroad_" + lang, "Typst" if lay == "colon" else "GPL Ghostscript", lay, iss)
    x.f(invoiceNumber=num, issueDate=i, totalAmount=m(net + v), issuer=co, iban=k.spaced(iban))
    x.sums = [m(net + v), m(v)]
    x.d((i, iss, st), (u, due, st))
    return x.out(pdf)


# ---- household bills -------------------------------------------------------------------------------------------------
UTIL = {"FR": ["Énergia Ouest", "Lumenéo", "Compagnie des Eaux du Bocage", "Volterre"], "BE": ["Lumia Énergies", "Sambre Électricité"],
    "CH": ["Services industriels de la Riviera", "Romandelec"],
        "CA": ["Hydro-Saguenay", "Gaz Richelieu"], "GB": ["Northmoor Energy", "Severnside Water", "Castle Power"], "IE": ["Shannonside Electric",
            "Emerald Gas Networks"], "US": ["Prairie Light & Power", "Tri-County Water District"],
        "CAE": ["Ottawa Valley Hydro", "Pacific Shores Gas"], "DE": ["Stadtwerke Lindental"], "ES": ["Luz del Sur"], "IT": ["Acque Padane"],
            "NL": ["Noordzee Energie"], "PT": ["Energia do Minho"]}
TELCO = {"FR": ["Fibréa", "Ondia Mobile"], "BE": ["Télémosan"], "CH": ["Alpcom"], "CA": ["Boréal Télécom"], "GB": ["Larkspur Broadband"],
    "IE": ["Burren Telecom"], "US": ["Juniper Ridge Wireless"], "CAE": ["Rockies Mobile"]}


def holder(k, x, p, a, iss, co, st, lang, **more):
    return x.f(lastName=more.get("last", p.last), firstName=more.get("first", p.first), address=more.get("street", a.street), postCode=a.pc,
               city=more.get("city", a.city), issueDate=date(iss, st, lang), issuer=co)


@design("PROOF_OF_ADDRESS", "fr", "FR", "FR", "BE")
def energy_bill(k, cc):
    """Two pages: the sum on the first, meters and taxes on the second."""
    co, p, a, sa = k.choice(UTIL[cc]), k.person(cc), k.addr(cc), k.addr(cc)
    other = k.random() < .3
    iss = k.day()
    due, beg = iss + D(days=17), iss - D(days=62)
    i0 = k.randint(4000, 60000)
    use = k.randint(300, 2500)
    pr = k.randint(160, 240)  # hundredths of a cent
    cons, sub = use * pr // 10, k.randint(18, 40) * 100
    acc = (cons * 38) // 1000
    v55, v20 = vat(55, sub), vat(200, cons + acc)
    tot = cons + sub + acc + v55 + v20
    m = lambda c: money(c, "frn") + " €"
    st = k.choice(["d/m/y", "long"])
    hue = k.choice(["#0057a8", "#1b7f3b", "#e36414", "#5b2a86"])
    cons_a = k.addr(cc)
    var = k.choice([0, 1, 2])
    name = k.choice([p.title + " " + p.last.upper() + " " + p.first, p.first + " " + p.last.upper()])
    css = f"""@page{{size:A4;margin:14mm;@bottom-center{{content:"{co} – SA au capital de 4 500 000 € – page " counter(page) "/" counter(pages);
font:6.5pt 'Liberation Sans'}}}}body{{font:9.5pt '{k.choice(['Lato', 'Open Sans', 'Liberation Sans'])}'}}h1{{color:{hue};font-size:20pt;margin:0}}
.addr{{position:absolute;left:{100 if var != 1 else 0}mm;top:32mm;line-height:1.35}}.amt{{margin-top:{58 if var else 64}mm;
border:{'2pt solid ' + hue if var != 2 else '0'};background:{'#fff' if var != 2 else '#eef4fa'};padding:5mm;border-radius:{k.choice([0, 3])}mm}}
.amt b{{font-size:18pt;color:{hue}}}
table{{border-collapse:collapse;width:100%;margin:3mm 0}}th{{text-align:left;
border-bottom:1pt solid {hue}}}td{{padding:1.5mm 0;border-bottom:.3pt solid #ccc}}.n{{text-align:right}}
.ref{{font-size:8pt;{'float:left;width:80mm' if var != 1 else 'position:absolute;left:105mm;top:32mm'}}}"""
    html = f"""<style>{css}</style><h1>{co}</h1><div class=ref>
<p>Service client {k.choice(['09 69', '30 04'])}<br>Réf. client : {k.digits(9)}<br>Facture n° {k.digits(11)}<br>du {date(iss,
    st)}<br>Point de livraison : {k.digits(14)}
{f'<br>Lieu de consommation : {cons_a.street}, {cons_a.line}' if other and cons_a.street != a.street else ''}</div>
<div class=addr>{name}<br>{a.street}<br>{a.line}</div><div class=amt>Montant à payer TTC <b>{m(tot)}</b>
<br>{k.choice(['Prélèvement le', 'À régler avant le'])} {date(due, st)}</div>
<p>Votre consommation d'électricité du {date(beg, 'd/m/y')} au {date(iss - D(days=2), 'd/m/y')} : <b>{use} kWh</b></p>
<p>Prochaine facture vers le {date(iss + D(days=61), 'd/m/y')}. Nouveau : suivez vos dépenses dans votre espace client.</p>
<div style="break-before:page"><h3>Le détail de votre facture</h3><table><tr><th>Relevés<th>Ancien index<th>Nouvel index<th class=n>Conso (kWh)</tr><tr>
<td>Base – compteur {k.digits(3)}<td>{i0}<td>{i0 + use}<td class=n>{use}</tr></table>
<table><tr><th>Libellé<th>Quantité<th>Prix unitaire<th class=n>Montant HT</tr><tr><td>Abonnement<td>2 mois<td><td class=n>{m(sub)}</tr><tr>
<td>Consommation<td>{use} kWh<td>{pr / 1000:.4f} €<td class=n>{m(cons)}</tr>
<tr><td>Accise sur l'électricité<td><td><td class=n>{m(acc)}</tr><tr><td>TVA 5,5 % sur abonnement<td><td><td class=n>{m(v55)}</tr><tr><td>TVA 20 %<td><td>
<td class=n>{m(v20)}</tr><tr><td><b>Total TTC</b><td><td><td class=n><b>{m(tot)}</b></tr></table></div>"""
    x = Doc(k, "PROOF_OF_ADDRESS", "fr", cc, f"energy_{var}", "WeasyPrint", "prose", iss)
    holder(k, x, p, a, iss, co, st, "fr", last=p.last.upper())
    x.sums = [m(tot), m(acc), m(v20)]
    x.d((date(iss, st), iss, st), (date(due, st), due, st))
    r = k.random()
    return x.out(weasy(k, html), prod="Adobe PDF Library 15.0" if r < .25 else "Compart MFF PDF Filter" if r < .5 else None, creator="Quadient Inspire"
        if r < .25 else None)


@design("PROOF_OF_ADDRESS", "fr", "FR", "CH", "BE")
def contract_certificate(k, cc):
    """A certificate of contract in prose."""
    co, p, a, sa = k.choice((UTIL if k.random() < .6 else TELCO)[cc]), k.person(cc), k.addr(cc), k.addr(cc)
    iss = k.day()
    since = k.day(dt.date(2016, 1, 1), dt.date(2024, 1, 1))
    var = k.randint(0, 2)
    st = k.choice(["long", "d/m/y"]) if cc != "CH" else "d.m.y"
    Q = k.choice(["Attestation de titulaire de contrat", "Attestation de domicile et d'abonnement", "Justificatif de contrat", "Attestation d'abonnement"])
    t = [f"Nous soussignés, {co}, attestons que {p.title} {p.first} {p.last} est titulaire d'un contrat en cours depuis le {date(since, st)} pour le "
        f"logement situé {a.street}, {a.pc} {a.city}.",
         f"{co} certifie que {p.title} {p.last} {p.first}, demeurant au {a.street} à {a.pc} {a.city}, dispose d'un abonnement actif (référence "
             f"{k.digits(10)}), souscrit le {date(since, st)}.",
         f"Par la présente, nous confirmons l'existence d'un contrat de fourniture au nom de :\n{p.title} {p.last.upper()} "
             f"{p.first}\n{a.street}\n{a.line}\nDate d'effet : {date(since, st)}"][var]
    end = ("Cette attestation est délivrée à la demande du client pour servir et valoir ce que de droit. Elle ne constitue pas un titre de propriété ni "
        "d'occupation.")
    if k.random() < .55:
        hue = k.choice(["#d9480f", "#1971c2", "#2b8a3e", "#000"])
        body = t.replace("\n", "<br>")
        html = f"""<style>@page{{size:A4;margin:24mm}}body{{font:14px/1.7 '{k.choice(['Roboto', 'Open Sans', 'Liberation Serif'])}'}}
h2{{text-align:{k.choice(['center', 'left'])};margin:70px 0 40px;{k.choice(['border-bottom:2px solid ' + hue, 'text-transform:uppercase', ''])}}}
.l{{font-size:26px;color:{hue};font-weight:bold}}</style>
<svg width=42 height=42><rect width=42 height=42 fill=#fff /><circle cx=21 cy=21 r=18 fill={hue} /></svg> <span class=l>{co}</span><div style="float:right;
text-align:right">{sa.city}, le {date(iss, st)}</div><h2>{Q}</h2><p>{body}</p><p>{end}</p><p style="margin-top:60px;text-align:right">Le service clients</p>"""
        pdf, pr, kw = chrome(k, html), "Skia/PDF", {}
    else:
        c = Canvas(k)
        f = k.choice(["Helvetica", "Times-Roman"])
        c.box(0, 0, 210, 24, k.choice([(.9, .95, 1), (.98, .92, .86), .94]), None)
        c.s(18, 15, co, 20, "Helvetica-BoldOblique", color=(.1, .2, .5))
        c.s(190, 45, f"Le {date(iss, st)}", 10, f, "r")
        c.s(105, 75, Q.upper(), 14, {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold"}[f], "c")
        y = c.wrap(25, 95, t, 160, 11, f, 1.6)
        c.wrap(25, y + 8, end, 160, 11, f, 1.6)
        c.s(130, 190, "Directrice de la relation client", 10, f)
        pdf, pr = c.done(), "ReportLab"
        kw = k.choice([{"none": True}, {"prod": "Aspose.PDF for .NET 21.4", "creator": "Aspose Pty Ltd."}, {}])
    x = Doc(k, "PROOF_OF_ADDRESS", "fr", cc, f"certificate_{var}", pr, "prose", iss)
    holder(k, x, p, a, iss, co, st, "fr", last=p.last.upper() if var == 2 else p.last)
    x.d((date(since, st), since, st), (date(iss, st), iss, st))
    return x.out(pdf, **kw)


@design("PROOF_OF_ADDRESS", "fr", "FR", "CA")
@design("PROOF_OF_ADDRESS", "en", "CAE", "IE")
def telecom_spool(k, cc):
    """A telephone bill from a line printer: call classes, taxes, balance brought forward."""
    fr = cc in ("FR", "CA")
    lang = "fr" if fr else "en"
    co, p, a = k.choice(TELCO[cc]), k.person(cc), k.addr(cc)
    iss = k.day()
    due = iss + D(days=21)
    m = (lambda c: money(c, "fr")) if fr else (lambda c: money(c, "en"))
    st = {"FR": "d/m/y", "CA": "iso", "CAE": "iso", "IE": "d/m/y"}[cc]
    it = [(w, k.randint(200, 5500)) for w in (["ABONNEMENT FIBRE", "COMMUNICATIONS VERS MOBILES", "NUMEROS SPECIAUX", "LOCATION EQUIPEMENT", "OPTION TV"]
        if fr else
                                              ["MONTHLY PLAN", "LONG DISTANCE", "EQUIPMENT RENTAL", "VOICEMAIL", "DATA OVERAGE"])[:k.randint(2, 5)]]
    net = sum(v for _, v in it)
    rate = {"FR": 200, "CA": 150, "CAE": 130, "IE": 230}[cc]
    tax = vat(rate, net)
    prev = k.randint(3000, 9000)
    tot = net + tax
    W = ("FACTURE DE TELEPHONE", "N. DE COMPTE", "DATE", "SOLDE PRECEDENT", "VOTRE PAIEMENT - MERCI", "TOTAL TAXES", "MONTANT A PAYER", "AVANT LE") if fr else \
        ("TELEPHONE BILL", "ACCOUNT NO", "BILL DATE", "PREVIOUS BALANCE", "PAYMENT RECEIVED - THANK YOU", "TAXES", "AMOUNT DUE", "PAY BY")
    name = f"{p.last.upper()} {p.first.upper()}" if fr else f"{p.first.upper()} {p.last.upper()}"
    L = [f"{co.upper():<45}{W[0]:>33}", "", f"{W[1]} {k.digits(3)} {k.digits(3)}-{k.digits(4)}   {W[2]} {date(iss, st)}", "", "", "", " " * 44 + name,
        " " * 44 + a.street.upper(), " " * 44 + a.line.upper(), "", "", "=" * 78,
         f"{W[3]:<56}{m(prev):>22}", f"{W[4]:<56}{m(prev) + '-':>22}"] + [f"{w:<56}{m(v):>22}" for w,
             v in it] + [f"{W[5] + f' ({rate / 10:g}%)':<56}{m(tax):>22}", "=" * 78, f"{W[6]:<56}{m(tot):>22}", f"{W[7]} {date(due, st)}"]
    L2 = ["", f"{co.upper():<45}PAGE 2", ""] + [f"{date(iss - D(days=30 - j), st)}  {k.randint(8, 22):02d}:{k.randint(0, 59):02d}  {'5' + k.digits(2)} "
        f"{k.digits(3)} {k.digits(4)}   {k.randint(0, 20):>3}:{k.randint(0, 59):02d}   0{',' if fr else '.'}00" for j in range(k.randint(12, 28))]
    x = Doc(k, "PROOF_OF_ADDRESS", lang, cc, "telecom_spool", "host spool", "table", iss)
    holder(k, x, p, a, iss, co.upper(), st, lang, last=p.last.upper(), first=p.first.upper(), street=a.street.upper(), city=a.city.upper())
    x.sums = [m(tot), m(tax)]
    x.d((date(iss, st), iss, st), (date(due, st), due, st))
    ov = "".join(f"0.93 0.96 0.93 rg 20 {y} 555 12 re f " for y in range(300, 680, 25)) + "0 g " if k.random() < .5 else ""
    return x.out(lineprinter(k, [L, L2] if k.random() < .6 else [L], ov, 10.5, k.choice(["", "Xenos D2e 4.1", "Crawford PRO Archive"]), left=42, bold=(W[6],)))


@design("PROOF_OF_ADDRESS", "en", "GB", "US", "IE")
def utility_ps(k, cc):
    """Composed in PostScript: coloured band, bar chart of use, tear-off payment slip."""
    co, p, a, sa = k.choice(UTIL[cc]), k.person(cc), k.addr(cc), k.addr(cc)
    iss = k.day()
    due = iss + D(days=20)
    st = {"GB": "long", "IE": "d/m/y", "US": "m/d/y"}[cc]
    m = lambda c: {"GB": "£", "US": "$", "IE": "EUR "}[cc] + money(c, "en")
    base, use, fee = k.randint(900, 2500), k.randint(3000, 16000), k.randint(100, 700)
    tax = vat(50 if cc == "GB" else 90 if cc == "IE" else 60, base + use + fee)
    tot = base + use + fee + tax
    hue = k.choice([".0 .35 .6", ".55 .1 .3", ".0 .45 .3", ".2 .2 .25"])
    f, fb = k.choice([("/H", "/HB"), ("/T", "/TB")])
    name = k.choice([f"{p.title} {p.first} {p.last}", f"{p.first} {p.last}"])
    o = [f"{hue} setrgbcolor 0 780 595 62 B fill 1 setgray {fb} 22 F ({psx(co)}) 40 802 S {f} 9 F "
        f"({k.choice(['Your bill', 'Statement of account', 'Electricity and gas bill', 'Utility bill'])}) 555 806 R 0 setgray {f} 11 F"]
    lines = [name, a.street] + ([a.line] if cc == "US" else [a.city, a.pc])
    o += [f"({psx(t)}) 60 {720 - j * 14} S" for j, t in enumerate(lines)]
    meta = [("Account number", k.digits(10)), ("Bill date", date(iss, st, "en")), ("Period",
        f"{date(iss - D(days=92), st, 'en')} to {date(iss - D(days=2), st, 'en')}"), ("Payment due", date(due, st, "en"))]
    o += [f"{f} 8 F ({l}) 330 {720 - j * 24} S {fb} 10 F ({psx(v)}) 330 {709 - j * 24} S" for j, (l, v) in enumerate(meta)]
    y = 580
    for l, v in (("Standing charge" if cc != "US" else "Basic service charge", base), (f"Usage {k.randint(120, 900)} kWh", use), ("Network and levies", fee),
        ("VAT" if cc != "US" else "Local taxes", tax), ("Total to pay", tot)):
        o.append(f"{fb if v == tot else f} 11 F ({l}) 60 {y} S ({psx(m(v))}) 300 {y} R .8 setgray 60 {y - 5} 240 0 B stroke 0 setgray")
        y -= 22
    o += [f"{hue} setrgbcolor {350 + j * 15} 480 10 {k.randint(15, 80)} B fill"
        for j in range(12)] + [f"0 setgray {f} 7 F (Your use over twelve months) 350 470 S"]
    o.append(f"[3 3] 0 setdash 0 220 595 0 B stroke [] 0 setdash {fb} 11 F "
        f"({'Payment slip' if cc != 'US' else 'Please return this portion with your payment'}) 40 195 S {f} 10 F ({psx(name)}) 40 170 S ({psx(m(tot))}) "
            f"555 170 R "
             f"({psx(co)}, {psx(sa.street)}, {psx(sa.line)}) 40 150 S /C 11 F ({k.digits(10)} {k.digits(8)} {tot:08d}) 40 100 S")
    x = Doc(k, "PROOF_OF_ADDRESS", "en", cc, "utility_postscript", "GPL Ghostscript", "under", iss)
    holder(k, x, p, a, iss, co, st, "en")
    x.sums = [m(tot), m(tax), m(fee)]
    x.d((date(iss, st, "en"), iss, st), (date(due, st, "en"), due, st))
    return x.out(ps(k, "\n".join(o)), **k.choice([{}, {"prod": "Acrobat Distiller 11.0 (Windows)", "creator": "PScript5.dll Version 5.2.2"}]))


@design("PROOF_OF_ADDRESS", "en", "GB", "US", "CAE")
def broadband_web(k, cc):
    """A phone-shaped account page saved as PDF, or a broadband bill in a browser's layout."""
    co, p, a = k.choice(TELCO[cc]), k.person(cc), k.addr(cc)
    iss = k.day()
    m = lambda c: ("£" if cc == "GB" else "$") + money(c, "en")
    it = [(w, k.randint(300, 6000)) for w in k.sample(["Full Fibre 150", "Unlimited mobile", "Router rental", "Calls outside plan", "TV add-on"], k.randint(2,
        3))]
    tot = sum(v for _, v in it)
    st = "long" if cc == "GB" else "us"
    dark = k.random() < .3
    hue = k.choice(["#6d28d9", "#0ea5e9", "#16a34a", "#dc2626"])
    w = k.choice(["110mm 230mm", "A4", "Letter"])
    rows = "".join(f"<div class=r><span>{t}</span><span>{m(v)}</span></div>" for t, v in it)
    html = f"""<style>@page{{size:{w};margin:8mm}}body{{font:14px/1.5 'Roboto';
background:{'#eef' if dark else '#fff'}}}h1{{color:{hue};font-size:22px}}.c{{border:1px solid #ccd;border-radius:14px;padding:14px;margin:12px 0;
background:#fff}}.r{{display:flex;justify-content:space-between;padding:4px 0}}.t{{font-weight:bold;border-top:1px solid #999}}
small{{color:#667}}</style><h1>{co}</h1><div class=c><small>Bill for</small>
<br>{p.full}<br>{a.street}<br>{a.line.replace(' ' + a.pc, '<br>' + a.pc) if cc == 'GB' else a.line}</div>
<div class=c><div class=r><small>Bill date</small><small>Account</small></div><div class=r><span>{date(iss, st, 'en')}</span><span>{k.digits(9)}</span></div>
</div>
<div class=c>{rows}<div class='r t'><span>Total{' including VAT' if cc == 'GB' else ''}</span><span>{m(tot)}</span></div>
<small>We will collect this on {date(iss + D(days=14), st, 'en')}</small></div>
<small>Service address same as billing address. Help: {k.digits(3)} {k.digits(4)}</small>"""
    x = Doc(k, "PROOF_OF_ADDRESS", "en", cc, "broadband_app", "Skia/PDF", "under", iss)
    holder(k, x, p, a, iss, co, st, "en")
    x.sums = [m(tot), m(it[0][1])]
    x.d((date(iss, st, "en"), iss, st), (date(iss + D(days=14), st, "en"), iss + D(days=14), st))
    return x.out(chrome(k, html), **k.choice([{}, {"prod": "iOS Version 17.5.1 (Build 21F90) Quartz PDFContext"}]))


TP = {"DE": ("Jahresrechnung Strom", "Rechnungsdatum", "Kundennummer", "Zählerstand alt / neu", "Verbrauch", "Nettobetrag", "Umsatzsteuer 19 %",
    "Rechnungsbetrag", "Bereits gezahlte Abschläge", "Nachzahlung", 190, "d.m.y"),
      "ES": ("Factura de electricidad", "Fecha de emisión", "Contrato", "Lectura anterior / actual", "Consumo", "Base imponible", "IVA 21 %",
          "Importe factura", "Pagos a cuenta", "Total a pagar", 210, "d/m/y"),
      "IT": ("Bolletta acqua", "Data di emissione", "Codice cliente", "Lettura precedente / attuale", "Consumo", "Imponibile", "IVA 10%", "Totale bolletta",
          "Acconti già pagati", "Da pagare", 100, "d/m/y"),
      "NL": ("Jaarnota energie", "Datum", "Klantnummer", "Meterstand oud / nieuw", "Verbruik", "Bedrag excl. btw", "Btw 21%", "Totaal",
          "Betaalde voorschotten", "Te betalen", 210, "d-m-y"),
      "PT": ("Fatura de eletricidade", "Data de emissão", "N.º cliente", "Leitura anterior / atual", "Consumo", "Valor sem IVA", "IVA 23%", "Total da fatura",
          "Pagamentos por conta", "Valor a pagar", 230, "d-m-y")}


@design("PROOF_OF_ADDRESS", "de", "DE")
@design("PROOF_OF_ADDRESS", "es", "ES")
@design("PROOF_OF_ADDRESS", "it", "IT")
@design("PROOF_OF_ADDRESS", "nl", "NL")
@design("PROOF_OF_ADDRESS", "pt", "PT")
def yearly_abroad(k, cc):
    T, lang = TP[cc], cc.lower()
    co, p, a, sa = k.choice(UTIL[cc]), k.person(cc), k.addr(cc), k.addr(cc)
    iss = k.day()
    net = k.randint(40000, 150000)
    v = vat(T[10], net)
    paid = (net + v) * 8 // 10 // 1000 * 1000
    i0, use = k.randint(1000, 30000), k.randint(900, 4000)
    m = lambda c: money(c, "de") + " €"
    st = T[11]
    rows = [(T[1], date(iss, st)), (T[2], k.digits(8)), (T[3], f"{i0} / {i0 + use}"), (T[4], f"{use} {'m³' if cc == 'IT' else 'kWh'}"), (T[5], m(net)), (T[6],
        m(v)), (T[7], m(net + v)), (T[8], "-" + m(paid)), (T[9], m(net + v - paid))]
    if k.random() < .5:
        p2 = fp()
        f = k.choice(["rb", "os"])
        p2.set_font(f, "B", 18)
        p2.cell(0, 12, k.t(co), new_x="LMARGIN", new_y="NEXT")
        p2.set_font(f, "", 10)
        p2.set_xy(12, 45)
        p2.multi_cell(90, 5.5, k.t(f"{p.full}\n{a.street}\n{a.line}"))
        p2.set_xy(12, 85)
        p2.set_font(f, "B", 14)
        p2.cell(0, 10, k.t(T[0]), new_x="LMARGIN", new_y="NEXT")
        for l, t in rows:
            p2.set_font(f, "B" if l == T[9] else "", 10)
            p2.cell(90, 8, k.t(l), border="B")
            p2.cell(60, 8, k.t(t), border="B", align="R", new_x="LMARGIN", new_y="NEXT")
        pdf, pr = bytes(p2.output()), "fpdf2"
    else:
        H = f"<style>@page{{size:A4;margin:20mm}}body{{font:10pt 'Nimbus Sans'}}dl{{display:grid;grid-template-columns:1fr 1fr;" \
            f"border-top:2pt solid #b33}}dt,dd{{margin:0;padding:2mm;border-bottom:.3pt solid #999}}</style>" \
            f"<div style='text-align:right'><b style='font-size:16pt;color:#b33'>{co}</b><br>{sa.street}<br>{sa.line}</div>" \
            f"<p style='margin:16mm 0'>{p.full}<br>{a.street}<br>{a.line}</p><h2>{T[0]}</h2><dl>" + \
            "".join(f"<dt>{l}</dt><dd>{t}</dd>" for l, t in rows) + "</dl>"
        pdf, pr = weasy(k, H), "WeasyPrint"
    x = Doc(k, "PROOF_OF_ADDRESS", lang, cc, "yearly_" + lang, pr, "table", iss)
    holder(k, x, p, a, iss, co, st, lang)
    x.sums = [m(net + v), m(v)]
    return x.out(pdf)
