//! An example mode, `time-stamped-hmac`: `Webhook-Signature: t=<seconds>,v1=<signature>`. The signature is the
//! lowercase hexadecimal HMAC-SHA256 of the time, a full stop, and the body as sent. A receiver that also checks the
//! time rejects replayed webhooks, which a signature of only the body cannot detect.

use sealwright_plugin_sdk::{
    export_webhook_auth,
    webhook_auth::{Credential, Error, Header, Mode, Part, Request, header, hex},
};

struct TimeStampedHmac;

impl Mode for TimeStampedHmac {
    fn authenticate(request: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
        // The time of this attempt: a retry has a new one.
        let seconds = request.time() / 1000;
        let message = [Part::Bytes(format!("{seconds}.").into_bytes()), Part::Content(&request.body())];
        let signature = hex(&credential.sign(&message)?);
        Ok(vec![header("Webhook-Signature", format!("t={seconds},v1={signature}"))])
    }
}

export_webhook_auth!(TimeStampedHmac);

#[cfg(test)]
mod tests {
    use sealwright_plugin_sdk::webhook_auth::Content;

    use super::*;

    fn answer(time: u64, secret: Option<&str>) -> Result<Vec<Header>, Error> {
        let request = Request { body: Content(b"{\"id\":1}".to_vec()), time, ..Request::default() };
        let credential = Credential { secret: secret.map(Into::into), ..Credential::default() };
        TimeStampedHmac::authenticate(&request, &credential)
    }

    #[test]
    fn time_and_body_are_signed_together() {
        let [header] = &answer(1_795_168_800_999, Some("s3cret")).unwrap()[..] else { panic!("one header") };
        // printf '1795168800.{"id":1}' | openssl dgst -sha256 -hmac s3cret
        let signature = "183f929ddb2af470d9f39f166b7ee79fbef4df26a47b14bf0d2e4bb49e3a7696";
        assert_eq!(header.name, "Webhook-Signature");
        assert_eq!(header.value, format!("t=1795168800,v1={signature}"));
    }

    #[test]
    fn without_a_secret_nothing_is_signed() {
        assert!(matches!(answer(0, None), Err(Error::InvalidInput(_))));
    }
}
