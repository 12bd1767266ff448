//! Shared by this crate's unit tests: an authority that is the same in every run.

pub(crate) mod attacks;
pub(crate) mod base_pdf;
// Not part of `attacks`, whose files other programs check too.
#[path = "attacks/disclosures.rs"]
pub(crate) mod disclosures;
#[path = "attacks/erasures.rs"]
pub(crate) mod erasures;

use crate::{
    digest::Sha256Digest,
    pki::{DevelopmentAuthority, Identity, Issue, PrivateKey, Purpose, RandomBytes, TrustAnchor, Usage, issue},
    time::UnixTime,
    tsp::TimeStampAuthority,
};

/// 2026-11-20T10:00:00.573Z.
pub(crate) fn now() -> UnixTime {
    UnixTime::from_millis(1_795_168_800_573).unwrap()
}

pub(crate) fn days_ago(days: i64) -> UnixTime {
    UnixTime::from_millis(now().as_millis() - days * 86_400_000).unwrap()
}

/// Bytes that look random and are the same in every run.
pub(crate) fn random<const N: usize>(label: &str) -> [u8; N] {
    Sha256Digest::of(label).as_bytes()[..N].try_into().unwrap()
}

/// Created a day ago.
pub(crate) fn authority(name: &str) -> DevelopmentAuthority {
    let random = RandomBytes {
        keys: ["root", "seal", "time"].map(|key| random(&format!("{name} key {key}"))),
        serial_numbers: ["root", "seal", "time"].map(|key| random(&format!("{name} serial {key}"))),
    };
    DevelopmentAuthority::new(name, &random, days_ago(1)).unwrap()
}

pub(crate) fn anchors(authority: &DevelopmentAuthority) -> Vec<TrustAnchor> {
    vec![TrustAnchor { certificate: authority.root.clone(), development: true }]
}

pub(crate) fn stamps(authority: DevelopmentAuthority) -> TimeStampAuthority {
    TimeStampAuthority::new(authority.into_identities().unwrap().1, Some(1500))
}

/// An identity issued by `authority`'s root, valid between the two times.
pub(crate) fn issued(authority: &DevelopmentAuthority, usage: Usage, from: UnixTime, until: UnixTime) -> Identity {
    let key = PrivateKey::p256_from_random(&random("issued key")).unwrap();
    let request = Issue {
        usage,
        common_name: "Issued for a test",
        organization: "Example",
        public_key: &key.public_key_der().unwrap(),
        serial_number: random("issued serial"),
        not_before: from,
        not_after: until,
    };
    let certificate = issue(&request, Some(&authority.root), &authority.root_key).unwrap();
    let purpose = if usage == Usage::TimeStamping { Purpose::TimeStamping } else { Purpose::DocumentSigning };
    Identity::new(Box::new(key), vec![certificate, authority.root.clone()], purpose).unwrap()
}
