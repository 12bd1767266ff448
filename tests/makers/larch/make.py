"""Makes the labelled set: make.py --out FOLDER --seed N [--small]."""
import argparse
import datetime as dt
import hashlib
import io
import json
import logging
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

import cv2
import numpy as np
import pikepdf
import pymupdf

import bills  # noqa: F401 (registers its designs)
import forge
import honest
import offices  # noqa: F401
import papers  # noqa: F401
from people import FIRST, LAST, REF, CITY, MONTHS, STYLES, Account, Person, ascii_, day, digits, firm, group, iban_ok, letters, money, past, place, check
from render import DESIGNS, ENV, TYPES
from scan import capture

logging.disable(logging.CRITICAL)
CODES = {"IDENTITY_CARD": "lastName firstName birthDate documentNumber expiryDate nationality", "DRIVING_LICENCE": "lastName firstName birthDate "
    "documentNumber expiryDate",
         "VEHICLE_REGISTRATION": "registrationNumber lastName firstName address postCode city issueDate", "BANK_DETAILS": "iban bic accountHolder",
             "PAYSLIP": "lastName firstName netAmount postCode city",
         "TAX_NOTICE": "lastName firstName address postCode city totalAmount documentNumber", "INVOICE": "invoiceNumber issueDate totalAmount issuer iban",
             "PROOF_OF_ADDRESS": "lastName firstName address postCode city issueDate issuer",
         "COMPANY_REGISTRATION": "companyName registrationNumber address postCode city", "INSURANCE_CERTIFICATE": "policyNumber lastName firstName issuer "
             "postCode city", "OTHER": ""}
CODES["PASSPORT"] = CODES["RESIDENCE_PERMIT"] = CODES["IDENTITY_CARD"]
FINE = {"fr": ["Les informations recueillies font l'objet d'un traitement destiné à la gestion de votre dossier. Conformément à la loi informatique et "
    "libertés, vous disposez d'un droit d'accès, de rectification et d'opposition.",
               "En cas de réclamation, vous pouvez saisir le service clients puis le médiateur. Aucune pénalité n'est due avant mise en demeure. Les "
                   "conditions générales sont disponibles sur simple demande.",
               "Document à conserver. Toute reproduction partielle est interdite. Merci de rappeler vos références dans toute correspondance, et de ne "
                   "pas agrafer le talon."],
        "en": ["We hold your information securely and use it only to run your account. You may ask us for a copy at any time. Calls may be recorded for "
            "training.", "If you are unhappy with our service please tell us first; if we cannot agree you may refer the matter to the ombudsman free of "
                "charge.",
               "Please keep this document in a safe place. Terms and conditions apply and can be sent to you in large print or Braille."]}
DENSE = ["BANK_DETAILS", "PAYSLIP", "TAX_NOTICE", "INVOICE", "PROOF_OF_ADDRESS", "COMPANY_REGISTRATION", "INSURANCE_CERTIFICATE"]


def enrich(d, r):
    """Small print, and sometimes a second page of conditions, as offices add to nearly everything."""
    if d.type not in DENSE or d.lang not in FINE or d.kind not in ("weasyprint", "chromium", "typst"):
        return
    t = r.sample(FINE[d.lang], r.randint(1, 3))
    size, two = r.choice([6.5, 7, 7.5, 8]), r.random() < .3
    head = {"fr": "Conditions générales (extrait)", "en": "Terms and conditions (extract)"}[d.lang]
    if d.kind == "typst":
        d.src += f"\n#v({r.randint(4, 30)}mm) #text(size: {size}pt)[{' '.join(t)}]" + (f"\n#pagebreak()\n*{head}* \\\n" + "\n\n".join(f"{i}. {x}" for i,
            x in enumerate(FINE[d.lang] * 2, 1)) if two else "")
    else:
        side = "margin:{}mm 16mm 0" if "margin:0}body" in d.src else "margin-top:{}mm"
        d.src += f'<p style="font-size:{size}pt;{side.format(r.randint(3, 25))};clear:both">{" ".join(t)}</p>'
        if two:
            d.src += (f'<div style="page-break-before:always"><h4>{head}</h4><div style="column-count:{r.choice([1, 2])};font-size:8pt">'
                      + "".join(f"<p>{i}. {x}</p>" for i, x in enumerate(FINE[d.lang] * 3, 1)) + "</div></div>")


