//! Which field a schema asks for.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Choice, Element, Group, Kind, NumberRules, Setting, TextRules, scalar};

/// The most objects within one another that have fields of their own; what is deeper is JSON.
const MOST_LEVELS: usize = 3;
/// The maximum number of fields for one plugin. An object that would exceed it is edited as JSON.
const MOST_FIELDS: usize = 100;
/// A text that may be longer has several lines.
const LONG_TEXT: u64 = 200;

/// Keywords that make a schema more than a list of rules for one value.
const COMPOSING: [&str; 8] = ["$ref", "$dynamicRef", "oneOf", "anyOf", "allOf", "not", "if", "const"];

impl Setting {
    /// All settings of a plugin. Without a schema they are JSON.
    pub(in crate::http::console::companies) fn all(schema: Option<&Value>, settings: &Map<String, Value>) -> Self {
        let group = schema.and_then(|schema| root(schema, settings));
        let value = (!settings.is_empty()).then(|| Value::Object(settings.clone()));
        Self {
            path: Vec::new(),
            title: None,
            description: None,
            default: None,
            is_required: true,
            value,
            kind: group.map_or_else(|| json(schema), Kind::Group),
        }
    }
}

/// The fields for all settings of a plugin; none if they are JSON.
fn root(schema: &Value, settings: &Map<String, Value>) -> Option<Group> {
    let schema = schema.as_object()?;
    let is_object = schema.get("type").is_none_or(|kind| kind == "object");
    if !is_object || is_composed(schema) {
        return None;
    }
    let mut walk = Walk { left: MOST_FIELDS, has_secret_definitions: has_secret_definitions(schema) };
    group(schema, settings, &[], &mut walk)
}

/// The kind of all settings together, if they are JSON.
fn json(schema: Option<&Value>) -> Kind {
    Kind::Json { is_hidden: schema.is_some_and(|schema| may_hold_secret(schema, false)) }
}

/// A way through a schema.
struct Walk {
    /// How many fields the plugin may still have.
    left: usize,
    /// Whether a setting that refers to a definition may be a secret.
    has_secret_definitions: bool,
}

fn has_secret_definitions(schema: &Map<String, Value>) -> bool {
    ["$defs", "definitions"].into_iter().filter_map(|name| schema.get(name)).any(|all| may_hold_secret(all, false))
}

fn is_secret(schema: &Map<String, Value>) -> bool {
    schema.get("writeOnly") == Some(&Value::Bool(true)) || schema.get("format").is_some_and(|name| name == "password")
}

/// Whether a value of this schema, or a part of it, may be a secret. `references` says it of the schemas that are
/// referred to.
fn may_hold_secret(schema: &Value, references: bool) -> bool {
    match schema {
        Value::Object(object) => {
            let refers = object.contains_key("$ref") || object.contains_key("$dynamicRef");
            is_secret(object)
                || (references && refers)
                || object.values().any(|inner| may_hold_secret(inner, references))
        }
        Value::Array(all) => all.iter().any(|inner| may_hold_secret(inner, references)),
        _ => false,
    }
}

fn is_composed(schema: &Map<String, Value>) -> bool {
    COMPOSING.into_iter().any(|keyword| schema.contains_key(keyword))
}

fn group(schema: &Map<String, Value>, object: &Map<String, Value>, path: &[String], walk: &mut Walk) -> Option<Group> {
    let properties = schema.get("properties")?.as_object()?;
    let of_others = ["additionalProperties", "patternProperties"].into_iter().filter_map(|name| schema.get(name));
    let hides_others = of_others.into_iter().any(|others| may_hold_secret(others, walk.has_secret_definitions));
    if properties.is_empty() || hides_others {
        return None;
    }
    walk.left = walk.left.checked_sub(properties.len())?;
    let required: HashSet<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut settings = Vec::new();
    for (name, schema) in properties {
        let mut path = path.to_vec();
        path.push(name.clone());
        settings.push(setting(schema, object.get(name), path, required.contains(name.as_str()), walk));
    }
    let is_open = schema.get("additionalProperties").is_some_and(|allowed| *allowed != Value::Bool(false));
    let has_others =
        is_open || schema.contains_key("patternProperties") || object.keys().any(|name| !properties.contains_key(name));
    Some(Group { settings, has_others })
}

