//! What was appended to a finished PDF: signatures and filled forms are normal, other drawing on a page is not.

use sealwright_plugin_sdk::findings::{Finding, found};

use crate::{Subject, checks::overlay::covering_annotations, report::Report};

const CODE: &str = "REVISIONS";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    if subject.document.structure().is_none() {
        return Report::not_applicable(CODE, "Only a PDF has revisions.");
    }
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    for (number, revision) in (2..).zip(subject.document.all_revisions().iter().skip(1)) {
        let wrote = |kinds: &[&str]| {
            revision.kinds.iter().any(|kind| kinds.iter().any(|wanted| kind.eq_ignore_ascii_case(wanted)))
        };
        let signed = wrote(&["Sig", "DocTimeStamp"]);
        let page = revision.pages.first().copied();
        let place = |finding: Finding| match page {
            Some(page) => finding.at(page, None),
            None => finding,
        };
        if wrote(&["content"]) && page.is_some() && !signed {
            let text = format!("Revision {number} draws something else on a finished page.");
            signs.push((8, place(found("PAGE_CONTENT_CHANGED", text))));
        } else if !signed && wrote(&["Annot"]) && !covering_annotations(subject).is_empty() {
            let text = format!("Revision {number} covers a text with something.");
            signs.push((15, place(found("ANNOTATION_OVER_TEXT", text))));
        } else if !signed && page.is_some() && wrote(&["Page"]) && wrote(&["Font", "Image"]) {
            let text = format!("Revision {number} adds new fonts or pictures to a finished page.");
            signs.push((30, place(found("PAGE_RESOURCES_CHANGED", text))));
        }
    }
    Report::of(signs, CODE, "No later revision changes what a page shows.")
}
