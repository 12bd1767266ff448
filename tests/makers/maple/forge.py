"""Forgeries, as people make them with the tools at hand. Each changes one value that matters."""
import datetime as dt
import io
import logging
import re
import shutil
import tempfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import pymupdf
from PIL import Image, ImageDraw, ImageFont

import people as pp
import render
import scan
from benign import later, signed
from entries import norm
from model import date_text, number_text

ORDER = ["totalAmount", "netAmount", "iban", "expiryDate", "lastName", "address", "companyName", "birthDate", "issueDate", "accountHolder",
         "policyNumber", "documentNumber"]
STYLES = ["slash", "long", "dot", "iso", "us", "mid", "us-long", "space", "dash"]


def new_value(doc, code, r):
    """What the forger wants to read there, in the document's own notation."""
    old, raw = doc.fields[code], doc.raw[code]
    if isinstance(raw, Decimal):
        more = pp.cents(raw * Decimal(r.choice(["1.35", "1.6", "1.9", "2.4"])))
        new = number_text(more, doc.money_style)
        return old.replace(number_text(raw, doc.money_style), new)
    if isinstance(raw, dt.date):
        style = next((s for s in STYLES if date_text(raw, s, doc.lang) == old), None)
        if style is None:
            return None
        new = raw + dt.timedelta(days=r.choice([61, 120, 365, 400])) if code == "expiryDate" else raw - dt.timedelta(days=r.choice([400, 1500, 3000]))
        if code == "issueDate":
            new = min(raw + dt.timedelta(days=r.choice([20, 45])), pp.REFERENCE - dt.timedelta(days=9))
        return date_text(new, style, doc.lang)
    if code == "iban":
        land = "UK" if old[:2] == "GB" else old[:2]
        made = pp.iban(r, land, old.replace(" ", "")[4:8])
        return pp.group4(made) if made else None
    if code in ("lastName", "accountHolder"):
        last = r.choice([x for x in (pp.FR_LAST if doc.lang == "fr" else pp.EN_LAST) if x != doc.who.last and pp.plain(x) == x])
        had = doc.who.last.upper() if doc.who.last.upper() in old else doc.who.last
        return old.replace(had, last.upper() if had.isupper() else last)
    if code == "address":
        p = pp.Person(r, doc.country, doc.lang)
        return p.street.upper() if old.isupper() else p.street
    if code == "companyName":
        name = pp.Firm(r, doc.country, doc.lang).name
        return name.upper() if old.isupper() else name
    n = [i for i, c in enumerate(old) if c.isdigit()][-2:]
    return "".join(str((int(c) + 3) % 10) if i in n else c for i, c in enumerate(old))


def spots(page, value):
    """Where a value stands, if each place is one piece of one line; machine-readable lines are left alone."""
    lines = page.get_text().splitlines()
    mrz = [r for line in lines if "<<" in line for r in page.search_for(line.strip())]
    rects = [r for r in page.search_for(value) if not any(r.intersects(m) for m in mrz)]
    rects = [r for r in rects if squeeze_case(value) in squeeze_case(page.get_textbox(r + (-1, 0, 1, 0)))]
    text = squeeze_case("\n".join(x for x in lines if "<<" not in x))
    return rects if rects and len(rects) == text.count(squeeze_case(value)) and all(x.height < 40 for x in rects) else []


def squeeze_case(s):
    return re.sub(r"\s+", "", s.replace("\u2019", "'"))


def figures(old, new):
    """Of an amount only the figures are changed; the sign of the currency stays."""
    a, b = re.search(r"\d[\d .,']*\d", old), re.search(r"\d[\d .,']*\d", new)
    if re.search(r"[€£$]", old) and a and b and re.sub(r"[\d .,']", "", old) in "€£$":
        return a.group(), b.group()
    return old, new


def choose(doc, src, r, digits_only=False):
    """The field to change, its new value and its places on the page."""
    with pymupdf.open(src) as d:
        if d.page_count > 1:
            return None
        codes = [c for c in ORDER if c in doc.fields]
        r.shuffle(codes)
        codes.sort(key=lambda c: c not in ("totalAmount", "netAmount"), reverse=r.random() < .5)
        if digits_only:
            codes = [c for c in codes if isinstance(doc.raw[c], (Decimal, dt.date))]
        for code in codes:
            old, new = doc.fields[code], new_value(doc, code, r)
            if not new or norm(new) == norm(old) or len(norm(old)) < 4:
                continue
            if digits_only and (len(new) != len(old) or not any(c.isdigit() for c in old)):
                continue
            full, (old, new) = new, figures(old, new)
            rects = spots(d[0], old)
            if 0 < len(rects) <= 4:
                return code, old, new, rects, full
    return None


