//! Decompresses what PDFs draw (RFC 1950). Bad data ends it early: the part before that counts.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// The most bytes that are unpacked of one stream.
const MOST: usize = 2_000_000;

/// The bytes of a stream, as far as they can be unpacked.
pub(crate) fn inflate(bytes: &[u8]) -> Vec<u8> {
    decompress_to_vec_zlib_with_limit(bytes, MOST).unwrap_or_else(|error| {
        // The rest of the buffer is zeros, which no drawing ends with.
        let end = error.output.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        error.output[..end].to_vec()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_unpacked_is() {
        // A stored block, whose checksum is missing.
        assert_eq!(inflate(&[0x78, 1, 1, 3, 0, 0xfc, 0xff, b'a', b'b', b'c']), b"abc");
        assert!(inflate(&[0x78]).is_empty());
    }
}
