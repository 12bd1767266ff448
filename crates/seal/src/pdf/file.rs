//! A file's revisions and objects.
//!
//! A PDF file grows by appending: each revision ends with a cross-reference table, a trailer and `%%EOF`. Here the
//! revisions must follow each other without gap or overlap, each table may only point into its own revision, and the
//! last one must end where the file ends.

use std::{collections::BTreeMap, ops::Range};

use super::{
    PdfError,
    syntax::{Dictionary, Node, Parser, Value},
};

/// A certificate has two revisions and gets one for each archive time stamp.
const MAX_REVISIONS: usize = 64;
/// How far from the end to search for `startxref`, in bytes.
const TAIL: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct File<'a> {
    pub(crate) bytes: &'a [u8],
    /// Oldest first; never empty.
    pub(crate) revisions: Vec<Revision>,
}

#[derive(Clone, Debug)]
pub(crate) struct Revision {
    /// Where its bytes are in the file.
    pub(crate) span: Range<usize>,
    /// Where its cross-reference table starts.
    pub(crate) table: usize,
    /// Objects that it adds or replaces, by number: where they start, or `None` for those that it frees.
    pub(crate) objects: BTreeMap<u32, Option<usize>>,
    pub(crate) trailer: Dictionary,
}

/// An object's value, and its stream's bytes as they are stored.
#[derive(Clone, Debug)]
pub(crate) struct Object<'a> {
    pub(crate) node: Node,
    pub(crate) stream: Option<&'a [u8]>,
}

impl Object<'_> {
    pub(crate) fn dictionary(&self) -> Result<&Dictionary, PdfError> {
        match &self.node.value {
            Value::Dictionary(dictionary) => Ok(dictionary),
            _ => Err(PdfError::new(self.node.span.start, "this object is not a dictionary")),
        }
    }
}

impl<'a> File<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, PdfError> {
        if !bytes.starts_with(b"%PDF-1.") {
            return Err(PdfError::new(0, "this is not a PDF file of version 1"));
        }
        let mut sections = Vec::new();
        let mut next = Some(last_table(bytes)?);
        while let Some(table) = next {
            if sections.len() == MAX_REVISIONS {
                return Err(PdfError::new(table, "the file has too many revisions"));
            }
            let section = Section::read(bytes, table)?;
            next = section.previous;
            sections.push(section);
        }
        let mut revisions = Vec::new();
        let mut start = 0;
        for section in sections.into_iter().rev() {
            let revision = section.into_revision(start)?;
            start = revision.span.end;
            revisions.push(revision);
        }
        if start != bytes.len() {
            return Err(PdfError::new(start, "there is data after the last revision"));
        }
        Ok(Self { bytes, revisions })
    }

    /// The newest revision.
    pub(crate) fn newest(&self) -> &Revision {
        self.revisions.last().expect("a file that was read has a revision")
    }

    /// The object as of the newest revision.
    pub(crate) fn object(&self, number: u32) -> Result<Object<'a>, PdfError> {
        let found = self.revisions.iter().rev().find_map(|revision| revision.objects.get(&number));
        let missing = || PdfError::new(self.bytes.len(), "a referenced object is not in the file");
        self.object_at(number, found.copied().flatten().ok_or_else(missing)?)
    }

    fn object_at(&self, number: u32, at: usize) -> Result<Object<'a>, PdfError> {
        let mut parser = Parser::new(self.bytes, at);
        if !parser.take(&format!("{number} 0 obj")) {
            return Err(PdfError::new(at, "an entry of the cross-reference table does not point to its object"));
        }
        parser.skip_space();
        let node = parser.value()?;
        parser.skip_space();
        let mut stream = None;
        if parser.take("stream") {
            if !parser.take("\r\n") && !parser.take("\n") {
                return Err(parser.error("`stream` is not followed by a line break"));
            }
            let Value::Dictionary(dictionary) = &node.value else {
                return Err(PdfError::new(at, "a stream does not start with a dictionary"));
            };
            let length = dictionary.integer("Length").and_then(|length| usize::try_from(length).ok());
            let length =
                length.ok_or_else(|| PdfError::new(at, "a stream's length is not written in its dictionary"))?;
            let bytes = parser.rest().get(..length);
            stream = Some(bytes.ok_or_else(|| PdfError::new(at, "a stream ends after the file's end"))?);
            parser.at += length;
            parser.skip_space();
            if !parser.take_keyword("endstream") {
                return Err(parser.error("a stream is not as long as its dictionary says"));
            }
            parser.skip_space();
        }
        if !parser.take_keyword("endobj") {
            return Err(parser.error("an object does not end with `endobj`"));
        }
        Ok(Object { node, stream })
    }

    /// The dictionary that is the value of a key, direct or by reference.
    pub(crate) fn follow(&self, dictionary: &Dictionary, key: &str) -> Result<Option<Dictionary>, PdfError> {
        match dictionary.get(key).map(|node| &node.value) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Dictionary(inner)) => Ok(Some(inner.clone())),
            Some(Value::Reference(number)) => Ok(Some(self.object(*number)?.dictionary()?.clone())),
            Some(_) => Err(PdfError::new(0, "an entry that should be a dictionary is not one")),
        }
    }

    /// The catalog's object number and dictionary.
    pub(crate) fn catalog(&self) -> Result<(u32, Dictionary), PdfError> {
        let revision = self.newest();
        let root = revision.trailer.reference("Root");
        let root = root.ok_or_else(|| PdfError::new(revision.table, "the trailer does not name a catalog"))?;
        let catalog = self.object(root)?.dictionary()?.clone();
        if !catalog.is_name("Type", "Catalog") {
            return Err(PdfError::new(revision.table, "the trailer's catalog is not a catalog"));
        }
        Ok((root, catalog))
    }

    /// The first page's object number and dictionary.
    pub(crate) fn first_page(&self, catalog: &Dictionary) -> Result<(u32, Dictionary), PdfError> {
        let broken = || PdfError::new(self.newest().table, "the pages cannot be found");
        let mut number = catalog.reference("Pages").ok_or_else(broken)?;
        for _ in 0..MAX_REVISIONS {
            let dictionary = self.object(number)?.dictionary()?.clone();
            if dictionary.is_name("Type", "Page") {
                return Ok((number, dictionary));
            }
            number = match dictionary.array("Kids").and_then(<[Node]>::first).map(|node| &node.value) {
                Some(Value::Reference(kid)) => *kid,
                _ => return Err(broken()),
            };
        }
        Err(broken())
    }
}

