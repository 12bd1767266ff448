"""Invented people, places, firms and numbers whose check digits are right."""
import datetime as dt
import random
import string
import unicodedata

REF = dt.date(2026, 11, 20)

FIRST = {
    "FR": (["Julien", "Rémi", "Karim", "Théo", "Mathieu", "Jean-Baptiste", "Loïc", "Yanis", "Gaëtan", "Étienne", "Mamadou", "Cédric", "Hugo"],
           ["Chloé", "Aurélie", "Fatou", "Inès", "Margaux", "Anne-Sophie", "Élodie", "Noémie", "Samira", "Clémence", "Solène", "Léa", "Hélène"]),
    "EN": (["Callum", "Rhys", "Owen", "Tyler", "Imran", "Declan", "Marcus", "Gareth", "Joshua", "Kwame", "Stuart", "Brendan", "Dale"],
           ["Bethany", "Siobhan", "Priya", "Hannah", "Courtney", "Imogen", "Aisha", "Rachel", "Megan", "Denise", "Grace", "Kayleigh", "Naomi"]),
    "DE": (["Jürgen", "Matthias", "Lukas", "Torsten"], ["Annika", "Ulrike", "Katrin", "Sabine"]),
    "ES": (["Íñigo", "Álvaro", "Sergio"], ["Lucía", "Rocío", "Nuria"]),
    "IT": (["Lorenzo", "Davide", "Pietro"], ["Chiara", "Federica", "Giulia"]),
    "NL": (["Sander", "Jeroen", "Bram"], ["Femke", "Sanne", "Marijke"]),
    "PT": (["Tiago", "Rui", "Nuno"], ["Inês", "Catarina", "Joana"]),
}
LAST = {
    "FR": ["Vasseur", "Delorme", "Guérin", "Benkacem", "Peyrard", "Thévenet", "Cissokho", "Lagrange", "Chapuis", "Fournel", "Brossard", "Nguyen-Viard",
           "Mounier", "Hébrard", "Tissier", "Da Costa", "Ravel", "Le Guennec", "Perrachon", "Zerrouki", "Bonnefoy", "Jacquemet", "D'Amico", "Vuillermoz"],
    "EN": ["Hargreaves", "Ashworth", "O'Shaughnessy", "Okafor", "Pemberton", "Kowalczyk", "Threlfall", "Ramsbottom", "Delacroix", "Castellano", "Whitlock",
           "Mahmood", "Fitzgerald", "Brannigan", "Lindqvist", "Oyelaran", "McAllister", "Sweeney", "Duckworth", "Patel", "Holloway", "Tran", "Beaumont"],
    "CH": ["Rochat", "Favre", "Aeschbacher", "Jaquet", "Piguet", "Cornaz", "Monney", "Ducommun", "Berset", "Zufferey", "Pittet", "Gonçalves"],
    "BE": ["Lambrechts", "Wauters", "Delvaux", "Dubuisson", "Peeters", "Collignon", "Van Hove", "Mertens", "Lejeune", "Hanquet"],
    "DE": ["Brückner", "Schäfer", "Niemeyer", "Vogt"], "ES": ["Ibáñez Roldán", "Quintana Sáez", "Peralta Gil"],
    "IT": ["Bellandi", "Marchetti", "Frassinelli"], "NL": ["Hoekstra", "Dijkgraaf", "Veldman"], "PT": ["Teixeira", "Antunes", "Figueiredo"],
}
CITY = {
    "FR": [("69003", "Lyon"), ("69007", "Lyon"), ("69100", "Villeurbanne"), ("38000", "Grenoble"), ("42100", "Saint-Étienne"), ("01000", "Bourg-en-Bresse"),
           ("74100", "Annemasse"), ("71000", "Mâcon"), ("69600", "Oullins"), ("26000", "Valence"), ("63000", "Clermont-Ferrand"), ("69300",
               "Caluire-et-Cuire"),
           ("13006", "Marseille"), ("31400", "Toulouse"), ("59800", "Lille"), ("44100", "Nantes"), ("75011", "Paris"), ("94200", "Ivry-sur-Seine")],
    "CH": [("1203", "Genève"), ("1227", "Carouge"), ("1260", "Nyon"), ("1004", "Lausanne"), ("1700", "Fribourg"), ("2000", "Neuchâtel"), ("1950", "Sion")],
    "BE": [("1050", "Ixelles"), ("4000", "Liège"), ("5000", "Namur"), ("6000", "Charleroi"), ("1300", "Wavre"), ("7000", "Mons")],
    "GB": [("M20 3BG", "Manchester"), ("M4 5JD", "Manchester"), ("SK4 2HL", "Stockport"), ("OL1 3QN", "Oldham"), ("M33 6TR", "Sale"), ("LS6 2AB", "Leeds"),
           ("L8 7NJ", "Liverpool"), ("BL1 4RQ", "Bolton"), ("PR1 8JN", "Preston"), ("S11 8TP", "Sheffield"), ("EH6 5PD", "Edinburgh")],
    "IE": [("D08 X2K7", "Dublin"), ("T12 W8P3", "Cork"), ("H91 E4C6", "Galway"), ("V94 R7D2", "Limerick")],
    "US": [("02134", "Allston"), ("02139", "Cambridge"), ("02143", "Somerville"), ("02446", "Brookline"), ("02170", "Quincy"), ("02453", "Waltham"),
           ("01604", "Worcester"), ("02155", "Medford"), ("02128", "Boston")],
    "CA": [("H2J 3K5", "Montréal"), ("G1R 4P3", "Québec"), ("M6G 2L9", "Toronto"), ("K1S 5B7", "Ottawa")],
    "DE": [("79098", "Freiburg"), ("04109", "Leipzig"), ("50674", "Köln")], "ES": [("08012", "Barcelona"), ("46004", "Valencia")],
    "IT": [("10125", "Torino"), ("40126", "Bologna")], "NL": [("3512 JE", "Utrecht"), ("9712 HN", "Groningen")], "PT": [("4050-313", "Porto"), ("1200-192",
        "Lisboa")],
}
STREET = {
    "FR": ["rue Paul Bert", "avenue Félix Faure", "rue de la Thibaudière", "cours Émile Zola", "chemin des Hirondelles", "impasse du Lavoir", "boulevard "
        "des Brotteaux",
           "rue du Docteur Ollier", "place Jean Macé", "montée des Carmélites", "allée des Érables", "quai Perrache", "rue Sainte-Clotilde",
               "rue de l'Épargne"],
    "GB": ["Burton Road", "Palatine Road", "Ashfield Close", "Mill Lane", "Wellington Terrace", "Chorlton Drive", "St Werburgh's Road", "Lapwing Court",
        "Back Cross Street"],
    "IE": ["Patrick's Quay", "Clanbrassil Street", "Harbour View", "Meath Place", "Ashbourne Park"],
    "US": ["Commonwealth Ave", "Prospect St", "Elm Street", "Beacon St", "Highland Avenue", "Quarry Hill Rd", "Winthrop Ct", "Myrtle Street"],
    "CA": ["rue Garnier", "avenue Cartier", "Clinton Street", "Sunnyside Avenue"],
    "DE": ["Lindenstraße", "Gartenweg", "Am Mühlbach"], "ES": ["Calle del Olivo", "Carrer de la Perla"], "IT": ["Via Nizza", "Via delle Acacie"],
    "NL": ["Kanaalstraat", "Nieuwe Gracht"], "PT": ["Rua do Almada", "Travessa da Palmeira"],
}
STREET["CH"] = ["rue de Carouge", "chemin des Clochettes", "avenue de Miremont", "rue du Midi", "route de Chancy", "rue des Sablons"]
STREET["BE"] = ["rue du Bailli", "chaussée de Wavre", "rue Saint-Gilles", "avenue des Tilleuls", "rue de Fer"]
WORD = ["Alvéole", "Brézins", "Cormoran", "Delphis", "Ormeau", "Fennec", "Galatée", "Hexalis", "Izoard", "Javelle", "Kerlann", "Lumière", "Mistrane",
    "Novalp",
        "Ostrea", "Pélican", "Quercy", "Rhodanis", "Savoya", "Turquine", "Ursaline", "Valserine", "Ysance", "Zéphirin"]
