//! Distinguishes membership cards from other documents.

use sealwright_plugin_sdk::{
    document_type::{Candidate, Detector, Error, candidate},
    facts::Document,
    findings::found,
};

struct Plugin;

impl Detector for Plugin {
    fn detect(document: &Document, _settings: &str) -> Result<Vec<Candidate>, Error> {
        let mut card = candidate("MEMBERSHIP_CARD", 0);
        for page in document.page_numbers() {
            if document.text(page).to_lowercase().contains("membership card") {
                card.score = 90;
                card.findings.push(found("CARD_WORDS", "It calls itself a membership card.").at(page, None));
            }
        }
        Ok(vec![card, candidate("OTHER", 50)])
    }
}

sealwright_plugin_sdk::export_document_type!(Plugin);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_membership_card_is_known_by_its_words() {
        let score = |text| Plugin::detect(&Document::of_text(text), "{}").unwrap()[0].score;
        assert_eq!(score("Rowing Club\nMembership card No. 7"), 90);
        assert_eq!(score("Invoice No. 7"), 0);
    }
}
