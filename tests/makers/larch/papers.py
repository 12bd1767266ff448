"""Identity papers, permits, licences and vehicle papers."""
import datetime as dt

from people import *
from render import Doc, design, face, uri, waves
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
import subprocess

FONTS = {}


def ttf(name, style="Regular"):
    """A reportlab font name for an installed family."""
    k = f"{name}-{style}"
    if k not in FONTS:
        p = subprocess.run(["fc-match", "-f", "%{file}", f"{name}:style={style}"], capture_output=True, text=True).stdout
        try:
            pdfmetrics.registerFont(TTFont(k, p))
            FONTS[k] = k
        except Exception:  # an OpenType font that reportlab cannot embed
            FONTS[k] = "Courier" if "OCR" in name or "Mono" in name else "Helvetica"
    return FONTS[k]


def at(x, y, s, pt=7, st=""):
    return f'<div style="position:absolute;left:{x}mm;top:{y}mm;font-size:{pt}pt;line-height:1.1;white-space:nowrap;{st}">{s}</div>'


def pic(x, y, w, h, u, st=""):
    return f'<img src="{u}" style="position:absolute;left:{x}mm;top:{y}mm;width:{w}mm;height:{h}mm;{st}">'


def cards(r, w, h, sides, fonts="Liberation Sans", note=""):
    """Sides of a card: for the camera one above the other on a page of their size, else as a copy on an A4 page."""
    gap = 6
    if r.scan:
        page, x0, y0, step = f"{w}mm {h * len(sides) + gap * (len(sides) - 1)}mm", 0, 0, h + gap
    else:
        page, x0, y0, step = "A4", r.randint(20, 70), r.randint(20, 60), h + r.randint(8, 40)
    out = ""
    for i, (bg, col, items) in enumerate(sides):
        out += (f'<div style="position:absolute;left:{x0}mm;top:{y0 + i * step}mm;width:{w}mm;height:{h}mm;overflow:hidden;background:{col};border-radius:3mm;'
                f'border:.2mm solid #bbb"><img src="{bg}" style="position:absolute;left:0;top:0;width:{w}mm;height:{h}mm">{items}</div>')
    if note and not r.scan:
        out += at(20, 275, note, 8)
    return f'<html><head><meta charset="utf-8"><style>@page{{size:{page};margin:0}}body{{margin:0;font-family:"{fonts}"}}</style>'\
        f'</head><body>{out}</body></html>'


def mrz_html(x, y, lines, pt, step):
    return "".join(at(x, y + i * step, ln.replace("<", "&lt;"), pt, "font-family:'OCR B','Liberation Mono'") for i, ln in enumerate(lines))


def span(r, life, lo=60, hi=None):
    """Issue and expiry of a paper that is valid on the reference day."""
    a = past(r, lo, hi or int(life * 365 * .85))
    return a, years(a, life) - dt.timedelta(days=1)


def base(p, given, num, exp, nat, style="d m y", lang="fr", up=True, sep=" "):
    """The usual fields of an identity paper."""
    u = (lambda s: s.upper()) if up else (lambda s: s)
    f = {"lastName": (p.last, u(p.last)), "firstName": (given.replace(",", ""), u(given) if up else given), "birthDate": (p.birth, day(p.birth, style, lang)),
         "documentNumber": (num, num)}
    if exp:
        f["expiryDate"] = (exp, day(exp, style, lang))
    if nat:
        f["nationality"] = (nat, nat)
    return f


@design("IDENTITY_CARD", "FR", "FR")
def cni_blue(r):
    p = Person(r, lo=32)
    given, dept = f"{p.first}, {p.second}", p.pc[:2]
    iss = past(r, 1950, 4400)
    exp = years(iss, 15) - dt.timedelta(days=1)
    num = f"{iss:%y%m}{dept}{r.choice('123')}{digits(r, 5)}"
    lines = cni(p, p.first, num, dept)
    ph, sig, back, x0, y0 = face(r), r.choice(["Z003", "Latin Modern Roman Slanted"]), r.random() < .75, 0, 0
    size = f"{r.randint(154, 188) / 100:.2f}".replace(".", ",")
    w, h = 105 * mm, 74 * mm
    xa, ya, gap = (0, 0, 4 * mm) if r.scan else (r.randint(20, 80) * mm, r.randint(60, 100) * mm, r.randint(5, 30) * mm)
    cols = [(r.uniform(.6, .8), r.uniform(.75, .88), .95) for _ in range(8)]

    def ground(c, x, y):
        c.setFillColorRGB(.87, .93, .97)
        c.roundRect(x, y, w, h, 8, fill=1, stroke=0)
        for i in range(46):
            c.setStrokeColorRGB(*cols[i % 8])
            c.bezier(x, y + i * h / 46, x + w * .3, y + (i * 7 % 46) * h / 46, x + w * .6, y + (i * 3 % 46) * h / 46, x + w, y + i * h / 46)
        c.setFillColorRGB(.1, .1, .25)

    def draw(c):
        if r.scan:
            c.setPageSize((w, h * (2 if back else 1) + (gap if back else 0)))
        y = ya + (h + gap if back else 0)
        ground(c, xa, y)
        sans, bold, ocr = ttf("Liberation Sans"), ttf("Liberation Sans", "Bold"), ttf("OCR B")

        def put(dx, dy, label, val):
            c.setFont(sans, 7)
            c.drawString(xa + dx * mm, y + h - dy * mm, label)
            c.setFont(bold, 8.5)
            c.drawString(xa + dx * mm + pdfmetrics.stringWidth(label, sans, 7) + 4, y + h - dy * mm, val)
        c.setFont(bold, 9)
        c.drawCentredString(xa + w / 2, y + h - 6 * mm, "RÉPUBLIQUE FRANÇAISE")
        put(5, 12, "CARTE NATIONALE D'IDENTITÉ N° :", num)
        put(72, 12, "Nationalité", "Française")
        c.drawImage(ImageReader(ph), xa + 4 * mm, y + h - 54 * mm, 29 * mm, 37 * mm)
        put(36, 19, "Nom :", p.last.upper())
        put(36, 28, "Prénom(s) :", given.upper())
        put(36, 36, "Sexe :", p.sex)
        put(56, 36, "Né(e) le :", day(p.birth, "d.m.y"))
        put(36, 42, "à :", p.birthplace.upper() + f" ({p.birthpc[:2]})")
        put(36, 47, "Taille :", size + " m")
        put(36, 52, "Signature du titulaire :", "")
        c.setFont(ttf("Z003", "Medium Italic"), 15)
        c.drawString(xa + 68 * mm, y + h - 54 * mm, p.last)
        c.setFont(ocr, 9.6)
        for i, ln in enumerate(lines):
            c.drawString(xa + 5 * mm, y + h - (62 + 6 * i) * mm, ln)
        if back:
            y = ya
            ground(c, xa, y)
            put(5, 10, "Adresse :", p.street.upper())
            put(18, 15, "", f"{p.city.upper()} ({dept})")
            put(5, 30, "Carte valable jusqu'au :", day(exp, "d.m.y"))
            put(5, 36, "délivrée le :", day(iss, "d.m.y"))
            put(5, 42, "par :", f"PRÉFECTURE ({dept})")
            put(5, 54, "Signature de l'autorité :", "")
    f = base(p, given, num, exp if back else None, "Française", "d.m.y")
    return Doc("fr", "colon", "reportlab", draw, past(r, 10, 300), f, mrz=lines, order=[(iss, exp, lambda d: day(d, "d.m.y"),
        "expiry before issue")] if back else [],
               info={"Producer": r.choice(["Xerox WorkCentre 7835", "iText 2.1.7 by 1T3XT"]), "Title": "CNI"}, card=True)


@design("IDENTITY_CARD", "FR", "FR")
def cni_2021(r):
    p = Person(r)
    given = f"{p.first}, {p.second}"
    iss, exp = span(r, 10, 60, 1800)
    num = letters(r, 1, "XTYHK") + letters(r, 8, "BCDFGHJKLMNPRTVWXYZ0123456789")
    m = td1("ID", "FRA", p, f"{p.first} {p.second}", num, exp, "FRA")
    s, b = "color:#333;font-size:4.4pt;", "font-weight:bold;"
    lab = lambda x, y, fr, en: at(x, y, f"{fr} / <i>{en}</i>", 4.6, s)
    front = (at(21, 3, "RÉPUBLIQUE FRANÇAISE", 8, b + "color:#1f3d7a") + at(30, 7, "CARTE NATIONALE D'IDENTITÉ / IDENTITY CARD", 5.5, "color:#1f3d7a") + at(5,
        3, "FR", 11, "background:#234b9a;color:#fff;padding:1mm 2mm")
             + pic(4, 13, 25, 32, uri(face(r, True))) + lab(32, 12, "NOM", "Surname") + at(32, 14.2, p.last.upper(), 8, b) + lab(32, 18.5, "Prénoms",
                 "Given names")
             + at(32, 20.7, given, 7.5, b) + lab(32, 25, "SEXE", "Sex") + at(32, 27, p.sex, 7, b) + lab(42, 25, "NATIONALITÉ", "Nationality") + at(42, 27,
                 "FRA", 7, b)
             + lab(61, 25, "DATE DE NAISS.", "Date of birth") + at(61, 27, day(p.birth, "d m y"), 7, b) + lab(32, 31.5, "LIEU DE NAISSANCE", "Place of birth")
             + at(32, 33.5, p.birthplace.upper(), 7, b) + lab(32, 37.5, "NOM D'USAGE", "Alternate name") + lab(32, 43, "N° DU DOCUMENT",
                 "Document No") + at(32, 45, num, 7.5, b)
             + lab(58, 43, "DATE D'EXPIR.", "Expiry date") + at(58, 45, day(exp, "d m y"), 7.5, b) + at(72, 49, digits(r, 6), 6))
    back = (at(4, 4, "TAILLE / <i>Height</i>", 4.6, s) + at(4, 6, f"1,{r.randint(55, 92)} m", 7, b) + at(4, 10, "DATE DE DÉLIVRANCE / <i>Date of issue</i>",
        4.6, s)
            + at(4, 12, day(iss, "d m y"), 7, b) + at(34, 4, "ADRESSE / <i>Address</i>", 4.6, s) + at(34, 6, p.street.upper(), 6.5, b) + at(34, 9,
                f"{p.pc} {p.city.upper()}", 6.5, b)
            + at(34, 12, "FRANCE", 6.5, b) + mrz_html(4, 35, m, 8.6, 5))
    cols = ["#b9cfe8", "#e5c4c9", "#c5dfd2"]
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, cols), "#eef3f8", front), (waves(r, 340, 216, cols), "#f3f1f5", back)], "Open Sans")
    return Doc("fr", "under", "weasyprint", src, past(r, 5, 200), base(p, given, num, exp, "FRA"), mrz=m, card=True,
               order=[(iss, exp, lambda d: day(d, "d m y"), "expiry before issue")])


