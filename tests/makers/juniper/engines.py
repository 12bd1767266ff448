"""The programs that set pages: each takes text and gives the bytes of a PDF. Dates inside are set to the document's own day."""
import datetime as dt
import html as htmllib
import io
import os
import random
import re
import shutil
import subprocess
import tempfile

import docx
import fpdf
import pikepdf
import pymupdf as fitz
import typst
import weasyprint
from docx.shared import Mm, Pt
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont as FT, newTable
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas as rlcanvas

weasyprint.LOGGER.disabled = True
TMP = tempfile.mkdtemp(prefix="docs")
NICE = ["nice", "-n", "15"] if os.nice(0) < 15 else []


def run(cmd, cwd=None, data=None, env=None, timeout=120):
    r = subprocess.run(NICE + cmd, cwd=cwd or TMP, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                       env={**os.environ, "OMP_THREAD_LIMIT": "1", **(env or {})})
    if r.returncode:
        raise RuntimeError(" ".join(cmd)[:80] + "\n" + (r.stderr + r.stdout).decode("utf8", "replace")[-600:])
    return r.stdout


_fonts = {}


def font(family, style="Regular"):
    """The file of an installed font, by fontconfig."""
    key = family + ":style=" + style
    if key not in _fonts:
        _fonts[key] = run(["fc-match", "-f", "%{file}", key]).decode()
    return _fonts[key]


def rlfont(family, style="Regular"):
    """Register a TrueType font with reportlab; OCR-B comes with cubic curves and is turned into quadratic ones first."""
    name = (family + "-" + style).replace(" ", "")
    if name not in pdfmetrics.getRegisteredFontNames():
        path = font(family, style)
        if path.endswith(".otf"):
            f = FT(path)
            glyphs = {}
            for g in f.getGlyphOrder():
                pen = TTGlyphPen(None)
                f.getGlyphSet()[g].draw(Cu2QuPen(pen, 1.0, reverse_direction=True))
                glyphs[g] = pen.glyph()
            f["loca"], f["glyf"] = newTable("loca"), newTable("glyf")
            f["glyf"].glyphOrder, f["glyf"].glyphs = f.getGlyphOrder(), glyphs
            f["maxp"].tableVersion = 0x00010000
            for a in ("maxZones maxTwilightPoints maxStorage maxFunctionDefs maxInstructionDefs maxStackElements maxSizeOfInstructions "
                      "maxComponentElements maxPoints maxContours maxCompositePoints maxCompositeContours maxComponentDepth").split():
                setattr(f["maxp"], a, 1 if a == "maxZones" else 0)
            del f["CFF "]
            f.sfntVersion = "\0\1\0\0"
            path = os.path.join(TMP, name + ".ttf")
            f.save(path)
        pdfmetrics.registerFont(TTFont(name, path))
    return name


def fill(src, **v):
    """Put values in <name> holes: TeX, typst and PostScript are full of braces and per cents."""
    return re.sub(r"<(\w+)>", lambda m: str(v[m[1]]) if m[1] in v else m[0], src)


def on_day(pdf, day, k):
    """Set the creation date in the uncompressed places, same length, so that the file stays as its program wrote it."""
    r = random.Random(k.seedtext + "clock")
    t = dt.datetime.combine(day, dt.time(r.randint(6, 19), r.randint(0, 59), r.randint(0, 59)))
    pdf = re.sub(rb"D:\d{14}", t.strftime("D:%Y%m%d%H%M%S").encode(), pdf)
    return re.sub(rb"(Date>)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", lambda m: m[1] + t.strftime("%Y-%m-%dT%H:%M:%S").encode(), pdf)


def stamp(pdf, day, k, producer=None, creator=None, title=None, none=False, version=None):
    """Write the file anew with the metadata of another honest producer, or with none."""
    r = random.Random(k.seedtext + "clock")
    t = dt.datetime.combine(day, dt.time(r.randint(6, 19), r.randint(0, 59), r.randint(0, 59))).strftime("D:%Y%m%d%H%M%S") + "+01'00'"
    with pikepdf.open(io.BytesIO(pdf)) as p:
        if "/Info" in p.trailer:
            del p.trailer["/Info"]
        if "/Metadata" in p.Root:
            del p.Root["/Metadata"]
        if not none:
            info = {"/Producer": producer, "/Creator": creator, "/Title": title, "/CreationDate": t, "/ModDate": t}
            p.trailer["/Info"] = p.make_indirect(pikepdf.Dictionary({a: b for a, b in info.items() if b}))
        out = io.BytesIO()
        p.save(out, deterministic_id=True, linearize=False, force_version=version or "1.4",
               object_stream_mode=pikepdf.ObjectStreamMode.disable)
        return out.getvalue()


