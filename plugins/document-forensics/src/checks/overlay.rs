//! Text that was covered, and perhaps written over.

use sealwright_plugin_sdk::{
    facts::{Annotation, Hiding, Placement, Rectangle, Shape, TextRun, TextSource},
    findings::found,
    reading::fold,
};

use crate::{
    painting::is_late,
    report::{Report, Sign, sign},
    subject::Subject,
    values::{Worth, worth},
};

const CODE: &str = "TEXT_UNDER_MASK";
/// Percent of a page: pictures that cover more are scans, which may have their text underneath.
const SCAN: u64 = 60;
/// One surface that covers more texts than this replaces a part of the page, such as an old letterhead.
const MANY: usize = 6;
/// Annotations with their own visible content.
const PAINTING: [&str; 8] = ["FreeText", "Stamp", "Square", "Redact", "Ink", "Polygon", "Circle", "Watermark"];

/// A page as the check sees it.
struct Painted {
    number: u32,
    /// In hundredths of a point.
    size: u64,
    /// Where its head ends, with logo and sender.
    head: i32,
    runs: Vec<TextRun>,
    shapes: Vec<Shape>,
    pictures: Vec<Placement>,
}

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    let placements = document.all_placements();
    let mut signs: Vec<Sign> = Vec::new();
    let mut has_text = false;
    for number in document.page_numbers() {
        let Some(facts) = document.page(number) else { continue };
        let page = Painted {
            number,
            size: u64::from(facts.width) * u64::from(facts.height),
            head: i32::try_from(facts.height / 6).unwrap_or(0),
            runs: document.all_text_runs(number).into_iter().filter(|run| run.source == TextSource::Layer).collect(),
            shapes: document.all_shapes(number),
            pictures: placements.iter().filter(|placement| placement.place.page == number).copied().collect(),
        };
        has_text |= !page.runs.is_empty();
        signs.extend(page.runs.iter().filter_map(|run| page.covered(run)));
        signs.extend(page.runs.iter().filter_map(|run| page.masked(run)));
        signs.extend(page.runs.iter().filter_map(|run| page.overprinted(run)));
        signs.extend(page.shapes.iter().filter_map(|shape| page.patched(shape)));
        signs.extend(page.pictures.iter().filter_map(|picture| page.pasted(picture)));
    }
    for annotation in covering_annotations(subject) {
        let says = worth(&annotation.text);
        let hidden = covered_by(subject, &annotation).iter().map(|run| worth(&run.text)).max();
        let hides_value = hidden == Some(Worth::Figure);
        let decibans = match (annotation.kind.as_str(), says, hides_value) {
            // "Received on 19/09/2026", on a heading: a note that happens to cover something.
            ("FreeText", Worth::Figure, false) if hidden != Some(Worth::Name) => 8.0,
            ("FreeText", Worth::Figure | Worth::Name, _) => 22.0,
            ("FreeText", Worth::None, true) | (_, Worth::Figure, true) => 16.0,
            ("Redact" | "Square", _, true) => 9.0,
            // A stamp or drawing over text: "Received", a signature.
            _ => 4.0,
        };
        let finding = found("TEXT_UNDER_ANNOTATION", "An annotation with its own visible content covers text.");
        signs.push(sign(decibans, finding.at(annotation.place.page, annotation.place.area)));
    }
    if !has_text {
        return Report::not_applicable(CODE, "The document has no text layer that could be covered.");
    }
    Report::of(signs, CODE, "No text is covered.")
}