fn setting(schema: &Value, value: Option<&Value>, path: Vec<String>, is_required: bool, walk: &mut Walk) -> Setting {
    let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str).map(str::to_owned);
    let default = schema.get("default").cloned();
    let json = Kind::Json { is_hidden: may_hold_secret(schema, walk.has_secret_definitions) };
    let kind = kind(schema, value, &path, walk).unwrap_or(json);
    let kind = match kind {
        // A box has two states, and a required setting that is missing is a third one.
        Kind::Switch if is_required && value.is_none() => Kind::Choice(vec![
            Choice { text: "true".to_owned(), value: Value::Bool(true) },
            Choice { text: "false".to_owned(), value: Value::Bool(false) },
        ]),
        kind => kind,
    };
    Setting {
        title: text("title"),
        description: text("description"),
        value: value.cloned(),
        path,
        default,
        is_required,
        kind,
    }
}

/// None if the schema, or the stored value, needs JSON.
fn kind(schema: &Value, value: Option<&Value>, path: &[String], walk: &mut Walk) -> Option<Kind> {
    let schema = schema.as_object()?;
    if is_composed(schema) {
        return None;
    }
    if is_secret(schema) && schema.get("type").is_none_or(|kind| kind != "string") {
        return None;
    }
    if let Some(members) = schema.get("enum").filter(|_| !is_secret(schema)) {
        return choices(members.as_array()?, value).map(Kind::Choice);
    }
    match schema.get("type")?.as_str()? {
        "string" => text(schema, value),
        "integer" => number(schema, value, true),
        "number" => number(schema, value, false),
        "boolean" => value.is_none_or(Value::is_boolean).then_some(Kind::Switch),
        "array" => lines(schema, value).map(Kind::Lines),
        "object" if path.len() < MOST_LEVELS => {
            let none = Map::new();
            let object = match value {
                None => &none,
                Some(value) => value.as_object()?,
            };
            group(schema, object, path, walk).map(Kind::Group)
        }
        _ => None,
    }
}

/// The choices of a list, and the stored value if it is not one of them.
fn choices(members: &[Value], value: Option<&Value>) -> Option<Vec<Choice>> {
    let stored = value.into_iter().filter(|value| !members.contains(value));
    let mut seen = HashSet::new();
    let mut choices = Vec::new();
    // A company manifest cannot hold null.
    for value in members.iter().filter(|value| !value.is_null()).chain(stored) {
        let text = scalar(value);
        let is_plain = !value.is_array() && !value.is_object() && is_line(&text);
        if !is_plain || !seen.insert(text.clone()) {
            return None;
        }
        choices.push(Choice { text, value: value.clone() });
    }
    (!choices.is_empty()).then_some(choices)
}

/// Whether a text is one line that comes back from a browser as it is, also without the spaces around it.
fn is_line(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.chars().any(char::is_control)
}

fn text(schema: &Map<String, Value>, value: Option<&Value>) -> Option<Kind> {
    let stored = match value {
        None => "",
        Some(value) => value.as_str()?,
    };
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    if is_secret(schema) {
        return Some(Kind::Secret);
    }
    // Browsers send other control characters differently, or not at all.
    if stored.chars().any(|character| character.is_control() && character != '\n' && character != '\t') {
        return None;
    }
    let most = schema.get("maxLength").and_then(Value::as_u64);
    Some(Kind::Text(TextRules {
        input: input(format, stored),
        has_lines: stored.contains('\n') || most.is_some_and(|most| most > LONG_TEXT),
        most,
        pattern: schema.get("pattern").and_then(Value::as_str).and_then(browser_pattern),
    }))
}

/// The type of an input. A browser changes or refuses what does not fit a type, so a stored text must fit it.
fn input(format: &str, stored: &str) -> &'static str {
    let fits = match format {
        "email" => is_mail_address(stored),
        "uri" => url::Url::parse(stored).is_ok() && !stored.contains(char::is_whitespace),
        "date" => stored.parse::<jiff::civil::Date>().is_ok_and(|date| date.to_string() == stored),
        _ => false,
    };
    match format {
        "email" if fits || stored.is_empty() => "email",
        "uri" if fits || stored.is_empty() => "url",
        "date" if fits || stored.is_empty() => "date",
        _ => "text",
    }
}

