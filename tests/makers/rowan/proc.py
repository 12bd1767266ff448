# -*- coding: utf-8 -*-
"""Scanning, harmless processing, forging."""
import io, os, re, subprocess, tempfile, shutil, random, datetime as dt, math
import numpy as np, cv2, pymupdf, pikepdf, img2pdf
from PIL import Image
from data import *
def raster(pdf,dpi,page=0,clip=None):
    d=pymupdf.open(pdf); p=d[page].get_pixmap(dpi=dpi,clip=clip,alpha=False); a=np.frombuffer(p.samples,np.uint8).reshape(p.height,p.width,p.n)[:,:,:3].copy(); d.close(); return a
def degrade(a,r,style,dpi):
    nr=np.random.default_rng(r.randint(0,1<<30)); h,w=a.shape[:2]; f=a.astype(np.float32)
    if style=="phone":
        bgc=np.array(r.choice([(120,90,65),(70,72,78),(176,168,158),(205,200,190)]),np.float32); mg=int(.04*max(h,w)); H,Wd=h+2*mg,w+2*mg
        bg=np.ones((H,Wd,3),np.float32)*bgc; bg+=cv2.resize(nr.normal(0,9,(H//14+1,Wd//3+1,1)).astype(np.float32),(Wd,H))[:,:,None]
        j=lambda:r.uniform(-.022,.022)*w
        src=np.float32([[0,0],[w,0],[w,h],[0,h]]); dst=np.float32([[mg+j(),mg+j()],[mg+w+j(),mg+j()],[mg+w+j(),mg+h+j()],[mg+j(),mg+h+j()]])
        M=cv2.getPerspectiveTransform(src,dst); f=cv2.warpPerspective(f,M,(Wd,H),flags=cv2.INTER_AREA); m=cv2.warpPerspective(np.ones((h,w),np.float32),M,(Wd,H)); m=m[:,:,None]; f=f*m+bg*(1-m); h,w=H,Wd
        yy,xx=np.mgrid[0:h,0:w].astype(np.float32); an=r.uniform(0,6.28); g=(xx/w-.5)*math.cos(an)+(yy/h-.5)*math.sin(an); f*=(1+g*r.uniform(.12,.4))[:,:,None]
        if r.random()<.5:
            s=1-r.uniform(.1,.28)/(1+np.exp(-(g-r.uniform(-.1,.35))*w/r.uniform(20,90)*.25)); f*=s[:,:,None]
        f*=np.array([1.0,r.uniform(.96,1),r.uniform(.86,.99)],np.float32); f=cv2.GaussianBlur(f,(0,0),r.uniform(.5,1.0)); f+=nr.standard_normal(f.shape,dtype=np.float32)*r.uniform(1.5,4.5)
    else:
        f=f*.955+r.uniform(4,9); t=np.array([r.uniform(.975,1),r.uniform(.975,1),r.uniform(.95,1)],np.float32); f*=t
        an=r.gauss(0,.7); an=max(-2.2,min(2.2,an)); M=cv2.getRotationMatrix2D((w/2,h/2),an,1); M[:,2]+=[r.uniform(-.01,.01)*w,r.uniform(-.008,.008)*h]; f=cv2.warpAffine(f,M,(w,h),flags=cv2.INTER_LINEAR,borderValue=(r.choice([252,244,40]),)*3)
        if r.random()<.35: k=r.randint(12,60); f[:,:k]*=np.linspace(r.uniform(.4,.75),1,k)[None,:,None]
        if r.random()<.4:
            for _ in range(r.randint(5,50)): cv2.circle(f,(r.randint(0,w-1),r.randint(0,h-1)),r.choice([1,1,1,2]),(r.randint(60,170),)*3,-1)
        if r.random()<.2: y=int(h*r.choice([.33,.5,.66])); f[y:y+4]*=np.array([.96,.9,.93,.98],np.float32)[:,None,None]
        f=cv2.GaussianBlur(f,(0,0),r.uniform(.35,.85)); f+=nr.standard_normal(f.shape,dtype=np.float32)*r.uniform(1,4)
        if style=="copy": f=(f-128)*1.25+132
    f=np.clip(f,0,255).astype(np.uint8)
    if style in("gray","copy"): f=cv2.cvtColor(f,cv2.COLOR_RGB2GRAY)
    if style=="bw": g=cv2.cvtColor(f,cv2.COLOR_RGB2GRAY); f=np.where(g>r.randint(165,190),255,0).astype(np.uint8)
    return f
SCN=[("Canon iR-ADV C3525","Adobe PDF Scan Library 3.2"),("HP Scan","HP Scan Extended Application"),("EPSON Scan","EPSON Scan 2"),("Brother iPrint&Scan","Brother MFC-L2750DW"),("Adobe Scan for Android 24.05.22","Adobe Scan for Android 24.05.22"),("KONICA MINOLTA bizhub C258","KONICA MINOLTA bizhub C258"),("Xerox AltaLink C8035","Xerox AltaLink C8035"),("CamScanner","intsig.com pdf producer")]
def scan(pdf,out,r,ts,medium,card=None,style=None):
    dpi=r.choice([150,150,200,200]) if card is None else r.choice([200,300]); d=pymupdf.open(pdf); n=min(len(d),2); H=d[0].rect.height; d.close()
    style=style or r.choice(["color","gray","phone","color","copy","bw"] if card is None else ["color","phone","phone","gray"])
    if style=="bw": dpi=300
    if style=="phone": dpi=min(dpi,200) if card is None else 300
    ims=[]
    clip=None
    if card and (style=="phone" or r.random()<.5):
        x,y,cw,ch,bk=card; hh=ch*(2 if bk else 1)+(24 if bk else 0); t=H-y-ch
        clip=pymupdf.Rect(max(0,x-14),t-14,x+cw+14,t+hh+14)
        if style=="phone" and bk and r.random()<.4: clip=pymupdf.Rect(x-14,t-14,x+cw+14,t+hh+14)
    for i in range(n if medium=="scan_pdf" else 1): ims.append(degrade(raster(pdf,dpi,i,clip),r,style,dpi))
    q=r.choice([55,68,78,88])
    def enc(a):
        im=Image.fromarray(a); b=io.BytesIO()
        if style=="bw": im.convert("1",dither=0).save(b,"TIFF",compression="group4",dpi=(dpi,dpi))
        else: im.save(b,"JPEG",quality=q,dpi=(dpi,dpi))
        return b.getvalue()
    when=dt.datetime.fromtimestamp(ts,dt.timezone.utc)
    if medium=="scan_pdf":
        cr,pr=r.choice(SCN); open(out,"wb").write(img2pdf.convert([enc(a) for a in ims],creator=cr,producer=pr,creationdate=when,moddate=when,nodate=False)); return pr,style
    im=Image.fromarray(ims[0])
    if medium=="scan_png":
        if style=="bw": im=im.convert("1",dither=0)
        elif r.random()<.5: im=im.quantize(128) if im.mode=="RGB" else im
        im.save(out,"PNG",dpi=(dpi,dpi)); return "PNG",style
    ex=Image.Exif(); 
    if style=="phone": mk=r.choice([("Apple","iPhone 13"),("samsung","SM-A546B"),("Google","Pixel 7a"),("Xiaomi","2201117TY")]); ex[271],ex[272]=mk
    else: mk=r.choice([("EPSON","ET-2850 Series"),("HP","HP OfficeJet Pro 8020 series"),("Canon","CanoScan LiDE 300")]); ex[271],ex[272]=mk
    ex[306]=when.strftime("%Y:%m:%d %H:%M:%S"); im.save(out,"JPEG",quality=q,dpi=(dpi,dpi),exif=ex); return mk[1],style
def run(*a,**k): return subprocess.run([*a],check=True,capture_output=True,timeout=120,**k)
def pd(ts): return dt.datetime.fromtimestamp(ts,dt.timezone.utc).strftime("D:%Y%m%d%H%M%SZ")

# ------------------------------------------------------------------ benign
SIGNER=None
def signer():
    global SIGNER
    if SIGNER: return SIGNER
    from cryptography import x509; from cryptography.x509.oid import NameOID; from cryptography.hazmat.primitives import hashes,serialization; from cryptography.hazmat.primitives.asymmetric import rsa; from pyhanko.sign import signers
    k=rsa.generate_private_key(65537,2048); n=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME,"Service Signature Documents"),x509.NameAttribute(NameOID.ORGANIZATION_NAME,"Cachet Serveur")])
    ce=x509.CertificateBuilder().subject_name(n).issuer_name(n).public_key(k.public_key()).serial_number(x509.random_serial_number()).not_valid_before(dt.datetime(2023,1,1)).not_valid_after(dt.datetime(2030,1,1)).sign(k,hashes.SHA256())
    td=tempfile.mkdtemp(); pw=None; open(td+"/k.pem","wb").write(k.private_bytes(serialization.Encoding.PEM,serialization.PrivateFormat.PKCS8,serialization.NoEncryption())); open(td+"/c.pem","wb").write(ce.public_bytes(serialization.Encoding.PEM))
    SIGNER=signers.SimpleSigner.load(td+"/k.pem",td+"/c.pem"); shutil.rmtree(td); return SIGNER
