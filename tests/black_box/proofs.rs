//! `sealwright verify` on proofs that others contribute to: RSA-PSS, disclosures of some items, and a signer who lies.
//! Their parts are made by OpenSSL.

use std::fs;

use sealwright_seal::{
    disclosure::{Disclosure, disclose},
    manifest::SealManifest,
};
use serde_json::{Value, json};

use crate::support::{
    TestServer,
    company_manifest::acme_on,
    judges::must,
    on_sqlite, pdf,
    proofs::{Sealer, assert_finding, base_of, certificate, checked, last_position, make_chain, position},
    server::said,
};

on_sqlite!(
    a_chain_and_a_signature_by_rsa_pss_are_verified,
    a_disclosure_shows_items_of_its_own_certificate_unchanged,
    a_signer_whose_pages_and_manifest_differ_is_detected,
);

async fn a_chain_and_a_signature_by_rsa_pss_are_verified(mut server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let Some(()) = make_chain(folder.path()) else { return };
    let path = |name: &str| folder.path().join(name).display().to_string();
    server.set("SEALWRIGHT_SEAL_KEY", &path("seal.key"));
    server.set("SEALWRIGHT_SEAL_CERTIFICATE_CHAIN", &path("chain.pem"));
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    let pdf = certificate(&api, "Martinel").await;
    // The chain uses RSA-PSS; the server's own signature uses the older scheme.
    let report = checked(&server, "chain.pdf", &pdf, &[], 0);
    assert_eq!((&report["outcome"], &report["signature"]["state"]), (&json!("valid"), &json!("trusted")), "{report}");
    assert_eq!(report["trust"][0]["source"], "settings");

    // A signature with RSA-PSS, made by OpenSSL, replaces the server's.
    let sealer = Sealer::new(&server, &folder.path().join("seal.key"), &folder.path().join("chain.pem"));
    let mut pdf = sealer.signed(base_of(&pdf)).finish(None).unwrap();
    let hole = last_position(&pdf, b"/Contents <") + b"/Contents ".len();
    let end = position(&pdf, b">", hole) + 1;
    fs::write(folder.path().join("signed"), [&pdf[..hole], &pdf[end..]].concat()).unwrap();
    let sign =
        "cms -sign -binary -in signed -signer seal.pem -inkey seal.key -certfile root.pem -outform DER -out cms.der";
    let options = "-cades -nosmimecap -md sha256 -keyopt rsa_padding_mode:pss -keyopt rsa_pss_saltlen:32";
    must("openssl", &format!("{sign} {options}"), folder.path());
    let signature = hex::encode_upper(fs::read(folder.path().join("cms.der")).unwrap());
    pdf[hole + 1..end - 1].fill(b'0');
    pdf[hole + 1..][..signature.len()].copy_from_slice(signature.as_bytes());
    let report = checked(&server, "pss.pdf", &pdf, &[], 0);
    assert_eq!(report["signature"]["state"], "trusted", "{report}");
    assert!(report["signature"]["algorithm"].as_str().unwrap().starts_with("RSA-PSS"), "{report}");
    // One digit of the signature value, which is at the end.
    let digit = &mut pdf[hole + signature.len() - 8];
    *digit = if *digit == b'0' { b'1' } else { b'0' };
    assert_finding(&checked(&server, "pss.pdf", &pdf, &[], 1), "the signature is not valid");
}

type Change = fn(&mut Value);
const CHANGES: [(&str, Change, &str); 5] = [
    (
        "another value",
        |part| part["items"][0]["item"]["createdAt"] = json!("2020-01-01T00:00:00.000Z"),
        "item 0 does not match",
    ),
    ("another place", |part| part["items"][0]["index"] = json!(1), "item 1 does not match"),
    ("another root", |part| part["commitments"]["root"] = json!("0".repeat(64)), "its root is not the one expected"),
    ("another proof", |part| part["items"][0]["proof"][0] = json!("0".repeat(64)), "item 0 does not match"),
    ("another format", |part| part["format"] = json!("something"), "not a disclosure of format"),
];

