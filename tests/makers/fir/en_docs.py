"""Documents in English (UK, Ireland, US, Canada), and invoices and utility bills of five more countries."""
import datetime as dt
from decimal import Decimal as D

from engines import esc, logo, scrawl, stamp
from fr_docs import DAY, TEXHEAD, claim, cust, grid, lines_of, page, para, res, tex, word_base
from world import fdate, money, plain, q2

STY = {'GB': 'gb', 'IE': 'eur', 'US': 'us', 'CA': 'us'}
DST = {'GB': ['/', 'long', 'mon'], 'IE': ['/', 'long'], 'US': ['us', 'us_long'], 'CA': ['iso', 'us_long']}


def ds(w, cc):
    return w.pick(DST[cc])


def inv_uk(w, cc='GB'):
    """Made in a spreadsheet by a tradesman, exported to PDF: hairline cells and nothing else."""
    f = w.firm(cc, w.pick('{n} Plumbing & Heating', '{n} Roofing', '{n} Property Services', 'A1 {n} Builders'))
    (p, name, to), day, st = cust(w, cc), w.day(600, 3), STY[cc]
    L = lines_of(w, 'en' if cc in ('GB', 'IE') else 'us')
    net = sum(x[3] for x in L)
    rate = {'GB': D(20), 'IE': D('13.5'), 'US': D('7.25'), 'CA': D(13)}[cc]
    tax = q2(net * rate / 100)
    word = {'GB': 'VAT', 'IE': 'VAT', 'US': 'Sales tax', 'CA': 'HST'}[cc]
    paid = q2((net + tax) / 4) if w.r.random() < .4 else D(0)
    s, m = ds(w, cc), lambda x: money(x, st)
    no = w.pick(f'INV-{w.num(4)}', w.num(4), f'{day.year}-{w.num(3)}', f'{w.let(3)}{w.num(3)}')
    d = word_base(w)
    para(d, w.f('issuer', f.name), True, w.pick(15, 20))
    para(d, f'{f.street}, {f.city} {f.st} {f.pc}  ·  {f.tel}', size=9)
    if cc in ('GB', 'IE', 'CA'):
        para(d, {'GB': f'VAT Reg No {w.gbvat()}', 'IE': f'VAT No IE{w.num(7)}{w.let(1)}H', 'CA': f'HST # {w.num(9)} RT0001'}[cc], size=9, after=12)
    para(d, w.pick('INVOICE', 'Invoice', 'TAX INVOICE' if cc == 'GB' else 'INVOICE'), True, 18, 'r')
    para(d, f'Invoice {w.pick("No:", "#", "number")} {w.f("invoiceNumber", no)}', al='r')
    para(d, f'{w.pick("Date:", "Invoice date")} {w.fd("issueDate", day, s, "en")}', al='r')
    para(d, f'{w.pick("Due", "Payment due by")} {fdate(w.late(day + 30 * DAY), s, "en")}', al='r', after=8)
    for x in ['Bill to:'] + [f'{p.title} {p.first} {p.last}', p.street, f'{p.city} {p.st} {p.pc}']:
        para(d, x)
    para(d)
    rows = [('Description', 'Qty', 'Unit', 'Amount')] + [(a, str(q), m(u), m(t)) for a, q, u, t in L]
    grid(d, rows, [9, 2, 3, 3], w.pick('Table Grid', 'Light Grid', 'Medium List 1'), (1, 2, 3))
    para(d)
    para(d, f'Subtotal  {m(net)}', al='r')
    para(d, f'{word} @ {rate}%  {m(tax)}', al='r')
    if paid:
        para(d, f'Less deposit received {fdate(w.early(day - 15 * DAY), s, "en")}  -{m(paid)}', al='r')
    para(d, f'{w.pick("Total due", "BALANCE DUE", "Amount due")}  {w.fa("totalAmount", w.tot(net + tax - paid), st)}', True, 12, 'r')
    if cc in ('GB', 'IE') and w.r.random() < .7:
        para(d, f'Please pay by bank transfer. IBAN {w.fi(w.iban(cc))} BIC {w.bic(cc)}', size=9)
    else:
        para(d, w.pick('Please make checks payable to the above. Thank you for your business!', 'E-transfer accepted.') if cc in ('US',
            'CA') else 'Cheque or cash on completion.', size=9)
    return res('office', d, day, 'prose')