def mupd(src,out,fn,ts,incr=True):
    shutil.copy(src,out); d=pymupdf.open(out); fn(d); m=d.metadata; m["modDate"]=pd(ts); d.set_metadata({k:v for k,v in m.items() if k in("title","author","subject","keywords","creator","producer","creationDate","modDate")})
    if incr and d.can_save_incrementally(): d.saveIncr(); d.close()
    else: b=d.tobytes(garbage=3,deflate=True); d.close(); open(out,"wb").write(b)
def loc(page,val):
    w=page.search_for(val); return w[0] if w else None
def benign(how,src,out,s,r,ts):
    ts2=min(ts+r.randint(3600,20*86400),int(dt.datetime(2026,11,22,12,tzinfo=dt.timezone.utc).timestamp())); ts2=max(ts2,ts+60)
    if how=="printed_again_ghostscript":
        run("gs","-q","-dNOPAUSE","-dBATCH","-sDEVICE=pdfwrite","-sOutputFile="+out,src); 
        with pikepdf.open(out,allow_overwriting_input=True) as p:
            p.docinfo["/CreationDate"]=pd(ts2); p.docinfo["/ModDate"]=pd(ts2)
            if "/Metadata" in p.Root: del p.Root.Metadata
            p.save(out)
    elif how=="printed_again_cairo":
        run("pdftocairo","-pdf",src,out)
        with pikepdf.open(out,allow_overwriting_input=True) as p: p.docinfo["/CreationDate"]=pd(ts2); p.save(out)
    elif how=="optimised_object_streams":
        with pikepdf.open(src) as p: p.save(out,object_stream_mode=pikepdf.ObjectStreamMode.generate,recompress_flate=True,compress_streams=True)
    elif how=="linearised": run("qpdf","--linearize",src,out)
    elif how=="turned_in_viewer": mupd(src,out,lambda d:d[0].set_rotation(r.choice([90,180,270])),ts2)
    elif how=="signed_electronically":
        from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter; from pyhanko.sign import signers,fields
        with open(src,"rb") as f:
            w=IncrementalPdfFileWriter(f,strict=False); o=io.BytesIO(); signers.sign_pdf(w,signers.PdfSignatureMetadata(field_name="Signature1",reason="Certification",md_algorithm="sha256"),signer=signer(),output=o,new_field_spec=fields.SigFieldSpec("Signature1",box=(380,60,540,100)) if r.random()<.6 else None); open(out,"wb").write(o.getvalue())
    elif how=="encrypted_no_password":
        with pikepdf.open(src) as p: p.save(out,encryption=pikepdf.Encryption(user="",owner="Prot"+digits(r,6),R=r.choice([4,6]),allow=pikepdf.Permissions(modify_other=False,extract=r.random()<.7,modify_annotation=False)))
    elif how=="metadata_removed":
        with pikepdf.open(src) as p:
            if "/Info" in p.trailer: del p.trailer["/Info"]
            if "/Metadata" in p.Root: del p.Root.Metadata
            p.save(out)
    elif how=="highlight_added":
        def f(d):
            v=[x for x in s.fields.values() if d[0].search_for(x)] or [d[0].get_text("words")[3][4]]; p=d[0]; q=p.search_for(r.choice(v))[0]; a=p.add_highlight_annot(q); a.update()
        mupd(src,out,f,ts2)
    elif how=="note_added": mupd(src,out,lambda d:(lambda p:p.add_text_annot((p.rect.width-60,50),s.t(r.choice(["Reçu par mail, à classer","Dossier complet"]),r.choice(["Checked with applicant by phone","Copy for file"]))).update())(d[0]),ts2)
    elif how=="received_stamp":
        def f(d):
            p=d[0]; x=p.rect.width-190; y=p.rect.height-130; t=s.t("REÇU LE ","RECEIVED ")+dt.datetime.fromtimestamp(ts2).strftime("%d/%m/%Y"); p.draw_rect(pymupdf.Rect(x,y,x+150,y+34),color=(.7,.1,.1),width=1.6); p.insert_text((x+8,y+22),t,fontsize=12,fontname="hebo",color=(.7,.1,.1))
        mupd(src,out,f,ts2,incr=r.random()<.5)
    elif how=="watermark_purpose":
        def f(d):
            for p in d:
                for k in range(3): p.insert_text((60,260+k*210),s.t("Copie réservée au dossier de location","Copy for tenancy application only"),fontsize=20,fontname="helv",color=(.55,.55,.6),fill_opacity=.28,morph=(pymupdf.Point(60,260+k*210),pymupdf.Matrix(24)))
        mupd(src,out,f,ts2,incr=False)
    elif how=="cover_page_joined":
        d=pymupdf.open(); p=d.new_page(width=595,height=842); p.insert_text((70,120),s.t("Dossier de demande – pièce jointe","Application – attached document"),fontsize=18); p.insert_text((70,160),s.t("Veuillez trouver ci-après le document demandé.","Please find the requested document overleaf."),fontsize=11); q=pymupdf.open(src); d.insert_pdf(q); d.set_metadata({"producer":"PDFsam Basic v5.2.3","creator":"PDFsam Basic v5.2.3","creationDate":pd(ts2),"modDate":pd(ts2)}); d.save(out,garbage=3,deflate=True)
    elif how=="page_extracted":
        with pikepdf.open(src) as p:
            n=pikepdf.new(); n.pages.append(p.pages[0]); n.docinfo["/Producer"]=r.choice(["PDFsam Basic v4.3.4","macOS Version 14.5 (Build 23F79) Quartz PDFContext","iLovePDF"]); n.docinfo["/CreationDate"]=pd(ts2); n.docinfo["/ModDate"]=pd(ts2); n.save(out)
    elif how=="form_filled_in":
        def f(d):
            p=d[0]; y=p.rect.height-118
            for nm,val,x in(("Lieu",s.p.city,60),("Date",fdate(dt.date.fromtimestamp(ts2),s.c,0),220),("Nom",s.full if hasattr(s,"full") else s.last,340)):
                w=pymupdf.Widget(); w.field_type=pymupdf.PDF_WIDGET_TYPE_TEXT; w.field_name=nm; w.rect=pymupdf.Rect(x,y,x+120,y+16); w.field_value=val; w.text_fontsize=9; w.border_color=(.6,.6,.6); p.insert_text((x,y-3),s.t({"Lieu":"Fait à","Date":"Le","Nom":"Nom du demandeur"}[nm],{"Lieu":"Place","Date":"Date","Nom":"Applicant"}[nm]),fontsize=7); p.add_widget(w)
        mupd(src,out,f,ts2,incr=False)
    elif how=="cropped_in_viewer": mupd(src,out,lambda d:d[0].set_cropbox(pymupdf.Rect(12,12,d[0].rect.width-12,d[0].rect.height-14)),ts2)
    elif how=="ocr_layer_added":
        td=tempfile.mkdtemp(); a=degrade(raster(src,200),r,"color",200); Image.fromarray(a).save(td+"/a.jpg",dpi=(200,200),quality=75); os.environ["OMP_THREAD_LIMIT"]="1"; run("tesseract",td+"/a.jpg",td+"/o","-l","fra" if s.fr else "eng","pdf"); 
        with pikepdf.open(td+"/o.pdf") as p: p.docinfo["/CreationDate"]=pd(ts2); p.save(out)
        shutil.rmtree(td)
    elif how=="photo_sent_by_messenger":
        a=degrade(raster(src,150),r,"phone",150); im=Image.fromarray(a); k=1600/max(im.size); im=im.resize((int(im.width*k),int(im.height*k)),Image.LANCZOS); b=io.BytesIO(); im.save(b,"JPEG",quality=82); b.seek(0); Image.open(b).save(out,"JPEG",quality=72)
    else: raise ValueError(how)
