//! Files changed at random, the same in every run: each is checked in bounded time and without a panic, and none of
//! them is valid.

use std::time::{Duration, Instant};

use super::*;

/// Numbers that look random: `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }
}

/// The keywords of the parsers.
const WORDS: [&[u8]; 24] = [
    b"<<",
    b">>",
    b"[",
    b"]",
    b"(",
    b")",
    b"<",
    b">",
    b"/",
    b"%",
    b"obj",
    b"endobj",
    b"stream",
    b"endstream",
    b"xref\n",
    b"trailer",
    b"startxref",
    b"%%EOF",
    b"0 R",
    b"/Contents",
    b"/ByteRange",
    b"-1",
    b"99999999999999999999",
    b"\x30\x84\xFF\xFF\xFF\xFF",
];

fn mutate(pdf: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = pdf.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(changed.len());
        let length = random.below(64).min(changed.len() - at);
        match random.below(8) {
            0 => changed[at] ^= u8::try_from(1 + random.below(255)).unwrap(),
            1 => drop(changed.drain(at..at + length)),
            2 => drop(changed.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
            3 => {
                let from = random.below(other.len() - 64);
                drop(changed.splice(at..at + length, other[from..from + length].iter().copied()));
            }
            4 => changed.truncate(at.max(1)),
            5 => {
                let piece = changed[at..at + length].to_vec();
                let to = random.below(changed.len());
                drop(changed.splice(to..to, piece));
            }
            6 => changed[at..at + length].fill(b'0'),
            _ => {
                let word = WORDS[random.below(WORDS.len())];
                let end = (at + word.len()).min(changed.len());
                changed[at..end].copy_from_slice(&word[..end - at]);
            }
        }
        if changed.is_empty() {
            break;
        }
    }
    changed
}

#[test]
fn any_file_is_checked_in_bounded_time_and_never_valid() {
    let (example, other) = (parts("Example"), parts("Other"));
    let valid = [example.b_b(), example.b_t(), example.b_lta()];
    let foreign = other.b_lta();
    let mut random = Random(20_261_120);
    let mut slowest = Duration::ZERO;
    for round in 0..6000 {
        let pdf = &valid[round % valid.len()];
        let changed = mutate(pdf, &foreign, &mut random);
        if valid.contains(&changed) {
            continue;
        }
        let start = Instant::now();
        let report = verify(&changed);
        slowest = slowest.max(start.elapsed());
        assert_ne!(report.outcome, Outcome::Valid, "round {round}");
    }
    // A few milliseconds on an idle machine. This only detects endless runs.
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

/// Bytes that are not a certificate, and files that are made to keep a reader busy.
#[test]
fn files_that_keep_a_reader_busy_are_rejected_soon() {
    let header = b"%PDF-1.7\n";
    let many =
        |piece: &[u8], count: usize| [header.as_slice(), &piece.repeat(count), b"\nstartxref\n9\n%%EOF\n"].concat();
    for (what, pdf) in [
        ("openings", many(b"[", 1_000_000)),
        ("dictionaries", many(b"<</A ", 200_000)),
        ("texts", many(b"(", 1_000_000)),
        ("names", many(b"/A", 500_000)),
        ("starts", many(b"startxref\n9\n%%EOF\n", 50_000)),
        ("tables", many(b"xref\n0 1\n0000000000 65535 f \n", 30_000)),
        (
            "a table of millions",
            [
                header.as_slice(),
                b"xref\n0 4294967295\n",
                &b"0000000000 65535 f \n".repeat(50_000),
                b"trailer\n<<>>\nstartxref\n9\n%%EOF\n",
            ]
            .concat(),
        ),
        ("a table of entries and keys", {
            let keys = (0..20_000).fold(String::new(), |keys, number| keys + "/K" + &number.to_string() + " 0 ");
            [header.as_slice(), b"xref\n0 0\ntrailer\n<<", keys.as_bytes(), b">>\nstartxref\n9\n%%EOF\n"].concat()
        }),
    ] {
        let start = Instant::now();
        assert_eq!(verify(&pdf).outcome, Outcome::ChangedOrNotOurs, "{what}");
        assert!(start.elapsed() < Duration::from_secs(10), "{what}: {:?}", start.elapsed());
    }
}
