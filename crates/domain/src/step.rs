//! Steps of a frame: what kind of evidence each asks for and how a document deposited against it is analysed (spec 2.1).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::id::StepId;

/// The ten types of a step, as spec 2.1 writes them.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[schemars(description = "What a step asks for.")]
pub enum StepAction {
    Photography,
    Video,
    Signature,
    DocumentUpload,
    TextField,
    NumberField,
    DateField,
    Time,
    Email,
    Select,
}

impl StepAction {
    /// Whether an item of this step is a file (uploaded) rather than an entered value (decisions 8).
    pub const fn carries_file(self) -> bool {
        matches!(self, Self::Photography | Self::Video | Self::Signature | Self::DocumentUpload)
    }
}

sealwright_base::text_column!(StepAction, "type of step");

/// How documents of one step are analysed (spec 2.1). A step without it has its documents stored and sealed, not analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepAnalysis {
    /// The document types that are accepted; those of [`super::document::TYPES`], or a plugin's own.
    pub document_types: Vec<String>,
    /// Whether a readable document of another type is accepted as well: the 'other document' choice.
    pub other_document: bool,
    /// Whether the document is time-stamped and covered by the seal. Always false with `delete_after_analysis`, which
    /// cancels it (spec 2.1).
    pub timestamp_and_signature: bool,
    /// Whether the file is deleted once its analysis is stored (decisions 13).
    pub delete_after_analysis: bool,
    pub cross_check: Vec<CrossCheck>,
    pub extract: Vec<ExtractedField>,
}

/// One comparison of a field read from the document with a value entered at another step of the same frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossCheck {
    /// The `fieldCode` of spec 2.6; those of [`super::document::FIELD_CODES`], or a plugin's own.
    pub field: String,
    /// The `fieldLabel` of spec 2.6, shown to users.
    pub label: String,
    /// The step whose entered value is compared.
    pub step: StepId,
}

/// One field that is read from the document and sent as `extractedData` with the case webhook (spec 6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedField {
    /// The `key` of spec 6.1; those of [`super::document::FIELD_CODES`], or a plugin's own.
    pub key: String,
    /// The `label` of spec 6.1, shown to users.
    pub label: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parsing_and_json_agree_for_all_ten() {
        for &action in StepAction::VARIANTS {
            assert_eq!(action.into_str().parse(), Ok(action));
            assert_eq!(serde_json::to_value(action).unwrap(), action.into_str());
            assert_eq!(action.to_string(), action.into_str());
        }
        assert!("photography".parse::<StepAction>().is_err());
    }

    #[test]
    fn four_actions_carry_a_file() {
        let with_file: Vec<_> = StepAction::VARIANTS.iter().copied().filter(|action| action.carries_file()).collect();
        assert_eq!(
            with_file,
            [StepAction::Photography, StepAction::Video, StepAction::Signature, StepAction::DocumentUpload]
        );
    }
}
