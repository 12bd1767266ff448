"""Invented people, firms and numbers. Check digits hold; no one here exists."""
import datetime as dt
import string
import unicodedata
from decimal import Decimal

REFERENCE = dt.date(2026, 11, 27)

FR_FIRST = ["Élodie", "Aurélien", "Hélène", "Mathis", "Clémence", "Yanis", "Solène", "Bastien", "Océane", "Rémi",
            "Ghislaine", "Thibaut", "Noémie", "Ismaël", "Maëlys", "Gaëtan", "Pauline", "Corentin", "Fatou", "Loïc",
            "Perrine", "Edgar", "Salomé", "Romuald", "Nadège", "Kévin", "Jeanne", "Hugo", "Amandine", "Célestin"]
FR_LAST = ["Marchandeau", "Lefranchet", "Béraudier", "Castagnol", "Vasseurel", "Delahousse", "Peyrontin", "Guérinaud",
           "Roussillard", "Thévenard", "Kerbellec", "Montagnier", "Oulhadj", "Brissonnet", "Charpentreau", "Aubertinet",
           "Fauconnay", "Diabakhoré", "Lamoureaux", "Vigneronde", "Escoffard", "Tournadier", "Haudecoeur", "Jolivard",
           "Pasquereau", "Sainmont", "Wattrelin", "Bonnefoix", "Crémadel", "Nguyên-Roy"]
EN_FIRST = ["Imogen", "Callum", "Siobhan", "Declan", "Harriet", "Rhys", "Priya", "Oliver", "Niamh", "Gareth", "Tamsin",
            "Kwame", "Aoife", "Dominic", "Bethany", "Fergus", "Rosalind", "Malik", "Eleanor", "Conor", "Janelle",
            "Travis", "Meredith", "Curtis", "Shauna", "Wyatt", "Lucinda", "Angus"]
EN_LAST = ["Hathersage", "McQuillan", "Ravensdale", "Okonjo", "Thistlewood", "O'Dargan", "Penhallow", "Bramwick",
           "Llewelyn-Price", "Farnborough", "Kilbraney", "Stonehewer", "Adebanke", "Whitcombe", "Gallowglass",
           "Trevanion", "Mulhearn", "Dunsmoor", "Patelwala", "Crosthwaite", "Beckinsall", "Harrowgate", "Lindqvist",
           "Fennimore", "Castleden", "Ridgeway", "Ogilthorpe", "Sandoval"]