WORD_EN = ["Larkspur", "Northgate", "Pennine", "Bluebell", "Harrier", "Ironbridge", "Copley", "Tidewater", "Wexcombe", "Ravenhill", "Charterhouse", "Mossley",
           "Kestrel", "Longfellow", "Granite", "Marlowe", "Sycamore", "Foxglove", "Beckside", "Shawmut"]
MONTHS = {
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),
    "nl": "januari februari maart april mei juni juli augustus september oktober november december".split(),
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
}


def group(country):
    return {"GB": "EN", "US": "EN", "IE": "EN", "CA": "EN", "CH": "FR", "BE": "FR"}.get(country, country)


def ascii_(s):
    return "".join(c for c in unicodedata.normalize("NFKD", s.replace("ß", "ss").replace("œ", "oe")) if not unicodedata.combining(c))


class Person:
    def __init__(self, r, country="FR", lo=28, hi=72):
        g = group(country)
        self.country, self.sex = country, r.choice("MF")
        self.first = r.choice(FIRST[g][self.sex == "F"])
        self.second = r.choice([x for x in FIRST[g][self.sex == "F"] if x != self.first])
        self.last = r.choice(LAST.get(country) or LAST[g]) if r.random() < 0.85 or g not in ("FR", "EN") else r.choice(LAST["FR"] + LAST["EN"])
        self.birth = REF - dt.timedelta(days=r.randint(lo * 366, hi * 365))
        self.birthpc, self.birthplace = r.choice(CITY[country])
        self.street, self.pc, self.city = place(r, country)
        fr = g == "FR"
        self.title = ({"M": "M.", "F": "Mme"} if fr else {"M": "Mr", "F": r.choice(["Ms", "Mrs", "Miss"])})[self.sex]

    @property
    def full(self):
        return f"{self.first} {self.last}"


