//! A plugin's settings: the JSON Schema that it declares, and the validation of company manifests' settings against it.

use anyhow::{Context, Result, ensure};
use jsonschema::{Draft, PatternOptions, ValidationError, Validator, error::ValidationErrorKind};
use sealwright_domain::console::SettingFault;
use sealwright_seal::digest::Sha256Digest;
use serde_json::{Map, Value};

use super::{PluginHost, component::Role};

/// The most bytes of a schema.
const MAX_SCHEMA_BYTES: usize = 64 * 1024;
/// The most memory of one of its patterns, compiled.
const MAX_PATTERN_BYTES: usize = 1024 * 1024;
/// The most problems that are reported at once.
const MAX_PROBLEMS: usize = 20;

/// A schema that was accepted.
pub(super) struct SettingsSchema {
    pub(super) schema: Value,
    validator: Validator,
}

/// What is wrong with settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsProblem {
    /// The path in the company manifest: `.languages[0]`, or empty for the settings as a whole.
    pub path: String,
    /// A JSON pointer to the setting, also if it is the one that is missing.
    pub pointer: String,
    pub message: String,
    /// The message for a form. It does not repeat the value.
    pub fault: SettingFault,
}

impl SettingsSchema {
    /// Reads a schema as the contract allows it: draft 2020-12, no external references, patterns without look-around.
    pub(super) fn read(text: &str) -> Result<Self> {
        ensure!(
            text.len() <= MAX_SCHEMA_BYTES,
            "the schema of its settings has {} bytes; at most {MAX_SCHEMA_BYTES} are allowed",
            text.len()
        );
        let schema: Value = serde_json::from_str(text).context("the schema of its settings is not JSON")?;
        ensure!(schema.is_object(), "the schema of its settings is not a JSON object");
        check_references(&schema)?;
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN_BYTES))
            .build(&schema)
            .map_err(|error| anyhow::anyhow!("the schema of its settings is not a JSON Schema: {error}"))?;
        Ok(Self { schema, validator })
    }

    /// Everything that the schema does not allow, at most 20 problems.
    fn problems(&self, settings: &Value) -> Vec<SettingsProblem> {
        let errors = self.validator.iter_errors(settings).take(MAX_PROBLEMS);
        errors
            .map(|error| SettingsProblem {
                path: manifest_path(error.instance_path().as_str()),
                pointer: pointer(&error),
                message: error.to_string(),
                fault: fault(&error),
            })
            .collect()
    }
}

impl PluginHost {
    /// What is wrong with these settings of a loaded plugin; nothing if it is not loaded.
    pub fn settings_problems(
        &self,
        name: &str,
        sha256: Option<Sha256Digest>,
        role: Role,
        settings: &Map<String, Value>,
    ) -> Vec<SettingsProblem> {
        let Some(plugin) = self.find(name, sha256, role) else { return Vec::new() };
        match &plugin.settings {
            Some(schema) => schema.problems(&Value::Object(settings.clone())),
            None if settings.is_empty() => Vec::new(),
            None => {
                let message = format!("the plugin {name} takes no settings");
                let fault = SettingFault::Other(message.clone());
                vec![SettingsProblem { path: String::new(), pointer: String::new(), message, fault }]
            }
        }
    }

    /// The JSON Schema of the settings of a loaded plugin, if it takes any.
    pub fn settings_schema(&self, name: &str, sha256: Option<Sha256Digest>, role: Role) -> Option<Value> {
        let plugin = self.find(name, sha256, role)?;
        plugin.settings.as_ref().map(|settings| settings.schema.clone())
    }
}

/// A JSON pointer to what is wrong: to the property itself if it is missing.
fn pointer(error: &ValidationError<'_>) -> String {
    let at = error.instance_path().as_str();
    match error.kind() {
        ValidationErrorKind::Required { property: Value::String(name) } => {
            format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
        }
        _ => at.to_owned(),
    }
}

