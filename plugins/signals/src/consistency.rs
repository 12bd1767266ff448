//! What the documents and entries of a case say together: whether names, dates, accounts, amounts, employers and
//! addresses agree. Each relation has its own file. A value that is on both papers, under whatever label, agrees; a
//! contradiction needs two sure readings. A finding names the papers, the field and the relation, never a value.
//!
//! A signal with nothing to compare is left out.

mod account;
mod address;
mod birth;
mod company;
mod comparison;
mod date;
mod entry;
mod name;
mod paper;
mod pay;
mod person;
#[cfg(test)]
mod tests;

use sealwright_plugin_sdk::{
    facts::{Evidence, Item},
    findings::not_found,
    reading::Date,
    signal::{Observation, Signal, of_case},
};

use self::{comparison::Comparison, paper::Paper};
use crate::doubt::OBSERVATIONS;

/// A smaller doubt has ordinary explanations, and several of them do too: together they cost at most this.
const WEAK: u8 = 20;
/// The lowest score: a contradiction between papers is never certain fraud by itself (decisions 13).
const LEAST: u8 = 10;

/// None if there is nothing to compare.
pub(crate) fn signal(evidence: &Evidence, items: &[Item]) -> Option<Signal> {
    let papers: Vec<Paper> = items.iter().filter_map(Paper::of).collect();
    if papers.is_empty() {
        return None;
    }
    let moment = evidence.closed_at().unwrap_or_else(|| items.iter().map(Item::received_at).max().unwrap_or(0));
    let mut comparison = Comparison {
        papers,
        entries: entry::all(evidence, items),
        today: Date::of_moment(i64::try_from(moment).unwrap_or(i64::MAX)),
        doubts: Vec::new(),
        compared: Vec::new(),
    };
    person::compare(&mut comparison);
    birth::compare(&mut comparison);
    account::compare(&mut comparison);
    pay::compare(&mut comparison);
    company::compare(&mut comparison);
    address::compare(&mut comparison);
    date::compare(&mut comparison);
    entry::compare(&mut comparison);
    let Comparison { doubts, compared, .. } = comparison;
    if compared.is_empty() {
        return None;
    }
    Some(Signal {
        kind: "consistency".to_owned(),
        score: score(&doubts),
        observations: observations(doubts, &compared),
    })
}

/// Contradictions add up as independent evidence does; weak doubts together are one weak doubt. Further contradictions of
/// one code are mostly the same one on other papers: each counts a third.
fn score(doubts: &[(u8, Observation)]) -> u8 {
    let is_weak = |cost: u8| cost <= WEAK;
    let mut doubts: Vec<(u8, &str)> = doubts.iter().map(|(cost, seen)| (*cost, seen.finding.code.as_str())).collect();
    doubts.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
    let mut seen: Vec<&str> = Vec::new();
    for (cost, code) in doubts.iter_mut().filter(|(cost, _)| !is_weak(*cost)) {
        if seen.contains(code) {
            *cost /= 3;
        } else {
            seen.push(*code);
        }
    }
    let weak: u8 = doubts.iter().map(|(cost, _)| *cost).filter(|cost| is_weak(*cost)).fold(0, u8::saturating_add);
    let strong = doubts.iter().map(|(cost, _)| *cost).filter(|cost| !is_weak(*cost));
    let left = strong.fold(100.0, |left: f64, cost| left * (1.0 - f64::from(cost) / 100.0));
    let left = left * (1.0 - f64::from(weak.min(WEAK)) / 100.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
    let score = left.round() as u8;
    score.max(LEAST)
}

fn observations(mut doubts: Vec<(u8, Observation)>, compared: &[&'static str]) -> Vec<Observation> {
    doubts.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
    let compared = compared.iter().map(|field| {
        of_case(not_found("COMPARED", format!("Compared between the papers and entries of the case: {field}.")))
    });
    doubts
        .into_iter()
        .map(|(_, observation)| observation)
        .take(OBSERVATIONS / 2)
        .chain(compared)
        .take(OBSERVATIONS)
        .collect()
}
