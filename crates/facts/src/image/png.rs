//! The content of a PNG's chunks (PNG 1.2, sections 3 to 5), read without decoding a pixel.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::model::PngFacts;
use crate::text;

const MAX_CHUNKS: usize = 128;
const MAX_TEXTS: usize = 32;
const MAX_TEXT_LENGTH: usize = 500;
/// An XMP packet can be longer than other texts.
const MAX_UNPACKED: usize = 1 << 20;

/// The facts of the chunks.
pub(super) struct PngData {
    pub(super) facts: PngFacts,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) exif: Option<Vec<u8>>,
    pub(super) xmp: Option<Vec<u8>>,
    /// The texts in full, except XMP.
    pub(super) long_texts: Vec<(String, String)>,
    /// Where `IEND` ends.
    pub(super) end: usize,
}

/// Reads the chunks of `file`; `None` if it has no header.
pub(super) fn read(file: &[u8]) -> Option<PngData> {
    let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1A\n")?;
    let mut read = PngData {
        facts: PngFacts::default(),
        width: 0,
        height: 0,
        exif: None,
        xmp: None,
        long_texts: Vec::new(),
        end: file.len(),
    };
    let mut chunks = 0_u32;
    while let Some((name, payload, after)) = next_chunk(rest) {
        chunks += 1;
        rest = after;
        if read.facts.chunks.last() != Some(&name) && read.facts.chunks.len() < MAX_CHUNKS {
            read.facts.chunks.push(name.clone());
        }
        match name.as_str() {
            "IHDR" if payload.len() == 13 => {
                read.width = u32::from_be_bytes(*payload.first_chunk()?);
                read.height = u32::from_be_bytes(*payload[4..].first_chunk()?);
                (read.facts.bit_depth, read.facts.colour_type) = (payload[8], payload[9]);
            }
            "tIME" => read.facts.modified = modified(payload),
            "eXIf" => read.exif = read.exif.take().or_else(|| Some(payload.to_vec())),
            "tEXt" | "zTXt" | "iTXt" if read.facts.texts.len() < MAX_TEXTS => {
                if let Some((keyword, value)) = text_of(&name, payload) {
                    if keyword == "XML:com.adobe.xmp" {
                        read.xmp = read.xmp.take().or_else(|| Some(value.clone()));
                    } else {
                        read.long_texts.push((keyword.clone(), String::from_utf8_lossy(&value).into_owned()));
                    }
                    let value = text::one_line(&String::from_utf8_lossy(&value), MAX_TEXT_LENGTH).unwrap_or_default();
                    read.facts.texts.push((keyword, value));
                }
            }
            _ => {}
        }
        if name == "IEND" {
            read.end = file.len() - rest.len();
            read.facts.bytes_behind_end = rest.len() as u64;
            break;
        }
        if chunks >= 100_000 {
            break;
        }
    }
    (read.width > 0 && read.height > 0).then_some(read)
}

fn next_chunk(rest: &[u8]) -> Option<(String, &[u8], &[u8])> {
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (name, rest) = rest.split_first_chunk::<4>()?;
    if !name.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let (payload, after) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    // The CRC-32 is not checked here: the decoder checks it.
    Some((String::from_utf8_lossy(name).into_owned(), payload, after.get(4..)?))
}

fn modified(payload: &[u8]) -> Option<String> {
    let &[y1, y0, month, day, hour, minute, second] = payload else { return None };
    let year = u16::from_be_bytes([y1, y0]);
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    is_date.then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// Keyword and text.
fn text_of(name: &str, payload: &[u8]) -> Option<(String, Vec<u8>)> {
    let end = payload.iter().take(80).position(|&byte| byte == 0)?;
    let keyword = text::one_line(&String::from_utf8_lossy(&payload[..end]), 79)?;
    let rest = &payload[end + 1..];
    let unpack = |packed| decompress_to_vec_zlib_with_limit(packed, MAX_UNPACKED).ok();
    let value = match name {
        "tEXt" => rest[..rest.len().min(MAX_UNPACKED)].to_vec(),
        "zTXt" => unpack(rest.get(1..)?)?,
        _ => {
            let (&[packed, _method], rest) = rest.split_first_chunk::<2>()?;
            // Language tag and translated keyword.
            let rest = rest.splitn(3, |&byte| byte == 0).nth(2)?;
            if packed == 1 { unpack(rest)? } else { rest[..rest.len().min(MAX_UNPACKED)].to_vec() }
        }
    };
    Some((keyword, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(name: &[u8], payload: &[u8]) -> Vec<u8> {
        [&u32::try_from(payload.len()).unwrap().to_be_bytes()[..], name, payload, b"CRC!"].concat()
    }

    #[test]
    fn chunks_and_texts_are_listed() {
        let header = [&7_u32.to_be_bytes()[..], &5_u32.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
        let file = [
            b"\x89PNG\r\n\x1A\n".to_vec(),
            chunk(b"IHDR", &header),
            chunk(b"tEXt", b"Software\0GIMP 2.10"),
            chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0<x/>"),
            chunk(b"tIME", &[0x07, 0xEA, 11, 20, 10, 0, 0]),
            chunk(b"IDAT", b"x"),
            chunk(b"IDAT", b"y"),
            chunk(b"IEND", b""),
            b"more".to_vec(),
        ]
        .concat();
        let read = read(&file).unwrap();
        assert_eq!((read.width, read.height), (7, 5));
        assert_eq!(read.facts.chunks, ["IHDR", "tEXt", "iTXt", "tIME", "IDAT", "IEND"]);
        assert_eq!(read.facts.texts[0], ("Software".to_owned(), "GIMP 2.10".to_owned()));
        assert_eq!(read.xmp.as_deref(), Some(&b"<x/>"[..]));
        assert_eq!(read.facts.modified.as_deref(), Some("2026-11-20T10:00:00Z"));
        assert_eq!(read.facts.bytes_behind_end, 4);
        for length in 0..file.len() {
            super::read(&file[..length]);
        }
    }
}
