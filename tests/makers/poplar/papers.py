"""The documents.  Each function draws one paper and returns a Doc with the values it prints."""
import datetime as dt
from base import *
from sheet import Sheet, Style, HexColor, black, white


class Doc:
    def __init__(self, type_, slug, lang, issued):
        self.type, self.slug, self.lang, self.issued = type_, slug, lang, issued
        self.claims, self.sums, self.pdf, self.scan = [], [], None, False

    def claim(self, key, canon, printed):
        self.claims.append((key, canon, printed))
        return printed

    def total(self, parts, total):
        assert sum(parts) == total, (self.slug, parts, total)
        self.sums.append((parts, total))


def full(p, how="first last"):
    """Name on ordinary papers: one first name and the used name."""
    l, f = p["married"] or p["last"], p["firsts"][0]
    return {"first last": f"{f} {l}", "LAST First": f"{l.upper()} {f}", "LAST FIRST": f"{l} {f}".upper(), "plain": fold(f"{l} {f}").upper(),
            "init": f"{f[0]}. {l}", "Last first": f"{l} {f}", "all": f"{' '.join(p['firsts'])} {l}"}[how]


def civ(p, lang, long=False):
    if lang == "fr":
        return ("Madame " if long else "Mme ") if p["sex"] == "F" else ("Monsieur " if long else "M. ")
    return "Ms " if p["sex"] == "F" else "Mr "


def name_claim(d, p, printed=None, birth_name=False):
    last = p["last"] if birth_name else (p["married"] or p["last"])
    d.claim("last", fold(last).upper(), printed or last)
    d.claim("first", fold(p["firsts"][0]).upper(), printed or p["firsts"][0])


# ---------------- cards and passports ----------------
def cards(rng, d, stamp, faces, mrz=None, tint="#e8f0f7", sex="F"):
    """One A4 copy with one or two faces of a card.  A face: (heading, photo?, [(label, value, col, row)], mrz lines)."""
    st = Style(rng.random(), fonts=["helv", "noto", "ubuntu"], mode="above")
    w, h = 430, 272
    split = False
    if rng.random() < .3:
        split = len(faces) > 1 and rng.random() < .6
        # cut to the card, as a telephone's scanning app does
        s = Sheet(st, stamp, "", (w + 30, (1 if split else len(faces)) * (h + 40) - 10))
        x, y = 15, s.H - 15 - h
    else:
        s = Sheet(st, stamp, "")
        x, y = (s.W - w) / 2 + rng.randint(-40, 40), s.H - 60 - h - rng.randint(0, 60)
    for head, sub, photo, items, lines in faces:
        s.c.setFillColor(HexColor(tint))
        s.c.setStrokeColor(HexColor("#8899aa"))
        s.c.roundRect(x, y, w, h, 12, fill=1)
        s.c.setStrokeColor(HexColor("#cfdbe6"))
        for i in range(12):
            s.c.line(x + 10 + i * 34, y + 8, x + 40 + i * 33, y + h - 30)
        hs = 13
        while s.w(head, hs, True) > w - 50 - s.w(sub, 8.5):
            hs -= .5
        s.put(x + 16, y + h - 24, head, hs, True, color=HexColor("#20406a"))
        s.put(x + w - 16, y + h - 24, sub, 8.5, align="r", color=HexColor("#20406a"))
        left = x + 16
        if photo:
            s.photo(x + 16, y + (74 if lines else 50), 98, 128, sex)
            left = x + 128
        cw = (x + w - left - 10) / 2
        for l, v, col, row in items:
            yy = y + h - 46 - row * 27
            if len(l) <= 3 and l.endswith("."):
                s.put(left + col * cw, yy - 11.5, l, 7.5, color=HexColor("#44546a"))
                s.put(left + col * cw + 17, yy - 11.5, v, 10 if s.w(v, 10, True) < cw * (1.9 if col == 0 else .9) else 8, True)
                continue
            if not l and any(q[0] == "8." for q in items):
                s.put(left + 17, yy - 11.5, v, 10, True)
                continue
            free = (min([q[2] for q in items if q[3] == row and q[2] > col] + [2]) - col) * cw - 6
            ls = 6.8
            while s.w(l, ls) > free and ls > 4.4:
                ls -= .2
            s.put(left + col * cw, yy, l, ls, color=HexColor("#44546a"))
            s.put(left + col * cw, yy - 11.5, v, 10.5 if s.w(v, 10.5, True) < cw * (2 if col == 0 else 1) else 8.5, True)
        for i, m in enumerate(lines):
            z = (w - 32) / (len(m) * .6)
            s.put(x + 16, y + 14 + (len(lines) - 1 - i) * z * 1.12, m, z, font="Courier")
        if split and lines is not faces[-1][4]:
            s.c.showPage()
        else:
            y -= h + 40
    d.pdf = s.done()
    return d


def cni_number(rng):
    L = "BCDFGHJKLMNPRSTVWXYZ"
    return rng.choice(L) + rng.choice("23456789") + "".join(rng.choice("0123456789" + L) for _ in range(6)) + rng.choice("0123456789")


def identity_card(rng, p, addr, issued, scan_date, number=None, years=10):
    """French national identity card: the 2021 card, or the blue card of 1995 (issued before August 2021)."""
    d = Doc("IDENTITY_CARD", "cni", "fr", issued)
    exp = add_years(issued, years) - dt.timedelta(days=1)
    p = {**p, "expiry": exp}
    birth = d_num(p["birth"], "fr", " ")
    d.expiry, d.addr = exp, addr
    tall = f"1,{rng.randint(55, 89)} m"
    if issued >= dt.date(2021, 8, 2):
        num = number or cni_number(rng)
        it = [("NOM / Surname", p["last"].upper(), 0, 0), ("Prénoms / Given names", ", ".join(p["firsts"]), 0, 1),
              ("SEXE / Sex", p["sex"], 0, 2), ("NATIONALITÉ / Nationality", "FRA", 1, 2), ("DATE DE NAISS. / Date of birth", birth, 0, 3),
              ("LIEU DE NAISSANCE / Place of birth", p["birth_place"].upper(), 1, 3)]
        if p["married"]:
            it.append(("NOM D'USAGE / Alternate name", ("ÉP. " if p["sex"] == "F" else "") + p["married"].upper(), 0, 4))
        it += [("N° DU DOCUMENT / Document No", num, 0, 5), ("DATE D'EXPIR. / Expiry date", d_num(exp, "fr", " "), 1, 5)]
        back = [("TAILLE / Height", tall, 0, 0), ("DATE DE DÉLIVRANCE / Date of issue", d_num(issued, "fr", " "), 1, 0),
                ("ADRESSE / Address", addr["street"].upper(), 0, 1), ("", f"{addr['pc']} {addr['city'].upper()}", 0, 1.6), ("", "FRANCE", 0, 2.2)]
        cards(rng, d, scan_date, [("RÉPUBLIQUE FRANÇAISE", "CARTE NATIONALE D'IDENTITÉ / IDENTITY CARD", True, it, []),
                                  ("FR", "", False, back, td1("ID", "FRA", num, p))], sex=p["sex"])
    else:
        num = number or f"{issued.strftime('%y%m')}{rng.choice(['44', '35', '69', '75', '59'])}{rng.randint(1000, 399999):06d}"
        it = [("Nom :", p["last"].upper(), 0, 0), ("Prénom(s) :", ", ".join(x.upper() for x in p["firsts"]), 0, 1), ("Sexe :", p["sex"], 0, 2),
              ("Né(e) le :", d_num(p["birth"], "fr", "."), 1, 2), ("à :", f"{p['birth_place'].upper()} ({p['birth_dep']})", 0, 3), ("Taille :", tall, 1, 3)]
        birth = d_num(p["birth"], "fr", ".")
        if p["married"]:
            it.insert(1, ("Nom d'usage :", "ÉPOUSE " + p["married"].upper() if p["sex"] == "F" else p["married"].upper(), 1, 0.0))
        back = [("Adresse :", addr["street"].upper(), 0, 0), ("", f"{addr['city'].upper()} ({addr['pc'][:2]})", 0, .7), ("Carte valable jusqu'au :", d_num(exp, "fr", "."), 0, 2),
                ("délivrée le :", d_num(issued, "fr", "."), 0, 3), ("par :", "PRÉFECTURE", 0, 4)]
        cards(rng, d, scan_date, [("RÉPUBLIQUE FRANÇAISE", f"CARTE NATIONALE D'IDENTITÉ N° : {num}", True, it, old_cni(num, f"{rng.choice(['441', '351', '691', '751'])}001", p)),
                                  ("", "", False, back, [])], tint="#dfe9f2", sex=p["sex"])
    d.number = num
    d.claim("idno:" + num, num, num)
    d.claim("birth", p["birth"], birth)
    d.claim("last", fold(p["last"]).upper(), p["last"].upper())
    d.claim("first", fold(p["firsts"][0]).upper(), p["firsts"][0] if issued >= dt.date(2021, 8, 2) else p["firsts"][0].upper())
    return d


