"""Check digits, invented people, places and companies, and ways to print values."""
import datetime as dt
import unicodedata

REF = dt.date(2026, 11, 27)
MONTHS = {
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "en": "January February March April May June July August September October November December".split(),
}


# ---------- check digits ----------
def luhn_ok(s):
    t = 0
    for i, c in enumerate(reversed(s)):
        d = int(c)
        if i % 2:
            d = d * 2 - 9 if d > 4 else d * 2
        t += d
    return t % 10 == 0


def luhn_complete(s):
    return next(s + str(k) for k in range(10) if luhn_ok(s + str(k)))


def iban_num(s):
    return int("".join(str(int(c, 36)) for c in s))


def iban_ok(s):
    s = s.replace(" ", "")
    return iban_num(s[4:] + s[:4]) % 97 == 1


def iban_make(cc, bban):
    return f"{cc}{98 - iban_num(bban + cc + '00') % 97:02d}{bban}"


def group4(s):
    return " ".join(s[i:i + 4] for i in range(0, len(s), 4))


def rib_key(bank, branch, acc):
    m = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "12345678912345678923456789")
    a = int(acc.translate(m))
    return f"{97 - (89 * int(bank) + 15 * int(branch) + 3 * a) % 97:02d}"


def vat_fr(siren):
    return f"FR{(12 + 3 * (int(siren) % 97)) % 97:02d}{siren}"


def vat_gb(rng):
    d = [rng.randint(1, 9)] + [rng.randint(0, 9) for _ in range(6)]
    k = sum(a * b for a, b in zip(d, range(8, 1, -1)))
    c = 97 - (k % 97)
    return "".join(map(str, d)) + f"{c:02d}"


def vat_gb_ok(s):
    k = sum(int(a) * b for a, b in zip(s[:7], range(8, 1, -1)))
    return (k + int(s[7:])) % 97 == 0 or (k + 55 + int(s[7:])) % 97 == 0


def mrz_digit(s):
    t = 0
    for i, c in enumerate(s):
        v = 0 if c == "<" else int(c, 36)
        t += v * (7, 3, 1)[i % 3]
    return str(t % 10)


def fold(s):
    s = s.replace("œ", "oe").replace("Œ", "OE").replace("æ", "ae")
    return "".join(c for c in unicodedata.normalize("NFD", s) if not unicodedata.combining(c))


def mrz_name(s):
    return "".join(c if c.isalpha() else "<" for c in fold(s).upper().replace("'", ""))


def ymd(d):
    return d.strftime("%y%m%d")


def td1(kind, cc, num, p):
    l1 = (kind + cc + num + mrz_digit(num)).ljust(30, "<")
    a = ymd(p["birth"]) + mrz_digit(ymd(p["birth"])) + p["sex"] + ymd(p["expiry"]) + mrz_digit(ymd(p["expiry"])) + p["nat3"]
    a = a.ljust(29, "<")
    l2 = a + mrz_digit(l1[5:30] + a[0:7] + a[8:15] + a[18:29])
    l3 = (mrz_name(p["last"]) + "<<" + "<".join(mrz_name(f) for f in p["firsts"]))[:30].ljust(30, "<")
    return [l1, l2, l3]


def td3(cc, num, p):
    l1 = ("P<" + cc + mrz_name(p["last"]) + "<<" + "<".join(mrz_name(f) for f in p["firsts"]))[:44].ljust(44, "<")
    b, e = ymd(p["birth"]), ymd(p["expiry"])
    a = num + mrz_digit(num) + p["nat3"] + b + mrz_digit(b) + p["sex"] + e + mrz_digit(e) + "<" * 14 + "<"
    # an empty optional field may carry "<" in the place of its check digit
    l2 = a + mrz_digit(a[0:10] + a[13:20] + a[21:43])
    return [l1, l2]


def old_cni(num, office, p):
    l1 = ("IDFRA" + mrz_name(p["last"])[:25]).ljust(30, "<") + office
    f = "<<".join(mrz_name(x) for x in p["firsts"])[:14].ljust(14, "<")
    a = num + mrz_digit(num) + f + ymd(p["birth"]) + mrz_digit(ymd(p["birth"])) + p["sex"]
    return [l1, a + mrz_digit(l1 + a)]


VINV = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9]))


def vin_digit(v):
    w = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
    r = sum((int(c) if c.isdigit() else VINV[c]) * k for c, k in zip(v, w)) % 11
    return "X" if r == 10 else str(r)


