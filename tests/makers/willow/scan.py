"""Paper through scanners and phones."""
import io, os, datetime as dt, numpy as np, cv2, fitz, img2pdf, piexif
from PIL import Image
from render import pname

def pix(path, dpi):
    d = fitz.open(path); m = d[0].get_pixmap(dpi=dpi); a = np.frombuffer(m.samples, np.uint8).reshape(m.h, m.w, m.n)[:, :, :3]; return cv2.cvtColor(a, cv2.COLOR_RGB2BGR)
def crop(a, r, dpi):
    g = cv2.cvtColor(a, cv2.COLOR_BGR2GRAY); ys, xs = np.where(g < 245); m = int(dpi*r.uniform(.12, .4)); y0, y1, x0, x1 = ys.min(), ys.max(), xs.min(), xs.max()
    return a[max(0, y0-m):y1+m, max(0, x0-m):x1+m]
def noise(a, rng, s):
    n = rng.normal(0, s, a.shape[:2]).astype(np.float32); return np.clip(a.astype(np.float32) + (n[:, :, None] if a.ndim == 3 else n), 0, 255).astype(np.uint8)
def light(a, rng, lo=.78):
    h, w = a.shape[:2]; k = rng.uniform(lo, 1.0, (3, 3)).astype(np.float32); k[rng.integers(3), rng.integers(3)] = 1; f = np.clip(cv2.resize(cv2.GaussianBlur(cv2.resize(k, (60, 60), interpolation=cv2.INTER_LINEAR), (0, 0), 9), (w, h), interpolation=cv2.INTER_CUBIC), lo, 1); return np.clip(a.astype(np.float32)*f[:, :, None], 0, 255).astype(np.uint8)
def scanit(path, r, iscard):
    rng = np.random.default_rng(r.randint(0, 2**31)); dev = r.choice(["flatbed","flatbed","mfp","phone","phone","bilevel" if not iscard else "phone"])
    dpi = r.choice([250, 300, 300]) if iscard else r.choice([150, 200, 200, 250, 300]) 
    if dev == "bilevel": dpi = r.choice([200, 300])
    a = pix(path, dpi)
    if iscard and (dev == "phone" or r.random() < .5): a = crop(a, r, dpi)
    h, w = a.shape[:2]; white = (255, 255, 255)
    if dev == "phone":
        pad = int(.05*max(h, w)); bgc = r.choice([(70,90,120),(120,120,120),(60,60,62),(150,170,190),(95,125,160)]); bg = np.zeros((h+2*pad, w+2*pad, 3), np.uint8); bg[:] = bgc; gr = rng.normal(0, 9, (h+2*pad, 1, 1)); bg = np.clip(bg.astype(np.float32) + cv2.GaussianBlur(gr.reshape(-1, 1).astype(np.float32), (1, 31), 0)[:, :, None]*2, 0, 255).astype(np.uint8); bg[pad:pad+h, pad:pad+w] = a; a = bg; h, w = a.shape[:2]
        j = lambda s: r.uniform(-s, s)*max(h, w); src = np.float32([[0,0],[w,0],[w,h],[0,h]]); q = np.float32([[j(.022),j(.022)],[w+j(.022),j(.022)],[w+j(.022),h+j(.022)],[j(.022),h+j(.022)]]); a = cv2.warpPerspective(a, cv2.getPerspectiveTransform(src, q), (w, h), flags=cv2.INTER_AREA, borderValue=bgc)
        a = light(a, rng, r.choice([.62, .75, .85])); 
        if r.random() < .4:   # soft shadow of a hand or phone
            sh = np.ones((h, w), np.float32); cv2.ellipse(sh, (int(w*r.uniform(0,1)), int(h*r.uniform(.6,1.1))), (int(w*.45), int(h*.3)), r.uniform(0,90), 0, 360, r.uniform(.72, .86), -1); sh = cv2.resize(cv2.GaussianBlur(cv2.resize(sh, (120, 120)), (0, 0), r.uniform(6, 13)), (w, h)); a = np.clip(a*sh[:, :, None], 0, 255).astype(np.uint8)
        cast = np.float32([r.uniform(.88, 1), r.uniform(.96, 1), r.uniform(.97, 1)]); a = np.clip(a*cast, 0, 255).astype(np.uint8); a = cv2.GaussianBlur(a, (0, 0), r.uniform(.4, .9)*dpi/250); a = noise(a, rng, r.uniform(2, 6))
    else:
        M = cv2.getRotationMatrix2D((w/2, h/2), r.uniform(-1.4, 1.4), 1); a = cv2.warpAffine(a, M, (w, h), flags=cv2.INTER_CUBIC, borderValue=r.choice([white, (246,246,246), (225,225,225)]))
        tint = r.choice([(255,255,255),(248,252,253),(240,246,248),(250,250,250)]); a = (a.astype(np.float32)*np.float32(tint)/255).astype(np.uint8); a = cv2.GaussianBlur(a, (0, 0), r.uniform(.35, .75)*dpi/250)
        if r.random() < .4: a = light(a, rng, .9)
        if r.random() < .25 and not iscard: y = h//3 + r.randint(-15, 15); a[y:y+2] = (a[y:y+2]*.88).astype(np.uint8)  # fold
        if r.random() < .3: x = r.randint(5, w-5); a[:, x:x+1] = (a[:, x:x+1]*.9).astype(np.uint8)
        for _ in range(r.randint(0, 25)): cv2.circle(a, (r.randint(0, w-1), r.randint(0, h-1)), r.randint(1, 2), (r.randint(60, 190),)*3, -1)
        a = noise(a, rng, r.uniform(1.5, 5))
        if dev == "mfp" and r.random() < .6: a = cv2.cvtColor(a, cv2.COLOR_BGR2GRAY)
        if dev == "bilevel": a = cv2.threshold(cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), r.randint(165, 195), 255, cv2.THRESH_BINARY)[1]
    return a, dpi, dev
