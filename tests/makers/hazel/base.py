"""The document object and the list of designs."""
import datetime as dt

from engines import fill

DESIGNS = {}  # (type, group) -> functions; group: FR, EN, BC (Belgium, Switzerland, Québec in French), XX (other languages)


def design(kind, group):
    def add(f):
        DESIGNS.setdefault((kind, group), []).append(f)
        return f
    return add


class Doc:
    def __init__(self, w, country, lang, engine, layout='colon', kind=None):
        self.w, self.country, self.lang, self.engine, self.layout, self.kind = w, country, lang, engine, layout, kind
        self.printed, self.raw, self.src, self.info = {}, {}, None, 'own'
        self.bad_sum, self.bad_date, self.bad_mrz, self.sums, self.mrz, self.missing, self.style = [], [], [], [], [], [], {}
        self.pages, self.when, self.signer = 1, dt.datetime(2026, 6, 1, 10, 0), None
        self.late = False  # True: the reading order of the page parts words of one value

    def put(self, **kw):
        """field=(printed text) or (printed text, raw date or amount)."""
        for k, v in kw.items():
            if isinstance(v, tuple):
                self.printed[k], self.raw[k] = v
            else:
                self.printed[k] = v
        return self

    def person(self, p, first=None, last=None):
        return self.put(firstName=first or p.first, lastName=last or p.last)

    def home(self, p, street=None, city=None, zipc=None):
        return self.put(address=street or p.street, city=city or p.city.split(',')[0], postCode=zipc or p.zip)

    def made(self, day):
        w = self.w
        self.when = dt.datetime(day.year, day.month, day.day, w.r.randint(6, 19), w.r.randint(0, 59), w.r.randint(0, 59))
        return self

    def html(self, text, **kw):
        self.src = fill('html', '<!DOCTYPE html><html lang="%s"><meta charset="utf-8">' % self.lang + text + '</html>', **kw)
        return self

    def tex(self, text, **kw):
        self.src = fill('tex', text, **kw)
        return self

    def typ(self, text, **kw):
        self.src = fill('typst', text, **kw)
        return self

    def office(self, *programs):
        """The program that an office of this kind uses shows in the metadata."""
        self.info = self.w.pick(programs)
        return self
