"""Edits of a photograph, each by the tools that people have: clone stamp, healing, blur, paste, brush, text.

An edit takes (pixels, rng, context) and returns (pixels, details) or None if the picture does not suit it.
"""
import glob
import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

cv2.setNumThreads(1)
FONTS = "/usr/share/fonts"

# ---------------------------------------------------------------- looking at a picture


def grey(img):
    return cv2.cvtColor(img, cv2.COLOR_RGB2GRAY)


def small(img, longest=480):
    h, w = img.shape[:2]
    s = longest / max(h, w)
    return cv2.resize(img, (max(8, round(w * s)), max(8, round(h * s))), interpolation=cv2.INTER_AREA), s


def fineness(img):
    """The noise and sharpness of a patch: a robust size of its finest detail."""
    g = grey(img).astype(np.float32)
    d = g - cv2.GaussianBlur(g, (0, 0), 1.0)
    return float(np.median(np.abs(d)) * 1.4826) + 1e-3


def box_stats(img):
    """Maps on a small copy: detail, mean light, share of clipped light."""
    s, scale = small(img)
    g = grey(s).astype(np.float32)
    detail = np.abs(cv2.Laplacian(cv2.GaussianBlur(g, (0, 0), 0.8), cv2.CV_32F))
    clipped = ((g < 8) | (g > 248)).astype(np.float32)
    return s, scale, cv2.integral(detail), cv2.integral(g), cv2.integral(clipped), cv2.integral(g * g)


def box_sum(table, x, y, w, h):
    return table[y + h, x + w] - table[y, x + w] - table[y + h, x] + table[y, x]


def find_box(img, rng, share, want, tries=160, aspect=(0.5, 2.0), avoid=None):
    """A box of the wanted share of the picture: `detail`, `plain`, or `any`. Clipped areas are avoided."""
    s, scale, detail, light, clipped, square = box_stats(img)
    sh, sw = s.shape[:2]
    best = None
    for _ in range(tries):
        area = float(rng.uniform(*share)) * sh * sw
        ratio = math.exp(rng.uniform(math.log(aspect[0]), math.log(aspect[1])))
        w, h = int(math.sqrt(area * ratio)), int(math.sqrt(area / ratio))
        if w < 8 or h < 8 or w >= sw * 0.9 or h >= sh * 0.9:
            continue
        x, y = int(rng.integers(int(sw * 0.03), max(int(sw * 0.03) + 1, int(sw * 0.97) - w))), int(
            rng.integers(int(sh * 0.03), max(int(sh * 0.03) + 1, int(sh * 0.97) - h))
        )
        if x + w >= sw or y + h >= sh:
            continue
        if avoid is not None and overlap((x, y, w, h), [v * scale for v in avoid]) > 0.02:
            continue
        n = w * h
        d = box_sum(detail, x, y, w, h) / n
        c = box_sum(clipped, x, y, w, h) / n
        mean = box_sum(light, x, y, w, h) / n
        spread = math.sqrt(max(0.0, box_sum(square, x, y, w, h) / n - mean * mean))
        middle = 1 - 0.6 * (abs((x + w / 2) / sw - 0.5) + abs((y + h / 2) / sh - 0.5))
        if c > 0.25 or not 25 < mean < 235:
            continue
        if want == "detail":
            score = d * (0.5 + spread / 60) * middle
        elif want == "plain":
            score = -d - spread * 0.15
        else:
            score = rng.random() + middle
        score *= 1 + 0.25 * rng.random() * (1 if score > 0 else -1)
        if best is None or score > best[0]:
            best = (score, x, y, w, h)
    if best is None:
        return None
    return [int(v / scale) for v in best[1:]]


def overlap(a, b):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(0, w) * max(0, h) / max(1, min(a[2] * a[3], b[2] * b[3]))


def clamp_box(box, shape, margin=0):
    h, w = shape[:2]
    x, y, bw, bh = box
    x0, y0 = max(0, int(x - margin)), max(0, int(y - margin))
    x1, y1 = min(w, int(x + bw + margin)), min(h, int(y + bh + margin))
    return [x0, y0, x1 - x0, y1 - y0]


# ---------------------------------------------------------------- masks and blending


def blob(h, w, rng, rough=0.16):
    """A round, irregular shape that fills h x w, as a person draws it with a lasso."""
    n = 96
    angles = np.linspace(0, 2 * np.pi, n, endpoint=False)
    radius = np.ones(n)
    for k in range(2, 7):
        radius += rough / k * 1.6 * rng.normal() * np.cos(k * angles + rng.uniform(0, 6.28))
    power = rng.uniform(2.0, 3.6)
    radius /= (np.abs(np.cos(angles)) ** power + np.abs(np.sin(angles)) ** power) ** (1 / power)
    x, y = radius * np.cos(angles), radius * np.sin(angles)
    x = (x - x.min()) / (x.max() - x.min()) * (w - 1)
    y = (y - y.min()) / (y.max() - y.min()) * (h - 1)
    mask = np.zeros((h, w), np.uint8)
    cv2.fillPoly(mask, [np.stack([x, y], 1).round().astype(np.int32)], 255)
    return mask.astype(np.float32) / 255


def feather(mask, width, inside=True):
    """Softens the border; inside means that nothing outside the mask changes."""
    if width < 0.3:
        return mask
    if inside:
        k = 2 * int(round(width)) + 1
        mask = cv2.erode(np.pad(mask, 1), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (k, k)))[1:-1, 1:-1]
    return cv2.GaussianBlur(mask, (0, 0), width * 0.6)


def blend(under, over, alpha):
    a = alpha[..., None].astype(np.float32)
    return np.clip(under.astype(np.float32) * (1 - a) + over.astype(np.float32) * a + 0.5, 0, 255).astype(np.uint8)


def lab(img):
    return cv2.cvtColor(img.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)


def unlab(x):
    return np.clip(cv2.cvtColor(x.astype(np.float32), cv2.COLOR_LAB2RGB) * 255 + 0.5, 0, 255).astype(np.uint8)


def match_light(patch, mask, around, strength, cap=14.0):
    """Shifts the colours of a patch towards those of its new place."""
    p, a = lab(patch), lab(around)
    inside = mask > 0.5
    if inside.sum() < 20:
        return patch
    shift = a.reshape(-1, 3).mean(0) - p[inside].mean(0)
    limit = np.array([cap, cap * 0.6, cap * 0.6])
    return unlab(p + np.clip(shift * strength, -limit, limit))


def match_grain(patch, wanted, rng):
    """Adds grain if the patch is smoother than its new place, and softens it if it is rougher."""
    have = fineness(patch)
    if have < wanted * 0.8:
        sigma = min(9.0, math.sqrt(max(0.0, wanted**2 - have**2)))
        noise = rng.standard_normal(patch.shape[:2], dtype=np.float32)
        noise = cv2.GaussianBlur(noise, (0, 0), 0.6) * 1.6
        colour = rng.standard_normal(patch.shape, dtype=np.float32) * 0.35
        return np.clip(patch + sigma * (noise[..., None] + colour) + 0.5, 0, 255).astype(np.uint8)
    if have > wanted * 2.2:
        return cv2.GaussianBlur(patch, (0, 0), 0.7)
    return patch