def passport(rng, p, issued, scan_date, lang, number=None):
    d = Doc("PASSPORT", "passeport" if lang == "fr" else "passport", lang, issued)
    exp = add_years(issued, 10) - dt.timedelta(days=1 if lang == "fr" else 0)
    p = {**p, "expiry": exp}
    d.expiry = exp
    L = "ABCDEFGHKLPRTVXZ"
    if lang == "fr":
        num = number or f"{issued.year % 100:02d}{rng.choice(L)}{rng.choice(L)}{rng.randint(10000, 99999)}"
        birth = d_num(p["birth"], "fr", " ")
        it = [("Type / Type", "P", 0, 0), ("Code du pays / Country code", "FRA", .42, 0), ("Passeport n° / Passport No", num, 1, 0), ("Nom / Surname (1)", p["last"].upper(), 0, 1),
              ("Prénoms / Given names (2)", ", ".join(p["firsts"]), 0, 2), ("Nationalité / Nationality (3)", "Française", 0, 3), ("Date de naissance / Date of birth (4)", birth, 1, 3),
              ("Sexe / Sex (5)", p["sex"], 0, 4), ("Lieu de naissance / Place of birth (6)", p["birth_place"].upper(), 1, 4),
              ("Date de délivrance / Date of issue (7)", d_num(issued, "fr", " "), 0, 5), ("Date d'expiration / Date of expiry (9)", d_num(exp, "fr", " "), 1, 5)]
        if p["married"]:
            it.append(("Nom d'usage", "ép. " + p["married"].upper(), 1, 1))
        lines = td3("FRA", num, p)
        head = ("PASSEPORT / PASSPORT", "RÉPUBLIQUE FRANÇAISE")
    else:
        num = number or f"{rng.randint(510000000, 569999999)}"
        mon = lambda x: f"{x.day:02d} {x.strftime('%b').upper()} {x.strftime('%y')}"
        birth = mon(p["birth"])
        q = {**p, "last": p["married"] or p["last"]}
        it = [("Type/Type", "P", 0, 0), ("Code/Code", "GBR", .42, 0), ("Passport No./Passeport No.", num, 1, 0), ("Surname/Nom (1)", q["last"].upper(), 0, 1),
              ("Given names/Prénoms (2)", " ".join(p["firsts"]).upper(), 0, 2), ("Nationality/Nationalité (3)", "BRITISH CITIZEN", 0, 3), ("Date of birth/Date de naissance (4)", birth, 1, 3),
              ("Sex/Sexe (5)", p["sex"], 0, 4), ("Place of birth/Lieu de naissance (6)", p["birth_place"].upper(), 1, 4), ("Date of issue/Date de délivrance (7)", mon(issued), 0, 5),
              ("Authority/Autorité (8)", "HMPO" if issued.year > 2014 else "IPS", 1, 5), ("Date of expiry/Date d'expiration (9)", mon(exp), 0, 6)]
        lines = td3("GBR", num, q)
        p = q
        head = ("UNITED KINGDOM OF GREAT BRITAIN AND NORTHERN IRELAND", "PASSPORT")
    st = [(head[0], head[1], True, [(l, v, c, r * .94) for l, v, c, r in it], lines)]
    cards(rng, d, scan_date, st, tint=rng.choice(["#f3e9ea", "#eef0f6"]), sex=p["sex"])
    d.number = num
    d.claim("idno:" + num, num, num)
    d.claim("birth", p["birth"], birth)
    d.claim("last", fold(p["last"]).upper(), p["last"].upper())
    d.claim("first", fold(p["firsts"][0]).upper(), p["firsts"][0] if lang == "fr" else p["firsts"][0].upper())
    return d


def residence_permit(rng, p, addr, issued, scan_date, years=4):
    d = Doc("RESIDENCE_PERMIT", "titre_sejour", "fr", issued)
    exp = add_years(issued, years) - dt.timedelta(days=1)
    p = {**p, "expiry": exp}
    d.expiry = exp
    num = cni_number(rng)
    birth = d_num(p["birth"], "fr", " ")
    it = [("NOM / Surname", p["last"].upper(), 0, 0), ("PRÉNOM / Forename(s)", p["firsts"][0].upper(), 0, 1), ("SEXE / Sex", p["sex"], 0, 2), ("NATIONALITÉ / Nationality", p["nat3"], .4, 2),
          ("DATE DE NAISS. / Date of birth", birth, 1, 2), ("TYPE DE TITRE / Type of permit", "CARTE DE SÉJOUR PLURIANNUELLE" if years == 4 else "CARTE DE RÉSIDENT", 0, 3),
          ("DATE D'EXPIRATION / Expiry date", d_num(exp, "fr", " "), 0, 4), ("N° DOCUMENT", num, 1, 4), ("REMARQUES / Remarks", "SALARIÉ" if years == 4 else "AUTORISE SON TITULAIRE À TRAVAILLER", 0, 5)]
    back = [("LIEU DE NAISSANCE / Place of birth", f"{p['birth_place'].upper()} ({p['nat3']})", 0, 0), ("DATE ET LIEU DE DÉLIVRANCE", d_num(issued, "fr", " "), 1, 0),
            ("AUTORITÉ", "PRÉFECTURE", 0, 1), ("ADRESSE / Address", addr["street"].upper(), 0, 2), ("", f"{addr['pc']} {addr['city'].upper()}", 0, 2.6)]
    cards(rng, d, scan_date, [("TITRE DE SÉJOUR / RESIDENCE PERMIT", "RÉPUBLIQUE FRANÇAISE", True, it, []), ("FR", "", False, back, td1("IR", "FRA", num, p))], tint="#f7e9ee", sex=p["sex"])
    d.number = num
    d.claim("idno:" + num, num, num)
    d.claim("birth", p["birth"], birth)
    d.claim("last", fold(p["last"]).upper(), p["last"].upper())
    d.claim("first", fold(p["firsts"][0]).upper(), p["firsts"][0].upper())
    return d


def driving_licence(rng, p, addr, issued, scan_date, lang):
    d = Doc("DRIVING_LICENCE", "permis" if lang == "fr" else "driving_licence", lang, issued)
    birth = d_num(p["birth"], lang, ".")
    first = add_years(p["birth"], 18) + dt.timedelta(days=rng.randint(40, 500))
    first = min(first, issued)
    if lang == "fr":
        exp = add_years(issued, 15) - dt.timedelta(days=1)
        num = f"{issued.year % 100:02d}{rng.choice('ABCDEF')}{rng.choice('ABCDEFGHKL')}{rng.randint(10000, 99999)}"
        it = [("1.", p["last"].upper(), 0, 0), ("2.", ", ".join(p["firsts"]), 0, 1), ("3.", f"{birth}  {p['birth_place'].upper()}", 0, 2), ("4a.", d_num(issued, lang, "."), 0, 3), ("4c.", "Préfecture", 1, 3),
              ("4b.", d_num(exp, lang, "."), 0, 4), ("5.", num, 1, 4), ("9.", "AM   B1   B", 0, 5)]
        if p["married"]:
            it[0] = ("1.", p["last"].upper() + (" ép. " if p["sex"] == "F" else " usage : ") + p["married"].upper(), 0, 0)
        head = ("PERMIS DE CONDUIRE", "RÉPUBLIQUE FRANÇAISE")
    else:
        exp = add_years(issued, 10) - dt.timedelta(days=1)
        p = {**p, "last": p["married"] or p["last"]}
        y, m = p["birth"].year % 100, p["birth"].month + (50 if p["sex"] == "F" else 0)
        sur = (fold(p["last"]).upper() + "99999")[:5]
        ini = (p["firsts"][0][0] + (p["firsts"][1][0] if len(p["firsts"]) > 1 else "9")).upper()
        num = f"{sur}{y // 10}{m:02d}{p['birth'].day:02d}{y % 10}{ini}9{rng.choice('ABCDEFGHJKLMN')}{rng.choice('ABCDEFGHJKLMN')}"
        it = [("1.", p["last"].upper(), 0, 0), ("2.", ("MS " if p["sex"] == "F" else "MR ") + " ".join(p["firsts"]).upper(), 0, 1), ("3.", f"{birth}  {p['birth_place'].upper()}", 0, 2),
              ("4a.", d_num(issued, lang, "."), 0, 3), ("4c.", "DVLA", 1, 3), ("4b.", d_num(exp, lang, "."), 0, 4), ("5.", num, 0, 5), ("8.", addr["street"].upper() + ",", 0, 6),
              ("", f"{addr['city'].upper()}, {addr['pc']}", 0, 6.5), ("9.", "AM/A/B1/B/f/k/l/n/p/q", 0, 7.3)]
        head = ("DRIVING LICENCE", "UK")
    faces = [(head[0], head[1], True, [(l, v, c, r * (.98 if lang == "fr" else .92)) for l, v, c, r in it], [])]
    if rng.random() < .5 and lang == "fr":
        faces.append(("9.          10.          11.          12.", "", False, [(k, f"{d_num(first, lang, '.')}        {d_num(exp, lang, '.')}", 0, i) for i, k in enumerate(["AM", "B1", "B"])], []))
    cards(rng, d, scan_date, faces, tint="#fbe9ef", sex=p["sex"])
    d.number, d.expiry = num, exp
    d.claim("idno:" + num, num, num)
    d.claim("birth", p["birth"], birth)
    d.claim("last", fold(p["last"]).upper(), p["last"].upper())
    d.claim("first", fold(p["firsts"][0]).upper(), p["firsts"][0] if lang == "fr" else p["firsts"][0].upper())
    return d


# ---------------- vehicle ----------------
def registration(rng, p, addr, v, issued, lang):
    d = Doc("VEHICLE_REGISTRATION", "carte_grise" if lang == "fr" else "v5c", lang, issued)
    st = Style(rng.random(), fonts=["helv", "noto", "cour", "ubuntu"], mode=rng.choice(["left", "table"]), accent="#4a6b8a" if lang == "fr" else "#8a2b3a")
    s = Sheet(st, issued)
    s.fr = lang == "fr"
    kw, cc = rng.choice([(66, 999), (74, 1199), (96, 1498)])
    if lang == "fr":
        form = f"{issued.year}{rng.choice('ABCDE')}{rng.choice('PRSTV')}{rng.randint(10000, 99999)}"
        s.put(s.x0, s.y, "RÉPUBLIQUE FRANÇAISE", 9, True)
        s.put(s.x1, s.y, "MINISTÈRE DE L'INTÉRIEUR", 8, align="r")
        s.gap(14)
        s.title("CERTIFICAT D'IMMATRICULATION", "Communauté européenne - Certificate of registration")
        who = full(p, "LAST FIRST")
        f = [("A  Numéro d'immatriculation", v["plate"]), ("B  Date de première immatriculation", d_num(v["first"], lang)), ("C.1  Titulaire", who), ("C.4a", "EST LE PROPRIÉTAIRE DU VÉHICULE"),
             ("C.3  Adresse", addr_lines(addr, True)), ("D.1  Marque", v["make"]), ("D.2  Type variante version", f"M10{v['make'][:3]}{rng.randint(1000, 9999)}K{rng.randint(100, 999)}"), ("D.3  Dénomination commerciale", v["model"]),
             ("E  Numéro d'identification", v["vin"]), ("F.2  Masse en charge maximale (kg)", "1630"), ("G  Masse à vide (kg)", "1165"), ("I  Date du certificat", d_num(issued, lang)), ("J / J.1", "M1   VP"),
             ("P.1  Cylindrée (cm3)", str(cc)), ("P.2  Puissance nette max (kW)", str(kw)), ("P.3  Énergie", "ES"), ("P.6  Puissance administrative", "5"), ("S.1  Places assises", "5"), ("V.7  CO2 (g/km)", str(rng.randint(98, 131))),
             ("Numéro de formule", form)]
        s.fields(f)
    else:
        who = civ(p, lang).upper() + full(p).upper()
        s.put(s.x0, s.y, "Driver & Vehicle Licensing Agency", 10, True)
        s.put(s.x1, s.y, "V5C  UK", 14, True, "r")
        s.gap(14)
        s.title("Registration Certificate", "This document is not proof of ownership. It shows who is responsible for registering and taxing the vehicle.")
        f = [("A  Registration number", v["plate"]), ("B  Date of first registration", d_num(v["first"], lang, " ")), ("C.1 / C.2  Registered keeper", who), ("C.3  Address", addr_lines(addr, True, "en")),
             ("D.1  Make", v["make"]), ("D.3  Model", v["model"]), ("D.5  Body type", "5 DOOR HATCHBACK"), ("E  VIN/Chassis/Frame No.", v["vin"]), ("P.1  Cylinder capacity (cc)", f"{cc} CC"), ("P.3  Type of fuel", "PETROL"),
             ("V.7  CO2 (g/km)", str(rng.randint(98, 131))), ("R  Colour", rng.choice(["BLUE", "GREY", "RED", "WHITE"])), ("I  Acquired vehicle on", d_num(issued - dt.timedelta(days=9), lang, " ")), ("Document reference number", f"{rng.randint(10**10, 10**11 - 1)}"),
             ("Issue date", d_num(issued, lang, " "))]
        s.fields(f)
    name_claim(d, p, who)
    d.claim("plate", v["plate"], v["plate"])
    d.claim("vin", v["vin"], v["vin"])
    d.pdf = s.done()
    return d


