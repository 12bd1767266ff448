//! The kind of a file, detected by its first bytes only: a name and a declared media type cannot be trusted (decisions
//! 8).

use std::fmt;

/// How many of a file's first bytes [`FileKind::of`] needs to be sure. A shorter file can be given whole.
pub const SIGNATURE_LENGTH: usize = 1024;
/// How many bytes a signature has at most.
const LONGEST: usize = 16;

/// Whether the bytes after `start` cannot change what [`FileKind::of`] and [`describe`] say of a file.
pub fn is_decided(start: &[u8]) -> bool {
    start.len() >= SIGNATURE_LENGTH
        || (start.len() >= LONGEST && (FileKind::of(start).is_some() || foreign_format(start).is_some()))
}

/// The kinds of file that the product accepts (spec 4.13, decisions 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    Pdf,
    Jpeg,
    Png,
    Mp4,
}

impl FileKind {
    /// The kind of the file that starts with `start`, by its first [`SIGNATURE_LENGTH`] bytes; `None` if it is not
    /// accepted.
    pub fn of(start: &[u8]) -> Option<Self> {
        if is_jpeg(start) {
            Some(Self::Jpeg)
        } else if is_png(start) {
            Some(Self::Png)
        } else if is_mp4(start) {
            Some(Self::Mp4)
        } else if is_pdf(start) {
            Some(Self::Pdf)
        } else {
            None
        }
    }

    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Mp4 => "video/mp4",
        }
    }

    /// The usual ending of such a file's name, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Mp4 => "mp4",
        }
    }

    /// The kind that was stored as this media type.
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        [Self::Pdf, Self::Jpeg, Self::Png, Self::Mp4].into_iter().find(|kind| kind.media_type() == media_type)
    }
}

sealwright_base::text_column!(FileKind, "media type of a file", |kind| kind.media_type(), FileKind::of_media_type);

/// The usual name: `PDF`, `JPEG`, `PNG`, `MP4`.
impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pdf => "PDF",
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::Mp4 => "MP4",
        })
    }
}

/// Names the format of a file for the sender of a wrong one: one of our kinds, a well-known other one, or the first
/// bytes in hexadecimal.
pub fn describe(start: &[u8]) -> String {
    if let Some(kind) = FileKind::of(start) {
        return kind.to_string();
    }
    match foreign_format(start) {
        Some(format) => format.to_owned(),
        None => format!("unknown content beginning with {}", hex::encode(&start[..start.len().min(8)])),
    }
}

/// `%PDF-` and a version within the first 1,024 bytes, as readers accept it: programs write blank lines, byte order marks
/// or their own headers before it. A file that starts as something else, such as a picture or a page of HTML, is not a
/// PDF file: evidence must not look different to different readers.
fn is_pdf(start: &[u8]) -> bool {
    let header = |bytes: &[u8]| matches!(bytes, [b'%', b'P', b'D', b'F', b'-', b'0'..=b'9', b'.', b'0'..=b'9', ..]);
    let reach = &start[..start.len().min(SIGNATURE_LENGTH)];
    header(start) || (foreign_format(start).is_none() && reach.windows(8).any(header))
}

/// `SOI`, then a marker that can start a segment (ITU-T T.81, table B.1): no padding, restart, `SOI` or `EOI`.
fn is_jpeg(start: &[u8]) -> bool {
    matches!(start, [0xFF, 0xD8, 0xFF, 0xC0..=0xCF | 0xDA..=0xFE, ..])
}

/// The eight bytes of the signature, then the `IHDR` chunk, which is always first and 13 bytes long (W3C PNG, 5.2, 11.2.1).
fn is_png(start: &[u8]) -> bool {
    start.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR")
}

/// A `ftyp` box of sane length whose major brand is one of MP4's own (ISO/IEC 14496-12, 4.3, and the registered brands).
/// Still images (HEIC, AVIF), audio (`M4A `) and Apple films (`qt  `) use the same container with brands of their own;
/// browsers would not play them as `video/mp4`.
fn is_mp4(start: &[u8]) -> bool {
    let Some((length, brand)) = file_type_box(start) else { return false };
    // Eight bytes of header, brand and version, then four bytes for each compatible brand; real files name a handful.
    (16..=512).contains(&length) && length.is_multiple_of(4) && MP4_BRANDS.contains(&brand)
}

