//! The signal `consistency`: what the documents of a case say together, by the built-in plugins.

use sealwright_lab::Person;
use serde_json::{Value, json};

use crate::support::{
    AMPLE, Api, Receiver, TestServer,
    client::Upload,
    company_manifest::{DOCUMENT_UPLOAD, FRAME, TEXT_FIELD, acme_on},
    eventually,
    evidence::{add_document, add_entry, close, open_case},
    on_both_databases, on_sqlite,
    rows::Rows,
    server::{files_of, said},
};

on_both_databases!(documents_that_contradict_each_other_lower_the_signal_consistency);

on_sqlite!(documents_that_agree_do_not_lower_it, a_case_with_one_document_and_no_entries_has_nothing_to_compare);

fn pdf(bytes: Vec<u8>, name: &'static str) -> Upload {
    Upload { bytes, name, media_type: "application/pdf" }
}

fn card(person: &Person) -> Upload {
    pdf(sealwright_lab::identity_card(person).expect("typeset a card"), "card.pdf")
}

fn bill(person: &Person) -> Upload {
    pdf(sealwright_lab::energy_bill(person, 3).expect("typeset a bill"), "bill.pdf")
}

/// The number of a case with these documents, and its analysis. The last name is entered if one is given.
async fn judged(api: &Api, receiver: &Receiver, name: Option<&str>, documents: Vec<Upload>) -> (i64, Value) {
    let case = open_case(api, &json!({ "frameId": FRAME })).await;
    if let Some(name) = name {
        add_entry(api, case, TEXT_FIELD, name).await.expect(201);
    }
    for document in documents {
        add_document(api, case, DOCUMENT_UPLOAD, document).await.expect(200);
    }
    close(api, case).await.expect(200);
    let webhook = receiver.wait_for_analyses(case, 1).await.remove(0);
    (case, webhook.json()["analysis"].clone())
}

fn consistency(analysis: &Value) -> Option<u64> {
    let signals = analysis["signals"].as_array().expect("an analysis has signals");
    signals.iter().find(|signal| signal["key"] == "consistency").and_then(|signal| signal["score"].as_u64())
}

/// Every answer about the case and the log are without the values that its documents state.
async fn assert_values_stay_inside(server: &TestServer, case: i64, analysis: &Value, values: &[String]) {
    let explained = said(&server.run(&["analysis", "explain", &case.to_string(), "--json"]));
    let mut rows = Rows::of(server).await;
    let answers: Vec<(String,)> = rows.all("select coalesce(answer, '') from plugin_runs").await;
    assert!(answers.iter().any(|(answer,)| answer.contains("consistency")), "the signal is in a record");
    let records = answers.into_iter().map(|(answer,)| answer).collect::<String>();
    for value in values {
        for (text, what) in [(&analysis.to_string(), "answer"), (&explained, "explanation"), (&records, "records")] {
            assert!(!text.to_lowercase().contains(&value.to_lowercase()), "{value} is in the {what}: {text}");
        }
        assert!(!server.log().to_lowercase().contains(&value.to_lowercase()), "{value} is in the log");
    }
}

fn values(person: &Person) -> Vec<String> {
    let Person { last_name, first_name, birth_date, post_code, document_number, .. } = person;
    vec![last_name.clone(), first_name.clone(), birth_date.to_string(), post_code.clone(), document_number.clone()]
}

async fn documents_that_contradict_each_other_lower_the_signal_consistency(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let person = Person::invented(1);
    let birth_date = person.birth_date.saturating_add(jiff::Span::new().days(400));
    let elder = Person { birth_date, ..person.clone() };
    let (case, analysis) = judged(&api, &receiver, Some(&person.last_name), vec![card(&person), card(&elder)]).await;
    let score = consistency(&analysis).expect("two cards can be compared");
    assert!(score < 70, "{analysis}");
    let explained = said(&server.run(&["analysis", "explain", &case.to_string()]));
    assert!(explained.contains("The date of birth on ITM-"), "{explained}");
    assert_values_stay_inside(&server, case, &analysis, &[values(&person), vec![birth_date.to_string()]].concat())
        .await;
    let replayed = said(&server.run(&["plugin", "replay", &case.to_string()]));
    assert!(replayed.contains("0 different, 0 that cannot be run again"), "{replayed}");
    assert!(replayed.contains("cross-check: state"), "{replayed}");

    let stranger = Person::invented(9);
    assert_ne!(stranger.last_name, person.last_name);
    let (case, analysis) = judged(&api, &receiver, Some(&person.last_name), vec![card(&person), bill(&stranger)]).await;
    assert!(consistency(&analysis).is_some_and(|score| score < 70), "{analysis}");
    let explained = said(&server.run(&["analysis", "explain", &case.to_string()]));
    assert!(explained.contains("The name on ITM-"), "{explained}");

    // What documents state is deleted with their cases.
    let facts = server.data_dir().join("blobs/facts");
    assert!(files_of(&facts) > 0);
    for case in [case - 1, case] {
        api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    }
    eventually("the facts are deleted", AMPLE, async || (files_of(&facts) == 0).then_some(())).await;
}

async fn documents_that_agree_do_not_lower_it(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let person = Person::invented(1);
    let (case, analysis) = judged(&api, &receiver, Some(&person.last_name), vec![card(&person), bill(&person)]).await;
    assert_eq!(consistency(&analysis), Some(100), "{analysis}");
    let explained = said(&server.run(&["analysis", "explain", &case.to_string()]));
    assert!(explained.contains("names of people"), "{explained}");
    assert_values_stay_inside(&server, case, &analysis, &values(&person)).await;
    let replayed = said(&server.run(&["plugin", "replay", &case.to_string()]));
    assert!(replayed.contains("0 different, 0 that cannot be run again"), "{replayed}");
}

async fn a_case_with_one_document_and_no_entries_has_nothing_to_compare(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let (_, analysis) = judged(&api, &receiver, None, vec![bill(&Person::invented(1))]).await;
    assert_eq!(consistency(&analysis), None, "{analysis}");
}
