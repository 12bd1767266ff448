//! What a photo says about itself in its EXIF: facts worth showing beside it. They are the camera's word, or that of
//! whoever wrote the file, and prove nothing.
//!
//! Only the handful of tags named here is read, in place and in a number of steps that the input cannot raise. General
//! EXIF readers follow every pointer they meet, and 64 KiB are enough to make them collect billions of entries.

use std::io::Cursor;

use image::{ImageDecoder, Limits, codecs::png::PngDecoder};
use serde::Serialize;

use super::{jpeg, kind::FileKind};

/// Longer texts are cut here; real makes, models and programs stay well below.
const MAX_TEXT_LENGTH: usize = 64;
/// Entries of a directory beyond these are not looked at; cameras write a few dozen.
const MAX_ENTRIES: u16 = 512;

/// Facts of one picture. Whatever is absent or malformed is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExifFacts {
    /// 1 to 8, how the stored picture has to be turned to be upright (EXIF 2.32, 4.6.4).
    pub orientation: Option<u8>,
    pub camera_make: Option<String>,
    pub camera_model: Option<String>,
    /// The program that wrote the file last: a camera's firmware, or an editor.
    pub software: Option<String>,
    /// As written, usually `2026:11:20 10:00:00`, in a time zone that only newer cameras tell: then it is followed by a
    /// space and the offset, `+01:00`.
    pub captured_at: Option<String>,
    pub position: Option<Position>,
}

/// In decimal degrees, WGS 84; north and east are positive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Position {
    pub latitude: f64,
    pub longitude: f64,
}

/// The facts in a JPEG's or PNG's EXIF; none of them when it has no EXIF or is another kind of file.
pub fn facts(file: &[u8]) -> ExifFacts {
    let directory_of_file = match FileKind::of(file) {
        Some(FileKind::Jpeg) => exif_of_jpeg(file).map(<[u8]>::to_vec),
        Some(FileKind::Png) => exif_of_png(file),
        _ => None,
    };
    directory_of_file.as_deref().and_then(read).unwrap_or_default()
}

fn exif_of_jpeg(file: &[u8]) -> Option<&[u8]> {
    jpeg::segments(file)
        .filter(|segment| segment.marker == jpeg::APPLICATION_1)
        .find_map(|segment| segment.payload.strip_prefix(b"Exif\0\0"))
}

fn exif_of_png(file: &[u8]) -> Option<Vec<u8>> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(16 * 1024 * 1024);
    PngDecoder::with_limits(Cursor::new(file), limits).ok()?.exif_metadata().ok()?
}

/// Tags of the TIFF directory that every EXIF begins with (EXIF 2.32, tables 3 and 4).
mod tag {
    pub(super) const MAKE: u16 = 0x010F;
    pub(super) const MODEL: u16 = 0x0110;
    pub(super) const ORIENTATION: u16 = 0x0112;
    pub(super) const SOFTWARE: u16 = 0x0131;
    pub(super) const EXIF_DIRECTORY: u16 = 0x8769;
    pub(super) const GPS_DIRECTORY: u16 = 0x8825;
    /// In the EXIF directory.
    pub(super) const DATE_TIME_ORIGINAL: u16 = 0x9003;
    pub(super) const OFFSET_TIME_ORIGINAL: u16 = 0x9011;
    /// In the GPS directory.
    pub(super) const LATITUDE_REFERENCE: u16 = 1;
    pub(super) const LATITUDE: u16 = 2;
    pub(super) const LONGITUDE_REFERENCE: u16 = 3;
    pub(super) const LONGITUDE: u16 = 4;
}

fn read(exif: &[u8]) -> Option<ExifFacts> {
    let (tiff, first) = Tiff::open(exif)?;
    let main = tiff.directory(first);
    let camera = tiff.below(main, tag::EXIF_DIRECTORY);
    let gps = tiff.below(main, tag::GPS_DIRECTORY);
    Some(ExifFacts {
        orientation: tiff.orientation(main),
        camera_make: tiff.text(main, tag::MAKE),
        camera_model: tiff.text(main, tag::MODEL),
        software: tiff.text(main, tag::SOFTWARE),
        captured_at: camera.and_then(|camera| tiff.captured_at(camera)),
        position: gps.and_then(|gps| tiff.position(gps)),
    })
}

/// A TIFF structure (TIFF 6.0, section 2). Every read is checked: offsets are the file's word.
#[derive(Clone, Copy)]
struct Tiff<'a> {
    data: &'a [u8],
    little_endian: bool,
}

/// The entries of one directory, 12 bytes each.
type Directory<'a> = &'a [[u8; 12]];

impl<'a> Tiff<'a> {
    /// The structure, and the offset of its first directory.
    fn open(data: &'a [u8]) -> Option<(Self, u32)> {
        let little_endian = match data.first_chunk::<4>()? {
            b"II\x2A\0" => true,
            b"MM\0\x2A" => false,
            _ => return None,
        };
        let tiff = Self { data, little_endian };
        let first = tiff.u32(*data.get(4..)?.first_chunk()?);
        Some((tiff, first))
    }

