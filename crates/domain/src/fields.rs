//! Reads a JSON object field by field and collects every problem, each naming the field, the rule and the actual value
//! (decisions 2). Unknown fields are ignored. Here are also the kinds of values that several bodies have.
//!
//! An invalid field has no value, so that reading can continue; `FieldReader::finish` then fails, so that it is never
//! taken for an absent one.

use schemars::json_schema;
use serde_json::{Map, Value};

use super::{
    body::{Fields, Kind},
    schema,
};

/// The maximum length of a text by default, in characters.
const TEXT_LENGTH: usize = 10_000;
/// The maximum length of a title, in characters.
const TITLE_LENGTH: usize = 255;

/// A field of an update: left alone, cleared by null, or set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

/// The walk that reads.
#[derive(Debug)]
pub(crate) struct FieldReader<'a> {
    object: &'a Map<String, Value>,
    /// Of the whole body.
    text: &'a [u8],
    /// In front of each field's name: empty, or `linkOptions.`.
    prefix: String,
    problems: Vec<String>,
}

impl<'a> FieldReader<'a> {
    /// The fields of `value`, which must be a JSON object. `name` is its own in the body, empty for the whole body.
    pub(crate) fn of(value: &'a Value, name: &str, text: &'a [u8]) -> Result<Self, Vec<String>> {
        let (subject, prefix) = if name.is_empty() { ("the body", String::new()) } else { (name, format!("{name}.")) };
        match value.as_object() {
            Some(object) => Ok(Self { object, text, prefix, problems: Vec::new() }),
            None => Err(vec![format!("{subject} must be a JSON object, got {}", describe(value))]),
        }
    }

    /// Succeeds when nothing was wrong.
    pub(crate) fn finish(self) -> Result<(), Vec<String>> {
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems) }
    }

    fn present(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn read<T>(&mut self, name: &str, kind: &Kind<T>, value: &Value) -> Option<T> {
        match kind.read(value, &format!("{}{name}", self.prefix)) {
            Ok(read) => Some(read),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }
}

impl Fields for FieldReader<'_> {
    fn required<T>(&mut self, name: &'static str, kind: Kind<T>, _: &str) -> Option<T> {
        let Some(value) = self.present(name) else {
            self.refuse(&format!("{name} is required"));
            return None;
        };
        self.read(name, &kind, value)
    }

    fn optional<T>(&mut self, name: &'static str, kind: Kind<T>, _: &str) -> Option<T> {
        let value = self.present(name)?;
        self.read(name, &kind, value)
    }

    fn change<T>(&mut self, name: &'static str, kind: Kind<T>, _: &str) -> Change<T> {
        match self.object.get(name) {
            None => Change::Keep,
            Some(Value::Null) => Change::Clear,
            Some(value) => self.read(name, &kind, value).map_or(Change::Keep, Change::Set),
        }
    }

    fn verbatim<T>(
        &mut self,
        name: &'static str,
        kind: Kind<()>,
        description: &str,
        read: fn(&[u8]) -> Result<T, String>,
    ) -> Option<T> {
        self.optional(name, kind, description)?;
        read(self.text).map_err(|problem| self.refuse(&problem)).ok()
    }

    fn has(&self, name: &str) -> bool {
        self.present(name).is_some()
    }

    fn refuse(&mut self, problem: &str) {
        self.problems.push(format!("{}{problem}", self.prefix));
    }
}

/// Text of at most 10,000 characters, the bound of everything that ends up in a certificate (decisions 8), without the
/// character U+0000, which PostgreSQL cannot store.
pub(crate) const TEXT: Kind<String> =
    Kind::value(text, |_| json_schema!({ "type": "string", "maxLength": TEXT_LENGTH }));

/// Text that is not empty, of at most 10,000 characters.
pub(crate) const FILLED_TEXT: Kind<String> =
    Kind::value(filled_text, |_| json_schema!({ "type": "string", "minLength": 1, "maxLength": TEXT_LENGTH }));

/// A title: at most 255 characters (spec 2.2, decisions 5).
pub(crate) const TITLE: Kind<String> = Kind::value(
    |value| text_up_to(value, TITLE_LENGTH),
    |_| json_schema!({ "type": "string", "maxLength": TITLE_LENGTH }),
);

