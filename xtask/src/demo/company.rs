//! The demo company: its manifest, with the case webhook pointed at the demo's own receiver.

use std::{fs, path::Path};

use anyhow::Context as _;
use toml::{Table, Value};

/// What the two ends of an HMAC-SHA256 webhook share (spec 6.3).
#[derive(Clone, Debug)]
pub(super) struct WebhookKey {
    pub(super) api_key: String,
    pub(super) secret: String,
}

pub(super) struct Company {
    pub(super) id: i64,
    pub(super) username: String,
    pub(super) password: String,
    pub(super) webhook_key: WebhookKey,
    /// The whole company manifest.
    tables: Table,
}

impl Company {
    /// Reads the company manifest at `path`; its case webhook, if it has one, is replaced by one to `endpoint`.
    pub(super) fn load(path: &Path, endpoint: &str) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text, endpoint).with_context(|| format!("{} is not suitable for the demo", path.display()))
    }

    fn parse(text: &str, endpoint: &str) -> anyhow::Result<Self> {
        let mut company_manifest: Table = text.parse()?;
        let webhook_key = WebhookKey { api_key: "demo-key".into(), secret: "a secret for demonstrations only".into() };
        let case_webhook = Table::from_iter([
            ("endpoint".to_owned(), Value::from(endpoint)),
            ("auth".to_owned(), Value::from("hmac-sha256")),
            ("api_key".to_owned(), Value::from(webhook_key.api_key.as_str())),
            ("api_secret".to_owned(), Value::from(webhook_key.secret.as_str())),
        ]);
        let webhooks = Table::from_iter([("case".to_owned(), Value::from(case_webhook))]);
        company_manifest.insert("webhook".into(), webhooks.into());

        let id = company_manifest.get("company").and_then(|company| company.get("id")).and_then(Value::as_integer);
        let users = tables(&company_manifest, "user");
        let api_user = users.into_iter().find(|user| text_of(user, "kind") == Some("api"));
        let api_user = api_user.context("it has no user of kind api")?;
        let field =
            |key: &str| text_of(api_user, key).map(str::to_owned).with_context(|| format!("its API user has no {key}"));
        Ok(Self {
            id: id.context("it has no company.id")?,
            username: field("username")?,
            password: field("password")?,
            webhook_key,
            tables: company_manifest,
        })
    }

    /// The company manifest with the demo's webhook, as TOML.
    pub(super) fn to_toml(&self) -> String {
        self.tables.to_string()
    }

    /// The first option of a SELECT step, which the API does not return.
    pub(super) fn first_option(&self, step_id: i64) -> Option<&str> {
        first_text(self.step(step_id)?.get("options")?)
    }

    /// The first document type that a `DOCUMENT_UPLOAD` step accepts, if it restricts them.
    pub(super) fn document_type(&self, step_id: i64) -> Option<&str> {
        first_text(self.step(step_id)?.get("analysis")?.get("document_types")?)
    }

    fn step(&self, step_id: i64) -> Option<&Table> {
        let steps = tables(&self.tables, "frame").into_iter().flat_map(|frame| tables(frame, "step"));
        steps.into_iter().find(|step| step.get("id").and_then(Value::as_integer) == Some(step_id))
    }
}

fn first_text(array: &Value) -> Option<&str> {
    array.as_array()?.first()?.as_str()
}

/// The tables under `[[key]]`.
fn tables<'a>(table: &'a Table, key: &str) -> Vec<&'a Table> {
    table.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table).collect()
}

fn text_of<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"
        [company]
        id = 7
        name = "Acme"
        [[user]]
        id = "field"
        kind = "field"
        [[user]]
        id = "api"
        kind = "api"
        username = "acme-api"
        password = "pass"
        [[frame]]
        id = 70
        [[frame.step]]
        id = 704
        action = "SELECT"
        options = ["Burst pipe", "Roof"]
        [[frame.step]]
        id = 706
        action = "DOCUMENT_UPLOAD"
        analysis = { document_types = ["INVOICE", "INSURANCE_CERTIFICATE"] }
        [webhook.case]
        endpoint = "https://hooks.example/cases"
        auth = "bearer"
        auth_token = "x"
    "#;

    #[test]
    fn the_case_webhook_is_replaced_and_the_rest_kept() {
        let company = Company::parse(MANIFEST, "http://127.0.0.1:9/hook").unwrap();
        assert_eq!((company.id, company.username.as_str(), company.password.as_str()), (7, "acme-api", "pass"));
        let written: Table = company.to_toml().parse().unwrap();
        let webhook = &written["webhook"]["case"];
        assert_eq!(webhook["endpoint"].as_str(), Some("http://127.0.0.1:9/hook"));
        assert_eq!(webhook["auth"].as_str(), Some("hmac-sha256"));
        assert!(webhook.get("auth_token").is_none());
        assert_eq!(written["company"]["name"].as_str(), Some("Acme"));
    }

    #[test]
    fn what_a_step_accepts_is_found_by_its_id() {
        let company = Company::parse(MANIFEST, "http://127.0.0.1:9/hook").unwrap();
        assert_eq!(company.first_option(704), Some("Burst pipe"));
        assert_eq!(company.first_option(705), None);
        assert_eq!(company.document_type(706), Some("INVOICE"));
        assert_eq!(company.document_type(704), None);
    }

    #[test]
    fn a_manifest_without_an_api_user_is_refused() {
        let error = Company::parse("[company]\nid = 7\n", "http://127.0.0.1:9/hook").err().unwrap();
        assert!(error.to_string().contains("kind api"), "{error}");
    }
}