def be_number(r):
    b = "59" + digits(r, 8)
    return b + f"{int(b) % 97 or 97:02d}"


@design("IDENTITY_CARD", "CB", "BE")
def id_belgium(r):
    p = Person(r, "BE")
    given = f"{p.first} {p.second}"
    iss, exp = span(r, 10)
    raw = be_number(r)
    num = f"{raw[:3]}-{raw[3:10]}-{raw[10:]}"
    m = td1("ID", "BEL", p, given, raw[:9], exp, "BEL")
    # a number of more than nine signs goes on in the optional part, behind a filler
    m[0] = f"IDBEL{raw[:9]}<{raw[9:]}{check(raw[:9] + '<' + raw[9:])}".ljust(30, "<")
    m[1] = m[1][:29] + check(m[0][5:30] + m[1][0:7] + m[1][8:15] + m[1][18:29])
    nn = f"{p.birth:%y.%m.%d}-{r.randint(100, 900)}.{r.randint(10, 97)}"
    L = lambda x, y, s: at(x, y, s, 4.8, "color:#225")
    front = (at(4, 3, "BELGIQUE &nbsp; BELGIË &nbsp; BELGIEN &nbsp; BELGIUM", 7, "font-weight:bold;color:#333") + at(4, 7, "CARTE D'IDENTITÉ &nbsp; "
        "IDENTITEITSKAART &nbsp; PERSONALAUSWEIS &nbsp; IDENTITY CARD", 4.6)
             + L(31, 12, "Nom / Name") + at(31, 14, p.last, 8) + L(31, 19, "Prénoms / Given names") + at(31, 21, given, 8) + L(31, 26, "Sexe / Sex")
             + at(31, 28, p.sex, 7) + L(42, 26, "Nationalité / Nationality") + at(42, 28, "Belge", 7) + L(66, 26, "Naissance / Birth") + at(64, 28,
                 day(p.birth, "d/m/y"), 7)
             + L(31, 33, "N° registre national / National register No") + at(31, 35, nn, 7) + L(31, 40, "N° carte / Card No") + at(31, 42, num, 7) + L(60, 40,
                 "Expire le / Expires")
             + at(60, 42, day(exp, "d/m/y"), 7) + pic(4, 13, 24, 31, uri(face(r, True))))
    back = L(4, 4, "Lieu de délivrance / Place of issue") + at(4, 6, p.city, 7) + L(40, 4, "Délivrée le / Issued") + at(40, 6, day(iss, "d/m/y"),
        7) + mrz_html(4, 36, m, 8.4, 4.8)
    cols = ["#e9c7b2", "#c9d8b8", "#f2dca0"]
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, cols), "#fbf4ea", front), (waves(r, 340, 216, cols), "#f5f2ea", back)], "Roboto")
    return Doc("fr", "under", "chromium", src, past(r, 5, 200), base(p, given, num, exp, "Belge", "d/m/y", up=False), mrz=m, card=True,
               order=[(iss, exp, lambda d: day(d, "d/m/y"), "expiry before issue")])


@design("IDENTITY_CARD", "CB", "CH")
def id_swiss(r):
    p = Person(r, "CH")
    iss, exp = span(r, 10)
    num = letters(r, 1, "CES") + digits(r, 7)
    m = td1("ID", "CHE", p, p.first, num, exp, "CHE")
    b = "font-weight:bold;"
    L = lambda x, y, s: at(x, y, s, 3.8, "color:#7a1a1a")
    front = (at(4, 3, "SCHWEIZERISCHE EIDGENOSSENSCHAFT · CONFÉDÉRATION SUISSE · CONFEDERAZIONE SVIZZERA", 4.4, b) + at(4, 6, "IDENTITÄTSKARTE · CARTE "
        "D'IDENTITÉ · CARTA D'IDENTITÀ · IDENTITY CARD", 4.4)
             + L(30, 11, "Name · Nom · Cognome · Surname") + at(30, 12.8, p.last, 8, b) + L(30, 17.5,
                 "Vorname(n) · Prénom(s) · Nome(i) · Given name(s)") + at(30, 19.3, p.first, 8, b)
             + L(30, 24, "Geburtsdatum · Date de naissance · Date of birth") + at(30, 25.8, day(p.birth, "d m y"), 8, b) + L(30, 30.5, "Heimatort · Lieu "
                 "d'origine") + at(30, 32.3, f"{p.city}", 7, b)
             + L(30, 37, "Gültig bis · Date d'expiration · Date of expiry") + at(30, 38.8, day(exp, "d m y"), 8, b) + at(62, 38.5, "CHE", 8, b) + L(62, 37,
                 "Nationalité · Nationality")
             + at(62, 48, num, 8, "color:#a00000;" + b) + pic(4, 11, 23, 30, uri(face(r))))
    back = (L(4, 4, "Behörde · Autorité") + at(4, 6, f"{p.city} GE" if p.city == "Genève" else p.city, 7) + L(40, 4,
        "Ausstellungsdatum · Date de délivrance") + at(40, 6, day(iss, "d m y"), 7)
            + mrz_html(4, 35, m, 8.6, 5))
    cols = ["#e9b7b7", "#d4c7e2", "#b8d6cf"]
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, cols), "#fbf2f2", front), (waves(r, 340, 216, cols), "#f7f2f6", back)][:2 if r.random() < .8 else 1],
        "Nimbus Sans")
    return Doc("fr", "under", "weasyprint", src, past(r, 5, 200), base(p, p.first, num, exp, "CHE", up=False), mrz=m if "&lt;&lt;" in src else [], card=True)


@design("IDENTITY_CARD", "EN", "US")
def id_massachusetts(r):
    p = Person(r, "US")
    iss, exp = span(r, 5)
    exp = exp.replace(month=p.birth.month, day=min(p.birth.day, 28))
    num = "S" + digits(r, 8)
    given = f"{p.first} {p.second}"
    n = lambda k: f'<span style="font-size:4.5pt;color:#a33">{k}</span> '
    front = (at(4, 2.5, "MASSACHUSETTS", 11, "font-weight:bold;color:#173f7a;letter-spacing:.6mm") + at(56, 3, "IDENTIFICATION<br>CARD", 6,
        "color:#173f7a") + at(4, 8, "USA", 5)
             + pic(4, 12, 24, 31, uri(face(r))) + at(31, 11, n("4d NUMBER") + num, 8, "font-weight:bold;color:#a11") + at(31, 15, n("4b EXP") + day(exp,
                 "m/d/y"), 7.5, "font-weight:bold")
             + at(60, 15, n("3 DOB") + day(p.birth, "m/d/y"), 7.5, "font-weight:bold") + at(31, 19.5, n("4a ISS") + day(iss, "m/d/y"), 6.5)
             + at(31, 24, n("1") + p.last.upper(), 8) + at(31, 27.5, n("2") + given.upper(), 8) + at(31, 32, n("8") + p.street.upper(), 7) + at(33, 35,
                 f"{p.city.upper()}, MA {p.pc}", 7)
             + at(31, 40, n("15 SEX") + p.sex, 6.5) + at(45, 40, n("16 HGT") + f"{r.randint(5, 6)}'-0{r.randint(0, 9)}\"", 6.5) + at(60, 40,
                 n("18 EYES") + r.choice(["BRO", "BLU", "GRN", "HAZ"]), 6.5)
             + at(31, 45, n("5 DD") + f"{iss:%m/%d/%Y} Rev 02/22/2016", 5.5) + at(4, 46, p.full, 9, "font-family:Z003"))
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, ["#bcd2ea", "#d9e7c9", "#f0d7c0"]), "#f1f6fb", front)], "Liberation Sans Narrow")
    f = base(p, given, num, exp, None, "m/d/y")
    return Doc("en", "code", "chromium", src, past(r, 5, 200), f, card=True, order=[(iss, exp, lambda d: day(d, "m/d/y"), "expiry before issue")])


@design("IDENTITY_CARD", "EN", "CA")
def id_ontario(r):
    p = Person(r, "CA")
    p.last, p.first, p.second = r.choice(LAST["EN"]), r.choice(FIRST["EN"][p.sex == "F"]), r.choice(FIRST["EN"][p.sex == "F"])
    p.street, p.pc, p.city = r.choice([(f"{r.randint(3, 400)} Clinton Street", "M6G 2L9", "Toronto"),
            (f"{r.randint(3, 400)} Sunnyside Avenue", "K1S 5B7", "Ottawa")])
    iss, exp = span(r, 5)
    num = f"{digits(r, 4)}-{digits(r, 3)}-{digits(r, 3)}"
    given = f"{p.first}"
    L = lambda x, y, s: at(x, y, s, 4.5, "color:#26603a")
    front = (at(4, 3, "Ontario", 13, "font-weight:bold") + at(34, 3, "PHOTO CARD<br>CARTE-PHOTO", 6.5, "color:#26603a;font-weight:bold") + L(34, 11,
        "1,2 NAME/NOM") + at(34, 13, p.last.upper() + ",", 8)
             + at(34, 16.2, given.upper(), 8) + L(34, 20.5, "8 ADDRESS/ADRESSE") + at(34, 22.5, p.street.upper(), 6.5) + at(34, 25.2, f"{p.city.upper()}, "
                 f"ON, {p.pc}", 6.5)
             + L(34, 30, "4d NUMBER/NUMÉRO") + at(34, 32, num, 8, "font-weight:bold") + L(34, 36.5, "4a ISS/DÉL") + at(34, 38.3, day(iss, "y/m/d"), 7) + L(58,
                 36.5, "4b EXP/EXP") + at(58, 38.3, day(exp, "y/m/d"), 7)
             + L(34, 43, "3 DOB/DDN") + at(34, 45, day(p.birth, "y/m/d"), 8, "font-weight:bold;color:#a00") + L(62, 43, "15 SEX/SEXE") + at(62, 45, p.sex,
                 7) + pic(4, 12, 27, 35, uri(face(r, True))))
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, ["#c5e0c9", "#e5dcb3"]), "#f2f8f1", front)], "Roboto Condensed")
    return Doc("en", "under", "weasyprint", src, past(r, 5, 200), base(p, given, num, exp, None, "y/m/d"), card=True,
               order=[(iss, exp, lambda d: day(d, "y/m/d"), "expiry before issue")])


