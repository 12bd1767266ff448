"""Makes an exam of edited photographs: genuine, harmlessly processed and forged pictures with labels.

    make.py --photos FOLDER --out FOLDER [--seed 5309] [--small] [--only KIND]
"""
import argparse
import datetime
import json
import sys
import time
from pathlib import Path

import cv2
import numpy as np

import edits
import files
import screen

GENUINE = {
    "untouched": 34,
    "rotated_viewer": 10,
    "messenger": 16,
    "messenger_twice": 6,
    "cropped_gallery": 8,
    "converted": 4,
    "processed_gallery": 4,
}
FORGED = [*edits.EDITS, "edited_messenger", "screen_photo", "exif_date"]
EACH = 8
THIN = ("damage_painted", "digits_changed", "text_painted")
REFERENCE_DATE = "2026-12-15"
VIEWERS = ["Microsoft Windows Photo Viewer 10.0.19041.1", "Windows Photo Editor 10.0.10011.16384", "Photos 5.0", "Google"]
EDITORS = ["Snapseed 2.0", "Adobe Photoshop 25.0 (Windows)", "GIMP 2.10.36", "PicsArt", *VIEWERS]
PHONES = ("apple", "google", "samsung", "htc", "lge", "motorola", "meizu", "huawei", "xiaomi", "oneplus", "oppo")


def load(folder):
    notes = json.loads((Path(__file__).parent / "places.json").read_text())
    photos = []
    for path in sorted(Path(folder).iterdir()):
        if path.suffix.lower() not in (".jpg", ".jpeg"):
            continue
        photo = files.read_photo(path, notes.get(path.name, {}))
        if photo.size[0] * photo.size[1] >= 1_000_000 and photo.model:
            photos.append(photo)
    if len(photos) < 20:
        sys.exit(f"{folder}: {len(photos)} photographs with EXIF of at least 1 megapixel; 20 are needed")
    return photos


def save(pixels, photo, rng, record, software, policies, how=None):
    """Saved as a program does it. `how`: jpeg, png or jpeg twice."""
    policy = str(rng.choice(list(policies), p=list(policies.values())))
    name = str(rng.choice(software)) if policy == "software" else None
    size = (pixels.shape[1], pixels.shape[0])
    exif = files.exif_for(photo, "rewritten" if policy == "software" else policy, size, name, int(rng.integers(15, 6000)))
    if policy == "none":
        pixels, icc = files.to_srgb(pixels, photo), None
    else:
        icc = files.profile_of(photo)
    record.update(exif=policy if exif else "none", software=name)
    if how == "png" and size[0] * size[1] <= 6_500_000:
        record.update(format="png")
        return files.png(pixels, exif, icc)
    quality = int(rng.choice(files.QUALITIES))
    subsampling = "4:4:4" if rng.random() < 0.25 else "4:2:0"
    tables = files.tables_of(photo) if rng.random() < 0.12 else None
    if how == "twice":
        first = int(rng.choice([90, 92, 95]))
        pixels = files.decode(files.jpeg(pixels, first, subsampling))
        record.update(first_quality=first)
    record.update(format="jpeg", quality="camera's tables" if tables else quality, subsampling=subsampling)
    return files.jpeg(pixels, quality, subsampling, exif, icc, tables=tables, optimize=bool(rng.random() < 0.5))


# ---------------------------------------------------------------- genuine


