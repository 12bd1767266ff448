"""Make a set of labelled documents: make.py --out FOLDER --seed N [--small]"""
import argparse
import collections
import hashlib
import io
import json
import logging
import os
import re
import sys
import time

import cv2
import numpy as np
import pikepdf
import pymupdf as fitz

import bills  # noqa: F401  (the designs register themselves)
import cards  # noqa: F401
import papers  # noqa: F401
import scan
from base import DESIGNS
from data import K, MON, all_dates, date, iban_ok, money, mrz_ok, norm, plain
from engines import TMP, cleanup, run
from forge import AMOUNT, DATES, KINDS, WAYS, benign, forge, other_digit, other_value, pour, read_date

TYPES = {
    "IDENTITY_CARD": "lastName firstName birthDate documentNumber expiryDate nationality",
        "PASSPORT": "lastName firstName birthDate documentNumber expiryDate nationality",
    "RESIDENCE_PERMIT": "lastName firstName birthDate documentNumber expiryDate nationality",
        "DRIVING_LICENCE": "lastName firstName birthDate documentNumber expiryDate",
    "VEHICLE_REGISTRATION": "registrationNumber lastName firstName address postCode city issueDate", "BANK_DETAILS": "iban bic accountHolder",
    "PAYSLIP": "lastName firstName netAmount postCode city", "TAX_NOTICE": "lastName firstName address postCode city totalAmount documentNumber",
    "INVOICE": "invoiceNumber issueDate totalAmount issuer iban", "PROOF_OF_ADDRESS": "lastName firstName address postCode city issueDate issuer",
    "COMPANY_REGISTRATION": "companyName registrationNumber address postCode city",
        "INSURANCE_CERTIFICATE": "policyNumber lastName firstName issuer postCode city", "OTHER": ""}
TESS = {"fr": "fra", "en": "eng", "de": "deu", "es": "spa", "it": "ita", "nl": "nld", "pt": "por"}
PATTERN = ["fr", "en", "fr", "fr", "en", "xx", "fr", "en"]


class Maker:
    def __init__(self, seed, out):
        self.seed, self.out, self.docs, self.bad = seed, out, [], []
        self.used = collections.Counter()
        self.turn = collections.Counter()
        self.k = K(f"{seed}/plan")
        self.n, self.pictures = 0, []

    def pick(self, kind, tag):
        """The least used design of the type in the language whose turn it is."""
        want = PATTERN[self.turn[kind, tag] % len(PATTERN)]
        self.turn[kind, tag] += 1
        have = [d for d in DESIGNS if d[0] == kind]
        some = [d for d in have if d[1] == want or (want == "xx" and d[1] not in ("fr", "en"))]
        some = some or [d for d in have if d[1] == self.k.choice(["fr", "en"])] or have
        slow = [d for d in some if d[3] != "craftsman" or self.used["craftsman"] < 5]  # Writer takes its time
        return min(slow or some, key=lambda d: (self.used[d[3], d[2]] + self.used[d[3]] * .3, self.k.random()))

    def make(self, kind, tag, ok=None):
        """A new honest document, and the function that sets it again with words swapped."""
        for _ in range(12):
            d = self.pick(kind, tag)
            self.n += 1
            text = f"{self.seed}/{tag}/{self.n}"
            doc = d[4](K(text), d[2])
            if ok is None or ok(doc):
                self.used[d[3], d[2]] += 1
                self.used[d[3]] += 1
                return doc, lambda subs: d[4](K(text, subs), d[2])
        raise LookupError(kind)

    def put(self, data, cls, doc, kind, medium, ext, **more):
        self.docs.append(None)
        ident = f"j{len(self.docs):04d}"
        name = f"{ident}.{ext}"
        with open(os.path.join(self.out, name), "wb") as f:
            f.write(data)
        rec = {"id": ident, "file": name, "sha256": hashlib.sha256(data).hexdigest(), "class": cls, "kind": kind, "medium": medium, "type": doc.type,
            "lang": doc.lang, "country": doc.cc,
               "producer": doc.producer, "layout": doc.layout, "fields": {c: v[0] for c, v in doc.fields.items()}, **more}
        self.docs[-1] = rec
        return rec

    def fail(self, ident, msg):
        self.bad.append(f"{ident}: {msg}")
        print("BROKEN", self.bad[-1], flush=True)


def text_of(pdf, tmp="chk.pdf"):
    path = os.path.join(TMP, tmp)
    with open(path, "wb") as f:
        f.write(pdf)
    return run(["pdftotext", "-raw", path, "-"]).decode("utf8", "replace")


