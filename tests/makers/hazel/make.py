"""Makes the labelled set: python make.py --out FOLDER --seed N [--small]."""
import argparse
import datetime as dt
import hashlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from decimal import Decimal
from pathlib import Path

os.environ['OMP_THREAD_LIMIT'] = '1'
import pikepdf
from PIL import Image

import d_bills, d_fin, d_ident, d_other  # noqa: F401  (they register their designs)
import forge
import scan
from base import DESIGNS
from engines import render, set_info, subst
from world import CITY, TODAY, World, date, iban_ok, money, mrz_digit, plain, q2, squeeze

TYPES = {'IDENTITY_CARD': 'lastName firstName birthDate documentNumber expiryDate nationality',
    'PASSPORT': 'lastName firstName birthDate documentNumber expiryDate nationality',
         'RESIDENCE_PERMIT': 'lastName firstName birthDate documentNumber expiryDate nationality',
         'DRIVING_LICENCE': 'lastName firstName birthDate documentNumber expiryDate',
         'VEHICLE_REGISTRATION': 'registrationNumber lastName firstName address postCode city issueDate', 'BANK_DETAILS': 'iban bic accountHolder',
         'PAYSLIP': 'lastName firstName netAmount postCode city', 'TAX_NOTICE': 'lastName firstName address postCode city totalAmount documentNumber',
         'INVOICE': 'invoiceNumber issueDate totalAmount issuer iban', 'PROOF_OF_ADDRESS': 'lastName firstName address postCode city issueDate issuer',
         'COMPANY_REGISTRATION': 'companyName registrationNumber address postCode city',
         'INSURANCE_CERTIFICATE': 'policyNumber lastName firstName issuer postCode city', 'OTHER': ''}
CHECKED = ('IDENTITY_CARD', 'PASSPORT', 'RESIDENCE_PERMIT')
# Invoices and bills also come in other languages; the rest mostly in French and English.
MANY = ['FR', 'EN', 'XX', 'FR', 'BC', 'FR', 'EN', 'XX', 'FR', 'EN']
GROUPS = ['FR', 'EN', 'FR', 'BC', 'FR', 'EN', 'FR', 'EN', 'FR']
FAULTS = []


def pdf_text(data):
    with tempfile.NamedTemporaryFile(suffix='.pdf') as f:
        f.write(data)
        f.flush()
        one = lambda *a: subprocess.run(['pdftotext', *a, f.name, '-'], capture_output=True, text=True).stdout
        return one('-layout') + '\n' + one('-raw')


class Maker:
    def __init__(self, seed, small):
        self.seed, self.small, self.n = seed, small, 0
        self.used, self.turn, self.r = set(), Counter(), random.Random(seed)
        self.docs = []

    def fresh(self, kind, group=None, want=None):
        """A new document of a type: designs take turns; one whose text cannot be read back is thrown away."""
        groups = MANY if kind in ('INVOICE', 'PROOF_OF_ADDRESS') else GROUPS + (['XX'] if self.r.random() < .4 else [])
        groups = [g for g in groups if (kind, g) in DESIGNS]
        for attempt in range(12):
            g = group or groups[self.turn[kind] % len(groups)]
            self.turn[kind] += 1
            fs = DESIGNS[(kind, g)]
            f = fs[self.turn[(kind, g)] % len(fs)]
            self.turn[(kind, g)] += 1
            self.n += 1
            w = World(f'{self.seed}/{self.n}', self.used)
            w.serial = self.turn[(kind, g)]
            d = f(w)
            d.type, d.design = kind, f.__name__
            if want and not want(d):
                continue
            d.data = self.draw(d, d.src)
            d.text = pdf_text(d.data)
            flat = squeeze(d.text)
            lost = [k for k, v in d.printed.items() if squeeze(v) not in flat]
            lost += ['mrz' for ln in d.mrz if squeeze(ln) not in flat]
            if not lost:
                return d
            FAULTS.append(f'redrawn: {f.__name__} ({d.engine}) lost {lost}')
        return None

    @staticmethod
    def draw(d, src):
        data = render(d.engine, src, d.when)
        if d.info == 'none':
            return set_info(data, None)
        if d.info != 'own':
            return set_info(data, {'Producer': d.info}, when=d.when)
        return data


# ---------------------------------------------------------------- typed values

