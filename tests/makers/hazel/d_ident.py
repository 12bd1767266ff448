"""Identity cards, passports, residence permits, driving licences, vehicle papers."""
import datetime as dt

import numpy as np
from PIL import Image

from base import Doc, design
from engines import Ops, portrait, signature
from world import date, old_french, td1, td3, plain


def guilloche(w, base):
    """A ground of fine waves in pale colour, as on any card."""
    g = np.random.default_rng(w.r.randint(0, 10 ** 6))
    yy, xx = np.mgrid[0:220, 0:350]
    v = sum(np.sin(xx / g.uniform(6, 30) + np.sin(yy / g.uniform(8, 25)) * g.uniform(1, 4)) for _ in range(3)) * 5
    a = np.clip(np.array(base)[None, None, :] + v[..., None], 200, 255)
    return Image.fromarray(a.astype('uint8'))


class Card:
    """Draws in units of a card of 243 by 153 points, put anywhere on a page and at any size."""

    def __init__(self, o, x, y, s, w, tint=(232, 240, 246), h=153, wd=243):
        self.o, self.x, self.y, self.s, self.w = o, x, y, s, w
        o.img(x, y, wd * s, h * s, guilloche(w, tint))
        o.r(x, y, wd * s, h * s, line='#99a3ad')

    def t(self, x, y, txt, size=6.5, font='H', col='#141414', al='l'):
        self.o.t(self.x + x * self.s, self.y + y * self.s, txt, size * self.s, font, col, al)

    def face(self, x, y, wd, grey=False):
        im = portrait(self.w.r.randint(0, 10 ** 6), grey)
        self.o.img(self.x + x * self.s, self.y + y * self.s, wd * self.s, wd * 1.28 * self.s, im)

    def sign(self, x, y, wd=50):
        self.o.img(self.x + x * self.s, self.y + y * self.s, wd * self.s, wd * .36 * self.s, signature(self.w.r.randint(0, 10 ** 6)))

    def bar(self, x, y, wd, h, col):
        self.o.r(self.x + x * self.s, self.y + y * self.s, wd * self.s, h * self.s, fill=col)

    def lv(self, x, y, label, value, size=7, font='HB', lsize=4, col='#3a5a8a', gap=8.5):
        self.t(x, y, label, lsize, 'H', col)
        self.t(x, y + gap, value, size, font)

    def mrz(self, lines, y, size=None, wd=243, font='O'):
        n = len(lines[0])
        size = size or {30: 10.2, 36: 8.8, 44: 8.6}[n]
        adv = size * .6 * n  # both OCR-B and the mono fonts are about .6 em wide (OCR-B .72 in width, so it is set smaller)
        size *= .83 if font == 'O' else 1
        for i, ln in enumerate(lines):
            self.t((wd - adv) / 2 if font != 'O' else 8, y + i * size * 1.5, ln, size, font)


def place(w, two=True, h=153, wd=243):
    """Paper (copy of both sides on A4) or a close-up page of the card alone; gives page, positions and scale."""
    if w.pick(0, 0, 1):
        s = w.pick(1.75, 1.9, 2.05)
        o = Ops()
        return o, [(45, 70), (45, 110 + h * s)], s
    s = 2.1
    o = Ops(wd * s + 40, (h * s + 20) * (2 if two else 1) + 20)
    return o, [(20, 20), (20, 40 + h * s)], s


def spoil(d, lines, printed_birth=None, other_birth=None):
    """Ways in which a machine-readable zone can contradict itself or the print."""
    w = d.w
    d.mrz = lines
    for i, ln in enumerate(lines):
        if len(ln) in (30, 44) and i == 1 or len(ln) == 36 and i == 1:
            pos = {30: 14, 44: 27, 36: 33}[len(ln)]
            bad = ln[:pos] + str((int(ln[pos]) + w.r.randint(1, 9)) % 10) + ln[pos + 1:]
            d.bad_mrz.append((ln, bad, 'a check digit of the machine-readable zone is wrong'))
            pos = {30: 1, 44: 14, 36: 28}[len(ln)]
            bad = ln[:pos] + str((int(ln[pos]) + w.r.randint(1, 9)) % 10) + ln[pos + 1:]
            d.bad_mrz.append((ln, bad, 'birth date in the machine-readable zone changed, check digits left'))
    if printed_birth:
        d.bad_mrz.append((printed_birth, other_birth, 'printed birth date differs from the machine-readable zone'))
    return d


def shifted(w, d):
    return dt.date(d.year - w.r.randint(1, 6), d.month, min(d.day, 28) if d.month == 2 else d.day)


def term(w, years, a=60, b=1500):
    iss = w.day(a, b)
    exp = dt.date(iss.year + years, iss.month, min(iss.day, 28))
    return iss, exp


ENG = ('mupdf', 'mupdf', 'reportlab', 'fpdf')
SCANNERS = ('none', 'KONICA MINOLTA bizhub C258', 'Adobe Scan for Android', 'own', 'iText 2.1.7 by 1T3XT')


def finish(d, o, p, birth, iss, style, lang='en'):
    d.src = o
    d.put(birthDate=(birth, p.birth))
    d.style.update(date=style)
    return d.made(max(iss, d.w.day(5, 300))).office(*SCANNERS)


@design('IDENTITY_CARD', 'FR')
def cni_old(w):
    p, (iss, exp) = w.person('FR'), term(w, 15, 3000, 4200)
    num = f'{iss:%y%m}' + p.zip[:2] + w.digits(6, '0123')
    o, at, s = place(w, True, 165, 255)
    d = Doc(w, 'FR', 'fr', w.pick(ENG), 'colon', 'laminated blue card')
    c = Card(o, *at[0], s, w, (222, 234, 246), 165, 255)
    c.t(88, 14, 'RÉPUBLIQUE FRANÇAISE', 8, 'TB')
    c.t(10, 27, f'CARTE NATIONALE D’IDENTITÉ N° : {num}', 7, 'HB')
    c.t(200, 27, 'Nationalité Française', 5.2)
    c.face(10, 36, 60, True)
    b = date(p.birth, '.')
    rows = [('Nom : ', p.LAST), ('Prénom(s) : ', p.first), ('Sexe : ', p.sex + '      Né(e) le : ' + b), ('à : ', plain(p.birthplace) + f' ({p.zip[:2]})'),
            ('Taille : ', f'1,{w.r.randint(52, 94)} m')]
    for i, (a, v) in enumerate(rows):
        c.t(80, 44 + i * 12, a, 6)
        c.t(80 + len(a) * 3, 44 + i * 12, v, 7, 'HB')
    c.sign(150, 96)
    ls = old_french(p, num)
    c.mrz(ls, 140, wd=255, font=w.pick('O', 'C', 'O'))
    c = Card(o, *at[1], s, w, (222, 234, 246), 165, 255)
    c.ts = None
    c.t(12, 26, 'Adresse : ' + p.street.upper(), 6.5)
    c.t(44, 36, f'{p.zip} {plain(p.city)}', 6.5)
    c.t(12, 60, 'Carte valable jusqu’au : ' + date(exp, '.'), 6.5, 'HB')
    c.t(12, 74, 'délivrée le : ' + date(iss, '.'), 6.5)
    c.t(12, 88, f'par : PRÉFECTURE ({p.zip[:2]})', 6.5)
    d.person(p, last=p.LAST).put(documentNumber=num, expiryDate=(date(exp, '.'), exp), nationality='Française')
    d.bad_date.append((date(exp, '.'), date(iss - dt.timedelta(400), '.'), 'valid until a day before the day of issue'))
    return spoil(finish(d, o, p, b, iss, '.'), ls, b, date(shifted(w, p.birth), '.'))