def place(r, country):
    pc, city = r.choice(CITY[country])
    st = r.choice(STREET[country])
    n = r.choice([r.randint(1, 39), r.randint(1, 240)])
    if country in ("DE", "IT", "ES", "NL", "PT"):
        s = f"{st} {n}" if country in ("DE", "NL") else f"{st}, {n}"
    elif country in ("CH", "BE"):
        s = f"{st[0].upper() + st[1:]} {n}"
    elif country in ("GB", "IE", "US"):
        s = f"{n} {st}"
    else:
        s = f"{n} {st}" if r.random() < .8 else f"{n} bis {st}" if country == "FR" else f"{n} {st}"
    return s, pc, city


def digits(r, n):
    return "".join(r.choice(string.digits) for _ in range(n))


def letters(r, n, pool="ABCDEFGHJKLMNPRSTVWXYZ"):
    return "".join(r.choice(pool) for _ in range(n))


def luhn_tail(base):
    """The digit that makes base + digit pass Luhn."""
    t = 0
    for i, c in enumerate(reversed(base)):
        v = int(c) * (2 if i % 2 == 0 else 1)
        t += v - 9 if v > 9 else v
    return str(-t % 10)


def siren(r):
    b = r.choice("3458") + digits(r, 7)
    return b + luhn_tail(b)


def siret(r, s):
    b = s + "000" + r.choice("12345")
    return b + luhn_tail(b)


def fr_vat(s):
    return f"FR{(12 + 3 * (int(s) % 97)) % 97:02d}{s}"


def ch_uid(r):
    while True:
        b = r.choice("123") + digits(r, 7)
        c = 11 - sum(int(x) * w for x, w in zip(b, (5, 4, 3, 2, 7, 6, 5, 4))) % 11
        if c != 10:
            b += str(0 if c == 11 else c)
            return f"CHE-{b[:3]}.{b[3:6]}.{b[6:]}"


def be_num(r):
    b = r.choice("04 07".split()) + digits(r, 6)
    n = b + f"{97 - int(b) % 97:02d}"
    return f"{n[:4]}.{n[4:7]}.{n[7:]}"


def gb_vat(r):
    while True:
        b = digits(r, 7)
        t = sum(int(x) * w for x, w in zip(b, range(8, 1, -1)))
        if int(b) > 1000000:
            c = f"{97 - (t % 97) if t % 97 else 97:02d}"
            return f"GB {b[:3]} {b[3:7]} {c}"


