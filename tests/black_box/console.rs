//! The console: signing in, roles on every page and action, and deciding on a case.

mod about;
mod audit_export;
mod case_page;
mod clarity;
mod frame_preview;
mod passkeys;
mod person;
mod previews;
mod second_factor;
mod settings;
mod walk;
mod words;

use std::process::Output;

use hyper::Method;
use serde_json::{Value, json};

pub(crate) use self::person::{PASSWORD, Person, add_user, must_add_user};
use self::person::{csrf, url_encoded, value_of};
use crate::support::{
    TestServer,
    client::send,
    company_manifest::{ACME_FIELD, BOREALIS_API, SHORT_FRAME, acme_on, borealis},
    evidence::{close, open_case},
    on_both_databases,
    rows::Rows,
    server::said,
};

on_both_databases!(
    a_user_signs_in_and_out,
    a_wrong_password_an_unknown_user_and_a_removed_one_look_alike,
    a_form_needs_the_token_of_its_session,
    another_password_and_a_removed_user_end_all_sessions,
    a_stolen_session_has_few_guesses_at_the_password,
    a_reviewer_decides_and_the_interface_says_so,
    no_one_gives_a_role_that_is_higher_than_their_own,
    the_commands_explain_what_is_wrong,
);

async fn a_user_signs_in_and_out(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "reviewer", "--company", "7", "--name", "Maria R."]);
    let mut maria = Person::new(&server);
    // A page leads to the sign-in, and from there back to itself.
    let answer = maria.get("/console/cases?q=pipe").await.expect(303);
    assert_eq!(answer.header("location"), Some("/console/sign-in?next=%2Fconsole%2Fcases%3Fq%3Dpipe"));
    let page = maria.get("/console/sign-in?next=%2Fconsole%2Fcases%3Fq%3Dpipe").await.expect(200);
    assert_eq!(value_of(&page.text(), "name=\"next\" value=\""), "/console/cases?q=pipe");
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("x-frame-options"), Some("DENY"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");

    let answer = maria.sign_in("maria", PASSWORD).await.expect(303);
    let cookie = answer.header("set-cookie").unwrap();
    let attributes: Vec<&str> = cookie.split("; ").skip(1).collect();
    assert_eq!(attributes, ["Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Lax"]);
    let secret = maria.cookie.split_once('=').unwrap().1.to_owned();
    let page = maria.get("/console/account").await.expect(200).text();
    assert!(page.contains("Maria R.") && page.contains("Reviewer"), "{page}");
    assert!(!page.contains(&secret) && !server.log().contains(&secret) && !server.log().contains(PASSWORD));
    let rows: Vec<(String,)> = Rows::of(&server).await.all("select digest from console_sessions").await;
    assert!(rows.len() == 1 && rows[0].0 != secret);

    // A sign-in ends the session that the browser had before.
    let before = maria.clone();
    maria.sign_in("maria", PASSWORD).await.expect(303);
    before.get("/console/account").await.expect(303);
    // Another browser's session is seen, and can be ended.
    let other = Person::signed_in(&server, "maria").await;
    let page = maria.get("/console/account").await.expect(200).text();
    assert_eq!(page.matches("/console/account/sessions/").count(), 2, "{page}");
    let ids: Vec<(i64,)> = Rows::of(&server).await.all("select id from console_sessions order by id").await;
    maria.post(&format!("/console/account/sessions/{}/end", ids[1].0), &[]).await.expect(303);
    other.get("/console/account").await.expect(303);
    maria.post(&format!("/console/account/sessions/{}/end", ids[1].0), &[]).await.expect(404);

    let answer = maria.post("/console/sign-out", &[]).await.expect(303);
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
    maria.get("/console/account").await.expect(303);
}

