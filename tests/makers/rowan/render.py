# -*- coding: utf-8 -*-
"""Block lists to PDF by several programs."""
import os, re, html, subprocess, tempfile, shutil, io, math, random, datetime as dt, base64
import qrcode
from PIL import Image, ImageDraw, ImageFilter
from data import *
COL=["#1f4e79","#7a1f2b","#2d6a4f","#333333","#8a5a00","#4b2e83","#00687a","#b03a2e"]
def sep(s): return " :" if s.lang=="fr" else ":"
def stamp(s): 
    h=7*3600+s.r.randint(0,12*3600); return int(dt.datetime(s.date.year,s.date.month,s.date.day,tzinfo=dt.timezone.utc).timestamp())+h
def setdate(s):
    s.ts=getattr(s,"ts",None) or stamp(s); os.environ["SOURCE_DATE_EPOCH"]=str(s.ts); os.environ["FORCE_SOURCE_DATE"]="1"
def patch_dates(path,ts):
    b=open(path,"rb").read(); d=dt.datetime.fromtimestamp(ts,dt.timezone.utc); new=d.strftime("%Y%m%d%H%M%S").encode()
    b=re.sub(rb"\(D:\d{14}",b"(D:"+new,b); open(path,"wb").write(b)
def face(r,w=240,h=310,gray=False):
    sk=r.choice([(240,205,180),(222,180,150),(190,140,105),(140,95,70),(100,68,50)]); hair=r.choice([(40,28,22),(90,60,35),(150,110,60),(20,20,22),(120,115,110)]); sh=r.choice([(60,70,100),(120,40,50),(50,50,50),(80,110,90),(190,190,200)])
    im=Image.new("RGB",(w,h),r.choice([(225,228,232),(210,215,222),(238,236,230)])); d=ImageDraw.Draw(im); cx=w//2+r.randint(-4,4); fw=int(w*r.uniform(.25,.29)); fh=int(h*r.uniform(.25,.29)); cy=int(h*.42)
    long=r.random()<.5
    if long: d.ellipse([cx-fw*1.3,cy-fh*1.3,cx+fw*1.3,cy+fh*1.75],fill=hair)
    d.ellipse([cx-w*.46,h*.76,cx+w*.46,h*1.4],fill=sh); d.rectangle([cx-fw*.45,cy+fh*.6,cx+fw*.45,h*.84],fill=tuple(int(c*.9) for c in sk))
    d.ellipse([cx-fw*1.1,cy-fh*1.22,cx+fw*1.1,cy+fh*.5],fill=hair); d.ellipse([cx-fw,cy-fh*.95,cx+fw,cy+fh],fill=sk)
    for e in(-1,1):
        x=cx+e*fw*.42; d.ellipse([x-12,cy-16,x+12,cy-4],fill=(245,245,245)); d.ellipse([x-5,cy-15,x+5,cy-5],fill=(50,40,35)); d.line([x-16,cy-26,x+16,cy-28],fill=hair,width=5)
    dk=tuple(int(c*.8) for c in sk); d.line([cx,cy,cx-6,cy+26,cx+6,cy+28],fill=dk,width=4); d.arc([cx-22,cy+30,cx+22,cy+56],20,160,fill=(150,70,70),width=6)
    if r.random()<.25:
        for e in(-1,1): d.ellipse([cx+e*fw*.42-22,cy-28,cx+e*fw*.42+22,cy+8],outline=(30,30,30),width=4)
    im=im.filter(ImageFilter.GaussianBlur(2.2))
    return im.convert("L").convert("RGB") if gray else im
def png(im): b=io.BytesIO(); im.save(b,"PNG"); return b.getvalue()
def jpg(im,q=88): b=io.BytesIO(); im.save(b,"JPEG",quality=q); return b.getvalue()
def uri(im): return "data:image/jpeg;base64,"+base64.b64encode(jpg(im)).decode()
def qrim(t): return qrcode.make(t,border=1,box_size=4).convert("RGB")
def logo_svg(s,col):
    k=s.r.randint(0,4); i=(s.issuer or "A")[0]
    sh=['<circle cx="20" cy="20" r="18" fill="%s"/>','<rect x="2" y="2" width="36" height="36" rx="8" fill="%s"/>','<path d="M20 2 L38 38 L2 38 Z" fill="%s"/>','<path d="M2 20 Q20 -10 38 20 Q20 50 2 20" fill="%s"/>','<path d="M4 4 H36 V24 Q20 44 4 24 Z" fill="%s"/>'][k]%col
    return f'<svg width="40" height="40" viewBox="0 0 40 40" xmlns="http://www.w3.org/2000/svg">{sh}<text x="20" y="27" font-size="17" fill="#fff" text-anchor="middle" font-family="sans-serif">{i}</text></svg>'
SELF=("name","addr","issueDate","companyName","accountHolder","iban")