fn fault(error: &ValidationError<'_>) -> SettingFault {
    use ValidationErrorKind as Kind;
    match error.kind() {
        Kind::Required { .. } => SettingFault::Missing,
        Kind::Minimum { limit } => SettingFault::Least(limit.to_string()),
        Kind::Maximum { limit } => SettingFault::Most(limit.to_string()),
        Kind::ExclusiveMinimum { limit } => SettingFault::Above(limit.to_string()),
        Kind::ExclusiveMaximum { limit } => SettingFault::Below(limit.to_string()),
        Kind::MultipleOf { multiple_of } => SettingFault::MultipleOf(multiple_of.to_string()),
        Kind::MinLength { limit } => SettingFault::FewCharacters(*limit),
        Kind::MaxLength { limit } => SettingFault::ManyCharacters(*limit),
        Kind::Pattern { pattern } => SettingFault::Pattern(shortened(pattern)),
        Kind::MinItems { limit } => SettingFault::FewElements(*limit),
        Kind::MaxItems { limit } => SettingFault::ManyElements(*limit),
        Kind::UniqueItems => SettingFault::Repeated,
        Kind::Enum { options } => SettingFault::NotOfList(listed(options)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            SettingFault::Unknown(shortened(&unexpected.join(", ")))
        }
        _ => SettingFault::Other(shortened(&error.masked().to_string())),
    }
}

/// The values of an `enum` as a sentence has them.
fn listed(options: &Value) -> String {
    let values = options.as_array().into_iter().flatten();
    let values = values.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    shortened(&values.collect::<Vec<_>>().join(", "))
}

/// At most 300 characters, because a schema may have much longer texts.
fn shortened(text: &str) -> String {
    const MOST: usize = 300;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}

/// `/languages/0` of a JSON pointer as `.languages[0]`.
fn manifest_path(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        if part.bytes().all(|byte| byte.is_ascii_digit()) && !part.is_empty() {
            path.extend(["[", part, "]"]);
        } else {
            path.push('.');
            path.push_str(&part.replace("~1", "/").replace("~0", "~"));
        }
    }
    path
}

/// Ensures that a schema can be evaluated in bounded time: no reference leads back to a schema that is applied to the
/// same value, and not too many are applied to one value. References that move on to a part of the value may recur.
fn check_references(schema: &Value) -> Result<()> {
    let mut walk = Walk { root: schema, path: Vec::new(), steps: 0 };
    let mut waiting = vec![schema];
    while let Some(value) = waiting.pop() {
        walk.visit(value)?;
        match value {
            Value::Object(object) => waiting.extend(object.values()),
            Value::Array(elements) => waiting.extend(elements),
            _ => {}
        }
    }
    Ok(())
}

/// Follows the references and alternatives of schemas for one and the same value.
struct Walk<'s> {
    root: &'s Value,
    /// The schemas on the way to the current one.
    path: Vec<&'s Value>,
    steps: usize,
}

const MAX_STEPS: usize = 100_000;
const MAX_DEPTH: usize = 64;

impl<'s> Walk<'s> {
    fn visit(&mut self, schema: &'s Value) -> Result<()> {
        let Value::Object(object) = schema else { return Ok(()) };
        let leads_back = self.path.iter().any(|earlier| std::ptr::eq(*earlier, schema));
        ensure!(!leads_back, "the schema of its settings refers to itself without end");
        self.steps += 1;
        ensure!(
            self.steps <= MAX_STEPS && self.path.len() < MAX_DEPTH,
            "the schema of its settings is too complex: too many references and alternatives for one value"
        );
        for keyword in ["$ref", "$dynamicRef"] {
            let target = object.get(keyword).and_then(Value::as_str);
            let is_pointer = target.is_none_or(|target| target == "#" || target.starts_with("#/"));
            ensure!(is_pointer, "the schema of its settings has a reference that does not start with `#/`");
        }
        let has_base = object.contains_key("$id") && !std::ptr::eq(schema, self.root);
        ensure!(!has_base, "the schema of its settings has a nested `$id`, which changes what references mean");
        self.path.push(schema);
        for next in for_the_same_value(self.root, object) {
            self.visit(next)?;
        }
        self.path.pop();
        Ok(())
    }
}

