"""The invented world: people, firms, numbers with right check digits, and how each country writes dates and money."""
import datetime as dt
import random
import re
import unicodedata
from decimal import Decimal as D, ROUND_HALF_UP
from types import SimpleNamespace as NS

REF = dt.date(2026, 11, 20)

NAMES = {
    'FR': ('Léa Chloé Manon Inès Camille Hélène Françoise Aurélie Nathalie Maëlys Sandrine Ghislaine Odile Fatoumata Séverine',
           'Lucas Théo Jérôme Mickaël François Bastien Jean-Luc Loïc Gaël Mamadou Rémi Cédric Yannick Benoît Karim Thibault',
           'Lefebvre Mercier Faure Rousselet Gauthier Pruvost Delattre Le_Goff Kerbrat Benhaddou Diallo Chevallier Bonnefoy '
           'Marchetti Vasseur Duhamel Petitjean Garnier-Roux De_La_Motte Texier Quéméneur Ferrandi Hoarau Boulanger Sanchez '
           'Nowak Couturier Aubry Fournel Lacombe D\'Almeida Wattrelos Barbançon Schaeffer Traoré'),
    'BE': ('Amandine Élise Nele Charlotte Marie-Ange Lotte Ingrid Maïté', 'Quentin Pieter Thibaut Wim Geoffrey Joris Jean-Marc Olivier',
           'Vandenbroeck Peeters Lambrechts Dumortier Van_Hove Claes Hennebert Wauters Delvaux Mertens Collignon Bastin De_Smet'),
    'CH': ('Sandra Corinne Nadja Fabienne Laetitia', 'Reto Pascal Jean-Daniel Luca Yves Urs',
           'Rochat Favre Aeschlimann Bolomey Zürcher Monnier Jaquet Fournier Cuénoud Pittet Brügger'),
    'GB': ('Hannah Gemma Olivia Siân Priya Kirsty Margaret Zainab', 'Oliver Callum Gareth Imran Stuart Rhys Nigel Jamie',
           'Whitfield Ashworth Okonkwo Pritchard MacLeod Hargreaves Begum Thornton Sutcliffe Ellwood Fairbairn Cartwright Naylor'),
    'IE': ('Aoife Niamh Sinéad Orla Caoimhe', 'Cillian Eoin Padraig Declan Conor', "O'Sullivan Kavanagh Brennan Ní_Dhomhnaill "
           "McLoughlin Gallagher Hanrahan O'Rourke Twomey"),
    'US': ('Ashley Brittany Denise Maria Kayla Teresa', 'Tyler Marcus Brandon Jose Dwayne Kevin',
           'Kowalczyk Hernandez Thompson Washington Nguyen Schroeder Delgado McAllister Vance Ortega Lindqvist'),
    'CA': ('Geneviève Josée Emma Marie-Ève Priscilla', 'Étienne Marc-André Liam Guillaume Ravi',
           'Tremblay Bouchard Gagnon MacDonald Singh Lévesque Côté Fraser Ouellet Chartrand'),
    'DE': ('Anke Sabine Katharina Jülide', 'Jörg Matthias Björn Emre', 'Großmann Hofstetter Schäfer Yıldırım Kühn Brandt Oelschläger'),
    'ES': ('María_José Lucía Begoña Pilar', 'Álvaro Íñigo Javier Manuel', 'García_Ibáñez Muñoz_Prieto Ruiz_Cañas Ferrer_Vidal Ortega_Peña'),
    'IT': ('Giulia Federica Chiara Noemi', 'Nicolò Davide Matteo Gianluca', 'Bianchetti Colombo De_Santis Esposito Ferrero Lombardi'),
    'NL': ('Femke Sanne Anouk Marloes', 'Daan Jeroen Maarten Sjoerd', 'Van_der_Meer Hoekstra De_Wit Bakker Kuipers Verhoeven'),
    'PT': ('Mariana Inês Conceição Joana', 'João Tiago Nuno Gonçalo', 'Figueiredo Gonçalves Almeida_Brandão Magalhães Cordeiro'),
}
PLACES = {
    'FR': '59000 Lille|69003 Lyon|33800 Bordeaux|44100 Nantes|67100 Strasbourg|35700 Rennes|63000 Clermont-Ferrand|37000 Tours|62000 Arras|'
          '80090 Amiens|25000 Besançon|29200 Brest|64000 Pau|84000 Avignon|97400 Saint-Denis|42100 Saint-Étienne|57000 Metz|02100 Saint-Quentin|'
          '13006 Marseille|75011 Paris|93100 Montreuil|59200 Tourcoing|76600 Le Havre|17000 La Rochelle|01000 Bourg-en-Bresse|06200 Nice',
    'BE': '1030 Schaerbeek|4000 Liège|5000 Namur|7000 Mons|6000 Charleroi|1300 Wavre|7500 Tournai|6700 Arlon|1420 Braine-l\'Alleud|1180 Uccle',
    'CH': '1004 Lausanne|1205 Genève|2000 Neuchâtel|1700 Fribourg|1950 Sion|2800 Delémont|1800 Vevey|1400 Yverdon-les-Bains',
    'GB': 'LS6 2QN Leeds|M20 4BX Manchester|BS7 8TJ Bristol|CF24 3HD Cardiff|EH10 5PL Edinburgh|NR2 3RF Norwich|SE15 4TW London|'
          'PL4 8AG Plymouth|DH1 1HW Durham|YO24 1LQ York|NG7 2RD Nottingham|BT9 6AS Belfast',
    'IE': 'D06 F2K8 Dublin 6|T12 X4VR Cork|H91 W2P3 Galway|V94 T6CN Limerick|X91 K8HP Waterford|R95 D7YK Kilkenny',
    'US': '43215 Columbus OH|97214 Portland OR|78704 Austin TX|53703 Madison WI|27601 Raleigh NC|55408 Minneapolis MN|95616 Davis CA|'
          '80302 Boulder CO|11215 Brooklyn NY|04101 Portland ME',
    'CA': 'H2X 1Y4 Montréal QC|G1R 4S9 Québec QC|K1N 6N5 Ottawa ON|M6G 2K4 Toronto ON|B3H 3J5 Halifax NS|V6K 2E8 Vancouver BC|J1H 2K3 Sherbrooke QC',
    'DE': '04109 Leipzig|28195 Bremen|79098 Freiburg|34117 Kassel|50667 Köln|90402 Nürnberg',
    'ES': '46004 Valencia|50003 Zaragoza|41001 Sevilla|48011 Bilbao|28012 Madrid', 'IT': '40121 Bologna|10122 Torino|37121 Verona|80134 Napoli|20121 Milano',
    'NL': '3511 LX Utrecht|9711 HB Groningen|6211 CK Maastricht|2312 JK Leiden', 'PT': '4050-253 Porto|3000-177 Coimbra|1200-109 Lisboa|4700-424 Braga',
}
STREETS = {
    'FR': 'rue des Lilas|avenue Jean Jaurès|boulevard Gambetta|rue du Maréchal Foch|impasse des Tilleuls|chemin de la Croix-Rousse|rue Victor Hugo|'
          'allée des Acacias|place de la République|rue du Moulin à Vent|route de Saint-Omer|quai de la Fosse|rue Pasteur|résidence Les Glycines|'
          'rue de l\'Église|square Lamartine|cours Émile Zola|rue du 11 Novembre',
    'BE': 'rue de la Station|avenue Rogier|chaussée de Louvain|rue du Beau-Site|place Communale|rue Haute|avenue des Combattants|rue des Écoles',
    'CH': 'rue du Simplon|avenue de France|chemin des Vignes|route de Berne|rue de Bourg|chemin du Levant',
    'GB': 'Ashgrove Road|Victoria Terrace|Mill Lane|Chapel Street|Kingsway|Station Road|The Crescent|Queens Avenue|Orchard Close|Beech Drive',
    'IE': 'Rathgar Avenue|Main Street|St. Brigid\'s Road|Harbour View|Abbey Park|Grattan Street',
    'US': 'Maple Avenue|Lincoln Street|Oakridge Drive|Jefferson Blvd|Cedar Lane|Ninth Street|Prospect Place|Elm Court',
    'CA': 'rue Saint-Denis|avenue du Parc|Bank Street|King Street West|rue Cartier|Elgin Avenue|boulevard Laurier',
    'DE': 'Bahnhofstraße|Lindenweg|Goethestraße|Am Alten Markt', 'ES': 'Calle Mayor|Avenida de Aragón|Calle San Vicente|Paseo del Prado',
    'IT': 'Via Garibaldi|Corso Vittorio Emanuele|Via dei Mille|Viale Mazzini', 'NL': 'Oudegracht|Kerkstraat|Nieuwe Markt|Wilhelminalaan',
    'PT': 'Rua de Santa Catarina|Avenida da República|Rua do Almada|Travessa das Flores',
}
NAT = {'FR': ('FRA', 'FRANÇAISE'), 'BE': ('BEL', 'BELGE'), 'CH': ('CHE', 'SUISSE'), 'GB': ('GBR', 'BRITISH CITIZEN'), 'IE': ('IRL', 'ÉIREANNACH'),
       'US': ('USA', 'UNITED STATES OF AMERICA'), 'CA': ('CAN', 'CANADIAN'), 'DE': ('D', 'DEUTSCH'), 'ES': ('ESP', 'ESPAÑOLA'), 'IT': ('ITA', 'ITALIANA'),
       'NL': ('NLD', 'NEDERLANDSE'), 'PT': ('PRT', 'PORTUGUESA')}
