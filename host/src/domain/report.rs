//! Report tokens: an identifier of somebody else's that groups cases (spec 2.4).

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;

/// 1 to 255 characters, none of them a control character, `/` or `\` (decisions 5). It is the caller's own text: it goes
/// into headers encoded and never into a path of ours.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, sqlx::Type)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct ReportToken(String);

impl ReportToken {
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
        json_schema!({
            "type": "string", "minLength": 1, "maxLength": Self::LONGEST,
            "pattern": "^[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]*$",
        })
    }
}

/// Checks a `reportToken` field.
pub fn report_token(value: &Value) -> Result<ReportToken, String> {
    value.as_str().and_then(ReportToken::parse).ok_or_else(|| format!("text of {}", ReportToken::EXPECTED))
}

#[cfg(test)]
mod tests {
    use super::*;

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
