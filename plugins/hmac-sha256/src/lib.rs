//! The mode `hmac-sha256`: `Authorization: HMAC-SHA256 <API_KEY>:<signature>` and `X-Api-Key: <API_KEY>` (spec 6.3). The
//! signature is the lowercase hexadecimal HMAC-SHA256 of the body as sent (decisions 12).

use sealwright_plugin_sdk::{
    export_webhook_auth,
    webhook_auth::{Credential, Error, Header, Mode, Part, Request, header, hex},
};

struct HmacSha256;

impl Mode for HmacSha256 {
    fn authenticate(request: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
        let api_key = credential.require_key_id()?;
        let signature = hex(&credential.sign(&[Part::Content(&request.body())])?);
        Ok(vec![header("Authorization", format!("HMAC-SHA256 {api_key}:{signature}")), header("X-Api-Key", api_key)])
    }
}

export_webhook_auth!(HmacSha256);

#[cfg(test)]
mod tests {
    use sealwright_plugin_sdk::webhook_auth::Content;

    use super::*;

    /// RFC 4231, section 4.3: test case 2.
    #[test]
    fn the_body_is_signed_under_the_secret() {
        let request = Request { body: Content(b"what do ya want for nothing?".to_vec()), ..Request::default() };
        let credential =
            Credential { key_id: Some("acme-key".into()), secret: Some("Jefe".into()), ..Credential::default() };

        let headers = HmacSha256::authenticate(&request, &credential).unwrap();

        let signature = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        let headers: Vec<_> = headers.iter().map(|header| (header.name.as_str(), header.value.as_str())).collect();
        assert_eq!(
            headers,
            [("Authorization", format!("HMAC-SHA256 acme-key:{signature}").as_str()), ("X-Api-Key", "acme-key"),]
        );
    }

    #[test]
    fn without_an_api_key_or_a_secret_nothing_is_signed() {
        let key_only = Credential { key_id: Some("acme-key".into()), ..Credential::default() };
        let secret_only = Credential { secret: Some("Jefe".into()), ..Credential::default() };
        for credential in [key_only, secret_only] {
            let answer = HmacSha256::authenticate(&Request::default(), &credential);
            assert!(matches!(answer, Err(Error::InvalidInput(_))));
        }
    }
}