async fn a_wrong_password_an_unknown_user_and_a_removed_one_look_alike(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "viewer", "--company", "7"]);
    must_add_user(&server, "paul", &["--role", "viewer", "--company", "7"]);
    assert!(server.run(&["user", "remove", "paul"]).status.success());
    let mut pages = Vec::new();
    for (username, password) in
        [("maria", "wrong"), ("unknown", PASSWORD), ("paul", PASSWORD), (ACME_FIELD.username, ACME_FIELD.password)]
    {
        let answer = Person::new(&server).sign_in(username, password).await.expect(401);
        assert_eq!(answer.header("set-cookie"), None);
        pages.push(answer.text().replace(username, "USERNAME"));
    }
    pages.dedup();
    assert_eq!(pages.len(), 1, "{pages:?}");
    // Guessing is limited for a username and an address.
    for _ in 0..20 {
        let status = Person::new(&server).sign_in("maria", "wrong").await.status;
        assert!(status == 401 || status == 429);
    }
    Person::new(&server).sign_in("maria", PASSWORD).await.expect(429);
    let kinds: Vec<(String, String)> = Rows::of(&server)
        .await
        .all("select distinct action, outcome from audit_records where actor_kind = 'console'")
        .await;
    assert!(kinds.contains(&("signIn".to_owned(), "refused".to_owned())), "{kinds:?}");
}

async fn a_form_needs_the_token_of_its_session(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "viewer", "--company", "7"]);
    let maria = Person::signed_in(&server, "maria").await;
    let other = Person::signed_in(&server, "maria").await;
    let foreign = csrf(&other.get("/console/account").await.expect(200));
    for fields in [vec![], vec![("csrf", "")], vec![("csrf", foreign.as_str())]] {
        let page = maria.send_form("/console/sign-out", &fields).await.expect(403).text();
        assert!(page.contains("load the page again"), "{page}");
    }
    maria.get("/console/account").await.expect(200);
    let token = csrf(&maria.get("/console/account").await.expect(200));
    let body = url_encoded(&[("csrf", &token)]);
    for (header, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example"), ("origin", "null")] {
        let request = maria.api.request(Method::POST, "/console/sign-out").header("cookie", &maria.cookie);
        let request = request.header("content-type", "application/x-www-form-urlencoded").header(header, value);
        send(request.body(body.clone())).await.expect(403);
    }
    // A proxy may replace the name of the host.
    let request = other.api.request(Method::POST, "/console/account/password").header("cookie", &other.cookie);
    let request = request.header("host", "backend.internal").header("origin", server.base_url());
    let body = url_encoded(&[("csrf", &foreign)]);
    send(request.header("content-type", "application/x-www-form-urlencoded").body(body)).await.expect(400);
    // Someone else's page cannot sign a person in.
    let request = server.anonymous().request(Method::POST, "/console/sign-in").header("sec-fetch-site", "cross-site");
    send(request.body(url_encoded(&[("username", "maria"), ("password", PASSWORD)]))).await.expect(403);
    // A large form is refused, and nothing is lost.
    let large = "x".repeat(100_000);
    maria.post("/console/account/password", &[("current", &large)]).await.expect(400);
    maria.get("/console/account").await.expect(200);
}

async fn another_password_and_a_removed_user_end_all_sessions(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "viewer", "--company", "7"]);
    let maria = Person::signed_in(&server, "maria").await;
    let other = Person::signed_in(&server, "maria").await;
    let new = "seventeen herons";
    for (current, new, problem) in [
        ("wrong", new, "current password: wrong"),
        (PASSWORD, "short", "must have 12 to 1000 characters"),
        (PASSWORD, "a maria in the password", "must not contain the username"),
    ] {
        let answer = maria.post("/console/account/password", &[("current", current), ("new", new)]).await.expect(400);
        assert!(answer.text().contains(problem), "{}", answer.text());
    }
    maria.post("/console/account/password", &[("current", PASSWORD), ("new", new)]).await.expect(303);
    maria.get("/console/account").await.expect(303);
    other.get("/console/account").await.expect(303);
    Person::new(&server).sign_in("maria", PASSWORD).await.expect(401);
    let mut maria = Person::new(&server);
    maria.sign_in("maria", new).await.expect(303);
    maria.get("/console/account").await.expect(200);
    assert!(server.run(&["user", "remove", "maria"]).status.success());
    maria.get("/console/account").await.expect(303);
    let output = server.run(&["user", "list", "--json"]);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), json!([]));
}

