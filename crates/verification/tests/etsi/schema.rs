//! The rules of the schema of TS 119 102-2, version 1.2.1, for the elements that the report uses: their order, how many
//! there may be, and what they contain. An element that is not listed here fails.

use std::collections::BTreeSet;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use roxmltree::{Document, Node};

const NAMESPACE: &str = "http://uri.etsi.org/19102/v1.2.1#";
const SIGNATURE_NAMESPACE: &str = "http://www.w3.org/2000/09/xmldsig#";
const MANY: usize = usize::MAX;

/// An element of a sequence: its name, how often it must and may appear, and its type.
type Part = (&'static str, usize, usize, &'static str);

/// The sequence of a type. None for a type that is text.
fn sequence(kind: &str) -> Option<&'static [Part]> {
    let parts: &'static [Part] = match kind {
        "ValidationReport" => &[
            ("SignatureValidationReport", 1, MANY, "SignatureValidationReport"),
            ("SignatureValidationObjects", 0, 1, "ValidationObjectList"),
        ],
        "SignatureValidationReport" => &[
            ("SignatureIdentifier", 0, 1, "SignatureIdentifier"),
            ("ValidationTimeInfo", 0, 1, "ValidationTimeInfo"),
            ("SignersDocument", 0, 1, "SignersDocument"),
            ("SignerInformation", 0, 1, "SignerInformation"),
            ("SignatureValidationProcess", 0, 1, "SignatureValidationProcess"),
            ("SignatureValidationStatus", 1, 1, "ValidationStatus"),
        ],
        "SignatureIdentifier" => &[
            ("DigestAlgAndValue", 0, 1, "DigestAlgAndValue"),
            ("ds:SignatureValue", 0, 1, "base64"),
            ("HashOnly", 1, 1, "boolean"),
            ("DocHashOnly", 1, 1, "boolean"),
            ("DAIdentifier", 0, 1, "string"),
        ],
        "ValidationTimeInfo" => &[("ValidationTime", 1, 1, "dateTime"), ("BestSignatureTime", 1, 1, "POE")],
        "POE" => &[("POETime", 1, 1, "dateTime"), ("TypeOfProof", 1, 1, "uri"), ("POEObject", 0, 1, "VOReference")],
        "SignersDocument" => &[
            ("DigestAlgAndValue", 1, 1, "DigestAlgAndValue"),
            ("SignersDocumentRepresentation", 0, 1, "VOReference"),
            ("SignersDocumentRef", 0, 1, "VOReference"),
        ],
        "SignerInformation" => &[("SignerCertificate", 1, 1, "VOReference"), ("Signer", 0, 1, "string")],
        "SignatureValidationProcess" => &[("SignatureValidationProcessID", 0, 1, "uri")],
        "ValidationStatus" => &[
            ("MainIndication", 1, 1, "uri"),
            ("SubIndication", 0, MANY, "uri"),
            ("AssociatedValidationReportData", 0, MANY, "ValidationReportData"),
        ],
        "ValidationReportData" => &[
            ("TrustAnchor", 0, 1, "VOReference"),
            ("CertificateChain", 0, 1, "CertificateChain"),
            ("RelatedValidationObject", 0, MANY, "VOReference"),
            ("AdditionalValidationReportData", 0, 1, "AdditionalValidationReportData"),
        ],
        "CertificateChain" => &[("SigningCertificate", 1, 1, "VOReference")],
        "AdditionalValidationReportData" => &[("ReportData", 1, MANY, "TypedData")],
        "TypedData" => &[("Type", 1, 1, "uri"), ("Value", 1, 1, "string")],
        "ValidationObjectList" => &[("ValidationObject", 1, MANY, "ValidationObject")],
        "ValidationObject" => &[
            ("ObjectType", 1, 1, "uri"),
            ("ValidationObjectRepresentation", 1, 1, "ValidationObjectRepresentation"),
            ("POE", 0, 1, "POE"),
            ("POEProvisioning", 0, 1, "POEProvisioning"),
            ("ValidationReport", 0, 1, "SignatureValidationReport"),
        ],
        "ValidationObjectRepresentation" => &[("DigestAlgAndValue", 1, 1, "DigestAlgAndValue")],
        "POEProvisioning" => &[("POETime", 1, 1, "dateTime"), ("ValidationObject", 0, MANY, "VOReference")],
        "DigestAlgAndValue" => &[("ds:DigestMethod", 1, 1, "DigestMethod"), ("ds:DigestValue", 1, 1, "base64")],
        "VOReference" | "DigestMethod" => &[],
        "uri" | "string" | "boolean" | "dateTime" | "base64" => return None,
        other => panic!("the type {other} is not listed"),
    };
    Some(parts)
}

