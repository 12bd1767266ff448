//! Reports: anyone can read them, and a company can download them (spec 2.3, 2.4, 4.14, 4.15; decisions 10).

use hyper::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    Api, TestServer,
    client::send,
    company_manifest::{
        ACME, BOREALIS_API, COSMOS, COSMOS_API, COSMOS_FRANCE, COSMOS_FRANCE_API, COSMOS_FRANCE_FRAME,
        COSMOS_OWN_FRAME, Credentials, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SHORT_FRAME, SIGNATURE, TEXT_FIELD, VIDEO,
        acme, acme_on, api_user, borealis, cosmos, cosmos_france, note_step,
    },
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo, signature, video},
    on_both_databases,
    rows::Rows,
    zip::{Files, unpack},
};

on_both_databases!(
    spec_4_14_anyone_can_read_a_report_with_its_items,
    decisions_10_a_report_lists_the_whole_family_s_cases_oldest_first,
    spec_4_14_an_invalid_or_unknown_token_is_400_or_404,
    decisions_11_known_tokens_are_counted_separately_and_unknown_ones_together,
    spec_4_15_a_report_is_downloaded_as_archive_or_addresses,
    decisions_10_hours_refer_to_the_closing_date,
    spec_4_15_a_download_without_certificates_says_why,
);

/// May open cases but not read them.
const ACME_WRITER: Credentials =
    Credentials { user_id: "usr-acme-writer", username: "acme-writer", password: "write only memory" };

async fn spec_4_14_anyone_can_read_a_report_with_its_items(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let token = "claim é/42".replace('/', " ");
    let created =
        api.post("/cases/create", &json!({ "frameId": FRAME, "reportToken": token })).await.expect(201).json();
    let case = created["id"].as_i64().unwrap();
    let [front, drawn, film, card] = [photo(1), signature(), video(), identity_card()];
    let hashes = [&front, &drawn, &film, &card].map(|file| hex::encode(Sha256::digest(&file.bytes)));
    add_entry(&api, case, TEXT_FIELD, "Martinel \u{202e}\"<b>").await.expect(201);
    let image = add_capture(&api, case, PHOTOGRAPHY, front).await.expect(200).json();
    let signed = add_capture(&api, case, SIGNATURE, drawn).await.expect(200).json();
    let filmed = add_capture(&api, case, VIDEO, film).await.expect(200).json();
    let document = add_document(&api, case, DOCUMENT_UPLOAD, card).await.expect(200).json();
    let public = api.with_token(None);
    let path = "/reports/claim%20%C3%A9%2042";

    let answer = public.get(path).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let report = without_tokens(answer.json());
    let shown = &report[0];
    let item = |position: usize, id: &Value, action: &str, title: &str, data: &str| {
        json!({
            "createdAt": shown["items"][position]["createdAt"],
            "cfRef": format!("ITM-{id}_CAS-{case}"),
            "description": data,
            "geolocLatitude": "45.764043",
            "geolocLongitude": "4.835659",
            "data": data,
            "stepAction": action,
            "stepTitle": title,
            "stepDescription": shown["items"][position]["stepDescription"],
        })
    };
    let entry = shown["items"][0]["cfRef"].as_str().unwrap().trim_start_matches("ITM-").split('_').next().unwrap();
    let mut items = [
        item(0, &entry.parse::<i64>().unwrap().into(), "TEXT_FIELD", "Last name", "Martinel \u{202e}\"<b>"),
        item(1, &image["itemId"], "PHOTOGRAPHY", "Front of the house", "front.jpg"),
        item(2, &signed["itemId"], "SIGNATURE", "Signature of the insured", "signature.png"),
        item(3, &filmed["itemId"], "VIDEO", "Walk through the rooms", filmed["videoUrl"].as_str().unwrap()),
        item(4, &document["itemId"], "DOCUMENT_UPLOAD", "Identity document", "card.pdf"),
    ];
    for (item, hash) in items[1..].iter_mut().zip(&hashes) {
        item["imageHash"] = json!(hash);
    }
    items[1]["imageUrl"] = image["imageUrl"].clone();
    items[2]["imageUrl"] = signed["imageUrl"].clone();
    let mut expected = json!({
        "cfRef": created["cfRef"],
        "companyName": "Acme Insurance",
        "createdAt": created["createdAt"],
        "closingDate": null,
        "reportId": token,
        "frame": "Water damage",
        "closed": false,
        "caseUrl": null,
        "items": items,
    });
    assert_eq!(report, json!([expected]));
    assert_eq!(shown["items"][0]["stepDescription"], "As on the document.");

    let closed = close(&api, case).await.expect(200).json();
    let report = without_tokens(public.get(path).await.expect(200).json());
    expected["closed"] = json!(true);
    expected["caseUrl"] = closed["pdfUrl"].clone();
    expected["closingDate"] = report[0]["closingDate"].clone();
    assert!(report[0]["closingDate"].as_str().unwrap() >= created["createdAt"].as_str().unwrap());
    assert_eq!(report, json!([expected]));
    // Anyone who reads the report can read every address in it.
    for url in [&report[0]["caseUrl"], &report[0]["items"][1]["imageUrl"], &report[0]["items"][3]["data"]] {
        public.get(url.as_str().unwrap()).await.expect(200);
    }
}