    /// The directory at `offset`, as far as it lies within the data.
    fn directory(self, offset: u32) -> Directory<'a> {
        let Some((count, entries)) = self.from(offset).split_first_chunk() else { return &[] };
        let (entries, _) = entries.as_chunks();
        &entries[..entries.len().min(self.u16(*count).min(MAX_ENTRIES).into())]
    }

    /// The directory that the entry `tag` points at.
    fn below(self, directory: Directory, tag: u16) -> Option<Directory<'a>> {
        let entry = self.entry(directory, tag)?;
        (entry.format == Format::Long).then(|| self.directory(self.u32(entry.value)))
    }

    fn entry(self, directory: Directory, tag: u16) -> Option<Entry> {
        directory.iter().find_map(|&[t0, t1, f0, f1, c0, c1, c2, c3, v0, v1, v2, v3]| {
            if self.u16([t0, t1]) != tag {
                return None;
            }
            let format = match self.u16([f0, f1]) {
                2 => Format::Ascii,
                3 => Format::Short,
                4 => Format::Long,
                5 => Format::Rational,
                _ => return None,
            };
            Some(Entry { format, count: self.u32([c0, c1, c2, c3]), value: [v0, v1, v2, v3] })
        })
    }

    fn orientation(self, directory: Directory) -> Option<u8> {
        let entry = self.entry(directory, tag::ORIENTATION).filter(|entry| entry.format == Format::Short)?;
        let [first, second, ..] = entry.value;
        u8::try_from(self.u16([first, second])).ok().filter(|value| (1..=8).contains(value))
    }

    /// A text of one line without control characters, trimmed and cut; `None` when nothing is left.
    fn text(self, directory: Directory, tag: u16) -> Option<String> {
        let entry = self.entry(directory, tag).filter(|entry| entry.format == Format::Ascii)?;
        let count = usize::try_from(entry.count).ok()?.min(4 * MAX_TEXT_LENGTH);
        // Up to four bytes stand in the entry itself, longer texts where it points to.
        let bytes = if entry.count <= 4 { &entry.value[..] } else { self.from(self.u32(entry.value)) };
        let bytes = bytes.get(..count)?.split(|&byte| byte == 0).next()?;
        let text: String =
            String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).take(MAX_TEXT_LENGTH).collect();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn captured_at(self, directory: Directory) -> Option<String> {
        let written = self.text(directory, tag::DATE_TIME_ORIGINAL)?;
        match self.text(directory, tag::OFFSET_TIME_ORIGINAL) {
            Some(offset) => Some(format!("{written} {offset}")),
            None => Some(written),
        }
    }

    fn position(self, gps: Directory) -> Option<Position> {
        let latitude = self.degrees(gps, tag::LATITUDE)?;
        let longitude = self.degrees(gps, tag::LONGITUDE)?;
        let latitude = match self.text(gps, tag::LATITUDE_REFERENCE)?.as_str() {
            "N" => latitude,
            "S" => -latitude,
            _ => return None,
        };
        let longitude = match self.text(gps, tag::LONGITUDE_REFERENCE)?.as_str() {
            "E" => longitude,
            "W" => -longitude,
            _ => return None,
        };
        let on_earth = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        on_earth.then_some(Position { latitude, longitude })
    }

    /// Degrees, minutes and seconds, each as a fraction.
    fn degrees(self, directory: Directory, tag: u16) -> Option<f64> {
        let entry = self.entry(directory, tag)?;
        if entry.format != Format::Rational || entry.count != 3 {
            return None;
        }
        let (fractions, _) = self.from(self.u32(entry.value)).as_chunks::<8>();
        let [degrees, minutes, seconds] = fractions.first_chunk::<3>()?.map(|fraction| self.fraction(fraction));
        Some(degrees? + minutes? / 60.0 + seconds? / 3600.0)
    }

    fn fraction(self, [n0, n1, n2, n3, d0, d1, d2, d3]: [u8; 8]) -> Option<f64> {
        let denominator = self.u32([d0, d1, d2, d3]);
        (denominator != 0).then(|| f64::from(self.u32([n0, n1, n2, n3])) / f64::from(denominator))
    }

    /// The data from `offset` on; nothing when that lies behind its end.
    fn from(self, offset: u32) -> &'a [u8] {
        usize::try_from(offset).ok().and_then(|offset| self.data.get(offset..)).unwrap_or_default()
    }

    fn u16(self, bytes: [u8; 2]) -> u16 {
        if self.little_endian { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) }
    }

    fn u32(self, bytes: [u8; 4]) -> u32 {
        if self.little_endian { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
    }
}

struct Entry {
    format: Format,
    /// How many values of the format.
    count: u32,
    /// The value, or where it stands.
    value: [u8; 4],
}

/// The formats that the tags read here have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Ascii,
    Short,
    Long,
    Rational,
}

#[cfg(test)]
mod tests;
