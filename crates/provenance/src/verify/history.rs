//! What a manifest says about its past: actions, and the files that this one was made from.

use std::collections::BTreeSet;

use super::{Checker, Found, MAX_GENERATIONS, Weight, found};
use crate::{
    assertions::{self, IngredientAssertion, base_label},
    cbor,
    claim::HashedUri,
    hash::HashAlgorithm,
    model::{Action, Credentials, Ingredient, ManifestRelation},
};

const MAX_ACTIONS: usize = 64;
const MAX_INGREDIENTS: usize = 32;

/// What a reference to a manifest covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reference {
    /// All of it.
    Manifest,
    /// Only its claim.
    Claim,
    /// It is a reference to something else.
    Other,
}

impl Checker<'_> {
    /// Actions and ingredients of a manifest and of those before it.
    pub(super) fn history(
        &mut self,
        manifest: usize,
        relation: ManifestRelation,
        generation: usize,
        seen: &mut BTreeSet<usize>,
        credentials: &mut Credentials,
        problems: &mut Vec<Found>,
    ) {
        if generation >= MAX_GENERATIONS || !seen.insert(manifest) {
            return;
        }
        let of_manifest = assertions::of_manifest(&self.store, manifest);
        for (_, assertion) in of_manifest {
            if !base_label(&assertion.label).starts_with("c2pa.actions") {
                continue;
            }
            let actions = assertion.content(*b"cbor").and_then(cbor::read);
            let actions: Vec<Action> =
                actions.iter().flat_map(|actions| assertions::actions(actions, relation)).collect();
            let room = MAX_ACTIONS.saturating_sub(credentials.actions.len());
            credentials.actions.extend(actions.into_iter().take(room));
        }
        let usual = self.claims.get(&manifest).and_then(Option::as_ref).map(|claim| claim.algorithm.clone());
        for (_, ingredient) in self.ingredients(manifest) {
            let target = ingredient.manifest.as_ref().and_then(|uri| self.store.manifest_of(&uri.url));
            let intact = match (&ingredient.manifest, target) {
                (Some(uri), Some(target)) => {
                    let check = self.manifest(target);
                    match self.compare(target, uri, usual.as_deref().unwrap_or("sha256")) {
                        Reference::Manifest => {}
                        // The claim is the one that was used. Whether its assertions are, only their hashes say; what
                        // was already wrong is recorded.
                        Reference::Claim => {
                            let is_new = |problem: &&Found| {
                                problem.weight == Weight::Broken
                                    && !ingredient.recorded.iter().any(|code| code == problem.code)
                            };
                            problems.extend(check.problems.iter().find(is_new).cloned());
                        }
                        Reference::Other => problems.push(found(
                            Weight::Broken,
                            "ingredient.manifest.mismatch",
                            "The manifest of an ingredient was changed after signing.",
                        )),
                    }
                    Some(check.holds())
                }
                (Some(_), None) => {
                    problems.push(found(
                        Weight::Note,
                        "ingredient.manifest.missing",
                        "The manifest of an ingredient is missing.",
                    ));
                    None
                }
                (None, _) => None,
            };
            if generation == 0 && credentials.ingredients.len() < MAX_INGREDIENTS {
                let IngredientAssertion { title, relationship, .. } = ingredient.clone();
                credentials.ingredients.push(Ingredient { title, relationship, intact });
            }
            if let Some(target) = target {
                // What is below a component is a component.
                let relation = relation.max(ingredient.relation());
                self.history(target, relation, generation + 1, seen, credentials, problems);
            }
        }
    }

    /// How a manifest compares to the one that an ingredient refers to. Claims before C2PA 1.3 have the hash of the claim
    /// instead; and a manifest with redactions does not have its hash any more.
    fn compare(&mut self, target: usize, uri: &HashedUri, usual: &str) -> Reference {
        match self.matches(target, uri, usual) {
            Some(true) => return Reference::Manifest,
            Some(false) if !self.is_redacted_manifest(target) => {}
            Some(false) | None => return Reference::Claim,
        }
        let algorithm = uri.algorithm.as_deref().unwrap_or(usual);
        let claim = self.claims.get(&target).and_then(Option::as_ref);
        let by_claim = HashAlgorithm::of_name(algorithm).zip(claim).map(|(hash, claim)| hash.digest([claim.bytes]));
        if by_claim.is_some_and(|digest| digest == uri.hash) { Reference::Claim } else { Reference::Other }
    }

    fn is_redacted_manifest(&self, manifest: usize) -> bool {
        let label = &self.store.boxes[manifest].label;
        self.redacted_urls.iter().any(|url| url.split('/').any(|part| part == label))
    }
}
