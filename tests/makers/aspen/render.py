"""Backends: a flow document (blocks) or an absolute one (ops in mm) -> PDF."""
import os, io, re, html, subprocess, tempfile, datetime as dt, random, math, base64, json, functools
from PIL import Image, ImageDraw, ImageFilter, ImageFont
import numpy as np
@functools.lru_cache(None)
def ttf(fam, style='Regular'):
    return subprocess.run(['fc-match', '-f', '%{file}', f'{fam}:style={style}'], capture_output=True, text=True).stdout
E = html.escape
THEMES = [dict(font='Liberation Sans', size=9.5, col='#1d3f72', head=0, lw=.5), dict(font='DejaVu Sans', size=8.2, col='#0b6b57', head=1, lw=.4), dict(font='Carlito', size=10.8, col='#b3261e', head=2, lw=.6),
 dict(font='Liberation Serif', size=10.8, col='#222222', head=3, lw=.5), dict(font='Lato', size=9.4, col='#e0751a', head=1, lw=.8), dict(font='Nimbus Sans', size=9.6, col='#5b2a86', head=0, lw=.4),
 dict(font='Noto Sans', size=8.8, col='#0077b6', head=2, lw=.7), dict(font='C059', size=10, col='#3a4a3f', head=3, lw=.5), dict(font='Liberation Sans Narrow', size=10.5, col='#374151', head=0, lw=.3), dict(font='Bitstream Charter', size=10.3, col='#7a1f3d', head=2, lw=.5)]
def portrait(seed):
    r = random.Random(seed); W, H = 240, 310; bg = r.choice([(214,220,226),(205,214,222),(226,224,218),(196,208,216)])
    im = Image.new('RGB', (W*2, H*2), bg); d = ImageDraw.Draw(im); sk = r.choice([(232,196,170),(214,170,138),(164,116,84),(110,74,52),(240,208,188),(190,142,108)]); hair = r.choice([(40,28,20),(84,56,34),(20,18,18),(150,112,66),(120,118,116)])
    j = lambda a, b: r.randint(a, b); cx = W + j(-8, 8); t = j(100, 125); hw = j(95, 112)
    d.ellipse((cx-210, 470, cx+210, 900), fill=r.choice([(44,52,70),(96,40,44),(60,80,66),(30,30,34),(150,150,158)])); d.polygon([(cx-52,400),(cx+52,400),(cx+66,520),(cx-66,520)], fill=tuple(int(v*.88) for v in sk))
    long = r.random() < .45
    if long: d.ellipse((cx-hw-34, t-38, cx+hw+34, 520), fill=hair)
    d.ellipse((cx-hw, t, cx+hw, t+320), fill=sk); d.pieslice((cx-hw-12, t-34, cx+hw+12, t+j(190,240)), 180, 360, fill=hair); d.ellipse((cx-hw+8, t+50, cx+hw-8, t+300), fill=sk)
    for s in (-1, 1):
        ex = cx + s*42; d.ellipse((ex-17, t+138, ex+17, t+156), fill=(245,245,245)); d.ellipse((ex-9, t+138, ex+9, t+156), fill=(50,40,34)); d.line((ex-24, t+122+j(-2,2), ex+22, t+120), fill=hair, width=7); d.ellipse((cx+s*hw-10, t+130, cx+s*hw+10, t+185), fill=sk)
    d.line((cx, t+150, cx-10, t+208, cx+10, t+212), fill=tuple(int(v*.8) for v in sk), width=5); d.arc((cx-36, t+222, cx+36, t+262), 15, 165, fill=(150,70,66), width=8)
    if r.random() < .25:
        for s in (-1, 1): d.rectangle((cx+s*42-30, t+128, cx+s*42+30, t+168), outline=(30,30,30), width=4)
        d.line((cx-12,t+142,cx+12,t+142), fill=(30,30,30), width=4)
    im = im.filter(ImageFilter.GaussianBlur(4)).resize((W, H), Image.LANCZOS); a = np.asarray(im).astype(float); g = np.linspace(1.06, .9, W)[None, :, None]; a = a*g + np.random.default_rng(seed).normal(0, 4, a.shape)
    im = Image.fromarray(a.clip(0, 255).astype('uint8')); b = io.BytesIO()
    (im.convert('L') if r.random() < .3 else im).save(b, 'JPEG', quality=82); return b.getvalue()
def emblem(name, col):
    r = random.Random(name); im = Image.new('RGB', (240, 240), 'white'); d = ImageDraw.Draw(im); k = r.randint(0, 4)
    if k == 0: d.ellipse((10,10,230,230), fill=col); d.ellipse((70,50,230,210), fill='white')
    elif k == 1: d.polygon([(120,10),(230,220),(10,220)], fill=col); d.polygon([(120,100),(170,220),(70,220)], fill='white')
    elif k == 2: d.rounded_rectangle((10,10,230,230), 50, fill=col); d.line((60,170,110,70,160,150,190,90), fill='white', width=22)
    elif k == 3: [d.rectangle((20+i*72, 200-i*70, 70+i*72, 225), fill=col) for i in range(3)]
    else: d.pieslice((10,10,230,230), 30, 330, fill=col); d.ellipse((90,90,150,150), fill='white')
    b = io.BytesIO(); im.resize((120,120), Image.LANCZOS).save(b, 'PNG'); return b.getvalue()
def uri(b, m='png'): return f'data:image/{m};base64,' + base64.b64encode(b).decode()
def qr_png(data):
    import qrcode; q = qrcode.make(data, box_size=4, border=1); b = io.BytesIO(); q.save(b); return b.getvalue()
