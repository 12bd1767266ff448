"""A small page builder on reportlab: letter heads, label/value fields in several layouts, tables, prose."""
import io
import random
from reportlab.pdfgen import canvas
from reportlab.lib.colors import HexColor, black, white
from reportlab.pdfbase.pdfmetrics import stringWidth, registerFont
from reportlab.pdfbase.ttfonts import TTFont

FONTS = {"helv": ("Helvetica", "Helvetica-Bold"), "times": ("Times-Roman", "Times-Bold"), "cour": ("Courier", "Courier-Bold")}


def _load_extra():
    import pymupdf_fonts
    for key, (a, b) in {"noto": ("notos", "notosbo"), "ubuntu": ("ubuntu", "ubuntubo")}.items():
        try:
            for n in (a, b):
                registerFont(TTFont("x" + n, io.BytesIO(pymupdf_fonts.myfont(n))))
            FONTS[key] = ("x" + a, "x" + b)
        except Exception:
            pass


_load_extra()
registerFont(TTFont("Vera", "Vera.ttf"))
registerFont(TTFont("VeraBd", "VeraBd.ttf"))
FONTS["vera"] = ("Vera", "VeraBd")
ACCENTS = ["#1f3a5f", "#7a1f2b", "#2e6b3f", "#444444", "#0b6e99", "#5b3a8c", "#b35900", "#000000"]


class Style:
    def __init__(self, seed, fonts=None, mode=None, accent=None):
        r = random.Random(seed)
        self.fam = r.choice(fonts or [k for k in ("helv", "times", "noto", "ubuntu", "vera", "helv", "noto") if k in FONTS])
        self.accent = HexColor(accent or r.choice(ACCENTS))
        self.mode = mode or r.choice(["left", "colon", "above", "table", "dots", "below"])
        self.head = r.choice(["logo", "band", "plain", "right"])
        self.grid = r.choice(["full", "lines", "zebra"])
        self.size = r.choice([9, 9.5, 10]) - (.8 if self.fam == "vera" else 0)
        self.title = r.choice(["center", "left", "box", "band"])


