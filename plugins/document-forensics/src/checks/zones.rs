//! Machine-readable zones: a forger who types one by hand does not compute its check digits, and one who changes a card
//! changes the printed text and forgets the zone.

use sealwright_plugin_sdk::{
    findings::{Finding, Place, found},
    reading::{Zone, find_dates, find_zones},
};

use crate::{Subject, report::Report};

const CODE: &str = "ZONE_CHECK_DIGIT";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let zones = zones(subject);
    if zones.is_empty() {
        return Report::not_applicable(CODE, "The document has no machine-readable zone, or none that could be read.");
    }
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    for (zone, place, confidence) in &zones {
        let wrong: Vec<&str> = zone.checks.iter().filter(|(_, right)| !right).map(|(what, _)| *what).collect();
        if !wrong.is_empty() {
            let text = format!("In the machine-readable zone the check digit is wrong for: {}.", wrong.join(", "));
            // One misread letter breaks two check digits; more mean a bad picture rather than a bad card. A changed
            // field also breaks its own digit: if only the last one is wrong, a letter was misread elsewhere.
            let evaluation = match (subject.recognised, *confidence) {
                (false, _) => 0,
                (true, _) if wrong == ["whole zone"] => 70,
                (true, 80..) if wrong.len() <= 2 => 30,
                (true, _) if wrong.len() <= 2 => 45,
                (true, _) => 70,
            };
            signs.push((evaluation, found(CODE, text).at(place.page, place.area)));
        } else if let Some(finding) = contradiction(subject, zone) {
            signs.push((if subject.recognised { 45 } else { 15 }, finding.at(place.page, place.area)));
        }
    }
    Report::of(signs, CODE, "All check digits of the machine-readable zone are right.")
}

/// A zone with correct digits whose dates are not printed, although other dates are.
fn contradiction(subject: &Subject<'_>, zone: &Zone) -> Option<Finding> {
    let printed: Vec<_> = subject
        .cells
        .iter()
        .filter(|cell| !cell.text.contains('<'))
        .flat_map(|cell| find_dates(&cell.text).into_iter().map(|(date, _)| date))
        .collect();
    let missing = |date: Option<_>| date.is_some_and(|date| !printed.contains(&date));
    // The back of a card may show one of the two; if nothing matches, it is another card.
    let contradicts = printed.len() >= 2 && (missing(zone.birth_date(subject.today)) || missing(zone.expiry_date()));
    contradicts
        .then(|| found("ZONE_CONTRADICTS", "A date of the machine-readable zone is not the one that is printed."))
}

fn zones(subject: &Subject<'_>) -> Vec<(Zone, Place, u8)> {
    let codes = subject.document.machine_codes();
    let mut zones: Vec<(Zone, Place, u8)> = codes
        .iter()
        .filter(|code| code.kind == "mrz")
        .flat_map(|code| find_zones(&code.text).into_iter().map(|zone| (zone, code.place, code.confidence)))
        .collect();
    if zones.is_empty() {
        for page in subject.document.page_numbers() {
            let confidence = subject
                .cells
                .iter()
                .filter(|cell| cell.page == page && cell.text.contains("<<"))
                .map(|cell| cell.confidence)
                .min();
            let place = Place { page, area: None };
            zones.extend(
                find_zones(&subject.document.text(page))
                    .into_iter()
                    .map(|zone| (zone, place, confidence.unwrap_or(100))),
            );
        }
    }
    zones
}
