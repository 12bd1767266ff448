//! Companies, their frames, users and webhooks in the console (operator's page, "Companies"; console.md, "Companies").

use hyper::Method;
use serde_json::{Value, json};

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Receiver, TestServer,
        client::send,
        company_manifest::{ACME, ACME_API, FRAME, SHORT_FRAME, acme, acme_on, borealis},
        eventually,
        evidence::{close, open_case},
        on_both_databases,
        receiver::Reply,
        server::said,
    },
};

on_both_databases!(
    a_company_is_made_and_used_without_a_file,
    a_company_is_kept_by_a_file_or_in_the_console,
    a_frame_is_edited_and_mistakes_are_named,
    two_people_who_edit_a_company_notice_each_other,
    keys_are_shown_once_rotated_and_ended,
    a_webhook_is_set_tested_and_keeps_its_secrets,
    weights_and_plugins_are_set_and_checked,
    cases_are_opened_and_links_listed,
);

/// The address of Acme's page.
const PAGE: &str = "/console/companies/7";

async fn operator(server: &TestServer) -> Person {
    must_add_user(server, "root", &["--role", "operator"]);
    Person::signed_in(server, "root").await
}

/// Acme, kept in the console, and its operator.
async fn kept(server: &TestServer) -> Person {
    let root = operator(server).await;
    root.post(&format!("{PAGE}/keep"), &[]).await.expect(303);
    root
}

/// The revision that the forms of a page repeat.
async fn revision(person: &Person, page: &str) -> String {
    let text = person.get(page).await.expect(200).text();
    let (_, rest) = text.split_once("name=\"revision\" value=\"").expect("a form with the revision");
    rest.split('"').next().unwrap().to_owned()
}

/// Sends a form of a company's page with its revision.
async fn change(person: &Person, path: &str, fields: &[(&str, &str)], status: u16) -> String {
    let revision = revision(person, PAGE).await;
    let fields = [fields, &[("revision", revision.as_str())]].concat();
    person.post(path, &fields).await.expect(status).text()
}

async fn a_company_is_made_and_used_without_a_file(server: TestServer) {
    let root = operator(&server).await;
    let add = |number: &'static str| [("number", number), ("name", "Tiles & Roofs"), ("analysis", "on")];
    for (number, problem) in [("", "number: enter one"), ("-3", "number: must be a positive whole number")] {
        let page = root.post("/console/companies", &add(number)).await.expect(400).text();
        assert!(page.contains(problem), "{page}");
    }
    root.post("/console/companies", &add("7")).await.expect(303);
    let again = root.post("/console/companies", &add("7")).await.expect(400).text();
    assert!(again.contains("company 7 exists"), "{again}");
    let page = root.get(PAGE).await.expect(200).text();
    assert!(page.contains("Tiles &amp; Roofs") && page.contains("kept in the console"), "{page}");

    let frame = [
        ("highest", "0"),
        ("name", "Roof"),
        ("steps", "1"),
        ("step-0-number", "1"),
        ("step-0-title", "Where"),
        ("step-0-action", "TEXT_FIELD"),
        ("do", "save"),
    ];
    change(&root, &format!("{PAGE}/frames/new"), &frame, 303).await;
    let user = [("kind", "api"), ("username", "roofs"), ("p_api:*", "on"), ("do", "add")];
    let page = change(&root, &format!("{PAGE}/users"), &user, 200).await;
    let api = server.sign_in("roofs", &shown_key(&page)).await;
    let frames = api.get("/frames").await.expect(200).json();
    assert_eq!(frames[0]["id"], 1_000_000_000, "{frames}");
    let case = open_case(&api, &json!({ "frameId": frames[0]["id"] })).await;
    close(&api, case).await.expect(200);

    // What was made in pages is a manifest like any other.
    let exported = server.run(&["company", "export", "7"]);
    let exported = String::from_utf8(exported.stdout).expect("UTF-8");
    assert!(exported.contains("name = \"Tiles & Roofs\"") && exported.contains("[[frame.step]]"), "{exported}");
    let pdf = root.get(&format!("{PAGE}/certificate.pdf")).await.expect(200);
    assert!(pdf.body.starts_with(b"%PDF-"));
}

