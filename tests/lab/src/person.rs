//! Invented people, and their data on papers.

use jiff::civil::Date;

use crate::random::Random;

/// An invented person. Change a field to make a document contradict the entered data.
#[derive(Clone, Debug)]
pub struct Person {
    pub last_name: String,
    pub first_name: String,
    pub birth_date: Date,
    pub address: String,
    pub post_code: String,
    pub city: String,
    /// Nine capital letters and digits.
    pub document_number: String,
}

impl Person {
    /// The person of a seed, who lives in the house that the seed's photograph shows.
    pub fn invented(seed: u64) -> Self {
        let mut random = Random::new(seed, "person");
        let last_name = random.pick(&["Martinel", "Okonjowa", "Lindqvarn", "Ferrandis", "Baranek", "Tolvaer"]);
        let first_name = random.pick(&["Camille", "Noor", "Alix", "Joana", "Sacha", "Maren"]);
        let (city, post_code) =
            random.pick(&[("Port-Aubry", "99310"), ("Valmerle", "99120"), ("Saint-Orval", "99470")]);
        let street = random.pick(&["rue des Tanneurs", "quai du Levant", "allée des Aulnes", "rue de la Citerne"]);
        let letters = ["B", "C", "D", "F", "G", "H", "J", "K", "L", "M"];
        let document_number =
            format!("{}{}{:07}", random.pick(&letters), random.pick(&letters), random.whole(0, 9_999_999));
        let years = i16::try_from(random.whole(1961, 2003)).unwrap_or(1980);
        let months = i8::try_from(random.whole(1, 12)).unwrap_or(1);
        let days = i8::try_from(random.whole(1, 28)).unwrap_or(1);
        Self {
            last_name: last_name.into(),
            first_name: first_name.into(),
            birth_date: jiff::civil::date(years, months, days),
            address: format!("{} {street}", house_number(seed)),
            post_code: post_code.into(),
            city: city.into(),
            document_number,
        }
    }
}

/// The number of a seed's house: on the plate next to its door, and in the address of its resident.
pub(crate) fn house_number(seed: u64) -> u64 {
    Random::new(seed, "house number").whole(11, 98)
}
