"""Makes the packages and checks every promise about them.

    python make.py --out FOLDER --seed N

Exits with 1 if a check fails.
"""
import argparse
import collections
import datetime as dt
import io
import json
import os
import random
import re
import shutil
import sys

import pymupdf as fitz
import numpy as np
from PIL import Image
from reportlab.pdfgen import canvas
from reportlab.lib.utils import ImageReader

import base as B
from base import REF, fold, month_end
import cases

REF_S = REF.isoformat()


# ---------------- scans ----------------
def scan(pdf, seed, stamp, jpeg):
    """Raster each page with skew, noise and JPEG loss; gives the bytes of a JPEG or an image-only PDF."""
    r = random.Random(seed)
    dpi = r.choice([150, 150, 170, 200])
    nr = np.random.default_rng(r.randint(0, 2**31))
    pages = []
    for page in fitz.open("pdf", pdf):
        px = page.get_pixmap(dpi=dpi)
        im = Image.frombytes("RGB", (px.width, px.height), px.samples)
        if r.random() < .45:
            im = im.convert("L")
        im = im.rotate(r.uniform(-.9, .9), resample=Image.BICUBIC, fillcolor="white")
        a = np.asarray(im, dtype=np.float32)
        a = a * r.uniform(.93, .98) + nr.normal(0, r.uniform(2.5, 5.5), a.shape).astype(np.float32) + 3
        im = Image.fromarray(a.clip(0, 255).astype(np.uint8))
        b = io.BytesIO()
        im.save(b, "JPEG", quality=r.randint(58, 78), dpi=(dpi, dpi))
        pages.append((b.getvalue(), im.size))
    if jpeg and len(pages) == 1:
        return pages[0][0], "jpg"
    out = io.BytesIO()
    c = canvas.Canvas(out, invariant=1)
    ts = c._doc._timeStamp
    ts.YMDhms, ts.dhh, ts.dmm = (stamp.year, stamp.month, stamp.day, 10, stamp.day % 60, 7), 0, 0
    for j, (w, h) in pages:
        c.setPageSize((w * 72 / dpi, h * 72 / dpi))
        c.drawImage(ImageReader(io.BytesIO(j)), 0, 0, w * 72 / dpi, h * 72 / dpi)
        c.showPage()
    c.save()
    return out.getvalue(), "pdf"


# ---------------- checks of one document ----------------
def mrz_faults(text):
    lines = [l.replace(" ", "") for l in text.splitlines()]
    lines = [l for l in lines if re.fullmatch(r"[A-Z0-9<]{30}|[A-Z0-9<]{36}|[A-Z0-9<]{44}", l) and ("<" in l)]
    bad, n, D = [], 0, B.mrz_digit
    for i, l in enumerate(lines):
        nx = lines[i + 1] if i + 1 < len(lines) else ""
        if len(l) == 30 and l[:2] in ("ID", "IR") and len(nx) == 30:
            n += 1
            ok = D(l[5:14]) == l[14] and D(nx[:6]) == nx[6] and D(nx[8:14]) == nx[14] and D(l[5:30] + nx[:7] + nx[8:15] + nx[18:29]) == nx[29]
            bad += [] if ok else [l]
        if len(l) == 36 and l.startswith("IDFRA"):
            n += 1
            # the second line has no filler when the names fill their field
            m = next((x for x in [t.replace(" ", "") for t in text.splitlines()] if re.fullmatch(r"\d{12}\d[A-Z<]{14}\d{7}[MF]\d", x)), "")
            ok = m and D(m[:12]) == m[12] and D(m[27:33]) == m[33] and D(l + m[:35]) == m[35]
            bad += [] if ok else [l]
        if len(l) == 44 and l.startswith("P<") and len(nx) == 44:
            n += 1
            ok = D(nx[:9]) == nx[9] and D(nx[13:19]) == nx[19] and D(nx[21:27]) == nx[27] and D(nx[:10] + nx[13:20] + nx[21:43]) == nx[43]
            bad += [] if ok else [l]
    return n, bad


