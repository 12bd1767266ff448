//! Where the person of the case lives. People move, and cards keep the old address: only papers of the same time, and
//! what was entered, contradict each other.

use sealwright_plugin_sdk::reading::{Date, fold};

use super::{
    comparison::Comparison,
    name::{is_among, words},
    paper::Paper,
    person::is_of_another,
};

/// Papers of this many days are of the same time.
const SAME_TIME: i64 = 45;

struct Address<'p> {
    paper: &'p Paper,
    post_code: String,
    street: Vec<String>,
    day: Option<Date>,
}

pub(super) fn compare(comparison: &mut Comparison) {
    let papers = &comparison.papers;
    let people: Vec<String> = papers
        .iter()
        .flat_map(|paper| {
            let titled = paper.sure("personName").filter(|name| name.group.is_none());
            paper.sure("lastName").chain(paper.sure("accountHolder")).chain(titled).flat_map(|name| words(&name.value))
        })
        .chain(
            comparison
                .entries
                .iter()
                .filter(|entry| entry.is("lastName") || entry.is("personName"))
                .flat_map(|entry| words(&fold(&entry.value))),
        )
        .collect();
    let addresses: Vec<Address<'_>> = papers
        .iter()
        .filter(|paper| !is_of_another(paper) && !matches!(paper.kind.as_str(), "COMPANY_REGISTRATION"))
        .filter_map(|paper| of_paper(paper, &people, comparison.today))
        .collect();
    let mut doubts = Vec::new();
    let mut compared = false;
    for (at, one) in addresses.iter().enumerate() {
        for other in &addresses[at + 1..] {
            compared = true;
            if agree(one, other) {
                continue;
            }
            let is_card = one.paper.is_card() || other.paper.is_card();
            let apart = one.day.zip(other.day).map(|(one, other)| (one.day_number() - other.day_number()).abs());
            let recognised = one.paper.is_recognised() || other.paper.is_recognised();
            let is_bill = |address: &Address<'_>| address.paper.kind == "PROOF_OF_ADDRESS";
            let is_current = |address: &Address<'_>| {
                address.paper.is_payslip()
                    || address.paper.is_statement()
                    || matches!(address.paper.kind.as_str(), "TAX_NOTICE" | "INSURANCE_CERTIFICATE")
            };
            let is_same_time = apart.is_some_and(|days| days <= SAME_TIME);
            let is_strong = !is_card
                && !recognised
                && is_same_time
                && (is_bill(one) && is_current(other) || is_bill(other) && is_current(one));
            let text = format!("The address on {} differs from that on {}.", other.paper.name(), one.paper.name());
            doubts.push((if is_strong { 33 } else { 8 }, other.paper.item, text));
        }
    }
    if let Some((paper, text)) = not_entered(comparison, &mut compared) {
        doubts.push((40, paper, text));
    }
    if compared {
        comparison.compared("addresses");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "OTHER_ADDRESS", text);
    }
}

/// A bill of the person, if the entered address is on no paper of the case at all: people who moved have a bill of the
/// new home.
fn not_entered(comparison: &Comparison, compared: &mut bool) -> Option<(u64, String)> {
    let papers = &comparison.papers;
    let bill = papers.iter().find(|paper| {
        paper.kind == "PROOF_OF_ADDRESS"
            && !is_of_another(paper)
            && !paper.is_recognised()
            && paper.sure("postCode").next().is_some()
    })?;
    let entry = |code: &str| comparison.entries.iter().find(|entry| entry.is(code));
    let entry = entry("postCode").or_else(|| entry("address"))?;
    *compared = true;
    let value = fold(&entry.value);
    let own: Vec<&str> = value.split(' ').filter(|word| word.len() > 2 || entry.is("postCode")).collect();
    let is_on = |paper: &Paper| {
        let count = own.iter().filter(|word| is_among(word, &paper.words, paper.is_recognised())).count();
        let joined = own.concat();
        count * 2 > own.len() && (!entry.is("postCode") || count == own.len()) || paper.words.contains(&joined)
    };
    if own.is_empty() || papers.iter().any(is_on) {
        return None;
    }
    Some((bill.item, format!("The address on {} differs from {}.", bill.name(), entry.name)))
}

/// The address of the person: on a card, or under the person's name.
fn of_paper<'p>(paper: &'p Paper, people: &[String], today: Date) -> Option<Address<'p>> {
    // How many words of the name above the address are the person's.
    let own = |group: Option<u32>| {
        let name = paper.all("personName").find(|name| name.group == group && group.is_some());
        let own = name.map(|name| words(&name.value)).unwrap_or_default();
        own.iter().filter(|word| people.contains(word)).count()
    };
    let codes = paper.sure("postCode").filter(|code| paper.is_card() || own(code.group) > 0);
    let post_code = codes.max_by_key(|code| own(code.group))?;
    let street = paper.all("address").find(|street| street.group == post_code.group);
    let street = street.map(|street| significant(&street.value)).unwrap_or_default();
    Some(Address { paper, post_code: post_code.value.clone(), street, day: paper.day_of(today) })
}

/// The words of a street that are not its kind.
fn significant(street: &str) -> Vec<String> {
    const KINDS: [&str; 22] = [
        "rue",
        "avenue",
        "av",
        "boulevard",
        "bd",
        "place",
        "chemin",
        "impasse",
        "allee",
        "route",
        "quai",
        "cours",
        "square",
        "street",
        "road",
        "lane",
        "close",
        "way",
        "bis",
        "ter",
        "des",
        "les",
    ];
    street.split(' ').filter(|word| word.len() > 2 && !KINDS.contains(word)).map(str::to_owned).collect()
}

/// Whether two papers have the same post code or the same street: one has that of the other anywhere.
fn agree(one: &Address<'_>, other: &Address<'_>) -> bool {
    let has = |paper: &Paper, address: &Address<'_>| {
        let code: Vec<&str> = address.post_code.split(' ').collect();
        let has_code = code.iter().all(|part| paper.words.contains(*part));
        let has_street = !address.street.is_empty()
            && address.street.iter().all(|word| is_among(word, &paper.words, paper.is_recognised()));
        has_code
            && (address.street.is_empty()
                || address.street.iter().any(|word| is_among(word, &paper.words, paper.is_recognised())))
            || has_street
    };
    has(one.paper, other) || has(other.paper, one)
}
