"""The document model: a list of blocks (letters, bills, slips) or drawing operations (cards)."""
import copy
import datetime as dt
from decimal import Decimal

FR_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
EN_MONTHS = "January February March April May June July August September October November December".split()
CODES = ("lastName firstName birthDate documentNumber expiryDate nationality address postCode city iban bic accountHolder "
         "issuer invoiceNumber issueDate totalAmount netAmount registrationNumber companyName policyNumber").split()

THEMES = [
    dict(name="helv", font="Liberation Sans", core="Helvetica", size=10, color="#1b3a6b", head="left", table="lines"),
    dict(name="serif", font="Liberation Serif", core="Times-Roman", size=11, color="#222222", head="center", table="plain"),
    dict(name="carlito", font="Carlito", core="Helvetica", size=10.5, color="#00695c", head="band", table="zebra"),
    dict(name="lato", font="Lato", core="Helvetica", size=9.5, color="#b3261e", head="right", table="lines"),
    dict(name="dejavu", font="DejaVu Sans", core="Helvetica", size=8.5, color="#333333", head="left", table="box"),
    dict(name="mono", font="Liberation Mono", core="Courier", size=9, color="#000000", head="left", table="plain"),
    dict(name="narrow", font="Liberation Sans Narrow", core="Helvetica", size=10, color="#5b2a86", head="band", table="box"),
]


def date_text(d, style, lang):
    if style == "long":
        if lang == "fr":
            return f"{'1er' if d.day == 1 else d.day} {FR_MONTHS[d.month - 1]} {d.year}"
        return f"{d.day} {EN_MONTHS[d.month - 1]} {d.year}"
    if style == "us-long":
        return f"{EN_MONTHS[d.month - 1]} {d.day}, {d.year}"
    if style == "mid":
        return f"{d.day:02d} {EN_MONTHS[d.month - 1][:3]} {d.year}"
    form = {"slash": "%d/%m/%Y", "dot": "%d.%m.%Y", "iso": "%Y-%m-%d", "us": "%m/%d/%Y", "space": "%d %m %Y",
            "dash": "%d-%m-%Y"}[style]
    return d.strftime(form)


def number_text(x, style):
    x = Decimal(x)
    sign = "-" if x < 0 else ""
    whole, frac = f"{abs(x):.2f}".split(".")
    groups = []
    while whole:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    sep, point = {"fr": (" ", ","), "be": (".", ","), "ch": ("'", "."), "en": (",", "."), "bare": ("", "."),
                  "frbare": ("", ",")}[style]
    return sign + sep.join(groups) + point + frac


class Doc:
    """One document: its printed fields, the facts behind them, and what is to be drawn."""

    def __init__(self, type_, lang, country, layout, r):
        self.type, self.lang, self.country, self.layout, self.r = type_, lang, country, layout, r
        self.blocks, self.ops, self.page = [], [], (210, 297)
        self.fields, self.raw, self.truths = {}, {}, []
        self.theme = dict(THEMES[r.randrange(len(THEMES))])
        self.title, self.author = type_.title(), ""
        self.issued = dt.date(2026, 10, 1)
        self.made = None
        self.producer = None
        if country in ("US", "CA") and lang == "en":
            self.page = (215.9, 279.4)
        self.datestyle = {"FR": "slash", "BE": r.choice(["slash", "dash"]), "CH": "dot", "UK": r.choice(["long", "slash", "mid"]),
                          "IE": r.choice(["long", "slash"]), "US": "us-long", "CA": "iso"}[country]
        self.money_style = {"FR": "fr", "BE": "be", "CH": "ch", "CA": "fr" if lang == "fr" else "en"}.get(country, "en")

    def put(self, code, printed, raw=None):
        assert code in CODES
        self.fields[code] = printed
        self.raw[code] = printed if raw is None else raw
        return printed

    def date(self, d, code=None, style=None):
        text = date_text(d, style or self.datestyle, self.lang)
        if code:
            self.put(code, text, d)
        return text

    def num(self, x):
        return number_text(x, self.money_style)

    def money(self, x, code=None):
        n = self.num(x)
        text = {"FR": f"{n} €", "BE": f"{n} EUR", "CH": f"CHF {n}", "UK": f"£{n}", "IE": f"€{n}", "US": f"${n}",
                "CA": f"{n} $" if self.lang == "fr" else f"${n}"}[self.country]
        if code:
            self.put(code, text, Decimal(x))
        return text

    def truth(self, what, ok):
        self.truths.append((what, bool(ok)))

    def add(self, *block):
        self.blocks.append(list(block))

    def text(self, x, y, s, size=8, bold=False, color="#111111", mono=False):
        self.ops.append(["t", x, y, s, size, bold, color, mono])

    def rect(self, x, y, w, h, fill=None, stroke=None):
        self.ops.append(["r", x, y, w, h, fill, stroke])

    def photo(self, x, y, w, h, seed):
        self.ops.append(["photo", x, y, w, h, seed])

    def replaced(self, old, new, code=None):
        """A copy that prints another value; what depends on it is left as it was."""
        other = copy.deepcopy(self)
        other.blocks = swap(other.blocks, old, new)
        other.ops = swap(other.ops, old, new)
        if code:
            other.fields[code] = new
        return other


def swap(thing, old, new):
    if isinstance(thing, str):
        return thing.replace(old, new)
    if isinstance(thing, (list, tuple)):
        return [swap(x, old, new) for x in thing]
    if isinstance(thing, dict):
        return {k: swap(v, old, new) for k, v in thing.items()}
    return thing