def choose_blind(doc, r):
    """The field to change where the whole paper is made again."""
    codes = [c for c in ORDER if c in doc.fields]
    r.shuffle(codes)
    codes.sort(key=lambda c: c not in ("totalAmount", "netAmount"), reverse=r.random() < .5)
    for code in codes:
        new = new_value(doc, code, r)
        if new and norm(new) != norm(doc.fields[code]) and len(norm(new)) > 3:
            return code, doc.fields[code], new
    raise ValueError("nothing to change")


def rebuilt_by(doc, r):
    pool = ["reportlab", "fpdf2", "weasyprint", "mupdf"] if doc.ops else ["typst", "pdftex", "weasyprint", "fpdf2"]
    return r.choice([p for p in pool if p != doc.producer])


def span_at(page, rect):
    """Size, colour and boldness of the writing at a place, and the paper's colour there."""
    best = dict(size=rect.height * .72, color=0, font="Helvetica", origin=(rect.x0, rect.y1 - rect.height * .22))
    for b in page.get_text("dict")["blocks"]:
        for line in b.get("lines", []):
            for s in line["spans"]:
                if pymupdf.Rect(s["bbox"]).intersects(rect + (1, 2, -1, -2)):
                    best = dict(size=s["size"], color=s["color"], font=s["font"], origin=(rect.x0, s["origin"][1]))
    c = best["color"]
    best["rgb"] = (c >> 16 & 255) / 255, (c >> 8 & 255) / 255, (c & 255) / 255
    pix = page.get_pixmap(clip=rect + (-2, -1, 2, 1), dpi=100)
    a = np.frombuffer(pix.samples, np.uint8).reshape(-1, pix.n)[:, :3]
    vals, counts = np.unique(a, axis=0, return_counts=True)
    best["paper"] = tuple(float(x) / 255 for x in vals[counts.argmax()])
    name = best["font"].lower()
    best["base"] = ("tibo" if "bold" in name else "tiro") if "times" in name or "serif" in name and "sans" not in name else \
        ("cobo" if "bold" in name else "cour") if "cour" in name or "mono" in name else ("hebo" if "bold" in name else "helv")
    return best


def touched(d, doc, r, keep=False):
    """An editor's mark in the metadata: the later day of change, often its own name."""
    m = dict(d.metadata)
    when = render.pdf_date(later(doc, r.randrange(3, 25)))
    d.set_metadata({"title": m.get("title") or "", "author": m.get("author") or "", "creator": m.get("creator") or "", "producer": m.get("producer") or "",
                    "creationDate": m.get("creationDate") or "", "modDate": m.get("modDate") or "" if keep else when})


def write(page, s, new, r, font=None):
    if not font and any(ord(c) > 255 for c in new):
        font = "F98"
        page.insert_font(fontname=font, fontfile=render.font_file("LiberationSans-Regular.ttf"))
    page.insert_text(s["origin"], new, fontsize=s["size"], fontname=font or s["base"], color=s["rgb"])


def cover_retype(doc, src, out, hit, r):
    d = pymupdf.open(src)
    page = d[0]
    for rect in hit[3]:
        s = span_at(page, rect)
        page.draw_rect(rect + (-.5, 1, 1, -1), color=None, fill=s["paper"])
        write(page, s, hit[2], r, None)
    touched(d, doc, r)
    d.save(str(out), no_new_id=True)


def cover_retype_incremental(doc, src, out, hit, r):
    shutil.copy(src, out)
    d = pymupdf.open(str(out))
    page = d[0]
    for rect in hit[3]:
        s = span_at(page, rect)
        page.draw_rect(rect + (-.5, 1, 1, -1), color=None, fill=s["paper"])
        write(page, s, hit[2], r)
    d.saveIncr()