@design("IDENTITY_CARD", "XX", "DE")
def id_other(r):
    cc = r.choice(["DE", "IT", "PT"])
    p = Person(r, cc)
    iss, exp = span(r, 10)
    t = {"DE": ("BUNDESREPUBLIK DEUTSCHLAND", "PERSONALAUSWEIS · IDENTITY CARD", "D", ("Name/Surname", "Vornamen/Given names", "Geburtstag/Date of birth",
        "Staatsangehörigkeit/Nationality", "Gültig bis/Date of expiry", "Dokumentennummer"), "DEUTSCH"),
         "IT": ("REPUBBLICA ITALIANA", "CARTA DI IDENTITÀ / IDENTITY CARD", "ITA", ("COGNOME / SURNAME", "NOME / NAME", "NATO IL / BORN", "CITTADINANZA / "
             "NATIONALITY", "SCADENZA / EXPIRY", "N. DOCUMENTO"), "ITA"),
         "PT": ("REPÚBLICA PORTUGUESA", "CARTÃO DE CIDADÃO · CITIZEN CARD", "PRT", ("APELIDO(S) / SURNAME", "NOME(S) / GIVEN NAME(S)",
             "DATA DE NASCIMENTO / BIRTH", "NACIONALIDADE", "VALIDADE / EXPIRY", "N.º DOCUMENTO"), "PRT")}[cc]
    num = letters(r, 1, "LMRCX") + letters(r, 8, "0123456789CFGHJKLMNPRTVWXYZ") if cc == "DE" else "CA" + digits(r, 5) + letters(r,
        2) if cc == "IT" else digits(r, 8)
    st = "d m y" if cc == "PT" else "d.m.y" if cc == "DE" else "d/m/y"
    m = td1("ID", t[2], p, p.first, num, exp, t[2])
    L = lambda x, y, s: at(x, y, s, 4.3, "color:#355")
    vals = [p.last.upper(), p.first.upper(), day(p.birth, st), t[4], day(exp, st), num]
    pos = [(30, 12), (30, 18.5), (30, 25), (58, 25), (30, 31.5), (58, 31.5)]
    front = at(4, 2.5, t[0], 7.5, "font-weight:bold") + at(4, 6, t[1], 5.5) + pic(4, 11, 23, 30, uri(face(r, True))) + "".join(L(x, y, k) + at(x, y + 2, v,
        7.6) for (x, y), k, v in zip(pos, t[3], vals))
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, ["#a9cfd8", "#c4dfb4", "#e3cfe3"]), "#eef6f4", front), (waves(r, 340, 216, ["#c4dfb4"]), "#f2f7f4",
        mrz_html(4, 35, m, 8.6, 5))], "Open Sans")
    return Doc({"DE": "de", "IT": "it", "PT": "pt"}[cc], "under", "weasyprint", src, past(r, 5, 200), base(p, p.first, num, exp, t[4], st), mrz=m, card=True,
        land=cc)


def passport_page(r, cc, iso, head, labels, order, p, given, num, iss, exp, style, lang, nat, font, colors, backend, extra=()):
    """A data page; labels and their order and places differ by country."""
    m = td3(iso, p, given, num, exp)
    f = base(p, given, num, exp, nat, style, lang)
    vals = {"type": "P", "code": iso, "num": num, "last": p.last.upper(), "given": given.upper(), "nat": nat, "birth": day(p.birth, style, lang),
        "sex": p.sex,
            "place": p.birthplace.upper(), "iss": day(iss, style, lang), "exp": day(exp, style, lang), "auth": head[1]}
    it = at(6, 4, head[0], 8, "font-weight:bold") + pic(6, 18, 34, 44, uri(face(r)))
    for k, x, y in order:
        it += at(x, y, labels[k], 4.8, "color:#456") + at(x, y + 2.2, vals[k], 8.3 if k != "num" else 9, "")
    for x in extra:
        it += at(*x)
    it += mrz_html(4, 73, m, 10.2, 6)
    cov = at(40, 30, head[2], 12, "color:#345;text-align:center") + at(30, 60, head[3], 7, "color:#678")
    sides = [(waves(r, 500, 352, colors), "#f6f1ec", cov), (waves(r, 500, 352, colors), "#fbf7f1", it)]
    src = cards(r, 125, 88, sides if r.random() < .4 else sides[1:], font)
    return Doc(lang, "under", backend, src, past(r, 5, 300), f, mrz=m, card=True, order=[(iss, exp, lambda d: day(d, style, lang), "expiry before issue")])


@design("PASSPORT", "FR", "FR")
def passport_fr(r):
    p = Person(r)
    iss, exp = span(r, 10)
    num = f"{r.randint(14, 25)}{letters(r, 2)}{digits(r, 5)}"
    lab = {"type": "Type/Type", "code": "Code du pays/Country code", "num": "Passeport n°/Passport No", "last": "Nom/Surname (1)",
        "given": "Prénoms/Given names (2)", "nat": "Nationalité/Nationality (3)",
           "birth": "Date de naissance/Date of birth (4)", "sex": "Sexe/Sex (5)", "place": "Lieu de naissance/Place of birth (6)",
               "iss": "Date de délivrance/Date of issue (7)",
           "exp": "Date d'expiration/Date of expiry (8)", "auth": "Autorité/Authority (9)"}
    o = [("type", 44, 10), ("code", 56, 10), ("num", 88, 10), ("last", 44, 17), ("given", 44, 24), ("nat", 44, 31), ("birth", 44, 38), ("sex", 88, 38),
        ("place", 44, 45), ("iss", 44, 52),
         ("auth", 82, 52), ("exp", 44, 59)]
    return passport_page(r, "FR", "FRA", ("PASSEPORT &nbsp; PASSPORT &nbsp; RÉPUBLIQUE FRANÇAISE", f"Préfecture du Rhône",
        "UNION EUROPÉENNE<br>RÉPUBLIQUE FRANÇAISE", "Ce passeport contient 32 pages"), lab, o, p,
                         f"{p.first}, {p.second}", num, iss, exp, "d m y", "fr", "Française", r.choice(["Liberation Sans", "Open Sans"]), ["#d9b9c4",
                             "#b9c9e2", "#e6d2b0"],
                         r.choice(["weasyprint", "chromium"]), [(100, 60, f"1,{r.randint(56, 90)} m", 7)])


@design("PASSPORT", "FR", "FR")
def passport_fr_rl(r):
    """The page before 2013 as copied by an office machine: labels left, values right, in grey."""
    p = Person(r)
    iss, exp = span(r, 10)
    num, given = f"{r.randint(14, 25)}{letters(r, 2)}{digits(r, 5)}", p.first
    lines, ph = td3("FRA", p, given, num, exp), face(r, True)
    w, h = 125 * mm, 88 * mm
    xa, ya = (0, 0) if r.scan else (r.randint(20, 60) * mm, r.randint(60, 180) * mm)
    rows = [("Passeport n° / Passport No.", num), ("1. Nom / Surname", p.last.upper()), ("2. Prénoms / Given names", given.upper()), ("3. Nationalité / "
        "Nationality", "FRANÇAISE"),
            ("4. Date de naissance / Date of birth", day(p.birth, "d/m/y")), ("5. Sexe / Sex", p.sex), ("6. Lieu de naissance / Place of birth",
                p.birthplace.upper()),
            ("7. Délivré le / Date of issue", day(iss, "d/m/y")), ("8. Expire le / Date of expiry", day(exp, "d/m/y")), ("9. Autorité / Authority",
                f"PRÉFECTURE {p.pc[:2]}")]

    def draw(c):
        if r.scan:
            c.setPageSize((w, h))
        c.setFillGray(.93)
        c.rect(xa, ya, w, h, fill=1, stroke=0)
        c.setStrokeGray(.82)
        for i in range(30):
            c.bezier(xa, ya + i * 8, xa + 90, ya + 8 * (i * 11 % 30), xa + 200, ya + 8 * (i * 7 % 30), xa + w, ya + i * 8)
        c.drawImage(ImageReader(ph), xa + 5 * mm, ya + 30 * mm, 32 * mm, 41 * mm)
        c.setFillGray(.1)
        c.setFont("Times-Bold", 11)
        c.drawString(xa + 6 * mm, ya + h - 8 * mm, "RÉPUBLIQUE FRANÇAISE – PASSEPORT / PASSPORT    P   FRA")
        for i, (a, b) in enumerate(rows):
            y = ya + h - (15 + 5.4 * i) * mm
            c.setFont("Times-Roman", 6.5)
            c.drawString(xa + 41 * mm, y, a)
            c.setFont(ttf("Liberation Mono", "Bold"), 8.5)
            c.drawString(xa + 81 * mm, y, b)
        c.setFont(ttf("OCR B"), 10)
        for i, ln in enumerate(lines):
            c.drawString(xa + 4 * mm, ya + (11 - 6 * i) * mm, ln)
    return Doc("fr", "table", "reportlab", draw, past(r, 5, 300), base(p, given, num, exp, "FRANÇAISE", "d/m/y"), mrz=lines, card=True,
               order=[(iss, exp, lambda d: day(d, "d/m/y"), "expiry before issue")], info={"Producer": "KONICA MINOLTA bizhub C458"})


