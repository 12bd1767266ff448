//! Searching cases (spec 4.3, decisions 6). Archives of their certificates are in `archives.rs`.

use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};

use crate::support::{
    Answer, Api, TestServer,
    company_manifest::{
        ACME, ACME_READER, BOREALIS, BOREALIS_API, BOREALIS_FRAME, FRAME, SHORT_FRAME, acme_on, acme_with_webhook,
        borealis,
    },
    evidence::{close, open_case},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    spec_2_2_unset_fields_of_an_element_are_null_or_absent,
    decisions_2_a_closed_case_keeps_the_names_it_was_closed_under,
    spec_4_3_a_wrong_parameter_is_named_with_its_rule_and_value,
    spec_4_3_filters_narrow_what_is_found,
    spec_4_3_rules_3_and_4_pages_are_optional_and_the_total_is_always_returned,
    decisions_6_windows_are_exact_to_the_millisecond,
    spec_5_rule_5_only_the_company_s_own_cases_are_found,
);

async fn spec_2_2_unset_fields_of_an_element_are_null_or_absent(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let rich = json!({
        "frameId": FRAME, "reportToken": "claim é 42", "metadata": { "z": "1", "a": "\u{0}" }, "scheduledAt": "2999-01-31",
    });
    let rich = api.post("/cases/create", &rich).await.expect(201).json();
    let bare = api.post("/cases/create", &json!({ "frameId": SHORT_FRAME, "metadata": {} })).await.expect(201).json();
    let open = |created: &Value, frame: &str| {
        json!({
            "id": created["id"], "cfRef": created["cfRef"], "closingDate": null, "createdAt": created["createdAt"],
            "scheduledAt": null, "closed": false, "frame": frame, "companyName": "Acme Insurance", "caseUrl": null,
        })
    };
    let (mut first, mut second) = (open(&rich, "Water damage"), open(&bare, "Quick note"));
    first["scheduledAt"] = json!("2999-01-30T22:00:00.000Z");
    first["metadata"] = json!({ "z": "1", "a": "\u{0}" });
    second["metadata"] = json!({});
    let answer = api.get("/cases?format=metadata").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("x-total-count"), Some("2"));
    // Compared as text: the order of the keys in metadata is the client's.
    assert_eq!(answer.json(), json!([first, second]));
    assert!(answer.text().contains(r#""metadata":{"z":"1","a":"\u0000"}"#), "{}", answer.text());

    // With the report token, if there is one, and after a closing.
    let closed = close(&api, rich["id"].as_i64().unwrap()).await.expect(200).json();
    let found = found(&api, "withReportToken=true").await;
    assert_eq!(found[0]["reportId"], "claim é 42");
    assert_eq!(found[0]["closed"], true);
    assert_eq!(found[0]["caseUrl"], closed["pdfUrl"]);
    let closing: Timestamp = found[0]["closingDate"].as_str().unwrap().parse().unwrap();
    assert!(closing >= found[0]["createdAt"].as_str().unwrap().parse::<Timestamp>().unwrap());
    assert_eq!(found[1], second, "it has no report token");

    // A failed certificate has no address (decisions 2).
    let failed = "update certificates set failure = 'x', blob_key = null, size = null, sha256 = null";
    api.get(closed["pdfUrl"].as_str().unwrap()).await.expect(200);
    Rows::change(&server, failed).await;
    assert_eq!(self::found(&api, "closed=true").await[0]["caseUrl"], Value::Null);
}

async fn decisions_2_a_closed_case_keeps_the_names_it_was_closed_under(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let closed = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, closed).await.expect(200);
    let renamed = acme_with_webhook("").replace("\"Quick note\"", "\"Memo\"").replace("Acme Insurance", "Acme SE");
    server.must_apply(&renamed);
    let names: Vec<Value> =
        found(&api, "").await.iter().map(|case| json!([case["frame"], case["companyName"]])).collect();
    assert_eq!(names, [json!(["Quick note", "Acme Insurance"]), json!(["Memo", "Acme SE"])]);
}