/// Major brands of video files that are plain MP4.
const MP4_BRANDS: [&[u8; 4]; 18] = [
    b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"iso7", b"iso8", b"iso9", b"mp41", b"mp42", b"avc1",
    b"dash", b"M4V ", b"M4VH", b"M4VP", b"MSNV", b"mmp4",
];

/// Length and major brand of the `ftyp` box at the start of the file.
fn file_type_box(start: &[u8]) -> Option<(u32, &[u8; 4])> {
    let (length, rest) = start.split_first_chunk::<4>()?;
    let brand = rest.strip_prefix(b"ftyp")?.first_chunk::<4>()?;
    Some((u32::from_be_bytes(*length), brand))
}

/// The wrong formats that integrators send most often.
fn foreign_format(start: &[u8]) -> Option<&'static str> {
    if let Some((_, brand)) = file_type_box(start) {
        return Some(match brand {
            b"heic" | b"heix" | b"hevc" | b"heim" | b"heis" | b"mif1" | b"msf1" => "HEIC",
            b"avif" | b"avis" => "AVIF",
            b"qt  " => "QuickTime",
            b"M4A " | b"M4B " => "MPEG-4 audio",
            _ => "a container of the MP4 family with a brand that is not MP4 video",
        });
    }
    match start {
        [] => Some("nothing"),
        [b'G', b'I', b'F', b'8', ..] => Some("GIF"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("WebP"),
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => Some("TIFF"),
        [b'B', b'M', ..] => Some("BMP"),
        [b'P', b'K', 3, 4, ..] => Some("ZIP (or an office document)"),
        [0x1A, 0x45, 0xDF, 0xA3, ..] => Some("Matroska or WebM"),
        [0xFF, 0xD8, 0xFF, ..] => Some("a damaged JPEG"),
        [0x89, b'P', b'N', b'G', ..] => Some("a damaged PNG"),
        _ if is_markup(start) => Some("HTML or XML"),
        _ => None,
    }
}