@design("PASSPORT", "EN", "GB")
def passport_uk(r):
    p = Person(r, "GB")
    iss, exp = span(r, 10)
    lab = {"type": "Type/Type", "code": "Code/Code", "num": "Passport No./Passeport No.", "last": "Surname/Nom (1)", "given": "Given names/Prénoms (2)",
        "nat": "Nationality/Nationalité (3)",
           "birth": "Date of birth/Date de naissance (4)", "sex": "Sex/Sexe (5)", "place": "Place of birth/Lieu de naissance (6)",
               "iss": "Date of issue/Date de délivrance (7)",
           "auth": "Authority/Autorité (8)", "exp": "Date of expiry/Date d'expiration (9)"}
    o = [("type", 45, 8), ("code", 58, 8), ("num", 86, 8), ("last", 45, 15), ("given", 45, 22), ("nat", 45, 29), ("birth", 45, 36), ("sex", 45, 43), ("place",
        62, 43), ("iss", 45, 50), ("auth", 85, 50), ("exp", 45, 57)]
    return passport_page(r, "GB", "GBR", ("UNITED KINGDOM OF GREAT BRITAIN AND NORTHERN IRELAND", "HMPO", "PASSPORT", "His Britannic Majesty's Secretary "
        "of State requests and requires"), lab, o, p,
                         f"{p.first} {p.second}", digits(r, 9), iss, exp, "mon", "en", "BRITISH CITIZEN", "Roboto", ["#b8c6de", "#d8cfe0", "#c9dccf"],
                             r.choice(["weasyprint", "chromium"]))


@design("PASSPORT", "EN", "US")
def passport_us(r):
    p = Person(r, "US")
    iss, exp = span(r, 10)
    lab = {"type": "Type / Type / Tipo", "code": "Code / Code / Codigo", "num": "Passport No. / No. du Passeport / No. de Pasaporte", "last": "Surname / "
        "Nom / Apellidos", "given": "Given Names / Prénoms / Nombres",
           "nat": "Nationality / Nationalité / Nacionalidad", "birth": "Date of birth / Date de naissance / Fecha de nacimiento",
               "place": "Place of birth / Lieu de naissance", "sex": "Sex / Sexe / Sexo",
           "iss": "Date of issue / Date de délivrance", "auth": "Authority / Autorité / Autoridad", "exp": "Date of expiration / Date d'expiration"}
    o = [("type", 44, 12), ("code", 60, 12), ("num", 80, 12), ("last", 44, 19), ("given", 44, 26), ("nat", 44, 33), ("birth", 44, 40), ("place", 44, 47),
        ("sex", 98, 47), ("iss", 44, 54), ("auth", 86, 54), ("exp", 44, 61)]
    return passport_page(r, "US", "USA", ("PASSPORT &nbsp; THE UNITED STATES OF AMERICA", "United States Department of State", "We the People",
        "SIGNATURE OF BEARER"), lab, o, p, f"{p.first} {p.second}",
                         r.choice([digits(r, 9), "A" + digits(r, 8)]), iss, exp, "Mon", "en", "UNITED STATES OF AMERICA", "Liberation Sans Narrow",
                             ["#c9b8d8", "#e0c3c3", "#bcd0e4"], "chromium")


@design("PASSPORT", "EN", "IE")
def passport_ie(r):
    p = Person(r, "IE")
    iss, exp = span(r, 10)
    lab = {"type": "Cineál/Type", "code": "Cód tíre/Country code", "num": "Pas Uimh./Passport No.", "last": "Sloinne/Surname (1)",
        "given": "Réamhainm(neacha)/Forename(s) (2)", "nat": "Náisiúntacht/Nationality (3)",
           "birth": "Dáta breithe/Date of birth (4)", "sex": "Gnéas/Sex (5)", "place": "Áit bhreithe/Place of birth (6)", "iss": "Dáta eisiúna/Date of "
               "issue (7)", "exp": "As feidhm/Date of expiry (8)", "auth": "Údarás/Authority (9)"}
    o = [("type", 46, 11), ("code", 58, 11), ("num", 90, 11), ("last", 46, 18), ("given", 46, 25), ("nat", 46, 32), ("birth", 46, 39), ("sex", 92, 39),
        ("place", 46, 46), ("iss", 46, 53), ("exp", 46, 60), ("auth", 88, 60)]
    return passport_page(r, "IE", "IRL", ("ÉIRE &nbsp; IRELAND &nbsp; IRLANDE", "Passport Office", "AN tAONTAS EORPACH<br>ÉIRE", "PAS · PASSPORT"), lab, o, p,
        p.first, letters(r, 2, "PLX") + digits(r, 7), iss, exp, "mon", "en",
                         "ÉIREANNACH/IRISH", "P052", ["#bfe0c6", "#e3e3b8"], "weasyprint")


@design("PASSPORT", "CB", "CH")
def passport_ch(r):
    cc = r.choice(["CH", "BE"])
    p = Person(r, cc)
    iss, exp = span(r, 10 if cc == "CH" else 7)
    if cc == "CH":
        lab = {"type": "Typ/Type", "code": "Code/Code", "num": "Pass Nr. · Passeport n° · Passport No.", "last": "Name · Nom · Cognome · Surname",
            "given": "Vornamen · Prénoms · Given names", "nat": "Heimatort · Lieu d'origine · Nationalité",
               "birth": "Geburtsdatum · Date de naissance", "sex": "Geschlecht · Sexe", "place": "Lieu d'origine", "iss": "Ausstellungsdatum · Date de "
                   "délivrance", "exp": "Gültig bis · Date d'expiration", "auth": "Behörde · Autorité"}
        head, nat, num = ("SCHWEIZ · SUISSE · SVIZZERA · SVIZRA · SWITZERLAND", p.city, "PASS · PASSEPORT", "Confédération suisse"), "Suisse", "X" + digits(r,
            7)
    else:
        lab = {"type": "Type", "code": "Code", "num": "N° du passeport / Passport No", "last": "1. Nom / Naam / Name", "given": "2. Prénoms / Voornamen",
            "nat": "3. Nationalité / Nationality", "birth": "4. Date de naissance / Geboortedatum",
               "sex": "5. Sexe", "place": "6. Lieu de naissance", "iss": "7. Date de délivrance", "exp": "8. Date d'expiration", "auth": "9. Autorité"}
        head, nat, num = ("ROYAUME DE BELGIQUE · KONINKRIJK BELGIË", p.city, "PASSEPORT · PASPOORT", "Union européenne"), "BELGE", letters(r, 2,
            "EGF") + digits(r, 6)
    o = [("num", 90, 10), ("type", 44, 10), ("code", 60, 10), ("last", 44, 18), ("given", 44, 26), ("nat", 44, 34), ("birth", 44, 42), ("sex", 92, 42),
        ("iss", 44, 50), ("exp", 92, 50), ("auth", 44, 58)]
    d = passport_page(r, cc, "CHE" if cc == "CH" else "BEL", head, lab, o, p, p.first, num, iss, exp, "d m y" if cc == "CH" else "d/m/y", "fr", nat, "Lato",
        ["#e8b4b0", "#d7cce6", "#f0e2c0"], "weasyprint")
    d.land = cc
    return d


@design("RESIDENCE_PERMIT", "FR", "FR")
def titre_sejour(r):
    p = Person(r)
    p.last, p.first = r.choice([("Traoré", "Adama"), ("Haddad", "Nour"), ("Pham", "Thi Lan"), ("Silva Rocha", "Beatriz"), ("Okonkwo", "Emeka"), ("Petrosyan",
        "Anahit")])
    iso, nat = r.choice([("MLI", "MALIENNE"), ("LBN", "LIBANAISE"), ("VNM", "VIETNAMIENNE"), ("BRA", "BRÉSILIENNE"), ("NGA", "NIGÉRIANE"), ("ARM",
        "ARMÉNIENNE")])
    life = r.choice([1, 4, 10])
    iss, exp = span(r, life, 20)
    num = r.choice([letters(r, 3, "ABCDFG") + digits(r, 6), digits(r, 9)])
    m = td1("TR", "FRA", p, p.first, num, exp, iso, digits(r, 10))
    kind = {1: "VISITEUR", 4: "PASSEPORT TALENT", 10: "CARTE DE RÉSIDENT"}[life]
    L = lambda x, y, s: at(x, y, s, 4.2, "color:#6b2140")
    front = (at(4, 3, "TITRE DE SÉJOUR", 9, "font-weight:bold;color:#6b2140") + at(52, 3, "RÉPUBLIQUE FRANÇAISE", 6) + at(60, 7, num, 9,
        "font-weight:bold") + pic(4, 12, 24, 31, uri(face(r, True)))
             + L(31, 11, "NOM / SURNAME") + at(31, 13, p.last.upper(), 7.6) + L(31, 17, "PRÉNOM(S) / FORENAMES") + at(31, 19, p.first.upper(), 7.6) + L(31,
                 23, "SEXE / NATIONALITÉ / DATE DE NAISSANCE")
             + at(31, 25, p.sex, 7) + at(37, 25, nat, 7) + at(63, 25, day(p.birth, "d m y"), 7) + L(31, 29, "CATÉGORIE DU TITRE / TYPE OF PERMIT") + at(31,
                 31, kind, 7.4)
             + L(31, 35.5, "DATE D'EXPIRATION / CARD EXPIRY") + at(31, 37.5, day(exp, "d m y"), 7.6) + L(31, 41.5, "REMARQUES / REMARKS") + at(31, 43.5,
                 "AUTORISE SON TITULAIRE À TRAVAILLER" if life > 1 else "EN SÉJOUR", 6))
    back = (L(4, 4, "ADRESSE") + at(4, 6, p.street.upper(), 6.5) + at(4, 9, f"{p.pc} {p.city.upper()}", 6.5) + L(4, 14, "DATE ET LIEU DE DÉLIVRANCE") + at(4,
        16, f"{day(iss, 'd m y')} PRÉFECTURE ({p.pc[:2]})", 6.5)
            + mrz_html(4, 35, m, 8.6, 5))
    cols = ["#ddb4c8", "#b8c4e4", "#e8d6b4"]
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, cols), "#f8eff3", front), (waves(r, 340, 216, cols), "#f6f1f6", back)], "Liberation Sans")
    return Doc("fr", "under", "weasyprint", src, past(r, 5, 200), base(p, p.first, num, exp, nat), mrz=m, card=True, order=[(iss, exp, lambda d: day(d,
        "d m y"), "expiry before issue")])


