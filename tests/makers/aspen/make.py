"""make.py --out FOLDER --seed N : the labelled set of maker aspen."""
import argparse, os, sys, json, hashlib, random, tempfile, time, collections, warnings, logging
warnings.filterwarnings('ignore'); logging.disable(logging.WARNING)
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from data import *; import designs; from designs import REG; from render import *; import render as RN; from process import *
MAKER = 'aspen'; TYPES = 'IDENTITY_CARD PASSPORT RESIDENCE_PERMIT DRIVING_LICENCE VEHICLE_REGISTRATION BANK_DETAILS PAYSLIP TAX_NOTICE INVOICE PROOF_OF_ADDRESS COMPANY_REGISTRATION INSURANCE_CERTIFICATE'.split()
ID_ = ['lastName','firstName','birthDate','documentNumber','expiryDate','nationality']; AD = ['lastName','firstName','address','postCode','city']
FIELDS = dict(IDENTITY_CARD=ID_, PASSPORT=ID_, RESIDENCE_PERMIT=ID_, DRIVING_LICENCE=ID_[:5], VEHICLE_REGISTRATION=['registrationNumber']+AD+['issueDate'], BANK_DETAILS=['iban','bic','accountHolder'], PAYSLIP=['lastName','firstName','netAmount','postCode','city'], TAX_NOTICE=AD+['totalAmount','documentNumber'], INVOICE=['invoiceNumber','issueDate','totalAmount','issuer','iban'], PROOF_OF_ADDRESS=AD+['issueDate','issuer'], COMPANY_REGISTRATION=['companyName','registrationNumber','address','postCode','city'], INSURANCE_CERTIFICATE=['policyNumber','lastName','firstName','issuer','postCode','city'], OTHER=[])
ABBR = [('avenue','av.'),('boulevard','bd'),('rue','r.'),('place','pl.'),('chemin','ch.'),('Street','St'),('Road','Rd'),('Avenue','Ave'),('Boulevard','Blvd'),('Lane','Ln'),('straße','str.'),('Chaussée','Ch.'),('Apartment','Apt'),('Calle','C/')]
def typed(f, v, d, r):
    """The printed value as people type it."""
    c = d['c']; o = []
    if f in d['dv']: x = d['dv'][f]; o = [x.isoformat(), dlong(x, 'GB' if LANGC[c] == 'en' else c)] + ([f'{x:%d/%m/%Y}', f'{x:%d.%m.%Y}', f'{x.day}/{x.month}/{x.year}', f'{x:%d-%m-%Y}'] if c not in ('US','CA') else [f'{MON["en"][x.month-1][:3]} {x.day}, {x.year}'])
    elif 'Amount' in f: x = d['cv'][f]; o = [f'{x/100:.2f}'] + ([f'{x/100:.2f}'.replace('.', ','), num(x, c) + ' EUR'] if c in ('FR','BE','DE','ES','IT','NL','PT') else [num(x, c)])
    elif f in ('iban','documentNumber','registrationNumber','policyNumber','bic','invoiceNumber'): o = [re.sub(r'\s', '', v), v.lower(), v.replace(' ', '').lower(), v] + ([v.replace('-', ' '), v.replace('-', '')] if f == 'registrationNumber' and '-' in v else [])
    elif f == 'address':
        o = [v.upper(), strip(v), v.lower()]
        for a, b in ABBR:
            if a in v: o += [v.replace(a, b)]*2; break
    elif f == 'accountHolder': w = re.sub(r'^(M\.|Mme|Mr|Ms) ', '', v); o = [strip(w).upper(), w.lower(), w] + ([' '.join(w.split()[1:] + w.split()[:1])] if len(w.split()) == 2 and not any(l in v for l in sum(LEGAL.values(), [])) else [])
    elif f == 'postCode': o = [v, v.replace(' ', ''), v.lower()]
    else: o = [v.upper(), strip(v), strip(v).lower(), v.title() if "’" not in v else v, v.replace('-', ' ')] + ([v.replace('’', "'")] if '’' in v else [])
    return r.choice(o)
