"""English-language papers (United Kingdom, Ireland, United States, Canada)."""
import datetime as dt
from decimal import Decimal as D

import people as pp
from cards import builder
from papers_fr import charges, issue, lines_of, month_of, put_iban
from people import Firm, cents, day, digits, letters, pick, workday, years


def town(d, p, put=True):
    if put:
        d.put("city", p.city), d.put("postCode", p.post)
    if d.country == "US":
        return f"{p.city}, {pp.US_STATE[p.post]} {p.post}"
    if d.country == "CA":
        return f"{p.city} {pp.CA_PROV[p.post[0]]}  {p.post}"
    return f"{p.city} {p.post}" if d.r.random() < .5 else f"{p.city}, {p.post}"


def window(d, p, upper=False):
    up = str.upper if upper else str
    d.put("lastName", up(p.last)), d.put("firstName", up(p.first)), d.put("address", up(p.street))
    d.put("city", up(p.city)), d.put("postCode", p.post)
    last = [up(p.city), p.post] if d.country in ("UK", "IE") else [up(town(d, p, False))]
    return [f"{up(p.title)} {up(p.first)} {up(p.last)}", up(p.street)] + last


def firm_lines(d, f):
    return [f.street, town(d, f, False), f"Tel {f.phone}  |  {f.mail}"]


# ---------------------------------------------------------------- bank details

@builder("BANK_DETAILS", "en", "uk-account-confirmation-letter", "UK")
def uk_bank(d):
    p = d.who
    issue(d)
    i = p.iban
    d.title, d.author = "Account confirmation", p.bank
    d.add("head", d.put("issuer", p.bank), ["Customer Services", "PO Box 118, Leeds"])
    d.add("to", window(d, p))
    d.add("p", d.date(d.issued, "issueDate"))
    d.add("p", f"Dear {p.title} {p.last},")
    d.add("p", "Thank you for your request. We confirm that the following current account is held with us:")
    d.add("pairs", [("Account name", d.put("accountHolder", p.full())), ("Sort code", f"{i[8:10]}-{i[10:12]}-{i[12:14]}"), ("Account number", i[14:]), ("IBAN", put_iban(d, i)), ("BIC", d.put("bic", p.bic))], pick(d.r, ["left", "box", "above"]))
    d.add("p", "This letter is issued for identification purposes only and without responsibility on the part of the bank.")
    d.add("p", "Yours sincerely, Customer Service Director")


@builder("BANK_DETAILS", "en", "ie-online-statement-header", "IE")
def ie_bank(d):
    p = d.who
    issue(d)
    d.title = "Proof of account"
    d.add("head", d.put("issuer", p.bank), ["365 online"])
    d.add("title", "Account Details (SEPA)")
    d.add("pairs", [("Account Holder", d.put("accountHolder", p.full())), ("Address", d.put("address", p.street)), ("", town(d, p)), ("NSC", p.iban[8:14]), ("Account No.", p.iban[14:]), ("IBAN", put_iban(d, p.iban)), ("BIC / Swift Code", d.put("bic", p.bic)), ("Printed on", d.date(d.issued, "issueDate"))], pick(d.r, ["left", "below", "inline", "dots"]))


@builder("BANK_DETAILS", "en", "us-direct-deposit-form", "US")
def us_bank(d):
    p, r = d.who, d.r
    issue(d)
    base = digits(r, 8, "0123")
    key = next(c for c in "0123456789" if sum(int(x) * w for x, w in zip(base + c, (3, 7, 1) * 3)) % 10 == 0)
    d.title = "Direct deposit information"
    d.add("head", d.put("issuer", p.bank), ["Member FDIC / NCUA"])
    d.add("title", "Direct Deposit / ACH Information")
    d.add("pairs", [("Account holder name", d.put("accountHolder", p.full())), ("Mailing address", d.put("address", p.street)), ("", town(d, p)), ("Routing number (ABA)", base + key), ("Account number", digits(r, 10)), ("Account type", "Checking"), ("SWIFT/BIC for incoming wires", d.put("bic", p.bic)), ("Date", d.date(d.issued, "issueDate"))], pick(r, ["left", "box"]))
    d.add("p", "Give this form to your employer's payroll department to set up direct deposit of your pay.")


# ---------------------------------------------------------------- payslips

@builder("PAYSLIP", "en", "uk-payslip-two-columns", "UK")
def uk_pay(d):
    p, r = d.who, d.r
    f = Firm(r, "UK", "en")
    a, z = month_of(d)
    gross = cents(r.randrange(190000, 520000)) / 100
    tax = cents(max(D(0), (gross - D("1048")) * D("0.20")))
    ni = cents((gross - D("1048")) * D("0.08"))
    pension = cents(gross * D("0.05"))
    ded = tax + ni + pension
    net = gross - ded
    d.truth("net", gross - tax - ni - pension == net)
    d.title, d.author = "Payslip", f.name
    d.add("title", d.put("companyName", f.name), "PAY ADVICE")
    d.add("pairs", [("Employee", f"{p.title} {d.put('firstName', p.first)} {d.put('lastName', p.last)}"), ("Employee No.", digits(r, 4)), ("NI Number", pp.nino(r)), ("Tax Code", "1257L"), ("Pay Date", d.date(z, "issueDate", "slash")), ("Tax Period", str((a.month - 4) % 12 + 1))], pick(r, ["above", "left"]))
    d.issued = z
    d.add("cols", [["table", ["Payments", "Amount"], [["Basic Salary", d.num(gross)]], "lr", [["Total Gross Pay", d.num(gross)]]]],
          [["table", ["Deductions", "Amount"], [["PAYE Tax", d.num(tax)], ["National Insurance", d.num(ni)], ["Pension (EE)", d.num(pension)]], "lr", [["Total Deductions", d.num(ded)]]]])
    d.add("table", None, [["NET PAY", d.money(net, "netAmount")]], "lr", [])
    d.add("pairs", [("", d.put("address", p.street)), ("", town(d, p))], "bare")


