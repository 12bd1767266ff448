//! What someone sees who opens the console for the first time: one name for each item, one way to a decision, the state of
//! a case apart from its decision, and what happens if a photo of a closed case is asked for again.

use serde_json::json;

use super::{Person, must_add_user};
use crate::support::{
    AMPLE, Answer, Api, TestServer,
    company_manifest::{ACME, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SHORT_FRAME, acme_on},
    eventually,
    evidence::{add_capture, add_document, close, create_item, identity_card, open_case, photo},
    on_both_databases,
};

on_both_databases!(
    a_better_photo_of_a_closed_case_is_asked_for_in_a_new_one,
    a_link_of_its_own_is_for_a_new_case_without_a_field_user,
    the_state_of_a_case_is_not_its_decision,
    a_row_of_the_list_has_one_link,
    an_item_has_one_name_on_a_page,
    what_is_found_on_several_items_is_said_once,
);

async fn acme_person(server: &TestServer, username: &str, role: &str) -> Person {
    must_add_user(server, username, &["--role", role, "--company", &ACME.to_string()]);
    Person::signed_in(server, username).await
}

/// What is between two texts of a page.
fn between<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("{start} is not in {page}"));
    rest.split(end).next().unwrap()
}

/// The number of the item that an upload made.
#[track_caller]
fn item_of(answer: &Answer) -> i64 {
    assert!(answer.status.is_success(), "{}", answer.text());
    answer.json()["itemId"].as_i64().expect("the item's number")
}

/// The names and values of the fields of a form, as the page has them.
fn fields_of(form: &str) -> Vec<(&str, &str)> {
    let inputs = form.split("<input ").skip(1).map(|input| input.split('>').next().unwrap());
    let field = |input| (between(input, "name=\"", "\""), between(input, " value=\"", "\""));
    inputs.map(field).filter(|(name, _)| *name != "csrf").collect()
}

/// The form at an item of a closed case that asks for a better photo.
fn form_at(page: &str, item: i64) -> &str {
    let card = between(page, &format!("<article class=\"item\" id=\"item-{item}\">"), "</article>");
    let fold = between(
        card,
        &format!("<summary>Ask for a better photo: Front of the house (item {item})</summary>"),
        "</details>",
    );
    assert!(fold.contains("closed and sealed, so nothing in it can change") && fold.contains("Water damage"), "{fold}");
    fold
}

/// Sends the form, and returns the page of the new case.
async fn ask(person: &Person, form: &str) -> String {
    let opened = person.post("/console/cases", &fields_of(form)).await.expect(303);
    let address = opened.header("location").unwrap().to_owned();
    assert!(address.ends_with("?done=asked"), "{address}");
    person.get(&address).await.expect(200).text()
}

async fn a_better_photo_of_a_closed_case_is_asked_for_in_a_new_one(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mona = acme_person(&server, "mona", "manager").await;
    let rita = acme_person(&server, "rita", "reviewer").await;
    let body = json!({ "frameId": FRAME, "title": "Burst pipe", "userMail": "field@acme.example" });
    let case = open_case(&api, &body).await;
    let first = item_of(&add_capture(&api, case, PHOTOGRAPHY, photo(1)).await);
    let path = format!("/console/cases/{case}");
    // While the case is open, the form is at the photo, too, and asks in the case.
    let page = mona.get(&path).await.expect(200).text();
    let summary = format!("<summary>Ask for a better photo: Front of the house (item {first})</summary>");
    assert!(page.contains(&summary) && !page.contains("Open the new case"), "{page}");
    let second = item_of(&add_capture(&api, case, PHOTOGRAPHY, photo(2)).await);
    close(&api, case).await.expect(200);
    let page = mona.get(&path).await.expect(200).text();
    assert!(
        page.contains("<a class=\"button quiet\" href=\"#items\">Ask for a better photo: choose it below</a>"),
        "{page}"
    );
    assert!(!page.contains("in another case"), "{page}");
    for item in [first, second] {
        let form = form_at(&page, item);
        assert!(form.contains("No message is sent: the field user finds the new case in the app: "), "{form}");
        assert!(form.contains("field@acme.example"), "{form}");
    }
    let new = ask(&mona, form_at(&page, second)).await;
    assert!(new.contains("This is the new case."), "{new}");
    assert!(between(&new, "<h1>", "<").contains("Better photo of Front of the house: Burst pipe"), "{new}");
    assert!(new.contains("<strong>open</strong>") && new.contains("<dd>Water damage</dd>"), "{new}");
    // The closed case did not change, and only managers ask.
    assert_eq!(mona.get(&path).await.expect(200).text().matches("<article").count(), 2);
    let seen = rita.get(&path).await.expect(200).text();
    assert!(!seen.contains("Ask for a better photo") && !seen.contains("field@acme.example"), "{seen}");
    assert!(seen.contains("A manager can ask the person for a better photo."), "{seen}");
    let french = mona.get_in_french(&path).await.expect(200).text();
    let summary = format!("Demander une meilleure photo\u{a0}: Front of the house (élément {first})</summary>");
    assert!(
        french.contains(&summary) && french.contains("clos et scellé\u{a0}: rien ne peut plus y changer"),
        "{french}"
    );
}

