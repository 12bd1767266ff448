//! Finding cases in the console (operator's page, "Finding cases"). The searches themselves are compared with an oracle
//! in the server's own tests.

use std::time::Duration;

use serde_json::json;

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Api, TestServer,
        analyst::{Analyst, DOCUMENT_NUMBER},
        company_manifest::{
            ACME, BOREALIS_API, BOREALIS_FRAME, COSMOS, COSMOS_API, COSMOS_FRANCE_API, COSMOS_FRANCE_FRAME,
            COSMOS_OWN_FRAME, Credentials, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SHORT_FRAME, TEXT_FIELD, acme_on,
            acme_with_webhook, borealis, cosmos, cosmos_france,
        },
        eventually,
        evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
        on_both_databases,
        rows::Rows,
    },
};

on_both_databases!(
    a_case_is_found_by_anything_a_person_remembers,
    only_the_cases_of_the_user_s_companies_are_found,
    a_changed_title_is_found_by_its_new_words_only,
    an_analysed_case_is_found_by_its_verdict,
    a_decision_filters,
    pages_follow_each_other_without_gaps,
    an_export_is_a_table_that_runs_nothing_and_is_in_the_audit_log,
    searches_are_kept_for_one_user,
    a_wrong_search_says_what_is_wrong,
    cases_from_before_an_upgrade_are_indexed,
);

/// How long the index may take. The server looks for changes twice a second; the rest is for slow machines.
const INDEXED: Duration = Duration::from_secs(20);

/// Waits until a query shows exactly these cases.
async fn until_found(visitor: &Person, query: &str, expected: &[i64]) {
    eventually(&format!("{query} finds {expected:?}"), INDEXED, async || {
        (cases(visitor, query).await == expected).then_some(())
    })
    .await;
}

async fn user(server: &TestServer, username: &str, role: &str, scope: &[&str]) -> Person {
    must_add_user(server, username, &[["--role", role].as_slice(), scope].concat());
    Person::signed_in(server, username).await
}

async fn acme_reviewer(server: &TestServer) -> Person {
    user(server, "rita", "reviewer", &["--company", &ACME.to_string()]).await
}

/// The cases that the list shows for a query, in its order.
async fn cases(visitor: &Person, query: &str) -> Vec<i64> {
    let page = visitor.get(&format!("/console/cases?{query}")).await.expect(200).text();
    let table = page.split("<tbody>").nth(1).unwrap_or_default();
    let links = table.split("href=\"/console/cases/").skip(1);
    links.filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
}

async fn a_case_is_found_by_anything_a_person_remembers(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let other = open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "Something else" })).await;
    let body = json!({
        "frameId": FRAME, "title": "Dégât chez Dupont Plumbing", "userMail": "field@acme.example",
        "reportToken": "claim é 42", "metadata": { "Policy": "POL-77/2026", "plate": "AB-123-CD", "mail": "j.d@mail.example" },
    });
    let case = open_case(&api, &body).await;
    add_entry(&api, case, TEXT_FIELD, "Mirabellon-Façade").await.expect(201);
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let rita = acme_reviewer(&server).await;
    until_found(&rita, "q=mirabellon", &[case]).await;
    for query in [
        "q=degat",
        "q=D%C3%89G%C3%82T",
        "q=plum+dup",
        "q=dupont+plumbing+chez",
        "q=claim+e+42",
        "q=pol-77%2F2026",
        "q=policy",
        "q=ab-123-cd",
        "q=AB123CD",
        "q=ab+123+cd",
        "q=j.d%40mail.example",
        "q=flora",
        "q=water+damage",
        "q=mirabellon-facade",
        "q=facade",
        "q=front.jpg",
        &format!("q=CAS-{case}_CMP-{ACME}"),
        &format!("q=cas-{case}"),
        &format!("frame={FRAME}"),
        &format!("q=dup&company={ACME}&state=open&from=2020-01-01&to=2999-12-31"),
    ] {
        assert_eq!(cases(&rita, query).await, [case], "{query}");
    }
    for query in ["q=upont", "q=dupont+else", "q=acme-api", "q=dup&state=closed", "q=dup&to=2020-01-01", "q=%21%3F"] {
        assert_eq!(cases(&rita, query).await, Vec::<i64>::new(), "{query}");
    }
    assert_eq!(cases(&rita, "").await, [case, other]);
    // The number of a case leads to it, whatever else has that number.
    assert_eq!(cases(&rita, &format!("q={other}")).await.first(), Some(&other));
    assert_eq!(close(&api, other).await.status, 200);
    until_found(&rita, "state=closed", &[other]).await;
}

