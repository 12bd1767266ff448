//! Magic links: a person without an account works on a case through one (spec 2.5).

mod create;

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use sealwright_base::clock::{Timestamp, random_bytes};
use sealwright_seal::Sha256Digest;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

pub use self::create::{LinkContext, NewLink};
use super::{
    body::{Body, Fields, Kind},
    fields::POSITIVE,
    moment::parse_moment,
    report::ReportToken,
    schema,
};

/// A link's public token: a UUID v4, written in lowercase with hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, sqlx_macros::Type)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct LinkToken(String);

impl LinkToken {
    pub const KIND: Kind<Self> = Kind::value(
        |value| value.as_str().and_then(Self::parse).ok_or_else(|| "a UUID v4".to_owned()),
        SchemaGenerator::subschema_for::<Self>,
    );

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

    /// Names the link where its token, which is a permission, must not appear: the first 8 characters of its SHA-256.
    pub fn fingerprint(&self) -> String {
        format!("{:.8}", Sha256Digest::of(&self.0))
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

/// The `linkOptions` of a new case (spec 2.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkOptions {
    pub report_token: ReportToken,
    /// How many cases may be opened on the link, this one included; none: no limit.
    pub max_uses: Option<i64>,
    pub expires_at: Option<Timestamp>,
}

impl Body for LinkOptions {
    const NAME: &'static str = "LinkOptions";
    const DESCRIPTION: &'static str =
        "A link to create for the case: anyone who opens it can work on the case without an account.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let report_token =
            fields.required("reportToken", ReportToken::KIND, "The report that cases opened on the link belong to.");
        let max_uses = fields.optional(
            "maxUses",
            POSITIVE,
            "How many cases may be opened on the link, this one included. Default: no limit.",
        );
        let expires_at = expiration_date(fields);
        Some(Self { report_token: report_token?, max_uses, expires_at })
    }
}

fn expiration_date(fields: &mut impl Fields) -> Option<Timestamp> {
    const MOMENT: Kind<Timestamp> = Kind::value(expiration, |_| schema::moment());
    fields.optional(
        "expirationDate",
        MOMENT,
        "From this time on no case can be opened on the link. A date-time with its offset (`+hhmm`, `+hh:mm` or `Z`) in \
         the future. Default: never.",
    )
}

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
    use crate::body::read;

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
        let problems = read::<LinkOptions>(&json!({ "maxUses": 0 }), "linkOptions", b"").unwrap_err();
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
        let expires_at = read::<LinkOptions>(&options, "linkOptions", b"").unwrap().expires_at.unwrap();
        assert_eq!(expires_at.to_string(), "2026-12-31T21:59:59.000Z");
    }
}
