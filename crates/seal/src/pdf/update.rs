//! Appends a revision (ISO 32000-1, section 7.5.6). The same additions to the same file always give the same bytes:
//! that is how verification recognises a revision that this crate appended ([`crate::verify`]).

use std::{collections::BTreeMap, fmt::Write as _, ops::Range};

use super::{
    PdfError,
    file::File,
    syntax::{Dictionary, Value},
};
use crate::digest::Sha256Digest;

/// A dictionary being changed: keys and values as they are written.
#[derive(Clone, Debug)]
pub(crate) struct Draft(Vec<(Vec<u8>, Vec<u8>)>);

impl Draft {
    pub(crate) fn of(file: &File<'_>, dictionary: &Dictionary) -> Self {
        let entry = |(key, node): (&[u8], &super::syntax::Node)| (key.to_vec(), file.bytes[node.span.clone()].to_vec());
        Self(dictionary.iter().map(entry).collect())
    }

    /// Replaces an entry in place, or adds one at the end.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<Vec<u8>>) {
        let value = value.into();
        match self.0.iter_mut().find(|(name, _)| name == key.as_bytes()) {
            Some(entry) => entry.1 = value,
            None => self.0.push((key.into(), value)),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = b"<<".to_vec();
        for (key, value) in &self.0 {
            bytes.extend_from_slice(b"\n/");
            for byte in key {
                match byte {
                    b'!'..=b'~' if !b"#()<>[]{}/%".contains(byte) => bytes.push(*byte),
                    _ => bytes.extend_from_slice(format!("#{byte:02X}").as_bytes()),
                }
            }
            bytes.push(b' ');
            bytes.extend_from_slice(value);
        }
        bytes.extend_from_slice(b"\n>>");
        bytes
    }
}

/// A revision under construction, on top of a file.
#[derive(Debug)]
pub(crate) struct Update<'f, 'a> {
    file: &'f File<'a>,
    /// The bytes to append.
    bytes: Vec<u8>,
    written: BTreeMap<u32, usize>,
    next: u32,
}

impl<'f, 'a> Update<'f, 'a> {
    pub(crate) fn new(file: &'f File<'a>) -> Result<Self, PdfError> {
        let trailer = &file.newest().trailer;
        let next = trailer.integer("Size").and_then(|size| u32::try_from(size).ok());
        let next = next.ok_or_else(|| PdfError::new(file.newest().table, "the trailer has no size"))?;
        let highest = file.revisions.iter().filter_map(|revision| revision.objects.keys().next_back()).max();
        if highest.is_some_and(|highest| *highest >= next) {
            return Err(PdfError::new(file.newest().table, "the file has objects beyond the size in its trailer"));
        }
        // A base may end with `%%EOF` without a line break.
        let bytes = if file.bytes.ends_with(b"\n") { Vec::new() } else { b"\n".to_vec() };
        Ok(Self { file, bytes, written: BTreeMap::new(), next })
    }

    /// A number for a new object.
    pub(crate) fn allocate(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// The offset of the next byte in the file.
    fn position(&self) -> usize {
        self.file.bytes.len() + self.bytes.len()
    }

    /// Writes an object, and returns where its value starts in the file.
    pub(crate) fn put(&mut self, number: u32, value: &[u8]) -> usize {
        self.written.insert(number, self.position());
        self.bytes.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        let at = self.position();
        self.bytes.extend_from_slice(value);
        self.bytes.extend_from_slice(b"\nendobj\n");
        at
    }

    /// Writes a stream without compression.
    pub(crate) fn put_stream(&mut self, number: u32, data: &[u8]) {
        let head = format!("<< /Length {} >>\nstream\n", data.len());
        self.put(number, &[head.as_bytes(), data, b"\nendstream"].concat());
    }

    /// Writes table and trailer, and returns the bytes to append to the file.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, PdfError> {
        let table = self.position();
        let revision = self.file.newest();
        let broken = || PdfError::new(revision.table, "the trailer has no identifier of two strings");
        let identifier = match revision.trailer.array("ID") {
            Some([first, second]) if matches!((&first.value, &second.value), (Value::String(_), Value::String(_))) => {
                &self.file.bytes[first.span.clone()]
            }
            _ => return Err(broken()),
        };
        let version = hex::encode_upper(&Sha256Digest::of(&self.bytes).as_bytes()[..16]);
        let mut trailer = Draft::of(self.file, &revision.trailer);
        trailer.set("Size", self.next.to_string());
        trailer.set("Prev", revision.table.to_string());
        trailer.set("ID", [b"[", identifier, format!(" <{version}>]").as_bytes()].concat());

        let mut text = String::from("xref\n");
        let entries: Vec<(u32, usize)> = self.written.into_iter().collect();
        for run in entries.chunk_by(|a, b| a.0 + 1 == b.0) {
            let _ = writeln!(text, "{} {}", run[0].0, run.len());
            for (_, at) in run {
                let _ = writeln!(text, "{at:010} 00000 n ");
            }
        }
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.extend_from_slice(b"trailer\n");
        self.bytes.extend_from_slice(&trailer.to_bytes());
        self.bytes.extend_from_slice(format!("\nstartxref\n{table}\n%%EOF\n").as_bytes());
        Ok(self.bytes)
    }
}

/// A string of bytes, in uppercase hexadecimal between angle brackets.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    format!("<{}>", hex::encode_upper(bytes))
}

/// A text string (ISO 32000-1, section 7.9.2.2) in UTF-16.
pub(crate) fn text(text: &str) -> String {
    let bytes: Vec<u8> = [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    hexadecimal(&bytes)
}

/// An array of references to the existing and the added objects.
pub(crate) fn references(existing: &[u32], added: &[u32]) -> String {
    let all: Vec<String> = existing.iter().chain(added).map(|number| format!("{number} 0 R")).collect();
    format!("[{}]", all.join(" "))
}

/// An appended revision with a hole for a signature: `/Contents`, including its angle brackets.
#[derive(Clone, Debug)]
pub(crate) struct AppendedRevision {
    pub(crate) bytes: Vec<u8>,
    /// In the whole file.
    pub(crate) hole: Range<usize>,
}