fn shown_key(page: &str) -> String {
    let (_, rest) = page.split_once("<code>").expect("the page shows a key");
    rest.split('<').next().unwrap().to_owned()
}

async fn a_company_is_kept_by_a_file_or_in_the_console(server: TestServer) {
    let (_api, receiver) = acme_on(&server).await;
    let root = operator(&server).await;
    must_add_user(&server, "boss", &["--role", "administrator", "--company", "7"]);
    let boss = Person::signed_in(&server, "boss").await;
    let page = boss.get(PAGE).await.expect(200).text();
    assert!(page.contains("A file keeps this company") && page.contains("disabled"), "{page}");
    let fields = [("name", "Acme"), ("template", "default")];
    let page = change(&boss, &format!("{PAGE}/settings"), &fields, 400).await;
    assert!(page.contains("a file keeps this company"), "{page}");
    boss.post(&format!("{PAGE}/keep"), &[]).await.expect(403);

    root.post(&format!("{PAGE}/keep"), &[]).await.expect(303);
    let settings = format!("{PAGE}/settings");
    change(&boss, &settings, &[("name", "Acme & Co"), ("template", "default")], 303).await;
    // An administrator cannot shorten the time that the records of their own acts are kept.
    let shorter = [("name", "Acme & Co"), ("template", "default"), ("audit_days", "30")];
    let page = change(&boss, &settings, &shorter, 400).await;
    assert!(page.contains("only an operator can shorten"), "{page}");
    change(&root, &settings, &shorter, 303).await;
    change(&boss, &settings, &[("name", "Acme & Co"), ("template", "default"), ("audit_days", "400")], 303).await;
    assert!(boss.get(PAGE).await.expect(200).text().contains("Acme &amp; Co"));
    let local = [("name", "Acme & Co"), ("template", "default"), ("audit_days", "400"), ("language", "de")];
    let zoned = |zone: &'static str| [&local[..], &[("time_zone", zone)]].concat();
    let page = change(&boss, &settings, &zoned("Europe/Ulm"), 400).await;
    assert!(page.contains("time zone: expected"), "{page}");
    let with_files = |size: &'static str| [&zoned("Europe/Berlin")[..], &[("embed_originals", size)]].concat();
    let page = change(&boss, &settings, &with_files("51MB"), 400).await;
    assert!(page.contains("embedded originals: expected a size from 0 to 50MB"), "{page}");
    change(&boss, &settings, &with_files("20MB"), 303).await;
    assert!(boss.get(PAGE).await.expect(200).text().contains("value=\"20MB\""));
    change(&boss, &settings, &zoned("Europe/Berlin"), 303).await;
    let page = boss.get(PAGE).await.expect(200).text();
    assert!(page.contains("lang=\"de\" selected") && page.contains("value=\"Europe/Berlin\""), "{page}");

    let refused = server.apply(&acme(&receiver));
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("the company is kept in the console; `--take-over`"), "{}", said(&refused));
    assert!(boss.get(PAGE).await.expect(200).text().contains("Acme &amp; Co"), "the refused file changed something");
    let file = server.write_company_manifest(&acme(&receiver));
    let taken = server.run(&["apply", "--take-over", &file]);
    assert!(taken.status.success(), "{}", said(&taken));
    let page = boss.get(PAGE).await.expect(200).text();
    assert!(page.contains("A file keeps this company") && !page.contains("Acme &amp; Co"), "{page}");
    server.must_apply(&acme(&receiver));
}

