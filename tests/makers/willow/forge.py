"""Ways of changing a genuine PDF."""
import os, re, io, copy, datetime as dt, random, tempfile, fitz, pikepdf, numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageFilter
from data import *
import render
from render import pname, run, TMP, soffice, patch_dates
NOW = dt.datetime(2026, 11, 23, 20, 0, 0)

def pdfdate(t): return t.strftime("D:%Y%m%d%H%M%S+00'00'")
def later(ts, r): return min(ts + dt.timedelta(days=r.randint(0, 18), minutes=r.randint(20, 900)), NOW)

# ---- what to change
PREF = {"IDENTITY_CARD":["birthDate","lastName","expiryDate","documentNumber","firstName"],"PASSPORT":["expiryDate","birthDate","lastName","documentNumber"],"RESIDENCE_PERMIT":["expiryDate","lastName","birthDate","documentNumber"],"DRIVING_LICENCE":["expiryDate","lastName","birthDate","documentNumber"],"VEHICLE_REGISTRATION":["lastName","registrationNumber","issueDate","address"],"BANK_DETAILS":["iban","accountHolder","iban","bic"],"PAYSLIP":["netAmount","netAmount","lastName"],"TAX_NOTICE":["totalAmount","totalAmount","lastName","address"],"INVOICE":["totalAmount","iban","issueDate","invoiceNumber"],"PROOF_OF_ADDRESS":["address","lastName","issueDate"],"COMPANY_REGISTRATION":["companyName","registrationNumber","address"],"INSURANCE_CERTIFICATE":["policyNumber","lastName"]}
def bump(r, s, kind, val=None):
    """same length, digits changed"""
    if kind == "date":
        m = list(re.finditer(r"\d{4}", s)); 
        if m and r.random() < .7: y = int(m[-1][0]); ny = y + r.choice([1, 2, -1]) if y < 2026 else y + (r.choice([1,2,3]) if y > 2026 else -1); return s[:m[-1].start()] + str(ny) + s[m[-1].end():]
        m = list(re.finditer(r"(?<!\d)\d{1,2}(?!\d)", s)); day = m[0] if "-" not in s[:5] or len(m) < 2 else m[-1]
        o = day[0]; n = [x for x in range(10 ** (len(o)-1), 29 if len(o) == 2 else 10) if x != int(o)] or [1]
        if not re.match(r"^\d\d/\d\d/\d{4}$", s): return s[:day.start()] + f"{r.choice(n):0{len(o)}d}" + s[day.end():]
        return s[:day.start()] + f"{r.choice([x for x in range(1, 13) if x != int(o)]):02d}" + s[day.end():]
    ix = [i for i, ch in enumerate(s) if ch.isdigit()]
    if kind == "amount" and s[ix[0]] == "9" and len(ix) > 1: ix = ix[1:]
    if kind == "amount": i = ix[0]; n = "9" if s[i] == "8" else ("1" if s[i] == "9" else str(int(s[i]) + r.choice([1, 2]) if int(s[i]) < 8 else 9)); return s[:i] + n + s[i+1:]
    o = list(s)
    for i in r.sample(ix[2:] or ix, min(len(ix[2:] or ix), 1 if len(ix) < 6 else 2)): o[i] = r.choice([x for x in "0123456789" if x != o[i]])
    return "".join(o)
