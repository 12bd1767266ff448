//! Detects the twelve known types of documents. The words that issuers print are in `lexicon.txt`; how much they and the
//! document's form count was fitted to labelled documents (`tests/judge/fit/document_types.py`) and is in [`model`].

mod explanation;
mod features;
mod lexicon;
mod model;
#[cfg(test)]
mod tests;

pub use features::{Features, names};
use model::{BIAS, THRESHOLD, TYPES, WEIGHTS};
use sealwright_plugin_sdk::{
    document_type::{Candidate, Detector, Error, candidate},
    facts::{Document, Reading},
    findings::{Finding, found, not_found, not_run},
    reading::{Cell, cells},
};

pub struct DocumentTypes;
sealwright_plugin_sdk::export_document_type!(DocumentTypes);
sealwright_plugin_sdk::export_settings!(SETTINGS);

/// The setting does not select rules, because a document shows its own language. It lets a company state what it
/// expects, and accepts only supported languages.
#[cfg_attr(not(target_family = "wasm"), expect(dead_code, reason = "exported in the sandbox only"))]
const SETTINGS: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "languages": {
      "description": "The languages of the expected documents. All allowed ones are recognised, whatever is set.",
      "type": "array",
      "items": { "enum": ["fr", "en", "de", "es", "it", "nl", "pt"] },
      "uniqueItems": true,
      "default": ["fr", "en"]
    }
  }
}"#;

/// Fewer letters than this are not a text.
const FEW_LETTERS: usize = 25;
/// A less certain reading is not used.
const CONFIDENCE: u8 = 30;
/// A document says what it is on its first pages; later ones are terms and conditions.
const PAGES: u32 = 3;
/// Types that are less likely are not mentioned.
const MENTIONED: u8 = 3;

impl Detector for DocumentTypes {
    fn detect(document: &Document, _settings: &str) -> Result<Vec<Candidate>, Error> {
        let cells = readable(document);
        let letters: usize = cells.iter().map(|cell| cell.folded.len()).sum();
        if letters < FEW_LETTERS {
            return Ok(vec![unreadable(document)]);
        }
        let features = Features::of(document, &cells);
        let mut candidates = Vec::new();
        for (document_type, likelihood) in TYPES.into_iter().zip(likelihoods(&features.values)) {
            let mut findings = explanation::of(document_type, &features);
            if document_type == "OTHER" {
                candidates.push(other(&cells, likelihood, findings));
            } else if score(likelihood) >= MENTIONED {
                if findings.is_empty() {
                    findings.push(found("FORM", "Its amounts, dates and layout match this type."));
                }
                candidates.push(Candidate { findings, ..candidate(document_type, score(likelihood)) });
            }
        }
        // The host takes the first of equal scores: the score must decide, not the order of the types.
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        Ok(candidates)
    }
}

/// The cells that can be read and may say what the document is.
pub fn readable(document: &Document) -> Vec<Cell> {
    cells(document).into_iter().filter(|cell| cell.confidence >= CONFIDENCE && cell.page <= PAGES).collect()
}

/// How likely each of the [`TYPES`] is: multinomial logistic regression.
fn likelihoods(values: &[f32]) -> [f32; TYPES.len()] {
    let mut sums = BIAS;
    for (value, weights) in values.iter().zip(WEIGHTS) {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += value * weight;
        }
    }
    let highest = sums.iter().copied().fold(f32::MIN, f32::max);
    let powers = sums.map(|sum| (sum - highest).exp());
    let whole: f32 = powers.iter().sum();
    powers.map(|power| power / whole)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is 0 to 99")]
fn score(likelihood: f32) -> u8 {
    (likelihood * 99.0).round() as u8
}

/// It wins when it is the most likely, and when no type is likely enough.
fn other(cells: &[Cell], likelihood: f32, mut findings: Vec<Finding>) -> Candidate {
    let text = format!("{} pieces of text were read; they match no known type well enough.", cells.len());
    findings.insert(0, not_found("KNOWN_TYPE", text));
    findings.truncate(explanation::FINDINGS);
    Candidate { findings, ..candidate("OTHER", score(likelihood.max(THRESHOLD))) }
}

fn unreadable(document: &Document) -> Candidate {
    let unread =
        document.page_numbers().filter_map(|page| document.page(page)).any(|page| page.text == Reading::Unread);
    let why = if unread { "The page's picture was not read." } else { "There is hardly any text that could be read." };
    Candidate { findings: vec![not_run("READABLE_TEXT", why)], ..candidate("UNKNOWN", 90) }
}
