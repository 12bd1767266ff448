"""Turns a source (markup or a list of drawing steps) into PDF bytes with one of nine programs."""
import atexit
import html
import io
import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import jinja2
import numpy as np
import pikepdf
import pymupdf
from PIL import Image, ImageDraw, ImageFilter

LIB = '/usr/share/fonts/truetype/'  # Debian's font folder, the same on every Debian machine
FONTS = {
    'H': 'liberation/LiberationSans-Regular', 'HB': 'liberation/LiberationSans-Bold', 'T': 'liberation/LiberationSerif-Regular',
    'TB': 'liberation/LiberationSerif-Bold', 'C': 'liberation/LiberationMono-Regular', 'CB': 'liberation/LiberationMono-Bold',
    'D': 'dejavu/DejaVuSans', 'DB': 'dejavu/DejaVuSans-Bold', 'L': 'lato/Lato-Regular', 'LB': 'lato/Lato-Bold',
    'N': 'liberation/LiberationSansNarrow-Regular',
    'NB': 'liberation/LiberationSansNarrow-Bold', 'P': 'open-sans/OpenSans-Regular', 'PB': 'open-sans/OpenSans-Bold', 'K': 'crosextra/Carlito-Regular',
    'KB': 'crosextra/Carlito-Bold', 'DM': 'dejavu/DejaVuSansMono', 'DS': 'dejavu/DejaVuSerif', 'O': '../opentype/ocr-b/OCRB'}
BASE14 = {'H': 'Helvetica', 'HB': 'Helvetica-Bold', 'T': 'Times-Roman', 'TB': 'Times-Bold', 'C': 'Courier', 'CB': 'Courier-Bold'}


def font_file(key):
    return LIB + FONTS[key] + ('.otf' if key == 'O' else '.ttf')


def _env(finalize):
    return jinja2.Environment(finalize=finalize, trim_blocks=True, lstrip_blocks=True)


def esc_html(v):
    return v if not isinstance(v, str) or v.startswith('<') or v.startswith('data:') else html.escape(v, quote=False)


def esc_typst(v):
    return re.sub(r'([\\#$@_*\[\]<>`~"])', r'\\\1', v).replace('//', '/\\/') if isinstance(v, str) else v


def esc_tex(v):
    if not isinstance(v, str):
        return v
    return re.sub(r'([#$%&_{}])', r'\\\1', v).replace('\u00a0', '~').replace('’', "'").replace('€', '\\euro{}').replace('£', '\\pounds{}')


ENVS = {'html': _env(esc_html), 'typst': _env(esc_typst), 'tex': _env(esc_tex)}
ESC = {'weasy': esc_html, 'chromium': esc_html, 'lohtml': esc_html, 'typst': esc_typst, 'latex': esc_tex}


def fill(kind, text, **kw):
    return ENVS[kind].from_string(text).render(**kw)


class Ops:
    """Drawing steps, so that a page can be drawn by several libraries and a value changed before drawing."""

    def __init__(self, w=595.3, h=841.9):
        self.size, self.steps = (w, h), []

    def t(self, x, y, s, size=9, font='H', col='#111111', al='l'):
        self.steps.append(['t', x, y, str(s), size, font, col, al])
        return self

    def ts(self, x, y, lines, size=9, font='H', lead=1.3, col='#111111'):
        for i, s in enumerate(lines):
            self.t(x, y + i * size * lead, s, size, font, col)
        return self

    def r(self, x, y, w, h, fill=None, line=None, lw=.6):
        self.steps.append(['r', x, y, w, h, fill, line, lw])
        return self

    def l(self, x, y, x2, y2, col='#333333', lw=.6):
        self.steps.append(['l', x, y, x2, y2, col, lw])
        return self

    def img(self, x, y, w, h, im):
        self.steps.append(['i', x, y, w, h, im])
        return self

    def page(self):
        self.steps.append(['p'])
        return self

    def table(self, x, y, widths, rows, size=8, lead=13, font='H', al=None, grid=None, head=None, bold_last=False):
        """Rows of cells; al is one letter per column."""
        al = al or 'l' * len(widths)
        for n, row in enumerate(rows):
            cx = x
            if head and n == 0:
                self.r(x, y - lead * .75, sum(widths), lead, fill=head)
            for c, wd, a in zip(row, widths, al):
                f = font + 'B' if (n == 0 and head is not None) or (bold_last and n == len(rows) - 1) else font
                self.t({'l': cx + 2, 'r': cx + wd - 2, 'c': cx + wd / 2}[a], y, c, size, f, al=a)
                if grid:
                    self.r(cx, y - lead * .75, wd, lead, line=grid, lw=.4)
                cx += wd
            y += lead
        return y


