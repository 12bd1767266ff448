//! Words of names, of people and of companies, and when two of them are the same.

use std::collections::BTreeSet;

/// Parts of names that many people share.
const PARTICLES: [&str; 26] = [
    "de", "du", "des", "la", "le", "les", "van", "von", "der", "den", "el", "al", "ben", "bin", "ibn", "da", "dos",
    "di", "del", "della", "mac", "mc", "st", "saint", "ep", "nee",
];
/// Titles and words between two names.
const TITLES: [&str; 14] =
    ["m", "mr", "mrs", "ms", "miss", "mme", "mlle", "monsieur", "madame", "dr", "ou", "et", "and", "epouse"];
/// Words of companies that say little about which one it is.
const GENERIC: [&str; 44] = [
    "sa",
    "sas",
    "sasu",
    "sarl",
    "eurl",
    "sci",
    "snc",
    "selarl",
    "scop",
    "ltd",
    "limited",
    "plc",
    "llp",
    "llc",
    "inc",
    "gmbh",
    "ag",
    "bv",
    "nv",
    "srl",
    "spa",
    "societe",
    "ste",
    "company",
    "co",
    "groupe",
    "group",
    "holding",
    "france",
    "uk",
    "services",
    "service",
    "international",
    "les",
    "des",
    "the",
    "and",
    "sons",
    "fils",
    "cie",
    "associes",
    "employeur",
    "employer",
    "rue",
];

/// The words of a person's name that tell people apart.
pub(crate) fn words(folded: &str) -> Vec<String> {
    let all = folded.split(' ').filter(|word| word.len() > 1 && !TITLES.contains(word));
    let own: Vec<String> = all.clone().filter(|word| !PARTICLES.contains(word)).map(str::to_owned).collect();
    if own.is_empty() { all.map(str::to_owned).collect() } else { own }
}

/// The words of a company's name that say which one it is.
pub(crate) fn of_company(folded: &str) -> Vec<String> {
    let own = folded.split(' ').filter(|word| word.len() > 2 && !GENERIC.contains(word));
    own.filter(|word| word.chars().any(char::is_alphabetic)).map(str::to_owned).collect()
}

/// Whether a word of a name is among the words of a paper, also transliterated; if the paper was recognised, also
/// misread.
pub(crate) fn is_among(word: &str, words: &BTreeSet<String>, recognised: bool) -> bool {
    words.contains(word) || {
        let sound = sound(word);
        words.iter().any(|other| {
            sound == self::sound(other) && word.len() > 3
                || recognised && is_near(word, other)
                // Recognition and PDF programs join words, and hyphens split them.
                || word.len() > 4 && other.len() > word.len() && (other.starts_with(word) || other.ends_with(word))
        })
    }
}

/// Whether two words differ in at most a quarter of their letters.
pub(crate) fn is_near(one: &str, other: &str) -> bool {
    let most = (one.chars().count() / 4).min(2);
    most > 0 && one.chars().count().abs_diff(other.chars().count()) <= most && distance(one, other) <= most
}

/// How a name sounds, roughly: transliterations of one name are mostly the same.
fn sound(word: &str) -> String {
    const SAME: [(&str, &str); 17] = [
        ("sch", "s"),
        ("ae", "a"),
        ("oe", "o"),
        ("ue", "u"),
        ("ou", "u"),
        ("oo", "u"),
        ("ee", "i"),
        ("ph", "f"),
        ("kh", "k"),
        ("ch", "s"),
        ("sh", "s"),
        ("th", "t"),
        ("dj", "j"),
        ("gh", "g"),
        ("y", "i"),
        ("w", "v"),
        ("c", "k"),
    ];
    let mut sound = word.to_owned();
    for (written, heard) in SAME {
        sound = sound.replace(written, heard);
    }
    let mut letters: Vec<char> = sound.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// The number of letters to change, add or remove (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for column in 0..other.len() {
            let replaced = diagonal + usize::from(letter != other[column]);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transliterations_and_joined_words_are_the_same_name() {
        let words = |text: &str| -> BTreeSet<String> { text.split(' ').map(str::to_owned).collect() };
        assert!(is_among("mueller", &words("hans muller"), false));
        assert!(is_among("youssef", &words("yousef ben ali"), false));
        assert!(is_among("martin", &words("jeanmartin"), false));
        assert!(is_among("rousselin", &words("rousse1in"), true));
        assert!(!is_among("rousselin", &words("martinel rue"), true));
        assert!(!is_among("martin", &words("martel"), false));
    }

    #[test]
    fn particles_and_legal_forms_do_not_count() {
        assert_eq!(super::words("m jean de la fontaine"), ["jean", "fontaine"]);
        assert_eq!(of_company("groupe delacourt batiment sas"), ["delacourt", "batiment"]);
    }
}
