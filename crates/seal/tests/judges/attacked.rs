//! The known attacks on signed PDF files, as pyHanko sees them. It is not the reference: it has other rules (it does
//! not know the manifest, and accepts some updates that a certificate may not have). What it accepts and we do not is
//! recorded here, so that a change is detected; and it must accept what we accept. Most of these attacks do not change
//! what a reader shows: bytes that no object refers to, other spellings of a signed message, updates without a table.

use std::{collections::BTreeMap, fmt::Write as _};

use sealwright_seal::{
    Sha256Digest,
    manifest::SealManifest,
    pades::{SignatureText, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::revocation_list,
    verify::{self, Expectations, Outcome},
};

use crate::{
    attacks::{Attack, DORMANT, Victim, corpus},
    base_pdf::{base_pdf, base_pdf_with},
    support::{Folder, Sealing, authority_at, judge, machine_time, random, sealing_of},
};

/// How many attacks pyHanko accepts, by class: see above. Those that fall out [by chance](BY_CHANCE) are not counted.
const ACCEPTED_BY_PYHANKO: &[(&str, usize)] = &[
    ("cross-reference and trailer", 3),
    ("incremental saving", 11),
    ("parser confusion", 7),
    ("polyglot and concatenation", 15),
    ("shadow: replace", 1),
    ("signature wrapping", 11),
    ("signed message", 16),
    ("time stamp and security store", 14),
    ("truncation", 1),
];

/// Two certificates in one file: the table that the last one points to is in the first one, and is only a table if both
/// have the same layout. That depends on the length of the run's signatures in DER.
const BY_CHANCE: [&str; 4] =
    ["after another certificate", "before another certificate", "after the attacker's", "before the attacker's"];

/// Prints for each file named in `files` whether pyHanko finds every signature in it valid.
const SCRIPT: &str = include_str!("verdicts.py");

fn attachments(seal: &Sealing, about: &str) -> Vec<(&'static str, Vec<u8>)> {
    let text = format!(
        r#"{{"case":{{"closedAt":"","createdAt":"","id":1,"title":"{about}"}},"company":{{"id":1,"name":""}},"context":{{"visibleData":{{}}}},"format":"sealwright-seal-manifest","frame":{{"id":1,"name":""}},"items":[],"missingMandatorySteps":[],"reference":"CAS-1_CMP-1","steps":[],"version":1}}"#
    );
    let manifest = SealManifest::from_json(text.as_bytes()).unwrap().to_canonical_json().unwrap();
    let token = |label: &str, digest| seal.stamps.stamp(&digest, random(label), machine_time()).unwrap().der().to_vec();
    let of_manifest = token("manifest", Sha256Digest::of(&manifest));
    vec![
        ("seal-manifest.json", manifest),
        ("seal-manifest.tst", of_manifest),
        ("ITM-1.tst", token("one", Sha256Digest::of(about))),
        ("ITM-2.tst", token("two", Sha256Digest::of("two"))),
    ]
}

fn signed(seal: &Sealing, base: &[u8], stamped: bool) -> Vec<u8> {
    let now = machine_time();
    let text = SignatureText { name: "Example Org", reason: "Sealed", time: now };
    let signed = prepare_signature(base, &text).unwrap().sign(&seal.identity).unwrap();
    let token = stamped.then(|| seal.stamps.stamp(&signed.digest_to_stamp(), random("signature"), now).unwrap());
    signed.finish(token.as_ref()).unwrap()
}

fn archived(seal: &Sealing, pdf: &[u8], material: &ValidationMaterial) -> Vec<u8> {
    let prepared = prepare_time_stamp(pdf, Some(material), None).unwrap();
    let token = seal.stamps.stamp(&prepared.digest(), random("archive"), machine_time()).unwrap();
    prepared.finish(&token).unwrap()
}

#[test]
fn pyhanko_checks_every_attack() {
    let folder = Folder::new();
    let now = machine_time();
    let authority = authority_at("Example", now);
    folder.write("root.pem", authority.root.to_pem());
    let list = revocation_list(&authority.root, &authority.root_key, 1, now, now.plus_days(30), &[]).unwrap();
    let material = ValidationMaterial {
        certificates: vec![authority.signing.clone(), authority.time_stamping.clone(), authority.root.clone()],
        revocation_lists: vec![list],
        ocsp_responses: Vec::new(),
    };
    let (seal, foreign) = (sealing_of(authority), sealing_of(authority_at("Other", now)));
    let own = attachments(&seal, "own");
    let other = attachments(&seal, "other");
    let borrowed =
        |all: &'_ [(&'static str, Vec<u8>)]| all.iter().map(|(name, bytes)| (*name, bytes.clone())).collect::<Vec<_>>();
    let base_of = |all: &[(&'static str, Vec<u8>)]| {
        let all = borrowed(all);
        base_pdf(&all.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>())
    };
    let base = base_of(&own);
    let (prepared, first) =
        base_pdf_with(&own.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>(), &DORMANT);
    let stamped = signed(&seal, &base, true);
    let first_archive = archived(&seal, &stamped, &material);
    let stamp = |digest: &Sha256Digest| seal.stamps.stamp(digest, random("attacker"), now).unwrap();
    let victim = Victim {
        signed: signed(&seal, &base, false),
        renewed: archived(&seal, &first_archive, &ValidationMaterial::default()),
        archived: first_archive,
        other: signed(&seal, &base_of(&other), true),
        foreign: signed(&foreign, &base_of(&attachments(&foreign, "own")), true),
        prepared: (signed(&seal, &prepared, true), first),
        stamp: &stamp,
        stamped,
        base,
    };
    let valid = [
        ("signed", &victim.signed),
        ("stamped", &victim.stamped),
        ("archived", &victim.archived),
        ("renewed", &victim.renewed),
    ];
    let mut names = String::new();
    for (name, pdf) in valid {
        let report = verify::certificate(pdf, &Expectations::trusting(&seal.anchors, now, &[]));
        assert_eq!(report.outcome, Outcome::Valid, "{name}: {:?}", report.findings);
        folder.write(&format!("valid-{name}.pdf"), pdf);
        let _ = writeln!(names, "valid-{name}.pdf");
    }
    let attacks = corpus(&victim);
    for (number, Attack { class, variant, pdf }) in attacks.iter().enumerate() {
        let report = verify::certificate(pdf, &Expectations::trusting(&seal.anchors, now, &[]));
        assert_ne!(report.outcome, Outcome::Valid, "{class}: {variant}");
        folder.write(&format!("{number}.pdf"), pdf);
        let _ = writeln!(names, "{number}.pdf");
    }
    folder.write("files", names);
    folder.write("verdicts.py", SCRIPT);
    let Some(verdict) = judge("python", &["verdicts.py", "root.pem", "files"], &folder) else { return };
    assert!(verdict.success, "{verdict:?}");
    let verdicts: BTreeMap<&str, &str> = verdict.text.lines().filter_map(|line| line.split_once('\t')).collect();
    for (name, _) in valid {
        assert_eq!(verdicts.get(format!("valid-{name}.pdf").as_str()), Some(&"valid"), "{name}");
    }
    let mut table: BTreeMap<&str, (usize, Vec<&str>)> = BTreeMap::new();
    for (number, Attack { class, variant, .. }) in attacks.iter().enumerate() {
        let row = table.entry(class).or_default();
        row.0 += 1;
        if verdicts[format!("{number}.pdf").as_str()] == "valid" {
            row.1.push(variant);
        }
    }
    println!("{:34} {:>9} {:>9} {:>11}", "class", "variants", "detected", "by pyHanko");
    for (class, (count, accepted)) in &table {
        println!("{class:34} {count:>9} {count:>9} {:>11}", count - accepted.len());
        for variant in accepted {
            println!("    accepted by pyHanko: {variant}");
        }
    }
    let counted = |accepted: &[&str]| accepted.iter().filter(|variant| !BY_CHANCE.contains(variant)).count();
    let accepted = table.iter().map(|(class, (_, accepted))| (*class, counted(accepted)));
    assert_eq!(accepted.filter(|(_, count)| *count > 0).collect::<Vec<_>>(), ACCEPTED_BY_PYHANKO);
}
