"""Invented people, companies, addresses, numbers with right check digits, and notations of dates and money."""
import datetime as dt
import random
import re
import unicodedata

REF = dt.date(2026, 11, 20)

NAMES = {  # family names, women's and men's first names by country
    "FR": ("Lefebvre Moreau Garnier Bénard Chevallier Le~Goff Perrin Rousseau Guérin Barbier Da~Costa Benali N'Diaye Petitjean "
           "Fontaine Delacroix Marchand Vidal Haddad Carpentier Lemoine Traoré Picard Aubert Jacquet Nguyen Roussel Hervé",
           "Camille Élodie Françoise Nadia Solène Agathe Marie-Claude Inès Aurore Bénédicte Jeanne Fatou Clémence Zoé Maëlle",
           "Julien Mathieu Jérôme Karim Antoine Jean-Luc Thibault Rémi Olivier Yacine Cédric Gaspard Loïc Étienne Hugo"),
    "GB": ("Whitfield Hargreaves Osborne Patel Lockwood Fairclough Brennan Okafor Ashworth Pemberton Singh Tillman McAllister "
           "Rowntree Begum Sutcliffe Cartwright Haldane O'Rourke Kaur Winstanley Goodfellow Jarvis",
           "Harriet Imogen Priya Gemma Rosalind Chloe Aisha Bethan Philippa Eleanor Tamsin Joanna",
           "Duncan Gareth Oliver Rajesh Nigel Callum Simon Alistair Femi Toby Edmund Leigh"),
    "IE": ("Gallagher Kavanagh Ó~Súilleabháin Nolan Hennessy McGrath Flynn Cassidy Tierney Keane Dunphy Quigley Fallon",
           "Aoife Niamh Sinéad Gráinne Orla Deirdre Caoimhe", "Cian Declan Pádraig Eoin Ruairí Fintan Conor"),
    "US": ("Hollister Ramirez Kowalczyk Jefferson Delgado Tran Whitaker Novak Castellano Abernathy Ortiz McCoy Lindqvist Grady",
           "Madison Tiffany Rosa Kimberly Denise Alyssa Hannah Jasmine", "Tyler Marcus Brandon Luis Derek Trevor Wayne Caleb"),
    "CA": ("Tremblay Gagnon Bouchard Ouellet Lachance MacKinnon Fortier Bélanger Chow Sandhu Campbell Desrosiers Poirier",
           "Geneviève Sylvie Mégane Heather Josée Brittany Annick", "Étienne Marc-André Gordon Sylvain Dylan Benoît Harpreet"),
    "BE": ("Peeters Dubois Lambert Vandenberghe Claes Delvaux Mertens Hendrickx Collignon Wauters Evrard De~Smet Renard",
           "Aline Lotte Christelle Noémie Sofie Brigitte", "Wouter Benoît Thierry Pieter Quentin Bastien"),
    "CH": ("Favre Rochat Zbinden Aeschlimann Bonvin Chappuis Hofstetter Monney Pittet Brunner Jaquier Cornaz Gremaud",
           "Céline Ursula Martine Regula Laetitia Corinne", "Pascal Reto Yves Urs Cédric Beat"),
    "DE": ("Brandt Kellermann Schäfer Vogt Grünwald Weißmann Petersen Lorenz Yıldız Strobel", "Anke Jutta Sabine Greta Lea",
           "Jürgen Holger Matthias Emre Florian"),
    "ES": ("Ibáñez Cordero Núñez Salgado Beltrán Quintana Vázquez", "Lucía Rocío Begoña Marta", "Álvaro Iñigo Sergio Jordi"),
    "IT": ("Bianchetti Ferrero Marangoni D'Amico Colombo Sartori Greco", "Giulia Chiara Federica Elena", "Matteo Lorenzo Davide"),
    "NL": ("Van~der~Berg Hoekstra De~Vries Jansma Kuipers Verhoeven", "Sanne Marieke Fleur Anouk", "Joost Bram Sjoerd Daan"),
    "PT": ("Carvalho Figueiredo Simões Lourenço Antunes Magalhães", "Inês Beatriz Catarina", "Tiago Gonçalo Rui João"),
}
STREETS = {
    "FR": ["rue des Tanneurs", "avenue du Maréchal Juin", "boulevard Gambetta", "impasse des Lilas", "chemin de la Source", "rue Émile Zola",
           "place de l'Église", "allée des Peupliers", "rue du Four à Chaux", "quai des Bateliers", "route de Vannes", "rue Paul Bert"],
    "GB": ["Marlborough Road", "Quarry Lane", "Albert Terrace", "Beech Close", "Station Road", "Kingsway", "Cannon Hill", "Orchard Drive"],
    "IE": ["Main Street", "Castle Park", "Ballyhooly Road", "Seafield Crescent", "Mill Lane", "The Paddocks"],
    "US": ["Maple Avenue", "W 4th Street", "Sycamore Drive", "Old Mill Road", "N Lincoln Blvd", "Canyon View Court", "Prospect St"],
    "CA": ["rue Sherbrooke", "avenue des Érables", "boulevard Laurier", "rue Saint-Denis", "chemin du Lac", "avenue Papineau"],
    "CAE": ["Dundas Street", "Elgin Street", "Granville Avenue", "Portage Avenue", "Lakeshore Road"],
    "BE": ["rue de la Station", "chaussée de Namur", "avenue des Cerisiers", "rue du Moulin", "place Communale"],
    "CH": ["rue de Lausanne", "chemin des Vignes", "avenue de la Gare", "route de Berne", "rue du Lac", "chemin du Crêt"],
    "DE": ["Lindenstraße", "Am Mühlbach", "Bahnhofstraße", "Goethestraße", "Ulmenweg"], "ES": ["Calle Mayor", "Avenida de la Paz"],
    "IT": ["Via Garibaldi", "Corso Italia", "Via dei Mille"], "NL": ["Kerkstraat", "Prinsengracht", "Dorpsweg"],
    "PT": ["Rua da Liberdade", "Avenida da República"],
}
CITIES = {
    "FR": [("35000", "Rennes"), ("69003", "Lyon"), ("33800", "Bordeaux"), ("59100", "Roubaix"), ("13006", "Marseille"), ("67200", "Strasbourg"),
           ("44300", "Nantes"), ("31400", "Toulouse"), ("75011", "Paris"), ("94140", "Alfortville"), ("29200", "Brest"), ("74000", "Annecy"),
           ("42100", "Saint-Étienne"), ("86000", "Poitiers"), ("62223", "Saint-Laurent-Blangy"), ("73100", "Aix-les-Bains"), ("14400", "Bayeux")],
    "GB": [("LS6 3HN", "Leeds"), ("BS7 9DE", "Bristol"), ("EH10 4BF", "Edinburgh"), ("NG7 2QL", "Nottingham"), ("M21 8FA", "Manchester"),
           ("CF24 3AB", "Cardiff"), ("SE15 5JR", "London"), ("NR2 3TD", "Norwich"), ("YO31 7EX", "York"), ("PL4 6RN", "Plymouth")],
    "IE": [("D08 X2C4", "Dublin 8"), ("T12 F7R2", "Cork"), ("H91 K5D3", "Galway"), ("V94 T9P1", "Limerick"), ("X91 H2A7", "Waterford")],
    "US": [("97206", "Portland"), ("43215", "Columbus"), ("78704", "Austin"), ("60618", "Chicago"), ("85281", "Tempe"), ("27701", "Durham")],
    "CA": [("H2J 2L1", "Montréal"), ("G1S 3C8", "Québec"), ("J1H 4A3", "Sherbrooke"), ("G9A 5C9", "Trois-Rivières"), ("J8X 2K7", "Gatineau")],
    "CAE": [("K2P 1L4", "Ottawa"), ("V6H 2M5", "Vancouver"), ("R3C 0A1", "Winnipeg"), ("N6A 3K7", "London"), ("L5J 1J3", "Mississauga")],
    "BE": [("5000", "Namur"), ("1050", "Ixelles"), ("4020", "Liège"), ("6000", "Charleroi"), ("7000", "Mons"), ("1340", "Ottignies")],
    "CH": [("1003", "Lausanne"), ("1205", "Genève"), ("1700", "Fribourg"), ("2000", "Neuchâtel"), ("1950", "Sion"), ("1800", "Vevey")],
    "DE": [("50823", "Köln"), ("04107", "Leipzig"), ("90402", "Nürnberg"), ("24103", "Kiel")],
    "ES": [("28013", "Madrid"), ("41002", "Sevilla"), ("08036", "Barcelona")], "IT": [("10122", "Torino"), ("40126", "Bologna")],
    "NL": [("3511 LX", "Utrecht"), ("9712 HP", "Groningen")], "PT": [("4050-253", "Porto"), ("1250-096", "Lisboa")],
}
STATE = {"Portland": "OR", "Columbus": "OH", "Austin": "TX", "Chicago": "IL", "Tempe": "AZ", "Durham": "NC", "Ottawa": "ON",
         "Vancouver": "BC", "Winnipeg": "MB", "London": "ON", "Mississauga": "ON"}