@builder("PAYSLIP", "en", "ie-payslip", "IE")
def ie_pay(d):
    p, r = d.who, d.r
    f = Firm(r, "IE", "en")
    a, z = month_of(d)
    gross = cents(r.randrange(280000, 560000)) / 100
    paye, usc, prsi = cents(gross * D("0.135")), cents(gross * D("0.022")), cents(gross * D("0.042"))
    net = gross - paye - usc - prsi
    d.truth("net", gross == net + paye + usc + prsi)
    d.title = "Payslip"
    d.add("head", d.put("companyName", f.name), [f.street, town(d, f, False)])
    d.add("pairs", [("Name", f"{d.put('lastName', p.last)}, {d.put('firstName', p.first)}"), ("PPS No.", pp.ppsn(r)), ("Date", d.date(z, "issueDate", "slash")), ("Frequency", "Monthly"), ("PRSI Class", "A1")], pick(r, ["left", "inline", "dots"]))
    d.issued = z
    d.add("table", ["Description", "This Period"], [["Salary", d.num(gross)], ["Gross Pay", d.num(gross)], ["PAYE", d.num(-paye)], ["USC", d.num(-usc)], ["PRSI", d.num(-prsi)]], "lr", [["Net Pay", d.money(net, "netAmount")]])
    d.add("p", "Paid by EFT to " + put_iban(d, p.iban))


@builder("PAYSLIP", "en", "us-earnings-statement", "US")
def us_pay(d):
    p, r = d.who, d.r
    f = Firm(r, "US", "en")
    a, z = month_of(d)
    gross = cents(r.randrange(180000, 520000)) / 100
    rates = [("Federal Income Tax", "11.40"), ("Social Security", "6.20"), ("Medicare", "1.45"), ("State Income Tax", "4.75")]
    rows = charges(gross, rates)
    net = gross - sum(x[3] for x in rows)
    d.truth("net", net + sum(x[3] for x in rows) == gross)
    d.title = "Earnings Statement"
    d.add("head", d.put("companyName", f.name), firm_lines(d, f))
    d.add("title", "Earnings Statement")
    d.add("pairs", [("Pay Date", d.date(z, "issueDate", "us")), ("Period Ending", d.date(z, None, "us")), ("Employee ID", digits(r, 5)), ("SSN", f"XXX-XX-{digits(r, 4)}")], "above")
    d.issued = z
    d.add("to", window(d, p, r.random() < .5))
    d.add("table", ["Earnings / Deductions", "Rate", "Current"], [["Regular", "", d.num(gross)], ["Gross Pay", "", d.num(gross)]] + [[n, f"{x}%", d.num(-v)] for n, _, x, v in rows], "lrr", [["Net Pay", "", d.money(net, "netAmount")]])
    d.add("small", "THIS IS NOT A CHECK. Non-negotiable. Deposited to checking account ending " + digits(r, 4))


@builder("PAYSLIP", "en", "ca-pay-statement", "CA")
def ca_pay(d):
    p, r = d.who, d.r
    f = Firm(r, "CA", "en")
    a, z = month_of(d)
    gross = cents(r.randrange(190000, 420000)) / 100
    rows = charges(gross, [("Federal Tax", "9.80"), ("CPP", "5.95"), ("EI", "1.64"), ("Ontario Tax", "5.05")])
    net = gross - sum(x[3] for x in rows)
    d.truth("net", net + sum(x[3] for x in rows) == gross)
    d.title = "Statement of Earnings"
    d.add("title", "STATEMENT OF EARNINGS AND DEDUCTIONS", d.put("companyName", f.name))
    d.add("pairs", [("Employee name", f"{d.put('firstName', p.first)} {d.put('lastName', p.last)}"), ("Address", d.put("address", p.street)), ("", town(d, p)), ("Pay date", d.date(z, "issueDate"))], pick(r, ["left", "below"]))
    d.issued = z
    d.add("table", ["Item", "Current amount"], [["Regular earnings", d.num(gross)]] + [[n, d.num(-v)] for n, _, _, v in rows], "lr", [["NET PAY", d.money(net, "netAmount")]])


# ---------------------------------------------------------------- tax notices

@builder("TAX_NOTICE", "en", "uk-tax-calculation", "UK")
def uk_tax(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 6, 1))
    income = cents(r.randrange(24000, 48000))
    allow = cents(12570)
    tax = cents((income - allow) * D("0.2"))
    paid = tax - cents(r.randrange(2000, 60000)) / 100
    d.title = "Tax calculation"
    d.add("head", d.put("issuer", "HM Revenue & Customs"), ["Pay As You Earn and Self Assessment", "BX9 1AS"])
    d.add("to", window(d, p))
    d.add("pairs", [("Date", d.date(d.issued, "issueDate")), ("National Insurance number", pp.nino(r)), ("Our reference", d.put("documentNumber", f"{digits(r, 3)}/{letters(r, 2)}{digits(r, 4)}"))], "left")
    d.add("title", "Tax calculation for 2025-26")
    d.add("table", None, [["Total income", d.money(income)], ["Less Personal Allowance", d.money(-allow).replace("£-", "-£")], ["Tax due on income at 20%", d.money(tax)], ["Less tax already deducted", "-" + d.money(paid)]], "lr", [["You have underpaid", d.money(tax - paid, "totalAmount")]])
    d.truth("tax", tax - paid > 0)
    d.add("p", "Check the figures in this calculation against your own records. You can pay online or by bank transfer.")