async fn a_stolen_session_has_few_guesses_at_the_password(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "viewer", "--company", "7"]);
    let maria = Person::signed_in(&server, "maria").await;
    for guess in 0..=20 {
        let (current, problem) =
            if guess < 20 { ("wrong", "current password: wrong") } else { (PASSWORD, "too many wrong attempts") };
        let fields = [("current", current), ("new", "seventeen herons")];
        let answer = maria.post("/console/account/password", &fields).await.expect(400).text();
        assert!(answer.contains(problem), "{guess}: {answer}");
    }
    let refused: Vec<(i64,)> = Rows::of(&server)
        .await
        .all("select count(*) from audit_records where action = 'changePassword' and outcome = 'refused'")
        .await;
    assert_eq!(refused, [(20,)]);
}

async fn a_reviewer_decides_and_the_interface_says_so(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "reviewer", "--company", "7"]);
    let maria = Person::signed_in(&server, "maria").await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "Pipe <b>burst</b>" })).await;
    let page = maria.get(&format!("/console/cases/{case}")).await.expect(200).text();
    assert!(page.contains("Pipe &lt;b&gt;burst&lt;/b&gt;") && !page.contains("<b>burst"), "{page}");
    let path = format!("/console/cases/{case}/decision");
    let read = format!("/v2/cases/{case}/decision");
    assert!(api.get(&read).await.expect(404).error_message().contains("no one has decided"));
    // An open case can be returned, not accepted.
    let refused = maria.post(&path, &[("outcome", "accepted")]).await.expect(400).text();
    assert!(refused.contains("the case is open"), "{refused}");
    close(&api, case).await.expect(200);
    for (fields, problem) in [
        (vec![("outcome", "rejected"), ("reason", " ")], "a reason is required"),
        (vec![("outcome", "burnt")], "choose accepted, rejected or returned"),
        (vec![], "choose accepted, rejected or returned"),
    ] {
        let page = maria.post(&path, &fields).await.expect(400).text();
        assert!(page.contains(problem), "{page}");
    }
    let certificate = api.get(&format!("/cases?caseId={case}")).await.text();
    maria.post(&path, &[("outcome", "accepted")]).await.expect(303);
    maria
        .post(&path, &[("outcome", "rejected"), ("reason", "The invoice is older than the damage.")])
        .await
        .expect(303);
    let decision = api.get(&read).await.expect(200).json();
    assert_eq!(decision["outcome"], "rejected");
    assert_eq!(decision["reason"], "The invoice is older than the damage.");
    assert_eq!((&decision["decidedBy"], &decision["caseId"]), (&json!("maria"), &json!(case)));
    assert_eq!(api.get(&format!("/cases?caseId={case}")).await.text(), certificate, "a decision changed the case");
    let page = maria.get(&format!("/console/cases/{case}")).await.expect(200).text();
    assert!(page.contains("Rejected") && page.contains("Accepted"), "{page}");
    let actions: Vec<(String,)> = Rows::of(&server)
        .await
        .all("select action from audit_records where actor_kind = 'console' and actor = 'maria' order by id")
        .await;
    let actions: Vec<&str> = actions.iter().map(|(action,)| action.as_str()).collect();
    assert_eq!(actions.iter().filter(|action| **action == "decideCase").count(), 2, "{actions:?}");
    assert!(actions.contains(&"showCase") && actions[0] == "signIn", "{actions:?}");
    // Another company's integrator learns nothing.
    server.must_apply(&borealis());
    let other = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    other.get(&read).await.expect(403);
}

