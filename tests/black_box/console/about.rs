//! What a newcomer looks for: whom a case is about, what is missing, what was asked for, why a verdict is what it is, and
//! what a link is for.

use serde_json::json;

use super::{Person, must_add_user};
use crate::support::{
    AMPLE, TestServer,
    analyst::Analyst,
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SHORT_FRAME, acme_on},
    eventually,
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    a_case_says_who_it_is_about_and_a_search_what_it_met,
    an_open_case_lists_what_is_missing,
    a_request_says_what_it_replaces,
    a_verdict_says_what_lowered_it_in_the_page_s_language,
    a_link_says_what_it_is_for_and_leads_back,
);

/// The only step of the short frame.
const NOTE: i64 = 711;

async fn acme_person(server: &TestServer, username: &str, role: &str) -> Person {
    must_add_user(server, username, &["--role", role, "--company", "7"]);
    Person::signed_in(server, username).await
}

/// What is between two texts of a page.
fn between<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("{start} is not in {page}"));
    rest.split(end).next().unwrap()
}

async fn a_case_says_who_it_is_about_and_a_search_what_it_met(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let rita = acme_person(&server, "rita", "reviewer").await;
    let person = json!({ "firstName": "Léa", "lastName": "Durand <b>" });
    let body = json!({
        "frameId": SHORT_FRAME, "title": "Burst pipe", "reportToken": "claim 12",
        "caseContext": { "visibleData": { "beneficiary": person } }, "metadata": { "Roofer": "Dupont & Sons" },
    });
    let case = open_case(&api, &body).await;
    add_entry(&api, case, NOTE, "Repaired by the plumber Mirabellon").await.expect(201);
    let page = rita.get(&format!("/console/cases/{case}")).await.expect(200).text();
    let heading = between(&page, "<h1>", "</h1>");
    for expected in ["Burst pipe", "Léa Durand &lt;b&gt;", "claim 12", &format!("CAS-{case}_CMP-7")] {
        assert!(heading.contains(expected), "{expected}: {heading}");
    }
    // The row says where the word is.
    let row = eventually("the entry is found", AMPLE, async || {
        let page = rita.get("/console/cases?q=mirab").await.expect(200).text();
        page.contains("<tbody>").then(|| between(&page, "<tbody>", "</tbody>").to_owned())
    })
    .await;
    for expected in ["Found: Note: Repaired by the plumber Mirabellon", "Léa Durand &lt;b&gt;", "claim 12"] {
        assert!(row.contains(expected), "{expected}: {row}");
    }
    let page = rita.get("/console/cases?q=dupont").await.expect(200).text();
    assert!(page.contains("Found: Roofer: Dupont &amp; Sons"), "{page}");
    // What the row shows anyway needs no explanation.
    for query in ["burst", "durand", "claim"] {
        let page = rita.get(&format!("/console/cases?q={query}")).await.expect(200).text();
        assert!(page.contains("Burst pipe") && !page.contains("Found: "), "{query}: {page}");
    }
    let page = rita.get_in_french("/console/cases?q=mirab").await.expect(200).text();
    assert!(page.contains("Trouvé\u{a0}: Note") && page.contains("Type de dossier"), "{page}");
}

async fn an_open_case_lists_what_is_missing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let path = format!("/console/cases/{case}");
    let missing = async || {
        let page = vera.get(&path).await.expect(200).text();
        between(&page, "<section id=\"missing\">", "</section>").to_owned()
    };
    let before = missing().await;
    for expected in [
        "Front of the house · <strong>required</strong>",
        "Last name · <strong>required</strong>",
        "Cause · <span class=\"small\">optional</span>",
    ] {
        assert!(before.contains(expected), "{expected}: {before}");
    }
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let after = missing().await;
    assert!(!after.contains("Front of the house") && after.contains("Last name"), "{after}");
    // Nothing is required on the short frame.
    let short = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let page = vera.get(&format!("/console/cases/{short}")).await.expect(200).text();
    assert!(page.contains("Everything that is required has come."), "{page}");
    close(&api, short).await.expect(200);
    let page = vera.get(&format!("/console/cases/{short}")).await.expect(200).text();
    assert!(!page.contains("id=\"missing\""), "{page}");
}