LANG = {'FR': 'fr', 'BE': 'fr', 'CH': 'fr', 'GB': 'en', 'IE': 'en', 'US': 'en', 'CA': 'en', 'DE': 'de', 'ES': 'es', 'IT': 'it', 'NL': 'nl', 'PT': 'pt'}
MON = {'fr': 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
       'en': 'January February March April May June July August September October November December',
       'de': 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
       'es': 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
       'it': 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
       'nl': 'januari februari maart april mei juni juli augustus september oktober november december',
       'pt': 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'}
MON = {k: v.split() for k, v in MON.items()}
FR3 = 'JANV FÉV MARS AVR MAI JUIN JUIL AOÛT SEPT OCT NOV DÉC'.split()
PLAIN_FR3 = 'JAN FEV MARS AVR MAI JUIN JUIL AOUT SEPT OCT NOV DEC'.split()


def plain(s):
    """Letters without accents: ß and the like spelt out, as machine-readable zones and hurried typists do."""
    s = s.replace('ß', 'ss').replace('ı', 'i').replace('œ', 'oe').replace('Œ', 'OE').replace('æ', 'ae')
    return ''.join(c for c in unicodedata.normalize('NFKD', s) if not unicodedata.combining(c))


def squash(s):
    return re.sub(r'[^a-z0-9]', '', plain(s).casefold())


def q2(x):
    return D(x).quantize(D('0.01'), ROUND_HALF_UP)


def group(n, sep):
    return re.sub(r'(?<=\d)(?=(\d{3})+$)', sep, n)


def money(x, style='fr', cur=True):
    """One amount as a country prints it."""
    x = q2(x)
    sign, whole, cents = ('-' if x < 0 else ''), *f'{abs(x):.2f}'.split('.')
    body = {'fr': lambda: group(whole, '\u00a0') + ',' + cents, 'frn': lambda: group(whole, '\u202f') + ',' + cents, 'fr0': lambda: whole + ',' + cents,
            'be': lambda: group(whole, '.') + ',' + cents, 'be2': lambda: group(whole, '.') + ',' + cents, 'ch': lambda: group(whole, "'") + '.' + cents,
            'gb': lambda: group(whole, ',') + '.' + cents, 'us': lambda: group(whole, ',') + '.' + cents, 'eur': lambda: group(whole, ',') + '.' + cents,
            'cafr': lambda: group(whole, '\u00a0') + ',' + cents}[style]()
    if not cur:
        return sign + body
    return {'fr': f'{sign}{body}\u00a0€', 'frn': f'{sign}{body}\u202f€', 'fr0': f'{sign}{body} EUR', 'be': f'{sign}{body} €', 'be2': f'€ {sign}{body}',
            'ch': f'CHF {sign}{body}', 'gb': f'{sign}£{body}', 'us': f'{sign}${body}', 'eur': f'{sign}€{body}', 'cafr': f'{sign}{body}\u00a0$'}[style]


def fdate(d, style, lang='fr'):
    m = MON[lang][d.month - 1]
    if style == 'long':
        return {'fr': f'{"1er" if d.day == 1 else d.day} {m} {d.year}', 'en': f'{d.day} {m} {d.year}', 'de': f'{d.day}. {m} {d.year}',
                'es': f'{d.day} de {m} de {d.year}', 'pt': f'{d.day} de {m} de {d.year}'}.get(lang, f'{d.day} {m} {d.year}')
    if style == 'us_long':
        return f'{MON["en"][d.month - 1]} {d.day}, {d.year}'
    if style == 'mon':
        return f'{d.day:02d} {MON["en"][d.month - 1][:3]} {d.year}'
    if style == 'MON':
        return f'{d.day:02d} {MON["en"][d.month - 1][:3].upper()} {d.year}'
    if style == 'pass':   # the bilingual months of British and Canadian passports
        return f'{d.day:02d} {MON["en"][d.month - 1][:3].upper()} /{PLAIN_FR3[d.month - 1]} {d.year % 100:02d}'
    return d.strftime({'/': '%d/%m/%Y', '.': '%d.%m.%Y', ' ': '%d %m %Y', '-': '%d-%m-%Y', '/2': '%d/%m/%y', '.2': '%d.%m.%y', 'us': '%m/%d/%Y',
                       'iso': '%Y-%m-%d', 'c': '%d%m%Y'}[style])


def luhn(s):
    t = 0
    for i, c in enumerate(reversed(s)):
        n = int(c) * (2 if i % 2 == 0 else 1)
        t += n - 9 if n > 9 else n
    return str(-t % 10)


def iban_ok(s):
    s = re.sub(r'\W', '', s).upper()
    return int(''.join(str(int(c, 36)) for c in s[4:] + s[:4])) % 97 == 1


def iban_of(cc, bban):
    n = int(''.join(str(int(c, 36)) for c in bban + cc + '00'))
    return f'{cc}{98 - n % 97:02d}{bban}'


def mrz_check(s):
    return str(sum((0 if c == '<' else int(c, 36)) * (7, 3, 1)[i % 3] for i, c in enumerate(s)) % 10)


def mrz_text(s):
    return re.sub(r'[^A-Z]+', '<', plain(s).upper().replace("'", '')).strip('<')


def mrz_names(last, first, n):
    return (mrz_text(last) + '<<' + mrz_text(first)).ljust(n, '<')[:n]


def ymd(d):
    return d.strftime('%y%m%d')


def td3(p, cc3, num, nat, birth, sex, exp, opt=''):
    a = 'P<' + cc3.ljust(3, '<') + mrz_names(p.last, p.first, 39)
    n, o = num.ljust(9, '<'), opt.ljust(14, '<')
    oc = mrz_check(o) if opt else '<'
    b1, e1 = ymd(birth), ymd(exp)
    b = f'{n}{mrz_check(n)}{nat.ljust(3, "<")}{b1}{mrz_check(b1)}{sex}{e1}{mrz_check(e1)}{o}{oc}'
    return [a, b + mrz_check(b[:10] + b[13:20] + b[21:43])]


def td1(kind, cc3, p, num, nat, birth, sex, exp, opt1='', opt2=''):
    if len(num) > 9:    # Belgian cards: the number runs over into the optional part
        one = num[:9] + '<' + num[9:] + mrz_check(num)
    else:
        one = num.ljust(9, '<') + mrz_check(num.ljust(9, '<')) + opt1
    a = (kind.ljust(2, '<') + cc3.ljust(3, '<') + one).ljust(30, '<')[:30]
    b1, e1 = ymd(birth), ymd(exp)
    b = f'{b1}{mrz_check(b1)}{sex}{e1}{mrz_check(e1)}{nat.ljust(3, "<")}{opt2.ljust(11, "<")}'
    return [a, b + mrz_check(a[5:30] + b[:7] + b[8:15] + b[18:29]), mrz_names(p.last, p.first, 30)]


def mrz_frold(p, num, birth, sex, dep):
    a = ('IDFRA' + mrz_text(p.last)[:25].ljust(25, '<') + dep).ljust(36, '<')
    b = num + mrz_check(num) + mrz_text(p.first).replace('<', '<<', 1)[:14].ljust(14, '<') + ymd(birth)
    b += mrz_check(ymd(birth)) + sex
    return [a, b + mrz_check(a + b)]


class W:
    """One document's own world: a random stream, the values it prints, and (for a forger) one thing that is bent."""

    def __init__(self, seed, bend=None):
        self.r = random.Random(seed)
        self.bend, self.bent = bend, None      # bend: '', 'iban', 'mrz', 'sum' or 'date'
        self.fr = random.Random(f'forge {seed}')
        self.fields, self.ibans, self.mrzs, self.offers = {}, [], [], set()
        self.made = None

    # --- chance
    def pick(self, *a):
        return self.r.choice(a[0] if len(a) == 1 and isinstance(a[0], (list, tuple)) else a)

    def num(self, n):
        return ''.join(self.r.choice('0123456789') for _ in range(n))

    def nz(self, n):
        return self.r.choice('123456789') + self.num(n - 1)

    def let(self, n, of='ABCDEFGHJKLMNPRSTVWXYZ'):
        return ''.join(self.r.choice(of) for _ in range(n))

    def day(self, a, b):
        a, b = [REF - dt.timedelta(days=x) if isinstance(x, int) else x for x in (a, b)]
        return a + dt.timedelta(days=self.r.randint(0, max(0, (b - a).days)))

    def eur(self, a, b):
        return q2(D(self.r.randint(int(a * 100), int(b * 100))) / 100)

    # --- people and places
    def person(self, cc='FR', born=None):
        f, m, last = NAMES[cc]
        sex = self.pick('F', 'M')
        own = (f if sex == 'F' else m).split()
        a = self.r.sample(own, 2)
        first = a[0].replace('_', ' ')
        more = first + ('' if cc not in ('FR', 'BE', 'GB', 'US') or self.r.random() < .4 else ' ' + a[1].replace('_', ' '))
        p = NS(first=first, firsts=more, last=self.pick(last.split()).replace('_', ' '), sex=sex, cc=cc)
        p.birth = self.day(dt.date(1948, 1, 1), dt.date(2004, 12, 31))
        p.title = {'fr': {'F': 'Madame', 'M': 'Monsieur'}, 'en': {'F': 'Ms', 'M': 'Mr'}, 'de': {'F': 'Frau', 'M': 'Herr'}, 'es': {'F': 'Dña.', 'M': 'D.'},
                   'it': {'F': 'Sig.ra', 'M': 'Sig.'}, 'nl': {'F': 'Mevr.', 'M': 'Dhr.'}, 'pt': {'F': 'Sra.', 'M': 'Sr.'}}[LANG[cc]][sex]
        p.birthplace = self.place(cc)[1]
        p.__dict__.update(self.addr(cc).__dict__)
        return p

    def place(self, cc):
        s = self.pick(PLACES[cc].split('|'))
        cut = {'GB': 2, 'IE': 2, 'CA': 2, 'NL': 2}.get(cc, 1)
        w = s.split(' ')
        pc, city, st = ' '.join(w[:cut]), ' '.join(w[cut:]), ''
        if cc in ('US', 'CA'):
            city, st = city[:-3], city[-2:]
        return pc, city, st

    def addr(self, cc='FR'):
        pc, city, st = self.place(cc)
        n, s = str(self.r.randint(2, 189)), self.pick(STREETS[cc].split('|'))
        if cc in ('FR', 'GB') and self.r.random() < .15:
            n += ' bis' if cc == 'FR' else 'A'
        street = f'{s} {n}' if cc in ('BE', 'DE', 'IT', 'NL') or cc == 'CH' else (f'{s}, {n}' if cc in ('ES', 'PT') else f'{n} {s}')
        if cc == 'BE':
            street = f'{s} {n}' + self.pick('', '', ' bte 3', '/12')
        return NS(street=street, pc=pc, city=city, st=st)

    def firm(self, cc='FR', stem=None, forms=None):
        forms = forms or {'FR': ['SARL', 'SAS', 'SASU', 'EURL'], 'BE': ['SRL', 'SA', 'SPRL'], 'CH': ['Sàrl', 'SA'], 'GB': ['Ltd', 'Limited'], 'IE': ['Ltd',
            'DAC'],
                          'US': ['LLC', 'Inc.'], 'CA': ['inc.', 'Ltée'], 'DE': ['GmbH', 'GmbH & Co. KG'], 'ES': ['S.L.', 'S.A.'], 'IT': ['S.r.l.', 'S.p.A.'],
                          'NL': ['B.V.'], 'PT': ['Lda.', 'S.A.']}[cc]
        last = self.pick(NAMES[cc][2].split()).replace('_', ' ').split(' ')[-1]
        stem = (stem or '{n}').replace('{n}', last)
        form = self.pick(forms)
        f = NS(name=f'{stem} {form}'.strip(), stem=stem, form=form, cc=cc, siren=self.siren())
        f.siret = self.siret(f.siren)
        f.vat = f'FR{(12 + 3 * (int(f.siren) % 97)) % 97:02d}{f.siren}'
        f.__dict__.update(self.addr(cc).__dict__)
        f.web = re.sub(r'[^a-z]+', '-', plain(stem).lower()).strip('-') + {'GB': '.co.uk', 'US': '.com', 'IE': '.ie'}.get(cc, '.' + cc.lower())
        f.tel = {'FR': lambda: '0' + self.pick('1', '2', '3', '4', '5') + ''.join(' ' + self.num(2) for _ in range(4)), 'BE': lambda: '0' + self.pick('2',
            '4', '81')
                 + '/' + self.num(3) + '.' + self.num(2) + '.' + self.num(2), 'CH': lambda: '021 ' + self.num(3) + ' ' + self.num(2) + ' ' + self.num(2),
                 'GB': lambda: '01' + self.num(3) + ' 496 0' + self.num(3), 'US': lambda: f'({self.nz(3)}) 555-01{self.num(2)}',
                 'CA': lambda: f'514 555-01{self.num(2)}', 'IE': lambda: '01 ' + self.num(3) + ' ' + self.num(4)}.get(cc, lambda: '0' + self.num(9))()
        return f

    # --- numbers with check digits
    def siren(self):
        s = self.nz(8)
        return s + luhn(s)

    def siret(self, siren):
        s = siren + '000' + self.num(1)
        return s + luhn(s)

    def nir(self, p):
        base = ('2' if p.sex == 'F' else '1') + p.birth.strftime('%y%m') + self.pick('59', '69', '33', '75', '62', '35') + self.num(3) + self.num(3)
        return f'{base[0]} {base[1:3]} {base[3:5]} {base[5:7]} {base[7:10]} {base[10:13]} {97 - int(base) % 97:02d}'

    def bce(self):
        b = '0' + self.pick('4', '5', '6', '7') + self.num(6)
        b += f'{97 - int(b) % 97:02d}'
        return f'{b[:4]}.{b[4:7]}.{b[7:]}'

    def nrn(self, p):
        b = p.birth.strftime('%y%m%d') + f'{self.r.randint(1, 499) * 2 - (1 if p.sex == "M" else 0):03d}'
        c = 97 - int(('2' if p.birth.year >= 2000 else '') + b) % 97
        return f'{b[:2]}.{b[2:4]}.{b[4:6]}-{b[6:]}.{c:02d}'

    def uid(self):
        while True:
            b = self.nz(8)
            c = 11 - sum(int(x) * y for x, y in zip(b, (5, 4, 3, 2, 7, 6, 5, 4))) % 11
            if c != 10:
                b += str(c % 11)
                return f'CHE-{b[:3]}.{b[3:6]}.{b[6:]}'

    def avs(self):
        b = '756' + self.num(9)
        b += str(-sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(b)) % 10)
        return f'{b[:3]}.{b[3:7]}.{b[7:11]}.{b[11:]}'

    def gbvat(self):
        b = self.nz(7)
        c = 97 - sum(int(x) * y for x, y in zip(b, range(8, 1, -1))) % 97
        return f'GB {b[:3]} {b[3:]} {c:02d}'.replace(b[3:], b[3:])

    def ogm(self):
        b = self.num(10)
        b += f'{int(b) % 97 or 97:02d}'
        return f'+++{b[:3]}/{b[3:7]}/{b[7:]}+++'

    def dni(self):
        b = self.nz(8)
        return b + 'TRWAGMYFPDXBNJZSQVHLCKE'[int(b) % 23]

    def vin(self):
        s = self.pick('VF1', 'VF3', 'VF7', 'WVW', 'ZFA', 'TMB', 'UU1') + self.let(2) + self.num(1) + self.let(1) + self.num(1) + 'X' + self.let(2) + self.num(6)
        v = dict(zip('ABCDEFGHJKLMNPRSTUVWXYZ', (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9)))
        t = sum((int(c) if c.isdigit() else v[c]) * k for c, k in zip(s, (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)))
        return s[:8] + 'X0123456789'[(t % 11 + 1) % 11] + s[9:]

    def iban(self, cc='FR'):
        if cc == 'FR':
            b, g, a = self.pick('30004', '30003', '10278', '20041', '13507', '16706', '17515', '14508'), self.num(5), self.num(11)
            b += g + a + f'{97 - (89 * int(b) + 15 * int(g) + 3 * int(a)) % 97:02d}'
        elif cc == 'BE':
            b = self.pick('001', '363', '063', '979', '732') + self.num(7)
            b += f'{int(b) % 97 or 97:02d}'
        elif cc == 'ES':
            e, a = self.pick('2100', '0049', '2085') + self.num(4), self.num(10)
            dc = ''.join(str((11 - sum(int(x) * y for x, y in zip(s.zfill(10), (1, 2, 4, 8, 5, 10, 9, 7, 3, 6))) % 11) % 11 % 10) for s in (e, a))
            b = e + dc + a
        elif cc == 'IT':
            t = self.pick('03069', '02008', '01030') + self.num(5) + self.num(12)
            odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
            b = chr(65 + sum(odd[int(c)] if i % 2 == 0 else int(c) for i, c in enumerate(t)) % 26) + t
        elif cc == 'PT':
            b = self.pick('0035', '0033', '0007') + self.num(4) + self.num(11)
            b += f'{98 - int(b + "00") % 97:02d}'
        else:
            b = {'DE': lambda: self.pick('37040044', '20050550', '10011001') + self.num(10), 'CH': lambda: self.pick('00767', '00788', '09000') + self.num(12),
                 'GB': lambda: self.pick('BARC', 'LOYD', 'MIDL', 'NWBK') + self.num(6) + self.num(8), 'IE': lambda: self.pick('AIBK', 'BOFI',
                     'IPBS') + self.num(14),
                 'NL': lambda: self.pick('INGB', 'RABO', 'ABNA', 'TRIO') + '0' + self.num(9), 'LU': lambda: self.num(3) + self.num(13)}[cc]()
        s = iban_of(cc, b)
        self.offers.add('iban')
        if self.bend == 'iban':
            i = self.fr.randint(len(s) - 8, len(s) - 4)
            s = s[:i] + str((int(s[i]) + self.fr.randint(1, 8)) % 10) + str((int(s[i + 1]) + self.fr.randint(1, 8)) % 10) + s[i + 2:]
            if iban_ok(s):
                s = s[:i] + str((int(s[i]) + 1) % 10) + s[i + 1:]
            self.bent = 'IBAN: two digits of the account changed, check digits left'
        self.ibans.append(s)
        return s

    def bic(self, cc):
        return {'FR': 'BNPAFRPP', 'BE': 'GEBABEBB', 'CH': 'BCVLCH2L', 'GB': 'LOYDGB21', 'IE': 'AIBKIE2D', 'DE': 'COBADEFF', 'ES': 'CAIXESBB', 'IT': 'BCITITMM',
                'NL': 'RABONL2U', 'PT': 'TOTAPTPL', 'LU': 'BCEELULL'}[cc] + self.pick('', 'XXX', '')

    def mrz(self, lines):
        """What is printed in the zone; a forger changes one sign of it, or changes the print and forgets the zone."""
        self.offers.add('mrz')
        if self.bend == 'mrz':
            i = len(lines[0]) == 30 and 1 or len(lines) - 1
            spots = [k for k in range(len(lines[i])) if lines[i][k].isdigit()]
            k = self.fr.choice(spots[:7] if len(lines[i]) == 30 else spots)
            n = str((int(lines[i][k]) + self.fr.randint(1, 9)) % 10)
            lines = [ln[:k] + n + ln[k + 1:] if j == i else ln for j, ln in enumerate(lines)]
            self.bent = 'machine-readable zone: one digit no longer fits its check digit or the print'
        self.mrzs.append(lines)
        return lines

    def tot(self, x):
        self.offers.add('sum')
        if self.bend == 'sum':
            if not isinstance(self.bent, str):
                self.delta = D(self.fr.choice(['100', '200', '50', '90', '300', '-40', '500', '27.30']))
            self.bent = 'sum: the total does not fit its lines any more'
            return q2(x) + self.delta
        return q2(x)

    def late(self, d):
        """A date that must come after the document's other dates; bent, it comes long before."""
        self.offers.add('date')
        if self.bend == 'date' and self.bent in (None, d):
            self.bent = d
            return d - dt.timedelta(days=365 * self.fr.randint(2, 3) + self.fr.randint(40, 300)) if d < REF + dt.timedelta(days=900) \
                else d - dt.timedelta(days=365 * self.fr.randint(21, 24))
        return d

    def early(self, d):
        """A date that must come before the document's other dates; bent, it comes after."""
        self.offers.add('date')
        if self.bend == 'date' and self.bent in (None, d):
            self.bent = d
            return REF + dt.timedelta(days=self.fr.randint(200, 900))
        return d

    # --- labels: each returns what is printed
    def f(self, code, printed, kind='text', canon=None):
        self.fields.setdefault(code, NS(code=code, printed=str(printed), kind=kind, canon=canon))
        return str(printed)

    def fd(self, code, d, style='/', lang='fr'):
        return self.f(code, fdate(d, style, lang), 'date', d)

    def fa(self, code, x, style='fr', cur=True):
        return self.f(code, money(x, style, cur), 'amount', q2(x))

    def fi(self, s, style=4, code='iban'):
        t = ' '.join(s[i:i + 4] for i in range(0, len(s), 4)) if style == 4 else s
        return self.f(code, t, 'iban', s)

    def who(self, p, last=str.upper, first=str):
        self.f('lastName', last(p.last))
        self.f('firstName', first(p.first))
        return NS(last=last(p.last), first=first(p.first), full=f'{first(p.first)} {last(p.last)}', fulr=f'{last(p.last)} {first(p.first)}')

    def where(self, p, city=str):
        self.f('address', p.street)
        self.f('postCode', p.pc)
        self.f('city', city(p.city))
        tail = f'{p.city}, {p.st} {p.pc}' if p.cc == 'US' else (f'{p.city} ({p.st}) {p.pc}' if p.cc == 'CA' else
                                                                (f'{city(p.city)}\n{p.pc}' if p.cc in ('GB', 'IE') else f'{p.pc} {city(p.city)}'))
        return NS(street=p.street, pc=p.pc, city=city(p.city), tail=tail, lines=[p.street] + tail.split('\n'))