def motor_insurance(rng, insurer, p, addr, v, start, policy, lang, vin=True):
    issued = workday(start - dt.timedelta(days=rng.randint(2, 15)))
    d = Doc("INSURANCE_CERTIFICATE", "attestation_assurance" if lang == "fr" else "motor_certificate", lang, issued)
    st = Style(rng.random())
    s = Sheet(st, issued)
    s.fr = lang == "fr"
    end = add_years(start, 1) - dt.timedelta(days=1)
    who = civ(p, lang) + full(p, rng.choice(["first last", "LAST First"]) if lang == "fr" else "first last")
    if lang == "fr":
        s.head(insurer, ["Entreprise régie par le Code des assurances", "Service Clients Auto"], [f"Le {d_long(issued, lang)}"])
        s.to([who] + addr_lines(addr))
        s.title("Attestation d'assurance automobile")
        s.para("Nous soussignés certifions que le contrat désigné ci-dessous garantit, dans les conditions prévues par les articles L.211-1 et suivants du Code des assurances, la responsabilité civile du véhicule suivant.")
        f = [("Souscripteur", who), ("N° de contrat", policy), ("Véhicule assuré", f"{v['make']} {v['model']}"), ("Immatriculation", v["plate"])]
        if vin:
            f.append(("N° de série (VIN)", v["vin"]))
        f += [("Période de validité", f"du {d_num(start, lang)} au {d_num(end, lang)}"), ("Usage", "Vie privée - trajet travail"), ("Formule", rng.choice(["Tous risques", "Tiers étendu"]))]
        s.fields(f)
        s.para("La présente attestation ne peut engager l'assureur en dehors des limites du contrat auquel elle se réfère.")
    else:
        s.head(insurer, ["Motor Underwriting", "Authorised and regulated by the Financial Conduct Authority"], [d_long(issued, lang)])
        s.title("Certificate of Motor Insurance")
        f = [("1. Registration mark of vehicle", v["plate"]), ("Make and model", f"{v['make']} {v['model']}")]
        if vin:
            f.append(("Vehicle identification number", v["vin"]))
        f += [("2. Name of policyholder", who), ("Address", addr_lines(addr, lang="en")), ("Policy number", policy), ("3. Effective date of commencement of insurance", f"00:01 {d_num(start, lang)}"), ("4. Date of expiry of insurance", f"23:59 {d_num(end, lang)}"),
              ("5. Persons entitled to drive", "The policyholder"), ("6. Limitations as to use", "Social, domestic and pleasure including commuting")]
        s.fields(f, mode="above" if st.mode == "below" else None)
        s.para("I hereby certify that the policy to which this certificate relates satisfies the requirements of the relevant law applicable in Great Britain, Northern Ireland, the Isle of Man, Guernsey, Jersey and Alderney.")
        s.put(s.x0, s.y - 12, "Authorised insurer")
    s.sign(s.x0 + 300, s.y - 30, who, issued.toordinal())
    name_claim(d, p, who)
    d.claim("plate", v["plate"], v["plate"])
    if vin:
        d.claim("vin", v["vin"], v["vin"])
    d.claim("holder:" + policy, fold(full(p)).upper(), who)
    d.claim("policy:" + policy, policy, policy)
    d.pdf = s.done()
    return d


def home_insurance(rng, insurer, p, addr, start, policy, lang, schedule=False):
    issued = workday(start - dt.timedelta(days=rng.randint(1, 12)))
    d = Doc("INSURANCE_CERTIFICATE", "assurance_habitation" if lang == "fr" else "home_insurance", lang, issued)
    s = Sheet(Style(rng.random()), issued)
    s.fr = lang == "fr"
    end = add_years(start, 1) - dt.timedelta(days=1)
    who = civ(p, lang) + full(p)
    if lang == "fr":
        s.head(insurer, ["Entreprise régie par le Code des assurances", "Service Habitation"], [f"Fait le {d_long(issued, lang)}"])
        s.to([who] + addr_lines(addr))
        s.title("Échéancier et conditions particulières - Habitation" if schedule else "Attestation d'assurance multirisque habitation")
        s.para(f"{insurer} atteste que {who} est titulaire d'un contrat d'assurance multirisque habitation, en qualité de locataire, couvrant notamment les risques locatifs (incendie, explosion, dégâts des eaux).")
        if not schedule and rng.random() < .45:
            s.para(f"Ce contrat, souscrit sous le numéro {policy}, garantit le logement situé {addr_one(addr)}. Il a pris effet le {d_long(start, lang)} et se renouvelle à l'échéance principale du {d_long(add_years(start, 1), lang)}, sauf résiliation.")
        else:
            s.fields([("Titulaire", who), ("Numéro de contrat", policy), ("Adresse du risque", addr_lines(addr)), ("Nombre de pièces principales", str(rng.randint(2, 5))), ("Date d'effet", d_num(start, lang)), ("Échéance", d_num(end, lang))])
        if schedule:
            pr = rng.randint(14000, 26000)
            tx = round(pr * .09)
            s.table(["Garanties", "Montant annuel"], [["Prime nette", money(pr, lang)], ["Taxes et contributions", money(tx, lang)], ["Total TTC", money(pr + tx, lang)]], [3, 1], "lr", bold_last=True)
            d.total([pr, tx], pr + tx)
        s.para("Cette attestation est délivrée pour servir et valoir ce que de droit. Elle n'implique qu'une présomption de garantie à la charge de l'assureur.")
    else:
        s.head(insurer, ["Home Insurance", "Authorised and regulated by the Financial Conduct Authority"], [d_long(issued, lang)])
        s.to([who] + addr_lines(addr, lang="en"), left=True)
        s.title("Home Insurance - Policy Schedule" if schedule else "Certificate of Home Insurance")
        if not schedule and rng.random() < .45:
            s.para(f"We confirm that {who} holds a contents and tenant's liability policy with us under number {policy}. The policy covers {addr_one(addr, 'en')} from {d_long(start, lang)} to {d_long(end, lang)}.")
        else:
            s.fields([("Policyholder", who), ("Policy number", policy), ("Insured address", addr_lines(addr, lang="en")), ("Cover", "Contents and tenant's liability"), ("Period of insurance", f"{d_long(start, lang)} to {d_long(end, lang)}")])
        if schedule:
            pr = rng.randint(9000, 21000)
            tx = round(pr * .12)
            s.table(["Premium", "Amount"], [["Annual premium", money(pr, lang)], ["Insurance Premium Tax (12%)", money(tx, lang)], ["Total payable", money(pr + tx, lang)]], [3, 1], "lr", bold_last=True)
            d.total([pr, tx], pr + tx)
        s.para("Please read this document together with your policy booklet. If any of the details shown are incorrect, contact us straight away.")
    name_claim(d, p, who)
    d.claim("holder:" + policy, fold(full(p)).upper(), who)
    d.claim("policy:" + policy, policy, policy)
    d.claim("addr:" + start.strftime("%Y-%m"), fold(addr_one(addr)), addr["street"])
    d.pdf = s.done()
    return d


# ---------------- bank ----------------
def bank_details(rng, holder_lines, acc, issued, lang, p=None, addr=None):
    d = Doc("BANK_DETAILS", "rib" if lang == "fr" else "account_details", lang, issued)
    s = Sheet(Style(rng.random()), issued)
    s.fr = lang == "fr"
    ib = group4(acc["iban"])
    if lang == "fr":
        s.head(acc["bank"], [f"Agence {acc['branch']}"], [f"Édité le {d_num(issued, lang)}"])
        s.title("RELEVÉ D'IDENTITÉ BANCAIRE")
        s.para("Ce relevé est destiné à être remis, sur leur demande, à vos créanciers ou débiteurs appelés à faire inscrire des opérations à votre compte (virements, prélèvements, etc.).", 8)
        if rng.random() < .5:
            s.h2("Titulaire du compte")
            for t in holder_lines:
                s.put(s.x0, s.y, t, bold=True)
                s.gap(s.lh)
            s.gap(6)
        else:
            s.fields([("Titulaire du compte" if s.s.mode != "below" else "Titulaire / Account owner", holder_lines)])
        s.table(["Code banque", "Code guichet", "N° de compte", "Clé RIB"], [[acc["code"], acc["branch"], acc["acc"], acc["key"]]], [1, 1, 1.6, .7], "cccc")
        s.fields([("IBAN (International Bank Account Number)", ib), ("BIC (Bank Identifier Code)", acc["bic"]), ("Domiciliation", acc["bank"].upper() + f" {acc['branch']}")], mode=rng.choice(["above", "left", "table"]))
    else:
        s.head(acc["bank"], ["Customer Services"], [d_long(issued, lang)])
        s.to(holder_lines, left=True)
        if rng.random() < .5:
            s.title("Confirmation of your account details")
            s.para("Thank you for your request. You can give the details below to anyone who needs to pay money into your account.")
        else:
            s.title("Account information")
        s.fields([("Account name", holder_lines[0]), ("Sort code", acc["sort"]), ("Account number", acc["acc"]), ("IBAN", ib), ("BIC / SWIFT", acc["bic"]), ("Account type", rng.choice(["Current Account", "Classic Account"]))])
        s.para("This letter has been produced at the customer's request and is valid without a signature.", 8)
    d.claim("iban", acc["iban"], ib)
    if p:
        name_claim(d, p, holder_lines[0])
    d.pdf = s.done()
    return d


