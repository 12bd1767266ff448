//! The judgement on a year: a pure function of what answers said and of what is found at its end.

use std::collections::BTreeMap;

use super::ledger::{Checkpoint, ClosedCase, Delivery, Inherited, Owner};
use crate::{
    evidence::{SeenCertificate, SeenLog},
    history::Content,
};

/// What the public address of a certificate answers.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) status: u16,
    /// If there is one: what `verify` says of it, or why it says nothing.
    pub(super) certificate: Option<Result<SeenCertificate, String>>,
}

/// The state at the end of the year.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) day: u64,
    /// By the paths of certificates.
    pub(super) certificates: BTreeMap<String, Seen>,
    pub(super) log: SeenLog,
    /// Case → how often its webhook arrived.
    pub(super) arrivals: BTreeMap<i64, usize>,
}

/// Whether a certificate has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    There,
    Gone,
    /// Its last day is now.
    Either,
}

pub(super) const fn expected(case: &ClosedCase, day: u64) -> Expected {
    if case.is_deleted {
        return Expected::Gone;
    }
    match case.owner.case_days() {
        Some(days) if !case.is_held => {
            let age = day.saturating_sub(case.closed_on);
            if age > days {
                Expected::Gone
            } else if age + 1 < days {
                Expected::There
            } else {
                Expected::Either
            }
        }
        _ => Expected::There,
    }
}

/// Everything that contradicts an answer.
pub(super) fn judge(
    cases: &[ClosedCase],
    inherited: &[Inherited],
    checkpoints: &[Checkpoint],
    found: &Findings,
) -> Vec<String> {
    let mut violations = Vec::new();
    let nothing = Seen::default();
    for case in cases {
        let seen = found.certificates.get(&case.path).unwrap_or(&nothing);
        let wrong = match (expected(case, found.day), seen.status) {
            (Expected::There, 200) => wrong_certificate(case, seen),
            (Expected::There, status) => vec![format!("its certificate is gone (status {status})")],
            (Expected::Gone | Expected::Either, 404) | (Expected::Either, 200) => Vec::new(),
            (Expected::Gone, status) => vec![format!("its certificate should be gone (status {status})")],
            (Expected::Either, status) => vec![format!("its address answers {status}")],
        };
        violations.extend(wrong.into_iter().chain(wrong_deliveries(case, found)).map(|what| {
            format!("case {} of {:?}, closed on day {} ({:?}): {what}", case.id, case.owner, case.closed_on, case.fate)
        }));
    }
    for old in inherited {
        let seen = found.certificates.get(&old.path).unwrap_or(&nothing);
        if seen.status != 200 {
            violations.push(format!("the inherited certificate {}: status {}", old.path, seen.status));
        } else if let Some(what) = not_valid(seen) {
            violations.push(format!("the inherited certificate {}: {what}", old.path));
        }
    }
    violations.extend(wrong_log(cases, checkpoints, found));
    violations
}

fn not_valid(seen: &Seen) -> Option<String> {
    match seen.certificate.as_ref() {
        Some(Ok(certificate)) if certificate.outcome == "valid" => None,
        Some(Ok(certificate)) => Some(format!("verify says {}", certificate.outcome)),
        Some(Err(error)) => Some(error.clone()),
        None => Some("it was not checked".to_owned()),
    }
}

fn wrong_certificate(case: &ClosedCase, seen: &Seen) -> Vec<String> {
    if let Some(what) = not_valid(seen) {
        return vec![what];
    }
    let Some(Ok(certificate)) = &seen.certificate else { return Vec::new() };
    let mut wrong = Vec::new();
    for (id, content) in &case.items {
        let is_there = certificate.items.contains(&(*id, content.clone()));
        if is_there == case.erased.contains(id) {
            let state = if is_there { "was erased and is in the certificate" } else { "is not in the certificate" };
            wrong.push(format!("item {id} {state}"));
        }
    }
    let is_known = |content: &Content| {
        case.uncertain.contains(content) || case.items.iter().any(|(_, acknowledged)| acknowledged == content)
    };
    let strange = certificate.items.iter().filter(|(_, content)| !is_known(content));
    wrong.extend(strange.map(|(id, content)| format!("item {id} was never sent: {content:?}")));
    wrong
}

fn wrong_deliveries(case: &ClosedCase, found: &Findings) -> Option<String> {
    let count = found.arrivals.get(&case.id).copied().unwrap_or(0);
    let is_right = match (case.owner, case.delivery) {
        (_, Delivery::Usual) => count == 1,
        (Owner::Acme, Delivery::Missed) => count <= 1,
        (Owner::Borealis, Delivery::Missed) | (_, Delivery::Interrupted) => (1..=2).contains(&count),
    };
    (!is_right).then(|| format!("its webhook arrived {count} times ({:?})", case.delivery))
}

