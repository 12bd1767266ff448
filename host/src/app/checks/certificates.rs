//! The certificates in use, with their ends.

use std::time::Duration;

use sealwright_seal::{Certificate, tsp::Token};

use crate::{clock::Timestamp, signing::SealKeys, time_stamping::SourceError};

/// How long before its end the console warns of a certificate.
const WARNING: Duration = Duration::from_hours(30 * 24);

/// What a time-stamping authority answered, after its name.
pub(in crate::app) type Answer = (String, Result<Token, SourceError>);

/// A certificate in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingCertificate {
    pub used_for: CertificateUse,
    pub subject: String,
    /// The last moment at which it is valid.
    pub end: Timestamp,
}

/// What a certificate is used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateUse {
    /// It signs certificates of cases.
    Seal,
    /// It is an issuer in the chain of the certificate that signs.
    SealChain,
    /// It is in the chain of this time-stamping authority.
    TimeStamps(String),
}

impl EndingCertificate {
    fn of(certificate: &Certificate, used_for: CertificateUse) -> Self {
        let end = Timestamp::from_millis(certificate.not_after().as_millis());
        Self { used_for, subject: certificate.subject(), end }
    }

    /// Whether it ends within 30 days, or has ended.
    pub fn ends_soon(&self, now: Timestamp) -> bool {
        self.end < now.after(WARNING)
    }
}

/// Those of the seal, and of the authorities that answered; those that end first come first.
pub(super) fn in_use(keys: &SealKeys, answers: &[Answer]) -> Vec<EndingCertificate> {
    let of_seal = keys.signer().chain().iter().enumerate().map(|(place, certificate)| {
        let used_for = if place == 0 { CertificateUse::Seal } else { CertificateUse::SealChain };
        EndingCertificate::of(certificate, used_for)
    });
    let mut found: Vec<EndingCertificate> = of_seal.collect();
    for (name, answer) in answers {
        let Ok(token) = answer else { continue };
        let of_authority = token.certificates().iter();
        found.extend(of_authority.map(|one| EndingCertificate::of(one, CertificateUse::TimeStamps(name.clone()))));
    }
    found.sort_by_key(|certificate| certificate.end);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_comes_thirty_days_before_the_end() {
        let end = Timestamp::from_millis(1_800_000_000_000);
        let certificate = EndingCertificate { used_for: CertificateUse::Seal, subject: "CN=Seal".to_owned(), end };
        assert!(!certificate.ends_soon(end.before(WARNING)));
        assert!(certificate.ends_soon(end.before(WARNING).after(Duration::from_millis(1))));
        assert!(certificate.ends_soon(end.after(WARNING)), "it has ended");
    }
}