async fn a_link_of_its_own_is_for_a_new_case_without_a_field_user(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mona = acme_person(&server, "mona", "manager").await;
    for (body, report) in [
        (
            json!({ "frameId": FRAME, "linkOptions": { "reportToken": "claim 12" }, "reportToken": "claim 12" }),
            Some("claim 12"),
        ),
        // Without a report, the case is the report of the new one.
        (json!({ "frameId": FRAME }), None),
    ] {
        let case = open_case(&api, &body).await;
        let item = item_of(&add_capture(&api, case, PHOTOGRAPHY, photo(1)).await);
        close(&api, case).await.expect(200);
        let page = mona.get(&format!("/console/cases/{case}")).await.expect(200).text();
        // There is one photo, so the way at the top leads to its form.
        let way = format!("<a class=\"button quiet\" href=\"#better-{item}\">Ask for a better photo</a>");
        assert!(page.contains(&way), "{page}");
        let form = form_at(&page, item);
        assert!(form.contains("The new case has a link of its own: send it to the person afterwards."), "{form}");
        let new = ask(&mona, form).await;
        let report = report.map_or_else(|| format!("CAS-{case}_CMP-{ACME}"), str::to_owned);
        assert!(new.contains(&format!("{report} · <a href=\"/console/cases?q=")), "{report}: {new}");
        let link = between(&new, "<a class=\"button quiet\" href=\"/console/links/", "</a>");
        assert!(link.ends_with(">Link for the person"), "{link}");
    }
}

async fn the_state_of_a_case_is_not_its_decision(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let rita = acme_person(&server, "rita", "reviewer").await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let path = format!("/console/cases/{case}");
    let status = async |person: &Person| {
        let page = person.get(&path).await.expect(200).text();
        // There is one way to a decision.
        assert!(
            page.matches("<details class=\"decide\"").count() <= 1 && !page.contains("href=\"#deciding\""),
            "{page}"
        );
        between(&page, "<dl class=\"facts summary status\">", "</dl>").to_owned()
    };
    let open = status(&vera).await;
    assert!(open.contains("<strong>open</strong>") && open.contains("<strong>not decided yet</strong>"), "{open}");
    close(&api, case).await.expect(200);
    let closed = eventually("the case is sealed", AMPLE, async || {
        let status = status(&vera).await;
        status.contains("<strong>closed and sealed</strong>").then_some(status)
    })
    .await;
    assert!(
        closed.contains("nothing in it can change") && closed.contains("<strong>not decided yet</strong>"),
        "{closed}"
    );
    let page = rita.get(&path).await.expect(200).text();
    assert!(page.contains("<summary class=\"button\">Accept, reject or return the case</summary>"), "{page}");
    let fields = [("outcome", "rejected"), ("reason", "too <old>")];
    let decided = rita.post(&format!("{path}/decision"), &fields).await.expect(303);
    let page = rita.get(decided.header("location").unwrap()).await.expect(200).text();
    assert!(page.contains("The person in the field gets no message, and you can decide again."), "{page}");
    assert!(page.contains("<summary class=\"button\">Decide again</summary>"), "{page}");
    let rejected = status(&vera).await;
    assert!(rejected.contains("<strong>closed and sealed</strong>"), "{rejected}");
    for expected in ["<strong>Rejected</strong> by rita, ", "<q>too &lt;old&gt;</q>"] {
        assert!(rejected.contains(expected), "{expected}: {rejected}");
    }
    assert!(!rejected.contains("not decided yet") && !rejected.contains("all decisions"), "{rejected}");
    rita.post(&format!("{path}/decision"), &[("outcome", "accepted")]).await.expect(303);
    let accepted = status(&vera).await;
    assert!(
        accepted.contains("<strong>Accepted</strong> by rita, ") && accepted.contains("all decisions (2)"),
        "{accepted}"
    );
    let french = vera.get_in_french(&path).await.expect(200).text();
    let french = between(&french, "<dl class=\"facts summary status\">", "</dl>");
    assert!(
        french.contains("<strong>clos et scellé</strong>") && french.contains("<strong>Accepté</strong> par rita, "),
        "{french}"
    );
}