COMPANIES = {
    "FR": ["Menuiserie Kerbrat SARL", "Garage du Vieux Pont", "Plomberie Astier et Fils", "Atelier Boréal SAS", "Électricité Marsaud EURL",
           "Librairie La Courte Échelle", "Transports Valmy SA", "Paysages Ribeiro", "Cuisines Oréade SAS", "Toitures du Ponant SARL"],
    "GB": ["Harrow Gate Plumbing Ltd", "Tidewater Kitchens Limited", "Pennine Auto Services Ltd", "Bramley Joinery LLP", "Oakhurst Flooring Ltd"],
    "IE": ["Slieve Bloom Builders Ltd", "Liffey Motor Works Ltd", "Corrib Heating Services Limited"],
    "US": ["Bluestem Roofing LLC", "Cascade Bike Works Inc.", "Red Oak Dental Supply Corp.", "Tallgrass Moving Co."],
    "CA": ["Toitures Laurentides inc.", "Rénovations Beauport ltée", "Mécanique Chaudière inc.", "Déneigement Portneuf enr."],
    "CAE": ["Great Slave Outfitters Ltd.", "Maple Ridge Furnace Inc.", "Rideau Canal Movers Inc."],
    "BE": ["Chauffage Delhaize-Noël SRL", "Imprimerie du Sablon SA", "Jardins de Hesbaye SRL"],
    "CH": ["Menuiserie Grandjean Sàrl", "Garage des Alpes SA", "Électro Léman SA"],
    "DE": ["Heizungsbau Krämer GmbH", "Druckerei Nordlicht e.K.", "Autohaus Wiesental GmbH"], "ES": ["Reformas Alcázar S.L.", "Talleres Duero S.A."],
    "IT": ["Idraulica Monviso S.r.l.", "Officina Savena S.n.c."], "NL": ["Loodgieter Veldhuis B.V.", "Fietsen Zuidplas B.V."],
    "PT": ["Canalizações Douro Lda.", "Carpintaria Estrela Lda."],
}
MON = {"fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
       "en": "January February March April May June July August September October November December",
       "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
       "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
       "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
       "nl": "januari februari maart april mei juni juli augustus september oktober november december",
       "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"}