# ---------------------------------------------------------------- HTML
def flow_html(d):
    t = THEMES[d['theme']]; col = t['col']; o = []; hs = t['head']; pg = d.get('page', 'A4'); ma = d.get('margin', 18)
    css = f"""@page{{size:{pg};margin:{ma}mm {ma}mm 20mm {ma}mm;{'@bottom-center{content:"'+d['foot'].replace('"','')+'";font:6.5pt '+chr(39)+t['font']+chr(39)+';color:#666}' if d.get('foot') and d['backend']=='weasy' else ''}}}
body{{font-family:'{t['font']}';font-size:{t['size']}pt;line-height:1.32;color:#111;margin:0}} h1{{font-size:1.45em;color:{col};margin:.7em 0 .4em}} h2{{font-size:1.08em;color:{col};margin:.9em 0 .25em;border-bottom:{t['lw']}px solid {col}}}
p{{margin:.45em 0}} .small{{font-size:.76em;color:#444}} .kc td{{padding:1.5px 14px 1.5px 0;vertical-align:top}} .kt{{border-collapse:collapse;width:100%}} .kt td{{border:{t['lw']}px solid #888;padding:3px 6px}} .kt td:first-child{{background:#f1f1ee;width:42%}}
.ku{{display:flex;flex-wrap:wrap;margin:.5em 0}} .ku div{{width:33%;margin-bottom:.55em}} .ku.w2 div{{width:50%}} .ku span{{display:block;font-size:.72em;color:#666}} .tb{{border-collapse:collapse;width:100%;margin:.6em 0}} .tb th{{background:{col};color:#fff;text-align:right;padding:3px 5px;font-size:.9em}} .tb th:first-child,.tb td:first-child{{text-align:left}} .tb td{{text-align:right;padding:2.5px 5px;border-bottom:{t['lw']}px solid #bbb}} .tb tr.l td{{font-weight:bold;border-top:1px solid {col}}}
.box{{border:1.4px solid {col};padding:5px 10px;margin:.7em 0;display:flex;justify-content:space-between;font-size:1.15em;font-weight:bold}} .addr{{margin:1.2em 0 1.4em {'95mm' if d.get('win','r')=='r' else '0'};line-height:1.35}} .hd{{display:flex;align-items:center;gap:10px;margin-bottom:8px}} .hd b{{font-size:1.5em;color:{col}}} .hd div{{font-size:.8em}} .r{{text-align:right}} .mono{{font-family:'Liberation Mono';white-space:pre;font-size:1.1em;letter-spacing:.5px}} .sig{{margin-top:1.6em;margin-left:95mm}} .ft{{margin-top:2em;font-size:.7em;color:#666;border-top:.5px solid #aaa;padding-top:4px;text-align:center}}"""
    for b in d['blocks']:
        k = b[0]
        if k == 'head':
            img = f'<img src="{uri(emblem(b[1], col))}" style="height:13mm">' if d.get('logo', True) else ''; sub = '<br>'.join(E(x) for x in b[2])
            if hs == 0: o.append(f'<div class=hd>{img}<div><b>{E(b[1])}</b><br>{sub}</div></div>')
            elif hs == 1: o.append(f'<div class=hd style="background:{col};color:#fff;padding:7px 12px;justify-content:space-between"><b style="color:#fff">{E(b[1])}</b><div class=r>{sub}</div></div>')
            elif hs == 2: o.append(f'<div class=hd style="justify-content:space-between;border-bottom:2px solid {col}"><div><b>{E(b[1])}</b><br>{sub}</div>{img}</div>')
            else: o.append(f'<div style="text-align:center;margin-bottom:10px">{img}<div style="font-size:1.5em;font-variant:small-caps;letter-spacing:1px">{E(b[1])}</div><div class=small>{sub}</div></div>')
        elif k == 'addr': o.append('<div class=addr>' + '<br>'.join(E(x) for x in b[1]) + '</div>')
        elif k == 'right': o.append(f'<p class=r>{E(b[1])}</p>')
        elif k == 'title': o.append(f'<h1>{E(b[1])}</h1>')
        elif k == 'sub': o.append(f'<h2>{E(b[1])}</h2>')
        elif k in ('p', 'small'): o.append(f'<p class={k}>{E(b[1])}</p>')
        elif k == 'kv':
            if b[2] == 'colon': o.append('<table class=kc>' + ''.join(f'<tr><td>{E(l)}{" " if d["lang"]=="fr" else ""}:</td><td><b>{E(v)}</b></td></tr>' if d['theme'] % 2 else f'<tr><td colspan=2>{E(l)}{" " if d["lang"]=="fr" else ""}: {E(v)}</td></tr>' for l, v in b[1]) + '</table>')
            elif b[2] == 'under': o.append(f'<div class="ku {"w2" if max(len(v) for _, v in b[1]) > 26 else ""}">' + ''.join(f'<div><span>{E(l)}</span>{E(v)}</div>' for l, v in b[1]) + '</div>')
            elif b[2] == 'none': o.append('<p>' + '<br>'.join(E(v) for l, v in b[1]) + '</p>')
            else: o.append('<table class=kt>' + ''.join(f'<tr><td>{E(l)}</td><td>{E(v)}</td></tr>' for l, v in b[1]) + '</table>')
        elif k == 'table': n = len(b[2]); o.append('<table class=tb><tr>' + ''.join(f'<th>{E(x)}</th>' for x in b[1]) + '</tr>' + ''.join(f'<tr{" class=l" if i >= n-b[3] else ""}>' + ''.join(f'<td>{E(x)}</td>' for x in row) + '</tr>' for i, row in enumerate(b[2])) + '</table>')
        elif k == 'box': o.append(f'<div class=box><span>{E(b[1])}</span><span>{E(b[2])}</span></div>')
        elif k == 'mono': o.append('<div class=mono>' + E('\n'.join(b[1])) + '</div>')
        elif k == 'sig': o.append(f'<div class=sig>{E(b[1])}<br><span style="font-family:\'Latin Modern Roman Slanted\',\'C059\';font-style:italic;font-size:1.5em;color:#1a2a6c">{E(b[2])}</span></div>')
        elif k == 'qr': o.append(f'<img src="{uri(qr_png(b[1]))}" style="width:22mm;margin-top:6px">')
        elif k == 'break': o.append('<div style="page-break-after:always"></div>')
    if d.get('foot') and d['backend'] != 'weasy': o.append(f'<div class=ft>{E(d["foot"])}</div>')
    return f'<!DOCTYPE html><html lang="{d["lang"]}"><head><meta charset=utf-8><title>{E(d["title"])}</title>' + (f'<meta name=author content="{E(d["author"])}">' if d.get('author') else '') + f'<meta name="dcterms.created" content="{d["made"].strftime("%Y-%m-%dT%H:%M:%SZ")}"><style>{css}</style></head><body>' + '\n'.join(o) + '</body></html>'