async fn a_row_of_the_list_has_one_link(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "Hail <b>" })).await;
    let page = vera.get("/console/cases").await.expect(200).text();
    let row = between(&page, "<tbody><tr>", "</tr>");
    let link = format!(
        "<a href=\"/console/cases/{case}\">Hail &lt;b&gt; <span class=\"small\">CAS-{case}_CMP-{ACME}</span></a>"
    );
    assert!(row.contains(&link) && row.matches("<a ").count() == 1, "{row}");
    assert!(row.contains(">open</td>") && row.contains("not decided yet"), "{row}");
    let french = vera.get_in_french("/console/cases").await.expect(200).text();
    let row = between(&french, "<tbody><tr>", "</tr>");
    assert!(row.contains(&link) && row.contains("pas encore décidé"), "{row}");
}

/// Waits for the verdict of a case, and returns its page.
async fn judged(person: &Person, case: i64) -> String {
    eventually("the case is judged", AMPLE, async || {
        let page = person.get(&format!("/console/cases/{case}")).await.expect(200).text();
        page.contains("<p class=\"verdict\">").then_some(page)
    })
    .await
}

async fn an_item_has_one_name_on_a_page(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let earlier = open_case(&api, &json!({ "frameId": FRAME })).await;
    let original = item_of(&add_capture(&api, earlier, PHOTOGRAPHY, photo(1)).await);
    close(&api, earlier).await.expect(200);
    judged(&vera, earlier).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let copy = item_of(&add_capture(&api, case, PHOTOGRAPHY, photo(1)).await);
    let document = item_of(&add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await);
    close(&api, case).await.expect(200);
    let page = judged(&vera, case).await;
    for (item, title) in [(copy, "Front of the house"), (document, "Identity document")] {
        let name = format!("{title} (item {item})");
        let card = between(&page, &format!("id=\"item-{item}\">"), "</article>");
        assert!(card.starts_with(&format!("<h3>{name}</h3>")), "{card}");
        // The reference is there once, for those who need it.
        let reference = format!("ITM-{item}_CAS-{case}");
        assert!(card.contains(&format!("<dd>{reference}</dd>")) && page.matches(&reference).count() == 1, "{card}");
        let timeline = between(&page, "<ol class=\"timeline\">", "</ol>");
        assert!(timeline.contains(&format!("<a href=\"#item-{item}\">{name}</a>")), "{timeline}");
    }
    // The finding and the pictures that look alike call the item of the other case the same.
    let other = format!("item {original} of case {earlier}");
    assert!(page.contains(&format!("deposited before, as {other}.")), "{page}");
    assert!(page.contains(&format!("<a href=\"/console/cases/{earlier}#item-{original}\">{other}</a>")), "{page}");
    assert!(!page.contains(&format!("ITM-{original}_")), "{page}");
    let french = vera.get_in_french(&format!("/console/cases/{case}")).await.expect(200).text();
    let other = format!("élément {original} du dossier {earlier}");
    assert!(french.matches(&other).count() >= 2 && !french.contains(&format!("ITM-{original}_")), "{french}");
}

/// A photo that says it was made years before it was sent.
async fn add_old_photo(api: &Api, case: i64, seed: u64) -> i64 {
    let mut item = create_item(PHOTOGRAPHY, "front.jpg");
    item["frontCreatedAt"] = json!("2020-01-02T10:00:00.000+01:00");
    item_of(&api.upload(&format!("/v2/items/{case}"), &item, photo(seed)).await)
}

async fn what_is_found_on_several_items_is_said_once(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut old = Vec::new();
    for seed in [1, 2, 3] {
        old.push(add_old_photo(&api, case, seed).await);
    }
    close(&api, case).await.expect(200);
    let page = judged(&vera, case).await;
    let items = between(&page, "<section id=\"items\">", "</section>");
    assert_eq!(items.matches("48 hours").count(), 1, "{items}");
    let shared = between(items, "<div class=\"alert\" id=\"shared\">", "</div>");
    let line = shared.split("<li>").find(|line| line.contains("48 hours")).expect("a line of what is shared");
    for item in &old {
        assert!(line.contains(&format!("<a href=\"#item-{item}\">Front of the house (item {item})</a>")), "{line}");
        let card = between(items, &format!("id=\"item-{item}\">"), "</article>");
        assert!(card.contains("<a href=\"#shared\">Found on this item and on others</a>"), "{card}");
    }
    let rows: Vec<&str> = page.split("<tr class=\"finding\">").skip(1).collect();
    let rows: Vec<&&str> = rows.iter().filter(|row| row.split("</tr>").next().unwrap().contains("48 hours")).collect();
    assert_eq!(rows.len(), 1, "{page}");
}
