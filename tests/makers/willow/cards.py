"""Identity documents: cards and passport pages drawn as HTML, and papers that state the same."""
import base64, io, html as H, datetime as dt
from PIL import Image, ImageDraw, ImageFilter
from data import *
from docs import Doc, full

def face(r, grey=False):
    W, h = 280, 360; bg = tuple(r.randint(195, 235) for _ in range(3)); im = Image.new("RGB", (W, h), bg); d = ImageDraw.Draw(im)
    skin = r.choice([(234,196,170),(214,168,134),(160,112,80),(110,74,52),(244,210,188),(196,150,116)]); hair = r.choice([(40,28,20),(80,52,30),(130,96,50),(20,18,18),(150,140,132)])
    cx = W//2 + r.randint(-6, 6); sh = tuple(r.randint(20, 140) for _ in range(3))
    d.ellipse((cx-130, 285, cx+130, 470), fill=sh); d.rectangle((cx-32, 230, cx+32, 305), fill=tuple(int(x*.88) for x in skin))
    fw, fh = r.randint(68, 78), r.randint(92, 104); cy = 175
    if r.random() < .5: d.ellipse((cx-fw-18, cy-fh-22, cx+fw+18, cy+fh+r.randint(10, 70)), fill=hair)
    d.ellipse((cx-fw-8, cy-fh-14, cx+fw+8, cy+20), fill=hair); d.ellipse((cx-fw, cy-fh+14, cx+fw, cy+fh), fill=skin)
    for s in (-1, 1):
        ex = cx + s*30; d.ellipse((ex-14, cy-14, ex+14, cy), fill=(246,246,244)); d.ellipse((ex-6, cy-13, ex+6, cy-1), fill=r.choice([(60,40,25),(70,100,120),(60,90,60)])); d.arc((ex-18, cy-32, ex+18, cy-8), 200, 340, fill=hair, width=5)
    d.line((cx, cy, cx-6, cy+34, cx+6, cy+36), fill=tuple(int(x*.8) for x in skin), width=3); d.arc((cx-24, cy+38, cx+24, cy+64), 20, 160, fill=(150,70,70), width=5)
    im = im.filter(ImageFilter.GaussianBlur(1.6))
    if grey: im = im.convert("L").convert("RGB")
    b = io.BytesIO(); im.save(b, "JPEG", quality=82); return "data:image/jpeg;base64," + base64.b64encode(b.getvalue()).decode()

def guilloche(r, w, h, col):
    import math
    s = f'<svg style="position:absolute;left:0;top:0;width:{w}mm;height:{h}mm" viewBox="0 0 {w} {h}" xmlns="http://www.w3.org/2000/svg">'
    for k in range(14):
        a, b, ph = r.uniform(1, 4), r.uniform(6, 18), r.uniform(0, 6); y0 = h*k/13
        pts = " ".join(f"{x},{y0 + a*math.sin(x/b*3 + ph):.2f}" for x in range(0, int(w)+2, 2)); s += f'<polyline points="{pts}" fill="none" stroke="{col}" stroke-width="0.15" opacity="0.55"/>'
    return s + "</svg>"

PAL = [("#dfe9f5","#f5e3ea","#5a7fb5"),("#e4f0e2","#f6f2d8","#5a8a62"),("#f4e6ee","#e3e8f6","#a3608b"),("#f7efe0","#e2edf0","#a0793f"),("#e8e4f4","#dff0ee","#6a5aa0")]
def E(s): return H.escape(s)

