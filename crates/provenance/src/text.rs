//! Texts from files, for people.

const MAX_LENGTH: usize = 200;

/// A text on one line, cut at 200 characters; `None` if nothing is left.
pub(crate) fn one_line(text: &str) -> Option<String> {
    let cleaned: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(4 * MAX_LENGTH).collect();
    let words: String = cleaned.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_LENGTH).collect();
    (!words.is_empty()).then_some(words)
}
