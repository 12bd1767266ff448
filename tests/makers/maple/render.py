"""Producers: each draws a document of the model with another program."""
import base64
import functools
import datetime as dt
import html
import io
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

MM = 72 / 25.4


def run(args, **kw):
    kw.setdefault("timeout", 240)
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kw)


def portrait(seed, w=240, h=310):
    """A plain painted face, grey as on cards."""
    rng = np.random.default_rng(seed)
    skin = int(rng.integers(110, 215))
    hair = int(rng.integers(25, 130))
    im = Image.new("L", (w, h), int(rng.integers(205, 235)))
    d = ImageDraw.Draw(im)
    d.ellipse((w * .1, h * .78, w * .9, h * 1.3), fill=int(rng.integers(50, 150)))
    d.rectangle((w * .42, h * .6, w * .58, h * .85), fill=skin - 15)
    d.ellipse((w * .22, h * .1, w * .78, h * .62), fill=hair)
    d.ellipse((w * .27, h * .18, w * .73, h * .72), fill=skin)
    for x in (.4, .6):
        d.ellipse((w * (x - .045), h * .41, w * (x + .045), h * .44), fill=35)
        d.line((w * (x - .06), h * .375, w * (x + .06), h * .37), fill=hair, width=4)
    d.line((w * .5, h * .44, w * .485, h * .53), fill=skin - 40, width=3)
    d.arc((w * .42, h * .54, w * .58, h * .62), 20, 160, fill=skin - 70, width=4)
    im = im.filter(ImageFilter.GaussianBlur(1.6))
    noise = rng.normal(0, 4, (h, w))
    return Image.fromarray(np.clip(np.asarray(im, float) + noise, 0, 255).astype("uint8"))


def portrait_bytes(seed):
    out = io.BytesIO()
    portrait(seed).save(out, "JPEG", quality=85)
    return out.getvalue()


def logo_svg(name, color):
    k = sum(map(ord, name)) % 4
    shape = [f'<circle cx="16" cy="16" r="14" fill="{color}"/><circle cx="20" cy="12" r="6" fill="#fff"/>',
             f'<rect x="2" y="2" width="28" height="28" rx="5" fill="{color}"/><path d="M6 24 L16 6 L26 24 Z" fill="#fff"/>',
             f'<path d="M2 30 L16 2 L30 30 Z" fill="{color}"/>',
             f'<path d="M2 16 Q16 -8 30 16 Q16 40 2 16" fill="{color}"/><rect x="14" y="8" width="4" height="16" fill="#fff"/>'][k]
    return f'<svg width="42" height="42" viewBox="0 0 32 32">{shape}</svg>'


# ---------------------------------------------------------------- HTML

def css(doc):
    t = doc.theme
    table = {"lines": "td,th{border-bottom:1px solid #bbb}", "plain": "th{border-bottom:2px solid #000}",
             "zebra": "tbody tr:nth-child(odd) td{background:#f0f3f5} th{background:%s;color:#fff}" % t["color"],
             "box": "td,th{border:1px solid #666}"}[t["table"]]
    w, h = doc.page
    return f"""@page{{size:{w}mm {h}mm;margin:14mm 16mm}}body{{font-family:'{t['font']}';font-size:{t['size']}pt;color:#111;margin:0;
line-height:1.3}}h1{{font-size:1.45em;color:{t['color']};margin:.6em 0 .2em}}h2{{font-size:1.12em;color:{t['color']};margin:.9em 0 .3em}}
.head{{margin-bottom:1em}}.head .n{{font-size:1.35em;font-weight:bold;color:{t['color']}}}.head.center{{text-align:center}}
.head.right{{text-align:right}}.head.band{{background:{t['color']};color:#fff;padding:8px 12px}}.head.band .n{{color:#fff}}
.head div{{font-size:.88em}}.to{{margin:1.2em 0 1.6em 52%;line-height:1.35}}table.t{{border-collapse:collapse;width:100%;margin:.7em 0}}
table.t td,table.t th{{padding:3px 6px;text-align:left;vertical-align:top}}{table.replace('td,th', '.t td,.t th').replace(' th{', ' .t th{')}
.r{{text-align:right!important;white-space:nowrap}}.foot{{font-weight:bold}}.small{{font-size:.75em;color:#555}}
.bottom{{font-size:.72em;color:#555;margin-top:2.2em;border-top:1px solid #aaa;padding-top:4px;text-align:center}}
table.p td{{padding:2px 10px 2px 0;vertical-align:top}}.lab{{color:#555}}.cell{{display:inline-block;vertical-align:top;min-width:29%;
margin:4px 2% 6px 0}}.cell .lab{{font-size:.76em;display:block}}.box{{border:1px solid {t['color']};padding:6px 10px;margin:.6em 0}}
pre{{font-family:'Liberation Mono';font-size:.95em;margin:.5em 0}}.c2{{display:table;width:100%}}.c2>div{{display:table-cell;width:50%;
vertical-align:top;padding-right:12px}}.nw{{white-space:nowrap}}"""


def esc(s):
    return html.escape(s, quote=False)


def html_pairs(pairs, style):
    if style in ("above", "below"):
        order = (lambda l, v: f"<span class=lab>{esc(l)}</span>{esc(v)}") if style == "above" else \
                (lambda l, v: f"{esc(v)}<span class=lab>{esc(l)}</span>")
        return "<div>" + "".join(f"<div class=cell>{order(l, v)}</div>" for l, v in pairs) + "</div>"
    if style == "bare":
        return "<div>" + "<br>".join(esc(v) for _, v in pairs) + "</div>"
    if style == "inline":
        return "<p>" + "<br>".join(f"{esc(l)} : <b>{esc(v)}</b>" if l else f"<b>{esc(v)}</b>" for l, v in pairs) + "</p>"
    if style == "dots":
        return "<pre>" + "\n".join(f"{esc(l):.<34} {esc(v)}" for l, v in pairs) + "</pre>"
    rows = "".join(f"<tr><td class=lab>{esc(l)}</td><td>{esc(v)}</td></tr>" for l, v in pairs)
    cls = " class=box" if style == "box" else ""
    return f"<div{cls}><table class=p>{rows}</table></div>"