def variants(d, k):
    """The right value as another person writes it."""
    w, v, raw = d.w, d.printed[k], d.raw.get(k)
    if isinstance(raw, dt.date):
        us = d.country == 'US'
        opts = ['iso', 'uslong' if us else 'long'] + (['us'] if us else ['/', '.'])
        return [x for x in (date(raw, s, d.lang) for s in opts) if x != v] or [date(raw, 'iso')], 'date notation'
    if isinstance(raw, (Decimal, int)):
        st = d.style.get('money', 'en')
        comma = st in ('fr', 'fn', 'de', 'qc')
        return [f'{q2(raw):.2f}', money(raw, 'fn') if comma else money(raw, 'en'), money(raw, st)], 'amount notation'
    if k == 'iban':
        c = v.replace(' ', '')
        return [c if ' ' in v else w.grp(c), c.lower(), '-'.join(c[i:i + 4] for i in range(0, len(c), 4))], 'IBAN spacing'
    if k in ('documentNumber', 'registrationNumber', 'invoiceNumber', 'policyNumber', 'bic', 'postCode'):
        c = re.sub(r'[^A-Za-z0-9]', '', v) if k in ('postCode', 'registrationNumber', 'documentNumber', 'policyNumber') else v
        o = [x for x in (c, v.lower(), c.lower()) if x != v]
        return o or [v], 'number spacing or case'
    if k == 'accountHolder' and len(v.split()) == 2 and not v.split()[1].isupper():
        return [' '.join(reversed(v.split())), v.upper(), plain(v).title()], 'order of names'
    if k == 'address':
        o = [v.upper(), v.lower(), v.replace(',', ''), plain(v).title()]
        for a, b in (('avenue', 'av.'), ('boulevard', 'bd'), ('Street', 'St'), ('Road', 'Rd'), (' Ave', ' Avenue'), ('Rue', 'r.'), ('straße', 'str.')):
            if a in v and not v.endswith('Avenue'):
                o.append(v.replace(a, b))
        return [x for x in o if x != v] or [v], 'case, commas, abbreviation'
    return [x for x in (v.upper(), v.lower(), plain(v).title(), plain(v)) if x != v] or [v], 'case or accents'


def other_value(d, k):
    """A wrong value of the same look, printed as the page prints it."""
    w, v, raw = d.w, d.printed[k], d.raw.get(k)
    cc = 'QC' if d.country == 'CA' and d.lang == 'fr' else d.country
    if isinstance(raw, dt.date):
        n = raw + dt.timedelta(w.pick(1, -1, 3, 10, 31, -30, 365, -62, 7))
        return date(n, d.style.get('date', 'iso'), d.lang), 'another day'
    if isinstance(raw, (Decimal, int)):
        st = d.style.get('money', 'en')
        n = q2(raw) + Decimal(w.pick('100', '-9', '0.90', '10', '27', '1000', '54'))
        whole = Decimal(raw) == int(raw) and money(raw, st) not in v
        if whole:
            a, n = f'{int(raw):,}', q2(raw) + Decimal(w.pick(10, 100, 9, 27))
            s = re.search(r'-?\d[\d\s,.\u00a0]*\d|\d', v)[0]
            sep = next((c for c in s if not c.isdigit() and c != '-'), ',')
            return v.replace(s, f'{int(n):,}'.replace(',', sep if ',' in a else '')), 'another amount'
        return v.replace(money(raw, st), money(n, st)), 'another amount'
    if k in ('lastName', 'firstName', 'accountHolder'):
        p = w.person(cc)
        t = {'lastName': p.last, 'firstName': p.first, 'accountHolder': p.full}[k]
        if k == 'accountHolder' and any(v.endswith(s) for s in (' SA', ' SAS', ' SARL', ' Ltd', ' Limited', ' plc', ' DAC')):
            t = w.firm(cc, 'Invest', 'Services')
        return (t.upper() if v.isupper() else t), 'another person’s name'
    if k == 'nationality':
        short = len(v) == 3
        return ('JPN' if short else 'JAPANESE' if d.lang == 'en' else 'Japonaise'), 'another nationality'
    if k in ('city', 'postCode'):
        c, z = w.place(cc)
        if k == 'postCode' and w.pick(0, 1) and re.search(r'\d', v):
            return digit(w, v), 'one digit changed'
        c = c.split(',')[0]
        return (z if k == 'postCode' else c.upper() if v.isupper() else c), 'another city'
    if k == 'address':
        if w.pick(0, 1) and re.search(r'\d', v):
            return digit(w, v), 'one digit changed'
        s = w.street(cc)
        return (s.upper() if v.isupper() else s), 'another street'
    if k in ('issuer', 'companyName'):
        firm = w.firm(cc, 'Partners', 'Développement' if d.lang == 'fr' else 'Group')
        formed = re.search(r' (SARL|SAS|SA|SRL|Sàrl|Ltd|Limited|plc|DAC|LLC|Inc\.|inc\.|GmbH|AG|S\.\w\.|S\.r\.l\.|S\.p\.A\.|B\.V\.|Lda\.)$', v, re.I)
        s = firm if formed or k == 'companyName' else w.person(cc).full if d.type == 'INVOICE' else ' '.join(firm.split()[:2])
        return (s.upper() if v.isupper() else s), 'another firm'
    return (digit(w, v) if re.search(r'\d', v) else w.bic(cc, len(v) == 8)), 'one digit changed'