def annotation_freetext(doc, src, out, hit, r):
    d = pymupdf.open(src)
    page = d[0]
    for rect in hit[3]:
        s = span_at(page, rect)
        width = pymupdf.get_text_length(hit[2], fontsize=s["size"]) + 6
        box = pymupdf.Rect(rect.x0 - 2, rect.y0 - 1, max(rect.x1, rect.x0 + width), rect.y1 + 3)
        a = page.add_freetext_annot(box, hit[2], fontsize=s["size"], fontname="helv", text_color=s["rgb"], fill_color=s["paper"])
        a.set_info(creationDate=render.pdf_date(later(doc)), modDate=render.pdf_date(later(doc)))
        a.update()
    d.save(str(out), no_new_id=True)


def redact(page, hit, r, fonts=None):
    marks = [span_at(page, rect) for rect in hit[3]]
    for rect, s in zip(hit[3], marks):
        page.add_redact_annot(rect + (.3, 1.5, -.3, -1.5), fill=s["paper"])
    page.apply_redactions(images=pymupdf.PDF_REDACT_IMAGE_NONE, graphics=pymupdf.PDF_REDACT_LINE_ART_NONE)
    for s in marks:
        write(page, s, hit[2], r)


def redact_retype(doc, src, out, hit, r):
    d = pymupdf.open(src)
    redact(d[0], hit, r)
    touched(d, doc, r)
    d.save(str(out), garbage=3, deflate=True, no_new_id=True)


def redact_retype_same_font(doc, src, out, hit, r):
    """As a paid editor does it: the old text is gone, the new one is set in a matching embedded font."""
    d = pymupdf.open(src)
    page = d[0]
    marks = [span_at(page, rect) for rect in hit[3]]
    for rect in hit[3]:
        page.add_redact_annot(rect + (.3, 1.5, -.3, -1.5), fill=False)
    page.apply_redactions(images=pymupdf.PDF_REDACT_IMAGE_NONE, graphics=pymupdf.PDF_REDACT_LINE_ART_NONE)
    for s in marks:
        name = s["font"].split("+")[-1].lower()
        bold = "Bold" if "bold" in name else "Regular"
        fam = next((f for k, f in (("carlito", "Carlito"), ("lato", "Lato"), ("serif", "LiberationSerif"), ("times", "LiberationSerif"), ("mono", "LiberationMono"),
                                   ("cour", "LiberationMono")) if k in name and not ("serif" == k and "sans" in name)), "LiberationSans")
        page.insert_font(fontname="F99" + bold, fontfile=render.font_file(f"{fam}-{bold}.ttf"))
        write(page, s, hit[2], r, "F99" + bold)
    touched(d, doc, r, keep=True)
    d.subset_fonts()
    d.save(str(out), garbage=3, deflate=True, no_new_id=True)


def stream_bytes(data, old, new):
    """Replaces a shown string in a content stream, in the notations producers use."""
    def forms(s):
        raw = s.encode("cp1252")
        plain_ = raw.replace(b"(", b"\\(").replace(b")", b"\\)")
        octal = b"".join(bytes([c]) if c < 127 else b"\\%03o" % c for c in plain_)
        return [plain_, octal, raw.hex().encode(), raw.hex().upper().encode(), s.encode("utf-16-be")]
    for a, b in zip(forms(old), forms(new)):
        if a in data:
            return data.replace(a, b)
    return None


def edit_streams(d, hit):
    """The page's content streams with the value replaced; fails if it is not stored as plain codes."""
    old, new = hit[1], hit[2]
    tries = [(old, new)]
    a, b = re.sub(r"[^\d .,'\-/]", "", old).strip(), re.sub(r"[^\d .,'\-/]", "", new).strip()
    if len(a) > 4:
        tries.append((a, b))
    done = False
    for xref in d[0].get_contents() + [x[0] for x in d[0].get_xobjects()]:
        data = d.xref_stream(xref)
        for x, y in tries:
            try:
                got = stream_bytes(data, x, y)
            except UnicodeEncodeError:
                got = None
            if got:
                d.update_stream(xref, got)
                done = True
                break
    if not done:
        raise ValueError("value not found in the content stream")


def stream_edit(doc, src, out, hit, r):
    d = pymupdf.open(src)
    edit_streams(d, hit)
    d.save(str(out), no_new_id=True)


def stream_edit_incremental(doc, src, out, hit, r):
    shutil.copy(src, out)
    d = pymupdf.open(str(out))
    edit_streams(d, hit)
    d.saveIncr()