def card(r, w, h, head, sub, flds, mrz=None, tpl=0, pal=0, small="", grey=False, photo=True, sign="", back=False, lab=True):
    a, b, col = PAL[pal % 5]; o = [f'<div style="position:absolute;left:0;top:0;width:{w}mm;height:{h}mm;border-radius:{3 if h<60 else 1}mm;overflow:hidden;background:linear-gradient({r.choice([90,135,160])}deg,{a},{b});border:0.15mm solid #999">', guilloche(r, w, h, col)]
    def t(x, y, s, txt, bold=False, color="#111", fam=""): o.append(f'<div style="position:absolute;left:{x:.1f}mm;top:{y:.1f}mm;font-size:{s}pt;line-height:1.1;white-space:nowrap;color:{color};{"font-weight:bold;" if bold else ""}{("font-family:"+fam+";") if fam else ""}">{E(txt)}</div>')
    k = 1 if h < 60 else 1.3
    t(3, 2, 7.2*k, head, True, col); t(3, 5.6*k, 5.2*k, sub, False, "#333")
    mh = (4.3*len(mrz) + 2) if mrz else 0; top = 10*k; bot = h - mh - 2
    ph = min(30*k, bot - top - (3 if sign else 0)); pw = ph*.78
    if photo:
        px = 3 if tpl != 1 else w - pw - 4
        o.append(f'<img src="{face(r, grey)}" style="position:absolute;left:{px}mm;top:{top}mm;width:{pw}mm;height:{ph}mm">')
        fx = pw + 6 if tpl != 1 else 4; fw = w - pw - 10
    else: fx, fw = 4, w - 8
    n = len(flds); cols = 1 if tpl in (1, 3) else 2
    if tpl in (1, 3):
        step = min(5.2*k, (bot - top)/max(n, 1)); y = top
        for l, v in flds:
            if tpl == 3: t(fx, y, 5.2*k, l, False, "#444"); t(fx + max(5, 1.15*max(len(q) for q, _ in flds) + 1)*k, y - .3, 6.8*k, v, True)
            elif not lab: t(fx, y, 7*k, v, True)
            else: t(fx, y + .3, 5.2*k, l + " :", False, "#444"); t(fx + 17*k, y, 6.6*k, v, True)
            y += step
    else:
        rows = (n + 1)//2 if n > 5 else n; step = min(7.4*k, (bot - top)/max(rows + 0, 1)); y = top; i = 0; wide = flds[:max(0, 2*rows - n)] if n > 5 else flds
        for l, v in wide: t(fx, y, 4.4*k, l, False, col); t(fx, y + 1.9*k, 7*k, v, True); y += step
        rest = flds[len(wide):]
        for j in range(0, len(rest), 2):
            for q, (l, v) in enumerate(rest[j:j+2]): t(fx + q*fw/2, y, 4.4*k, l, False, col); t(fx + q*fw/2, y + 1.9*k, 7*k, v, True)
            y += step
    if sign: o.append(f'<div style="position:absolute;left:{3 if tpl!=1 else w-pw-4}mm;top:{top+ph+.2}mm;font-family:Z003;font-size:9pt;color:#223">{E(sign)}</div>')
    if small: t(w-32, h-mh-3.4, 4, small, False, "#666")
    if mrz:
        sz = {30: 9.6, 36: 8.6, 44: 10.3}[len(mrz[0])] * (w/85.6 if len(mrz[0]) != 44 else w/125)
        for i, l in enumerate(mrz): t(4 if h < 60 else 5, h - mh + i*4.3*(1.15 if h > 60 else 1), round(sz, 1), l, False, "#000", "'OCR B','OCRB'")
    o.append("</div>"); return (w, h, "".join(o))

def page(cards, r, note="", size="210mm 297mm", gapx=None):
    W, Hh = [float(x[:-2]) for x in size.split()]; y = r.uniform(18, 40) if Hh > 200 else 6; x = gapx if gapx is not None else r.uniform(15, max(16, W - cards[0][0] - 15)); o = []
    if note: o.append(f'<div style="position:absolute;left:18mm;top:9mm;font-size:9pt">{E(note)}</div>')
    for w, h, c in cards: o.append(f'<div style="position:absolute;left:{x:.1f}mm;top:{y:.1f}mm;width:{w}mm;height:{h}mm">{c}</div>'); y += h + r.uniform(6, 14)
    return f'<html><head><meta charset="utf-8"><style>@page{{size:{size};margin:0}}body{{margin:0;font-family:"Liberation Sans",Arial,sans-serif}}</style></head><body><div style="position:relative;width:{W}mm;height:{Hh-1}mm">' + "".join(o) + "</div></body></html>"

