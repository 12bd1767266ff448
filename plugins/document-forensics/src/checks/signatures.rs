//! Electronic signatures: whether they still match the bytes that they cover, and what was appended after them. The
//! signer is not checked: a forger who signs again is a question of trust in the signer.

use sealwright_plugin_sdk::{
    facts::{Integrity, Revision, Signature},
    findings::{Finding, found},
};

use crate::{Subject, report::Report};

const CODE: &str = "SIGNATURE";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let signatures = subject.document.signatures();
    if signatures.is_empty() {
        return Report::not_applicable(CODE, "The document has no electronic signature.");
    }
    let revisions = subject.document.all_revisions();
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    for signature in &signatures {
        if signature.integrity == Integrity::Broken {
            signs.push((0, found("SIGNATURE_BROKEN", "The content of a signature was changed after it was signed.")));
        }
        if !signature.covers_file && revisions.iter().any(|revision| changes_pages_after(revision, signature)) {
            signs.push((10, found("CHANGED_AFTER_SIGNING", "A page was changed after the document was signed.")));
        }
    }
    if signs.is_empty() && signatures.iter().all(|signature| signature.integrity == Integrity::Unknown) {
        return Report::not_applicable(CODE, "The signature is of a kind that could not be checked.");
    }
    Report::of(signs, CODE, "Every signature that could be checked matches the file.")
}

/// Another signature, and what belongs to it, may follow; other content may not.
fn changes_pages_after(revision: &Revision, signature: &Signature) -> bool {
    let brings = |kind: &str| revision.kinds.iter().any(|other| other == kind);
    revision.start >= signature.covered_until && brings("content") && !brings("Sig") && !brings("DocTimeStamp")
}
