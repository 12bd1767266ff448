//! Scans a PDF file from its first byte to its last: every object, trailer and end of all revisions. It is one pass,
//! whatever the file says about itself, and it rejects bombs before anything is really unpacked.

use std::ops::Range;

use miniz_oxide::inflate::{
    TINFLStatus,
    core::{DecompressorOxide, decompress, inflate_flags},
};

use super::value::{self, Dictionary, Value};
use crate::{Limits, UnreadableReason};

/// Objects in one object stream.
const MAX_INNER_OBJECTS: i64 = 100_000;

/// The objects, trailers and ends, in the file's order.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) objects: Vec<Object>,
    /// Dictionaries of trailers, and of cross-reference streams, which serve as trailers.
    pub(super) trailers: Vec<(usize, Dictionary)>,
    /// Where each `%%EOF` ends, including its line break.
    pub(super) ends: Vec<usize>,
    /// The offset of `%PDF-`.
    pub(super) start: usize,
}

/// An object and its place in the file.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) number: u32,
    /// Its offset; for an object inside an object stream, the offset of the stream.
    pub(super) at: usize,
    /// `None` if it is neither a dictionary nor a stream.
    pub(super) dictionary: Option<Dictionary>,
    pub(super) is_stream: bool,
}

/// Scans `file`. It only fails on size: too many objects, or too much to unpack.
pub(super) fn scan(file: &[u8], limits: &Limits) -> Result<Scan, UnreadableReason> {
    let mut scanner = Scanner { file, limits, scan: Scan::default(), unpacked: 0, without_end: usize::MAX };
    scanner.scan.start = find(file, b"%PDF-", 0).unwrap_or(0);
    let mut at = scanner.scan.start;
    while let Some(&byte) = file.get(at) {
        let rest = &file[at..];
        at = match byte {
            b'o' if rest.starts_with(b"obj") => scanner.object(at)?,
            b't' if rest.starts_with(b"trailer") => scanner.trailer(at),
            b'%' if rest.starts_with(b"%%EOF") => scanner.end(at),
            _ => at + 1,
        };
    }
    Ok(scanner.scan)
}

struct Scanner<'a> {
    file: &'a [u8],
    limits: &'a Limits,
    scan: Scan,
    unpacked: u64,
    /// From here on there is no `endstream`; repeated searches would take quadratic time.
    without_end: usize,
}