def nir(p, rng):
    dep = p["birth_dep"]
    body = ("1" if p["sex"] == "M" else "2") + p["birth"].strftime("%y%m") + dep + \
        (f"{rng.randint(1, 380):03d}" if len(dep) == 2 else "") + f"{rng.randint(1, 420):03d}"
    body = body[:13]
    return body, f"{97 - int(body) % 97:02d}"


# ---------- printing ----------
def money(c, lang, cur=True):
    s = f"{abs(c) // 100:,}.{abs(c) % 100:02d}"
    sign = "-" if c < 0 else ""
    if lang == "fr":
        s = s.replace(",", " ").replace(".", ",")
        return sign + s + (" €" if cur else "")
    return sign + ("£" if cur else "") + s


def euros(n, lang="fr"):
    s = f"{n:,}"
    return s.replace(",", " ") if lang == "fr" else s


def d_num(d, lang, sep="/"):
    return d.strftime(f"%d{sep}%m{sep}%Y")


def d_long(d, lang):
    if lang == "fr":
        return f"{'1er' if d.day == 1 else d.day} {MONTHS['fr'][d.month - 1]} {d.year}"
    return f"{d.day} {MONTHS['en'][d.month - 1]} {d.year}"


def month_name(d, lang):
    return f"{MONTHS[lang][d.month - 1]} {d.year}"


def add_months(d, n):
    y, m = divmod(d.year * 12 + d.month - 1 + n, 12)
    last = (dt.date(y + (m == 11), (m + 1) % 12 + 1, 1) - dt.timedelta(days=1)).day
    return dt.date(y, m + 1, min(d.day, last))


def add_years(d, n):
    return add_months(d, 12 * n)


def workday(d):
    """The day itself, or the Friday before a weekend."""
    return d - dt.timedelta(days=max(0, d.weekday() - 4))


def last_workday(d):
    e = month_end(d)
    return e - dt.timedelta(days=max(0, e.weekday() - 4))


def month_end(d):
    return add_months(d.replace(day=1), 1) - dt.timedelta(days=1)


# ---------- pools ----------
FIRST = {
    "fr": {"F": "Élodie Camille Hélène Aurélie Maëlle Clémence Noémie Inès Léa Océane Mathilde Adèle Solène Zoé Émilie Raphaëlle Gaëlle Anaïs Céline Sylvie".split(),
           "M": "Jérôme Rémi Loïc Étienne Benoît Thibault Grégory Mickaël Cédric Hugo Antoine Gaël Sébastien Valentin Yannick Félix Bastien Stéphane Clément Joël".split()},
    "en": {"F": "Charlotte Imogen Harriet Bethany Megan Rosalind Fiona Eleanor Tamsin Gemma Priya Amelia Niamh Catriona Philippa Joanne".split(),
           "M": "Callum Gareth Duncan Oliver Stuart Marcus Rhys Graham Theodore Leighton Alistair Nathan Kieran Dominic Rupert Howard".split()},
}
LAST = {
    "fr": "Delaunoy Brévillard Castagnéres Lhermineau Pontévès Garrichon Vaudelin Mézerac Tréboul Quénard Fauchereau Rossignan Bélanteur Cormerais Duvauchel Escalier Gourmelin Hautecoeur Jaouannet Kerbrat Lamoureix Marchandier Noblecourt Ozanneau Périllat Rambourg Sautereau Thévenard Vernhettes Wattrelin Allégret Bonnafous Chevreteau Desmoulière Estrabaud".split(),
    "en": "Ashcombe Brindley Carraway Dunmore Ellerby Fothergill Garside Holroyd Inglethorpe Jessop Kettlewell Lockyer Marwood Netherton Oakshott Pemberley Quarmby Rowbotham Satterley Thackray Underhill Vickerstaff Wetherall Yarrow Birtwhistle Cheswick Drewery Eastcott Farrington Hathersage".split(),
}
FOREIGN = [("Marocaine", "MAR", "350", "Fès", ["Yassine", "Mehdi"], ["Salma", "Khadija"], ["Benkirouch", "El Haddaoui", "Tazrouti"]),
           ("Sénégalaise", "SEN", "341", "Thiès", ["Mamadou", "Ousmane"], ["Aïssatou", "Fatou"], ["Ndiayeba", "Sarrouma", "Diopane"]),
           ("Brésilienne", "BRA", "416", "Recife", ["Thiago", "Rafael"], ["Larissa", "Juliana"], ["Cavalheiro", "Montezano", "Figueirao"]),
           ("Tunisienne", "TUN", "351", "Sfax", ["Nizar", "Walid"], ["Rim", "Amel"], ["Gharbaoui", "Mezlinia", "Trabelsou"])]