/// The report without the digests of its files' tokens, whose arrival time varies. Only files have tokens.
fn without_tokens(mut report: Value) -> Value {
    for item in report[0]["items"].as_array_mut().expect("items is an array") {
        let is_file = item.get("imageHash").is_some();
        if let Some(token) = item.as_object_mut().expect("an item is an object").remove("tspTokenHash") {
            assert!(is_file && token.as_str().is_some_and(|token| token.len() == 64), "{token}: {item}");
        }
    }
    report
}

async fn decisions_10_a_report_lists_the_whole_family_s_cases_oldest_first(server: TestServer) {
    server.must_apply_all(&[cosmos(), cosmos_france()]);
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    let mut expected = Vec::new();
    for number in 0..6 {
        let (api, company, frame) = match number % 2 {
            0 => (&parent, COSMOS, COSMOS_OWN_FRAME),
            _ => (&child, COSMOS_FRANCE, COSMOS_FRANCE_FRAME),
        };
        let case = open_case(api, &json!({ "frameId": frame, "reportToken": "family" })).await;
        add_entry_of(api, case, company, frame, &number.to_string()).await;
        open_case(api, &json!({ "frameId": frame, "reportToken": "another" })).await;
        if number < 3 {
            close(api, case).await.expect(200);
        }
        expected.push((format!("CAS-{case}_CMP-{company}"), number < 3, number.to_string()));
    }
    let read = |report: Value| -> Vec<(String, bool, String)> {
        let cases = report.as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        cases.map(|case| (text(&case["cfRef"]), case["closed"] == true, text(&case["items"][0]["data"]))).collect()
    };
    assert_eq!(read(server.anonymous().get("/reports/family").await.expect(200).json()), expected);
    // The order is that of creation, not of identifiers. A long report is returned in one piece, however long it takes.
    Rows::change(&server, "update cases set created_at = created_at - id * 1000 where report_token = 'family'").await;
    expected.reverse();
    assert_eq!(read(server.anonymous().get("/reports/family").await.expect(200).json()), expected);
    let copies = "with recursive number(n) as (select 1 union all select n + 1 from number where n < 100)
        insert into cases (company_id, frame_id, title, report_token, created_at, item_count)
        select company_id, frame_id, title, report_token, created_at + n, 0 from cases, number
        where report_token = 'family'";
    Rows::change(&server, copies).await;
    let report = server.anonymous().get("/reports/family").await.expect(200).json();
    let times: Vec<&str> = report.as_array().unwrap().iter().map(|case| case["createdAt"].as_str().unwrap()).collect();
    assert_eq!(times.len(), 606);
    assert!(times.is_sorted());
}