def check_doc(d, say, count):
    doc = fitz.open("pdf", d.pdf)
    text = "\n".join(p.get_text() for p in doc)
    t = re.sub(r"\s", "", text)
    d.text = t
    for key, canon, printed in d.claims:
        if re.sub(r"\s", "", printed) not in t:
            say(f"{d.slug}: {key} value {printed!r} is not printed")
        count["printed values"] += 1
    for parts, total in d.sums:
        if sum(parts) != total:
            say(f"{d.slug}: sum {parts} is not {total}")
        for n in list(parts) + ([total] if len(parts) > 1 else []):
            forms = {re.sub(r"\s", "", x) for x in (B.money(abs(n), d.lang, False), B.euros(abs(n), d.lang))}
            if not any(f in t for f in forms):
                say(f"{d.slug}: amount {n} of a sum is not printed")
        count["sums"] += 1
    for x in re.findall(r"FR\d{2}[0-9]{23}|GB\d{2}[A-Z]{4}\d{14}", t):
        count["IBANs"] += 1
        if not B.iban_ok(x) or (x[:2] == "FR" and B.rib_key(x[4:9], x[9:14], x[14:25]) != x[25:27]):
            say(f"{d.slug}: IBAN {x}")
    if d.type == "BANK_DETAILS" and not re.search(r"FR\d{2}[0-9]{23}|GB\d{2}[A-Z]{4}\d{14}", t):
        say(f"{d.slug}: no IBAN found")
    for x in re.findall(r"SIRET:?(\d{14})", t):
        count["SIRETs"] += 1
        if not B.luhn_ok(x) or not B.luhn_ok(x[:9]):
            say(f"{d.slug}: SIRET {x}")
    for x in re.findall(r"(?:SIREN|numéro)(\d{9})(?!\d)", t) + re.findall(r"(\d{9})R\.C\.S", t):
        count["SIRENs"] += 1
        if not B.luhn_ok(x):
            say(f"{d.slug}: SIREN {x}")
    for k, x in re.findall(r"(?:TVAintracommunautaire|N°TVA)FR(\d\d)(\d{9})", t):
        count["VAT numbers"] += 1
        if B.vat_fr(x) != f"FR{k}{x}":
            say(f"{d.slug}: VAT {k}{x}")
    for x in re.findall(r"VATregistrationNo\.GB(\d{9})", t):
        count["VAT numbers"] += 1
        if not B.vat_gb_ok(x):
            say(f"{d.slug}: VAT {x}")
    for x, k in re.findall(r"\b([12]\d{12})\s(\d{2})\b", text):
        count["social security numbers"] += 1
        if 97 - int(x) % 97 != int(k):
            say(f"{d.slug}: NIR {x} {k}")
    n, bad = mrz_faults(text)
    count["machine-readable zones"] += n
    for b in bad:
        say(f"{d.slug}: machine-readable zone {b}")
    if d.type in ("IDENTITY_CARD", "RESIDENCE_PERMIT", "PASSPORT") and not n:
        say(f"{d.slug}: no machine-readable zone found")
    if d.issued > REF:
        say(f"{d.slug}: issued {d.issued}")
    for page in doc:
        for b in page.get_text("words"):
            if b[0] < 2 or b[2] > page.rect.width - 2 or b[3] > page.rect.height - 2:
                say(f"{d.slug}: text off the page: {b[4]}")
    m = doc.metadata.get("creationDate", "")[2:10]
    if not m or m > REF.strftime("%Y%m%d"):
        say(f"{d.slug}: file date {m}")
    for x in (doc.metadata.get("modDate") or "")[2:10],:
        if x > REF.strftime("%Y%m%d"):
            say(f"{d.slug}: file change date {x}")


