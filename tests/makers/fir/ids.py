"""Cards and passport pages, each placed by hand on its card, with the zone that machines read."""
import datetime as dt
import re

from engines import esc, face, scrawl, stamp
from world import (NAT, W, fdate, mrz_frold, td1, td3, plain)

YEAR = dt.timedelta(days=365)


def out(src, engine, day, lay, **kw):
    return dict(engine=engine, src=src, day=day, layout=lay, **kw)


def waves(w, c1, c2):
    """Fine lines as on security paper."""
    r = w.r
    p = ''
    for i in range(22):
        a, ph = r.uniform(8, 26), i * 9
        p += f'<path d="M-10 {ph} ' + ' '.join(f'q20 {a if k % 2 else -a:.1f} 40 0' for k in range(12)) \
            + f'" fill="none" stroke="{c1 if i % 2 else c2}" stroke-width=".5"/>'
    return f'<svg style="position:absolute;left:0;top:0;width:100%;height:100%" viewBox="0 0 340 215" preserveAspectRatio="none">{p}</svg>'


class Card:
    def __init__(self, w, bg, lines=('#9ab', '#cab'), size=(85.6, 54), font='Liberation Sans'):
        self.w, self.size, self.font = w, size, font
        self.h = f'<div class=card style="width:{size[0]}mm;height:{size[1]}mm;background:{bg};font-family:{font}">' + (waves(w, *lines) if lines else '')

    def at(self, x, y, text, pt=6, **css):
        st = ';'.join(f'{k.replace("_", "-")}:{v}' for k, v in css.items())
        self.h += f'<span style="left:{x}mm;top:{y}mm;font-size:{pt}pt;{st}">{text}</span>'
        return self

    def lab(self, x, y, label, value, lp=3.8, vp=7, gap=1.9, lc='#345', **css):
        return self.at(x, y, esc(label), lp, color=lc).at(x, y + gap, esc(value), vp, **{'font_weight': 'bold', **css})

    def pic(self, x, y, ww, hh, p, grey=False, seed=''):
        self.h += f'<img src="{face(str(p.__dict__) + seed, p.sex, grey)}" style="position:absolute;left:{x}mm;top:{y}mm;width:{ww}mm;height:{hh}mm">'
        return self

    def sig(self, x, y, p, scale=.5):
        self.h += f'<div style="position:absolute;left:{x}mm;top:{y}mm;transform:scale({scale});transform-origin:0 0">{scrawl(p.last + p.first, "#222")}</div>'
        return self

    def zone(self, lines, x, y, pt, step=None, spacing=None):
        for i, ln in enumerate(lines):
            self.at(x, y + i * (step or pt * .5), esc(ln), pt, font_family="'OCR B'", letter_spacing=f'{spacing or 0}mm', white_space='pre')
        return self

    def end(self):
        return self.h + '</div>'


def sheet(w, cards, note=None):
    """A copy of both sides on one page, or the card alone as a scanning app cuts it."""
    z = w.pick(1.0, 1.25, 1.45)
    mode = w.pick('a4', 'a4', 'crop', 'a4note')
    base = '<style>body{margin:0}.card{position:relative;overflow:hidden;border-radius:2.5mm;margin:0 0 9mm 0}.card ' \
        'span{position:absolute;white-space:nowrap;' \
           'line-height:1.1}</style>'
    if mode == 'crop':
        a, b = map(float, re.search(r'width:([\d.]+)mm;height:([\d.]+)mm', cards[0]).groups())
        z = 1.2 if a > 120 else 1.6
        cw, ch = round(a * z + 8, 1), round((b + 9) * z * len(cards) + 12, 1)
        return f'<style>@page{{size:{cw}mm {ch}mm;margin:3mm}}</style>{base}<div style="zoom:{z}">' + ''.join(cards) + '</div>', 'crop'
    head = ''
    if mode == 'a4note':
        head = '<p style="font:10pt Carlito;margin:0 0 12mm">' + (note or w.pick('Copie recto verso', 'copie pour dossier assurance', 'Pièce jointe n° 2',
            '')) + '</p>'
    return f'<style>@page{{size:A4;margin:{w.pick(22, 30, 18)}mm {w.pick(18, 24)}mm}}</style>{base}{head}<div class=z style="zoom:{z}">' + ''.join(cards) \
        + '</div>', mode


def done(w, cards, day, lay, note=None):
    src, mode = sheet(w, cards, note)
    return out('<!doctype html><meta charset=utf-8><title></title>' + src, 'chrome', day, lay, flat=mode == 'crop')


def life(w, cc, years=10, last=dt.date(2026, 9, 30)):
    p = w.person(cc)
    issue = w.day(dt.date(2018, 1, 10), last)
    try:
        exp = issue.replace(year=issue.year + years) - dt.timedelta(days=1)
    except ValueError:
        exp = issue + YEAR * years
    return p, issue, w.late(exp)