fn wrong_log(cases: &[ClosedCase], checkpoints: &[Checkpoint], found: &Findings) -> Vec<String> {
    let mut wrong = found.log.problems.clone();
    for Checkpoint { month, size, root } in checkpoints {
        if found.log.roots.get(size) != Some(root) {
            wrong.push(format!("the log does not extend the checkpoint of month {month}, which has {size} entries"));
        }
    }
    for (path, seen) in &found.certificates {
        if let Some(Ok(certificate)) = &seen.certificate
            && !found.log.seals.contains(&certificate.manifest_sha256)
        {
            wrong.push(format!("the seal of {path} is not in the log"));
        }
    }
    let gone = cases.iter().filter(|case| expected(case, found.day) == Expected::Gone).count();
    if found.log.deletions < gone {
        wrong.push(format!("{gone} cases are gone, and the log has {} deletions", found.log.deletions));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::year::ledger::Fate;

    /// Makes a certificate wrong.
    type Change = fn(&mut SeenCertificate);

    fn text(text: &str) -> Content {
        Content::Text(text.to_owned())
    }

    fn case(owner: Owner, id: i64) -> ClosedCase {
        ClosedCase {
            owner,
            id,
            path: format!("/share/case/{id}"),
            closed_on: 10,
            items: vec![(id * 10, text("a")), (id * 10 + 1, text("b"))],
            uncertain: BTreeSet::new(),
            fate: Fate::Kept,
            delivery: Delivery::Usual,
            erased: BTreeSet::new(),
            is_deleted: false,
            is_held: false,
        }
    }

    /// What a right installation shows of a case.
    fn add(found: &mut Findings, case: &ClosedCase) {
        let manifest = format!("manifest of {}", case.id);
        let items = case.items.iter().filter(|(id, _)| !case.erased.contains(id)).cloned().collect();
        let certificate = SeenCertificate {
            sha256: String::new(),
            outcome: "valid".to_owned(),
            manifest_sha256: manifest.clone(),
            items,
        };
        found.log.seals.push(manifest);
        found.certificates.insert(case.path.clone(), Seen { status: 200, certificate: Some(Ok(certificate)) });
        found.arrivals.insert(case.id, 1);
    }

    fn found(cases: &[ClosedCase], day: u64) -> Findings {
        let mut found = Findings { day, ..Findings::default() };
        for case in cases {
            add(&mut found, case);
        }
        found
    }

    fn violations(cases: &[ClosedCase], found: &Findings) -> String {
        judge(cases, &[], &[], found).join("\n")
    }

    #[test]
    fn a_right_year_has_no_violation() {
        let mut erased = case(Owner::Acme, 2);
        erased.erased.insert(20);
        let mut held = case(Owner::Borealis, 3);
        held.is_held = true;
        let cases = [case(Owner::Acme, 1), erased, held];
        assert_eq!(violations(&cases, &found(&cases, 366)), "");
    }

    #[test]
    fn a_case_is_there_until_its_days_are_over_and_then_gone() {
        let cases = [case(Owner::Borealis, 1)];
        let found = found(&cases, 158);
        assert_eq!(violations(&cases, &found), "");
        let later = Findings { day: 161, ..found };
        assert!(violations(&cases, &later).contains("should be gone"));
        let mut gone = Findings { day: 161, ..Findings::default() };
        gone.arrivals.insert(1, 1);
        gone.certificates.insert(cases[0].path.clone(), Seen { status: 404, certificate: None });
        assert!(violations(&cases, &gone).contains("the log has 0 deletions"));
        gone.log.deletions = 1;
        assert_eq!(violations(&cases, &gone), "");
        let early = Findings { day: 100, ..gone };
        assert!(violations(&cases, &early).contains("is gone (status 404)"));
    }

    #[test]
    fn each_difference_from_the_answers_is_reported() {
        let cases = [case(Owner::Acme, 1)];
        let changes: [(Change, &str); 4] = [
            (|it| it.outcome = "changed".to_owned(), "verify says changed"),
            (|it| drop(it.items.pop()), "item 11 is not in the certificate"),
            (|it| it.items.push((12, Content::Text("c".to_owned()))), "item 12 was never sent"),
            (|it| it.manifest_sha256.clear(), "is not in the log"),
        ];
        for (change, expected) in changes {
            let mut found = found(&cases, 20);
            let seen = found.certificates.get_mut(&cases[0].path).unwrap();
            change(seen.certificate.as_mut().unwrap().as_mut().unwrap());
            assert!(violations(&cases, &found).contains(expected), "{expected}");
        }
        let mut erased = cases.clone();
        erased[0].erased.insert(10);
        assert!(violations(&erased, &found(&cases, 20)).contains("item 10 was erased and is in the certificate"));
        let mut uncertain = cases.clone();
        uncertain[0].items.pop();
        uncertain[0].uncertain.insert(text("b"));
        assert_eq!(violations(&uncertain, &found(&cases, 20)), "");
    }

    #[test]
    fn webhooks_arrive_once_unless_a_fault_explains_another_number() {
        for (owner, delivery, right) in [
            (Owner::Acme, Delivery::Usual, 1..=1),
            (Owner::Acme, Delivery::Missed, 0..=1),
            (Owner::Borealis, Delivery::Missed, 1..=2),
            (Owner::Acme, Delivery::Interrupted, 1..=2),
        ] {
            let cases = [ClosedCase { delivery, ..case(owner, 1) }];
            for count in 0..4_usize {
                let mut found = found(&cases, 20);
                found.arrivals.insert(1, count);
                assert_eq!(violations(&cases, &found).is_empty(), right.contains(&count), "{owner:?} {delivery:?}");
            }
        }
    }

    #[test]
    fn a_log_that_does_not_extend_a_checkpoint_is_reported() {
        let mut found = Findings::default();
        found.log.roots.insert(3, "root".to_owned());
        let kept = |root: &str| [Checkpoint { month: 2, size: 3, root: root.to_owned() }];
        assert!(judge(&[], &[], &kept("root"), &found).is_empty());
        assert!(judge(&[], &[], &kept("other"), &found)[0].contains("checkpoint of month 2"));
        let inherited = [Inherited { path: "/share/case/x".to_owned(), is_from_outside: false }];
        assert!(judge(&[], &inherited, &[], &found)[0].contains("status 0"));
    }
}
