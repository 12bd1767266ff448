//! What is asked of a disclosure: some items of a sealed case (decisions 18).

use schemars::json_schema;
use serde_json::Value;

use super::{
    body::{Body, Fields, Kind, request_bodies},
    fields::describe,
    id::{ItemId, NUMBER_EXPECTED},
};

/// As many as a case can have.
pub const MOST_DISCLOSED: usize = 1000;

/// Items of a case, at least one, and none twice.
pub(super) const ITEMS: Kind<Vec<ItemId>> = Kind::parts(read_items, |generator| {
    let items = generator.subschema_for::<ItemId>();
    json_schema!({ "type": "array", "minItems": 1, "maxItems": MOST_DISCLOSED, "uniqueItems": true, "items": items })
});

/// The body of a request for a disclosure: `{items: […]}`, none of them twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisclosureRequest {
    pub items: Vec<ItemId>,
}

impl Body for DisclosureRequest {
    const NAME: &'static str = "DisclosureRequest";
    const DESCRIPTION: &'static str = "The items to show without the others.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let items = fields.required("items", ITEMS, "Items of the case, each once.");
        Some(Self { items: items? })
    }
}

request_bodies!(DisclosureRequest);

fn read_items(value: &Value, name: &str) -> Result<Vec<ItemId>, Vec<String>> {
    let elements = value.as_array().filter(|elements| (1..=MOST_DISCLOSED).contains(&elements.len()));
    let elements = elements.ok_or_else(|| {
        vec![format!("{name} must be an array of 1 to {MOST_DISCLOSED} elements, got {}", describe(value))]
    })?;
    let (mut items, mut problems) = (Vec::with_capacity(elements.len()), Vec::new());
    for (position, element) in elements.iter().enumerate() {
        match ItemId::read(element) {
            Ok(id) if items.contains(&id) => problems.push(format!("{name}[{position}] names item {id} again")),
            Ok(id) => items.push(id),
            Err(_) => problems.push(format!("{name}[{position}] must be {NUMBER_EXPECTED}, got {}", describe(element))),
        }
    }
    if problems.is_empty() { Ok(items) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_disclosure_names_at_least_one_item_and_none_twice() {
        let read = |body: Value| DisclosureRequest::read(&body).map_err(|problems| problems.join(", "));
        let items = [7, 5].map(|number| ItemId::new(number).unwrap()).to_vec();
        assert_eq!(read(json!({ "items": [7, 5] })), Ok(DisclosureRequest { items }));
        for (body, expected) in [
            (json!({}), "items is required"),
            (json!({ "items": [] }), "items must be an array of 1 to 1000 elements, got an array of length 0"),
            (json!({ "items": vec![1; 1001] }), "items must be an array of 1 to 1000 elements"),
            (json!({ "items": 7 }), "items must be an array of 1 to 1000 elements"),
            (json!({ "items": [7, 7] }), "items[1] names item 7 again"),
            (json!({ "items": ["7"] }), "items[0] must be a positive whole number"),
        ] {
            let problem = read(body).unwrap_err();
            assert!(problem.starts_with(expected), "{problem}");
        }
    }
}
