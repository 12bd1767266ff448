//! Whether a signed PDF still has the digest that its signature names. The host tells where signatures are, and has not
//! looked further; the digest alone already tells whether the signed bytes were changed. Whether the signature itself is
//! somebody's is not asked here: a forger who signs anew is a matter of trust in the signer.

use sealwright_plugin_sdk::facts::Document;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// The identifier of the attribute `messageDigest` (RFC 5652, 11.2) in DER, with the tag of the set that follows.
const MESSAGE_DIGEST: [u8; 12] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04, 0x31];
/// More is not read.
const LIMIT: u64 = 32 << 20;

/// What became of the bytes that a signature covers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Digested {
    Same,
    Changed,
    /// The signature's form is not one that is read here.
    Unknown,
}

/// The signatures of a file in the order of their places in it.
pub(crate) fn digests(document: &Document) -> Vec<Digested> {
    let content = document.content();
    if content.size() > LIMIT {
        return Vec::new();
    }
    let mut file = Vec::new();
    loop {
        let part = content.read(file.len() as u64, 65_536);
        if part.is_empty() {
            break;
        }
        file.extend(part);
    }
    let marker = b"/ByteRange";
    let places =
        file.windows(marker.len()).enumerate().filter(|(_, bytes)| bytes == marker).map(|(at, _)| at + marker.len());
    places.map(|at| digested(&file, at).unwrap_or(Digested::Unknown)).collect()
}

/// `at` is where the byte range's array begins.
fn digested(file: &[u8], at: usize) -> Option<Digested> {
    let window = file.get(at..file.len().min(at + 120))?;
    let array: String = window.iter().map(|byte| char::from(*byte)).collect();
    let numbers: Vec<usize> = array
        .split_once('[')?
        .1
        .split_once(']')?
        .0
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .collect();
    let [start, length, next, rest] = numbers.try_into().ok()?;
    let first = file.get(start..start.checked_add(length)?)?;
    let second = file.get(next..next.checked_add(rest)?)?;
    let signature = hexadecimal(file.get(start.checked_add(length)?..next)?);
    let place =
        signature.windows(MESSAGE_DIGEST.len()).position(|bytes| bytes == MESSAGE_DIGEST)? + MESSAGE_DIGEST.len();
    // SET length, OCTET STRING, its length, the digest.
    let digest_length = usize::from(*signature.get(place + 2)?);
    let named = signature.get(place + 3..place + 3 + digest_length)?;
    let made: Vec<u8> = match digest_length {
        32 => Sha256::new().chain_update(first).chain_update(second).finalize().to_vec(),
        48 => Sha384::new().chain_update(first).chain_update(second).finalize().to_vec(),
        64 => Sha512::new().chain_update(first).chain_update(second).finalize().to_vec(),
        _ => return None,
    };
    Some(if made == named { Digested::Same } else { Digested::Changed })
}

/// The bytes of a hexadecimal string in angle brackets.
fn hexadecimal(text: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = text
        .iter()
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok())
        .collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}