class Sheet:
    def __init__(self, style, stamp, title="", page=(595.28, 841.89)):
        self.s, self.W, self.H = style, page[0], page[1]
        self.buf = io.BytesIO()
        self.c = canvas.Canvas(self.buf, pagesize=page, invariant=1)
        ts = self.c._doc._timeStamp
        ts.YMDhms = (stamp.year, stamp.month, stamp.day, 9 + stamp.day % 8, stamp.day * 2 % 60, stamp.month * 4)
        ts.dhh = ts.dmm = 0
        self.c.setTitle(title)
        self.reg, self.bold = FONTS[style.fam]
        self.x0, self.x1, self.y = 50, self.W - 50, self.H - 50
        self.lh = style.size * 1.38

    def put(self, x, y, t, size=None, bold=False, align="l", color=black, font=None):
        f = font or (self.bold if bold else self.reg)
        size = size or self.s.size
        self.c.setFont(f, size)
        self.c.setFillColor(color)
        {"l": self.c.drawString, "r": self.c.drawRightString, "c": self.c.drawCentredString}[align](x, y, t)

    def w(self, t, size=None, bold=False):
        return stringWidth(t, self.bold if bold else self.reg, size or self.s.size)

    def room(self, h):
        if self.y - h < 60:
            self.c.showPage()
            self.y = self.H - 55

    def wrap(self, t, width, size=None, bold=False):
        out = []
        for par in t.split("\n"):
            cur = ""
            for word in par.split(" "):
                n = (cur + " " + word) if cur else word
                if cur and self.w(n, size, bold) > width:
                    out.append(cur)
                    cur = word
                else:
                    cur = n
            out.append(cur)
        return out

    def gap(self, h=8):
        self.y -= h

    def head(self, name, lines, right=()):
        k, y = self.s.head, self.y
        if k == "band":
            self.c.setFillColor(self.s.accent)
            self.c.rect(0, self.H - 62, self.W, 62, stroke=0, fill=1)
            self.put(self.x0, self.H - 38, name, 17, True, color=white)
            y = self.H - 80
        elif k == "logo":
            self.c.setFillColor(self.s.accent)
            self.c.roundRect(self.x0, y - 22, 26, 26, 5, stroke=0, fill=1)
            self.put(self.x0 + 13, y - 15, name[0], 16, True, "c", white)
            self.put(self.x0 + 36, y - 14, name, 14, True, color=self.s.accent)
            y -= 38
        elif k == "right":
            self.put(self.x1, y - 8, name, 15, True, "r", self.s.accent)
            y -= 24
        else:
            self.put(self.x0, y - 8, name, 13, True)
            y -= 24
        ay = y
        for t in lines:
            self.put(self.x1 if k == "right" else self.x0, ay, t, 8, align="r" if k == "right" else "l")
            ay -= 10.5
        ry = y
        for t in right:
            self.put(self.x0 if k == "right" else self.x1, ry, t, 8.5, align="l" if k == "right" else "r")
            ry -= 11
        self.y = min(ay, ry) - 8

    def to(self, lines, left=False):
        x = self.x0 if left else self.x0 + 275
        self.y -= 6
        for i, t in enumerate(lines):
            self.put(x, self.y, t, self.s.size + .5)
            self.y -= self.lh
        self.y -= 10

    def title(self, t, sub=None, size=14):
        while self.w(t, size, True) > self.x1 - self.x0 - 10:
            size -= .5
        k = self.s.title
        self.y -= 10
        if k == "band":
            self.c.setFillColor(self.s.accent)
            self.c.rect(self.x0, self.y - 7, self.x1 - self.x0, size + 10, stroke=0, fill=1)
            self.put(self.x0 + 6, self.y, t, size, True, color=white)
        elif k == "box":
            self.c.setStrokeColor(self.s.accent)
            self.c.rect(self.x0, self.y - 7, self.x1 - self.x0, size + 10)
            self.put((self.x0 + self.x1) / 2, self.y, t, size, True, "c")
        elif k == "center":
            self.put((self.x0 + self.x1) / 2, self.y, t, size, True, "c")
        else:
            self.put(self.x0, self.y, t, size, True, color=self.s.accent)
        self.y -= 20
        if sub:
            for t in self.wrap(sub, self.x1 - self.x0, 9):
                self.put((self.x0 + self.x1) / 2 if k in ("box", "center") else self.x0, self.y, t, 9, align="c" if k in ("box", "center") else "l")
                self.y -= 12
            self.y -= 4
        self.y -= 2

    def h2(self, t):
        self.room(40)
        self.y -= 6
        self.put(self.x0, self.y, t, self.s.size + 1.2, True, color=self.s.accent)
        self.c.setStrokeColor(self.s.accent)
        self.c.setLineWidth(.5)
        self.c.line(self.x0, self.y - 3, self.x1, self.y - 3)
        self.y -= 17

    def fields(self, pairs, mode=None, x=None, x1=None):
        mode = mode or self.s.mode
        x, x1 = x or self.x0, x1 or self.x1
        S = self.s.size
        if mode in ("above", "below"):
            cw = (x1 - x) / 2
            for i in range(0, len(pairs), 2):
                deep = 1
                self.room(50)
                for j, (l, v) in enumerate(pairs[i:i + 2]):
                    vs = v if isinstance(v, list) else self.wrap(v, cw - 12, S, True)
                    deep = max(deep, len(vs))
                    if mode == "above":
                        self.put(x + j * cw, self.y, l, S - 2, color=HexColor("#555555"))
                        for n, t in enumerate(vs):
                            self.put(x + j * cw, self.y - 11 - n * self.lh, t, S, True)
                    else:
                        for n, t in enumerate(vs):
                            self.put(x + j * cw, self.y - n * self.lh, t, S, True)
                        self.put(x + j * cw, self.y - len(vs) * self.lh + 2, l, S - 2.5, color=HexColor("#555555"))
                self.y -= 15 + deep * self.lh
        else:
            lw = max(self.w(l, S, mode == "table") for l, _ in pairs) + 16
            lw = min(lw, (x1 - x) * .5)
            for l, v in pairs:
                vs = v if isinstance(v, list) else self.wrap(v, x1 - x - lw - 6, S)
                ls = self.wrap(l, lw - 8, S)
                h = max(len(vs), len(ls)) * self.lh
                self.room(h + 6)
                if mode == "table":
                    self.c.setStrokeColor(HexColor("#999999"))
                    self.c.setLineWidth(.5)
                    self.c.rect(x, self.y - h + self.lh - 5, x1 - x, h + 2.5)
                    self.c.line(x + lw - 4, self.y - h + self.lh - 5, x + lw - 4, self.y + self.lh - 2.5)
                for n, t in enumerate(ls):
                    tt = t + (" :" if self.fr else ":") if mode == "colon" and n == len(ls) - 1 else t
                    self.put(x + (4 if mode == "table" else 0), self.y - n * self.lh, tt, S)
                if mode == "dots":
                    a = x + self.w(ls[-1], S) + 4
                    self.c.setDash(1, 2)
                    self.c.setLineWidth(.4)
                    self.c.line(a, self.y, x + lw - 4, self.y)
                    self.c.setDash()
                for n, t in enumerate(vs):
                    self.put(x + lw, self.y - n * self.lh, t, S, mode in ("left", "colon"))
                self.y -= h + (2.5 if mode == "table" else 2)
        self.y -= 6

    fr = True

    def table(self, heads, rows, widths, align=None, size=None, bold_last=False):
        size = size or self.s.size - .8
        align = align or "l" * len(heads)
        tw = self.x1 - self.x0
        ws = [w * tw / sum(widths) for w in widths]
        g = self.s.grid
        rh = size * 1.55

        def line(cells, y, bold, color=black):
            x = self.x0
            wr = [self.wrap(str(t), w - 7, size, bold) for t, w in zip(cells, ws)]
            n = max(map(len, wr))
            for ls, w, a in zip(wr, ws, align):
                for k, t in enumerate(ls):
                    yy = y - k * size * 1.2
                    self.put(x + 3.5 if a == "l" else (x + w - 3.5 if a == "r" else x + w / 2), yy, t, size, bold, a, color)
                x += w
            return n
        def height(cells, bold):
            return (max(len(self.wrap(str(t), w - 7, size, bold)) for t, w in zip(cells, ws)) - 1) * size * 1.2 + rh
        for i, r in enumerate([heads] + list(rows)):
            hd = i == 0
            if hd and not any(heads):
                continue
            b = hd or (bold_last and i == len(rows))
            h = height(r, b)
            self.room(h + 4)
            top = self.y + size * .95
            if hd and g != "lines":
                self.c.setFillColor(self.s.accent if g == "zebra" else HexColor("#e4e4e4"))
                self.c.rect(self.x0, top - h, tw, h, stroke=0, fill=1)
            elif g == "zebra" and i % 2 == 0:
                self.c.setFillColor(HexColor("#f1f4f7"))
                self.c.rect(self.x0, top - h, tw, h, stroke=0, fill=1)
            line(r, self.y, b, white if hd and g == "zebra" else black)
            self.c.setStrokeColor(HexColor("#888888"))
            self.c.setLineWidth(.5)
            if g == "full":
                xx = self.x0
                for w in ws:
                    self.c.rect(xx, top - h, w, h)
                    xx += w
            elif g == "lines":
                self.c.line(self.x0, top - h, self.x1, top - h)
            self.y -= h
        self.y -= 8

    def totals(self, pairs):
        for i, (l, v) in enumerate(pairs):
            self.room(20)
            b = i == len(pairs) - 1
            self.put(self.x0 + 300, self.y, l, self.s.size + b * .8, b)
            self.put(self.x1 - 4, self.y, v, self.s.size + b * .8, b, "r")
            self.y -= self.lh + 2
        self.y -= 6

    def para(self, t, size=None, bold=False, justify=None):
        size = size or self.s.size
        for l in self.wrap(t, self.x1 - self.x0, size, bold):
            self.room(14)
            self.put(self.x0, self.y, l, size, bold)
            self.y -= size * 1.38
        self.y -= 5

    def foot(self, t):
        y = 30 + 9 * (len(self.wrap(t, self.x1 - self.x0, 6.8)) - 1)
        for l in self.wrap(t, self.x1 - self.x0, 6.8):
            self.put(self.W / 2, y, l, 6.8, align="c", color=HexColor("#555555"))
            y -= 9

    def sign(self, x, y, name, seed):
        """A made-up signature: the name's letters as a slanted scrawl."""
        r = random.Random(f"{name}{seed}")
        c = self.c
        k = r.uniform(.7, 1.5)
        c.saveState()
        c.setStrokeColor(HexColor("#1a2a6c"))
        c.setLineWidth(1)
        p = c.beginPath()
        p.moveTo(x, y)
        for i in range(r.randint(3, 7)):
            nx = x + r.randint(6, 19) * k
            p.curveTo(x + r.randint(-5, 6), y + r.randint(4, 22) * k, nx + r.randint(-9, 3), y - r.randint(0, 12) * k, nx, y + r.randint(-2, 5))
            x = nx
        c.drawPath(p)
        c.restoreState()

    def photo(self, x, y, w, h, sex="F"):
        """A grey silhouette in the place of the photograph."""
        c = self.c
        c.setFillColor(HexColor("#d5d9dd"))
        c.rect(x, y, w, h, stroke=0, fill=1)
        c.setFillColor(HexColor("#8b9299"))
        c.circle(x + w / 2, y + h * .62, w * .22, stroke=0, fill=1)
        p = c.beginPath()
        p.moveTo(x + w * .12, y)
        p.curveTo(x + w * .14, y + h * .42, x + w * .86, y + h * .42, x + w * .88, y)
        p.close()
        c.drawPath(p, stroke=0, fill=1)

    def done(self):
        self.c.save()
        return self.buf.getvalue()
