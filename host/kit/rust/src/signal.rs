//! Looks for items that came more than a day after the case was opened.

use sealwright_plugin_sdk::{
    facts::Evidence,
    findings::{found, not_found},
    signal::{Assessor, Error, Signal, of_case, of_item},
};

const DAY: u64 = 24 * 60 * 60 * 1000;

struct Plugin;

impl Assessor for Plugin {
    fn assess(evidence: &Evidence, _settings: &str) -> Result<Vec<Signal>, Error> {
        let opened = evidence.opened_at();
        let mut observations: Vec<_> = evidence
            .items()
            .filter(|item| item.received_at().saturating_sub(opened) > DAY)
            .map(|item| of_item(item.id(), found("LATE_ITEM", "It came more than a day after the case was opened.")))
            .collect();
        let score = if observations.is_empty() { 100 } else { 60 };
        if observations.is_empty() {
            observations.push(of_case(not_found("LATE_ITEM", "Everything came within a day.")));
        }
        Ok(vec![Signal { kind: "promptness".to_owned(), score, observations }])
    }
}

sealwright_plugin_sdk::export_signal!(Plugin);

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sealwright_plugin_sdk::facts::Item;

    use super::*;

    #[test]
    fn an_item_that_came_late_is_found() {
        let score = |received_at| {
            let items = vec![Arc::new(Item { id: 1, received_at, ..Item::default() })];
            Plugin::assess(&Evidence { items, ..Evidence::default() }, "{}").unwrap()[0].score
        };
        assert_eq!((score(DAY), score(DAY + 1)), (100, 60));
    }
}