/// The attributes of a type: all are required here.
fn attributes(kind: &str) -> &'static [&'static str] {
    match kind {
        "SignatureIdentifier" | "ValidationObject" => &["id"],
        "VOReference" => &["VOReference"],
        "DigestMethod" => &["Algorithm"],
        _ => &[],
    }
}

/// Sub-indications that belong to each main indication (EN 319 102-1).
const OF_FAILED: [&str; 3] = ["FORMAT_FAILURE", "HASH_FAILURE", "SIG_CRYPTO_FAILURE"];
const OF_INDETERMINATE: [&str; 5] = [
    "CHAIN_CONSTRAINTS_FAILURE",
    "NO_CERTIFICATE_CHAIN_FOUND",
    "OUT_OF_BOUNDS_NO_POE",
    "REVOKED_NO_POE",
    "TIMESTAMP_ORDER_FAILURE",
];

/// Fails if a report breaks a rule of the schema, or names an object that it does not have.
pub(crate) fn assert_conforms(report: &str) {
    let document = Document::parse(report).unwrap();
    let root = document.root_element();
    assert_eq!(name_of(root), "ValidationReport");
    assert_type(root, "ValidationReport");
    let ids: Vec<&str> = root.descendants().filter_map(|node| node.attribute("id")).collect();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(distinct.len(), ids.len(), "an identifier is used twice: {ids:?}");
    for reference in root.descendants().filter_map(|node| node.attribute("VOReference")) {
        assert!(distinct.contains(reference), "{reference} is not in the report: {report}");
    }
    let statuses = root.descendants().filter(|node| node.tag_name().name() == "SignatureValidationStatus");
    for status in statuses {
        assert_status(status);
    }
}

fn assert_type(node: Node<'_, '_>, kind: &str) {
    let given: Vec<&str> = node.attributes().map(|attribute| attribute.name()).collect();
    assert_eq!(given, attributes(kind), "{}", name_of(node));
    let Some(sequence) = sequence(kind) else {
        assert!(node.children().all(|child| child.is_text()), "{} is a text", name_of(node));
        assert_text(node.text().unwrap_or_default(), kind);
        return;
    };
    let mut children = node.children().filter(Node::is_element).peekable();
    for (name, least, most, of) in sequence {
        let mut count = 0;
        while let Some(child) = children.next_if(|child| name_of(*child) == *name) {
            assert_type(child, of);
            count += 1;
        }
        assert!((*least..=*most).contains(&count), "{count} of {name} in {kind}");
    }
    assert_eq!(children.next().map(name_of), None, "out of place in {kind}");
}

fn assert_text(text: &str, kind: &str) {
    match kind {
        "uri" => assert!(text.starts_with("urn:"), "{text}"),
        "boolean" => assert!(["true", "false"].contains(&text), "{text}"),
        "dateTime" => {
            let form: String = text.chars().map(|digit| if digit.is_ascii_digit() { '0' } else { digit }).collect();
            assert_eq!(form, "0000-00-00T00:00:00.000Z");
        }
        "base64" => assert!(!STANDARD.decode(text).unwrap().is_empty()),
        _ => assert!(!text.is_empty()),
    }
}

fn assert_status(status: Node<'_, '_>) {
    let [main, sub] = ["MainIndication", "SubIndication"].map(|name| texts(status, name));
    let [main] = main.as_slice() else { panic!("{main:?}") };
    let main = main.strip_prefix("urn:etsi:019102:mainindication:").unwrap();
    let sub: Vec<&str> = sub.iter().map(|uri| uri.strip_prefix("urn:etsi:019102:subindication:").unwrap()).collect();
    let known: &[&str] = match main {
        "total-passed" | "passed" => &[],
        "total-failed" | "failed" => &OF_FAILED,
        "indeterminate" => &OF_INDETERMINATE,
        other => panic!("{other} is not a main indication"),
    };
    assert!(sub.iter().all(|indication| known.contains(indication)), "{main}: {sub:?}");
    assert_eq!(sub.is_empty(), known.is_empty(), "{main}");
}

fn texts<'a>(node: Node<'a, '_>, name: &str) -> Vec<&'a str> {
    let named = node.children().filter(|child| child.tag_name().name() == name);
    named.map(|child| child.text().unwrap_or_default()).collect()
}

fn name_of(node: Node<'_, '_>) -> String {
    let name = node.tag_name();
    match name.namespace() {
        Some(NAMESPACE) => name.name().to_owned(),
        Some(SIGNATURE_NAMESPACE) => format!("ds:{}", name.name()),
        other => panic!("{} is in the namespace {other:?}", name.name()),
    }
}