/// A whole number from 1.
pub(crate) const POSITIVE: Kind<i64> = Kind::value(positive, |_| schema::positive());

fn text(value: &Value) -> Result<String, String> {
    text_up_to(value, TEXT_LENGTH)
}

/// Text of at most `most` characters (Unicode scalar values), none of them U+0000.
fn text_up_to(value: &Value, most: usize) -> Result<String, String> {
    match value.as_str() {
        Some(text) if text.contains('\0') => Err("text without the character U+0000".to_owned()),
        Some(text) if text.chars().count() <= most => Ok(text.to_owned()),
        Some(_) => Err(format!("text of at most {most} characters")),
        None => Err("text".to_owned()),
    }
}

fn filled_text(value: &Value) -> Result<String, String> {
    match text(value)? {
        text if text.is_empty() => Err("text that is not empty".to_owned()),
        text => Ok(text),
    }
}

fn positive(value: &Value) -> Result<i64, String> {
    whole(value).filter(|number| *number > 0).ok_or_else(|| super::id::NUMBER_EXPECTED.to_owned())
}

/// A whole number, however it is written: JSON has one kind of number, and `10.0` is as whole as `10` (JSON Schema
/// 2020-12, section 6.1.1, `integer`).
pub fn whole(value: &Value) -> Option<i64> {
    /// 2⁵³: up to here floating-point numbers represent whole numbers exactly.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 2⁵³ fits")]
    let exact = |number: f64| (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64);
    value.as_i64().or_else(|| value.as_f64().and_then(exact))
}

/// A value for a message: its type, and the value itself if it is short.
pub fn describe(value: &Value) -> String {
    const SHOWN: usize = 40;
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.chars().count() <= SHOWN => format!("the text {value}"),
        Value::String(text) => {
            let start: String = text.chars().take(SHOWN).collect();
            format!("the text {}… of {} characters", Value::String(start), text.chars().count())
        }
        Value::Array(elements) => format!("an array of length {}", elements.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_problem_is_collected_and_names_field_rule_and_value() {
        let body = json!({ "title": 5, "frameId": "seventy", "extra": true });
        let mut fields = FieldReader::of(&body, "", b"").unwrap();
        assert_eq!(fields.optional("title", TITLE, ""), None);
        assert_eq!(fields.required("frameId", POSITIVE, ""), None);
        assert_eq!(fields.required("caseId", POSITIVE, ""), None);
        assert_eq!(
            fields.finish().unwrap_err(),
            [
                "title must be text, got the number 5",
                "frameId must be a positive whole number, got the text \"seventy\"",
                "caseId is required",
            ]
        );
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_zero_fraction() {
        for (text, expected) in [
            ("10", Some(10)),
            ("10.0", Some(10)),
            ("1e1", Some(10)),
            ("-10.0", Some(-10)),
            ("9007199254740992.0", Some(1 << 53)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("1e300", None),
            ("10.5", None),
            ("\"10\"", None),
            ("true", None),
        ] {
            assert_eq!(whole(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
        assert!(positive(&json!(0.0)).is_err());
        assert!(positive(&json!(-1.0)).is_err());
    }

    #[test]
    fn null_is_absence_except_in_a_change() {
        let body = json!({ "scheduledAt": null });
        let mut fields = FieldReader::of(&body, "", b"").unwrap();
        assert_eq!(fields.optional("scheduledAt", TEXT, ""), None);
        assert_eq!(fields.change("scheduledAt", TEXT, ""), Change::Clear);
        assert_eq!(fields.change("title", TITLE, ""), Change::Keep);
        assert!(fields.finish().is_ok());
    }

    #[test]
    fn a_long_value_is_shortened_in_the_message() {
        let long = json!("x".repeat(300));
        assert_eq!(describe(&long), format!("the text \"{}\"… of 300 characters", "x".repeat(40)));
        assert_eq!(text_up_to(&long, TITLE_LENGTH).unwrap_err(), "text of at most 255 characters");
    }
}
