//! The papers and entries of a case, and the doubts that their comparison raises.

use sealwright_plugin_sdk::{
    findings::found,
    reading::Date,
    signal::{Observation, of_case, of_item},
};

use super::paper::{Entry, Paper};

/// The papers and entries of a case, and what was found so far.
pub(super) struct Comparison {
    pub(super) papers: Vec<Paper>,
    pub(super) entries: Vec<Entry>,
    /// The day of the case.
    pub(super) today: Date,
    pub(super) doubts: Vec<(u8, Observation)>,
    /// What was compared, each once.
    pub(super) compared: Vec<&'static str>,
}

impl Comparison {
    /// Notes that something was compared: `field` is what people call it.
    pub(super) fn compared(&mut self, field: &'static str) {
        if !self.compared.contains(&field) {
            self.compared.push(field);
        }
    }

    /// Notes a doubt about a paper; `cost` is out of 100.
    pub(super) fn doubt(&mut self, cost: u8, item: Option<u64>, code: &str, text: impl Into<String>) {
        let finding = found(code, text.into());
        let observation = match item {
            Some(item) => of_item(item, finding),
            None => of_case(finding),
        };
        if !self.doubts.iter().any(|(_, other)| *other == observation) {
            self.doubts.push((cost, observation));
        }
    }
}