async fn spec_4_3_a_wrong_parameter_is_named_with_its_rule_and_value(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    for (query, expected) in [
        ("", "format is required"),
        ("format=", "format must be metadata or zip, got the text \"\""),
        ("format=pdf", "format must be metadata or zip, got the text \"pdf\""),
        ("format=zip&hours=169", "hours must be a whole number from 1 to 168, got the text \"169\""),
        ("format=zip&hours=1.5", "hours must be a whole number from 1 to 168, got the text \"1.5\""),
        ("format=zip&hours=", "hours must be a whole number from 1 to 168, got the text \"\""),
        ("format=zip&limit=101", "limit must be a whole number from 1 to 100, got the text \"101\""),
        ("format=zip&limit=0", "limit must be a whole number from 1 to 100, got the text \"0\""),
        ("format=zip&offset=-1", "offset must be a whole number from 0, got the text \"-1\""),
        ("format=zip&caseId=seven", "caseId must be a positive whole number, got the text \"seven\""),
        ("format=zip&frameId=0", "frameId must be a positive whole number, got the text \"0\""),
        ("format=zip&companyId=%00", "companyId must be a positive whole number, got the text \"\\u0000\""),
        ("format=zip&reportToken=", "reportToken must be 1 to 255 characters"),
        ("format=zip&reportToken=a%0Ab", "reportToken must be 1 to 255 characters"),
        ("format=zip&startDate=2026-11-20T10:00:00", "startDate must be an ISO 8601 date-time with its offset"),
        ("format=zip&endDate=2026-02-30", "endDate must be an ISO 8601 date-time with its offset"),
        ("format=zip&startDate=", "startDate must be an ISO 8601"),
        // Rules 1 and 2.
        ("format=zip&hours=5&startDate=2026-11-20", "hours must not be given together with startDate or endDate"),
        ("format=zip&hours=5&endDate=2026-11-20", "hours must not be given together with startDate or endDate"),
        ("format=zip&startDate=2026-11-01&endDate=2026-11-09", "must be at most 7 days"),
        ("format=zip&startDate=2000-01-01", "must be at most 7 days"),
        ("format=zip&startDate=2026-11-03&endDate=2026-11-02", "startDate must not be after endDate"),
        ("format=zip&limit=1&limit=2", "limit must be given once"),
    ] {
        let message = api.get(&format!("/cases?{query}")).await.expect(400).error_message();
        assert!(message.contains(expected), "{query}\n expected: {expected}\n got: {message}");
    }
    // All problems are reported at once. Parameters that count as absent or are unknown are ignored.
    let message = api.get("/cases?hours=x&limit=x&frameId=x").await.expect(400).error_message();
    for name in ["format", "hours", "limit", "frameId"] {
        assert!(message.contains(name), "{message}");
    }
    for query in ["closed=", "closed=maybe&withReportToken=", "sort=desc&x=%FF", "startDate=2999-01-01"] {
        api.get(&format!("/cases?format=metadata&{query}")).await.expect(200);
    }
    // An unauthenticated caller, or one without the right, is refused before the query is checked (decisions 2).
    api.with_token(None).get("/cases?format=x").await.expect(401).error_message();
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    reader.get("/cases?format=metadata").await.expect(200);
    reader.post("/cases", &json!({})).await.expect(405).error_message();
}

async fn spec_4_3_filters_narrow_what_is_found(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mut cases = Vec::new();
    for (frame, token) in [(FRAME, Some("R 1")), (SHORT_FRAME, Some("R 1")), (FRAME, Some("R+2")), (SHORT_FRAME, None)]
    {
        cases.push(open_case(&api, &json!({ "frameId": frame, "reportToken": token })).await);
    }
    close(&api, cases[1]).await.expect(200);
    for (query, expected) in [
        (String::new(), vec![0, 1, 2, 3]),
        ("reportToken=R%201".to_owned(), vec![0, 1]),
        ("reportToken=R+1".to_owned(), vec![0, 1]),
        ("reportToken=R%2B2".to_owned(), vec![2]),
        ("reportToken=r%201".to_owned(), vec![]),
        ("reportToken=R%25".to_owned(), vec![]),
        (format!("frameId={FRAME}"), vec![0, 2]),
        (format!("frameId={SHORT_FRAME}&reportToken=R%201"), vec![1]),
        ("frameId=999999".to_owned(), vec![]),
        (format!("caseId={}", cases[3]), vec![3]),
        (format!("caseId={}", i64::MAX), vec![]),
        (format!("caseId={}&frameId={FRAME}", cases[3]), vec![]),
        ("closed=true".to_owned(), vec![1]),
        ("closed=false".to_owned(), vec![0, 2, 3]),
        ("closed=TRUE".to_owned(), vec![0, 1, 2, 3]),
        ("closed=".to_owned(), vec![0, 1, 2, 3]),
        (format!("companyId={ACME}"), vec![0, 1, 2, 3]),
        ("startDate=2999-01-01".to_owned(), vec![]),
    ] {
        let answer = api.get(&format!("/cases?format=metadata&{query}")).await.expect(200);
        let expected: Vec<i64> = expected.into_iter().map(|position: usize| cases[position]).collect();
        assert_eq!(ids(&answer), expected, "{query}");
        assert_eq!(answer.header("x-total-count"), Some(expected.len().to_string().as_str()), "{query}");
    }
    for company in [BOREALIS, 999_999] {
        api.get(&format!("/cases?format=metadata&companyId={company}")).await.expect(403).error_message();
    }
}

