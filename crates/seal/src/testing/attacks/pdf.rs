// Just enough PDF for an attacker: finding the latest version of objects, and appending.

use std::fmt::Write as _;

pub(super) const CATALOG: u32 = 1;
pub(super) const PAGES: u32 = 2;
pub(super) const PAGE: u32 = 3;
pub(super) const CONTENT: u32 = 4;
pub(super) const FONT: u32 = 5;
/// The seal manifest's file specification; its stream is the next object. After it, the same for each token.
pub(super) const MANIFEST: u32 = 6;

/// What a viewer would show instead.
pub(super) const COUNTERFEIT: &str = "<< /Length 40 >>\nstream\nBT /F1 24 Tf 72 720 Td (Counterfeit) Tj ET \nendstream";

/// The last offset of `needle`.
pub(super) fn last(pdf: &[u8], needle: &str) -> usize {
    pdf.windows(needle.len()).rposition(|window| window == needle.as_bytes()).unwrap_or_else(|| panic!("no {needle}"))
}

pub(super) fn first(pdf: &[u8], needle: &str) -> usize {
    pdf.windows(needle.len()).position(|window| window == needle.as_bytes()).unwrap_or_else(|| panic!("no {needle}"))
}

fn between<'a>(pdf: &'a [u8], at: usize, end: &str) -> &'a [u8] {
    &pdf[at..at + first(&pdf[at..], end)]
}

/// The latest version of an object, without `obj` and `endobj`.
pub(super) fn object(pdf: &[u8], number: u32) -> String {
    let head = format!("\n{number} 0 obj\n");
    let body = between(pdf, last(pdf, &head) + head.len(), "\nendobj");
    body.iter().copied().map(char::from).collect()
}

/// The number in the last `/Size`: the first free one.
pub(super) fn free(pdf: &[u8]) -> u32 {
    number_after(pdf, "/Size ")
}

/// The offset in the last `startxref`.
pub(super) fn table(pdf: &[u8]) -> usize {
    number_after(pdf, "startxref\n") as usize
}

fn number_after(pdf: &[u8], key: &str) -> u32 {
    let digits: String =
        pdf[last(pdf, key) + key.len()..].iter().copied().map(char::from).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// The dictionary with one more entry.
pub(super) fn with(dictionary: &str, entry: &str) -> String {
    let open = dictionary.trim_end().strip_suffix(">>").expect("a dictionary ends with >>");
    format!("{open} {entry} >>")
}

/// The number of the certification signature's dictionary.
pub(super) fn signature(pdf: &[u8]) -> u32 {
    let before = &pdf[..first(pdf, " 0 obj\n<<\n/Type /Sig\n")];
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&before[before.len() - digits..]).unwrap().parse().unwrap()
}

/// How an update is finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Finish {
    Whole,
    WithoutTable,
    WithoutTrailer,
    /// Only objects and the end mark.
    Bare,
    EmptyTable,
    /// The table is one of the file's own.
    OldTable,
}

/// An update: regular, or malformed as given by `finish`.
pub(super) fn append(pdf: &[u8], objects: &[(u32, String)], finish: Finish, trailer: &str) -> Vec<u8> {
    let mut out = pdf.to_vec();
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    let mut entries = String::from("xref\n");
    for (number, value) in objects {
        let _ = write!(entries, "{number} 1\n{:010} 00000 n \n", out.len());
        out.extend(format!("{number} 0 obj\n").bytes());
        // The text of an object of this file has one character per byte.
        out.extend(value.chars().map(|it| u8::try_from(u32::from(it)).unwrap_or(b'?')));
        out.extend(b"\nendobj\n");
    }
    if finish == Finish::EmptyTable {
        entries.truncate("xref\n".len());
        entries.push_str("0 0\n");
    }
    let at = out.len();
    let highest = objects.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
    let (size, previous) = (free(pdf).max(highest), table(pdf));
    let trailer = format!(
        "trailer\n<< /Size {size} /Root {CATALOG} 0 R /Prev {previous} /ID [<00112233445566778899AABBCCDDEEFF> \
         <00112233445566778899AABBCCDDEEFF>] {trailer} >>\n"
    );
    let at = if finish == Finish::OldTable { previous } else { at };
    let text = match finish {
        Finish::Whole | Finish::EmptyTable => format!("{entries}{trailer}startxref\n{at}\n%%EOF\n"),
        Finish::WithoutTable | Finish::OldTable => format!("{trailer}startxref\n{at}\n%%EOF\n"),
        Finish::WithoutTrailer => format!("{entries}startxref\n{at}\n%%EOF\n"),
        Finish::Bare => "%%EOF\n".to_owned(),
    };
    out.extend(text.bytes());
    out
}

/// The usual update.
pub(super) fn update(pdf: &[u8], objects: &[(u32, String)]) -> Vec<u8> {
    append(pdf, objects, Finish::Whole, "")
}

/// Replaces the last `from`, with blanks after a shorter `to`, so that nothing moves.
pub(super) fn overwrite(pdf: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert!(to.len() <= from.len(), "{to} is longer than {from}");
    let mut changed = pdf.to_vec();
    let at = last(pdf, from);
    changed[at..at + from.len()].copy_from_slice(format!("{to:width$}", width = from.len()).as_bytes());
    changed
}

/// Replaces the last `from`, and moves everything after it.
pub(super) fn substitute(pdf: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = last(pdf, from);
    [&pdf[..at], to.as_bytes(), &pdf[at + from.len()..]].concat()
}

/// The place of `/Contents` of the last signature or time stamp, including its angle brackets.
pub(super) fn hole(pdf: &[u8]) -> std::ops::Range<usize> {
    let start = last(pdf, "/Contents <") + "/Contents ".len();
    start..start + first(&pdf[start..], ">") + 1
}

/// Puts these bytes into the last hole, followed by zeros.
pub(super) fn in_last_hole(pdf: &[u8], der: &[u8]) -> Vec<u8> {
    let place = hole(pdf);
    let width = place.len() - 2;
    let mut digits = String::new();
    for byte in der {
        let _ = write!(digits, "{byte:02X}");
    }
    let mut changed = pdf.to_vec();
    changed[place.start + 1..place.end - 1].copy_from_slice(format!("{digits:0<width$}").as_bytes());
    changed
}