@builder("TAX_NOTICE", "en", "ie-statement-of-liability", "IE")
def ie_tax(d):
    p, r = d.who, d.r
    issue(d)
    refund = cents(r.randrange(4000, 120000)) / 100
    d.title = "Statement of Liability"
    d.add("head", d.put("issuer", "Office of the Revenue Commissioners"), ["PAYE Services"])
    d.add("to", window(d, p))
    d.add("title", "Statement of Liability (PAYE) for the year ended 31 December 2025")
    d.add("pairs", [("PPS Number", pp.ppsn(r)), ("Notice No.", d.put("documentNumber", digits(r, 8) + "-" + digits(r, 5) + letters(r, 1))), ("Date of issue", d.date(d.issued, "issueDate"))], pick(r, ["left", "inline"]))
    d.add("p", f"Our review of your tax for 2025 shows an overpayment of {d.money(refund, 'totalAmount')}. This amount will be refunded to the bank account held on our records.")


@builder("TAX_NOTICE", "en", "us-irs-style-notice", "US")
def us_tax(d):
    p, r = d.who, d.r
    issue(d)
    tax = cents(r.randrange(40000, 300000)) / 100
    pen, intr = cents(tax * D("0.05")), cents(tax * D("0.021"))
    total = tax + pen + intr
    d.title = "Notice CP14"
    d.add("head", "Department of the Treasury", ["Internal Revenue Service"])
    d.put("issuer", "Internal Revenue Service")
    d.add("cols", [["pairs", [("", x) for x in window(d, p, True)], "bare"]], [["pairs", [("Notice", "CP14"), ("Tax year", "2025"), ("Notice date", d.date(d.issued, "issueDate")), ("Notice number", d.put("documentNumber", digits(r, 9)))], "left"]])
    d.add("title", f"You owe taxes for 2025: {d.money(total, 'totalAmount')}")
    d.add("table", ["Billing summary", ""], [["Tax you owe", d.money(tax)], ["Failure-to-pay penalty", d.money(pen)], ["Interest charges", d.money(intr)]], "lr", [["Amount due", d.money(total)]])
    d.truth("sum", tax + pen + intr == total)


@builder("TAX_NOTICE", "en", "ca-notice-of-assessment", "CA")
def ca_tax(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 4, 1), dt.date(2026, 8, 1))
    tax = cents(r.randrange(500000, 1200000)) / 100
    cred = tax - cents(r.randrange(4000, 90000)) / 100
    d.title = "Notice of assessment"
    d.add("head", d.put("issuer", "Revenue Agency of Canada"), ["Sudbury ON  P3A 5C2"])
    d.add("to", window(d, p))
    d.add("title", "Notice of assessment", "Tax year 2025")
    d.add("pairs", [("Social insurance number", f"XXX XX{digits(r, 1)} {digits(r, 3)}"), ("Date issued", d.date(d.issued, "issueDate", "us-long")), ("Access code", d.put("documentNumber", letters(r, 4) + digits(r, 4)))], "above")
    d.add("table", ["Line", "Description", "$ Final amount"], [["43500", "Total payable", d.num(tax)], ["43700", "Total income tax deducted", d.num(-cred)]], "llr", [["", "Balance due", d.money(tax - cred, "totalAmount")]])


# ---------------------------------------------------------------- invoices

GOODS_EN = [("Oak shelving, fitted", 285), ("Labour (hour)", 46), ("Callout charge", 65), ("Front brake pads", 84), ("Full service", 189), ("Annual user licence", 240), ("Sandwich lunch (per head)", 12), ("Business cards (500)", 58), ("Radiator valve", 19), ("Consultancy day rate", 540)]


def invoice_en(d, rate, taxname, labels, style):
    p, r = d.who, d.r
    f = Firm(r, d.country, "en")
    issue(d)
    items = lines_of(r, GOODS_EN)
    net = sum(x[3] for x in items)
    tax = cents(net * D(rate) / 100)
    total = net + tax
    d.truth("sum", net + tax == total)
    d.title, d.author = "Invoice", f.name
    no = pick(r, [f"INV-{digits(r, 4)}", f"{d.issued:%y}{digits(r, 4)}", f"SI{digits(r, 6)}"])
    d.add("head", d.put("issuer", f.name), firm_lines(d, f))
    d.add("title", labels[2])
    d.add("pairs", [(labels[0], d.put("invoiceNumber", no)), (labels[1], d.date(d.issued, "issueDate")), ("Due", d.date(d.issued + dt.timedelta(days=30)))], style)
    d.add("to", window(d, p))
    rows = [[n, str(q), d.num(u), d.num(t)] for n, q, u, t in items]
    d.add("table", ["Description", "Qty", "Unit", "Amount"], rows, "lrrr", [["Subtotal", "", "", d.num(net)], [f"{taxname} @ {rate}%", "", "", d.num(tax)], [labels[3], "", "", d.money(total, "totalAmount")]])
    if f.iban:
        d.add("p", f"Please pay by bank transfer to {f.name}, IBAN {put_iban(d, f.iban)}, BIC {d.put('bic', f.bic)}.")
    else:
        d.add("p", "Please make checks payable to " + f.name + ". Thank you for your business.")
    d.add("foot", [f"{f.name}  Registered No. {f.reg}   {taxname} No. {f.vat}"])
    return f


@builder("INVOICE", "en", "uk-vat-invoice", "UK")
def inv_uk(d):
    invoice_en(d, "20", "VAT", ["Invoice No.", "Invoice Date", "INVOICE", "Total Due"], pick(d.r, ["left", "above"]))


