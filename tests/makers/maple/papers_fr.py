"""French-language papers: bills, slips, notices, certificates, letters (France, Belgium, Switzerland, Quebec)."""
import datetime as dt
from decimal import Decimal as D

import people as pp
from cards import builder
from model import date_text, swap
from people import Firm, Person, cents, day, digits, letters, pick, workday, years

LO, HI = dt.date(2026, 2, 2), dt.date(2026, 11, 18)


def issue(d, lo=LO, hi=HI):
    d.issued = workday(d.r, lo, hi)


def town(d, p, put=True):
    sep = {"BE": " ", "CH": " "}.get(d.country, " ")
    if d.country == "CA":
        prov = pp.CA_PROV[p.post[0]]
        if put:
            d.put("city", p.city), d.put("postCode", p.post)
        return f"{p.city} ({'Québec' if prov == 'QC' else 'Ontario'})  {p.post}"
    if put:
        d.put("city", p.city), d.put("postCode", p.post)
    return p.post + sep + p.city


def window(d, p, upper=False, put=True):
    """The recipient as seen through an envelope's window."""
    up = str.upper if upper else str
    if put:
        d.put("lastName", up(p.last)), d.put("firstName", up(p.first)), d.put("address", up(p.street))
        d.put("city", up(p.city)), d.put("postCode", p.post)
    return [f"{p.title} {up(p.first)} {up(p.last)}", up(p.street), up(town(d, p, False)) if d.country != "CA" else town(d, p, False)]


def firm_lines(f):
    return [f.street, f"{f.post} {f.city}", f"Tél. {f.phone}  –  {f.mail}"]


def put_iban(d, value, code="iban"):
    return d.put(code, pp.group4(value))


# ---------------------------------------------------------------- bank details

@builder("BANK_DETAILS", "fr", "fr-rib-table-codes", "FR")
def rib(d):
    p = d.who
    issue(d)
    i = p.iban
    d.title, d.author = "Relevé d'identité bancaire", p.bank
    d.add("head", d.put("issuer", p.bank), [f"Agence {p.city} Centre"])
    d.add("title", "RELEVÉ D'IDENTITÉ BANCAIRE")
    d.add("p", "Ce relevé est destiné à être remis, sur leur demande, à vos créanciers ou débiteurs appelés à faire inscrire des opérations à "
               "votre compte (virements, paiements de quittances, etc.).")
    d.add("h", "Titulaire du compte")
    d.add("pairs", [("", d.put("accountHolder", f"{p.title} {p.full(True)}", p.full())), ("", d.put("address", p.street)), ("", town(d, p))], "bare")
    d.add("table", ["Code banque", "Code guichet", "N° de compte", "Clé RIB", "Domiciliation"],
          [[i[4:9], i[9:14], i[14:25], i[25:], f"{p.bank.upper()[:16]}"]], "lllll", [])
    d.add("pairs", [("IBAN (International Bank Account Number)", put_iban(d, i)), ("BIC (Bank Identifier Code)", d.put("bic", p.bic))],
          pick(d.r, ["left", "above", "box"]))
    d.add("small", f"Édité le {d.date(d.issued, 'issueDate')}")


@builder("BANK_DETAILS", "fr", "fr-rib-web-download", "FR")
def rib_web(d):
    p = d.who
    issue(d, dt.date(2026, 8, 1))
    d.title, d.author = f"RIB_{p.last}", ""
    d.add("head", d.put("issuer", p.bank), ["Banque en ligne"])
    d.add("title", "Mes coordonnées bancaires", "Compte courant n° " + p.iban[14:25])
    d.add("pairs", [("Intitulé du compte", d.put("accountHolder", p.full(True), p.full())), ("IBAN", put_iban(d, p.iban)), ("BIC / SWIFT", d.put("bic", p.bic)),
                    ("Adresse du titulaire", d.put("address", p.street)), ("", town(d, p))], pick(d.r, ["above", "left", "inline", "below"]))
    d.add("p", "Document généré le " + d.date(d.issued, "issueDate", "long") + " depuis votre espace client.")


@builder("BANK_DETAILS", "fr", "be-attestation-compte-prose", "BE")
def be_account(d):
    p = d.who
    issue(d)
    d.title, d.author = "Attestation de titularité", p.bank
    d.add("head", d.put("issuer", p.bank), ["Service Clientèle", "Boulevard du Roi 14, 1000 Bruxelles"])
    d.add("right", [f"Bruxelles, le {d.date(d.issued, 'issueDate', 'long')}"])
    d.add("title", "Attestation de titularité de compte")
    d.add("p", f"Nous soussignés, {p.bank}, attestons par la présente que {p.title} "
               f"{d.put('accountHolder', p.full())}, domicilié(e) {d.put('address', p.street)} à {town(d, p)}, est titulaire auprès de notre "
               f"établissement du compte à vue numéro {put_iban(d, p.iban)} (BIC {d.put('bic', p.bic)}).")
    d.add("p", "La présente attestation est délivrée à la demande du client pour servir et valoir ce que de droit.")
    d.add("right", ["Le service Attestations", "p.o. S. Lambrechts"])


@builder("BANK_DETAILS", "fr", "ch-coordonnees-bancaires", "CH")
def ch_account(d):
    p = d.who
    issue(d)
    d.title = "Coordonnées bancaires"
    d.add("head", d.put("issuer", p.bank), ["Case postale", "1002 Lausanne"])
    d.add("to", [p.title, p.full(), p.street, f"{p.post} {p.city}"])
    d.add("title", "Confirmation de relation bancaire")
    d.add("pairs", [("Date", d.date(d.issued, "issueDate")), ("Titulaire", d.put("accountHolder", p.full())), ("Adresse", d.put("address", p.street)), ("NPA / Localité", town(d, p)),
                    ("Type de compte", "Compte privé CHF"), ("IBAN", put_iban(d, p.iban)), ("BIC/SWIFT", d.put("bic", p.bic))], pick(d.r, ["left", "box", "dots"]))
    d.add("p", "Avis sans signature.")


# ---------------------------------------------------------------- payslips

def charges(base, rates):
    return [(n, base, r_, cents(base * D(r_) / 100)) for n, r_ in rates]


FR_RATES = [("Sécurité sociale - Maladie", "0.00"), ("Vieillesse plafonnée", "6.90"), ("Vieillesse déplafonnée", "0.40"),
            ("Retraite complémentaire T1", "3.15"), ("Contribution équilibre général T1", "0.86"), ("Prévoyance non cadre", "0.55"),
            ("Complémentaire santé", "1.10"), ("CSG déductible", "6.68"), ("CSG/CRDS non déductible", "2.85")]


def month_of(d, lo=dt.date(2025, 12, 1), hi=dt.date(2026, 10, 31)):
    ref = day(d.r, lo, hi).replace(day=1)
    nxt = (ref + dt.timedelta(days=32)).replace(day=1)
    d.issued = nxt - dt.timedelta(days=d.r.randrange(1, 5))
    return ref, nxt - dt.timedelta(days=1)