@design('IDENTITY_CARD', 'FR')
def cnie(w):
    p, (iss, exp) = w.person('FR'), term(w, 10)
    num = w.letters(2, 'CDFGHJKLMNPRTVWXYZ') + w.digits(2) + w.letters(3, 'CDFGHJKLMNPRTVWXYZ') + w.digits(2)
    o, at, s = place(w)
    d = Doc(w, 'FR', 'fr', w.pick(ENG), 'under', 'credit-card size')
    c = Card(o, *at[0], s, w, (235, 239, 250))
    c.bar(8, 8, 18, 12, '#1c2f8c')
    c.t(13, 16.5, 'FR', 5.5, 'HB', '#ffe14a')
    c.t(80, 12, 'RÉPUBLIQUE FRANÇAISE', 6.5, 'HB', '#24357e')
    c.t(62, 21, 'CARTE NATIONALE D’IDENTITÉ / IDENTITY CARD', 5, 'H', '#24357e')
    c.face(10, 30, 64, True)
    c.lv(84, 32, 'NOM / Surname', p.LAST, 8)
    c.lv(84, 50, 'Prénoms / Given names', f'{p.first}', 7.5)
    c.lv(84, 68, 'SEXE / Sex', p.sex, 7)
    c.lv(120, 68, 'NATIONALITÉ / Nationality', 'FRA', 7)
    b = date(p.birth, ' ')
    c.lv(180, 68, 'DATE DE NAISS. / Date of birth', b, 7)
    c.lv(84, 86, 'LIEU DE NAISSANCE / Place of birth', plain(p.birthplace), 7)
    c.lv(84, 118, 'N° DU DOCUMENT / Document No', num, 8, 'CB')
    c.lv(172, 118, 'DATE D’EXPIR. / Expiry date', date(exp, ' '), 7)
    c.sign(176, 90)
    ls = td1('ID', 'FRA', p, num, 'FRA', exp)
    c = Card(o, *at[1], s, w, (235, 239, 250))
    c.lv(90, 16, 'ADRESSE / Address', p.street.upper(), 6)
    c.t(90, 32, f'{p.zip} {plain(p.city)}', 6, 'HB')
    c.t(90, 39.5, 'FRANCE', 6, 'HB')
    c.lv(90, 54, 'DATE DE DÉLIVRANCE / Date of issue', date(iss, ' '), 6.5)
    c.lv(180, 54, 'TAILLE / Height', f'1,{w.r.randint(52, 94)} m', 6.5)
    c.mrz(ls, 112, font=w.pick('O', 'O', 'DM'))
    d.person(p, last=p.LAST).put(documentNumber=num, expiryDate=(date(exp, ' '), exp), nationality='FRA')
    d.bad_date.append((date(iss, ' '), date(exp + dt.timedelta(300), ' '), 'issued after the day of expiry'))
    return spoil(finish(d, o, p, b, iss, ' '), ls, b, date(shifted(w, p.birth), ' '))


FOREIGN = {'M': 'Tariq Emeka Luiz Kwabena Arjun Minh Dragan', 'F': 'Amina Ngozi Beatriz Thandiwe Anjali Linh Milica'}


def small_card(w, cc, lang, title, labels, tint, num, years, style, opt='', code='ID', nat=None, three=None, layout='over', extra=(), top=None):
    """A card in the size of a bank card with three lines for machines; countries differ in labels, places and tints."""
    p, (iss, exp) = w.person(cc), term(w, years)
    three = three or {'BE': 'BEL', 'CH': 'CHE', 'DE': 'D<<', 'ES': 'ESP', 'IT': 'ITA', 'NL': 'NLD', 'GB': 'GBR', 'IE': 'IRL', 'FR': 'FRA', 'US': 'USA',
                      'CA': 'CAN', 'PT': 'PRT'}[cc]
    if nat and nat[0] != three:  # a foreigner's name
        p.last, p.first = w.pick('Benhaddou Diarra Okonkwo Petrović Nguyễn Silva Kaya Sharma Mokoena Abebe Tchouaméni'.split()), w.pick(FOREIGN[p.sex].split())
        p.LAST = p.last.upper()
    mnat, pnat = (nat if nat else (three, three.strip('<')))
    o, at, s = place(w)
    d = Doc(w, cc, lang, w.pick(ENG), layout, 'card ' + cc)
    c = Card(o, *at[0], s, w, tint)
    c.bar(0, 0, 243, 22, top or w.pick('#27408b', '#8b2727', '#3f6f5a', '#555577'))
    for i, tt in enumerate(title):
        c.t(10, 10 + i * 8, tt, 7 if i == 0 else 5, 'HB' if i == 0 else 'H', '#ffffff')
    left = w.pick(True, True, False)
    c.face(10 if left else 178, 30, 56, w.pick(True, False))
    x0 = 74 if left else 10
    dob, ex, isd = date(p.birth, style, lang), date(exp, style, lang), date(iss, style, lang)
    vals = dict(last=p.LAST if cc != 'CH' else p.last, first=p.first if cc not in ('ES', 'IT') else p.first.upper(), nat=pnat, dob=dob, sex=p.sex, num=num,
        exp=ex,
                iss=isd, place=p.birthplace)
    pos = [(x0, 32), (x0, 49), (x0, 66), (x0 + 84, 66), (x0, 83), (x0 + 84, 83), (x0, 100), (x0 + 84, 100), (x0, 117)]
    for (k, lb), (x, y) in zip(labels, pos):
        c.lv(x, y, lb, vals[k], 7.2 if k != 'num' else 8, w.pick('HB', 'NB') if k != 'num' else 'CB', col='#444466')
    for i, e in enumerate(extra):
        c.t(x0, 136 + i * 7, e, 5)
    c = Card(o, *at[1], s, w, tint)
    k = dict(labels)
    for n, key in enumerate(x for x in ('num', 'iss', 'exp', 'place') if x not in [z for z, _ in labels[:9]]):
        c.lv(12 + n * 75, 16, {'iss': 'Date', 'place': 'Place'}.get(key, key), vals[key])
    ls = td1(code, three, p, num.replace(' ', '').replace('-', '').replace('.', '')[:9], mnat, exp, opt)
    c.mrz(ls, 110, font=w.pick('O', 'O', 'C', 'DM'))
    d.person(p, last=vals['last'], first=vals['first']).put(documentNumber=num, expiryDate=(ex, exp), nationality=pnat)
    if 'iss' in [z for z, _ in labels]:
        d.bad_date.append((isd, date(exp + dt.timedelta(200), style, lang), 'issued after the day of expiry'))
    d.bad_date.append((ex, date(dt.date(p.birth.year - 3, 5, 17), style, lang), 'expires before the holder was born'))
    return spoil(finish(d, o, p, dob, iss, style, lang), ls, dob, date(shifted(w, p.birth), style, lang))


@design('IDENTITY_CARD', 'BC')
def be_eid(w):
    num = w.digits(9, '5')
    num = f'{num}{int(w.digits(1)) :d}'
    d3 = f'{int(num) % 97 or 97:02d}'
    n = f'{num[:3]}-{num[3:]}-{d3}'
    return small_card(w, 'BE', 'fr', ('BELGIQUE   BELGIË   BELGIEN   BELGIUM', 'CARTE D’IDENTITÉ  IDENTITEITSKAART  IDENTITY CARD'),
                      [('last', 'Nom / Naam / Name'), ('first', 'Prénoms / Given names'), ('sex', 'Sexe / Sex'), ('nat', 'Nationalité / Nationality'),
                       ('dob', 'Date de naissance'), ('num', 'N° carte / Card No'), ('iss', 'Valable du'), ('exp', 'au / until'), ('place',
                       'Lieu de naissance')],
                      (244, 232, 232), n, 10, w.pick('.', ' '), nat=('BEL', 'Belge'), top='#7d1d2b')


@design('IDENTITY_CARD', 'BC')
def ch_id(w):
    return small_card(w, 'CH', 'fr', ('SCHWEIZ  SUISSE  SVIZZERA  SVIZRA', 'CARTE D’IDENTITÉ · IDENTITÄTSKARTE · IDENTITY CARD'),
                      [('last', 'Name · Nom · Cognome'), ('first', 'Vorname(n) · Prénom(s)'), ('num', 'Nr. · N°'), ('nat', 'Nationalité'),
                       ('dob', 'Geburtsdatum · Date de naissance'), ('sex', 'Sexe'), ('iss', 'Date d’établissement'), ('exp', 'Date d’expiration'),
                       ('place', 'Lieu d’origine')], (246, 228, 226), w.pick('C', 'E', 'S') + w.digits(7), 10, ' ', nat=('CHE', 'CHE'), top='#b3202c')


