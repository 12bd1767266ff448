"""The packages: one function for each kind of contradiction and each ordinary difference of life."""
import datetime as dt
from base import *
import papers as P

TITLES = {
    "fr": {"lastName": ["Nom", "Nom de famille", "Votre nom"], "firstName": ["Prénom", "Prénom(s)"], "birthDate": ["Date de naissance", "Né(e) le"], "documentNumber": ["N° de la pièce d'identité", "Numéro du document"],
           "expiryDate": ["Date d'expiration de la pièce", "Valable jusqu'au"], "nationality": ["Nationalité"], "address": ["Adresse", "Adresse actuelle"], "postCode": ["Code postal"], "city": ["Ville", "Commune"], "iban": ["IBAN", "IBAN pour le remboursement"],
           "bic": ["BIC"], "accountHolder": ["Titulaire du compte"], "invoiceNumber": ["N° de facture"], "issueDate": ["Date de la facture"], "totalAmount": ["Montant TTC", "Montant de la facture (€)"], "netAmount": ["Salaire net mensuel", "Revenu mensuel net (€)"],
           "registrationNumber": ["Immatriculation du véhicule", "Plaque"], "companyName": ["Employeur", "Nom de l'employeur"], "policyNumber": ["N° de contrat d'assurance", "Numéro de police"], "siren": ["SIREN de l'employeur"]},
    "en": {"lastName": ["Last name", "Surname", "Family name"], "firstName": ["First name", "Given name"], "birthDate": ["Date of birth"], "documentNumber": ["ID document number", "Document number"], "expiryDate": ["Document expiry date"],
           "nationality": ["Nationality"], "address": ["Address", "Current address, first line"], "postCode": ["Postcode"], "city": ["Town or city"], "iban": ["IBAN", "IBAN for payment"], "bic": ["BIC / SWIFT"], "accountHolder": ["Name on the account"],
           "invoiceNumber": ["Invoice number"], "issueDate": ["Invoice date"], "totalAmount": ["Amount claimed", "Invoice total (£)"], "netAmount": ["Monthly take-home pay", "Net monthly pay (£)"], "registrationNumber": ["Vehicle registration", "Reg. number"],
           "companyName": ["Employer", "Employer name"], "policyNumber": ["Policy number"], "siren": ["Employer company number"]},
}
INSURERS = {"fr": ["MAIF", "MACIF", "Matmut", "AXA France IARD", "Groupama"], "en": ["Aviva", "Admiral", "Direct Line", "LV= General Insurance", "AXA Insurance UK"]}