def weasy(k, html):
    return weasyprint.HTML(string=k.t(html)).write_pdf()


def chrome(k, html):
    src, out = os.path.join(TMP, "c.html"), os.path.join(TMP, "c.pdf")
    with open(src, "w", encoding="utf8") as f:
        f.write('<!doctype html><meta charset="utf-8">' + k.t(html))
    if os.path.exists(out):
        os.remove(out)
    run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-pdf-header-footer", "--user-data-dir=" + TMP + "/prof",
         "--print-to-pdf=" + out, "file://" + src], env={"HOME": TMP})
    with open(out, "rb") as f:
        return f.read()


def tex(k, src):
    with open(os.path.join(TMP, "t.tex"), "w", encoding="utf8") as f:
        f.write(k.t(src).replace("€", "\\texteuro{}").replace("£", "\\pounds{}").replace("\u202f", "\\,").replace("\u00a0", "~"))
    run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"])
    with open(os.path.join(TMP, "t.pdf"), "rb") as f:
        return f.read()


def typ(k, src):
    src = re.sub(r"([@])", r"\\\1", k.t(src))
    return typst.compile(src.encode("utf8"), ignore_system_fonts=False)


def ps(k, src):
    """PostScript through Ghostscript, as a print spooler archives it. Text is Latin-1; the prologue below names it so."""
    head = ("%!PS-Adobe-3.0\n/L1 { findfont dup length dict begin { 1 index /FID ne { def } { pop pop } ifelse } forall "
            "/Encoding ISOLatin1Encoding def currentdict end definefont pop } bind def\n" +
            "".join(f"/{a} /{b} L1\n" for a, b in (("H", "Helvetica"), ("HB", "Helvetica-Bold"), ("T", "Times-Roman"), ("TB", "Times-Bold"),
                                                   ("TI", "Times-Italic"), ("C", "Courier"), ("CB", "Courier-Bold"))) +
            "/S { moveto show } bind def /R { moveto dup stringwidth pop neg 0 rmoveto show } bind def\n"
            "/F { exch findfont exch scalefont setfont } bind def /B { 4 2 roll moveto 1 index 0 rlineto 0 exch rlineto neg 0 rlineto closepath } bind def\n")
    data = (head + k.t(src) + "\nshowpage\n").replace("\u2019", "'").replace("\u2013", "-").replace("œ", "oe").encode("latin-1", "replace")
    return gs(data)


def gs(data, *opt):
    return run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pdfwrite", "-sPAPERSIZE=a4", *opt, "-sOutputFile=-", "-"], data=data)


def psx(s):
    return str(s).replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def groff(k, src):
    post = run(["groff", "-k", "-Tps", "-P-pa4", "-t"], data=k.t(src).encode("utf8"))
    return gs(post)


def office(k, doc):
    """python-docx, then LibreOffice Writer as the office's export."""
    def paras(d):
        yield from d.paragraphs
        for t in d.tables:
            for row in t.rows:
                for c in row.cells:
                    yield from paras(c)
    for p in list(paras(doc)) + list(doc.sections[0].footer.paragraphs) + list(doc.sections[0].header.paragraphs):
        for r in p.runs:
            if k.t(r.text) != r.text:
                r.text = k.t(r.text)
    doc.save(os.path.join(TMP, "o.docx"))
    run(["soffice", "-env:UserInstallation=file://" + TMP + "/lo", "--headless", "--convert-to", "pdf:writer_pdf_Export", "o.docx"], env={"HOME": TMP})
    with open(os.path.join(TMP, "o.pdf"), "rb") as f:
        return f.read()


def word(face="Carlito", size=10.5, margin=22):
    d = docx.Document()
    d.styles["Normal"].font.name, d.styles["Normal"].font.size = face, Pt(size)
    d.styles["Normal"].paragraph_format.space_after = Pt(4)
    s = d.sections[0]
    s.page_width, s.page_height = Mm(210), Mm(297)
    s.left_margin = s.right_margin = s.top_margin = s.bottom_margin = Mm(margin)
    return d