/// The schemas that are applied to the same value as this one.
fn for_the_same_value<'s>(root: &'s Value, schema: &'s Map<String, Value>) -> Vec<&'s Value> {
    let mut found: Vec<&Value> = Vec::new();
    for keyword in ["$ref", "$dynamicRef"] {
        let target = schema.get(keyword).and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
        found.extend(target.and_then(|target| root.pointer(target)));
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        found.extend(schema.get(keyword).and_then(Value::as_array).into_iter().flatten());
    }
    for keyword in ["not", "if", "then", "else"] {
        found.extend(schema.get(keyword));
    }
    let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
    found.extend(dependent.into_iter().flat_map(Map::values));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(schema: &Value) -> String {
        format!("{:#}", SettingsSchema::read(&schema.to_string()).err().expect("the schema is refused"))
    }

    #[test]
    fn settings_are_checked_against_the_schema_and_the_field_is_named_as_in_the_manifest() {
        let schema = json!({
            "type": "object",
            "properties": {
                "languages": { "type": "array", "items": { "enum": ["fr", "en"] } },
                "deep": { "type": "object", "properties": { "most": { "type": "integer", "maximum": 9 } } },
            },
            "additionalProperties": false,
        });
        let schema = SettingsSchema::read(&schema.to_string()).unwrap();
        assert_eq!(schema.problems(&json!({ "languages": ["fr"], "deep": { "most": 9 } })), []);
        let problems = schema.problems(&json!({ "languages": ["fr", "de"], "deep": { "most": 10 }, "langages": [] }));
        let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert!(paths.contains(&".languages[1]") && paths.contains(&".deep.most"), "{problems:?}");
        assert!(problems.iter().any(|problem| problem.message.contains("langages")), "{problems:?}");
    }

    #[test]
    fn a_form_learns_which_setting_is_wrong_and_how_but_not_the_value() {
        let schema = json!({
            "type": "object",
            "required": ["a/b~c"],
            "properties": {
                "most": { "type": "integer", "maximum": 9 },
                "word": { "enum": ["fr", "en"] },
                "secret": { "type": "string", "minLength": 20 },
                "kind": { "type": "integer" },
            },
            "additionalProperties": false,
        });
        let schema = SettingsSchema::read(&schema.to_string()).unwrap();
        let problems = schema
            .problems(&json!({ "most": 10, "word": "de", "secret": "hunter2", "kind": "hunter3", "odd": "hunter4" }));
        let fault = |pointer: &str| {
            let found = problems.iter().find(|problem| problem.pointer == pointer);
            found.map(|problem| problem.fault.clone())
        };
        assert_eq!(fault("/a~1b~0c"), Some(SettingFault::Missing));
        assert_eq!(fault("/most"), Some(SettingFault::Most("9".to_owned())));
        assert_eq!(fault("/word"), Some(SettingFault::NotOfList("fr, en".to_owned())));
        assert_eq!(fault("/secret"), Some(SettingFault::FewCharacters(20)));
        assert_eq!(fault(""), Some(SettingFault::Unknown("odd".to_owned())));
        assert!(matches!(fault("/kind"), Some(SettingFault::Other(_))), "{problems:?}");
        let texts: Vec<String> = problems.iter().map(|problem| problem.fault.to_string()).collect();
        assert!(!texts.concat().contains("hunter"), "{texts:?}");
    }

    #[test]
    fn schemas_that_would_not_end_or_reach_elsewhere_are_refused() {
        for endless in [
            json!({ "$ref": "#" }),
            json!({ "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } }, "$ref": "#/$defs/a" }),
            json!({ "allOf": [{ "not": { "$ref": "#" } }] }),
        ] {
            assert!(refusal(&endless).contains("without end"), "{endless}");
        }
        let doubling: Map<String, Value> = (0..40)
            .map(|n| {
                let next = json!({ "$ref": format!("#/$defs/{}", n + 1) });
                (n.to_string(), json!({ "allOf": [next.clone(), next] }))
            })
            .collect();
        assert!(refusal(&json!({ "$defs": doubling, "$ref": "#/$defs/0" })).contains("too complex"));
        let based = json!({ "$id": "urn:b" });
        for odd in [
            json!({ "$anchor": "a", "$ref": "#a" }),
            json!({ "$id": "urn:a", "$ref": "urn:a" }),
            json!({ "not": based }),
        ] {
            assert!(refusal(&odd).contains("reference"), "{odd}");
        }
        assert!(refusal(&json!({ "$ref": "https://elsewhere.example/schema" })).contains("does not start"));
        assert!(refusal(&json!({ "$ref": "file:///etc/passwd" })).contains("does not start"));
        assert!(refusal(&json!({ "pattern": "(?<=a)b" })).contains("not a JSON Schema"));
        assert!(refusal(&json!({ "type": "objekt" })).contains("not a JSON Schema"));
        assert!(refusal(&json!({ "description": "x".repeat(64 * 1024) })).contains("65536 are allowed"));
        assert!(refusal(&json!([])).contains("not a JSON object"));
    }

    #[test]
    fn a_schema_may_recur_where_it_moves_on_to_a_part() {
        let tree = json!({ "type": "object", "additionalProperties": { "$ref": "#" } });
        let tree = SettingsSchema::read(&tree.to_string()).unwrap();
        assert_eq!(tree.problems(&json!({ "a": { "b": {} } })), []);
        assert_eq!(tree.problems(&json!({ "a": { "b": 1 } }))[0].path, ".a.b");
    }
}
