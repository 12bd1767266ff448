"""Identity papers drawn by position: identity cards, passports, permits and licences."""
import datetime as dt

from model import Doc
import extras
import people as pp
from people import Person, digits, letters, pick, years

BUILDERS = []


def builder(type_, lang, layout, country):
    def keep(fn):
        BUILDERS.append((type_, lang, layout, country, fn))
        return fn
    return keep


def start(type_, lang, layout, country, r):
    d = Doc(type_, lang, country, layout, r)
    d.who = Person(r, country, lang)
    return d


SMALL_PRINT = {
    "fr": ["Conformément à la loi Informatique et Libertés, vous disposez d'un droit d'accès et de rectification des données vous concernant.",
           "Ce document est édité automatiquement et ne comporte pas de signature manuscrite.",
           "En cas de désaccord persistant, vous pouvez saisir gratuitement le médiateur compétent après réclamation écrite auprès de nos services.",
           "Merci de rappeler vos références dans toute correspondance. Nos bureaux sont ouverts du lundi au vendredi de 9 h à 12 h et de 14 h à 17 h.",
           "Toute reproduction altérée de ce document expose son auteur à des poursuites pénales (article 441-1 du code pénal)."],
    "en": ["We process your personal information in line with our privacy notice, a copy of which is available on request.",
           "This document was produced by computer and does not need a signature.",
           "If you are unhappy with our reply you can take your complaint free of charge to the independent ombudsman.",
           "Please quote your reference whenever you contact us. Our lines are open Monday to Friday, 9 am to 5 pm.",
           "If any of these details are wrong please tell us straight away so that we can put our records right."]}
QUESTIONS = {"fr": "Informations utiles", "en": "Useful information"}


def finish(d):
    """Offices fill their pages: small print after the matter itself."""
    if d.ops or d.type == "OTHER" or d.r.random() < .25:
        return d
    at = next((i for i, b in enumerate(d.blocks) if b[0] == "foot"), len(d.blocks))
    more = extras.blocks_for(d)
    d.blocks[at:at] = more
    at += len(more)
    texts = d.r.sample(SMALL_PRINT[d.lang], d.r.randrange(1, 5))
    if d.country != "FR":
        texts = [t for t in texts if "441-1" not in t and "Informatique" not in t]
    kind = d.r.choice(["small", "p"])
    extra = [["h", QUESTIONS[d.lang]]] if d.r.random() < .4 and texts else []
    d.blocks[at:at] = extra + [[kind, t] for t in texts]
    return d


class Card:
    """Places texts in the millimetres of a card that lies enlarged on a page."""

    def __init__(self, d, x, y, w, h, k, fill, stroke="#888888"):
        self.d, self.x, self.y, self.k = d, x, y, k
        d.rect(x, y, w * k, h * k, fill, stroke)
        self.guilloche(w, h, fill)

    def guilloche(self, w, h, fill):
        """Pale bands in the paper's colour stand for the safety print."""
        rgb = [int(fill[i:i + 2], 16) for i in (1, 3, 5)]
        step = self.d.r.choice([2.2, 3.1, 4.4])
        shade = "#" + "".join(f"{max(0, v - self.d.r.choice([5, 8, 11])):02x}" for v in rgb)
        for i in range(int(h / step) - 1):
            self.d.rect(self.x + .6, self.y + (i + .7) * step * self.k, w * self.k - 1.2, .22 * step * self.k, shade)

    def t(self, x, y, s, size=6, bold=False, color="#111111", mono=False):
        self.d.text(self.x + x * self.k, self.y + y * self.k, s, round(size * self.k, 1), bold, color, mono)

    def lv(self, x, y, label, value, size=7, color="#555577", bold=True, gap=3.1):
        self.t(x, y, label, 4.4, False, color)
        self.t(x, y + gap, value, size, bold)

    def photo(self, x, y, w, h):
        self.d.photo(self.x + x * self.k, self.y + y * self.k, w * self.k, h * self.k, self.d.r.randrange(10**6))

    def band(self, x, y, w, h, fill):
        self.d.rect(self.x + x * self.k, self.y + y * self.k, w * self.k, h * self.k, fill)

    def mrz(self, x, y, lines, size):
        for i, line in enumerate(lines):
            self.t(x, y + i * size * .5, line, size, False, "#000000", True)


def identity(d, nation, upper_first=False, last_upper=True):
    p = d.who
    last = d.put("lastName", p.last.upper() if last_upper else p.last)
    firsts = f"{p.first}, {p.second}" if d.r.random() < .3 and p.second != p.first else p.first
    first = d.put("firstName", firsts.upper() if upper_first else firsts)
    d.put("nationality", nation)
    return last, first


