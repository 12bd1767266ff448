//! How texts become words: those of a case, and those that a person types. Both go the same way, so that they meet.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{
    analysis::TrustLevel,
    case::CaseReference,
    console::Outcome,
    id::{CaseId, FrameId},
};

/// How many words of a case are found; further ones are left out.
pub const MOST_WORDS: usize = 500;
/// In characters; the rest of a longer word is left out.
pub const LONGEST_WORD: usize = 40;

/// The words of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(BTreeSet<String>);

/// A word that a person types: a case matches if one of its words begins with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// Without its separators: `ab123cd` for `AB-123-CD`.
    pub whole: String,
    /// What is between the separators, if there are any. They are searched if no case has the whole.
    pub parts: Vec<String>,
}

impl Words {
    /// Adds the words of a text, and what is joined by something else than spaces as one more word: an e-mail address, a
    /// plate, a reference with dashes.
    pub fn add(&mut self, text: &str) {
        for Term { whole, parts } in terms(text) {
            for word in parts.into_iter().chain([whole]) {
                self.insert(word);
            }
        }
    }

    /// Adds the keys of a JSON object and the texts in it.
    pub fn add_object(&mut self, object: &Map<String, Value>) {
        for (key, value) in object {
            self.add(key);
            self.add_texts(value);
        }
    }

    /// Adds the texts and numbers in a JSON value, without its keys.
    pub fn add_texts(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(text),
            Value::Number(number) => self.add(&number.to_string()),
            Value::Array(values) => values.iter().for_each(|value| self.add_texts(value)),
            Value::Object(object) => object.values().for_each(|value| self.add_texts(value)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Adds the number of a case and its whole reference. The parts of a reference are in every other one too.
    pub fn add_reference(&mut self, reference: CaseReference) {
        self.add(&reference.case.to_string());
        let whole = terms(&reference.to_string()).into_iter().map(|term| term.whole);
        whole.for_each(|whole| self.insert(whole));
    }

    /// Every word, in order.
    pub fn into_inner(self) -> BTreeSet<String> {
        self.0
    }

    fn insert(&mut self, word: String) {
        if self.0.len() < MOST_WORDS {
            self.0.insert(word);
        }
    }
}

/// What a text is made of, in its order: lowercase, without accents.
pub fn terms(text: &str) -> Vec<Term> {
    normalised(text).split_whitespace().filter_map(term).collect()
}

fn term(token: &str) -> Option<Term> {
    let parts: Vec<&str> =
        token.split(|character: char| !character.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] => None,
        [only] => Some(Term { whole: bounded(only), parts: Vec::new() }),
        parts => {
            Some(Term { whole: bounded(&parts.concat()), parts: parts.iter().map(|part| bounded(part)).collect() })
        }
    }
}

fn bounded(word: &str) -> String {
    word.chars().take(LONGEST_WORD).collect()
}

/// In lowercase, without accents, and with Latin letters that Unicode does not decompose written as people type them.
fn normalised(text: &str) -> String {
    let mut normalised = String::with_capacity(text.len());
    let letters = text.nfkd().filter(|character| !is_combining_mark(*character)).flat_map(char::to_lowercase);
    for letter in letters {
        match letter {
            'æ' => normalised.push_str("ae"),
            'œ' => normalised.push_str("oe"),
            'ß' => normalised.push_str("ss"),
            'þ' => normalised.push_str("th"),
            'ø' => normalised.push('o'),
            'ł' => normalised.push('l'),
            'đ' | 'ð' => normalised.push('d'),
            'ı' => normalised.push('i'),
            'ς' => normalised.push('σ'),
            letter => normalised.push(letter),
        }
    }
    normalised
}

/// What is known of a case besides its words. It is a word of the index that begins with a colon, so that a filter which
/// few cases pass is as fast as a rare word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    Frame(FrameId),
    Closed(bool),
    /// None: there is no verdict.
    Verdict(Option<TrustLevel>),
    /// None: no one has decided.
    Decision(Option<Outcome>),
}