def rgb(c):
    return tuple(int(c[i:i + 2], 16) / 255 for i in (1, 3, 5))


def png(im):
    b = io.BytesIO()
    im.save(b, 'PNG')
    return b.getvalue()


def data_uri(im):
    import base64
    return 'data:image/png;base64,' + base64.b64encode(png(im)).decode()


def draw_reportlab(o):
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen import canvas
    b = io.BytesIO()
    W, H = o.size
    c = canvas.Canvas(b, pagesize=o.size, invariant=1)
    for s in o.steps:
        if s[0] == 't':
            _, x, y, txt, size, f, col, al = s
            f = 'DM' if f == 'O' else f  # this library cannot embed the OCR-B of Debian
            name = BASE14.get(f)
            if not name or any(ord(ch) > 255 and ch not in '€’–—…Œœ' for ch in txt):
                name = 'X' + f
                if name not in pdfmetrics.getRegisteredFontNames():
                    pdfmetrics.registerFont(TTFont(name, font_file(f)))
            c.setFont(name, size)
            c.setFillColorRGB(*rgb(col))
            {'l': c.drawString, 'r': c.drawRightString, 'c': c.drawCentredString}[al](x, H - y, txt)
        elif s[0] == 'r':
            _, x, y, w, h, fl, ln, lw = s
            if fl:
                c.setFillColorRGB(*rgb(fl))
            if ln:
                c.setStrokeColorRGB(*rgb(ln))
            c.setLineWidth(lw)
            c.rect(x, H - y - h, w, h, stroke=int(bool(ln)), fill=int(bool(fl)))
        elif s[0] == 'l':
            c.setStrokeColorRGB(*rgb(s[5]))
            c.setLineWidth(s[6])
            c.line(s[1], H - s[2], s[3], H - s[4])
        elif s[0] == 'i':
            c.drawImage(ImageReader(s[5]), s[1], H - s[2] - s[4], s[3], s[4], mask='auto')
        else:
            c.showPage()
    c.showPage()
    c.save()
    return b.getvalue()


def draw_fpdf(o):
    from fpdf import FPDF
    f = FPDF(unit='pt', format=o.size)
    f.set_auto_page_break(False)
    f.set_margin(0)
    f.c_margin = 0
    f.add_page()
    core = {'Helvetica': ('helvetica', ''), 'Helvetica-Bold': ('helvetica', 'B'), 'Times-Roman': ('times', ''), 'Times-Bold': ('times', 'B'),
            'Courier': ('courier', ''), 'Courier-Bold': ('courier', 'B')}
    for s in o.steps:
        if s[0] == 't':
            _, x, y, txt, size, k, col, al = s
            k = 'DM' if k == 'O' else k
            if k in BASE14 and all(ord(ch) < 256 for ch in txt):
                f.set_font(*core[BASE14[k]], size)
            else:
                if ('x' + k).lower() not in f.fonts:
                    f.add_font('x' + k, '', font_file(k))
                f.set_font('x' + k, '', size)
            f.set_text_color(*(int(v * 255) for v in rgb(col)))
            w = f.get_string_width(txt)
            f.text(x - {'l': 0, 'r': w, 'c': w / 2}[al], y, txt)
        elif s[0] == 'r':
            _, x, y, w, h, fl, ln, lw = s
            f.set_line_width(lw)
            if fl:
                f.set_fill_color(*(int(v * 255) for v in rgb(fl)))
            if ln:
                f.set_draw_color(*(int(v * 255) for v in rgb(ln)))
            f.rect(x, y, w, h, ('D' if ln else '') + ('F' if fl else ''))
        elif s[0] == 'l':
            f.set_line_width(s[6])
            f.set_draw_color(*(int(v * 255) for v in rgb(s[5])))
            f.line(*s[1:5])
        elif s[0] == 'i':
            f.image(s[5], s[1], s[2], s[3], s[4])
        else:
            f.add_page()
    return bytes(f.output())


