//! Rules that the answers of several roles keep. A reason says which rule, and repeats nothing that may be people's data.

use super::{bindings::sealwright::plugin::types, call::CallState, error::Failure, facts::Finding};

const MAX_NAME: usize = 64;
const MAX_TEXT: usize = 500;

impl CallState {
    /// An answer that keeps the contract's rules, or why there is none.
    pub(super) fn judged<T>(
        &self,
        answer: Result<T, types::Error>,
        check: impl FnOnce(T) -> Result<T, String>,
    ) -> Result<T, Failure> {
        match answer {
            Ok(answer) => check(answer).map_err(Failure::InvalidAnswer),
            Err(error) => Err(self.declined(error)),
        }
    }
}

/// Whether there are as many as the contract allows.
pub(super) fn bounded(what: &str, count: usize, least: usize, most: usize) -> Result<(), String> {
    if (least..=most).contains(&count) {
        Ok(())
    } else {
        Err(format!("{count} {what}, where {least} to {most} are allowed"))
    }
}

pub(super) fn check_score(what: &str, score: u8) -> Result<(), String> {
    if score <= 100 { Ok(()) } else { Err(format!("the score {score} of {what} is not 0 to 100")) }
}

pub(super) fn check_finding(finding: &Finding) -> Result<(), String> {
    if !is_constant(&finding.code) {
        return Err("the code of a finding is not 1 to 64 characters of A-Z, 0-9 and _".to_owned());
    }
    if finding.place.as_ref().is_some_and(|place| place.page == 0) {
        return Err(format!("the finding {} is on page 0, where the first is 1", finding.code));
    }
    check_text(&finding.text)
}

/// A text for the operator: bounded, and without what would break a line.
pub(super) fn check_text(text: &str) -> Result<(), String> {
    if text.chars().count() > MAX_TEXT {
        return Err(format!("a text of more than {MAX_TEXT} characters"));
    }
    if text.contains(char::is_control) {
        return Err("a text with control characters".to_owned());
    }
    Ok(())
}

/// `PAYSLIP`, `FONT_CONSISTENCY`.
pub(super) fn is_constant(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// `gps`, `document-type`.
pub(super) fn is_word(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
