//! The analysis of a case: how far its evidence can be trusted (spec 2.6, decisions 13). The same content is returned
//! to the caller and sent in the analysis webhook.
//!
//! Scores are whole numbers from 0 to 100, where 100 is the best, except [`DocumentAnalysis::suspicion_score`].
//!
//! The types of the interface are here. [`progress`] decides when a case is ready to be judged, [`judgement`] computes
//! its numbers from the plugins' answers, with the arithmetic of [`score`].

pub mod judgement;
pub mod progress;
pub mod score;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};

use super::{
    document::TYPE_UNKNOWN,
    id::{CaseId, ItemId},
};

/// The analysis of a case (spec 2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseAnalysis {
    /// The case that was asked for.
    pub case_id: CaseId,
    /// 0 to 100; 100 is the most confidence.
    #[schemars(range(max = 100))]
    pub trust_score: u8,
    /// The level of `trust_score`.
    pub trust_level: TrustLevel,
    /// How many items have an analysis that has ended.
    pub items_analyzed: u32,
    /// One for each kind of check that had something to judge.
    pub signals: Vec<Signal>,
    /// One for each analysed document; empty when the case has none.
    pub document_analyses: Vec<DocumentAnalysis>,
}

impl CaseAnalysis {
    /// For a case in which nothing was analysed: nothing was found against it either (decisions 13).
    pub fn of_nothing(case_id: CaseId) -> Self {
        const UNTOUCHED: u8 = 100;
        Self {
            case_id,
            trust_score: UNTOUCHED,
            trust_level: TrustLevel::of(UNTOUCHED),
            items_analyzed: 0,
            signals: Vec::new(),
            document_analyses: Vec::new(),
        }
    }
}

/// How the analysis of a closed case has ended (spec 6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Display, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum AnalysisProgress {
    /// Every document's analysis has returned.
    Completed,
    /// One did not return in time, or never will, and the scores are partial. Never accept such a case automatically.
    Failed,
}

sealwright_base::text_column!(AnalysisProgress, "progress of an analysis");

/// What a score means (spec 2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
pub enum TrustLevel {
    /// 70 to 100.
    Good,
    /// 30 to 69.
    Suspicious,
    /// 0 to 29.
    Critical,
}

impl TrustLevel {
    pub const fn of(score: u8) -> Self {
        match score {
            70.. => Self::Good,
            30..70 => Self::Suspicious,
            0..30 => Self::Critical,
        }
    }
}

/// The result of one kind of check for the whole case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Signal {
    /// `gps`, `motion`, `device`, `image`, `duplicate`, `document`, `consistency`, or a plugin's own.
    pub key: String,
    /// 0 to 100; 100 is the most confidence.
    #[schemars(range(max = 100))]
    pub score: u8,
    /// The level of `score`.
    pub trust_level: TrustLevel,
}

/// The analysis of one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentAnalysis {
    /// The item that carries the document.
    pub item_id: ItemId,
    /// The types that its step accepts, such as `IDENTITY_CARD`.
    pub expected_document_types: Vec<String>,
    /// The detected type; `OTHER` if it is not a known one, `UNKNOWN` if the document could not be read.
    pub detected_document_type: String,
    /// 0 to 100: how well the detected type fits the expected ones.
    #[schemars(range(max = 100))]
    pub type_match_score: u8,
    /// Null when no cross-check applies. Values read from the document are never in it.
    pub cross_check_results: Option<Vec<CrossCheckResult>>,
    /// 0 to 100: the mean over the fields for which a value was entered, where MATCH is 100, MISSING 50 and MISMATCH 0. Null
    /// when no value was entered, or the document could not be read.
    #[schemars(range(max = 100))]
    pub cross_check_score: Option<u8>,
    /// 0 to 100: how strongly a falsification is suspected; 0 is the best.
    #[schemars(range(max = 100))]
    pub suspicion_score: u8,
    /// The level of `suspicion_score`.
    pub suspicion_level: SuspicionLevel,
    /// 0 to 100; 100 = nothing wrong.
    #[schemars(range(max = 100))]
    pub evaluation: u8,
    /// `ANALYSIS_COMPLETED` marks the end.
    pub progress_status_level: ProgressStatusLevel,
    /// 0 to 100: falsification, type and cross-check together.
    #[schemars(range(max = 100))]
    pub trust_score: u8,
    /// Each check for falsification.
    pub analysis_details: Vec<AnalysisDetail>,
}

impl DocumentAnalysis {
    /// For a document whose analysis has not ended, or has ended without an answer. Its numbers have no meaning and
    /// count in no score.
    pub fn without_answer(item: ItemId, expected: &[String], level: ProgressStatusLevel) -> Self {
        Self {
            item_id: item,
            expected_document_types: expected.to_vec(),
            detected_document_type: TYPE_UNKNOWN.to_owned(),
            type_match_score: 0,
            cross_check_results: None,
            cross_check_score: None,
            suspicion_score: 0,
            suspicion_level: SuspicionLevel::None,
            evaluation: 0,
            progress_status_level: level,
            trust_score: 0,
            analysis_details: Vec::new(),
        }
    }

    /// Whether its analysis has ended with an answer.
    pub fn is_completed(&self) -> bool {
        self.progress_status_level == ProgressStatusLevel::AnalysisCompleted
    }
}