FMT = ["%d %m %Y", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d", "%d-%m-%Y", "%d %b %Y"]
def newdate(r, d, f, old, same):
    """another date, written as the old one; what a forger would want: longer valid, more recent, older or younger"""
    v = d.truth[f][1]; fs = [lambda x, q=q: x.strftime(q) for q in FMT] + [lambda x: x.strftime("%d %b %Y").upper(), lambda x: dlong(x, d.lang, d.c)]; fs = [g for g in fs if g(v) == old]
    if not fs: return bump(r, old, "date")
    if f == "birthDate": cand = [v + dt.timedelta(days=k) for k in range(-1400, 1400)]
    elif f == "expiryDate": cand = [v + dt.timedelta(days=k) for k in range(300, 2000)]
    else: cand = [v + dt.timedelta(days=k) for k in range(9, 700) if v + dt.timedelta(days=k) <= dt.date(2026, 11, 20)] or [v - dt.timedelta(days=k) for k in range(20, 200)]
    al = [i for i, ch in enumerate(old)]; L = [g(x) for x in cand for g in fs[:1]]; few = [x for x in L if len(x) == len(old) and sum(a != b for a, b in zip(x, old)) <= (1 if same else 2) and [c for c in x if not c.isdigit()] == [c for c in old if not c.isdigit()]]
    return r.choice(few if few and (same or r.random() < .7) else [x for x in L if len(x) == len(old) and [c for c in x if not c.isdigit()] == [c for c in old if not c.isdigit()]] or L if same else L)
def newvalue(r, d, f, old, kind, digits_only):
    if kind == "date" and f in d.truth: return newdate(r, d, f, old, digits_only)
    if kind in ("date", "amount") or digits_only: return bump(r, old, kind)
    if kind == "iban": n = group4(account(r, old[:2]).iban); return n if " " in old else n.replace(" ", "")
    if kind == "bic": return r.choice([b[1] for b in sum(BANKS.values(), []) if b[1][:6] != old[:6] and len(b[1]) == 8])
    if kind in ("name", "holder"):
        for _ in range(60):
            q = person(r, d.lang, d.c); x = q.last if f == "lastName" else q.first if f == "firstName" else f"{q.title} {q.first} {q.last}"
            if old.isupper(): x = x.upper()
            if canon_(x) != canon_(old) and abs(len(x) - len(old)) <= (3 if kind == "name" else 9): return x
        return x
    if kind == "company":
        leg = old.split()[-1]
        for _ in range(50):
            x = r.choice(COMP.get(d.lang)) + " " + leg
            if x.upper()[:5] != old.upper()[:5]: return x.upper() if old.isupper() else x
    if kind == "addr":
        for _ in range(50):
            x = street(r, d.c)
            if x != old and abs(len(x) - len(old)) < 10: return x
        return bump(r, old, kind)
    return bump(r, old, kind)
def canon_(s): return strip_acc(s).lower()
def target(r, d, text, digits_only=False):
    c = [f for f in PREF.get(d.type, []) if f in d.fields and (not digits_only or any(x.isdigit() for x in d.fields[f])) and (not digits_only or d.truth[f][0] not in ("name", "bic"))]
    if c: f = r.choice(c[:3]) if r.random() < .8 else r.choice(c); k = d.truth[f][0]; return f, d.fields[f], newvalue(r, d, f, d.fields[f], k, digits_only), k
    # OTHER: an amount, a name, a date or a number that the document states
    opts = []
    m = re.search(r"[£$€]?\d[\d,.'\u00a0 ]*[.,]\d\d(?:\u00a0[€$])?", text)
    if m: opts.append((m[0].strip(), "amount"))
    m = re.search(r"\b20(1[0-9]|2[0-6])\b", text)
    if m: opts.append((m[0], "year"))
    m = re.search(r"\b\d{6,9}\b", text)
    if m: opts.append((m[0], "docno"))
    if d.person and not digits_only and canon_(full_(d.person)) in canon_(text): opts += [(full_(d.person), "fullname")]*2
    old, k = r.choice(opts)
    if k == "year": return "year", old, str(int(old) - r.choice([1, 2, 3])), k
    if k == "fullname":
        q = person(r, d.lang, d.c); return "name", old, f"{q.first} {q.last}", k
    return k, old, bump(r, old, k), k
def full_(p): return f"{p.first} {p.last}"

# ---- finding text
def find(page, s):
    for q in (s, s.replace(NB, " "), s.replace(" ", NB)):
        x = page.search_for(q)
        if x: return x
    return []
def span_at(page, rect):
    best, area = None, 0
    for b in page.get_text("dict")["blocks"]:
        for l in b.get("lines", []):
            for s in l["spans"]:
                i = fitz.Rect(s["bbox"]) & rect
                if not i.is_empty and i.get_area() > area: best, area = s, i.get_area()
    return best
def rgb(c): return ((c >> 16 & 255)/255, (c >> 8 & 255)/255, (c & 255)/255)
def fontfile(span):
    n = span["font"].split("+")[-1]; bold = "bold" in n.lower() or bool(span["flags"] & 16)
    base = re.sub(r"[-,].*", "", n); base = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", base).replace("Bold", "").replace("Regular", "").strip()
    base = {"LMRoman": "Latin Modern Roman", "SFRM": "Latin Modern Roman", "Nimbus San L": "Liberation Sans", "Helvetica": "Liberation Sans", "Times": "Liberation Serif", "Courier": "Liberation Mono", "Nimbus Sans": "Liberation Sans"}.get(base, base)
    return fonts(base, "Bold" if bold else "Regular")
def bg(page, rect):
    p = page.get_pixmap(dpi=100, clip=rect + (-2, -2, 2, 2)); a = np.frombuffer(p.samples, np.uint8).reshape(p.h, p.w, p.n)[:, :, :3].reshape(-1, 3); v = np.percentile(a, 80, axis=0); return tuple(float(x)/255 for x in v)
def setmeta(doc, t, producer=None):
    m = dict(doc.metadata); m["modDate"] = pdfdate(t)
    if producer: m["producer"] = producer
    doc.set_metadata({k: m.get(k) for k in ("title", "author", "subject", "keywords", "creator", "producer", "creationDate", "modDate")})
def put(page, rect, new, r, font="helv", ff=None, size=None, color=(0, 0, 0), base=None):
    w = None; size = size or rect.height*.72
    fo = fitz.Font(fontfile=ff) if ff else fitz.Font(font)
    y = base if base is not None else rect.y1 - rect.height*.22
    page.insert_text((rect.x0, y), new.replace(NB, " "), fontsize=size, fontname=("G%d" % (hash(ff) % 9999)) if ff else font, fontfile=ff, color=color)

class Fail(Exception): pass
def prep(p, old):
    doc = fitz.open(p); rs = []
    for pg in doc:
        rs += [(pg, x) for x in find(pg, old)]
    if not rs: raise Fail("not found " + old)
    return doc, rs[:3]
def close_overlay(doc, rs, new, r, matched=True):
    for pg, x in rs:
        s = span_at(pg, x); b = bg(pg, x); pg.draw_rect(x + (-.5, .5, .5, -.5), color=None, fill=b if matched else (1, 1, 1), overlay=True)
        put(pg, x, new, r, ff=fontfile(s), size=s["size"], color=rgb(s["color"]), base=s["origin"][1])

def w_whitebox(d, p, old, new, r, ts, out):
    doc, rs = prep(p, old)
    for pg, x in rs[:r.choice([1, 1, 3])]:
        s = span_at(pg, x); w = fitz.Font("helv").text_length(new, s["size"]); pg.draw_rect(fitz.Rect(x.x0 - 1, x.y0, max(x.x1, x.x0 + w) + 2, x.y1), color=None, fill=(1, 1, 1)); put(pg, x, new, r, "helv", size=s["size"]*r.choice([1, .95, 1.06]))
    setmeta(doc, later(ts, r), r.choice([None, "macOS Version 15.3 (Build 24D60) Quartz PDFContext", "PDFescape Online - https://www.pdfescape.com"])); doc.save(out, garbage=1, deflate=True)
def w_freetext(d, p, old, new, r, ts, out):
    doc, rs = prep(p, old); t = later(ts, r)
    for pg, x in rs:
        s = span_at(pg, x); w = fitz.Font("helv").text_length(new, s["size"]) + 6; q = fitz.Rect(x.x0 - 2, x.y0 - 1, max(x.x1, x.x0 + w) + 2, x.y1 + 1.5); a = pg.add_freetext_annot(q, new.replace(NB, " "), fontsize=s["size"], fontname="helv", text_color=(0, 0, 0), fill_color=(1, 1, 1)); a.set_info(title=r.choice(["user", "admin", "PC", "Utilisateur"]), creationDate=pdfdate(t), modDate=pdfdate(t)); a.update()
    setmeta(doc, t); doc.saveIncr() if False else doc.save(out, garbage=0)
def w_image(d, p, old, new, r, ts, out):
    doc, rs = prep(p, old)
    for pg, x in rs[:2]:
        s = span_at(pg, x); k = r.choice([2.2, 3, 4]); f = ImageFont.truetype(r.choice([fontfile(s), fonts("Liberation Sans"), fonts("Carlito")]), int(s["size"]*k)); tw = f.getlength(new); im = Image.new("RGB", (int(max(tw + 4, x.width*k)), int(x.height*k)), tuple(int(v*255) for v in bg(pg, x))); ImageDraw.Draw(im).text((1, (s["origin"][1] - x.y0)*k), new.replace(NB, " "), font=f, fill=tuple(int(v*255) for v in rgb(s["color"])), anchor="ls")
        b = io.BytesIO(); im.save(b, r.choice(["PNG", "JPEG"])); pg.insert_image(fitz.Rect(x.x0, x.y0, x.x0 + im.width/k, x.y1), stream=b.getvalue(), keep_proportion=False)
    setmeta(doc, later(ts, r), r.choice([None, None, "Sejda 5.3.2 (sejda.com)"])); doc.save(out, garbage=2, deflate=True)
def w_redact(d, p, old, new, r, ts, out):
    doc, rs = prep(p, old); todo = []
    for pg, x in rs: todo.append((pg.number, x, span_at(pg, x)))
    for n, x, s in todo: doc[n].add_redact_annot(x + (0, 1, 0, -1), fill=False)
    for pg in doc: pg.apply_redactions(images=0, graphics=0)
    for n, x, s in todo: put(doc[n], x, new, r, ff=r.choice([fontfile(s), fontfile(s), fonts("Liberation Sans")]), size=s["size"], color=rgb(s["color"]), base=s["origin"][1])
    setmeta(doc, later(ts, r), r.choice([None, "PDF-XChange Editor 10.3.0.386", "Foxit PDF Editor Printer"])); doc.save(out, garbage=3, deflate=True)
def w_fontoverlay(d, p, old, new, r, ts, out):
    doc, rs = prep(p, old); close_overlay(doc, rs, new, r); setmeta(doc, later(ts, r)); doc.save(out, garbage=3, deflate=True)
def w_incroverlay(d, p, old, new, r, ts, out):
    open(out, "wb").write(open(p, "rb").read()); doc, rs = prep(out, old); close_overlay(doc, rs, new, r); setmeta(doc, later(ts, r)); doc.saveIncr()
def w_writer(d, p, old, new, r, ts, out):
    w = tempfile.mkdtemp(dir=TMP); src = os.path.join(w, "document.pdf"); open(src, "wb").write(open(p, "rb").read()); run("soffice", f"-env:UserInstallation=file://{render.PROFILE}", "--headless", "--infilter=writer_pdf_import", "--convert-to", "fodt", "--outdir", w, src); fo = os.path.join(w, "document.fodt")
    if not os.path.exists(fo): raise Fail("fodt")
    t = open(fo, encoding="utf8").read(); E = render.E; hit = False
    for o in (old, old.replace(NB, " "), old.replace(" ", NB)):
        for q in (E(o, quote=False), E(o, quote=False).replace("'", "&apos;"), E(o, quote=False).replace(" ", "<text:s/>")):
            if q in t: t = t.replace(q, E(new, quote=False)); hit = True
    if not hit: raise Fail("split text")
    open(fo, "w", encoding="utf8").write(t); os.remove(src); soffice(fo, "pdf", w); 
    if not os.path.exists(src): raise Fail("pdf")
    if canon_("".join(new.split())) not in canon_("".join("".join(pg.get_text() for pg in fitz.open(src)).split())): raise Fail("gone")
    patch_dates(src, later(ts, r)); open(out, "wb").write(open(src, "rb").read())
def replace_blocks(b, old, new, only=None):
    n = [0]
    def f(x):
        if isinstance(x, str):
            if old in x and (only is None or n[0] in only): n[0] += 1; return x.replace(old, new)
            if old in x: n[0] += 1
            return x
        if isinstance(x, tuple): return tuple(f(y) for y in x)
        if isinstance(x, list): return [f(y) for y in x]
        return x
    return f(b), n[0]
def w_transplant(d, p, old, new, r, ts, out):
    if not d.blocks: h = d.html.replace(render.E(old), render.E(new)); e = d
    else: e = copy.copy(d); e.blocks, n = replace_blocks(d.blocks, old, new); h = None
    p2, _ = render.BACK[d.backend](e, ts, random.Random(d.rseed), h); doc, rs = prep(p, old); s2 = fitz.open(p2)
    for pg, x in rs:
        ys = [y for y in find(s2[pg.number], new) if abs(y.y0 - x.y0) < 4 and abs(y.x0 - x.x0) < 60]
        if not ys: raise Fail("moved")
        q = (x | ys[0]) + (-2, .3, 3, -.3); pg.draw_rect(q, color=None, fill=bg(pg, x)); pg.show_pdf_page(q, s2, pg.number, clip=q)
    setmeta(doc, later(ts, r)); doc.save(out, garbage=2, deflate=True)
def w_raster(d, p, old, new, r, ts, out):
    doc, rs = prep(p, old); o = fitz.open(); t = later(ts, r); dpi = r.choice([150, 200, 200, 250]); k = dpi/72
    for pg in doc:
        m = pg.get_pixmap(dpi=dpi); im = Image.frombytes("RGB", (m.w, m.h), m.samples); dr = ImageDraw.Draw(im)
        for g, x in rs:
            if g.number != pg.number: continue
            s = span_at(pg, x); f = ImageFont.truetype(fontfile(s), int(round(s["size"]*k))); dr.rectangle([x.x0*k - 1, x.y0*k, max(x.x1, x.x0 + f.getlength(new)/k)*k + 1, x.y1*k], fill=tuple(int(v*255) for v in bg(pg, x))); dr.text((x.x0*k, s["origin"][1]*k), new.replace(NB, " "), font=f, fill=tuple(int(v*255) for v in rgb(s["color"])), anchor="ls")
        b = io.BytesIO(); im.save(b, "JPEG", quality=r.choice([70, 85, 92])); np_ = o.new_page(width=pg.rect.width, height=pg.rect.height); np_.insert_image(np_.rect, stream=b.getvalue())
        for bl in pg.get_text("dict")["blocks"]:
            for l in bl.get("lines", []):
                for s in l["spans"]:
                    tx = s["text"].replace(NB, " ").replace(old.replace(NB, " "), new.replace(NB, " ")); 
                    if tx.strip(): np_.insert_text(s["origin"], tx, fontsize=s["size"], fontname="F0", fontfile=fonts("DejaVu Sans"), render_mode=3)
    pr = r.choice(["ABBYY FineReader PDF 16", "Adobe Acrobat Pro (64-bit) 24.5 Paper Capture Plug-in", "Tesseract 5.3.0"]); o.set_metadata({"producer": pr, "creator": r.choice(["", "Scan"]), "creationDate": pdfdate(t), "modDate": pdfdate(t)}); o.subset_fonts(); o.save(out, garbage=3, deflate=True)
def sign(p, out, name, visible=False, r=random):
    from pyhanko.sign import signers, fields as sf
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from cryptography import x509; from cryptography.x509.oid import NameOID; from cryptography.hazmat.primitives.asymmetric import rsa; from cryptography.hazmat.primitives import hashes, serialization; from cryptography.hazmat.primitives.serialization import pkcs12
    global _KEY
    if "_KEY" not in globals(): _KEY = rsa.generate_private_key(65537, 2048)
    nm = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:60]), x509.NameAttribute(NameOID.ORGANIZATION_NAME, name[:60])]); c = x509.CertificateBuilder().subject_name(nm).issuer_name(nm).public_key(_KEY.public_key()).serial_number(r.randint(1, 2**60)).not_valid_before(dt.datetime(2025, 1, 1)).not_valid_after(dt.datetime(2028, 1, 1)).add_extension(x509.KeyUsage(True, True, False, False, False, False, False, False, False), True).sign(_KEY, hashes.SHA256())
    s = signers.SimpleSigner.load_pkcs12_data(pkcs12.serialize_key_and_certificates(b"k", _KEY, c, None, serialization.BestAvailableEncryption(b"x")), [], b"x")
    with open(p, "rb") as f:
        w = IncrementalPdfFileWriter(f, strict=False); spec = sf.SigFieldSpec("Signature1", box=(380, 40, 560, 90) if visible else None, on_page=0)
        with open(out, "wb") as g: signers.PdfSigner(signers.PdfSignatureMetadata(field_name="Signature1", reason=None, name=name[:60]), s, new_field_spec=spec).sign_pdf(w, output=g)
