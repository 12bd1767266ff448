"""Identity cards, passports, residence permits, driving licences and vehicle papers, drawn by millimetres.

No security print is copied: waves, flat colours and an oval head are enough to say what kind of paper it is."""
import datetime as dt

from base import Doc, design
from data import REF, date, mrz_name
from engines import Card, Canvas, fill, gs, lineprinter, ps, psx, typ, weasy, chrome, tex, fp

ISO3 = {"FR": "FRA", "BE": "BEL", "CH": "CHE", "IE": "IRL", "GB": "GBR", "US": "USA", "CA": "CAN", "CAE": "CAN", "DE": "D", "ES": "ESP", "IT": "ITA",
        "NL": "NLD", "PT": "PRT"}
LANG = {"FR": "fr", "BE": "fr", "CH": "fr", "CA": "fr", "DE": "de", "ES": "es", "IT": "it", "NL": "nl", "PT": "pt"}
PROD = {"weasy": "WeasyPrint", "chrome": "Skia/PDF", "mupdf": "MuPDF"}
IDLAB = {  # state, title, surname, given, sex, nationality, birth, document number, expiry, nationality word, date notation, colour, bilingual birth place
    "FR": ("RÉPUBLIQUE FRANÇAISE", "CARTE NATIONALE D'IDENTITÉ / IDENTITY CARD", "NOM / Surname", "Prénoms / Given names", "SEXE / Sex",
        "NATIONALITÉ / Nationality",
           "DATE DE NAISS. / Date of birth", "N° DU DOCUMENT / Document No", "DATE D'EXPIR. / Expiry date", "FRA", "d m y", "#8fb4d9",
               "LIEU DE NAISSANCE / Place of birth"),
    "BE": ("BELGIQUE BELGIË BELGIEN BELGIUM", "CARTE D'IDENTITÉ IDENTITEITSKAART", "Nom / Naam / Name", "Prénoms / Voornamen / Given names", "Sexe / Sex",
           "Nationalité / Nationality", "Date de naissance / Geboortedatum", "N° carte / Kaartnr / Card No", "Expire le / Expires on", "Belge", "d.m.y",
               "#d9b48f", "Lieu / Place"),
    "CH": ("SCHWEIZERISCHE EIDGENOSSENSCHAFT  CONFÉDÉRATION SUISSE", "IDENTITÄTSKARTE CARTE D'IDENTITÉ CARTA D'IDENTITÀ", "Name Nom Cognome",
        "Vorname(n) Prénom(s) Nome(i)",
           "Geschlecht Sexe", "Staatsangehörigkeit Nationalité", "Geburtsdatum Date de naissance", "Nr. N° Identity card no", "Gültig bis Valable jusqu'au",
               "CHE", "d.m.y", "#e0a0a0",
           "Heimatort Lieu d'origine"),
    "IE": ("ÉIRE  IRELAND", "CÁRTA PAS  PASSPORT CARD", "Sloinne / Surname", "Réamhainm(neacha) / Forename(s)", "Gnéas / Sex", "Náisiúntacht / Nationality",
           "Dáta breithe / Date of birth", "Uimh. chárta / Card No", "As feidhm / Expiry", "IRL", "d/m/y", "#a0cfae", "Áit bhreithe / Place of birth"),
    "DE": ("BUNDESREPUBLIK DEUTSCHLAND", "PERSONALAUSWEIS / IDENTITY CARD", "Name / Surname", "Vornamen / Given names", "Geschlecht / Sex",
        "Staatsangehörigkeit / Nationality",
           "Geburtstag / Date of birth", "Ausweisnummer / Card no.", "Gültig bis / Date of expiry", "DEUTSCH", "d.m.y", "#b9c9a5",
               "Geburtsort / Place of birth"),
    "ES": ("REINO DE ESPAÑA", "DOCUMENTO NACIONAL DE IDENTIDAD", "APELLIDOS", "NOMBRE", "SEXO", "NACIONALIDAD", "FECHA DE NACIMIENTO", "NUM SOPORT",
        "VALIDEZ", "ESP", "d m y",
           "#d5b9d0", "LUGAR DE NACIMIENTO"),
    "IT": ("REPUBBLICA ITALIANA", "CARTA DI IDENTITÀ / IDENTITY CARD", "COGNOME / SURNAME", "NOME / NAME", "SESSO / SEX", "CITTADINANZA / NATIONALITY",
        "NATO IL / DATE OF BIRTH",
           "NUMERO / CARD NO", "SCADENZA / EXPIRY", "ITA", "d.m.y", "#b5c5e0", "LUOGO DI NASCITA / PLACE OF BIRTH"),
}


def docno(k, cc):
    d, a = k.digits, k.letters
    return {"FR": a(1) + d(1) + a(4) + d(2) + a(1), "BE": d(9), "CH": "S" + a(1) + d(2) + a(1) + d(3) + a(1), "IE": "C" + d(8), "DE": "L" + d(2) + a(1) +
        d(2) + a(1) + d(2),
            "ES": a(3) + d(6), "IT": "CA" + d(5) + a(2)}.get(cc, d(9))


def how(k):
    return k.choice(["weasy", "chrome", "mupdf"])


def sheet(k):
    """A card is sent as a cut-out of both sides under each other, as an A4 photocopy, or just larger than life."""
    m = k.choice(["card", "card", "a4", "a4side"])
    if m == "card":
        return Card(k, 94, 124), (4, 4), (4, 64)
    c = Card(k, 210, 297)
    if m == "a4":
        c.s(105, 18, k.choice(["", "", "COPIE", "Recto / verso", "copy for file"]), 9, align="c")
        return c, (60, 35), (60, 110)
    return c, (12, 40), (108, 40)


