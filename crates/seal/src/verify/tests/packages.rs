//! The package of a case: each known way to change it is detected, for the right reason.

use super::{
    facts::{logged, with_proofs},
    *,
};
use crate::{
    asic::{self, LOG_PROOF, ManifestEntry},
    package::{self, PackageContent, PackedFile},
};

fn file(name: &str, bytes: &[u8]) -> PackedFile {
    PackedFile {
        name: name.to_owned(),
        size: bytes.len() as u64,
        sha256: Sha256Digest::of(bytes),
        bytes: bytes.to_vec(),
    }
}

/// The text in place of the first photo.
fn deletion() -> PackedFile {
    let text = asic::deletion_text("ITM-0_CAS-12", Sha256Digest::of(PHOTOS[0]), asic::Deletion::LimitedTime);
    file("originals/ITM-0_CAS-12.missing.txt", text.as_bytes())
}

fn names(content: &mut PackageContent) {
    let entry = |file: &PackedFile| (file.name.clone(), file.sha256);
    let files: Vec<_> = [&content.certificate].into_iter().chain(&content.others).map(entry).collect();
    let entries = files.iter().map(|(name, sha256)| ManifestEntry { name, media_type: "text/plain", sha256: *sha256 });
    content.manifest = asic::write(entries).into_bytes();
}

/// Makes the manifest again, and stamps it.
fn stamp_again(content: &mut PackageContent, authority: &'static str) {
    names(content);
    content.token = stamp(authority, &Sha256Digest::of(&content.manifest), now()).der().to_vec();
}

fn content(certificate: &[u8], others: Vec<PackedFile>) -> PackageContent {
    let certificate = file("CAS-12_CMP-7.pdf", certificate);
    let mut content = PackageContent { manifest: Vec::new(), token: Vec::new(), certificate, others };
    stamp_again(&mut content, "Example");
    content
}

/// The package of a case with two photos.
fn whole() -> PackageContent {
    let parts = parts("Example");
    let others = vec![
        file("originals/ITM-0_CAS-12.jpg", PHOTOS[0]),
        file("originals/ITM-1_CAS-12.jpg", PHOTOS[1]),
        file("tokens/ITM-0_CAS-12.tst", &parts.attachments[0].1),
        file("tokens/ITM-1_CAS-12.tst", &parts.attachments[1].1),
    ];
    content(&parts.b_lta(), others)
}

fn check_at(content: &PackageContent, at: UnixTime) -> Report {
    let (anchors, originals) = (anchors(&authority("Example")), content.originals().collect::<Vec<_>>());
    let expectations = Expectations::trusting(&anchors, at, &originals);
    let mut report = certificate(&content.certificate.bytes, &expectations);
    package::add(&mut report, content, &expectations);
    report
}

fn check(content: &PackageContent) -> Report {
    check_at(content, now())
}

#[test]
fn a_package_is_checked_with_its_certificate_and_its_originals() {
    let report = check(&whole());
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    assert_eq!(report.items[1].originals, ["originals/ITM-1_CAS-12.jpg"]);
    let package = report.package.as_ref().unwrap();
    assert_eq!((package.time_stamp.state, package.time_stamp.time), (State::Trusted, Some(now())));
    assert_eq!((package.files.len(), package.deleted.len()), (5, 0));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["package"]["timeStamp"]["state"], "trusted");
    assert_eq!(json["package"]["files"][1]["name"], "originals/ITM-0_CAS-12.jpg");
    assert_eq!(json["package"]["log"], serde_json::Value::Null);
    let alone = serde_json::to_value(verify(&parts("Example").b_t())).unwrap();
    assert!(alone.get("package").is_none());
}

