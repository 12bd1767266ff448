//! Compares the file from which the clients of `web/clients` are made with the description. `cargo xtask clients` writes
//! it again.

use std::{env, fs, path::Path};

use serde_json::Value;

use super::{BASE_URL, document};

#[test]
fn the_clients_are_made_from_this_description() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/clients/description.json");
    let described = format!("{:#}\n", without_examples(&document(BASE_URL), false));
    if env::var_os("SEALWRIGHT_WRITE_DOCS").is_some() {
        fs::write(&path, described).unwrap();
    } else {
        let kept = fs::read_to_string(&path).unwrap();
        assert!(kept == described, "web/clients/description.json is not up to date; run `cargo xtask clients`");
    }
}

/// The value without examples, which say nothing about types. The members of `properties` are fields, whatever their names.
fn without_examples(value: &Value, are_fields: bool) -> Value {
    match value {
        Value::Object(members) => {
            let kept =
                members.iter().filter(|(name, _)| are_fields || !["example", "examples"].contains(&name.as_str()));
            let kept = kept.map(|(name, member)| (name.clone(), without_examples(member, name == "properties")));
            Value::Object(kept.collect())
        }
        Value::Array(elements) => {
            Value::Array(elements.iter().map(|element| without_examples(element, false)).collect())
        }
        other => other.clone(),
    }
}