FAM = {'n':('Liberation Sans','normal'),'b':('Liberation Sans','bold'),'m':('Liberation Mono','normal'),'s':('Liberation Serif','normal'),'sb':('Liberation Serif','bold'),'i':('Liberation Serif','normal'),'d':('DejaVu Sans','normal'),'db':('DejaVu Sans','bold')}
def wave_pts(x, y, w, h, i, n): return [(x + w*t/40, y + h*(i+.5)/n + h/n*1.3*math.sin(t*.5 + i*.55)) for t in range(41)]
def abs_html(d):
    W, H = d['size']; o = []
    for p in d['pages']:
        s = [f'<svg width="{W}mm" height="{H}mm" viewBox="0 0 {W} {H}" style="position:absolute;left:0;top:0">']; tx = []
        for q in p:
            k = q[0]
            if k == 'rect': s.append(f'<rect x="{q[1]}" y="{q[2]}" width="{q[3]}" height="{q[4]}" fill="{q[5] or "none"}" stroke="{q[6] or "none"}" stroke-width=".25" rx="{q[7]}"/>')
            elif k == 'line': s.append(f'<line x1="{q[1]}" y1="{q[2]}" x2="{q[3]}" y2="{q[4]}" stroke="{q[5]}" stroke-width=".25"/>')
            elif k == 'wave': [s.append(f'<polyline fill="none" stroke="{q[5]}" stroke-width=".12" points="' + ' '.join(f'{a:.2f},{b:.2f}' for a, b in wave_pts(*q[1:5], i, 14)) + '"/>') for i in range(14)]
            elif k == 'img': tx.append(f'<img src="{uri(q[5], "jpeg" if q[5][:2] == bytes([255,216]) else "png")}" style="position:absolute;left:{q[1]}mm;top:{q[2]}mm;width:{q[3]}mm;height:{q[4]}mm">')
            elif k == 'text': f, w = FAM[q[5]]; tx.append(f'<div style="position:absolute;left:{q[1]}mm;top:{q[2]-q[3]*.353:.2f}mm;font:{w} {q[3]}pt/1.15 \'{f}\';white-space:pre;color:{q[6]};{"font-style:italic" if q[5]=="i" else ""}">{E(q[4])}</div>')
        o.append(f'<div style="position:relative;width:{W}mm;height:{H-.5}mm;overflow:hidden;page-break-after:always">' + ''.join(s) + '</svg>' + ''.join(tx) + '</div>')
    o[-1] = o[-1].replace('page-break-after:always', '')
    return f'<!DOCTYPE html><html><head><meta charset=utf-8><title>{E(d["title"])}</title><meta name="dcterms.created" content="{d["made"].strftime("%Y-%m-%dT%H:%M:%SZ")}"><style>@page{{size:{W}mm {H}mm;margin:0}}body{{margin:0}}</style></head><body>' + ''.join(o) + '</body></html>'
def r_weasy(d, out):
    import weasyprint, logging; logging.getLogger('weasyprint').setLevel(logging.ERROR)
    weasyprint.HTML(string=abs_html(d) if 'pages' in d else flow_html(d)).write_pdf(out)
def r_chrome(d, out):
    with tempfile.TemporaryDirectory() as t:
        f = os.path.join(t, 'page.html'); open(f, 'w', encoding='utf8').write(abs_html(d) if 'pages' in d else flow_html(d)); n = ['--no-pdf-header-footer'] if d.get('nohf', True) else []
        subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', f'--user-data-dir={t}/p', *n, f'--print-to-pdf={out}', 'file://' + f], capture_output=True, timeout=90)
# ---------------------------------------------------------------- reportlab
RLF = {}
def rlfont(fam, style='Regular'):
    from reportlab.pdfbase import pdfmetrics; from reportlab.pdfbase.ttfonts import TTFont
    n = (fam + style).replace(' ', '')
    if n not in RLF:
        try: pdfmetrics.registerFont(TTFont(n, ttf(fam, style))); RLF[n] = n
        except Exception: RLF[n] = {'Regular':'Helvetica','Bold':'Helvetica-Bold'}.get(style, 'Helvetica')
    return RLF[n]
STD = {'n':'Helvetica','b':'Helvetica-Bold','m':'Courier','s':'Times-Roman','sb':'Times-Bold','i':'Times-Italic','d':'Helvetica','db':'Helvetica-Bold'}
def r_rlabs(d, out):
    from reportlab.pdfgen import canvas; from reportlab.lib.colors import HexColor as HC; from reportlab.lib.utils import ImageReader; mm = 72/25.4
    W, H = d['size']; c = canvas.Canvas(out, pagesize=(W*mm, H*mm)); c.setTitle(d['title']); c.setAuthor(d.get('author') or ''); c.setCreator(d.get('creator') or '')
    for p in d['pages']:
        for q in p:
            k = q[0]
            if k == 'rect':
                if q[5]: c.setFillColor(HC(q[5]))
                if q[6]: c.setStrokeColor(HC(q[6])); c.setLineWidth(.6)
                c.roundRect(q[1]*mm, (H-q[2]-q[4])*mm, q[3]*mm, q[4]*mm, q[7]*mm, fill=bool(q[5]), stroke=bool(q[6]))
            elif k == 'line': c.setStrokeColor(HC(q[5])); c.line(q[1]*mm, (H-q[2])*mm, q[3]*mm, (H-q[4])*mm)
            elif k == 'wave':
                c.setStrokeColor(HC(q[5])); c.setLineWidth(.3)
                for i in range(14):
                    pt = wave_pts(*q[1:5], i, 14); pa = c.beginPath(); pa.moveTo(pt[0][0]*mm, (H-pt[0][1])*mm); [pa.lineTo(a*mm, (H-b)*mm) for a, b in pt[1:]]; c.drawPath(pa)
            elif k == 'img': c.drawImage(ImageReader(io.BytesIO(q[5])), q[1]*mm, (H-q[2]-q[4])*mm, q[3]*mm, q[4]*mm)
            elif k == 'text': c.setFillColor(HC(q[6])); f = STD[q[5]] if d.get('stdfont') else rlfont(FAM[q[5]][0], 'Bold' if FAM[q[5]][1] == 'bold' else ('Italic' if q[5] == 'i' else 'Regular')); c.setFont(f, q[3]); c.drawString(q[1]*mm, (H-q[2])*mm, q[4])
        c.showPage()
    c.save()