PLACES = {
    "FR": [("69003", "Lyon"), ("44000", "Nantes"), ("35200", "Rennes"), ("67000", "Strasbourg"), ("33800", "Bordeaux"),
           ("59800", "Lille"), ("38100", "Grenoble"), ("21000", "Dijon"), ("13008", "Marseille"), ("37000", "Tours"),
           ("86000", "Poitiers"), ("29200", "Brest"), ("93100", "Montreuil"), ("42000", "Saint-Étienne"),
           ("25000", "Besançon"), ("64000", "Pau")],
    "BE": [("5000", "Namur"), ("4000", "Liège"), ("1180", "Uccle"), ("7000", "Mons"), ("1400", "Nivelles")],
    "CH": [("1003", "Lausanne"), ("1205", "Genève"), ("2000", "Neuchâtel"), ("1950", "Sion"), ("1700", "Fribourg")],
    "UK": [("LS6 3QN", "Leeds"), ("BS8 2DJ", "Bristol"), ("EH9 1PR", "Edinburgh"), ("M20 4WL", "Manchester"),
           ("CF11 9HB", "Cardiff"), ("NG7 2RD", "Nottingham"), ("YO31 7SW", "York"), ("BN3 5TF", "Hove")],
    "IE": [("D06 X2K4", "Dublin 6"), ("T12 RP63", "Cork"), ("H91 E8VW", "Galway"), ("V94 N2CX", "Limerick")],
    "US": [("97214", "Portland"), ("53703", "Madison"), ("27514", "Chapel Hill"), ("04101", "Portland"),
           ("80302", "Boulder")],
    "CA": [("H2J 3M8", "Montréal"), ("G1R 4P5", "Québec"), ("K1S 2W6", "Ottawa"), ("M6G 1T3", "Toronto"),
           ("J8X 2K9", "Gatineau")],
}
US_STATE = {"97214": "OR", "53703": "WI", "27514": "NC", "04101": "ME", "80302": "CO"}
CA_PROV = {"H": "QC", "G": "QC", "J": "QC", "K": "ON", "M": "ON"}
STREETS = {
    "FR": ["rue des Tanneurs", "avenue Jean-Moulin", "impasse du Lavoir", "boulevard de la Liberté", "rue Paul-Bert",
           "chemin des Vignes", "place du Vieux-Marché", "allée des Érables", "quai de l'Écluse", "rue Sainte-Catherine"],
    "BE": ["rue de la Station", "chaussée de Waterloo", "avenue des Hêtres", "rue du Moulin"],
    "CH": ["rue du Simplon", "avenue de la Gare", "chemin de Bellevue", "rue de l'Hôpital"],
    "UK": ["Kirkstall Mews", "Blenheim Road", "Orchard Close", "Station Parade", "Victoria Terrace", "Mill Lane"],
    "IE": ["Rathgar Avenue", "Abbey Street", "Castle Park", "Harbour View"],
    "US": ["Hawthorne Blvd", "E Gorham St", "Franklin St", "Pleasant Ave", "Maple Dr"],
    "CA": ["rue Garnier", "avenue Cartier", "Sunnyside Avenue", "Euclid Avenue", "rue Laurier"],
}
BANKS = {"FR": ["Banque Armoricaine", "Crédit du Ponant", "Caisse Rhodanienne", "Banque Septentrion"],
         "BE": ["Banque du Condroz", "Mosane Banque"], "CH": ["Banque Cantonale du Jorat", "Crédit Lémanique"],
         "UK": ["Northmoor Bank plc", "Calder & Wye Bank"], "IE": ["Bank of Shannonside", "Liffey Savings Bank"],
         "US": ["Cascade Federal Credit Union", "Prairie State Bank"],
         "CA": ["Caisse des Laurentides", "Rideau Trust"]}
FIRMS_FR = ["Menuiserie Tarrade", "Ateliers Colombin", "Transports Briançais", "Logiciels Outremer", "Boulangerie Fénelon",
            "Clinique des Quatre-Vents", "Imprimerie Gutenval", "Plomberie Sarrazin & Fils", "Groupe Valmoray",
            "Hôtel du Grand Cèdre", "Pépinières Aubrac", "Électricité Danjou", "Garage du Rempart", "Cabinet Orsini-Leduc"]
FIRMS_EN = ["Harrow & Finch Joinery", "Peakside Logistics", "Blue Heron Software", "Tidewater Catering", "Oakmoor Care",
            "Pennyfarthing Print", "Saltmarsh Plumbing", "Greyfriars Motors", "Lakeland Dental", "Copperbeech Electrical",
            "Montrose Analytics", "Sycamore Street Bakery"]


def plain(text):
    """Letters without accents."""
    norm = unicodedata.normalize("NFD", text.replace("œ", "oe").replace("Œ", "OE"))
    return "".join(c for c in norm if not unicodedata.combining(c))


def digits(r, n, first="123456789"):
    return r.choice(first) + "".join(r.choice(string.digits) for _ in range(n - 1))


def letters(r, n):
    return "".join(r.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(n))


def mod97_check(country, bban):
    s = bban + country + "00"
    num = "".join(str(int(c, 36)) for c in s)
    return f"{98 - int(num) % 97:02d}"


def iban_ok(iban):
    s = iban.replace(" ", "")
    s = s[4:] + s[:4]
    return int("".join(str(int(c, 36)) for c in s)) % 97 == 1


