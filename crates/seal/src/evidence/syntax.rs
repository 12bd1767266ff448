//! The ASN.1 of RFC 4998, appendix B (the module with implicit tags), without the parts that nothing covers.

use der::{Any, Decode, Encode, Sequence, asn1::OctetString};
use spki::AlgorithmIdentifierOwned;

use super::{error::EvidenceError, stamp::ArchiveTimeStamp};
use crate::{algorithm::HashAlgorithm, tsp::Token};

/// `v1`.
pub(super) const VERSION: u8 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct EvidenceRecordSyntax {
    pub(super) version: u8,
    pub(super) digest_algorithms: Vec<AlgorithmIdentifierOwned>,
    pub(super) archive_time_stamps: Vec<Vec<ArchiveTimeStampSyntax>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct ArchiveTimeStampSyntax {
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", optional = "true")]
    digest_algorithm: Option<AlgorithmIdentifierOwned>,
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT", optional = "true")]
    reduced_hash_tree: Option<Vec<Vec<OctetString>>>,
    /// A `ContentInfo`, read by [`Token`].
    time_stamp: Any,
}

impl ArchiveTimeStampSyntax {
    pub(super) fn of(stamp: &ArchiveTimeStamp) -> Self {
        let octets = |hash: &Vec<u8>| OctetString::new(hash.as_slice()).expect("a hash is short");
        let list = |hashes: &Vec<Vec<u8>>| hashes.iter().map(octets).collect::<Vec<_>>();
        Self {
            digest_algorithm: Some(stamp.algorithm.identifier()),
            reduced_hash_tree: (!stamp.lists.is_empty()).then(|| stamp.lists.iter().map(list).collect()),
            time_stamp: Any::from_der(stamp.token.der()).expect("a token is DER"),
        }
    }

    pub(super) fn read(self) -> Result<ArchiveTimeStamp, EvidenceError> {
        let malformed = EvidenceError::Malformed;
        let der = self.time_stamp.to_der().map_err(|error| malformed(error.to_string()))?;
        let token = Token::from_der(&der).map_err(|error| malformed(format!("a time stamp: {error}")))?;
        let algorithm = token.imprint_algorithm().map_err(|error| malformed(format!("a time stamp: {error}")))?;
        if self.digest_algorithm.is_none_or(|named| named != algorithm.identifier()) {
            return Err(malformed("a time stamp does not have the hash algorithm of its tree".to_owned()));
        }
        let lists = match self.reduced_hash_tree {
            None => Vec::new(),
            Some(lists) => read_lists(&lists, algorithm).map_err(|what| malformed(what.to_owned()))?,
        };
        Ok(ArchiveTimeStamp { algorithm, lists, token })
    }
}

fn read_lists(lists: &[Vec<OctetString>], algorithm: HashAlgorithm) -> Result<Vec<Vec<Vec<u8>>>, &'static str> {
    if lists.is_empty() || lists.iter().any(Vec::is_empty) {
        return Err("a tree of hashes is empty, or one of its lists is");
    }
    // Programs disagree on whether a single hash is hashed again.
    if lists[0].len() < 2 {
        return Err("the first list of a tree has only one hash");
    }
    if lists.iter().flatten().any(|hash| hash.as_bytes().len() != algorithm.length()) {
        return Err("a hash does not have the length of its algorithm");
    }
    Ok(lists.iter().map(|list| list.iter().map(|hash| hash.as_bytes().to_vec()).collect()).collect())
}
