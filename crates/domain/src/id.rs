//! The identifiers of the interface, each with its own type so that they cannot be confused.
//!
//! Numbers are positive and fit an `i64`. Those of companies, frames and steps are chosen by the operator in the company
//! manifest; those of cases and items are assigned by the store and never reused (decisions 5).

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, Visitor},
};
use serde_json::Value;

use super::{body::Kind, schema};

/// What an identifier in a path, a query or a body must look like (decisions 2).
pub const NUMBER_EXPECTED: &str = "a positive whole number";

macro_rules! number_ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, sqlx_macros::Type)]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $name(i64);

        impl $name {
            /// `None` unless `number` is positive.
            pub const fn new(number: i64) -> Option<Self> {
                if number > 0 { Some(Self(number)) } else { None }
            }

            pub const KIND: Kind<Self> = Kind::value(Self::read, SchemaGenerator::subschema_for::<Self>);

            /// Reads only decimal digits: no sign, no space, nothing beyond an `i64`.
            pub fn parse(text: &str) -> Option<Self> {
                parse_positive(text).map(Self)
            }

            /// Reads a JSON field; the error says what was expected.
            pub fn read(value: &Value) -> Result<Self, String> {
                super::fields::whole(value).and_then(Self::new).ok_or_else(|| NUMBER_EXPECTED.to_owned())
            }

            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                schema::positive()
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_i64(PositiveNumber).map(Self)
            }
        }
    )+};
}

number_ids! {
    /// A company, parent or child.
    CompanyId,
    /// A frame: an ordered list of steps.
    FrameId,
    /// A step; unique within its frame.
    StepId,
    /// A case: the `id` of spec 2.2.
    CaseId,
    /// An item of a case.
    ItemId,
    /// An upload by pieces. Clients know it by its key.
    UploadId,
    /// A backtest that was started in the console.
    BacktestId,
}

/// A user's identifier as the identity provider writes it (spec 2.2): 1 to 255 characters, none of them a control
/// character.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, sqlx_macros::Type)]
#[serde(try_from = "String")]
#[sqlx(transparent)]
pub struct UserId(String);

impl UserId {
    pub const KIND: Kind<Self> = Kind::value(Self::read, SchemaGenerator::subschema_for::<Self>);
    /// What [`UserId::parse`] accepts.
    pub const EXPECTED: &str = "1 to 255 characters without control characters";
    /// In characters.
    const LONGEST: usize = 255;

    pub fn parse(text: &str) -> Option<Self> {
        let length = text.chars().count();
        let well_formed = (1..=Self::LONGEST).contains(&length) && !text.chars().any(char::is_control);
        well_formed.then(|| Self(text.to_owned()))
    }

    /// Reads a JSON field; the error says what was expected.
    fn read(value: &Value) -> Result<Self, String> {
        value.as_str().and_then(Self::parse).ok_or_else(|| format!("text of {}", Self::EXPECTED))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl JsonSchema for UserId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "UserId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "minLength": 1, "maxLength": Self::LONGEST,
            "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
        })
    }
}

impl TryFrom<String> for UserId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("expected a user identifier of {}", Self::EXPECTED))
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `str::parse` alone would let a leading `+` through.
fn parse_positive(text: &str) -> Option<i64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|number| *number > 0)
}

/// Reads a positive JSON number; its error message says so, where serde's own would say `i64`.
struct PositiveNumber;

impl Visitor<'_> for PositiveNumber {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NUMBER_EXPECTED)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<i64, E> {
        if number > 0 { Ok(number) } else { Err(E::invalid_value(de::Unexpected::Signed(number), &self)) }
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<i64, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_identifier_is_decimal_digits_only() {
        assert_eq!(CaseId::parse("42").map(CaseId::get), Some(42));
        assert_eq!(CaseId::parse("9223372036854775807").map(CaseId::get), Some(i64::MAX));
        for hostile in ["", "0", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "٤٢", "9223372036854775808", "NaN"] {
            assert_eq!(CaseId::parse(hostile), None, "{hostile:?}");
        }
    }

    #[test]
    fn a_body_identifier_is_a_positive_number_and_the_message_says_so() {
        assert_eq!(serde_json::from_str::<FrameId>("70").ok(), FrameId::new(70));
        for (wrong, found) in [
            ("0", "invalid value: integer `0`"),
            ("-3", "invalid value: integer `-3`"),
            ("9223372036854775808", "invalid value: integer `9223372036854775808`"),
            ("1.5", "invalid type: floating point `1.5`"),
            (r#""70""#, r#"invalid type: string "70""#),
            ("null", "invalid type: null"),
        ] {
            let message = serde_json::from_str::<FrameId>(wrong).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{found}, expected a positive whole number")), "{message}");
        }
    }

    #[test]
    fn a_user_identifier_has_1_to_255_characters_and_no_control_character() {
        assert_eq!(UserId::parse("auth0|5f7c").unwrap().as_str(), "auth0|5f7c");
        assert!(UserId::parse(&"é".repeat(255)).is_some());
        assert!(UserId::parse(&"é".repeat(256)).is_none());
        assert!(UserId::parse("").is_none());
        assert!(UserId::parse("a\nb").is_none());
        assert!(serde_json::from_str::<UserId>(r#""a\u0000b""#).is_err());
    }
}
