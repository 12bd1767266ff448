//! The body of `POST /auth/token` (spec 4.1).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::{
    fields::{Fields, filled_text},
    schema::{self, object, required},
};

/// A username and password to sign in with. Not `Debug`: the password belongs in no log.
#[derive(PartialEq, Eq)]
pub struct SignIn {
    pub username: String,
    pub password: String,
}

impl SignIn {
    pub fn read(body: &Value) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(body, "").map_err(|problem| vec![problem])?;
        let username = fields.required("username", filled_text);
        let password = fields.required("password", password);
        fields.finish()?;
        // `finish` has failed if one of them is missing.
        username.zip(password).map(|(username, password)| Self { username, password }).ok_or_else(Vec::new)
    }
}

impl JsonSchema for SignIn {
    fn schema_name() -> Cow<'static, str> {
        "SignIn".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        object(
            "The user who requests a token.",
            [
                required("username", "The name of an API user.", schema::filled_text()),
                required("password", "The user's password.", json_schema!({ "type": "string", "format": "password" })),
            ],
        )
    }
}

/// A password may be any text; one that is too long or empty simply does not match, and no message repeats it.
fn password(value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| "text".to_owned())
}