PLACES = {
    "fr": [("Nantes", "44000", "44"), ("Rennes", "35000", "35"), ("Angers", "49100", "49"), ("Dijon", "21000", "21"), ("Grenoble", "38000", "38"),
           ("Limoges", "87000", "87"), ("Tours", "37000", "37"), ("Metz", "57000", "57"), ("Pau", "64000", "64"), ("Valence", "26000", "26"),
           ("Saint-Étienne", "42000", "42"), ("Besançon", "25000", "25"), ("Poitiers", "86000", "86"), ("Troyes", "10000", "10"), ("Colmar", "68000", "68")],
    "en": [("Leeds", "LS", "West Yorkshire"), ("Bristol", "BS", "Avon"), ("Norwich", "NR", "Norfolk"), ("Exeter", "EX", "Devon"), ("Sheffield", "S", "South Yorkshire"),
           ("Nottingham", "NG", "Nottinghamshire"), ("York", "YO", "North Yorkshire"), ("Coventry", "CV", "West Midlands"), ("Swansea", "SA", "West Glamorgan"),
           ("Reading", "RG", "Berkshire"), ("Preston", "PR", "Lancashire"), ("Ipswich", "IP", "Suffolk")],
}
STREETS = {
    "fr": ["rue des Tilleuls", "avenue Jean Jaurès", "rue du Moulin à Vent", "boulevard de la Liberté", "allée des Érables", "rue Pasteur", "impasse du Lavoir",
           "chemin des Vignes", "rue de la Fontaine", "place du Marché", "rue Émile Zola", "quai des Mégissiers", "rue de l'Église", "avenue du Général Leclerc"],
    "en": ["Larkfield Road", "Mill Lane", "Chapel Street", "Beechwood Avenue", "Station Road", "Priory Close", "Hawthorn Drive", "Queens Terrace",
           "Old Quarry Lane", "Victoria Street", "Ferndale Crescent", "Granary Court"],
}
BANKS = {
    "fr": [("BNP Paribas", "30004", "BNPAFRPP"), ("Société Générale", "30003", "SOGEFRPP"), ("LCL", "30002", "CRLYFRPP"),
           ("La Banque Postale", "20041", "PSSTFRPP"), ("BoursoBank", "40618", "BOUSFRPP"), ("Crédit Mutuel", "10278", "CMCIFR2A")],
    "en": [("Barclays", "BARC", "BARCGB22"), ("Lloyds Bank", "LOYD", "LOYDGB2L"), ("NatWest", "NWBK", "NWBKGB2L"), ("HSBC UK", "HBUK", "HBUKGB4B"), ("Santander UK", "ABBY", "ABBYGB2L")],
}
TRADES = {
    "fr": {"emp": [("Ateliers {n}", "Fabrication de structures métalliques", "2511Z"), ("{n} Logistique", "Entreposage et stockage non frigorifique", "5210B"),
                   ("Cabinet {n} Conseil", "Conseil pour les affaires et la gestion", "7022Z"), ("Menuiseries {n}", "Travaux de menuiserie bois et PVC", "4332A"),
                   ("{n} Informatique Services", "Conseil en systèmes et logiciels informatiques", "6202A"), ("Pharmacie {n}", "Commerce de détail de produits pharmaceutiques", "4773Z")],
           "rep": [("{n} Plomberie Chauffage", "Travaux d'installation d'eau et de gaz", "4322A"), ("Couverture {n}", "Travaux de couverture", "4391B"),
                   ("{n} Peinture Décoration", "Travaux de peinture et vitrerie", "4334Z")],
           "car": [("Garage {n}", "Entretien et réparation de véhicules automobiles légers", "4520A"), ("Carrosserie {n}", "Entretien et réparation de véhicules automobiles légers", "4520A")]},
    "en": {"emp": [("{n} Engineering", "Manufacture of metal structures", "25110"), ("{n} Freight Services", "Freight transport by road", "49410"), ("{n} Software", "Business software development", "62012"),
                   ("{n} Care Homes", "Residential nursing care", "87100"), ("{n} Joinery", "Joinery installation", "43320")],
           "rep": [("{n} Plumbing & Heating", "Plumbing, heat and air-conditioning installation", "43220"), ("{n} Roofing", "Roofing activities", "43910"), ("{n} Decorators", "Painting", "43341")],
           "car": [("{n} Motor Repairs", "Maintenance and repair of motor vehicles", "45200"), ("{n} Accident Repair Centre", "Maintenance and repair of motor vehicles", "45200")]},
}
COROOT = {"fr": "Valmorin Kerdélis Orsenac Brunelière Altavie Norméo Lestrange Vidaubois Sorélia Mirandol Hauterive Clairval Maronnet Fontbrune Ardévic".split(),
          "en": "Calderbrook Hexley Northmoor Wrenfield Tarnside Ashgrove Kelderwick Stonebeck Pennick Rothwater Linfold Marstow".split()}