@design('IDENTITY_CARD', 'XX')
def other_id(w):
    cc = w.pick('DE', 'ES', 'IT', 'NL')
    if cc == 'DE':
        return small_card(w, cc, 'de', ('BUNDESREPUBLIK DEUTSCHLAND', 'PERSONALAUSWEIS · IDENTITY CARD · CARTE D’IDENTITÉ'),
                          [('last', '[a] Name/Surname/Nom'), ('first', 'Vornamen/Given names'), ('dob', 'Geburtstag/Date of birth'), ('nat',
                          'Staatsangehörigkeit'),
                           ('place', 'Geburtsort/Place of birth'), ('exp', 'Gültig bis/Date of expiry'), ('num', 'Nr.'), ('sex', 'Geschlecht')],
                          (230, 240, 232), w.letters(1, 'LMNPRTVWXYZ') + w.digits(8), 10, '.', nat=('D<<', 'DEUTSCH'), top='#3a5a4a')
    if cc == 'ES':
        n = w.dni()
        return small_card(w, cc, 'es', ('ESPAÑA', 'DOCUMENTO NACIONAL DE IDENTIDAD'),
                          [('last', 'APELLIDOS / Cognoms'), ('first', 'NOMBRE / Nom'), ('sex', 'SEXO'), ('nat', 'NACIONALIDAD'), ('dob',
                          'FECHA DE NACIMIENTO'),
                           ('iss', 'EMISIÓN'), ('exp', 'VALIDEZ'), ('num', 'DNI NÚM.')], (232, 238, 244), n, 10, ' ', nat=('ESP', 'ESP'), top='#4a5f86')
    if cc == 'IT':
        return small_card(w, cc, 'it', ('REPUBBLICA ITALIANA', 'CARTA DI IDENTITÀ / IDENTITY CARD'),
                          [('last', 'COGNOME / SURNAME'), ('first', 'NOME / NAME'), ('place', 'LUOGO DI NASCITA'), ('dob', 'DATA DI NASCITA'), ('sex',
                          'SESSO'),
                           ('nat', 'CITTADINANZA / NATIONALITY'), ('iss', 'EMISSIONE / ISSUING'), ('exp', 'SCADENZA / EXPIRY'), ('num', 'N.')],
                          (236, 240, 234), 'CA' + w.digits(5) + w.letters(2), 10, '.', nat=('ITA', 'ITA'), code='C<', top='#5a6f8f')
    return small_card(w, cc, 'nl', ('KONINKRIJK DER NEDERLANDEN', 'IDENTITEITSKAART / IDENTITY CARD'),
                      [('last', 'naam / surname'), ('first', 'voornamen / given names'), ('nat', 'nationaliteit'), ('sex', 'geslacht'), ('dob',
                      'geboortedatum'),
                       ('place', 'geboorteplaats'), ('iss', 'datum van afgifte'), ('exp', 'geldig tot'), ('num', 'documentnummer')],
                      (228, 238, 248), 'I' + w.letters(2) + w.digits(6), 10, 'SHORT', nat=('NLD', 'Nederlandse'), code='I<', top='#27508b')


def of_state(w, p):
    """Name of the holder's state or province, a number as that state writes it, and what it calls the licence."""
    L, d = plain(p.last)[0], w.digits
    us, ca = 'DRIVER LICENSE', 'DRIVER’S LICENCE'
    return {'CA': ('California', w.letters(1, 'DEFY') + d(7), us), 'NY': ('New York State', w.grp(d(9), 3), us), 'TX': ('Texas', d(8), us), 'OH': ('Ohio',
        w.letters(2) + d(6), us),
            'FL': ('FLORIDA', f'{L}{d(3)}-{d(3)}-{d(2)}-{d(3)}-0', us), 'WA': ('Washington', 'WDL' + w.letters(4) + d(3) + w.letters(2), us),
            'IL': ('Illinois', f'{L}{d(3)}-{d(4)}-{d(4)}', 'DRIVER’S LICENSE'), 'PA': ('Pennsylvania', w.grp(d(8), 3), 'DRIVER’S LICENSE'),
            'Toronto': ('Ontario', f'{L}{d(4)}-{d(5)}-{d(5)}', ca), 'Ottawa': ('Ontario', f'{L}{d(4)}-{d(5)}-{d(5)}', ca), 'Calgary': ('Alberta',
            f'{d(6)}-{d(3)}', 'OPERATOR’S LICENCE'),
            'Halifax': ('Nova Scotia', squeeze5(p) + d(9), ca), 'Winnipeg': ('Manitoba', f'{squeeze5(p)}-{d(3)}', ca)}[p.city.split(', ')[-1]]


@design('IDENTITY_CARD', 'EN')
def us_state_id(w):
    p, (iss, exp) = w.person('US'), term(w, 8)
    st, num, _ = of_state(w, p)
    o, at, s = place(w, False)
    d = Doc(w, 'US', 'en', w.pick(ENG), 'nolabel' if w.pick(0, 1) else 'colon', 'state card')
    c = Card(o, *at[0], s, w, w.pick((226, 236, 248), (248, 240, 226), (232, 244, 232)))
    c.t(10, 16, st.upper() if w.pick(0, 1) else st, 13, w.pick('TB', 'HB', 'LB'), w.pick('#1a4b8c', '#7c2a1a', '#20402a'))
    c.t(234, 16, 'USA', 7, 'HB', al='r')
    c.t(10, 26, 'IDENTIFICATION CARD', 7.5, 'HB')
    c.face(10, 34, 62)
    us = lambda x: date(x, 'us')
    c.t(82, 40, ('ID ' if st != 'California' else 'ID ') + num, 8.5, 'HB', '#a01818')
    c.t(82, 52, 'EXP ' + us(exp), 7.5, 'HB')
    c.t(150, 52, 'DOB ' + us(p.birth), 7.5, 'HB', '#a01818')
    c.t(82, 64, ('LN ' if st == 'California' else '1 ') + plain(p.last), 8, 'HB')
    c.t(82, 74, ('FN ' if st == 'California' else '2 ') + plain(p.first), 8, 'HB')
    c.t(82, 85, p.street.upper(), 6.5)
    c.t(82, 93, f'{p.city.upper()} {p.zip}', 6.5)
    c.t(82, 108, f'SEX {p.sex}   HGT 5\'-{w.r.randint(1, 11):02d}"   EYES {w.pick("BRO", "BLU", "HAZ")}', 6)
    c.t(82, 118, 'ISS ' + us(iss), 6.5)
    c.sign(150, 122)
    c.t(82, 145, 'FEDERAL LIMITS APPLY' if w.pick(0, 1) else 'NOT A LICENSE TO DRIVE', 5, 'HB')
    d.person(p, plain(p.first), plain(p.last)).put(documentNumber=num, expiryDate=(us(exp), exp))
    d.missing = ['nationality']
    d.bad_date.append((us(iss), us(exp + dt.timedelta(90)), 'issued after the day of expiry'))
    return finish(d, o, p, us(p.birth), iss, 'us')


@design('IDENTITY_CARD', 'EN')
def photo_card(w):
    ca = w.pick(True, False)
    p, (iss, exp) = w.person('CA' if ca else 'GB'), term(w, 5)
    o, at, s = place(w, False)
    d = Doc(w, 'CA' if ca else 'GB', 'en', w.pick(ENG), 'under', 'photo card')
    c = Card(o, *at[0], s, w, (250, 238, 222) if ca else (230, 246, 244))
    f = (lambda x: date(x, 'iso').replace('-', '/')) if ca else (lambda x: date(x, 'short'))
    c.t(10, 15, 'Ontario' if ca else 'CitizenCard', 14, 'LB', '#2a4a8a' if ca else '#007a70')
    c.t(105, 15, 'Photo Card / Carte-photo' if ca else 'National identity card · PASS', 7, 'HB')
    c.face(170, 26, 60)
    num = f'{plain(p.last)[0]}{w.digits(4)} - {w.digits(5)} - {w.digits(5)}' if ca else w.grp(w.digits(12), 4)
    c.lv(12, 32, '1,2 NAME / NOM' if ca else 'Surname', p.LAST, 8)
    c.lv(12, 50, 'GIVEN / PRÉNOM' if ca else 'Forename', p.first.upper() if ca else p.first, 8)
    c.lv(12, 70, 'NUMBER / NUMÉRO' if ca else 'Card number', num, 7)
    c.lv(12, 90, 'DOB / D. NAISS.' if ca else 'Date of birth', f(p.birth), 8)
    c.lv(92, 90, 'ISS / DÉL.' if ca else 'Issued', f(iss), 7)
    c.lv(12, 110, 'EXP / EXP.' if ca else 'Valid until', f(exp), 7)
    c.sign(95, 118)
    d.person(p, p.first.upper() if ca else p.first, p.LAST).put(documentNumber=num, expiryDate=(f(exp), exp))
    d.missing = ['nationality']
    d.bad_date.append((f(iss), f(exp + dt.timedelta(90)), 'issued after the day of expiry'))
    return finish(d, o, p, f(p.birth), iss, 'iso' if ca else 'short')


