//! The companies of the year. One was set up by the release that the year begins with; the other is new.

use std::fmt::Write as _;

use super::ledger::Owner;

/// Of the users of the interface. The first company's is that of the release (tests/fixtures/upgrade/make.py).
pub(super) const PASSWORD: &str = "correct horse battery staple";
/// A reviewer of the first company, made by the release.
pub(super) const REVIEWER: (&str, &str) = ("rita", "a lantern on the quay");

/// Operations whose quotas are not tested here.
const RAISED: [&str; 8] = [
    "POST /auth/token",
    "GET /cases",
    "POST /cases/create",
    "GET /cases/close/:caseId",
    "DELETE /cases/delete/:caseId",
    "POST /v2/items/:caseId/document",
    "POST /v2/items/create",
    "POST /v2/items/:caseId",
];

impl Owner {
    pub(super) const fn company(self) -> i64 {
        match self {
            Self::Acme => 7,
            Self::Borealis => 8,
        }
    }

    pub(super) const fn frame(self) -> i64 {
        self.company() * 10
    }

    pub(super) const fn photo_step(self) -> i64 {
        self.frame() * 10 + 1
    }

    pub(super) const fn document_step(self) -> i64 {
        self.frame() * 10 + 4
    }

    pub(super) const fn text_step(self) -> i64 {
        self.frame() * 10 + 5
    }

    pub(super) const fn username(self) -> &'static str {
        match self {
            Self::Acme => "acme-api",
            Self::Borealis => "borealis-api",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Acme => "Acme Insurance",
            Self::Borealis => "Borealis Mutual",
        }
    }
}

/// The secret of a webhook, and the one that it has replaced, with the time until which both are valid.
#[derive(Clone, Debug)]
pub(super) struct Secrets {
    pub(super) number: u64,
    pub(super) previous_until: Option<String>,
}

/// A company manifest.
pub(super) fn manifest(owner: Owner, receiver: &str, secrets: &Secrets) -> String {
    let (company, name, username) = (owner.company(), owner.name(), owner.username());
    let mut text =
        format!("[company]\nid = {company}\nname = \"{name}\"\ndocument_analysis = true\naudit_days = 200\n");
    text += match owner {
        Owner::Acme => "original_days = 100\nfact_days = 60\ndelivery_days = 45\n",
        Owner::Borealis => "fact_days = 30\n",
    };
    if let Some(days) = owner.case_days() {
        let _ = writeln!(text, "case_days = {days}");
    }
    text += "\n[company.rate_limits]\n";
    for operation in RAISED {
        let _ = writeln!(text, "\"{operation}\" = 100000");
    }
    let _ = write!(
        text,
        "\n[[user]]\nid = \"usr-{username}\"\nusername = \"{username}\"\npassword = \"{PASSWORD}\"\n\
         email = \"{username}@mail.example\"\nname = \"Back office {username}\"\nkind = \"api\"\n\
         rights = [\"p_api:*\"]\nlogged_in = true\n\n[[frame]]\nid = {}\nname = \"Water damage\"\n",
        owner.frame()
    );
    for (step, title, action) in [
        (owner.photo_step(), "Front of the house", "PHOTOGRAPHY"),
        (owner.document_step(), "Identity document", "DOCUMENT_UPLOAD"),
        (owner.text_step(), "Last name", "TEXT_FIELD"),
    ] {
        let _ = write!(text, "\n[[frame.step]]\nid = {step}\ntitle = \"{title}\"\naction = \"{action}\"\n");
    }
    let _ = write!(text, "\n[webhook.case]\nendpoint = \"{receiver}\"\n");
    text += &match owner {
        Owner::Acme => "auth = \"bearer\"\nauth_token = \"token of the year\"\n".to_owned(),
        Owner::Borealis => standard_webhook(secrets),
    };
    text
}

/// Retries come so late that a month's work does not wait for them.
fn standard_webhook(secrets: &Secrets) -> String {
    let secret = |number: u64| format!("whsec_{}", base64_of(number));
    let mut text = format!(
        "auth = \"standard-webhooks\"\napi_secret = \"{}\"\nretry_seconds = [7200, 14400, 86400]\n",
        secret(secrets.number)
    );
    if let Some(until) = &secrets.previous_until {
        let previous = secret(secrets.number - 1);
        let _ = write!(text, "previous_api_secret = \"{previous}\"\nprevious_until = \"{until}\"\n");
    }
    text
}

/// 32 bytes in Base64.
fn base64_of(number: u64) -> String {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use sha2::{Digest as _, Sha256};
    STANDARD.encode(Sha256::digest(number.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_has_the_steps_of_the_release_and_both_secrets_while_one_is_replaced() {
        let mut secrets = Secrets { number: 2, previous_until: None };
        let acme = manifest(Owner::Acme, "http://127.0.0.1:9/fast", &secrets);
        for expected in ["id = 7\n", "id = 701\n", "id = 704\n", "id = 705\n", "original_days = 100"] {
            assert!(acme.contains(expected), "{expected}");
        }
        let borealis = manifest(Owner::Borealis, "http://127.0.0.1:9/fast", &secrets);
        assert!(borealis.contains("case_days = 150") && !borealis.contains("previous"), "{borealis}");
        secrets.previous_until = Some("2027-01-01T00:00:00.000Z".to_owned());
        let replaced = manifest(Owner::Borealis, "http://127.0.0.1:9/fast", &secrets);
        assert!(replaced.contains(&base64_of(1)) && replaced.contains(&base64_of(2)), "{replaced}");
    }
}
