//! A user of the console with a browser that runs no scripts: forms and links only.

use hyper::Method;

use super::{Answer, Api, TestServer, client::send};

/// A user who is signed in.
pub(crate) struct ConsoleVisitor {
    api: Api,
}

impl ConsoleVisitor {
    /// Adds a user with `sealwright user add` and signs in. `scope` are further arguments, such as `--company 7`.
    pub(crate) async fn add(server: &mut TestServer, username: &str, role: &str, scope: &[&str]) -> Self {
        const PASSWORD: &str = "a lamp in every window";
        server.set("CONSOLE_PASSWORD", PASSWORD);
        let arguments = ["user", "add", username, "--role", role, "--password-env", "CONSOLE_PASSWORD"];
        let output = server.run(&[&arguments, scope].concat());
        assert!(output.status.success(), "{}", super::server::said(&output));
        let anonymous = server.anonymous();
        let answer = form(&anonymous, "/console/sign-in", &[("username", username), ("password", PASSWORD)]).await;
        let cookie = answer.expect(303).header("set-cookie").expect("a session").to_owned();
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Self { api: anonymous.with_session(&cookie, "") }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.api.get(path).await
    }

    /// Sends a form of a page, with the token of the page.
    pub(crate) async fn send(&self, page: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let page = self.get(page).await.text();
        let token = attribute_after(&page, "name=\"csrf\" value=\"").expect("the page has a form");
        form(&self.api, path, &[fields, &[("csrf", &token)]].concat()).await
    }

    /// The cases that the list shows for a query, in its order.
    pub(crate) async fn cases(&self, query: &str) -> Vec<i64> {
        let page = self.get(&format!("/console/cases?{query}")).await.expect(200).text();
        let table = page.split("<tbody>").nth(1).unwrap_or_default();
        let links = table.split("href=\"/console/cases/").skip(1);
        links.filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
    }
}

/// What is between this text and the next quote.
fn attribute_after(page: &str, text: &str) -> Option<String> {
    Some(page.split_once(text)?.1.split('"').next()?.to_owned())
}

async fn form(api: &Api, path: &str, fields: &[(&str, &str)]) -> Answer {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    let request = api.request(Method::POST, path).header("content-type", "application/x-www-form-urlencoded");
    send(request.body(body.finish())).await
}
