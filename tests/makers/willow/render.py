"""Programs that make the PDFs: the same blocks through quite different producers and looks."""
import os, re, io, html as H, subprocess, tempfile, shutil, datetime as dt, random, warnings, logging
from data import fonts, NB
warnings.filterwarnings("ignore")
for n in ("weasyprint", "fontTools", "fpdf", "fontTools.subset"): logging.getLogger(n).setLevel(logging.CRITICAL)
E = H.escape
LETTER = ("US", "CA", "QC")
TMP = tempfile.mkdtemp(prefix="willow"); PROFILE = os.path.join(TMP, "profile")
def pname(ext): 
    fd, p = tempfile.mkstemp(suffix=ext, dir=TMP); os.close(fd); return p
def epoch(ts): return str(int(ts.replace(tzinfo=dt.timezone.utc).timestamp()))
def run(*a, **k): return subprocess.run(list(a), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, **k)

COLORS = ["#1b4f8a","#0b6e4f","#8a1538","#444444","#d35400","#5b2c83","#006d77","#b8860b","#222222","#c0392b"]
FONTS = ["Lato","Open Sans","Roboto","Liberation Sans","Liberation Serif","DejaVu Sans","Carlito","C059","P052","Noto Sans","Liberation Sans Narrow","DejaVu Serif"]
def theme(r):
    return dict(font=r.choice(FONTS), color=r.choice(COLORS), head=r.choice(["left","banner","right","center","side","rule"]), addr=r.choice(["right","right","left"]), tab=r.choice(["lines","grid","zebra","bare"]), size=r.choice([9,9.5,10,10.5,11]), m=r.choice([14,18,20,25]), box=r.random() < .4)

