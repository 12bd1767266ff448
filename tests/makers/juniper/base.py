"""What every design gives back, and the list of designs."""
from engines import on_day, stamp

DESIGNS = []  # (type, lang, country, name, function)


class Doc:
    def __init__(self, k, kind, lang, cc, design, producer, layout, day):
        self.k, self.type, self.lang, self.cc = k, kind, lang, {"CAE": "CA"}.get(cc, cc)
        self.design, self.producer, self.layout, self.day = design, producer, layout, day
        self.fields, self.style, self.dates, self.sums, self.mrz, self.pdf = {}, {}, [], [], [], b""

    def f(self, **kv):
        """Printed values; a pair gives the value as typed and the print from which a person typed it."""
        for code, v in kv.items():
            if v is not None:
                self.fields[code] = v if isinstance(v, tuple) else (v, v)
        return self

    def d(self, *days):
        """(printed, date, notation) in the order in which they must come; a forger may break the order."""
        self.dates += days
        return self

    def out(self, pdf, prod=None, creator=None, title=None, none=False, raw=False):
        if prod or none:
            self.pdf = stamp(pdf, self.day, self.k, prod, creator, title, none)
        else:
            self.pdf = on_day(pdf, self.day, self.k) if not raw else pdf
        if none:
            self.producer = "none"
        elif prod:
            self.producer = prod
        return self


def design(kind, lang, *ccs):
    """Register a design; with several countries it is one design for each."""
    def deco(fn):
        for cc in ccs:
            DESIGNS.append((kind, lang, cc, fn.__name__, fn))
        return fn
    return deco
