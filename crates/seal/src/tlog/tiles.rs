//! The layout in which a log is published (C2SP `tlog-tiles`): the tree in tiles of 256 hashes, its entries in bundles of 256.

use crate::{digest::Sha256Digest, merkle};

/// The number of hashes in a full tile, and of entries in a full bundle.
pub const WIDTH: u64 = 256;

/// Why bytes are not a bundle of entries, or an entry does not fit into one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    #[error("an entry has {0} bytes; at most 65,535 fit")]
    TooLong(usize),
    #[error("the bundle ends within an entry")]
    Truncated,
}

/// Where the tile `index` of `level` is published; `width` is how many hashes it has, 1 to 256. Level 0 contains leaf
/// hashes.
pub fn tile_path(level: u8, index: u64, width: u16) -> String {
    format!("tile/{level}/{}{}", number(index), partial(width))
}

/// Where the bundle of entries `index` is published; `width` is how many entries it has, 1 to 256.
pub fn entries_path(index: u64, width: u16) -> String {
    format!("tile/entries/{}{}", number(index), partial(width))
}

/// In groups of three digits, all but the last after an `x`: `x001/x234/067`.
fn number(index: u64) -> String {
    let mut text = format!("{:03}", index % 1000);
    let mut rest = index / 1000;
    while rest > 0 {
        text = format!("x{:03}/{text}", rest % 1000);
        rest /= 1000;
    }
    text
}

fn partial(width: u16) -> String {
    if u64::from(width) == WIDTH { String::new() } else { format!(".p/{width}") }
}

/// Reads what [`tile_path`] and [`entries_path`] write after the level: the index and the width. `None` if it is not
/// exactly in the form that they write.
pub fn parse_index(given: &str) -> Option<(u64, u16)> {
    let (text, width) = match given.split_once(".p/") {
        Some((text, width)) => (text, width.parse().ok().filter(|&parsed: &u16| parsed.to_string() == width)?),
        None => (given, 256),
    };
    let mut index = 0_u64;
    for group in text.split('/') {
        let digits = group.strip_prefix('x').unwrap_or(group);
        index = index.checked_mul(1000)?.checked_add(digits.parse().ok()?)?;
    }
    let is_in_range = (1..=WIDTH).contains(&u64::from(width));
    (is_in_range && format!("{}{}", number(index), partial(width)) == given).then_some((index, width))
}

/// The tiles that a log of `size` leaves has: level, index and width. A partial tile that has grown is published again
/// under its new width.
pub fn tiles(size: u64) -> Vec<(u8, u64, u16)> {
    let mut tiles = Vec::new();
    let mut nodes = size;
    for level in 0.. {
        if nodes == 0 {
            break;
        }
        let full = nodes / WIDTH;
        tiles.extend((0..full).map(|index| (level, index, 256)));
        if let Ok(width @ 1..) = u16::try_from(nodes % WIDTH) {
            tiles.push((level, full, width));
        }
        nodes = full;
    }
    tiles
}

/// The bytes of a tile: the hashes of `width` nodes, each the root over 256^`level` leaves. `None` if the log with
/// these leaves has no such tile.
pub fn tile(leaves: &[Sha256Digest], level: u8, index: u64, width: u16) -> Option<Vec<u8>> {
    let below = usize::try_from(WIDTH.checked_pow(level.into())?).ok()?;
    let first = usize::try_from(index.checked_mul(WIDTH)?).ok()?.checked_mul(below)?;
    let covered = leaves.get(first..first.checked_add(usize::from(width).checked_mul(below)?)?)?;
    Some(covered.chunks(below).flat_map(|nodes| merkle::root(nodes).0).collect())
}

/// The published form of entries: each after its length in two bytes, big-endian.
pub fn write_bundle(entries: &[&[u8]]) -> Result<Vec<u8>, BundleError> {
    let mut bytes = Vec::new();
    for entry in entries {
        let length = u16::try_from(entry.len()).map_err(|_| BundleError::TooLong(entry.len()))?;
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(entry);
    }
    Ok(bytes)
}

