//! How a JPEG is coded, read from its segments (ITU-T T.81, annex B) without decoding a pixel.

use super::model::{JpegFacts, QuantisationTable, Segment};
use crate::text;

const MAX_SEGMENTS: usize = 128;
/// Markers (including escapes and restarts) that are looked at after the first scan: a progressive file has about a
/// dozen scans.
const MAX_COMMENT: usize = 256;

/// A marker and the content of its segment without the length field.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) marker: u8,
    pub(super) payload: &'a [u8],
}

/// The facts of the segments.
pub(super) struct JpegData<'a> {
    pub(super) facts: JpegFacts,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) parts: Vec<Part<'a>>,
    /// The offset after the end-of-image marker.
    pub(super) end: usize,
}

/// Reads the segments of `file`; `None` if there is no frame header.
pub(super) fn read(file: &[u8]) -> Option<JpegData<'_>> {
    let (parts, end) = parts(file)?;
    let mut facts = JpegFacts { bytes_behind_end: (file.len() - end) as u64, ..JpegFacts::default() };
    let (mut width, mut height) = (0, 0);
    let mut tables: [Option<[u16; 64]>; 4] = [None; 4];
    let mut in_scan = false;
    for part in &parts {
        match part.marker {
            0xDB if !in_scan => read_tables(part.payload, &mut tables),
            0xC0..=0xCF if !matches!(part.marker, 0xC4 | 0xC8 | 0xCC) && width == 0 => {
                let [_, h1, h0, w1, w0, components, _, sampling, ..] = *part.payload else { continue };
                (width, height) = (u32::from(u16::from_be_bytes([w1, w0])), u32::from(u16::from_be_bytes([h1, h0])));
                facts.progressive = matches!(part.marker, 0xC2 | 0xC6 | 0xCA | 0xCE);
                facts.components = components;
                facts.sampling = (sampling >> 4, sampling & 15);
            }
            0xFE => {
                let comment: Vec<u8> = part.payload.iter().copied().take(MAX_COMMENT).collect();
                facts.comment =
                    facts.comment.take().or_else(|| text::one_line(&String::from_utf8_lossy(&comment), MAX_COMMENT));
            }
            0xDA => in_scan = true,
            _ => {}
        }
    }
    if width == 0 || height == 0 {
        return None;
    }
    if let Some((quality, distance)) = tables[0].as_ref().map(nearest_quality) {
        (facts.quality, facts.quality_distance) = (Some(quality), distance);
    }
    facts.quantisation = tables
        .iter()
        .zip(0..)
        .filter_map(|(table, number)| Some(QuantisationTable { number, values: table.as_ref()?.to_vec() }))
        .collect();
    facts.segments = parts.iter().take(MAX_SEGMENTS).map(|part| segment(*part)).collect();
    Some(JpegData { facts, width, height, parts, end })
}

/// All segments, and the offset after the end-of-image marker (the file's end if there is no marker).
fn parts(file: &[u8]) -> Option<(Vec<Part<'_>>, usize)> {
    let mut at = file.starts_with(b"\xFF\xD8").then_some(2)?;
    let mut parts = Vec::new();
    while parts.len() < 4 * MAX_SEGMENTS {
        // Within a scan everything up to a marker that is neither an escaped FF nor a restart is coded data.
        let Some(found) = file.get(at..)?.windows(2).position(|pair| pair[0] == 0xFF && is_marker(pair[1])) else {
            return Some((parts, file.len()));
        };
        let marker = file[at + found + 1];
        at += found + 2;
        if marker == 0xD9 {
            return Some((parts, at));
        }
        if marker == 0xD8 {
            continue;
        }
        let Some(length) = file.get(at..).and_then(<[u8]>::first_chunk::<2>) else { return Some((parts, file.len())) };
        let length = usize::from(u16::from_be_bytes(*length)).max(2);
        let Some(payload) = file.get(at + 2..at + length) else { return Some((parts, file.len())) };
        parts.push(Part { marker, payload });
        at += length;
    }
    Some((parts, file.len()))
}

fn is_marker(byte: u8) -> bool {
    byte >= 0xC0 && byte != 0xFF && !(0xD0..=0xD7).contains(&byte)
}

