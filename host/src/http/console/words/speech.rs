//! What the analysis says, for people: in the page's language if it is known, without keys, levels in capitals and
//! references of items.

use maud::{Markup, html};

use super::{
    KEYS, Names,
    findings::{NAMED, PHRASES, PLAIN, TEXTS},
    known,
};
use crate::http::link::Language;

/// What sentences begin with that are not names.
const BEGINNINGS: &[&str] = &[
    "A", "All", "An", "Some", "Text", "The", "They", "It", "Aucun", "Aucune", "Dans", "Des", "Du", "Il", "L", "La",
    "Le", "Les", "Un", "Une",
];

/// A text of the analysis.
pub(in crate::http::console) fn said(text: &str, names: &Names<'_>) -> Markup {
    marked(text, names, str::to_owned)
}

/// The same as a part of a sentence: without the full stop.
pub(in crate::http::console) fn clause(text: &str, names: &Names<'_>) -> Markup {
    marked(text, names, |said| said.trim_end_matches('.').to_owned())
}

/// The same after "because": with a small letter, unless it begins with what may be a name.
pub(in crate::http::console) fn reason(text: &str, names: &Names<'_>) -> Markup {
    marked(text, names, |said| lowered(said.trim_end_matches('.')))
}

/// The same where no other language can be marked.
pub(in crate::http::console) fn text(text: &str, names: &Names<'_>) -> String {
    spoken(text, names).0
}

/// The text, changed for its place, and marked if it is in English.
fn marked(text: &str, names: &Names<'_>, change: impl Fn(&str) -> String) -> Markup {
    let (said, language) = spoken(text, names);
    match language {
        Language::English => html! { span lang="en" { (change(&said)) } },
        Language::French => html! { (change(&said)) },
    }
}

/// A text as it is said, and the language that it is in.
fn spoken(text: &str, names: &Names<'_>) -> (String, Language) {
    match translated(text, names.language) {
        Some(french) => (names.in_place(&french, Language::French), Language::French),
        None => (names.in_place(&plain_english(text), Language::English), Language::English),
    }
}

/// None if the text stays in English.
fn translated(text: &str, language: Language) -> Option<String> {
    if language == Language::French { french(TEXTS, text) } else { None }
}

fn lowered(text: &str) -> String {
    let first = text.split([' ', '’']).next().unwrap_or_default();
    if BEGINNINGS.contains(&first) { text.replacen(first, &first.to_lowercase(), 1) } else { text.to_owned() }
}

/// The text of the first row that the text matches, with what the text names.
fn french(table: &[(&str, &str)], text: &str) -> Option<String> {
    fill(table, text, Language::French)
}

/// English without keys and levels in capitals.
fn plain_english(text: &str) -> String {
    fill(PLAIN, text, Language::English).unwrap_or_else(|| text.to_owned())
}

fn fill(table: &[(&str, &str)], text: &str, language: Language) -> Option<String> {
    table.iter().find_map(|(template, said)| {
        let named = matched(template, text)?;
        let mut pieces = said.split("{}");
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for (name, piece) in named.into_iter().zip(pieces) {
            filled.push_str(&all_in(name, language));
            filled.push_str(piece);
        }
        Some(filled)
    })
}

/// What is at the places of `{}`; none if the text does not have the form of the template.
fn matched<'t>(template: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let pieces: Vec<&str> = template.split("{}").collect();
    let (first, others) = pieces.split_first()?;
    let mut rest = text.strip_prefix(*first)?;
    let Some((last, middle)) = others.split_last() else { return rest.is_empty().then(Vec::new) };
    let mut named = Vec::new();
    for piece in middle {
        let (before, after) = rest.split_once(*piece)?;
        named.push(before);
        rest = after;
    }
    named.push(rest.strip_suffix(*last)?);
    named.iter().all(|name| !name.is_empty()).then_some(named)
}

/// What a text names: a known name, a list of known names, several lists, or as it is.
fn all_in(names: &str, language: Language) -> String {
    let of_one = |name: &str| name_in(name, language).unwrap_or_else(|| name.to_owned());
    let of_list = |list: &str| {
        name_in(list, language).unwrap_or_else(|| list.split(", ").map(of_one).collect::<Vec<_>>().join(", "))
    };
    name_in(names, language).unwrap_or_else(|| names.split("; ").map(of_list).collect::<Vec<_>>().join("; "))
}

