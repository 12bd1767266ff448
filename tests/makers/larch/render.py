"""A document and the programs that turn its source into a PDF."""
import base64
import datetime as dt
import hashlib
import io
import math
import os
import re
import subprocess
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

DESIGNS = []
TYPES = ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE", "VEHICLE_REGISTRATION", "BANK_DETAILS", "PAYSLIP", "TAX_NOTICE", "INVOICE",
         "PROOF_OF_ADDRESS", "COMPANY_REGISTRATION", "INSURANCE_CERTIFICATE", "OTHER"]
CARDS = TYPES[:4]
ENV = dict(os.environ, OMP_THREAD_LIMIT="1", FORCE_SOURCE_DATE="1")


def design(type_, group, country):
    """Registers a design; group is FR, EN, CB (Belgium and Switzerland in French) or XX (other languages)."""
    def deco(f):
        f.type, f.group, f.country = type_, group, country
        DESIGNS.append(f)
        return f
    return deco


class Doc:
    """One document: a source for one backend and what is printed in it.

    fields: code -> (raw, shown); raw is str, date or int (cents), shown is the text exactly as the page has it.
    sums: [(parts, total)] in cents. order: [(earlier, later, formatter, words)]. wrong_total: [(old text, new text)].
    """
    def __init__(self, lang, layout, kind, src, made, fields, **more):
        self.lang, self.layout, self.kind, self.src, self.made, self.fields = lang, layout, kind, src, made, fields
        self.info, self.sums, self.order, self.mrz, self.iban, self.total, self.page = {}, [], [], [], "", [], "A4"
        self.__dict__.update(more)
        if isinstance(self.made, dt.date) and not isinstance(self.made, dt.datetime):
            self.made = dt.datetime.combine(self.made, dt.time(8 + self.made.day % 10, self.made.day * 7 % 60, self.made.month * 13 % 60))

    def render(self, subs=None, kind=None):
        def t(s):
            for a, b in (subs or {}).items():  # whole words only: a name also begins some licence numbers
                left, right = r"(?<!\w)" if a[0].isalnum() else "", r"(?!\w)" if a[-1].isalnum() else ""
                s = re.sub(left + re.escape(a) + right, lambda _: b, s)
            return s
        kind = kind or self.kind
        return redate(BACKENDS[kind](self, t), self.made)


def redate(data, made):
    """Programs stamp the hour of this run; the document shall carry the hour at which its office made it. Same length, so no byte moves."""
    now = f"{dt.datetime.now():%Y%m}"
    data = re.sub(rb"D:" + now.encode() + rb"\d{8}", f"D:{made:%Y%m%d%H%M%S}".encode(), data)
    return re.sub(rb"(>)" + f"{dt.datetime.now():%Y-%m-}".encode() + rb"\d\dT\d\d:\d\d:\d\d", rb"\g<1>" + f"{made:%Y-%m-%dT%H:%M:%S}".encode(), data)


def run(cmd, **k):
    return subprocess.run(cmd, check=True, capture_output=True, env=ENV, timeout=400, **k)


def weasy(doc, t):
    import pydyf
    import weasyprint

    def finish(_, pdf):
        for k, v in doc.info.items():
            pdf.info[k] = pydyf.String(v)
        if dated:
            pdf.info["CreationDate"] = pydyf.String(f"D:{doc.made:%Y%m%d%H%M%S}+01'00'")
    dated = doc.__dict__.get("dated", True)
    return weasyprint.HTML(string=t(doc.src)).write_pdf(finisher=finish)


def kept(key, make):
    """Slow programs run once for the same source; the results are kept in a folder that may be deleted."""
    d = os.path.join(tempfile.gettempdir(), "sealwright-larch-pages")
    os.makedirs(d, exist_ok=True)
    f = os.path.join(d, hashlib.sha256(key.encode()).hexdigest() + ".pdf")
    if not os.path.exists(f):
        data = make()
        with open(f, "wb") as out:
            out.write(data)
    return open(f, "rb").read()


def chrome(doc, t):
    return kept("chromium" + t(doc.src), lambda: chrome_run(doc, t))


def chrome_run(doc, t):
    with tempfile.TemporaryDirectory() as d:
        src = t(doc.src)
        open(d + "/a.html", "w", encoding="utf-8").write(src if "<meta charset" in src else '<meta charset="utf-8">' + src)
        run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={d}/p", f"--print-to-pdf={d}/a.pdf",
            f"file://{d}/a.html"])
        return open(d + "/a.pdf", "rb").read()


