"""Scanning, harmless processing, forging."""
import io, os, re, subprocess, tempfile, datetime as dt, random, unicodedata
import numpy as np, cv2, pikepdf, pymupdf, img2pdf
from PIL import Image, ImageDraw, ImageFont
from data import *
from render import ttf, render, backdate, portrait
NOW = dt.datetime.utcnow
nz = lambda s: re.sub(r'\s+', '', unicodedata.normalize('NFKC', s))
def text(path):
    with pymupdf.open(path) as d: return ' '.join(p.get_text() for p in d)
def run(*a): return subprocess.run(a, capture_output=True, timeout=120)
# ---------------------------------------------------------------- scans
def scan(src, out, medium, r, made, note=None, mode=None, card=False):
    dpi = r.choice([150, 150, 200, 200, 200, 200, 250, 300] if not card else [200, 250, 300]); mode = mode or r.choice(['flat','flat','copier','app','phone'] if medium != 'scan_png' else ['flat','app','flat'])
    with pymupdf.open(src) as d:
        pg = d[0]; crop = None
        if card and (r.random() < .75 or mode == 'phone'):
            R = pymupdf.Rect()
            for x in pg.get_drawings(): R |= x['rect']
            for x in pg.get_text('blocks'): R |= pymupdf.Rect(x[:4])
            for x in pg.get_image_info(): R |= pymupdf.Rect(x['bbox'])
            R = R & pg.rect
            if R.height < 480 and R.width < 520: m = r.randint(14, 40); crop = (R + (-m, -m, m, m)) & pg.rect; pass   # a card: only its part of the glass
        pm = pg.get_pixmap(dpi=dpi, clip=crop, alpha=False); a = np.frombuffer(pm.samples, np.uint8).reshape(pm.h, pm.w, 3)[:, :, ::-1].copy()
    rs = np.random.default_rng(r.randint(0, 2**31)); h, w = a.shape[:2]; S = lambda x: int(x*dpi/200)
    if note: cv2.putText(a, note, (S(180), h - S(200)), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, dpi/130, (140, 40, 20), max(2, S(3)), cv2.LINE_AA)
    pb = r.randint(242, 253); paper = np.array([pb - r.randint(0, 6), pb - r.randint(0, 3), pb])/255
    f = a.astype(np.float32)*paper.astype(np.float32); mean = float(np.mean(f))
    if mode == 'phone':
        pad = S(r.randint(60, 130)); H, W = h + 2*pad, w + 2*pad; desk = np.full((H, W, 3), [(70, 96, 128), (120, 120, 118), (52, 56, 60), (150, 176, 196)][r.randint(0, 3)], np.float32)
        desk += cv2.resize(rs.normal(0, 14, (H//40+1, 6, 1)).astype(np.float32), (W, H))[:, :, None]; j = lambda: r.randint(-pad//3, pad//3)
        M = cv2.getPerspectiveTransform(np.float32([[0,0],[w,0],[w,h],[0,h]]), np.float32([[pad+j(),pad+j()],[pad+w+j(),pad+j()],[pad+w+j(),pad+h+j()],[pad+j(),pad+h+j()]]))
        f = cv2.warpPerspective(f, M, (W, H), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(-1,-1,-1)); msk = f[:, :, :1] < 0; f = np.where(msk, desk, f); h, w = H, W
    else:
        ang = r.gauss(0, .7 if mode != 'app' else .25); M = cv2.getRotationMatrix2D((w/2, h/2), ang, 1); M[:, 2] += (r.randint(-S(12), S(12)), r.randint(-S(12), S(12)))
        f = cv2.warpAffine(f, M, (w, h), flags=cv2.INTER_CUBIC, borderValue=tuple(float(x) for x in paper*r.choice([255, 250, 226])))
    gx, gy = np.meshgrid(np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32)); t = r.random()*6.3
    sh = {'flat':.02,'copier':.05,'app':.07,'phone':.2}[mode]*r.uniform(.5, 1.2); f *= (1 - sh*(.5 + .5*(gx*np.cos(t) + gy*np.sin(t))))[:, :, None]
    if mode in ('flat', 'copier') and r.random() < .5: e = np.clip(1 - (1+gx)*w/2/S(30), 0, 1)*r.uniform(.15, .5); f *= (1 - e)[:, :, None]
    f = cv2.GaussianBlur(f, (0, 0), r.uniform(.35, .8)*dpi/200 + (.25 if mode == 'phone' else 0)); k = rs.normal(0, r.uniform(1.5, 6), (700, 700, 1 if r.random() < .5 else 3)).astype(np.float32); k = np.tile(k, (h//700+1, w//700+1, 1))[:h, :w]; f += k
    grey = mode == 'copier' or (mode == 'flat' and r.random() < .2)
    if mode == 'copier':
        f = (f - 128)*1.25 + 142
        for _ in range(r.randint(10, 60)): cv2.circle(f, (r.randint(0, w), r.randint(0, h)), 1, (70, 70, 70), -1)
    f = f.clip(0, 255).astype(np.uint8)[:, :, ::-1]; im = Image.fromarray(f)
    if grey: im = im.convert('L')
    q = r.randint(48, 86); b = io.BytesIO()
    if medium == 'scan_png': im.save(out, 'PNG', dpi=(dpi, dpi)); return dict(mode=mode, dpi=dpi)
    ex = Image.Exif(); ts = made.strftime('%Y:%m:%d %H:%M:%S')
    if mode == 'phone': mk = r.choice([('Apple','iPhone 13','17.6.1'),('samsung','SM-A546B','A546BXXU7CXE3'),('Google','Pixel 7a','HDR+ 1.0')]); ex[0x10F], ex[0x110], ex[0x131] = mk; ex[0x132] = ts
    im.save(b, 'JPEG', quality=q, dpi=(dpi, dpi), **({'exif': ex} if len(ex) else {}))
    if medium == 'scan_jpeg': open(out, 'wb').write(b.getvalue())
    else:
        cr, pr = {'flat': r.choice([('HP Scan','HP Scan Extended Application'),('Canon iR-ADV C3525','Adobe PSL 1.3e for Canon'),('EPSON Scan 2','EPSON Scan 2')]), 'copier': r.choice([('RICOH MP C3004','RICOH MP C3004'),('KONICA MINOLTA bizhub C258','KONICA MINOLTA bizhub C258'),('Xerox VersaLink','Xerox')]), 'app': r.choice([('Adobe Scan for Android 24.05','Adobe Scan for Android 24.05'),('CamScanner','intsig.com pdf producer'),('Microsoft Lens','Microsoft Lens')]), 'phone': ('', 'iOS Version 17.6.1 (Build 21G93) Quartz PDFContext')}[mode]
        open(out, 'wb').write(img2pdf.convert(b.getvalue(), creator=cr or None, producer=pr, creationdate=made, moddate=made, nodate=False))
    return dict(mode=mode, dpi=dpi)
# ---------------------------------------------------------------- harmless
def _sig(src, out, r, d):
    from pyhanko.sign import signers; from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter as W; from cryptography import x509; from cryptography.hazmat.primitives.asymmetric import rsa; from cryptography.hazmat.primitives import hashes, serialization as se; from cryptography.x509.oid import NameOID
    k = rsa.generate_private_key(65537, 2048); n = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, r.choice(['Service RH','Billing department','Cachet serveur','E. Marchal']))])
    c = x509.CertificateBuilder().subject_name(n).issuer_name(n).public_key(k.public_key()).serial_number(x509.random_serial_number()).not_valid_before(dt.datetime(2025,1,1)).not_valid_after(dt.datetime(2028,1,1)).add_extension(x509.KeyUsage(True,True,False,False,False,False,False,False,False), True).sign(k, hashes.SHA256())
    with tempfile.TemporaryDirectory() as t:
        p = os.path.join(t, 'k.p12'); open(p, 'wb').write(se.pkcs12.serialize_key_and_certificates(b'x', k, c, None, se.BestAvailableEncryption(b'x'))); s = signers.SimpleSigner.load_pkcs12(p, passphrase=b'x')
        with open(src, 'rb') as i, open(out, 'wb') as o: signers.sign_pdf(W(i, strict=False), signers.PdfSignatureMetadata(field_name='Signature1', reason=r.choice(['Authenticité','Approval'])), signer=s, output=o)
def _gs(*a): return lambda s, o, r, d: run('gs', '-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pdfwrite', *a, '-o', o, s)
def _pk(f, **k):
    def g(s, o, r, d):
        with pikepdf.open(s) as p: f(p, r); p.save(o, **k)
    return g
def _mu(f, inc=True):
    def g(s, o, r, d):
        open(o, 'wb').write(open(s, 'rb').read())
        with pymupdf.open(o) as p: f(p, r, d); p.saveIncr() if inc else p.save(o + '.t', garbage=3, deflate=True)
        if not inc: os.replace(o + '.t', o)
    return g
def f_rot(p, r): p.pages[0].Rotate = r.choice([90, 180, 270])
def f_meta(p, r):
    if '/Metadata' in p.Root: del p.Root.Metadata
    if '/Info' in p.trailer: del p.trailer.Info
def f_crop(p, r): m = [float(x) for x in p.pages[0].MediaBox]; p.pages[0].CropBox = pikepdf.Array([m[0]+14, m[1]+20, m[2]-14, m[3]-12])
def val_rect(pg, v):
    R = pg.search_for(v) or pg.search_for(v.replace('\u00a0', ' ')); return R
def f_hl(p, r, d):
    pg = p[0]
    for v in r.sample(list(d['fields'].values()) or ['le','the'], 1):
        for q in val_rect(pg, v)[:1]: pg.add_highlight_annot(q)
    pg.add_text_annot((pg.rect.width-60, 40), r.choice(['Vu – OK pour le dossier','Checked against application','à classer']))
def f_stamp(p, r, d):
    pg = p[0]; t = r.choice(['REÇU LE 18 NOV. 2026','RECEIVED 18 NOV 2026','COPIE CONFORME','COURRIER ARRIVÉ']); y = pg.rect.height - 130
    pg.draw_rect((pg.rect.width-210, y, pg.rect.width-60, y+30), color=(.7,.1,.1), width=1.4); pg.insert_text((pg.rect.width-202, y+19), t, fontsize=11, fontname='hebo', color=(.7,.1,.1))
def f_ink(p, r, d):
    pg = p[0]; x, y = pg.rect.width-200, pg.rect.height-110; pts = [(x + i*3, y + 14*np.sin(i*.7)*r.uniform(.4, 1)) for i in range(38)]; pg.add_ink_annot([[(float(a), float(b)) for a, b in pts]]).update(); pg.add_freetext_annot((x, y+24, x+140, y+42), r.choice(['Lu et approuvé','Signed 20/11/2026']), fontsize=10).update()
def f_form(p, r, d):
    pg = p[0]; y = pg.rect.height - 92
    for i, (n, v) in enumerate([('dossier', f'D{r.randint(10000,99999)}'), ('agence', r.choice(['Lyon','Reading','Liège']))]):
        w = pymupdf.Widget(); w.field_name = n; w.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT; w.rect = pymupdf.Rect(60 + i*170, y, 210 + i*170, y+18); w.field_value = v; w.border_color = (.5,.5,.5); pg.add_widget(w)
def f_cover(p, r, d):
    t = r.choice([['BORDEREAU D’ENVOI','De : agence','Objet : pièce justificative','Nombre de pages : 2'],['FAX COVER SHEET','To: Underwriting','Re: supporting document','Pages: 2']]); pg = p.new_page(0, width=595, height=842); [pg.insert_text((70, 110 + i*34), x, fontsize=18 if i == 0 else 12) for i, x in enumerate(t)]
def _extract(s, o, r, d):
    with tempfile.TemporaryDirectory() as t:
        m = os.path.join(t, 'm.pdf'); q = pymupdf.open(); q.new_page().insert_text((80, 90), 'Annexe 1', fontsize=20); q.insert_pdf(pymupdf.open(s)); q.new_page().insert_text((80, 90), 'Annexe 3', fontsize=20); q.save(m); run('qpdf', m, '--pages', m, '2', '--', o)
def _ocr(s, o, r, d):
    with tempfile.TemporaryDirectory() as t:
        j = os.path.join(t, 'p.jpg'); scan(s, j, 'scan_jpeg', r, d['made'], mode='flat'); run('tesseract', j, o[:-4], '-l', 'fra' if d['lang'] == 'fr' else 'eng', 'pdf')
def _hand(s, o, r, d): scan(s, o, 'scan_pdf', r, d['made'], note=r.choice(['Dossier 4417','file ref 2091','Bon pour accord']), mode='flat')
def _email(s, o, r, d):
    with pymupdf.open() as q: pg = q.new_page(); [pg.insert_text((60, 80+i*16), x, fontsize=10) for i, x in enumerate(['From: customer@mail.example','Subject: document','Hello, please find attached the document you asked for.'])]; q.insert_pdf(pymupdf.open(s)); q.save(o, garbage=3, deflate=True)
BENIGN = [('printed again with Ghostscript', _gs()), ('printed again with cairo', lambda s, o, r, d: run('pdftocairo', '-pdf', s, o)), ('optimised for mail', _gs('-dPDFSETTINGS=/ebook')), ('linearised', lambda s, o, r, d: run('qpdf', '--linearize', s, o)), ('turned in a viewer', _pk(f_rot)), ('digitally signed', _sig), ('owner password only', lambda s, o, r, d: run('qpdf', '--encrypt', '', 'owner' + str(r.randint(100,999)), '256', '--modify=none', '--', s, o)), ('metadata removed', _pk(f_meta, object_stream_mode=pikepdf.ObjectStreamMode.generate)), ('form field filled in', _mu(f_form)), ('highlight and note', _mu(f_hl)), ('receipt stamp', _mu(f_stamp)), ('signed with pen in viewer', _mu(f_ink)), ('cover page joined', _mu(f_cover, False)), ('page extracted', _extract), ('margins cropped', _pk(f_crop)), ('e-mail page joined', _email), ('scan with OCR layer', _ocr), ('scan with handwritten reference', _hand)]
# ---------------------------------------------------------------- forging
PREF = dict(PAYSLIP=['netAmount','lastName','netAmount'], INVOICE=['iban','totalAmount','issueDate','iban'], PROOF_OF_ADDRESS=['address','lastName','issueDate'], TAX_NOTICE=['totalAmount','lastName','address'], BANK_DETAILS=['iban','accountHolder'], VEHICLE_REGISTRATION=['lastName','issueDate','registrationNumber'], COMPANY_REGISTRATION=['companyName','registrationNumber','address'], INSURANCE_CERTIFICATE=['policyNumber','lastName'])
def alter(d, r, fld=None):
    F = d['fields']
    if d['type'] == 'OTHER':
        t = d['_text']; m = re.findall(r'(?<![/.\d-])\d{1,2}(?:er)? [^\W\d]+ 20\d\d|[A-Z][a-z]+ \d{1,2}, 20\d\d|[£$]\d[\d,.\u00a0]*\d{2}\b|\d[\d,.\u00a0]*\d{2}.€', t) or re.findall(r'20[12]\d|\b\d{7}\b', t); v = r.choice(m); fld = 'text'
    else:
        c = [x for x in PREF.get(d['type'], ['birthDate','expiryDate','lastName','documentNumber']) if F.get(x)]; fld = fld or r.choice(c); v = F[fld]
    n = None; P = person(r, d['c'])
    if fld == 'lastName': n = P.last.upper() if v.isupper() else P.last
    elif fld == 'accountHolder': n = (v.split()[0] + ' ' if v.split()[0] in ('M.','Mme','Mr','Ms') else '') + P.full
    elif fld == 'companyName': n = company(r, d['c']).name
    elif fld == 'address': n = P.street
    elif fld == 'iban': n = grp(bank_account(r, d['c'])['iban'])
    elif 'Date' in fld or (fld == 'text' and re.search(r'20[12]\d$', v)):
        m = re.search(r'(?:19|20)\d\d', v)
        if m: y = int(m.group()); n = v[:m.start()] + str(y + (r.choice([-4, 3, 6]) if fld == 'birthDate' else r.choice([2, 3]) if fld == 'expiryDate' else (1 if y < 2026 else -1))) + v[m.end():]
    else:
        ix = [i for i, ch in enumerate(v) if ch.isdigit()]; k = 0 if 'Amount' in fld or fld == 'text' else len(ix) - 3
        k = max(0, min(k, len(ix)-1)); i = ix[k]; old = int(v[i]); nw = (old + r.choice([2, 3, 4])) % 10 or 7; nw = 8 if nw == old else nw; n = v[:i] + str(nw) + v[i+1:]
        if 'Amount' not in fld and len(ix) > 4: i = ix[-2]; n = n[:i] + str((int(n[i]) + 5) % 10) + n[i+1:]
    if not n or n == v: raise ValueError('same')
    return fld, v, n
def spans(pg, v):
    R = val_rect(pg, v)
    if not R: raise ValueError('not found ' + v)
    return R
def spaninfo(pg, R):
    for b in pg.get_text('dict')['blocks']:
        for l in b.get('lines', []):
            for s in l['spans']:
                if pymupdf.Rect(s['bbox']).intersects(R + (1, 2, -1, -2)): return s['size'], s['origin'][1], s['color'], s['font'].lower()
    return R.height*.75, R.y1 - 2, 0, 'helv'
rgb = lambda c: ((c >> 16 & 255)/255, (c >> 8 & 255)/255, (c & 255)/255)
def bgcol(pg, R):
    pm = pg.get_pixmap(clip=R + (-1, -1, 1, 1), dpi=72); a = np.frombuffer(pm.samples, np.uint8).reshape(-1, pm.n)[:, :3]; return tuple(np.median(a, 0)/255)
def put(pg, R, n, font, z, y, col, file=None): pg.insert_text((R.x0, y), n, fontsize=z, fontname=font, color=col, **({'fontfile': file} if file else {}))
def near(fn): b = 'bold' in fn or '-b' in fn; return ('tibo' if b else 'tiro') if any(x in fn for x in ('serif','times','c059','roman','charter','lm','sfrm')) else ('cour' if 'mono' in fn or 'courier' in fn else ('hebo' if b else 'helv'))
def w_box(p, v, n, r, d):
    pg = p[0]; R = spans(pg, v)[0]; z, y, c, fn = spaninfo(pg, R); pg.draw_rect(R + (-1, 0, 12, 0), color=None, fill=(1,1,1)); put(pg, R, n, r.choice(['helv','tiro']), z*r.uniform(.95, 1.06), y + r.uniform(-.6, .8), (0,0,0))
def w_redact(p, v, n, r, d, ff=None):
    pg = p[0]; T = [(R, spaninfo(pg, R)) for R in spans(pg, v)]
    for R, _ in T: pg.add_redact_annot(R + (0, 1.2, 0, -1.2), fill=False)
    pg.apply_redactions(images=0, graphics=0)
    for R, (z, y, c, fn) in T: put(pg, R, n, 'edf' if ff else near(fn), z, y, rgb(c), ff)
def w_free(p, v, n, r, d):
    pg = p[0]; R = spans(pg, v)[0]; z, y, c, fn = spaninfo(pg, R); a = pg.add_freetext_annot(R + (-1, -1, max(20, (len(n)-len(v))*z*.6 + 14), 2), n, fontsize=z, fontname='helv', text_color=(0,0,0), fill_color=bgcol(pg, R)); a.update()
def w_patch(p, v, n, r, d):
    pg = p[0]; R = spans(pg, v)[0]; z, y, c, fn = spaninfo(pg, R); k = r.choice([3, 4]); f = ImageFont.truetype(ttf(r.choice(['Liberation Sans','Carlito','DejaVu Sans'])), max(8, int(z*k))); W = int(max(R.width*k, f.getlength(n))) + 8; im = Image.new('RGB', (W, int(R.height*k)), tuple(int(x*255) for x in bgcol(pg, R))); ImageDraw.Draw(im).text((1, int((y-R.y0)*k)), n, font=f, fill=tuple(int(x*255) for x in rgb(c)), anchor='ls'); b = io.BytesIO(); im.save(b, 'JPEG', quality=70); pg.insert_image(pymupdf.Rect(R.x0, R.y0, R.x0 + W/k, R.y1), stream=b.getvalue(), keep_proportion=False)
def tounicode(font):
    m = {}
    if '/ToUnicode' not in font: return None
    s = font.ToUnicode.read_bytes().decode('latin1'); u = lambda h: bytes.fromhex(h).decode('utf-16-be', 'ignore')
    for blk in re.findall(r'beginbfchar(.*?)endbfchar', s, re.S):
        for a, b in re.findall(r'<(\w+)>\s*<(\w+)>', blk): m[int(a, 16)] = u(b)
    for blk in re.findall(r'beginbfrange(.*?)endbfrange', s, re.S):
        for a, b, c in re.findall(r'<(\w+)>\s*<(\w+)>\s*<(\w+)>', blk):
            for i in range(int(a, 16), min(int(b, 16), int(a, 16)+300)+1): m[i] = chr(ord(u(c)[-1]) + i - int(a, 16))
    return m
def w_stream(s, o, v, n, r, d):
    with pikepdf.open(s) as p:
        pg = p.pages[0]; fonts = pg.Resources.get('/Font', {}); M = {}; two = {}
        for k, f in fonts.items(): two[k] = f.get('/Subtype') == '/Type0'; M[k] = (tounicode(f) if two[k] else {i: bytes([i]).decode('cp1252', 'ignore') for i in range(32, 256)})
        cur = None; hit = 0; out = []
        for ops, op in pikepdf.parse_content_stream(pg):
            if str(op) == 'Tf': cur = str(ops[0])
            if str(op) in ('Tj', 'TJ') and M.get(cur):
                raw = bytes(ops[0]) if str(op) == 'Tj' else b''.join(bytes(x) for x in ops[0] if isinstance(x, pikepdf.String)); st = 2 if two[cur] else 1; m = M[cur]; codes = [int.from_bytes(raw[i:i+st], 'big') for i in range(0, len(raw), st)]; t = ''.join(m.get(c, '\0')[:1] or '\0' for c in codes); i = t.replace('\u00a0', ' ').find(v.replace('\u00a0', ' '))
                if i >= 0:
                    inv = {}; [inv.setdefault(b, a) for a, b in m.items()]; nn = [inv.get(ch, inv.get(' ') if ch == '\u00a0' else None) for ch in n]
                    if None in nn: raise ValueError('glyph missing')
                    codes[i:i+len(v)] = nn; ops = [pikepdf.String(b''.join(c.to_bytes(st, 'big') for c in codes))]; op = pikepdf.Operator('Tj'); hit += 1
            out.append((ops, op))
        if not hit: raise ValueError('no operator')
        pg.Contents = p.make_stream(pikepdf.unparse_content_stream(out)); p.save(o)
def w_raster(s, o, v, n, r, d):
    p = pymupdf.open(s); w_redact(p, v, n, r, d, ttf('Liberation Sans') if r.random() < .5 else None); q = pymupdf.open(); dpi = r.choice([150, 200]); pg = p[0]; pm = pg.get_pixmap(dpi=dpi, alpha=False); np_ = q.new_page(width=pg.rect.width, height=pg.rect.height); b = io.BytesIO(); Image.frombytes('RGB', (pm.w, pm.h), pm.samples).save(b, 'JPEG', quality=r.randint(70, 90)); np_.insert_image(np_.rect, stream=b.getvalue())
    for x in pg.get_text('words'): np_.insert_text((x[0], x[3]-2), x[4] + ' ', fontsize=max(4, (x[3]-x[1])*.75), render_mode=3)
    q.set_metadata({'producer': r.choice(['ABBYY FineReader PDF 15','Adobe Acrobat Pro DC 2023 Paper Capture Plug-in','PDF24 Creator OCR']), 'creationDate': pymupdf.get_pdf_now()}); q.save(o, deflate=True)
def w_splice(s, o, v, n, r, d):
    with tempfile.TemporaryDirectory() as t:
        d2 = d['_f'](r); d2.update(type=d['type'], backend=d['backend'], made=d['made']); fl = d['_fld']; d2['fields'].get(fl) or 1/0; o2 = os.path.join(t, 'o.pdf'); render(d2, o2); p, q = pymupdf.open(s), pymupdf.open(o2); nv = d2['fields'][fl]; R, R2 = spans(p[0], v)[0], spans(q[0], nv)[0]
        if nv == v: raise ValueError('same')
        p[0].draw_rect(R, color=None, fill=bgcol(p[0], R)); p[0].show_pdf_page(pymupdf.Rect(R.x0, R.y0, R.x0 + R2.width, R.y0 + R2.height), q, 0, clip=R2); p.save(o, garbage=2, deflate=True); return nv
def mumode(f, inc=False, md=None):
    def g(s, o, v, n, r, d):
        open(o, 'wb').write(open(s, 'rb').read())
        with pymupdf.open(o) as p:
            f(p, v, n, r, d)
            if md: x = p.metadata; x.update(producer=r.choice(md), modDate=pymupdf.get_pdf_now()); p.set_metadata(x)
            p.saveIncr() if inc else p.save(o + '.t', garbage=3, deflate=True)
        if not inc: os.replace(o + '.t', o)
    return g
def irsub(d, v, n, first=False):
    done = [0]
    def sub(x):
        if isinstance(x, str) and v in x and '<<' not in x and not (first and done[0]): done[0] += 1; return x.replace(v, n)
        if isinstance(x, (list, tuple)): return type(x)(sub(y) for y in x)
        return x
    k = 'pages' if 'pages' in d else 'blocks'; d[k] = sub(d[k])
    if not done[0]: raise ValueError('no')
    return done[0]
def contradict(d, r):
    """Change the source so that the document contradicts itself."""
    ty = d['type']; F = d['fields']; flat = str(d.get('pages') or d['blocks'])
    if ty == 'OTHER': raise ValueError
    if d.get('mrz'): fl, v, n = alter(d, r, r.choice(['birthDate','lastName','expiryDate'])); why = 'differs from the machine-readable zone'; irsub(d, v, n)
    elif ty in ('PAYSLIP','INVOICE','TAX_NOTICE'): fl, v, n = alter(d, r, 'netAmount' if ty == 'PAYSLIP' else 'totalAmount'); why = 'does not follow from the lines above'; irsub(d, v, n)
    elif ty == 'BANK_DETAILS' and F.get('iban'): v = F['iban']; i = len(v) - 2; n = v[:i] + str((int(v[i]) + 4) % 10) + v[i+1:]; fl = 'iban'; why = 'check digits do not hold'; irsub(d, v, n)
    elif ty == 'INSURANCE_CERTIFICATE': v = d['period'][1]; y = v[-4:]; n = v[:-4] + str(int(y) - 2); fl = 'period end'; why = 'ends before it begins'; irsub(d, v, n)
    elif ty == 'VEHICLE_REGISTRATION' and F.get('issueDate'): v = d['first_reg']; m = re.search(r'20\d\d', v); n = v[:m.start()] + str(d['dv']['issueDate'].year + 3) + v[m.end():]; fl = 'first registration'; why = 'first registration after the date of issue'; irsub(d, v, n)
    elif ty == 'COMPANY_REGISTRATION' and d['c'] in ('FR','BE'): fl, v, n = alter(d, r, 'registrationNumber'); why = 'check digit does not hold'; irsub(d, v, n)
    elif ty == 'PROOF_OF_ADDRESS':
        fl, v, n = alter(d, r, r.choice(['lastName','address']))
        if flat.count(v) < 2: raise ValueError
        irsub(d, v, n, True); why = 'two different values in one document'
    else: raise ValueError
    if fl in F: F[fl] = n
    return f'{fl}: {v} -> {n} ({why})', n
FORGE = {'white box and retyped text': mumode(w_box), 'text removed and retyped': mumode(w_redact), 'covering text annotation': mumode(w_free, True), 'glyphs replaced in the content stream': w_stream, 'picture patch over the value': mumode(w_patch), 'online editor with other font': mumode(lambda p, v, n, r, d: w_redact(p, v, n, r, d, ttf(r.choice(['Carlito','Lato','DejaVu Sans']))), False, ['iLovePDF','Sejda 5.2','PDFescape Desktop','Smallpdf.com','www.sodapdf.com']), 'page pictured, edited, text layer added': w_raster, 'clipping of another document pasted': w_splice, 'made up with inner contradiction': None, 'web page altered before printing': None}
