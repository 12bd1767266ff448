//! The walk: every page and action of the console, by every role, on a case of the user's company, of a child of it, and of
//! another company. The table says what is expected; `http::console::tests` compares its addresses with those that the server has.

use std::fmt::Write as _;

use hyper::Method;
use serde_json::json;

use super::{Person, must_add_user, person::csrf};
use crate::support::{
    Answer, Api, TestServer,
    company_manifest::{
        BOREALIS_API, BOREALIS_FRAME, COSMOS_API, COSMOS_FRANCE_API, COSMOS_FRANCE_FRAME, COSMOS_SHARED_FRAME,
        borealis, cosmos, cosmos_france,
    },
    evidence::{create_item, open_case, photo},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(each_role_reaches_what_the_table_allows_and_nothing_else, strangers_reach_nothing_but_the_sign_in);

const ROLES: [&str; 5] = ["viewer", "reviewer", "manager", "administrator", "operator"];

/// A page or an action: its address, with `{case}`, `{item}`, `{link}`, `{user}`, `{company}` and `{frame}` in place, and
/// the lowest role.
struct Row {
    method: Method,
    path: &'static str,
    role: &'static str,
    /// The answer to a role that suffices, on something of the user's company.
    status: u16,
}

const fn get(path: &'static str, role: &'static str, status: u16) -> Row {
    Row { method: Method::GET, path, role, status }
}

const fn post(path: &'static str, role: &'static str, status: u16) -> Row {
    Row { method: Method::POST, path, role, status }
}

/// Forms are sent without their fields, so that most of what they would do is refused with 400.
const TABLE: [Row; 58] = [
    get("/console", "viewer", 303),
    get("/console/account", "viewer", 200),
    post("/console/account/password", "viewer", 400),
    post("/console/account/sessions/999999/end", "viewer", 404),
    post("/console/account/second-factor/start", "viewer", 200),
    post("/console/account/second-factor/enable", "viewer", 400),
    post("/console/account/second-factor/disable", "viewer", 400),
    get("/console/cases", "viewer", 200),
    get("/console/cases.csv", "viewer", 200),
    get("/console/cases/{case}", "viewer", 200),
    get("/console/cases/{case}/items/{item}/file", "viewer", 303),
    get("/console/cases/{case}/items/{item}/pages/1", "viewer", 200),
    get("/console/cases/{case}/certificate", "viewer", 200),
    // The case is open.
    get("/console/cases/{case}/package", "viewer", 404),
    post("/console/cases/{case}/decision", "reviewer", 400),
    post("/console/cases/{case}/items/{item}/retake", "manager", 400),
    post("/console/cases/{case}/items/{item}/erase", "manager", 400),
    post("/console/cases/{case}/delete", "manager", 400),
    post("/console/cases/{case}/attempts/999999/resend", "manager", 400),
    post("/console/cases/{case}/jobs/999999/retry", "manager", 400),
    get("/console/links", "manager", 200),
    post("/console/links", "manager", 400),
    get("/console/links/{link}", "manager", 200),
    post("/console/links/{link}/end", "manager", 303),
    post("/console/cases/{case}/close", "manager", 303),
    get("/console/users", "administrator", 200),
    post("/console/users", "administrator", 400),
    post("/console/users/{user}", "administrator", 400),
    post("/console/users/999999/remove", "administrator", 400),
    get("/console/audit", "administrator", 200),
    get("/console/audit.jsonl", "administrator", 200),
    get("/console/audit.csv", "administrator", 200),
    get("/console/operation", "operator", 200),
    post("/console/filters", "viewer", 400),
    post("/console/filters/999999/delete", "viewer", 303),
    get("/console/cases/new", "manager", 200),
    post("/console/cases", "manager", 400),
    get("/console/companies", "administrator", 200),
    post("/console/companies", "operator", 400),
    get("/console/companies/{company}", "administrator", 200),
    post("/console/companies/{company}/keep", "operator", 303),
    post("/console/companies/{company}/settings", "administrator", 400),
    get("/console/companies/{company}/frames/{frame}", "administrator", 200),
    post("/console/companies/{company}/frames/{frame}", "administrator", 400),
    get("/console/companies/{company}/frames/{frame}/preview", "administrator", 200),
    post("/console/companies/{company}/users", "administrator", 400),
    post("/console/companies/{company}/webhooks/case", "administrator", 400),
    post("/console/companies/{company}/plugins", "administrator", 400),
    get("/console/companies/{company}/certificate.pdf", "administrator", 200),
    get("/console/cases/{case}/items/{item}/preview", "viewer", 200),
    get("/console/backtests", "operator", 200),
    post("/console/backtests", "operator", 400),
    get("/console/backtests/999999", "operator", 404),
    post("/console/backtests/999999/stop", "operator", 404),
    post("/console/cases/{case}/hold", "administrator", 400),
    post("/console/cases/{case}/hold/end", "administrator", 400),
    post("/console/account/passkeys", "viewer", 400),
    post("/console/account/passkeys/999999/remove", "viewer", 400),
];

/// What a row's address can name, of one company.
struct Target {
    case: i64,
    item: i64,
    link: String,
    user: i64,
    company: i64,
    frame: i64,
}

impl Target {
    async fn of(server: &TestServer, api: &Api, (company, frame): (i64, i64), user: &str) -> Self {
        must_add_user(server, user, &["--role", "viewer", "--company", &company.to_string()]);
        let users: Vec<(String, i64)> = Rows::of(server).await.all("select username, id from console_users").await;
        let (case, item) = Self::case(api, company, frame).await;
        let link = api.post("/link/create", &json!({ "frameId": frame })).await.expect(201).json();
        Self {
            case,
            item,
            link: link["token"].as_str().unwrap().to_owned(),
            user: users.iter().find(|(username, _)| username == user).unwrap().1,
            company,
            frame,
        }
    }

    async fn case(api: &Api, company: i64, frame: i64) -> (i64, i64) {
        let case = open_case(api, &json!({ "frameId": frame })).await;
        let mut body = create_item(photo_step(frame), "");
        body["companyId"] = json!(company);
        let item = api.upload(&format!("/v2/items/{case}"), &body, photo(1)).await.expect(200).json();
        let item = item["itemId"].as_i64().expect("the item's identifier");
        (case, item)
    }

    fn fill(&self, path: &str) -> String {
        path.replace("{case}", &self.case.to_string())
            .replace("{item}", &self.item.to_string())
            .replace("{link}", &self.link)
            .replace("{user}", &self.user.to_string())
            .replace("{company}", &self.company.to_string())
            .replace("{frame}", &self.frame.to_string())
    }
}

/// The companies' frames have one step, for a note. This adds one for photos to each.
fn with_photos(company_manifest: &str) -> String {
    let mut text = String::new();
    for (number, part) in company_manifest.split("[[frame]]\n").enumerate() {
        if number == 0 {
            text.push_str(part);
            continue;
        }
        let id: i64 = part.lines().next().unwrap().strip_prefix("id = ").unwrap().parse().unwrap();
        let step = photo_step(id);
        write!(text, "[[frame]]\n{part}\n[[frame.step]]\nid = {step}\ntitle = \"Picture\"\naction = \"PHOTOGRAPHY\"\n")
            .unwrap();
    }
    text
}

const fn photo_step(frame: i64) -> i64 {
    frame * 10 + 9
}

fn names_something(path: &str) -> bool {
    path.contains('{')
}

/// `token`: that of the session's forms, read once. The walk must not use up the client's quota.
async fn send(person: &Person, token: &str, row: &Row, path: &str) -> Answer {
    if row.method == Method::GET { person.get(path).await } else { person.send_form(path, &[("csrf", token)]).await }
}

async fn each_role_reaches_what_the_table_allows_and_nothing_else(server: TestServer) {
    for manifest in [cosmos(), cosmos_france(), borealis()] {
        server.must_apply(&with_photos(&manifest));
    }
    let [parent, child, other] = [COSMOS_API, COSMOS_FRANCE_API, BOREALIS_API];
    let parent = server.sign_in(parent.username, parent.password).await;
    let child = server.sign_in(child.username, child.password).await;
    let other = server.sign_in(other.username, other.password).await;
    let foreign = Target::of(&server, &other, (8, BOREALIS_FRAME), "of-other").await;
    for (level, role) in ROLES.into_iter().enumerate() {
        for wide in [false, true] {
            if role == "operator" && wide {
                continue;
            }
            let name = format!("{role}-{wide}");
            let mut arguments = vec!["--role", role];
            if role != "operator" {
                arguments.extend(["--company", "20"]);
            }
            if wide {
                arguments.push("--with-children");
            }
            must_add_user(&server, &name, &arguments);
            let person = Person::signed_in(&server, &name).await;
            let token = csrf(&person.get("/console/account").await.expect(200));
            // Of their own each, because closing and ending change something.
            let own = Target::of(&server, &parent, (20, COSMOS_SHARED_FRAME), &format!("own-{name}")).await;
            let childs = Target::of(&server, &child, (21, COSMOS_FRANCE_FRAME), &format!("child-{name}")).await;
            for row in &TABLE {
                let needed = ROLES.iter().position(|role| *role == row.role).unwrap();
                let allowed = level >= needed;
                let answer = send(&person, &token, row, &own.fill(row.path)).await;
                let expected = if allowed { row.status } else { 403 };
                assert_eq!(answer.status, expected, "{name}: {} {}: {}", row.method, row.path, answer.text());
                if answer.status == 200 {
                    // A browser may keep a picture, and has to ask each time.
                    let kept = if row.path.ends_with("{item}/preview") { "private, no-cache" } else { "no-store" };
                    assert_eq!(answer.header("cache-control"), Some(kept), "{}", row.path);
                }
                if !names_something(row.path) {
                    continue;
                }
                for (whose, target, reachable) in
                    [("child", &childs, wide || role == "operator"), ("foreign", &foreign, role == "operator")]
                {
                    if reachable && row.status == 303 && row.method == Method::POST {
                        continue;
                    }
                    let answer = send(&person, &token, row, &target.fill(row.path)).await;
                    let expected = match (allowed, reachable) {
                        (false, _) => 403,
                        (true, true) => row.status,
                        // A form shows what is wrong on the page of the user's own list.
                        (true, false) if row.path.starts_with("/console/users/") => 400,
                        (true, false) => 404,
                    };
                    assert_eq!(answer.status, expected, "{name}, {whose}: {} {}", row.method, row.path);
                    if expected == 404 {
                        let text = answer.text();
                        assert!(!text.contains("Borealis") && !text.contains("France"), "{text}");
                    }
                }
            }
        }
    }
    // Nothing of the other company was changed by anyone but its operator.
    let cases: Vec<(i64, Option<i64>)> =
        Rows::of(&server).await.all("select id, closed_at from cases where company_id = 8").await;
    assert_eq!(cases, [(foreign.case, None)]);
    let refused: Vec<(i64,)> =
        Rows::of(&server).await.all("select count(*) from audit_records where outcome = 'refused'").await;
    assert!(refused[0].0 > 0, "refusals are not in the audit log");
}

async fn strangers_reach_nothing_but_the_sign_in(server: TestServer) {
    server.must_apply(&with_photos(&borealis()));
    let api = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let target = Target::of(&server, &api, (8, BOREALIS_FRAME), "someone").await;
    let stranger = Person::new(&server);
    let forged = Person { cookie: format!("sealwright-console={}", "a".repeat(64)), ..stranger.clone() };
    for person in [&stranger, &forged] {
        for row in &TABLE {
            let path = target.fill(row.path);
            let answer =
                if row.method == Method::GET { person.get(&path).await } else { person.send_form(&path, &[]).await };
            let location = answer.expect(303).header("location").unwrap().to_owned();
            assert!(location.starts_with("/console/sign-in"), "{path} leads to {location}");
        }
        person.get("/console/second-factor").await.expect(303);
        person.get("/console/sign-in").await.expect(200);
        // The settings name no provider, so the password is the only way in.
        person.get("/console/sign-in/openid").await.expect(404);
        person.get("/console/sign-in/openid/callback").await.expect(404);
    }
    // The token of the interface opens nothing here.
    api.get("/console/cases").await.expect(303);
    api.get(&format!("/console/cases/{}", target.case)).await.expect(303);
}
