//! A question to a plugin of analysis, as data: so that it can be asked again, of the same plugin or of another, and
//! identified by its digest.

use std::sync::Arc;

use serde::Serialize;

use super::{
    MAX_FIELDS, PluginHost,
    component::Role,
    cross_check::ExtractInput,
    facts::{self, Candidate, Check, Comparison, Document, Evidence, ExtractedField, Pair, Signal},
    falsification::InspectInput,
    run::{Chosen, Run},
};

/// What a plugin is asked.
#[derive(Clone, Debug)]
pub enum Question {
    /// Which types may the document have?
    Types { document: Arc<Document> },
    /// Which of these fields does it have? Only the first [`MAX_FIELDS`] are requested.
    Fields { document: Arc<Document>, document_type: String, wanted: Vec<String> },
    /// How do these pairs match?
    Comparisons { pairs: Vec<Pair> },
    /// Was it forged or changed?
    Checks { document: Arc<Document>, document_type: String },
    /// What does the plugin say about the case?
    Signals { evidence: Arc<Evidence> },
}

/// What a plugin answered. Its JSON is that of the answer itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reply {
    Types(Vec<Candidate>),
    Fields(Vec<ExtractedField>),
    Comparisons(Vec<Comparison>),
    Checks(Vec<Check>),
    Signals(Vec<Signal>),
}

impl Question {
    pub const fn role(&self) -> Role {
        match self {
            Self::Types { .. } => Role::DocumentType,
            Self::Fields { .. } | Self::Comparisons { .. } => Role::CrossCheck,
            Self::Checks { .. } => Role::Falsification,
            Self::Signals { .. } => Role::Signal,
        }
    }

    /// The SHA-256 of what the plugin is given besides its settings, in lowercase hexadecimal. It is equal to
    /// [`RunRecord::input_hash`](super::RunRecord::input_hash) of a run with this question.
    pub fn digest(&self) -> String {
        match self.clone() {
            Self::Types { document } => facts::digest(&*document),
            Self::Fields { document, document_type, mut wanted } => {
                wanted.truncate(MAX_FIELDS);
                facts::digest(&ExtractInput { document, document_type, wanted })
            }
            Self::Comparisons { pairs } => facts::digest(&pairs),
            Self::Checks { document, document_type } => facts::digest(&InspectInput { document, document_type }),
            Self::Signals { evidence } => facts::digest(&*evidence),
        }
    }
}

impl PluginHost {
    /// Asks the chosen plugin.
    pub async fn ask(&self, chosen: &Chosen, question: Question) -> Run<Reply> {
        match question {
            Question::Types { document } => self.detect_document_type(chosen, document).await.map(Reply::Types),
            Question::Fields { document, document_type, wanted } => {
                self.extract_fields(chosen, document, &document_type, wanted).await.map(Reply::Fields)
            }
            Question::Comparisons { pairs } => self.compare_fields(chosen, pairs).await.map(Reply::Comparisons),
            Question::Checks { document, document_type } => {
                self.inspect_document(chosen, document, &document_type).await.map(Reply::Checks)
            }
            Question::Signals { evidence } => self.assess_signals(chosen, evidence).await.map(Reply::Signals),
        }
    }
}