def inv_modern_en(w, cc):
    f, (p, name, to), day, st = w.firm(cc, w.pick('{n} Design', '{n} & Co Solicitors', '{n} Auto Repair', '{n} '
        'Veterinary')), cust(w, cc), w.day(500, 3), STY[cc]
    L, s = lines_of(w, 'en' if cc in ('GB', 'IE') else 'us'), ds(w, cc)
    net = sum(x[3] for x in L)
    if cc == 'CA':
        taxes = [('GST 5%', q2(net * D('.05'))), ('QST 9.975%', q2(net * D('.09975')))]
    else:
        taxes = [({'GB': 'VAT 20%', 'IE': 'VAT 23%', 'US': 'Tax 6.5%'}[cc], q2(net * {'GB': D('.2'), 'IE': D('.23'), 'US': D('.065')}[cc]))]
    disc = q2(net * D('.1')) if w.r.random() < .3 and cc == 'US' else 0
    if disc:
        taxes = [('Tax (exempt)', D(0))]
    c = w.pick('#0b7285', '#5f3dc4', '#2b2b2b', '#c92a2a', '#2b8a3e')
    rows = ''.join(f'<tr><td>{esc(a)}<td>{q}<td>{money(u, st)}<td>{money(t, st)}' for a, q, u, t in L)
    tr = ''.join(f'<tr><td>{a}<td>{money(b, st)}' for a, b in taxes)
    body = f'''{logo(f.name, f.stem)}<div class=g><div><small>FROM</small><br>{esc(w.f("issuer", f.name))}<br>{esc(f.street)}
<br>{esc(f.city)} {f.st} {f.pc}</div>
<div><small>BILLED TO</small><br>{esc(p.first)} {esc(p.last)}<br>{esc(p.street)}<br>{esc(p.city)} {p.st} {p.pc}</div><div><small>INVOICE NO.</small>
<br>{w.f("invoiceNumber", w.num(6))}<br>
<small>ISSUED</small><br>{w.fd("issueDate", day, s, "en")}<br><small>DUE</small><br>{fdate(w.late(day + 14 * DAY), s, "en")}</div></div>
<table><tr><th>Item<th>Qty<th>Rate<th>Amount{rows}</table><table class=t><tr><td>Subtotal
<td>{money(net, st)}{f"<tr><td>Loyalty discount 10%<td>-{money(disc, st)}" if disc else ""}{tr}
<tr class=b><td>Total<td>{w.fa("totalAmount", w.tot(net - disc + sum(b for _, b in taxes)), st)}</table>
<p>{"Bank transfer: IBAN " + w.fi(w.iban(cc)) if cc in ("GB", "IE") else "Pay online or by check. Net 14 days."}</p>'''
    css = f'''body{{font:9.6pt {w.pick("Lato", "'Open Sans'", "Roboto")};color:#333}}.g{{display:flex;gap:12mm;margin:10mm
0}}small{{color:{c};font-weight:bold;font-size:7pt}}table{{width:100%}}th{{text-align:left;color:{c};
border-bottom:.4mm solid {c}}}td{{padding:2mm 0;border-bottom:.1mm solid #ddd}}.t{{width:60mm;margin-left:auto}}.t
td+td{{text-align:right}}.b{{font-weight:bold;font-size:13pt}}'''
    return res(w.pick('chrome', 'weasy'), page(css, body), day, 'under')


