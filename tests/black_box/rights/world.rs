//! Three companies and their users: *Peregrine* (40) is the parent of *Cobalt* (41); *Xenolith* (48) is a stranger to
//! both. All private data of a company contains its name, so that a leak into another company's answer is detected.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicU32, Ordering},
};

use hyper::Method;
use serde_json::{Value, json};

use super::table::TABLE;
use crate::support::{
    Api, TestServer,
    client::send,
    evidence::{close, create_item, signature},
    rows::Rows,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Company {
    pub(super) id: i64,
    pub(super) name: &'static str,
}

pub(super) const PEREGRINE: Company = Company { id: 40, name: "Peregrine" };
pub(super) const COBALT: Company = Company { id: 41, name: "Cobalt" };
pub(super) const XENOLITH: Company = Company { id: 48, name: "Xenolith" };

/// The rights of spec 5 and decisions 3.
pub(super) const RIGHTS: [&str; 9] = [
    "p_api:case:create",
    "p_api:case:read",
    "p_api:case:update",
    "p_api:case:delete",
    "p_api:case:bulk_create",
    "p_api:case:bulk_update",
    "p_api:case:bulk_delete",
    "p_api:item:create",
    "p_api:company:update",
];

/// A user and their rights.
pub(super) struct Caller {
    pub(super) name: String,
    pub(super) api: Api,
    pub(super) rights: Vec<&'static str>,
}

pub(super) struct World {
    /// Cobalt's users: one for each right, one for each pair that a bulk operation needs, one with none, one with all.
    pub(super) users: Vec<Caller>,
    pub(super) cobalt: Api,
    pub(super) peregrine: Api,
    pub(super) xenolith: Api,
    /// The token of a user of Cobalt's that the operator has removed since.
    pub(super) gone: String,
}

/// The target of requests: the identifiers of one company's case, open or closed, and of what belongs to it.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) company: i64,
    pub(super) frame: i64,
    pub(super) case: i64,
    pub(super) link: String,
    pub(super) report: String,
    pub(super) user: String,
}

impl Company {
    pub(super) const fn frame(self) -> i64 {
        self.id * 10
    }

    /// A text, a document and a signature.
    pub(super) const fn steps(self) -> [i64; 3] {
        [self.id * 100 + 1, self.id * 100 + 2, self.id * 100 + 3]
    }

    pub(super) fn user(self) -> String {
        format!("usr-{}", self.id)
    }

    pub(super) fn mail(self) -> String {
        format!("{}@mail.example", self.user())
    }
}

