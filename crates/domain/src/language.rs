//! The languages of certificates.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::body::Kind;

/// The language of a certificate: of its words, and of the statement of its seal. Entered texts stay as they are.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum CertificateLanguage {
    #[default]
    En,
    Fr,
    De,
    Es,
}

sealwright_base::text_column!(CertificateLanguage, "language of certificates");

impl CertificateLanguage {
    /// What [`FromStr`](std::str::FromStr) accepts.
    pub const EXPECTED: &'static str = "one of en, fr, de and es";

    /// The description of the field of a case.
    pub(crate) const OF_A_CASE: &'static str = "The language of the certificate and of the statement of its seal. \
         Default: the company's language. Entered texts are shown as they were entered.";

    pub(crate) const KIND: Kind<Self> = Kind::value(Self::read, SchemaGenerator::subschema_for::<Self>);

    fn read(value: &Value) -> Result<Self, String> {
        let found = value.as_str().and_then(|word| word.parse().ok());
        found.ok_or_else(|| Self::EXPECTED.to_owned())
    }

    /// Its name in itself, for a list to choose from.
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::Fr => "Français",
            Self::De => "Deutsch",
            Self::Es => "Español",
        }
    }
}

impl JsonSchema for CertificateLanguage {
    fn schema_name() -> Cow<'static, str> {
        "CertificateLanguage".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::VARIANTS.iter().map(Self::into_str).collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_expected_words_are_those_that_are_read() {
        for language in CertificateLanguage::VARIANTS {
            assert!(CertificateLanguage::EXPECTED.contains(language.into_str()), "{language}");
            assert_eq!(CertificateLanguage::read(&json!(language.into_str())), Ok(*language));
        }
        for wrong in [json!("it"), json!("FR"), json!(""), json!(1)] {
            assert!(CertificateLanguage::read(&wrong).is_err(), "{wrong}");
        }
    }
}