async fn a_frame_is_edited_and_mistakes_are_named(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let root = kept(&server).await;
    let path = format!("{PAGE}/frames/{SHORT_FRAME}");
    let page = root.get(&path).await.expect(200).text();
    let step =
        page.split_once("name=\"step-0-number\" value=\"").expect("a step").1.split('"').next().unwrap().to_owned();
    let frame = |action: &'static str, button: &'static str| {
        let step = step.clone();
        vec![
            ("name", "Short, <b>renamed</b>".to_owned()),
            ("steps", "2".to_owned()),
            ("highest", "9999".to_owned()),
            ("step-0-number", step),
            ("step-0-title", "Note".to_owned()),
            ("step-0-action", "TEXT_FIELD".to_owned()),
            ("step-1-number", "9999".to_owned()),
            ("step-1-title", "Cause".to_owned()),
            ("step-1-action", action.to_owned()),
            ("do", button.to_owned()),
        ]
    };
    let send = async |fields: Vec<(&'static str, String)>, status: u16| {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        change(&root, &path, &fields, status).await
    };
    // A mistake is reported in the form's own words, and the entered values are kept.
    let page = send(frame("SELECT", "save"), 400).await;
    assert!(page.contains("step &quot;Cause&quot;, options"), "{page}");
    assert!(page.contains("value=\"Short, &lt;b&gt;renamed&lt;/b&gt;\""), "{page}");
    // A button of the form changes nothing that is stored.
    let page = send(frame("SELECT", "up-1"), 200).await;
    let first = page.find("value=\"Cause\"").expect("the step is on the page");
    assert!(first < page.find("value=\"Note\"").expect("the step is on the page"), "{page}");
    let frames = api.get("/frames").await.expect(200).json();
    assert!(!frames.to_string().contains("renamed"), "{frames}");

    let mut fields = frame("SELECT", "save");
    fields.push(("step-1-options", "Wind\r\nHail".to_owned()));
    send(fields, 303).await;
    eventually("the frame is changed", AMPLE, async || {
        let frames = api.get("/frames").await.expect(200).json();
        let is_short = |frame: &&Value| frame["id"] == SHORT_FRAME;
        let short = frames.as_array().expect("a list").iter().find(is_short).expect("the frame").to_string();
        (short.contains("renamed") && short.contains("Cause")).then_some(())
    })
    .await;
    let preview = root.get(&format!("{path}/preview")).await.expect(200).text();
    assert!(preview.contains("Cause") && preview.contains("Hail") && preview.contains("&lt;b&gt;renamed"), "{preview}");

    // The number of a removed step is not used again, whatever a form says.
    let mut fields = frame("TEXT_FIELD", "save");
    "1".clone_into(&mut fields[1].1);
    send(fields, 303).await;
    let page = send(frame("TEXT_FIELD", "save"), 400).await;
    assert!(page.contains("9999 was that of a removed step"), "{page}");
    let page = send(frame("TEXT_FIELD", "add"), 200).await;
    assert!(page.contains("name=\"step-2-number\" value=\"10000\""), "{page}");

    // A removed frame is closed to new cases, and open ones go on.
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    send(frame("SELECT", "remove"), 303).await;
    api.post("/cases/create", &json!({ "frameId": SHORT_FRAME })).await.expect(404);
    close(&api, case).await.expect(200);
    root.get(&path).await.expect(404);
}

async fn two_people_who_edit_a_company_notice_each_other(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let root = kept(&server).await;
    let seen = revision(&root, PAGE).await;
    let settings = format!("{PAGE}/settings");
    change(&root, &settings, &[("name", "First"), ("template", "default")], 303).await;
    let late = [("name", "Second"), ("template", "default"), ("revision", seen.as_str())];
    let page = root.post(&settings, &late).await.expect(400).text();
    assert!(page.contains("someone else has changed the company meanwhile"), "{page}");
    assert!(root.get(PAGE).await.expect(200).text().contains("First"));
    // A frame's form keeps the revision that it was made from, however often it is shown again.
    let frame = [("steps", "0"), ("highest", "0"), ("name", "X"), ("revision", seen.as_str())];
    for button in ["add", "save"] {
        let status = if button == "add" { 200 } else { 400 };
        let fields = [frame.as_slice(), &[("do", button)]].concat();
        let page = root.post(&format!("{PAGE}/frames/{FRAME}"), &fields).await.expect(status).text();
        assert!(page.contains(&format!("name=\"revision\" value=\"{seen}\"")), "{page}");
    }
}