def eu_identity(k, cc):
    L = IDLAB[cc]
    p, a = k.person(cc), k.addr(cc)
    iss = k.day(dt.date(2021, 8, 2), dt.date(2026, 8, 30))
    exp = dt.date(iss.year + 10, iss.month, min(iss.day, 28)) - dt.timedelta(days=1)
    num = docno(k, cc)
    c, (x, y), (bx, by) = sheet(k)
    both = k.random() < .3
    first = p.first + (", " + p.second if both and p.second != p.first else "")
    fd = lambda q: date(q, L[10])
    face = k.choice(["sans", "sans", "roboto", "lato"])
    photo_left = cc not in ("CH",)
    c.box(x, y, 86, 54, "#f4f7fa", "#8899aa", 3)
    c.waves(L[11], 14, y, 54) if c.w < 100 else c.box(x + 1, y + 9.6, 84, .4, L[11])
    c.s(x + 4, y + 5, L[0], 6.2, face, True, "#223355")
    c.s(x + 4, y + 8.2, L[1], 4.2, face)
    c.face(x + (4 if photo_left else 58), y + 14, 24, 31)
    tx = x + (31 if photo_left else 4)
    lastv = p.last.upper()
    c.lab(tx, y + 13, L[2], lastv, 8, face=face)
    c.lab(tx, y + 20, L[3], first, 8, face=face)
    c.lab(tx, y + 27, L[4], p.sex, 7, face=face)
    c.lab(tx + 9, y + 27, L[5], L[9], 7, face=face)
    c.lab(tx + 29, y + 27, L[6], fd(p.birth), 7, face=face)
    c.lab(tx, y + 34, L[12], a.city.upper(), 7, face=face)
    c.lab(tx, y + 41, L[7], num, 8, face=face)
    c.lab(tx + 29, y + 41, L[8], fd(exp), 7, face=face)
    c.s(tx, y + 51, p.first[0] + ". " + p.last, 8, "serif", color="#223366")
    c.box(bx, by, 86, 54, "#fbfbf6", "#8899aa", 3)
    if cc in ("FR", "ES", "IT"):
        c.lab(bx + 4, by + 6, {"FR": "ADRESSE / Address", "ES": "DOMICILIO", "IT": "RESIDENZA / ADDRESS"}[cc], a.street.upper(), 6, face=face)
        c.s(bx + 4, by + 12, a.line.upper(), 6)
    c.lab(bx + 4, by + 17, {"FR": "DATE DE DÉLIVRANCE / Date of issue", "BE": "Délivrée à / Issued", "ES": "EMISIÓN"}.get(cc, "Issued / Datum"), fd(iss), 6,
        face=face)
    if cc == "CH":
        c.lab(bx + 40, by + 17, "Behörde Autorité", "Chancellerie " + a.state + "d'État", 5)
    mrz = k.td1("I" if cc == "CH" else "IP" if cc == "IE" else "ID", ISO3[cc], num, p, exp, nat=ISO3[cc], first=first)
    for i, m in enumerate(mrz):
        c.s(bx + 4, by + 37 + i * 5.4, m, 10.2, "ocr")
    h = how(k)
    d = Doc(k, "IDENTITY_CARD", "en" if cc == "IE" else LANG[cc], cc, "eu_id_" + cc.lower(), PROD[h], "under", iss)
    d.f(lastName=lastv, firstName=first, birthDate=fd(p.birth), documentNumber=num, expiryDate=fd(exp), nationality=L[9])
    d.mrz = mrz
    d.d((fd(p.birth), p.birth, L[10]), (fd(iss), iss, L[10]), (fd(exp), exp, L[10]))
    return d.out(c.pdf(h), none=k.random() < .2)


for _cc in IDLAB:
    design("IDENTITY_CARD", "en" if _cc == "IE" else LANG[_cc], _cc)(eu_identity)


@design("IDENTITY_CARD", "fr", "FR")
def laminated_fr(k, cc):
    """The large laminated card of 1988 to 2021, still valid for those issued to adults from 2014."""
    p, a = k.person("FR"), k.addr("FR")
    iss = k.day(dt.date(2014, 2, 1), dt.date(2020, 12, 1))
    exp = dt.date(iss.year + 15, iss.month, min(28, iss.day)) - dt.timedelta(days=1)
    num = iss.strftime("%y%m") + a.pc[:2] + k.digits(6)[:6]
    num = num[:12]
    c = Card(k, 110, 158)
    c.box(2, 2, 105, 74, "#e9f0f7", "#99aabb", 2)
    c.waves("#c5d8ea", 12, 4, 50)
    c.s(54, 8, "RÉPUBLIQUE FRANÇAISE", 8, bold=True, align="c")
    c.s(33, 13.5, "CARTE NATIONALE D'IDENTITÉ N° :", 6.2)
    c.s(74, 13.5, num, 8, "mono", True)
    c.s(96, 13.5, "Nationalité Française", 4.2, align="r") if False else c.s(33, 17.5, "Nationalité Française", 5.5)
    c.face(5, 17, 26, 32)
    rows = [("Nom :", p.last.upper()), ("Prénom(s) :", p.first.upper()), ("Sexe :", p.sex), ("Né(e) le :", date(p.birth, "d.m.y")), ("à :",
        f"{a.city.upper()} ({a.pc[:2]})"),
            ("Taille :", f"1,{k.randint(55, 92)} m")]
    for i, (l, v) in enumerate(rows):
        c.s(33, 23 + i * 5, l, 5.5)
        c.s(50, 23 + i * 5, v, 8, "mono", True)
    mrz = k.old_fr(num, p, a.pc[:2] + "2" + k.digits(3))
    c.s(5, 62, mrz[0], 10.5, "ocr")
    c.s(5, 69, mrz[1], 10.5, "ocr")
    c.box(2, 81, 105, 74, "#eef2ee", "#99aabb", 2)
    for i, (l, v) in enumerate([("Adresse :", a.street.upper()), ("", a.line.upper()), ("Carte valable jusqu'au :", date(exp, "d.m.y")), ("délivrée le :",
        date(iss, "d.m.y")),
                                ("par :", f"PRÉFECTURE ({a.pc[:2]})")]):
        c.s(6, 92 + i * 8, l, 6)
        c.s(42, 92 + i * 8, v, 8, "mono", True)
    h = how(k)
    d = Doc(k, "IDENTITY_CARD", "fr", "FR", "laminated_1988", PROD[h], "colon", iss)
    d.f(lastName=p.last.upper(), firstName=p.first.upper(), birthDate=date(p.birth, "d.m.y"), documentNumber=num, expiryDate=date(exp, "d.m.y"),
        nationality="Française")
    d.mrz = mrz
    d.d((date(p.birth, "d.m.y"), p.birth, "d.m.y"), (date(iss, "d.m.y"), iss, "d.m.y"), (date(exp, "d.m.y"), exp, "d.m.y"))
    return d.out(c.pdf(h))


@design("IDENTITY_CARD", "en", "US", "CAE")
def state_id(k, cc):
    """US state identification card and Canadian provincial photo card: codes before the values, no machine-readable zone."""
    p, a = k.person(cc), k.addr(cc)
    iss = k.day(dt.date(2022, 1, 5), dt.date(2026, 9, 1))
    exp = dt.date(iss.year + (8 if cc == "US" else 5), p.birth.month, p.birth.day)
    st = "m/d/y" if cc == "US" else "iso"
    num = k.letters(1) + k.digits(7) if cc == "US" else f"{k.digits(4)}-{k.digits(5)}"
    c = Card(k, 92, 60)
    hue = k.choice(["#cfe3f2", "#f2e3cf", "#d9ecd5", "#e6d9ec"])
    c.box(3, 3, 86, 54, hue, "#667788", 3)
    c.box(3, 3, 86, 8, k.choice(["#1f3a5f", "#5f1f2a", "#1f5f3a"]))
    name = {"OR": "OREGON", "OH": "OHIO", "TX": "TEXAS", "IL": "ILLINOIS", "AZ": "ARIZONA", "NC": "NORTH CAROLINA", "ON": "ONTARIO", "BC": "BRITISH COLUMBIA",
        "MB": "MANITOBA"}[a.state]
    c.s(6, 7.5, name, 11, bold=True, color="#ffffff")
    c.s(86, 7.5, "IDENTIFICATION CARD" if cc == "US" else "PHOTO CARD", 7, bold=True, color="#ffffff", align="r")
    c.face(6, 14, 23, 29)
    rows = [("4d ID", num), ("1", p.last.upper()), ("2", p.first.upper()), ("8", a.street.upper()), ("", a.line.upper()), ("3 DOB", date(p.birth, st)),
            ("4a ISS", date(iss, st)), ("4b EXP", date(exp, st)), ("15 SEX", p.sex)]
    for i, (l, v) in enumerate(rows):
        c.s(32, 15 + i * 4.7, l, 5, color="#1f3a5f")
        c.s(41, 15 + i * 4.7, v, 7.5, "cond", True, "#a01818" if l.startswith("4") else "#111")
    if k.random() < .5:
        c.s(6, 50, "NOT FOR FEDERAL PURPOSES" if cc == "US" else "NOT A DRIVER'S LICENCE", 4.5)
    h = how(k)
    d = Doc(k, "IDENTITY_CARD", "en", cc, "state_id", PROD[h], "table", iss)
    d.f(lastName=p.last.upper(), firstName=p.first.upper(), birthDate=date(p.birth, st), documentNumber=num, expiryDate=date(exp, st))
    d.d((date(p.birth, st), p.birth, st), (date(iss, st), iss, st), (date(exp, st), exp, st))
    return d.out(c.pdf(h))