SC = {"flatbed":[("EPSON Scan 2","EPSON Scan 2"),("VueScan","VueScan 9 x64 (9.8.33)"),("HP Scan","HP Scan Extended Application"),("NAPS2","NAPS2")],"mfp":[("Canon iR-ADV C3530","Adobe PSL 1.4e for Canon"),("KONICA MINOLTA bizhub C360i","KONICA MINOLTA bizhub C360i"),("RICOH IM C3000","RICOH IM C3000"),("Xerox AltaLink C8055","Xerox AltaLink C8055")],"bilevel":[("Brother MFC-L5750DW","Brother MFC-L5750DW"),("TOSHIBA e-STUDIO3515AC","TOSHIBA e-STUDIO3515AC")],"phone":[("Adobe Scan for Android 26.05","Adobe Scan for Android 26.05"),("CamScanner","intsig.com pdf producer"),("Genius Scan","Genius Scan 7.30 (iOS)"),("Notes","iOS Version 19.1 (Build 23B74) Quartz PDFContext"),("Microsoft Lens","Microsoft Lens")]}
PH = [("Apple","iPhone 15","19.1"),("samsung","SM-S921B","S921BXXS7CXL1"),("Google","Pixel 8","HDR+ 1.0.7"),("Xiaomi","2201117TY","MIUI")]
def save(a, dpi, dev, medium, r, ts, out):
    if a.ndim == 3: rgb = cv2.cvtColor(a, cv2.COLOR_BGR2RGB)
    else: rgb = a
    im = Image.fromarray(rgb)
    if medium == "scan_png":
        if im.mode == "RGB": im = im.quantize(64) if r.random() < .7 else im.convert("L").quantize(32)
        elif dev == "bilevel": im = im.convert("1")
        im.save(out, dpi=(dpi, dpi)); return "PNG"
    q = r.choice([38, 50, 62, 70, 80, 88]) if dpi >= 200 else r.choice([62, 75, 85])
    if medium == "scan_jpeg":
        if dev == "phone":
            mk, md, sw = r.choice(PH); t = ts.strftime("%Y:%m:%d %H:%M:%S").encode(); ex = piexif.dump({"0th": {piexif.ImageIFD.Make: mk, piexif.ImageIFD.Model: md, piexif.ImageIFD.Software: sw, piexif.ImageIFD.DateTime: t, piexif.ImageIFD.Orientation: 1}, "Exif": {piexif.ExifIFD.DateTimeOriginal: t, piexif.ExifIFD.DateTimeDigitized: t}}); im.save(out, quality=max(q, 62), exif=ex); return f"{mk} {md}"
        im.convert("L" if im.mode == "1" else im.mode).save(out, quality=q, dpi=(dpi, dpi)); return "JPEG " + dev
    b = io.BytesIO(); 
    if dev == "bilevel": im.convert("1").save(b, "TIFF", compression="group4", dpi=(dpi, dpi))
    else: im.save(b, "JPEG", quality=q, dpi=(dpi, dpi))
    cr, pr = r.choice(SC[dev]); pdf = img2pdf.convert(b.getvalue(), creator=cr, producer=pr, creationdate=ts, moddate=ts, nodate=False)
    open(out, "wb").write(pdf); return pr