async fn only_the_cases_of_the_user_s_companies_are_found(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply_all(&[borealis(), cosmos(), cosmos_france()]);
    let sign_in = async |user: Credentials| -> Api { server.sign_in(user.username, user.password).await };
    let title = |frame: i64| json!({ "frameId": frame, "title": "Shared words" });
    let of_acme = open_case(&api, &title(SHORT_FRAME)).await;
    let of_borealis = open_case(&sign_in(BOREALIS_API).await, &title(BOREALIS_FRAME)).await;
    let of_cosmos = open_case(&sign_in(COSMOS_API).await, &title(COSMOS_OWN_FRAME)).await;
    let of_france = open_case(&sign_in(COSMOS_FRANCE_API).await, &title(COSMOS_FRANCE_FRAME)).await;

    let operator = user(&server, "olga", "operator", &[]).await;
    until_found(&operator, "q=shared", &[of_france, of_cosmos, of_borealis, of_acme]).await;
    assert_eq!(cases(&operator, &format!("q=shared&company={COSMOS}")).await, [of_cosmos]);
    let rita = acme_reviewer(&server).await;
    let parent = COSMOS.to_string();
    let group = user(&server, "greta", "viewer", &["--company", &parent, "--with-children"]).await;
    let narrow = user(&server, "nina", "viewer", &["--company", &parent]).await;
    for query in ["q=shared", ""] {
        assert_eq!(cases(&rita, query).await, [of_acme]);
        assert_eq!(cases(&group, query).await, [of_france, of_cosmos]);
        assert_eq!(cases(&narrow, query).await, [of_cosmos]);
    }
    // Neither by a filter nor by a reference.
    assert_eq!(cases(&rita, &format!("q={of_borealis}")).await, Vec::<i64>::new());
    assert_eq!(cases(&rita, &format!("frame={BOREALIS_FRAME}")).await, Vec::<i64>::new());
    let page = rita.get(&format!("/console/cases?company={COSMOS}")).await.expect(400).text();
    assert!(page.contains("is not one of yours") && !page.contains("Cosmos"), "{page}");
    for path in ["/console/cases", "/console/cases.csv"] {
        server.anonymous().get(path).await.expect(303);
    }
}

async fn a_changed_title_is_found_by_its_new_words_only(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "Before words" })).await;
    let rita = acme_reviewer(&server).await;
    until_found(&rita, "q=before", &[case]).await;
    api.patch("/cases/update", &json!({ "caseId": case, "title": "After words" })).await.expect(200);
    until_found(&rita, "q=after", &[case]).await;
    assert_eq!(cases(&rita, "q=before").await, Vec::<i64>::new());
    // A frame of another name is found by it; a deleted case is not found any more.
    server.must_apply(&acme_with_webhook("").replace("\"Quick note\"", "\"Memorandum\""));
    until_found(&rita, "q=memorandum", &[case]).await;
    api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    assert_eq!(cases(&rita, "q=after").await, Vec::<i64>::new());
}

async fn an_analysed_case_is_found_by_its_verdict(mut server: TestServer) {
    let (api, _receiver) = Analyst { evaluation: 0, ..Analyst::default() }.install_on(&mut server).await;
    let rita = acme_reviewer(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "title": "Judged" })).await;
    add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    until_found(&rita, "verdict=none&q=judged", &[case]).await;
    close(&api, case).await.expect(200);
    let level = eventually("the case is judged", AMPLE, async || {
        let analysis = api.get(&format!("/cases/{case}/analysis")).await;
        let level = analysis.json()["trustLevel"].as_str()?.to_lowercase();
        (cases(&rita, &format!("verdict={level}")).await == [case]).then_some(level)
    })
    .await;
    until_found(&rita, &format!("verdict={level}&q=judged&state=closed"), &[case]).await;
    for other in ["good", "suspicious", "critical", "none"].into_iter().filter(|other| *other != level) {
        assert_eq!(cases(&rita, &format!("verdict={other}")).await, Vec::<i64>::new(), "{other}");
    }
    // What the plugin read in the document stays inside.
    assert_eq!(cases(&rita, &format!("q={DOCUMENT_NUMBER}")).await, Vec::<i64>::new());
}

