"""What honest people and programs do to a document."""
import os, io, datetime as dt, fitz, pikepdf, random
from data import *
import render, forge
from render import pname, run
from forge import pdfdate, later, patch_any, setmeta, find, span_at
def b_reprint(d, p, r, ts, out):
    if r.random() < .5: run("pdftocairo", "-pdf", p, out)
    else: 
        ps = pname(".ps"); run("pdftops", p, ps); run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", f"-sOutputFile={out}", ps)
    if NBX(d, out): run("pdftocairo", "-pdf", p, out)
    if NBX(d, out): raise forge.Fail("text lost in printing")
    patch_any(out, later(ts, r))
def NBX(d, out):
    t = "".join("".join(x.get_text() for x in fitz.open(out)).split()); return any("".join(v.split()) not in t for v in d.fields.values())
def b_gs(d, p, r, ts, out): run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", r.choice(["-dPDFSETTINGS=/ebook", "-dPDFSETTINGS=/printer", "-dPDFA=2"]), f"-sOutputFile={out}", p); patch_any(out, later(ts, r))
def b_linear(d, p, r, ts, out): run("qpdf", "--linearize", "--object-streams=generate", p, out)
def b_rotate(d, p, r, ts, out): run("qpdf", f"--rotate=+{r.choice([90, 180, 270])}:1-z", p, out)
def b_sign(d, p, r, ts, out): forge.sign(p, out, d.org or "Certified copies office", r.random() < .5, r)
def b_encrypt(d, p, r, ts, out): run("qpdf", "--encrypt", "", "owner" + digs(r, 6), "256", "--modify=none", "--print=full", "--", p, out)
def b_nometa(d, p, r, ts, out):
    f = pikepdf.open(p); 
    if "/Metadata" in f.Root: del f.Root.Metadata
    if "/Info" in f.trailer: del f.trailer["/Info"]
    f.save(out)
def b_note(d, p, r, ts, out):
    doc = fitz.open(p); t = later(ts, r); pg = doc[0]; a = pg.add_text_annot((pg.rect.width - 60, 60 + r.randint(0, 200)), "À vérifier avec le client" if d.lang == "fr" else "Please check and file"); a.set_info(title=r.choice(["S. Martin", "Accounts", "Back office"]), creationDate=pdfdate(t), modDate=pdfdate(t)); a.update(); setmeta(doc, t); doc.save(out, garbage=0)
def b_highlight(d, p, r, ts, out):
    open(out, "wb").write(open(p, "rb").read()); doc = fitz.open(out); v = [x for f in list(d.fields.values()) for x in find(doc[0], f)][:2]; pg = doc[0]
    for x in v: a = pg.add_highlight_annot(x); t = later(ts, r); a.set_info(title="Back office", creationDate=pdfdate(t), modDate=pdfdate(t)); a.update()
    if not v: raise forge.Fail("none")
    doc.saveIncr()
def b_stamp(d, p, r, ts, out):
    doc = fitz.open(p); pg = doc[0]; t = later(ts, r); W, H = pg.rect.width, pg.rect.height; x = fitz.Rect(W - 190, H - 110, W - 40, H - 62); tx = ("REÇU LE " if d.lang == "fr" else "RECEIVED ") + t.strftime("%d/%m/%Y"); col = r.choice([(.75, .1, .1), (.1, .2, .6)])
    pg.draw_rect(x, color=col, width=1.4); pg.insert_textbox(x + (4, 8, -4, 0), tx + "\n" + ("Service courrier" if d.lang == "fr" else "Mail room"), fontsize=11, color=col, align=1); setmeta(doc, t); doc.save(out, garbage=1, deflate=True)
def b_cover(d, p, r, ts, out):
    from reportlab.pdfgen import canvas
    c = pname(".pdf"); q = canvas.Canvas(c, pagesize=(595, 842)); q.setFont("Helvetica-Bold", 20); q.drawString(70, 700, "Pièces du dossier" if d.lang == "fr" else "Supporting documents"); q.setFont("Helvetica", 12); q.drawString(70, 670, ("Dossier n° " if d.lang == "fr" else "Case no. ") + digs(r, 7)); q.drawString(70, 650, ("1 pièce jointe" if d.lang == "fr" else "1 enclosure")); q.save(); run("qpdf", "--empty", "--pages", c, p, "--", out)
    with pikepdf.open(out, allow_overwriting_input=True) as f: f.docinfo["/Producer"] = "PDFsam Basic v5.2.9"; f.docinfo["/CreationDate"] = pdfdate(later(ts, r)); f.save(out)
