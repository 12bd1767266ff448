"""What honest people and forgers do to finished PDF files."""
import datetime as dt
import io
import re
import subprocess
import tempfile
from pathlib import Path

import pikepdf
import pymupdf
from PIL import Image, ImageDraw, ImageFont

from engines import Ops, draw_fpdf, draw_mupdf, draw_reportlab, font_file, png, render, run, set_info, subst


def find(pdf, value):
    """The page, the rectangle and the type of the first place where a value is printed."""
    for i, page in enumerate(pdf):
        for v in (value, value.replace('\u00a0', ' ')):
            hit = page.search_for(v)
            if not hit:
                continue
            r = hit[0]
            for b in page.get_text('dict')['blocks']:
                for ln in b.get('lines', []):
                    for s in ln['spans']:
                        if pymupdf.Rect(s['bbox']).intersects(r + (1, 2, -1, -2)):
                            c = s['color']
                            return page, r, dict(size=s['size'], font=s['font'], base=s['origin'][1], color=((c >> 16 & 255) / 255, (c >> 8 & 255) / 255,
                                (c & 255) / 255))
    return None


def near_font(name, other=False):
    """The installed font that a forger would take for the one on the page, or plainly another one."""
    n = name.lower()
    bold = 'B' if 'bold' in n or 'heavy' in n else ''
    k = 'C' if 'mono' in n or 'cour' in n else 'T' if 'serif' in n or 'times' in n or 'roman' in n or 'lm' in n else 'L' if 'lato' in n else 'H'
    if other:
        k = {'C': 'H', 'T': 'K', 'L': 'H', 'H': 'T'}[k]
    return k + bold


def put(page, r, look, new, other=False, dx=0.0):
    k = near_font(look['font'], other)
    page.insert_text((r.x0 + dx, look['base']), new, fontsize=look['size'] * (1.04 if other else 1), fontname='Z' + k, fontfile=font_file(k),
        color=look['color'])


def retyped(data, old, new, w):
    """The value is taken off the page and typed anew, as a PDF editor does it."""
    with pymupdf.open(stream=data, filetype='pdf') as d:
        hit = find(d, old)
        if not hit:
            return None
        page, r, look = hit
        page.add_redact_annot(r + (0, r.height * .18, 0, -r.height * .18), fill=False)
        page.apply_redactions(images=pymupdf.PDF_REDACT_IMAGE_NONE, graphics=pymupdf.PDF_REDACT_LINE_ART_NONE)
        put(page, r, look, new, w.pick(False, True))
        return d.tobytes(garbage=1, deflate=True)


def boxed(data, old, new, w, incremental=False):
    """A white box and the new value over it; as a revision the old file stays below, byte for byte."""
    with tempfile.TemporaryDirectory() as tmp:
        f = Path(tmp) / 'a.pdf'
        f.write_bytes(data)
        with pymupdf.open(f) as d:
            hit = find(d, old)
            if not hit:
                return None
            page, r, look = hit
            page.draw_rect(r + (-.5, 0, .8, 0), color=None, fill=(1, 1, 1), width=0)
            put(page, r, look, new, w.pick(False, False, True), w.pick(0, .6))
            if incremental:
                if not d.can_save_incrementally():
                    return None
                d.saveIncr()
            else:
                return d.tobytes()
        return f.read_bytes()


