//! The facts of a package, invented at random, and the papers that state them.

use jiff::civil::{Date, date};

use crate::{
    paper::{
        form::{Form, Language},
        holder::{Account, Firm, Holder, day},
    },
    random::Random,
};

/// The year of the payslips.
pub(super) const YEAR: i16 = 2026;

/// The facts that the papers of a package state.
pub(super) struct Facts {
    pub(super) holder: Holder,
    /// Another name under which papers may be issued.
    pub(super) alias: String,
    pub(super) employer: Firm,
    pub(super) employer_founded: Date,
    pub(super) account: Account,
    /// Index 0 is January of the year of the payslips.
    pub(super) months: Vec<Pay>,
    pub(super) loss: Date,
}

/// What was paid in a month, in hundredths.
#[derive(Clone, Copy)]
pub(super) struct Pay {
    pub(super) month: i8,
    pub(super) gross: i64,
    pub(super) taxable: i64,
    pub(super) net: i64,
    pub(super) gross_of_year: i64,
    pub(super) taxable_of_year: i64,
}

/// The facts as one paper states them; a story changes the copies of single papers.
pub(super) struct Draft {
    pub(super) kind: &'static str,
    /// The name of the file.
    pub(super) name: &'static str,
    pub(super) form: Form,
}

impl Facts {
    pub(super) fn invented(language: Language, random: &mut Random) -> Self {
        let mut holder = Holder::invented(language, random);
        holder.issued = day(random, 2019, 2025);
        holder.expires = date(holder.issued.year() + 10, holder.issued.month(), holder.issued.day());
        let names = language.say(
            ["Menuiserie Corvin SARL", "Transports Valmerle SAS", "Clinique des Aulnes", "Boulangerie Lestang SARL"],
            ["Corvin Joinery Ltd", "Selwyn Haulage Ltd", "Alder Clinic Ltd", "Lestang Bakery Ltd"],
        );
        let first = i8::try_from(random.whole(5, 7)).unwrap_or(6);
        let gross = i64::try_from(random.whole(165_000, 420_000)).unwrap_or(200_000);
        let mut months = Vec::new();
        let (mut gross_of_year, mut taxable_of_year) = (0, 0);
        for month in 1..=first + 2 {
            let extra = i64::try_from(random.whole(0, 9)).unwrap_or(0) * 1_350;
            let gross = gross + extra;
            let taxable = gross * 81 / 100;
            gross_of_year += gross;
            taxable_of_year += taxable;
            if month >= first {
                months.push(Pay {
                    month,
                    gross,
                    taxable,
                    net: gross * 77 / 100 - 1_234,
                    gross_of_year,
                    taxable_of_year,
                });
            }
        }
        Self {
            holder,
            alias: random.pick(&["Delmarche", "Rochefontaine", "Kestrelby", "Ombredane"]).to_owned(),
            employer: Firm::invented(&names, language, random),
            employer_founded: day(random, 2004, 2019),
            account: Account::invented(language, random),
            months,
            loss: date(YEAR, 9, 12),
        }
    }
}