def poa_en(w, cc):
    p, day, st, s = w.person(cc), w.day(300, 3), STY[cc], ds(w, cc)
    co = w.f('issuer', w.pick({'GB': ['Brightwater plc', 'Penvale Energy', 'Northmoor Water', 'Kestrel Broadband'], 'IE': ['Shannon Electric', 'Celtic Gas',
        'Éirfibre'],
                               'US': ['Lakeland Power & Light', 'City of Fairview Utilities', 'Horizon Cable'], 'CA': ['Hydro Laurentide', 'Maritime Gas',
                                   'Bell River Telecom']}[cc]))
    v, a = w.who(p, w.pick(str, str.upper)), w.where(p)
    prev, use, stand = w.eur(40, 200), w.eur(30, 240), w.eur(9, 30)
    rate = {'GB': D(5), 'IE': D(9), 'US': D('2.5'), 'CA': D(5)}[cc]
    tax = q2((use + stand) * rate / 100)
    o, k = w.r.randint(10000, 80000), w.r.randint(200, 1500)
    c, look = w.pick('#d6336c', '#1864ab', '#2f9e44', '#e8590c'), w.pick(0, 1)
    m = lambda x: money(x, st)
    acct = w.pick(w.num(10), f'{w.num(4)} {w.num(4)} {w.num(3)}', f'{w.num(5)}-{w.num(5)}')
    addr = '<br>'.join(map(esc, [f'{p.title + " " if w.r.random() < .6 else ""}{v.full}'] + a.lines))
    tab = f'''<table><tr><td>Previous balance<td>{m(prev)}<tr><td>Payment received {fdate(w.early(day - 20 * DAY), s, "en")} – thank you<td>-{m(prev)}<tr>
<td>Balance forward<td>{m(D(0))}
<tr><td>Usage: meter {w.let(1)}{w.num(7)}, {o} to {o + k} ({w.pick("actual", "estimated")})<td>{m(use)}<tr>
<td>{w.pick("Standing charge", "Service charge", "Customer charge")}<td>{m(stand)}<tr><td>{"VAT" if cc in ("GB", "IE") else "Tax"} {rate}%<td>{m(tax)}
<tr class=b><td>{w.pick("Total amount due", "Please pay", "New charges")}<td>{m(w.tot(use + stand + tax))}</table>'''
    if look:
        body = f'''<div class=bar>{esc(co)}</div><div style="display:flex"><div style="width:95mm;margin:18mm 0 16mm">{addr}</div><div class=k>Account number
<br><b>{acct}</b><br>{w.pick("Statement date", "Bill date", "Date of issue")}<br>
<b>{w.fd("issueDate", day, s, "en")}</b><br>Due date<br><b>{fdate(w.late(day + 21 * DAY), s, "en")}</b></div></div>
<h2>Your {w.pick("bill", "statement")} at a glance</h2>{tab}'''
    else:
        body = f'''<table class=hd><tr><td>{logo(co, co)}<td>Customer: {esc(v.full)}<br>Account: {acct}<br>Issued: {w.fd("issueDate", day, s, "en")}
<br>Service address: {esc(a.street)}</table>{tab}
<p>Pay by {fdate(w.late(day + 21 * DAY), s, "en")}. Questions? Call {w.firm(cc).tel}.</p><div class=st><small>Detach and return with your payment</small><br>
<br>{addr}</div>'''
    css = f'''body{{font:9.6pt {w.pick("'Open Sans'", "'Liberation Sans'", "Roboto", "Carlito")}}}
.bar{{background:{c};color:#fff;font-size:17pt;padding:4mm}}.k{{margin:18mm 0 0 auto;line-height:1.5}}table{{width:100%}}td{{padding:2mm
1mm;border-bottom:.1mm solid #bbb}}
td+td{{text-align:right}}.b{{font-weight:bold;background:#f1f1f1}}.hd td{{border:0}}.st{{border-top:.3mm
dashed #000;margin-top:30mm;padding:6mm 10mm}}h2{{color:{c}}}'''
    return res(w.pick('weasy', 'chrome'), page(css, body, '14mm' if cc in ('GB', 'IE') else '18mm').replace('size:A4', 'size:A4' if cc in ('GB',
        'IE') else 'size:Letter'), day, 'under' if look else 'colon')