def pictured(data, old, new, w):
    """A small picture with the new value lies over the old one."""
    with pymupdf.open(stream=data, filetype='pdf') as d:
        hit = find(d, old)
        if not hit:
            return None
        page, r, look = hit
        k, z = near_font(look['font']), 6
        f = ImageFont.truetype(font_file(k), int(look['size'] * z))
        wd = max(r.width * z, f.getlength(new) + z)
        px = page.get_pixmap(clip=pymupdf.Rect(r.x0 - 2, r.y0, r.x0 - .5, r.y1))
        ground = px.pixel(0, px.h // 2) if px.w and px.h else (255, 255, 255)
        im = Image.new('RGB', (int(wd), int(r.height * z)), tuple(ground[:3]))
        ImageDraw.Draw(im).text((0, (look['base'] - r.y0) * z), new, font=f, fill=tuple(int(c * 255) for c in look['color']), anchor='ls')
        page.insert_image(pymupdf.Rect(r.x0, r.y0, r.x0 + wd / z, r.y1), stream=png(im), keep_proportion=False)
        return d.tobytes(deflate=True)


EDITORS = [({'Producer': 'iLovePDF', 'Creator': ''}, None), ({'Producer': 'Adobe Photoshop for Windows -- Image Conversion Plug-in',
    'Creator': 'Adobe Photoshop 25.1 (Windows)'}, None),
           ({'Producer': 'www.sejda.com (ver. 5.3.7)', 'Creator': 'Sejda'}, None), ({'Producer': 'Foxit PDF Editor Printer Version 12.1',
           'Creator': 'Foxit PDF Editor'}, None),
           ({'Producer': 'macOS Version 14.4 (Build 23E214) Quartz PDFContext', 'Creator': 'Vorschau'}, None), ({'Producer': 'Skia/PDF m121',
           'Creator': 'Canva'}, None),
           ({'Producer': 'PDFescape Desktop 4.1', 'Creator': 'PDFescape'}, None), ({'Producer': 'GIMP 2.10.34', 'Creator': 'GIMP'}, None),
           ({'Producer': 'Inkscape 1.3.2', 'Creator': 'Inkscape'}, None)]

XMP = '''<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
 xmp:CreatorTool="{tool}" xmp:CreateDate="{a}" xmp:ModifyDate="{b}">
<xmpMM:History><rdf:Seq><rdf:li stEvt:action="converted" stEvt:softwareAgent="{tool}" stEvt:when="{a}"/><rdf:li stEvt:action="saved"
stEvt:softwareAgent="{tool}" stEvt:when="{b}" stEvt:changed="/content"/></rdf:Seq></xmpMM:History>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'''


def edited_metadata(data, doc, w):
    """The change cannot be seen, but the metadata name an editor and a later day."""
    info, _ = w.pick(EDITORS)
    later = doc.when + dt.timedelta(days=w.r.randint(12, 160), hours=w.r.randint(1, 9))
    later = min(later, dt.datetime(2026, 11, 19, 21, 4))
    info = dict(info, CreationDate=f"D:{doc.when:%Y%m%d%H%M%S}+01'00'", ModDate=f"D:{later:%Y%m%d%H%M%S}+01'00'")
    out = set_info(data, info)
    if w.pick(0, 1):
        with pikepdf.open(io.BytesIO(out)) as p:
            x = XMP.format(tool=info['Creator'] or info['Producer'], a=doc.when.isoformat(), b=later.isoformat())
            p.Root.Metadata = pikepdf.Stream(p, x.encode())
            p.Root.Metadata.Type, p.Root.Metadata.Subtype = pikepdf.Name.Metadata, pikepdf.Name.XML
            b = io.BytesIO()
            p.save(b)
            out = b.getvalue()
    return out, f'{info["Producer"]}, changed {later:%Y-%m-%d}'


def half_page(doc, data, old, new, w):
    """The part of the page with the new value comes out of another program, or is a picture of a print."""
    with pymupdf.open(stream=data, filetype='pdf') as a:
        hit = find(a, old)
        if not hit:
            return None
        page, r, _ = hit
        src = subst(doc.src, old, new, doc.engine)
        if isinstance(doc.src, Ops):
            alt = {'reportlab': draw_fpdf, 'fpdf': draw_mupdf, 'mupdf': draw_reportlab}[doc.engine](src)
        else:
            alt = reprinted(render(doc.engine, src, doc.when), w.pick('gs', 'cairo'))
        n = page.number
        with pymupdf.open(stream=alt, filetype='pdf') as b:
            if len(b) <= n:
                return None
            box, out = page.rect, pymupdf.open()
            out.insert_pdf(a, to_page=n - 1) if n else None
            new_page = out.new_page(width=box.width, height=box.height)
            cut = max(40, r.y0 - w.r.randint(6, 14))
            top, low = pymupdf.Rect(0, 0, box.width, cut), pymupdf.Rect(0, cut, box.width, box.height)
            new_page.show_pdf_page(top, a, n, clip=top)
            if w.pick(0, 1, 1):
                new_page.show_pdf_page(low, b, n, clip=low)
                how = 'set by another program'
            else:
                px = b[n].get_pixmap(dpi=150, clip=low)
                new_page.insert_image(low, stream=px.tobytes('jpeg', jpg_quality=82))
                how = 'a picture'
            if len(a) > n + 1:
                out.insert_pdf(a, from_page=n + 1)
            return out.tobytes(deflate=True, garbage=2), how


# ---------------------------------------------------------------- honest handling

def reprinted(data, how):
    """Printed to PDF again with Ghostscript or cairo."""
    with tempfile.TemporaryDirectory() as tmp:
        (Path(tmp) / 'a.pdf').write_bytes(data)
        if how == 'gs':
            run(['gs', '-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pdfwrite', '-sOutputFile=b.pdf', 'a.pdf'], tmp)
        else:
            run(['pdftocairo', '-pdf', 'a.pdf', 'b.pdf'], tmp)
        return (Path(tmp) / 'b.pdf').read_bytes()


def qpdf(data, *args):
    with tempfile.TemporaryDirectory() as tmp:
        (Path(tmp) / 'a.pdf').write_bytes(data)
        subprocess.run(['qpdf', *args, 'a.pdf', 'b.pdf'], cwd=tmp, check=False, capture_output=True)
        return (Path(tmp) / 'b.pdf').read_bytes()


def incremental(data, change):
    with tempfile.TemporaryDirectory() as tmp:
        f = Path(tmp) / 'a.pdf'
        f.write_bytes(data)
        with pymupdf.open(f) as d:
            change(d)
            if not d.can_save_incrementally():
                return d.tobytes()
            d.saveIncr()
        return f.read_bytes()


def turned(data, w):
    if w.pick(0, 1):
        return incremental(data, lambda d: d[0].set_rotation(w.pick(90, 180, 270))), 'page turned, saved as a revision'
    return qpdf(data, '--rotate=+90:1'), 'page turned and saved anew'


def annotated(data, w, text):
    words = {'fr': ['Vu, à classer', 'Demander l’original ?', 'OK dossier'], 'en': ['Checked against file', 'Seen – JB', 'Call customer']}

    def change(d):
        page = d[0]
        hit = page.search_for(text) or page.search_for(text.replace('\u00a0', ' '))
        if hit and w.pick(0, 1, 1):
            a = page.add_highlight_annot(hit[0])
        else:
            a = page.add_text_annot((page.rect.width - 60, 40), w.pick(words['fr'] + words['en']))
        a.set_info(title=w.pick('Reader', 'J. Barlow', 'Agence'))
        a.update()
    return (incremental(data, change), 'annotation, revision') if w.pick(0, 1) else (rewritten(data, change), 'annotation')


def rewritten(data, change):
    with pymupdf.open(stream=data, filetype='pdf') as d:
        change(d)
        return d.tobytes(garbage=3, deflate=True)


def form_filled(data, w):
    """The office's page has a field for the reader's reference, and the reader fills it in."""
    def add(d):
        p = d[0]
        for k, (nm, v) in enumerate([('reference', ''), ('received', '')]):
            f = pymupdf.Widget()
            f.field_name, f.field_type, f.field_value = nm, pymupdf.PDF_WIDGET_TYPE_TEXT, v
            f.rect = pymupdf.Rect(30 + k * 150, p.rect.height - 22, 170 + k * 150, p.rect.height - 6)
            f.text_fontsize, f.border_color = 8, (.6, .6, .6)
            p.add_widget(f)
    with_form = rewritten(data, add)

    def fill_in(d):
        for f in d[0].widgets():
            f.field_value = w.pick('KYC-' + w.digits(5), 'seen', w.letters(3) + w.digits(3))
            f.update()
    return incremental(with_form, fill_in)


_SIGNER = []


def signed(data, w, name):
    """A whole signature over the whole file, by a certificate made for this run."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.x509.oid import NameOID
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import fields, signers
    if not _SIGNER:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        nm = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, 'Document Service'), x509.NameAttribute(NameOID.ORGANIZATION_NAME, name[:60])])
        cert = (x509.CertificateBuilder().subject_name(nm).issuer_name(nm).public_key(key.public_key()).serial_number(602)
                .not_valid_before(dt.datetime(2020, 1, 1))
                .not_valid_after(dt.datetime(2036, 1, 1)).sign(key, hashes.SHA256()))
        with tempfile.TemporaryDirectory() as tmp:
            k, c = Path(tmp) / 'k.pem', Path(tmp) / 'c.pem'
            k.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
            c.write_bytes(cert.public_bytes(serialization.Encoding.PEM))
            _SIGNER.append(signers.SimpleSigner.load(str(k), str(c)))
    out = io.BytesIO()
    wr = IncrementalPdfFileWriter(io.BytesIO(data), strict=False)
    signers.sign_pdf(wr, signers.PdfSignatureMetadata(field_name='Signature1', reason='Document authenticity'), signer=_SIGNER[0], output=out)
    return out.getvalue()


def cover_page(doc, data, w, extract=False):
    """A letter of the same office before the page; or the pair cut apart again."""
    fr = doc.lang == 'fr'
    o = Ops()
    o.t(60, 70, doc.printed.get('issuer', '') or ('Service clientèle' if fr else 'Customer Services'), 14, 'HB')
    o.ts(60, 140, ['Bonjour,' if fr else 'Dear customer,', '', 'Vous trouverez ci-joint le document que vous avez demandé.' if fr else
        'Please find attached the document that you asked for.',
                   'Nous restons à votre disposition.' if fr else 'If you have any questions, please get in touch.', '',
                   'Cordialement' if fr else 'Kind regards'], 11, 'H', 1.5)
    o.t(60, 800, w.pick('1 / 2', 'Page 1', ''), 8)
    with pikepdf.open(io.BytesIO(draw_reportlab(o))) as cover, pikepdf.open(io.BytesIO(data)) as p:
        out = pikepdf.new()
        out.pages.extend(cover.pages)
        out.pages.extend(p.pages)
        if extract:
            del out.pages[0]
        b = io.BytesIO()
        out.save(b)
        return b.getvalue()
