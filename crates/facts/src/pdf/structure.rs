//! The history of a PDF file: its revisions, what each of them wrote, and the producers that they name.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    model::{Information, Revision},
    scan::{Object, Scan},
    value::{self, Dictionary, Value},
};
use crate::{Limits, text};

/// The facts that the scan alone provides.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) revisions: Vec<Revision>,
    pub(super) linearized: bool,
    pub(super) encrypted: bool,
    pub(super) identifier: Option<(String, String)>,
    pub(super) information: Information,
    pub(super) object_count: u32,
    pub(super) bytes_before_start: u64,
    pub(super) bytes_behind_end: u64,
    /// The revision that wrote each object last.
    written: BTreeMap<u32, u32>,
    pub(super) more_revisions: bool,
}

impl Structure {
    /// The number of the revision that wrote an object last.
    pub(super) fn revision_of(&self, object: u32) -> Option<u32> {
        self.written.get(&object).copied()
    }

    /// Notes which pages each revision changed: `pages` are those of the last revision, each with its objects (the page
    /// itself, its content).
    pub(super) fn note_pages(&mut self, pages: &[BTreeSet<u32>], changed: &[BTreeSet<u32>]) {
        for (revision, changed) in self.revisions.iter_mut().zip(changed) {
            let numbers =
                (1..).zip(pages).filter(|(_, objects)| !objects.is_disjoint(changed)).map(|(number, _)| number);
            revision.changed_pages = numbers.collect();
            if pages.iter().flatten().any(|object| changed.contains(object)) {
                revision.kinds.push("content".to_owned());
                revision.kinds.sort();
                revision.kinds.dedup();
            }
        }
    }
}

/// The facts from the scan, and the objects that each revision wrote again.
pub(super) fn structure(file: &[u8], scan: &Scan, limits: &Limits) -> (Structure, Vec<BTreeSet<u32>>) {
    let linearized = scan
        .objects
        .first()
        .and_then(|object| object.dictionary.as_ref())
        .is_some_and(|d| d.get("Linearized").is_some());
    let ends = ends_of_revisions(file, scan, linearized);
    let more_revisions = ends.len() > limits.max_revisions as usize;
    let mut revisions = Vec::new();
    let mut all_changed = Vec::new();
    let mut written: BTreeMap<u32, u32> = BTreeMap::new();
    let mut start = scan.start;
    for (number, end) in (1..=limits.max_revisions).zip(ends.iter().copied()) {
        let range = start..end;
        let objects = between(&scan.objects, range.start, range.end);
        let numbers: BTreeSet<u32> = objects.iter().map(|object| object.number).collect();
        let changed: BTreeSet<u32> = numbers.iter().copied().filter(|object| written.contains_key(object)).collect();
        written.extend(numbers.iter().map(|object| (*object, number)));
        let information = scan
            .trailers
            .iter()
            .filter(|(at, _)| range.contains(at))
            .filter_map(|(_, trailer)| last(objects, trailer.reference("Info")?))
            .next_back();
        revisions.push(Revision {
            number,
            start: range.start as u64,
            end: range.end as u64,
            object_count: text::count(numbers.len()),
            changed_objects: changed.iter().copied().take(limits.max_changed_objects as usize).collect(),
            changed_pages: Vec::new(),
            kinds: kinds(objects, &scan.trailers),
            producer: information.and_then(|information| text_entry(information, "Producer", limits)),
            modified: information.and_then(|information| value::date(information.string("ModDate")?)),
        });
        all_changed.push(changed);
        start = end;
    }
    let trailer = |key: &str| scan.trailers.iter().rev().find_map(|(_, trailer)| trailer.get(key));
    let information = match trailer("Info") {
        Some(Value::Reference(number)) => last(&scan.objects, *number),
        Some(Value::Dictionary(dictionary)) => Some(dictionary),
        _ => None,
    };
    let end = scan.ends.last().copied().unwrap_or(file.len());
    let structure = Structure {
        linearized,
        encrypted: trailer("Encrypt").is_some(),
        identifier: trailer("ID").and_then(identifier),
        information: information.map(|dictionary| self::information(dictionary, limits)).unwrap_or_default(),
        object_count: text::count(written.len()),
        bytes_before_start: scan.start as u64,
        bytes_behind_end: file[end..].iter().filter(|byte| !value::is_space(**byte)).count() as u64,
        revisions,
        written,
        more_revisions,
    };
    (structure, all_changed)
}

