//! Reads the number of a membership card, and compares fields without regard to case and spaces.

use sealwright_plugin_sdk::{
    cross_check::{Comparison, CrossChecker, Error, ExtractedField, Outcome, Pair},
    facts::Document,
    findings::Place,
};

struct Plugin;

impl CrossChecker for Plugin {
    fn extract(
        document: &Document,
        _document_type: &str,
        wanted: &[String],
        _settings: &str,
    ) -> Result<Vec<ExtractedField>, Error> {
        if !wanted.iter().any(|code| code == "documentNumber") {
            return Ok(Vec::new());
        }
        let number = document.page_numbers().find_map(|page| {
            let text = document.text(page);
            let number = text.lines().find_map(|line| line.split_once("No. "))?.1.trim().to_owned();
            let place = Some(Place { page, area: None });
            Some(ExtractedField { code: "documentNumber".to_owned(), value: number, place, score: 90 })
        });
        Ok(number.into_iter().collect())
    }

    fn compare(pairs: &[Pair], _settings: &str) -> Result<Vec<Comparison>, Error> {
        Ok(pairs.iter().map(compare).collect())
    }
}

fn compare(pair: &Pair) -> Comparison {
    let tidy = |text: &String| text.to_lowercase().split_whitespace().collect::<String>();
    let (outcome, score, text) = match (pair.entered.as_ref().map(tidy), pair.extracted.as_ref().map(tidy)) {
        (Some(entered), Some(extracted)) if entered == extracted => (Outcome::Same, 100, "They are the same."),
        (Some(_), Some(_)) => (Outcome::Different, 0, "They are not the same."),
        _ => (Outcome::Missing, 0, "One of them is not there."),
    };
    Comparison { outcome, score, text: text.to_owned() }
}

sealwright_plugin_sdk::export_cross_check!(Plugin);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_read_and_compared() {
        let document = Document::of_text("Membership card No. 12 34");
        let fields = Plugin::extract(&document, "OTHER", &["documentNumber".to_owned()], "{}").unwrap();
        assert_eq!(fields[0].value, "12 34");
        let pair =
            Pair { code: "documentNumber".into(), entered: Some("1234".into()), extracted: Some("12 34".into()) };
        assert_eq!(Plugin::compare(&[pair], "{}").unwrap()[0].outcome, Outcome::Same);
    }
}