def passport(w, cc, lang, labels, style, num, country, tint, nat_printed, authority, hdr):
    p, (iss, exp) = w.person(cc), term(w, 10)
    three = {'FR': 'FRA', 'GB': 'GBR', 'IE': 'IRL', 'US': 'USA', 'CA': 'CAN', 'CH': 'CHE', 'BE': 'BEL', 'DE': 'D<<', 'ES': 'ESP', 'IT': 'ITA'}[cc]
    o, at, s = place(w, False, 250, 354)
    s *= .72
    if o.size[0] != 595.3:
        o.size = (354 * s + 40, 250 * s + 40)
    d = Doc(w, cc, lang, w.pick(ENG), 'under', 'data page ' + cc)
    c = Card(o, *at[0], s, w, tint, 250, 354)
    low = w.pick(True, False)
    c.t(14, 16, hdr, 9, w.pick('TB', 'HB'))
    c.t(120, 30, labels[0], 5.5)
    c.t(120, 40, 'P', 9, 'HB')
    c.lv(175, 30, labels[1], three.strip('<'), 9, gap=10, lsize=5)
    c.lv(250, 30, labels[2], num, 9.5, 'CB', gap=10, lsize=5)
    c.face(12, 44, 94, w.pick(True, False))
    name = p.LAST if lang != 'en' or cc == 'IE' else plain(p.last)
    first = p.first.upper() if cc in ('GB', 'US', 'CA', 'IE', 'IT', 'ES') else p.first
    first = plain(first) if cc in ('GB', 'US', 'CA') else first
    dob, ex, isd = date(p.birth, style, lang), date(exp, style, lang), date(iss, style, lang)
    y = 56
    for lb, v in [(labels[3], name), (labels[4], first), (labels[5], nat_printed), (labels[6], dob)]:
        c.lv(120, y, lb, v, 9, 'HB', 5, gap=10)
        y += 22
    c.lv(120, y, labels[7], p.sex, 9, 'HB', 5, gap=10)
    c.lv(165, y, labels[8], plain(p.birthplace), 9, 'HB', 5, gap=10)
    c.lv(120, y + 22, labels[9], isd, 8.5, 'HB', 5, gap=10)
    c.lv(235, y + 22, labels[10], authority, 7.5 if len(authority) < 22 else 5.6, 'HB', 5, gap=10)
    c.lv(120, y + 43, labels[11], ex, 8.5, 'HB', 5, gap=10)
    c.sign(240, y + 36, 60)
    ls = td3('P<', three, p, num.replace(' ', ''), three, exp)
    c.mrz(ls, 221, size=12.2 if not low else 12, wd=354, font=w.pick('O', 'O', 'DM', 'C'))
    d.person(p, first, name).put(documentNumber=num, expiryDate=(ex, exp), nationality=nat_printed)
    d.bad_date += [(isd, date(exp + dt.timedelta(500), style, lang), 'issued after the day of expiry'),
                   (ex, date(iss - dt.timedelta(3), style, lang), 'expires before it was issued')]
    return spoil(finish(d, o, p, dob, iss, style, lang), ls, dob, date(shifted(w, p.birth), style, lang))


FRP = ['Type/Type', 'Code du pays/Country code', 'Passeport n°/Passport No', 'Nom/Surname (1)', 'Prénoms/Given names (2)', 'Nationalité/Nationality (3)',
       'Date de naissance/Date of birth (4)', 'Sexe/Sex (5)', 'Lieu de naissance/Place of birth (6)', 'Date de délivrance/Date of issue (7)',
       'Autorité/Authority (8)',
       'Date d’expiration/Date of expiry (9)']
ENP = ['Type/Type', 'Code/Code', 'Passport No./Passeport No.', 'Surname/Nom (1)', 'Given names/Prénoms (2)', 'Nationality/Nationalité (3)',
       'Date of birth/Date de naissance (4)', 'Sex/Sexe (5)', 'Place of birth/Lieu de naissance (6)', 'Date of issue/Date de délivrance (7)',
       'Authority/Autorité (8)', 'Date of expiry/Date d’expiration (9)']


@design('PASSPORT', 'FR')
def pp_fr(w):
    return passport(w, 'FR', 'fr', FRP, ' ', w.digits(2) + w.letters(2) + w.digits(5), 'FRA', (244, 232, 238), 'Française',
                    'Préfecture de ' + w.place('FR')[0], 'PASSEPORT   RÉPUBLIQUE FRANÇAISE')


@design('PASSPORT', 'BC')
def pp_bc(w):
    if w.pick(0, 1):
        return passport(w, 'BE', 'fr', FRP, w.pick(' ', '/'), w.letters(2) + w.digits(6), 'BEL', (240, 230, 234), 'Belge', 'Ixelles',
            'ROYAUME DE BELGIQUE   PASSEPORT')
    return passport(w, 'CH', 'fr', [x.replace('/', ' • ') for x in FRP], '.', w.letters(1) + w.digits(7), 'CHE', (246, 226, 224), 'Suisse',
                    w.place('CH')[0], 'Schweizer Pass • Passeport suisse • Passaporto svizzero')


@design('PASSPORT', 'EN')
def pp_gb(w):
    return passport(w, 'GB', 'en', ENP, 'SHORT', w.digits(9, '5'), 'GBR', (234, 236, 246), 'BRITISH CITIZEN', w.pick('HMPO', 'IPS'),
                    'UNITED KINGDOM OF GREAT BRITAIN AND NORTHERN IRELAND')


@design('PASSPORT', 'EN')
def pp_ie(w):
    return passport(w, 'IE', 'en', ['Cineál/Type', 'Tír/Country', 'Pas Uimh./Passport No.', 'Sloinne/Surname', 'Réamhainm(neacha)/Forename(s)',
        'Náisiúntacht/Nationality',
                                    'Dáta breithe/Date of birth', 'Gnéas/Sex', 'Áit bhreithe/Place of birth', 'Dáta eisiúna/Date of issue',
                                    'Údarás/Authority',
                                    'As feidhm/Date of expiry'], w.pick('SHORT', '/'), w.letters(2, 'LPX') + w.digits(7), 'IRL', (230, 244, 232),
                                    'ÉIREANNACH/IRISH',
                    'AN ROINN GNÓTHAÍ EACHTRACHA', 'ÉIRE   IRELAND   PAS / PASSPORT')


@design('PASSPORT', 'EN')
def pp_us_ca(w):
    if w.pick(0, 1):
        return passport(w, 'US', 'en', ['Type', 'Code', 'Passport No.', 'Surname / Apellidos', 'Given Names / Nombres', 'Nationality / Nacionalidad',
            'Date of birth',
                                        'Sex', 'Place of birth', 'Date of issue', 'Authority', 'Date of expiration'], 'short', w.digits(9), 'USA', (236,
                                        232, 240),
                        'UNITED STATES OF AMERICA', 'United States Department of State', 'PASSPORT  The United States of America')
    return passport(w, 'CA', 'en', [x.split(' (')[0] for x in ENP], 'SHORT', w.letters(2) + w.digits(6), 'CAN', (238, 238, 232), 'CANADIAN/CANADIENNE',
        'TORONTO',
                    'CANADA   PASSPORT / PASSEPORT')


@design('RESIDENCE_PERMIT', 'FR')
def titre_sejour(w):
    return small_card(w, 'FR', 'fr', ('TITRE DE SÉJOUR', w.pick('CARTE DE RÉSIDENT', 'CARTE DE SÉJOUR PLURIANNUELLE',
        'CARTE DE SÉJOUR TEMPORAIRE') + ' — RESIDENCE PERMIT'),
                      [('last', 'NOM / SURNAME'), ('first', 'PRÉNOM(S) / NAMES'), ('sex', 'SEXE'), ('nat', 'NATIONALITÉ'), ('dob', 'DATE DE NAISS.'),
                       ('num', 'N° DU DOCUMENT'), ('iss', 'DÉLIVRÉ LE'), ('exp', 'FIN DE VALIDITÉ')], (244, 228, 236), w.digits(2) + w.letters(2,
                       'ACKX') + w.digits(5),
                      w.pick(4, 10), w.pick(' ', '/'), code='IR', nat=w.pick(('MAR', 'Marocaine'), ('SEN', 'Sénégalaise'), ('BRA', 'Brésilienne'), ('VNM',
                          'VNM')),
                      extra=('REMARQUES : AUTORISE SON TITULAIRE À TRAVAILLER',), top=w.pick('#8c2a5c', '#385f92'))


@design('RESIDENCE_PERMIT', 'FR')
def recepisse(w):
    """The paper slip that replaces a permit, with a photograph and no zone for machines."""
    p, n = w.person('FR'), w.digits(10)
    iss = w.day(10, 90)
    exp = iss + dt.timedelta(w.pick(89, 179))
    d = Doc(w, 'FR', 'fr', 'weasy', 'colon', 'paper slip')
    f = lambda x: date(x, '/')
    nat = w.pick('Tunisienne', 'Ivoirienne', 'Géorgienne', 'Péruvienne')
    from engines import data_uri
    d.html('''<style>@page{size:A5 landscape;margin:9mm}body{font:9.5pt "DejaVu Sans Condensed"}h1{font-size:13pt;text-align:center;margin:2mm}
    .b{border:1.5pt solid #777;padding:4mm;display:flex;gap:6mm}.k{color:#555;font-size:8pt}</style><body>
    <div style="float:right;font-size:8pt">RÉPUBLIQUE FRANÇAISE<br>Ministère de l’Intérieur</div><b>PRÉFECTURE — {{ c }}</b>
    <h1>RÉCÉPISSÉ DE DEMANDE DE CARTE DE SÉJOUR</h1><div class="b"><img src="{{ im }}" width="90"><div>
    <span class="k">N° étranger :</span> <b>{{ n }}</b><br><span class="k">Nom :</span> <b>{{ p.LAST }}</b><br><span class="k">Prénom(s) :</span> {{
    p.first }}<br>
    <span class="k">Né(e) le :</span> {{ b }}<br><span class="k">Nationalité :</span> {{ nat }}<br>
    <span class="k">Adresse :</span> {{ p.street }}, {{ p.zip }} {{ p.city }}<br><span class="k">Délivré le :</span> {{ i }} &nbsp;
    <span class="k">Valable jusqu’au :</span> <b>{{ e }}</b></div></div><p>Ce récépissé n’est valable qu’accompagné des documents justifiant de l’identité de
    l’intéressé(e). Il autorise son titulaire à travailler.</p>''', c=w.place('FR')[0].upper(), n=n, p=p, b=f(p.birth), nat=nat, i=f(iss), e=f(exp),
           im=data_uri(portrait(w.r.randint(0, 9999))))
    d.person(p, last=p.LAST).put(birthDate=(f(p.birth), p.birth), documentNumber=n, expiryDate=(f(exp), exp), nationality=nat)
    d.style['date'] = '/'
    d.bad_date.append((f(exp), f(iss - dt.timedelta(30)), 'valid until a day before the day of issue'))
    return d.made(iss).office('none', 'AGDREF 4.2', 'own')


