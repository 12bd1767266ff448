//! A mode of webhook authentication: `X-Signature: sha256=…`, the HMAC-SHA256 of the body.

use sealwright_plugin_sdk::webhook_auth::{Credential, Error, Header, Mode, Part, Request, header, hex};

struct Plugin;

impl Mode for Plugin {
    fn authenticate(request: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
        // The host signs: the secret is never seen here.
        let signature = hex(&credential.sign(&[Part::Content(&request.body())])?);
        Ok(vec![header("X-Signature", format!("sha256={signature}"))])
    }
}

sealwright_plugin_sdk::export_webhook_auth!(Plugin);

#[cfg(test)]
mod tests {
    use sealwright_plugin_sdk::webhook_auth::Content;

    use super::*;

    /// RFC 4231, section 4.3: test case 2.
    #[test]
    fn the_body_is_signed() {
        let request = Request { body: Content(b"what do ya want for nothing?".to_vec()), ..Request::default() };
        let credential = Credential { secret: Some("Jefe".into()), ..Credential::default() };
        let headers = Plugin::authenticate(&request, &credential).unwrap();
        assert!(headers[0].value.starts_with("sha256=5bdcc146bf60754e6a04"));
    }
}
