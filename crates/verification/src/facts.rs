//! The facts of a check for programs (`docs/verification.md`, "JSON").

use sealwright_seal::{Sha256Digest, UnixTime, verify::Report};
use serde::Serialize;

use crate::{AnchorSource, CheckedCertificate, Trust, TrustedFor};

/// The file, the trust anchors, and the report's own members next to them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts<'a> {
    file: FileFacts<'a>,
    trust: Vec<AnchorFacts>,
    #[serde(flatten)]
    report: &'a Report,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FileFacts<'a> {
    sha256: &'a Sha256Digest,
    /// Bytes.
    size: u64,
    checked_at: UnixTime,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AnchorFacts {
    subject: String,
    sha256: Sha256Digest,
    source: AnchorSource,
    trusted_for: TrustedFor,
}

impl<'a> Facts<'a> {
    pub fn of(checked: &'a CheckedCertificate, trust: &Trust) -> Self {
        let CheckedCertificate { sha256, size, at, report, .. } = checked;
        let trust = trust.anchors.iter().map(|anchor| AnchorFacts {
            subject: anchor.certificate.subject(),
            sha256: anchor.certificate.fingerprint(),
            source: anchor.source,
            trusted_for: anchor.trusted_for,
        });
        Self { file: FileFacts { sha256, size: *size, checked_at: *at }, trust: trust.collect(), report }
    }
}