fn read_tables(mut payload: &[u8], tables: &mut [Option<[u16; 64]>; 4]) {
    while let Some((&kind, rest)) = payload.split_first() {
        let (wide, number) = (kind >> 4 != 0, usize::from(kind & 15));
        let length = if wide { 128 } else { 64 };
        let (Some(values), Some(place)) = (rest.get(..length), tables.get_mut(number)) else { return };
        let mut table = [0; 64];
        for (index, value) in table.iter_mut().enumerate() {
            *value = if wide {
                u16::from_be_bytes([values[2 * index], values[2 * index + 1]])
            } else {
                values[index].into()
            };
        }
        *place = Some(table);
        payload = &rest[length..];
    }
}

fn segment(part: Part) -> Segment {
    let marker = match part.marker {
        0xE0..=0xEF => format!("APP{}", part.marker - 0xE0),
        0xC4 => "DHT".to_owned(),
        0xC8 => "JPG".to_owned(),
        0xCC => "DAC".to_owned(),
        0xC0..=0xCF => format!("SOF{}", part.marker - 0xC0),
        0xDA => "SOS".to_owned(),
        0xDB => "DQT".to_owned(),
        0xDD => "DRI".to_owned(),
        0xFE => "COM".to_owned(),
        other => format!("{other:02X}"),
    };
    let is_application = (0xE0..=0xEF).contains(&part.marker);
    Segment {
        marker,
        label: is_application.then(|| label(part.payload)).flatten(),
        length: text::count(part.payload.len()),
    }
}

/// The name at the start of an application segment.
fn label(payload: &[u8]) -> Option<String> {
    let name: Vec<u8> = payload.iter().copied().take(40).take_while(|byte| (0x20..0x7F).contains(byte)).collect();
    text::one_line(&String::from_utf8_lossy(&name), 40)
}

/// The luminance table of ITU-T T.81, annex K, in zigzag order.
const LUMINANCE: [u32; 64] = [
    16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61,
    60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103, 62, 77, 113,
    121, 112, 100, 120, 92, 101, 103, 99,
];

/// The table of a quality as the Independent JPEG Group's library scales it.
pub(super) fn table_of_quality(quality: u8) -> [u16; 64] {
    let quality = u32::from(quality.clamp(1, 100));
    let scale = if quality < 50 { 5000 / quality } else { 200 - 2 * quality };
    LUMINANCE.map(|value| u16::try_from(((value * scale + 50) / 100).clamp(1, 255)).unwrap_or(255))
}

/// The nearest quality and the mean distance from its table in hundredths.
fn nearest_quality(table: &[u16; 64]) -> (u8, u32) {
    let distance = |quality| {
        table_of_quality(quality).iter().zip(table).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>() * 100 / 64
    };
    (1..=100).map(|quality| (quality, distance(quality))).min_by_key(|(_, distance)| *distance).unwrap_or((1, u32::MAX))
}

#[cfg(test)]
mod tests {
    use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};

    use super::*;

    fn jpeg(quality: u8) -> Vec<u8> {
        let pixels: Vec<u8> = (0..64 * 48 * 3_u32).map(|n| (n * 37 % 251).to_le_bytes()[0]).collect();
        let mut file = Vec::new();
        JpegEncoder::new_with_quality(&mut file, quality).encode(&pixels, 64, 48, ExtendedColorType::Rgb8).unwrap();
        file
    }

    #[test]
    fn the_quality_is_derived_from_the_table() {
        for quality in [10, 50, 75, 90, 98] {
            let file = jpeg(quality);
            let read = read(&file).unwrap();
            assert_eq!((read.facts.quality, read.facts.quality_distance), (Some(quality), 0));
            assert_eq!((read.width, read.height, read.facts.components), (64, 48, 3));
            assert_eq!(read.facts.bytes_behind_end, 0);
        }
    }

    #[test]
    fn bytes_after_the_end_are_counted() {
        let file = [jpeg(80), b"PK\x03\x04hidden".to_vec()].concat();
        assert_eq!(read(&file).unwrap().facts.bytes_behind_end, 10);
    }

    #[test]
    fn a_truncated_file_is_read_as_far_as_it_goes() {
        let file = jpeg(80);
        for length in 0..file.len() {
            if let Some(read) = read(&file[..length]) {
                assert_eq!(read.width, 64, "{length}");
            }
        }
    }
}