def pay_en(w, cc):
    p, f, end, st = w.person(cc), w.firm(cc, w.pick('{n} Logistics', '{n} Care Homes', '{n} Foods', 'St {n} School')), w.day(500, 20).replace(day=28), STY[cc]
    s = ds(w, cc) if cc != 'US' else 'us'
    v = w.who(p, w.pick(str, str.upper))
    w.f('postCode', p.pc), w.f('city', p.city)
    basic, extra = w.eur(1700, 3900), w.eur(0, 350)
    g = basic + extra
    D_ = {'GB': [('PAYE Tax', '.118'), ('National Insurance', '.061'), ('Employee Pension', '.04')], 'IE': [('PAYE', '.12'), ('PRSI', '.041'), ('USC', '.023')],
          'US': [('Federal Withholding', '.11'), ('Social Security', '.062'), ('Medicare', '.0145'), ('State Tax', '.038')], 'CA': [('Federal/Prov Tax',
              '.16'), ('CPP', '.0595'), ('EI', '.0164')]}[cc]
    ded = [(n, q2(g * D(r))) for n, r in D_]
    net = g - sum(x for _, x in ded)
    m = lambda x: money(x, st, w_cur)
    w_cur = w.r.random() < .5
    ident = {'GB': f'NI No: {w.let(2, "JKLMNPRS")} {w.num(2)} {w.num(2)} {w.num(2)} {w.pick("A", "B", "C", "D")}  Tax code: 1257L',
        'IE': f'PPS No: {w.num(7)}{w.let(2)}', 'US': f'SSN: XXX-XX-{w.num(4)}', 'CA': f'Employee No {w.num(5)}'}[cc]
    netp = w.fa('netAmount', w.tot(net), st, w_cur)
    if cc == 'GB' and w.r.random() < .5:      # the pin-feed slip that many bureaux still print
        L = [f'{"Employee":<12}{v.full:<34}Process date {fdate(w.late(end), "/")}', f'{"Employer":<12}{f.name:<34}{ident[:24]}',
            f'{"":<12}{"":<34}{ident[24:].strip()}', '-' * 76,
             f'{"Payments":<24}{"Amount":>12}   {"Deductions":<24}{"Amount":>12}',
                 f'{"Basic pay":<24}{money(basic, st, False):>12}   {ded[0][0]:<24}{money(ded[0][1], st, False):>12}',
             f'{"Overtime":<24}{money(extra, st, False):>12}   {ded[1][0]:<24}{money(ded[1][1], st, False):>12}',
                 f'{"":<24}{"":>12}   {ded[2][0]:<24}{money(ded[2][1], st, False):>12}', '-' * 76,
             f'{"Total gross pay":<24}{money(g, st, False):>12}   {"Total deductions":<24}{money(g - net, st, False):>12}',
                 f'!{"":>39}{"NET PAY":<24}{money(w.tot(net), st, False):>12}', '', v.full, p.street, p.city, p.pc]
        w.fields['netAmount'].printed = money(w.tot(net), st, False)
        return res('listing', [(8.6, 800, 14)] + L, end, 'table', claim=claim(w, .8))
    lay = w.pick('table', 'side')
    ytd = end.month if cc in ('US', 'CA') else (end.month - 4) % 12 + 1
    e = [('Basic Pay' if cc != 'US' else 'Regular', basic), ('Overtime', extra)]
    row = lambda n, x: f'<tr><td>{n}<td>{m(x)}<td>{m(x * ytd)}'
    body = f'''<table class=h><tr><td><b>{esc(f.name)}</b><br>{esc(f.street)}<br>{esc(f.city)} {f.st} {f.pc}
<td>{w.pick("PAYSLIP", "Pay Advice", "Payslip") if cc in ("GB", "IE") else w.pick("Earnings Statement", "Pay Stub")}
<br>{w.pick("Pay date", "Paid on")}: {fdate(w.late(end), s, "en")}<br>Start date: {fdate(w.early(w.day(3000, 600)), s, "en")}</table>
<p>{esc(v.full)}<br>{esc(p.street)}<br>{esc(p.city)} {p.st}<br>{p.pc}</p><p>{ident}</p><div class=c><table><tr><th>Payments<th>This period
<th>Year to date{"".join(row(*x) for x in e)}<tr><td>Gross<td>{m(g)}<td>{m(g * ytd)}</table>
<table><tr><th>Deductions<th>This period<th>Year to date{"".join(row(*x) for x in ded)}</table></div><div class=n>NET PAY <b>{netp}</b></div>'''
    css = f'''body{{font:9pt {w.pick("Roboto", "'Liberation Sans'", "'Liberation Sans Narrow'", "Carlito")}}}.h{{width:100%}}.h
td+td{{text-align:right}}{".c{display:flex;gap:6mm}" if lay == "side" else ""}.c table{{width:100%;border:.2mm solid #555;margin-bottom:4mm}}
.c th{{background:{w.pick("#dde", "#ded", "#333;color:#fff")};text-align:left}}.c td,.c th{{padding:1mm
2mm}}.c td+td{{text-align:right}}.n{{border:.4mm solid #000;padding:3mm;font-size:12pt;text-align:right}}'''
    return res(w.pick('weasy', 'chrome'), page(css, body, '14mm'), end, 'table')


def tax_en(w, cc):
    p, st, day = w.person(cc), STY[cc], w.day(700, 10)
    s = ds(w, cc)
    v, a = w.who(p, str), w.where(p)
    x, y, z = w.eur(2500, 9000), w.eur(10, 300), w.eur(1500, 2400)
    head, title, ref = {'GB': ('HM Revenue & Customs', 'Simple Assessment – Tax calculation', ('Your reference', f'{w.num(5)} {w.num(5)}')),
        'IE': ('Revenue Commissioners', 'Notice of Assessment – Income Tax', ('Notice No.', f'{w.num(8)}-{w.num(5)}{w.let(1)}')),
                        'US': ('Department of the Treasury\nInternal Revenue Service', 'Notice CP14 – You owe tax', ('Notice number', f'CP14-{w.num(8)}')),
                            'CA': ('Canada Revenue Agency', 'Notice of assessment', ('Assessment no.', f'{w.let(2)}{w.num(7)}'))}[cc]
    d = word_base(w, w.pick('Liberation Sans', 'Liberation Serif'))
    for i, q in enumerate(head.split('\n')):
        para(d, q, True, 13)
    para(d)
    for q in [v.full] + a.lines:
        para(d, q)
    para(d)
    para(d, f'{ref[0]}: {w.f("documentNumber", ref[1])}', al='r')
    para(d, f'Date of issue: {fdate(w.early(day), s, "en")}', al='r')
    para(d, f'Tax year {day.year - 1}', al='r', after=8)
    para(d, title, True, 14)
    grid(d, [('Summary', 'Amount'), ('Income tax charged', money(x, st)), ('Interest', money(y, st)), ('Less tax already paid', '-' + money(z, st)),
        (w.pick('Amount you owe', 'Balance due', 'Total to pay'), w.fa('totalAmount', w.tot(x + y - z), st))], [11, 4], w.pick('Table Grid', 'Light List',
            'Normal Table'), (1,))
    para(d)
    para(d, f'You must pay by {fdate(w.late(day + 31 * DAY), s, "en")}. If you do not agree, you can appeal within 30 days.')
    return res('office', d, day, 'table')


