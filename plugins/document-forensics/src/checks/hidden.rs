//! Content that machines read but people do not see.

use sealwright_plugin_sdk::{
    facts::{Hiding, Page, Rectangle, Shape, TextRun, TextSource},
    findings::found,
};

use crate::{
    checks::{
        layers::{other_figures, set_layer},
        overlay::mostly_meets,
    },
    report::{Report, Sign, sign},
    subject::Subject,
    values::{Worth, worth},
};

const CODE: &str = "HIDDEN_TEXT";
/// Percent of a page: a picture of this size is a scan, and the invisible text over it is its recognised text.
const SCAN: u8 = 50;
/// Letters and digits; fewer are remains of typesetting.
const FEW: usize = 8;

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    if document.structure().is_none() {
        return Report::not_applicable(CODE, "A picture cannot contain hidden text.");
    }
    let mut signs: Vec<Sign> = Vec::new();
    for page in document.page_numbers() {
        let Some(facts) = document.page(page) else { continue };
        let scanned = facts.image_cover >= SCAN;
        let shapes = document.all_shapes(page);
        let runs = document.all_text_runs(page);
        let mut hidden: Vec<(&TextRun, Hiding)> = Vec::new();
        for run in runs.iter().filter(|run| run.source == TextSource::Layer) {
            let why =
                run.hidden.or_else(|| (!scanned && is_paper_coloured(run, &shapes)).then_some(Hiding::SameColour));
            hidden.extend(why.filter(|_| !is_seen(run, &runs)).map(|why| (run, why)));
        }
        signs.extend(cut_away(page, &facts, &hidden));
        signs.extend(set_layer(page, &runs).filter(|_| scanned));
        signs.extend(other_figures(page, &runs).filter(|_| scanned));
        for (why, for_value, for_words, text) in WAYS {
            let explained = scanned && matches!(why, Hiding::Invisible | Hiding::SameColour);
            let some: Vec<&TextRun> = hidden.iter().filter(|(_, way)| *way == why).map(|(run, _)| *run).collect();
            let letters: usize =
                some.iter().map(|run| run.text.chars().filter(|letter| letter.is_alphanumeric()).count()).sum();
            if letters >= FEW && !explained {
                let has_value = some.iter().any(|run| worth(&run.text) == Worth::Figure);
                let decibans = if has_value { for_value } else { for_words };
                signs.push(sign(decibans, found(CODE, text).at(page, some.first().map(|run| run.area))));
            }
        }
    }
    if document.layers(0).iter().any(|layer| !layer.visible) {
        signs.push(sign(4.0, found("HIDDEN_LAYER", "The document has a layer that is switched off.")));
    }
    let acts =
        document.actions(0).iter().any(|action| matches!(action.kind.as_str(), "JavaScript" | "Launch" | "ImportData"));
    if acts {
        let text = "The document contains a script, or an action that starts a program or imports data.";
        signs.push(sign(6.0, found("ACTIVE_CONTENT", text)));
    }
    Report::of(signs, CODE, "No hidden text was found.")
}

/// Text within the borders of a page that is cut away: what a paper had in place of a part of another one that was pasted
/// in. Browsers cut away a few words that do not fit.
fn cut_away(page: u32, facts: &Page, hidden: &[(&TextRun, Hiding)]) -> Option<Sign> {
    let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
    let is_within = |area: &Rectangle| {
        area.right() > 0 && area.bottom() > 0 && area.left < side(facts.width) && area.top < side(facts.height)
    };
    let cut: Vec<&TextRun> = hidden
        .iter()
        .filter(|(run, why)| *why == Hiding::Outside && is_within(&run.area))
        .map(|(run, _)| *run)
        .collect();
    let has_value = cut.iter().any(|run| worth(&run.text) == Worth::Figure);
    let text = "Text within the borders of the page is cut away, as if something was pasted over it.";
    let finding = || found("TEXT_CUT_AWAY", text).at(page, cut.first().map(|run| run.area));
    (cut.len() >= 2).then(|| sign(if has_value { 13.5 } else { 9.0 }, finding()))
}

/// How text is hidden, what that is worth for values and for words, and the message. Another check handles covered
/// text, and text outside a cropped page is mostly printers' marks. Programs for signing put their marks in white.
const WAYS: [(Hiding, f64, f64, &str); 5] = [
    (
        Hiding::Invisible,
        18.0,
        7.0,
        "There is invisible text (neither filled nor outlined), and the page has no scan that it could belong to.",
    ),
    (Hiding::SameColour, 13.0, 6.0, "There is text in the colour of the paper."),
    (Hiding::TooSmall, 15.0, 7.0, "There is text that is too small to be read."),
    (Hiding::Outside, 4.0, 3.0, "There is text outside the page."),
    (Hiding::LayerOff, 5.0, 4.0, "There is text on a layer that is switched off."),
];

/// Whether the same text is visible at the same place: headings are painted twice, for a shadow or an outline.
fn is_seen(run: &TextRun, runs: &[TextRun]) -> bool {
    runs.iter().any(|other| {
        other.order != run.order
            && other.hidden.is_none()
            && other.text.trim() == run.text.trim()
            && mostly_meets(&other.area, &run.area)
    })
}

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
