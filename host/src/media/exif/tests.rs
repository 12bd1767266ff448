use super::*;

/// One entry of a directory: tag, format, count and the four bytes of value or offset.
type Written = (u16, u16, u32, [u8; 4]);

struct Builder {
    little_endian: bool,
    data: Vec<u8>,
}

impl Builder {
    fn new(little_endian: bool) -> Self {
        let header: &[u8] = if little_endian { b"II\x2A\0\x08\0\0\0" } else { b"MM\0\x2A\0\0\0\x08" };
        Self { little_endian, data: header.to_vec() }
    }

    fn u16(&self, value: u16) -> [u8; 2] {
        if self.little_endian { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    fn u32(&self, value: u32) -> [u8; 4] {
        if self.little_endian { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    fn directory(&mut self, entries: &[Written]) {
        let count = self.u16(u16::try_from(entries.len()).unwrap());
        self.data.extend(count);
        for (tag, format, count, value) in entries {
            let head = [self.u16(*tag), self.u16(*format)].concat();
            let count = self.u32(*count);
            self.data.extend(head);
            self.data.extend(count);
            self.data.extend(value);
        }
        self.data.extend([0; 4]);
    }

    fn fractions(&mut self, fractions: &[(u32, u32)]) {
        for &(numerator, denominator) in fractions {
            let written = [self.u32(numerator), self.u32(denominator)].concat();
            self.data.extend(written);
        }
    }
}

fn jpeg(exif: &[u8]) -> Vec<u8> {
    let length = u16::try_from(exif.len() + 8).unwrap().to_be_bytes();
    [&b"\xFF\xD8\xFF\xE1"[..], &length, b"Exif\0\0", exif, b"\xFF\xDA\x00\x02"].concat()
}

/// Everything there is: the main directory at 8 (74 bytes), EXIF at 82 (18), GPS at 100 (54), values from 154.
fn complete(little_endian: bool) -> Vec<u8> {
    let mut exif = Builder::new(little_endian);
    let number = |value| if little_endian { u32::to_le_bytes(value) } else { u32::to_be_bytes(value) };
    let orientation = if little_endian { [6, 0, 0, 0] } else { [0, 6, 0, 0] };
    exif.directory(&[
        (tag::MAKE, 2, 4, *b"Ace\0"),
        (tag::MODEL, 2, 8, number(154)),
        (tag::ORIENTATION, 3, 1, orientation),
        (tag::EXIF_DIRECTORY, 4, 1, number(74)),
        (tag::GPS_DIRECTORY, 4, 1, number(104)),
    ]);
    exif.directory(&[(tag::DATE_TIME_ORIGINAL, 2, 20, number(162)), (tag::OFFSET_TIME_ORIGINAL, 2, 7, number(182))]);
    exif.directory(&[
        (tag::LATITUDE_REFERENCE, 2, 2, *b"S\0\0\0"),
        (tag::LATITUDE, 5, 3, number(190)),
        (tag::LONGITUDE_REFERENCE, 2, 2, *b"E\0\0\0"),
        (tag::LONGITUDE, 5, 3, number(214)),
    ]);
    exif.data.resize(154, 0);
    exif.data.extend(b" Mark II");
    exif.data.extend(b"2026:11:20 10:00:00\0+01:00\0\0");
    exif.fractions(&[(33, 1), (30, 1), (3600, 100), (151, 1), (0, 1), (0, 1)]);
    exif.data
}

#[test]
fn all_facts_are_read_in_both_byte_orders() {
    for little_endian in [true, false] {
        let found = facts(&jpeg(&complete(little_endian)));
        assert_eq!(found.orientation, Some(6));
        assert_eq!(found.camera_make.as_deref(), Some("Ace"));
        assert_eq!(found.camera_model.as_deref(), Some("Mark II"));
        assert_eq!(found.software, None);
        assert_eq!(found.captured_at.as_deref(), Some("2026:11:20 10:00:00 +01:00"));
        let position = found.position.unwrap();
        assert!((position.latitude + 33.51).abs() < 1e-9, "{position:?}");
        assert!((position.longitude - 151.0).abs() < 1e-9, "{position:?}");
    }
}

#[test]
fn a_png_has_exif_in_a_chunk_of_its_own() {
    use image::{ImageEncoder, codecs::png::PngEncoder};
    let mut file = Vec::new();
    let mut encoder = PngEncoder::new(&mut file);
    encoder.set_exif_metadata(complete(true)).unwrap();
    encoder.write_image(&[0], 1, 1, image::ExtendedColorType::L8).unwrap();
    assert_eq!(facts(&file), facts(&jpeg(&complete(true))));
}

#[test]
fn a_file_without_exif_has_no_facts() {
    for file in
        [&b""[..], b"\xFF\xD8\xFF\xD9", b"\xFF\xD8\xFF\xDA\x00\x02", b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"]
    {
        assert_eq!(facts(file), ExifFacts::default());
    }
}

#[test]
fn exif_cut_anywhere_gives_what_is_left() {
    let whole = complete(true);
    let all = facts(&jpeg(&whole));
    for length in 0..whole.len() {
        let found = facts(&jpeg(&whole[..length]));
        assert!(found.orientation.is_none() || found.orientation == all.orientation);
        assert!(found.position.is_none() || found.position == all.position);
    }
}

#[test]
fn directories_that_point_at_themselves_and_each_other_end() {
    let mut exif = Builder::new(true);
    let to_itself = 8u32.to_le_bytes();
    let mut entries = vec![(tag::EXIF_DIRECTORY, 4, 1, to_itself); 2_700];
    entries.extend(vec![(tag::GPS_DIRECTORY, 4, 1, to_itself); 2_700]);
    exif.directory(&entries);
    assert_eq!(facts(&jpeg(&exif.data)), ExifFacts::default());
}

#[test]
fn offsets_and_counts_beyond_the_data_are_absent_facts() {
    for (count, offset) in [(u32::MAX, 8), (20, u32::MAX), (20, 1_000), (u32::MAX, u32::MAX), (0, 0)] {
        let mut exif = Builder::new(true);
        exif.directory(&[
            (tag::MAKE, 2, count, offset.to_le_bytes()),
            (tag::GPS_DIRECTORY, 4, 1, offset.to_le_bytes()),
            (tag::EXIF_DIRECTORY, 4, 1, offset.to_le_bytes()),
        ]);
        let found = facts(&jpeg(&exif.data));
        assert_eq!((found.position, found.captured_at), (None, None), "{count} {offset}");
    }
}

#[test]
fn impossible_positions_are_no_positions() {
    for (degrees, reference) in [
        ((91, 1), b"N\0\0\0"),
        ((10, 0), b"N\0\0\0"),
        ((u32::MAX, 1), b"N\0\0\0"),
        ((10, 1), b"X\0\0\0"),
        ((10, 1), b"\0\0\0\0"),
    ] {
        let mut exif = Builder::new(true);
        exif.directory(&[(tag::GPS_DIRECTORY, 4, 1, 26u32.to_le_bytes())]);
        exif.directory(&[
            (tag::LATITUDE_REFERENCE, 2, 2, *reference),
            (tag::LATITUDE, 5, 3, 80u32.to_le_bytes()),
            (tag::LONGITUDE_REFERENCE, 2, 2, *b"E\0\0\0"),
            (tag::LONGITUDE, 5, 3, 80u32.to_le_bytes()),
        ]);
        assert_eq!(exif.data.len(), 80);
        exif.fractions(&[degrees, (0, 1), (0, 1)]);
        assert_eq!(facts(&jpeg(&exif.data)).position, None, "{degrees:?} {reference:?}");
    }
}

#[test]
fn texts_are_one_short_line() {
    let written = [&b"\x1b[31mred\r\nline\xFF\xFE"[..], &[b'x'; 500], b"\0"].concat();
    let mut exif = Builder::new(true);
    exif.directory(&[(tag::SOFTWARE, 2, u32::try_from(written.len()).unwrap(), 26u32.to_le_bytes())]);
    exif.data.extend(&written);
    let software = facts(&jpeg(&exif.data)).software.unwrap();
    assert!(software.starts_with("[31mredline\u{FFFD}\u{FFFD}xxx"), "{software}");
    assert_eq!(software.chars().count(), MAX_TEXT_LENGTH);
}

#[test]
fn thousands_of_mutations_never_panic() {
    let whole = complete(true);
    let mut state = 0x5EA1_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap()
    };
    for _ in 0..20_000 {
        let mut exif = whole.clone();
        for _ in 0..=random(6) {
            let at = random(exif.len());
            exif[at] = u8::try_from(random(256)).unwrap();
        }
        let found = facts(&jpeg(&exif));
        assert!(found.orientation.is_none_or(|orientation| (1..=8).contains(&orientation)));
        assert!(found.position.is_none_or(|at| at.latitude.abs() <= 90.0 && at.longitude.abs() <= 180.0));
    }
}