class Case:
    def __init__(self, rng, N, lang, foreign=False, month=None, sex=None, young=None):
        self.rng, self.N, self.lang = rng, N, lang
        self.month = month or dt.date(2026, rng.randint(2, 10), 1)
        self.p = person(N, rng, lang, foreign=foreign, sex=sex, age=young)
        self.addr, self.old = address(N, rng, lang), address(N, rng, lang)
        near = self.addr["pl"] if rng.random() < .75 else None
        self.emp = company(N, rng, lang, pl=near)
        self.acc = account(rng, lang)
        self.job = rng.choice(JOBS[lang])
        self.gross = rng.randint(190000, 385000) // 100 * 100 if lang == "fr" else rng.randint(212000, 405000) // 500 * 500
        self.hired = dt.date(rng.randint(max(2016, self.p["birth"].year + 21), 2024), rng.randint(1, 12), 1)
        if self.emp["reg"] > self.hired:
            self.emp = company(N, rng, lang, reg=dt.date(rng.randint(1996, 2014), rng.randint(1, 12), 9), pl=near)
        self.ident = nir(self.p, rng) if lang == "fr" else (f"{rng.choice('ABCEGHJKLMNPRST')}{rng.choice('ABCEGHJKLMNPRSTWXYZ')}{rng.randint(100000, 999999)}{rng.choice('ABCD')}", "")
        if lang == "en":
            i = self.ident[0]
            self.ident = (f"{i[:2]} {i[2:4]} {i[4:6]} {i[6:8]} {i[8]}", "")
        self.mat = f"{rng.randint(100, 99999):05d}"
        self.date = min(month_end(self.month) + dt.timedelta(days=rng.randint(8, 15)), dt.date(2026, 11, 20))
        self.rate = rng.choice([0.0, 1.8, 3.2, 4.6, 6.1])
        self.pstyle = rng.random()
        self.docs, self.entries, self.clash, self.aliases = [], [], [], {}
        self.what = ""
        self.ins = rng.choice(INSURERS[lang])
        self.policy = f"{rng.choice('ABCHM')}{rng.randint(10000000, 99999999)}" if rng.random() < .5 else f"{rng.randint(100, 999)} {rng.randint(1000000, 9999999)}"
        self.show = rng.choice(["LAST First", "LAST FIRST", "first last"]) if lang == "fr" else rng.choice(["first last", "first last", "LAST First"])
        # the identity paper may still show the home before a move
        self.idaddr = self.old if rng.random() < .35 else self.addr
        self.alias(self.p)

    def alias(self, p):
        """Names of people who may appear in the papers without an accusation."""
        self.aliases.setdefault("last", set()).update(fold(x).upper() for x in (p["last"], p["married"]) if x)
        self.aliases.setdefault("first", set()).update(fold(x).upper() for x in p["firsts"])

    def marry(self):
        r = self.rng
        self.p["married"] = self.N.pick("ln" + self.lang, LAST[self.lang])
        self.spouse = person(self.N, r, self.lang, sex="M" if self.p["sex"] == "F" else "F", age=max(24, 2026 - self.p["birth"].year + r.randint(-4, 4)))
        self.spouse["last"] = self.p["married"]
        self.alias(self.p)

    def with_spouse(self):
        r = self.rng
        self.spouse = person(self.N, r, self.lang, sex="M" if self.p["sex"] == "F" else "F", age=max(24, 2026 - self.p["birth"].year + r.randint(-4, 4)))
        if self.p["sex"] == "M":
            self.spouse["married"] = self.p["last"]
        else:
            self.p["married"] = self.spouse["last"]
            self.alias(self.p)

    def add(self, d):
        self.docs.append(d)
        return d

    # ----- papers with this case's values -----
    def adult(self, years_back):
        """An issue date when the holder was already grown up."""
        d = self.date - dt.timedelta(days=int(years_back * 365))
        return max(d, add_years(self.p["birth"], 18) + dt.timedelta(days=30))

    def identity(self, kind=None, p=None, addr=None, issued=None, back=None):
        r, p = self.rng, p or self.p
        if self.p["foreign"] and kind in (None, "id", "cni", "pass"):
            kind = "lic" if any(d.type == "RESIDENCE_PERMIT" for d in self.docs) else "permit"
        kind = kind or (r.choice(["cni", "cni", "cni", "pass", "lic"]) if self.lang == "fr" else r.choice(["pass", "lic"]))
        if kind == "id":
            kind = r.choice(["cni", "pass"]) if self.lang == "fr" else r.choice(["pass", "lic"])
        addr = addr or self.idaddr
        issued = workday(issued) if issued else None
        if kind == "permit":
            return self.add(P.residence_permit(r, p, addr, issued or self.date - dt.timedelta(days=r.randint(150, 1100)), self.date))
        if issued is None:
            lo, hi = (.6, 8.5) if kind != "cni" else (.6, 10)
            issued = workday(self.adult(r.uniform(lo, hi) if back is None else back))
        if kind == "cni":
            grown = (issued - p["birth"]).days > 18 * 365.25
            years = 10 if issued >= dt.date(2021, 8, 2) else 15
            return self.add(P.identity_card(r, p, addr, issued, self.date, years=years))
        if kind == "pass":
            return self.add(P.passport(r, p, issued, self.date, self.lang))
        return self.add(P.driving_licence(r, p, addr, issued, self.date, self.lang))

    def fig(self, month=None, bonus=0, gross=None):
        return P.pay_figures(self.lang, gross or self.gross, self.rate, bonus)

    def months_paid(self, month):
        start = dt.date(month.year, 1, 1) if self.lang == "fr" else (dt.date(month.year, 4, 1) if month.month >= 4 else dt.date(month.year - 1, 4, 1))
        start = max(start, self.hired)
        return (month.year - start.year) * 12 + month.month - start.month + 1

    def pay(self, month=None, acc=None, **k):
        month = month or self.month
        k.setdefault("show", self.show)
        f = k.pop("fig", None) or self.fig()
        return self.add(P.payslip(self.rng, self.pstyle, k.pop("p", self.p), k.pop("addr", self.addr), k.pop("emp", self.emp), month, f, k.pop("n", self.months_paid(month)), self.lang, self.job, self.hired, self.mat, self.ident, acc, **k))

    def holder(self, how=None):
        how = how or self.rng.choice(["first last", "LAST First", "plain"] if self.lang == "fr" else ["first last"])
        return [P.civ(self.p, self.lang) + P.full(self.p, how)] + addr_lines(self.addr, lang=self.lang)

    def rib(self, lines=None, acc=None, p="self"):
        return self.add(P.bank_details(self.rng, lines or self.holder(), acc or self.acc, self.date - dt.timedelta(days=self.rng.randint(2, 15)), self.lang, self.p if p == "self" else p))

    def credit_label(self, month, abbr=False):
        e = fold(self.emp["base"]).upper()
        if abbr:
            e = fold(self.emp["root"]).upper()[:7]
        mm = month_name(month, self.lang)
        return f"VIR SEPA {e} SALAIRE {month:%m/%Y}" if self.lang == "fr" else f"{e} SALARY {month.strftime('%b').upper()}"

    def stmt(self, month=None, net=None, when=None, extra=(), lines=None, abbr=False, rent=None, pay_month=None, p="self"):
        month = month or self.month
        pm = pay_month or month
        net = net if net is not None else self.fig()["net"]
        when = when or last_workday(month)
        cr = [(when, self.credit_label(pm, abbr), net, f"net:{self.emp['root']}:{pm:%Y-%m}")] + list(extra)
        return self.add(P.statement(self.rng, lines or self.holder(), self.acc, month, cr, self.lang, self.p if p == "self" else p, rent))

    def pay_day(self, month=None):
        e = month_end(month or self.month)
        d = e - dt.timedelta(days=self.rng.choice([0, 1, 2, 3]))
        while d.weekday() > 4:
            d -= dt.timedelta(days=1)
        return d

    def lease(self, start=None, iddoc=None, quote_old=None, addr=None):
        start = start or add_months(self.month, -self.rng.randint(3, 8))
        rent = self.rng.randint(480, 990) * 100
        return self.add(P.tenancy(self.rng, self.p, addr or self.addr, start, self.lang, rent, iddoc, quote_old))

    def bill(self, addr=None, issued=None, **k):
        return self.add(P.bill(self.rng, k.pop("p", self.p), addr or self.addr, issued or self.month + dt.timedelta(days=self.rng.randint(10, 26)), self.lang, **k))

    def contract(self, iddoc=None, gross=None, start=None, addr=None, signed=None):
        return self.add(P.contract(self.rng, self.p, addr or self.addr, self.emp, start or self.hired, gross or self.gross, self.job, self.lang, iddoc, signed))

    # ----- typed entries -----
    def entry(self, field, value, key=None, canon=None, title=None):
        self.entries.append({"title": title or self.rng.choice(TITLES[self.lang][field]), "field": field if field != "siren" else None, "value": value, "_key": key, "_canon": canon})
        return value

    def typed(self, fields, k=None):
        """Ordinary entries that agree with the papers; k of the fields are chosen."""
        r, p = self.rng, self.p
        if sum(hasattr(d, "number") for d in self.docs) == 1 and k is not None:
            fields = fields + ["expiryDate", "nationality"] + (["documentNumber"] if "documentNumber" not in fields and not any(e["field"] == "documentNumber" for e in self.entries) else [])
        if k is not None and any(d.type in ("BANK_DETAILS", "PAYSLIP", "PROOF_OF_ADDRESS") for d in self.docs) and "postCode" not in fields and not any(d.type == "OTHER" and d.slug in ("bail", "tenancy_agreement") for d in self.docs):
            fields = fields + ["postCode"]
        k = min(k, 4 - len(self.entries)) if k is not None else None
        if k is not None:
            fields = r.sample(fields, min(k, len(fields)))
        idd = next((d for d in self.docs if hasattr(d, "number")), None)
        for f in fields:
            if f == "lastName":
                v = p["married"] or p["last"]
                self.entry(f, r.choice([v, v.upper(), fold(v), v.lower()]), "last", fold(v).upper())
            elif f == "firstName":
                v = p["firsts"][0]
                self.entry(f, r.choice([v, v, fold(v), v.lower()]), "first", fold(v).upper())
            elif f == "birthDate":
                self.entry(f, r.choice([d_num(p["birth"], self.lang), d_long(p["birth"], self.lang), p["birth"].isoformat()]), "birth", p["birth"])
            elif f == "documentNumber" and idd:
                self.entry(f, r.choice([idd.number, idd.number.lower()]), "idno:" + idd.number, idd.number)
            elif f == "expiryDate" and idd and not any(e["field"] == f for e in self.entries):
                self.entry(f, d_num(idd.expiry, self.lang))
            elif f == "nationality":
                self.entry(f, r.choice([p["nat"], p["nat"].lower()]))
            elif f == "address":
                self.entry(f, r.choice([self.addr["street"], fold(self.addr["street"]).lower(), addr_one(self.addr, self.lang)]))
            elif f == "postCode":
                self.entry(f, self.addr["pc"])
            elif f == "city":
                self.entry(f, r.choice([self.addr["city"], self.addr["city"].upper()]))
            elif f == "iban":
                self.entry(f, r.choice([self.acc["iban"], group4(self.acc["iban"])]), "iban", self.acc["iban"])
            elif f == "bic":
                self.entry(f, self.acc["bic"])
            elif f == "accountHolder":
                self.entry(f, r.choice([full_(p), full_(p).upper(), fold(full_(p))]))
            elif f == "netAmount":
                c = self.fig()["net"]
                self.entry(f, r.choice([P.money(c, self.lang, False), f"{c // 100}.{c % 100:02d}"]), "net", c)
            elif f == "companyName":
                self.entry(f, r.choice([self.emp["name"], self.emp["name"].upper()]))
            elif f == "policyNumber":
                self.entry(f, r.choice([self.policy, self.policy.replace(" ", "")]), "policy", self.policy)
        return self


