//! The result of a check as a validation report for other programs: XML by ETSI TS 119 102-2.
//!
//! The report has one signature, the certificate's; its status is the outcome of the whole check. The time stamps on it, and
//! those of the seal manifest and of the items, are validation objects with a report of their own. The namespace is that of
//! version 1.2.1, which other programs write and read. The report itself is not signed.

mod indication;
mod xml;

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_seal::{
    Sha256Digest, UnixTime,
    verify::{CertificateFacts, Level, PackageFacts, Report, Severity, State, TimeStampFacts, TokenCheck, TokenState},
};

use self::{indication::Status, xml::Element};
use crate::CheckedCertificate;

const NAMESPACE: &str = "http://uri.etsi.org/19102/v1.2.1#";
const SIGNATURE_NAMESPACE: &str = "http://www.w3.org/2000/09/xmldsig#";
const SHA_256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";
/// How a time is known: the check found it.
const FOUND_BY_THE_CHECK: &str = "urn:etsi:019102:poetype:validation";
const CERTIFICATE: &str = "urn:etsi:019102:validationObject:certificate";
const TIME_STAMP: &str = "urn:etsi:019102:validationObject:timestamp";
const SIGNED_DATA: &str = "urn:etsi:019102:validationObject:signedData";
/// The identifier of the checked file in the report.
const FILE: &str = "file";

/// The report on a check, as an XML document.
pub fn etsi_report(checked: &CheckedCertificate) -> String {
    let objects = Element::of("SignatureValidationObjects", objects(checked));
    Element::of("ValidationReport", [of_signature(checked), objects])
        .with("xmlns", NAMESPACE)
        .with("xmlns:ds", SIGNATURE_NAMESPACE)
        .document()
}

/// The order of the elements is the schema's.
fn of_signature(checked: &CheckedCertificate) -> Element {
    let report = &checked.report;
    let signer = report.signature.as_ref().and_then(|signature| signature.signer.as_ref());
    let mut elements: Vec<Element> = identifier(report).into_iter().collect();
    elements.push(times(checked));
    elements.push(Element::of("SignersDocument", [digest(signed(checked)), to("SignersDocumentRepresentation", FILE)]));
    elements.extend(signer.map(signer_information));
    let process = Element::text("SignatureValidationProcessID", process(report.level));
    elements.push(Element::of("SignatureValidationProcess", [process]));
    let status = Status::of_report(report);
    elements.push(status_of(status.main.of_signature(), &status, Some(associated(report, signer))));
    Element::of("SignatureValidationReport", elements)
}

/// The signed file: the certificate in a package, or the checked file itself.
fn signed(checked: &CheckedCertificate) -> &Sha256Digest {
    let in_package = checked.report.package.as_ref().and_then(|package| package.files.first());
    in_package.map_or(&checked.sha256, |certificate| &certificate.sha256)
}

/// None if the file has no signature.
fn identifier(report: &Report) -> Option<Element> {
    let signature = report.signature.as_ref()?;
    let value = signature.value.as_ref().map(|value| Element::text("ds:SignatureValue", STANDARD.encode(value)));
    let given = ["HashOnly", "DocHashOnly"].map(|name| Element::text(name, "false"));
    Some(Element::of("SignatureIdentifier", value.into_iter().chain(given)).with("id", "signature"))
}

/// When the check was made, and the earliest time at which the signature provably existed: if no time stamp proves one,
/// the time of the check.
fn times(checked: &CheckedCertificate) -> Element {
    let report = &checked.report;
    let proves = |facts: &TimeStampFacts| facts.state == State::Trusted && facts.time == report.proven_time;
    let proof = report.proven_time.and_then(|_| report.time_stamps.iter().position(proves));
    let mut best = vec![
        time("POETime", report.proven_time.unwrap_or(checked.at)),
        Element::text("TypeOfProof", FOUND_BY_THE_CHECK),
    ];
    best.extend(proof.map(|position| to("POEObject", time_stamp_id(position))));
    Element::of("ValidationTimeInfo", [time("ValidationTime", checked.at), Element::of("BestSignatureTime", best)])
}

fn signer_information(signer: &CertificateFacts) -> Element {
    let certificate = to("SignerCertificate", certificate_id(signer));
    Element::of("SignerInformation", [certificate, Element::text("Signer", signer.subject.as_str())])
}

/// Which validation process of EN 319 102-1 the material in the file allows.
const fn process(level: Option<Level>) -> &'static str {
    match level {
        None | Some(Level::BB) => "urn:etsi:019102:validationprocess:Basic",
        Some(Level::BT) => "urn:etsi:019102:validationprocess:LTVM",
        Some(Level::BLta) => "urn:etsi:019102:validationprocess:LTA",
    }
}

fn status_of(main: &'static str, status: &Status, associated: Option<Element>) -> Element {
    let mut elements = vec![Element::text("MainIndication", main)];
    elements.extend(status.sub.iter().map(|indication| Element::text("SubIndication", indication.uri())));
    elements.extend(associated);
    Element::of("SignatureValidationStatus", elements)
}

