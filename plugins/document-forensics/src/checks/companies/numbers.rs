//! Which labels announce which number, and how a number is taken from a text.

use sealwright_plugin_sdk::reading::Identifier;

/// A kind of number and how papers announce it.
pub(super) struct Kind {
    pub(super) identifier: Identifier,
    /// For people.
    pub(super) name: &'static str,
    /// Of the finding.
    pub(super) code: &'static str,
    /// Folded.
    pub(super) labels: &'static [&'static str],
    /// What a number starts with; empty if it has only digits or letters of its own.
    prefix: &'static str,
    /// Characters after the prefix, and whether letters are among them.
    lengths: &'static [usize],
    has_letters: bool,
    /// What wrong check digits are worth.
    pub(super) decibans: f64,
}

const COMPANY: &str = "COMPANY_NUMBER";
const VAT: &str = "VAT_NUMBER";
const PERSON: &str = "PERSON_NUMBER";

#[rustfmt::skip]
pub(super) static KINDS: [Kind; 14] = [
    Kind { identifier: Identifier::Siren, name: "SIREN", code: COMPANY, labels: &["siren", "rcs", "r c s", "registre du commerce et des societes"], prefix: "", lengths: &[9], has_letters: false, decibans: 20.0 },
    Kind { identifier: Identifier::Siret, name: "SIRET", code: COMPANY, labels: &["siret"], prefix: "", lengths: &[14], has_letters: false, decibans: 20.0 },
    Kind { identifier: Identifier::FrenchVat, name: "French VAT number", code: VAT, labels: &["tva", "vat", "intracommunautaire", "intracom"], prefix: "FR", lengths: &[11], has_letters: true, decibans: 16.0 },
    Kind { identifier: Identifier::FrenchSocialSecurity, name: "French social security number", code: PERSON, labels: &["securite sociale", "secu", "nir", "n ss", "no ss", "immatriculation ss"], prefix: "", lengths: &[15], has_letters: true, decibans: 16.0 },
    Kind { identifier: Identifier::BritishVat, name: "British VAT number", code: VAT, labels: &["vat"], prefix: "GB", lengths: &[9, 12], has_letters: false, decibans: 16.0 },
    Kind { identifier: Identifier::BelgianEnterprise, name: "Belgian enterprise number", code: VAT, labels: &["tva", "btw", "vat", "bce", "kbo", "entreprise", "ondernemingsnummer"], prefix: "BE", lengths: &[10], has_letters: false, decibans: 16.0 },
    Kind { identifier: Identifier::SwissEnterprise, name: "Swiss enterprise number", code: VAT, labels: &["tva", "mwst", "iva", "vat", "ide", "uid", "che"], prefix: "CHE", lengths: &[9], has_letters: false, decibans: 16.0 },
    Kind { identifier: Identifier::IrishVat, name: "Irish VAT number", code: VAT, labels: &["vat"], prefix: "IE", lengths: &[8, 9], has_letters: true, decibans: 16.0 },
    Kind { identifier: Identifier::GermanVat, name: "German VAT number", code: VAT, labels: &["ust", "ustid", "ust idnr", "umsatzsteuer", "vat", "tva"], prefix: "DE", lengths: &[9], has_letters: false, decibans: 16.0 },
    Kind { identifier: Identifier::GermanTax, name: "German tax number of a person", code: PERSON, labels: &["steuer id", "steueridentifikationsnummer", "steuer identifikationsnummer", "identifikationsnummer"], prefix: "", lengths: &[11], has_letters: false, decibans: 16.0 },
    Kind { identifier: Identifier::SpanishTax, name: "Spanish tax number", code: VAT, labels: &["cif", "nif"], prefix: "ES", lengths: &[9], has_letters: true, decibans: 14.0 },
    Kind { identifier: Identifier::ItalianVat, name: "Italian VAT number", code: VAT, labels: &["partita iva", "p iva", "piva"], prefix: "", lengths: &[11], has_letters: false, decibans: 16.0 },
    Kind { identifier: Identifier::DutchVat, name: "Dutch VAT number", code: VAT, labels: &["btw", "vat"], prefix: "NL", lengths: &[12], has_letters: true, decibans: 16.0 },
    Kind { identifier: Identifier::PortugueseTax, name: "Portuguese tax number", code: VAT, labels: &["contribuinte", "nipc"], prefix: "", lengths: &[9], has_letters: false, decibans: 14.0 },
];

