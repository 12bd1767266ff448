//! The bodies of bulk requests (spec 4.5, 4.9 and 4.11). One element of the wrong shape rejects the whole request. One
//! answer reports the errors of all elements, each with its element's position, counted from 0 (decisions 5).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::{CaseUpdate, NewCase};
use crate::{
    body::{Body, Fields, Kind, read, request_bodies},
    fields::describe,
    id::{CaseId, NUMBER_EXPECTED},
};

/// The most cases that one request may create (spec 4.5).
pub const MOST_CREATED: usize = 50;
/// The most cases that one request may update (spec 4.9).
pub const MOST_UPDATED: usize = 100;
/// The most cases that one request may delete (spec 4.11).
pub const MOST_DELETED: usize = 50;

/// A body that is an array of 1 to `MOST` other bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkOf<B, const MOST: usize>(pub Vec<B>);

/// The body of a bulk creation.
pub type NewCases = BulkOf<NewCase, MOST_CREATED>;

/// The body of a bulk update.
pub type CaseUpdates = BulkOf<CaseUpdate, MOST_UPDATED>;

/// The body of a bulk deletion: `{caseIds: […]}`, none of them twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseIds(pub Vec<CaseId>);

impl<B: Body, const MOST: usize> BulkOf<B, MOST> {
    /// Reads the body of a request; returns every problem of its shape.
    pub fn read(body: &Value) -> Result<Self, Vec<String>> {
        let elements = elements("the body", body, MOST)?;
        let (mut all, mut problems) = (Vec::with_capacity(elements.len()), Vec::new());
        for (position, element) in elements.iter().enumerate() {
            if !element.is_object() {
                problems.push(format!("[{position}] the element must be a JSON object, got {}", describe(element)));
                continue;
            }
            match read(element, "", b"") {
                Ok(element) => all.push(element),
                Err(found) => problems.extend(found.into_iter().map(|problem| format!("[{position}] {problem}"))),
            }
        }
        if problems.is_empty() { Ok(Self(all)) } else { Err(problems) }
    }
}

impl<B: Body + JsonSchema, const MOST: usize> JsonSchema for BulkOf<B, MOST> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}s", B::NAME).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<B>();
        json_schema!({ "type": "array", "minItems": 1, "maxItems": MOST, "items": items })
    }
}

impl Body for CaseIds {
    const NAME: &'static str = "CaseIds";
    const DESCRIPTION: &'static str = "The cases to delete.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const IDS: Kind<Vec<CaseId>> = Kind::parts(read_ids, |generator| {
            let items = generator.subschema_for::<CaseId>();
            json_schema!({ "type": "array", "minItems": 1, "maxItems": MOST_DELETED, "uniqueItems": true, "items": items })
        });
        fields.required("caseIds", IDS, "Each once.").map(Self)
    }
}

request_bodies!(CaseIds);

fn read_ids(value: &Value, name: &str) -> Result<Vec<CaseId>, Vec<String>> {
    let elements = elements(name, value, MOST_DELETED)?;
    let (mut ids, mut problems) = (Vec::with_capacity(elements.len()), Vec::new());
    for (position, element) in elements.iter().enumerate() {
        match CaseId::read(element) {
            Ok(id) if ids.contains(&id) => problems.push(format!("{name}[{position}] names case {id} again")),
            Ok(id) => ids.push(id),
            Err(_) => {
                problems.push(format!("{name}[{position}] must be {NUMBER_EXPECTED}, got {}", describe(element)));
            }
        }
    }
    if problems.is_empty() { Ok(ids) } else { Err(problems) }
}

/// The elements of an array that has 1 to `most` of them.
fn elements<'a>(name: &str, value: &'a Value, most: usize) -> Result<&'a [Value], Vec<String>> {
    value
        .as_array()
        .filter(|elements| (1..=most).contains(&elements.len()))
        .map(Vec::as_slice)
        .ok_or_else(|| vec![format!("{name} must be an array of 1 to {most} elements, got {}", describe(value))])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn decisions_5_the_errors_of_all_elements_are_reported_with_their_positions() {
        let body = json!([{}, { "frameId": 1 }, 7, { "frameId": "x", "title": 1 }]);
        assert_eq!(
            NewCases::read(&body).unwrap_err(),
            [
                "[0] frameId is required",
                "[2] the element must be a JSON object, got the number 7",
                "[3] frameId must be a positive whole number, got the text \"x\"",
                "[3] title must be text, got the number 1",
            ]
        );
        let body = json!([{ "caseId": 1 }, { "title": "x" }]);
        assert_eq!(CaseUpdates::read(&body).unwrap_err(), ["[1] caseId is required"]);
    }

    #[test]
    fn spec_8_a_bulk_request_has_1_element_to_its_limit() {
        let new = |count: usize| Value::Array(vec![json!({ "frameId": 1 }); count]);
        assert_eq!(NewCases::read(&new(50)).unwrap().0.len(), 50);
        let problems = NewCases::read(&new(51)).unwrap_err();
        assert_eq!(problems, ["the body must be an array of 1 to 50 elements, got an array of length 51"]);
        let updates = |count: usize| Value::Array(vec![json!({ "caseId": 1 }); count]);
        assert_eq!(CaseUpdates::read(&updates(100)).unwrap().0.len(), 100);
        for wrong in [updates(101), json!([]), json!({}), json!(null), json!("[]")] {
            assert_eq!(CaseUpdates::read(&wrong).unwrap_err().len(), 1, "{wrong}");
        }
        let ids = |count: usize| json!({ "caseIds": (1..=count).collect::<Vec<_>>() });
        assert_eq!(CaseIds::read(&ids(50)).unwrap().0.len(), 50);
        assert!(CaseIds::read(&ids(51)).is_err());
    }

    #[test]
    fn spec_4_11_identifiers_are_numbers_and_none_is_repeated() {
        let message = |body: Value| CaseIds::read(&body).unwrap_err().join(", ");
        assert_eq!(message(json!({})), "caseIds is required");
        assert_eq!(message(json!({ "caseIds": null })), "caseIds is required");
        assert_eq!(message(json!([1])), "the body must be a JSON object, got an array of length 1");
        assert_eq!(
            message(json!({ "caseIds": [] })),
            "caseIds must be an array of 1 to 50 elements, got an array of length 0"
        );
        assert_eq!(
            message(json!({ "caseIds": [4, "5", 4, 0] })),
            "caseIds[1] must be a positive whole number, got the text \"5\", caseIds[2] names case 4 again, \
             caseIds[3] must be a positive whole number, got the number 0"
        );
    }
}
