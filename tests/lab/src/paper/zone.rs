//! Machine-readable zones of cards, permits and passports (ICAO Doc 9303, parts 4 and 5).

use jiff::civil::Date;

use super::holder::Holder;
use crate::mrz::{check_digit, padded};

/// ICAO's code for Utopia, which Doc 9303 reserves for specimens.
const STATE: &str = "UTO";

/// Three lines of thirty characters; `kind` is the first two characters, such as `I<`.
pub(crate) fn card(kind: &str, holder: &Holder) -> Vec<String> {
    let number = padded(&holder.document_number, 9);
    let upper = format!("{kind}{STATE}{number}{}{}", check_digit(&number), "<".repeat(15));
    let (birth, expiry) = (short(holder.birth_date), short(holder.expires));
    let middle = format!(
        "{birth}{}{}{expiry}{}{STATE}{}",
        check_digit(&birth),
        sex(holder),
        check_digit(&expiry),
        "<".repeat(11)
    );
    let composite = [&upper[5..30], &middle[0..7], &middle[8..15], &middle[18..29]].concat();
    vec![upper, format!("{middle}{}", check_digit(&composite)), padded(&names(holder), 30)]
}

/// Two lines of forty-four characters.
pub(crate) fn passport(holder: &Holder) -> Vec<String> {
    let number = padded(&holder.document_number, 9);
    let (birth, expiry) = (short(holder.birth_date), short(holder.expires));
    let personal = "<".repeat(14);
    let lower = format!(
        "{number}{}{STATE}{birth}{}{}{expiry}{}{personal}0",
        check_digit(&number),
        check_digit(&birth),
        sex(holder),
        check_digit(&expiry)
    );
    let composite = [&lower[0..10], &lower[13..20], &lower[21..43]].concat();
    vec![padded(&format!("P<{STATE}{}", names(holder)), 44), format!("{lower}{}", check_digit(&composite))]
}

fn names(holder: &Holder) -> String {
    format!("{}<<{}", plain(&holder.last_name), plain(&holder.first_name))
}

/// Without accents and apostrophes, as Doc 9303-3, section 6, transliterates them.
fn plain(name: &str) -> String {
    name.chars()
        .filter_map(|letter| match letter {
            '\'' => None,
            'é' | 'è' | 'ê' | 'É' => Some('E'),
            'ç' => Some('C'),
            'ï' | 'î' => Some('I'),
            letter => Some(letter),
        })
        .collect()
}

fn sex(holder: &Holder) -> char {
    if holder.woman { 'F' } else { 'M' }
}

fn short(date: Date) -> String {
    date.strftime("%y%m%d").to_string()
}