def nir(r, p):
    pc = p.birthpc[:2] if p.country == "FR" else "99"
    b = ("1" if p.sex == "M" else "2") + f"{p.birth:%y%m}" + pc + f"{r.randint(1, 599):03d}" + f"{r.randint(1, 400):03d}"
    return b, f"{97 - int(b) % 97:02d}"


def ahv(r):
    b = "756" + digits(r, 9)
    c = -sum(int(x) * (3 if i % 2 else 1) for i, x in enumerate(b)) % 10
    return f"756.{b[3:7]}.{b[7:11]}.{b[11]}{c}"


def iban_of(cc, bban):
    n = int("".join(str(int(c, 36)) for c in bban + cc + "00"))
    return f"{cc}{98 - n % 97:02d}{bban}"


def iban_ok(s):
    s = s.replace(" ", "")
    return int("".join(str(int(c, 36)) for c in s[4:] + s[:4])) % 97 == 1


BANKS = {"FR": ["Banque Rhodanis", "Crédit du Val de Saône", "Caisse Mutuelle des Terreaux", "Alpéa Banque", "Comptoir Lyonnais d'Épargne",
    "Bourse Directe Izoard"],
         "CH": ["Banque Cantonale du Salève", "Caisse d'Épargne de la Versoix"], "BE": ["Banque Mosane", "Crédit Brabançon"],
         "GB": ["Pennine Bank plc", "Mersey and Trent Building Society", "Northgate Bank"], "IE": ["Shannon Savings Bank"], "US": ["Shawmut Harbor Bank"],
         "CA": ["Caisse du Saint-Laurent"]}


class Account:
    """An account number, right by country and by ISO 13616."""
    def __init__(self, r, cc="FR", bank=None):
        self.bank = bank or (r.choice(BANKS[cc]) if cc in BANKS else "")
        b = digits(r, 18)
        if cc == "FR":
            self.code, self.branch, acc = r.choice(["1", "3", "4"]) + b[:4], "0" + b[4:8], "0" + b[8:16] + r.choice("0123456789ABCDEKLT")
            # RIB letters count as digits: A J = 1, B K S = 2, C L T = 3 ...
            tr = "".join(c if c.isdigit() else str("AJ BKS CLT DMU ENV FOW GPX HQY IRZ".split().index(next(g for g in
                         "AJ BKS CLT DMU ENV FOW GPX HQY IRZ".split() if c in g)) + 1) for c in acc)
            key = 97 - (89 * int(self.code) + 15 * int(self.branch) + 3 * int(tr)) % 97
            self.account, self.key = acc, f"{key:02d}"
            bban = self.code + self.branch + acc + self.key
        elif cc == "CH":
            bban = "00" + b[:3] + b[3:15]
        elif cc == "BE":
            bban = b[:10] + f"{int(b[:10]) % 97 or 97:02d}"
        elif cc in ("GB", "IE"):
            self.sort, self.account = b[:6], b[6:14]
            bban = "".join(x for x in ascii_(self.bank or "MERS").upper() if x.isalpha())[:4] + b[:14]
        elif cc == "DE":
            bban = b
        elif cc == "ES":
            def k(s):
                c = 11 - sum(int(x) * w for x, w in zip(s.zfill(10), (1, 2, 4, 8, 5, 10, 9, 7, 3, 6))) % 11
                return str({10: 1, 11: 0}.get(c, c))
            bban = b[:8] + k(b[:8]) + k(b[8:18]) + b[8:18]
        elif cc == "IT":
            odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
            body = b[:10] + "00" + b[10:18] + "07"
            bban = chr(65 + sum(odd[int(c)] if i % 2 == 0 else int(c) for i, c in enumerate(body)) % 26) + body
        elif cc == "NL":
            bban = "GRAC" + b[:10]
        else:  # PT
            n = "0" + b + "00"
            bban = n + f"{98 - int(n + '00') % 97:02d}"
        self.iban = iban_of(cc, bban)
        self.spaced = " ".join(self.iban[i:i + 4] for i in range(0, len(self.iban), 4))
        self.bic = (bban[:4] if cc in ("GB", "IE", "NL") else letters(r, 4)) + cc + letters(r, 1) + r.choice("2P1X") + r.choice(["XXX", "", letters(r, 3)])