def html_table(headers, rows, aligns, foot):
    def cells(row, tag):
        return "".join(f"<{tag} class={'r' if a == 'r' else 'l'}>{esc(c)}</{tag}>" for c, a in zip(row, aligns))
    head = f"<thead><tr>{cells(headers, 'th')}</tr></thead>" if headers else ""
    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    last = "".join(f"<tr class=foot>{cells(row, 'td')}</tr>" for row in foot)
    return f"<table class=t>{head}<tbody>{body}{last}</tbody></table>"


def html_block(doc, b):
    k = b[0]
    if k == "head":
        lines = "".join(f"<div>{esc(x)}</div>" for x in b[2])
        return f"<div class='head {doc.theme['head']}'>{logo_svg(b[1], doc.theme['color'] if doc.theme['head'] != 'band' else '#999')}" \
               f"<div class=n>{esc(b[1])}</div>{lines}</div>"
    if k == "to":
        return "<div class=to>" + "<br>".join(map(esc, b[1])) + "</div>"
    if k == "title":
        return f"<h1>{esc(b[1])}</h1>" + (f"<div class=lab>{esc(b[2])}</div>" if len(b) > 2 else "")
    if k == "cols":
        return "<div class=c2>" + "".join("<div>" + "".join(html_block(doc, x) for x in side) + "</div>" for side in b[1:]) + "</div>"
    simple = {"h": "<h2>{}</h2>", "p": "<p>{}</p>", "small": "<p class=small>{}</p>"}
    if k in simple:
        return simple[k].format(esc(b[1]))
    if k == "pairs":
        return html_pairs(b[1], b[2])
    if k == "table":
        return html_table(b[1], b[2], b[3], b[4])
    if k == "mono":
        return "<pre>" + esc("\n".join(b[1])) + "</pre>"
    if k == "foot":
        return "<div class=bottom>" + "<br>".join(map(esc, b[1])) + "</div>"
    if k == "break":
        return "<div style='page-break-before:always'></div>"
    if k == "right":
        return "<p style='text-align:right'>" + "<br>".join(map(esc, b[1])) + "</p>"
    if k == "photo":
        data = base64.b64encode(portrait_bytes(b[1])).decode()
        return f"<img style='width:28mm' src='data:image/jpeg;base64,{data}'>"
    return "<br>"


def html_op(o):
    if o[0] == "t":
        fam = "Liberation Mono" if o[7] else "Liberation Sans"
        return (f"<div style=\"position:absolute;white-space:pre;left:{o[1]:.2f}mm;top:{o[2] - o[4] * .352:.2f}mm;font:{'bold ' if o[5] else ''}"
                f"{o[4]}pt/1.15 '{fam}';color:{o[6]}\">{esc(o[3])}</div>")
    if o[0] == "r":
        fill = f"background:{o[5]};" if o[5] else ""
        line = f"border:.3mm solid {o[6]};" if o[6] else ""
        return f"<div style='position:absolute;left:{o[1]}mm;top:{o[2]}mm;width:{o[3]}mm;height:{o[4]}mm;{fill}{line}'></div>"
    data = base64.b64encode(portrait_bytes(o[5])).decode()
    return f"<img style='position:absolute;left:{o[1]}mm;top:{o[2]}mm;width:{o[3]}mm;height:{o[4]}mm' src='data:image/jpeg;base64,{data}'>"


def to_html(doc):
    if doc.ops:
        w, h = doc.page
        body = "".join(html_op(o) for o in doc.ops)
        style = f"@page{{size:{w}mm {h}mm;margin:0}}body{{margin:0;-webkit-print-color-adjust:exact}}"
        body = f"<div style='position:relative;width:{w}mm;height:{h - 1}mm;overflow:hidden'>{body}</div>"
    else:
        style, body = css(doc) + "*{-webkit-print-color-adjust:exact}", "".join(html_block(doc, b) for b in doc.blocks)
    meta = f"<meta name=author content=\"{html.escape(doc.author)}\">" if doc.author else ""
    return f"<!doctype html><html lang={doc.lang}><head><meta charset=utf-8><title>{esc(doc.title)}</title>{meta}" \
           f"<style>{style}</style></head><body>{body}</body></html>"


def chromium(doc, out):
    with tempfile.TemporaryDirectory() as tmp:
        page = Path(tmp) / "page.html"
        page.write_text(to_html(doc))
        run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={tmp}/u",
             "--no-pdf-header-footer", f"--print-to-pdf={out}", page.as_uri()])
    stamp_dates(out, doc.made)


def weasy(doc, out):
    import weasyprint
    text = to_html(doc)
    iso = doc.made.strftime("%Y-%m-%dT%H:%M:%S+01:00")
    text = text.replace("<style>", f"<meta name=dcterms.created content='{iso}'><style>", 1)
    weasyprint.HTML(string=text).write_pdf(out, pdf_identifier=b"%016d" % doc.r.getrandbits(50))


def stamp_dates(path, when):
    """Tools without a date option write the clock's time; same-length bytes set the document's own time."""
    data = Path(path).read_bytes()
    short = when.strftime("%Y%m%d%H%M%S").encode()
    data = re.sub(rb"(?<=D:)\d{14}", short, data)
    iso = when.strftime("%Y-%m-%dT%H:%M:%S").encode()
    data = re.sub(rb"20[23]\d-\d\d-\d\dT\d\d:\d\d:\d\d", iso, data)
    Path(path).write_bytes(data)


# ---------------------------------------------------------------- reportlab

def reportlab_fonts(doc):
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    files = {"Carlito": "Carlito-{}.ttf", "Lato": "Lato-{}.ttf", "Liberation Serif": "LiberationSerif-{}.ttf"}
    fam = doc.theme["font"]
    if fam not in files:
        core = doc.theme["core"]
        return core, {"Times-Roman": "Times-Bold"}.get(core, core + "-Bold")
    names = []
    for kind in ("Regular", "Bold"):
        name = fam.replace(" ", "") + kind
        pdfmetrics.registerFont(TTFont(name, font_file(files[fam].format(kind))))
        names.append(name)
    return names


