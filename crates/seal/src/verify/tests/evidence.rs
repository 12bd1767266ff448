use super::*;
use crate::{
    evidence::{ArchiveTimeStamp, EvidenceRecord},
    pki::Usage,
    testing::issued,
    tsp::TimeStampAuthority,
};

/// Without a fraction of a second, which certificates do not have.
fn day(days: u32) -> UnixTime {
    UnixTime::from_millis(now().as_millis() / 1000 * 1000).unwrap().plus_days(days)
}

/// The record of a file whose only time stamp is of this day, and expires on another; counted from today.
fn record(pdf: &[u8], stamped: u32, until: u32) -> Vec<u8> {
    let identity = issued(&authority("Example"), Usage::TimeStamping, day(0), day(until));
    let digest = Sha256Digest::of(pdf);
    let token = TimeStampAuthority::new(identity, None).stamp(&digest, random("serial"), day(stamped)).unwrap();
    EvidenceRecord::new(ArchiveTimeStamp::new(&digest, &[], token).unwrap()).to_der()
}

fn verify_with(pdf: &[u8], record: &[u8], now: UnixTime) -> Report {
    let anchors = anchors(&authority("Example"));
    let expectations = Expectations::trusting(&anchors, now, &[]);
    let mut report = certificate(pdf, &expectations);
    report.add_evidence("record.ers", pdf, record, &expectations);
    report
}

fn is_overdue(report: &Report) -> bool {
    report.findings.iter().any(|finding| finding.code == FindingCode::RenewalOverdue)
}

/// The authority `Example` stamps for ten years.
#[test]
fn a_record_extends_the_time_stamps_of_a_certificate() {
    let pdf = parts("Example").b_lta();
    assert!(is_overdue(&verify_at(&pdf, day(3700))));
    let report = verify_with(&pdf, &record(&pdf, 3600, 3800), day(3700));
    assert_eq!(report.outcome, Outcome::Valid, "{:#?}", report.findings);
    assert!(!is_overdue(&report));
    assert_eq!(report.renew_before, Some(day(3800)));
    assert_eq!(report.proven_time, Some(now()));
    assert!(report.evidence[0].continues);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["evidence"][0]["timeStamps"][0]["hash"], "SHA-256");
}

#[test]
fn a_record_that_began_too_late_extends_nothing() {
    let pdf = parts("Example").b_lta();
    let report = verify_with(&pdf, &record(&pdf, 3660, 3800), day(3700));
    assert_eq!(report.outcome, Outcome::Valid, "{:#?}", report.findings);
    assert!(is_overdue(&report) && !report.evidence[0].continues);
}

#[test]
fn a_record_of_another_certificate_or_without_trust_is_a_finding() {
    let pdf = parts("Example").b_lta();
    let other = verify_with(&pdf, &record(&parts("Example").b_t(), 1, 100), day(2));
    assert_eq!((other.outcome, faults(&other)), (Outcome::ChangedOrNotOurs, vec![FindingCode::Evidence]));
    assert!(other.evidence.is_empty());
    let expired = verify_with(&pdf, &record(&pdf, 1, 100), day(101));
    assert_eq!((expired.outcome, faults(&expired)), (Outcome::IntactButUntrusted, vec![FindingCode::Evidence]));
    let nonsense = verify_with(&pdf, b"nonsense", day(2));
    assert_eq!(faults(&nonsense), [FindingCode::Evidence]);
    assert!(serde_json::to_value(&nonsense).unwrap().get("evidence").is_none());
}
