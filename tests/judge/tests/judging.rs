//! A small judgement that runs with every test: thresholds that the rules must reach, and real files that must not
//! raise an alarm. `cargo xtask lab` judges hundreds. The seeds are for tuning: rules may be changed until these tests
//! pass without using the papers for judging.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use image::{RgbImage, codecs::jpeg::JpegEncoder, imageops};
use sealwright_facts::{Limits, Recognition, near};
use sealwright_judge::{
    JudgedPackage, PaperVerdict, judge_case, judge_file, judge_package, judge_paper, judge_photo, judge_photo_file,
};
use sealwright_lab::{Editing, Forgery, PaperOptions, Quality, STORIES, TYPES, labelled_photo, paper};

fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: {reason}");
}

/// Real files from outside the repository.
fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures").join(kind);
    let Ok(entries) = fs::read_dir(&folder) else {
        skipped(&format!("../shared/fixtures/{kind} is missing"));
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files
}

fn verdict(seed: u64, kind: &'static str, quality: Quality, forgery: Option<Forgery>) -> PaperVerdict {
    let paper =
        paper(&PaperOptions { seed, kind, quality, forgery }).expect("the lab makes every paper it is asked for");
    judge_paper(paper, None).expect("no plugin fails")
}

/// The percentage of `all` that matches.
fn percent<T>(all: &[T], matches: impl Fn(&T) -> bool) -> usize {
    all.iter().filter(|each| matches(each)).count() * 100 / all.len()
}

#[test]
fn decisions_13_types_and_fields_of_clean_papers_are_detected_and_no_alarm_is_raised() {
    let verdicts: Vec<PaperVerdict> = (0..3)
        .flat_map(|round| TYPES.iter().map(move |kind| verdict(50_000 + round, kind, Quality::Clean, None)))
        .collect();
    let misdetected: Vec<_> = verdicts
        .iter()
        .filter(|verdict| !verdict.type_is_right())
        .map(|verdict| (&verdict.label, &verdict.judgement.detected))
        .collect();
    assert!(percent(&verdicts, PaperVerdict::type_is_right) >= 96, "{misdetected:?}");
    let compared: Vec<_> = verdicts
        .iter()
        .flat_map(|verdict| verdict.compared.iter().flat_map(|field| [field.same, field.changed]))
        .collect();
    assert!(
        percent(&compared, |right| *right) >= 95,
        "{} % of the fields are judged correctly",
        percent(&compared, |right| *right)
    );
    let alarms: Vec<_> = verdicts
        .iter()
        .filter(|verdict| verdict.alarm())
        .map(|verdict| (&verdict.label, verdict.judgement.raised()))
        .collect();
    assert!(alarms.len() <= 1, "{alarms:?}");
}

#[test]
fn decisions_13_forged_pdfs_are_detected() {
    let mut verdicts = Vec::new();
    for (index, kind) in (0_u64..).zip(TYPES) {
        for forgery in Forgery::possible(kind, Quality::Clean) {
            verdicts.push(verdict(60_000 + index, kind, Quality::Clean, Some(forgery)));
        }
    }
    let missed: Vec<_> = verdicts.iter().filter(|verdict| !verdict.alarm()).map(|verdict| &verdict.label).collect();
    assert!(percent(&verdicts, PaperVerdict::alarm) >= 88, "{missed:?}");
}

#[test]
fn edited_photographs_raise_an_alarm_and_untouched_ones_do_not() {
    let judged = |editing, seed| judge_photo(&labelled_photo(seed, editing).unwrap()).unwrap();
    for (editing, seed) in [(Editing::None, 1), (Editing::None, 2), (Editing::Messenger, 3)] {
        let verdict = judged(editing, 70_000 + seed);
        assert!(!verdict.alarm(), "{editing:?}: {:?}", verdict.seen);
    }
    for editing in [Editing::EditorTrace, Editing::StaleThumbnail, Editing::Screen] {
        let verdict = judged(editing, 70_007);
        assert!(verdict.alarm(), "{editing:?} scores {}", verdict.score);
    }
}

#[test]
fn real_documents_raise_no_alarm() {
    for file in fixtures("documents") {
        let verdict = judge_file(fs::read(&file).unwrap()).unwrap();
        assert!(!verdict.alarm(), "{}: {} {:?}", file.display(), verdict.suspicion, verdict.raised());
    }
}