@design('RESIDENCE_PERMIT', 'BC')
def permis_bc(w):
    if w.pick(0, 1):
        return small_card(w, 'CH', 'fr', ('TITRE DE SÉJOUR  AUSLÄNDERAUSWEIS', 'PERMIS ' + w.pick('B', 'C') + ' · LIVRET POUR ÉTRANGERS · RESIDENCE PERMIT'),
                          [('last', 'NOM / NAME'), ('first', 'PRÉNOM / VORNAME'), ('nat', 'NATIONALITÉ'), ('sex', 'SEXE'), ('dob', 'DATE DE NAISSANCE'),
                           ('num', 'NO. DU TITRE'), ('iss', 'ENTRÉE / ÉTABLI'), ('exp', 'VALABLE JUSQU’AU')], (232, 236, 246), w.letters(2) + w.digits(7),
                           5, '.',
                          code='AR', nat=w.pick(('TUR', 'TURQUIE'), ('IND', 'INDE'), ('SRB', 'SERBIE')))
    return small_card(w, 'BE', 'fr', ('TITRE DE SÉJOUR   VERBLIJFSTITEL', w.pick('CARTE A', 'CARTE B', 'CARTE F') + ' · RESIDENCE PERMIT · BELGIQUE'),
                      [('last', 'Nom'), ('first', 'Prénoms'), ('sex', 'Sexe'), ('nat', 'Nationalité'), ('dob', 'Né(e) le'), ('num', 'N° du titre'),
                       ('iss', 'Délivré le'), ('exp', 'Expire le')], (240, 234, 244), 'B' + w.digits(8), 5, ' ', code='IR',
                      nat=w.pick(('COD', 'Congolaise'), ('USA', 'Américaine')))


@design('RESIDENCE_PERMIT', 'EN')
def permit_en(w):
    k = w.pick('GB', 'IE', 'US', 'CA')
    nat = w.pick(('NGA', 'NIGERIA'), ('IND', 'INDIA'), ('BRA', 'BRAZIL'), ('PHL', 'PHILIPPINES'), ('ZAF', 'ZAF'))
    if k == 'GB':
        return small_card(w, 'GB', 'en', ('RESIDENCE PERMIT', 'UNITED KINGDOM · ' + w.pick('LEAVE TO REMAIN', 'INDEFINITE LEAVE TO REMAIN')),
                          [('last', 'SURNAME'), ('first', 'GIVEN NAMES'), ('sex', 'SEX'), ('nat', 'NATIONALITY'), ('dob', 'DATE OF BIRTH'), ('num',
                          'DOCUMENT NO'),
                           ('iss', 'VALID FROM'), ('exp', 'VALID UNTIL')], (246, 230, 240), 'Z' + w.letters(1) + w.digits(7), 5, w.pick('SHORT', '/'),
                           code='IR', nat=nat,
                          extra=('REMARKS: WORK PERMITTED  NO PUBLIC FUNDS',), top='#7a3a6a')
    if k == 'IE':
        return small_card(w, 'IE', 'en', ('IRISH RESIDENCE PERMIT', 'CEAD CÓNAITHE · ÉIRE / IRELAND'),
                          [('last', 'Surname'), ('first', 'Forename'), ('nat', 'Nationality'), ('sex', 'Sex'), ('dob', 'Date of birth'), ('num',
                          'Card number'),
                           ('iss', 'Issued'), ('exp', 'Valid until')], (230, 244, 234), w.letters(3) + w.digits(6), 3, '/', code='IR', nat=nat,
                          extra=('STAMP ' + w.pick('1', '4', '1G'),), top='#2a6a4a')
    if k == 'US':
        return small_card(w, 'US', 'en', ('UNITED STATES OF AMERICA', 'PERMANENT RESIDENT CARD'),
                          [('last', 'Surname'), ('first', 'Given Name'), ('num', 'Card #'), ('nat', 'Country of Birth'), ('dob', 'Date of Birth'), ('sex',
                          'Sex'),
                           ('exp', 'Card Expires:'), ('iss', 'Resident Since:')], (230, 242, 232), w.pick('SRC', 'MSC', 'LIN')[:3] + w.digits(6), 10, 'us',
                           code='C1', nat=nat,
                          top='#28587c')
    return small_card(w, 'CA', 'en', ('CANADA  PERMANENT RESIDENT CARD', 'CARTE DE RÉSIDENT PERMANENT'),
                      [('last', 'Name / Nom'), ('first', 'Given name(s)'), ('num', 'ID No / No ID'), ('nat', 'Nationality / Nationalité'), ('dob',
                      'Date of birth'),
                       ('sex', 'Sex / Sexe'), ('exp', 'Expiry / Expiration'), ('iss', 'Issued')], (244, 236, 232), 'PA' + w.digits(7), 5, 'SHORT',
                       code='CA', nat=nat)


def eu_licence(w, cc, lang, title, num, style, tint, head, cats='AM  B', years=15, country='F'):
    """The European card: numbers instead of labels."""
    p, (iss, exp) = w.person(cc), term(w, years)
    o, at, s = place(w, w.pick(True, False))
    d = Doc(w, cc, lang, w.pick(ENG), 'numbers', 'card with numbers')
    c = Card(o, *at[0], s, w, tint)
    c.bar(8, 8, 22, 16, '#1c3f9c')
    c.t(19, 19, country, 8, 'HB', '#ffe14a', 'c')
    c.t(38, 15, title, 8.5, 'HB', '#7a2050')
    c.t(38, 23, head, 5, 'H', '#7a2050')
    c.face(10, 34, 58, True)
    dob, i, e = (date(x, style) for x in (p.birth, iss, exp))
    auth = {'FR': 'Préfet ' + p.zip[:2], 'GB': 'DVLA', 'IE': 'NDLS', 'BE': p.city, 'CH': 'VD', 'DE': 'Landratsamt', 'ES': 'DGT', 'IT': 'MIT-UCO',
        'NL': 'Gem. ' + p.city}[cc]
    last = p.LAST if cc in ('FR', 'GB', 'IE', 'ES', 'IT') else p.last
    first = p.first.upper() if cc in ('GB', 'IE', 'ES', 'IT') else p.first
    first = ('MR ' if p.sex == 'M' else 'MISS ') + first if cc == 'GB' and w.pick(0, 1) else first
    n = num(p) if callable(num) else num
    rows = [('1.', last), ('2.', first), ('3.', f'{dob}  {p.birthplace.upper()}'), ('4a.', f'{i}   4c. {auth}'), ('4b.', e), ('5.', n)]
    if cc == 'FR':
        rows.insert(5, ('4d.', w.digits(9)))
    y = 38
    for k, v in rows:
        c.t(78, y, k, 5.5, 'HB', '#7a2050')
        c.t(92, y, v, 7.5, 'HB')
        y += 12.5
    c.sign(188, y - 22, 44)
    if cc in ('GB', 'IE') and y < 125:
        c.t(78, y + 10, f'8. {p.street.upper()}, {p.city.upper()}, {p.zip}', 4.6)
    c.t(78, 143, '9.  ' + cats, 7.5, 'HB')
    d.person(p, first.replace('MR ', '').replace('MISS ', ''), last).put(documentNumber=n, expiryDate=(e, exp))
    if len({q for q, *_ in at}) and len(at) > 1 and o.size[1] > 400:
        c = Card(o, *at[1], s, w, tint)
        for r, cat in enumerate(['AM', 'A1', 'A', 'B', 'BE', 'C1']):
            c.t(60, 24 + r * 18, cat, 7, 'HB')
            has = cat in cats.replace('/', ' ').split()
            c.t(100, 24 + r * 18, date(iss, 'y2') if has else '—', 6)
            c.t(150, 24 + r * 18, date(exp, 'y2') if has else '—', 6)
    d.bad_date += [(i, date(exp + dt.timedelta(250), style), 'issued after the day of expiry'),
                   (dob, date(iss - dt.timedelta(9 * 365), style), 'the holder was nine years old on the day of issue')]
    return finish(d, o, p, dob, iss, style)