# ---------------- checks of one package ----------------
def conflicts(c):
    """Names of everything that contradicts between the papers and entries of one package."""
    C = [(k, v, d) for d in c.docs for k, v, _ in d.claims] + [(e["_key"], e["_canon"], None) for e in c.entries if e["_key"]]
    by, out = collections.defaultdict(list), set()
    for k, v, d in C:
        by[k].append((v, d))
    for k in ("last", "first"):
        if any(v not in c.aliases[k] for v, _ in by[k]):
            out.add(k)
    for k, vs in list(by.items()):
        if k.split(":")[0] in ("birth", "iban", "idno", "siren", "net", "invtotal", "plate", "vin", "policy", "nir") and len({v for v, _ in vs}) > 1:
            out.add(k)
        if k.startswith("holder:") and len({v for v, _ in vs}) > 1:
            out.add("holder")
    for e in c.entries:
        if e["_key"] == "net~":
            v = float(re.sub(r"[^0-9]", "", e["value"])) * 100
            if abs(v - e["_canon"]) > 510:
                out.add("rounded entry too far")
        if e["_key"] == "net":
            for k, vs in by.items():
                if k.startswith("net:") and all(v != e["_canon"] for v, _ in vs):
                    out.add("net entry")
    inc = [v for v, _ in by["income"]]
    if inc and max(inc) > 1.15 * min(inc):
        out.add("income")
    homes = [v for v, _ in by["home"]]
    for k, vs in list(by.items()):
        if k.startswith("addr:"):
            y, m = map(int, k[5:].split("-"))
            if len({v for v, _ in vs}) > 1 or any(s <= month_end(dt.date(y, m, 1)) and a != v for s, a in homes for v, _ in vs):
                out.add("addr")
    ytd = collections.defaultdict(dict)
    for k, vs in list(by.items()):
        if k.startswith("ytd:"):
            _, root, mon = k.split(":")
            ytd[root][dt.date(*map(int, mon.split("-")), 1)] = vs[0][0]
    for root, ms in ytd.items():
        for m, (cum, g) in ms.items():
            nx = B.add_months(m, 1)
            new_year = nx.month == (1 if c.lang == "fr" else 4)
            if nx in ms and (ms[nx][0] != ms[nx][1] if new_year else ms[nx][0] != cum + ms[nx][1]):
                out.add("ytd:" + root)
            if cum < g:
                out.add("ytd small")
    for k, vs in list(by.items()):
        root = k.split(":")[-1]
        if k.startswith("registered:"):
            if any(v > month_end(a) for v, _ in vs for a, _ in by["activity:" + root]):
                out.add("registered-late")
        if k.startswith("struck:"):
            if any(v <= a for v, _ in vs for a, _ in by["activity:" + root]):
                out.add("struck")
        if k.startswith("contract:"):
            for (signed, start, gross), _ in vs:
                for p in ms_of(ytd, root):
                    if p < start.replace(day=1):
                        out.add("before-hiring")
                    if ytd[root][p][1] != gross:
                        out.add("contract-pay")
        if k.startswith("quoted:"):
            idd = next(d for d in c.docs if getattr(d, "number", None) == root)
            if any(v > idd.expiry for v, _ in vs):
                out.add("expired")
            if any(v < idd.issued for v, _ in vs):
                out.add("quoted before issue")
    if any(i < x for i, _ in by["invoicedate"] for x, _ in by["damage"]):
        out.add("invoice-early")
    for d in c.docs:
        if hasattr(d, "expiry") and d.expiry < c.date and c.kind not in ("identity_paper_expired_before_contract", "paper_expired_after_contract"):
            out.add("identity paper out of date")
        if d.issued > c.date and d.type != "OTHER" or d.issued > REF:
            out.add(f"paper later than the case: {d.slug} {d.issued} {c.date}")
    for v, _ in by["nir"]:
        for b, d in by["birth"]:
            if v[1:5] != b.strftime("%y%m"):
                out.add("nir")
    for d in c.docs:
        if d.type == "PAYSLIP" and f"{c.p['birth']}" and c.hired > d.issued:
            out.add("hired after pay")
    return out


def ms_of(ytd, root):
    return sorted(ytd.get(root, {}))


def build(seed, cls, kind, fn, i, lang, serial):
    for turn in range(60):
        rng = random.Random(f"{seed}/{kind}/{i}/{turn}")
        foreign = lang == "fr" and rng.random() < .16 and kind not in ("married_name", "accents_missing", "joint_account", "spouse_bill")
        c = cases.Case(rng, B.Names(rng), lang, foreign=foreign)
        c.kind = kind
        try:
            c.expect = fn(c, i)
        except cases.Retry:
            continue
        if rng.random() < .42:
            extra(c, rng)
        if not 2 <= len(c.docs) <= 5 or len(c.entries) > 4:
            continue
        return c
    raise SystemExit(f"no package made for {kind} {i}")