def validity(d, span, lo=dt.date(2018, 1, 1)):
    d.issued = pp.workday(d.r, lo, dt.date(2026, 10, 1))
    d.until = years(d.issued, span) - dt.timedelta(days=1 if d.r.random() < .7 else 0)
    if d.until <= pp.REFERENCE:
        d.issued = pp.workday(d.r, dt.date(2024, 1, 1), dt.date(2026, 10, 1))
        d.until = years(d.issued, span)


@builder("IDENTITY_CARD", "fr", "fr-cni-laminated", "FR")
def cni_old(d):
    p, r = d.who, d.r
    d.issued = pp.workday(r, dt.date(2014, 2, 1), dt.date(2020, 6, 1))
    d.until = years(d.issued, 15)
    k = 1.55
    c = Card(d, 22, 20, 105, 74, k, "#e9f0f7")
    dept = p.post[:2]
    num = d.issued.strftime("%y%m") + dept + digits(r, 6, "0123")
    last, first = identity(d, "Française")
    c.t(30, 6, "RÉPUBLIQUE FRANÇAISE", 7.5, True, "#20356b")
    c.t(5, 13, "CARTE NATIONALE D'IDENTITÉ N° : " + d.put("documentNumber", num), 7, True)
    c.t(72, 13, "Nationalité Française", 6)
    c.photo(5, 17, 28, 36)
    c.t(36, 20, "Nom : " + last, 7.5)
    c.t(36, 27, "Prénom(s) : " + first, 7.5)
    c.t(36, 38, f"Sexe : {p.sex}     Né(e) le : " + d.date(p.birth, "birthDate", "dot"), 7.5)
    c.t(36, 44, f"à : {p.birthplace.upper()} ({pick(r, ['69', '44', '35', '67', '59'])})", 7.5)
    c.t(36, 50, f"Taille : 1,{r.randrange(54, 92)}m", 7.5)
    c.mrz(5, 64, pp.mrz_old_fr(p.last, first, num, dept, p.birth, p.sex), 11.2)
    b = Card(d, 22, 155, 105, 74, k, "#eef3f4")
    b.t(5, 10, "Adresse : " + d.put("address", p.street.upper()), 7)
    b.t(20, 16, d.put("city", p.city.upper()) + f" ({dept})", 7)
    b.t(5, 28, "Carte valable jusqu'au : " + d.date(d.until, "expiryDate", "dot"), 7)
    b.t(5, 35, "délivrée le : " + d.date(d.issued, "issueDate", "dot"), 7)
    b.t(5, 42, f"par : PRÉFECTURE ({dept})", 7)
    b.t(5, 50, "Signature de l'autorité :", 7)


@builder("IDENTITY_CARD", "fr", "fr-cnie-bilingual-labels", "FR")
def cnie(d):
    p, r = d.who, d.r
    validity(d, 10, dt.date(2021, 9, 1))
    k = 1.75
    c = Card(d, 28, 24, 85.6, 54, k, "#e6eef6")
    num = letters(r, 2) + digits(r, 1) + letters(r, 2) + digits(r, 2) + letters(r, 1) + digits(r, 1)
    last, first = identity(d, "FRA")
    c.t(22, 5, "RÉPUBLIQUE FRANÇAISE", 6.5, True, "#1c2f66")
    c.t(22, 8.8, "CARTE NATIONALE D'IDENTITÉ / IDENTITY CARD", 5, False, "#1c2f66")
    c.band(76, 2, 7, 5, "#1c4fa0")
    c.t(77.3, 5.6, "FR", 6, True, "#ffffff")
    c.photo(3, 11, 24, 31)
    c.lv(30, 14, "NOM / Surname", last)
    c.lv(30, 21, "Prénoms / Given names", first)
    c.lv(30, 28, "SEXE / Sex", p.sex)
    c.lv(42, 28, "NATIONALITÉ / Nationality", "FRA")
    c.lv(64, 28, "DATE DE NAISS. / Date of birth", d.date(p.birth, "birthDate", "space"), 6.5)
    c.lv(30, 35, "LIEU DE NAISSANCE / Place of birth", p.birthplace.upper())
    c.lv(30, 42.5, "N° DU DOCUMENT / Document No", d.put("documentNumber", num))
    c.lv(60, 42.5, "DATE D'EXPIR. / Expiry date", d.date(d.until, "expiryDate", "space"))
    b = Card(d, 28, 140, 85.6, 54, k, "#eef2f8")
    b.lv(30, 6, "TAILLE / Height", f"1,{r.randrange(54, 92)} m")
    b.lv(30, 14, "DATE DE DÉLIVRANCE / Date of issue", d.date(d.issued, "issueDate", "space"))
    b.lv(30, 22, "ADRESSE / Address", d.put("address", p.street.upper()), 6)
    b.t(30, 28.3, f"{d.put('postCode', p.post)} {d.put('city', p.city.upper())} FRANCE", 6, True)
    b.mrz(4, 38, pp.mrz_td1("ID", "FRA", p.last, first, num, "FRA", p.birth, p.sex, d.until), 11.4)


