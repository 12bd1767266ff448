//! Bodies of requests. A body names each of its fields once, with its kind and its description, in [`Body::walk`]. One
//! walk reads a value and collects every problem (`fields.rs`), another describes the body in JSON Schema
//! (`schema.rs`), so the two cannot differ.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::fields::{Change, FieldReader, describe};

/// An object that clients send: a body, or a part of one.
pub trait Body: Sized {
    /// The name of its schema.
    const NAME: &'static str;
    const DESCRIPTION: &'static str;

    /// Visits the fields in the order of the messages and of the schema, all of them before the first is used. None if
    /// a required field has no value.
    fn walk<F: Fields>(fields: &mut F) -> Option<Self>;
}

/// What [`Body::walk`] visits. Unknown fields are ignored, and not forbidden.
pub trait Fields: Sized {
    /// A required field. Null counts as absent.
    fn required<T>(&mut self, name: &'static str, kind: Kind<T>, description: &str) -> Option<T>;

    /// A field that may be absent or null.
    fn optional<T>(&mut self, name: &'static str, kind: Kind<T>, description: &str) -> Option<T>;

    /// A field of an update, where null differs from absence.
    fn change<T>(&mut self, name: &'static str, kind: Kind<T>, description: &str) -> Change<T>;

    /// A field that may be absent or null, and that `read` takes from the text of the whole body. `kind` only checks it.
    fn verbatim<T>(
        &mut self,
        name: &'static str,
        kind: Kind<()>,
        description: &str,
        read: fn(&[u8]) -> Result<T, String>,
    ) -> Option<T>;

    /// Whether the field has a value.
    fn has(&self, name: &str) -> bool;

    /// Adds a problem that concerns more than one field, or more than the field's kind.
    fn refuse(&mut self, problem: &str);
}

/// A kind of value: how it is read, and its schema.
#[derive(Debug)]
pub struct Kind<T> {
    pub(crate) read: Read<T>,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
}

#[derive(Debug)]
pub(crate) enum Read<T> {
    /// The error says what was expected (`a positive whole number`).
    Value(fn(&Value) -> Result<T, String>),
    /// The same, but no message repeats the value.
    Secret(fn(&Value) -> Result<T, String>),
    /// The errors are whole messages. The text is the value's name in the body.
    Parts(fn(&Value, &str) -> Result<T, Vec<String>>),
}

impl<T> Kind<T> {
    pub(crate) const fn value(
        read: fn(&Value) -> Result<T, String>,
        schema: fn(&mut SchemaGenerator) -> Schema,
    ) -> Self {
        Self { read: Read::Value(read), schema }
    }

    pub(crate) const fn secret(
        read: fn(&Value) -> Result<T, String>,
        schema: fn(&mut SchemaGenerator) -> Schema,
    ) -> Self {
        Self { read: Read::Secret(read), schema }
    }

    pub(crate) const fn parts(
        read: fn(&Value, &str) -> Result<T, Vec<String>>,
        schema: fn(&mut SchemaGenerator) -> Schema,
    ) -> Self {
        Self { read: Read::Parts(read), schema }
    }

    /// Reads a value; `name` is its name in the body, for messages.
    pub(crate) fn read(&self, value: &Value, name: &str) -> Result<T, Vec<String>> {
        match self.read {
            Read::Value(read) => {
                read(value).map_err(|expected| vec![format!("{name} must be {expected}, got {}", describe(value))])
            }
            Read::Secret(read) => read(value).map_err(|expected| vec![format!("{name} must be {expected}")]),
            Read::Parts(read) => read(value, name),
        }
    }
}

/// Another body as a field.
pub(crate) const fn part<B: Body>() -> Kind<B> {
    Kind::parts(|value, name| read(value, name, b""), SchemaGenerator::subschema_for::<super::schema::OfBody<B>>)
}

/// Reads a body, or a part of one whose name is `name`, and returns every problem of its shape. `text` is the body as
/// received, for [`Fields::verbatim`].
pub(crate) fn read<B: Body>(value: &Value, name: &str, text: &[u8]) -> Result<B, Vec<String>> {
    let mut fields = FieldReader::of(value, name, text)?;
    let body = B::walk(&mut fields);
    fields.finish()?;
    // A required field without a value is a problem, so `finish` has failed.
    body.ok_or_else(Vec::new)
}

/// Gives whole bodies their reader and their schema.
macro_rules! request_bodies {
    ($($body:ty),+) => {$(
        impl $body {
            /// Reads the body of a request; returns every problem of its shape.
            pub fn read(body: &serde_json::Value) -> Result<Self, Vec<String>> {
                $crate::body::read(body, "", b"")
            }
        }

        $crate::body::described!($body);
    )+};
}

/// Gives a body its schema.
macro_rules! described {
    ($body:ty) => {
        impl schemars::JsonSchema for $body {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                <$body as $crate::body::Body>::NAME.into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::schema::OfBody::<$body>::json_schema(generator)
            }
        }
    };
}

pub(crate) use {described, request_bodies};