def r_rl(d, out):
    from reportlab.platypus import SimpleDocTemplate, Paragraph, Spacer, Table, TableStyle, Image as RI, PageBreak, Preformatted, KeepTogether
    from reportlab.lib.styles import ParagraphStyle as PS; from reportlab.lib.colors import HexColor as HC, white; from reportlab.lib.pagesizes import A4, letter
    t = THEMES[d['theme']]; std = d.get('stdfont'); fn = ('Times-Roman' if d['theme'] in (3,7,9) else 'Helvetica') if std else rlfont(t['font']); fb = ('Times-Bold' if d['theme'] in (3,7,9) else 'Helvetica-Bold') if std else rlfont(t['font'], 'Bold'); z = t['size']; col = HC(t['col'])
    s = PS('n', fontName=fn, fontSize=z, leading=z*1.32); S = lambda **k: PS('x', parent=s, **k); pw = (letter if d.get('page') == 'letter' else A4); ma = d.get('margin', 18)*72/25.4; w = pw[0]-2*ma; o = []
    Pp = lambda x, st=s: Paragraph(E(x, quote=False), st)
    for b in d['blocks']:
        k = b[0]
        if k == 'head':
            txt = [Pp(b[1], S(fontName=fb, fontSize=z*1.5, leading=z*1.9, textColor=white if t['head']==1 else col))] + [Pp(x, S(fontSize=z*.8, leading=z, textColor=white if t['head']==1 else HC('#333333'))) for x in b[2]]
            im = RI(io.BytesIO(emblem(b[1], t['col'])), 36, 36); tb = Table([[txt, im]] if t['head'] in (2,3) else ([[im, txt]] if t['head']==0 else [[txt, '']]), colWidths=[w-50, 50] if t['head'] in (1,2,3) else [50, w-50])
            tb.setStyle(TableStyle([('VALIGN',(0,0),(-1,-1),'MIDDLE')] + ([('BACKGROUND',(0,0),(-1,-1),col)] if t['head']==1 else [('LINEBELOW',(0,0),(-1,-1),1,col)]))); o += [tb, Spacer(1, 8)]
        elif k == 'addr': o += [Spacer(1, 8)] + [Pp(x, S(leftIndent=265 if d.get('win','r')=='r' else 0)) for x in b[1]] + [Spacer(1, 12)]
        elif k == 'right': o.append(Pp(b[1], S(alignment=2)))
        elif k == 'title': o.append(Pp(b[1], S(fontName=fb, fontSize=z*1.4, leading=z*1.8, textColor=col, spaceBefore=8, spaceAfter=5)))
        elif k == 'sub': o.append(Pp(b[1], S(fontName=fb, textColor=col, spaceBefore=8, spaceAfter=3)))
        elif k == 'p': o.append(Pp(b[1], S(spaceAfter=4)))
        elif k == 'small': o.append(Pp(b[1], S(fontSize=z*.76, leading=z, textColor=HC('#444444'))))
        elif k == 'kv':
            if b[2] == 'colon': o += [Pp(f'{l}{" " if d["lang"]=="fr" else ""}: {v}') for l, v in b[1]]
            elif b[2] == 'none': o += [Pp(v) for l, v in b[1]]
            elif b[2] == 'under':
                n = 2 if max(len(v) for _, v in b[1]) > 24 else 3; ce = [[Pp(l, S(fontSize=z*.72, leading=z*.9, textColor=HC('#666666'))), Pp(v)] for l, v in b[1]]; ce += ['']*(-len(ce) % n)
                o.append(Table([ce[i:i+n] for i in range(0, len(ce), n)], colWidths=[w/n]*n, style=[('LEFTPADDING',(0,0),(-1,-1),0),('VALIGN',(0,0),(-1,-1),'TOP')]))
            else: o.append(Table([[Pp(l), Pp(v)] for l, v in b[1]], colWidths=[w*.42, w*.58], style=[('GRID',(0,0),(-1,-1),.4,HC('#888888')),('BACKGROUND',(0,0),(0,-1),HC('#f1f1ee')),('TOPPADDING',(0,0),(-1,-1),2),('BOTTOMPADDING',(0,0),(-1,-1),3)]))
            o.append(Spacer(1, 5))
        elif k == 'table':
            n = len(b[1]); R = S(alignment=2, fontSize=z*.92); L = S(fontSize=z*.92); f0 = .46 if n < 5 else .34; cw = [w*f0] + [w*(1-f0)/(n-1)]*(n-1); N = len(b[2])
            rows = [[Pp(x, S(textColor=white, fontName=fb, fontSize=z*.88, alignment=2 if i else 0)) for i, x in enumerate(b[1])]] + [[Pp(x, PS('y', parent=R if i else L, fontName=fb if j >= N-b[3] else fn)) for i, x in enumerate(row)] for j, row in enumerate(b[2])]
            o += [Spacer(1, 3), Table(rows, colWidths=cw, repeatRows=1, style=[('BACKGROUND',(0,0),(-1,0),col),('LINEBELOW',(0,1),(-1,-1),.3,HC('#bbbbbb')),('TOPPADDING',(0,0),(-1,-1),2),('BOTTOMPADDING',(0,0),(-1,-1),2)]), Spacer(1, 5)]
        elif k == 'box': o += [Table([[Pp(b[1], S(fontName=fb)), Pp(b[2], S(fontName=fb, fontSize=z*1.15, alignment=2))]], colWidths=[w*.6, w*.4], style=[('BOX',(0,0),(-1,-1),1.2,col)]), Spacer(1, 5)]
        elif k == 'mono': o.append(Preformatted('\n'.join(b[1]), S(fontName='Courier' if std else rlfont('Liberation Mono'), fontSize=z)))
        elif k == 'sig': o += [Spacer(1, 14), Pp(b[1], S(leftIndent=265)), Pp(b[2], S(leftIndent=265, fontName='Times-Italic', fontSize=z*1.4, leading=z*2, textColor=HC('#1a2a6c')))]
        elif k == 'qr': o.append(RI(io.BytesIO(qr_png(b[1])), 62, 62, hAlign='LEFT'))
        elif k == 'break': o.append(PageBreak())
    def foot(c, _):
        c.setFont(fn, 6.5); c.setFillColor(HC('#666666')); c.drawCentredString(pw[0]/2, 26, (d.get('foot') or '')[:150])
    SimpleDocTemplate(out, pagesize=pw, leftMargin=ma, rightMargin=ma, topMargin=ma, bottomMargin=48, title=d['title'], author=d.get('author') or '', creator=d.get('creator') or '').build(o, onFirstPage=foot, onLaterPages=foot)