@builder("IDENTITY_CARD", "fr", "be-eid-labels-above", "BE")
def be_eid(d):
    p, r = d.who, d.r
    validity(d, 10, dt.date(2019, 1, 1))
    k = 1.7
    c = Card(d, 30, 30, 85.6, 54, k, "#eaf4e8")
    base = digits(r, 10, "5")
    num = f"{base[:3]}-{base[3:]}-{int(base) % 97 or 97:02d}"
    last, first = identity(d, "Belge", last_upper=False)
    c.t(4, 5, "BELGIQUE   BELGIË   BELGIEN   BELGIUM", 6.2, True, "#285a2a")
    c.t(4, 8.8, "CARTE D'IDENTITÉ   IDENTITEITSKAART   PERSONALAUSWEIS   IDENTITY CARD", 4.2, False, "#285a2a")
    c.photo(60, 12, 22, 28)
    c.lv(4, 13, "Nom / Name", last)
    c.lv(4, 20, "Prénoms / Given names", first)
    c.lv(4, 27, "Sexe / Sex", p.sex)
    c.lv(18, 27, "Nationalité / Nationality", "Belge")
    c.lv(4, 34, "Date de naissance / Date of birth", d.date(p.birth, "birthDate", "space"))
    c.lv(4, 41, "N° carte / Card No", d.put("documentNumber", num))
    c.lv(34, 41, "Expire le / Expires", d.date(d.until, "expiryDate", "space"))
    rn = p.birth.strftime("%y%m%d") + digits(r, 3, "1234")
    key = 97 - int(("2" if p.birth.year >= 2000 else "") + rn) % 97
    b = Card(d, 30, 145, 85.6, 54, k, "#eff6ee")
    b.lv(4, 6, "N° Registre national", f"{rn[:2]}.{rn[2:4]}.{rn[4:6]}-{rn[6:]}.{key:02d}")
    b.lv(4, 14, "Lieu de naissance / Place of birth", p.birthplace)
    b.lv(4, 22, "Autorité / Authority", f"{p.city} {d.date(d.issued, 'issueDate', 'space')}")
    b.mrz(4, 38, pp.mrz_td1("ID", "BEL", p.last, first, base[:9], "BEL", p.birth, p.sex, d.until), 11.4)


@builder("IDENTITY_CARD", "fr", "ch-ci-five-languages", "CH")
def ch_ci(d):
    p, r = d.who, d.r
    validity(d, 10, dt.date(2018, 1, 1))
    k = 1.7
    c = Card(d, 32, 40, 85.6, 54, k, "#f8e9e9")
    num = letters(r, 1) + digits(r, 7)
    last, first = identity(d, "SUISSE", last_upper=False)
    c.t(22, 5, "SCHWEIZERISCHE EIDGENOSSENSCHAFT · CONFÉDÉRATION SUISSE", 4.3, True, "#a01020")
    c.t(22, 9, "IDENTITÄTSKARTE · CARTE D'IDENTITÉ · CARTA D'IDENTITÀ", 4.3, False, "#a01020")
    c.photo(3, 11, 22, 29)
    c.lv(28, 14, "Name · Nom · Cognome · Num · Surname", last)
    c.lv(28, 22, "Vorname(n) · Prénom(s) · Given name(s)", first)
    c.lv(28, 30, "Geburtsdatum · Date de naissance · Date of birth", d.date(p.birth, "birthDate", "dot"))
    c.t(66, 47.5, d.put("documentNumber", num), 8, True, "#a01020")
    b = Card(d, 32, 150, 85.6, 54, k, "#faf1f1")
    b.lv(4, 5, "Heimatort · Lieu d'origine", f"{p.city} VD")
    b.lv(40, 5, "Grösse · Taille", f"{r.randrange(155, 193)} cm")
    b.lv(4, 13, "Ausgestellt am · Établie le", d.date(d.issued, "issueDate", "dot"))
    b.lv(40, 13, "Gültig bis · Valable jusqu'au", d.date(d.until, "expiryDate", "dot"))
    b.lv(4, 21, "Behörde · Autorité", "Office cantonal")
    b.lv(40, 21, "Staatsangehörigkeit · Nationalité", "SUISSE")
    b.mrz(4, 38, pp.mrz_td1("ID", "CHE", p.last, first, num, "CHE", p.birth, p.sex, d.until), 11.4)


