//! The description of an operation beyond the operations' table: texts, examples, and the types of bodies and answers.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};
use strum::{IntoStaticStr, VariantArray};

use crate::domain::{item::NewItem, operation::Operation};

/// Returns a type's schema, or a reference to it.
pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// An operation's description. Method, path and its parameters, rights, quota, and what follows from them (401, 403, 429,
/// rate-limit headers) are not here: they come from the operations' table.
#[derive(Debug)]
pub(super) struct Description {
    pub(super) tag: Tag,
    /// A few words, without a full stop.
    pub(super) summary: &'static str,
    /// Markdown.
    pub(super) details: &'static str,
    pub(super) query: Vec<Query>,
    pub(super) body: Option<Body>,
    pub(super) answers: Vec<Answer>,
    /// Answers with the standard error body.
    pub(super) refusals: Vec<Refusal>,
    /// Operations that continue with this one's answer.
    pub(super) next: Vec<Next>,
}

/// The groups of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub(super) enum Tag {
    Authentication,
    Frames,
    Cases,
    Items,
    Reports,
    Links,
    Capture,
    Field,
    Company,
    #[strum(serialize = "Shared files")]
    Media,
    Server,
}

impl Tag {
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Authentication => "A token for an API user.",
            Self::Frames => {
                "What each kind of case asks for, step by step. The operator defines frames; the API reads them."
            }
            Self::Cases => "A case is opened on a frame, filled with items, and closed. Closing seals it for good.",
            Self::Items => {
                "Evidence: photos, videos, signatures, documents and entered values, each for a step of the frame."
            }
            Self::Reports => {
                "The cases that share a report token, an identifier of your own that is given when a case or a link is created."
            }
            Self::Links => "A link lets a person without an account work on a case.",
            Self::Capture => {
                "What the page of a link calls, for your own applications: a person with a link, without an account."
            }
            Self::Field => "What the page `/field` calls: a user of kind `field` signs in and fills their own cases.",
            Self::Company => "What the company has switched on, and where its case webhook goes.",
            Self::Media => {
                "Addresses that need no account. Anyone who knows the key at the end of an address can read it."
            }
            Self::Server => "The server itself.",
        }
    }
}

/// A parameter of the query.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) required: bool,
    pub(super) schema: Value,
}

/// Reads a body to find its problems.
type Reader = Box<dyn Fn(&Value) -> Result<(), Vec<String>>>;

/// A request's body.
pub(super) struct Body {
    pub(super) form: Form,
    pub(super) description: &'static str,
    pub(super) schema: SchemaOf,
    /// Whether it may be left out.
    pub(super) optional: bool,
    /// An example of the JSON.
    pub(super) example: Value,
    /// Runs the body's reader, which returns nothing or the problems.
    pub(super) read: Reader,
}

/// How the JSON of a body is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    /// As a part of a form with this name, next to the part `file`, which has this description.
    Upload {
        part: &'static str,
        file: &'static str,
    },
    /// Not JSON: bytes of this media type.
    Bytes(&'static str),
}

impl Body {
    /// A JSON body that `read` reads; the schema is that of its result.
    pub(super) fn json<T: JsonSchema + 'static>(
        description: &'static str,
        example: Value,
        read: fn(&Value) -> Result<T, Vec<String>>,
    ) -> Self {
        let read = Box::new(move |body: &Value| read(body).map(drop));
        let schema: SchemaOf = SchemaGenerator::subschema_for::<T>;
        Self { form: Form::Json, description, schema, optional: false, example, read }
    }

    /// The same body, which may be left out.
    pub(super) fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// Bytes. Nothing reads them as JSON.
    pub(super) fn bytes(description: &'static str, media_type: &'static str) -> Self {
        let schema: SchemaOf = |_| schemars::json_schema!({ "type": "string", "format": "binary" });
        let (example, read) = (json!("(bytes)"), Box::new(|_: &Value| Ok(())));
        Self { form: Form::Bytes(media_type), description, schema, optional: true, example, read }
    }

    /// A form with a file and its `createItemDto`.
    pub(super) fn upload(file: &'static str, example: Value) -> Self {
        let description = "A form with two parts, in either order: the file, and its description as JSON.";
        let form = Form::Upload { part: "createItemDto", file };
        Self { form, ..Self::json(description, example, NewItem::read) }
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("form", &self.form).field("example", &self.example).finish_non_exhaustive()
    }
}

/// An answer other than a refusal.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) description: &'static str,
    pub(super) content: Content,
    /// Names in `components/headers`, in addition to those that the table gives.
    pub(super) headers: &'static [&'static str],
}

#[derive(Debug)]
pub(super) enum Content {
    Nothing,
    Json {
        schema: SchemaOf,
        example: Value,
    },
    /// JSON or a ZIP archive, as the request asks.
    JsonOrArchive {
        schema: SchemaOf,
        example: Value,
    },
    /// Bytes of one of these media types.
    Bytes(&'static [&'static str]),
    /// Text of this media type.
    Text(&'static str),
}

impl Answer {
    /// JSON as the handler writes it: the example is a value of the handler's own answer type.
    pub(super) fn json<T: Serialize + JsonSchema>(status: u16, description: &'static str, example: &T) -> Self {
        let schema: SchemaOf = SchemaGenerator::subschema_for::<T>;
        let content = Content::Json { schema, example: json!(example) };
        Self { status, description, content, headers: &[] }
    }

    /// Success with JSON as [`Self::json`] has it, or with a ZIP archive.
    pub(super) fn json_or_archive<T: Serialize + JsonSchema>(description: &'static str, example: &T) -> Self {
        let schema: SchemaOf = SchemaGenerator::subschema_for::<T>;
        let content = Content::JsonOrArchive { schema, example: json!(example) };
        Self { status: 200, description, content, headers: &[] }
    }

    pub(super) fn bytes(status: u16, description: &'static str, media_types: &'static [&'static str]) -> Self {
        Self { status, description, content: Content::Bytes(media_types), headers: FILE_HEADERS }
    }

    /// 304 to a client that has the bytes already.
    pub(super) fn unchanged() -> Self {
        let description = "The client has these bytes already: `If-None-Match` names their `ETag`.";
        Self { status: 304, description, content: Content::Nothing, headers: FILE_HEADERS }
    }
}

const FILE_HEADERS: &[&str] = &["ETag", "Cache-Control"];

/// An answer with the standard error body: status, when it is given, and an example of its message.
pub(super) type Refusal = (u16, &'static str, &'static str);

/// An operation that continues with another's answer: an OpenAPI link.
#[derive(Debug)]
pub(super) struct Next {
    pub(super) operation: Operation,
    /// The parameter of its path, or the field of its body, that takes the value.
    pub(super) parameter: &'static str,
    /// The value's position in the answer, as a JSON pointer.
    pub(super) pointer: &'static str,
    pub(super) place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    Body,
}
