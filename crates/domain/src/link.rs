//! Magic links: a person without an account works on a case through one (spec 2.5).

mod create;

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use sealwright_base::clock::{Timestamp, random_bytes};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

pub use self::create::{LinkContext, NewLink};
use super::{
    fields::{Fields, positive},
    moment::parse_moment,
    report::{ReportToken, report_token},
    schema::{self, object, optional, required},
};

/// A link's public token: a UUID v4, written in lowercase with hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, sqlx_macros::Type)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct LinkToken(String);

impl LinkToken {
    pub fn random() -> Self {
        Self(uuid::Builder::from_random_bytes(random_bytes()).into_uuid().to_string())
    }

    /// Reads the hyphenated form of a UUID v4, in either case.
    pub fn parse(text: &str) -> Option<Self> {
        let uuid = Uuid::try_parse(text).ok().filter(|uuid| uuid.get_version_num() == 4)?;
        // The library also reads braces, `urn:uuid:` and digits without hyphens.
        (text.len() == 36).then(|| Self(uuid.to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for LinkToken {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "LinkToken".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "format": "uuid",
            "pattern": "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
        })
    }
}

/// Checks a `magicLinkToken` field.
pub fn link_token(value: &Value) -> Result<LinkToken, String> {
    value.as_str().and_then(LinkToken::parse).ok_or_else(|| "a UUID v4".to_owned())
}

/// The `linkOptions` of a new case (spec 2.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkOptions {
    pub report_token: ReportToken,
    /// How many cases may be opened on the link, this one included; none: no limit.
    pub max_uses: Option<i64>,
    pub expires_at: Option<Timestamp>,
}

impl LinkOptions {
    /// Reads `linkOptions`; messages put `path` before each field's name.
    pub fn read(value: &Value, path: &str) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(value, path).map_err(|problem| vec![problem])?;
        let report_token = fields.required("reportToken", report_token);
        let max_uses = fields.optional("maxUses", positive);
        let expires_at = fields.optional("expirationDate", expiration);
        fields.finish()?;
        // `finish` has failed if the required token is missing.
        report_token.map(|report_token| Self { report_token, max_uses, expires_at }).ok_or_else(Vec::new)
    }
}

impl JsonSchema for LinkOptions {
    fn schema_name() -> Cow<'static, str> {
        "LinkOptions".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        object(
            "A link to create for the case: anyone who opens it can work on the case without an account.",
            [
                required(
                    "reportToken",
                    "The report that cases opened on the link belong to.",
                    generator.subschema_for::<ReportToken>(),
                ),
                optional(
                    "maxUses",
                    "How many cases may be opened on the link, this one included. Default: no limit.",
                    schema::positive(),
                ),
                optional("expirationDate", EXPIRATION, schema::moment()),
            ],
        )
    }
}

/// The description of `expirationDate`.
const EXPIRATION: &str = "From this time on no case can be opened on the link. A date-time with its offset (`+hhmm`, `+hh:mm` or `Z`) in \
                          the future. Default: never.";

/// Checks an `expirationDate`: `yyyy-mm-ddThh:mm:ss.sss` with offset `+hhmm`, `+hh:mm` or `Z`. Whether it is in the
/// past is checked by the use case: it needs the clock.
fn expiration(value: &Value) -> Result<Timestamp, String> {
    let expected = || "a date-time with an offset, such as 2026-12-31T23:59:59.000+0200".to_owned();
    value.as_str().and_then(parse_moment).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_link_token_is_a_hyphenated_uuid_of_version_4() {
        let token = LinkToken::random();
        assert_eq!(LinkToken::parse(token.as_str()), Some(token.clone()));
        assert_eq!(LinkToken::parse(&token.as_str().to_uppercase()), Some(token));
        for wrong in [
            "",
            "6d4f2f6a-0b6e-1f6e-8b1a-0d5a5a5a5a5a",
            "6d4f2f6a0b6e4f6e8b1a0d5a5a5a5a5a",
            "{6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a}",
            "not-a-uuid",
        ] {
            assert_eq!(LinkToken::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn spec_4_4_rule_3_link_options_need_a_report_token() {
        let problems = LinkOptions::read(&json!({ "maxUses": 0 }), "linkOptions.").unwrap_err();
        assert_eq!(
            problems,
            [
                "linkOptions.reportToken is required",
                "linkOptions.maxUses must be a positive whole number, got the number 0"
            ]
        );
    }

    #[test]
    fn spec_2_2_the_expiration_date_takes_a_basic_offset() {
        let options = json!({ "reportToken": "R", "expirationDate": "2026-12-31T23:59:59.000+0200" });
        let expires_at = LinkOptions::read(&options, "").unwrap().expires_at.unwrap();
        assert_eq!(expires_at.to_string(), "2026-12-31T21:59:59.000Z");
    }
}
