//! Lays out a paper's content on pages, in one of several ways.

use super::{
    form::{Entry, Form},
    sheet::{A4, Area, BLACK, Colour, Mark, Sheet},
    typeface::Family,
};
use crate::random::Random;

/// The position of values relative to their labels.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Labels {
    /// "Label: value" in one line.
    Inline,
    /// Small label, value under it, in two columns.
    Above,
    /// A ruled table of two columns.
    Ruled,
}

/// One way of laying out a paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    labels: Labels,
    family: Family,
    size: f32,
    margin: f32,
    accent: Colour,
    bold_values: bool,
    addressee_right: bool,
}

/// How many families of layouts there are.
pub(crate) const LAYOUTS: u64 = 3;

const ACCENTS: [Colour; 6] = [[0, 0, 0], [35, 79, 130], [31, 111, 84], [122, 30, 38], [60, 60, 60], [94, 55, 120]];

impl Layout {
    pub(crate) fn new(number: u64, family: Family, random: &mut Random) -> Self {
        let labels = [Labels::Inline, Labels::Above, Labels::Ruled];
        Self {
            labels: labels[usize::try_from(number % LAYOUTS).unwrap_or(0)],
            family,
            size: random.between(9.2, 11.2),
            margin: random.between(42.0, 64.0),
            accent: random.pick(&ACCENTS),
            bold_values: random.whole(0, 1) == 0,
            addressee_right: random.whole(0, 2) > 0,
        }
    }

    /// The pages of a paper; one, unless its table is long.
    pub(crate) fn set(&self, form: &Form) -> Vec<Sheet> {
        if form.card { vec![self.card(form)] } else { self.letter(form) }
    }

    fn letter(&self, form: &Form) -> Vec<Sheet> {
        let mut page = Page { sheet: Sheet::new(A4), done: Vec::new(), y: self.margin + 18.0, layout: self };
        page.issuer(&form.issuer);
        page.titles(&form.titles);
        page.addressee(&form.addressee);
        page.entries(&form.entries);
        page.table(form);
        page.notes(&form.notes);
        page.zone(&form.zone, 11.5);
        page.finish()
    }

    /// A card enlarged on an A4 page or a page of its own size; the portrait on the left.
    fn card(&self, form: &Form) -> Sheet {
        let alone = self.bold_values;
        let size = if alone { (440.0, 310.0) } else { A4 };
        let (left, top) = if alone { (0.0, 0.0) } else { (78.0, 90.0) };
        let mut sheet = Sheet::new(size);
        let card = Area { x: left, y: top, width: 440.0, height: 310.0 };
        sheet.marks.push(Mark::Fill(card, [226, 235, 243]));
        for row in 0..12_u8 {
            let band = Area { x: left, y: top + f32::from(row) * 26.0, width: 440.0, height: 1.0 };
            sheet.marks.push(Mark::Fill(band, [206, 218, 229]));
        }
        let (x, mut y) = (left + 18.0, top + 26.0);
        for (index, title) in form.titles.iter().enumerate() {
            let size = if index == 0 { 13.0 } else { 9.5 };
            sheet.text(title, (x, y), size, self.family.bold);
            y += size + 3.0;
        }
        sheet.marks.push(Mark::Portrait(Area { x, y: y + 2.0, width: 92.0, height: 116.0 }));
        let columns = [x + 108.0, x + 258.0];
        y += 12.0;
        // Values longer than a column get a line of their own.
        let mut column = 0;
        for entry in &form.entries {
            let width = self.family.bold.width(&entry.value, 11.0).max(self.family.regular.width(&entry.label, 6.8));
            if column == 1 && width > 150.0 {
                (column, y) = (0, y + 29.0);
            }
            sheet.text(&entry.label, (columns[column], y), 6.8, self.family.regular);
            sheet.text(&entry.value, (columns[column], y + 12.5), 11.0, self.family.bold);
            sheet.mark_last(entry.field, [20, 24, 34]);
            if column == 0 && width <= 145.0 {
                column = 1;
            } else {
                (column, y) = (0, y + 29.0);
            }
        }
        let longest = form.zone.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let zone_size = if longest > 36 { 14.6 } else { 17.0 };
        let first = top + 310.0 - 12.0 - zone_size * 1.3 * zone_lines(&form.zone);
        for (line, text) in form.zone.iter().enumerate() {
            let baseline = first + zone_size * 1.3 * (zone_lines(&form.zone[..line]) + 0.8);
            sheet.text(text, (left + 18.0, baseline), zone_size, self.family.mono);
        }
        if !alone {
            let mut y = 470.0;
            for note in &form.notes {
                sheet.text(note, (78.0, y), 9.0, self.family.regular);
                y += 14.0;
            }
        }
        sheet
    }
}