BENIGN=[("printed_again_ghostscript",4),("printed_again_cairo",3),("optimised_object_streams",3),("linearised",3),("turned_in_viewer",3),("signed_electronically",4),("encrypted_no_password",3),("metadata_removed",3),("highlight_added",3),("note_added",3),("received_stamp",3),("watermark_purpose",3),("cover_page_joined",2),("page_extracted",2),("form_filled_in",3),("cropped_in_viewer",1),("ocr_layer_added",2),("photo_sent_by_messenger",2)]

# ------------------------------------------------------------------ forging
FORGE=["white_box_and_text_over","redact_and_retype","same_font_stream_edit","freetext_annotation_over","picture_patch_over_value","typed_on_scanned_page","browser_inspector_reprint","reissued_in_word_processor","spliced_from_other_document","invented_with_inner_contradiction"]
def newval(s,code,r):
    """a value that helps the forger; same shape as the old one"""
    v=s.fields[code]; raw=s.raw.get(code)
    if code in("netAmount","totalAmount"):
        f=r.choice([1.18,1.35,1.62,2.1]) if code=="netAmount" or r.random()<.5 else r.choice([.41,.62,.83]); return money(round(float(raw)*f,2),s.c)
    if code in("birthDate","expiryDate","issueDate"):
        d=raw
        for _ in range(50):
            y=d.year+(r.choice([-9,-7,7,6,12]) if code=="birthDate" else r.choice([2,3,4,5]) if code=="expiryDate" else (1 if d.year<2026 else 0)); m=r.randint(1,12); dd=r.randint(1,28); n=dt.date(y,m,dd)
            if code=="issueDate" and n>dt.date(2026,11,20): continue
            if code=="issueDate" and (n<=d): 
                if d>=dt.date(2026,11,1): n=d-dt.timedelta(days=r.randint(20,200))
                else: continue
            break
        for st in(0,1,2):
            if fdate(d,s.c,st)==v: return fdate(n,s.c,st)
        return fdate(n,s.c,0)
    if code in("lastName","firstName","accountHolder","companyName","city","address","issuer"):
        for _ in range(30):
            q=Person(r,s.c); x={"lastName":q.last,"firstName":q.first,"accountHolder":v.split(" ")[0]+" "+q.first+" "+q.last if v.split(" ")[0] in("Mme","M.","Mr","Ms","Mrs","Madame","Monsieur") else f"{q.first} {q.last}","city":q.city,"address":q.street}.get(code) or v
            if code in("companyName","issuer"): x=" ".join(v.split(" ")[:-1]+[r.choice(["Rivelac","Holding","Partners","Oriental"])])
            if v.isupper(): x=x.upper()
            if x!=v and abs(len(x)-len(v))<7: return x
        return x
    if code=="nationality": return r.choice([x for x in ("Portugaise","Italienne","Belge") if x!=v]) if s.fr else r.choice(["Irish","Maltese","Polish"])
    if code=="iban":
        ib,_=make_iban(r,s.c); 
        return grp(ib) if " " in v else ib
    t=list(v); idx=[i for i,ch in enumerate(t) if ch.isdigit()]; ds=[ch for ch in t if ch.isdigit()]
    for i in (idx[-3:] if len(idx)>3 else idx): t[i]=r.choice([x for x in "0123456789" if x!=t[i]])
    return "".join(t)
