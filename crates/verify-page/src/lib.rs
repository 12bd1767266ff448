//! The check of `sealwright verify` for a page in a browser: bytes and a request in JSON go in, the facts and the account
//! in JSON come out. The page gives the time and the trusted certificates, because this module has neither a clock nor
//! files.
//!
//! `cargo xtask plugins` compiles it to WebAssembly, and `web/verify/` calls it through `abi.rs`. Reading the text of
//! pages takes libraries that a hostile file may stop: the page runs [`read_pages`] in an instance of its own, as the
//! command line does in a process of its own.

#[cfg(target_family = "wasm")]
mod abi;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_facts::{
    UnreadableReason,
    pages::{LIMITS, PageTexts, ShownPicture, page_texts, shown_pictures},
};
use sealwright_seal::{
    Certificate, Sha256Digest, UnixTime,
    disclosure::Disclosure,
    tlog::cosignature::WitnessKey,
    verify::{EmbeddedOriginal, Original, Report, embedded_originals},
};
use sealwright_verification::{
    Account, CasePackage, CasePackageReader, Facts, GivenCertificates, Language, Subject, Trust, check_case_package,
    compare_texts, hold_disclosure, hold_evidence, read_certificates,
};
use serde::{Deserialize, Serialize};

/// What the page asks for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    /// The name of the certificate's file.
    name: String,
    language: Language,
    /// Milliseconds since the Unix epoch.
    now: i64,
    originals: Vec<NamedDigest>,
    disclosures: Vec<NamedText>,
    /// Evidence records (RFC 4998).
    evidence: Vec<NamedFile>,
    /// Roots to trust for signatures, and for time stamps too if `time_roots` is empty.
    roots: Vec<NamedFile>,
    time_roots: Vec<NamedFile>,
    signers: Vec<NamedFile>,
    /// Verifier keys of witnesses to trust.
    witnesses: Vec<String>,
    /// The answer of [`read_pages`]. None: the pages could not be read.
    pages: Option<PageTexts>,
}

#[derive(Debug, Deserialize)]
struct NamedDigest {
    name: String,
    sha256: Sha256Digest,
}

#[derive(Debug, Deserialize)]
struct NamedText {
    name: String,
    text: String,
}

#[derive(Debug, Deserialize)]
struct NamedFile {
    name: String,
    base64: String,
}

/// The largest certificate in a package, in bytes, as for the command line. The page refuses one of more than 256 MB before
/// it reads the package.
const MOST_CERTIFICATE: u64 = 1 << 30;
/// All pictures that are shown together, in bytes.
const MOST_PICTURE_BYTES: usize = 64 << 20;

#[derive(Serialize)]
struct EncodedPicture {
    page: u32,
    /// In Base64.
    jpeg: String,
}

/// A picture among the originals inside a certificate.
#[derive(Serialize)]
struct EncodedOriginal {
    name: String,
    #[serde(rename = "type")]
    media_type: &'static str,
    base64: String,
}

/// Where a certificate is in a package: from this byte to before that one.
#[derive(Serialize)]
struct Place {
    from: u64,
    to: u64,
}