# ---------------------------------------------------------------- typst
def r_typst(d, out):
    import typst; J = lambda s: '#' + json.dumps(s, ensure_ascii=False); t = THEMES[d['theme']]; col = t['col']; z = t['size']; m = d['made']; imgs = {}; o = []; td = tempfile.TemporaryDirectory()
    def img(b, w):
        n = f'i{len(imgs)}.' + ('jpg' if b[:2] == b'\xff\xd8' else 'png'); imgs[n] = 1; open(os.path.join(td.name, n), 'wb').write(b); return f'#image("{n}", {w})'
    T = lambda s, a: f'#text({a})[{J(s)}]'
    head = f'#set document(title: {json.dumps(d["title"], ensure_ascii=False)}, author: {json.dumps(d.get("author") or "", ensure_ascii=False)}, date: datetime(year: {m.year}, month: {m.month}, day: {m.day}, hour: {m.hour}, minute: {m.minute}, second: {m.second}))\n'
    if 'pages' in d:
        W, H = d['size']; o.append(f'#set page(width: {W}mm, height: {H}mm, margin: 0mm)\n#set text(ligatures: false)')
        for i, p in enumerate(d['pages']):
            if i: o.append('#pagebreak()')
            for q in p:
                k = q[0]; pl = lambda x, y, c: o.append(f'#place(top + left, dx: {x}mm, dy: {y:.2f}mm)[{c}]')
                if k == 'rect': pl(q[1], q[2], f'#rect(width: {q[3]}mm, height: {q[4]}mm, radius: {q[7]}mm' + (f', fill: rgb("{q[5]}")' if q[5] else '') + (f', stroke: .5pt + rgb("{q[6]}")' if q[6] else '') + ')')
                elif k == 'line': pl(q[1], q[2], f'#line(end: ({q[3]-q[1]}mm, {q[4]-q[2]}mm), stroke: .4pt + rgb("{q[5]}"))')
                elif k == 'img': pl(q[1], q[2], img(q[5], f'width: {q[3]}mm, height: {q[4]}mm, fit: "stretch"'))
                elif k == 'text': f, w = FAM[q[5]]; pl(q[1], q[2]-q[3]*.26, f'#box(width: 120mm)[#text(font: "{f}", size: {q[3]}pt, weight: "{"bold" if w=="bold" else "regular"}", fill: rgb("{q[6]}"), style: "{"italic" if q[5]=="i" else "normal"}")[{J(q[4])}]]')
    else:
        o.append(f'#set page(paper: "{"us-letter" if d.get("page")=="letter" else "a4"}", margin: {d.get("margin",18)}mm, footer: align(center, text(6.5pt, fill: gray)[{J(d.get("foot") or "")}]))\n#set text(font: "{t["font"]}", size: {z}pt, lang: "{d["lang"]}")\n#set par(leading: .5em, spacing: .75em)')
        for b in d['blocks']:
            k = b[0]
            if k == 'head':
                sub = ' \\ '.join(T(x, f'size: {z*.8}pt') for x in b[2])
                if t['head'] == 1: o.append(f'#block(fill: rgb("{col}"), width: 100%, inset: 8pt)[#set text(fill: white)\n#grid(columns: (1fr, auto))[{T(b[1], f"size: {z*1.5}pt, weight: {chr(34)}bold{chr(34)}")}][#align(right)[{sub}]]]')
                else: o.append(f'#grid(columns: (auto, 1fr), gutter: 8pt, align: horizon)[{img(emblem(b[1], col), "height: 13mm")}][{T(b[1], f"size: {z*1.5}pt, weight: {chr(34)}bold{chr(34)}, fill: rgb({chr(34)}{col}{chr(34)})")} \\ {sub}]\n#line(length: 100%, stroke: {t["lw"]}pt + rgb("{col}"))')
            elif k == 'addr': o.append(f'#pad(left: {"95" if d.get("win","r")=="r" else "0"}mm, y: 5mm)[' + ' \\ '.join(J(x) for x in b[1]) + ']')
            elif k == 'right': o.append(f'#align(right)[{J(b[1])}]')
            elif k == 'title': o.append('#v(4pt)\n' + T(b[1], f'size: {z*1.4}pt, weight: "bold", fill: rgb("{col}")') + '\n')
            elif k == 'sub': o.append('#v(3pt)\n' + T(b[1], f'weight: "bold", fill: rgb("{col}")') + '\n')
            elif k == 'p': o.append(J(b[1]) + '\n')
            elif k == 'small': o.append(T(b[1], f'size: {z*.76}pt, fill: rgb("#444444")') + '\n')
            elif k == 'kv':
                if b[2] == 'colon': o.append(' \\ '.join(f'{J(l + (" :" if d["lang"]=="fr" else ":"))} {J(v)}' for l, v in b[1]) + '\n')
                elif b[2] == 'none': o.append(' \\ '.join(J(v) for l, v in b[1]) + '\n')
                elif b[2] == 'under': o.append('#grid(columns: (1fr,)*3, gutter: 9pt,\n' + ',\n'.join(f'[{T(l, f"size: {z*.72}pt, fill: gray")} \\ {J(v)}]' for l, v in b[1]) + ')\n')
                else: o.append('#table(columns: (42%, 1fr), inset: 3.5pt, stroke: .4pt + gray,\n' + ',\n'.join(f'[{J(l)}],[{J(v)}]' for l, v in b[1]) + ')\n')
            elif k == 'table':
                n = len(b[1]); N = len(b[2]); o.append(f'#table(columns: (1.8fr, ' + '1fr, '*(n-1) + f'), inset: 3pt, stroke: (bottom: .3pt + gray), align: (x, y) => if x == 0 {{ left }} else {{ right }},\n' + ', '.join(f'table.cell(fill: rgb("{col}"))[{T(x, "fill: white, weight: " + chr(34) + "bold" + chr(34))}]' for x in b[1]) + ',\n' + ',\n'.join(', '.join('[' + (T(x, 'weight: "bold"') if i >= N-b[3] else J(x)) + ']' for x in row) for i, row in enumerate(b[2])) + ')\n')
            elif k == 'box': o.append(f'#rect(width: 100%, stroke: 1.2pt + rgb("{col}"), inset: 6pt)[#grid(columns: (1fr, auto))[{T(b[1], "weight: " + chr(34)+"bold"+chr(34))}][{T(b[2], f"size: {z*1.15}pt, weight: " + chr(34)+"bold"+chr(34))}]]')
            elif k == 'mono': o.append(' \\ '.join(T(x, 'font: "Liberation Mono"') for x in b[1]) + '\n')
            elif k == 'sig': o.append(f'#pad(left: 95mm, top: 5mm)[{J(b[1])} \\ {T(b[2], f"size: {z*1.4}pt, style: {chr(34)}italic{chr(34)}, font: {chr(34)}Liberation Serif{chr(34)}, fill: rgb({chr(34)}#1a2a6c{chr(34)})")}]')
            elif k == 'qr': o.append(img(qr_png(b[1]), 'width: 22mm') + '\n')
            elif k == 'break': o.append('#pagebreak()')
    f = os.path.join(td.name, 'm.typ'); open(f, 'w', encoding='utf8').write(head + '\n'.join(o)); typst.compile(f, output=out); td.cleanup()