/// Each `%%EOF` ends a revision, except the first one of a linearized file, whose parts are one revision. Objects after
/// the last one belong to a revision that was cut off.
fn ends_of_revisions(file: &[u8], scan: &Scan, linearized: bool) -> Vec<usize> {
    let mut ends: Vec<usize> = scan.ends.clone();
    if linearized && ends.len() > 1 {
        ends.remove(0);
    }
    // An end without an object before it repeats the previous end.
    let mut start = scan.start;
    ends.retain(|&end| {
        let has_objects = !between(&scan.objects, start, end).is_empty();
        if has_objects {
            start = end;
        }
        has_objects
    });
    let last_object = scan.objects.last().map_or(0, |object| object.at);
    match ends.last() {
        Some(&end) if end > last_object => {}
        _ => ends.push(file.len()),
    }
    ends
}

/// The objects must be in the file's order.
fn between(objects: &[Object], start: usize, end: usize) -> &[Object] {
    let place = |at: usize| objects.partition_point(|object| object.at < at);
    &objects[place(start)..place(end)]
}

fn last(objects: &[Object], number: u32) -> Option<&Dictionary> {
    objects.iter().rev().find(|object| object.number == number)?.dictionary.as_ref()
}

/// The kinds of objects, each once, in alphabetical order.
fn kinds(objects: &[Object], trailers: &[(usize, Dictionary)]) -> Vec<String> {
    let informations: BTreeSet<u32> = trailers.iter().filter_map(|(_, trailer)| trailer.reference("Info")).collect();
    let known = [
        "Page",
        "Pages",
        "Annot",
        "Sig",
        "DocTimeStamp",
        "Metadata",
        "Font",
        "Catalog",
        "EmbeddedFile",
        "Filespec",
        "OCG",
    ];
    let mut kinds = BTreeSet::new();
    for object in objects {
        let Some(dictionary) = &object.dictionary else { continue };
        let kind = dictionary.name("Type").or_else(|| dictionary.name("Subtype"));
        match kind {
            _ if informations.contains(&object.number) => kinds.insert("Info"),
            Some("XObject") if dictionary.name("Subtype") == Some("Image") => kinds.insert("Image"),
            Some("XObject") => kinds.insert("Form"),
            Some(kind) => known.iter().find(|known| **known == kind).is_some_and(|known| kinds.insert(known)),
            None if object.is_stream => kinds.insert("stream"),
            None => false,
        };
    }
    kinds.into_iter().map(str::to_owned).collect()
}

fn identifier(value: &Value) -> Option<(String, String)> {
    let Value::Array(parts) = value else { return None };
    let [Value::String(permanent), Value::String(changing), ..] = &parts[..] else { return None };
    let text = |bytes: &[u8]| hex::encode(&bytes[..bytes.len().min(64)]);
    Some((text(permanent), text(changing)))
}

fn information(dictionary: &Dictionary, limits: &Limits) -> Information {
    let text = |key| text_entry(dictionary, key, limits);
    let date = |key| value::date(dictionary.string(key)?);
    Information {
        title: text("Title"),
        author: text("Author"),
        creator: text("Creator"),
        producer: text("Producer"),
        created: date("CreationDate"),
        modified: date("ModDate"),
    }
}

fn text_entry(dictionary: &Dictionary, key: &str, limits: &Limits) -> Option<String> {
    text::one_line(&value::text(dictionary.string(key)?), limits.max_text_length as usize)
}

/// The number of pages in the page tree of the last revision, each counted as often as it occurs. A tree of 30 levels
/// whose nodes all name the next one twice has a thousand million: this must be known before a library walks it.
pub(super) fn pages_in_tree(scan: &Scan) -> u64 {
    let nodes: BTreeMap<u32, &Dictionary> =
        scan.objects.iter().filter_map(|object| Some((object.number, object.dictionary.as_ref()?))).collect();
    let root = scan.trailers.iter().rev().find_map(|(_, trailer)| trailer.reference("Root"));
    let Some(pages) = root.and_then(|root| nodes.get(&root)?.reference("Pages")) else { return 0 };
    let mut counts = BTreeMap::new();
    count(pages, &nodes, &mut counts, 0)
}