async fn a_request_says_what_it_replaces(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mona = acme_person(&server, "mona", "manager").await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "userMail": "field@acme.example" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let items: Vec<(i64,)> = Rows::of(&server).await.all("select id from items").await;
    let (path, item) = (format!("/console/cases/{case}"), items[0].0);
    let request = format!("{path}/items/{item}/retake");
    let page = mona.get(&path).await.expect(200).text();
    assert!(!page.contains("takes the place"), "{page}");
    // The way to the form is at the top, and the form is at the item.
    let way = format!("<a class=\"button quiet\" href=\"#retake-{item}\">Ask for a better photo</a>");
    assert!(page.contains(&way) && page.contains(&format!("<textarea id=\"retake-{item}\"")), "{page}");
    assert!(page.contains("<summary class=\"button\">Return the case</summary>"), "{page}");
    mona.post(&request, &[("reason", "too <dark>")]).await.expect(303);
    let page = mona.get(&path).await.expect(200).text();
    assert!(page.contains("takes the place of the open one") && page.contains("<q>too &lt;dark&gt;</q>"), "{page}");
    assert!(
        page.contains("Open. Another capture was requested") && page.contains(" by mona: too &lt;dark&gt;"),
        "{page}"
    );
    assert!(page.contains("Front of the house · <strong>required: asked for again</strong>"), "{page}");
    let timeline = between(&page, "<ol class=\"timeline\">", "</ol>");
    assert!(timeline.contains(", by mona: <q>too &lt;dark&gt;</q>"), "{page}");
    assert!(!page.contains("Earlier requests"), "{page}");
    // The top of the page has the request, too.
    let asked = between(&page, "<dt>Asked for again</dt>", "</dd>");
    let expected = format!("<a href=\"#item-{item}\">Front of the house (item {item})</a>: <q>too &lt;dark&gt;</q>");
    assert!(asked.contains(&expected), "{asked}");
    let maud = acme_person(&server, "maud", "manager").await;
    maud.post(&request, &[("reason", "blurred")]).await.expect(303);
    let page = mona.get(&path).await.expect(200).text();
    assert!(page.contains(" by maud: blurred") && !page.contains(" by mona: too &lt;dark&gt;"), "{page}");
    // The one that was replaced is kept, with its author and its reason.
    let earlier = between(&page, "<details class=\"earlier\">", "</details>");
    assert!(earlier.contains("Earlier requests for this item (1)"), "{earlier}");
    assert!(earlier.contains(" by mona: <q>too &lt;dark&gt;</q>") && !earlier.contains("blurred"), "{earlier}");
    let timeline = between(&page, "<ol class=\"timeline\">", "</ol>");
    let [first, second] = [", by mona: <q>too &lt;dark&gt;</q>", ", by maud: <q>blurred</q>"];
    assert!(timeline.find(first).unwrap() < timeline.find(second).unwrap(), "{timeline}");
    assert!(between(&page, "takes the place of the open one", "</p>").contains("<q>blurred</q>"), "{page}");
    // An answered request is not replaced.
    add_capture(&api, case, PHOTOGRAPHY, photo(2)).await.expect(200);
    let page = mona.get(&path).await.expect(200).text();
    assert!(page.contains("Answered. Another capture was requested") && !page.contains("takes the place"), "{page}");
    assert!(!page.contains("<dt>Asked for again</dt>"), "{page}");
    // Asked again for the answer: a request of its own, and the first ones stay.
    let items: Vec<(i64,)> = Rows::of(&server).await.all("select id from items order by id").await;
    let again = format!("{path}/items/{}/retake", items.last().unwrap().0);
    mona.post(&again, &[("reason", "from the left, please")]).await.expect(303);
    let page = mona.get(&path).await.expect(200).text();
    let timeline = between(&page, "<ol class=\"timeline\">", "</ol>");
    assert_eq!(timeline.matches("Another capture was requested for ").count(), 3, "{timeline}");
    assert!(page.contains("Open. Another capture was requested") && page.contains("Answered. Another"), "{page}");
    let french = mona.get_in_french(&path).await.expect(200).text();
    assert!(french.contains("Demandes précédentes pour cet élément (1)"), "{french}");
}