# ---------------------------------------------------------------- LaTeX
def tex(s):
    for a, b in (('\\', '\\textbackslash{}'), ('&','\\&'),('%','\\%'),('$','\\$'),('#','\\#'),('_','\\_'),('{','{'),('~','\\textasciitilde{}'),('^','\\^{}'),('<','\\textless{}'),('>','\\textgreater{}'),('\u00a0','~'),('€','\\texteuro{}'),('£','\\pounds{}'),("'",'\\textquotesingle{}'),('º','\\textordmasculine{}'),('°','\\textdegree{}')): s = s.replace(a, b)
    return s
def r_latex(d, out):
    t = THEMES[d['theme']]; m = d['made']; f = {3:'\\usepackage{lmodern}', 7:'\\usepackage{newcent}', 9:'\\usepackage{charter}', 0:'\\usepackage{helvet}\\renewcommand\\familydefault{\\sfdefault}', 5:'\\usepackage{lmodern}\\renewcommand\\familydefault{\\sfdefault}'}.get(d['theme'], '\\usepackage{helvet}\\renewcommand\\familydefault{\\sfdefault}'); T = tex; o = []
    if '€' in str(d['blocks']): f = '\\usepackage{lmodern}' + ('' if d['theme'] in (3,7,9) else '\\renewcommand\\familydefault{\\sfdefault}')
    sp = '~' if d['lang'] == 'fr' else ''
    for b in d['blocks']:
        k = b[0]
        if k == 'head': o.append((r'{\color{a}\Large\bfseries ' if t['head'] != 3 else r'\begin{center}{\Large\scshape ') + T(b[1]) + r'}\\' + r'\\'.join(r'{\footnotesize ' + T(x) + '}' for x in b[2]) + (r'\end{center}' if t['head'] == 3 else r'\par\vspace{1mm}\hrule\vspace{3mm}'))
        elif k == 'addr': o.append(r'\vspace{4mm}' + (r'\hspace*{92mm}' if d.get('win','r') == 'r' else '') + r'\begin{tabular}{l}' + r'\\'.join(T(x) for x in b[1]) + r'\end{tabular}\par\vspace{6mm}')
        elif k == 'right': o.append(r'\begin{flushright}' + T(b[1]) + r'\end{flushright}')
        elif k == 'title': o.append(r'\vspace{2mm}{\color{a}\large\bfseries ' + T(b[1]) + r'\par}\vspace{2mm}')
        elif k == 'sub': o.append(r'\vspace{2mm}{\color{a}\bfseries ' + T(b[1]) + r'\par}\vspace{1mm}')
        elif k == 'p': o.append(T(b[1]) + r'\par\vspace{1.5mm}')
        elif k == 'small': o.append(r'{\scriptsize ' + T(b[1]) + r'\par}')
        elif k == 'kv':
            if b[2] == 'colon': o.append(r'\begin{tabular}{@{}l@{ }l}' + r'\\'.join(T(l) + sp + ': & ' + T(v) for l, v in b[1]) + r'\end{tabular}\par\vspace{2mm}')
            elif b[2] == 'none': o.append(r'\\'.join(T(v) for l, v in b[1]) + r'\par\vspace{2mm}')
            elif b[2] == 'under':
                for i in range(0, len(b[1]), 2): o.append(r'\begin{tabular}{@{}p{.5\linewidth}p{.45\linewidth}}' + ' & '.join(r'{\scriptsize ' + T(l) + '}' for l, v in b[1][i:i+2]) + r'\\' + ' & '.join(T(v) for l, v in b[1][i:i+2]) + r'\end{tabular}\par\vspace{1mm}')
            else: o.append(r'\begin{tabular}{|p{.38\linewidth}|p{.52\linewidth}|}\hline ' + r'\\\hline '.join(T(l) + ' & ' + T(v) for l, v in b[1]) + r'\\\hline\end{tabular}\par\vspace{2mm}')
        elif k == 'table': n = len(b[1]); N = len(b[2]); w = .42 if n < 5 else .3; o.append(r'\begin{tabular}{@{}p{%.2f\linewidth}' % w + r'>{\raggedleft\arraybackslash}p{%.3f\linewidth}' % ((.86-w)/(n-1))*(n-1) + r'}\toprule ' + ' & '.join(r'\textbf{' + T(x) + '}' for x in b[1]) + r'\\\midrule ' + ''.join((r'\midrule ' if i == N-b[3] else '') + ' & '.join((r'\textbf{' + T(x) + '}') if i >= N-b[3] else T(x) for x in row) + r'\\' for i, row in enumerate(b[2])) + r'\bottomrule\end{tabular}\par\vspace{2mm}')
        elif k == 'box': o.append(r'\fbox{\parbox{.96\linewidth}{\textbf{' + T(b[1]) + r'}\hfill\textbf{' + T(b[2]) + r'}}}\par\vspace{2mm}')
        elif k == 'mono': o.append(r'\\'.join(r'\texttt{' + T(x) + '}' for x in b[1]) + r'\par')
        elif k == 'sig': o.append(r'\vspace{6mm}\hspace*{92mm}\begin{tabular}{l}' + T(b[1]) + r'\\[3mm]\textit{\large ' + T(b[2]) + r'}\end{tabular}\par')
        elif k == 'break': o.append(r'\newpage')
    src = r'\documentclass[10pt%s]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{textcomp,xcolor,booktabs,array}%s\usepackage[margin=%dmm]{geometry}\definecolor{a}{HTML}{%s}\setlength\parindent{0pt}\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\renewcommand\headrulewidth{0pt}\cfoot{\tiny %s}\input{glyphtounicode}\pdfgentounicode=1\pdfinfo{/Title (%s) /CreationDate (%s) /ModDate (%s)}\begin{document}' % (',letterpaper' if d.get('page') == 'letter' else ',a4paper', f, d.get('margin', 20), t['col'][1:].upper(), T(d.get('foot') or ''), re.sub(r'[^\x20-\x7e]|[()#%_&\\{}$^~]', '', d['title']), m.strftime("D:%Y%m%d%H%M%S+01'00'"), m.strftime("D:%Y%m%d%H%M%S+01'00'")) + '\n'.join(o) + r'\end{document}'
    with tempfile.TemporaryDirectory() as td:
        open(os.path.join(td, 'd.tex'), 'w', encoding='utf8').write(src); p = subprocess.run(['pdflatex', '-interaction=nonstopmode', 'd.tex'], cwd=td, capture_output=True)
        if not os.path.exists(os.path.join(td, 'd.pdf')): raise RuntimeError(p.stdout.decode('latin1')[-900:])
        open(out, 'wb').write(open(os.path.join(td, 'd.pdf'), 'rb').read())