@builder("PAYSLIP", "fr", "fr-bulletin-tableau", "FR")
def bulletin(d):
    p, r = d.who, d.r
    f = Firm(r, "FR", "fr")
    a, z = month_of(d)
    base = cents(r.randrange(1850, 4300)) + cents(r.randrange(0, 100)) / 100
    prime = cents(r.choice([0, 0, 80, 120, 150]))
    gross = base + prime
    rows = charges(gross, FR_RATES)
    total = sum(x[3] for x in rows)
    before = gross - total
    rate = D(r.choice(["0.00", "2.10", "3.50", "5.30", "7.20"]))
    taxable = before + rows[-1][3]
    tax = cents(taxable * rate / 100)
    net = before - tax
    d.truth("gross - charges - tax = net", gross - total - tax == net)
    d.title, d.author = f"Bulletin de paie {a:%m-%Y}", f.name
    d.add("head", d.put("companyName", f.name), [f.street, f"{f.post} {f.city}", f"SIRET : {f.siret}   APE : {digits(r, 4)}Z"])
    d.add("title", "BULLETIN DE PAIE", f"Période du {d.date(a)} au {d.date(z)}")
    d.add("cols", [["pairs", [("Matricule", digits(r, 4)), ("N° SS", pp.nir(r, p.birth, p.female)), ("Emploi", pick(r, ["Comptable", "Cariste", "Technicien(ne) SAV", "Aide-soignant(e)", "Développeur(se)"])),
                              ("Entrée", d.date(day(r, dt.date(2012, 1, 1), dt.date(2025, 6, 1)))), ("Convention", "IDCC " + digits(r, 4))], "left"]],
          [["pairs", [("", f"{p.title} {d.put('lastName', p.last.upper())} {d.put('firstName', p.first)}"), ("", d.put("address", p.street)), ("", town(d, p))], "bare"]])
    table = [["Salaire de base", "151,67", d.num(cents(base / D('151.67'))), d.num(base)]]
    if prime:
        table.append(["Prime exceptionnelle", "", "", d.num(prime)])
    table.append(["SALAIRE BRUT", "", "", d.num(gross)])
    table += [[n, d.num(b_), r_.replace(".", ","), d.num(-v) if v else ""] for n, b_, r_, v in rows]
    table += [["Total des cotisations salariales", "", "", d.num(-total)], ["NET À PAYER AVANT IMPÔT", "", "", d.num(before)],
              ["Impôt sur le revenu prélevé à la source", d.num(taxable), str(rate).replace(".", ","), d.num(-tax)]]
    d.add("table", ["Désignation", "Base", "Taux %", "Montant"], table, "lrrr", [["NET PAYÉ (en euros)", "", "", d.put("netAmount", d.num(net), net)]])
    pay = z - dt.timedelta(days=r.randrange(0, 3))
    d.issued = pay
    d.add("p", f"Payé le {d.date(pay, 'issueDate')} par virement. Cumul net imposable : {d.num(taxable * a.month)}")
    d.add("small", "Dans votre intérêt et pour vous aider à faire valoir vos droits, conservez ce bulletin de paie sans limitation de durée. "
                   "Informations : www.service-public.fr")


@builder("PAYSLIP", "fr", "fr-bulletin-simplifie-labels-above", "FR")
def bulletin2(d):
    p, r = d.who, d.r
    f = Firm(r, "FR", "fr")
    a, z = month_of(d)
    gross = cents(r.randrange(190000, 420000)) / 100
    groups = [("SANTÉ", "1.10"), ("RETRAITE", "11.31"), ("ASSURANCE CHÔMAGE", "0.00"), ("CSG / CRDS", "9.53")]
    rows = charges(gross, groups)
    net = gross - sum(x[3] for x in rows)
    d.title, d.author = "Fiche de paie", f.name
    d.add("title", "Bulletin de salaire clarifié", f"Mois de {date_text(a, 'long', 'fr').split(' ', 1)[1]}")
    d.add("pairs", [("Employeur", d.put("companyName", f.name)), ("SIRET", f.siret), ("Ville", f.city), ("Salarié - Nom", d.put("lastName", p.last)),
                    ("Prénom", d.put("firstName", p.first)), ("Né(e) le", d.date(p.birth, "birthDate")), ("Adresse", d.put("address", p.street)),
                    ("CP Ville", town(d, p)), ("Date de paiement", d.date(z, "issueDate"))], "above")
    d.issued = z
    d.add("table", ["Rubrique", "Base", "Taux salarié", "Part salarié"], [["Salaire brut", "", "", d.money(gross)]] +
          [[n, d.num(b_), x.replace(".", ",") + " %", d.money(v)] for n, b_, x, v in rows], "lrrr", [["Net à payer", "", "", d.money(net, "netAmount")]])
    d.truth("net", net == gross - sum(x[3] for x in rows))
    d.add("p", "Virement sur le compte " + d.put("iban", pp.group4(p.iban)))


@builder("PAYSLIP", "fr", "be-fiche-de-paie", "BE")
def be_pay(d):
    p, r = d.who, d.r
    f = Firm(r, "BE", "fr")
    a, z = month_of(d)
    gross = cents(r.randrange(230000, 480000)) / 100
    onss = cents(gross * D("13.07") / 100)
    taxable = gross - onss
    pp_ = cents(taxable * D(r.choice(["18.40", "22.10", "26.75"])) / 100)
    special = cents(r.choice(["18.60", "27.89", "30.99"]))
    net = taxable - pp_ - special
    d.truth("net", gross - onss - pp_ - special == net)
    d.title = f"Fiche de paie {a:%m/%Y}"
    d.add("head", d.put("companyName", f.name), [f.street, f"{f.post} {f.city}", f"N° entreprise {f.reg}   N° ONSS {digits(r, 9)}"])
    d.add("title", "DÉCOMPTE DE RÉMUNÉRATION", f"Période : {a:%m/%Y}     Secrétariat social Partenor")
    d.add("to", window(d, p))
    d.add("table", ["Code", "Libellé", "Montant EUR"], [["1000", "Appointements mensuels bruts", d.num(gross)], ["4000", "ONSS travailleur 13,07 %", d.num(-onss)],
          ["", "Rémunération imposable", d.num(taxable)], ["5100", "Précompte professionnel", d.num(-pp_)], ["5600", "Cotisation spéciale sécurité sociale", d.num(-special)]],
          "llr", [["", "NET À PAYER", d.put("netAmount", d.num(net), net)]])
    d.add("p", f"Le montant net est versé sur le compte {d.put('iban', pp.group4(p.iban))} à la date du {d.date(z, 'issueDate')}.")
    d.issued = z


@builder("PAYSLIP", "fr", "ch-decompte-salaire", "CH")
def ch_pay(d):
    p, r = d.who, d.r
    f = Firm(r, "CH", "fr")
    a, z = month_of(d)
    gross = cents(r.randrange(4800, 9200))
    items = [("AVS/AI/APG", "5.30"), ("AC", "1.10"), ("AANP", "1.24"), ("APG maladie", "0.65")]
    rows = charges(gross, items)
    lpp = cents(r.randrange(220, 520))
    net = gross - sum(x[3] for x in rows) - lpp
    d.truth("net", net == gross - lpp - sum(x[3] for x in rows))
    d.title = "Décompte de salaire"
    d.add("head", d.put("companyName", f.name), [f.street, f"{f.post} {f.city}"])
    d.add("to", window(d, p))
    d.add("title", f"Décompte de salaire {date_text(a, 'long', 'fr').split(' ', 1)[1]}")
    d.add("pairs", [("N° AVS", pp.avs(r)), ("N° personnel", digits(r, 5)), ("Date de naissance", d.date(p.birth, "birthDate")), ("Date", d.date(z, "issueDate"))], "left")
    d.issued = z
    d.add("table", ["Genre de salaire", "Base", "%", "CHF"], [["Salaire mensuel", "", "", d.num(gross)], ["Salaire brut", "", "", d.num(gross)]] +
          [[n, d.num(b_), x, d.num(-v)] for n, b_, x, v in rows] + [["LPP (cotisation employé)", "", "", d.num(-lpp)]], "lrrr",
          [["Salaire net versé", "", "", d.put("netAmount", d.num(net), net)]])
    d.add("p", f"Versement : {p.bank}, IBAN {d.put('iban', pp.group4(p.iban))}")


# ---------------------------------------------------------------- tax notices