async fn spec_4_14_an_invalid_or_unknown_token_is_400_or_404(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let public = api.with_token(None);
    let too_long = "x".repeat(256);
    for invalid in ["", "a%2Fb", "a%5Cb", "a%0Ab", "%00", "%FF", "%C2%85", &too_long] {
        let message = public.get(&format!("/reports/{invalid}")).await.expect(400).error_message();
        assert!(message.starts_with("reportToken must be"), "{message}");
        let message = api.post(&format!("/reports/report/{invalid}"), &json!({})).await.expect(400).error_message();
        assert!(message.starts_with("reportToken must be"), "{message}");
    }
    // A token that a link claims and no case uses is not a report yet.
    let link = json!({ "frameId": SHORT_FRAME, "reportToken": "own", "linkOptions": { "reportToken": "of the link" } });
    let case = open_case(&api, &link).await;
    for unknown in ["unknown", "of%20the%20link", "OWN", "%25", "own%20"] {
        let message = public.get(&format!("/reports/{unknown}")).await.expect(404).error_message();
        assert_eq!(message, "Report not found");
    }
    public.get("/reports/own").await.expect(200);
    Rows::change(&server, &format!("delete from cases where id = {case}")).await;
    public.get("/reports/own").await.expect(404);
    public.get("/reports").await.expect(404).error_message();
    public.post("/reports/own", &json!({})).await.expect(405).error_message();
}

async fn decisions_11_known_tokens_are_counted_separately_and_unknown_ones_together(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for token in ["one", "two"] {
        open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": token })).await;
    }
    let public = api.with_token(None);
    for used in 1..=100 {
        let answer = public.get("/reports/one").await.expect(200);
        assert_eq!(answer.header("x-ratelimit-remaining"), Some((100 - used).to_string().as_str()));
        // Invalid tokens count as unknown ones.
        let other = if used % 2 == 0 { "%2F".to_owned() } else { format!("unknown-{used}") };
        let answer = public.get(&format!("/reports/{other}")).await;
        assert_eq!(answer.status, if used % 2 == 0 { 400 } else { 404 });
        assert_eq!(answer.header("x-ratelimit-remaining"), Some((100 - used).to_string().as_str()));
    }
    public.get("/reports/one").await.expect(429);
    public.get("/reports/never-asked").await.expect(429);
    let answer = public.get("/reports/two").await.expect(200);
    assert_eq!(answer.header("x-ratelimit-limit"), Some("100"));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("99"));
}

async fn spec_4_15_a_report_is_downloaded_as_archive_or_addresses(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (mut files, mut urls) = (Files::new(), Vec::new());
    for number in 0..4 {
        let token = if number == 3 { "another" } else { "claim 42" };
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": token })).await;
        if number < 2 {
            let url = close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
            let pdf = api.with_token(None).get(&url).await.expect(200).body.to_vec();
            files.insert(format!("CAS-{case}_CMP-{ACME}.pdf"), pdf);
            urls.push(url);
        }
    }
    let path = "/reports/report/claim%2042";
    let answers = [
        api.post(path, &json!({ "format": "zip" })).await,
        api.post(path, &json!({ "format": null, "hours": 100_000, "other": 1 })).await,
        api.post(path, &json!({})).await,
        // All fields are optional, and so is the body.
        send(api.request(Method::POST, path)).await,
    ];
    for answer in answers {
        let answer = answer.expect(200);
        assert_eq!(answer.header("content-type"), Some("application/zip"));
        assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"claim_42.zip\""));
        if let Some(found) = unpack(&answer.body) {
            assert!(found == files, "{:?}", found.keys());
        }
    }
    let answer = api.post(path, &json!({ "format": "metadata" })).await.expect(200);
    assert_eq!(answer.json(), json!({ "reportToken": "claim 42", "caseUrls": urls }));
    for url in urls {
        api.with_token(None).get(&url).await.expect(200);
    }
    for (body, expected) in [
        (json!({ "format": "pdf" }), "format must be metadata or zip, got the text \"pdf\""),
        (json!({ "format": ["zip"] }), "format must be metadata or zip, got an array of length 1"),
        (json!({ "hours": 0 }), "hours must be a positive whole number, got the number 0"),
        (json!({ "hours": "1" }), "hours must be a positive whole number, got the text \"1\""),
        (json!({ "hours": 1.5 }), "hours must be a positive whole number, got the number 1.5"),
        (json!([]), "the body must be a JSON object, got an array of length 0"),
    ] {
        assert_eq!(api.post(path, &body).await.expect(400).error_message(), expected);
    }
    api.post_raw(path, "application/json", "{").await.expect(400).error_message();
}