# ------------------------------------------------------------------ identity cards
def id_fr_old(w):
    p, issue, exp = life(w, 'FR', 15, dt.date(2021, 6, 30))
    n = issue.strftime('%y%m') + w.pick('59', '69', '33') + w.pick('1', '2', '3', '0') + w.num(5)
    v = w.who(p)
    c = Card(w, '#dfe9ee', ('#aac4d4', '#c9d8c4'), (105, 74))
    c.at(4, 2.5, 'RÉPUBLIQUE FRANÇAISE', 8, font_weight='bold', color='#246').at(4, 8, 'CARTE NATIONALE D’IDENTITÉ&nbsp; N° :', 7)
    c.at(56, 7.7, w.f('documentNumber', n), 8.5, font_family='Liberation Mono', font_weight='bold').at(84, 8, 'Nationalité Française', 5.5)
    w.f('nationality', 'Française')
    c.pic(4, 15, 27, 36, p)
    m = "Liberation Mono"
    for i, (a, b) in enumerate([('Nom :', v.last), ('Prénom(s) :', v.first), ('Sexe :', p.sex), ('Né(e) le :', w.fd('birthDate', p.birth, '.')),
                                ('à :', p.birthplace.upper()), ('Taille :', f'1,{w.r.randint(52, 92)}m')]):
        c.at(36, 15 + i * 6.1, a, 6.5, color='#357').at(52, 14.7 + i * 6.1, esc(b), 8.5, font_family=m)
    c.at(36, 52, 'Signature du titulaire :', 5).sig(60, 48, p, .45).zone(w.mrz(mrz_frold(p, n, p.birth, p.sex, n[4:6])), 5, 59, 9.2, 6, .28)
    b = Card(w, '#e4ece6', ('#aac4d4', '#c9d8c4'), (105, 74))
    b.at(5, 8, 'Adresse :', 6.5).at(24, 7.6, esc(p.street.upper()), 8, font_family=m).at(24, 12.6, esc(f'{p.city.upper()} ({p.pc[:2]})'), 8, font_family=m)
    b.at(5, 26, 'Carte valable jusqu’au :', 6.5).at(40, 25.6, w.fd('expiryDate', exp, '.'), 8.5, font_family=m)
    b.at(5, 32, 'délivrée le :', 6.5).at(40, 31.6, fdate(issue, '.'), 8.5, font_family=m)
    b.at(5, 38, 'par :', 6.5).at(40, 37.6, f'PRÉFECTURE ({p.pc[:2]})', 8, font_family=m).at(5, 46, 'Signature de l’autorité :', 6).sig(45, 44, w.person('FR'),
        .45)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=w.r.randint(30, 300)), 'colon')


def id_fr_new(w):
    p, issue, exp = life(w, 'FR')
    n = w.let(1) + w.num(1) + w.let(6, 'ACDFGHJKLMNPRTVXYZ23456789') + w.num(1)
    v = w.who(p)
    c = Card(w, 'linear-gradient(100deg,#dde8f2,#f5e9ee,#e3eff0)', ('#b9cde2', '#e6c3d0'))
    c.at(20, 2, 'RÉPUBLIQUE FRANÇAISE', 6.5, font_weight='bold', color='#124').at(20, 5, "CARTE NATIONALE D'IDENTITÉ / IDENTITY CARD", 4.6, color='#124')
    c.at(4, 2.4, 'FR', 7, background='#139', color='#fff', padding='1mm 1.4mm')
    c.pic(4, 14, 25, 33, p, True)
    for x, y, a, b in [(32, 9, 'NOM / Surname', v.last), (32, 15, 'PRÉNOMS / Given names', ', '.join(v.first.split())),
                       (32, 21.5, 'SEXE / Sex', p.sex), (42, 21.5, 'NATIONALITÉ / Nationality', w.f('nationality', 'FRA')),
                       (62, 21.5, 'DATE DE NAISS. / Date of birth', w.fd('birthDate', p.birth, ' ')), (32, 27.5, 'LIEU DE NAISSANCE / Place of birth',
                           p.birthplace.upper()),
                       (32, 40, 'N° DU DOCUMENT / Document No', w.f('documentNumber', n)), (60, 40, "DATE D'EXPIR. / Expiry date", w.fd('expiryDate', exp,
                           ' '))]:
        c.lab(x, y, a, b)
    if len(v.first.split()) > 1:
        w.fields['firstName'].printed = ', '.join(v.first.split())
    c.lab(32, 33.5, "NOM D'USAGE / Alternate name", '').at(75, 48, w.num(6), 5)
    b = Card(w, 'linear-gradient(80deg,#e8eef4,#f1e8ee)', ('#b9cde2', '#e6c3d0'))
    b.lab(5, 5, 'TAILLE / Height', f'1,{w.r.randint(52, 92)} m').lab(25, 5, 'DATE DE DÉLIVRANCE / Date of issue', fdate(issue, ' '))
    b.lab(5, 12, 'ADRESSE / Address', p.street.upper(), vp=6).at(5, 17, esc(f'{p.pc} {p.city.upper()} FRANCE'), 6, font_weight='bold')
    b.zone(w.mrz(td1('ID', 'FRA', p, n, 'FRA', p.birth, p.sex, exp)), 5, 37, 8.2, 5, .24)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=w.r.randint(30, 90)), 'under')


def id_be(w):
    p, issue, exp = life(w, 'BE')
    n = '59' + w.num(8)
    n += f'{int(n) % 97 or 97:02d}'
    v = w.who(p, str)
    c = Card(w, 'linear-gradient(120deg,#dfe6d6,#f2e6da,#dbe6ea)', ('#b7c9a8', '#dbbfa8'))
    c.at(4, 2, 'BELGIQUE&nbsp; BELGIË&nbsp; BELGIEN&nbsp; BELGIUM', 5.5, font_weight='bold').at(4, 5,
        "CARTE D'IDENTITÉ &nbsp;IDENTITEITSKAART &nbsp;PERSONALAUSWEIS", 4.6)
    c.pic(62, 11, 19, 25, p, True)
    for x, y, a, b in [(5, 10, 'Nom / Name', v.last), (5, 16, 'Prénoms / Given names', v.first), (5, 22, 'Sexe / Sex', {'F': 'F', 'M': 'M'}[p.sex]),
                       (18, 22, 'Nationalité / Nationality', w.f('nationality', 'Belge')), (40, 22, 'Date de naissance', w.fd('birthDate', p.birth, '.')),
                       (5, 28, 'N° carte / Card No', w.f('documentNumber', f'{n[:3]}-{n[3:10]}-{n[10:]}')),
                       (5, 34, "Valable du - au / Valid from - until", f'{fdate(issue, ".")} - {w.fd("expiryDate", exp, ".")}')]:
        c.lab(x, y, a, b, vp=6.5)
    c.at(5, 41, 'Signature du titulaire', 4).sig(5, 42, p, .4)
    b = Card(w, 'linear-gradient(60deg,#dbe6ea,#e9e2d2)', ('#b7c9a8', '#dbbfa8'))
    b.lab(5, 5, 'Numéro d’identification du Registre national', w.nrn(p)).lab(5, 12, 'Lieu de délivrance', p.city).lab(45, 12, 'Lieu de naissance',
        p.birthplace)
    b.zone(w.mrz(td1('ID', 'BEL', p, n, 'BEL', p.birth, p.sex, exp, opt2=w.nrn(p).replace('.', '').replace('-', '')[:11])), 5, 37, 8.2, 5, .24)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=70), 'under')