def extra(c, rng):
    """One or two more papers of the same person that have nothing to do with the matter."""
    for what in rng.sample(["rib", "bill", "register"], rng.choice([1, 2])):
        types = [d.type for d in c.docs]
        slugs = [d.slug for d in c.docs]
        before = conflicts(c)
        if len(types) >= 5:
            return
        if what == "rib" and "BANK_DETAILS" not in types and c.kind not in ("joint_account",):
            c.rib()
        elif what == "bill" and "PROOF_OF_ADDRESS" not in types and not {"bail", "tenancy_agreement"} & set(slugs):
            c.bill()
        elif what == "register" and "PAYSLIP" in types and "COMPANY_REGISTRATION" not in types and c.kind != "employer_number_differs":
            c.add(cases.P.company_paper(rng, c.emp, c.date - dt.timedelta(days=rng.randint(2, 20)), c.lang))
        else:
            continue
        if conflicts(c) != before:
            c.docs.pop()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, default=2611)
    o = ap.parse_args()
    faults, count = [], collections.Counter()
    plan = cases.plan()
    random.Random(o.seed).shuffle(plan)
    made = [(x, build(o.seed, *x, n)) for n, x in enumerate(plan)]
    # a quarter of each class has scans
    sr = random.Random(o.seed + 1)
    scanned = set()
    for cls in ("coherent", "contradictory"):
        ids = [n for n, (x, _) in enumerate(made) if x[0] == cls]
        scanned |= set(sr.sample(ids, 15))
    if os.path.isdir(o.out) and os.path.exists(os.path.join(o.out, "packages.json")):
        for n in os.listdir(o.out):
            p = os.path.join(o.out, n)
            shutil.rmtree(p) if os.path.isdir(p) else os.remove(p)
    os.makedirs(o.out, exist_ok=True)
    packages = []
    for n, ((cls, kind, fn, i, lang), c) in enumerate(made):
        pid = f"poplar-{n + 1:03d}"
        say = lambda m: faults.append(f"{pid} {kind} {i}: {m}")
        for d in c.docs:
            check_doc(d, say, count)
        got = conflicts(c)
        want = set()
        if cls == "contradictory":
            e = c.expect
            parts = e.split("+")
            want = {"holder" if p == "holder" else p for p in parts}
            # a wish with several parts: each found one must be wished, the first must be found
            if e == "last+first":
                ok = "last" in got and got <= want
            elif e == "plate+vin":
                ok = "plate" in got and got <= want
            else:
                ok = got == want
                if e == "last+first+holder":
                    ok = {"last", "holder"} <= got <= want
            if not ok:
                say(f"contradictions found {sorted(got)}, wanted {sorted(want)}")
            count["contradictions found"] += 1
            if not c.clash:
                say("no clashing values noted")
            if len({re.sub(r"\s", "", v) for v, _ in c.clash}) < 2 and c.expect != "expired":
                say("the clashing values are the same")
            for v, t in c.clash:
                v2 = fold(re.sub(r"\s", "", v)).upper()
                if t == "entry":
                    ok = any(v2 in fold(re.sub(r"\s", "", e["value"])).upper() for e in c.entries)
                else:
                    ok = any(v2 in fold(d.text).upper() for d in c.docs if d.type == t)
                if not ok:
                    say(f"the clashing value {v!r} is not in {t}")
                count["clashing values printed"] += 1
        elif got:
            say(f"a coherent package contradicts: {sorted(got)}")
        os.makedirs(os.path.join(o.out, pid))
        rr = random.Random(f"{o.seed}/{pid}")
        order = list(c.docs)
        rr.shuffle(order)
        marks = set()
        if n in scanned:
            marks = set(rr.sample(range(len(order)), rr.choice([1, 1, 2])))
        docs, used = [], set()
        plain = rr.random() < .3
        for k, d in enumerate(order):
            data, ext = d.pdf, "pdf"
            if k in marks:
                data, ext = scan(d.pdf, f"{o.seed}/{pid}/{k}", min(c.date, REF), rr.random() < .4)
                count["scanned documents"] += 1
            name = f"document_{k + 1}" if plain else (f"scan_{k + 1:03d}" if k in marks else f"{k + 1}_{d.slug}")
            f = f"{pid}/{name}.{ext}"
            with open(os.path.join(o.out, f), "wb") as h:
                h.write(data)
            docs.append({"file": f, "type": d.type})
            count["documents"] += 1
            if k not in marks:
                count[f"type {d.type}"] += 1
            else:
                count[f"type {d.type}"] += 1
        count["packages " + cls + " " + lang] += 1
        packages.append({"id": pid, "class": cls, "kind": kind, "entries": [{k: e[k] for k in ("title", "field", "value")} for e in c.entries], "documents": docs, "what": c.what})
    tally = collections.Counter((p["class"], p["kind"]) for p in packages)
    for (cl, k), v in tally.items():
        if v > 6 and cl == "contradictory":
            faults.append(f"too many of {k}")
    with open(os.path.join(o.out, "packages.json"), "w", encoding="utf-8") as h:
        json.dump({"maker": "poplar", "reference_date": REF_S, "packages": packages}, h, ensure_ascii=False, indent=1)
    for k in sorted(count):
        print(f"{k}: {count[k]}")
    for (cl, k), v in sorted(tally.items()):
        print(f"  {cl:14s} {k}: {v}")
    for f in faults:
        print("FAULT", f)
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