impl World {
    pub(super) async fn build(server: &TestServer) -> Self {
        let mut users: Vec<(String, Vec<&'static str>)> = vec![("none".to_owned(), Vec::new())];
        users.extend(RIGHTS.iter().map(|right| (right.replace(':', "-"), vec![*right])));
        for action in ["create", "update", "delete"] {
            let pair = RIGHTS.iter().copied().filter(|right| {
                right.ends_with(&format!("case:{action}")) || right.ends_with(&format!("bulk_{action}"))
            });
            users.push((format!("both-{action}"), pair.collect()));
        }
        let cobalt: String = users.iter().map(|(name, rights)| user_table(COBALT, name, rights)).collect();
        let cobalt = company_manifest(COBALT, Some(PEREGRINE)) + &cobalt;
        let leaver = user_table(COBALT, "leaver", &["p_api:*"]);
        let others = [company_manifest(PEREGRINE, None), company_manifest(XENOLITH, None)];
        server.must_apply_all(&[&others[..], &[format!("{cobalt}{leaver}")]].concat());
        let gone = sign_in(server, "leaver").await.token.expect("a token");
        server.must_apply(&cobalt);
        let mut callers = Vec::new();
        for (name, rights) in users {
            let api = sign_in(server, &name).await;
            callers.push(Caller { name, api, rights });
        }
        let [cobalt, peregrine, xenolith] = [
            sign_in(server, &COBALT.user()).await,
            sign_in(server, &PEREGRINE.user()).await,
            sign_in(server, &XENOLITH.user()).await,
        ];
        callers.push(Caller { name: "all".to_owned(), api: cobalt.clone(), rights: RIGHTS.to_vec() });
        assert_walk_is_complete(&server.anonymous().get("/openapi.json").await.expect(200).json());
        Self { users: callers, cobalt, peregrine, xenolith, gone }
    }

    /// The same world after a restart: expired tokens are replaced. The removed user keeps theirs.
    pub(super) async fn signed_in_again(self, server: &TestServer) -> Self {
        let [cobalt, peregrine, xenolith] = [
            sign_in(server, &COBALT.user()).await,
            sign_in(server, &PEREGRINE.user()).await,
            sign_in(server, &XENOLITH.user()).await,
        ];
        Self { cobalt, peregrine, xenolith, ..self }
    }

    /// The client of a company's user with all rights.
    pub(super) fn of(&self, company: Company) -> &Api {
        match company.id {
            40 => &self.peregrine,
            41 => &self.cobalt,
            _ => &self.xenolith,
        }
    }

    /// A new case with its own link, its own report and a signature.
    pub(super) async fn target(&self, company: Company, is_closed: bool) -> Target {
        static MADE: AtomicU32 = AtomicU32::new(0);
        // Without the company's name, because an answer may repeat the request.
        let report = format!("report-{}-{}", company.id, MADE.fetch_add(1, Ordering::Relaxed));
        let api = self.of(company);
        let body = json!({
            "frameId": company.frame(),
            "title": format!("What {} saw", company.name),
            "metadata": { "policy": format!("{} 4711", company.name) },
            "caseContext": { "visibleData": { "issuer": format!("{} claims", company.name) } },
            "linkOptions": { "reportToken": report },
        });
        let created = api.post("/cases/create", &body).await.expect(201).json();
        let case = created["id"].as_i64().expect("id is a number");
        let link = created["magicLinkUrl"].as_str().expect("magicLinkUrl is text").rsplit('/').next().expect("a token");
        let mut item = create_item(company.steps()[2], &format!("{}.png", company.name));
        item["companyId"] = json!(company.id);
        send(api.upload_request(&format!("/v2/items/{case}"), &item, signature())).await.expect(200);
        if is_closed {
            close(api, case).await.expect(200);
        }
        Target {
            company: company.id,
            frame: company.frame(),
            case,
            link: link.to_owned(),
            report,
            user: company.user(),
        }
    }
}

impl Target {
    /// Identifiers that do not exist.
    pub(super) fn missing() -> Self {
        Self {
            company: 999_999,
            frame: 999_999,
            case: i64::MAX,
            link: "5f0c3a52-0d7e-4c11-9a53-6a1f0f7a9b42".to_owned(),
            report: "nobody-s-report".to_owned(),
            user: "usr-nobody".to_owned(),
        }
    }
}

/// Checks in the server's description that the walk omits no operation. Those named here return or are public bytes,
/// pages or states, or need more than the walk's companies have, and have their own tests.
fn assert_walk_is_complete(description: &Value) {
    const ELSEWHERE: [&str; 20] = [
        // It answers what a receiver answers.
        "/v2/company-options/case-webhook/test",
        "/v2/photos",
        "/v2/receipt-keys",
        "/v2/field/",
        "/field",
        "/v2/capture",
        "/v2/items/{itemId}/retake",
        "/v2/cases/{caseId}/disclosure",
        "/v2/cases/{caseId}/erasure",
        "/v2/cases/{caseId}/hold",
        "/v2/uploads",
        "/auth/token",
        "/images/",
        "/medias/video/",
        "/share/case/",
        "/link/{",
        "/openapi.json",
        "/docs",
        "/healthz",
        "/readyz",
    ];
    let paths = description["paths"].as_object().expect("paths is an object");
    for (path, operations) in paths {
        for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let is_served = operations[method.as_str().to_lowercase()].is_object();
            let is_walked = TABLE.iter().any(|row| row.fits(&method, path));
            let is_elsewhere = ELSEWHERE.iter().any(|start| path.starts_with(start));
            assert!(!is_served || is_walked || is_elsewhere, "no test covers {method} {path}");
        }
    }
}

