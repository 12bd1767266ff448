"""A photograph of a screen that shows a photograph."""
import cv2
import numpy as np


def to_linear(x):
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4).astype(np.float32)


def to_display(x):
    x = np.clip(x, 0, 1)
    return np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055).astype(np.float32)


def panel(picture, rng, width, height):
    """What the panel emits: a window with the picture, and every pixel made of three stripes."""
    shown = np.zeros((height, width, 3), np.uint8)
    shown[:] = rng.choice([(18, 18, 18), (32, 32, 34), (0, 0, 0), (238, 238, 240)])
    h, w = picture.shape[:2]
    scale = min(width / w, height / h)
    full = rng.random() < 0.5
    if full:  # zoomed until the screen is filled
        scale = max(width / w, height / h) if max(width / w, height / h) < 1.6 * scale else scale
    nw, nh = round(w * scale), round(h * scale)
    small = cv2.resize(picture, (nw, nh), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    x0, y0 = max(0, (nw - width) // 2), max(0, (nh - height) // 2)
    small = small[y0 : y0 + height, x0 : x0 + width]
    left, top = (width - small.shape[1]) // 2, (height - small.shape[0]) // 2
    shown[top : top + small.shape[0], left : left + small.shape[1]] = small
    box = (left, top, small.shape[1], small.shape[0])
    light = to_linear(shown.astype(np.float32) / 255)
    # 3 x 3 samples a pixel: red, green and blue stripes; the third row is partly the black matrix
    matrix = float(rng.uniform(0.25, 0.6))
    fine = np.zeros((height * 3, width * 3, 3), np.float32)
    leak = float(rng.uniform(0.02, 0.07))
    for c in range(3):
        for s in range(3):
            weight = 1.0 if s == c else leak
            fine[0::3, s::3, c] = light[:, :, c] * weight
            fine[1::3, s::3, c] = light[:, :, c] * weight
            fine[2::3, s::3, c] = light[:, :, c] * weight * (1 - matrix)
    return fine, box


def photograph(picture, rng, frame):
    """The screen seen by a phone of the given frame (width, height). Returns the pixels, the displayed picture's box."""
    width, height = (1920, 1080) if rng.random() < 0.7 else (1680, 1050)
    if picture.shape[0] > picture.shape[1]:
        # a portrait picture stands between bars, or the camera looks at the middle of the screen
        width, height = (1366, 1080)
    fine, box = panel(picture, rng, width, height)
    fh, fw = fine.shape[:2]
    cw, ch = frame
    bezel = rng.random() < 0.45
    cover = float(rng.uniform(0.86, 0.95)) if bezel else float(rng.uniform(1.04, 1.16))
    scale = cover * (min(cw / fw, ch / fh) if bezel else max(cw / box[2], ch / box[3]) / 3)
    # the picture's middle comes to the frame's middle
    mid = np.array([(box[0] + box[2] / 2) * 3, (box[1] + box[3] / 2) * 3]) if not bezel else np.array([fw / 2, fh / 2])
    angle = np.deg2rad(rng.normal(0, 1.3))
    tilt = rng.normal(0, 1, 2) * np.array([0.035, 0.03])
    corners = np.array([[0, 0], [fw, 0], [fw, fh], [0, fh]], np.float32)
    rot = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = []
    for p in corners:
        d = (rot @ (p - mid)) * scale
        depth = 1 + tilt[0] * d[0] / (cw / 2) + tilt[1] * d[1] / (ch / 2)
        moved.append(d / depth + np.array([cw / 2, ch / 2]) + rng.normal(0, 0.004, 2) * min(cw, ch))
    m = cv2.getPerspectiveTransform(corners, np.array(moved, np.float32))
    # lens: blur in the panel's samples such that a camera pixel sees about one pixel of light
    sigma = float(rng.uniform(0.42, 0.62)) / scale
    fine = cv2.GaussianBlur(fine, (0, 0), max(0.3, sigma))
    room = float(rng.uniform(0.002, 0.012))
    seen = cv2.warpPerspective(fine, m, (cw, ch), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(room, room, room))
    del fine
    yy, xx = np.mgrid[0:ch, 0:cw].astype(np.float32)
    xn, yn = (xx - cw / 2) / (cw / 2), (yy - ch / 2) / (ch / 2)
    r2 = xn * xn + yn * yn
    vignette = 1 - float(rng.uniform(0.1, 0.22)) * r2
    # the panel is darker and bluish from the side; a window is reflected softly
    side = 1 - float(rng.uniform(0, 0.14)) * (xn * float(rng.choice([-1, 1])) + 1) / 2
    gx, gy, gs = rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8), rng.uniform(0.35, 0.8)
    glare = float(rng.uniform(0.004, 0.05)) * np.exp(-(((xn - gx) / gs) ** 2 + ((yn - gy) / (gs * 0.7)) ** 2))
    seen *= (vignette * side)[..., None]
    white = np.array([rng.uniform(0.9, 1.0), 1.0, rng.uniform(1.02, 1.16)], np.float32)
    gamut = np.eye(3, dtype=np.float32) * (1 - 0.09) + 0.03  # a camera's view of a panel's primaries
    seen = seen @ gamut.T * white + room * 0.6 + glare[..., None] * np.array([0.95, 1.0, 1.1], np.float32)
    exposure = float(rng.uniform(0.8, 1.0)) / max(0.25, float(np.percentile(seen, 98.5)))
    seen = np.clip(seen * min(exposure, 2.6), 0, 1.4)
    # sensor: noise of photons and reading, a Bayer mosaic, and its interpolation
    gain = float(rng.uniform(0.0008, 0.0025))
    seen = seen + rng.standard_normal(seen.shape, dtype=np.float32) * np.sqrt(np.clip(seen, 0, None) * gain + 2e-6)
    seen = np.clip(seen, 0, 1)
    mosaic = np.empty((ch, cw), np.float32)
    mosaic[0::2, 0::2] = seen[0::2, 0::2, 0]
    mosaic[0::2, 1::2] = seen[0::2, 1::2, 1]
    mosaic[1::2, 0::2] = seen[1::2, 0::2, 1]
    mosaic[1::2, 1::2] = seen[1::2, 1::2, 2]
    del seen
    raw = (np.sqrt(mosaic) * 65535).astype(np.uint16)
    rgb = cv2.cvtColor(raw, cv2.COLOR_BayerBG2RGB).astype(np.float32) / 65535
    out = to_display(rgb * rgb)
    # phone: noise reduction in colour, sharpening, a little contrast
    ycc = cv2.cvtColor(out, cv2.COLOR_RGB2YCrCb)
    for c in (1, 2):
        ycc[..., c] = cv2.GaussianBlur(ycc[..., c], (0, 0), 1.0)
    y = ycc[..., 0]
    ycc[..., 0] = y + float(rng.uniform(0.25, 0.6)) * (y - cv2.GaussianBlur(y, (0, 0), 1.4))
    out = cv2.cvtColor(ycc, cv2.COLOR_YCrCb2RGB)
    out = np.clip((out - 0.5) * float(rng.uniform(1.0, 1.1)) + 0.5, 0, 1)
    quad = np.array([[box[0], box[1]], [box[0] + box[2], box[1]], [box[0] + box[2], box[1] + box[3]], [box[0], box[1] + box[3]]], np.float32) * 3
    at = cv2.perspectiveTransform(quad[None], m)[0]
    x0, y0 = np.clip(at.min(0), 0, [cw, ch])
    x1, y1 = np.clip(at.max(0), 0, [cw, ch])
    region = [int(x0), int(y0), int(np.ceil(x1 - x0)), int(np.ceil(y1 - y0))]
    return (out * 255 + 0.5).astype(np.uint8), region, {"panel": [width, height], "bezel": bool(bezel), "zoom": round(scale * 3, 3)}