def bank_en(w, cc):
    p, day = w.person(cc), w.day(400, 3)
    bk = w.pick('Northbridge Bank plc', 'Harrow & Vale Building Society') if cc == 'GB' else w.pick('Bank of Leinster', 'Atlantic Savings Bank')
    h = w.f('accountHolder', f'{p.title} {p.first} {p.last}')
    ib, bic = w.iban(cc), w.bic(cc)
    if w.r.random() < .5:
        s = TEXHEAD.replace('french', 'english') % ('11pt', w.pick('lmodern', 'charter'),
            'empty') + f'\\textbf{{\\Large {tex(bk)}}}\n\n\\vspace{{12mm}}{tex(h)}\\\\ {tex(p.street)}\\\\ {tex(p.city)}\\\\ {p.pc}' \
            f'\n\n{fdate(day, "long", "en")}\n\n\\vspace{{6mm}}'
        s += f'Dear {tex(p.title)} {tex(p.last)},\n\n\\textbf{{Confirmation of your account details}}\n\nAs requested, we confirm that the following account ' \
            f'is held in the name of {tex(h)} and was opened on {fdate(w.early(w.day(5000, 500)), "long", "en")}.\n\nSort ' \
                f'code: {ib[8:10]}-{ib[10:12]}-{ib[12:14]}\\\\ Account number: {ib[14:]}\\\\ '
        s += f'IBAN: {w.fi(ib)}\\\\ BIC: {w.f("bic", bic)}\n\nYours sincerely,\n\n\\vspace{{12mm}}Customer Services\\end{{document}}'
        return res('latex', s, day, 'colon')
    rows = (("Account name", h), ("Sort code", f"{ib[8:10]}-{ib[10:12]}-{ib[12:14]}"), ("Account number", ib[14:]), ("IBAN", w.fi(ib)),
            ("BIC (Swift)", w.f("bic", bic)))
    body = f'''<b style="font-size:18pt;color:#124">{esc(bk)}</b><h3>Account details</h3>
<table>{"".join(f"<tr><td>{x}<td>{esc(y)}" for x, y in rows)}</table>
<p>Generated {fdate(day, "long", "en")}</p>'''
    return res('chromehead', page("body{font:11pt Roboto}td{padding:3mm 8mm 3mm 0;border-bottom:.2mm solid #ccc}", body, title='Account details'), day, 'table')


def veh_en(w, cc):
    p, issue, s = w.person(cc), w.day(1500, 10), {'GB': '/', 'IE': '/', 'US': 'us', 'CA': 'iso'}[cc]
    v, a = w.who(p), w.where(p, str.upper if cc in ('GB', 'IE') else str)
    plate = w.f('registrationNumber', {'GB': lambda: f'{w.let(2)}{w.pick("17", "19", "21", "68", "70")} {w.let(3)}',
        'IE': lambda: f'{w.pick(17, 191, 202, 221)}-D-{w.nz(5)}', 'US': lambda: w.num(1) + w.let(3) + w.num(3), 'CA': lambda: f'{w.let(4)} {w.num(3)}'}[cc]())
    first = fdate(w.early(issue - w.r.randint(20, 2000) * DAY), s)
    t = {'GB': 'Registration Certificate · V5C · DVLA', 'IE': 'VEHICLE REGISTRATION CERTIFICATE · Deimhniú Cláraithe Feithicle',
        'US': 'DEPARTMENT OF MOTOR VEHICLES – REGISTRATION CARD', 'CA': 'VEHICLE PERMIT / CERTIFICAT D’IMMATRICULATION'}[cc]
    rows = [('A Registration number' if cc in ('GB', 'IE') else 'License plate', plate), ('B Date of first registration' if cc in ('GB',
        'IE') else 'First reg.', first), ('C.1 Registered keeper' if cc == 'GB' else 'Owner', v.full), ('C.3 Address' if cc in ('GB', 'IE') else 'Address',
            ', '.join(a.lines)),
            ('D.1 Make', w.pick('FORD', 'VAUXHALL', 'HONDA')), ('D.3 Model', w.pick('FOCUS', 'CIVIC', 'FIESTA')), ('E VIN', w.vin()),
                ('P.1 Cylinder capacity', '1499 CC'), ('Colour', w.pick('BLUE', 'GREY')), ('I Issue date' if cc != 'GB' else 'Date document issued',
                    w.fd('issueDate', issue, s))]
    g = w.pick('block', 'grid')
    body = f'<div class=c><h3>{t}</h3><div class={g}>' + ''.join(f'<div><small>{esc(x)}</small><br>{esc(y)}</div>' for x,
        y in rows) + f'</div><p>Document ref {w.num(4)} {w.num(4)} {w.num(3)}</p></div>'
    css = f'''body{{font:9.4pt {w.pick("'Liberation Mono'", "'Nimbus Sans'")}}}.c{{background:{w.pick("#f9dfdc", "#dde9f3", "#e9efdc")};padding:6mm}}
h3{{font:bold 11pt 'Liberation Sans';color:#823}}small{{font-size:6.4pt;color:#634}}.grid{{display:flex;flex-wrap:wrap}}.grid div{{width:50%;padding:1.2mm
0}}.block div{{padding:1mm 0}}'''
    return res(w.pick('chrome', 'weasy'), page(css, body), issue + 4 * DAY, 'under')


