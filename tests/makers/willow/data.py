"""Invented people, places, companies, numbers with right check digits, formats."""
import datetime as dt, unicodedata, string
REF = dt.date(2026, 11, 26); LAST = dt.date(2026, 11, 22)
NB = "\u00a0"

def strip_acc(s):
    s = s.replace("œ", "oe").replace("Œ", "OE").replace("ß", "ss").replace("ø", "o").replace("æ", "ae")
    return "".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) != "Mn")

LASTN = {
 "fr": "Lefèvre Girard Moreau Chevallier Besson Marchand Guérin Hénault Pichon Delaunay Rousseau Tessier Bélanger Gagnon Bouchard Côté Vandenberghe Dethier Lambrecht Favre Rochat Zbinden Perrin Nguyen Traoré Benali Haddad Diallo Fernandes Kowalczyk Saint-Martin Le-Goff Dumoulin Castaing Aubry Mercier Poirier Charbonnier Lemoine Jacquet Ollivier Prévost Bailly Maréchal Weiss Desjardins Tremblay Lacroix Vasseur Cuvelier".split(),
 "en": "Whitfield Hargreaves Okafor Pemberton Ashworth Gallagher O'Brien Murphy Fitzgerald Sinclair MacLeod Patel Singh Thornton Barrowclough Kensington Radcliffe Whelan Doyle Byrne Keane Henderson Caldwell Robertson Vance Delgado Kowalski Nakamura Thibodeaux Harper Lindqvist Osborne Chaudhry Adeyemi Prescott Goodwin Marsh Ellison Tanner Rooney Beckett Hollis Draper Fairbanks Langley".split(),
 "de": "Brandstätter Hofmann Krüger Schäfer Vogel Baumgartner Lindner Reuter Winkler Kessler Böhm Engelhardt".split(),
 "es": "Ibáñez Castellanos Muñoz Herrero Aguirre Domínguez Vidal Serrano Cabrera Lozano".split(),
 "it": "Colombo Ferrari Marchetti Galli Pellegrini Conti Rinaldi Barbieri Moretti Fontana".split(),
 "nl": "Jansen Bakker Visser Dijkstra Hoekstra Meijer Brouwer Kuipers Postma Verhoeven".split(),
 "pt": "Figueiredo Carvalho Teixeira Nogueira Magalhães Pinto Azevedo Barros Tavares Coelho".split()}
FIRSTN = {
 "fr": ("Julien Mathieu Étienne François Thibault Jérôme Rémi Olivier Bastien Hugo Luc Antoine Jean-Baptiste Karim Gaëtan Maxime Cédric Yannick Benoît Loïc".split(),
        "Camille Hélène Céline Aurélie Mélanie Chloé Élodie Françoise Zoé Inès Marie-Claude Noémie Anaïs Sophie Margaux Léa Geneviève Béatrice Pauline Amélie".split()),
 "en": ("James Oliver Daniel Connor Liam Callum Marcus Nathan Rory Patrick Ethan Tyler Gareth Simon Desmond Kwame Arjun Stephen Philip Owen".split(),
        "Charlotte Emily Siobhan Aoife Megan Harriet Priya Grace Hannah Rebecca Abigail Fiona Lauren Natalie Olivia Joanna Imogen Teresa Caroline Heather".split()),
 "de": ("Jürgen Matthias Lukas Stefan Tobias Florian".split(), "Anja Katrin Sabine Ursula Lena Jörgine".split()[:5]),
 "es": ("Álvaro Javier Sergio Andrés Raúl".split(), "Lucía Marta Inés Pilar Rocío".split()),
 "it": ("Matteo Lorenzo Davide Niccolò Andrea".split(), "Giulia Chiara Francesca Elisa Martina".split()),
 "nl": ("Daan Pieter Sander Joost Bram".split(), "Sanne Femke Anouk Marieke Lotte".split()),
 "pt": ("João Tiago Rui Gonçalo Nuno".split(), "Inês Beatriz Mariana Joana Catarina".split())}
