//! The tree of hashes of RFC 4998, section 4.2, with two children at each node. A node's hash is that of its children's
//! hashes in ascending order. The last node of a level without a partner moves up unchanged.
//!
//! Unlike in [`crate::merkle`], leaves and nodes are hashed alike: the standard wants it so. A node therefore is also
//! the hash of a file of 64 bytes, which is not a certificate.

use crate::{algorithm::HashAlgorithm, digest::Sha256Digest};

/// How many leaves a subtree has that is kept as one. All levels below its root are complete, unless it is the last.
pub const SUBTREE: usize = 1 << 10;

/// The hash of a node with these members, in any order.
pub(super) fn node<'h>(algorithm: HashAlgorithm, members: impl Iterator<Item = &'h [u8]>) -> Vec<u8> {
    let mut members: Vec<&[u8]> = members.collect();
    members.sort_unstable();
    algorithm.digest(&members)
}

fn parent(one: Sha256Digest, other: Sha256Digest) -> Sha256Digest {
    let (low, high) = (one.min(other), one.max(other));
    let mut both = [0; 64];
    both[..32].copy_from_slice(low.as_bytes());
    both[32..].copy_from_slice(high.as_bytes());
    Sha256Digest::of(both)
}

fn level_above(level: &[Sha256Digest]) -> Vec<Sha256Digest> {
    let node = |pair: &[Sha256Digest]| match pair {
        [one, other] => parent(*one, *other),
        _ => pair[0],
    };
    level.chunks(2).map(node).collect()
}

/// The root over these leaves. None if there are none.
///
/// Over the roots of subtrees of [`SUBTREE`] leaves each (the last may have fewer), this is the root over
/// all their leaves.
pub fn root(leaves: &[Sha256Digest]) -> Option<Sha256Digest> {
    let mut level = leaves.to_vec();
    while level.len() > 1 {
        level = level_above(&level);
    }
    level.first().copied()
}

/// The other child of each node on the way from leaf `index` to the root, lowest first. None if the leaf does not exist.
///
/// The path in a subtree and then that of the subtree's root is the path in the whole tree.
pub fn path(leaves: &[Sha256Digest], index: usize) -> Option<Vec<Sha256Digest>> {
    if index >= leaves.len() {
        return None;
    }
    let (mut level, mut index, mut path) = (leaves.to_vec(), index, Vec::new());
    while level.len() > 1 {
        path.extend(level.get(index ^ 1));
        level = level_above(&level);
        index /= 2;
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(count: usize) -> Vec<Sha256Digest> {
        (0..count).map(|number| Sha256Digest::of(number.to_string())).collect()
    }

    #[test]
    fn every_leaf_of_every_tree_leads_to_the_root() {
        for count in (1..40).chain([64, 65, 127]) {
            let leaves = leaves(count);
            let expected = root(&leaves).unwrap();
            for (index, leaf) in leaves.iter().enumerate() {
                let path = path(&leaves, index).unwrap();
                assert_eq!(path.iter().fold(*leaf, |node, other| parent(node, *other)), expected, "{index} of {count}");
            }
            assert_eq!(path(&leaves, count), None);
        }
        assert_eq!(root(&[]), None);
    }

    #[test]
    fn a_tree_of_subtrees_is_the_tree_of_all_leaves() {
        for count in [1, SUBTREE, SUBTREE + 1, 3 * SUBTREE, 3 * SUBTREE + 77] {
            let leaves = leaves(count);
            let roots: Vec<_> = leaves.chunks(SUBTREE).filter_map(root).collect();
            assert_eq!(root(&roots), root(&leaves), "{count}");
            for index in [0, count / 2, count - 1] {
                let subtree = leaves.chunks(SUBTREE).nth(index / SUBTREE).unwrap();
                let below = path(subtree, index % SUBTREE).unwrap();
                let above = path(&roots, index / SUBTREE).unwrap();
                assert_eq!(Some([below, above].concat()), path(&leaves, index), "{index} of {count}");
            }
        }
    }

    #[test]
    fn the_order_of_two_children_does_not_matter() {
        let leaves = leaves(2);
        assert_eq!(parent(leaves[0], leaves[1]), parent(leaves[1], leaves[0]));
        let members = leaves.iter().map(|leaf| leaf.as_bytes().as_slice());
        assert_eq!(node(HashAlgorithm::Sha256, members), parent(leaves[0], leaves[1]).as_bytes());
    }
}
