//! The mode `security-token`: `security-token: <authToken>` (spec 6.3).

use sealwright_plugin_sdk::{
    export_webhook_auth,
    webhook_auth::{Credential, Error, Header, Mode, Request, header},
};

struct SecurityToken;

impl Mode for SecurityToken {
    fn authenticate(_: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
        Ok(vec![header("security-token", credential.require_secret()?)])
    }
}

export_webhook_auth!(SecurityToken);