PASS = {  # title, type words, nationality, labels, place of issue, notation
    "FR": ("PASSEPORT  PASSPORT", "RÉPUBLIQUE FRANÇAISE", "Française", "Type/Type|Code du pays/Country code|Passeport n°/Passport No|Nom/Surname "
        "(1)|Prénoms/Given names (2)|Nationalité/Nationality (3)|"
           "Date de naissance/Date of birth (4)|Sexe/Sex (5)|Lieu de naissance/Place of birth (6)|Date de délivrance/Date of issue (7)|Date "
               "d'expiration/Date of expiry (9)|Autorité/Authority (8)", "d m y"),
    "GB": ("PASSPORT  PASSEPORT", "UNITED KINGDOM OF GREAT BRITAIN AND NORTHERN IRELAND", "BRITISH CITIZEN",
        "Type/Type|Code/Code|Passport No./Passeport No.|Surname/Nom (1)|Given names/Prénoms (2)|"
           "Nationality/Nationalité (3)|Date of birth/Date de naissance (4)|Sex/Sexe (5)|Place of birth/Lieu de naissance (6)|Date of issue/Date de "
               "délivrance (7)|Date of expiry/Date d'expiration (9)|"
           "Authority/Autorité (8)", "MON"),
    "IE": ("PAS  PASSPORT", "ÉIRE  IRELAND", "ÉIREANNACH/IRISH", "Cineál/Type|Tír/Country|Uimhir/Passport "
        "No.|Sloinne/Surname|Réamhainm(neacha)/Forename(s)|Náisiúntacht/Nationality|Dáta breithe/Date of birth|"
           "Gnéas/Sex|Áit bhreithe/Place of birth|Dáta eisiúna/Date of issue|As feidhm/Date of expiry|Údarás/Authority", "MON"),
    "US": ("PASSPORT  PASSEPORT  PASAPORTE", "UNITED STATES OF AMERICA", "UNITED STATES OF AMERICA",
        "Type / Type / Tipo|Code / Code / Codigo|Passport No. / No. du Passeport|Surname / Nom / Apellidos|"
           "Given Names / Prénoms / Nombres|Nationality / Nationalité|Date of birth / Date de naissance|Sex / Sexe|Place of birth / Lieu de "
               "naissance|Date of issue / Date de délivrance|"
           "Date of expiration / Date d'expiration|Authority / Autorité", "mon"),
    "CA": ("PASSEPORT  PASSPORT", "CANADA", "CANADIENNE / CANADIAN", "Type/Type|Pays émetteur/Issuing Country|N° de passeport/Passport "
        "No.|Nom/Surname|Prénoms/Given names|Nationalité/Nationality|"
           "Date de naissance/Date of birth|Sexe/Sex|Lieu de naissance/Place of birth|Date de délivrance/Date of issue|Date d'expiration/Date of "
               "expiry|Autorité de délivrance/Issuing Authority", "MON"),
    "CH": ("PASS PASSEPORT PASSAPORTO PASSAPORT", "SCHWEIZ SUISSE SVIZZERA SVIZRA SWITZERLAND", "Schweiz Suisse Svizzera",
        "Typ/Type|Code/Code|Pass-Nr./N° du passeport|Name/Nom|Vorname(n)/Prénom(s)|"
           "Staatsangehörigkeit/Nationalité|Geburtsdatum/Date de naissance|Geschlecht/Sexe|Heimatort/Lieu d'origine|Ausstellungsdatum/Date de "
               "délivrance|Gültig bis/Date d'expiration|Behörde/Autorité", "d.m.y"),
    "BE": ("PASPOORT PASSEPORT REISEPASS", "KONINKRIJK BELGIË ROYAUME DE BELGIQUE", "BELGE",
        "Type/Type|Code|Passeport n°/Passport No|1 Nom/Surname|2 Prénoms/Given names|3 Nationalité/Nationality|"
           "4 Date de naissance/Date of birth|5 Sexe/Sex|6 Lieu de naissance/Place of birth|7 Date de délivrance/Date of issue|8 Date d'expiration/Date "
               "of expiry|9 Autorité/Authority", "d/m/y"),
}


@design("PASSPORT", "fr", "FR", "BE", "CH", "CA", "FR")
@design("PASSPORT", "en", "GB", "IE", "US")
def passport(k, cc):
    T = PASS[cc]
    p, a = k.person(cc), k.addr(cc)
    iss = k.day(dt.date(2018, 3, 1), dt.date(2026, 7, 1))
    exp = dt.date(iss.year + 10, iss.month, min(28, iss.day))
    num = {"FR": k.digits(2) + k.letters(2) + k.digits(5), "GB": k.digits(9), "IE": "P" + k.letters(1) + k.digits(7), "US": "A" + k.digits(8), "CA": "P" +
        k.digits(6) + k.letters(2),
           "CH": "X" + k.digits(7), "BE": k.letters(2) + k.digits(6)}[cc]
    lang = "fr" if cc == "CA" else "en"
    fd = lambda q: date(q, T[4], lang)
    up = cc in ("GB", "US", "CA", "IE")
    first = (p.first + " " + p.second) if k.random() < .35 and p.second != p.first else p.first
    if up:
        first = first.upper()
    last = p.last.upper()
    c = Card(k, *k.choice([(125, 88), (125, 176), (210, 297)]))
    ox, oy = {88: (0, 0), 176: (0, 88), 297: (42, 60)}[c.h]
    if c.h == 176:
        c.box(0, 0, 125, 88, k.choice(["#f2ece2", "#e7eef5"]))
        c.waves("#d5ccbb", 16, 0, 88)
        c.s(62, 44, k.choice(["", "Signature du titulaire / Signature of bearer", "Observations", "4"]), 6, align="c")
    c.box(ox, oy, 125, 88, k.choice(["#f3efe6", "#eef3f8", "#f5eaea", "#edf5ee"]), "#b0a890")
    c.s(ox + 6, oy + 6, T[1], 7, k.choice(["sans", "serif", "lato"]), True, "#5a2030")
    c.s(ox + 6, oy + 10.5, T[0], 7, "serif", True)
    c.face(ox + 6, oy + 18, 32, 41)
    L = T[3].split("|")
    vals = ["P", ISO3[cc], num, last, first, T[2], fd(p.birth), p.sex, a.city.upper(), fd(iss), fd(exp),
            {"FR": "Préfecture", "GB": "HMPO", "IE": "DFA", "US": "United States Department of State", "CA": "GATINEAU", "CH": "Chancellerie d'État",
                "BE": a.city}[cc]]
    pos = [(44, 14), (58, 14), (88, 14), (44, 21), (44, 28), (44, 35), (44, 42), (76, 42), (44, 49), (44, 56), (44, 63) if k.random() < .5 else (84, 56), (84,
        63)]
    face = k.choice(["sans", "sans", "mono", "roboto"])
    for l, v, (x, y) in zip(L, vals, pos):
        c.lab(ox + x, oy + y, l, v, 7.6, 4, face=face, bold=k.random() < .5)
    mrz = k.td3(ISO3[cc], num, p, exp, k.digits(14) if cc == "FR" and k.random() < .3 else "", first=first)
    c.s(ox + 4, oy + 76, mrz[0], 10.2, "ocr")
    c.s(ox + 4, oy + 82.5, mrz[1], 10.2, "ocr")
    h = how(k)
    d = Doc(k, "PASSPORT", "en" if cc in ("GB", "IE", "US") else "fr", cc, f"passport_{cc.lower()}_{int(c.h)}", PROD[h], "under", iss)
    d.f(lastName=last, firstName=first, birthDate=fd(p.birth), documentNumber=num, expiryDate=fd(exp), nationality=T[2])
    d.mrz = mrz
    d.d((fd(p.birth), p.birth, T[4]), (fd(iss), iss, T[4]), (fd(exp), exp, T[4]))
    return d.out(c.pdf(h), none=k.random() < .15)


