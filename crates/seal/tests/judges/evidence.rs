//! RFC 4998 with OpenSSL on the other side: it reads the form of a record, and checks its time stamp over the root.

use sealwright_seal::{
    Sha256Digest,
    evidence::{ArchiveTimeStamp, EvidenceExpectations, EvidenceRecord, tree},
};

use crate::support::{Folder, judge, now, random, sealing};

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