def check(s):
    """ICAO 9303 check digit."""
    return str(sum((0 if c == "<" else int(c, 36)) * (7, 3, 1)[i % 3] for i, c in enumerate(s)) % 10)


def mz(s):
    s = ascii_(s).upper().replace("'", "").replace(", ", "<")
    return "".join(c if c.isalnum() else "<" for c in s)


def yymmdd(d):
    return d.strftime("%y%m%d")


def td3(cc, p, given, number, exp, nat=None, opt=""):
    a = f"P<{cc}{mz(p.last)}<<{mz(given)}".ljust(44, "<")[:44]
    n, o = number.ljust(9, "<"), opt.ljust(14, "<")
    b = n + check(n) + (nat or cc).ljust(3,
        "<") + yymmdd(p.birth) + check(yymmdd(p.birth)) + p.sex + yymmdd(exp) + check(yymmdd(exp)) + o + (check(o) if opt else "<")
    return [a, b + check(b[:10] + b[13:20] + b[21:43])]


def td1(kind, cc, p, given, number, exp, nat, opt=""):
    a = (kind.ljust(2, "<") + cc.ljust(3, "<") + number.ljust(9, "<") + check(number.ljust(9, "<")) + opt).ljust(30, "<")[:30]
    b = yymmdd(p.birth) + check(yymmdd(p.birth)) + p.sex + yymmdd(exp) + check(yymmdd(exp)) + nat.ljust(3, "<") + "<" * 11
    return [a, b + check(a[5:30] + b[0:7] + b[8:15] + b[18:29]), f"{mz(p.last)}<<{mz(given)}".ljust(30, "<")[:30]]


def cni(p, given, number, dept):
    """The two lines of 36 of the French card before 2021."""
    a = ("IDFRA" + mz(p.last)).ljust(30, "<")[:30] + (dept + number[4:7]).ljust(6, "<")[:6]
    b = number + check(number) + mz(given).ljust(14, "<")[:14] + yymmdd(p.birth) + check(yymmdd(p.birth)) + p.sex
    return [a, b + check(a + b)]


def uk_driver(r, p):
    s = mz(p.last).replace("<", "")
    s = ("MAC" + s[2:] if s.startswith("MC") else s).ljust(5, "9")[:5]
    m = p.birth.month + (50 if p.sex == "F" else 0)
    y = f"{p.birth:%y}"
    return f"{s}{y[0]}{m:02d}{p.birth.day:02d}{y[1]}{mz(p.first)[0]}{mz(p.second)[0]}9{letters(r, 2)} {r.randint(10, 60)}"


def plate(r):
    return f"{letters(r, 2)}-{digits(r, 3)}-{letters(r, 2)}"


def vin(r):
    pool = "0123456789ABCDEFGHJKLMNPRSTUVWXYZ"
    val = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9]))
    v = r.choice(["VF1", "WVW", "VF3", "ZFA", "TMB", "WBA", "5YJ", "1HG", "SAJ"]) + letters(r, 5, pool) + "0" + letters(r, 2, pool) + digits(r, 6)
    s = sum((int(c) if c.isdigit() else val[c]) * w for c, w in zip(v, (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2))) % 11
    return v[:8] + ("X" if s == 10 else str(s)) + v[9:]


def money(c, style="fr"):
    s = f"{abs(c) / 100:,.2f}"
    s = {"fr": s.replace(",", "\u00a0").replace(".", ","), "en": s, "ch": s.replace(",", "'"), "de": s.replace(",", "x").replace(".", ",").replace("x", "."),
         "raw": s.replace(",", ""), "rawfr": s.replace(",", "").replace(".", ",")}[style]
    return ("-" if c < 0 else "") + s