async fn keys_are_shown_once_rotated_and_ended(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let root = kept(&server).await;
    let users = format!("{PAGE}/users");
    let user = ("user", ACME_API.user_id);
    let key = shown_key(&change(&root, &users, &[user, ("do", "rotate")], 200).await);
    assert!(!root.get(PAGE).await.expect(200).text().contains(&key), "the key is shown again");
    assert!(!server.log().contains(&key), "the key is in the log");
    let old = json!({ "username": ACME_API.username, "password": ACME_API.password });
    server.anonymous().post("/auth/token", &old).await.expect(401);
    let api_again = server.sign_in(ACME_API.username, &key).await;
    api_again.get("/frames").await.expect(200);
    change(&root, &users, &[user, ("do", "end")], 303).await;
    for ended in [&api_again, &api] {
        eventually("the user has ended", AMPLE, async || (ended.get("/frames").await.status == 401).then_some(()))
            .await;
    }
    let page = change(&root, &users, &[user, ("do", "rotate")], 400).await;
    assert!(page.contains("not a user of this company any more"), "{page}");
    let page = change(&root, &users, &[("kind", "api"), ("do", "add")], 400).await;
    assert!(page.contains("username: enter one"), "{page}");
}

async fn a_webhook_is_set_tested_and_keeps_its_secrets(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let root = kept(&server).await;
    let receiver = Receiver::start().await;
    let path = format!("{PAGE}/webhooks/case");
    let url = receiver.url("/cases");
    let secret = "a-secret-of-the-company";
    let save =
        [("endpoint", url.as_str()), ("auth", "hmac-sha256"), ("api_key", "k"), ("api_secret", secret), ("do", "save")];
    change(&root, &path, &save, 303).await;
    let page = root.get(PAGE).await.expect(200).text();
    assert!(page.contains(&url) && !page.contains(secret), "{page}");
    // An empty field keeps the secret, but not for another host or another way.
    for (endpoint, auth) in [("https://elsewhere.example/", "hmac-sha256"), (url.as_str(), "bearer")] {
        let page = change(&root, &path, &[("endpoint", endpoint), ("auth", auth), ("do", "save")], 400).await;
        assert!(page.contains("webhook, case"), "{page}");
    }
    let moved = receiver.url("/moved");
    change(&root, &path, &[("endpoint", moved.as_str()), ("auth", "hmac-sha256"), ("do", "save")], 303).await;
    let page = change(&root, &path, &[("do", "test")], 200).await;
    assert!(page.contains("the receiver answered 200"), "{page}");
    let sent = receiver.wait_for(1).await;
    sent[0].assert_signed("k", secret);
    assert_eq!((sent[0].target.as_str(), &sent[0].json()["test"]), ("/moved", &json!(true)));
    receiver.reply_with(Reply::Status(418));
    assert!(change(&root, &path, &[("do", "test")], 200).await.contains("the receiver answered 418"));
    receiver.reply_with(Reply::Status(200));
    assert_eq!(server.all_attempts(), Vec::<Value>::new(), "a test is not an attempt");
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    close(&api, case).await.expect(200);
    receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;

    let page = change(&root, &path, &[("endpoint", "ftp://x"), ("auth", "bearer"), ("do", "save")], 400).await;
    assert!(page.contains("webhook, case"), "{page}");
    change(&root, &path, &[("do", "end")], 303).await;
    let page = change(&root, &path, &[("do", "test")], 400).await;
    assert!(page.contains("the company has no case webhook"), "{page}");
    root.post(&format!("{PAGE}/webhooks/other"), &[]).await.expect(404);
}

async fn weights_and_plugins_are_set_and_checked(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let root = kept(&server).await;
    let path = format!("{PAGE}/plugins");
    let weights = |gps: &'static str| {
        let same = ["document", "image", "duplicate", "consistency", "device", "motion"].map(|signal| (signal, "2"));
        [same.as_slice(), &[("gps", gps)]].concat()
    };
    change(&root, &path, &[weights("5"), vec![("defaults", "on")]].concat(), 303).await;
    let exported = String::from_utf8(server.run(&["company", "export", "7"]).stdout).expect("UTF-8");
    assert!(exported.contains("gps = 5"), "{exported}");
    let page = change(&root, &path, &[weights("many"), vec![("defaults", "on")]].concat(), 400).await;
    assert!(page.contains("gps: must be a whole number"), "{page}");
    let own = [weights("1"), vec![("plugin", "document-type/document-types"), ("plugin", "cross-check/cross-check")]]
        .concat();
    change(&root, &path, &own, 303).await;
    let exported = String::from_utf8(server.run(&["company", "export", "7"]).stdout).expect("UTF-8");
    assert!(
        exported.contains("name = \"document-types\"") && exported.contains("name = \"cross-check\""),
        "{exported}"
    );
    let wrong = [own, vec![("settings:document-type/document-types#languages", "nope")]].concat();
    let page = change(&root, &path, &wrong, 400).await;
    assert!(page.contains("languages: must be one of these: fr, en"), "{page}");
}

