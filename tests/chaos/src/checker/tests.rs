//! The negative control: the judge must report each history that is known to be wrong, and accept the correct one.

use std::time::Duration;

use super::{Rule, judge};
use crate::{
    evidence::{Dispatch, Evidence, SeenCase, SeenCertificate, SeenLog},
    history::{Action, Content, Detail, Event, FaultRecord, History, Moment, Outcome, Quota},
    schedule::{Kind, Subject},
};

const COMPANY: i64 = 1;

fn at(seconds: u64) -> Moment {
    Duration::from_secs(seconds)
}

fn event(operation: &'static str, started: u64, action: Action, outcome: Outcome) -> Event {
    let (started, ended) = (at(started), at(started) + Duration::from_millis(20));
    Event { company: COMPANY, operation, node: 0, started, ended, action, outcome }
}

fn text() -> Content {
    Content::Text("a wet wall".into())
}

/// A case that is opened, filled, closed and sent.
fn valid_run() -> (History, Evidence) {
    let events = vec![
        event(
            "POST /cases/create",
            1,
            Action::Create(vec!["m1".into()]),
            Outcome::Answered(201, Detail::Cases(vec![(0, 10)])),
        ),
        event(
            "POST /v2/items/create",
            2,
            Action::Add { case: 10, content: text() },
            Outcome::Answered(201, Detail::Item(100)),
        ),
        event("GET /cases/close/:caseId", 3, Action::Close(10), Outcome::Answered(200, Detail::Nothing)),
        event(
            "GET /log/checkpoint",
            5,
            Action::ReadLog,
            Outcome::Answered(200, Detail::Head { size: 1, root: "r1".into() }),
        ),
    ];
    let quotas = vec![Quota { company: COMPANY, operation: "POST /cases/create", limit: 3 }];
    let certificate = SeenCertificate {
        sha256: "pdf".into(),
        outcome: "valid".into(),
        manifest_sha256: "manifest".into(),
        items: vec![(100, text())],
    };
    let evidence = Evidence {
        cases: vec![SeenCase {
            company: COMPANY,
            id: 10,
            mark: "m1".into(),
            closed: true,
            items: vec![(100, Some(text()))],
        }],
        certificates: [(10, Ok(certificate))].into(),
        dispatches: vec![Dispatch { case: 10, received: at(6), ended: Some(at(6)) }],
        attempts: [(10, 1)].into(),
        log: SeenLog {
            seals: vec!["manifest".into()],
            deletions: 0,
            roots: [(1, "r1".into())].into(),
            problems: Vec::new(),
        },
    };
    (History { events, faults: Vec::new(), quotas }, evidence)
}

fn rules(history: &History, evidence: &Evidence) -> Vec<Rule> {
    judge(history, evidence).into_iter().map(|violation| violation.rule).collect()
}

fn worker_fault(kind: Kind, started: u64, ended: u64) -> FaultRecord {
    FaultRecord { kind, subject: Subject::Node(2), started: at(started), ended: at(ended) }
}

#[test]
fn a_run_without_faults_is_accepted() {
    let (history, evidence) = valid_run();
    assert_eq!(judge(&history, &evidence), []);
}

#[test]
fn a_lost_case_is_reported() {
    let (history, mut evidence) = valid_run();
    evidence.cases.clear();
    assert_eq!(rules(&history, &evidence), [Rule::Lost]);
}

#[test]
fn a_lost_item_a_lost_closing_and_a_lost_deletion_are_reported() {
    let (history, mut evidence) = valid_run();
    evidence.cases[0].items.clear();
    assert_eq!(rules(&history, &evidence), [Rule::Lost]);
    let (history, mut evidence) = valid_run();
    evidence.cases[0].closed = false;
    assert_eq!(rules(&history, &evidence), [Rule::Lost]);
    let (mut history, mut evidence) = valid_run();
    evidence.log.deletions = 1;
    let deleted = Outcome::Answered(200, Detail::Nothing);
    history.events.push(event("DELETE /cases/delete/:caseId", 9, Action::Delete(vec![10]), deleted));
    assert_eq!(rules(&history, &evidence), [Rule::Lost]);
}

