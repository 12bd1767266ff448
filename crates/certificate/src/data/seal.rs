//! What a certificate says about its own seal: who signs it, and how far its time is proven.
//!
//! The page is rendered before the file is signed. So it says what is known by then: a time that is pending on the page
//! may be proven by a time stamp that was appended to the file later.

use schemars::JsonSchema;
use sealwright_domain::{erasure::Ground, language::CertificateLanguage};
use sealwright_seal::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{Moment, statement};

/// How a certificate is sealed. In the JSON, `level` (`time-pending` or `time-stamped`) and `statement` are added, so
/// that no template has to phrase what the certificate may claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "WrittenSeal", into = "WrittenSeal")]
pub struct Seal {
    pub signer: Signer,
    /// The time stamp over the seal manifest. `None`: too few authorities answered, the time is pending.
    pub time: Option<StampedTime>,
    /// Items that were erased after the sealing.
    pub erased: Vec<ErasedItem>,
}

/// An item that was erased after the sealing. Its place is all that is left of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErasedItem {
    /// Among all items of the first certificate, from 1.
    pub number: u64,
    pub erased: Moment,
    /// The company or the operator, by name.
    pub by: String,
    pub ground: Ground,
}

/// The certificate of the key that signs the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Signer {
    /// The certificate's subject as RFC 4514 writes it, for example `CN=Claims seal,O=Acme Insurance`.
    pub name: String,
    /// Who issued the certificate, in the same form.
    pub issuer: String,
    /// Over the certificate's DER.
    #[schemars(with = "String")]
    pub certificate_sha256: Sha256Digest,
    /// Whether it was issued by this installation's own development authority, which no one outside trusts.
    pub development: bool,
}

/// What a time-stamping authority states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StampedTime {
    pub moment: Moment,
    /// The subject of the authority's certificate.
    pub authority: String,
    /// Whether it is this installation's own development authority.
    pub development: bool,
}

/// How the time of an item's file is proven. In the JSON, `state` is `stamped` or `pending`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ItemTimeStamp {
    /// A token over the file's SHA-256 is attached to the certificate.
    Stamped {
        time: StampedTime,
        /// Over the token's DER (decisions 14).
        #[schemars(with = "String")]
        token_sha256: Sha256Digest,
    },
    /// No authority answered before the certificate was made.
    Pending,
}

impl Seal {
    const fn level(&self) -> &'static str {
        if self.time.is_some() { "time-stamped" } else { "time-pending" }
    }

    /// What the seal proves and what it does not, in words for the reader of the certificate.
    pub fn statement(&self, language: CertificateLanguage) -> String {
        let words = statement::of_seal(language);
        let time = match &self.time {
            Some(StampedTime { development: false, .. }) => words.stamped,
            Some(StampedTime { development: true, .. }) => words.development_time,
            None => words.pending,
        };
        let signer = self.signer.development.then_some(words.development_signer);
        let erased = self.erased.iter().map(|ErasedItem { number, erased, by, ground }| {
            statement::of_erasure(language, *number, *erased, by, *ground)
        });
        let sentences = [words.signed, time].into_iter().chain(signer).chain([words.digests]).map(str::to_owned);
        sentences.chain(erased).collect::<Vec<_>>().join(" ")
    }
}

/// How a certificate is sealed.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Seal")]
struct WrittenSeal {
    /// `time-stamped` or `time-pending`.
    #[serde(default)]
    level: String,
    /// What the seal proves and what it does not, in the certificate's language. Every certificate must show all of it.
    #[serde(default)]
    statement: String,
    signer: Signer,
    /// The time stamp over the seal manifest, or `none` while the time is pending.
    time: Option<StampedTime>,
    /// Items that were erased after the sealing. The statement speaks of them.
    #[serde(default)]
    erased: Vec<ErasedItem>,
}

impl From<Seal> for WrittenSeal {
    fn from(seal: Seal) -> Self {
        Self {
            level: seal.level().to_owned(),
            statement: seal.statement(CertificateLanguage::default()),
            signer: seal.signer,
            time: seal.time,
            erased: seal.erased,
        }
    }
}