/// The signer's certificate, the time stamps, and every finding in words. Without any of them the schema still allows the
/// element.
fn associated(report: &Report, signer: Option<&CertificateFacts>) -> Element {
    let chain = signer.map(|signer| to("SigningCertificate", certificate_id(signer)));
    let mut elements: Vec<Element> = chain.map(|chain| Element::of("CertificateChain", [chain])).into_iter().collect();
    elements.extend((0..report.time_stamps.len()).map(|place| to("RelatedValidationObject", time_stamp_id(place))));
    let finding = |severity: Severity, message: &str| {
        let kind = match severity {
            Severity::Notice => "urn:sealwright:finding:notice",
            Severity::Untrusted => "urn:sealwright:finding:untrusted",
            Severity::Changed => "urn:sealwright:finding:changed",
        };
        Element::of("ReportData", [Element::text("Type", kind), Element::text("Value", message)])
    };
    let findings: Vec<Element> = report.findings.iter().map(|found| finding(found.severity, &found.message)).collect();
    if !findings.is_empty() {
        elements.push(Element::of("AdditionalValidationReportData", findings));
    }
    Element::of("AssociatedValidationReportData", elements)
}

/// Everything that the report refers to, and the items' files and tokens.
fn objects(checked: &CheckedCertificate) -> Vec<Element> {
    let report = &checked.report;
    let mut objects = vec![object(FILE, SIGNED_DATA, signed(checked), Vec::new())];
    let signer = report.signature.iter().filter_map(|signature| signature.signer.as_ref());
    let authorities = report.time_stamps.iter().filter_map(|stamp| stamp.authority.as_ref());
    let of_package = report.package.iter().filter_map(|package| package.time_stamp.authority.as_ref());
    let authorities = authorities.chain(of_package);
    let certificates: BTreeMap<String, &CertificateFacts> =
        signer.chain(authorities).map(|certificate| (certificate_id(certificate), certificate)).collect();
    objects.extend(certificates.iter().map(|(id, facts)| object(id, CERTIFICATE, &facts.sha256, Vec::new())));
    for (place, stamp) in report.time_stamps.iter().enumerate() {
        let status = Status::of_time_stamp(stamp.state, stamp.fault);
        let report = own_report(&status, stamp.authority.as_ref());
        objects.push(object(&time_stamp_id(place), TIME_STAMP, &stamp.sha256, vec![report]));
    }
    if let Some(PackageFacts { time_stamp, .. }) = &report.package {
        let status = Status::of_time_stamp(time_stamp.state, time_stamp.fault);
        let report = own_report(&status, time_stamp.authority.as_ref());
        objects.push(object("package-time-stamp", TIME_STAMP, &time_stamp.sha256, vec![report]));
    }
    if let Some(manifest) = &report.manifest {
        objects.extend(token("manifest-token", &manifest.token, manifest.token_check, None));
    }
    for (place, item) in report.items.iter().enumerate() {
        let id = format!("item-{}", place + 1);
        if let Some(file) = &item.file {
            objects.push(object(&id, SIGNED_DATA, &file.sha256, Vec::new()));
        }
        let stamped = item.file.is_some().then_some(id.as_str());
        objects.extend(token(&format!("{id}-token"), &item.token, item.token_check, stamped));
    }
    objects
}

/// A time-stamp token over the object `stamped`, and since when it proves that this object exists.
fn token(id: &str, state: &TokenState, check: Option<TokenCheck>, stamped: Option<&str>) -> Option<Element> {
    let TokenCheck { sha256, fault } = check?;
    let status = Status::of_token(state, fault);
    let mut elements = Vec::new();
    if let (TokenState::Verified { time: at, .. }, Some(stamped)) = (state, stamped) {
        elements.push(Element::of("POEProvisioning", [time("POETime", *at), to("ValidationObject", stamped)]));
    }
    elements.push(own_report(&status, None));
    Some(object(id, TIME_STAMP, &sha256, elements))
}

/// The report on a time stamp.
fn own_report(status: &Status, authority: Option<&CertificateFacts>) -> Element {
    let mut elements: Vec<Element> = authority.map(signer_information).into_iter().collect();
    elements.push(status_of(status.main.of_object(), status, None));
    Element::of("ValidationReport", elements)
}

fn object(id: &str, kind: &'static str, sha256: &Sha256Digest, more: Vec<Element>) -> Element {
    let mut elements =
        vec![Element::text("ObjectType", kind), Element::of("ValidationObjectRepresentation", [digest(sha256)])];
    elements.extend(more);
    Element::of("ValidationObject", elements).with("id", id)
}

fn digest(sha256: &Sha256Digest) -> Element {
    let method = Element::of("ds:DigestMethod", []).with("Algorithm", SHA_256);
    let value = Element::text("ds:DigestValue", STANDARD.encode(sha256.as_bytes()));
    Element::of("DigestAlgAndValue", [method, value])
}

/// A reference to an object of the report.
fn to(name: &'static str, id: impl Into<String>) -> Element {
    Element::of(name, []).with("VOReference", id)
}

fn time(name: &'static str, at: UnixTime) -> Element {
    Element::text(name, at.to_string())
}

fn time_stamp_id(place: usize) -> String {
    format!("time-stamp-{}", place + 1)
}

/// An identifier in XML begins with a letter.
fn certificate_id(certificate: &CertificateFacts) -> String {
    format!("certificate-{}", certificate.sha256)
}