IBANLEN = {"FR": 27, "BE": 16, "CH": 21, "DE": 22, "GB": 22, "IE": 22, "ES": 24, "IT": 27, "NL": 18, "PT": 25}


def plain(s):
    """Without accents."""
    s = s.replace("ß", "ss").replace("ı", "i").replace("Œ", "OE").replace("œ", "oe")
    return "".join(c for c in unicodedata.normalize("NFKD", s) if not unicodedata.combining(c))


def norm(s):
    return re.sub(r"[^a-z0-9]", "", plain(s.replace("\u00ad", "")).casefold())


def mod97(num):
    return int("".join(str(int(c, 36)) for c in num)) % 97


def iban_ok(s):
    s = re.sub(r"\W", "", s).upper()
    return len(s) == IBANLEN.get(s[:2], 0) and mod97(s[4:] + s[:4]) == 1


def luhn_digit(s):
    return str(-sum(sum(divmod(int(c) * (2 if i % 2 == 0 else 1), 10)) for i, c in enumerate(reversed(s))) % 10)


def mrz_digit(s):
    val = [0 if c == "<" else int(c, 36) for c in s]
    return str(sum(v * (7, 3, 1)[i % 3] for i, v in enumerate(val)) % 10)


def mrz_name(s):
    return re.sub(r"[^A-Z]+", "<", plain(s.upper().replace("'", "").replace("Ä", "AE").replace("Ü", "UE").replace("Ö", "OE")))