NATS = [("DZA", "Algérienne", "Algerian"), ("MAR", "Marocaine", "Moroccan"), ("SEN", "Sénégalaise", "Senegalese"), ("BRA", "Brésilienne", "Brazilian"),
        ("IND", "Indienne", "Indian"), ("UKR", "Ukrainienne", "Ukrainian"), ("PHL", "Philippine", "Filipino"), ("TUN", "Tunisienne", "Tunisian")]
FOREIGN = [("OULD AHMED", "Mariam"), ("DA SILVA ROCHA", "Thiago"), ("DIOP", "Ousmane"), ("CHAUDHARY", "Anjali"), ("KOVALENKO", "Oksana"), ("BENSALEM",
    "Rachid"),
           ("REYES", "Corazon"), ("MANSOURI", "Leïla"), ("SHEVCHUK", "Dmytro"), ("NDIAYE", "Aminata"), ("EL FASSI", "Youssef"), ("PEREIRA", "Luana")]
RES = {"FR": ("RÉPUBLIQUE FRANÇAISE", "TITRE DE SÉJOUR", "NOM|PRÉNOM(S)|SEXE|NATIONALITÉ|DATE DE NAISSANCE|NUMÉRO PERSONNEL|CARTE VALABLE "
    "JUSQU'AU|CATÉGORIE DU TITRE|REMARQUES", "d/m/y",
              ["CARTE DE RÉSIDENT", "SALARIÉ", "VIE PRIVÉE ET FAMILIALE", "ÉTUDIANT"], "AUTORISE SON TITULAIRE À TRAVAILLER"),
       "BE": ("BELGIQUE BELGIË BELGIEN", "TITRE DE SÉJOUR  VERBLIJFSTITEL",
           "NOM, PRÉNOM / Nom|Prénom|Sexe|Nationalité|Date de naissance|N° du titre|Valable jusqu'au|Type de titre|Remarques", "d m y",
              ["B. SÉJOUR ILLIMITÉ", "A. SÉJOUR LIMITÉ"], "Marché du travail : illimité"),
       "CH": ("SCHWEIZ SUISSE SVIZZERA", "AUSLÄNDERAUSWEIS  TITRE DE SÉJOUR",
           "NAME NOM|VORNAME PRÉNOM|SEXE|NATIONALITÉ|NÉ(E) LE|NO DE PIÈCE|VALABLE JUSQU'AU|TYPE|REMARQUES", "d.m.y",
              ["B  AUTORISATION DE SÉJOUR", "C  AUTORISATION D'ÉTABLISSEMENT"], "ACTIVITÉ LUCRATIVE AUTORISÉE"),
       "GB": ("UNITED KINGDOM", "RESIDENCE PERMIT", "SURNAME|GIVEN NAMES|SEX|NATIONALITY|DATE OF BIRTH|PERMIT NUMBER|VALID UNTIL|TYPE OF PERMIT|REMARKS",
           "d m y",
              ["SETTLEMENT", "LEAVE TO REMAIN", "SKILLED WORKER"], "WORK PERMITTED"),
       "IE": ("ÉIRE / IRELAND", "CEAD CÓNAITHE  RESIDENCE PERMIT", "SURNAME|FORENAME|SEX|NATIONALITY|DATE OF BIRTH|CARD NUMBER|VALID UNTIL|TYPE OF "
           "PERMIT|REMARKS", "d/m/y", ["STAMP 4", "STAMP 1", "STAMP 2"],
              "REGISTRATION CERTIFICATE"),
       "US": ("UNITED STATES OF AMERICA", "PERMANENT RESIDENT", "Surname|Given Name|Sex|Country of Birth|Date of Birth|Card #|Card "
           "Expires|Category|Resident Since", "MON", ["IR1", "DV1", "F43"], ""),
       "CAE": ("GOVERNMENT OF CANADA", "PERMANENT RESIDENT CARD  CARTE DE RÉSIDENT PERMANENT",
           "Last name/Nom|Given names/Prénoms|Sex/Sexe|Nationality/Nationalité|Date of birth/Né(e) le|ID No/No ID|"
               "Expiry/Expiration|Class|Signature", "iso", ["PR"], "")}