class Maker:
    """Hands out documents so that types, languages and designs are spread."""
    def __init__(self, seed):
        self.seed, self.n, self.used = seed, 0, Counter()

    def doc(self, type_=None, grp=None, scan=False, ok=lambda d: True, tag=""):
        for _ in range(60):
            self.n += 1
            r = random.Random(f"{self.seed}/{tag}/{self.n}")
            r.scan = scan
            pool = [f for f in DESIGNS if (not type_ or f.type == type_) and (not grp or f.group == grp)]
            low = min(self.used[f.__name__] for f in pool)
            f = r.choice([f for f in pool if self.used[f.__name__] <= low + 1])
            d = f(r)
            d.type, d.design, d.land, d.r = f.type, f.__name__, d.__dict__.get("land", f.country), r
            if ok(d):
                self.used[f.__name__] += 1
                enrich(d, r)
                return d
        raise RuntimeError(f"no design for {type_} {grp} {tag}")


def squeeze(s):
    return "".join(c for c in ascii_(s).lower() if c.isalnum())


def pdf_text(data):
    with tempfile.NamedTemporaryFile(suffix=".pdf") as f:
        f.write(data)
        f.flush()
        return subprocess.run(["pdftotext", "-layout", f.name, "-"], check=True, capture_output=True, env=ENV).stdout.decode("utf-8", "replace") + \
            subprocess.run(["pdftotext", "-raw", f.name, "-"], check=True, capture_output=True, env=ENV).stdout.decode("utf-8", "replace")