def w_signed(d, p, old, new, r, ts, out):
    q = pname(".pdf"); sign(p, q, d.org or "Service des titres", r=r); open(out, "wb").write(open(q, "rb").read()); doc, rs = prep(out, old); close_overlay(doc, rs, new, r); doc.saveIncr()
def w_reprint(d, p, old, new, r, ts, out):
    q = pname(".pdf"); doc, rs = prep(p, old); close_overlay(doc, rs, new, r); doc.save(q); t = later(ts, r)
    if r.random() < .5: run("pdftocairo", "-pdf", q, out); patch_any(out, t)
    else: run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", f"-sOutputFile={out}", q); patch_any(out, t)
def patch_any(p, t):
    with pikepdf.open(p, allow_overwriting_input=True) as f:
        pr = f.docinfo.get("/Producer"); 
        for k in ("/CreationDate", "/ModDate"):
            if k in f.docinfo or k == "/CreationDate": f.docinfo[k] = pdfdate(t)
        if "/Metadata" in f.Root:
            x = f.Root.Metadata.read_bytes().decode("utf8", "replace"); x = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[Z+\-:\d]*", t.strftime("%Y-%m-%dT%H:%M:%SZ"), x); f.Root.Metadata.write(x.encode())
        f.save(p)

# ---- glyphs exchanged inside the page's own instructions
def cmap(font):
    two = str(font.get("/Subtype")) == "/Type0"; m = {}
    if "/ToUnicode" in font:
        t = font.ToUnicode.read_bytes().decode("latin1"); H = lambda h: bytes.fromhex(h if len(h) % 2 == 0 else h + "0")
        for blk in re.findall(r"beginbfchar(.*?)endbfchar", t, re.S):
            for a, b in re.findall(r"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f ]+)\s*>", blk): m[int(a, 16)] = H(b.replace(" ", "")).decode("utf-16-be", "replace")
        for blk in re.findall(r"beginbfrange(.*?)endbfrange", t, re.S):
            for a, b, c in re.findall(r"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f]+)\s*>\s*(<\s*[0-9A-Fa-f]+\s*>|\[.*?\])", blk, re.S):
                if c[0] == "<":
                    u = int(c.strip("<> "), 16)
                    for i in range(int(a, 16), int(b, 16) + 1): m[i] = chr(u + i - int(a, 16)) if u < 0x10ffff else "?"
                else:
                    for i, h in enumerate(re.findall(r"<\s*([0-9A-Fa-f]+)\s*>", c)): m[int(a, 16) + i] = H(h).decode("utf-16-be", "replace")
    elif not two: m = {i: bytes([i]).decode("cp1252", "replace") for i in range(32, 256)}
    return two, m
