"""Flatbed and phone: a clean page becomes a picture as people send it."""
import io

import cv2
import img2pdf
import numpy as np
import piexif
import pymupdf as fitz
from PIL import Image, ImageFilter


def raster(pdf, dpi, page=0):
    with fitz.open(stream=pdf, filetype="pdf") as d:
        pm = d[page].get_pixmap(dpi=dpi, alpha=False)
        return np.frombuffer(pm.samples, np.uint8).reshape(pm.h, pm.w, 3).copy()


def pages(pdf):
    with fitz.open(stream=pdf, filetype="pdf") as d:
        return [(p.rect.width / 72 * 25.4, p.rect.height / 72 * 25.4) for p in d]


def light(img, k, rng, strong):
    """Uneven light, and for phones the shadow of a hand."""
    h, w = img.shape[:2]
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    gx, gy = k.uniform(-.16, .16) * strong, k.uniform(-.16, .16) * strong
    m = 1 - .04 * strong + gx * (xx / w - .5) + gy * (yy / h - .5)
    if strong > .6 and k.random() < .55:
        cx, cy, r = k.uniform(-.1, 1.1) * w, k.uniform(.5, 1.2) * h, k.uniform(.35, .8) * w
        m -= k.uniform(.10, .28) * np.clip(1.4 - np.hypot(xx - cx, (yy - cy) * k.uniform(.6, 1)) / r, 0, 1)
    tint = np.array([k.uniform(.96, 1.02), k.uniform(.97, 1.01), k.uniform(.90, 1.01)], np.float32) if strong > .3 else np.ones(3, np.float32)
    out = img.astype(np.float32) * m[..., None] * tint
    out += rng.normal(0, k.uniform(1, 3 + 4 * strong), img.shape).astype(np.float32)
    return np.clip(out, 0, 255).astype(np.uint8)


def desk(h, w, k, rng):
    base = np.array(k.choice([(120, 90, 62), (70, 70, 74), (196, 190, 182), (150, 122, 92), (46, 60, 80), (214, 208, 196)]), np.float32)
    grain = cv2.GaussianBlur(rng.normal(0, 26, (h, w)).astype(np.float32), (0, 0), sigmaX=k.choice([2, 30]), sigmaY=2)
    return np.clip(base + grain[..., None] * k.uniform(.5, 1.8), 0, 255).astype(np.uint8)


def flatbed(img, k, rng):
    ang = k.uniform(-1.6, 1.6)
    h, w = img.shape[:2]
    M = cv2.getRotationMatrix2D((w / 2, h / 2), ang, k.uniform(.975, 1))
    bg = k.choice([(255, 255, 255), (244, 244, 240), (228, 228, 226), (30, 30, 30)])
    img = cv2.warpAffine(img, M, (w, h), flags=cv2.INTER_AREA, borderValue=bg)
    if k.random() < .4:  # the lid's shadow along one edge
        n = k.randint(10, 40)
        img[:, :n] = (img[:, :n] * np.linspace(k.uniform(.5, .8), 1, n)[None, :, None]).astype(np.uint8)
    if k.random() < .35:
        img = cv2.cvtColor(cv2.cvtColor(img, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    img = cv2.GaussianBlur(img, (0, 0), k.uniform(.25, .8))
    for _ in range(k.randint(0, 25)):
        cv2.circle(img, (k.randint(0, w - 1), k.randint(0, h - 1)), k.choice([0, 1, 1]), (k.randint(60, 190),) * 3, -1)
    return light(img, k, rng, .25)


def phone(img, k, rng, tight=False):
    h, w = img.shape[:2]
    if k.random() < .4:  # a sheet that was folded
        y = h * k.choice([1, 2]) // 3
        img[y - 2:y + 2] = (img[y - 2:y + 2] * .86).astype(np.uint8)
    m = int(w * k.uniform(.03, .12))
    H, W = h + 2 * m, w + 2 * m
    j = lambda s: k.uniform(-s, s) * w
    s = k.choice([.008, .02, .035])
    dst = np.float32([[m + j(s), m + j(s)], [m + w + j(s), m + j(s)], [m + w + j(s), m + h + j(s)], [m + j(s), m + h + j(s)]])
    c, a = np.float32([W / 2, H / 2]), np.deg2rad(k.uniform(-3, 3))
    dst = (dst - c) @ np.float32([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + c
    M = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), dst.astype(np.float32))
    mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), M, (W, H))
    page = cv2.warpPerspective(img, M, (W, H), flags=cv2.INTER_AREA)
    bg = desk(H, W, k, rng)
    sh = cv2.GaussianBlur(np.roll(mask, (8, 6), (0, 1)), (0, 0), 9)[..., None] / 255 * .5
    bg = (bg * (1 - sh)).astype(np.uint8)
    al = cv2.GaussianBlur(mask, (0, 0), 1)[..., None] / 255
    out = (page * al + bg * (1 - al)).astype(np.uint8)
    return light(cv2.GaussianBlur(out, (0, 0), k.uniform(.35, 1.0)), k, rng, k.uniform(.6, 1))