/// In `../shared/fixtures`: an editor wrote its name into some, and others are damaged on purpose.
const NOT_UNTOUCHED: [&str; 4] = ["Canon_40D", "corrupted", "image00971", "image01551"];

fn untouched_photographs() -> impl Iterator<Item = PathBuf> {
    let is_untouched = |file: &PathBuf| !NOT_UNTOUCHED.iter().any(|name| file.display().to_string().contains(name));
    fixtures("photos").into_iter().filter(is_untouched)
}

#[test]
fn real_photographs_raise_no_alarm() {
    for file in untouched_photographs() {
        let verdict = judge_photo_file(&fs::read(&file).unwrap()).unwrap();
        assert!(!verdict.alarm(), "{}: {} {:?}", file.display(), verdict.score, verdict.seen);
    }
}

/// A photograph as processed by a messenger or a gallery.
fn passed_on(picture: &RgbImage) -> Vec<(&'static str, Vec<u8>)> {
    let saved = |picture: &RgbImage, quality| {
        let mut file = Vec::new();
        JpegEncoder::new_with_quality(&mut file, quality).encode_image(picture).expect("every picture can be a JPEG");
        file
    };
    let (width, height) = picture.dimensions();
    let half = imageops::resize(picture, width / 2, height / 2, imageops::FilterType::Triangle);
    let (side, top) = (width / 100, height / 100);
    let cut = imageops::crop_imm(picture, side, top, width - 2 * side, height - 2 * top).to_image();
    vec![
        ("quality 60", saved(picture, 60)),
        ("quality 85", saved(picture, 85)),
        ("half the size", saved(&half, 75)),
        ("a hundredth cut off each side", saved(&cut, 80)),
    ]
}

#[test]
fn real_photographs_passed_on_are_not_critical_and_are_near_duplicates() {
    let hash = |file: &[u8]| {
        let seen = sealwright_facts::prepare(file, &Limits::default(), &Recognition::NotWanted);
        near::from_text(&seen.image.unwrap().pixels.unwrap().dct_hash).unwrap()
    };
    let check = |file: &Path| {
        let bytes = fs::read(file).unwrap();
        let original = hash(&bytes);
        for (what, passed) in passed_on(&image::load_from_memory(&bytes).unwrap().to_rgb8()) {
            let verdict = judge_photo_file(&passed).unwrap();
            assert!(verdict.score >= 30, "{} {what}: {} {:?}", file.display(), verdict.score, verdict.seen);
            let distance = near::distance(original, hash(&passed));
            assert!(distance <= near::Reach::Seven.distance(), "{} {what}: {distance}", file.display());
        }
    };
    let photographs: Vec<PathBuf> = untouched_photographs().collect();
    // The other tests have ended long before.
    std::thread::scope(|scope| {
        for first in 0..2 {
            let share = photographs.iter().skip(first).step_by(2);
            scope.spawn(move || share.for_each(|file| check(file)));
        }
    });
}

#[test]
fn suspicious_cases_are_detected() {
    let cases: Vec<_> = (0..400).map(|index| judge_case(80_000, index).unwrap()).collect();
    let false_alarms = cases.iter().filter(|case| case.kind.1.is_none() && case.alarm()).map(|case| case.kind.0);
    assert_eq!(false_alarms.collect::<Vec<_>>(), Vec::<&str>::new());
    let others: Vec<_> = cases.iter().filter(|case| case.kind.1.is_some()).collect();
    let missed: Vec<_> = others.iter().filter(|case| !case.alarm()).map(|case| case.kind.0).collect();
    assert!(missed.len() * 100 <= others.len() * 20, "{missed:?}");
}

#[test]
fn packages_that_contradict_themselves_are_found_and_coherent_ones_are_not() {
    let judged: Vec<JudgedPackage> = (0..STORIES.len() as u64)
        .map(|index| judge_package(60_000, index).expect("the lab makes every package, and no plugin fails"))
        .collect();
    let wrong: Vec<_> = judged
        .iter()
        .filter(|package| !package.is_right())
        .map(|package| (&package.package.kind, package.score, &package.doubts))
        .collect();
    assert!(percent(&judged, JudgedPackage::is_right) >= 95, "{wrong:?}");
}
