//! What a search of the reference looks at.

use std::collections::BTreeSet;

use serde_json::Value;

use super::operation::OperationView;

/// The texts of an operation in lowercase: its address, and everything that the document says of it and of the schemas
/// that it refers to.
pub(super) fn texts(document: &Value, shown: &OperationView<'_>) -> String {
    let mut texts = format!("{} {} ", shown.method, shown.path.unwrap_or_default());
    let (mut seen, mut left) = (BTreeSet::new(), vec![shown.operation]);
    while let Some(value) = left.pop() {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    if name == "$ref" {
                        let reference = field.as_str().unwrap_or_default();
                        let referred = document.pointer(reference.trim_start_matches('#'));
                        left.extend(referred.filter(|_| seen.insert(reference)));
                    } else {
                        texts.push_str(name);
                        texts.push(' ');
                        left.push(field);
                    }
                }
            }
            Value::Array(elements) => left.extend(elements),
            Value::String(text) => {
                texts.push_str(text);
                texts.push(' ');
            }
            _ => {}
        }
    }
    texts.to_lowercase()
}