def rib_key(bank, branch, account):
    table = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "12345678912345678923456789")
    acc = int(account.translate(table))
    return f"{97 - (89 * int(bank) + 15 * int(branch) + 3 * acc) % 97:02d}"


def iban(r, country, bic4="NORM"):
    if country == "FR":
        bank, branch, account = digits(r, 5), digits(r, 5, "0123"), digits(r, 11, "0")
        bban = bank + branch + account + rib_key(bank, branch, account)
    elif country == "BE":
        base = digits(r, 10)
        bban = base + f"{int(base) % 97 or 97:02d}"
    elif country == "CH":
        bban = digits(r, 5, "0") + digits(r, 12, "0")
    elif country == "UK":
        country, bban = "GB", bic4 + digits(r, 6, "23456") + digits(r, 8)
    elif country == "IE":
        bban = bic4 + digits(r, 6, "9") + digits(r, 8)
    else:
        return None
    return country + mod97_check(country, bban) + bban


def group4(text):
    return " ".join(text[i:i + 4] for i in range(0, len(text), 4))


def luhn_ok(number):
    total = 0
    for i, c in enumerate(reversed(number)):
        d = int(c) * (2 if i % 2 else 1)
        total += d - 9 if d > 9 else d
    return total % 10 == 0


def with_luhn(base):
    return next(base + c for c in string.digits if luhn_ok(base + c))


def siren(r):
    return with_luhn(digits(r, 8, "345789"))


def siret(number):
    return with_luhn(number + "0001")


def vat_fr(number):
    return f"FR{(12 + 3 * (int(number) % 97)) % 97:02d}{number}"


def be_number(r):
    base = digits(r, 8, "0")
    return base + f"{97 - int(base) % 97:02d}"


def che(r):
    while True:
        base = digits(r, 8)
        key = 11 - sum(int(c) * w for c, w in zip(base, (5, 4, 3, 2, 7, 6, 5, 4))) % 11
        if key != 10:
            n = base + str(key % 11)
            return f"CHE-{n[:3]}.{n[3:6]}.{n[6:]}"


def vat_uk(r):
    base = digits(r, 7)
    key = 97 - sum(int(c) * w for c, w in zip(base, (8, 7, 6, 5, 4, 3, 2))) % 97
    return f"GB {base[:3]} {base[3:]} {key:02d}"


def nir(r, birth, female):
    base = ("2" if female else "1") + birth.strftime("%y%m") + digits(r, 2, "3567") + digits(r, 6, "0123")
    key = 97 - int(base) % 97
    return f"{base[0]} {base[1:3]} {base[3:5]} {base[5:7]} {base[7:10]} {base[10:]} {key:02d}"


def avs(r):
    base = "756" + digits(r, 9)
    key = (10 - sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(base)) % 10) % 10
    n = base + str(key)
    return f"{n[:3]}.{n[3:7]}.{n[7:11]}.{n[11:]}"


def nino(r):
    return f"{r.choice('ABCEHJLMNPRSTWXY')}{r.choice('ABCEHJLMPRSTWXY')} {digits(r, 2)} {digits(r, 2)} {digits(r, 2)} {r.choice('ABCD')}"


def ppsn(r):
    base = digits(r, 7)
    key = sum(int(c) * w for c, w in zip(base, range(8, 1, -1))) % 23
    return base + "WABCDEFGHIJKLMNOPQRSTUV"[key]


def vin(r):
    table = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9]))
    chars = [r.choice("ABCDEFGHJKLMNPRSTUVWXYZ0123456789") for _ in range(11)] + [r.choice(string.digits) for _ in range(6)]
    chars[0:3] = "VF1" if r.random() < .5 else "WBA"
    weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
    chars[8] = "0"
    rest = sum((int(c) if c.isdigit() else table[c]) * w for c, w in zip(chars, weights)) % 11
    chars[8] = "X" if rest == 10 else str(rest)
    return "".join(chars)