@builder("IDENTITY_CARD", "en", "ie-passport-card", "IE")
def ie_card(d):
    p, r = d.who, d.r
    validity(d, 5, dt.date(2022, 6, 1))
    k = 1.7
    c = Card(d, 30, 30, 85.6, 54, k, "#e4f1e8")
    num = "C" + digits(r, 8)
    last, first = identity(d, "ÉIREANNACH/IRISH", True)
    d.put("nationality", "IRISH")
    c.t(30, 5, "ÉIRE / IRELAND", 7, True, "#0f5c33")
    c.t(30, 8.8, "PASSPORT CARD  ·  IDENTITY CARD", 5, False, "#0f5c33")
    c.photo(4, 11, 22, 29)
    c.lv(30, 13, "Sloinne / Surname", last)
    c.lv(30, 20, "Réamhainm(neacha) / Forename(s)", first)
    c.lv(30, 27, "Náisiúntacht / Nationality", "ÉIREANNACH / IRISH", 6.2)
    c.lv(62, 27, "Gnéas / Sex", p.sex)
    c.lv(30, 34, "Dáta breithe / Date of birth", d.date(p.birth, "birthDate", "space"))
    c.lv(30, 41, "Uimhir / Number", d.put("documentNumber", num))
    c.lv(58, 41, "As feidhm / Date of expiry", d.date(d.until, "expiryDate", "space"))
    b = Card(d, 30, 145, 85.6, 54, k, "#eef7f1")
    b.lv(4, 8, "Dáta eisiúna / Date of issue", d.date(d.issued, "issueDate", "space"))
    b.mrz(4, 38, pp.mrz_td1("IP", "IRL", p.last, first, num, "IRL", p.birth, p.sex, d.until), 11.4)


@builder("IDENTITY_CARD", "en", "us-state-id", "US")
def us_id(d):
    p, r = d.who, d.r
    validity(d, 8, dt.date(2020, 1, 1))
    k = 1.75
    c = Card(d, 30, 40, 85.6, 54, k, "#f3efe2")
    last, first = identity(d, "USA", True)
    d.fields.pop("nationality"), d.raw.pop("nationality")
    st = pp.US_STATE[p.post]
    name = {"OR": "OREGON", "WI": "WISCONSIN", "NC": "NORTH CAROLINA", "ME": "MAINE", "CO": "COLORADO"}[st]
    c.t(4, 6, name, 9, True, "#5a2d0c")
    c.t(50, 6, "IDENTIFICATION CARD", 6, True, "#5a2d0c")
    c.photo(4, 10, 24, 31)
    c.t(31, 13, "4d ID No.", 4.4)
    c.t(43, 13, d.put("documentNumber", letters(r, 1) + digits(r, 7)), 7.5, True)
    c.t(31, 18, "1 LN", 4.4), c.t(39, 18, last, 7, True)
    c.t(31, 22, "2 FN", 4.4), c.t(39, 22, first, 7, True)
    c.t(31, 27, "8", 4.4), c.t(34, 27, d.put("address", p.street.upper()), 6, True)
    c.t(34, 30.5, f"{d.put('city', p.city.upper())}, {st} {d.put('postCode', p.post)}", 6, True)
    c.t(31, 36, "3 DOB", 4.4), c.t(39, 36, d.date(p.birth, "birthDate", "us"), 7, True, "#9a1010")
    c.t(31, 41, "4a ISS", 4.4), c.t(39, 41, d.date(d.issued, "issueDate", "us"), 6.5)
    c.t(58, 41, "4b EXP", 4.4), c.t(66, 41, d.date(d.until, "expiryDate", "us"), 6.5, True)
    c.t(31, 46, f"15 SEX {p.sex}   16 HGT 5'-{r.randrange(2, 11):02d}\"   18 EYES {pick(r, ['BRO', 'BLU', 'HAZ'])}", 5.5)
    c.t(4, 51, "NOT FOR DRIVING", 5, True, "#9a1010")


def passport(d, head, country3, nation, span, labels, numform, style="mid", fill="#f2e8ec", authority=""):
    p, r = d.who, d.r
    validity(d, span)
    k = 1.35
    d.page = (210, 297) if r.random() < .7 else (190, 140)
    x, y = (20, 40) if d.page[0] == 210 else (9, 8)
    c = Card(d, x, y, 126, 88, k, fill)
    last, first = identity(d, nation, True)
    num = numform
    c.t(6, 6, head, 7, True, "#6b1028")
    c.lv(40, 11, labels[0], "P", 7)
    c.lv(58, 11, labels[1], country3, 7)
    c.lv(88, 11, labels[2], d.put("documentNumber", num), 8.5)
    c.photo(6, 14, 31, 40)
    c.lv(40, 19, labels[3], last, 8)
    c.lv(40, 27, labels[4], first, 8)
    c.lv(40, 35, labels[5], nation, 8)
    c.lv(40, 43, labels[6], d.date(p.birth, "birthDate", style), 8)
    c.lv(82, 43, labels[7], p.sex, 8)
    c.lv(90, 43, labels[8], p.birthplace.upper(), 8)
    c.lv(40, 51, labels[9], d.date(d.issued, "issueDate", style), 8)
    c.lv(82, 51, labels[10], authority or "PASSPORT OFFICE", 6.5)
    c.lv(40, 59, labels[11], d.date(d.until, "expiryDate", style), 8)
    c.mrz(6, 76, pp.mrz_td3(country3, p.last, first, num, country3, p.birth, p.sex, d.until), 11.8)