def other(f, v, d, r):
    """Another value than the printed one."""
    c = d['c']
    for _ in range(60):
        P = person(r, c); n = v
        if f in d['dv']: x = d['dv'][f]; x = x + dt.timedelta(days=r.choice([1, -1, 10, 31, 365, -730])); n = r.choice([x.isoformat(), dlong(x, 'GB' if LANGC[c] == 'en' else c)])
        elif 'Amount' in f: x = d['cv'][f]; n = f'{(x + r.choice([100, -1000, 10000, 90, 9, 100000]))/100:.2f}'
        elif f == 'lastName': n = P.last
        elif f == 'firstName': n = P.first.split()[0]
        elif f == 'accountHolder': n = P.full
        elif f == 'city': n = P.city
        elif f == 'address': n = re.sub(r'\d+', lambda m: str(int(m.group())+r.choice([2, 10])), v, count=1) if r.random() < .5 else P.street
        elif f == 'nationality': n = r.choice(['Italienne','Portugaise','Espagnole'] if d['lang'] == 'fr' else ['Italian','Portuguese','Spanish'])
        elif f in ('issuer','companyName'): n = company(r, c).name
        else:
            ix = [i for i, ch in enumerate(v) if ch.isdigit()]
            if not ix: n = v[:-2] + ('XK' if v[-2:] != 'XK' else 'RT')
            else: i = r.choice(ix); n = v[:i] + str((int(v[i]) + r.randint(1, 9)) % 10) + v[i+1:]
        if strip(n).lower().replace(' ', '') not in strip(v).lower().replace(' ', '') and strip(v).lower() not in strip(n).lower(): return n
    raise ValueError(f)
def made_up(f, d, r):
    c = d['c']; P = person(r, c if c not in ('XX',) else 'FR')
    if f == 'iban': b = bank_account(r, c if c not in ('US','CA','QC') else 'FR'); return grp(b['iban'])
    return {'bic': r.choice(['BNXDFRPP','KRTZGB2L','MLVBBE22']), 'nationality': r.choice(['Française','British','Belge']), 'postCode': P.pc, 'city': P.city, 'issueDate': dshort(day(r), c), 'address': P.street, 'firstName': P.first, 'lastName': P.last}.get(f, digs(r, 8))
def entries(d, r, bal):
    fs = FIELDS[d['type']]; pr = [f for f in fs if f in d['fields']]; ms = [f for f in fs if f not in d['fields']]; out = []; r.shuffle(pr); pr = pr[:r.randint(max(3 - len(ms), min(4, len(pr))), len(pr))] if len(pr) > 3 else pr
    for f in pr:
        v = d['fields'][f]
        if bal[0] <= bal[1]: bal[0] += 1; out.append(dict(field=f, value=typed(f, v, d, r), expected='MATCH', how='as typed'))
        else: bal[1] += 1; out.append(dict(field=f, value=other(f, v, d, r), expected='MISMATCH', how='other value'))
        if r.random() < .35: bal.sort(reverse=r.random() < .5) if False else None
    r.shuffle(bal) if abs(bal[0]-bal[1]) <= 1 else None
    for f in ms: out.append(dict(field=f, value=made_up(f, d, r), expected='MISSING', how='not printed'))
    return out
def plan(n, r, other_n, foreign):
    ty = ['OTHER']*other_n; t2 = TYPES[:]; r.shuffle(t2); i = 0
    while len(ty) < n: ty.append(t2[i % 12]); i += 1
    res = []; fr = en = 0
    for t in ty:
        if t in ('INVOICE','PROOF_OF_ADDRESS') and foreign > 0: l = 'xx'; foreign -= 1
        elif fr*42 <= en*51: l = 'fr'; fr += 1
        else: l = 'en'; en += 1
        res.append((t, l))
    r.shuffle(res); return res
CNT = collections.Counter()
def pick(t, l, r, test=None):
    if l == 'xx': l = ['de','es','it','nl','pt'][CNT['xx'] % 5]; CNT['xx'] += 1
    L = REG[(t, l)]; 
    for _ in range(len(L)):
        k, f = L[CNT[(t, l)] % len(L)]; CNT[(t, l)] += 1; d = f(r); d.update(type=t, kind=k, _f=f)
        if test is None or test(d): return d
    return d
