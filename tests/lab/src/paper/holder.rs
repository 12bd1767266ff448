//! The people and firms of the papers: all invented, with correct check digits in their numbers.

use jiff::civil::{Date, date};

use super::form::Language;
use crate::random::Random;

/// The day on which the lab's papers are read. Papers are issued before it and expire after it.
pub(crate) const TODAY: Date = date(2026, 11, 2);

const LAST_NAMES: [&str; 24] = [
    "Martinel",
    "Okonjowa",
    "Lindqvarn",
    "Ferrandis",
    "Baranek",
    "Tolvaer",
    "Delacourt",
    "Ashworthy",
    "Béranger",
    "Penhallow",
    "Quesnoy",
    "Vasseurin",
    "Hollister",
    "d'Aubrac",
    "Lefort-Mayne",
    "O'Dallan",
    "Nguyenne",
    "Castelmoro",
    "Rousselin",
    "Whitcombe",
    "Gauthrin",
    "Szabolcs",
    "El Marwani",
    "Thibaudet",
];
const FIRST_NAMES: [&str; 20] = [
    "Camille",
    "Noor",
    "Alix",
    "Joana",
    "Sacha",
    "Maren",
    "Élodie",
    "Jean-Marc",
    "Inès",
    "Oliver",
    "Beatrice",
    "Théo",
    "Hannah",
    "Yanis",
    "Margaux",
    "Callum",
    "Zoé",
    "François",
    "Imogen",
    "Rafael",
];
const FRENCH_TOWNS: [(&str, &str); 8] = [
    ("99310", "Port-Aubry"),
    ("99120", "Valmerle"),
    ("99470", "Saint-Orval"),
    ("98250", "Montferrin"),
    ("97830", "La Roche-Béal"),
    ("96140", "Vieux-Lavoir"),
    ("99004", "Carsonne"),
    ("98760", "Bellefontaine-sur-Orle"),
];
const ENGLISH_TOWNS: [(&str, &str); 8] = [
    ("ZX4 7QP", "Port Selwyn"),
    ("QX12 9RT", "Marlowe Bay"),
    ("ZQ1 2BB", "Harrowfield"),
    ("XQ8 3LN", "Great Tolling"),
    ("ZX21 6HD", "Wickering"),
    ("QZ5 0AE", "Aldermoor"),
    ("XZ3 4YW", "Stonebeck"),
    ("QX9 1JS", "Kelhaven"),
];
const FRENCH_STREETS: [&str; 8] = [
    "rue des Tanneurs",
    "quai du Levant",
    "allée des Aulnes",
    "rue de la Citerne",
    "avenue du Général-Morin",
    "impasse du Vieux Four",
    "boulevard Carnavel",
    "chemin des Prés",
];
const ENGLISH_STREETS: [&str; 8] = [
    "Tanner Street",
    "Quayside Road",
    "Alder Lane",
    "Cistern Close",
    "Morin Avenue",
    "Old Bakehouse Yard",
    "Carnaval Terrace",
    "Meadow Way",
];

/// The person to whom a paper belongs.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    pub(crate) last_name: String,
    pub(crate) first_name: String,
    pub(crate) woman: bool,
    pub(crate) birth_date: Date,
    pub(crate) birth_place: String,
    pub(crate) street: String,
    pub(crate) post_code: String,
    pub(crate) city: String,
    /// Nine capital letters and digits.
    pub(crate) document_number: String,
    pub(crate) issued: Date,
    pub(crate) expires: Date,
}

impl Holder {
    pub(crate) fn invented(language: Language, random: &mut Random) -> Self {
        let (post_code, city) = random.pick(language.say(&FRENCH_TOWNS, &ENGLISH_TOWNS));
        let (_, birth_place) = random.pick(language.say(&FRENCH_TOWNS, &ENGLISH_TOWNS));
        let street = random.pick(language.say(&FRENCH_STREETS, &ENGLISH_STREETS));
        let comma = language.say(if random.whole(0, 1) == 0 { "," } else { "" }, "");
        let issued = day(random, 2017, 2025);
        let years: i16 = if random.whole(0, 2) == 0 { 15 } else { 10 };
        Self {
            last_name: random.pick(&LAST_NAMES).into(),
            first_name: random.pick(&FIRST_NAMES).into(),
            woman: random.whole(0, 1) == 0,
            birth_date: day(random, 1952, 2002),
            birth_place: birth_place.into(),
            street: format!("{}{comma} {street}", random.whole(1, 148)),
            post_code: post_code.into(),
            city: city.into(),
            document_number: document_number(random),
            issued,
            expires: date(issued.year() + years, issued.month(), issued.day()),
        }
    }

    pub(crate) fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
    }

    /// Post code and town in the order of the language.
    pub(crate) fn town(&self, language: Language) -> String {
        language.say(format!("{} {}", self.post_code, self.city), format!("{} {}", self.city, self.post_code))
    }
}

/// Letters and digits as in real documents, without O and I.
fn document_number(random: &mut Random) -> String {
    let letters: Vec<char> = "ABCDEFGHJKLMNPRSTUVWXYZ".chars().collect();
    let letter = |random: &mut Random| random.pick(&letters);
    if random.whole(0, 1) == 0 {
        format!("{}{}{:07}", letter(random), letter(random), random.whole(0, 9_999_999))
    } else {
        format!("{:02}{}{}{:05}", random.whole(10, 24), letter(random), letter(random), random.whole(0, 99_999))
    }
}

