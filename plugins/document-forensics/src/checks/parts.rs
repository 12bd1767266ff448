//! Pages of one document that different programs made: a forger replaces the page with the amount and keeps the rest.
//! Papers that people join are made by different programs too, but do not claim to be one document.

use std::collections::BTreeSet;

use sealwright_plugin_sdk::{
    facts::{Font, TextSource},
    findings::found,
    reading::{find_accounts, find_amounts, fold, text::squeeze},
};

use crate::{
    report::{Sign, sign},
    subject::Subject,
    typeface::family,
};

const CODE: &str = "PAGES_DIFFER";

/// What a page shows of the program that made it.
struct Made {
    page: u32,
    size: (u32, u32),
    /// Whether its fonts are embedded, subsets, explained and of which kind.
    ways: BTreeSet<(String, bool, bool)>,
    fonts: BTreeSet<usize>,
    names: BTreeSet<String>,
    /// The names as they are written.
    spelled: BTreeSet<String>,
    /// Its words with figures, such as references.
    marks: BTreeSet<String>,
    lines: BTreeSet<String>,
    /// Whether it states amounts or accounts.
    has_amounts: bool,
}

pub(crate) fn signs(subject: &Subject<'_>) -> Vec<Sign> {
    let document = subject.document;
    let fonts = document.all_fonts();
    let pages: Vec<Made> = document
        .page_numbers()
        .filter_map(|page| made(subject, page, &fonts))
        .filter(|made| !made.fonts.is_empty())
        .collect();
    if pages.len() < 2 {
        return Vec::new();
    }
    let odd = pages.iter().find(|made| {
        pages.iter().filter(|other| other.page != made.page).all(|other| {
            made.fonts.is_disjoint(&other.fonts)
                && (made.ways.is_disjoint(&other.ways) || made.spelled.is_disjoint(&other.spelled))
        })
    });
    let Some(odd) = odd else { return Vec::new() };
    let others = || pages.iter().filter(|other| other.page != odd.page);
    let shares_marks = others().any(|other| !odd.marks.is_disjoint(&other.marks));
    let shares_lines = others().any(|other| !odd.lines.is_disjoint(&other.lines));
    let other_size =
        others().all(|other| other.size.0.abs_diff(odd.size.0) > 40 || other.size.1.abs_diff(odd.size.1) > 40);
    let other_ways = others().all(|other| odd.ways.is_disjoint(&other.ways));
    let other_names = others().all(|other| odd.names.is_disjoint(&other.names));
    // The same family under another name: two programs, and papers of one design.
    let same_family =
        others().all(|other| odd.spelled.is_disjoint(&other.spelled) && !odd.names.is_disjoint(&other.names));
    let mut decibans: f64 = 3.0;
    for (is_so, more) in [
        (shares_marks, 7.0),
        (shares_lines, 4.0),
        (other_size, 2.0),
        (other_ways, 3.0),
        (other_names, 3.0),
        (same_family, 5.0),
    ] {
        decibans += if is_so { more } else { 0.0 };
    }
    if !shares_marks && !shares_lines {
        decibans = decibans.min(if same_family { 9.0 } else { 5.0 });
    }
    // Offices put a cover letter before what they send. It repeats references, and states nothing worth changing.
    if !odd.has_amounts {
        decibans = decibans.min(8.0);
    }
    let text = "A page was made with a different program from the rest of the document: it has other fonts.";
    vec![sign(decibans, found(CODE, text).at(odd.page, None))]
}

fn made(subject: &Subject<'_>, page: u32, fonts: &[Font]) -> Option<Made> {
    let document = subject.document;
    let facts = document.page(page)?;
    let mut runs = document.all_text_runs(page);
    runs.retain(|run| run.source == TextSource::Layer && run.hidden.is_none());
    let used: BTreeSet<usize> = runs.iter().filter_map(|run| run.font).map(|font| font as usize).collect();
    let named = || used.iter().filter_map(|index| fonts.get(*index));
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
    let text = document.text(page);
    let mark = |word: &str| {
        let plain = squeeze(word);
        (plain.len() >= 5 && plain.chars().filter(char::is_ascii_digit).count() >= 3).then_some(plain)
    };
    Some(Made {
        page,
        size: (facts.width, facts.height),
        ways: named().map(|font| (font.kind.clone(), font.embedded, font.subset.is_some())).collect(),
        names: named().map(|font| family(&font.name)).collect(),
        spelled: named().map(|font| font.name.clone()).collect(),
        fonts: used.clone(),
        marks: text.split_whitespace().filter_map(mark).collect(),
        has_amounts: text.lines().any(|line| !find_amounts(line).is_empty() || !find_accounts(line).is_empty()),
        lines: text.lines().filter(|line| letters(line) >= 8).map(fold).collect(),
    })
}