fn count(node: u32, nodes: &BTreeMap<u32, &Dictionary>, counts: &mut BTreeMap<u32, u64>, depth: u32) -> u64 {
    if let Some(count) = counts.get(&node) {
        return *count;
    }
    // A node on its own path, or too deep, counts as 0.
    counts.insert(node, 0);
    let Some(kids) = nodes.get(&node).and_then(|dictionary| dictionary.array("Kids")).filter(|_| depth < 500) else {
        counts.insert(node, 1);
        return 1;
    };
    let mut sum = 0_u64;
    for kid in kids {
        if let Value::Reference(kid) = kid {
            sum = sum.saturating_add(count(*kid, nodes, counts, depth + 1));
        }
    }
    counts.insert(node, sum);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::scan;

    const ORIGINAL: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Contents 4 0 R>>endobj\n4 0 obj<</Length 1>>stream\nq\nendstream endobj\n5 0 obj<</Producer(One)>>endobj\ntrailer<</Root 1 0 R/Info 5 0 R/ID[<AB><CD>]>>\nstartxref\n0\n%%EOF\n";
    const UPDATE: &str = "4 0 obj<</Length 1>>stream\nQ\nendstream endobj\n5 0 obj<</Producer(Two)/ModDate(D:20261120)>>endobj\n6 0 obj<</Type/Annot>>endobj\ntrailer<</Root 1 0 R/Info 5 0 R/Prev 1>>\nstartxref\n0\n%%EOF\n";

    fn read(text: &str) -> Structure {
        let scan = scan::scan(text.as_bytes(), &Limits::default()).unwrap();
        let (mut structure, changed) = structure(text.as_bytes(), &scan, &Limits::default());
        structure.note_pages(&[BTreeSet::from([3, 4])], &changed);
        structure
    }

    #[test]
    fn a_file_that_was_never_appended_to_has_one_revision() {
        let read = read(ORIGINAL);
        assert_eq!(read.revisions.len(), 1);
        assert!(read.revisions[0].changed_objects.is_empty());
        assert_eq!((read.object_count, read.bytes_behind_end), (5, 0));
        assert_eq!(read.identifier, Some(("ab".to_owned(), "cd".to_owned())));
    }

    #[test]
    fn a_revision_lists_what_it_wrote_again() {
        let read = read(&format!("{ORIGINAL}{UPDATE}junk"));
        assert_eq!(read.revisions.len(), 2);
        let update = &read.revisions[1];
        assert_eq!(update.changed_objects, [4, 5]);
        assert_eq!(update.changed_pages, [1]);
        assert_eq!(update.kinds, ["Annot", "Info", "content", "stream"]);
        assert_eq!(update.producer.as_deref(), Some("Two"));
        assert_eq!(update.start, read.revisions[0].end);
        assert_eq!(read.bytes_behind_end, 4);
        assert_eq!((read.revision_of(4), read.revision_of(3)), (Some(2), Some(1)));
    }

    #[test]
    fn a_linearized_file_s_first_part_is_not_a_revision() {
        let linearized = format!(
            "%PDF-1.4\n9 0 obj<</Linearized 1>>endobj\n8 0 obj<<>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n{}",
            &ORIGINAL[9..]
        );
        let read = read(&linearized);
        assert!(read.linearized);
        assert_eq!(read.revisions.len(), 1);
    }

    #[test]
    fn pages_are_counted_without_walking_them() {
        let levels = (10..70).map(|level| format!("{level} 0 obj<</Kids[{0} 0 R {0} 0 R]>>endobj", level + 1));
        let levels = levels.collect::<Vec<_>>().join(" ");
        let tree = format!("%PDF-1.4\n1 0 obj<</Pages 10 0 R>>endobj trailer<</Root 1 0 R>>{levels}");
        let count = |text: &str| pages_in_tree(&scan::scan(text.as_bytes(), &Limits::default()).unwrap());
        assert_eq!(count(&tree), 1 << 60);
        assert_eq!(
            count("%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[2 0 R 2 0 R]>>endobj trailer<</Root 1 0 R>>"),
            0
        );
        assert_eq!(count(ORIGINAL), 1);
    }
}
