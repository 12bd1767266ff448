//! Names in dictionaries.

use hayro::hayro_syntax::object::{Dict, Name, String as PdfString};

use super::value;
use crate::text::one_line;

/// The name under a key, cut to 128 characters.
pub(super) fn name(dictionary: &Dict, key: &str) -> Option<String> {
    one_line(dictionary.get::<Name>(key)?.as_str(), 128)
}

/// The name of a file specification (ISO 32000-1, 7.11.3).
pub(super) fn file_name(file: &Dict) -> Option<String> {
    ["UF", "F"].iter().find_map(|key| Some(value::text(&file.get::<PdfString>(key)?)))
}
