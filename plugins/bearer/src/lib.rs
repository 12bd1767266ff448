//! The mode `bearer`: `Authorization: Bearer <authToken>` (spec 6.3, RFC 6750 section 2.1).

use sealwright_plugin_sdk::{
    export_webhook_auth,
    webhook_auth::{Credential, Error, Header, Mode, Request, header},
};

struct Bearer;

impl Mode for Bearer {
    fn authenticate(_: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
        Ok(vec![header("Authorization", format!("Bearer {}", credential.require_secret()?))])
    }
}

export_webhook_auth!(Bearer);