FRL = ["Type/Type", "Code du pays/Country code", "Passeport n°/Passport No", "Nom/Surname (1)", "Prénoms/Given names (2)",
       "Nationalité/Nationality (3)", "Date de naissance/Date of birth (4)", "Sexe/Sex (5)", "Lieu de naissance/Place of birth (6)",
       "Date de délivrance/Date of issue (7)", "Autorité/Authority (9)", "Date d'expiration/Date of expiry (8)"]
ENL = ["Type/Type", "Code/Code", "Passport No./Passeport No.", "Surname/Nom (1)", "Given names/Prénoms (2)", "Nationality/Nationalité (3)",
       "Date of birth/Date de naissance (4)", "Sex/Sexe (5)", "Place of birth/Lieu de naissance (6)", "Date of issue/Date de délivrance (7)",
       "Authority/Autorité (8)", "Date of expiry/Date d'expiration (9)"]
USL = ["Type", "Code", "Passport No.", "Surname", "Given Names", "Nationality", "Date of birth", "Sex", "Place of birth", "Date of issue",
       "Authority", "Date of expiration"]


@builder("PASSPORT", "fr", "fr-passport-page", "FR")
def pass_fr(d):
    r = d.r
    passport(d, "RÉPUBLIQUE FRANÇAISE   PASSEPORT / PASSPORT", "FRA", "Française", 10, FRL,
             digits(r, 2) + letters(r, 2) + digits(r, 5), "space", "#f3e7ea", f"Préfecture de {d.who.city}")


@builder("PASSPORT", "fr", "be-passport-page", "BE")
def pass_be(d):
    r = d.r
    passport(d, "ROYAUME DE BELGIQUE   PASSEPORT", "BEL", "BELGE", 7, FRL, letters(r, 2) + digits(r, 6), "slash", "#f4ead9", d.who.city)


@builder("PASSPORT", "fr", "ch-passport-page", "CH")
def pass_ch(d):
    r = d.r
    passport(d, "CONFÉDÉRATION SUISSE   PASSEPORT · REISEPASS · PASSAPORTO", "CHE", "Suisse", 10, FRL,
             "X" + digits(r, 7), "dot", "#f9e4e4", "Lausanne VD")


@builder("PASSPORT", "fr", "ca-passport-page-fr", "CA")
def pass_caf(d):
    r = d.r
    passport(d, "CANADA   PASSEPORT / PASSPORT", "CAN", "CANADIENNE/CANADIAN", 10, FRL, letters(r, 2) + digits(r, 6), "mid", "#eee9f4", "GATINEAU")
    d.put("nationality", "CANADIENNE")


@builder("PASSPORT", "en", "uk-passport-page", "UK")
def pass_uk(d):
    passport(d, "UNITED KINGDOM OF GREAT BRITAIN AND NORTHERN IRELAND", "GBR", "BRITISH CITIZEN", 10, ENL, digits(d.r, 9), "mid",
             "#e9ecf5", "HMPO")


@builder("PASSPORT", "en", "ie-passport-page", "IE")
def pass_ie(d):
    passport(d, "ÉIRE   IRELAND   PAS / PASSPORT", "IRL", "IRISH", 10, ENL, "P" + letters(d.r, 1) + digits(d.r, 7), "mid", "#e9f3e9",
             "PASSPORT OFFICE")


@builder("PASSPORT", "en", "us-passport-page", "US")
def pass_us(d):
    passport(d, "UNITED STATES OF AMERICA   PASSPORT", "USA", "UNITED STATES OF AMERICA", 10, USL, digits(d.r, 9), "mid", "#eef0f7",
             "United States Department of State")


def permit(d, head, sub, code, country, nation, kind, span, labels, style, fill, number, remark):
    p, r = d.who, d.r
    validity(d, span, dt.date(2024, 12, 15))
    k = 1.7
    c = Card(d, 30, 30, 85.6, 54, k, fill)
    last, first = identity(d, nation, True)
    c.t(4, 5, head, 6.5, True, "#22427a")
    c.t(4, 8.6, sub, 4.6, False, "#22427a")
    c.t(60, 8.6, d.put("documentNumber", number), 8, True)
    c.photo(4, 11, 23, 30)
    c.lv(30, 14, labels[0], last)
    c.t(30, 20.6, first, 7, True)
    c.lv(30, 24.5, labels[1], p.sex, 6.5)
    c.lv(42, 24.5, labels[2], nation, 6.5)
    c.lv(60, 24.5, labels[3], d.date(p.birth, "birthDate", style), 6.5)
    c.lv(30, 31.5, labels[4], kind, 6.5)
    c.lv(30, 38.5, labels[5], d.date(d.until, "expiryDate", style), 6.5)
    c.lv(30, 45.5, labels[6], remark, 5.6)
    b = Card(d, 30, 145, 85.6, 54, k, fill)
    b.lv(4, 6, labels[7], f"{p.birthplace.upper()}", 6.5)
    b.lv(4, 14, labels[8], d.date(d.issued, "issueDate", style), 6.5)
    b.mrz(4, 38, pp.mrz_td1(code, country, p.last, first, number, nation, p.birth, p.sex, d.until), 11.4)


