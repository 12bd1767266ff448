//! The report by TS 119 102-2 on genuine certificates and on every known attack: it has the schema's form, and the verdict of
//! the command line.

#![expect(clippy::unwrap_used, reason = "a test fails at the first unexpected result")]

#[path = "../../../seal/src/testing/attacks/mod.rs"]
mod attacks;
#[path = "../../../seal/src/testing/base_pdf.rs"]
mod base_pdf;
mod schema;
#[path = "../sealing/mod.rs"]
mod sealing;

use std::{
    io::{ErrorKind, Write as _},
    process::Command,
};

use sealwright_seal::{
    Sha256Digest, UnixTime,
    verify::{Original, Outcome},
};
use sealwright_verification::{CheckedCertificate, GivenCertificates, Trust, check, etsi_report};

use self::{
    attacks::{Attack, corpus},
    schema::assert_conforms,
    sealing::Sealing,
};

/// 2026-11-20T10:00:00.573Z.
fn now() -> UnixTime {
    UnixTime::from_millis(1_795_168_800_573).unwrap()
}

fn sealing(name: &str) -> Sealing {
    Sealing::of(name, now(), true)
}

impl Sealing {
    fn trust(&self) -> Trust {
        let given = GivenCertificates { roots: vec![self.root.clone()], ..GivenCertificates::default() };
        Trust::of_given(given, |_| false)
    }

    fn checked(&self, pdf: &[u8]) -> CheckedCertificate {
        check(pdf, &self.trust(), &[], now(), |_| {})
    }
}

/// The status of the certificate's signature: the last part of each URI.
fn verdict(report: &str) -> (String, Vec<String>) {
    let document = roxmltree::Document::parse(report).unwrap();
    let mut reports = document.root_element().children().filter(|node| node.has_tag_name(signature_report()));
    let (signature, None) = (reports.next().unwrap(), reports.next()) else { panic!("two signatures: {report}") };
    let status = signature.children().find(|node| node.tag_name().name() == "SignatureValidationStatus").unwrap();
    let last = |node: roxmltree::Node<'_, '_>| node.text().unwrap().rsplit(':').next().unwrap().to_owned();
    let texts = |name: &str| -> Vec<String> {
        status.children().filter(|node| node.tag_name().name() == name).map(last).collect()
    };
    (texts("MainIndication").pop().unwrap(), texts("SubIndication"))
}

fn signature_report() -> (&'static str, &'static str) {
    ("http://uri.etsi.org/19102/v1.2.1#", "SignatureValidationReport")
}

#[track_caller]
fn assert_verdict(checked: &CheckedCertificate, main: &str, sub: &[&str]) {
    let report = etsi_report(checked);
    assert_conforms(&report);
    let expected: Vec<String> = sub.iter().map(|indication| (*indication).to_owned()).collect();
    assert_eq!(verdict(&report), (main.to_owned(), expected), "{report}");
}

#[test]
fn the_report_has_the_verdict_of_the_command_line_for_every_known_attack() {
    let (seal, foreign) = (sealing("Example"), sealing("Other"));
    let stamp = |digest: &Sha256Digest| seal.stamp("attacker", digest);
    let victim = seal.victim(&foreign, &stamp);
    for pdf in [&victim.signed, &victim.stamped, &victim.archived, &victim.renewed, &victim.other, &victim.prepared.0] {
        assert_verdict(&seal.checked(pdf), "total-passed", &[]);
    }
    assert_verdict(&seal.checked(&victim.foreign), "indeterminate", &["NO_CERTIFICATE_CHAIN_FOUND"]);
    let attacks = corpus(&victim);
    assert!(attacks.len() >= 200, "{} attacks", attacks.len());
    for Attack { class, variant, pdf } in attacks {
        let checked = seal.checked(&pdf);
        let report = etsi_report(&checked);
        assert_conforms(&report);
        let expected = match checked.report.outcome {
            Outcome::Valid => "total-passed",
            Outcome::ChangedOrNotOurs => "total-failed",
            Outcome::IntactButUntrusted => "indeterminate",
        };
        assert_eq!(verdict(&report).0, expected, "{class}: {variant}");
        assert_ne!(expected, "total-passed", "{class}: {variant}");
    }
}

#[test]
fn the_cause_is_a_sub_indication() {
    let seal = sealing("Example");
    let pdf = seal.archived(&seal.signed(&seal.base("own"), true), &seal.material);
    assert_verdict(&seal.checked(b"not a certificate"), "total-failed", &["FORMAT_FAILURE"]);
    assert_verdict(&seal.checked(&seal.base("own")), "total-failed", &["FORMAT_FAILURE"]);

    // The signature is not over these bytes.
    let mut changed = seal.signed(&seal.base("own"), false);
    let place = changed.windows(9).position(|bytes| bytes == b"Helvetica").unwrap();
    changed[place] = b'h';
    assert_verdict(&seal.checked(&changed), "total-failed", &["HASH_FAILURE"]);

    let other = Original { name: "other.jpg".to_owned(), sha256: Sha256Digest::of("something else") };
    let checked = check(&pdf, &seal.trust(), &[other], now(), |_| {});
    assert_verdict(&checked, "total-failed", &["HASH_FAILURE"]);

    // On a clock that is an hour behind, the time stamps are in the future.
    let before = UnixTime::from_millis(now().as_millis() - 3_600_000).unwrap();
    let checked = check(&pdf, &seal.trust(), &[], before, |_| {});
    assert_verdict(&checked, "indeterminate", &["TIMESTAMP_ORDER_FAILURE"]);
}

#[test]
fn each_time_stamp_is_an_object_with_a_report_of_its_own() {
    let (seal, other) = (sealing("Example"), sealing("Other"));
    let pdf = seal.archived(&seal.signed(&seal.base("own"), true), &seal.material);
    let kinds = |checked: &CheckedCertificate| -> Vec<(String, String)> {
        let report = etsi_report(checked);
        let document = roxmltree::Document::parse(&report).unwrap();
        let objects = document
            .descendants()
            .filter(|node| node.tag_name().name() == "ValidationObject" && node.attribute("id").is_some());
        let status = |node: roxmltree::Node<'_, '_>| {
            let status = node.descendants().find(|node| node.tag_name().name() == "MainIndication");
            status.map(|status| status.text().unwrap().rsplit(':').next().unwrap().to_owned())
        };
        objects.filter_map(|node| Some((node.attribute("id")?.to_owned(), status(node)?))).collect()
    };
    let all = |status: &str| {
        ["time-stamp-1", "time-stamp-2", "manifest-token", "item-1-token"]
            .map(|id| (id.to_owned(), status.to_owned()))
            .to_vec()
    };
    assert_eq!(kinds(&seal.checked(&pdf)), all("passed"));
    assert_eq!(kinds(&other.checked(&pdf)), all("indeterminate"));

    let report = etsi_report(&seal.checked(&pdf));
    let own = STAMPED.replace("{time}", &now().to_string());
    assert!(report.contains(&own), "{report}");
}

/// The proof that the item's file existed.
const STAMPED: &str = "\
      <POEProvisioning>
        <POETime>{time}</POETime>
        <ValidationObject VOReference=\"item-1\"/>
      </POEProvisioning>
";

#[test]
fn xmllint_can_read_the_report() {
    let seal = sealing("Example");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.xml");
    std::fs::write(&file, etsi_report(&seal.checked(&seal.signed(&seal.base("own"), true)))).unwrap();
    let output = match Command::new("xmllint").arg("--noout").arg("--nonet").arg(&file).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: xmllint is not installed");
            return;
        }
        output => output.unwrap(),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