CITY = {
 "FR": [("75011","Paris"),("69003","Lyon"),("31000","Toulouse"),("44100","Nantes"),("35000","Rennes"),("67000","Strasbourg"),("33800","Bordeaux"),("59000","Lille"),("76600","Le Havre"),("38000","Grenoble"),("63000","Clermont-Ferrand"),("42000","Saint-Étienne"),("29200","Brest"),("21000","Dijon"),("49100","Angers"),("84000","Avignon"),("64000","Pau"),("17000","La Rochelle"),("93200","Saint-Denis"),("13008","Marseille"),("87000","Limoges"),("56100","Lorient")],
 "BE": [("4000","Liège"),("5000","Namur"),("1050","Ixelles"),("6000","Charleroi"),("7000","Mons"),("1300","Wavre"),("1180","Uccle")],
 "CH": [("1003","Lausanne"),("1204","Genève"),("1700","Fribourg"),("2000","Neuchâtel"),("1950","Sion"),("1800","Vevey")],
 "QC": [("H2X 1Y4","Montréal"),("G1R 4P5","Québec"),("J4K 2T1","Longueuil"),("H7N 1A3","Laval"),("J8X 3W9","Gatineau"),("G9A 5C9","Trois-Rivières"),("J1H 4A7","Sherbrooke")],
 "GB": [("LS6 2QB","Leeds"),("M20 3JG","Manchester"),("BS8 4AQ","Bristol"),("EH9 1PR","Edinburgh"),("CF24 3DN","Cardiff"),("NG7 2RD","Nottingham"),("SW12 9HD","London"),("E8 3PN","London"),("YO10 4DU","York"),("B29 6BN","Birmingham"),("OX4 1JE","Oxford"),("S11 8TP","Sheffield")],
 "IE": [("D06 X2Y3","Dublin 6"),("T12 RW8P","Cork"),("H91 K5Y2","Galway"),("V94 T9PX","Limerick"),("X91 PF6H","Waterford")],
 "US": [("97214","Portland"),("78704","Austin"),("43215","Columbus"),("02139","Cambridge"),("60614","Chicago"),("80203","Denver"),("27601","Raleigh"),("55408","Minneapolis")],
 "CA": [("M4K 1N2","Toronto"),("V5T 3E4","Vancouver"),("K1S 5B6","Ottawa"),("T2R 0H5","Calgary"),("B3H 1W6","Halifax"),("R3G 0T8","Winnipeg")],
 "DE": [("50674","Köln"),("80469","München"),("04275","Leipzig"),("20357","Hamburg"),("70178","Stuttgart")],
 "ES": [("28015","Madrid"),("08012","Barcelona"),("46005","Valencia"),("41003","Sevilla"),("48009","Bilbao")],
 "IT": [("20135","Milano"),("40125","Bologna"),("10128","Torino"),("50122","Firenze"),("37121","Verona")],
 "NL": [("3512 JE","Utrecht"),("1017 PX","Amsterdam"),("3011 BN","Rotterdam"),("9712 HM","Groningen"),("5611 AB","Eindhoven")],
 "PT": [("1200-109","Lisboa"),("4050-253","Porto"),("3000-150","Coimbra"),("4700-036","Braga")]}
STATE = {"Portland":"OR","Austin":"TX","Columbus":"OH","Cambridge":"MA","Chicago":"IL","Denver":"CO","Raleigh":"NC","Minneapolis":"MN","Toronto":"ON","Vancouver":"BC","Ottawa":"ON","Calgary":"AB","Halifax":"NS","Winnipeg":"MB"}
STREET = {
 "FR": ["rue des Tilleuls","avenue Jean Jaurès","boulevard Voltaire","rue de la République","impasse des Lilas","allée des Érables","rue du Général de Gaulle","place de l'Église","chemin du Moulin","rue Pasteur","avenue du Maréchal Foch","rue Saint-Michel","quai de la Fosse","rue Victor Hugo"],
 "BE": ["rue de la Station","avenue Louise","chaussée de Namur","rue des Combattants","place Saint-Lambert"],
 "CH": ["Rue du Lac","Avenue de la Gare","Chemin des Vignes","Route de Berne","Rue des Alpes"],
 "QC": ["rue Sherbrooke Ouest","boulevard Saint-Laurent","avenue du Parc","rue Saint-Denis","chemin Sainte-Foy"],
 "GB": ["Chestnut Avenue","Albert Road","Kingsway Gardens","Mill Lane","Station Road","Victoria Terrace","Church Street","Park Crescent","Queens Drive"],
 "IE": ["Grosvenor Road","Patrick Street","Sea Road","Castle Avenue","Rathmines Road Lower"],
 "US": ["SE Hawthorne Blvd","Maple Avenue","Oak Street","Lakeview Drive","N Clark Street","Washington Street"],
 "CA": ["Danforth Avenue","Bank Street","Main Street","Robson Street","Barrington Street"],
 "DE": ["Lindenstraße","Goethestraße","Bahnhofstraße","Am Mühlbach","Schillerweg"],
 "ES": ["Calle de Alcalá","Avenida de América","Calle Mayor","Paseo del Prado"],
 "IT": ["Via Garibaldi","Corso Vittorio Emanuele","Via Dante Alighieri","Viale Monza"],
 "NL": ["Oudegracht","Prinsengracht","Kerkstraat","Van Goghlaan"],
 "PT": ["Rua das Flores","Avenida da Liberdade","Rua de Santa Catarina","Travessa do Carmo"]}