/// One comparison of a field of the document with an entered value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrossCheckResult {
    /// Such as `lastName`.
    pub field_code: String,
    /// For display, as written in the company manifest.
    pub field_label: String,
    /// The outcome.
    #[serde(rename = "match")]
    pub outcome: Match,
}

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "CrossCheckMatch")]
pub enum Match {
    Match,
    Mismatch,
    /// One of the two values is missing.
    Missing,
}

/// What a suspicion score means (decisions 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SuspicionLevel {
    /// 0 to 9.
    None,
    /// 10 to 29.
    Low,
    /// 30 to 69.
    Medium,
    /// 70 to 100.
    High,
}

impl SuspicionLevel {
    pub const fn of(score: u8) -> Self {
        match score {
            70.. => Self::High,
            30..70 => Self::Medium,
            10..30 => Self::Low,
            0..10 => Self::None,
        }
    }
}

/// The progress of a document's analysis (decisions 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ProgressStatusLevel {
    AnalysisPending,
    AnalysisRunning,
    AnalysisCompleted,
    AnalysisFailed,
}

/// One check for falsification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisDetail {
    /// Such as `FONT_CONSISTENCY`.
    pub code: String,
    /// For people.
    pub label: String,
    /// The outcome.
    pub status: CheckStatus,
    /// 0 to 100; 100 = nothing wrong.
    #[schemars(range(max = 100))]
    pub evaluation: u8,
    /// How strongly this check suggests a falsification.
    pub suspicion_level: SuspicionLevel,
    /// 0 to 1: the check's share in the falsification score; 0 if it does not apply.
    #[schemars(range(min = 0, max = 1))]
    pub weight: f64,
}

/// The outcome of a check (decisions 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CheckStatus {
    Valid,
    Warning,
    Invalid,
    NotApplicable,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn spec_2_6_levels_have_the_specified_bounds() {
        for (score, level) in [
            (0, TrustLevel::Critical),
            (29, TrustLevel::Critical),
            (30, TrustLevel::Suspicious),
            (69, TrustLevel::Suspicious),
            (70, TrustLevel::Good),
            (100, TrustLevel::Good),
        ] {
            assert_eq!(TrustLevel::of(score), level, "{score}");
        }
        for (score, level) in [
            (0, SuspicionLevel::None),
            (9, SuspicionLevel::None),
            (10, SuspicionLevel::Low),
            (29, SuspicionLevel::Low),
            (30, SuspicionLevel::Medium),
            (69, SuspicionLevel::Medium),
            (70, SuspicionLevel::High),
            (100, SuspicionLevel::High),
        ] {
            assert_eq!(SuspicionLevel::of(score), level, "{score}");
        }
    }

    #[test]
    fn spec_2_6_every_field_has_the_specified_name() {
        let analysis = CaseAnalysis {
            items_analyzed: 1,
            signals: vec![Signal { key: "document".to_owned(), score: 91, trust_level: TrustLevel::Good }],
            document_analyses: vec![DocumentAnalysis {
                item_id: ItemId::new(5).unwrap(),
                expected_document_types: vec!["PASSPORT".to_owned()],
                detected_document_type: "PASSPORT".to_owned(),
                type_match_score: 98,
                cross_check_results: Some(vec![CrossCheckResult {
                    field_code: "lastName".to_owned(),
                    field_label: "Last name".to_owned(),
                    outcome: Match::Mismatch,
                }]),
                cross_check_score: None,
                suspicion_score: 3,
                suspicion_level: SuspicionLevel::None,
                evaluation: 97,
                progress_status_level: ProgressStatusLevel::AnalysisCompleted,
                trust_score: 91,
                analysis_details: vec![AnalysisDetail {
                    code: "FONT_CONSISTENCY".to_owned(),
                    label: "Fonts".to_owned(),
                    status: CheckStatus::NotApplicable,
                    evaluation: 100,
                    suspicion_level: SuspicionLevel::None,
                    weight: 0.0,
                }],
            }],
            ..CaseAnalysis::of_nothing(CaseId::new(9).unwrap())
        };
        let written = serde_json::to_value(&analysis).unwrap();
        let expected = json!({
            "caseId": 9, "trustScore": 100, "trustLevel": "GOOD", "itemsAnalyzed": 1,
            "signals": [{ "key": "document", "score": 91, "trustLevel": "GOOD" }],
            "documentAnalyses": [{
                "itemId": 5, "expectedDocumentTypes": ["PASSPORT"], "detectedDocumentType": "PASSPORT",
                "typeMatchScore": 98,
                "crossCheckResults": [{ "fieldCode": "lastName", "fieldLabel": "Last name", "match": "MISMATCH" }],
                "crossCheckScore": null, "suspicionScore": 3, "suspicionLevel": "NONE", "evaluation": 97,
                "progressStatusLevel": "ANALYSIS_COMPLETED", "trustScore": 91,
                "analysisDetails": [{ "code": "FONT_CONSISTENCY", "label": "Fonts", "status": "NOT_APPLICABLE",
                                      "evaluation": 100, "suspicionLevel": "NONE", "weight": 0.0 }],
            }],
        });
        assert_eq!(written, expected);
        assert_eq!(serde_json::from_value::<CaseAnalysis>(written).unwrap(), analysis);
    }
}