@design("RESIDENCE_PERMIT", "fr", "FR", "FR", "BE", "CH")
@design("RESIDENCE_PERMIT", "en", "GB", "IE", "US", "CAE")
def permit(k, cc):
    T, (n3, nfr, nen) = RES[cc], k.choice(NATS)
    p = k.person("FR")
    p.last, p.first = k.choice(FOREIGN)
    a = k.addr(cc)
    iss = k.day(dt.date(2021, 2, 1), dt.date(2026, 9, 1))
    years = k.choice([2, 4, 5, 10]) if cc not in ("US", "CAE") else 10 if cc == "US" else 5
    exp = dt.date(iss.year + years, iss.month, min(28, iss.day))
    num = {"FR": k.digits(2) + k.letters(2) + k.digits(5), "BE": "B" + k.digits(8), "CH": k.letters(2) + k.digits(7), "GB": "R" + k.letters(1) + "X" +
        k.digits(6), "IE": "IRL" + k.digits(6),
           "US": "SRC" + k.digits(6), "CAE": "PA" + k.digits(7)}[cc]
    lang = "en" if cc in ("GB", "IE", "US", "CAE") else "fr"
    fd = lambda q: date(q, T[3], "en")
    nat = {"FR": n3, "GB": n3, "US": nen, "CH": n3}.get(cc, nfr if lang == "fr" else nen.upper())
    c, (x, y), (bx, by) = sheet(k)
    c.box(x, y, 86, 54, k.choice(["#f7e9ee", "#e9eef7", "#f1f5e4"]), "#aa8899", 3)
    if c.w < 100:
        c.waves(k.choice(["#e8b8c8", "#b8c8e8"]), 16, y, 54)
    c.s(x + 82, y + 5, T[0], 5.5, bold=True, align="r")
    c.s(x + 82, y + 9, T[1], 8 if len(T[1]) < 25 else 5, bold=True, color="#7a2048", align="r")
    c.face(x + 4, y + 12, 25, 33)
    L = T[2].split("|")
    catg = k.choice(T[4])
    face = k.choice(["sans", "roboto", "cond"])
    lay = [(0, 14, p.last.upper()), (1, 20, p.first.upper() if k.random() < .6 else p.first), (2, 26, p.sex), (3, 26, nat), (4, 26, fd(p.birth)), (7, 32,
        catg), (5, 38, num), (6, 38, fd(exp))]
    lay[1] = (1, 20, p.first.upper())
    for i, yy, v in lay:
        c.lab(x + {2: 33, 3: 42, 4: 64, 6: 60}.get(i, 33), y + yy, L[i], v, 7, 4, face=face)
    if T[5]:
        c.lab(x + 33, y + 44, L[8], T[5], 5.2, 4, face=face)
    mrz = k.td1({"US": "C1", "IE": "IR", "GB": "IR", "CAE": "RP"}.get(cc, "IR"), ISO3[cc], num, p, exp, nat=n3)
    c.box(bx, by, 86, 54, "#fafafa", "#aa8899", 3)
    c.lab(bx + 4, by + 6, "DÉLIVRÉ LE / ISSUED" if cc != "US" else "Resident Since", fd(iss), 6, face=face)
    if cc == "FR":
        c.lab(bx + 4, by + 14, "ADRESSE", a.street.upper() + "  " + a.line.upper(), 5.5)
    elif cc == "CH":
        c.lab(bx + 4, by + 14, "ENTRÉE EN SUISSE LE", fd(iss - dt.timedelta(days=800)), 5.5)
    for i, m in enumerate(mrz):
        c.s(bx + 4, by + 37 + i * 5.4, m, 10.2, "ocr")
    h = how(k)
    d = Doc(k, "RESIDENCE_PERMIT", lang, cc, "permit_" + cc.lower(), PROD[h], "under", iss)
    d.f(lastName=p.last.upper(), firstName=p.first.upper(), birthDate=fd(p.birth), documentNumber=num, expiryDate=fd(exp), nationality=None if cc == "US"
        else nat)
    d.mrz, d.skip = mrz, ("nationality",)  # the American card prints the country of birth in its place
    d.d((fd(p.birth), p.birth, T[3]), (fd(iss), iss, T[3]), (fd(exp), exp, T[3]))
    return d.out(c.pdf(h))


@design("DRIVING_LICENCE", "fr", "FR", "BE", "CH")
@design("DRIVING_LICENCE", "en", "GB", "IE")
@design("DRIVING_LICENCE", "de", "DE")
def eu_licence(k, cc):
    """The pink card with numbers instead of labels."""
    p, a = k.person(cc), k.addr(cc)
    iss = k.day(dt.date(2016, 2, 1), dt.date(2026, 6, 1))
    exp = dt.date(iss.year + (15 if cc in ("FR", "DE") else 10), iss.month, min(28, iss.day)) - dt.timedelta(days=1)
    if cc == "CH":
        exp = None  # the Swiss card has no end date
    st = {"FR": "d/m/y", "GB": "d.m.y", "IE": "d/m/y", "BE": "d.m.y", "CH": "d.m.y", "DE": "d.m.yy"}[cc]
    fd = lambda q: date(q, st)
    num = {"FR": lambda: iss.strftime("%y") + k.letters(2) + k.digits(5), "GB": lambda: (mrz_name(p.last).replace("<", "") + "99999")[:5] +
        str(p.birth.year)[2] + (
        f"{p.birth.month + (50 if p.sex == 'F' else 0):02d}") + f"{p.birth.day:02d}" + str(p.birth.year)[3] + mrz_name(p.first)[0] + "9" + k.letters(1) +
            k.digits(1) + k.letters(2),
        "DE": lambda: k.letters(1) + k.digits(3) + k.letters(1) + k.digits(5) + k.letters(1)}.get(cc, lambda: k.digits(10 if cc == "BE" else 9
            if cc == "IE" else 12))()
    c, (x, y), (bx, by) = sheet(k)
    c.box(x, y, 86, 54, k.choice(["#f6dfe6", "#f3e6ee", "#f8e3e0"]), "#c090a0", 3)
    if c.w < 100:
        c.waves("#e8bccb", 18, y, 54)
    c.box(x + 3, y + 3, 9, 6.5, "#22449a")
    c.s(x + 7.5, y + 6.5, {"GB": "UK", "IE": "IRL", "DE": "D", "BE": "B"}.get(cc, cc[0] if cc == "FR" else cc), 6, bold=True, color="#ffee66", align="c")
    title = {"FR": "PERMIS DE CONDUIRE  RÉPUBLIQUE FRANÇAISE", "GB": "DRIVING LICENCE", "IE": "CEADÚNAS TIOMÁNA  DRIVING LICENCE  ÉIRE",
        "BE": "PERMIS DE CONDUIRE  RIJBEWIJS  BELGIQUE",
             "CH": "FÜHRERAUSWEIS  PERMIS DE CONDUIRE  CONFÉDÉRATION SUISSE", "DE": "FÜHRERSCHEIN  BUNDESREPUBLIK DEUTSCHLAND"}[cc]
    c.s(x + 15, y + 6, title, 5.6 if len(title) > 30 else 9, bold=True, color="#22449a")
    c.face(x + 3, y + 14, 23, 30)
    up = cc in ("GB", "IE", "CH")
    first = p.first.upper() if up else p.first
    last = p.last.upper() if cc != "DE" else p.last
    items = [("1.", last), ("2.", first), ("3.", fd(p.birth) + "  " + (a.city.upper() if cc != "GB" else "UNITED KINGDOM")), ("4a.", fd(iss)),
             ("4c.", {"GB": "DVLA", "IE": "NDLS", "FR": a.pc[:2] + "000", "CH": "OCN " + a.city, "BE": a.city, "DE": "Stadt " + a.city}[cc])]
    if exp:
        items.insert(4, ("4b.", fd(exp)))
    items += [("5.", num), ("9.", k.choice(["AM/B1/B", "B", "A2/B", "B/BE"]))]
    if cc in ("GB", "IE"):
        items.insert(-1, ("8.", (a.street + ", " + a.line).upper()))
    yy = y + 14
    for l, v in items:
        c.s(x + 29, yy, l, 5.5)
        c.s(x + 34.5, yy, v, 7.2 if len(v) < 32 else 5, "sans" if cc != "GB" else "cond", True)
        yy += 4.9
    c.box(bx, by, 86, 54, "#faf0f3", "#c090a0", 3)
    for i, cat in enumerate(["AM", "A1", "A2", "A", "B1", "B", "C1", "C", "BE"]):
        c.s(bx + 30, by + 6 + i * 5, cat, 5.5, bold=True)
        if cat in ("AM", "B1", "B"):
            c.s(bx + 45, by + 6 + i * 5, fd(iss), 5)
            c.s(bx + 64, by + 6 + i * 5, fd(exp) if exp else "****", 5)
    h = how(k)
    d = Doc(k, "DRIVING_LICENCE", {"GB": "en", "IE": "en", "DE": "de"}.get(cc, "fr"), cc, "card_" + cc.lower(), PROD[h], "nolabel", iss)
    d.f(lastName=last, firstName=first, birthDate=fd(p.birth), documentNumber=num, expiryDate=fd(exp) if exp else None)
    d.d((fd(p.birth), p.birth, st), (fd(iss), iss, st), *([(fd(exp), exp, st)] if exp else []))
    return d.out(c.pdf(h))


