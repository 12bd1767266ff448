use super::*;

fn facts(tiff: &[u8]) -> Exif {
    read(tiff).map(|read| read.exif).unwrap_or_default()
}

/// One entry of a directory: tag, format, count and the four bytes of value or offset.
type RawEntry = (u16, u16, u32, [u8; 4]);

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

    fn directory(&mut self, entries: &[RawEntry]) {
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

/// All facts: the main directory at 8 (74 bytes), EXIF at 82 (18), GPS at 100 (54), values from 154.
fn complete(little_endian: bool) -> Vec<u8> {
    let mut exif = Builder::new(little_endian);
    let number = |value| if little_endian { u32::to_le_bytes(value) } else { u32::to_be_bytes(value) };
    let orientation = if little_endian { [6, 0, 0, 0] } else { [0, 6, 0, 0] };
    exif.directory(&[
        (0x010F, 2, 4, *b"Ace\0"),
        (0x0110, 2, 8, number(154)),
        (0x0112, 3, 1, orientation),
        (tag::EXIF_DIRECTORY, 4, 1, number(74)),
        (tag::GPS_DIRECTORY, 4, 1, number(104)),
    ]);
    exif.directory(&[(0x9003, 2, 20, number(162)), (0x9011, 2, 7, number(182))]);
    exif.directory(&[(1, 2, 2, *b"S\0\0\0"), (2, 5, 3, number(190)), (3, 2, 2, *b"E\0\0\0"), (4, 5, 3, number(214))]);
    exif.data.resize(154, 0);
    exif.data.extend(b" Mark II");
    exif.data.extend(b"2026:11:20 10:00:00\0+01:00\0\0");
    exif.fractions(&[(33, 1), (30, 1), (3600, 100), (151, 1), (0, 1), (0, 1)]);
    exif.data
}

#[test]
fn all_facts_are_read_in_both_byte_orders() {
    for little_endian in [true, false] {
        let found = facts(&complete(little_endian));
        assert_eq!(found.orientation, Some(6));
        assert_eq!(found.camera_make.as_deref(), Some("Ace"));
        assert_eq!(found.camera_model.as_deref(), Some("Mark II"));
        assert_eq!(found.software, None);
        let captured = found.captured.unwrap();
        assert_eq!(captured.local.as_deref(), Some("2026-11-20T10:00:00"));
        assert_eq!(captured.offset.as_deref(), Some("+01:00"));
        let position = found.position.unwrap();
        assert_eq!((position.latitude, position.longitude), (-33_510_000, 151_000_000));
    }
}

#[test]
fn truncated_exif_gives_the_facts_that_are_left() {
    let whole = complete(true);
    let all = facts(&whole);
    for length in 0..whole.len() {
        let found = facts(&whole[..length]);
        assert!(found.orientation.is_none() || found.orientation == all.orientation);
        assert!(found.position.is_none() || found.position == all.position);
    }
}

#[test]
fn directories_that_point_at_themselves_or_each_other_are_read_once() {
    let mut exif = Builder::new(true);
    let to_itself = 8u32.to_le_bytes();
    let mut entries = vec![(tag::EXIF_DIRECTORY, 4, 1, to_itself); 2_700];
    entries.extend(vec![(tag::GPS_DIRECTORY, 4, 1, to_itself); 2_700]);
    exif.directory(&entries);
    let found = facts(&exif.data);
    assert!(found.entries <= 4 * u32::from(MAX_ENTRIES), "{}", found.entries);
    assert_eq!(found, Exif { entries: found.entries, ..Exif::default() });
}

#[test]
fn offsets_and_counts_beyond_the_data_are_absent_facts() {
    for (count, offset) in [(u32::MAX, 8), (20, u32::MAX), (20, 1_000), (u32::MAX, u32::MAX), (0, 0)] {
        let mut exif = Builder::new(true);
        exif.directory(&[
            (0x010F, 2, count, offset.to_le_bytes()),
            (tag::GPS_DIRECTORY, 4, 1, offset.to_le_bytes()),
            (tag::EXIF_DIRECTORY, 4, 1, offset.to_le_bytes()),
        ]);
        let found = facts(&exif.data);
        assert_eq!((found.position, found.captured), (None, None), "{count} {offset}");
    }
}

#[test]
fn impossible_positions_are_rejected() {
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
            (1, 2, 2, *reference),
            (2, 5, 3, 80u32.to_le_bytes()),
            (3, 2, 2, *b"E\0\0\0"),
            (4, 5, 3, 80u32.to_le_bytes()),
        ]);
        assert_eq!(exif.data.len(), 80);
        exif.fractions(&[degrees, (0, 1), (0, 1)]);
        assert_eq!(facts(&exif.data).position, None, "{degrees:?} {reference:?}");
    }
}

#[test]
fn texts_are_one_short_line() {
    let written = [&b"\x1b[31mred\r\nline\xFF\xFE"[..], &[b'x'; 500], b"\0"].concat();
    let mut exif = Builder::new(true);
    exif.directory(&[(0x0131, 2, u32::try_from(written.len()).unwrap(), 26u32.to_le_bytes())]);
    exif.data.extend(&written);
    let software = facts(&exif.data).software.unwrap();
    assert!(software.starts_with("[31mred  line\u{FFFD}\u{FFFD}xxx"), "{software}");
    assert!(software.chars().count() <= MAX_TEXT_LENGTH, "{software}");
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
        let found = facts(&exif);
        assert!(found.orientation.is_none_or(|orientation| (1..=8).contains(&orientation)));
        let on_earth = |at: Position| at.latitude.abs() <= 90_000_000 && at.longitude.abs() <= 180_000_000;
        assert!(found.position.is_none_or(on_earth));
    }
}

#[test]
fn text_that_is_not_a_date_has_no_local_time() {
    for wrong in ["0000:00:00 00:00:00", "2026:13:01 00:00:00", "yesterday", "2026:11:20", "2026:11:20 25:00:00"] {
        assert_eq!(local_time(wrong), None, "{wrong}");
    }
}