def statement(rng, holder_lines, acc, month, credits, lang, p=None, rent=None):
    """Bank statement of one month. credits: [(date, label, cents, claim key or None)]."""
    a, b = month.replace(day=1), month_end(month)
    issued = b + dt.timedelta(days=1)
    d = Doc("OTHER", "releve_compte" if lang == "fr" else "bank_statement", lang, issued)
    s = Sheet(Style(rng.random()), issued)
    s.fr = lang == "fr"
    m = (lambda c: money(c, lang, False))
    pool = ([("CARTE INTERMARCHE", 2300, 11900), ("PRLV SEPA ORANGE SA", 1999, 4599), ("CARTE SNCF CONNECT", 1800, 9700), ("RETRAIT DAB", 2000, 10000), ("CARTE BOULANGERIE", 320, 1490), ("PRLV SEPA ASSURANCE HABITATION", 1400, 2600), ("CARTE LECLERC", 2900, 14000), ("PRLV SEPA EDF CLIENTS PARTICULIERS", 4500, 11000)]
            if lang == "fr" else [("CARD TESCO STORES", 1500, 9800), ("DD O2 MOBILE", 1200, 3200), ("CARD TRAINLINE", 1400, 7800), ("CASH WITHDRAWAL", 2000, 10000), ("DD COUNCIL TAX", 11000, 17500), ("CARD SAINSBURYS", 1800, 8800), ("DD TV LICENCE", 1454, 1455), ("CARD COSTA COFFEE", 380, 990)])
    rows = []
    for lab, lo, hi in rng.sample(pool, rng.randint(5, 8)):
        c = rng.randint(lo, hi - 1)
        if "RETRAIT" in lab or "CASH" in lab:
            c = c // 1000 * 1000
        rows.append((a + dt.timedelta(days=rng.randint(1, b.day - 2)), lab, -c, None))
    if rent:
        rows.append((a + dt.timedelta(days=4), "VIR LOYER" if lang == "fr" else "SO RENT", -rent, None))
    # cards and debits are booked on working days
    rows = [(max(x[0] - dt.timedelta(days=max(0, x[0].weekday() - 4)), a), *x[1:]) for x in rows]
    rows += [tuple(c) for c in credits]
    rows.sort(key=lambda r: r[0])
    op = rng.randint(60000, 240000)
    deb, cre = [-r[2] for r in rows if r[2] < 0], [r[2] for r in rows if r[2] > 0]
    cl = op + sum(cre) - sum(deb)
    assert cl > -50000
    if lang == "fr":
        s.head(acc["bank"], ["Relevé de compte de dépôt"], [f"Date d'arrêté : {d_num(b, lang)}"])
        s.to(holder_lines)
        s.title("RELEVÉ DE COMPTE", f"du {d_num(a, lang)} au {d_num(b, lang)}")
        s.fields([("IBAN", group4(acc["iban"])), ("BIC", acc["bic"])], mode="left")
        R = [["", f"Solde précédent au {d_num(a - dt.timedelta(days=1), lang)}", "" if op >= 0 else m(-op), m(op) if op >= 0 else ""]]
        R += [[x[0].strftime("%d/%m"), x[1], m(-x[2]) if x[2] < 0 else "", m(x[2]) if x[2] > 0 else ""] for x in rows]
        R += [["", "Total des opérations", m(sum(deb)), m(sum(cre))], ["", f"Nouveau solde au {d_num(b, lang)}", "" if cl >= 0 else m(-cl), m(cl) if cl >= 0 else ""]]
        s.table(["Date", "Nature des opérations", "Débit (€)", "Crédit (€)"], R, [.8, 4.2, 1.2, 1.2], "llrr", bold_last=True)
        s.foot("Sauf erreur ou omission. Garantie des dépôts : www.garantiedesdepots.fr")
    else:
        s.head(acc["bank"], ["Your statement"], [f"Statement date {d_long(issued, lang)}"])
        s.to(holder_lines, left=True)
        s.title("Current account statement", f"{d_long(a, lang)} to {d_long(b, lang)}")
        s.fields([("Account name", holder_lines[0]), ("Sort code", acc["sort"]), ("Account number", acc["acc"]), ("IBAN", group4(acc["iban"]))], mode="left")
        bal, R = op, [["", "Balance brought forward", "", "", m(op)]]
        for x in rows:
            bal += x[2]
            R.append([x[0].strftime("%d %b"), x[1], m(-x[2]) if x[2] < 0 else "", m(x[2]) if x[2] > 0 else "", m(bal)])
        R.append(["", "Balance carried forward", "", "", m(cl)])
        s.table(["Date", "Description", "Money out (£)", "Money in (£)", "Balance (£)"], R, [.8, 3.6, 1.2, 1.2, 1.2], "llrrr", bold_last=True)
        s.fields([("Total money in", money(sum(cre), lang)), ("Total money out", money(sum(deb), lang))], mode="left")
        s.foot("Your eligible deposits are protected by the Financial Services Compensation Scheme.")
    d.total([op] + cre + [-x for x in deb], cl)
    d.sums.append((cre, sum(cre)))
    d.claim("iban", acc["iban"], group4(acc["iban"]))
    for c in credits:
        if c[3]:
            d.claim(c[3], c[2], m(c[2]))
    if p:
        name_claim(d, p, holder_lines[0])
    d.pdf = s.done()
    return d


# ---------------- pay ----------------
def pay_figures(lang, gross, rate_tax=None, bonus=0):
    """All figures of one month, in cents."""
    g = gross + bonus
    r = (lambda x: int(x + .5))
    if lang == "fr":
        csgb = r(g * .9825)
        L = [("Sécurité sociale plafonnée", g, 6.90, r(g * .069)), ("Sécurité sociale déplafonnée", g, .40, r(g * .004)), ("Complémentaire Tranche 1", g, 4.01, r(g * .0401)),
             ("CSG déductible de l'impôt sur le revenu", csgb, 6.80, r(csgb * .068)), ("CSG/CRDS non déductible", csgb, 2.90, r(csgb * .029))]
        mut = 2450
        net0 = g - sum(x[3] for x in L) - mut
        imp = net0 + L[4][3] + mut
        rt = rate_tax if rate_tax is not None else 3.2
        pas = r(imp * rt / 100)
        return {"gross": g, "base": gross, "bonus": bonus, "lines": L, "mut": mut, "net0": net0, "imp": imp, "rate": rt, "pas": pas, "net": net0 - pas, "year": 12 * imp}
    # monthly shares of the personal allowance and of the basic rate band; higher rate above
    tax = max(0, r((g - 104750) * .20)) + max(0, r((g - 104750 - 314167) * .20))
    ni = max(0, r((min(g, 418900) - 104800) * .08)) + max(0, r((g - 418900) * .02))
    pen = r((g - 52000) * .05)
    return {"gross": g, "base": gross, "bonus": bonus, "tax": tax, "ni": ni, "pen": pen, "net": g - tax - ni - pen, "year": 12 * g}


def _plain_head(s, st, emp, siret, month, who, addr, left):
    lang = "fr"
    s.put(s.x0, s.y, "BULLETIN DE PAIE", 14, True, color=st.accent)
    s.put(s.x1, s.y, f"Période : {month_name(month, lang)}" if st.title != "box" else f"Paie du {d_num(month, lang)} au {d_num(month_end(month), lang)}", 10, True, "r")
    s.gap(20)
    y = s.y
    for t in left + [f"SIRET : {siret}", f"Code APE : {emp['ape']}"]:
        s.put(s.x0, y, t, 9)
        y -= 12
    y2 = s.y
    for t in [who] + addr_lines(addr):
        s.put(s.x0 + 290, y2 - 24, t, 10)
        y2 -= 13
    s.y = y - 8


