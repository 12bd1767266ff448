//! The assertions that say how a file was made: actions and ingredients (C2PA 2.1, sections 18.14 and 18.16).

use ciborium::value::Value;

use crate::{
    cbor,
    claim::HashedUri,
    jumbf::{Store, Superbox},
    model::{Action, ManifestRelation},
    text::one_line,
};

/// Status codes of one ingredient.
const MAX_RECORDED: usize = 100;

/// The label without the number that distinguishes several assertions of one kind (`__2`).
pub(crate) fn base_label(label: &str) -> &str {
    label.split_once("__").map_or(label, |(base, _)| base)
}

/// The assertions of a manifest, by the boxes in its store.
pub(crate) fn of_manifest<'s, 'a>(store: &'s Store<'a>, manifest: usize) -> Vec<(usize, &'s Superbox<'a>)> {
    let stores = store.children(manifest).filter(|(_, found)| &found.kind == b"c2as");
    stores.flat_map(|(index, _)| store.children(index)).collect()
}

/// The actions of one assertion, in order.
pub(crate) fn actions(assertion: &Value, manifest: ManifestRelation) -> Vec<Action> {
    let action = |action: &Value| {
        let agent = cbor::field(action, "softwareAgent");
        let agent = agent.and_then(|agent| agent.as_text().or_else(|| cbor::text(agent, "name")));
        Some(Action {
            name: one_line(cbor::text(action, "action")?)?,
            source_type: cbor::text(action, "digitalSourceType").and_then(last_part),
            agent: agent.and_then(one_line),
            when: cbor::text(action, "when").and_then(one_line),
            manifest,
        })
    };
    cbor::list(assertion, "actions").iter().filter_map(action).collect()
}

/// `http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture` as `digitalCapture`.
pub(crate) fn last_part(uri: &str) -> Option<String> {
    one_line(uri.rsplit(['/', ':', '#']).next().unwrap_or(uri))
}

/// An ingredient as its assertion describes it.
#[derive(Clone, Debug)]
pub(crate) struct IngredientAssertion {
    pub(crate) title: Option<String>,
    pub(crate) relationship: String,
    /// Its manifest.
    pub(crate) manifest: Option<HashedUri>,
    /// What was already wrong with it when it was used, by status codes.
    pub(crate) recorded: Vec<String>,
}

impl IngredientAssertion {
    pub(crate) fn read(assertion: &Value) -> Self {
        // Version 3 has another name for the same thing.
        let manifest = cbor::field(assertion, "activeManifest").or_else(|| cbor::field(assertion, "c2pa_manifest"));
        let results = cbor::field(assertion, "validationResults");
        let results = results.and_then(|results| cbor::field(results, "activeManifest"));
        let failures = results.map(|results| cbor::list(results, "failure")).unwrap_or_default();
        let statuses = cbor::list(assertion, "validationStatus").iter().chain(failures).take(MAX_RECORDED);
        Self {
            recorded: statuses.filter_map(|status| cbor::text(status, "code").map(str::to_owned)).collect(),
            title: cbor::text(assertion, "dc:title").and_then(one_line),
            relationship: cbor::text(assertion, "relationship").and_then(one_line).unwrap_or_default(),
            manifest: manifest.and_then(HashedUri::read),
        }
    }

    pub(crate) fn relation(&self) -> ManifestRelation {
        if self.relationship == "parentOf" { ManifestRelation::Parent } else { ManifestRelation::Component }
    }
}