async fn spec_4_3_rules_3_and_4_pages_are_optional_and_the_total_is_always_returned(server: TestServer) {
    const CASES: i64 = 1103;
    let (api, _receiver) = acme_on(&server).await;
    let first = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    // Many in the same millisecond, and later identifiers belong to earlier cases: the order is that of decisions 6.
    let copies = format!(
        "with recursive number(n) as (select 1 union all select n + 1 from number where n < {})
         insert into cases (company_id, frame_id, title, created_at, item_count)
         select company_id, frame_id, title, created_at - n / 100, 0 from cases, number where id = {first}",
        CASES - 1
    );
    Rows::change(&server, &copies).await;
    let all = api.get("/cases?format=metadata").await.expect(200);
    assert_eq!(all.header("x-total-count"), Some("1103"));
    let all = all.json().as_array().unwrap().clone();
    assert_eq!(all.len(), 1103, "with neither limit nor offset all matching cases are returned");
    let keys: Vec<(&str, i64)> =
        all.iter().map(|case| (case["createdAt"].as_str().unwrap(), case["id"].as_i64().unwrap())).collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(keys, sorted, "by createdAt, then id, and each once");

    // To iterate: increase offset by limit until 0 cases are returned. A case created meanwhile is at the end.
    let mut iterated = Vec::new();
    for page in 0.. {
        let answer = api.get(&format!("/cases?format=metadata&limit=100&offset={}", page * 100)).await.expect(200);
        let total = if page > 2 { 1104 } else { 1103 };
        assert_eq!(answer.header("x-total-count"), Some(total.to_string().as_str()));
        let elements = answer.json().as_array().unwrap().clone();
        if elements.is_empty() {
            break;
        }
        iterated.extend(elements);
        if page == 2 {
            open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
        }
    }
    assert_eq!(iterated.len(), 1104);
    assert_eq!(iterated[..1103], all);

    let slice = |answer: &Answer| answer.json().as_array().unwrap().clone();
    for (query, expected) in [
        ("limit=7", &all[..7]),
        ("offset=0", &all[..50]),
        ("offset=1000", &all[1000..1050]),
        ("limit=3&offset=5", &all[5..8]),
        ("limit=100&offset=1104", &[]),
        ("offset=9223372036854775807", &[]),
    ] {
        let answer = api.get(&format!("/cases?format=metadata&{query}")).await.expect(200);
        assert_eq!(slice(&answer), expected, "{query}");
        assert_eq!(answer.header("x-total-count"), Some("1104"), "{query}");
    }
}