def para(d, text, bold=False, align=0, size=None, after=None, italic=False):
    p = d.add_paragraph()
    for i, part in enumerate(text.split("**")):
        r = p.add_run(part)
        r.bold, r.italic = bold or i % 2 == 1, italic
        if size:
            r.font.size = Pt(size)
    p.alignment = align
    if after is not None:
        p.paragraph_format.space_after = Pt(after)
    return p


def table(d, rows, style="Table Grid", right=(), widths=None, bold0=True):
    t = d.add_table(rows=0, cols=len(rows[0]), style=style)
    for i, row in enumerate(rows):
        cells = t.add_row().cells
        for j, v in enumerate(row):
            r = cells[j].paragraphs[0].add_run(str(v))
            r.bold = bold0 and i == 0
            cells[j].paragraphs[0].alignment = 2 if j in right else 0
            if widths:
                cells[j].width = Mm(widths[j])
    return t


class Canvas:
    """reportlab with millimetres from the top left, as a drawing program counts."""

    def __init__(self, k, w=210, h=297):
        self.k, self.w, self.h, self.buf = k, w, h, io.BytesIO()
        self.c = rlcanvas.Canvas(self.buf, pagesize=(w * mm, h * mm))

    def s(self, x, y, text, size=9, face="Helvetica", align="l", color=0):
        self.c.setFont(face, size)
        self.c.setFillColorRGB(*(color if isinstance(color, tuple) else (color,) * 3))
        f = {"l": self.c.drawString, "r": self.c.drawRightString, "c": self.c.drawCentredString}[align]
        f(x * mm, (self.h - y) * mm, self.k.t(str(text)))

    def wrap(self, x, y, text, width, size=9, face="Helvetica", lead=1.3):
        for par in text.split("\n"):
            line = ""
            for wd in par.split(" "):
                if line and pdfmetrics.stringWidth(line + " " + wd, face, size) > width * mm:
                    self.s(x, y, line, size, face)
                    y, line = y + size * lead / mm, wd
                else:
                    line = (line + " " + wd).strip() if line else wd
            self.s(x, y, line, size, face)
            y += size * lead / mm
        return y

    def box(self, x, y, w, h, fillc=None, stroke=0.4, lw=.5, r=0):
        self.c.setLineWidth(lw)
        if fillc is not None:
            self.c.setFillColorRGB(*(fillc if isinstance(fillc, tuple) else (fillc,) * 3))
        if stroke is not None:
            self.c.setStrokeColorRGB(*(stroke if isinstance(stroke, tuple) else (stroke,) * 3))
        draw = (lambda *a, **kw: self.c.roundRect(*a, r * mm, **kw)) if r else self.c.rect
        draw(x * mm, (self.h - y - h) * mm, w * mm, h * mm, fill=int(fillc is not None), stroke=int(stroke is not None))

    def line(self, x1, y1, x2, y2, lw=.5, color=0):
        self.c.setLineWidth(lw)
        self.c.setStrokeColorRGB(*(color if isinstance(color, tuple) else (color,) * 3))
        self.c.line(x1 * mm, (self.h - y1) * mm, x2 * mm, (self.h - y2) * mm)

    def page(self):
        self.c.showPage()

    def done(self):
        self.c.save()
        return self.buf.getvalue()


