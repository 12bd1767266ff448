//! Checks a certificate for a person: the facts of [`sealwright_seal::verify`], and an account of them in sentences.
//!
//! The command line, the pages of the server and the page that checks in a browser (`crates/verify-page`) show this
//! same account. Nothing here reads a file, a clock or a setting: the caller gives bytes, the time, and whom to trust.

mod account;
mod case_package;
mod etsi;
mod facts;
mod package;
mod pages;
mod trust;
mod words;

use sealwright_seal::{
    Sha256Digest, UnixTime,
    disclosure::Disclosure,
    verify::{self, Finding, FindingCode, Original, Report, Severity},
};

use self::package::{Package, PackedFile};
pub use self::{
    account::{Account, Answer, Entry, Fact, Group, Mark, Sentence, Subject},
    case_package::{CASE_PACKAGE_START, CasePackage, CasePackageReader, is_case_package},
    etsi::etsi_report,
    facts::Facts,
    pages::compare_texts,
    trust::{Anchor, AnchorSource, GivenCertificates, Trust, TrustedFor, read_certificates},
    words::Language,
};

/// A checked certificate, a checked signed disclosure of some of its items, or the checked package of a case.
#[derive(Clone, Debug)]
pub struct CheckedCertificate {
    pub sha256: Sha256Digest,
    /// Bytes.
    pub size: u64,
    pub at: UnixTime,
    /// The names of the files given for comparison with the sealed ones. For each the report has facts, or a notice
    /// that it was not compared.
    pub originals: Vec<String>,
    pub report: Report,
}

/// Checks a file and given originals. The file is a certificate, a signed disclosure, or the package of one, whose
/// files are compared like originals. `compare_pages` adds to the report whether the pages of a certificate show what
/// the manifest says.
pub fn check(
    file: &[u8],
    trust: &Trust,
    originals: &[Original],
    at: UnixTime,
    compare_pages: impl FnOnce(&mut Report),
) -> CheckedCertificate {
    let mut originals = originals.to_vec();
    let mut report = if file.starts_with(package::ZIP) {
        check_package(file, trust, &mut originals, at)
    } else if file.starts_with(b"{") {
        verify::disclosure(file, &trust.expectations(at, &originals))
    } else {
        let mut report = verify::certificate(file, &trust.expectations(at, &originals));
        compare_pages(&mut report);
        explain_non_pdf(file, &mut report);
        report
    };
    note_not_compared(&originals, &mut report);
    let originals = originals.into_iter().map(|original| original.name).collect();
    CheckedCertificate { sha256: Sha256Digest::of(file), size: file.len() as u64, at, originals, report }
}

/// Checks the package of a case: the certificate in it as [`check`] does, with the package's originals in addition to the
/// given ones, and then the package. `compare_pages` takes the certificate.
pub fn check_case_package(
    package: &CasePackage,
    trust: &Trust,
    originals: &[Original],
    at: UnixTime,
    compare_pages: impl FnOnce(&[u8], &mut Report),
) -> CheckedCertificate {
    let mut originals = originals.to_vec();
    let mut report = match &package.content {
        Ok(content) => {
            originals.extend(content.originals());
            let expectations = trust.expectations(at, &originals);
            let pdf = &content.certificate.bytes;
            let mut report = verify::certificate(pdf, &expectations);
            compare_pages(pdf, &mut report);
            explain_non_pdf(pdf, &mut report);
            sealwright_seal::package::add(&mut report, content, &expectations);
            report
        }
        Err(message) => unreadable(message.clone()),
    };
    note_not_compared(&originals, &mut report);
    let originals = originals.into_iter().map(|original| original.name).collect();
    CheckedCertificate { sha256: package.sha256, size: package.size, at, originals, report }
}

/// Adds a notice for each given original that the report does not have.
fn note_not_compared(originals: &[Original], report: &mut Report) {
    for original in originals.iter().filter(|given| report.originals.iter().all(|compared| compared.name != given.name))
    {
        report.findings.push(Finding {
            severity: Severity::Notice,
            code: FindingCode::Original,
            message: format!("`{}` was not compared, because no list of sealed files can be read", original.name),
        });
    }
}

/// Checks the disclosure in a package, and adds the package's other files to the originals.
fn check_package(file: &[u8], trust: &Trust, originals: &mut Vec<Original>, at: UnixTime) -> Report {
    match package::open(file) {
        Ok(Package { disclosure, files }) => {
            let packed = |file: PackedFile<'_>| Original { sha256: Sha256Digest::of(file.bytes), name: file.name };
            originals.extend(files.into_iter().map(packed));
            verify::disclosure(disclosure, &trust.expectations(at, originals))
        }
        Err(message) => unreadable(message),
    }
}

fn unreadable(message: String) -> Report {
    let mut report = Report::default();
    report.add(Finding { severity: Severity::Changed, code: FindingCode::Unreadable, message });
    report
}

/// The first bytes of a PDF file (ISO 32000-1, section 7.5.2).
const PDF: &[u8] = b"%PDF-";

/// For a file that is not a PDF at all, the byte at which the reader gave up is of no use.
fn explain_non_pdf(file: &[u8], report: &mut Report) {
    let message = match file {
        [] => "it is empty",
        file if !file.starts_with(PDF) => "it is not a PDF file",
        _ => return,
    };
    for finding in report.findings.iter_mut().filter(|finding| finding.code == FindingCode::Unreadable) {
        message.clone_into(&mut finding.message);
    }
}

/// Adds what the evidence record `record` (RFC 4998, DER) proves about a checked certificate. One of another file
/// invalidates the whole result, like an original that is not one of those sealed.
pub fn hold_evidence(checked: &mut CheckedCertificate, pdf: &[u8], trust: &Trust, name: &str, record: &[u8]) {
    checked.report.add_evidence(name, pdf, record, &trust.expectations(checked.at, &[]));
}

/// Compares a disclosure of some items with a checked certificate. One that does not match invalidates the whole
/// result, like an original that is not one of those sealed.
pub fn hold_disclosure(checked: &mut CheckedCertificate, name: &str, disclosure: &Disclosure) {
    let root = checked.report.manifest.as_ref().and_then(|manifest| manifest.root);
    let held = match root {
        Some(root) => disclosure.verify(&root).map_err(|error| error.to_string()),
        None => Err("the certificate does not commit to individual items".to_owned()),
    };
    match held {
        Ok(items) => checked.report.disclosures.push(verify::DisclosureFacts {
            name: name.to_owned(),
            items: items.into_iter().map(|item| item.reference).collect(),
        }),
        Err(error) => checked.report.add(Finding {
            severity: Severity::Changed,
            code: FindingCode::Disclosure,
            message: format!("`{name}` discloses no items of this certificate: {error}"),
        }),
    }
}
