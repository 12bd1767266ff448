//! Content that machines read but people do not see.

use sealwright_plugin_sdk::{
    facts::{Hiding, Rectangle, Shape, TextRun, TextSource},
    findings::{Finding, found},
};

use crate::{Subject, report::Report};

const CODE: &str = "HIDDEN_TEXT";
/// Percent of a page: a picture of this size is a scan, and the invisible text over it is its recognised text.
const SCAN: u8 = 50;
/// Letters and digits; fewer are remains of typesetting.
const FEW: usize = 8;

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    if document.structure().is_none() {
        return Report::not_applicable(CODE, "A picture hides no text.");
    }
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    for page in document.page_numbers() {
        let Some(facts) = document.page(page) else { continue };
        let scanned = facts.image_cover >= SCAN;
        let shapes = document.all_shapes(page);
        let runs = document.all_text_runs(page);
        let mut hidden: Vec<(&TextRun, Hiding)> = Vec::new();
        for run in runs.iter().filter(|run| run.source == TextSource::Layer) {
            let why =
                run.hidden.or_else(|| (!scanned && is_paper_coloured(run, &shapes)).then_some(Hiding::SameColour));
            hidden.extend(why.map(|why| (run, why)));
        }
        for (why, evaluation, text) in WAYS {
            let explained = scanned && matches!(why, Hiding::Invisible | Hiding::SameColour);
            let some: Vec<&TextRun> = hidden.iter().filter(|(_, way)| *way == why).map(|(run, _)| *run).collect();
            let letters: usize =
                some.iter().map(|run| run.text.chars().filter(|letter| letter.is_alphanumeric()).count()).sum();
            if letters >= FEW && !explained {
                signs.push((evaluation, found(CODE, text).at(page, some.first().map(|run| run.area))));
            }
        }
    }
    if document.layers(0).iter().any(|layer| !layer.visible) {
        signs.push((75, found("HIDDEN_LAYER", "The document has a layer that is switched off.")));
    }
    let acts =
        document.actions(0).iter().any(|action| matches!(action.kind.as_str(), "JavaScript" | "Launch" | "ImportData"));
    if acts {
        signs.push((60, found("ACTIVE_CONTENT", "The document tries to run something when it is opened.")));
    }
    Report::of(signs, CODE, "No text was found that people do not see.")
}

/// How text is hidden, how bad that is, and the message. Another check handles covered text, and text outside a cropped
/// page is mostly printers' marks.
const WAYS: [(Hiding, u8, &str); 5] = [
    (Hiding::Invisible, 15, "There is text that is neither filled nor outlined, and no scan that it could belong to."),
    (Hiding::SameColour, 20, "There is text in the colour of the paper."),
    (Hiding::TooSmall, 20, "There is text that is too small to be read."),
    (Hiding::Outside, 70, "There is text outside the page."),
    (Hiding::LayerOff, 70, "There is text on a layer that is switched off."),
];

/// Nearly white text on nothing, or text with the same colour as the last shape painted under it.
fn is_paper_coloured(run: &TextRun, shapes: &[Shape]) -> bool {
    let Some(colour) = run.colour else { return false };
    let under = shapes.iter().rev().find(|shape| shape.order < run.order && contains(&shape.area, &run.area));
    let ground = under.map_or(0x00ff_ffff, |shape| shape.colour);
    (0..3).all(|part| {
        let channel = |colour: u32| colour >> (part * 8) & 0xff;
        channel(colour).abs_diff(channel(ground)) <= 6
    })
}

fn contains(outer: &Rectangle, inner: &Rectangle) -> bool {
    outer.left <= inner.left + 100
        && outer.top <= inner.top + 200
        && outer.right() + 100 >= inner.right()
        && outer.bottom() + 200 >= inner.bottom()
}
