//! The roots of a log's tree at every size (RFC 6962), computed independently of the program under test.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

/// Tree size → root in Base64, for every size up to the number of entries.
pub(crate) fn roots(entries: &[Vec<u8>]) -> BTreeMap<u64, String> {
    let mut roots = BTreeMap::from([(0, STANDARD.encode(Sha256::digest(b"")))]);
    // Complete subtrees from the largest to the smallest: their levels and roots.
    let mut subtrees: Vec<(u32, Vec<u8>)> = Vec::new();
    for (size, entry) in (1..).zip(entries) {
        let mut new = (0, hash(0, &[entry]));
        while let Some((_, left)) = subtrees.pop_if(|(level, _)| *level == new.0) {
            new = (new.0 + 1, hash(1, &[&left, &new.1]));
        }
        subtrees.push(new);
        let folded =
            subtrees.iter().rev().map(|(_, root)| root.clone()).reduce(|right, left| hash(1, &[&left, &right]));
        roots.insert(size, STANDARD.encode(folded.unwrap_or_default()));
    }
    roots
}

fn hash(prefix: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut hasher = Sha256::new();
    hasher.update([prefix]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As RFC 6962 defines it, by recursion.
    fn defined(entries: &[Vec<u8>]) -> Vec<u8> {
        match entries {
            [] => Sha256::digest(b"").to_vec(),
            [entry] => hash(0, &[entry]),
            _ => {
                let (left, right) = entries.split_at(entries.len().next_power_of_two() / 2);
                hash(1, &[&defined(left), &defined(right)])
            }
        }
    }

    #[test]
    fn the_roots_are_those_of_the_definition() {
        let entries: Vec<Vec<u8>> = (0..40_u8).map(|number| vec![number]).collect();
        for (size, root) in roots(&entries) {
            let size = usize::try_from(size).unwrap();
            assert_eq!(root, STANDARD.encode(defined(&entries[..size])), "size {size}");
        }
    }
}
