//! The questions to a plugin of analysis: one type for each function of the contract, with the type of its answer, so
//! that an answer to one question cannot be taken for an answer to another. A question is data: it can be asked again,
//! of the same plugin or of another, and is identified by its digest.
//!
//! The file of each role has its questions, and how the plugin is called.

use std::{fmt, time::Duration};

use sealwright_seal::digest::Sha256Digest;
use serde::{Serialize, de::DeserializeOwned};
use wasmtime::Store;

use super::{
    call::CallState,
    component::{Plugin, Role},
    cross_check::{DocumentFields, FieldComparisons, FieldVerifications},
    cross_statement::DocumentStatements,
    document_type::DocumentTypes,
    error::Failure,
    facts::{self, Candidate, Check, Comparison, ExtractedField, Signal, Stated, Verification},
    falsification::DocumentChecks,
    limits,
    signal::CaseSignals,
};

/// A function of the contract that plugins of analysis are called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    Detect,
    Extract,
    Compare,
    Verify,
    State,
    Inspect,
    Assess,
}

impl Function {
    pub const ALL: [Self; 7] =
        [Self::Detect, Self::Extract, Self::Compare, Self::Verify, Self::State, Self::Inspect, Self::Assess];

    /// Its name in records: the role, and which of its functions if the role has several.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Detect => "document-type",
            Self::Extract => "cross-check: extract",
            Self::Compare => "cross-check: compare",
            Self::Verify => "cross-check: verify",
            Self::State => "cross-check: state",
            Self::Inspect => "falsification",
            Self::Assess => "signal",
        }
    }

    /// The function with this name in records.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.as_str() == name)
    }

    pub const fn role(self) -> Role {
        match self {
            Self::Detect => Role::DocumentType,
            Self::Extract | Self::Compare | Self::Verify | Self::State => Role::CrossCheck,
            Self::Inspect => Role::Falsification,
            Self::Assess => Role::Signal,
        }
    }

    /// How long a call may take.
    pub(super) const fn deadline(self) -> Duration {
        match self {
            Self::Detect | Self::Extract | Self::Verify | Self::State | Self::Inspect => limits::DOCUMENT_DEADLINE,
            Self::Compare => limits::COMPARE_DEADLINE,
            Self::Assess => limits::SIGNAL_DEADLINE,
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A question. Its JSON is everything that the plugin is given except its settings.
#[expect(private_bounds, reason = "a caller asks through `PluginHost::ask`; only this module calls plugins")]
pub trait Question: Serialize + Clone + fmt::Debug + Send + Sync + Call<Self::Answer> + 'static {
    const FUNCTION: Function;

    type Answer: Serialize
        + DeserializeOwned
        + Clone
        + Send
        + 'static
        + Into<Reply>
        + TryFrom<Reply, Error = OtherReply>;

    /// The SHA-256 of its JSON:
    /// [`RunRecord::input_hash`](super::RunRecord::input_hash) of a run with this question.
    fn digest(&self) -> Sha256Digest {
        facts::digest(self)
    }

    /// The part of an answer that is kept: everything except the values that were read, which are personal data.
    fn without_values(answer: Self::Answer) -> Self::Answer {
        answer
    }

    /// An answer as records keep it: JSON, without values.
    ///
    /// # Panics
    /// If the answer cannot be written as JSON; those of the contract always can.
    fn record(answer: Self::Answer) -> String {
        let kept = Self::without_values(answer);
        serde_json::to_string(&kept).expect("the contract's records have only text keys")
    }

    /// The answer in a record.
    fn recorded(json: &str) -> serde_json::Result<Self::Answer> {
        serde_json::from_str(json)
    }
}

/// How a question is put to a plugin, and its answer checked.
pub(super) trait Call<A> {
    fn call(
        &self,
        plugin: &Plugin,
        store: &mut Store<CallState>,
        settings: &str,
    ) -> wasmtime::Result<Result<A, Failure>>;
}

/// An answer to any question, for code that treats all of them alike. Using it as the answer to another question is an
/// error, never an empty answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Types(Vec<Candidate>),
    Fields(Vec<ExtractedField>),
    Comparisons(Vec<Comparison>),
    Verifications(Vec<Verification>),
    Statements(Vec<Stated>),
    Checks(Vec<Check>),
    Signals(Vec<Signal>),
}

