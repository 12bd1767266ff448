//! Text that was covered and overwritten.

use sealwright_plugin_sdk::{
    facts::{Annotation, Hiding, Rectangle, TextRun, TextSource},
    findings::{Finding, found},
};

use crate::{Subject, report::Report};

const CODE: &str = "TEXT_UNDER_MASK";
/// Percent of a page: pictures that cover more are scans, which may have their text underneath.
const SCAN: u8 = 60;
/// Annotations with their own visible content.
const PAINTING: [&str; 8] = ["FreeText", "Stamp", "Square", "Redact", "Ink", "Polygon", "Circle", "Watermark"];

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    let mut signs = Vec::new();
    let mut has_text = false;
    for page in document.page_numbers() {
        let Some(facts) = document.page(page) else { continue };
        let runs: Vec<TextRun> =
            document.all_text_runs(page).into_iter().filter(|run| run.source == TextSource::Layer).collect();
        has_text |= !runs.is_empty();
        if facts.image_cover < SCAN {
            signs.extend(runs.iter().filter_map(|run| judged(page, run, &runs)));
        }
    }
    for annotation in covering_annotations(subject) {
        let finding = found("TEXT_UNDER_ANNOTATION", "An annotation with its own text covers a text.");
        signs.push((20, finding.at(annotation.place.page, annotation.place.area)));
    }
    if !has_text {
        return Report::not_applicable(CODE, "The document has no text of its own that could be covered.");
    }
    Report::of(signs, CODE, "No text is covered.")
}

fn judged(page: u32, run: &TextRun, runs: &[TextRun]) -> Option<(u8, Finding)> {
    if run.hidden != Some(Hiding::Covered) || run.text.chars().filter(|letter| letter.is_alphanumeric()).count() < 2 {
        return None;
    }
    let covered_at = run.covered_by.unwrap_or(run.order);
    let over = runs
        .iter()
        .find(|other| other.hidden.is_none() && other.order > covered_at && mostly_meets(&run.area, &other.area));
    Some(match over {
        // The same text again is a shadow or a double strike.
        Some(over) if over.text.trim() == run.text.trim() => return None,
        Some(over) => (5, found(CODE, "A text is covered, and another one is written over it.").at(page, over.area)),
        None => (55, found("COVERED_TEXT", "A text is covered, as if it had been blacked out.").at(page, run.area)),
    })
}

/// Whether the two share a large part of the smaller one.
fn mostly_meets(left: &Rectangle, right: &Rectangle) -> bool {
    let across = left.right().min(right.right()) - left.left.max(right.left);
    let down = left.bottom().min(right.bottom()) - left.top.max(right.top);
    let small = |left: u32, right: u32| i32::try_from(left.min(right)).unwrap_or(i32::MAX);
    across > small(left.width, right.width) / 4 && down > small(left.height, right.height) / 3
}

/// Annotations with their own appearance that cover a text of the page.
pub(crate) fn covering_annotations(subject: &Subject<'_>) -> Vec<Annotation> {
    let document = subject.document;
    let covers = |annotation: &Annotation| {
        let Some(area) = annotation.place.area else { return false };
        document
            .all_text_runs(annotation.place.page)
            .iter()
            .any(|run| run.source == TextSource::Layer && run.text.trim().len() > 1 && mostly_meets(&run.area, &area))
    };
    document
        .all_annotations()
        .into_iter()
        .filter(|annotation| {
            !annotation.hidden && annotation.has_appearance && PAINTING.contains(&annotation.kind.as_str())
        })
        .filter(covers)
        .collect()
}
