mod attacks;
mod chains;
mod corpus;
mod disclosures;
mod embedded;
mod erasures;
mod evidence;
mod facts;
mod mutations;
mod packages;
mod pdfa;
mod signers;
mod witnesses;

use std::sync::LazyLock;

use super::*;
use crate::{
    digest::Sha256Digest,
    manifest::{self, Item, SealManifest, TimeStampToken},
    pades::{SignatureText, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::{DevelopmentAuthority, TrustAnchor, revocation_list},
    testing::{anchors, authority, base_pdf::base_pdf, now, random, stamps},
    tsp::Token,
};

/// The bytes of two photos.
const PHOTOS: [&[u8]; 2] = [b"the bytes of a photo", b"the bytes of another photo"];

/// The parts of a certificate, which a test can change before creating it.
struct Parts {
    authority: &'static str,
    manifest: Vec<u8>,
    attachments: Vec<(String, Vec<u8>)>,
}

fn stamp(name: &str, digest: &Sha256Digest, time: UnixTime) -> Token {
    stamps(authority(name)).stamp(digest, random("serial"), time).unwrap()
}

/// A manifest of version 2 with two photos and an entry, and the photos' tokens.
fn parts(name: &'static str) -> Parts {
    parts_of(name, PHOTOS)
}

fn parts_of(name: &'static str, photos: [&[u8]; 2]) -> Parts {
    let mut manifest = manifest::tests::manifest();
    let photo = manifest.items[0].clone();
    let mut attachments = Vec::new();
    manifest.items = photos
        .iter()
        .enumerate()
        .map(|(number, bytes)| {
            let sha256 = Sha256Digest::of(bytes);
            let token = stamp(name, &sha256, now());
            attachments.push((format!("ITM-{number}.tst"), token.der().to_vec()));
            Item {
                reference: format!("ITM-{number}_CAS-12"),
                file: photo.file.clone().map(|file| manifest::File { sha256, ..file }),
                time_stamp_token: Some(TimeStampToken { sha256: token.sha256(), time: token.time().to_string() }),
                ..photo.clone()
            }
        })
        .collect();
    manifest.items.push(Item { reference: "ITM-2_CAS-12".into(), file: None, value: Some("Ink".into()), ..photo });
    manifest.commit(&[random("salt 0"), random("salt 1"), random("salt 2")]).unwrap();
    let manifest = manifest.to_canonical_json().unwrap();
    attachments
        .push((manifest::TOKEN_ATTACHMENT.into(), stamp(name, &Sha256Digest::of(&manifest), now()).der().into()));
    Parts { authority: name, manifest, attachments }
}

impl Parts {
    fn base(&self) -> Vec<u8> {
        base_pdf(&self.attached())
    }

    fn attached(&self) -> Vec<(&str, &[u8])> {
        let others = self.attachments.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        [(manifest::ATTACHMENT, self.manifest.as_slice())].into_iter().chain(others).collect()
    }

    fn b_b(&self) -> Vec<u8> {
        self.sign(false)
    }

    fn b_t(&self) -> Vec<u8> {
        self.sign(true)
    }

    fn sign(&self, stamped: bool) -> Vec<u8> {
        self.sign_base(&self.base(), stamped)
    }

    fn sign_base(&self, base: &[u8], stamped: bool) -> Vec<u8> {
        let text = SignatureText { name: "Example Org", reason: "Sealed", time: now() };
        let (identity, _) = authority(self.authority).into_identities().unwrap();
        let signed = prepare_signature(base, &text).unwrap().sign(&identity).unwrap();
        let token = stamped.then(|| stamp(self.authority, &signed.digest_to_stamp(), now()));
        signed.finish(token.as_ref()).unwrap()
    }

    /// The archive level.
    fn b_lta(&self) -> Vec<u8> {
        let authority = authority(self.authority);
        add_time_stamp(&self.b_t(), self.authority, Some(&material(&authority)), now())
    }
}

fn material(authority: &DevelopmentAuthority) -> ValidationMaterial {
    let list = revocation_list(&authority.root, &authority.root_key, 1, now(), now().plus_days(30), &[]).unwrap();
    ValidationMaterial {
        certificates: vec![authority.signing.clone(), authority.time_stamping.clone(), authority.root.clone()],
        revocation_lists: vec![list],
        ocsp_responses: Vec::new(),
    }
}

fn add_time_stamp(pdf: &[u8], name: &str, material: Option<&ValidationMaterial>, time: UnixTime) -> Vec<u8> {
    let prepared = prepare_time_stamp(pdf, material, None).unwrap();
    let token = stamp(name, &prepared.digest(), time);
    prepared.finish(&token).unwrap()
}

/// The report for a reader who trusts the authority `Example`.
fn verify(pdf: &[u8]) -> Report {
    verify_at(pdf, now())
}

fn verify_at(pdf: &[u8], now: UnixTime) -> Report {
    // Created once: some tests check a hundred thousand files.
    static ANCHORS: LazyLock<Vec<TrustAnchor>> = LazyLock::new(|| anchors(&authority("Example")));
    certificate(pdf, &Expectations::trusting(&ANCHORS, now, &[]))
}

/// The codes of findings that are more than notices.
fn faults(report: &Report) -> Vec<FindingCode> {
    let faults = report.findings.iter().filter(|finding| finding.severity > Severity::Notice);
    faults.map(|finding| finding.code).collect()
}

fn read_manifest(parts: &Parts) -> SealManifest {
    SealManifest::from_json(&parts.manifest).unwrap()
}