impl Scanner<'_> {
    /// `at` is the offset of the word `obj`. Returns where to continue.
    fn object(&mut self, at: usize) -> Result<usize, UnreadableReason> {
        let body = at + 3;
        let Some((number, start)) = number_before(self.file, at) else { return Ok(body) };
        let first = value::skip_space(self.file, body);
        if !self.file[first.min(self.file.len())..].starts_with(b"<<") {
            self.push(Object { number, at: start, dictionary: None, is_stream: false })?;
            return Ok(body);
        }
        let Some((Value::Dictionary(dictionary), end)) = value::read(self.file, first) else { return Ok(body) };
        let word = value::skip_space(self.file, end);
        if !self.file[word.min(self.file.len())..].starts_with(b"stream") {
            self.push(Object { number, at: start, dictionary: Some(dictionary), is_stream: false })?;
            return Ok(end);
        }
        let data = self.stream_data(word + 6, &dictionary);
        self.unpack(start, &dictionary, &self.file[data.clone()])?;
        if dictionary.name("Type") == Some("XRef") {
            self.scan.trailers.push((start, dictionary.clone()));
        }
        self.push(Object { number, at: start, dictionary: Some(dictionary), is_stream: true })?;
        Ok(data.end)
    }

    fn push(&mut self, object: Object) -> Result<(), UnreadableReason> {
        self.scan.objects.push(object);
        let is_too_much = self.scan.objects.len() > self.limits.max_objects as usize;
        if is_too_much { Err(UnreadableReason::TooManyObjects) } else { Ok(()) }
    }

    /// By the dictionary's length if `endstream` follows there, else up to the next `endstream`.
    fn stream_data(&mut self, behind_word: usize, dictionary: &Dictionary) -> Range<usize> {
        let rest = self.file.get(behind_word..).unwrap_or_default();
        let line_end =
            if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n") || rest.starts_with(b"\r")) };
        let start = (behind_word + line_end).min(self.file.len());
        let stated = dictionary.integer("Length").and_then(|length| usize::try_from(length).ok());
        if let Some(end) = stated.and_then(|length| start.checked_add(length)).filter(|&end| end <= self.file.len()) {
            let word = value::skip_space(self.file, end);
            if self.file[word..].starts_with(b"endstream") {
                return start..end;
            }
        }
        if start >= self.without_end {
            return start..start;
        }
        let Some(end) = find(self.file, b"endstream", start) else {
            self.without_end = start;
            return start..start;
        };
        start..end
    }

    /// Counts what a stream unpacks to, and looks into object streams.
    fn unpack(&mut self, at: usize, dictionary: &Dictionary, data: &[u8]) -> Result<(), UnreadableReason> {
        let filters = dictionary.filters();
        let is_flate = |filter: Option<&&str>| matches!(filter, Some(&("FlateDecode" | "Fl")));
        if !is_flate(filters.first()) {
            return Ok(());
        }
        let left = self.limits.max_unpacked_bytes - self.unpacked;
        let keep = dictionary.name("Type") == Some("ObjStm") || is_flate(filters.get(1));
        let (length, mut inner) = inflate(data, left, keep);
        self.unpacked += length;
        // Compressed twice or more often: each time counts.
        for _ in filters.iter().skip(1).take_while(|filter| is_flate(Some(filter))) {
            let (length, unpacked) =
                inflate(&inner, self.limits.max_unpacked_bytes.saturating_sub(self.unpacked), true);
            self.unpacked += length;
            inner = unpacked;
        }
        if self.unpacked >= self.limits.max_unpacked_bytes {
            return Err(UnreadableReason::UnpacksTooLarge);
        }
        if dictionary.name("Type") == Some("ObjStm") {
            self.inner_objects(at, dictionary, &inner)?;
        }
        Ok(())
    }

    /// The objects of an object stream (ISO 32000-1, 7.5.7).
    fn inner_objects(&mut self, at: usize, dictionary: &Dictionary, inner: &[u8]) -> Result<(), UnreadableReason> {
        let count = dictionary.integer("N").unwrap_or(0).clamp(0, MAX_INNER_OBJECTS);
        let Some(first) = dictionary.integer("First").and_then(|first| usize::try_from(first).ok()) else {
            return Ok(());
        };
        let mut next = 0;
        for _ in 0..count {
            let Some((Value::Integer(number), after)) = value::read(inner, next) else { break };
            let Some((Value::Integer(offset), after)) = value::read(inner, after) else { break };
            next = after;
            let (Ok(number), Ok(offset)) = (u32::try_from(number), usize::try_from(offset)) else { continue };
            let dictionary = match first.checked_add(offset).and_then(|at| value::read(inner, at)) {
                Some((Value::Dictionary(dictionary), _)) => Some(dictionary),
                _ => None,
            };
            self.push(Object { number, at, dictionary, is_stream: false })?;
        }
        Ok(())
    }

    fn trailer(&mut self, at: usize) -> usize {
        match value::read(self.file, at + 7) {
            Some((Value::Dictionary(dictionary), end)) => {
                self.scan.trailers.push((at, dictionary));
                end
            }
            _ => at + 7,
        }
    }

    fn end(&mut self, at: usize) -> usize {
        let rest = &self.file[at + 5..];
        let line_end =
            if rest.starts_with(b"\r\n") { 2 } else { usize::from(matches!(rest.first(), Some(b'\n' | b'\r'))) };
        self.scan.ends.push(at + 5 + line_end);
        at + 5 + line_end
    }
}

/// The object number in front of `obj`, and its offset.
fn number_before(file: &[u8], obj: usize) -> Option<(u32, usize)> {
    let mut at = obj;
    let mut back = |is: fn(u8) -> bool, most: usize| {
        let count = file[..at].iter().rev().take(most).take_while(|byte| is(**byte)).count();
        at -= count;
        (count > 0).then_some(at)
    };
    back(value::is_space, 16)?;
    back(|byte| byte.is_ascii_digit(), 5)?;
    back(value::is_space, 16)?;
    let end = at;
    let count = file[..end].iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
    let start = end - count;
    let number = std::str::from_utf8(&file[start..end]).ok()?.parse().ok()?;
    Some((number, start))
}

