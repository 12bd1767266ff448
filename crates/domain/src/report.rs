//! Report tokens: an identifier chosen by the caller that groups cases (spec 2.4).

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;

use super::{
    body::{Body, Fields, Kind, request_bodies},
    fields::POSITIVE,
    search::Format,
};

/// 1 to 255 characters, none of them a control character, `/` or `\` (decisions 5). It is the caller's own text: it goes
/// into headers encoded and never into a path of ours.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, sqlx_macros::Type)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct ReportToken(String);

impl ReportToken {
    pub const KIND: Kind<Self> = Kind::value(
        |value| value.as_str().and_then(Self::parse).ok_or_else(|| format!("text of {}", Self::EXPECTED)),
        SchemaGenerator::subschema_for::<Self>,
    );
    pub const EXPECTED: &str = "1 to 255 characters without control characters, `/` or `\\`";
    /// In characters.
    const LONGEST: usize = 255;

    pub fn parse(text: &str) -> Option<Self> {
        let length = text.chars().count();
        let allowed = |character: char| !character.is_control() && character != '/' && character != '\\';
        ((1..=Self::LONGEST).contains(&length) && text.chars().all(allowed)).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The allowed tokens, as JSON Schema.
    pub fn schema() -> Schema {
        json_schema!({
            "type": "string", "minLength": 1, "maxLength": Self::LONGEST,
            "pattern": "^[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]*$",
        })
    }

    /// The name of the report's archive: the token, with anything outside `A-Za-z0-9._-` replaced by `_` (decisions 10).
    /// So it can be used in a header unchanged, and no program mistakes a part of it for a folder or a command.
    pub fn archive_name(&self) -> String {
        let safe = |character: char| character.is_ascii_alphanumeric() || "._-".contains(character);
        let name: String = self.0.chars().map(|character| if safe(character) { character } else { '_' }).collect();
        format!("{name}.zip")
    }
}

/// What the archive of a report has of each case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contents {
    #[default]
    Certificates,
    /// Certificate, originals, time-stamp tokens and proofs in one file.
    Packages,
}

/// A request to download a report (spec 4.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportDownload {
    /// Zip by default (decisions 10).
    pub format: Format,
    /// Only cases that were closed in the last `hours` hours, from 1.
    pub hours: Option<i64>,
    /// Of the archive.
    pub contents: Contents,
}

impl Body for ReportDownload {
    const NAME: &'static str = "ReportDownload";
    const DESCRIPTION: &'static str = "What to download of a report.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const FORMAT: Kind<Format> =
            Kind::value(format, |_| json_schema!({ "type": "string", "enum": ["metadata", "zip"] }));
        const CONTENTS: Kind<Contents> =
            Kind::value(contents, |_| json_schema!({ "type": "string", "enum": ["certificates", "packages"] }));
        let format = fields.optional(
            "format",
            FORMAT,
            "An archive of certificates (`zip`, the default), or their addresses (`metadata`).",
        );
        let hours = fields.optional("hours", POSITIVE, "Only cases that were closed in the last `hours` hours.");
        let contents = fields.optional(
            "contents",
            CONTENTS,
            "What the archive has of each case: its certificate (`certificates`, the default), or its package with the \
             certificate, the originals, the time-stamp tokens and the proofs (`packages`).",
        );
        Some(Self { format: format.unwrap_or(Format::Zip), hours, contents: contents.unwrap_or_default() })
    }
}

request_bodies!(ReportDownload);

fn format(value: &Value) -> Result<Format, String> {
    value.as_str().and_then(Format::parse).ok_or_else(|| Format::EXPECTED.to_owned())
}

fn contents(value: &Value) -> Result<Contents, String> {
    match value.as_str() {
        Some("certificates") => Ok(Contents::Certificates),
        Some("packages") => Ok(Contents::Packages),
        _ => Err("certificates or packages".to_owned()),
    }
}

impl fmt::Display for ReportToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for ReportToken {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ReportToken".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Self::schema()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn decisions_10_an_archive_is_named_after_its_token() {
        for (token, name) in [
            ("R-2026_11.b", "R-2026_11.b.zip"),
            ("Dossier é 🏠", "Dossier____.zip"),
            ("..", "...zip"),
            ("a\"; filename=b", "a___filename_b.zip"),
        ] {
            assert_eq!(ReportToken::parse(token).unwrap().archive_name(), name);
        }
    }

    #[test]
    fn spec_4_15_format_and_hours_are_optional() {
        let read = |body: Value| ReportDownload::read(&body);
        let contents = Contents::Certificates;
        assert_eq!(read(json!({})), Ok(ReportDownload { format: Format::Zip, hours: None, contents }));
        let metadata = json!({ "format": "metadata", "hours": 1, "other": true });
        assert_eq!(read(metadata), Ok(ReportDownload { format: Format::Metadata, hours: Some(1), contents }));
        let packages = read(json!({ "contents": "packages" })).unwrap();
        assert_eq!(packages, ReportDownload { contents: Contents::Packages, ..read(json!({})).unwrap() });
        for wrong in [
            json!({ "format": "pdf" }),
            json!({ "format": 1 }),
            json!({ "hours": 0 }),
            json!({ "hours": "1" }),
            json!({ "contents": "originals" }),
            json!([]),
        ] {
            assert_eq!(read(wrong).unwrap_err().len(), 1);
        }
    }

    #[test]
    fn decisions_5_what_a_report_token_may_be() {
        for good in ["R", "Dossier 2026-11 é 🏠", "..", &"x".repeat(255)] {
            assert!(ReportToken::parse(good).is_some(), "{good}");
        }
        for bad in ["", "a/b", "a\\b", "a\nb", "a\u{7f}b", "a\u{85}b", &"x".repeat(256)] {
            assert!(ReportToken::parse(bad).is_none(), "{bad:?}");
        }
    }
}