def id_de(w):
    p, issue, exp = life(w, 'DE')
    n = 'L' + w.let(8, 'CFGHJKLMNPRTVWXYZ0123456789')
    v = w.who(p)
    c = Card(w, 'linear-gradient(100deg,#e6eef0,#dfe9df,#eee6dc)', ('#a7c4bb', '#c9b79b'))
    c.at(4, 2, 'BUNDESREPUBLIK DEUTSCHLAND', 6, font_weight='bold').at(4, 5, 'PERSONALAUSWEIS · IDENTITY CARD · CARTE D’IDENTITÉ', 4.4)
    c.at(60, 3, w.f('documentNumber', n), 9, font_family='OCR B').pic(4, 12, 25, 33, p, True)
    for y, a, b in [(10, '[a] Name/Surname/Nom', v.last), (19, 'Vornamen/Given names/Prénoms', v.first), (25, 'Geburtstag/Date of birth', w.fd('birthDate',
        p.birth, '.')),
                    (31, 'Geburtsort/Place of birth', p.birthplace.upper()), (37, 'Gültig bis/Date of expiry', w.fd('expiryDate', exp, '.'))]:
        c.lab(32, y, a, b)
    c.lab(62, 25, 'Staatsangehörigkeit', w.f('nationality', 'DEUTSCH')).sig(32, 43, p, .35)
    b = Card(w, '#e3ebea', ('#a7c4bb', '#c9b79b'))
    b.lab(5, 4, 'Augenfarbe/Colour of eyes', w.pick('BRAUN', 'BLAU', 'GRÜN')).lab(35, 4, 'Größe/Height', f'{w.r.randint(155, 195)} cm')
    b.lab(5, 11, 'Datum/Date', fdate(issue, '.')).lab(35, 11, 'Behörde/Authority', 'STADT ' + p.city.upper())
    b.lab(5, 18, 'Anschrift/Address', f'{p.pc} {p.city.upper()}').at(5, 23, esc(p.street.upper().replace('SS', 'SS')), 6, font_weight='bold')
    b.zone(w.mrz(td1('ID', 'D', p, n, 'D', p.birth, p.sex, exp)), 5, 37, 8.2, 5, .24)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=60), 'under', 'Kopie Vorder-/Rückseite')


def id_es(w):
    p, issue, exp = life(w, 'ES')
    n, sup = w.dni(), w.let(3) + w.num(6)
    v = w.who(p)
    c = Card(w, 'linear-gradient(90deg,#f0e3e8,#e3eaf2)', ('#dcb2c2', '#b2c4dc'))
    c.at(18, 2, 'ESPAÑA', 8, font_weight='bold', color='#923').at(34, 3, 'DOCUMENTO NACIONAL DE IDENTIDAD', 4.8)
    c.pic(4, 12, 26, 34, p, True)
    two = v.last.split(' ', 1)
    for x, y, a, b in [(33, 10, 'APELLIDOS', v.last), (33, 18, 'NOMBRE', v.first), (33, 25, 'SEXO', p.sex.replace('M', 'M')),
                       (43, 25, 'NACIONALIDAD', w.f('nationality', 'ESP')), (61, 25, 'FECHA DE NACIMIENTO', w.fd('birthDate', p.birth, ' ')),
                       (33, 32, 'NÚM SOPORTE', sup), (61, 32, 'VALIDEZ', w.fd('expiryDate', exp, ' '))]:
        c.lab(x, y, a, b)
    c.at(33, 40, 'DNI', 5).at(40, 38.6, w.f('documentNumber', n), 10, font_weight='bold')
    b = Card(w, '#ece4ea', ('#dcb2c2', '#b2c4dc'))
    b.lab(5, 4, 'DOMICILIO', p.street.upper()).at(5, 9.5, esc(p.city.upper()), 6, font_weight='bold').lab(5, 14, 'LUGAR DE NACIMIENTO', p.birthplace.upper())
    b.lab(5, 21, 'HIJO/A DE', w.pick('ANTONIO / CARMEN', 'JOSÉ / ROSA')).zone(w.mrz(td1('ID', 'ESP', p, sup, 'ESP', p.birth, p.sex, exp, opt1=n)), 5, 37, 8.2,
        5, .24)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=90), 'under', 'Fotocopia DNI')


def id_it(w):
    p, issue, exp = life(w, 'IT')
    n = 'CA' + w.num(5) + w.let(2)
    v = w.who(p)
    c = Card(w, 'linear-gradient(90deg,#e4efe4,#f1ecd9)', ('#a8cba8', '#d8c89c'))
    c.at(20, 2, 'REPUBBLICA ITALIANA', 5, font_weight='bold').at(20, 4.5, "MINISTERO DELL'INTERNO", 4.5).at(20, 7, "CARTA DI IDENTITÀ / IDENTITY CARD", 5)
    c.at(64, 3, w.f('documentNumber', n), 8, font_family='OCR B').pic(4, 13, 24, 32, p, True)
    for x, y, a, b in [(32, 12, 'COGNOME / SURNAME', v.last), (32, 18, 'NOME / NAME', v.first),
                       (32, 24, 'LUOGO E DATA DI NASCITA / PLACE AND DATE OF BIRTH', f'{p.birthplace.upper()} {w.fd("birthDate", p.birth, ".")}'),
                       (32, 30, 'SESSO / SEX', p.sex), (44, 30, 'CITTADINANZA / NATIONALITY', w.f('nationality', 'ITA')),
                       (32, 36, 'EMISSIONE / ISSUING', fdate(issue, '.')), (58, 36, 'SCADENZA / EXPIRY', w.fd('expiryDate', exp, '.'))]:
        c.lab(x, y, a, b, vp=6.5)
    b = Card(w, '#e8efe0', ('#a8cba8', '#d8c89c'))
    b.lab(5, 5, 'INDIRIZZO DI RESIDENZA / RESIDENCE', f'{p.street.upper()} {p.city.upper()}', vp=6).zone(
        w.mrz(td1('C', 'ITA', p, n, 'ITA', p.birth, p.sex, exp)), 5, 37, 8.2, 5, .24)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=45), 'under', 'copia documento')


