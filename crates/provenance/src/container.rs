//! Where files keep a manifest store: APP11 segments of a JPEG, the `caBX` chunk of a PNG. And how these files divide
//! into the boxes that `c2pa.hash.boxes` covers.

use std::ops::Range;

use crate::jumbf::StoreBytes;

/// Larger stores are not read: the largest known ones, with thumbnails of many ingredients, have some megabytes.
const MAX_STORE: usize = 16 << 20;
const MAX_PARTS: usize = 100_000;

/// The kind of a file with pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    Jpeg,
    Png,
    /// The store is an embedded file, which the caller finds.
    Pdf,
}

/// A part of a file: a JPEG's marker segment with its coded data, a PNG's chunk.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// As `c2pa.hash.boxes` names it (C2PA 2.1, section 18.9): `SOI`, `APP1`, `SOS`, `PNGh`, `IDAT`, `C2PA`.
    pub(crate) name: String,
    pub(crate) place: Range<usize>,
}

impl Part {
    /// Whether it describes the picture, rather than being a part of it.
    pub(crate) fn is_metadata(&self) -> bool {
        match self.name.as_str() {
            // APP2 may be a colour profile, and APP14 says how colours are coded.
            "APP1" | "APP3" | "APP4" | "APP5" | "APP6" | "APP7" | "APP8" | "APP9" | "APP10" | "APP11" | "APP12"
            | "APP13" | "APP15" | "COM" | "tEXt" | "zTXt" | "iTXt" | "eXIf" | "tIME" => true,
            _ => false,
        }
    }
}

impl Container {
    /// The manifest store in `file`, if there is one.
    pub fn store(self, file: &[u8]) -> Option<StoreBytes> {
        match self {
            Self::Jpeg => jpeg_store(file),
            Self::Png => png_store(file),
            Self::Pdf => None,
        }
    }

    /// The parts of a picture file, in order, with the manifest store as one part.
    pub(crate) fn parts(self, file: &[u8], store: &StoreBytes) -> Vec<Part> {
        let parts = match self {
            Self::Jpeg => jpeg_parts(file),
            Self::Png => png_parts(file),
            Self::Pdf => return Vec::new(),
        };
        let mut merged: Vec<Part> = Vec::new();
        for part in parts {
            // Both are in the order of the file.
            let is_store = store.places.binary_search_by_key(&part.place.start, |place| place.start).is_ok();
            match merged.last_mut() {
                Some(last) if is_store && last.name == "C2PA" => last.place.end = part.place.end,
                _ => merged.push(if is_store { Part { name: "C2PA".to_owned(), ..part } } else { part }),
            }
        }
        merged
    }
}

/// The segments of a JPEG with their markers; a scan includes the coded data after it.
fn jpeg_parts(file: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while parts.len() < MAX_PARTS {
        let Some(&[0xFF, marker]) = file.get(at..at + 2) else { break };
        if marker == 0xFF {
            at += 1;
            continue;
        }
        let start = at;
        let has_length = !matches!(marker, 0xD0..=0xD9 | 0x01);
        at += 2;
        if has_length {
            let Some(length) = file.get(at..).and_then(<[u8]>::first_chunk::<2>) else { break };
            at += usize::from(u16::from_be_bytes(*length)).max(2);
            if at > file.len() {
                break;
            }
        }
        if marker == 0xDA {
            at += coded_data(&file[at..]);
        }
        parts.push(Part { name: marker_name(marker), place: start..at });
        if marker == 0xD9 {
            break;
        }
    }
    parts
}

/// The length of a scan's data: up to a marker that is neither an escaped FF nor a restart.
fn coded_data(rest: &[u8]) -> usize {
    let is_end = |pair: &[u8]| pair[0] == 0xFF && !matches!(pair[1], 0 | 0xD0..=0xD7 | 0xFF);
    rest.windows(2).position(is_end).unwrap_or(rest.len())
}

fn marker_name(marker: u8) -> String {
    match marker {
        0xD8 => "SOI".to_owned(),
        0xD9 => "EOI".to_owned(),
        0xDA => "SOS".to_owned(),
        0xDB => "DQT".to_owned(),
        0xDD => "DRI".to_owned(),
        0xC4 => "DHT".to_owned(),
        0xFE => "COM".to_owned(),
        0xE0..=0xEF => format!("APP{}", marker - 0xE0),
        0xD0..=0xD7 => format!("RST{}", marker - 0xD0),
        0xF0..=0xFD => format!("JPG{}", marker - 0xF0),
        0xC0..=0xCF => format!("SOF{}", marker - 0xC0),
        other => format!("{other:02X}"),
    }
}

/// A store is a box over several APP11 segments (ISO 18477-3): each has `JP`, an instance number, a sequence number,
/// and, again and again, the header of the box.
fn jpeg_store(file: &[u8]) -> Option<StoreBytes> {
    let mut store = StoreBytes::default();
    let mut instance = None;
    for part in jpeg_parts(file).into_iter().filter(|part| part.name == "APP11") {
        let payload = file.get(part.place.start + 4..part.place.end)?;
        let Some((header, data)) = payload.split_at_checked(8).filter(|(header, _)| header.starts_with(b"JP")) else {
            continue;
        };
        let number = [header[2], header[3]];
        if instance == Some(number) {
            // A long box repeats its length of eight bytes as well.
            let repeated = if data.starts_with(&[0, 0, 0, 1]) { 16 } else { 8 };
            let Some(data) = data.get(repeated..) else { continue };
            if store.bytes.len() + data.len() > MAX_STORE {
                return None;
            }
            store.bytes.extend_from_slice(data);
            store.places.push(part.place);
        } else if instance.is_none() && is_store(data) {
            instance = Some(number);
            store.bytes.extend_from_slice(data);
            store.places.push(part.place);
        }
    }
    instance.map(|_| store)
}

/// Whether a box starts like a manifest store: `jumb`, `jumd`, and the type `c2pa`.
fn is_store(start: &[u8]) -> bool {
    let header = if start.starts_with(&[0, 0, 0, 1]) { 16 } else { 8 };
    start.get(4..8) == Some(b"jumb") && start.get(header + 8..header + 12) == Some(b"c2pa")
}

/// The chunks of a PNG, each with its length, name and checksum; first the signature.
fn png_parts(file: &[u8]) -> Vec<Part> {
    const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";
    let mut parts = Vec::new();
    if !file.starts_with(SIGNATURE) {
        return parts;
    }
    let mut at = SIGNATURE.len();
    parts.push(Part { name: "PNGh".to_owned(), place: 0..at });
    while parts.len() < MAX_PARTS {
        let Some(header) = file.get(at..).and_then(<[u8]>::first_chunk::<8>) else { break };
        let [l3, l2, l1, l0, name @ ..] = *header;
        let length = usize::try_from(u32::from_be_bytes([l3, l2, l1, l0])).unwrap_or(usize::MAX);
        let Some(end) = at.checked_add(12).and_then(|end| end.checked_add(length)).filter(|end| *end <= file.len())
        else {
            break;
        };
        parts.push(Part { name: String::from_utf8_lossy(&name).into_owned(), place: at..end });
        at = end;
        if &name == b"IEND" {
            break;
        }
    }
    parts
}

fn png_store(file: &[u8]) -> Option<StoreBytes> {
    let part = png_parts(file).into_iter().find(|part| part.name == "caBX")?;
    let bytes = file.get(part.place.start + 8..part.place.end - 4)?;
    (bytes.len() <= MAX_STORE).then(|| StoreBytes { bytes: bytes.to_vec(), places: vec![part.place] })
}
