//! The optional interface `cross-statement` of the role `cross-check`: everything that a document states.

use std::sync::Arc;

use sealwright_plugin_sdk::facts as shape;
use serde::Serialize;
use wasmtime::{Store, component::Resource};

use super::{
    answers::{bounded, check_place, check_score},
    call::CallState,
    component::Plugin,
    error::Failure,
    facts::{Document, Stated, shared_one},
    question::{Call, Function, Question},
    resources::HeldDocument,
};

const MAX_VALUES: usize = 500;
const MAX_KIND_BYTES: usize = 64;
const MAX_VALUE_BYTES: usize = 1024;
/// Of all texts and values of an answer together.
const MAX_BYTES: usize = 64 * 1024;

/// What does the document state? Only for a plugin that [states](super::PluginHost::states).
#[derive(Clone, Debug, Serialize)]
pub struct DocumentStatements {
    #[serde(serialize_with = "shared_one")]
    pub document: Arc<Document>,
    pub document_type: String,
}

impl Question for DocumentStatements {
    const FUNCTION: Function = Function::State;
    type Answer = Vec<Stated>;

    /// The first of each kind, without its value: a record shows which kinds were read and where, and how surely.
    fn without_values(answer: Vec<Stated>) -> Vec<Stated> {
        let mut kept: Vec<Stated> = Vec::new();
        for stated in answer {
            if !kept.iter().any(|other| other.kind == stated.kind) {
                kept.push(Stated { text: String::new(), value: String::new(), ..stated });
            }
        }
        kept
    }
}

impl Call<Vec<Stated>> for DocumentStatements {
    fn call(
        &self,
        plugin: &Plugin,
        store: &mut Store<CallState>,
        settings: &str,
    ) -> wasmtime::Result<Result<Vec<Stated>, Failure>> {
        let Self { document, document_type } = self;
        // A version that states may have been replaced by one that does not, since the caller checked.
        let Some(indices) = plugin.cross_statement() else { return Ok(Err(Failure::NotLoaded)) };
        let document = store.data_mut().resources.push(HeldDocument(Arc::clone(document)))?;
        let instance = plugin.linked.instantiate(&mut *store)?;
        let guest = indices.load(&mut *store, &instance)?;
        let document = Resource::new_borrow(document.rep());
        let answer = guest.call_state(&mut *store, document, document_type, settings)?;
        Ok(store.data().judged(answer, check))
    }
}

/// Values are personal data, and a kind may be one by mistake: no reason repeats one.
fn check(stated: Vec<Stated>) -> Result<Vec<Stated>, String> {
    bounded("values", stated.len(), 0, MAX_VALUES)?;
    let mut room = MAX_BYTES;
    for (index, value) in stated.iter().enumerate() {
        let subject = format!("value {}", index + 1);
        if !(1..=MAX_KIND_BYTES).contains(&value.kind.len()) || !value.kind.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(format!("the kind of {subject} is not 1 to {MAX_KIND_BYTES} letters and digits"));
        }
        let longest = value.text.len().max(value.value.len());
        if longest > MAX_VALUE_BYTES {
            return Err(format!("{subject} has {longest} bytes; at most {MAX_VALUE_BYTES} are allowed"));
        }
        let bytes = value.text.len() + value.value.len();
        room = room.checked_sub(bytes).ok_or_else(|| format!("values of more than {MAX_BYTES} bytes in total"))?;
        check_score(&subject, value.score)?;
        check_place(value.place.as_ref()).map_err(|reason| format!("{subject}: {reason}"))?;
    }
    Ok(stated)
}

/// A value as it is stored, and as plugins of the role `signal` receive it.
impl From<Stated> for shape::StatedValue {
    fn from(stated: Stated) -> Self {
        use super::bindings::analysis::sealwright::plugin::stated::Origin;
        let Stated { kind, text, value, place, origin, score, group } = stated;
        let rectangle = |area: super::facts::FoundRectangle| shape::Rectangle {
            left: area.left,
            top: area.top,
            width: area.width,
            height: area.height,
        };
        Self {
            kind,
            text,
            value,
            place: place.map(|place| shape::Place { page: place.page, area: place.area.map(rectangle) }),
            origin: match origin {
                Origin::OwnText => shape::Origin::OwnText,
                Origin::Recognised => shape::Origin::Recognised,
                Origin::MachineCode => shape::Origin::MachineCode,
            },
            score,
            group,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::analysis::sealwright::plugin::stated::Origin;

    fn stated(kind: &str, value: &str) -> Stated {
        Stated {
            kind: kind.to_owned(),
            text: value.to_owned(),
            value: value.to_owned(),
            place: None,
            origin: Origin::OwnText,
            score: 90,
            group: None,
        }
    }

    #[test]
    fn an_answer_beyond_the_limits_is_refused_without_a_value_in_the_reason() {
        assert!(check(vec![stated("lastName", "martin"); MAX_VALUES]).is_ok());
        let refused = |answer: Vec<Stated>| check(answer).unwrap_err();
        assert_eq!(refused(vec![stated("words", ""); 501]), "501 values; 0 to 500 are allowed");
        let long = "martin".repeat(200);
        assert_eq!(refused(vec![stated("words", &long)]), "value 1 has 1200 bytes; at most 1024 are allowed");
        let much = vec![stated("words", &long[..1000]); 40];
        assert_eq!(refused(much), "values of more than 65536 bytes in total");
        assert_eq!(refused(vec![stated("Jean Martin", "")]), "the kind of value 1 is not 1 to 64 letters and digits");
        assert_eq!(
            refused(vec![Stated { score: 101, ..stated("lastName", "martin") }]),
            "the score 101 of value 1 is not 0 to 100"
        );
    }

    #[test]
    fn a_record_has_the_kinds_and_no_value() {
        let answer = vec![stated("lastName", "martin"), stated("words", "martin paul"), stated("words", "rue")];
        let json = DocumentStatements::record(answer);
        assert!(!json.contains("martin") && !json.contains("paul"), "{json}");
        let kinds: Vec<String> =
            DocumentStatements::recorded(&json).unwrap().into_iter().map(|stated| stated.kind).collect();
        assert_eq!(kinds, ["lastName", "words"]);
    }
}
