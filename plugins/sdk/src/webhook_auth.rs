//! The role `webhook-authentication`: a mode returns the headers that prove to a receiver that a webhook is genuine.

#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
pub use crate::bindings::webhook_auth::sealwright::plugin::{
    content::Content,
    credentials::{Credential, Part},
    webhook::Request,
};
pub use crate::bindings::webhook_auth::{
    exports::sealwright::plugin::webhook_authentication::Header,
    sealwright::plugin::{credentials::Refusal, types::Error},
};
#[cfg(not(target_family = "wasm"))]
pub use native::{Content, Credential, Part, Request};

/// A mode of webhook authentication; [`export_webhook_auth!`](crate::export_webhook_auth) turns it into a plugin.
pub trait Mode {
    /// The headers that authenticate `request`. Their rules and limits are those of `authenticate` in the contract.
    fn authenticate(request: &Request, credential: &Credential) -> Result<Vec<Header>, Error>;
}

/// A header with this name and value.
pub fn header(name: &str, value: impl Into<String>) -> Header {
    Header { name: name.to_owned(), value: value.into() }
}

/// `bytes` in lowercase hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

/// `bytes` in base64 (RFC 4648, section 4), with padding.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| usize::from(group.get(index).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            // A group of n bytes has n + 1 digits.
            let digit = if index <= group.len() { DIGITS[(bits >> shift) & 63] } else { b'=' };
            text.push(char::from(digit));
        }
    }
    text
}

/// The functions of the contract, with refusals turned into errors that say what the operator should do.
impl Credential {
    /// The key's identifier.
    pub fn require_key_id(&self) -> Result<String, Error> {
        self.key_id().ok_or_else(|| Error::InvalidInput(format!("{} has no API key: configure one", self.label())))
    }

    /// The HMAC-SHA256 of the parts, one after the other without a separator, under the secret: 32 bytes.
    pub fn sign(&self, message: &[Part]) -> Result<Vec<u8>, Error> {
        self.hmac_sha256(message).map_err(|refusal| self.explain(refusal))
    }

    /// The same under each secret that is valid now, the newest first. The key in a secret `whsec_…` is decoded first.
    pub fn sign_with_each(&self, message: &[Part]) -> Result<Vec<Vec<u8>>, Error> {
        self.hmac_sha256_each(message).map_err(|refusal| self.explain(refusal))
    }

    /// The secret itself, which the operator must have granted.
    pub fn require_secret(&self) -> Result<String, Error> {
        self.reveal().map_err(|refusal| self.explain(refusal))
    }

    fn explain(&self, refusal: Refusal) -> Error {
        let label = self.label();
        Error::InvalidInput(match refusal {
            Refusal::Absent => format!("{label} has no secret: configure one"),
            Refusal::Denied => format!("{label} may not be revealed to this plugin: grant it, or use another mode"),
        })
    }
}

/// Makes the crate a component of the world `webhook-auth` that plays the given [`Mode`](crate::webhook_auth::Mode).
/// Its name, version and summary are those of the crate's package.
#[macro_export]
macro_rules! export_webhook_auth {
    ($mode:ty) => {
        $crate::native_check!($crate::webhook_auth::Mode, $mode);

        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::{
                bindings::webhook_auth::exports::sealwright::plugin::webhook_authentication,
                webhook_auth::{Credential, Error, Header, Mode, Request},
            };
            struct Component;
            $crate::describe!(Component);
            impl webhook_authentication::Guest for Component {
                fn authenticate(request: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
                    $crate::log::log_panics();
                    <$mode as Mode>::authenticate(request, credential)
                }
            }
            $crate::bindings::webhook_auth::export_webhook_auth!(Component with_types_in $crate::bindings::webhook_auth);
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_is_lowercase_and_keeps_leading_zeros() {
        assert_eq!(hex(&[0x00, 0x0a, 0xf9, 0xff]), "000af9ff");
    }

    /// RFC 4648, section 10.
    #[test]
    fn base64_is_padded() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    #[test]
    fn a_refusal_names_the_credential_and_what_to_do() {
        let credential = Credential { label: "acme's secret".into(), ..Credential::default() };
        let Err(Error::InvalidInput(absent)) = credential.sign(&[]) else { panic!("there is no secret") };
        assert_eq!(absent, "acme's secret has no secret: configure one");

        let credential = Credential { secret: Some("s3cret".into()), may_reveal: false, ..credential };
        let Err(Error::InvalidInput(denied)) = credential.require_secret() else { panic!("it is not granted") };
        assert!(denied.contains("grant it"), "{denied}");
    }
}