def story(doc, t):
    import pymupdf
    buf = io.BytesIO()
    w = pymupdf.DocumentWriter(buf)
    s, more, box = pymupdf.Story(html=t(doc.src)), 1, pymupdf.paper_rect("a4")
    while more:
        dev = w.begin_page(box)
        more, _ = s.place(box + (50, 45, -50, -45))
        s.draw(dev)
        w.end_page()
    w.close()
    return buf.getvalue()


def reportlab(doc, t):
    from reportlab.lib import pagesizes
    from reportlab.pdfgen.canvas import Canvas
    buf = io.BytesIO()
    c = Canvas(buf, pagesize=pagesizes.LETTER if doc.page == "letter" else pagesizes.A4, pageCompression=doc.__dict__.get("compress", 1), invariant=0)
    for k, v in doc.info.items():
        getattr(c, "set" + k)(v)
    for m in ("drawString", "drawRightString", "drawCentredString"):
        setattr(c, m, (lambda f: lambda x, y, s, *a, **kw: f(x, y, t(str(s)), *a, **kw))(getattr(c, m)))
    doc.src(c)
    c.save()
    return buf.getvalue()


def fpdf(doc, t):
    from fpdf import FPDF
    p = FPDF(format="letter" if doc.page == "letter" else "A4")
    p.set_creation_date(doc.made.replace(tzinfo=dt.timezone.utc))
    p.set_producer(doc.info.get("Producer", "FPDF 1.86"))
    p.core_fonts_encoding = "windows-1252"
    for m, i in (("cell", 2), ("multi_cell", 2), ("text", 2)):
        def wrap(*a, _f=getattr(p, m), _i=i, **k):
            a = list(a)
            if len(a) > _i:
                a[_i] = t(str(a[_i]))
            if "text" in k:
                k["text"] = t(str(k["text"]))
            return _f(*a, **k)
        setattr(p, m, wrap)
    doc.src(p)
    return bytes(p.output())


def typst(doc, t):
    import typst as ty
    d = doc.made
    head = f"#set document(date: datetime(year: {d.year}, month: {d.month}, day: {d.day}, hour: {d.hour}, minute: {d.minute}, second: {d.second}))\n"
    with tempfile.TemporaryDirectory() as f:
        open(f + "/a.typ", "w", encoding="utf-8").write(head + t(doc.src))
        return ty.compile(f + "/a.typ")


def tex(doc, t):
    with tempfile.TemporaryDirectory() as f:
        open(f + "/a.tex", "w", encoding="utf-8").write(t(doc.src))
        env = dict(ENV, SOURCE_DATE_EPOCH=str(int(doc.made.replace(tzinfo=dt.timezone.utc).timestamp())))
        subprocess.run(["pdflatex", "-interaction=nonstopmode", "a.tex"], cwd=f, env=env, capture_output=True, timeout=120)
        return open(f + "/a.pdf", "rb").read()


def office(doc, t):
    """Word file written by python-docx, printed by LibreOffice."""
    import docx
    w = docx.Document()
    for s in w.sections:
        s.page_width, s.page_height = docx.shared.Mm(210), docx.shared.Mm(297)
        s.left_margin = s.right_margin = docx.shared.Mm(doc.__dict__.get("margin", 22))
        s.top_margin = s.bottom_margin = docx.shared.Mm(18)
    w.styles["Normal"].font.name, w.styles["Normal"].font.size = doc.__dict__.get("font", "Carlito"), docx.shared.Pt(doc.__dict__.get("size", 11))
    w.styles["Normal"].paragraph_format.space_after = docx.shared.Pt(6)
    doc.src(w)
    paras = list(w.paragraphs) + [p for tb in w.tables for row in tb.rows for c in row.cells for p in c.paragraphs]
    for p in paras:
        for x in p.runs:
            if t(x.text) != x.text:
                x.text = t(x.text)
    w.core_properties.author = doc.info.get("Author", "")
    return kept("office" + w.element.xml + w.core_properties.author + w.styles["Normal"].font.name, lambda: office_run(w))


def office_run(w):
    with tempfile.TemporaryDirectory() as f:
        w.save(f + "/a.docx")
        run(["soffice", "--headless", f"-env:UserInstallation=file://{tempfile.gettempdir()}/lo-larch", "--convert-to", "pdf", "--outdir", f, f + "/a.docx"])
        return open(f + "/a.pdf", "rb").read()


BACKENDS = {"weasyprint": weasy, "chromium": chrome, "mupdf": story, "reportlab": reportlab, "fpdf2": fpdf, "typst": typst, "pdflatex": tex,
    "libreoffice": office}


