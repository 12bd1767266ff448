"""Reading and saving photographs: EXIF, colour profile, JPEG and PNG as programs on phones and computers save them."""
import hashlib
import io
import struct
from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageCms, ImageOps

SRGB = ImageCms.createProfile("sRGB")
QUALITIES = (75, 80, 82, 85, 88, 90, 92, 95)


@dataclass
class Photo:
    """A base photograph: the file as the camera wrote it, and its place in the folder."""

    name: str
    data: bytes
    size: tuple  # upright
    stored: tuple
    orientation: int
    make: str
    model: str
    notes: dict = field(default_factory=dict)

    def dark(self):
        with Image.open(io.BytesIO(self.data)) as image:
            image.draft("L", (200, 200))
            return float(np.asarray(image.convert("L")).mean()) < 62

    def upright(self):
        """The picture as a viewer shows it, as an array of RGB bytes."""
        with Image.open(io.BytesIO(self.data)) as image:
            return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))


def read_photo(path, notes):
    data = path.read_bytes()
    with Image.open(io.BytesIO(data)) as image:
        exif = image.getexif()
        orientation = exif.get(0x0112) or 1
        if not 1 <= orientation <= 8:
            orientation = 1
        stored = image.size
        size = (stored[1], stored[0]) if orientation >= 5 else stored
        make, model = (str(exif.get(tag) or "").strip("\0 ") for tag in (0x010F, 0x0110))
    return Photo(path.name, data, size, stored, orientation, make, model, notes)


def segment(data, prefix):
    """The first marker segment whose content starts with the prefix, without it."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xDA:
            return None
        length = struct.unpack(">H", data[at + 2 : at + 4])[0]
        content = data[at + 4 : at + 2 + length]
        if content.startswith(prefix):
            return content[len(prefix) :]
        at += 2 + length
    return None


def patch_exif(raw, size):
    """The camera's EXIF with Orientation 1 and the new dimensions; the thumbnail and all else stay."""
    body = bytearray(raw)
    order = "<" if body[:2] == b"II" else ">"

    def walk(at):
        count = struct.unpack_from(order + "H", body, at)[0]
        for k in range(count):
            entry = at + 2 + 12 * k
            tag, kind = struct.unpack_from(order + "HH", body, entry)
            if tag == 0x0112 and kind == 3:
                struct.pack_into(order + "H", body, entry + 8, 1)
            elif tag in (0xA002, 0xA003):
                value = size[tag - 0xA002]
                struct.pack_into(order + ("H" if kind == 3 else "I"), body, entry + 8, value)
            elif tag == 0x8769:
                walk(struct.unpack_from(order + "I", body, entry + 8)[0])

    try:
        walk(struct.unpack_from(order + "I", body, 4)[0])
    except struct.error:
        return None
    return b"Exif\0\0" + bytes(body)


