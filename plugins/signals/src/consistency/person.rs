//! Whether the papers and entries are of the same person, by their names.
//!
//! Papers are linked if one has the other's last name anywhere, so a married name, another order or a joint account
//! separates no one. A paper that nothing links to the others is another person's.

use std::collections::BTreeSet;

use sealwright_plugin_sdk::reading::fold;

use super::{
    comparison::Comparison,
    name::{is_among, words},
    paper::Paper,
};

/// Words in the title of a step that asks for another person's paper.
const OTHERS: [&str; 34] = [
    "conjoint",
    "conjointe",
    "epoux",
    "epouse",
    "partenaire",
    "concubin",
    "co",
    "coemprunteur",
    "emprunteurs",
    "garant",
    "garante",
    "caution",
    "bailleur",
    "proprietaire",
    "hebergeant",
    "hebergeur",
    "tiers",
    "parent",
    "pere",
    "mere",
    "enfant",
    "spouse",
    "husband",
    "wife",
    "partner",
    "guarantor",
    "landlord",
    "host",
    "third",
    "child",
    "father",
    "mother",
    "vendeur",
    "seller",
];

/// What a paper says about its person.
struct Named {
    /// An index of a paper; none for the entries together.
    paper: Option<usize>,
    last: Vec<String>,
    first: Vec<String>,
    /// Words of whole names, of which it is unknown which is which.
    whole: Vec<String>,
}

impl Named {
    /// The words by which another paper is linked to it.
    fn linking(&self) -> &[String] {
        if self.last.is_empty() { &self.whole } else { &self.last }
    }
}

pub(super) fn compare(comparison: &mut Comparison) {
    names(comparison);
}

/// Whether a step asks for the paper of another person.
pub(super) fn is_of_another(paper: &Paper) -> bool {
    paper.title.split(' ').any(|word| OTHERS.contains(&word))
}

fn named(comparison: &Comparison) -> Vec<Named> {
    let mut all = Vec::new();
    let entered = |code: &str| -> Vec<String> {
        let values = comparison.entries.iter().filter(|entry| entry.is(code));
        values.flat_map(|entry| words(&fold(&entry.value))).collect()
    };
    let entries = Named {
        paper: None,
        last: entered("lastName"),
        first: entered("firstName"),
        whole: [entered("accountHolder"), entered("personName")].concat(),
    };
    // A first name is better than no name.
    let whole = if entries.linking().is_empty() { entries.first.clone() } else { entries.whole.clone() };
    let entries = Named { whole, ..entries };
    if !entries.linking().is_empty() {
        all.push(entries);
    }
    for (index, paper) in comparison.papers.iter().enumerate() {
        if paper.kind == "COMPANY_REGISTRATION" || is_of_another(paper) {
            continue;
        }
        let of = |kind: &str| paper.sure(kind).flat_map(|value| words(&value.value)).collect::<Vec<_>>();
        let named = Named {
            paper: Some(index),
            last: of("lastName"),
            first: of("firstName"),
            whole: [of("accountHolder"), of("personName")].concat(),
        };
        if !named.linking().is_empty() {
            all.push(named);
        }
    }
    all
}

/// Whether one has a name of the other anywhere.
fn are_linked(one: &Named, other: &Named, papers: &[Paper]) -> bool {
    let is_on = |word: &String, named: &Named| {
        if let Some(index) = named.paper {
            is_among(word, &papers[index].words, papers[index].is_recognised())
        } else {
            let entered = [&named.last, &named.first, &named.whole].into_iter().flatten().cloned().collect();
            is_among(word, &entered, false)
        }
    };
    // Without a known last name, one word may be a first name that two people share.
    let links = |from: &Named, to: &Named| {
        let common = from.linking().iter().filter(|word| is_on(word, to)).count();
        common >= if from.last.is_empty() && from.whole.len() >= 2 && !to.last.is_empty() { 2 } else { 1 }
    };
    links(one, other) || links(other, one)
}