@design("DRIVING_LICENCE", "fr", "FR", "CH")
def paper_licence(k, cc):
    """The folded paper licence of before 2013 (FR, pink) or 2003 (CH, blue): typewritten on a form, no end date."""
    p, a = k.person(cc), k.addr(cc)
    iss = p.birth.replace(year=min(p.birth.year + k.randint(18, 22), 2012 if cc == "FR" else 2002), day=min(28, p.birth.day))
    if iss.year - p.birth.year < 18:
        p.birth = p.birth.replace(year=iss.year - 19)
    num = iss.strftime("%y%m") + a.pc[:2] + k.digits(6) if cc == "FR" else k.digits(6)
    c = Canvas(k, 160, 112)
    c.box(3, 3, 154, 106, (.97, .86, .88) if cc == "FR" else (.84, .89, .95), .5)
    c.line(80, 3, 80, 109, .3, .6)
    c.s(120, 12, "PERMIS DE CONDUIRE", 11, "Times-Bold", "c")
    c.s(120, 17, "République Française - Modèle des Communautés européennes" if cc == "FR" else "Führerausweis - Licenza di condurre", 5.5, "Times-Roman", "c")
    lab = [("1. Nom", p.last.upper()), ("2. Prénoms", p.first), ("3. Date et lieu de naissance", date(p.birth, "d.m.y") + " à " + a.city), ("4. Domicile",
        a.street),
           ("", a.line), ("5. Délivré par", ("Préfecture " if cc == "FR" else "Service des automobiles ") + a.city), ("6. Délivré le", date(iss, "d.m.y")),
               ("7. Permis n°", num)]
    for i, (l, v) in enumerate(lab):
        c.s(84, 27 + i * 9, l, 5.5, "Times-Roman")
        c.s(86, 31 + i * 9, v, 9, "Courier-Bold" if k.random() < .2 else "Courier")
        c.line(86, 32, 154, 32, .2, .7)
    for i, cat in enumerate("A1 A B C D E(B) E(C)".split()):
        c.s(8, 20 + i * 9, cat, 9, "Times-Bold")
        c.s(25, 20 + i * 9, date(iss, "d.m.y") if cat in ("A1", "B") else "- - - - - -", 8, "Courier")
    c.box(50, 70, 26, 32, .93, .6)
    c.s(63, 88, "photo", 6, "Helvetica-Oblique", "c", .6)
    d = Doc(k, "DRIVING_LICENCE", "fr", cc, "paper_three_fold", "ReportLab", "under", iss)
    d.f(lastName=p.last.upper(), firstName=p.first, birthDate=date(p.birth, "d.m.y"), documentNumber=num)
    d.d((date(p.birth, "d.m.y"), p.birth, "d.m.y"), (date(iss, "d.m.y"), iss, "d.m.y"))
    d.day = k.day()
    return d.out(c.done(), prod=k.choice(["Acrobat Distiller 9.0 (Windows)", "PDFCreator 2.5"]))


@design("DRIVING_LICENCE", "en", "US", "CAE")
@design("DRIVING_LICENCE", "fr", "CA")
def state_licence(k, cc):
    p, a = k.person(cc), k.addr(cc)
    iss = k.day(dt.date(2021, 1, 5), dt.date(2026, 9, 1))
    exp = dt.date(iss.year + (6 if cc == "US" else 5), p.birth.month, p.birth.day)
    st = "m/d/y" if cc == "US" else "iso"
    num = {"US": k.digits(9), "CAE": f"{p.last[0]}{k.digits(4)}-{k.digits(5)}-{k.digits(5)}", "CA": f"{p.last[0]}{k.digits(4)}-{k.digits(6)}-{k.digits(2)}"}[cc]
    c = Card(k, 94, 62)
    c.box(4, 4, 86, 54, k.choice(["#e4eef7", "#f7efe0", "#e9f5e6"]), "#667788", 3)
    c.waves(k.choice(["#c9d9ea", "#ead9c9"]), 10, 14, 40)
    a.state = a.state or "QC"
    head = {"US": f"{a.state}  USA  DRIVER LICENSE", "CAE": f"{a.state}  CANADA  DRIVER'S LICENCE  PERMIS DE CONDUIRE",
        "CA": "Québec  CANADA  PERMIS DE CONDUIRE"}[cc]
    c.s(7, 9, head, 8 if cc != "CAE" else 6, bold=True, color="#1c3d72")
    side = k.random() < .5
    c.face(6 if side else 64, 14, 23, 30)
    x = 32 if side else 7
    if cc == "CA":
        rows = [("N° de permis", num), ("Nom", p.last.upper()), ("Prénom", p.first.upper()), ("Date de naissance", date(p.birth, st)), ("Adresse", a.street),
            ("", a.line),
                ("Délivré le", date(iss, st)), ("Expire le", date(exp, st)), ("Classe", "5")]
    else:
        rows = [("4d DLN", num), ("1 LN", p.last.upper()), ("2 FN", p.first.upper()), ("8 ADD", a.street.upper()), ("", a.line.upper()), ("3 DOB",
            date(p.birth, st)),
                ("4a ISS", date(iss, st)), ("4b EXP", date(exp, st)), ("9 CLASS", k.choice(["D", "C", "G", "5"]))]
    for i, (l, v) in enumerate(rows):
        c.s(x, 15 + i * 4.6, l, 4.6, color="#1c3d72")
        c.s(x + (18 if cc == "CA" else 10), 15 + i * 4.6, v, 7, k.choice(["sans", "cond"]), True)
    h = how(k)
    d = Doc(k, "DRIVING_LICENCE", "fr" if cc == "CA" else "en", cc, "north_american", PROD[h], "table", iss)
    d.f(lastName=p.last.upper(), firstName=p.first.upper(), birthDate=date(p.birth, st), documentNumber=num, expiryDate=date(exp, st))
    d.d((date(p.birth, st), p.birth, st), (date(iss, st), iss, st), (date(exp, st), exp, st))
    return d.out(c.pdf(h))


CARS = [("RENAULT", "CLIO", "essence", "M10RENVP00A123"), ("PEUGEOT", "308", "gazole", "M10PGTVP004512"), ("VOLKSWAGEN", "GOLF", "petrol", "ACDPCX0"),
    ("TOYOTA", "YARIS", "hybrid", "XP13M"),
        ("DACIA", "SANDERO", "essence", "M10DACVP0042"), ("FORD", "FOCUS", "diesel", "DEH"), ("SKODA", "OCTAVIA", "gazole", "M10SKDVP7781")]