def to_html(d, th, size):
    c, col = th, th["color"]; o = []
    css = f"""@page{{size:{size};margin:{th['m']}mm}} *{{box-sizing:border-box}} body{{font-family:'{th['font']}';font-size:{th['size']}pt;line-height:1.35;color:#1a1a1a;margin:0}}
    h1{{font-size:{th['size']+6}pt;color:{col};margin:14pt 0 2pt}} .sub{{color:#555;margin-bottom:8pt}} table{{border-collapse:collapse;width:100%;margin:8pt 0}} td,th{{padding:3pt 5pt;text-align:left;vertical-align:top}} .n{{text-align:right;white-space:nowrap}}
    .lab{{color:#666;font-size:{th['size']-2.2}pt}} .small{{font-size:{th['size']-2.5}pt;color:#666;margin-top:14pt}} .last td{{font-weight:bold;border-top:1pt solid {col}}} .org{{font-weight:bold;font-size:{th['size']+5}pt;color:{col}}} .cell{{display:inline-block;vertical-align:top;margin:4pt 0;padding-right:6pt}} p{{margin:7pt 0}}"""
    css += {"lines":f"table.t td{{border-bottom:.5pt solid #ccc}} th{{border-bottom:1.2pt solid {col};color:{col}}}","grid":"table.t td,table.t th{border:.6pt solid #777} th{background:#eee}","zebra":f"table.t tr:nth-child(even) td{{background:#f2f4f7}} th{{background:{col};color:#fff}}","bare":"th{font-weight:normal;text-decoration:underline}"}[th["tab"]]
    for b in d.blocks:
        k = b[0]
        if k == "head":
            l = "<br>".join(E(x) for x in b[2]); ini = "".join(w[0] for w in b[1].split()[:2]).upper()
            logo = f'<span style="display:inline-block;width:34pt;height:34pt;background:{col};color:#fff;text-align:center;line-height:34pt;font-weight:bold;border-radius:{17 if len(b[1])%2 else 3}pt;margin-right:8pt;vertical-align:middle">{E(ini)}</span>'
            hs = th["head"]
            if hs == "banner": o.append(f'<div style="background:{col};color:#fff;padding:8pt 10pt"><span style="font-size:{th["size"]+6}pt;font-weight:bold">{E(b[1])}</span><div style="font-size:{th["size"]-2}pt">{l}</div></div>')
            elif hs == "right": o.append(f'<div style="text-align:right"><div class="org">{E(b[1])}</div><div class="lab">{l}</div></div>')
            elif hs == "center": o.append(f'<div style="text-align:center;border-bottom:1pt solid {col};padding-bottom:6pt"><div class="org">{E(b[1])}</div><div class="lab">{l}</div></div>')
            elif hs == "side": o.append(f'<table><tr><td style="width:50%">{logo}<span class="org">{E(b[1])}</span></td><td class="lab" style="text-align:right">{l}</td></tr></table>')
            elif hs == "rule": o.append(f'<div style="border-left:5pt solid {col};padding-left:8pt"><div class="org">{E(b[1])}</div><div class="lab">{l}</div></div>')
            else: o.append(f'<div>{logo}<span class="org">{E(b[1])}</span><div class="lab" style="margin-top:4pt">{l}</div></div>')
        elif k == "addr":
            st = "margin:16pt 0 14pt " + ("54%" if th["addr"] == "right" else "0"); bx = "border:.6pt solid #999;padding:6pt 8pt;" if th["box"] else ""
            o.append(f'<div style="{st};{bx}">' + "<br>".join(E(x) for x in b[1]) + "</div>")
        elif k == "lines": o.append('<div style="margin:9pt 0">' + "<br>".join(E(x) for x in b[1]) + "</div>")
        elif k == "title": o.append(f"<h1>{E(b[1])}</h1>" + (f'<div class="sub">{E(b[2])}</div>' if b[2] else ""))
        elif k == "p": o.append(f"<p>{E(b[1])}</p>")
        elif k == "small": o.append(f'<div class="small">{E(b[1])}</div>')
        elif k == "sig": o.append(f'<div style="margin:20pt 0 0 55%">{E(b[1])}<br>{E(b[2])}<br><span style="font-family:Z003;font-size:19pt;color:#223a7a">{E(d.org.split()[0][:7])}</span></div>')
        elif k == "photo": o.append(f'<img src="{b[1]}" style="float:right;width:30mm;margin:4mm 0 4mm 8mm">')
        elif k == "kv":
            if b[2]: o.append(f'<div style="font-weight:bold;color:{col};margin-top:8pt">{E(b[2])}</div>')
            if d.layout == "under":
                n = b[3] or 1; o.append('<div style="margin:8pt 0">' + "".join(f'<div class="cell" style="width:{100//n - 1}%"><div class="lab">{E(a)}</div><div>{E(v)}</div></div>' for a, v in b[1]) + "</div>")
            elif d.layout == "table": o.append('<table class="t">' + "".join(f'<tr><td style="width:38%">{E(a)}</td><td><b>{E(v)}</b></td></tr>' for a, v in b[1]) + "</table>")
            else: o.append('<div style="margin:8pt 0">' + "".join(f'<div>{("<span style=color:#555>"+E(a)+(" :" if d.lang=="fr" else ":")+"</span> ") if a else ""}{E(v)}</div>' for a, v in b[1]) + "</div>")
        elif k == "table":
            rows = b[2]; w = "100%" if b[1] or len(rows[0]) > 2 else "62%"; o.append(f'<table class="t" style="width:{w};{"margin-left:38%" if w!="100%" else ""}">')
            if b[1] and any(b[1]): o.append("<tr>" + "".join(f'<th class="{"n" if i else ""}">{E(x)}</th>' for i, x in enumerate(b[1])) + "</tr>")
            for i, row in enumerate(rows): o.append(f'<tr class="{"last" if b[3] and i==len(rows)-1 else ""}">' + "".join(f'<td class="{"n" if j else ""}">{E(x)}</td>' for j, x in enumerate(row)) + "</tr>")
            o.append("</table>")
    return f'<!DOCTYPE html><html lang="{d.lang}"><head><meta charset="utf-8"><title>{E(d.ttl or d.org)}</title><style>{css}</style></head><body>' + "\n".join(o) + "</body></html>"