def full_(p):
    return P.full(p)


# =================== contradictions ===================
def c_net_credit(c, i):
    r, f = c.rng, c.fig()
    if i % 2 == 0:
        c.identity()
    day = c.pay_day()
    c.pay(acc=c.acc if r.random() < .5 else None, pay_day=day)
    off = r.choice([-1, 1]) * r.randint(18000, 62000)
    c.stmt(net=f["net"] + off, when=day)
    c.clash = [(P.money(f["net"], c.lang, False), "PAYSLIP"), (P.money(f["net"] + off, c.lang, False), "OTHER")]
    c.what = f"The payslip of {month_name(c.month, 'en')} pays {f['net'] / 100:.2f} net, but the statement of that month credits {(f['net'] + off) / 100:.2f} from the employer."
    c.typed(["lastName", "firstName", "iban", "companyName", "birthDate"], r.randint(0, 3))
    return f"net:{c.emp['root']}:{c.month:%Y-%m}"


def other_birth(r, b):
    return r.choice([b.replace(year=b.year - r.choice([2, 3, 4])), b.replace(month=(b.month + 4) % 12 + 1), b.replace(day=(b.day + 8) % 27 + 1, month=b.month % 12 + 1)])


def c_birth(c, i):
    r = c.rng
    b2 = other_birth(r, c.p["birth"])
    a = c.identity("permit" if c.p["foreign"] else ("cni" if c.lang == "fr" else "pass"))
    c.identity("lic" if r.random() < .7 or c.lang == "en" else "pass", p={**c.p, "birth": b2})
    c.clash = [(a.claims[1][2], a.type), (c.docs[1].claims[1][2], c.docs[1].type)]
    c.what = f"The first identity paper says born on {c.p['birth']}, the {c.docs[1].type.lower().replace('_', ' ')} of the same person says {b2}."
    if r.random() < .7:
        c.rib()
    c.typed(["lastName", "firstName", "iban"] if len(c.docs) > 2 else ["lastName", "firstName"], r.randint(0, 2))
    return "birth"


def c_last(c, i):
    r = c.rng
    # a man: no unseen married name can explain the second name
    fresh_sex(c, "M")
    while True:
        l2 = c.N.pick("ln" + c.lang, LAST[c.lang])
        if l2 not in (c.p["last"], c.p["married"]):
            break
    q = {**c.p, "last": l2, "married": None}
    c.identity("id")
    if i == 0:
        c.pay(p=q)
        c.rib()
        t = "PAYSLIP"
    elif i == 1:
        c.identity("lic" if c.docs[0].type != "DRIVING_LICENCE" else "pass", p=q)
        c.bill()
        t = c.docs[1].type
    else:
        c.pay(p=q, pay_day=c.pay_day())
        c.bill()
        t = "PAYSLIP"
    c.clash = [(c.p["last"], c.docs[0].type), (l2, t)]
    c.what = f"The {t.lower().replace('_', ' ')} is made out to {q['firsts'][0]} {l2}, while the identity paper of the same {r.choice(['person', 'applicant'])} says {c.p['last']}, with no married name."
    c.typed(["lastName", "firstName", "address", "birthDate"], r.randint(0, 3))
    return "last"


def c_first(c, i):
    r = c.rng
    while True:
        f2 = r.choice(FIRST[c.lang][c.p["sex"]])
        if f2 not in c.p["firsts"] and f2[0] != c.p["firsts"][0][0]:
            break
    q = {**c.p, "firsts": [f2]}
    c.identity("id")
    if i == 1:
        v = vehicle(r, c.lang)
        c.add(P.registration(r, c.p, c.addr, v, max(v["first"] + dt.timedelta(days=9), c.date - dt.timedelta(days=500)), c.lang))
        c.add(P.motor_insurance(r, c.ins, q, c.addr, v, c.month, c.policy, c.lang))
        t = "INSURANCE_CERTIFICATE"
        c.typed(["lastName", "firstName", "policyNumber"], r.randint(0, 3))
    else:
        c.pay(p=q)
        c.rib()
        t = "PAYSLIP"
        c.typed(["lastName", "firstName", "iban", "birthDate"], r.randint(1, 3))
    c.clash = [(c.p["firsts"][0], c.docs[0].type), (f2, t)]
    c.what = f"The {t.lower().replace('_', ' ')} names {f2} {c.p['last']}, the identity paper {' '.join(c.p['firsts'])} {c.p['last']}: not one first name is shared."
    return "first"


def c_late_company(c, i):
    r = c.rng
    c.month = dt.date(2026, r.randint(1, 5), 1)
    reg = add_months(c.month, r.randint(2, 4)).replace(day=r.randint(3, 25))
    c.emp = company(c.N, r, c.lang, reg=reg, pl=c.addr["pl"])
    reg = c.emp["reg"]
    c.hired = min(c.hired, dt.date(2025, 6, 1))
    c.date = dt.date(2026, 10, 8) + dt.timedelta(days=r.randint(0, 20))
    c.identity()
    c.pay(acc=c.acc if i == 1 else None)
    c.add(P.company_paper(r, c.emp, c.date - dt.timedelta(days=r.randint(2, 12)), c.lang))
    if i != 1:
        c.bill(issued=c.date - dt.timedelta(days=20))
    c.clash = [([x for x in c.docs[1].claims if x[0].startswith("activity")][0][2], "PAYSLIP"), ([x for x in c.docs[2].claims if x[0].startswith("registered")][0][2], "COMPANY_REGISTRATION")]
    c.what = f"The payslip is for {month_name(c.month, 'en')}, but its employer was registered only on {reg}."
    c.typed(["lastName", "firstName", "companyName"], r.randint(0, 2))
    return "registered-late"


