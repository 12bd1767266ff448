//! JPEG as cameras and editors write it (ITU-T T.81, baseline): with chroma subsampling, and with tables of their own.
//! The library that the rest of the lab uses supports neither.

use image::RgbImage;

/// The chroma subsampling.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sampling {
    Full,
    Across,
    Both,
}

impl Sampling {
    /// Horizontal and vertical factors of the brightness.
    fn factors(self) -> (u8, u8) {
        match self {
            Self::Full => (1, 1),
            Self::Across => (2, 1),
            Self::Both => (2, 2),
        }
    }
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coding {
    /// 1 to 100, as the Independent JPEG Group scales the tables of annex K.
    pub(crate) quality: u8,
    pub(crate) sampling: Sampling,
    /// How a vendor's table differs from annex K: 0 is annex K itself, -0.4 is finer in high frequencies, 0.4 coarser.
    pub(crate) bend: f32,
}

impl Coding {
    pub(crate) fn usual(quality: u8) -> Self {
        Self { quality, sampling: Sampling::Both, bend: 0.0 }
    }
}

/// The file; `exif` is the TIFF structure of its metadata.
pub(crate) fn encode(picture: &RgbImage, coding: Coding, exif: Option<&[u8]>) -> anyhow::Result<Vec<u8>> {
    let (width, height) = (u16::try_from(picture.width())?, u16::try_from(picture.height())?);
    let tables = [table(&LUMINANCE, coding), table(&CHROMINANCE, coding)];
    let mut file = vec![0xFF, 0xD8];
    segment(&mut file, 0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")?;
    if let Some(exif) = exif {
        segment(&mut file, 0xE1, &[b"Exif\0\0", exif].concat())?;
    }
    for (number, table) in (0..).zip(&tables) {
        let values = table.iter().map(|value| u8::try_from(*value).unwrap_or(255));
        segment(&mut file, 0xDB, &std::iter::once(number).chain(values).collect::<Vec<u8>>())?;
    }
    let (across, down) = coding.sampling.factors();
    let ([h1, h0], [w1, w0]) = (height.to_be_bytes(), width.to_be_bytes());
    segment(&mut file, 0xC0, &[8, h1, h0, w1, w0, 3, 1, across << 4 | down, 0, 2, 0x11, 1, 3, 0x11, 1])?;
    for (class, (counts, values)) in [(0x00, DC[0]), (0x10, AC[0]), (0x01, DC[1]), (0x11, AC[1])] {
        segment(&mut file, 0xC4, &[&[class], counts.as_slice(), values].concat())?;
    }
    segment(&mut file, 0xDA, &[3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0])?;
    file.extend(scan(picture, coding.sampling, &tables));
    file.extend([0xFF, 0xD9]);
    Ok(file)
}

fn segment(file: &mut Vec<u8>, marker: u8, payload: &[u8]) -> anyhow::Result<()> {
    file.extend([0xFF, marker]);
    file.extend(u16::try_from(payload.len() + 2)?.to_be_bytes());
    file.extend(payload);
    Ok(())
}

/// In zigzag order, 1 to 255.
fn table(base: &[u32; 64], coding: Coding) -> [u32; 64] {
    let quality = u32::from(coding.quality.clamp(1, 100));
    let scale = if quality < 50 { 5000 / quality } else { 200 - 2 * quality };
    let mut table = [1; 64];
    for ((value, base), place) in table.iter_mut().zip(base).zip(0_u16..) {
        let bent = 1.0 + f64::from(coding.bend) * (f64::from(place) / 63.0 - 0.3);
        *value = rounded((f64::from(base * scale) * bent + 50.0) / 100.0 - 0.5).clamp(1, 255).unsigned_abs();
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "a brightness or a coefficient, which has at most twelve bits")]
fn rounded(value: f64) -> i32 {
    value.round() as i32
}

/// One component, padded to whole units by repeating the last pixel.
struct Component {
    width: usize,
    values: Vec<f32>,
}

fn scan(picture: &RgbImage, sampling: Sampling, tables: &[[u32; 64]; 2]) -> Vec<u8> {
    let (across, down) = sampling.factors();
    let (across, down) = (usize::from(across), usize::from(down));
    let (columns, rows) =
        ((picture.width() as usize).div_ceil(8 * across), (picture.height() as usize).div_ceil(8 * down));
    let components = components(picture, (columns * 8 * across, rows * 8 * down), (across, down));
    let codes = [codes(DC[0]), codes(AC[0]), codes(DC[1]), codes(AC[1])];
    let cosines = cosines();
    let mut bits = Bits::default();
    let mut before = [0; 3];
    for row in 0..rows {
        for column in 0..columns {
            for (index, component) in components.iter().enumerate() {
                let (wide, high, kind) = if index == 0 { (across, down, 0) } else { (1, 1, 1) };
                for unit in 0..wide * high {
                    let (x, y) = ((column * wide + unit % wide) * 8, (row * high + unit / wide) * 8);
                    let block = quantised(component, x, y, &tables[kind], &cosines);
                    bits.block(&block, &mut before[index], &codes[2 * kind], &codes[2 * kind + 1]);
                }
            }
        }
    }
    bits.finish()
}

/// Brightness and the two colours (JFIF 1.02), the colours averaged over the pixels that share them.
fn components(picture: &RgbImage, (width, height): (usize, usize), (across, down): (usize, usize)) -> [Component; 3] {
    let empty = |width: usize, height: usize| Component { width, values: vec![0.0; width * height] };
    let mut all = [empty(width, height), empty(width / across, height / down), empty(width / across, height / down)];
    #[expect(clippy::cast_precision_loss, reason = "1, 2 or 4")]
    let share = 1.0 / (across * down) as f32;
    let (right, bottom) = (picture.width() - 1, picture.height() - 1);
    for (y, line) in (0..).zip(0..height) {
        for (x, column) in (0..).zip(0..width) {
            let [red, green, blue] = picture.get_pixel(right.min(x), bottom.min(y)).0.map(f32::from);
            all[0].values[line * width + column] = 0.299 * red + 0.587 * green + 0.114 * blue - 128.0;
            let place = line / down * (width / across) + column / across;
            all[1].values[place] += (-0.168_736 * red - 0.331_264 * green + 0.5 * blue) * share;
            all[2].values[place] += (0.5 * red - 0.418_688 * green - 0.081_312 * blue) * share;
        }
    }
    all
}

fn cosines() -> [[f32; 8]; 8] {
    let mut cosines = [[0.0; 8]; 8];
    for (frequency, row) in (0_u8..).zip(&mut cosines) {
        let scale = if frequency == 0 { 0.125_f32.sqrt() } else { 0.5 };
        for (place, cosine) in (0_u8..).zip(row.iter_mut()) {
            let angle = std::f32::consts::PI / 16.0 * (2.0 * f32::from(place) + 1.0) * f32::from(frequency);
            *cosine = scale * angle.cos();
        }
    }
    cosines
}

/// The block's coefficients in zigzag order.
fn quantised(part: &Component, left: usize, top: usize, table: &[u32; 64], cosines: &[[f32; 8]; 8]) -> [i32; 64] {
    let mut rows = [[0.0_f32; 8]; 8];
    for (y, row) in rows.iter_mut().enumerate() {
        let pixels = &part.values[(top + y) * part.width + left..][..8];
        for (value, cosines) in row.iter_mut().zip(cosines) {
            *value = pixels.iter().zip(cosines).map(|(pixel, cosine)| pixel * cosine).sum();
        }
    }
    let mut block = [0; 64];
    for ((value, place), step) in block.iter_mut().zip(ZIGZAG).zip(table) {
        let (vertical, horizontal) = (place / 8, place % 8);
        let sum: f32 = rows.iter().zip(&cosines[vertical]).map(|(row, cosine)| row[horizontal] * cosine).sum();
        *value = rounded(f64::from(sum) / f64::from(*step));
    }
    block
}

/// The code and its length of each value.
type Codes = Vec<(u32, u32)>;

/// Assigned as in annex C.
fn codes((counts, values): Huffman) -> Codes {
    let mut codes = vec![(0, 0); 256];
    let (mut code, mut values) = (0, values.iter());
    for (length, count) in (1..).zip(counts) {
        for value in values.by_ref().take(usize::from(count)) {
            codes[usize::from(*value)] = (code, length);
            code += 1;
        }
        code <<= 1;
    }
    codes
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, value: u32, length: u32) {
        for bit in (0..length).rev() {
            self.held = self.held << 1 | (value >> bit & 1);
            self.count += 1;
            if self.count == 8 {
                let byte = self.held.to_le_bytes()[0];
                self.bytes.push(byte);
                if byte == 0xFF {
                    self.bytes.push(0);
                }
                (self.held, self.count) = (0, 0);
            }
        }
    }

    /// Appends the bits of a value of `size` bits (annex F.1.2.1).
    fn value(&mut self, value: i32, size: u32) {
        let bits = if value < 0 { value - 1 } else { value };
        self.push(bits.cast_unsigned() & ((1 << size) - 1), size);
    }

    fn block(&mut self, block: &[i32; 64], before: &mut i32, dc: &Codes, ac: &Codes) {
        let size = |value: i32| u32::BITS - value.unsigned_abs().leading_zeros();
        let difference = block[0] - *before;
        *before = block[0];
        let (code, length) = dc[size(difference) as usize];
        self.push(code, length);
        self.value(difference, size(difference));
        let last = block.iter().rposition(|&value| value != 0).unwrap_or(0);
        let mut zeros = 0;
        for &value in block.iter().take(last + 1).skip(1) {
            if value == 0 {
                zeros += 1;
                continue;
            }
            while zeros > 15 {
                self.push(ac[0xF0].0, ac[0xF0].1);
                zeros -= 16;
            }
            let (code, length) = ac[zeros << 4 | size(value) as usize];
            self.push(code, length);
            self.value(value, size(value));
            zeros = 0;
        }
        if last < 63 {
            self.push(ac[0].0, ac[0].1);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.push(0x7F, 8 - self.count);
        }
        self.bytes
    }
}

/// Row times eight plus column.
const ZIGZAG: [usize; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63,
];

/// Annex K.1, in zigzag order.
const LUMINANCE: [u32; 64] = [
    16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61,
    60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103, 62, 77, 113,
    121, 112, 100, 120, 92, 101, 103, 99,
];
const CHROMINANCE: [u32; 64] = [
    17, 18, 18, 24, 21, 24, 47, 26, 26, 47, 99, 66, 56, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99,
];

/// How many codes of each length, and their values (annex K.3).
type Huffman = ([u8; 16], &'static [u8]);

const DC: [Huffman; 2] = [
    ([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    ([0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
];
const AC: [Huffman; 2] = [
    (
        [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
        b"\x01\x02\x03\x00\x04\x11\x05\x12\x21\x31\x41\x06\x13\x51\x61\x07\x22\x71\x14\x32\x81\x91\xA1\x08\x23\x42\xB1\xC1\x15\x52\xD1\xF0\x24\x33\x62\x72\x82\x09\x0A\x16\x17\x18\x19\x1A\x25\x26\x27\x28\x29\x2A\x34\x35\x36\x37\x38\x39\x3A\x43\x44\x45\x46\x47\x48\x49\x4A\x53\x54\x55\x56\x57\x58\x59\x5A\x63\x64\x65\x66\x67\x68\x69\x6A\x73\x74\x75\x76\x77\x78\x79\x7A\x83\x84\x85\x86\x87\x88\x89\x8A\x92\x93\x94\x95\x96\x97\x98\x99\x9A\xA2\xA3\xA4\xA5\xA6\xA7\xA8\xA9\xAA\xB2\xB3\xB4\xB5\xB6\xB7\xB8\xB9\xBA\xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9\xCA\xD2\xD3\xD4\xD5\xD6\xD7\xD8\xD9\xDA\xE1\xE2\xE3\xE4\xE5\xE6\xE7\xE8\xE9\xEA\xF1\xF2\xF3\xF4\xF5\xF6\xF7\xF8\xF9\xFA",
    ),
    (
        [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
        b"\x00\x01\x02\x03\x11\x04\x05\x21\x31\x06\x12\x41\x51\x07\x61\x71\x13\x22\x32\x81\x08\x14\x42\x91\xA1\xB1\xC1\x09\x23\x33\x52\xF0\x15\x62\x72\xD1\x0A\x16\x24\x34\xE1\x25\xF1\x17\x18\x19\x1A\x26\x27\x28\x29\x2A\x35\x36\x37\x38\x39\x3A\x43\x44\x45\x46\x47\x48\x49\x4A\x53\x54\x55\x56\x57\x58\x59\x5A\x63\x64\x65\x66\x67\x68\x69\x6A\x73\x74\x75\x76\x77\x78\x79\x7A\x82\x83\x84\x85\x86\x87\x88\x89\x8A\x92\x93\x94\x95\x96\x97\x98\x99\x9A\xA2\xA3\xA4\xA5\xA6\xA7\xA8\xA9\xAA\xB2\xB3\xB4\xB5\xB6\xB7\xB8\xB9\xBA\xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9\xCA\xD2\xD3\xD4\xD5\xD6\xD7\xD8\xD9\xDA\xE2\xE3\xE4\xE5\xE6\xE7\xE8\xE9\xEA\xF2\xF3\xF4\xF5\xF6\xF7\xF8\xF9\xFA",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoded_picture_can_be_decoded_with_any_sampling() {
        let picture = RgbImage::from_fn(61, 45, |x, y| {
            let part = |value: u32| u8::try_from(value.min(255)).unwrap();
            image::Rgb([part(x * 4), part(y * 5), part(80 + x + y)])
        });
        for sampling in [Sampling::Full, Sampling::Across, Sampling::Both] {
            for bend in [0.0, 0.4, -0.4] {
                let file = encode(&picture, Coding { quality: 92, sampling, bend }, None).unwrap();
                let read = image::load_from_memory(&file).unwrap().to_rgb8();
                assert_eq!(read.dimensions(), picture.dimensions());
                let apart: u64 = read.iter().zip(picture.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
                assert!(apart / (61 * 45 * 3) < 4, "{sampling:?} {bend}: {apart}");
            }
        }
    }
}