def lineprinter(k, pages, overlay="", size=9, producer="AFP2PDF 3.1", width=595, height=842, top=806, left=28, bold=()):
    """A spool file of fixed lines over a pre-printed form, as a host's output system writes it: PDF 1.3, one plain stream a page."""
    objs, kids = [None, None], []
    fonts = b"<< /F1 3 0 R /F2 4 0 R /F3 5 0 R >>"
    for base in ("Courier", "Courier-Bold", "Helvetica"):
        objs.append(f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>".encode())
    for lines in pages:
        out = [overlay.encode("cp1252"), f"BT /F1 {size} Tf {size * 1.18:.2f} TL {left} {top} Td".encode()]
        for ln in lines:
            ln = k.t(ln)
            f = b"/F2" if any(b in ln for b in bold) else b"/F1"
            esc = ln.rstrip().replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)").encode("cp1252", "replace")
            out.append(f + f" {size} Tf (".encode() + esc + b") Tj T*")
        out.append(b"ET")
        body = b"\n".join(out)
        objs.append(b"<< /Length %d >>\nstream\n" % len(body) + body + b"\nendstream")
        kids.append(len(objs) + 1)
        objs.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Resources << /Font ".encode() + fonts +
                    f" >> /Contents {len(objs)} 0 R >>".encode())
    objs[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objs[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{n} 0 R' for n in kids)}] >>".encode()
    if producer:
        objs.append(f"<< /Producer ({producer}) /CreationDate (D:20250101000000) >>".encode())
    buf, offs = b"%PDF-1.3\n%\xe2\xe3\xcf\xd3\n", []
    for n, o in enumerate(objs, 1):
        offs.append(len(buf))
        buf += f"{n} 0 obj\n".encode() + o + b"\nendobj\n"
    xref = len(buf)
    buf += f"xref\n0 {len(objs) + 1}\n0000000000 65535 f \n".encode() + b"".join(b"%010d 00000 n \n" % o for o in offs)
    buf += f"trailer\n<< /Size {len(objs) + 1} /Root 1 0 R {f'/Info {len(objs)} 0 R ' if producer else ''}>>\nstartxref\n{xref}\n%%EOF\n".encode()
    return buf


def fp(w=210, h=297, margin=12):
    p = fpdf.FPDF(unit="mm", format=(w, h))
    p.set_margins(margin, margin)
    p.set_auto_page_break(False)
    for fam, short in (("Roboto", "rb"), ("DejaVu Sans", "dv"), ("Open Sans", "os")):
        for st, sx in (("Regular" if fam != "DejaVu Sans" else "Book", ""), ("Bold", "B")):
            path = font(fam, st)
            if path.endswith(".ttf"):
                p.add_font(short, sx, path)
    p.add_page()
    return p


class Card:
    """Items placed by millimetres; the sheet is set by one of three programs. For cards, passports and their like."""

    def __init__(self, k, w, h):
        self.k, self.w, self.h, self.ops = k, w, h, []

    def s(self, x, y, text, size=7, face="sans", bold=False, color="#111", align="l"):
        self.ops.append(("t", x, y, self.k.t(str(text)), size, face, bold, color, align))

    def lab(self, x, y, label, value, size=7.5, lsize=4.2, color="#345", gap=3.2, face="sans", bold=True):
        self.s(x, y, label, lsize, color=color)
        self.s(x, y + gap, value, size, face, bold)

    def box(self, x, y, w, h, fillc="none", stroke="none", r=0):
        self.ops.append(("b", x, y, w, h, fillc, stroke, r))

    def face(self, x, y, w, h, grey=False):
        """A head and shoulders in flat colours: no real photo, invented like all else."""
        k = self.k
        skin, hair = k.choice(["#e8c4a4", "#c99c74", "#8a5a3b", "#f0d3b8"]), k.choice(["#2b1d14", "#6b4a2a", "#b98d4f", "#999999"])
        if grey:
            skin, hair = "#bbbbbb", "#555555"
        self.box(x, y, w, h, "#dfe4e8")
        self.ops.append(("e", x + w / 2, y + h * .95, w * .46, h * .3, k.choice(["#334", "#7a2f2f", "#2f5a3a", "#444"])))
        self.ops.append(("e", x + w / 2, y + h * .40, w * .30, h * .31, hair))
        self.ops.append(("e", x + w / 2, y + h * .46, w * .25, h * .27, skin))
        for dx in (-.1, .1):
            self.ops.append(("e", x + w * (.5 + dx), y + h * .43, w * .03, h * .015, "#222222"))
        self.ops.append(("e", x + w / 2, y + h * .58, w * .08, h * .012, "#a05050"))
        self.box(x, y + h, w, h * .3, "#ffffff00")

    def waves(self, color, n=9, top=0, height=None):
        self.ops.append(("w", color, n, top, height or self.h))

    def svg(self):
        import math
        out = []
        for o in self.ops:
            if o[0] == "b":
                out.append(f'<rect x="{o[1]}" y="{o[2]}" width="{o[3]}" height="{o[4]}" fill="{o[5]}" stroke="{o[6]}" stroke-width=".25" rx="{o[7]}"/>'
                           if o[5] != "#ffffff00" else "")
            elif o[0] == "e":
                out.append(f'<ellipse cx="{o[1]:.2f}" cy="{o[2]:.2f}" rx="{o[3]:.2f}" ry="{o[4]:.2f}" fill="{o[5]}"/>')
            elif o[0] == "w":
                for i in range(o[2]):
                    y0 = o[3] + o[4] * (i + .5) / o[2]
                    d = " ".join(f"{'M' if x == 0 else 'L'}{x} {y0 + 2.2 * math.sin(x / 6 + i):.2f}" for x in range(0, int(self.w) + 1, 2))
                    out.append(f'<path d="{d}" fill="none" stroke="{o[1]}" stroke-width=".18"/>')
        return f'<svg style="position:absolute;left:0;top:0" width="{self.w}mm" height="{self.h}mm" viewBox="0 0 {self.w} {self.h}">{"".join(out)}</svg>'

    FACES = {"sans": "Liberation Sans", "serif": "Liberation Serif", "ocr": "OCRB", "mono": "Liberation Mono", "cond": "Liberation Sans Narrow",
             "lato": "Lato", "roboto": "Roboto"}

    def html(self):
        out = []
        for o in self.ops:
            if o[0] == "t":
                _, x, y, text, size, face, bold, color, align = o
                anchor = {"l": f"left:{x}mm", "r": f"right:{self.w - x}mm", "c": f"left:{x - 60}mm;width:120mm;text-align:center"}[align]
                out.append(f"<div style=\"position:absolute;{anchor};top:{y - size * .32:.2f}mm;font:{'bold' if bold else 'normal'} {size}pt/1.1 "
                           f"'{self.FACES[face]}';color:{color};white-space:pre\">{htmllib.escape(text, quote=False)}</div>")
        ocr = f'@font-face{{font-family:OCRB;src:url("file://{font("OCRB")}")}}'  # the family name also holds outline and sharp cuts
        return f'<style>{ocr}@page{{size:{self.w}mm {self.h}mm;margin:0}}body{{margin:0}}</style>{self.svg()}{"".join(out)}'

    def pdf(self, how):
        if how == "weasy":
            return weasy(self.k, self.html())
        if how == "chrome":
            return chrome(self.k, self.html())
        u, d = 72 / 25.4, fitz.open()
        pg = d.new_page(width=self.w * u, height=self.h * u)
        rgb = lambda c: tuple(int((c[1:] if len(c) > 4 else "".join(a * 2 for a in c[1:]))[i:i + 2], 16) / 255 for i in (0, 2, 4)) if c != "none" else None
        import math
        for o in self.ops:
            if o[0] == "b" and o[5] != "#ffffff00":
                pg.draw_rect(fitz.Rect(o[1] * u, o[2] * u, (o[1] + o[3]) * u, (o[2] + o[4]) * u), color=rgb(o[6]), fill=rgb(o[5]), width=.6)
            elif o[0] == "e":
                pg.draw_oval(fitz.Rect((o[1] - o[3]) * u, (o[2] - o[4]) * u, (o[1] + o[3]) * u, (o[2] + o[4]) * u), color=None, fill=rgb(o[5]))
            elif o[0] == "w":
                for i in range(o[2]):
                    y0 = o[3] + o[4] * (i + .5) / o[2]
                    pg.draw_polyline([(x * u, (y0 + 2.2 * math.sin(x / 6 + i)) * u) for x in range(0, int(self.w) + 1, 2)], color=rgb(o[1]), width=.4)
        for o in self.ops:
            if o[0] == "t":
                _, x, y, text, size, face, bold, color, align = o
                path = font(self.FACES[face], "Bold" if bold and face != "ocr" else "Regular")
                f = fitz.Font(fontfile=path)
                text = self.k.t(text)
                x -= {"l": 0, "r": 1, "c": .5}[align] * f.text_length(text, size) / u
                pg.insert_text((x * u, y * u + size * .1), text, fontsize=size, fontfile=path, fontname="f" + str(sum(path.encode()) % 9999), color=rgb(color))
        d.set_metadata({"producer": "MuPDF 1.24", "creationDate": "D:20250101000000"})
        return d.tobytes(deflate=True, garbage=3)


def cleanup():
    shutil.rmtree(TMP, ignore_errors=True)