def vin(k):
    return k.choice(["VF1", "VF3", "WVW", "TMB", "SB1"]) + k.letters(3).replace("O", "P") + k.digits(11)


@design("VEHICLE_REGISTRATION", "fr", "FR", "FR")
def carte_grise(k, cc):
    p, a = k.person("FR"), k.addr("FR")
    reg = f"{k.letters(2)}-{k.digits(3)}-{k.letters(2)}"
    first = k.day(dt.date(2009, 5, 1), dt.date(2022, 1, 1))
    iss = k.day(dt.date(2022, 2, 1), dt.date(2026, 10, 1))
    b = k.choice(CARS)
    big = k.random() < .5
    c = Canvas(k, 210, 297 if big else 150)
    c.box(8, 8, 194, 132, (.95, .93, .86), .6)
    for i in range(20):
        c.line(10, 12 + i * 6.5, 200, 14 + i * 6.5, .15, (.85, .85, .72))
    c.s(105, 15, "RÉPUBLIQUE FRANÇAISE", 9, "Helvetica-Bold", "c")
    c.s(105, 20, "CERTIFICAT D'IMMATRICULATION", 12, "Helvetica-Bold", "c", (.3, .1, .4))
    c.s(105, 23.5, "Communauté européenne - Permiso de circulación - Registration certificate", 4.5, "Helvetica", "c", .4)
    s = "d/m/y"
    joint = k.random() < .25
    holder = f"{p.last.upper()} {p.first.upper()}"
    other = k.person("FR")
    left = [("A", reg), ("B", date(first, s)), ("C.1", holder), ("C.4a", "EST LE PROPRIÉTAIRE DU VÉHICULE"), ("C.4.1", f"COTITULAIRE : {other.LF.upper()}"
        if joint and other.last != p.last else ""),
            ("C.3", a.street.upper()), ("", a.line.upper()), ("D.1", b[0]), ("D.2", b[3]), ("D.3", b[1]), ("E", vin(k)), ("I", date(iss, s))]
    right = [("F.1", str(k.randint(1500, 2100))), ("G", str(k.randint(980, 1500))), ("J.1", "VP"), ("J.3", "CI"), ("P.1", str(k.randint(898, 1995))), ("P.3",
        k.choice(["ES", "GO", "EH"])),
             ("P.6", str(k.randint(4, 9))), ("S.1", "5"), ("V.7", str(k.randint(88, 160))), ("X.1", "VISITE AVANT LE " + date(iss.replace(year=iss.year + 2,
                 day=1), s)), ("Y.6", "13,76")]
    f = k.choice(["Courier-Bold", "Helvetica", "Courier"])
    for i, (l, v) in enumerate(left):
        c.s(12, 32 + i * 7.6, l, 6.5, "Helvetica-Bold", color=(.3, .1, .4))
        c.s(24, 32 + i * 7.6, v, 9, f)
    for i, (l, v) in enumerate(right):
        c.s(128, 32 + i * 7.6, l, 6.5, "Helvetica-Bold", color=(.3, .1, .4))
        c.s(140, 32 + i * 7.6, v, 8, f)
    c.s(150, 126, "Pour le ministre et par délégation", 5.5)
    c.s(12, 134, "N° de formule " + k.digits(4) + k.letters(2) + k.digits(5), 6.5)
    d = Doc(k, "VEHICLE_REGISTRATION", "fr", "FR", "certificat_siv", "ReportLab", "nolabel", iss)
    d.f(registrationNumber=reg, lastName=p.last.upper(), firstName=p.first.upper(), address=a.street.upper(), postCode=a.pc, city=a.city.upper(),
        issueDate=date(iss, s))
    d.d((date(first, s), first, s), (date(iss, s), iss, s))
    return d.out(c.done(), none=k.random() < .3)


@design("VEHICLE_REGISTRATION", "fr", "CH", "BE")
def permis_circulation(k, cc):
    """Swiss grey paper with numbered cells, or the Belgian two-part certificate, set in typst."""
    p, a = k.person(cc), k.addr(cc)
    reg = f"{k.choice(['VD', 'GE', 'FR', 'NE'])} {k.digits(6)}" if cc == "CH" else f"1-{k.letters(3)}-{k.digits(3)}"
    first, iss = k.day(dt.date(2012, 1, 1), dt.date(2021, 1, 1)), k.day(dt.date(2021, 2, 1), dt.date(2026, 9, 1))
    b = k.choice(CARS)
    if cc == "CH":
        cells = [("01–05 Nom, prénoms, domicile", f"{p.last} {p.first} \\ {a.street} \\ {a.line}"), ("06 Permis remplacé", k.digits(9)), ("09 Assurance",
            k.choice(["Helvia", "Alpina RC"])),
                 ("14 Décisions de l'autorité", "—"), ("15 Plaque", reg + "   normale, blanc"), ("18 N° matricule",
                     f"{k.digits(3)}.{k.digits(3)}.{k.digits(3)}"), ("19 Genre de véhicule", "Voiture de tourisme"),
                 ("21 Marque et type", b[0] + " " + b[1]), ("23 Châssis n°", vin(k)), ("27 Places", "5"), ("30 Poids à vide", f"{k.randint(990, 1600)} kg"),
                     ("36 1re mise en circulation", date(first, "d.m.y")),
                 ("38 Expertise", date(iss - dt.timedelta(days=9), "d.m.y")), ("A Délivré le", date(iss, "d.m.y"))]
        title = "Permis de circulation #h(1fr) Fahrzeugausweis"
    else:
        cells = [("A  Numéro d'immatriculation", reg), ("B  Date de la première immatriculation", date(first, "d/m/y")), ("I  Date d'immatriculation",
            date(iss, "d/m/y")),
                 ("C.1.1  Nom", p.last), ("C.1.2  Prénom", p.first), ("C.1.3  Adresse", f"{a.street} \\ {a.line}"), ("D.1  Marque", b[0]),
                     ("D.3  Dénomination", b[1]), ("E  Numéro d'identification", vin(k)),
                 ("P.1  Cylindrée", f"{k.randint(900, 2000)}"), ("V.7  CO2", f"{k.randint(88, 170)}"), ("C.4  Titulaire", "est propriétaire"), ("S.1", "5"),
                     ("Partie", "II")]
        title = "Certificat d'immatriculation #h(1fr) Kentekenbewijs"
    grid = ",\n".join(f"[#text(6pt, fill: rgb(\"#445\"))[{l}] \\ #text(10pt)[{v}]]" for l, v in cells)
    st = "d.m.y" if cc == "CH" else "d/m/y"
    src = fill(k.choice(['#set page(width: 148mm, height: 210mm, margin: 9mm, fill: rgb("<bg>"))', '#set page("a4", margin: (x: 30mm, y: 40mm))']) + """
#set text(font: "<font>", lang: "fr")
#text(13pt, weight: "bold")[<title>]
#line(length: 100%)
#grid(columns: (<c1>), stroke: 0.3pt, inset: 4pt, <grid>)
#v(4mm) #text(7pt)[<foot>]""", bg=k.choice(["#eceae4", "#f2f2f2", "#e6eee6"]), font=k.choice(["Liberation Sans", "Nimbus Sans", "Lato"]), title=title,
    c1=k.choice(["1fr, 1fr", "3fr, 2fr", "1fr, 1fr"]),
        grid=grid, foot="Service des automobiles et de la navigation" if cc == "CH" else "SPF Mobilité et Transports – DIV")
    d = Doc(k, "VEHICLE_REGISTRATION", "fr", cc, "permis_circulation", "Typst", "under", iss)
    d.f(registrationNumber=reg, lastName=p.last, firstName=p.first, address=a.street, postCode=a.pc, city=a.city, issueDate=date(iss, st))
    d.d((date(first, st), first, st), (date(iss, st), iss, st))
    return d.out(typ(k, src))


