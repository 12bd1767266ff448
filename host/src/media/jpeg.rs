//! The segments of a JPEG file up to the first scan (ITU-T T.81, annex B): how the picture is coded, read without decoding
//! anything.

const START_OF_SCAN: u8 = 0xDA;

/// A marker and the content of its segment without the length field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment<'a> {
    marker: u8,
    payload: &'a [u8],
}

/// All segments up to and including the header of the first scan. Ends early if the file is malformed.
fn segments(file: &[u8]) -> impl Iterator<Item = Segment<'_>> {
    // SOI has no segment; segments start after it.
    let mut rest = file.get(2..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (segment, behind) = next_segment(rest)?;
        rest = if segment.marker == START_OF_SCAN { &[] } else { behind };
        Some(segment)
    })
}

/// Whether a decoder must keep the coefficients of the whole picture: not if the picture is sequential and its first
/// scan contains all components, row by row. In doubt, yes.
pub(super) fn keeps_coefficients(file: &[u8]) -> bool {
    let mut components_of_frame = None;
    for Segment { marker, payload } in segments(file) {
        match marker {
            // SOF0 and SOF1, baseline and extended sequential: precision, height, width, then the number of components.
            0xC0 | 0xC1 => components_of_frame = payload.get(5),
            START_OF_SCAN => return components_of_frame.is_none() || components_of_frame != payload.first(),
            _ => {}
        }
    }
    true
}

fn next_segment(rest: &[u8]) -> Option<(Segment<'_>, &[u8])> {
    let rest = rest.strip_prefix(&[0xFF])?;
    // Any number of FF may fill the space before a marker.
    let fill = rest.iter().position(|&byte| byte != 0xFF)?;
    let (&marker, rest) = rest[fill..].split_first()?;
    if !matches!(marker, 0xC0..=0xCF | 0xDA..=0xFE) {
        return None;
    }
    let (length, behind) = rest.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_be_bytes(*length)).checked_sub(2)?;
    let (payload, behind) = behind.split_at_checked(length)?;
    Some((Segment { marker, payload }, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_end_with_the_header_of_the_first_scan() {
        let file = b"\xFF\xD8\xFF\xE1\x00\x04ab\xFF\xFF\xFF\xC0\x00\x08\x08\0\x01\0\x01\x03\xFF\xDA\x00\x03\x03\xFF\xE1\x00\x02";
        let found: Vec<_> = segments(file).map(|segment| (segment.marker, segment.payload)).collect();
        assert_eq!(found, [(0xE1, &b"ab"[..]), (0xC0, b"\x08\0\x01\0\x01\x03"), (0xDA, b"\x03")]);
        assert!(!keeps_coefficients(file));
    }

    #[test]
    fn a_picture_that_is_not_decoded_row_by_row_is_detected() {
        for (frame, components_in_scan) in [(0xC2, 3), (0xC0, 1), (0xC1, 2), (0xC9, 3)] {
            let file = [
                &b"\xFF\xD8\xFF"[..],
                &[frame],
                b"\x00\x08\x08\0\x01\0\x01\x03\xFF\xDA\x00\x03",
                &[components_in_scan],
            ]
            .concat();
            assert!(keeps_coefficients(&file), "{frame:x} {components_in_scan}");
        }
    }

    #[test]
    fn truncated_and_malformed_files_end_early() {
        let file = b"\xFF\xD8\xFF\xE1\x00\x04ab\xFF\xE2\x00\x04cd";
        for length in 0..file.len() {
            assert!(segments(&file[..length]).count() <= 1, "{length}");
            assert!(keeps_coefficients(&file[..length]));
        }
        for malformed in [&b"\xFF\xD8\xFF\xE1\x00\x01"[..], b"\xFF\xD8\xFF\xD9", b"\xFF\xD8ab", b"\xFF\xD8\xFF\xFF\xFF"]
        {
            assert_eq!(segments(malformed).count(), 0, "{malformed:?}");
        }
    }
}