/// A reply was taken for the answer to another question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the reply answers the question {answered}, not {asked}")]
pub struct OtherReply {
    pub asked: Function,
    pub answered: Function,
}

impl Reply {
    /// The question that it answers.
    pub const fn function(&self) -> Function {
        match self {
            Self::Types(_) => Function::Detect,
            Self::Fields(_) => Function::Extract,
            Self::Comparisons(_) => Function::Compare,
            Self::Verifications(_) => Function::Verify,
            Self::Statements(_) => Function::State,
            Self::Checks(_) => Function::Inspect,
            Self::Signals(_) => Function::Assess,
        }
    }

    /// The answer in a record of a call of this function.
    pub fn recorded(function: Function, json: &str) -> serde_json::Result<Self> {
        match function {
            Function::Detect => DocumentTypes::recorded(json).map(Self::Types),
            Function::Extract => DocumentFields::recorded(json).map(Self::Fields),
            Function::Compare => FieldComparisons::recorded(json).map(Self::Comparisons),
            Function::Verify => FieldVerifications::recorded(json).map(Self::Verifications),
            Function::State => DocumentStatements::recorded(json).map(Self::Statements),
            Function::Inspect => DocumentChecks::recorded(json).map(Self::Checks),
            Function::Assess => CaseSignals::recorded(json).map(Self::Signals),
        }
    }
}

/// Converts between one answer and a reply.
macro_rules! reply {
    ($variant:ident, $answer:ty, $function:expr) => {
        impl From<$answer> for Reply {
            fn from(answer: $answer) -> Self {
                Self::$variant(answer)
            }
        }

        impl TryFrom<Reply> for $answer {
            type Error = OtherReply;

            fn try_from(reply: Reply) -> Result<Self, OtherReply> {
                match reply {
                    Reply::$variant(answer) => Ok(answer),
                    other => Err(OtherReply { asked: $function, answered: other.function() }),
                }
            }
        }
    };
}

