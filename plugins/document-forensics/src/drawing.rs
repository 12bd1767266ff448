//! What a revision changes in the drawing of a page. The host's facts show a document as it is now; the bytes of the
//! file still contain what it showed before.

use std::ops::Range;

use sealwright_plugin_sdk::{facts::Revision, webhook_auth::Content};

use crate::inflate::inflate;

/// Larger files are not compared: a check has a second.
const MOST: u64 = 12_000_000;

/// What happened to the texts that pages draw.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Change {
    /// No drawing was written, or the same again.
    None,
    /// Something was added, and the rest is as before.
    Added,
    /// A text is gone or another one, perhaps with figures.
    Replaced { figures: bool },
    /// The drawings could not be read.
    Unknown,
}

pub(crate) fn changes(content: &Content, revision: &Revision) -> Change {
    if revision.end > MOST || revision.end > content.size() || revision.start >= revision.end {
        return Change::Unknown;
    }
    let Some(file) = read(content, revision.end) else { return Change::Unknown };
    let start = usize::try_from(revision.start).unwrap_or(file.len()).min(file.len());
    let new = drawings(&file[start..]);
    if new.is_empty() {
        return Change::None;
    }
    let old = drawings(&file[..start]);
    let mut change = Change::None;
    for (number, texts) in &new {
        let same_number = old.iter().rev().find(|(other, _)| other == number).map(|(_, texts)| texts);
        // A page may get a new stream in place of the old one: it begins or ends like it.
        let like =
            || old.iter().map(|(_, texts)| texts).find(|old| old.len() >= 20 && common(old, texts) * 2 > old.len());
        let next = match same_number.or_else(like) {
            Some(old) => compared(old, texts),
            None if texts.is_empty() => Change::None,
            None => Change::Added,
        };
        change = match (change, next) {
            (Change::Replaced { figures }, Change::Replaced { figures: more }) => {
                Change::Replaced { figures: figures || more }
            }
            (Change::Replaced { .. }, _) | (Change::Added, Change::None) => change,
            (_, next) => next,
        };
    }
    change
}

fn read(content: &Content, end: u64) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    while (file.len() as u64) < end {
        let rest = u32::try_from(end - file.len() as u64).ok()?;
        let part = content.read(file.len() as u64, rest);
        if part.is_empty() {
            return None;
        }
        file.extend(part);
    }
    Some(file)
}

/// How many bytes two texts share at their beginning and at their end.
fn common(old: &[u8], new: &[u8]) -> usize {
    let (prefix, suffix) = ends(old, new);
    prefix + suffix
}

fn ends(old: &[u8], new: &[u8]) -> (usize, usize) {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - prefix;
    let suffix = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    (prefix, suffix)
}

fn compared(old: &[u8], new: &[u8]) -> Change {
    let (prefix, suffix) = ends(old, new);
    if old == new {
        return Change::None;
    }
    if prefix + suffix >= old.len() {
        return Change::Added;
    }
    let gone = &old[prefix..old.len() - suffix];
    let is_plain = gone.iter().all(|byte| (b' '..0x7f).contains(byte));
    // The codes of a subset say nothing about the letters.
    Change::Replaced { figures: gone.iter().any(u8::is_ascii_digit) || !is_plain }
}

