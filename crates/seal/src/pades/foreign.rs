//! Signatures in PDF files by other programs: whether they still match what they cover. Who signed is not checked.

use der::{Decode, Reader, SliceReader, asn1::AnyRef};

use crate::{
    algorithm::AlgorithmError,
    cms::{CmsError, SignedMessage},
    digest::Sha256Hasher,
    tsp::{Token, TokenError},
};

/// A longer message is not read: real ones, with chains and revocation lists, have about ten thousand bytes.
const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// Whether a signature matches what it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// What it covers has the signed digest, and the signature verifies with the included certificate.
    Intact,
    /// What it covers was changed, or the signature itself was.
    Broken,
    /// Its form or its algorithm is not supported here.
    Unknown,
}

/// Checks one signature (or document time stamp): `contents` is the value of its `/Contents`, with or without the zeros
/// after the message, and `covered` are the parts of the file in its `/ByteRange`, in order.
pub fn fit(contents: &[u8], covered: &[&[u8]]) -> Fit {
    let Some(message) = message(contents) else { return Fit::Unknown };
    match SignedMessage::from_foreign_der(message) {
        Ok(signed) if signed.content().is_none() => {
            of_message(signed.verify_of_any_form(|hash| hash.digest(covered)).err().as_ref())
        }
        // Embedded content: a time-stamp token has it.
        Ok(_) => of_time_stamp(message, covered),
        Err(_) => Fit::Unknown,
    }
}

/// The structure at the start; what follows is padding.
fn message(contents: &[u8]) -> Option<&[u8]> {
    let mut reader = SliceReader::new(contents).ok()?;
    AnyRef::decode(&mut reader).ok()?;
    let length = usize::try_from(u32::from(reader.position())).ok()?;
    contents.get(..length).filter(|message| message.len() <= MAX_MESSAGE_BYTES)
}

fn of_message(error: Option<&CmsError>) -> Fit {
    match error {
        None => Fit::Intact,
        Some(CmsError::OtherContent | CmsError::Signature(AlgorithmError::Mismatch)) => Fit::Broken,
        Some(_) => Fit::Unknown,
    }
}

fn of_time_stamp(message: &[u8], covered: &[&[u8]]) -> Fit {
    let Ok(token) = Token::from_foreign_der(message) else { return Fit::Unknown };
    // A stamp over a digest other than SHA-256 is not supported.
    let Some(stamped) = token.stamped_digest() else { return Fit::Unknown };
    let mut hasher = Sha256Hasher::new();
    for part in covered {
        hasher.update(part);
    }
    let digest = hasher.finish();
    if stamped != digest {
        return Fit::Broken;
    }
    match token.verify_signature(&digest) {
        Ok(_) => Fit::Intact,
        Err(TokenError::OtherDigest) => Fit::Broken,
        Err(TokenError::Message(error)) => of_message(Some(&error)),
        Err(_) => Fit::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pades::{SignatureText, prepare_signature, prepare_time_stamp},
        testing::{authority, base_pdf::base_pdf, now, stamps},
    };

    /// The last signature's contents, and what it covers.
    fn taken_apart(pdf: &[u8]) -> (Vec<u8>, [Vec<u8>; 2]) {
        let key = b"/Contents <";
        let open = pdf.windows(key.len()).rposition(|bytes| bytes == key).unwrap() + key.len() - 1;
        let close = open + pdf[open..].iter().position(|byte| *byte == b'>').unwrap();
        let contents = hex::decode(&pdf[open + 1..close]).unwrap();
        (contents, [pdf[..open].to_vec(), pdf[close + 1..].to_vec()])
    }

    fn fit_of(contents: &[u8], [first, second]: &[Vec<u8>; 2]) -> Fit {
        fit(contents, &[first, second])
    }

    fn signed() -> Vec<u8> {
        let text = SignatureText { name: "Example Org", reason: "Sealed", time: now() };
        let (identity, _) = authority("Example").into_identities().unwrap();
        prepare_signature(&base_pdf(&[]), &text).unwrap().sign(&identity).unwrap().finish(None).unwrap()
    }

    #[test]
    fn a_signature_is_intact_until_a_covered_byte_is_changed() {
        let (contents, mut parts) = taken_apart(&signed());
        assert_eq!(fit_of(&contents, &parts), Fit::Intact);
        parts[0][100] ^= 1;
        assert_eq!(fit_of(&contents, &parts), Fit::Broken);
    }

    #[test]
    fn a_changed_signature_is_broken_and_other_bytes_are_unknown() {
        let (contents, parts) = taken_apart(&signed());
        let end = message(&contents).unwrap().len();
        let mut changed = contents.clone();
        // The last byte of the message belongs to the signature's value.
        changed[end - 1] ^= 1;
        assert_eq!(fit_of(&changed, &parts), Fit::Broken);
        let long = vec![0xff; 100_000];
        for nothing in [&[][..], &[0; 100], b"text", &contents[..40], &[0x30, 0x80, 0, 0], &long] {
            assert_eq!(fit_of(nothing, &parts), Fit::Unknown);
        }
    }

    #[test]
    fn a_document_time_stamp_is_intact_until_a_byte_is_changed() {
        let prepared = prepare_time_stamp(&signed(), None, None).unwrap();
        let token = stamps(authority("Example")).stamp(&prepared.digest(), [8; 16], now()).unwrap();
        let (contents, mut parts) = taken_apart(&prepared.finish(&token).unwrap());
        assert_eq!(fit_of(&contents, &parts), Fit::Intact);
        parts[1][1] ^= 1;
        assert_eq!(fit_of(&contents, &parts), Fit::Broken);
    }
}