/// Where the newest cross-reference table starts, from the file's last lines.
fn last_table(bytes: &[u8]) -> Result<usize, PdfError> {
    let tail = bytes.len().saturating_sub(TAIL);
    let keyword = b"startxref";
    let found = bytes[tail..].windows(keyword.len()).rposition(|window| window == keyword);
    let at = tail + found.ok_or_else(|| PdfError::new(bytes.len(), "the file does not end like a PDF file"))?;
    let mut parser = Parser::new(bytes, at + keyword.len());
    parser.skip_space();
    parser.unsigned().ok_or_else(|| parser.error("`startxref` is not followed by a number"))
}

/// A cross-reference table with its trailer, before the start of its revision is known.
struct Section {
    table: usize,
    end: usize,
    objects: BTreeMap<u32, Option<usize>>,
    trailer: Dictionary,
    previous: Option<usize>,
}

impl Section {
    fn read(bytes: &[u8], table: usize) -> Result<Self, PdfError> {
        let mut parser = Parser::new(bytes, table);
        if !parser.take_keyword("xref") {
            return Err(parser.error("there is no classic cross-reference table here"));
        }
        parser.skip_space();
        let mut objects = BTreeMap::new();
        while !parser.take_keyword("trailer") {
            read_run(&mut parser, &mut objects)?;
        }
        parser.skip_space();
        let Value::Dictionary(trailer) = parser.value()?.value else {
            return Err(parser.error("the trailer is not a dictionary"));
        };
        if trailer.get("Encrypt").is_some() || trailer.get("XRefStm").is_some() {
            return Err(parser.error("the file is encrypted, or has a cross-reference stream in addition to the table"));
        }
        let previous = match trailer.get("Prev") {
            None => None,
            Some(node) => Some(
                trailer
                    .integer("Prev")
                    .and_then(|previous| usize::try_from(previous).ok())
                    .filter(|previous| *previous < table)
                    .ok_or_else(|| PdfError::new(node.span.start, "an earlier table is not before this one"))?,
            ),
        };
        parser.skip_space();
        let names_itself = parser.take_keyword("startxref") && {
            parser.skip_space();
            parser.unsigned() == Some(table)
        };
        if !names_itself {
            return Err(parser.error("`startxref` does not name the table before it"));
        }
        while parser.rest().first().is_some_and(|byte| matches!(byte, b'\n' | b'\r' | b' ')) {
            parser.at += 1;
        }
        if !parser.take("%%EOF") {
            return Err(parser.error("a revision does not end with `%%EOF`"));
        }
        let _ = parser.take("\r\n") || parser.take("\n");
        Ok(Self { table, end: parser.at, objects, trailer, previous })
    }

    fn into_revision(self, start: usize) -> Result<Revision, PdfError> {
        let body = start..self.table;
        if self.table < start || self.objects.values().flatten().any(|at| !body.contains(at)) {
            return Err(PdfError::new(self.table, "a cross-reference table points outside of its revision"));
        }
        Ok(Revision { span: start..self.end, table: self.table, objects: self.objects, trailer: self.trailer })
    }
}

/// One run of a cross-reference table: `first count`, then entries of 20 bytes.
fn read_run(parser: &mut Parser<'_>, objects: &mut BTreeMap<u32, Option<usize>>) -> Result<(), PdfError> {
    let broken = |parser: &Parser<'_>| parser.error("the cross-reference table is broken");
    let first = parser.unsigned().and_then(|first| u32::try_from(first).ok()).ok_or_else(|| broken(parser))?;
    parser.skip_space();
    let count = parser.unsigned().and_then(|count| u32::try_from(count).ok()).ok_or_else(|| broken(parser))?;
    parser.skip_space();
    for number in 0..count {
        let number = first.checked_add(number).ok_or_else(|| broken(parser))?;
        let entry = parser.rest().get(..20).ok_or_else(|| broken(parser))?;
        let digits = |range: Range<usize>| std::str::from_utf8(&entry[range]).ok()?.parse::<usize>().ok();
        let (at, generation) = (digits(0..10), digits(11..16));
        let well_formed = entry[10] == b' ' && entry[16] == b' ' && matches!(&entry[18..], b" \n" | b" \r" | b"\r\n");
        let object = match (entry[17], at, generation) {
            (b'n', Some(at), Some(0)) if well_formed => Some(at),
            (b'f', Some(_), Some(_)) if well_formed => None,
            _ => return Err(broken(parser)),
        };
        if objects.insert(number, object).is_some() {
            return Err(broken(parser));
        }
        parser.at += 20;
    }
    parser.skip_space();
    Ok(())
}
