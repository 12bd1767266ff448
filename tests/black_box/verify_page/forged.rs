//! Forged disclosures, and certificates with gaps that are not erasures, by the server's own signer.

use sealwright_seal::{
    Sha256Digest,
    disclosure::signed::Statement,
    manifest::{ErasedItem, Erasure, ErasureGround, SealManifest},
};
use serde_json::{Value, json};

use super::attacked::GivenFile;
use crate::{
    forged_disclosures::{Disclosures, Forgery, forgeries},
    forged_erasures::manifests,
    proofs::with_manifest,
    support::{
        Api, TestServer,
        company_manifest::{FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
        evidence::{add_capture, add_entry, close, open_case, photo},
        pdf,
        proofs::{Sealer, base_of},
    },
};

/// A genuine disclosure and the forged files; none if the manifest of a certificate cannot be read here.
pub(super) async fn files(server: &TestServer) -> Vec<GivenFile> {
    let (api, _receiver) = acme_on(server).await;
    let (own, other) = (certificate(&api, 1, "Martinel").await, certificate(&api, 2, "Mirabellon").await);
    let sealer = Sealer::of_server(server);
    let (Some(manifest), Some(others)) = (manifest_of(&own), manifest_of(&other)) else { return Vec::new() };
    let disclosed = |pdf: &[u8], manifest: &SealManifest| {
        let references: Vec<String> = manifest.items.iter().map(|item| item.reference.clone()).collect();
        sealer.disclosed(&Statement::of_certificate(pdf, &references, sealer.now).unwrap())
    };
    let (own_disclosure, other_disclosure) = (disclosed(&own, &manifest), disclosed(&other, &others));
    let sign = |statement: Value| sealer.disclosed(&serde_json::from_value(statement).unwrap());
    let forged = forgeries(&Disclosures { own: &own_disclosure, other: &other_disclosure, sign: &sign });
    let mut files =
        vec![GivenFile { about: "a disclosure".to_owned(), bytes: own_disclosure.clone(), is_genuine: true }];
    files.extend(forged.into_iter().map(|Forgery { variant, file, is_signed }| GivenFile {
        about: format!("disclosure: {variant} (signed: {is_signed})"),
        bytes: file,
        is_genuine: false,
    }));

    let (whole, successor) = with_erased_item(manifest);
    files.extend(manifests(&successor, &whole).into_iter().map(|(what, manifest)| GivenFile {
        about: format!("erasure: {what}"),
        bytes: sealer.sealed(&with_manifest(base_of(&own), &manifest), sealer.now),
        is_genuine: false,
    }));
    files
}

/// The certificate of a case with a photo and an entry.
async fn certificate(api: &Api, seed: u64, entry: &str) -> Vec<u8> {
    let case = open_case(api, &json!({ "frameId": FRAME, "title": "Burst pipe" })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(seed)).await.expect(200);
    add_entry(api, case, TEXT_FIELD, entry).await.expect(201);
    let url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    api.with_token(None).get(&url).await.expect(200).body.to_vec()
}

fn manifest_of(certificate: &[u8]) -> Option<SealManifest> {
    let content = pdf::read(certificate)?;
    Some(SealManifest::from_json(content.json_attachments[0].to_string().as_bytes()).unwrap())
}

/// The manifest with a third item, and that of its successor, from which the second item was erased.
fn with_erased_item(mut whole: SealManifest) -> (Value, Value) {
    let mut third = whole.items[1].clone();
    "ITM-999_CAS-1".clone_into(&mut third.reference);
    whole.items.push(third);
    let salts = [[5; 32], [6; 32], [7; 32]];
    whole.commit(&salts).unwrap();
    let erased = ErasedItem {
        index: 1,
        commitment: whole.items[1].leaf().unwrap(),
        ground: ErasureGround::Request,
        by: "Acme".to_owned(),
        erased_at: "2026-11-20T10:30:00.000Z".to_owned(),
    };
    let predecessor_sha256 = Sha256Digest::of(whole.to_canonical_json().unwrap());
    let mut left = whole.clone();
    left.items.remove(1);
    left.commit_erased(&[salts[0], salts[2]], Erasure { predecessor_sha256, items: vec![erased] }).unwrap();
    (serde_json::to_value(&whole).unwrap(), serde_json::to_value(&left).unwrap())
}
