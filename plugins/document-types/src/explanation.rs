//! Why a type fits, in words.

use std::collections::HashSet;

use sealwright_plugin_sdk::findings::{Finding, found};

use crate::{
    features::Features,
    lexicon::{Group, Match, Tier},
};

/// The maximum number of findings of a candidate.
pub(crate) const FINDINGS: usize = 16;

/// What speaks for `document_type`: its zone, its name, and its words, the strongest first.
pub(crate) fn of(document_type: &str, features: &Features) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(zone) = features.zone.filter(|zone| zone.document_type == Some(document_type)) {
        findings.push(found("ZONE", "The machine-readable zone states this type.").at(zone.page, zone.place));
    }
    for tier in [Tier::Title, Tier::Proof, Tier::Mark] {
        let is_wanted = |group: &Group| group.name == document_type && group.tier == tier;
        let Some(group) = features.groups.iter().position(is_wanted) else { continue };
        let mut named = HashSet::new();
        let mut own: Vec<&Match> =
            features.matches.iter().filter(|found| found.is_in(group) && named.insert(found.phrase)).collect();
        if tier == Tier::Title {
            // A document has one title: the largest name.
            own.sort_by_key(|found| std::cmp::Reverse(found.cell.size));
            own.truncate(1);
        }
        findings.extend(own.into_iter().map(|found| finding(tier, found)));
    }
    findings.truncate(FINDINGS);
    findings
}

fn finding(tier: Tier, one: &Match) -> Finding {
    let (code, what) = match tier {
        Tier::Title => ("TITLE", "is the name of this type of document"),
        Tier::Proof => ("MARK", "is typical of this type"),
        Tier::Mark | Tier::Common => ("MARK", "is common in this type"),
    };
    found(code, format!("\"{}\" {what}.", one.phrase)).at(one.cell.page, one.cell.place)
}