def draw_mupdf(o):
    d = pymupdf.open()
    p = d.new_page(width=o.size[0], height=o.size[1])
    cache = {}
    for s in o.steps:
        if s[0] == 't':
            _, x, y, txt, size, k, col, al = s
            if k not in cache:
                cache[k] = pymupdf.Font(fontfile=font_file(k))
            w = cache[k].text_length(txt, size)
            p.insert_text((x - {'l': 0, 'r': w, 'c': w / 2}[al], y), txt, fontsize=size, fontname='F' + k, fontfile=font_file(k), color=rgb(col))
        elif s[0] == 'r':
            _, x, y, w, h, fl, ln, lw = s
            p.draw_rect(pymupdf.Rect(x, y, x + w, y + h), color=rgb(ln) if ln else None, fill=rgb(fl) if fl else None, width=lw if ln else 0)
        elif s[0] == 'l':
            p.draw_line(s[1:3], s[3:5], color=rgb(s[5]), width=s[6])
        elif s[0] == 'i':
            p.insert_image(pymupdf.Rect(s[1], s[2], s[1] + s[3], s[2] + s[4]), stream=png(s[5]))
        else:
            p = d.new_page(width=o.size[0], height=o.size[1])
    d.subset_fonts()
    return d.tobytes(garbage=3, deflate=True, no_new_id=True)


def run(cmd, cwd, env=None):
    e = dict(os.environ, OMP_THREAD_LIMIT='1', **(env or {}))
    subprocess.run(cmd, cwd=cwd, env=e, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=3000)


_OFFICE = []


