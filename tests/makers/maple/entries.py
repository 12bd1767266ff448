"""What a person types for a document: right, right in another notation, wrong, or asked for but not printed."""
import datetime as dt
import re
import unicodedata
from decimal import Decimal

import people as pp
from model import date_text, number_text

DATE_STYLES = {"fr": ["slash", "long", "iso", "dot", "dash"], "en": ["slash", "long", "iso", "mid", "us-long", "us", "dot", "space", "dash"]}
MISSING_OK = {"IDENTITY_CARD": ["iban", "policyNumber"], "PASSPORT": ["address", "iban"], "RESIDENCE_PERMIT": ["address", "iban"],
              "DRIVING_LICENCE": ["nationality", "iban"], "VEHICLE_REGISTRATION": ["birthDate", "policyNumber", "iban"],
              "BANK_DETAILS": ["birthDate", "nationality"], "PAYSLIP": ["birthDate", "iban", "nationality"],
              "TAX_NOTICE": ["birthDate", "iban"], "INVOICE": ["birthDate", "policyNumber", "iban"],
              "PROOF_OF_ADDRESS": ["birthDate", "iban", "nationality"], "COMPANY_REGISTRATION": ["iban", "policyNumber", "birthDate"],
              "INSURANCE_CERTIFICATE": ["birthDate", "iban", "nationality"], "OTHER": ["birthDate", "policyNumber"]}


def norm(s):
    s = unicodedata.normalize("NFKC", s)
    return re.sub(r"[^a-z0-9]", "", pp.plain(s).lower())


def squeeze(s):
    s = unicodedata.normalize("NFKC", s).replace("\u2019", "'").replace("\u2011", "-").replace("\u00ad", "")
    return re.sub(r"\s+", "", s).lower()


def numbers_in(text):
    """Every amount a text may state, whatever its separators."""
    text = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    found = set()
    grouped = re.findall(r"\d{1,3}(?:[ '.,]\d{3})*(?:[.,]\d{2})?(?!\d)", text)
    for s in re.findall(r"\d[\d '.,]*\d|\d", text) + grouped:
        for part in [s] + s.split(" "):
            d = re.sub(r"[ ']", "", part)
            if re.search(r"[.,]\d{2}$", d):
                d = re.sub(r"[.,]", "", d[:-3]) + "." + d[-2:]
            else:
                d = re.sub(r"[.,]", "", d)
            if d and re.fullmatch(r"\d+(\.\d+)?", d):
                found.add(Decimal(d))
    return found


def date_printed(d, text):
    styles = {"slash", "long", "iso", "dot", "dash", "mid", "us-long", "us", "space"}
    packed = norm(text)
    return any(norm(date_text(d, s, lang)) in packed for s in styles for lang in ("fr", "en")) or d.strftime("%d%m%y") in packed


def printed(value, raw, text):
    """Whether a value stands anywhere in a text, in any notation."""
    if isinstance(raw, dt.date):
        return date_printed(raw, text)
    if isinstance(raw, Decimal):
        return raw in numbers_in(text)
    return norm(value) in norm(text)


def right(doc, code, r):
    """The printed value, as it stands or in another notation."""
    value, raw = doc.fields[code], doc.raw[code]
    if r.random() < .5:
        return value, "as printed"
    if isinstance(raw, dt.date):
        styles = [s for s in DATE_STYLES[doc.lang] if date_text(raw, s, doc.lang) != value]
        if doc.country in ("US", "CA"):
            styles = [s for s in styles if s in ("iso", "long", "us-long")]
        else:
            styles = [s for s in styles if s not in ("us", "us-long")]
        return date_text(raw, r.choice(styles), doc.lang), "other date notation"
    if isinstance(raw, Decimal):
        style = r.choice(["bare", "frbare", doc.money_style])
        tail = r.choice(["", "", " EUR" if "€" in value or "EUR" in value else ""])
        return number_text(raw, style) + tail, "other amount notation"
    if code == "accountHolder":
        first, last = doc.who.first, doc.who.last
        return r.choice([f"{last.upper()} {first}", f"{last} {first}"]), "order of names"
    if code in ("iban", "registrationNumber", "documentNumber", "policyNumber", "invoiceNumber"):
        bare = re.sub(r"[ ]", "", value)
        if code in ("iban", "registrationNumber") and doc.type != "INSURANCE_CERTIFICATE":
            bare = re.sub(r"[ .\-]", "", value)
        if bare != value:
            return bare, "other spacing"
        return (value.lower(), "other case") if value.lower() != value else (value, "as printed")
    other = r.choice([pp.plain(value), value.upper(), value.lower(), value.title() if value.isupper() else value.upper()])
    if other == value:
        other = value.lower() if value != value.lower() else value.upper()
    if other == value:
        return value, "as printed"
    return other, "without accents" if other == pp.plain(value) else "other case"


