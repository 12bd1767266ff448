"""Harmless processing: what offices, viewers and online tools do without changing what a paper says."""
import datetime as dt
import tempfile
from pathlib import Path

import numpy as np
import pikepdf
import pymupdf

from people import Person, group4
from model import Doc
from render import pdf_date, run, stamp_dates

LATE = dt.datetime(2026, 11, 24, 11, 5, 0)


def later(doc, days=None):
    """Some days after the file was made, never after the day before the run."""
    return min(doc.made + dt.timedelta(days=days or doc.r.randrange(1, 9), minutes=doc.r.randrange(1, 400)), LATE)


def linearized(doc, src, out):
    run(["qpdf", "--linearize", "--deterministic-id", str(src), str(out)])


def printed_cairo(doc, src, out):
    run(["pdftocairo", "-pdf", str(src), str(out)])
    stamp_dates(out, later(doc))


def printed_ghostscript(doc, src, out):
    run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", f"-sOutputFile={out}", str(src)])
    stamp_dates(out, later(doc))


def compressed_ghostscript(doc, src, out):
    run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", "-dCompatibilityLevel=1.4", f"-sOutputFile={out}", str(src)])
    stamp_dates(out, later(doc))


def compressed_mupdf(doc, src, out):
    d = pymupdf.open(src)
    d.save(str(out), garbage=4, deflate=True, clean=True, use_objstms=1, no_new_id=True)


def compressed_pikepdf(doc, src, out):
    with pikepdf.open(src) as p:
        p.remove_unreferenced_resources()
        p.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True, deterministic_id=True)


def turned(doc, src, out):
    with pikepdf.open(src) as p:
        for page in p.pages:
            page.rotate(doc.r.choice([90, 180, 270]), relative=True)
        p.save(out, deterministic_id=True)


def saved_incrementally(doc, src, out):
    Path(out).write_bytes(Path(src).read_bytes())
    d = pymupdf.open(str(out))
    meta = dict(d.metadata)
    d.set_metadata({k: meta.get(k) or "" for k in ("title", "author", "subject", "keywords", "creator", "producer")} |
                   {"creationDate": meta.get("creationDate") or pdf_date(doc.made), "modDate": pdf_date(later(doc))})
    d.saveIncr()


def title_set(doc, src, out):
    with pikepdf.open(src) as p:
        p.docinfo["/Title"] = doc.title + " (archive)"
        p.docinfo["/Keywords"] = "dossier, 2026" if doc.lang == "fr" else "file, 2026"
        p.docinfo["/ModDate"] = pdf_date(later(doc))
        p.save(out, deterministic_id=True)


def free_spot(page):
    """A band of the page with nothing on it, low down."""
    boxes = [pymupdf.Rect(b[:4]) for b in page.get_text("blocks")] + [pymupdf.Rect(d["rect"]) for d in page.get_drawings() if d["rect"].width < page.rect.width * .95]
    for y in range(int(page.rect.height) - 120, 60, -12):
        for x in (page.rect.width - 215, 60):
            spot = pymupdf.Rect(x, y, x + 160, y + 55)
            if not any(spot.intersects(b) for b in boxes):
                return spot
    return None


def stamped(doc, src, out):
    d = pymupdf.open(src)
    page = d[0]
    spot = free_spot(page)
    if spot is None:
        raise ValueError("no free place")
    when = later(doc)
    color = doc.r.choice([(.1, .2, .7), (.75, .1, .1), (.2, .2, .2)])
    page.draw_rect(spot, color=color, width=1.4)
    word = doc.r.choice(["REÇU LE", "ARRIVÉ LE", "COPIE"]) if doc.lang == "fr" else doc.r.choice(["RECEIVED", "COPY", "SCANNED"])
    page.insert_text((spot.x0 + 12, spot.y0 + 22), word, fontsize=13, fontname="hebo", color=color)
    page.insert_text((spot.x0 + 12, spot.y0 + 42), f"{when:%d.%m.%Y}  –  {'Service courrier' if doc.lang == 'fr' else 'Mail room'}".replace("–", "-"), fontsize=10, fontname="helv", color=color)
    d.save(str(out), no_new_id=True)