@design("RESIDENCE_PERMIT", "FR", "FR")
def recepisse(r):
    """The paper slip that stands for the card while the request is pending."""
    p = Person(r)
    p.last, p.first = r.choice([("Diarra", "Moussa"), ("Benali", "Yasmina"), ("Moreira Lopes", "Jorge"), ("Chen", "Wei"), ("Ivanova", "Daria"), ("Kouassi",
        "Grâce")])
    iso, nat = r.choice([("MLI", "malienne"), ("MAR", "marocaine"), ("CPV", "cap-verdienne"), ("CHN", "chinoise"), ("RUS", "russe"), ("CIV", "ivoirienne")])
    iss = past(r, 10, 100)
    exp, num = iss + dt.timedelta(days=182), f"{p.pc[:2]}0{digits(r, 7)}"
    online = r.random() < .5

    def build(w):
        w.add_paragraph("MINISTÈRE DE L'INTÉRIEUR\nPréfecture du Rhône – Direction des migrations et de l'intégration")
        w.add_heading("ATTESTATION DE PROLONGATION D'INSTRUCTION D'UNE DEMANDE DE TITRE DE SÉJOUR" if online else "RÉCÉPISSÉ DE DEMANDE DE CARTE DE SÉJOUR",
            1)
        w.add_paragraph("Articles R. 431-12 à R. 431-15 du code de l'entrée et du séjour des étrangers et du droit d'asile")
        tb = w.add_table(0, 2)
        for a, b in [("Numéro étranger (AGDREF)", num), ("Nom", p.last.upper()), ("Prénom(s)", p.first), ("Né(e) le", day(p.birth)), ("à", r2),
            ("Nationalité", nat), ("Adresse", f"{p.street}, {p.pc} {p.city}"),
                     ("Délivré le", day(iss)), ("Valable jusqu'au", day(exp))]:
            c = tb.add_row().cells
            c[0].text, c[1].text = a, b
            c[1].paragraphs[0].runs[0].bold = True
        w.add_paragraph("\nLe titulaire du présent document est autorisé à séjourner sur le territoire français jusqu'à la date ci-dessus. Il autorise "
            "son titulaire à travailler. "
                        "Il n'est valable qu'accompagné d'un justificatif d'identité ou du titre de séjour expiré. Ce document ne constitue pas un acte "
                            "d'état civil.")
        w.add_paragraph(f"Fait à Lyon, le {day(iss, 'long')}\nPour la préfète, par délégation")
    r2 = r.choice(["Bamako", "Fès", "Praia", "Abidjan"])
    return Doc("fr", "table", "libreoffice", build, iss, base(p, p.first, num, exp, nat, "d/m/y"), order=[(iss, exp, lambda d: day(d), "validity ends "
        "before the paper was delivered")], size=11)


@design("RESIDENCE_PERMIT", "CB", "CH")
def permis_b(r):
    cc = r.choice(["CH", "CH", "BE"])
    p = Person(r, cc)
    p.last, p.first = r.choice([("Ferreira", "Luís"), ("Hoxha", "Arben"), ("Morel", "Camille"), ("Yilmaz", "Elif")])
    iso, nat = {"Ferreira": ("PRT", "Portugal"), "Hoxha": ("ALB", "Albanie"), "Morel": ("FRA", "France"), "Yilmaz": ("TUR", "Turquie")}[p.last]
    iss, exp = span(r, 5, 20)
    num = letters(r, 2, "ABEK") + digits(r, 7)
    m = td1("AR" if cc == "CH" else "IR", "CHE" if cc == "CH" else "BEL", p, p.first, num, exp, iso)
    head = ("Ausländerausweis · Livret pour étrangers · Libretto per stranieri", "B",
        "Autorisation de séjour UE/AELE") if cc == "CH" else ("TITRE DE SÉJOUR · VERBLIJFSTITEL · RESIDENCE PERMIT", "A", "SÉJOUR LIMITÉ · MARCHÉ DU "
            "TRAVAIL : ILLIMITÉ")
    front = (at(4, 3, head[0], 5.6, "font-weight:bold") + at(75, 3, head[1], 14, "font-weight:bold;color:#9a2b2b") + at(31, 11, "Nom, prénom(s)",
        4.4) + at(31, 13, p.last.upper(), 7.6, "font-weight:bold")
             + at(31, 16.3, p.first, 7.6, "font-weight:bold") + at(31, 21, "Né(e) le / Nationalité / Sexe", 4.4) + at(31, 23, day(p.birth, "d.m.y"),
                 7) + at(50, 23, nat, 7) + at(76, 23, p.sex, 7)
             + at(31, 28, "Type de titre", 4.4) + at(31, 30, head[2], 6) + at(31, 35, "Échéance / valable jusqu'au", 4.4) + at(31, 37, day(exp, "d.m.y"), 8,
                 "font-weight:bold") + at(4, 46, num, 8)
             + pic(4, 11, 24, 31, uri(face(r))))
    back = at(4, 4, "Délivré le", 4.4) + at(4, 6, day(iss, "d.m.y"), 7) + at(40, 4, "Autorité", 4.4) + at(40, 6, p.city, 7) + mrz_html(4, 35, m, 8.6, 5)
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, ["#d8c0c0", "#c0d8d8"]), "#f4f1ee", front), (waves(r, 340, 216, ["#d8c0c0"]), "#f4f1ee", back)],
        "Liberation Sans")
    d = Doc("fr", "under", "chromium", src, past(r, 5, 200), base(p, p.first, num, exp, nat, "d.m.y"), mrz=m, card=True, order=[(iss, exp, lambda d: day(d,
        "d.m.y"), "expiry before issue")])
    d.land = cc
    return d


@design("RESIDENCE_PERMIT", "EN", "GB")
def residence_uk_us(r):
    uk = r.random() < .5
    p = Person(r, "GB" if uk else "US")
    p.last, p.first = r.choice([("Adeyemi", "Folake"), ("Rahman", "Tanvir"), ("Nakamura", "Yuki"), ("Gutierrez Mora", "Elena"), ("Wanjiru", "Peter")])
    iso = {"Adeyemi": "NGA", "Rahman": "BGD", "Nakamura": "JPN", "Gutierrez Mora": "COL", "Wanjiru": "KEN"}[p.last]
    if uk:
        iss, exp = span(r, 5, 30)
        num = "Z" + letters(r, 1, "UWX") + digits(r, 7)
        m = td1("IR", "GBR", p, p.first, num, exp, iso)
        L = lambda x, y, s: at(x, y, s, 4.6, "color:#245")
        front = (at(4, 3, "RESIDENCE PERMIT", 9, "font-weight:bold;color:#a0306a") + at(62, 3.5, num, 8, "font-weight:bold") + L(31, 11, "NAME") + at(31, 13,
            p.last.upper(), 7.8) + at(31, 16, p.first.upper(), 7.8)
                 + L(31, 21, "VALID UNTIL") + at(31, 23, day(exp, "d-m-y"), 7.8) + L(31, 27.5, "PLACE AND DATE OF ISSUE") + at(31, 29.5,
                     f"UK {day(iss, 'd-m-y')}", 7.8) + L(31, 34, "TYPE OF PERMIT")
                 + at(31, 36, r.choice(["LEAVE TO REMAIN", "SETTLEMENT", "SKILLED WORKER"]), 7.8) + L(31, 40.5, "REMARKS") + at(31, 42.5, "WORK PERMITTED",
                     7) + at(31, 45.5, "NO PUBLIC FUNDS", 7) + pic(4, 11, 24, 31, uri(face(r, True))))
        back = L(4, 4, "DATE AND PLACE OF BIRTH") + at(4, 6, day(p.birth, "d-m-y"), 7) + L(4, 11, "NATIONALITY") + at(4, 13, iso, 7) + L(30, 11,
            "SEX") + at(30, 13, p.sex, 7) + mrz_html(4, 35, m, 8.6, 5)
        st, f = "d-m-y", base(p, p.first, num, exp, iso, "d-m-y")
        fm = lambda d: day(d, "d-m-y")
    else:
        iss, exp = span(r, 10, 30)
        num, usc = f"{digits(r, 3)}-{digits(r, 3)}-{digits(r, 3)}", r.choice(["IOE", "LIN", "SRC"]) + digits(r, 10)
        m = td1("C1", "USA", p, p.first, num.replace("-", ""), exp, iso, usc)
        L = lambda x, y, s: at(x, y, s, 4.6, "color:#2a5a3a")
        front = (at(4, 2.5, "UNITED STATES OF AMERICA", 7.5, "font-weight:bold") + at(48, 2.7, "PERMANENT RESIDENT", 7.5,
            "font-weight:bold;color:#2a5a3a") + L(32, 8, "Surname") + at(32, 10, p.last.upper(), 8)
                 + L(32, 14.5, "Given Name") + at(32, 16.5, p.first.upper(), 8) + L(32, 21, "USCIS#") + at(32, 23, num, 7.5) + L(56, 21, "Category") + at(56,
                     23, r.choice(["IR6", "F2A", "DV1", "E26"]), 7.5)
                 + L(32, 27, "Country of Birth") + at(32, 29, r.choice(["Colombia", "Kenya", "Japan"]), 7) + L(32, 33, "Date of Birth") + at(32, 35,
                     day(p.birth, "Mon", "en").upper(), 8, "color:#a33") + L(60, 33, "Sex") + at(60, 35, p.sex, 7)
                 + L(32, 39.5, "Card Expires:") + at(46, 39, day(exp, "m/d/y"), 7.5) + L(32, 43.5, "Resident Since:") + at(48, 43, day(iss, "m/d/y"),
                     7.5) + pic(4, 10, 25, 33, uri(face(r, True))))
        back = mrz_html(4, 35, m, 8.6, 5)
        f = base(p, p.first, num, exp, iso, "m/d/y")
        f["birthDate"] = (p.birth, day(p.birth, "Mon", "en").upper())
        del f["nationality"]  # only in the machine-readable lines, not printed as such
        fm = lambda d: day(d, "m/d/y")
    cols = ["#d9b6cf", "#b5c9e0", "#c6e0c0"]
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, cols), "#f5eff4", front), (waves(r, 340, 216, cols), "#f5f2f4", back)], r.choice(["Liberation Sans",
        "Nimbus Sans"]))
    d = Doc("en", "under", "weasyprint" if uk else "chromium", src, past(r, 5, 200), f, mrz=m, card=True, order=[(iss, exp, fm, "expiry before issue")])
    d.land = "GB" if uk else "US"
    return d


