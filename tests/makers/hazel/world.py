"""Invented people, firms, places, numbers with valid check digits, and the ways in which countries write dates and money."""
import datetime as dt
import random
import re
import unicodedata
from decimal import Decimal, ROUND_HALF_UP

TODAY = dt.date(2026, 11, 20)

LAST = {
    'FR': 'Marchetti-Vaudrey Delacourtie Bouvresse Thébault Lescure Garnerin Peyrelade Quesnoy Rouvière Sabatier-Loche Courtadon Fauvel Guérineau '
          'Hénaff Kerdraon Lemarquis Maillochon Nédellec Ollivier Pruvost Razafindra Benhaddou Diarra Vasseur Escoffier Joubert Tran Czernik D’Orgeval '
          'Le_Goffic De_La_Brosse Chauvigné Brémond Aubertin Cazenave Bessière Lhuillier Mézières',
    'BE': 'Vandeputte Lambrecht Dewaele Hannotte Piette Goffinet Van_den_Bossche Bodart Colmant Wauthier Delvaux Nizet',
    'CH': 'Aebischer Rochat Zufferey Bovet Jaquier Schaller Pittet Monnard Clerc Favre-Bulle Rüegg Berset',
    'GB': 'Ashdown Whitlock Okonjo Pemberton Farouqi Gallimore Hartnell Llewellyn-Rees Sidhu Threlfall Winstanley Mackintosh Bickerstaff Chaudhry '
          'Dunmore Entwistle Fotheringay Greenhalgh Nkemelu Oyelaran Penhaligon Ravenscroft Szymanski Tattersall Uttley Yarwood',
    'IE': 'Ó_Briain Mulcahy Fitzmaurice O’Dowd Kinsella Hanrahan Brosnahan Ní_Chonaill McGettigan Tuohy Scanlon Prendergast O’Halloran Looney',
    'US': 'Abernathy Castellanos Delgado-Ruiz Eberhardt Fairchild Gutierrez Hollingsworth Jankowski Kessler Lindqvist McAllister Nakagawa Ostrander '
          'Pruitt Ramachandran Sweeney Thibodeaux Vandermeer Whitaker Zimmerman',
    'CA': 'Archambault Beauchemin Chiasson Dalhousie Fontaine-Roy Gagnon Hutchings Kowalchuk Leduc MacEachern Nguyen-Tremblay Robichaud Sandhu Wickham',
    'DE': 'Bachmeier Eggebrecht Hölzl Kästner Niedermüller Rautenberg Strohschneider Weißhaupt Yıldırım',
    'ES': 'Arrizabalaga_Peña Carballo_Seoane Domínguez_Ibarra Esquivel_Roldán Montañés_Gil Zubiri_Otero',
    'IT': 'Brambilla Cattaneo De_Santis Ferragamo Lo_Presti Marchesini Passalacqua',
    'NL': 'Van_Rijswijk De_Graaff Hoogendoorn Kuijpers Nieuwenhuis Ter_Horst Zandstra',
    'PT': 'Albuquerque_Matos Figueiredo Guimarães_Pinto Sequeira Vasconcelos',
}
FIRST = {
    'FR': 'm:Étienne Loïc Jean-Baptiste Cédric Yann Mathis Gaël Rémi Thibaut Idriss Hugo|f:Maëlle Sidonie Héloïse Anne-Lise Noémie Fatoumata Clémence '
          'Solène Inès Océane Margaux',
    'BE': 'm:Wout Thibault Gauthier Lucas|f:Élise Aurore Sofie Justine', 'CH': 'm:Beat Cyril Urs Alexandre|f:Séverine Ladina Corinne Mélanie',
    'GB': 'm:Alastair Callum Desmond Rhys Imran Oliver Tobias Gareth Kwame|f:Bronwen Harriet Imogen Priyanka Rosalind Shauna Verity Zainab Eleanor',
    'IE': 'm:Cormac Diarmuid Fergal Oisín Pádraig|f:Aoife Gráinne Niamh Orlaith Sinéad', 'US': 'm:Brandon Darnell Hector Wyatt Trevor Marcus|'
    'f:Brianna Courtney Guadalupe Kimberly Savannah Renee', 'CA': 'm:Étienne Graham Mathieu Gordon Harjit|f:Geneviève Heather Simone Maude Sylvie',
    'DE': 'm:Jürgen Matthias Cem|f:Sabine Ulrike Leyla', 'ES': 'm:Íñigo Joaquín|f:Begoña Rocío', 'IT': 'm:Niccolò Ettore|f:Ginevra Chiara',
    'NL': 'm:Sjoerd Maarten|f:Femke Annelies', 'PT': 'm:Gonçalo Tomás|f:Inês Conceição',
}
# city; post code; (telephone or tax region where a design needs one)
CITY = {
    'FR': [('Annonay', '07100'), ('Vitré', '35500'), ('Saint-Nazaire', '44600'), ('Bourg-en-Bresse', '01000'), ('Lille', '59800'), ('Marseille', '13008'),
           ('Paris', '75011'), ('Châteauroux', '36000'), ('Nîmes', '30900'), ('Épinal', '88000'), ('Le Havre', '76620'), ('Lyon', '69003'),
           ('Aix-en-Provence', '13100'), ('Villeurbanne', '69100'), ('Guéret', '23000'), ('La Roche-sur-Yon', '85000'), ("L'Haÿ-les-Roses", '94240')],
    'BE': [('Namur', '5000'), ('Liège', '4020'), ('Ixelles', '1050'), ('Tournai', '7500'), ('Arlon', '6700'), ('Louvain-la-Neuve', '1348')],
    'CH': [('Lausanne', '1004'), ('Genève', '1205'), ('Fribourg', '1700'), ('Neuchâtel', '2000'), ('Sion', '1950'), ('Delémont', '2800')],
    'GB': [('London', 'SE15 4QN'), ('Leeds', 'LS6 2AB'), ('Bristol', 'BS5 9TR'), ('Sheffield', 'S10 3GW'), ('Cardiff', 'CF24 1DE'), ('Norwich', 'NR2 3PB'),
           ('Glasgow', 'G41 2XH'), ('London', 'E17 6JH'), ('Shrewsbury', 'SY1 2DF'), ('Newcastle upon Tyne', 'NE6 5LY'), ('Exeter', 'EX4 6NS')],
    'IE': [('Dublin 8', 'D08 X4P2'), ('Cork', 'T12 K7V9'), ('Galway', 'H91 E2W6'), ('Limerick', 'V94 N8C3'), ('Naas', 'W91 A6T4'), ('Sligo', 'F91 R2D5')],
    'US': [('Sacramento, CA', '95816'), ('Albany, NY', '12208'), ('Austin, TX', '78704'), ('Tampa, FL', '33609'), ('Columbus, OH', '43214'),
           ('Tacoma, WA', '98406'), ('Evanston, IL', '60202'), ('Scranton, PA', '18504')],
    'CA': [('Toronto', 'M6G 2K5'), ('Ottawa', 'K1S 3V2'), ('Calgary', 'T2N 1R8'), ('Halifax', 'B3H 4L6'), ('Winnipeg', 'R3L 1S4')],
    'QC': [('Montréal', 'H2T 1W7'), ('Québec', 'G1R 3P9'), ('Gatineau', 'J8X 2C4'), ('Sherbrooke', 'J1H 5B6')],
    'DE': [('Freiburg', '79102'), ('Bielefeld', '33602'), ('Görlitz', '02826'), ('Augsburg', '86150')], 'ES': [('Zaragoza', '50006'), ('Gijón', '33205'),
    ('Málaga', '29012')], 'IT': [('Parma', '43121'), ('Lecce', '73100'), ('Bergamo', '24122')], 'NL': [('Utrecht', '3581 KP'), ('Groningen', '9712 HX'),
    ('Breda', '4811 XD')], 'PT': [('Braga', '4710-306'), ('Coimbra', '3000-174'), ('Faro', '8000-254')],
}
STREET = {
    'FR': ['{n} rue des Tanneurs', '{n} avenue Jean Jaurès', '{n} bis, rue du Faubourg Saint-Jacques', '{n} impasse des Mûriers', '{n} chemin de la Combe',
           '{n}, boulevard Gambetta', '{n} allée des Érables', '{n} place de la Halle', '{n} quai du Vieux Port', '{n} route de Kerlouan'],
    'BE': ['Rue de la Station {n}', 'Avenue des Cerisiers {n}', 'Chaussée de Wavre {n}', 'Rue Haute {n}/3'],
    'CH': ['Rue du Simplon {n}', 'Chemin des Vignes {n}', 'Avenue de Rumine {n}b', 'Route de Berne {n}'],
    'GB': ['{n} Coldharbour Terrace', 'Flat 4, {n} Ladbroke Mews', '{n} Station Road', '{n}A Priory Gardens', '{n} The Crescent', '{n} St Wilfrid’s Avenue',
           '{n} Mill Lane', '{n} Harcourt Street'],
    'IE': ['{n} Sandymount Park', '{n} Main Street', 'Apt 12, {n} The Maltings', '{n} St Brigid’s Terrace', '{n} Oakfield Drive'],
    'US': ['{m} Maple Grove Ave', '{m} W 38th St Apt 5B', '{m} Old Mill Rd', '{m} Sycamore Ln', '{m} E Jefferson Blvd'],
    'CA': ['{n}-{m} Lakeshore Rd W', '{m} Spadina Crescent', '{m} Elgin Street', '{n} Birchmount Court'],
    'QC': ['{m}, rue Saint-Dominique', '{m}, boul. René-Lévesque', '{m}, avenue du Parc, app. {n}'],
    'DE': ['Lindenstraße {n}', 'Am Mühlbach {n}', 'Goethestr. {n}a'], 'ES': ['Calle Mayor {n}, 2º B', 'Avda. de la Constitución {n}', 'C/ San Blas {n}'],
    'IT': ['Via Garibaldi {n}', 'Viale della Repubblica {n}', 'Corso Cavour {n}/A'], 'NL': ['Oudegracht {n}', 'Wilhelminalaan {n}-2', 'Korenmolen {n}'],
    'PT': ['Rua das Flores, {n}, 3.º Dto.', 'Avenida da Liberdade, {n}', 'Travessa do Forno, {n}'],
}
MONTHS = {
    'fr': 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre', 'en': 'January February March April May June July August '
    'September October November December', 'de': 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    'es': 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre', 'it': 'gennaio febbraio marzo aprile maggio giugno '
    'luglio agosto settembre ottobre novembre dicembre', 'nl': 'januari februari maart april mei juni juli augustus september oktober november december',
    'pt': 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'}
MONTHS = {k: v.split() for k, v in MONTHS.items()}


def plain(s):
    """Upper case without accents, as machines print it."""
    s = s.replace('ß', 'ss').replace('Ø', 'O').replace('’', "'").replace('ı', 'i')
    return ''.join(c for c in unicodedata.normalize('NFD', s) if unicodedata.category(c) != 'Mn').upper()


def squeeze(s):
    return re.sub(r'[^A-Z0-9]', '', plain(s))


def q2(x):
    return Decimal(x).quantize(Decimal('0.01'), ROUND_HALF_UP)


def date(d, style, lang='en'):
    """Write a date in one of the styles that offices use."""
    m = MONTHS.get(lang, MONTHS['en'])
    first = '1er' if d.day == 1 and lang == 'fr' else str(d.day)
    return {
        '/': f'{d:%d/%m/%Y}', '.': f'{d:%d.%m.%Y}', '-': f'{d:%d-%m-%Y}', 'iso': f'{d:%Y-%m-%d}', 'us': f'{d:%m/%d/%Y}', ' ': f'{d:%d %m %Y}',
        'long': f'{first} {m[d.month - 1]} {d.year}', 'uslong': f'{m[d.month - 1]} {d.day}, {d.year}',
        'short': f'{d:%d} {MONTHS["en"][d.month - 1][:3]} {d.year}',
        'SHORT': f'{d:%d} {MONTHS["en"][d.month - 1][:3].upper()} {d.year}', 'delong': f'{d.day}. {m[d.month - 1]} {d.year}',
        'ord': f'{d.day}{"th" if 4 <= d.day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(d.day % 10, "th")} {MONTHS["en"][d.month - 1]} {d.year}',
        'ptlong': f'{d.day} de {m[d.month - 1]} de {d.year}', 'y2': f'{d:%d/%m/%y}'}[style]


def money(x, style):
    """Write an amount: fr 1 234,56; en 1,234.56; de 1.234,56; ch 1'234.56; nu 1234.56; fn 1234,56."""
    s = f'{abs(q2(x)):,.2f}'
    s = {'fr': s.replace(',', '\u00a0').replace('.', ','), 'en': s, 'de': s.replace(',', '_').replace('.', ',').replace('_', '.'),
         'ch': s.replace(',', "'"), 'nu': s.replace(',', ''), 'fn': s.replace(',', '').replace('.', ','), 'qc': s.replace(',', '\u00a0').replace('.',
         ',')}[style]
    return ('-' if x < 0 else '') + s


def luhn(digits):
    t = 0
    for i, c in enumerate(reversed(digits)):
        v = int(c) * (2 if i % 2 == 0 else 1)
        t += v - 9 if v > 9 else v
    return str(-t % 10)


def iban_ok(s):
    s = re.sub(r'\s', '', s)
    return int(''.join(str(int(c, 36)) for c in s[4:] + s[:4])) % 97 == 1


def mrz_digit(s):
    val = lambda c: 0 if c == '<' else int(c, 36)
    return str(sum(val(c) * (7, 3, 1)[i % 3] for i, c in enumerate(s)) % 10)


def mrz_name(s):
    s = plain(s).replace("'", '').replace('-', '<').replace(' ', '<')
    return re.sub(r'[^A-Z<]', '', s)


def td3(code, iss, p, num, nat, exp):
    l1 = (code + iss + mrz_name(p.last) + '<<' + mrz_name(p.first)).ljust(44, '<')[:44]
    n, b, e, opt = num.ljust(9, '<')[:9], f'{p.birth:%y%m%d}', f'{exp:%y%m%d}', '<' * 14
    l2 = n + mrz_digit(n) + nat + b + mrz_digit(b) + p.sex + e + mrz_digit(e) + opt + mrz_digit(opt)
    return [l1, l2 + mrz_digit(l2[:10] + l2[13:20] + l2[21:43])]


def td1(code, iss, p, num, nat, exp, opt=''):
    n, b, e = num.ljust(9, '<')[:9], f'{p.birth:%y%m%d}', f'{exp:%y%m%d}'
    l1 = (code + iss + n + mrz_digit(n) + opt).ljust(30, '<')[:30]
    l2 = b + mrz_digit(b) + p.sex + e + mrz_digit(e) + nat + '<' * 11
    return [l1, l2 + mrz_digit(l1[5:30] + l2[:7] + l2[8:15] + l2[18:29]), (mrz_name(p.last) + '<<' + mrz_name(p.first)).ljust(30, '<')[:30]]


def old_french(p, num):
    """The two lines of 36 of the laminated French card: number = yy mm dept serial."""
    l1 = ('IDFRA' + mrz_name(p.last)).ljust(30, '<')[:30] + num[4:7] + '001'
    b = f'{p.birth:%y%m%d}'
    l2 = num + mrz_digit(num) + mrz_name(p.first).ljust(14, '<')[:14] + b + mrz_digit(b) + p.sex
    return [l1, l2 + mrz_digit(l1 + l2)]


class Person:
    pass


class World:
    """A seeded source of everything that stands on one document."""

    def __init__(self, seed, used=None):
        self.r = random.Random(seed)
        self.used = used if used is not None else set()
        self.serial = self.r.randint(0, 99)  # the how-manieth of its kind: lets a design take countries in turn

    def pick(self, *a):
        return self.r.choice(a[0] if len(a) == 1 else a)

    def digits(self, n, first='123456789'):
        return self.r.choice(first) + ''.join(self.r.choice('0123456789') for _ in range(n - 1))

    def letters(self, n, alphabet='ABCDEFGHJKLMNPRSTUVWXYZ'):
        return ''.join(self.r.choice(alphabet) for _ in range(n))

    def day(self, a, b):
        """A day between a and b days before the reference date."""
        return TODAY - dt.timedelta(days=self.r.randint(a, b))

    def amount(self, a, b):
        return Decimal(self.r.randint(int(a * 100), int(b * 100))) / 100

    def person(self, cc):
        p = Person()
        base = 'CA' if cc == 'QC' else cc
        for _ in range(40):
            men, women = FIRST[base].split('|')
            p.sex = self.pick('M', 'F')
            p.first = self.pick((men if p.sex == 'M' else women)[2:].split())
            p.last = self.pick(LAST[base].split()).replace('_', ' ')
            if (p.first, p.last) not in self.used:
                break
        self.used.add((p.first, p.last))
        p.full, p.LAST = f'{p.first} {p.last}', p.last.upper().replace('SS', 'SS')
        p.rev, p.frcap = f'{p.LAST} {p.first}', f'{p.first} {p.LAST}'
        p.birth = self.day(8000, 25000)
        p.city, p.zip = self.pick(CITY[cc])
        if cc in ('FR',) and self.r.random() < .3:
            p.zip = p.zip
        p.street = self.street(cc)
        p.birthplace = self.pick(CITY[cc])[0].split(',')[0]
        p.civ = {'FR': ('Monsieur', 'Madame'), 'BE': ('Monsieur', 'Madame'), 'CH': ('Monsieur', 'Madame'), 'QC': ('M.', 'Mme'), 'DE': ('Herr', 'Frau'),
                 'ES': ('D.', 'Dña.'), 'IT': ('Sig.', 'Sig.ra'), 'NL': ('Dhr.', 'Mevr.'), 'PT': ('Sr.', 'Sra.')}.get(cc, ('Mr', 'Ms'))[p.sex == 'F']
        return p

    def street(self, cc):
        return self.pick(STREET[cc]).format(n=self.r.randint(2, 189), m=self.r.randint(210, 9870))

    def place(self, cc):
        return self.pick(CITY[cc])

    def firm(self, cc, *words):
        """An invented firm: stem, trade and legal form."""
        stem = self.pick('Valmont Orbelle Castrel Tremlin Norvane Quilben Halcyor Brisemont Ardenvale Lumora Pellisk Ostrava-Line Verdigo Marnelle Kestwick '
                         'Thornaby Corvessa Duneholm Galtee-Wick Sarraval Zephyrine Mirabeau-Sud Altenbrook Fennmoor'.split())
        form = {'FR': ['SARL', 'SAS', 'SA'], 'BE': ['SRL', 'SA'], 'CH': ['SA', 'Sàrl'], 'GB': ['Ltd', 'Limited', 'plc'], 'IE': ['Limited', 'DAC'],
                'US': ['LLC', 'Inc.'], 'CA': ['Inc.', 'Ltd.'], 'QC': ['inc.'], 'DE': ['GmbH', 'AG'], 'ES': ['S.L.', 'S.A.'], 'IT': ['S.r.l.', 'S.p.A.'],
                'NL': ['B.V.'], 'PT': ['Lda.', 'S.A.']}[cc]
        return ' '.join([stem] + ([self.pick(words)] if words else []) + [self.pick(form)])

    # --- numbers with check digits ---
    def iban(self, cc):
        r = self.digits
        if cc == 'FR':
            b, g, c = r(5, '1234'), r(5, '0'), r(11, '0')
            k = 97 - (89 * int(b) + 15 * int(g) + 3 * int(c)) % 97
            bban = f'{b}{g}{c}{k:02d}'
        elif cc == 'BE':
            b = r(10, '0379')
            bban = b + f'{int(b) % 97 or 97:02d}'
        elif cc == 'ES':
            b, a = r(8, '02'), r(10, '02')
            d = lambda s: {10: '1', 11: '0'}.get(11 - sum(int(c) * w for c, w in zip(s, (1, 2, 4, 8, 5, 10, 9, 7, 3, 6))) % 11,
                                                str(11 - sum(int(c) * w for c, w in zip(s, (1, 2, 4, 8, 5, 10, 9, 7, 3, 6))) % 11))
            bban = b + d('00' + b) + d(a) + a
        elif cc == 'NL':
            while True:
                a = r(10, '0')
                if sum(int(c) * (10 - i) for i, c in enumerate(a)) % 11 == 0:
                    break
            bban = self.pick('INGB', 'RABO', 'ABNA') + a
        elif cc == 'PT':
            b = '00' + r(2) + r(4, '0') + r(11)
            bban = b + f'{98 - int(b + "00") % 97:02d}'
        elif cc == 'IT':
            b = r(5, '0') + r(5, '0') + r(12, '0')
            odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
            bban = chr(65 + sum(odd[int(c)] if i % 2 == 0 else int(c) for i, c in enumerate(b)) % 26) + b
        else:
            bban = {'DE': lambda: r(18), 'CH': lambda: '00' + r(15), 'GB': lambda: self.pick('BUKB', 'LOYD', 'NWBK', 'MIDL') + r(14),
                    'IE': lambda: self.pick('AIBK', 'BOFI', 'IPBS') + r(14, '9')}[cc]()
        num = ''.join(str(int(c, 36)) for c in bban + cc + '00')
        return f'{cc}{98 - int(num) % 97:02d}{bban}'

    @staticmethod
    def grp(s, n=4):
        return ' '.join(s[i:i + n] for i in range(0, len(s), n))

    def bic(self, cc, eight=False):
        return self.letters(4) + cc + self.letters(1) + self.pick('2', 'P', 'X') + ('' if eight else self.pick('XXX', '', self.digits(3)))

    def siren(self):
        d = self.digits(8, '4589')
        return d + luhn(d)

    def siret(self, siren):
        d = siren + '000' + self.digits(1)
        return d + luhn(d)

    @staticmethod
    def frvat(siren):
        return f'FR{(12 + 3 * (int(siren) % 97)) % 97:02d}{siren}'

    def bce(self):
        d = '0' + self.digits(7, '45678')
        return d + f'{97 - int(d) % 97:02d}'

    def uid(self):
        while True:
            d = self.digits(8)
            c = 11 - sum(int(x) * w for x, w in zip(d, (5, 4, 3, 2, 7, 6, 5, 4))) % 11
            if c != 10:
                d += str(c % 11)
                return f'CHE-{d[:3]}.{d[3:6]}.{d[6:]}'

    def ahv(self):
        d = '756' + self.digits(9)
        return self._ean(d, lambda x: f'{x[:3]}.{x[3:7]}.{x[7:11]}.{x[11:]}')

    @staticmethod
    def _ean(d, f):
        return f(d + str(-sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(d)) % 10))

    def gbvat(self):
        d = self.digits(7)
        n = -sum(int(c) * (8 - i) for i, c in enumerate(d)) % 97
        return f'GB {d[:3]} {d[3:]} {n:02d}'

    def nino(self):
        return self.letters(1, 'ABCEHJLMPRST') + self.letters(1, 'ABCEHJKLMPRST') + ' ' + ' '.join(self.digits(2) for _ in range(3)) + ' ' + self.pick('ABCD')

    def utr(self):
        d = self.digits(9)
        return '21987654321'[sum(int(c) * w for c, w in zip(d, (6, 7, 8, 9, 10, 5, 4, 3, 2))) % 11] + d

    def pps(self):
        d = self.digits(7)
        return d + 'WABCDEFGHIJKLMNOPQRSTUV'[(sum(int(c) * (8 - i) for i, c in enumerate(d)) + 9 * 1) % 23] + 'A'

    def nir(self, p):
        b = f'{1 if p.sex == "M" else 2}{p.birth:%y%m}{p.zip[:2]}{self.digits(3)}{self.digits(3)}'
        return f'{b[0]} {b[1:3]} {b[3:5]} {b[5:7]} {b[7:10]} {b[10:]} {97 - int(b) % 97:02d}'

    def rrn(self, p):
        n = f'{p.birth:%y%m%d}' + f'{self.r.randint(1, 498) * 2 + (p.sex == "M"):03d}'
        k = 97 - int(('2' if p.birth.year >= 2000 else '') + n) % 97
        return f'{n[:2]}.{n[2:4]}.{n[4:6]}-{n[6:]}.{k:02d}'

    def sin(self):
        d = self.digits(8, '24567')
        d += luhn(d)
        return f'{d[:3]} {d[3:6]} {d[6:]}'

    def dni(self):
        d = self.digits(8)
        return d + 'TRWAGMYFPDXBNJZSQVHLCKE'[int(d) % 23]

    def dvla(self, p):
        """The sixteen characters of a British licence: five of the name, date of birth in disguise, initials, nine, three more."""
        s = squeeze(p.last)[:5].ljust(5, '9')
        m = p.birth.month + (50 if p.sex == 'F' else 0)
        return f'{s}{p.birth.year // 10 % 10}{m:02d}{p.birth.day:02d}{p.birth.year % 10}{squeeze(p.first)[0]}99{self.letters(2)}'.ljust(16, '9')[:16]