@builder("TAX_NOTICE", "fr", "fr-avis-impot-revenus", "FR")
def avis(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 7, 20), dt.date(2026, 9, 1))
    income = r.randrange(19000, 62000)
    net = income - income // 10
    tax = cents(max(0, int(net * .11) - 1200))
    withheld = cents(int(tax * D("0.8")))
    d.title, d.author = "Avis d'impôt 2026 sur les revenus 2025", "DGFiP"
    d.add("head", d.put("issuer", "DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES"), ["SIP de " + p.city, "Avis d'impôt établi en 2026"])
    d.add("to", window(d, p, True))
    d.add("title", "IMPÔT SUR LES REVENUS DE L'ANNÉE 2025", "Impôt sur le revenu et prélèvements sociaux")
    d.add("pairs", [("Numéro fiscal du déclarant 1", f"{digits(r, 2, '123')} {digits(r, 2)} {digits(r, 3)} {digits(r, 3)} {digits(r, 3)}"),
                    ("Référence de l'avis", d.put("documentNumber", "26 69 " + digits(r, 7) + " " + digits(r, 2))), ("Numéro FIP", f"69 {digits(r, 9)} {letters(r, 1)}"),
                    ("Date d'établissement", d.date(d.issued, "issueDate")), ("Date de mise en recouvrement", d.date(dt.date(2026, 7, 31)))], pick(r, ["left", "box"]))
    d.add("table", ["Détail des revenus", "Déclarant 1"], [["Salaires", f"{income:,}".replace(",", " ")], ["Déduction 10 % ou frais réels", f"-{income // 10:,}".replace(",", " ")],
          ["Salaires, pensions, rentes nets", f"{net:,}".replace(",", " ")], ["Revenu fiscal de référence", f"{net:,}".replace(",", " ")], ["Nombre de parts", "1,00"]], "lr", [])
    d.add("table", None, [["Impôt sur le revenu net", d.money(tax)], ["Prélèvement à la source déjà versé", d.money(-withheld)]], "lr",
          [["Montant restant à payer", d.money(tax - withheld, "totalAmount")]])
    d.truth("tax", tax - withheld + withheld == tax)
    d.add("small", "La vérification de ce document peut être faite sur impots.gouv.fr/verifavis avec le numéro fiscal et la référence de l'avis.")


@builder("TAX_NOTICE", "fr", "fr-taxe-fonciere", "FR")
def fonciere(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 8, 25), dt.date(2026, 10, 1))
    base = r.randrange(1400, 4200)
    parts = [("Commune", "38.12"), ("Intercommunalité", "2.45"), ("Taxe GEMAPI", "0.31"), ("Ordures ménagères", "8.90")]
    rows = [(n, x, D(round(base * float(x) / 100))) for n, x in parts]
    fee = D(round(float(sum(v for _, _, v in rows)) * .03))
    total = sum(v for _, _, v in rows) + fee
    d.truth("sum", total == fee + sum(v for *_, v in rows))
    d.title = "Taxe foncière 2026"
    d.add("head", d.put("issuer", "FINANCES PUBLIQUES"), ["AVIS D'IMPÔT 2026", "TAXES FONCIÈRES (votées et perçues par la commune et divers organismes)"])
    d.add("to", window(d, p, True))
    d.add("pairs", [("Référence de l'avis", d.put("documentNumber", "26 35 " + digits(r, 9))), ("Établi le", d.date(d.issued, "issueDate")), ("Date limite de paiement", "15/10/2026"), ("Lieu", p.city)], "dots")
    d.add("table", ["Cotisation", "Base", "Taux", "Montant"], [[n, str(base), x.replace(".", ",") + " %", str(v)] for n, x, v in rows] + [["Frais de gestion", "", "", str(fee)]], "lrrr",
          [["MONTANT DE VOTRE IMPÔT", "", "", d.money(total, "totalAmount")]])
    d.add("small", "Payez par smartphone, sur impots.gouv.fr ou par prélèvement.")


@builder("TAX_NOTICE", "fr", "be-avertissement-extrait", "BE")
def be_tax(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 3, 1), dt.date(2026, 10, 30))
    due = cents(r.randrange(20000, 190000)) / 100
    ipp, add = due + 4000, cents((due + 4000) * D("0.07"))
    paid = ipp + add - due
    d.truth("tax", ipp + add - paid == due)
    d.title = "Avertissement-extrait de rôle"
    d.add("head", d.put("issuer", "Service Public Fédéral FINANCES"), ["Administration générale de la Fiscalité", "Boulevard du Jardin Botanique 50, 1000 Bruxelles"])
    d.add("to", window(d, p))
    d.add("title", "AVERTISSEMENT-EXTRAIT DE RÔLE", "Impôt des personnes physiques et taxes additionnelles – exercice d'imposition 2025")
    d.add("pairs", [("Article du rôle", d.put("documentNumber", digits(r, 9))), ("Date d'envoi", d.date(d.issued, "issueDate")), ("Communication structurée", f"+++{digits(r, 3)}/{digits(r, 4)}/{digits(r, 5)}+++")], "left")
    d.add("table", None, [["Impôt des personnes physiques", d.money(ipp)], ["Taxe communale additionnelle 7 %", d.money(add)], ["Précompte professionnel", d.money(-paid)]], "lr",
          [["Montant à payer", d.money(due, "totalAmount")]])
    d.add("p", f"À payer pour le {d.date(d.issued + dt.timedelta(days=60))} au plus tard au compte {put_iban(d, pp.iban(r, 'BE'))} du Bureau de recettes.")


@builder("TAX_NOTICE", "fr", "ch-decision-taxation", "CH")
def ch_tax(d):
    p, r = d.who, d.r
    issue(d)
    ct, com = cents(r.randrange(3000, 9000)), cents(r.randrange(1500, 5000))
    d.title = "Décision de taxation"
    d.add("head", d.put("issuer", "Administration cantonale des impôts"), ["Route de Berne 46", "1014 Lausanne"])
    d.add("to", window(d, p))
    d.add("title", "Décision de taxation et calcul de l'impôt 2025")
    d.add("pairs", [("N° de contribuable", d.put("documentNumber", f"{digits(r, 3)}.{digits(r, 3)}.{digits(r, 2)}")), ("Date de notification", d.date(d.issued, "issueDate"))], "inline")
    d.add("table", ["Impôt", "CHF"], [["Impôt cantonal", d.num(ct)], ["Impôt communal", d.num(com)]], "lr", [["Total dû", d.put("totalAmount", d.num(ct + com), ct + com)]])
    d.truth("sum", True)
    d.add("p", "Une réclamation peut être déposée dans les 30 jours dès la notification de la présente décision.")


@builder("TAX_NOTICE", "fr", "qc-avis-cotisation", "CA")
def qc_tax(d):
    p, r = d.who, d.r
    p.post, p.city = "H2J 3M8", "Montréal"
    issue(d, dt.date(2026, 4, 1), dt.date(2026, 8, 1))
    tax = cents(r.randrange(400000, 900000)) / 100
    paid = tax - cents(r.randrange(5000, 90000)) / 100
    d.datestyle = pick(r, ["iso", "long"])
    d.title = "Avis de cotisation"
    d.add("head", d.put("issuer", "Agence du revenu – Québec"), ["Complexe Desjardins, C. P. 3000", "Montréal (Québec)  H5B 1A4"])
    d.add("to", window(d, p))
    d.add("title", "Avis de cotisation – Année d'imposition 2025")
    d.add("pairs", [("Numéro d'avis", d.put("documentNumber", f"P{digits(r, 3)} {digits(r, 4)}")), ("Date de l'avis", d.date(d.issued, "issueDate"))], "above")
    d.add("table", ["Ligne", "Description", "Montant"], [["450", "Impôt et cotisations", d.num(tax)], ["451", "Impôt du Québec retenu", d.num(-paid)]], "llr",
          [["", "Solde dû", d.money(tax - paid, "totalAmount")]])


# ---------------------------------------------------------------- invoices

