"""Forgeries with ordinary tools, each different from its honest original in one thing; and what honest people do to files."""
import datetime as dt
import io
import os
import re

import pikepdf
import pymupdf as fitz
import pypdf
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen import canvas as rl

from data import K, MON, date, iban_ok, money, mrz_digit, mrz_ok, norm
from engines import TMP, Canvas, font, gs, run
from scan import image_pdf, jpeg, picture, png

AMOUNT = ("totalAmount", "netAmount")
DATES = ("birthDate", "expiryDate", "issueDate")


def read_date(text, cc=""):
    """(day, notation, language) of a printed date; Americans put the month first."""
    nums = re.findall(r"\d+", text)
    for lang in MON:
        for st in (["m/d/y"] if cc == "US" else []) + ["d/m/y", "d.m.y", "d-m-y", "d m y", "m/d/y", "iso", "d/m/yy", "d.m.yy", "long", "er", "mon",
                                                         "MON", "us", "mus"]:
            y = [int(n) for n in nums if len(n) == 4] or [2000 + int(nums[-1]) if int(nums[-1]) < 40 else 1900 + int(nums[-1])]
            for mth in range(1, 13):
                for n in nums:
                    try:
                        d = dt.date(y[0], mth, int(n))
                    except ValueError:
                        continue
                    if date(d, st, lang) == text:
                        return d, st, lang
    return None


def pour(template, digits):
    """The digits of an amount in the notation of another print of the same amount."""
    it = iter(digits)
    return re.sub(r"\d", lambda _m: next(it), template)


def raise_amount(k, s):
    """A forger changes one leading digit, the length stays."""
    pos = [m.start() for m in re.finditer(r"\d", s)]
    lead = pos[0] if len(pos) < 5 or k.random() < .4 else pos[1]
    new = k.choice([c for c in "123456789" if c != s[lead]])
    return s[:lead] + new + s[lead + 1:]


