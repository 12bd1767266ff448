"""Makes the set: genuine, scanned, honestly handled and forged documents, and labels.json. Ends with 1 if a promise is broken."""
import argparse
import collections
import datetime as dt
import hashlib
import io
import json
import random
import re
import subprocess
import sys
import tempfile
import warnings
from decimal import Decimal as D
from pathlib import Path

import cv2
import numpy as np
import pikepdf
from docx import Document

import en_docs
import fr_docs
import ids
import other_docs
import process as pr
from engines import CACHE, CLAIMS, ENV, NAMES as ENGINE_NAMES, finish, prepare, render
from world import LANG, NAMES, PLACES, W, fdate, iban_ok, money, mrz_check, plain, squash

warnings.filterwarnings('ignore')
TYPES = {
    'IDENTITY_CARD': 'lastName firstName birthDate documentNumber expiryDate nationality',
        'PASSPORT': 'lastName firstName birthDate documentNumber expiryDate nationality',
    'RESIDENCE_PERMIT': 'lastName firstName birthDate documentNumber expiryDate nationality',
        'DRIVING_LICENCE': 'lastName firstName birthDate documentNumber expiryDate',
    'VEHICLE_REGISTRATION': 'registrationNumber lastName firstName address postCode city issueDate', 'BANK_DETAILS': 'iban bic accountHolder',
    'PAYSLIP': 'lastName firstName netAmount postCode city', 'TAX_NOTICE': 'lastName firstName address postCode city totalAmount documentNumber',
    'INVOICE': 'invoiceNumber issueDate totalAmount issuer iban', 'PROOF_OF_ADDRESS': 'lastName firstName address postCode city issueDate issuer',
    'COMPANY_REGISTRATION': 'companyName registrationNumber address postCode city',
        'INSURANCE_CERTIFICATE': 'policyNumber lastName firstName issuer postCode city', 'OTHER': ''}
TYPES = {k: v.split() for k, v in TYPES.items()}
POOL = ids.DESIGNS + fr_docs.DESIGNS + en_docs.DESIGNS + other_docs.DESIGNS
BY = collections.defaultdict(list)
for _d in POOL:
    BY[_d[0], {'fr': 'fr', 'en': 'en'}.get(LANG[_d[1]], 'x')].append(_d)
PATTERN = 'fr en fr x fr en fr en'.split()
TESS = {'fr': 'fra', 'en': 'eng', 'de': 'deu', 'es': 'spa', 'it': 'ita', 'nl': 'nld', 'pt': 'por'}


def build(design, seed, bend=None):
    """One document: the same seed gives the same values, a bend changes one of them."""
    typ, cc, fn = design
    w = W(seed, bend)
    s = fn(w)
    cc = s.get('cc', cc)
    r = random.Random(f'file {seed}')
    if typ in ('INVOICE', 'PROOF_OF_ADDRESS', 'PAYSLIP', 'TAX_NOTICE', 'INSURANCE_CERTIFICATE', 'BANK_DETAILS') and s['engine'] in ('weasy', 'chrome'):
        s['src'] = fr_docs.small_print(s['src'], LANG[cc], seed)
    doc = dict(w=w, type=typ, country=cc, lang=s.get('lang', LANG[cc]), layout=s['layout'], day=s['day'], engine=s['engine'], src=s['src'], seed=seed,
        design=design, new={})
    doc['claim'] = s.get('claim') or (r.choice(CLAIMS) if s['engine'] == 'weasy' and r.random() < .35 else None)
    doc['bare'] = not doc['claim'] and r.random() < .07
    doc['producer'] = (' / '.join(x for x in doc['claim'] if x) if doc['claim'] else 'none (made by '
        '' + ENGINE_NAMES[s['engine']] + ')' if doc['bare'] else ENGINE_NAMES[s['engine']])
    name = fn.__name__
    if name == '<lambda>':
        name = next((getattr(x, '__name__', '') for x in (fn.__defaults__ or ()) if callable(x)),
            '') or next((n for n in fn.__code__.co_names if n.islower()), typ.lower())
    doc['kind'] = f'{name}_{cc}'.lower()
    doc['data'] = finish(render(s['engine'], s['src']), s['engine'], s['day'], seed, doc['claim'], doc['bare'])
    return doc


