//! Checks that the public log never shrinks, and has an entry for each seal and each deletion.

use std::collections::BTreeMap;

use super::{Findings, Rule};
use crate::{
    evidence::Evidence,
    history::{Action, Detail, Event, History, Outcome},
    ledger::{Certainty, Ledger},
};

pub(super) fn check(ledger: &Ledger, history: &History, evidence: &Evidence, findings: &mut Findings) {
    for problem in &evidence.log.problems {
        findings.add(Rule::PublicLog, None, problem.clone());
    }
    check_heads(history, evidence, findings);
    check_seals(evidence, findings);
    let certain = ledger.cases.values().filter(|case| case.deletion == Certainty::Yes).count();
    let unconfirmed = ledger.cases.values().filter(|case| case.deletion == Certainty::Maybe).count();
    let deletions = evidence.log.deletions;
    if deletions < certain || deletions > certain + unconfirmed {
        let what =
            format!("{deletions} deletions are in it, {certain} were acknowledged, {unconfirmed} may have been made");
        findings.add(Rule::PublicLog, None, what);
    }
}

fn check_heads(history: &History, evidence: &Evidence, findings: &mut Findings) {
    let mut heads: Vec<(&Event, u64, &str)> = Vec::new();
    for event in history.events.iter().filter(|event| event.action == Action::ReadLog) {
        if let Outcome::Answered(200, Detail::Head { size, root }) = &event.outcome {
            heads.push((event, *size, root));
        }
    }
    heads.sort_by_key(|(event, ..)| event.started);
    let mut largest: Option<(&Event, u64)> = None;
    for (event, size, root) in heads {
        // Only a read that started after another had ended must see at least as much.
        if let Some((earlier, before)) = largest
            && event.started > earlier.ended
            && size < before
        {
            findings.add(Rule::PublicLog, Some(event.started), format!("its size went back from {before} to {size}"));
        }
        if largest.is_none_or(|(_, before)| size > before) {
            largest = Some((event, size));
        }
        if evidence.log.roots.last_key_value().is_none_or(|(last, _)| *last < size) {
            findings.add(Rule::PublicLog, Some(event.started), format!("an entry of its first {size} is lost"));
        }
        if evidence.log.roots.get(&size).is_some_and(|recomputed| recomputed != root) {
            findings.add(
                Rule::PublicLog,
                Some(event.started),
                format!("the root of size {size} is not that of its entries"),
            );
        }
    }
}

fn check_seals(evidence: &Evidence, findings: &mut Findings) {
    let mut entries: BTreeMap<&str, usize> = BTreeMap::new();
    for manifest in &evidence.log.seals {
        *entries.entry(manifest).or_default() += 1;
    }
    for (case, certificate) in &evidence.certificates {
        let Ok(certificate) = certificate else { continue };
        match entries.get(certificate.manifest_sha256.as_str()) {
            Some(1) => {}
            Some(count) => {
                findings.add(Rule::PublicLog, None, format!("the seal of case {case} is in it {count} times"));
            }
            None => findings.add(Rule::PublicLog, None, format!("the seal of case {case} is not in it")),
        }
    }
}