def id_ch(w):
    p, issue, exp = life(w, 'CH')
    n = 'S' + w.let(1, 'ABCDE') + w.num(1) + w.let(2, 'ACEFHJ') + w.num(3) + w.let(1)
    v = w.who(p, str)
    c = Card(w, 'linear-gradient(100deg,#f3dcdc,#f5ece6)', ('#e5b0b0', '#d8c2b0'))
    c.at(14, 2, 'SCHWEIZERISCHE EIDGENOSSENSCHAFT · CONFÉDÉRATION SUISSE', 4.4, font_weight='bold').at(14, 4.6,
        'IDENTITÄTSKARTE · CARTE D’IDENTITÉ · CARTA D’IDENTITÀ', 4.4)
    c.at(4, 2, '+', 11, background='#c11', color='#fff', padding='0 1.6mm', font_weight='bold').pic(4, 13, 25, 33, p)
    for x, y, a, b in [(33, 10, 'Name · Nom · Cognome', v.last), (33, 17, 'Vorname(n) · Prénom(s) · Nome(i)', v.first), (33, 24, 'Geschlecht · Sexe', p.sex),
                       (48, 24, 'Geburtsdatum · Date de naissance', w.fd('birthDate', p.birth, '.')), (33, 31, 'Heimatort · Lieu d’origine', p.birthplace),
                       (33, 38, 'Gültig bis · Date d’expiration', w.fd('expiryDate', exp, '.'))]:
        c.lab(x, y, a, b)
    c.at(60, 45, w.f('documentNumber', n), 9, font_family='OCR B')
    b = Card(w, '#f2e4de', ('#e5b0b0', '#d8c2b0'))
    b.lab(5, 4, 'Behörde · Autorité', w.pick('Vaud VD', 'Genève GE', 'Fribourg FR')).lab(45, 4, 'Datum · Date de délivrance', fdate(issue, '.'))
    b.zone(w.mrz(td1('ID', 'CHE', p, n, 'CHE', p.birth, p.sex, exp)), 5, 37, 8.2, 5, .24)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=45), 'under')


# ------------------------------------------------------------------ passports
PASS = {  # country: name of the state, word for the page, labels, date style, background, state code, tongue of the nationality
    'FR': ('RÉPUBLIQUE FRANÇAISE', 'PASSEPORT / PASSPORT',
        'Nom/Surname (1)|Prénoms/Given names (2)|Nationalité/Nationality (3)|Date de naissance/Date of birth (4)|'
           'Sexe/Sex (5)|Lieu de naissance/Place of birth (6)|Date de délivrance/Date of issue (7)|Autorité/Authority (8)|Date d’expiration/Date of expiry (9)|'
           'Passeport n°/Passport No', ' ', '#eadfe6', 'Préfecture de police'),
    'BE': ('BELGIQUE BELGIË BELGIEN', 'PASSEPORT · PASPOORT · REISEPASS',
        '1. Nom/Naam|2. Prénoms/Voornamen|3. Nationalité/Nationaliteit|4. Date de naissance/Geboortedatum|'
           '5. Sexe/Geslacht|6. Lieu de naissance/Geboorteplaats|7. Date de délivrance/Datum van afgifte|8. Autorité/Instantie|9. Date '
               'd’expiration/Vervaldatum|'
           'N° du passeport/Paspoortnr.', '.', '#e9e2da', 'Commune'),
    'CH': ('SCHWEIZ SUISSE SVIZZERA SVIZRA', 'PASS PASSEPORT PASSAPORTO',
        'Name · Nom · Surname|Vornamen · Prénoms · Given names|Staatsangehörigkeit · Nationalité|'
           'Geburtsdatum · Date de naissance|Geschlecht · Sexe|Heimatort · Lieu d’origine|Ausstellungsdatum · Date de délivrance|Behörde · Autorité|'
           'Gültig bis · Date d’expiration|Pass-Nr. · N° du passeport', '.', '#f3dfdc', 'Canton'),
    'GB': ('UNITED KINGDOM OF GREAT BRITAIN AND NORTHERN IRELAND', 'PASSPORT PASSEPORT', 'Surname/Nom (1)|Given names/Prénoms (2)|Nationality/Nationalité (3)|'
           'Date of birth/Date de naissance (4)|Sex/Sexe (5)|Place of birth/Lieu de naissance (6)|Date of issue/Date de délivrance (7)|Authority/Autorité (8)|'
           'Date of expiry/Date d’expiration (9)|Passport No./Passeport No.', 'pass', '#e2e6ee', 'HMPO'),
    'IE': ('ÉIRE IRELAND IRLANDE', 'PAS PASSPORT PASSEPORT',
        'Sloinne/Surname|Réamhainm(neacha)/Forename(s)|Náisiúntacht/Nationality|Dáta breithe/Date of birth|Gnéas/Sex|'
           'Áit bhreithe/Place of birth|Dáta eisiúna/Date of issue|Údarás/Authority|As feidhm/Date of expiry|Pas Uimh./Passport No.', 'mon', '#e0ebe2',
               'AN ROINN GNÓTHAÍ EACHTRACHA'),
    'US': ('THE UNITED STATES OF AMERICA', 'PASSPORT · PASSEPORT · PASAPORTE',
        'Surname / Nom / Apellidos|Given Names / Prénoms / Nombres|Nationality / Nationalité|'
           'Date of birth / Date de naissance|Sex / Sexe|Place of birth / Lieu de naissance|Date of issue / Date de délivrance|Authority / Autorité|'
           'Date of expiration / Date d’expiration|Passport No. / No. du Passeport', 'mon', '#dfe7ee', 'United States Department of State'),
    'CA': ('CANADA', 'PASSPORT PASSEPORT',
        'Surname/Nom|Given names/Prénoms|Nationality/Nationalité|Date of birth/Date de naissance|Sex/Sexe|Place of birth/Lieu de naissance|'
           'Date of issue/Date de délivrance|Issuing Authority/Autorité de délivrance|Date of expiry/Date d’expiration|Passport No./N° de passeport', 'pass',
               '#f0e2e0', 'GATINEAU'),
    'DE': ('BUNDESREPUBLIK DEUTSCHLAND', 'REISEPASS PASSPORT PASSEPORT',
        '1. Name/Surname/Nom|2. Vornamen/Given names|3. Staatsangehörigkeit/Nationality|4. Geburtstag/Date of birth|'
           '5. Geschlecht/Sex|6. Geburtsort/Place of birth|7. Ausstellungsdatum/Date of issue|8. Behörde/Authority|9. Gültig bis/Date of '
               'expiry|Pass-Nr./Passport No.', '.', '#e6ece2', 'Stadt'),
}