impl Painted {
    fn covered(&self, run: &TextRun) -> Option<Sign> {
        let is_short = run.text.chars().filter(|letter| letter.is_alphanumeric()).count() < 2;
        if run.hidden != Some(Hiding::Covered) || is_short {
            return None;
        }
        let covered_at = run.covered_by.unwrap_or(run.order);
        let picture = self.pictures.iter().find(|picture| Some(picture.order) == run.covered_by);
        let area = picture.and_then(|picture| picture.place.area);
        let is_scan = area.is_some_and(|area| u64::from(area.width) * u64::from(area.height) * 100 > self.size * SCAN);
        let together =
            self.runs.iter().filter(|other| other.covered_by == run.covered_by && other.hidden == run.hidden);
        if is_scan || picture.is_some() && area.is_none() {
            return None;
        }
        let is_many = run.covered_by.is_some() && together.count() > MANY;
        let mut over = self
            .runs
            .iter()
            .filter(|other| other.hidden.is_none() && other.order > covered_at && mostly_meets(&run.area, &other.area));
        let same = |other: &TextRun| plain(&other.text).contains(&plain(&run.text));
        // The same text again is a shadow or a double strike.
        if over.clone().any(same) || self.is_seen_again(run) {
            return None;
        }
        let value = worth(&run.text);
        let (decibans, code, text, place) = match (over.next(), picture) {
            (Some(over), _) if is_many => {
                (8.0, CODE, "A part of the page is covered, and other text is written over it.", over.area)
            }
            (Some(over), _) => (25.0, CODE, "Text is covered, and other text is written over it.", over.area),
            (None, Some(_)) => {
                let decibans = match value {
                    _ if is_many => 12.0,
                    Worth::Figure => 22.0,
                    Worth::Name => 18.0,
                    Worth::None => 14.0,
                };
                (decibans, "TEXT_UNDER_PICTURE", "A picture covers text.", run.area)
            }
            (None, None) => {
                let mask = self.shapes.iter().find(|shape| Some(shape.order) == run.covered_by);
                let is_paper = mask.is_some_and(|mask| is_pale(mask.colour));
                let decibans = match value {
                    _ if is_many => 5.0,
                    Worth::None => 8.0,
                    _ if is_paper => 16.0,
                    _ => 9.0,
                };
                (decibans, "COVERED_TEXT", "Text is covered, as if it had been blacked out.", run.area)
            }
        };
        Some(sign(decibans, found(code, text).at(self.number, place)))
    }

    /// A word of a longer text that was written over: the host calls a text covered if most of it is.
    fn overprinted(&self, run: &TextRun) -> Option<Sign> {
        let letters = run.text.chars().filter(|letter| letter.is_alphanumeric()).count();
        let is_value = worth(&run.text) != Worth::None || run.text.chars().any(|letter| letter.is_ascii_digit());
        if run.hidden.is_some() || !is_value && letters < 4 {
            return None;
        }
        let under = self.runs.iter().find(|under| {
            under.order < run.order
                && under.hidden.is_none_or(|why| why == Hiding::Covered)
                && u64::from(under.area.height) * 2 > u64::from(run.area.height)
                && share(&run.area, &under.area) >= 60
                && !plain(&under.text).contains(&plain(&run.text))
                && !plain(&run.text).contains(&plain(&under.text))
        })?;
        let is_masked = self
            .shapes
            .iter()
            .any(|shape| shape.order > under.order && shape.order < run.order && share(&run.area, &shape.area) >= 60);
        // Names of companies are not always in capitals; words over words alone are a matter of typesetting.
        if !is_value && !is_masked {
            return None;
        }
        let text = "A part of a text is overwritten with something else.";
        Some(sign(if is_masked { 25.0 } else { 9.0 }, found("OVERPRINTED", text).at(self.number, run.area)))
    }

    /// A patch in the paper's colour on the end of a text, with another text that begins at the same place: a part of
    /// another page that was cut out and laid over. What was cut off counts as outside the page.
    fn patched(&self, patch: &Shape) -> Option<Sign> {
        let on_patch =
            |run: &&TextRun| share(&patch.area, &run.area) >= 60 && patch.area.width < run.area.width * 3 / 2;
        if !is_pale(patch.colour) {
            return None;
        }
        let under = self.runs.iter().filter(on_patch).find(|run| run.order < patch.order && run.hidden.is_none())?;
        let over = self.runs.iter().filter(on_patch).find(|run| {
            run.order > patch.order
                && run.hidden.is_none_or(|why| why == Hiding::Outside)
                && run.area.left.abs_diff(under.area.left) < 100
                && run.area.top.abs_diff(under.area.top) < 100
                && plain(&run.text) != plain(&under.text)
        })?;
        let text = "The end of a text is covered, and another text that begins like it is laid over.";
        Some(sign(22.0, found("PATCHED", text).at(self.number, over.area)))
    }

