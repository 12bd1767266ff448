//! Merkle trees as in RFC 9162, section 2.1 (and RFC 6962): leaves and nodes are hashed differently, so that neither
//! can be passed off as the other. The proofs are the same as those of transparency logs.

use crate::digest::{Sha256Digest, Sha256Hasher};

/// The hash of a leaf that contains `data`.
pub fn leaf_hash(data: &[u8]) -> Sha256Digest {
    let mut hasher = Sha256Hasher::new();
    hasher.update([0]);
    hasher.update(data);
    hasher.finish()
}

/// The hash of a node above two others.
pub fn node_hash(left: &Sha256Digest, right: &Sha256Digest) -> Sha256Digest {
    let mut hasher = Sha256Hasher::new();
    hasher.update([1]);
    hasher.update(left.as_bytes());
    hasher.update(right.as_bytes());
    hasher.finish()
}

/// The root over leaf hashes. The root over no leaves is the hash of the empty string.
pub fn root(leaves: &[Sha256Digest]) -> Sha256Digest {
    match leaves {
        [] => Sha256Digest::of(""),
        [only] => *only,
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            node_hash(&root(left), &root(right))
        }
    }
}

/// The largest power of two below `size`, which is at least 2.
fn split(size: usize) -> usize {
    1 << (size - 1).ilog2()
}

/// The sibling nodes on the path from leaf `index` up to the root, lowest first. `None` if there is no such leaf.
pub fn inclusion_proof(leaves: &[Sha256Digest], index: usize) -> Option<Vec<Sha256Digest>> {
    if index >= leaves.len() {
        return None;
    }
    if leaves.len() == 1 {
        return Some(Vec::new());
    }
    let (left, right) = leaves.split_at(split(leaves.len()));
    let (mut proof, sibling) = if index < left.len() {
        (inclusion_proof(left, index)?, root(right))
    } else {
        (inclusion_proof(right, index - left.len())?, root(left))
    };
    proof.push(sibling);
    Some(proof)
}

/// Whether `leaf` is the leaf `index` of the tree of `size` leaves with this `root` (RFC 9162, section 2.1.3.2).
pub fn verify_inclusion(
    leaf: &Sha256Digest,
    index: u64,
    size: u64,
    proof: &[Sha256Digest],
    root: &Sha256Digest,
) -> bool {
    if index >= size {
        return false;
    }
    let (mut node, mut last) = (index, size - 1);
    let mut hash = *leaf;
    for sibling in proof {
        if last == 0 {
            return false;
        }
        if node % 2 == 1 || node == last {
            hash = node_hash(sibling, &hash);
            while node % 2 == 0 && node != 0 {
                node /= 2;
                last /= 2;
            }
        } else {
            hash = node_hash(&hash, sibling);
        }
        node /= 2;
        last /= 2;
    }
    last == 0 && hash == *root
}

/// The proof that the tree of all `leaves` starts with the first `old_size` of them. `None` if there are fewer, or for
/// an empty old tree, which needs no proof.
pub fn consistency_proof(leaves: &[Sha256Digest], old_size: usize) -> Option<Vec<Sha256Digest>> {
    if old_size == 0 || old_size > leaves.len() {
        return None;
    }
    Some(subproof(leaves, old_size, true))
}

/// RFC 9162, section 2.1.4.1. `is_known`: the verifier already has this subtree's root.
fn subproof(leaves: &[Sha256Digest], old_size: usize, is_known: bool) -> Vec<Sha256Digest> {
    if old_size == leaves.len() {
        return if is_known { Vec::new() } else { vec![root(leaves)] };
    }
    let (left, right) = leaves.split_at(split(leaves.len()));
    let (mut proof, sibling) = if old_size <= left.len() {
        (subproof(left, old_size, is_known), root(right))
    } else {
        (subproof(right, old_size - left.len(), false), root(left))
    };
    proof.push(sibling);
    proof
}