def patch_dates(path, ts):
    b = open(path, "rb").read(); s = ts.strftime("D:%Y%m%d%H%M%S").encode()
    b = re.sub(rb"(/(?:CreationDate|ModDate)\s*\()D:\d{14}", lambda m: m.group(1) + s, b); open(path, "wb").write(b)

def r_weasy(d, ts, r, html=None):
    import weasyprint
    th = theme(r); h = html or to_html(d, th, "Letter" if d.c in LETTER else "A4"); h = h.replace("<head>", f'<head><meta name="dcterms.created" content="{ts:%Y-%m-%dT%H:%M:%S}Z"><meta name="dcterms.modified" content="{ts:%Y-%m-%dT%H:%M:%S}Z">', 1)
    p = pname(".pdf"); weasyprint.HTML(string=h).write_pdf(p); return p, "WeasyPrint 70.0"
def r_chrome(d, ts, r, html=None):
    h = html or to_html(d, theme(r), "Letter" if d.c in LETTER else "A4"); f = pname(".html"); open(f, "w").write(h); p = pname(".pdf")
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={TMP}/chrome", "--no-pdf-header-footer", f"--print-to-pdf={p}", "file://" + f); patch_dates(p, ts); return p, "Skia/PDF m156"

PERSONA = [("Apache FOP Version 2.8","Apache FOP Version 2.8"),("JasperReports Library version 6.20.0","iText 2.1.7 by 1T3XT"),("Crystal Reports","Powered By Crystal"),("Oracle BI Publisher","Oracle BI Publisher 12.2.1.4.0"),(None,None),("Quadient Inspire","Quadient Inspire Designer 14.3"),("SAP NetWeaver","SAP NetWeaver 750"),("Sage Paie & RH","Amyuni PDF Converter version 5.5")]
def r_reportlab(d, ts, r, html=None):
    os.environ["SOURCE_DATE_EPOCH"] = epoch(ts)
    from reportlab.platypus import SimpleDocTemplate, Paragraph, Table, TableStyle, Spacer, Image as RI
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.pagesizes import A4, letter
    from reportlab.lib import colors
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    fam = r.choice(["Helvetica","Times-Roman","Courier","Helvetica","TT"]); col = colors.HexColor(r.choice(COLORS))
    if fam == "TT":
        nm = r.choice(["Carlito","Lato","DejaVu Sans","Liberation Sans"]); fam = nm.replace(" ", ""); bold = fam + "B"
        if fam not in pdfmetrics.getRegisteredFontNames(): pdfmetrics.registerFont(TTFont(fam, fonts(nm))); pdfmetrics.registerFont(TTFont(bold, fonts(nm, "Bold")))
    else: bold = {"Helvetica":"Helvetica-Bold","Times-Roman":"Times-Bold","Courier":"Courier-Bold"}[fam]
    sz = 9 if fam == "Courier" else r.choice([9.5, 10, 10.5]); st = lambda **k: ParagraphStyle("x", **{**dict(fontName=fam, fontSize=sz, leading=sz*1.3), **k}); P = lambda t, **k: Paragraph(E(t), st(**k)); W = 170*2.835; fl = []; grid = r.random() < .5; hr = r.choice([0, 0, 2, 1])
    for b in d.blocks:
        k = b[0]
        if k == "head": fl += [P(b[1], fontName=bold, fontSize=sz+4, leading=sz+8, textColor=col, alignment=hr)] + [P(x, fontSize=sz-1.5, leading=sz, alignment=hr) for x in b[2]] + [Spacer(1, 10)]
        elif k == "addr": fl += [Spacer(1, 12)] + [P(x, leftIndent=W*.52) for x in b[1]] + [Spacer(1, 16)]
        elif k == "lines": fl += [Spacer(1, 6)] + [P(x) for x in b[1]] + [Spacer(1, 8)]
        elif k == "title":
            fl.append(P(b[1], fontName=bold, fontSize=sz+3.5, leading=sz+8, spaceBefore=8, spaceAfter=4, alignment=1 if hr == 1 else 0))
            if b[2]: fl.append(P(b[2], spaceAfter=6))
        elif k == "p": fl.append(P(b[1], spaceAfter=7, alignment=4))
        elif k == "small": fl.append(P(b[1], fontSize=sz-2.5, leading=sz-1, spaceBefore=12))
        elif k == "sig": fl += [Spacer(1, 16), P(b[1], leftIndent=W*.55), P(b[2], leftIndent=W*.55), Spacer(1, 20)]
        elif k == "photo":
            import base64; fl.append(RI(io.BytesIO(base64.b64decode(b[1].split(",")[1])), 70, 90))
        elif k == "kv":
            if b[2]: fl.append(P(b[2], fontName=bold, spaceBefore=6))
            if d.layout == "under":
                n = b[3] or 1; cells = [[P(a, fontSize=sz-2.2, leading=sz, textColor=colors.grey), P(v)] for a, v in b[1]]; rows = [cells[i:i+n] for i in range(0, len(cells), n)]; rows[-1] += [""]*(n-len(rows[-1])); fl.append(Table(rows, colWidths=[W/n]*n, style=[("VALIGN",(0,0),(-1,-1),"TOP"),("LEFTPADDING",(0,0),(-1,-1),0)]))
            elif d.layout == "table": fl.append(Table([[P(a), P(v, fontName=bold)] for a, v in b[1]], colWidths=[W*.36, W*.64], style=[("GRID",(0,0),(-1,-1),.5,colors.grey)] if grid else [("LINEBELOW",(0,0),(-1,-1),.4,colors.lightgrey)]))
            else: fl += [P((a + (" : " if d.lang == "fr" else ": ") if a else "") + v) for a, v in b[1]]
            fl.append(Spacer(1, 6))
        elif k == "table":
            n = max(len(x) for x in b[2]); head = [b[1]] if b[1] and any(b[1]) else []; ws = [W*.46] + [W*.54/(n-1)]*(n-1) if n > 1 else [W]
            rows = [[P(x, alignment=2 if j else 0, fontName=bold if (b[3] and i == len(b[2])-1) else fam) for j, x in enumerate(row)] for i, row in enumerate(b[2])]; rows = [[P(x, fontName=bold, alignment=2 if j else 0) for j, x in enumerate(h)] for h in head] + rows
            sty = [("GRID",(0,0),(-1,-1),.4,colors.grey)] if grid else [("LINEABOVE",(0,-1),(-1,-1),.8,col)]
            if head: sty.append(("BACKGROUND",(0,0),(-1,0),colors.HexColor("#e9ecef")))
            fl += [Spacer(1, 5), Table(rows, colWidths=ws, style=sty), Spacer(1, 5)]
    cre, pro = r.choice(PERSONA); p = pname(".pdf"); doc = SimpleDocTemplate(p, pagesize=letter if d.c in LETTER else A4, leftMargin=56, rightMargin=56, topMargin=45, bottomMargin=45, title=d.ttl, author=d.org, creator=cre or "ReportLab PDF Library", producer=pro or "ReportLab PDF Library - www.reportlab.com", compress=r.random() < .7)
    def fn(cv, _): 
        if pro: cv._doc.info.producer = pro
    doc.build(fl, onFirstPage=fn)
    if pro:
        b = open(p, "rb").read(); i = b.find(b"% ReportLab")
        if i > 0: j = b.find(b"\n", i); b = b[:i] + b"%" + b"\xe2"*(j-i-1) + b[j:]; open(p, "wb").write(b)
    return p, pro or "ReportLab"