JOBS = {"fr": ["Technicien de maintenance", "Assistante de gestion", "Chargé de clientèle", "Comptable", "Responsable logistique", "Développeur", "Préparateur"],
        "en": ["Production Planner", "Accounts Assistant", "Support Engineer", "Warehouse Supervisor", "Office Manager", "Site Technician"]}
JOBS["fr"] = ["Comptable", "Responsable logistique", "Gestionnaire de paie", "Assistant(e) commercial(e)", "Chef d'équipe", "Secrétaire technique"]
CARS = [("RENAULT", "CLIO", "VF1RJA00"), ("PEUGEOT", "208", "VF3UPHNK"), ("VOLKSWAGEN", "GOLF", "WVWZZZCD"), ("TOYOTA", "YARIS", "VNKKBAC3"), ("FORD", "FIESTA", "WF0JXXGA"), ("DACIA", "SANDERO", "UU1DJF00")]


class Names:
    """Hands out last names, places and company roots without repeating them too soon."""
    def __init__(self, rng):
        self.rng, self.left = rng, {}

    def pick(self, key, pool):
        q = self.left.get(key)
        if not q:
            q = list(pool)
            self.rng.shuffle(q)
            self.left[key] = q
        return q.pop()


def postcode(rng, lang, pl):
    if lang == "fr":
        return pl[1]
    return f"{pl[1]}{rng.randint(1, 9)} {rng.randint(1, 9)}{rng.choice('ABDEFGHJLNPQRSTUWXYZ')}{rng.choice('ABDEFGHJLNPQRSTUWXYZ')}"


def address(N, rng, lang, pl=None):
    pl = pl or N.pick("pl" + lang, PLACES[lang])
    st = N.pick("st" + lang, STREETS[lang])
    no = rng.randint(2, 98)
    return {"street": f"{no}{' bis' if lang == 'fr' and rng.random() < .08 else ''} {st}", "pc": postcode(rng, lang, pl), "city": pl[0], "pl": pl}


def addr_lines(a, upper=False, lang="fr"):
    if lang == "fr":
        out = [a["street"], f"{a['pc']} {a['city']}"]
    else:
        out = [a["street"], a["city"], a["pc"]]
    return [x.upper() for x in out] if upper else out


def addr_one(a, lang="fr"):
    return ", ".join(addr_lines(a, lang=lang))


def person(N, rng, lang, sex=None, age=None, foreign=False):
    sex = sex or rng.choice("FM")
    age = age or rng.randint(24, 61)
    b = dt.date(2026 - age, rng.randint(1, 12), rng.randint(1, 28))
    p = {"sex": sex, "birth": b, "lang": lang, "married": None}
    if foreign:
        nat, n3, code, town, m, f, la = rng.choice(FOREIGN)
        p.update(nat=nat, nat3=n3, birth_dep="99" + code, birth_place=town, firsts=[rng.choice(m if sex == "M" else f)], last=rng.choice(la), foreign=True)
        return p
    pool = FIRST[lang][sex]
    n = 3 if lang == "fr" else 2
    p["firsts"] = [N.pick("fn" + lang + sex, pool)]
    while len(p["firsts"]) < n:
        x = rng.choice(pool)
        if x not in p["firsts"]:
            p["firsts"].append(x)
    p["last"] = N.pick("ln" + lang, LAST[lang])
    pl = rng.choice(PLACES[lang])
    p.update(nat="Française" if lang == "fr" else "British Citizen", nat3="FRA" if lang == "fr" else "GBR", birth_place=pl[0],
             birth_dep=pl[2] if lang == "fr" else "", foreign=False)
    return p


