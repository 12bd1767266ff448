//! The shapes of text that several parts of a company manifest share.

use sealwright_base::toml_reader::{Field, Table};

/// What [`name`] accepts.
pub(super) const NAME: &str = "a text of 1 to 255 characters on one line";

/// A name or title; users and the certificate show it.
pub(super) fn name(field: &Field<'_>) -> Option<String> {
    field.parsed(NAME, |text| {
        let is_visible = !text.trim().is_empty() && !text.chars().any(char::is_control);
        (is_visible && text.chars().count() <= 255).then(|| text.to_owned())
    })
}

pub(super) fn required_name(table: &mut Table<'_>, key: &'static str) -> Option<String> {
    table.required(key, NAME).as_ref().and_then(name)
}

/// A longer text that may have several lines and may be empty.
pub(super) fn prose(field: &Field<'_>) -> Option<String> {
    field.parsed("a text of at most 10,000 characters without control characters other than line breaks", |text| {
        let is_printable = text.chars().all(|c| !c.is_control() || c == '\n');
        (is_printable && text.chars().count() <= 10_000).then(|| text.to_owned())
    })
}

/// The name of something that is stored in a folder or looked up by name: it can neither leave the folder nor be
/// hidden.
pub(super) fn slug(field: &Field<'_>) -> Option<String> {
    field.parsed("a name of 1 to 64 of A-Z a-z 0-9 . _ - that starts with a letter or digit", |text| {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        let starts_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        (is_plain && starts_well && text.len() <= 64).then(|| text.to_owned())
    })
}

/// `true`, `false`, or `default` if the key is left out. After an error the default is used: nothing is made of a
/// file with errors.
pub(super) fn flag(table: &mut Table<'_>, key: &'static str, default: bool) -> bool {
    table.optional(key).and_then(|field| field.boolean()).unwrap_or(default)
}
