//! Evidence records (RFC 4998): one time stamp for any number of files, renewed for all of them by one further time
//! stamp.
//!
//! A tree of hashes is built over the files, and its root is time-stamped. The record of one file has the hashes on the
//! path from that file to the root, so it can be checked without the other files. Before the certificates behind the
//! time stamp expire, the time stamp itself is stamped again ([`EvidenceRecord::append`]). Before the hash algorithm
//! becomes too weak, the files and their records are hashed with another one
//! ([`EvidenceRecord::hash_to_renew`], [`EvidenceRecord::start_chain`]).
//!
//! Only the strict form is read: DER, tokens in the form of [`Token::from_der`](crate::tsp::Token::from_der), and no `cryptoInfos`,
//! `encryptionInfo` or attributes, because no hash would cover them.

mod check;
mod error;
mod stamp;
mod syntax;
#[cfg(test)]
mod tests;
pub mod tree;

use der::Encode;

use self::syntax::{ArchiveTimeStampSyntax, EvidenceRecordSyntax};
pub use self::{
    check::{EvidenceExpectations, EvidenceStamp, VerifiedEvidence},
    error::{EvidenceError, MAX_RECORD},
    stamp::ArchiveTimeStamp,
};
pub use crate::algorithm::HashAlgorithm;
use crate::asn1::decode_exactly;

/// The evidence record of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceRecord {
    /// At least one, oldest first. All time stamps of a chain use the same hash algorithm. None is empty.
    chains: Vec<Vec<ArchiveTimeStamp>>,
}

impl EvidenceRecord {
    /// A record with its first time stamp.
    pub fn new(first: ArchiveTimeStamp) -> Self {
        Self { chains: vec![vec![first]] }
    }

    /// Adds a time stamp over the newest one (RFC 4998, section 5.2, "time-stamp renewal").
    pub fn append(&mut self, renewal: ArchiveTimeStamp) {
        if let Some(chain) = self.chains.last_mut() {
            chain.push(renewal);
        }
    }

    /// Adds a chain of time stamps whose first one covers [`hash_to_renew`](Self::hash_to_renew) (RFC 4998,
    /// section 5.2, "hash-tree renewal").
    pub fn start_chain(&mut self, first: ArchiveTimeStamp) {
        self.chains.push(vec![first]);
    }

    /// The hash of the file and of this record, for a new chain with `algorithm`.
    pub fn hash_to_renew(&self, algorithm: HashAlgorithm, file: &[u8]) -> Vec<u8> {
        self.hash_for_chain(algorithm, file, self.chains.len())
    }

    /// What the first time stamp of chain `position` covers: the hash of the file; from the second chain on, the hash
    /// of the file's hash and of the hash of all earlier chains.
    fn hash_for_chain(&self, algorithm: HashAlgorithm, file: &[u8], position: usize) -> Vec<u8> {
        let of_file = algorithm.digest(&[file]);
        if position == 0 {
            return of_file;
        }
        let earlier: Vec<Vec<ArchiveTimeStampSyntax>> =
            self.chains[..position].iter().map(|chain| syntax_of(chain)).collect();
        let earlier = earlier.to_der().expect("hashes and tokens that were read or made here have an encoding");
        algorithm.digest(&[&of_file, &algorithm.digest(&[&earlier])])
    }

    #[expect(clippy::missing_panics_doc, reason = "what was read or made here has an encoding")]
    pub fn to_der(&self) -> Vec<u8> {
        let record = EvidenceRecordSyntax {
            version: syntax::VERSION,
            digest_algorithms: self.algorithms().into_iter().map(HashAlgorithm::identifier).collect(),
            archive_time_stamps: self.chains.iter().map(|chain| syntax_of(chain)).collect(),
        };
        record.to_der().expect("hashes and tokens that were read or made here have an encoding")
    }

    /// Reads a record in the strict form.
    ///
    /// # Errors
    /// It is too large, is not a record, or has a part that nothing covers.
    pub fn from_der(der: &[u8]) -> Result<Self, EvidenceError> {
        if der.len() > MAX_RECORD {
            return Err(EvidenceError::TooLarge(der.len()));
        }
        let malformed = |error: der::Error| EvidenceError::Malformed(error.to_string());
        let read: EvidenceRecordSyntax = decode_exactly(der).map_err(malformed)?;
        if read.version != syntax::VERSION {
            return Err(EvidenceError::Malformed(format!("its version is {}, expected 1", read.version)));
        }
        let mut chains = Vec::new();
        for chain in read.archive_time_stamps {
            chains.push(chain.into_iter().map(ArchiveTimeStampSyntax::read).collect::<Result<Vec<_>, _>>()?);
        }
        let record = Self { chains };
        record.check_form()?;
        let algorithms: Vec<_> = record.algorithms().into_iter().map(HashAlgorithm::identifier).collect();
        if read.digest_algorithms != algorithms {
            return Err(EvidenceError::Malformed("its list of hash algorithms is not that of its chains".to_owned()));
        }
        Ok(record)
    }

    fn check_form(&self) -> Result<(), EvidenceError> {
        let malformed = |what: &str| Err(EvidenceError::Malformed(what.to_owned()));
        if self.chains.is_empty() || self.chains.iter().any(Vec::is_empty) {
            return malformed("it has no time stamps, or a chain without any");
        }
        for chain in &self.chains {
            if chain.iter().any(|stamp| stamp.algorithm != chain[0].algorithm) {
                return malformed("a chain has two hash algorithms");
            }
        }
        Ok(())
    }

    /// The hash algorithms in the order in which they are first used.
    fn algorithms(&self) -> Vec<HashAlgorithm> {
        let mut algorithms = Vec::new();
        for stamp in self.chains.iter().flatten() {
            if !algorithms.contains(&stamp.algorithm) {
                algorithms.push(stamp.algorithm);
            }
        }
        algorithms
    }
}

fn syntax_of(chain: &[ArchiveTimeStamp]) -> Vec<ArchiveTimeStampSyntax> {
    chain.iter().map(ArchiveTimeStampSyntax::of).collect()
}
