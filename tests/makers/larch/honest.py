"""What honest people and offices do to a file."""
import datetime as dt
import io
import os
import subprocess
import tempfile

import pikepdf
import pymupdf

from render import ENV, redate
from scan import capture, jpeg, page_images, flatbed
import numpy as np


LAST_HOUR = dt.datetime(2026, 11, 20, 17, 40)  # nothing in the set is younger than the reference day


def tool(cmd, data, name="a.pdf"):
    with tempfile.TemporaryDirectory() as d:
        open(f"{d}/{name}", "wb").write(data)
        subprocess.run([c.replace("@", d) for c in cmd], check=True, capture_output=True, env=ENV, timeout=240)
        return open(f"{d}/b.pdf", "rb").read()


def later(doc, r, lo=1, hi=20):
    return min(doc.made + dt.timedelta(days=r.randint(lo, hi), seconds=r.randint(0, 30000)), LAST_HOUR)


def linearised(data, doc, r):
    return tool(["qpdf", "--linearize", "@/a.pdf", "@/b.pdf"], data)


def optimised(data, doc, r):
    if r.random() < .5:
        return tool(["qpdf", "--object-streams=generate", "--recompress-flate", "--compression-level=9", "@/a.pdf", "@/b.pdf"], data)
    return redate(tool(["gs", "-q", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", "-dNOPAUSE", "-dBATCH", "-sOutputFile=@/b.pdf", "@/a.pdf"], data), later(doc,
        r))


def printed_again(data, doc, r):
    if r.random() < .5:
        return redate(tool(["pdftocairo", "-pdf", "@/a.pdf", "@/b.pdf"], data), later(doc, r))
    return redate(tool(["gs", "-q", "-sDEVICE=pdfwrite", "-dNOPAUSE", "-dBATCH", "-sOutputFile=@/b.pdf", "@/a.pdf"], data), later(doc, r))


def turned(data, doc, r):
    p = pikepdf.open(io.BytesIO(data))
    p.pages[0].Rotate = r.choice([90, 270, 180])
    b = io.BytesIO()
    p.save(b)
    return b.getvalue()


def incremental(data, change):
    """Runs change on the opened file and appends the revision, as viewers do."""
    with tempfile.TemporaryDirectory() as d:
        open(d + "/a.pdf", "wb").write(data)
        x = pymupdf.open(d + "/a.pdf")
        change(x)
        x.save(d + "/a.pdf", incremental=True, encryption=pymupdf.PDF_ENCRYPT_KEEP)
        x.close()
        return open(d + "/a.pdf", "rb").read()


def turned_incremental(data, doc, r):
    return incremental(data, lambda x: x[0].set_rotation(r.choice([90, 270])))


def words_of(x):
    return [w for w in x[0].get_text("words") if len(w[4]) > 4]


def highlighted(data, doc, r):
    def change(x):
        for w in r.sample(words_of(x), 2):
            x[0].add_highlight_annot(pymupdf.Rect(w[:4]))
    return incremental(data, change)


def noted(data, doc, r):
    def change(x):
        w = r.choice(words_of(x))
        a = x[0].add_text_annot((x[0].rect.width - 40, w[1]), r.choice(["vu", "ok, pièce conforme", "checked 12/11", "à classer", "copy on file"]))
        a.set_info(title=r.choice(["Gestion locative", "A. Duval", "Lettings team"]))
        a.update()
    return incremental(data, change)


def titled(data, doc, r):
    """A document store writes its own number into the information record."""
    def change(x):
        m = x.metadata
        m["keywords"] = f"GED-{r.randint(10000, 99999)}"
        x.set_metadata({k: m.get(k) or "" for k in ("title", "author", "subject", "keywords", "creator", "producer", "creationDate", "modDate")})
    return incremental(data, change)


def no_metadata(data, doc, r):
    p = pikepdf.open(io.BytesIO(data))
    if "/Info" in p.trailer:
        del p.trailer["/Info"]
    if "/Metadata" in p.Root:
        del p.Root.Metadata
    b = io.BytesIO()
    p.save(b)
    return b.getvalue()


CERT = {}


def signed(data, doc, r):
    """Signed by the office that made it, and intact since."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    from pyhanko.pdf_utils.metadata import info
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import fields, signers
    from pyhanko.sign.signers import pdf_cms, pdf_signer
    hour = (doc.made + dt.timedelta(seconds=40)).replace(tzinfo=dt.timezone.utc)

    class Then(dt.datetime):  # signed when the office made it, not at the hour of this run
        @classmethod
        def now(cls, tz=None):
            return hour
    pdf_cms.datetime = pdf_signer.datetime = info.datetime = Then
    if not CERT:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        n = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Service des documents"), x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME,
            "Cachet serveur")])
        c = (x509.CertificateBuilder().subject_name(n).issuer_name(n).public_key(key.public_key()).serial_number(1234567).not_valid_before(dt.datetime(2024,
            1, 1)).not_valid_after(dt.datetime(2029, 1, 1))
             .add_extension(x509.KeyUsage(True, True, False, False, False, False, False, False, False), critical=True).sign(key, hashes.SHA256()))
        d = tempfile.mkdtemp()
        open(d + "/k.pem", "wb").write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        open(d + "/c.pem", "wb").write(c.public_bytes(serialization.Encoding.PEM))
        CERT["s"] = signers.SimpleSigner.load(d + "/k.pem", d + "/c.pem")
    w = IncrementalPdfFileWriter(io.BytesIO(data), strict=False)
    out = io.BytesIO()
    spec = fields.SigFieldSpec("Signature1", box=(360, 20, 560, 60) if r.random() < .4 else None)
    signers.sign_pdf(w, signers.PdfSignatureMetadata(field_name="Signature1", reason=r.choice([None, "Document original"])), signer=CERT["s"],
        new_field_spec=spec, output=out)
    return out.getvalue()


def office_page(doc, r, text):
    """A page of the same office, made by the same kind of program at the same hour."""
    from render import BACKENDS, Doc
    kind = doc.kind if doc.kind in ("weasyprint", "chromium") else "weasyprint"
    html = f'<meta charset="utf-8"><style>@page{{size:A4;margin:25mm}}body{{font:11pt Lato}}</style><body>{text}</body>'
    d = Doc(doc.lang, "prose", kind, html, doc.made, {}, info=doc.info if kind == "weasyprint" else {})
    return d.render()


COVER = {"fr": "<p>Madame, Monsieur,</p><p>Vous trouverez ci-joint le document que vous avez demandé. Nous restons à votre disposition pour toute "
    "question.</p><p>Le service clients</p>",
         "en": "<p>Dear customer,</p><p>Please find enclosed the copy that you asked for. If you have any questions, please contact us.</p><p>Customer "
             "services</p>"}
TERMS = {"fr": "<h3>Informations pratiques</h3><p>Nos conseillers vous répondent du lundi au vendredi de 9 h à 18 h. Toute réclamation doit être adressée "
    "par écrit au service clients. Vos données sont traitées conformément au règlement (UE) 2016/679 ; vous disposez d'un droit d'accès et de "
        "rectification.</p>",
         "en": "<h3>Useful information</h3><p>Our lines are open Monday to Friday, 9am to 6pm. Complaints should be made in writing to customer services. "
             "We handle your data in line with data protection law; you may ask for a copy of it.</p>"}


def join(parts):
    out = pikepdf.new()
    for b in parts:
        out.pages.extend(pikepdf.open(io.BytesIO(b)).pages)
    b = io.BytesIO()
    out.save(b)
    return b.getvalue()


def with_cover(data, doc, r):
    who = doc.fields["issuer"][1] if "issuer" in doc.fields else ""
    head = f"<p><b>{who}</b></p><p>{doc.made:%d.%m.%Y}</p>" if who else ""
    return join([office_page(doc, r, head + COVER.get(doc.lang, COVER["en"])), data])


def extracted(data, doc, r):
    """Page one of two, cut out with a page tool."""
    two = join([data, office_page(doc, r, TERMS.get(doc.lang, TERMS["en"]))])
    if r.random() < .5:
        return tool(["qpdf", "@/a.pdf", "--pages", ".", "1", "--", "@/b.pdf"], two)
    from pypdf import PdfReader, PdfWriter
    w, b = PdfWriter(), io.BytesIO()
    w.add_page(PdfReader(io.BytesIO(two)).pages[0])
    w.write(b)
    return b.getvalue()


def scanned(data, doc, r):
    return capture(data, r, "scan_pdf", doc.__dict__.get("card"), later(doc, r))[0]


def scanned_ocr(data, doc, r):
    """An office machine that lays recognised text under the picture."""
    rng = np.random.default_rng(r.randint(0, 10 ** 9))
    a = flatbed(page_images(data, 200)[0], r, rng, doc.__dict__.get("card"))
    with tempfile.TemporaryDirectory() as d:
        open(d + "/a.jpg", "wb").write(jpeg(a, r, doc.made, False, 80))
        subprocess.run(["tesseract", d + "/a.jpg", d + "/b", "--dpi", "200", "-l", "fra" if doc.lang == "fr" else "eng", "pdf"], check=True,
            capture_output=True, env=ENV)
        return redate(open(d + "/b.pdf", "rb").read(), later(doc, r))


def messenger(data, doc, r):
    """A messenger scales the picture to 1600 points and takes its records away."""
    import cv2
    rng = np.random.default_rng(r.randint(0, 10 ** 9))
    from scan import phone
    a = phone(page_images(data, 190)[0], r, rng, doc.__dict__.get("card"))
    k = 1600 / max(a.shape[:2])
    if k < 1:
        a = cv2.resize(a, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
    return jpeg(a, r, doc.made, False, r.choice([70, 75, 80]))


KINDS = ([linearised] * 4 + [optimised] * 4 + [printed_again] * 4 + [turned] * 3 + [turned_incremental] * 3 + [signed] * 5
         + [with_cover] * 4 + [extracted] * 4 + [highlighted] * 3 + [noted] * 3
         + [titled] * 2 + [no_metadata] * 2 + [scanned] * 2 + [scanned_ocr] * 1 + [messenger] * 1)


def filled_form(r, Person, past, firm):
    """A form that its office left open and that the applicant filled in with a viewer."""
    from reportlab.pdfgen.canvas import Canvas
    p = Person(r, r.choice(["FR", "GB"]))
    fr = p.country == "FR"
    lab = ["Nom et prénom du candidat", "Profession", "Employeur", "Nombre d'occupants", "Animaux", "Commentaire"] if fr else ["Applicant's name",
        "Occupation", "Employer", "Number of occupants", "Pets", "Comments"]
    val = [p.full, r.choice(["infirmier", "conductrice de travaux"]) if fr else r.choice(["nurse", "site manager"]), firm(r, p.country).name, str(r.randint(1,
        5)), "non" if fr else "none", "disponible de suite" if fr else "can move at once"]
    b = io.BytesIO()
    c = Canvas(b)
    c.setProducer("Acrobat Distiller 9.0.0 (Windows)")
    c.setFont("Helvetica-Bold", 15)
    c.drawString(60, 780, "FICHE DE RENSEIGNEMENTS – CANDIDAT LOCATAIRE" if fr else "RENTAL APPLICATION – ABOUT YOU")
    c.setFont("Helvetica", 10)
    c.drawString(60, 755, "À compléter en majuscules. Joindre les pièces demandées au dossier." if fr else "Please complete every box and return with "
        "your supporting papers.")
    for i, x in enumerate(lab):
        c.drawString(60, 715 - 45 * i, x)
        c.acroForm.textfield(name=f"f{i}", x=260, y=705 - 45 * i, width=270, height=22, borderWidth=1, fontSize=10)
    c.drawString(60, 400, "Les renseignements sont utilisés pour l'étude du dossier uniquement." if fr else "We use these details only to consider your "
        "application.")
    c.save()
    made = past(r, 5, 200)
    data = redate(b.getvalue(), dt.datetime(2025, 3, 4, 10, 2, 3))

    def change(x):
        for w in x[0].widgets():
            w.field_value = val[int(w.field_name[1:])]
            w.update()
    return incremental(data, change), "fr" if fr else "en", p.country, made
