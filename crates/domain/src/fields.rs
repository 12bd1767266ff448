//! Reads a JSON object field by field and collects every problem, each naming the field, the rule and the actual value
//! (decisions 2). Unknown fields are ignored.
//!
//! An invalid field yields a placeholder so that reading can continue; [`Fields::finish`] then fails, so that no
//! placeholder is ever used.

use serde_json::{Map, Value};

/// The maximum length of a text by default, in characters.
pub const TEXT_LENGTH: usize = 10_000;
/// The maximum length of a title, in characters.
pub const TITLE_LENGTH: usize = 255;

/// Checks one value: returns the parsed value, or what was expected (`a positive whole number`).
pub type Check<T> = fn(&Value) -> Result<T, String>;

#[derive(Debug)]
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    /// The object's position in the body: empty, or `linkOptions.`.
    path: &'a str,
    problems: Vec<String>,
}

/// A field of an update: left alone, cleared by null, or set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<'a> Fields<'a> {
    /// The fields of `value`, which must be a JSON object; messages put `path` before each field's name.
    pub fn of(value: &'a Value, path: &'a str) -> Result<Self, String> {
        match value.as_object() {
            Some(object) => Ok(Self { object, path, problems: Vec::new() }),
            None if path.is_empty() => Err(format!("the body must be a JSON object, got {}", describe(value))),
            None => Err(format!("{} must be a JSON object, got {}", path.trim_end_matches('.'), describe(value))),
        }
    }

    /// A required field. Null counts as absent.
    pub fn required<T>(&mut self, name: &str, check: Check<T>) -> Option<T> {
        match self.present(name) {
            None => {
                self.problems.push(format!("{}{name} is required", self.path));
                None
            }
            Some(value) => self.checked(name, value, check),
        }
    }

    /// A required secret field: no message repeats it.
    pub fn required_secret<T>(&mut self, name: &str, check: Check<T>) -> Option<T> {
        match self.present(name).map(check) {
            Some(Ok(checked)) => Some(checked),
            Some(Err(expected)) => {
                self.problems.push(format!("{}{name} must be {expected}", self.path));
                None
            }
            None => {
                self.problems.push(format!("{}{name} is required", self.path));
                None
            }
        }
    }

    /// A field that may be absent or null.
    pub fn optional<T>(&mut self, name: &str, check: Check<T>) -> Option<T> {
        let value = self.present(name)?;
        self.checked(name, value, check)
    }

    /// A field of an update, where null differs from absence.
    pub fn change<T>(&mut self, name: &str, check: Check<T>) -> Change<T> {
        match self.object.get(name) {
            None => Change::Keep,
            Some(Value::Null) => Change::Clear,
            Some(value) => self.checked(name, value, check).map_or(Change::Keep, Change::Set),
        }
    }

    /// [`Fields::change`] for a field that is read by `read`, whose problems are added to these.
    pub fn change_nested<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Value, &str) -> Result<T, Vec<String>>,
    ) -> Change<T> {
        match self.object.get(name) {
            None => Change::Keep,
            Some(Value::Null) => Change::Clear,
            Some(_) => self.nested(name, read).map_or(Change::Keep, Change::Set),
        }
    }

    /// A field that is an object itself, read by `read`, whose problems are added to these.
    pub fn nested<T>(&mut self, name: &str, read: impl FnOnce(&Value, &str) -> Result<T, Vec<String>>) -> Option<T> {
        let value = self.present(name)?;
        match read(value, &format!("{}{name}.", self.path)) {
            Ok(read) => Some(read),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.present(name).is_some()
    }

    /// Adds a problem that concerns more than one field.
    pub fn refuse(&mut self, problem: impl Into<String>) {
        self.problems.push(problem.into());
    }

    /// Succeeds when nothing was wrong.
    pub fn finish(self) -> Result<(), Vec<String>> {
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems) }
    }

    fn present(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn checked<T>(&mut self, name: &str, value: &Value, check: Check<T>) -> Option<T> {
        match check(value) {
            Ok(checked) => Some(checked),
            Err(expected) => {
                self.problems.push(format!("{}{name} must be {expected}, got {}", self.path, describe(value)));
                None
            }
        }
    }
}

/// Text of at most 10,000 characters, the bound of everything that ends up in a certificate (decisions 8), without the
/// character U+0000, which PostgreSQL cannot store.
pub fn text(value: &Value) -> Result<String, String> {
    text_up_to(value, TEXT_LENGTH)
}

/// Text of at most `most` characters (Unicode scalar values), none of them U+0000.
pub fn text_up_to(value: &Value, most: usize) -> Result<String, String> {
    match value.as_str() {
        Some(text) if text.contains('\0') => Err("text without the character U+0000".to_owned()),
        Some(text) if text.chars().count() <= most => Ok(text.to_owned()),
        Some(_) => Err(format!("text of at most {most} characters")),
        None => Err("text".to_owned()),
    }
}

/// Text that is not empty, of at most 10,000 characters.
pub fn filled_text(value: &Value) -> Result<String, String> {
    match text(value)? {
        text if text.is_empty() => Err("text that is not empty".to_owned()),
        text => Ok(text),
    }
}

/// A title: at most 255 characters (spec 2.2, decisions 5).
pub fn title(value: &Value) -> Result<String, String> {
    text_up_to(value, TITLE_LENGTH)
}

/// A whole number from 1.
pub fn positive(value: &Value) -> Result<i64, String> {
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

/// Any JSON object, unchanged.
pub fn object(value: &Value) -> Result<Map<String, Value>, String> {
    value.as_object().cloned().ok_or_else(|| "a JSON object".to_owned())
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
        Value::Array(elements) => format!("an array of {}", elements.len()),
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
        let mut fields = Fields::of(&body, "").unwrap();
        assert_eq!(fields.optional("title", title), None);
        assert_eq!(fields.required("frameId", positive), None);
        assert_eq!(fields.required("caseId", positive), None);
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
        let body = json!({ "metadata": null });
        let mut fields = Fields::of(&body, "").unwrap();
        assert_eq!(fields.optional("metadata", object), None);
        assert_eq!(fields.change("metadata", object), Change::Clear);
        assert_eq!(fields.change("title", title), Change::Keep);
        assert!(fields.finish().is_ok());
    }

    #[test]
    fn a_long_value_is_shortened_in_the_message() {
        let long = json!("x".repeat(300));
        assert_eq!(describe(&long), format!("the text \"{}\"… of 300 characters", "x".repeat(40)));
        assert_eq!(title(&long).unwrap_err(), "text of at most 255 characters");
    }
}