@builder("INVOICE", "en", "ie-vat-invoice", "IE")
def inv_ie(d):
    invoice_en(d, "23", "VAT", ["Invoice #", "Date", "Tax Invoice", "TOTAL"], pick(d.r, ["inline", "box"]))


@builder("INVOICE", "en", "us-invoice-below", "US")
def inv_us(d):
    invoice_en(d, "6.5", "Sales tax", ["INVOICE #", "DATE", "Invoice", "BALANCE DUE"], pick(d.r, ["below", "left"]))


@builder("INVOICE", "en", "ca-gst-invoice", "CA")
def inv_ca(d):
    invoice_en(d, "13", "HST", ["Invoice number", "Invoice date", "INVOICE", "Amount due (CAD)"], pick(d.r, ["dots", "left"]))


@builder("INVOICE", "en", "uk-fee-note-prose", "UK")
def inv_note(d):
    p, r = d.who, d.r
    f = Firm(r, "UK", "en")
    issue(d)
    total = cents(r.randrange(120, 1900))
    d.title = "Fee note"
    d.add("right", [d.put("issuer", f.name), f.street, f"{f.city} {f.post}"])
    d.add("pairs", [("", x) for x in window(d, p)], "bare")
    d.add("p", d.date(d.issued, "issueDate", "long"))
    d.add("title", f"Fee note {d.put('invoiceNumber', digits(r, 4) + '/' + letters(r, 2))}")
    d.add("p", f"To professional services rendered in connection with your property at the above address, our fee as agreed: {d.money(total, 'totalAmount')}. We are not registered for VAT.")
    d.add("p", f"Payment within 14 days by BACS to sort code {f.iban[8:10]}-{f.iban[10:12]}-{f.iban[12:14]}, account {f.iban[14:]}. With compliments.")


# ---------------------------------------------------------------- proof of address

def bill_en(d, name, what, unit, qty, price, fixed, rate, taxname, style):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 8, 3))
    use, fix = cents(D(qty) * D(price)), cents(fixed)
    tax = cents((use + fix) * D(rate) / 100)
    total = use + fix + tax
    d.truth("sum", use + fix + tax == total)
    d.title, d.author = f"{name} bill", name
    d.add("head", d.put("issuer", name), ["Customer services 0800 and online 24/7"])
    d.add("to", window(d, p))
    d.add("title", f"Your {what} bill")
    d.add("pairs", [("Account number", digits(r, 10)), ("Bill number", d.put("invoiceNumber", digits(r, 9))), ("Bill date", d.date(d.issued, "issueDate")), ("Supply address", d.fields["address"])], style)
    d.add("table", ["Charges", "Usage", "Rate", "Amount"], [["Standing charge", "1 month", d.num(fix), d.num(fix)], [what.capitalize() + " used", f"{qty} {unit}", str(price), d.num(use)], [f"{taxname} at {rate}%", "", "", d.num(tax)]], "lrrr", [["Total amount due", "", "", d.money(total, "totalAmount")]])
    d.add("p", f"We'll take this by Direct Debit on or after {d.date(d.issued + dt.timedelta(days=14))}." if d.country in ("UK", "IE") else f"Please pay by {d.date(d.issued + dt.timedelta(days=21))}.")


@builder("PROOF_OF_ADDRESS", "en", "uk-electricity-bill", "UK")
def uk_el(d):
    bill_en(d, pick(d.r, ["Pennine Power", "Brightwell Energy"]), "electricity", "kWh", d.r.randrange(90, 520), "0.2486", "16.30", "5", "VAT", pick(d.r, ["left", "above", "below"]))


@builder("PROOF_OF_ADDRESS", "en", "uk-water-bill", "UK")
def uk_wa(d):
    bill_en(d, "Calderdale Water", "water", "m3", d.r.randrange(10, 60), "2.1140", "22.15", "0", "VAT", pick(d.r, ["dots", "box"]))


@builder("PROOF_OF_ADDRESS", "en", "ie-broadband-bill", "IE")
def ie_bb(d):
    bill_en(d, "Shannon Telecom", "broadband", "GB", d.r.randrange(1, 9), "1.5000", "45.00", "23", "VAT", pick(d.r, ["left", "inline"]))


@builder("PROOF_OF_ADDRESS", "en", "us-utility-bill", "US")
def us_ut(d):
    bill_en(d, pick(d.r, ["Cascade Public Utilities", "Piedmont Light & Water"]), "electric service", "kWh", d.r.randrange(200, 990), "0.1275", "11.00", "3", "City tax", pick(d.r, ["above", "left"]))


@builder("PROOF_OF_ADDRESS", "en", "ca-hydro-bill", "CA")
def ca_hy(d):
    bill_en(d, "Rideau Hydro", "electricity", "kWh", d.r.randrange(200, 990), "0.1030", "24.00", "13", "HST", "left")


# ---------------------------------------------------------------- vehicle registration

CARS = [("FORD", "FIESTA"), ("VAUXHALL", "CORSA"), ("NISSAN", "QASHQAI"), ("HONDA", "CIVIC"), ("TOYOTA", "COROLLA")]


