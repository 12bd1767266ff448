//! What a camera, or any other writer of the file, says in its EXIF (EXIF 2.32). It proves nothing.
//!
//! Tags are read in place, and each directory once: general-purpose readers follow every pointer, and a file of 64 KiB
//! can make them collect billions of entries.

use serde::{Deserialize, Serialize};

use crate::{provenance::ExifDeclarations, text};

const MAX_TEXT_LENGTH: usize = 128;
/// Comments and descriptions, in bytes: programs store their whole settings there.
const MAX_LONG_TEXT: usize = 256 << 10;
/// Further entries of a directory are ignored; cameras write a few dozen.
const MAX_ENTRIES: u16 = 512;

/// Facts of one picture's EXIF. Anything absent or malformed is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exif {
    /// 1 to 8: how to turn the stored picture upright.
    pub orientation: Option<u8>,
    pub camera_make: Option<String>,
    pub camera_model: Option<String>,
    pub lens_model: Option<String>,
    /// The serial number of the body.
    pub serial_number: Option<String>,
    /// The program that wrote the file last: a camera's firmware, or an editor.
    pub software: Option<String>,
    pub processing_software: Option<String>,
    pub artist: Option<String>,
    /// When the picture was taken, when it was digitised, and when the file was last changed.
    pub captured: Option<Moment>,
    pub digitised: Option<Moment>,
    pub modified: Option<Moment>,
    pub position: Option<Position>,
    /// The GPS time, RFC 3339 in UTC.
    pub gps_time: Option<String>,
    /// As stated by the EXIF, in pixels; differs from the picture's own size if an editor cropped it.
    pub pixel_width: Option<u32>,
    pub pixel_height: Option<u32>,
    pub exposure_microseconds: Option<u32>,
    /// Hundredths.
    pub f_number: Option<u32>,
    /// Hundredths of a millimetre.
    pub focal_length: Option<u32>,
    pub iso: Option<u32>,
    /// The size of the camera's own notes in bytes; editors often drop them.
    pub maker_note_bytes: Option<u32>,
    /// The size of the thumbnail in bytes.
    pub thumbnail_bytes: Option<u32>,
    /// Entries of all directories that were read.
    pub entries: u32,
}

/// A camera's clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// As written, usually `2026:11:20 10:00:00`.
    pub written: String,
    /// ISO 8601 without an offset, `2026-11-20T10:00:00`; `None` if the text is not a date.
    pub local: Option<String>,
    /// `+01:00`; only newer cameras write it.
    pub offset: Option<String>,
    /// The digits after the decimal point of the seconds.
    pub fraction: Option<String>,
}

/// WGS 84 in millionths of a degree; north and east are positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    pub latitude: i32,
    pub longitude: i32,
    /// Hundredths of a metre above the sea.
    pub altitude: Option<i32>,
    /// Hundredths of a metre.
    pub accuracy: Option<u32>,
}

/// The facts, and the thumbnail's bytes.
pub(super) struct ExifData<'a> {
    pub(super) exif: Exif,
    pub(super) thumbnail: Option<&'a [u8]>,
    pub(super) declared: ExifDeclarations,
}