def annotated(doc, src, out):
    d = pymupdf.open(src)
    page = d[0]
    hits = [q for c in ("totalAmount", "netAmount", "expiryDate", "policyNumber", "lastName") if c in doc.fields for q in page.search_for(doc.fields[c])][:2]
    for q in hits:
        page.add_highlight_annot(q)
    note = page.add_text_annot((page.rect.width - 40, 40), "Vu, conforme au dossier." if doc.lang == "fr" else "Checked against file, ok.")
    note.set_info(title="Accueil" if doc.lang == "fr" else "Front desk", creationDate=pdf_date(later(doc)), modDate=pdf_date(later(doc)))
    note.update()
    if doc.r.random() < .5:
        d.save(str(out), no_new_id=True)
    else:
        Path(out).write_bytes(Path(src).read_bytes())
        d2 = pymupdf.open(str(out))
        d2[0].add_text_annot((d2[0].rect.width - 40, 40), "Vu" if doc.lang == "fr" else "Seen").update()
        d2.saveIncr()


def key_and_cert(work, lang):
    """A self-made certificate of an invented office; made once for a run."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.x509.oid import NameOID
    path = Path(work) / f"sign-{lang}.p12"
    if path.exists():
        return path
    key = rsa.generate_private_key(65537, 2048)
    who = "Service des attestations" if lang == "fr" else "Document Services"
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, who), x509.NameAttribute(NameOID.ORGANIZATION_NAME, who)])
    cert = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(20261)
            .not_valid_before(dt.datetime(2025, 1, 1)).not_valid_after(dt.datetime(2029, 1, 1))
            .add_extension(x509.KeyUsage(True, True, False, False, False, False, False, False, False), True).sign(key, hashes.SHA256()))
    from cryptography.hazmat.primitives.serialization import pkcs12
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"k", key, cert, None, serialization.BestAvailableEncryption(b"pw")))
    return path


def signed(doc, src, out, visible=None):
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import signers, fields
    signer = signers.SimpleSigner.load_pkcs12(str(key_and_cert(Path(src).parent, doc.lang)), passphrase=b"pw")
    with open(src, "rb") as f, open(out, "wb") as g:
        w = IncrementalPdfFileWriter(f, strict=False)
        meta = signers.PdfSignatureMetadata(field_name="Signature1", reason="Document original" if doc.lang == "fr" else "Original document")
        spec = fields.SigFieldSpec("Signature1", box=(400, 30, 560, 80)) if doc.r.random() < .4 else None
        signers.PdfSigner(meta, signer, new_field_spec=spec).sign_pdf(w, output=g)


def merged(doc, src, out):
    """A cover note in front, as a broker's program adds it."""
    note = pymupdf.open()
    page = note.new_page(width=595, height=842)
    lines = (["Bonjour,", "", "Veuillez trouver ci-joint la pièce demandée pour mon dossier.", "", "Cordialement"] if doc.lang == "fr" else
             ["Good morning,", "", "Please find enclosed the paper you asked for.", "", "Kind regards"])
    for i, line in enumerate(lines):
        page.insert_text((72, 120 + 20 * i), line, fontsize=11)
    tmp = Path(src).with_suffix(".note.pdf")
    note.save(str(tmp), no_new_id=True)
    run(["qpdf", "--empty", "--deterministic-id", "--pages", str(tmp), str(src), "--", str(out)])
    tmp.unlink()


def owner_locked(doc, src, out):
    run(["qpdf", "--static-id", "--encrypt", "", f"own{doc.r.randrange(10**6)}", "256", "--modify=none", "--extract=y", "--print=full", "--", str(src), str(out)])


