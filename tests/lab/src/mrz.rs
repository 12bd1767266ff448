//! The machine-readable zone of an identity card: three lines of thirty characters (ICAO Doc 9303-5, size TD1).

use jiff::civil::Date;

use crate::person::Person;

/// ICAO's code for Utopia, which Doc 9303 reserves for specimens.
const UTOPIA: &str = "UTO";

/// The zone for a card of `person` that expires on `expiry`, with correct check digits.
pub(crate) fn machine_readable_zone(person: &Person, expiry: Date) -> [String; 3] {
    let number = padded(&person.document_number, 9);
    let upper = format!("I<{UTOPIA}{number}{}{}", check_digit(&number), "<".repeat(15));
    let birth = short_date(person.birth_date);
    let expires = short_date(expiry);
    let middle = format!("{birth}{}<{expires}{}{UTOPIA}{}", check_digit(&birth), check_digit(&expires), "<".repeat(11));
    let composite = [&upper[5..30], &middle[0..7], &middle[8..15], &middle[18..29]].concat();
    let names = format!("{}<<{}", person.last_name, person.first_name);
    [upper, format!("{middle}{}", check_digit(&composite)), padded(&names, 30)]
}

fn short_date(date: Date) -> String {
    date.strftime("%y%m%d").to_string()
}

/// Capital letters, digits and fillers only, cut or filled to `length`.
pub(crate) fn padded(text: &str, length: usize) -> String {
    let allowed = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '<' };
    text.chars().map(allowed).chain(std::iter::repeat('<')).take(length).collect()
}

/// Doc 9303-3, 4.9: the weighted sum (7, 3, 1) of the characters' values, modulo 10.
pub(crate) fn check_digit(text: &str) -> u32 {
    let value = |letter: char| letter.to_digit(36).unwrap_or(0);
    text.chars().zip([7, 3, 1].into_iter().cycle()).map(|(letter, weight)| value(letter) * weight).sum::<u32>() % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_match_icaos_own_specimen() {
        // Doc 9303-5, appendix B, without the optional data and with an unspecified sex.
        assert_eq!(check_digit("D23145890"), 7);
        assert_eq!(check_digit("740812"), 2);
        assert_eq!(check_digit("120415"), 9);
        assert_eq!(check_digit("D231458907<<<<<<<<<<<<<<<74081221204159<<<<<<<<<<<"), 6);
    }

    #[test]
    fn every_line_has_thirty_characters_for_any_name() {
        let mut person = Person::invented(1);
        person.last_name = "d'Aubigné-Cholmondeley-Featherstonehaugh".into();
        for line in machine_readable_zone(&person, jiff::civil::date(2033, 5, 1)) {
            assert_eq!(line.len(), 30, "{line}");
            assert!(
                line.bytes().all(|byte| byte == b'<' || byte.is_ascii_uppercase() || byte.is_ascii_digit()),
                "{line}"
            );
        }
    }
}
