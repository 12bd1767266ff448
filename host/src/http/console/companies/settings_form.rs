//! The fields for a plugin's settings, made from the JSON Schema that the plugin declares and from what is stored.
//!
//! A field that is sent as it was shown changes nothing, whatever is stored, so opening the page and saving it loses
//! nothing. What a field of its own cannot hold is shown as JSON: a property whose schema has alternatives, or a stored
//! value that a browser would send back in another form. How large a form can become is limited, because anyone can write
//! a plugin.

mod kind;
mod read;
mod show;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

pub(super) use self::show::Shown;

/// A setting, an object of settings, or all of them together.
pub(super) struct Setting {
    /// The names of the objects on the way to the setting, and its own; empty for all settings together.
    path: Vec<String>,
    title: Option<String>,
    description: Option<String>,
    default: Option<Value>,
    is_required: bool,
    /// As it is stored.
    value: Option<Value>,
    kind: Kind,
}

/// How a setting is shown and read.
enum Kind {
    Text(TextRules),
    /// Never shown. An empty field keeps it.
    Secret,
    Choice(Vec<Choice>),
    Number(NumberRules),
    /// A box to tick.
    Switch,
    /// An array, each element on a line.
    Lines(Element),
    Group(Group),
    /// What no other kind can express. It is not shown if it may hold a secret.
    Json {
        is_hidden: bool,
    },
}

struct TextRules {
    /// The type of the input.
    input: &'static str,
    has_lines: bool,
    most: Option<u64>,
    pattern: Option<String>,
}

struct NumberRules {
    is_whole: bool,
    least: Option<String>,
    most: Option<String>,
    step: String,
}

struct Choice {
    text: String,
    value: Value,
}

/// The elements of an array that has a line for each.
enum Element {
    Text,
    Number { is_whole: bool },
    Choice(Vec<Choice>),
}

struct Group {
    settings: Vec<Setting>,
    /// Whether there is a field for settings that have none of their own.
    has_others: bool,
}

impl Setting {
    /// The name of the property; empty for all settings together.
    fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// The stored object; empty if there is none.
    fn object(&self) -> Map<String, Value> {
        self.value.as_ref().and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// Whether the stored value is not shown. An empty field keeps it.
    const fn is_hidden(&self) -> bool {
        matches!(self.kind, Kind::Secret | Kind::Json { is_hidden: true })
    }

    /// The text of the field, as it is stored.
    fn text(&self) -> String {
        let Some(value) = &self.value else { return String::new() };
        match &self.kind {
            Kind::Secret | Kind::Switch | Kind::Group(_) | Kind::Json { is_hidden: true } => String::new(),
            Kind::Text(_) | Kind::Choice(_) | Kind::Number(_) => scalar(value),
            Kind::Lines(_) => {
                let elements = value.as_array().into_iter().flatten();
                elements.map(scalar).collect::<Vec<_>>().join("\n")
            }
            Kind::Json { is_hidden: false } => json(value),
        }
    }

    /// Whether the box of a [`Kind::Switch`] is ticked, as it is stored.
    fn is_on(&self) -> bool {
        self.value.as_ref().or(self.default.as_ref()) == Some(&Value::Bool(true))
    }

    /// The path of the field where a problem with the setting at `path` is shown: the setting's own, or that of the
    /// closest one around it.
    fn place<'s>(&'s self, path: &[String]) -> &'s [String] {
        let (Kind::Group(group), Some((first, rest))) = (&self.kind, path.split_first()) else { return &self.path };
        let inner = group.settings.iter().find(|setting| setting.name() == first);
        inner.map_or(self.path.as_slice(), |setting| setting.place(rest))
    }
}

impl Group {
    /// The settings of a stored object that have no field of their own.
    fn others(&self, object: &Map<String, Value>) -> Map<String, Value> {
        let others = object.iter().filter(|(name, _)| !self.has(name));
        others.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.settings.iter().any(|setting| setting.name() == name)
    }
}

/// The text of a value that is neither an array nor an object.
fn scalar(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn json(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn json_of(object: &Map<String, Value>) -> String {
    if object.is_empty() { String::new() } else { serde_json::to_string_pretty(object).unwrap_or_default() }
}

/// The choices as a part of a sentence; only the first ones, so that the sentence stays readable.
fn list_of(choices: &[Choice]) -> String {
    const MOST: usize = 30;
    let names: Vec<&str> = choices.iter().take(MOST).map(|choice| choice.text.as_str()).collect();
    let rest = if choices.len() > MOST { ", …" } else { "" };
    format!("{}{rest}", names.join(", "))
}

/// What a field of the form holds.
#[derive(Clone, Copy)]
enum Part {
    /// The setting.
    Value,
    /// Whether a box was shown ticked. A browser sends nothing for a box that is not.
    Shown,
    /// The settings of an object that have no field of their own.
    Others,
}

impl Part {
    /// The name of a field. Names of properties may hold anything, and browsers change some characters, so all except
    /// letters, digits, `-` and `_` are written as in an address.
    fn field(self, plugin: &str, path: &[String]) -> String {
        let part = match self {
            Self::Value => "settings",
            Self::Shown => "shown",
            Self::Others => "others",
        };
        let path: Vec<String> = path.iter().map(|name| encoded(name)).collect();
        format!("{part}:{plugin}#{}", path.join("/"))
    }
}

fn encoded(name: &str) -> String {
    use std::fmt::Write as _;
    // An empty name would look like none.
    let mut encoded = if name.is_empty() { "%".to_owned() } else { String::new() };
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' {
            encoded.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