def scanned_text_layer(doc, src, out):
    """A scanner program that reads the page and lays the text under the picture."""
    import scan
    rng = np.random.default_rng(doc.r.randrange(10**9))
    im = scan.make_scan(src, rng, doc.r.choice(["office", "office-gray"]), 200)[0]
    with tempfile.TemporaryDirectory() as tmp:
        (Path(tmp) / "s.jpg").write_bytes(scan.jpeg_bytes(im, 200, 82))
        run(["tesseract", f"{tmp}/s.jpg", f"{tmp}/s", "-l", "fra" if doc.lang == "fr" else "eng", "pdf"])
        Path(out).write_bytes(Path(f"{tmp}/s.pdf").read_bytes())
    stamp_dates(out, later(doc))


def form_doc(r, lang):
    """A form with fields, first blank (reportlab), then filled in a viewer."""
    country = r.choice(["FR", "BE"]) if lang == "fr" else r.choice(["UK", "IE"])
    d = Doc("OTHER", lang, country, f"{country.lower()}-form-change-of-address", r)
    d.who = p = Person(r, country, lang)
    d.title = "Changement d'adresse" if lang == "fr" else "Change of address"
    d.issued = dt.date(2026, 9, 1) + dt.timedelta(days=r.randrange(70))
    d.form = [("Nom" if lang == "fr" else "Surname", d.put("lastName", p.last)), ("Prénom" if lang == "fr" else "First name", d.put("firstName", p.first)),
              ("Né(e) le" if lang == "fr" else "Date of birth", d.date(p.birth, "birthDate", "slash")), ("Nouvelle adresse" if lang == "fr" else "New address", d.put("address", p.street)),
              ("Code postal" if lang == "fr" else "Postcode", d.put("postCode", p.post)), ("Ville" if lang == "fr" else "Town", d.put("city", p.city)),
              ("IBAN", d.put("iban", group4(p.iban))), ("Fait le" if lang == "fr" else "Date", d.date(d.issued, "issueDate", "slash"))]
    d.producer = "reportlab"
    return d


def blank_form(d, out):
    from reportlab.pdfgen import canvas
    from render import set_plain_dates
    c = canvas.Canvas(str(out), pagesize=(595, 842), invariant=1)
    c.setTitle(d.title)
    c.setFont("Helvetica-Bold", 16)
    c.drawString(60, 770, "Demande de changement d'adresse" if d.lang == "fr" else "Change of address form")
    c.setFont("Helvetica", 10)
    c.drawString(60, 748, "À remplir en lettres capitales et à renvoyer au service clients." if d.lang == "fr" else "Please complete every box and return to customer services.")
    for i, (label, _) in enumerate(d.form):
        y = 700 - i * 42
        c.drawString(60, y + 6, label)
        c.acroForm.textfield(name=f"f{i}", x=200, y=y, width=320, height=22, borderWidth=.7, fontSize=11, fontName="Helvetica", forceBorder=True)
    c.drawString(60, 330, "Signature")
    c.rect(200, 280, 200, 60)
    c.save()
    set_plain_dates(out, dt.datetime(2026, 2, 3, 9, 30, 0))


def fill_form(d, src, out):
    Path(out).write_bytes(Path(src).read_bytes())
    f = pymupdf.open(str(out))
    for w in f[0].widgets():
        w.field_value = d.form[int(w.field_name[1:])][1]
        w.update()
    f.saveIncr()


KINDS = dict(linearized=linearized, printed_cairo=printed_cairo, printed_ghostscript=printed_ghostscript, compressed_ghostscript=compressed_ghostscript,
             compressed_mupdf=compressed_mupdf, compressed_pikepdf=compressed_pikepdf, turned=turned, saved_incrementally=saved_incrementally,
             title_set=title_set, stamped=stamped, annotated=annotated, signed_intact=signed, merged_parts=merged, owner_locked=owner_locked,
             scanned_text_layer=scanned_text_layer)