def mrz_check(text):
    total = 0
    for i, c in enumerate(text):
        v = 0 if c == "<" else int(c, 36)
        total += v * (7, 3, 1)[i % 3]
    return str(total % 10)


def mrz_name(text):
    return plain(text).upper().replace("'", "").replace(",", "").replace("-", "<").replace(" ", "<")


def mrz_td3(country, last, first, number, nation, birth, sex, expiry):
    line1 = f"P<{country}{mrz_name(last)}<<{mrz_name(first)}".ljust(44, "<")[:44]
    n = number.ljust(9, "<")
    b, e = birth.strftime("%y%m%d"), expiry.strftime("%y%m%d")
    opt = "<" * 14
    body = n + mrz_check(n) + nation + b + mrz_check(b) + sex + e + mrz_check(e) + opt + "0"
    whole = n + mrz_check(n) + b + mrz_check(b) + e + mrz_check(e) + opt + "0"
    return [line1, body + mrz_check(whole)]


def mrz_td1(kind, country, last, first, number, nation, birth, sex, expiry):
    n = number.ljust(9, "<")[:9]
    b, e = birth.strftime("%y%m%d"), expiry.strftime("%y%m%d")
    line1 = f"{kind}{country}{n}{mrz_check(n)}".ljust(30, "<")
    opt = "<" * 11
    line2 = b + mrz_check(b) + sex + e + mrz_check(e) + nation + opt
    whole = line1[5:] + b + mrz_check(b) + e + mrz_check(e) + opt
    line2 += mrz_check(whole)
    return [line1, line2, f"{mrz_name(last)}<<{mrz_name(first)}".ljust(30, "<")[:30]]


def mrz_old_fr(last, first, number, dept, birth, sex):
    line1 = f"IDFRA{mrz_name(last)}".ljust(30, "<")[:30] + dept.ljust(3, "0") + "042"
    b = birth.strftime("%y%m%d")
    line2 = number + mrz_check(number) + mrz_name(first).ljust(14, "<")[:14] + b + mrz_check(b) + sex
    return [line1, line2 + mrz_check(line1 + line2)]


def pick(r, seq):
    return seq[r.randrange(len(seq))]


def day(r, start, end):
    return start + dt.timedelta(days=r.randrange(max(1, (end - start).days)))


def workday(r, start, end):
    d = day(r, start, end)
    while d.weekday() > 4:
        d -= dt.timedelta(days=1)
    return d


def years(date, n):
    try:
        return date.replace(year=date.year + n)
    except ValueError:
        return date.replace(year=date.year + n, day=28)


class Person:
    """One invented person with an address and a bank account."""

    def __init__(self, r, country, lang):
        self.country = country
        fr = lang == "fr"
        self.first = pick(r, FR_FIRST if fr else EN_FIRST)
        self.last = pick(r, FR_LAST if fr else EN_LAST)
        self.second = pick(r, FR_FIRST if fr else EN_FIRST)
        females = "Élodie Hélène Clémence Solène Océane Ghislaine Noémie Maëlys Pauline Fatou Perrine Salomé Nadège Jeanne " \
                  "Amandine Imogen Siobhan Harriet Priya Niamh Tamsin Aoife Bethany Rosalind Eleanor Janelle Meredith " \
                  "Shauna Lucinda"
        self.female = self.first in females.split()
        self.sex = "F" if self.female else "M"
        self.title = ("Mme" if self.female else "M.") if fr else ("Ms" if self.female else "Mr")
        self.birth = day(r, dt.date(1951, 1, 1), dt.date(2003, 6, 1))
        self.post, self.city = pick(r, PLACES[country])
        self.birthplace = pick(r, PLACES[country])[1]
        no = r.randrange(2, 190)
        st = pick(r, STREETS[country])
        if country in ("BE", "CH"):
            self.street = f"{st} {no}"
        elif country == "CA" and fr:
            self.street = f"{no * 10 + 7}, {st}"
        elif country == "FR":
            self.street = f"{no}{pick(r, ['', '', '', ' bis'])}{pick(r, [' ', ' ', ', '])}{st}"
        else:
            self.street = f"{no} {st}"
        self.bank = pick(r, BANKS[country])
        code = plain(self.bank).upper().replace(" ", "").replace("&", "")
        self.bic4 = (code + "XXXX")[:4]
        self.bic = self.bic4 + {"UK": "GB"}.get(country, country) + letters(r, 1) + digits(r, 1)
        if r.random() < .4:
            self.bic += "XXX" if r.random() < .5 else digits(r, 3)
        self.iban = iban(r, country, self.bic4)

    def full(self, upper=False):
        return f"{self.first} {self.last.upper() if upper else self.last}"