def r_fpdf(d, ts, r, html=None):
    from fpdf import FPDF
    f = FPDF(format="Letter" if d.c in LETTER else "A4"); nm = r.choice(["DejaVu Sans","Liberation Sans","Carlito","Liberation Serif","Roboto"]); f.add_font("F", "", fonts(nm)); f.add_font("F", "B", fonts(nm, "Bold")); sz = r.choice([9, 10]) if "DejaVu" in nm else r.choice([10, 11]); f.set_creation_date(ts.replace(tzinfo=dt.timezone.utc)); f.set_margin(18); f.add_page(); f.set_title(d.ttl or d.org); f.set_creator(r.choice(["Web invoice app", d.org])) ; W = f.epw; h = sz*.5; rgb = tuple(int(r.choice(COLORS)[i:i+2], 16) for i in (1, 3, 5)); al = r.choice("LRC"); ali = r.choice([0, 1])
    def T(t, s="", z=0, x=None, a="L", hh=None): 
        f.set_font("F", s, sz+z); 
        if x is not None: f.set_x(f.l_margin + x)
        f.multi_cell(0, hh or h, t, align=a, new_x="LMARGIN", new_y="NEXT")
    for b in d.blocks:
        k = b[0]
        if k == "head":
            f.set_text_color(*rgb); T(b[1], "B", 5, a=al, hh=h+2); f.set_text_color(90, 90, 90)
            for x in b[2]: T(x, "", -2, a=al, hh=h-1)
            f.set_text_color(0, 0, 0); f.ln(3); f.line(f.l_margin, f.get_y(), f.l_margin+W, f.get_y()); f.ln(4)
        elif k == "addr":
            f.ln(6); 
            for x in b[1]: T(x, x=W*.55 if ali else 0)
            f.ln(8)
        elif k == "lines":
            f.ln(2); 
            for x in b[1]: T(x)
            f.ln(3)
        elif k == "title": f.ln(2); T(b[1], "B", 4, hh=h+2); b[2] and T(b[2]); f.ln(2)
        elif k == "p": T(b[1]); f.ln(3)
        elif k == "small": f.ln(5); T(b[1], "", -2.5, hh=h-1.2)
        elif k == "sig": f.ln(8); T(b[1], x=W*.55); T(b[2], x=W*.55); f.ln(10)
        elif k == "photo":
            import base64; f.image(io.BytesIO(base64.b64decode(b[1].split(",")[1])), x=f.l_margin+W-30, w=28)
        elif k == "kv":
            if b[2]: T(b[2], "B")
            if d.layout == "under":
                n = b[3] or 1
                for i in range(0, len(b[1]), n):
                    y = f.get_y(); my = y
                    for j, (a, v) in enumerate(b[1][i:i+n]):
                        f.set_xy(f.l_margin + j*W/n, y); f.set_font("F", "", sz-2.5); f.set_text_color(110,110,110); f.multi_cell(W/n-2, h-1, a, align="L", new_x="LEFT", new_y="NEXT"); f.set_text_color(0,0,0); f.set_font("F", "", sz); f.multi_cell(W/n-2, h, v, align="L", new_x="LEFT", new_y="NEXT"); my = max(my, f.get_y())
                    f.set_xy(f.l_margin, my+2)
            elif d.layout == "table":
                f.set_font("F", "", sz)
                with f.table(col_widths=(36, 64), first_row_as_headings=False, line_height=h+1.5) as t:
                    for a, v in b[1]: rw = t.row(); rw.cell(a); rw.cell(v)
                f.ln(3)
            else:
                for a, v in b[1]: T((a + (" : " if d.lang == "fr" else ": ") if a else "") + v)
                f.ln(3)
        elif k == "table":
            n = max(len(x) for x in b[2]); f.set_font("F", "", sz); hd = bool(b[1] and any(b[1]))
            with f.table(col_widths=(46,) + (54/(n-1),)*(n-1), text_align=("LEFT",) + ("RIGHT",)*(n-1), first_row_as_headings=hd, line_height=h+1.2, borders_layout=r.choice(["ALL","HORIZONTAL_LINES","MINIMAL"])) as t:
                for row in ([b[1]] if hd else []) + b[2]:
                    rw = t.row(); [rw.cell(x) for x in row]
            f.ln(3)
    p = pname(".pdf"); f.output(p); return p, "fpdf2"