def stream_edit_backdated(doc, src, out, hit, r):
    """Edited, then written anew by qpdf so that no second revision remains."""
    tmp = Path(out).with_suffix(".tmp")
    stream_edit(doc, src, tmp, hit, r)
    render.run(["qpdf", "--deterministic-id", "--normalize-content=y", "--object-streams=disable", str(tmp), str(out)])
    tmp.unlink()


def picture_of(value, s, rect, dpi=200):
    """A small picture with the new value, as cut from a screen."""
    k = dpi / 72
    bold = "Bold" if s["base"] in ("hebo", "tibo", "cobo") else "Regular"
    fam = {"ti": "LiberationSerif", "co": "LiberationMono"}.get(s["base"][:2], "LiberationSans")
    font = ImageFont.truetype(render.font_file(f"{fam}-{bold}.ttf"), s["size"] * k)
    w = max(rect.width * k, font.getlength(value)) + 4
    im = Image.new("RGB", (int(w), int(rect.height * k)), tuple(int(x * 255) for x in s["paper"]))
    base = (s["origin"][1] - rect.y0) * k
    ImageDraw.Draw(im).text((1, base), value, font=font, fill=tuple(int(x * 255) for x in s["rgb"]), anchor="ls")
    return im


def image_patch(doc, src, out, hit, r):
    d = pymupdf.open(src)
    page = d[0]
    for rect in hit[3]:
        im = picture_of(hit[2], span_at(page, rect), rect)
        buf = io.BytesIO()
        im.save(buf, r.choice(["PNG", "JPEG"]))
        page.insert_image(pymupdf.Rect(rect.x0 - .5, rect.y0, rect.x0 - .5 + im.width * 72 / 200, rect.y1), stream=buf.getvalue(), keep_proportion=False)
    touched(d, doc, r)
    d.save(str(out), no_new_id=True)


def form_field_cover(doc, src, out, hit, r):
    d = pymupdf.open(src)
    page = d[0]
    for i, rect in enumerate(hit[3]):
        s = span_at(page, rect)
        w = pymupdf.Widget()
        w.field_type, w.field_name, w.field_value = pymupdf.PDF_WIDGET_TYPE_TEXT, f"Text{i + 1}", hit[2]
        w.rect = pymupdf.Rect(rect.x0 - 2, rect.y0 - 1, max(rect.x1, rect.x0 + pymupdf.get_text_length(hit[2], fontsize=s["size"]) + 8), rect.y1 + 1)
        w.fill_color, w.text_font, w.text_fontsize, w.border_width = s["paper"], "Helv", s["size"], 0
        w.field_flags = 1
        page.add_widget(w)
    d.save(str(out), no_new_id=True)


def pasted_strip(doc, src, out, hit, r):
    """A strip of another file (same form, other value) is laid over the original."""
    other = doc.replaced(hit[1], hit[2], hit[0])
    with tempfile.TemporaryDirectory() as tmp:
        render.produce_many([(other, f"{tmp}/o.pdf")])
        d, o = pymupdf.open(src), pymupdf.open(f"{tmp}/o.pdf")
        page = d[0]
        for rect in hit[3]:
            strip = pymupdf.Rect(rect.x0 - 1, rect.y0 - .5, min(page.rect.width - 20, rect.x1 + 70), rect.y1 + .5)
            right_side = rect.x1 > page.rect.width * .8
            strip = pymupdf.Rect(rect.x0 - (25 if right_side else 1), rect.y0, rect.x1 + (3 if right_side else 70), rect.y1)
            page.draw_rect(strip, color=None, fill=span_at(page, rect)["paper"])
            page.show_pdf_page(strip, o, 0, clip=strip)
        touched(d, doc, r)
        d.save(str(out), no_new_id=True)


def signed_then_changed(doc, src, out, hit, r):
    tmp = Path(out).with_suffix(".sig")
    signed(doc, src, tmp)
    shutil.copy(tmp, out)
    tmp.unlink()
    d = pymupdf.open(str(out))
    page = d[0]
    for rect in hit[3]:
        s = span_at(page, rect)
        page.draw_rect(rect + (-.5, 1, 1, -1), color=None, fill=s["paper"])
        write(page, s, hit[2], r)
    d.saveIncr()


def overprint_then_printed(doc, src, out, hit, r):
    """Covered and retyped, then printed to PDF to melt the layers."""
    tmp = Path(out).with_suffix(".tmp.pdf")
    cover_retype(doc, src, tmp, hit, r)
    if r.random() < .5:
        render.run(["pdftocairo", "-pdf", str(tmp), str(out)])
    else:
        render.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", f"-sOutputFile={out}", str(tmp)])
    tmp.unlink()
    render.stamp_dates(out, later(doc, 9))