def other_digit(k, s):
    pos = [m.start() for m in re.finditer(r"\d", s)]
    if not pos:
        return s[:-1] + k.choice([c for c in "ABCDEFG" if c != s[-1]])
    i = k.choice(pos[len(pos) // 2:])
    return s[:i] + k.choice([c for c in "0123456789" if c != s[i]]) + s[i + 1:]


def other_value(k, doc, code, shown):
    """Another believable value of one field, in the notation of the print."""
    if code in AMOUNT:
        return raise_amount(k, shown)
    if code in DATES:
        r = read_date(shown, doc.cc)
        if not r:
            return other_digit(k, shown)
        lo = {"birthDate": (200, 2500), "expiryDate": (200, 1200), "issueDate": (33, 160)}[code]
        d = r[0] + dt.timedelta(days=k.randint(*lo) * (1 if code == "expiryDate" else -1))
        return date(d, r[1], r[2])
    cc = doc.cc if doc.cc != "CA" or doc.lang == "fr" else "CAE"
    if code in ("lastName", "firstName", "accountHolder"):
        p = k.person(cc)
        v = {"lastName": p.last, "firstName": p.first, "accountHolder": p.full}[code]
    elif code in ("address", "city"):
        a = k.addr(cc)
        v = a.street if code == "address" else a.city
    elif code in ("companyName", "issuer"):
        from bills import TELCO, UTIL
        from data import COMPANIES
        from papers import INS
        v = k.choice(COMPANIES[cc] if doc.type in ("INVOICE", "COMPANY_REGISTRATION") else INS.get(cc, INS["FR"]) + INS["GB"]
            if doc.type.startswith("INS") else UTIL[cc] + TELCO.get(cc, []) + UTIL["FR"] + UTIL["GB"])
    elif code == "iban":
        v = k.spaced(k.iban(shown[:2]))
    elif code == "nationality":
        v = k.choice(["Portugaise", "Canadienne", "Turkish", "Polonaise", "Norwegian", "Vietnamese"])
    elif code == "bic":
        v = k.choice(["DEUT", "BARC", "RABO", "KRED"]) + shown[4:]
    else:
        v = other_digit(k, shown)
    return v.upper() if shown.isupper() and code not in ("issuer",) else v


# ---- finding and changing text in a finished file --------------------------------------------------------------------

def hits(d, text):
    out = []
    for pg in d:
        for t in (text, text.replace("\u202f", " "), text.replace("\u202f", "\u00a0"), text.replace(" ", "\u00a0")):
            rs = pg.search_for(t)
            if rs:
                out += [(pg, r) for r in rs]
                break
    return out


def span_at(pg, rect):
    best = None
    for b in pg.get_text("dict")["blocks"]:
        for ln in b.get("lines", []):
            for s in ln["spans"]:
                i = fitz.Rect(s["bbox"]) & rect
                if not i.is_empty and (best is None or i.get_area() > best[0]):
                    best = (i.get_area(), s)
    return best[1] if best else {"size": rect.height * .8, "font": "Helvetica", "color": 0, "origin": (rect.x0, rect.y1 - rect.height * .2),
        "bbox": tuple(rect)}


def font_for(s, k, same):
    """The nearest font that the forger's editor offers; or simply its default."""
    n = s["font"].lower()
    bold = "bold" in n or "-b" in n[-3:]
    if not same:
        return k.choice(["tiro", "cour", "helv"] if "helv" not in n and "sans" not in n else ["tiro", "cour", "tibo"])
    fam = "co" if "mono" in n or "cour" in n else "ti" if "serif" in n or "times" in n or "roman" in n or "c059" in n else "he"
    return {"co": ("cour", "cobo"), "ti": ("tiro", "tibo"), "he": ("helv", "hebo")}[fam][bold]


def write_at(pg, rect, s, new, face, k, dx=0.0, size=1.0):
    c = s["color"]
    rgb = ((c >> 16 & 255) / 255, (c >> 8 & 255) / 255, (c & 255) / 255)
    base = s["origin"][1] if abs(s["origin"][1] - rect.y1) < rect.height else rect.y1 - rect.height * .2
    pg.insert_text((rect.x0 + dx, base + k.choice([0, 0, .4])), new.replace("\u202f", " "), fontsize=s["size"] * size, fontname=face, color=rgb)


def open_(pdf):
    return fitz.open(stream=pdf, filetype="pdf")


def first_hit(pdf, old):
    d = open_(pdf)
    hs = hits(d, old)
    if not hs:
        raise LookupError(old)
    return d, hs


def remove(pg, rect):
    r = fitz.Rect(rect.x0, rect.y0 + rect.height * .3, rect.x1, rect.y1 - rect.height * .3)
    pg.add_redact_annot(r, fill=False)
    pg.apply_redactions(images=0, graphics=0)


def retype(pdf, old, new, k, same):
    d, hs = first_hit(pdf, old)
    spans = [(pg.number, r, span_at(pg, r)) for pg, r in hs[:3]]
    for n, r, s in spans:
        remove(d[n], r)
    for n, r, s in spans:
        write_at(d[n], r, s, new, font_for(s, k, same), k, size=1 if same else k.choice([1, .96, 1.05]))
    return d.tobytes(garbage=1, deflate=True)


def white_box(pdf, old, new, k):
    d, hs = first_hit(pdf, old)
    how = k.choice(["editor", "overlay", "annotation"])
    spans = [(pg.number, r, span_at(pg, r)) for pg, r in hs[:2]]
    if how == "editor":
        for n, r, s in spans:
            d[n].draw_rect(r + (-1, 0, 2, 0), color=None, fill=(1, 1, 1))
            write_at(d[n], r, s, new, font_for(s, k, True), k)
        return d.tobytes(garbage=0, deflate=True), "a white box drawn over it, new text on top"
    if how == "annotation":
        for n, r, s in spans:
            a = d[n].add_freetext_annot(r + (-1, -1, max(6, len(new) * s["size"] * .1), 1), new.replace("\u202f", " "), fontsize=s["size"], fontname="helv",
                fill_color=(1, 1, 1), text_color=(0, 0, 0))
            a.update()
        return d.tobytes(), "a text note with white ground laid over it"
    rd, w = pypdf.PdfReader(io.BytesIO(pdf)), pypdf.PdfWriter()
    w.append(rd)
    for n in {n for n, _, _ in spans}:
        pg = d[n]
        b = io.BytesIO()
        c = rl.Canvas(b, pagesize=(pg.rect.width, pg.rect.height))
        for m, r, s in spans:
            if m == n:
                c.setFillColorRGB(1, 1, 1)
                c.rect(r.x0 - 1, pg.rect.height - r.y1, r.width + 3, r.height, stroke=0, fill=1)
                c.setFillColorRGB(0, 0, 0)
                c.setFont("Helvetica", s["size"])
                c.drawString(r.x0, pg.rect.height - r.y1 + r.height * .22, new.replace("\u202f", " "))
        c.save()
        w.pages[n].merge_page(pypdf.PdfReader(io.BytesIO(b.getvalue())).pages[0])
    o = io.BytesIO()
    w.write(o)
    return o.getvalue(), "a white box and new text merged over it from a second file"


def incremental(pdf, change):
    """Let `change` alter the open document and append the result as a revision."""
    path = os.path.join(TMP, "inc.pdf")
    with open(path, "wb") as f:
        f.write(pdf)
    d = fitz.open(path)
    change(d)
    d.save(path, incremental=True, encryption=fitz.PDF_ENCRYPT_KEEP)
    d.close()
    with open(path, "rb") as f:
        return f.read()


def revision(pdf, old, new, k):
    def change(d):
        hs = hits(d, old)
        spans = [(pg.number, r, span_at(pg, r)) for pg, r in hs[:3]]
        if not spans:
            raise LookupError(old)
        for n, r, s in spans:
            remove(d[n], r)
        for n, r, s in spans:
            write_at(d[n], r, s, new, font_for(s, k, True), k)
    return incremental(pdf, change)


def under_picture(pdf, old, new, k):
    d, hs = first_hit(pdf, old)
    for pg, r in hs[:2]:
        s = span_at(pg, r)
        z = 4
        bg = pg.get_pixmap(clip=fitz.Rect(r.x0 - 4, r.y0 + 1, r.x0 - 2, r.y1 - 1), dpi=36).pixel(0, 0)
        f = ImageFont.truetype(font(k.choice(["Liberation Sans", "Liberation Serif", "DejaVu Sans"])), int(s["size"] * z))
        new1 = new.replace("\u202f", " ")
        w = max(r.width, f.getlength(new1) / z + 2)
        im = Image.new("RGB", (int(w * z), int(r.height * z)), bg)
        ImageDraw.Draw(im).text((1, r.height * z * .8), new1, fill=(20, 20, 20), font=f, anchor="ls")
        b = io.BytesIO()
        im.save(b, "PNG" if k.random() < .6 else "JPEG")
        pg.insert_image(fitz.Rect(r.x0, r.y0, r.x0 + w, r.y1), stream=b.getvalue())
    return d.tobytes(deflate=True)


def cairo(pdf):
    return run(["pdftocairo", "-pdf", "-", "-"], data=pdf)


def foreign_page(pdf, altered, old, k):
    """The page (or its half) with the changed value comes from another program than the rest."""
    d, hs = first_hit(pdf, old)
    pg, r = hs[0]
    if len(d) > 1:
        n = {p.number for p, _ in hs}
        src = open_(cairo(altered)) if k.random() < .5 else None
        out = fitz.open()
        for i in range(len(d)):
            if i not in n:
                out.insert_pdf(d, from_page=i, to_page=i)
            elif src:
                out.insert_pdf(src, from_page=i, to_page=i)
            else:
                img, _, _ = picture(altered, k, i, "flatbed")
                q = out.new_page(width=d[i].rect.width, height=d[i].rect.height)
                q.insert_image(q.rect, stream=jpeg(img, k, 80))
        return out.tobytes(garbage=1, deflate=True), "a page was replaced by one from another program" if src else "a page was replaced by a scanned one"
    h, w = pg.rect.height, pg.rect.width
    cut = h / 2
    part = fitz.Rect(0, 0, w, cut) if r.y1 < cut else fitz.Rect(0, cut, w, h) if r.y0 > cut else fitz.Rect(0, max(0, r.y0 - h / 4), w, min(h, r.y1 + h / 4))
    alt = open_(altered)
    if k.random() < .5:
        pm = alt[0].get_pixmap(dpi=k.choice([130, 150, 170]), clip=part)
        pg.insert_image(part, stream=pm.tobytes("jpeg"))
        return d.tobytes(deflate=True), "half of the page is a picture from an altered copy"
    pg.add_redact_annot(part, fill=(1, 1, 1))
    pg.apply_redactions()
    pg.show_pdf_page(part, open_(cairo(altered)), 0, clip=part)
    return d.tobytes(garbage=1, deflate=True), "half of the page was set by another program"


EDITORS = [("Adobe Photoshop 25.1 (Windows)", "Adobe Photoshop 25.1"), ("PDF-XChange Editor 10.1", None), ("iLovePDF", None), ("Sejda 3.2.85 (www.sejda.com)",
    None), ("Canva", "Canva"),
           ("Foxit PDF Editor 13.0", "Foxit PDF Editor"), ("GIMP 2.10.34", None), ("Skia/PDF m126", "PDFescape Online - https://www.pdfescape.com"),
               ("cairo 1.16.0", "Inkscape 1.3.2"), ("Wondershare PDFelement 10", None)]


def betraying_metadata(pdf, k, day):
    prod, creator = k.choice(EDITORS)
    p = pikepdf.open(io.BytesIO(pdf))
    later = day + dt.timedelta(days=k.randint(25, 300))
    z = lambda d: f"D:{d:%Y%m%d}{k.randint(8, 23):02d}{k.randint(0, 59):02d}00+01'00'"
    i = p.docinfo
    if k.random() < .7 or "/CreationDate" not in i:
        i["/CreationDate"] = z(day)
    i["/ModDate"], i["/Producer"] = z(later), prod
    if creator:
        i["/Creator"] = creator
    if "Photoshop" in prod or k.random() < .3:
        with p.open_metadata(set_pikepdf_as_editor=False) as m:
            m["xmp:CreatorTool"] = creator or prod
            m["xmp:ModifyDate"] = later.isoformat() + "T21:14:00+01:00"
    o = io.BytesIO()
    p.save(o)
    return o.getvalue(), f"metadata say {prod} and a change on {later.isoformat()}"


# ---- the ten kinds -----------------------------------------------------------------------------------------------------

def set_field(doc, old, new):
    """Keep the labels in step with the print."""
    for c, (v, pr) in list(doc.fields.items()):
        if pr == old or (norm(pr) == norm(old) and len(norm(pr)) > 2):
            nv = new if not re.search(r"\d", old) or c not in AMOUNT else pour(pr, re.findall(r"\d", new)) if len(re.findall(r"\d",
                pr)) == len(re.findall(r"\d", new)) else new
            doc.fields[c] = (nv, nv)


def free_field(k, doc, codes=("totalAmount", "netAmount", "lastName", "issueDate", "address", "city", "policyNumber", "invoiceNumber", "registrationNumber",
    "accountHolder", "companyName", "expiryDate", "birthDate", "iban")):
    c = [x for x in codes if x in doc.fields and not (x == "lastName" and len(doc.fields[x][0]) < 4)]
    if doc.type == "COMPANY_REGISTRATION":  # its number has check digits of its own
        c = [x for x in c if x != "registrationNumber"]
    return k.choice(c)


def forge(kind, doc, remake, k):
    """(bytes, what) or LookupError. `remake(subs)` sets the same document again with words swapped in its source."""
    pdf = doc.pdf
    if kind == "iban":
        shown = doc.fields["iban"][1]
        raw = shown.replace(" ", "")
        while True:
            new = raw
            for _ in range(k.choice([1, 2, 3])):
                i = k.randint(6, len(raw) - 1)
                new = new[:i] + (k.choice("0123456789") if raw[i].isdigit() else new[i]) + new[i + 1:]
            if not iban_ok(new) and new != raw:
                break
        out = remake([(shown, k.spaced(new)), (raw, new)])
        set_field(doc, shown, k.spaced(new))
        return out.pdf, "digits of the IBAN changed, its check digits are no longer right"
    if kind == "mrz":
        way = k.choice(["birth", "number", "expiry", "digit", "zone"])
        code = {"birth": "birthDate", "number": "documentNumber", "expiry": "expiryDate"}.get(way)
        if code and code in doc.fields:
            old = doc.fields[code][1]
            new = other_value(k, doc, code, old)
            out = remake([(old, new)])
            set_field(doc, old, new)
            return out.pdf, f"printed {code} changed, the machine-readable zone still has the old one"
        m = doc.mrz[1]
        at = len(m) - 1 if way == "digit" else {36: 28, 30: 1, 44: 14}[len(m)]
        new = m[:at] + k.choice([c for c in "0123456789" if c != m[at]]) + m[at + 1:]
        out = remake([(m, new)])
        return (out.pdf, "a check digit of the machine-readable zone is wrong"
            if way == "digit" else "birth date in the machine-readable zone changed without its check digit")
    if kind == "sum":
        cand = [s for s in doc.sums if len(re.findall(r"\d", s)) > 3]
        old = k.choice(cand)
        new = raise_amount(k, old)
        out = remake([(old, new)])
        set_field(doc, old, new)
        return out.pdf, "one amount changed, the sums no longer add up"
    if kind == "dates":
        n = k.randint(0, len(doc.dates) - 2)
        (t1, d1, _), (t2, d2, _) = doc.dates[n], doc.dates[n + 1]
        r = read_date(t2, doc.cc)
        if not r or d2 <= d1:
            raise LookupError(t2)
        new = date(d1 - dt.timedelta(days=k.randint(40, 900)), r[1], r[2])
        out = remake([(t2, new)])
        set_field(doc, t2, new)
        return out.pdf, "a later date was set before the earlier one that it follows"
    code = free_field(k, doc)
    old = doc.fields[code][1]
    new = other_value(k, doc, code, old)
    if norm(new) == norm(old):
        raise LookupError(old)
    if kind == "retyped":
        same = k.random() < .55
        out, what = retype(pdf, old, new, k, same), f"{code} retyped in {'a similar' if same else 'another'} font"
    elif kind == "white_box":
        out, how = white_box(pdf, old, new, k)
        what = f"{code} covered: {how}"
    elif kind == "revision":
        out, what = revision(pdf, old, new, k), f"{code} changed in an appended revision"
    elif kind == "under_picture":
        out, what = under_picture(pdf, old, new, k), f"{code} covered by a picture of another value, the old text is still below"
    elif kind == "foreign_page":
        out, how = foreign_page(pdf, remake([(old, new)]).pdf, old, k)
        what = f"{code} changed: {how}"
    else:
        code = k.choice([c for c in doc.fields if c not in AMOUNT + ("iban", "registrationNumber", "bic")])
        old = doc.fields[code][1]
        new = other_value(k, doc, code, old)
        alt = remake([(old, new)])
        out, how = betraying_metadata(alt.pdf, k, doc.day)
        what = f"{code} changed; {how}"
    set_field(doc, old, new)
    return out, what


KINDS = ["retyped", "white_box", "revision", "metadata", "iban", "mrz", "sum", "dates", "under_picture", "foreign_page"]


# ---- honest handling ---------------------------------------------------------------------------------------------------

def pk_save(pdf, fn=None, **kw):
    with pikepdf.open(io.BytesIO(pdf)) as p:
        if fn:
            fn(p)
        o = io.BytesIO()
        p.save(o, **kw)
        return o.getvalue()


_signer = []


def signer():
    """A self-signed key, made once a run."""
    if not _signer:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import rsa
        from pyhanko.sign import signers
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Document Service")])
        now = dt.datetime(2024, 1, 1)
        crt = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(
            7003).not_valid_before(now).not_valid_after(
            now + dt.timedelta(days=3650)).add_extension(x509.KeyUsage(True, True, False, False, False, False, False, False, False), True).sign(key,
                hashes.SHA256())
        paths = [os.path.join(TMP, n) for n in ("key.pem", "crt.pem")]
        with open(paths[0], "wb") as f:
            f.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        with open(paths[1], "wb") as f:
            f.write(crt.public_bytes(serialization.Encoding.PEM))
        _signer.append(signers.SimpleSigner.load(paths[0], paths[1]))
    return _signer[0]


def sign(pdf, k):
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import fields, signers
    w = IncrementalPdfFileWriter(io.BytesIO(pdf), strict=False)
    o = io.BytesIO()
    signers.sign_pdf(w, signers.PdfSignatureMetadata(field_name="Signature1", reason=k.choice(["Certified copy", "Émission", None])), signer=signer(), output=o)
    return o.getvalue()


def cover(doc, k):
    co = doc.fields.get("issuer", doc.fields.get("companyName", ("Service courrier", "")))[0]
    if doc.producer in ("Skia/PDF", "WeasyPrint") or k.random() < .5:
        from engines import weasy
        txt = "Veuillez trouver ci-joint le document demandé." if doc.lang == "fr" else "Please find enclosed the document that you asked for."
        return weasy(K("cover"), f"<style>@page{{size:A4;margin:30mm}}body{{font:12pt 'Lato'}}</style><h2>{co}</h2><p>{txt}</p><p>"
            f"{'Le service clients' if doc.lang == 'fr' else 'Customer services'}</p>")
    c = Canvas(K("cover"))
    c.s(25, 40, co, 16, "Helvetica-Bold")
    c.s(25, 80, "Bordereau d'envoi : 1 document" if doc.lang == "fr" else "Enclosure: one document", 11)
    return c.done()


def filled_form(pdf, k, lang):
    """The office's form has fields; the person fills them in a reader and saves."""
    d = open_(pdf)
    pg = d[len(d) - 1]
    h = pg.rect.height
    names = [("acknowledged", "Lu et approuvé" if lang == "fr" else "Read and accepted"), ("contact", f"0{k.randint(1, 7)} {k.digits(8)}")]
    for i, (n, _v) in enumerate(names):
        w = fitz.Widget()
        w.field_type, w.field_name, w.rect, w.text_fontsize = fitz.PDF_WIDGET_TYPE_TEXT, n, fitz.Rect(30 + i * 160, h - 26, 170 + i * 160, h - 12), 8
        w.field_value, w.border_color = "", (.6, .6, .6)
        pg.add_widget(w)
    blank = d.tobytes()

    def fill_in(x):
        for w in x[len(x) - 1].widgets():
            w.field_value = dict(names)[w.field_name]
            w.update()
    if k.random() < .6:
        return incremental(blank, fill_in)
    x = open_(blank)
    fill_in(x)
    return x.tobytes(deflate=True)


def benign(way, doc, k):
    """(bytes, medium, extension)."""
    pdf, later = doc.pdf, doc.day + dt.timedelta(days=k.randint(1, 20))
    if way == "linearised":
        return pk_save(pdf, linearize=True), "pdf", "pdf"
    if way == "qpdf_optimised":
        return run(["qpdf", "--object-streams=generate", "--recompress-flate", tmpfile(pdf), "-"]), "pdf", "pdf"
    if way == "ghostscript_optimised":
        return gs(pdf, "-dPDFSETTINGS=/ebook"), "pdf", "pdf"
    if way == "printed_to_pdf":
        return cairo(pdf), "pdf", "pdf"
    if way == "printed_via_postscript":
        return gs(run(["pdftops", "-", "-"], data=pdf)), "pdf", "pdf"
    if way == "turned_and_saved":
        return pk_save(pdf, lambda p: [pg.rotate(k.choice([90, 180, 270]), relative=True) for pg in p.pages]), "pdf", "pdf"
    if way == "turned_incremental":
        return incremental(pdf, lambda d: [pg.set_rotation(90) for pg in d]), "pdf", "pdf"
    if way == "form_filled":
        return filled_form(pdf, k, doc.lang), "pdf", "pdf"
    if way == "signed":
        return sign(pdf, k), "pdf", "pdf"
    if way == "merged_with_cover":
        c = cover(doc, k)
        if k.random() < .5:
            w = pypdf.PdfWriter()
            w.append(io.BytesIO(c))
            w.append(io.BytesIO(pdf))
            o = io.BytesIO()
            w.write(o)
            return o.getvalue(), "pdf", "pdf"
        return run(["pdftk", tmpfile(c, "a"), tmpfile(pdf, "b"), "cat", "output", "-"]), "pdf", "pdf"
    if way == "page_extracted":
        with pikepdf.open(io.BytesIO(cover(doc, k))) as front:
            both = pk_save(pdf, lambda p: p.pages.insert(0, front.pages[0]))
        n = len(open_(both))
        return run(["qpdf", tmpfile(both), "--pages", ".", f"2-{n}", "--", "-"]), "pdf", "pdf"
    if way in ("highlighted", "noted"):
        def mark(d):
            hs = hits(d, k.choice([pr for v, pr in doc.fields.values()] or ["e"]))
            pg, r = hs[0] if hs else (d[0], fitz.Rect(60, 60, 120, 75))
            if way == "highlighted":
                pg.add_highlight_annot(r)
            else:
                pg.add_text_annot((r.x1 + 12, r.y0), k.choice(["vu", "à transmettre", "ok for file", "please check date with client"]))
        if k.random() < .6:
            return incremental(pdf, mark), "pdf", "pdf"
        d = open_(pdf)
        mark(d)
        return d.tobytes(), "pdf", "pdf"
    if way == "metadata_removed":
        def strip(p):
            for obj, key in ((p.trailer, "/Info"), (p.Root, "/Metadata")):
                if key in obj:
                    del obj[key]
        return pk_save(pdf, strip), "pdf", "pdf"
    if way == "scanned":
        img, _, _ = picture(pdf, k, 0, "flatbed")
        return image_pdf([img], k, later)[0], "scan_pdf", "pdf"
    if way == "messenger":
        img, _, _ = picture(pdf, k, 0, "phone")
        return jpeg(img, k, k.randint(62, 78), size=1600), "scan_jpeg", "jpg"
    raise ValueError(way)


def tmpfile(pdf, name="x"):
    path = os.path.join(TMP, name + "_in.pdf")
    with open(path, "wb") as f:
        f.write(pdf)
    return path


WAYS = ["linearised", "qpdf_optimised", "ghostscript_optimised", "printed_to_pdf", "printed_via_postscript", "turned_and_saved", "turned_incremental",
    "form_filled", "signed", "merged_with_cover",
        "page_extracted", "highlighted", "noted", "metadata_removed", "scanned", "messenger", "signed", "form_filled", "noted", "messenger"]