def swap(p, old, new):
    pdf = pikepdf.open(p); pg = pdf.pages[0]; ops = list(pikepdf.parse_content_stream(pg)); fs = pg.Resources.get("/Font", {}); cm = {}; cur = None; seq = []
    bufs = {}
    for i, ins in enumerate(ops):
        op = str(ins.operator); a = list(ins.operands)
        if op == "Tf":
            cur = str(a[0])
            if cur not in cm: cm[cur] = cmap(fs[cur])
        items = [(0, None, a[0])] if op == "Tj" and a else [(0, j, x) for j, x in enumerate(a[0])] if op == "TJ" else [(len(a)-1, None, a[-1])] if op in ("'", '"') else []
        for k, j, x in items:
            if not isinstance(x, pikepdf.String) or cur is None: continue
            b = bytearray(bytes(x)); bufs[(i, k, j)] = b; two, m = cm[cur]; st = 2 if two else 1
            for q in range(0, len(b) - st + 1, st):
                code = int.from_bytes(b[q:q+st], "big")
                for ch in m.get(code, "\ufffd"): 
                    if not ch.isspace(): seq.append((ch, (i, k, j), q, st, cur))
    s = "".join(x[0] for x in seq); o = "".join(old.split()); n = "".join(new.split()); o = o.replace(NB, ""); n = n.replace(NB, "")
    if len(o) != len(n) or o not in s: raise Fail("glyphs not found")
    done, at = set(), 0; used = {(x[4], x[0]) for x in seq}   # a subset font draws only what the page already uses
    while (at := s.find(o, at)) >= 0:
        for x, ch in zip(seq[at:at+len(o)], n):
            if x[0] == ch: continue
            two, m = cm[x[4]]; codes = [c for c, u in m.items() if u == ch]
            if not codes or (x[4], ch) not in used: raise Fail("no glyph " + ch)
            bufs[x[1]][x[2]:x[2]+x[3]] = codes[0].to_bytes(x[3], "big"); done.add(x[1])
        at += len(o)
    new_ops = []
    for i, ins in enumerate(ops):
        a = list(ins.operands); hit = [k for k in done if k[0] == i]
        if not hit: new_ops.append(ins); continue
        for (_, k, j) in hit:
            v = pikepdf.String(bytes(bufs[(i, k, j)]))
            if j is None: a[k] = v
            else: arr = list(a[0]); arr[j] = v; a[0] = pikepdf.Array(arr)
        new_ops.append(pikepdf.ContentStreamInstruction(a, ins.operator))
    return pdf, pikepdf.unparse_content_stream(new_ops)