# ---- what a person types -------------------------------------------------------------------------------------------------

def rewrite(k, code, v, doc):
    """The same value as another person would write it."""
    if code in DATES and read_date(v, doc.cc):
        d, st, lang = read_date(v, doc.cc)
        own = doc.lang
        opts = [("iso", d.isoformat()), ("long", date(d, "us" if doc.cc == "US" else "long", own))]
        if doc.cc != "US":
            opts += [("dots", date(d, "d.m.y")), ("dashes", date(d, "d-m-y")), ("slashes", date(d, "d/m/y"))]
        return k.choice([o for o in opts if o[1] != v])[::-1]
    if code in AMOUNT:
        c = re.sub(r"[^\d,.-]", "", v)
        dec = re.search(r"[.,](\d\d)$", c)
        cents = int(re.sub(r"\D", "", c)) * (1 if dec else 100)
        sg = "-" if v.startswith("-") else ""
        opts = [sg + money(cents, "dot"), sg + money(cents, "comma")]
        opts += [sg + money(cents, "fr") + (" €" if "€" in v else "")] if doc.lang == "fr" else [sg + money(cents, "en")] if doc.lang == "en" else []
        opts += [sg + str(cents // 100)] if cents % 100 == 0 else []
        return k.choice([o for o in opts if o != v]), "number notation"
    if code == "iban":
        return k.choice([v.replace(" ", ""), v.lower(), v.replace(" ", "-"), v.replace(" ", "").lower()]), "spaces and case"
    if code == "accountHolder":
        parts = v.split()
        i = 1 if not parts[0].isupper() else len(parts) - 1
        return k.choice([(" ".join(parts[i:] + parts[:i]), "order of names"), (plain(v).upper(), "case and accents"), (v.lower(), "case")])
    if code in ("documentNumber", "registrationNumber", "invoiceNumber", "policyNumber", "postCode"):
        opts = [v.lower(), v.replace(" ", ""), v.replace("-", " ").replace(".", "") if code == "registrationNumber" else v + " "]
        opts = [o for o in opts if o.strip() != v]
        return (k.choice(opts), "spaces and case") if opts else (v, "as printed")
    if code == "address":
        w = re.sub(r"\bavenue\b", "av.", v, flags=re.I) if k.random() < .4 else plain(v)
        w = w.replace(",", "") if k.random() < .5 else w.lower()
        return (w, "written otherwise") if w != v else (v.upper(), "case")
    opts = [plain(v).upper(), v.lower(), plain(v).title() if "'" not in v else v.lower(), plain(v)]
    if code == "city":
        opts.append(v.replace("-", " "))
    opts = [o for o in opts if o != v]
    return k.choice(opts), "case and accents"


def wrong(k, code, v, doc, text):
    """A value that is certainly not on the page."""
    flat = norm(text)
    for _ in range(60):
        if code in DATES:
            r = read_date(v, doc.cc)
            if r and k.random() < .7:
                import datetime as dt
                d = r[0] + dt.timedelta(days=k.choice([-1, 1]) * k.choice([1, 2, 3, 7, 10, 30, 31, 100, 365, 1000]))
                w = date(d, k.choice([r[1], "d/m/y" if doc.cc != "US" else r[1]]), r[2])
                if (d.day, d.month) == (r[0].month, r[0].day) or any(norm(x) in flat for x in all_dates(d)):
                    continue
                return w, "another day"
            w = other_digit(k, v)
            if read_date(w, doc.cc) is None:
                continue
            d = read_date(w, doc.cc)[0]
            if d == r[0] or any(norm(x) in flat for x in all_dates(d)):
                continue
            return w, "one digit"
        if code in ("documentNumber", "registrationNumber", "invoiceNumber", "policyNumber", "postCode", "iban") and k.random() < .8:
            w, how = other_digit(k, v), "one digit"
        elif code == "address" and k.random() < .5:
            w, how = re.sub(r"\d+", lambda m: str(int(m[0]) + k.randint(1, 30)), v, count=1), "another number"
        else:
            w, how = other_value(k, doc, code, v), "another " + {"lastName": "person", "firstName": "person", "accountHolder": "person",
                "city": "city"}.get(code, "value")
        if code in AMOUNT:
            if re.sub(r"\D", "", w) in re.sub(r"\D", "", " ".join(re.findall(r"[\d .,'\u202f\u00a0]+", text))):
                continue
        if norm(w) not in flat and norm(w) not in norm(v) and norm(v) not in norm(w) and len(norm(w)) > 1:
            return w, how
    return None


INVENT = {"iban": lambda k, d: k.spaced(k.iban({"CA": "FR", "US": "DE"}.get(d.cc, d.cc if d.cc in ("FR", "BE", "CH", "GB", "IE", "DE") else "FR"))),
    "bic": lambda k, d: k.bic("FR"), "expiryDate": lambda k, d: date(k.day(), "d/m/y"),
          "nationality": lambda k, d: k.choice(["Française", "British", "Suisse"]), "totalAmount": lambda k, d: money(k.randint(5000, 90000), "en"),
              "issueDate": lambda k, d: date(k.day(), "d/m/y")}


def entries(k, doc, text):
    out = []
    for code in TYPES[doc.type].split():
        if code not in doc.fields:
            if code in INVENT and code not in getattr(doc, "skip", ()) and k.random() < .75:
                for _ in range(20):
                    v = INVENT[code](k, doc)
                    if norm(v) not in norm(text):
                        out.append({"field": code, "value": v, "expected": "MISSING", "how": "invented, the page has no such field"})
                        break
            continue
        v = doc.fields[code][0]
        r = k.random()
        if r < .26:
            out.append({"field": code, "value": v, "expected": "MATCH", "how": "as printed"})
        elif r < .52:
            w, how = rewrite(k, code, v, doc)
            out.append({"field": code, "value": w.strip(), "expected": "MATCH", "how": how})
        else:
            w = wrong(k, code, v, doc, text)
            out.append({"field": code, "value": w[0], "expected": "MISMATCH", "how": w[1]} if w else {"field": code, "value": v, "expected": "MATCH",
                "how": "as printed"})
    return out


# ---- checks ----------------------------------------------------------------------------------------------------------------

def check_honest(M, rec, doc, text):
    flat = norm(text)
    for c, (v, pr) in doc.fields.items():
        if norm(pr) not in flat:
            M.fail(rec["id"], f"{doc.design} {c} {pr!r} is not on the page")
    for e in rec["entries"]:
        if e["expected"] != "MATCH" and norm(e["value"]) in flat:
            M.fail(rec["id"], f"{doc.design} wrong {e['field']} {e['value']!r} is on the page")
    if "iban" in doc.fields and not iban_ok(doc.fields["iban"][0]):
        M.fail(rec["id"], "IBAN is not right")
    if doc.mrz:
        if not mrz_ok(doc.mrz):
            M.fail(rec["id"], "machine-readable zone is not right " + str(doc.mrz))
        for m in doc.mrz:
            if norm(m) not in flat:
                M.fail(rec["id"], "machine-readable zone is not on the page")
    for a, b in zip(doc.dates, doc.dates[1:]):
        if a[1] > b[1]:
            M.fail(rec["id"], f"{doc.design} dates out of order")
    for s in doc.sums:
        if norm(s.replace("~", " ")) not in flat:
            M.fail(rec["id"], f"{doc.design} sum {s!r} is not on the page")


def check_opens(M, rec, data):
    try:
        with pikepdf.open(io.BytesIO(data)) as p:
            assert len(p.pages) > 0
        return text_of(data)
    except Exception as e:  # any failure to open is a broken promise
        M.fail(rec["id"], f"does not open: {str(e)[:90]}")
        return ""


def tesseract(img, lang, psm, scale=1.0):
    if scale != 1:
        img = cv2.resize(img, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    path = os.path.join(TMP, "o.png")
    cv2.imwrite(path, cv2.cvtColor(img, cv2.COLOR_RGB2GRAY))
    try:
        return norm(run(["tesseract", path, "-", "-l", TESS[lang], "--psm", str(psm)], timeout=900).decode("utf8", "replace"))
    except RuntimeError:
        return ""  # it gives up on pictures without a line of text


def illegible(data, medium, doc):
    """Codes that neither of two Tesseract runs found as printed."""
    if not doc.fields:
        return []
    if medium == "scan_pdf":
        with fitz.open(stream=data, filetype="pdf") as d:
            imgs = [scan.raster(data, min(200, int(1750 / d[i].rect.width * 72)), i) for i in range(min(2, len(d)))]
    else:
        imgs = [cv2.cvtColor(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)]
    left = {c: norm(pr) for c, (v, pr) in doc.fields.items()}
    for psm, scale in ((3, 1.0), (11, 1.5)):
        got = "".join(tesseract(i, doc.lang, psm, min(scale, 2000 / max(i.shape))) for i in imgs)
        left = {c: n for c, n in left.items() if n not in got}
        if not left:
            break
    return sorted(left)


# ---- the parts ---------------------------------------------------------------------------------------------------------------

def shares(total, kinds):
    n = collections.Counter({t: max(1, total // 14) for t in kinds})
    order = ["INVOICE", "PROOF_OF_ADDRESS", "OTHER", "PAYSLIP", "BANK_DETAILS", "TAX_NOTICE", "INSURANCE_CERTIFICATE", "COMPANY_REGISTRATION"]
    i = 0
    while sum(n.values()) < total:
        n[order[i % len(order)]] += 1
        i += 1
    return [t for t in kinds for _ in range(n[t])]


def genuine_pdf(M, total):
    for t in shares(total, TYPES):
        doc, _ = M.make(t, "pdf")
        rec = M.put(doc.pdf, "genuine", doc, doc.design, "pdf", "pdf")
        text = check_opens(M, rec, doc.pdf)
        rec["entries"] = entries(doc.k, doc, text)
        check_honest(M, rec, doc, text)


def visible(doc, pages):
    """Only what stands on the pages that are sent."""
    with fitz.open(stream=doc.pdf, filetype="pdf") as d:
        text = norm("".join(d[i].get_text() for i in pages))
    doc.fields = {c: v for c, v in doc.fields.items() if norm(v[1]) in text}


def scans(M, total):
    media = (["scan_jpeg"] * 12 + ["scan_png"] * 3 + ["scan_pdf"] * 5) * (total // 20 + 1)
    M.k.shuffle(media)
    for t, medium in zip(shares(total, TYPES), media):
        doc, _ = M.make(t, "scan")
        k = doc.k
        n = len(scan.pages(doc.pdf))
        text = text_of(doc.pdf)
        if medium == "scan_pdf":
            mode = k.choice(["flatbed", "flatbed", "phone"])
            visible(doc, range(min(n, 3)))
            data, how = scan.image_pdf([scan.picture(doc.pdf, k, i, mode)[0] for i in range(min(n, 3))], k, doc.day)
            ext, kind = "pdf", f"{doc.design} {mode} {how}"
        else:
            visible(doc, [0])
            img, dpi, mode = scan.picture(doc.pdf, k, 0)
            data = scan.png(img, k) if medium == "scan_png" else scan.jpeg(img, k, exif=scan.camera(k, doc.day) if mode == "phone" and k.random() < .5
                else None)
            ext, kind = ("png" if medium == "scan_png" else "jpg"), f"{doc.design} {mode} {dpi} dpi"
        rec = M.put(data, "genuine", doc, kind, medium, ext)
        rec["entries"] = entries(k, doc, text)
        check_honest(M, rec, doc, text)
        M.pictures.append((rec, doc))


def handled(M, total):
    kinds = [t for t in TYPES for _ in range(4)]
    M.k.shuffle(kinds)
    for i in range(total):
        way = WAYS[i % len(WAYS)]
        for t in range(20):
            doc, _remake = M.make(kinds[(i + t) % len(kinds)], "benign")
            k = doc.k
            text = text_of(doc.pdf)
            if way in ("messenger", "scanned"):
                visible(doc, [0])
            data, medium, ext = benign(way, doc, k)
            if not way.startswith("printed") or all(norm(pr) in norm(text_of(data)) for _v, pr in doc.fields.values()):
                break  # a spooler may lose the code table of a font and with it the text; such a page is not wanted here
        if way.startswith("printed"):
            doc.producer = "cairo" if way == "printed_to_pdf" else "GPL Ghostscript"
        rec = M.put(data, "benign", doc, way, medium, ext)
        rec["entries"] = entries(k, doc, text)
        check_honest(M, rec, doc, text)
        if medium == "pdf":
            after = check_opens(M, rec, data)
            lost = [c for c, (v, pr) in doc.fields.items() if norm(pr) not in norm(after)]
            if lost and way not in ("turned_and_saved",):
                M.fail(rec["id"], f"{way} of {doc.design} ({doc.producer}) lost {lost}")
        else:
            M.pictures.append((rec, doc))
        if way == "signed":
            from pyhanko.pdf_utils.reader import PdfFileReader
            from pyhanko.sign.validation import validate_pdf_signature
            if not validate_pdf_signature(PdfFileReader(io.BytesIO(data), strict=False).embedded_signatures[0]).intact:
                M.fail(rec["id"], "signature is not intact")


def forged(M, each):
    """Each kind on documents that have what it attacks."""
    ok = {"iban": lambda d: "iban" in d.fields, "mrz": lambda d: bool(d.mrz), "sum": lambda d: bool(d.sums), "dates": lambda d: len(d.dates) > 1 and not d.mrz}
    on = {"iban": ["BANK_DETAILS", "INVOICE"], "mrz": ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT"], "sum": ["INVOICE", "PAYSLIP", "PROOF_OF_ADDRESS",
        "TAX_NOTICE"],
          "dates": ["DRIVING_LICENCE", "INVOICE", "INSURANCE_CERTIFICATE", "VEHICLE_REGISTRATION", "PROOF_OF_ADDRESS", "TAX_NOTICE", "COMPANY_REGISTRATION"]}
    rest = ["PAYSLIP", "INVOICE", "BANK_DETAILS", "TAX_NOTICE", "PROOF_OF_ADDRESS", "VEHICLE_REGISTRATION", "INSURANCE_CERTIFICATE", "COMPANY_REGISTRATION",
        "DRIVING_LICENCE"]
    turn = 0
    for kind in KINDS:
        for i in range(each):
            for attempt in range(10):
                types = on.get(kind, rest)
                turn += 1
                doc, remake = M.make(types[(i if kind in on else turn) % len(types)], "forged", ok.get(kind, lambda d: not d.mrz and d.fields))
                honest = dict(doc.fields)
                try:
                    data, what = forge(kind, doc, remake, doc.k)
                except LookupError:
                    doc.fields = honest
                    continue
                if data != doc.pdf:
                    break
            else:
                M.fail("-", f"no {kind} forgery")
                continue
            rec = M.put(data, "forged_pdf", doc, kind, "pdf", "pdf", what=what)
            after = check_opens(M, rec, data)
            n = len(scan.pages(doc.pdf))
            if norm(after) == norm(text_of(doc.pdf)) and all(np.array_equal(scan.raster(data, 60, i), scan.raster(doc.pdf, 60, i)) for i in range(n)):
                M.fail(rec["id"], f"{kind} of {doc.design} looks like its original: {what}")


def read_pictures(M, _n):
    """Last, since it takes longest: the labels are complete but for this."""
    for rec, doc in M.pictures:
        with open(os.path.join(M.out, rec["file"]), "rb") as f:
            rec["illegible"] = illegible(f.read(), rec["medium"], doc)


def write_labels(M):
    with open(os.path.join(M.out, "labels.json"), "w", encoding="utf8") as f:
        json.dump({"maker": "juniper", "reference_date": "2026-11-20", "seed": M.seed, "documents": M.docs}, f, ensure_ascii=False, indent=1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, required=True)
    ap.add_argument("--small", action="store_true")
    ap.add_argument("--resume", action="store_true", help="genuine PDFs and forgeries are in the folder already")
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    M, t0 = Maker(a.seed, a.out), time.monotonic()
    logging.getLogger("pyhanko").setLevel(logging.CRITICAL)  # it complains at length that the test key is self-signed
    if a.resume:
        with open(os.path.join(a.out, "labels.json"), encoding="utf8") as f:
            M.docs = [d for d in json.load(f)["documents"] if (d["class"], d["medium"]) in (("genuine", "pdf"), ("forged_pdf", "pdf"))]
    try:
        for part, n in ((genuine_pdf, 13 if a.small else 100), (forged, 1 if a.small else 8), (handled, 6 if a.small else 50), (scans, 13 if a.small
            else 100), (read_pictures, 0)):
            if part in (handled, scans):  # each can be made alone, the parts before it taken from the folder
                M.used.clear()
                M.k, M.n = K(f"{a.seed}/{part.__name__}"), 0
            if a.resume and part in (genuine_pdf, forged):
                continue
            part(M, n)
            write_labels(M)
            print(part.__name__, len(M.docs), f"{time.monotonic() - t0:.0f} s", flush=True)
    finally:
        cleanup()
    for r in M.docs:
        with open(os.path.join(a.out, r["file"]), "rb") as f:
            if hashlib.sha256(f.read()).hexdigest() != r["sha256"]:
                M.fail(r["id"], "sha256")
    print(collections.Counter(r["class"] for r in M.docs), collections.Counter(r["type"] for r in M.docs), collections.Counter(r["lang"] for r in M.docs),
          collections.Counter(e["expected"] for r in M.docs for e in r.get("entries", [])), sep="\n")
    return 1 if M.bad else 0


if __name__ == "__main__":
    sys.exit(main())