async fn no_one_gives_a_role_that_is_higher_than_their_own(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    must_add_user(&server, "root", &["--role", "operator"]);
    must_add_user(&server, "boss", &["--role", "administrator", "--company", "7"]);
    must_add_user(&server, "other", &["--role", "viewer", "--company", "8"]);
    let boss = Person::signed_in(&server, "boss").await;
    let add = |username: &'static str, role: &'static str, company: &'static str| {
        vec![("username", username), ("role", role), ("company", company), ("password", "a bell buoy at night")]
    };
    boss.post("/console/users", &add("vera", "viewer", "7")).await.expect(303);
    for (username, role, company) in [("eve", "operator", ""), ("eve", "viewer", "8"), ("eve", "administrator", "")] {
        let status = boss.post("/console/users", &add(username, role, company)).await.status;
        assert_eq!(status, 400, "{role} of {company}");
    }
    let mut children = add("eve", "viewer", "7");
    children.push(("children", "on"));
    assert!(boss.post("/console/users", &children).await.expect(400).text().contains("you do not have"));
    assert!(boss.post("/console/users", &add("vera", "viewer", "7")).await.expect(400).text().contains("is taken"));
    let ids: Vec<(String, i64)> = Rows::of(&server).await.all("select username, id from console_users").await;
    let id = |name: &str| ids.iter().find(|(username, _)| username == name).unwrap().1;
    // Users of others look as if they did not exist.
    for name in ["root", "other"] {
        boss.post(&format!("/console/users/{}/remove", id(name)), &[]).await.expect(400);
        boss.post(&format!("/console/users/{}", id(name)), &[("role", "viewer")]).await.expect(400);
    }
    boss.post(&format!("/console/users/{}", id("vera")), &[("role", "operator")]).await.expect(400);
    boss.post(&format!("/console/users/{}", id("vera")), &[("role", "manager")]).await.expect(303);
    let page = boss.get("/console/users").await.expect(200).text();
    assert!(page.contains("vera") && !page.contains("root") && !page.contains("other"), "{page}");
    // The last operator stays.
    let root = Person::signed_in(&server, "root").await;
    let page = root.post(&format!("/console/users/{}/remove", id("root")), &[]).await.expect(400).text();
    assert!(page.contains("the last operator"), "{page}");
}

async fn the_commands_explain_what_is_wrong(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    for (arguments, problem) in [
        (vec!["--role", "viewer"], "a user with the role viewer needs a company"),
        (vec!["--role", "operator", "--company", "7"], "an operator belongs to the installation"),
        (vec!["--role", "viewer", "--company", "99"], "company: 99 does not exist"),
        (vec!["--role", "viewer", "--company", "x"], "must be the identifier of a company"),
        (vec!["--role", "king"], "possible values"),
    ] {
        let output = add_user(&server, "maria", &arguments);
        assert!(!output.status.success() && said(&output).contains(problem), "{}", said(&output));
    }
    for name in ["", "with space", "line\nbreak", &"x".repeat(101)] {
        let output = add_user(&server, name, &["--role", "viewer", "--company", "7"]);
        assert!(!output.status.success() && said(&output).contains("username: must be 1 to 100"), "{}", said(&output));
    }
    let output = server.run(&["user", "remove", "maria"]);
    assert!(!output.status.success() && said(&output).contains("no console user is called \"maria\""));
    let output = add_user(&server, "maria", &["--role", "manager", "--company", "7", "--with-children"]);
    assert!(output.status.success(), "{}", said(&output));
    // The commands of a test do not know the port that its server has got.
    let printed = |output: &Output| String::from_utf8_lossy(&output.stdout).trim().to_owned();
    assert_eq!(printed(&output), "maria is added with the role manager");
    for (variable, address, console) in [
        ("SEALWRIGHT_BASE_URL", "https://evidence.example", "https://evidence.example/console"),
        ("SEALWRIGHT_LISTEN", "127.0.0.1:9093", "http://127.0.0.1:9093/console"),
    ] {
        let arguments = ["user", "add", variable, "--role", "operator", "--password-env", "CONSOLE_TEST_PASSWORD"];
        let variables = [("CONSOLE_TEST_PASSWORD", PASSWORD), (variable, address)];
        let added = printed(&server.run_with(&arguments, &variables));
        assert_eq!(added, format!("{variable} is added with the role operator and signs in at {console}"));
    }
    let listed = said(&server.run(&["user", "list"]));
    assert!(listed.contains("7 and children") && !listed.contains(PASSWORD), "{listed}");
}