/// Whether the tree of `new_size` leaves with `new_root` starts with the one of `old_size` leaves with `old_root` (RFC
/// 9162, section 2.1.4.2).
pub fn verify_consistency(
    old_size: u64,
    new_size: u64,
    old_root: &Sha256Digest,
    new_root: &Sha256Digest,
    proof: &[Sha256Digest],
) -> bool {
    if old_size == 0 || old_size > new_size {
        return false;
    }
    if old_size == new_size {
        return proof.is_empty() && old_root == new_root;
    }
    let (mut node, mut last) = (old_size - 1, new_size - 1);
    while node % 2 == 1 {
        node /= 2;
        last /= 2;
    }
    let mut rest = proof.iter();
    // A complete old tree is a node of the new one, which the verifier has.
    let first = if old_size.is_power_of_two() { Some(old_root) } else { rest.next() };
    let Some(first) = first else { return false };
    let (mut old, mut new) = (*first, *first);
    for sibling in rest {
        if last == 0 {
            return false;
        }
        if node % 2 == 1 || node == last {
            old = node_hash(sibling, &old);
            new = node_hash(sibling, &new);
            while node % 2 == 0 && node != 0 {
                node /= 2;
                last /= 2;
            }
        } else {
            new = node_hash(&new, sibling);
        }
        node /= 2;
        last /= 2;
    }
    last == 0 && old == *old_root && new == *new_root
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaves of certificate-transparency-go's reference tests.
    const DATA: [&str; 8] =
        ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
    /// Their roots, by the number of leaves, from the same place.
    const ROOTS: [&str; 8] = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];

    fn leaves() -> Vec<Sha256Digest> {
        DATA.iter().map(|data| leaf_hash(&hex::decode(data).unwrap())).collect()
    }

    fn many(count: usize) -> Vec<Sha256Digest> {
        (0..count).map(|number| leaf_hash(number.to_string().as_bytes())).collect()
    }

    #[test]
    fn roots_are_those_of_certificate_transparency() {
        for (size, expected) in ROOTS.iter().enumerate() {
            assert_eq!(root(&leaves()[..=size]).to_string(), *expected, "{}", size + 1);
        }
        assert_eq!(root(&[]), Sha256Digest::of(""));
    }

    #[test]
    fn every_leaf_of_every_small_tree_is_proven_at_its_place_and_nowhere_else() {
        for size in 1..=20 {
            let leaves = many(size);
            let root = root(&leaves);
            for index in 0..size {
                let proof = inclusion_proof(&leaves, index).unwrap();
                for other in 0..=size {
                    let holds = verify_inclusion(&leaves[index], other as u64, size as u64, &proof, &root);
                    assert_eq!(holds, other == index, "{index} of {size} as {other}");
                }
                let longer = [proof.clone(), vec![root]].concat();
                assert!(!verify_inclusion(&leaves[index], index as u64, size as u64, &longer, &root));
                let other_leaf = leaf_hash(b"other");
                assert!(!verify_inclusion(&other_leaf, index as u64, size as u64, &proof, &root));
            }
            assert_eq!(inclusion_proof(&leaves, size), None);
        }
    }

    #[test]
    fn every_small_tree_is_proven_to_start_with_every_smaller_one_and_no_other() {
        for size in 1..=20 {
            let leaves = many(size);
            let new_root = root(&leaves);
            for old in 1..=size {
                let proof = consistency_proof(&leaves, old).unwrap();
                let old_root = root(&leaves[..old]);
                let holds = |old: usize, old_root: &Sha256Digest| {
                    verify_consistency(old as u64, size as u64, old_root, &new_root, &proof)
                };
                assert!(holds(old, &old_root), "{old} of {size}");
                assert!(!holds(old, &leaf_hash(b"other")), "{old} of {size}");
                assert!(!holds(size + 1, &old_root) && !holds(0, &old_root));
                if !proof.is_empty() {
                    assert!(!verify_consistency(old as u64, size as u64, &old_root, &new_root, &proof[1..]));
                }
            }
        }
    }
}