def comp_en(w, cc):
    f, day, p = w.firm(cc, w.pick('{n} Trading', '{n} Interiors', 'Bright {n}')), w.day(300, 2), w.person(cc)
    a, s = w.where(f), ds(w, cc)
    name, since = w.f('companyName', f.name.upper() if cc in ('GB', 'US') else f.name), w.early(w.day(5000, 400))
    no = w.f('registrationNumber', {'GB': '0' + w.nz(7), 'IE': w.nz(6), 'US': w.nz(7), 'CA': f'{w.num(6)}-{w.num(1)}'}[cc])
    if cc in ('GB', 'IE') and w.r.random() < .6:
        s_ = TEXHEAD.replace('french', 'english') % ('12pt', w.pick('lmodern', 'charter', 'utopia'),
            'empty') + f'''\\begin{{center}}{{\\Large\\bfseries {"CERTIFICATE OF INCORPORATION" if cc == "GB" else "Certificate of Incorporation"}\\\\
OF A PRIVATE LIMITED COMPANY}}\n\n\\vspace{{10mm}}Company Number {no}\n\n\\vspace{{8mm}}
The Registrar of Companies{" for England and Wales" if cc == "GB" else ""} hereby certifies that\n\n\\vspace{{5mm}}{{\\large\\bfseries
{tex(name)}}}\n\n\\vspace{{5mm}}is this day incorporated under the Companies Act {"2006" if cc == "GB" else "2014"}
as a private company, that the company is limited by shares, and that its registered office is at\n\n
{tex(a.street)}, {tex(a.city)}, {a.pc}\n\nIncorporated on {fdate(since, "long", "en")}. Certified copy
given on {fdate(day, "long", "en")}.\\end{{center}}\\end{{document}}'''
        return res('latex', s_, day, 'prose')
    reg = {'GB': 'Companies House – company overview', 'IE': 'Companies Registration Office – Company Printout',
        'US': 'Secretary of State – Business Entity Record', 'CA': 'Corporations Canada – Corporate profile'}[cc]
    rows = [('Name', name), ('Company number' if cc in ('GB', 'IE') else 'Entity / Corporation number', no), ('Status', 'Active'), ('Type',
        'Private limited company' if cc in ('GB', 'IE') else 'Corporation'), ('Incorporated on', fdate(since, s, 'en')), ('Registered office',
            ', '.join(a.lines)), ('Director', f'{p.last.upper()}, {p.first}')]
    sep = ': ' if cc in ('US', 'IE') else '<br>'
    body = f'<h2>{reg}</h2>' + ''.join(f'<p><b>{x}</b>{sep}{esc(y)}</p>' for x, y in rows) + f'<p class=s>Printed {fdate(day, s, "en")}</p>'
    return res(w.pick('chromehead', 'weasy', 'chrome'), page(f"body{{font:11pt {w.pick('Roboto', 'Carlito', 'Lato')}}}.s{{font-size:8pt}}", body, '20mm',
        title=reg), day, 'colon' if cc in ('US', 'IE') else 'under')