@design("RESIDENCE_PERMIT", "EN", "IE")
def residence_letter(r):
    """Irish permission, and the UK share-code page, as letters."""
    uk = r.random() < .5
    p = Person(r, "GB" if uk else "IE")
    p.last, p.first = r.choice([("Sharma", "Ritika"), ("Mbeki", "Lwazi"), ("Santos", "Carla"), ("Reyes", "Dominic")])
    nat = {"Sharma": "Indian", "Mbeki": "South African", "Santos": "Brazilian", "Reyes": "Filipino"}[p.last]
    iss = past(r, 10, 300)
    exp = iss + dt.timedelta(days=r.choice([730, 1095]))
    num = "RP" + digits(r, 7) if uk else "IRL" + digits(r, 6)
    t = (f"""= View a person's immigration status
#v(3mm) Home Office · UK Visas and Immigration
#v(4mm) #text(size: 15pt, weight: "bold")[{p.first} {p.last}]
They have permission in the UK until *{day(exp, 'long', 'en')}* under a residence permit.
#line(length: 100%)
#grid(columns: (60mm, 1fr), row-gutter: 4mm, [Family name], [{p.last}], [Given names], [{p.first}], [Date of birth], [{day(p.birth, 'long', 'en')}],
[Nationality], [{nat}],
 [Residence permit number], [{num}], [Valid from], [{day(iss, 'long', 'en')}], [Valid until], [{day(exp, 'long', 'en')}], [Type of permission], [Skilled
Worker – leave to remain])
#v(6mm) This person can rent property in England until the date shown. Landlords must check again on or before that date.""" if uk else
f"""#align(center)[#text(size: 14pt)[*An Roinn Dlí agus Cirt* \\ Department of Justice – Immigration Service Delivery]]
#v(8mm) Reg. Office, Burgh Quay, Dublin 2 #h(1fr) {day(iss, 'long', 'en')}
#v(6mm) *Residence Permission – Irish Residence Permit {num}*
#v(4mm) This is to certify that the person named below is registered under section 9 of the Immigration Act 2004 and has permission to reside in the State on
Stamp 1 conditions.
#table(columns: (55mm, 80mm), inset: 6pt, [Surname], [{p.last}], [Forename(s)], [{p.first}], [Date of birth], [{day(p.birth, 'long', 'en')}], [Nationality],
[{nat}], [Registration number], [{num}], [Date of registration], [{day(iss, 'long', 'en')}], [Permission valid until], [{day(exp, 'long', 'en')}])
#v(6mm) The holder must carry the residence permit card and present it on request.""")
    src = f'#set page(paper: "a4", margin: 24mm)\n#set text(font: "{"Lato" if uk else "Libertinus Serif"}", size: 11pt)\n' + t
    f = base(p, p.first, num, exp, nat, "long", "en", up=False)
    d = Doc("en", "table", "typst", src, iss, f, order=[(iss, exp, lambda d: day(d, "long", "en"), "permission ends before it begins")])
    d.land = "GB" if uk else "IE"
    return d


@design("DRIVING_LICENCE", "FR", "FR")
def permis_fr(r):
    p = Person(r, lo=34)
    iss, exp = span(r, 15, 60)
    num, given = f"{iss:%y}{letters(r, 2)}{digits(r, 5)}", f"{p.first}, {p.second}"
    n = lambda k: f'<span style="font-size:5pt;color:#555">{k}.</span> '
    b = "font-weight:bold;"
    lic = years(p.birth, r.randint(18, 20)) + dt.timedelta(days=r.randint(3, 300))
    lic = min(lic, iss)
    front = (at(4, 3, "F", 9, "background:#1b3f95;color:#fff;padding:1mm 2mm;border-radius:1mm") + at(18, 3.5, "PERMIS DE CONDUIRE", 8.5,
        b + "color:#1b3f95") + at(56, 4, "RÉPUBLIQUE FRANÇAISE", 5.4) + pic(4, 13, 22, 28, uri(face(r, True)))
             + at(29, 10, n(1) + p.last.upper(), 7.6, b) + at(29, 14, n(2) + given, 7.6, b) + at(29, 18, n(3) + f"{day(p.birth, 'd.m.y')} {p.birthplace} "
                 f"({p.birthpc[:2]})", 7.2, b)
             + at(29, 22, n("4a") + day(iss, "d.m.y"), 7.4, b) + at(56, 22, n("4c") + f"Préfet {p.pc[:2]}", 6.6, b) + at(29, 26, n("4b") + day(exp, "d.m.y"),
                 7.4, b) + at(29, 30, n(5) + num, 7.6, b)
             + at(29, 36, n(7) + f'<span style="font-family:Z003;font-size:12pt">{p.last}</span>', 7) + at(29, 45, n(9) + r.choice(["AM B1 B", "AM A2 B1 B",
                 "AM B1 B BE"]), 7.6, b))
    back = "".join(at(4, 4 + 4 * i, f"{c} &nbsp; {day(lic, 'd.m.y')} &nbsp; {day(exp, 'd.m.y')}", 6) for i, c in enumerate(["AM", "B1", "B"])) + at(4, 44,
        "1. Nom 2. Prénom 3. Date et lieu de naissance 4a. Date de délivrance 4b. Date d'expiration 5. N° du permis", 3.6)
    cols = ["#f0b8c0", "#d4b8e0", "#f4d0b8"]
    sides = [(waves(r, 340, 216, cols), "#fbeef0", front), (waves(r, 340, 216, cols), "#faf2f4", back)]
    f = base(p, given, num, exp, None, "d.m.y")
    return Doc("fr", "code", r.choice(["weasyprint", "chromium"]), cards(r, 85.6, 54, sides[:r.choice([1, 2])], "Liberation Sans"), past(r, 5, 200), f,
        card=True,
               order=[(iss, exp, lambda d: day(d, "d.m.y"), "expiry before issue")])


@design("DRIVING_LICENCE", "FR", "FR")
def permis_rose(r):
    """The old pink paper in three parts, still valid: typed, no expiry."""
    p = Person(r, lo=34)
    iss = min(years(p.birth, 18) + dt.timedelta(days=r.randint(20, 900)), dt.date(2012, 11, 30))
    num, ph = f"{iss:%y%m}{p.pc[:2]}{digits(r, 6)}", face(r, True)
    w, h = 105 * mm, 222 * mm / 2

    def draw(c):
        xa, ya = (0, 0) if r.scan else (50 * mm, 120 * mm)
        if r.scan:
            c.setPageSize((w, h))
        c.setFillColorRGB(.97, .78, .82)
        c.rect(xa, ya, w, h, fill=1, stroke=0)
        c.setFillColorRGB(.25, .1, .2)
        c.setFont("Helvetica-Bold", 11)
        c.drawString(xa + 8 * mm, ya + h - 9 * mm, "PERMIS DE CONDUIRE")
        c.setFont("Helvetica", 7)
        c.drawString(xa + 62 * mm, ya + h - 9 * mm, "RÉPUBLIQUE FRANÇAISE")
        c.drawString(xa + 8 * mm, ya + h - 13 * mm, "MODÈLE DES COMMUNAUTÉS EUROPÉENNES")
        c.drawImage(ImageReader(ph), xa + 70 * mm, ya + 40 * mm, 28 * mm, 36 * mm)
        for i, (a, b) in enumerate([("1. Nom", p.last.upper()), ("2. Prénoms", p.first.upper()), ("3. Date et lieu de naissance", day(p.birth,
            "d.m.y") + " " + p.birthplace.upper()), ("4. Domicile", p.street.upper()),
                                    ("", f"{p.pc} {p.city.upper()}"), ("5. Délivré par", f"PRÉFECTURE DE {r0}"), ("6. Le", day(iss, "d.m.y")),
                                        ("7. Permis n°", num)]):
            c.setFont("Helvetica", 6)
            c.drawString(xa + 6 * mm, ya + h - (20 + 9 * i) * mm, a)
            c.setFont("Courier-Bold", 9)
            c.drawString(xa + 8 * mm, ya + h - (24 + 9 * i) * mm, b)
    r0 = p.city.upper()
    f = base(p, p.first, num, None, None, "d.m.y")
    return Doc("fr", "under", "reportlab", draw, past(r, 5, 300), f, card=True, order=[(p.birth, iss, lambda d: day(d, "d.m.y"), "licence older than its "
        "holder")])


@design("DRIVING_LICENCE", "EN", "GB")
def licence_uk(r):
    p = Person(r, "GB")
    iss, exp = span(r, 10)
    num, given = uk_driver(r, p), f"{p.first} {p.second}"
    n = lambda k: f'<span style="font-size:5pt;color:#446">{k}.</span> '
    front = (at(4, 3, "DRIVING LICENCE", 9, "font-weight:bold;color:#7a2d62") + at(62, 3, "UK", 9, "background:#1d3f8c;color:#fff;padding:.6mm 2mm") + pic(5,
        11, 24, 31, uri(face(r, True))) + at(32, 10, n(1) + p.last.upper(), 8)
             + at(32, 14, n(2) + f"{p.title.upper()} {given.upper()}", 7.6) + at(32, 18, n(3) + f"{day(p.birth, 'd.m.y')} UNITED KINGDOM", 7.2) + at(32, 22,
                 n("4a") + day(iss, "d.m.y"), 7.2) + at(60, 22, n("4c") + "DVLA", 7.2)
             + at(32, 26, n("4b") + day(exp, "d.m.y"), 7.2) + at(32, 30, n(5) + num, 7.8, "font-weight:bold") + at(32, 38, n(8) + p.street.upper() + ",",
                 6.4) + at(35, 41, f"{p.city.upper()}, {p.pc}", 6.4) + at(32, 46, n(9) + "AM/A/B1/B/f/k/p/q", 7))
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, ["#e6bcd6", "#bcc8e6", "#cfe3c5"]), "#f9eff6", front)], "Liberation Sans")
    return Doc("en", "code", "weasyprint", src, past(r, 5, 200), base(p, given, num, exp, None, "d.m.y"), card=True, order=[(iss, exp, lambda d: day(d,
        "d.m.y"), "expiry before issue")])