GOODS_FR = [("Pose porte intérieure chêne", 285), ("Main-d'œuvre (heure)", 48), ("Fourniture robinetterie", 139), ("Plaquettes de frein AV", 87),
            ("Vidange + filtre", 119), ("Licence annuelle utilisateur", 240), ("Buffet déjeuner (par personne)", 26), ("Cartes de visite (lot 500)", 75),
            ("Déplacement zone 2", 35), ("Peinture acrylique mate 10 L", 92), ("Tableau électrique 2 rangées", 310), ("Conseil (demi-journée)", 420)]


def lines_of(r, goods, n=None):
    out = []
    for name, price in r.sample(goods, n or r.randrange(2, 6)):
        q = r.randrange(1, 9)
        unit = cents(price) + cents(r.choice([0, 0, "0.50", "0.90"]))
        out.append((name, q, unit, unit * q))
    return out


def invoice_fr(d, country, rate, labels, style, bank_note=True):
    p, r = d.who, d.r
    f = Firm(r, country, "fr")
    issue(d)
    items = lines_of(r, GOODS_FR)
    ht = sum(x[3] for x in items)
    tva = cents(ht * D(rate) / 100)
    ttc = ht + tva
    d.truth("sum", ht + tva == ttc)
    d.title, d.author = f"Facture {f.short}", f.name
    no = pick(r, [f"FA{d.issued:%y%m}-{digits(r, 3)}", f"{d.issued:%Y}-{digits(r, 4)}", f"F{digits(r, 6)}", f"{digits(r, 5)}"])
    d.add("head", d.put("issuer", f.name), firm_lines(f))
    d.add("to", window(d, p))
    pairs = [(labels[0], d.put("invoiceNumber", no)), (labels[1], d.date(d.issued, "issueDate")), ("Échéance", d.date(d.issued + dt.timedelta(days=30))),
             ("Réf. client", "C" + digits(r, 4))]
    d.add("title", labels[2])
    d.add("pairs", pairs, style)
    rows = [[n, str(q), d.num(u), d.num(t)] for n, q, u, t in items]
    d.add("table", ["Désignation", "Qté", "P.U. HT" if country != "CH" else "Prix", "Montant"], rows, "lrrr",
          [["Total HT", "", "", d.num(ht)], [f"TVA {rate.replace('.', ',')} %", "", "", d.num(tva)], [labels[3], "", "", d.money(ttc, "totalAmount")]])
    if bank_note:
        d.add("p", f"Règlement par virement : IBAN {put_iban(d, f.iban)} – BIC {d.put('bic', f.bic)}")
    legal = {"FR": f"{f.name} au capital de {r.randrange(1, 90)} 000 € – RCS {f.city} {f.reg} – TVA {f.vat}", "BE": f"{f.name} – BCE {f.reg} – TVA {f.vat} – RPM {f.city}",
             "CH": f"{f.name} – {f.vat}"}.get(country, f"{f.name} – NEQ {f.reg}")
    d.add("foot", [legal, "Pas d'escompte pour paiement anticipé. Pénalités de retard : trois fois le taux d'intérêt légal." if country == "FR" else "Merci de votre confiance."])
    return f


@builder("INVOICE", "fr", "fr-facture-artisan", "FR")
def inv1(d):
    invoice_fr(d, "FR", "20", ["Facture N°", "Date", "FACTURE", "TOTAL TTC"], pick(d.r, ["left", "inline", "above"]))


@builder("INVOICE", "fr", "fr-facture-labels-below", "FR")
def inv2(d):
    invoice_fr(d, "FR", "10", ["Numéro de facture", "Émise le", "Facture de travaux", "Net à payer"], pick(d.r, ["below", "box"]))


@builder("INVOICE", "fr", "be-facture", "BE")
def inv3(d):
    invoice_fr(d, "BE", "21", ["N° facture", "Date facture", "FACTURE", "Total TVAC"], pick(d.r, ["left", "dots"]))


@builder("INVOICE", "fr", "ch-facture-qr", "CH")
def inv4(d):
    f = invoice_fr(d, "CH", "8.1", ["Facture n°", "Date", "Facture", "Total TTC"], "above", False)
    d.add("h", "Section paiement")
    d.add("cols", [["pairs", [("Compte / Payable à", put_iban(d, f.iban)), ("", f.name), ("", f"{f.post} {f.city}")], "above"]],
          [["pairs", [("Monnaie", "CHF"), ("Montant", d.num(d.raw["totalAmount"]))], "above"]])


@builder("INVOICE", "fr", "fr-facture-prose-sans-etiquette", "FR")
def inv5(d):
    p, r = d.who, d.r
    f = Firm(r, "FR", "fr")
    issue(d)
    total = cents(r.randrange(180, 2400))
    d.title = "Note d'honoraires"
    d.add("p", f.name)
    d.put("issuer", f.name)
    for x in firm_lines(f):
        d.add("p", x)
    d.add("to", window(d, p))
    d.add("right", [f"{f.city}, le {d.date(d.issued, 'issueDate', 'long')}"])
    d.add("title", f"Note d'honoraires n° {d.put('invoiceNumber', f'{d.issued:%Y}/{digits(r, 3)}')}")
    d.add("p", f"Pour la mission d'assistance effectuée du {d.date(d.issued - dt.timedelta(days=20))} au {d.date(d.issued - dt.timedelta(days=4))}, "
               f"nos honoraires s'élèvent à la somme de {d.money(total, 'totalAmount')} (TVA non applicable, art. 293 B du CGI).")
    d.add("p", f"Vous voudrez bien vous acquitter de cette somme sur le compte {put_iban(d, f.iban)} sous trente jours.")
    d.add("foot", [f"SIRET {f.siret}"])


# ---------------------------------------------------------------- proof of address

def bill_fr(d, country, name, what, unit, qty, price, fixed, rate, style, idlabel):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 8, 3))
    use = cents(D(qty) * D(price))
    fix = cents(fixed)
    ht = use + fix
    tva = cents(ht * D(rate) / 100)
    total = ht + tva
    d.truth("sum", use + fix + tva == total)
    d.title, d.author = f"Facture {name}", name
    d.add("head", d.put("issuer", name), ["Service clients – TSA 20012", "Du lundi au samedi de 8 h à 20 h"])
    d.add("to", window(d, p, r.random() < .4))
    d.add("title", f"Votre facture {what} du {d.date(d.issued, 'issueDate', 'long' if r.random() < .5 else None)}")
    d.add("pairs", [(idlabel, digits(r, 10)), ("N° de facture", d.put("invoiceNumber", digits(r, 11))), ("Lieu de consommation", d.fields["address"]),
                    ("Titulaire du contrat", f"{d.fields['firstName']} {d.fields['lastName']}")], style)
    d.add("table", ["Détail", "Quantité", "Prix unitaire HT", "Montant"], [["Abonnement", "1 mois", d.num(fix), d.num(fix)], [f"Consommation {what}", f"{qty} {unit}", str(price).replace(".", ","), d.num(use)]], "lrrr",
          [["Total hors TVA", "", "", d.num(ht)], [f"TVA {str(rate).replace('.', ',')} %", "", "", d.num(tva)], ["Montant TTC", "", "", d.money(total, "totalAmount")]])
    d.add("p", f"Montant prélevé le {d.date(d.issued + dt.timedelta(days=16))}. Aucune action de votre part n'est nécessaire.")
    d.add("foot", [f"{name} – RCS Nanterre {pp.spaced3(pp.siren(r))}" if country == "FR" else name])


@builder("PROOF_OF_ADDRESS", "fr", "fr-facture-electricite", "FR")
def elec(d):
    bill_fr(d, "FR", pick(d.r, ["Lumenéo Énergie", "Voltaris"]), "d'électricité", "kWh", d.r.randrange(90, 620), "0.1634", "14.27", "20", pick(d.r, ["left", "above", "box"]), "Référence client")


@builder("PROOF_OF_ADDRESS", "fr", "fr-facture-eau", "FR")
def eau(d):
    bill_fr(d, "FR", pick(d.r, ["Régie des Eaux du Val", "Aquavenir"]), "d'eau", "m³", d.r.randrange(12, 80), "2.0815", "31.40", "5.5", pick(d.r, ["dots", "inline"]), "N° de contrat")