TEXM = {"&":r"\&","%":r"\%","$":r"\$","#":r"\#","_":r"\_","{":r"\{","}":r"\}","~":r"\textasciitilde{}","^":r"\^{}","\\":r"\textbackslash{}","€":r"\texteuro{}","£":r"\pounds{}","–":"--",NB:"~","<":r"\textless{}","º":r"\textordmasculine{}","°":r"\textdegree{}","«":r"\guillemotleft{}","'":"'"}
def tx(s): return "".join(TEXM.get(ch, ch) for ch in s)
def r_latex(d, ts, r, html=None):
    fnt = r.choice([r"\usepackage{lmodern}", r"\usepackage{helvet}\renewcommand{\familydefault}{\sfdefault}", r"\usepackage{charter}", r"\usepackage{mathptmx}", r"\usepackage{lmodern}\renewcommand{\familydefault}{\sfdefault}"]); o = []
    for b in d.blocks:
        k = b[0]
        if k == "head": o.append(r"\noindent{\Large\bfseries " + tx(b[1]) + r"}\\ {\footnotesize " + r"\\ ".join(tx(x) for x in b[2]) + r"}\par\medskip\hrule\bigskip")
        elif k == "addr": o.append(r"\hfill\begin{minipage}{.45\textwidth}" + r"\\ ".join(tx(x) for x in b[1]) + r"\end{minipage}\par\bigskip")
        elif k == "lines": o.append(r"\noindent " + r"\\ ".join(tx(x) for x in b[1]) + r"\par\medskip")
        elif k == "title": o.append(r"\bigskip\noindent{\large\bfseries " + tx(b[1]) + "}" + (r"\\ " + tx(b[2]) if b[2] else "") + r"\par\medskip")
        elif k == "p": o.append(r"\noindent " + tx(b[1]) + r"\par\medskip")
        elif k == "small": o.append(r"\bigskip\noindent{\scriptsize " + tx(b[1]) + r"\par}")
        elif k == "sig": o.append(r"\bigskip\hfill\begin{minipage}{.4\textwidth}" + tx(b[1]) + r"\\ " + tx(b[2]) + r"\\[1cm]\end{minipage}\par")
        elif k == "kv":
            if b[2]: o.append(r"\noindent\textbf{" + tx(b[2]) + r"}\par")
            if d.layout == "under":
                n = b[3] or 1; o.append("\n".join((r"\noindent" if i % n == 0 else "") + r"\begin{minipage}[t]{%.2f\textwidth}\raggedright{\scriptsize " % (.98/n) + tx(a) + r"}\\ " + tx(v) + r"\end{minipage}" + (r"\par\smallskip" if i % n == n-1 else "%") for i, (a, v) in enumerate(b[1])) + "\n\n\\medskip")
            elif d.layout == "table": o.append(r"\noindent\begin{tabularx}{\textwidth}{|l|X|}\hline " + "\n".join(tx(a) + " & " + tx(v) + r"\\ \hline" for a, v in b[1]) + r"\end{tabularx}\par\medskip")
            else: o.append(r"\noindent " + r"\\ ".join((tx(a) + (" : " if d.lang == "fr" else ": ") if a else "") + tx(v) for a, v in b[1]) + r"\par\medskip")
        elif k == "table":
            n = max(len(x) for x in b[2]); rows = ([b[1]] if b[1] and any(b[1]) else []) + b[2]; o.append(r"\noindent\begin{tabularx}{\textwidth}{X" + "r"*(n-1) + r"}\toprule " + "\n".join(" & ".join(tx(x) for x in row) + r"\\" + (r"\midrule" if (i == 0 and len(rows) > len(b[2])) or (b[3] and i == len(rows)-2) else "") for i, row in enumerate(rows)) + r"\bottomrule\end{tabularx}\par\medskip")
    bl = {"fr":"french","en":"english","de":"german","es":"spanish","it":"italian","nl":"dutch","pt":"portuguese"}[d.lang]
    t = r"\documentclass[" + ("letterpaper" if d.c in LETTER else "a4paper") + ",10pt]{article}\n\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{textcomp}" + fnt + r"\usepackage[margin=2.2cm]{geometry}\usepackage{tabularx,booktabs}\pagestyle{empty}\setlength{\parindent}{0pt}\begin{document}" + "\n".join(o) + r"\end{document}"
    w = tempfile.mkdtemp(dir=TMP); open(os.path.join(w, "d.tex"), "w").write(t); run("pdflatex", "-interaction=nonstopmode", "d.tex", cwd=w, env={**os.environ, "SOURCE_DATE_EPOCH": epoch(ts)}); p = os.path.join(w, "d.pdf")
    if not os.path.exists(p) or os.path.getsize(p) < 2000: raise RuntimeError("latex")
    return p, "pdfTeX-1.40.24"

