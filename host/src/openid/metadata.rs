//! What a provider says of itself (OpenID Connect Discovery), with the address where a person signs out there (OpenID
//! Connect RP-Initiated Logout).

use openidconnect::{
    AdditionalProviderMetadata, EndSessionUrl, ProviderMetadata,
    core::{
        CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType, CoreJsonWebKey,
        CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm, CoreResponseMode, CoreResponseType,
        CoreSubjectIdentifierType,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

/// As `ProviderMetadataWithLogout`, with [`SignOut`].
pub(super) type Metadata = ProviderMetadata<
    SignOut,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// Where a person signs out. Any value is read: an address that is wrong must not stop sign-ins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SignOut {
    #[serde(default)]
    end_session_endpoint: Value,
}

impl AdditionalProviderMetadata for SignOut {}

impl SignOut {
    pub(super) fn address(&self) -> Option<EndSessionUrl> {
        Url::parse(self.end_session_endpoint.as_str()?).ok().map(EndSessionUrl::from_url)
    }
}