async fn cases_are_opened_and_links_listed(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    must_add_user(&server, "mara", &["--role", "manager", "--company", "7"]);
    let mara = Person::signed_in(&server, "mara").await;
    let frame = format!("{ACME}/{FRAME}");
    let open = |fields: Vec<(&'static str, &'static str)>| {
        let mut fields: Vec<(String, String)> =
            fields.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        fields.push(("frame".to_owned(), frame.clone()));
        fields
    };
    let send_form = async |fields: Vec<(String, String)>, status: u16| {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        mara.post("/console/cases", &fields).await.expect(status)
    };
    for (fields, problem) in [
        (vec![("by", "link")], "report: a link needs one"),
        (vec![("by", "user")], "e-mail: enter the address"),
        (vec![("by", "user"), ("mail", "stranger@acme.example")], "userMail must be"),
        (vec![("report", "a/b"), ("by", "link")], "report: must have"),
        (vec![], "filled in by: choose"),
    ] {
        let page = send_form(open(fields), 400).await.text();
        assert!(page.contains(problem), "{page}");
    }
    let foreign = [("frame", "8/80"), ("by", "link"), ("report", "R")];
    mara.post("/console/cases", &foreign).await.expect(400);

    let opened = send_form(open(vec![("by", "link"), ("report", "claim 12"), ("title", "Hail")]), 303).await;
    let page_of_case = opened.header("location").unwrap().to_owned();
    let page = mara.get(&page_of_case).await.expect(200).text();
    assert!(page.contains("Hail") && page.contains("/console/links/"), "{page}");
    let case: i64 = page_of_case.rsplit('/').next().unwrap().parse().unwrap();
    close(&api, case).await.expect(200);
    // A closed case leads to the form for another one.
    let page = mara.get(&page_of_case).await.expect(200).text();
    let (_, rest) = page.split_once("href=\"/console/cases/new?").expect("a link to the form");
    let query = rest.split('"').next().unwrap().replace("&amp;", "&");
    let form = mara.get(&format!("/console/cases/new?{query}")).await.expect(200).text();
    assert!(form.contains("value=\"claim 12\"") && form.contains("value=\"Hail\""), "{form}");
    let by_user = open(vec![("by", "user"), ("mail", "field@acme.example"), ("title", "Flood")]);
    send_form(by_user, 303).await;

    // 60 links: two pages, and only those of the user's companies.
    for number in 0..60 {
        let body = json!({ "frameId": FRAME, "reportToken": format!("link {number}") });
        api.post("/link/create", &body).await.expect(201);
    }
    let listed = |page: &str| -> Vec<String> {
        let links = page.split("href=\"/console/links/").skip(1);
        links.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let first = mara.get("/console/links").await.expect(200).text();
    assert!(first.contains("link 59") && !first.contains("link 3 "), "{first}");
    let older = first.split_once("href=\"/console/links?after=").expect("a link to older links").1;
    let older = older.split('"').next().unwrap();
    let second = mara.get(&format!("/console/links?after={older}")).await.expect(200).text();
    let mut all = listed(&first);
    all.extend(listed(&second));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 61, "60 links, and that of the case");
    assert!(second.contains("ended") && !first.contains("ended"), "only the link of the closed case is over");
    for wrong in ["x", "00000000-0000-4000-8000-000000000000"] {
        mara.get(&format!("/console/links?after={wrong}")).await.expect(404);
    }
    must_add_user(&server, "other", &["--role", "manager", "--company", "8"]);
    let other = Person::signed_in(&server, "other").await;
    let page = other.get("/console/links").await.expect(200).text();
    assert!(listed(&page).is_empty(), "{page}");
    // The list can only be asked for with a session.
    send(server.anonymous().request(Method::GET, "/console/links")).await.expect(303);
}
