//! Cases, items and certificates: everything acknowledged is there, once.

use std::collections::{BTreeMap, BTreeSet};

use super::{Found, Rule};
use crate::{
    evidence::{Evidence, SeenCase, SeenCertificate},
    history::{Content, Deed, Detail, History, Outcome},
    ledger::{Case, Certainty, Ledger},
};

pub(super) fn check(ledger: &Ledger, evidence: &Evidence, found: &mut Found) {
    let mut seen: BTreeMap<i64, &SeenCase> = BTreeMap::new();
    let mut marks: BTreeMap<(i64, &str), usize> = BTreeMap::new();
    for case in &evidence.cases {
        seen.insert(case.id, case);
        *marks.entry((case.company, &case.mark)).or_default() += 1;
        let is_known = ledger.cases.contains_key(&case.id);
        if !is_known && !ledger.perhaps.contains(&(case.company, case.mark.clone())) {
            found.add(Rule::Doubled, None, format!("case {} was never answered for", case.id));
        }
    }
    for ((company, mark), count) in marks {
        if count > 1 {
            found.add(Rule::Doubled, None, format!("company {company} has {count} cases by the one request {mark}"));
        }
    }
    for (id, case) in &ledger.cases {
        match seen.get(id) {
            Some(seen) => check_one(*id, case, seen, found),
            None if case.deletion == Certainty::No => {
                found.add(
                    Rule::Lost,
                    Some(case.created),
                    format!("case {id} of company {}, opened as {}", case.company, case.mark),
                );
            }
            None => {}
        }
    }
}

fn check_one(id: i64, case: &Case, seen: &SeenCase, found: &mut Found) {
    if case.deletion == Certainty::Yes {
        found.add(Rule::Lost, None, format!("the deletion of case {id}"));
    }
    if case.closing == Certainty::Yes && !seen.closed {
        found.add(Rule::Lost, None, format!("the closing of case {id}"));
    }
    if case.closing == Certainty::No && seen.closed {
        found.add(Rule::Doubled, None, format!("case {id} is closed, and no request closed it"));
    }
    let what = format!("case {id}");
    let items: Vec<(i64, Option<&Content>)> = seen.items.iter().map(|(item, held)| (*item, held.as_ref())).collect();
    compare_items(&what, case, &items, Rule::Lost, found);
}

/// The items that must be there are there, once each. Others are there only if their requests were cut off.
fn compare_items(what: &str, case: &Case, seen: &[(i64, Option<&Content>)], missing: Rule, found: &mut Found) {
    let mut by_id: BTreeMap<i64, Option<&Content>> = BTreeMap::new();
    for (item, content) in seen {
        if by_id.insert(*item, *content).is_some() {
            found.add(Rule::Doubled, None, format!("{what} names item {item} twice"));
        }
    }
    for (item, content) in &case.items {
        match by_id.remove(item) {
            None => found.add(missing, None, format!("item {item} is not in {what}")),
            Some(Some(held)) if held != content => {
                found.add(missing, None, format!("item {item} of {what} is {held:?} and was {content:?}"));
            }
            Some(_) => {}
        }
    }
    let mut perhaps = case.perhaps_items.clone();
    let mut unexplained = 0;
    for (item, content) in by_id {
        match content.map(|content| perhaps.iter().position(|perhaps| perhaps == content)) {
            Some(Some(place)) => drop(perhaps.remove(place)),
            Some(None) => found.add(Rule::Doubled, None, format!("item {item} of {what} was never answered for")),
            None => unexplained += 1,
        }
    }
    if unexplained > perhaps.len() {
        found.add(Rule::Doubled, None, format!("{what} has {unexplained} items that were never answered for"));
    }
}

pub(super) fn check_certificates(ledger: &Ledger, history: &History, evidence: &Evidence, found: &mut Found) {
    let closed: BTreeSet<i64> = evidence.cases.iter().filter(|case| case.closed).map(|case| case.id).collect();
    for id in &closed {
        match evidence.certificates.get(id) {
            Some(Ok(certificate)) => check_certificate(*id, ledger.cases.get(id), certificate, found),
            Some(Err(why)) => found.add(Rule::Certificate, None, format!("case {id} has none: {why}")),
            None => found.add(Rule::Certificate, None, format!("case {id} has none")),
        }
    }
    check_sameness(history, evidence, found);
}

fn check_certificate(id: i64, case: Option<&Case>, certificate: &SeenCertificate, found: &mut Found) {
    if certificate.outcome != "valid" {
        found.add(Rule::Certificate, None, format!("that of case {id} is {}", certificate.outcome));
    }
    if let Some(case) = case {
        let items: Vec<_> = certificate.items.iter().map(|(item, content)| (*item, Some(content))).collect();
        compare_items(&format!("the certificate of case {id}"), case, &items, Rule::Certificate, found);
    }
}

/// One certificate for each case: every reader got the same file.
fn check_sameness(history: &History, evidence: &Evidence, found: &mut Found) {
    let mut files: BTreeMap<i64, BTreeSet<&str>> = BTreeMap::new();
    for event in &history.events {
        if let (Deed::ReadCertificate(case), Outcome::Answered(200, Detail::Certificate(sha256))) =
            (&event.deed, &event.outcome)
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
            found.add(Rule::Certificate, None, format!("case {case} has had {} different ones", files.len()));
        }
    }
}