# ---------------------------------------------------------------- pictures

def wrap(im, doc, out, r, dpi, quality=88):
    scan.scan_pdf([im], dpi, r.choice(["img2pdf", "pillow", "mupdf", "reportlab"]), quality, later(doc, 6), out)


def flattened_to_scan(doc, src, out, hit, r):
    """Retyped, then turned into a picture so that it passes as a scan."""
    tmp = Path(out).with_suffix(".tmp.pdf")
    redact_retype(doc, src, tmp, hit, r)
    im = scan.page_image(tmp, 170)
    tmp.unlink()
    rng = np.random.default_rng(r.randrange(10**9))
    if r.random() < .6:
        im = scan.office(im, rng, rng.uniform(-.5, .5), "color")
    wrap(im, doc, out, r, 170)


def scanned_page(src, r, dpi, doc):
    rng = np.random.default_rng(r.randrange(10**9))
    return scan.office(scan.page_image(src, dpi), rng, 0, "color"), rng


def scan_patch_retype(doc, src, out, hit, r):
    """A scan opened in a picture editor: the value painted out with the paper's colour and typed anew."""
    dpi = r.choice([150, 170, 200])
    im, rng = scanned_page(src, r, dpi, doc)
    d = pymupdf.open(src)
    k = dpi / 72
    for rect in hit[3]:
        s = span_at(d[0], rect)
        box = [int(v * k) for v in (rect.x0 - 1, rect.y0 + 1, rect.x1 + 1, rect.y1 - .5)]
        around = np.asarray(im.crop((box[0], box[1], box[2], box[3]))).reshape(-1, 3)
        paper = tuple(int(x) for x in np.percentile(around, 75, axis=0))
        patch = picture_of(hit[2], dict(s, paper=[x / 255 for x in paper]), rect, dpi)
        ImageDraw.Draw(im).rectangle(box, fill=paper)
        im.paste(patch.crop((0, int(k), patch.width, patch.height - 1)), (int(rect.x0 * k), int(rect.y0 * k) + int(k)))
    if r.random() < .5:
        im = scan.rotate(np.asarray(im), rng.uniform(-.4, .4), 250)
        im = Image.fromarray(im)
    wrap(im, doc, out, r, dpi, 90)


def char_boxes(page, rect, value):
    got = []
    for b in page.get_text("rawdict")["blocks"]:
        for line in b.get("lines", []):
            for s in line["spans"]:
                got += [(c["c"], pymupdf.Rect(c["bbox"]), round(s["size"], 1), s["font"]) for c in s["chars"]]
    inside = [c for c in got if rect.contains((c[1].tl + c[1].br) / 2) and not c[0].isspace()]
    return inside, got


def scan_clone_digits(doc, src, out, hit, r):
    """Digits copied from elsewhere in the same scan over digits of the value."""
    dpi = 200
    im, rng = scanned_page(src, r, dpi, doc)
    d = pymupdf.open(src)
    k = dpi / 72
    px = lambda q: (int(q.x0 * k), int(q.y0 * k), int(q.x1 * k + .99), int(q.y1 * k))
    old, new = hit[1].replace(" ", ""), hit[2].replace(" ", "")
    for rect in hit[3]:
        inside, everywhere = char_boxes(d[0], rect, hit[1])
        if "".join(c[0] for c in inside) != old:
            raise ValueError("characters not found one by one")
        for (c, box, size, font), want in zip(inside, new):
            if c == want:
                continue
            donors = [x for x in everywhere if x[0] == want and abs(x[2] - size) < .3 and x[3] == font]
            if not donors:
                raise ValueError("no digit to copy")
            a, b = px(donors[0][1]), px(box)
            im.paste(im.crop((a[0], a[1], a[0] + b[2] - b[0], a[1] + b[3] - b[1])), (b[0], b[1]))
    wrap(im, doc, out, r, dpi, 90)


# ---------------------------------------------------------------- by way of office programs (done in batches)