@design('DRIVING_LICENCE', 'FR')
def dl_fr(w):
    return eu_licence(w, 'FR', 'fr', 'PERMIS DE CONDUIRE', f'{w.r.randint(10, 24)}{w.letters(2)}{w.digits(5)}', '.', (246, 228, 236), 'RÉPUBLIQUE FRANÇAISE',
                      w.pick('AM  B', 'A1  A  B', 'B  B1  BE'))


@design('DRIVING_LICENCE', 'FR')
def dl_pink(w):
    """The old pink sheet, typed; it does not expire, the new duplicate does."""
    p, iss = w.person('FR'), w.day(5000, 7000)
    p.birth = iss - dt.timedelta(w.r.randint(6700, 15000))
    o = Ops(420, 300)
    o.r(0, 0, 420, 300, fill='#f6cfdc')
    n, f = f'{iss:%y%m}{p.zip[:2]}{w.digits(6, "1234")}', lambda x: date(x, w.pick('/',))
    o.t(20, 30, 'RÉPUBLIQUE FRANÇAISE', 9, 'TB').t(20, 50, 'PERMIS DE CONDUIRE', 16, 'TB').t(20, 64, 'Modèle des Communautés européennes', 7, 'T')
    for y, k, v in [(100, '1. Nom :', p.LAST), (122, '2. Prénoms :', p.first), (144, '3. Date et lieu de naissance :',
    f(p.birth) + ' ' + plain(p.birthplace)),
                    (166, '4. Domicile :', f'{p.street} {p.zip} {p.city}'), (188, '5. Délivré par :', 'PRÉFECTURE'), (210, 'Le :', f(iss)), (236, 'N° :', n)]:
        o.t(20, y, k, 7, 'T').t(20 + 6 + len(k) * 3.4, y, v, 10 if len(v) < 34 else 8, 'C')
    o.img(300, 25, 80, 102, portrait(w.r.randint(0, 9999), True)).t(20, 275, 'Catégories : B', 9, 'TB')
    d = Doc(w, 'FR', 'fr', w.pick(ENG), 'colon', 'old pink sheet').person(p, last=p.LAST).put(documentNumber=n)
    d.missing = ['expiryDate']
    d.bad_date.append((f(iss), f(p.birth - dt.timedelta(700)), 'issued before the holder was born'))
    return finish(d, o, p, f(p.birth), iss, '/')


@design('DRIVING_LICENCE', 'BC')
def dl_bc(w):
    return w.pick(lambda: eu_licence(w, 'BE', 'fr', 'PERMIS DE CONDUIRE', w.digits(10), '.', (244, 230, 238), 'ROYAUME DE BELGIQUE  RIJBEWIJS', country='B'),
                  lambda: eu_licence(w, 'CH', 'fr', 'PERMIS DE CONDUIRE', w.digits(12), '.', (236, 240, 246), 'CONFÉDÉRATION SUISSE  Führerausweis',
                      country='CH'))()


@design('DRIVING_LICENCE', 'XX')
def dl_xx(w):
    return w.pick(lambda: eu_licence(w, 'DE', 'de', 'FÜHRERSCHEIN', w.letters(1) + w.digits(3) + w.letters(3) + w.digits(4), '.', (244, 234, 236),
                                     'BUNDESREPUBLIK DEUTSCHLAND', country='D'),
                  lambda: eu_licence(w, 'ES', 'es', 'PERMISO DE CONDUCCIÓN', w.dni(), '-', (246, 232, 236), 'REINO DE ESPAÑA', country='E'),
                  lambda: eu_licence(w, 'NL', 'nl', 'RIJBEWIJS', w.digits(10), '.', (246, 230, 238), 'KONINKRIJK DER NEDERLANDEN', country='NL'))()


@design('DRIVING_LICENCE', 'EN')
def dl_gbie(w):
    if w.pick(0, 0, 1):
        return eu_licence(w, 'IE', 'en', 'CEADÚNAS TIOMÁNA', w.digits(9), '.', (246, 228, 238), 'DRIVING LICENCE  ÉIRE / IRELAND', country='IRL')
    return eu_licence(w, 'GB', 'en', 'DRIVING LICENCE', w.dvla, '.', (246, 226, 236), '', 'AM/A/B1/B/f/k/q', 10, 'UK')


@design('DRIVING_LICENCE', 'EN')
def dl_state(w):
    """American and Canadian cards: short labels before the values, every state in its own way."""
    p, (iss, exp) = w.person(w.pick('US', 'US', 'CA')), term(w, w.pick(4, 5, 8))
    L = plain(p.last)[0]
    ca = len(p.zip) == 7
    st, num, kw = of_state(w, p)
    f = (lambda x: f'{x:%Y/%m/%d}') if ca else (lambda x: date(x, 'us'))
    o, at, s = place(w, False)
    d = Doc(w, 'CA' if ca else 'US', 'en', w.pick(ENG), 'inline', 'state card')
    c = Card(o, *at[0], s, w, w.pick((228, 238, 248), (248, 238, 224), (234, 246, 234), (240, 234, 246)))
    c.bar(0, 0, 243, 20, w.pick('#cfe0f4', '#f3ddb8', '#cfe6cf'))
    c.t(10, 15, st, 12, w.pick('TB', 'HB', 'LB', 'KB'), w.pick('#13386e', '#6e1313', '#134a28'))
    c.t(233, 15, kw, 7.5, 'HB', al='r')
    right = w.pick(True, False)
    c.face(172 if right else 10, 28, 62)
    x = 10 if right else 82
    numbered = w.pick(True, False)
    lb = dict(n='4d DLN ', e='4b EXP ', b='3 DOB ', l='1 ', f='2 ', i='4a ISS ') if numbered else dict(n='DL ', e='EXP ', b='DOB ', l='LN ', f='FN ',
        i='ISS ')
    seq = [('n', num), ('l', plain(p.last)), ('f', plain(p.first)), ('b', f(p.birth)), ('e', f(exp)), ('i', f(iss))]
    w.r.shuffle(seq)
    y = 34
    for k, v in sorted(seq, key=lambda z: z[0] not in 'lf' if numbered else z[0] != 'n'):
        c.t(x, y, lb[k], 5.5, 'H', '#1a3a7a')
        c.t(x + 24, y, v, 7.8, 'HB')
        y += 11.5
    c.t(x, y + 2, '8 ' + p.street.upper(), 6)
    c.t(x + 6, y + 10, f'{p.city.upper()} {p.zip}', 6)
    c.t(x, y + 22, f'9 CLASS {w.pick("C", "D", "G", "E")}   12 REST {w.pick("NONE", "A", "B")}   15 SEX {p.sex}', 5.5)
    c.sign(x + 84, y + 8, 46)
    d.person(p, plain(p.first), plain(p.last)).put(documentNumber=num, expiryDate=(f(exp), exp))
    d.bad_date += [(f(exp), f(iss - dt.timedelta(20)), 'expires before it was issued')]
    return finish(d, o, p, f(p.birth), iss, 'us' if not ca else 'iso')


def squeeze5(p):
    return ''.join(ch for ch in plain(p.last) if ch.isalpha())[:5]


@design('DRIVING_LICENCE', 'EN')
def dl_summary(w):
    """What the British licensing office shows on the web, printed from the browser."""
    p, (iss, exp) = w.person('GB'), term(w, 10)
    f, n = lambda x: date(x, 'long'), w.dvla(p)
    d = Doc(w, 'GB', 'en', 'chromium', 'table', 'web summary')
    d.html('''<title>View your driving licence information</title><style>body{font:15px "Liberation Sans";margin:24px
    40px}header{background:#0b0c0c;color:#fff;padding:8px 16px;
    font-size:22px;font-weight:bold}dl{display:grid;grid-template-columns:230px 1fr;border-top:1px solid #b1b4b6}dt,dd{padding:9px
    0;margin:0;border-bottom:1px solid #b1b4b6}
    dt{font-weight:bold}</style><header>GOV.UK</header><h1>Your driving licence information</h1><p>Driver and Vehicle Licensing Agency. Printed on {{ t
    }}.</p><h2>Your details</h2>
    <dl><dt>Name</dt><dd>{{ p.full }}</dd><dt>Date of birth</dt><dd>{{ b }}</dd><dt>Address</dt><dd>{{ p.street }}<br>{{ p.city }}<br>{{ p.zip }}</dd></dl>
    <h2>Driving licence details</h2><dl><dt>Licence status</dt><dd>{{ st }}</dd><dt>Driving licence number</dt><dd>{{ n }}</dd><dt>Valid from</dt><dd>{{ i
    }}</dd><dt>Valid to</dt>
    <dd>{{ e }}</dd><dt>Licence issue number</dt><dd>{{ k }}</dd></dl><h2>Penalties and disqualifications</h2><p>You have no penalty points or
    disqualifications.</p>''',
           p=p, b=f(p.birth), n=n, i=f(iss), e=f(exp), st=w.pick('Full', 'Provisional'), k=w.r.randint(11, 49), t=f(w.day(2, 30)))
    d.person(p).put(birthDate=(f(p.birth), p.birth), documentNumber=n, expiryDate=(f(exp), exp))
    d.style['date'] = 'long'
    d.bad_date.append((f(exp), f(iss - dt.timedelta(55)), 'valid to a day before valid from'))
    return d.made(w.day(2, 30))