LANG_C = {"fr": ["FR","FR","FR","FR","FR","BE","CH","QC"], "en": ["GB","GB","GB","IE","US","CA"], "de":["DE"],"es":["ES"],"it":["IT"],"nl":["NL"],"pt":["PT"]}
COUNTRYN = {"FR":"France","BE":"Belgique","CH":"Suisse","QC":"Canada","GB":"United Kingdom","IE":"Ireland","US":"United States","CA":"Canada"}

class P:  # a person
    pass

def street(r, c):
    s = r.choice(STREET[c]); n = r.randint(1, 189)
    if c in ("FR","QC"):
        return f"{n}{r.choice(['','','','',' bis']) if c=='FR' else ''}{',' if r.random()<.35 else ''} {s}"
    if c in ("GB","IE","US","CA"):
        return (f"Flat {r.randint(1,19)}, " if c=="GB" and r.random()<.2 else "") + f"{n} {s}"
    if c == "ES": return f"{s}, {n}"
    if c == "IT": return f"{s}, {n}"
    if c == "PT": return f"{s}, {n}"
    if c == "BE": return f"{s} {n}"
    return f"{s} {n}"

def person(r, lang, c=None, used=set()):
    p = P(); p.lang = lang; p.c = c or r.choice(LANG_C[lang])
    for _ in range(50):
        p.sex = r.choice("MF")
        p.last = r.choice(LASTN[lang]).replace("Le-Goff", "Le Goff")
        p.first = r.choice(FIRSTN[lang][0 if p.sex == "M" else 1])
        if (p.last, p.first) not in used: break
    used.add((p.last, p.first))
    pool = [x for x in FIRSTN[lang][0 if p.sex == "M" else 1] if x != p.first]
    p.second = r.sample(pool, 2)
    p.dob = rdate(r, dt.date(1952,1,1), dt.date(2003,12,31))
    p.street = street(r, p.c); p.pc, p.city = r.choice(CITY[p.c])
    p.state = STATE.get(p.city, "")
    t = {"fr":("M.","Mme"),"en":("Mr","Ms"),"de":("Herr","Frau"),"es":("D.","Dña."),"it":("Sig.","Sig.ra"),"nl":("Dhr.","Mevr."),"pt":("Sr.","Sra.")}[lang]
    p.title = t[0] if p.sex == "M" else t[1]
    return p

def pcity(p, up=False):
    city = p.city.upper() if up else p.city
    if p.c == "QC": return f"{city} (Québec) {p.pc}"
    if p.c in ("US","CA"): return f"{city}, {p.state} {p.pc}"
    if p.c in ("GB","IE"): return f"{city} {p.pc}"
    return f"{p.pc} {city}"

def rdate(r, a, b):
    return a + dt.timedelta(days=r.randint(0, (b-a).days))
def digs(r, n): return "".join(r.choice("0123456789") for _ in range(n))
def lets(r, n, al="ABCDEFGHJKLMNPRSTVWXYZ"): return "".join(r.choice(al) for _ in range(n))

# ---------- check digits
def luhn_cd(s):
    t = 0
    for i, ch in enumerate(reversed(s)):
        d = int(ch)
        if i % 2 == 0:
            d *= 2
            if d > 9: d -= 9
        t += d
    return str((10 - t % 10) % 10)
def luhn_ok(s): return luhn_cd(s[:-1]) == s[-1]
def siren(r): 
    s = r.choice("345789") + digs(r, 7); return s + luhn_cd(s)
