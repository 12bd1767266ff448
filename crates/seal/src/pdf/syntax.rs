//! Values (ISO 32000-1, section 7.3), each with its place in the file.

mod parser;

use std::ops::Range;

pub(crate) use self::parser::Parser;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// The value's place in the file, including its delimiters.
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Integer(i64),
    /// Nothing here depends on a fraction.
    Real,
    Name(Vec<u8>),
    String(Vec<u8>),
    Array(Vec<Node>),
    Dictionary(Dictionary),
    /// To an object of generation 0; others are rejected.
    Reference(u32),
}

/// Entries in the file's order; no key occurs twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Dictionary(Vec<(Vec<u8>, Node)>);

impl Dictionary {
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.0.iter().find(|(name, _)| name == key.as_bytes()).map(|(_, node)| node)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &Node)> {
        self.0.iter().map(|(name, node)| (name.as_slice(), node))
    }

    pub(crate) fn is_name(&self, key: &str, expected: &str) -> bool {
        matches!(self.get(key).map(|node| &node.value), Some(Value::Name(name)) if name == expected.as_bytes())
    }

    pub(crate) fn integer(&self, key: &str) -> Option<i64> {
        match self.get(key)?.value {
            Value::Integer(number) => Some(number),
            _ => None,
        }
    }

    pub(crate) fn reference(&self, key: &str) -> Option<u32> {
        match self.get(key)?.value {
            Value::Reference(number) => Some(number),
            _ => None,
        }
    }

    pub(crate) fn array(&self, key: &str) -> Option<&[Node]> {
        match &self.get(key)?.value {
            Value::Array(elements) => Some(elements),
            _ => None,
        }
    }

    pub(crate) fn dictionary(&self, key: &str) -> Option<&Self> {
        match &self.get(key)?.value {
            Value::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    pub(crate) fn string(&self, key: &str) -> Option<&[u8]> {
        match &self.get(key)?.value {
            Value::String(bytes) => Some(bytes),
            _ => None,
        }
    }
}
