//! `caseContext`: who a case is about and who issued it, shown in the certificate and sent in the case webhook.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{
    case::limits::context_refusal,
    fields::{Change, Fields, text},
    schema::{self, object, optional},
};

/// What a case shows is sealed as received, so the seal's types are used here.
pub use sealwright_seal::manifest::{Beneficiary, VisibleData};

/// A `caseContext` of a request: what it shows, and its own form of the metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseContext {
    pub visible: VisibleData,
    pub metadata: Option<Map<String, Value>>,
}

impl CaseContext {
    /// Reads a `caseContext`; messages put `path` before each field's name.
    pub fn read(value: &Value, path: &str) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(value, path).map_err(|problem| vec![problem])?;
        let visible = fields.nested("visibleData", read_visible_data);
        let metadata =
            fields.nested("metadata", |value, path| super::metadata::check(path.trim_end_matches('.'), value));
        if let Some(refusal) = visible.as_ref().and_then(context_refusal) {
            fields.refuse(format!("{path}visibleData {refusal}"));
        }
        fields.finish()?;
        Ok(Self { visible: visible.unwrap_or_default(), metadata })
    }
}

impl JsonSchema for CaseContext {
    fn schema_name() -> Cow<'static, str> {
        "CaseContext".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        const METADATA: &str = "Another place for `metadata`; if both are given, the one at the top level counts.";
        object(
            "Who a case is about and who issued it.",
            [
                optional("visibleData", "What the certificate shows.", generator.subschema_for::<VisibleFields>()),
                optional("metadata", METADATA, generator.subschema_for::<super::metadata::Metadata>()),
            ],
        )
    }
}

/// Names the schema of `visibleData`, whose type is the seal's.
enum VisibleFields {}

impl JsonSchema for VisibleFields {
    fn schema_name() -> Cow<'static, str> {
        "VisibleData".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        const BENEFICIARY: &str = "The person that the case is about.";
        object(
            "What the certificate shows.",
            [
                optional("beneficiary", BENEFICIARY, generator.subschema_for::<BeneficiaryFields>()),
                optional("issuer", "Who issued the case.", schema::text()),
                optional("photoRef", "The issuer's reference of the photos.", schema::text()),
                optional("reportRef", "The issuer's reference of the report.", schema::text()),
                optional("instructions", "Instructions for the user.", schema::text()),
                optional("user", "The user's name as the certificate shows it.", schema::text()),
            ],
        )
    }
}

/// Names the schema of `beneficiary`, whose type is the seal's.
enum BeneficiaryFields {}

impl JsonSchema for BeneficiaryFields {
    fn schema_name() -> Cow<'static, str> {
        "Beneficiary".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        object(
            "The person that a case is about.",
            [
                optional("lastName", "", schema::text()),
                optional("firstName", "", schema::text()),
                optional("address", "", schema::text()),
                optional("city", "", schema::text()),
                optional("postCode", "", schema::text()),
                optional("email", "Not sent in the case webhook.", schema::text()),
            ],
        )
    }
}

/// A `caseContext` in an update: only what it has changes (spec 4.8, rule 1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseContextUpdate {
    pub visible: Option<VisibleData>,
    /// Null clears it, as it does at the top level.
    pub metadata: Change<Map<String, Value>>,
}

impl CaseContextUpdate {
    /// Reads a `caseContext`; messages put `path` before each field's name.
    pub fn read(value: &Value, path: &str) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(value, path).map_err(|problem| vec![problem])?;
        let visible = fields.nested("visibleData", read_visible_data);
        let metadata =
            fields.change_nested("metadata", |value, path| super::metadata::check(path.trim_end_matches('.'), value));
        if let Some(refusal) = visible.as_ref().and_then(context_refusal) {
            fields.refuse(format!("{path}visibleData {refusal}"));
        }
        fields.finish()?;
        Ok(Self { visible, metadata })
    }
}

/// The `context` of the case webhook, under its internal keys (spec 6.1); none when nothing was provided. The
/// beneficiary's e-mail has no internal key and is not sent (decisions 5).
pub fn webhook_context(visible: &VisibleData) -> Option<Value> {
    let mut context = Map::new();
    if let Some(person) = &visible.beneficiary {
        let keys = [
            ("nom", &person.last_name),
            ("prenom", &person.first_name),
            ("adresse", &person.address),
            ("cp", &person.post_code),
            ("ville", &person.city),
        ];
        let person = provided(&keys);
        if !person.is_empty() {
            context.insert("beneficiaire".to_owned(), Value::Object(person));
        }
    }
    context.extend(provided(&[
        ("emetteur", &visible.issuer),
        ("photoRef", &visible.photo_ref),
        ("reportRef", &visible.report_ref),
        ("instructions", &visible.instructions),
        ("user", &visible.user),
    ]));
    (!context.is_empty()).then_some(Value::Object(context))
}

fn read_visible_data(value: &Value, path: &str) -> Result<VisibleData, Vec<String>> {
    let mut fields = Fields::of(value, path).map_err(|problem| vec![problem])?;
    let read = VisibleData {
        beneficiary: fields.nested("beneficiary", read_beneficiary),
        issuer: fields.optional("issuer", text),
        photo_ref: fields.optional("photoRef", text),
        report_ref: fields.optional("reportRef", text),
        instructions: fields.optional("instructions", text),
        user: fields.optional("user", text),
    };
    fields.finish()?;
    Ok(read)
}

fn read_beneficiary(value: &Value, path: &str) -> Result<Beneficiary, Vec<String>> {
    let mut fields = Fields::of(value, path).map_err(|problem| vec![problem])?;
    let read = Beneficiary {
        last_name: fields.optional("lastName", text),
        first_name: fields.optional("firstName", text),
        address: fields.optional("address", text),
        city: fields.optional("city", text),
        post_code: fields.optional("postCode", text),
        email: fields.optional("email", text),
    };
    fields.finish()?;
    Ok(read)
}

fn provided(keys: &[(&str, &Option<String>)]) -> Map<String, Value> {
    keys.iter().filter_map(|(key, text)| text.as_ref().map(|text| ((*key).to_owned(), json!(text)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_6_1_the_webhook_context_has_internal_keys_and_only_those_provided() {
        let given = json!({ "visibleData": {
            "beneficiary": { "lastName": "Durand", "firstName": "Léa", "postCode": "69001", "email": "lea@example.org" },
            "issuer": "Acme", "reportRef": "R-1"
        }});
        let context = CaseContext::read(&given, "caseContext.").unwrap();
        assert_eq!(
            webhook_context(&context.visible).unwrap(),
            json!({ "beneficiaire": { "nom": "Durand", "prenom": "Léa", "cp": "69001" },
                    "emetteur": "Acme", "reportRef": "R-1" })
        );
    }

    #[test]
    fn nothing_provided_gives_no_context() {
        let only_mail = json!({ "visibleData": { "beneficiary": { "email": "lea@example.org" } } });
        assert_eq!(webhook_context(&CaseContext::read(&only_mail, "").unwrap().visible), None);
        assert_eq!(webhook_context(&VisibleData::default()), None);
    }

    #[test]
    fn a_problem_names_the_whole_path() {
        let wrong = json!({ "visibleData": { "beneficiary": { "city": 5 }, "user": [] } });
        assert_eq!(
            CaseContext::read(&wrong, "caseContext.").unwrap_err(),
            [
                "caseContext.visibleData.beneficiary.city must be text, got the number 5",
                "caseContext.visibleData.user must be text, got an array of 0"
            ]
        );
    }
}
