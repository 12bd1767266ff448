//! A reviewer in the console, by its forms.

use anyhow::{Context as _, ensure};
use reqwest::{Method, RequestBuilder};

use super::{api::Api, company::REVIEWER};

const FORM: &str = "application/x-www-form-urlencoded";

/// Signs in and accepts a case. `anonymous` has no token.
pub(super) async fn accept(anonymous: &Api, case: i64) -> anyhow::Result<()> {
    let (name, password) = REVIEWER;
    let form = |path: &str, fields: String| -> RequestBuilder {
        anonymous.request(Method::POST, path).header("content-type", FORM).body(fields)
    };
    let fields = format!("username={name}&password={}", password.replace(' ', "%20"));
    let signed_in = form("/console/sign-in", fields).send().await?;
    ensure!(signed_in.status() == 303, "the reviewer signs in: {}", signed_in.status());
    let cookie = signed_in.headers().get("set-cookie").and_then(|value| value.to_str().ok());
    let cookie = cookie.and_then(|value| value.split(';').next()).context("no cookie")?.to_owned();
    let account = anonymous.request(Method::GET, "/console/account").header("cookie", &cookie).send().await?;
    let page = account.bytes().await?;
    let page = String::from_utf8_lossy(&page);
    let (_, rest) = page.split_once("name=\"csrf\" value=\"").context("no token in the page")?;
    let csrf = rest.split('"').next().unwrap_or_default();
    let decision = form(&format!("/console/cases/{case}/decision"), format!("csrf={csrf}&outcome=accepted&reason="));
    let decided = decision.header("cookie", &cookie).send().await?;
    ensure!(decided.status() == 303, "the decision on case {case}: {}", decided.status());
    Ok(())
}