def face(r, grey=False):
    """A drawn head, blurred as on a card; no real person."""
    rng = np.random.default_rng(r.randint(0, 10 ** 9))
    skin = r.choice([(224, 180, 150), (198, 150, 118), (141, 96, 70), (236, 200, 176), (110, 74, 54)])
    hair = r.choice([(40, 28, 20), (90, 60, 35), (150, 120, 70), (20, 20, 22), (120, 115, 110)])
    im = Image.new("RGB", (210, 270), r.choice([(214, 218, 222), (232, 232, 230), (200, 208, 216)]))
    d = ImageDraw.Draw(im)
    cl = r.choice([(40, 50, 80), (90, 30, 40), (60, 60, 60), (220, 220, 225), (30, 80, 70)])
    d.ellipse((10, 205, 200, 400), fill=cl)
    d.rectangle((85, 170, 125, 225), fill=tuple(int(v * .88) for v in skin))
    if r.random() < .5:
        d.ellipse((42, 30, 168, 240), fill=hair)
    d.ellipse((52, 28, 158, 130), fill=hair)
    d.ellipse((58, 52, 152, 200), fill=skin)
    d.pieslice((56, 34, 154, 130), 180, 360, fill=hair)
    for x in (85, 125):
        d.ellipse((x - 9, 112, x + 9, 122), fill=(245, 245, 245))
        d.ellipse((x - 4, 112, x + 4, 121), fill=(50, 40, 30))
        d.line((x - 13, 102, x + 12, 100), fill=hair, width=4)
    d.line((104, 120, 100, 148, 110, 150), fill=tuple(int(v * .75) for v in skin), width=3)
    d.line((90, 172, 106, 175, 122, 171), fill=(150, 70, 70), width=4)
    im = im.filter(ImageFilter.GaussianBlur(2.2))
    a = np.asarray(im).astype(float) + rng.normal(0, 5, (270, 210, 1))
    im = Image.fromarray(np.clip(a, 0, 255).astype("uint8"))
    return im.convert("L").convert("RGB") if grey else im


def uri(im, fmt="JPEG"):
    b = io.BytesIO()
    im.save(b, fmt)
    return f"data:image/{fmt.lower()};base64," + base64.b64encode(b.getvalue()).decode()


def waves(r, w, h, cols, n=26):
    """Fine security lines as an SVG data address."""
    out = []
    for i in range(n):
        a, f, ph, y0 = h * r.uniform(.02, .09), r.uniform(1, 4), r.uniform(0, 6), h * i / n
        pts = " ".join(f"{w * k / 60:.1f},{y0 + a * math.sin(f * k / 6 + ph):.1f}" for k in range(61))
        out.append(f'<polyline points="{pts}" fill="none" stroke="{r.choice(cols)}" stroke-width=".5"/>')
    s = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" preserveAspectRatio="none">{"".join(out)}</svg>'
    return "data:image/svg+xml;base64," + base64.b64encode(s.encode()).decode()


def logo(r, text, col):
    """A small drawn mark; some firms have only their name."""
    k, c2 = r.randint(0, 4), r.choice(["#f2a900", "#7fb800", "#d1495b", "#0d2c54", "#888"])
    g = ['<circle cx="20" cy="20" r="17" fill="{a}"/><path d="M8 24 Q20 4 32 24 T38 30" stroke="{b}" stroke-width="4" fill="none"/>',
         '<rect x="3" y="3" width="34" height="34" rx="8" fill="{a}"/><circle cx="20" cy="20" r="8" fill="#fff"/>',
         '<path d="M2 36 L20 4 L38 36 Z" fill="{a}"/><path d="M12 36 L20 20 L28 36 Z" fill="{b}"/>',
         '<rect x="0" y="12" width="16" height="24" fill="{a}"/><rect x="20" y="4" width="16" height="32" fill="{b}"/>', ''][k].format(a=col, b=c2)
    box = '<rect x="-2" y="-2" width="240" height="44" fill="#fff"/>' if r.random() < .3 else ""
    x = 46 if g else 2
    w = 60 + 11 * len(text)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="42" viewBox="0 0 {w} 42">{box}{g}'
            f'<text x="{x}" y="28" font-family="{r.choice(["Lato", "Open Sans", "URW Bookman", "Roboto Condensed", "Nimbus Sans"])}" '
            f'font-size="{17 if len(text) < 20 else 13}" font-weight="bold" fill="{col}">{text}</text></svg>')