def passport(w, cc):
    state, word, labels, ds, bg, auth = PASS[cc]
    lb = labels.split('|')
    p, issue, exp = life(w, cc)
    code = NAT[cc][0]
    n = {'FR': lambda: w.num(2) + w.let(2) + w.num(5), 'BE': lambda: 'E' + w.let(1) + w.num(6), 'CH': lambda: 'X' + w.num(7), 'GB': lambda: w.nz(9),
         'IE': lambda: 'P' + w.let(1) + w.num(7), 'US': lambda: w.nz(9), 'CA': lambda: w.let(2) + w.num(6), 'DE': lambda: 'C' + w.let(8,
             'CFGHJKLMNPRTVWXYZ0123456789')}[cc]()
    v = w.who(p, str.upper if cc != 'CH' else str, str.upper if cc in ('GB', 'CA', 'US', 'DE') else str)
    nat = {'FR': 'Française', 'BE': 'BELGE', 'CH': 'SCHWEIZ · SUISSE', 'CA': 'CANADIAN/CANADIENNE', 'IE': 'ÉIREANNACH/IRISH'}.get(cc, NAT[cc][1])
    printed = {'CA': 'CANADIAN', 'CH': 'SUISSE', 'IE': 'IRISH'}.get(cc, nat)
    w.f('nationality', printed)
    bd, ed = w.fd('birthDate', p.birth, ds), w.fd('expiryDate', exp, ds)
    idt, bp = fdate(issue, ds), p.birthplace + (', U.S.A.' if cc == 'US' else (' CAN' if cc == 'CA' else ''))
    c = Card(w, f'linear-gradient({w.r.randint(60, 130)}deg,{bg},#f6f3ec,{bg})', w.pick(('#b5c2d8', '#d8c0b5'), ('#c5b0c8', '#b0c8bd')), (125, 88),
             w.pick('Liberation Sans', 'Liberation Sans Narrow', 'Nimbus Sans'))
    c.at(5, 2.5, state, 7 if len(state) < 40 else 5.6, font_weight='bold', color='#333').at(5, 6.5, word, 5.4)
    c.pic(6, 17, 33, 43, p, grey=cc in ('DE', 'CH'))
    c.lab(44, 9, 'Type', 'P', 4).lab(56, 9, {'FR': 'Code du pays/Country code', 'US': 'Code / Code'}.get(cc, 'Code'), code.ljust(3) if cc == 'DE' else code, 4)
    c.lab(86, 9, lb[9], w.f('documentNumber', n), 4, 9)
    right = cc in ('US', 'IE')
    dy = 5.9 if cc not in ('GB', 'CA') else 6.2
    rows = [(lb[0], v.last), (lb[1], v.first), (lb[2], nat), (lb[3], bd)]
    y = 16
    for a, b in rows:
        c.lab(44, y, a, b, 4, 7.6, 2.1)
        y += dy
    if right:
        c.lab(44, y, lb[5], bp.upper(), 4).lab(84, y, lb[4], p.sex, 4).lab(44, y + dy, lb[6], idt, 4).lab(84, y + dy, lb[7], auth, 4, 5).lab(44, y + 2 * dy,
            lb[8], ed, 4)
    else:
        c.lab(44, y, lb[4], p.sex, 4).lab(70, y, lb[5], bp.upper(), 4).lab(44, y + dy, lb[6], idt, 4).lab(88, y + dy, lb[7], auth, 4, 5.5).lab(44, y + 2 * dy,
            lb[8], ed, 4)
    c.sig(86, 56, p, .4)
    c.zone(w.mrz(td3(p, code, n, code, p.birth, p.sex, exp)), 5, 70, 9.4, 7.5, .16)
    return done(w, [c.end()], issue + dt.timedelta(days=w.r.randint(20, 60)), 'under', w.pick('', 'copy of passport', 'Passeport'))


