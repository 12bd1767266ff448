"""Flatbed scanner and telephone camera."""
import io

import cv2
import img2pdf
import numpy as np
import piexif
import pymupdf
from PIL import Image


def page_images(pdf, dpi):
    out = []
    for p in pymupdf.open(stream=pdf, filetype="pdf"):
        x = p.get_pixmap(dpi=dpi)
        out.append(np.frombuffer(x.samples, np.uint8).reshape(x.height, x.width, x.n)[:, :, :3].copy())
    return out


def field(rng, h, w, lo, hi, cells=4):
    """Slow changes of light over the page."""
    g = rng.uniform(lo, hi, (cells, cells)).astype(np.float32)
    return cv2.resize(g, (w, h), interpolation=cv2.INTER_CUBIC)[:, :, None]


def flatbed(a, r, rng, card):
    h, w = a.shape[:2]
    if card:  # the card lies somewhere on the glass
        m = r.randint(30, 160)
        a = cv2.copyMakeBorder(a, m, r.randint(30, 500), r.randint(20, 300), m, cv2.BORDER_CONSTANT, value=[r.randint(236, 255)] * 3)
        h, w = a.shape[:2]
    m = cv2.getRotationMatrix2D((w / 2, h / 2), r.gauss(0, .7), 1)
    a = cv2.warpAffine(a, m, (w, h), flags=cv2.INTER_CUBIC, borderValue=(r.choice([255, 250, 90]),) * 3).astype(np.float32)
    a = cv2.GaussianBlur(a, (0, 0), r.uniform(.35, .8))
    a = 255 * (a / 255) ** r.uniform(.8, 1.3) * r.uniform(.93, 1.03) + r.uniform(-4, 10)
    a = a * field(rng, h, w, .97, 1.0) + rng.normal(0, r.uniform(1, 5), (h, w, 1))
    if r.random() < .3:
        a[:, :r.randint(5, 30)] *= .55  # shadow of the lid
    for _ in range(r.randint(0, 14)):  # dust
        cv2.circle(a, (r.randrange(w), r.randrange(h)), r.randint(1, 2), (r.randint(60, 190),) * 3, -1)
    a = np.clip(a, 0, 255).astype(np.uint8)
    if r.random() < .3:
        a = cv2.cvtColor(cv2.cvtColor(a, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return a


def desk(rng, r, h, w):
    base = np.array(r.choice([(120, 84, 56), (70, 70, 74), (190, 186, 178), (150, 120, 90), (40, 60, 70)]), np.float32)
    grain = cv2.resize(rng.normal(0, 14, (h // 3, max(2, w // 60))).astype(np.float32), (w, h))
    return base + grain[:, :, None] + field(rng, h, w, -18, 18, 3)


def phone(a, r, rng, card):
    h, w = a.shape[:2]
    k = r.uniform(.05, .16)
    H, W = int(h * (1 + 2 * k)), int(w * (1 + 2 * k))
    j = lambda s: r.uniform(-s, s)
    q = .022
    src = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
    dst = np.float32([[x * w + k * w + j(q * w), y * h + k * h + j(q * h)] for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))])
    m = cv2.getPerspectiveTransform(src, dst)
    mask = cv2.warpPerspective(np.ones((h, w), np.float32), m, (W, H))[:, :, None]
    shade = cv2.GaussianBlur(cv2.warpPerspective(np.ones((h, w), np.float32), m + np.float32([[0, 0, 9], [0, 0, 12], [0, 0, 0]]), (W, H)), (0, 0), 12)[:, :,
        None]
    out = desk(rng, r, H, W) * (1 - .45 * shade)
    out = out * (1 - mask) + cv2.warpPerspective(a.astype(np.float32), m, (W, H), flags=cv2.INTER_CUBIC) * mask
    out *= field(rng, H, W, .80, 1.06)
    if r.random() < .5:  # the hand or the telephone throws a shadow
        s = np.ones((H, W), np.float32)
        cv2.ellipse(s, (int(W * r.random()), int(H * r.uniform(.3, 1.1))), (int(W * r.uniform(.2, .5)), int(H * r.uniform(.15, .4))), r.uniform(0, 180), 0,
            360, r.uniform(.66, .86), -1)
        out *= cv2.GaussianBlur(s, (0, 0), W / 22)[:, :, None]
    if card and r.random() < .4:  # glare on plastic
        s = np.zeros((H, W), np.float32)
        cv2.ellipse(s, (int(W * r.random()), int(H * r.random())), (W // 8, H // 9), 30, 0, 360, 70, -1)
        out += cv2.GaussianBlur(s, (0, 0), W / 20)[:, :, None]
    out *= np.float32([r.uniform(.96, 1.06), 1.0, r.uniform(.88, 1.03)])
    out = cv2.GaussianBlur(out, (0, 0), r.uniform(.5, 1.15))
    out += rng.normal(0, r.uniform(2, 7), (H, W, 3))
    return np.clip(out, 0, 255).astype(np.uint8)


def jpeg(a, r, made, camera, q=None):
    b = io.BytesIO()
    ex = b""
    if camera and r.random() < .6:
        s = made.strftime("%Y:%m:%d %H:%M:%S")
        mk = r.choice([("Apple", "iPhone 13"), ("samsung", "SM-A546B"), ("Google", "Pixel 7a"), ("Xiaomi", "Redmi Note 12")])
        ex = piexif.dump({"0th": {piexif.ImageIFD.Make: mk[0], piexif.ImageIFD.Model: mk[1], piexif.ImageIFD.DateTime: s, piexif.ImageIFD.Orientation: 1},
            "Exif": {piexif.ExifIFD.DateTimeOriginal: s}})
    Image.fromarray(a).save(b, "JPEG", quality=q or r.randint(50, 90), exif=ex)
    return b.getvalue()


def capture(pdf, r, medium, card, made):
    """The bytes of a scan and the way it was taken."""
    rng = np.random.default_rng(r.randint(0, 2 ** 31))
    cam = r.random() < (.2 if medium == "scan_pdf" else .35 if medium == "scan_png" else .65)
    dpi = r.randint(230, 330) if card and cam else r.randint(170, 220) if card else r.randint(110, 220)
    pages = [(phone if cam else flatbed)(a, r, rng, card) for a in page_images(pdf, dpi)[:3 if medium == "scan_pdf" else 1]]
    how = ("phone" if cam else "flatbed") + f" {dpi} dpi"
    if medium == "scan_jpeg":
        return jpeg(pages[0], r, made, cam), how
    if medium == "scan_png":
        a = pages[0]
        if r.random() < .5:  # a screen-sized picture with few colours
            return_im = Image.fromarray(a).quantize(64)
        else:
            return_im = Image.fromarray(a)
        b = io.BytesIO()
        return_im.save(b, "PNG", dpi=(dpi, dpi))
        return b.getvalue(), how
    data = [jpeg(a, r, made, False) for a in pages]
    prod = r.choice(["Canon iR-ADV C3525", "RICOH MP C3004", "Adobe Scan for iOS", "HP Scan", "Brother MFC-L2710DW", None, "NAPS2"])
    lay = img2pdf.get_fixed_dpi_layout_fun((dpi, dpi))
    return img2pdf.convert(data, layout_fun=lay, producer=prod or "", creationdate=made, moddate=made, nodate=prod is None), how
