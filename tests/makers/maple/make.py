"""Makes labelled test documents: genuine, harmlessly processed and forged.

    python make.py --out FOLDER --seed N [--small]
"""
import argparse
import datetime as dt
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import benign
import cards
import forge
import papers_en  # noqa: F401  (registers its builders)
import papers_fr  # noqa: F401
import people as pp
import render
import scan
from entries import make_entries, norm, squeeze

TYPES = ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE", "VEHICLE_REGISTRATION", "BANK_DETAILS", "PAYSLIP", "TAX_NOTICE",
         "INVOICE", "PROOF_OF_ADDRESS", "COMPANY_REGISTRATION", "INSURANCE_CERTIFICATE", "OTHER"]
LAST_MADE = dt.datetime(2026, 11, 24, 17, 0, 0)
SCAN_STYLES = ["office", "phone", "office-skewed", "office-gray", "office", "phone", "office-skewed", "office", "office-bw", "phone"]
REMADE = ("original_program", "browser_reprint", "template_rebuilt")
SCAN_SOURCES = ["reportlab", "fpdf2", "typst", "mupdf", "weasyprint", "pdftex", "weasyprint", "typst"]
WORKERS = 8
SCAN_MEDIA = ["scan_jpeg", "scan_pdf", "scan_png", "scan_pdf", "scan_jpeg"]


class Picker:
    """Chooses builders so that types, languages, designs and producers are spread evenly."""

    def __init__(self, seed):
        self.seed, self.n = seed, 0
        self.used, self.made_by = Counter(), Counter()

    def next(self, use, producers=None):
        self.n += 1
        r = random.Random(f"{self.seed}-{self.n}")
        k = self.used[use]
        self.used[use] += 1
        type_ = TYPES[(k * 5 + zlib.crc32(use.encode())) % len(TYPES)]
        lang = "fr" if k % 5 in (0, 2, 4) else "en"
        pool = [b for b in cards.BUILDERS if b[0] == type_ and b[1] == lang]
        least = min(self.used[b[2]] for b in pool)
        b = r.choice([b for b in pool if self.used[b[2]] == least])
        self.used[b[2]] += 1
        d = cards.start(*b[:4], r)
        b[4](d)
        cards.finish(d)
        d.n = self.n
        d.producer = self.producer(d, r, producers)
        set_made(d, r)
        for what, ok in d.truths:
            if not ok:
                raise SystemExit(f"{d.layout}: {what} does not hold")
        return d

    def producer(self, d, r, wanted):
        pool = render.PLACED if d.ops else render.FLOW
        pool = [p for p in pool if not wanted or p in wanted] or (["reportlab"] if d.ops else list(wanted))
        least = min(self.made_by[p] for p in pool)
        choice = r.choice([p for p in pool if self.made_by[p] <= least + 1])
        self.made_by[choice] += 1
        return choice


def set_made(d, r):
    """When the file was made: soon after the paper's date, or lately for downloads and copies of cards."""
    first = max(d.issued, d.raw.get("issueDate", d.issued))
    lo = first
    if d.producer == "chromium":
        lo = max(first, dt.date(2026, 11, 3))
    elif d.ops or d.type == "VEHICLE_REGISTRATION":
        lo = max(first, dt.date(2026, 3, 2))
    span = 3 if lo == first else max(1, (dt.date(2026, 11, 21) - lo).days)
    day = lo + dt.timedelta(days=r.randrange(span))
    made = dt.datetime(day.year, day.month, day.day, r.randrange(8, 18), r.randrange(60), r.randrange(60))
    d.made = min(made, LAST_MADE)