def rerender(doc, engine=None):
    """A function that sets the document again with one value changed in its source."""
    def fn(old, new):
        e, src = engine or doc['engine'], doc['src']
        if doc['engine'] in ('weasy', 'chrome', 'typst', 'latex'):
            for a, b in ((old, new), (old.replace('\u00a0', '~'), new.replace('\u00a0', '~'))):
                if a in src:
                    return finish(render(e, src.replace(a, b)), e, doc['day'], doc['seed'], doc['claim'], doc['bare'])
            return None
        if engine:
            return None
        if doc['engine'] == 'listing':
            new_ = new + ' ' * (len(old) - len(new))
            return finish(render('listing', [src[0]] + [x.replace(old, new_) for x in src[1:]]), 'listing', doc['day'], doc['seed'], doc['claim'], doc['bare'])
        if doc['engine'] == 'office':
            b = io.BytesIO()
            src.save(b)
            d = Document(io.BytesIO(b.getvalue()))
            paras = list(d.paragraphs) + [p for t in d.tables for c in t._cells for p in c.paragraphs]
            for p in paras:
                for x in p.runs:
                    x.text = x.text.replace(old, new) if old in x.text else x.text
            return finish(render('office', d), 'office', doc['day'], doc['seed'], doc['claim'], doc['bare'])
    return fn


# ------------------------------------------------------------------ what a person would type
def typed(f, cc):
    if f.kind == 'date' and f.printed in (fdate(f.canon, 'pass'), fdate(f.canon, '/2'), fdate(f.canon, '.2')):
        return fdate(f.canon, {'US': 'us', 'CA': 'iso'}.get(cc, '/'))
    return f.printed.replace('\u00a0', ' ').replace('\u202f', ' ')


def date_forms(d):
    out = {fdate(d, s, lang) for s in ('/', '.', 'iso', 'us', 'us_long', 'long', 'mon', 'pass', '/2', 'c') for lang in ('fr', 'en', 'de', 'es', 'it', 'nl',
        'pt')}
    return out | {f'{d.day}/{d.month}/{d.year}', d.strftime('%y%m%d')}


def other_way(f, cc, r):
    """The same value as another person would write it."""
    v = typed(f, cc)
    if f.kind == 'date':
        return fdate(f.canon, r.choice(['iso', 'us_long', 'us']) if cc == 'US' else r.choice(['iso', 'mon', 'us_long']) if cc == 'CA' else r.choice(['/', '.',
            'iso', '-', 'mon' if LANG[cc] == 'en' else 'long']), LANG[cc]), 'date notation'
    if f.kind == 'amount':
        plain_ = f'{f.canon:.2f}'
        return r.choice([plain_, plain_ if LANG[cc] == 'en' or cc == 'CH' else plain_.replace('.', ',')]), 'number notation'
    if f.kind == 'iban':
        s = f.canon
        return r.choice([s, s.lower(), ' '.join(s[i:i + 4] for i in range(0, len(s), 4)), '-'.join(s[i:i + 4] for i in range(0, len(s), 4))]), 'spaces or case'
    if f.code == 'accountHolder':
        w = [x for x in v.split() if x.lower().strip('.') not in ('madame', 'monsieur', 'm', 'mr', 'ms', 'mme', 'ou')]
        return (' '.join(w[1:] + w[:1]) if len(w) == 2 and ' OU ' not in v else v.lower()), 'order of names'
    if f.code == 'address':
        x = v
        for a, b in (('avenue', 'av.'), ('boulevard', 'bd'), ('Street', 'St'), ('Road', 'Rd'), ('Avenue', 'Ave')):
            x = x.replace(a, b)
        return (x if x != v else re.sub(r'^(\d+)( bis)? ', r'\1\2, ', v) if r.random() < .5 else plain(v).lower()), 'abbreviation, comma or case'
    if f.code in ('documentNumber', 'registrationNumber', 'policyNumber', 'invoiceNumber', 'postCode', 'bic'):
        x = v.replace(' ', '') if ' ' in v else v.lower()
        return x, 'spaces or case'
    return r.choice([v.lower(), v.upper(), plain(v), plain(v).upper()]), 'case or accents'


