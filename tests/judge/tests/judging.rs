//! A small judgement that runs with every test: thresholds that a rule must not fall below, and real files that must not
//! raise an alarm. `cargo xtask lab` judges hundreds. The seeds are seeds for tuning: whoever mends a rule until these tests
//! pass has not looked at what judges it.

use std::{fs, io::Write as _, path::PathBuf};

use sealwright_judge::{PaperVerdict, judge_file, judge_paper, judge_photo};
use sealwright_lab::{Editing, Forgery, PaperOptions, Quality, TYPES, labelled_photo, paper};

fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: {reason}");
}

/// Real files from outside, beside the repository.
fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures").join(kind);
    let Ok(entries) = fs::read_dir(&folder) else {
        skipped(&format!("the {kind} of ../shared/fixtures are not there"));
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files
}

fn verdict(seed: u64, kind: &'static str, quality: Quality, forgery: Option<Forgery>) -> PaperVerdict {
    let paper =
        paper(&PaperOptions { seed, kind, quality, forgery }).expect("the lab makes every paper it is asked for");
    judge_paper(paper).expect("no plugin fails")
}

/// How many percent of them are so.
fn percent<T>(all: &[T], so: impl Fn(&T) -> bool) -> usize {
    all.iter().filter(|each| so(each)).count() * 100 / all.len()
}

#[test]
fn decisions_13_types_and_fields_of_clean_papers_are_told_and_no_alarm_is_raised() {
    let verdicts: Vec<PaperVerdict> = (0..3)
        .flat_map(|round| TYPES.iter().map(move |kind| verdict(50_000 + round, kind, Quality::Clean, None)))
        .collect();
    let told: Vec<_> = verdicts
        .iter()
        .filter(|verdict| !verdict.type_is_right())
        .map(|verdict| (&verdict.label, &verdict.detected))
        .collect();
    assert!(percent(&verdicts, PaperVerdict::type_is_right) >= 96, "{told:?}");
    let compared: Vec<_> = verdicts
        .iter()
        .flat_map(|verdict| verdict.compared.iter().flat_map(|field| [field.same, field.changed]))
        .collect();
    assert!(
        percent(&compared, |right| *right) >= 95,
        "{} of the fields are judged rightly",
        percent(&compared, |right| *right)
    );
    let alarms: Vec<_> =
        verdicts.iter().filter(|verdict| verdict.alarm()).map(|verdict| (&verdict.label, &verdict.raised)).collect();
    assert!(alarms.len() <= 1, "{alarms:?}");
}

#[test]
fn decisions_13_forged_pdfs_are_found() {
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
fn edited_photographs_are_found_and_untouched_ones_are_not() {
    let judged = |editing, seed| judge_photo(&labelled_photo(seed, editing).unwrap()).unwrap();
    for (editing, seed) in [(Editing::None, 1), (Editing::None, 2), (Editing::Messenger, 3)] {
        let verdict = judged(editing, 70_000 + seed);
        assert!(!verdict.alarm(), "{editing:?}: {:?}", verdict.seen);
    }
    for editing in [Editing::EditorTrace, Editing::StaleThumbnail] {
        let verdict = judged(editing, 70_007);
        assert!(verdict.alarm(), "{editing:?} scores {}", verdict.score);
    }
}

#[test]
fn real_documents_raise_no_alarm() {
    for file in fixtures("documents") {
        let verdict = judge_file(fs::read(&file).unwrap()).unwrap();
        assert!(!verdict.alarm(), "{}: {} {:?}", file.display(), verdict.suspicion, verdict.raised);
    }
}
