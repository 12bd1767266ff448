//! `POST /auth/token`

use serde_json::json;

use crate::{
    domain::credentials::SignIn,
    http::{
        openapi::description::{Answer, Body, Description, Tag},
        session::Token,
    },
};

pub(super) fn create_token() -> Description {
    let example = json!({ "username": "acme-api", "password": "correct horse battery staple" });
    let token =
        Token { token: "eyJhbGciOiJFZERTQSIsImtpZCI6IjEifQ.eyJzdWIiOiJ1c3ItYWNtZS1hcGkifQ.c2lnbmF0dXJl".to_owned() };
    Description {
        tag: Tag::Authentication,
        summary: "Get a token",
        details: "Returns a JWT for a user of kind `api`. Keep it and request another before it expires; never give it to a browser. \
                  An issued token counts against the quota of the user's company. Attempts with a wrong username or \
                  password are counted separately, by username and client address, with the same limit.",
        query: Vec::new(),
        body: Some(Body::json("Username and password of an API user.", example, SignIn::read)),
        answers: vec![Answer::json(200, "The token.", &token)],
        refusals: vec![(
            401,
            "Username or password is wrong, or the user is not an API user.",
            "wrong username or password",
        )],
        next: Vec::new(),
    }
}