/// The rows of a company that no one else may change. Rows that jobs add later are left out.
pub(super) async fn rows_of(rows: &mut Rows, company: Company) -> Vec<String> {
    let mut found = Vec::new();
    for sql in [
        "select company_id, 'case ' || id || ' ' || frame_id || ' ' || title || ' ' || coalesce(user_id, '-') || ' '
           || coalesce(link_token, '-') || ' ' || coalesce(report_token, '-') || ' ' || coalesce(context, '-') || ' '
           || coalesce(metadata, '-') || ' ' || coalesce(cast(scheduled_at as text), '-') || ' '
           || coalesce(cast(closed_at as text), '-') || ' ' || item_count from cases",
        "select c.company_id, 'item ' || i.id || ' ' || i.case_id || ' ' || i.data from items i
           join cases c on c.id = i.case_id",
        "select c.company_id, 'certificate ' || z.case_id || ' ' || z.share_token from certificates z
           join cases c on c.id = z.case_id",
        "select company_id, 'link ' || token || ' ' || uses from links",
        "select family_id, 'report ' || token from reports",
        "select company_id, 'webhook ' || kind || ' ' || endpoint || ' ' || mode || ' ' || source from webhooks",
        "select company_id, 'user ' || id || ' ' || rights from users",
    ] {
        let all: Vec<(i64, String)> = rows.all(sql).await;
        found.extend(all.into_iter().filter(|(owner, _)| *owner == company.id).map(|(_, text)| text));
    }
    found.sort();
    found
}

/// A user who was just applied can sign in at once, or within the time that a change may take.
async fn sign_in(server: &TestServer, name: &str) -> Api {
    server.sign_in(name, "a password for all").await
}

fn company_manifest(company: Company, parent: Option<Company>) -> String {
    let Company { id, name } = company;
    let [text, document, signature] = company.steps();
    let parent = parent.map(|parent| format!("parent = {}", parent.id)).unwrap_or_default();
    let mut manifest = format!(
        "[company]\nid = {id}\nname = \"{name} Mutual\"\ndocument_analysis = true\n{parent}\n\n[company.rate_limits]\n"
    );
    for operation in TABLE.iter().filter(|row| row.has_quota()) {
        writeln!(manifest, "\"{}\" = 100000", operation.key()).expect("writing to a string succeeds");
    }
    manifest += "\"POST /auth/token\" = 100000\n";
    manifest += &user_table(company, &company.user(), &["p_api:*"]);
    let frame = company.frame();
    write!(
        manifest,
        r#"
[[frame]]
id = {frame}
name = "{name} survey"

[[frame.step]]
id = {text}
title = "{name} note"
action = "TEXT_FIELD"

[[frame.step]]
id = {document}
title = "{name} paper"
action = "DOCUMENT_UPLOAD"

[[frame.step]]
id = {signature}
title = "{name} name"
action = "SIGNATURE"
"#
    )
    .expect("writing to a string succeeds");
    manifest
}

/// `usr-<company>` is the user that [`Company::user`] names. The others have their own names.
fn user_table(company: Company, name: &str, rights: &[&str]) -> String {
    let mail = if name == company.user() { company.mail() } else { format!("{name}@{}.example", company.name) };
    format!(
        "\n[[user]]\nid = \"{name}\"\nusername = \"{name}\"\npassword = \"a password for all\"\nemail = \"{mail}\"\n\
         name = \"{} {name}\"\nkind = \"api\"\nrights = {rights:?}\nlogged_in = true\n",
        company.name
    )
}
