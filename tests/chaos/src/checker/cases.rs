//! Checks cases, items and certificates: everything acknowledged exists exactly once.

use std::collections::{BTreeMap, BTreeSet};

use super::{Findings, Rule};
use crate::{
    evidence::{Evidence, SeenCase, SeenCertificate},
    history::{Action, Content, Detail, History, Outcome},
    ledger::{Case, Certainty, Ledger},
};

pub(super) fn check(ledger: &Ledger, evidence: &Evidence, findings: &mut Findings) {
    let mut seen: BTreeMap<i64, &SeenCase> = BTreeMap::new();
    let mut marks: BTreeMap<(i64, &str), usize> = BTreeMap::new();
    for case in &evidence.cases {
        seen.insert(case.id, case);
        *marks.entry((case.company, &case.mark)).or_default() += 1;
        let is_known = ledger.cases.contains_key(&case.id);
        if !is_known && !ledger.unconfirmed.contains(&(case.company, case.mark.clone())) {
            findings.add(Rule::Doubled, None, format!("case {} was never acknowledged", case.id));
        }
    }
    for ((company, mark), count) in marks {
        if count > 1 {
            findings.add(Rule::Doubled, None, format!("company {company} has {count} cases from one request, {mark}"));
        }
    }
    for (id, case) in &ledger.cases {
        match seen.get(id) {
            Some(seen) => check_one(*id, case, seen, findings),
            None if case.deletion == Certainty::No => {
                findings.add(
                    Rule::Lost,
                    Some(case.created),
                    format!("case {id} of company {}, opened as {}", case.company, case.mark),
                );
            }
            None => {}
        }
    }
}

fn check_one(id: i64, case: &Case, seen: &SeenCase, findings: &mut Findings) {
    if case.deletion == Certainty::Yes {
        findings.add(Rule::Lost, None, format!("the deletion of case {id}"));
    }
    if case.closing == Certainty::Yes && !seen.closed {
        findings.add(Rule::Lost, None, format!("the closing of case {id}"));
    }
    if case.closing == Certainty::No && seen.closed {
        findings.add(Rule::Doubled, None, format!("case {id} is closed, and no request closed it"));
    }
    let what = format!("case {id}");
    let items: Vec<(i64, Option<&Content>)> = seen.items.iter().map(|(item, held)| (*item, held.as_ref())).collect();
    compare_items(&what, case, &items, Rule::Lost, findings);
}

/// All acknowledged items must exist exactly once. Other items may exist only if their requests were cut off.
fn compare_items(what: &str, case: &Case, seen: &[(i64, Option<&Content>)], missing: Rule, findings: &mut Findings) {
    let mut by_id: BTreeMap<i64, Option<&Content>> = BTreeMap::new();
    for (item, content) in seen {
        if by_id.insert(*item, *content).is_some() {
            findings.add(Rule::Doubled, None, format!("{what} names item {item} twice"));
        }
    }
    for (item, content) in &case.items {
        match by_id.remove(item) {
            None => findings.add(missing, None, format!("item {item} is not in {what}")),
            Some(Some(held)) if held != content => {
                findings.add(missing, None, format!("item {item} of {what} is {held:?} and was {content:?}"));
            }
            Some(_) => {}
        }
    }
    let mut unconfirmed = case.unconfirmed_items.clone();
    let mut unexplained = 0;
    for (item, content) in by_id {
        match content.map(|content| unconfirmed.iter().position(|unconfirmed| unconfirmed == content)) {
            Some(Some(place)) => drop(unconfirmed.remove(place)),
            Some(None) => findings.add(Rule::Doubled, None, format!("item {item} of {what} was never acknowledged")),
            None => unexplained += 1,
        }
    }
    if unexplained > unconfirmed.len() {
        findings.add(Rule::Doubled, None, format!("{what} has {unexplained} items that were never acknowledged"));
    }
}

pub(super) fn check_certificates(ledger: &Ledger, history: &History, evidence: &Evidence, findings: &mut Findings) {
    let closed: BTreeSet<i64> = evidence.cases.iter().filter(|case| case.closed).map(|case| case.id).collect();
    for id in &closed {
        match evidence.certificates.get(id) {
            Some(Ok(certificate)) => check_certificate(*id, ledger.cases.get(id), certificate, findings),
            Some(Err(why)) => findings.add(Rule::Certificate, None, format!("case {id} has none: {why}")),
            None => findings.add(Rule::Certificate, None, format!("case {id} has none")),
        }
    }
    check_sameness(history, evidence, findings);
}

fn check_certificate(id: i64, case: Option<&Case>, certificate: &SeenCertificate, findings: &mut Findings) {
    if certificate.outcome != "valid" {
        findings.add(Rule::Certificate, None, format!("the one of case {id} is {}", certificate.outcome));
    }
    if let Some(case) = case {
        let items: Vec<_> = certificate.items.iter().map(|(item, content)| (*item, Some(content))).collect();
        compare_items(&format!("the certificate of case {id}"), case, &items, Rule::Certificate, findings);
    }
}

/// Each case has one certificate: every reader must have got the same file.
fn check_sameness(history: &History, evidence: &Evidence, findings: &mut Findings) {
    let mut files: BTreeMap<i64, BTreeSet<&str>> = BTreeMap::new();
    for event in &history.events {
        if let (Action::ReadCertificate(case), Outcome::Answered(200, Detail::Certificate(sha256))) =
            (&event.action, &event.outcome)
        {
            files.entry(*case).or_default().insert(sha256);
        }
    }
    for (case, certificate) in &evidence.certificates {
        if let Ok(certificate) = certificate {
            files.entry(*case).or_default().insert(&certificate.sha256);
        }
    }
    for (case, files) in files {
        if files.len() > 1 {
            findings.add(Rule::Certificate, None, format!("case {case} had {} different ones", files.len()));
        }
    }
}