/// Whether the first letter is `<`. Browsers skip white space and a byte order mark before it.
fn is_markup(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    text.trim_ascii_start().starts_with(b"<")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PDF: &[u8] = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj";
    const JPEG: &[u8] = b"\xFF\xD8\xFF\xE0\x00\x10JFIF\0\x01\x01\0\0\x01";
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01";
    const MP4: &[u8] = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom";

    #[test]
    fn each_kind_is_detected_by_its_signature() {
        for (start, kind) in [(PDF, FileKind::Pdf), (JPEG, FileKind::Jpeg), (PNG, FileKind::Png), (MP4, FileKind::Mp4)]
        {
            assert_eq!(FileKind::of(start), Some(kind));
            assert_eq!(FileKind::of(&start[..LONGEST]), Some(kind), "the first bytes are enough");
            assert_eq!(FileKind::of_media_type(kind.media_type()), Some(kind));
        }
    }

    #[test]
    fn a_truncated_signature_is_not_a_signature() {
        for (whole, needed) in [(PDF, 8), (JPEG, 4), (PNG, 16), (MP4, 12)] {
            for length in 0..needed {
                assert_eq!(FileKind::of(&whole[..length]), None, "{length} bytes of {whole:?}");
            }
            assert!(FileKind::of(&whole[..needed]).is_some(), "{needed} bytes of {whole:?}");
        }
    }

    #[test]
    fn any_wrong_byte_within_a_signature_makes_it_foreign_or_the_same_kind_but_never_another() {
        for (whole, kind) in [(PDF, FileKind::Pdf), (JPEG, FileKind::Jpeg), (PNG, FileKind::Png), (MP4, FileKind::Mp4)]
        {
            for at in 0..LONGEST {
                for value in 0..=u8::MAX {
                    let mut changed = whole.to_vec();
                    changed[at] = value;
                    assert!(FileKind::of(&changed).is_none_or(|found| found == kind), "{changed:?}");
                }
            }
        }
    }

    #[test]
    fn a_signature_that_is_not_at_the_start_does_not_count() {
        for whole in [JPEG, PNG, MP4] {
            for before in [&b"\n"[..], b" ", b"\xEF\xBB\xBF", b"GIF89a", b"<html>", b"\0\0\0\0"] {
                let shifted = [before, whole].concat();
                assert_eq!(FileKind::of(&shifted), None, "{shifted:?}");
            }
        }
    }

    #[test]
    fn a_pdf_header_counts_within_the_first_1024_bytes_unless_the_file_starts_as_something_else() {
        let after = |before: &[u8]| FileKind::of(&[before, PDF].concat());
        for before in [&b"\n"[..], b" ", b"\xEF\xBB\xBF", b"\0\0\0\0", b"%!PS-Adobe-3.0\n", &[b'x'; 1024 - 8]] {
            assert_eq!(after(before), Some(FileKind::Pdf), "{before:?}");
        }
        assert_eq!(after(&[b'x'; 1024 - 7]), None, "the version is behind the first 1,024 bytes");
        for before in
            [&b"GIF89a"[..], b"<html>", b"\xEF\xBB\xBF \n<html>", b"PK\x03\x04", b"BM", b"RIFF\0\0\0\0WEBPVP8 "]
        {
            assert_eq!(after(before), None, "{before:?}");
        }
        let heic = &b"\0\0\0\x18ftypheic\0\0\0\0"[..];
        assert_eq!(after(heic), None);
        assert_eq!(after(&b"\xFF\xD8\xFF"[..]), None, "JPEG with a wrong marker");
    }

    #[test]
    fn a_kind_is_decided_by_the_first_bytes_that_show_it() {
        for start in [PDF, JPEG, PNG, MP4, b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00"] {
            let padded = [start, &[0; 16]].concat();
            assert!(is_decided(&padded[..16]) && !is_decided(&padded[..15]), "{start:?}");
        }
        assert!(!is_decided(&[b'x'; 1023]), "a PDF header may follow");
        assert!(is_decided(&[b'x'; 1024]));
    }

    #[test]
    fn a_polyglot_is_what_it_starts_as() {
        let pdf_inside_jpeg = [&b"\xFF\xD8\xFF\xFE\x00\x20"[..], PDF].concat();
        assert_eq!(FileKind::of(&pdf_inside_jpeg), Some(FileKind::Jpeg));
        let jpeg_inside_pdf = [PDF, JPEG].concat();
        assert_eq!(FileKind::of(&jpeg_inside_pdf), Some(FileKind::Pdf));
    }

    #[test]
    fn relatives_of_mp4_are_not_mp4_video() {
        for brand in [b"heic", b"mif1", b"avif", b"qt  ", b"M4A ", b"crx ", b"jp2 ", b"\0\0\0\0"] {
            let start = [b"\0\0\0\x18ftyp", &brand[..], b"\0\0\0\0isommp42"].concat();
            assert_eq!(FileKind::of(&start), None, "{}", brand.escape_ascii());
        }
    }

    #[test]
    fn a_file_type_box_of_absurd_length_is_refused() {
        for length in [0u32, 1, 8, 12, 15, 18, 516, 0x7FFF_FFFC, u32::MAX] {
            let start = [&length.to_be_bytes()[..], b"ftypisom\0\0\x02\0isomiso2"].concat();
            assert_eq!(FileKind::of(&start), None, "{length}");
        }
    }

    #[test]
    fn a_foreign_file_is_named() {
        assert_eq!(describe(b"GIF89a\x01\x00\x01\x00"), "GIF");
        assert_eq!(describe(b"\0\0\0\x18ftypheic\0\0\0\0"), "HEIC");
        assert_eq!(describe(b"RIFF\x10\0\0\0WEBPVP8 "), "WebP");
        assert_eq!(describe(b"#!/bin/sh\n"), "unknown content beginning with 23212f62696e2f73");
        assert_eq!(describe(b""), "nothing");
        assert_eq!(describe(MP4), "MP4");
    }
}