def c_employer_number(c, i):
    r = c.rng
    m0 = add_months(c.month, -1)
    if (c.lang == "fr" and c.month.month == 1) or c.lang == "en" and c.month.month == 4:
        c.month, m0 = add_months(c.month, 1), c.month
    o = company(c.N, r, c.lang)
    c.identity()
    c.pay(m0)
    c.pay(siren=o["siren"], siret=o.get("siret"))
    if i == 1:
        c.rib()
    a, b = (c.emp["siret"], o["siret"]) if c.lang == "fr" else (c.emp["siren"], o["siren"])
    c.clash = [(a, "PAYSLIP"), (b, "PAYSLIP")]
    c.what = f"Two payslips of {c.emp['name']}, one month apart, carry different company numbers: {a} and {b}."
    c.typed(["lastName", "birthDate", "companyName", "netAmount"], r.randint(0, 3))
    return "siren:" + c.emp["root"]


def c_ytd(c, i):
    r = c.rng
    c.month = dt.date(2026, r.randint(6, 10), 1)
    c.date = month_end(c.month) + dt.timedelta(days=9)
    m0 = add_months(c.month, -1)
    off = r.choice([-1, 1]) * r.randint(45000, 140000)
    n = c.months_paid(c.month)
    c.pay(m0)
    c.pay(ytd_off=off)
    if i != 1:
        c.identity()
    if i == 2 or c.rng.random() < .5:
        c.stmt()
    a, b = n * c.gross - c.gross, n * c.gross + off
    c.clash = [(P.money(a, c.lang, False), "PAYSLIP"), (P.money(b, c.lang, False), "PAYSLIP")]
    c.what = f"The cumulative gross goes from {a / 100:.2f} to {b / 100:.2f} within a month whose gross pay is {c.gross / 100:.2f}."
    c.typed(["lastName", "firstName", "netAmount", "companyName"], r.randint(0, 3))
    return "ytd:" + c.emp["root"]


def c_iban(c, i):
    r = c.rng
    o = account(r, c.lang, next(b for b in BANKS[c.lang] if b[0] == c.acc["bank"]) if r.random() < .5 else None)
    c.identity()
    c.rib()
    if i == 2:
        c.bill()
        c.entry("iban", group4(o["iban"]), "iban", o["iban"])
        c.clash = [(group4(c.acc["iban"]), "BANK_DETAILS"), (group4(o["iban"]), "entry")]
        c.what = "The IBAN typed in the form is not the IBAN of the bank details sent with it."
    else:
        c.pay(acc=o)
        c.clash = [(group4(c.acc["iban"]), "BANK_DETAILS"), (group4(o["iban"]) if c.lang == "fr" else o["acc"], "PAYSLIP")]
        c.what = "The payslip says that the pay is transferred to another account than the one of the bank details."
    c.typed(["lastName", "firstName", "birthDate"], r.randint(0, 2))
    return "iban"


def c_holder(c, i):
    r = c.rng
    o = person(c.N, r, c.lang)
    c.identity()
    d = c.rib(lines=[P.civ(o, c.lang) + P.full(o, r.choice(["first last", "LAST First"]))] + addr_lines(address(c.N, r, c.lang), lang=c.lang), p=o)
    if i == 1:
        c.pay()
    elif i == 0:
        v = vehicle(r, c.lang)
        c.add(P.damage_report(r, c.ins, c.p, c.addr, c.policy, c.month + dt.timedelta(days=5), c.lang, car=v))
    else:
        c.bill()
    c.entry("accountHolder", r.choice([P.full(c.p), P.full(c.p, "LAST FIRST")]))
    c.clash = [(P.full(c.p).split(" ", 1)[1], "entry"), (o["last"], "BANK_DETAILS")]
    c.what = f"The bank details belong to {P.full(o)}, who is neither the applicant {P.full(c.p)} nor anyone else named in the papers."
    c.typed(["iban", "lastName"], r.randint(0, 2))
    return "last+first"


def tax_ready(c):
    if c.lang == "fr":
        c.month = dt.date(2026, c.rng.randint(8, 10), 1)
    else:
        c.month = dt.date(2026, c.rng.randint(6, 10), 1)
    c.date = month_end(c.month) + dt.timedelta(days=9)
    c.hired = min(c.hired, dt.date(2024, 9, 1))


def tax_doc(c, factor=1.0, spouse=None):
    if c.lang == "fr":
        y = int(c.fig()["year"] / 100 * factor)
        return c.add(P.tax_paper(c.rng, c.p, c.addr, 2025, y, "fr", dt.date(2026, 7, 20) + dt.timedelta(days=c.rng.randint(0, 12)), spouse=spouse))
    g = int(c.gross * factor) // 500 * 500
    return c.add(P.tax_paper(c.rng, c.p, c.addr, 2025, 12 * g, "en", dt.date(2026, 5, 12) + dt.timedelta(days=c.rng.randint(0, 14)), emp=c.emp, ident=c.ident))


def c_tax(c, i):
    r = c.rng
    tax_ready(c)
    c.identity()
    c.pay()
    if i == 1:
        c.pay(add_months(c.month, -1))
    d = tax_doc(c, r.choice([.42, .5, .55, 1.75, 2.1]))
    c.clash = [([x for x in d.claims if x[0] == "income"][0][2], "TAX_NOTICE"), (P.money(c.fig()["gross"], c.lang, False), "PAYSLIP")]
    inc = [x for x in d.claims if x[0] == "income"][0][1]
    c.what = f"The tax paper for 2025 states a pay of {inc / 100:.0f}, the payslips of the same employment since {c.hired.year} come to about {c.fig()['year'] / 100:.0f} a year."
    c.typed(["lastName", "firstName", "netAmount", "birthDate"], r.randint(0, 3))
    return "income"


def c_address(c, i):
    r = c.rng
    other = address(c.N, r, c.lang)
    start = add_months(c.month, -r.randint(3, 8))
    idd = c.identity("id", addr=c.old)
    c.lease(start=start, iddoc=idd if i == 1 else None)
    # the agreement began months ago; the bill of another home is recent and in the tenant's own name
    b = c.bill(addr=other, issued=c.month + dt.timedelta(days=r.randint(18, 26)))
    if r.random() < .5:
        c.pay()
    c.entry("address", addr_one(c.addr, c.lang) if r.random() < .5 else c.addr["street"])
    c.clash = [(c.addr["street"], "OTHER"), (other["street"], "PROOF_OF_ADDRESS")]
    c.what = f"The tenancy agreement in force in {month_name(c.month, 'en')} is for {c.addr['street']}, the electricity or council tax paper of that month has the tenant at {other['street']}, {other['city']}."
    c.typed(["lastName", "birthDate", "city"], r.randint(0, 2))
    return "addr"


