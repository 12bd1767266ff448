#!/usr/bin/env python3
"""make.py --out FOLDER --seed N [--limit K]: a labelled set of documents."""
import argparse, os, sys, json, hashlib, random, shutil, traceback, datetime as dt, subprocess, re, copy, time
import warnings; warnings.filterwarnings('ignore')
import fitz, numpy as np
from PIL import Image
import data, docs, cards, render, scan, entries, forge, benign
from data import NB, strip_acc
fitz.TOOLS.mupdf_display_errors(False)
IDT = ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE"]
OTH = ["VEHICLE_REGISTRATION", "BANK_DETAILS", "PAYSLIP", "TAX_NOTICE", "INVOICE", "PROOF_OF_ADDRESS", "COMPANY_REGISTRATION", "INSURANCE_CERTIFICATE"]
PLAN = {"pdf": dict([(t, 4) for t in IDT] + [("OTHER", 8)] + [(t, 10 if i < 4 else 9) for i, t in enumerate(OTH)]),
        "scan": dict([(t, 12) for t in IDT] + [("OTHER", 8)] + [(t, 5 if i < 4 else 6) for i, t in enumerate(OTH)]),
        "benign": dict([(t, 3) for t in IDT] + [("OTHER", 4)] + [(t, 5 if i in (1, 7) else 4) for i, t in enumerate(OTH)]),
        "forged": dict([(t, 6) for t in IDT] + [("OTHER", 6)] + [(t, 7 if i in (2, 4) else 6) for i, t in enumerate(OTH)])}
BW = [("weasy", 22), ("chrome", 17), ("reportlab", 22), ("fpdf", 12), ("latex", 11), ("typst", 9), ("lo", 8)]
def pick(r, w): 
    x = r.uniform(0, sum(k for _, k in w))
    for n, k in w:
        x -= k
        if x <= 0: return n
    return n
def squash(s): return "".join(s.replace("\u00ad", "-").split())