# ------------------------------------------------------------------ residence permits
PERMIT = {
    'FR': ('RÉPUBLIQUE FRANÇAISE', 'TITRE DE SÉJOUR / RESIDENCE PERMIT',
        'NOM / Surname|PRÉNOMS / Given names|SEXE / Sex|NATIONALITÉ / Nationality|DATE DE NAISS. / Date of birth|'
           'CATÉGORIE DU TITRE / Type of permit|N° TITRE / Document No|DATE D’EXPIRATION / Expiry date', 'IR', 'FRA', ' ', ['VIE PRIVÉE ET FAMILIALE',
               'CARTE DE RÉSIDENT', 'SALARIÉ']),
    'BE': ('BELGIQUE BELGIË BELGIEN', 'TITRE DE SÉJOUR · VERBLIJFSTITEL',
        'Nom|Prénom(s)|Sexe|Nationalité|Date de naissance|Type de titre|N° de carte|Valable jusqu’au', 'IR', 'BEL', '.',
           ['A. SÉJOUR LIMITÉ', 'B. SÉJOUR ILLIMITÉ', 'F. MEMBRE FAMILLE UE']),
    'CH': ('SCHWEIZ SUISSE SVIZZERA', 'AUFENTHALTSTITEL · TITRE DE SÉJOUR',
        'Nom/Surname|Prénom/Given name|Sexe|Nationalité|Date de naissance|Genre de titre|N° titre|Valable jusqu’au/Expiry', 'IR',
           'CHE', '.', ['B · AUTORISATION DE SÉJOUR', 'C · AUTORISATION D’ÉTABLISSEMENT']),
    'GB': ('UNITED KINGDOM', 'RESIDENCE PERMIT', 'NAME|GIVEN NAMES|SEX|NATIONALITY|DATE OF BIRTH|TYPE OF PERMIT|DOCUMENT NUMBER|VALID UNTIL', 'IR', 'GBR',
        'MON', ['SKILLED WORKER', 'SPOUSE', 'STUDENT']),
    'IE': ('ÉIRE IRELAND', 'IRISH RESIDENCE PERMIT · CEAD CÓNAITHE',
        'NAME / AINM|GIVEN NAMES|SEX|NATIONALITY|DATE OF BIRTH|TYPE OF PERMIT|REGISTRATION NO|VALID UNTIL', 'IR', 'IRL', '/', ['STAMP 4', 'STAMP 1']),
    'DE': ('BUNDESREPUBLIK DEUTSCHLAND', 'AUFENTHALTSTITEL',
        'NAME/Surname|VORNAMEN/Given names|Geschlecht|STAATSANGEHÖRIGKEIT|GEBURTSDATUM|ART DES TITELS|DOKUMENTENNR.|GÜLTIG BIS', 'AR', 'D', '.',
           ['NIEDERLASSUNGSERLAUBNIS', 'BLAUE KARTE EU']),
    'US': ('UNITED STATES OF AMERICA', 'PERMANENT RESIDENT', 'Surname|Given Name|Sex|Country of Birth|Date of Birth|Category|USCIS#|Card Expires:', 'C1',
        'USA', 'mon', ['IR1', 'F21', 'DV1']),
    'CA': ('GOVERNMENT OF CANADA', 'PERMANENT RESIDENT CARD · CARTE DE RÉSIDENT PERMANENT',
        'Name / Nom|Given names|Sex / Sexe|Nationality / Nationalité|Date of Birth / Date de naissance|Category|'
           'ID No / No ID|Expiry / Expiration', 'CA', 'CAN', 'iso', ['PERMANENT RESIDENT']),
}
FOREIGN = [('Oumar|Aïssata|Ibrahima', 'Keita|Coulibaly|Sow', 'MLI', 'MALIENNE', 'MALI'), ('Nguyen Thi|Minh|Lan', 'Tran|Pham', 'VNM', 'VIETNAMIENNE', 'VIETNAM'),
           ('Yasmine|Samir|Nour', 'Belkacem|Haddad|Zerrouki', 'DZA', 'ALGÉRIENNE', 'ALGERIA'), ('Oksana|Andriy', 'Shevchenko|Kovalenko', 'UKR', 'UKRAINIENNE',
               'UKRAINE'),
           ('Rajesh|Ananya', 'Krishnamurthy|Patel', 'IND', 'INDIENNE', 'INDIA'), ('Thiago|Larissa', 'Nascimento|Barbosa', 'BRA', 'BRÉSILIENNE', 'BRAZIL')]


def permit(w, cc):
    state, word, labels, kind, code, ds, cats = PERMIT[cc]
    lb = labels.split('|')
    p, issue, exp = life(w, cc, w.pick(5, 10))
    fi, la, nat, natfr, country = w.pick(FOREIGN)
    p.first = p.firsts = w.pick(fi.split('|'))
    p.last = w.pick(la.split('|'))
    n = {'US': lambda: w.let(3) + w.num(6), 'CA': lambda: w.let(2) + w.num(7), 'GB': lambda: 'R' + w.let(1) + w.num(7), 'FR': lambda: w.let(2,
        'ABCXYZT') + w.num(7)}.get(
        cc, lambda: w.let(1) + w.num(8))()
    v = w.who(p)
    natp = nat if cc in ('FR', 'BE') and w.r.random() < .5 or cc in ('GB', 'IE', 'DE', 'CH', 'CA') else natfr
    if cc == 'US':
        natp = country
    else:
        w.f('nationality', natp)
    shown = n if cc != 'US' else f'{w.num(3)}-{w.num(3)}-{w.num(3)}'
    c = Card(w, w.pick('linear-gradient(90deg,#f2dfe6,#dfe6f2)', 'linear-gradient(110deg,#e6eedd,#eedfe8)', '#dfe8ea'), ('#d3aebf', '#aebfd3'))
    c.at(5, 2, state, 6, font_weight='bold').at(5, 5, word, 4.8, font_weight='bold', color='#734')
    c.pic(4, 13, 24, 32, p, cc != 'US')
    vals = [v.last, v.first, p.sex, natp, w.fd('birthDate', p.birth, ds), w.pick(cats), w.f('documentNumber', shown), w.fd('expiryDate', exp, ds)]
    spots = [(31, 9), (31, 15.5), (31, 22), (41, 22), (62, 22), (31, 28.5), (31, 35), (58, 35)]
    if cc in ('US', 'IE'):
        spots = [(31, 9), (31, 15), (31, 33), (31, 21), (31, 27), (56, 27), (31, 39), (58, 39)]
    for (x, y), a, b in zip(spots, lb, vals):
        c.lab(x, y, a, b, 3.8, 6.6)
    b = Card(w, '#e6e6ee', ('#d3aebf', '#aebfd3'))
    if cc in ('FR', 'BE'):
        b.lab(5, 5, 'Date de délivrance / Date of issue', fdate(issue, ds)).lab(5, 12, 'Autorité', w.pick('PRÉFECTURE DU NORD',
            'PRÉFECTURE DE POLICE') if cc == 'FR' else p.city)
        if cc == 'FR':
            b.lab(5, 19, 'ADRESSE', f'{p.street.upper()} {p.pc} {p.city.upper()}', vp=5.6).lab(40, 5, 'REMARQUES',
                w.pick('AUTORISE SON TITULAIRE A TRAVAILLER', '1ERE DELIVRANCE'), vp=5)
    elif cc == 'US':
        b.at(5, 6, 'Resident Since: ' + fdate(issue, 'us'), 6)
    else:
        b.lab(5, 5, 'Date of issue', fdate(issue, ds)).lab(5, 12, 'Remarks', w.pick('WORK PERMITTED', 'NO PUBLIC FUNDS', ''), vp=6)
    b.zone(w.mrz(td1(kind, code, p, n, nat, p.birth, p.sex, exp)), 5, 37, 8.2, 5, .24)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=60), 'under')


