//! Secrets that no field of their own can hold.

use serde_json::json;

use super::Page;

#[test]
fn json_in_which_a_secret_may_be_is_not_shown_and_stays_if_it_is_empty() {
    let secret = json!({ "type": ["string", "null"], "format": "password" });
    for schema in [
        secret.clone(),
        json!({ "type": "array", "items": { "properties": { "key": secret } } }),
        json!({ "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": secret }),
        json!({ "$ref": "#/$defs/key" }),
    ] {
        let all = json!({ "type": "object", "properties": { "s": schema }, "$defs": { "key": secret } });
        let stored = json!({ "s": { "b": ["hunter2"] } });
        let page = Page::of(&all, &stored);
        assert!(!page.html.contains("hunter2"), "{schema}");
        assert_eq!(page.save(&[]).0, stored, "{schema}");
    }
}