def payslip(rng, style_seed, p, addr, emp, month, fig, n, lang, job, hired, mat, ident, acc=None, ytd_off=0, siren=None, siret=None, pay_day=None, show="LAST First", prev=0):
    """n: months of the same pay already in the cumulative amounts, this one included."""
    pay = pay_day or last_workday(month)
    d = Doc("PAYSLIP", f"bulletin_{month:%Y_%m}" if lang == "fr" else f"payslip_{month:%Y_%m}", lang, pay)
    st = Style(style_seed)
    s = Sheet(st, pay)
    s.fr = lang == "fr"
    who = full(p, show)
    m = lambda c: money(c, lang, False)
    key = f"{month:%Y-%m}"
    if lang == "fr":
        siret = siret or emp["siret"]
        left = [emp["name"] + " " + emp["form"]] + addr_lines(emp["addr"])
        if st.head in ("band", "logo"):
            s.head(emp["name"], [f"{emp['form']} - " + addr_one(emp["addr"]), f"N° SIRET : {siret} - Code NAF (APE) : {emp['ape']}"], [f"Période du {d_num(month, lang)} au {d_num(month_end(month), lang)}"])
            s.title("BULLETIN DE SALAIRE", month_name(month, lang).capitalize())
            s.to([civ(p, lang) + who] + addr_lines(addr))
        else:
            _plain_head(s, st, emp, siret, month, civ(p, lang) + who, addr, left)
        f = [("Matricule", mat), ("N° Sécurité sociale", ident[0] + " " + ident[1]), ("Emploi", job), ("Date d'entrée", d_num(hired, lang)), ("Date de paiement", d_num(pay, lang))]
        if st.title in ("box", "left"):
            f.insert(4, ("Convention collective", "Voir contrat de travail"))
        if acc:
            f.append(("Virement sur le compte", group4(acc["iban"])))
        s.fields(f, mode=st.mode if st.mode != "below" else "above")
        R = [["Salaire de base", "151,67", "", m(fig["base"]), ""]]
        if fig["bonus"]:
            R.append(["Prime exceptionnelle", "", "", m(fig["bonus"]), ""])
        R.append(["SALAIRE BRUT", "", "", m(fig["gross"]), ""])
        for l, b, t, a in fig["lines"]:
            R.append([l, m(b), f"{t:.2f}".replace(".", ","), "", m(a)])
        R.append(["Complémentaire santé", "", "", "", m(fig["mut"])])
        ded = sum(x[3] for x in fig["lines"]) + fig["mut"]
        R.append(["Total des cotisations et contributions", "", "", "", m(ded)])
        er = int(fig["gross"] * .3186)
        R.append(["Montant net social", "", "", m(fig["net0"]), ""])
        R.append(["NET À PAYER AVANT IMPÔT SUR LE REVENU", "", "", m(fig["net0"]), ""])
        R.append([f"Impôt sur le revenu prélevé à la source", m(fig["imp"]), f"{fig['rate']:.2f}".replace(".", ","), "", m(fig["pas"])])
        s.table(["Libellé", "Base", "Taux", "Gains", "Retenues"], R, [4, 1.2, .8, 1.2, 1.2], "lrrrr")
        s.totals([("NET PAYÉ", money(fig["net"], lang))])
        if st.grid != "lines":
            s.para(f"Cotisations et contributions patronales : {m(er)} - Total versé par l'employeur : {m(fig['gross'] + er)}", 8)
            d.total([fig["gross"], er], fig["gross"] + er)
        cg, ci, cp = prev + n * fig["gross"] + ytd_off, n * fig["imp"] + ytd_off, n * fig["pas"]
        s.table(["Cumuls", "Brut", "Net imposable", "Impôt prélevé"], [["Mois", m(fig["gross"]), m(fig["imp"]), m(fig["pas"])], [f"Année {month.year}", m(cg), m(ci), m(cp)]], [1.2, 1, 1, 1], "lrrr")
        s.foot("Dans votre intérêt et pour vous aider à faire valoir vos droits, conservez ce bulletin de paie sans limitation de durée. Informations sur le bulletin de paie : www.service-public.fr")
        d.total([fig["base"], fig["bonus"]] if fig["bonus"] else [fig["base"]], fig["gross"])
        d.total([x[3] for x in fig["lines"]] + [fig["mut"]], ded)
        d.total([fig["gross"], -ded], fig["net0"])
        d.total([fig["net0"], -fig["pas"]], fig["net"])
        d.claim("siren:" + emp["root"], siret[:9], siret)
        d.claim(f"ytd:{emp['root']}:{key}", (cg, fig["gross"]), m(cg))
        d.claim("nir", ident[0], ident[0])
    else:
        co = siren or emp["siren"]
        s.head(emp["name"], addr_lines(emp["addr"], lang="en") + [f"Registered in England and Wales No. {co}"], [f"PAYE reference {emp['paye']}"])
        s.title("Payslip" if st.title != "left" else "PAY ADVICE", None)
        f = [("Employee", who), ("Employee no.", mat), ("Job title", job), ("NI number", ident[0]), ("Tax code", "1257L"), ("Pay period", month_name(month, lang)), ("Tax month", str((month.month - 4) % 12 + 1)), ("Payment date", d_num(pay, lang))]
        if acc:
            f.append(("Paid by BACS to", f"{acc['sort']}  {acc['acc']}"))
        s.fields(f, mode="above" if st.mode == "below" else None)
        R = [["Basic salary", m(fig["base"]), "PAYE income tax", m(fig["tax"])], ["Bonus" if fig["bonus"] else "", m(fig["bonus"]) if fig["bonus"] else "", "National Insurance", m(fig["ni"])], ["", "", "Pension (employee)", m(fig["pen"])],
             ["Total gross pay", m(fig["gross"]), "Total deductions", m(fig["tax"] + fig["ni"] + fig["pen"])]]
        s.table(["Payments", "Amount (£)", "Deductions", "Amount (£)"], R, [2, 1, 2, 1], "lrlr", bold_last=True)
        cg = prev + n * fig["gross"] + ytd_off
        s.table(["Year to date", "Gross pay", "Tax paid", "National Insurance", "Pension"], [["", m(cg), m(n * fig["tax"]), m(n * fig["ni"]), m(n * fig["pen"])]], [1.3, 1, 1, 1.3, 1], "lrrrr")
        s.totals([("NET PAY", money(fig["net"], lang))])
        if st.grid != "zebra":
            s.para("Pay date: " + d_long(pay, lang) + ". If you have a question about your pay, contact the payroll team.", 8)
        d.total([fig["gross"], -fig["tax"], -fig["ni"], -fig["pen"]], fig["net"])
        d.claim("siren:" + emp["root"], co, co)
        d.claim(f"ytd:{emp['root']}:{key}", (cg, fig["gross"]), m(cg))
    if acc and lang == "fr":
        d.claim("iban", acc["iban"], group4(acc["iban"]))
    elif acc:
        d.claim("iban", acc["iban"], acc["acc"])
    d.claim(f"net:{emp['root']}:{key}", fig["net"], m(fig["net"]))
    d.claim("income", fig["year"], m(fig["gross"]))
    name_claim(d, p, who)
    d.claim("activity:" + emp["root"], month, d_num(month, lang) if lang == "fr" and (st.title == "box" or st.head in ("band", "logo")) else month_name(month, lang))
    d.pdf = s.done()
    return d


