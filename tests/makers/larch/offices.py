"""Bank details, payslips, tax notices, company papers and insurance certificates."""
from papers import ttf
from people import *
from render import Doc, design, logo

GREEN, BLUE, RED, GREY = "#1c6b4a", "#1f3f7f", "#a3262a", "#555"


def holder(r, p):
    return r.choice([f"{p.title} {p.first} {p.last}", f"{p.last.upper()} {p.first}", f"{p.title} {p.last.upper()} {p.first.upper()}", p.full])


def bank_fields(a, name, who, shown_iban=None):
    return {"iban": (a.iban, shown_iban or a.spaced), "bic": (a.bic, a.bic), "accountHolder": (who, name)}


@design("BANK_DETAILS", "FR", "FR")
def rib_table(r):
    p, a = Person(r), Account(r)
    two = r.random() < .25
    name = f"M. OU MME {p.last.upper()} {p.first.upper()}" if two else holder(r, p)
    made, n = past(r, 5, 500), r.choice([1, 1, 3])
    br, col = r.choice(["LYON PART-DIEU", "VILLEURBANNE GRATTE-CIEL", "GRENOBLE VICTOR HUGO", "ANNEMASSE GARE"]), r.choice([(0, .3, .5), (.5, .05, .1), (.1,
        .4, .2), (0, 0, 0)])

    def draw(c):
        for k in range(n):
            y = 790 - k * 255
            c.setFillColorRGB(*col)
            c.setFont("Helvetica-Bold", 14)
            c.drawString(45, y, a.bank)
            c.setFillGray(0)
            c.setFont("Helvetica-Bold", 11)
            c.drawRightString(550, y, "RELEVÉ D'IDENTITÉ BANCAIRE")
            c.setFont("Helvetica", 7.5)
            c.drawString(45, y - 16, "Ce relevé est destiné à être remis, sur leur demande, à vos créanciers ou débiteurs appelés à faire inscrire")
            c.drawString(45, y - 25, "des opérations à votre compte (virements, paiements de quittances, etc.).")
            x = 45
            for t, v, w in [("Code banque", a.code, 75), ("Code guichet", a.branch, 75), ("Numéro de compte", a.account, 120), ("Clé RIB", a.key, 50),
                ("Domiciliation", br, 185)]:
                c.rect(x, y - 70, w, 34)
                c.setFont("Helvetica", 7)
                c.drawString(x + 4, y - 45, t)
                c.setFont("Courier-Bold", 10)
                c.drawString(x + 4, y - 62, v)
                x += w
            c.setFont("Helvetica", 8)
            c.drawString(45, y - 88, "IBAN (International Bank Account Number)")
            c.drawString(350, y - 88, "Code BIC (Bank Identifier Code) – SWIFT")
            c.setFont("Courier-Bold", 11)
            c.drawString(45, y - 103, a.spaced)
            c.drawString(350, y - 103, a.bic)
            c.setFont("Helvetica", 8)
            c.drawString(45, y - 124, "Titulaire du compte (Account Owner)")
            c.setFont("Helvetica-Bold", 10)
            c.drawString(45, y - 138, name)
            c.setFont("Helvetica", 9)
            c.drawString(45, y - 151, p.street.upper())
            c.drawString(45, y - 163, f"{p.pc} {p.city.upper()}")
            if n > 1 and k < 2:
                c.setDash(2, 4)
                c.line(20, y - 195, 575, y - 195)
                c.setDash()
    f = bank_fields(a, name, f"{p.last} {p.first}")
    return Doc("fr", "table", "reportlab", draw, made, f, iban=a.spaced, info={"Producer": r.choice(["PDFlib+PDI 7.0.3 (AIX)", "Docucorp 11.3",
        "Compart MFFPDF I/O Filter"])}, compress=r.choice([0, 1]))


@design("BANK_DETAILS", "FR", "FR")
def rib_web(r):
    p, a = Person(r), Account(r)
    made, name = past(r, 1, 120), p.full
    c = r.choice(["#6c2bd9", "#00806a", "#e4572e", "#122b4a"])
    src = f"""<style>@page{{size:A4;margin:0}}body{{margin:0;font-family:Lato;color:#222}}header{{background:{c};color:#fff;padding:26px
40px;font-size:20px;font-weight:bold}}main{{padding:34px 60px}}.k{{color:#888;font-size:12px;margin-top:18px}}.v{{font-size:17px}}
    .b{{border-radius:14px;background:#f5f5f8;padding:10px 26px 26px}}</style><header>{a.bank.split()[-1]} <span style="font-weight:normal;font-size:13px">–
banque en ligne</span></header><main><h2>Votre RIB</h2><div class=b>
    <div class=k>Bénéficiaire</div><div class=v>{name}</div><div class=k>Adresse</div><div class=v style="font-size:14px">{p.street}<br>{p.pc} {p.city},
France</div><div class=k>IBAN</div><div class=v>{a.spaced}</div><div class=k>BIC</div><div class=v>{a.bic}</div>
    <div style="display:flex;gap:40px"><div><div class=k>Banque</div>{a.code}</div><div><div class=k>Guichet</div>{a.branch}</div><div><div
class=k>Compte</div>{a.account}</div><div><div class=k>Clé</div>{a.key}</div></div></div>
    <p style="font-size:11px;color:#777">Document édité le {day(made)} depuis votre espace client. {a.bank}, établissement de crédit agréé par l'ACPR, RCS
Lyon {siren(r)}.</p></main>"""
    return Doc("fr", "under", "chromium", src, made, bank_fields(a, name, p.full), iban=a.spaced)


@design("BANK_DETAILS", "FR", "FR")
def rib_firm(r):
    """A firm's account, as its bank's branch confirms it in a letter."""
    f, a = firm(r), Account(r)
    made = past(r, 5, 300)

    def build(w):
        w.add_paragraph(a.bank).runs[0].bold = True
        w.add_paragraph(f"Agence Entreprises – {r0} \t\t\t Le {day(made, 'long')}")
        w.add_heading("Attestation de titularité de compte", 2)
        w.add_paragraph(f"Nous soussignés, {a.bank}, attestons que la société {f.name}, immatriculée sous le numéro {f.siren}, est titulaire dans nos "
            f"livres du compte courant professionnel dont les coordonnées sont les suivantes :")
        w.add_paragraph(f"IBAN : {a.spaced}")
        w.add_paragraph(f"BIC : {a.bic}")
        w.add_paragraph(f"Titulaire : {f.name}")
        w.add_paragraph("La présente attestation est délivrée à la demande de notre client pour servir et valoir ce que de droit, sans engagement de "
            "notre part.")
        w.add_paragraph("Le directeur d'agence")
    r0 = r.choice(["Lyon Confluence", "Annecy", "Chambéry"])
    return Doc("fr", "colon", "libreoffice", build, made, bank_fields(a, f.name, f.name), iban=a.spaced, font=r.choice(["Liberation Serif", "Carlito",
        "Open Sans"]), info={"Author": "Agence"})


@design("BANK_DETAILS", "CB", "CH")
def bank_chbe(r):
    cc = r.choice(["CH", "BE"])
    p, a = Person(r, cc), Account(r, cc)
    made = past(r, 5, 400)
    src = f"""#set page(paper: "a4", margin: (x: 25mm, y: 22mm), footer: text(size: 7pt, font: "Liberation Mono")[{a.bank} – Page 1/1])
#set text(font: "{r.choice(['Open Sans', 'Liberation Sans', 'Libertinus Serif'])}", size: 10.5pt)
#text(size: 15pt, weight: "bold", fill: rgb("#7a1420"))[{a.bank}] #v(14mm)
#h(95mm) {p.title.replace('M.', 'Monsieur').replace('Mme', 'Madame')} \\ #h(95mm) {p.full} \\ #h(95mm) {p.street} \\ #h(95mm) {p.pc} {p.city}
#v(12mm) {p.city}, le {day(made, 'long')} #v(5mm)
*{r.choice(['Attestation de relation bancaire', 'Vos coordonnées de paiement', "Relevé d'identité bancaire"])}* #v(3mm)
Nous confirmons que la relation suivante est ouverte dans nos livres :
#grid(columns: (48mm, 1fr), row-gutter: 3.5mm, [Titulaire], [{p.full}], [Genre de compte], [{'Compte privé CHF' if cc == 'CH' else 'Compte à vue EUR'}],
[IBAN], [{a.spaced}], [BIC / SWIFT], [{a.bic}], [{'Clearing (CB)' if cc == 'CH' else 'Agence'}], [{'00' + a.iban[6:9] if cc == 'CH' else p.city}])
#v(5mm) La présente est établie sans signature et à titre d'information."""
    d = Doc("fr", "table", "typst", src, made, bank_fields(a, p.full, p.full), iban=a.spaced)
    d.land = cc
    return d


@design("BANK_DETAILS", "EN", "GB")
def bank_uk(r):
    cc = r.choice(["GB", "GB", "IE"])
    p, a = Person(r, cc), Account(r, cc)
    made, name = past(r, 5, 300), holder(r, p)
    sc = "-".join(a.sort[i:i + 2] for i in (0, 2, 4))
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:20mm 24mm;@bottom-right{{content:"Page 1 of 1";font:7pt
'Liberation Mono'}}}}body{{font:10.5pt '{r.choice(["P052", "Open Sans", "Nimbus Sans"])}'}}table{{border-collapse:collapse;margin:5mm 0}}td{{padding:2mm 6mm 2mm
0}}</style>
    {logo(r, a.bank, r.choice([GREEN, BLUE, RED]))}<p>{name}<br>{p.street}<br>{p.city}<br>{p.pc}</p><p>{day(made, 'long', 'en')}</p><p><b>Confirmation of
your account details</b></p><p>Dear {p.title} {p.last},</p>
    <p>Thank you for getting in touch. As you asked, here are the details of your {r.choice(['current account', 'Classic account', 'Everyday account'])},
which you can give to anyone who needs to pay you.</p>
    <table><tr><td>Account name<td>{name}<tr><td>Sort code<td>{sc}<tr><td>Account
number<td>{a.account}<tr><td>IBAN<td>{a.spaced}<tr><td>BIC<td>{a.bic}</table>
    <p>Never share your PIN or online banking passcode. If you have any questions, call us on 0345 {digits(r, 3)} {digits(r, 4)}.</p><p>Yours sincerely</p><p