/// Whether every browser accepts the address. Some accept more.
fn is_mail_address(text: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_+".contains(&byte))
    };
    let is_label = |label: &str| {
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        (1..=63).contains(&label.len())
            && label.bytes().all(is_inside)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.split_once('@').is_some_and(|(name, host)| is_name(name) && host.split('.').all(is_label))
}

/// A pattern for the whole text, as HTML has it, of one for a part of it. None if browsers might read it differently; the
/// server checks it in any case.
fn browser_pattern(pattern: &str) -> Option<String> {
    let is_printable = pattern.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    let without_groups = pattern.replace("(?:", "(");
    let is_different = ["[[", "&&", "--", "~~", "(?"].iter().any(|odd| without_groups.contains(odd));
    let is_common = is_printable && !is_different && has_common_escapes(pattern);
    is_common.then(|| format!(".*(?:{pattern}).*"))
}

fn has_common_escapes(pattern: &str) -> bool {
    let mut bytes = pattern.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' && !bytes.next().is_some_and(|escaped| br"dDwWsS\./+*?()[]{}^$|".contains(&escaped)) {
            return false;
        }
    }
    true
}

fn number(schema: &Map<String, Value>, value: Option<&Value>, is_whole: bool) -> Option<Kind> {
    let fits = |value: &Value| if is_whole { value.is_i64() } else { value.is_number() };
    if value.is_some_and(|value| !fits(value)) {
        return None;
    }
    let rules = if is_whole { whole_number(schema, value) } else { any_number(schema) };
    Some(Kind::Number(rules))
}

fn whole_number(schema: &Map<String, Value>, value: Option<&Value>) -> NumberRules {
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_i64);
    let above = limit("exclusiveMinimum").map(|limit| limit.saturating_add(1));
    let below = limit("exclusiveMaximum").map(|limit| limit.saturating_sub(1));
    let least = limit("minimum").into_iter().chain(above).max();
    let most = limit("maximum").into_iter().chain(below).min();
    // Browsers count the steps from the smallest number, or else from the stored one.
    let base = least.or_else(|| value.and_then(Value::as_i64)).unwrap_or(0);
    let step = limit("multipleOf").filter(|step| *step > 0 && base.checked_rem(*step) == Some(0)).unwrap_or(1);
    NumberRules {
        is_whole: true,
        least: least.map(|limit| limit.to_string()),
        most: most.map(|limit| limit.to_string()),
        step: step.to_string(),
    }
}

fn any_number(schema: &Map<String, Value>) -> NumberRules {
    let limit = |keywords: [&str; 2]| {
        keywords
            .into_iter()
            .find_map(|keyword| schema.get(keyword))
            .filter(|limit| limit.is_number())
            .map(Value::to_string)
    };
    NumberRules {
        is_whole: false,
        least: limit(["minimum", "exclusiveMinimum"]),
        most: limit(["maximum", "exclusiveMaximum"]),
        step: "any".to_owned(),
    }
}

fn lines(schema: &Map<String, Value>, value: Option<&Value>) -> Option<Element> {
    if schema.contains_key("prefixItems") {
        return None;
    }
    let none = Vec::new();
    let stored = match value {
        None => &none,
        Some(value) => value.as_array()?,
    };
    let items = schema.get("items")?.as_object()?;
    if is_composed(items) {
        return None;
    }
    let element = match (items.get("enum"), items.get("type").and_then(Value::as_str)) {
        (Some(members), _) => Element::Choice(choices(members.as_array()?, None)?),
        (None, Some("string")) => Element::Text,
        (None, Some("integer")) => Element::Number { is_whole: true },
        (None, Some("number")) => Element::Number { is_whole: false },
        _ => return None,
    };
    let fits = |value: &Value| match &element {
        Element::Text => value.is_string(),
        Element::Number { is_whole: true } => value.is_i64(),
        Element::Number { is_whole: false } => value.is_number(),
        Element::Choice(_) => value.is_string() || value.is_number() || value.is_boolean(),
    };
    let all_fit = stored.iter().all(|value| fits(value) && is_line(&scalar(value)));
    all_fit.then_some(element)
}
