"""What forgers do with ordinary tools; each returns (bytes, what) or None when the document does not lend itself to it."""
import datetime as dt
import io
import re
import subprocess

import pikepdf
import pymupdf
from PIL import Image, ImageDraw, ImageFont

from people import FIRST, LAST, Account, check, day, digits, group, iban_ok, letters, money, place, years, STYLES

FONT_FILES = {}


def font_file(family):
    if family not in FONT_FILES:
        FONT_FILES[family] = subprocess.run(["fc-match", "-f", "%{file}", family], capture_output=True, text=True).stdout
    return FONT_FILES[family]


def other_value(r, code, raw, shown, country="FR"):
    """What a forger would write instead, in the same notation."""
    if isinstance(raw, dt.date):
        for st in STYLES:
            for lang in ("fr", "en", "de", "es", "it", "nl", "pt"):
                for up in (str, str.upper):
                    if up(day(raw, st, lang)) == shown:
                        new = years(raw, r.choice([2, 3, 5])) if code == "expiryDate" else raw + dt.timedelta(days=r.choice([-400, 35, 61, 92, -31]))
                        return up(day(new, st, lang))
        return None
    if isinstance(raw, int):
        new = round(abs(raw) * r.choice([1.25, 1.4, 1.6] if code == "netAmount" else [1.25, 1.4, 1.6, .55])) // 100 * 100 + r.randint(0, 99)
        for st in ("fr", "en", "ch", "de"):
            if money(raw, st) == shown:
                return money(new if raw > 0 else -new, st)
        return money(new).split(",")[0]
    if code == "iban":
        return Account(r, raw[:2], "").spaced
    if code in ("lastName", "firstName", "accountHolder"):
        pool = LAST["FR"] if code != "firstName" else sum(FIRST["FR"], [])
        new = r.choice([x for x in pool if x.lower() not in shown.lower() and len(x) < len(shown) + 4])
        if code == "accountHolder":
            return " ".join([new.upper() if shown.split()[0].isupper() else r.choice(FIRST["FR"][0]),
                r.choice(FIRST["FR"][0]) if shown.split()[0].isupper() else new])
        return new.upper() if shown.isupper() else new
    if code == "city":
        return None
    if code == "address":
        new = place(r, country)[0]
        return new.upper() if shown.isupper() else new
    if code in ("companyName", "issuer"):
        return None
    s = list(shown)
    k = [i for i, c in enumerate(s) if c.isdigit()]
    for i in r.sample(k, min(len(k), r.choice([1, 2, 3]))):
        s[i] = str((int(s[i]) + r.randint(1, 8)) % 10)
    return "".join(s)


PREFER = ["netAmount", "totalAmount", "iban", "lastName", "address", "issueDate", "expiryDate", "policyNumber", "accountHolder", "documentNumber",
    "registrationNumber", "birthDate", "postCode", "firstName"]


def pick(r, doc):
    """A field to change, money and dates first."""
    have = [c for c in PREFER if c in doc.fields]
    r.shuffle(have)
    have.sort(key=lambda c: PREFER.index(c) + r.randint(0, 6))
    for c in have:
        raw, shown = doc.fields[c]
        if doc.mrz and c not in ("expiryDate", "birthDate", "lastName", "firstName"):
            continue
        new = other_value(r, c, raw, shown, doc.land)
        if new and new != shown:
            return c, shown, new
    return None


def find(page, text):
    """Spans that carry the value, with its place on the line."""
    out = []
    for rect in page.search_for(text) or page.search_for(text.replace("\u00a0", " ")):
        best = None
        for b in page.get_text("dict")["blocks"]:
            for ln in b.get("lines", []):
                for s in ln["spans"]:
                    if pymupdf.Rect(s["bbox"]).intersects(rect) and s["text"].strip():
                        area = (pymupdf.Rect(s["bbox"]) & rect).get_area()
                        if best is None or area > best[0]:
                            best = (area, s)
        if best and re.search(r"(?<!\w)" + re.escape(text.split()[0]).replace("\u00a0", r"\s"), best[1]["text"], re.I):
            out.append((rect, best[1]))
    return out


def rgb(c):
    return ((c >> 16) / 255 % 1.001, (c >> 8 & 255) / 255, (c & 255) / 255)


