//! The operations as the specification has them: the rights that each needs, and its answer about a case of the
//! caller's own company, about a foreign case and about a missing one (spec 4 to 5, decisions 2, 3, 5, 6, 8 and 10).
//! Written from those pages only.

use hyper::Method;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::world::Target;
use crate::support::{
    Answer, Api,
    evidence::{create_item, identity_card, signature},
};

/// The answer of an operation about one kind of target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// This status. A success does everything that the operation does, anything else nothing.
    Status(u16),
    /// 200, and the one element of a bulk request is in `success`.
    Succeeds,
    /// 200, and the one element is in `error`.
    Fails,
    /// 200, and an array of one.
    Finds,
    /// 200, and an empty array.
    FindsNothing,
}

use Expected::{Fails, Finds, FindsNothing, Status, Succeeds};

/// One operation.
pub(super) struct Row {
    pub(super) method: Method,
    pub(super) path: &'static str,
    /// The caller needs one of these sets of rights. Empty for public operations.
    needs: &'static [&'static [&'static str]],
    pub(super) ask: fn(&Api, &Target) -> RequestBuilder,
    /// The caller's own case, open and closed.
    pub(super) open: Expected,
    pub(super) closed: Expected,
    pub(super) missing: Expected,
    /// A stranger's, a parent's, a child's.
    pub(super) foreign: Expected,
    /// A child's, if it differs: spec 4.7.
    pub(super) of_child: Option<(Expected, Expected)>,
}

impl Row {
    pub(super) fn key(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub(super) fn is_public(&self) -> bool {
        self.needs.is_empty()
    }

    /// Whether a company manifest can raise its quota: false for another use of the same operation.
    pub(super) fn has_quota(&self) -> bool {
        !self.is_public() && !self.path.contains('?')
    }

    /// Whether a request calls this operation.
    pub(super) fn fits(&self, method: &Method, path: &str) -> bool {
        let path = path.split('?').next().unwrap_or_default();
        let (own, asked): (Vec<&str>, Vec<&str>) = (self.path.split('/').collect(), path.split('/').collect());
        let fits = |(own, asked): (&&str, &&str)| own == asked || own.starts_with(':');
        self.method == *method && own.len() == asked.len() && own.iter().zip(&asked).all(fits)
    }

    const fn of_child(mut self, open: Expected, closed: Expected) -> Self {
        self.of_child = Some((open, closed));
        self
    }

    pub(super) fn allows(&self, rights: &[&str]) -> bool {
        self.needs.iter().any(|all| all.iter().all(|right| rights.contains(right)))
    }
}

const CREATE: &[&[&str]] = &[&["p_api:case:create"]];
const READ: &[&[&str]] = &[&["p_api:case:read"]];
const CLOSE: &[&[&str]] = &[&["p_api:case:create"], &["p_api:case:update"]];

const fn row(
    method: Method,
    path: &'static str,
    needs: &'static [&'static [&'static str]],
    ask: fn(&Api, &Target) -> RequestBuilder,
    [open, closed, missing, foreign]: [Expected; 4],
) -> Row {
    Row { method, path, needs, ask, open, closed, missing, foreign, of_child: None }
}

pub(super) static TABLE: [Row; 23] = [
    row(Method::GET, "/frames", READ, |api, _| api.request(Method::GET, "/frames"), [Status(200); 4]),
    row(Method::GET, "/cases", READ, search, [Finds, Finds, FindsNothing, FindsNothing]),
    row(Method::POST, "/cases/create", CREATE, create, [Status(201), Status(201), Status(404), Status(404)]),
    row(
        Method::POST,
        "/cases/bulk-create",
        &[&["p_api:case:create", "p_api:case:bulk_create"]],
        |api, target| api.request(Method::POST, "/cases/bulk-create").json(&json!([{ "frameId": target.frame }])),
        [Succeeds, Succeeds, Fails, Fails],
    ),
    row(
        Method::GET,
        "/cases/close/:caseId",
        CLOSE,
        |api, target| api.request(Method::GET, &format!("/cases/close/{}", target.case)),
        [Status(200), Status(400), Status(400), Status(403)],
    ),
    row(
        Method::GET,
        "/cases/close/link/:magicLinkToken",
        CLOSE,
        |api, target| api.request(Method::GET, &format!("/cases/close/link/{}", target.link)),
        [Status(200), Status(400), Status(404), Status(403)],
    )
    .of_child(Status(200), Status(400)),
    row(
        Method::PATCH,
        "/cases/update",
        &[&["p_api:case:update"]],
        |api, target| api.request(Method::PATCH, "/cases/update").json(&update(target)),
        [Status(200), Status(400), Status(404), Status(403)],
    ),
    row(
        Method::PATCH,
        "/cases/bulk-update",
        &[&["p_api:case:update", "p_api:case:bulk_update"]],
        |api, target| api.request(Method::PATCH, "/cases/bulk-update").json(&json!([update(target)])),
        [Succeeds, Fails, Fails, Fails],
    ),
    row(
        Method::DELETE,
        "/cases/delete/:caseId",
        &[&["p_api:case:delete"]],
        |api, target| api.request(Method::DELETE, &format!("/cases/delete/{}", target.case)),
        [Status(200), Status(200), Status(400), Status(403)],
    ),
    row(
        Method::POST,
        "/cases/bulk-delete",
        &[&["p_api:case:delete", "p_api:case:bulk_delete"]],
        |api, target| api.request(Method::POST, "/cases/bulk-delete").json(&json!({ "caseIds": [target.case] })),
        [Succeeds, Succeeds, Fails, Fails],
    ),
    row(
        Method::GET,
        "/cases/:caseId/analysis",
        READ,
        |api, target| api.request(Method::GET, &format!("/cases/{}/analysis", target.case)),
        [Status(200), Status(200), Status(404), Status(403)],
    ),
    // Only a reviewer in the console decides, so there is none to read.
    row(
        Method::GET,
        "/v2/cases/:caseId/decision",
        READ,
        |api, target| api.request(Method::GET, &format!("/v2/cases/{}/decision", target.case)),
        [Status(404), Status(404), Status(404), Status(403)],
    ),
    row(Method::GET, "/v2/events", READ, |api, _| api.request(Method::GET, "/v2/events"), [Status(200); 4]),
    row(
        Method::POST,
        "/v2/items/:caseId/document",
        CREATE,
        |api, target| {
            let path = format!("/v2/items/{}/document", target.case);
            api.upload_request(&path, &item(target, 2), identity_card())
        },
        [Status(200), Status(400), Status(404), Status(403)],
    ),
    row(
        Method::POST,
        "/v2/items/create",
        CREATE,
        |api, target| entry(api, "/v2/items/create", target),
        [Status(201), Status(400), Status(404), Status(403)],
    ),
    row(
        Method::POST,
        "/v2/items/:caseId",
        &[&["p_api:item:create"]],
        |api, target| api.upload_request(&format!("/v2/items/{}", target.case), &item(target, 3), signature()),
        [Status(200), Status(400), Status(404), Status(403)],
    ),
    row(
        Method::POST,
        "/api/items",
        CREATE,
        |api, target| entry(api, "/api/items", target),
        [Status(201), Status(400), Status(404), Status(403)],
    ),
    row(
        Method::GET,
        "/reports/:reportToken",
        &[],
        |api, target| api.request(Method::GET, &format!("/reports/{}", target.report)),
        [Status(200), Status(200), Status(404), Status(200)],
    ),
    row(
        Method::POST,
        "/reports/report/:reportToken",
        READ,
        |api, target| {
            let path = format!("/reports/report/{}", target.report);
            api.request(Method::POST, &path).json(&json!({ "format": "metadata" }))
        },
        // An open case has no certificate.
        [Status(404), Status(200), Status(404), Status(403)],
    ),
    row(
        Method::POST,
        "/company-options/api-settings",
        &[&["p_api:company:update"]],
        |api, _| {
            let body = json!({ "endpoint": "https://hooks.example.com/cases", "authToken": "a-token" });
            api.request(Method::POST, "/company-options/api-settings").json(&body)
        },
        [Status(200); 4],
    ),
    row(Method::GET, "/company-options", READ, |api, _| api.request(Method::GET, "/company-options"), [Status(200); 4]),
    row(
        Method::POST,
        "/link/create",
        CREATE,
        |api, target| api.request(Method::POST, "/link/create").json(&json!({ "frameId": target.frame })),
        [Status(201), Status(201), Status(404), Status(404)],
    ),
    row(
        Method::GET,
        "/cases?companyId",
        READ,
        |api, target| {
            api.request(
                Method::GET,
                &format!("/cases?format=metadata&companyId={}&caseId={}", target.company, target.case),
            )
        },
        [Finds, Finds, Status(403), Status(403)],
    ),
];

/// Operations that change nothing can reuse their targets.
fn search(api: &Api, target: &Target) -> RequestBuilder {
    api.request(Method::GET, &format!("/cases?format=metadata&withReportToken=true&caseId={}", target.case))
}

fn create(api: &Api, target: &Target) -> RequestBuilder {
    api.request(Method::POST, "/cases/create").json(&json!({ "frameId": target.frame }))
}

fn update(target: &Target) -> Value {
    json!({ "caseId": target.case, "title": "changed", "metadata": { "changed": "yes" } })
}

fn item(target: &Target, step: i64) -> Value {
    let mut item = create_item(target.company * 100 + step, "added");
    item["companyId"] = json!(target.company);
    item
}

fn entry(api: &Api, path: &str, target: &Target) -> RequestBuilder {
    let mut body = item(target, 1);
    body["caseId"] = json!(target.case);
    api.request(Method::POST, path).json(&body)
}

impl Expected {
    /// Whether nothing may have changed.
    pub(super) fn is_refusal(self) -> bool {
        match self {
            Status(status) => status >= 400,
            Fails => true,
            Succeeds | Finds | FindsNothing => false,
        }
    }

    /// If the answer differs.
    pub(super) fn check(self, answer: &Answer, what: &str) {
        let status = if let Status(status) = self { status } else { 200 };
        assert_eq!(answer.status, status, "{what}: {}", answer.text());
        let lengths = |body: &Value| ["success", "error"].map(|list| body[list].as_array().map(Vec::len));
        match self {
            Status(400..) => drop(answer.error_message()),
            Status(_) => {}
            Succeeds => assert_eq!(lengths(&answer.json()), [Some(1), Some(0)], "{what}: {}", answer.text()),
            Fails => assert_eq!(lengths(&answer.json()), [Some(0), Some(1)], "{what}: {}", answer.text()),
            Finds => assert_eq!(answer.json().as_array().map(Vec::len), Some(1), "{what}: {}", answer.text()),
            FindsNothing => assert_eq!(answer.json(), json!([]), "{what}"),
        }
    }
}