def poisson(img, patch, mask, x, y):
    """The healing brush: the patch's detail with the light of its new place."""
    h, w = mask.shape
    m = (mask > 0.5).astype(np.uint8) * 255
    m[0, :] = m[-1, :] = m[:, 0] = m[:, -1] = 0
    ys, xs = np.nonzero(m)
    if len(ys) < 50:
        return None
    pad = 12
    box = clamp_box((x, y, w, h), img.shape, pad)
    if box[0] > x - 2 or box[1] > y - 2 or box[0] + box[2] < x + w + 2 or box[1] + box[3] < y + h + 2:
        return None
    under = img[box[1] : box[1] + box[3], box[0] : box[0] + box[2]].copy()
    ox, oy = x - box[0], y - box[1]
    centre = (ox + (int(xs.min()) + int(xs.max()) + 1) // 2, oy + (int(ys.min()) + int(ys.max()) + 1) // 2)
    done = cv2.seamlessClone(
        np.ascontiguousarray(patch[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]),
        under,
        np.ascontiguousarray(m[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]),
        centre,
        cv2.NORMAL_CLONE,
    )
    out = img.copy()
    out[box[1] : box[1] + box[3], box[0] : box[0] + box[2]] = done
    return out


def object_mask(img, box, rng):
    """The object in a box, cut out by GrabCut; None if nothing stands out."""
    roi = clamp_box(box, img.shape, 0.18 * max(box[2], box[3]))
    part = img[roi[1] : roi[1] + roi[3], roi[0] : roi[0] + roi[2]]
    s = 260 / max(part.shape[:2])
    tiny = cv2.resize(part, None, fx=s, fy=s, interpolation=cv2.INTER_AREA if s < 1 else cv2.INTER_LINEAR)
    th, tw = tiny.shape[:2]
    rect = (
        max(1, int((box[0] - roi[0]) * s)),
        max(1, int((box[1] - roi[1]) * s)),
        int(box[2] * s),
        int(box[3] * s),
    )
    rect = (rect[0], rect[1], min(rect[2], tw - rect[0] - 1), min(rect[3], th - rect[1] - 1))
    if rect[2] < 12 or rect[3] < 12:
        return None
    cv2.setRNGSeed(int(rng.integers(1, 2**31 - 1)))
    mask = np.zeros((th, tw), np.uint8)
    try:
        cv2.grabCut(tiny, mask, rect, np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
    except cv2.error:
        return None
    fg = ((mask == 1) | (mask == 3)).astype(np.uint8)
    fg = cv2.morphologyEx(fg, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(fg)
    if count < 2:
        return None
    biggest = 1 + int(np.argmax(stats[1:, 4]))
    fg = (labels == biggest).astype(np.uint8)
    share = fg.sum() / (rect[2] * rect[3])
    if not 0.22 < share < 0.93:
        return None
    contours, _ = cv2.findContours(fg, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(fg, contours, -1, 1, -1)
    soft = cv2.GaussianBlur(fg.astype(np.float32), (0, 0), 1.2)
    soft = cv2.resize(soft, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_CUBIC)
    edge = max(1.0, 0.5 / s)
    out = np.clip((soft - 0.5) * 3.2 / edge * 2 + 0.5, 0, 1).astype(np.float32)
    ys, xs = np.nonzero(out > 0.02)
    if len(ys) == 0:
        return None
    y0, y1, x0, x1 = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
    return out[y0:y1, x0:x1], [roi[0] + int(x0), roi[1] + int(y0), int(x1 - x0), int(y1 - y0)]


def ring_colour(l, x, y, w, h, band):
    y0, y1, x0, x1 = max(0, y - band), min(l.shape[0], y + h + band), max(0, x - band), min(l.shape[1], x + w + band)
    block = l[y0:y1, x0:x1]
    keep = np.ones(block.shape[:2], bool)
    keep[y - y0 : y - y0 + h, x - x0 : x - x0 + w] = False
    return block[keep]


def best_place(img, w, h, like, rng, avoid=(), tries=140, inside=None):
    """A place for a patch where the surroundings resemble `like` (a list of Lab colours around it)."""
    s, scale = small(img, 300)
    l = lab(s)
    sw, sh = max(2, int(w * scale)), max(2, int(h * scale))
    if sw >= s.shape[1] - 4 or sh >= s.shape[0] - 4:
        return None
    mean, dev = like.reshape(-1, 3).mean(0), like.reshape(-1, 3).std(0)
    best = None
    for _ in range(tries):
        x, y = int(rng.integers(1, s.shape[1] - sw - 1)), int(rng.integers(1, s.shape[0] - sh - 1))
        if any(overlap((x, y, sw, sh), [v * scale for v in a]) > 0.0 for a in avoid):
            continue
        ring = ring_colour(l, x, y, sw, sh, max(2, min(sw, sh) // 6))
        if inside == "low" and y + sh < s.shape[0] * 0.45:
            continue
        cost = np.abs(ring.mean(0) - mean).sum() + 0.7 * np.abs(ring.std(0) - dev).sum() + 3 * rng.random()
        light = l[y : y + sh, x : x + sw, 0]
        if ((light > 97) | (light < 3)).mean() > 0.3:
            cost += 25
        if best is None or cost < best[0]:
            best = (cost, x, y)
    if best is None:
        return None
    return int(best[1] / scale), int(best[2] / scale), best[0]


def put(img, patch, alpha, x, y):
    out = img.copy()
    h, w = alpha.shape
    out[y : y + h, x : x + w] = blend(img[y : y + h, x : x + w], patch, alpha)
    return out


def around(img, box, share=0.25):
    x, y, w, h = box
    m = int(share * max(w, h)) + 4
    b = clamp_box(box, img.shape, m)
    block = img[b[1] : b[1] + b[3], b[0] : b[0] + b[2]]
    keep = np.ones(block.shape[:2], bool)
    keep[y - b[1] : y - b[1] + h, x - b[0] : x - b[0] + w] = False
    return block[keep].reshape(-1, 1, 3)


# ---------------------------------------------------------------- edits


def choose_object(img, context, rng, share, pad=0.0):
    """A box to work on: one that was marked in the picture, or one with much detail."""
    h, w = img.shape[:2]
    marked = []
    for o in context["places"].get("objects", []):
        box = [int(o[0] * w), int(o[1] * h), int(o[2] * w), int(o[3] * h)]
        grown = clamp_box(box, img.shape, pad * max(box[2], box[3]))
        if share[0] * 0.75 <= grown[2] * grown[3] / (w * h) <= share[1] * 1.1:
            marked.append(box)
    if marked:
        return marked[int(rng.integers(len(marked)))], True
    return find_box(img, rng, share, "detail", aspect=(0.6, 1.7)), False


def copy_move(img, rng, context):
    """A detail is there twice: damage duplicated, an object doubled."""
    box, marked = choose_object(img, context, rng, (0.025, 0.12))
    if box is None:
        return None
    cut = object_mask(img, box, rng) if marked or rng.random() < 0.4 else None
    if cut is not None and cut[1][2] * cut[1][3] >= 0.02 * img.shape[0] * img.shape[1]:
        mask, box = cut
        how = "object"
    else:
        mask, how = blob(box[3], box[2], rng), "lasso"
    x, y, w, h = box
    patch = img[y : y + h, x : x + w]
    flip = rng.random() < 0.15
    if flip:
        patch, mask = patch[:, ::-1], mask[:, ::-1]
    like = lab(around(img, box))
    place = best_place(img, w, h, like, rng, avoid=[box])
    if place is None:
        return None
    tx, ty, _ = place
    target = [tx, ty, w, h]
    method = "paste" if how == "object" or rng.random() < 0.6 else "healing"
    if method == "healing":
        out = poisson(img, patch, mask, tx, ty)
        if out is None:
            method = "paste"
    if method == "paste":
        patch = match_light(patch, mask, around(img, target), float(rng.uniform(0.0, 0.9)))
        soft = feather(mask, float(rng.uniform(0.8, 2.4)) if how == "object" else max(1.5, 0.02 * min(w, h) * rng.uniform(0.4, 1.6)))
        out = put(img, patch, soft, tx, ty)
    return out, {"how": how, "method": method, "flipped": bool(flip), "source": box}


def clone_stamp(img, mask, origin, offset, rng, hardness):
    """Paints over the mask with a round brush that copies from an offset."""
    h, w = mask.shape
    x, y = origin
    out = img.copy()
    radius = max(6, int(min(h, w) * rng.uniform(0.12, 0.22)))
    size = 2 * radius + 1
    yy, xx = np.mgrid[-radius : radius + 1, -radius : radius + 1] / radius
    d = np.sqrt(xx * xx + yy * yy)
    brush = np.clip((1 - d) / max(0.02, 1 - hardness), 0, 1).astype(np.float32)
    left = cv2.dilate(np.pad(mask, radius), np.ones((3, 3))) > 0.3
    step = max(3, int(radius * 0.55))
    H, W = img.shape[:2]
    for cy in range(0, h + 2 * radius, step):
        cols = range(0, w + 2 * radius, step)
        for cx in cols if (cy // step) % 2 == 0 else reversed(cols):
            if not left[min(cy, left.shape[0] - 1), min(cx, left.shape[1] - 1)]:
                continue
            px, py = x + cx - radius + int(rng.integers(-2, 3)), y + cy - radius + int(rng.integers(-2, 3))
            x0, y0, x1, y1 = px - radius, py - radius, px + radius + 1, py + radius + 1
            sx0, sy0 = x0 + offset[0], y0 + offset[1]
            if x0 < 0 or y0 < 0 or x1 > W or y1 > H or sx0 < 0 or sy0 < 0 or sx0 + size > W or sy0 + size > H:
                continue
            out[y0:y1, x0:x1] = blend(out[y0:y1, x0:x1], img[sy0 : sy0 + size, sx0 : sx0 + size], brush)
    return out


def clone_hide(img, rng, context):
    """An object or a damage is covered with the background next to it."""
    box, marked = choose_object(img, context, rng, (0.025, 0.13), pad=0.08)
    if box is None:
        return None
    cut = object_mask(img, box, rng) if marked else None
    if cut is not None:
        mask, box = cut
        grow = max(3, int(0.04 * max(box[2], box[3])))
        mask = np.pad(mask, grow)
        k = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * grow + 1, 2 * grow + 1))
        mask = cv2.dilate(mask, k)
        box = [box[0] - grow, box[1] - grow, mask.shape[1], mask.shape[0]]
    else:
        mask = blob(box[3], box[2], rng, 0.12)
    H, W = img.shape[:2]
    x, y, w, h = box
    if x < 4 or y < 4 or x + w > W - 4 or y + h > H - 4:
        return None
    like = lab(around(img, box, 0.2))
    mean, dev = like.reshape(-1, 3).mean(0), like.reshape(-1, 3).std(0)
    l, scale = small(img, 320)
    l = lab(l)
    best = []
    for _ in range(220):
        dx, dy = int(rng.normal(0, 1.3) * w), int(rng.normal(0, 1.0) * h)
        if x + dx < 2 or y + dy < 2 or x + w + dx > W - 2 or y + h + dy > H - 2:
            continue
        if overlap((x + dx, y + dy, w, h), box) > 0.12:
            continue
        block = l[int((y + dy) * scale) : int((y + dy + h) * scale) + 1, int((x + dx) * scale) : int((x + dx + w) * scale) + 1]
        cost = np.abs(block.reshape(-1, 3).mean(0) - mean).sum() + 0.8 * np.abs(block.reshape(-1, 3).std(0) - dev).sum()
        cost += 0.6 * math.hypot(dx / w, dy / h)
        best.append((cost, dx, dy))
    if not best:
        return None
    best.sort()
    _, dx, dy = best[0]
    method = str(rng.choice(["stamp", "stamp", "patch", "healing"]))
    if method == "healing":
        out = poisson(img, img[y + dy : y + dy + h, x + dx : x + dx + w], np.pad(mask, 0), x, y)
        if out is None:
            method = "patch"
    if method == "stamp":
        out = clone_stamp(img, mask, (x, y), (dx, dy), rng, float(rng.uniform(0.35, 0.8)))
    elif method == "patch":
        patch = match_light(img[y + dy : y + dy + h, x + dx : x + dx + w], mask, around(img, box), 0.8)
        out = put(img, patch, feather(mask, max(2.0, 0.03 * min(w, h)), inside=False), x, y)
    return out, {"method": method, "source": [x + dx, y + dy, w, h], "marked": bool(marked)}


def donor_object(context, rng, wanted):
    """An object of another photograph with its mask; its own area is near to the wanted one."""
    for _ in range(14):
        donor = context["donor"](rng)
        other = donor.upright()
        box, marked = choose_object(other, {"places": donor.notes}, rng, (0.02, 0.25))
        if box is None:
            continue
        cut = object_mask(other, box, rng)
        if cut is None:
            continue
        mask, box = cut
        ratio = math.sqrt(wanted / (box[2] * box[3]))
        if not 0.3 < ratio < 1.5:
            continue
        return donor.name, other[box[1] : box[1] + box[3], box[0] : box[0] + box[2]], mask, ratio
    return None


def scaled(patch, mask, ratio):
    h, w = mask.shape
    size = (max(8, round(w * ratio)), max(8, round(h * ratio)))
    how = cv2.INTER_AREA if ratio < 1 else cv2.INTER_CUBIC
    return cv2.resize(np.ascontiguousarray(patch), size, interpolation=how), np.clip(
        cv2.resize(mask, size, interpolation=cv2.INTER_AREA if ratio < 1 else cv2.INTER_LINEAR), 0, 1
    )


def splice(img, rng, context):
    """An object of another photograph, cut out and put in."""
    H, W = img.shape[:2]
    found = donor_object(context, rng, float(rng.uniform(0.03, 0.16)) * H * W)
    if found is None:
        return None
    name, patch, mask, ratio = found
    patch, mask = scaled(patch, mask, ratio)
    h, w = mask.shape
    if w > W * 0.7 or h > H * 0.7:
        return None
    if rng.random() < 0.3:
        patch, mask = patch[:, ::-1], mask[:, ::-1]
    like = lab(patch)
    place = best_place(img, w, h, like, rng, inside="low" if rng.random() < 0.7 else None)
    if place is None:
        return None
    x, y, _ = place
    target = [x, y, w, h]
    patch = match_light(np.ascontiguousarray(patch), mask, around(img, target), float(rng.uniform(0.25, 0.7)))
    patch = match_grain(patch, fineness(img[y : y + h, x : x + w]), rng) if rng.random() < 0.5 else patch
    out = img.copy()
    shadow = rng.random() < 0.4
    if shadow:  # a soft contact shadow below it
        dark = cv2.GaussianBlur(np.roll(mask, int(h * 0.03), 0), (0, 0), max(2.0, 0.03 * h)) * 0.28
        block = out[y : y + h, x : x + w].astype(np.float32) * (1 - dark[..., None])
        out[y : y + h, x : x + w] = block.astype(np.uint8)
    out = put(out, patch, feather(mask, float(rng.uniform(0.7, 2.2))), x, y)
    return out, {"donor": name, "scale": round(ratio, 3), "shadow": bool(shadow)}


def feathered_paste(img, rng, context):
    """A piece of this or another photograph, resized and turned, with a soft border."""
    H, W = img.shape[:2]
    same = rng.random() < 0.5
    if same:
        other, name = img, None
    else:
        donor = context["donor"](rng)
        other, name = donor.upright(), donor.name
    box = find_box(other, rng, (0.02, 0.14), "detail", aspect=(0.5, 2.0))
    if box is None:
        return None
    x, y, w, h = box
    patch = other[y : y + h, x : x + w]
    wanted = float(rng.uniform(0.03, 0.15)) * H * W
    ratio = math.sqrt(wanted / (w * h)) if not same else float(rng.uniform(0.65, 1.5))
    ratio = float(np.clip(ratio, 0.4, 1.7))
    if abs(ratio - 1) < 0.06:
        ratio = 1.12
    angle = float(rng.uniform(3, 24) * rng.choice([-1, 1]))
    nw, nh = round(w * ratio), round(h * ratio)
    mask = blob(h, w, rng, 0.08) if rng.random() < 0.6 else np.ones((h, w), np.float32)
    border = float(rng.uniform(0.05, 0.13)) * min(w, h)
    pad = int(border * 1.6) + 2
    inner = np.zeros_like(mask)
    tiny = cv2.resize(mask, (max(4, w - 2 * pad), max(4, h - 2 * pad)))
    inner[pad : pad + tiny.shape[0], pad : pad + tiny.shape[1]] = tiny
    mask = cv2.GaussianBlur(inner, (0, 0), border * 0.5)
    c, s = abs(math.cos(math.radians(angle))), abs(math.sin(math.radians(angle)))
    ow, oh = int(nw * c + nh * s) + 2, int(nw * s + nh * c) + 2
    if ow > W * 0.75 or oh > H * 0.75:
        return None
    m = cv2.getRotationMatrix2D((w / 2, h / 2), angle, ratio)
    m[0, 2] += ow / 2 - w / 2
    m[1, 2] += oh / 2 - h / 2
    kind = cv2.INTER_CUBIC if rng.random() < 0.6 else cv2.INTER_LINEAR
    turned = cv2.warpAffine(np.ascontiguousarray(patch), m, (ow, oh), flags=kind, borderMode=cv2.BORDER_REFLECT)
    soft = np.clip(cv2.warpAffine(mask, m, (ow, oh), flags=cv2.INTER_LINEAR), 0, 1)
    like = lab(around(other, box))
    place = best_place(img, ow, oh, like, rng, avoid=[box] if same else [])
    if place is None:
        return None
    tx, ty, _ = place
    target = [tx, ty, ow, oh]
    turned = match_light(turned, soft, around(img, target), float(rng.uniform(0.4, 0.95)), cap=18)
    out = put(img, turned, soft, tx, ty)
    return out, {"donor": name, "source": box, "scale": round(ratio, 3), "angle": round(angle, 1), "border": round(border * ratio, 1)}


# ---------------------------------------------------------------- filling a hole from its surroundings


def fill_level(image, hole, field, rng, passes, radius=3):
    """One level of a patch match: for every pixel near the hole, the source whose patch looks alike; then a vote."""
    h, w = hole.shape
    r = radius
    k = np.ones((2 * r + 1, 2 * r + 1), np.uint8)
    near = cv2.dilate(hole.astype(np.uint8), k) > 0
    good = cv2.dilate(hole.astype(np.uint8), k) == 0
    good[:r] = good[-r:] = False
    good[:, :r] = good[:, -r:] = False
    near[:r] = near[-r:] = False
    near[:, :r] = near[:, -r:] = False
    sources = np.argwhere(good)
    targets = np.argwhere(near)
    if len(sources) < 200 or len(targets) == 0:
        return None
    shifts = np.array([(a, b) for a in range(-r, r + 1) for b in range(-r, r + 1)])
    index = -np.ones((h, w), np.int64)
    index[targets[:, 0], targets[:, 1]] = np.arange(len(targets))
    if field is None:
        nn = sources[rng.integers(len(sources), size=len(targets))]
    else:
        nn = field[targets[:, 0], targets[:, 1]]
        bad = ~good[np.clip(nn[:, 0], 0, h - 1), np.clip(nn[:, 1], 0, w - 1)] | (nn < 0).any(1) | (nn[:, 0] >= h) | (nn[:, 1] >= w)
        nn = np.where(bad[:, None], sources[rng.integers(len(sources), size=len(targets))], nn)

    def gather(points):
        return image[points[:, None, 0] + shifts[None, :, 0], points[:, None, 1] + shifts[None, :, 1]]

    for _ in range(passes):
        want = gather(targets)
        cost = ((gather(nn) - want) ** 2).sum((1, 2))

        def consider(candidate):
            nonlocal nn, cost
            c0, c1 = np.clip(candidate[:, 0], 0, h - 1), np.clip(candidate[:, 1], 0, w - 1)
            fits = good[c0, c1]
            if not fits.any():
                return
            cand = np.stack([c0, c1], 1)
            c = np.full(len(cost), np.inf, np.float32)
            c[fits] = ((gather(cand[fits]) - want[fits]) ** 2).sum((1, 2))
            better = c < cost
            nn = np.where(better[:, None], cand, nn)
            cost = np.where(better, c, cost)

        for sweep in range(2):
            for step in (4, 2, 1):
                for d in ((0, step), (step, 0), (0, -step), (-step, 0)):
                    n0, n1 = np.clip(targets[:, 0] - d[0], 0, h - 1), np.clip(targets[:, 1] - d[1], 0, w - 1)
                    i = index[n0, n1]
                    ok = i >= 0
                    cand = nn.copy()
                    cand[ok] = nn[i[ok]] + np.array(d)
                    consider(cand)
            reach = max(h, w)
            while reach >= 1:
                consider(nn + rng.integers(-reach, reach + 1, size=nn.shape))
                reach //= 3
        total = np.zeros((h, w, 3), np.float32)
        weight = np.zeros((h, w), np.float32)
        votes = 1.0 / (1e-3 + cost / max(1e-6, float(np.median(cost)))) ** 1.2
        for s in shifts:
            at = targets + s
            np.add.at(total, (at[:, 0], at[:, 1]), image[nn[:, 0] + s[0], nn[:, 1] + s[1]] * votes[:, None].astype(np.float32))
            np.add.at(weight, (at[:, 0], at[:, 1]), votes.astype(np.float32))
        filled = total / np.maximum(weight, 1e-9)[..., None]
        image = np.where((hole & (weight > 0))[..., None], filled, image)
    full = np.full((h, w, 2), -1, np.int64)
    full[targets[:, 0], targets[:, 1]] = nn
    return image, full


def content_aware(img, mask, x, y, rng):
    """Fills the mask at (x, y) from its surroundings, as a program's object removal does."""
    h, w = mask.shape
    roi = clamp_box((x, y, w, h), img.shape, 0.75 * max(w, h))
    part = img[roi[1] : roi[1] + roi[3], roi[0] : roi[0] + roi[2]]
    hole = np.zeros(part.shape[:2], np.float32)
    hole[y - roi[1] : y - roi[1] + h, x - roi[0] : x - roi[0] + w] = mask
    scale = min(1.0, 190 / max(part.shape[:2]))
    field, image = None, None
    for level in (0.25, 0.5, 1.0):
        tw, th = max(24, round(part.shape[1] * scale * level)), max(24, round(part.shape[0] * scale * level))
        tiny = lab(cv2.resize(part, (tw, th), interpolation=cv2.INTER_AREA))
        gap = cv2.resize(hole, (tw, th), interpolation=cv2.INTER_AREA) > 0.05
        if image is None:
            start = cv2.inpaint(cv2.resize(part, (tw, th), interpolation=cv2.INTER_AREA), gap.astype(np.uint8), 3, cv2.INPAINT_TELEA)
            image = np.where(gap[..., None], lab(start), tiny)
        else:
            image = np.where(gap[..., None], cv2.resize(image, (tw, th), interpolation=cv2.INTER_LINEAR), tiny)
            ys, xs = np.mgrid[0:th, 0:tw]
            oh, ow = field.shape[:2]
            fy, fx = np.minimum(ys * oh // th, oh - 1), np.minimum(xs * ow // tw, ow - 1)
            up = field[fy, fx]
            off = np.where(up[..., :1] >= 0, up - np.stack([fy, fx], -1), 0)
            field = np.stack([ys, xs], -1) + np.round(off * np.array([th / oh, tw / ow])).astype(np.int64)
        done = fill_level(image.astype(np.float32), gap, field, rng, {0.25: 6, 0.5: 4, 1.0: 3}[level], radius=3 if level > 0.3 else 2)
        if done is None:
            return None
        image, field = done
    # the sources of the finest level, in the picture's own pixels; neighbouring sources are mixed at their borders
    fh, fw = field.shape[:2]
    ph, pw = part.shape[:2]
    sy, sx = ph / fh, pw / fw
    base = np.stack(np.mgrid[0:fh, 0:fw], -1)
    off = np.where(field[..., :1] >= 0, field - base, 0).astype(np.float32) * np.array([sy, sx], np.float32)
    ys, xs = np.mgrid[0:ph, 0:pw]
    total = np.zeros(part.shape, np.float32)
    count = np.zeros((ph, pw), np.float32)
    for a in (-0.5, 0.0, 0.5):
        for b in (-0.5, 0.0, 0.5):
            fy = np.clip(((ys + a * sy) / sy).astype(np.int64), 0, fh - 1)
            fx = np.clip(((xs + b * sx) / sx).astype(np.int64), 0, fw - 1)
            o = np.round(off[fy, fx]).astype(np.int64)
            qy, qx = ys + o[..., 0], xs + o[..., 1]
            ok = (qy >= 0) & (qy < ph) & (qx >= 0) & (qx < pw)
            qy, qx = np.clip(qy, 0, ph - 1), np.clip(qx, 0, pw - 1)
            ok &= hole[qy, qx] < 0.02
            weight = ok * (2.5 if a == 0 and b == 0 else 1.0)
            total += part[qy, qx] * weight[..., None]
            count += weight
    rough = cv2.resize(unlab(image), (pw, ph), interpolation=cv2.INTER_CUBIC)
    filled = np.where((count > 0)[..., None], total / np.maximum(count, 1)[..., None], rough).astype(np.float32)
    soft = cv2.GaussianBlur(cv2.dilate(hole, np.ones((5, 5), np.uint8)), (0, 0), 1.6)
    out = img.copy()
    out[roi[1] : roi[1] + roi[3], roi[0] : roi[0] + roi[2]] = blend(part, filled, soft)
    return out


def inpaint(img, rng, context):
    """An object is removed by a program's healing or object eraser."""
    box, marked = choose_object(img, context, rng, (0.025, 0.11), pad=0.06)
    if box is None:
        return None
    cut = object_mask(img, box, rng) if marked else None
    if cut is not None:
        mask, box = cut
        grow = max(3, int(0.035 * max(box[2], box[3])))
        mask = cv2.dilate(np.pad(mask, grow), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * grow + 1, 2 * grow + 1)))
        box = [box[0] - grow, box[1] - grow, mask.shape[1], mask.shape[0]]
    else:
        mask = blob(box[3], box[2], rng, 0.12)
    x, y, w, h = box
    H, W = img.shape[:2]
    if x < 2 or y < 2 or x + w > W - 2 or y + h > H - 2:
        return None
    method = str(rng.choice(["content-aware", "content-aware", "content-aware", "diffusion"]))
    if method == "content-aware":
        out = content_aware(img, mask, x, y, rng)
        if out is None:
            method = "diffusion"
    if method == "diffusion":
        roi = clamp_box((x, y, w, h), img.shape, 0.3 * max(w, h))
        part = img[roi[1] : roi[1] + roi[3], roi[0] : roi[0] + roi[2]]
        hole = np.zeros(part.shape[:2], np.uint8)
        hole[y - roi[1] : y - roi[1] + h, x - roi[0] : x - roi[0] + w] = (mask > 0.2).astype(np.uint8)
        s = min(1.0, 420 / max(part.shape[:2]))
        tiny = cv2.resize(part, None, fx=s, fy=s, interpolation=cv2.INTER_AREA)
        gap = cv2.resize(hole, (tiny.shape[1], tiny.shape[0]), interpolation=cv2.INTER_NEAREST)
        flag = cv2.INPAINT_TELEA if rng.random() < 0.5 else cv2.INPAINT_NS
        filled = cv2.inpaint(tiny, gap, 4, flag)
        filled = cv2.GaussianBlur(filled, (0, 0), 1.2)
        filled = cv2.resize(filled, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_CUBIC)
        filled = match_grain(filled, fineness(part), rng)
        soft = cv2.GaussianBlur(cv2.dilate(hole.astype(np.float32), np.ones((5, 5), np.uint8)), (0, 0), 2.0)
        out = img.copy()
        out[roi[1] : roi[1] + roi[3], roi[0] : roi[0] + roi[2]] = blend(part, filled, soft)
    return out, {"method": method, "marked": bool(marked)}


def smudge(img, rng, context):
    """A detail is made unreadable: blurred, smeared or painted out softly."""
    box, marked = choose_object(img, context, rng, (0.025, 0.1))
    if box is None:
        return None
    x, y, w, h = box
    part = img[y : y + h, x : x + w]
    size = math.sqrt(w * h)
    method = str(rng.choice(["blur", "smear", "median", "finger"]))
    strength = float(rng.uniform(0.012, 0.032)) * size
    if method == "blur":
        done = cv2.GaussianBlur(part, (0, 0), max(2.0, strength))
    elif method == "smear":
        n = 2 * int(max(4, strength * 2.2)) + 1
        kernel = np.zeros((n, n), np.float32)
        angle = rng.uniform(0, np.pi)
        c = n // 2
        cv2.line(kernel, (int(c - c * math.cos(angle)), int(c - c * math.sin(angle))), (int(c + c * math.cos(angle)), int(c + c * math.sin(angle))), 1, max(1, n // 14))
        done = cv2.filter2D(part, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT)
    elif method == "median":
        s = min(1.0, 9 / max(3.0, strength))
        tiny = cv2.resize(part, None, fx=s, fy=s, interpolation=cv2.INTER_AREA)
        tiny = cv2.medianBlur(np.ascontiguousarray(tiny), 13)
        done = cv2.resize(tiny, (w, h), interpolation=cv2.INTER_CUBIC)
    else:  # the smudge tool: strokes pull the colours along
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        fx, fy = np.zeros((h, w), np.float32), np.zeros((h, w), np.float32)
        for _ in range(int(rng.integers(5, 10))):
            cx, cy, a = rng.uniform(0.2, 0.8) * w, rng.uniform(0.2, 0.8) * h, rng.uniform(0, 6.28)
            g = np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * (0.22 * size) ** 2))
            fx += g * math.cos(a) * 0.1 * size
            fy += g * math.sin(a) * 0.1 * size
        done = np.zeros(part.shape, np.float32)
        for t in np.linspace(0, 1, 9, dtype=np.float32):
            done += cv2.remap(part, (xx + fx * t).astype(np.float32), (yy + fy * t).astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT).astype(np.float32)
        done = (done / 9).astype(np.uint8)
    mask = feather(blob(h, w, rng, 0.1), 0.05 * size)
    return put(img, done, np.clip(mask * 1.15, 0, 1), x, y), {"method": method, "strength": round(strength, 1), "marked": bool(marked)}


# ---------------------------------------------------------------- digits


def font_files(*names):
    found = []
    for name in names:
        found += sorted(glob.glob(f"{FONTS}/**/{name}.ttf", recursive=True))
    if not found:
        raise SystemExit("no font found: install fonts-dejavu and fonts-liberation")
    return found


def copied_glyphs(img, box, rng):
    """Digits of a line are exchanged for other digits of the same line, each moved as a piece of the picture."""
    x, y, w, h = box
    part = img[y : y + h, x : x + w]
    g = grey(part)
    _, ink = cv2.threshold(g, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if ink.mean() > 0.5:
        ink = 1 - ink
    column = ink.sum(0) > max(1, 0.04 * h)
    runs, start = [], None
    for i in range(w + 1):
        on = i < w and column[i]
        if on and start is None:
            start = i
        if not on and start is not None:
            if 0.12 * h < i - start < 1.3 * h:
                runs.append((start, i))
            start = None
    if len(runs) < 3:
        return None
    order = list(range(len(runs)))
    out = img.copy()
    changed = 0
    rng.shuffle(order)
    for a in order[: max(2, (2 * len(runs)) // 3)]:
        choices = [b for b in range(len(runs)) if b != a and 0.6 < (runs[b][1] - runs[b][0]) / (runs[a][1] - runs[a][0]) < 1.6]
        if not choices:
            continue
        b = choices[int(rng.integers(len(choices)))]
        margin = max(1, int(0.06 * h))
        a0, a1 = max(0, runs[a][0] - margin), min(w, runs[a][1] + margin)
        b0, b1 = max(0, runs[b][0] - margin), min(w, runs[b][1] + margin)
        piece = cv2.resize(part[:, b0:b1], (a1 - a0, h), interpolation=cv2.INTER_CUBIC)
        mask = feather(np.ones((h, a1 - a0), np.float32), 0)
        mask[: max(1, h // 20)] *= 0.5
        mask[-max(1, h // 20) :] *= 0.5
        edge = max(1, margin // 2)
        mask[:, :edge] *= 0.5
        mask[:, -edge:] *= 0.5
        piece = match_light(piece, np.ones_like(mask), part[:, a0:a1], 0.8, cap=8)
        out = put(out, piece, mask, x + a0, y)
        changed += 1
    return (out, changed) if changed else None


def plate_picture(rng, kind, width):
    """A flat picture of a number plate, a meter's counter or a label, with new digits; drawn large."""
    digits = lambda n: "".join(str(rng.integers(10)) for _ in range(n))
    letters = lambda n: "".join(str(rng.choice(list("ABCDEFGHJKLMNPRSTVWXYZ"))) for _ in range(n))
    if kind == "plate":
        w, h = 1040, 220
        yellow = rng.random() < 0.25
        image = Image.new("RGB", (w, h), (236, 190, 60) if yellow else (233, 234, 232))
        d = ImageDraw.Draw(image)
        d.rounded_rectangle((3, 3, w - 4, h - 4), 18, outline=(25, 25, 28), width=7)
        d.rectangle((12, 12, 92, h - 13), fill=(22, 60, 150))
        font = ImageFont.truetype(font_files("LiberationSansNarrow-Bold", "DejaVuSansCondensed-Bold")[0], 176)
        text = str(rng.choice([f"{letters(2)}-{digits(3)}-{letters(2)}", f"{letters(1)}-{letters(2)} {digits(4)}", f"{digits(1)}-{letters(3)}-{digits(3)}"]))
        d.text((92 + (w - 92) / 2, h / 2), text, (18, 18, 22), font=font, anchor="mm")
        mini = ImageFont.truetype(font_files("LiberationSans-Bold")[0], 56)
        d.text((52, h - 50), str(rng.choice(["F", "B", "D", "L", "I"])), (240, 240, 240), font=mini, anchor="mm")
    elif kind == "counter":
        n = int(rng.integers(6, 9))
        cell, h = 150, 210
        w = n * cell + 40
        image = Image.new("RGB", (w, h), (46, 46, 48))
        d = ImageDraw.Draw(image)
        font = ImageFont.truetype(font_files("LiberationSans-Bold")[0], 150)
        for i, c in enumerate(digits(n)):
            red = i >= n - 3 and kind == "counter" and n > 6
            x = 20 + i * cell
            d.rectangle((x + 7, 14, x + cell - 7, h - 14), fill=(150, 26, 26) if red else (14, 14, 16))
            lift = float(rng.choice([0, 0, 0, 0.25])) * 30
            d.text((x + cell / 2, h / 2 - lift), c, (232, 232, 228), font=font, anchor="mm")
            for k in range(16):
                shade = 60 - 4 * k
                d.line((x + 7, 14 + k, x + cell - 7, 14 + k), fill=(shade // 3,) * 3)
                d.line((x + 7, h - 14 - k, x + cell - 7, h - 14 - k), fill=(shade // 3,) * 3)
    else:
        w, h = 900, 380
        paper = int(rng.integers(215, 245))
        image = Image.new("RGB", (w, h), (paper, paper, paper - 6))
        d = ImageDraw.Draw(image)
        head = ImageFont.truetype(font_files("DejaVuSans-Bold")[0], 58)
        body = ImageFont.truetype(font_files("DejaVuSansMono-Bold")[0], 66)
        d.rectangle((8, 8, w - 9, h - 9), outline=(50, 50, 50), width=4)
        d.text((40, 64), str(rng.choice(["SERIAL NO.", "N° DE SÉRIE", "TYPE / NO", "kWh  230 V"])), (30, 30, 34), font=head, anchor="lm")
        d.text((40, 170), f"{letters(2)}{digits(4)} {digits(5)}", (24, 24, 26), font=body, anchor="lm")
        x = 40
        while x < w - 60:
            bar = int(rng.integers(3, 12))
            d.rectangle((x, 240, x + bar, 340), fill=(20, 20, 22))
            x += bar + int(rng.integers(4, 12))
    flat = np.asarray(image)
    return cv2.resize(flat, (width, round(flat.shape[0] * width / flat.shape[1])), interpolation=cv2.INTER_AREA)


def digits_changed(img, rng, context):
    """A number in the picture is another one: digits moved within the line, or a plate, counter or label pasted."""
    H, W = img.shape[:2]
    lines = context["places"].get("digits", [])
    if lines and rng.random() < 0.85:
        line = lines[int(rng.integers(len(lines)))]
        box = [int(line[0] * W), int(line[1] * H), int(line[2] * W), int(line[3] * H)]
        done = copied_glyphs(img, box, rng)
        if done is not None:
            out, changed = done
            return out, {"method": "moved digits", "digits": changed, "line": box}
    kind = str(rng.choice(["plate", "counter", "label"]))
    share = float(rng.uniform(0.022, 0.07))
    ratio = {"plate": 4.73, "counter": 5.2, "label": 2.37}[kind]
    w = int(math.sqrt(share * H * W * ratio))
    w = min(w, int(W * 0.6))
    h = int(w / ratio)
    # a plate or a label is glued where one could be: on a wall, a box, a table
    surfaces = context["places"].get("surfaces", [])
    if not surfaces:
        return None
    sx, sy, sw, sh = surfaces[int(rng.integers(len(surfaces)))]
    shrink = min(1.0, 0.95 * sw * W / w, 0.95 * sh * H / h)
    w, h = int(w * shrink), int(h * shrink)
    x = int(sx * W + rng.uniform(0, 1) * max(0.0, sw * W - w))
    y = int(sy * H + rng.uniform(0, 1) * max(0.0, sh * H - h))
    flat = plate_picture(rng, kind, max(64, w))
    fh, fw = flat.shape[:2]
    if x + fw > W - 4 or y + fh > H - 4:
        return None
    # light of the place, perspective, sharpness and grain
    under = img[y : y + fh, x : x + fw]
    level = cv2.GaussianBlur(grey(under).astype(np.float32), (0, 0), 0.25 * fh + 1)
    level = 0.55 + 0.45 * np.clip(level / max(60.0, float(np.percentile(grey(img), 80))), 0.15, 1.15)
    tint = around(img, [x, y, fw, fh]).reshape(-1, 3).mean(0)
    tint = (tint / max(1.0, tint.mean())) ** 0.35
    lit = np.clip(flat.astype(np.float32) * level[..., None] * tint, 0, 255)
    jitter = rng.uniform(-0.035, 0.035, (4, 2)) * np.array([fh * 1.5, fh])
    corners = np.array([[0, 0], [fw, 0], [fw, fh], [0, fh]], np.float32)
    inner = np.array([[0.02 * fw, 0.05 * fh], [0.98 * fw, 0.05 * fh], [0.98 * fw, 0.95 * fh], [0.02 * fw, 0.95 * fh]])
    m = cv2.getPerspectiveTransform(corners, (inner + jitter).astype(np.float32))
    warped = cv2.warpPerspective(lit, m, (fw, fh), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    mask = np.clip(cv2.warpPerspective(np.ones((fh, fw), np.float32), m, (fw, fh), flags=cv2.INTER_LINEAR), 0, 1)
    blur = float(rng.uniform(0.6, 1.3)) * max(1.0, min(H, W) / 2200)
    patch = np.clip(cv2.GaussianBlur(warped, (0, 0), blur), 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        patch = match_grain(patch, fineness(under), rng)
    mask = cv2.GaussianBlur(mask, (0, 0), 0.7)
    shade = cv2.GaussianBlur(np.roll(mask, (max(1, fh // 40), max(1, fh // 60)), (0, 1)), (0, 0), max(1.0, fh / 50)) * 0.3
    base = img.copy()
    base[y : y + fh, x : x + fw] = (under * (1 - shade[..., None])).astype(np.uint8)
    return put(base, patch, mask, x, y), {"method": "pasted " + kind}


# ---------------------------------------------------------------- painted damage


def jagged(rng, start, angle, length, steps, wander):
    points = [np.array(start, float)]
    for _ in range(steps):
        angle += rng.normal(0, wander)
        points.append(points[-1] + length / steps * np.array([math.cos(angle), math.sin(angle)]))
    return np.array(points)


def draw_line(layer, points, width, value):
    for i in range(len(points) - 1):
        t = i / max(1, len(points) - 2)
        thick = max(1, int(round(width * (0.35 + 0.65 * math.sin(math.pi * min(0.97, 0.05 + t))))))
        cv2.line(layer, tuple(int(v * 8) for v in points[i]), tuple(int(v * 8) for v in points[i + 1]), value, thick, cv2.LINE_AA, 3)


def damage_painted(img, rng, context):
    """Damage is painted on: scratches, a crack, a dent, a stain, a burn."""
    box = find_box(img, rng, (0.03, 0.12), "plain" if rng.random() < 0.75 else "any", aspect=(0.5, 2.2), tries=220)
    if box is None:
        return None
    x, y, w, h = box
    part = img[y : y + h, x : x + w].astype(np.float32)
    size = math.sqrt(w * h)
    kind = str(rng.choice(["scratches", "crack", "dent", "stain", "burn"]))
    soft = max(0.7, size / 500)
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    done = part.copy()
    bright = float(part.mean()) / 255
    if kind == "scratches":
        layer, edge = np.zeros((h, w), np.float32), np.zeros((h, w), np.float32)
        main = rng.uniform(0, np.pi)
        for _ in range(int(rng.integers(5, 13))):
            length = size * rng.uniform(0.35, 0.9)
            angle = main + rng.normal(0, 0.14)
            start = np.array([rng.uniform(0.15, 0.85) * w, rng.uniform(0.15, 0.85) * h]) - 0.5 * length * np.array([math.cos(angle), math.sin(angle)])
            points = jagged(rng, start, angle, length, 26, 0.03)
            width = max(1.0, size * rng.uniform(0.003, 0.009))
            depth = float(rng.uniform(0.5, 1.0))
            one = np.zeros((h, w), np.float32)
            draw_line(one, points, width, depth)
            layer = np.maximum(layer, one)
            edge = np.maximum(edge, np.roll(one, (max(1, int(width * 0.6)),) * 2, (0, 1)) * 0.8)
        broken = cv2.GaussianBlur(rng.standard_normal((h, w), dtype=np.float32), (0, 0), 1.5)
        layer *= np.clip(0.75 + 1.6 * broken, 0.1, 1)
        layer, edge = cv2.GaussianBlur(layer, (0, 0), soft), cv2.GaussianBlur(edge, (0, 0), soft)
        tone = np.array([205, 203, 200], np.float32) if bright < 0.6 else np.array([88, 84, 80], np.float32)
        done = done * (1 - 0.45 * edge[..., None])
        done = done * (1 - 0.8 * layer[..., None]) + 0.8 * layer[..., None] * tone
    elif kind == "crack":
        layer = np.zeros((h, w), np.float32)
        centre = np.array([rng.uniform(0.3, 0.7) * w, rng.uniform(0.3, 0.7) * h])
        for k in range(int(rng.integers(4, 9))):
            angle = 2 * np.pi * k / 6 + rng.normal(0, 0.35)
            points = jagged(rng, centre, angle, size * rng.uniform(0.35, 0.62), 18, 0.16)
            draw_line(layer, points, max(1.0, size * 0.006), 1.0)
            for _ in range(int(rng.integers(0, 3))):
                i = int(rng.integers(4, 14))
                draw_line(layer, jagged(rng, points[i], angle + rng.normal(0, 0.8), size * rng.uniform(0.1, 0.3), 9, 0.2), max(1.0, size * 0.004), 0.8)
        lit = cv2.GaussianBlur(np.roll(layer, (1 + int(size * 0.003),) * 2, (0, 1)), (0, 0), soft)
        dark = cv2.GaussianBlur(layer, (0, 0), soft)
        done = done + 60 * lit[..., None]
        done = done * (1 - 0.75 * np.clip(dark, 0, 1)[..., None])
    elif kind == "dent":
        cx, cy, rx, ry = w / 2, h / 2, 0.46 * w, 0.46 * h
        u, v = (xx - cx) / rx, (yy - cy) / ry
        r = np.sqrt(u * u + v * v)
        bump = np.clip(1 - r * r, 0, 1) ** 2
        a = rng.uniform(0, 6.28)
        slope = (u * math.cos(a) + v * math.sin(a)) * bump
        pull = 0.22 * bump
        warped = cv2.remap(part, (xx - (xx - cx) * pull).astype(np.float32), (yy - (yy - cy) * pull).astype(np.float32), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        strength = float(rng.uniform(1.2, 2.0))
        done = warped * (1 + strength * slope)[..., None] * (1 - 0.25 * bump[..., None])
        crease = np.zeros((h, w), np.float32)
        draw_line(crease, jagged(rng, (cx - 0.25 * w, cy + rng.normal(0, 0.06) * h), rng.normal(0, 0.3), 0.5 * w, 14, 0.18), max(1.0, 0.01 * size), 1.0)
        crease = cv2.GaussianBlur(crease, (0, 0), soft * 2) * (r < 0.9)
        done = done * (1 - 0.5 * crease[..., None]) + 35 * np.roll(crease, int(0.012 * size) + 1, 0)[..., None]
    else:
        shape = cv2.GaussianBlur(feather(blob(h, w, rng, 0.3), 0.03 * size), (0, 0), 0.01 * size + 1)
        cloud = np.zeros((h, w), np.float32)
        for octave in (0.2, 0.08, 0.03):
            n = cv2.GaussianBlur(rng.standard_normal((h, w), dtype=np.float32), (0, 0), octave * size)
            cloud += n / (n.std() + 1e-6) * octave**0.5
        cloud = (cloud - cloud.mean()) / (cloud.std() + 1e-6)
        if kind == "stain":  # water or rust, darker at its rim
            rim = np.clip(1 - np.abs(shape - 0.45) / 0.3, 0, 1)
            tone = np.array([0.82, 0.72, 0.52], np.float32)
            amount = np.clip(shape * (0.5 + 0.15 * cloud) + 0.35 * rim * shape, 0, 1)[..., None]
            done = part * (1 - amount * (1 - tone * 0.86))
        else:  # soot
            amount = np.clip(shape * (0.85 + 0.22 * cloud), 0, 0.93)[..., None]
            done = part * (1 - amount) + amount * np.array([34, 30, 28], np.float32) * (0.8 + 0.3 * np.clip(cloud, -1, 1))[..., None]
    margin = np.minimum(np.minimum(xx, w - 1 - xx), np.minimum(yy, h - 1 - yy))
    fade = np.clip(margin / max(2.0, 0.03 * size), 0, 1)
    done = part * (1 - fade[..., None]) + done * fade[..., None]
    grain = float(rng.uniform(0.0, 1.0)) * fineness(img[y : y + h, x : x + w])
    changed = np.abs(done - part).max(2) > 6
    done = done + (rng.standard_normal((h, w), dtype=np.float32) * grain * changed)[..., None]
    out = img.copy()
    out[y : y + h, x : x + w] = np.clip(done + 0.5, 0, 255).astype(np.uint8)
    return out, {"method": kind}


# ---------------------------------------------------------------- text


def text_painted(img, rng, context):
    """Something is painted over with a brush or a rectangle, often with other text on it; or a date is stamped."""
    H, W = img.shape[:2]
    method = str(rng.choice(["date stamp", "cover", "cover and text", "cover and text", "note"]))
    date = f"{rng.integers(1, 29):02}.{rng.integers(8, 13):02}.2026"
    clock = f"{rng.integers(7, 22):02}:{rng.integers(60):02}"
    sans = font_files("DejaVuSans-Bold", "LiberationSans-Bold")[0]
    if method == "date stamp":
        text = str(rng.choice([date.replace(".", "/"), f"{date[6:]} {date[3:5]} {date[:2]}  {clock}", f"{date} {clock}"]))
        size = int(math.sqrt(0.026 * H * W / (0.6 * len(text))) * rng.uniform(1.0, 1.35))
        font = ImageFont.truetype(font_files("DejaVuSansMono-Bold", "LiberationMono-Bold")[0], size)
        left, top, right, bottom = font.getbbox(text)
        if right - left > 0.85 * W:
            return None
        x, y = int(W * 0.965 - right), int(H * 0.955 - bottom)
        sheet = Image.new("L", (W, H), 0)
        ImageDraw.Draw(sheet).text((x, y), text, 255, font=font)
        mask = cv2.GaussianBlur(np.asarray(sheet, np.float32) / 255, (0, 0), max(0.6, size / 45))
        glow = cv2.GaussianBlur(mask, (0, 0), size / 9) * 0.35
        tone = np.array([(255, 140, 30), (255, 190, 40), (240, 60, 30)][int(rng.integers(3))], np.float32)
        out = blend(img, np.broadcast_to(tone, img.shape), np.clip(mask * 0.95 + glow * (1 - mask), 0, 1))
        return out, {"method": method, "text": text}
    box, marked = choose_object(img, context, rng, (0.025, 0.09))
    if box is None:
        return None
    x, y, w, h = clamp_box(box, img.shape, -2)
    part = img[y : y + h, x : x + w]
    edge = around(img, [x, y, w, h], 0.12).reshape(-1, 3).astype(np.float32)
    if method == "note":  # a sheet of paper with writing lies there
        tone = np.array([238, 236, 228], np.float32)
    else:
        tone = np.median(edge, 0)
    mask = np.zeros((h, w), np.float32)
    if method == "cover" or (method == "cover and text" and rng.random() < 0.5):
        radius = max(4, int(h * rng.uniform(0.1, 0.16)))
        for cy in np.arange(radius, h - radius + 1, radius * 1.3):
            points = [(int(cx), int(cy + rng.normal(0, radius * 0.12))) for cx in np.linspace(radius * 1.1, w - radius * 1.1, 9)]
            cv2.polylines(mask, [np.array(points, np.int32)], False, 1.0, 2 * radius, cv2.LINE_AA)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.8, radius * rng.uniform(0.03, 0.3)))
        brush = "round"
    else:
        m = max(1, int(0.03 * min(w, h)))
        mask[m : h - m, m : w - m] = 1
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 1.6)))
        brush = "rectangle"
    layer = np.broadcast_to(tone, part.shape).copy()
    # the paint is a little lighter where the picture was, as the brush's tone is taken at two places
    slope = np.linspace(-1, 1, w)[None, :, None] * rng.uniform(-7, 7)
    layer = np.clip(layer + slope, 0, 255).astype(np.uint8)
    text = None
    if method != "cover":
        text = str(rng.choice([date, f"{rng.integers(2, 40) * 50} EUR", f"Nr. {rng.integers(10000, 99999)}", clock, "NEU", "DEFEKT"]))
        size = int(min(h * 0.55, w * 0.9 / (0.68 * len(text))))
        if size < 14:
            return None
        sheet = Image.fromarray(layer)
        ink = (28, 30, 40) if tone.mean() > 105 else (232, 232, 228)
        ImageDraw.Draw(sheet).text((w / 2, h / 2), text, ink, font=ImageFont.truetype(sans, size), anchor="mm")
        layer = cv2.GaussianBlur(np.asarray(sheet), (0, 0), max(0.5, size / 60))
    if rng.random() < 0.5:
        layer = match_grain(layer, fineness(part) * 0.7, rng)
    return put(img, layer, np.clip(mask, 0, 1), x, y), {"method": method, "brush": brush, "text": text, "marked": bool(marked)}


EDITS = {
    "copy_move": copy_move,
    "clone_hide": clone_hide,
    "splice": splice,
    "feathered_paste": feathered_paste,
    "inpaint": inpaint,
    "smudge": smudge,
    "digits_changed": digits_changed,
    "damage_painted": damage_painted,
    "text_painted": text_painted,
}


def changed_region(before, after):
    """The bounding box of what an edit changed, its share of the picture, how much of the box it fills, and how strongly it changed there."""
    diff = cv2.absdiff(before, after).max(2)
    mask = cv2.morphologyEx((diff > 5).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    if mask.sum() < 40:
        mask = (diff > 5).astype(np.uint8)
    ys, xs = np.nonzero(mask)
    if len(ys) == 0:
        return None
    box = [int(xs.min()), int(ys.min()), int(xs.max() - xs.min() + 1), int(ys.max() - ys.min() + 1)]
    h, w = diff.shape
    return box, box[2] * box[3] / (h * w), float(mask.sum() / (box[2] * box[3])), float(diff[mask > 0].mean())