@functools.lru_cache(None)
def font_file(name):
    """The path of a font file, asked from fontconfig."""
    listed = run(["fc-list", ":", "file"]).stdout.decode().splitlines()
    for line in sorted(listed):
        path = line.strip().rstrip(":").rstrip()
        if path.endswith("/" + name):
            return path
    raise FileNotFoundError(name)


def rl_styles(doc):
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.colors import HexColor
    font, bold = reportlab_fonts(doc)
    size = min(doc.theme["size"], 10)
    base = ParagraphStyle("b", fontName=font, fontSize=size, leading=size * 1.28, spaceAfter=3)
    col = HexColor(doc.theme["color"])
    return dict(base=base, bold=ParagraphStyle("bb", base, fontName=bold),
                h1=ParagraphStyle("h1", base, fontName=bold, fontSize=size * 1.5, leading=size * 1.9, textColor=col, spaceAfter=6),
                h2=ParagraphStyle("h2", base, fontName=bold, fontSize=size * 1.1, textColor=col, spaceBefore=6),
                small=ParagraphStyle("s", base, fontSize=size * .75, leading=size * .95, textColor=HexColor("#555555")),
                right=ParagraphStyle("r", base, alignment=2), mono=ParagraphStyle("m", base, fontName="Courier"),
                rbold=ParagraphStyle("rb", base, fontName=bold, alignment=2))


def rl_pairs(doc, pairs, style, st, width):
    from reportlab.platypus import Paragraph, Table, Preformatted, Spacer
    P = lambda s, k="base": Paragraph(esc(s), st[k])
    if style in ("above", "below"):
        rows = []
        for i in range(0, len(pairs), 3):
            part = pairs[i:i + 3] + [("", "")] * (3 - len(pairs[i:i + 3]))
            labs, vals = [P(l, "small") for l, _ in part], [P(v) for _, v in part]
            rows += [labs, vals] if style == "above" else [vals, labs]
        return [Table(rows, colWidths=[width / 3] * 3, style=[("BOTTOMPADDING", (0, 0), (-1, -1), 1), ("TOPPADDING", (0, 0), (-1, -1), 1)])]
    if style == "bare":
        return [P(v) for _, v in pairs]
    if style == "inline":
        return [Paragraph((f"{esc(l)} : " if l else "") + esc(v), st["base"]) for l, v in pairs]
    if style == "dots":
        return [Preformatted("\n".join(f"{l:.<34} {v}" for l, v in pairs), st["mono"])]
    box = [("BOX", (0, 0), (-1, -1), .7, doc.theme["color"])] if style == "box" else []
    return [Table([[P(l), P(v)] for l, v in pairs], colWidths=[width * .42, width * .58], hAlign="LEFT",
                  style=[("VALIGN", (0, 0), (-1, -1), "TOP"), ("TOPPADDING", (0, 0), (-1, -1), 1),
                         ("BOTTOMPADDING", (0, 0), (-1, -1), 1), ("LEFTPADDING", (0, 0), (-1, -1), 2)] + box), Spacer(1, 4)]