NATION = {"FR":("FRA","Française","FRANÇAISE"),"BE":("BEL","Belge","BELGE"),"CH":("CHE","Suisse","SUISSE"),"QC":("CAN","CANADIENNE","CANADIENNE/CANADIAN"),"GB":("GBR","BRITISH CITIZEN","BRITISH CITIZEN"),"IE":("IRL","Irish","ÉIREANNACH/IRISH"),"US":("USA","USA","UNITED STATES OF AMERICA"),"CA":("CAN","CANADIAN","CANADIAN/CANADIENNE")}
FOREIGN = [("MAR","Marocaine","Moroccan","fr"),("SEN","Sénégalaise","Senegalese","fr"),("BRA","Brésilienne","Brazilian","pt"),("IND","Indienne","Indian","en"),("NGA","Nigériane","Nigerian","en"),("COL","Colombienne","Colombian","es"),("TUN","Tunisienne","Tunisian","fr")]
CT = {"FR":["FR","FR","BE","CH"]}

def ident(r, type, lang, v, pdf=False):
    """v 0..3: cards, 4..5: papers"""
    cs = {("fr","IDENTITY_CARD"):["FR","FR","BE","CH"],("en","IDENTITY_CARD"):["IE","US","CA","GB"],("fr","PASSPORT"):["FR","BE","CH","QC"],("en","PASSPORT"):["GB","IE","US","CA"],("fr","RESIDENCE_PERMIT"):["FR","BE","CH","FR"],("en","RESIDENCE_PERMIT"):["GB","IE","US","CA"],("fr","DRIVING_LICENCE"):["FR","BE","CH","QC"],("en","DRIVING_LICENCE"):["GB","IE","US","CA"]}[(lang,type)]
    c = cs[v] if v < 4 else cs[(v + r.randint(0, 1)) % 4 if lang == "en" else r.choice([0, 0, 1])]
    d = Doc(type, lang, c, v); p = person(r, lang, c); d.amounts = None; d.person = p
    iss3 = NATION[c][0]; nat3, nat = iss3, NATION[c][1]
    if type == "RESIDENCE_PERMIT":
        nat3, nf, ne, ln = r.choice(FOREIGN); nat = nf if lang == "fr" else ne
        if ln != lang: q = person(r, ln); p.last, p.first, p.sex, p.second = q.last, q.first, q.sex, q.second
    up = v != 3; issued = rdate(r, dt.date(2018 if type != "DRIVING_LICENCE" else 2014, 3, 1), dt.date(2026, 9, 20)); yrs = {"IDENTITY_CARD":10,"PASSPORT":10,"RESIDENCE_PERMIT":r.choice([2,4,10]),"DRIVING_LICENCE":15 if c not in ("US","CA","QC") else r.choice([5,8])}[type]
    if type == "RESIDENCE_PERMIT": issued = rdate(r, dt.date(2022,6,1), dt.date(2026,9,20))
    try: exp = issued.replace(year=issued.year + yrs) - dt.timedelta(days=1)
    except ValueError: exp = issued + dt.timedelta(days=365*yrs)
    if p.dob > issued - dt.timedelta(days=365*18): p.dob = p.dob.replace(year=p.dob.year - 14, day=min(p.dob.day, 28))
    def D(x):
        if c == "GB" and type == "PASSPORT" or c in ("IE","QC","CA") and type == "PASSPORT": return f"{x.day:02d} {x:%b}".upper().replace("MAY","MAY") + f" {x.year}"
        if c == "US": return f"{x.day:02d} {x:%b} {x.year}" if type == "PASSPORT" else x.strftime("%m/%d/%Y")
        if c in ("QC","CA"): return x.strftime("%Y-%m-%d")
        if c == "GB" and type == "DRIVING_LICENCE" or c in ("BE","CH","IE") : return x.strftime("%d.%m.%Y")
        if c == "FR" and type in ("IDENTITY_CARD","PASSPORT","RESIDENCE_PERMIT"): return x.strftime("%d %m %Y") if v != 1 else x.strftime("%d.%m.%Y")
        return x.strftime("%d/%m/%Y")
    last = p.last.upper() if up else p.last; firsts = ", ".join([p.first] + (p.second[:1] if r.random() < .45 and c in ("FR","BE") else [])) if c in ("FR","BE") else p.first
    if c == "QC" or type == "PASSPORT" and c in ("GB","US","IE","CA"): firsts = firsts.upper()
    AL9 = "0123456789CFGHJKLMNPRTVWXYZ"
    num = {"IDENTITY_CARD":{"FR":"".join(r.choice(AL9) for _ in range(9)) if v != 1 else f"{issued:%y%m}{r.randint(10,95)}{digs(r,6)}","BE":f"{r.choice('56')}9{digs(r,7)}","CH":f"S{digs(r,7)}","IE":f"C{digs(r,8)}","US":f"{lets(r,1)}{digs(r,7)}","CA":f"{digs(r,8)}","GB":f"{digs(r,4)} {digs(r,4)}"}.get(c),
      "PASSPORT":{"FR":f"{digs(r,2)}{lets(r,2)}{digs(r,5)}","BE":f"E{lets(r,1)}{digs(r,6)}","CH":f"X{digs(r,7)}","QC":f"{lets(r,2)}{digs(r,6)}","CA":f"{lets(r,2)}{digs(r,6)}","GB":digs(r,9),"IE":f"P{lets(r,1)}{digs(r,7)}","US":f"A{digs(r,8)}"}.get(c),
      "RESIDENCE_PERMIT":{"FR":lets(r,2)+"".join(r.choice(AL9) for _ in range(7)),"BE":f"B{digs(r,8)}","CH":f"C{digs(r,7)}","GB":f"R{lets(r,1)}{digs(r,7)}","IE":f"{lets(r,2)}{digs(r,7)}","US":f"{lets(r,3)}{digs(r,6)}","CA":f"RA{digs(r,7)}"}.get(c),
      "DRIVING_LICENCE":{"FR":f"{issued:%y}{lets(r,2)}{digs(r,5)}","BE":digs(r,10),"CH":digs(r,12),"QC":f"{strip_acc(p.last)[0].upper()}{digs(r,4)}-{p.dob:%d%m%y}-{digs(r,2)}","IE":digs(r,9),"US":f"{lets(r,1)}{digs(r,7)}","CA":f"{strip_acc(p.last)[0].upper()}{digs(r,4)}-{digs(r,5)}-{digs(r,5)}","GB":""}.get(c)}[type]
    if type == "DRIVING_LICENCE" and c == "GB":
        l5 = (strip_acc(p.last).upper().replace("'", "").replace("-", "").replace(" ", "").replace("MAC", "MC") + "99999")[:5]; mm = p.dob.month + (50 if p.sex == "F" else 0); num = f"{l5}{p.dob.year%100//10}{mm:02d}{p.dob.day:02d}{p.dob.year%10}{p.first[0]}9{digs(r,1)}{lets(r,2)}"
    d.f("lastName", last, "name", p.last); d.f("firstName", p.first.upper() if firsts.isupper() else p.first, "name"); 
    ob, oe = D(p.dob), D(exp); noexp = type == "IDENTITY_CARD" and (v == 3 and lang == "en")
    d.f("documentNumber", num, "docno"); d.f("birthDate", ob, "date", p.dob)
    if not noexp: d.f("expiryDate", oe, "date", exp)
    hasnat = type != "DRIVING_LICENCE" and not (type == "IDENTITY_CARD" and lang == "en" and c in ("US","CA","GB"))
    natp = nat3 if (type == "IDENTITY_CARD" and c == "FR" and v == 0 and False) else (NATION[c][2] if type == "PASSPORT" and r.random() < .5 else nat)
    if type == "RESIDENCE_PERMIT" and v < 3: natp = nat.upper() if v == 1 else nat3 if v == 0 else nat
    if hasnat: d.f("nationality", natp, "nat")
    sx = {"M":"M","F":"F"}[p.sex]; d.issued = issued; d.date = issued; d.copydate = rdate(r, max(issued + dt.timedelta(days=2), dt.date(2026,1,8)), LAST); fm = firsts
    place = r.choice(CITY[c])[1] if type != "RESIDENCE_PERMIT" else r.choice(["Rabat","Dakar","Recife","Lagos","Bogotá","Tunis","Pune"])
    Lf = dict(l="Nom", f="Prénoms", s="Sexe", n="Nationalité", b="Date de naissance", p="Lieu de naissance", d="N° du document", e="Date d'expiration", i="Date de délivrance") if lang == "fr" else dict(l="Surname", f="Given names", s="Sex", n="Nationality", b="Date of birth", p="Place of birth", d="Document No.", e="Date of expiry", i="Date of issue")
    if c in ("QC","BE","CH","CA") and type in ("PASSPORT","IDENTITY_CARD") and lang == "fr": Lf = {k: a + " / " + b for (k, a), b in zip(Lf.items(), ["Name","Given names","Sex","Nationality","Date of birth","Place of birth","Document No.","Expiry","Issue"])}
    base = [(Lf["l"], last), (Lf["f"], fm), (Lf["s"], sx)] + ([(Lf["n"], natp)] if hasnat else []) + [(Lf["b"], ob), (Lf["p"], place), (Lf["d"], num)] + ([] if noexp else [(Lf["e"], oe)])
    d.layout = "under"; pal = r.randint(0, 4)
    if v >= 4:   # papers
        return paper(r, d, p, dict(last=last, fm=fm, sx=sx, natp=natp if hasnat else None, ob=ob, oe=None if noexp else oe, num=num, place=place, issued=issued, D=D), Lf)
    hd = {"FR":"RÉPUBLIQUE FRANÇAISE","BE":"BELGIQUE  BELGIË  BELGIEN  BELGIUM","CH":"CONFÉDÉRATION SUISSE","QC":"CANADA","GB":"UNITED KINGDOM","IE":"ÉIRE  IRELAND","US":"UNITED STATES OF AMERICA","CA":"CANADA"}[c]
    cards = []; kind = f"{type.lower()}-{c}-{v}"
    if type == "PASSPORT":
        m = mrz_td3(iss3, p.last, firsts, num, nat3, p.dob, p.sex, exp); tpl = 0
        cards.append(card(r, 125, 88, hd, {"fr":"Passeport / Passport","en":"Passport"}[lang] + f"    Type P    Code {iss3}", base, m, 0 if v != 2 else 2, pal, sign=full(p), grey=c=="FR"))
        size = "210mm 297mm" if r.random() < .6 else "135mm 98mm"; d.checks.append(("mrz", m))
    elif type == "IDENTITY_CARD":
        if c == "FR" and v == 1:
            l1 = ("IDFRA" + mname(p.last)).ljust(30, "<")[:30] + digs(r, 6); l2b = num + _cvx(num) + mname(p.first).ljust(14, "<")[:14] + f"{p.dob:%y%m%d}"; l2 = l2b + _cvx(f"{p.dob:%y%m%d}") + p.sex; m = [l1, l2 + _cvx(l1 + l2)]; d.checks.append(("mrz", m)); d.layout = "colon"
            fl = [("Nom", last), ("Prénom(s)", fm), ("Sexe", sx), ("Né(e) le", ob), ("à", place)] ; cards.append(card(r, 105, 74, hd, f"CARTE NATIONALE D'IDENTITÉ N° : {num}    Nationalité {natp}", fl, m, 3 if False else 1, 0, sign=full(p)))
            cards.append(card(r, 105, 74, "", "", [("Adresse", f"{p.street}, {p.pc} {p.city}"), ("Carte valable jusqu'au", oe), ("délivrée le", D(issued)), ("par", "Préfecture")], None, 0, 0, photo=False))
        elif lang == "fr":
            m = mrz_td1("ID", iss3, p.last, firsts, num, nat3, p.dob, p.sex, exp); d.checks.append(("mrz", m)); cards.append(card(r, 85.6, 54, hd, "CARTE NATIONALE D'IDENTITÉ / IDENTITY CARD" if c == "FR" else "CARTE D'IDENTITÉ", base, None, 0 if v != 3 else 2, pal)); cards.append(card(r, 85.6, 54, "", "", [(Lf["i"], D(issued)), ("Adresse" if c=="FR" else "Autorité", f"{p.street}, {p.pc} {p.city}" if c=="FR" else place)], m, 0, pal, photo=False))
        elif c == "IE":
            m = mrz_td1("IP", iss3, p.last, firsts, num, nat3, p.dob, p.sex, exp); d.checks.append(("mrz", m)); cards.append(card(r, 85.6, 54, hd, "PASSPORT CARD", base, None, 0, pal)); cards.append(card(r, 85.6, 54, "", "", [(Lf["i"], D(issued))], m, 0, pal, photo=False))
        elif c == "US": cards.append(card(r, 85.6, 54, f"{p.state} IDENTIFICATION CARD", "Not a driver license", [("4d ID", num), ("1", last), ("2", fm), ("3 DOB", ob), ("4b EXP", oe), ("8", f"{p.street} {p.city}")], None, 3, pal))
        elif c == "CA": d.layout = "colon"; cards.append(card(r, 85.6, 54, f"PROVINCE  {p.state}", "PHOTO CARD / CARTE-PHOTO", [("Surname", last), ("Given", fm), ("DOB", ob), ("No.", num), ("Expires", oe)], None, 1, pal))
        else: d.layout = "none"; cards.append(card(r, 85.6, 54, "CitizenProof", "PROOF OF AGE 18+", [("", fm), ("", last), ("", ob), ("", num)], None, 1, pal, lab=False))
        size = "210mm 297mm"
    elif type == "RESIDENCE_PERMIT":
        m = mrz_td1({"FR":"IR","BE":"IR","CH":"IR","GB":"IR","IE":"IR","US":"C1","CA":"CR"}[c], iss3, p.last, firsts, num, nat3, p.dob, p.sex, exp); d.checks.append(("mrz", m))
        ti = {"FR":["TITRE DE SÉJOUR","","","TITRE DE SÉJOUR / RESIDENCE PERMIT"][v if v in (0,3) else 0],"BE":"TITRE DE SÉJOUR – CARTE B","CH":"TITRE DE SÉJOUR – PERMIS B","GB":"RESIDENCE PERMIT","IE":"IRISH RESIDENCE PERMIT","US":"PERMANENT RESIDENT CARD","CA":"PERMANENT RESIDENT CARD"}[c]
        fl = [(Lf["l"], last), (Lf["f"], fm), (Lf["s"], sx), (Lf["n"], natp), (Lf["b"], ob), (Lf["d"], num), (Lf["e"], oe)]
        if c == "FR": fl = fl + [("Catégorie du titre", r.choice(["SALARIÉ","VIE PRIVÉE ET FAMILIALE","CARTE DE RÉSIDENT"]))]
        tpl = {0:0,1:2,2:1,3:0}[v]; d.layout = "colon" if tpl == 1 else "under"; cards.append(card(r, 85.6, 54, hd, ti, fl, None, tpl, pal, grey=c in ("GB","FR"))); cards.append(card(r, 85.6, 54, "", "", [(Lf["i"], D(issued)), (Lf["p"], place)], m, 0, pal, photo=False)); size = "210mm 297mm"
    else:
        fl = {"FR":[("1.", last), ("2.", fm), ("3.", f"{ob}  {place}"), ("4a.", D(issued)), ("4b.", oe), ("5.", num)],"BE":[("1.", last), ("2.", fm), ("3.", f"{ob} {place}"), ("4a.", D(issued)), ("4b.", oe), ("4c.", place), ("5.", num)],"CH":[("1", last), ("2", fm), ("3", f"{ob}"), ("4a", D(issued)), ("4b", oe), ("5", num)],"QC":[("Nom", last), ("Prénom", fm), ("Numéro", num), ("Né(e) le", ob), ("Expire", oe), ("Adresse", p.street), ("", f"{p.city} {p.pc}")],
          "GB":[("1.", last), ("2.", ("MR " if p.sex=="M" else "MISS ")+fm), ("3.", f"{ob} {place}"), ("4a.", D(issued)), ("4b.", oe), ("5.", num), ("8.", f"{p.street}, {p.city}, {p.pc}")],"IE":[("1.", last), ("2.", fm), ("3.", f"{ob}, {place}"), ("4a.", D(issued)), ("4b.", oe), ("5.", num)],"US":[("DL", num), ("EXP", oe), ("LN", last), ("FN", fm), ("DOB", ob), ("ISS", D(issued)), ("", p.street), ("", f"{p.city}, {p.state} {p.pc}")],"CA":[("1,2 NAME/NOM", last), ("", fm), ("4d NUMBER/NUMÉRO", num), ("4a ISS/DÉL", D(issued)), ("4b EXP", oe), ("3 DOB/DDN", ob), ("8 ADDRESS", p.street)]}[c]
        ti = {"FR":"PERMIS DE CONDUIRE","BE":"PERMIS DE CONDUIRE  RIJBEWIJS","CH":"PERMIS DE CONDUIRE","QC":"PERMIS DE CONDUIRE","GB":"DRIVING LICENCE","IE":"CEADÚNAS TIOMÁNA  DRIVING LICENCE","US":f"{p.state} DRIVER LICENSE","CA":f"{p.state} DRIVER'S LICENCE"}[c]
        tpl = {"QC":1,"CA":2}.get(c, 3); d.layout = {1:"colon",2:"under",3:"none"}[tpl]; cards.append(card(r, 85.6, 54, hd if c != "GB" else "UK", ti, fl, None, tpl, pal if c in ("US","CA","QC") else 2, sign=full(p), grey=c=="GB"))
        if c == "FR":
            e = f"{exp:%y%m%d}"; n = num + _cvx(num); b = ("D1FRA" + n + e + mname(p.last)[:8]).ljust(29, "<")[:29]; m = [b + _cvx(b)]; d.checks.append(("mrz", m)); cards.append(card(r, 85.6, 54, "", "", [("9.  B", f"{D(issued)} – {oe}"), ("12.", "01")], m, 3, 2, photo=False))
        size = "210mm 297mm"
    note = r.choice(["", "", "Copie" if lang == "fr" else "Copy"]) if size[0] == "2" else ""
    if pdf: note = r.choice(["", f"{'Copie du' if lang=='fr' else 'Copy made'} {d.copydate:%d/%m/%Y}"]) if size[0] == "2" else ""
    d.html = page(cards, r, note, size, 5 if size[0] != "2" else None); d.kind = kind; d.cards = cards; d.size = size; return d

