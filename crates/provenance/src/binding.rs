//! Whether the content of the file is the signed one: the hard bindings (C2PA 2.1, section 9.2) `c2pa.hash.data` and
//! `c2pa.hash.boxes`.

use std::ops::Range;

use ciborium::value::Value;

use crate::{
    cbor,
    container::{Container, Part},
    hash::HashAlgorithm,
    jumbf::StoreBytes,
};

/// More exclusions are not accepted; files have one.
const MAX_EXCLUSIONS: usize = 64;
const MAX_BOXES: usize = 4_096;

/// How a file compares to what was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// The same, except for the given number of bytes that the hash leaves out in addition to the manifest store.
    Same { unhashed: u64 },
    /// Different.
    Changed,
    /// Different, but the hashes of all boxes of the picture itself match: only metadata changed.
    OnlyMetadataChanged,
    /// Different, and the manifest store is nearer to the file's start than it was.
    Moved,
    /// The binding cannot be read, uses an unknown hash, or does not fit the place of the manifest store.
    Unsupported,
}

/// Compares by `c2pa.hash.data`: one hash over the file without some ranges.
///
/// With `updated`, the store grew after the hash was made: its range is replaced by the present one.
pub(crate) fn by_ranges(assertion: &Value, usual: &str, file: &[u8], store: &StoreBytes, updated: bool) -> Content {
    let (Some(expected), Some(algorithm)) =
        (cbor::bytes(assertion, "hash"), HashAlgorithm::of_name(cbor::text(assertion, "alg").unwrap_or(usual)))
    else {
        return Content::Unsupported;
    };
    let exclusions = cbor::list(assertion, "exclusions");
    if exclusions.len() > MAX_EXCLUSIONS {
        return Content::Unsupported;
    }
    let Some(mut excluded) = exclusions.iter().map(range).collect::<Option<Vec<_>>>() else {
        return Content::Unsupported;
    };
    excluded.sort_by_key(|range| range.start);
    if updated {
        grow(&mut excluded, store);
    }
    let declared_start = excluded.first().map(|range| range.start);
    let actual_start = store.places.first().map(|range| range.start);
    let moved = matches!((declared_start, actual_start), (Some(declared), Some(actual)) if actual < declared);
    let mut pieces: Vec<&[u8]> = Vec::new();
    let mut at = 0;
    for range in &excluded {
        if range.start < at || range.end > file.len() {
            return if moved { Content::Moved } else { Content::Changed };
        }
        pieces.push(&file[at..range.start]);
        at = range.end;
    }
    pieces.push(&file[at..]);
    if algorithm.digest(pieces) == expected {
        // The length of a store's segment is not hashed. A longer segment would hide hashed bytes from a decoder.
        let is_inside = |place: &Range<usize>| excluded.iter().any(|range| range.contains(&(place.end - 1)));
        if !store.places.iter().all(is_inside) {
            return Content::Unsupported;
        }
        return Content::Same { unhashed: unhashed(&excluded, &store.places) };
    }
    if moved { Content::Moved } else { Content::Changed }
}

/// Replaces the range of the store by the present one, and moves those behind it.
fn grow(excluded: &mut [Range<usize>], store: &StoreBytes) {
    let (Some(first), Some(last)) = (store.places.first(), store.places.last()) else { return };
    let Some(at) = excluded.iter().position(|range| range.start == first.start) else { return };
    let Some(by) = last.end.checked_sub(excluded[at].end) else { return };
    excluded[at].end = last.end;
    for range in &mut excluded[at + 1..] {
        *range = range.start.saturating_add(by)..range.end.saturating_add(by);
    }
}

fn range(exclusion: &Value) -> Option<Range<usize>> {
    let number = |name| usize::try_from(cbor::integer(cbor::field(exclusion, name)?)?).ok();
    let (start, length) = (number("start")?, number("length")?);
    Some(start..start.checked_add(length)?)
}