def mrz_ok(lines):
    """Check digits of a machine-readable zone: TD1, TD3 or the French card of 1988."""
    ok = lambda s, d: mrz_digit(s) == d
    if len(lines) == 3:
        a, b = lines[0], lines[1]
        return all(len(x) == 30 for x in lines) and ok(a[5:14], a[14]) and ok(b[:6], b[6]) and ok(b[8:14], b[14]) and \
            ok(a[5:30] + b[:7] + b[8:15] + b[18:29], b[29])
    b = lines[1]
    if len(b) == 36:
        return len(lines[0]) == 36 and ok(b[:12], b[12]) and ok(b[27:33], b[33]) and ok(lines[0] + b[:35], b[35])
    return len(b) == len(lines[0]) == 44 and ok(b[:9], b[9]) and ok(b[13:19], b[19]) and ok(b[21:27], b[27]) and \
        ok(b[:10] + b[13:20] + b[21:43], b[43])


def date(d, style, lang="fr"):
    m = MON[lang].split()[d.month - 1]
    return {"d/m/y": d.strftime("%d/%m/%Y"), "d.m.y": d.strftime("%d.%m.%Y"), "d-m-y": d.strftime("%d-%m-%Y"), "d m y": d.strftime("%d %m %Y"),
            "m/d/y": d.strftime("%m/%d/%Y"), "iso": d.isoformat(), "d/m/yy": d.strftime("%d/%m/%y"), "d.m.yy": d.strftime("%d.%m.%y"),
            "long": f"{d.day}{'.' if lang == 'de' else ''} {'de ' if lang in ('es', 'pt') else ''}{m} {'de ' if lang in ('es', 'pt') else ''}{d.year}",
            "er": f"{'1er' if d.day == 1 else d.day} {m} {d.year}", "mon": f"{d.day:02d} {plain(m)[:3].capitalize()} {d.year}",
            "MON": f"{d.day:02d} {plain(m)[:3].upper()} {d.year}", "us": f"{m} {d.day}, {d.year}", "mus": f"{m[:3]} {d.day:02d}, {d.year}"}[style]


def all_dates(d):
    """Every notation that a page could have; to be sure that a wrong date stands nowhere."""
    out = {date(d, s) for s in ("d/m/y", "m/d/y", "iso")} | {d.strftime("%d%m%y"), d.strftime("%y%m%d"), d.strftime("%d%m")}
    for lang in MON:
        out |= {date(d, s, lang) for s in ("long", "mon", "us", "mus", "er")}
    return out


def money(c, style):
    """Cents to text. Styles: fr, frn (narrow space), en, de, ch, dot, comma."""
    sign, c = ("-" if c < 0 else ""), abs(c)
    sep, point = {"fr": (" ", ","), "frn": ("\u202f", ","), "en": (",", "."), "de": (".", ","), "ch": ("'", "."), "dot": ("", "."), "comma": ("", ",")}[style]
    return sign + f"{c // 100:,}".replace(",", sep) + point + f"{c % 100:02d}"


class Person:
    def __init__(self, k, cc):
        fam, wom, men = NAMES[cc]
        self.sex = k.choice("FM")
        self.last = k.choice(fam.split()).replace("~", " ")
        self.first = k.choice((wom if self.sex == "F" else men).split())
        self.second = k.choice((wom if self.sex == "F" else men).split())
        self.birth = dt.date(k.randint(1948, 2004), k.randint(1, 12), k.randint(1, 28))
        if cc == "CAE":
            cc = "CA"
        self.title = {"GB": "Mr", "IE": "Mr", "US": "Mr", "DE": "Herr"}.get(cc, "M.") if self.sex == "M" else {"GB": "Ms", "IE": "Ms", "US": "Ms", "DE": "Frau"}.get(cc, "Mme")

    @property
    def full(self):
        return self.first + " " + self.last

    @property
    def LF(self):
        return self.last.upper() + " " + self.first


