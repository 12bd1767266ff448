//! Checks the description against the program: the routes, the readers of request bodies, and itself.

mod answers;
mod bodies;
mod clients;
mod queries;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{document::document, make};
use crate::{domain::operation::Operation, http::routes};

const BASE_URL: &str = "https://sealwright.example";

#[test]
fn every_described_operation_is_served() {
    let served: BTreeSet<Operation> = routes().into_iter().map(|(operation, _)| operation).collect();
    // Every operation of the table has a description, otherwise `describe` does not compile.
    let described: BTreeSet<Operation> = Operation::all().iter().map(|properties| properties.operation).collect();
    assert_eq!(described, served);
}

#[test]
fn every_reference_resolves() {
    let document = document(BASE_URL);
    let mut references = Vec::new();
    visit(&document, &mut |name, value| {
        if name == "$ref" {
            references.push(value.as_str().unwrap().to_owned());
        }
    });
    assert!(references.len() > 100, "{}", references.len());
    for reference in references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

#[test]
fn descriptions_are_present_and_cite_no_internal_source() {
    let document = document(BASE_URL);
    visit(&document, &mut |name, value| {
        if let ("description" | "summary", Some(text)) = (name, value.as_str()) {
            assert!(!text.is_empty());
            for word in ["(spec", "decisions ", "[`", "operator.md"] {
                assert!(!text.contains(word), "{text}");
            }
        }
    });
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            for name in ["summary", "description", "operationId"] {
                assert!(operation[name].as_str().is_some_and(|text| !text.is_empty()), "{operation}");
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["description"].as_str().is_some_and(|text| !text.is_empty()), "{parameter}");
            }
        }
    }
}

#[test]
fn the_table_s_rights_and_quotas_are_in_the_description() {
    let document = document(BASE_URL);
    let close = &document["paths"]["/cases/close/{caseId}"]["get"];
    assert_eq!(close["security"], json!([{ "bearer": ["p_api:case:create"] }, { "bearer": ["p_api:case:update"] }]));
    assert!(close["description"].as_str().unwrap().ends_with(
        "Needs the right `p_api:case:create` or `p_api:case:update`. At most 60 requests in 60 seconds for each company."
    ));
    let statuses: Vec<&String> = close["responses"].as_object().unwrap().keys().collect();
    assert_eq!(statuses, ["200", "400", "401", "403", "409", "429", "500", "503"]);
    let share = &document["paths"]["/share/case/{shareToken}"]["get"];
    assert_eq!(share["security"], json!([]));
    assert_eq!(share["responses"]["401"], Value::Null);
    assert!(share["responses"]["503"]["headers"]["Retry-After"].is_object());
    let ready = &document["paths"]["/readyz"]["get"];
    assert_eq!(
        ready["responses"]["200"]["headers"],
        json!({ "X-Request-Id": { "$ref": "#/components/headers/X-Request-Id" } })
    );
}

#[test]
fn the_page_shows_every_operation_and_runs_nothing() {
    let page = String::from_utf8(make(BASE_URL).page.bytes().to_vec()).unwrap();
    for (operation, _) in routes() {
        assert!(page.contains(&format!("id=\"{}\"", operation.name())), "{operation:?}");
    }
    for forbidden in ["<script", "javascript:", " onclick", "src=\"http", "href=\"http", "@import", "url("] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

/// Calls `look` with the name and value of every member in the document.
fn visit(value: &Value, look: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                // Examples are a user's data and are not checked.
                if !["example", "examples"].contains(&name.as_str()) {
                    look(name, member);
                    visit(member, look);
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| visit(element, look)),
        _ => {}
    }
}
