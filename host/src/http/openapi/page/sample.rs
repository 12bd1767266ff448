//! Calls as they are typed into a shell, and readable JSON.

use serde_json::Value;

use super::texts::text;

/// A call with curl, with the parameters' and the body's examples.
pub(super) fn curl(document: &Value, method: &str, path: &str, operation: &Value) -> String {
    let mut address = format!("{}{path}", text(&document["servers"][0]["url"]));
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = text(&parameter["name"]);
        // For a required parameter, the first allowed word serves as an example.
        let word = &parameter["schema"]["enum"][0];
        let example =
            plain(if parameter["required"] == true && word.is_string() { word } else { &parameter["example"] });
        match text(&parameter["in"]) {
            "path" => address = address.replace(&format!("{{{name}}}"), &example),
            _ if example != "null" => query.push(format!("{name}={example}")),
            _ => {}
        }
    }
    if !query.is_empty() {
        address = format!("{address}?{}", query.join("&"));
    }
    let content = &operation["requestBody"]["content"];
    let (json, form) = (&content["application/json"]["example"], &content["multipart/form-data"]["example"]);
    // curl uses POST by default if there is a body, otherwise GET.
    let usual = if json.is_null() && form.is_null() { "get" } else { "post" };
    let mut lines = vec![match method {
        method if method == usual => format!("curl '{address}'"),
        method => format!("curl -X {} '{address}'", method.to_uppercase()),
    }];
    if operation["security"].as_array().is_some_and(|security| !security.is_empty()) {
        lines.push("-H \"Authorization: Bearer $TOKEN\"".to_owned());
    }
    if !json.is_null() {
        lines.push("-H 'Content-Type: application/json'".to_owned());
        lines.push(format!("-d '{}'", quoted(&pretty(json))));
    }
    if let Some((part, item)) = form.as_object().and_then(|parts| parts.iter().find(|(part, _)| *part != "file")) {
        let name = item["data"].as_str().unwrap_or("photo.jpg");
        lines.push(format!("-F 'file=@{}'", quoted(name)));
        lines.push(format!("-F '{part}={}'", quoted(&pretty(item))));
    }
    lines.join(" \\\n  ")
}

/// JSON with an indentation of two.
pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Text for use between single quotes in a shell.
fn quoted(text: &str) -> String {
    text.replace('\'', "'\\''")
}

/// A value as it is written in a URL.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_valid_in_a_shell() {
        let document = json!({ "servers": [{ "url": "https://a.example" }] });
        let operation = json!({
            "security": [{ "bearer": [] }],
            "parameters": [
                { "in": "path", "name": "id", "example": 7 },
                { "in": "query", "name": "n", "required": true, "schema": { "enum": ["x", "y"] } },
                { "in": "query", "name": "o", "required": false },
            ],
            "requestBody": { "content": { "application/json": { "example": { "a": "it's" } } } },
        });
        assert_eq!(
            curl(&document, "patch", "/cases/{id}", &operation),
            "curl -X PATCH 'https://a.example/cases/7?n=x' \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  \
             -H 'Content-Type: application/json' \\\n  -d '{\n  \"a\": \"it'\\''s\"\n}'"
        );
    }
}
