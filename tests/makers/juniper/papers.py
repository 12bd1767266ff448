"""Payslips, bank details, tax notices, company extracts, insurance certificates, and papers that are none of these."""
import datetime as dt

from base import Doc, design
from bills import fill
from data import MON, REF, date, money, plain
from engines import Canvas, chrome, fp, groff, lineprinter, office, para, ps, psx, table, tex, typ, weasy, word, rlfont

D = dt.timedelta


def month_end(d):
    return (d.replace(day=28) + D(days=4)).replace(day=1) - D(days=1)


@design("PAYSLIP", "fr", "FR", "FR")
def bulletin_grid(k, cc):
    """The classic grid of a French payroll package: base, rate, employee's and employer's parts."""
    p, a, sa, co = k.person("FR"), k.addr("FR"), k.addr("FR"), k.company("FR")
    end = month_end(k.day(dt.date(2025, 1, 2), dt.date(2026, 9, 28)))
    brut = k.randint(178000, 460000)
    ls = [("Sécurité sociale plafonnée", min(brut, 392500), 690), ("Sécurité sociale déplafonnée", brut, 40), ("Complémentaire tranche 1", min(brut, 392500),
        401), ("CSG déductible", brut * 9825 // 10000, 680),
          ("CSG/CRDS non déductible", brut * 9825 // 10000, 290)]
    ls = [(l, b, r, (b * r + 5000) // 10000) for l, b, r in ls]
    mut = k.randint(1500, 4800)
    cot = sum(x[3] for x in ls) + mut
    nav = brut - cot
    pas = (brut - cot) * k.choice([0, 21, 46, 75]) // 1000
    tick = k.choice([0, 6400, 7200])
    net = nav - pas - tick
    m = lambda c: money(c, k.ms)
    k.ms = k.choice(["fr", "comma", "fr"])
    c = Canvas(k)
    f = k.choice(["Helvetica", rlfont("Liberation Sans Narrow"), "Courier"])
    c.s(12, 14, co, 11, "Helvetica-Bold")
    c.s(12, 19, f"{sa.street} {sa.line}", 8, f)
    siren = k.siren()
    c.s(12, 23, f"SIRET {k.siret(siren)}  APE {k.digits(4)}Z  URSSAF {k.digits(10)}", 7, f)
    c.s(198, 14, "BULLETIN DE PAIE" if k.random() < .6 else "BULLETIN DE SALAIRE", 13, "Helvetica-Bold", "r")
    c.s(198, 20, f"Période du {date(end.replace(day=1), 'd/m/y')} au {date(end, 'd/m/y')}", 8, f, "r")
    c.s(198, 25, f"Paiement le {date(end, 'd/m/y')} par virement", 8, f, "r")
    c.box(110, 32, 88, 26, None)
    for i, t in enumerate([f"{p.title} {p.last.upper()} {p.first}", a.street, a.line]):
        c.s(114, 39 + i * 6, t, 9.5, f)
    for i, t in enumerate([f"Matricule {k.digits(5)}", f"N° SS {k.nir(p)}",
        f"Emploi : {k.choice(['Technicien', 'Comptable', 'Vendeuse', 'Magasinier', 'Chargée de projet'])}",
            f"Entrée le {date(end - D(days=k.randint(400, 4000)), 'd/m/y')}", "Convention : IDCC 1486"]):
        c.s(12, 36 + i * 5, t, 8, f)
    y = 68
    c.box(12, y - 5, 186, 7, .88)
    for x, t in ((14, "Rubrique"), (98, "Base"), (120, "Taux"), (148, "Part salarié"), (196, "Part employeur")):
        c.s(x, y, t, 8, "Helvetica-Bold", "l" if x < 20 else "r")
    y += 8
    rows = [("Salaire de base 151,67 h", "", "", m(brut), ""), ("SALAIRE BRUT", "", "", m(brut), "")] + [(l, m(b), f"{r / 100:.3f}".replace(".", ","), "-" +
        m(v), m(v * 17 // 10)) for l, b, r, v in ls]
    rows += [("Mutuelle santé", "", "", "-" + m(mut), m(mut)), ("TOTAL COTISATIONS", "", "", "-" + m(cot), ""), ("NET À PAYER AVANT IMPÔT", "", "", m(nav), "")]
    rows += [("Impôt prélevé à la source", m(nav), "", "-" + m(pas), "")] + ([("Titres-restaurant", "", "", "-" + m(tick), "")] if tick else [])
    for r in rows:
        for x, t in zip((14, 98, 120, 148, 196), r):
            c.s(x, y, t, 8.5, "Helvetica-Bold" if r[0].isupper() or "AVANT" in r[0] else f, "l" if x < 20 else "r")
        y += 6
    for x in (12, 80, 104, 124, 152, 198):
        c.line(x, 63, x, y + 30, .3, .5)
    c.box(110, 235, 88, 14, .93)
    c.s(114, 244, "NET À PAYER" + (" EN EUROS" if k.random() < .4 else ""), 10, "Helvetica-Bold")
    c.s(195, 244, m(net), 12, "Helvetica-Bold", "r")
    c.s(12, 244, f"Congés acquis N : {k.randint(2, 24)},50   pris : {k.randint(0, 9)},00", 8, f)
    c.s(105, 285, "Dans votre intérêt et pour vous aider à faire valoir vos droits, conservez ce bulletin sans limitation de durée.", 6.5, f, "c")
    x = Doc(k, "PAYSLIP", "fr", "FR", "grid_" + f, "ReportLab", "table", end)
    x.f(lastName=p.last.upper(), firstName=p.first, netAmount=m(net), postCode=a.pc, city=a.city)
    x.sums = [m(cot), m(nav), m(net)] if tick or pas else [m(cot)]
    r = k.random()
    return x.out(c.done(), prod="Silae v5" if r < .3 else "Sage Paie - Amyuni PDF Converter version 6.0" if r < .6 else None, none=r > .85)


@design("PAYSLIP", "fr", "FR", "BE")
def bulletin_clear(k, cc):
    """The simplified slip: one column of amounts, blocks with coloured heads (typst)."""
    p, a, sa, co = k.person(cc), k.addr(cc), k.addr(cc), k.company(cc)
    end = month_end(k.day(dt.date(2025, 1, 2), dt.date(2026, 9, 28)))
    brut = k.randint(190000, 420000)
    prime = k.choice([0, 0, 15000, 25050])
    tb = brut + prime
    A = [("Santé", tb * 7 // 1000), ("Retraite", tb * 1131 // 10000), ("CSG déductible", tb * 668 // 10000)] if cc == "FR" else [("Cotisation ONSS 13,07 %",
        tb * 1307 // 10000), ("Précompte professionnel", tb * 21 // 100), ("Cotisation spéciale", 2740)]
    net = tb - sum(v for _, v in A)
    frais = k.choice([0, 3750, 8640])
    m = lambda c: money(c, "fr" if cc == "FR" else "de")
    mo = MON["fr"].split()[end.month - 1]
    rows = "".join(f"[{l}], [{t}]," for l, t in [("Rémunération mensuelle", m(brut))] + ([("Prime exceptionnelle", m(prime))] if prime else []) +
        [("*Total brut*", f"*{m(tb)}*")] + [(l, "-" + m(v)) for l, v in A] +
                   ([("Remboursement de transport", m(frais))] if frais else []))
    src = fill("""#set page("a4", margin: 15mm)\n#set text(font: "<font>", size: 9.5pt)\n#grid(columns: (1fr, 1fr), [*<co>* \\ <sa> \\ <sl> \\ <reg>], 
align(right)[#text(15pt, fill: rgb("<hue>"))[<title>] \\ <mo> <yr>])
#v(10mm)#grid(columns: (1fr, 1fr), [Matricule <mat> \\ Statut <stat> \\ Ancienneté <anc>], [<name> \\ <street> \\ <line>])\n#v(8mm)
#block(fill: rgb("<hue>"), width: 100%, inset: 5pt)[#text(fill: white)[Éléments du mois]]
#table(columns: (1fr, 40mm), align: (left, right), stroke: (bottom: 0.3pt), <rows>)
#v(4mm)#align(right)[#box(stroke: 1pt + rgb("<hue>"), inset: 8pt)[<netl> : *<net> €*]]\n#v(1fr)
#text(7pt)[Virement sur le compte <acct> · Document généré par le service paie]""",
               font=k.choice(["Lato", "Open Sans", "Roboto", "Carlito"]), co=co, sa=sa.street, sl=sa.line, reg="SIREN " + k.siren() if cc == "FR"
                   else "BCE " + k.bce(), hue=k.choice(["#1d4e89", "#3a7d44", "#7b2d43"]), title="Bulletin de paie" if cc == "FR" else "Fiche de salaire",
                       mo=mo, yr=end.year,
               mat=k.digits(6), stat=k.choice(["employé", "cadre", "ouvrier"]), anc=f"{k.randint(1, 18)} ans", name=f"{p.first} {p.last}", street=a.street,
                   line=a.line, rows=rows,
               netl="Net payé" if cc == "FR" else "Net à payer", net=m(net + frais), acct="…" + k.digits(4))
    x = Doc(k, "PAYSLIP", "fr", cc, "simplified", "Typst", "table", end)
    x.f(lastName=p.last, firstName=p.first, netAmount=m(net + frais), postCode=a.pc, city=a.city)
    x.sums = [m(A[0][1]), m(A[1][1]), m(tb)] if prime else [m(A[0][1]), m(A[1][1])]
    return x.out(typ(k, src))


@design("PAYSLIP", "en", "GB", "IE")
def security_slip(k, cc):
    """The pressure-sealed slip of an impact printer: boxes, payments on the left, deductions on the right."""
    p, a, co = k.person(cc), k.addr(cc), k.company(cc)
    end = month_end(k.day(dt.date(2025, 1, 2), dt.date(2026, 9, 28)))
    sal, ot = k.randint(170000, 420000), k.choice([0, 12450, 30210])
    g = sal + ot
    tax, ni, pen = g * 13 // 100, g * 6 // 100, g * 5 // 100
    net = g - tax - ni - pen
    m = lambda c: money(c, k.choice(["en"]))
    pay, ded = [("SALARY", sal)] + ([("OVERTIME", ot)] if ot else []), [("PAYE TAX", tax), ("NATIONAL INS" if cc == "GB" else "PRSI", ni), ("PENSION"
        if cc == "GB" else "PENSION AVC", pen)]
    L = [f"{co.upper():<40}{'PAY ADVICE':>38}", "", f"EMPLOYEE {k.digits(5):<9}{(p.title + ' ' + p.full).upper():<32}PAY DATE {date(end, 'd/m/y')}",
        f"{'TAX CODE 1257L' if cc == 'GB' else 'TAX BASIS CUMULATIVE':<28}"
        f"{'NI NO ' + k.letters(2) + k.digits(6) + 'C' if cc == 'GB' else 'PPS ' + k.digits(7) + k.letters(1):<26}PERIOD {end.month:02d}", "-" * 78,
         f"{'PAYMENTS':<26}{'AMOUNT':>12}  {'DEDUCTIONS':<24}{'AMOUNT':>14}"]
    for i in range(4):
        l, r = pay[i] if i < len(pay) else ("", None), ded[i] if i < len(ded) else ("", None)
        L.append(f"{l[0]:<26}{m(l[1]) if l[1] is not None else '':>12}  {r[0]:<24}{m(r[1]) if r[1] is not None else '':>14}")
    L += ["-" * 78, f"{'GROSS PAY':<26}{m(g):>12}  {'TOTAL DEDUCTIONS':<24}{m(tax + ni + pen):>14}", "", f"{p.title.upper()} {p.full.upper()}",
        a.street.upper(), f"{a.city.upper():<40}{'NET PAY':<24}{m(net):>14}", a.pc, "", f"TOTAL GROSS TD {m(g * 5)}   TAX TD {m(tax * 5)}   METHOD BACS"]
    x = Doc(k, "PAYSLIP", "en", cc, "sealed_slip", "host spool", "table", end)
    x.f(lastName=p.last.upper(), firstName=p.first.upper(), netAmount=m(net), postCode=a.pc, city=a.city.upper())
    x.sums = [m(net), m(tax + ni + pen), m(g) if ot else m(net)]
    hue = k.choice(["0.86 0.92 1 rg", "0.9 0.97 0.88 rg", "1 0.93 0.88 rg"])
    small = k.random() < .5
    return x.out(lineprinter(k, [L], f"{hue} 24 {54 if small else 560} 540 {246 if small else 240} re f 0 g .3 0 .5 RG 24 {54 if small else 560} 540 "
        f"{246 if small else 240} re S ", 10.5, k.choice(["", "Sage Report Designer", "AFP2PDF 3.1"]), 595, 330 if small else 842, 288 if small else 790, 40,
            ("NET PAY",)))


@design("PAYSLIP", "en", "US", "CAE")
@design("PAYSLIP", "fr", "CA")
def earnings_statement(k, cc):
    """A payroll service's earnings statement, browser-made: this period and year to date."""
    fr = cc == "CA"
    p, a, co = k.person(cc), k.addr(cc), k.company(cc)
    end = k.day(dt.date(2025, 2, 2), dt.date(2026, 9, 28))
    n = end.month * 2
    hrs, rate = k.choice([72, 75, 80]), k.randint(1800, 5600)
    g = hrs * rate
    W = ("Relevé de paie", "Gains", "Retenues", "Période", "Cumulatif", "Salaire régulier", "Brut", "Paie nette",
        "Date de paie") if fr else ("Earnings Statement", "Earnings", "Deductions", "Current", "Year to date", "Regular", "Gross pay", "Net pay", "Pay date")
    ded = [(t, g * r // 1000) for t, r in ([("Impôt fédéral", 95), ("Impôt du Québec", 110), ("RRQ", 54), ("Assurance-emploi", 13), ("RQAP", 5)] if fr else
           [("Federal income tax", 110), ("Social Security" if cc == "US" else "CPP", 62), ("Medicare" if cc == "US" else "EI", 15), ("401(k)"
               if cc == "US" else "RRSP", 40)])]
    net = g - sum(v for _, v in ded)
    m = (lambda c: money(c, "fr") + " $") if fr else (lambda c: "$" + money(c, "en"))
    st = "iso" if cc != "US" else "m/d/y"
    rows = lambda xs: "".join(f"<tr><td>{t}<td>{m(v)}<td>{m(v * n)}" for t, v in xs)
    html = f"""<style>@page{{size:Letter;margin:14mm}}body{{font:12px '{k.choice(['Liberation Sans', 'Roboto', 'Open Sans'])}'}}.h{{display:flex;
justify-content:space-between;border-bottom:{k.choice(['3px solid #c00', '1px solid #000', '6px double #357'])}}}table{{width:100%;border-collapse:collapse;
margin-top:12px}}
td,th{{text-align:right;padding:3px}}td:first-child,th:first-child{{text-align:left}}th{{background:{k.choice(['#eee', '#def', '#fff'])};
border-bottom:1px solid #555}}.k{{margin-top:40px;border:1px dashed #777;padding:14px}}</style>
<div class=h><div><b>{co}</b><br>File {k.digits(4)} Dept {k.digits(3)}</div><h2>{W[0]}</h2></div><p>{W[8]}: {date(end, st)}</p>
<p>{p.full}<br>{a.street}<br>{a.line}</p><table><tr><th>{W[1]}<th>{W[3]}<th>{W[4]}{rows([(f'{W[5]} {hrs} h × {rate / 100:.2f}', g)])}<tr><td><b>{W[6]}</b><td>
<b>{m(g)}</b><td>{m(g * n)}</table>
<table><tr><th>{W[2]}<th>{W[3]}<th>{W[4]}{rows(ded)}</table><div class=k><b style="font-size:17px">{W[7]} {m(net)}</b>
<br>{'Dépôt direct' if fr else 'Deposited to account'} xxxxxx{k.digits(4)}</div>"""
    x = Doc(k, "PAYSLIP", "fr" if fr else "en", cc, "earnings_statement", "Skia/PDF", "table", end)
    x.f(lastName=p.last, firstName=p.first, netAmount=m(net), postCode=a.pc, city=a.city)
    x.sums = [m(net), m(ded[0][1]), m(ded[1][1])]
    return x.out(chrome(k, html))


@design("PAYSLIP", "fr", "CH")
def swiss_slip(k, cc):
    """A small Swiss firm's wage sheet in LaTeX."""
    p, a, co, sa = k.person("CH"), k.addr("CH"), k.company("CH"), k.addr("CH")
    end = month_end(k.day(dt.date(2025, 1, 2), dt.date(2026, 9, 28)))
    g = k.randint(4200, 9300) * 100
    all_ = k.choice([0, 30000, 60000])
    ded = [("AVS/AI/APG 5.30\\,\\%", g * 53 // 1000), ("AC 1.10\\,\\%", g * 11 // 1000), ("LAA non professionnel", g * 12 // 1000), ("LPP 2e pilier",
        k.randint(180, 420) * 100)]
    net = g + all_ - sum(v for _, v in ded)
    m = lambda c: money(c, "ch")
    rows = f"Salaire mensuel & {m(g)}\\\\" + (f"Allocations familiales & {m(all_)}\\\\" if all_ else "") + "".join(f"{l} & -{m(v)}\\\\" for l, v in ded)
    src = fill(r"""\documentclass[11pt,a4paper]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}%
\usepackage{lmodern,textcomp}<font>\usepackage[margin=25mm]{geometry}\pagestyle{empty}\setlength\parindent{0pt}\begin{document}
<co>\\<sa>, <sl>\hfill <city>, le <d>\\[10mm]\hspace*{90mm}\begin{minipage}{65mm}<name>\\<street>\\<line>\end{minipage}%
\\[12mm]{\Large Décompte de salaire <mo> <yr>}\\[3mm]N° AVS 756.<avs>\\[6mm]
\begin{tabular}{p{90mm}r}\hline <rows>\hline\textbf{Salaire net versé CHF} & \textbf{<net>}\\\hline\end{tabular}\end{document}""", font=k.choice(["",
    "\\usepackage{mathpazo}", "\\renewcommand\\familydefault{\\sfdefault}"]), co=co, sa=sa.street, sl=sa.line, city=sa.city,
               d=date(end, "d.m.y"), name=p.full, street=a.street, line=a.line, mo=MON["fr"].split()[end.month - 1], yr=end.year,
                   avs=f"{k.digits(4)}.{k.digits(4)}.{k.digits(2)}", rows=rows, net=m(net))
    x = Doc(k, "PAYSLIP", "fr", "CH", "latex_wage", "pdfTeX", "table", end)
    x.f(lastName=p.last, firstName=p.first, netAmount=m(net), postCode=a.pc, city=a.city)
    x.sums = [m(net), m(ded[3][1])]
    return x.out(tex(k, src))


BANKS = {"FR": ["Banque Armoricaine", "Crédit du Midi", "Nuvéa Banque"], "BE": ["Banque Sambre"], "CH": ["Banque Cantonale du Haut-Lac", "Alpes Banque"],
    "GB": ["Pennine Bank plc"], "IE": ["Bank of Connacht"], "DE": ["Sparkasse Lindental"],
         "CA": ["Caisse Belle-Rive"], "CAE": ["Northern Prairie Bank"]}


@design("BANK_DETAILS", "fr", "FR", "FR", "FR")
def rib(k, cc):
    """The identity of a bank account: boxes on a counter printer's strip, or a phone app's share."""
    p, a, b = k.person("FR"), k.addr("FR"), k.choice(BANKS["FR"])
    iban, bic = k.iban("FR"), k.bic("FR")
    iss = k.day()
    r = iban[4:]
    who = k.choice([f"{p.title} {p.last.upper()} {p.first}", p.full, f"{p.last.upper()} {p.first.upper()}"])
    if who.startswith(p.title):
        holdv = (who[len(p.title) + 1:], who[len(p.title) + 1:])
    else:
        holdv = (who, who)
    v = k.randint(0, 2)
    if v == 0:
        c = Canvas(k, 210, 297 if k.random() < .6 else 99)
        c.s(15, 14, b, 14, "Helvetica-Bold", color=(.1, .3, .2))
        c.s(105, 24, "RELEVÉ D'IDENTITÉ BANCAIRE", 12, "Helvetica-Bold", "c")
        c.s(15, 32, "Titulaire du compte", 7)
        for i, t in enumerate([who, a.street, a.line]):
            c.s(15, 37 + i * 5, t, 10, "Courier")
        for i, (l, t, w) in enumerate([("Code banque", r[:5], 30), ("Code guichet", r[5:10], 30), ("N° de compte", r[10:21], 50), ("Clé RIB", r[21:], 20)]):
            xx = 15 + sum((30, 30, 50, 20)[:i])
            c.box(xx, 55, w, 12)
            c.s(xx + 2, 58.5, l, 6)
            c.s(xx + 2, 64.5, t, 10, "Courier")
        c.s(15, 75, "IBAN", 7)
        c.s(30, 75, k.spaced(iban), 11, "Courier-Bold")
        c.s(15, 82, "BIC", 7)
        c.s(30, 82, bic, 11, "Courier-Bold")
        c.s(145, 82, f"Domiciliation {a.city.upper()}", 7)
        pdf, pr, kw = c.done(), "ReportLab", k.choice([{}, {"none": True}, {"prod": "iText® 5.5.13 ©2000-2018 iText Group NV"}])
    elif v == 1:
        pdf = chrome(k, f"""<style>@page{{size:{k.choice(['A4', '105mm 180mm'])};margin:12mm}}body{{font:14px 'Roboto'}}
.b{{background:{k.choice(['#f3f0ff', '#e7f5ff', '#fff'])};border-radius:16px;padding:20px}}p{{margin:4px 0 16px;font-weight:500}}small{{color:#666}}</style>
<h2>{b}</h2>
<div class=b><h3>Mes coordonnées bancaires</h3><small>Titulaire</small><p>{who}</p><small>IBAN</small><p>{k.spaced(iban)}</p><small>BIC / SWIFT</small>
<p>{bic}</p><small>Banque</small><p>{b}, {a.line}</p></div><small>Document édité le {date(iss, 'd/m/y')}</small>""")
        pr, kw = "Skia/PDF", {}
    else:
        o = f"/HB 15 F ({psx(b)}) 50 780 S /TI 9 F (soci\xe9t\xe9 coop\xe9rative de cr\xe9dit) 50 766 S " \
            f"/TB 14 F (RELEV\xc9 D'IDENTIT\xc9 BANCAIRE / IBAN) 120 700 S " \
            f"1 setlinewidth 45 480 500 200 B stroke /H 8 F (Intitul\xe9 du compte) 60 660 S " \
            f"/C 11 F ({psx(who)}) 60 645 S ({psx(a.street)}) 60 631 S ({psx(a.line)}) 60 617 S " \
            f"/H 8 F (Identifiant international de compte bancaire - IBAN) 60 580 S /CB 12 F ({k.spaced(iban)}) 60 564 S " \
            f"/H 8 F (Code BIC) 60 535 S /CB 12 F ({bic}) 60 519 S " \
            f"/T 9 F (Ce relev\xe9 est destin\xe9 \xe0 \xeatre remis, sur leur demande, \xe0 vos cr\xe9anciers ou d\xe9biteurs.) 60 450 S"
        pdf, pr, kw = ps(k, o), "GPL Ghostscript", {}
    x = Doc(k, "BANK_DETAILS", "fr", "FR", f"rib_{v}", pr, "under", iss)
    x.f(iban=k.spaced(iban), bic=bic, accountHolder=holdv)
    return x.out(pdf, **kw)


@design("BANK_DETAILS", "en", "GB", "IE")
@design("BANK_DETAILS", "fr", "BE", "CH")
@design("BANK_DETAILS", "de", "DE")
def bank_letter(k, cc):
    lang = {"GB": "en", "IE": "en", "DE": "de"}.get(cc, "fr")
    p, a, b, sa = k.person(cc), k.addr(cc), k.choice(BANKS[cc]), k.addr(cc)
    iban, bic, iss = k.iban(cc), k.bic(cc), k.day()
    st = "d.m.y" if cc in ("CH", "DE") else "long"
    T = {"en": ("Confirmation of account details", f"We confirm that {p.title} {p.full} of {a.street}, {a.line} holds the following account with us.",
        "Account name", "Yours sincerely"),
         "fr": ("Attestation bancaire – coordonnées du compte", f"Nous certifions que le compte ci-dessous est ouvert dans nos livres au nom de {p.title} "
             f"{p.full}, {a.street}, {a.line}.", "Titulaire", "Nos meilleures salutations"),
         "de": ("Bestätigung der Bankverbindung", f"Hiermit bestätigen wir, dass das folgende Konto von {p.title} {p.full}, {a.street}, {a.line}, bei uns "
             f"geführt wird.", "Kontoinhaber", "Mit freundlichen Grüßen")}[lang]
    rows = [(T[2], p.full), ("IBAN", k.spaced(iban)), ("BIC", bic)] + ([("Sort code", f"{iban[8:10]}-{iban[10:12]}-{iban[12:14]}")] if cc in ("GB", "IE")
        else [])
    v = k.choice(["tex", "groff", "fp"])
    if v == "tex":
        body = "".join(f"{l} & \\texttt{{{t}}}\\\\" for l, t in rows)
        pdf = tex(k, fill(r"""\documentclass[11pt,a4paper]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern,textcomp}%
\usepackage[margin=27mm]{geometry}\pagestyle{empty}\setlength\parindent{0pt}\begin{document}{\large\textsc{<b>}}\\\small <sa>, <sl>\normalsize\\[15mm]
<iss>\\[10mm]\textbf{<t0>}\\[5mm]<t1>\\[6mm]\begin{tabular}{ll}<body>\end{tabular}\\[14mm]<t3>\\[10mm]<b>\end{document}""", b=b, sa=sa.street, sl=sa.line,
    iss=date(iss, st, lang), t0=T[0], t1=T[1], t3=T[3], body=body))
    elif v == "groff":
        body = "\n".join(f"{l}:\t\\f[CB]{t}\\fP\n.br" for l, t in rows)
        pdf = groff(k, f".po 2.5c\n.ll 16c\n.ps 11\n.vs 15\n.nf\n.ta 4c\n.sp 2\n\\s+4\\fB{b}\\fP\\s0\n{sa.street}\n{sa.line}\n.sp "
            f"3\n{date(iss, st, lang)}\n.sp 2\n\\fB{T[0]}\\fP\n.sp\n.fi\n{T[1]}\n.sp\n.nf\n{body}\n.sp 3\n{T[3]}\n")
    else:
        q = fp()
        q.set_font("os", "B", 16)
        q.cell(0, 12, k.t(b), new_x="LMARGIN", new_y="NEXT")
        q.set_font("os", "", 10)
        q.multi_cell(0, 6, k.t(f"{sa.street}, {sa.line}\n\n{date(iss, st, lang)}\n\n{T[0]}\n\n{T[1]}\n"), new_x="LMARGIN", new_y="NEXT")
        for l, t in rows:
            q.cell(45, 9, k.t(l), border=1)
            q.cell(90, 9, k.t(t), border=1, new_x="LMARGIN", new_y="NEXT")
        pdf = bytes(q.output())
    x = Doc(k, "BANK_DETAILS", lang, cc, "letter_" + v, {"tex": "pdfTeX", "groff": "GPL Ghostscript", "fp": "fpdf2"}[v], "colon" if v == "groff" else "table",
        iss)
    x.f(iban=k.spaced(iban), bic=bic, accountHolder=p.full)
    return x.out(pdf)


@design("BANK_DETAILS", "en", "CAE")
@design("BANK_DETAILS", "fr", "CA")
def direct_deposit(k, cc):
    """Canada has no IBAN: transit, institution and account number."""
    fr = cc == "CA"
    p, a, b = k.person(cc), k.addr(cc), BANKS[cc][0]
    W = ("Spécimen de chèque – dépôt direct", "Titulaire du compte", "Transit", "Institution",
        "Compte") if fr else ("Direct deposit information – void cheque", "Account holder", "Transit", "Institution", "Account")
    iss = k.day()
    tr, ins, ac = k.digits(5), k.choice(["815", "003", "010"]), k.digits(7)
    bic = "CC" + k.letters(2) + "CAMM" if k.random() < .7 else None
    pdf = weasy(k, f"""<style>@page{{size:letter;margin:18mm}}body{{font:11pt 'Lato'}}.c{{border:1pt solid #456;padding:6mm;margin-top:10mm;
background:#f2f7f4}}.m{{font:13pt 'Liberation Mono';margin-top:12mm}}</style><h2>{b}</h2><h3>{W[0]}</h3><div class=c>{p.full}<br>{a.street}<br>{a.line}
<div style="text-align:right">{date(iss, 'iso')}</div><p>PAY / PAYEZ ________________________ VOID / ANNULÉ</p><div class=m>⑈001⑈ {tr}⑉{ins} {ac}</div></div>
<p>{W[1]} : {p.full}<br>{W[2]} : {tr}<br>{W[3]} : {ins}<br>{W[4]} : {ac}{'<br>BIC / SWIFT : ' + bic if bic else ''}</p>""")
    x = Doc(k, "BANK_DETAILS", "fr" if fr else "en", cc, "void_cheque", "WeasyPrint", "colon", iss)
    x.f(bic=bic, accountHolder=p.full)
    return x.out(pdf)


@design("TAX_NOTICE", "fr", "FR", "FR")
def avis_fr(k, cc):
    """Income tax or property tax notice of the French office, two pages."""
    p, a = k.person("FR"), k.addr("FR")
    yr = k.choice([2025, 2026])
    iss = dt.date(yr, 7, k.randint(20, 31))
    prop = k.random() < .4
    num = f"{yr % 100} {k.digits(2)} {k.digits(7)} {k.digits(2)}"
    m = lambda c: money(c, "fr").split(",")[0] + " €"
    rev = k.randint(16000, 70000) * 100
    tax = rev * k.randint(30, 120) // 1000 // 100 * 100
    paid = tax * 6 // 10 // 100 * 100 if not prop else 0
    tot = tax - paid
    due = dt.date(yr, 9 if not prop else 10, 15)
    f = k.choice(["Liberation Sans", "Nimbus Sans", "Open Sans"])
    title = f"TAXES FONCIÈRES {yr}" if prop else f"AVIS D'IMPÔT {yr} SUR LES REVENUS DE {yr - 1}"
    L = [("Revenu fiscal de référence", m(rev)), ("Nombre de parts", "2,00"), ("Impôt sur le revenu net", m(tax)), ("Prélèvement à la source déjà versé",
        "- " + m(paid))] if not prop else [("Base communale", m(rev // 10)), ("Cotisation commune", m(tax * 6 // 10)),
            ("Cotisation intercommunalité et taxes spéciales", m(tax - tax * 6 // 10))]
    if prop:
        L[1] = ("Cotisation commune", m(tax * 6 // 10 // 100 * 100))
        L[2] = ("Cotisation intercommunalité et taxes spéciales", m(tax - tax * 6 // 10 // 100 * 100))
    body = "".join(f"<tr><td>{l}<td class=n>{v}" for l, v in L)
    html = f"""<style>@page{{size:A4;margin:12mm}}body{{font:9pt '{f}'}}.l{{float:left;width:62mm;
font-size:8pt;{k.choice(['background:#eef2f8', 'border-right:1pt solid #000'])};padding:3mm;height:90mm}}.r{{margin-left:75mm}}.big{{border:1.5pt solid #000;
padding:3mm;font-size:12pt;clear:both;margin-top:6mm}}table{{width:100%;border-collapse:collapse}}td{{border-bottom:.3pt dotted #555;padding:1.2mm}}
.n{{text-align:right}}</style>
<div class=l><b>DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES</b><br>Service des impôts des particuliers<br>{a.city}<br>
<br>Vos références<br>N° fiscal : {k.digits(2)} {k.digits(2)} {k.digits(3)} {k.digits(3)} {k.digits(3)}<br>Référence de l'avis :
{num}<br>N° de rôle : {k.digits(3)}<br>Date d'établissement : {date(iss, 'd/m/y')}<br>Mise en recouvrement : {date(iss + D(days=1), 'd/m/y')}</div>
<div class=r><h2>{title}</h2><p style="margin:12mm 0 0 20mm;
line-height:1.5">{p.title} {p.last.upper()} {p.first.upper()}<br>{a.street.upper()}<br>{a.line.upper()}</p></div>
<div class=big>{k.choice(['Montant à payer', 'Somme à payer', 'Il vous reste à payer'])} : <b>{m(tot)}</b>
<br>{k.choice(['au plus tard le', 'Date limite de paiement'])} {date(due, 'd/m/y')}</div>
<p>Vous pouvez payer par prélèvement à l'échéance sur impots.gouv.fr ou par smartphone. {'Adresse du bien : ' + a.street.upper()
    if prop else 'Déclarant 1 : ' + p.last.upper()}</p><div style="break-before:page"><h3>Détail du calcul</h3><table>{body}<tr><td><b>Reste à payer</b>
<td class=n><b>{m(tot)}</b></table><p>Pour réclamer, vous disposez d'un délai jusqu'au 31 décembre {yr + 2}.</p></div>"""
    x = Doc(k, "TAX_NOTICE", "fr", "FR", "avis_property" if prop else "avis_income", "WeasyPrint", "prose", iss)
    x.f(lastName=p.last.upper(), firstName=p.first.upper(), address=a.street.upper(), postCode=a.pc, city=a.city.upper(), totalAmount=m(tot),
        documentNumber=num)
    x.sums = [m(tot), m(tax)] if not prop else [m(tot)]
    x.d((date(iss, "d/m/y"), iss, "d/m/y"), (date(due, "d/m/y"), due, "d/m/y"))
    return x.out(weasy(k, html), prod=k.choice(["Compart DocBridge 4.2", "PDFlib+PDI 9.3.1", "Xerox FreeFlow"]) if k.random() < .6 else None)


@design("TAX_NOTICE", "fr", "BE", "CH", "CA")
@design("TAX_NOTICE", "en", "GB", "IE", "CAE", "US", "GB")
def assessment(k, cc):
    """Tax offices elsewhere: host print, groff, or a form generator, by chance."""
    lang = "fr" if cc in ("BE", "CH", "CA") else "en"
    p, a = k.person(cc), k.addr(cc)
    iss = k.day()
    due = iss + D(days=k.choice([30, 60]))
    inc = k.randint(2500000, 9000000)
    tax = inc * k.randint(90, 240) // 1000
    paid = tax * k.randint(60, 95) // 100
    tot = tax - paid
    ms = {"BE": "de", "CH": "ch", "CA": "fr"}.get(cc, "en")
    sym = {"BE": " EUR", "CH": "", "CA": " $"}.get(cc, "")
    pre = {"GB": "£", "IE": "€", "US": "$", "CAE": "$"}.get(cc, "")
    m = lambda c: pre + money(c, ms) + sym
    st = {"BE": "d/m/y", "CH": "d.m.y", "CA": "long", "GB": "long", "IE": "d/m/y", "CAE": "mus", "US": "us"}[cc]
    num = {"BE": f"{k.digits(4)}.{k.digits(3)}.{k.digits(3)}", "CH": f"{k.digits(3)}.{k.digits(3)}.{k.digits(2)}", "GB": k.digits(5) + " " + k.digits(5),
        "IE": k.digits(7) + k.letters(2)}.get(cc, k.letters(2) + k.digits(7))
    off, ttl, ln, li, lt, lp, ld, ldue = {
        "BE": ("SPF FINANCES", "AVERTISSEMENT-EXTRAIT DE RÔLE", "Article du rôle", "Revenu imponible globalement", "Impôt total",
            "Précomptes et versements anticipés", "Montant à payer", "À payer avant le"),
        "CH": ("Administration cantonale des impôts", "Décision de taxation et calcul de l'impôt", "N° de décision", "Revenu imposable",
            "Impôt cantonal, communal et fédéral", "Acomptes versés", "Solde à payer CHF", "Délai de paiement"),
        "CA": ("Agence du revenu", "Avis de cotisation", "Numéro de référence", "Revenu total", "Impôt net", "Impôt retenu à la source", "Solde dû",
            "Payer au plus tard le"),
        "GB": ("HM Revenue & Customs".replace("&", "and"), "Self Assessment: tax calculation and statement", "Unique Taxpayer Reference",
            "Total income received", "Income Tax due", "Less tax deducted at source", "Amount to pay", "Pay by"),
        "IE": ("Office of the Revenue Commissioners", "Notice of Assessment - Income Tax", "Notice number", "Total income", "Tax chargeable",
            "Tax already paid", "Balance payable", "Due date"),
        "CAE": ("Canada Revenue Agency", "Notice of assessment", "Reference number", "Total income", "Total payable", "Total credits", "Balance owing",
            "Amount due by"),
        "US": ("Department of the Treasury - Internal Revenue Service", "Notice CP14: balance due for your income tax", "Notice number", "Total income",
            "Tax you owed", "Payments and credits", "Amount due by pay date", "Pay by")}[cc]
    fd, fu = date(iss, st, lang), date(due, st, lang)
    name = f"{p.last.upper()} {p.first.upper()}" if cc == "BE" else p.full
    up = cc == "BE"
    street, line = (a.street.upper(), a.line.upper()) if up else (a.street, a.line)
    v = k.choice(["groff", "spool", "rl"])
    rows = [(li, m(inc)), (lt, m(tax)), (lp, "-" + m(paid)), (ld, m(tot))]
    if v == "groff":
        body = "\n".join(f"{l}\t{t}" for l, t in rows).replace("£", "\\[Po]").replace("€", "\\[Eu]")
        pdf = groff(k, f".po 2c\n.ll 17c\n.ps 10\n.vs 14\n.nf\n.sp 3\n\\s+3\\fB{off}\\fP\\s0\n.sp\n{ttl}\n.sp 3\n.in 9c\n{name}\n{street}\n{line}\n.in "
            f"0\n.sp 2\n.ta 7c\n{ln}\t{num}\nDate\t{fd}\n.sp 2\n.ta 16cR\n{body}\n.sp 2\n\\fB{ldue} {fu}\\fP\n")
        pr = "GPL Ghostscript"
    elif v == "spool":
        w = [f"{l:<52}{t:>24}" for l, t in rows]
        L = [off.upper(), "", f"{ttl.upper():<50}", "", f"{ln}: {num}", f"DATE: {fd}", "", "", " " * 40 + name, " " * 40 + street, " " * 40 + line, "", "",
            "-" * 76] + w + ["-" * 76, "", f"{ldue}: {fu}"]
        pdf, pr = lineprinter(k, [L], ".8 G 30 760 530 50 re S 30 430 530 320 re S ", 10.5, k.choice(["", "Crawford PRO 4", "BFO PDF Library 2.6"]), left=46,
            bold=(ld,)), "host spool"
    else:
        c = Canvas(k)
        c.box(0, 0, 210, 22, k.choice([(.15, .2, .4), (.3, .3, .3), (.5, .1, .15)]), None)
        c.s(15, 13, off, 13, "Helvetica-Bold", color=1)
        c.s(15, 40, name, 10)
        c.s(15, 45, street, 10)
        c.s(15, 50, line, 10)
        for i, (l, t) in enumerate([(ln, num), ("Date", fd), (ldue, fu)]):
            c.s(115, 36 + i * 11, l, 7, color=.4)
            c.s(115, 40.5 + i * 11, t, 10, "Helvetica-Bold")
        c.s(15, 80, ttl, 14, "Times-Bold")
        for i, (l, t) in enumerate(rows):
            c.box(15, 90 + i * 10, 180, 10, .96 if i % 2 else 1, .7)
            c.s(18, 96.5 + i * 10, l, 10, "Helvetica-Bold" if i == 3 else "Helvetica")
            c.s(192, 96.5 + i * 10, t, 10, "Helvetica-Bold" if i == 3 else "Helvetica", "r")
        pdf, pr = c.done(), "ReportLab"
    x = Doc(k, "TAX_NOTICE", lang, cc, "assessment_" + v, pr, "table", iss)
    x.f(lastName=p.last.upper() if up else p.last, firstName=p.first.upper() if up else p.first, address=street, postCode=a.pc, city=a.city.upper() if up
        else a.city, totalAmount=m(tot), documentNumber=num)
    x.sums = [m(tot), m(tax)]
    x.d((fd, iss, st), (fu, due, st))
    return x.out(pdf)


@design("COMPANY_REGISTRATION", "fr", "FR", "FR")
def kbis(k, cc):
    co, p, a = k.company("FR"), k.person("FR"), k.addr("FR")
    iss, reg = k.day(), k.day(dt.date(2003, 1, 1), dt.date(2023, 1, 1))
    s = k.siren()
    sp = f"{s[:3]} {s[3:6]} {s[6:]}"
    if k.random() < .6:
        rows = [("Immatriculation au RCS, numéro", f"{sp} R.C.S. {a.city}"), ("Date d'immatriculation", date(reg, "d/m/y")),
            ("Dénomination ou raison sociale", co), ("Forme juridique", "Société par actions simplifiée" if "SAS" in co
                else "Société à responsabilité limitée"),
                ("Capital social", f"{k.randint(1, 90)} 000,00 Euros"), ("Adresse du siège", f"{a.street} {a.line}"), ("Activités principales",
                    k.choice(["Travaux de menuiserie", "Négoce et réparation", "Conseil", "Transport routier"])), ("Durée de la personne morale",
                        f"Jusqu'au {date(reg.replace(year=reg.year + 99, day=1), 'd/m/y')}"), ("Nom, prénoms du gérant", f"{p.last.upper()} {p.first}")]
        body = "\n".join(f"\\fI{l}\\fP\t{t}" for l, t in rows)
        pdf = groff(k, f".po 2c\n.ll 17c\n.ps 10\n.vs 15\n.nf\n.sp 3\nGreffe du Tribunal de Commerce de {a.city}\nN° de gestion "
            f"{reg.year}B{k.digits(5)}\n.sp 2\n.ce 2\n\\s+4\\fBExtrait Kbis\\fP\\s0\nEXTRAIT D'IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES "
                f"SOCIÉTÉS\n.sp\n.ce\nà jour au {date(iss, 'long')}\n.sp 2\n\\fBIDENTIFICATION DE LA PERSONNE MORALE\\fP\n.sp\n.ta 6c\n{body}\n.sp 4\nLe "
                    f"Greffier\n.sp 2\nFIN DE L'EXTRAIT\n")
        pr, lay, num, what = "GPL Ghostscript", "table", sp, "kbis"
    else:
        num = k.choice([sp, s])
        rows = [("Description de l'entreprise", ""), ("Entreprise active depuis le", date(reg, "d/m/y")), ("Identifiant SIREN", num),
            ("Identifiant SIRET du siège", k.siret(s)), ("Dénomination", co), ("Catégorie juridique", "5710 - SAS"), ("Adresse", f"{a.street}<br>{a.line}"),
                ("Activité Principale Exercée (APE)", f"{k.digits(2)}.{k.digits(2)}Z")]
        pdf = chrome(k, f"<style>@page{{size:A4;margin:20mm}}body{{font:13px 'Liberation Sans'}}td{{border:1px solid #888;"
            f"padding:6px}}table{{border-collapse:collapse;width:100%}}</style><b style='color:#0b2d71;font-size:22px'>Insee</b> <h2>SITUATION AU "
                f"RÉPERTOIRE SIRENE</h2><p>À la date du {date(iss, 'd/m/y')}</p><table>" + "".join(f"<tr><td>{l}<td>{t}" for l, t in rows) +
                    "</table><p>Avis de situation sans valeur contractuelle.</p>")
        pr, lay, what = "Skia/PDF", "table", "sirene"
    x = Doc(k, "COMPANY_REGISTRATION", "fr", "FR", what, pr, lay, iss)
    x.f(companyName=co, registrationNumber=num, address=a.street, postCode=a.pc, city=a.city)
    x.d((date(reg, "d/m/y"), reg, "d/m/y"), (date(iss, "long" if what == "kbis" else "d/m/y"), iss, "long" if what == "kbis" else "d/m/y"))
    return x.out(pdf)


@design("COMPANY_REGISTRATION", "fr", "BE", "CH", "CA")
@design("COMPANY_REGISTRATION", "en", "GB", "IE", "US", "CAE")
def register_extract(k, cc):
    lang = "fr" if cc in ("BE", "CH", "CA") else "en"
    co, p, a = k.company(cc), k.person(cc), k.addr(cc)
    iss, reg = k.day(), k.day(dt.date(1999, 1, 1), dt.date(2023, 1, 1))
    num = {"BE": k.bce, "CH": k.che, "GB": lambda: k.choice(["0", "1"]) + k.digits(7), "IE": lambda: k.digits(6), "US": lambda: "L" + k.digits(8),
        "CAE": lambda: k.digits(7) + "-" + k.digits(1), "CA": lambda: "11" + k.digits(8)}[cc]()
    st = {"CH": "d.m.y", "BE": "d/m/y", "CA": "iso", "US": "us", "CAE": "iso"}.get(cc, "long")
    ttl, ln, lc, lr, la, foot = {
        "BE": ("Extrait de la Banque-Carrefour des Entreprises", "Numéro d'entreprise", "Dénomination", "Date de début", "Adresse du siège",
            "SPF Économie, PME, Classes moyennes et Énergie"),
        "CH": ("Registre du commerce – Extrait certifié conforme", "IDE", "Raison de commerce", "Inscription", "Siège et adresse",
            "Office du registre du commerce"),
        "CA": ("État de renseignements d'une personne morale", "Numéro d'entreprise du Québec (NEQ)", "Nom", "Date d'immatriculation", "Adresse du domicile",
            "Registraire des entreprises"),
        "GB": ("CERTIFICATE OF INCORPORATION OF A PRIVATE LIMITED COMPANY", "Company number", "Company name", "Incorporated on", "Registered office",
            "Given at Companies House, Cardiff"),
        "IE": ("Companies Registration Office - Company printout", "Company number", "Company name", "Date of registration", "Registered office",
            "Registrar of Companies, Dublin"),
        "US": ("CERTIFICATE OF FORMATION - FILED", "Document number", "Name of entity", "Filed on", "Principal office", "Secretary of State"),
        "CAE": ("Corporate profile - Certificate of compliance", "Corporation number", "Corporate name", "Incorporation date", "Registered office address",
            "Corporations Canada")}[cc]
    fr_, fi = date(reg, st, lang), date(iss, st, lang)
    dated = {"fr": "Établi le", "en": "Issued"}[lang]
    v = k.choice(["rl", "typ", "html"] if cc not in ("GB", "US") else ["rl", "html", "html"])
    if v == "typ":
        rows = ",".join(f"[_{l}_], [{t}]" for l, t in [(lc, co), (ln, num), (lr, fr_), (la, f"{a.street} \\ {a.line}"), ("Status" if lang == "en"
            else "Situation", "Active")])
        pdf, pr = typ(k, fill('#set page("a4", margin: 22mm)\n#set text(font: "<f>", size: 10.5pt)\n#align(center)[#text(15pt)[<ttl>'
            ']]\n#v(10mm)#grid(columns: (60mm, 1fr), row-gutter: 10pt, <rows>)\n#v(20mm)<foot> #h(1fr) <dated> <d>', f=k.choice(["Liberation Serif",
                "Carlito"]), ttl=ttl, rows=rows, foot=foot, dated=dated, d=fi)), "Typst"
    elif v == "rl":
        c = Canvas(k)
        c.box(8, 8, 194, 281, None, (.4, .3, .1), 2)
        c.box(11, 11, 188, 275, None, (.4, .3, .1), .5)
        c.s(105, 45, ttl, 14 if len(ttl) < 45 else 11, "Times-Bold", "c")
        c.s(105, 65, f"{ln} {num}", 13, "Times-Roman", "c")
        body = {"en": f"The Registrar hereby certifies that\n\n{co}\n\nis registered under the above number since {fr_} and that its office is situated at",
            "fr": f"Il est certifié que la société\n\n{co}\n\nest inscrite depuis le {fr_} et a son siège à l'adresse suivante :"}[lang]
        y = c.wrap(30, 90, body + f"\n\n{a.street}\n{a.line}", 150, 12, "Times-Roman", 1.5)
        c.s(30, y + 20, f"{foot}, {dated.lower()} {fi}", 10, "Times-Italic")
        c.c.circle(160 * 2.835, 60 * 2.835, 50, stroke=1)
        c.s(160, 238, "SEAL" if lang == "en" else "SCEAU", 8, "Times-Roman", "c", .4)
        pdf, pr = c.done(), "ReportLab"
    else:
        pdf = weasy(k, f"""<style>@page{{size:A4;margin:18mm}}body{{font:10pt '{k.choice(['C059', 'Nimbus Sans', 'DejaVu Sans'])}'}}
h2{{border-bottom:2pt solid #264}}dt{{font-size:8pt;color:#264;margin-top:4mm}}dd{{margin:0;font-size:11pt}}</style><h2>{ttl}</h2><dl>
<dt>{ln}<dd>{num}<dt>{lc}<dd>{co}<dt>{lr}<dd>{fr_}<dt>{la}<dd>{a.street}<br>{a.line}
<dt>{'Director' if lang == 'en' else 'Organe, administrateur'}<dd>{p.full}</dl><p style="margin-top:30mm">{foot} – {dated} {fi}</p>""")
        pr = "WeasyPrint"
    x = Doc(k, "COMPANY_REGISTRATION", lang, cc, "register_" + v, pr, {"rl": "prose", "typ": "table", "html": "under"}[v], iss)
    x.f(companyName=co, registrationNumber=num, address=a.street, postCode=a.pc, city=a.city)
    x.d((fr_, reg, st), (fi, iss, st))
    return x.out(pdf)


INS = {"FR": ["Mutuelle Océane", "Garantia Assurances", "Assur'Val"], "BE": ["Ardenne Assurances"], "CH": ["Helvia Assurances SA"],
    "CA": ["Promutuelle du Fleuve"], "GB": ["Albion Mutual Insurance"], "IE": ["Tara Insurance DAC"], "US": ["Great Basin Casualty"],
        "CAE": ["Maritime Fidelity Insurance"]}


@design("INSURANCE_CERTIFICATE", "fr", "FR", "FR", "BE", "CH")
def attestation(k, cc):
    co, p, a = k.choice(INS[cc]), k.person(cc), k.addr(cc)
    iss = k.day()
    beg = iss.replace(day=1)
    end = beg.replace(year=beg.year + 1) - D(days=1)
    num = k.choice([k.digits(9), f"{k.letters(2)}{k.digits(7)}", f"{k.digits(4)}.{k.digits(4)}.{k.digits(2)}"])
    kind = k.choice(["multirisque habitation", "responsabilité civile locative", "automobile", "scolaire", "responsabilité civile professionnelle"])
    st = "d.m.y" if cc == "CH" else "d/m/y"
    txt = [f"{co} atteste que {p.title} {p.last.upper()} {p.first}, demeurant {a.street}, {a.line}, est titulaire du contrat {kind} n° {num}.",
           f"La présente attestation est valable du {date(beg, st)} au {date(end, st)}, sous réserve du paiement des cotisations.",
           "Elle ne peut engager l'assureur au-delà des conditions du contrat auquel elle se réfère. Garanties : incendie, dégât des eaux, vol, bris de "
               "glace, recours des voisins et des tiers."]
    v = k.choice(["word", "rl", "fp"]) if cc == "FR" and k.random() < .3 else k.choice(["rl", "fp"])
    if v == "word":
        d = word("Carlito", 11)
        para(d, co, True, 0, 18)
        para(d, f"Attestation d'assurance {kind}", True, 1, 14, 18)
        for t in txt:
            para(d, t, after=10)
        table(d, [("Assuré", "Adresse du risque", "Contrat"), (p.full, f"{a.street}\n{a.line}", num)])
        para(d, f"\nFait le {date(iss, 'long')}, pour valoir ce que de droit.", align=2)
        pdf, pr = office(k, d), "LibreOffice"
    elif v == "rl":
        c = Canvas(k)
        f, fb = k.choice([("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold"), (rlfont("Lato"), rlfont("Lato", "Bold"))])
        c.box(12, 12, 22, 14, 1, None)
        c.c.setFillColorRGB(.1, .4, .5)
        c.c.wedge(40, 765, 90, 815, 20, 280, fill=1, stroke=0)
        c.s(38, 22, co, 17, fb)
        c.s(105, 55, "ATTESTATION D'ASSURANCE", 15, fb, "c")
        c.s(105, 62, kind.upper(), 9, f, "c")
        y = 80
        for t in txt:
            y = c.wrap(20, y, t, 170, 11, f, 1.5) + 5
        for i, (l, t) in enumerate([("N° de contrat", num), ("N° de sociétaire", k.digits(7)), ("Souscripteur", p.full)]):
            c.box(20 + i * 57, y + 4, 57, 14)
            c.s(22 + i * 57, y + 9, l, 7, f)
            c.s(22 + i * 57, y + 15, t, 9.5, fb)
        c.s(130, y + 40, f"Le {date(iss, 'long')}", 10, f)
        pdf, pr = c.done(), "ReportLab"
    else:
        q = fp(*k.choice([(210, 297), (210, 148), (210, 297)]))
        q.set_font("rb", "B", 15)
        q.set_fill_color(*k.choice([(225, 240, 228), (232, 232, 250), (255, 255, 255)]))
        q.rect(0, 0, 210, 297, "F")
        q.cell(0, 10, k.t(f"{co}"), new_x="LMARGIN", new_y="NEXT")
        q.set_font("rb", "", 10)
        q.multi_cell(0, 6, k.t("ATTESTATION D'ASSURANCE " + kind.upper() + "\n"), new_x="LMARGIN", new_y="NEXT")
        for l, t in [("Contrat n°", num), ("Assuré(e)", f"{p.last.upper()} {p.first}"), ("Adresse", a.street), ("", a.line), ("Valable du", date(beg, st) +
            " au " + date(end, st)), ("Établie le", date(iss, st))]:
            q.cell(40, 7, k.t(l))
            q.cell(0, 7, k.t(t), new_x="LMARGIN", new_y="NEXT")
        q.multi_cell(0, 5, k.t("\n" + txt[2]))
        pdf, pr = bytes(q.output()), "fpdf2"
    x = Doc(k, "INSURANCE_CERTIFICATE", "fr", cc, "attestation_" + v, pr, {"fp": "table"}.get(v, "prose"), iss)
    x.f(policyNumber=num, lastName=p.last.upper(), firstName=p.first, issuer=co, postCode=a.pc, city=a.city)
    x.d((date(beg, st), beg, st), (date(end, st), end, st))
    return x.out(pdf)


@design("INSURANCE_CERTIFICATE", "en", "GB", "IE", "US", "CAE")
@design("INSURANCE_CERTIFICATE", "fr", "CA")
def motor_certificate(k, cc):
    co, p, a = k.choice(INS[cc]), k.person(cc), k.addr(cc)
    fr = cc == "CA"
    beg = k.day(dt.date(2025, 6, 1), dt.date(2026, 10, 1))
    end = beg.replace(year=beg.year + 1, day=min(28, beg.day)) - D(days=1)
    num = k.choice([f"{k.letters(2)}/{k.digits(7)}", k.digits(8), f"{k.letters(3)}-{k.digits(4)}-{k.digits(3)}"])
    st = {"US": "m/d/y", "CAE": "iso", "CA": "iso"}.get(cc, "long")
    lang = "fr" if fr else "en"
    W = ("Certificat d'assurance automobile", "Numéro de police", "Assuré désigné", "En vigueur du", "au", "Véhicule", "Assureur") if fr else \
        {"US": ("Insurance Identification Card", "Policy number", "Named insured", "Effective", "to", "Vehicle", "Company")}.get(cc,
            ("Certificate of Motor Insurance", "Certificate / policy number", "Policyholder", "Effective from", "to", "Vehicle", "Insurer"))
    car = f"{k.randint(2012, 2024)} {k.choice(['Ford Focus', 'Toyota Yaris', 'Honda Civic'])}"
    rows = [(W[1], num), (W[2], p.full), ("", a.street), ("", a.line), (W[3], f"{date(beg, st, lang)} {W[4]} {date(end, st, lang)}"), (W[5], car), (W[6], co)]
    v = k.choice(["weasy", "ps", "chrome"])
    if v == "ps":
        o = [f".9 .95 .9 setrgbcolor 40 560 515 240 B fill 0 setgray /TB 18 F ({psx(co)}) 55 770 S /T 13 F ({psx(W[0])}) 55 748 S"]
        o += [f"/T 9 F ({psx(l)}) 55 {720 - i * 20} S /TB 11 F ({psx(t)}) 200 {720 - i * 20} S" for i, (l, t) in enumerate(rows)]
        o.append("/TI 8 F (" + ("Conserver ce certificat dans le v\xe9hicule." if fr
            else "Keep this certificate in a safe place. Advice to third parties: nothing here affects your right to claim.") + ") 55 540 S")
        pdf, pr = ps(k, "\n".join(o)), "GPL Ghostscript"
    else:
        sz = k.choice(["A4", "Letter", "120mm 90mm"])
        terms = 'Persons entitled to drive: the policyholder. Limits as described in the policy schedule.'
        html = f"""<style>@page{{size:{sz};margin:8mm}}body{{font:{'8pt' if 'mm' in sz else '11pt'} '{k.choice(['Lato', 'Nimbus Roman', 'Liberation Sans'])}'}}
.o{{border:2pt {k.choice(['solid', 'double', 'dashed'])} {k.choice(['#253', '#325', '#000'])};padding:4mm}}td{{padding:1mm 4mm 1mm 0}}</style><div class=o>
<b>{W[0]}</b><h3>{co}</h3><table>""" + \
            "".join(f"<tr><td>{l}</td><td><b>{t}</b></td></tr>"
                f"" for l, t in rows[:-1]) + f"</table><small>{'Assurance responsabilité obligatoire.' if fr else terms}</small></div>"
        pdf, pr = (weasy if v == "weasy" else chrome)(k, html), {"weasy": "WeasyPrint", "chrome": "Skia/PDF"}[v]
    x = Doc(k, "INSURANCE_CERTIFICATE", lang, cc, "motor_" + v, pr, "table", beg)
    x.f(policyNumber=num, lastName=p.last, firstName=p.first, issuer=co, postCode=a.pc, city=a.city)
    x.d((date(beg, st, lang), beg, st), (date(end, st, lang), end, st))
    return x.out(pdf)


OTHERS = {  # (name, title, paragraphs); holes are filled below
    "fr": [("lease", "CONTRAT DE LOCATION – résidence principale", "Entre le bailleur {p2}, et le locataire {p}, il est convenu ce qui suit.|Article 1 – "
        "Objet. Le bailleur loue un appartement de trois pièces situé {addr}.|Article 2 – Durée. Le bail prend effet le {d} pour trois ans.|Article 3 – "
            "Loyer : {amt} par mois, charges comprises.|Dépôt de garantie : un mois de loyer hors charges.|Fait en deux exemplaires. Signatures"),
           ("quote", "DEVIS n° {n}", "{co}|Client : {p}, {addr}|Date : {d} – devis valable trois mois|Réfection de la salle de bains : fourniture et "
               "pose. Montant estimé TTC {amt}.|Bon pour accord, date et signature du client :"),
           ("prescription", "Docteur {p2} – médecine générale", "{addr}|Le {d}|{p}|Amoxicilline 1 g : un comprimé matin et soir pendant 6 "
               "jours.|Paracétamol 1 g en cas de douleur, sans dépasser trois par jour.|Non substituable : aucun."),
           ("rent_receipt", "QUITTANCE DE LOYER", "Je soussigné {p2}, propriétaire du logement désigné ci-dessous, déclare avoir reçu de {p} la somme de "
               "{amt} au titre du loyer et des charges.|Logement : {addr}|Quittance établie le {d}. Elle annule tous les reçus donnés précédemment."),
           ("school", "CERTIFICAT DE SCOLARITÉ", "Le proviseur du lycée Marguerite-Audoux certifie que l'élève {p} est inscrit en classe de première "
               "générale pour l'année scolaire en cours.|Fait à {city}, le {d}.|Le chef d'établissement"),
           ("work_certificate", "CERTIFICAT DE TRAVAIL", "Je soussigné {p2}, directeur de la société {co}, certifie que {p} a été employé en qualité de "
               "technicien.|{p} nous quitte libre de tout engagement le {d}.|Pour faire valoir ce que de droit."),
           ("resignation", "Objet : résiliation de mon abonnement à la salle de sport",
               "{p}\n{addr}|{city}, le {d}|Madame, Monsieur,|Je vous informe par la présente de ma décision de résilier mon abonnement, conformément aux "
                   "conditions générales de vente.|Je vous prie d'agréer mes salutations distinguées."),
           ("diploma", "DIPLÔME DE MASTER", "Université de {city}|Le président de l'université confère à|{p}|le grade de master mention Génie civil, avec "
               "la mention Bien.|Délivré le {d} sous le numéro {n}."),
           ("club", "Association sportive Les Goélands – relevé de cotisations",
               "Adhérent : {p}|Saison en cours|Cotisation annuelle {amt}, réglée le {d}|Licence fédérale comprise. Le trésorier {p2}"),
           ("inventory", "ÉTAT DES LIEUX D'ENTRÉE", "Logement : {addr}|Date : {d}|Entrée : peinture bon état, sol carrelage, une rayure.|Cuisine : plaque "
               "de cuisson en état de marche, robinet à resserrer.|Séjour : parquet usé devant la fenêtre.|Compteur d'eau : index 00{n}.|Le bailleur {p2} "
                   "  Le locataire {p}"),
           ("lab", "Laboratoire d'analyses médicales – compte rendu", "Patient : {p}|Prélèvement du {d}|Hémoglobine 14,2 g/dL (13,0 – 17,0)|Glycémie à "
               "jeun 0,94 g/L (0,70 – 1,10)|Cholestérol total 2,01 g/L|Validé par {p2}, biologiste"),
           ("minutes", "PROCÈS-VERBAL d'assemblée générale de copropriété",
               "L'an en cours, le {d}, les copropriétaires de l'immeuble {addr} se sont réunis sur convocation du syndic.|Première résolution : "
                   "approbation des comptes, adoptée à l'unanimité.|Deuxième résolution : ravalement, budget voté {amt}.|La séance est levée à 20 h 15. "
                       "Présidente {p}")],
    "en": [("reference", "Landlord reference", "{d}|To whom it may concern|{p} has rented my flat at {addr} and has always paid the rent on time and kept "
        "the property in good order.|I would gladly let to them again.|{p2}"),
           ("ticket", "E-TICKET ITINERARY", "Passenger: {p}|Booking reference {n}|London Paddington 09:30 – Penzance 14:32, {d}|Coach C seat 41, Advance "
               "single, {amt}. Not valid on other services."),
           ("cv", "{p}", "{addr}|Profile: careful warehouse manager with nine years of experience in cold chain logistics.|Experience: shift lead, {co}, "
               "since {d}.|Education: BTEC National Diploma, {city} College.|Interests: fell running, brass band"),
           ("tenancy", "ASSURED SHORTHOLD TENANCY AGREEMENT", "This agreement is made on {d} between {p2} (the landlord) and {p} (the tenant).|The "
               "property: {addr}|Rent: {amt} per calendar month, payable in advance.|The tenant agrees not to assign or sublet. The landlord agrees to "
                   "keep the structure in repair."),
           ("doctor", "Riverside Surgery – appointment letter", "{d}|Dear {p},|Following your recent referral we have made an appointment for you at the "
               "physiotherapy clinic, ground floor.|Please bring a list of your medicines and comfortable clothing.|Practice secretary"),
           ("meter", "METER READING REPORT", "Site: {addr}|Engineer {p2}, visit of {d}|Gas meter serial {n}, reading taken with the customer present. No "
               "leak found, seal intact.|Next inspection due in two years."),
           ("offer", "Offer of employment", "{d}|Dear {p},|We are pleased to offer you the post of stock controller at {co}. Your starting salary will be "
               "{amt} per month.|Please sign and return one copy.|{p2}, HR adviser"),
           ("certificate", "CERTIFICATE OF ACHIEVEMENT", "This is to certify that|{p}|has completed the course Emergency First Aid at Work|{d}, "
               "certificate {n}|Assessor {p2}"),
           ("order", "PURCHASE ORDER {n}", "{co}|Please supply against this order, delivery to {addr} by {d}.|40 boxes archive folders A4, 12 toner "
               "cartridges. Estimated value {amt}.|Authorised by {p}. This is not a bill."),
           ("school_letter", "St Brendan's Primary School", "{d}|Dear parents,|The spring trip to the science museum takes place next month. Children "
               "need a packed lunch and a raincoat.|Consent forms to {p2} by Friday please. Cost per child {amt}.")],
    "de": [("lease_de", "Wohnungsgeberbestätigung", "Hiermit bestätige ich, {p2}, dass {p} am {d} in die Wohnung {addr} eingezogen ist.|Unterschrift des "
        "Wohnungsgebers")],
    "es": [("letter_es", "Carta de recomendación", "{city}, {d}|Por la presente recomiendo a {p}, que ha trabajado con nosotros en {co} con gran "
        "dedicación.|Atentamente, {p2}")]}


@design("OTHER", "fr", "FR", "FR", "BE", "CH", "CA")
@design("OTHER", "en", "GB", "IE", "US", "CAE", "GB")
@design("OTHER", "de", "DE")
@design("OTHER", "es", "ES")
def other(k, cc):
    lang = {"DE": "de", "ES": "es"}.get(cc, "en" if cc in ("GB", "IE", "US", "CAE") else "fr")
    p, p2, a, co = k.person(cc), k.person(cc), k.addr(cc), k.company(cc)
    name, title, text = k.choice(OTHERS[lang])
    iss = k.day()
    V = dict(p=p.full, p2=p2.full, addr=f"{a.street}, {a.line}", city=a.city, d=date(iss, "us" if cc == "US" else "long", lang), n=k.digits(5), co=co,
             amt={"GB": "£", "US": "$", "CAE": "$"}.get(cc, "") + money(k.randint(300, 1500) * 100, "en" if lang == "en" else "fr") + (" $" if cc == "CA"
                 else " €" if lang != "en" else ""))
    title, ps_ = title.format(**V), [t.format(**V) for t in text.split("|")]
    center = name in ("diploma", "certificate")
    v = k.choices(["tex", "typ", "chrome", "rl", "groff", "fp", "word", "spool"], [2, 2, 2, 2, 2, 1, .7, 1.2 if not center else 0])[0]
    if v == "tex":
        esc = lambda s: s.replace("$", "\\$").replace("&", "\\&").replace("\n", "\\\\")
        pdf = tex(k, "\\documentclass[11pt,a4paper]{article}\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{lmodern,textcomp}" +
            k.choice(["", "\\usepackage{charter}", "\\usepackage{mathptmx}"]) +
                  "\\usepackage[margin=25mm]{geometry}\\pagestyle{empty}\\setlength\\parindent{0pt}\\setlength\\parskip{4mm}\\begin{document}" +
                      ("\\begin{center}" if center else "") + "{\\Large\\textbf{" + esc(title) + "}}\n\n\\vspace{8mm}" +
                  "\n\n".join(map(esc, ps_)) + ("\\end{center}" if center else "") + "\\end{document}")
    elif v == "typ":
        pdf = typ(k, f'#set page("a4", margin: 24mm, flipped: {str(center).lower()})\n#set text(font: '
            f'"{k.choice(["Lato", "Carlito", "Liberation Serif", "Open Sans"])}", size: 11pt)\n#set par(leading: '
                f'8pt)\n#align({"center" if center else "left"})[#text(17pt, weight: "bold")[{title.replace("$", chr(92) + "$")}]\n\n' +
                  "\n\n".join(t.replace("$", "\\$").replace("\n", " \\ ") for t in ps_) + "]")
    elif v == "chrome":
        pdf = chrome(k, f"<style>@page{{size:A4{' landscape' if center else ''};margin:22mm}}body{{font:15px/1.7 "
            f"'{k.choice(['Roboto', 'Lato', 'C059', 'Liberation Serif'])}';"
                f"text-align:{'center' if center else 'left'}}}h1{{font-size:24px;color:{k.choice(['#111', '#234f8c', '#7a1f1f'])}}}</style><h1>{title}</h1>"
                    f"" + "".join(f"<p>{t}</p>" for t in ps_).replace("\n", "<br>"))
    elif v == "rl":
        c = Canvas(k, *((297, 210) if center else (210, 297)))
        f, fb = k.choice([("Times-Roman", "Times-Bold"), ("Helvetica", "Helvetica-Bold"), ("Courier", "Courier-Bold")])
        if center:
            c.box(8, 8, 281, 194, None, (.6, .5, .2), 3)
            for i, t in enumerate([title] + ps_):
                c.s(148, 50 + i * 20, t, 20 if i == 0 else 14, fb if i in (0, 2) else f, "c")
        else:
            c.s(20, 30, title, 14 if len(title) < 50 else 11, fb)
            y = 50
            for t in ps_:
                y = c.wrap(20, y, t, 168, 11, f, 1.45) + 4
        pdf = c.done()
    elif v == "groff":
        sub = lambda s: s.replace("£", "\\[Po]").replace("€", "\\[Eu]").replace("\n", "\n.br\n")
        pdf = groff(k, f".po 2.5c\n.ll 16c\n.ps 11\n.vs 15\n.nh\n.sp 2\n\\s+4\\fB{title}\\fP\\s0\n.sp 2\n" + "\n.sp\n".join(map(sub, ps_)) + "\n")
    elif v == "fp":
        q = fp(margin=20)
        q.set_font("dv", "B", 14)
        q.multi_cell(0, 9, k.t(title), new_x="LMARGIN", new_y="NEXT")
        q.set_font("dv", "", 10)
        for t in ps_:
            q.multi_cell(0, 6, k.t("\n" + t), new_x="LMARGIN", new_y="NEXT")
        pdf = bytes(q.output())
    elif v == "word":
        d = word(k.choice(["Carlito", "Liberation Serif"]), 11.5, 25)
        para(d, title, True, 1 if center else 0, 16, 14)
        for t in ps_:
            para(d, t, align=1 if center else 0, after=8)
        pdf = office(k, d)
    else:
        import textwrap
        L = [title.upper(), ""] + [w for t in ps_ for w in ([ln for part in t.split("\n") for ln in textwrap.wrap(part, 72)] + [""])]
        pdf = lineprinter(k, [L], "", 10.5, k.choice(["", "txt2pdf 7.1"]), left=50)
    pr = {"tex": "pdfTeX", "typ": "Typst", "chrome": "Skia/PDF", "rl": "ReportLab", "groff": "GPL Ghostscript", "fp": "fpdf2", "word": "LibreOffice",
        "spool": "host spool"}[v]
    x = Doc(k, "OTHER", lang, cc, f"{name}_{v}", pr, "prose", iss)
    x.spare = p.full
    return x.out(pdf, none=k.random() < .12)
