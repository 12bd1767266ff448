//! Embedded files (ISO 32000-1, section 7.11.4), decompressed.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::{
    PdfError,
    file::File,
    syntax::{Dictionary, Value},
};

/// More embedded files than this are rejected: a case has at most a thousand items, each with a token and an original.
const MAX_FILES: usize = 10_000;
/// The largest size of a decompressed file, in bytes.
const MAX_SIZE: usize = 64 * 1024 * 1024;
/// The largest total size: originals of at most 50 MB, the manifest and the tokens.
const MAX_TOTAL: usize = 128 * 1024 * 1024;
/// The greatest depth of the name tree.
const MAX_DEPTH: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attachment {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// All embedded files as of the newest revision, in the order of the name tree.
pub(crate) fn read(file: &File<'_>) -> Result<Vec<Attachment>, PdfError> {
    let (_, catalog) = file.catalog()?;
    let Some(names) = file.follow(&catalog, "Names")? else { return Ok(Vec::new()) };
    let Some(tree) = file.follow(&names, "EmbeddedFiles")? else { return Ok(Vec::new()) };
    let mut specifications = Vec::new();
    collect(file, &tree, 0, &mut specifications)?;
    let mut attachments = Vec::new();
    let mut total = 0;
    for specification in &specifications {
        let attachment = open(file, specification)?;
        total += attachment.bytes.len();
        if total > MAX_TOTAL {
            return Err(PdfError::new(0, "the embedded files are too large together"));
        }
        attachments.push(attachment);
    }
    Ok(attachments)
}

fn collect(
    file: &File<'_>,
    node: &Dictionary,
    depth: usize,
    specifications: &mut Vec<Dictionary>,
) -> Result<(), PdfError> {
    let broken = || PdfError::new(0, "the tree of embedded files is broken");
    if depth > MAX_DEPTH || specifications.len() > MAX_FILES {
        return Err(PdfError::new(0, "there are too many embedded files"));
    }
    for kid in node.array("Kids").unwrap_or_default() {
        let Value::Reference(kid) = kid.value else { return Err(broken()) };
        collect(file, file.object(kid)?.dictionary()?, depth + 1, specifications)?;
    }
    for pair in node.array("Names").unwrap_or_default().chunks(2) {
        match pair {
            [_, specification] => match &specification.value {
                Value::Reference(number) => specifications.push(file.object(*number)?.dictionary()?.clone()),
                Value::Dictionary(dictionary) => specifications.push(dictionary.clone()),
                _ => return Err(broken()),
            },
            _ => return Err(broken()),
        }
    }
    Ok(())
}

fn open(file: &File<'_>, specification: &Dictionary) -> Result<Attachment, PdfError> {
    let broken = || PdfError::new(0, "an embedded file cannot be read");
    let name = specification.string("UF").or_else(|| specification.string("F")).ok_or_else(broken)?;
    let streams = file.follow(specification, "EF")?.ok_or_else(broken)?;
    let object = file.object(streams.reference("F").or_else(|| streams.reference("UF")).ok_or_else(broken)?)?;
    let stored = object.stream.ok_or_else(broken)?;
    let dictionary = object.dictionary()?;
    if dictionary.get("DecodeParms").is_some() || dictionary.get("F").is_some() {
        return Err(broken());
    }
    let is_deflated = match dictionary.get("Filter").map(|node| &node.value) {
        None => false,
        Some(Value::Name(filter)) if filter == b"FlateDecode" => true,
        Some(Value::Array(filters)) => match filters.as_slice() {
            [] => false,
            [only] if only.value == Value::Name(b"FlateDecode".to_vec()) => true,
            _ => return Err(broken()),
        },
        Some(_) => return Err(broken()),
    };
    let bytes = if is_deflated {
        decompress_to_vec_zlib_with_limit(stored, MAX_SIZE).map_err(|_| broken())?
    } else {
        stored.to_vec()
    };
    Ok(Attachment { name: text(name), bytes })
}

/// A text string: UTF-16 with its mark, else read as Latin-1, which matches `PDFDocEncoding` in letters and digits.
fn text(bytes: &[u8]) -> String {
    match bytes.strip_prefix(b"\xFE\xFF") {
        Some(rest) => {
            let units = rest.as_chunks::<2>().0.iter().map(|&unit| u16::from_be_bytes(unit));
            char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        None => bytes.iter().copied().map(char::from).collect(),
    }
}
