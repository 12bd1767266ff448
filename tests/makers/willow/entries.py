"""What a person typed in beforehand, and whether it agrees with the print."""
import datetime as dt, re
from data import *
ALL = {"IDENTITY_CARD":"lastName firstName birthDate documentNumber expiryDate nationality","PASSPORT":"lastName firstName birthDate documentNumber expiryDate nationality","RESIDENCE_PERMIT":"lastName firstName birthDate documentNumber expiryDate nationality","DRIVING_LICENCE":"lastName firstName birthDate documentNumber expiryDate","VEHICLE_REGISTRATION":"registrationNumber lastName firstName address postCode city issueDate","BANK_DETAILS":"iban bic accountHolder","PAYSLIP":"lastName firstName netAmount postCode city","TAX_NOTICE":"lastName firstName address postCode city totalAmount documentNumber","INVOICE":"invoiceNumber issueDate totalAmount issuer iban","PROOF_OF_ADDRESS":"lastName firstName address postCode city issueDate issuer","COMPANY_REGISTRATION":"companyName registrationNumber address postCode city","INSURANCE_CERTIFICATE":"policyNumber lastName firstName issuer postCode city","OTHER":""}
ABB = [("avenue ","av. "),("Avenue ","Ave "),("boulevard ","bd "),("rue ","r. "),("place ","pl. "),("impasse ","imp. "),("chemin ","ch. "),("allée ","all. "),(" Road"," Rd"),(" Street"," St"),(" Avenue"," Ave"),(" Lane"," Ln"),(" Drive"," Dr"),(" Crescent"," Cres"),("straße","str."),("Calle ","C/ "),("Avenida ","Avda. "),("Corso ","C.so "),("Via ","V. "),("Rua ","R. ")]
def dates(x, lang, c):
    o = [x.strftime("%Y-%m-%d"), dlong(x, lang, None), f"{x.day} {MON[lang][x.month-1][:4].rstrip()} {x.year}" if lang != "en" else f"{x.day} {x:%b} {x.year}"]
    o += [x.strftime("%m/%d/%Y"), f"{x:%B} {x.day}, {x.year}"] if c == "US" else [x.strftime("%d/%m/%Y"), x.strftime("%d.%m.%Y"), x.strftime("%d-%m-%Y"), f"{x.day}/{x.month}/{x.year}"]
    return o
def match(r, f, printed, kind, val, d):
    N = lambda s: s.replace(NB, " ")
    if kind == "date": v = r.choice(dates(val, d.lang, d.c)); return v, "date notation" if v != printed else "as printed"
    if kind == "amount":
        e, ce = divmod(abs(val), 100); o = [(f"{e}.{ce:02d}", "plain decimal point"), (N(printed), "as printed")] + ([(f"{e},{ce:02d}", "decimal comma"), (f"{e},{ce:02d} EUR" if d.c in ("FR","BE","DE","ES","IT","NL","PT") else f"{e},{ce:02d}", "currency code")] if d.lang != "en" else [(f"{e:,}.{ce:02d}", "without currency sign")])
        return r.choice(o)
    if kind == "iban": s = printed.replace(" ", ""); return r.choice([(s, "without spaces"), (group4(s), "in fours"), (s.lower(), "lower case"), (printed, "as printed")])
    if kind == "name": return r.choice([(printed.upper(), "upper case"), (printed.lower(), "lower case"), (strip_acc(printed), "no accents"), (printed.title() if "'" not in printed else printed, "capitalised"), (strip_acc(printed).upper(), "upper, no accents"), (printed.replace("-", " "), "hyphen as space"), (printed, "as printed")])
    if kind == "holder":
        p = d.person; return r.choice([(f"{p.last} {p.first}", "names in another order"), (f"{p.first} {p.last}", "without title"), (strip_acc(f"{p.first} {p.last}").upper(), "upper, no accents"), (printed, "as printed"), (f"{p.last.upper()} {p.first}", "names in another order")])
    if kind == "company": return r.choice([(printed.upper(), "upper case"), (strip_acc(printed).lower(), "lower, no accents"), (printed.replace("&", "and"), "ampersand written out" if "&" in printed else "as printed"), (printed, "as printed")])
    if kind == "addr":
        a = printed
        for x, y in r.sample(ABB, len(ABB)):
            if x in a and r.random() < .7: a = a.replace(x, y, 1); return r.choice([a, strip_acc(a)]), "abbreviated street"
        return r.choice([(strip_acc(printed).upper(), "upper, no accents"), (printed.replace(",", ""), "no comma"), (printed.lower(), "lower case"), (printed, "as printed")])
    if kind == "city": return r.choice([(printed.upper(), "upper case"), (strip_acc(printed), "no accents"), (printed.lower(), "lower case"), (printed.replace("-", " ").title(), "hyphen as space")] + ([(re.sub("(?i)^saint-", "St-", printed), "St for Saint")] if printed.lower().startswith("saint-") else []))
    if kind == "code": return r.choice([(printed.replace(" ", ""), "without spaces"), (printed.lower(), "lower case"), (printed, "as printed")])
    if kind == "nat": return r.choice([(printed.lower(), "lower case"), (printed.upper(), "upper case"), (strip_acc(printed), "no accents"), (printed, "as printed")])
    return r.choice([(re.sub(r"[ .\-]", "", printed), "without separators"), (printed.lower(), "lower case"), (printed, "as printed"), (re.sub(r"[-.]", " ", printed), "spaces for separators")])
