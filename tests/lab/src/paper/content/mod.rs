//! The content of each type of paper, in French and English. Wordings are those of real papers of the type; names,
//! numbers and amounts are invented.

mod bills;
mod cards;
mod certificates;
mod money;
mod other;

use super::{
    form::{Form, Language, Notation},
    holder::{Holder, days_ago},
};
use crate::random::Random;

/// The types of decisions 13, in their order.
pub const TYPES: [&str; 13] = [
    "IDENTITY_CARD",
    "PASSPORT",
    "RESIDENCE_PERMIT",
    "DRIVING_LICENCE",
    "VEHICLE_REGISTRATION",
    "BANK_DETAILS",
    "PAYSLIP",
    "TAX_NOTICE",
    "INVOICE",
    "PROOF_OF_ADDRESS",
    "COMPANY_REGISTRATION",
    "INSURANCE_CERTIFICATE",
    "OTHER",
];

/// The context of a paper's content.
pub(super) struct Writer<'r> {
    pub(super) language: Language,
    pub(super) notation: Notation,
    pub(super) holder: Holder,
    pub(super) random: &'r mut Random,
    /// Judging papers also use the last wording of each list, which no tuning paper has.
    pub(super) judging: bool,
}

impl Writer<'_> {
    /// A random wording.
    pub(super) fn wording(&mut self, french: &[&'static str], english: &[&'static str]) -> &'static str {
        let all = self.language.say(french, english);
        let some = if self.judging || all.len() < 3 { all } else { &all[..all.len() - 1] };
        self.random.pick(some)
    }

    pub(super) fn date(&self, date: jiff::civil::Date) -> String {
        self.notation.date(date)
    }

    /// The text of a random day before today.
    pub(super) fn past(&mut self, least: u64, most: u64) -> String {
        let date = days_ago(self.random, least, most);
        self.date(date)
    }

    pub(super) fn amount(&self, cents: i64) -> String {
        self.notation.amount(cents)
    }

    pub(super) fn cents(&mut self, low: u64, high: u64) -> i64 {
        i64::try_from(self.random.whole(low, high)).unwrap_or(0)
    }

    pub(super) fn is_french(&self) -> bool {
        self.language == Language::French
    }
}

/// A paper of one of [`TYPES`].
pub(super) fn form(kind: &str, writer: &mut Writer<'_>) -> Form {
    match kind {
        "IDENTITY_CARD" => cards::identity_card(writer),
        "PASSPORT" => cards::passport(writer),
        "RESIDENCE_PERMIT" => cards::residence_permit(writer),
        "DRIVING_LICENCE" => cards::driving_licence(writer),
        "VEHICLE_REGISTRATION" => certificates::vehicle_registration(writer),
        "BANK_DETAILS" => money::bank_details(writer),
        "PAYSLIP" => money::payslip(writer),
        "TAX_NOTICE" => money::tax_notice(writer),
        "INVOICE" => bills::invoice(writer),
        "PROOF_OF_ADDRESS" => bills::proof_of_address(writer),
        "COMPANY_REGISTRATION" => certificates::company_registration(writer),
        "INSURANCE_CERTIFICATE" => certificates::insurance_certificate(writer),
        _ => other::other(writer),
    }
}
