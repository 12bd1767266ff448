//! Who came back from a provider: what its ID token says of the person. The claims that OpenID Connect does not name, such
//! as roles, are kept as they are.

use openidconnect::{
    AdditionalClaims, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, IdToken, IdTokenClaims,
    IdTokenFields, StandardErrorResponse, StandardTokenResponse,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
        CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreRevocableToken, CoreRevocationErrorResponse,
        CoreTokenIntrospectionResponse, CoreTokenType,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::openid::OidcSubject;

/// A person whom a provider has identified.
#[derive(Clone, Debug)]
pub struct Identity {
    pub subject: OidcSubject,
    /// With which the person signs in at the provider, or else the e-mail address. It can pass to another person.
    pub username: Option<String>,
    /// For people.
    pub name: Option<String>,
    claims: Map<String, Value>,
}

impl Identity {
    /// None if the subject is not valid.
    pub(super) fn of(claims: &Claims) -> Option<Self> {
        let preferred = claims.preferred_username().map(|username| username.as_str());
        let username = preferred.or_else(|| claims.email().map(|email| email.as_str()));
        let name = claims.name().and_then(|name| name.get(None).or_else(|| name.iter().next().map(|(_, name)| name)));
        Some(Self {
            subject: OidcSubject::parse(claims.subject().as_str())?,
            username: username.map(str::to_owned),
            name: name.map(|name| name.as_str().to_owned()),
            claims: claims.additional_claims().all.clone(),
        })
    }

    /// A claim that OpenID Connect does not name.
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.claims.get(name).filter(|value| !value.is_null())
    }
}

/// The claims that OpenID Connect does not name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct OtherClaims {
    #[serde(flatten)]
    all: Map<String, Value>,
}

impl AdditionalClaims for OtherClaims {}

pub(super) type Claims = IdTokenClaims<OtherClaims, CoreGenderClaim>;

pub(super) type Token =
    IdToken<OtherClaims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;

type TokenFields = IdTokenFields<
    OtherClaims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// As `CoreClient`, with [`OtherClaims`].
pub(super) type Client = openidconnect::Client<
    OtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    StandardTokenResponse<TokenFields, CoreTokenType>,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

#[cfg(test)]
mod tests {
    use openidconnect::SubjectIdentifier;
    use serde_json::json;

    use super::*;

    fn identity(more: &Value) -> Identity {
        let mut claims = json!({
            "iss": "https://login.example", "sub": "s-1", "aud": "console", "nonce": "n", "iat": 1, "exp": 2,
        });
        for (name, value) in more.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let claims: Claims = serde_json::from_value(claims).unwrap();
        assert_eq!(claims.subject(), &SubjectIdentifier::new("s-1".to_owned()));
        Identity::of(&claims).unwrap()
    }

    #[test]
    fn claims_that_openid_connect_does_not_name_are_kept() {
        let person = identity(&json!({
            "sealwright_role": ["viewer", "staff"], "sealwright_company": 7, "empty": null, "deep": { "a": [1, "x"] },
            "preferred_username": "maria", "email": "m@login.example", "name": "Maria R.", "name#fr": "Marie R.",
        }));
        assert_eq!(person.claim("sealwright_role"), Some(&json!(["viewer", "staff"])));
        assert_eq!(person.claim("sealwright_company"), Some(&json!(7)));
        assert_eq!(person.claim("deep"), Some(&json!({ "a": [1, "x"] })));
        assert_eq!((person.claim("empty"), person.claim("missing")), (None, None));
        assert_eq!((person.username.as_deref(), person.name.as_deref()), (Some("maria"), Some("Maria R.")));
    }

    #[test]
    fn without_a_username_the_address_is_taken_and_any_name_is_better_than_none() {
        let person = identity(&json!({ "email": "m@login.example", "name#fr": "Marie R." }));
        assert_eq!((person.username.as_deref(), person.name.as_deref()), (Some("m@login.example"), Some("Marie R.")));
        let person = identity(&json!({}));
        assert_eq!((person.username, person.name), (None, None));
    }
}