/// The entries of a bundle.
pub fn read_bundle(mut bytes: &[u8]) -> Result<Vec<&[u8]>, BundleError> {
    let mut entries = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (entry, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into()).ok_or(BundleError::Truncated)?;
        entries.push(entry);
        bytes = rest;
    }
    if bytes.is_empty() { Ok(entries) } else { Err(BundleError::Truncated) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_specification() {
        assert_eq!(tile_path(0, 1_234_067, 256), "tile/0/x001/x234/067");
        assert_eq!(tile_path(1, 0, 5), "tile/1/000.p/5");
        assert_eq!(entries_path(999, 256), "tile/entries/999");
        assert_eq!(entries_path(1000, 1), "tile/entries/x001/000.p/1");
    }

    #[test]
    fn an_index_is_only_read_in_its_exact_form() {
        for (index, width) in [(0, 1), (0, 256), (999, 255), (1000, 256), (1_234_067, 17), (u64::MAX, 256)] {
            let path = entries_path(index, width);
            assert_eq!(parse_index(path.strip_prefix("tile/entries/").unwrap()), Some((index, width)), "{path}");
        }
        for text in [
            "",
            "0",
            "00",
            "0000",
            "x000",
            "x000/000",
            "1/000",
            "x001/0",
            "000.p/0",
            "000.p/256",
            "000.p/01",
            "000.p/",
            "000.p/257",
            "000/",
            "/000",
            "-01",
            "+01",
            "x018/x446/x744/x073/x709/x551/616",
            "é00",
        ] {
            assert_eq!(parse_index(text), None, "{text}");
        }
    }

    /// The specification's example: a log of 70,000 leaves.
    #[test]
    fn a_log_has_the_tiles_of_the_specification() {
        let tiles = tiles(70_000);
        assert_eq!(tiles.iter().filter(|tile| tile.0 == 0).count(), 274);
        assert!(tiles.contains(&(0, 272, 256)) && tiles.contains(&(0, 273, 112)));
        assert!(tiles.contains(&(1, 0, 256)) && tiles.contains(&(1, 1, 17)) && tiles.contains(&(2, 0, 1)));
        assert_eq!(tiles.len(), 274 + 2 + 1);
        assert_eq!(super::tiles(0), []);
    }

    #[test]
    fn the_tiles_of_a_level_are_the_hashes_of_those_below() {
        let leaves: Vec<Sha256Digest> = (0..600_u32).map(|number| merkle::leaf_hash(&number.to_be_bytes())).collect();
        let lowest = tile(&leaves, 0, 1, 256).unwrap();
        assert_eq!(&lowest[..32], leaves[256].as_bytes());
        let above = tile(&leaves, 1, 0, 2).unwrap();
        assert_eq!(&above[32..], merkle::root(&leaves[256..512]).as_bytes());
        assert_eq!(tile(&leaves, 0, 2, 88).unwrap().len(), 88 * 32);
        assert_eq!(tile(&leaves, 0, 2, 89), None);
        assert_eq!(tile(&leaves, 1, 0, 3), None);
        assert_eq!(tile(&leaves, 99, u64::MAX, 256), None);
    }

    #[test]
    fn bundles_are_read_back() {
        let entries: [&[u8]; 3] = [b"one", b"", b"three"];
        let bytes = write_bundle(&entries).unwrap();
        assert_eq!(read_bundle(&bytes).unwrap(), entries);
        for length in [1, 3, 4, 6, bytes.len() - 1] {
            assert_eq!(read_bundle(&bytes[..length]), Err(BundleError::Truncated), "{length}");
        }
        assert_eq!(write_bundle(&[&vec![0; 65_536]]), Err(BundleError::TooLong(65_536)));
    }
}