fn zone_lines(zone: &[String]) -> f32 {
    f32::from(u8::try_from(zone.len()).unwrap_or(3))
}

/// A page that is being filled from the top.
struct Page<'l> {
    sheet: Sheet,
    done: Vec<Sheet>,
    y: f32,
    layout: &'l Layout,
}

impl Page<'_> {
    fn right(&self) -> f32 {
        A4.0 - self.layout.margin
    }

    /// Starts a new page if less than `height` is left.
    fn need(&mut self, height: f32) {
        if self.y + height > A4.1 - self.layout.margin {
            self.done.push(std::mem::replace(&mut self.sheet, Sheet::new(A4)));
            self.y = self.layout.margin + 18.0;
        }
    }

    fn issuer(&mut self, issuer: &[Entry]) {
        let Layout { family, size, margin, accent, .. } = *self.layout;
        for (index, entry) in issuer.iter().enumerate() {
            let (size, face) = if index == 0 { (size * 1.6, family.bold) } else { (size * 0.88, family.regular) };
            let mut x = margin;
            if !entry.label.is_empty() {
                x += self.sheet.text(&format!("{} ", entry.label), (x, self.y), size, face);
            }
            self.sheet.text(&entry.value, (x, self.y), size, face);
            self.sheet.mark_last(entry.field, if index == 0 { accent } else { BLACK });
            self.y += size * 1.35;
        }
        if !issuer.is_empty() {
            let rule = Area { x: margin, y: self.y, width: self.right() - margin, height: 1.2 };
            self.sheet.marks.push(Mark::Fill(rule, accent));
            self.y += 22.0;
        }
    }

    fn titles(&mut self, titles: &[String]) {
        let Layout { family, size, margin, .. } = *self.layout;
        for (index, title) in titles.iter().enumerate() {
            let size = if index == 0 { size * 1.5 } else { size * 1.05 };
            self.sheet.text(title, (margin, self.y), size, family.bold);
            self.y += size * 1.45;
        }
        self.y += 8.0;
    }

    fn addressee(&mut self, lines: &[Entry]) {
        let Layout { family, size, margin, addressee_right, .. } = *self.layout;
        let x = if addressee_right { A4.0 * 0.55 } else { margin };
        for entry in lines {
            self.sheet.text(&entry.value, (x, self.y), size, family.regular);
            self.sheet.mark_last(entry.field, BLACK);
            self.y += size * 1.35;
        }
        self.y += if lines.is_empty() { 0.0 } else { 16.0 };
    }

    fn entries(&mut self, entries: &[Entry]) {
        match self.layout.labels {
            Labels::Inline => self.inline(entries),
            Labels::Above => self.above(entries),
            Labels::Ruled => self.ruled(entries),
        }
        self.y += 12.0;
    }

    fn inline(&mut self, entries: &[Entry]) {
        let Layout { family, size, margin, bold_values, .. } = *self.layout;
        let face = if bold_values { family.bold } else { family.regular };
        for entry in entries {
            self.need(size * 1.6);
            let mut x = margin;
            if !entry.label.is_empty() {
                x += self.sheet.text(&format!("{} : ", entry.label), (x, self.y), size, family.regular);
            }
            self.sheet.text(&entry.value, (x, self.y), size, face);
            self.sheet.mark_last(entry.field, BLACK);
            self.y += size * 1.55;
        }
    }

    fn above(&mut self, entries: &[Entry]) {
        let Layout { family, size, margin, accent, .. } = *self.layout;
        let half = (A4.0 - 2.0 * margin) / 2.0;
        let mut column = 0.0;
        for entry in entries {
            self.need(size * 4.0);
            let wide = family.bold.width(&entry.value, size) > half - 12.0;
            if wide && column > 0.0 {
                (column, self.y) = (0.0, self.y + size * 3.0);
            }
            let x = margin + column * half;
            self.sheet.text(&entry.label, (x, self.y), size * 0.78, family.regular);
            self.sheet.mark_last(None, accent);
            self.sheet.text(&entry.value, (x, self.y + size * 1.25), size, family.bold);
            self.sheet.mark_last(entry.field, BLACK);
            if column > 0.0 || wide {
                (column, self.y) = (0.0, self.y + size * 3.0);
            } else {
                column = 1.0;
            }
        }
        self.y += if column > 0.0 { size * 3.0 } else { 0.0 };
    }

    fn ruled(&mut self, entries: &[Entry]) {
        let Layout { family, size, margin, .. } = *self.layout;
        let width = self.right() - margin;
        let widest = entries.iter().map(|entry| family.regular.width(&entry.label, size)).fold(120.0, f32::max);
        let split = (widest + 16.0).min(width * 0.6);
        for entry in entries {
            self.need(size * 2.2);
            let row = Area { x: margin, y: self.y - size * 1.15, width, height: size * 1.85 };
            let head = Area { width: split, ..row };
            self.sheet.marks.push(Mark::Fill(head, [238, 240, 242]));
            self.sheet.marks.push(Mark::Frame(row, 0.5, [150, 150, 150]));
            self.sheet.text(&entry.label, (margin + 6.0, self.y), size, family.regular);
            self.sheet.text(&entry.value, (margin + split + 6.0, self.y), size, family.regular);
            self.sheet.mark_last(entry.field, BLACK);
            self.y += size * 1.85;
        }
    }

    fn table(&mut self, form: &Form) {
        let table = &form.table;
        if table.rows.is_empty() && table.sums.is_empty() {
            return;
        }
        let Layout { family, size, margin, accent, .. } = *self.layout;
        let (right, size) = (self.right(), size * 0.95);
        let step = size * 1.8;
        let columns = table.head.len().max(2);
        let place = |index: usize| {
            let back = f32::from(u8::try_from(columns - 1 - index).unwrap_or(0));
            right - 6.0 - back * 86.0
        };
        self.need(step * 3.0);
        let band = Area { x: margin, y: self.y - size * 1.2, width: right - margin, height: step };
        let tint = accent.map(|part| 255 - (255 - part) / 8);
        self.sheet.marks.push(Mark::Fill(band, tint));
        for (index, head) in table.head.iter().enumerate() {
            self.cell(index, head, (margin, place(index)), size, family.bold);
        }
        self.y += step;
        for row in &table.rows {
            self.need(step * 2.0);
            for (index, text) in row.iter().enumerate() {
                self.cell(index, text, (margin, place(index)), size, family.regular);
            }
            let rule = Area { x: margin, y: self.y + size * 0.45, width: right - margin, height: 0.4 };
            self.sheet.marks.push(Mark::Fill(rule, [170, 170, 170]));
            self.y += step;
        }
        self.y += 4.0;
        for (index, sum) in table.sums.iter().enumerate() {
            self.need(step);
            let last = index + 1 == table.sums.len();
            let face = if last { family.bold } else { family.regular };
            let label_right = right - 120.0;
            self.sheet.text_to(&sum.label, (label_right, self.y), size, face);
            self.sheet.text_to(&sum.value, (right - 6.0, self.y), size, face);
            self.sheet.mark_last(sum.field, BLACK);
            self.y += step;
        }
        self.y += 10.0;
    }

    /// The first column starts at the margin, the others end at their place.
    fn cell(&mut self, index: usize, text: &str, (margin, right): (f32, f32), size: f32, face: super::typeface::Face) {
        if index == 0 {
            self.sheet.text(text, (margin + 6.0, self.y), size, face);
        } else {
            self.sheet.text_to(text, (right, self.y), size, face);
        }
    }

    fn notes(&mut self, notes: &[String]) {
        let Layout { family, size, margin, .. } = *self.layout;
        let width = self.right() - margin;
        for note in notes {
            for line in broken(note, |text| family.regular.width(text, size * 0.92) <= width) {
                self.need(size * 1.4);
                self.sheet.text(&line, (margin, self.y), size * 0.92, family.regular);
                self.y += size * 1.3;
            }
            self.y += size * 0.5;
        }
    }

    fn zone(&mut self, zone: &[String], size: f32) {
        for line in zone {
            self.need(size * 1.4);
            self.sheet.text(line, (self.layout.margin, self.y), size, self.layout.family.mono);
            self.y += size * 1.3;
        }
    }

    fn finish(mut self) -> Vec<Sheet> {
        self.done.push(self.sheet);
        self.done
    }
}

/// Breaks a sentence into lines that fit.
fn broken(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a last line");
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if line.is_empty() || fits(&longer) {
            *line = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
