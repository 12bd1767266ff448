"""What happens to a document after it was made: scanning and photographing, honest handling, forging."""
import datetime as dt
import io
import random
import re
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

import cv2
import img2pdf
import numpy as np
import pikepdf
import pymupdf as fitz
from PIL import Image, ImageDraw, ImageFont

from engines import ENV, run, when_str
from world import NAMES, PLACES, fdate, iban_of, money, plain, squash

STYLES = ['/', '.', ' ', '-', 'iso', 'us', 'us_long', 'long', 'mon', 'MON', 'pass', '/2', '.2']


def tool(data, cmd):
    """Runs a command on a file: {i} is the input, {o} the output."""
    with tempfile.TemporaryDirectory() as t:
        Path(t, 'i.pdf').write_bytes(data)
        p = subprocess.run([c.replace('{i}', f'{t}/i.pdf').replace('{o}', f'{t}/o.pdf') for c in cmd], env=ENV, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        assert Path(t, 'o.pdf').exists(), (cmd, p.returncode)
        return Path(t, 'o.pdf').read_bytes()


def text_of(data, layout=False):
    p = subprocess.run(['pdftotext', *(['-layout'] if layout else []), '-', '-'], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert p.returncode == 0
    return p.stdout.decode('utf-8', 'replace')


def raster(data, dpi, page=1):
    p = subprocess.run(['pdftoppm', '-r', str(dpi), '-f', str(page), '-l', str(page), '-png', '-'], input=data, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, check=True)
    return cv2.imdecode(np.frombuffer(p.stdout, np.uint8), cv2.IMREAD_COLOR)


# ------------------------------------------------------------------ scanning and photographing
def light(im, r, depth):
    """Uneven light: a slope, and now and then the shadow of a hand or a shelf."""
    h, w = im.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    a = r.uniform(0, 6.28)
    g = 1 - depth * (np.cos(a) * (x / w - .5) + np.sin(a) * (y / h - .5) + .35)
    if r.random() < .5:
        m = np.zeros((h // 8 + 1, w // 8 + 1), np.float32)
        cx, cy = r.randint(0, w // 8), r.choice([0, h // 8])
        cv2.ellipse(m, (cx, cy), (r.randint(w // 40, w // 14), r.randint(h // 24, h // 9)), r.randint(0, 180), 0, 360, 1, -1)
        m = cv2.resize(cv2.GaussianBlur(m, (0, 0), 6), (w, h))
        g *= 1 - depth * .8 * m
    return np.clip(im.astype(np.float32) * g[..., None], 0, 255)


def grain(im, r, sigma):
    n = np.random.default_rng(r.randint(0, 1 << 30)).normal(0, sigma, im.shape[:2]).astype(np.float32)
    return np.clip(im.astype(np.float32) + n[..., None], 0, 255)


def wear(im, r):
    """Folds of a letter, holes of a binder, a pen mark next to the text."""
    h, w = im.shape[:2]
    im = im.astype(np.float32)
    if r.random() < .35:
        for f in r.choice([(1 / 3, 2 / 3), (.5,)]):
            y = int(h * f + r.randint(-8, 8))
            im[y - 3:y] *= .93
            im[y:y + 2] = np.minimum(im[y:y + 2] * 1.05, 255)
    if r.random() < .15:
        for f in .42, .58:
            cv2.circle(im, (int(w * .022), int(h * f)), max(6, w // 110), (70, 70, 75), -1, cv2.LINE_AA)
    if r.random() < .15:
        x, y = int(w * r.uniform(.02, .05)), int(h * r.uniform(.3, .8))
        cv2.polylines(im, [np.array([[x, y], [x + w // 90, y + h // 110], [x + w // 28, y - h // 50]])], False, (150, 60, 30), max(2, w // 500), cv2.LINE_AA)
    return im


def flatbed(data, r):
    dpi = r.choice([110, 130, 150, 150, 170, 200, 200, 220])
    im = wear(raster(data, dpi), r)
    h, w = im.shape[:2]
    m = cv2.getRotationMatrix2D((w / 2, h / 2), r.uniform(-1.4, 1.4), 1)
    m[:, 2] += r.uniform(-6, 6), r.uniform(-6, 6)
    edge = r.choice([255, 252, 235, 60])
    im = cv2.warpAffine(im, m, (w, h), flags=cv2.INTER_CUBIC, borderValue=(edge,) * 3)
    im = np.clip(im, 0, 255)
    im = cv2.GaussianBlur(im, (0, 0), r.uniform(.35, .8))
    mode = r.choice(['colour', 'colour', 'colour', 'grey', 'copy'])
    if mode != 'colour':
        im = np.repeat(cv2.cvtColor(im.astype(np.uint8), cv2.COLOR_BGR2GRAY)[..., None], 3, 2).astype(np.float32)
    if mode == 'copy':      # a photocopy of a photocopy: hard contrast and dirt
        im = np.clip((im - 128) * r.uniform(1.5, 2.1) + 150, 0, 255)
        for _ in range(r.randint(10, 60)):
            cv2.circle(im, (r.randint(0, w), r.randint(0, h)), 1, (40,) * 3, -1)
    im = light(im * np.array([r.uniform(.96, 1), r.uniform(.98, 1), 1]), r, r.uniform(0, .06))
    return grain(im, r, r.uniform(1, 5)).astype(np.uint8), 'flatbed ' + mode, dpi


def desk(h, w, r):
    g = np.random.default_rng(r.randint(0, 1 << 30))
    base = np.array(r.choice([(60, 90, 140), (40, 60, 95), (150, 160, 170), (70, 70, 75), (170, 190, 205), (110, 130, 120)]), np.float32)
    n = cv2.resize(g.normal(0, 1, (h // 3 + 1, 24)).astype(np.float32), (w, h)) * r.choice([4, 14]) if r.random() < .6 else cv2.resize(g.normal(0, 9, (h // 6,
        w // 6)).astype(np.float32), (w, h))
    return np.clip(base + n[..., None], 0, 255)


def phone(data, r):
    dpi = r.choice([120, 140, 150, 170, 190, 210])
    im = wear(raster(data, dpi), r)
    h, w = im.shape[:2]
    mx, my = int(w * r.uniform(.02, .12)), int(h * r.uniform(.02, .09))
    H, W_ = h + 2 * my, w + 2 * mx
    j = lambda: (r.uniform(-.022, .022) * w, r.uniform(-.022, .022) * h)
    dst = np.float32([[mx + j()[0], my + j()[1]], [mx + w + j()[0], my + j()[1]], [mx + w + j()[0], my + h + j()[1]], [mx + j()[0], my + h + j()[1]]])
    P = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), dst)
    rot = np.vstack([cv2.getRotationMatrix2D((W_ / 2, H / 2), r.uniform(-3, 3), 1), [0, 0, 1]])
    bg = desk(H, W_, r)
    mask = cv2.warpPerspective(np.ones((h, w), np.float32), rot @ P, (W_, H))
    soft = cv2.GaussianBlur(np.roll(mask, (9, 7), (0, 1)), (0, 0), 9)
    page_ = cv2.warpPerspective(im, rot @ P, (W_, H), flags=cv2.INTER_CUBIC)
    out = bg * (1 - .45 * soft[..., None]) * (1 - mask[..., None]) + page_ * mask[..., None]
    out *= np.array([r.uniform(.82, 1), r.uniform(.92, 1), r.uniform(.95, 1)])
    out = light(np.clip(out, 0, 255), r, r.uniform(.1, .38))
    out = cv2.GaussianBlur(out, (0, 0), r.uniform(.5, 1.15))
    return grain(out, r, r.uniform(2, 8)).astype(np.uint8), 'phone', dpi


def jpeg(im, q, dpi):
    b = io.BytesIO()
    Image.fromarray(im[..., ::-1]).save(b, 'JPEG', quality=q, dpi=(dpi, dpi))
    return b.getvalue()


def shoot(data, r, medium):
    im, how, dpi = (phone if r.random() < (.55 if medium == 'scan_jpeg' else .2) else flatbed)(data, r)
    if medium == 'scan_png':
        b = io.BytesIO()
        i = Image.fromarray(im[..., ::-1])
        (i.convert('L') if how != 'phone' and 'colour' not in how else i).save(b, 'PNG', dpi=(dpi, dpi))
        return b.getvalue(), how
    j = jpeg(im, r.randint(50, 90), dpi)
    if medium == 'scan_jpeg':
        return j, how
    made = dt.datetime(2026, r.randint(1, 10), r.randint(1, 28), r.randint(7, 20), r.randint(0, 59), 1)
    who = r.choice([('HP Scan', 'HP Scan Extended'), ('Canon iR-ADV C5535', 'Adobe PSL 1.3e for Canon'), ('CamScanner', 'intsig.com pdf producer'), ('',
        'KONICA MINOLTA bizhub C368'), ('Notes', 'iOS Quartz PDFContext'), ('', '')])
    return img2pdf.convert(j, creator=who[0] or None, producer=who[1] or None, creationdate=made, moddate=made, nodate=not who[1]), how


# ------------------------------------------------------------------ honest handling
@lru_cache
def signer():
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization as ser
    from cryptography.hazmat.primitives.asymmetric import rsa
    from pyhanko.sign import signers
    from pyhanko.keys import load_cert_from_pemder, load_private_key_from_pemder
    key = rsa.generate_private_key(65537, 2048)
    n = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, 'Service clients - cachet')])
    c = x509.CertificateBuilder().subject_name(n).issuer_name(n).public_key(key.public_key()).serial_number(4711).not_valid_before(dt.datetime(2021, 1,
        1)).not_valid_after(
        dt.datetime(2031, 1, 1)).sign(key, hashes.SHA256())
    with tempfile.TemporaryDirectory() as t:
        Path(t, 'c').write_bytes(c.public_bytes(ser.Encoding.PEM))
        Path(t, 'k').write_bytes(key.private_bytes(ser.Encoding.PEM, ser.PrivateFormat.PKCS8, ser.NoEncryption()))
        return signers.SimpleSigner(signing_cert=load_cert_from_pemder(f'{t}/c'), signing_key=load_private_key_from_pemder(f'{t}/k', None), cert_registry=None)


def sign(data, r, doc):
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import signers
    out = io.BytesIO()
    signers.sign_pdf(IncrementalPdfFileWriter(io.BytesIO(data), strict=False), signers.PdfSignatureMetadata(field_name='Cachet', reason=r.choice([None,
        'Certification'])), signers.SimpleSigner(
        signing_cert=signer().signing_cert, signing_key=signer().signing_key, cert_registry=signer().cert_registry), output=out)
    return out.getvalue()


def incremental(data, fn):
    with tempfile.TemporaryDirectory() as t:
        f = Path(t, 'a.pdf')
        f.write_bytes(data)
        d = fitz.open(f)
        fn(d)
        d.saveIncr()
        d.close()
        return f.read_bytes()


def whole(data, fn, **kw):
    d = fitz.open('pdf', data)
    d = fn(d) or d
    return d.tobytes(**kw)


def stamp_mod(data, doc, r, later=12):
    """Sets the date of change that a program would have set."""
    d = doc['day'] + dt.timedelta(days=r.randint(1, later))
    return re.sub(rb'(/ModDate\s*\(D:)\d{14}', lambda m: m[1] + when_str(d, r).encode(), data)


def pike(data, fn, **kw):
    with pikepdf.open(io.BytesIO(data)) as p:
        fn(p)
        b = io.BytesIO()
        p.save(b, deterministic_id=kw.pop('det', True), **kw)
        return b.getvalue()


def set_info(p, **kw):
    for k, v in kw.items():
        p.docinfo['/' + k] = v


def cover(doc):
    d = fitz.open()
    pg = d.new_page()
    issuer = doc['w'].fields.get('issuer')
    pg.insert_text((72, 120), issuer.printed if issuer else 'Service courrier', fontsize=15)
    pg.insert_text((72, 160), {'fr': 'Bordereau d\'envoi - 1 document joint', 'en': 'Please find your document attached.'}.get(doc['lang'], '1 / 2'),
        fontsize=11)
    pg.insert_text((72, 190), fdate(doc['day'], '/' if doc['country'] != 'US' else 'us'), fontsize=11)
    return d


def b_form(data, r, doc):
    def make(d):
        pg = d[0]
        for i, x in enumerate((60, 330)):
            wd = fitz.Widget()
            wd.field_type, wd.field_name, wd.rect = fitz.PDF_WIDGET_TYPE_TEXT, f'zone{i}', fitz.Rect(x, pg.rect.height - 26, x + 180, pg.rect.height - 10)
            wd.text_fontsize = 9
            pg.add_widget(wd)

    def fill(d):
        pg = d[0]
        for wd, v in zip(pg.widgets(), (f'Dossier {r.randint(10000, 99999)}', r.choice(['reçu', 'OK', 'copie client']))):
            wd.field_value = v
            wd.update()
    return incremental(whole(data, make), fill)


def b_merge(data, r, doc):
    def fn(d):
        c = cover(doc)
        c.insert_pdf(d)
        return c
    return whole(data, fn, garbage=3, deflate=True)


def b_extract(data, r, doc):
    m = b_merge(data, r, doc)
    return tool(m, ['qpdf', '{i}', '--pages', '{i}', '2-z', '--', '{o}'])


def b_mark(data, r, doc):
    def fn(d):
        pg = d[0]        # the page must live as long as its notes
        f = [x for v in doc['w'].fields.values() for x in pg.search_for(v.printed)[:1]]
        a = pg.add_highlight_annot(f[0]) if f else pg.add_text_annot((400, 60), 'à vérifier')
        a.set_info(title=r.choice(['gestionnaire', 'M. Accueil', '']))
        a.update()
    return incremental(data, fn)


def b_note(data, r, doc):
    def fn(d):
        pg = d[0]        # the page must live as long as its notes
        if r.random() < .5:
            a = pg.add_text_annot((pg.rect.width - 60, 40), r.choice(['Pièce reçue par courriel', 'ok pour remboursement', 'checked']))
        else:
            a = pg.add_freetext_annot(fitz.Rect(pg.rect.width - 170, 8, pg.rect.width - 10, 26), r.choice(['REÇU ',
                'RECEIVED ']) + fdate(doc['day'] + dt.timedelta(days=4), '/'), fontsize=10, text_color=(.7, 0, 0))
        a.update()
    return incremental(data, fn)


def bare_file(p):
    """What a tool that protects privacy leaves: no names, no dates."""
    for k in list(p.docinfo.keys()):
        del p.docinfo[k]
    if '/Metadata' in p.Root:
        del p.Root.Metadata


BENIGN = {
    'linearised': lambda b, r, d: tool(b, ['qpdf', '--linearize', '--deterministic-id', '{i}', '{o}']),
    'optimised': lambda b, r, d: tool(b, ['gs', '-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=' + r.choice(['/ebook', '/printer']),
        '-sOutputFile={o}', '{i}']),
    'reprinted': lambda b, r, d: tool(b, ['pdftocairo', '-pdf', '{i}', '{o}']),
    'turned, incremental': lambda b, r, d: incremental(b, lambda p: p[0].set_rotation(r.choice([90, 180, 270]))),
    'turned, rewritten': lambda b, r, d: pike(b, lambda p: p.pages[0].rotate(r.choice([90, 180]), True)),
    'form filled': b_form, 'signed': sign, 'cover page': b_merge, 'page extracted': b_extract, 'highlighted': b_mark, 'note': b_note,
    'metadata removed': lambda b, r, d: pike(b, bare_file),
    'cleaned': lambda b, r, d: whole(b, lambda p: None, garbage=4, deflate=True, clean=True),
    'protected': lambda b, r, d: tool(b, ['qpdf', '--encrypt', '', 'owner', '256', '--modify=none', '--', '{i}', '{o}']),
}


# ------------------------------------------------------------------ forging
@lru_cache
def font_file(name):
    return subprocess.run(['fc-match', '-f', '%{file}', name], stdout=subprocess.PIPE, text=True).stdout


def hits_of(page, s):
    return page.search_for(s) or page.search_for(s.replace('\u00a0', ' '))


def style_at(page, rect):
    best = None
    for b in page.get_text('dict')['blocks']:
        for ln in b.get('lines', ()):
            for sp in ln['spans']:
                inter = fitz.Rect(sp['bbox']) & rect
                if not inter.is_empty and (best is None or inter.get_area() > best[0]):
                    best = (inter.get_area(), sp)
    return best[1]


def other_value(f, r):
    """Another value of the same kind and notation as the printed one."""
    if f.kind == 'date':
        # never into the future: the papers would then be wrong in a second way
        new = f.canon + dt.timedelta(days=(-1 if f.code == 'issueDate' else r.choice([-1, 1])) * r.randint(11, 330))
        for lang in ('fr', 'en', 'de', 'es', 'it', 'nl', 'pt'):
            for s in STYLES:
                if fdate(f.canon, s, lang) == f.printed:
                    return fdate(new, s, lang), new
        return None
    if f.kind == 'iban':
        s = f.canon
        n = f'{r.randint(0, 99999):05d}'
        if s[:2] == 'FR':       # the account's own check digits follow, else the number would not begin with FR76
            a = s[14:20] + n
            s = s[:14] + a + f'{97 - (89 * int(s[4:9]) + 15 * int(s[9:14]) + 3 * int(a)) % 97:02d}' if a.isdigit() else s
        elif s[:2] == 'BE':
            a = s[4:9] + n
            s = s[:4] + a + f'{int(a) % 97 or 97:02d}'
        else:
            s = s[:-5] + n
        s = iban_of(s[:2], s[4:])
        return (' '.join(s[i:i + 4] for i in range(0, len(s), 4)) if ' ' in f.printed else s), s
    if f.code == 'lastName':
        v = plain(r.choice('Morin Perrot Lemaire Harris Wagner Blanchard Gomes'.split()))
        return (v.upper() if f.printed.isupper() else v), None
    if f.code == 'firstName':
        v = r.choice('Martine Daniel Sophie Eric Laura Victor'.split())
        return (v.upper() if f.printed.isupper() else v), None
    if f.code == 'city':
        v = r.choice('Toulouse Angers Limoges Leicester Dayton Nivelles'.split())
        return (v.upper() if f.printed.isupper() else v), None
    d = [i for i, c in enumerate(f.printed) if c.isdigit()]
    if not d:
        return None
    i = d[0] if f.kind == 'amount' or f.code == 'address' else r.choice(d[-4:])
    return f.printed[:i] + str(r.choice([x for x in range(1, 10) if str(x) != f.printed[i]])) + f.printed[i + 1:], None


def target(doc, data, r, amounts=True):
    """A printed value on the first page that can be found and changed."""
    d = fitz.open('pdf', data)
    order = sorted(doc['w'].fields.values(), key=lambda f: (f.kind not in ('amount', 'date', 'iban') and f.code not in ('lastName', 'address',
        'policyNumber'), r.random()))
    for f in order:
        if len(squash(f.printed)) < 4 or f.code in ('issuer', 'nationality', 'bic', 'postCode'):
            continue
        if f.kind == 'amount' and not amounts:
            continue
        h = hits_of(d[0], f.printed)
        if 0 < len(h) <= 3 and max(x.height for x in h) < 60:
            new = other_value(f, r)
            if new and new[0] != f.printed:
                return f, new[0], h
    return None


def write_new(page, h, new, sp, family=None, shift=0.0, size=None):
    c = sp['color']
    col = ((c >> 16 & 255) / 255, (c >> 8 & 255) / 255, (c & 255) / 255)
    page.insert_text((h.x0, sp['origin'][1] + shift), new.replace('\u00a0', ' '), fontsize=size or sp['size'], color=col,
        fontname='Fx' + re.sub(r'\W', '', family),
                     fontfile=font_file(family))


def twin(name):
    """A font as near as an ordinary machine has."""
    n = name.lower()
    bold = ':bold' if 'bold' in n or 'semi' in n else ''
    for k, v in (('mono', 'Liberation Mono'), ('cour', 'Liberation Mono'), ('lato', 'Carlito'), ('carlito', 'Carlito'), ('serif', 'Liberation Serif'),
        ('roman', 'Liberation Serif'), ('lm', 'Latin Modern Roman')):
        if k in n:
            return v + bold
    return 'Liberation Sans' + bold


def edit(doc, data, r, how, saver):
    t = target(doc, data, r)
    if not t:
        return None
    f, new, hits = t
    other = r.random() < .45

    def fn(d):
        pg = d[0]
        sps = [style_at(pg, h) for h in hits]
        if how == 'white':
            for h, sp in zip(hits, sps):
                pg.draw_rect(h + (-1, 0, 2, 0), color=None, fill=(1, 1, 1) if r.random() < .8 else (.99, .99, .98))
        else:
            for h in hits:
                pg.add_redact_annot(h + (0.3, 1, -0.3, -1), fill=False)
            pg.apply_redactions(images=0, graphics=0)
        for h, sp in zip(hits, sps):
            write_new(pg, h, new, sp, r.choice(['DejaVu Sans', 'Liberation Serif', 'Roboto', 'DejaVu Serif']) if other else twin(sp['font']), r.choice([0, 0,
                .4, -.5]), sp['size'] * (r.choice([.96, 1, 1.04]) if other else 1))
    out = saver(data, fn)
    doc['new'][f.code] = new.replace('\u00a0', ' ')
    return out, f'{f.code}: {f.printed} → {new} ({"other" if other else "similar"} font)'.replace('\u00a0', ' ')


def hide(doc, data, r):
    """The old value stays in the file; a picture of the new one lies over it."""
    t = target(doc, data, r)
    if not t:
        return None
    f, new, hits = t

    def fn(d):
        for h in hits:
            sp = style_at(d[0], h)
            z = r.choice([3, 4])
            fnt = ImageFont.truetype(font_file(twin(sp['font'])), int(sp['size'] * z))
            wd = max(int(h.width * z), int(fnt.getlength(new)) + 6)
            im = Image.new('RGB', (wd, int(h.height * z)), r.choice(['#ffffff', '#fdfdfb']))
            ImageDraw.Draw(im).text((1, (sp['origin'][1] - h.y0) * z), new.replace('\u00a0', ' '), font=fnt, fill=(20, 20, 20), anchor='ls')
            b = io.BytesIO()
            im.save(b, *r.choice([('PNG',), ('JPEG',)]))
            d[0].insert_image(fitz.Rect(h.x0 - 1, h.y0, h.x0 - 1 + wd / z, h.y1), stream=b.getvalue())
    out = r.choice([whole, incremental])(data, fn)
    doc['new'][f.code] = new.replace('\u00a0', ' ')
    return out, f'{f.code}: {f.printed} → {new}, as a picture over the old text'.replace('\u00a0', ' ')


EDITORS = [('Adobe Photoshop CC 2019 (Windows)', 'Adobe Photoshop for Windows -- Image Conversion Plug-in'), ('Adobe Illustrator 25.2 (Windows)',
    'Adobe PDF library 15.00'), ('', 'Sejda PDF Editor 7.6.2 (www.sejda.com)'), ('PDFescape Online', 'RAD PDF 3.27.6'),
           ('Canva', 'Canva'), ('Foxit PhantomPDF Editor', 'Foxit PhantomPDF Printer Version 9.7'), ('PDF-XChange Editor 9.3', 'PDF-XChange Core API SDK'),
               ('CorelDRAW 2020', 'Corel PDF Engine Version 22.1'), ('GIMP 2.10', 'cairo 1.16.0')]


def reset(doc, data, r, rerender):
    """The value is changed in the source, so that only the file's own history shows it."""
    t = target(doc, data, r, amounts=False)
    if not t:
        return None
    f, new, _ = t
    out = rerender(f.printed, new)
    if out is None or out == data:
        return None
    c, p = r.choice(EDITORS)
    d = doc['day'] + dt.timedelta(days=r.randint(9, 120))
    mod = when_str(d, r)

    def fn(pdf):
        kw = {'Producer': p, 'ModDate': pikepdf.String(f"D:{mod}+02'00'"), 'CreationDate': pikepdf.String('D:' + when_str(doc['day'], r) + 'Z')}
        if c:
            kw['Creator'] = c
        set_info(pdf, **kw)
        if r.random() < .6:
            iso = f'{d.isoformat()}T{mod[8:10]}:{mod[10:12]}:{mod[12:]}+02:00'
            x = f'''<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#">
<xmp:CreatorTool>{c or p}</xmp:CreatorTool><xmp:ModifyDate>{iso}</xmp:ModifyDate>
<xmpMM:History><rdf:Seq><rdf:li stEvt:action="converted"/>
<rdf:li stEvt:action="saved" stEvt:when="{iso}" stEvt:softwareAgent="{c or p}"
stEvt:changed="/"/></rdf:Seq></xmpMM:History></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'''
            pdf.Root.Metadata = pikepdf.Stream(pdf, x.encode())
            pdf.Root.Metadata.Type, pdf.Root.Metadata.Subtype = pikepdf.Name.Metadata, pikepdf.Name.XML
    doc['new'][f.code] = new.replace('\u00a0', ' ')
    return pike(out, fn), f'{f.code}: {f.printed} → {new}; metadata name {c or p}, changed {d.isoformat()}'.replace('\u00a0', ' ')


def gaps(page):
    """Heights at which a cut crosses no line of text."""
    box = [(w[1], w[3]) for w in page.get_text('words')]
    return [y for y in range(10, int(page.rect.height) - 10) if not any(a - .5 < y < b + .5 for a, b in box)]


def mixed(doc, data, r, rerender):
    """Half of the page comes from another program; the changed value is in it."""
    t = target(doc, data, r, amounts=False)
    if not t:
        return None
    f, new, hits = t
    d = fitz.open('pdf', data)
    R = d[0].rect
    free = gaps(d[0])
    top = max(h.y1 for h in hits) < R.height * .5
    cut = [y for y in free if y > max(h.y1 for h in hits)][:1] if top else [y for y in free if y < min(h.y0 for h in hits)][-1:]
    if not cut:
        return None
    zone = fitz.Rect(0, 0, R.width, cut[0]) if top else fitz.Rect(0, cut[0], R.width, R.height)
    alt = rerender(f.printed, new)
    if alt is not None:
        a = fitz.open('pdf', alt)
        if abs(a[0].rect.width - R.width) > 2:
            return None
        n = fitz.open()
        pg = n.new_page(width=R.width, height=R.height)
        rest = fitz.Rect(0, zone.y1, R.width, R.height) if top else fitz.Rect(0, 0, R.width, zone.y0)
        here = hits_of(a[0], new)
        if not here:
            return None
        dy = here[0].y0 - hits[0].y0        # the two programs set the lines a little apart
        if abs(dy) > 25 or not any(abs(g - cut[0] - dy) < .6 for g in gaps(a[0])):
            return None
        whole_page = r.random() < .3 and len(d) > 1
        if whole_page:
            n = fitz.open()
            n.insert_pdf(a, to_page=0)
            n.insert_pdf(d, from_page=1)
        else:
            # cut the texts away outside each clip: what a forger's layout program does not show is not in the file
            for src, cut in ((d, zone), (a, fitz.Rect(0, rest.y0 + dy, R.width, rest.y1 + dy))):
                half = src[0]
                half.add_redact_annot(cut, fill=False)
                half.apply_redactions()
            pg.show_pdf_page(rest, d, 0, clip=rest)
            pg.show_pdf_page(zone, a, 0, clip=fitz.Rect(0, max(0, zone.y0 + dy), R.width, min(R.height, zone.y1 + dy)))
        n.set_metadata(d.metadata)
        out = n.tobytes(garbage=3, deflate=True)
    else:
        # the lower or upper part is typed again in a word processor's fonts
        spans = [s for b in d[0].get_text('dict')['blocks'] for ln in b.get('lines',
            ()) for s in ln['spans'] if fitz.Rect(s['bbox']).intersects(zone) and s['text'].strip()]
        half = d[0]
        half.add_redact_annot(zone, fill=False)
        half.apply_redactions(images=0, graphics=0)
        fam, ok = r.choice(['Carlito', 'Liberation Sans', 'Liberation Serif']), False
        old = f.printed.replace('\u00a0', ' ')
        for s in spans:
            tx = s['text'].replace('\u00a0', ' ')
            ok |= old in tx
            write_new(d[0], fitz.Rect(s['bbox']), tx.replace(old, new.replace('\u00a0', ' ')), s, fam + (':bold' if 'bold' in s['font'].lower() else ''), 0,
                s['size'])
        if not ok:
            return None
        out = d.tobytes(garbage=3, deflate=True)
    doc['new'][f.code] = new.replace('\u00a0', ' ')
    return out, f'{f.code}: {f.printed} → {new}; {"upper" if top else "lower"} part made by another program'.replace('\u00a0', ' ')