def ins_en(w, cc):
    p, day, s = w.person(cc), w.day(350, 2), ds(w, cc)
    v, co = w.who(p, str), w.f('issuer', w.pick('Harbour Mutual Insurance', 'Kingsgate Insurance Ltd', 'Prairie States Insurance Co', 'Dominion Assurance'))
    w.f('postCode', p.pc), w.f('city', p.city)
    pol = w.f('policyNumber', w.pick(f'{w.let(3)}/{w.num(7)}', f'{w.let(2)}-{w.num(8)}', w.num(10), f'PC {w.num(4)} {w.num(4)}'))
    kind = w.pick('Certificate of Motor Insurance', 'Household Insurance – Confirmation of Cover') if cc in ('GB',
        'IE') else w.pick('Automobile Insurance Identification Card', 'Certificate of Property Insurance')
    end = w.late(day + 364 * DAY)
    if w.r.random() < .5:
        d = word_base(w)
        para(d, co, True, 14)
        para(d, kind, True, 16, 'c', after=10)
        for x in (f'1. Policy number: {pol}', f'2. Name of policyholder: {v.full}', f'   {p.street}, {p.city} {p.st} {p.pc}',
            f'3. Effective date of cover: {fdate(day, s, "en")}', f'4. Expiry of cover: {fdate(end, s, "en")}',
                '5. Persons entitled to benefit: the policyholder and any named driver'):
            para(d, x, after=8)
        para(d, 'I hereby certify that the policy to which this certificate relates satisfies the requirements of the relevant law.', it=True, after=18)
        para(d, 'Authorised Insurer', al='r')
        return res('office', d, day, 'colon')
    rows = (("POLICY NUMBER", pol), ("INSURED", v.full), ("ADDRESS", p.street), ("CITY", f"{p.city} {p.st} {p.pc}"), ("EFFECTIVE", fdate(day, s, "en")),
            ("EXPIRATION", fdate(end, s, "en")), ("INSURER", co))
    body = f'''{logo(co, co)}<h2>{kind}</h2>
<div class=g>{"".join(f"<div><small>{x}</small><br>{esc(y)}</div>" for x, y in rows)}</div>
<p>This document is issued as a matter of information only.</p>{scrawl(co)}'''
    return res(w.pick('weasy', 'chrome'),
        page(f"body{{font:10.5pt {w.pick('Roboto', chr(39) + 'Nimbus Sans' + chr(39))}}}.g{{display:flex;flex-wrap:wrap;border:.3mm solid}}.g "
            f"div{{width:46%;padding:2mm;border:.1mm solid #aaa}}small{{font-size:7pt;color:#555}}", body), day, 'under')


# ------------------------------------------------------------------ five more countries
EU = {'DE': ('Rechnung', 'Rechnungsnummer', 'Rechnungsdatum', 'Fällig am', 'Nettobetrag', 'MwSt. 19 %', 'Gesamtbetrag', 'Menge', 'Bezeichnung', D('.19'), '.',
    'be', 'USt-IdNr. DE', '{n} Heizungsbau'),
      'ES': ('Factura', 'N.º de factura', 'Fecha', 'Vencimiento', 'Base imponible', 'IVA 21 %', 'Total a pagar', 'Cant.', 'Concepto', D('.21'), '/', 'be',
          'CIF B', 'Reformas {n}'),
      'IT': ('Fattura', 'Numero fattura', 'Data', 'Scadenza', 'Imponibile', 'IVA 22%', 'Totale da pagare', 'Q.tà', 'Descrizione', D('.22'), '/', 'be2',
          'P. IVA ', 'Idraulica {n}'),
      'NL': ('Factuur', 'Factuurnummer', 'Factuurdatum', 'Vervaldatum', 'Subtotaal', 'Btw 21%', 'Te betalen', 'Aantal', 'Omschrijving', D('.21'), '-', 'be2',
          'Btw NL', '{n} Installatie'),
      'PT': ('Fatura', 'Fatura n.º', 'Data de emissão', 'Vencimento', 'Total ilíquido', 'IVA 23%', 'Total a pagar', 'Qtd.', 'Designação', D('.23'), '/', 'be',
          'NIF ', 'Canalizações {n}')}
UTIL = {'DE': ('Stadtwerke Ahrental', 'Stromrechnung', 'Kundennummer', 'Verbrauchsstelle'), 'ES': ('Luz de Levante', 'Factura de electricidad',
    'N.º de contrato', 'Dirección de suministro'), 'IT': ('Energia Padana', 'Bolletta luce', 'Codice cliente', 'Indirizzo di fornitura'),
        'NL': ('Waterstroom Energie', 'Jaarnota energie', 'Klantnummer', 'Leveringsadres'), 'PT': ('Águas do Mondego', 'Fatura de água', 'N.º de cliente',
            'Local de consumo')}