style="font:18pt Z003">{p.last[0]}. Whitworth</p><p>Customer Services</p>
    <p style="font-size:7pt;color:#666">{a.bank} is authorised by the Prudential Regulation Authority and regulated by the Financial Conduct Authority.</p>"""
    d = Doc("en", "table", "weasyprint", src, made, bank_fields(a, name, p.full), iban=a.spaced, dated=r.random() < .5)
    d.land = cc
    return d


@design("BANK_DETAILS", "EN", "US")
def bank_us(r):
    """Americans have no IBAN: routing and account number, SWIFT for wires."""
    p = Person(r, "US")
    made, bic = past(r, 5, 200), "SHHB" + "US" + "33"
    rt = r.choice(["0110", "2113", "0113"]) + digits(r, 4)
    rt += str(-sum(int(c) * w for c, w in zip(rt, (3, 7, 1, 3, 7, 1, 3, 7))) % 10)
    rows = [("Account title", p.full), ("Type of account", "Personal checking"), ("ABA routing number (direct deposit)", rt), ("Account number", digits(r,
        10)), ("SWIFT/BIC (incoming international wires)", bic), ("Opened", day(past(r, 900, 4000), "m/d/y"))]

    def build(q):
        q.add_page()
        q.set_font("times", "B", 17)
        q.cell(0, 10, "Shawmut Harbor Bank", new_x="LMARGIN", new_y="NEXT")
        q.set_font("times", "", 11)
        q.multi_cell(0, 6, f"Member FDIC\n\n{day(made, 'us', 'en')}\n\n{p.full}\n{p.street}\n{p.city}, MA {p.pc}\n\nRe: Direct deposit and wire "
            f"information\n\nTo whom it may concern:\nThis letter verifies that the customer named above maintains the following deposit account with us.\n")
        for a, b in rows:
            q.set_font("times", "", 11)
            q.cell(85, 8, a, border="B")
            q.set_font("times", "B", 11)
            q.cell(80, 8, b, border="B", new_x="LMARGIN", new_y="NEXT")
        q.set_font("times", "", 11)
        q.multi_cell(0, 6, "\nThis letter is not a guarantee of funds.\n\nSincerely,\nBranch Operations")
    return Doc("en", "table", "fpdf2", build, made, {"bic": (bic, bic), "accountHolder": (p.full, p.full)}, page="letter")


# ------------------------------------------------------------------ payslips
def pay_fr(r):
    gross = r.randint(1802, 5200) * 100 + r.randint(0, 99)
    prime = r.choice([0, 0, 15000, 8050])
    tot = gross + prime
    lines = [("Sécurité sociale – Maladie Maternité", tot, 0, 0), ("Sécurité sociale plafonnée", tot, 690, 855), ("Sécurité sociale déplafonnée", tot, 40,
        202), ("Complémentaire tranche 1", tot, 401, 601),
             ("Assurance chômage", tot, 0, 400), ("CSG déductible de l'impôt", int(tot * .9825), 680, 0), ("CSG/CRDS non déductible", int(tot * .9825), 290,
                 0)]
    out = [(n, b, t, round(b * t / 10000), te, round(b * te / 10000)) for n, b, t, te in lines]
    mut = r.choice([1890, 2450, 3120])
    out.append(("Complémentaire santé (mutuelle)", 0, 0, mut, 0, mut))
    ret = sum(x[3] for x in out)
    before = tot - ret
    rate = r.choice([0, 210, 350, 480, 760, 1190])
    pas = round(before * rate / 10000)
    tr = r.choice([0, 0, 3750])
    return gross, prime, tot, out, ret, before, rate, pas, tr, before - pas + tr


def month_of(r):
    d = past(r, 20, 300)
    a = d.replace(day=1)
    b = (a + dt.timedelta(days=32)).replace(day=1) - dt.timedelta(days=1)
    return a, b


@design("PAYSLIP", "FR", "FR")
def bulletin_dense(r):
    p, f = Person(r, lo=32), firm(r)
    g, prime, tot, out, ret, before, rate, pas, tr, net = pay_fr(r)
    a, b = month_of(r)
    hire, (nb, key) = past(r, 200, 4500, a), nir(r, p)
    job, net_at = r.choice(["Assistante administrative", "Technicien de maintenance", "Chef d'équipe", "Vendeur", "Comptable",
        "Aide-soignante"]), r.choice(["NET À PAYER", "NET PAYE", "NET A PAYER AU SALARIE (en euros)"])
    mono = r.random() < .4

    def draw(c):
        F, B = ("Courier", "Courier-Bold") if mono else ("Helvetica", "Helvetica-Bold")
        c.setFont(B, 13)
        c.drawCentredString(300, 805, "BULLETIN DE PAIE")
        c.setFont(F, 8.5)
        for i, s in enumerate([f.name, f.street, f"{f.pc} {f.city}", f"SIRET : {f.siret}   APE : 4321A",
            f"URSSAF Rhône-Alpes   Convention collective : {r0}"]):
            c.drawString(35, 785 - 11 * i, s)
        c.drawRightString(560, 785, f"Période du {day(a)} au {day(b)}")
        c.drawRightString(560, 774, f"Paiement le {day(b)} par virement")
        c.rect(310, 665, 250, 62)
        for i, s in enumerate([f"{p.title} {p.last.upper()} {p.first}", p.street, f"{p.pc} {p.city.upper()}"]):
            c.drawString(322, 708 - 13 * i, s)
        for i, s in enumerate([f"Matricule : {mat}", f"N° SS : {nb} {key}", f"Emploi : {job}", f"Entrée le : {day(hire)}"]):
            c.drawString(35, 715 - 12 * i, s)
        y = 645
        c.setFillGray(.85)
        c.rect(35, y - 4, 525, 14, stroke=0, fill=1)
        c.setFillGray(0)
        c.setFont(B, 7.5)
        for x, s in [(38, "Rubrique"), (235, "Base"), (290, "Taux sal."), (340, "Gain"), (395, "Retenue"), (450, "Taux pat."), (505, "Part pat.")]:
            c.drawString(x, y, s)
        c.setFont(F, 7.5)

        def row(n, *v):
            nonlocal y
            y -= 13
            c.drawString(38, y, n)
            for x, s in zip((275, 325, 385, 440, 495, 556), v):
                c.drawRightString(x, y, s)
        row("Salaire de base 151,67 h", "151,67", money(round(g / 151.67)), money(g))
        if prime:
            row("Prime exceptionnelle", "", "", money(prime))
        c.setFont(B, 7.5)
        row("SALAIRE BRUT", "", "", money(tot))
        c.setFont(F, 7.5)
        for n, bs, t, m, te, me in out:
            row(n, money(bs) if bs else "", money(t) if t else "", "", money(m) if m else "", money(te) if te else "", money(me) if me else "")
        c.setFont(B, 7.5)
        row("TOTAL DES RETENUES", "", "", "", money(ret), "", money(sum(x[5] for x in out)))
        row("NET À PAYER AVANT IMPÔT SUR LE REVENU", "", "", money(before))
        c.setFont(F, 7.5)
        row("Impôt sur le revenu prélevé à la source", money(before), money(rate), "", money(pas))
        if tr:
            row("Remboursement transport", "", "", money(tr))
        c.rect(290, y - 50, 270, 30)
        c.setFont(B, 8 if mono else 9)
        c.drawString(296, y - 40, net_at)
        c.drawRightString(552, y - 40, money(net))
        c.setFont(F, 7)
        c.drawString(35, y - 75, "Dans votre intérêt et pour vous aider à faire valoir vos droits, conservez ce bulletin de paie sans limitation de durée.")
        c.drawString(35, y - 86, f"Congés payés : acquis {cp},00  pris 2,00  solde {cp - 2},00   –   Cumul brut {money(tot * a.month)}")
    r0, mat, cp = r.choice(["Métallurgie", "Bâtiment ETAM", "Commerce de détail"]), digits(r, 5), r.randint(6, 25)
    fl = {"lastName": (p.last, p.last.upper()), "firstName": (p.first, p.first), "netAmount": (net, money(net)), "postCode": (p.pc, p.pc), "city": (p.city,
        p.city.upper())}
    return Doc("fr", "table", "reportlab", draw, b, fl, sums=[([tot, -ret, -pas, tr], net)], total=[money(net), money(ret)], order=[(hire, a, day,
        "paid before the hiring")], compress=r.choice([0, 1]),
               info={"Producer": r.choice(["Sage Paie 100", "PDF-XChange 4.0 (Windows Seven)", "EBP Paye", "Cegid Quadra"]), "Author": ""})


@design("PAYSLIP", "FR", "FR")
def bulletin_clear(r):
    p, f = Person(r, lo=32), firm(r)
    g, prime, tot, out, ret, before, rate, pas, tr, net = pay_fr(r)
    a, b = month_of(r)
    nb, key = nir(r, p)
    hire, c = past(r, 200, 3500, a), r.choice([BLUE, GREEN, "#7a3b8f", "#333"])
    heads = {0: "Santé", 1: "Retraite", 4: "Chômage", 5: "CSG / CRDS", 7: "Complémentaire"}
    body = ""
    for i, (n, bs, t, m, te, me) in enumerate(out):
        cells = [money(bs) if bs else "", money(t) + " %" if t else "", money(m) if m else "", money(me) if me else ""]
        body += (f"<tr class=h><td colspan=5>{heads[i]}" if i in heads else "") + f"<tr><td>{n}" + "".join(f"<td>{v}" for v in cells)
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:12mm}}body{{font:8.4pt
'{r.choice(["Lato", "Roboto", "Open Sans",
"Liberation Sans"])}'}}h1{{color:{c};font-size:15pt;margin:0}}.r{{display:flex;justify-content:space-between}}
table{{width:100%;border-collapse:collapse;margin-top:4mm}}
    td{{padding:.9mm 1.5mm}}td+td{{text-align:right}}.h td{{font-weight:bold;color:{c};border-top:.5pt solid
{c}}}.n{{background:{c};color:#fff;font-size:12pt;padding:3mm;margin-top:4mm;display:flex;justify-content:space-between}}</style>
    <div class=r><div>{logo(r, f.brand, c)}<br>{f.name}<br>{f.street}<br>{f.pc} {f.city}<br>Siret {f.siret} – NAF 6201Z</div><div><h1>Bulletin de
salaire</h1>{MONTHS['fr'][a.month - 1].capitalize()} {a.year}<br>du {day(a)} au {day(b)}<br><br><b>{p.title} {p.first} {p.last}</b><br>{p.street}<br>{p.pc}
{p.city}</div></div>
    <p>N° de sécurité sociale {nb} {key} · Date d'entrée {day(hire)} · Emploi
{r.choice(['Développeuse', 'Ingénieur qualité', 'Chargé de clientèle', 'Cuisinier'])} · Statut {r.choice(['Cadre', 'Employé'])} · Coefficient
{r.randint(120, 400)}</p>
    <table><tr class=h><td>Rémunération<td>Base<td>Taux<td>Part salarié<td>Part employeur<tr><td>Salaire mensuel<td>151,67
h<td><td>{money(g)}<td>{f"<tr><td>Prime<td><td><td>{money(prime)}<td>" if prime else ""}<tr class=h><td>Rémunération brute<td><td><td>{money(tot)}<td>{body}
    <tr class=h><td>Total des cotisations et contributions<td><td><td>{money(ret)}<td>{money(sum(x[5] for x in out))}<tr class=h><td>Net à payer avant impôt
sur le revenu<td><td><td>{money(before)}<td>
    <tr><td>Impôt sur le revenu – prélèvement à la source – taux {"personnalisé" if rate else "non imposable"} {money(rate)}
%<td>{money(before)}<td><td>{money(pas)}<td>{f"<tr><td>Frais de transport (non soumis)<td><td><td>{money(tr)}<td>" if tr else ""}</table>
    <div class=n><span>Net payé le {day(b)}</span><span>{money(net)} €</span></div><p style="font-size:6.5pt">Pour la définition des termes employés, se
reporter au site www.service-public.fr rubrique cotisations sociales. Bulletin à conserver sans limitation de durée.</p>"""
    fl = {"lastName": (p.last, p.last), "firstName": (p.first, p.first), "netAmount": (net, money(net)), "postCode": (p.pc, p.pc), "city": (p.city, p.city)}
    return Doc("fr", "table", r.choice(["weasyprint", "chromium"]), src, b, fl, sums=[([tot, -ret, -pas, tr], net)], total=[money(net), money(before)],
        order=[(hire, a, day, "paid before the hiring")], dated=r.random() < .6)