async fn a_decision_filters(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let [accepted, undecided] = [
        open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "One" })).await,
        open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "Two" })).await,
    ];
    close(&api, accepted).await.expect(200);
    let rita = acme_reviewer(&server).await;
    let page = format!("/console/cases/{accepted}");
    let fields = [("outcome", "rejected"), ("reason", "blurred")];
    rita.post(&format!("{page}/decision"), &fields).await.expect(303);
    until_found(&rita, "decision=rejected", &[accepted]).await;
    // The newest counts.
    rita.post(&format!("{page}/decision"), &[("outcome", "accepted"), ("reason", "")]).await.expect(303);
    until_found(&rita, "decision=accepted", &[accepted]).await;
    assert_eq!(cases(&rita, "decision=rejected").await, Vec::<i64>::new());
    assert_eq!(cases(&rita, "decision=none").await, [undecided]);
}

async fn pages_follow_each_other_without_gaps(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let cases: Vec<_> =
        (0..120).map(|number| json!({ "frameId": SHORT_FRAME, "title": format!("Paged {number}") })).collect();
    for part in cases.chunks(50) {
        api.post("/cases/bulk-create", &json!(part)).await.expect(200);
    }
    let rita = acme_reviewer(&server).await;
    for query in ["q=paged", "state=open", ""] {
        let all = eventually("every case is on a page", INDEXED, async || {
            let all = all_pages(&rita, query).await;
            (all.len() == 120).then_some(all)
        })
        .await;
        assert!(all.is_sorted_by(|one, other| one > other), "the newest first, each once: {all:?}");
    }
}

/// The cases of all pages, by the links from one to the next.
async fn all_pages(visitor: &Person, query: &str) -> Vec<i64> {
    const NEXT: &str = "rel=\"next\" href=\"/console/cases?";
    let (mut all, mut next) = (Vec::new(), Some(query.to_owned()));
    while let Some(query) = next {
        let found = cases(visitor, &query).await;
        assert!(found.len() <= 50, "{}", found.len());
        all.extend(found);
        let page = visitor.get(&format!("/console/cases?{query}")).await.expect(200).text();
        let link = page.split(NEXT).nth(1).and_then(|rest| rest.split('"').next());
        next = link.map(|query| query.replace("&amp;", "&"));
    }
    all
}