def forms(v):
    """All notations in which a value may stand on a page."""
    if isinstance(v, dt.date):
        return [squeeze(day(v, st, lg)) for st in STYLES if st != "d/m/yy" for lg in MONTHS]
    if isinstance(v, int):
        return [squeeze(money(v))] + ([squeeze(str(abs(v) // 100))] if v % 100 == 0 else [])
    return [squeeze(v)]


def typed(v, land, shown="1"):
    """How a person would type the value; the American order only where the page has it, so that it cannot be taken for another day."""
    if isinstance(v, dt.date):
        return day(v, "y-m-d") if land == "CA" or land == "US" and any(c.isalpha() for c in shown) else day(v, "m/d/y") if land == "US" else day(v)
    if isinstance(v, int):
        return money(v, "raw" if land in ("US", "GB", "IE", "CA", "CH") else "rawfr")
    return v


def variant(r, code, v, shown, land, lang):
    """The right value in other clothes."""
    if isinstance(v, dt.date):
        return day(v, r.choice(["y-m-d", "d.m.y", "long"] if land != "US" else ["y-m-d", "us"]), lang if lang in MONTHS else "en")
    if isinstance(v, int):
        c = {"US": "$", "GB": "£", "CH": "CHF ", "CA": "$"}.get(land)
        return r.choice([f"{c}{money(v, 'en')}" if c else f"{money(v)} €", money(v, "raw"), money(v, "rawfr") if land not in ("US", "GB", "CA",
            "IE") else money(v, "en")])
    if code == "iban":
        return r.choice([v, v.lower(), " ".join(v[i:i + 4] for i in range(0, len(v), 4))])
    if code == "accountHolder" and len(v.split()) == 2 and r.random() < .5:
        return " ".join(reversed(v.split()))
    if code in ("documentNumber", "registrationNumber", "policyNumber", "postCode", "invoiceNumber", "bic"):
        return r.choice([v.lower(), v.replace(" ", ""), v.replace(" ", "").lower()])
    return r.choice([v.upper(), v.lower(), ascii_(v), ascii_(v).upper(), v.replace("-", " ").title() if code != "address" else v.upper()])


def wrong(r, code, v, land, text):
    """A wrong value that stands nowhere on the page."""
    flat = squeeze(text)
    for _ in range(80):
        if isinstance(v, dt.date):
            n = v + dt.timedelta(days=r.choice([1, -1, 7, 10, 30, -31, 365, -366, r.randint(-900, 900) or 5]))
        elif isinstance(v, int):
            s = list(str(abs(v)))
            i = r.randrange(len(s))
            s[i] = str((int(s[i]) + r.randint(1, 9)) % 10)
            n = int("".join(s)) * (1 if v >= 0 else -1) if s[0] != "0" else v
            n = round(v * 1.1) if r.random() < .3 else n
        elif code == "iban":
            n = Account(r, v[:2], "").iban if r.random() < .4 else swap(r, v, 4)
        elif code == "lastName":
            n = r.choice(sum(LAST.values(), []))
        elif code == "firstName":
            n = r.choice([x for g in FIRST.values() for y in g for x in y])
        elif code == "accountHolder":
            n = Person(r, land if land in CITY else "FR").full
        elif code == "city":
            n = r.choice([c for x in CITY.values() for _, c in x])
        elif code == "postCode":
            n = r.choice([r.choice(CITY[land])[0], swap(r, v, 0)])
        elif code == "address":
            n = r.choice([place(r, land)[0], re.sub(r"\d+", lambda m: str(int(m[0]) + r.randint(1, 30)), v, count=1)])
        elif code in ("issuer", "companyName"):
            n = firm(r, land).name
        elif code == "nationality":
            n = r.choice(["Espagnole", "Roumaine", "Tunisienne", "Canadian", "Polish", "IND"])
        elif code == "bic":
            n = letters(r, 4) + v[4:]
        else:
            n = swap(r, v, 0)
        if n == v or any(x in flat for x in forms(n)) or squeeze(typed(n, land)) == squeeze(typed(v, land)):
            continue
        if isinstance(n, str) and (squeeze(n) in squeeze(v) or squeeze(v) in squeeze(n)):
            continue
        if isinstance(n, dt.date) and (day(n, "d/m/yy") in text or (n.day, n.month, n.year) == (v.month, v.day, v.year)):
            continue
        return n
    return None


def swap(r, s, start):
    i = r.choice([i for i, c in enumerate(s) if c.isdigit() and i >= start] or [len(s) - 1])
    return s[:i] + (str((int(s[i]) + r.randint(1, 9)) % 10) if s[i].isdigit() else chr(65 + (ord(s[i]) - 64) % 26)) + s[i + 1:]


INVENT = {"iban": lambda r, c: Account(r, c if c in ("FR", "CH", "BE", "GB") else "FR").spaced, "bic": lambda r, c: letters(r, 8), "expiryDate": lambda r,
    c: day(past(r, -2000, -200)), "nationality": lambda r, c: r.choice(["Portugaise", "Kenyan"]),
          "address": lambda r, c: place(r, c)[0], "postCode": lambda r, c: r.choice(CITY[c])[0], "city": lambda r, c: r.choice(CITY[c])[1],
              "totalAmount": lambda r, c: money(r.randint(9000, 90000), "rawfr")}


def entries(d, text):
    r, out = random.Random(f"{d.design}/{d.made}/{len(text)}"), []
    flat = squeeze(text)
    for code in CODES[d.type].split():
        if code not in d.fields:
            # not where the zone or another person's address would answer for it
            if (d.mrz and len(d.mrz[0]) != 36) or d.design == "bulletin_word":
                continue
            if code in INVENT and r.random() < .75:
                v = next((x for x in (INVENT[code](r, d.land) for _ in range(30)) if squeeze(x) not in flat), None)
                if v:
                    out.append({"field": code, "value": v, "expected": "MISSING", "how": "not printed"})
            continue
        v, shown = d.fields[code]
        k = r.random()
        n = wrong(r, code, v, d.land, text) if k > .52 else None
        if n is not None:
            out.append({"field": code, "value": typed(n, d.land, shown), "expected": "MISMATCH", "how": "wrong value"})
        elif k < .26:
            out.append({"field": code, "value": shown.replace("\u00a0", " ") if r.random() < .5 else typed(v, d.land, shown), "expected": "MATCH",
                "how": "as printed"})
        else:
            out.append({"field": code, "value": variant(r, code, v, shown, d.land, d.lang), "expected": "MATCH", "how": "other writing"})
    return out


def genuine_faults(d, text):
    """What would make an honest document false."""
    out, flat = [], squeeze(text)
    for parts, total in d.sums:
        if sum(parts) != total:
            out.append("sum")
    if "iban" in d.fields and not iban_ok(d.fields["iban"][0]):
        out.append("iban")
    for ln in d.mrz:
        if squeeze(ln) not in flat:
            out.append("mrz not on the page")
    if d.mrz:
        m = d.mrz
        if len(m) == 3:
            a, b = m[0], m[1]
            if (a[14] != "<" and check(a[5:14]) != a[14]) or check(b[:6]) != b[6] or check(b[8:14]) != b[14] or any(
                    len(x) != 30 for x in m) or check(a[5:30] + b[:7] + b[8:15] + b[18:29]) != b[29]:
                out.append("td1")
        elif len(m[0]) == 44:
            b = m[1]
            if check(b[:9]) != b[9] or check(b[13:19]) != b[19] or check(b[21:27]) != b[27] or check(b[:10] + b[13:20] + b[21:43]) != b[43] or len(b) != 44:
                out.append("td3")
        elif len(m[0]) != 36 or len(m[1]) != 36 or check(m[1][:12]) != m[1][12] or check(m[0] + m[1][:35]) != m[1][35]:
            out.append("cni")
    for a, b, fm, _ in d.order:
        if a > b:
            out.append("dates")
    for code, (v, shown) in d.fields.items():
        if not any(x in flat for x in forms(v) + [squeeze(shown)]):
            out.append(f"{code} {shown!r} not on the page")
    return out


def illegible(data, medium, d, cache):
    """Codes that two runs of Tesseract do not find."""
    if not d.fields:
        return []
    key = hashlib.sha256(data).hexdigest()
    if key in cache:
        return cache[key]
    left = dict(d.fields)
    with tempfile.TemporaryDirectory() as t:
        if medium == "scan_pdf":
            x = pymupdf.open(stream=data, filetype="pdf")[0].get_pixmap(dpi=200)
            g = np.frombuffer(x.samples, np.uint8).reshape(x.height, x.width, x.n)[:, :, :3].mean(axis=2).astype(np.uint8)
        else:
            g = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
        # even light and less noise, as an eye would see it; noise costs Tesseract minutes
        g = cv2.GaussianBlur(g, (0, 0), .8)
        k = min(1.6, 2300 / max(g.shape))
        g = cv2.resize(g, None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_CUBIC)
        g = np.clip(g.astype(np.float32) * 235 / cv2.GaussianBlur(g, (0, 0), 25).astype(np.float32).clip(40), 0, 255).astype(np.uint8)
        lang = {"fr": "fra", "de": "deu", "es": "spa", "it": "ita", "nl": "nld", "pt": "por"}.get(d.lang, "eng")
        for psm in ("4", "11"):
            cv2.imwrite(t + "/g.png", g)
            try:
                txt = subprocess.run(["tesseract", t + "/g.png", "-", "-l", lang, "--psm", psm, "--dpi", "200"], capture_output=True, env=ENV,
                    timeout=150).stdout.decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                txt = ""
            flat = squeeze(txt)
            left = {c: x for c, x in left.items() if not any(f in flat for f in forms(x[0]) + [squeeze(x[1])])}
            if not left:
                break
            g = np.where(g > 165, 255, g).astype(np.uint8)
    cache[key] = sorted(left)
    return cache[key]


GROUPS = ["FR", "EN", "FR", "CB", "EN", "FR", "FR", "EN"]


def plan(n, r):
    """Type and group for each of n genuine documents."""
    out, i = [], 0
    for k in range(-(-n // 13)):
        for j, t in enumerate(TYPES):
            out.append((t, GROUPS[(k + 3 * j) % 8] if k < 8 else "FR"))
    out = out[:n - 6] if n > 50 else out[:n]
    if n > 50:
        out += [("INVOICE", "XX"), ("PROOF_OF_ADDRESS", "XX"), ("INVOICE", "XX"), ("PROOF_OF_ADDRESS", "XX"), ("IDENTITY_CARD", "XX"), ("INVOICE", "XX")]
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, required=True)
    ap.add_argument("--small", action="store_true")
    a = ap.parse_args()
    cache_file = os.path.join(tempfile.gettempdir(), "sealwright-larch-ocr.json")
    cache = json.load(open(cache_file)) if os.path.exists(cache_file) else {}
    if os.path.isdir(a.out):
        shutil.rmtree(a.out)
    os.makedirs(a.out)
    rnd, mk, docs, faults = random.Random(a.seed), Maker(a.seed), [], []
    count = (13, 13, 7, 10) if a.small else (100, 100, 50, 80)

    def add(cls, kind, medium, d, data, text, what=None, note=None):
        ext = {"pdf": "pdf", "scan_pdf": "pdf", "scan_jpeg": "jpg", "scan_png": "png"}[medium]
        i = f"larch-{len(docs) + 1:04d}"
        name = f"{i}.{ext}"
        open(os.path.join(a.out, name), "wb").write(data)
        p = d.info.get("Producer")
        e = {"id": i, "file": name, "sha256": hashlib.sha256(data).hexdigest(), "class": cls, "kind": kind, "medium": medium, "type": d.type, "lang": d.lang,
            "country": d.land, "producer": d.kind + (f" as {p}" if p else ""), "layout": d.layout,
             "fields": {c: typed(v, d.land, s) for c, (v, s) in d.fields.items()}}
        if cls != "forged_pdf":
            e["entries"] = entries(d, text)
            for x in e["entries"]:
                flat = squeeze(text)
                bad = squeeze(x["value"]) in flat
                if x["expected"] != "MATCH" and bad:
                    faults.append(f"{i}: wrong value {x['value']} stands on the page")
        if medium != "pdf":
            e["illegible"] = illegible(data, medium, d, cache)
            e["capture"] = note or ""
        if what:
            e["what"] = what
        docs.append(e)
        print(i, cls, kind, medium, d.design, flush=True)
        if len(docs) % 20 == 0:
            json.dump(cache, open(cache_file, "w"))

    def clean(d):
        """Renders an honest document and holds it to the promises."""
        data = d.render()
        text = pdf_text(data)
        faults.extend(f"{d.design}: {x}" for x in genuine_faults(d, text))
        return data, text

    for t, g in plan(count[0], rnd):
        d = mk.doc(t, g, tag="pdf")
        data, text = clean(d)
        add("genuine", d.__dict__.get("label", d.design), "pdf", d, data, text)
    media = (["scan_jpeg"] * 12 + ["scan_png"] * 3 + ["scan_pdf"] * 5) * 5
    rnd.shuffle(media)
    for (t, g), m in zip(plan(count[1], rnd), media):
        d = mk.doc(t, g, scan=True, tag="scan")
        data, text = clean(d)
        shot, how = capture(data, d.r, m, d.__dict__.get("card"), honest.later(d, d.r))
        add("genuine", d.__dict__.get("label", d.design), m, d, shot, text, note=how)
    kinds = honest.KINDS if not a.small else honest.KINDS[::9]
    types = [t for t in TYPES for _ in range(4)]
    rnd.shuffle(types)
    for f, t in list(zip(kinds, types))[:count[2] - (0 if a.small else 5)]:
        if f in (honest.signed, honest.with_cover, honest.extracted) and t not in DENSE:
            t = rnd.choice(DENSE)  # offices sign and cover their own papers, not a copy of a card
        d = mk.doc(t, rnd.choice(["FR", "FR", "EN", "CB", "EN"]), scan=f in (honest.scanned, honest.messenger), tag="benign")
        data, text = clean(d)
        data = f(data, d, d.r)
        m = "scan_pdf" if f in (honest.scanned, honest.scanned_ocr) else "scan_jpeg" if f is honest.messenger else "pdf"
        if m == "pdf":
            text = pdf_text(data)
            faults.extend(f"benign {f.__name__} {d.design}: {x}" for x in genuine_faults(d, text))
        add("benign", f.__name__, m, d, data, text)
    for k in range(0 if a.small else 5):  # forms have their own origin
        r = random.Random(f"{a.seed}/form/{k}")
        data, lang, land, made = honest.filled_form(r, Person, past, firm)
        from render import Doc
        d = Doc(lang, "form", "reportlab", None, made, {}, info={"Producer": "Acrobat Distiller 9.0.0 (Windows)"})
        d.type, d.design, d.land = "OTHER", "form", land
        add("benign", "form_filled", "pdf", d, data, pdf_text(data))
    each = count[3] // len(forge.KINDS)
    for name, f in forge.KINDS.items():
        done, tries, want = 0, 0, list(TYPES)
        want = {"iban": ["BANK_DETAILS", "INVOICE"], "mrz": ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT"], "sum": ["PAYSLIP", "INVOICE", "TAX_NOTICE",
            "PROOF_OF_ADDRESS", "INSURANCE_CERTIFICATE", "VEHICLE_REGISTRATION"],
                "dates": ["INSURANCE_CERTIFICATE", "INVOICE", "PAYSLIP", "COMPANY_REGISTRATION", "DRIVING_LICENCE", "PROOF_OF_ADDRESS",
                    "VEHICLE_REGISTRATION", "TAX_NOTICE", "RESIDENCE_PERMIT"]}.get(
                    name, ["PAYSLIP", "TAX_NOTICE", "BANK_DETAILS", "INVOICE", "PROOF_OF_ADDRESS", "INSURANCE_CERTIFICATE", "COMPANY_REGISTRATION", "PAYSLIP",
                        "DRIVING_LICENCE"])
        while done < each:
            tries += 1
            if tries > 60:
                faults.append(f"forgery {name}: too few")
                break
            t = want[(done + tries) % len(want)]
            d = mk.doc(t, rnd.choice(["FR", "FR", "EN", "EN", "CB"]), tag="forge-" + name)
            need = {"iban": d.iban and "iban" in d.fields, "mrz": d.mrz, "sum": d.total and d.sums, "dates": d.order and not d.mrz}
            if not need.get(name, True):  # rendering is slow: look first whether the document lends itself
                continue
            data, text = clean(d)
            got = f(data, d, d.r)
            if not got:
                continue
            new, what = got
            a1, b1 = pymupdf.open(stream=data, filetype="pdf")[0].get_pixmap(dpi=70).samples, pymupdf.open(stream=new,
                filetype="pdf")[0].get_pixmap(dpi=70).samples
            if a1 == b1:
                faults.append(f"forgery {name} {d.design}: looks like the original")
                continue
            add("forged_pdf", name, "pdf", d, new, text, what)
            done += 1
    for e in docs:
        b = open(os.path.join(a.out, e["file"]), "rb").read()
        if hashlib.sha256(b).hexdigest() != e["sha256"]:
            faults.append(e["id"] + ": sha256")
        if e["file"].endswith(".pdf"):
            pikepdf.open(io.BytesIO(b)).close()
            pdf_text(b)
    if len({e["sha256"] for e in docs}) != len(docs):
        faults.append("two files are the same")
    json.dump({"maker": "larch", "reference_date": REF.isoformat(), "seed": a.seed, "documents": docs}, open(os.path.join(a.out, "labels.json"), "w",
        encoding="utf-8"), ensure_ascii=False, indent=1)
    json.dump(cache, open(cache_file, "w"))
    print(Counter(e["class"] for e in docs), Counter(e["type"] for e in docs), Counter(e["lang"] for e in docs),
        Counter(x["expected"] for e in docs for x in e.get("entries", [])))
    for x in faults:
        print("FAULT", x)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
