//! Dates of birth, and the French social security numbers that contain them.

use std::collections::BTreeSet;

use sealwright_plugin_sdk::reading::{Date, fold};

use super::{
    comparison::Comparison,
    name::{is_among, words},
    paper::{Paper, may_be_misread},
    person::is_of_another,
};

pub(super) fn compare(comparison: &mut Comparison) {
    births(comparison);
    numbers(comparison);
}

fn births(comparison: &mut Comparison) {
    let papers = &comparison.papers;
    let on_papers =
        papers.iter().filter(|paper| !is_of_another(paper)).filter_map(|paper| Some((paper, paper.day("birthDate")?)));
    let on_papers: Vec<(&Paper, Date)> = on_papers.collect();
    let mut doubts = Vec::new();
    let mut count = 0;
    for (at, (one, birth)) in on_papers.iter().enumerate() {
        for (other, of_other) in &on_papers[at + 1..] {
            if !is_same_person(one, other) {
                continue;
            }
            count += 1;
            if differ(one, *birth, other, *of_other) {
                let text = format!("The date of birth on {} differs from that on {}.", other.name(), one.name());
                doubts.push((58, other.item, text));
            }
        }
    }
    let entered = comparison.entries.iter().filter(|entry| entry.is("birthDate"));
    let entered: Vec<_> = entered.filter_map(|entry| Some((entry, Date::read(&entry.value)?))).collect();
    let first: BTreeSet<String> = comparison
        .entries
        .iter()
        .filter(|entry| entry.is("firstName"))
        .flat_map(|entry| words(&fold(&entry.value)))
        .collect();
    for (paper, of_paper) in &on_papers {
        let Some((entry, _)) = entered.first() else { break };
        let mut own = paper.sure("firstName").flat_map(|name| words(&name.value)).peekable();
        let is_other = !first.is_empty() && own.peek().is_some() && !own.any(|name| is_among(&name, &first, true));
        if is_other {
            continue;
        }
        count += 1;
        if entered.iter().all(|(_, birth)| differ(paper, *of_paper, paper, *birth)) {
            let text = format!("The date of birth on {} differs from {}.", paper.name(), entry.name);
            doubts.push((50, paper.item, text));
        }
    }
    if count > 0 {
        comparison.compared("dates of birth");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "OTHER_BIRTH_DATE", text);
    }
}

/// Whether both have the same first name, or it is unknown.
fn is_same_person(one: &Paper, other: &Paper) -> bool {
    let first = |paper: &Paper| paper.sure("firstName").flat_map(|name| words(&name.value)).collect::<Vec<_>>();
    let (of_one, of_other) = (first(one), first(other));
    of_one.is_empty()
        || of_other.is_empty()
        || of_one.iter().any(|name| {
            is_among(name, &of_other.iter().cloned().collect(), one.is_recognised() || other.is_recognised())
        })
}

fn differ(one: &Paper, birth: Date, other: &Paper, of_other: Date) -> bool {
    let recognised = one.is_recognised() || other.is_recognised();
    birth != of_other
        && !one.mentions_day(of_other)
        && (std::ptr::eq(one, other) || !other.mentions_day(birth))
        && Date::new(birth.year, birth.day, birth.month) != Some(of_other)
        && !(recognised && may_be_misread(&birth.iso(), &of_other.iso()))
}

/// A French social security number has the year and the month of birth.
fn numbers(comparison: &mut Comparison) {
    let papers = &comparison.papers;
    let numbered: Vec<(&Paper, &str)> = papers
        .iter()
        .filter(|paper| !is_of_another(paper))
        .filter_map(|paper| Some((paper, paper.one("socialSecurityNumber")?.value.as_str())))
        .collect();
    let mut doubts = Vec::new();
    let mut count = 0;
    for (at, (one, number)) in numbered.iter().enumerate() {
        for (other, of_other) in &numbered[at + 1..] {
            count += 1;
            if number != of_other && !may_be_misread(number, of_other) && is_same_person(one, other) {
                let text =
                    format!("The social security number on {} differs from that on {}.", other.name(), one.name());
                doubts.push((45, other.item, text));
            }
        }
        let births = papers
            .iter()
            .filter(|paper| paper.is_card())
            .filter_map(|paper| Some((paper.name(), paper.day("birthDate")?)));
        let entered = comparison.entries.iter().filter(|entry| entry.is("birthDate"));
        let entered = entered.filter_map(|entry| Some((entry.name.clone(), Date::read(&entry.value)?)));
        let births: Vec<(String, Date)> = births.chain(entered).collect();
        let fits = |birth: &Date| {
            let (year, month) = (birth.year.rem_euclid(100), birth.month);
            number.get(1..5) == Some(format!("{year:02}{month:02}").as_str())
        };
        count += births.len();
        if let Some((name, _)) = births.first().filter(|_| !births.iter().any(|(_, birth)| fits(birth))) {
            let text =
                format!("The social security number on {} is not one for the date of birth on {name}.", one.name());
            doubts.push((45, one.item, text));
        }
    }
    if count > 0 {
        comparison.compared("social security numbers");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "OTHER_SECURITY_NUMBER", text);
    }
}