/// A day of the years from `first` to `last`.
pub(crate) fn day(random: &mut Random, first: u64, last: u64) -> Date {
    let part = |value: u64| i8::try_from(value).unwrap_or(1);
    let year = i16::try_from(random.whole(first, last)).unwrap_or(2000);
    date(year, part(random.whole(1, 12)), part(random.whole(1, 28)))
}

/// A random number of days before today.
pub(crate) fn days_ago(random: &mut Random, least: u64, most: u64) -> Date {
    later(TODAY, -i64::try_from(random.whole(least, most)).unwrap_or(30))
}

/// The date `days` days after `date`.
pub(crate) fn later(date: Date, days: i64) -> Date {
    date.checked_add(jiff::Span::new().days(days)).unwrap_or(date)
}

/// A firm or an office.
#[derive(Clone, Debug)]
pub(crate) struct Firm {
    pub(crate) name: String,
    pub(crate) street: String,
    pub(crate) town: String,
    pub(crate) telephone: String,
    /// Nine digits with a Luhn check digit, as a SIREN has; eight without, as Companies House assigns them.
    pub(crate) registration: String,
}

impl Firm {
    /// A firm with one of these names.
    pub(crate) fn invented(names: &[&str], language: Language, random: &mut Random) -> Self {
        let place = Holder::invented(language, random);
        let telephone = language.say(
            format!("0{} 99 00 {:02} {:02}", random.whole(1, 5), random.whole(0, 99), random.whole(0, 99)),
            format!("0{} {:04} {:04}", random.whole(20, 29), random.whole(0, 9999), random.whole(0, 9999)),
        );
        let registration = language.say(siren(random), format!("{:08}", random.whole(900_000, 15_999_999)));
        let town = place.town(language);
        Self { name: random.pick(names).into(), street: place.street, town, telephone, registration }
    }
}

/// Nine digits with a correct check digit (ISO/IEC 7812-1, annex B), grouped by three.
fn siren(random: &mut Random) -> String {
    let digits: Vec<u64> = (0..8).map(|_| random.whole(1, 9)).collect();
    let doubled = |(index, digit): (usize, &u64)| {
        let value = if index % 2 == 1 { digit * 2 } else { *digit };
        value / 10 + value % 10
    };
    let sum: u64 = digits.iter().enumerate().map(doubled).sum();
    let all: String = digits.iter().chain([&((10 - sum % 10) % 10)]).map(u64::to_string).collect();
    format!("{} {} {}", &all[0..3], &all[3..6], &all[6..9])
}

/// A bank account with correct check digits (ISO 13616), in groups of four.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) iban: String,
    pub(crate) bic: String,
    pub(crate) bank: &'static str,
}

impl Account {
    pub(crate) fn invented(language: Language, random: &mut Random) -> Self {
        let banks = language.say(
            [("Banque du Levant", "BLEVFRPP"), ("Crédit Orlois", "CORLFR2A"), ("Caisse de Valmerle", "CVMEFRPPXXX")],
            [
                ("Harrow & Tolling Bank", "HTBKGB2L"),
                ("Selwyn Mutual", "SELWGB21"),
                ("Kelhaven Bank plc", "KELHGB2LXXX"),
            ],
        );
        let (bank, bic) = random.pick(&banks);
        let body = match language {
            Language::French => french_account(random),
            Language::English => {
                format!("{}{:06}{:08}", &bic[..4], random.whole(0, 999_999), random.whole(0, 99_999_999))
            }
        };
        Self { iban: iban(language.say("FR", "GB"), &body), bic: bic.into(), bank }
    }

    /// The account's number without the country, in pieces.
    pub(crate) fn national(&self) -> String {
        self.iban.chars().filter(|letter| *letter != ' ').skip(4).collect()
    }
}

/// Bank, branch, account and key: `89 b + 15 g + 3 a + key` is a multiple of 97.
fn french_account(random: &mut Random) -> String {
    let (bank, branch, account) =
        (random.whole(10_000, 29_999), random.whole(1, 99_999), random.whole(1, 99_999_999_999));
    let key = 97 - (89 * bank + 15 * branch + 3 * account) % 97;
    format!("{bank:05}{branch:05}{account:011}{key:02}")
}

fn iban(country: &str, body: &str) -> String {
    let check = 98 - remainder(&format!("{body}{country}00"));
    let all: Vec<char> = format!("{country}{check:02}{body}").chars().collect();
    all.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// Modulo 97 of the digits, letters being 10 to 35.
fn remainder(text: &str) -> u32 {
    text.chars().filter_map(|letter| letter.to_digit(36)).fold(0, |rest, value| {
        let shift = if value > 9 { 100 } else { 10 };
        (rest * shift + value) % 97
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_of_ibans_are_correct() {
        // The example of ISO 13616's registry.
        assert_eq!(iban("GB", "WEST12345698765432"), "GB82 WEST 1234 5698 7654 32");
        assert_eq!(iban("FR", "20041010050500013M02606"), "FR14 2004 1010 0505 0001 3M02 606");
    }

    #[test]
    fn a_siren_passes_luhn() {
        let digits: Vec<u32> =
            siren(&mut Random::new(3, "siren")).chars().filter_map(|digit| digit.to_digit(10)).collect();
        let sum: u32 = digits
            .iter()
            .rev()
            .enumerate()
            .map(|(index, digit)| {
                let value = if index % 2 == 1 { digit * 2 } else { *digit };
                value / 10 + value % 10
            })
            .sum();
        assert_eq!(sum % 10, 0);
    }
}
