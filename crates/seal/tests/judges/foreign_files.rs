//! Files that other programs wrote: each is either rejected, or signed so that the judges accept it.

use std::{io::Write, path::PathBuf};

use sealwright_seal::{
    pades::{SignatureText, prepare_signature, prepare_time_stamp},
    verify::{self, Expectations, FindingCode, State},
};

use crate::support::{Folder, authority_at, judge, machine_time, random, sealing_of};

#[test]
fn a_file_of_another_program_is_rejected_or_signed_correctly() {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/documents");
    let Ok(entries) = std::fs::read_dir(&fixtures) else {
        // They are stored next to the repository, so this is not a CI failure.
        let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: the documents of ../shared/fixtures are missing");
        return;
    };
    let now = machine_time();
    let seal = sealing_of(authority_at("Example", now));
    let mut signed = 0;
    for path in entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "pdf"))
    {
        let base = std::fs::read(&path).unwrap();
        let text = SignatureText { name: "Example Org", reason: "Sealed", time: now };
        let Ok(prepared) = prepare_signature(&base, &text) else { continue };
        let pdf = prepared.sign(&seal.identity).unwrap().finish(None).unwrap();
        assert!(pdf.starts_with(&base), "{}", path.display());
        let stamp = prepare_time_stamp(&pdf, None, None).unwrap();
        let token = seal.stamps.stamp(&stamp.digest(), random("serial"), now).unwrap();
        let folder = Folder::new();
        let pdf = stamp.finish(&token).unwrap();
        folder.write("signed.pdf", &pdf);
        signed += 1;
        // Signed by us, but not a certificate of a case.
        let report = verify::certificate(&pdf, &Expectations::trusting(&seal.anchors, now, &[]));
        assert_eq!(report.signature.as_ref().unwrap().state, State::Trusted, "{}: {report:#?}", path.display());
        assert!(report.findings.iter().any(|finding| finding.code == FindingCode::Manifest));
        let Some(verdict) = judge("qpdf", &["--check", "signed.pdf"], &folder) else { return };
        assert!(verdict.success, "{}: {verdict:?}", path.display());
        let Some(verdict) = judge("pdfsig", &["-nocert", "signed.pdf"], &folder) else { return };
        assert!(verdict.text.contains("Signature is Valid."), "{}: {verdict:?}", path.display());
    }
    assert!(signed > 0, "none of the documents could be signed");
}