def office():
    """One LibreOffice stays open for the whole run and later calls hand it their work: starting it takes half a minute."""
    arg = f'-env:UserInstallation=file://{tempfile.gettempdir()}/hazel-lo-{os.getpid()}'
    if not _OFFICE:
        pipe = f'--accept=pipe,name=hazel{os.getpid()};urp;'
        p = subprocess.Popen(['soffice', arg, '--headless', '--invisible', '--norestore', pipe], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
        _OFFICE.append(p)
        atexit.register(lambda: os.killpg(p.pid, signal.SIGTERM))
        for _ in range(300):  # ready when its pipe is there
            if list(Path(tempfile.gettempdir()).glob(f'OSL_PIPE_*hazel{os.getpid()}')):
                break
            time.sleep(1)
    return arg


def make_docx(items, path):
    """items: ('h', text), ('p', text), ('b', text), ('right', text), ('tab', rows, style)."""
    import docx
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt
    d = docx.Document()
    d.core_properties.author, d.core_properties.comments = '', ''
    for s in d.sections:
        s.left_margin = s.right_margin = Pt(62)
        s.top_margin = s.bottom_margin = Pt(52)
    d.styles['Normal'].font.name, d.styles['Normal'].font.size = 'Carlito', Pt(10.5)
    d.styles['Normal'].paragraph_format.space_after = Pt(5)
    for it in items:
        if it[0] == 'h':
            h = d.add_heading(it[1], 1)
            h.alignment = WD_ALIGN_PARAGRAPH.CENTER if len(it) > 2 else WD_ALIGN_PARAGRAPH.LEFT
        elif it[0] == 'tab':
            t = d.add_table(rows=0, cols=len(it[1][0]))
            t.style = it[2] if len(it) > 2 else 'Table Grid'
            for row in it[1]:
                for c, v in zip(t.add_row().cells, row):
                    c.text = str(v)
            d.add_paragraph('')
        else:
            p = d.add_paragraph()
            p.add_run(it[1]).bold = it[0] == 'b'
            if it[0] == 'right':
                p.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    d.save(path)


def render(engine, src, when):
    """PDF bytes; `when` is the time at which the document says it was made."""
    stamp = f'{when:%Y%m%d%H%M%S}'
    epoch = {'SOURCE_DATE_EPOCH': str(int(when.timestamp()))}
    with tempfile.TemporaryDirectory() as tmp:
        t = Path(tmp)
        if engine == 'reportlab':
            out = draw_reportlab(src)
        elif engine == 'fpdf':
            out = draw_fpdf(src)
        elif engine == 'mupdf':
            out = draw_mupdf(src)
        elif engine == 'weasy':
            import weasyprint
            out = weasyprint.HTML(string=src).write_pdf(uncompressed_pdf=False)
        elif engine == 'chromium':
            (t / 'a.html').write_text(src, encoding='utf-8')
            run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer',
                f'--user-data-dir={tempfile.gettempdir()}/hazel-chromium-{os.getpid()}',
                 f'--print-to-pdf={tmp}/a.pdf', f'file://{tmp}/a.html'], tmp)
            out = (t / 'a.pdf').read_bytes()
        elif engine in ('lohtml', 'docx'):
            src_name = 'a.html' if engine == 'lohtml' else 'a.docx'
            (t / src_name).write_text(src, encoding='utf-8') if engine == 'lohtml' else make_docx(src, t / src_name)
            filt = ['--infilter=HTML (StarWriter)', '--convert-to', 'pdf:writer_web_pdf_Export'] if engine == 'lohtml' else ['--convert-to', 'pdf']
            run(['soffice', office(), '--headless', *filt, '--outdir', tmp, src_name], tmp)
            out = (t / 'a.pdf').read_bytes()
        elif engine == 'typst':
            import typst
            (t / 'a.typ').write_text(src, encoding='utf-8')
            out = typst.compile(str(t / 'a.typ'), timestamp=int(when.timestamp()))
        elif engine == 'latex':
            (t / 'a.tex').write_text(src, encoding='utf-8')
            run(['pdflatex', '-interaction=nonstopmode', 'a.tex'], tmp, epoch)
            out = (t / 'a.pdf').read_bytes()
        else:
            raise ValueError(engine)
    # The clock of this machine must not show: dates of equal length are put in place of its own.
    out = re.sub(rb'D:20\d{12}', b'D:' + stamp.encode(), out)
    iso = f'{when:%Y-%m-%dT%H:%M:%S}'.encode()
    return re.sub(rb'(<xmp:(?:Create|Modify|Metadata)Date>)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d', lambda m: m[1] + iso, out)


def set_info(data, info, drop_xmp=True, when=None):
    """Metadata as another office's software writes them; info None removes all."""
    with pikepdf.open(io.BytesIO(data)) as p:
        if drop_xmp and '/Metadata' in p.Root:
            del p.Root.Metadata
        if info is None:
            if '/Info' in p.trailer:
                del p.trailer.Info
        else:
            if '/Info' in p.trailer:
                del p.trailer.Info
            for k, v in info.items():
                p.docinfo['/' + k] = v
            if when and 'CreationDate' not in info:
                p.docinfo['/CreationDate'] = f'D:{when:%Y%m%d%H%M%S}' + "+01'00'"
        b = io.BytesIO()
        p.save(b, deterministic_id=True)
        return b.getvalue()


def subst(src, old, new, engine, count=0):
    """Change a value in the source, whatever its kind; count 0 is everywhere."""
    if isinstance(src, str):
        e = ESC[engine]
        return src.replace(e(old), e(new), count or -1)
    if isinstance(src, Ops):
        o, left = Ops(*src.size), [count or 10 ** 6]
        for s in src.steps:
            s = list(s)
            if s[0] == 't' and old in s[3] and left[0]:
                s[3] = s[3].replace(old, new)
                left[0] -= 1
            o.steps.append(s)
        return o
    if isinstance(src, (list, tuple)):
        return [subst(x, old, new, engine) if not isinstance(x, str) else x.replace(old, new) for x in src]
    return src