def _cvx(s):
    from data import _cv
    return _cv(s)

def paper(r, d, p, x, Lf):
    t, lang, c = d.type, d.lang, d.c; F = lang == "fr"; D = x["D"]; d.date = d.copydate; q = CITY[c]
    pairs = [(Lf["l"], x["last"]), (Lf["f"], x["fm"])] + ([(Lf["n"], x["natp"])] if x["natp"] else []) + [(Lf["b"], x["ob"]), (Lf["d"], x["num"]), (Lf["i"], D(x["issued"])), (Lf["e"], x["oe"])]
    T = {"IDENTITY_CARD":("Justificatif d'identité à usage unique","Digital proof of identity"),"PASSPORT":("Attestation consulaire – passeport","Certified particulars of passport"),"RESIDENCE_PERMIT":("Attestation de droit au séjour","View and prove your immigration status"),"DRIVING_LICENCE":("Relevé des droits à conduire","Driving record summary")}[t][0 if F else 1]
    org = {"IDENTITY_CARD":("Identité Numérique","Digital Identity Service"),"PASSPORT":("Consulat général – section état civil","Consular Section"),"RESIDENCE_PERMIT":("Administration des étrangers","Immigration Service"),"DRIVING_LICENCE":("Service des permis de conduire","Driver Licensing Service")}[t][0 if F else 1]
    d.head(org, NATION[c][0]); d.blocks.append(("photo", face(r)))
    if d.v % 2 == 0: d.layout = "table"; d.title(T, ("Édité le " if F else "Generated ") + D(d.date)); d.kv(pairs)
    else: d.layout = "colon"; d.title(T); d.kv(pairs); d.p(("Document établi le " if F else "Issued on ") + D(d.date) + (" à la demande de l'intéressé(e)." if F else " at the request of the holder."))
    d.small(("Code de vérification : " if F else "Check code: ") + lets(r, 3) + " " + digs(r, 3) + " " + lets(r, 3)); d.kind = f"{t.lower()}-paper-{c}-{d.v}"; return d