def w_streamrewrite(d, p, old, new, r, ts, out):
    pdf, data = swap(p, old, new); pdf.pages[0].Contents = pdf.make_stream(data); pdf.docinfo["/ModDate"] = pdfdate(later(ts, r))
    pr = r.choice([None, "iLovePDF", "pdf-lib (https://github.com/Hopding/pdf-lib)", "3-Heights(TM) PDF Toolbox API 6.12.1.11"])
    if pr: pdf.docinfo["/Producer"] = pr
    pdf.save(out, object_stream_mode=r.choice([pikepdf.ObjectStreamMode.preserve, pikepdf.ObjectStreamMode.generate]))
def w_streamincr(d, p, old, new, r, ts, out):
    _, data = swap(p, old, new); open(out, "wb").write(open(p, "rb").read()); doc = fitz.open(out); xs = doc[0].get_contents(); doc.update_stream(xs[0], data)
    for x in xs[1:]: doc.update_stream(x, b" ")
    setmeta(doc, later(ts, r)); doc.saveIncr()
def w_streamclean(d, p, old, new, r, ts, out):
    pdf, data = swap(p, old, new); c = pdf.pages[0].Contents
    if isinstance(c, pikepdf.Array): pdf.pages[0].Contents = pdf.make_stream(data)
    else: c.write(data)
    pdf.save(out, fix_metadata_version=False, object_stream_mode=pikepdf.ObjectStreamMode.preserve)

