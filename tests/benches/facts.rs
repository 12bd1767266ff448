//! Facts about files, each read in a process of its own, as in the server; the plugins' share of an analysis; and the
//! search for near duplicates among a million hashes, against a linear scan.

mod reading;
mod share;

use std::{hint::black_box, path::Path, thread, time::Instant};

use anyhow::ensure;
use sealwright::facts::prepare;
use sealwright_facts::{
    Facts,
    child::FactsScope,
    near::{Index, Reach, distance},
    ocr::Tesseract,
};
use sealwright_lab::{PaperOptions, Person, PhotoOptions, Quality, energy_bill, paper, photo};

use crate::{
    ROUNDS,
    load::milliseconds,
    report::{Figure, Goal, Samples, Unit},
};

const PHOTO: &str = "a photo of 12 megapixels";
const HASHES: usize = 1_000_000;
/// Searches a round. Half of them have a near duplicate to find.
const SEARCHES: u32 = 200;

pub(crate) async fn measure(program: &Path) -> anyhow::Result<Vec<Figure>> {
    let bill = energy_bill(&Person::invented(1), 1)?;
    let picture = photo(&PhotoOptions { width: 4_000, height: 3_000, ..PhotoOptions::default() })?;
    let scan = paper(&PaperOptions { seed: 1, kind: "INVOICE", quality: Quality::Scan, forgery: None })?.bytes;
    let mut contestants =
        vec![("a text PDF", bill.as_slice(), FactsScope::Text), (PHOTO, picture.as_slice(), FactsScope::PicturesOnly)];
    if Tesseract::installed().is_some() {
        contestants.push(("a scan", scan.as_slice(), FactsScope::Text));
    } else {
        eprintln!("  not measured: text recognition, tesseract is missing");
    }
    let mut figures = files(program, &contestants)?;
    figures.push(reading::measure_text(program, &bill)?);
    if let Some(tesseract) = Tesseract::installed() {
        figures.extend(reading::measure(program, &scan, &tesseract)?);
    }
    figures.extend(share::measure(program, &contestants).await?);
    figures.extend(near_duplicates()?);
    Ok(figures)
}

fn files(program: &Path, contestants: &[(&str, &[u8], FactsScope)]) -> anyhow::Result<Vec<Figure>> {
    let mut nothing = Samples::new(Unit::Milliseconds);
    let mut samples = vec![Samples::new(Unit::Milliseconds); contestants.len()];
    for _ in 0..ROUNDS {
        let (took, _) = timed(program, b"no document", FactsScope::Text)?;
        nothing.push(took);
        for ((what, file, wanted), samples) in contestants.iter().zip(&mut samples) {
            let (took, facts) = timed(program, file, *wanted)?;
            ensure!(!facts.pages.is_empty(), "{what}: {:?}", facts.reading);
            samples.push(took / f64::from(u32::try_from(facts.pages.len())?));
        }
    }
    let measured = contestants.iter().zip(samples).map(|((what, ..), measured)| Figure {
        what: format!("facts of {what}, a page"),
        measured,
        // The photo has an absolute goal.
        against: (*what != PHOTO).then(|| ("the process alone", nothing.clone())),
        goal: (*what == PHOTO).then_some(Goal::AtMost(500.0)),
    });
    let mut figures: Vec<Figure> = measured.collect();
    let documents = contestants.iter().filter(|(what, ..)| *what != PHOTO).map(|(_, file, _)| *file);
    figures.push(an_hour(program, &documents.collect::<Vec<_>>())?);
    Ok(figures)
}

/// How many documents two processes at a time read in an hour: bills with their text and, where text recognition is
/// installed, as many scans.
fn an_hour(program: &Path, documents: &[&[u8]]) -> anyhow::Result<Figure> {
    const EACH: usize = 4;
    let mut samples = Samples::new(Unit::PerHour);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let read = || {
            documents.iter().cycle().take(EACH).try_for_each(|file| timed(program, file, FactsScope::Text).map(drop))
        };
        thread::scope(|scope| {
            let other = scope.spawn(read);
            read()?;
            other.join().map_err(|_| anyhow::anyhow!("the other reader panicked"))?
        })?;
        let both = f64::from(u32::try_from(2 * EACH)?);
        samples.push(both * 3_600_000.0 / milliseconds(start.elapsed()));
    }
    let what = if documents.len() > 1 { "documents, half of them scans" } else { "documents with their text" };
    Ok(Figure { what: format!("{what}, two at a time"), measured: samples, against: None, goal: None })
}

fn timed(program: &Path, file: &[u8], wanted: FactsScope) -> anyhow::Result<(f64, Facts)> {
    let start = Instant::now();
    let facts = prepare(program, file, wanted, "")?;
    Ok((milliseconds(start.elapsed()), facts))
}

fn near_duplicates() -> anyhow::Result<Vec<Figure>> {
    let mut state = 2026;
    let hashes: Vec<u64> = (0..HASHES).map(|_| random(&mut state)).collect();
    let asked: Vec<u64> = (0..SEARCHES as usize)
        .map(|n| if n % 2 == 0 { hashes[n] ^ (0b101 << (n % 60)) } else { random(&mut state) })
        .collect();
    let index = Index::new(hashes.clone());
    let mut figures = Vec::new();
    for reach in [Reach::Seven, Reach::Eleven] {
        let [mut indexed, mut linear] = [const { Samples::new(Unit::Microseconds) }; 2];
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let by_index: usize = asked.iter().map(|hash| black_box(index.search(*hash, reach)).len()).sum();
            indexed.push(milliseconds(start.elapsed()) * 1000.0 / f64::from(SEARCHES));
            let start = Instant::now();
            let near = |hash: u64| hashes.iter().filter(|other| distance(hash, **other) <= reach.distance()).count();
            let by_scan: usize = asked.iter().map(|hash| black_box(near(*hash))).sum();
            linear.push(milliseconds(start.elapsed()) * 1000.0 / f64::from(SEARCHES));
            ensure!(by_index == by_scan && by_index >= asked.len() / 2, "index: {by_index} found, scan: {by_scan}");
        }
        figures.push(Figure {
            what: format!("near duplicates within {} of 10^6", reach.distance()),
            measured: indexed,
            against: Some(("linear scan", linear)),
            goal: Some(Goal::AtMost(if reach == Reach::Seven { 0.1 } else { 1.0 })),
        });
    }
    Ok(figures)
}

/// `SplitMix64`.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