def inv_eu(w, cc):
    T = EU[cc]
    f, (p, name, to), day = w.firm(cc, T[13]), cust(w, cc), w.day(500, 3)
    L, m = lines_of(w, cc.lower()), lambda x: money(x, T[11])
    net = sum(x[3] for x in L)
    tax = q2(net * T[9])
    no = w.pick(f'{day.year}-{w.num(4)}', f'{w.let(2)}{w.num(5)}', f'{w.num(3)}/{day.year}')
    if w.r.random() < .5:
        d = word_base(w)
        para(d, w.f('issuer', f.name), True, 15)
        para(d, f'{f.street}, {f.pc} {f.city}', size=9, after=14)
        for x in to:
            para(d, x)
        para(d)
        para(d, f'{T[0]}', True, 16)
        para(d, f'{T[1]}: {w.f("invoiceNumber", no)}    {T[2]}: {w.fd("issueDate", day, T[10])}    {T[3]}: {fdate(w.late(day + 30 * DAY), T[10])}', after=6)
        grid(d, [(T[8], T[7], '€', '€')] + [(a, str(q).replace('.', ','), money(u, 'be', False), money(t, 'be', False)) for a, q, u, t in L], [8, 2, 3, 3],
            w.pick('Table Grid', 'Light Shading'), (1, 2, 3))
        for a, b in ((T[4], m(net)), (T[5], m(tax)), (T[6], w.fa('totalAmount', w.tot(net + tax), T[11]))):
            para(d, f'{a}: {b}', a == T[6], al='r')
        para(d, f'IBAN {w.fi(w.iban(cc))}', size=9)
        return res('office', d, day, 'colon')
    rows = ''.join(f'<tr><td>{esc(a)}<td>{str(q).replace(".", ",")}<td>{m(u)}<td>{m(t)}' for a, q, u, t in L)
    body = f'''{logo(f.name, f.stem)}<p><b>{esc(w.f("issuer", f.name))}</b> · {esc(f.street)} · {f.pc} {esc(f.city)}</p>
<p style="margin:12mm 0">{"<br>".join(map(esc, to))}</p><h1>{T[0]}</h1><table><tr><td>{T[1]}<td>{w.f("invoiceNumber", no)}<tr><td>{T[2]}
<td>{w.fd("issueDate", day, T[10])}<tr><td>{T[3]}<td>{fdate(w.late(day + 30 * DAY), T[10])}</table>
<table class=l><tr><th>{T[8]}<th>{T[7]}<th><th>{rows}<tr><td>{T[4]}<td><td><td>{m(net)}<tr><td>{T[5]}<td><td><td>{m(tax)}<tr><td><b>{T[6]}</b><td><td><td>
<b>{w.fa("totalAmount", w.tot(net + tax), T[11])}</b></table><p>IBAN {w.fi(w.iban(cc))} · BIC {w.bic(cc)}</p>'''
    return res(w.pick('weasy', 'chrome'),
        page(f"body{{font:9.8pt {w.pick('Lato', 'Roboto', 'Carlito')}}}td{{padding:1.2mm 4mm 1.2mm 0}}.l{{width:100%;margin-top:8mm}}.l "
            f"td+td{{text-align:right}}.l td{{border-bottom:.1mm solid #bbb}}th{{text-align:left}}h1{{font-weight:300}}", body), day, 'table')


def poa_eu(w, cc):
    T, U, p, day = EU[cc], UTIL[cc], w.person(cc), w.day(300, 3)
    v, a, co = w.who(p, str), w.where(p), w.f('issuer', U[0])
    x, y, m = w.eur(20, 160), w.eur(8, 25), lambda z: money(z, T[11])
    tax = q2((x + y) * T[9])
    body = f'''<div class=h>{esc(co)}</div><p class=a>{esc(p.title)} {esc(v.full)}<br>{esc(a.street)}<br>{esc(a.tail)}</p><h2>{U[1]}</h2><table><tr>
<td>{U[2]}<td>{w.num(9)}<tr><td>{T[2]}<td>{w.fd("issueDate", day, T[10])}<tr><td>{U[3]}<td>{esc(a.street)}, {esc(a.city)}<tr>
<td>{w.r.randint(80, 900)} {"m³" if cc == "PT" else "kWh"}<td>{m(x)}
<tr><td>{w.pick("Fix", "Base") if cc == "DE" else "+"}<td>{m(y)}<tr><td>{T[5]}<td>{m(tax)}<tr><th>{T[6]}<th>{m(w.tot(x + y + tax))}<tr><td>{T[3]}
<td>{fdate(w.late(day + 18 * DAY), T[10])}</table>'''
    css = f"body{{font:10pt {w.pick('Lato', 'Roboto')}}}.h{{font-size:18pt;color:#{w.pick('064', 'a20', '226')}}}.a{{margin:16mm 0 " \
        f"12mm {w.pick(0, 95)}mm}}td,th{{padding:1.5mm 10mm 1.5mm 0;text-align:left;border-bottom:.1mm solid #aaa}}"
    return res('weasy', page(css, body), day, 'table', claim=claim(w, .5))


DESIGNS = []
for _t, _fn in (('INVOICE', inv_uk), ('INVOICE', inv_modern_en), ('PROOF_OF_ADDRESS', poa_en), ('PAYSLIP', pay_en), ('TAX_NOTICE', tax_en),
    ('VEHICLE_REGISTRATION', veh_en), ('COMPANY_REGISTRATION', comp_en), ('INSURANCE_CERTIFICATE', ins_en)):
    DESIGNS += [(_t, cc, lambda w, cc=cc, fn=_fn: fn(w, cc)) for cc in ('GB', 'IE', 'US', 'CA')]
DESIGNS += [('BANK_DETAILS', cc, lambda w, cc=cc: bank_en(w, cc)) for cc in ('GB', 'IE')]
DESIGNS += [('INVOICE', cc, lambda w, cc=cc: inv_eu(w, cc)) for cc in EU] + [('PROOF_OF_ADDRESS', cc, lambda w, cc=cc: poa_eu(w, cc)) for cc in EU]