async fn decisions_6_windows_are_exact_to_the_millisecond(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    // A week in the past, so that the clock does not matter.
    for (created, query, is_found) in [
        ("2026-01-05T00:00:00.000Z", "startDate=2026-01-05&endDate=2026-01-06", true),
        ("2026-01-04T23:59:59.999Z", "startDate=2026-01-05&endDate=2026-01-06", false),
        ("2026-01-06T23:59:59.999Z", "startDate=2026-01-05&endDate=2026-01-06", true),
        ("2026-01-07T00:00:00.000Z", "startDate=2026-01-05&endDate=2026-01-06", false),
        // A date-time exactly at midnight UTC is a date only.
        ("2026-01-06T23:59:59.999Z", "startDate=2026-01-05&endDate=2026-01-06T00:00:00Z", true),
        ("2026-01-06T23:59:59.999Z", "startDate=2026-01-05&endDate=2026-01-06T01:00:00%2B01:00", true),
        ("2026-01-06T00:00:00.002Z", "startDate=2026-01-05&endDate=2026-01-06T00:00:00.001Z", false),
        ("2026-01-06T00:00:00.001Z", "startDate=2026-01-05&endDate=2026-01-06T00:00:00.001Z", true),
        // Inclusive at both ends, in any offset, `+` encoded or not.
        ("2026-01-05T10:00:00.000Z", "startDate=2026-01-05T12:00:00%2B02:00&endDate=2026-01-05T05:00:00-05:00", true),
        ("2026-01-05T10:00:00.000Z", "startDate=2026-01-05T12:00:00+02:00&endDate=2026-01-05T12:00:00+0200", true),
        ("2026-01-05T10:00:00.001Z", "startDate=2026-01-05T10:00:00Z&endDate=2026-01-05T10:00:00Z", false),
        // `endDate` alone starts 7 days before it; a date counts as its date.
        ("2026-01-01T00:00:00.000Z", "endDate=2026-01-08", true),
        ("2025-12-31T23:59:59.999Z", "endDate=2026-01-08", false),
        ("2026-01-08T23:59:59.999Z", "endDate=2026-01-08", true),
        ("2026-01-01T10:00:00.000Z", "endDate=2026-01-08T10:00:00Z", true),
        ("2026-01-01T09:59:59.999Z", "endDate=2026-01-08T10:00:00Z", false),
        // The longest possible span.
        ("2026-01-01T00:00:00.000Z", "startDate=2026-01-01&endDate=2026-01-08", true),
    ] {
        let created = at(created).as_millisecond();
        Rows::change(&server, &format!("update cases set created_at = {created} where id = {case}")).await;
        // The window applies with an identifier too.
        for query in [query.to_owned(), format!("{query}&caseId={case}")] {
            assert_eq!(found(&api, &query).await.len(), usize::from(is_found), "{created}: {query}");
        }
    }
    // Hours count back from now: the minute between the times is longer than this test takes between two steps.
    let created = api.post("/cases/create", &json!({ "frameId": SHORT_FRAME })).await.expect(201).json();
    let now: Timestamp = created["createdAt"].as_str().unwrap().parse().unwrap();
    Rows::change(&server, &format!("delete from cases where id = {}", created["id"])).await;
    for (minutes_ago, query, is_found) in [
        (12 * 60 - 1, "", true),
        (12 * 60 + 1, "", false),
        (12 * 60 + 1, "hours=13", true),
        (59, "hours=1", true),
        (61, "hours=1", false),
        (168 * 60 - 1, "hours=168", true),
        (168 * 60 + 1, "hours=168", false),
    ] {
        let created = (now - i64::from(minutes_ago).minutes()).as_millisecond();
        Rows::change(&server, &format!("update cases set created_at = {created} where id = {case}")).await;
        assert_eq!(found(&api, query).await.len(), usize::from(is_found), "{minutes_ago} min: {query}");
    }
    // `startDate` alone runs to now.
    let start = now - (6 * 24).hours();
    for (created, is_found) in [(start, true), (start - 1.millisecond(), false)] {
        let created = created.as_millisecond();
        Rows::change(&server, &format!("update cases set created_at = {created} where id = {case}")).await;
        assert_eq!(found(&api, &format!("startDate={start}")).await.len(), usize::from(is_found));
    }
}

async fn spec_5_rule_5_only_the_company_s_own_cases_are_found(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let own = open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "R" })).await;
    let theirs = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;
    assert_eq!(ids(&api.get("/cases?format=metadata").await), [own]);
    assert_eq!(ids(&stranger.get("/cases?format=metadata").await), [theirs]);
    for query in [format!("caseId={own}"), "reportToken=R".to_owned(), format!("frameId={SHORT_FRAME}")] {
        let answer = stranger.get(&format!("/cases?format=metadata&{query}")).await.expect(200);
        assert_eq!(answer.json(), json!([]));
        assert_eq!(answer.header("x-total-count"), Some("0"));
    }
}

/// The elements that a metadata search returns.
async fn found(api: &Api, query: &str) -> Vec<Value> {
    api.get(&format!("/cases?format=metadata&{query}")).await.expect(200).json().as_array().unwrap().clone()
}

fn ids(answer: &Answer) -> Vec<i64> {
    answer.json().as_array().unwrap().iter().map(|case| case["id"].as_i64().unwrap()).collect()
}
