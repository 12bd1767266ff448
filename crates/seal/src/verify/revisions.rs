//! A certificate's revisions: finds the signature and the time stamps, and checks that they cover what they must and
//! that the later revisions contain nothing else.

use std::ops::Range;

use super::{Finding, FindingCode};
use crate::{
    digest::{Sha256Digest, Sha256Hasher},
    pades::{LOG_PROOF, TimeStampRevision, ValidationMaterial, fill, numbers},
    pdf::{
        PdfError,
        file::File,
        syntax::{Dictionary, Value},
    },
    pki::Certificate,
};

/// A certificate with valid revisions. Its signatures are not checked yet.
#[derive(Debug)]
pub(super) struct SealedPdf<'a> {
    pub(super) file: File<'a>,
    pub(super) signature: CoveringSignature,
    /// A PDF date.
    pub(super) claimed_time: Option<String>,
    /// Oldest first.
    pub(super) time_stamps: Vec<DocumentTimeStamp>,
}

/// A signature or token, and the digest of all that it covers.
#[derive(Debug)]
pub(super) struct CoveringSignature {
    pub(super) der: Vec<u8>,
    pub(super) digest: Sha256Digest,
}

#[derive(Debug)]
pub(super) struct DocumentTimeStamp {
    pub(super) covered: CoveringSignature,
    /// Of this revision.
    pub(super) material: Option<ValidationMaterial>,
    pub(super) log_proof: Option<Vec<u8>>,
}

/// Reads the revisions.
pub(super) fn read(bytes: &[u8]) -> Result<SealedPdf<'_>, Finding> {
    let unreadable = |error: PdfError| Finding::changed(FindingCode::Unreadable, error.to_string());
    let file = File::read(bytes).map_err(unreadable)?;
    let ends: Vec<usize> = file.revisions.iter().map(|revision| revision.span.end).collect();
    let Some(signed_until) = ends.get(1) else {
        return Err(Finding::changed(FindingCode::NotSigned, "the file has no signature"));
    };
    let signed = File::read(&bytes[..*signed_until]).map_err(unreadable)?;
    let (signature, claimed_time) = certification(&signed)?;
    let mut time_stamps = Vec::new();
    for (position, pair) in ends[1..].windows(2).enumerate() {
        let revision = position + 3;
        let before = File::read(&bytes[..pair[0]]).map_err(unreadable)?;
        let with = File::read(&bytes[..pair[1]]).map_err(unreadable)?;
        let time_stamp = time_stamp(&before, &with).map_err(|what| {
            Finding::changed(FindingCode::Addition, format!("revision {revision} is not a time stamp of ours: {what}"))
        })?;
        time_stamps.push(time_stamp);
    }
    Ok(SealedPdf { file, signature, claimed_time, time_stamps })
}

/// Finds the certification signature in a file that ends with its revision.
fn certification(file: &File<'_>) -> Result<(CoveringSignature, Option<String>), Finding> {
    let broken = |what: &str| Finding::changed(FindingCode::NotSigned, format!("the file is not signed by us: {what}"));
    let unreadable = |error: PdfError| Finding::changed(FindingCode::Unreadable, error.to_string());
    let (_, catalog) = file.catalog().map_err(unreadable)?;
    let number = catalog.dictionary("Perms").and_then(|permissions| permissions.reference("DocMDP"));
    let number = number.ok_or_else(|| broken("it is not certified"))?;
    let form = catalog.dictionary("AcroForm").ok_or_else(|| broken("it has no signature field"))?;
    let fields = numbers(form, "Fields").map_err(|_| broken("its form is not ours"))?;
    let [field] = fields.as_slice() else { return Err(broken("it has fields other than the signature's")) };
    let field = file.object(*field).map_err(unreadable)?;
    let field = field.dictionary().map_err(unreadable)?;
    if !field.is_name("FT", "Sig") || field.reference("V") != Some(number) {
        return Err(broken("its signature field does not contain the certification"));
    }
    if !file.newest().objects.contains_key(&number) {
        return Err(broken("its signature is not in the second revision"));
    }
    let object = file.object(number).map_err(unreadable)?;
    let dictionary = object.dictionary().map_err(unreadable)?;
    if !dictionary.is_name("Type", "Sig") || !dictionary.is_name("SubFilter", "ETSI.CAdES.detached") {
        return Err(broken("its signature is not a PAdES signature"));
    }
    if !forbids_changes(dictionary) {
        return Err(broken("its signature does not forbid changes"));
    }
    let covered = covered(file, dictionary).map_err(|what| Finding::changed(FindingCode::Coverage, what))?;
    let claimed_time = dictionary.string("M").map(|time| String::from_utf8_lossy(time).into_owned());
    Ok((covered, claimed_time))
}

/// Whether a signature certifies with permission 1 (ISO 32000-1, section 12.8.2.2).
fn forbids_changes(signature: &Dictionary) -> bool {
    let Some([reference]) = signature.array("Reference") else { return false };
    let Value::Dictionary(reference) = &reference.value else { return false };
    let parameters = reference.dictionary("TransformParams");
    reference.is_name("TransformMethod", "DocMDP")
        && parameters.is_some_and(|parameters| parameters.integer("P") == Some(1) && parameters.is_name("V", "1.2"))
}