def c_expired(c, i):
    r = c.rng
    c.month = min(c.month, dt.date(2026, 9, 1))
    c.idaddr = c.old
    c.date = max(month_end(c.month) + dt.timedelta(days=9), c.date) if c.month.month < 9 else dt.date(2026, 10, 12)
    # a ten-year paper issued 2014-2016, or a four-year permit, that ran out before the contract was signed
    if c.p["foreign"]:
        sign = c.month
        issued = add_years(sign - dt.timedelta(days=r.randint(70, 300)), -4)
        idd = c.identity("permit", issued=issued)
    else:
        sign = c.month
        issued = add_years(sign - dt.timedelta(days=r.randint(70, 400)), -10)
        idd = c.identity("pass" if c.lang == "fr" or r.random() < .6 else "lic", issued=issued)
    if i == 0:
        c.lease(start=c.month + dt.timedelta(days=14), iddoc=idd)
        t = "tenancy agreement"
        if r.random() < .5:
            c.rib()
        sg = c.docs[1].signed
    else:
        c.hired = c.month
        c.month = add_months(c.month, 1)
        c.date = month_end(c.month) + dt.timedelta(days=6)
        if c.lang == "en" and r.random() < .3:
            pass
        c.contract(iddoc=idd)
        c.pay()
        t = "employment contract"
        sg = c.docs[1].signed
    c.clash = [(idd.number, idd.type), (idd.number, "OTHER")]
    c.what = f"The {t} signed on {sg} quotes {idd.type.lower().replace('_', ' ')} {idd.number}, which expired on {idd.expiry}."
    c.typed(["lastName", "firstName", "birthDate", "documentNumber"], r.randint(0, 3))
    return "expired"


def claim_case(c, i, gap, car=None, struck=None, holder=None, policy=True):
    """Damage report, insurance paper, invoice. gap: days from damage to invoice."""
    r = c.rng
    dmg = c.month + dt.timedelta(days=r.randint(8, 20))
    start = add_months(dmg.replace(day=1), -r.randint(2, 8))
    rep = company(c.N, r, c.lang, "car" if car else "rep", reg=dt.date(r.randint(2003, 2019), r.randint(1, 12), 12), pl=c.addr["pl"])
    c.rep = rep
    if car:
        c.add(P.motor_insurance(r, c.ins, c.p, c.addr, car, start, c.policy, c.lang))
    else:
        c.add(P.home_insurance(r, c.ins, c.p, c.addr, start, c.policy, c.lang, schedule=r.random() < .5))
    c.add(P.damage_report(r, c.ins, c.p, c.addr, c.policy, dmg, c.lang, car=car, holder=holder))
    note = None if car else ("Dégât des eaux - remise en état" if c.lang == "fr" else "Water damage repairs")
    inv = c.add(P.invoice(r, rep, [P.civ(c.p, c.lang) + P.full(c.p)] + addr_lines(c.addr, lang=c.lang), dmg + dt.timedelta(days=gap), c.lang, "car" if car else "rep", note, c.p, car))
    c.date = max(c.date, inv.issued + dt.timedelta(days=4), dmg + dt.timedelta(days=6))
    return dmg, inv


def c_invoice_before(c, i):
    r = c.rng
    c.month = min(c.month, dt.date(2026, 9, 1))
    dmg, inv = claim_case(c, i, -r.randint(9, 45), car=vehicle(r, c.lang) if i == 1 else None)
    if r.random() < .4:
        c.rib()
    c.clash = [(d_num(dmg, c.lang), "OTHER"), ([x for x in inv.claims if x[0] == "invoicedate"][0][2], "INVOICE")]
    c.what = f"The invoice for the repair is dated {inv.issued}, the damage happened only on {dmg}."
    c.typed(["lastName", "policyNumber", "address"], r.randint(0, 2))
    if r.random() < .5:
        c.entry("invoiceNumber", inv.no)
    return "invoice-early"


def c_struck(c, i):
    r = c.rng
    c.month = min(c.month, dt.date(2026, 9, 1))
    dmg, inv = claim_case(c, i, r.randint(6, 25), car=vehicle(r, c.lang) if i == 1 else None)
    st = workday(inv.issued - dt.timedelta(days=r.randint(60, 400)))
    k = c.add(P.company_paper(r, c.rep, c.date, c.lang, struck=st))
    if r.random() < .4:
        c.docs.pop(0)
    c.clash = [(d_long(st, c.lang), "COMPANY_REGISTRATION"), ([x for x in inv.claims if x[0] == "invoicedate"][0][2], "INVOICE")]
    c.what = f"The invoice of {inv.issued} comes from {c.rep['name']}, which was struck off the register on {st}."
    c.typed(["lastName", "firstName", "policyNumber"], r.randint(0, 2))
    return "struck"


def c_vehicle(c, i):
    r = c.rng
    v, o = vehicle(r, c.lang), vehicle(r, c.lang)
    if i == 1:
        o = {**o, "make": v["make"], "model": v["model"]}
    c.identity("lic" if i != 2 else "id")
    c.add(P.registration(r, c.p, c.addr, v, max(v["first"] + dt.timedelta(days=9), c.date - dt.timedelta(days=r.randint(60, 600))), c.lang))
    c.add(P.motor_insurance(r, c.ins, c.p, c.addr, o, c.month, c.policy, c.lang, vin=r.random() < .6))
    c.clash = [(v["plate"], "VEHICLE_REGISTRATION"), (o["plate"], "INSURANCE_CERTIFICATE")]
    c.what = f"The registration is for {v['plate']}, the insurance certificate covers {o['plate']}."
    if r.random() < .6:
        c.entry("registrationNumber", v["plate"])
    c.typed(["lastName", "firstName", "policyNumber"], r.randint(0, 2))
    return "plate+vin"


def c_policy(c, i):
    r = c.rng
    o = person(c.N, r, c.lang)
    if i == 1:
        v = vehicle(r, c.lang)
        c.add(P.registration(r, c.p, c.addr, v, max(v["first"] + dt.timedelta(days=9), c.date - dt.timedelta(days=500)), c.lang))
        c.add(P.motor_insurance(r, c.ins, c.p, c.addr, v, add_months(c.month, -2), c.policy, c.lang))
        c.add(P.damage_report(r, c.ins, c.p, c.addr, c.policy, c.month + dt.timedelta(days=4), c.lang, car=v, holder=o))
    else:
        c.identity()
        start = add_months(c.month, -3)
        c.add(P.home_insurance(r, c.ins, c.p, c.addr, start, c.policy, c.lang))
        c.add(P.damage_report(r, c.ins, c.p, c.addr, c.policy, c.month + dt.timedelta(days=7), c.lang, holder=o))
    c.clash = [(c.p["last"], "INSURANCE_CERTIFICATE"), (o["last"], "OTHER")]
    c.what = f"Policy {c.policy} is held by {P.full(c.p)} on the certificate and by {P.full(o)} on the claim."
    c.typed(["lastName", "firstName", "policyNumber"], r.randint(0, 3))
    return "last+first+holder"


