//! What a certificate says of items that were erased after the sealing.

use sealwright_seal::verify::{ErasureFacts, Report};

use super::model::{Entry, Fact, Group, Mark, Sentence};
use crate::words::{Language, fill};

pub(super) fn proven(report: &Report, language: Language) -> Vec<Sentence> {
    let Some(erasure) = &report.erasure else { return Vec::new() };
    let words = language.erasure();
    let erased = values(erasure, language).into_iter();
    let mut proven: Vec<Sentence> =
        erased.map(|values| Sentence::of(filled(words.erased, &values), words.ground)).collect();
    proven.push(Sentence::of(words.same_root.to_owned(), words.root));
    proven
}

pub(super) fn open(report: &Report, language: Language) -> Option<Sentence> {
    let words = language.erasure();
    report.erasure.as_ref().map(|_| Sentence::of(words.not_shown.to_owned(), words.root))
}

pub(super) fn group(erasure: &ErasureFacts, language: Language) -> Group {
    let words = language.erasure();
    let code = |label, value| Fact { label, value, mark: Mark::Plain, is_code: true };
    let mut facts = vec![code(words.predecessor, erasure.predecessor_sha256.to_string())];
    for (values, item) in values(erasure, language).iter().zip(&erasure.items) {
        facts.push(Fact { mark: Mark::Doubtful, is_code: false, ..code(words.item, filled(words.value, values)) });
        facts.push(code(words.commitment, item.commitment.to_string()));
    }
    Group { title: words.title.to_owned(), entries: vec![Entry { title: None, facts }] }
}

/// Of each item: its number, counted from 1, of how many, when, by whom, and why.
fn values(erasure: &ErasureFacts, language: Language) -> Vec<[String; 5]> {
    let of = |item: &sealwright_seal::manifest::ErasedItem| {
        [
            item.index.saturating_add(1).to_string(),
            erasure.size.to_string(),
            item.erased_at.clone(),
            item.by.clone(),
            language.erasure_ground(item.ground).to_owned(),
        ]
    };
    erasure.items.iter().map(of).collect()
}

fn filled(sentence: &str, values: &[String; 5]) -> String {
    fill(sentence, &values.each_ref().map(String::as_str))
}