/// The bytes of `excluded` that are not in `places`.
fn unhashed(excluded: &[Range<usize>], places: &[Range<usize>]) -> u64 {
    if places.is_empty() {
        // Where the store is in a PDF file is not known here.
        return 0;
    }
    let covered = |range: &Range<usize>| -> usize {
        let common = |place: &Range<usize>| range.end.min(place.end).saturating_sub(range.start.max(place.start));
        places.iter().map(common).sum()
    };
    let left_out: usize = excluded.iter().map(|range| range.len().saturating_sub(covered(range))).sum();
    left_out as u64
}

/// What `c2pa.hash.boxes` says of one run of boxes.
struct BoxRun<'v> {
    names: Vec<&'v str>,
    hash: &'v [u8],
    algorithm: Option<HashAlgorithm>,
    excluded: bool,
}

/// Compares by `c2pa.hash.boxes`: a hash for each run of segments or chunks.
pub(crate) fn by_boxes(
    assertion: &Value,
    usual: &str,
    file: &[u8],
    container: Container,
    store: &StoreBytes,
) -> Content {
    let usual = cbor::text(assertion, "alg").unwrap_or(usual);
    let listed = cbor::list(assertion, "boxes");
    if listed.is_empty() || listed.len() > MAX_BOXES || container == Container::Pdf {
        return Content::Unsupported;
    }
    let Some(runs) = listed.iter().map(|run| box_run(run, usual)).collect::<Option<Vec<_>>>() else {
        return Content::Unsupported;
    };
    let parts = container.parts(file, store);
    match aligned(&runs, &parts, file, false) {
        Some(unhashed) => {
            let behind = parts.last().map_or(0, |last| file.len() - last.place.end);
            Content::Same { unhashed: unhashed + behind as u64 }
        }
        None if aligned(&runs, &parts, file, true).is_some() => Content::OnlyMetadataChanged,
        None => Content::Changed,
    }
}

fn box_run<'v>(run: &'v Value, usual: &str) -> Option<BoxRun<'v>> {
    let names = cbor::list(run, "names").iter().map(Value::as_text).collect::<Option<Vec<_>>>()?;
    let is_store = names == ["C2PA"];
    let excluded = cbor::field(run, "excluded").and_then(Value::as_bool).unwrap_or(false) || is_store;
    let hash = cbor::bytes(run, "hash").unwrap_or_default();
    let algorithm = HashAlgorithm::of_name(cbor::text(run, "alg").unwrap_or(usual));
    (!names.is_empty() && (excluded || algorithm.is_some())).then_some(BoxRun { names, hash, algorithm, excluded })
}

/// Whether the runs match the parts of the file in order; if so, how many bytes were left out. With `loosely`, metadata
/// may be missing, changed or added: everything else must match.
fn aligned(runs: &[BoxRun], parts: &[Part], file: &[u8], loosely: bool) -> Option<u64> {
    let mut unhashed = 0;
    let mut at = 0;
    // Some writers leave out the signature of a PNG.
    if parts.first().is_some_and(|part| part.name == "PNGh") && runs.first().is_some_and(|run| run.names[0] != "PNGh") {
        at = 1;
    }
    for run in runs {
        let is_metadata = run.names.iter().all(|name| is_metadata(name));
        if loosely && (is_metadata || run.names == ["C2PA"]) {
            continue;
        }
        while loosely && parts.get(at).is_some_and(|part| part.is_metadata() || part.name == "C2PA") {
            at += 1;
        }
        let matched = parts.get(at..at + run.names.len())?;
        if matched.iter().zip(&run.names).any(|(part, name)| part.name != **name) {
            return None;
        }
        at += run.names.len();
        let place = matched.first()?.place.start..matched.last()?.place.end;
        if run.excluded {
            unhashed += if run.names == ["C2PA"] { 0 } else { place.len() as u64 };
        } else if run.algorithm?.digest([&file[place]]) != run.hash {
            return None;
        }
    }
    while loosely && parts.get(at).is_some_and(|part| part.is_metadata() || part.name == "C2PA") {
        at += 1;
    }
    (at == parts.len()).then_some(unhashed)
}

fn is_metadata(name: &str) -> bool {
    Part { name: name.to_owned(), place: 0..0 }.is_metadata()
}