def plate(w, cc):
    L = lambda n: w.letters(n, 'ABCDEFGHJKLMNPRSTVWXYZ')
    return {'FR': lambda: f'{L(2)}-{w.digits(3)}-{L(2)}', 'GB': lambda: f'{L(2)}{w.pick("19", "68", "21", "72", "24")} {L(3)}',
        'IE': lambda: f'{w.pick("191", "221", "12", "242")}-'
            f'{w.pick("D", "C", "G", "L")}-{w.digits(5)}', 'BE': lambda: f'{w.pick("1", "2")}-{L(3)}-{w.digits(3)}',
            'CH': lambda: f'{w.pick("VD", "GE", "FR")} {w.digits(6)}',
            'US': lambda: f'{w.digits(1)}{L(3)}{w.digits(3)}', 'CA': lambda: f'{L(4)} {w.digits(3)}'}[cc]()


CARS = [('RENAULT', 'CLIO V'), ('PEUGEOT', '2008'), ('VOLKSWAGEN', 'GOLF'), ('FORD', 'FOCUS'), ('TOYOTA', 'YARIS HYBRID'), ('SKODA', 'OCTAVIA'),
    ('HYUNDAI', 'KONA')]


def vin(w):
    return w.letters(3, 'VWSTJ') + w.letters(3, 'ABCDEFGHJKLMNPRSTUVWXYZ') + w.digits(2) + w.letters(2, 'ABCDEFGHJK') + w.digits(7)


@design('VEHICLE_REGISTRATION', 'FR')
def carte_grise(w):
    p, iss = w.person('FR'), w.day(30, 2500)
    first_reg = iss - dt.timedelta(w.pick(0, 700, 2100))
    pl, v, (mk, md) = plate(w, 'FR'), vin(w), w.pick(CARS)
    o = Ops(*w.pick(((595, 842), (360, 560), (440, 600))))
    x, f = 26, lambda z: date(z, '/')
    o.r(12, 14, o.size[0] - 24, min(o.size[1], 560) - 30, fill=w.pick('#eef1e4', '#f2ede2', '#ffffff'), line='#8a9a7a')
    o.t(x, 34, 'RÉPUBLIQUE FRANÇAISE', 9, 'HB').t(x, 47, 'CERTIFICAT D’IMMATRICULATION', 11, 'HB').t(x, 57,
        'Certificat d’immatriculation / Registration certificate', 5)
    rows = [('A', pl), ('B', f(first_reg)), ('C.1', p.rev if w.pick(0, 1) else f'{p.LAST} {p.first}'), ('C.4a', 'EST LE PROPRIÉTAIRE DU VÉHICULE'),
            ('C.3', p.street.upper()), ('', f'{p.zip} {p.city.upper()}'), ('D.1', mk), ('D.2', 'M10' + w.letters(3) + w.digits(4)), ('D.3', md), ('E', v),
            ('F.2', w.digits(4)),
            ('G.1', w.digits(4)), ('J.1', 'VP'), ('P.2', w.digits(2)), ('P.3', w.pick('ES', 'GO', 'EH', 'EL')), ('P.6', w.pick('4', '5', '6')), ('S.1', '5'),
            ('V.7', w.digits(3, '1')), ('I', f(iss)), ('Y.6', w.pick('2,76', '11,00') + ' €')]
    y = 78
    for k, val in rows:
        o.t(x, y, k, 7, 'HB', '#6a4a8a').t(x + 30, y, val, 9.5 if k in ('A', 'E') else 8.5, 'C' if k else 'C')
        y += 15.5
    num = f'{w.r.randint(2015, 2025)}{w.letters(2)}{w.digits(5)}'
    o.t(x, y + 12, 'N° de formule : ' + num, 7)
    l1 = ('CRFRA' + pl.replace('-', '') + '<' * 2 + w.digits(1) + v[:10] + f'{iss:%y%m%d}').ljust(36, '<')[:36]
    o.t(x, y + 40, l1, 11, w.pick('O', 'C', 'DM')).t(x, y + 56, (mk + '<' + md.replace(' ', '<')).ljust(36, '<')[:36], 11, 'C')
    d = Doc(w, 'FR', 'fr', w.pick(ENG), 'codes', 'codes on a form')
    d.person(p, last=p.LAST).home(p, p.street.upper(), p.city.upper()).put(registrationNumber=pl, issueDate=(f(iss), iss))
    d.style['date'] = '/'
    d.bad_date.append((f(iss), f(first_reg - dt.timedelta(400)), 'certificate issued before the first registration') if first_reg != iss else
                      (f(iss), '31/11/2024', 'a day that does not exist'))
    d.src = o
    return d.made(iss).office(*SCANNERS)


@design('VEHICLE_REGISTRATION', 'FR')
def cpi(w):
    """The provisional certificate that the dealer prints."""
    p, iss = w.person('FR'), w.day(3, 60)
    pl, v, (mk, md) = plate(w, 'FR'), vin(w), w.pick(CARS)
    f = lambda z: date(z, '/')
    d = Doc(w, 'FR', 'fr', w.pick('weasy', 'chromium'), 'table', 'provisional print')
    d.html('''<style>@page{size:A4;margin:16mm}body{font:10pt "Liberation Sans";margin:0}td{border:.5pt solid #333;padding:2mm
    2.5mm;vertical-align:top}table{border-collapse:collapse;
    width:100%}small{display:block;color:#444;font-size:7pt}h2{text-align:center;font-size:13pt}</style><div>MINISTÈRE DE L’INTÉRIEUR</div>
    <h2>CERTIFICAT PROVISOIRE D’IMMATRICULATION (CPI)</h2><table><tr><td><small>(A) Numéro d’immatriculation</small><b>{{ pl }}</b><td><small>(B) Date de 1ère
    immatriculation</small>{{ i }}<td><small>Valable jusqu’au</small>{{ e }}<tr><td colspan=3><small>(C.1) Titulaire</small>{{ p.LAST }} {{ p.first
    }}<tr><td colspan=3>
    <small>(C.3) Adresse</small>{{ p.street }}<br>{{ p.zip }} {{ p.city }}<tr><td><small>(D.1) Marque</small>{{ mk }}<td><small>(D.3) Dénomination
    commerciale</small>{{ md }}
    <td><small>(E) N° d’identification</small>{{ v }}<tr><td><small>(I) Date du certificat</small>{{ i }}<td><small>(P.6) Puissance fiscale</small>{{ cv }}
    <td><small>N° de dossier</small>{{ n }}</table><p style="font-size:8pt">Le présent certificat permet la circulation du véhicule sur le territoire national
    pendant un mois. Il doit être remplacé par le certificat d’immatriculation définitif.</p>''', pl=pl, i=f(iss), e=f(iss + dt.timedelta(30)), p=p, mk=mk,
        md=md, v=v,
           cv=w.r.randint(3, 9), n=w.digits(11))
    d.person(p, last=p.LAST).home(p).put(registrationNumber=pl, issueDate=(f(iss), iss))
    d.style['date'] = '/'
    d.bad_date.append((f(iss + dt.timedelta(30)), f(iss - dt.timedelta(30)), 'valid until a day before the certificate'))
    return d.made(iss).office('own', 'none', 'iText 2.1.7 by 1T3XT')