def co_number(rng, d):
    """A UK company number of about the right age."""
    k = [(1990, 2450000), (1994, 2890000), (2004, 5000000), (2010, 7120000), (2016, 9940000), (2020, 12390000), (2024, 15390000), (2027, 17050000)]
    y = d.year + (d.timetuple().tm_yday - 1) / 366
    for (a, x), (b, z) in zip(k, k[1:]):
        if a <= y < b:
            return f"{int(x + (z - x) * (y - a) / (b - a)) + rng.randint(0, 900):08d}"


def company(N, rng, lang, trade="emp", reg=None, root=None, pl=None):
    root = root or N.pick("co" + lang, COROOT[lang])
    t = rng.choice(TRADES[lang][trade])
    a = address(N, rng, lang, pl)
    reg = workday(reg or dt.date(rng.randint(1994, 2016), rng.randint(1, 12), rng.randint(3, 27)))
    c = {"root": root, "base": t[0].format(n=root), "act": t[1], "ape": t[2], "addr": a, "reg": reg, "lang": lang}
    fn = rng.choice(FIRST[lang]["M"] + FIRST[lang]["F"])
    c["boss"] = (fn, N.pick("ln" + lang, LAST[lang]))
    if lang == "fr":
        c["form"] = rng.choice(["SARL", "SAS"])
        c["name"] = c["base"]
        lo, hi = (90, 98) if reg.year >= 2021 else ((79, 89) if reg.year >= 2013 else ((43, 78) if reg.year >= 2001 else (38, 42)))
        c["siren"] = luhn_complete(str(rng.randint(lo, hi)) + f"{rng.randint(0, 999999):06d}")
        c["siret"] = luhn_complete(c["siren"] + f"{rng.choice([1, 1, 2, 3]):04d}")
        c["vat"] = vat_fr(c["siren"])
        c["capital"] = rng.choice([5000, 8000, 10000, 25000, 40000, 150000])
    else:
        c["form"] = "Limited"
        c["name"] = c["base"] + rng.choice([" Limited", " Ltd"])
        c["siren"] = co_number(rng, reg)
        c["vat"] = vat_gb(rng)
        c["paye"] = f"{rng.randint(100, 950)}/{rng.choice('ABEGHKLMNPRT')}{rng.choice('ABEGHKLMNPRTWZ')}{rng.randint(10000, 99999)}"
    return c


def account(rng, lang, bank=None):
    b = bank or rng.choice(BANKS[lang])
    if lang == "fr":
        br, acc = f"{rng.randint(100, 3999):05d}", f"{rng.randint(10**9, 10**10 - 1):011d}"
        key = rib_key(b[1], br, acc)
        iban = iban_make("FR", b[1] + br + acc + key)
        return {"bank": b[0], "bic": b[2] + rng.choice(["XXX", ""]), "iban": iban, "code": b[1], "branch": br, "acc": acc, "key": key}
    sc, acc = f"{rng.randint(200000, 609999)}", f"{rng.randint(10000000, 89999999)}"
    return {"bank": b[0], "bic": b[2], "iban": iban_make("GB", b[1] + sc + acc), "sort": f"{sc[:2]}-{sc[2:4]}-{sc[4:]}", "acc": acc}


def vehicle(rng, lang, first=None):
    mk, md, pre = rng.choice(CARS)
    first = first or dt.date(rng.randint(2017, 2024), rng.randint(1, 12), rng.randint(1, 28))
    v = pre + "0" + "".join(rng.choice("0123456789ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(2)) + f"{rng.randint(0, 999999):06d}"
    v = v[:8] + vin_digit(v) + v[9:]
    L = "ABCDEFGHJKLMNPQRSTVWXYZ"
    if lang == "fr":
        plate = f"{rng.choice('EFG')}{rng.choice(L)}-{rng.randint(101, 989)}-{rng.choice(L)}{rng.choice(L)}"
    else:
        yy = first.year % 100 if 3 <= first.month < 9 else (first.year % 100 + 50 if first.month >= 9 else first.year % 100 + 49)
        plate = f"{rng.choice('ABCDEFGHKLMNOPRSVWY')}{rng.choice('ABCDEFGHJKLMNOPRSTUVWXY')}{yy:02d} {rng.choice(L)}{rng.choice(L)}{rng.choice(L)}"
    return {"make": mk, "model": md, "vin": v, "plate": plate, "first": first}