# ---- made up, or changed before the printing, with an inner contradiction
def contradiction(d, r):
    """(field, old, new, only-occurrences, text)"""
    if d.type in ("INVOICE", "PAYSLIP"):
        f = "totalAmount" if d.type == "INVOICE" else "netAmount"; old = d.fields[f]
        if d.type == "INVOICE" and "iban" in d.fields and r.random() < .4: i = d.fields["iban"]; return "iban", i, bump(r, i, "iban"), None, "check digits of the IBAN do not hold"
        return f, old, bump(r, old, "amount"), None, "sum no longer follows from the lines"
    if d.type == "BANK_DETAILS" and "iban" in d.fields:
        i = d.fields["iban"]; n = bump(r, i, "iban")
        while iban_ok(n): n = bump(r, i, "iban")
        return "iban", i, n, None, "check digits of the IBAN do not hold"
    if d.type == "PROOF_OF_ADDRESS": old = mon(d.amounts[1], d.c); return "total", old, bump(r, old, "amount"), None, "total no longer follows from the lines"
    if d.type == "COMPANY_REGISTRATION" and d.c == "FR":
        o = d.fields["registrationNumber"]; n = bump(r, o, "docno")
        while luhn_ok(n.replace(" ", "")): n = bump(r, o, "docno")
        return "registrationNumber", o, n, None, "check digit of the SIREN does not hold"
    if any(k == "mrz" for k, _ in d.checks):
        f = r.choice([x for x in ("birthDate", "expiryDate", "lastName") if x in d.fields]); o = d.fields[f]
        if f == "lastName": return f, o, newvalue(r, d, f, o, "name", False), None, "machine-readable zone says another name"
        n = o
        while n == o: n = newdate(r, d, f, o, False)
        return f, o, n, None, "machine-readable zone says another date"
    raise Fail("no contradiction")