def picture(pdf, k, page=0, mode=None):
    """One picture of one page: (array, dpi, word for how)."""
    rng = np.random.default_rng(k.randint(0, 2 ** 31))
    w, h = pages(pdf)[page]
    small = max(w, h) < 190
    mode = mode or k.choice(["flatbed", "phone"])
    dpi = k.randint(*((210, 330) if small else (130, 220) if mode == "phone" else (120, 200)))
    img = raster(pdf, dpi, page)
    if small and mode == "flatbed" and k.random() < .6:  # a card on the glass of an A4 scanner
        H, W = int(297 / 25.4 * 200), int(210 / 25.4 * 200)
        img = raster(pdf, 200, page)
        sheet = np.full((H, W, 3), 250, np.uint8)
        y, x = k.randint(40, max(41, H // 3)), k.randint(20, max(21, W - img.shape[1] - 20)) if img.shape[1] < W - 40 else 0
        part = img[:H - y, :W - x]
        sheet[y:y + part.shape[0], x:x + part.shape[1]] = part
        img = sheet
    return (phone if mode == "phone" else flatbed)(img, k, rng), dpi, mode


def jpeg(img, k, quality=None, exif=None, size=None):
    im = Image.fromarray(img)
    if size and max(im.size) > size:
        im.thumbnail((size, size), Image.LANCZOS)
    b = io.BytesIO()
    im.save(b, "JPEG", quality=quality or k.randint(50, 90), **({"exif": exif} if exif else {}))
    return b.getvalue()


def camera(k, day):
    make, model = k.choice([("Apple", "iPhone 13"), ("samsung", "SM-A546B"), ("Google", "Pixel 7a"), ("Xiaomi", "2201117TY")])
    t = f"{day:%Y:%m:%d} {k.randint(7, 22):02d}:{k.randint(0, 59):02d}:{k.randint(0, 59):02d}"
    return piexif.dump({"0th": {piexif.ImageIFD.Make: make, piexif.ImageIFD.Model: model, piexif.ImageIFD.DateTime: t, piexif.ImageIFD.Orientation: 1},
                        "Exif": {piexif.ExifIFD.DateTimeOriginal: t}})


def png(img, k):
    im = Image.fromarray(img)
    if k.random() < .4:
        im = im.convert("L")
    if k.random() < .3:
        im = im.quantize(48)
    b = io.BytesIO()
    im.save(b, "PNG")
    return b.getvalue()


def image_pdf(imgs, k, day):
    """An image-only PDF, by a scanner's firmware or a phone's scanning app."""
    jp = [jpeg(i, k, k.randint(55, 88)) for i in imgs]
    r = k.random()
    if r < .5:
        import datetime as dt
        return img2pdf.convert(jp, producer=k.choice(["HP Digital Sending Device", "Canon iR-ADV C3530", "KONICA MINOLTA bizhub C258", "EPSON Scan 2"]),
                               creationdate=dt.datetime.combine(day, dt.time(9, k.randint(0, 59))), moddate=None), "scanner"
    d = fitz.open()
    for j in jp:
        im = Image.open(io.BytesIO(j))
        w = 595
        pg = d.new_page(width=w, height=w * im.height / im.width)
        pg.insert_image(pg.rect, stream=j)
    d.set_metadata({"producer": k.choice(["CamScanner", "Adobe Scan for Android 24.05", "iOS Version 17.4 (Build 21E219) Quartz PDFContext", ""]),
        "creationDate": f"D:{day:%Y%m%d}101500"})
    return d.tobytes(), "phone app"
