//! Detects the twelve known types of documents, in French and English. The words are in [`rules`]; this file weighs
//! them: the position and size of a phrase decide whether it is the document's title or only a mention.

mod rules;
#[cfg(test)]
mod tests;

use rules::{RULES, Rule, ZONES};
use sealwright_plugin_sdk::{
    document_type::{Candidate, Detector, Error, candidate},
    facts::{Document, Reading},
    findings::{Finding, found, not_found, not_run},
    reading::{Cell, cells, find_zones, text::has_words},
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
      "description": "The languages of the documents that are expected. Both are always recognised.",
      "type": "array",
      "items": { "enum": ["fr", "en"] },
      "uniqueItems": true,
      "default": ["fr", "en"]
    }
  }
}"#;

/// The minimum worth of the words for a type.
const ENOUGH: u32 = 40;
/// Fewer letters than this are not a text.
const FEW_LETTERS: usize = 25;
/// Cells longer than this are sentences, which may mention anything.
const SENTENCE: usize = 60;
/// The maximum number of findings of a candidate.
const FINDINGS: usize = 16;

impl Detector for DocumentTypes {
    fn detect(document: &Document, _settings: &str) -> Result<Vec<Candidate>, Error> {
        let cells: Vec<Cell> = cells(document).into_iter().filter(|cell| cell.confidence >= 30).collect();
        let letters: usize = cells.iter().map(|cell| cell.folded.len()).sum();
        if letters < FEW_LETTERS {
            return Ok(vec![unreadable(document)]);
        }
        let zone = zone_type(document);
        let usual = usual_size(&cells);
        let mut candidates: Vec<Candidate> = Vec::new();
        for rule in &RULES {
            let (mut worth, mut findings) = weigh(rule, &cells, usual);
            if let Some((document_type, finding)) = &zone {
                if *document_type == rule.document_type {
                    worth += 70;
                    findings.insert(0, finding.clone());
                } else {
                    worth = worth.saturating_sub(60);
                }
            }
            if worth > 0 {
                findings.truncate(FINDINGS);
                candidates.push(Candidate { findings, ..candidate(rule.document_type, score(worth)) });
            }
        }
        candidates.push(other(&cells));
        // The host takes the first of equal scores: the score must decide, not the order of the rules.
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        Ok(candidates)
    }
}

/// The worth of words as a score: 50 is just enough, and 100 is never reached.
fn score(worth: u32) -> u8 {
    let score = if worth < ENOUGH { worth * 50 / ENOUGH } else { 50 + (worth - ENOUGH) * 49 / (worth - ENOUGH + 60) };
    u8::try_from(score).unwrap_or(99)
}

/// It scores just below the minimum, so that it wins exactly when no type reaches the minimum.
fn other(cells: &[Cell]) -> Candidate {
    let finding =
        not_found("KNOWN_TYPE", format!("{} pieces of text were read; they match no known type.", cells.len()));
    Candidate { findings: vec![finding], ..candidate("OTHER", 49) }
}

fn unreadable(document: &Document) -> Candidate {
    let unread =
        document.page_numbers().filter_map(|page| document.page(page)).any(|page| page.text == Reading::Unread);
    let why = if unread { "The page's picture was not read." } else { "There is hardly any text that could be read." };
    Candidate { findings: vec![not_run("READABLE_TEXT", why)], ..candidate("UNKNOWN", 90) }
}

/// The size of most of the text.
fn usual_size(cells: &[Cell]) -> u32 {
    let mut sizes: Vec<u32> = cells.iter().map(|cell| cell.size).collect();
    sizes.sort_unstable();
    sizes.get(sizes.len() / 2).copied().unwrap_or(0)
}

/// The worth of a type's words in this document, and where they were found.
fn weigh(rule: &Rule, cells: &[Cell], usual: u32) -> (u32, Vec<Finding>) {
    let mut findings = Vec::new();
    // A document has one title: the best one counts, even if it is repeated.
    let title = cells
        .iter()
        .flat_map(|cell| {
            rule.titles
                .iter()
                .filter(|(phrase, _)| has_words(&cell.folded, phrase))
                .map(move |(phrase, worth)| (title_worth(*worth, phrase, cell, usual), *phrase, cell))
        })
        .max_by_key(|(worth, ..)| *worth);
    let mut worth = 0;
    if let Some((title_worth, phrase, cell)) = title {
        worth += title_worth;
        findings.push(found("TITLE", format!("\"{phrase}\" is a title or part of a text.")).at(cell.page, cell.place));
    }
    for (phrase, mark_worth) in rule.marks {
        if let Some(cell) = cells.iter().find(|cell| has_words(&cell.folded, phrase)) {
            worth += if cell.folded.len() > SENTENCE { mark_worth / 3 } else { *mark_worth };
            findings.push(found("MARK", format!("\"{phrase}\" is usual in such documents.")).at(cell.page, cell.place));
        }
    }
    for (phrase, against) in rule.against {
        if let Some(cell) = cells.iter().find(|cell| has_words(&cell.folded, phrase) && cell.folded.len() <= SENTENCE) {
            worth = worth.saturating_sub(*against);
            findings.push(found("AGAINST", format!("\"{phrase}\" speaks against it.")).at(cell.page, cell.place));
        }
    }
    (worth, findings)
}

fn title_worth(worth: u32, phrase: &str, cell: &Cell, usual: u32) -> u32 {
    if cell.folded.len() > SENTENCE {
        return worth / 6;
    }
    let alone = cell.folded.len() <= phrase.len() + 28;
    let large = cell.size * 100 >= usual * 125;
    match (alone, large) {
        (true, true) => worth * 5 / 4,
        (true, false) | (false, true) => worth * 4 / 5,
        (false, false) => worth / 3,
    }
}

/// The document type according to the machine-readable zone.
fn zone_type(document: &Document) -> Option<(&'static str, Finding)> {
    let codes = document.machine_codes();
    let seen = codes.iter().filter(|code| code.kind == "mrz").find_map(|code| {
        Some((
            kind_of_zone(&code.text)?,
            found("ZONE", "The machine-readable zone says so.").at(code.place.page, code.place.area),
        ))
    });
    seen.or_else(|| {
        let zone = find_zones(&document.full_text()).into_iter().next()?;
        Some((kind_of_zone(&zone.kind)?, found("ZONE", "The machine-readable zone says so.")))
    })
}

fn kind_of_zone(text: &str) -> Option<&'static str> {
    ZONES.iter().find(|(begin, _)| text.starts_with(begin)).map(|(_, document_type)| *document_type)
}