/// Level and statement follow from the rest: their values in a file are ignored.
impl From<WrittenSeal> for Seal {
    fn from(written: WrittenSeal) -> Self {
        Self { signer: written.signer, time: written.time, erased: written.erased }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sealwright_base::clock::Timestamp;
    use strum::VariantArray as _;

    use super::*;

    fn seal(development: bool, time: Option<bool>) -> Seal {
        let stamped = |development| StampedTime {
            moment: Moment(Timestamp::from_millis(1_795_168_800_000)),
            authority: "CN=Time,O=Example".to_owned(),
            development,
        };
        Seal {
            signer: Signer {
                name: "CN=Seal,O=Example".to_owned(),
                issuer: "CN=Root,O=Example".to_owned(),
                certificate_sha256: Sha256Digest::of("certificate"),
                development,
            },
            time: time.map(stamped),
            erased: Vec::new(),
        }
    }

    #[test]
    fn decisions_14_a_seal_says_what_it_is_and_no_more() {
        let of = |seal: Seal| seal.statement(CertificateLanguage::En);
        let trusted = of(seal(false, Some(false)));
        assert!(trusted.contains("authority states when") && !trusted.contains("development"), "{trusted}");
        let pending = of(seal(false, None));
        assert!(pending.contains("the time is pending") && !pending.contains("authority states"), "{pending}");
        let development = of(seal(true, Some(true)));
        assert!(development.contains("repeat the server's clock"), "{development}");
        assert!(development.contains("which no one outside trusts"), "{development}");
        assert!(of(seal(true, None)).contains("the time is pending"));
    }

    /// Each kind of seal has the same sentences in every language, and no two languages or kinds the same text.
    #[test]
    fn every_language_says_as_much() {
        let mut texts = BTreeSet::new();
        for (development, time) in
            [(false, None), (false, Some(false)), (false, Some(true)), (true, None), (true, Some(true))]
        {
            let sentences = |text: &str| text.matches(". ").count();
            let english = seal(development, time).statement(CertificateLanguage::En);
            for &language in CertificateLanguage::VARIANTS {
                let text = seal(development, time).statement(language);
                assert_eq!(sentences(&text), sentences(&english), "{text}");
                assert!(text.contains("SHA-256") && text.ends_with('.'), "{text}");
                assert!(texts.insert(text), "{language} {development} {time:?}");
            }
        }
    }

    #[test]
    fn every_language_says_what_was_erased() {
        let item = ErasedItem {
            number: 3,
            erased: Moment(Timestamp::from_millis(1_795_168_800_000)),
            by: "Acme".to_owned(),
            ground: Ground::LegalDuty,
        };
        let with_gap = Seal { erased: vec![item], ..seal(false, None) };
        let mut added = BTreeSet::new();
        for &language in CertificateLanguage::VARIANTS {
            let text = with_gap.statement(language);
            let sentence = text.strip_prefix(&seal(false, None).statement(language)).unwrap().to_owned();
            assert!(sentence.contains('3') && sentence.contains("Acme") && sentence.contains("2026"), "{sentence}");
            assert!(added.insert(sentence), "{language}");
        }
    }

    #[test]
    fn level_and_statement_follow_from_the_facts_and_cannot_be_forged() {
        let mut json = serde_json::to_value(seal(false, None)).unwrap();
        assert_eq!(json["level"], "time-pending");
        json["level"] = "time-stamped".into();
        json["statement"] = "Notarised.".into();
        let read: Seal = serde_json::from_value(json).unwrap();
        assert_eq!(read, seal(false, None));
        let written = serde_json::to_value(seal(true, Some(false))).unwrap();
        assert_eq!(written["level"], "time-stamped");
        assert_eq!(written["time"]["moment"]["iso"], "2026-11-20T10:00:00.000Z");
        assert_eq!(written["signer"]["development"], true);
    }
}