def digit(w, v):
    at = [i for i, c in enumerate(v) if c.isdigit()]
    i = w.pick(at[-6:]) if len(at) > 6 else w.pick(at)
    return v[:i] + str((int(v[i]) + w.r.randint(1, 9)) % 10) + v[i + 1:]


def on_page(d, k, v):
    """Whether a value stands on the page in any notation."""
    flat = squeeze(d.text)
    if k in ('iban', 'bic') or not isinstance(d.raw.get(k), dt.date):
        s = squeeze(v)
        return not s or s in flat
    return squeeze(v) in flat


def entries(d):
    out, w = [], d.w
    for k in TYPES[d.type].split():
        if k not in d.printed:
            if k in d.missing and w.r.random() < .75:
                made = {'iban': w.grp(w.iban(d.country if d.country in ('FR', 'BE', 'CH', 'GB', 'IE') else 'GB')), 'nationality': 'Norwegian',
                    'expiryDate': '14/07/2031', 'address': w.street('GB'), 'postCode': 'DT1 9QX'}.get(k)
                if made and not on_page(d, k, made):
                    out.append(dict(field=k, value=made, expected='MISSING', how='not printed'))
            continue
        x = w.r.random()
        if x < .27:
            out.append(dict(field=k, value=d.printed[k].replace('\u00a0', ' '), expected='MATCH', how='as printed'))
        elif x < .52:
            vs, how = variants(d, k)
            v = w.pick(vs).replace('\u00a0', ' ')
            how = how if v != d.printed[k].replace('\u00a0', ' ') else 'as printed'
            out.append(dict(field=k, value=v, expected='MATCH', how=how))
        else:
            for _ in range(30):
                v, how = other_value(d, k)
                a, b = squeeze(v), squeeze(d.printed[k])
                if a and a != b and a not in b and b not in a and not on_page(d, k, v):
                    break
            else:
                FAULTS.append(f'no wrong value for {d.design} {k}')
                continue
            out.append(dict(field=k, value=v.replace('\u00a0', ' '), expected='MISMATCH', how=how))
    return out


# ---------------------------------------------------------------- the parts

def add(m, d, data, cls, kind, medium, ext, **more):
    m.docs.append(dict(data=data, ext=ext, doc=d, label=dict(kind=kind, medium=medium, type=d.type, lang=d.lang, country=d.country, producer=producer(data,
        ext) or d.engine, layout=d.layout,
                                                             fields={k: v.replace('\u00a0', ' ') for k, v in d.printed.items()}, **more), cls=cls))


def producer(data, ext):
    if ext != 'pdf':
        return ''
    with pikepdf.open(io.BytesIO(data)) as p:
        try:
            return str(p.docinfo.get('/Producer', '')) or 'none'
        except Exception:
            return 'none'