reply!(Types, Vec<Candidate>, Function::Detect);
reply!(Fields, Vec<ExtractedField>, Function::Extract);
reply!(Comparisons, Vec<Comparison>, Function::Compare);
reply!(Verifications, Vec<Verification>, Function::Verify);
reply!(Statements, Vec<Stated>, Function::State);
reply!(Checks, Vec<Check>, Function::Inspect);
reply!(Signals, Vec<Signal>, Function::Assess);

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::Value;

    use super::*;
    use crate::{
        MAX_FIELDS,
        facts::{Document, Entry, FoundPlace, VerificationOutcome},
    };

    #[test]
    fn a_function_is_found_by_its_name_in_records() {
        for function in Function::ALL {
            assert_eq!(Function::named(function.as_str()), Some(function));
        }
        assert_eq!(Function::named("cross-check"), None);
        assert_eq!(Function::named("oracle"), None);
    }

    #[test]
    fn a_reply_to_another_question_is_an_error_even_if_it_is_empty() {
        let other = OtherReply { asked: Function::Assess, answered: Function::Inspect };
        assert_eq!(Vec::<Signal>::try_from(Reply::Checks(Vec::new())), Err(other));
        assert_eq!(other.to_string(), "the reply answers the question falsification, not signal");
        assert_eq!(Vec::<Signal>::try_from(Reply::Signals(Vec::new())), Ok(Vec::new()));
        for (function, reply) in Function::ALL.into_iter().zip([
            Reply::Types(Vec::new()),
            Reply::Fields(Vec::new()),
            Reply::Comparisons(Vec::new()),
            Reply::Verifications(Vec::new()),
            Reply::Statements(Vec::new()),
            Reply::Checks(Vec::new()),
            Reply::Signals(Vec::new()),
        ]) {
            assert_eq!(reply.function(), function);
            assert_eq!(Reply::recorded(function, "[]").unwrap(), reply);
            let taken = [
                Vec::<Candidate>::try_from(reply.clone()).is_ok(),
                Vec::<ExtractedField>::try_from(reply.clone()).is_ok(),
                Vec::<Comparison>::try_from(reply.clone()).is_ok(),
                Vec::<Verification>::try_from(reply.clone()).is_ok(),
                Vec::<Stated>::try_from(reply.clone()).is_ok(),
                Vec::<Check>::try_from(reply.clone()).is_ok(),
                Vec::<Signal>::try_from(reply).is_ok(),
            ];
            assert_eq!(taken, Function::ALL.map(|one| one == function));
        }
    }

    #[test]
    fn a_record_is_read_as_the_answer_to_its_question() {
        let signal = Signal { kind: "gps".to_owned(), score: 90, observations: Vec::new() };
        let json = CaseSignals::record(vec![signal.clone()]);
        assert_eq!(json, r#"[{"kind":"gps","score":90,"observations":[]}]"#);
        let read = CaseSignals::recorded(&json).unwrap();
        assert_eq!(Reply::recorded(Function::Assess, &json).unwrap(), Reply::Signals(read.clone()));
        assert_eq!(read, [signal]);
        assert!(DocumentChecks::recorded(&json).is_err());
        assert!(Reply::recorded(Function::Inspect, &json).is_err());
    }

    #[test]
    fn the_json_of_a_question_is_the_one_that_records_have_the_digest_of() {
        let document = Arc::new(Document { media_type: "application/pdf".to_owned(), ..Document::default() });
        let (of_document, document_type) = (facts::digest(&*document), "INVOICE".to_owned());
        assert_eq!(DocumentTypes { document: Arc::clone(&document) }.digest(), of_document);
        assert_eq!(FieldComparisons { pairs: Vec::new() }.digest(), facts::digest(&[(); 0]));

        let checks = DocumentChecks { document: Arc::clone(&document), document_type: document_type.clone() };
        let names = |json: Value| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(serde_json::to_value(&checks).unwrap()), ["document", "document_type"]);

        let wanted = (0..=MAX_FIELDS).map(|n| n.to_string()).collect();
        let fields = DocumentFields::new(Arc::clone(&document), document_type.clone(), wanted);
        let fields = serde_json::to_value(fields).unwrap();
        assert_eq!(fields["wanted"].as_array().unwrap().len(), MAX_FIELDS);
        assert_eq!(names(fields), ["document", "document_type", "wanted"]);

        let entry = |n: usize| Entry { code: "iban".to_owned(), value: n.to_string() };
        let question = |entries| FieldVerifications::new(Arc::clone(&document), document_type.clone(), entries);
        let verifications = serde_json::to_value(question((0..=MAX_FIELDS).map(entry).collect())).unwrap();
        assert_eq!(verifications["entries"].as_array().unwrap().len(), MAX_FIELDS);
        assert_eq!(verifications["entries"][1], serde_json::json!({ "code": "iban", "value": "1" }));
        assert_eq!(names(verifications), ["document", "document_type", "entries"]);
        assert_ne!(question(vec![entry(1)]).digest(), question(vec![entry(2)]).digest(), "the values are covered");
    }

    #[test]
    fn the_record_of_a_verification_has_its_outcome_and_place() {
        let verification = Verification {
            outcome: VerificationOutcome::Different,
            score: 20,
            place: Some(FoundPlace { page: 2, area: None }),
            text: "It is another day.".to_owned(),
        };
        let json = FieldVerifications::record(vec![verification.clone()]);
        assert_eq!(Reply::recorded(Function::Verify, &json).unwrap(), Reply::Verifications(vec![verification]));
    }

    #[test]
    fn a_record_has_no_value_that_was_read() {
        let read = ExtractedField { code: "lastName".to_owned(), value: "Meier".to_owned(), score: 97, place: None };
        let json = DocumentFields::record(vec![read.clone()]);
        let kept = DocumentFields::recorded(&json).unwrap();
        assert_eq!(kept, [ExtractedField { value: String::new(), ..read }]);
    }
}
