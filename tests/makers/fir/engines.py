"""The programs that print: each turns a source into PDF bytes; afterwards the dates of the file are those of the document."""
import asyncio
import atexit
import base64
import datetime as dt
import hashlib
import html as html_mod
import io
import os
import random
import re
import shutil
import subprocess
import tempfile
import time
from functools import lru_cache
from pathlib import Path

import pikepdf
from PIL import Image, ImageDraw, ImageFilter

CACHE = Path(tempfile.gettempdir()) / 'fir-render-cache'
ENV = dict(os.environ, OMP_THREAD_LIMIT='1', SOURCE_DATE_EPOCH='1760000000', TZ='UTC')
esc = html_mod.escape


def run(cmd, **kw):
    return subprocess.run([str(c) for c in cmd], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV, timeout=180, **kw)


def weasy(src):
    import weasyprint
    return weasyprint.HTML(string=src).write_pdf()


class Browser:
    """One browser for the whole run, spoken to over its debugging port: starting one for each page costs far more."""
    def __init__(self):
        import aiohttp
        self.dir = tempfile.mkdtemp(prefix='fir-chrome-')
        self.proc = subprocess.Popen(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', f'--user-data-dir={self.dir}',
            'about:blank'],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV)
        atexit.register(self.stop)
        port = Path(self.dir, 'DevToolsActivePort')
        for _ in range(600):
            if port.exists() and len(port.read_text().split()) == 2:
                break
            time.sleep(.1)
        self.port = port.read_text().split()[0]
        self.loop, self.http, self.n = asyncio.new_event_loop(), aiohttp, 0

    def stop(self):
        self.proc.terminate()
        self.proc.wait(20)
        shutil.rmtree(self.dir, ignore_errors=True)

    async def page(self, url):
        async with self.http.ClientSession() as s:
            async with s.put(f'http://127.0.0.1:{self.port}/json/new?about:blank') as r:
                tab = await r.json(content_type=None)
            async with s.ws_connect(tab['webSocketDebuggerUrl'], max_msg_size=0) as ws:
                async def ask(method, until=None, **kw):
                    self.n += 1
                    n, answer, seen = self.n, None, until is None
                    await ws.send_json({'id': n, 'method': method, 'params': kw})
                    while answer is None or not seen:
                        m = await ws.receive_json(timeout=170)
                        answer = m if m.get('id') == n else answer
                        seen = seen or m.get('method') == until
                    return answer.get('result', {})
                await ask('Page.enable')
                await ask('Page.navigate', 'Page.loadEventFired', url=url)
                out = await ask('Page.printToPDF', printBackground=True, preferCSSPageSize=True)
            async with s.get(f'http://127.0.0.1:{self.port}/json/close/{tab["id"]}'):
                return base64.b64decode(out['data'])


@lru_cache
def browser():
    return Browser()


def chrome(src):
    with tempfile.TemporaryDirectory() as t:
        Path(t, 'a.html').write_text(src, 'utf-8')
        b = browser()
        return b.loop.run_until_complete(b.page(f'file://{t}/a.html'))


