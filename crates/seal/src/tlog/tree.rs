//! A log's tree as its operator stores it. Each node over a complete subtree is stored once and never changes, so a
//! leaf costs two nodes on average, and a proof reads as many nodes as the tree's height.

use std::collections::BTreeMap;

use crate::{
    digest::Sha256Digest,
    merkle::{leaf_hash, node_hash},
};

/// A node over the complete subtree of the 2^`level` leaves starting at `index` × 2^`level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// 0 for a leaf, 63 at most.
    pub level: u8,
    pub index: u64,
}

/// The part of a tree that is needed to append to it: its complete subtrees, as few and as large as possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    /// Largest first, which is also left to right.
    peaks: Vec<Sha256Digest>,
}

impl Frontier {
    /// A stored frontier. `None` if a tree of `size` leaves has another number of peaks.
    pub fn new(size: u64, peaks: Vec<Sha256Digest>) -> Option<Self> {
        (usize::try_from(size.count_ones()).ok()? == peaks.len()).then_some(Self { size, peaks })
    }

    /// How many leaves the tree has.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The hashes to store, for [`Frontier::new`].
    pub fn peaks(&self) -> &[Sha256Digest] {
        &self.peaks
    }

    /// Appends the leaf that contains `entry`. Returns the newly complete nodes, to be stored.
    pub fn append(&mut self, entry: &[u8]) -> Vec<(Node, Sha256Digest)> {
        let mut node = Node { level: 0, index: self.size };
        let mut hash = leaf_hash(entry);
        let mut complete = vec![(node, hash)];
        // Completes each subtree of the same size that ends where this one starts.
        while node.index % 2 == 1
            && let Some(left) = self.peaks.pop()
        {
            hash = node_hash(&left, &hash);
            node = Node { level: node.level + 1, index: node.index / 2 };
            complete.push((node, hash));
        }
        self.peaks.push(hash);
        self.size += 1;
        complete
    }

    /// The [Merkle root](crate::merkle::root) over all leaves.
    pub fn root(&self) -> Sha256Digest {
        fold(&self.peaks).unwrap_or_else(|| Sha256Digest::of(""))
    }
}

/// The nodes that a [`Frontier`] of this size is made of, in the order of its peaks.
pub fn nodes_of_frontier(size: u64) -> Vec<Node> {
    complete_subtrees(0, size)
}

/// The nodes that [`inclusion_proof`] needs. `None` if a tree of `size` leaves has no leaf `index`.
pub fn nodes_of_inclusion_proof(index: u64, size: u64) -> Option<Vec<Node>> {
    Some(siblings_of_path(index, size)?.concat())
}

/// The proof that leaf `index` is in the tree of the first `size` leaves, for [`crate::merkle::verify_inclusion`].
/// `None` if there is no such leaf, or a node is missing.
pub fn inclusion_proof(index: u64, size: u64, nodes: &BTreeMap<Node, Sha256Digest>) -> Option<Vec<Sha256Digest>> {
    hashes(&siblings_of_path(index, size)?, nodes)
}

/// The nodes that [`consistency_proof`] needs. `None` if the old tree is larger than the new one.
pub fn nodes_of_consistency_proof(old_size: u64, size: u64) -> Option<Vec<Node>> {
    Some(subtrees_of_consistency_proof(old_size, size)?.concat())
}

/// The proof that the tree of the first `size` leaves starts with the one of the first `old_size`, for
/// [`crate::merkle::verify_consistency`]. Empty if the old tree is empty: that needs no proof. `None` if the old tree
/// is larger, or a node is missing.
pub fn consistency_proof(old_size: u64, size: u64, nodes: &BTreeMap<Node, Sha256Digest>) -> Option<Vec<Sha256Digest>> {
    hashes(&subtrees_of_consistency_proof(old_size, size)?, nodes)
}

/// For each hash of the proof, the complete subtrees that it is over (RFC 9162, section 2.1.4.1).
fn subtrees_of_consistency_proof(old_size: u64, size: u64) -> Option<Vec<Vec<Node>>> {
    if old_size > size {
        return None;
    }
    if old_size == 0 {
        return Some(Vec::new());
    }
    let (mut start, mut end) = (0, size);
    // Whether the verifier already has the hash over these leaves.
    let mut is_known = true;
    let mut subtrees = Vec::new();
    while old_size < end {
        let middle = middle(start, end);
        if old_size <= middle {
            subtrees.push(complete_subtrees(middle, end));
            end = middle;
        } else {
            subtrees.push(complete_subtrees(start, middle));
            start = middle;
            is_known = false;
        }
    }
    if !is_known {
        subtrees.push(complete_subtrees(start, end));
    }
    subtrees.reverse();
    Some(subtrees)
}

