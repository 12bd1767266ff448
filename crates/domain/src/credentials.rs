//! The body of `POST /auth/token` (spec 4.1) and of `POST /v2/field/sign-in`.

use schemars::json_schema;
use serde_json::Value;

use super::{
    body::{Body, Fields, Kind, request_bodies},
    fields::FILLED_TEXT,
};

/// A username and password to sign in with. Not `Debug`: the password belongs in no log.
#[derive(PartialEq, Eq)]
pub struct SignIn {
    pub username: String,
    pub password: String,
}

impl Body for SignIn {
    const NAME: &'static str = "SignIn";
    const DESCRIPTION: &'static str = "The user who signs in.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const PASSWORD: Kind<String> =
            Kind::value(password, |_| json_schema!({ "type": "string", "format": "password" }));
        let username = fields.required("username", FILLED_TEXT, "The user's name.");
        let password = fields.required("password", PASSWORD, "The user's password.");
        Some(Self { username: username?, password: password? })
    }
}

request_bodies!(SignIn);

/// A password may be any text; one that is too long or empty simply does not match, and no message repeats it.
fn password(value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| "text".to_owned())
}
