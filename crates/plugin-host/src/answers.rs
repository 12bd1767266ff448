//! Rules for the answers of several roles. A reason names the rule, and repeats nothing that may be personal data.

use super::{
    bindings::sealwright::plugin::types,
    call::CallState,
    error::Failure,
    facts::{Finding, FoundPlace},
};

const MAX_NAME: usize = 64;
const MAX_TEXT: usize = 500;

impl CallState {
    /// The answer if it follows the contract's rules, or why there is none.
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

/// Whether the contract allows this count.
pub(super) fn bounded(what: &str, count: usize, least: usize, most: usize) -> Result<(), String> {
    if (least..=most).contains(&count) { Ok(()) } else { Err(format!("{count} {what}; {least} to {most} are allowed")) }
}

pub(super) fn check_score(what: &str, score: u8) -> Result<(), String> {
    if score <= 100 { Ok(()) } else { Err(format!("the score {score} of {what} is not 0 to 100")) }
}

/// Findings, at most `most`, about what is called `subject`.
pub(super) fn check_findings(subject: &str, findings: &[Finding], most: usize) -> Result<(), String> {
    bounded(&format!("findings of {subject}"), findings.len(), 0, most)?;
    findings.iter().enumerate().try_for_each(|(index, finding)| {
        check_finding(finding).map_err(|reason| format!("finding {} of {subject}: {reason}", index + 1))
    })
}

pub(super) fn check_finding(finding: &Finding) -> Result<(), String> {
    check_constant("its code", &finding.code)?;
    check_place(finding.place.as_ref())?;
    check_text(&finding.text)
}

pub(super) fn check_place(place: Option<&FoundPlace>) -> Result<(), String> {
    match place {
        Some(place) if place.page == 0 => Err("it is on page 0; the first page is 1".to_owned()),
        _ => Ok(()),
    }
}

/// A text for the operator: bounded, and without line breaks.
pub(super) fn check_text(text: &str) -> Result<(), String> {
    let length = text.chars().count();
    if length > MAX_TEXT {
        return Err(format!("a text of {length} characters; at most {MAX_TEXT} are allowed"));
    }
    match text.chars().position(char::is_control) {
        Some(index) => Err(format!("a text with a control character, at position {}", index + 1)),
        None => Ok(()),
    }
}

/// `PAYSLIP`, `FONT_CONSISTENCY`. `what` is what has this name.
pub(super) fn check_constant(what: &str, name: &str) -> Result<(), String> {
    let rule = "A-Z, 0-9 and _, a letter first";
    check_name(what, name, rule, |first| first.is_ascii_uppercase(), |other| other.is_ascii_digit() || other == '_')
}

/// `gps`, `document-type`. `what` is what has this name.
pub(super) fn check_word(what: &str, name: &str) -> Result<(), String> {
    let rule = "a-z, 0-9 and -, a letter first";
    check_name(what, name, rule, |first| first.is_ascii_lowercase(), |other| other.is_ascii_digit() || other == '-')
}

/// A name may be personal data by mistake: of an invalid one, only its length or one character is reported.
fn check_name(
    what: &str,
    name: &str,
    rule: &str,
    is_letter: impl Fn(char) -> bool,
    may_follow: impl Fn(char) -> bool,
) -> Result<(), String> {
    let length = name.chars().count();
    let fits = |index: usize, character: char| is_letter(character) || index > 0 && may_follow(character);
    let stray = name.chars().enumerate().find(|(index, character)| !fits(*index, *character));
    let fault = match stray {
        _ if !(1..=MAX_NAME).contains(&length) => format!("it has {length}"),
        Some((index, character)) => format!("its character {} is {character:?}", index + 1),
        None => return Ok(()),
    };
    Err(format!("{what} is not 1 to {MAX_NAME} characters of {rule}: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_name_is_reported_with_the_rule_and_not_repeated() {
        for good in ["A", "PAYSLIP", "FONT_2"] {
            assert_eq!(check_constant("the code", good), Ok(()));
        }
        let reason = |name: &str| check_constant("the code", name).unwrap_err();
        let rule = "the code is not 1 to 64 characters of A-Z, 0-9 and _, a letter first: ";
        assert_eq!(reason(""), format!("{rule}it has 0"));
        assert_eq!(reason(&"A".repeat(65)), format!("{rule}it has 65"));
        assert_eq!(reason("Marie"), format!("{rule}its character 2 is 'a'"));
        assert_eq!(reason("2A"), format!("{rule}its character 1 is '2'"));
        assert_eq!(reason("A\n"), format!("{rule}its character 2 is '\\n'"));
        assert_eq!(check_word("the kind", "document-type"), Ok(()));
        assert!(check_word("the kind", "gPS").unwrap_err().ends_with("its character 2 is 'P'"));
    }
}
