//! An evidence record that is given with a certificate.

use serde::Serialize;

use super::{CertificateFacts, Expectations, Finding, FindingCode, Report, Severity};
use crate::{
    evidence::{EvidenceExpectations, EvidenceRecord, EvidenceStamp, HashAlgorithm, VerifiedEvidence},
    time::UnixTime,
};

/// No hash of the SHA-2 family has an end yet.
const TOO_WEAK_FROM: [(HashAlgorithm, UnixTime); 0] = [];

/// What an evidence record proves about the certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceFacts {
    /// For the report.
    pub name: String,
    /// The certificate's file existed no later, by the record's oldest time stamp.
    pub time: UnixTime,
    /// Until when the record can be renewed.
    pub renew_before: UnixTime,
    /// Whether it began while the certificate's own newest time stamp was good. Only then does it extend that one.
    pub continues: bool,
    /// Oldest first.
    pub time_stamps: Vec<EvidenceStampFacts>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceStampFacts {
    pub time: UnixTime,
    /// The hash algorithm of its tree, for example `SHA-256`.
    pub hash: &'static str,
    pub authority: CertificateFacts,
    /// Whether a development authority vouches for it.
    pub development: bool,
}

impl From<&EvidenceStamp> for EvidenceStampFacts {
    fn from(stamp: &EvidenceStamp) -> Self {
        let EvidenceStamp { time, authority, algorithm, development, .. } = stamp;
        Self { time: *time, hash: algorithm.name(), authority: authority.into(), development: *development }
    }
}

impl Report {
    /// Adds what the evidence record (RFC 4998) in `record` proves about the certificate in `pdf`, and decides again. A
    /// record of another file invalidates the whole result, like an original that is not one of those sealed.
    pub fn add_evidence(&mut self, name: &str, pdf: &[u8], record: &[u8], expectations: &Expectations<'_>) {
        let Expectations { time_roots, now, .. } = *expectations;
        let expected = EvidenceExpectations { time_roots, now, too_weak_from: &TOO_WEAK_FROM };
        match EvidenceRecord::from_der(record).and_then(|record| record.verify(pdf, &expected)) {
            Ok(evidence) => self.hold_evidence(name, &evidence),
            Err(error) => {
                let severity = if error.is_tampering() { Severity::Changed } else { Severity::Untrusted };
                let message = format!("`{name}` does not count: {error}");
                self.findings.push(Finding::new(severity, FindingCode::Evidence, message));
            }
        }
        self.conclude();
    }

    fn hold_evidence(&mut self, name: &str, evidence: &VerifiedEvidence) {
        let (time, renew_before) = (evidence.time(), evidence.renew_before());
        let continues = self.proven_time.is_some() && self.renew_before.is_some_and(|until| time <= until);
        if continues {
            self.renew_before = self.renew_before.max(Some(renew_before));
            self.findings.retain(|finding| finding.code != FindingCode::RenewalOverdue);
        }
        let is_known = self.findings.iter().any(|finding| finding.code == FindingCode::Development);
        if !is_known && evidence.stamps.iter().any(|stamp| stamp.development) {
            let message = "its evidence record is stamped by a development authority, which only its own installation \
                           trusts";
            self.findings.push(Finding::new(Severity::Notice, FindingCode::Development, message));
        }
        let time_stamps = evidence.stamps.iter().map(EvidenceStampFacts::from).collect();
        self.evidence.push(EvidenceFacts { name: name.to_owned(), time, renew_before, continues, time_stamps });
    }
}
