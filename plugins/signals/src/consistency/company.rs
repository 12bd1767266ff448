//! Companies: whether two papers name the same one, and whether a company existed on the day of a paper.

use super::{
    comparison::Comparison,
    name::{is_among, is_near, of_company},
    paper::Paper,
};

pub(super) fn compare(comparison: &mut Comparison) {
    let papers = &comparison.papers;
    let mut doubts = Vec::new();
    let mut compared = false;
    for register in papers.iter().filter(|paper| paper.kind == "COMPANY_REGISTRATION") {
        let Some(registered) = register.day("registrationDate") else { continue };
        for paper in papers.iter().filter(|paper| paper.is_payslip() || paper.kind == "INVOICE") {
            if !is_about(register, paper) {
                continue;
            }
            let day = if paper.is_payslip() { paper.day_of(comparison.today) } else { paper.day("issueDate") };
            let Some(day) = day else { continue };
            compared = true;
            let recognised = paper.is_recognised() || register.is_recognised();
            if day < registered && !(recognised && day.year == registered.year) {
                let text = format!("{} is older than its company, which {} shows.", paper.name(), register.name());
                doubts.push((58, paper.item, text));
            }
        }
    }
    if compared {
        comparison.compared("dates of companies");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "BEFORE_COMPANY", text);
    }
}

/// Whether an extract about a company is about the one that issued a paper: by its number, else by its name.
fn is_about(register: &Paper, paper: &Paper) -> bool {
    let numbers = |paper: &Paper| paper.sure("companyNumber").map(|number| number.value.clone()).collect::<Vec<_>>();
    let (of_register, of_paper) = (numbers(register), numbers(paper));
    if of_register.iter().any(|number| of_paper.contains(number)) {
        return true;
    }
    let issuer: Vec<String> =
        paper.all("employerName").chain(paper.all("issuer")).flat_map(|name| of_company(&name.value)).collect();
    let company: Vec<String> = register.sure("companyName").flat_map(|name| of_company(&name.value)).collect();
    !company.is_empty()
        && company.iter().all(|word| is_among(word, &paper.words, paper.is_recognised()))
        && company.iter().any(|word| issuer.contains(word))
}

/// The words that say which company the employer is.
pub(super) fn words_of_employer(slip: &Paper) -> Vec<String> {
    slip.sure("employerName").take(2).flat_map(|name| of_company(&name.value)).collect()
}

/// Whether two payslips are of the same employer; none if that is unknown.
pub(super) fn is_same_company(one: &Paper, other: &Paper) -> Option<bool> {
    let (of_one, of_other) = (words_of_employer(one), words_of_employer(other));
    let numbers = |paper: &Paper| paper.sure("companyNumber").map(|number| number.value.clone()).collect::<Vec<_>>();
    if numbers(one).iter().any(|number| numbers(other).contains(number)) {
        return Some(true);
    }
    if of_one.is_empty() || of_other.is_empty() {
        return None;
    }
    let on =
        |words: &[String], paper: &Paper| words.iter().any(|word| is_among(word, &paper.words, paper.is_recognised()));
    let is_same = of_one.iter().any(|word| of_other.iter().any(|other| word == other || is_near(word, other)));
    Some(is_same || on(&of_one, other) && on(&of_other, one))
}
