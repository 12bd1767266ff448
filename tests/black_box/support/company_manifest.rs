//! The company manifests of the tests' world, as an operator would write them (operator's page, "Manifest").
//!
//! *Acme* (7) has everything switched on; *Borealis* (8) is a stranger to it; *Cosmos* (20) is the parent of *Cosmos
//! France* (21). Identifiers do not overlap, so that a mix-up of companies is detected.

use std::fmt::Write as _;

use super::{Api, Receiver, TestServer};

/// A user who can sign in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credentials {
    pub(crate) user_id: &'static str,
    pub(crate) username: &'static str,
    pub(crate) password: &'static str,
}

pub(crate) const ACME: i64 = 7;
pub(crate) const ACME_API: Credentials =
    Credentials { user_id: "usr-acme-api", username: "acme-api", password: "correct horse battery staple" };
/// May only read cases and frames.
pub(crate) const ACME_READER: Credentials =
    Credentials { user_id: "usr-acme-reader", username: "acme-reader", password: "look but do not touch" };
/// A person who fills cases: has a password but gets no token.
pub(crate) const ACME_FIELD: Credentials =
    Credentials { user_id: "usr-acme-field", username: "acme-field", password: "boots and a ladder" };
pub(crate) const ACME_API_KEY: &str = "acme-key";
pub(crate) const ACME_API_SECRET: &str = "a secret to sign with, long enough";

/// Acme's frame with a step of each of the ten types.
pub(crate) const FRAME: i64 = 70;
pub(crate) const PHOTOGRAPHY: i64 = 701;
pub(crate) const VIDEO: i64 = 702;
pub(crate) const SIGNATURE: i64 = 703;
pub(crate) const DOCUMENT_UPLOAD: i64 = 704;
pub(crate) const TEXT_FIELD: i64 = 705;
pub(crate) const NUMBER_FIELD: i64 = 706;
pub(crate) const DATE_FIELD: i64 = 707;
pub(crate) const TIME: i64 = 708;
pub(crate) const EMAIL: i64 = 709;
pub(crate) const SELECT: i64 = 710;
/// Acme's other frame, with one optional step.
pub(crate) const SHORT_FRAME: i64 = 71;

pub(crate) const BOREALIS: i64 = 8;
pub(crate) const BOREALIS_API: Credentials =
    Credentials { user_id: "usr-borealis-api", username: "borealis-api", password: "northern lights at noon" };
pub(crate) const BOREALIS_FRAME: i64 = 80;

pub(crate) const COSMOS: i64 = 20;
pub(crate) const COSMOS_API: Credentials =
    Credentials { user_id: "usr-cosmos-api", username: "cosmos-api", password: "all the stars there are" };
/// Open to the children of Cosmos.
pub(crate) const COSMOS_SHARED_FRAME: i64 = 200;
pub(crate) const COSMOS_OWN_FRAME: i64 = 201;

pub(crate) const COSMOS_FRANCE: i64 = 21;
pub(crate) const COSMOS_FRANCE_API: Credentials =
    Credentials { user_id: "usr-cosmos-fr-api", username: "cosmos-fr-api", password: "toutes les etoiles" };
pub(crate) const COSMOS_FRANCE_FRAME: i64 = 210;

/// Applies Acme; returns a client of its API user and its receiver.
pub(crate) async fn acme_on(server: &TestServer) -> (Api, Receiver) {
    let receiver = Receiver::start().await;
    server.must_apply(&acme(&receiver));
    (server.sign_in(ACME_API.username, ACME_API.password).await, receiver)
}

/// Acme, with its case webhook signed by HMAC and sent to `receiver`.
pub(crate) fn acme(receiver: &Receiver) -> String {
    acme_with_webhook(&format!(
        r#"
[webhook.case]
endpoint = "{}"
auth = "hmac-sha256"
api_key = "{ACME_API_KEY}"
api_secret = "{ACME_API_SECRET}"

[webhook.analysis]
endpoint = "{}"
auth = "bearer"
auth_token = "acme-analysis-token"
"#,
        receiver.url("/cases"),
        receiver.url("/analysis"),
    ))
}