#[test]
fn a_case_that_was_created_twice_is_reported_and_one_whose_answer_was_cut_off_may_exist_or_not() {
    let (mut history, mut evidence) = valid_run();
    let second = SeenCase { id: 11, closed: false, items: Vec::new(), ..evidence.cases[0].clone() };
    evidence.cases.push(second);
    assert_eq!(rules(&history, &evidence), [Rule::Doubled, Rule::Doubled]);

    evidence.cases[1].mark = "m2".into();
    history.events.push(event("POST /cases/create", 4, Action::Create(vec!["m2".into()]), Outcome::Cut));
    assert_eq!(rules(&history, &evidence), []);
    evidence.cases.pop();
    assert_eq!(rules(&history, &evidence), []);
}

#[test]
fn an_item_whose_answer_was_cut_off_may_exist_once() {
    let (mut history, mut evidence) = valid_run();
    let other = Content::Text("a wet floor".into());
    history.events.push(event(
        "POST /v2/items/create",
        2,
        Action::Add { case: 10, content: other.clone() },
        Outcome::Cut,
    ));
    assert_eq!(rules(&history, &evidence), []);
    evidence.cases[0].items.push((101, Some(other.clone())));
    assert_eq!(rules(&history, &evidence), []);
    evidence.cases[0].items.push((102, Some(other)));
    assert_eq!(rules(&history, &evidence), [Rule::Doubled]);
}

#[test]
fn a_certificate_that_is_missing_invalid_different_or_incomplete_is_reported() {
    let (history, mut evidence) = valid_run();
    evidence.certificates.insert(10, Err("503".into()));
    assert_eq!(rules(&history, &evidence), [Rule::Certificate]);
    for spoil in [
        |certificate: &mut SeenCertificate| certificate.outcome = "changedOrNotOurs".into(),
        |certificate: &mut SeenCertificate| certificate.items.clear(),
        |certificate: &mut SeenCertificate| certificate.items[0].1 = Content::Text("a dry wall".into()),
    ] {
        let (history, mut evidence) = valid_run();
        spoil(evidence.certificates.get_mut(&10).unwrap().as_mut().unwrap());
        assert_eq!(rules(&history, &evidence), [Rule::Certificate]);
    }
    let (mut history, evidence) = valid_run();
    let other = Outcome::Answered(200, Detail::Certificate("another pdf".into()));
    history.events.push(event("GET /share/case/:shareToken", 7, Action::ReadCertificate(10), other));
    assert_eq!(rules(&history, &evidence), [Rule::Certificate]);
}

#[test]
fn a_duplicate_dispatch_is_reported_unless_its_sender_died_before_the_outcome_was_recorded() {
    let (mut history, mut evidence) = valid_run();
    evidence.dispatches.push(Dispatch { case: 10, received: at(30), ended: Some(at(30)) });
    assert_eq!(rules(&history, &evidence), [Rule::Dispatch]);
    history.faults = vec![worker_fault(Kind::Kill, 20, 22)];
    assert_eq!(rules(&history, &evidence), [Rule::Dispatch], "the kill came long after the outcome was known");
    history.faults = vec![FaultRecord { subject: Subject::Postgres, ..worker_fault(Kind::PostgresAway, 5, 15) }];
    assert_eq!(rules(&history, &evidence), [Rule::Dispatch], "the record is retried, not the dispatch");
    history.faults.push(worker_fault(Kind::Kill, 12, 13));
    assert_eq!(rules(&history, &evidence), [], "it died while it could not record the outcome");
    history.faults = vec![worker_fault(Kind::Kill, 6, 8)];
    assert_eq!(rules(&history, &evidence), []);
    history.faults.clear();
    evidence.dispatches[0].ended = None;
    assert_eq!(rules(&history, &evidence), []);
}

