//! References, digests and texts in the form in which they are compared and reported.

use std::collections::HashSet;

use serde_json::Value;

use super::reading::{Token, squeezed};

/// Each reference with each digest directly before or after it.
pub(super) fn adjacent_pairs(row: &[Token]) -> impl Iterator<Item = (&str, &str)> {
    row.windows(2).filter_map(|pair| match (&pair[0], &pair[1]) {
        (Token::Reference(reference), Token::Digest(digest)) | (Token::Digest(digest), Token::Reference(reference)) => {
            Some((reference.as_str(), digest.as_str()))
        }
        _ => None,
    })
}

pub(super) fn texts_of(tokens: &[Token]) -> HashSet<&str> {
    tokens.iter().map(|(Token::Reference(text) | Token::Digest(text))| text.as_str()).collect()
}

/// In readable form.
pub(super) fn written(token: &Token) -> String {
    match token {
        Token::Digest(digest) => digest.clone(),
        Token::Reference(reference) => {
            ["CAS", "CMP", "ITM"].iter().fold(reference.clone(), |text, kind| text.replace(kind, &format!("{kind}-")))
        }
    }
}

pub(super) fn listed(texts: &[String]) -> String {
    let first = texts.first().map_or("", String::as_str);
    match texts.len() {
        0 | 1 => first.to_owned(),
        2 => format!("{first} and another one"),
        more => format!("{first} and {} others", more - 1),
    }
}

pub(super) fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
        Value::Object(members) => members.values().for_each(|value| collect(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// One on each line, so that no two of them form a third.
pub(super) fn squeezed_lines(texts: &[String]) -> String {
    texts.iter().map(|text| squeezed(text)).collect::<Vec<_>>().join("\n")
}

/// Whether a text is drawn as it is stored, whatever the font: in Latin letters, without composed characters or
/// characters with their own direction.
pub(super) fn is_comparable(text: &str) -> bool {
    text.chars().all(|character| {
        matches!(character, ' '..='~' | '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{24F}' | '\u{2018}'..='\u{2026}' | '\u{20AC}')
    })
}
