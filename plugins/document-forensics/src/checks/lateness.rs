//! Papers that were made days after everything that they say. An issuer's program makes a paper on its day; a forger makes
//! it again later, in a word processor or from a page in a browser. People print pages again too, so this only adds to
//! other evidence.

use sealwright_plugin_sdk::{
    facts::{Property, PropertySource},
    findings::found,
    reading::{Date, find_dates},
};

use crate::{
    report::{Sign, sign},
    subject::Subject,
};

/// Letters take a few days; who needs a copy of an old paper gets one.
const DAYS: std::ops::RangeInclusive<i64> = 7..=400;
/// Papers that are dated and have no date of a holder that is later than their own.
const DATED: [&str; 7] = [
    "BANK_DETAILS",
    "COMPANY_REGISTRATION",
    "INSURANCE_CERTIFICATE",
    "INVOICE",
    "PAYSLIP",
    "PROOF_OF_ADDRESS",
    "TAX_NOTICE",
];
const WORD_PROCESSORS: [&str; 7] =
    ["libreoffice", "openoffice", "microsoft® word", "microsoft word", "google docs", "wps writer", "softmaker"];
const BROWSERS: [&str; 5] = ["skia/pdf", "mozilla/5.0", "headlesschrome", "firefox", "wkhtmltopdf"];

pub(crate) fn late(subject: &Subject<'_>, properties: &[Property]) -> Option<Sign> {
    if subject.recognised || !DATED.contains(&subject.document_type) {
        return None;
    }
    let info = |names: &[&str]| -> Vec<&Property> {
        let is_one = |property: &&Property| {
            property.source == PropertySource::PdfInfo && names.contains(&property.name.as_str())
        };
        properties.iter().filter(is_one).collect()
    };
    let made = Date::of_moment(info(&["CreationDate"]).last()?.time?);
    let programs: Vec<String> =
        info(&["Creator", "Producer"]).iter().map(|program| program.value.to_lowercase()).collect();
    let is_by = |names: &[&str]| programs.iter().any(|program| names.iter().any(|name| program.contains(name)));
    let decibans = match () {
        () if is_by(&WORD_PROCESSORS) => 8.5,
        () if is_by(&BROWSERS) => 6.5,
        () => return None,
    };
    // The end of a contract is in the future.
    let is_past = |date: &Date| date.day_number() <= made.day_number() + 2;
    let dates = subject.cells.iter().flat_map(|cell| find_dates(&cell.text)).map(|(date, _)| date);
    let last = dates.filter(is_past).max()?;
    let text = "The file was made by a word processor or browser, days after the last date on the paper.";
    DAYS.contains(&(made.day_number() - last.day_number())).then(|| sign(decibans, found("MADE_LATE", text)))
}
