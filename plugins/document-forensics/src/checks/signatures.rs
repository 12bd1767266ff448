//! Electronic signatures: whether they still match the bytes that they cover, and what was appended after them. The
//! signer is not checked: a forger who signs again is a question of trust in the signer.

use sealwright_plugin_sdk::{
    facts::{Integrity, Revision, Signature},
    findings::found,
};

use crate::{
    checks::overlay::covering_annotations,
    report::{Report, Sign, sign},
    subject::Subject,
};

const CODE: &str = "SIGNATURE";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let signatures = subject.document.signatures();
    if signatures.is_empty() {
        return Report::not_applicable(CODE, "The document has no electronic signature.");
    }
    let revisions = subject.document.all_revisions();
    let mut signs: Vec<Sign> = Vec::new();
    for signature in &signatures {
        if signature.integrity == Integrity::Broken {
            let text = "The content that a signature covers was changed after it was signed.";
            signs.push(sign(45.0, found("SIGNATURE_BROKEN", text)));
        }
        let later = || revisions.iter().filter(|revision| revision.start >= signature.covered_until);
        if !signature.covers_file && later().any(changes_pages) {
            let text = "A page was changed after the document was signed.";
            signs.push(sign(18.0, found("CHANGED_AFTER_SIGNING", text)));
        } else if !signature.covers_file && later().any(|revision| brings(revision, "Annot")) && covers_text(subject) {
            let text = "Text was covered after the document was signed.";
            signs.push(sign(20.0, found("COVERED_AFTER_SIGNING", text)));
        } else if leaves_something_out(signature, &revisions) {
            let text = "A signature covers only a part of the document, although nothing was appended after it.";
            signs.push(sign(9.0, found("SIGNATURE_PARTIAL", text)));
        }
    }
    if signs.is_empty() && signatures.iter().all(|signature| signature.integrity == Integrity::Unknown) {
        return Report::not_applicable(CODE, "The signature is of a kind that could not be checked.");
    }
    Report::of(signs, CODE, "Every signature that could be checked matches the file.")
}

fn brings(revision: &Revision, kind: &str) -> bool {
    revision.kinds.iter().any(|other| other == kind)
}

/// Another signature, and what belongs to it, may follow; other content may not.
fn changes_pages(revision: &Revision) -> bool {
    brings(revision, "content") && !brings(revision, "Sig") && !brings(revision, "DocTimeStamp")
}

fn covers_text(subject: &Subject<'_>) -> bool {
    !covering_annotations(subject).is_empty()
}

/// It ends with no revision, although the file has just one: the file was written again after it was signed.
fn leaves_something_out(signature: &Signature, revisions: &[Revision]) -> bool {
    !signature.covers_file && signature.revision.is_none() && revisions.len() == 1
}