async fn a_disclosure_shows_items_of_its_own_certificate_unchanged(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let certificates = [certificate(&api, "Martinel").await, certificate(&api, "Another").await];
    let mut manifests = Vec::new();
    for certificate in &certificates {
        let Some(content) = pdf::read(certificate) else { return };
        manifests.push(content.json_attachments[0].clone());
    }
    let disclosed = |manifest: &Value, items: &[usize]| disclose(manifest.to_string().as_bytes(), items).unwrap();
    let hold = |disclosure: &Value, code: i32| {
        fs::write(server.folder().join("part.json"), disclosure.to_string()).unwrap();
        checked(&server, "certificate.pdf", &certificates[0], &["--disclosure", "part.json"], code)
    };
    let json_of = |disclosure: &Disclosure| serde_json::to_value(disclosure).unwrap();

    let photo = json_of(&disclosed(&manifests[0], &[0]));
    let report = hold(&photo, 0);
    assert_eq!(
        report["disclosures"][0],
        json!({ "name": "part.json", "items": [manifests[0]["items"][0]["reference"]] })
    );
    // The output for people.
    let output = server.run(&["verify", "certificate.pdf", "--disclosure", "part.json"]);
    let text = said(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("The disclosure part.json shows items of this certificate: ITM-"), "{text}");

    let report = hold(&json_of(&disclosed(&manifests[1], &[0])), 1);
    assert_finding(&report, "`part.json` discloses no items of this certificate: its root is not the one expected");
    assert_eq!(report["disclosures"], json!([]));
    for (what, change, finding) in CHANGES {
        let mut changed = photo.clone();
        change(&mut changed);
        let report = hold(&changed, 1);
        assert_finding(&report, finding);
        assert_eq!(report["disclosures"], json!([]), "{what}");
    }
    // The entry was erased: the photo is proven with a hash in place of the entry, and nothing of the entry is left.
    let erased = photo.to_string();
    assert!(!erased.contains("Martinel") && !erased.contains(manifests[0]["items"][1]["salt"].as_str().unwrap()));
    assert_eq!(photo["items"][0]["proof"].as_array().unwrap().len(), 1);
    let mut emptied = json_of(&disclosed(&manifests[0], &[0, 1]));
    emptied["items"][1]["item"] = json!({});
    assert_finding(&hold(&emptied, 1), "item 1 does not match");
}

/// The certificate as it was rendered, with another manifest. No signature covers it yet.
pub(crate) fn with_manifest(base: &[u8], manifest: &[u8]) -> Vec<u8> {
    let kind = position(base, b"application#2Fjson", 0);
    let start = base[..kind].windows(5).rposition(|window| window == b" obj\n").unwrap() + 5;
    let end = position(base, b"endobj", kind);
    let head = format!("<</Type/EmbeddedFile/Subtype/application#2Fjson/Length {}>>\nstream\n", manifest.len());
    let object = [head.as_bytes(), manifest, b"\nendstream\n"].concat();
    let moved = |offset: usize| if offset > start { offset + object.len() - (end - start) } else { offset };
    // The cross-reference table: ten digits, five, a letter.
    let table = last_position(base, b"\nxref\n") + 1;
    let tail = String::from_utf8(base[table..].to_vec()).unwrap();
    let lines = tail.split_inclusive('\n').map(|line| match line.split_once(' ') {
        Some((offset, rest)) if offset.len() == 10 => format!("{:010} {rest}", moved(offset.parse().unwrap())),
        _ => line.to_owned(),
    });
    let tail =
        lines.collect::<String>().replace(&format!("startxref\n{table}"), &format!("startxref\n{}", moved(table)));
    let mut changed = [&base[..start], &object, &base[end..table], tail.as_bytes()].concat();
    // The token over the manifest no longer matches: it gets a name that no one looks for.
    while let Some(at) = changed.windows(17).position(|window| window == b"seal-manifest.tst") {
        changed[at + 16] = b'x';
    }
    changed
}

type Lie = fn(&mut SealManifest);
const LIES: [(Lie, &str); 3] = [
    (|manifest| manifest.reference = "CAS-999_CMP-7".into(), "the pages do not show CAS-999_CMP-7"),
    (|manifest| manifest.items[1].reference = "ITM-999_CAS-1".into(), "the pages do not show ITM-999_CAS-1"),
    (|manifest| manifest.items[1].value = Some("Dupont".to_owned()), "which the seal manifest has"),
];

async fn a_signer_whose_pages_and_manifest_differ_is_detected(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let genuine = certificate(&api, "Martinel").await;
    let Some(content) = pdf::read(&genuine) else { return };
    let manifest = SealManifest::from_json(content.json_attachments[0].to_string().as_bytes()).unwrap();
    let sealer = Sealer::of_server(&server);
    let again = |change: fn(&mut SealManifest)| {
        let mut manifest = manifest.clone();
        change(&mut manifest);
        let salts = vec![[5; 32]; manifest.items.len()];
        manifest.commit(&salts).unwrap();
        sealer.sealed(&with_manifest(base_of(&genuine), &manifest.to_canonical_json().unwrap()), sealer.now)
    };
    let report = checked(&server, "again.pdf", &again(|_| {}), &[], 0);
    assert_eq!(report["pages"], json!({ "state": "agree", "otherDigests": [], "unshown": [] }), "{report}");
    for (lie, finding) in LIES {
        let report = checked(&server, "lie.pdf", &again(lie), &[], 1);
        // Every byte was signed by the signer, and still the certificate is not believed.
        assert_eq!((&report["signature"]["state"], &report["pages"]["state"]), (&json!("trusted"), &json!("differ")));
        assert_finding(&report, finding);
    }
    let output = server.run(&["verify", "lie.pdf"]);
    assert!(said(&output).contains("This certificate contradicts itself."), "{}", said(&output));
    // What a template may leave out is reported.
    let report = checked(&server, "title.pdf", &again(|manifest| manifest.case.title = "Fire".into()), &[], 0);
    assert_eq!(report["pages"]["unshown"], json!(["title"]), "{report}");
}
