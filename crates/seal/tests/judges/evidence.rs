//! RFC 4998 with others on the other side: OpenSSL reads the form of a record and checks its time stamp over the root,
//! Bouncy Castle checks the whole.

use std::path::Path;

use sealwright_seal::{
    Sha256Digest,
    evidence::{ArchiveTimeStamp, EvidenceExpectations, EvidenceRecord, HashAlgorithm, tree},
};

use crate::support::{Folder, judge, now, random, sealing, skip_loudly};

#[test]
fn openssl_reads_a_record_and_verifies_its_time_stamp() {
    let folder = Folder::new();
    let seal = sealing("Example");
    folder.write("root.pem", seal.anchors[0].certificate.to_pem());
    let files: Vec<String> = (0..5).map(|number| format!("certificate {number}")).collect();
    let hashes: Vec<_> = files.iter().map(Sha256Digest::of).collect();
    let root = tree::root(&hashes).unwrap();
    let token = seal.stamps.stamp(&root, random("serial"), now()).unwrap();
    let path = tree::path(&hashes, 4).unwrap();
    let record = EvidenceRecord::new(ArchiveTimeStamp::new(&hashes[4], &path, token.clone()).unwrap());
    let expectations = EvidenceExpectations { time_roots: &seal.anchors, now: now(), too_weak_from: &[] };
    record.verify(files[4].as_bytes(), &expectations).unwrap();

    folder.write("record.ers", record.to_der());
    let read = ["asn1parse", "-inform", "DER", "-in", "record.ers"];
    let Some(verdict) = judge("openssl", &read, &folder) else { return };
    assert!(verdict.success, "{verdict:?}");
    for hash in [hashes[4], path[0]] {
        assert!(verdict.text.contains(&hash.to_string().to_uppercase()), "{hash}: {verdict:?}");
    }
    assert!(verdict.text.contains("id-smime-ct-TSTInfo"), "{verdict:?}");

    folder.write("token.der", token.der());
    let at = (now().as_millis() / 1000).to_string();
    let verify = |digest: &Sha256Digest| {
        let digest = digest.to_string();
        let arguments = ["ts", "-verify", "-digest", &digest, "-in", "token.der", "-token_in"];
        let trust = ["-CAfile", "root.pem", "-attime", &at];
        judge("openssl", &[&arguments[..], &trust].concat(), &folder).unwrap()
    };
    let verdict = verify(&root);
    assert!(verdict.success, "{verdict:?}");
    assert!(!verify(&hashes[4]).success);
}

/// Bouncy Castle's classes for evidence records, from Debian's package `libbcpkix-java`.
const JARS: &str = "/usr/share/java/bcpkix.jar:/usr/share/java/bcprov.jar:/usr/share/java/bcutil.jar";

#[test]
fn bouncy_castle_agrees_on_a_record_and_on_what_renews_it() {
    let folder = Folder::new();
    if judge("javac", &["-version"], &folder).is_none() {
        return;
    }
    if !JARS.split(':').all(|jar| Path::new(jar).exists()) {
        return skip_loudly("Bouncy Castle is not installed");
    }
    let seal = sealing("Example");
    let files: Vec<String> = (0..5).map(|number| format!("certificate {number}")).collect();
    let hashes: Vec<_> = files.iter().map(Sha256Digest::of).collect();
    let token = seal.stamps.stamp(&tree::root(&hashes).unwrap(), random("serial"), now()).unwrap();
    let path = tree::path(&hashes, 2).unwrap();
    let record = EvidenceRecord::new(ArchiveTimeStamp::new(&hashes[2], &path, token.clone()).unwrap());
    folder.write("record.ers", record.to_der());
    folder.write("own", &files[2]);
    folder.write("other", &files[4]);

    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judges/EvidenceJudge.java");
    let at = (now().as_millis() + 1000).to_string();
    let judged = |file: &str| judge("java", &["-cp", JARS, program, "record.ers", file, &at], &folder).unwrap();
    let verdict = judged("own");
    assert!(verdict.success, "{verdict:?}");
    let renewal = format!("time stamp {}", token.sha256());
    let tree = record.hash_to_renew(HashAlgorithm::Sha512, files[2].as_bytes());
    let tree = hex::encode(tree);
    for expected in [renewal, format!("hash tree {tree}")] {
        assert!(verdict.text.contains(&expected), "{expected}: {verdict:?}");
    }
    let verdict = judged("other");
    assert!(!verdict.success && verdict.text.contains("object hash not found"), "{verdict:?}");
}