def c_entry_total(c, i):
    r = c.rng
    c.month = min(c.month, dt.date(2026, 9, 1))
    dmg, inv = claim_case(c, i, r.randint(5, 24), car=vehicle(r, c.lang) if i == 1 else None)
    w = int(inv.tot * r.choice([1.35, 1.6, .62, 2.0]))
    c.entry("totalAmount", r.choice([P.money(w, c.lang, False), f"{w // 100}.{w % 100:02d}"]), "invtotal:" + inv.no, w)
    if r.random() < .6:
        c.entry("invoiceNumber", inv.no)
    c.clash = [(c.entries[0]["value"], "entry"), (P.money(inv.tot, c.lang), "INVOICE")]
    c.what = f"The form claims {w / 100:.2f} for invoice {inv.no}, whose total is {inv.tot / 100:.2f}."
    c.typed(["lastName", "policyNumber"], r.randint(0, 2))
    return "invtotal:" + inv.no


def c_entry_idno(c, i):
    r = c.rng
    idd = c.identity("id" if c.lang == "fr" else "pass")
    n = idd.number
    w = list(n)
    for k in r.sample(range(4, len(n)), 4):
        w[k] = str((int(w[k]) + r.randint(2, 7)) % 10) if w[k].isdigit() else r.choice([x for x in "BCDFGHKLMNPRTWXZ" if x != w[k]])
    w = "".join(w)
    c.rib()
    if i == 1:
        c.pay()
    c.entry("documentNumber", w, "idno:" + n, w)
    c.clash = [(w, "entry"), (n, idd.type)]
    c.what = f"The document number typed, {w}, is not the number of the identity paper sent, {n}."
    c.typed(["lastName", "firstName", "birthDate", "iban"], r.randint(1, 3))
    return "idno:" + n


def c_contract_pay(c, i):
    r = c.rng
    c.hired = add_months(c.month, -r.randint(3, 5))
    if c.month.month < 6:
        c.hired = add_months(c.month, -1)
    g = int(c.gross * r.choice([.68, .74, 1.3, 1.42])) // 1000 * 1000
    c.identity()
    c.contract(gross=g)
    c.pay()
    if i == 0:
        c.rib()
    c.clash = [(P.money(g, c.lang), "OTHER"), (P.money(c.gross, c.lang, False), "PAYSLIP")]
    c.what = f"The contract of {c.hired} fixes a monthly gross pay of {g / 100:.2f}; the full-time payslip of {month_name(c.month, 'en')} shows {c.gross / 100:.2f}."
    c.typed(["lastName", "firstName", "companyName", "birthDate"], r.randint(0, 3))
    return "contract-pay"


def c_before_hiring(c, i):
    r = c.rng
    c.month = dt.date(2026, r.randint(5, 8), 1)
    start = add_months(c.month, r.choice([1, 2]))
    c.date = start + dt.timedelta(days=12)
    c.hired = dt.date(2026, 4, 1)
    idd = c.identity()
    c.pay()
    k = c.contract(start=start)
    if i == 2:
        c.bill(issued=start + dt.timedelta(days=5))
    c.clash = [(d_long(start, c.lang), "OTHER"), ([x for x in c.docs[1].claims if x[0].startswith("activity")][0][2], "PAYSLIP")]
    c.what = f"The payslip is for {month_name(c.month, 'en')}, but the contract with the same employer begins on {start} only."
    c.typed(["lastName", "firstName", "companyName"], r.randint(0, 2))
    return "before-hiring"


# =================== differences of life ===================
def l_married(c, i):
    r = c.rng
    fresh_sex(c, "F")
    if i == 1:
        tax_ready(c)
    if i % 2 == 0:
        c.idaddr = c.old
    c.marry()
    if c.lang == "en":
        # the passport still has the birth name, the other papers the married name
        keep = c.p["married"]
        c.p["married"] = None
        c.identity("pass")
        c.p["married"] = keep
    else:
        c.identity("cni" if i % 2 else "pass")
    if i % 2:
        c.pay(acc=c.acc if c.lang == "fr" else None)
        c.rib()
        if i == 1 and c.lang == "fr":
            tax_doc(c, .98)
    elif i == 2:
        v = vehicle(r, c.lang)
        c.add(P.registration(r, c.p, c.addr, v, max(v["first"] + dt.timedelta(days=9), c.date - dt.timedelta(days=r.randint(60, 600))), c.lang))
        c.add(P.motor_insurance(r, c.ins, c.p, c.addr, v, c.month, c.policy, c.lang))
    else:
        c.lease()
        c.bill()
    if c.lang == "en":
        c.add(P.marriage(r, c.p, c.spouse, c.date - dt.timedelta(days=r.randint(400, 900))))
    c.typed(["lastName", "firstName", "birthDate"], r.randint(1, 3))
    c.what = f"Birth name {c.p['last']} and married name {c.p['married']} of one woman; nothing contradicts."


def fresh_sex(c, sex):
    if c.p["sex"] != sex:
        raise Retry()


class Retry(Exception):
    pass


def l_firsts(c, i):
    r = c.rng
    if i % 2:
        tax_ready(c)
    c.identity("id")
    if i % 2:
        c.pay(show="first last")
        c.stmt()
        tax_doc(c, r.choice([.96, .98, 1.0]))
    else:
        c.hired = add_months(c.month, -r.randint(2, 12))
        c.contract()
        c.rib()
    c.typed(["lastName", "firstName", "birthDate", "iban"] if i % 2 else ["lastName", "firstName", "birthDate"], r.randint(1, 3))
    c.what = "The identity paper gives all first names, the other papers the first one only; nothing contradicts."


def l_initials(c, i):
    r = c.rng
    c.identity("id")
    c.pay(show="LAST FIRST")
    c.rib(lines=c.holder("init"))
    c.entries = []
    c.entry("lastName", c.p["last"].lower(), "last", fold(c.p["last"]).upper())
    if i % 2:
        c.entry("accountHolder", P.full(c.p, "init"))
        c.bill(holder=P.full(c.p, "init").upper())
    c.what = "Initials, order and case of the name differ from paper to paper; nothing contradicts."


def l_accents(c, i):
    r = c.rng
    if c.lang == "en":
        c.p["firsts"][0] = r.choice(["Zoë", "Chloë", "Siân", "Renée"]) if c.p["sex"] == "F" else r.choice(["André", "René", "Séamus", "Jürgen"])
        c.alias(c.p)
    elif fold(c.p["firsts"][0] + c.p["last"]) == c.p["firsts"][0] + c.p["last"]:
        raise Retry()
    c.identity("id")
    c.rib(lines=[fold(P.full(c.p, "LAST First" if c.lang == "fr" else "first last"))] + [fold(x) for x in addr_lines(c.addr, True, c.lang)])
    if i % 2:
        c.pay(show="plain" if c.lang == "fr" else "first last")
    else:
        v = vehicle(r, c.lang)
        c.add(P.registration(r, c.p, c.addr, v, max(v["first"] + dt.timedelta(days=9), c.date - dt.timedelta(days=r.randint(60, 600))), c.lang))
        c.add(P.motor_insurance(r, c.ins, {**c.p, "firsts": [fold(c.p["firsts"][0])], "last": fold(c.p["last"])}, c.addr, v, c.month, c.policy, c.lang))
    if i > 1:
        c.entry("firstName", fold(c.p["firsts"][0]), "first", fold(c.p["firsts"][0]).upper())
        c.entry("lastName", fold(c.p["last"]), "last", fold(c.p["last"]).upper())
    c.what = "Accents are missing on some papers; nothing contradicts."