CARE = {"white_box_helvetica":"crude","freetext_annotation":"crude","image_patch":"crude","redact_and_retype":"medium","matched_font_overlay":"medium","incremental_overlay":"medium","word_processor_roundtrip":"medium","transplanted_region":"medium","raster_edit_with_ocr_layer":"medium","changed_after_signing":"medium","overlay_then_reprinted":"medium","glyph_swap_rewritten":"careful","glyph_swap_incremental":"careful","glyph_swap_clean":"careful","regenerated_contradiction":"careful","invented_contradiction":"medium"}
class Maker:
    def __init__(s, out, seed):
        s.out, s.r, s.seed, s.docs, s.n, s.fail = out, random.Random(seed), seed, [], 0, []; os.makedirs(out, exist_ok=True)
        s.vcount = {}; s.bcount = {}
    def base(s, type, lang, pdf=True, back=None, v=None, c=None):
        r = s.r; k = (type, lang, pdf)
        if v is None: v = s.vcount[k] = s.vcount.get(k, r.randint(0, 3)) + 1
        if type in IDT:
            nv = 4 if not pdf else 6; v %= nv; d = cards.ident(r, type, lang, v, pdf)
        else:
            nv = docs.NV.get(type, 4) if lang in ("fr", "en") else 3; v %= nv; d = docs.enrich(r, docs.BUILD[type](r, lang, c or r.choice(data.LANG_C[lang]), v))
        d.rseed = r.randint(0, 2**31); ts = render.stamp(d, r)
        for _ in range(4):
            d.backend = back or (pick(r, BW) if d.blocks else r.choice(["weasy", "chrome"]))
            if not pdf and d.backend in ("lo", "chrome") and r.random() < .5: d.backend = "weasy"
            try: p, prod = render.BACK[d.backend](d, ts, random.Random(d.rseed), None if d.blocks else d.html)
            except Exception as e: print("  render", d.backend, type, repr(e)[:100]); continue
            f = fitz.open(p); t = squash(f[0].get_text())
            if all(squash(x) in t for x in d.fields.values()) and (d.blocks or len(f) == 1): break
            print("  text missing", d.backend, type, lang, v, [k for k, x in d.fields.items() if squash(x) not in t])
        else: return s.base(type, lang, pdf, back, None)
        d.prod, d.ts = prod, ts
        if d.blocks: d.kind = getattr(d, "kind", None) or f"{type.lower()}-{d.lang}-{d.c}-{v}-{d.backend}"
        return d, p, ts
    def add(s, d, src_or_write, ext, cls, medium, kind, prod, **more):
        s.n += 1; tmp = os.path.join(render.TMP, f"out{s.n}{ext}")
        if callable(src_or_write): src_or_write(tmp)
        else: shutil.copy(src_or_write, tmp)
        e = dict(cls=cls, medium=medium, kind=kind, type=d.type, lang=d.lang, producer=prod, layout=d.layout, fields={k: v.replace(NB, " ") for k, v in more.pop("fields", d.fields).items()}, tmp=tmp, ext=ext, checks=d.checks); e.update(more); s.docs.append(e); return e
    def langs(s, type, n):
        r = s.r
        if type in ("INVOICE", "PROOF_OF_ADDRESS"): o = ["fr"]*(n*28//100 + (1 if n % 2 else 0)) + ["en"]*(n*24//100); rest = n - len(o); x = ["de", "es", "it", "nl", "pt"]; k = s.vcount.setdefault("lx" + type, 0); o += [x[(k+i) % 5] for i in range(rest)]; s.vcount["lx" + type] += rest
        else: k = s.vcount.get("carry" + type, 0.0) + n*.555; f = int(k); s.vcount["carry" + type] = k - f; o = ["fr"]*f + ["en"]*(n - f)
        r.shuffle(o); return o
    def genuine_pdf(s, k=None):
        for t, n in PLAN["pdf"].items():
            for i, l in enumerate(s.langs(t, n)):
                if k and i >= k: break
                d, p, ts = s.base(t, l, True, v=(s.r.choice([4, 5]) if t in IDT and i % 2 else None)); s.add(d, p, ".pdf", "genuine", "pdf", d.kind, d.prod, entries=entries.entries(s.r, d))
    def genuine_scan(s, k=None):
        j = 0
        for t, n in PLAN["scan"].items():
            for i, l in enumerate(s.langs(t, n)):
                if k and i >= k: break
                d, p, ts = s.base(t, l, False); m = ["scan_pdf", "scan_jpeg", "scan_pdf", "scan_jpeg", "scan_png"][j % 5]; j += 1; a, dpi, dev = scan.scanit(p, s.r, not d.blocks); pr = []
                day = max(ts, dt.datetime(2026, 1, 6, 10, 0)) + dt.timedelta(hours=s.r.randint(1, 200)); day = min(day, dt.datetime(2026, 11, 23, 18, 0)); ext = {"scan_pdf": ".pdf", "scan_jpeg": ".jpg", "scan_png": ".png"}[m]
                e = s.add(d, lambda o: pr.append(scan.save(a, dpi, dev, m, s.r, day, o)), ext, "genuine", m, d.kind, "", entries=entries.entries(s.r, d)); e["producer"] = pr[0]; s.docs[-1]["scan"] = f"{dev} {dpi} dpi"
    def benign(s, k=None):
        ways = [w for w, (f, n) in benign.WAYS.items() for _ in range(n)]; tasks = [(t, l) for t, n in PLAN["benign"].items() for l in s.langs(t, n)]; s.r.shuffle(ways)
        # forms only where a form is natural
        fix = [i for i, w in enumerate(ways) if w == "form_filled"]; ok = [i for i, (t, l) in enumerate(tasks) if t in ("BANK_DETAILS", "INSURANCE_CERTIFICATE")]; s.r.shuffle(ok)
        for a in fix:
            if a in ok: ok.remove(a)
        for a in fix:
            if tasks[a][0] not in ("BANK_DETAILS", "INSURANCE_CERTIFICATE"): b = ok.pop(); ways[a], ways[b] = ways[b], ways[a]
        for i, ((t, l), w) in enumerate(zip(tasks, ways)):
            if k and i % 50 >= k*8: break
            for att in range(8):
                try:
                    if w == "highlighted" and t == "OTHER": w2 = "note_added"
                    else: w2 = w
                    d, p, ts = s.base(t, l, True); fn = benign.WAYS[w2][0]; o = render.pname(".pdf")
                    if w2 == "form_filled": benign.form(d, s.r, ts, o); d.prod = "ReportLab"; d.layout = "colon"; d.checks = [c for c in d.checks if c[0] == "iban"]
                    else: fn(d, p, s.r, ts, o)
                    if os.path.getsize(o) < 800: raise forge.Fail("empty")
                    f = fitz.open(o); f[0].get_pixmap(dpi=30); s.add(d, o, ".pdf", "benign", "scan_pdf" if w2 == "scan_with_text_recognised" else "pdf", w2, (f.metadata or {}).get("producer") or ("" if w2 == "metadata_removed" else d.prod)); s.docs[-1]["design"] = d.kind; break
                except Exception as e: print("  benign", w, t, repr(e)[:120])
            else: s.fail.append(("benign", w, t))
    def forged(s, k=None):
        ways = [w for w, x in forge.WAYS.items() for _ in range(x[1])]; tasks = [(t, l) for t, n in PLAN["forged"].items() for l in s.langs(t, n)]; s.r.shuffle(ways); s.r.shuffle(tasks)
        can = {"PAYSLIP", "INVOICE", "BANK_DETAILS", "PROOF_OF_ADDRESS", "PASSPORT", "RESIDENCE_PERMIT", "COMPANY_REGISTRATION"}
        con = lambda w: w.endswith("contradiction")
        for i in range(80):
            w = ways[i]; t, l = tasks[i]
            bad = con(w) and (t not in can or (t == "COMPANY_REGISTRATION" and l != "fr")) or (w == "word_processor_roundtrip" and t in IDT)
            if bad:
                for j in s.r.sample(range(80), 80):
                    t2, l2 = tasks[j]; w2 = ways[j]
                    okj = not con(w2) and w2 != "word_processor_roundtrip"
                    oki = (not con(w) or (t2 in can and not (t2 == "COMPANY_REGISTRATION" and l2 != "fr"))) and not (w == "word_processor_roundtrip" and t2 in IDT)
                    if okj and oki: ways[i], ways[j] = w2, w; break
        for i, ((t, l), w) in enumerate(zip(tasks, ways)):
            if k and i >= k*8: break
            for att in range(12):
                try:
                    back = None; v = None
                    if con(w) and t in ("PASSPORT", "RESIDENCE_PERMIT"): v = s.r.randint(0, 3)
                    if w == "word_processor_roundtrip": back = s.r.choice(["reportlab", "weasy", "chrome", "latex"])
                    c = "FR" if con(w) and t == "COMPANY_REGISTRATION" else s.r.choice(["FR", "BE", "CH"]) if con(w) and t == "BANK_DETAILS" and l == "fr" else "GB" if con(w) and t == "BANK_DETAILS" else None
                    d, p, ts = s.base(t, l, True, back, v, c); o = render.pname(".pdf"); fn, _, dig = forge.WAYS[w]; txt = fitz.open(p)[0].get_text()
                    if con(w):
                        q, prod, f, old, new, why = forge.w_regenerated(d, ts, s.r, w.startswith("inv")); shutil.copy(q, o); what = f"{f}: '{old}' -> '{new}' ({why})"
                    else:
                        f, old, new, kd = forge.target(s.r, d, txt, bool(dig))
                        if squash(old) == squash(new): raise forge.Fail("same")
                        fn(d, p, old, new, s.r, ts, o); prod = (fitz.open(o).metadata or {}).get("producer") or d.prod; what = f"{f}: '{old}' -> '{new}'"
                    a, b = (fitz.open(x)[0].get_pixmap(dpi=60) for x in (p, o))
                    if (a.w, a.h) == (b.w, b.h) and np.abs(np.frombuffer(a.samples, np.uint8).astype(int) - np.frombuffer(b.samples, np.uint8)).max() < 25: raise forge.Fail("nothing to see")
                    fl = dict(d.fields); 
                    if f in fl: fl[f] = new
                    s.add(d, o, ".pdf", "forged_pdf", "pdf", w, prod, fields=fl, what=what.replace(NB, " "), changed=dict(field=f, old=old.replace(NB, " "), new=new.replace(NB, " ")), design=d.kind, care=CARE[w]); break
                except Exception as e:
                    print("  forged", w, t, type(e).__name__, str(e)[:100])
                    if not isinstance(e, forge.Fail): traceback.print_exc(limit=-2)
            else: s.fail.append(("forged", w, t))
    def write(s):
        order = list(range(len(s.docs))); s.r.shuffle(order); L = []
        for i, j in enumerate(order):
            e = s.docs[j]; name = f"{'willow'}-{i+1:04d}{e['ext']}"; shutil.copy(e["tmp"], os.path.join(s.out, name)); x = dict(id=f"willow-{i+1:04d}", file=name, sha256=hashlib.sha256(open(e["tmp"], "rb").read()).hexdigest()); x["class"] = e["cls"]; x.update({k: e[k] for k in ("medium", "kind", "type", "lang", "producer", "layout", "fields", "entries", "what", "changed", "care", "design", "scan") if k in e}); e["name"] = name; L.append(x)
        json.dump(dict(maker="willow", reference_date="2026-11-26", seed=s.seed, documents=L), open(os.path.join(s.out, "labels.json"), "w"), ensure_ascii=False, indent=1); return L

def check(s, L):
    bad = []; B = bad.append; by = {e["name"]: e for e in s.docs}; from collections import Counter
    for x in L:
        f = os.path.join(s.out, x["file"]); e = by[x["file"]]
        if hashlib.sha256(open(f, "rb").read()).hexdigest() != x["sha256"]: B((x["id"], "sha"))
        if f.endswith(".pdf"):
            try:
                p = fitz.open(f)
                if p.needs_pass: B((x["id"], "password"))
                m = p.metadata or {}
                for k in ("creationDate", "modDate"):
                    if m.get(k) and m[k][2:16] > "20261123230000"and m[k][2:16] > time.strftime("%Y%m%d%H%M%S", time.gmtime()): B((x["id"], k, m[k]))
            except Exception as ex: B((x["id"], "open", repr(ex))); continue
            t = subprocess.run(["pdftotext", "-layout", f, "-"], capture_output=True, text=True).stdout + subprocess.run(["pdftotext", "-raw", f, "-"], capture_output=True, text=True).stdout + "".join(g.get_text() for g in p) + "".join(a.info.get("content", "") for g in p for a in g.annots()) + "".join(str(w.field_value) for g in p for w in g.widgets()); t = squash(t)
            if x["medium"] == "pdf":
                for k, v in x["fields"].items():
                    if squash(v) not in t and not (x["kind"] == "image_patch" and k == x["changed"]["field"]): B((x["id"], x["kind"], x["type"], "not in text:", k, v))
            elif x["medium"] == "scan_pdf" and x["class"] == "genuine" and len(squash("".join(g.get_text() for g in p))) > 0: B((x["id"], "scan has text"))
        else:
            try: Image.open(f).load()
            except Exception as ex: B((x["id"], "picture", repr(ex)))
        if x["class"] in ("genuine", "benign"):
            for k, v in e["checks"]:
                ok = {"iban": lambda: data.iban_ok(v), "luhn": lambda: data.luhn_ok(v), "mrz": lambda: data.mrz_ok(v), "sum": lambda: v[0] <= v[1]}[k]()
                if not ok: B((x["id"], "check", k, v))
        if (x["class"] == "genuine") != ("entries" in x): B((x["id"], "entries present?"))
        if x["class"] == "genuine" and x["type"] != "OTHER":
            if not 3 <= len(x["entries"]) <= 9: B((x["id"], "number of entries", len(x["entries"])))
            for n in x["entries"]:
                pr = x["fields"].get(n["field"]); c = entries.canon
                if n["expected"] == "MISSING":
                    if pr is not None: B((x["id"], "missing but printed"))
                elif pr is None: B((x["id"], "no field"))
                elif n["expected"] == "MISMATCH" and c(n["value"]) == c(pr): B((x["id"], "mismatch equals", n))
        if x["class"] == "forged_pdf" and x["changed"]["old"] == x["changed"]["new"]: B((x["id"], "same"))
    print("class/medium", Counter((x["class"], x["medium"]) for x in L)); print("types", Counter(x["type"] for x in L)); print("lang", Counter(x["lang"] for x in L)); print("layout", Counter(x["layout"] for x in L)); print("entries", Counter(n["expected"] for x in L for n in x.get("entries", []))); print("benign", Counter(x["kind"] for x in L if x["class"] == "benign")); print("forged", Counter(x["kind"] for x in L if x["class"] == "forged_pdf"))
    want = {("genuine", "pdf"): 100, "scan": 100, "benign": 50, "forged_pdf": 80}
    got = {("genuine", "pdf"): sum(x["class"] == "genuine" and x["medium"] == "pdf" for x in L), "scan": sum(x["class"] == "genuine" and x["medium"] != "pdf" for x in L), "benign": sum(x["class"] == "benign" for x in L), "forged_pdf": sum(x["class"] == "forged_pdf" for x in L)}
    if want != got: B(("counts", got))
    print("FAILED TASKS", s.fail); print("PROBLEMS", len(bad)); [print("  ", b) for b in bad]
if __name__ == "__main__":
    a = argparse.ArgumentParser(); a.add_argument("--out", required=True); a.add_argument("--seed", type=int, required=True); a.add_argument("--limit", type=int); a = a.parse_args(); t0 = time.time(); m = Maker(a.out, a.seed)
    for n in ("genuine_pdf", "genuine_scan", "benign", "forged"): getattr(m, n)(a.limit); print(n, len(m.docs), round(time.time() - t0), "s", flush=True)
    check(m, m.write()); print(round(time.time() - t0), "s"); shutil.rmtree(render.TMP, ignore_errors=True)
