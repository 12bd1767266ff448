use super::*;
use crate::{
    manifest::{Step, tests::manifest},
    testing::base_pdf::base_pdf,
    verify::{ManifestFacts, Outcome, TokenState},
};

/// A page of visible lines.
fn page(lines: &[&str]) -> Page {
    let piece = |text: &&str| Piece { text: (*text).to_owned(), seen: true, joined: false };
    Page { pieces: lines.iter().map(piece).collect() }
}

fn photo(number: u32) -> String {
    Sha256Digest::of(format!("photo {number}")).to_string()
}

const ENTRY: &str = "Burst pipe";

/// Two photos and an entry.
fn sealed() -> SealManifest {
    let mut manifest = manifest();
    manifest.case.title = "Water damage".into();
    let first = manifest.items[0].clone();
    manifest.items = [1, 2]
        .map(|number| Item {
            reference: format!("ITM-{number}_CAS-12"),
            file: first.file.clone().map(|file| manifest::File { sha256: photo(number).parse().unwrap(), ..file }),
            ..first.clone()
        })
        .to_vec();
    manifest.items.push(Item {
        reference: "ITM-3_CAS-12".to_owned(),
        action: "TEXT_FIELD".to_owned(),
        file: None,
        value: Some(ENTRY.to_owned()),
        ..first
    });
    manifest
}

/// The lines of a certificate of [`sealed`].
fn lines() -> Vec<String> {
    let mut lines = vec!["Certificate CAS-12_CMP-7".to_owned(), "Water damage".to_owned(), "Acme".to_owned()];
    for (number, digest) in [(1, photo(1)), (2, photo(2)), (3, Sha256Digest::of(ENTRY).to_string())] {
        lines.push(format!("ITM-{number}_CAS-12"));
        lines.push(format!("SHA-256 {digest}"));
    }
    lines
}

fn compared(manifest: &SealManifest, pages: &[Page]) -> Report {
    compared_as(manifest, Pages::Read { pages, is_complete: true })
}

fn compared_as(manifest: &SealManifest, pages: Pages<'_>) -> Report {
    let bytes = manifest.to_canonical_json().unwrap();
    let facts = ManifestFacts {
        version: manifest.version,
        reference: manifest.reference.clone(),
        title: manifest.case.title.clone(),
        company: manifest.company.clone(),
        frame: manifest.frame.clone(),
        created_at: String::new(),
        closed_at: String::new(),
        missing_steps: Vec::new(),
        sha256: Sha256Digest::of(&bytes),
        root: None,
        token: TokenState::None,
        token_check: None,
    };
    let mut report = Report { manifest: Some(facts), ..Report::default() };
    compare_pages(&base_pdf(&[(manifest::ATTACHMENT, &bytes)]), pages, &mut report);
    report
}

fn of_lines(lines: &[String]) -> Report {
    compared(&sealed(), &[page(&lines.iter().map(String::as_str).collect::<Vec<_>>())])
}

/// After the lines were changed.
fn with(change: impl FnOnce(&mut Vec<String>)) -> Report {
    let mut lines = lines();
    change(&mut lines);
    of_lines(&lines)
}

#[track_caller]
fn assert_agrees(report: &Report) {
    assert_eq!(report.pages.as_ref().map(|pages| pages.state), Some(PagesState::Agree), "{:?}", report.findings);
    assert_eq!((report.outcome, &report.findings), (Outcome::Valid, &Vec::new()));
}

#[track_caller]
fn assert_differs(report: &Report, wanted: &str) {
    assert_eq!(report.pages.as_ref().map(|pages| pages.state), Some(PagesState::Differ), "{:?}", report.findings);
    assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
    assert!(report.findings.iter().any(|finding| finding.message.contains(wanted)), "{wanted}: {:?}", report.findings);
}

/// Not compared, or compared with a notice; the certificate is valid.
#[track_caller]
fn assert_noted(report: &Report, reason: Option<PagesReason>, wanted: &str) {
    assert_eq!(report.pages.as_ref().and_then(|pages| pages.reason), reason, "{:?}", report.findings);
    assert_eq!(report.outcome, Outcome::Valid);
    assert!(report.findings.iter().any(|finding| finding.message.contains(wanted)), "{wanted}: {:?}", report.findings);
}

