//! Who and what a case is about, for people who look at it, and what of it a search met. Pure: everything is taken from
//! what was given or entered, never from what was read in a document.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::words::{Term, Words, terms};
use crate::{context::VisibleData, report::ReportToken};

/// Words of a title or a key that announce the name of the person a case is about. They have no accents, as [`terms`].
const NAME: [&str; 11] = [
    "name",
    "surname",
    "claimant",
    "insured",
    "policyholder",
    "customer",
    "beneficiary",
    "nom",
    "prenom",
    "assure",
    "beneficiaire",
];
/// Words with which the name is that of something else.
const NOT_A_PERSON: [&str; 20] = [
    "company", "file", "frame", "product", "street", "number", "id", "amount", "value", "date", "mail", "email",
    "phone", "address", "societe", "fichier", "rue", "numero", "montant", "adresse",
];
/// Words of a key that announce the number of a claim.
const CLAIM: [&str; 6] = ["claim", "policy", "reference", "ref", "sinistre", "police"];

/// How many matches of a search a row shows.
const MOST_MATCHES: usize = 2;
/// How long a shown text may be, in characters.
const LONGEST_SHOWN: usize = 120;
/// How many words before the met one are shown.
const WORDS_BEFORE: usize = 4;

/// A value with the name that was given to it: an entered text under the title of its step, or a pair of the metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedText {
    pub name: String,
    pub text: String,
}

/// What a case says about itself in addition to its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    pub report_token: Option<ReportToken>,
    pub context: Option<VisibleData>,
    pub metadata: Option<Map<String, Value>>,
    /// The entered texts, in their order.
    pub entries: Vec<NamedText>,
    /// The names of the files, each under the title of its step.
    pub files: Vec<NamedText>,
    /// The name of the field user.
    pub user: Option<String>,
}

/// Who a case is about, and under which number people know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    pub person: Option<String>,
    pub claim: Option<String>,
}

/// Where a search met a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// In an entered text, the metadata, or the name of a file, each with its name.
    Named(NamedText),
    /// In what the certificate shows of the person or the issuer.
    Context(String),
    /// In the name of the field user.
    User(String),
}

impl Sources {
    pub fn about(&self) -> About {
        About { person: self.person().map(|name| shortened(&name)), claim: self.claim().map(|text| shortened(&text)) }
    }

    /// The beneficiary, else what was entered as a name, else what the metadata calls one.
    fn person(&self) -> Option<String> {
        let beneficiary = self.context.as_ref().and_then(|context| context.beneficiary.as_ref());
        let parts = beneficiary.map(|person| [person.first_name.as_deref(), person.last_name.as_deref()]);
        let given = joined(parts.into_iter().flatten().flatten());
        let entered = || joined(named(&self.entries, &NAME).map(|entry| entry.text.as_str()).take(2));
        let pairs = self.pairs();
        let of_metadata = || joined(named(&pairs, &NAME).map(|pair| pair.text.as_str()).take(2));
        given.or_else(entered).or_else(of_metadata)
    }

    /// The report token, else the issuer's reference, else what the metadata calls a claim.
    fn claim(&self) -> Option<String> {
        let token = self.report_token.as_ref().map(ToString::to_string);
        let reference = || self.context.as_ref().and_then(|context| filled(context.report_ref.as_deref()?));
        let pairs = self.pairs();
        let of_metadata = || named(&pairs, &CLAIM).next().and_then(|pair| filled(&pair.text));
        token.or_else(reference).or_else(of_metadata)
    }

    /// Where the words were met that `shown`, what a row shows in any case, does not have; at most [`MOST_MATCHES`].
    pub fn met(&self, words: &[Term], shown: &[&str]) -> Vec<Met> {
        let shown: Vec<WordsOf> = shown.iter().map(|text| WordsOf::new(text)).collect();
        let left: Vec<&Term> = words.iter().filter(|term| !shown.iter().any(|text| text.have(term))).collect();
        if left.is_empty() {
            return Vec::new();
        }
        let meets = |text: &str| WordsOf::new(text).have_one_of(&left);
        let named = self.entries.iter().chain(&self.files).cloned().chain(self.pairs());
        let named = named.filter(|one| meets(&one.text) || meets(&one.name));
        let named = named.map(|one| Met::Named(NamedText { text: excerpt(&one.text, &left), name: one.name }));
        let context = self.context_texts().into_iter().filter(|text| meets(text));
        let context = context.map(|text| Met::Context(excerpt(&text, &left)));
        let user = self.user.iter().filter(|name| meets(name)).map(|name| Met::User(name.clone()));
        named.chain(context).chain(user).take(MOST_MATCHES).collect()
    }

    fn pairs(&self) -> Vec<NamedText> {
        let pairs = self.metadata.iter().flatten();
        pairs
            .filter_map(|(key, value)| Some(NamedText { name: key.clone(), text: value.as_str()?.to_owned() }))
            .collect()
    }

    fn context_texts(&self) -> Vec<String> {
        let Some(context) = &self.context else { return Vec::new() };
        let VisibleData { beneficiary, issuer, photo_ref, report_ref, instructions, user } = context;
        let person = beneficiary.iter().flat_map(|person| {
            [&person.first_name, &person.last_name, &person.address, &person.post_code, &person.city, &person.email]
        });
        let others = [issuer, photo_ref, report_ref, instructions, user];
        person.chain(others).filter_map(Option::clone).collect()
    }
}

