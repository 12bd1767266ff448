//! The section of a component that carries its signatures: reading and writing it.

use sealwright_seal::digest::Sha256Digest;

use crate::sections::{CUSTOM, PREAMBLE_BYTES, read_bytes, read_number, section_at, write_bytes, write_number};

/// Where a file's first section begins.
pub(super) const PREAMBLE: usize = PREAMBLE_BYTES;
/// The number of Ed25519 among the algorithms.
pub(super) const ED25519: u8 = 1;

/// The name of the custom section.
const NAME: &[u8] = b"signature";
/// What every signed message begins with: a name, and the numbers of the format's version, of WebAssembly as the
/// content, and of SHA-256.
const DOMAIN: &[u8] = b"wasmsig\x01\x01\x01";
/// The three numbers, which the section begins with too.
const HEADER: &[u8] = &[1, 1, 1];
/// The most lists of hashes, hashes of a list and signatures of a list.
const MOST: usize = 64;

/// The content of the section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SignatureData {
    pub(super) signed: Vec<SignedHashes>,
}

/// Hashes of a component from its first section on: of parts of it, and the last one of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SignedHashes {
    pub(super) hashes: Vec<Sha256Digest>,
    pub(super) signatures: Vec<SingleSignature>,
}

/// A signature on a list of hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SingleSignature {
    /// Which key made it. May be empty.
    pub(super) key_id: Vec<u8>,
    pub(super) signature: Vec<u8>,
}

/// What a file begins with.
pub(super) enum Carried {
    Nothing,
    Section {
        /// None if it cannot be read.
        data: Option<SignatureData>,
        /// Where the signed bytes begin.
        after: usize,
    },
}

/// The section of signatures, which can only be the first one.
pub(super) fn find(bytes: &[u8]) -> Carried {
    let Some(first) = section_at(bytes, PREAMBLE).filter(|section| section.id == CUSTOM) else {
        return Carried::Nothing;
    };
    let after = first.content.end;
    let content = &bytes[first.content];
    let mut position = 0;
    match read_bytes(content, &mut position) {
        Some(NAME) => Carried::Section { data: SignatureData::read(&content[position..]), after },
        _ => Carried::Nothing,
    }
}

/// The bytes that a signature on these hashes signs.
pub(super) fn message(hashes: &[Sha256Digest]) -> Vec<u8> {
    let mut message = DOMAIN.to_vec();
    for hash in hashes {
        message.extend_from_slice(hash.as_bytes());
    }
    message
}

impl SignatureData {
    fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(HEADER)?;
        let mut position = 0;
        let mut signed = Vec::new();
        for _ in 0..read_count(bytes, &mut position)? {
            signed.push(SignedHashes::read(read_bytes(bytes, &mut position)?)?);
        }
        (position == bytes.len()).then_some(Self { signed })
    }

    /// The whole custom section.
    pub(super) fn write_section(&self) -> Vec<u8> {
        let mut content = Vec::new();
        write_bytes(&mut content, NAME);
        content.extend_from_slice(HEADER);
        write_number(&mut content, self.signed.len());
        for signed in &self.signed {
            write_bytes(&mut content, &signed.write());
        }
        let mut section = vec![CUSTOM];
        write_bytes(&mut section, &content);
        section
    }
}

impl SignedHashes {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut position = 0;
        let mut hashes = Vec::new();
        for _ in 0..read_count(bytes, &mut position)? {
            let hash: [u8; 32] = bytes.get(position..position + 32)?.try_into().ok()?;
            position += 32;
            hashes.push(Sha256Digest(hash));
        }
        let mut signatures = Vec::new();
        for _ in 0..read_count(bytes, &mut position)? {
            // One of an algorithm that is not known here says nothing about the others.
            signatures.extend(SingleSignature::read(read_bytes(bytes, &mut position)?));
        }
        (position == bytes.len()).then_some(Self { hashes, signatures })
    }

    fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_number(&mut bytes, self.hashes.len());
        for hash in &self.hashes {
            bytes.extend_from_slice(hash.as_bytes());
        }
        write_number(&mut bytes, self.signatures.len());
        for SingleSignature { key_id, signature } in &self.signatures {
            let mut one = Vec::new();
            write_bytes(&mut one, key_id);
            one.push(ED25519);
            write_bytes(&mut one, signature);
            write_bytes(&mut bytes, &one);
        }
        bytes
    }
}

impl SingleSignature {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut position = 0;
        let key_id = read_bytes(bytes, &mut position)?.to_vec();
        if bytes.get(position) != Some(&ED25519) {
            return None;
        }
        position += 1;
        let signature = read_bytes(bytes, &mut position)?.to_vec();
        (position == bytes.len()).then_some(Self { key_id, signature })
    }
}

fn read_count(bytes: &[u8], position: &mut usize) -> Option<usize> {
    usize::try_from(read_number(bytes, position)?).ok().filter(|count| *count <= MOST)
}