FPRI={"BANK_DETAILS":["iban","accountHolder"],"PAYSLIP":["netAmount","netAmount","lastName"],"TAX_NOTICE":["totalAmount","lastName","address"],"INVOICE":["totalAmount","iban","issueDate"],"PROOF_OF_ADDRESS":["address","lastName","issueDate"],"COMPANY_REGISTRATION":["companyName","address","registrationNumber"],"INSURANCE_CERTIFICATE":["policyNumber","lastName"],"VEHICLE_REGISTRATION":["registrationNumber","lastName","issueDate"],"IDENTITY_CARD":["birthDate","expiryDate","lastName"],"PASSPORT":["birthDate","expiryDate","documentNumber"],"RESIDENCE_PERMIT":["expiryDate","lastName"],"DRIVING_LICENCE":["expiryDate","birthDate","lastName"]}
def span_at(page,rect):
    best=None
    for b in page.get_text("dict")["blocks"]:
        for l in b.get("lines",[]):
            for sp in l["spans"]:
                if pymupdf.Rect(sp["bbox"]).intersects(rect): best=best or sp
    return best or dict(size=rect.height*.75,color=0,font="Helvetica",origin=(rect.x0,rect.y1-rect.height*.22))
def rgb(i): return ((i>>16&255)/255,(i>>8&255)/255,(i&255)/255)
def base14(fn):
    fn=fn.lower(); b="bold" in fn
    if "cour" in fn or "mono" in fn: return "cobo" if b else "cour"
    if "times" in fn or "serif" in fn or "c059" in fn or "lmrom" in fn or "sfrm" in fn: return "tibo" if b else "tiro"
    return "hebo" if b else "helv"