@builder("VEHICLE_REGISTRATION", "en", "uk-v5c", "UK")
def v5c(d):
    p, r = d.who, d.r
    d.issued = workday(r, dt.date(2019, 1, 1), dt.date(2026, 10, 1))
    make, model = pick(r, CARS)
    d.title = "Registration certificate"
    d.add("title", "REGISTRATION CERTIFICATE V5C", "Driver & Vehicle Licensing Agency – this document is not proof of ownership")
    d.add("pairs", [("Registered keeper", ""), ("Name", f"{p.title.upper()} {d.put('firstName', p.first.upper())} {d.put('lastName', p.last.upper())}"), ("Address", d.put("address", p.street.upper())), ("", d.put("city", p.city.upper())), ("", d.put("postCode", p.post)), ("Document reference number", d.put("documentNumber", digits(r, 11)))], pick(r, ["left", "box"]))
    year = r.randrange(51, 70)
    d.add("pairs", [("[A] Registration number", d.put("registrationNumber", f"{letters(r, 2)}{year} {letters(r, 3)}")), ("[B] Date of first registration", d.date(dt.date(1950 + year, 10, r.randrange(1, 28)), None, "slash")), ("[D.1] Make", make), ("[D.3] Model", model), ("[E] VIN", pp.vin(r)), ("[P.1] Cylinder capacity", f"{r.randrange(998, 1998)} CC"), ("[R] Colour", pick(r, ["SILVER", "BLUE", "BLACK"])), ("[I] Date of issue", d.date(d.issued, "issueDate", "slash"))], pick(r, ["left", "above"]))


@builder("VEHICLE_REGISTRATION", "en", "ie-vrc", "IE")
def vrc(d):
    p, r = d.who, d.r
    d.issued = workday(r, dt.date(2019, 1, 1), dt.date(2026, 10, 1))
    make, model = pick(r, CARS)
    d.title = "Vehicle Registration Certificate"
    d.add("head", "ÉIRE  IRELAND", ["An Roinn Iompair – Department of Transport"])
    d.add("title", "Vehicle Registration Certificate")
    d.add("pairs", [("A  Registration number", d.put("registrationNumber", f"{r.randrange(151, 192)}-{pick(r, ['D', 'C', 'G', 'L'])}-{digits(r, 5)}")), ("C.1.1  Surname", d.put("lastName", p.last)), ("C.1.2  Other name(s)", d.put("firstName", p.first)), ("C.1.3  Address", d.put("address", p.street)), ("", town(d, p)), ("D.1  Make", make), ("D.3  Commercial description", model), ("E  VIN", pp.vin(r)), ("I  Date of registration of this document", d.date(d.issued, "issueDate")), ("Document No.", d.put("documentNumber", letters(r, 1) + digits(r, 8)))], pick(r, ["left", "dots"]))


@builder("VEHICLE_REGISTRATION", "en", "us-registration-card", "US")
def us_reg(d):
    p, r = d.who, d.r
    d.issued = workday(r, dt.date(2026, 1, 5), dt.date(2026, 10, 1))
    make, model = pick(r, CARS)
    d.title = "Vehicle registration"
    d.add("title", "VEHICLE REGISTRATION CARD", f"State of {pp.US_STATE[p.post]} – Division of Motor Vehicles")
    d.add("pairs", [("PLATE NO", d.put("registrationNumber", f"{digits(r, 3)} {letters(r, 3)}")), ("EXPIRES", d.date(years(d.issued, 1), "expiryDate", "us-long")), ("ISSUED", d.date(d.issued, "issueDate", "us-long")), ("TITLE NO", d.put("documentNumber", digits(r, 10))), ("VIN", pp.vin(r)), ("YR/MAKE", f"{r.randrange(2012, 2024)} {make}"), ("MODEL", model), ("OWNER", f"{d.put('lastName', p.last.upper())} {d.put('firstName', p.first.upper())}"), ("ADDRESS", d.put("address", p.street.upper())), ("", town(d, p))], pick(r, ["above", "left"]))


# ---------------------------------------------------------------- company registration

@builder("COMPANY_REGISTRATION", "en", "uk-certificate-incorporation-prose", "UK")
def incorp(d):
    r = d.r
    f = Firm(r, "UK", "en")
    issue(d, dt.date(2026, 1, 5))
    d.theme["head"] = "center"
    d.title = "Certificate of Incorporation"
    d.add("title", "CERTIFICATE OF INCORPORATION OF A PRIVATE LIMITED COMPANY")
    d.add("p", "Company Number " + d.put("registrationNumber", f.reg))
    d.add("p", "The Registrar of Companies for England and Wales, hereby certifies that")
    d.add("h", d.put("companyName", f.name.upper()))
    d.add("p", "is this day incorporated under the Companies Act 2006 as a private company, that the company is limited by shares, and the situation of its registered office is in England and Wales.")
    d.add("p", f"Given at Companies House, Cardiff, on {d.date(d.issued, 'issueDate', 'long')}.")
    d.put("issuer", "Companies House")


@builder("COMPANY_REGISTRATION", "en", "uk-company-profile", "UK")
def profile(d):
    p, r = d.who, d.r
    f = Firm(r, "UK", "en")
    issue(d)
    d.title = f"{f.name} overview"
    d.add("head", d.put("issuer", "Companies House"), ["Company overview – current appointments report"])
    d.add("title", d.put("companyName", f.name.upper()))
    d.add("pairs", [("Company number", d.put("registrationNumber", f.reg)), ("Registered office address", d.put("address", f.street)), ("", town(d, f)), ("Company status", "Active"), ("Company type", "Private limited Company"), ("Incorporated on", d.date(day(r, dt.date(2004, 1, 1), dt.date(2024, 1, 1)), None, "long")), ("Nature of business (SIC)", digits(r, 5)), ("Officer", f"{d.put('lastName', p.last.upper())}, {d.put('firstName', p.first)}"), ("Nationality", d.put("nationality", "British")), ("Report created", d.date(d.issued, "issueDate", "long"))], pick(r, ["left", "above", "inline"]))