@design("PAYSLIP", "FR", "FR")
def bulletin_word(r):
    """A small employer's own sheet; the employee is named in a sentence, no address."""
    p = Person(r)
    boss = Person(r)
    h, rate = r.randint(30, 90), r.randint(1250, 1600)
    g = h * rate
    cot, cp = round(g * .2188), round(g * .1)
    net = g + cp - cot
    a, b = month_of(r)

    def build(w):
        w.add_heading("Bulletin de salaire – emploi à domicile", 1)
        w.add_paragraph(f"Employeur : {boss.title} {boss.last}, {boss.street}, {boss.pc} {boss.city}")
        w.add_paragraph(f"Salarié : {p.title} {p.first} {p.last}")
        w.add_paragraph(f"Période d'emploi : du {day(a, 'long')} au {day(b, 'long')}")
        tb = w.add_table(0, 2)
        tb.style = "Table Grid"
        for x, y in [("Nombre d'heures", f"{h},00"), ("Salaire horaire brut", money(rate) + " €"), ("Salaire brut", money(g) + " €"), ("Congés payés 10 %",
            money(cp) + " €"), ("Cotisations salariales", "- " + money(cot) + " €"), ("Salaire net versé", money(net) + " €")]:
            c = tb.add_row().cells
            c[0].text, c[1].text = x, y
        w.add_paragraph(f"\nPayé par virement le {day(b)}. Caractéristiques de l'emploi : {r0}, Convention collective des particuliers employeurs.")
    r0 = r.choice(["garde d'enfants", "ménage et repassage", "aide aux personnes âgées"])
    return Doc("fr", "table", "libreoffice", build, b, {"lastName": (p.last, p.last), "firstName": (p.first, p.first), "netAmount": (net, money(net))},
        sums=[([g, cp, -cot], net)], total=[money(net)],
               order=[(a, b, lambda d: day(d, "long"), "period ends before it begins")])


@design("PAYSLIP", "CB", "CH")
def salaire_ch(r):
    p, f = Person(r, "CH"), firm(r, "CH")
    g = r.randint(4200, 9800) * 100
    al = r.choice([0, 31100, 62200])
    ded = [("AVS / AI / APG", "5.300 %", round(g * .053)), ("Assurance chômage", "1.100 %", round(g * .011)), ("Assurance maternité GE", "0.029 %",
        round(g * .00029)), ("LAA non professionnelle", "1.210 %", round(g * .0121)), ("LPP – prévoyance professionnelle", "", round(g * .07))]
    src_tax = r.choice([0, round(g * .092)])
    if src_tax:
        ded.append(("Impôt à la source", "9.200 %", src_tax))
    net = g + al - sum(x[2] for x in ded)
    a, b = month_of(r)
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:18mm}}body{{font:10pt
'{r.choice(["Nimbus Sans", "Carlito", "Lato"])}'}}table{{width:100%;border-collapse:collapse}}td{{padding:1.2mm}}td+td{{text-align:right}}.t
td{{border-top:1px solid #000;font-weight:bold}}</style>
    <p>{f.name}<br>{f.street}<br>{f.pc} {f.city}</p><p
style="margin-left:95mm">{p.title.replace('M.', 'Monsieur').replace('Mme', 'Madame')}<br>{p.full}<br>{p.street}<br>{p.pc} {p.city}</p><p>{f.city}, le
{day(b, 'd.m.y')}</p><h3>Décompte de salaire {MONTHS['fr'][a.month - 1]} {a.year}</h3>
    <p>N° AVS {ahv(r)} &nbsp; Taux d'activité {r.choice([80, 100])} %</p><table><tr><td>Libellé<td>Taux<td>Montant CHF<tr><td>Salaire
mensuel<td><td>{money(g, 'ch')}{f"<tr><td>Allocations familiales<td><td>{money(al, 'ch')}" if al else ""}<tr class=t><td>Salaire
brut<td><td>{money(g + al, 'ch')}
    {"".join(f"<tr><td>{n}<td>{t}<td>-{money(v, 'ch')}" for n, t, v in ded)}<tr class=t><td>Total des
déductions<td><td>-{money(sum(x[2] for x in ded), 'ch')}<tr class=t><td>Salaire net versé<td>CHF<td>{money(net, 'ch')}</table><p>Versement sur votre compte
{Account(r, 'CH').spaced}.</p>"""
    return Doc("fr", "table", "weasyprint", src, b, {"lastName": (p.last, p.last), "firstName": (p.first, p.first), "netAmount": (net, money(net, "ch")),
        "postCode": (p.pc, p.pc), "city": (p.city, p.city)}, total=[money(net, "ch")],
               sums=[([g, al] + [-x[2] for x in ded], net)], info={"Producer": r.choice(["Crésus Salaires 13", "Abacus Research AG", "WEBprint"])})


@design("PAYSLIP", "EN", "GB")
def payslip_uk(r):
    p, f = Person(r, "GB"), firm(r, "GB")
    g = r.randint(1900, 4600) * 100 + r.randint(0, 99)
    ot, pen = r.choice([0, 12650, 8800]), 0
    tot = g + ot
    tax, ni, pen = max(0, round((tot - 104750) * .2)), max(0, round((tot - 104800) * .08)), round(tot * .05)
    net = tot - tax - ni - pen
    a, b = month_of(r)
    nino = f"{letters(r, 2, 'JSWPN')} {digits(r, 2)} {digits(r, 2)} {digits(r, 2)} {r.choice('ABCD')}"
    col = r.choice([(.75, .85, .95), (.9, .88, .8), (.85, .93, .85)])
    emp, addr = digits(r, 4), r.random() < .7

    def draw(c):
        c.setFillColorRGB(*col)
        c.rect(30, 560, 535, 250, fill=1, stroke=0)
        c.setFillGray(1)
        for x, y, w, h in [(38, 770, 120, 28), (165, 770, 250, 28), (422, 770, 135, 28), (38, 640, 260, 108), (305, 640, 252, 108), (38, 568, 330, 62), (375,
            568, 182, 62)]:
            c.rect(x, y, w, h, fill=1, stroke=0)
        c.setFillGray(0)
        for x, y, s in [(40, 800, "Employee No."), (167, 800, "Employee Name"), (424, 800, "Process Date"), (40, 752, "Payments      Hours    Rate      "
            "Amount"), (307, 752, "Deductions                Amount")]:
            c.setFont("Helvetica", 7)
            c.drawString(x, y, s)
        c.setFont("Helvetica-Bold", 9.5)
        c.drawString(44, 780, emp)
        c.drawString(171, 780, f"{p.title} {p.first} {p.last}")
        c.drawString(428, 780, day(b))
        c.setFont("Helvetica", 9)
        rows = [("Salary", g)] + ([("Overtime", ot)] if ot else [])
        for i, (n, v) in enumerate(rows):
            c.drawString(44, 732 - 13 * i, n)
            c.drawRightString(290, 732 - 13 * i, money(v, "en"))
        for i, (n, v) in enumerate([("PAYE Tax", tax), ("National Insurance", ni), ("Pension (auto-enrolment)", pen)]):
            c.drawString(311, 732 - 13 * i, n)
            c.drawRightString(550, 732 - 13 * i, money(v, "en"))
        c.setFont("Helvetica", 8.5)
        for i, s in enumerate([p.full] + ([p.street, p.city, p.pc] if addr else ["Payment method: BACS"])):
            c.drawString(44, 618 - 12 * i, s)
        c.drawString(200, 618, f"Tax code 1257L   Period {a.month}")
        c.drawString(200, 606, f"NI No. {nino}")
        c.drawString(200, 594, f"Total gross pay {money(tot, 'en')}")
        c.setFont("Helvetica-Bold", 12)
        c.drawString(385, 600, "Net Pay")
        c.drawRightString(550, 600, "£" + money(net, "en"))
        c.setFont("Helvetica", 7)
        c.drawString(38, 548, f"{f.name}   PAYE ref {pref}")
    pref = f"{digits(r, 3)}/{letters(r, 2)}{digits(r, 5)}"
    fl = {"lastName": (p.last, p.last), "firstName": (p.first, p.first), "netAmount": (net, money(net, "en"))}
    if addr:
        fl.update(postCode=(p.pc, p.pc), city=(p.city, p.city))
    return Doc("en", "under", "reportlab", draw, b, fl, sums=[([tot, -tax, -ni, -pen], net)], total=[money(net, "en")],
        info={"Producer": r.choice(["Sage 50 Payroll", "Crystal Reports", "BrightPay"]), "Title": "Payslip"})


@design("PAYSLIP", "EN", "US")
def payslip_us(r):
    p, f = Person(r, "US"), firm(r, "US")
    hrs, rate = r.choice([80, 80, 76]), r.randint(1900, 5600)
    g = hrs * rate
    ded = [("Federal Income Tax", round(g * .094)), ("Social Security Tax", round(g * .062)), ("Medicare Tax", round(g * .0145)), ("MA State Income Tax",
        round(g * .05)), ("MA PFML", round(g * .0046))]
    oth = [("Medical pre-tax", r.choice([6210, 8845])), ("401(k)", round(g * r.choice([.03, .05])))]
    net = g - sum(v for _, v in ded + oth)
    end = past(r, 10, 250)
    n = r.randint(3, 20)
    row = lambda k, v: f"<tr><td>{k}<td>{money(v, 'en')}<td>{money(v * n, 'en')}"
    src = f"""<style>@page{{size:Letter;margin:.5in}}body{{font:12px
'{r.choice(["Liberation Sans", "Open Sans",
"Roboto"])}'}}.t{{display:flex;justify-content:space-between}}table{{border-collapse:collapse;width:100%}}td,th{{padding:3px 8px;border-bottom:1px dotted
#999;text-align:right}}td:first-child,th:first-child{{text-align:left}}
    h2{{letter-spacing:2px}}.c{{border:1px solid #333;margin-top:60px;padding:16px}}</style><div class=t><div><b>{f.name}</b><br>{f.street}<br>{f.city}, MA
{f.pc}</div><h2>Earnings Statement</h2></div><div class=t><div>Period Beginning: {day(end - dt.timedelta(days=13), 'm/d/y')}<br>Period Ending:
{day(end, 'm/d/y')}<br>
    Pay Date: {day(end + dt.timedelta(days=5), 'm/d/y')}<br>Filing status: Single</div><div><b>{p.first.upper()}
{p.last.upper()}</b><br>{p.street.upper()}<br>{p.city.upper()} MA {p.pc}</div></div><br>
    <table><tr><th>Earnings<th>this period<th>year to date><tr><td>Regular &nbsp; {money(rate, 'en')} ×
{hrs}.00<td>{money(g, 'en')}<td>{money(g * n, 'en')}<tr><td><b>Gross Pay</b><td><b>${money(g, 'en')}</b><td>{money(g * n, 'en')}<tr><th>Deductions —
Statutory<th><th>{"".join(row(*x) for x in ded)}
    <tr><th>Deductions — Other<th><th>{"".join(row(*x) for x in oth)}<tr><td><b>Net Pay</b><td><b>${money(net, 'en')}</b><td></table><div class=c>Advice
number: {digits(r, 8)} &nbsp; Deposited to the account of <b>{p.full}</b> &nbsp; account xxxxxx{digits(r, 4)} &nbsp; <b>${money(net, 'en')}</b><br><br>THIS
IS NOT A CHECK &nbsp; NON-NEGOTIABLE</div>""".replace("year to date>", "year to date")
    fl = {"lastName": (p.last, p.last), "firstName": (p.first, p.first), "netAmount": (net, money(net, "en")), "postCode": (p.pc, p.pc), "city": (p.city,
        p.city.upper())}
    return Doc("en", "table", "chromium", src, end + dt.timedelta(days=3), fl, sums=[([g] + [-v for _, v in ded + oth], net)], total=[money(net, "en")],
        page="letter",
               order=[(end - dt.timedelta(days=13), end, lambda d: day(d, "m/d/y"), "period ends before it begins")])


@design("PAYSLIP", "EN", "IE")
def payslip_typst(r):
    cc = r.choice(["IE", "GB"])
    p, f = Person(r, cc), firm(r, cc)
    cur = "€" if cc == "IE" else "£"
    g = r.randint(2300, 5600) * 100
    d = [("PAYE", round(g * .13)), ("PRSI" if cc == "IE" else "National Insurance", round(g * .041)), ("USC" if cc == "IE" else "Student loan",
        round(g * .022)), ("Bike to work scheme", r.choice([0, 4500]))]
    d = [x for x in d if x[1]]
    net = g - sum(v for _, v in d)
    a, b = month_of(r)
    rows = "".join(f"[{n}], [{money(v, 'en')}], " for n, v in d)
    src = f"""#set page(paper: "a4", margin: 20mm)
#set text(font: "{r.choice(['Roboto', 'Lato', 'Liberation Sans'])}", size: 10pt)
#text(size: 16pt)[{f.name}] #h(1fr) #text(size: 13pt, fill: rgb("#1c6b4a"))[PAYSLIP] #line(length: 100%)
#grid(columns: (1fr, 1fr), [*{p.first} {p.last}* \\ {p.street} \\ {p.city} {p.pc}], [Pay period: {day(a, 'long', 'en')} to {day(b, 'long', 'en')} \\ Paid:
{day(b, 'long', 'en')} \\ {'PPSN ' + digits(r, 7) + letters(r, 2) if cc == 'IE' else 'NI category A'}])
#v(6mm)
#table(columns: (1fr, 35mm), align: (left, right), stroke: none, fill: (x, y) => if calc.odd(y) {{ luma(240) }}, [*Pay*], [], [Basic salary],
[{money(g, 'en')}], [*Gross*], [*{money(g, 'en')}*], [*Deductions*], [], {rows} [*Total deductions*], [*{money(g - net, 'en')}*])
#v(4mm) #align(right)[#box(stroke: 1pt, inset: 8pt)[#text(size: 14pt)[Take-home pay {cur}{money(net, 'en')}]]]"""
    dd = Doc("en", "table", "typst", src, b, {"lastName": (p.last, p.last), "firstName": (p.first, p.first), "netAmount": (net, money(net, "en")),
        "postCode": (p.pc, p.pc), "city": (p.city, p.city)}, sums=[([g] + [-v for _, v in d], net)],
             total=[money(net, "en")], order=[(a, b, lambda x: day(x, "long", "en"), "period ends before it begins")])
    dd.land = cc
    return dd