#[test]
fn a_closed_case_that_was_never_sent_is_reported() {
    let (history, mut evidence) = valid_run();
    evidence.attempts.clear();
    assert_eq!(rules(&history, &evidence), [Rule::Dispatch]);
}

/// Requests at these seconds, all accepted.
fn created_at(seconds: &[u64]) -> (History, Evidence) {
    let (mut history, mut evidence) = valid_run();
    for (place, second) in (20..).zip(seconds) {
        let mark = format!("q{place}");
        let detail = Detail::Cases(vec![(0, place)]);
        history.events.push(event(
            "POST /cases/create",
            *second,
            Action::Create(vec![mark.clone()]),
            Outcome::Answered(201, detail),
        ));
        evidence.cases.push(SeenCase { company: COMPANY, id: place, mark, closed: false, items: Vec::new() });
    }
    (history, evidence)
}

#[test]
fn an_exceeded_quota_is_reported_in_every_window_and_not_across_windows() {
    let (history, evidence) = created_at(&[100, 120, 159, 159]);
    assert_eq!(rules(&history, &evidence), [Rule::Quota]);
    let (history, evidence) = created_at(&[100, 120, 159, 161]);
    assert_eq!(rules(&history, &evidence), []);
}

#[test]
fn a_refusal_within_the_quota_is_reported() {
    let (mut history, evidence) = created_at(&[100, 101]);
    let refused = |second| {
        let detail = Detail::Message("too many".into());
        event("POST /cases/create", second, Action::Create(vec!["x".into()]), Outcome::Answered(429, detail))
    };
    history.events.push(refused(102));
    assert_eq!(rules(&history, &evidence), [Rule::Quota]);
    // One that was never answered may have been counted.
    history.events.push(event("POST /cases/create", 101, Action::Create(vec!["y".into()]), Outcome::Unanswered));
    history.faults = vec![FaultRecord { subject: Subject::Node(0), ..worker_fault(Kind::Kill, 101, 110) }];
    assert_eq!(rules(&history, &evidence), []);
}

#[test]
fn a_wrong_answer_and_a_late_one_are_reported_and_a_stopped_node_may_be_late() {
    let (mut history, evidence) = valid_run();
    history.events.push(event("GET /frames", 4, Action::Read, Outcome::Answered(500, Detail::Nothing)));
    assert_eq!(rules(&history, &evidence), [Rule::WrongAnswer]);
    let (mut history, evidence) = valid_run();
    let answered = event("GET /frames", 4, Action::Read, Outcome::Answered(503, Detail::Nothing));
    history.events.push(Event { ended: at(30), ..answered });
    assert_eq!(rules(&history, &evidence), [Rule::SlowAnswer]);
    history.faults = vec![FaultRecord { subject: Subject::Node(0), ..worker_fault(Kind::Stop, 5, 20) }];
    assert_eq!(rules(&history, &evidence), []);
}

#[test]
fn a_log_that_shrinks_or_loses_entries_is_reported() {
    let (mut history, evidence) = valid_run();
    let head = |second, size, root: &str| {
        let detail = Detail::Head { size, root: root.into() };
        event("GET /log/checkpoint", second, Action::ReadLog, Outcome::Answered(200, detail))
    };
    history.events.push(head(8, 0, "r0"));
    assert_eq!(rules(&history, &evidence), [Rule::PublicLog]);
    history.events.pop();
    history.events.push(head(8, 1, "another"));
    assert_eq!(rules(&history, &evidence), [Rule::PublicLog]);
    let (history, mut evidence) = valid_run();
    evidence.log.roots.clear();
    assert_eq!(rules(&history, &evidence), [Rule::PublicLog]);
    let (history, mut evidence) = valid_run();
    evidence.log.seals.clear();
    assert_eq!(rules(&history, &evidence), [Rule::PublicLog]);
    let (history, mut evidence) = valid_run();
    evidence.log.deletions = 1;
    assert_eq!(rules(&history, &evidence), [Rule::PublicLog]);
}