def family(span, similar, r):
    n = span["font"].lower()
    mono, serif = any(x in n for x in ("mono", "cour", "ocr", "lmtt")), any(x in n for x in ("times", "serif", "roman", "p052", "cmr", "sfrm", "charter",
        "libertinus", "nimbusrom"))
    bold = ":bold" if "bold" in n or span["flags"] & 16 else ""
    if similar:
        return ("Liberation Mono" if mono else "Liberation Serif" if serif else "Liberation Sans") + bold
    return r.choice(["Carlito", "DejaVu Sans", "Liberation Serif" if not serif else "Liberation Sans", "Open Sans"]) + bold


def write(page, rect, span, new, r, similar=True, k=0):
    f = font_file(family(span, similar, r))
    name = f"FX{k}"
    page.insert_font(fontname=name, fontfile=f)
    size = span["size"] * (1 if similar else r.choice([.95, 1, 1.04]))
    w = pymupdf.Font(fontfile=f).text_length(new, size)
    x = rect.x0 if rect.x0 < page.rect.width * .62 else rect.x1 - w
    page.insert_text((x, span["origin"][1] + (0 if similar else r.uniform(-.6, .6))), new, fontname=name, fontsize=size, color=rgb(span["color"]))


def save(x):
    return x.tobytes(garbage=3, deflate=True)


def open_spots(data, doc, r):
    x = pymupdf.open(stream=data, filetype="pdf")
    p = pick(r, doc)
    if not p:
        return None
    spots = find(x[0], p[1])
    return (x, x[0], p, spots) if spots else None


def retype(page, spots, new, r, similar):
    for rect, s in spots:
        page.add_redact_annot(pymupdf.Rect(rect.x0, rect.y0 + rect.height * .25, rect.x1, rect.y1 - rect.height * .25), fill=False, cross_out=False)
    page.apply_redactions(images=0, graphics=0)
    for k, (rect, s) in enumerate(spots):
        write(page, rect, s, new, r, similar, k)


def retyped(data, doc, r):
    o = open_spots(data, doc, r)
    if not o:
        return None
    x, page, (c, old, new), spots = o
    similar = r.random() < .5
    retype(page, spots, new, r, similar)
    return save(x), f"{c} retyped in {'a similar' if similar else 'another'} font: {old} -> {new}"


def white_box(data, doc, r):
    o = open_spots(data, doc, r)
    if not o:
        return None
    x, page, (c, old, new), spots = o
    for k, (rect, s) in enumerate(spots):
        page.draw_rect(rect + (-1, 0, 1 + max(0, len(new) - len(old)) * s["size"] * .5, 0), color=None, fill=(1, 1, 1))
        write(page, rect, s, new, r, True, k)
    return save(x), f"{c} covered with a white box and rewritten: {old} -> {new}"


def revision(data, doc, r):
    """The change is appended; the first revision is still in the file."""
    from honest import incremental
    o = open_spots(data, doc, r)
    if not o:
        return None
    _, _, (c, old, new), _ = o
    note = r.random() < .4

    def change(x):
        page = x[0]
        for k, (rect, s) in enumerate(find(page, old)):
            if note:
                a = page.add_freetext_annot(rect + (-1, -1, 30, 2), new, fontsize=s["size"], fontname="helv", text_color=rgb(s["color"]), fill_color=(1, 1,
                    1))
                a.update()
            else:
                page.draw_rect(rect, color=None, fill=(1, 1, 1)) if r.random() < .3 else retype(page, [(rect, s)], "", r, True)
                write(page, rect, s, new, r, True, k)
    return incremental(data, change), f"{c} changed in an appended revision{' with a text annotation' if note else ''}: {old} -> {new}"


EDITORS = [("Adobe Photoshop 24.0 (Windows)", "Adobe Photoshop for Windows -- Image Conversion Plug-in"), (None, "Sejda 3.2.85 (sejda.com)"), ("PDFescape "
    "Online - https://www.pdfescape.com", "RAD PDF 3.36.0.0 - http://www.radpdf.com"), ("Canva", "Canva"), ("Adobe Illustrator 27.1 (Macintosh)",
        "Adobe PDF library 17.00"),
           ("Foxit PDF Editor", "Foxit PDF Editor Printer Version 12.1.0"), ("Inkscape 1.2.2", "cairo 1.17.8"), ("PDF-XChange Editor 9.5.366",
               "PDF-XChange Core API SDK (9.5.366)"), ("Wondershare PDFelement", "Wondershare PDFelement 9.4")]


