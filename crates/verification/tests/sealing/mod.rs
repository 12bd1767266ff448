// An authority, the certificates that are sealed with it, and what an attacker has of them. Shared with the black-box tests,
// whose crate has `attacks` and `base_pdf` too.

use sealwright_seal::{
    Certificate, Sha256Digest, UnixTime,
    manifest::SealManifest,
    pades::{SignatureText, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::{DevelopmentAuthority, Identity, RandomBytes, revocation_list},
    tsp::{TimeStampAuthority, Token},
};

use crate::{
    attacks::{DORMANT, Victim},
    base_pdf::{base_pdf, base_pdf_with},
};

/// An authority that was created a day ago, and what an archive time stamp keeps of it: its list revokes nothing.
pub(crate) struct Sealing {
    identity: Identity,
    stamps: TimeStampAuthority,
    pub(crate) material: ValidationMaterial,
    pub(crate) root: Certificate,
    now: UnixTime,
    has_item: bool,
}

impl Sealing {
    /// With `has_item`, the sealed cases have an item whose file is stamped; otherwise they have none.
    pub(crate) fn of(name: &str, now: UnixTime, has_item: bool) -> Self {
        let random = RandomBytes {
            keys: ["root", "seal", "time"].map(|key| random(&format!("{name} key {key}"))),
            serial_numbers: ["root", "seal", "time"].map(|key| random(&format!("{name} serial {key}"))),
        };
        let yesterday = UnixTime::from_millis(now.as_millis() - 86_400_000).unwrap();
        let authority = DevelopmentAuthority::new(name, &random, yesterday).unwrap();
        let list = revocation_list(&authority.root, &authority.root_key, 1, now, now.plus_days(30), &[]).unwrap();
        let material = ValidationMaterial {
            certificates: vec![authority.signing.clone(), authority.time_stamping.clone(), authority.root.clone()],
            revocation_lists: vec![list],
            ocsp_responses: Vec::new(),
        };
        let root = authority.root.clone();
        let (identity, time_stamping) = authority.into_identities().unwrap();
        let stamps = TimeStampAuthority::new(time_stamping, Some(1000));
        Self { identity, stamps, material, root, now, has_item }
    }

    pub(crate) fn stamp(&self, label: &str, digest: &Sha256Digest) -> Token {
        self.stamps.stamp(digest, random(label), self.now).unwrap()
    }

    /// The manifest of a case, and tokens: the manifest's, the item's, and one that an attack can exchange. The item's file
    /// is the text `about`.
    fn attachments(&self, about: &str) -> Vec<(&'static str, Vec<u8>)> {
        let file = Sha256Digest::of(about);
        let of_item = self.stamp("one", &file);
        let (token, time) = (of_item.sha256(), of_item.time());
        let item = format!(
            r#"{{"action":"PHOTOGRAPHY","createdAt":"","file":{{"mediaType":"image/jpeg","sha256":"{file}","size":3}},"reference":"ITM-1_CAS-1","stepId":1,"timeStampToken":{{"sha256":"{token}","time":"{time}"}}}}"#
        );
        let items = if self.has_item { item } else { String::new() };
        let text = format!(
            r#"{{"case":{{"closedAt":"","createdAt":"","id":1,"title":"{about}"}},"company":{{"id":1,"name":""}},"context":{{"visibleData":{{}}}},"format":"sealwright-seal-manifest","frame":{{"id":1,"name":""}},"items":[{items}],"missingMandatorySteps":[],"reference":"CAS-1_CMP-1","steps":[],"version":1}}"#
        );
        let manifest = SealManifest::from_json(text.as_bytes()).unwrap().to_canonical_json().unwrap();
        let of_manifest = self.stamp("manifest", &Sha256Digest::of(&manifest));
        vec![
            ("seal-manifest.json", manifest),
            ("seal-manifest.tst", of_manifest.der().to_vec()),
            ("ITM-1.tst", of_item.der().to_vec()),
            ("ITM-2.tst", self.stamp("two", &Sha256Digest::of("two")).der().to_vec()),
        ]
    }

    /// A certificate about something, before it is signed.
    pub(crate) fn base(&self, about: &str) -> Vec<u8> {
        base_pdf(&borrowed(&self.attachments(about)))
    }

    pub(crate) fn signed(&self, base: &[u8], stamped: bool) -> Vec<u8> {
        let text = SignatureText { name: "Example Org", reason: "Sealed", time: self.now };
        let signed = prepare_signature(base, &text).unwrap().sign(&self.identity).unwrap();
        let token = stamped.then(|| self.stamp("signature", &signed.digest_to_stamp()));
        signed.finish(token.as_ref()).unwrap()
    }

    pub(crate) fn archived(&self, pdf: &[u8], material: &ValidationMaterial) -> Vec<u8> {
        let prepared = prepare_time_stamp(pdf, Some(material), None).unwrap();
        let token = self.stamp("archive", &prepared.digest());
        prepared.finish(&token).unwrap()
    }

    /// The files of an attacker, who has certificates of `foreign`. `stamp` is this authority's.
    pub(crate) fn victim<'a>(&self, foreign: &Self, stamp: &'a dyn Fn(&Sha256Digest) -> Token) -> Victim<'a> {
        let base = self.base("own");
        let stamped = self.signed(&base, true);
        let archived = self.archived(&stamped, &self.material);
        let (prepared, first) = base_pdf_with(&borrowed(&self.attachments("own")), &DORMANT);
        Victim {
            signed: self.signed(&base, false),
            renewed: self.archived(&archived, &ValidationMaterial::default()),
            archived,
            other: self.signed(&self.base("other"), true),
            foreign: foreign.signed(&foreign.base("own"), true),
            prepared: (self.signed(&prepared, true), first),
            stamp,
            stamped,
            base,
        }
    }
}

fn borrowed<'a>(files: &'a [(&'static str, Vec<u8>)]) -> Vec<(&'static str, &'a [u8])> {
    files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect()
}

/// Bytes that look random and are the same in every run.
fn random<const N: usize>(label: &str) -> [u8; N] {
    Sha256Digest::of(label).as_bytes()[..N].try_into().unwrap()
}