def l_moved(c, i):
    r = c.rng
    start = add_months(c.month, -r.randint(2, 6))
    idd = c.identity("cni" if c.lang == "fr" and not c.p["foreign"] else ("permit" if c.p["foreign"] else "lic"), addr=c.old, issued=None if c.p["foreign"] else c.adult(r.uniform(2, 6)))
    c.lease(start=start, iddoc=idd if i % 2 else None, quote_old=c.old if i % 2 == 0 else None)
    c.bill()
    if i == 3:
        c.pay()
    c.typed(["lastName", "address", "city", "postCode"], r.randint(1, 3))
    c.what = f"The identity paper still has the address before the move of {start}; the tenancy agreement and the later bill agree."


def l_joint(c, i):
    r = c.rng
    c.with_spouse()
    s = c.spouse
    a, b = (c.p, s) if r.random() < .5 else (s, c.p)
    if c.lang == "fr":
        j = r.choice([f"M. ET MME {(c.p['married'] or c.p['last']).upper()} {fold(a['firsts'][0]).upper()} ET {fold(b['firsts'][0]).upper()}", f"M OU MME {fold(c.p['married'] or c.p['last']).upper()} {fold(c.p['firsts'][0]).upper()}"])
    else:
        j = r.choice([f"{P.full(a)} & {P.full(b)}", f"MR & MRS {(c.p['married'] or c.p['last']).upper()}"])
    lines = [j] + addr_lines(c.addr, lang=c.lang)
    c.identity()
    c.pay(acc=c.acc if r.random() < .6 else None)
    c.rib(lines=lines, p=None)
    if i % 2:
        c.stmt(lines=lines, p=None, extra=[(c.month + dt.timedelta(days=26), "VIR SEPA CPAM" if c.lang == "fr" else "CHILD BENEFIT HMRC", r.randint(4000, 9900), None)])
    c.typed(["lastName", "firstName", "iban"], r.randint(0, 3))
    c.what = "The account is a joint account of the couple; nothing contradicts."


def l_credits(c, i):
    r = c.rng
    m = c.month
    pool = [("VIR SEPA CAF PRESTATIONS", 9000, 32000), ("REMBOURSEMENT CPAM", 1200, 6500), ("VIR INST MME " + fold(c.N.pick("lnfr", LAST["fr"])).upper(), 2000, 15000), ("VIR SEPA MUTUELLE REMBT", 1500, 7000)] if c.lang == "fr" else \
        [("HMRC CHILD BENEFIT", 10400, 10500), ("REFUND AMAZON", 900, 5400), ("FASTER PAYMENT " + c.N.pick("lnen", LAST["en"]).upper(), 2000, 15000), ("TRANSFER FROM SAVINGS", 10000, 40000)]
    ex = [(m + dt.timedelta(days=r.randint(2, 24)), l, r.randint(a, b), None) for l, a, b in r.sample(pool, r.randint(2, 3))]
    if i % 2:
        c.identity()
    c.pay()
    c.stmt(extra=ex)
    if i > 1:
        c.bill()
    c.typed(["lastName", "netAmount", "companyName"], r.randint(0, 3))
    c.what = "The statement shows the net pay and other credits of other origin; nothing contradicts."


def l_later(c, i):
    r = c.rng
    nm = add_months(c.month, 1)
    c.date = month_end(nm) + dt.timedelta(days=5)
    if c.date > dt.date(2026, 11, 20):
        raise Retry()
    if i % 2 == 0:
        c.identity()
    later = nm + dt.timedelta(days=r.randint(2, 5))
    later += dt.timedelta(days=max(0, 7 - later.weekday()) if later.weekday() > 4 else 0)
    c.pay(acc=c.acc if i > 1 else None)
    c.stmt(month=nm, pay_month=c.month, when=later)
    if i == 3:
        c.rib()
    c.typed(["lastName", "firstName", "birthDate" if i % 2 == 0 else "netAmount"], r.randint(0, 2))
    c.what = f"The pay of {month_name(c.month, 'en')} is credited some days later, in the next month's statement; nothing contradicts."


def l_months(c, i):
    r = c.rng
    k = 3 if i % 2 else 2
    c.month = dt.date(2026, r.randint(7, 10), 1)
    c.date = month_end(c.month) + dt.timedelta(days=9)
    ms = [add_months(c.month, -x) for x in range(k - 1, -1, -1)]
    if i > 1:
        c.hired = add_months(c.month, -r.randint(k, 12))
    if i % 2 == 0:
        c.identity()
    for m in ms:
        c.pay(m)
    if i > 1:
        c.contract()
    else:
        tax_doc(c, r.choice([.97, .99, 1.0])) if c.hired <= dt.date(2024, 12, 1) and (c.lang == "en" or c.month.month >= 8) else c.rib()
    c.typed(["lastName", "companyName", "netAmount"], r.randint(0, 3))
    c.what = "Payslips of different months whose cumulative amounts agree; nothing contradicts."


def l_spouse_bill(c, i):
    r = c.rng
    c.idaddr = c.old
    c.with_spouse()
    c.identity("id")
    if i % 2:
        c.lease(start=add_months(c.month, -3))
    else:
        c.pay()
    c.bill(holder=P.civ(c.spouse, c.lang) + P.full(c.spouse))
    if i > 1:
        if c.lang == "fr":
            c.month = max(c.month, dt.date(2026, 8, 1))
            c.date = month_end(c.month) + dt.timedelta(days=9)
            y = int(c.fig()["year"] / 100 * .99)
            c.add(P.tax_paper(r, c.p, c.addr, 2025, y, "fr", dt.date(2026, 7, 28), spouse=c.spouse))
    c.typed(["lastName", "address", "city"], r.randint(1, 3))
    c.what = f"The bill is in the name of the spouse {P.full(c.spouse)} at the same address; nothing contradicts."