def w_regenerated(d, ts, r, invented=False):
    f, old, new, only, why = contradiction(d, r); e = copy.copy(d)
    if d.blocks: e.blocks, n = replace_blocks(d.blocks, old, new); h = None
    else:
        h = d.html.replace(render.E(old), render.E(new)); 
        if h == d.html: raise Fail("html")
    back = d.backend
    if invented: back = "lo" if d.blocks else "chrome"; e.author = r.choice(["user", "Admin", "HP", "Windows User", "Karim"]); e.ttl = r.choice(["Document1", "modele", "template", "Sans titre 1"]) if False else d.ttl
    t = later(ts, r) if invented else ts + dt.timedelta(minutes=r.randint(1, 4000)); t = min(t, NOW); p, prod = render.BACK[back](e, t, random.Random(d.rseed), h); return p, prod, f, old, new, why
WAYS = {"white_box_helvetica": (w_whitebox, 5, 0), "freetext_annotation": (w_freetext, 5, 0), "image_patch": (w_image, 5, 0), "redact_and_retype": (w_redact, 5, 0), "matched_font_overlay": (w_fontoverlay, 5, 0), "incremental_overlay": (w_incroverlay, 5, 0), "word_processor_roundtrip": (w_writer, 5, 0), "transplanted_region": (w_transplant, 5, 0), "raster_edit_with_ocr_layer": (w_raster, 5, 0), "changed_after_signing": (w_signed, 4, 0), "overlay_then_reprinted": (w_reprint, 4, 0), "glyph_swap_rewritten": (w_streamrewrite, 5, 1), "glyph_swap_incremental": (w_streamincr, 5, 1), "glyph_swap_clean": (w_streamclean, 6, 1), "regenerated_contradiction": (None, 6, 0), "invented_contradiction": (None, 5, 0)}
assert sum(x[1] for x in WAYS.values()) == 80
