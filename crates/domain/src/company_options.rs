//! What a company sets itself: where its case webhook goes (spec 4.17).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use sealwright_base::secrets::SecretString;
use serde_json::Value;
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::body::{Body, Fields, Kind, request_bodies};

/// The longest endpoint, in bytes; the company manifest's is the same.
const LONGEST_ENDPOINT: usize = 2048;
/// The longest token, in bytes; the company manifest's is the same.
const LONGEST_TOKEN: usize = 4096;

/// The header that carries the token: the two modes of spec 6.3 that a company can choose itself. The names are those
/// of spec 4.17.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum AuthorizationHeader {
    /// `Authorization: Bearer <authToken>`.
    Authorization,
    /// `security-token: <authToken>`.
    SecurityToken,
}

impl AuthorizationHeader {
    /// The webhook-auth mode that sends this header.
    pub const fn mode(self) -> &'static str {
        match self {
            Self::Authorization => "bearer",
            Self::SecurityToken => "security-token",
        }
    }

    /// The header of a mode; none for those that only the operator configures.
    pub fn of_mode(mode: &str) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|header| header.mode() == mode)
    }

    fn read(value: &Value) -> Result<Self, String> {
        let found = value.as_str().and_then(|word| word.parse().ok());
        found.ok_or_else(|| "authorization or security-token".to_owned())
    }
}

/// Webhook settings to store, as the request's shape allows them. The form of the URL is the use case's to judge: it
/// depends on a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewApiSettings {
    pub endpoint: String,
    pub auth_token: SecretString,
    pub authorization_header: AuthorizationHeader,
}

impl Body for NewApiSettings {
    const NAME: &'static str = "NewApiSettings";
    const DESCRIPTION: &'static str = "Where the case webhook goes, and how the server authenticates.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const ENDPOINT: Kind<String> = Kind::value(
            endpoint,
            |_| json_schema!({ "type": "string", "format": "uri", "minLength": 1, "maxLength": LONGEST_ENDPOINT }),
        );
        const AUTH_TOKEN: Kind<SecretString> = Kind::secret(
            auth_token,
            |_| json_schema!({ "type": "string", "minLength": 1, "maxLength": LONGEST_TOKEN, "pattern": "^[!-~]+$" }),
        );
        const HEADER: Kind<AuthorizationHeader> =
            Kind::value(AuthorizationHeader::read, SchemaGenerator::subschema_for::<AuthorizationHeader>);
        let endpoint = fields.required(
            "endpoint",
            ENDPOINT,
            "An https URL on a public domain name that accepts POST, without a literal address, user name or password.",
        );
        let auth_token = fields.required(
            "authToken",
            AUTH_TOKEN,
            "The token that the server presents on each call. It is never shown again.",
        );
        let authorization_header = fields.optional(
            "authorizationHeader",
            HEADER,
            "Which header carries the token: `authorization` (`Authorization: Bearer <token>`, the default) or \
             `security-token`.",
        );
        let authorization_header = authorization_header.unwrap_or(AuthorizationHeader::Authorization);
        Some(Self { endpoint: endpoint?, auth_token: auth_token?, authorization_header })
    }
}

request_bodies!(NewApiSettings);

impl JsonSchema for AuthorizationHeader {
    fn schema_name() -> Cow<'static, str> {
        "AuthorizationHeader".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::VARIANTS.iter().map(Self::into_str).collect::<Vec<_>>() })
    }
}

fn endpoint(value: &Value) -> Result<String, String> {
    // A parser of URLs drops line breaks and tabs: what was stored would not be what is called.
    let is_printable = |text: &str| !text.chars().any(|c| c.is_control() || c.is_whitespace());
    let text = value.as_str().filter(|text| is_printable(text) && (1..=LONGEST_ENDPOINT).contains(&text.len()));
    text.map(str::to_owned).ok_or_else(|| format!("a URL of at most {LONGEST_ENDPOINT} characters without spaces"))
}

/// Anything but visible ASCII would break or split the header it is sent in.
fn auth_token(value: &Value) -> Result<SecretString, String> {
    let is_token = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    let text = value.as_str().filter(|text| is_token(text) && (1..=LONGEST_TOKEN).contains(&text.len()));
    text.map(SecretString::new).ok_or_else(|| format!("text of 1 to {LONGEST_TOKEN} visible ASCII characters"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn spec_4_17_the_header_defaults_to_authorization() {
        let body = json!({ "endpoint": "https://hooks.acme.example/cases", "authToken": "t" });
        let settings = NewApiSettings::read(&body).unwrap();
        assert_eq!(settings.authorization_header, AuthorizationHeader::Authorization);
        assert_eq!(settings.authorization_header.mode(), "bearer");
        assert_eq!(settings.auth_token.expose(), "t");
    }

    #[test]
    fn spec_4_17_no_message_repeats_the_token() {
        for token in [json!("hunter2 with a space"), json!("hunter2\n"), json!("hunter2é"), json!({ "a": "hunter2" })]
        {
            let body = json!({ "endpoint": 1, "authToken": token, "authorizationHeader": "basic" });
            let problems = NewApiSettings::read(&body).unwrap_err();
            assert_eq!(
                problems,
                [
                    "endpoint must be a URL of at most 2048 characters without spaces, got the number 1",
                    "authToken must be text of 1 to 4096 visible ASCII characters",
                    "authorizationHeader must be authorization or security-token, got the text \"basic\"",
                ]
            );
        }
        assert_eq!(NewApiSettings::read(&json!({})).unwrap_err(), ["endpoint is required", "authToken is required"]);
    }

    #[test]
    fn a_mode_of_the_operator_s_has_no_header_of_the_enum() {
        for &header in AuthorizationHeader::VARIANTS {
            assert_eq!(AuthorizationHeader::of_mode(header.mode()), Some(header));
        }
        assert_eq!(AuthorizationHeader::of_mode("hmac-sha256"), None);
    }
}