# --- pictures that stand on documents ---

def portrait(seed, grey=False):
    """A drawn head and shoulders of no real person."""
    g = np.random.default_rng(seed)
    im = Image.new('RGB', (140, 180), tuple(int(v) for v in g.integers(205, 236, 3)))
    d = ImageDraw.Draw(im)
    skin = [(236, 200, 175), (214, 168, 136), (168, 118, 86), (110, 74, 54), (245, 214, 190)][g.integers(5)]
    hair = [(40, 30, 26), (92, 62, 36), (160, 120, 70), (120, 118, 116), (20, 18, 20)][g.integers(5)]
    long = g.random() < .5
    d.ellipse((32, 20, 108, 120 if long else 84), fill=hair)
    d.ellipse((10, 128, 130, 230), fill=tuple(int(v) for v in g.integers(30, 140, 3)))
    d.rectangle((58, 105, 82, 140), fill=skin)
    d.ellipse((40, 34, 100, 122), fill=skin)
    for x in (58, 82):
        d.ellipse((x - 5, 70, x + 5, 76), fill=(250, 250, 250))
        d.ellipse((x - 2, 70, x + 3, 76), fill=(50, 40, 30))
        d.line((x - 8, 64, x + 8, 63), fill=hair, width=2)
    d.line((70, 76, 67, 92), fill=tuple(int(v * .8) for v in skin), width=2)
    d.arc((58, 92, 84, 108), 20, 160, fill=(150, 70, 70), width=2)
    im = im.filter(ImageFilter.GaussianBlur(1.2))
    return im.convert('L').convert('RGB') if grey else im


def logo(seed, text=''):
    """A firm's sign on a white ground."""
    g = np.random.default_rng(seed)
    im = Image.new('RGB', (160, 160), 'white')
    d = ImageDraw.Draw(im)
    a, b = (tuple(int(v) for v in g.integers(10, 200, 3)) for _ in range(2))
    k = g.integers(4)
    if k == 0:
        d.ellipse((15, 15, 145, 145), fill=a)
        d.pieslice((35, 35, 145, 145), 20, 200, fill=b)
    elif k == 1:
        d.polygon([(80, 10), (150, 140), (10, 140)], fill=a)
        d.polygon([(80, 60), (115, 140), (45, 140)], fill=b)
    elif k == 2:
        for i in range(4):
            d.rectangle((20 + 32 * i, 120 - 28 * i, 44 + 32 * i, 140), fill=a if i % 2 else b)
    else:
        d.rounded_rectangle((15, 15, 145, 145), 30, fill=a)
        d.line((40, 110, 80, 45, 120, 110), fill='white', width=14)
    return im


def stamp(lines, col=(40, 50, 150)):
    """A rubber stamp, slightly turned, with gaps in the ink."""
    from PIL import ImageFont
    im = Image.new('RGBA', (420, 200), (255, 255, 255, 0))
    d = ImageDraw.Draw(im)
    d.rounded_rectangle((10, 10, 410, 190), 24, outline=col + (190,), width=6)
    f = ImageFont.truetype(font_file('HB'), 34)
    for i, s in enumerate(lines):
        d.text((210, 55 + i * 46), s, font=f, fill=col + (190,), anchor='mm')
    im = im.rotate(7, expand=True, resample=Image.BICUBIC)
    a = np.array(im)
    noise = np.random.default_rng(len(lines[0])).random(a.shape[:2])
    a[..., 3] = (a[..., 3] * (noise > .18)).astype('uint8')
    return Image.fromarray(a)


def signature(seed):
    g = np.random.default_rng(seed)
    im = Image.new('RGBA', (300, 110), (255, 255, 255, 0))
    d = ImageDraw.Draw(im)
    n = 60
    x = np.linspace(15, 280, n)
    y = 55 + np.cumsum(g.normal(0, 9, n)) * .6 * np.sin(np.linspace(0, 9, n))
    d.line([(float(a), float(np.clip(b, 8, 100))) for a, b in zip(x, y)], fill=(25, 35, 110, 230), width=4, joint='curve')
    return im