class Addr:
    def __init__(self, k, cc):
        s = k.choice(STREETS[cc])
        n = k.randint(2, 4990) if cc in ("US", "CA", "CAE") else k.randint(1, 148)
        num = str(n) + (k.choice([" bis", " ter"]) if cc == "FR" and k.random() < .12 else "")
        after = cc in ("CH", "DE", "BE", "ES", "IT", "NL", "PT")
        self.street = (f"{s}, {num}" if cc in ("ES", "IT", "PT") else f"{s} {num}") if after else \
            (f"{num}, {s}" if cc == "CA" or (cc == "FR" and k.random() < .3) else f"{num} {s}")
        self.pc, self.city = k.choice(CITIES[cc])
        st = STATE.get(self.city, "QC" if cc == "CA" else "")
        self.line = {"GB": f"{self.city} {self.pc}", "IE": f"{self.city} {self.pc}", "US": f"{self.city}, {st} {self.pc}",
                     "CA": f"{self.city} (Québec) {self.pc}", "CAE": f"{self.city} {st} {self.pc}"}.get(cc, f"{self.pc} {self.city}")
        self.cc, self.state = cc, st


class K(random.Random):
    """The chance of one document, with the words that a forger swaps in the source before it is set."""

    def __init__(self, seed, subs=()):
        super().__init__(seed)
        self.seedtext, self.subs = seed, list(subs)

    def t(self, s):
        for old, new in self.subs:
            s = re.sub(r"(?<![\w.,'])" + re.escape(old) + r"(?![\w]|[.,]\d)", lambda _m: new, s)
        return s

    def person(self, cc="FR"):
        return Person(self, cc if cc != "CAE" else "CA")

    def addr(self, cc="FR"):
        return Addr(self, cc)

    def company(self, cc="FR"):
        return self.choice(COMPANIES[cc])

    def digits(self, n):
        return str(self.randint(1, 9)) + "".join(self.choice("0123456789") for _ in range(n - 1))

    def letters(self, n):
        return "".join(self.choice("ABCDEFGHJKLMNPRSTVWXYZ") for _ in range(n))

    def day(self, a=dt.date(2025, 1, 6), b=dt.date(2026, 11, 12)):
        return a + dt.timedelta(days=self.randint(0, (b - a).days))

    def iban(self, cc):
        """The national check digits are right too, where a country has them."""
        d = self.digits
        if cc == "FR":
            bank, box, acc = self.choice("30004 10278 14508 30066 20041".split()), d(5), d(11)
            key = 97 - (89 * int(bank) + 15 * int(box) + 3 * int(acc)) % 97
            b = bank + box + acc + f"{key:02d}"
        elif cc == "BE":
            b = d(10)
            b += f"{int(b) % 97 or 97:02d}"
        elif cc == "ES":
            w, bank, acc = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6), self.choice(["2100", "0182", "0049"]) + d(4), d(10)
            dc = [{11: 0, 10: 1}.get(x, x) for x in (11 - sum(int(c) * v for c, v in zip(s, w)) % 11 for s in ("00" + bank, acc))]
            b = bank + f"{dc[0]}{dc[1]}" + acc
        elif cc == "PT":
            b = self.choice(["0035", "0010", "0033"]) + d(4) + d(11)
            b += f"{98 - int(b + '00') % 97:02d}"
        elif cc == "IT":
            b = self.choice(["03069", "02008", "05387"]) + d(5) + d(12)
            odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
            b = chr(65 + sum(odd[int(c)] if i % 2 == 0 else int(c) for i, c in enumerate(b)) % 26) + b
        elif cc == "NL":
            while True:
                b = d(9)
                v = sum(int(c) * w for c, w in zip(b, range(10, 1, -1))) % 11
                if 11 - v < 10 or v == 0:
                    b = self.choice(["INGB", "RABO", "ABNA"]) + b + str((11 - v) % 11)
                    break
        else:
            b = {"DE": lambda: d(8) + d(10), "CH": lambda: "00" + d(3) + d(12), "GB": lambda: self.choice(["BARC", "LOYD", "NWBK"]) + d(6) + d(8),
                 "IE": lambda: self.choice(["AIBK93", "BOFI90"]) + d(4) + d(8)}[cc]()
        return cc + f"{98 - mod97(b + cc + '00'):02d}" + b

    def spaced(self, iban):
        return " ".join(iban[i:i + 4] for i in range(0, len(iban), 4))

    def bic(self, cc):
        return self.choice(["BNPA", "AGRI", "CMCI", "SOGE", "INGB", "NORD", "UBSW"]) + cc + self.choice(["PP", "2X", "BB", "22", "MM"]) + self.choice(["",
            "XXX", "831"])

    def siren(self):
        s = self.choice("45789") + self.digits(7)
        return s + luhn_digit(s)

    def siret(self, siren):
        s = siren + "000" + self.choice("123") + self.choice("1357")
        return s[:13] + luhn_digit(s[:13])

    def frvat(self, siren):
        return f"FR{(12 + 3 * (int(siren) % 97)) % 97:02d}{siren}"

    def nir(self, p, dep="35"):
        s = ("1" if p.sex == "M" else "2") + p.birth.strftime("%y%m") + dep + self.digits(3) + self.digits(3)
        return s + f"{97 - int(s) % 97:02d}"

    def che(self):
        while True:
            s = self.digits(8)
            c = 11 - sum(int(x) * w for x, w in zip(s, (5, 4, 3, 2, 7, 6, 5, 4))) % 11
            if c != 10:
                s += str(c % 11)
                return f"CHE-{s[:3]}.{s[3:6]}.{s[6:]}"

    def bce(self):
        s = "0" + self.choice("4567") + self.digits(6)
        s += f"{97 - int(s) % 97:02d}"
        return f"{s[:4]}.{s[4:7]}.{s[7:]}"

    def td1(self, kind, state, num, p, exp, opt="", nat=None, first=None):
        num9 = num.ljust(9, "<")[:9]
        a = (kind.ljust(2, "<") + state.ljust(3, "<") + num9 + mrz_digit(num9) + opt).ljust(30, "<")[:30]
        b, e = p.birth.strftime("%y%m%d"), exp.strftime("%y%m%d")
        c = b + mrz_digit(b) + p.sex + e + mrz_digit(e) + (nat or state).ljust(3, "<")
        c = c.ljust(29, "<")
        c += mrz_digit(a[5:30] + c[:7] + c[8:15] + c[18:29])
        return [a, c, (mrz_name(p.last) + "<<" + mrz_name(first or p.first)).ljust(30, "<")[:30]]

    def td3(self, state, num, p, exp, opt="", first=None):
        a = ("P<" + state.ljust(3, "<") + mrz_name(p.last) + "<<" + mrz_name(first or p.first)).ljust(44, "<")[:44]
        b, e, num9 = p.birth.strftime("%y%m%d"), exp.strftime("%y%m%d"), num.ljust(9, "<")
        c = num9 + mrz_digit(num9) + state.ljust(3, "<") + b + mrz_digit(b) + p.sex + e + mrz_digit(e) + opt.ljust(14, "<")
        c += mrz_digit(opt.ljust(14, "<")) if opt else "<"
        c += mrz_digit(c[:10] + c[13:20] + c[21:43])
        return [a, c]

    def old_fr(self, num, p, office):
        a = ("IDFRA" + mrz_name(p.last).ljust(25, "<")[:25] + office).ljust(36, "<")
        b = num + mrz_digit(num) + mrz_name(p.first + " " + p.second).replace("<", "<<", 1).ljust(14, "<")[:14]
        bd = p.birth.strftime("%y%m%d")
        b += bd + mrz_digit(bd) + p.sex
        return [a, b + mrz_digit(a + b)]

    def lines(self, what, n, lo=900, hi=42000):
        """n lines of an invoice: text, quantity, unit price in cents, sum."""
        out = []
        for w in self.sample(what, min(n, len(what))):
            q, u = self.choice([1, 1, 1, 2, 3, 4, 6]), self.randint(lo // 5, hi // 5) * 5
            out.append((w, q, u, q * u))
        return out