def siret(r, sn):
    return _siret(sn, r.randint(1, 4))
def _siret(sn, k):
    s = sn + f"{k:04d}"; return s + luhn_cd(s)
def frvat(sn): return "FR%02d%s" % ((12 + 3*(int(sn) % 97)) % 97, sn)
def bevat(r):
    b = int("0" + r.choice("4567") + digs(r, 6)); return "%08d%02d" % (b, 97 - b % 97)
def cheuid(r):
    while True:
        b = digs(r, 8); t = sum(int(x)*w for x, w in zip(b, (5,4,3,2,7,6,5,4))); c = (11 - t % 11) % 11
        if c != 10: return f"CHE-{b[:3]}.{b[3:6]}.{b[6:]}{c}"
def gbvat(r):
    b = r.choice("123456789") + digs(r, 6); t = sum(int(x)*w for x, w in zip(b, (8,7,6,5,4,3,2)))
    return "GB%s%02d" % (b, (97 - t % 97))
def ievat(r):
    b = digs(r, 7); t = sum(int(x)*w for x, w in zip(b, (8,7,6,5,4,3,2))); return "IE" + b + "WABCDEFGHIJKLMNOPQRSTUV"[t % 23]
def devat(r):
    b = r.choice("123456789") + digs(r, 7); p = 10
    for x in b:
        s = (int(x) + p) % 10 or 10; p = (2*s) % 11
    return "DE" + b + str((11 - p) % 10)
def escif(r):
    b = digs(r, 7); e = sum(int(x) for x in b[1::2])
    o = sum(sum(divmod(2*int(x), 10)) for x in b[0::2]); return "B" + b + str((10 - (e+o) % 10) % 10)
def esdni(r): 
    n = digs(r, 8); return n + "TRWAGMYFPDXBNJZSQVHLCKE"[int(n) % 23]
def itiva(r):
    b = "0" + digs(r, 6) + "0" + digs(r, 2); b = b[:10]; return "IT" + b + luhn_cd(b)
def ptnif(r, first="5"):
    b = first + digs(r, 7); t = sum(int(x)*w for x, w in zip(b, range(9, 1, -1))); c = 11 - t % 11
    return b + str(0 if c >= 10 else c)
def nlvat(r):
    while True:
        b = digs(r, 8); t = sum(int(x)*w for x, w in zip(b, range(9, 1, -1))) % 11
        if t < 10: return f"NL{b}{t}B01"
def nir(r, p):
    dep = r.choice(["75","69","31","44","59","13","33","67"]); b = f"{1 if p.sex=='M' else 2}{p.dob:%y%m}{dep}{r.randint(1,400):03d}{r.randint(1,300):03d}"
    return b + "%02d" % (97 - int(b) % 97)
def niss(r, p):
    n = r.randint(1, 498)*2 + (1 if p.sex == "M" else 0); b = f"{p.dob:%y%m%d}{n:03d}"
    k = 97 - int(("2" if p.dob.year >= 2000 else "") + b) % 97; return b + "%02d" % k
def avs(r):
    b = "756" + digs(r, 9); t = sum(int(x)*(1 if i % 2 == 0 else 3) for i, x in enumerate(b)); return b + str((10 - t % 10) % 10)
def nino(r): return lets(r, 1, "ABCEHJLMPRSTWX") + lets(r, 1, "ABCEHJKLMPRSTWXYZ") + digs(r, 6) + r.choice("ABCD")
def ppsn(r):
    b = digs(r, 7); t = sum(int(x)*w for x, w in zip(b, (8,7,6,5,4,3,2))) ; a = r.choice("AB"); t += 9*(ord(a)-64)
    return b + "WABCDEFGHIJKLMNOPQRSTUV"[t % 23] + a
def sin(r):
    b = r.choice("1234567") + digs(r, 7); return b + luhn_cd(b)