@builder("COMPANY_REGISTRATION", "en", "ie-cro-printout", "IE")
def cro(d):
    r = d.r
    f = Firm(r, "IE", "en")
    issue(d)
    d.title = "Company printout"
    d.add("head", d.put("issuer", "Companies Registration Office"), ["Bloom House, Dublin 1"])
    d.add("title", "Company Printout")
    d.add("pairs", [("Company Name", d.put("companyName", f.name.upper())), ("Company Number", d.put("registrationNumber", f.reg)), ("Company Type", "LTD - Private company limited by shares" if f.form == "Ltd" else "DAC - Designated activity company"), ("Status", "Normal"), ("Registered Office", d.put("address", f.street)), ("", town(d, f)), ("Printout date", d.date(d.issued, "issueDate"))], pick(r, ["dots", "left"]))


@builder("COMPANY_REGISTRATION", "en", "us-good-standing-prose", "US")
def standing(d):
    r = d.r
    f = Firm(r, "US", "en")
    issue(d)
    st = {"OR": "Oregon", "WI": "Wisconsin", "NC": "North Carolina", "ME": "Maine", "CO": "Colorado"}[pp.US_STATE[f.post]]
    d.title = "Certificate of Good Standing"
    d.add("head", f"State of {st}", ["Office of the Secretary of State"])
    d.put("issuer", "Office of the Secretary of State")
    d.add("title", "CERTIFICATE OF GOOD STANDING")
    d.add("p", f"I, the Secretary of State of {st}, do hereby certify that, according to the records of this office, {d.put('companyName', f.name)}, registry number {d.put('registrationNumber', digits(r, 9))}, was duly formed under the law of {st} on {d.date(day(r, dt.date(2004, 1, 1), dt.date(2024, 1, 1)))} and is in good standing as of the date of this certificate.")
    d.add("p", f"In witness whereof I have hereunto set my hand on {d.date(d.issued, 'issueDate')}.")


# ---------------------------------------------------------------- insurance

@builder("INSURANCE_CERTIFICATE", "en", "uk-motor-certificate-numbered", "UK")
def uk_motor(d):
    p, r = d.who, d.r
    issue(d)
    d.title = "Certificate of Motor Insurance"
    d.add("head", d.put("issuer", pick(r, ["Wharfedale Insurance plc", "Albion Mutual", "Redcliffe Direct"])), ["Authorised and regulated by the Financial Conduct Authority"])
    d.add("title", "CERTIFICATE OF MOTOR INSURANCE", "Certificate / policy number " + d.put("policyNumber", f"{letters(r, 2)}/{digits(r, 7)}"))
    d.add("pairs", [("1. Registration mark of vehicle", d.put("registrationNumber", f"{letters(r, 2)}{r.randrange(51, 70)} {letters(r, 3)}")), ("2. Name of policyholder", f"{d.put('firstName', p.first)} {d.put('lastName', p.last)}"), ("3. Effective date of commencement", d.date(d.issued, "issueDate")), ("4. Date of expiry of insurance", d.date(years(d.issued, 1) - dt.timedelta(days=1), "expiryDate")), ("5. Persons entitled to drive", "The policyholder, provided they hold a licence to drive"), ("6. Limitations as to use", "Social, domestic and pleasure, including commuting")], pick(r, ["left", "above", "inline"]))
    d.add("p", "I hereby certify that the policy to which this certificate relates satisfies the requirements of the relevant law applicable in Great Britain.")


@builder("INSURANCE_CERTIFICATE", "en", "uk-home-schedule", "UK")
def uk_home(d):
    p, r = d.who, d.r
    issue(d)
    prem = cents(r.randrange(14000, 48000)) / 100
    d.title = "Home insurance schedule"
    d.add("head", d.put("issuer", pick(r, ["Albion Mutual", "Hearth & Home Insurance"])), ["Home Insurance"])
    d.add("to", window(d, p))
    d.add("title", "Your home insurance schedule")
    d.add("pairs", [("Policy number", d.put("policyNumber", "HH" + digits(r, 8))), ("Cover starts", d.date(d.issued, "issueDate")), ("Cover ends", d.date(years(d.issued, 1) - dt.timedelta(days=1), "expiryDate")), ("Total premium including IPT", d.money(prem, "totalAmount"))], pick(r, ["left", "box", "below"]))
    d.add("table", ["Section", "Sum insured"], [["Buildings", "£500,000"], ["Contents", "£60,000"], ["Liability to the public", "£2,000,000"]], "lr", [])


@builder("INSURANCE_CERTIFICATE", "en", "us-auto-id-card", "US")
def us_auto(d):
    p, r = d.who, d.r
    issue(d)
    make, model = pick(r, CARS)
    d.title = "Insurance Identification Card"
    d.add("title", "INSURANCE IDENTIFICATION CARD", d.put("issuer", pick(r, ["Blue Ridge Casualty Company", "Great Prairie Insurance"])))
    d.add("pairs", [("POLICY NUMBER", d.put("policyNumber", f"{digits(r, 4)}-{digits(r, 2)}-{digits(r, 4)}")), ("EFFECTIVE DATE", d.date(d.issued, "issueDate")), ("EXPIRATION DATE", d.date(d.issued + dt.timedelta(days=182), "expiryDate")), ("YEAR MAKE MODEL", f"{r.randrange(2012, 2024)} {make} {model}"), ("VIN", pp.vin(r)), ("INSURED", f"{d.put('firstName', p.first.upper())} {d.put('lastName', p.last.upper())}"), ("", d.put("address", p.street.upper())), ("", town(d, p))], pick(r, ["above", "left"]))
    d.add("small", "KEEP THIS CARD IN YOUR MOTOR VEHICLE WHILE IN OPERATION")


