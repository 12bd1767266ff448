//! What was appended to a finished PDF. Signatures, filled forms and turned pages are normal; a revision is judged by
//! what it draws, as far as the page still shows it.

use sealwright_plugin_sdk::{
    facts::{Revision, TextRun},
    findings::{Finding, found},
};

use crate::{
    checks::{contents, overlay::covering_annotations},
    drawing::{Change, changes},
    painting::{is_late, is_margin},
    report::{Report, Sign, sign},
    subject::Subject,
    typeface::visible,
    values::{Worth, worth},
};

const CODE: &str = "REVISIONS";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    if subject.document.structure().is_none() {
        return Report::not_applicable(CODE, "Only a PDF has revisions.");
    }
    let mut signs: Vec<Sign> = Vec::new();
    for (number, revision) in (2..).zip(subject.document.all_revisions().iter().skip(1)) {
        if !wrote(revision, &["Sig", "DocTimeStamp"]) {
            signs.extend(judged(subject, number, revision));
        }
    }
    signs.extend(contents::sign_of(subject));
    Report::of(signs, CODE, "No later revision changes what a page says.")
}

fn wrote(revision: &Revision, kinds: &[&str]) -> bool {
    revision.kinds.iter().any(|kind| kinds.iter().any(|wanted| kind.eq_ignore_ascii_case(wanted)))
}

fn judged(subject: &Subject<'_>, number: u32, revision: &Revision) -> Option<Sign> {
    let page = revision.pages.first().copied();
    let place = |finding: Finding| match page {
        Some(page) => finding.at(page, None),
        None => finding,
    };
    let change = match changes(&subject.document.content(), revision) {
        // The drawing could not be read: what the page shows has to do.
        Change::Unknown if wrote(revision, &["stream"]) && page.is_some() => Change::Added,
        change => change,
    };
    if let Change::Replaced { figures } = change {
        let text = format!("Revision {number} replaces text on a finished page.");
        return Some(sign(if figures { 25.0 } else { 14.0 }, place(found("PAGE_CONTENT_CHANGED", text))));
    }
    let has_fonts = wrote(revision, &["Font"]);
    if (change == Change::Added || has_fonts && page.is_some())
        && let Some((worth, area)) = added_value(subject, number, revision)
    {
        let text = format!("Revision {number} writes a value on a finished page.");
        let finding = found("PAGE_CONTENT_CHANGED", text).at(area.0, area.1.area);
        return Some(sign(if worth == Worth::Figure { 18.0 } else { 10.0 }, finding));
    }
    if wrote(revision, &["Annot"]) && !covering_annotations(subject).is_empty() {
        let text = format!("Revision {number} covers text with something.");
        return Some(sign(2.0, place(found("ANNOTATION_OVER_TEXT", text))));
    }
    (change == Change::Added && page.is_some()).then(|| {
        let text = format!("Revision {number} draws something on a finished page.");
        sign(5.0, place(found("PAGE_CONTENT_ADDED", text)))
    })
}

/// A value in the midst of a page that was painted last or in a font of this revision.
fn added_value(subject: &Subject<'_>, number: u32, revision: &Revision) -> Option<(Worth, (u32, TextRun))> {
    let document = subject.document;
    let fonts = document.all_fonts();
    let mut forms = document.all_annotations();
    forms.retain(|annotation| annotation.kind == "Widget");
    let mut best: Option<(Worth, (u32, TextRun))> = None;
    for page in revision.pages.iter().copied() {
        let Some(facts) = document.page(page) else { continue };
        let runs = visible(document.all_text_runs(page), &forms, page);
        for run in &runs {
            let is_new =
                run.font.and_then(|font| fonts.get(font as usize)).is_some_and(|font| font.revision == Some(number));
            let value = worth(&run.text);
            if value > best.as_ref().map_or(Worth::None, |best| best.0)
                && !is_margin(&run.area, facts.width, facts.height)
                && (is_late(run, &runs) || is_new && runs.iter().filter(|other| other.font == run.font).count() <= 3)
            {
                best = Some((value, (page, run.clone())));
            }
        }
    }
    best
}