/// Acme with other `[webhook.…]` tables, or none.
pub(crate) fn acme_with_webhook(webhook: &str) -> String {
    let mut text = company(ACME, "Acme Insurance", "document_analysis = true");
    text += &api_user(ACME_API, r#"["p_api:*"]"#);
    text += &api_user(ACME_READER, r#"["p_api:case:read"]"#);
    write!(
        text,
        r#"
[[user]]
id = "{}"
username = "{}"
password = "{}"
email = "field@acme.example"
name = "Flora Field"
kind = "field"
logged_in = true

[[user]]
id = "usr-acme-new"
email = "new@acme.example"
name = "Nora New"
kind = "field"
"#,
        ACME_FIELD.user_id, ACME_FIELD.username, ACME_FIELD.password
    )
    .expect("writing to a string succeeds");
    text += ACME_FRAMES;
    text + webhook
}

/// Borealis, without webhooks.
pub(crate) fn borealis() -> String {
    company(BOREALIS, "Borealis Mutual", "")
        + &api_user(BOREALIS_API, r#"["p_api:*"]"#)
        + &frame_with_note(BOREALIS_FRAME, "Ice damage", false)
}

/// Cosmos, the parent. Apply it before its child.
pub(crate) fn cosmos() -> String {
    company(COSMOS, "Cosmos Group", "")
        + &api_user(COSMOS_API, r#"["p_api:*"]"#)
        + &frame_with_note(COSMOS_SHARED_FRAME, "Group survey", true)
        + &frame_with_note(COSMOS_OWN_FRAME, "Group board only", false)
}

/// Cosmos France, the child.
pub(crate) fn cosmos_france() -> String {
    company(COSMOS_FRANCE, "Cosmos France", &format!("parent = {COSMOS}"))
        + &api_user(COSMOS_FRANCE_API, r#"["p_api:*"]"#)
        + &frame_with_note(COSMOS_FRANCE_FRAME, "Constat", false)
}

/// A company manifest from which the operator has removed a user.
pub(crate) fn without_user(company_manifest: &str, user_id: &str) -> String {
    without_table(company_manifest, "[[user]]", &format!("id = \"{user_id}\""))
}

/// A company manifest from which the operator has removed a frame, with its steps.
pub(crate) fn without_frame(company_manifest: &str, frame: i64) -> String {
    without_table(company_manifest, "[[frame]]", &format!("id = {frame}"))
}

/// Removes the text from `header` to the next table that is not part of it. The table starts with `id`.
fn without_table(company_manifest: &str, header: &str, id: &str) -> String {
    let start = company_manifest.find(&format!("{header}\n{id}\n")).expect("the company manifest has the table");
    let rest = &company_manifest[start + header.len()..];
    let end = ["\n[[user]]", "\n[[frame]]", "\n[webhook"].iter().filter_map(|next| rest.find(next)).min();
    let kept = end.map_or("", |end| &rest[end..]);
    format!("{}{kept}", &company_manifest[..start])
}

/// The identifier of the one step of a frame made by [`frame_with_note`].
pub(crate) fn note_step(frame: i64) -> i64 {
    frame * 10 + 1
}

/// A `[company]` table with quotas that no test reaches by accident.
fn company(id: i64, name: &str, more: &str) -> String {
    const RAISED: [&str; 18] = [
        "POST /auth/token",
        "GET /frames",
        "GET /cases",
        "POST /cases/create",
        "POST /cases/bulk-create",
        "PATCH /cases/bulk-update",
        "POST /cases/bulk-delete",
        "GET /cases/close/:caseId",
        "GET /cases/close/link/:magicLinkToken",
        "PATCH /cases/update",
        "DELETE /cases/delete/:caseId",
        "GET /cases/:caseId/analysis",
        "POST /v2/items/:caseId/document",
        "POST /v2/items/create",
        "POST /v2/items/:caseId",
        "POST /api/items",
        "POST /reports/report/:reportToken",
        "GET /v2/events",
    ];
    let mut text = format!("[company]\nid = {id}\nname = \"{name}\"\n{more}\n\n[company.rate_limits]\n");
    for operation in RAISED {
        writeln!(text, "\"{operation}\" = 100000").expect("writing to a string succeeds");
    }
    text
}

/// A `[[user]]` table of kind `api`; it can be appended to any company manifest.
pub(crate) fn api_user(user: Credentials, rights: &str) -> String {
    format!(
        r#"
[[user]]
id = "{}"
username = "{}"
password = "{}"
email = "{}@mail.example"
name = "Back office {}"
kind = "api"
rights = {rights}
logged_in = true
"#,
        user.user_id, user.username, user.password, user.username, user.username
    )
}

/// A frame whose only step is an optional text.
fn frame_with_note(id: i64, name: &str, shared: bool) -> String {
    format!(
        r#"
[[frame]]
id = {id}
name = "{name}"
shared_with_children = {shared}

[[frame.step]]
id = {}
title = "Note"
action = "TEXT_FIELD"
"#,
        note_step(id)
    )
}

const ACME_FRAMES: &str = r#"
[[frame]]
id = 70
name = "Water damage"

[[frame.step]]
id = 701
title = "Front of the house"
description = "Stand back far enough to show the street number."
action = "PHOTOGRAPHY"
mandatory = true

[[frame.step]]
id = 702
title = "Walk through the rooms"
action = "VIDEO"

[[frame.step]]
id = 703
title = "Signature of the insured"
action = "SIGNATURE"

[[frame.step]]
id = 704
title = "Identity document"
action = "DOCUMENT_UPLOAD"
mandatory = true

[frame.step.analysis]
document_types = ["IDENTITY_CARD", "PASSPORT"]
cross_check = [{ field = "lastName", label = "Last name", step = 705 }]
extract = [{ key = "documentNumber", label = "Document number" }]

[[frame.step]]
id = 705
title = "Last name"
description = "As on the document."
action = "TEXT_FIELD"
mandatory = true

[[frame.step]]
id = 706
title = "Rooms concerned"
action = "NUMBER_FIELD"

[[frame.step]]
id = 707
title = "Date of the damage"
action = "DATE_FIELD"

[[frame.step]]
id = 708
title = "Time of the damage"
action = "TIME"

[[frame.step]]
id = 709
title = "Address for the report"
action = "EMAIL"

[[frame.step]]
id = 710
title = "Cause"
action = "SELECT"
options = ["Burst pipe", "Roof", "Other"]

[[frame]]
id = 71
name = "Quick note"

[[frame.step]]
id = 711
title = "Note"
action = "TEXT_FIELD"
"#;