def wrong(doc, code, r):
    """A wrong value of the same kind, near or far from the printed one."""
    value, raw = doc.fields[code], doc.raw[code]
    if isinstance(raw, dt.date):
        new = r.choice([raw + dt.timedelta(days=r.choice([-9, -2, 3, 11, 31])), pp.years(raw, r.choice([-1, 1])), raw.replace(day=min(28, raw.day % 28 + 1))])
        new = min(new, raw - dt.timedelta(days=4)) if code == "issueDate" and new > pp.REFERENCE else new
        style = "iso" if doc.country == "US" else r.choice(["slash", "iso"] if doc.lang == "fr" else ["long", "iso"])
        return date_text(new, style, doc.lang), new, "other date"
    if isinstance(raw, Decimal):
        new = r.choice([raw + 10, raw * 10, raw + Decimal("100.00"), pp.cents(raw * Decimal("1.2")), raw - Decimal("0.30") if raw > 1 else raw + 1, raw + Decimal("0.09")])
        return number_text(new, doc.money_style), new, "other amount"
    if code == "iban" and value[:2] in ("FR", "BE", "CH", "GB", "IE"):
        land = "UK" if value[:2] == "GB" else value[:2]
        if r.random() < .6:
            return (lambda v: (pp.group4(v), v, "other account"))(pp.iban(r, land, value.replace(" ", "")[4:8]))
    if code in ("lastName", "firstName"):
        pool = {"lastName": pp.FR_LAST + pp.EN_LAST, "firstName": pp.FR_FIRST + pp.EN_FIRST}[code]
        if r.random() < .6:
            v = r.choice(pool)
            return (v.upper() if value.isupper() else v), v, "other name"
        return near(value, r, "abcdefghilmnoprstu") + ("one letter wrong",)
    if code == "accountHolder":
        v = f"{r.choice(pp.FR_FIRST if doc.lang == 'fr' else pp.EN_FIRST)} {doc.who.last}"
        return v, v, "other first name"
    if code in ("city", "postCode"):
        post, city = r.choice([x for c in pp.PLACES.values() for x in c])
        v = city if code == "city" else post
        return v, v, "other place"
    if code in ("issuer", "companyName"):
        v = r.choice(pp.FIRMS_FR if doc.lang == "fr" else pp.FIRMS_EN)
        return v, v, "other firm"
    if code == "nationality":
        v = r.choice(["Italienne", "Espagnole", "Portugaise"] if doc.lang == "fr" else ["ITALIAN", "SPANISH", "PORTUGUESE"])
        return v, v, "other nationality"
    if code == "address":
        n = re.search(r"\d+", value).group()
        if r.random() < .5:
            v = value.replace(n, str(int(n) + r.choice([1, 2, 10, 31])), 1)
            return v, v, "other house number"
        v = f"{n} {r.choice(pp.STREETS[doc.country])}"
        return v, v, "other street"
    return near(value, r, "0123456789") + ("one digit wrong",)


def near(value, r, alphabet):
    """One sign of the value changed."""
    kind = str.isdigit if alphabet[0] == "0" else str.isalpha
    spots = [i for i, c in enumerate(value) if kind(c)][1:] or [i for i, c in enumerate(value) if c.isalnum()]
    i = r.choice(spots)
    c = r.choice([x for x in alphabet if x != pp.plain(value[i]).lower()])
    v = value[:i] + (c.upper() if value[i].isupper() else c) + value[i + 1:]
    return v, v


def absent(doc, code, r):
    p = pp.Person(r, doc.country, doc.lang)
    if code == "birthDate":
        return date_text(p.birth, "iso", doc.lang), p.birth
    if code == "iban":
        v = p.iban or pp.iban(r, "FR")
        return pp.group4(v), v
    if code == "nationality":
        v = "Italienne" if doc.lang == "fr" else "Italian"
        return v, v
    if code == "address":
        return p.street, p.street
    v = pp.letters(r, 2) + pp.digits(r, 8)
    return v, v


def make_entries(doc, text, r):
    """Three to five entries; about half of them right."""
    codes = list(doc.fields)
    r.shuffle(codes)
    n = min(r.randrange(3, 6), len(codes) + max(1, 3 - len(codes)))
    out, k = [], r.randrange(2)
    missing = [c for c in MISSING_OK[doc.type] if c not in doc.fields]
    if "iban" in missing and re.search(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,}", text):
        missing.remove("iban")
    few = max(0, 3 - len(codes))
    if len(codes) < 3:
        missing += [c for c in ("iban", "invoiceNumber") if c not in doc.fields]
    take = max(few, 1 if r.random() < .4 else 0)
    for code in r.sample(missing, min(take, len(missing))):
        value, raw = absent(doc, code, r)
        if not printed(value, raw, text):
            out.append(dict(field=code, value=value, expected="MISSING", how="not printed on the document"))
    for code in codes[:n - len(out)]:
        wrongs = sum(e["expected"] != "MATCH" for e in out)
        make_wrong = wrongs < len(out) - wrongs or (wrongs == len(out) - wrongs and (k + len(out)) % 2)
        if make_wrong:
            for _ in range(30):
                value, raw, how = wrong(doc, code, r)
                if not printed(value, raw, text) and norm(value) != norm(doc.fields[code]):
                    out.append(dict(field=code, value=value, expected="MISMATCH", how=how))
                    break
        else:
            value, how = right(doc, code, r)
            out.append(dict(field=code, value=value, expected="MATCH", how=how))
    r.shuffle(out)
    return out