@design('VEHICLE_REGISTRATION', 'BC')
def veh_bc(w):
    cc = w.pick('BE', 'CH')
    p, iss, (mk, md) = w.person(cc), w.day(30, 1500), w.pick(CARS)
    pl, f = plate(w, cc), lambda z: date(z, '.' if cc == 'CH' else '/')
    o = Ops(560, 420)
    o.r(8, 8, 544, 404, fill='#e8ecf0' if cc == 'CH' else '#f6e3d0', line='#777777')
    d = Doc(w, cc, 'fr', w.pick(ENG), 'boxes', 'grid of boxes')
    if cc == 'CH':
        o.t(24, 34, 'Fahrzeugausweis  Permis de circulation  Licenza di circolazione', 11, 'HB')
        cells = [(24, 60, '01-06 Nom, prénoms', f'{p.last} {p.first}'), (24, 92, 'Rue', p.street), (24, 124, 'Domicile', f'{p.zip} {p.city}'), (320, 60,
            '15 Plaque', pl),
                 (320, 92, '18 N° matricule', w.grp(w.digits(9), 3).replace(' ', '.')), (320, 124, '19 Genre de véhicule', 'Voiture de tourisme'), (24,
                 170, '21 Marque et type',
                 f'{mk} {md}'), (320, 170, '23 Châssis N°', vin(w)), (24, 210, '36 1ère mise en circulation', f(iss - dt.timedelta(900))), (320, 210,
                 '38 Permis établi le', f(iss)),
                 (24, 260, '09 Assurance', 'Helvorane Assurances SA')]
    else:
        o.t(24, 34, 'ROYAUME DE BELGIQUE — CERTIFICAT D’IMMATRICULATION  Partie I', 10, 'HB')
        cells = [(24, 62, 'A  Numéro d’immatriculation', pl), (300, 62, 'B  1re immatriculation', f(iss - dt.timedelta(800))), (24, 98, 'C.1.1  Nom', p.LAST),
                 (300, 98, 'C.1.2  Prénom', p.first), (24, 134, 'C.1.3  Adresse', f'{p.street}, {p.zip} {p.city}'), (24, 170, 'D.1  Marque', mk),
                 (300, 170, 'D.3  Modèle', md), (24, 206, 'E  Châssis', vin(w)), (300, 206, 'I  Date d’immatriculation', f(iss)), (24, 250,
                 'X.1 Titulaire', 'OUI')]
    for x, y, k, v in cells:
        o.r(x - 4, y - 10, 240 if x > 200 else 270, 28, line='#8a8a8a', lw=.4).t(x, y, k, 6, 'H', '#444466').t(x, y + 12, v, 9.5, w.pick('C', 'C', 'H'))
    d.person(p, last=p.last if cc == 'CH' else p.LAST).home(p).put(registrationNumber=pl, issueDate=(f(iss), iss))
    d.style['date'] = '.' if cc == 'CH' else '/'
    d.bad_date.append((f(iss), '30.02.2024' if cc == 'CH' else '30/02/2024', 'a day that does not exist'))
    d.src = o
    return d.made(iss).office(*SCANNERS)


@design('VEHICLE_REGISTRATION', 'EN')
def v5c(w):
    cc = w.pick('GB', 'GB', 'IE')
    p, iss, (mk, md) = w.person(cc), w.day(30, 1800), w.pick(CARS)
    reg = w.day(1900, 3500)
    since = reg.year if reg.month > 2 else reg.year - 1  # British plates tell the half-year of the first registration
    pl = (f'{w.letters(2)}{since % 100 + (0 if 3 <= reg.month <= 8 else 50):02d} {w.letters(3)}' if cc == 'GB' else
          f'{reg:%y}{1 if reg.month < 7 else 2}-{w.pick("D", "C", "G", "L")}-{w.digits(5)}')
    f = lambda z: date(z, ' ') if cc == 'GB' else date(z, '/')
    d = Doc(w, cc, 'en', w.pick('reportlab', 'mupdf'), 'codes', 'log book')
    o = Ops(595, 620)
    c1 = '#b03a2e' if cc == 'GB' else '#2e6fb0'
    o.r(0, 0, 595, 54, fill=c1).t(20, 26, 'Registration Certificate' + (' V5C' if cc == 'GB' else '  ·  Teastas Clárúcháin'), 17, 'HB', '#ffffff')
    o.t(20, 44, 'Driver & Vehicle Licensing Agency' if cc == 'GB' else 'An Roinn Iompair / Department of Transport', 9, 'H', '#ffffff')
    o.t(360, 44, 'Document reference number  ' + w.grp(w.digits(11), 4), 8, 'HB', '#ffffff')
    o.r(20, 70, 270, 130, fill='#fbeeee' if cc == 'GB' else '#eef4fb').t(28, 84, 'C.1 / C.3  Registered keeper', 8, 'HB', c1)
    name = f'{p.civ} {p.full}'.upper() if w.pick(0, 1) else f'{p.civ} {p.full}'
    up = name.isupper()
    lines = [name, p.street, p.city, p.zip]
    o.ts(28, 106, [x.upper() if up else x for x in lines], 11, 'C', 1.5)
    y = 84
    for k, v in [('A  Registration number', pl), ('B  Date of first registration', f(reg)),
    ('I  Date of registration of the current keeper' if cc == 'IE' else
                 'Date of issue of this certificate', f(iss)), ('No. of former keepers', str(w.r.randint(0, 3)))]:
        o.t(310, y, k, 7, 'H', c1).t(310, y + 13, v, 11, 'CB')
        y += 31
    y = 232
    o.t(20, y - 8, 'Vehicle details', 10, 'HB', c1)
    for i, (k, v) in enumerate([('D.1 Make', mk), ('D.3 Model', md), ('E VIN/Chassis/Frame no.', vin(w)), ('J Vehicle category', 'M1'),
    ('P.1 Cylinder capacity (cc)',
                                w.digits(4, '1')), ('P.3 Type of fuel', w.pick('PETROL', 'HYBRID ELECTRIC', 'DIESEL')), ('R Colour', w.pick('GREY', 'BLUE',
                                    'WHITE', 'RED')),
                                ('V.7 CO2 (g/km)', w.digits(3, '1')), ('S.1 Seats', '5'), ('G Mass in service', w.digits(4, '1'))]):
        o.t(28, y + 12 + i * 17, k, 8).t(220, y + 12 + i * 17, v, 10, 'C').l(20, y + 17 + i * 17, 575, y + 17 + i * 17, '#ccbbbb', .4)
    o.t(20, 450, 'This document is not proof of ownership. It shows who is responsible for registering and taxing the vehicle.', 8.5, 'HB')
    cap = (lambda s: s.upper()) if up else (lambda s: s)
    d.person(p, cap(p.first), cap(p.last)).home(p, cap(p.street), cap(p.city)).put(registrationNumber=pl, issueDate=(f(iss), iss))
    d.style['date'] = ' ' if cc == 'GB' else '/'
    d.bad_date.append((f(reg), f(iss + dt.timedelta(300)), 'first registered after this certificate was issued'))
    d.src = o
    return d.made(iss).office(*SCANNERS)


@design('VEHICLE_REGISTRATION', 'EN')
def us_reg(w):
    ca = w.pick(0, 0, 1)
    p, iss, (mk, md) = w.person('CA' if ca else 'US'), w.day(20, 340), w.pick(CARS[2:])
    pl, f = plate(w, 'CA' if ca else 'US'), (lambda z: f'{z:%Y/%m/%d}') if ca else (lambda z: date(z, 'us'))
    exp = iss + dt.timedelta(365)
    fee = [w.amount(40, 90), w.amount(20, 60), w.amount(5, 25)]
    d = Doc(w, 'CA' if ca else 'US', 'en', w.pick('lohtml', 'weasy', 'chromium'), 'table', 'registration slip')
    st = 'ONTARIO — MINISTRY OF TRANSPORTATION' if ca else p.city.split(', ')[1] + ' DEPARTMENT OF MOTOR VEHICLES'
    d.html('''<style>@page{size:Letter;margin:14mm}body{font-family:"Liberation Mono";font-size:10pt}td{border:1px solid
    #888;padding:4px}</style><body><p><b>{{ st }}</b></p>
    <h3>{{ "VEHICLE PERMIT / PERMIS DE VÉHICULE" if ca else "VEHICLE REGISTRATION CARD" }}</h3><table width="100%" cellspacing="0"><tr><td>{{ "PLATE" if ca
    else "LICENSE NUMBER" }}<br><b>{{ pl }}</b></td>
    <td>VIN<br>{{ v }}</td><td>MAKE<br>{{ mk }}</td><td>MODEL<br>{{ md }}</td></tr><tr><td>DATE ISSUED<br>{{ i }}</td><td>EXPIRES<br>{{ e
    }}</td><td>YEAR<br>{{ y }}</td>
    <td>TYPE<br>AUTO</td></tr><tr><td colspan="4">REGISTERED OWNER<br>{{ p.full }}<br>{{ p.street }}<br>{{ p.city }} {{ p.zip }}</td></tr></table>
    <p>FEES: REGISTRATION ${{ a }}&nbsp;&nbsp; COUNTY ${{ b }}&nbsp;&nbsp; PLATE ${{ c }}&nbsp;&nbsp; TOTAL PAID ${{ t }}</p><p>KEEP THIS CARD IN THE
    VEHICLE.</p>''',
           st=st, ca=ca, pl=pl, v=vin(w), mk=mk, md=md, i=f(iss), e=f(exp), y=iss.year - 3, p=p, a=fee[0], b=fee[1], c=fee[2], t=sum(fee))
    d.sums.append((fee, sum(fee)))
    d.bad_sum.append((str(sum(fee)), str(sum(fee) + 18), 'total of the fees'))
    d.person(p).home(p).put(registrationNumber=pl, issueDate=(f(iss), iss))
    d.style['date'] = 'us' if not ca else 'iso'
    d.bad_date.append((f(exp), f(iss - dt.timedelta(60)), 'expires before it was issued'))
    return d.made(iss).office('own', 'none')