def main():
    ap = argparse.ArgumentParser(); ap.add_argument('--out', required=True); ap.add_argument('--seed', type=int, default=811); ap.add_argument('--part', type=float, default=1); a = ap.parse_args(); r = random.Random(a.seed); out = a.out; os.makedirs(out, exist_ok=True); T0 = time.time()
    for x in os.listdir(out):
        if x.endswith(('.pdf','.jpg','.png','.json')): os.remove(os.path.join(out, x))
    tmp = tempfile.TemporaryDirectory(); td = tmp.name; k = lambda n: max(4, round(n*a.part)); jobs = []
    for cl, n, o_, f_ in (('f', k(80), k(6), k(6)), ('b', k(50), k(4), k(3)), ('g', k(100), k(8), k(7)), ('s', k(100), k(8), k(7))):
        for i, (t, l) in enumerate(plan(n, r, o_, f_)): jobs.append([cl, i, t, l, n])
    docs = []; offs = []; ways = list(FORGE)
    for cl, i, t, l, n in jobs:
        if cl == 'f': docs.append((cl, i, t, l, None)); continue
        d = pick(t, l, r)
        if d['backend'] == 'office' and cl in 'gb' and len(offs) < 13: d['_docx'] = os.path.join(td, f'o{len(offs):03d}.docx'); offs.append(d); BACK['office'](d, None)
        elif d['backend'] == 'office': d['backend'] = 'weasy' if i % 2 else 'rl'
        if d['backend'] == 'chrome' and (cl in 'sb' or i % 2): d['backend'] = 'weasy'
        docs.append((cl, i, t, l, d))
    for j in range(0, len(offs), 12): RN.soffice([d['_docx'] for d in offs[j:j+12]], td)
    for d in offs:
        if not os.path.exists(d['_docx'][:-4] + 'pdf'): d['backend'] = 'rl'; d.pop('_docx'); print('office conversion failed, drawn otherwise')
    print('planned', round(time.time()-T0)); docj = []; bal = [0, 0]; err = []; med = ['scan_pdf','scan_jpeg','scan_pdf','scan_jpeg','scan_png']; hist = collections.Counter(); seq = 0
    def base(d, p): render(d, p, done='_docx' in d) if '_docx' not in d else (open(p, 'wb').write(open(d['_docx'][:-4] + 'pdf', 'rb').read()), render(d, p, True))
    def label(d, fn, cl, medium, kind, **k):
        b = open(os.path.join(out, fn), 'rb').read(); j = dict(id=fn.rsplit('.', 1)[0], file=fn, sha256=hashlib.sha256(b).hexdigest(), **{'class': cl}, medium=medium, kind=kind, type=d['type'], lang=d['lang'], producer=k.pop('producer', None) or (d['claim'][0] if d.get('claim') else NAMES[d['backend']]), layout=d['layout'], fields=d['fields'], **k); j['_d'] = d; docj.append(j)
    order = list(range(len(docs))); names = [f'{x:04d}' for x in range(1, len(docs)+1)]; r.shuffle(names)
    for (cl, i, t, l, d), nm in zip(docs, names):
        nm = 'asp_' + nm; src = os.path.join(td, nm + '_s.pdf')
        try:
            if cl == 'g': p = os.path.join(out, nm + '.pdf'); base(d, p); label(d, nm + '.pdf', 'genuine', 'pdf', d['kind'], entries=entries(d, r, bal))
            elif cl == 's':
                base(d, src); m = med[i % 5]; fn = nm + {'scan_pdf':'.pdf','scan_jpeg':'.jpg','scan_png':'.png'}[m]; when = min(dt.datetime.combine(max(d['date'], REF - dt.timedelta(days=r.randint(1, 90))), dt.time(r.randint(8, 20), r.randint(0, 59), r.randint(0, 59))), dt.datetime(2026, 11, 22, 21)); x = scan(src, os.path.join(out, fn), m, r, when, card='pages' in d); label(d, fn, 'genuine', m, d['kind'], scan=x, producer='scanner/' + x['mode'], entries=entries(d, r, bal))
            elif cl == 'b':
                base(d, src); kd, f = BENIGN[i % len(BENIGN)]; fn = nm + '.pdf'; f(src, os.path.join(out, fn), r, d); assert os.path.getsize(os.path.join(out, fn)) > 800, 'empty'; label(d, fn, 'benign', 'scan_pdf' if kd.startswith('scan') else 'pdf', kd, design=d['kind'])
            else:
                way = ways[i % len(ways)]; fn = nm + '.pdf'; o = os.path.join(out, fn)
                for att in range(14):
                    try:
                        tt = t
                        if way == 'web page altered before printing':
                            ll = l; c = [(q, kk, f) for (q, lg), L in REG.items() for kk, f in L if lg == (l if l != 'xx' else 'fr') and q != 'OTHER']; q, kk, f = r.choice(c); d = f(r); d.update(type=q, kind=kk, _f=f)
                            if d['backend'] != 'chrome' and att < 13: 
                                for _ in range(60):
                                    q, kk, f = r.choice(c); d = f(r); d.update(type=q, kind=kk, _f=f)
                                    if d['backend'] == 'chrome': break
                            what, new = contradict(d, r); render(d, o); assert nz(new) in nz(text(o)), 'not shown'; break
                        if (way[:4] in ('made', 'clip') and tt == 'OTHER') or att > 4: tt = r.choice([x for x in TYPES if x != 'DRIVING_LICENCE'])
                        d = pick(tt, l if tt == t or l != 'xx' else 'en', r, (lambda x: x['backend'] in ('rl','fpdf','typst','weasy')) if way.startswith('glyph') else None)
                        if d['backend'] == 'office': d['backend'] = 'rl'
                        if way == 'made up with inner contradiction':
                            what, new = contradict(d, r); d['backend'] = {'rl':'fpdf','fpdf':'rl','weasy':'fpdf','chrome':'typst','typst':'weasy','latex':'rl'}[d['backend']]; d['claim'] = r.choice([('Microsoft® Word 2019','Microsoft® Word 2019'),('Canva','Canva'),('PDFCreator 5.1','PDFCreator'),('macOS Version 14.4 Quartz PDFContext','Pages')]); render(d, o); assert nz(new) in nz(text(o)), 'not shown'; break
                        if att > 2 and way.startswith('glyph'): d['backend'] = 'rl'; d['stdfont'] = True; d['theme'] = 0
                        render(d, src); d['_text'] = text(src); fl, v, n = alter(d, r); d['_fld'] = fl
                        if way.startswith('clipping') and fl == 'text': raise ValueError
                        if way.startswith('glyph') or way.startswith('page pic') or way.startswith('clipping'): n = {'g': w_stream, 'p': w_raster, 'c': w_splice}[way[0]](src, o, v, n, r, d) or n
                        else: FORGE[way](src, o, v, n, r, d)
                        if 'picture' not in way: assert nz(n) in nz(text(o)) or (way.startswith('covering') and any(n == x.info.get('content') for x in pymupdf.open(o)[0].annots())), 'not shown'
                        a1, a2 = [pymupdf.open(x)[0].get_pixmap(dpi=60, alpha=False).samples for x in (src, o)]; assert a1 != a2, 'looks the same'
                        if fl in d['fields']: d['fields'][fl] = n
                        what = f'{fl}: {v} -> {n}'; break
                    except Exception as e: last = repr(e)[:90]
                else: raise RuntimeError(f'{way}: {last}')
                label(d, fn, 'forged_pdf', 'pdf', way, what=what, design=d['kind'])
        except Exception as e: err.append(f'{cl} {nm} {t} {l} {d and d.get("kind")} {i}: {e!r}'[:260]); print('!', err[-1], flush=True)
        seq += 1
        if seq % 40 == 0: print(seq, round(time.time()-T0), flush=True)
    # ------------------------------------------------------------ own promises
    def chk(c, m):
        if not c: err.append(m)
    for j in docj:
        d = j.pop('_d'); p = os.path.join(out, j['file']); F = j['fields']
        try:
            if j['file'].endswith('.pdf'):
                with pymupdf.open(p) as q: t = ' '.join(x.get_text() for x in q); q[0].get_pixmap(dpi=30)
                if j['medium'] == 'pdf' and j['class'] != 'forged_pdf':
                    for a_, v in F.items(): chk(nz(v) in nz(t), f"{j['file']} {j['kind']} {a_} not in text: {v}")
            else: Image.open(p).load()
        except Exception as e: chk(False, f"{j['file']} does not open {e!r}"[:200])
        if j['class'] != 'forged_pdf':
            if d.get('mrz'): chk(mrz_ok(d['mrz']), f"{j['file']} MRZ {d['kind']} {d['mrz']}")
            if 'iban' in F: chk(iban_ok(F['iban']), f"{j['file']} IBAN")
        for e in j.get('entries', []):
            v = F.get(e['field']); n1 = strip(e['value']).lower().replace(' ', '')
            if e['expected'] == 'MISSING': chk(v is None, f"{j['file']} MISSING but printed")
            elif e['expected'] == 'MISMATCH': chk(n1 != strip(v).lower().replace(' ', ''), f"{j['file']} mismatch equal")
        if j['class'] == 'genuine' and j['type'] != 'OTHER': chk(3 <= len(j['entries']) <= 9, f"{j['file']} entries {len(j['entries'])}")
        if j['class'] == 'forged_pdf': chk('->' in j['what'], f"{j['file']} what")
        chk(set(F) <= set(FIELDS[j['type']]), f"{j['file']} fields")
    chk(len({j['sha256'] for j in docj}) == len(docj), 'same file twice')
    docj.sort(key=lambda j: j['id']); json.dump(dict(maker=MAKER, reference_date='2026-11-25', seed=a.seed, documents=docj), open(os.path.join(out, 'labels.json'), 'w', encoding='utf8'), ensure_ascii=False, indent=1)
    C = collections.Counter
    print(len(docj), C(j['class'] for j in docj), C(j['medium'] for j in docj)); print(C(j['type'] for j in docj)); print(C(j['lang'] for j in docj)); print(C(j['layout'] for j in docj)); print(C(j['producer'] for j in docj)); print(C(j['kind'] for j in docj if j['class'] in ('benign',))); print(C(j['kind'] for j in docj if j['class'] == 'forged_pdf')); print(C(e['expected'] for j in docj for e in j.get('entries', [])))
    print('seconds', round(time.time()-T0), 'FAILS', len(err)); [print(' -', e) for e in err]
main()