#[test]
fn pages_that_show_what_the_manifest_has_agree_however_they_are_laid_out() {
    assert_agrees(&with(|_| {}));
    // Broken lines and grouped digits.
    assert_agrees(&with(|lines| {
        let broken = lines.iter().flat_map(|line| {
            let middle = line.char_indices().nth(line.chars().count() / 2).unwrap().0;
            let (first, second) = line.split_at(middle);
            [first.to_owned(), second.to_owned()]
        });
        *lines = broken.collect();
    }));
    // Digests first.
    assert_agrees(&with(|lines| (3..9).step_by(2).for_each(|at| lines.swap(at, at + 1))));
    // A list of references and a list of digests, and the digests once more.
    assert_agrees(&with(|lines| {
        let (references, digests): (Vec<_>, Vec<_>) =
            lines.split_off(3).into_iter().partition(|it| it.starts_with("ITM"));
        lines.extend(references.into_iter().chain(digests.clone()).chain(digests));
    }));
    // Items in another order; numbers directly after.
    assert_agrees(&with(|lines| lines[3..].rotate_left(2)));
    assert_agrees(&with(|lines| lines.insert(1, "3 items".to_owned())));
    assert_agrees(&with(|lines| lines.insert(4, "2026-11-20".to_owned())));
}

#[test]
fn an_entered_text_is_not_another_reference() {
    for text in
        ["Follows CAS-9_CMP-7", "ITM\u{2011}8_CAS\u{2011}9", &"ab".repeat(32), &"AB".repeat(32), "CAS-99_CMP-71"]
    {
        let mut manifest = sealed();
        manifest.case.title = text.to_owned();
        let mut lines = lines();
        lines[1] = text.to_owned();
        // A part of it before a line break is in it too.
        lines.push(text.chars().take(12).collect());
        let report = compared(&manifest, &[page(&lines.iter().map(String::as_str).collect::<Vec<_>>())]);
        assert_eq!((report.outcome, report.pages.unwrap().state), (Outcome::Valid, PagesState::Agree), "{text}");
    }
    // Written from right to left, it may be drawn like this.
    let mut manifest = sealed();
    manifest.case.title = "\u{5d0}\u{2066}_CMP-7\u{2069}\u{2066}CAS-9\u{2069}".into();
    let mut lines = lines();
    lines[1] = "CAS-9_CMP-7".to_owned();
    let report = compared(&manifest, &[page(&lines.iter().map(String::as_str).collect::<Vec<_>>())]);
    assert_eq!(report.pages.unwrap().state, PagesState::Agree);
    // Two adjacent texts do not form a reference.
    let two = [page(&["ITM-9_CAS-", "12"])];
    assert_agrees(&with(|lines| lines.extend(two[0].pieces.iter().map(|piece| piece.text.clone()))));
}

#[test]
fn another_reference_or_digest_is_detected() {
    assert_differs(&with(|lines| lines[0] = "CAS-13_CMP-7".to_owned()), "do not show CAS-12_CMP-7");
    assert_differs(&with(|lines| lines[0] = "CAS-12_CMP-71".to_owned()), "they show CAS-12_CMP-71");
    assert_differs(&with(|lines| lines[3] = "ITM-9_CAS-12".to_owned()), "they show ITM-9_CAS-12");
    assert_differs(&with(|lines| lines[4] = photo(9)), "do not show");
    assert_differs(&with(|lines| lines[4] = photo(9).to_uppercase()), "do not show");
    assert_differs(&with(|lines| drop(lines.remove(4))), "do not show");
    assert_differs(&with(|lines| drop(lines.drain(5..7))), "and another one");
    assert_differs(&with(|lines| *lines = vec!["Certificate".to_owned()]), "and 6 others");
    // The entry's own text is not looked for, but its digest is.
    let mut manifest = sealed();
    manifest.items[2].value = Some("Roof".to_owned());
    let lines = lines();
    let pages = [page(&lines.iter().map(String::as_str).collect::<Vec<_>>())];
    assert_differs(&compared(&manifest, &pages), &Sha256Digest::of("Roof").to_string());
}

