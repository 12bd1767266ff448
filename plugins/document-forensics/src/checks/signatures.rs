//! Electronic signatures: whether they still fit the bytes that they cover, and what came after them.

use sealwright_plugin_sdk::{
    facts::Integrity,
    findings::{Finding, found},
};

use crate::{
    Subject,
    report::Report,
    signed::{Digested, digests},
};

const CODE: &str = "SIGNATURE";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let signatures = subject.document.signatures();
    if signatures.is_empty() {
        return Report::not_applicable(CODE, "The document bears no electronic signature.");
    }
    let revisions = subject.document.all_revisions();
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    let digests = digests(subject.document);
    if digests.contains(&Digested::Changed) {
        signs.push((0, found("SIGNATURE_BROKEN", "What a signature covers was changed after it was signed.")));
    }
    for signature in &signatures {
        if signature.integrity == Integrity::Broken && signs.is_empty() {
            signs.push((0, found("SIGNATURE_BROKEN", "What a signature covers was changed after it was signed.")));
        }
        let covered = signature.covered_until;
        let changed = revisions.iter().filter(|revision| revision.start >= covered).any(|revision| {
            let kinds = &revision.kinds;
            kinds.iter().any(|kind| kind == "content")
                && !kinds.iter().any(|kind| kind == "Sig" || kind == "DocTimeStamp")
        });
        if !signature.covers_file && changed {
            signs.push((10, found("CHANGED_AFTER_SIGNING", "A page was changed after the document was signed.")));
        }
    }
    let unchecked = signatures.iter().all(|signature| signature.integrity == Integrity::Unknown);
    if signs.is_empty() && unchecked && !digests.contains(&Digested::Same) {
        return Report::not_applicable(CODE, "The signature is of a kind that nobody here could check.");
    }
    Report::of(signs, CODE, "Every signature that could be checked fits the file.")
}