# ---------------------------------------------------------------- docx -> LibreOffice
def r_office(d, out):
    import docx; from docx.shared import Pt, RGBColor, Mm; from docx.enum.text import WD_ALIGN_PARAGRAPH as A
    t = THEMES[d['theme']]; D = docx.Document(); st = D.styles['Normal']; st.font.name = t['font']; st.font.size = Pt(t['size']); st.paragraph_format.space_after = Pt(3); col = RGBColor.from_string(t['col'][1:].upper()); se = D.sections[0]
    se.page_width, se.page_height = (Mm(215.9), Mm(279.4)) if d.get('page') == 'letter' else (Mm(210), Mm(297)); se.left_margin = se.right_margin = se.top_margin = Mm(d.get('margin', 20)); se.bottom_margin = Mm(18)
    D.core_properties.title = d['title']; D.core_properties.author = d.get('author') or ''
    def par(x, b=False, z=None, c=None, al=None, ind=None, it=False):
        p = D.add_paragraph(); r = p.add_run(x); r.bold = b; r.italic = it
        if z: r.font.size = Pt(z)
        if c is not None: r.font.color.rgb = c
        if al: p.alignment = al
        if ind: p.paragraph_format.left_indent = Mm(ind)
        return p
    z = t['size']
    for b in d['blocks']:
        k = b[0]
        if k == 'head':
            al = A.CENTER if t['head'] == 3 else (A.RIGHT if t['head'] == 2 else None); par(b[1], True, z*1.6, col, al).paragraph_format.space_after = Pt(0)
            for x in b[2]: par(x, z=z*.8, al=al).paragraph_format.space_after = Pt(0)
        elif k == 'addr': par('\n'.join(b[1]), ind=95 if d.get('win','r') == 'r' else 0).paragraph_format.space_before = Pt(14)
        elif k == 'right': par(b[1], al=A.RIGHT)
        elif k == 'title': par(b[1], True, z*1.35, col)
        elif k == 'sub': par(b[1], True, c=col)
        elif k == 'p': par(b[1])
        elif k == 'small': par(b[1], z=z*.78)
        elif k == 'kv':
            if b[2] == 'colon': [par(f'{l}{" " if d["lang"]=="fr" else ""}: {v}') for l, v in b[1]]
            elif b[2] == 'none': par('\n'.join(v for l, v in b[1]))
            elif b[2] == 'under':
                tb = D.add_table(0, 2)
                for i in range(0, len(b[1]), 2):
                    r1 = tb.add_row().cells
                    for j, (l, v) in enumerate(b[1][i:i+2]):
                        r1[j].paragraphs[0].add_run(l).font.size = Pt(z*.74); r1[j].add_paragraph(v)
            else:
                tb = D.add_table(0, 2); tb.style = 'Table Grid'
                for l, v in b[1]: cs = tb.add_row().cells; cs[0].text = l; cs[1].text = v
                D.add_paragraph()
        elif k == 'table':
            tb = D.add_table(1, len(b[1])); tb.style = 'Light Grid Accent 1' if d['theme'] % 2 else 'Table Grid'; N = len(b[2])
            for i, x in enumerate(b[1]): tb.rows[0].cells[i].text = ''; tb.rows[0].cells[i].paragraphs[0].add_run(x).bold = True
            for j, row in enumerate(b[2]):
                cs = tb.add_row().cells
                for i, x in enumerate(row): p = cs[i].paragraphs[0]; p.add_run(x).bold = j >= N-b[3]; p.alignment = A.RIGHT if i else A.LEFT
            D.add_paragraph()
        elif k == 'box': par(f'{b[1]}  {b[2]}', True, z*1.15)
        elif k == 'mono': [setattr(par(x).runs[0].font, 'name', 'Liberation Mono') for x in b[1]]
        elif k == 'sig': par(b[1], ind=95); par(b[2], it=True, z=z*1.4, ind=95)
        elif k == 'qr': D.add_picture(io.BytesIO(qr_png(b[1])), width=Mm(22))
        elif k == 'break': D.add_page_break()
    if d.get('foot'): p = se.footer.paragraphs[0]; r = p.add_run(d['foot']); r.font.size = Pt(6.5); p.alignment = A.CENTER
    if d.get('_docx'): D.save(d['_docx']); return
    with tempfile.TemporaryDirectory() as td:
        f = os.path.join(td, 'document.docx'); D.save(f); soffice(f, td); open(out, 'wb').write(open(os.path.join(td, 'document.pdf'), 'rb').read())
def soffice(f, outdir, fmt='pdf', *a):
    fs = f if isinstance(f, list) else [f]
    prof = os.path.join(tempfile.gettempdir(), 'aspen_lo_profile')
    subprocess.run(['soffice', f'-env:UserInstallation=file://{prof}', '--headless', *a, '--convert-to', fmt, '--outdir', outdir, *fs], capture_output=True, timeout=300)
