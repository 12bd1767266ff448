//! `caseContext`: who a case is about and who issued it, shown in the certificate and sent in the case webhook.

use serde_json::{Map, Value, json};

use super::{
    body::{Body, Fields, part},
    case::limits::context_refusal,
    fields::{Change, TEXT},
    metadata::METADATA,
};

/// What a case shows is sealed as received, so the seal's types are used here.
pub use sealwright_seal::manifest::{Beneficiary, VisibleData};

/// A `caseContext` of a request: what it shows, and its own form of the metadata. In an update only what it has changes
/// (spec 4.8, rule 1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseContext {
    pub visible: Option<VisibleData>,
    /// In an update null clears it, as it does at the top level.
    pub metadata: Change<Map<String, Value>>,
}

impl Body for CaseContext {
    const NAME: &'static str = "CaseContext";
    const DESCRIPTION: &'static str = "Who a case is about and who issued it.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let visible = fields.optional("visibleData", part::<VisibleData>(), "What the certificate shows.");
        let metadata = fields.change(
            "metadata",
            METADATA,
            "Another place for `metadata`; if both are given, the one at the top level counts.",
        );
        if let Some(refusal) = visible.as_ref().and_then(context_refusal) {
            fields.refuse(&format!("visibleData {refusal}"));
        }
        Some(Self { visible, metadata })
    }
}

impl Body for VisibleData {
    const NAME: &'static str = "VisibleData";
    const DESCRIPTION: &'static str = "What the certificate shows.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        Some(Self {
            beneficiary: fields.optional("beneficiary", part::<Beneficiary>(), "The person that the case is about."),
            issuer: fields.optional("issuer", TEXT, "Who issued the case."),
            photo_ref: fields.optional("photoRef", TEXT, "The issuer's reference for the photos."),
            report_ref: fields.optional("reportRef", TEXT, "The issuer's reference for the report."),
            instructions: fields.optional("instructions", TEXT, "Instructions for the user."),
            user: fields.optional("user", TEXT, "The user's name as the certificate shows it."),
        })
    }
}

impl Body for Beneficiary {
    const NAME: &'static str = "Beneficiary";
    const DESCRIPTION: &'static str = "The person that a case is about.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        Some(Self {
            last_name: fields.optional("lastName", TEXT, ""),
            first_name: fields.optional("firstName", TEXT, ""),
            address: fields.optional("address", TEXT, ""),
            city: fields.optional("city", TEXT, ""),
            post_code: fields.optional("postCode", TEXT, ""),
            email: fields.optional("email", TEXT, "Not sent in the case webhook."),
        })
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

fn provided(keys: &[(&str, &Option<String>)]) -> Map<String, Value> {
    keys.iter().filter_map(|(key, text)| text.as_ref().map(|text| ((*key).to_owned(), json!(text)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::read;

    fn visible(context: &Value) -> VisibleData {
        read::<CaseContext>(context, "caseContext", b"").unwrap().visible.unwrap()
    }

    #[test]
    fn spec_6_1_the_webhook_context_has_internal_keys_and_only_those_provided() {
        let given = json!({ "visibleData": {
            "beneficiary": { "lastName": "Durand", "firstName": "Léa", "postCode": "69001", "email": "lea@example.org" },
            "issuer": "Acme", "reportRef": "R-1"
        }});
        assert_eq!(
            webhook_context(&visible(&given)).unwrap(),
            json!({ "beneficiaire": { "nom": "Durand", "prenom": "Léa", "cp": "69001" },
                    "emetteur": "Acme", "reportRef": "R-1" })
        );
    }

    #[test]
    fn nothing_provided_gives_no_context() {
        let only_mail = json!({ "visibleData": { "beneficiary": { "email": "lea@example.org" } } });
        assert_eq!(webhook_context(&visible(&only_mail)), None);
        assert_eq!(webhook_context(&VisibleData::default()), None);
    }

    #[test]
    fn a_problem_names_the_whole_path() {
        let wrong = json!({ "visibleData": { "beneficiary": { "city": 5 }, "user": [] } });
        assert_eq!(
            read::<CaseContext>(&wrong, "caseContext", b"").unwrap_err(),
            [
                "caseContext.visibleData.beneficiary.city must be text, got the number 5",
                "caseContext.visibleData.user must be text, got an array of length 0"
            ]
        );
    }
}