def ts_(s): return '#"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'
def r_typst(d, ts, r, html=None):
    import typst
    fn = r.choice(["Libertinus Serif","Lato","Carlito","DejaVu Sans","Open Sans"]); col = r.choice(COLORS); S = lambda s: ts_(s); o = []
    for b in d.blocks:
        k = b[0]
        if k == "head": o.append(f'#text(size: 15pt, weight: "bold", fill: rgb("{col}"))[{S(b[1])}]\n\n#text(size: 8pt)[' + " \\ ".join(S(x) for x in b[2]) + "]\n#line(length: 100%, stroke: 0.5pt)")
        elif k == "addr": o.append("#v(6pt)#pad(left: 52%)[" + " \\ ".join(S(x) for x in b[1]) + "]#v(8pt)")
        elif k == "lines": o.append("#v(3pt)" + " \\ ".join(S(x) for x in b[1]) + "\n")
        elif k == "title": o.append(f'#v(6pt)#text(size: 14pt, weight: "bold")[{S(b[1])}]\n\n' + (S(b[2]) + "\n" if b[2] else ""))
        elif k == "p": o.append(S(b[1]) + "\n")
        elif k == "small": o.append(f"#v(10pt)#text(size: 7pt, fill: gray)[{S(b[1])}]\n")
        elif k == "sig": o.append(f"#v(12pt)#pad(left: 58%)[{S(b[1])} \\ {S(b[2])}]\n")
        elif k == "kv":
            if b[2]: o.append(f"*{S(b[2])}*\n")
            if d.layout == "under": n = b[3] or 1; o.append(f"#grid(columns: ({'1fr,'*n}), gutter: 9pt, " + ", ".join(f"[#text(size: 7.5pt, fill: gray)[{S(a)}] \\ {S(v)}]" for a, v in b[1]) + ")\n")
            elif d.layout == "table": o.append("#table(columns: (38%, 1fr), stroke: 0.4pt, " + ", ".join(f"[{S(a)}], [*{S(v)}*]" for a, v in b[1]) + ")\n")
            else: o.append(" \\ ".join((S(a + (" :" if d.lang == "fr" else ":")) + " " if a else "") + S(v) for a, v in b[1]) + "\n")
        elif k == "table":
            n = max(len(x) for x in b[2]); rows = ([b[1]] if b[1] and any(b[1]) else []) + b[2]; o.append(f"#table(columns: (1fr, {'auto,'*(n-1)}), align: (left, {'right,'*(n-1)}), stroke: (x: none, y: 0.4pt + gray), " + ", ".join(f"[{S(x)}]" for row in rows for x in row) + ")\n")
    src = f'#set document(title: {ts_(d.ttl or d.org)[1:]}, date: datetime(year: {ts.year}, month: {ts.month}, day: {ts.day}, hour: {ts.hour}, minute: {ts.minute}, second: {ts.second}))\n#set page(paper: "{"us-letter" if d.c in LETTER else "a4"}", margin: 2cm)\n#set text(font: "{fn}", size: 10pt, lang: "{d.lang}")\n' + "\n".join(o)
    f = pname(".typ"); open(f, "w").write(src); p = pname(".pdf"); typst.compile(f, output=p); return p, "Typst"