BANKS = {"FR": [("Banque Armoricaine","BARMFRPP","30781"),("Crédit Populaire du Rhône","CPRHFR2L","17429"),("Caisse Mutuelle de l'Ouest","CMOUFR2N","15826"),("Banque Horizon","BHORFRPPXXX","18654")],
 "BE": [("Banque du Brabant","BRABBEBB","733"),("Crédit Meuse","CMEUBE22","068")], "CH": [("Banque Cantonale du Léman","BCLECH2L","00891"),("Caisse d'Épargne des Alpes","CEALCH22XXX","08472")],
 "GB": [("Northgate Bank","NGATGB2L","NGAT"),("Pennine Building Society","PENNGB21XXX","PENN"),("Albion Direct","ALBDGB22","ALBD")], "IE": [("Bank of Leinster","BLEIIE2D","BLEI"),("Shannon Credit & Savings","SHCSIE21","SHCS")],
 "DE": [("Rheinische Handelsbank","RHHBDEDK","37060590"),("Volkssparkasse Isar","VSISDEMM","70150390")], "ES": [("Banco Ibérico del Norte","BINOESMM","3183"),], "IT": [("Banca Popolare Lombarda","BPLOITMM","05428")],
 "NL": [("Noordzee Bank","NZBKNL2A","NZBK")], "PT": [("Banco Atlântico do Tejo","BATJPTPL","0079")], "US": [("First Cascade Bank","FCASUS44","125000")], "CA": [("Maple Trust Bank","MAPTCATT","019")], "QC": [("Caisse populaire du Saint-Laurent","CPSLCAMM","815")]}

def _iban(cc, bban):
    s = bban + cc + "00"; n = int("".join(str(int(ch, 36)) for ch in s)); return cc + "%02d" % (98 - n % 97) + bban
def iban_ok(s):
    s = s.replace(" ", ""); L = {"FR":27,"BE":16,"CH":21,"GB":22,"IE":22,"DE":22,"ES":24,"IT":27,"NL":18,"PT":25}
    if L.get(s[:2]) != len(s): return False
    return int("".join(str(int(ch, 36)) for ch in s[4:] + s[:4])) % 97 == 1
def group4(s): return " ".join(s[i:i+4] for i in range(0, len(s), 4))
class A: pass
def account(r, c):
    a = A(); a.c = c; a.bank, a.bic, code = r.choice(BANKS[c]); a.code = code
    if c == "FR":
        a.guichet = digs(r, 5); a.acc = digs(r, 11); 
        a.cle = "%02d" % (97 - (89*int(code) + 15*int(a.guichet) + 3*int(a.acc)) % 97); b = code + a.guichet + a.acc + a.cle
    elif c == "BE":
        n = code + digs(r, 7); k = int(n) % 97 or 97; b = n + "%02d" % k; a.acc = b
    elif c == "CH": a.acc = digs(r, 12); b = code + a.acc
    elif c in ("GB","IE"):
        a.sort = digs(r, 6); a.acc = digs(r, 8); b = code + a.sort + a.acc
    elif c == "DE": a.acc = digs(r, 10); b = code + a.acc
    elif c == "ES":
        of = digs(r, 4); a.acc = digs(r, 10); w = (1,2,4,8,5,10,9,7,3,6)
        def dc(x):
            k = 11 - sum(int(p)*q for p, q in zip(x, w)) % 11; return {10:"1",11:"0"}.get(k, str(k))
        b = code + of + dc("00"+code+of) + dc(a.acc) + a.acc
    elif c == "IT":
        cab = digs(r, 5); a.acc = "%012d" % r.randint(1, 999999); x = code + cab + a.acc
        odd = {k: v for k, v in zip("0123456789", (1,0,5,7,9,13,15,17,19,21))}
        t = sum(odd[ch] if i % 2 == 0 else int(ch) for i, ch in enumerate(x)); b = chr(65 + t % 26) + x
    elif c == "NL":
        while True:
            x = "0" + digs(r, 9)
            if sum(int(p)*q for p, q in zip(x, range(10, 0, -1))) % 11 == 0 and x[1] != "0": break
        a.acc = x; b = code + x
    elif c == "PT":
        x = code + digs(r, 4) + digs(r, 11); b = x + "%02d" % (98 - int(x + "00") % 97); a.acc = x[8:]
    else:
        a.acc = digs(r, 9); a.iban = None; a.transit = digs(r, 5); return a
    a.iban = _iban(c, b); assert iban_ok(a.iban), (c, a.iban); return a

# ---------- MRZ
def _cv(s):
    t = 0
    for i, ch in enumerate(s): t += (0 if ch == "<" else int(ch, 36)) * (7, 3, 1)[i % 3]
    return str(t % 10)