@builder("RESIDENCE_PERMIT", "fr", "fr-titre-sejour-card", "FR")
def titre(d):
    r = d.r
    permit(d, "TITRE DE SÉJOUR", "RÉPUBLIQUE FRANÇAISE · RESIDENCE PERMIT", "IR", "FRA", pick(r, ["MAR", "SEN", "TUN", "BRA", "CIV"]),
           pick(r, ["CARTE DE RÉSIDENT", "SALARIÉ", "VIE PRIVÉE ET FAMILIALE", "ÉTUDIANT"]), pick(r, [4, 10]),
           ["NOM Prénoms / Name", "SEXE", "NATIONALITÉ", "DATE DE NAISS.", "CATÉGORIE DU TITRE / Type of permit",
            "DATE D'EXPIRATION / Date of expiry", "REMARQUES / Remarks", "LIEU DE NAISSANCE", "DATE DE DÉLIVRANCE"],
           "space", "#efe6f0", letters(r, 2) + digits(r, 7), "AUTORISE SON TITULAIRE À TRAVAILLER")


@builder("RESIDENCE_PERMIT", "fr", "ch-permis-b-card", "CH")
def permis_b(d):
    r = d.r
    permit(d, "AUTORISATION DE SÉJOUR  ·  B", "SUISSE · SCHWEIZ · SVIZZERA", "IR", "CHE", pick(r, ["PRT", "BRA", "TUR", "CAN"]),
           "B  ACTIVITÉ LUCRATIVE", 5,
           ["NOM PRÉNOM", "SEXE", "NAT.", "DATE DE NAISSANCE", "GENRE DE TITRE", "VALABLE JUSQU'AU", "REMARQUES", "LIEU DE NAISSANCE",
            "DATE D'ENTRÉE / ÉTABLI LE"], "dot", "#f0ece1", letters(r, 2) + digits(r, 7), "CANTON DE VAUD")


@builder("RESIDENCE_PERMIT", "fr", "be-carte-a", "BE")
def carte_a(d):
    r = d.r
    permit(d, "TITRE DE SÉJOUR   VERBLIJFSTITEL", "BELGIQUE · BELGIË", "IR", "BEL", pick(r, ["MAR", "COD", "USA", "TUR"]),
           "B. SÉJOUR ILLIMITÉ", 5,
           ["NOM, Prénoms", "SEXE", "NAT.", "NÉ(E) LE", "TYPE DE TITRE", "DATE D'EXPIRATION", "REMARQUES", "LIEU DE NAISSANCE",
            "DATE ET LIEU DE DÉLIVRANCE"], "space", "#e7f0ea", "B" + digits(r, 8), "MARCHÉ DU TRAVAIL : ILLIMITÉ")


@builder("RESIDENCE_PERMIT", "en", "ie-irp-card", "IE")
def irp(d):
    r = d.r
    permit(d, "IRISH RESIDENCE PERMIT", "ÉIRE · IRELAND", "IR", "IRL", pick(r, ["IND", "BRA", "NGA", "PHL"]), "STAMP 1G", 4,
           ["NAME", "SEX", "NATIONALITY", "DATE OF BIRTH", "TYPE OF PERMIT", "VALID UNTIL", "REMARKS", "PLACE OF BIRTH", "DATE OF ISSUE"],
           "space", "#e6f2ea", letters(r, 3) + digits(r, 6), "WORK PERMIT NOT REQUIRED")