@builder("PROOF_OF_ADDRESS", "fr", "fr-facture-mobile", "FR")
def mobile(d):
    bill_fr(d, "FR", pick(d.r, ["Télémobil", "Ondéa Fibre"]), "internet et mobile", "Go hors forfait", d.r.randrange(1, 9), "2.0000", d.r.choice(["29.15", "19.99", "34.90"]), "20", pick(d.r, ["below", "left"]), "N° client")


@builder("PROOF_OF_ADDRESS", "fr", "be-facture-energie", "BE")
def be_en(d):
    bill_fr(d, "BE", "Mosavolt", "de gaz", "kWh", d.r.randrange(300, 1400), "0.0812", "9.90", "6", "left", "Numéro client")


@builder("PROOF_OF_ADDRESS", "fr", "ch-facture-services-industriels", "CH")
def ch_en(d):
    bill_fr(d, "CH", "Services industriels du Jorat", "d'électricité", "kWh", d.r.randrange(200, 900), "0.2715", "12.00", "8.1", "box", "N° d'abonné")


@builder("PROOF_OF_ADDRESS", "fr", "fr-attestation-titulaire-contrat", "FR")
def attest_contract(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 8, 3))
    name = pick(r, ["Lumenéo Énergie", "Voltaris", "Gazelia"])
    d.title = "Attestation de contrat"
    d.add("head", d.put("issuer", name), ["Espace client en ligne"])
    d.add("title", "Attestation titulaire de contrat")
    d.add("p", f"{name} atteste que {p.title} {d.put('firstName', p.first)} {d.put('lastName', p.last.upper())} est titulaire d'un contrat de fourniture d'électricité "
               f"depuis le {d.date(day(r, dt.date(2017, 1, 1), dt.date(2026, 3, 1)))} pour le logement situé :")
    d.add("pairs", [("", d.put("address", p.street)), ("", town(d, p))], "bare")
    d.add("p", f"Cette attestation a été établie le {d.date(d.issued, 'issueDate')} et vaut justificatif de domicile.")


# ---------------------------------------------------------------- vehicle registration

MAKES = [("RENAULT", "CLIO", "VP"), ("PEUGEOT", "308", "VP"), ("CITROEN", "C3", "VP"), ("DACIA", "DUSTER", "VP"), ("VOLKSWAGEN", "GOLF", "VP"), ("TOYOTA", "YARIS", "VP")]


@builder("VEHICLE_REGISTRATION", "fr", "fr-certificat-immatriculation", "FR")
def carte_grise(d):
    p, r = d.who, d.r
    d.issued = workday(r, dt.date(2019, 1, 1), dt.date(2026, 10, 1))
    first = day(r, d.issued - dt.timedelta(days=2500), d.issued)
    make, model, kind = pick(r, MAKES)
    d.title = "Certificat d'immatriculation"
    plate = f"{letters(r, 2)}-{digits(r, 3)}-{letters(r, 2)}"
    d.theme["size"] = 10
    d.add("title", "CERTIFICAT D'IMMATRICULATION", "RÉPUBLIQUE FRANÇAISE – Ministère de l'Intérieur – Certificato di matricola / Registration certificate")
    d.add("cols", [["pairs", [("A", d.put("registrationNumber", plate)), ("B", d.date(first)), ("C.1", f"{d.put('lastName', p.last.upper())} {d.put('firstName', p.first.upper())}"),
                              ("C.4a", "EST LE PROPRIÉTAIRE DU VÉHICULE"), ("C.3", d.put("address", p.street.upper())), ("", d.put("postCode", p.post) + " " + d.put("city", p.city.upper()))], "left"]],
          [["pairs", [("D.1", make), ("D.2", letters(r, 3) + digits(r, 3)), ("D.3", model), ("E", pp.vin(r)), ("F.1", str(r.randrange(1500, 2100))), ("G", str(r.randrange(1000, 1500))),
                      ("J.1", kind), ("P.1", str(r.randrange(898, 1998))), ("P.3", pick(r, ["ES", "GO"])), ("P.6", str(r.randrange(4, 9))), ("S.1", "5")], "left"]])
    d.add("pairs", [("I", d.date(d.issued, "issueDate")), ("V.7", str(r.randrange(95, 160))), ("V.9", "EURO 6"), ("X.1", f"VISITE AVANT LE {d.date(years(max(first, dt.date(2023, 1, 5)), 4))}"),
                    ("Y.6", d.money(cents(r.randrange(9000, 32000)) / 100))], "left")
    d.add("pairs", [("N° de formule", d.put("documentNumber", f"{d.issued:%Y}{letters(r, 2)}{digits(r, 5)}"))], "left")
    d.add("mono", [f"CRFRA{plate.replace('-', '')}".ljust(30, "<") + digits(r, 6), f"{pp.vin(r)}".ljust(30, "<") + make[:6].ljust(6, "<")])


@builder("VEHICLE_REGISTRATION", "fr", "be-certificat-immatriculation", "BE")
def be_car(d):
    p, r = d.who, d.r
    d.issued = workday(r, dt.date(2019, 1, 1), dt.date(2026, 10, 1))
    make, model, _ = pick(r, MAKES)
    d.title = "Certificat d'immatriculation"
    d.add("head", "ROYAUME DE BELGIQUE", ["SPF Mobilité et Transports – Direction Immatriculation des Véhicules (DIV)"])
    d.add("title", "Certificat d'immatriculation – Partie I")
    d.add("pairs", [("(A) Numéro d'immatriculation", d.put("registrationNumber", f"{r.choice('12')}-{letters(r, 3)}-{digits(r, 3)}")), ("(B) Date 1re immatriculation", d.date(d.issued - dt.timedelta(days=r.randrange(0, 1500)))),
                    ("(C.1.1) Nom", d.put("lastName", p.last)), ("(C.1.2) Prénom", d.put("firstName", p.first)), ("(C.1.3) Adresse", d.put("address", p.street)), ("", town(d, p)),
                    ("(D.1) Marque", make), ("(D.3) Dénomination commerciale", model), ("(E) Numéro d'identification", pp.vin(r)), ("(I) Date de l'immatriculation", d.date(d.issued, "issueDate")),
                    ("N° du certificat", d.put("documentNumber", digits(r, 8)))], pick(r, ["left", "box"]))


@builder("VEHICLE_REGISTRATION", "fr", "ch-permis-circulation", "CH")
def ch_car(d):
    p, r = d.who, d.r
    d.issued = workday(r, dt.date(2018, 1, 1), dt.date(2026, 10, 1))
    make, model, _ = pick(r, MAKES)
    d.title = "Permis de circulation"
    d.add("title", "PERMIS DE CIRCULATION", "Fahrzeugausweis · Licenza di circolazione · Permiss da circulaziun")
    d.add("pairs", [("15 Plaque", d.put("registrationNumber", f"VD {digits(r, 6)}")), ("01-06 Détenteur", f"{d.put('lastName', p.last)} {d.put('firstName', p.first)}"), ("", d.put("address", p.street)), ("", town(d, p)),
                    ("09 Assurance", "Lémania Assurances"), ("18 N° matricule", d.put("documentNumber", f"{digits(r, 3)}.{digits(r, 3)}.{digits(r, 3)}")), ("21 Marque et type", f"{make} {model}"),
                    ("23 Châssis n°", pp.vin(r)), ("36 1re mise en circulation", d.date(d.issued - dt.timedelta(days=900))), ("37 Cylindrée", f"{r.randrange(998, 1998)} cm³"),
                    ("Service des automobiles, délivré le", d.date(d.issued, "issueDate"))], pick(r, ["left", "above"]))


# ---------------------------------------------------------------- company registration

