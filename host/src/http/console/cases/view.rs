//! What the page of the list was asked for, and what it shows.

use crate::{
    app::case_search::{SearchChoices, filters::SavedFilter},
    domain::case_search::{CaseSearch, Place},
    http::console::visit::Visit,
};

pub(super) const ADDRESS: &str = "/console/cases";

/// The query of the page's address, and what it means.
pub(super) struct Asked {
    pairs: Vec<(String, String)>,
    pub(super) search: Result<CaseSearch, Vec<String>>,
}

impl Asked {
    pub(super) fn read(query: Option<&str>) -> Self {
        let pairs: Vec<(String, String)> =
            url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
        Self { search: CaseSearch::read(&pairs), pairs }
    }

    /// What a field of the form shows.
    pub(super) fn value(&self, name: &str) -> &str {
        self.pairs.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value)
    }
}

/// The query of an address that leads to this search.
pub(super) fn query(search: &CaseSearch, after: Option<Place>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(search.pairs());
    if let Some(after) = after {
        query.append_pair("after", &after.text());
    }
    query.finish()
}

/// Everything that the page shows.
pub(super) struct View<'a> {
    pub(super) visit: &'a Visit,
    pub(super) asked: &'a Asked,
    pub(super) choices: SearchChoices,
    pub(super) kept: Vec<SavedFilter>,
}