def docx(d, r, p):
    import docx as D
    from docx.shared import Pt, RGBColor, Cm
    w = D.Document(); s = w.styles["Normal"]; s.font.name = r.choice(["Carlito","Liberation Serif","Liberation Sans","DejaVu Sans","Open Sans"]); s.font.size = Pt(r.choice([10, 10.5, 11])); s.paragraph_format.space_after = Pt(2); sec = w.sections[0]; sec.left_margin = sec.right_margin = Cm(2.2); sec.top_margin = Cm(1.8)
    if d.c not in LETTER: sec.page_width, sec.page_height = Cm(21), Cm(29.7)
    col = RGBColor.from_string(r.choice(COLORS)[1:].upper()); ts = r.choice(["Table Grid","Light Grid","Light List","Light Shading"])
    def para(t, bold=False, size=None, left=None, color=None, before=0):
        q = w.add_paragraph(); x = q.add_run(t); x.bold = bold; q.paragraph_format.space_before = Pt(before)
        if size: x.font.size = Pt(size)
        if left: q.paragraph_format.left_indent = Cm(left)
        if color is not None: x.font.color.rgb = color
    for b in d.blocks:
        k = b[0]
        if k == "head": para(b[1], True, 15, color=col); [para(x, size=8.5) for x in b[2]]
        elif k == "addr": [para(x, left=9, before=14 if i == 0 else 0) for i, x in enumerate(b[1])]
        elif k == "lines": [para(x, before=8 if i == 0 else 0) for i, x in enumerate(b[1])]
        elif k == "title": para(b[1], True, 14, before=16); b[2] and para(b[2])
        elif k == "p": para(b[1], before=6)
        elif k == "small": para(b[1], size=7.5, before=14)
        elif k == "sig": para(b[1], left=9, before=18); para(b[2], left=9)
        elif k == "kv":
            if b[2]: para(b[2], True, before=8)
            if d.layout in ("table",):
                t = w.add_table(0, 2); t.style = ts if ts != "Light List" else "Table Grid"
                for a, v in b[1]: c = t.add_row().cells; c[0].text, c[1].text = a, v
            elif d.layout == "under":
                n = b[3] or 1; t = w.add_table(-(-len(b[1])//n), n)
                for i, (a, v) in enumerate(b[1]): c = t.cell(i//n, i % n); c.text = ""; x = c.paragraphs[0].add_run(a); x.font.size = Pt(7.5); c.add_paragraph(v)
            else: [para((a + (" : " if d.lang == "fr" else ": ") if a else "") + v, before=6 if i == 0 else 0) for i, (a, v) in enumerate(b[1])]
        elif k == "table":
            rows = ([b[1]] if b[1] and any(b[1]) else []) + b[2]; n = max(map(len, rows)); para("", size=4); t = w.add_table(0, n); t.style = ts
            for row in rows:
                c = t.add_row().cells
                for j, x in enumerate(row):
                    c[j].text = x
                    if j: c[j].paragraphs[0].alignment = 2
    w.core_properties.title = d.ttl or ""; w.core_properties.author = getattr(d, "author", d.org or "") ; w.save(p)
def soffice(src, fmt, out):
    run("soffice", f"-env:UserInstallation=file://{PROFILE}", "--headless", "--convert-to", fmt, "--outdir", out, src)
def r_lo(d, ts, r, html=None):
    f = pname(".docx"); docx(d, r, f); soffice(f, "pdf", TMP); p = f[:-5] + ".pdf"
    if not os.path.exists(p): raise RuntimeError("soffice")
    patch_dates(p, ts); return p, "LibreOffice 7.4"
BACK = {"weasy": r_weasy, "chrome": r_chrome, "reportlab": r_reportlab, "fpdf": r_fpdf, "latex": r_latex, "typst": r_typst, "lo": r_lo}
def stamp(d, r):
    day = getattr(d, "copydate", None) or d.date
    return dt.datetime(day.year, day.month, day.day, r.randint(7, 19), r.randint(0, 59), r.randint(0, 59))