/// Reads a TIFF structure: what follows `Exif\0\0` in a JPEG, or the content of `eXIf` in a PNG. `None` if it is not
/// one.
pub(super) fn read(data: &[u8]) -> Option<ExifData<'_>> {
    let (tiff, first) = Tiff::open(data)?;
    let main = tiff.directory(first);
    let camera = tiff.below(main, tag::EXIF_DIRECTORY).unwrap_or_default();
    let gps = tiff.below(main, tag::GPS_DIRECTORY).unwrap_or_default();
    let second = tiff.next(first).map(|offset| tiff.directory(offset)).unwrap_or_default();
    let thumbnail = tiff.thumbnail(second);
    let moment = |directory, time, offset, fraction| tiff.moment(directory, time, (camera, offset), fraction);
    let exif = Exif {
        orientation: tiff
            .number(main, 0x0112)
            .and_then(|value| u8::try_from(value).ok())
            .filter(|n| (1..=8).contains(n)),
        camera_make: tiff.text(main, 0x010F),
        camera_model: tiff.text(main, 0x0110),
        lens_model: tiff.text(camera, 0xA434),
        serial_number: tiff.text(camera, 0xA431),
        software: tiff.text(main, 0x0131),
        processing_software: tiff.text(main, 0x000B),
        artist: tiff.text(main, 0x013B),
        captured: moment(camera, 0x9003, 0x9011, 0x9291),
        digitised: moment(camera, 0x9004, 0x9012, 0x9292),
        modified: moment(main, 0x0132, 0x9010, 0x9290),
        position: tiff.position(gps),
        gps_time: tiff.gps_time(gps),
        pixel_width: tiff.number(camera, 0xA002),
        pixel_height: tiff.number(camera, 0xA003),
        exposure_microseconds: tiff.scaled(camera, 0x829A, 1_000_000),
        f_number: tiff.scaled(camera, 0x829D, 100),
        focal_length: tiff.scaled(camera, 0x920A, 100),
        iso: tiff.number(camera, 0x8827),
        maker_note_bytes: tiff.entry(camera, 0x927C).map(|entry| entry.count),
        thumbnail_bytes: thumbnail.and_then(|bytes| u32::try_from(bytes.len()).ok()),
        entries: u32::try_from(main.len() + camera.len() + gps.len() + second.len()).unwrap_or(u32::MAX),
    };
    let declarations = [
        ("Software", tiff.text(main, 0x0131)),
        ("ImageDescription", tiff.long_text(main, 0x010E)),
        ("UserComment", tiff.comment(camera)),
    ];
    let declared = ExifDeclarations {
        texts: declarations.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
        position_erased: [0x0002, 0x0004].iter().all(|tag| tiff.is_erased(gps, *tag)),
    };
    Some(ExifData { exif, thumbnail, declared })
}

mod tag {
    pub(super) const EXIF_DIRECTORY: u16 = 0x8769;
    pub(super) const GPS_DIRECTORY: u16 = 0x8825;
}

/// A TIFF structure (TIFF 6.0, section 2). Every read is checked, since offsets cannot be trusted.
#[derive(Clone, Copy)]
struct Tiff<'a> {
    data: &'a [u8],
    little_endian: bool,
}

/// The entries of one directory, 12 bytes each.
type Directory<'a> = &'a [[u8; 12]];

struct Entry {
    format: u16,
    /// How many values of the format.
    count: u32,
    /// The value, or its offset.
    value: [u8; 4],
}

const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const RATIONAL: u16 = 5;
const SIGNED_RATIONAL: u16 = 10;

impl<'a> Tiff<'a> {
    fn open(data: &'a [u8]) -> Option<(Self, u32)> {
        let little_endian = match data.first_chunk::<4>()? {
            b"II\x2A\0" => true,
            b"MM\0\x2A" => false,
            _ => return None,
        };
        let tiff = Self { data, little_endian };
        Some((tiff, tiff.u32(*data.get(4..)?.first_chunk()?)))
    }