class Firm:
    """One invented company."""

    def __init__(self, r, country, lang):
        self.country = country
        base = pick(r, FIRMS_FR if lang == "fr" else FIRMS_EN)
        forms = {"FR": ["SARL", "SAS", "SA"], "BE": ["SRL", "SA"], "CH": ["Sàrl", "SA"], "UK": ["Ltd", "Limited"],
                 "IE": ["DAC", "Ltd"], "US": ["LLC", "Inc."], "CA": ["inc.", "ltée"] if lang == "fr" else ["Inc.", "Ltd."]}
        self.form = pick(r, forms[country])
        self.name = f"{base} {self.form}"
        self.short = base
        self.post, self.city = pick(r, PLACES[country])
        no = r.randrange(1, 120)
        st = pick(r, STREETS[country])
        self.street = f"{st} {no}" if country in ("BE", "CH") else f"{no} {st}"
        self.siren = siren(r)
        self.siret = siret(self.siren)
        if country == "FR":
            self.reg, self.vat = spaced3(self.siren), vat_fr(self.siren)
        elif country == "BE":
            n = be_number(r)
            self.reg = f"{n[:4]}.{n[4:7]}.{n[7:]}"
            self.vat = "BE " + self.reg
        elif country == "CH":
            self.reg = che(r)
            self.vat = self.reg + " TVA"
        elif country == "UK":
            self.reg, self.vat = digits(r, 8, "01"), vat_uk(r)
        elif country == "IE":
            self.reg, self.vat = digits(r, 6), "IE " + ppsn(r)
        elif country == "US":
            self.reg = digits(r, 2) + "-" + digits(r, 7)
            self.vat = self.reg
        else:
            self.reg = "11" + digits(r, 8)
            self.vat = digits(r, 9) + " RT0001"
        self.bank = pick(r, BANKS[country])
        code = plain(self.bank).upper().replace(" ", "").replace("&", "")
        self.bic = code[:4] + {"UK": "GB"}.get(country, country) + letters(r, 1) + digits(r, 1)
        self.iban = iban(r, country, code[:4])
        self.phone = phone(r, country)
        slug = plain(base).lower().replace(" & ", "-").replace(" ", "-").replace("'", "")
        self.mail = f"contact@{slug}.example"
        self.web = f"www.{slug}.example"


def spaced3(n):
    return " ".join(n[i:i + 3] for i in range(0, len(n), 3))


def phone(r, country):
    d = digits(r, 8, "2345678")
    return {"FR": f"0{r.choice('12345')} {d[0:2]} {d[2:4]} {d[4:6]} {d[6:8]}", "BE": f"081 {d[0:2]} {d[2:4]} {d[4:6]}",
            "CH": f"021 {d[0:3]} {d[3:5]} {d[5:7]}", "UK": f"0113 496 0{d[0:3]}", "IE": f"01 {d[0:3]} {d[3:7]}",
            "US": f"(503) 555-01{d[0:2]}", "CA": f"514 555-01{d[0:2]}"}[country]


def cents(x):
    return Decimal(x).quantize(Decimal("0.01"), rounding="ROUND_HALF_UP")