/// The numbers of a kind in a text: whole words, with single separators between their groups. A number is returned
/// with its prefix, in capitals.
pub(super) fn taken(text: &str, kind: &Kind) -> Vec<String> {
    let text = text.to_uppercase();
    let mut numbers = Vec::new();
    let mut from = 0;
    for (at, letter) in text.char_indices() {
        let begins = text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        if at < from || !begins || !letter.is_ascii_alphanumeric() {
            continue;
        }
        let Some(rest) = text[at..].strip_prefix(kind.prefix) else { continue };
        let longest = kind.lengths.iter().rev().find_map(|length| characters(rest, *length, kind.has_letters));
        let Some((number, end)) = longest else { continue };
        let number = format!("{}{number}", kind.prefix);
        // "au capital de 100 000 000 euros" is in the line of the company's number.
        let behind = rest[end..].trim_start();
        let is_amount = ["€", "EUR", "F ", "CHF"].iter().any(|currency| behind.starts_with(currency));
        if !is_amount && kind.identifier.check(&number).is_some() {
            from = text.len() - rest.len() + end;
            numbers.push(number);
        }
    }
    numbers
}

/// Exactly this many digits, or letters and digits, and no more after them.
fn characters(text: &str, length: usize, has_letters: bool) -> Option<(String, usize)> {
    let mut taken = String::new();
    let mut last_was_separator = false;
    for (at, letter) in text.char_indices() {
        if taken.len() == length {
            return (!letter.is_alphanumeric()).then_some((taken, at));
        }
        match letter {
            '0'..='9' => taken.push(letter),
            'A'..='Z' if has_letters => taken.push(letter),
            ' ' | '\u{a0}' | '\u{202f}' | '.' | '-' | '/' if !last_was_separator => {
                last_was_separator = true;
                continue;
            }
            _ => return None,
        }
        last_was_separator = false;
    }
    (taken.len() == length).then_some((taken, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(identifier: Identifier) -> &'static Kind {
        KINDS.iter().find(|kind| kind.identifier == identifier).unwrap()
    }

    #[test]
    fn numbers_are_taken_whole() {
        let text = "SIRET 554 217 323 00019 – TVA FR07554217323";
        assert_eq!(taken(text, kind(Identifier::Siret)), ["55421732300019"]);
        assert_eq!(taken(text, kind(Identifier::FrenchVat)), ["FR07554217323"]);
        assert_eq!(taken("numéro 473 217 643 R.C.S. Grenoble", kind(Identifier::Siren)), ["473217643"]);
        assert_eq!(taken("SIREN : 473297653, NAF 6201Z", kind(Identifier::Siren)), ["473297653"]);
        assert_eq!(taken("CHE-107.787.577 MWST", kind(Identifier::SwissEnterprise)), ["CHE107787577"]);
        assert_eq!(taken("VAT GB 980 7806 84", kind(Identifier::BritishVat)), ["GB980780684"]);
        assert_eq!(taken("Sécu. 2 53 07 2A 073 004 43", kind(Identifier::FrenchSocialSecurity)), ["253072A07300443"]);
        assert!(taken("capital de 100 000 001 euros, RCS Lyon", kind(Identifier::Siren)).is_empty());
        assert!(taken("2 53 07 2A 073 004 43", kind(Identifier::Siren)).is_empty());
        assert_eq!(taken("N° 253072A07300443", kind(Identifier::FrenchSocialSecurity)), ["253072A07300443"]);
    }
}