fn name_in(name: &str, language: Language) -> Option<String> {
    let of_plugins = || if language == Language::French { french_name(name) } else { None };
    let of_type = || if is_key(name) { known(KEYS, name, language).map(str::to_owned) } else { None };
    phrase(name, language).or_else(of_plugins).or_else(of_type)
}

/// Whether it is written as the keys of checks and of types of documents are: other keys are words of sentences, too.
fn is_key(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// A reason of the server, whose keys become names.
fn phrase(text: &str, language: Language) -> Option<String> {
    PHRASES.iter().find_map(|(template, english, french)| {
        // A list is taken apart first.
        let keys = matched(template, text).filter(|keys| !keys.iter().any(|key| key.contains([',', ';'])))?;
        let name = |key| known(KEYS, key, language).unwrap_or(key);
        let said = language.pick(english, french).to_owned();
        Some(keys.into_iter().fold(said, |said, key| said.replacen("{}", name(key), 1)))
    })
}

fn french_name(name: &str) -> Option<String> {
    NAMED.iter().find_map(|(english, french)| {
        let named = matched(english, name)?;
        Some(named.into_iter().fold((*french).to_owned(), |text, name| text.replacen("{}", name, 1)))
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::domain::id::{CaseId, ItemId};

    fn names(language: Language) -> Names<'static> {
        let titles = vec![(ItemId::parse("4").unwrap(), "Invoice"), (ItemId::parse("5").unwrap(), "Last name")];
        Names::new(CaseId::parse("1").unwrap(), titles, language)
    }

    #[test]
    fn a_text_is_in_french_with_what_it_names() {
        let french = |text: &str| translated(text, Language::French);
        assert_eq!(french("No text is covered.").as_deref(), Some("Aucun texte n’est recouvert."));
        assert_eq!(
            french("The name on ITM-4 differs from what was entered as ITM-5.").as_deref(),
            Some("Le nom de ITM-4 diffère de ce qui a été saisi sous ITM-5.")
        );
        assert_eq!(
            french("Some text differs from everything around it in its font, size, as if it had been typed in later.")
                .as_deref(),
            Some("Du texte diffère de tout ce qui l’entoure (police, taille), comme s’il avait été tapé plus tard.")
        );
        assert_eq!(french("The stamp is too round."), None);
        assert_eq!(translated("No text is covered.", Language::English), None);
        let unknown = said("The stamp is <b>.", &names(Language::French)).into_string();
        assert_eq!(unknown, "<span lang=\"en\">The stamp is &lt;b&gt;.</span>");
    }

    #[test]
    fn an_item_has_one_name_in_a_text() {
        let differs = "The name on ITM-4 differs from what was entered as ITM-5.";
        assert_eq!(
            text(differs, &names(Language::English)),
            "The name on Invoice (item 4) differs from what was entered as Last name (item 5)."
        );
        assert_eq!(
            text(differs, &names(Language::French)),
            "Le nom de Invoice (élément 4) diffère de ce qui a été saisi sous Last name (élément 5)."
        );
        let seen = "The same file was deposited before, as ITM-9_CAS-2.";
        assert_eq!(text(seen, &names(Language::English)), "The same file was deposited before, as item 9 of case 2.");
        assert_eq!(
            text(seen, &names(Language::French)),
            "Le même fichier a été déjà déposé, sous élément 9 du dossier 2."
        );
    }

    /// Whether a text has a key, or a level in capitals.
    fn shouts(text: &str) -> bool {
        let is_loud = |word: &str| word.len() > 3 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        text.split(|c: char| !c.is_ascii_alphabetic() && c != '_').any(is_loud)
    }

    #[test]
    fn levels_and_types_are_words_in_both_languages() {
        let score = "100 lowered to 69: ";
        for (given, english, french) in [
            ("The document (UNKNOWN) is not of a type that was asked for.", "could not be recognised", "reconnu"),
            (
                "The document (OTHER) is not of a type that was asked for.",
                "The document is not",
                "Le document n’est pas",
            ),
            (
                "The document (IDENTITY_CARD) is not of a type that was asked for.",
                "(Identity card)",
                "(Carte d’identité)",
            ),
            (
                &*format!("{score}CRITICAL: the signal gps, the document of item 4"),
                "from 100 to 69, because a part is critical: the signal “Positions”, Invoice (item 4)",
                "le signal «\u{a0}Positions\u{a0}», Invoice (élément 4)",
            ),
            (
                &*format!("{score}certain fraud: the signal own"),
                "fraud is certain: the signal “own”",
                "fraude certaine",
            ),
            (&*format!("{score}the suspicion of a falsification is HIGH"), "falsification is high", "est forte"),
            (
                &*format!("{score}the suspicion of a falsification is MEDIUM; lastName is not what was entered"),
                "falsification is medium; Last name is not what was entered",
                "est moyenne; Nom\u{a0}: différent de la saisie",
            ),
            (&*format!("{score}the type scores less than 50"), "scores less than 50", "moins de 50"),
            (
                &*format!("{score}progress is failed: not every document was examined"),
                "because not every document was examined",
                "tous les documents n’ont pas été examinés",
            ),
            (
                "the document of item 4 has no answer and is not counted",
                "The examination of Invoice (item 4) gave no answer",
                "L’examen de Invoice (élément 4)",
            ),
        ] {
            for (language, expected) in [(Language::English, english), (Language::French, french)] {
                let said = text(given, &names(language));
                assert!(said.contains(expected) && !shouts(&said), "{given}: {said}");
            }
        }
    }

    #[test]
    fn a_reason_begins_with_a_small_letter_if_it_does_not_begin_with_a_name() {
        let reason = |text: &str, language| reason(text, &names(language)).into_string();
        assert_eq!(
            reason("The document differs from what was entered.", Language::English),
            "<span lang=\"en\">the document differs from what was entered</span>"
        );
        assert_eq!(
            reason("The analysis of the document has not ended.", Language::French),
            "l’analyse du document n’est pas terminée"
        );
        assert_eq!(reason("Dupont drew it.", Language::French), "<span lang=\"en\">Dupont drew it</span>");
    }

    #[test]
    fn both_languages_name_the_same_number_of_things() {
        for (english, french) in TEXTS.iter().chain(NAMED).chain(PLAIN) {
            assert_eq!(english.matches("{}").count(), french.matches("{}").count(), "{english}");
        }
    }

    /// Whether a sentence of a plugin has a row, whatever it names.
    #[test]
    fn what_the_built_in_plugins_say_is_known() {
        let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins");
        let mut unknown = Vec::new();
        for plugin in ["signals", "document-forensics", "document-types", "cross-check"] {
            for source in sources(&plugins.join(plugin).join("src")) {
                unknown.extend(sentences(&source).into_iter().filter(|sentence| french(TEXTS, sentence).is_none()));
            }
        }
        // They are completed by what a file says; their whole texts are known.
        let completed = [
            "The photo declares x: x.",
            "The photo's content credentials say that it was changedx (x).",
            "The x's content credentials say that it was changedx (x).",
            "\"x\" x.",
        ];
        unknown.retain(|sentence| !completed.contains(&sentence.as_str()));
        assert!(unknown.is_empty(), "{unknown:#?}");
    }

    /// The texts of the files in a folder, without those of tests.
    fn sources(folder: &Path) -> Vec<String> {
        let mut texts = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name().to_string_lossy().contains("tests") {
                continue;
            }
            let path = entry.path();
            if path.is_dir() {
                texts.extend(sources(&path));
            } else {
                texts.push(fs::read_to_string(path).unwrap());
            }
        }
        texts
    }

    /// The literals of a source that are whole sentences, each with `x` for what it names.
    fn sentences(source: &str) -> Vec<String> {
        let code = source.split("mod tests {").next().unwrap_or_default();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n").replace("'\"'", "' '").replace("\\\"", "\u{1}");
        let literals = code.split('"').skip(1).step_by(2).map(|literal| {
            let joined: Vec<&str> = literal.split("\\\n").map(str::trim_start).collect();
            let mut text = String::new();
            for (position, piece) in joined.concat().replace('\u{1}', "\"").split(['{', '}']).enumerate() {
                text.push_str(if position.is_multiple_of(2) { piece } else { "x" });
            }
            text
        });
        let is_sentence = |text: &String| {
            let begins = text.starts_with(|c: char| c.is_uppercase() || c == '"') || text.starts_with("x ");
            begins && text.contains(' ') && text.ends_with('.')
        };
        literals.filter(is_sentence).collect()
    }
}