    /// The directory at `offset`, cut at the end of the data.
    fn directory(self, offset: u32) -> Directory<'a> {
        let Some((count, entries)) = self.from(offset).split_first_chunk() else { return &[] };
        let (entries, _) = entries.as_chunks();
        &entries[..entries.len().min(self.u16(*count).min(MAX_ENTRIES).into())]
    }

    /// The offset of the directory after the one at `offset`.
    fn next(self, offset: u32) -> Option<u32> {
        let (count, entries) = self.from(offset).split_first_chunk()?;
        let after = entries.get(usize::from(self.u16(*count)) * 12..)?.first_chunk()?;
        Some(self.u32(*after)).filter(|&next| next != 0)
    }

    /// The directory that the entry `tag` points at.
    fn below(self, directory: Directory, tag: u16) -> Option<Directory<'a>> {
        let entry = self.entry(directory, tag)?;
        (entry.format == LONG).then(|| self.directory(self.u32(entry.value)))
    }

    fn entry(self, directory: Directory, tag: u16) -> Option<Entry> {
        directory.iter().find_map(|&[t0, t1, f0, f1, c0, c1, c2, c3, v0, v1, v2, v3]| {
            (self.u16([t0, t1]) == tag).then(|| Entry {
                format: self.u16([f0, f1]),
                count: self.u32([c0, c1, c2, c3]),
                value: [v0, v1, v2, v3],
            })
        })
    }

    /// One whole number.
    fn number(self, directory: Directory, tag: u16) -> Option<u32> {
        let entry = self.entry(directory, tag)?;
        let [first, second, ..] = entry.value;
        match entry.format {
            SHORT => Some(self.u16([first, second]).into()),
            LONG => Some(self.u32(entry.value)),
            _ => None,
        }
    }

    fn text(self, directory: Directory, tag: u16) -> Option<String> {
        let entry = self.entry(directory, tag).filter(|entry| entry.format == ASCII)?;
        let count = usize::try_from(entry.count).ok()?.min(4 * MAX_TEXT_LENGTH);
        // Up to four bytes are stored in the entry itself; it points to longer texts.
        let bytes = if entry.count <= 4 { &entry.value[..] } else { self.from(self.u32(entry.value)) };
        let bytes = bytes.get(..count)?.split(|&byte| byte == 0).next()?;
        text::one_line(&String::from_utf8_lossy(bytes), MAX_TEXT_LENGTH)
    }

    /// A longer text, with its lines.
    fn long_text(self, directory: Directory, tag: u16) -> Option<String> {
        let entry = self.entry(directory, tag).filter(|entry| entry.format == ASCII && entry.count > 4)?;
        let count = usize::try_from(entry.count).ok()?.min(MAX_LONG_TEXT);
        let bytes = self.from(self.u32(entry.value)).get(..count)?.split(|&byte| byte == 0).next()?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// The user's comment, which starts with the name of its code (EXIF 2.32, section 4.6.5).
    fn comment(self, camera: Directory) -> Option<String> {
        let entry = self.entry(camera, 0x9286).filter(|entry| entry.count > 8)?;
        let count = usize::try_from(entry.count).ok()?.min(MAX_LONG_TEXT);
        let (code, text) = self.from(self.u32(entry.value)).get(..count)?.split_first_chunk::<8>()?;
        if code != b"UNICODE\0" {
            return Some(String::from_utf8_lossy(text).trim_matches('\0').to_owned());
        }
        let (pairs, _) = text.as_chunks::<2>();
        // The order of the bytes should be that of the file; not all programs keep to it. Most texts are Latin.
        let zeros = |at: usize| pairs.iter().filter(|pair| pair[at] == 0).count();
        let big_endian = zeros(0) >= zeros(1);
        let units =
            pairs.iter().map(|pair| if big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) });
        Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    }

    /// Whether an entry has fractions that consist of zeros only, which no program writes as a number.
    fn is_erased(self, directory: Directory, tag: u16) -> bool {
        self.fractions::<3>(directory, tag).is_some_and(|parts| parts.iter().all(|part| *part == (0, 0)))
    }

    fn moment(self, place: Directory, time: u16, (camera, offset): (Directory, u16), fraction: u16) -> Option<Moment> {
        let written = self.text(place, time)?;
        Some(Moment {
            local: local_time(&written),
            offset: self.text(camera, offset).filter(|text| text.starts_with(['+', '-', 'Z'])),
            fraction: self.text(camera, fraction).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit())),
            written,
        })
    }

    fn thumbnail(self, second: Directory) -> Option<&'a [u8]> {
        let offset = self.number(second, 0x0201)?;
        let length = usize::try_from(self.number(second, 0x0202)?).ok()?;
        self.from(offset).get(..length).filter(|bytes| bytes.starts_with(b"\xFF\xD8"))
    }

    fn position(self, gps: Directory) -> Option<Position> {
        let signed = |value: u16, reference: u16, positive: &str, negative: &str, most: i64| {
            let millionths = self.millionths_of_degrees(gps, value)?;
            let reference = self.text(gps, reference)?;
            let signed = match reference.as_str() {
                text if text == positive => millionths,
                text if text == negative => -millionths,
                _ => return None,
            };
            (millionths <= most * 1_000_000).then_some(signed).and_then(|value| i32::try_from(value).ok())
        };
        let below_sea = self.entry(gps, 5).is_some_and(|entry| entry.value[0] == 1);
        let altitude = self.scaled(gps, 6, 100).and_then(|metres| i32::try_from(metres).ok());
        Some(Position {
            latitude: signed(2, 1, "N", "S", 90)?,
            longitude: signed(4, 3, "E", "W", 180)?,
            altitude: altitude.map(|metres| if below_sea { -metres } else { metres }),
            accuracy: self.scaled(gps, 31, 100),
        })
    }

    fn gps_time(self, gps: Directory) -> Option<String> {
        let date = self.text(gps, 29)?;
        let [hours, minutes, seconds] = self.fractions::<3>(gps, 7)?.map(|(over, under)| over.checked_div(under));
        let (hours, minutes, seconds) = (hours?, minutes?, seconds?);
        let local = local_time(&format!("{date} {hours:02}:{minutes:02}:{seconds:02}"))?;
        Some(format!("{local}Z"))
    }

    /// Degrees, minutes and seconds, each as a fraction.
    fn millionths_of_degrees(self, directory: Directory, tag: u16) -> Option<i64> {
        let parts = self.fractions::<3>(directory, tag)?;
        let mut sum = 0_i64;
        for ((over, under), share) in parts.into_iter().zip([1, 60, 3600]) {
            let under = i64::from(under).checked_mul(share).filter(|&under| under != 0)?;
            sum += (i64::from(over) * 1_000_000 + under / 2) / under;
        }
        Some(sum)
    }

    /// A fraction times `scale`, rounded down.
    fn scaled(self, directory: Directory, tag: u16, scale: u64) -> Option<u32> {
        let [(over, under)] = self.fractions::<1>(directory, tag)?;
        u32::try_from((u64::from(over) * scale).checked_div(u64::from(under))?).ok()
    }

    fn fractions<const N: usize>(self, directory: Directory, tag: u16) -> Option<[(u32, u32); N]> {
        let entry = self.entry(directory, tag)?;
        if !matches!(entry.format, RATIONAL | SIGNED_RATIONAL) || usize::try_from(entry.count).ok()? != N {
            return None;
        }
        let (fractions, _) = self.from(self.u32(entry.value)).as_chunks::<8>();
        let pairs = fractions.first_chunk::<N>()?;
        Some(pairs.map(|[n0, n1, n2, n3, d0, d1, d2, d3]| (self.u32([n0, n1, n2, n3]), self.u32([d0, d1, d2, d3]))))
    }

    /// The data from `offset` on; empty if that is past the end.
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

/// `2026:11:20 10:00:00` as `2026-11-20T10:00:00`; `None` if it is not a date.
fn local_time(written: &str) -> Option<String> {
    let digits: Vec<u32> = written.split([':', ' ', '-', 'T']).map(str::parse).collect::<Result<_, _>>().ok()?;
    let [year, month, day, hour, minute, second] = digits[..] else { return None };
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && (1..=9999).contains(&year);
    let is_time = hour < 24 && minute < 60 && second <= 60;
    (is_date && is_time).then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"))
}

#[cfg(test)]
mod tests;