/// A file to check.
#[derive(Clone, Copy)]
enum Checkable<'a> {
    /// A certificate or a disclosure.
    Whole(&'a [u8]),
    Package(&'a CasePackage),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer<'a> {
    Checked {
        /// As `sealwright verify --json` prints them.
        facts: Facts<'a>,
        account: &'a Account,
    },
    /// Nothing was checked.
    Failed { problem: String },
}

/// Checks the certificate `file` as `request` says. The answer is JSON.
pub fn check(file: &[u8], request: &[u8]) -> String {
    checked(Checkable::Whole(file), request).unwrap_or_else(|problem| json(&Answer::Failed { problem }))
}

/// Checks the package of a case as `request` says. The answer is JSON.
pub fn check_package(package: CasePackageReader, request: &[u8]) -> String {
    checked(Checkable::Package(&package.finish()), request).unwrap_or_else(|problem| json(&Answer::Failed { problem }))
}

/// Reads the package of a case.
pub fn package_reader() -> CasePackageReader {
    CasePackageReader::new(MOST_CERTIFICATE)
}

/// Where the certificate is in a package that is being read, as JSON: null until it is known.
pub fn certificate_in(package: Option<&CasePackageReader>) -> String {
    let place = package.and_then(CasePackageReader::certificate);
    json(&place.map(|place| Place { from: place.start, to: place.end }))
}

/// The text of the pages of `file`, as JSON for `pages` of a request.
pub fn read_pages(file: Vec<u8>) -> String {
    json(&page_texts(file, &LIMITS))
}

/// The pictures that the pages of `file` show, as JSON.
pub fn read_pictures(file: Vec<u8>) -> String {
    let pictures = shown_pictures(file, &LIMITS, MOST_PICTURE_BYTES).into_iter();
    let encoded = |ShownPicture { page, jpeg }| EncodedPicture { page, jpeg: STANDARD.encode(jpeg) };
    json(&pictures.map(encoded).collect::<Vec<_>>())
}

/// The pictures among the original files inside `file`, as JSON. The facts of a check say which files are the sealed ones.
pub fn read_originals(file: &[u8]) -> String {
    let mut left = MOST_PICTURE_BYTES;
    let encoded = |EmbeddedOriginal { name, bytes }| {
        let media_type = picture_type(&bytes)?;
        left = left.checked_sub(bytes.len())?;
        Some(EncodedOriginal { name, media_type, base64: STANDARD.encode(bytes) })
    };
    json(&embedded_originals(file).into_iter().filter_map(encoded).collect::<Vec<_>>())
}

/// By the first bytes, as browsers do.
fn picture_type(file: &[u8]) -> Option<&'static str> {
    const TYPES: [(&[u8], &str); 2] = [(b"\xFF\xD8\xFF", "image/jpeg"), (b"\x89PNG\r\n\x1A\n", "image/png")];
    TYPES.iter().find(|(start, _)| file.starts_with(start)).map(|(_, media_type)| *media_type)
}

fn checked(file: Checkable<'_>, request: &[u8]) -> Result<String, String> {
    let request: Request =
        serde_json::from_slice(request).map_err(|error| format!("the request cannot be read: {error}"))?;
    let now = UnixTime::from_millis(request.now).map_err(|error| format!("the clock of this machine: {error}"))?;
    let given = GivenCertificates {
        roots: certificates(&request.roots)?,
        time_roots: certificates(&request.time_roots)?,
        signers: certificates(&request.signers)?,
    };
    let disclosures = request.disclosures.iter().map(disclosure).collect::<Result<Vec<_>, _>>()?;
    let mut trust = Trust::of_given(given, |_| false);
    trust.add_witnesses(witnesses(&request.witnesses)?);
    let originals: Vec<Original> =
        request.originals.into_iter().map(|NamedDigest { name, sha256 }| Original { name, sha256 }).collect();
    let texts = request.pages.unwrap_or_else(|| PageTexts::unreadable(UnreadableReason::ReaderFailed));
    let (certificate, mut checked) = match file {
        Checkable::Whole(file) => {
            let compare = |report: &mut Report| compare_texts(file, texts, report);
            (file, sealwright_verification::check(file, &trust, &originals, now, compare))
        }
        Checkable::Package(package) => {
            let compare = |pdf: &[u8], report: &mut Report| compare_texts(pdf, texts, report);
            (package.certificate(), check_case_package(package, &trust, &originals, now, compare))
        }
    };
    for (name, disclosure) in &disclosures {
        hold_disclosure(&mut checked, name, disclosure);
    }
    for NamedFile { name, base64 } in &request.evidence {
        let record = STANDARD.decode(base64).map_err(|error| format!("{name}: {error}"))?;
        hold_evidence(&mut checked, certificate, &trust, name, &record);
    }
    let account = Account::of(&checked, &Subject { name: request.name }, request.language);
    Ok(json(&Answer::Checked { facts: Facts::of(&checked, &trust), account: &account }))
}

fn certificates(files: &[NamedFile]) -> Result<Vec<Certificate>, String> {
    let mut all = Vec::new();
    for NamedFile { name, base64 } in files {
        let bytes = STANDARD.decode(base64).map_err(|error| format!("{name}: {error}"))?;
        all.extend(read_certificates(&bytes).map_err(|error| format!("{name}: {error}"))?);
    }
    Ok(all)
}

fn witnesses(keys: &[String]) -> Result<Vec<WitnessKey>, String> {
    let read = |key: &String| key.parse::<WitnessKey>().map_err(|error| format!("the witness key {key}: {error}"));
    keys.iter().map(read).collect()
}

fn disclosure(file: &NamedText) -> Result<(String, Disclosure), String> {
    let NamedText { name, text } = file;
    let disclosure = serde_json::from_str(text).map_err(|error| format!("{name}: not a disclosure: {error}"))?;
    Ok((name.clone(), disclosure))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| r#"{"problem":"the answer cannot be written"}"#.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn request() -> Value {
        json!({
            "name": "a.pdf", "language": "en", "now": 1_795_168_800_000_i64, "originals": [], "disclosures": [],
            "evidence": [], "roots": [], "timeRoots": [], "signers": [], "witnesses": [], "pages": null,
        })
    }

    fn ask(file: &[u8], request: &Value) -> Value {
        serde_json::from_str(&check(file, request.to_string().as_bytes())).unwrap()
    }

    #[test]
    fn a_file_that_is_not_a_certificate_is_reported_in_the_requested_language() {
        let answer = ask(b"hello", &request());
        assert_eq!(answer["facts"]["outcome"], "changedOrNotOurs", "{answer}");
        assert_eq!(answer["account"]["headline"], "This is not a valid certificate.");
        assert_eq!(answer["account"]["answers"][0]["question"], "Unchanged?");
        assert_eq!(answer["account"]["answers"][0]["mark"], "bad");
        assert_eq!(answer["facts"]["file"]["checkedAt"], "2026-11-20T10:00:00.000Z");
        let mut french = request();
        french["language"] = json!("fr");
        assert_eq!(ask(b"hello", &french)["account"]["headline"], "Ceci n’est pas un certificat valide.");
        let mut german = request();
        german["language"] = json!("de");
        assert_eq!(ask(b"hello", &german)["account"]["headline"], "Dies ist kein gültiges Zertifikat.");
    }

    #[test]
    fn what_cannot_be_used_is_a_problem_and_not_an_answer() {
        let mut no_root = request();
        no_root["roots"] = json!([{ "name": "root.pem", "base64": "aGVsbG8=" }]);
        let mut no_disclosure = request();
        no_disclosure["disclosures"] = json!([{ "name": "part.json", "text": "{}" }]);
        let mut no_time = request();
        no_time["now"] = json!(-1);
        let mut no_witness = request();
        no_witness["witnesses"] = json!(["w.example/1"]);
        for (request, expected) in [
            (no_witness, "the witness key w.example/1: "),
            (no_root, "root.pem: no `-----BEGIN CERTIFICATE-----`"),
            (no_disclosure, "part.json: not a disclosure"),
            (no_time, "the clock of this machine"),
            (json!({}), "the request cannot be read"),
        ] {
            let answer = ask(b"%PDF-1.7", &request);
            assert!(answer["problem"].as_str().unwrap().contains(expected), "{answer}");
        }
    }

    #[test]
    fn an_evidence_record_is_checked_against_the_file() {
        let mut with_record = request();
        with_record["evidence"] = json!([{ "name": "record.ers", "base64": "aGVsbG8=" }]);
        let answer = ask(b"%PDF-1.7", &with_record);
        let findings = answer["facts"]["findings"].as_array().unwrap();
        let of_record = findings.iter().find(|finding| finding["code"] == "evidence").unwrap();
        let message = of_record["message"].as_str().unwrap();
        assert!(message.starts_with("`record.ers` does not count: it is not an evidence record"), "{message}");
    }

    #[test]
    fn witnesses_are_trusted_by_their_keys() {
        let mut with_witness = request();
        with_witness["witnesses"] = json!(["w.example/1+2635800e+BBpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"]);
        assert_eq!(ask(b"hello", &with_witness)["facts"]["witnesses"]["trusted"], 1);
    }

    #[test]
    fn a_package_is_checked_in_pieces() {
        assert_eq!(certificate_in(None), "null");
        let mut reader = package_reader();
        for piece in [&b"PK\x03\x04"[..], b"not a package"] {
            reader.update(piece);
        }
        assert_eq!(certificate_in(Some(&reader)), "null");
        let answer: Value = serde_json::from_str(&check_package(reader, request().to_string().as_bytes())).unwrap();
        assert_eq!(answer["facts"]["outcome"], "changedOrNotOurs", "{answer}");
        assert_eq!(
            (&answer["facts"]["file"]["size"], &answer["facts"]["findings"][0]["code"]),
            (&json!(17), &json!("unreadable"))
        );
    }

    #[test]
    fn the_text_of_pages_goes_from_one_call_to_the_other() {
        let pages: Value = serde_json::from_str(&read_pages(b"hello".to_vec())).unwrap();
        assert_eq!(pages["reading"]["state"], "unreadable");
        let mut with_pages = request();
        with_pages["pages"] = pages;
        assert_eq!(ask(b"hello", &with_pages)["facts"]["outcome"], "changedOrNotOurs");
        assert_eq!(read_pictures(b"hello".to_vec()), "[]");
        assert_eq!(read_originals(b"hello"), "[]");
    }

    #[test]
    fn pictures_are_recognised_by_their_first_bytes() {
        assert_eq!(picture_type(b"\xFF\xD8\xFF\xE0"), Some("image/jpeg"));
        assert_eq!(picture_type(b"\x89PNG\r\n\x1A\n\0"), Some("image/png"));
        for other in [&b""[..], b"\xFF\xD8", b"%PDF-1.7", b"<svg>"] {
            assert_eq!(picture_type(other), None);
        }
    }
}