def tax_paper(rng, p, addr, year, amount, lang, issued, emp=None, ident=None, spouse=None):
    """French income tax notice on the year's income, or a UK P60. amount: whole euros (fr) or cents (en)."""
    d = Doc("TAX_NOTICE", "avis_impot" if lang == "fr" else "p60", lang, issued)
    st = Style(rng.random(), fonts=["helv", "noto", "times", "vera"])
    s = Sheet(st, issued)
    s.fr = lang == "fr"
    if lang == "fr":
        who = full(p, "LAST FIRST")
        s.put(s.x0, s.y, "DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES", 9, True)
        s.gap(12)
        s.put(s.x0, s.y, "Centre des finances publiques", 8.5)
        s.gap(10)
        s.title(f"IMPÔT SUR LES REVENUS DE L'ANNÉE {year}", f"Avis d'impôt établi en {year + 1}")
        s.to([civ(p, lang).upper() + who] + ([civ(spouse, lang).upper() + full(spouse, "LAST FIRST")] if spouse else []) + addr_lines(addr, True))
        nf = f"{rng.randint(0, 3)}{rng.randint(10**11, 10**12 - 1)}"
        s.fields([("Numéro fiscal (déclarant 1)", f"{nf[:2]} {nf[2:5]} {nf[5:8]} {nf[8:11]} {nf[11:]}"), ("Référence de l'avis", f"{(year + 1) % 100} 44 {rng.randint(1000000, 9999999)} {rng.randint(10, 99)}"), ("Date d'établissement", d_num(issued, lang)),
                  ("Situation de famille", "Marié(e)" if spouse else "Célibataire"), ("Nombre de parts", "2,00" if spouse else "1,00")])
        sp = rng.randint(19000, 27000) if spouse else 0
        net1 = amount - (amount + 5) // 10
        net2 = sp - (sp + 5) // 10
        tot = net1 + net2
        parts = 2 if spouse else 1
        q = tot / parts
        t = 0
        for lo, hi, k in ((11600, 29579, .11), (29579, 84577, .30), (84577, 181917, .41)):
            t += max(0, min(q, hi) - lo) * k
        t *= parts
        dec = max(0, (1483 if spouse else 897) - .4525 * t)
        tax = max(0, round(t - min(dec, t)))
        e = lambda n: euros(n)
        R = [["Salaires déclarés", e(amount), e(sp) if spouse else "", e(amount + sp)], ["Déduction 10 % ou frais réels", "-" + e((amount + 5) // 10), ("-" + e((sp + 5) // 10)) if spouse else "", "-" + e(amount + sp - tot)],
             ["Salaires, pensions, rentes nets", e(net1), e(net2) if spouse else "", e(tot)], ["Revenu brut global", "", "", e(tot)], ["Revenu imposable", "", "", e(tot)]]
        s.table(["Détail des revenus", "Déclarant 1", "Déclarant 2" if spouse else "", "Total (€)"], R, [3, 1, 1, 1], "lrrr")
        rd = tax
        s.table(["Calcul de l'impôt", "Montant (€)"], [["Impôt sur le revenu net avant corrections", e(rd)], ["Montant de votre impôt", e(rd)]], [3, 1], "lr", bold_last=True)
        s.fields([("Revenu fiscal de référence", e(tot) + " €")], mode="left")
        s.foot("Les informations figurant sur cet avis peuvent être vérifiées sur impots.gouv.fr/verifavis")
        d.total([amount + sp, -(amount + sp - tot)], tot)
        d.rfr = tot
        d.claim("income", amount * 100, e(amount))
    else:
        who = full(p, rng.choice(["first last", "all"]))
        s.put(s.x0, s.y, "P60 End of Year Certificate", 16, True, color=st.accent)
        s.gap(14)
        s.put(s.x0, s.y, f"Tax year to 5 April {year + 1}", 10, True)
        s.gap(16)
        s.para("To the employee: please keep this certificate in a safe place as you will need it if you have to fill in a tax return. You also need it to make a claim for tax credits or to renew your claim.", 8)
        s.fields([("Employee's name", who), ("National Insurance number", ident[0]), ("Surname and works/payroll number", rng.choice("ABC") + str(rng.randint(100, 999))), ("Final tax code", "1257L")], mode=st.mode if st.mode != "below" else "above")
        fig = pay_figures("en", amount // 12)
        tax, ni = fig["tax"] * 12, fig["ni"] * 12
        m = lambda c: money(c, lang, False)
        s.h2("Pay and Income Tax details")
        s.table(["", "Pay (£)", "Tax deducted (£)"], [["In previous employment(s)", "0.00", "0.00"], ["In this employment", m(amount), m(tax)], ["Total for year", m(amount), m(tax)]], [2, 1, 1], "lrr", bold_last=True)
        s.h2("National Insurance contributions in this employment")
        s.table(["NIC letter", "Employee's contributions due on all earnings above the PT (£)"], [["A", m(ni)]], [1, 3], "lr")
        s.fields([("Employer's full name and address", [emp["name"]] + addr_lines(emp["addr"], lang="en")), ("Employer PAYE reference", emp["paye"])], mode="left")
        s.foot("P60(Single sheet)(2025 to 2026)   Certificate by Employer/Paying Office: this form shows your total pay for Income Tax purposes in this employment for the year.")
        d.claim("income", amount, m(amount))
    name_claim(d, p, who)
    d.pdf = s.done()
    return d


# ---------------- companies ----------------
def company_paper(rng, c, issued, lang, struck=None):
    issued = workday(issued)
    d = Doc("COMPANY_REGISTRATION", "extrait_kbis" if lang == "fr" else "company_register", lang, issued)
    st = Style(rng.random(), fonts=["helv", "noto", "times", "ubuntu"])
    s = Sheet(st, issued)
    s.fr = lang == "fr"
    boss = f"{c['boss'][1].upper()} {c['boss'][0]}"
    if lang == "fr" and rng.random() < .4:
        sp = f"{c['siren'][:3]} {c['siren'][3:6]} {c['siren'][6:]}"
        s.put(s.x0, s.y, "INPI", 16, True, color=st.accent)
        s.put(s.x1, s.y, f"Données à jour au {d_num(issued, lang)}", 8.5, align="r")
        s.gap(14)
        s.title("ATTESTATION D'IMMATRICULATION" if not struck else "ATTESTATION DE RADIATION", "AU REGISTRE NATIONAL DES ENTREPRISES")
        s.h2("Identité de l'entreprise")
        s.fields([("Dénomination", c["name"].upper()), ("SIREN", sp), ("Date d'immatriculation au RNE", d_num(c["reg"], lang)), ("Forme juridique", {"SARL": "SARL, société à responsabilité limitée", "SAS": "SAS, société par actions simplifiée"}[c["form"]]), ("Capital social", f"{euros(c['capital'])} EUR"),
                  ("Adresse du siège", addr_lines(c["addr"]))] + ([("Date de radiation", d_long(struck, lang))] if struck else []), mode=st.mode if st.mode != "below" else "above")
        s.h2("Gestion et direction")
        s.fields([("Qualité", "Gérant" if c["form"] == "SARL" else "Président de SAS"), ("Nom, prénom", boss)], mode="left")
        s.h2("Établissement principal")
        s.fields([("SIRET", c["siret"]), ("Activité", c["act"]), ("Code APE", c["ape"])], mode="left")
        if struck:
            s.para(f"L'entreprise a été radiée le {d_long(struck, lang)} à la suite de la clôture de sa liquidation.")
        s.foot("Document issu des données du registre national des entreprises, délivré par l'Institut national de la propriété industrielle.")
        d.slug = "extrait_rne"
        d.claim("siren:" + c["root"], c["siren"], sp)
        pr = d_num(c["reg"], lang)
    elif lang == "fr":
        town = c["addr"]["city"]
        sp = f"{c['siren'][:3]} {c['siren'][3:6]} {c['siren'][6:]}"
        s.put(s.x0, s.y, f"Greffe du Tribunal de Commerce de {town}", 10, True)
        s.put(s.x1, s.y, f"N° de gestion {c['reg'].year}B{rng.randint(100, 9999):05d}", 8.5, align="r")
        s.gap(14)
        s.title("Extrait Kbis" if not struck else "Extrait Kbis - Société radiée", f"EXTRAIT D'IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES SOCIÉTÉS - à jour au {d_long(issued, lang)}")
        s.h2("IDENTIFICATION DE LA PERSONNE MORALE")
        f = [("Immatriculation au RCS, numéro", f"{sp} R.C.S. {town}"), ("Date d'immatriculation", d_num(c["reg"], lang)), ("Dénomination ou raison sociale", c["name"].upper()), ("Forme juridique", {"SARL": "Société à responsabilité limitée", "SAS": "Société par actions simplifiée"}[c["form"]]),
             ("Capital social", f"{euros(c['capital'])},00 Euros"), ("Adresse du siège", addr_one(c["addr"])), ("Activités principales", c["act"]), ("Durée de la personne morale", f"Jusqu'au {d_num(add_years(c['reg'], 99) - dt.timedelta(days=1), lang)}")]
        s.fields(f, mode=st.mode if st.mode != "below" else "left")
        s.h2("GESTION, DIRECTION, ADMINISTRATION, CONTRÔLE")
        s.fields([("Gérant" if c["form"] == "SARL" else "Président", boss)], mode="left")
        if struck:
            s.h2("MENTIONS")
            s.para(f"Radiation du registre du commerce et des sociétés à compter du {d_long(struck, lang)}. Motif : clôture de la liquidation amiable. La société a cessé toute activité.")
        s.para(f"Le Greffier. Délivré à {town}, le {d_long(issued, lang)}. FIN DE L'EXTRAIT", 8)
        d.claim("siren:" + c["root"], c["siren"], sp)
        pr = d_num(c["reg"], lang)
    elif not struck and rng.random() < .45:
        s.title("CERTIFICATE OF INCORPORATION OF A PRIVATE LIMITED COMPANY")
        s.gap(10)
        s.put(s.W / 2, s.y, f"Company Number {c['siren']}", 13, True, "c")
        s.gap(30)
        s.para(f"The Registrar of Companies for England and Wales, hereby certifies that\n \n{c['name'].upper()}\n \nis this day incorporated under the Companies Act {'2006' if c['reg'] >= dt.date(2009, 10, 1) else '1985'} as a private company, that the company is limited by shares, and the situation of its registered office is in England and Wales.", 11)
        s.gap(10)
        s.para(f"Given at Companies House, Cardiff, on {d_long(c['reg'], lang)}", 11)
        s.gap(20)
        s.put(s.W / 2, s.y, "Companies House", 12, True, "c")
        d.claim("siren:" + c["root"], c["siren"], c["siren"])
        d.issued = c["reg"]
        pr = d_long(c["reg"], lang)
    else:
        s.put(s.x0, s.y, "Companies House", 15, True)
        s.put(s.x1, s.y, f"Company information as at {d_long(issued, lang)}", 8.5, align="r")
        s.gap(14)
        s.title(c["name"].upper(), f"Company number {c['siren']}")
        f = [("Registered office address", addr_one(c["addr"], "en")), ("Company status", f"Dissolved" if struck else "Active"), ("Company type", "Private limited Company"), ("Incorporated on", d_long(c["reg"], lang))]
        if struck:
            f.append(("Dissolved on", d_long(struck, lang)))
        f += [("Nature of business (SIC)", f"{c['ape']} - {c['act']}"), ("Director", boss)]
        s.fields(f)
        if struck:
            s.para(f"Final Gazette: the company was struck off the register and dissolved on {d_long(struck, lang)}.")
        d.claim("siren:" + c["root"], c["siren"], c["siren"])
        pr = d_long(c["reg"], lang)
    d.claim("registered:" + c["root"], c["reg"], pr)
    if struck:
        d.claim("struck:" + c["root"], struck, d_long(struck, lang))
    d.pdf = s.done()
    return d


# ---------------- bills, invoices ----------------
ENERGY = {"fr": [("EDF", "552081317"), ("ENGIE", "542107651")], "en": [("British Gas", None), ("Octopus Energy", None), ("E.ON Next", None)]}


def bill(rng, p, addr, issued, lang, holder=None):
    """Electricity bill (or UK council tax bill) as proof of address."""
    issued = workday(issued)
    d = Doc("PROOF_OF_ADDRESS", "facture_energie" if lang == "fr" else "energy_bill", lang, issued)
    s = Sheet(Style(rng.random()), issued)
    s.fr = lang == "fr"
    m = lambda c: money(c, lang)
    sup, siren = rng.choice(ENERGY[lang])
    who = holder or civ(p, lang) + full(p, rng.choice(["first last", "LAST FIRST"]) if lang == "fr" else "first last")
    if lang == "fr":
        kind = rng.random()
        sub, kwh = rng.randint(1100, 1900) * 2, rng.randint(180, 520)
        con = int(kwh * 19.52 * .83)
        tva = int((sub + con) * .2 + .5)
        tot = sub + con + tva
        s.head(sup, [f"SA - SIREN {siren[:3]} {siren[3:6]} {siren[6:]}", f"N° TVA {vat_fr(siren)}"], [f"Facture du {d_long(issued, lang)}", f"N° {rng.randint(10**9, 10**10 - 1)}"] if kind <= .72 else [f"Le {d_long(issued, lang)}"])
        s.to([who] + addr_lines(addr))
        if kind > .72:
            d.slug = "attestation_contrat_energie"
            s.title("Attestation de contrat")
            s.para(f"Madame, Monsieur,\n \nNous attestons que {who} est, à la date du {d_long(issued, lang)}, titulaire du contrat d'électricité référencé {rng.randint(10**8, 10**9 - 1)} pour le logement situé :")
            s.para(f"{addr_one(addr)}", bold=True)
            s.para("Cette attestation est établie à la demande de notre client pour servir et valoir ce que de droit. Elle ne constitue pas un titre d'occupation du logement.\n \nVotre conseiller clientèle")
            d.claim("addr:" + issued.strftime("%Y-%m"), fold(addr_one(addr)), addr["street"])
            if not holder:
                name_claim(d, p, who)
            d.who, d.pdf = who, s.done()
            return d
        s.title("Votre facture d'électricité")
        s.fields([("N° client", f"{rng.randint(10**8, 10**9 - 1)}"), ("Titulaire du contrat", who), ("Lieu de consommation", addr_lines(addr)), ("Point de livraison (PDL)", f"{rng.randint(10**13, 10**14 - 1)}"), ("Période", f"du {d_num(add_months(issued, -2), lang)} au {d_num(issued - dt.timedelta(days=1), lang)}")]
                 if kind < .6 else [("Référence client", f"{rng.randint(10**8, 10**9 - 1)}"), ("Titulaire", who), ("Adresse du logement", addr_lines(addr))])
        s.table(["Détail", "Montant"], [["Abonnement (2 mois) HT", m(sub)], [f"Consommation {kwh} kWh HT", m(con)], ["TVA 20 %", m(tva)], ["Total TTC", m(tot)]], [3, 1], "lr", bold_last=True)
        s.para(f"Montant prélevé le {d_long(min(issued + dt.timedelta(days=15), issued + dt.timedelta(days=15)), lang)}.")
        d.total([sub, con, tva], tot)
    else:
        if rng.random() < .35 and issued.month > 2:
            d.slug = "council_tax"
            s.head(f"{addr['city']} City Council", ["Council Tax, Revenues Service"], [f"Date of issue {d_long(issued, lang)}", f"Account {rng.randint(10**8, 10**9 - 1)}"])
            s.to([who] + addr_lines(addr, lang="en"), left=True)
            s.title("Council Tax Bill 2026/2027")
            a, b, c = rng.randint(140000, 175000), rng.randint(18000, 26000), rng.randint(6000, 9000)
            tot = a + b + c
            s.table(["Charges, band " + rng.choice("ABCD"), "Amount"], [[f"{addr['city']} City Council", m(a)], ["Police and Crime Commissioner", m(b)], ["Fire and Rescue Authority", m(c)], ["Total charge for the year", m(tot)]], [3, 1], "lr", bold_last=True)
            s.fields([("Property to which this bill relates", addr_lines(addr, lang="en")), ("Liable person", who)])
            d.total([a, b, c], tot)
        else:
            s.head(sup, ["Customer Service"], [f"Bill date: {d_long(issued, lang)}", f"Account number: {rng.randint(10**8, 10**9 - 1)}"])
            s.to([who] + addr_lines(addr, lang="en"), left=True)
            s.title("Your electricity bill")
            days, kwh = 61, rng.randint(210, 620)
            sc, con = int(days * 51.4 + .5), int(kwh * 24.8 + .5)
            vat = int((sc + con) * .05 + .5)
            s.fields([("Supply address", addr_lines(addr, lang="en")), ("Billing period", f"{d_long(add_months(issued, -2), lang)} - {d_long(issued - dt.timedelta(days=1), lang)}"), ("Meter point (MPAN)", f"{rng.randint(10**12, 10**13 - 1)}")])
            s.table(["Charges", "Amount"], [[f"Standing charge", m(sc)], [f"Electricity used {kwh} kWh", m(con)], ["VAT at 5%", m(vat)], ["Total for this period", m(sc + con + vat)]], [3, 1], "lr", bold_last=True)
            d.total([sc, con, vat], sc + con + vat)
    d.claim("addr:" + issued.strftime("%Y-%m"), fold(addr_one(addr)), addr["street"])
    if not holder:
        name_claim(d, p, who)
    d.who = who
    d.pdf = s.done()
    return d


ITEMS = {"fr": {"rep": [("Recherche de fuite et dépose", 14000, 26000), ("Remplacement canalisation cuivre", 22000, 61000), ("Réfection enduit et peinture plafond", 38000, 90000), ("Déplacement et évacuation des gravats", 5500, 12000)],
                "car": [("Remplacement pare-chocs avant", 28000, 52000), ("Main-d'oeuvre carrosserie (6 h)", 36000, 48000), ("Peinture aile et pare-chocs", 24000, 45000), ("Optique avant gauche", 18000, 42000)],
                "gen": [("Ordinateur portable 14 pouces", 79000, 129000), ("Station d'accueil", 12000, 21000), ("Écran 27 pouces", 18000, 32000), ("Installation et paramétrage", 6000, 14000)]},
         "en": {"rep": [("Trace leak and strip out", 12000, 24000), ("Replace copper pipework", 21000, 52000), ("Make good and redecorate ceiling", 34000, 82000), ("Call-out and waste removal", 5500, 11000)],
                "car": [("Front bumper assembly", 26000, 48000), ("Body labour (6 hrs)", 32000, 45000), ("Refinish wing and bumper", 22000, 41000), ("Headlamp, nearside", 17000, 39000)],
                "gen": [("Laptop computer 14 inch", 69000, 119000), ("Docking station", 11000, 19000), ("27 inch monitor", 17000, 30000), ("Set-up on site", 6000, 12000)]}}


def invoice(rng, c, to_lines, issued, lang, kind="rep", note=None, p=None, v=None):
    issued = workday(issued)
    d = Doc("INVOICE", "facture" if lang == "fr" else "invoice", lang, issued)
    s = Sheet(Style(rng.random()), issued)
    s.fr = lang == "fr"
    m = lambda x: money(x, lang)
    no = rng.choice([f"F{issued.year}-{rng.randint(100, 999)}", f"{issued:%y%m}{rng.randint(10, 99)}", f"FA-{rng.randint(1000, 9999)}"]) if lang == "fr" else rng.choice([f"INV-{rng.randint(1000, 9999)}", f"{issued:%Y}/{rng.randint(100, 999)}"])
    it = [(a, rng.randint(lo, hi)) for a, lo, hi in rng.sample(ITEMS[lang][kind], rng.randint(2, 4))]
    ht = sum(x[1] for x in it)
    rate = 10 if lang == "fr" and kind == "rep" else 20
    tva = int(ht * rate / 100 + .5)
    tot = ht + tva
    if lang == "fr":
        s.head(c["name"], [f"{c['form']} au capital de {euros(c['capital'])} €"] + addr_lines(c["addr"]) + [f"SIRET {c['siret']}", f"TVA intracommunautaire {c['vat']}"], [f"Facture n° {no}", f"Date : {d_num(issued, lang)}"])
        s.to(to_lines)
        s.title(f"FACTURE {no}")
        f = [("Échéance", d_num(issued + dt.timedelta(days=30), lang))]
        if v:
            f += [("Véhicule", f"{v['make']} {v['model']}"), ("Immatriculation", v["plate"])]
        if note:
            f.append(("Objet", note))
        s.fields(f, mode="left")
        s.table(["Désignation", "Qté", "Total HT"], [[a, "1", m(x)] for a, x in it], [4, .6, 1.3], "lcr")
        s.totals([("Total HT", m(ht)), (f"TVA {rate} %", m(tva)), ("Total TTC", m(tot))])
        s.foot(f"{c['name']} - {c['form']} - SIREN {c['siren']} RCS {c['addr']['city']} - Pénalités de retard : trois fois le taux d'intérêt légal. Indemnité forfaitaire pour frais de recouvrement : 40 €")
        d.claim("siren:" + c["root"], c["siren"], c["siren"])
    else:
        s.head(c["name"], addr_lines(c["addr"], lang="en") + [f"VAT registration No. GB {c['vat'][:3]} {c['vat'][3:7]} {c['vat'][7:]}"], [f"Invoice no. {no}", f"Invoice date {d_long(issued, lang)}"])
        s.to(["Invoice to:"] + to_lines, left=True)
        s.title("INVOICE")
        f = [("Payment terms", "30 days")]
        if v:
            f += [("Vehicle", f"{v['make']} {v['model']}"), ("Registration", v["plate"])]
        if note:
            f.append(("Re", note))
        s.fields(f, mode="left")
        s.table(["Description", "Qty", "Net"], [[a, "1", m(x)] for a, x in it], [4, .6, 1.3], "lcr")
        s.totals([("Subtotal", m(ht)), ("VAT @ 20%", m(tva)), ("Total due", m(tot))])
        s.foot(f"{c['name']}. Registered in England and Wales No. {c['siren']}. Registered office: {addr_one(c['addr'], 'en')}")
        d.claim("siren:" + c["root"], c["siren"], c["siren"])
    d.total([x[1] for x in it], ht)
    d.total([ht, tva], tot)
    d.no, d.tot = no, tot
    d.claim("invtotal:" + no, tot, m(tot))
    d.claim("activity:" + c["root"], issued, d_num(issued, lang) if lang == "fr" else d_long(issued, lang))
    d.claim("invoicedate", issued, d_num(issued, lang) if lang == "fr" else d_long(issued, lang))
    if p:
        name_claim(d, p, to_lines[0])
    if v:
        d.claim("plate", v["plate"], v["plate"])
    d.pdf = s.done()
    return d


# ---------------- agreements, reports ----------------
def id_words(iddoc, lang):
    n = {"IDENTITY_CARD": ("carte nationale d'identité", "identity card"), "PASSPORT": ("passeport", "passport"), "RESIDENCE_PERMIT": ("titre de séjour", "residence permit"), "DRIVING_LICENCE": ("permis de conduire", "driving licence")}[iddoc.type]
    return (f"{n[0]} n° {iddoc.number}" if lang == "fr" else f"{n[1]} No. {iddoc.number}")


def tenancy(rng, p, addr, start, lang, rent, iddoc=None, quote_old=None):
    signed = start - dt.timedelta(days=rng.randint(3, 15))
    d = Doc("OTHER", "bail" if lang == "fr" else "tenancy_agreement", lang, signed)
    st = Style(rng.random(), fonts=["helv", "times", "noto", "vera"])
    s = Sheet(st, signed)
    s.fr = lang == "fr"
    lan = f"{rng.choice(FIRST[lang]['F'])} {rng.choice([x for x in LAST[lang] if x not in (p['last'], p['married'])])}"
    who = civ(p, lang, True) + full(p, "all" if rng.random() < .5 else "first last")
    m = lambda c: money(c, lang)
    ch = rng.randint(3, 9) * 1000
    now = f", demeurant {addr_one(quote_old)}" if quote_old and lang == "fr" else (f", of {addr_one(quote_old, 'en')}" if quote_old else "")
    if lang == "fr":
        s.title("CONTRAT DE LOCATION", "Logement à usage de résidence principale, loi n° 89-462 du 6 juillet 1989 - location non meublée")
        s.para("Entre les soussignés :")
        s.para(f"Madame {lan}, ci-après « le bailleur », et {who}, né{'e' if p['sex'] == 'F' else ''} le {d_long(p['birth'], lang)} à {p['birth_place']}" + (f", titulaire de la {id_words(iddoc, lang)}" if iddoc and iddoc.type == "IDENTITY_CARD" else (f", titulaire du {id_words(iddoc, lang)}" if iddoc else "")) + now + ", ci-après « le locataire », il a été convenu ce qui suit.")
        s.h2("I. Objet du contrat")
        s.fields([("Adresse du logement", addr_lines(addr)), ("Surface habitable", f"{rng.randint(28, 84)} m²"), ("Nombre de pièces", str(rng.randint(2, 4)))])
        s.h2("II. Date de prise d'effet et durée")
        s.para(f"Le contrat prend effet le {d_long(start, lang)} pour une durée de trois ans.")
        s.h2("III. Conditions financières")
        s.table(["Élément", "Montant mensuel"], [["Loyer hors charges", m(rent)], ["Provision pour charges", m(ch)], ["Total mensuel", m(rent + ch)]], [3, 1], "lr", bold_last=True)
        s.para(f"Dépôt de garantie : {m(rent)}. Le loyer est payable d'avance le 5 de chaque mois.")
        for h, t in [("IV. Obligations du locataire", "Le locataire use paisiblement des locaux, répond des dégradations survenues pendant la durée du contrat et s'assure contre les risques locatifs."),
                     ("V. Révision du loyer", "Le loyer est révisé chaque année à la date anniversaire du contrat selon la variation de l'indice de référence des loyers publié par l'INSEE."),
                     ("VI. Annexes", "État des lieux d'entrée, notice d'information, dossier de diagnostic technique.")]:
            s.h2(h)
            s.para(t)
        s.para(f"Fait à {addr['city']}, le {d_long(signed, lang)}, en deux exemplaires.")
        s.put(s.x0, s.y - 4, "Le bailleur")
        s.put(s.x0 + 270, s.y - 4, "Le locataire")
    else:
        s.title("ASSURED TENANCY AGREEMENT" if start >= dt.date(2026, 5, 1) else "ASSURED SHORTHOLD TENANCY AGREEMENT", "for letting a dwelling, Housing Act 1988" + (" as amended" if start >= dt.date(2026, 5, 1) else ""))
        s.para(f"This agreement is made on {d_long(signed, lang)} between Ms {lan} (the Landlord) and {who}, born on {d_long(p['birth'], lang)}" + (f", holder of {id_words(iddoc, lang)}" if iddoc else "") + now + " (the Tenant).")
        s.h2("Particulars")
        s.fields([("The Property", addr_lines(addr, lang="en")), ("Commencement date", d_long(start, lang)), ("Term", "A periodic tenancy, month to month" if start >= dt.date(2026, 5, 1) else "12 months"), ("Rent", f"{m(rent)} per calendar month"), ("Deposit", m(rent))])
        s.h2("Terms")
        for t in ["The Tenant shall pay the Rent in advance on the first day of each month.", "The Tenant shall occupy the Property as the Tenant's only or principal home.", "The Landlord shall keep in repair the structure and exterior of the Property.", "The deposit is held in a government-approved tenancy deposit scheme."]:
            s.para(t)
        s.put(s.x0, s.y - 4, "Signed, Landlord")
        s.put(s.x0 + 270, s.y - 4, "Signed, Tenant")
    s.room(60)
    s.sign(s.x0, s.y - 34, lan, 3)
    s.sign(s.x0 + 270, s.y - 34, who, 5)
    if lang == "fr":
        d.total([rent, ch], rent + ch)
    name_claim(d, p, who)
    d.claim("birth", p["birth"], d_long(p["birth"], lang))
    d.claim("home", (start, fold(addr_one(addr))), addr["street"])
    if iddoc:
        d.claim("quoted:" + iddoc.number, signed, iddoc.number)
    d.signed, d.rent = signed, rent
    d.pdf = s.done()
    return d


def contract(rng, p, addr, emp, start, gross, job, lang, iddoc=None, signed=None, siren=None):
    signed = workday(signed or start - dt.timedelta(days=rng.randint(4, 20)))
    d = Doc("OTHER", "contrat_travail" if lang == "fr" else "employment_contract", lang, signed)
    s = Sheet(Style(rng.random(), fonts=["helv", "times", "noto"]), signed)
    s.fr = lang == "fr"
    co = siren or emp["siren"]
    who = civ(p, lang, True) + full(p, rng.choice(["first last", "all"]))
    boss = " ".join(emp["boss"])
    m = lambda c: money(c, lang)
    if lang == "fr":
        s.title("CONTRAT DE TRAVAIL À DURÉE INDÉTERMINÉE")
        s.para(f"Entre la société {emp['name']}, {emp['form']} immatriculée sous le numéro SIREN {co}, dont le siège est situé {addr_one(emp['addr'])}, représentée par {boss}, d'une part,")
        s.para(f"et {who}, né{'e' if p['sex'] == 'F' else ''} le {d_long(p['birth'], lang)}" + (f", titulaire {'de la' if iddoc.type == 'IDENTITY_CARD' else 'du'} {id_words(iddoc, lang)}" if iddoc else "") + f", demeurant {addr_one(addr)}, d'autre part, il a été convenu ce qui suit :")
        for h, t in [("Article 1 - Engagement", f"{who} est engagé{'e' if p['sex'] == 'F' else ''} en qualité de {job} à compter du {d_long(start, lang)}."), ("Article 2 - Période d'essai", "La période d'essai est fixée à deux mois."),
                     ("Article 3 - Durée du travail", "La durée du travail est de 35 heures par semaine, soit 151,67 heures par mois."), ("Article 4 - Rémunération", f"La rémunération mensuelle brute est fixée à {m(gross)}."), ("Article 5 - Congés payés", "Le salarié bénéficie de 2,5 jours ouvrables de congés par mois de travail effectif."),
                     ("Article 6 - Lieu de travail", f"Le lieu de travail est situé à {emp['addr']['city']}. Il pourra être modifié dans le même secteur géographique selon les besoins du service."),
                     ("Article 7 - Prévoyance et frais de santé", "Le salarié est affilié dès son entrée aux régimes collectifs de prévoyance et de frais de santé en vigueur dans l'entreprise."),
                     ("Article 8 - Confidentialité", "Le salarié s'engage à ne divulguer aucune information relative à l'activité de l'entreprise, pendant la durée du contrat comme après sa rupture."),
                     ("Article 9 - Rupture du contrat", "Au-delà de la période d'essai, chaque partie peut rompre le contrat en respectant le préavis fixé par la convention collective.")]:
            s.h2(h)
            s.para(t)
        s.para(f"Fait à {emp['addr']['city']}, le {d_long(signed, lang)}, en deux exemplaires originaux.")
    else:
        s.title("Contract of Employment", "Statement of particulars under the Employment Rights Act 1996")
        s.fields([("Employer", f"{emp['name']} (company number {co})"), ("Employer's address", addr_one(emp["addr"], "en")), ("Employee", who), ("Date of birth", d_long(p["birth"], lang)), ("Employee's address", addr_one(addr, "en"))] + ([("Identity document seen", id_words(iddoc, lang))] if iddoc else []) +
                 [("Job title", job), ("Start date", d_long(start, lang)), ("Salary", f"{m(gross)} per month, gross"), ("Hours", "37.5 hours per week"), ("Notice period", "One month")], mode=s.s.mode if s.s.mode != "below" else "table")
        for h, t in [("Pay", "You will be paid monthly in arrears by bank transfer on or before the last working day of the month."), ("Holidays", "Your holiday entitlement is 25 days plus bank holidays each year. The holiday year runs from 1 January to 31 December."),
                     ("Sickness", "You must tell your manager on the first day of any absence. Statutory Sick Pay is paid if you qualify."), ("Pension", "You will be enrolled automatically into the workplace pension scheme if you are eligible."),
                     ("Disciplinary and grievance procedures", "The procedures are set out in the staff handbook and do not form part of this contract.")]:
            s.h2(h)
            s.para(t)
        s.para(f"Signed for the employer by {boss} on {d_long(signed, lang)}.")
    s.sign(s.x0, s.y - 30, boss, 7)
    s.sign(s.x0 + 270, s.y - 30, who, 9)
    name_claim(d, p, who)
    d.claim("birth", p["birth"], d_long(p["birth"], lang))
    d.claim("siren:" + emp["root"], co, co)
    d.claim("contract:" + emp["root"], (signed, start, gross), m(gross))
    if iddoc:
        d.claim("quoted:" + iddoc.number, signed, iddoc.number)
    d.signed = signed
    d.pdf = s.done()
    return d


def damage_report(rng, insurer, p, addr, policy, damage, lang, car=None, holder=None):
    issued = damage + dt.timedelta(days=rng.randint(1, 4))
    d = Doc("OTHER", "declaration_sinistre" if lang == "fr" else "claim_form", lang, issued)
    s = Sheet(Style(rng.random()), issued)
    s.fr = lang == "fr"
    who = full(holder or p)
    if not car and rng.random() < .4:
        # a letter of the insured person
        for t in [who] + addr_lines(addr, lang=lang):
            s.put(s.x0, s.y, t)
            s.gap(s.lh)
        s.to([insurer, "Service Sinistres" if lang == "fr" else "Claims Department"])
        s.gap(10)
        if lang == "fr":
            s.put(s.x0 + 275, s.y, f"{addr['city']}, le {d_long(issued, lang)}")
            s.gap(26)
            s.para(f"Objet : déclaration de dégât des eaux - contrat n° {policy}", bold=True)
            s.para(f"Madame, Monsieur,\n \nJe vous déclare un dégât des eaux survenu le {d_num(damage, lang)} à mon domicile, assuré par le contrat n° {policy}. Une canalisation encastrée de la salle de bains s'est rompue et l'eau a endommagé le plafond et le mur du séjour.\n \nJe tiens les pièces endommagées à la disposition de votre expert et vous adresserai la facture de remise en état.\n \nJe vous prie d'agréer, Madame, Monsieur, l'expression de mes salutations distinguées.")
        else:
            s.put(s.x0, s.y, d_long(issued, lang))
            s.gap(26)
            s.para(f"Policy number {policy} - escape of water", bold=True)
            s.para(f"Dear Sir or Madam,\n \nI am writing to report damage at my home on {d_num(damage, lang)}. A pipe under the bathroom floor burst and water came through the living room ceiling.\n \nI will send you the invoice for the repairs. Please let me know if you wish to inspect the damage.\n \nYours faithfully,")
        s.put(s.x0, s.y - 44, who)
    elif lang == "fr":
        s.head(insurer, ["Service Sinistres"], [f"Reçue le {d_num(issued, lang)}"])
        s.title("DÉCLARATION DE SINISTRE", "Automobile" if car else "Dégât des eaux")
        f = [("Assuré", who), ("N° de contrat", policy), ("Adresse de l'assuré", addr_lines(addr)), ("Date du sinistre", d_num(damage, lang))]
        if car:
            f.append(("Véhicule", f"{car['make']} {car['model']} - {car['plate']}"))
        s.fields(f)
        s.h2("Circonstances")
        s.para(("En quittant un stationnement, un autre véhicule a heurté l'avant de ma voiture. Le pare-chocs et l'aile sont endommagés." if car else "Une canalisation encastrée de la salle de bains s'est rompue. L'eau a endommagé le plafond et le mur du séjour.") + f" Le sinistre est survenu le {d_long(damage, lang)} vers {rng.randint(7, 21)} heures.")
        s.para(f"Fait à {addr['city']}, le {d_long(issued, lang)}")
    else:
        s.head(insurer, ["Claims Department"], [f"Received {d_long(issued, lang)}"])
        s.title("Claim form", "Motor" if car else "Escape of water")
        f = [("Policyholder", who), ("Policy number", policy), ("Address", addr_lines(addr, lang="en")), ("Date of loss", d_num(damage, lang))]
        if car:
            f.append(("Vehicle", f"{car['make']} {car['model']}, {car['plate']}"))
        s.fields(f)
        s.h2("What happened")
        s.para(("Another vehicle ran into the front of my car as I was leaving a parking space. The bumper and wing are damaged." if car else "A pipe under the bathroom floor burst and water came through the living room ceiling.") + f" This happened on {d_long(damage, lang)} at about {rng.randint(7, 21)}:00.")
        s.para(f"I declare that the details given are true. Date: {d_long(issued, lang)}")
    s.sign(s.x0 + 270, s.y - 20, who, 11)
    name_claim(d, holder or p, who)
    d.claim("holder:" + policy, fold(full(holder or p)).upper(), who)
    d.claim("damage", damage, d_num(damage, lang))
    if car:
        d.claim("plate", car["plate"], car["plate"])
    d.pdf = s.done()
    return d


def marriage(rng, p, spouse, wed):
    """Certified copy of an entry of marriage (England and Wales), which links birth name and married name."""
    d = Doc("OTHER", "marriage_certificate", "en", wed)
    s = Sheet(Style(rng.random(), fonts=["helv", "times", "noto"], accent="#2e6b3f", mode="table"), wed)
    s.fr = False
    s.title("CERTIFIED COPY OF AN ENTRY OF MARRIAGE", "Given by the Superintendent Registrar, Marriage Act 1949")
    pl = rng.choice(PLACES["en"])
    w, h = (p, spouse) if p["sex"] == "F" else (spouse, p)
    s.fields([("1. Date of marriage", d_long(wed, "en")), ("2. Place of marriage", f"The Register Office, {pl[0]}"), ("3. Name and surname (first party)", f"{' '.join(h['firsts'])} {h['last'].upper()}"), ("Date of birth", d_long(h["birth"], "en")),
              ("4. Name and surname (second party)", f"{' '.join(w['firsts'])} {w['last'].upper()}"), ("Date of birth", d_long(w["birth"], "en")), ("Condition", "Single / Single")])
    s.para(f"Certified to be a true copy of an entry in the register. Date: {d_long(wed, 'en')}")
    d.claim("birth", p["birth"], d_long(p["birth"], "en"))
    d.claim("last", fold(p["last"]).upper(), p["last"].upper())
    d.claim("first", fold(p["firsts"][0]).upper(), p["firsts"][0])
    d.pdf = s.done()
    return d
