//! The mode `standard-webhooks`: the headers of the specification "Standard Webhooks" 1.0.0, with symmetric signatures
//! (`v1`). `webhook-id` is the same at each attempt, `webhook-timestamp` is the second of the attempt, and
//! `webhook-signature` has a signature under each secret that is valid at the moment.

use sealwright_plugin_sdk::{
    export_webhook_auth,
    webhook_auth::{Credential, Error, Header, Mode, Part, Request, base64, header},
};

struct StandardWebhooks;

impl Mode for StandardWebhooks {
    fn authenticate(request: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
        let id = request.delivery_id();
        let timestamp = (request.time() / 1000).to_string();
        let head = format!("{id}.{timestamp}.").into_bytes();
        let signatures = credential.sign_with_each(&[Part::Bytes(head), Part::Content(&request.body())])?;
        let signatures: Vec<String> = signatures.iter().map(|signature| format!("v1,{}", base64(signature))).collect();
        Ok(vec![
            header("webhook-id", id),
            header("webhook-timestamp", timestamp),
            header("webhook-signature", signatures.join(" ")),
        ])
    }
}

export_webhook_auth!(StandardWebhooks);

#[cfg(test)]
mod tests {
    use sealwright_plugin_sdk::webhook_auth::Content;

    use super::*;

    /// The example of the libraries of Standard Webhooks.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    fn request() -> Request {
        Request {
            delivery_id: "msg_p5jXN8AQM9LWM0D4loKWxJek".into(),
            time: 1_614_265_330_999,
            body: Content(b"{\"test\": 2432232314}".to_vec()),
            ..Request::default()
        }
    }

    #[test]
    fn the_published_example_is_signed_as_published() {
        let credential = Credential { secret: Some(SECRET.into()), ..Credential::default() };

        let headers = StandardWebhooks::authenticate(&request(), &credential).unwrap();

        let headers: Vec<_> = headers.iter().map(|header| (header.name.as_str(), header.value.as_str())).collect();
        assert_eq!(
            headers,
            [
                ("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
                ("webhook-timestamp", "1614265330"),
                ("webhook-signature", SIGNATURE),
            ]
        );
    }

    #[test]
    fn while_a_secret_is_replaced_both_sign() {
        let credential = Credential {
            secret: Some("whsec_bmV3IHNlY3JldCBvZiAyNCBieXRlcyEh".into()),
            previous_secret: Some(SECRET.into()),
            ..Credential::default()
        };

        let headers = StandardWebhooks::authenticate(&request(), &credential).unwrap();

        let (newest, previous) = headers[2].value.split_once(' ').unwrap();
        assert!(newest.starts_with("v1,") && newest != SIGNATURE, "{newest}");
        assert_eq!(previous, SIGNATURE);
    }

    #[test]
    fn without_a_secret_nothing_is_signed() {
        let answer = StandardWebhooks::authenticate(&request(), &Credential::default());
        assert!(matches!(answer, Err(Error::InvalidInput(_))));
    }
}
