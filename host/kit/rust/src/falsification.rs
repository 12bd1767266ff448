//! Finds documents that say of themselves that they are samples.

use sealwright_plugin_sdk::{
    facts::Document,
    falsification::{Check, Error, Inspector, Verdict},
    findings::{found, not_found},
};

struct Plugin;

impl Inspector for Plugin {
    fn inspect(document: &Document, _document_type: &str, _settings: &str) -> Result<Vec<Check>, Error> {
        let is_sample = |page: &u32| document.text(*page).to_lowercase().contains("specimen");
        let (verdict, evaluation, finding) = match document.page_numbers().find(is_sample) {
            Some(page) => (Verdict::Invalid, 0, found("SPECIMEN", "It says that it is a specimen.").at(page, None)),
            None => (Verdict::Valid, 100, not_found("SPECIMEN", "It does not say that it is a specimen.")),
        };
        Ok(vec![Check {
            code: "SPECIMEN_WORDS".to_owned(),
            label: "Marked as a specimen".to_owned(),
            verdict,
            evaluation,
            weight: 100,
            findings: vec![finding],
        }])
    }
}

sealwright_plugin_sdk::export_falsification!(Plugin);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specimen_is_found() {
        let verdict = |text| Plugin::inspect(&Document::of_text(text), "OTHER", "{}").unwrap()[0].verdict;
        assert_eq!(verdict("SPECIMEN\nPassport"), Verdict::Invalid);
        assert_eq!(verdict("Membership card"), Verdict::Valid);
    }
}