fn names(comparison: &mut Comparison) {
    let all = named(comparison);
    if all.len() < 2 {
        return;
    }
    comparison.compared("names of people");
    // The number of the group of each.
    let mut groups: Vec<usize> = (0..all.len()).collect();
    for one in 0..all.len() {
        for other in one + 1..all.len() {
            if groups[one] != groups[other] && are_linked(&all[one], &all[other], &comparison.papers) {
                let (keep, gone) = (groups[one], groups[other]);
                groups.iter_mut().filter(|group| **group == gone).for_each(|group| *group = keep);
            }
        }
    }
    let is_card = |named: &Named| named.paper.is_some_and(|index| comparison.papers[index].is_card());
    let size = |group: usize| groups.iter().filter(|other| **other == group).count();
    // What people entered is about the person of the case; else the card is, and then most papers.
    let has_card = |group: usize| all.iter().zip(&groups).any(|(named, other)| *other == group && is_card(named));
    let entries = all.iter().position(|named| named.paper.is_none());
    let best = || (0..all.len()).rev().max_by_key(|at| (has_card(groups[*at]), size(groups[*at])));
    let main = entries.or_else(best).map_or(0, |at| groups[at]);
    let of_main = |named: &&&Named| named.paper.is_some_and(|index| comparison.papers[index].is_card());
    let in_main: Vec<&Named> =
        all.iter().zip(&groups).filter(|(_, group)| **group == main).map(|(named, _)| named).collect();
    let reference = in_main.iter().find(of_main).or(in_main.first()).and_then(|named| named.paper);
    let reference = reference.map(|index| comparison.papers[index].name());
    let reference = reference.map_or_else(|| "what was entered".to_owned(), |name| format!("that on {name}"));
    let mut doubts = Vec::new();
    for (named, group) in all.iter().zip(&groups).filter(|(_, group)| **group != main) {
        let Some(index) = named.paper else { continue };
        let paper = &comparison.papers[index];
        // The papers of a second person: both have a card, and this one something else.
        let is_second = in_main.iter().any(|named| of_main(&named))
            && all.iter().zip(&groups).any(|(other, of)| of == group && is_card(other))
            && all.iter().zip(&groups).any(|(other, of)| of == group && !is_card(other));
        let cost = if is_second { 12 } else { cost_of_another(paper) };
        doubts.push((cost, paper.item, format!("The name on {} differs from {reference}.", paper.name())));
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "OTHER_NAME", text);
    }
    first_names(comparison, &in_main.into_iter().map(|named| (named.paper, named.first.clone())).collect::<Vec<_>>());
}

fn cost_of_another(paper: &Paper) -> u8 {
    if paper.is_statement() || paper.is_payslip() {
        return 50;
    }
    match paper.kind.as_str() {
        "IDENTITY_CARD" | "PASSPORT" | "RESIDENCE_PERMIT" | "DRIVING_LICENCE" | "BANK_DETAILS" | "TAX_NOTICE" => 50,
        _ => 38,
    }
}

/// Papers with the last name of the case and no first name of it: of a relative. A bill in a relative's name is ordinary,
/// pay and an account less so.
fn first_names(comparison: &mut Comparison, main: &[(Option<usize>, Vec<String>)]) {
    let papers = &comparison.papers;
    let known: Vec<&String> = main
        .iter()
        .filter(|(paper, _)| paper.is_none_or(|index| papers[index].is_card()))
        .flat_map(|(_, first)| first)
        .collect();
    if known.is_empty() {
        return;
    }
    let mut doubts = Vec::new();
    let entered: BTreeSet<String> =
        main.iter().filter(|(paper, _)| paper.is_none()).flat_map(|(_, first)| first).cloned().collect();
    let on_cards = papers.iter().flat_map(|paper| paper.all("lastName").map(|name| name.value.clone()));
    let by_people = comparison.entries.iter().filter(|entry| entry.is("lastName")).map(|entry| fold(&entry.value));
    let last: BTreeSet<String> = on_cards.chain(by_people).flat_map(|name| words(&name)).collect();
    let cards = main.iter().filter_map(|(paper, first)| Some((&papers[(*paper)?], first)));
    let cards: Vec<(&Paper, &Vec<String>)> =
        cards.filter(|(paper, first)| paper.is_card() && !first.is_empty()).collect();
    let is_entered = |first: &[String]| first.iter().any(|name| is_among(name, &entered, true));
    if !entered.is_empty() && !cards.is_empty() && !cards.iter().any(|(_, first)| is_entered(first)) {
        let paper = cards[0].0;
        let text = format!("The first name on {} differs from what was entered.", paper.name());
        doubts.push((if paper.is_recognised() { 31 } else { 40 }, paper.item, text));
    }
    for paper in main.iter().filter_map(|(paper, _)| *paper).map(|index| &papers[index]) {
        let recognised = paper.is_recognised();
        let initial = |name: &str| name.chars().next().is_some_and(|first| paper.words.contains(&first.to_string()));
        if paper.is_card() || known.iter().any(|name| is_among(name, &paper.words, recognised) || initial(name)) {
            continue;
        }
        // "M. ou Mme Lefort-Mayne" has no first name.
        let has_more = |name: &str| words(name).iter().any(|word| !last.contains(word));
        let is_whole = paper.sure("firstName").next().is_some()
            || paper.sure("personName").chain(paper.sure("accountHolder")).any(|name| has_more(&name.value));
        let is_own = paper.is_payslip() || paper.kind == "BANK_DETAILS" || paper.kind == "TAX_NOTICE";
        if is_whole && !has_initial(paper) {
            let text = format!("{} has the last name of the case, and another first name.", paper.name());
            doubts.push((if is_own && !recognised { 33 } else { 12 }, paper.item, text));
        }
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "OTHER_FIRST_NAME", text);
    }
}

/// Whether its name has an initial, such as "M. J. Martin".
fn has_initial(paper: &Paper) -> bool {
    let names = paper.all("personName").chain(paper.all("accountHolder"));
    names.flat_map(|name| name.text.split_whitespace()).any(|word| {
        let letters = word.trim_end_matches('.');
        letters.chars().count() == 1 && letters != "M"
    })
}