@builder("COMPANY_REGISTRATION", "fr", "fr-extrait-kbis", "FR")
def kbis(d):
    p, r = d.who, d.r
    f = Firm(r, "FR", "fr")
    issue(d)
    d.title, d.author = "Extrait Kbis", f"Greffe du Tribunal de Commerce de {f.city}"
    d.add("head", d.put("issuer", f"Greffe du Tribunal de Commerce de {f.city}"), [f"N° de gestion {r.randrange(2008, 2025)}B{digits(r, 5)}"])
    d.add("title", "Extrait Kbis", "EXTRAIT D'IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES SOCIÉTÉS")
    d.add("right", [f"à jour au {d.date(d.issued, 'issueDate', 'long')}"])
    st = pick(r, ["left", "inline"])
    d.add("h", "IDENTIFICATION DE LA PERSONNE MORALE")
    d.add("pairs", [("Immatriculation au RCS, numéro", d.put("registrationNumber", f.reg) + f" R.C.S. {f.city}"), ("Date d'immatriculation", d.date(day(r, dt.date(2005, 1, 1), dt.date(2024, 1, 1)))),
                    ("Dénomination ou raison sociale", d.put("companyName", f.short.upper())), ("Forme juridique", {"SARL": "Société à responsabilité limitée", "SAS": "Société par actions simplifiée", "SA": "Société anonyme"}[f.form]),
                    ("Capital social", f"{r.randrange(1, 90)} 000,00 Euros"), ("Adresse du siège", f"{d.put('address', f.street)} {f.post} {f.city}")], st)
    d.put("postCode", f.post), d.put("city", f.city)
    d.add("h", "GESTION, DIRECTION, ADMINISTRATION, CONTRÔLE, ASSOCIÉS OU MEMBRES")
    d.add("p", "Gérant" if f.form == "SARL" else "Président")
    d.add("pairs", [("Nom, prénoms", f"{d.put('lastName', p.last.upper())} {d.put('firstName', p.first)}"), ("Date et lieu de naissance", f"Le {d.date(p.birth, 'birthDate')} à {p.birthplace}"), ("Nationalité", d.put("nationality", "Française"))], st)
    d.add("right", ["Le Greffier", "FIN DE L'EXTRAIT"])


@builder("COMPANY_REGISTRATION", "fr", "fr-avis-situation-sirene", "FR")
def sirene(d):
    r = d.r
    f = Firm(r, "FR", "fr")
    issue(d)
    d.title = "Avis de situation au répertoire Sirene"
    d.add("head", "Institut national de la statistique", ["RÉPERTOIRE SIRENE"])
    d.put("issuer", "Institut national de la statistique")
    d.add("title", "AVIS DE SITUATION AU RÉPERTOIRE SIRENE", f"À la date du {d.date(d.issued, 'issueDate')}")
    d.add("table", ["Description de l'entreprise", "Entreprise active depuis le " + d.date(day(r, dt.date(2004, 1, 1), dt.date(2024, 1, 1)))],
          [["Identifiant SIREN", d.put("registrationNumber", f.reg)], ["Identifiant SIRET du siège", f"{pp.spaced3(f.siret[:9])} {f.siret[9:]}"], ["Dénomination", d.put("companyName", f.short.upper())],
           ["Catégorie juridique", "5710 - SAS, société par actions simplifiée"], ["Activité Principale Exercée (APE)", f"{digits(r, 2)}.{digits(r, 2)}Z"], ["Adresse", d.put("address", f.street.upper())],
           ["", f"{d.put('postCode', f.post)} {d.put('city', f.city.upper())}"]], "ll", [])
    d.add("small", "Important : à l'exception des informations relatives à l'identification de l'entreprise, les renseignements figurant dans ce document n'ont de valeur que pour les applications statistiques.")


@builder("COMPANY_REGISTRATION", "fr", "be-extrait-bce", "BE")
def bce(d):
    r = d.r
    f = Firm(r, "BE", "fr")
    issue(d)
    d.title = "Extrait BCE"
    d.add("head", d.put("issuer", "Banque-Carrefour des Entreprises"), ["SPF Economie, P.M.E., Classes moyennes et Energie"])
    d.add("title", "Extrait des données de l'entité enregistrée")
    d.add("pairs", [("Numéro d'entreprise", d.put("registrationNumber", f.reg)), ("Statut", "Actif"), ("Dénomination", d.put("companyName", f.name)), ("Forme légale", "Société à responsabilité limitée" if f.form == "SRL" else "Société anonyme"),
                    ("Adresse du siège", d.put("address", f.street)), ("", town(d, f)), ("Date de début", d.date(day(r, dt.date(2001, 1, 1), dt.date(2024, 1, 1)))), ("Extrait délivré le", d.date(d.issued, "issueDate"))], pick(r, ["left", "above", "dots"]))


@builder("COMPANY_REGISTRATION", "fr", "ch-extrait-registre-commerce", "CH")
def rc_ch(d):
    r = d.r
    f = Firm(r, "CH", "fr")
    issue(d)
    d.title = "Extrait du registre du commerce"
    d.add("head", d.put("issuer", "Registre du commerce du canton de Vaud"), ["Rue Grenade 38, 1510 Moudon"])
    d.add("table", ["N° d'identification", "Nature juridique", "Inscription"], [[d.put("registrationNumber", f.reg), "Société anonyme" if f.form == "SA" else "Société à responsabilité limitée", d.date(day(r, dt.date(2001, 1, 1), dt.date(2024, 1, 1)))]], "lll", [])
    d.add("pairs", [("1  Raison sociale", d.put("companyName", f.name)), ("2  Siège", d.put("city", f.city)), ("3  Adresse", f"{d.put('address', f.street)}, {d.put('postCode', f.post)} {f.city}"), ("4  But", "Exploitation d'une entreprise commerciale et artisanale."),
                    ("5  Organe de publication", "FOSC")], "left")
    d.add("p", f"Moudon, le {d.date(d.issued, 'issueDate')}. Le présent extrait n'est valable que muni de l'attestation d'authenticité du registre.")


# ---------------------------------------------------------------- insurance

INSURERS_FR = ["Mutuelle du Littoral", "Assurances Générales de Bresse", "Prévoyance Atlantique", "La Rhodanienne Assurances"]


@builder("INSURANCE_CERTIFICATE", "fr", "fr-attestation-habitation-prose", "FR")
def hab(d):
    p, r = d.who, d.r
    issue(d)
    name = pick(r, INSURERS_FR)
    end = years(d.issued.replace(day=1), 1) - dt.timedelta(days=1)
    d.title, d.author = "Attestation d'assurance habitation", name
    d.add("head", d.put("issuer", name), ["Société d'assurance mutuelle à cotisations variables"])
    d.add("to", window(d, p))
    d.add("title", "ATTESTATION D'ASSURANCE HABITATION")
    d.add("p", f"Nous attestons que {p.title} {p.full()} est titulaire d'un contrat multirisque habitation n° {d.put('policyNumber', letters(r, 2) + digits(r, 8))} garantissant sa responsabilité civile "
               f"d'occupant pour le logement situé {p.street}, {p.post} {p.city}.")
    d.add("p", f"La présente attestation est valable jusqu'au {d.date(end, 'expiryDate', pick(r, ['slash', 'long']))}, sous réserve du paiement de la cotisation.")
    d.add("right", [f"Fait le {d.date(d.issued, 'issueDate')}", "Pour la société, la Direction"])