def b_extract(d, p, r, ts, out):
    doc = fitz.open(p); 
    for i in range(2):
        pg = doc.new_page(width=595, height=842); pg.insert_textbox((60, 60, 535, 780), ("Conditions générales\n\n" + "Les présentes conditions s'appliquent à toute relation avec le client. " * 30) if d.lang == "fr" else ("Terms and conditions\n\n" + "These terms apply to every agreement with the customer. " * 30), fontsize=9)
    m = pname(".pdf"); doc.save(m); run("qpdf", m, "--pages", m, "1", "--", out)
def b_scanocr(d, p, r, ts, out):
    import scan
    a, dpi, dev = scan.scanit(p, random.Random(r.random()), not d.blocks); im = pname(".jpg"); scan.save(a, dpi, "mfp", "scan_jpeg", r, ts, im); o = pname(""); run("tesseract", im, o, "-l", "fra" if d.lang == "fr" else "eng", "--dpi", str(dpi), "pdf"); open(out, "wb").write(open(o + ".pdf", "rb").read()); patch_any(out, later(ts, r))
def b_form(d, p, r, ts, out): raise NotImplementedError
LBL = {"iban":("IBAN","IBAN"),"bic":("BIC","BIC / SWIFT"),"accountHolder":("Titulaire du compte","Account holder"),"policyNumber":("N° de police","Policy number"),"lastName":("Nom","Surname"),"firstName":("Prénom","First name"),"issuer":("Assureur","Insurer"),"postCode":("Code postal","Post code"),"city":("Ville","Town"),"netAmount":("Net à payer","Net pay"),"totalAmount":("Montant total","Total amount"),"address":("Adresse","Address"),"documentNumber":("Référence","Reference"),"issueDate":("Date","Date"),"companyName":("Raison sociale","Company name"),"registrationNumber":("Numéro d'immatriculation","Registration number")}
def form(d, r, ts, out):
    os.environ["SOURCE_DATE_EPOCH"] = render.epoch(ts)
    from reportlab.pdfgen import canvas
    c = pname(".pdf"); q = canvas.Canvas(c, pagesize=(595, 842)); fr = d.lang == "fr"; q.setTitle(d.ttl or "Form"); q.setFont("Helvetica-Bold", 16); q.drawString(60, 770, d.org); q.setFont("Helvetica-Bold", 13); q.drawString(60, 735, (d.ttl or ("Formulaire" if fr else "Form"))); q.setFont("Helvetica", 10); y = 690
    for f in d.fields: q.drawString(60, y + 5, LBL[f][0 if fr else 1] + " :"); q.acroForm.textfield(name=f, x=210, y=y, width=310, height=20, fontSize=10, borderWidth=.5); y -= 34
    q.drawString(60, y - 20, "Signature :"); q.save(); doc = fitz.open(c)
    for w in doc[0].widgets(): w.field_value = d.fields[w.field_name].replace(NB, " "); w.update()
    t = later(ts, r); setmeta(doc, t); doc.save(out)
WAYS = {"printed_again": (b_reprint, 4), "optimised_ghostscript": (b_gs, 4), "linearised": (b_linear, 4), "turned_in_viewer": (b_rotate, 4), "signed": (b_sign, 4), "encrypted_no_password": (b_encrypt, 4), "metadata_removed": (b_nometa, 4), "form_filled": (b_form, 4), "note_added": (b_note, 3), "highlighted": (b_highlight, 3), "received_stamp": (b_stamp, 4), "cover_page_joined": (b_cover, 3), "page_extracted": (b_extract, 3), "scan_with_text_recognised": (b_scanocr, 2)}
assert sum(x[1] for x in WAYS.values()) == 50