@design("DRIVING_LICENCE", "EN", "US")
def licence_us(r):
    p = Person(r, "US")
    iss, exp = span(r, 5)
    exp = exp.replace(month=p.birth.month, day=min(p.birth.day, 28))
    ny = r.random() < .4
    num = f"{digits(r, 3)} {digits(r, 3)} {digits(r, 3)}" if ny else "SA" + digits(r, 7)
    given = f"{p.first} {p.second}"
    st = ("NEW HAMPSHIRE", "NH") if ny else ("MASSACHUSETTS", "MA")
    k = lambda a: f'<span style="font-size:4.6pt;color:#06c">{a}</span> '
    front = (at(4, 3, st[0], 10, "font-weight:bold;color:#1b4f72") + at(60, 3.2, "DRIVER'S LICENSE", 6.5, "font-weight:bold") + pic(58, 12, 24, 31,
        uri(face(r))) + at(4, 10, k("4d DLN") + num, 8.4, "font-weight:bold;color:#900")
             + at(4, 14.5, k("3 DOB") + day(p.birth, "m/d/y"), 8, "font-weight:bold") + at(32, 14.5, k("9 CLASS") + "D", 7) + at(4, 19, k("4b EXP") + day(exp,
                 "m/d/y"), 7.6) + at(32, 19, k("4a ISS") + day(iss, "m/d/y"), 7.6)
             + at(4, 24, k("1 LN") + p.last.upper(), 8) + at(4, 28, k("2 FN") + given.upper(), 8) + at(4, 33, k("8 ADD") + p.street.upper(), 7) + at(9, 36.3,
                 f"{p.city.upper()}, {st[1]} {p.pc}", 7)
             + at(4, 41, k("15 SEX") + p.sex, 6.6) + at(18, 41, k("12 REST") + r.choice(["NONE", "B"]), 6.6) + at(36, 41, k("9a END") + "NONE", 6.6) + at(4,
                 46, p.full, 11, "font-family:Z003"))
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, ["#aacbe1", "#e1d5aa"]), "#eaf3f8", front)], r.choice(["Roboto Condensed", "Liberation Sans Narrow"]))
    return Doc("en", "code", "chromium", src, past(r, 5, 200), base(p, given, num, exp, None, "m/d/y"), card=True, order=[(iss, exp, lambda d: day(d,
        "m/d/y"), "expiry before issue")])


@design("DRIVING_LICENCE", "CB", "CH")
def permis_ch(r):
    cc = r.choice(["CH", "BE"])
    p = Person(r, cc)
    iss, exp = span(r, 10)
    num = digits(r, 12) if cc == "CH" else digits(r, 10)
    head = "FÜHRERAUSWEIS · PERMIS DE CONDUIRE · LICENZA DI CONDURRE" if cc == "CH" else "PERMIS DE CONDUIRE · RIJBEWIJS · FÜHRERSCHEIN"
    f = base(p, p.first, num, exp if cc == "BE" else None, None, "d.m.y", up=False)
    n = lambda k: f"<b>{k}</b>&nbsp;&nbsp;"
    front = (at(4, 3, cc[:2] if cc == "CH" else "B", 10, "font-weight:bold") + at(16, 4, head, 5.6, "font-weight:bold;color:#345") + pic(58, 10, 23, 30,
        uri(face(r, True))) + at(4, 11, n("1") + p.last, 8) + at(4, 15, n("2") + p.first, 8)
             + at(4, 19, n("3") + f"{day(p.birth, 'd.m.y')} {p.birthplace}", 7.4) + at(4, 23, n("4a") + day(iss, "d.m.y"), 7.4) + (at(4, 27,
                 n("4b") + day(exp, "d.m.y"), 7.4) if cc == "BE" else at(4, 27, n("4b") + "******", 7.4))
             + at(34, 23, n("4c") + (p.city if cc == "BE" else "GE"), 7.4) + at(4, 31, n("5") + num, 7.8) + at(4, 38,
                 n("7") + f'<span style="font-family:Z003;font-size:12pt">{p.first[0]}. {p.last}</span>') + at(4, 46, n("9") + "B / B1 / F / G / M", 7))
    src = cards(r, 85.6, 54, [(waves(r, 340, 216, ["#c4cbe8", "#e8d0c4"]), "#f3eef6", front)], "Nimbus Sans")
    d = Doc("fr", "code", "weasyprint", src, past(r, 5, 200), f, card=True)
    d.land = cc
    return d


CARS = [("RENAULT", "CLIO", "7"), ("PEUGEOT", "208", "5"), ("VOLKSWAGEN", "GOLF", "6"), ("DACIA", "SANDERO", "5"), ("TOYOTA", "YARIS", "4"), ("CITROEN", "C3",
    "5"), ("FORD", "FOCUS", "7"), ("SKODA", "OCTAVIA", "8")]


@design("VEHICLE_REGISTRATION", "FR", "FR")
def carte_grise(r):
    p, (mk, md, cv) = Person(r), r.choice(CARS)
    first, num, v = past(r, 800, 4000), plate(r), vin(r)
    iss = past(r, 20, 780)
    y1, y4, y5 = int(cv) * 4300, 1100, 276
    y3 = 0
    two = r.random() < .3
    L = [("A", num), ("B", day(first)), ("C.1", f"{p.last.upper()} {p.first.upper()}"), ("C.4a", "EST LE PROPRIÉTAIRE DU VÉHICULE"), ("C.4.1",
        "2" if two else "1"), ("C.3", p.street.upper()), ("", f"{p.pc} {p.city.upper()}"),
         ("D.1", mk), ("D.2", f"M10{mk[:3]}VP{digits(r, 6)}"), ("D.2.1", f"{mk[:2]}{letters(r, 3)}{digits(r, 3)}"), ("D.3", md), ("E", v), ("F.1",
             str(r.randint(1500, 1990))), ("F.2", str(r.randint(1500, 1990))),
         ("G", str(r.randint(1050, 1490))), ("G.1", str(r.randint(980, 1040))), ("H", ""), ("I", day(iss)), ("J", "M1"), ("J.1", "VP"), ("J.2", "AB"), ("J.3",
             "CI"), ("K", f"e2*2007/46*{digits(r, 4)}*{digits(r, 2)}"),
         ("P.1", str(r.choice([999, 1199, 1461, 1598]))), ("P.2", str(r.randint(55, 110))), ("P.3", r.choice(["ES", "GO", "EH"])), ("P.6", cv), ("Q", ""),
             ("S.1", "5"), ("U.1", "75"), ("U.2", "3750"), ("V.7", str(r.randint(85, 140))),
         ("V.9", "715/2007*2018/1832EURO6"), ("X.1", f"VISITE AVANT LE {day(years(first, 4))}"), ("Y.1", money(y1)), ("Y.2", "0,00"), ("Y.3", money(y3)),
             ("Y.4", money(y4)), ("Y.5", money(y5)), ("Y.6", money(y1 + y3 + y4 + y5))]
    typed = r.choice([("Courier", "Courier-Bold"), ("Helvetica", "Helvetica-Bold")])
    coupon = r.random() < .6

    def draw(c):
        W, H = 595, 842
        c.setFillColorRGB(.94, .95, .9)
        c.rect(30, 200, W - 60, H - 260, fill=1, stroke=0)
        c.setFillColorRGB(.2, .25, .45)
        c.setFont("Helvetica-Bold", 13)
        c.drawString(45, H - 85, "CERTIFICAT D'IMMATRICULATION")
        c.setFont("Helvetica", 8)
        c.drawString(300, H - 82, "RÉPUBLIQUE FRANÇAISE – MINISTÈRE DE L'INTÉRIEUR")
        c.drawString(45, H - 97, "Communauté européenne · F · Permiso de circulación · Registration certificate · Zulassungsbescheinigung")
        c.setFillGray(.05)
        y, x = H - 125, 45
        for i, (a, b) in enumerate(L):
            if i == 21:
                y, x = H - 125, 320
            c.setFont(typed[1], 8)
            c.drawString(x, y, a)
            c.setFont(typed[0], 9)
            c.drawString(x + 34, y, b)
            y -= 17.5
        if coupon:
            c.setDash(3, 3)
            c.line(30, 268, W - 30, 268)
            c.setDash()
            c.setFont("Helvetica-Bold", 8)
            c.drawString(45, 254, "COUPON DÉTACHABLE – à conserver un mois après la cession")
            c.setFont(typed[0], 9)
            c.drawString(45, 238, f"A {num}    E {v}    B {day(first)}")
        c.setFont(ttf("OCR B"), 9)
        ln = f"CRFRA{num.replace('-', '')}{v[:9]}".ljust(40, "<")
        c.drawString(45, 214, ln)
    f = {"registrationNumber": (num, num), "lastName": (p.last, p.last.upper()), "firstName": (p.first, p.first.upper()), "address": (p.street,
        p.street.upper()), "postCode": (p.pc, p.pc), "city": (p.city, p.city.upper()),
         "issueDate": (iss, day(iss))}
    return Doc("fr", "code", "reportlab", draw, iss, f, sums=[([y1, 0, y3, y4, y5], y1 + y3 + y4 + y5)], total=[money(y1 + y3 + y4 + y5)], order=[(first, iss,
        day, "certificate older than the first registration")],
               info={"Producer": "Imprimerie Nationale / PDFlib 9.0.4"})