# ---------------------------------------------------------------- fpdf2
def r_fpdf(d, out):
    from fpdf import FPDF; t = THEMES[d['theme']]; ab = 'pages' in d; W, H = d.get('size', (210, 297)); p = FPDF(unit='mm', format=(W, H) if ab else ('letter' if d.get('page') == 'letter' else 'A4'))
    p.set_title(d['title']); p.set_creation_date(d['made'].replace(tzinfo=dt.timezone.utc)); p.set_creator(d.get('creator') or ''); hx = lambda c: tuple(int(c[i:i+2], 16) for i in (1, 3, 5)); col = hx(t['col']); p.set_auto_page_break(not ab, 18)
    p.add_font('F', '', ttf(t['font'])); p.add_font('F', 'B', ttf(t['font'], 'Bold')); p.add_font('M', '', ttf('Liberation Mono')); p.add_font('I', '', ttf('Liberation Serif', 'Italic'))
    if ab:
        for k, (f, w) in FAM.items(): p.add_font('x' + k, '', ttf(f, 'Bold' if w == 'bold' else ('Italic' if k == 'i' else 'Regular')))
        for pg in d['pages']:
            p.add_page()
            for q in pg:
                k = q[0]
                if k == 'rect':
                    if q[5]: p.set_fill_color(*hx(q[5]))
                    if q[6]: p.set_draw_color(*hx(q[6]))
                    p.rect(q[1], q[2], q[3], q[4], style=('F' if q[5] else '') + ('D' if q[6] else ''), round_corners=q[7] > 0, corner_radius=q[7])
                elif k == 'line': p.set_draw_color(*hx(q[5])); p.line(*q[1:5])
                elif k == 'wave': p.set_draw_color(*hx(q[5])); p.set_line_width(.1); [p.polyline(wave_pts(*q[1:5], i, 14)) for i in range(14)]
                elif k == 'img': p.image(io.BytesIO(q[5]), q[1], q[2], q[3], q[4])
                elif k == 'text': p.set_font('x' + q[5], '', q[3]); p.set_text_color(*hx(q[6])); p.text(q[1], q[2], q[4])
        p.output(out); return
    z = t['size']; ma = d.get('margin', 16); p.set_margins(ma, ma, ma); p.add_page(); w = p.epw; lh = z*.46
    def T(x, st='', s=z, c=(17,17,17), al='L', ind=0): p.set_font('F', st, s); p.set_text_color(*c); p.set_x(ma+ind); p.multi_cell(w-ind, s*.46, x, align=al, new_x='LMARGIN', new_y='NEXT')
    for b in d['blocks']:
        k = b[0]
        if k == 'head':
            if t['head'] == 1: p.set_fill_color(*col); p.rect(0, 0, p.w, 22, 'F'); p.set_y(5); T(b[1], 'B', z*1.5, (255,255,255)); [T(x, '', z*.75, (255,255,255)) for x in b[2][:2]]; p.set_y(26)
            else: p.image(io.BytesIO(emblem(b[1], t['col'])), p.w-ma-12 if t['head'] == 2 else ma, ma-4, 12); ind = 0 if t['head'] == 2 else 15; T(b[1], 'B', z*1.5, col, ind=ind); [T(x, '', z*.78, ind=ind) for x in b[2]]; p.ln(4)
        elif k == 'addr': p.ln(3); [T(x, ind=98 if d.get('win','r') == 'r' else 0) for x in b[1]]; p.ln(6)
        elif k == 'right': T(b[1], al='R')
        elif k == 'title': p.ln(2); T(b[1], 'B', z*1.4, col); p.ln(2)
        elif k == 'sub': p.ln(1.5); T(b[1], 'B', z, col)
        elif k == 'p': T(b[1]); p.ln(1.4)
        elif k == 'small': T(b[1], '', z*.76, (70,70,70))
        elif k == 'kv':
            if b[2] == 'none': [T(v) for l, v in b[1]]
            elif b[2] == 'colon':
                for l, v in b[1]: p.set_font('F', '', z); p.cell(62, lh, l + (' :' if d['lang'] == 'fr' else ':')); T(v, ind=62)
            elif b[2] == 'under':
                for i in range(0, len(b[1]), 2):
                    y = p.get_y()
                    for j, (l, v) in enumerate(b[1][i:i+2]): p.set_xy(ma + j*w/2, y); p.set_font('F', '', z*.72); p.set_text_color(110,110,110); p.cell(w/2, 3.4, l); p.set_xy(ma + j*w/2, y+3.4); p.set_font('F', '', z); p.set_text_color(17,17,17); p.cell(w/2, 4.4, v)
                    p.set_xy(ma, y+10)
            else:
                p.set_draw_color(140,140,140)
                for l, v in b[1]: p.set_font('F', '', z); p.cell(w*.4, 5.6, l, border=1); p.cell(w*.6, 5.6, v, border=1, new_x='LMARGIN', new_y='NEXT')
            p.ln(2)
        elif k == 'table':
            n = len(b[1]); f0 = .46 if n < 5 else .34; cw = [w*f0] + [w*(1-f0)/(n-1)]*(n-1); p.set_fill_color(*col); p.set_text_color(255,255,255); p.set_font('F', 'B', z*.86); [p.cell(cw[i], 5.6, x, fill=True, align='R' if i else 'L') for i, x in enumerate(b[1])]; p.ln(); p.set_text_color(17,17,17); N = len(b[2])
            for j, row in enumerate(b[2]): p.set_font('F', 'B' if j >= N-b[3] else '', z*.9); [p.cell(cw[i], 5.2, x, border='B', align='R' if i else 'L') for i, x in enumerate(row)]; p.ln()
            p.ln(2)
        elif k == 'box': p.set_draw_color(*col); p.set_font('F', 'B', z*1.1); p.cell(w*.6, 9, b[1], border='LTB'); p.cell(w*.4, 9, b[2], border='RTB', align='R', new_x='LMARGIN', new_y='NEXT'); p.ln(2)
        elif k == 'mono': p.set_font('M', '', z); [p.cell(w, 4.5, x, new_x='LMARGIN', new_y='NEXT') for x in b[1]]
        elif k == 'sig': p.ln(6); T(b[1], ind=98); p.set_font('I', '', z*1.4); p.set_x(ma+98); p.cell(60, 9, b[2], new_x='LMARGIN', new_y='NEXT')
        elif k == 'qr': p.image(io.BytesIO(qr_png(b[1])), ma, p.get_y(), 20); p.ln(22)
        elif k == 'break': p.add_page()
    if d.get('foot'): p.set_auto_page_break(False); p.set_y(-13); p.set_font('F', '', 6.3); p.set_text_color(110,110,110); p.cell(w, 4, d['foot'], align='C')
    p.output(out)
BACK = dict(weasy=r_weasy, chrome=r_chrome, rl=lambda d, o: (r_rlabs if 'pages' in d else r_rl)(d, o), typst=r_typst, latex=r_latex, office=r_office, fpdf=r_fpdf)
NAMES = dict(weasy='WeasyPrint', chrome='Chromium', rl='ReportLab', typst='typst', latex='pdfTeX', office='LibreOffice', fpdf='fpdf2')
def backdate(path, when):
    """Put the day of making into the dates of the file, in place (same length)."""
    b = open(path, 'rb').read(); s = when.strftime('%Y%m%d%H%M%S').encode(); now = dt.datetime.utcnow().strftime('%Y').encode()
    b = re.sub(rb'D:20\d{12}', b'D:' + s, b); b = re.sub(rb'(<xmp:(?:Create|Modify|Metadata)Date>)20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d', rb'\g<1>' + when.strftime('%Y-%m-%dT%H:%M:%S').encode(), b); open(path, 'wb').write(b)
def render(d, out, done=False):
    if not done: BACK[d['backend']](d, out)
    backdate(out, d['made'])
    if d.get('claim'):
        import pikepdf
        with pikepdf.open(out, allow_overwriting_input=True) as p:
            pr, cr = d['claim']; p.docinfo['/Producer'] = pr
            if cr: p.docinfo['/Creator'] = cr
            elif '/Creator' in p.docinfo: del p.docinfo['/Creator']
            if '/Metadata' in p.Root: del p.Root.Metadata
            p.save(out)
    return out