/// For each list of subtrees the hash over all of them. `None` if a node is missing.
fn hashes(subtrees: &[Vec<Node>], nodes: &BTreeMap<Node, Sha256Digest>) -> Option<Vec<Sha256Digest>> {
    let hash = |subtrees: &Vec<Node>| {
        let hashes: Option<Vec<_>> = subtrees.iter().map(|node| nodes.get(node).copied()).collect();
        fold(&hashes?)
    };
    subtrees.iter().map(hash).collect()
}

/// Where the leaves from `start` to before `end`, at least two, are divided: after the largest power of two below their
/// number (RFC 9162, section 2.1.1).
fn middle(start: u64, end: u64) -> u64 {
    start + (1 << (end - start - 1).ilog2())
}

/// For each step from the leaf to the root, lowest first, the complete subtrees that make up the sibling.
fn siblings_of_path(index: u64, size: u64) -> Option<Vec<Vec<Node>>> {
    if index >= size {
        return None;
    }
    let (mut start, mut end) = (0, size);
    let mut siblings = Vec::new();
    while end - start > 1 {
        let middle = middle(start, end);
        if index < middle {
            siblings.push(complete_subtrees(middle, end));
            end = middle;
        } else {
            siblings.push(complete_subtrees(start, middle));
            start = middle;
        }
    }
    siblings.reverse();
    Some(siblings)
}

/// The complete subtrees of the leaves from `start` to before `end`; a subtree at least as large as all of them starts
/// at `start`.
fn complete_subtrees(mut start: u64, end: u64) -> Vec<Node> {
    let mut subtrees = Vec::new();
    while start < end {
        let leaves = end - start;
        // At most 63: the logarithm of 64 bits.
        let level = u8::try_from(leaves.ilog2()).unwrap_or(63);
        subtrees.push(Node { level, index: start >> level });
        start += 1 << level;
    }
    subtrees
}

/// The hash over complete subtrees, largest first.
fn fold(subtrees: &[Sha256Digest]) -> Option<Sha256Digest> {
    let (smallest, larger) = subtrees.split_last()?;
    Some(larger.iter().rev().fold(*smallest, |right, left| node_hash(left, &right)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{merkle, tlog::tiles};

    #[test]
    fn roots_and_proofs_from_stored_nodes_are_those_of_the_whole_tree() {
        let entries: Vec<Vec<u8>> = (0..600_u32).map(|number| number.to_be_bytes().to_vec()).collect();
        let leaves: Vec<_> = entries.iter().map(|entry| leaf_hash(entry)).collect();
        let (mut frontier, mut nodes) = (Frontier::default(), BTreeMap::new());
        assert_eq!(frontier.root(), merkle::root(&[]));
        for (count, entry) in (1..).zip(&entries) {
            nodes.extend(frontier.append(entry));
            assert_eq!(frontier.root(), merkle::root(&leaves[..count]), "{count}");
            let peaks: Vec<_> = nodes_of_frontier(count as u64).iter().map(|node| nodes[node]).collect();
            assert_eq!(peaks, frontier.peaks());
            let again = Frontier::new(frontier.size(), frontier.peaks().to_vec());
            assert_eq!(again.as_ref(), Some(&frontier));
            if !(70..=590).contains(&count) {
                for index in 0..count {
                    let proof = inclusion_proof(index as u64, count as u64, &nodes);
                    assert_eq!(proof, merkle::inclusion_proof(&leaves[..count], index), "{index} of {count}");
                    assert!(nodes_of_inclusion_proof(index as u64, count as u64).unwrap().len() < 20);
                    let old = index + 1;
                    let proof = consistency_proof(old as u64, count as u64, &nodes);
                    assert_eq!(proof, merkle::consistency_proof(&leaves[..count], old), "{old} of {count}");
                    assert!(nodes_of_consistency_proof(old as u64, count as u64).unwrap().len() < 30);
                }
            }
        }
        assert_eq!(inclusion_proof(600, 600, &nodes), None);
        assert_eq!(nodes_of_inclusion_proof(0, 0), None);
        assert_eq!(consistency_proof(601, 600, &nodes), None);
        assert_eq!(consistency_proof(0, 600, &nodes), Some(Vec::new()));
        assert_eq!(Frontier::new(3, vec![]), None);
        // Tiles are the nodes of every eighth level.
        for (level, index, width) in tiles::tiles(600) {
            let first = index * tiles::WIDTH;
            let row = (first..first + u64::from(width)).map(|index| nodes[&Node { level: level * 8, index }].0);
            assert_eq!(Some(row.flatten().collect()), tiles::tile(&leaves, level, index, width));
        }
    }
}