def text_of(pdf):
    parts = []
    for args in (["-layout"], []):
        parts.append(subprocess.run(["pdftotext", *args, str(pdf), "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode("utf8", "replace"))
    return "\n".join(parts)


def lacking(doc, text):
    packed = squeeze(text)
    return [c for c, v in doc.fields.items() if squeeze(v) not in packed]


def jsonable(doc, cls, medium, kind, file, producer=None):
    return dict(id=Path(file).stem, file=str(file), **{"class": cls}, medium=medium, kind=kind, type=doc.type, lang=doc.lang, country=doc.country,
                producer=producer or doc.producer, layout=doc.layout, fields=dict(doc.fields))


class Maker:
    def __init__(self, out, seed, small, work):
        self.out, self.seed, self.work = Path(out), seed, Path(work)
        self.counts = dict(genuine=13, scans=12, benign=8, forged=9) if small else dict(genuine=100, scans=100, benign=50, forged=80)
        self.small = small
        self.pick = Picker(seed)
        self.labels, self.names, self.serial, self.dropped = [], [], 0, []
        (self.out / "files").mkdir(parents=True, exist_ok=True)
        self.ids = list(range(1, 1000))
        random.Random(f"{seed}-ids").shuffle(self.ids)

    def path(self, ext):
        self.serial += 1
        return f"files/maple-{self.ids[self.serial]:04d}.{ext}"

    def source(self, doc):
        return self.work / f"s{doc.n}.pdf"

    # ------------------------------------------------------------ planning

    def plan(self):
        c = self.counts
        self.genuine = [self.pick.next("genuine") for _ in range(c["genuine"])]
        self.scans = [self.pick.next("scans", SCAN_SOURCES) for _ in range(c["scans"])]
        self.benign = self.plan_benign(c["benign"])
        self.forged = self.plan_forged(c["forged"])

    def plan_benign(self, n):
        kinds = list(benign.KINDS)
        forms = 1 if self.small else 4
        plan = []
        for i in range(n - forms):
            kind = kinds[i % len(kinds)]
            plan.append((self.pick.next("benign"), kind))
        for i in range(forms):
            r = random.Random(f"{self.seed}-form-{i}")
            d = benign.form_doc(r, "fr" if i % 2 == 0 else "en")
            d.n = f"form{i}"
            set_made(d, r)
            plan.append((d, "form_filled"))
        return plan

    def plan_forged(self, total):
        plan = []
        kinds = list(forge.KINDS.items())
        if self.small:
            kinds = [(k, (f, 1, p, g)) for k, (f, n, p, g) in kinds if k in ("cover_retype", "annotation_freetext", "redact_retype", "stream_edit", "original_program",
                     "browser_reprint", "scan_patch_retype", "draw_roundtrip", "signed_then_changed")]
        for kind, (fn, n, producers, only) in kinds:
            spare = 4 if kind in forge.BATCH or "stream" in kind else 3
            usable = producers or [p for p in render.FLOW if p not in ("libreoffice", "chromium")]
            docs = [self.pick.next("forged", usable) for _ in range(n + spare)]
            if kind in REMADE:
                docs = [d for d in docs if d.producer in usable][:n + 1]
            plan.append((kind, fn, n, only, docs, [self.path("pdf") for _ in range(n)]))
        return plan

    def produce(self):
        """LibreOffice in one run; all else one by one, by several workers."""
        docs = self.genuine + self.scans + [d for d, k in self.benign if k != "form_filled"]
        office = [d for d in docs if d.producer == "libreoffice"]
        self.jobs = [("office", office)] + [("source", d) for d in docs if d.producer != "libreoffice"]
        for dropped, producers in self.parallel(produce_job):
            self.dropped += dropped
            for n, producer in producers:
                next(d for d in docs if d.n == n).producer = producer

    def parallel(self, fn):
        """Runs a job function over self.jobs in forked workers; results in the order of the jobs."""
        global MAKER
        MAKER = self
        with get_context("fork").Pool(WORKERS) as pool:
            return list(pool.imap(fn, range(len(self.jobs)), 1))

    def make_source(self, docs):
        start = len(self.dropped)
        todo = [d for d in docs if not self.source(d).exists()]
        render.produce_many([(d, self.source(d)) for d in todo])
        for d in docs:
            if lacking(d, text_of(self.source(d))):
                self.again(d)
        return self.dropped[start:], [(d.n, d.producer) for d in docs]

    def again(self, d):
        """A producer that does not give the values back as text is replaced."""
        self.dropped.append((d.layout, d.producer, lacking(d, text_of(self.source(d)))))
        for producer in ("weasyprint", "reportlab", "chromium"):
            d.producer = producer
            render.produce_many([(d, self.source(d))])
            if not lacking(d, text_of(self.source(d))):
                return
        raise SystemExit(f"{d.layout}: values not printed: {lacking(d, text_of(self.source(d)))}")

    # ------------------------------------------------------------ classes

    def do_genuine(self):
        for d in self.genuine:
            file = self.path("pdf")
            shutil.copy(self.source(d), self.out / file)
            label = jsonable(d, "genuine", "pdf", "original", file)
            label["entries"] = make_entries(d, text_of(self.source(d)), d.r)
            self.labels.append((label, d))

    def do_scans(self):
        jobs = []
        for i, d in enumerate(self.scans):
            style = SCAN_STYLES[i % len(SCAN_STYLES)]
            medium = SCAN_MEDIA[(i + i // 5) % len(SCAN_MEDIA)]
            if style == "phone" and medium == "scan_png":
                medium = "scan_jpeg"
            if medium != "scan_pdf" and scan.pages_of(self.source(d)) > 1:
                medium = "scan_pdf"
            file = self.path({"scan_pdf": "pdf", "scan_jpeg": "jpg", "scan_png": "png"}[medium])
            jobs.append((d, style, medium, file))
        self.jobs = jobs
        self.labels += [(label, j[0]) for label, j in zip(self.parallel(scan_job), jobs)]

    def one_scan(self, d, style, medium, file):
        rng = np.random.default_rng(zlib.crc32(f"{self.seed}-{file}".encode()))
        card = bool(d.ops)
        dpi = d.r.choice([170, 200]) if card or style == "phone" else d.r.choice([110, 130, 150, 150, 170, 200, 200])
        if style == "office-bw":
            dpi = 200
        images = scan.make_scan(self.source(d), rng, style, dpi, card)
        quality = d.r.choice([68, 75, 82, 90])
        path, producer = self.out / file, "camera" if style == "phone" else "scanner"
        if medium == "scan_jpeg":
            path.write_bytes(scan.jpeg_bytes(images[0], dpi, quality))
        elif medium == "scan_png":
            path.write_bytes(scan.png_bytes(images[0], dpi))
        else:
            producer = d.r.choice(["img2pdf", "pillow", "mupdf", "reportlab"])
            scan.scan_pdf(images, dpi, producer, quality, d.made + dt.timedelta(days=0 if d.made.date() > dt.date(2026, 11, 15) else d.r.randrange(1, 6)), path)
        label = jsonable(d, "genuine", medium, style, file, producer)
        label["dpi"] = dpi
        label["entries"] = make_entries(d, text_of(self.source(d)), d.r)
        seen = squeeze("\n".join(scan.ocr(i, d.lang) for i in images[:2]))
        label["illegible"] = [c for c, v in d.fields.items() if squeeze(v) not in seen]
        return label

    def do_benign(self):
        benign.key_and_cert(self.work, "fr"), benign.key_and_cert(self.work, "en")
        self.jobs = [(d, kind, self.path("pdf")) for d, kind in self.benign]
        for (label, dropped), job in zip(self.parallel(benign_job), self.jobs):
            self.labels.append((label, job[0]))
            self.dropped += dropped

    def benign_file(self, d, kind, file):
        out, start = self.out / file, len(self.dropped)
        if kind == "form_filled":
            blank = self.source(d)
            benign.blank_form(d, blank)
            benign.fill_form(d, blank, out)
        else:
            kind = self.one_benign(d, kind, out)
        label = jsonable(d, "benign", "scan_pdf" if kind == "scanned_text_layer" else "pdf", kind, file)
        text = text_of(out) if kind == "form_filled" else text_of(self.source(d)) + text_of(out)
        label["entries"] = make_entries(d, text, d.r)
        if kind == "scanned_text_layer":
            label["illegible"] = lacking(d, text_of(out))
        return label, self.dropped[start:]

    def one_benign(self, d, kind, out):
        src = self.source(d)
        try:
            benign.KINDS[kind](d, src, out)
            if kind == "scanned_text_layer" or not lacking(d, text_of(out)):
                return kind
        except Exception as why:  # noqa: BLE001  (the file is processed in the plainest way instead)
            self.dropped.append((d.layout, kind, str(why)[:80]))
        if Path(out).exists():
            Path(out).unlink()
        benign.linearized(d, src, out)
        return "linearized"

    def do_forged(self):
        self.jobs = sorted(self.forged, key=lambda j: j[0] not in forge.BATCH and j[0] != "original_program")
        for found, dropped in self.parallel(forge_job):
            self.labels += [(label, self.doc(n)) for label, n in found]
            self.dropped += dropped

    def doc(self, n):
        return next(d for *_, ds, _ in self.forged for d in ds if d.n == n)

    def forge_kind(self, kind, fn, n, only, docs, files):
        found, start = [], len(self.dropped)
        if kind in forge.BATCH:
            found = self.batch_forged(kind, n, docs, files)
        elif kind in REMADE:
            found = self.remade(kind, n, docs, files)
        else:
            for d in docs:
                if len(found) < n:
                    found += self.one_forged(kind, fn, only, d, files[len(found)])
        if len(found) < n:
            self.dropped.append((kind, "made", f"{len(found)} of {n}"))
        return found, self.dropped[start:]

    def remade(self, kind, n, docs, files):
        """Made again with the wished value by the issuer's program, a browser or another program."""
        found, jobs = [], []
        for d in docs[:n]:
            r = random.Random(f"{self.seed}-{kind}-{d.n}")
            code, old, new = forge.choose_blind(d, r)
            other = d.replaced(old, new, code)
            other.made = benign.later(d, r.randrange(1, 20))
            if kind == "template_rebuilt":
                other.producer = forge.rebuilt_by(d, r)
            jobs.append((d, other, (code, old, new, []), self.work / f"r{d.n}.pdf"))
        render.produce_many([(o, p) for _, o, _, p in jobs])
        for d, other, hit, path in jobs:
            d.producer = other.producer
            found += self.keep_forged(kind, d, hit, path, files[len(found)])
        return found

    def one_forged(self, kind, fn, only, d, file):
        r = random.Random(f"{self.seed}-{kind}-{d.n}")
        if forge.KINDS[kind][2] and d.producer not in forge.KINDS[kind][2]:
            return []
        self.make_source([d])
        hit = forge.choose(d, self.source(d), r, only)
        if not hit:
            return []
        tmp = self.work / f"f{d.n}.pdf"
        try:
            fn(d, self.source(d), tmp, hit, r)
        except Exception as why:  # a tool that cannot do it with this file: another file is taken
            self.dropped.append((d.layout, kind, str(why)[:80]))
            return []
        return self.keep_forged(kind, d, hit, tmp, file)

    def batch_forged(self, kind, n, docs, files):
        jobs, found = [], []
        self.make_source(docs)
        for i, d in enumerate(docs):
            r = random.Random(f"{self.seed}-{kind}-{i}")
            hit = forge.choose(d, self.source(d), r)
            if hit:
                jobs.append((d, self.source(d), self.work / f"{kind}{i}.pdf", hit, r))
        for i in forge.BATCH[kind](jobs, self.work):
            if len(found) < n:
                found += self.keep_forged(kind, jobs[i][0], jobs[i][3], jobs[i][2], files[len(found)])
        return found

    def keep_forged(self, kind, d, hit, tmp, file):
        code, old, new, rects, *full = hit
        how = shows(tmp, d, hit, kind)
        if not how:
            self.dropped.append((d.layout, kind, d.producer, f"not shown: {new}"))
            return []
        shutil.move(tmp, self.out / file)
        label = jsonable(d, "forged_pdf", "scan_pdf" if kind in forge.SCANNED else "pdf", kind, file)
        label["fields"][code] = full[0] if full else new
        label["changed"] = dict(field=code, was=d.fields[code], now=label["fields"][code], seen_by=how)
        return [(label, d.n)]

    # ------------------------------------------------------------ labels

    def write(self):
        self.labels.sort(key=lambda x: x[0]["id"])
        data = dict(maker="maple", reference_date=pp.REFERENCE.isoformat(), documents=[x for x, _ in self.labels])
        (self.out / "labels.json").write_text(json.dumps(data, ensure_ascii=False, indent=1))


MAKER = None


def produce_job(i):
    kind, what = MAKER.jobs[i]
    return MAKER.make_source(what if kind == "office" else [what])


def scan_job(i):
    return MAKER.one_scan(*MAKER.jobs[i])


def benign_job(i):
    return MAKER.benign_file(*MAKER.jobs[i])


def forge_job(i):
    try:
        return MAKER.forge_kind(*MAKER.jobs[i])
    except Exception as why:  # one kind's failure must not end the others; the report says so
        return [], [(MAKER.jobs[i][0], "failed", repr(why)[:200])]


def check_job(i):
    path, x, today = MAKER.jobs[i]
    return [f"{x['id']} {x['kind']} {x['layout']}: {f}" for f in check_one(path, x, today)]


def crop_text(pdf, rect, lang, dpi=250):
    """What Tesseract reads around a place of the first page."""
    im = scan.page_image(pdf, dpi)
    k = dpi / 72
    box = (max(0, (rect.x0 - 12) * k), max(0, (rect.y0 - 7) * k), min(im.width, (rect.x1 + 130) * k), min(im.height, (rect.y1 + 7) * k))
    return scan.ocr(im.crop([int(v) for v in box]).resize((int((box[2] - box[0]) * 1.3), int((box[3] - box[1]) * 1.3))), lang)


def shows(pdf, d, hit, kind):
    """How it was seen that a forged file displays the new value and not the old one."""
    code, old, new, rects = hit[:4]
    moved = kind in ("draw_roundtrip", "word_roundtrip") + REMADE
    if moved:
        text = squeeze(text_of(pdf))
        return "text" if squeeze(new) in text else None
    got = norm(crop_text(pdf, rects[0], d.lang))
    if norm(new) in got:
        return "ocr of the place"
    if kind in forge.SCANNED + ("annotation_freetext", "form_field_cover", "image_patch"):
        whole = norm(scan.ocr(scan.page_image(pdf, 200), d.lang))
        return "ocr of the page" if norm(new) in whole else None
    text_says = squeeze(new) in squeeze(text_of(pdf)) and kind not in forge.SCANNED
    return "text" if text_says and norm(old) not in got else None


# ---------------------------------------------------------------- promises

def check(m):
    """Reads the folder as a stranger would and tests what was promised."""
    data = json.loads((m.out / "labels.json").read_text())
    today = dt.date.fromisoformat(data["reference_date"])
    m.jobs = [(m.out / x["file"], x, today) for x in data["documents"]]
    return [f for faults in m.parallel(check_job) for f in faults]


def check_one(path, x, today):
    faults = []
    if path.suffix == ".pdf":
        faults += opens(path) + dates_fine(path, today)
    if x["medium"] == "pdf" and x["class"] != "forged_pdf":
        text = text_of(path)
        packed = squeeze(text)
        for code, v in x["fields"].items():
            if squeeze(v) not in packed:
                faults.append(f"{code} {v!r} not printed")
        for e in x["entries"]:
            if e["expected"] != "MATCH" and norm(e["value"]) in norm(text):
                faults.append(f"wrong value {e['value']!r} is printed")
    for code, v in x["fields"].items():
        if code == "iban" and not (x.get("changed", {}).get("field") == "iban") and not pp.iban_ok(v):
            faults.append(f"IBAN {v} does not hold")
    if x["type"] == "COMPANY_REGISTRATION" and x["country"] == "FR" and x["class"] != "forged_pdf" and not pp.luhn_ok(x["fields"]["registrationNumber"].replace(" ", "")):
        faults.append("SIREN does not hold")
    if x["class"] != "forged_pdf":
        faults += [f"MISSING {e['field']} is printed" for e in x["entries"] if e["expected"] == "MISSING" and e["field"] in x["fields"]]
        faults += [f"{e['expected']} {e['field']} has no printed value" for e in x["entries"] if e["expected"] != "MISSING" and e["field"] not in x["fields"]]
        if not 3 <= len(x["entries"]) <= 5:
            faults.append(f"{len(x['entries'])} entries")
    elif norm(x["changed"]["was"]) == norm(x["changed"]["now"]):
        faults.append("nothing changed")
    return faults


def opens(path):
    faults = []
    for args in (["pdftotext", str(path), "-"], ["pdftoppm", "-r", "20", "-png", "-l", "1", str(path)]):
        got = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if got.returncode:
            faults.append(f"{args[0]} failed")
    return faults


def dates_fine(path, today):
    import pikepdf
    faults = []
    with pikepdf.open(path) as p:
        for key in ("/CreationDate", "/ModDate"):
            m = re.match(r"D:(\d{4})(\d\d)(\d\d)", str(p.docinfo.get(key, "")))
            if m and dt.date(*map(int, m.groups())) > today:
                faults.append(f"{key} later than the day of reception")
    return faults


def sums_hold(labels):
    """Sums, keys and codes were tested as each paper was made; its issue date must not lie ahead."""
    return [f"{x['id']}: issue date ahead" for x, d in labels if d.raw.get("issueDate") and d.raw["issueDate"] > pp.REFERENCE]


def mrz_hold(labels):
    """Machine-readable zones of genuine cards: check digits are computed again from the drawn lines."""
    faults = []
    for x, d in labels:
        lines = [o[3] for o in d.ops if o[0] == "t" and o[7]]
        if len(lines) == 2 and len(lines[1]) == 44:
            n = lines[1]
            ok = pp.mrz_check(n[:9]) == n[9] and pp.mrz_check(n[13:19]) == n[19] and pp.mrz_check(n[:10] + n[13:20] + n[21:43]) == n[43]
        elif len(lines) == 3:
            ok = pp.mrz_check(lines[0][5:14]) == lines[0][14] and pp.mrz_check(lines[0][5:] + lines[1][:7] + lines[1][8:15] + lines[1][18:29]) == lines[1][29]
        else:
            ok = True
        if not ok and x["class"] != "forged_pdf":
            faults.append(f"{x['id']}: machine-readable zone does not hold")
    return faults


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--out", required=True)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--small", action="store_true")
    a.add_argument("--work", help="folder for unfinished files; kept, so that a broken run can go on")
    args = a.parse_args()
    t0 = time.time()
    render.warm_up()
    with tempfile.TemporaryDirectory() as tmp:
        work = Path(args.work or tmp)
        work.mkdir(parents=True, exist_ok=True)
        m = Maker(args.out, args.seed, args.small, work)
        for step in (m.plan, m.produce, m.do_genuine, m.do_benign, m.do_forged, m.do_scans, m.write):
            step()
            print(f"{time.time() - t0:6.0f} s  {step.__name__}", flush=True)
    faults = check(m) + sums_hold(m.labels) + mrz_hold(m.labels)
    report(m, faults, time.time() - t0)
    sys.exit(1 if faults else 0)


def report(m, faults, seconds):
    xs = [x for x, _ in m.labels]
    for key in ("class", "medium", "kind", "type", "lang", "producer"):
        print(key, dict(Counter(x[key] for x in xs)))
    print("entries", dict(Counter(e["expected"] for x in xs for e in x.get("entries", []))))
    print("illegible", sum(len(x.get("illegible", [])) for x in xs), "of", sum(len(x["fields"]) for x in xs if "illegible" in x))
    for x in m.dropped:
        print("tried:", *x)
    for f in faults:
        print("FAULT:", f)
    print(f"{len(xs)} documents, {len(faults)} faults, {seconds:.0f} s")


if __name__ == "__main__":
    main()