/// How many bytes `data` unpacks to, at most `most`, and the bytes if `keep` is set.
fn inflate(data: &[u8], most: u64, keep: bool) -> (u64, Vec<u8>) {
    const WINDOW: usize = 32 * 1024;
    let mut decompressor = Box::new(DecompressorOxide::new());
    let mut window = vec![0; WINDOW];
    let (mut at, mut place, mut length, mut kept) = (0, 0, 0_u64, Vec::new());
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER | inflate_flags::TINFL_FLAG_IGNORE_ADLER32;
    while length < most {
        let (status, read, written) = decompress(&mut decompressor, &data[at..], &mut window, place, flags);
        if keep {
            kept.extend_from_slice(&window[place..place + written]);
        }
        at += read;
        length += written as u64;
        place = (place + written) % WINDOW;
        if status != TINFLStatus::HasMoreOutput {
            break;
        }
    }
    (length.min(most), kept)
}

/// The first offset of `needle` at or after `from`.
pub(super) fn find(file: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let first = *needle.first()?;
    let mut at = from;
    loop {
        at += file.get(at..)?.iter().position(|&byte| byte == first)?;
        if file[at..].starts_with(needle) {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan_text(text: &str) -> Scan {
        scan(text.as_bytes(), &Limits::default()).unwrap()
    }

    #[test]
    fn objects_trailers_and_ends_are_found_with_their_offsets() {
        let scanned = scan_text(
            "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n2 0 obj\n<</Length 26>>stream\n9 0 obj <<>> endobj %%EOF \nendstream endobj\n3 0 obj 7 endobj trailer<</Root 1 0 R>>startxref\n0\n%%EOF\n4 0 obj<<>>endobj\n%%EOF",
        );
        let numbers: Vec<u32> = scanned.objects.iter().map(|object| object.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4], "the content of a stream is not an object");
        assert_eq!(scanned.ends.len(), 2);
        assert_eq!(scanned.trailers[0].1.reference("Root"), Some(1));
    }

    #[test]
    fn a_bomb_is_counted_and_not_kept() {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 8 << 20], 9);
        let twice = miniz_oxide::deflate::compress_to_vec_zlib(&packed, 9);
        let limits = Limits { max_unpacked_bytes: 1 << 20, ..Limits::default() };
        for (filter, data) in [("/FlateDecode", &packed), ("[/FlateDecode /FlateDecode]", &twice)] {
            let file = [
                format!("%PDF-1.4\n1 0 obj<</Filter {filter}/Length {}>>stream\n", data.len()).as_bytes(),
                data,
                b"\nendstream endobj",
            ]
            .concat();
            assert_eq!(scan(&file, &limits).unwrap_err(), UnreadableReason::UnpacksTooLarge);
            assert!(scan(&file, &Limits::default()).is_ok());
        }
    }

    #[test]
    fn streams_that_never_end_are_searched_once() {
        let file = format!("%PDF-1.4\n{}", "1 0 obj<<>>stream\n".repeat(100_000));
        assert_eq!(scan_text(&file).objects.len(), 100_000);
    }

    #[test]
    fn objects_in_object_streams_are_counted() {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(b"5 0 6 15 <</Type/Font>>  <</A 1>>", 6);
        let head =
            format!("%PDF-1.5\n4 0 obj<</Type/ObjStm/N 2/First 9/Filter/FlateDecode/Length {}>>stream\n", packed.len());
        let file = [head.as_bytes(), &packed, b"\nendstream endobj"].concat();
        let scanned = scan(&file, &Limits::default()).unwrap();
        let found: Vec<_> =
            scanned.objects.iter().map(|o| (o.number, o.dictionary.as_ref().and_then(|d| d.name("Type")))).collect();
        assert_eq!(found, [(5, Some("Font")), (6, None), (4, Some("ObjStm"))]);
    }
}
