//! Cleans texts of unknown origin for storage and display.

/// One line without control characters, trimmed and cut at `most` characters; `None` if nothing is left.
pub(crate) fn one_line(text: &str, most: usize) -> Option<String> {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most).collect();
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// A count as `u32`, saturating.
pub(crate) fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}