def rl_table(doc, b, st, width):
    from reportlab.platypus import Paragraph, Table
    from reportlab.lib import colors
    headers, rows, aligns, foot = b[1:5]
    P = lambda s, a, bold=False: Paragraph(esc(s), st[("rbold" if bold else "right") if a == "r" else ("bold" if bold else "base")])
    data = ([[P(c, a, True) for c, a in zip(headers, aligns)]] if headers else [])
    data += [[P(c, a) for c, a in zip(row, aligns)] for row in rows] + [[P(c, a, True) for c, a in zip(row, aligns)] for row in foot]
    weights = [max(max(len(str(r[i])) for r in rows + foot + ([headers] if headers else [])), 7) ** .7 for i in range(len(aligns))]
    widths = [width * w / sum(weights) for w in weights]
    rules = {"lines": [("LINEBELOW", (0, 0), (-1, -1), .3, colors.grey)], "plain": [("LINEBELOW", (0, 0), (-1, 0), 1, colors.black)],
             "zebra": [("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.whitesmoke, colors.white]), ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey)],
             "box": [("GRID", (0, 0), (-1, -1), .4, colors.black)]}[doc.theme["table"]]
    return [Table(data, colWidths=widths, style=rules + [("TOPPADDING", (0, 0), (-1, -1), 1.5), ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
                                                         ("VALIGN", (0, 0), (-1, -1), "TOP")])]


def rl_block(doc, b, st, width):
    from reportlab.platypus import Paragraph, Spacer, Table, Preformatted, PageBreak, Image as RLImage
    k = b[0]
    lines = lambda xs, s: [Paragraph(esc(x), st[s]) for x in xs]
    if k == "head":
        return lines([b[1]], "h1") + lines(b[2], "base") + [Spacer(1, 10)]
    if k == "to":
        return [Table([["", lines(b[1], "base")]], colWidths=[width * .54, width * .46]), Spacer(1, 12)]
    if k == "title":
        return lines([b[1]], "h1") + lines(b[2:3], "base")
    if k == "cols":
        return [Table([[[x for blk in side for x in rl_block(doc, blk, st, width / 2 - 12)] for side in b[1:]]],
                      colWidths=[width / 2] * 2, style=[("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)])]
    if k in ("h", "p", "small"):
        return lines([b[1]], {"h": "h2", "p": "base", "small": "small"}[k])
    if k == "pairs":
        return rl_pairs(doc, b[1], b[2], st, width)
    if k == "table":
        return rl_table(doc, b, st, width) + [Spacer(1, 5)]
    if k == "mono":
        return [Preformatted("\n".join(b[1]), st["mono"])]
    if k == "foot":
        return [Spacer(1, 18)] + lines(b[1], "small")
    if k == "right":
        return lines(b[1], "right")
    if k == "break":
        return [PageBreak()]
    if k == "photo":
        return [RLImage(io.BytesIO(portrait_bytes(b[1])), 80, 103, hAlign="LEFT")]
    return [Spacer(1, 10)]


def pdf_date(when, tz="+01'00'"):
    return when.strftime("D:%Y%m%d%H%M%S") + tz


def reportlab(doc, out):
    from reportlab.platypus import SimpleDocTemplate
    from reportlab.pdfgen import canvas as rc
    w, h = doc.page[0] * MM, doc.page[1] * MM
    if doc.ops:
        c = rc.Canvas(str(out), pagesize=(w, h), invariant=1)
        c.setTitle(doc.title)
        for o in doc.ops:
            rl_op(c, o, h)
        c.save()
    else:
        st = rl_styles(doc)
        width = w - 90
        flow = [x for b in doc.blocks for x in rl_block(doc, b, st, width)]
        SimpleDocTemplate(str(out), pagesize=(w, h), leftMargin=45, rightMargin=45, topMargin=42, bottomMargin=40, invariant=1,
                          title=doc.title, author=doc.author or "(anonymous)").build(flow)
    set_plain_dates(out, doc.made)


def set_plain_dates(path, when):
    """reportlab's invariant mode writes the year 2000; put the document's own time there."""
    data = Path(path).read_bytes()
    Path(path).write_bytes(re.sub(rb"(?<=D:)\d{14}", when.strftime("%Y%m%d%H%M%S").encode(), data))


def rl_op(c, o, h):
    from reportlab.lib.utils import ImageReader
    if o[0] == "t":
        font = "Courier" if o[7] else "Helvetica"
        c.setFont(font + ("-Bold" if o[5] else ""), o[4])
        c.setFillColor(o[6])
        c.drawString(o[1] * MM, h - o[2] * MM, o[3])
    elif o[0] == "r":
        if o[5]:
            c.setFillColor(o[5])
        if o[6]:
            c.setStrokeColor(o[6])
        c.rect(o[1] * MM, h - (o[2] + o[4]) * MM, o[3] * MM, o[4] * MM, fill=1 if o[5] else 0, stroke=1 if o[6] else 0)
    else:
        c.drawImage(ImageReader(io.BytesIO(portrait_bytes(o[5]))), o[1] * MM, h - (o[2] + o[4]) * MM, o[3] * MM, o[4] * MM)


# ---------------------------------------------------------------- fpdf2

def fpdf2(doc, out):
    from fpdf import FPDF
    pdf = FPDF(format=doc.page)
    pdf.set_creation_date(doc.made.replace(tzinfo=dt.timezone.utc))
    pdf.set_title(doc.title)
    if doc.author:
        pdf.set_author(doc.author)
    fam = {"Times-Roman": "times", "Courier": "courier"}.get(doc.theme["core"], "helvetica")
    if any(ord(c) > 255 for c in all_text(doc)):
        fam = "lib"
        for style, name in (("", "LiberationSans-Regular.ttf"), ("B", "LiberationSans-Bold.ttf")):
            pdf.add_font(fam, style, font_file(name))
    pdf.set_auto_page_break(True, 14)
    pdf.add_page()
    size = min(doc.theme["size"], 9.8)
    if doc.ops:
        pdf.set_auto_page_break(False)
        for o in doc.ops:
            fp_op(pdf, o, fam)
    for b in doc.blocks:
        fp_block(pdf, doc, b, fam, size)
    pdf.output(str(out))


def all_text(doc):
    got = []

    def walk(x):
        if isinstance(x, str):
            got.append(x)
        elif isinstance(x, (list, tuple)):
            for y in x:
                walk(y)
    walk(doc.blocks)
    walk(doc.ops)
    return "\n".join(got)


def fp_op(pdf, o, fam):
    if o[0] == "t":
        pdf.set_font("courier" if o[7] and fam != "lib" else fam, "B" if o[5] else "", o[4])
        pdf.set_text_color(o[6])
        pdf.text(o[1], o[2], o[3])
    elif o[0] == "r":
        if o[5]:
            pdf.set_fill_color(o[5])
        if o[6]:
            pdf.set_draw_color(o[6])
        pdf.rect(o[1], o[2], o[3], o[4], style=("F" if o[5] else "") + ("D" if o[6] else ""))
    else:
        pdf.image(portrait(o[5]), o[1], o[2], o[3], o[4])


def fp_lines(pdf, lines, fam, size, bold=False, x=None, align="L"):
    pdf.set_font(fam, "B" if bold else "", size)
    for line in lines:
        if x:
            pdf.set_x(x)
        pdf.multi_cell(0, size * .46, line, align=align, new_x="LMARGIN", new_y="NEXT")


def fp_pairs(pdf, pairs, style, fam, size):
    if style in ("above", "below"):
        for i in range(0, len(pairs), 3):
            part = pairs[i:i + 3]
            for kind in ((0, 1) if style == "above" else (1, 0)):
                for j, pair in enumerate(part):
                    pdf.set_font(fam, "" if kind == 0 else "B", size * (.75 if kind == 0 else .92))
                    pdf.set_xy(pdf.l_margin + j * 62, pdf.get_y())
                    pdf.cell(61, size * .45, pair[kind])
                pdf.ln(size * .45)
            pdf.ln(1.5)
        return
    for l, v in pairs:
        pdf.set_font(fam, "", size)
        if style == "dots":
            pdf.set_font("courier" if fam != "lib" else fam, "", size)
            pdf.cell(0, size * .46, f"{l:.<34} {v}", new_x="LMARGIN", new_y="NEXT")
        elif style in ("bare", "inline"):
            pdf.cell(0, size * .48, v if style == "bare" or not l else f"{l} : {v}", new_x="LMARGIN", new_y="NEXT")
        else:
            pdf.cell(70, size * .48, l)
            pdf.multi_cell(0, size * .48, v, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(2)


def fp_table(pdf, doc, b, fam, size):
    headers, rows, aligns, foot = b[1:5]
    everything = ([headers] if headers else []) + rows + foot
    weights = [max(max(len(r[i]) for r in everything), 6) ** .75 for i in range(len(aligns))]
    total = pdf.epw
    widths = [total * w / sum(weights) for w in weights]
    border = {"box": 1, "lines": "B"}.get(doc.theme["table"], 0)
    pdf.set_font(fam, "", size * .92)
    for n, row in enumerate(everything):
        bold = (headers and n == 0) or n >= len(everything) - len(foot)
        pdf.set_font(fam, "B" if bold else "", size * .92)
        while any(pdf.get_string_width(c) > w - 2 for c, w in zip(row, widths)) and pdf.font_size_pt > 6:
            pdf.set_font_size(pdf.font_size_pt - .4)
        for c, w, a in zip(row, widths, aligns):
            pdf.cell(w, size * .55, c, border=border, align=a.upper())
        pdf.ln(size * .55)
    pdf.ln(2)


def fp_block(pdf, doc, b, fam, size):
    k = b[0]
    color = tuple(int(doc.theme["color"][i:i + 2], 16) for i in (1, 3, 5))
    align = {"center": "C", "right": "R"}.get(doc.theme["head"], "L")
    if k in ("head", "title", "h"):
        pdf.set_text_color(*color)
        fp_lines(pdf, [b[1]], fam, size * {"head": 1.5, "title": 1.4, "h": 1.12}[k], True, align=align if k == "head" else "L")
        pdf.set_text_color(0)
        if k == "head":
            fp_lines(pdf, b[2], fam, size * .9, align=align)
            pdf.ln(5)
        if k == "title":
            fp_lines(pdf, b[2:3], fam, size)
    elif k == "to":
        fp_lines(pdf, b[1], fam, size, x=115)
        pdf.ln(6)
    elif k == "cols":
        for side in b[1:]:
            for blk in side:
                fp_block(pdf, doc, blk, fam, size)
    elif k in ("p", "small"):
        fp_lines(pdf, [b[1]], fam, size if k == "p" else size * .75)
        pdf.ln(1.5)
    elif k == "pairs":
        fp_pairs(pdf, b[1], b[2], fam, size)
    elif k == "table":
        fp_table(pdf, doc, b, fam, size)
    elif k == "mono":
        fp_lines(pdf, b[1], "courier" if fam != "lib" else fam, size)
    elif k == "foot":
        pdf.ln(8)
        fp_lines(pdf, b[1], fam, size * .72, align="C")
    elif k == "right":
        fp_lines(pdf, b[1], fam, size, align="R")
    elif k == "break":
        pdf.add_page()
    elif k == "photo":
        pdf.image(portrait(b[1]), w=26)
    else:
        pdf.ln(4)


# ---------------------------------------------------------------- typst

def ty(s):
    return re.sub(r"([\\#\[\]*_$<>@`~/=+\-\"'])", r"\\\1", s).replace("\\'", "'").replace('\\"', '"')


def ty_block(doc, b):
    k = b[0]
    lines = lambda xs: " \\\n".join(ty(x) for x in xs)
    color = f'rgb("{doc.theme["color"]}")'
    if k == "head":
        side = {"center": "center", "right": "right"}.get(doc.theme["head"], "left")
        return f"#align({side})[#text(size: 1.4em, weight: \"bold\", fill: {color})[{ty(b[1])}] \\\n{lines(b[2])}]\n#v(6pt)"
    if k == "to":
        return f"#pad(left: 54%)[{lines(b[1])}]\n#v(8pt)"
    if k == "title":
        return f"#text(size: 1.35em, weight: \"bold\", fill: {color})[{ty(b[1])}]\n\n" + "".join(ty(x) for x in b[2:3])
    if k == "cols":
        return "#grid(columns: (1fr, 1fr), gutter: 10pt, " + ", ".join("[" + "\n\n".join(ty_block(doc, x) for x in s) + "]" for s in b[1:]) + ")"
    if k == "h":
        return f"#text(weight: \"bold\", fill: {color}, size: 1.1em)[{ty(b[1])}]"
    if k == "p":
        return ty(b[1])
    if k == "small":
        return f"#text(size: .75em)[{ty(b[1])}]"
    if k == "pairs":
        return ty_pairs(b[1], b[2])
    if k == "table":
        return ty_table(doc, b)
    if k == "mono":
        return "```\n" + "\n".join(b[1]) + "\n```"
    if k == "foot":
        return f"#v(14pt)#line(length: 100%, stroke: .4pt)\n#align(center)[#text(size: .7em)[{lines(b[1])}]]"
    if k == "right":
        return f"#align(right)[{lines(b[1])}]"
    return "#pagebreak()" if k == "break" else "#v(8pt)"


def ty_pairs(pairs, style):
    if style in ("above", "below"):
        cell = lambda l, v: f"[#text(size: .76em, fill: gray)[{ty(l)}] \\\n{ty(v)}]" if style == "above" else \
            f"[{ty(v)} \\\n#text(size: .76em, fill: gray)[{ty(l)}]]"
        return "#grid(columns: (1fr,1fr,1fr), gutter: 8pt, " + ", ".join(cell(l, v) for l, v in pairs) + ")"
    if style == "bare":
        return " \\\n".join(ty(v) for _, v in pairs)
    if style in ("inline", "dots"):
        return " \\\n".join((f"{ty(l)} : " if l else "") + f"*{ty(v)}*" for l, v in pairs)
    stroke = ".5pt" if style == "box" else "none"
    return f"#table(columns: (auto, auto), stroke: {stroke}, inset: 3pt, " + ", ".join(f"[{ty(l)}],[{ty(v)}]" for l, v in pairs) + ")"


def ty_table(doc, b):
    headers, rows, aligns, foot = b[1:5]
    al = ", ".join("right" if a == "r" else "left" for a in aligns)
    stroke = {"box": ".5pt", "lines": "(bottom: .4pt + gray)"}.get(doc.theme["table"], "none")
    cells = [f"[*{ty(c)}*]" for c in headers or []] + [f"[{ty(c)}]" for row in rows for c in row]
    cells += [f"[*{ty(c)}*]" if c else "[]" for row in foot for c in row]
    cols = ", ".join("1fr" if i == 0 else "auto" for i in range(len(aligns)))
    return f"#table(columns: ({cols}), align: ({al}), stroke: {stroke}, inset: 4pt, {', '.join(cells)})".replace("[**]", "[]")


def typst(doc, out):
    import typst as ts
    w, h = doc.page
    font = doc.theme["font"] if doc.theme["font"] not in ("Liberation Sans Narrow",) else "Liberation Sans"
    d = doc.made
    head = (f'#set document(title: "{doc.title}", date: datetime(year: {d.year}, month: {d.month}, day: {d.day}, hour: {d.hour}, '
            f'minute: {d.minute}, second: {d.second}))\n#set page(width: {w}mm, height: {h}mm, margin: 17mm)\n'
            f'#set text(font: "{font}", size: {min(doc.theme["size"], 10)}pt, lang: "{doc.lang}", hyphenate: false)\n')
    with tempfile.TemporaryDirectory() as tmp:
        src = Path(tmp) / "doc.typ"
        src.write_text(head + "\n\n".join(ty_block(doc, b) for b in doc.blocks))
        ts.compile(str(src), output=str(out))


# ---------------------------------------------------------------- LaTeX

def tex(s):
    for a, b in (("\\", "\0"), ("&", r"\&"), ("%", r"\%"), ("$", r"\$"), ("#", r"\#"), ("_", r"\_"), ("{", r"\{"), ("}", r"\}"),
                 ("~", r"\textasciitilde{}"), ("^", r"\textasciicircum{}"), ("\0", r"\textbackslash{}"), ("€", r"{\fontfamily{lmr}\selectfont\texteuro}"),
                 ("<", r"\textless{}"), (">", r"\textgreater{}"), ("£", r"\pounds{}"), ("°", r"\textdegree{}"), ("«", r"\guillemotleft{}"), ("»", r"\guillemotright{}"),
                 ("–", "--"), ("—", "---"), ("’", "'"), ("•", r"\textbullet{}"), ("·", r"\textperiodcentered{}"), ("…", r"\dots{}"),
                 ("☐", "[ ]"), ("☒", "[x]"), ("\u00a0", "~")):
        s = s.replace(a, b)
    return s


def tex_block(doc, b):
    k = b[0]
    lines = lambda xs: r"\\ ".join("{" + tex(x) + "}" for x in xs)
    if k == "head":
        env = {"center": "center", "right": "flushright"}.get(doc.theme["head"], "flushleft")
        return rf"\begin{{{env}}}{{\Large\bfseries {tex(b[1])}}}\\ {lines(b[2])}\end{{{env}}}"
    if k == "to":
        return rf"\hspace*{{.54\textwidth}}\begin{{minipage}}{{.44\textwidth}}{lines(b[1])}\end{{minipage}}\par\vspace{{12pt}}"
    if k == "title":
        return rf"{{\large\bfseries {tex(b[1])}}}\par " + "".join(tex(x) + r"\par " for x in b[2:3])
    if k == "cols":
        return "".join(r"\begin{minipage}[t]{.49\textwidth}" + "\n\n".join(tex_block(doc, x) for x in s) + r"\end{minipage}\hfill " for s in b[1:]) + r"\par"
    if k in ("h", "p", "small"):
        return {"h": r"\vspace{{4pt}}{{\bfseries {}}}\par", "p": r"{}\par", "small": r"{{\footnotesize {}\par}}"}[k].format(tex(b[1]))
    if k == "pairs":
        if b[2] == "bare":
            return lines([v for _, v in b[1]]) + r"\par"
        if b[2] in ("above", "below"):
            cell = (lambda l, v: rf"\begin{{minipage}}[t]{{.32\textwidth}}\mbox{{\scriptsize {tex(l)}}}\\ {tex(v)}\vspace{{5pt}}\end{{minipage}}") if b[2] == "above" else \
                   (lambda l, v: rf"\begin{{minipage}}[t]{{.32\textwidth}}{tex(v)}\\ {{\scriptsize {tex(l)}}}\vspace{{5pt}}\end{{minipage}}")
            return "\n".join(cell(l, v) for l, v in b[1]) + r"\par"
        if b[2] == "inline":
            return r"\\ ".join((f"{tex(l)} : " if l else "{}") + rf"\textbf{{{tex(v)}}}" for l, v in b[1]) + r"\par"
        rows = r"\\ ".join(f"{tex(l)} & {tex(v)}" for l, v in b[1])
        return rf"\begin{{tabular}}{{@{{}}p{{.36\linewidth}}p{{.58\linewidth}}@{{}}}}{rows}\end{{tabular}}\par"
    if k == "table":
        return tex_table(doc, b)
    if k == "mono":
        return r"{\ttfamily " + lines([x.replace(" ", "\u00a0") for x in b[1]]) + r"\par}"
    if k == "foot":
        return r"\vfill\hrule\vspace{3pt}{\scriptsize\centering " + lines(b[1]) + r"\par}"
    if k == "right":
        return rf"\begin{{flushright}}{lines(b[1])}\end{{flushright}}"
    return r"\newpage" if k == "break" else r"\vspace{8pt}"


def tex_table(doc, b):
    headers, rows, aligns, foot = b[1:5]
    n = len(aligns) - 1
    spec = r"@{}>{\raggedright\arraybackslash}X" + "".join("r" if a == "r" else "l" for a in aligns[1:]) + "@{}"
    line = lambda row, bold=False: " & ".join((rf"\textbf{{{tex(c)}}}" if bold and c else tex(c)) for c in row) + r"\\ "
    rule = r"\hline " if doc.theme["table"] in ("lines", "box") else ""
    body = (line(headers, True) + r"\hline " if headers else "") + rule.join(line(r) for r in rows) + r"\hline " + "".join(line(r, True) for r in foot)
    small = r"\small" if n > 3 else ""
    return rf"{{{small}\begin{{tabularx}}{{\linewidth}}{{{spec}}}{body}\end{{tabularx}}}}\par\vspace{{4pt}}"


def latex(doc, out):
    font = {"Times-Roman": r"\usepackage{mathptmx}", "Helvetica": r"\usepackage[scaled=.92]{helvet}\renewcommand{\familydefault}{\sfdefault}"}
    w, h = doc.page
    src = (r"\documentclass[10pt]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{textcomp,tabularx,array,lmodern}"
           + font.get(doc.theme["core"], "") +
           rf"\usepackage[paperwidth={w}mm,paperheight={h}mm,margin=18mm]{{geometry}}\setlength{{\parindent}}{{0pt}}\setlength{{\parskip}}{{4pt}}"
           r"\usepackage[pdftex,hidelinks]{hyperref}" + rf"\hypersetup{{pdftitle={{{tex(doc.title)}}}}}" +
           r"\pagestyle{empty}\hyphenpenalty=10000\sloppy\begin{document}" + "\n\n".join(tex_block(doc, b) for b in doc.blocks) + r"\end{document}")
    with tempfile.TemporaryDirectory() as tmp:
        (Path(tmp) / "doc.tex").write_text(src)
        env = dict(os.environ, SOURCE_DATE_EPOCH=str(int(doc.made.timestamp())), FORCE_SOURCE_DATE="1")
        run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "doc.tex"], cwd=tmp, env=env)
        shutil.copy(Path(tmp) / "doc.pdf", out)


# ---------------------------------------------------------------- LibreOffice

def docx(doc, path):
    from docx import Document
    from docx.shared import Mm, Pt
    d = Document()
    s = d.sections[0]
    s.page_width, s.page_height = Mm(doc.page[0]), Mm(doc.page[1])
    s.left_margin = s.right_margin = Mm(20)
    s.top_margin = s.bottom_margin = Mm(16)
    normal = d.styles["Normal"]
    normal.font.name, normal.font.size = doc.theme["font"], Pt(min(doc.theme["size"], 10.5))
    normal.paragraph_format.space_after = Pt(2)
    d.core_properties.title, d.core_properties.author = doc.title, doc.author or "Secretariat"
    d.core_properties.created = d.core_properties.modified = doc.made
    for b in doc.blocks:
        docx_block(doc, d, b)
    d.save(str(path))


def docx_line(d, text, bold=False, size=None, color=None, indent=None, align=None):
    from docx.shared import Mm, Pt, RGBColor
    p = d.add_paragraph()
    run_ = p.add_run(text)
    run_.bold = bold
    if size:
        run_.font.size = Pt(size)
    if color:
        run_.font.color.rgb = RGBColor.from_string(color[1:].upper())
    if indent:
        p.paragraph_format.left_indent = Mm(indent)
    if align is not None:
        p.alignment = align
    return p


def docx_block(doc, d, b):
    k, t = b[0], doc.theme
    align = {"center": 1, "right": 2}.get(t["head"], 0)
    if k in ("head", "title", "h"):
        docx_line(d, b[1], True, t["size"] * {"head": 1.5, "title": 1.4, "h": 1.1}[k], t["color"], align=align if k == "head" else 0)
        for x in (b[2] if k == "head" else b[2:3]):
            docx_line(d, x, align=align if k == "head" else 0)
        if k == "head":
            d.add_paragraph()
    elif k == "to":
        for x in b[1]:
            docx_line(d, x, indent=95)
        d.add_paragraph()
    elif k == "cols":
        docx_cols(doc, d, b)
    elif k == "p":
        docx_line(d, b[1])
    elif k == "small":
        docx_line(d, b[1], size=7.5)
    elif k == "pairs":
        docx_pairs(d, b[1], b[2])
    elif k == "table":
        docx_table(doc, d, b)
    elif k == "mono":
        for x in b[1]:
            docx_line(d, x).runs[0].font.name = "Liberation Mono"
    elif k == "foot":
        d.add_paragraph()
        for x in b[1]:
            docx_line(d, x, size=7.5, align=1)
    elif k == "right":
        for x in b[1]:
            docx_line(d, x, align=2)
    elif k == "break" and hasattr(d, "add_page_break"):
        d.add_page_break()
    else:
        d.add_paragraph()


def docx_cols(doc, d, b):
    if not hasattr(d, "sections"):
        for side in b[1:]:
            for blk in side:
                docx_block(doc, d, blk)
        return
    table = d.add_table(1, 2)
    for cell, side in zip(table.rows[0].cells, b[1:]):
        cell.paragraphs[0]._p.getparent().remove(cell.paragraphs[0]._p)
        for blk in side:
            docx_block(doc, cell, blk)
        cell.add_paragraph()


def docx_pairs(d, pairs, style):
    from docx.shared import Mm
    if style in ("above", "below", "bare", "inline", "dots"):
        for l, v in pairs:
            if style == "above":
                docx_line(d, l, size=7.5)
            p = docx_line(d, f"{l} : " if style in ("inline", "dots") and l else "")
            p.add_run(v)
            if style == "below":
                docx_line(d, l, size=7.5)
        return
    table = d.add_table(0, 2)
    if style == "box" and hasattr(d, "sections"):
        table.style = "Table Grid"
    for l, v in pairs:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = l, v
        if hasattr(d, "sections"):
            cells[0].width, cells[1].width = Mm(62), Mm(106)


def docx_table(doc, d, b):
    headers, rows, aligns, foot = b[1:5]
    table = d.add_table(0, len(aligns))
    if doc.theme["table"] in ("box", "lines", "zebra") and hasattr(d, "sections"):
        table.style = "Table Grid" if doc.theme["table"] == "box" else "Light List"
    all_rows = ([headers] if headers else []) + rows + foot
    for n, row in enumerate(all_rows):
        for cell, c, a in zip(table.add_row().cells, row, aligns):
            cell.text = ""
            run_ = cell.paragraphs[0].add_run(c)
            run_.bold = (n == 0 and bool(headers)) or n >= len(all_rows) - len(foot)
            if a == "r":
                cell.paragraphs[0].alignment = 2
    d.add_paragraph() if hasattr(d, "sections") else None


def soffice(files, out, fmt="pdf", filt=None, profile=None):
    """Converts a set of files in one run of LibreOffice."""
    if not files:
        return
    with tempfile.TemporaryDirectory() as tmp:
        args = ["soffice", f"-env:UserInstallation=file://{profile or tmp}", "--headless"]
        if filt:
            args.append(f"--infilter={filt}")
        run(args + ["--convert-to", fmt, "--outdir", str(out)] + [str(f) for f in files], timeout=560)


# ---------------------------------------------------------------- MuPDF, cairo, Ghostscript

def mupdf(doc, out):
    import pymupdf as fitz
    text = to_html(doc) if not doc.ops else None
    w, h = doc.page[0] * MM, doc.page[1] * MM
    if doc.ops:
        pdf = fitz.open()
        page = pdf.new_page(width=w, height=h)
        for o in doc.ops:
            mu_op(page, o)
    else:
        text = re.sub(r"<svg.*?</svg>", "", text).replace("display:inline-block", "display:block").replace("display:table-cell", "display:block")
        story = fitz.Story(text.replace("class='head band'", "class='head left'"))
        buf = io.BytesIO()
        writer = fitz.DocumentWriter(buf)
        more = 1
        while more:
            dev = writer.begin_page(fitz.Rect(0, 0, w, h))
            more, _ = story.place(fitz.Rect(45, 40, w - 45, h - 40))
            story.draw(dev)
            writer.end_page()
        writer.close()
        pdf = fitz.open("pdf", buf.getvalue())
    when = pdf_date(doc.made)
    pdf.set_metadata({"title": doc.title, "creator": "", "producer": f"MuPDF {fitz.mupdf_version}", "creationDate": when, "modDate": when})
    pdf.save(str(out), garbage=3, deflate=True, no_new_id=True)


def mu_op(page, o):
    import pymupdf as fitz
    rgb = lambda c: tuple(int(c[i:i + 2], 16) / 255 for i in (1, 3, 5)) if c else None
    if o[0] == "t":
        font = ("cour" if o[7] else "helv") if not o[5] else ("cobo" if o[7] else "hebo")
        page.insert_text((o[1] * MM, o[2] * MM), o[3], fontsize=o[4], fontname=font, color=rgb(o[6]))
    elif o[0] == "r":
        page.draw_rect(fitz.Rect(o[1] * MM, o[2] * MM, (o[1] + o[3]) * MM, (o[2] + o[4]) * MM), fill=rgb(o[5]), color=rgb(o[6]), width=.6)
    else:
        page.insert_image(fitz.Rect(o[1] * MM, o[2] * MM, (o[1] + o[3]) * MM, (o[2] + o[4]) * MM), stream=portrait_bytes(o[5]))


def cairo(doc, out):
    """Cards are drawn with cairo; flowing text is first set by WeasyPrint, then printed through cairo."""
    if not doc.ops:
        with tempfile.TemporaryDirectory() as tmp:
            weasy(doc, f"{tmp}/a.pdf")
            run(["pdftocairo", "-pdf", f"{tmp}/a.pdf", str(out)])
        return stamp_dates(out, doc.made)
    import cairocffi as cc
    s = cc.PDFSurface(str(out), doc.page[0] * MM, doc.page[1] * MM)
    c = cc.Context(s)
    rgb = lambda h: tuple(int(h[i:i + 2], 16) / 255 for i in (1, 3, 5))
    for o in doc.ops:
        if o[0] == "t":
            c.select_font_face("Liberation Mono" if o[7] else "Liberation Sans", cc.FONT_SLANT_NORMAL, cc.FONT_WEIGHT_BOLD if o[5] else cc.FONT_WEIGHT_NORMAL)
            c.set_font_size(o[4])
            c.set_source_rgb(*rgb(o[6]))
            c.move_to(o[1] * MM, o[2] * MM)
            c.show_text(o[3])
        elif o[0] == "r":
            for color, paint in ((o[5], c.fill), (o[6], c.stroke)):
                if color:
                    c.rectangle(o[1] * MM, o[2] * MM, o[3] * MM, o[4] * MM)
                    c.set_source_rgb(*rgb(color))
                    c.set_line_width(.6)
                    paint()
        else:
            cairo_photo(c, cc, o)
    s.finish()
    stamp_dates(out, doc.made)


def cairo_photo(c, cc, o):
    buf = io.BytesIO()
    portrait(o[5]).convert("RGB").save(buf, "PNG")
    buf.seek(0)
    img = cc.ImageSurface.create_from_png(buf)
    c.save()
    c.translate(o[1] * MM, o[2] * MM)
    c.scale(o[3] * MM / img.get_width(), o[4] * MM / img.get_height())
    c.set_source_surface(img)
    c.paint()
    c.restore()


def ghostscript(doc, out):
    """An office whose print queue ends in Ghostscript's PDF writer."""
    with tempfile.TemporaryDirectory() as tmp:
        reportlab(doc, f"{tmp}/a.pdf")
        run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-dCompatibilityLevel=1.5", f"-sOutputFile={out}", f"{tmp}/a.pdf"])
    stamp_dates(out, doc.made)


PRODUCERS = dict(chromium=chromium, weasyprint=weasy, reportlab=reportlab, fpdf2=fpdf2, typst=typst, pdftex=latex,
                 mupdf=mupdf, cairo=cairo, ghostscript=ghostscript)
FLOW = ["chromium", "weasyprint", "reportlab", "fpdf2", "typst", "pdftex", "libreoffice", "mupdf", "cairo", "ghostscript"]
PLACED = ["chromium", "weasyprint", "reportlab", "fpdf2", "mupdf", "cairo", "ghostscript"]


def warm_up():
    """Loads the libraries once, before workers are forked."""
    import cairocffi, docx as _docx, fpdf, pymupdf, reportlab.platypus, typst as _typst, weasyprint  # noqa: E401, F401
    weasyprint.HTML(string="<p style=\"font-family:'Liberation Sans'\">x<b>y</b>").write_pdf()


def produce_many(pairs):
    """Renders (doc, path) pairs; LibreOffice documents go through one run."""
    office = [(d, Path(p)) for d, p in pairs if d.producer == "libreoffice"]
    with tempfile.TemporaryDirectory() as tmp:
        for i, (d, p) in enumerate(office):
            docx(d, Path(tmp) / f"{i:03d}.docx")
        soffice(sorted(Path(tmp).glob("*.docx")), tmp)
        for i, (d, p) in enumerate(office):
            shutil.copy(Path(tmp) / f"{i:03d}.pdf", p)
            stamp_dates(p, d.made)
    from concurrent.futures import ThreadPoolExecutor
    slow = [(d, p) for d, p in pairs if d.producer == "chromium"]
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(chromium, d, p) for d, p in slow]
        for d, p in pairs:
            if d.producer not in ("libreoffice", "chromium"):
                PRODUCERS[d.producer](d, p)
        for j in jobs:
            j.result()