#[test]
fn true_ones_elsewhere_do_not_hide_a_false_one() {
    let at_the_end = |lines: &mut Vec<String>, place: usize, other: String| {
        let own = std::mem::replace(&mut lines[place], other);
        lines.push(own);
    };
    assert_differs(&with(|lines| at_the_end(lines, 0, "CAS-13_CMP-7".into())), "show CAS-13_CMP-7, which");
    assert_differs(&with(|lines| at_the_end(lines, 3, "ITM-9_CAS-12".into())), "show ITM-9_CAS-12, which");
    assert_differs(&with(|lines| at_the_end(lines, 4, photo(9))), "next to ITM-1_CAS-12");
    assert_differs(
        &with(|lines| [4, 6, 8].into_iter().for_each(|place| at_the_end(lines, place, photo(90)))),
        "next to ITM-3_CAS-12",
    );
}

#[test]
fn a_template_may_print_more() {
    let fingerprint = Sha256Digest::of("a root").to_string();
    for place in [0, 3, 9] {
        let report = with(|lines| lines.insert(place, format!("Our root: {fingerprint}")));
        assert_noted(&report, None, "also show");
        assert_eq!(report.pages.unwrap().other_digests, std::slice::from_ref(&fingerprint));
    }
    // A footer between an item's reference and its digest.
    let report = with(|lines| lines.insert(4, fingerprint.clone()));
    assert_noted(&report, None, "also show");
    let mut manifest = sealed();
    manifest.steps.push(Step { id: 702, title: "Roof".to_owned(), ..manifest.steps[0].clone() });
    manifest.missing_mandatory_steps.push(702);
    let lines = lines();
    let pages = [page(&lines.iter().map(String::as_str).collect::<Vec<_>>())];
    assert_noted(&compared(&manifest, &pages), None, "the title of a missing mandatory step");
    assert_noted(&with(|lines| drop(lines.remove(1))), None, "the case's title");
    assert_noted(&with(|lines| lines[2] = "ACME".to_owned()).clone_with_notice(), None, "nothing");
}

impl Report {
    /// Adds a finding, so that a report without one can be checked for one.
    fn clone_with_notice(&self) -> Self {
        let mut report = self.clone();
        report.add(Finding::new(Severity::Notice, FindingCode::Pages, "nothing"));
        report
    }
}

#[test]
fn digests_of_other_items_are_not_taken_for_an_item_s() {
    assert_noted(&with(|lines| lines.swap(4, 6)), Some(PagesReason::Unpaired), "which digest belongs to which item");
}

#[test]
fn what_cannot_be_read_or_seen_is_not_compared_and_never_equal() {
    let manifest = sealed();
    assert_noted(&compared_as(&manifest, Pages::Unreadable), Some(PagesReason::Unreadable), "cannot be read");
    let text = lines();
    let half = [page(&text[..4].iter().map(String::as_str).collect::<Vec<_>>())];
    let report = compared_as(&manifest, Pages::Read { pages: &half, is_complete: false });
    assert_noted(&report, Some(PagesReason::Unreadable), "cannot be read");
    assert_noted(
        &with(|lines| lines[4] = "\u{FFFD}\u{FFFD}".to_owned()),
        Some(PagesReason::Unreadable),
        "cannot be read",
    );
    // But another reference is still detected.
    assert_differs(
        &with(|lines| {
            lines[0] = "CAS-13_CMP-7".to_owned();
            lines[4] = "\u{FFFD}".to_owned();
        }),
        "CAS-13_CMP-7",
    );
    let mut hidden = page(&text.iter().map(String::as_str).collect::<Vec<_>>());
    hidden.pieces[6].seen = false;
    assert_noted(&compared(&manifest, &[hidden]), Some(PagesReason::Unseen), "some of their text may not be visible");
}

#[test]
fn what_was_changed_is_not_compared() {
    let mut report = Report::default();
    compare_pages(b"no PDF", Pages::Unreadable, &mut report);
    assert_eq!(report, Report::default());
}