    /// A picture of the height of a line that lies on a text.
    fn pasted(&self, picture: &Placement) -> Option<Sign> {
        let area = picture.place.area?;
        let under = self.runs.iter().find(|run| {
            run.order < picture.order
                && run.hidden.is_none()
                && run.text.trim().len() > 1
                && area.height < run.area.height.saturating_mul(5) / 2
                && area.height * 2 > run.area.height
                && share(&area, &run.area) >= 40
        })?;
        let text = "A picture as tall as one line covers text.";
        let decibans = if worth(&under.text) == Worth::None { 14.0 } else { 20.0 };
        Some(sign(decibans, found("TEXT_UNDER_PICTURE", text).at(self.number, area)))
    }

    /// The same text is visible at the same place, whatever the order.
    fn is_seen_again(&self, run: &TextRun) -> bool {
        self.runs.iter().any(|other| {
            other.hidden.is_none() && other.text.trim() == run.text.trim() && mostly_meets(&run.area, &other.area)
        })
    }

    /// A value on its own patch in the paper's colour, both painted when the page was finished.
    fn masked(&self, run: &TextRun) -> Option<Sign> {
        if run.hidden.is_some() || worth(&run.text) == Worth::None || !is_late(run, &self.runs) {
            return None;
        }
        // A company's name in its logo is painted last, on a box of its own.
        if worth(&run.text) == Worth::Name && run.area.bottom() < self.head {
            return None;
        }
        let patch = self.shapes.iter().rev().find(|shape| {
            shape.order < run.order
                && is_pale(shape.colour)
                && mostly_meets(&shape.area, &run.area)
                && shape.area.height < run.area.height * 3
                && shape.area.width < run.area.width.saturating_mul(3)
                && !self.runs.iter().any(|other| {
                    other.order > shape.order && other.order < run.order && !mostly_meets(&other.area, &run.area)
                })
        })?;
        // A program that puts each line of a footer on a patch of its own does so by design.
        let alike = |shape: &&Shape| {
            is_pale(shape.colour) && shape.area.height.abs_diff(patch.area.height) * 10 <= patch.area.height
        };
        if self.shapes.iter().filter(alike).count() > 1 {
            return None;
        }
        let text = "A value is on a patch in the paper's colour, and both were painted after the rest of the page.";
        Some(sign(15.0, found("PATCH", text).at(self.number, patch.area)))
    }
}

/// Only the letters and digits.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// How much of the first is in the second, in percent.
fn share(inner: &Rectangle, outer: &Rectangle) -> i64 {
    let across = i64::from(inner.right().min(outer.right())) - i64::from(inner.left.max(outer.left));
    let down = i64::from(inner.bottom().min(outer.bottom())) - i64::from(inner.top.max(outer.top));
    let whole = i64::from(inner.width) * i64::from(inner.height);
    across.max(0) * down.max(0) * 100 / whole.max(1)
}

fn is_pale(colour: u32) -> bool {
    (0..3).all(|part| (colour >> (part * 8)) & 0xff >= 0xd0)
}

/// Whether the two share a large part of the smaller one.
pub(crate) fn mostly_meets(left: &Rectangle, right: &Rectangle) -> bool {
    let across = left.right().min(right.right()) - left.left.max(right.left);
    let down = left.bottom().min(right.bottom()) - left.top.max(right.top);
    let small = |left: u32, right: u32| i32::try_from(left.min(right)).unwrap_or(i32::MAX);
    across > small(left.width, right.width) / 4 && down > small(left.height, right.height) / 3
}

/// Annotations with their own appearance that cover a text of the page.
pub(crate) fn covering_annotations(subject: &Subject<'_>) -> Vec<Annotation> {
    subject
        .document
        .all_annotations()
        .into_iter()
        .filter(|annotation| {
            !annotation.hidden && annotation.has_appearance && PAINTING.contains(&annotation.kind.as_str())
        })
        .filter(|annotation| !covered_by(subject, annotation).is_empty())
        .collect()
}

fn covered_by(subject: &Subject<'_>, annotation: &Annotation) -> Vec<TextRun> {
    let Some(area) = annotation.place.area else { return Vec::new() };
    // What the annotation itself says is painted too.
    let own = fold(&annotation.text);
    let mut runs = subject.document.all_text_runs(annotation.place.page);
    runs.retain(|run| {
        run.source == TextSource::Layer
            && run.text.trim().len() > 1
            && !own.contains(&fold(&run.text))
            && mostly_meets(&run.area, &area)
    });
    runs
}