async fn decisions_10_hours_refer_to_the_closing_date(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mut urls = Vec::new();
    // Minutes since the closing; every case was created a year ago.
    for minutes in [1, 59, 61, 24 * 60 + 1] {
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "R" })).await;
        urls.push(close(&api, case).await.expect(200).json()["pdfUrl"].clone());
        let shift = minutes * 60_000;
        let change = format!(
            "update cases set created_at = created_at - 31536000000, closed_at = closed_at - {shift} where id = {case}"
        );
        Rows::change(&server, &change).await;
    }
    for (hours, count) in [(json!(1), 2), (json!(2), 3), (json!(25), 4), (json!(i64::MAX), 4), (Value::Null, 4)] {
        let body = json!({ "format": "metadata", "hours": hours });
        let answer = api.post("/reports/report/R", &body).await.expect(200);
        assert_eq!(answer.json()["caseUrls"], json!(urls[..count]), "{hours}");
    }
    Rows::change(&server, "update cases set closed_at = closed_at - 7200000").await;
    api.post("/reports/report/R", &json!({ "hours": 1 })).await.expect(404).error_message();
}

async fn spec_4_15_a_download_without_certificates_says_why(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply_all(&[
        acme(&receiver) + &api_user(ACME_WRITER, r#"["p_api:case:create"]"#),
        borealis(),
        cosmos(),
        cosmos_france(),
    ]);
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let writer = server.sign_in(ACME_WRITER.username, ACME_WRITER.password).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "R" })).await;
    // Its only case is open: there is no certificate yet.
    for body in [json!({}), json!({ "format": "metadata" })] {
        api.post("/reports/report/R", &body).await.expect(404).error_message();
        stranger.post("/reports/report/R", &body).await.expect(403).error_message();
        api.post("/reports/report/unknown", &body).await.expect(404).error_message();
    }
    close(&api, case).await.expect(200);
    api.post("/reports/report/R", &json!({})).await.expect(200);
    stranger.post("/reports/report/R", &json!({})).await.expect(403).error_message();
    api.with_token(None).post("/reports/report/R", &json!({})).await.expect(401).error_message();
    // The right is checked before the shape, the shape before existence, and existence before ownership (decisions 2).
    for path in ["/reports/report/R", "/reports/report/", "/reports/report/unknown"] {
        let message = writer.post(path, &json!({ "format": "pdf" })).await.expect(403).error_message();
        assert_eq!(message, "missing permission p_api:case:read");
    }
    stranger.post("/reports/report/R", &json!({ "hours": 0 })).await.expect(400).error_message();
    api.get("/reports/report/R").await.expect(405).error_message();

    // Within a family each company gets its own certificates.
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    let case = open_case(&parent, &json!({ "frameId": COSMOS_OWN_FRAME, "reportToken": "F" })).await;
    let of_parent = close(&parent, case).await.expect(200).json()["pdfUrl"].clone();
    let addresses = json!({ "format": "metadata" });
    child.post("/reports/report/F", &addresses).await.expect(403).error_message();
    let case = open_case(&child, &json!({ "frameId": COSMOS_FRANCE_FRAME, "reportToken": "F" })).await;
    child.post("/reports/report/F", &addresses).await.expect(404).error_message();
    let of_child = close(&child, case).await.expect(200).json()["pdfUrl"].clone();
    for (api, url) in [(parent, of_parent), (child, of_child)] {
        assert_eq!(api.post("/reports/report/F", &addresses).await.expect(200).json()["caseUrls"], json!([url]));
    }
}

/// An entry item for a company other than Acme.
async fn add_entry_of(api: &Api, case: i64, company: i64, frame: i64, data: &str) {
    let mut item = crate::support::evidence::create_item(note_step(frame), data);
    item["companyId"] = json!(company);
    item["caseId"] = json!(case);
    api.post("/v2/items/create", &item).await.expect(201);
}
