//! Free metadata of a case: text-to-text pairs, kept exactly as given, order included (spec 2.2).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::body::Kind;

const MOST_KEYS: usize = 20;
const KEY_LENGTH: usize = 40;
const VALUE_LENGTH: usize = 500;

/// Checks the limits of spec 2.2: at most 20 keys, a key of at most 40 characters, a value of at most 500; values are
/// text (spec 4.4, rule 4). `name` is the field's in the body, for messages.
fn check(name: &str, value: &Value) -> Result<Map<String, Value>, Vec<String>> {
    let Some(pairs) = value.as_object() else {
        return Err(vec![format!(
            "{name} must be a JSON object of text values, got {}",
            super::fields::describe(value)
        )]);
    };
    let mut problems = Vec::new();
    if pairs.len() > MOST_KEYS {
        problems.push(format!("{name} must have at most {MOST_KEYS} keys, got {}", pairs.len()));
    }
    for (key, value) in pairs {
        let shown: String = key.chars().take(KEY_LENGTH).collect();
        if key.chars().count() > KEY_LENGTH {
            problems.push(format!("{name}: a key must be at most {KEY_LENGTH} characters, got \"{shown}…\""));
        }
        match value.as_str() {
            None => problems
                .push(format!("{name}: the value of \"{shown}\" must be text, got {}", super::fields::describe(value))),
            Some(text) if text.chars().count() > VALUE_LENGTH => problems.push(format!(
                "{name}: the value of \"{shown}\" must be at most {VALUE_LENGTH} characters, got {}",
                text.chars().count()
            )),
            Some(_) => {}
        }
    }
    if problems.is_empty() { Ok(pairs.clone()) } else { Err(problems) }
}

pub(crate) const METADATA: Kind<Map<String, Value>> =
    Kind::parts(|value, name| check(name, value), SchemaGenerator::subschema_for::<Metadata>);

/// Names the schema of what [`check`] accepts. It has no values: metadata is kept as JSON.
#[derive(Clone, Copy, Debug)]
pub enum Metadata {}

impl JsonSchema for Metadata {
    fn schema_name() -> Cow<'static, str> {
        "Metadata".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema()
    }
}

/// What [`check`] accepts.
pub(crate) fn schema() -> Schema {
    json_schema!({
        "type": "object",
        "description": "Free key-value pairs of text.",
        "maxProperties": MOST_KEYS,
        "propertyNames": { "maxLength": KEY_LENGTH },
        "additionalProperties": { "type": "string", "maxLength": VALUE_LENGTH },
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pairs(count: usize, key: usize, value: usize) -> Value {
        let pairs = (0..count).map(|n| (format!("{n:0key$}"), Value::String("é".repeat(value))));
        Value::Object(pairs.collect())
    }

    #[test]
    fn spec_2_2_the_limits_themselves_are_accepted_and_one_more_is_not() {
        assert_eq!(check("metadata", &pairs(20, 40, 500)).unwrap().len(), 20);
        assert!(check("metadata", &json!({})).unwrap().is_empty());
        for beyond in [pairs(21, 40, 500), pairs(1, 41, 500), pairs(1, 40, 501)] {
            assert_eq!(check("metadata", &beyond).unwrap_err().len(), 1, "{beyond}");
        }
    }

    #[test]
    fn spec_2_2_random_metadata_is_accepted_exactly_within_the_limits() {
        const LETTERS: [char; 4] = ['a', 'é', '€', '🏠'];
        let mut seed = 7_u64;
        let mut below = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % bound
        };
        let (mut accepted, mut refused) = (0, 0);
        for _ in 0..5_000 {
            // Around each limit, and seldom beyond more than one.
            let count = if below(4) == 0 { 18 + below(5) } else { below(4) };
            let (mut metadata, mut is_right) = (Map::new(), true);
            for number in 0..count {
                let key_length = if below(12) == 0 { 38 + below(5) } else { 3 + below(10) };
                let letter = LETTERS[below(4)];
                let key = format!("{number:03}") + &String::from(letter).repeat(key_length - 3);
                let value_length = if below(12) == 0 { 498 + below(5) } else { below(20) };
                let value = String::from(LETTERS[below(4)]).repeat(value_length);
                let is_text = below(60) != 0;
                is_right &= key_length <= 40 && value_length <= 500 && is_text;
                metadata.insert(key, if is_text { Value::String(value) } else { json!(below(9)) });
            }
            is_right &= count <= 20;
            let metadata = Value::Object(metadata);
            match check("metadata", &metadata) {
                Ok(kept) => assert!(is_right && Value::Object(kept) == metadata, "{metadata}"),
                Err(problems) => assert!(!is_right && !problems.is_empty(), "{metadata}"),
            }
            *(if is_right { &mut accepted } else { &mut refused }) += 1;
        }
        assert!(accepted > 1_000 && refused > 500, "{accepted} accepted, {refused} refused");
    }

    #[test]
    fn spec_4_4_rule_4_metadata_values_must_be_text() {
        let problems = check("metadata", &json!({ "a": 1, "b": "x", "c": null })).unwrap_err();
        assert_eq!(
            problems,
            [
                "metadata: the value of \"a\" must be text, got the number 1",
                "metadata: the value of \"c\" must be text, got null"
            ]
        );
    }

    #[test]
    fn the_order_of_keys_is_kept() {
        let kept = check("metadata", &json!({ "z": "1", "a": "2" })).unwrap();
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["z", "a"]);
    }
}