impl Attribute {
    /// Ends with a semicolon, so that none is the beginning of another.
    pub fn word(self) -> String {
        match self {
            Self::Frame(frame) => format!(":frame:{frame};"),
            Self::Closed(true) => ":closed;".to_owned(),
            Self::Closed(false) => ":open;".to_owned(),
            Self::Verdict(level) => format!(":verdict:{};", level.map_or("none", Into::into)),
            Self::Decision(outcome) => format!(":decision:{};", outcome.map_or("none", Into::into)),
        }
    }
}

/// The case that a person means who types only its number or its reference.
pub fn exact_case(text: &str) -> Option<CaseId> {
    let text = text.trim();
    let number = match text.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("CAS-") => text[4..].split('_').next().unwrap_or_default(),
        _ => text,
    };
    CaseId::parse(number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::id::CompanyId;

    fn words(text: &str) -> Vec<String> {
        let mut words = Words::default();
        words.add(text);
        words.into_inner().into_iter().collect()
    }

    #[test]
    fn words_are_lowercase_and_have_no_accents() {
        assert_eq!(words("Dégât des EAUX, Œuvre"), ["degat", "des", "eaux", "oeuvre"]);
        assert_eq!(words("Straße ŁÓDŹ Ærø İzmir ΟΔΟΣ ﬁn"), ["aero", "fin", "izmir", "lodz", "strasse", "οδοσ"]);
        assert_eq!(words("e\u{301}te\u{301}"), words("\u{e9}t\u{e9}"));
        assert_eq!(words(" \t…—?!\u{0}"), Vec::<String>::new());
    }

    #[test]
    fn what_is_joined_is_a_word_too() {
        assert_eq!(words("AB-123-CD"), ["123", "ab", "ab123cd", "cd"]);
        assert_eq!(words("j.dupont@mail.fr"), ["dupont", "fr", "j", "jdupontmailfr", "mail"]);
        assert_eq!(words("(leak)"), ["leak"], "brackets join nothing");
    }

    #[test]
    fn words_are_bounded_in_number_and_length() {
        let many: Vec<String> = (0..2 * MOST_WORDS).map(|number| format!("w{number}")).collect();
        assert_eq!(words(&many.join(" ")).len(), MOST_WORDS);
        assert_eq!(words(&"é".repeat(100)), ["e".repeat(LONGEST_WORD)]);
    }

    #[test]
    fn objects_are_found_by_keys_and_values() {
        let metadata = json!({ "Claim": "C-17", "list": ["one", { "two": 3 }], "none": null });
        let mut words = Words::default();
        words.add_object(metadata.as_object().unwrap());
        let words: Vec<String> = words.into_inner().into_iter().collect();
        assert_eq!(words, ["17", "3", "c", "c17", "claim", "list", "none", "one"]);
    }

    #[test]
    fn a_reference_is_one_word_and_its_number_another() {
        let reference = CaseReference { case: CaseId::new(12).unwrap(), company: CompanyId::new(3).unwrap() };
        let mut words = Words::default();
        words.add_reference(reference);
        assert_eq!(words.into_inner().into_iter().collect::<Vec<_>>(), ["12", "cas12cmp3"]);
        for (text, id) in [("12", 12), (" CAS-12_CMP-3 ", 12), ("cas-7", 7)] {
            assert_eq!(exact_case(text), CaseId::new(id), "{text}");
        }
        for text in ["", "CAS-", "CAS-x", "12 a", "-1", "casé", "CAS-1é"] {
            assert_eq!(exact_case(text), None, "{text}");
        }
    }

    #[test]
    fn no_text_gives_an_attribute_and_no_attribute_begins_another() {
        let frame = |id| Attribute::Frame(FrameId::new(id).unwrap()).word();
        assert!(words(&frame(1)).iter().all(|word| !word.starts_with(':')));
        assert!(!frame(12).starts_with(&frame(1)));
        assert_eq!(Attribute::Verdict(Some(TrustLevel::Good)).word(), ":verdict:GOOD;");
        assert_eq!(Attribute::Decision(None).word(), ":decision:none;");
    }
}