# ------------------------------------------------------------------ tax notices
def person_fields(p, up=False):
    u = str.upper if up else str
    return {"lastName": (p.last, u(p.last)), "firstName": (p.first, u(p.first)), "address": (p.street, u(p.street)), "postCode": (p.pc, p.pc),
        "city": (p.city, u(p.city))}


@design("TAX_NOTICE", "FR", "FR")
def avis_revenus(r):
    p = Person(r, lo=25)
    y = r.choice([2026, 2026, 2025])
    made = dt.date(y, r.choice([7, 8]), r.randint(20, 31))
    w = r.randint(19, 68) * 1000 + r.randint(0, 999)
    ab = round(w * .1)
    rfr = w - ab
    tax = max(0, round((rfr - 11497) * .11)) + (round((rfr - 29315) * .19) if rfr > 29315 else 0)
    pas = tax - r.randint(-900, 900) if tax > 1200 else tax
    rest = tax - pas
    ref, fisc = f"{y % 100} {p.pc[:2]} {digits(r, 7)} {digits(r, 2)}", f"{digits(r, 2)} {digits(r, 2)} {digits(r, 3)} {digits(r, 3)} {digits(r, 3)}"
    eur = lambda v: money(v * 100).replace(",00", "") + " €"
    end = f"Montant qui vous sera remboursé : {eur(-rest)}" if rest < 0 else f"Montant restant à payer : {eur(rest)}"
    L = [("Salaires, pensions, rentes", w), ("Déduction 10 % ou frais réels", -ab), ("Revenu brut global", rfr), ("Revenu imposable", rfr), ("Impôt sur "
        "le revenu net", tax), ("Prélèvement à la source déjà payé", -pas)]
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:14mm 16mm;@bottom-center{{content:"page " counter(page) " / " counter(pages);font:7pt
'Liberation Serif'}}}}body{{font:9.3pt 'Liberation Sans'}}.a{{display:flex;justify-content:space-between}}.b{{border:1.2pt solid
#00008f;padding:3mm;margin:4mm 0}}
    td{{padding:1.1mm 2mm}}td+td{{text-align:right}}table{{width:100%;border-collapse:collapse}}h1{{font-size:14pt;color:#00008f}}</style><div
class=a><div><b>RÉPUBLIQUE FRANÇAISE</b><br>DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES<br>SIP {p.city.upper()}<br>{place(r, 'FR')[0]}</div>
    <div><br><br>{p.title.replace('M.', 'M').replace('Mme', 'MME')} {p.last.upper()} {p.first.upper()}<br>{p.street.upper()}<br>{p.pc}
{p.city.upper()}</div></div><h1>Avis d'impôt {y} – Impôt sur les revenus de l'année {y - 1}</h1>
    <div class=a><div>Vos références<br>Numéro fiscal : {fisc}<br>Référence de l'avis : {ref}<br>Numéro FIP : {p.pc[:2]}0 {digits(r, 2)}
{digits(r, 6)}<br>Date d'établissement : {day(made)}<br>Mise en recouvrement : {day(dt.date(y, 7, 31))}</div><div class=b
style="font-size:12pt"><b>{end}</b><br><span style="font-size:9pt">Revenu fiscal de référence : {eur(rfr)}
    <br>Nombre de parts :
{r.choice(['1,00', '1,50', '2,00'])}</span></div></div><table>{"".join(f"<tr><td>{a}<td>{('- ' + eur(-b)) if b < 0 else eur(b)}" for a, b in L)}</table>
    <p>{'Ce montant sera prélevé sur votre compte bancaire le ' + day(dt.date(y, 9, 25)) if rest > 0 else 'Le virement sera effectué le ' + day(dt.date(y, 8,
1)) if rest < 0 else 'Vous n’avez rien à payer.'}.</p><p style="font-size:7.5pt">Vous pouvez vérifier l'authenticité de cet avis sur impots.gouv.fr/verifavis.
    {'' if r.random() < .5 else 'Décomposition du taux de prélèvement : foyer ' + str(r.randint(1, 15)) + ',' + str(r.randint(0, 9)) + ' %.'}</p>"""
    f = person_fields(p, True)
    f["documentNumber"] = (ref, ref)
    if rest > 0:
        f["totalAmount"] = (rest * 100, eur(rest)[:-2])
    return Doc("fr", "colon", r.choice(["weasyprint", "chromium"]), src, made, f, sums=[([w, -ab], rfr), ([tax, -pas], rest)],
        total=[eur(abs(rest))] if rest else [], info={"Producer": "Apache FOP Version 2.6"})


@design("TAX_NOTICE", "FR", "FR")
def taxe_fonciere(r):
    p = Person(r, lo=28)
    y = r.choice([2025, 2026, 2026])
    baseval = r.randint(900, 4200)
    parts = [("Commune", 4.1 + r.randint(200, 420) / 10), ("Intercommunalité", r.randint(10, 90) / 10), ("Taxe GEMAPI", .3), ("Taxe spéciale d'équipement",
        .2)]
    val = [round(baseval * t / 100) for _, t in parts]
    om = round(baseval * .089)
    fee = round((sum(val) + om) * .03)
    tot = sum(val) + om + fee
    ref, made = f"{y % 100} {p.pc[:2]} {digits(r, 7)} {digits(r, 2)}", dt.date(y, 8, r.randint(10, 28))
    due = dt.date(y, 10, 15)

    def draw(c):
        c.setFont("Helvetica-Bold", 15)
        c.drawString(40, 790, f"TAXES FONCIÈRES {y}")
        c.setFont("Helvetica", 9)
        c.drawString(40, 775, "votées et perçues par la commune, l'intercommunalité et divers organismes")
        for i, s in enumerate([f"N° fiscal : {nf}", f"Référence de l'avis : {ref}", f"Débiteur(s) légal(aux) : {p.last.upper()} {p.first.upper()}",
            f"Date d'établissement : {day(made)}", "Département : RHÔNE"]):
            c.drawString(40, 740 - 13 * i, s)
        for i, s in enumerate([f"{p.last.upper()} {p.first.upper()}", p.street.upper(), f"{p.pc} {p.city.upper()}"]):
            c.drawString(330, 710 - 13 * i, s)
        c.setFillColorRGB(.9, .93, 1)
        c.rect(330, 600, 220, 52, fill=1)
        c.setFillGray(0)
        c.setFont("Helvetica-Bold", 11)
        c.drawString(340, 632, f"Montant de votre impôt : {tot} €")
        c.setFont("Helvetica", 9)
        c.drawString(340, 612, f"à payer au plus tard le {day(due)}")
        y0 = 570
        for a, b, v in [("Base nette", "", baseval)] + [(n, f"{t:.2f} %".replace(".", ","), v) for (n, t), v in zip(parts, val)] + [("Ordures ménagères",
            "8,90 %", om), ("Frais de gestion", "3,00 %", fee), ("Montant total à payer", "", tot)]:
            c.line(40, y0 - 4, 550, y0 - 4)
            c.drawString(44, y0, a)
            c.drawRightString(400, y0, b)
            c.drawRightString(540, y0, f"{v} €" if a != "Base nette" else str(v))
            y0 -= 17
        c.setFont("Times-Italic", 8)
        c.drawString(40, y0 - 20, "Vous pouvez payer en ligne, par smartphone, ou adhérer au prélèvement automatique. Service de gestion comptable – "
            "horaires sur impots.gouv.fr")
    nf = f"{digits(r, 13)}"
    f = person_fields(p, True)
    f.update(documentNumber=(ref, ref), totalAmount=(tot * 100, str(tot)))
    return Doc("fr", "colon", "reportlab", draw, made, f, sums=[(val + [om, fee], tot)], total=[f"{tot} €"], order=[(made, due, day, "to be paid before "
        "it was made")], info={"Producer": "Adobe PDF Library 10.0.1"})


@design("TAX_NOTICE", "CB", "CH")
def taxation_chbe(r):
    cc = r.choice(["CH", "BE"])
    p = Person(r, cc, lo=25)
    y, made = 2025, past(r, 20, 220)
    due = made + dt.timedelta(days=30 if cc == "CH" else 61)
    if cc == "CH":
        parts = [("Impôt cantonal", r.randint(200000, 700000)), ("Centimes additionnels communaux", r.randint(60000, 200000)), ("Taxe personnelle", 2500),
            ("Acomptes versés", -r.randint(50000, 240000))]
        ref = f"{digits(r, 3)}.{digits(r, 4)}.{digits(r, 2)}"
        head, cur, st = "Bordereau de taxation – Impôts cantonaux et communaux", "CHF", "ch"
        office = "République et canton de Genève · Administration fiscale cantonale · Hôtel des finances, Rue du Stand 26"
        if p.city == "Lausanne":
            office = "Canton de Vaud · Administration cantonale des impôts"
    else:
        parts = [("Impôt État", r.randint(300000, 800000)), ("Taxes additionnelles régionales", r.randint(40000, 120000)), ("Taxe communale 7,00 %",
            r.randint(20000, 60000)), ("Précompte professionnel", -r.randint(50000, 300000))]
        ref = digits(r, 9)
        head, cur, st = f"Avertissement-extrait de rôle – Impôt des personnes physiques – Exercice d'imposition {y + 1}", "EUR", "de"
        office = "Service public fédéral FINANCES · Administration générale de la Fiscalité · Centre Particuliers"
    tot = sum(v for _, v in parts)
    f = person_fields(p)
    f.update(documentNumber=(ref, ref), totalAmount=(tot, money(tot, st)))
    rows = "".join(f"<tr><td>{a}<td align=right>{money(v, st)}" for a, v in parts)
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:20mm}}body{{font:10pt
'{r.choice(["Liberation Serif", "Nimbus Sans", "Open Sans"])}'}}td{{padding:1.3mm 4mm 1.3mm 0}}</style><p style="font-size:8.5pt">{office}</p><table
width="100%"><tr><td>{'Contribuable n°' if cc == 'CH' else "Article du rôle"} {ref}<br>{'Notification du' if cc == 'CH' else "Date d'envoi"}
{day(made, 'd.m.y')}
    <td>{p.title} {p.first} {p.last}<br>{p.street}<br>{p.pc} {p.city}</table><h2 style="font-size:13pt">{head}</h2><p>Période fiscale {y} · Situation au
31.12.{y} · état civil : célibataire</p><table width="85%">{rows}<tr><td><b>{'Solde à payer en notre faveur' if cc == 'CH' else 'À PAYER'} {cur}</b><td
align=right><b>{money(tot, st)}</b></table>
    <p>{'Payable jusqu’au' if cc == 'CH' else 'À payer au plus tard le'} {day(due, 'd.m.y')}.
{'Une réclamation peut être formée dans les 30 jours.' if cc == 'CH' else 'Vous pouvez introduire une réclamation dans un délai d’un an.'}</p>"""
    d = Doc("fr", "table", "weasyprint", src, made, f, sums=[([v for _, v in parts], tot)], total=[money(tot, st)], order=[(made, due, lambda x: day(x,
        "d.m.y"), "due before it was sent")], dated=False)
    d.land = cc
    return d


@design("TAX_NOTICE", "EN", "GB")
def hmrc_calc(r):
    p = Person(r, "GB", lo=24)
    made = past(r, 20, 200)
    pay, sav = r.randint(19000, 46000), r.choice([0, 0, 340, 1210])
    due_tax = round((pay + sav - 12570) * .2)
    paid = due_tax - r.randint(80, 900)
    tot, ref = due_tax - paid, f"{digits(r, 5)} {digits(r, 5)}"
    pay_by = made + dt.timedelta(days=60)

    def build(w):
        w.add_paragraph("HM Revenue & Customs\nPay As You Earn and Self Assessment, BX9 1AS").runs[0].bold = True
        w.add_paragraph(f"{p.title} {p.first} {p.last}\n{p.street}\n{p.city}\n{p.pc}")
        w.add_paragraph(f"Date: {day(made, 'long', 'en')}\nUnique Taxpayer Reference: {ref}")
        w.add_heading("Your tax calculation for 6 April 2025 to 5 April 2026", 2)
        w.add_paragraph("We have worked out the tax that you should have paid. Please keep this notice.")
        tb = w.add_table(0, 2)
        for a, b in [("Pay from all employments", pay), ("Savings interest", sav), ("Total income received", pay + sav), ("minus Personal Allowance", 12570),
            ("Total income on which tax is due", pay + sav - 12570), ("Income Tax due at 20%", due_tax), ("minus tax already paid", paid), ("Total tax to "
                "pay", tot)]:
            c = tb.add_row().cells
            c[0].text, c[1].text = a, "£" + money(b * 100, "en")
        w.add_paragraph(f"\nYou owe £{money(tot * 100, 'en')}. Please pay by {day(pay_by, 'long', 'en')}. You can pay online at www.gov.uk/pay-tax.")
    f = person_fields(p)
    f.update(documentNumber=(ref, ref), totalAmount=(tot * 100, money(tot * 100, "en")))
    return Doc("en", "colon", "libreoffice", build, made, f, sums=[([due_tax, -paid], tot), ([pay, sav], pay + sav)], total=["£" + money(tot * 100, "en")],
        font="Liberation Sans", order=[(made, pay_by, lambda d: day(d, "long", "en"), "to be paid before the date of the notice")])


@design("TAX_NOTICE", "EN", "US")
def irs_notice(r):
    p = Person(r, "US", lo=24)
    made = past(r, 20, 200)
    due = made + dt.timedelta(days=21)
    tax, wh = r.randint(300000, 1100000), 0
    wh = tax - r.randint(20000, 140000)
    pen, it = r.randint(500, 4000), r.randint(300, 3000)
    tot, ref = tax - wh + pen + it, f"CP14-{digits(r, 4)}-{digits(r, 5)}"
    fam = "\\" + r.choice(["sfdefault", "rmdefault"])
    src = rf"""\documentclass[10pt,letterpaper]{{article}}\usepackage[margin=0.9in]{{geometry}}\usepackage[T1]{{fontenc}}\usepackage[utf8]{{inputenc}}
\usepackage{{{r.choice(['helvet', 'lmodern', 'charter'])}}}\renewcommand{{\familydefault}}{{{fam}}}
\pagestyle{{empty}}\setlength{{\parindent}}{{0pt}}\begin{{document}}
\begin{{minipage}}[t]{{0.55\textwidth}}Department of the Treasury\\Internal Revenue Service\\Andover, MA 01810\\[8mm]{p.first.upper()}
{p.last.upper()}\\{p.street.upper()}\\{p.city.upper()}, MA
{p.pc}\end{{minipage}}\hfill\begin{{minipage}}[t]{{0.4\textwidth}}\begin{{tabular}}{{l@{{\quad}}l}}Notice & CP14\\Tax year & 2025\\Notice date &
{day(made, 'us', 'en')}\\
Social Security no. & XXX-XX-{digits(r, 4)}\\Caller ID & {digits(r, 6)}\\Notice no. &
{ref}\end{{tabular}}\end{{minipage}}\par\vspace{{12mm}}{{\Large\bfseries You have unpaid taxes for 2025}}\par{{\large Amount due:
\${money(tot, 'en')}}}\par\vspace{{5mm}}Our records show that you have unpaid taxes on your December 31, 2025 Form 1040.\par\vspace{{4mm}}
\begin{{tabular}}{{lr}}\multicolumn{{2}}{{l}}{{\bfseries Billing summary}}\\\hline Tax you owed & \${money(tax, 'en')}\\Payments and credits &
-{money(wh, 'en')}\\Failure-to-pay penalty & {money(pen, 'en')}\\Interest charges & {money(it, 'en')}\\\hline\bfseries Amount due by {day(due, 'us', 'en')} &
\bfseries \${money(tot, 'en')}\end{{tabular}}\par\vspace{{6mm}}
{{\bfseries What you need to do immediately}}\par Pay the amount due by {day(due, 'us', 'en')} to avoid additional penalty and interest charges. If you
disagree, call us at 1-800-829-0922.\end{{document}}"""
    f = person_fields(p, True)
    f.update(documentNumber=(ref, ref), totalAmount=(tot, money(tot, "en")))
    return Doc("en", "table", "pdflatex", src, made, f, sums=[([tax, -wh, pen, it], tot)], total=[money(tot, "en")], order=[(made, due, lambda d: day(d, "us",
        "en"), "due before the notice date")], page="letter")


@design("TAX_NOTICE", "EN", "CA")
def noa_canada(r):
    cc = r.choice(["CA", "IE"])
    p = Person(r, cc, lo=24)
    p.last, p.first = r.choice(LAST["EN"]), r.choice(FIRST["EN"][p.sex == "F"])
    if cc == "CA":  # the form says Ontario
        p.street, p.pc, p.city = r.choice([(f"{r.randint(3, 400)} Clinton Street", "M6G 2L9", "Toronto"),
            (f"{r.randint(3, 400)} Sunnyside Avenue", "K1S 5B7", "Ottawa")])
    made = past(r, 40, 230)
    inc, tx = r.randint(38000, 90000) * 100, 0
    tx = round(inc * .21)
    cred = tx - r.randint(4000, 90000)
    tot, ref = tx - cred, f"{letters(r, 2)}{digits(r, 6)}{letters(r, 1)}"
    pc = p.pc
    rows = [("15000" if cc == "CA" else "A", "Total income", inc), ("42000" if cc == "CA" else "B", "Net federal tax" if cc == "CA" else "Income tax and "
        "USC charged", tx), ("43700" if cc == "CA" else "C", "Total income tax deducted" if cc == "CA" else "Tax deducted under PAYE", cred)]
    src = f"""<meta charset="utf-8"><style>@page{{size:Letter;margin:.8in}}body{{font:13px
'Liberation Sans'}}table{{border-collapse:collapse;width:100%}}td{{border-bottom:1px solid
#aaa;padding:6px}}td:last-child{{text-align:right}}.x{{background:#eef2f0;padding:12px;margin:16px 0;font-size:16px}}</style>
    <p><b>{'Canada Revenue Agency' if cc == 'CA' else 'Revenue – Irish Tax and Customs'}</b><br>{'Sudbury ON P3A 5C1' if cc == 'CA' else
'PAYE Mail Centre, Limerick'}</p><p>{p.first.upper()} {p.last.upper()}<br>{p.street}<br>{p.city}{' ON' if cc == 'CA' else ''}
{pc}</p><h2>{'Notice of assessment' if cc == 'CA' else 'Statement of Liability'}</h2>
    <p>Notice number: {ref}<br>Tax year: 2025<br>Date issued: {day(made, 'us' if cc == 'CA' else 'long', 'en')}</p><div class=x>Balance due:
{'$' if cc == 'CA' else '€'}{money(tot, 'en')}</div><p>We assessed your 2025 income tax return and calculated your
balance.</p><table><tr><td><b>Line</b><td><b>Description</b><td><b>Amount</b>{"".join(f"<tr><td>{a}<td>{b}<td>{money(v, 'en')}" for a, b, v in rows)}
    <tr><td><td>Balance due<td>{money(tot, 'en')}</table><p>Keep this notice. You may have to show it to prove your income.</p>"""
    f = person_fields(p)
    f["firstName"], f["lastName"] = (p.first, p.first.upper()), (p.last, p.last.upper())
    f.update(documentNumber=(ref, ref), totalAmount=(tot, money(tot, "en")))
    d = Doc("en", "colon", "chromium", src, made, f, sums=[([tx, -cred], tot)], total=[money(tot, "en")], page="letter")
    d.land = cc
    return d


# ------------------------------------------------------------------ company papers
def firm_fields(f, num):
    return {"companyName": (f.name, f.name), "registrationNumber": (num, num), "address": (f.street, f.street), "postCode": (f.pc, f.pc), "city": (f.city,
        f.city)}


@design("COMPANY_REGISTRATION", "FR", "FR")
def kbis(r):
    f = firm(r)
    made, reg = past(r, 3, 90), past(r, 300, 6000)
    num = f"{f.siren[:3]} {f.siren[3:6]} {f.siren[6:]}"
    town, cap = r.choice(["Lyon", "Grenoble", "Villefranche-Tarare", "Bourg-en-Bresse"]), r.choice(["1 000,00", "8 000,00", "50 000,00", "100,00"])
    b = f.boss
    L = [("", "IDENTIFICATION DE LA PERSONNE MORALE"), ("Immatriculation au RCS, numéro", f"{num} R.C.S. {town}"), ("Date d'immatriculation", day(reg)),
        ("Dénomination ou raison sociale", f.name), ("Forme juridique", {"SARL": "Société à responsabilité limitée",
            "SAS": "Société par actions simplifiée"}.get(f.form, f.form)),
         ("Capital social", cap + " Euros"), ("Adresse du siège", f"{f.street} {f.pc} {f.city}"), ("Durée de la personne morale",
             f"Jusqu'au {day(years(reg, 99))}"), ("Date de clôture de l'exercice social", "31 Décembre"),
         ("", "GESTION, DIRECTION, ADMINISTRATION, CONTRÔLE, ASSOCIÉS OU MEMBRES"), ("Gérant" if f.form in ("SARL", "EURL") else "Président", ""),
             ("Nom, prénoms", f"{b.last.upper()} {b.first}"), ("Date et lieu de naissance", f"Le {day(b.birth)} à {b.birthplace}"), ("Nationalité",
                 "Française"),
         ("Domicile personnel", f"{b.street} {b.pc} {b.city}"), ("", "RENSEIGNEMENTS RELATIFS À L'ACTIVITÉ ET À L'ÉTABLISSEMENT PRINCIPAL"), ("Adresse de "
             "l'établissement", f"{f.street} {f.pc} {f.city}"), ("Activité(s) exercée(s)", f.brand.split()[0] + ", négoce et prestations associées"),
                 ("Date de commencement d'activité", day(reg)),
         ("Origine du fonds ou de l'activité", "Création"), ("Mode d'exploitation", "Exploitation directe")]
    mode = r.choice(["Times-Roman", "Helvetica", "Courier"])

    def draw(c):
        B = {"Times-Roman": "Times-Bold"}.get(mode, mode + "-Bold")
        c.setFont(B, 10)
        c.drawString(40, 800, f"Greffe du Tribunal de Commerce de {town}")
        c.setFont(mode, 8)
        c.drawString(40, 788, "44 RUE DE BONNEL" if town == "Lyon" else "PLACE DU PALAIS")
        c.drawString(40, 760, f"N° de gestion {reg.year}B{gest}")
        c.setFont(B, 14)
        c.drawCentredString(300, 735, "Extrait Kbis")
        c.setFont(B, 9.5)
        c.drawCentredString(300, 718, "EXTRAIT D'IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES SOCIÉTÉS")
        c.setFont(mode, 9)
        c.drawCentredString(300, 704, f"à jour au {day(made, 'long')}")
        y = 680
        for a, v in L:
            if not a:
                y -= 6
                c.setFont(B, 9)
                c.drawString(40, y, v)
                c.line(40, y - 3, 555, y - 3)
            else:
                c.setFont(mode, 7.8 if mode == "Courier" else 8.6)
                c.drawString(46, y, a)
                c.drawString(240, y, v)
            y -= 16
        c.setFont(mode, 8)
        c.drawString(330, y - 20, "Le Greffier")
        c.drawString(40, y - 50, "FIN DE L'EXTRAIT")
        c.setFont("Helvetica", 6)
        c.drawString(40, 30, f"R.C.S. {town} – {day(made)} – page 1/1")
    gest = digits(r, 5)
    return Doc("fr", "table", "reportlab", draw, made, firm_fields(f, num), order=[(b.birth, reg, day, "registered before the manager was born")],
        info={"Producer": r.choice(["Infogreffe - iText 4.2.0", "OpenOffice.org 3.1"]), "Title": "Extrait Kbis"})


@design("COMPANY_REGISTRATION", "FR", "FR")
def avis_sirene(r):
    f = firm(r)
    solo = r.random() < .3
    made, reg = past(r, 2, 120), past(r, 200, 5000)
    name = f.name
    num = f"{f.siren[:3]} {f.siren[3:6]} {f.siren[6:]}"
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:16mm}}body{{font:9.6pt
'{r.choice(["Open Sans", "Carlito"])}'}}h1{{font-size:14pt;text-align:center}}table{{width:100%;border-collapse:collapse;margin:4mm 0}}td{{border:.5pt solid
#888;padding:1.4mm 2mm}}td:first-child{{width:62mm;background:#f3f3f3}}th{{background:#d8e2ee;padding:2mm;text-align:left}}</style>
    <div style="font-size:18pt;color:#d2232a;font-weight:bold">Insee</div><h1>AVIS DE SITUATION AU RÉPERTOIRE SIRENE</h1><p>À la date du
{day(made)}</p><table><tr><th colspan=2>Description de l'entreprise — Entreprise active depuis le {day(reg)}<tr><td>Identifiant
SIREN<td>{num}<tr><td>Identifiant SIRET du siège<td>{num} {f.siret[9:]}<tr><td>Dénomination<td>{name}
    <tr><td>Catégorie
juridique<td>{'5499 – Société à responsabilité limitée' if f.form in ('SARL', 'EURL') else '5599 – SA à conseil d’administration' if f.form == 'SA' else
'5710 – SAS, société par actions simplifiée'}<tr><td>Activité Principale Exercée (APE)<td>{r.choice(['43.22A – Travaux d’installation d’eau et de gaz',
'62.02A – Conseil en systèmes informatiques', '45.20A – Entretien de véhicules'])}<tr><td>Appartenance au champ de l'ESS<td>Non</table>
    <table><tr><th colspan=2>Description de l'établissement — Établissement actif depuis le {day(reg)}<tr><td>Identifiant SIRET<td>{num}
{f.siret[9:]}<tr><td>Adresse<td>{name}<br>{f.street}<br>{f.pc} {f.city}</table><p style="font-size:7.5pt">Important : à l'exception des informations
relatives à l'identification de l'entreprise, les renseignements figurant dans ce document, en particulier
    le code APE, n'ont de valeur que pour les applications statistiques (décret n°2007-1888 du 26 décembre 2007).</p>"""
    return Doc("fr", "table", r.choice(["weasyprint", "chromium"]), src, made, firm_fields(f, num), order=[(reg, made, day, "printed before the firm began")],
        info={"Producer": "iText 2.0.8 (by lowagie.com)"})


@design("COMPANY_REGISTRATION", "CB", "CH")
def registre_chbe(r):
    cc = r.choice(["CH", "BE"])
    f = firm(r, cc)
    made, reg = past(r, 3, 100), past(r, 400, 7000)
    num = f.uid if cc == "CH" else f.be
    b = f.boss
    if cc == "CH":
        src = f"""#set page(paper: "a4", margin: 18mm)
#set text(font: "Libertinus Serif", size: 9.5pt)
*République et Canton de {'Genève' if f.city in ('Genève', 'Carouge') else f.city}* \\ Registre du commerce #h(1fr) Extrait avec éventuelles radiations
#v(4mm) #table(columns: (34mm, 34mm, 1fr), [N° d'identification \\ *{num}*], [Inscription \\ {day(reg, 'd.m.y')}], [Nature juridique \\
{'société anonyme' if f.form == 'SA' else 'société à responsabilité limitée'}])
#table(columns: (10mm, 1fr, 10mm, 1fr), [Réf.], [*Raison sociale*], [Réf.], [*Siège*], [1], [{f.name}], [1], [{f.city}])
#table(columns: (10mm, 1fr), [Réf.], [*Adresse*], [1], [{f.street}, {f.pc} {f.city}])
#table(columns: (10mm, 1fr, 40mm), [Réf.], [*But*], [*Capital-actions CHF*], [1], [conseil, commerce et exécution de tous travaux liés à :
{f.brand.split()[0].lower()}.], [100'000.00])
#table(columns: (10mm, 1fr, 40mm, 42mm), [Réf.], [*Nom, origine, domicile*], [*Fonction*], [*Mode de signature*], [1], [{b.last}, {b.first}, de
{b.birthplace}, à {b.city}], [administrateur], [signature individuelle])
#v(4mm) {f.city}, le {day(made, 'd.m.y')} #h(1fr) Extrait certifié conforme sans signature"""
        d = Doc("fr", "table", "typst", src, made, firm_fields(f, num), order=[(reg, made, lambda x: day(x, "d.m.y"), "extract older than the entry")])
    else:
        def build(q):
            q.add_page()
            q.set_font("helvetica", "B", 14)
            q.multi_cell(0, 8, "Banque-Carrefour des Entreprises\nExtrait des données de l'entité enregistrée", new_x="LMARGIN", new_y="NEXT")
            for x, v in [("Numéro d'entreprise :", num), ("Statut :", "Actif"), ("Situation juridique :", "Situation normale depuis le " + day(reg, "long")),
                ("Date de début :", day(reg, "long")), ("Dénomination :", f.name), ("Adresse du siège :", f"{f.street}"), ("", f"{f.pc} {f.city}"),
                         ("Type d'entité :", "Personne morale"), ("Forme légale :",
                             "Société à responsabilité limitée" if f.form == "SRL" else "Société anonyme"), ("Administrateur :", f"{b.last}, {b.first}"),
                                 ("Nombre d'unités d'établissement :", "1"), ("Extrait établi le :", day(made, "long"))]:
                q.set_font("helvetica", "", 9)
                q.cell(65, 7, x)
                q.set_font("helvetica", "B", 10)
                q.cell(0, 7, v, new_x="LMARGIN", new_y="NEXT")
        d = Doc("fr", "colon", "fpdf2", build, made, firm_fields(f, num), order=[(reg, made, lambda x: day(x, "long"), "extract older than the entry")])
    d.land = cc
    return d


@design("COMPANY_REGISTRATION", "EN", "GB")
def incorporation(r):
    cc = r.choice(["GB", "GB", "IE"])
    f = firm(r, cc)
    f.name = f"{f.brand} {'Limited' if cc == 'GB' else f.form}"
    reg = past(r, 100, 4500)
    num = f.crn if cc == "GB" else digits(r, 6)
    ad = r.random() < .5
    src = rf"""\documentclass[12pt,a4paper]{{article}}\usepackage[margin=32mm]{{geometry}}\usepackage[T1]{{fontenc}}\usepackage[utf8]{{inputenc}}
\usepackage{{{r.choice(['mathptmx', 'lmodern', 'charter'])}}}\pagestyle{{empty}}
\begin{{document}}\begin{{center}}{{\LARGE\scshape Certificate of Incorporation\\[2mm] of a Private Limited Company}}\\[14mm]
Company Number \textbf{{{num}}}\end{{center}}\vspace{{8mm}}\noindent The Registrar of Companies for {'England and Wales' if cc == 'GB' else 'Ireland'},
hereby certifies that\par\begin{{center}}\textbf{{\Large {f.name}}}\end{{center}}is this day incorporated under the Companies Act
{'2006' if cc == 'GB' else '2014'} as a private company, that the company is limited by shares,
and {rf"that its registered office is situated at {f.street}, {f.city}, {f.pc}." if ad else "the situation of its registered office is in " +
("England and Wales." if cc == "GB" else "Ireland.")}\par\vspace{{10mm}}\noindent Given at {'Companies House, Cardiff' if cc == 'GB' else 'Dublin'}, on
{day(reg, 'ord', 'en')}.\par\vspace{{20mm}}\begin{{flushright}}\rule{{60mm}}{{0.4pt}}\\for the Registrar of Companies\end{{flushright}}
\vfill{{\footnotesize The above information was communicated by electronic means and authenticated by the Registrar of Companies under section 1115 of the
Companies Act.}}\end{{document}}"""
    fl = firm_fields(f, num)
    if not ad:
        fl = {k: fl[k] for k in ("companyName", "registrationNumber")}
    d = Doc("en", "prose", "pdflatex", src, reg, fl)
    d.land = cc
    return d


@design("COMPANY_REGISTRATION", "EN", "GB")
def companies_house(r):
    f = firm(r, "GB")
    f.name = f"{f.brand} Limited"
    made, reg = past(r, 3, 150), past(r, 400, 5500)
    src = f"""<style>@page{{size:A4}}body{{font-family:'Liberation Sans';font-size:15px;color:#0b0c0c}}header{{background:#0b0c0c;color:#fff;padding:12px
20px;font-weight:bold}}dt{{font-weight:bold;margin-top:14px}}dd{{margin:2px 0}}h1{{font-size:26px}}.x{{display:flex;gap:80px}}</style><header>GOV.UK &nbsp;
Find and update company information</header>
    <h1>{f.name.upper()}</h1><p>Company number <b>{f.crn}</b></p><hr><dl><dt>Registered office address<dd>{f.street}, {f.city}, England, {f.pc}<dt>Company
status<dd>Active</dl><div class=x><dl><dt>Company type<dd>Private limited Company</dl><dl><dt>Incorporated on<dd><b>{day(reg, 'long', 'en')}</b></dl></div>
    <dl><dt>Accounts<dd>Next accounts made up to <b>31 March 2027</b> due by <b>31 December 2027</b><dt>Nature of business
(SIC)<dd>{r.choice(['62020 - Information technology consultancy activities', '43320 - Joinery installation',
'56210 - Event catering activities'])}<dt>Officers<dd>{f.boss.last.upper()}, {f.boss.first} – Director – appointed {day(reg, 'long', 'en')}</dl><p
style="font-size:11px">Printed {day(made)}</p>"""
    fl = firm_fields(f, f.crn)
    fl["companyName"] = (f.name, f.name.upper())
    return Doc("en", "under", "chromium", src, made, fl)


@design("COMPANY_REGISTRATION", "EN", "US")
def good_standing(r):
    f = firm(r, "US")
    made, reg = past(r, 3, 200), past(r, 300, 5000)
    num = f"{digits(r, 9)}"

    def build(w):
        for s in ["The Commonwealth of Massachusetts", "Secretary of the Commonwealth", "State House, Boston, Massachusetts 02133"]:
            q = w.add_paragraph(s)
            q.alignment = 1
        w.add_paragraph(day(made, "us", "en"))
        w.add_heading("CERTIFICATE OF ORGANIZATION AND GOOD STANDING" if "LLC" in f.name else "CERTIFICATE OF LEGAL EXISTENCE", 2)
        w.add_paragraph("TO WHOM IT MAY CONCERN:")
        w.add_paragraph(f"I hereby certify that {f.name}, Identification Number {num}, was organized under the laws of the Commonwealth and filed in this "
            f"office on {day(reg, 'us', 'en')}. Its principal office is located at {f.street}, {f.city}, MA {f.pc}. I further certify that said entity "
                f"has filed all annual reports due and paid all fees, and that, so far as appears of record, it has legal existence.")
        w.add_paragraph("In testimony of which, I have hereunto affixed the Great Seal of the Commonwealth on the date first above written.")
        w.add_paragraph(f"\nSecretary of the Commonwealth\nCertificate Number: {cert}    Verify this certificate at corp.sec.state.ma.us")
    cert = digits(r, 11)
    return Doc("en", "prose", "libreoffice", build, made, firm_fields(f, num), font="Liberation Serif", size=12, order=[(reg, made, lambda d: day(d, "us",
        "en"), "certificate older than the filing")])


# ------------------------------------------------------------------ insurance
INS = {"FR": ["Mutuelle du Rhône Réuni", "Assurances Valserine", "Garantie Izoard", "MAVIE Assurances"], "CH": ["Helvécie Assurances SA", "La Genevoise "
    "du Lac"], "BE": ["Mosan Assurances"],
       "GB": ["Pennine General Insurance", "Harrier Mutual", "Foxglove Insurance Services Ltd"], "US": ["Tidewater Mutual Insurance Company",
           "Granite State Casualty"], "IE": ["Liffey Insurance DAC"]}


def ins_fields(p, pol, iss, up=False):
    f = person_fields(p, up)
    return {"policyNumber": (pol, pol), "lastName": f["lastName"], "firstName": f["firstName"], "issuer": (iss, iss), "postCode": f["postCode"],
        "city": f["city"]}


@design("INSURANCE_CERTIFICATE", "FR", "FR")
def attestation_habitation(r):
    p, ins, made = Person(r), r.choice(INS["FR"]), past(r, 3, 300)
    pol = r.choice([digits(r, 10), f"{letters(r, 2)} {digits(r, 8)}", f"{digits(r, 6)}-{letters(r, 1)}-{digits(r, 3)}"])
    a = made.replace(day=1)
    b = years(a, 1) - dt.timedelta(days=1)

    def build(w):
        w.add_paragraph(f"{ins}\nSociété d'assurance mutuelle à cotisations variables, entreprise régie par le code des assurances")
        w.add_paragraph(f"{p.title} {p.first} {p.last}\n{p.street}\n{p.pc} {p.city}").paragraph_format.left_indent = 3000000
        w.add_paragraph(f"{r0}, le {day(made, 'long')}")
        w.add_heading("ATTESTATION D'ASSURANCE MULTIRISQUE HABITATION", 2)
        w.add_paragraph(f"Nous attestons que {p.title} {p.last} {p.first} est titulaire du contrat n° {pol} garantissant, en qualité de locataire, le "
            f"logement de {rooms} pièces principales situé {p.street}, {p.pc} {p.city}.")
        w.add_paragraph("Sont garantis : la responsabilité civile vie privée, les risques locatifs (incendie, explosion, dégât des eaux), le recours des "
            "voisins et des tiers.")
        w.add_paragraph(f"La présente attestation est valable du {day(a)} au {day(b)}, sous réserve du paiement de la cotisation. Elle n'engage pas "
            f"l'assureur au-delà des limites du contrat.")
        w.add_paragraph("Pour servir et valoir ce que de droit.\n\nLe Directeur général")
    r0, rooms = r.choice(["Lyon", "Niort", "Mâcon"]), r.randint(1, 5)
    return Doc("fr", "prose", "libreoffice", build, made, ins_fields(p, pol, ins), order=[(a, b, day, "cover ends before it begins")],
        font=r.choice(["Carlito", "Liberation Sans", "Lato"]))


@design("INSURANCE_CERTIFICATE", "FR", "FR")
def attestation_auto(r):
    p, ins, made = Person(r), r.choice(INS["FR"]), past(r, 3, 250)
    pol, a = f"{digits(r, 3)} {digits(r, 3)} {digits(r, 3)}", past(r, 1, 200)
    made = past(r, 0, (REF - a).days)
    b = years(a, 1) - dt.timedelta(days=1)
    pl, c = plate(r), r.choice([GREEN, BLUE, "#c55a11"])
    pro = r.random() < .3
    title = "Attestation d'assurance responsabilité civile professionnelle" if pro else "Mémo véhicule assuré – relevé d'informations du contrat automobile"
    rows = [("Assuré(e)", f"{p.last.upper()} {p.first}"), ("Contrat", pol), ("Adresse", f"{p.street}, {p.pc} {p.city}")] + ([("Activité", "Consultant "
        "indépendant"), ("Plafond de garantie", "1 500 000 € par sinistre")] if pro else [("Immatriculation", pl), ("Marque / modèle",
            " ".join(r.choice([("RENAULT", "CLIO"), ("DACIA", "DUSTER")]))),
            ("Formule", r.choice(["Tiers étendu", "Tous risques"])), ("Coefficient bonus-malus", "0,50")]) + [("Date d'effet", day(a)), ("Échéance", day(b))]
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:16mm 20mm}}body{{font:10pt
'{r.choice(["Roboto", "Open Sans", "URW Gothic"])}'}}h1{{font-size:14pt;color:{c};border-bottom:2pt solid
{c}}}.k{{float:left;width:52mm;color:#666;clear:left}}.v{{margin-left:55mm;margin-bottom:2mm}}.st{{transform:rotate(-9deg);border:2pt solid
#2a3f9a;color:#2a3f9a;width:44mm;padding:2mm;text-align:center;margin:12mm 0 0 110mm;font-size:8pt}}</style>
    {logo(r, ins, c)}<h1>{title}</h1>{"".join(f'<div class=k>{x}</div><div class=v>{v}</div>' for x, v in rows)}<p>{ins} certifie que le contrat ci-dessus
est en vigueur à la date d'édition, le {day(made)}. La présente attestation implique une présomption d'assurance pour la période indiquée.</p>
    <div class=st>{ins.upper()}<br>SERVICE CLIENTS<br>{day(made)}</div><p style="font-size:7pt;position:absolute;bottom:0">{ins} – {place(r, 'FR')[0]} 69003
Lyon – RCS {siren(r)}</p>"""
    return Doc("fr", "table", r.choice(["weasyprint", "weasyprint", "chromium"]), src, max(made, a), ins_fields(p, pol, ins), order=[(a, b, day,
        "cover ends before it begins")])


@design("INSURANCE_CERTIFICATE", "CB", "CH")
def insurance_chbe(r):
    cc = r.choice(["CH", "BE"])
    p, ins, made = Person(r, cc), r.choice(INS[cc]), past(r, 3, 250)
    pol, a = f"{r.choice('TUMP')}{digits(r, 2)}.{digits(r, 1)}.{digits(r, 3)}.{digits(r, 3)}", past(r, 10, 200)
    made = past(r, 0, (REF - a).days)
    b = years(a, 1) - dt.timedelta(days=1)

    def build(q):
        q.add_page()
        q.set_font("helvetica", "B", 15)
        q.set_text_color(120, 20, 30)
        q.cell(0, 10, ins, new_x="LMARGIN", new_y="NEXT")
        q.set_text_color(0, 0, 0)
        q.set_font("helvetica", "", 10)
        q.multi_cell(0, 5.5, f"{p.title} {p.full}\n{p.street}\n{p.pc} {p.city}\n\n{p.city}, le {day(made, 'long')}", new_x="LMARGIN", new_y="NEXT")
        q.ln(5)
        q.set_font("helvetica", "B", 12)
        q.cell(0, 9, "Attestation d'assurance ménage et responsabilité civile privée" if cc == "CH" else "Attestation d'assurance incendie - "
            "responsabilité locative", new_x="LMARGIN", new_y="NEXT")
        q.set_font("helvetica", "", 10)
        for x, v in [("Police n°", pol), ("Preneur d'assurance", p.full), ("Lieu du risque", f"{p.street}, {p.pc} {p.city}"), ("Début", day(a, "d.m.y")),
            ("Fin", day(b, "d.m.y")), ("Somme assurée RC", "CHF 5'000'000" if cc == "CH" else "EUR 2.500.000"), ("Franchise",
                "CHF 200" if cc == "CH" else "EUR 311,20")]:
            q.cell(55, 7, x, border=1)
            q.cell(110, 7, v, border=1, new_x="LMARGIN", new_y="NEXT")
        q.ln(4)
        q.multi_cell(0, 5.5, "La couverture est accordée selon les conditions générales en vigueur. Attestation établie à l'intention de la gérance.")
    d = Doc("fr", "table", "fpdf2", build, made if made > a else a, ins_fields(p, pol, ins), order=[(a, b, lambda x: day(x, "d.m.y"), "cover ends before "
        "it begins")])
    d.land = cc
    return d


@design("INSURANCE_CERTIFICATE", "EN", "GB")
def motor_uk(r):
    p, ins, made = Person(r, "GB"), r.choice(INS["GB"]), past(r, 3, 300)
    pol, a = f"{letters(r, 3)}/{digits(r, 8)}", made
    b = years(a, 1) - dt.timedelta(days=1)
    reg = f"{letters(r, 2)}{r.randint(12, 25)} {letters(r, 3)}"

    def draw(c):
        c.setLineWidth(2)
        c.rect(35, 330, 525, 470)
        c.setFont("Times-Bold", 18)
        c.drawCentredString(297, 765, "CERTIFICATE OF MOTOR INSURANCE")
        c.setFont("Times-Roman", 10)
        c.drawCentredString(297, 748, "Road Traffic Act 1988 – this certificate shows you have the insurance you need by law")
        rows = [("Certificate / Policy number", pol), ("1. Registration mark of vehicle", reg), ("2. Name of policyholder", f"{p.title} {p.first} {p.last}"),
            ("Address", f"{p.street}, {p.city}, {p.pc}"), ("3. Effective date of the commencement of insurance", f"00:01 {day(a)}"), ("4. Date of expiry "
                "of insurance", f"23:59 {day(b)}"),
                ("5. Persons entitled to drive", "The policyholder. Provided that the person driving holds a licence."), ("6. Limitations as to use",
                    "Use for social, domestic and pleasure purposes including commuting.")]
        y = 715
        for x, v in rows:
            c.setFont("Times-Bold", 10)
            c.drawString(50, y, x)
            c.setFont("Helvetica", 10)
            c.drawString(62, y - 15, v)
            y -= 38
        c.setFont("Times-Italic", 9)
        c.drawString(50, 395, "I hereby certify that the policy to which this certificate relates satisfies the requirements of the relevant law.")
        c.setFont("Times-Bold", 11)
        c.drawString(50, 370, ins)
        c.setFont("Helvetica", 7)
        c.drawString(50, 350, "Authorised insurers. For your protection, do not part with this certificate except in compliance with law.")
    return Doc("en", "under", "reportlab", draw, made, ins_fields(p, pol, ins), order=[(a, b, day, "cover ends before it begins")],
        info={"Producer": r.choice(["Thunderhead NOW", "Exstream Dialogue Version 9.0.107"]), "Title": "Certificate"})


@design("INSURANCE_CERTIFICATE", "EN", "US")
def declarations_us(r):
    cc = r.choice(["US", "US", "GB"])
    p, ins, made = Person(r, cc), r.choice(INS[cc]), past(r, 3, 300)
    us = cc == "US"
    pol, b = f"{letters(r, 2)}-{digits(r, 7)}", years(made, 1)
    prem = [r.randint(9000, 19000), r.randint(2000, 5000), r.randint(500, 2500)]
    st = "m/d/y" if us else "d/m/y"
    cur = "$" if us else "£"
    names = ["Personal property" if us else "Contents", "Personal liability", "Loss of use" if us else "Legal expenses"]
    src = f"""<style>@page{{size:{'Letter' if us else 'A4'};margin:.7in}}body{{font:13px
'{r.choice(["Roboto", "Lato", "Liberation Serif"])}'}}table{{width:100%;border-collapse:collapse;margin:10px 0}}td,th{{border:1px solid
#777;padding:6px;text-align:left}}</style><b
style="font-size:20px">{ins}</b><h3>{'RENTERS INSURANCE POLICY DECLARATIONS – EVIDENCE OF INSURANCE' if us else
'Home Insurance – Certificate and Schedule of Cover'}</h3>
    <table><tr><td>Policy number<br><b>{pol}</b><td>{'Policy period' if us else 'Period of insurance'}<br>{day(made, st)} to {day(b, st)}
{'12:01 a.m. standard time' if us else ''}<tr><td>{'Named insured' if us else 'Policyholder'}<br>{p.first} {p.last}<td>Insured
premises<br>{p.street}<br>{p.city}{', MA' if us else ''} {p.pc}</table>
    <table><tr><th>Coverage<th>Limit<th>Premium{"".join(f"<tr><td>{n}<td>{cur}{lim}<td>{cur}{money(v, 'en')}" for n, lim, v in zip(names, ["30,000",
"100,000" if us else "2,000,000", "9,000"], prem))}<tr><td><b>Total annual premium</b><td><td><b>{cur}{money(sum(prem), 'en')}</b></table>
    <p>{'Interested party: Beacon Property Management – notice of cancellation will be mailed.' if us else
'Please check that the details are correct and tell us of any change.'}</p><p>Issued {day(made, st)}</p>"""
    d = Doc("en", "under", "chromium", src, made, ins_fields(p, pol, ins), sums=[(prem, sum(prem))], total=[cur + money(sum(prem), "en")], order=[(made, b,
        lambda x: day(x, st), "cover ends before it begins")], page="letter" if us else "A4")
    d.land = cc
    return d