def hits(d,old):
    return [(p,q) for p in d for q in p.search_for(old)]
EDIT=[("PDFescape Online - https://www.pdfescape.com",None),("iLovePDF",None),("Foxit PDF Editor","Foxit Software Inc."),("Sejda PDF Editor","sejda.com"),("PDF24 Creator",None),("macOS Version 13.6 (Build 22G120) Quartz PDFContext",None),(None,None),(None,None)]
def bgat(page,q):
    px=page.get_pixmap(dpi=72,clip=pymupdf.Rect(q.x0-2,q.y0,q.x1+2,q.y1),alpha=False); a=np.frombuffer(px.samples,np.uint8).reshape(-1,3); return tuple(float(x)/255 for x in np.percentile(a,92,axis=0))
def forge(how,src,out,s,code,old,new,r,ts,other=None):
    ts2=min(max(ts+r.randint(3600,200*86400),ts+60),int(dt.datetime(2026,11,22,12,tzinfo=dt.timezone.utc).timestamp()))
    d=pymupdf.open(src); H=hits(d,old); assert H,("not found",old); note=""
    if how in("white_box_and_text_over","redact_and_retype") and r.random()<.3 and len(H)>1: H=H[:1]; note=" (only one of its places)"
    meta=d.metadata; pr,cr=r.choice(EDIT)
    def fin(incr):
        m={k:meta.get(k) or "" for k in("title","author","creator","producer","creationDate")}; m["modDate"]=pd(ts2)
        if pr: m["producer"]=pr; m["creator"]=cr or m["creator"]
        d.set_metadata(m)
        if incr and d.can_save_incrementally(): shutil.copy(src,out); d.save(src+".tmp") if 0 else None
        return m
    if how=="white_box_and_text_over":
        exact=r.random()<.5; info=[(p.number,q,span_at(p,q),bgat(p,q)) for p,q in H]; incr=r.random()<.5; m=fin(False)
        for n,q,sp,bg in info:
            p=d[n]; p.draw_rect(pymupdf.Rect(q.x0-1,q.y0+.5,q.x1+1,q.y1),color=None,fill=(1,1,1) if not exact else bg); p.insert_text((q.x0,sp["origin"][1]),new,fontsize=sp["size"]*(1 if exact else 1.06),fontname=base14(sp["font"]) if exact else "helv",color=rgb(sp["color"]) if exact else (0,0,0))
        if incr:
            b=open(src,"rb").read(); open(out,"wb").write(b); d2=pymupdf.open(out)
            for n,q,sp,bg in info:
                p=d2[n]; p.draw_rect(pymupdf.Rect(q.x0-1,q.y0+.5,q.x1+1,q.y1),color=None,fill=(1,1,1)); p.insert_text((q.x0,sp["origin"][1]),new,fontsize=sp["size"],fontname=base14(sp["font"]),color=rgb(sp["color"]))
            d2.set_metadata(m); d2.saveIncr(); d2.close()
        else: d.save(out,garbage=1)
    elif how=="redact_and_retype":
        info=[(p.number,q,span_at(p,q)) for p,q in H]; fin(False)
        for n,q,sp in info: d[n].add_redact_annot(pymupdf.Rect(q.x0,q.y0+q.height*.15,q.x1,q.y1-q.height*.15),fill=False)
        for n in {x[0] for x in info}: d[n].apply_redactions()
        for n,q,sp in info: d[n].insert_text((q.x0,sp["origin"][1]),new,fontsize=sp["size"],fontname=base14(sp["font"]),color=rgb(sp["color"]))
        d.save(out,garbage=3,deflate=True)
    elif how=="same_font_stream_edit":
        # needs a simple-font stream: literal strings
        d.close(); oldb=old.encode("cp1252"); newb=new.encode("cp1252"); esc=lambda b:b.replace(b"\\",b"\\\\").replace(b"(",b"\\(").replace(b")",b"\\)"); oct_=lambda b:b"".join(bytes([c]) if c<128 else b"\\%03o"%c for c in esc(b)); n=0
        with pikepdf.open(src) as p:
            for pg in p.pages:
                for st in ([pg.Contents] if not isinstance(pg.Contents,pikepdf.Array) else list(pg.Contents)):
                    b=st.read_bytes()
                    for o_,n_ in((oct_(oldb),oct_(newb)),(esc(oldb),esc(newb))):
                        if o_ in b: n+=b.count(o_); b=b.replace(o_,n_); break
                    st.write(b)
            assert n,"no literal string"
            if r.random()<.5: p.docinfo["/ModDate"]=pd(ts2)
            p.save(out)
        return note
    elif how=="freetext_annotation_over":
        fin(False); incr=r.random()<.6
        for p,q in H[:2]:
            sp=span_at(p,q); a=p.add_freetext_annot(pymupdf.Rect(q.x0-2,q.y0-1,max(q.x1+4,q.x0+len(new)*sp["size"]*.62),q.y1+2),new,fontsize=sp["size"],fontname="helv",text_color=(0,0,0),fill_color=(1,1,1)); a.update()
        d.save(out)
    elif how=="picture_patch_over_value":
        fin(False)
        for p,q in H:
            sp=span_at(p,q); t=pymupdf.open(); w=max(q.width,len(new)*sp["size"]*.6)+4; g=t.new_page(width=w,height=q.height); bg=bgat(p,q); g.draw_rect(g.rect,color=None,fill=bg); g.insert_text((1,sp["origin"][1]-q.y0),new,fontsize=sp["size"],fontname=base14(sp["font"]),color=rgb(sp["color"])); px=g.get_pixmap(dpi=r.choice([110,150,200])); p.insert_image(pymupdf.Rect(q.x0-1,q.y0,q.x0-1+w,q.y1),stream=px.tobytes("png" if r.random()<.5 else "jpeg"))
        d.save(out,garbage=1)
    elif how=="typed_on_scanned_page":
        o=pymupdf.open()
        for p in d:
            n=p.number; a=degrade(raster(src,150,n),random.Random(1),"color",150) if 0 else raster(src,150,n); a=np.clip(cv2.GaussianBlur(a,(0,0),.6).astype(np.float32)*.97+np.random.default_rng(r.randint(0,1<<30)).normal(3,2.5,a.shape),0,255).astype(np.uint8); b=io.BytesIO(); Image.fromarray(a).save(b,"JPEG",quality=75); g=o.new_page(width=p.rect.width,height=p.rect.height); g.insert_image(g.rect,stream=b.getvalue())
            for pp,q in H:
                if pp.number==n: sp=span_at(pp,q); g.draw_rect(pymupdf.Rect(q.x0-2,q.y0,q.x1+2,q.y1),color=None,fill=(.985,.985,.985)); g.insert_text((q.x0,sp["origin"][1]),new,fontsize=sp["size"],fontname=r.choice(["helv","tiro","hebo"]))
        o.set_metadata({"producer":r.choice(["Microsoft: Print To PDF","PDF24 Creator","Adobe Scan","LibreOffice 7.4"]),"creationDate":pd(ts2),"modDate":pd(ts2)}); o.save(out,deflate=True)
    elif how=="spliced_from_other_document":
        # a strip of another genuine paper of the same design, laid over this one
        e=pymupdf.open(other); J=hits(e,new); assert J; fin(False)
        for (p,q),(p2,q2) in zip(H,J):
            p.draw_rect(pymupdf.Rect(q.x0-1,q.y0,q.x1+1,q.y1),color=None,fill=bgat(p,q)); p.show_pdf_page(pymupdf.Rect(q.x0,q.y0,q.x0+q2.width,q.y0+q2.height),e,p2.number,clip=q2)
        d.save(out,garbage=1)
    return note