def later(stamp, minutes):
    """An EXIF time some minutes later, within the same month."""
    try:
        date, time = stamp.split(" ")
        year, month, day = (int(x) for x in date.split(":"))
        hour, minute, second = (int(x) for x in time.split(":"))
    except ValueError:
        return None
    if not (year and month and day):
        return None
    total = hour * 60 + minute + minutes
    day = min(28, day + total // 1440)
    return f"{year:04}:{month:02}:{max(day, 1):02} {total // 60 % 24:02}:{total % 60:02}:{second:02}"


def exif_for(photo, policy, size, software=None, minutes=90):
    """EXIF of a saved copy: `none`, `kept` (the camera's own bytes), `rewritten` (without thumbnail)."""
    raw = segment(photo.data, b"Exif\0\0")
    if policy == "none" or raw is None:
        return None
    if policy == "kept":
        return patch_exif(raw, size)
    with Image.open(io.BytesIO(photo.data)) as image:
        exif = image.getexif()
        exif[0x0112] = 1
        if software:
            exif[0x0131] = software
            moved = later(str(exif.get(0x0132) or ""), minutes)
            if moved:
                exif[0x0132] = moved
        inner = exif.get_ifd(0x8769)
        for tag, value in ((0xA002, size[0]), (0xA003, size[1])):
            if tag in inner:
                inner[tag] = value
        try:
            data = exif.tobytes()
        except Exception:  # a camera's tag of an unusual type
            return patch_exif(raw, size)
    return data if len(data) < 65000 else patch_exif(raw, size)


def other_date(photo, stamp, way):
    """The file with another date of capture and the same picture, or None. `way`: `patched` in place, `rewritten` by a library."""
    raw = segment(photo.data, b"Exif\0\0")
    if raw is None:
        return None
    with Image.open(io.BytesIO(photo.data)) as image:
        exif = image.getexif()
        inner = exif.get_ifd(0x8769)
        taken = str(inner.get(0x9003) or "").strip("\0 ")
        if len(taken) != 19 or taken.startswith("0000"):
            return None
        if way == "rewritten":
            for tag in (0x9003, 0x9004):
                inner[tag] = stamp
            exif[0x0132] = stamp
            try:
                new = exif.tobytes()
            except Exception:  # a camera's tag of an unusual type
                return None
        else:
            new = b"Exif\0\0" + raw.replace(taken.encode(), stamp.encode())
    if not new.startswith(b"Exif\0\0"):
        new = b"Exif\0\0" + new
    at = photo.data.index(b"Exif\0\0") - 4
    length = struct.unpack(">H", photo.data[at + 2 : at + 4])[0]
    if photo.data[at : at + 2] != b"\xff\xe1" or len(new) > 65000:
        return None
    return photo.data[:at] + b"\xff\xe1" + struct.pack(">H", len(new) + 2) + new + photo.data[at + 2 + length :], taken


def to_srgb(pixels, photo):
    """Colours without a profile: what a program does that drops the profile."""
    with Image.open(io.BytesIO(photo.data)) as image:
        icc = image.info.get("icc_profile")
    if not icc:
        return pixels
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(icc))
        done = ImageCms.profileToProfile(Image.fromarray(pixels), source, SRGB, outputMode="RGB")
    except ImageCms.PyCMSError:
        return pixels
    return np.asarray(done)


def profile_of(photo):
    with Image.open(io.BytesIO(photo.data)) as image:
        return image.info.get("icc_profile")


def tables_of(photo):
    with Image.open(io.BytesIO(photo.data)) as image:
        return {k: list(v) for k, v in image.quantization.items()}


def jpeg(pixels, quality, subsampling="4:2:0", exif=None, icc=None, progressive=False, optimize=False, tables=None):
    out = io.BytesIO()
    extra = {}
    if exif:
        extra["exif"] = exif
    if icc:
        extra["icc_profile"] = icc
    if tables and 1 <= len(tables) <= 4:
        extra["qtables"] = tables
    else:
        extra["quality"] = quality
    Image.fromarray(pixels).save(
        out, "JPEG", subsampling=subsampling, progressive=progressive, optimize=optimize, **extra
    )
    return out.getvalue()


def png(pixels, exif=None, icc=None):
    out = io.BytesIO()
    extra = {}
    if exif:
        extra["exif"] = exif
    if icc:
        extra["icc_profile"] = icc
    Image.fromarray(pixels).save(out, "PNG", compress_level=6, **extra)
    return out.getvalue()


def decode(data):
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


def resize(pixels, width, height, how=Image.Resampling.LANCZOS):
    return np.asarray(Image.fromarray(pixels).resize((width, height), how))


def messenger(pixels, photo, rng, record):
    """Sent by a messenger: sRGB, resized, a modest quality, no EXIF."""
    pixels = to_srgb(pixels, photo)
    longest = int(rng.choice([1280, 1600, 1600, 1600, 2048, 2560, 4096]))
    h, w = pixels.shape[:2]
    scale = min(1.0, longest / max(h, w))
    if scale < 1:
        how = Image.Resampling.BICUBIC if rng.random() < 0.5 else Image.Resampling.BOX
        pixels = resize(pixels, round(w * scale), round(h * scale), how)
    quality = int(rng.integers(62, 91))
    progressive = bool(rng.random() < 0.35)
    record.update(format="jpeg", quality=quality, subsampling="4:2:0", exif="none", messenger=longest, scale=round(scale, 4))
    return jpeg(pixels, quality, progressive=progressive, optimize=True), scale


def digest(data):
    return hashlib.sha256(data).hexdigest()