@builder("RESIDENCE_PERMIT", "en", "us-permanent-resident", "US")
def green(d):
    p, r = d.who, d.r
    validity(d, 10)
    c = Card(d, 30, 35, 85.6, 54, 1.75, "#e5efe0")
    num = letters(r, 3) + digits(r, 9)
    nation = pick(r, ["India", "Mexico", "Philippines", "Nigeria"])
    last, first = identity(d, nation, True)
    c.t(4, 5, "UNITED STATES OF AMERICA", 6.5, True, "#205030")
    c.t(50, 5, "PERMANENT RESIDENT", 6.5, True, "#205030")
    c.photo(4, 9, 26, 33)
    c.lv(33, 12, "Surname", last)
    c.lv(33, 18.5, "Given Name", first)
    c.lv(33, 25, "USCIS#", digits(r, 3) + "-" + digits(r, 3) + "-" + digits(r, 3), 6.5)
    c.lv(58, 25, "Category", pick(r, ["IR1", "E21", "F41"]), 6.5)
    c.lv(33, 31.5, "Country of Birth", nation, 6.5)
    c.lv(33, 38, "Date of Birth", d.date(p.birth, "birthDate", "mid").upper(), 7)
    d.put("birthDate", d.fields["birthDate"].upper(), p.birth)
    c.lv(58, 38, "Sex", p.sex, 6.5)
    c.t(33, 46.5, "Card Expires:", 5), c.t(46, 46.5, d.date(d.until, "expiryDate", "us"), 7, True)
    c.t(33, 50.5, "Resident Since:", 5), c.t(48, 50.5, d.date(d.issued, "issueDate", "us"), 7)
    b = Card(d, 30, 150, 85.6, 54, 1.75, "#eef4ea")
    three = {"India": "IND", "Mexico": "MEX", "Philippines": "PHL", "Nigeria": "NGA"}[nation]
    b.t(4, 8, "Card Number " + d.put("documentNumber", num), 6.5, True)
    b.mrz(4, 38, pp.mrz_td1("C1", "USA", p.last, first, num[:9], three, p.birth, p.sex, d.until), 11.4)


def eu_licence(d, head, lang_code, fill, number, authority, cats, style="slash", address=False):
    p, r = d.who, d.r
    validity(d, 15, dt.date(2014, 6, 1))
    if (d.issued - p.birth).days < 18 * 366:
        p.birth = p.birth.replace(year=d.issued.year - 23, day=min(p.birth.day, 28))
    k = 1.75
    c = Card(d, 28, 32, 85.6, 54, k, fill)
    last = d.put("lastName", p.last.upper())
    first = d.put("firstName", p.first.upper())
    c.t(17, 6, head, 5.6, True, "#8a2a52")
    c.band(4, 3, 9, 7, "#1c4fa0")
    c.t(5.2, 7.8, lang_code, 8, True, "#ffffff")
    c.photo(4, 14, 23, 30)
    c.t(30, 14, "1.", 5), c.t(34, 14, last, 7.5, True)
    c.t(30, 19, "2.", 5), c.t(34, 19, first, 7.5, True)
    c.t(30, 24, "3.", 5), c.t(34, 24, d.date(p.birth, "birthDate", style) + "   " + p.birthplace.upper(), 7)
    c.t(30, 29, "4a.", 5), c.t(34, 29, d.date(d.issued, "issueDate", style), 7)
    c.t(56, 29, "4c.", 5), c.t(60, 29, authority, 7)
    c.t(30, 34, "4b.", 5), c.t(34, 34, d.date(d.until, "expiryDate", style), 7, True)
    c.t(30, 39, "5.", 5), c.t(34, 39, d.put("documentNumber", number), 7.5, True)
    if address:
        c.t(30, 44, "8.", 5)
        c.t(34, 44, d.put("address", p.street.upper()) + ",", 6)
        c.t(34, 47.5, f"{d.put('city', p.city.upper())}, {d.put('postCode', p.post)}", 6)
    c.t(4, 51.5, "9.", 5), c.t(9, 51.5, cats, 7, True)


@builder("DRIVING_LICENCE", "fr", "fr-eu-card-numbered", "FR")
def permis_fr(d):
    r = d.r
    eu_licence(d, "PERMIS DE CONDUIRE   RÉPUBLIQUE FRANÇAISE", "F", "#f6e3ec", digits(r, 2) + letters(r, 2) + digits(r, 5),
               f"Préfecture {d.who.post[:2]}", "AM   B1   B", "dot")


@builder("DRIVING_LICENCE", "fr", "be-eu-card-numbered", "BE")
def permis_be(d):
    eu_licence(d, "PERMIS DE CONDUIRE   ROYAUME DE BELGIQUE", "B", "#f5e6e9", digits(d.r, 10), d.who.city, "AM   B", "dot")


@builder("DRIVING_LICENCE", "fr", "ch-eu-card-numbered", "CH")
def permis_ch(d):
    eu_licence(d, "PERMIS DE CONDUIRE   CONFÉDÉRATION SUISSE", "CH", "#f3e8f0", digits(d.r, 12), "VD", "A1   B   F   G   M", "dot")