def edited_metadata(data, doc, r):
    """The value is changed without a trace on the page; the records name an editor and a later day."""
    p = pick(r, doc)
    if not p:
        return None
    c, old, new = p
    x = pikepdf.open(io.BytesIO(doc.render({old: new})))
    cr, pr = r.choice(EDITORS)
    d = min(doc.made + dt.timedelta(days=r.randint(15, 120), seconds=r.randint(0, 40000)), dt.datetime(2026, 11, 20, 18, 5))
    stamp = d.strftime("D:%Y%m%d%H%M%S+01'00'")
    if "/Metadata" in x.Root:
        del x.Root.Metadata
    if cr:
        x.docinfo["/Creator"] = cr
    x.docinfo["/Producer"], x.docinfo["/ModDate"] = pr, stamp
    x.docinfo["/CreationDate"] = doc.made.strftime("D:%Y%m%d%H%M%S+01'00'")
    if "Photoshop" in pr + str(cr) or "Illustrator" in str(cr):
        with x.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as m:
            iso = "%Y-%m-%dT%H:%M:%S+01:00"
            m["xmp:CreatorTool"], m["xmp:ModifyDate"], m["xmp:CreateDate"] = cr, d.strftime(iso), doc.made.strftime(iso)
            m["pdf:Producer"] = pr
    b = io.BytesIO()
    x.save(b)
    return b.getvalue(), f"metadata name an editor ({pr}) and a later change; {c} {old} -> {new}"


def bad_iban(data, doc, r):
    if not doc.iban or "iban" not in doc.fields:
        return None
    s = doc.iban
    while iban_ok(s):
        t = list(doc.iban)
        for i in r.sample([i for i, c in enumerate(t) if c.isdigit() and i > 4], r.choice([1, 2, 4])):
            t[i] = str((int(t[i]) + r.randint(1, 9)) % 10)
        s = "".join(t)
    return doc.render({doc.iban: s}), f"IBAN digits changed, check digits not: {doc.iban} -> {s}"


def bad_mrz(data, doc, r):
    if not doc.mrz:
        return None
    k = r.choice(["print", "print", "digit", "digit", "name"])
    if k == "print":
        c = r.choice([c for c in ("birthDate", "expiryDate", "documentNumber") if c in doc.fields])
        raw, old = doc.fields[c]
        if c == "documentNumber" and any(old in ln for ln in doc.mrz):  # the zone keeps the old number: guard it from the replacement
            return None
        new = other_value(r, c, raw, old)
        return doc.render({old: new}), f"{c} printed does not agree with the machine-readable zone: {old} -> {new}"
    ln = doc.mrz[1] if k == "digit" else next(x for x in doc.mrz if "<<" in x and any(c.isalpha() for c in x[5:]))
    if k == "digit":
        pos = [i for i, c in enumerate(ln) if c.isdigit()]
        i = r.choice(pos[:-1])
        new = ln[:i] + str((int(ln[i]) + r.randint(1, 9)) % 10) + ln[i + 1:]
        what = "a digit of the machine-readable zone changed, check digits not"
    else:
        old_n = next(x for x in (ln[5:] if len(doc.mrz) < 3 else ln).split("<") if x)
        nn = r.choice([x.upper() for x in LAST["FR"] if x.isalpha() and x.isascii()])
        new = (ln.replace(old_n, nn, 1) + "<" * 44)[:len(ln)]
        what = f"name in the machine-readable zone is another ({nn}) than the printed one"
    esc = lambda s: s.replace("<", "&lt;")
    return doc.render({ln: new, esc(ln): esc(new)}), what


def bad_sum(data, doc, r):
    if not doc.total or not doc.sums:
        return None
    old = r.choice(doc.total)
    num = "".join(c for c in old if c.isdigit() or c in ",.'\u00a0-").strip()
    cents = int("".join(c for c in num if c.isdigit()))
    whole = not (len(num) > 3 and num[-3] in ",.")
    new_c = round(cents * r.choice([1.1, 1.2, 1.35, 2])) + r.randint(1, 9)
    if whole:
        new = f"{new_c:,}".replace(",", "\u00a0" if "\u00a0" in num else "")
    else:
        st = next((s for s in ("fr", "en", "ch", "de") if money(cents, s) == num.lstrip("-")), "fr")
        new = ("-" if num.startswith("-") else "") + money(new_c, st)
    # a line break in the source may stand between the number and its currency
    key = old if callable(doc.src) or old in doc.src else num
    return doc.render({key: key.replace(num, new)}), f"the sum no longer adds up: {old} -> {old.replace(num, new)}"


def bad_dates(data, doc, r):
    if doc.mrz:
        return None
    if doc.order:
        a, b, fm, what = r.choice(doc.order)
        new = a - dt.timedelta(days=r.randint(12, 400))
        if fm(a) == fm(b):
            return None
        return doc.render({fm(b): fm(new)}), f"incoherent dates ({what}): {fm(b)} -> {fm(new)}"
    return None


