//! The canonical form of a JSON value (RFC 8785), so that the same content always has the same bytes and one digest.
//!
//! Numbers are exact integers here: a seal contains identifiers, sizes and counts, and fractions as text. RFC 8785
//! would silently round a larger number to the nearest double; this module rejects it.

use serde_json::{Number, Value};

use crate::digest::Sha256Digest;

/// The largest magnitude up to which integers and doubles correspond one to one (RFC 8785, appendix D; RFC 7493,
/// section 2.2).
const MAX_EXACT: u64 = (1 << 53) - 1;

/// Why a value has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    #[error("the number {0} is not a whole number between -(2^53 - 1) and 2^53 - 1")]
    InexactNumber(Number),
    #[error("the value cannot be written as JSON: {0}")]
    NotJson(String),
}

/// The canonical bytes of `value`: no white space, members sorted by the UTF-16 code units of their names (RFC 8785,
/// section 3.2.3), strings with the fewest escapes (section 3.2.2.2).
pub fn to_vec(value: &Value) -> Result<Vec<u8>, CanonicalError> {
    let mut bytes = Vec::new();
    write_value(&mut bytes, value)?;
    Ok(bytes)
}

/// The digest of the canonical bytes of `value`.
pub fn digest(value: &Value) -> Result<Sha256Digest, CanonicalError> {
    to_vec(value).map(Sha256Digest::of)
}

fn write_value(bytes: &mut Vec<u8>, value: &Value) -> Result<(), CanonicalError> {
    match value {
        Value::Null => bytes.extend_from_slice(b"null"),
        Value::Bool(truth) => bytes.extend_from_slice(if *truth { b"true" } else { b"false" }),
        Value::Number(number) => write_number(bytes, number)?,
        Value::String(text) => write_string(bytes, text),
        Value::Array(elements) => write_list(bytes, *b"[]", elements, write_value)?,
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            write_list(bytes, *b"{}", &members, |bytes, (name, value)| {
                write_string(bytes, name);
                bytes.push(b':');
                write_value(bytes, value)
            })?;
        }
    }
    Ok(())
}

fn write_list<T>(
    bytes: &mut Vec<u8>,
    [open, close]: [u8; 2],
    elements: &[T],
    write: impl Fn(&mut Vec<u8>, &T) -> Result<(), CanonicalError>,
) -> Result<(), CanonicalError> {
    bytes.push(open);
    for (position, element) in elements.iter().enumerate() {
        if position > 0 {
            bytes.push(b',');
        }
        write(bytes, element)?;
    }
    bytes.push(close);
    Ok(())
}

fn write_number(bytes: &mut Vec<u8>, number: &Number) -> Result<(), CanonicalError> {
    let exact = number.as_i64().is_some_and(|whole| whole.unsigned_abs() <= MAX_EXACT);
    if !exact {
        return Err(CanonicalError::InexactNumber(number.clone()));
    }
    bytes.extend_from_slice(number.to_string().as_bytes());
    Ok(())
}

fn write_string(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(b'"');
    for character in text.chars() {
        match character {
            '"' => bytes.extend_from_slice(b"\\\""),
            '\\' => bytes.extend_from_slice(b"\\\\"),
            '\u{8}' => bytes.extend_from_slice(b"\\b"),
            '\u{9}' => bytes.extend_from_slice(b"\\t"),
            '\u{A}' => bytes.extend_from_slice(b"\\n"),
            '\u{C}' => bytes.extend_from_slice(b"\\f"),
            '\u{D}' => bytes.extend_from_slice(b"\\r"),
            '\0'..='\u{1F}' => bytes.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes()),
            _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes.push(b'"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn canonical(value: &Value) -> String {
        String::from_utf8(to_vec(value).unwrap()).unwrap()
    }

    /// RFC 8785, section 3.2.2, without its numbers, which are fractions.
    #[test]
    fn the_rfcs_string_and_literals_are_written_as_the_rfc_writes_them() {
        let value: Value = serde_json::from_str(
            r#"{"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#,
        )
        .unwrap();
        assert_eq!(canonical(&value), r#"{"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"}"#);
    }

    /// RFC 8785, section 3.2.3: the order by UTF-16 code units puts the emoji (surrogates) before U+FB33.
    #[test]
    fn members_are_sorted_by_utf_16_code_units() {
        let value: Value = serde_json::from_str(
            r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
                "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#,
        )
        .unwrap();
        let order: Vec<usize> = [
            "Carriage Return",
            "One",
            "Control",
            "Latin Small Letter O With Diaeresis",
            "Euro Sign",
            "Emoji: Grinning Face",
            "Hebrew Letter Dalet With Dagesh",
        ]
        .iter()
        .map(|name| canonical(&value).find(name).unwrap())
        .collect();
        assert!(order.is_sorted(), "{order:?}");
    }

    #[test]
    fn the_order_of_the_source_does_not_matter() {
        let a = json!({"b": {"y": 1, "x": [1, 2]}, "a": null});
        let b = json!({"a": null, "b": {"x": [1, 2], "y": 1}});
        assert_eq!(canonical(&a), r#"{"a":null,"b":{"x":[1,2],"y":1}}"#);
        assert_eq!(digest(&a).unwrap(), digest(&b).unwrap());
    }

    #[test]
    fn control_characters_have_the_escapes_of_the_rfc() {
        assert_eq!(
            canonical(&json!("\0\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}/")),
            "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7F}/\""
        );
    }

    #[test]
    fn integers_are_exact_up_to_the_limit_of_a_double() {
        let edge = 9_007_199_254_740_991_i64;
        assert_eq!(canonical(&json!([0, -1, edge, -edge])), "[0,-1,9007199254740991,-9007199254740991]");
    }

    #[test]
    fn numbers_that_a_double_would_change_are_rejected() {
        for number in
            [json!(9_007_199_254_740_992_i64), json!(u64::MAX), json!(i64::MIN), json!(0.5), json!(-0.0), json!(1e30)]
        {
            assert!(matches!(to_vec(&json!({ "n": number })), Err(CanonicalError::InexactNumber(_))), "{number}");
        }
    }
}
