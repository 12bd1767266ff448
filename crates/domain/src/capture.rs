//! What the page of a link and other capture applications send: captures with an identifier of their own, and requests
//! for another capture (decisions 16).

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::{
    body::{Body, Fields, Kind, request_bodies},
    item::NewItem,
};

/// The identifier that a client gives to a capture, or to a closing: a UUID v4, in lowercase with hyphens. The same call
/// again under the same identifier changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct CaptureId(String);

impl CaptureId {
    pub const KIND: Kind<Self> = Kind::value(
        |value| value.as_str().and_then(Self::parse).ok_or_else(|| "a UUID v4".to_owned()),
        SchemaGenerator::subschema_for::<Self>,
    );

    /// Reads the hyphenated form of a UUID v4, in either case.
    pub fn parse(text: &str) -> Option<Self> {
        let uuid = Uuid::try_parse(text).ok().filter(|uuid| uuid.get_version_num() == 4)?;
        // The library also reads braces, `urn:uuid:` and digits without hyphens.
        (text.len() == 36).then(|| Self(uuid.to_string()))
    }
}

impl fmt::Display for CaptureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

sealwright_base::text_column!(CaptureId, "capture identifier", CaptureId::to_string, CaptureId::parse);

impl JsonSchema for CaptureId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CaptureId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "format": "uuid",
            "pattern": "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
        })
    }
}

/// A value entered by the holder of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedEntry {
    pub capture: CaptureId,
    pub item: NewItem,
}

impl Body for CapturedEntry {
    const NAME: &'static str = "CapturedEntry";
    const DESCRIPTION: &'static str = "An entered value with the identifier that the client gave it.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let capture = fields.required(
            "captureId",
            CaptureId::KIND,
            "A new UUID v4 for each capture. Sending the same identifier again returns the first answer and adds nothing.",
        );
        let item = NewItem::walk(fields);
        Some(Self { capture: capture?, item: item? })
    }
}

/// The closing of a case by the holder of its link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closing {
    pub id: Option<CaptureId>,
}

impl Body for Closing {
    const NAME: &'static str = "Closing";
    const DESCRIPTION: &'static str = "The closing of a case.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let id = fields.optional(
            "closingId",
            CaptureId::KIND,
            "A new UUID v4. Sending the same identifier again returns the certificate's address again, for a client \
             that did not get the first answer.",
        );
        Some(Self { id })
    }
}

/// Records of one session, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Compact JWSs, 1 to [`MOST_ANNOUNCED`].
    pub records: Vec<String>,
}

/// The most records of an announcement.
const MOST_ANNOUNCED: usize = 100;

impl Body for Announcement {
    const NAME: &'static str = "Announcement";
    const DESCRIPTION: &'static str = "Capture records of one session, in their order.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const RECORDS: Kind<Vec<String>> = Kind::value(
            |value| records(value).ok_or_else(|| format!("an array of 1 to {MOST_ANNOUNCED} texts")),
            |_| {
                json_schema!({
                    "type": "array", "minItems": 1, "maxItems": MOST_ANNOUNCED, "items": { "type": "string" },
                })
            },
        );
        let records = fields.required("records", RECORDS, "Compact JWSs (RFC 7515), each following the one before it.");
        Some(Self { records: records? })
    }
}

fn records(value: &Value) -> Option<Vec<String>> {
    let records = value.as_array().filter(|records| (1..=MOST_ANNOUNCED).contains(&records.len()))?;
    records.iter().map(|record| record.as_str().map(str::to_owned)).collect()
}

/// A request for another capture in place of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetakeRequest {
    /// One line for the person who captures.
    pub reason: String,
}

impl RetakeRequest {
    /// In characters.
    pub const LONGEST_REASON: usize = 500;
}

impl Body for RetakeRequest {
    const NAME: &'static str = "RetakeRequest";
    const DESCRIPTION: &'static str = "Why another capture is needed.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const REASON: Kind<String> = Kind::value(
            |value| {
                let reason = value.as_str().map(str::trim).filter(|text| is_reason(text));
                reason
                    .map(str::to_owned)
                    .ok_or_else(|| format!("one line of 1 to {} characters", RetakeRequest::LONGEST_REASON))
            },
            |_| json_schema!({ "type": "string", "minLength": 1, "maxLength": RetakeRequest::LONGEST_REASON }),
        );
        let reason = fields.required("reason", REASON, "Shown to the person at the step, for example `too dark`.");
        Some(Self { reason: reason? })
    }
}

fn is_reason(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= RetakeRequest::LONGEST_REASON && !text.contains(char::is_control)
}

request_bodies!(Announcement, CapturedEntry, Closing, RetakeRequest);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_capture_s_identifier_is_a_hyphenated_uuid_of_version_4() {
        let id = CaptureId::parse("7D444840-9DC0-41D1-B245-5FFDCE74FAD2").unwrap();
        assert_eq!(id.to_string(), "7d444840-9dc0-41d1-b245-5ffdce74fad2");
        for wrong in ["", "7d444840-9dc0-11d1-b245-5ffdce74fad2", "7d4448409dc041d1b2455ffdce74fad2"] {
            assert_eq!(CaptureId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_reason_is_one_line() {
        let read = |reason: serde_json::Value| RetakeRequest::read(&json!({ "reason": reason }));
        assert_eq!(read(json!(" too dark ")).unwrap().reason, "too dark");
        for wrong in [json!(""), json!("  "), json!("two\nlines"), json!("x".repeat(501)), json!(3), json!(null)] {
            let problems = read(wrong.clone()).unwrap_err();
            assert!(problems[0].contains("reason"), "{wrong}: {problems:?}");
        }
    }
}
