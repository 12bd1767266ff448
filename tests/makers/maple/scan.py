"""Turns pages into scans and telephone photographs."""
import io
import subprocess
from pathlib import Path

import cv2
import numpy as np
from PIL import Image


def page_image(pdf, dpi, page=1):
    out = subprocess.run(["pdftoppm", "-r", str(dpi), "-f", str(page), "-l", str(page), str(pdf)],
                         check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return Image.open(io.BytesIO(out)).convert("RGB")


def pages_of(pdf):
    text = subprocess.run(["pdfinfo", str(pdf)], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode("utf8", "replace")
    return int(next(x for x in text.splitlines() if x.startswith("Pages:")).split()[1])


def rotate(a, angle, fill=255):
    h, w = a.shape[:2]
    m = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 1)
    return cv2.warpAffine(a, m, (w, h), flags=cv2.INTER_CUBIC, borderValue=(fill, fill, fill))


def office(im, rng, skew, mode):
    """A flatbed or feeder scan: a little skew, blur and grain, paper not quite white."""
    a = np.asarray(im).astype(np.uint8)
    a = rotate(a, skew)
    a = cv2.GaussianBlur(a, (0, 0), rng.uniform(.35, .6))
    f = a.astype(np.float32)
    paper = rng.uniform(243, 254)
    f = f * (paper - 18) / 255 + 18
    f += rng.standard_normal(f.shape[:2], dtype=np.float32)[..., None] * np.float32(rng.uniform(1, 3.2))
    if rng.random() < .35:
        x = int(rng.integers(10, f.shape[1] - 10))
        f[:, x:x + 1] -= rng.uniform(5, 18)
    a = np.clip(f, 0, 255).astype(np.uint8)
    if mode == "gray":
        return Image.fromarray(cv2.cvtColor(a, cv2.COLOR_RGB2GRAY))
    if mode == "bw":
        g = cv2.cvtColor(a, cv2.COLOR_RGB2GRAY)
        return Image.fromarray(g).point(lambda v: 255 if v > 165 else 0).convert("1")
    return Image.fromarray(a)


def desk(rng, w, h):
    base = np.array([(120, 88, 60), (70, 72, 78), (176, 168, 155), (48, 58, 70)][int(rng.integers(0, 4))], np.float32)
    small = rng.normal(0, 1, (h // 60 + 2, 8)).astype(np.float32)
    grain = cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)
    return base + grain[..., None] * 9 + rng.normal(0, 3, (h, w, 1)).astype(np.float32)


def hand_shadow(rng, w, h):
    """The soft shadow of the hand that holds the telephone."""
    mask = np.ones((h // 8, w // 8), np.float32)
    x, y = int(rng.uniform(0, w / 8)), int(rng.uniform(h / 16, h / 8))
    cv2.ellipse(mask, (x, y), (w // 28, h // 18), float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(.6, .75)), -1)
    return cv2.resize(cv2.GaussianBlur(mask, (0, 0), w / 160), (w, h))


def phone(im, rng):
    """A telephone photograph: desk, perspective, uneven light, a cast of colour, blur; one in three is careless."""
    careless = rng.random() < .33
    if careless:
        im = im.resize((int(im.width * .8), int(im.height * .8)), Image.LANCZOS)
    a = np.asarray(im).astype(np.float32)
    h, w = a.shape[:2]
    H, W = int(h * 1.1), int(w * 1.12)
    j = lambda s: rng.uniform(-s, s) * (1.9 if careless else 1)
    x0, y0 = (W - w) / 2, (H - h) / 2
    dst = np.float32([[x0 + j(.018) * w, y0 + j(.012) * h], [x0 + w + j(.018) * w, y0 + j(.012) * h],
                      [x0 + w + j(.022) * w, y0 + h + j(.015) * h], [x0 + j(.022) * w, y0 + h + j(.015) * h]])
    m = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), dst)
    page = cv2.warpPerspective(a, m, (W, H), flags=cv2.INTER_CUBIC)
    mask = cv2.warpPerspective(np.ones((h, w), np.float32), m, (W, H))
    shade = cv2.GaussianBlur(mask, (0, 0), 14)
    out = desk(rng, W, H) * (1 - .35 * shade[..., None]) * (1 - mask[..., None]) + page * mask[..., None]
    yy, xx = np.mgrid[0:H, 0:W].astype(np.float32)
    light = 1 - rng.uniform(.08, .28) * ((xx / W - rng.uniform(.2, .8)) ** 2 + (yy / H - rng.uniform(.2, .8)) ** 2)
    if careless:
        light = light * hand_shadow(rng, W, H)
    out = out * light[..., None] * np.array([rng.uniform(.97, 1), rng.uniform(.95, .99), rng.uniform(.91, 1)], np.float32)
    out = cv2.GaussianBlur(out, (0, 0), rng.uniform(.5, .9) + (.35 if careless else 0)) + rng.standard_normal(out.shape[:2], dtype=np.float32)[..., None] * 3
    return Image.fromarray(np.clip(out, 0, 255).astype(np.uint8))


def crop_card(im, rng):
    """Cards are photographed close up: cut the white page around them."""
    a = np.asarray(im.convert("L"))
    ys, xs = np.where(a < 249)
    if not len(xs):
        return im
    pad = 14
    return im.crop((max(0, xs.min() - pad), max(0, ys.min() - pad), min(im.width, xs.max() + pad), min(im.height, ys.max() + pad)))


def make_scan(pdf, rng, style, dpi, card=False):
    out = []
    for n in range(1, pages_of(pdf) + 1):
        im = page_image(pdf, dpi, n)
        if style == "phone":
            out.append(phone(crop_card(im, rng) if card else im, rng))
        else:
            skew = rng.uniform(-.3, .3) if style != "office-skewed" else rng.choice([-1, 1]) * rng.uniform(.9, 3.6)
            mode = {"office-bw": "bw", "office-gray": "gray"}.get(style, "color")
            out.append(office(im, rng, skew, mode))
    return out


def jpeg_bytes(im, dpi, quality):
    buf = io.BytesIO()
    im.convert("RGB" if im.mode == "RGB" else "L").save(buf, "JPEG", quality=quality, dpi=(dpi, dpi))
    return buf.getvalue()


def png_bytes(im, dpi):
    buf = io.BytesIO()
    im.save(buf, "PNG", dpi=(dpi, dpi), compress_level=4)
    return buf.getvalue()


def scan_pdf(images, dpi, producer, quality, when, out):
    """Wraps pictures as PDF pages, as scanner programs and phone apps do."""
    blobs = [png_bytes(i, dpi) if i.mode == "1" else jpeg_bytes(i, dpi, quality) for i in images]
    if producer == "img2pdf":
        import img2pdf
        Path(out).write_bytes(img2pdf.convert(blobs, creationdate=when, moddate=when))
    elif producer == "pillow":
        first, *rest = [i.convert("L") if i.mode == "1" else i for i in images]
        first.save(out, "PDF", resolution=dpi, save_all=True, append_images=rest, creationDate=when.timetuple(), modDate=when.timetuple(),
                   quality=quality)
    elif producer == "mupdf":
        mupdf_scan(blobs, images, dpi, when, out)
    else:
        reportlab_scan(blobs, images, dpi, when, out)


def mupdf_scan(blobs, images, dpi, when, out):
    import pymupdf
    from render import pdf_date
    d = pymupdf.open()
    for blob, im in zip(blobs, images):
        page = d.new_page(width=im.width * 72 / dpi, height=im.height * 72 / dpi)
        page.insert_image(page.rect, stream=blob)
    d.set_metadata({"producer": f"MuPDF {pymupdf.mupdf_version}", "creationDate": pdf_date(when), "modDate": pdf_date(when)})
    d.save(str(out), no_new_id=True)


def reportlab_scan(blobs, images, dpi, when, out):
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen import canvas
    from render import set_plain_dates
    c = canvas.Canvas(str(out), invariant=1)
    for blob, im in zip(blobs, images):
        w, h = im.width * 72 / dpi, im.height * 72 / dpi
        c.setPageSize((w, h))
        c.drawImage(ImageReader(io.BytesIO(blob)), 0, 0, w, h)
        c.showPage()
    c.save()
    set_plain_dates(out, when)


def ocr(im, lang):
    import os
    buf = io.BytesIO()
    im.save(buf, "PNG")
    env = dict(os.environ, OMP_THREAD_LIMIT="1")
    got = subprocess.run(["tesseract", "-", "-", "-l", {"fr": "fra", "en": "eng"}[lang]], input=buf.getvalue(),
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
    return got.stdout.decode("utf8", "replace")
