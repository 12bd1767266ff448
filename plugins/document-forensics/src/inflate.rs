//! Decompresses what PDFs draw (RFC 1950 and 1951). Bad data ends it early: the part before that counts.

/// The most bytes that are unpacked of one stream.
const MOST: usize = 2_000_000;

/// Codes of one alphabet: how many there are of each length, and the symbols in order.
struct Codes {
    counts: [u16; 16],
    symbols: Vec<u16>,
}

impl Codes {
    fn of(lengths: &[u8]) -> Self {
        let mut counts = [0_u16; 16];
        for length in lengths {
            counts[usize::from(*length)] += 1;
        }
        counts[0] = 0;
        let mut symbols = Vec::new();
        for wanted in 1..16 {
            symbols.extend((0_u16..).zip(lengths).filter(|(_, length)| **length == wanted).map(|(symbol, _)| symbol));
        }
        Self { counts, symbols }
    }
}

struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u8) -> Option<usize> {
        let mut value = 0;
        for bit in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value |= usize::from(byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        Some(value)
    }

    fn symbol(&mut self, codes: &Codes) -> Option<usize> {
        let (mut code, mut first, mut index) = (0_i32, 0_i32, 0_i32);
        for length in 1..16 {
            code |= i32::try_from(self.take(1)?).ok()?;
            let count = i32::from(codes.counts[length]);
            if code - count < first {
                return codes
                    .symbols
                    .get(usize::try_from(index + code - first).ok()?)
                    .map(|symbol| usize::from(*symbol));
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

/// The content of a stream in the format of zlib.
pub(crate) fn inflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bits = Bits { bytes: bytes.get(2..).unwrap_or_default(), at: 0 };
    while out.len() < MOST {
        let Some(last) = bits.take(1) else { break };
        if block(&mut bits, &mut out).is_none() || last == 1 {
            break;
        }
    }
    out
}

fn block(bits: &mut Bits<'_>, out: &mut Vec<u8>) -> Option<()> {
    match bits.take(2)? {
        0 => {
            let start = bits.at.div_ceil(8);
            let length = usize::from(u16::from_le_bytes([*bits.bytes.get(start)?, *bits.bytes.get(start + 1)?]));
            out.extend_from_slice(bits.bytes.get(start + 4..start + 4 + length)?);
            bits.at = (start + 4 + length) * 8;
            Some(())
        }
        1 => {
            let length = |symbol: u16| match symbol {
                0..144 | 280.. => 8,
                144..256 => 9,
                256..280 => 7,
            };
            let lengths: Vec<u8> = (0..288).map(length).collect();
            data(bits, out, &Codes::of(&lengths), &Codes::of(&[5; 30]))
        }
        2 => {
            let (letters, distances) = (bits.take(5)? + 257, bits.take(5)? + 1);
            let lengths = lengths(bits, letters + distances)?;
            data(bits, out, &Codes::of(&lengths[..letters]), &Codes::of(&lengths[letters..]))
        }
        _ => None,
    }
}

fn lengths(bits: &mut Bits<'_>, wanted: usize) -> Option<Vec<u8>> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let given = bits.take(4)? + 4;
    let mut own = [0_u8; 19];
    for place in &ORDER[..given] {
        own[*place] = u8::try_from(bits.take(3)?).ok()?;
    }
    let codes = Codes::of(&own);
    let mut lengths = Vec::new();
    while lengths.len() < wanted {
        let (value, times) = match bits.symbol(&codes)? {
            16 => (*lengths.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (u8::try_from(length).ok()?, 1),
        };
        lengths.extend(std::iter::repeat_n(value, times));
    }
    lengths.truncate(wanted);
    Some(lengths)
}

fn data(bits: &mut Bits<'_>, out: &mut Vec<u8>, letters: &Codes, distances: &Codes) -> Option<()> {
    const LENGTHS: [usize; 29] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ];
    const DISTANCES: [usize; 30] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ];
    while out.len() < MOST {
        match bits.symbol(letters)? {
            256 => break,
            letter @ 0..256 => out.push(u8::try_from(letter).ok()?),
            symbol => {
                let index = symbol - 257;
                let more = if (8..28).contains(&index) { u8::try_from(index / 4 - 1).ok()? } else { 0 };
                let length = LENGTHS.get(index)? + bits.take(more)?;
                let far = bits.symbol(distances)?;
                let more = if far < 4 { 0 } else { u8::try_from(far / 2 - 1).ok()? };
                let back = DISTANCES.get(far)? + bits.take(more)?;
                let from = out.len().checked_sub(back)?;
                for at in from..from + length {
                    out.push(*out.get(at)?);
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::inflate;

    #[test]
    fn stored_fixed_and_repeated_data_are_unpacked() {
        assert_eq!(inflate(&[0x78, 1, 1, 3, 0, 0xfc, 0xff, b'a', b'b', b'c']), b"abc");
        // zlib.compress(b"(1 234,56) Tj " * 3)
        let packed = [
            0x78, 0x9c, 0xd3, 0x30, 0x54, 0x30, 0x32, 0x36, 0xd1, 0x31, 0x35, 0xd3, 0x54, 0x08, 0xc9, 0x52, 0xd0, 0xc0,
            0xc3, 0x03, 0x00, 0xb0, 0xb5, 0x08, 0x71,
        ];
        assert_eq!(inflate(&packed), b"(1 234,56) Tj ".repeat(3));
        assert!(inflate(&[0x78]).is_empty());
    }
}