/// The texts of each stream that draws on a page, with the number of its object, in the order of the file.
fn drawings(bytes: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut drawings = Vec::new();
    let mut at = 0;
    while let Some(found) = find(&bytes[at..], b" obj") {
        let here = at + found;
        at = here + 4;
        let Some(number) = number_before(bytes, here) else { continue };
        let end = find(&bytes[at..], b"endobj").map_or(bytes.len(), |end| at + end);
        if let Some((dictionary, stream)) = stream_of(bytes, at..end) {
            let data = decoded(dictionary, stream);
            if let Some(data) = data.filter(|data| draws(data)) {
                drawings.push((number, shown(&data)));
            }
            at = end;
        }
    }
    drawings
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut at = 0;
    while let Some(next) = bytes.get(at..)?.iter().position(|byte| *byte == first) {
        at += next;
        if bytes[at..].starts_with(wanted) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Of `12 0 obj`, where `at` is the last space.
fn number_before(bytes: &[u8], at: usize) -> Option<u32> {
    let before = &bytes[at.saturating_sub(16)..at];
    let text: String = before.iter().map(|byte| if byte.is_ascii_digit() { char::from(*byte) } else { ' ' }).collect();
    text.split_whitespace().rev().nth(1)?.parse().ok()
}

fn stream_of(bytes: &[u8], object: Range<usize>) -> Option<(&[u8], &[u8])> {
    let object = &bytes[object];
    let start = find(object, b"stream")?;
    let data = &object[start + 6..];
    let data = data.strip_prefix(b"\r\n").or_else(|| data.strip_prefix(b"\n")).unwrap_or(data);
    Some((&object[..start], data))
}

/// None for what is not a page's drawing, and for filters other than the usual one.
fn decoded(dictionary: &[u8], stream: &[u8]) -> Option<Vec<u8>> {
    let has = |word: &[u8]| find(dictionary, word).is_some();
    if [&b"/Type"[..], b"/Subtype", b"/Length1", b"/FunctionType", b"/N "].into_iter().any(has) {
        return None;
    }
    match (has(b"/Filter"), has(b"/FlateDecode") || has(b"/Fl "), has(b"/ASCII85Decode") || has(b"/A85")) {
        (false, ..) => Some(stream.to_vec()),
        (true, true, false) => Some(inflate(stream)),
        (true, flate, true) => {
            let plain = ascii85(stream);
            Some(if flate { inflate(&plain) } else { plain })
        }
        _ => None,
    }
}

fn ascii85(stream: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut group: Vec<u8> = Vec::new();
    for byte in stream.iter().copied().filter(|byte| !byte.is_ascii_whitespace()) {
        match byte {
            b'~' => break,
            b'z' if group.is_empty() => out.extend([0; 4]),
            b'!'..=b'u' => group.push(byte - b'!'),
            _ => {}
        }
        if group.len() == 5 {
            out.extend(base85(&group));
            group.clear();
        }
    }
    let rest = group.len();
    if rest > 1 {
        group.resize(5, 84);
        out.extend(&base85(&group)[..rest - 1]);
    }
    out
}

fn base85(group: &[u8]) -> [u8; 4] {
    group.iter().fold(0_u32, |sum, digit| sum.wrapping_mul(85).wrapping_add(u32::from(*digit))).to_be_bytes()
}

fn draws(data: &[u8]) -> bool {
    find(data, b"begincmap").is_none() && (find(data, b"BT").is_some() || find(data, b" re").is_some())
}

/// The bytes of all strings in texts, without those of marked content and of operands in dictionaries.
fn shown(data: &[u8]) -> Vec<u8> {
    let mut shown = Vec::new();
    let mut at = 0;
    while let Some(byte) = data.get(at) {
        match byte {
            b'(' => at = literal(data, at + 1, &mut shown),
            b'<' if data.get(at + 1) == Some(&b'<') => {
                at = find(&data[at..], b">>").map_or(data.len(), |end| at + end + 2);
            }
            b'<' => {
                let end = data[at..].iter().position(|byte| *byte == b'>').map_or(data.len(), |end| at + end);
                let digits: Vec<u8> = data[at + 1..end]
                    .iter()
                    .filter_map(|byte| u8::try_from(char::from(*byte).to_digit(16)?).ok())
                    .collect();
                shown.extend(digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)));
                at = end + 1;
            }
            b'%' => at += data[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(data.len()).max(1),
            _ => at += 1,
        }
    }
    shown
}

/// Adds a string in parentheses, which may be nested, and returns where it ends.
fn literal(data: &[u8], from: usize, shown: &mut Vec<u8>) -> usize {
    let mut depth = 1;
    let mut at = from;
    while let Some(byte) = data.get(at) {
        match byte {
            b'\\' => {
                at += 1;
                let digits =
                    data[at.min(data.len())..].iter().take(3).take_while(|byte| (b'0'..b'8').contains(byte)).count();
                if digits > 0 {
                    let code =
                        data[at..at + digits].iter().fold(0_u32, |code, digit| code * 8 + u32::from(digit - b'0'));
                    shown.push(u8::try_from(code & 0xff).unwrap_or(0));
                    at += digits - 1;
                } else {
                    shown.extend(data.get(at));
                }
            }
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            byte => shown.push(*byte),
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(contents: &[&str]) -> (Content, Revision) {
        let mut bytes = Vec::new();
        let mut start = 0;
        for content in contents {
            start = bytes.len() as u64;
            bytes.extend(format!("\n4 0 obj\n<</Length 1>>\nstream\n{content}\nendstream\nendobj\n%%EOF\n").bytes());
        }
        let end = bytes.len() as u64;
        let revision =
            Revision { start, end, objects: 1, replaced: 1, kinds: vec!["content".to_owned()], pages: vec![1] };
        (Content(bytes), revision)
    }

    #[test]
    fn a_revision_is_judged_by_what_it_draws() {
        let page = "BT (Total) Tj [(1)20(20,00)] TJ <80> Tj ET";
        for (next, change) in [
            (page, Change::None),
            ("q BT /F1 9 Tf (Total) Tj (120,00) Tj (\\200) Tj ET Q", Change::None),
            ("BT (Total) Tj (120,00) Tj <80> Tj ET BT (Page 1) Tj ET", Change::Added),
            ("BT (Total) Tj (920,00) Tj <80> Tj ET", Change::Replaced { figures: true }),
            ("BT (Somme) Tj (120,00) Tj <80> Tj ET", Change::Replaced { figures: false }),
        ] {
            let (content, revision) = file(&[page, next]);
            assert_eq!(changes(&content, &revision), change, "{next}");
        }
    }
}