@builder("INSURANCE_CERTIFICATE", "en", "ie-motor-certificate", "IE")
def ie_motor(d):
    p, r = d.who, d.r
    issue(d)
    d.title = "Certificate of insurance"
    d.add("head", d.put("issuer", "Corrib Insurance DAC"), ["Private Motor"])
    d.add("title", "Certificate of Insurance")
    d.add("pairs", [("Policy No.", d.put("policyNumber", "PM" + digits(r, 7))), ("Registration number", d.put("registrationNumber", f"{r.randrange(151, 192)}-D-{digits(r, 5)}")), ("Insured", f"{d.put('firstName', p.first)} {d.put('lastName', p.last)}"), ("From", d.date(d.issued, "issueDate")), ("To", d.date(years(d.issued, 1) - dt.timedelta(days=1), "expiryDate"))], pick(r, ["left", "dots", "below"]))


@builder("INSURANCE_CERTIFICATE", "en", "us-acord-liability", "US")
def acord(d):
    r = d.r
    f = Firm(r, "US", "en")
    issue(d)
    d.title = "Certificate of Liability Insurance"
    d.add("title", "CERTIFICATE OF LIABILITY INSURANCE", f"DATE {d.date(d.issued, 'issueDate')}")
    d.add("small", "THIS CERTIFICATE IS ISSUED AS A MATTER OF INFORMATION ONLY AND CONFERS NO RIGHTS UPON THE CERTIFICATE HOLDER.")
    d.add("pairs", [("INSURED", d.put("companyName", f.name)), ("", d.put("address", f.street)), ("", town(d, f)), ("INSURER A", d.put("issuer", "Great Prairie Insurance"))], "left")
    d.add("table", ["Type of insurance", "Policy number", "Exp.", "Each occurrence"], [["Commercial general liability", d.put("policyNumber", f"GL{digits(r, 7)}"), d.date(years(d.issued, 1), "expiryDate"), "$1,000,000"]], "lllr", [])


# ---------------------------------------------------------------- digital papers for identity types

@builder("RESIDENCE_PERMIT", "en", "uk-evisa-status", "UK")
def evisa(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 9, 8))
    nat = pick(r, ["Indian", "Nigerian", "Canadian", "Filipino"])
    d.title = "View and prove your immigration status"
    d.add("head", d.put("issuer", "UK Visas and Immigration"), ["View and prove your immigration status"])
    d.add("title", "Your immigration status (eVisa)")
    d.add("photo", r.randrange(10**6))
    d.add("pairs", [("Name", f"{d.put('firstName', p.first)} {d.put('lastName', p.last.upper())}"), ("Date of birth", d.date(p.birth, "birthDate", "long")), ("Nationality", d.put("nationality", nat)), ("Status", pick(r, ["Skilled Worker", "Student", "Family"])), ("Valid from", d.date(d.issued, "issueDate", "long")), ("Valid until", d.date(years(d.issued, 3), "expiryDate", "long"))], pick(r, ["left", "above"]))
    d.add("p", "You can work in the UK in the occupation your sponsor has agreed. You cannot get public funds.")


@builder("DRIVING_LICENCE", "en", "uk-licence-summary", "UK")
def licence_sum(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 9, 8))
    y = f"{p.birth:%y}"
    sur = (pp.plain(p.last).upper().replace("'", "").replace("-", "") + "99999")[:5]
    num = f"{sur}{y[0]}{p.birth.month + (50 if p.female else 0):02d}{p.birth:%d}{y[1]}{p.first[0]}9{digits(r, 1)}{letters(r, 2)}"
    d.title = "Driving licence summary"
    d.add("head", "Driver & Vehicle Licensing Agency", ["View or share your driving licence information"])
    d.add("title", "Driving licence summary", f"Generated {d.date(d.issued, 'issueDate', 'long')}")
    d.add("pairs", [("Name", f"{d.put('firstName', p.first.upper())} {d.put('lastName', p.last.upper())}"), ("Date of birth", d.date(p.birth, "birthDate", "long")), ("Driver number", d.put("documentNumber", num)), ("Address", d.put("address", p.street.upper())), ("", town(d, p)), ("Licence valid to", d.date(dt.date(2031, 3, r.randrange(1, 28)), "expiryDate", "long")), ("Licence status", "Current full licence")], pick(r, ["left", "below"]))


@builder("IDENTITY_CARD", "en", "ca-provincial-photo-card-confirmation", "CA")
def photo_card(d):
    p, r = d.who, d.r
    issue(d, dt.date(2026, 9, 8))
    d.title = "Photo card confirmation"
    d.add("head", d.put("issuer", "ServiceOntario"), ["Ontario Photo Card – temporary document"])
    d.add("title", "ONTARIO PHOTO CARD – IDENTITY CARD (TEMPORARY)")
    d.add("photo", r.randrange(10**6))
    d.add("pairs", [("Surname", d.put("lastName", p.last.upper())), ("Given name", d.put("firstName", p.first.upper())), ("Date of birth", d.date(p.birth, "birthDate", "iso")), ("Photo Card number", d.put("documentNumber", f"{p.last[0].upper()}{digits(r, 4)}-{digits(r, 5)}-{digits(r, 5)}")), ("Address", d.put("address", p.street.upper())), ("", town(d, p)), ("Issued", d.date(d.issued, "issueDate", "iso")), ("Expiry", d.date(d.issued + dt.timedelta(days=90), "expiryDate", "iso"))], pick(r, ["left", "above"]))


# ---------------------------------------------------------------- other papers

@builder("OTHER", "en", "uk-complaint-letter", "UK")
def letter(d):
    p, r = d.who, d.r
    issue(d)
    f = Firm(r, "UK", "en")
    d.title, d.author = "Letter", p.full()
    d.add("right", [f"{d.put('firstName', p.first)} {d.put('lastName', p.last)}", d.put("address", p.street), d.put("city", p.city), d.put("postCode", p.post)])
    d.add("p", d.put("companyName", f.name))
    d.add("p", d.date(d.issued, "issueDate", "long"))
    d.add("p", "Dear Sir or Madam,")
    d.add("p", "I am writing about the work your fitters carried out at my home last month. Two of the skirting boards have come away from the wall and the paint has blistered near the window. I would be grateful if you could call to arrange a visit.")
    d.add("p", "If I do not hear from you within fourteen days I shall ask another firm to make good the work and send you the bill.")
    d.add("p", "Yours faithfully,")
    d.add("p", p.full())