@builder("INSURANCE_CERTIFICATE", "fr", "fr-memo-vehicule-assure", "FR")
def auto(d):
    p, r = d.who, d.r
    issue(d)
    name = pick(r, INSURERS_FR)
    make, model, _ = pick(r, MAKES)
    d.title = "Mémo véhicule assuré"
    d.add("head", d.put("issuer", name), ["Assurance automobile"])
    d.add("title", "MÉMO VÉHICULE ASSURÉ", "Attestation d'assurance – document à conserver")
    d.add("pairs", [("N° de contrat", d.put("policyNumber", f"{digits(r, 3)} {digits(r, 3)} {digits(r, 3)}")), ("Souscripteur", f"{d.put('firstName', p.first)} {d.put('lastName', p.last)}"), ("Immatriculation", d.put("registrationNumber", f"{letters(r, 2)}-{digits(r, 3)}-{letters(r, 2)}")),
                    ("Marque / modèle", f"{make} {model}"), ("Adresse", d.put("address", p.street)), ("", town(d, p)), ("Valable du", d.date(d.issued, "issueDate")), ("au", d.date(years(d.issued, 1) - dt.timedelta(days=1), "expiryDate"))], pick(r, ["above", "left", "box", "below"]))
    d.add("small", "L'existence de l'assurance est vérifiable par les forces de l'ordre au fichier des véhicules assurés (FVA).")


@builder("INSURANCE_CERTIFICATE", "fr", "fr-rc-professionnelle", "FR")
def rcpro(d):
    r = d.r
    f = Firm(r, "FR", "fr")
    issue(d)
    name = pick(r, INSURERS_FR)
    d.title = "Attestation RC professionnelle"
    d.add("head", d.put("issuer", name), ["Département Entreprises"])
    d.add("title", "ATTESTATION D'ASSURANCE RESPONSABILITÉ CIVILE PROFESSIONNELLE")
    d.add("pairs", [("Assuré", d.put("companyName", f.name)), ("SIREN", d.put("registrationNumber", f.reg)), ("Adresse", d.put("address", f.street)), ("", town(d, f)), ("Police n°", d.put("policyNumber", f"RCP-{digits(r, 7)}")),
                    ("Période de validité", f"du {d.date(d.issued, 'issueDate')} au {d.date(years(d.issued, 1), 'expiryDate')}")], pick(r, ["left", "inline"]))
    d.add("table", ["Garantie", "Montant par sinistre"], [["Dommages corporels", d.money(8000000)], ["Dommages matériels et immatériels", d.money(1500000)], ["Défense pénale", d.money(30000)]], "lr", [])
    d.add("p", "La présente attestation ne peut engager l'assureur au-delà des clauses et conditions du contrat auquel elle se réfère.")


@builder("INSURANCE_CERTIFICATE", "fr", "be-carte-internationale-assurance", "BE")
def green_card(d):
    p, r = d.who, d.r
    issue(d)
    make, model, _ = pick(r, MAKES)
    d.title = "Carte internationale d'assurance"
    d.add("title", "1. CARTE INTERNATIONALE D'ASSURANCE AUTOMOBILE", "INTERNATIONAL MOTOR INSURANCE CARD")
    d.add("pairs", [("2. Émise avec l'autorisation du", "Bureau Belge des Assureurs Automobiles"), ("3. Valable du", d.date(d.issued, "issueDate")), ("au", d.date(years(d.issued, 1) - dt.timedelta(days=1), "expiryDate")), ("4. Code pays / assureur / n° police", "B / 0817 / " + d.put("policyNumber", digits(r, 9))),
                    ("5. N° d'immatriculation", d.put("registrationNumber", f"{r.choice('12')}-{letters(r, 3)}-{digits(r, 3)}")), ("6. Catégorie", "A"), ("7. Marque", make), ("9. Nom du preneur", f"{d.put('firstName', p.first)} {d.put('lastName', p.last)}"), ("Adresse", d.put("address", p.street)), ("", town(d, p)),
                    ("10. Délivrée par", d.put("issuer", "Meuse Assurances SA"))], pick(r, ["left", "above"]))


@builder("INSURANCE_CERTIFICATE", "fr", "ch-attestation-rc-menage", "CH")
def rc_ch2(d):
    p, r = d.who, d.r
    issue(d)
    d.title = "Confirmation d'assurance"
    d.add("head", d.put("issuer", "Lémania Assurances SA"), ["Agence générale Riviera"])
    d.add("to", window(d, p))
    d.add("right", [d.date(d.issued, "issueDate", "long")])
    d.add("title", "Confirmation de couverture – ménage et responsabilité civile")
    d.add("pairs", [("Police n°", d.put("policyNumber", f"{digits(r, 2)}.{digits(r, 3)}.{digits(r, 3)}")), ("Échéance du contrat", d.date(years(d.issued, 3), "expiryDate")), ("Somme assurée", "CHF 5'000'000")], "left")
    d.add("p", "Nous confirmons que la couverture susmentionnée est en vigueur et que les primes sont acquittées.")


# ---------------------------------------------------------------- attestations for identity types (digital papers)

@builder("RESIDENCE_PERMIT", "fr", "fr-attestation-prolongation", "FR")
def prolong(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 9, 8))
    d.title = "Attestation de prolongation d'instruction"
    nat = pick(r, ["MAROCAINE", "SÉNÉGALAISE", "TUNISIENNE", "BRÉSILIENNE"])
    d.add("head", d.put("issuer", f"PRÉFECTURE – {p.city.upper()}"), ["Direction de l'immigration", "Bureau du séjour"])
    d.add("title", "ATTESTATION DE PROLONGATION D'INSTRUCTION D'UNE DEMANDE DE TITRE DE SÉJOUR")
    d.add("pairs", [("Numéro étranger", d.put("documentNumber", digits(r, 10, "9"))), ("Nom", d.put("lastName", p.last.upper())), ("Prénom(s)", d.put("firstName", p.first)), ("Date de naissance", d.date(p.birth, "birthDate")), ("Nationalité", d.put("nationality", nat)),
                    ("Adresse", d.put("address", p.street)), ("", town(d, p)), ("Document délivré le", d.date(d.issued, "issueDate")), ("Valable jusqu'au", d.date(d.issued + dt.timedelta(days=90), "expiryDate"))], pick(r, ["left", "inline"]))
    d.add("p", "Ce document autorise son titulaire à séjourner et à travailler sur le territoire français, accompagné du titre de séjour expiré ou du visa.")


@builder("IDENTITY_CARD", "fr", "fr-justificatif-usage-unique", "FR")
def justif(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 9, 8))
    d.title = "Justificatif d'identité à usage unique"
    d.add("head", "RÉPUBLIQUE FRANÇAISE", ["Identité numérique"])
    d.add("title", "Justificatif d'identité à usage unique", f"Généré le {d.date(d.issued, 'issueDate')} à partir d'une carte nationale d'identité électronique")
    d.add("photo", r.randrange(10**6))
    d.add("pairs", [("Nom de naissance", d.put("lastName", p.last.upper())), ("Prénom(s)", d.put("firstName", p.first)), ("Sexe", p.sex), ("Nationalité", d.put("nationality", "Française")), ("Date de naissance", d.date(p.birth, "birthDate")), ("Lieu de naissance", p.birthplace),
                    ("Justificatif valable jusqu'au", d.date(d.issued + dt.timedelta(days=30), "expiryDate"))], pick(r, ["above", "left"]))
    d.add("p", "Destinataire : agence de location. Motif : constitution d'un dossier. Ce justificatif peut être vérifié en ligne par son destinataire.")


@builder("DRIVING_LICENCE", "fr", "fr-releve-information-restreint", "FR")
def rir(d):
    p, r = d.who, d.r
    issue(d)
    d.title = "Relevé d'information restreint"
    got = years(p.birth, 19) + dt.timedelta(days=r.randrange(1, 900))
    d.add("head", "MINISTÈRE DE L'INTÉRIEUR", ["Fichier national des permis de conduire"])
    d.add("title", "RELEVÉ D'INFORMATION RESTREINT", "Droits à conduire du titulaire du permis de conduire")
    d.add("pairs", [("Numéro NEPH / permis", d.put("documentNumber", digits(r, 12))), ("Nom", d.put("lastName", p.last.upper())), ("Prénom", d.put("firstName", p.first)), ("Date de naissance", d.date(p.birth, "birthDate")), ("Édité le", d.date(d.issued, "issueDate"))], pick(r, ["left", "dots"]))
    d.add("table", ["Catégorie", "Date d'obtention", "Validité"], [["B", d.date(got), "Valide"], ["AM", d.date(got), "Valide"]], "lll", [])
    d.add("p", "Ce document ne comporte aucune information relative au nombre de points.")