def wrong(f, cc, r):
    code, v = f.code, f.printed
    if f.kind == 'date':
        d = f.canon + dt.timedelta(days=r.choice([-1, 1]) * r.choice([1, 2, 9, 10, 31, 365, 47]))
        return fdate(d, {'US': 'us', 'CA': 'iso'}.get(cc, '/')), 'another day', d
    if f.kind == 'amount':
        a = f.canon + r.choice([D('100'), D('-10'), D('9'), D('1000'), D('0.10'), D('27.45'), D('-1')])
        s = f'{a:.2f}'
        return (s if LANG[cc] == 'en' or cc == 'CH' else s.replace('.', ',')), 'another amount', a
    if code == 'lastName':
        return r.choice(NAMES[r.choice(['FR', 'BE', 'GB', 'CA', cc])][2].split()).replace('_', ' '), 'another person', None
    if code == 'firstName':
        return r.choice(NAMES[r.choice(['FR', 'GB', cc])][r.randint(0, 1)].split()).replace('_', ' '), 'another person', None
    if code == 'accountHolder':
        n = NAMES[r.choice(['FR', 'GB', cc])]
        return (r.choice(n[0].split()) + ' ' + r.choice(n[2].split())).replace('_', ' '), 'another person', None
    if code in ('issuer', 'companyName'):
        w = W(f'wrong {r.random()}')
        return w.firm(cc if cc in NAMES else 'FR', w.pick('Groupe {n}', '{n} Energie', 'Compagnie {n}')).name, 'another firm', None
    if code == 'city':
        w = W(f'wrong {r.random()}')
        return w.place(cc)[1], 'another city', None
    if code == 'nationality':
        return r.choice(['Portugaise', 'Roumaine', 'Turkish', 'Polonaise', 'Suédoise']), 'another nationality', None
    if code == 'bic':
        return r.choice(['CRLYFRPP', 'SOGEFRPP', 'KREDBEBB', 'UBSWCHZH', 'MIDLGB22', 'BOFIIE2D']), 'another bank', None
    if code == 'address' and r.random() < .4:
        w = W(f'wrong {r.random()}')
        return w.addr(cc).street, 'another street', None
    i = r.choice([k for k, c in enumerate(v) if c.isdigit()] or [0])
    if not v[i].isdigit():
        return v + '7', 'one digit more', None
    return v[:i] + str((int(v[i]) + r.randint(1, 9)) % 10) + v[i + 1:], 'one digit changed', None


def absent(val, extra, text, sq):
    if isinstance(extra, dt.date):
        return not any(squash(x) in sq for x in date_forms(extra))
    if isinstance(extra, D):
        return squash(f'{abs(extra):.2f}') not in sq
    return squash(val) not in sq and not all(x in sq for x in map(squash, val.split()) if x)


def entries(doc, text, r):
    out, sq, w, cc = [], squash(text), doc['w'], doc['country']
    for code in TYPES[doc['type']]:
        f = w.fields.get(code)
        if not f:
            g = invented(code, cc, r)
            if g and absent(g, None, text, sq):
                out.append(dict(field=code, value=g, expected='MISSING', how='not printed'))
            continue
        if r.random() < .52:
            if r.random() < .5:
                out.append(dict(field=code, value=typed(f, cc), expected='MATCH', how='as printed'))
            else:
                v, how = other_way(f, cc, r)
                out.append(dict(field=code, value=v.replace('\u00a0', ' '), expected='MATCH', how=how))
            continue
        for _ in range(60):
            v, how, extra = wrong(f, cc, r)
            if absent(v, extra, text, sq) and squash(v) != squash(f.printed):
                out.append(dict(field=code, value=v.replace('\u00a0', ' '), expected='MISMATCH', how=how))
                break
        else:
            out.append(dict(field=code, value=typed(f, cc), expected='MATCH', how='as printed'))
    return out