# ------------------------------------------------------------------ HTML
FONTS=["Liberation Sans","Carlito","Lato","DejaVu Sans","Liberation Serif","C059","Noto Sans","Nimbus Sans","Liberation Sans Narrow","Nimbus Mono PS"]
def to_html(s,theme,logo=True):
    E=html.escape; r=s.r; col=COL[(theme*3+r.randint(0,7))%8]; s.col=col
    font=[FONTS[0],FONTS[1],FONTS[4],FONTS[2],FONTS[9],FONTS[6],FONTS[5],FONTS[8]][(theme+r.choice([0,0,0,1]))%8]; fs=[10,10.5,11,10,9.5,9.5,10.5,11][theme%8]
    o=[]; paper="letter" if s.c in("US","CA","QC") else "A4"
    def kv(ps,st):
        V=lambda v:f'<span class="v">{E(v)}</span>'
        if st=="colon": return "<table class='kc'>"+"".join(f"<tr><td class='l'>{E(l)}{sep(s)}</td><td>{V(v)}</td></tr>" for l,v,_ in ps)+"</table>" if theme%2==0 else "<div class='kd'>"+"".join(f"<div><b>{E(l)}{sep(s)}</b> {V(v)}</div>" for l,v,_ in ps)+"</div>"
        if st=="under":
            n=[2,3,1][theme%3]; c="<table class='ku'>"
            for i in range(0,len(ps),n): c+="<tr>"+"".join(f"<td><div class='l'>{E(l)}</div><div>{V(v)}</div></td>" for l,v,_ in ps[i:i+n])+"</tr>"
            return c+"</table>"
        if st=="table":
            if theme%2 and len(ps)<=4 and all(len(v)<26 for _,v,_ in ps): return "<table class='t kt'><tr>"+"".join(f"<th>{E(l)}</th>" for l,_,_ in ps)+"</tr><tr>"+"".join(f"<td>{V(v)}</td>" for _,v,_ in ps)+"</tr></table>"
            return "<table class='t kt'>"+"".join(f"<tr><th>{E(l)}</th><td>{V(v)}</td></tr>" for l,v,_ in ps)+"</table>"
        return "<div class='kn'>"+"".join(f"<div>{V(v)}</div>" if k in SELF else f"<div>{E(l)} {V(v)}</div>" for l,v,k in ps)+"</div>"
    foot=""
    for b in s.blocks:
        k=b[0]
        if k=="head":
            lg=logo_svg(s,col) if logo else ""
            o.append(f"<div class='head'><table width='100%'><tr><td width='52'>{lg}</td><td><div class='iss'>{E(b[1])}</div>"+"".join(f"<div class='il'>{E(x)}</div>" for x in b[2])+"</td></tr></table></div>")
        elif k=="addr": o.append("<div class='addr'>"+"".join(f"<div>{E(x)}</div>" for x in b[1])+"</div>")
        elif k=="title": o.append(f"<h1>{E(b[1])}</h1>")
        elif k=="h": o.append(f"<h2>{E(b[1])}</h2>")
        elif k=="kv": o.append(kv(b[1],b[2] or (s.layout if s.layout!="prose" else "colon")))
        elif k=="p": o.append(f"<p>{E(b[1])}</p>")
        elif k=="table":
            o.append("<table class='t'><tr>"+"".join(f"<th style='text-align:{ {'l':'left','r':'right','c':'center'}[a]}'>{E(x)}</th>" for x,a in zip(b[1],b[3]))+"</tr>"+"".join(f"<tr{' class=tot' if i>=len(b[2])-b[4] else ''}>"+"".join(f"<td style='text-align:{ {'l':'left','r':'right','c':'center'}[a]}'>{E(x)}</td>" for x,a in zip(row,b[3]))+"</tr>" for i,row in enumerate(b[2]))+"</table>")
        elif k=="box": o.append(f"<div class='box'><span>{E(b[1])}</span> <b class='v'>{E(b[2])}</b></div>")
        elif k=="sign": o.append(f"<div class='sign'>{E(b[1])}<br><svg width='150' height='46' xmlns='http://www.w3.org/2000/svg'><path d='{sigpath(r)}' stroke='#1a2a6c' fill='none' stroke-width='1.6'/></svg></div>" if logo else f"<div class='sign'>{E(b[1])}</div>")
        elif k=="mrz": o.append("<pre class='mrz'>"+"\n".join(E(x) for x in b[1])+"</pre>")
        elif k=="photo": o.append(f"<img class='ph' src='{uri(face(r))}'>")
        elif k=="qr": o.append(f"<img class='qr' src='{uri(qrim(b[1]))}'>")
        elif k=="pb": o.append("<div style='page-break-before:always'></div>")
        elif k=="foot": foot=f"<div class='foot'>{E(b[1])}</div>"
    css=f"@page{{size:{paper};margin:{[18,14,22,15,20,12,24,16][theme%8]}mm}} body{{font-family:'{font}';font-size:{fs}pt;color:#222;margin:0}} table{{border-collapse:collapse}} .v{{white-space:nowrap}} .iss{{font-size:15pt;font-weight:bold;color:{col}}} .il{{font-size:8pt;color:#555}} .addr{{margin:10mm 0 10mm {['95mm','0','95mm','100mm','90mm','0','100mm','85mm'][theme%8]};line-height:1.4}} h1{{font-size:{[16,20,15,22,13,18,17,14][theme%8]}pt}} h2{{font-size:12pt;color:{col};border-bottom:1px solid #bbb}} .t{{width:100%;margin:5mm 0}} .t th{{padding:4px 6px}} .t td{{padding:3px 6px}} .tot td{{font-weight:bold;border-top:1px solid #333}} .kt th{{text-align:left}} .kc td{{padding:2px 8px 2px 0;vertical-align:top}} .kc .l{{color:#444;width:58mm}} .ku td{{padding:5px 14px 5px 0;vertical-align:top}} .ku .l{{font-size:{fs*.72:.1f}pt;color:#666}} .box{{margin:5mm 0;padding:8px 12px;font-size:{fs*1.25:.1f}pt}} .foot{{margin-top:12mm;font-size:7.2pt;color:#666;border-top:1px solid #ccc;padding-top:3px;text-align:{['left','center'][theme%2]}}} .sign{{margin:10mm 0 0 90mm}} .mrz{{font-family:'DejaVu Sans Mono';font-size:11pt;letter-spacing:1px}} .ph{{width:30mm;float:right;margin:0 0 4mm 6mm}} .qr{{width:26mm}} p{{line-height:1.45}} .kd div{{margin:2px 0}} .kn div{{margin:2px 0}} "
    css+=["h1{border-bottom:2px solid %s;padding-bottom:3px}.t th{background:%s;color:#fff}.box{border:2px solid %s}"%(col,col,col),
      ".head{background:%s;padding:10px;margin-bottom:6mm}.head .iss,.head .il{color:#fff}.t td{border-bottom:1px solid #e2e2e2}.t th{color:%s;border-bottom:2px solid %s}.box{background:#f1f4f7}"%(col,col,col),
      ".head{text-align:center;border-top:3px double #222;border-bottom:3px double #222;padding:4px}.iss{color:#111}h1{text-align:center;text-transform:none;letter-spacing:1px}.t td,.t th{border:1px solid #555}.box{border:1px solid #555;text-align:center}",
      "body{background:#fff}.ku td,.kt{background:#f6f7f9}.t th{background:#eef1f5}.t td{border-bottom:1px solid #edf0f3}h1{font-weight:300;color:%s}.box{border-left:6px solid %s;background:#f6f7f9}"%(col,col),
      "h1{text-transform:none;border-top:1px dashed #000;border-bottom:1px dashed #000;padding:4px 0}.iss{color:#000;font-size:12pt}.t th,.t td{border:none}.t th{border-bottom:1px dashed #000}.box{border:1px dashed #000}",
      "body{border-left:9mm solid %s;padding-left:8mm}h1{color:%s}.t th{border-bottom:2px solid #222}.t td{border-bottom:1px dotted #999}.box{background:%s;color:#fff;display:table}"%(col,col,col),
      ".iss{font-variant:small-caps;font-weight:normal;font-size:19pt}.head{border-bottom:1px solid %s}h1{font-style:italic;font-weight:normal}.t th{border-top:1px solid #222;border-bottom:1px solid #222;font-weight:normal}.box{border-top:1px solid #222;border-bottom:1px solid #222;text-align:right}"%col,
      ".t{font-size:92%%}.t td,.t th{border:1px solid #9aa}.t tr:nth-child(even) td{background:#f3f6f6}.t th{background:#dfe7e8}h1{background:#dfe7e8;padding:5px}.box{border:1px solid #9aa;background:#fffbe6}".replace("%%","%")][theme%8]
    d=dt.datetime.fromtimestamp(s.ts,dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"<!DOCTYPE html><html lang='{s.lang}'><head><meta charset='utf-8'><title>{E(s.title)}</title><meta name='dcterms.created' content='{d}'><meta name='dcterms.modified' content='{d}'><style>{css}</style></head><body>{''.join(o)}{foot}</body></html>"
def sigpath(r):
    x=5;y=28;p=f"M{x} {y}"
    for _ in range(r.randint(5,8)): x+=r.randint(10,20); p+=f" Q{x-12} {r.randint(2,44)} {x} {r.randint(14,34)}"
    return p
def weasy(s,out,theme):
    import weasyprint,logging; logging.getLogger("weasyprint").setLevel(50)
    weasyprint.HTML(string=to_html(s,theme)).write_pdf(out); s.producer="WeasyPrint 70.0"
def chrome_print(h,out,ts=None,header=False):
    td=tempfile.mkdtemp()
    try:
        p=os.path.join(td,"p.html"); open(p,"w",encoding="utf-8").write(h)
        a=["chromium","--headless","--no-sandbox","--disable-gpu","--no-first-run",f"--user-data-dir={td}/u","--print-to-pdf="+out]
        if not header: a.insert(-1,"--no-pdf-header-footer")
        subprocess.run(a+["file://"+p],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL,timeout=90,check=True)
    finally: shutil.rmtree(td,ignore_errors=True)
    if ts: patch_dates(out,ts)
def chrome(s,out,theme): chrome_print(to_html(s,theme),out,s.ts); s.producer="Skia/PDF"

# ------------------------------------------------------------------ ReportLab
RLPROD=[("ReportLab PDF Library - www.reportlab.com",None),("iText® 5.5.13.3 ©2000-2022 iText Group NV (AGPL-version)","JasperReports Library version 6.20.0"),("OpenPDF 1.3.30","JasperReports Library version 6.21.3"),("Apache FOP Version 2.8","Apache FOP Version 2.8"),("SAP NetWeaver 750","Form ZHR_PAY_01 EN"),("Oracle BI Publisher 12.2.1.4.0",None)]
def wrapw(t,font,size,w,sw):
    out=[];cur=""
    for x in t.split(" "):
        if sw((cur+" "+x).strip(),font,size)<=w: cur=(cur+" "+x).strip()
        else: out.append(cur); cur=x
    return out+[cur]
def rl(s,out,theme):
    from reportlab.pdfgen import canvas; from reportlab.lib.colors import HexColor; from reportlab.pdfbase.pdfmetrics import stringWidth as sw; from reportlab.lib.utils import ImageReader
    W_,H_=(612,792) if s.c in("US","CA","QC") else (595.28,841.89); r=s.r
    c=canvas.Canvas(out,pagesize=(W_,H_),pageCompression=1 if theme%3 else 0); pr=RLPROD[theme%6]; c.setProducer(pr[0]); c.setCreator(pr[1] or "") ; c.setTitle(s.title); c.setAuthor(s.issuer or s.full); s.producer=pr[0]
    f,fb=[("Helvetica","Helvetica-Bold"),("Times-Roman","Times-Bold"),("Courier","Courier-Bold"),("Helvetica","Helvetica-Bold")][theme%4]; fs=[9.5,11,9,10][theme%4]; col=COL[theme%8]; K=HexColor
    lm=[50,64,42,56][theme%4]; y=H_-46; rm=W_-lm; st=s.layout if s.layout!="prose" else "colon"
    def np():
        nonlocal y; c.showPage(); y=H_-60
    def T(x,t,fn=f,sz=fs,cl="#111111",right=False,center=False):
        c.setFont(fn,sz); c.setFillColor(K(cl)); (c.drawRightString if right else c.drawCentredString if center else c.drawString)(x,y,t)
    for b in s.blocks:
        k=b[0]
        if y<90 and k!="foot": np()
        if k=="head":
            if theme%4==0: c.setFillColor(K(col)); c.circle(lm+16,y-6,16,fill=1,stroke=0); c.setFillColor(K("#ffffff")); c.setFont(fb,16); c.drawCentredString(lm+16,y-11,b[1][0]); x=lm+42
            elif theme%4==3: c.setFillColor(K(col)); c.rect(0,y-30,W_,50,fill=1,stroke=0); x=lm
            else: x=lm
            T(x,b[1],fb,14 if sw(b[1],fb,14)<rm-x else 10,"#ffffff" if theme%4==3 else col); y-=13
            for l in b[2]: T(x,l,f,8,"#ffffff" if theme%4==3 and y>H_-76 else "#444444"); y-=10
            y-=14+(20 if theme%4==3 else 0)
        elif k=="addr":
            y-=22; x=[W_*.56,lm,W_*.56,W_*.55][theme%4]
            for l in b[1]: T(x,l,f,fs+.5); y-=fs*1.35
            y-=24
        elif k=="title":
            y-=6; z=15
            while sw(b[1],fb,z)>rm-lm: z-=.5
            if theme%4==1: T(W_/2,b[1],fb,z,center=True)
            else: T(lm,b[1],fb,z,col if theme%4==0 else "#111111")
            y-=7
            if theme%4 in(0,2): c.setLineWidth(.8); c.line(lm,y,rm,y)
            y-=18
        elif k=="h": y-=6; T(lm,b[1],fb,fs+1.5,col); y-=16
        elif k=="kv":
            ps=b[1]
            if st=="under":
                n=2 if theme%2 else 3; cw=(rm-lm)/n; i=0
                while i<len(ps):
                    row=[]; 
                    while i<len(ps) and len(row)<n:
                        wide=sw(ps[i][1],fb,fs)>cw-8
                        if wide and row: break
                        row.append(ps[i]); i+=1
                        if wide: break
                    for j,(l,v,_) in enumerate(row):
                        c.setFont(f,fs*.72); c.setFillColor(K("#666666")); c.drawString(lm+j*cw,y,l); c.setFont(fb if theme%2 else f,fs); c.setFillColor(K("#111111")); c.drawString(lm+j*cw,y-fs*1.2,v)
                    y-=fs*2.7
            elif st=="table":
                lw=(rm-lm)*.38
                for l,v,_ in ps:
                    c.setStrokeColor(K("#888888")); c.setLineWidth(.5); c.rect(lm,y-5,lw,fs*1.7); c.rect(lm+lw,y-5,rm-lm-lw,fs*1.7); T(lm+4,l); z=fs
                    while sw(v,fb,z)>rm-lm-lw-8: z-=.3
                    T(lm+lw+4,v,fb,z); y-=fs*1.7
            elif st=="none":
                for l,v,q in ps: T(lm,v if q in SELF else f"{l} {v}"); y-=fs*1.45
            else:
                lw=max(sw(l+sep(s),f,fs) for l,_,_ in ps)+12; lw=max(lw,130) if theme%2==0 else 0
                for l,v,_ in ps:
                    T(lm,l+sep(s)); T(lm+(lw or sw(l+sep(s)+" ",f,fs)),v,fb if theme%2 else f); y-=fs*1.55
            y-=10
        elif k=="p":
            for l in wrapw(b[1],f,fs,rm-lm,sw): T(lm,l); y-=fs*1.4
            y-=6
        elif k=="table":
            n=len(b[1]); w0=.46 if n>2 else .66 ; ws=[w0]+[(1-w0)/(n-1)]*(n-1) if b[3][0]=="l" and n>1 else [1/n]*n
            xs=[lm]
            for w in ws: xs.append(xs[-1]+w*(rm-lm))
            def row(cells,fn,bg=None,line=False):
                nonlocal y
                if bg: c.setFillColor(K(bg)); c.rect(lm,y-4,rm-lm,fs*1.6,fill=1,stroke=0)
                if line or theme%4==1: c.setStrokeColor(K("#999999")); c.line(lm,y+fs*1.1,rm,y+fs*1.1)
                for i,(t,a) in enumerate(zip(cells,b[3])):
                    z=fs*.93
                    while t and sw(t,fn,z)>xs[i+1]-xs[i]-4: z-=.3
                    if a=="r": T(xs[i+1]-4,t,fn,z,right=True)
                    elif a=="c": T((xs[i]+xs[i+1])/2,t,fn,z,center=True)
                    else: T(xs[i]+4,t,fn,z)
                y-=fs*1.6
            row(b[1],fb,["#dde6ee",None,None,"#eeeeee"][theme%4]); 
            for i,q in enumerate(b[2]): 
                if y<80: np()
                row(q,fb if i>=len(b[2])-b[4] else f,line=i==len(b[2])-b[4])
            y-=12
        elif k=="box":
            c.setStrokeColor(K(col)); c.setLineWidth(1.2); c.rect(rm-250 if theme%2==0 else lm,y-9,250,26); xx=rm-250 if theme%2==0 else lm; z=fs+.5
            while sw(b[1],f,z)+sw(b[2],fb,fs+2)>236: z-=.4
            T(xx+6,b[1],f,z); T(xx+244,b[2],fb,fs+2,right=True); y-=32
        elif k=="sign":
            y-=14; T(W_*.6,b[1]); p=c.beginPath(); x=W_*.6; p.moveTo(x,y-28)
            for _ in range(6): p.curveTo(x+6,y-28+r.randint(-14,18),x+12,y-28+r.randint(-14,18),x+20,y-28+r.randint(-6,6)); x+=20
            c.setStrokeColor(K("#1a2a6c")); c.setLineWidth(1.1); c.drawPath(p); y-=50
        elif k=="mrz":
            y-=8
            for l in b[1]: T(lm,l,"Courier",11); y-=14
        elif k=="photo": c.drawImage(ImageReader(face(r)),rm-85 if theme%2 else lm,y-95,85,110); y-=116
        elif k=="qr": c.drawImage(ImageReader(qrim(b[1])),lm,y-56,66,66); y-=74
        elif k=="pb": np()
        elif k=="foot":
            yy=y; y=40
            for l in wrapw(b[1],f,7,rm-lm,sw): T(lm,l,f,7,"#666666"); y-=8
            y=yy
    c.showPage(); c.save()

# ------------------------------------------------------------------ fpdf2
def fpdf_(s,out,theme):
    from fpdf import FPDF
    r=s.r; pdf=FPDF(format="letter" if s.c in("US","CA","QC") else "A4"); pdf.set_auto_page_break(True,18); pdf.add_page(); s.producer=["fpdf2 2.8.9","TCPDF 6.6.2 (http://www.tcpdf.org)","mPDF 8.1.6","dompdf 2.0.3 + CPDF"][theme%4]
    if theme%4: pdf.set_producer(s.producer)
    else: s.producer="py-pdf/fpdf2.8.9"; pdf.set_producer(s.producer)
    pdf.set_creation_date(dt.datetime.fromtimestamp(s.ts,dt.timezone.utc)); pdf.set_title(s.title)
    fam=["dj","helvetica","ca","ls"][theme%4]
    if fam!="helvetica":
        nm={"dj":"DejaVu Sans","ca":"Carlito","ls":"Liberation Serif"}[fam]
        for stl,q in(("",""),("B",":bold")): pdf.add_font(fam,stl,subprocess.run(["fc-match","-f","%{file}",nm+q],capture_output=True,text=True).stdout)
    else: pdf.core_fonts_encoding="windows-1252"
    fs=[9,10,11,10.5][theme%4]; col=tuple(int(COL[(theme+5)%8][i:i+2],16) for i in(1,3,5)); ew=pdf.epw; st=s.layout if s.layout!="prose" else "colon"
    def F(b="",z=fs,c=(20,20,20)): pdf.set_font(fam,b,z); pdf.set_text_color(*c)
    NL=dict(new_x="LMARGIN",new_y="NEXT")
    for b in s.blocks:
        k=b[0]
        if k=="head":
            F("B",15,col); pdf.multi_cell(ew,7,b[1],align="LRC"[theme%3],**NL); F("",8,(90,90,90))
            for l in b[2]: pdf.cell(ew,4,l,align="LRC"[theme%3],**NL)
            pdf.set_draw_color(*col); pdf.line(pdf.l_margin,pdf.y+2,pdf.l_margin+ew,pdf.y+2); pdf.ln(8)
        elif k=="addr":
            F()
            for l in b[1]: pdf.set_x(pdf.l_margin+[95,0,90,100][theme%4]); pdf.cell(80,5.3,l,**NL)
            pdf.ln(8)
        elif k=="title": F("B",16); pdf.multi_cell(ew,8,b[1],align="LCLC"[theme%4],**NL); pdf.ln(3)
        elif k=="h": F("B",12,col); pdf.cell(ew,7,b[1],**NL)
        elif k=="kv":
            ps=b[1]
            if st=="under":
                for i in range(0,len(ps),2):
                    y0=pdf.y
                    for j,(l,v,_) in enumerate(ps[i:i+2]):
                        pdf.set_xy(pdf.l_margin+j*ew/2,y0); F("",fs*.72,(110,110,110)); pdf.cell(ew/2,3.6,l); pdf.set_xy(pdf.l_margin+j*ew/2,y0+3.6); F("B")
                        z=fs
                        while pdf.get_string_width(v)>ew/2-3: z-=.3; F("B",z)
                        pdf.cell(ew/2,5.2,v)
                    pdf.set_xy(pdf.l_margin,y0+11.5)
            elif st=="table":
                for l,v,_ in ps: 
                    F("",fs,(60,60,60)); pdf.set_fill_color(240,240,240); pdf.cell(ew*.4,6.6,l,border=1,fill=True); F("B"); z=fs
                    while pdf.get_string_width(v)>ew*.6-3: z-=.3; F("B",z)
                    pdf.cell(ew*.6,6.6,v,border=1,**NL)
            elif st=="none":
                for l,v,q in ps: F(); pdf.cell(ew,5.6,v if q in SELF else f"{l} {v}",**NL)
            else:
                for l,v,_ in ps:
                    F(); 
                    if theme%2: pdf.cell(60,5.8,l+sep(s)); pdf.cell(ew-60,5.8,v,**NL)
                    else: F("B"); w=pdf.get_string_width(l+sep(s))+3; pdf.cell(w,5.8,l+sep(s)); F(); pdf.cell(ew-w,5.8,v,**NL)
            pdf.ln(4)
        elif k=="p": F(); pdf.multi_cell(ew,5.3,b[1],**NL,align="L"); pdf.ln(2)
        elif k=="table":
            n=len(b[1]); w0=.44 if n>2 else .66; ws=[w0]+[(1-w0)/(n-1)]*(n-1) if b[3][0]=="l" and n>1 else [1/n]*n
            def row(cells,bold,fill):
                for t,w,a in zip(cells,ws,b[3]):
                    z=fs*.92; F("B" if bold else "",z)
                    while t and pdf.get_string_width(t)>w*ew-2.2: z-=.3; F("B" if bold else "",z)
                    if fill: pdf.set_fill_color(*[min(255,int(200+x*.2)) for x in col])
                    pdf.cell(w*ew,6,t,border=[1,"B","TB",0][theme%4],align=a.upper(),fill=fill)
                pdf.ln(6)
            row(b[1],True,True)
            for i,q in enumerate(b[2]): row(q,i>=len(b[2])-b[4],False)
            pdf.ln(4)
        elif k=="box": F("B",fs+2,col); pdf.set_fill_color(246,246,240); pdf.cell(ew,10,f"{b[1]}{sep(s)}  {b[2]}",border=1,fill=True,align="CRL"[theme%3],**NL); pdf.ln(4)
        elif k=="sign": pdf.ln(8); F(); pdf.set_x(pdf.l_margin+ew*.6); pdf.cell(70,6,b[1],**NL); pdf.ln(14)
        elif k=="mrz":
            pdf.set_font("courier","",11)
            for l in b[1]: pdf.cell(ew,5.5,l,**NL)
        elif k=="photo": y0=pdf.y; pdf.image(face(r),x=pdf.l_margin+(ew-28 if theme%2 else 0),y=y0,w=28); pdf.set_y(y0+39)
        elif k=="qr": pdf.image(qrim(b[1]),w=24)
        elif k=="pb": pdf.add_page()
        elif k=="foot": 
            pdf.ln(6); F("",7,(120,120,120)); pdf.multi_cell(ew,3.6,b[1],align="C",**NL)
    pdf.output(out)

# ------------------------------------------------------------------ typst
def typst_(s,out,theme):
    import typst
    def e(t): return re.sub(r"([\\#$*_`<>@\[\]~=/+-])",r"\\\1",t)
    r=s.r; col=COL[(theme+1)%8]; st=s.layout if s.layout!="prose" else "colon"; td=tempfile.mkdtemp(); o=[]
    font=["Libertinus Serif","Lato","Liberation Sans"][theme%3]; V=lambda v:"#box["+e(v)+"]"
    o.append(f'#set document(title:"{s.title}",date:datetime(year:{s.date.year},month:{s.date.month},day:{s.date.day},hour:9,minute:{r.randint(1,59)},second:{r.randint(1,59)}))\n#set page(paper:"{"us-letter" if s.c in("US","CA","QC") else "a4"}",margin:{[2.2,1.8,2.5][theme%3]}cm)\n#set text(font:"{font}",size:{[10.5,10,10][theme%3]}pt,lang:"{s.lang}",hyphenate:false)\n#let c=rgb("{col}")')
    def w(n,d): open(os.path.join(td,n),"wb").write(d)
    for i,b in enumerate(s.blocks):
        k=b[0]
        if k=="head": o.append(f'#grid(columns:(1fr,auto),[#text(size:16pt,weight:"bold",fill:c)[{e(b[1])}]],align(right)[#text(size:8pt)[{" #linebreak() ".join(e(x) for x in b[2])}]])\n#line(length:100%,stroke:1.5pt+c)')
        elif k=="addr": o.append(f'#v(0.6cm)\n#pad(left:{["9cm","0cm","9.5cm"][theme%3]})[{" #linebreak() ".join(e(x) for x in b[1])}]\n#v(0.6cm)')
        elif k=="title": o.append(f'#{["align(center)","block","block"][theme%3]}[#text(size:17pt,weight:"{["regular","bold","semibold"][theme%3]}")[{e(b[1])}]]\n')
        elif k=="h": o.append(f'#v(0.2cm)#text(size:12pt,weight:"bold",fill:c)[{e(b[1])}]\n')
        elif k=="kv":
            ps=b[1]
            if st=="under": o.append("#grid(columns:(1fr,)*2,row-gutter:10pt,"+",".join(f"[#text(size:7.5pt,fill:gray)[{e(l)}] #linebreak() {V(v)}]" for l,v,_ in ps)+")")
            elif st=="table": o.append("#table(columns:(40%,60%),stroke:.5pt+gray,"+",".join(f"[{e(l)}],[{V(v)}]" for l,v,_ in ps)+")")
            elif st=="none": o.append(" #linebreak() ".join(V(v) if q in SELF else e(l)+" "+V(v) for l,v,q in ps)+"\n")
            else: o.append("#grid(columns:(auto,1fr),column-gutter:14pt,row-gutter:7pt,"+",".join(f"[{e(l+sep(s))}],[{V(v)}]" for l,v,_ in ps)+")")
            o.append("#v(0.2cm)")
        elif k=="p": o.append(e(b[1])+"\n")
        elif k=="table":
            n=len(b[1]); al=",".join({"l":"left","r":"right","c":"center"}[a] for a in b[3]); hs="none" if theme%3==0 else ".4pt+gray"
            o.append(f"#table(columns:({'auto' if b[3][0]!='l' else '1fr'},"+"auto,"*(n-1)+f"),align:({al},),stroke:{hs},fill:(x,y)=>if y==0 {{c.lighten(80%)}},"+",".join(f"[*{e(x)}*]" for x in b[1])+","+",".join("["+("*"+e(x)+"*" if x and ri>=len(b[2])-b[4] else e(x))+"]" for ri,q in enumerate(b[2]) for x in q)+")")
        elif k=="box": o.append(f'#rect(stroke:1pt+c,inset:8pt,radius:3pt)[{e(b[1])} #h(1cm) #text(size:13pt,weight:"bold")[#box[{e(b[2])}]]]')
        elif k=="sign": o.append(f"#v(0.8cm)#align(right)[{e(b[1])}]#v(1.2cm)\n")
        elif k=="mrz": o.append('#text(font:"DejaVu Sans Mono",size:10pt)['+" #linebreak() ".join(e(x) for x in b[1])+"]\n")
        elif k in("photo","qr"): w(f"{i}.png",png(face(r) if k=="photo" else qrim(b[1]))); o.append(f'#image("{i}.png",width:2.6cm)')
        elif k=="pb": o.append("#pagebreak()")
        elif k=="foot": o.append(f'#v(1fr)#text(size:7pt,fill:gray)[{e(b[1])}]')
    p=os.path.join(td,"m.typ"); open(p,"w",encoding="utf-8").write("\n\n".join(o)); typst.compile(p,output=out); shutil.rmtree(td); s.producer="Typst 0.15"

# ------------------------------------------------------------------ LaTeX
def latex(s,out,theme):
    def e(t):
        t=re.sub(r"([#$%&_{}])",r"\\\1",t.replace("\\","")); return t.replace("<","\\textless{}").replace(">","\\textgreater{}").replace("~","").replace("m²","m\\textsuperscript{2}").replace("m³","m\\textsuperscript{3}").replace("œ","\\oe{}").replace("€","\\texteuro{}").replace("£","\\pounds{}").replace("--","-{}-")
    st=s.layout if s.layout!="prose" else "colon"; V=lambda v:"\\mbox{"+e(v)+"}"; o=[]
    for b in s.blocks:
        k=b[0]
        if k=="head": o.append(r"{\Large\bfseries "+e(b[1])+r"}\\[1mm]{\footnotesize "+r"\\".join(e(x) for x in b[2])+r"}\par\medskip\hrule\bigskip" if b[2] else r"{\Large\bfseries "+e(b[1])+r"}\par\medskip\hrule\bigskip")
        elif k=="addr": o.append(r"\hspace*{9cm}\begin{tabular}{@{}l}"+r"\\".join(e(x) for x in b[1])+r"\end{tabular}\par\bigskip\bigskip")
        elif k=="title": o.append(r"\begin{center}{\LARGE "+("\\scshape " if theme%2 else "\\bfseries ")+e(b[1])+r"}\end{center}")
        elif k=="h": o.append(r"\subsection*{"+e(b[1])+"}")
        elif k=="kv":
            ps=b[1]
            if st=="under": o.append(r"\par".join(r"{\scriptsize "+e(l)+r"}\\ "+V(v)+r"\\[1mm]" for l,v,_ in ps))
            elif st=="table": o.append(r"\begin{tabular}{|l|l|}\hline "+r"\\ \hline ".join(e(l)+" & "+V(v) for l,v,_ in ps)+r"\\ \hline\end{tabular}\par\bigskip")
            elif st=="none": o.append(r"\\".join(V(v) if q in SELF else e(l)+" "+V(v) for l,v,q in ps)+r"\par\bigskip")
            else: o.append(r"\begin{tabular}{@{}ll}"+r"\\ ".join(e(l+sep(s))+" & "+V(v) for l,v,_ in ps)+r"\end{tabular}\par\bigskip")
        elif k=="p": o.append(e(b[1])+r"\par\medskip")
        elif k=="table": o.append(r"\begin{tabularx}{\textwidth}{"+"".join("X" if i==0 and a=="l" else a for i,a in enumerate(b[3]))+r"}\hline "+" & ".join(r"\textbf{"+e(x)+"}" for x in b[1])+r"\\ \hline "+r"\\ ".join(" & ".join(e(x) for x in q) for q in b[2])+r"\\ \hline\end{tabularx}\par\bigskip")
        elif k=="box": o.append(r"\fbox{\large "+e(b[1])+r"\quad\textbf{"+V(b[2])+r"}}\par\bigskip")
        elif k=="sign": o.append(r"\bigskip\hfill "+e(b[1])+r"\par\vspace{15mm}")
        elif k=="mrz": o.append(r"{\ttfamily "+r"\\ ".join(e(x) for x in b[1])+r"}\par")
        elif k=="pb": o.append(r"\newpage")
        elif k=="foot": o.append(r"\vfill{\tiny "+e(b[1])+"}")
    pk="\\usepackage{helvet}\\renewcommand{\\familydefault}{\\sfdefault}" if theme%2 else "\\usepackage{lmodern}"
    tex="\\documentclass[10pt,"+("letterpaper" if s.c in("US","CA","QC") else "a4paper")+"]{article}\\usepackage[T1]{fontenc}\\usepackage{textcomp}\\usepackage[margin=22mm]{geometry}"+pk+"\\usepackage{tabularx}\\pagestyle{empty}\\setlength{\\parindent}{0pt}\\raggedright\\hyphenpenalty=10000\\begin{document}"+"\n\n".join(o)+"\\end{document}"
    td=tempfile.mkdtemp(); open(os.path.join(td,"m.tex"),"w",encoding="utf-8").write(tex)
    p=subprocess.run(["pdflatex","-interaction=nonstopmode","m.tex"],cwd=td,capture_output=True,timeout=90)
    shutil.copy(os.path.join(td,"m.pdf"),out); shutil.rmtree(td); s.producer="pdfTeX"

# ------------------------------------------------------------------ docx -> LibreOffice
_LO=[]
def soffice(src,outdir,fmt="pdf"):
    if not _LO:
        import atexit; _LO.append(tempfile.mkdtemp()); atexit.register(shutil.rmtree,_LO[0],True)
    if len(_LO)>4: raise RuntimeError('office off')
    for k in range(1):
        try: subprocess.run(["soffice",f"-env:UserInstallation=file://{_LO[0]}/p","--headless","--convert-to",fmt,"--outdir",outdir,src],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL,timeout=30,check=True); return
        except subprocess.TimeoutExpired:
            _LO.append('x'); raise
def make_docx(s,path,theme):
    import docx; from docx.shared import Pt,Cm,RGBColor; from docx.enum.text import WD_ALIGN_PARAGRAPH as A
    d=docx.Document(); sec=d.sections[0]
    if s.c not in("US","CA","QC"): sec.page_width,sec.page_height=Cm(21),Cm(29.7)
    for a in("left_margin","right_margin"): setattr(sec,a,Cm([2.2,2.5,1.9][theme%3]))
    sec.top_margin=sec.bottom_margin=Cm(1.8)
    n=d.styles["Normal"]; n.font.name=["Carlito","Liberation Serif","Liberation Sans"][theme%3]; n.font.size=Pt([11,11.5,10][theme%3]); n.paragraph_format.space_after=Pt(5); st=s.layout if s.layout!="prose" else "colon"; col=RGBColor.from_string(COL[(theme+2)%8][1:])
    def P(t="",b=False,z=None,al=None,c=None,ind=None):
        p=d.add_paragraph(); q=p.add_run(t); q.bold=b
        if z:q.font.size=Pt(z)
        if c is not None:q.font.color.rgb=c
        if al:p.alignment=al
        if ind:p.paragraph_format.left_indent=Cm(ind); p.paragraph_format.space_after=Pt(0)
        return p
    for b in s.blocks:
        k=b[0]
        if k=="head":
            P(b[1],True,15,[None,A.CENTER,A.RIGHT][theme%3],col)
            P("\n".join(b[2]),z=8.5,al=[None,A.CENTER,A.RIGHT][theme%3]) if b[2] else None
        elif k=="addr":
            P()
            for l in b[1]: P(l,ind=[9,8.5,.01][theme%3])
            P()
        elif k=="title": P(b[1],True,[16,18,15][theme%3],[None,A.CENTER,None][theme%3])
        elif k=="h": P(b[1],True,12.5,c=col)
        elif k=="kv":
            ps=b[1]
            if st in("table","under"):
                if st=="table":
                    t=d.add_table(rows=0,cols=2); t.style="Table Grid"
                    for l,v,_ in ps: c=t.add_row().cells; c[0].text=l; c[1].text=v.replace(" "," ") if 0 else v
                else:
                    t=d.add_table(rows=0,cols=2)
                    for i in range(0,len(ps),2):
                        cs=t.add_row().cells
                        for c,(l,v,_) in zip(cs,ps[i:i+2]): c.paragraphs[0].paragraph_format.space_after=Pt(0); q=c.paragraphs[0].add_run(l); q.font.size=Pt(8); c.add_paragraph(v)
                P()
            elif st=="none":
                for l,v,q in ps: P(v if q in SELF else f"{l} {v}")
            else:
                for l,v,_ in ps: p=d.add_paragraph(); p.add_run(l+sep(s)+" ").bold=theme%2==0; p.add_run(v)
        elif k=="p": P(b[1])
        elif k=="table":
            t=d.add_table(rows=1,cols=len(b[1])); t.style=["Light Grid Accent 1","Table Grid","Light List"][theme%3]
            def fill(cs,row,bold):
                for c,x,a in zip(cs,row,b[3]):
                    p=c.paragraphs[0]; q=p.add_run(x); q.bold=bold; q.font.size=Pt(9.5); p.paragraph_format.space_after=Pt(1)
                    if a=="r":p.alignment=A.RIGHT
            fill(t.rows[0].cells,b[1],True)
            for i,q in enumerate(b[2]): fill(t.add_row().cells,q,i>=len(b[2])-b[4])
            P()
        elif k=="box": P(f"{b[1]}{sep(s)} {b[2]}",True,14)
        elif k=="sign": P(); P(b[1],ind=10); P(); P()
        elif k=="mrz":
            for l in b[1]: p=P(l); p.runs[0].font.name="Liberation Mono"
        elif k in("photo","qr"): d.add_picture(io.BytesIO(png(face(s.r) if k=="photo" else qrim(b[1]))),width=Cm(2.6))
        elif k=="pb": d.add_page_break()
        elif k=="foot": p=sec.footer.paragraphs[0]; q=p.add_run(b[1]); q.font.size=Pt(7)
    d.core_properties.title=s.title if theme%2 else ""; d.core_properties.author=""; d.save(path)
def docx_(s,out,theme):
    td=tempfile.mkdtemp(); p=os.path.join(td,"m.docx"); make_docx(s,p,theme); soffice(p,td); shutil.copy(os.path.join(td,"m.pdf"),out); shutil.rmtree(td); patch_dates(out,s.ts); s.producer="LibreOffice 7.4"
ENG={"weasy":weasy,"chrome":chrome,"rl":rl,"fpdf":fpdf_,"typst":typst_,"latex":latex,"docx":docx_}

# ------------------------------------------------------------------ cards
CL={"lastName":("Nom","Surname"),"firstName":("Prénom(s)","Given names"),"birthDate":("Date de naissance","Date of birth"),"documentNumber":("N° du document","Document no."),"expiryDate":("Date d'expiration","Date of expiry"),"nationality":("Nationalité","Nationality")}
def card(s,out,theme,page=True):
    """identity card, passport page, permit, licence drawn as a card; page: on a sheet, else card-sized"""
    from reportlab.pdfgen import canvas; from reportlab.lib.colors import HexColor as K; from reportlab.lib.utils import ImageReader; from content import IDT,STATE
    r=s.r; mm=72/25.4; pp=s.type=="PASSPORT"; cw,ch=(125*mm,88*mm) if pp else (85.6*mm,54*mm)
    back=bool(s.mrz) and not pp
    W_,H_=(612,792) if s.c in("US","CA","QC") else (595.28,841.89)
    c=canvas.Canvas(out,pagesize=(W_,H_) if page else (cw,ch)); c.setTitle(s.title); c.setProducer("ReportLab PDF Library - www.reportlab.com"); s.producer="ReportLab PDF Library"; c.setAuthor("")
    tint=r.choice(["#e6eef7","#f5e9ee","#e8f3ea","#f4efe2","#ece9f5","#e4f1f2"]); lc=r.choice(["#9db8d8","#d9a6b8","#9cc7a5","#cdbb8a","#b3a8d6"])
    def bg(x,y):
        c.saveState(); p=c.beginPath(); p.roundRect(x,y,cw,ch,8 if not pp else 3); c.clipPath(p,stroke=0,fill=0); c.setFillColor(K(tint)); c.rect(x,y,cw,ch,fill=1,stroke=0); c.setStrokeColor(K(lc)); c.setLineWidth(.25)
        for k in range(24):
            q=c.beginPath(); a=r.uniform(4,11); ph=k*.5; q.moveTo(x,y+k*ch/23)
            for i in range(1,40): q.lineTo(x+i*cw/39,y+k*ch/23+a*math.sin(i*.35+ph))
            c.drawPath(q)
        c.restoreState(); c.setStrokeColor(K("#888888")); c.setLineWidth(.4); c.roundRect(x,y,cw,ch,8 if not pp else 3)
    x0,y0=((W_-cw)/2+r.randint(-60,60)*(0 if pp else 1),H_-ch-r.randint(70,140)) if page else (0,0)
    bg(x0,y0); u=cw/243.0*(1 if not pp else .78)
    def T(x,y,t,f="Helvetica",z=7,col="#1b1b1b",mw=None):
        while mw and c.stringWidth(t,f,z)>mw and z>3.5: z-=.2
        c.setFont(f,z); c.setFillColor(K(col)); c.drawString(x,y,t)
    hc=r.choice(COL); T(x0+10*u,y0+ch-13*u,STATE[s.c].upper(),"Helvetica-Bold",7*u,hc); T(x0+10*u,y0+ch-23*u,(s.title.upper() if theme%2 else s.title)+(f"  /  {IDT[s.type]['UK']}" if s.fr and theme%3==0 and s.type!="IDENTITY_CARD" else ""),"Helvetica",7.5*u,"#333333",cw-30*u)
    pw,phh=(62*u,80*u); left=theme%3!=1; px=x0+10*u if left else x0+cw-pw-10*u; py=y0+ch-30*u-phh
    c.drawImage(ImageReader(face(r,gray=theme%2==0)),px,py,pw,phh); tx=x0+(82*u if left else 12*u); ty=y0+ch-36*u; F=s.fields; tw=cw-(92*u if left else 90*u)
    order=[k for k in("lastName","firstName","nationality","birthDate","documentNumber","expiryDate") if k in F]
    if s.layout=="none":
        rows=[("1.",F["lastName"]),("2.",F["firstName"]),("3.",F["birthDate"]+"  "+s.p.city),("4a.",s.issp),("4b.",F["expiryDate"]),("5.",F["documentNumber"]),("8.",s.p.street),("9.","B")]
        for a,b in rows: T(tx,ty,a,"Helvetica",6*u,"#555555"); T(tx+16*u,ty,b,"Helvetica-Bold",7.2*u,mw=tw-18*u); ty-=12*u
    elif s.layout=="colon":
        for k in order:
            l=CL[k][0 if s.fr else 1]+sep(s); T(tx,ty,l,"Helvetica",6.3*u,"#444444"); T(tx+c.stringWidth(l,"Helvetica",6.3*u)+4*u,ty,F[k],"Helvetica-Bold",7.4*u,mw=tw-62*u); ty-=13.5*u
        T(tx,ty,s.t("Délivré le : ","Issued: ")+s.issp,"Helvetica",6*u)
    else:
        i=0; single=[k for k in order if k in("lastName","firstName")]; 
        for k in single:
            T(tx,ty,CL[k][0]+" / "+CL[k][1] if s.fr and theme%2 else CL[k][0 if s.fr else 1],"Helvetica",4.8*u,"#555555"); T(tx,ty-8.5*u,F[k],"Helvetica-Bold",8.2*u,mw=tw); ty-=18*u
        rest=[(CL[k][0 if s.fr else 1],F[k]) for k in order if k not in single]+[(s.t("Sexe","Sex"),s.p.sex),(s.t("Délivré le","Date of issue"),s.issp)]
        for j,(l,v) in enumerate(rest):
            xx=tx+(j%2)*tw*.54; T(xx,ty,l,"Helvetica",4.8*u,"#555555"); T(xx,ty-8*u,v,"Helvetica-Bold",6.8*u,mw=tw*.5)
            if j%2: ty-=17*u
    p=c.beginPath(); sx=px+4*u; sy=py-10*u; p.moveTo(sx,sy)
    for _ in range(4): p.curveTo(sx+4*u,sy+r.uniform(-6,8),sx+8*u,sy+r.uniform(-6,8),sx+13*u,sy+r.uniform(-2,2)); sx+=13*u
    c.setStrokeColor(K("#222222")); c.setLineWidth(.7); c.drawPath(p)
    def mrz(x,y,L,z):
        for l in L: T(x,y,l,"Courier-Bold",z); y-=z*1.45
    if pp: z=(cw-16)/44/.6; mrz(x0+8,y0+26,s.mrz,z)
    if back:
        if page: y1=y0-ch-24; x1=x0
        else: c.showPage(); x1,y1=0,0
        bg(x1,y1); z=(cw-16)/30/.6; mrz(x1+8,y1+46,s.mrz,z); c.setFillColor(K("#c9a54a")); c.roundRect(x1+14,y1+ch-52,30,26,4,fill=1,stroke=0); T(x1+60,y1+ch-24,s.t("Adresse","Address"),"Helvetica",5,"#555555"); T(x1+60,y1+ch-33,", ".join(s.p.lines),"Helvetica",6.5,mw=cw-70); T(x1+60,y1+ch-46,s.t("Autorité de délivrance","Issuing authority"),"Helvetica",5,"#555555"); T(x1+60,y1+ch-55,s.t("Préfecture / service compétent","Competent authority"),"Helvetica",6.5)
    c.showPage(); c.save(); s.cardbox=(x0,y0,cw,ch,back)
