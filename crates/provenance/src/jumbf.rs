//! The boxes of a manifest store (JUMBF, ISO 19566-5), as a flat list in which each box knows its parent.

use std::ops::Range;

/// Boxes of one store. Stores of pictures with a long history have some hundred.
const MAX_BOXES: usize = 8_192;
/// Store, manifest, assertion store, assertion, content: five levels; one more for data boxes.
const MAX_DEPTH: u8 = 8;
const MAX_LABEL: usize = 256;

/// A box's four letters.
pub(crate) type BoxType = [u8; 4];

/// A superbox (`jumb`): a described box with content.
#[derive(Clone, Debug)]
pub(crate) struct Superbox<'a> {
    /// The first four letters of its type's UUID: `c2pa`, `c2ma`, `c2as`, `c2cl`, …
    pub(crate) kind: BoxType,
    pub(crate) label: String,
    /// An index of [`Store::boxes`].
    pub(crate) parent: Option<usize>,
    /// The bytes that hashes cover: everything after the box's own header (C2PA 2.1, section 8.3).
    pub(crate) hashed: &'a [u8],
    /// The simple boxes inside it, after its description.
    pub(crate) contents: Vec<(BoxType, &'a [u8])>,
}

impl<'a> Superbox<'a> {
    /// The first content of a type.
    pub(crate) fn content(&self, wanted: BoxType) -> Option<&'a [u8]> {
        self.contents.iter().find(|(kind, _)| *kind == wanted).map(|(_, content)| *content)
    }
}

/// All superboxes of a store, parents before children.
#[derive(Debug)]
pub(crate) struct Store<'a> {
    pub(crate) boxes: Vec<Superbox<'a>>,
}

impl<'a> Store<'a> {
    /// Reads a store; `None` if it is not one, or exceeds a bound.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut store = Self { boxes: Vec::new() };
        let (kind, content, _) = next_box(bytes)?;
        if &kind != b"jumb" {
            return None;
        }
        store.superbox(content, None, 0)?;
        (store.boxes.first()?.kind == *b"c2pa").then_some(store)
    }

    fn superbox(&mut self, hashed: &'a [u8], parent: Option<usize>, depth: u8) -> Option<()> {
        if depth >= MAX_DEPTH || self.boxes.len() >= MAX_BOXES {
            return None;
        }
        let (kind, description, mut rest) = next_box(hashed)?;
        if &kind != b"jumd" {
            return None;
        }
        let (kind, label) = read_description(description)?;
        let index = self.boxes.len();
        self.boxes.push(Superbox { kind, label, parent, hashed, contents: Vec::new() });
        while !rest.is_empty() {
            let (kind, content, after) = next_box(rest)?;
            if &kind == b"jumb" {
                self.superbox(content, Some(index), depth + 1)?;
            } else if self.boxes[index].contents.len() < MAX_BOXES {
                self.boxes[index].contents.push((kind, content));
            } else {
                return None;
            }
            rest = after;
        }
        Some(())
    }

    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = (usize, &Superbox<'a>)> {
        self.boxes.iter().enumerate().filter(move |(_, found)| found.parent == Some(parent))
    }

    pub(crate) fn child(&self, parent: usize, label: &str) -> Option<usize> {
        self.children(parent).find(|(_, found)| found.label == label).map(|(index, _)| index)
    }

    /// The manifests (standard and update manifests) in order.
    pub(crate) fn manifests(&self) -> Vec<usize> {
        let is_manifest = |found: &Superbox| matches!(&found.kind, b"c2ma" | b"c2um");
        self.children(0).filter(|(_, found)| is_manifest(found)).map(|(index, _)| index).collect()
    }

    /// The box that a JUMBF URI names (C2PA 2.1, section 8.2): `self#jumbf=/c2pa/MANIFEST/c2pa.assertions/LABEL`, or
    /// relative to `manifest`.
    pub(crate) fn resolve(&self, uri: &str, manifest: usize) -> Option<usize> {
        let path = uri.strip_prefix("self#jumbf=").unwrap_or(uri);
        let absolute = path.strip_prefix('/').unwrap_or(path).strip_prefix("c2pa/");
        let (start, path) = absolute.map_or((manifest, path), |rest| (0, rest));
        path.split('/').filter(|label| !label.is_empty()).try_fold(start, |at, label| self.child(at, label))
    }

    /// The manifest that a JUMBF URI names, or in which the named box is.
    pub(crate) fn manifest_of(&self, uri: &str) -> Option<usize> {
        let path = uri.strip_prefix("self#jumbf=").unwrap_or(uri);
        let label = path.strip_prefix('/').unwrap_or(path).strip_prefix("c2pa/")?.split('/').next()?;
        self.child(0, label)
    }
}

/// Type, content and what follows the box.
fn next_box(bytes: &[u8]) -> Option<(BoxType, &[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (kind, rest) = rest.split_first_chunk::<4>()?;
    let (content, after) = match u32::from_be_bytes(*length) {
        // Up to the end.
        0 => (rest, &rest[rest.len()..]),
        1 => {
            let (length, rest) = rest.split_first_chunk::<8>()?;
            rest.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?.checked_sub(16)?)?
        }
        length => rest.split_at_checked(usize::try_from(length).ok()?.checked_sub(8)?)?,
    };
    Some((*kind, content, after))
}

/// Type and label of a description box (ISO 19566-5, A.3). The private part after the label, such as a salt, does not
/// matter here.
fn read_description(description: &[u8]) -> Option<(BoxType, String)> {
    let (kind, rest) = description.split_first_chunk::<16>()?;
    let (&toggles, rest) = rest.split_first()?;
    let kind = *kind.first_chunk::<4>()?;
    if toggles & 2 == 0 {
        return Some((kind, String::new()));
    }
    let end = rest.iter().take(MAX_LABEL).position(|byte| *byte == 0)?;
    Some((kind, String::from_utf8(rest[..end].to_vec()).ok()?))
}

/// The bytes of a manifest store, and where it is in its file.
#[derive(Clone, Debug, Default)]
pub struct StoreBytes {
    pub bytes: Vec<u8>,
    /// The parts of the file that hold it, with their markers and lengths, in order. Empty if that is not known.
    pub places: Vec<Range<usize>>,
}