async fn an_export_is_a_table_that_runs_nothing_and_is_in_the_audit_log(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for title in ["=HYPERLINK(\"http://evil.example\") leak", "+1 leak", "-1 leak", "@SUM(A1) leak", "A \"leak\", é"] {
        open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": title, "reportToken": "=token" })).await;
    }
    open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "Dry" })).await;
    let rita = acme_reviewer(&server).await;
    eventually("all are found", INDEXED, async || (cases(&rita, "q=leak").await.len() == 5).then_some(())).await;
    let answer = rita.get("/console/cases.csv?q=leak").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"cases.csv\""));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let text = answer.text();
    let lines: Vec<&str> = text.trim_end().split("\r\n").collect();
    assert!(lines[0].starts_with("\u{feff}reference,title,company,"), "{text}");
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[1].contains(r#","A ""leak"", é","#), "the newest first: {text}");
    assert!(lines[5].contains(r#","'=HYPERLINK(""http://evil.example"") leak","#), "{text}");
    for line in &lines[1..] {
        let formulas = [",\"=", ",\"+", ",\"-", ",\"@"].into_iter().filter(|start| line.contains(start)).count();
        assert_eq!(formulas, 0, "{line}");
        assert!(line.ends_with(",\"'=token\""), "{line}");
    }
    let recorded: Vec<(String, Option<String>)> =
        Rows::of(&server).await.all("select actor, detail from audit_records where action = 'exportCases'").await;
    assert_eq!(recorded, [("rita".to_owned(), Some("words=1".to_owned()))]);
}

async fn searches_are_kept_for_one_user(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let rita = acme_reviewer(&server).await;
    let other = user(&server, "otto", "reviewer", &["--company", &ACME.to_string()]).await;
    let keep = async |name: &str, query: &str| rita.post("/console/filters", &[("name", name), ("query", query)]).await;
    // Nothing is shown of kept searches before there is one.
    for (query, can_keep) in [("", false), ("?state=open", true)] {
        let page = rita.get(&format!("/console/cases{query}")).await.expect(200).text();
        assert!(!page.contains("Kept searches"), "{page}");
        assert_eq!(page.contains("Keep this search under a name"), can_keep, "{page}");
    }
    let kept = keep("Leaks <b>", "state=open&q=leak+caf%C3%A9&after=1.2&x=y").await.expect(303);
    assert_eq!(kept.header("location"), Some("/console/cases?q=leak+caf%C3%A9&state=open&done=saved"));
    let page = rita.get("/console/cases").await.expect(200).text();
    assert!(page.contains("href=\"/console/cases?q=leak+caf%C3%A9&amp;state=open\">Leaks &lt;b&gt;</a>"), "{page}");
    assert!(page.contains("Kept searches (1)") && !page.contains("Keep this search under a name"), "{page}");
    assert!(!other.get("/console/cases").await.expect(200).text().contains("Leaks"));
    // The same name replaces; what is wrong is said.
    keep("Leaks <b>", "state=closed").await.expect(303);
    for (name, query) in [(" ", "state=open"), ("x", ""), ("x", "state=ajar")] {
        keep(name, query).await.expect(400);
    }
    let kept: Vec<(i64, String)> = Rows::of(&server).await.all("select id, query from console_filters").await;
    assert_eq!(kept.iter().map(|(_, query)| query.as_str()).collect::<Vec<_>>(), ["state=closed"]);
    let delete = format!("/console/filters/{}/delete", kept[0].0);
    other.post(&delete, &[]).await;
    let count = "select count(*) from console_filters";
    assert_eq!(Rows::of(&server).await.all::<(i64,)>(count).await, [(1,)], "another user's stays");
    rita.post(&delete, &[]).await.expect(303);
    assert_eq!(Rows::of(&server).await.all::<(i64,)>(count).await, [(0,)]);
    for number in 0..50 {
        keep(&format!("n{number}"), "state=open").await.expect(303);
    }
    assert!(keep("one more", "state=open").await.expect(400).text().contains("at most 50"));
}

async fn a_wrong_search_says_what_is_wrong(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let rita = acme_reviewer(&server).await;
    for (query, expected) in [
        ("state=ajar", "state: open or closed is expected"),
        ("from=2026-02-30", "from: a date yyyy-mm-dd is expected"),
        ("company=0", "company: a company is expected"),
        ("after=x", "after: a place in the list is expected"),
        ("q=a+b+c+d+e+f+g+h+i+j+k", "at most 10 words"),
        (&format!("q={}", "a".repeat(301)), "at most 300 characters"),
    ] {
        let page = rita.get(&format!("/console/cases?{query}")).await.expect(400).text();
        assert!(page.contains(expected), "{query}: {page}");
        rita.get(&format!("/console/cases.csv?{query}")).await.expect(400);
    }
    for query in ["q=%00%FF", "q=%25_%27%22%3C", "x=y&q=", "q=a&q=b", "after=9999999999999999999"] {
        assert!(rita.get(&format!("/console/cases?{query}")).await.status.as_u16() < 500, "{query}");
    }
    assert!(rita.get("/console/cases?q=none").await.expect(200).text().contains("No case matches"));
}

async fn cases_from_before_an_upgrade_are_indexed(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let cases = [
        open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "Older" })).await,
        open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "Old" })).await,
    ];
    close(&api, cases[0]).await.expect(200);
    let rita = acme_reviewer(&server).await;
    until_found(&rita, "q=old", &[cases[1], cases[0]]).await;
    server.kill();
    // As the migration leaves the tables.
    Rows::change(
        &server,
        "delete from case_words; update case_analyses set trust_score = null;
         insert into case_word_changes (case_id) select id from cases order by id",
    )
    .await;
    server.restart().await;
    until_found(&rita, "q=old", &[cases[1], cases[0]]).await;
    until_found(&rita, "q=old&state=closed", &[cases[0]]).await;
}