def mname(s): return strip_acc(s).upper().replace("'", "").replace(", ", "<").replace(" ", "<").replace("-", "<")
def mrz_td3(iss, last, firsts, num, nat, dob, sex, exp, opt="", kind="P<"):
    l1 = (kind + iss + mname(last) + "<<" + mname(firsts)).ljust(44, "<")[:44]
    n = num.ljust(9, "<"); o = opt.ljust(14, "<"); d = f"{dob:%y%m%d}"; e = f"{exp:%y%m%d}"
    oc = _cv(o) if opt else "<"
    comp = n + _cv(n) + d + _cv(d) + e + _cv(e) + o + oc
    l2 = n + _cv(n) + nat + d + _cv(d) + sex + e + _cv(e) + o + oc + _cv(comp); return [l1, l2]
def mrz_td1(kind, iss, last, firsts, num, nat, dob, sex, exp, opt=""):
    n = num.ljust(9, "<")[:9]; o = opt.ljust(15, "<"); d = f"{dob:%y%m%d}"; e = f"{exp:%y%m%d}"
    l1 = kind + iss + n + _cv(n) + o
    comp = (n + _cv(n) + o + d + _cv(d) + e + _cv(e) + "<"*11)
    l2 = d + _cv(d) + sex + e + _cv(e) + nat + "<"*11 + _cv(comp)
    l3 = (mname(last) + "<<" + mname(firsts)).ljust(30, "<")[:30]; return [l1, l2, l3]
def mrz_ok(L):
    if len(L) == 2 and len(L[0]) == 44:
        a, s = L; return _cv(s[:9]) == s[9] and _cv(s[13:19]) == s[19] and _cv(s[21:27]) == s[27] and _cv(s[:10]+s[13:20]+s[21:43]) == s[43]
    if len(L) == 3 and all(len(x) == 30 for x in L):
        a, b, _ = L; return _cv(a[5:14]) == a[14] and _cv(b[:6]) == b[6] and _cv(b[8:14]) == b[14] and _cv(a[5:30]+b[:7]+b[8:15]+b[18:29]) == b[29]
    if len(L) == 1: return len(L[0]) == 30 and _cv(L[0][:29]) == L[0][29]
    if len(L) == 2 and len(L[0]) == 36:
        a, s = L; return _cv(s[:12]) == s[12] and _cv(s[27:33]) == s[33] and _cv(a + s[:35]) == s[35]
    return False

VW = "8765432X098765432".replace("X", "T")
def vin(r, wmi=None):
    al = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"; tr = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", (1,2,3,4,5,6,7,8,1,2,3,4,5,7,9,2,3,4,5,6,7,8,9)))
    s = (wmi or r.choice(["VF1","VF3","VF7","WVW","WBA","TMB","SAL","JTD"])) + "".join(r.choice(al) for _ in range(5)) + "0" + r.choice("KLMNPRS") + r.choice(al) + digs(r, 6)
    w = (8,7,6,5,4,3,2,10,0,9,8,7,6,5,4,3,2); t = sum((int(ch) if ch.isdigit() else tr[ch])*k for ch, k in zip(s, w)) % 11
    return s[:8] + ("X" if t == 10 else str(t)) + s[9:]