def draw_prepare(jobs, work):
    """LibreOffice Draw opens the PDFs; the text is changed there and the files are exported again."""
    folder = Path(work) / "draw"
    folder.mkdir(exist_ok=True)
    for i, (doc, src, out, hit, r) in enumerate(jobs):
        shutil.copy(src, folder / f"d{i:02d}.pdf")
    render.soffice(sorted(folder.glob("d*.pdf")), folder, "fodg", "draw_pdf_import")
    for f in folder.glob("*.fodg"):
        hit = jobs[int(f.stem[1:])][3]
        f.write_text(swap_xml(f.read_text(), hit[1], hit[2]))
    back = folder / "back"
    back.mkdir(exist_ok=True)
    render.soffice(sorted(folder.glob("*.fodg")), back, "pdf")
    return finish_batch(jobs, back, "d")


def swap_xml(text, old, new):
    gap = r"(?:<text:s[^>]*/>|</text:span><text:span[^>]*>|\s)*"
    pattern = gap.join(re.escape(x.replace("&", "&amp;").replace("'", "&apos;")).replace("&apos;", "(?:'|&apos;)") for x in old.replace(" ", ""))
    return re.sub(pattern, new.replace("&", "&amp;"), text)


def finish_batch(jobs, back, letter):
    good = []
    for i, (doc, src, out, hit, r) in enumerate(jobs):
        made = back / f"{letter}{i:02d}.pdf"
        if made.exists():
            shutil.copy(made, out)
            render.stamp_dates(out, later(doc, 7))
            good.append(i)
    return good


def word_prepare(jobs, work):
    """An online converter makes a Word file of the PDF; changed in the word processor and exported."""
    from docx import Document
    from pdf2docx import Converter
    logging.getLogger().setLevel(logging.ERROR)
    folder = Path(work) / "word"
    folder.mkdir(exist_ok=True)
    for i, (doc, src, out, hit, r) in enumerate(jobs):
        path = folder / f"w{i:02d}.docx"
        conv = Converter(str(src))
        conv.convert(str(path))
        conv.close()
        d = Document(str(path))
        swap_docx(d, hit[1], hit[2])
        d.save(str(path))
    back = folder / "back"
    back.mkdir(exist_ok=True)
    render.soffice(sorted(folder.glob("w*.docx")), back, "pdf")
    return finish_batch(jobs, back, "w")


def swap_docx(d, old, new):
    from docx.oxml.ns import qn
    for p in d.element.body.iter(qn("w:p")):
        runs = [t for t in p.iter(qn("w:t"))]
        text = "".join(t.text or "" for t in runs)
        flat = text.replace("\u00a0", " ")
        if old in flat and runs:
            runs[0].text = flat.replace(old, new)
            for t in runs[1:]:
                t.text = ""


BATCH = dict(draw_roundtrip=draw_prepare, word_roundtrip=word_prepare)
# kind: (function, how many, which producers, digits only, medium)
KINDS = {
    "cover_retype": (cover_retype, 4, None, False), "cover_retype_incremental": (cover_retype_incremental, 3, None, False),
    "annotation_freetext": (annotation_freetext, 5, None, False), "redact_retype": (redact_retype, 4, None, False),
    "redact_retype_same_font": (redact_retype_same_font, 4, None, False), "stream_edit": (stream_edit, 5, ["fpdf2", "reportlab"], False),
    "stream_edit_incremental": (stream_edit_incremental, 3, ["fpdf2", "reportlab"], False),
    "stream_edit_rewritten": (stream_edit_backdated, 3, ["fpdf2", "reportlab"], False),
    "original_program": (None, 5, ["libreoffice", "weasyprint", "typst"], False), "browser_reprint": (None, 4, ["chromium"], False),
    "template_rebuilt": (None, 3, None, False), "image_patch": (image_patch, 4, None, False), "form_field_cover": (form_field_cover, 3, None, False),
    "pasted_strip": (pasted_strip, 3, ["reportlab", "weasyprint", "typst", "fpdf2"], False), "signed_then_changed": (signed_then_changed, 3, None, False),
    "overprint_then_printed": (overprint_then_printed, 4, None, False), "flattened_to_scan": (flattened_to_scan, 4, None, False),
    "scan_patch_retype": (scan_patch_retype, 6, None, False), "scan_clone_digits": (scan_clone_digits, 3, None, True),
    "draw_roundtrip": (None, 4, ["reportlab", "fpdf2", "weasyprint"], False), "word_roundtrip": (None, 3, ["reportlab", "weasyprint"], False)}
SCANNED = ("flattened_to_scan", "scan_patch_retype", "scan_clone_digits")