/// Its name, the change, the codes of the findings, and words of one of them.
type Attack = (&'static str, fn(&mut PackageContent), &'static [FindingCode], &'static str);

const ATTACKS: [Attack; 21] = {
    use FindingCode::{Original, Package};
    [
        (
            "swapped",
            |c| c.others[0] = file("originals/ITM-0_CAS-12.jpg", b"fake"),
            &[Original, Package],
            "not the file",
        ),
        (
            "swapped, manifest changed",
            |c| {
                c.others[0] = file("originals/ITM-0_CAS-12.jpg", b"fake");
                names(c);
            },
            &[Original, Package],
            "the time stamp of the package does not count",
        ),
        (
            "swapped, manifest changed and stamped",
            |c| {
                c.others[0] = file("originals/ITM-0_CAS-12.jpg", b"fake");
                stamp_again(c, "Example");
            },
            &[Original],
            "is not one of the sealed files",
        ),
        (
            "two originals exchanged",
            |c| {
                (c.others[0], c.others[1]) =
                    (file("originals/ITM-0_CAS-12.jpg", PHOTOS[1]), file("originals/ITM-1_CAS-12.jpg", PHOTOS[0]));
                stamp_again(c, "Example");
            },
            &[Package, Package],
            "is not the file of ITM-0_CAS-12",
        ),
        (
            "added",
            |c| c.others.push(file("originals/ITM-7_CAS-12.jpg", PHOTOS[0])),
            &[Package, Package],
            "not in the manifest",
        ),
        (
            "added and stamped",
            |c| {
                c.others.push(file("originals/ITM-7_CAS-12.jpg", PHOTOS[0]));
                stamp_again(c, "Example");
            },
            &[Package],
            "is not the file of ITM-7_CAS-12",
        ),
        (
            "another kind added and stamped",
            |c| {
                c.others.push(file("readme.html", b"<script>"));
                stamp_again(c, "Example");
            },
            &[Package],
            "does not belong in a package",
        ),
        ("removed", |c| drop(c.others.remove(0)), &[Package, Package], "but not in the package"),
        (
            "removed and stamped",
            |c| {
                c.others.remove(0);
                stamp_again(c, "Example");
            },
            &[Package],
            "the file of ITM-0_CAS-12 is missing from the package",
        ),
        (
            "said to be deleted, but there",
            |c| {
                c.others.push(deletion());
                stamp_again(c, "Example");
            },
            &[Package],
            "says that it was deleted",
        ),
        (
            "said to be deleted in other words",
            |c| {
                c.others[0] = file("originals/ITM-0_CAS-12.missing.txt", b"The valid invoice is elsewhere.");
                stamp_again(c, "Example");
            },
            &[Package],
            "is not what a server says of a deleted file",
        ),
        (
            "said to be deleted twice",
            |c| {
                let text = deletion();
                c.others[0] = file("originals/ITM-0_CAS-12.x.missing.txt", &text.bytes);
                c.others.push(text);
                stamp_again(c, "Example");
            },
            &[Package],
            "is not what a server says of a deleted file",
        ),
        (
            "a photo with the name of a page",
            |c| {
                c.others.push(file("originals/ITM-0_CAS-12.html", PHOTOS[0]));
                stamp_again(c, "Example");
            },
            &[Package],
            "is not the name of the file of ITM-0_CAS-12",
        ),
        (
            "said to be deleted, but never sealed",
            |c| {
                c.others.push(file("originals/ITM-2_CAS-12.missing.txt", b"deleted"));
                stamp_again(c, "Example");
            },
            &[Package],
            "none was sealed",
        ),
        (
            "a digest in the manifest changed",
            |c| {
                let (mut own, other) = (c.others[0].clone(), c.others[1].sha256);
                own.sha256 = other;
                let right = std::mem::replace(&mut c.others[0], own);
                names(c);
                c.others[0] = right;
            },
            &[Package, Package],
            "the manifest of the package names",
        ),
        ("another manifest", |c| c.manifest = b"<manifest/>".to_vec(), &[Package, Package], "cannot be read"),
        (
            "the certificate is not first",
            |c| {
                let certificate = c.certificate.clone();
                c.certificate = c.others[0].clone();
                c.others[0] = certificate.clone();
                names(c);
                c.others[0] = std::mem::replace(&mut c.certificate, certificate);
                c.token = stamp("Example", &Sha256Digest::of(&c.manifest), now()).der().to_vec();
            },
            &[Package],
            "does not name the certificate first",
        ),
        ("no token", |c| c.token.clear(), &[Package], "the time stamp of the package does not count"),
        (
            "the token of another manifest",
            |c| c.token = stamp("Example", &Sha256Digest::of("x"), now()).der().to_vec(),
            &[Package],
            "it stamps a different digest",
        ),
        (
            "an item's token of another file",
            |c| {
                c.others[2] = file("tokens/ITM-0_CAS-12.tst", &c.others[3].bytes);
                stamp_again(c, "Example");
            },
            &[Package],
            "`tokens/ITM-0_CAS-12.tst` does not count",
        ),
        (
            "a token without a file",
            |c| {
                c.others[2].name = "tokens/ITM-2_CAS-12.tst".to_owned();
                stamp_again(c, "Example");
            },
            &[Package],
            "belongs to no file",
        ),
    ]
};

#[test]
fn every_known_change_of_a_package_is_detected() {
    for (what, change, codes, words) in ATTACKS {
        let mut content = whole();
        change(&mut content);
        let report = check(&content);
        assert_eq!(report.outcome, Outcome::ChangedOrNotOurs, "{what}: {:?}", report.findings);
        assert_eq!(faults(&report), codes, "{what}: {:?}", report.findings);
        assert!(report.findings.iter().any(|finding| finding.message.contains(words)), "{what}: {:?}", report.findings);
    }
}

#[test]
fn a_certificate_of_another_case_does_not_match_the_originals() {
    let other = parts_of("Example", [b"a photo of something else", b"and another"]).b_lta();
    let mut swapped = whole();
    swapped.certificate = file("CAS-12_CMP-7.pdf", &other);
    let report = check(&swapped);
    assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
    assert!(faults(&report).contains(&FindingCode::Original) && faults(&report).contains(&FindingCode::Package));
    stamp_again(&mut swapped, "Example");
    let report = check(&swapped);
    assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
    assert!(faults(&report).contains(&FindingCode::Original), "{:?}", report.findings);

    let mut renamed = whole();
    renamed.certificate.name = "CAS-13_CMP-7.pdf".to_owned();
    stamp_again(&mut renamed, "Example");
    let report = check(&renamed);
    assert_eq!(faults(&report), [FindingCode::Package]);
    let is_named = |finding: &Finding| finding.message.contains("is the certificate of CAS-12_CMP-7");
    assert!(report.findings.iter().any(is_named), "{:?}", report.findings);
}

#[test]
fn a_changed_certificate_in_a_package_is_detected() {
    let mut changed = whole();
    let mut pdf = changed.certificate.bytes.clone();
    pdf[100] ^= 1;
    changed.certificate = file("CAS-12_CMP-7.pdf", &pdf);
    stamp_again(&mut changed, "Example");
    let report = check(&changed);
    assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
    assert!(!faults(&report).contains(&FindingCode::Package), "{:?}", report.findings);
    assert!(report.package.is_some());
}

#[test]
fn a_package_whose_authority_is_not_trusted_is_intact_but_untrusted() {
    let mut foreign = whole();
    stamp_again(&mut foreign, "Other");
    let report = check(&foreign);
    assert_eq!((report.outcome, faults(&report)), (Outcome::IntactButUntrusted, vec![FindingCode::Package]));
    assert_eq!(report.package.unwrap().time_stamp.state, State::Untrusted);

    let mut future = whole();
    let late = now().plus_days(2);
    future.token = stamp("Example", &Sha256Digest::of(&future.manifest), late).der().to_vec();
    let report = check(&future);
    assert_eq!((report.outcome, faults(&report)), (Outcome::IntactButUntrusted, vec![FindingCode::Package]));
    assert_eq!(report.package.unwrap().time_stamp.fault, Some(Fault::Future));
    assert_eq!(check_at(&future, late).outcome, Outcome::Valid);
}

#[test]
fn a_deleted_original_is_a_notice() {
    let mut partial = whole();
    partial.others[0] = deletion();
    stamp_again(&mut partial, "Example");
    let report = check(&partial);
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    assert_eq!(report.package.unwrap().deleted, ["ITM-0_CAS-12"]);
    assert!(report.findings.iter().any(|finding| finding.code == FindingCode::Package));
}

#[test]
fn a_proof_in_a_package_shows_the_place_in_the_log() {
    let (manifest, proof) = logged();
    let pdf = with_proofs(manifest, &[]);
    let original = || file("originals/ITM-1_CAS-12.jpg", b"photo");
    let report = check(&content(&pdf, vec![original(), file(LOG_PROOF, proof.to_string().as_bytes())]));
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    let place = report.package.unwrap().log.unwrap();
    assert_eq!((place.name.as_str(), place.index, place.size), ("log.example/seals", 1, 2));
    let elsewhere = proof.to_string().replace("index 1", "index 0");
    for wrong in [elsewhere.as_bytes(), b"proof", b"\xff"] {
        let report = check(&content(&pdf, vec![original(), file(LOG_PROOF, wrong)]));
        assert_eq!((report.outcome, faults(&report)), (Outcome::ChangedOrNotOurs, vec![FindingCode::Package]));
        assert_eq!(report.package.unwrap().log, None);
    }
}