# ------------------------------------------------------------------ driving licences
def lic_eu(w, cc):
    p, issue, exp = life(w, cc, 15 if cc in ('FR', 'DE') else 10)
    issue2 = fdate(issue, '.2' if w.r.random() < .3 else '.')
    names = {'FR': ('PERMIS DE CONDUIRE', 'RÉPUBLIQUE FRANÇAISE', 'F'), 'BE': ('PERMIS DE CONDUIRE RIJBEWIJS', 'ROYAUME DE BELGIQUE', 'B'),
             'GB': ('DRIVING LICENCE', 'UK', 'UK'), 'IE': ('CEADÚNAS TIOMÁNA DRIVING LICENCE', 'ÉIRE/IRELAND', 'IRL'), 'DE': ('FÜHRERSCHEIN',
                 'BUNDESREPUBLIK DEUTSCHLAND', 'D'),
             'CH': ('PERMIS DE CONDUIRE FÜHRERAUSWEIS', 'CONFÉDÉRATION SUISSE', 'CH'), 'IT': ('PATENTE DI GUIDA', 'REPUBBLICA ITALIANA', 'I')}[cc]
    if cc == 'GB':   # the number is spelt from surname, birth and initials
        b = p.birth
        a = ''.join(ch for ch in plain(p.last).upper() if ch.isalpha())[:5].ljust(5, '9')
        mm = b.month + (50 if p.sex == 'F' else 0)
        n = f'{a}{b.year % 100 // 10}{mm:02d}{b.day:02d}{b.year % 10}{plain(p.first)[0].upper()}' \
            f'{(plain(p.firsts.split()[1])[0] if " " in p.firsts else "9").upper()}9{w.let(2)}'
    else:
        n = {'FR': lambda: issue.strftime('%y') + w.let(2) + w.num(5), 'BE': lambda: w.nz(10), 'IE': lambda: w.num(9),
            'DE': lambda: w.let(1) + w.num(3) + w.let(3) + w.num(3) + w.let(1),
             'CH': lambda: w.num(12), 'IT': lambda: 'U1' + w.let(1) + w.num(6) + w.let(1)}[cc]()
    v = w.who(p)
    c = Card(w, 'linear-gradient(90deg,#f6e3ea,#f4eef5,#f2dfe8)', ('#e7b5c8', '#d9c1dd'), font=w.pick('Liberation Sans', 'Nimbus Sans', 'DejaVu Sans'))
    c.at(5, 2, names[2], 7, background='#13379b', color='#fff', padding='1mm 1.5mm').at(20, 2, names[0], 7, font_weight='bold').at(20, 5.5, names[1], 5)
    c.pic(4, 14, 22, 29, p, True)
    birth = w.fd('birthDate', p.birth, '.')
    x = 29
    sep = w.pick('. ', '&nbsp; ', '.&nbsp;')
    rows = [('1', v.last), ('2', v.first), ('3', birth + ' ' + p.birthplace.upper()), ('4a', issue2),
            ('4b', w.fd('expiryDate', exp, '.')), ('4c', {'FR': f'Préfet {p.pc[:2]}', 'GB': 'DVLA', 'DE': 'Landkreis ' + p.city, 'IE': 'RSA', 'CH': 'Vaud VD',
                'IT': 'MIT-UCO'}.get(cc, p.city)),
            ('5', w.f('documentNumber', n))]
    if cc in ('GB', 'IE', 'BE'):
        rows.append(('8', f'{p.street.upper()}, {p.city.upper()}'))
    y = 9
    for a, b in rows:
        b = esc(b) if a != '3' else esc(b)
        if a == '4a':
            c.at(x, y, f'{a}{sep}<b>{b}</b>', 6.4)
            continue
        if a == '4b':
            c.at(x + 26, y, f'{a}{sep}<b>{b}</b>', 6.4)
            y += 4.4
            continue
        c.at(x, y, f'{a}{sep}<b>{b}</b>', 6.4 if a != '8' else 5)
        y += 4.4
    c.sig(30, 42, p, .32).at(5, 47, '9.&nbsp; <b>AM/B1/B</b>' if cc != 'CH' else '9. <b>A1 B</b>', 6.5)
    b = Card(w, '#f5e8ee', ('#e7b5c8', '#d9c1dd'))
    head = '<tr><th>9.</th><th>10.</th><th>11.</th><th>12.</th></tr>'
    rows = ''.join(f'<tr><td>{k}</td><td>{fdate(issue, ".2") if k in ("AM", "B1", "B") else ""}</td>'
        f'<td>{fdate(exp, ".2") if k in ("AM", "B1", "B") else ""}</td><td></td></tr>'
                   for k in ('AM', 'A1', 'A2', 'A', 'B1', 'B', 'C1', 'C', 'D1', 'BE'))
    b.h += f'<style>.lt td,.lt th{{border:.2mm solid #a7a;font-size:4.4pt;padding:0 2mm;text-align:left}}.lt{{border-collapse:collapse;position:absolute;' \
        f'left:22mm;top:3mm}}</style>' \
           f'<table class=lt>{head}{rows}</table>'
    b.at(5, 44, '12. ' + w.pick('', '01.06', '70'), 5)
    return done(w, [c.end(), b.end()], issue + dt.timedelta(days=100), 'numbered', w.pick('', 'permis recto/verso', 'licence copy'))