def l_company_invoice(c, i):
    r = c.rng
    own = c.emp
    own["boss"] = (c.p["firsts"][0], c.p["last"])
    c.identity("id")
    sup = company(c.N, r, c.lang, "rep")
    sup["name"] = sup["base"] = f"{sup['root']} " + ("Bureautique" if c.lang == "fr" else "Office Supplies") + ("" if c.lang == "fr" else " Ltd")
    inv = c.add(P.invoice(r, sup, [own["name"] + (" " + own["form"] if c.lang == "fr" else "")] + ([f"À l'attention de {P.full(c.p)}"] if c.lang == "fr" else [f"FAO {P.full(c.p)}"]) + addr_lines(own["addr"], lang=c.lang), c.month + dt.timedelta(days=r.randint(3, 24)), c.lang, "gen"))
    c.add(P.company_paper(r, own, c.date - dt.timedelta(days=r.randint(1, 9)), c.lang))
    if i % 2:
        c.rib()
    c.entry("companyName", own["name"])
    if i > 1:
        c.entry("totalAmount", P.money(inv.tot, c.lang, False), "invtotal:" + inv.no, inv.tot)
    c.what = "The invoice is addressed to the company that the person directs; nothing contradicts."


def l_abbr(c, i):
    r = c.rng
    if i % 2 == 0:
        c.identity()
    c.hired = add_months(c.month, -r.randint(2, 12))
    c.contract()
    c.pay()
    c.stmt(abbr=True)
    c.entry("companyName", r.choice([c.emp["root"], c.emp["root"].upper()]))
    c.typed(["lastName", "firstName"], r.randint(0, 2))
    c.what = "The employer's name is shortened on the statement and in the entry; nothing contradicts."


def l_rounded(c, i):
    r = c.rng
    if i % 2 == 0:
        tax_ready(c)
        c.identity()
        c.pay()
        tax_doc(c, r.choice([.97, 1.0]))
        n = c.fig()["net"]
        c.entry("netAmount", r.choice([str((n + 50) // 100), euros((n + 50) // 100, c.lang), str((n + 500) // 1000 * 10)]), "net~", n)
        c.stmt()
    else:
        c.month = min(c.month, dt.date(2026, 9, 1))
        dmg, inv = claim_case(c, i, r.randint(5, 24), car=vehicle(r, c.lang) if i == 1 else None)
        c.entry("totalAmount", str((inv.tot + 50) // 100), "net~", inv.tot)
        c.entry("invoiceNumber", inv.no)
    c.typed(["lastName", "firstName"], r.randint(0, 2))
    c.what = "The typed amount is the printed one, rounded; nothing contradicts."


def l_expired_after(c, i):
    """The paper quoted was valid at the signature and ran out later."""
    r = c.rng
    sign = dt.date(2025, r.randint(3, 12), 1)
    issued = add_years(sign + dt.timedelta(days=r.randint(60, 300)), -10 if not c.p["foreign"] else -4)
    c.idaddr = c.old
    idd = c.identity("permit" if c.p["foreign"] else "pass", issued=issued)
    if idd.expiry <= sign:
        raise Retry()
    if i % 2:
        c.hired = sign
        c.contract(iddoc=idd)
        c.pay()
    else:
        c.lease(start=sign, iddoc=idd)
        c.bill()
    if not c.p["foreign"]:
        c.identity("lic")
    c.typed(["lastName", "firstName", "birthDate"], r.randint(0, 2))
    c.what = f"The {idd.type.lower().replace('_', ' ')} quoted in the contract expired on {idd.expiry}, after the signature of {[d for d in c.docs if hasattr(d, 'signed')][0].signed}; nothing contradicts."


def l_claim(c, i):
    """An ordinary claim; the repairer was closed only after its invoice, or the certificate is of the same car."""
    r = c.rng
    if i % 2:
        c.month = dt.date(2026, r.randint(2, 5), 1)
        dmg, inv = claim_case(c, i, r.randint(5, 24))
        st = workday(inv.issued + dt.timedelta(days=r.randint(50, 90)))
        c.date = st + dt.timedelta(days=20)
        c.add(P.company_paper(r, c.rep, c.date, c.lang, struck=st))
        c.what = f"The repairer was struck off on {st}, after its invoice of {inv.issued}; nothing contradicts."
    else:
        v = vehicle(r, c.lang)
        c.add(P.registration(r, c.p, c.old, v, max(v["first"] + dt.timedelta(days=9), c.date - dt.timedelta(days=700)), c.lang))
        c.month = min(c.month, dt.date(2026, 9, 1))
        claim_case(c, i, r.randint(5, 24), car=v)
        c.entry("registrationNumber", r.choice([v["plate"].replace("-", " ") if c.lang == "fr" else v["plate"].replace(" ", ""), v["plate"].lower()]))
        c.what = "One car on the registration (with the address before a move), the certificate, the claim and the invoice; nothing contradicts."
    c.typed(["lastName", "policyNumber", "firstName"], r.randint(0, 2))


CONTRA = [("net_pay_differs_from_credit", c_net_credit), ("birth_date_differs", c_birth), ("last_name_differs", c_last), ("first_name_differs", c_first), ("employer_registered_after_payslip", c_late_company),
          ("employer_number_differs", c_employer_number), ("cumulative_pay_does_not_grow", c_ytd), ("iban_differs", c_iban), ("account_holder_is_another_person", c_holder), ("tax_income_far_from_pay", c_tax),
          ("bill_address_differs_from_tenancy", c_address), ("identity_paper_expired_before_contract", c_expired), ("invoice_before_damage", c_invoice_before), ("invoice_by_struck_off_company", c_struck),
          ("insured_vehicle_differs", c_vehicle), ("policy_number_with_two_holders", c_policy), ("entered_amount_differs_from_invoice", c_entry_total), ("entered_document_number_differs", c_entry_idno),
          ("contract_pay_differs_from_payslip", c_contract_pay), ("payslip_before_contract_starts", c_before_hiring)]
LIFE = [("married_name", l_married), ("several_first_names", l_firsts), ("initials_order_case", l_initials), ("accents_missing", l_accents), ("moved_home", l_moved), ("joint_account", l_joint), ("other_credits", l_credits),
        ("pay_some_days_later", l_later), ("payslips_of_different_months", l_months), ("spouse_bill", l_spouse_bill), ("invoice_to_own_company", l_company_invoice), ("employer_abbreviated", l_abbr), ("rounded_entry", l_rounded),
        ("paper_expired_after_contract", l_expired_after), ("ordinary_claim", l_claim)]


def plan():
    out = []
    for k, (name, fn) in enumerate(CONTRA):
        langs = "efe" if k in (2, 9, 15, 18) else "ffe" if k % 2 else "fef"
        out += [("contradictory", name, fn, i, "fr" if l == "f" else "en") for i, l in enumerate(langs)]
    for k, (name, fn) in enumerate(LIFE):
        langs = "fefe" if k % 5 < 3 else "ffef" if k % 2 else "fffe"
        out += [("coherent", name, fn, i, "fr" if l == "f" else "en") for i, l in enumerate(langs)]
    return out