/// Those whose name has one of the words, and which have a text.
fn named<'t>(all: &'t [NamedText], wanted: &'static [&'static str]) -> impl Iterator<Item = &'t NamedText> {
    let is_wanted = move |one: &&NamedText| {
        let words: Vec<String> = terms(&one.name).into_iter().map(|term| term.whole).collect();
        let has_one_of = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        has_one_of(wanted) && !has_one_of(&NOT_A_PERSON) && !one.text.trim().is_empty()
    };
    all.iter().filter(is_wanted)
}

fn joined<'t>(parts: impl Iterator<Item = &'t str>) -> Option<String> {
    let parts: Vec<&str> = parts.map(str::trim).filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The words of a text, as the index has them.
struct WordsOf(BTreeSet<String>);

impl WordsOf {
    fn new(text: &str) -> Self {
        let mut words = Words::default();
        words.add(text);
        Self(words.into_inner())
    }

    /// Whether a word begins with the term, as the index decides it.
    fn have(&self, term: &Term) -> bool {
        let begins = |start: &str| self.0.iter().any(|word| word.starts_with(start));
        begins(&term.whole) || (!term.parts.is_empty() && term.parts.iter().all(|part| begins(part)))
    }

    fn have_one_of(&self, terms: &[&Term]) -> bool {
        terms.iter().any(|term| self.have(term))
    }
}

/// The words around the first one that was met.
fn excerpt(text: &str, met: &[&Term]) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.iter().position(|word| WordsOf::new(word).have_one_of(met)).unwrap_or(0);
    let start = first.saturating_sub(WORDS_BEFORE);
    let rest = words.get(start..).unwrap_or_default().join(" ");
    let before = if start > 0 { "… " } else { "" };
    format!("{before}{}", shortened(&rest))
}

fn shortened(text: &str) -> String {
    let one_line = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = text.chars().take(LONGEST_SHOWN).map(one_line).collect();
    if text.chars().nth(LONGEST_SHOWN).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::context::Beneficiary;

    fn text(name: &str, text: &str) -> NamedText {
        NamedText { name: name.to_owned(), text: text.to_owned() }
    }

    fn metadata(value: &Value) -> Option<Map<String, Value>> {
        value.as_object().cloned()
    }

    #[test]
    fn a_person_is_the_beneficiary_or_what_was_entered_as_a_name() {
        let mut sources = Sources { metadata: metadata(&json!({ "insured": "Mr Meta" })), ..Sources::default() };
        assert_eq!(sources.about().person.as_deref(), Some("Mr Meta"));
        sources.entries = vec![
            text("Name of the company", "Acme"),
            text("What happened", "a pipe burst"),
            text("Prénom", "Léa"),
            text("Nom de l’assuré", " Durand "),
        ];
        assert_eq!(sources.about().person.as_deref(), Some("Léa Durand"));
        let beneficiary = Beneficiary { last_name: Some("Reyes".to_owned()), ..Beneficiary::default() };
        sources.context = Some(VisibleData { beneficiary: Some(beneficiary), ..VisibleData::default() });
        assert_eq!(sources.about().person.as_deref(), Some("Reyes"));
        assert_eq!(Sources::default().about(), About::default());
    }

    #[test]
    fn a_claim_is_the_report_or_what_the_metadata_calls_one() {
        let mut sources = Sources { metadata: metadata(&json!({ "Policy": "P-77" })), ..Sources::default() };
        assert_eq!(sources.about().claim.as_deref(), Some("P-77"));
        sources.context = Some(VisibleData { report_ref: Some("R-1".to_owned()), ..VisibleData::default() });
        assert_eq!(sources.about().claim.as_deref(), Some("R-1"));
        sources.report_token = ReportToken::parse("claim 12");
        assert_eq!(sources.about().claim.as_deref(), Some("claim 12"));
    }

    #[test]
    fn what_a_search_met_is_shown_unless_the_row_shows_it_anyway() {
        let long = format!("{} the plumber was Dupont, {}", "word ".repeat(50), "more ".repeat(50));
        let sources = Sources {
            entries: vec![text("Plumber", "Mirabellon & Sons"), text("What happened", &long)],
            files: vec![text("Photo", "front.jpg")],
            user: Some("Flora Field".to_owned()),
            ..Sources::default()
        };
        let met = |words: &str| sources.met(&terms(words), &["CAS-1_CMP-7", "Burst pipe"]);
        assert_eq!(met("mirab"), [Met::Named(text("Plumber", "Mirabellon & Sons"))]);
        assert_eq!(met("burst mirab"), [Met::Named(text("Plumber", "Mirabellon & Sons"))]);
        assert!(met("burst").is_empty());
        assert_eq!(met("flora"), [Met::User("Flora Field".to_owned())]);
        assert_eq!(met("front.jpg"), [Met::Named(text("Photo", "front.jpg"))]);
        let found = met("dupont");
        let [Met::Named(one)] = found.as_slice() else { panic!("{found:?}") };
        assert!(one.text.starts_with("… word the plumber was Dupont, more") && one.text.ends_with('…'), "{}", one.text);
        assert!(one.text.chars().count() <= LONGEST_SHOWN + 3, "{}", one.text);
    }
}