def rotated(photo, rng, record):
    pixels = photo.upright()
    turn = 0
    if photo.orientation == 1:
        turn = int(rng.choice([90, 270, 90, 270, 180]))
        pixels = np.ascontiguousarray(np.rot90(pixels, turn // 90))
    record.update(turned=turn or "upright")
    return save(pixels, photo, rng, record, VIEWERS, {"none": 0.2, "kept": 0.35, "rewritten": 0.2, "software": 0.25})


def converted(photo, rng, record):
    """Opened and saved again without a change, as PNG or JPEG, or cropped first."""
    pixels = photo.upright()
    if rng.random() < 0.5:
        h, w = pixels.shape[:2]
        x0, y0 = int(rng.uniform(0, 0.18) * w), int(rng.uniform(0, 0.18) * h)
        x1, y1 = w - int(rng.uniform(0, 0.18) * w), h - int(rng.uniform(0, 0.18) * h)
        pixels = np.ascontiguousarray(pixels[y0:y1, x0:x1])
        record.update(cropped=True)
    how = "png" if pixels.size // 3 <= 6_500_000 else None
    return save(pixels, photo, rng, record, VIEWERS, {"none": 0.4, "kept": 0.3, "rewritten": 0.1, "software": 0.2}, how)


def processed(photo, rng, record):
    """Brightness, contrast, colour of the whole picture, as a phone's gallery does it."""
    pixels = photo.upright().astype(np.float32) / 255
    gamma, contrast = float(rng.uniform(0.75, 1.3)), float(rng.uniform(0.88, 1.25))
    saturation, warmth = float(rng.uniform(0.8, 1.35)), float(rng.uniform(-0.05, 0.05))
    pixels = pixels**gamma
    pixels = (pixels - 0.5) * contrast + 0.5 + float(rng.uniform(-0.05, 0.05))
    light = pixels.mean(2, keepdims=True)
    pixels = light + (pixels - light) * saturation
    pixels *= np.array([1 + warmth, 1, 1 - warmth], np.float32)
    if rng.random() < 0.4:
        blurred = cv2.GaussianBlur(pixels, (0, 0), 2.0)
        pixels = pixels + 0.5 * (pixels - blurred)
        record.update(sharpened=True)
    out = (np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8)
    record.update(gamma=round(gamma, 2), contrast=round(contrast, 2), saturation=round(saturation, 2))
    return save(out, photo, rng, record, VIEWERS, {"none": 0.1, "kept": 0.45, "rewritten": 0.2, "software": 0.25})


def cropped(photo, rng, record):
    """Cropped in a phone's gallery, sometimes to a fixed shape, and saved with the camera's EXIF."""
    pixels = photo.upright()
    h, w = pixels.shape[:2]
    keep = float(rng.uniform(0.55, 0.92))
    shape = float(rng.choice([w / h, w / h, 1.0, 4 / 3, 16 / 9]))
    cw, ch = int(w * keep), int(h * keep)
    if cw / ch > shape:
        cw = int(ch * shape)
    else:
        ch = int(cw / shape)
    x0, y0 = int(rng.uniform(0, 1) * (w - cw)), int(rng.uniform(0, 1) * (h - ch))
    record.update(cropped=[x0, y0, cw, ch])
    pixels = np.ascontiguousarray(pixels[y0 : y0 + ch, x0 : x0 + cw])
    return save(pixels, photo, rng, record, ["Google", "Photos 5.0"], {"kept": 0.5, "rewritten": 0.3, "software": 0.2})


def forwarded(photo, rng, record):
    """Sent by one messenger and then by another."""
    first = {}
    data, _ = files.messenger(photo.upright(), photo, rng, first)
    record.update(first_quality=first["quality"], first_longest=first["messenger"])
    # the first one's file has neither EXIF nor a profile
    plain_photo = files.Photo(photo.name, data, photo.size, photo.size, 1, "", "")
    return files.messenger(files.decode(data), plain_photo, rng, record)[0]


def genuine(kind, photo, rng, record):
    if kind == "untouched":
        record.update(format="jpeg", exif="camera")
        if photo.dark():
            record.update(dark=True)
        return photo.data
    if kind == "messenger":
        return files.messenger(photo.upright(), photo, rng, record)[0]
    return {"rotated_viewer": rotated, "converted": converted, "processed_gallery": processed, "cropped_gallery": cropped, "messenger_twice": forwarded}[kind](photo, rng, record)


# ---------------------------------------------------------------- forged


def edit(kind, photo, photos, rng):
    """The edited pixels, the region and what was done; None if this photograph does not suit."""
    before = photo.upright()

    def donor(r):
        others = [p for p in photos if p.name != photo.name and p.notes.get("scene", p.name) != photo.notes.get("scene", photo.name)]
        return others[int(r.integers(len(others)))]

    done = edits.EDITS[kind](before, rng, {"places": photo.notes, "donor": donor})
    if done is None:
        return None
    after, details = done
    change = edits.changed_region(before, after)
    if change is None:
        return None
    box, share, filled, strength = change
    if kind == "digits_changed" and share < 0.024:
        # a number fills more of the picture: the forger cropped it
        h, w = before.shape[:2]
        wanted = float(rng.uniform(0.03, 0.09))
        scale = np.sqrt(box[2] * box[3] / (wanted * w * h))
        cw, ch = max(w * scale, box[2] * 1.12), max(h * scale, box[3] * 1.3)
        grow = max(1.0, np.sqrt(1_000_000 / (cw * ch)) * 1.01)
        cw, ch = min(int(cw * grow), w), min(int(ch * grow), h)
        x0 = int(np.clip(box[0] + box[2] / 2 - cw * rng.uniform(0.4, 0.6), 0, w - cw))
        y0 = int(np.clip(box[1] + box[3] / 2 - ch * rng.uniform(0.4, 0.6), 0, h - ch))
        after = np.ascontiguousarray(after[y0 : y0 + ch, x0 : x0 + cw])
        before = before[y0 : y0 + ch, x0 : x0 + cw]
        details["cropped"] = [x0, y0, cw, ch]
        change = edits.changed_region(before, after)
        if change is None:
            return None
        box, share, filled, strength = change
    least = 0.012 if kind == "digits_changed" else 0.02
    if not least <= share <= 0.25 or strength < 9 or filled < (0.02 if kind in THIN else 0.12):
        return None
    details.update(strength=round(strength, 1))
    return after, box, share, details


def filmed(photo, photos, rng, record):
    phones = [p for p in photos if p.make.lower() in PHONES and p.size[0] * p.size[1] >= 7_000_000]
    camera = phones[int(rng.integers(len(phones)))] if phones else None
    frame = tuple(sorted(camera.size, reverse=True)) if camera else (4032, 3024)
    picture = files.to_srgb(photo.upright(), photo)
    if picture.shape[0] > picture.shape[1]:
        frame = frame[::-1]
    out, region, details = screen.photograph(picture, rng, frame)
    record.update(details, camera=camera.model if camera else None)
    if rng.random() < 0.25:
        data, scale = files.messenger(out, camera or photo, rng, record)
        return data, [int(v * scale) for v in region], region[2] * region[3] / (out.shape[0] * out.shape[1])
    quality = int(rng.choice([88, 90, 92, 95]))
    exif = files.exif_for(camera, "rewritten", frame) if camera and rng.random() < 0.65 else None
    record.update(format="jpeg", quality=quality, subsampling="4:2:0", exif="phone" if exif else "none")
    return files.jpeg(out, quality, exif=exif), region, region[2] * region[3] / (out.shape[0] * out.shape[1])


def redated(number, photo, rng, record):
    """Another date of capture in the EXIF, some days before the claim; the picture is the camera's own."""
    day = datetime.date.fromisoformat(REFERENCE_DATE) - datetime.timedelta(days=int(rng.integers(1, 40)))
    stamp = f"{day:%Y:%m:%d} {rng.integers(8, 17):02}:{rng.integers(60):02}:{rng.integers(60):02}"
    way = ("patched", "rewritten")[number % 2]
    done = files.other_date(photo, stamp, way)
    if done is None:
        return None
    record.update(format="jpeg", exif=way, taken=done[1], claimed=stamp)
    return done[0], None, None


def forged(kind, number, photo, photos, rng, record):
    if kind == "exif_date":
        return redated(number, photo, rng, record)
    if kind == "screen_photo":
        data, region, share = filmed(photo, photos, rng, record)
        return data, region, share
    inner = kind if kind in edits.EDITS else list(edits.EDITS)[number % len(edits.EDITS)]
    done = edit(inner, photo, photos, rng)
    if done is None:
        return None
    after, region, share, details = done
    record.update(edit=inner, **details)
    if kind == "edited_messenger":
        first = int(rng.choice([88, 90, 92, 95]))
        pixels = files.decode(files.jpeg(after, first))
        data, scale = files.messenger(pixels, photo, rng, record)
        record.update(first_quality=first)
        return data, [int(round(v * scale)) for v in region], share
    how = ["jpeg"] * 7 + ["png"] * 2 + ["twice"] * 3
    policies = {"none": 0.3, "kept": 0.3, "rewritten": 0.2, "software": 0.2}
    return save(after, photo, rng, record, EDITORS, policies, how[(number * 5) % 12]), region, share


# ---------------------------------------------------------------- all


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--photos", required=True, help="folder with untouched camera photographs (JPEG with EXIF)")
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, default=5309)
    ap.add_argument("--small", action="store_true", help="about a sixth of the pictures")
    ap.add_argument("--only", help="only this kind")
    ap.add_argument("--fonts", default=edits.FONTS, help="folder with DejaVu and Liberation fonts")
    args = ap.parse_args()
    edits.FONTS = args.fonts
    photos = load(args.photos)
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    part = 6 if args.small else 1
    plan = [("genuine", k, i) for k, n in GENUINE.items() for i in range(max(2, n // part))]
    plan += [("forged", k, i) for k in FORGED for i in range(EACH // part)]
    order = np.random.default_rng([args.seed, 1])
    numbers = order.permutation(len(plan)) + 1
    first = [photos[i] for i in order.permutation(len(photos))]
    second = [photos[i] for i in order.permutation(len(photos))]
    first.sort(key=lambda p: not p.dark())  # those taken in the dark stay untouched
    # those that stand on their side come first where a viewer turns them
    sideways = [p for p in first if p.orientation != 1]
    used, at, documents = {"genuine": 0, "forged": 0}, 0, []
    started = time.time()
    for place, (group, kind, i) in enumerate(plan):
        name = f"s{numbers[place]:03}"
        record = {}
        turn = 0
        while True:
            rng = np.random.default_rng([args.seed, 2, place, turn])
            if group == "genuine":
                if kind == "rotated_viewer" and i < min(6, len(sideways)):
                    photo = sideways[i]
                else:
                    photo = first[used["genuine"] % len(first)]
                    used["genuine"] += 1
                if args.only and args.only != kind:
                    break
                data, region, share = genuine(kind, photo, rng, record), None, None
                break
            if args.only and args.only != kind:
                used["forged"] += 1
                break
            photo = second[used["forged"] % len(second)]
            used["forged"] += 1
            result = forged(kind, i, photo, photos, rng, record)
            if result is not None:
                data, region, share = result
                break
            record, turn = {}, turn + 1
            if turn > 60:
                sys.exit(f"{kind}: no photograph suits")
        if args.only and args.only != kind:
            continue
        suffix = "png" if record.get("format") == "png" else "jpg"
        file = f"{name}.{suffix}"
        (out / file).write_bytes(data)
        document = {
            "id": name,
            "file": file,
            "class": "forged_image" if group == "forged" else "genuine" if kind == "untouched" else "benign",
            "medium": "image",
            "kind": kind,
            "origin": photo.name,
            "camera": f"{photo.make} {photo.model}".strip(),
            "sha256": files.digest(data),
        }
        if region is not None:
            document["region"] = dict(zip(("x", "y", "w", "h"), region))
            document["share"] = round(share, 4)
        document["what"] = record
        documents.append(document)
        print(f"{place + 1:3}/{len(plan)} {file} {kind} {record.get('edit', '')} {record.get('method', '')} {time.time() - started:.0f} s", flush=True)
    documents.sort(key=lambda d: d["id"])
    labels = {"maker": "sorbus", "seed": args.seed, "reference_date": REFERENCE_DATE, "documents": documents}
    (out / "labels.json").write_text(json.dumps(labels, indent=1, ensure_ascii=False, default=plain) + "\n")
    sys.exit(check(out, labels, {p.name: p for p in photos}))


def plain(value):
    return value.item() if hasattr(value, "item") else str(value)


def check(out, labels, photos):
    """The promises of the labels, verified on the files. Returns 1 if one is broken."""
    broken = []
    for d in labels["documents"]:
        data = (out / d["file"]).read_bytes()
        if files.digest(data) != d["sha256"]:
            broken.append(f"{d['id']}: digest")
        if d["kind"] == "untouched" and data != photos[d["origin"]].data:
            broken.append(f"{d['id']}: not the camera's bytes")
        pixels = files.decode(data) if d["kind"] != "untouched" else None
        if d["kind"] == "exif_date" and not np.array_equal(pixels, files.decode(photos[d["origin"]].data)):
            broken.append(f"{d['id']}: another picture")
        if (d["class"] == "forged_image" and d["kind"] != "exif_date") != ("region" in d):
            broken.append(f"{d['id']}: region")
        if "region" in d:
            r = d["region"]
            h, w = pixels.shape[:2]
            if r["x"] < 0 or r["y"] < 0 or r["w"] < 8 or r["h"] < 8 or r["x"] + r["w"] > w + 2 or r["y"] + r["h"] > h + 2:
                broken.append(f"{d['id']}: region outside the picture")
            if d["kind"] != "screen_photo" and not 0.012 <= d["share"] <= 0.25:
                broken.append(f"{d['id']}: share {d['share']}")
            if d["kind"] != "screen_photo" and "cropped" not in d["what"]:
                # outside the region, the picture is still the photograph
                photo = photos[d["origin"]]
                base = photo.upright()
                if d["what"].get("exif") == "none":
                    base = files.to_srgb(base, photo)
                base = cv2.resize(base, (w, h), interpolation=cv2.INTER_AREA).astype(np.int16)
                diff = np.abs(base - pixels).mean(2)
                inside = np.zeros((h, w), bool)
                inside[r["y"] : r["y"] + r["h"], r["x"] : r["x"] + r["w"]] = True
                if diff[inside].mean() < 1.15 * diff[~inside].mean():
                    broken.append(f"{d['id']} {d['kind']}: the region differs as little as the rest")
    for line in broken:
        print("BROKEN", line)
    print(f"{len(labels['documents'])} pictures, {len(broken)} broken promises")
    return 1 if broken else 0


if __name__ == "__main__":
    main()