# ---------------------------------------------------------------- other papers

@builder("OTHER", "fr", "fr-lettre-resiliation", "FR")
def letter(d):
    p, r = d.who, d.r
    issue(d)
    f = Firm(r, "FR", "fr")
    d.title, d.author = "Résiliation", p.full()
    d.add("p", d.put("firstName", p.first) + " " + d.put("lastName", p.last))
    d.add("p", d.put("address", p.street))
    d.add("p", town(d, p))
    d.add("to", [d.put("companyName", f.name), "Service résiliation", f.street, f"{f.post} {f.city}"])
    d.add("right", [f"À {p.city}, le {d.date(d.issued, 'issueDate', 'long')}"])
    d.add("p", "Objet : résiliation de mon abonnement")
    d.add("p", "Madame, Monsieur,")
    d.add("p", "Par la présente, je vous informe de ma volonté de résilier l'abonnement souscrit auprès de votre société. Je vous remercie de m'adresser un décompte de clôture et de cesser tout prélèvement à compter de la réception de ce courrier.")
    d.add("p", "Je vous prie d'agréer, Madame, Monsieur, l'expression de mes salutations distinguées.")
    d.add("right", [p.full()])


@builder("OTHER", "fr", "fr-proces-verbal-assemblee", "FR")
def pv(d):
    r = d.r
    issue(d)
    f = Firm(r, "FR", "fr")
    d.title = "Procès-verbal d'assemblée générale"
    d.add("title", d.put("companyName", f.name), f"Siège social : {d.put('address', f.street)}, {d.put('postCode', f.post)} {d.put('city', f.city)}")
    d.add("h", f"PROCÈS-VERBAL DE L'ASSEMBLÉE GÉNÉRALE ORDINAIRE DU {d.date(d.issued, 'issueDate', 'long')}")
    d.add("p", "L'an deux mille vingt-six, à dix heures, les associés se sont réunis au siège social sur convocation de la gérance. Il est établi une feuille de présence.")
    d.add("p", "Première résolution – L'assemblée approuve les comptes de l'exercice clos et donne quitus au gérant de sa gestion. Cette résolution est adoptée à l'unanimité.")
    d.add("p", f"Deuxième résolution – L'assemblée décide d'affecter le bénéfice de l'exercice, soit {d.money(cents(r.randrange(4000, 60000)), 'totalAmount')}, au report à nouveau.")
    d.add("p", "L'ordre du jour étant épuisé, la séance est levée à onze heures.")


@builder("OTHER", "fr", "fr-menu-restaurant", "FR")
def menu(d):
    r = d.r
    issue(d)
    d.title = "Carte"
    d.add("title", "La Table du " + pick(r, ["Cèdre", "Moulin", "Port", "Chapelier"]), "Menu de la semaine")
    d.put("issuer", d.blocks[0][1])
    d.add("table", None, [[x, f"{pr},{c} €"] for x, pr, c in [("Velouté de potimarron", 8, "50"), ("Œuf parfait, lardons fumés", 9, "50"), ("Filet de bar, fenouil confit", 22, "00"), ("Joue de bœuf braisée", 19, "50"), ("Tarte fine aux pommes", 7, "50"), ("Café gourmand", 8, "00")]], "lr", [])
    d.add("p", "Prix nets, service compris. La liste des allergènes est disponible à l'accueil.")


@builder("OTHER", "fr", "fr-devis", "FR")
def devis(d):
    f = invoice_fr(d, "FR", "20", ["Devis n°", "Date", "DEVIS", "Total TTC"], "left", False)
    d.fields.pop("invoiceNumber"), d.raw.pop("invoiceNumber")
    d.title = "Devis"
    d.blocks = swap(d.blocks, "FA26", "DE26")
    d.blocks[-1][1] = ["Devis valable deux mois. Bon pour accord, date et signature du client :", f"{f.name} – SIRET {f.siret}"]
    d.blocks = [b if b[0] != "pairs" else ["pairs", [x for x in b[1] if x[0] != "Échéance"], b[2]] for b in d.blocks]


@builder("OTHER", "fr", "fr-bon-livraison", "FR")
def delivery(d):
    p, r = d.who, d.r
    issue(d)
    f = Firm(r, "FR", "fr")
    d.title = "Bon de livraison"
    d.add("head", d.put("issuer", f.name), firm_lines(f))
    d.add("to", window(d, p))
    d.add("title", "BON DE LIVRAISON", f"N° BL{digits(r, 6)} du {d.date(d.issued, 'issueDate')}")
    d.add("table", ["Réf.", "Article", "Commandé", "Livré"], [[letters(r, 2) + digits(r, 4), n, str(q), str(q)] for n, q, _, _ in lines_of(r, GOODS_FR)], "llrr", [])
    d.add("p", "Marchandise reçue en bon état. Nom et signature du réceptionnaire :")


@builder("OTHER", "fr", "be-contrat-bail-prose", "BE")
def bail(d):
    p, r = d.who, d.r
    issue(d)
    q = Person(r, "BE", "fr")
    while q.last == p.last:
        q = Person(r, "BE", "fr")
    rent = cents(r.randrange(620, 1400))
    d.title = "Bail de résidence principale"
    d.add("title", "BAIL DE RÉSIDENCE PRINCIPALE")
    d.add("p", f"Entre {q.title} {q.full()}, ci-après le bailleur, et {p.title} {d.put('firstName', p.first)} {d.put('lastName', p.last)}, ci-après le preneur, il est convenu ce qui suit.")
    d.add("p", f"Article 1. Le bailleur donne en location l'appartement sis {d.put('address', p.street)} à {town(d, p)}.")
    d.add("p", f"Article 2. Le bail est conclu pour une durée de trois ans. Le loyer de base est fixé à {d.money(rent, 'totalAmount')} par mois, payable par anticipation le premier de chaque mois au compte {put_iban(d, q.iban)}.")
    d.add("p", "Article 3. Une garantie locative équivalente à deux mois de loyer est constituée sur un compte individualisé au nom du preneur.")
    d.add("p", f"Fait à {p.city}, le {d.date(d.issued, 'issueDate', 'long')}, en trois exemplaires.")


@builder("OTHER", "fr", "fr-releve-de-compte", "FR")
def statement(d):
    p, r = d.who, d.r
    issue(d)
    d.title = "Relevé de compte"
    start_ = cents(r.randrange(20000, 300000)) / 100
    moves, bal, rows = [("VIR SALAIRE", 1), ("PRLV ASSURANCE", -1), ("CB SUPERMARCHE", -1), ("CB STATION", -1), ("VIR LOYER", -1), ("RETRAIT DAB", -1)], start_, []
    for i, (n, s) in enumerate(moves):
        v = cents(r.randrange(1200, 90000)) / 100 * s
        bal += v
        dd = d.issued - dt.timedelta(days=20 - 3 * i)
        rows.append([f"{dd:%d.%m}", n, d.num(-v) if s < 0 else "", d.num(v) if s > 0 else ""])
    d.add("head", d.put("issuer", p.bank), [f"Agence de {p.city}"])
    d.add("to", window(d, p, True))
    d.add("title", f"RELEVÉ DE COMPTE au {d.date(d.issued, 'issueDate')}", f"IBAN {put_iban(d, p.iban)}  BIC {d.put('bic', p.bic)}")
    d.add("table", ["Date", "Opération", "Débit", "Crédit"], [["", "Ancien solde", "", d.num(start_)]] + rows, "llrr", [["", "Nouveau solde", "", d.money(bal, "totalAmount")]])