@design("VEHICLE_REGISTRATION", "FR", "FR")
def carte_grise_provisoire(r):
    p, (mk, md, cv) = Person(r), r.choice(CARS)
    iss = past(r, 3, 60)
    num, first = plate(r), past(r, 900, 3900)
    rows = [("Numéro d'immatriculation (A)", num), ("Date de première immatriculation (B)", day(first)), ("Titulaire (C.1)", f"{p.title} {p.last.upper()} "
        f"{p.first}"), ("Domicile (C.3)", f"{p.street}<br>{p.pc} {p.city}"),
            ("Marque (D.1)", mk), ("Dénomination commerciale (D.3)", md), ("N° d'identification (E)", vin(r)), ("Genre national (J.1)", "VP"),
                ("Puissance fiscale (P.6)", cv), ("Date du certificat (I)", day(iss)),
            ("Valable jusqu'au", day(iss + dt.timedelta(days=30)))]
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:18mm}}body{{font:10pt 'Liberation Sans'}}h1{{font-size:14pt;border:1.5pt solid
#000;padding:3mm;text-align:center}}td{{padding:1.6mm 3mm;border-bottom:.3pt dotted #555;vertical-align:top}}
    td:first-child{{width:75mm;color:#333}}td+td{{font-family:'Liberation Mono';font-weight:bold}}</style><p>RÉPUBLIQUE FRANÇAISE<br>Agence nationale des
titres sécurisés</p><h1>CERTIFICAT PROVISOIRE D'IMMATRICULATION</h1>
    <p>Le présent certificat autorise la circulation du véhicule sur le territoire national pendant un mois à compter de sa date d'édition, dans l'attente du
certificat d'immatriculation définitif.</p>
    <table>{"".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in rows)}</table><p style="font-size:8pt">Numéro de dossier : {letters(r, 2)}{digits(r, 8)}
– Code de cession confidentiel adressé sous pli séparé.</p>"""
    f = {"registrationNumber": (num, num), "lastName": (p.last, p.last.upper()), "firstName": (p.first, p.first), "address": (p.street, p.street),
        "postCode": (p.pc, p.pc), "city": (p.city, p.city), "issueDate": (iss, day(iss))}
    return Doc("fr", "table", "weasyprint", src, iss, f, order=[(first, iss, day, "certificate older than the first registration")],
        info={"Producer": "iText® 5.5.13 ©2000-2018 iText Group NV (AGPL-version)", "Title": "CPI"})


@design("VEHICLE_REGISTRATION", "EN", "GB")
def v5c(r):
    p, (mk, md, cv) = Person(r, "GB"), r.choice(CARS)
    first = past(r, 700, 4000)
    iss = past(r, 20, 650)
    # the age mark changes in March and, plus fifty, in September
    mark = first.year % 100 if 3 <= first.month < 9 else (first.year - (first.month < 3)) % 100 + 50
    num = f"{letters(r, 2)}{mark:02d} {letters(r, 3)}"
    c = r.choice(["#c0392b", "#2a6db0"])
    src = f"""<meta charset="utf-8"><style>@page{{size:A4;margin:14mm}}body{{font:9.5pt
'Roboto'}}h1{{background:{c};color:#fff;margin:0;padding:3mm;font-size:15pt}}.s{{border:1px solid
{c};padding:3mm;margin-top:3mm}}.l{{color:{c};font-size:8pt}}
    .g{{display:grid;grid-template-columns:1fr 1fr;gap:1.5mm 6mm}}.g div{{border-bottom:1px solid #ddd}}b{{font-size:11pt}}</style><h1>Registration
Certificate <span style="font-size:9pt">V5C · Driver and Vehicle Licensing Agency, Swansea SA99 1BA</span></h1>
    <p>This document is not proof of ownership. It shows who is responsible for registering and taxing the vehicle.</p>
    <div class=s><div class=l>Registered keeper [C.1.1] [C.1.2] [C.1.3]</div>{p.title.upper()} {p.first.upper()}
{p.last.upper()}<br>{p.street.upper()}<br>{p.city.upper()}<br>{p.pc}</div>
    <div class=s><div class=l>Document reference number</div>{digits(r, 4)} {digits(r, 3)} {digits(r, 4)} &nbsp;&nbsp; <span class=l>Date issued [I]</span>
{day(iss, 'd m y')}</div>
    <div class=s><div class=l>Vehicle details</div><div class=g><div><span class=l>A: Registration number</span><br><b>{num}</b></div><div><span class=l>B:
Date of first registration</span><br>{day(first, 'd m y')}</div><div><span class=l>D.1: Make</span><br>{mk}</div><div>
    <span class=l>D.3: Model</span><br>{md}</div><div><span class=l>E: VIN/Chassis/Frame No.</span><br>{vin(r)}</div><div><span class=l>P.1: Cylinder
capacity (cc)</span><br>{r.choice([998, 1199, 1395])} CC</div><div><span class=l>R: Colour</span><br>
    {r.choice(['BLUE', 'GREY', 'RED', 'WHITE'])}</div><div><span class=l>V.7: CO2 (g/km)</span><br>{r.randint(90, 150)}</div><div><span class=l>No. of former
keepers</span><br>{r.randint(0, 3)}</div><div><span class=l>Body type</span><br>5 DOOR HATCHBACK</div></div></div>
    <p class=l>Section 4: selling or transferring to a motor trader · Section 6: new keeper slip V5C/2</p>"""
    f = {"registrationNumber": (num, num), "lastName": (p.last, p.last.upper()), "firstName": (p.first, p.first.upper()), "address": (p.street,
        p.street.upper()), "postCode": (p.pc, p.pc), "city": (p.city, p.city.upper()), "issueDate": (iss, day(iss, "d m y"))}
    return Doc("en", "under", r.choice(["chromium", "weasyprint"]), src, iss, f, order=[(first, iss, lambda d: day(d, "d m y"), "issued before the first "
        "registration")])


@design("VEHICLE_REGISTRATION", "EN", "US")
def ma_registration(r):
    p, (mk, md, cv) = Person(r, "US"), r.choice(CARS)
    iss = past(r, 20, 700)
    exp = years(iss, 2)
    num = f"{r.randint(1, 9)}{letters(r, 2)}{letters(r, 1)}{digits(r, 2)}"
    fee, pl, vv = 6000, 2000, vin(r)

    def build(q):
        q.add_page()
        q.set_font("helvetica", "B", 13)
        q.cell(0, 8, "Commonwealth of Massachusetts - Registry of Motor Vehicles", new_x="LMARGIN", new_y="NEXT")
        q.set_font("helvetica", "B", 11)
        q.cell(0, 8, "CERTIFICATE OF REGISTRATION", new_x="LMARGIN", new_y="NEXT")
        rows = [("REGISTRATION NUMBER", num), ("PLATE TYPE", "PAN - PASSENGER NORMAL"), ("EFFECTIVE DATE", day(iss, "m/d/y")), ("EXPIRATION DATE", day(exp,
            "m/d/y")), ("VEHICLE YEAR / MAKE / MODEL", f"{iss.year - 4} {mk} {md}"),
                ("VEHICLE IDENTIFICATION NO.", vv), ("COLOR", "SILVER"), ("OWNER 1 (LAST, FIRST)", f"{p.last.upper()}, {p.first.upper()}"), ("RESIDENTIAL "
                    "ADDRESS", p.street.upper()), ("CITY / STATE / ZIP", f"{p.city.upper()} MA {p.pc}"),
                ("INSURANCE CARRIER", "TIDEWATER MUTUAL"), ("REGISTRATION FEE", f"${money(fee, 'en')}"), ("PLATE FEE", f"${money(pl, 'en')}"), ("TOTAL FEES",
                    f"${money(fee + pl, 'en')}")]
        for a, b in rows:
            q.set_font("helvetica", "", 7)
            q.cell(60, 8, a, border=1)
            q.set_font("courier", "B", 10)
            q.cell(110, 8, b, border=1, new_x="LMARGIN", new_y="NEXT")
        q.set_font("times", "I", 8)
        q.multi_cell(0, 5, "This certificate must be carried in the vehicle. Notify the Registry within 30 days of a change of address. Signature of "
            "registrar facsimile.")
    f = {"registrationNumber": (num, num), "lastName": (p.last, p.last.upper()), "firstName": (p.first, p.first.upper()), "address": (p.street,
        p.street.upper()), "postCode": (p.pc, p.pc), "city": (p.city, p.city.upper()),
         "issueDate": (iss, day(iss, "m/d/y"))}
    return Doc("en", "table", "fpdf2", build, iss, f, sums=[([fee, pl], fee + pl)], total=[f"${money(fee + pl, 'en')}"], order=[(iss, exp, lambda d: day(d,
        "m/d/y"), "expires before it takes effect")], page="letter")


@design("VEHICLE_REGISTRATION", "CB", "CH")
def permis_circulation(r):
    cc = r.choice(["CH", "BE"])
    p, (mk, md, cv) = Person(r, cc), r.choice(CARS)
    first, iss = past(r, 900, 3800), past(r, 20, 800)
    num = f"GE {digits(r, 6)}" if cc == "CH" else f"{r.choice('12')}-{letters(r, 3)}-{digits(r, 3)}"
    rows = ([("01-05", "Détenteur", f"{p.last} {p.first}\\ {p.street}\\ {p.pc} {p.city}"), ("15", "Plaque", num), ("19", "Genre de véhicule", "Voiture de "
        "tourisme"), ("21", "Marque et type", f"{mk} {md}"), ("23", "Châssis n°", vin(r)), ("24", "Réception par type", "1" + letters(r, 2) + digits(r, 3)),
             ("25", "Carrosserie", "Limousine"), ("26", "Couleur", "gris"), ("27", "Places", "5"), ("36", "1ère mise en circulation", day(first, "d.m.y")),
                 ("37", "Cylindrée cm3", "1395"), ("30", "Poids à vide kg", "1245")] if cc == "CH" else
            [("A", "Numéro d'immatriculation", num), ("B", "Date de la première immatriculation", day(first, "d/m/y")), ("C.1.1", "Nom", p.last), ("C.1.2",
                "Prénom", p.first), ("C.1.3", "Adresse", f"{p.street}\\ {p.pc} {p.city}"), ("D.1", "Marque", mk), ("D.3", "Dénomination", md),
             ("E", "Numéro d'identification", vin(r)), ("I", "Date d'immatriculation", day(iss, "d/m/y")), ("J", "Catégorie", "M1"), ("P.3", "Carburant",
                 "Essence")])
    head = ("Permis de circulation / Fahrzeugausweis",
        "Confédération suisse – Canton de Genève – Office cantonal des véhicules") if cc == "CH" else ("CERTIFICAT D'IMMATRICULATION – Partie I",
            "Royaume de Belgique – SPF Mobilité et Transports – DIV")
    st = "d.m.y" if cc == "CH" else "d/m/y"
    src = (f'#set page(paper: "a5", margin: 12mm)\n#set text(font: "Liberation Sans", size: 9pt)\n#text(size: 13pt, weight: "bold")[{head[0]}] \\ '
        f'{head[1]}\n#v(3mm)\n#table(columns: (14mm, 48mm, 1fr), stroke: 0.3pt + gray, '
           + ", ".join(f"text(size: 7pt)[{a}], text(size: 7pt)[{b}], [*{c}*]" for a, b, c in rows) + ")\n" + (f"#v(2mm) 38 Date de délivrance : "
               f"{day(iss, st)} #h(1fr) Prochain contrôle : sur convocation" if cc == "CH" else f"Validité : jusqu'à la mise hors circulation"))
    f = {"registrationNumber": (num, num), "lastName": (p.last, p.last), "firstName": (p.first, p.first), "address": (p.street, p.street), "postCode": (p.pc,
        p.pc), "city": (p.city, p.city), "issueDate": (iss, day(iss, st))}
    d = Doc("fr", "code", "typst", src, iss, f, order=[(first, iss, lambda d: day(d, st), "delivered before the first registration")])
    d.land = cc
    return d