async fn a_verdict_says_what_lowered_it_in_the_page_s_language(mut server: TestServer) {
    let (api, _receiver) = Analyst { evaluation: 0, ..Analyst::default() }.install_on(&mut server).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    close(&api, case).await.expect(200);
    let path = format!("/console/cases/{case}");
    let page = eventually("the case is judged", AMPLE, async || {
        let page = vera.get(&path).await.expect(200).text();
        page.contains("What lowered the score most: ").then_some(page)
    })
    .await;
    assert!(page.contains("do not accept the case before they are explained"), "{page}");
    let reasons = between(&page, "<p class=\"reasons\">", "</p>");
    assert!(reasons.contains("Documents</a> (−") && reasons.contains(" points)"), "{reasons}");
    let anchor = between(reasons, "href=\"#", "\"");
    // The first sentence of the page says the same in short.
    let why = between(&page, "<p class=\"why\">", "</p>");
    assert!(why.contains("Critical</span>, because ") && why.contains("href=\"#signal-"), "{why}");
    assert!(why.contains("<a href=\"#verdict\">All reasons</a>"), "{why}");
    assert!(page.find("class=\"why\"") < page.find("id=\"verdict\""), "{page}");
    assert!(page.contains(&format!("<tr id=\"{anchor}\">")), "{anchor}: {page}");
    let page = vera.get_in_french(&path).await.expect(200).text();
    for expected in [
        "Ce qui a le plus abaissé le score\u{a0}: ",
        "fraude certaine",
        "le plus bas de ses documents",
        "Les polices sont employées de façon cohérente <span class=\"small\">FONT_CONSISTENCY</span>",
        "Carte d’identité",
        "Positions <span class=\"small\">gps</span>",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(!page.contains("Identity card") && !page.contains("certain fraud"), "{page}");
}

async fn a_link_says_what_it_is_for_and_leads_back(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let mara = acme_person(&server, "mara", "manager").await;
    let frame = format!("7/{FRAME}");
    let fields = [("frame", frame.as_str()), ("by", "link"), ("report", "claim 12"), ("title", "Hail <b>")];
    let opened = mara.post("/console/cases", &fields).await.expect(303);
    let page_of_case = opened.header("location").unwrap().to_owned();
    let case = page_of_case.rsplit('/').next().unwrap();
    let page = mara.get(&page_of_case).await.expect(200).text();
    let link = between(&page, "href=\"/console/links/", "\"");
    assert!(link.ends_with(&format!("?case={case}")), "{link}");
    let sheet = mara.get(&format!("/console/links/{link}")).await.expect(200).text();
    for expected in [
        "data-copy=\"http",
        "Copy the address",
        "<dd>Water damage</dd>",
        "<dd>claim 12</dd>",
        "Hail &lt;b&gt; (",
        &format!("<a href=\"/console/cases/{case}\">Back to case {case}</a>"),
    ] {
        assert!(sheet.contains(expected), "{expected}: {sheet}");
    }
    let token = link.split('?').next().unwrap();
    for query in ["", "?case=", "?case=x"] {
        let sheet = mara.get(&format!("/console/links/{token}{query}")).await.expect(200).text();
        assert!(sheet.contains("Back to the links") && !sheet.contains("Back to case"), "{query}: {sheet}");
    }
    let ended = mara.post(&format!("/console/links/{token}/end"), &[("case", case)]).await.expect(303);
    assert_eq!(ended.header("location"), Some(format!("/console/links/{link}").as_str()));
}
