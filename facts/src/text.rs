//! Texts of unknown origin, made fit to be kept and shown.

/// One line without control characters, trimmed and cut at `most` characters; `None` when nothing is left.
pub(crate) fn one_line(text: &str, most: usize) -> Option<String> {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most).collect();
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// Counts as `u32`, the most that is told.
pub(crate) fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}