def chg(r, s):
    ix = [i for i, ch in enumerate(s) if ch.isdigit()]; i = r.choice(ix[1:] or ix) if ix else None
    if i is None: i = r.randrange(len(s)); return s[:i] + ("K" if s[i].upper() != "K" else "M") + s[i+1:], "one character changed"
    if r.random() < .3:
        for j in ix:
            if j + 1 in ix and s[j] != s[j+1]: return s[:j] + s[j+1] + s[j] + s[j+2:], "two digits swapped"
    return s[:i] + r.choice([x for x in "0123456789" if x != s[i]]) + s[i+1:], "one digit changed"
def mism(r, f, printed, kind, val, d):
    if kind == "date":
        x, how = r.choice([(val + dt.timedelta(days=r.choice([1, -1, 10, 30])), "another day"), (val - dt.timedelta(days=365*r.randint(1, 3)), "another year")]); return r.choice(dates(x, d.lang, d.c)), how
    if kind == "amount":
        x = r.choice([val + r.choice([100, -100, 1000, 9000, 10000]), val*10, val + r.randint(1, 9)*1111]); e, ce = divmod(x, 100); return (f"{e}.{ce:02d}" if d.lang == "en" else f"{e},{ce:02d}"), "another amount"
    if kind == "iban":
        if r.random() < .4: return group4(account(r, printed[:2]).iban), "another account"
        s = printed.replace(" ", ""); i = r.randint(6, len(s)-1)
        while not s[i].isdigit(): i -= 1
        return s[:i] + str((int(s[i]) + r.randint(1, 8)) % 10) + s[i+1:], "one digit changed"
    if kind in ("name", "holder"):
        lang = d.person.lang if kind == "holder" else d.lang
        for _ in range(40):
            q = person(r, lang, d.c if d.c in CITY else None); x = f"{q.first} {q.last}" if kind == "holder" else q.last if f == "lastName" else q.first
            if strip_acc(x).lower()[:4] != strip_acc(printed).lower()[:4] and strip_acc(x).lower() not in strip_acc(printed).lower() and not (kind == "name" and f == "firstName" and x in d.person.second): return x, "another person"
    if kind == "company":
        pool = [x for k in (COMP.get(d.lang, []), INSUR.get(d.lang, []), [u for u, _ in UTIL.get(d.c, [])]) for x in k if any(x.split()[0] == printed.split()[0] for x in k) and x.split()[0] != printed.split()[0]] or ["Valmora Services"]; return r.choice(pool), "another company"
    if kind == "addr":
        if r.random() < .5: return re.sub(r"\d+", lambda m: str(int(m[0]) + r.choice([1, 2, 7, 10])), printed, count=1), "another house number"
        for _ in range(50):
            x = street(r, d.c)
            if x.split()[-1] != printed.split()[-1]: return x, "another street"
    if kind == "city": return r.choice([c for _, c in CITY[d.c] if c.lower().split()[0] != printed.lower().split()[0]]), "another city"
    if kind == "nat": return r.choice([x for x in (["Italienne","Portugaise","Polonaise"] if d.lang == "fr" else ["Italian","Polish","Japanese"])]), "another nationality"
    if kind == "bic":
        x = r.choice([b[1] for k in BANKS.values() for b in k if b[1][:8] != printed[:8]]); return x, "another bank"
    return chg(r, printed)
def missing(r, f, d):
    q = person(r, d.lang, d.c)
    v = {"iban": account(r, r.choice(["FR","GB","BE","DE"])).iban, "expiryDate": "2029-04-%02d" % r.randint(1, 28), "nationality": "Française" if d.lang == "fr" else "British", "address": q.street, "postCode": q.pc, "city": q.city}.get(f)
    return v
def entries(r, d):
    o = []; fs = list(d.fields); r.shuffle(fs); miss = [f for f in ALL[d.type].split() if f not in d.fields]
    n = min(max(3, len(fs) - r.randint(0, 2)), 9); pick = fs[:n]; tog = r.random() < .5; cnt = 0
    while len(pick) < 3 and fs: pick.append(fs[len(pick) % len(fs)])
    seen = set()
    for f in pick:
        k, val = d.truth[f]; p = d.fields[f]; tog = not tog; g = (match if tog else mism); v, how = g(r, f, p, k, val, d)
        if f in seen and any(e["field"] == f and e["value"] == v for e in o): continue
        seen.add(f); o.append(dict(field=f, value=v.replace(NB, " "), expected="MATCH" if tog else "MISMATCH", how=how))
    for f in miss[:1]:
        v = missing(r, f, d)
        if v and len(o) < 9: o.append(dict(field=f, value=v, expected="MISSING", how="not printed on this document"))
    return o
def canon(s): return re.sub(r"[^a-z0-9]", "", strip_acc(s).lower())