def quotas(total):
    """How many of each type: evenly, OTHER, invoices and proofs of address a little more."""
    order = list(TYPES) + ['INVOICE', 'PROOF_OF_ADDRESS', 'OTHER', 'PAYSLIP', 'TAX_NOTICE']
    c = Counter({t: total // 15 for t in TYPES})
    i = 0
    while sum(c.values()) < total:
        c[order[(i * 5 + 13) % len(order)]] += 1
        i += 1
    return c


def genuine_pdf(m, n):
    for t, k in quotas(n).items():
        for _ in range(k):
            d = m.fresh(t)
            if d:
                add(m, d, d.data, 'genuine', d.kind, 'pdf', 'pdf', entries=entries(d))


def scanned(m, d, medium, cls, kind=None):
    data, how, dpi, pages = scan.make(d.data, medium, d.w.r.randint(0, 10 ** 9))
    texts = scan.read_twice(pages, d.lang, d.printed.values())
    bad = [k for k, v in d.printed.items() if not scan.legible(texts, v)]
    add(m, d, data, cls, kind or f'{d.kind}; {how} {dpi} dpi', medium, {'scan_jpeg': 'jpg', 'scan_png': 'png', 'scan_pdf': 'pdf'}[medium],
        entries=entries(d), illegible=bad)


def genuine_scan(m, n):
    todo = [t for t, k in quotas(n).items() for _ in range(k)]
    m.r.shuffle(todo)
    for i, t in enumerate(todo):
        d = m.fresh(t)
        if d:
            scanned(m, d, (['scan_jpeg'] * 12 + ['scan_png'] * 3 + ['scan_pdf'] * 5)[(i * 7) % 20], 'genuine')


def benign(m, n):
    ways = ['linearised', 'optimised', 'reprint_gs', 'reprint_cairo', 'turned', 'form', 'signed', 'cover', 'extracted', 'annotated', 'scanned', 'messenger', 'bare']
    ts = list(TYPES)
    for i in range(n):
        way, t = ways[i % len(ways)], ts[(i * 5 + i // 13) % 13]
        d = m.fresh(t)
        if way == 'scanned':
            scanned(m, d, d.w.pick('scan_pdf', 'scan_jpeg'), 'benign', 'scanned by the customer')
            continue
        if way == 'messenger':
            sent_by_messenger(m, d)
            continue
        for _ in range(6):
            x, kind = handled(d, way)
            flat = squeeze(pdf_text(x))
            if all(squeeze(v) in flat for v in d.printed.values()):
                break
            d = m.fresh(t)  # Ghostscript can lose letters that were set as ligatures; such a print is not a clean one
        add(m, d, x, 'benign', kind, 'pdf', 'pdf', entries=entries(d))


def sent_by_messenger(m, d):
    """A photograph made smaller and without metadata, as the messenger passes it on."""
    x, how, dpi, pages = scan.make(d.data, 'scan_jpeg', d.w.r.randint(0, 10 ** 9))
    im = Image.open(io.BytesIO(x))
    im.thumbnail((1600, 1600))
    b = io.BytesIO()
    im.save(b, 'JPEG', quality=70)
    texts = scan.read_twice([im], d.lang, d.printed.values())
    bad = [k for k, v in d.printed.items() if not scan.legible(texts, v)]
    add(m, d, b.getvalue(), 'benign', 'photo sent by a messenger', 'scan_jpeg', 'jpg', entries=entries(d), illegible=bad)


def handled(d, way):
    """A finished file as an honest reader or office leaves it, and a word for what was done."""
    w, x = d.w, d.data
    if way == 'turned':
        return forge.turned(x, w)
    if way == 'annotated':
        return forge.annotated(x, w, w.pick(list(d.printed.values()) or ['a']))
    return {'linearised': lambda: forge.qpdf(x, '--linearize'),
            'optimised': lambda: forge.qpdf(x, '--object-streams=generate', '--recompress-flate', '--compression-level=9'),
            'reprint_gs': lambda: forge.reprinted(x, 'gs'), 'reprint_cairo': lambda: forge.reprinted(x, 'cairo'),
            'form': lambda: forge.form_filled(x, w), 'signed': lambda: forge.signed(x, w, d.printed.get('issuer', 'Archive')),
            'cover': lambda: forge.cover_page(d, x, w), 'extracted': lambda: forge.cover_page(d, x, w, True),
            'bare': lambda: set_info(x, None)}[way](), way


def change_of(d):
    """(code, old, new) of one value that a forger changes; names and sums before others."""
    w = d.w
    if d.type == 'OTHER':
        if not getattr(d, 'swap', None):
            return None
        o, n, what = w.pick(d.swap)
        return what, o, n
    keys = [k for k in d.printed if k not in ('iban', 'bic', 'postCode', 'nationality')]
    for _ in range(20):
        k = w.pick(keys)
        new, _how = other_value(d, k)
        if squeeze(new) not in squeeze(d.text) and abs(len(new) - len(d.printed[k])) < 9:
            return k, d.printed[k], new
    return None


def forged(m, n):
    ways = ['retyped', 'white_box', 'revision', 'metadata', 'iban', 'mrz', 'sum', 'dates', 'hidden', 'mixed']
    ts = [t for t in TYPES]
    done = Counter()
    for i in range(n):
        way = ways[i % 10]
        for attempt in range(15):
            t = ts[(i * 3 + i // 10 + attempt) % 13]
            if way == 'iban':
                t = ('BANK_DETAILS', 'INVOICE')[(i // 10) % 2]
            elif way == 'mrz':
                t = CHECKED[(i // 10 + attempt) % 3]
            want = {'iban': lambda d: 'iban' in d.printed, 'mrz': lambda d: d.bad_mrz, 'sum': lambda d: d.bad_sum, 'dates': lambda d: d.bad_date}.get(way)
            if way == 'sum' and t not in ('INVOICE', 'PAYSLIP', 'TAX_NOTICE', 'PROOF_OF_ADDRESS', 'OTHER', 'VEHICLE_REGISTRATION'):
                continue
            d = m.fresh(t, want=want)
            if not d:
                continue
            got = forge_one(m, d, way)
            if got and got[0] and got[0] != d.data and check_changed(d, got):
                add(m, d, got[0], 'forged_pdf', way, 'pdf', 'pdf', what=got[1])
                done[way] += 1
                break
        else:
            FAULTS.append(f'no forgery of kind {way}')


def redraw(d, old, new):
    src = subst(d.src, old, new, d.engine)
    return Maker.draw(d, src)


def forge_one(m, d, way):
    w = d.w
    if way in ('iban', 'mrz', 'sum', 'dates'):
        if way == 'iban':
            old = d.printed['iban']
            body = old[4:]
            for _ in range(50):
                new = old[:4] + digit(w, digit(w, body)) if w.pick(0, 1) else old[:4] + digit(w, body)
                if not iban_ok(new):
                    break
            what = 'digits of the IBAN changed, check digits left'
            if old not in str(d.src if not hasattr(d.src, 'steps') else d.src.steps):
                old, new = old.replace(' ', ''), new.replace(' ', '')
        else:
            old, new, what = w.pick({'mrz': d.bad_mrz, 'sum': d.bad_sum, 'dates': d.bad_date}[way])
        if old == new:
            return None
        d.changed = (old, new)
        if way != 'mrz' and w.r.random() < .3:
            got = forge.retyped(d.data, old, new, w)
            return got and (got, f'{what}: {old} became {new}')
        return redraw(d, old, new), f'{what}: {old} became {new}'
    c = change_of(d)
    if not c:
        return None
    k, old, new = c
    d.changed = (old, new)
    say = f'{k}: {old} became {new}'.replace('\u00a0', ' ')
    if way == 'retyped':
        return forge.retyped(d.data, old, new, w), 'value retyped, ' + say
    if way == 'white_box':
        return forge.boxed(d.data, old, new, w), 'white box over the value, ' + say
    if way == 'revision':
        return forge.boxed(d.data, old, new, w, True), 'changed in an appended revision, ' + say
    if way == 'hidden':
        return forge.pictured(d.data, old, new, w), 'old value under a picture, ' + say
    if way == 'metadata':
        x, info = forge.edited_metadata(redraw(d, old, new), d, w)
        return x, f'{say}; metadata: {info}'
    got = forge.half_page(d, d.data, old, new, w)
    return got and (got[0], f'part of the page {got[1]}, {say}')


def check_changed(d, got):
    """The forged page shows something else than the original (drawn at low resolution)."""
    a, b = scan.page_image(d.data, 60), scan.page_image(got[0], 60)
    if a.shape == b.shape and (abs(a.astype(int) - b.astype(int)).max() < 25):
        import pymupdf
        with pymupdf.open(stream=d.data, filetype='pdf') as x:
            return len(x) > 1
    return True


# ---------------------------------------------------------------- promises

def promises(m, out, labels):
    bad = []
    for it, lab in zip(m.docs, labels):
        d, path = it['doc'], out / lab['file']
        if hashlib.sha256(path.read_bytes()).hexdigest() != lab['sha256']:
            bad.append(f'{lab["id"]}: sha256')
        if it['ext'] == 'pdf':
            try:
                pikepdf.open(path).close()
                subprocess.run(['pdftotext', str(path), '-'], check=True, capture_output=True)
            except Exception as e:
                bad.append(f'{lab["id"]}: does not open ({e})')
        for parts, total in d.sums:
            if q2(sum(parts)) != q2(total):
                bad.append(f'{lab["id"]}: {d.design}: sum {sum(parts)} is not {total}')
        if 'iban' in d.printed and not iban_ok(d.printed['iban']):
            bad.append(f'{lab["id"]}: IBAN')
        for ln in d.mrz:
            if len(ln) not in (30, 36, 44):
                bad.append(f'{lab["id"]}: MRZ length')
        if d.mrz and len(d.mrz[1]) == 44:
            z = d.mrz[1]
            if mrz_digit(z[:10] + z[13:20] + z[21:43]) != z[43] or mrz_digit(z[:9]) != z[9] or mrz_digit(z[13:19]) != z[19]:
                bad.append(f'{lab["id"]}: MRZ check digits')
        if d.mrz and len(d.mrz[1]) == 30 and (mrz_digit(d.mrz[0][5:30] + d.mrz[1][:7] + d.mrz[1][8:15] + d.mrz[1][18:29]) != d.mrz[1][29]):
            bad.append(f'{lab["id"]}: MRZ check digits')
        if it['cls'] == 'forged_pdf':
            if path.read_bytes() == d.data:
                bad.append(f'{lab["id"]}: not changed')
            continue
        text = pdf_text(path.read_bytes()) if lab['medium'] == 'pdf' else d.text
        flat = squeeze(text)
        bad += [f'{lab["id"]}: {d.design}: {k} not found in the text ({lab["kind"]})' for k, v in d.printed.items() if squeeze(v) not in flat]
        for e in lab['entries']:
            if e['expected'] != 'MATCH' and squeeze(e['value']) in flat:
                bad.append(f'{lab["id"]}: wrong value {e["value"]} stands on the page')
        for s in re.findall(r'\b(?:FR|BE|CH|GB|IE|DE|ES|IT|NL|PT)\d\d(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b', text):
            n = {'FR': 27, 'BE': 16, 'CH': 21, 'GB': 22, 'IE': 22, 'DE': 22, 'ES': 24, 'IT': 27, 'NL': 18, 'PT': 25}[s[:2]]
            if len(s.replace(' ', '')) == n and not iban_ok(s):
                bad.append(f'{lab["id"]}: IBAN on the page is wrong: {s}')
    return bad


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--out', required=True)
    ap.add_argument('--seed', type=int, required=True)
    ap.add_argument('--small', action='store_true')
    a = ap.parse_args()
    out = Path(a.out)
    (out / 'files').mkdir(parents=True, exist_ok=True)
    for old in (out / 'files').iterdir():
        old.unlink()
    m = Maker(a.seed, a.small)
    for part, n in ((genuine_pdf, 15 if a.small else 100), (genuine_scan, 8 if a.small else 100), (benign, 13 if a.small else 50), (forged,
    10 if a.small else 80)):
        part(m, n)
        print(part.__name__, len(m.docs), flush=True)
    m.r.shuffle(m.docs)
    labels = []
    for i, it in enumerate(m.docs, 1):
        name = f'files/{i:04d}.{it["ext"]}'
        (out / name).write_bytes(it['data'])
        labels.append({'id': f'hazel-{i:04d}', 'file': name, 'sha256': hashlib.sha256(it['data']).hexdigest(), 'class': it['cls'], **it['label']})
    doc = {'maker': 'hazel', 'reference_date': TODAY.isoformat(), 'seed': a.seed, 'documents': labels}
    (out / 'labels.json').write_text(json.dumps(doc, ensure_ascii=False, indent=1), encoding='utf-8')
    print(Counter(x['class'] for x in labels), Counter(x['type'] for x in labels), Counter(x['lang'] for x in labels))
    print(Counter(e['expected'] for x in labels for e in x.get('entries', [])))
    for f in FAULTS:
        print('note:', f)
    bad = promises(m, out, labels)
    for b in bad:
        print('BROKEN:', b)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