def invented(code, cc, r):
    w = W(f'invented {r.random()}')
    try:
        return {'iban': lambda: w.iban(cc if cc not in ('US', 'CA') else 'FR'), 'expiryDate': lambda: fdate(w.day(dt.date(2027, 1, 1), dt.date(2034, 1, 1)),
            'us' if cc == 'US' else '/'), 'bic': lambda: 'AGRIFRPP882',
                'nationality': lambda: 'Islandaise', 'address': lambda: w.addr(cc).street, 'postCode': lambda: w.place(cc)[0],
                    'city': lambda: w.place(cc)[1]}[code]()
    except KeyError:
        return w.nz(8)


# ------------------------------------------------------------------ the parts
class Maker:
    def __init__(self, out, seed, small):
        self.out, self.seed, self.small = out, seed, small
        self.r = random.Random(f'set {seed}')
        self.docs, self.bad, self.turn, self.n = [], [], collections.Counter(), 0

    def next_design(self, typ, want):
        """Designs of a type and tongue take turns, so that none is left out."""
        for g in (want, 'fr', 'en', 'x'):
            if BY[typ, g]:
                k = self.turn[typ, g]
                self.turn[typ, g] += 1
                lst = BY[typ, g]
                off = random.Random(f'{self.seed}{typ}{g}').randrange(len(lst))
                return lst[(k + off) % len(lst)]

    def seed_of(self, part, i):
        return f'{self.seed}-{part}-{i}'

    def plan(self, n):
        """Types in turn, tongues by pattern: about half French, a third English, a few others."""
        t = list(TYPES)
        return [(t[i % 13], PATTERN[(i // 13 + i) % 8]) for i in range(n)]

    def ahead(self, parts):
        """Runs the designs once without setting them, to hand all Word documents over together."""
        words = []
        for part, n in parts:
            for i, (t, g) in enumerate(self.plan(n)):
                design = self.next_design(t, g)
                if design in ids.DESIGNS:
                    continue
                s = design[2](W(self.seed_of(part, i)))
                if s['engine'] == 'office':
                    words.append(s['src'])
        prepare(words)
        self.turn.clear()

    def add(self, doc, cls, kind, medium, blob, ext, ent=None, **more):
        self.n += 1
        name = f'{cls}/{cls[0]}{self.n:04d}.{ext}'
        p = self.out / name
        p.parent.mkdir(parents=True, exist_ok=True)
        p.write_bytes(blob)
        cc = doc['country']
        rec = dict(id=f'fir-{self.n:04d}', file=name, sha256=hashlib.sha256(blob).hexdigest(), kind=kind, medium=medium, type=doc['type'], lang=doc['lang'],
            country=cc, producer=doc['producer'], layout=doc['layout'],
                   fields={k: doc['new'].get(k) or typed(f, cc) for k, f in doc['w'].fields.items() if k in TYPES[doc['type']]})
        rec['class'] = cls
        if ent is not None:
            rec['entries'] = ent
        rec.update(more)
        self.docs.append(rec)
        print(f'{self.n} {cls} {kind} {doc["type"]} {cc}', flush=True)
        return rec

    def fail(self, *a):
        self.bad.append(' '.join(map(str, a)))
        print('BROKEN', *a, flush=True)

    def honest(self, doc, data=None, where=''):
        """Checks an honest PDF: every printed value can be read, every number holds."""
        data = data or doc['data']
        a, b = squash(pr.text_of(data)), squash(pr.text_of(data, True))
        for f in doc['w'].fields.values():
            s = squash(f.printed)
            if s not in a and s not in b and not all(squash(x) in a for x in f.printed.split()):
                self.fail(where, doc['kind'], doc['seed'], 'not found:', f.code, f.printed)
        for x in doc['w'].ibans:
            if not iban_ok(x):
                self.fail(where, doc['kind'], 'IBAN', x)
        for z in doc['w'].mrzs:
            if not mrz_ok(z):
                self.fail(where, doc['kind'], 'MRZ', z)

    def text(self, doc):
        return pr.text_of(doc['data']) + '\n' + pr.text_of(doc['data'], True)

    def genuine(self, n):
        for i, (t, g) in enumerate(self.plan(n)):
            d = build(self.next_design(t, g), self.seed_of('g', i))
            self.honest(d, where='genuine')
            self.add(d, 'genuine', d['kind'], 'pdf', d['data'], 'pdf', entries(d, self.text(d), random.Random(f'e {d["seed"]}')))

    def scans(self, n):
        for i, (t, g) in enumerate(self.plan(n)):
            d = build(self.next_design(t, g), self.seed_of('s', i))
            r = random.Random(f'shot {d["seed"]}')
            medium = ['scan_jpeg'] * 12 + ['scan_png'] * 3 + ['scan_pdf'] * 5
            medium = medium[(i * 7 + i // 20) % 20]
            self.honest(d, where='scan source')
            blob, how = pr.shoot(d['data'], r, medium)
            rec = self.add(d, 'genuine', d['kind'], medium, blob, {'scan_jpeg': 'jpg', 'scan_png': 'png', 'scan_pdf': 'pdf'}[medium], entries(d, self.text(d),
                random.Random(f'e {d["seed"]}')), device=how)
            rec['illegible'] = []

    def benign(self, n):
        kinds = list(pr.BENIGN) + ['scanned', 'messenger']
        for i, (t, g) in enumerate(self.plan(n)):
            d = build(self.next_design(t, g), self.seed_of('b', i))
            kind, r = kinds[i % len(kinds)], random.Random(f'b {d["seed"]}')
            ent = entries(d, self.text(d), random.Random(f'e {d["seed"]}'))
            if kind in ('scanned', 'messenger'):
                if kind == 'scanned':
                    blob, how = pr.shoot(d['data'], r, 'scan_pdf')
                    rec = self.add(d, 'benign', kind, 'scan_pdf', blob, 'pdf', ent)
                else:       # messengers shrink a picture and take its data away
                    im = pr.phone(d['data'], r)[0]
                    k = min(1, 1600 / max(im.shape[:2]))
                    blob = pr.jpeg(cv2.resize(im, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), 62, 72)
                    rec = self.add(d, 'benign', kind, 'scan_jpeg', blob, 'jpg', ent)
                rec['illegible'] = []
                continue
            blob = pr.stamp_mod(pr.BENIGN[kind](d['data'], r, d), d, r) if kind != 'signed' else pr.BENIGN[kind](d['data'], r, d)
            if 'turned' not in kind and kind != 'highlighted':
                self.honest(d, blob, kind)
            self.add(d, 'benign', kind, 'pdf', blob, 'pdf', ent)

    def forged(self, n):
        kinds = ['retyped', 'white box', 'revision', 'metadata', 'iban', 'mrz', 'sum', 'dates', 'hidden under picture', 'other program']
        bend = {'iban': 'iban', 'mrz': 'mrz', 'sum': 'sum', 'dates': 'date'}
        types = [t for t in TYPES if t != 'OTHER']
        idt = ['IDENTITY_CARD', 'PASSPORT', 'RESIDENCE_PERMIT']
        for i in range(n):
            kind = kinds[i % 10]
            for tries in range(40):
                r = random.Random(f'forge {self.seed} {i} {tries}')
                t = r.choice(idt) if kind == 'mrz' else r.choice(['INVOICE', 'BANK_DETAILS', 'BANK_DETAILS',
                    'INVOICE']) if kind == 'iban' else r.choice(['INVOICE', 'PAYSLIP', 'TAX_NOTICE', 'PROOF_OF_ADDRESS',
                        'INVOICE']) if kind == 'sum' else r.choice(types)
                g = r.choice(PATTERN)
                if kind == 'metadata' and t in idt or kind == 'other program' and t in idt + ['DRIVING_LICENCE']:
                    continue
                s = self.seed_of('f', f'{i}-{tries}')
                des = r.choice(BY[t, g] or BY[t, 'fr'])
                if kind in bend:
                    probe = W(s)
                    des[2](probe)
                    if bend[kind] not in probe.offers:
                        continue
                d = build(des, s)
                res = None
                if kind in bend:
                    f = build(des, s, bend[kind])
                    if f['w'].bent:
                        what = f['w'].bent if isinstance(f['w'].bent, str) else f'dates: {f["w"].bent.isoformat()} moved to the wrong side of the others'
                        res, forged = (f['data'], what), f
                elif d['w'].mrzs:
                    continue
                else:
                    forged = d
                    res = {'retyped': lambda: pr.edit(d, d['data'], r, 'redact', lambda b, fn: pr.whole(b, fn, garbage=r.choice([0, 3]), deflate=True)),
                           'white box': lambda: pr.edit(d, d['data'], r, 'white', lambda b, fn: r.choice([pr.whole, pr.incremental])(b, fn)),
                           'revision': lambda: pr.edit(d, d['data'], r, 'redact', pr.incremental), 'metadata': lambda: pr.reset(d, d['data'], r, rerender(d)),
                           'hidden under picture': lambda: pr.hide(d, d['data'], r),
                           'other program': lambda: pr.mixed(d, d['data'], r, rerender(d, {'weasy': 'chrome', 'chrome': 'weasy'}.get(d['engine'],
                               'none')))}[kind]()
                if not res or res[0] == d['data']:
                    continue
                blob, what = res
                if kind == 'retyped' or kind == 'white box':
                    blob = pr.stamp_mod(blob, d, r, 40)
                self.honest(d, where='original of ' + kind)
                new = pr.text_of(blob)
                if kind not in ('hidden under picture',) and squash(new) == squash(pr.text_of(d['data'])):
                    continue
                if kind in ('retyped', 'revision', 'metadata', 'white box', 'other program') and not any(squash(v) in squash(new) for v in d['new'].values()):
                    continue
                self.add(forged, 'forged_pdf', kind, 'pdf', blob, 'pdf', what=what)
                break
            else:
                self.fail('no forgery made', kind, i)

    def close(self):
        seen = collections.Counter(d['sha256'] for d in self.docs)
        for d in self.docs:
            b = (self.out / d['file']).read_bytes()
            if hashlib.sha256(b).hexdigest() != d['sha256'] or seen[d['sha256']] > 1:
                self.fail('sha256', d['file'])
            if d['file'].endswith('pdf'):
                try:
                    with pikepdf.open(io.BytesIO(b)) as p:
                        assert len(p.pages)
                    pr.text_of(b)
                except Exception as e:
                    self.fail('does not open', d['file'], repr(e))
        self.write()

    def read(self):
        """Reading the scans takes longest and changes one list only, so it comes last and the labels are usable before."""
        for i, rec in enumerate(d for d in self.docs if d['medium'] != 'pdf'):
            rec['illegible'] = illegible(rec, (self.out / rec['file']).read_bytes())
            if i % 10 == 9:
                print('read', i + 1, 'scans', flush=True)
                self.write()
        self.write()

    def report(self):
        c = collections.Counter((d['class'], d['type']) for d in self.docs)
        print(len(self.docs), 'documents', dict(collections.Counter(d['class'] for d in self.docs)))
        for t in TYPES:
            print(f'{t:<24}', {cl: c[cl, t] for cl in ('genuine', 'benign', 'forged_pdf')})
        print(collections.Counter(e['expected'] for d in self.docs for e in d.get('entries', ())), collections.Counter(d['lang'] for d in self.docs))
        print('broken promises:', len(self.bad))
        for b in self.bad:
            print(' ', b)
        sys.exit(1 if self.bad else 0)

    def write(self):
        (self.out / 'labels.json').write_text(json.dumps(dict(maker='fir', reference_date='2026-11-20', seed=self.seed, documents=self.docs),
            ensure_ascii=False, indent=1), 'utf-8')


def mrz_ok(z):
    """Checks the zone apart from the code that wrote it."""
    ck = lambda s, c: mrz_check(s) == c or (c == '<' and not s.strip('<'))
    if len(z) == 3:
        a, b, _ = z
        num = ck(a[5:14], a[14]) or (a[14] == '<' and ck(a[5:14] + a[15:].split('<')[0][:-1], a[15:].split('<')[0][-1:]))
        return all(len(x) == 30 for x in z) and num and ck(b[:6], b[6]) and ck(b[8:14], b[14]) and mrz_check(a[5:] + b[:7] + b[8:15] + b[18:29]) == b[29]
    a, b = z
    if len(a) == 36:
        return len(b) == 36 and ck(b[:12], b[12]) and ck(b[27:33], b[33]) and mrz_check(a + b[:35]) == b[35]
    return len(a) == len(b) == 44 and ck(b[:9], b[9]) and ck(b[13:19], b[19]) and ck(b[21:27], b[27]) and mrz_check(b[:10] + b[13:20] + b[21:43]) == b[43]


def forms(v):
    """A typed value in the ways in which it can stand on the page: only dates have several."""
    out = {squash(v)}
    for style in ('%d/%m/%Y', '%m/%d/%Y', '%Y-%m-%d', '%d.%m.%Y', '%d-%m-%Y', '%d %m %Y'):
        try:
            out |= {squash(x) for x in date_forms(dt.datetime.strptime(v, style).date())}
        except ValueError:
            pass
    return out


def illegible(rec, blob):
    """Codes that neither of two Tesseract runs reads."""
    left = {k: v for k, v in rec['fields'].items()}
    if not left:
        return []
    if rec['medium'] == 'scan_pdf':
        im = pr.raster(blob, 170)
    else:
        im = cv2.imdecode(np.frombuffer(blob, np.uint8), cv2.IMREAD_COLOR)
    im = cv2.cvtColor(im, cv2.COLOR_BGR2GRAY)
    got = ''
    memo = CACHE / ('ocr' + hashlib.sha256(im.tobytes()).hexdigest())
    known = json.loads(memo.read_text()) if memo.exists() else {}
    for psm, z in ((3, 1), (11, 1.5)):
        k = min(z, 3200 / max(im.shape))
        a = cv2.resize(im, None, fx=k, fy=k, interpolation=cv2.INTER_CUBIC) if k != 1 else im
        if psm == 11 and str(psm) not in known:
            a = cv2.divide(a, cv2.GaussianBlur(a, (0, 0), 25), scale=235)
        if str(psm) not in known:
            with tempfile.NamedTemporaryFile(suffix='.png') as t:
                cv2.imwrite(t.name, a)
                p = subprocess.run(['tesseract', t.name, '-', '-l', TESS[rec['lang']], '--psm', str(psm)],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENV)
            known[str(psm)] = p.stdout.decode('utf-8', 'replace')
            memo.write_text(json.dumps(known))
        got += ' ' + known[str(psm)]
        sq = squash(got)
        left = {k: v for k, v in left.items() if not any(x in sq for x in forms(v)) and not all(squash(x) in sq for x in v.split())}
        if not left:
            break
    return list(left)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--out', required=True)
    ap.add_argument('--seed', type=int, required=True)
    ap.add_argument('--small', action='store_true')
    ap.add_argument('--no-ocr', action='store_true', help='leave the lists of illegible codes empty')
    ap.add_argument('--forged-again', action='store_true', help='remake only the forged part of an existing folder')
    ap.add_argument('--read-again', action='store_true', help='only make the lists of illegible codes anew')
    a = ap.parse_args()
    m = Maker(Path(a.out), a.seed, a.small)
    m.out.mkdir(parents=True, exist_ok=True)
    k = (13, 9, 6, 10) if a.small else (100, 100, 50, 80)
    if a.forged_again or a.read_again:      # the rest of the folder stays as it is
        old = json.loads((m.out / 'labels.json').read_text('utf-8'))
        m.docs = [d for d in old['documents'] if d['class'] != 'forged_pdf']
        m.n = len(m.docs)
        if a.forged_again:
            m.forged(k[3])
        else:
            m.docs = old['documents']
        m.close()
        if not a.no_ocr:
            m.read()
        m.report()
    m.ahead([('g', k[0]), ('b', k[2]), ('s', k[1])])
    m.genuine(k[0])
    m.benign(k[2])
    m.scans(k[1])
    m.forged(k[3])
    m.close()
    if not a.no_ocr:
        m.read()
    m.report()


if __name__ == '__main__':
    main()
