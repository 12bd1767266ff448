//! Files with random damage: each is read soon and without a panic.

use std::{
    panic,
    time::{Duration, Instant},
};

use crate::support::{facts, jpeg, page, png, revised, scene, stream};

/// For each seed file. `SEALWRIGHT_TEST_MUTATIONS` sets another number.
const MUTATIONS: u32 = 500;

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % below
    }
}

fn mutated(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..=random.next(6) {
        let at = random.next(file.len());
        match random.next(6) {
            0 => file[at] ^= 1 << random.next(8),
            1 => file[at] = u8::try_from(random.next(256)).unwrap(),
            2 => file.truncate(at + 1),
            3 => {
                let length = random.next(64).min(file.len() - at);
                let part = file[at..at + length].to_vec();
                let to = random.next(file.len());
                file.splice(to..to, part);
            }
            4 => {
                let words: [&[u8]; 8] = [b"9999999999", b"-1", b" 0 R", b"<<", b"]", b"endobj", b"\xFF\xDA", b"NaN"];
                file.splice(at..at, words[random.next(8)].to_vec());
            }
            _ => {
                let end = (at + random.next(32)).min(file.len());
                file.drain(at..end);
            }
        }
        if file.is_empty() {
            file.push(b'%');
        }
    }
    file
}

#[test]
fn damaged_files_are_read_soon_and_without_a_panic() {
    let count = std::env::var("SEALWRIGHT_TEST_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(MUTATIONS);
    let picture = stream(
        "/Type/XObject/Subtype/Image/Width 32/Height 24/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode",
        &jpeg(&scene(32, 24), 70),
    );
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(b"5 0 6 15 <</Type/Font>>  <</A 1>>", 6);
    let document = page(
        "BT /F1 9 Tf 9 9 Td (Text) Tj ET q 90 0 0 90 0 0 cm /I Do Q 1 g 5 5 50 20 re f",
        "/XObject<</I 6 0 R>>",
        &[picture, stream("/Type/ObjStm/N 2/First 9/Filter/FlateDecode", &packed)],
    );
    let seeds = [
        ("pdf", revised(&document, &[(4, stream("", b"BT /F1 9 Tf (New) Tj ET"))], 8)),
        ("jpeg", jpeg(&scene(40, 32), 80)),
        ("png", png(&scene(40, 32))),
        ("form", page("q Q", "", &[b"<</FT/Sig/T(a)/Kids[6 0 R]/V<</ByteRange[0 1 2 3]/M(D:2026)>>>>".to_vec()])),
    ];
    for (name, seed) in seeds {
        let mut random = Random(20_261_120);
        for turn in 0..count {
            let file = mutated(&seed, &mut random);
            let start = Instant::now();
            let read = panic::catch_unwind(|| facts(&file));
            assert!(read.is_ok(), "{name}, mutation {turn}");
            assert!(start.elapsed() < Duration::from_secs(20), "{name}, mutation {turn} took {:?}", start.elapsed());
        }
    }
}