/// The signature in a dictionary, and the digest of what it covers: all of the file, except for exactly this
/// dictionary's own `/Contents`, including its angle brackets.
fn covered(file: &File<'_>, dictionary: &Dictionary) -> Result<CoveringSignature, &'static str> {
    let hole = hole(file, dictionary)?;
    let end = file.bytes.len();
    let expected = [0, hole.start, hole.end, end - hole.end];
    let range = dictionary.array("ByteRange").unwrap_or_default();
    let is_expected = |(node, expected): (&crate::pdf::syntax::Node, &usize)| match node.value {
        Value::Integer(number) => usize::try_from(number) == Ok(*expected),
        _ => false,
    };
    if range.len() != expected.len() || !range.iter().zip(&expected).all(is_expected) {
        return Err("a signature does not cover its whole revision and all before it");
    }
    let der = contents(&file.bytes[hole.clone()])?;
    let mut hasher = Sha256Hasher::new();
    hasher.update(&file.bytes[..hole.start]);
    hasher.update(&file.bytes[hole.end..]);
    Ok(CoveringSignature { der, digest: hasher.finish() })
}

fn hole(file: &File<'_>, dictionary: &Dictionary) -> Result<Range<usize>, &'static str> {
    match dictionary.get("Contents") {
        Some(node) if matches!(node.value, Value::String(_)) && file.bytes[node.span.start] == b'<' => {
            Ok(node.span.clone())
        }
        _ => Err("a signature has no /Contents in hexadecimal"),
    }
}

/// The DER in a hole. No signature covers the hole, so each of its digits is checked: only uppercase, as this crate
/// writes them, since lowercase would give the same bytes; and only zeros after the DER.
fn contents(hole: &[u8]) -> Result<Vec<u8>, &'static str> {
    let digits = &hole[1..hole.len() - 1];
    if !digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F')) {
        return Err("the space for a signature contains characters other than uppercase hexadecimal digits");
    }
    let mut bytes = hex::decode(digits).map_err(|_| "the space for a signature contains half a byte")?;
    let length = der_length(&bytes).ok_or("the space for a signature does not start with DER")?;
    if bytes.len() < length || bytes[length..].iter().any(|byte| *byte != 0) {
        return Err("there is something other than zeros after a signature");
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// The length of the SEQUENCE at the start, including its header.
fn der_length(bytes: &[u8]) -> Option<usize> {
    let (&first, rest) = bytes.strip_prefix(&[0x30])?.split_first()?;
    if first < 0x80 {
        return Some(2 + usize::from(first));
    }
    let count = usize::from(first & 0x7F);
    if count == 0 || count > 4 {
        return None;
    }
    let length = rest.get(..count)?.iter().fold(0, |length: usize, byte| length << 8 | usize::from(*byte));
    length.checked_add(2 + count)
}

/// Reads the newest revision of `with` as a time stamp on top of `before`, and makes sure that it contains nothing
/// else.
fn time_stamp(before: &File<'_>, with: &File<'_>) -> Result<DocumentTimeStamp, String> {
    let dictionary = newest_time_stamp(with).map_err(|error| error.to_string())?.ok_or("it contains none")?;
    let hole = hole(with, &dictionary)?;
    let revision = TimeStampRevision {
        material: material(with)?,
        log_proof: dictionary.string(LOG_PROOF).map(<[u8]>::to_vec),
        room: (hole.len() - 2) / 2,
    };
    let covered = covered(with, &dictionary)?;
    let mut again = revision.write(before).map_err(|error| error.to_string())?;
    let base = before.bytes.len();
    let place = again.hole.start - base..again.hole.end - base;
    fill(&mut again.bytes[place], &covered.der).map_err(|error| error.to_string())?;
    if again.bytes != with.bytes[base..] {
        return Err("it contains something besides a time stamp".to_owned());
    }
    Ok(DocumentTimeStamp { covered, material: revision.material, log_proof: revision.log_proof })
}

fn newest_time_stamp(file: &File<'_>) -> Result<Option<Dictionary>, PdfError> {
    for number in file.newest().objects.keys() {
        let object = file.object(*number)?;
        if let Value::Dictionary(dictionary) = &object.node.value
            && dictionary.is_name("Type", "DocTimeStamp")
        {
            return Ok(Some(dictionary.clone()));
        }
    }
    Ok(None)
}

/// The validation material that the newest revision adds.
fn material(file: &File<'_>) -> Result<Option<ValidationMaterial>, String> {
    let (_, catalog) = file.catalog().map_err(|error| error.to_string())?;
    let Some(store) = catalog.reference("DSS") else { return Ok(None) };
    if !file.newest().objects.contains_key(&store) {
        return Ok(None);
    }
    let object = file.object(store).map_err(|error| error.to_string())?;
    let store = object.dictionary().map_err(|error| error.to_string())?;
    let streams = |key: &str| -> Result<Vec<Vec<u8>>, String> {
        if store.get(key).is_none() {
            return Ok(Vec::new());
        }
        let mut added = Vec::new();
        for number in numbers(store, key).map_err(|error| error.to_string())? {
            if file.newest().objects.contains_key(&number) {
                let object = file.object(number).map_err(|error| error.to_string())?;
                added.push(object.stream.ok_or("its store contains something that is not a stream")?.to_vec());
            }
        }
        Ok(added)
    };
    let certificates = streams("Certs")?.iter().map(|der| Certificate::from_der(der)).collect::<Result<_, _>>();
    Ok(Some(ValidationMaterial {
        certificates: certificates.map_err(|error| error.to_string())?,
        revocation_lists: streams("CRLs")?,
        ocsp_responses: streams("OCSPs")?,
    }))
}