@design("VEHICLE_REGISTRATION", "en", "GB", "IE")
def v5c(k, cc):
    """Log book: PostScript through a spooler, sections with numbered boxes."""
    p, a = k.person(cc), k.addr(cc)
    reg = (f"{k.letters(2)}{k.choice(['19', '70', '22', '73', '24'])} "
        f"{k.letters(3)}" if cc == "GB" else f"{k.choice(['191', '221', '232'])}-{k.choice(['D', 'C', 'G'])}-{k.digits(5)}")
    first, iss = k.day(dt.date(2014, 1, 1), dt.date(2022, 1, 1)), k.day(dt.date(2022, 2, 1), dt.date(2026, 10, 1))
    b = k.choice(CARS)
    st = "MON" if cc == "GB" else "d/m/y"
    fd = lambda q: date(q, "d m y") if cc == "GB" else date(q, st)
    st = "d m y" if cc == "GB" else st
    rows = [("A", "Registration number", reg), ("B", "Date of first registration", fd(first)), ("I", "Date of registration / issue", fd(iss)), ("D.1", "Make",
        b[0]), ("D.3", "Model", b[1]),
            ("E", "VIN/Chassis/Frame No.", vin(k)), ("P.1", "Cylinder capacity (cc)", str(k.randint(998, 1998)) + " CC"), ("P.3", "Type of fuel",
                b[2].upper()), ("R", "Colour", k.choice(["SILVER", "BLUE", "RED"])),
            ("", "No. of former keepers", str(k.randint(0, 3)))]
    y, out = 690, []
    red = k.choice([".80 .12 .15", ".15 .25 .55", ".1 .4 .2"])
    out.append(f"{red} setrgbcolor 40 770 515 36 B fill 1 setgray /HB 16 F "
        f"({'Registration certificate  V5C' if cc == 'GB' else 'VEHICLE REGISTRATION CERTIFICATE  Teastas Cláraithe Feithicle'}) 52 782 S 0 setgray")
    out.append(f"/H 8 F ({'Driver & Vehicle Licensing Agency, Swansea' if cc == 'GB' else 'Vehicle and Driver Registration, Shannon'}) 44 752 S (Document "
        f"reference number  {k.digits(4)} {k.digits(3)} {k.digits(4)}) 550 752 R")
    out.append("/HB 10 F (1  Vehicle details) 44 725 S")
    for i, (code, l, v) in enumerate(rows):
        yy = y - i * 24 + 14
        out.append(f".85 setgray 44 {yy - 6} 300 20 B stroke 0 setgray /H 6 F ({code}) 48 {yy + 6} S ({psx(l)}) 66 {yy + 6} S /CB 10 F ({psx(v)}) 180 {yy} S")
    out.append(f"/HB 10 F (2  Registered keeper) 44 440 S {red} setrgbcolor 44 330 300 100 B stroke 0 setgray /C 11 F")
    for i, v in enumerate([f"{p.title.upper()} {p.first.upper()} {p.last.upper()}", a.street.upper(), a.city.upper(), a.pc]):
        out.append(f"({psx(v)}) 56 {410 - i * 15} S")
    out.append("/H 7 F (THIS DOCUMENT IS NOT PROOF OF OWNERSHIP. It shows who is responsible for registering and taxing the vehicle.) 44 310 S")
    if k.random() < .6:
        out.append("/HB 10 F (6  New keeper or new owner) 44 285 S 44 150 510 125 B stroke /H 7 F (Surname or business name) 50 262 S (Postcode) 50 200 S "
            "(Date of sale or transfer) 50 170 S")
    d = Doc(k, "VEHICLE_REGISTRATION", "en", cc, "v5c", "GPL Ghostscript", "table", iss)
    d.f(registrationNumber=reg, lastName=p.last.upper(), firstName=p.first.upper(), address=a.street.upper(), postCode=a.pc, city=a.city.upper(),
        issueDate=fd(iss))
    d.d((fd(first), first, st), (fd(iss), iss, st))
    return d.out(ps(k, "\n".join(out)))


@design("VEHICLE_REGISTRATION", "en", "US", "CAE")
def dmv_card(k, cc):
    """A strip from a department's impact printer; the form behind it is drawn as plain lines."""
    p, a = k.person(cc), k.addr(cc)
    reg = k.choice([k.letters(3) + " " + k.digits(4), k.digits(3) + k.letters(3)])
    iss = k.day(dt.date(2025, 1, 1), dt.date(2026, 10, 1))
    exp = iss.replace(year=iss.year + 1, day=min(iss.day, 28))
    st = "m/d/y" if cc == "US" else "iso"
    b = k.choice(CARS)
    lines = ["", f"{'STATE OF ' + a.state if cc == 'US' else 'PROVINCE OF ' + a.state + '  CANADA'}   DEPARTMENT OF MOTOR VEHICLES",
        "VEHICLE REGISTRATION CARD" if cc == "US" else "VEHICLE PERMIT / REGISTRATION", "",
             "PLATE NUMBER      DATE ISSUED     EXPIRES", f"{reg:<18}{date(iss, st):<16}{date(exp, st)}", "",
             "YR    MAKE        MODEL      BODY   VIN", f"{k.randint(2012, 2024)}  {b[0]:<12}{b[1]:<11}4D     {vin(k)}", "", "REGISTERED OWNER",
                 f"{p.last.upper()}, {p.first.upper()}",
             a.street.upper(), a.line.upper(), "", f"FEES PAID   REG {k.randint(40, 90)}.00   TITLE 0.00   UNLADEN WT {k.randint(2500, 3900)}", "",
                 "KEEP THIS CARD IN THE VEHICLE AT ALL TIMES"]
    ov = ".6 G .5 w 20 20 472 276 re S " + "".join(f"20 {y} m 492 {y} l S " for y in (250, 213, 174, 109))
    d = Doc(k, "VEHICLE_REGISTRATION", "en", cc, "dmv_strip", "host spool", "under", iss)
    d.f(registrationNumber=reg, lastName=p.last.upper(), firstName=p.first.upper(), address=a.street.upper(), postCode=a.pc, city=a.city.upper(),
        issueDate=date(iss, st))
    d.d((date(iss, st), iss, st), (date(exp, st), exp, st))
    return d.out(lineprinter(k, [lines], ov, 11, k.choice(["Xenos D2e", "", "IBM InfoPrint"]), 612, 320, 288, 32, ("CARD", "PERMIT")))
