//! CBOR (RFC 8949) as claims, assertions and signatures use it: read within bounds, and looked up by key.

use ciborium::value::Value;

/// A larger structure is not read: claims have some thousand bytes, actions of a long history some hundred thousand.
pub(crate) const MAX_BYTES: usize = 1 << 20;
const MAX_DEPTH: usize = 24;

pub(crate) fn read(bytes: &[u8]) -> Option<Value> {
    if bytes.len() > MAX_BYTES {
        return None;
    }
    ciborium::de::from_reader_with_recursion_limit(bytes, MAX_DEPTH).ok()
}

pub(crate) fn write(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = ciborium::into_writer(value, &mut bytes);
    bytes
}

/// Without the tags around it.
pub(crate) fn untagged(mut value: &Value) -> &Value {
    while let Value::Tag(_, inner) = value {
        value = inner;
    }
    value
}

/// The value of a text key of a map.
pub(crate) fn field<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let entries = untagged(value).as_map()?;
    entries.iter().find(|(name, _)| name.as_text() == Some(key)).map(|(_, value)| untagged(value))
}

/// The value of a numbered key of a map.
pub(crate) fn numbered(value: &Value, key: i64) -> Option<&Value> {
    let entries = untagged(value).as_map()?;
    entries.iter().find(|(name, _)| integer(name) == Some(key)).map(|(_, value)| untagged(value))
}

pub(crate) fn integer(value: &Value) -> Option<i64> {
    i64::try_from(untagged(value).as_integer()?).ok()
}

pub(crate) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    field(value, key)?.as_text()
}

pub(crate) fn bytes<'v>(value: &'v Value, key: &str) -> Option<&'v [u8]> {
    field(value, key)?.as_bytes().map(Vec::as_slice)
}

/// The elements of a list; none if there is no such list.
pub(crate) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    field(value, key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}