@builder("OTHER", "en", "us-employment-offer", "US")
def offer(d):
    p, r = d.who, d.r
    issue(d)
    f = Firm(r, "US", "en")
    d.title, d.author = "Offer letter", f.name
    d.add("head", d.put("companyName", f.name), firm_lines(d, f))
    d.add("p", d.date(d.issued, "issueDate"))
    d.add("pairs", [("", x) for x in window(d, p)], "bare")
    d.add("p", f"Dear {p.first},")
    d.add("p", f"We are pleased to offer you the position of {pick(r, ['Operations Analyst', 'Kitchen Manager', 'Dental Assistant', 'Software Engineer'])}. Your starting salary will be {d.money(cents(r.randrange(42, 110) * 1000), 'totalAmount')} per year, paid semi-monthly, beginning {d.date(d.issued + dt.timedelta(days=21))}.")
    d.add("p", "This offer is contingent on completion of Form I-9. Employment with the company is at will. Please sign and return this letter to accept.")
    d.add("p", "Sincerely, Human Resources")


@builder("OTHER", "en", "uk-meeting-minutes", "UK")
def minutes(d):
    r = d.r
    issue(d)
    d.title = "Minutes"
    d.add("title", pick(r, ["Mill Lane Allotment Society", "Blenheim Road Residents' Association"]), f"Minutes of the meeting held on {d.date(d.issued, 'issueDate', 'long')}")
    d.put("issuer", d.blocks[0][1])
    d.add("p", "1. Apologies were received from the treasurer and two members.")
    d.add("p", "2. The minutes of the last meeting were agreed as a true record.")
    d.add("p", f"3. Treasurer's report: the balance stood at {d.money(cents(r.randrange(40000, 300000)) / 100, 'totalAmount')} after payment of the hall hire.")
    d.add("p", "4. It was agreed to replace the gate lock and to hold a working party in the spring. There being no other business the meeting closed at 8.40 pm.")


@builder("OTHER", "en", "ie-delivery-docket", "IE")
def docket(d):
    p, r = d.who, d.r
    issue(d)
    f = Firm(r, "IE", "en")
    d.title = "Delivery docket"
    d.add("head", d.put("issuer", f.name), firm_lines(d, f))
    d.add("title", f"DELIVERY DOCKET {digits(r, 5)}", d.date(d.issued, "issueDate"))
    d.add("to", window(d, p))
    d.add("table", ["Item", "Ordered", "Delivered"], [[n, str(q), str(q)] for n, q, _, _ in lines_of(r, GOODS_EN)], "lrr", [])
    d.add("p", "Goods received in good condition. Signed:")


@builder("OTHER", "en", "ca-quotation", "CA")
def quote(d):
    invoice_en(d, "13", "HST", ["Quotation", "Date", "QUOTATION", "Estimated total"], "left")
    d.fields.pop("invoiceNumber"), d.raw.pop("invoiceNumber")
    d.title = "Quotation"
    d.blocks = [b for b in d.blocks if b[0] != "p"] + [["p", "Prices are held for 30 days. To accept, sign and return one copy."]]
    d.blocks = [b if b[0] != "pairs" else ["pairs", [x for x in b[1] if x[0] != "Due"], b[2]] for b in d.blocks]


@builder("OTHER", "en", "us-restaurant-menu", "US")
def menu(d):
    r = d.r
    issue(d)
    d.title = "Menu"
    d.add("title", pick(r, ["The Copper Kettle", "Harbor Street Diner"]), "Fall menu – starting " + d.date(d.issued, "issueDate"))
    d.put("issuer", d.blocks[0][1])
    d.add("table", None, [["Roasted squash soup", "$8"], ["Grilled trout, brown butter", "$24"], ["Mushroom pot pie", "$18"], ["Skillet cornbread", "$6"], ["Apple crisp, vanilla ice cream", "$9"]], "lr", [])
    d.add("small", "Consuming raw or undercooked foods may increase your risk of foodborne illness.")


@builder("OTHER", "en", "uk-bank-statement", "UK")
def statement(d):
    p, r = d.who, d.r
    issue(d)
    bal = cents(r.randrange(20000, 300000)) / 100
    rows = [["", "Balance brought forward", "", "", d.num(bal)]]
    for i, (n, s) in enumerate([("BGC SALARY", 1), ("DD COUNCIL TAX", -1), ("CARD GROCERY", -1), ("SO RENT", -1), ("CASH MACHINE", -1)]):
        v = cents(r.randrange(1200, 40000)) / 100
        bal += s * v
        rows.append([f"{d.issued - dt.timedelta(days=20 - 3 * i):%d %b}", n, d.num(v) if s < 0 else "", d.num(v) if s > 0 else "", d.num(bal)])
    d.title = "Statement"
    d.add("head", d.put("issuer", p.bank), ["Current account statement"])
    d.add("to", window(d, p))
    d.add("p", f"Statement date {d.date(d.issued, 'issueDate', 'long')}   IBAN {put_iban(d, p.iban)}   BIC {d.put('bic', p.bic)}")
    d.add("table", ["Date", "Details", "Paid out", "Paid in", "Balance"], rows, "llrrr", [["", "Balance carried forward", "", "", d.money(bal, "totalAmount")]])
