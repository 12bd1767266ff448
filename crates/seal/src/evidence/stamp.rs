//! One time stamp of a record, and the part of the tree that it needs.

use super::tree;
use crate::{
    algorithm::HashAlgorithm,
    digest::Sha256Digest,
    tsp::{Token, TokenError},
};

/// A time stamp, and how it covers what it is about: the file in the first of a record, the previous time stamp in the
/// others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveTimeStamp {
    /// The hash algorithm of the tree and of the time stamp.
    pub(super) algorithm: HashAlgorithm,
    /// The reduced hash tree (RFC 4998, section 4.1). Empty if the time stamp covers a single hash.
    pub(super) lists: Vec<Vec<Vec<u8>>>,
    pub(super) token: Token,
}

impl ArchiveTimeStamp {
    /// The time stamp `token` over the tree in which `hash` has this `path` ([`tree::path`]).
    ///
    /// # Errors
    /// The token does not stamp a hash of a supported algorithm.
    pub fn new(hash: &Sha256Digest, path: &[Sha256Digest], token: Token) -> Result<Self, TokenError> {
        let mut lists: Vec<Vec<Vec<u8>>> = path.iter().map(|sibling| vec![sibling.as_bytes().to_vec()]).collect();
        if let Some(first) = lists.first_mut() {
            first.push(hash.as_bytes().to_vec());
            first.sort_unstable();
        }
        Ok(Self { algorithm: token.imprint_algorithm()?, lists, token })
    }

    /// The time stamp `token` over a single hash.
    ///
    /// # Errors
    /// The token does not stamp a hash of a supported algorithm.
    pub fn of_one(token: Token) -> Result<Self, TokenError> {
        Ok(Self { algorithm: token.imprint_algorithm()?, lists: Vec::new(), token })
    }

    /// The root of the tree, if `hash` is in its first list (RFC 4998, section 4.3).
    pub(super) fn root(&self, hash: &[u8]) -> Option<Vec<u8>> {
        let Some((first, others)) = self.lists.split_first() else { return Some(hash.to_vec()) };
        if !first.iter().any(|member| member == hash) {
            return None;
        }
        let root = tree::node(self.algorithm, first.iter().map(Vec::as_slice));
        Some(others.iter().fold(root, |root, list| {
            let members = list.iter().map(Vec::as_slice).chain([root.as_slice()]);
            tree::node(self.algorithm, members)
        }))
    }
}