def latex(src):
    with tempfile.TemporaryDirectory() as t:
        Path(t, 'a.tex').write_text(src, 'utf-8')
        for _ in 1, 2:
            subprocess.run(['pdflatex', '-interaction=nonstopmode', 'a.tex'], cwd=t, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return Path(t, 'a.pdf').read_bytes()


def typst_(src):
    import typst
    with tempfile.TemporaryDirectory() as t:
        Path(t, 'a.typ').write_text(src, 'utf-8')
        return typst.compile(str(Path(t, 'a.typ')))


def office_many(blobs):
    """Many documents in one start of the word processor."""
    with tempfile.TemporaryDirectory() as t:
        for i, b in enumerate(blobs):
            Path(t, f'a{i}.docx').write_bytes(b)
        subprocess.run(['soffice', f'-env:UserInstallation=file://{tempfile.gettempdir()}/fir-lo', '--headless', '--convert-to', 'pdf', '--outdir', t,
            *(f'{t}/a{i}.docx' for i in range(len(blobs)))],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV, check=True)
        return [Path(t, f'a{i}.pdf').read_bytes() for i in range(len(blobs))]


def office_key(doc):
    parts = [doc.element.xml] + [s.footer._element.xml + s.header._element.xml for s in doc.sections] + [doc.styles['Normal'].element.xml]
    return CACHE / hashlib.sha256(('office' + ''.join(parts)).encode()).hexdigest()


def prepare(docs):
    """Word documents that will be wanted are set together beforehand."""
    CACHE.mkdir(exist_ok=True)
    todo = {}
    for d in docs:
        if not office_key(d).exists():
            b = io.BytesIO()
            d.save(b)
            todo[office_key(d)] = b.getvalue()
    keys = list(todo)
    for i in range(0, len(keys), 30):
        for k, pdf in zip(keys[i:i + 30], office_many([todo[k] for k in keys[i:i + 30]])):
            k.write_bytes(pdf)


def listing(lines):
    """A print-out of an old mainframe: fixed pitch, no frames."""
    from reportlab.pdfgen import canvas
    out = io.BytesIO()
    c = canvas.Canvas(out, pagesize=(595, 842), invariant=1)
    size, top, lead = lines[0]
    c.setFont('Courier', size)
    y = top
    for ln in lines[1:]:
        bold = ln.startswith('!')
        c.setFont('Courier-Bold' if bold else 'Courier', size)
        c.drawString(42, y, ln[1:] if bold else ln)
        y -= lead
        if y < 40:
            c.showPage()
            y = top
    c.save()
    return out.getvalue()


ENGINES = {'weasy': weasy, 'chrome': chrome, 'latex': latex, 'typst': typst_}


def render(engine, src):
    """Engines that read text are cached by their source: a second run, or the base of a forgery, costs nothing."""
    if engine == 'listing':
        return listing(src)
    if engine == 'raw':
        return src
    CACHE.mkdir(exist_ok=True)
    if engine == 'office':
        prepare([src])
        return office_key(src).read_bytes()
    f = CACHE / hashlib.sha256((engine + src).encode()).hexdigest()
    if not f.exists():
        f.write_bytes(ENGINES[engine](src))
    return f.read_bytes()


NAMES = {'weasy': 'WeasyPrint', 'chrome': 'Skia/PDF (Chromium)', 'latex': 'pdfTeX', 'typst': 'Typst', 'office': 'LibreOffice',
         'listing': 'ReportLab', 'raw': 'fpdf2'}
# what suppliers' printing lines write into a file; only for engines whose own traces do not contradict it
CLAIMS = [('', 'iText 2.1.7 by 1T3XT'), ('JasperReports Library version 6.4.0', 'iText 2.1.7 by 1T3XT'), ('', 'Apache FOP Version 2.3'), ('', 'mPDF 8.1.3'),
          ('', 'TCPDF 6.3.2 (http://www.tcpdf.org)'), ('Crystal Reports', 'Powered By Crystal'), ('StreamServe Communication Server', 'StreamServe'),
          ('OpenText Exstream', 'OpenText Exstream Version 16.6.0 64-bit'), ('Compart', 'Compart Docbridge'), ('', 'dompdf 1.2.0 + CPDF'),
          ('Quadient CXM AG~Inspire~14.3.49.7', ''), ('', 'wkhtmltopdf 0.12.5'), ('', 'Oracle BI Publisher 11.1.1.9.0'), ('', 'PDFlib+PDI 7.0.2 (Win32)'),
          ('', 'GPL Ghostscript 8.71'), ('HP Exstream Version 8.0.316', '')]


def when_str(d, r):
    return f'{d:%Y%m%d}{r.randint(6, 19):02d}{r.randint(0, 59):02d}{r.randint(0, 59):02d}'


def finish(data, engine, day, seed, claim=None, bare=False):
    """The dates in the file are patched in place, so the structure stays that of the program that wrote it."""
    r = random.Random(f'when {seed}')
    stamp = when_str(day, r)
    if claim or bare:
        with pikepdf.open(io.BytesIO(data)) as p:
            for k in list(p.docinfo.keys()):
                del p.docinfo[k]
            if '/Metadata' in p.Root:
                del p.Root.Metadata
            if claim:
                for k, v in zip(('/Creator', '/Producer'), claim):
                    if v:
                        p.docinfo[k] = v
                p.docinfo['/CreationDate'] = pikepdf.String("D:" + stamp + "+01'00'")
            elif '/Info' in p.trailer:
                del p.trailer['/Info']
            out = io.BytesIO()
            p.save(out, deterministic_id=True, linearize=r.random() < .1,
                   object_stream_mode=pikepdf.ObjectStreamMode.disable if r.random() < .7 else pikepdf.ObjectStreamMode.generate)
            return out.getvalue()
    data = re.sub(rb'D:\d{14}', b'D:' + stamp.encode(), data)
    iso = f'{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[8:10]}:{stamp[10:12]}:{stamp[12:]}'.encode()
    data = re.sub(rb'(<xmp:\w+Date>)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d', rb'\g<1>' + iso, data)
    # the identifier is random in some programs: the same seed must give the same file
    fixed = hashlib.md5(str(seed).encode()).hexdigest().upper().encode()
    data = re.sub(rb'(/ID\s*\[\s*<)[0-9A-Fa-f]{32}(>\s*<)[0-9A-Fa-f]{32}(>)', rb'\g<1>' + fixed + rb'\g<2>' + fixed + rb'\g<3>', data)
    return data


# --- pictures that documents carry
def uri(im, fmt='PNG', **kw):
    b = io.BytesIO()
    im.save(b, fmt, **kw)
    return f'data:image/{fmt.lower()};base64,' + base64.b64encode(b.getvalue()).decode()


def face(seed, sex='F', grey=False, size=(180, 230)):
    """A drawn and blurred head: enough for a photo of no real person."""
    r = random.Random(f'face {seed}')
    w, h = size
    im = Image.new('RGB', size, (r.randint(195, 230),) * 3)
    d = ImageDraw.Draw(im)
    skin = r.choice([(232, 200, 178), (214, 170, 140), (160, 112, 82), (110, 74, 54), (240, 212, 195)])
    hair = r.choice([(50, 36, 28), (95, 66, 42), (28, 26, 26), (150, 120, 80), (130, 130, 130)])
    top = r.choice([(40, 50, 80), (90, 30, 40), (60, 60, 60), (30, 70, 60), (190, 190, 195)])
    d.ellipse((w * .08, h * .74, w * .92, h * 1.3), fill=top)
    d.rectangle((w * .4, h * .6, w * .6, h * .8), fill=tuple(int(c * .9) for c in skin))
    if sex == 'F':
        d.ellipse((w * .2, h * .1, w * .8, h * .85), fill=hair)
    d.ellipse((w * .27, h * .16, w * .73, h * .7), fill=skin)
    d.chord((w * .24, h * .1, w * .76, h * .52), 180 + r.randint(-8, 4), 360 + r.randint(-4, 8), fill=hair)
    for x in .4, .6:
        d.ellipse((w * x - 9, h * .4, w * x + 9, h * .4 + 9), fill=(245, 245, 245))
        d.ellipse((w * x - 4, h * .4, w * x + 4, h * .4 + 9), fill=(50, 40, 35))
        d.line((w * x - 12, h * .375, w * x + 12, h * .37), fill=hair, width=3)
    d.line((w * .5, h * .42, w * .48, h * .52, w * .52, h * .53), fill=tuple(int(c * .8) for c in skin), width=3)
    d.line((w * .43, h * .6, w * .57, h * .6), fill=(150, 80, 75), width=4)
    im = im.filter(ImageFilter.GaussianBlur(2.2))
    return uri(im.convert('L') if grey else im, 'JPEG', quality=80)


def scrawl(seed, colour='#1b2a6b', w=220, h=80):
    """A signature as an inline drawing."""
    r = random.Random(f'sig {seed}')
    x, y, path = 10, h * .6, f'M10 {h * .6:.0f}'
    while x < w - 25:
        nx = x + r.randint(6, 26)
        path += f' C{x + r.randint(-6, 14)} {y - r.randint(5, 45):.0f} {nx - r.randint(0, 10)} ' \
                f'{y + r.randint(0, 30):.0f} {nx} {h * .6 + r.randint(-14, 12):.0f}'
        x = nx
    path += f' q-60 {r.randint(8, 16)} -{r.randint(90, 150)} {r.randint(0, 8)}'
    return f'<svg width="{w}" height="{h}" viewBox="0 0 {w} {h}"><path d="{path}" fill="none" stroke="{colour}" stroke-width="{r.uniform(1.2, 2.2):.1f}"/>' \
        f'</svg>'


def stamp(lines, colour='#28348a', angle=-8, rnd=False, w=190, h=90):
    """A rubber stamp, a little askew."""
    n = len(lines)
    t = ''.join(f'<text x="{w / 2}" y="{h / 2 + (i - (n - 1) / 2) * 15 + 4}" text-anchor="middle" font-size="{12 if i == 0 else 9.5}" '
                f'font-family="Liberation Sans" font-weight="{"bold" if i == 0 else "normal"}" fill="{colour}">{esc(s)}</text>' for i, s in enumerate(lines))
    box = f'<circle cx="{w / 2}" cy="{h / 2}" r="{h / 2 - 3}" fill="none" stroke="{colour}" stroke-width="2"/>' if rnd else \
        f'<rect x="3" y="3" width="{w - 6}" height="{h - 6}" rx="4" fill="none" stroke="{colour}" stroke-width="2"/>'
    return f'<svg width="{w}" height="{h}" viewBox="0 0 {w} {h}" style="transform:rotate({angle}deg);opacity:.8">{box}{t}</svg>'


def logo(seed, text, w=150, h=48):
    """A cheap logo; some lie on a white box, as when cut out of a letterhead."""
    r = random.Random(f'logo {seed}')
    c1, c2 = (f'hsl({r.randint(0, 359)},{r.randint(35, 85)}%,{r.randint(25, 48)}%)' for _ in 'ab')
    shape = r.choice([f'<circle cx="24" cy="24" r="20" fill="{c1}"/><circle cx="32" cy="24" r="13" fill="{c2}" opacity=".7"/>',
                      f'<polygon points="4,44 24,4 44,44" fill="{c1}"/><polygon points="18,44 32,18 46,44" fill="{c2}" opacity=".8"/>',
                      f'<rect x="4" y="4" width="40" height="40" rx="9" fill="{c1}"/><path d="M10 34 Q24 4 38 34" stroke="#fff" stroke-width="5" fill="none"/>',
                      f'<path d="M4 40 C14 4 34 4 44 40 Z" fill="{c1}"/><rect x="20" y="24" width="8" height="16" fill="#fff"/>',
                      f'<path d="M24 3 L44 15 V33 L24 45 L4 33 V15 Z" fill="none" stroke="{c1}" stroke-width="4"/>'])
    white = '<rect width="100%" height="100%" fill="#fff"/>' if r.random() < .4 else ''
    f = r.choice(['Lato', 'Roboto Condensed', 'Open Sans', 'URW Gothic', 'DejaVu Serif', 'URW Bookman'])
    words = text.split(' ')
    rows = [text] if len(text) < 13 else [' '.join(words[:(len(words) + 1) // 2]), ' '.join(words[(len(words) + 1) // 2:])]
    w = max(w, 64 + int(max(map(len, rows)) * 9.5))
    t = ''.join(f'<text x="54" y="{(31 if len(rows) == 1 else 22) + i * 19}" font-size="15" font-weight="bold" font-family="{f}" fill="{c1}">{esc(s)}</text>'
                for i, s in enumerate(rows))
    return f'<svg width="{w}" height="{h}" viewBox="0 0 {w} {h}">{white}{shape}{t}</svg>'