def lic_us(w, cc='US'):
    p, issue, exp = life(w, cc, 5)
    v = w.who(p)
    if cc == 'US':
        state, n, ds = w.pick(('CALIFORNIA', w.let(1) + w.num(7), 'us'), ('Texas', w.num(8), 'us'), ('OHIO', w.let(2) + w.num(6), 'us'), ('North Carolina',
            w.num(12), 'us'))
        lb = ('DL', 'EXP', 'LN', 'FN', 'DOB', 'ISS', 'DRIVER LICENSE')
        if state != 'CALIFORNIA':
            lb = ('4d DL', '4b EXP', '1', '2', '3 DOB', '4a ISS', 'DRIVER LICENSE')
    else:
        ds = 'iso'
        n = f'{p.last[0].upper()}{w.num(4)}-{w.num(5)}-{p.birth:%y}' + p.birth.strftime('%m%d')[:3]
        state = w.pick('ONTARIO', 'QUÉBEC')
        lb = ('4d NUMBER/NUMÉRO', '4b EXP/EXP', '1,2 NAME/NOM', '', '3 DOB/DDN', '4a ISS/DÉL', "DRIVER'S LICENCE · PERMIS DE CONDUIRE")
    c = Card(w, w.pick('linear-gradient(100deg,#dbe7f5,#f6ead2)', 'linear-gradient(90deg,#e8f0e0,#dfe6f4)'), ('#b3c7de', '#dfcfa8'), font='Roboto')
    c.at(5, 2, state, 9, font_weight='bold', color='#14438a').at(42, 3, lb[6], 6 if cc == 'US' else 4.6, font_weight='bold').pic(4, 13, 24, 31, p)
    c.at(31, 9, f'{lb[0]} <b style="color:#a11">{w.f("documentNumber", n)}</b>', 7.5).at(31, 13.5,
        f'{lb[1]} <b style="color:#a11">{w.fd("expiryDate", exp, ds)}</b>', 7)
    c.at(31, 17.5, f'{lb[2]} <b>{esc(v.last)}</b>', 7).at(31, 21.5, f'{lb[3]} <b>{esc(v.first)}</b>', 7)
    c.at(31, 25.5, esc(p.street.upper()), 5.8).at(31, 28.5, esc(f'{p.city}, {p.st} {p.pc}'.upper()), 5.8)
    c.at(31, 32.5, f'{lb[4]} <b style="color:#a11">{w.fd("birthDate", p.birth, ds)}</b>', 7.2).at(31, 37,
        f'SEX {p.sex}&nbsp; HGT {w.pick("5-06", "5-09", "6-01")}&nbsp; EYES BRN', 5.5)
    c.at(31, 41, f'{lb[5]} {fdate(issue, ds)}', 6).at(31, 44.5, 'CLASS ' + ('C' if cc == 'US' else 'G') + '&nbsp; END NONE&nbsp; RSTR CORR LENS', 5).sig(5,
        43, p, .35)
    return done(w, [c.end()], issue + dt.timedelta(days=30), 'colon', '')


def lic_fr_pink(w):
    """The pink folded licence filled on a typewriter."""
    p = w.person('FR')
    p.birth = w.day(dt.date(1945, 1, 1), dt.date(1985, 1, 1))
    issue = w.early(w.day(p.birth + YEAR * 18 + dt.timedelta(days=60), p.birth + YEAR * 25))
    n = issue.strftime('%y%m') + p.pc[:2] + w.num(6)
    v = w.who(p)
    t = 'Liberation Mono'
    c = Card(w, '#f3c9d3', ('#e3a5b6', '#ecbcc7'), (125, 88), 'Nimbus Roman')
    c.at(30, 4, 'RÉPUBLIQUE FRANÇAISE', 9).at(34, 9, 'PERMIS DE CONDUIRE', 11, font_weight='bold').at(28, 14, 'Modèle des Communautés Européennes', 7)
    rows = [('1. Nom', v.last), ('2. Prénoms', v.first), ('3. Date et lieu de naissance', f'{w.fd("birthDate", p.birth, ".")}  {p.birthplace.upper()}'),
            ('4. Domicile', p.city.upper()), ('5. Délivré par le Préfet de', f'DÉPARTEMENT {p.pc[:2]}'), ('à', p.city.upper() + '   le ' + fdate(issue, '.')),
            ('6. Permis n°', w.f('documentNumber', n))]
    for i, (a, b) in enumerate(rows):
        c.at(44, 22 + i * 7.4, a, 6.5).at(48, 25 + i * 7.4, esc(b), 8.6, font_family=t)
    c.pic(6, 24, 30, 38, p, True).at(6, 70, 'Signature du titulaire', 6).sig(6, 70, p, .45)
    c.h += f'<div style="position:absolute;left:20mm;top:50mm">{stamp(["PRÉFECTURE", "le Préfet"], "#443a8a", -14, True, 80, 80)}</div>'
    return done(w, [c.end()], w.day(1500, 300), 'under', 'photocopie permis')


DESIGNS = [('IDENTITY_CARD', 'FR', id_fr_old), ('IDENTITY_CARD', 'FR', id_fr_new), ('IDENTITY_CARD', 'BE', id_be), ('IDENTITY_CARD', 'DE', id_de),
           ('IDENTITY_CARD', 'ES', id_es), ('IDENTITY_CARD', 'IT', id_it), ('IDENTITY_CARD', 'CH', id_ch), ('DRIVING_LICENCE', 'FR', lic_fr_pink),
           ('DRIVING_LICENCE', 'US', lic_us), ('DRIVING_LICENCE', 'CA', lambda w: lic_us(w, 'CA'))]
DESIGNS += [('PASSPORT', cc, lambda w, cc=cc: passport(w, cc)) for cc in PASS]
DESIGNS += [('RESIDENCE_PERMIT', cc, lambda w, cc=cc: permit(w, cc)) for cc in PERMIT]
DESIGNS += [('DRIVING_LICENCE', cc, lambda w, cc=cc: lic_eu(w, cc)) for cc in ('FR', 'GB', 'BE', 'IE', 'DE', 'CH', 'IT')]
