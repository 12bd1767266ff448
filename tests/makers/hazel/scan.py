"""Makes scans and photographs out of pages, and asks Tesseract twice what can be read."""
import io
import os
import re
import subprocess
import tempfile

import cv2
import img2pdf
import numpy as np
import pymupdf
from PIL import Image

from world import squeeze


def page_image(pdf, dpi, page=0):
    with pymupdf.open(stream=pdf, filetype='pdf') as d:
        px = d[page].get_pixmap(dpi=dpi)
        return np.frombuffer(px.samples, np.uint8).reshape(px.h, px.w, px.n)[..., :3].copy()


def flatbed(im, g):
    """A scanner: slight turn, dust, grey paper, sometimes grey only or hard black and white."""
    h, w = im.shape[:2]
    m = cv2.getRotationMatrix2D((w / 2, h / 2), g.uniform(-1.3, 1.3), 1)
    im = cv2.warpAffine(im, m, (w, h), borderValue=(int(g.integers(225, 256)),) * 3, flags=cv2.INTER_CUBIC)
    im = cv2.GaussianBlur(im, (0, 0), g.uniform(.3, .8))
    f = im.astype(np.float32) * g.uniform(.93, 1.0) + g.normal(0, g.uniform(1, 5), im.shape)
    f *= np.linspace(1, g.uniform(.9, 1), w)[None, :, None]
    im = np.clip(f, 0, 255).astype('uint8')
    for _ in range(g.integers(0, 12)):
        cv2.circle(im, (int(g.integers(w)), int(g.integers(h))), 1, (90, 90, 90), -1)
    mode = g.random()
    if mode < .35:
        im = cv2.cvtColor(cv2.cvtColor(im, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    elif mode < .42:
        gray = cv2.cvtColor(im, cv2.COLOR_RGB2GRAY)
        im = cv2.cvtColor(cv2.threshold(gray, 150, 255, cv2.THRESH_BINARY)[1], cv2.COLOR_GRAY2RGB)
    return im


def desk(h, w, g):
    """A table top: wood, cloth or plain."""
    base = np.array([(120, 84, 56), (70, 72, 78), (190, 180, 165), (60, 90, 70), (205, 205, 208)][g.integers(5)], np.float32)
    grain = cv2.resize(g.normal(0, 12, (h // 3 + 1, w // 60 + 1)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    return np.clip(base[None, None] + grain[..., None] + g.normal(0, 4, (h, w, 1)), 0, 255)


def phone(im, g):
    """A telephone's camera: perspective, desk around, uneven light, a shadow, softness."""
    h, w = im.shape[:2]
    mx, my = int(w * g.uniform(.03, .12)), int(h * g.uniform(.03, .1))
    W, H = w + 2 * mx, h + 2 * my
    j = lambda s: g.uniform(-.45, .45) * s
    src = np.float32([(0, 0), (w, 0), (w, h), (0, h)])
    dst = np.float32([(mx + j(mx), my + j(my)), (mx + w + j(mx), my + j(my)), (mx + w + j(mx), my + h + j(my)), (mx + j(mx), my + h + j(my))])
    t = cv2.getPerspectiveTransform(src, dst)
    mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), t, (W, H))
    page = cv2.warpPerspective(im, t, (W, H), flags=cv2.INTER_CUBIC).astype(np.float32)
    a = (mask[..., None] / 255).astype(np.float32)
    edge = cv2.GaussianBlur(mask, (0, 0), max(W, H) / 150)[..., None] / 255 * .35
    out = desk(H, W, g) * (1 - edge) * (1 - a) + page * a
    yy, xx = np.mgrid[0:H, 0:W].astype(np.float32)
    ang, st = g.uniform(0, 6.28), g.uniform(.04, .22)
    out *= (1 + st * ((xx / W - .5) * np.cos(ang) + (yy / H - .5) * np.sin(ang)))[..., None]
    if g.random() < .5:  # the shadow of the hand
        s = ((xx - g.uniform(0, W)) * np.cos(ang) + (yy - g.uniform(0, H)) * np.sin(ang)) / (W * .05)
        out *= (1 - g.uniform(.1, .28) / (1 + np.exp(-np.clip(s, -30, 30))))[..., None]
    out *= np.array([1, g.uniform(.96, 1), g.uniform(.86, 1)])[None, None]
    out = cv2.GaussianBlur(out.astype(np.float32), (0, 0), g.uniform(.4, 1.0)) + g.normal(0, g.uniform(1.5, 5), out.shape)
    return np.clip(out, 0, 255).astype('uint8')


def make(pdf, medium, seed):
    """Bytes of a scan and a word for how it was taken."""
    g = np.random.default_rng(seed)
    dpi = int(g.choice([120, 130, 150, 150, 170, 200, 200, 220]))
    with pymupdf.open(stream=pdf, filetype='pdf') as d:
        n = len(d)
    how = 'phone' if g.random() < (.65 if medium == 'scan_jpeg' else .25) else 'flatbed'
    if how == 'phone':
        dpi = max(dpi, 140)
    pages = []
    for i in range(n if medium == 'scan_pdf' else 1):
        im = page_image(pdf, dpi, i)
        pages.append(Image.fromarray(phone(im, g) if how == 'phone' else flatbed(im, g)))
    if medium == 'scan_png':
        im = pages[0] if g.random() < .5 else pages[0].convert('L')
        b = io.BytesIO()
        im.save(b, 'PNG', dpi=(dpi, dpi))
        return b.getvalue(), how, dpi, pages
    q = int(g.integers(50, 91))
    jp = []
    for im in pages:
        b = io.BytesIO()
        im.save(b, 'JPEG', quality=q, dpi=(dpi, dpi))
        jp.append(b.getvalue())
    if medium == 'scan_jpeg':
        return jp[0], how, dpi, pages
    import datetime as dt
    data = img2pdf.convert(jp, layout_fun=img2pdf.get_fixed_dpi_layout_fun((dpi, dpi)), creationdate=dt.datetime(2026, 10, 1), moddate=dt.datetime(2026,
        10, 1), nodate=bool(g.integers(2)),
                           producer=str(g.choice(['Canon iR-ADV C3520', 'HP Scan', 'Adobe Scan for iOS', 'CamScanner', 'img2pdf'])))
    return data, how, dpi, pages


LANGS = {'fr': 'fra', 'en': 'eng', 'de': 'deu', 'es': 'spa', 'it': 'ita', 'nl': 'nld', 'pt': 'por'}


def read_twice(pages, lang, values):
    """What Tesseract reads: the picture as it is, then, where a value is missing, a larger one with even light."""
    out = []
    a = np.array(pages[0].convert('L'))  # the values stand on the first page
    for psm in ('3', '6'):
        if psm == '6':
            bg = cv2.GaussianBlur(cv2.resize(a, None, fx=.25, fy=.25), (0, 0), 7).astype(np.float32)
            a = np.clip(a / np.maximum(cv2.resize(bg, a.shape[::-1]), 1) * 215, 0, 255).astype('uint8')
            a = cv2.resize(a, None, fx=1.3, fy=1.3, interpolation=cv2.INTER_CUBIC)
        with tempfile.NamedTemporaryFile(suffix='.png') as f:
            Image.fromarray(a).save(f.name, compress_level=1)
            cmd = ['tesseract', f.name, '-', '-l', LANGS.get(lang, 'eng'), '--psm', psm]
            r = subprocess.run(cmd, capture_output=True, text=True, timeout=3000, env=dict(os.environ, OMP_THREAD_LIMIT='1'))
            out.append(r.stdout)
        if all(legible(out, v) for v in values):
            break
    return out


def legible(texts, value):
    """Read, allowing one wrong letter in ten (a person still reads that)."""
    v = squeeze(value)
    for t in texts:
        s = squeeze(t)
        if v in s:
            return True
        if len(v) >= 9:
            k = len(v) // 2
            for part in (v[:k], v[k:]):
                for m in re.finditer(re.escape(part), s):
                    i = m.start() - (0 if part == v[:k] else k)
                    cand = s[max(0, i):i + len(v)]
                    if sum(x != y for x, y in zip(cand.ljust(len(v)), v)) <= len(v) // 10:
                        return True
    return False
