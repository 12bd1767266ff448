//! A person at the console, and how users are added to it.

use std::process::Output;

use hyper::Method;

use crate::support::{Answer, Api, TestServer, client::send, server::said};

pub(crate) const PASSWORD: &str = "a lantern on the quay";

/// Adds a user by the command.
pub(crate) fn add_user(server: &TestServer, username: &str, arguments: &[&str]) -> Output {
    let name = "CONSOLE_TEST_PASSWORD";
    let mut all = vec!["user", "add", username, "--password-env", name];
    all.extend(arguments);
    server.run_with(&all, &[(name, PASSWORD)])
}

/// Adds a user who must be accepted.
pub(crate) fn must_add_user(server: &TestServer, username: &str, arguments: &[&str]) {
    let output = add_user(server, username, arguments);
    assert!(output.status.success(), "{}", said(&output));
}

/// A browser of the console.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) api: Api,
    /// Of the session, as `name=value`.
    pub(crate) cookie: String,
}

impl Person {
    pub(crate) fn new(server: &TestServer) -> Self {
        Self { api: server.anonymous(), cookie: String::new() }
    }

    pub(crate) async fn signed_in(server: &TestServer, username: &str) -> Self {
        let mut person = Self::new(server);
        let answer = person.sign_in(username, PASSWORD).await.expect(303);
        assert_eq!(answer.header("location"), Some("/console/cases"));
        person
    }

    pub(crate) async fn sign_in(&mut self, username: &str, password: &str) -> Answer {
        let answer = self.send_form("/console/sign-in", &[("username", username), ("password", password)]).await;
        if let Some(cookie) = answer.header("set-cookie") {
            cookie.split(';').next().unwrap().clone_into(&mut self.cookie);
        }
        answer
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        send(self.api.request(Method::GET, path).header("cookie", &self.cookie)).await
    }

    /// As a browser in French does.
    pub(crate) async fn get_in_french(&self, path: &str) -> Answer {
        let request = self.api.request(Method::GET, path).header("cookie", &self.cookie);
        send(request.header("accept-language", "fr")).await
    }

    /// Sends a form as a page of this session does: with its token.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = csrf(&self.get("/console/account").await.expect(200));
        let mut fields = fields.to_vec();
        fields.push(("csrf", &token));
        self.send_form(path, &fields).await
    }

    /// Sends a form with these fields and no others.
    pub(crate) async fn send_form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = url_encoded(fields);
        let request = self.api.request(Method::POST, path).header("cookie", &self.cookie);
        send(request.header("content-type", "application/x-www-form-urlencoded").body(body)).await
    }
}

pub(super) fn url_encoded(fields: &[(&str, &str)]) -> String {
    let encode = |text: &str| -> String {
        text.bytes()
            .map(
                |byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02x}") },
            )
            .collect()
    };
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// The token of the session in a page's forms.
pub(super) fn csrf(page: &Answer) -> String {
    value_of(&page.text(), "name=\"csrf\" value=\"")
}

/// The text in a page from `start` to the next quotation mark.
pub(super) fn value_of(page: &str, start: &str) -> String {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("{start} is not in {page}"));
    rest.split('"').next().unwrap().to_owned()
}