@builder("DRIVING_LICENCE", "fr", "fr-pink-three-panels", "FR")
def permis_rose(d):
    p, r = d.who, d.r
    d.issued = pp.workday(r, dt.date(1999, 1, 1), dt.date(2012, 12, 1))
    if (d.issued - p.birth).days < 18 * 366:
        p.birth = dt.date(d.issued.year - 22, p.birth.month, min(p.birth.day, 28))
    d.page = (297, 210)
    c = Card(d, 25, 40, 240, 120, 1, "#f9d3dd")
    c.band(84, 0, .4, 120, "#999999"), c.band(164, 0, .4, 120, "#999999")
    c.t(12, 12, "RÉPUBLIQUE FRANÇAISE", 11, True)
    c.t(12, 22, "PERMIS DE CONDUIRE", 14, True)
    c.t(12, 34, "MODÈLE DES COMMUNAUTÉS EUROPÉENNES", 7)
    c.t(90, 14, "1. Nom  " + d.put("lastName", p.last.upper()), 11)
    c.t(90, 24, "2. Prénoms  " + d.put("firstName", p.first), 11)
    c.t(90, 34, "3. Date et lieu de naissance", 8)
    c.t(90, 40, d.date(p.birth, "birthDate", "slash") + f" à {p.birthplace}", 11)
    c.t(90, 50, "4. Domicile", 8)
    c.t(90, 56, d.put("address", p.street), 10)
    c.t(90, 62, f"{d.put('postCode', p.post)} {d.put('city', p.city)}", 10)
    c.t(90, 74, "5. Délivré par  le Préfet", 9)
    c.t(90, 82, "6. Le  " + d.date(d.issued, "issueDate", "slash"), 11)
    c.t(90, 92, "7. N°  " + d.put("documentNumber", d.issued.strftime("%y%m") + p.post[:2] + digits(r, 6)), 11)
    c.photo(188, 14, 35, 45)
    c.t(172, 76, "Catégories de véhicules pour lesquelles le permis est valable", 6.5)
    c.t(172, 84, "B   véhicules automobiles ≤ 3,5 t", 9)


@builder("DRIVING_LICENCE", "en", "uk-photocard-numbered", "UK")
def licence_uk(d):
    p, r = d.who, d.r
    y = f"{p.birth:%y}"
    sur = (pp.plain(p.last).upper().replace("'", "").replace("-", "") + "99999")[:5]
    month = p.birth.month + (50 if p.female else 0)
    num = f"{sur} {y[0]}{month:02d}{p.birth:%d}{y[1]} {p.first[0]}9{digits(r, 1)}{letters(r, 2)}"
    eu_licence(d, "DRIVING LICENCE", "UK", "#f4e2ea", num.replace(" ", ""), "DVLA", "AM/A/B1/B/f/k/l/n/p/q", "dot", True)


@builder("DRIVING_LICENCE", "en", "ie-licence-card", "IE")
def licence_ie(d):
    eu_licence(d, "DRIVING LICENCE   CEADÚNAS TIOMÁNA", "IRL", "#f4e6dc", digits(d.r, 9), "NDLS", "AM   B   W", "dot", True)


@builder("DRIVING_LICENCE", "en", "us-state-licence", "US")
def licence_us(d):
    us_id(d)
    for o in d.ops:
        if o[0] == "t":
            o[3] = o[3].replace("IDENTIFICATION CARD", "DRIVER LICENSE").replace("4d ID No.", "4d DLN").replace("NOT FOR DRIVING", "9 CLASS C   9a END NONE")


@builder("DRIVING_LICENCE", "en", "ca-ontario-licence", "CA")
def licence_ca(d):
    p, r = d.who, d.r
    validity(d, 5, dt.date(2022, 3, 1))
    c = Card(d, 30, 38, 85.6, 54, 1.75, "#e4ebf5")
    c.t(4, 6, "Ontario", 9, True, "#1c3c70")
    c.t(32, 6, "DRIVER'S LICENCE / PERMIS DE CONDUIRE", 5.5, True, "#1c3c70")
    c.photo(4, 11, 24, 31)
    last = d.put("lastName", p.last.upper())
    c.lv(31, 11, "1,2 NAME / NOM", f"{last}, {d.put('firstName', p.first.upper())}", 6.5)
    c.lv(31, 18, "8 ADDRESS / ADRESSE", d.put("address", p.street.upper()), 6)
    c.t(31, 24.4, f"{d.put('city', p.city.upper())}, {pp.CA_PROV[p.post[0]]}, {d.put('postCode', p.post)}", 6, True)
    n = p.last[0].upper() + digits(r, 4) + "-" + digits(r, 5) + "-" + digits(r, 5)
    c.lv(31, 28, "4d NUMBER / NUMÉRO", d.put("documentNumber", n), 7)
    c.lv(31, 35, "4a ISS / DÉL", d.date(d.issued, "issueDate", "iso").replace("-", "/"), 6.5)
    d.put("issueDate", d.fields["issueDate"].replace("-", "/"), d.issued)
    c.lv(56, 35, "4b EXP / EXP", d.date(d.until, "expiryDate", "iso").replace("-", "/"), 6.5)
    d.put("expiryDate", d.fields["expiryDate"].replace("-", "/"), d.until)
    c.lv(31, 42, "3 DOB / DDN", d.date(p.birth, "birthDate", "iso").replace("-", "/"), 7)
    d.put("birthDate", d.fields["birthDate"].replace("-", "/"), p.birth)
    c.lv(56, 42, "15 SEX / SEXE", p.sex, 6.5)
    c.t(4, 50.5, "9 CLASS / CATÉG.  G", 6)