def day(d, style="d/m/y", lang="fr"):
    m = MONTHS[lang][d.month - 1]
    return {"d/m/y": f"{d:%d/%m/%Y}", "d.m.y": f"{d:%d.%m.%Y}", "d-m-y": f"{d:%d-%m-%Y}", "y-m-d": f"{d:%Y-%m-%d}", "m/d/y": f"{d:%m/%d/%Y}",
        "d m y": f"{d:%d %m %Y}",
            "d/m/yy": f"{d:%d/%m/%y}", "long": f"{'1er' if d.day == 1 and lang == 'fr' else d.day} {m} {d.year}", "de": f"{d.day}. {m} {d.year}",
            "es": f"{d.day} de {m} de {d.year}", "us": f"{m} {d.day}, {d.year}", "mon": f"{d:%d} {m[:3].upper()} {d.year}",
                "Mon": f"{d:%d} {m[:3].capitalize()} {d.year}",
            "dmon": f"{d:%d}-{m[:3].capitalize()}-{d.year}",
                "ord": f"{d.day}{ {1: 'st', 2: 'nd', 3: 'rd', 21: 'st', 22: 'nd', 23: 'rd', 31: 'st'}.get(d.day, 'th')} {m} {d.year}",
            "y/m/d": f"{d:%Y/%m/%d}"}[style]


STYLES = ["d/m/y", "d.m.y", "d-m-y", "y-m-d", "m/d/y", "d m y", "d/m/yy", "long", "de", "es", "us", "mon", "Mon", "dmon", "ord", "y/m/d"]


def past(r, lo, hi, end=REF):
    """A day lo to hi days before the end."""
    return end - dt.timedelta(days=r.randint(lo, hi))


def years(d, n):
    try:
        return d.replace(year=d.year + n)
    except ValueError:
        return d.replace(year=d.year + n, day=28)


def firm(r, country="FR", trade=None):
    """A firm of the country: name, address and numbers."""
    f = type("Firm", (), {})()
    w = r.choice(WORD_EN if group(country) == "EN" else WORD)
    tr = {"FR": ["Menuiserie", "Plomberie", "Garage", "Atelier", "Transports", "Conseil", "Électricité", "Paysages", "Imprimerie", "Serrurerie"],
          "EN": ["Joinery", "Motors", "Plumbing", "Consulting", "Catering", "Logistics", "Roofing", "Print", "Interiors", "Software"]}
    t = trade or r.choice(tr.get(group(country), ["Service"]))
    suf = {"FR": ["SARL", "SAS", "EURL", "SA", "SASU"], "CH": ["SA", "Sàrl"], "BE": ["SRL", "SA"], "GB": ["Ltd", "Limited", "LLP"], "IE": ["Ltd", "DAC"],
           "US": ["LLC", "Inc."], "CA": ["Inc."], "DE": ["GmbH"], "ES": ["S.L."], "IT": ["S.r.l."], "NL": ["B.V."], "PT": ["Lda"]}[country]
    f.form = r.choice(suf)
    f.brand = f"{t} {w}" if group(country) == "FR" else f"{w} {t}"
    f.name = f"{f.brand} {f.form}" if r.random() < .8 or country != "FR" else f"{f.form} {f.brand}"
    f.street, f.pc, f.city = place(r, country)
    f.siren = siren(r)
    f.siret, f.vat = siret(r, f.siren), fr_vat(f.siren)
    f.uid, f.be, f.gbvat, f.crn = ch_uid(r), be_num(r), gb_vat(r), r.choice(["0", "1"]) + digits(r, 7)
    f.ein, f.phone = f"{r.randint(20, 88)}-{digits(r, 7)}", {"FR": f"04 {digits(r, 2)} {digits(r, 2)} {digits(r, 2)} {digits(r, 2)}",
        "CH": f"+41 22 {digits(r, 3)} {digits(r, 2)} {digits(r, 2)}",
        "GB": f"0161 {digits(r, 3)} {digits(r, 4)}", "US": f"(617) 555-{digits(r, 4)}", "BE": f"04 {digits(r, 3)} {digits(r, 2)} {digits(r, 2)}"}.get(country,
            f"+{digits(r, 2)} {digits(r, 8)}")
    f.web = ascii_(w).lower() + {"GB": ".co.uk", "US": ".com", "IE": ".ie"}.get(country, "." + country.lower()) + ".example"
    f.boss = Person(r, country, lo=42)
    return f