# ---------- formats
MON = {"fr":"janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
 "en":"January February March April May June July August September October November December".split(),
 "de":"Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
 "es":"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
 "it":"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),
 "nl":"januari februari maart april mei juni juli augustus september oktober november december".split(),
 "pt":"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()}
def dlong(d, lang, c=None):
    m = MON[lang][d.month-1]
    if lang == "fr": return f"{'1er' if d.day==1 else d.day} {m} {d.year}"
    if lang == "en": return f"{m} {d.day}, {d.year}" if c in ("US","CA") else f"{d.day} {m} {d.year}"
    if lang == "de": return f"{d.day}. {m} {d.year}"
    if lang in ("es","pt"): return f"{d.day} de {m} de {d.year}"
    return f"{d.day} {m} {d.year}"
def dnum(d, c):
    return d.strftime({"US":"%m/%d/%Y","CH":"%d.%m.%Y","DE":"%d.%m.%Y","NL":"%d-%m-%Y","CA":"%Y-%m-%d","QC":"%Y-%m-%d"}.get(c, "%d/%m/%Y"))
def mon(cents, c, sym=True):
    neg = "-" if cents < 0 else ""; cents = abs(cents); i, f = divmod(cents, 100)
    t = f"{i:,}"
    if c in ("GB","US","CA","IE"):
        s = f"{t}.{f:02d}"; return neg + ({"GB":"£","US":"$","CA":"$","IE":"€"}[c] + s if sym else s)
    if c == "CH":
        s = f"{t.replace(',', chr(39))}.{f:02d}"; return neg + ("CHF " + s if sym else s)
    if c in ("FR","BE","QC","PT") : t = t.replace(",", NB if c != "BE" else ".")
    else: t = t.replace(",", ".")
    s = f"{t},{f:02d}"
    if not sym: return neg + s
    if c == "QC": return neg + s + NB + "$"
    if c == "NL": return "€ " + neg + s
    return neg + s + NB + "€"

COMP = {"fr": ["Menuiserie Dutilleul","Atelier Grandpré","Garage de la Vallée","Boulangerie Aux Trois Épis","Informatique Solvaro","Plomberie Castelnau","Bureau d'études Arvenne","Traiteur Le Safran","Nettoyage Clairnet","Transports Morvandelle","Imprimerie du Canal","Cabinet Valmondois"],
 "en": ["Brackenridge Plumbing","Oakmere Joinery","Silverline Logistics","Thistle & Wren Catering","Copperfield Motors","Larkhill Consulting","Greystone Roofing","Harbour Lane Interiors","Westbrook IT Services","Bluebell Cleaning","Fenwick Print House","Tamarack Landscaping"],
 "de": ["Elektro Hallenberg","Tischlerei Moosgrund","Bürobedarf Lahnstein"], "es": ["Reformas Valdeoro","Talleres Mirasierra","Papelería Alcázar"], "it": ["Idraulica Belmonte","Officina Valserena","Grafica Tre Torri"], "nl": ["Schildersbedrijf Westerdam","Timmerwerk Vaartzicht","Kantoorhandel De Molen"], "pt": ["Carpintaria Vale Verde","Eletro Ribeira","Gráfica do Mondego"]}
LEGAL = {"FR":["SARL","SAS","EURL"],"BE":["SRL","SA"],"CH":["Sàrl","SA"],"QC":["inc."],"GB":["Ltd","Limited"],"IE":["Ltd","DAC"],"US":["LLC","Inc."],"CA":["Inc.","Ltd."],"DE":["GmbH"],"ES":["S.L."],"IT":["S.r.l."],"NL":["B.V."],"PT":["Lda."]}
UTIL = {"FR":[("Énergie Lumia","électricité"),("Eau du Val","eau"),("TéléNova","télécom"),("GazClair","gaz")],"BE":[("Luminaé","électricité"),("Ondéa Télécom","télécom")],"CH":[("Services Lémaniques","électricité"),("Alptel SA","télécom")],"QC":[("Hydro Boréale","électricité"),("Vidéonord","télécom")],
 "GB":[("Brightwell Energy","electricity"),("Severn Vale Water","water"),("Kestrel Broadband","telecom")],"IE":[("Emerald Power","electricity"),("Liffey Telecom","telecom")],"US":[("Cascadia Power & Light","electricity"),("Blue Mesa Internet","telecom")],"CA":[("Lakehead Hydro","electricity"),("Polaris Mobile","telecom")],
 "DE":[("Stadtwerke Lindau-Nord","Strom"),("FunkNetz","Telefon")],"ES":[("Luzia Energía","electricidad"),("Telmar","teléfono")],"IT":[("Enerviva","energia elettrica"),("FibraItalica","telefono")],"NL":[("Polderstroom","elektriciteit"),("KabelNoord","telefoon")],"PT":[("Luzatlântica","eletricidade"),("TeleTejo","telefone")]}
INSUR = {"fr":["Assurances Mutuelles Valbrise","Prévia Assurances","Mutuelle Horizon Santé","Garantia IARD","La Bastide Assurances"],"en":["Fairhaven Insurance","Castlegate Mutual","Redwood General Insurance","Beacon & Hart Underwriting","Saltire Assurance"]}

TEMPFAKE = {}
def fonts(name, style="Regular"):
    import subprocess
    k = (name, style)
    if k not in TEMPFAKE:
        TEMPFAKE[k] = subprocess.run(["fc-match", "-f", "%{file}", f"{name}:style={style}"], capture_output=True, text=True).stdout
    return TEMPFAKE[k]
