//! Checks the description of a search's query against its reader, as `bodies.rs` does for bodies.

use serde_json::Value;

use super::{super::operations::describe, bodies};
use crate::domain::{event::EventQuery, operation::Operation, search::Search};

#[test]
fn a_search_s_reader_and_its_description_agree() {
    let query = describe(Operation::SearchCases).query;
    assert!(query.len() >= 12);
    for parameter in &query {
        let name = parameter.name;
        let is_text = parameter.schema["type"] != "integer";
        // A flag accepts everything.
        let refused = if parameter.schema["type"].is_array() { Vec::new() } else { bodies::refused(&parameter.schema) };
        for value in refused.iter().flatten().filter_map(|value| written(value, is_text)) {
            let problems = problems(name, &value);
            assert!(problems.iter().any(|problem| problem.starts_with(name)), "{name} may be {value:?}: {problems:?}");
        }
        for value in bodies::accepted(&parameter.schema).iter().filter_map(|value| written(value, is_text)) {
            assert_eq!(problems(name, &value), Vec::<String>::new(), "{name} may not be {value:?}");
        }
        let without = if name == "format" { Vec::new() } else { vec![pair("format", "zip")] };
        assert_eq!(Search::read(&without).is_err(), parameter.required, "{name}");
    }
}

#[test]
fn the_reader_of_the_feed_and_its_description_agree() {
    let read = |name: &str, value: &str| EventQuery::read(&[pair(name, value)]).err().unwrap_or_default();
    let query = describe(Operation::ReadEvents).query;
    assert_eq!(query.len(), 3);
    for parameter in &query {
        let name = parameter.name;
        let is_text = parameter.schema["type"] != "integer";
        let refused = bodies::refused(&parameter.schema);
        for value in refused.iter().flatten().filter_map(|value| written(value, is_text)) {
            assert!(read(name, &value).iter().any(|problem| problem.starts_with(name)), "{name} may be {value:?}");
        }
        for value in bodies::accepted(&parameter.schema).iter().filter_map(|value| written(value, is_text)) {
            assert_eq!(read(name, &value), Vec::<String>::new(), "{name} may not be {value:?}");
        }
    }
}

/// A value as a query writes it. None if a query cannot write it, or writes it like an allowed value.
fn written(value: &Value, is_text: bool) -> Option<String> {
    match value {
        Value::String(text) if is_text || text.parse::<i64>().is_err() => Some(text.clone()),
        Value::Number(number) if !is_text => Some(number.to_string()),
        _ => None,
    }
}

fn problems(name: &str, value: &str) -> Vec<String> {
    let format = (name != "format").then(|| pair("format", "metadata"));
    let pairs: Vec<_> = format.into_iter().chain([pair(name, value)]).collect();
    Search::read(&pairs).err().unwrap_or_default()
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}
