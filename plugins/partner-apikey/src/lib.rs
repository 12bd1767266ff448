//! The mode `partner-apikey`: `x-partner-apikey: <API_KEY>` (spec 6.3).

use sealwright_plugin_sdk::{
    export_webhook_auth,
    webhook_auth::{Credential, Error, Header, Mode, Request, header},
};

struct PartnerApikey;

impl Mode for PartnerApikey {
    fn authenticate(_: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
        Ok(vec![header("x-partner-apikey", credential.require_key_id()?)])
    }
}

export_webhook_auth!(PartnerApikey);
