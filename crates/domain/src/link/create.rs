//! Links that are created on their own (spec 4.18, decisions 7), and what they carry.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use sealwright_base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::expiration_date;
use crate::{
    body::{Body, Fields, Kind, described, read},
    fields::POSITIVE,
    id::{CompanyId, FrameId},
    report::ReportToken,
};

/// The `context` of a link: an opaque JSON object, kept as the original text. So it is returned unchanged (spec 4.18):
/// its keys in their order, its numbers with every digit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LinkContext(Box<RawValue>);

impl LinkContext {
    /// In bytes, as received (decisions 7).
    const LONGEST: usize = 16 * 1024;

    /// Takes what was stored.
    pub fn from_json(json: String) -> serde_json::Result<Self> {
        RawValue::from_string(json).map(Self)
    }

    pub fn as_json(&self) -> &str {
        self.0.get()
    }
}

impl JsonSchema for LinkContext {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "LinkContext".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": true })
    }
}

impl PartialEq for LinkContext {
    fn eq(&self, other: &Self) -> bool {
        self.as_json() == other.as_json()
    }
}

impl Eq for LinkContext {}

/// A link to create, as the request's shape allows it. What needs the store or the clock is checked by the use case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    /// The frame on which the person who opens the link can open a case.
    pub frame: Option<FrameId>,
    pub report_token: Option<ReportToken>,
    /// How many cases may be opened on the link; none: no limit.
    pub max_uses: Option<i64>,
    pub expires_at: Option<Timestamp>,
    pub child_company: Option<CompanyId>,
    pub context: Option<LinkContext>,
}

impl NewLink {
    /// Reads the body of `POST /link/create` (decisions 7); `text` is the body as received.
    pub fn read(body: &Value, text: &[u8]) -> Result<Self, Vec<String>> {
        read(body, "", text)
    }
}

impl Body for NewLink {
    const NAME: &'static str = "NewLink";
    const DESCRIPTION: &'static str = "A link on which cases can be opened.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const OBJECT: Kind<()> = Kind::value(is_object, SchemaGenerator::subschema_for::<LinkContext>);
        let frame =
            fields.optional("frameId", FrameId::KIND, "The frame on which anyone who opens the link can open a case.");
        let report_token = fields.optional(
            "reportToken",
            ReportToken::KIND,
            "The report of cases that are opened on the link without naming another.",
        );
        let max_uses =
            fields.optional("maxUses", POSITIVE, "How many cases may be opened on the link. Default: no limit.");
        let expires_at = expiration_date(fields);
        let child_company = fields.optional(
            "childCompanyId",
            CompanyId::KIND,
            "A child of the caller's company, which then owns the link and its cases.",
        );
        let context = fields.verbatim(
            "context",
            OBJECT,
            "Any JSON object of at most 16 KiB. The case webhook returns it unchanged, including the order of \
             its keys and the digits of its numbers.",
            read_context,
        );
        Some(Self { frame, report_token, max_uses, expires_at, child_company, context })
    }
}

described!(NewLink);

fn is_object(value: &Value) -> Result<(), String> {
    if value.is_object() { Ok(()) } else { Err("a JSON object".to_owned()) }
}

/// The `context` of a body that has one, as it is written there.
fn read_context(text: &[u8]) -> Result<LinkContext, String> {
    #[derive(Deserialize)]
    struct Body {
        context: LinkContext,
    }
    // The body is an object and has the field; the only possible error is a duplicate.
    let Body { context } = serde_json::from_slice(text).map_err(|error| format!("context cannot be read: {error}"))?;
    match context.as_json().len() {
        length if length <= LinkContext::LONGEST => Ok(context),
        length => Err(format!("context must be a JSON object of at most {} bytes, got {length}", LinkContext::LONGEST)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<NewLink, Vec<String>> {
        NewLink::read(&serde_json::from_str(body).unwrap(), body.as_bytes())
    }

    #[test]
    fn spec_4_18_a_context_is_kept_as_it_was_written() {
        let context = r#"{"z": 1.10, "a":[ 12345678901234567890123, 1e2, "\u0000é\/"], "":{ }}"#;
        let link = read(&format!(r#"{{"maxUses": 1, "context":  {context} , "frameId": 70}}"#)).unwrap();
        let kept = link.context.unwrap();
        assert_eq!(kept.as_json(), context);
        assert_eq!(serde_json::to_string(&kept).unwrap(), context);
        assert_eq!(LinkContext::from_json(context.to_owned()).unwrap(), kept);
        assert_eq!(read("{}").unwrap().context, None);
        assert_eq!(read(r#"{"context": null}"#).unwrap().context, None);
        assert_eq!(read(r#"{"context": {}}"#).unwrap().context.unwrap().as_json(), "{}");
    }

    #[test]
    fn decisions_7_a_context_is_an_object_of_at_most_16_kib() {
        let of = |length: usize| format!(r#"{{"context": {{"k":"{}"}}}}"#, "x".repeat(length - 8));
        assert!(read(&of(16 * 1024)).is_ok());
        let problems = read(&of(16 * 1024 + 1)).unwrap_err();
        assert_eq!(problems, ["context must be a JSON object of at most 16384 bytes, got 16385"]);
        for wrong in ["[]", "1", "\"x\"", "true"] {
            let problems = read(&format!(r#"{{"context": {wrong}}}"#)).unwrap_err();
            assert!(problems[0].starts_with("context must be a JSON object, got"), "{problems:?}");
        }
        let problems = read(r#"{"context": {"a": 1}, "context": {"b": 2}}"#).unwrap_err();
        assert!(problems[0].starts_with("context cannot be read: duplicate field"), "{problems:?}");
    }

    #[test]
    fn every_problem_of_a_new_link_is_reported_at_once() {
        let wrong = r#"{"frameId": 0, "reportToken": "", "maxUses": 0, "expirationDate": "soon", "childCompanyId": "x", "context": 1}"#;
        assert_eq!(read(wrong).unwrap_err().len(), 6);
        assert_eq!(read("[]").unwrap_err(), ["the body must be a JSON object, got an array of length 0"]);
    }
}