def under_picture(data, doc, r):
    """A small picture with the new value lies over the old one, which is still in the text."""
    o = open_spots(data, doc, r)
    if not o:
        return None
    x, page, (c, old, new), spots = o
    for rect, s in spots:
        z = r.choice([3, 4, 6])
        f = font_file(family(s, True, r))
        tw = pymupdf.Font(fontfile=f).text_length(new, s["size"])
        box = pymupdf.Rect(rect.x0 - 1, rect.y0, max(rect.x1, rect.x0 + tw) + 2, rect.y1)
        im = Image.new("RGB", (int(box.width * z), int(box.height * z)), "white")
        px = page.get_pixmap(clip=pymupdf.Rect(rect.x0 - 3, rect.y0, rect.x0 - 1, rect.y1), dpi=72)
        im.paste(px.pixel(0, 0)[:3], (0, 0, *im.size))  # the colour of the ground next to the value
        ImageDraw.Draw(im).text((z, (s["origin"][1] - box.y0) * z), new, font=ImageFont.truetype(f, int(s["size"] * z)),
            fill=tuple(int(v * 255) for v in rgb(s["color"])), anchor="ls")
        b = io.BytesIO()
        im.save(b, r.choice(["PNG", "JPEG"]))
        page.insert_image(box, stream=b.getvalue(), keep_proportion=False)
    return save(x), f"{c} covered by a picture, the old value is still below: {old} -> {new}"


def spliced(data, doc, r):
    """Part of the page comes from another program, with another value in it."""
    p = pick(r, doc)
    if not p:
        return None
    c, old, new = p
    x = pymupdf.open(stream=data, filetype="pdf")
    page = x[0]
    spots = find(page, old)
    if not spots:
        return None
    y = spots[0][0].y0
    H, W = page.rect.height, page.rect.width
    cut = max(40, y - r.randint(12, 60)) if y > H * .3 or len(spots) > 1 and r.random() < .5 else min(H - 40, spots[-1][0].y1 + r.randint(12, 60))
    lower = cut < y
    area = pymupdf.Rect(0, cut, W, H) if lower else pymupdf.Rect(0, 0, W, cut)
    alt = {"weasyprint": "chromium", "chromium": "weasyprint"}.get(doc.kind)
    how = r.choice(["vector", "vector", "picture"]) if alt else "picture"
    full = r.random() < .25
    if full:
        area = page.rect
    if how == "vector":
        other = pymupdf.open(stream=doc.render({old: new}, kind=alt), filetype="pdf")
    else:
        other = pymupdf.open(stream=doc.render({old: new}), filetype="pdf")
    clip = pymupdf.Rect(0, area.y0, W, area.y1)
    if how == "vector" and not full:  # the other program sets the lines elsewhere: join the parts at the value, as a forger would
        there = other[0].search_for(new)
        if not there:
            return None
        cut, y2 = y - 6, there[0].y0 - 6
        clip = pymupdf.Rect(0, y2, min(W, other[0].rect.width), min(other[0].rect.height, y2 + H - cut))
        area, lower = pymupdf.Rect(0, cut, clip.width, cut + clip.height), True
    if not full:
        page.add_redact_annot(pymupdf.Rect(0, area.y0, W, H if lower else area.y1), fill=False, cross_out=False)
        page.apply_redactions(images=2, graphics=1)
    if how == "vector" and not full:
        page.show_pdf_page(area, other, 0, clip=clip)
    elif how == "vector":
        if len(x) < 2:
            return None
        x.delete_page(0)
        x.insert_pdf(other, from_page=0, to_page=0, start_at=0)
    else:
        if full and len(x) < 2:
            return None
        px = other[0].get_pixmap(clip=area, dpi=r.choice([130, 150, 200]))
        if full:
            x.delete_page(0)
            page = x.new_page(0, width=W, height=H)
        page.insert_image(area, stream=px.tobytes("jpeg", jpg_quality=82))
    part = "first page" if full else "lower part of the page" if lower else "upper part of the page"
    return save(x), f"{part} made by another program ({alt if how == 'vector' else 'picture of an edited page'}); {c} {old} -> {new}"


KINDS = {"retyped": retyped, "white_box": white_box, "revision": revision, "metadata": edited_metadata, "iban": bad_iban, "mrz": bad_mrz, "sum": bad_sum,
    "dates": bad_dates, "hidden_under_picture": under_picture, "spliced": spliced}
