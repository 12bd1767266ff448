//! Whether the entered value and the read value are the same, ignoring case, accents, spaces, punctuation, and the
//! notation of dates and numbers; names also in either order (decisions 13).

use sealwright_plugin_sdk::{
    cross_check::{Comparison, Outcome, Pair},
    reading::{Amount, Date, fold, text::squeeze},
};

use crate::fields::{Kind, field_of};

/// The result for each pair. First and last names are also compared together: people swap the boxes.
pub(crate) fn all(pairs: &[Pair]) -> Vec<Comparison> {
    let swapped = names_agree_together(pairs);
    pairs
        .iter()
        .map(|pair| {
            let comparison = one(pair);
            let is_name = pair.code == "lastName" || pair.code == "firstName";
            if is_name && swapped && comparison.outcome == Outcome::Different {
                answer(Outcome::Same, 100, "First and last name are the same, in another order.")
            } else {
                comparison
            }
        })
        .collect()
}

fn answer(outcome: Outcome, score: u8, text: &str) -> Comparison {
    Comparison { outcome, score, text: text.to_owned() }
}

fn one(pair: &Pair) -> Comparison {
    let given =
        |value: &Option<String>| value.as_ref().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let (entered, extracted) = match (given(&pair.entered), given(&pair.extracted)) {
        (Some(entered), Some(extracted)) => (entered, extracted),
        (None, _) => return answer(Outcome::Missing, 0, "Nothing was entered."),
        (_, None) => return answer(Outcome::Missing, 0, "It was not found in the document."),
    };
    let kind = field_of(&pair.code).map_or(Kind::Text, |field| field.kind);
    let (same, how) = same(kind, &entered, &extracted);
    if same {
        answer(Outcome::Same, 100, how)
    } else {
        answer(Outcome::Different, likeness(&squeeze(&entered), &squeeze(&extracted)), "They are not the same.")
    }
}

fn same(kind: Kind, entered: &str, extracted: &str) -> (bool, &'static str) {
    match kind {
        Kind::Date => (date(entered).is_some() && date(entered) == date(extracted), "It is the same day."),
        Kind::Amount => (amount(entered).is_some() && amount(entered) == amount(extracted), "It is the same amount."),
        Kind::Name => (same_words(entered, extracted), "The names are the same."),
        Kind::Street | Kind::Text | Kind::Town => {
            let alike = as_seen(&squeeze(entered)) == as_seen(&squeeze(extracted));
            (alike || street_words(entered, extracted), "The words are the same.")
        }
        Kind::Nationality => (same_nationality(entered, extracted), "It is the same nationality."),
        Kind::Number | Kind::PostCode | Kind::Account | Kind::Bank => {
            let (entered, extracted) = (squeeze(entered), squeeze(extracted));
            let branch =
                kind == Kind::Bank && entered.get(..8) == extracted.get(..8) && is_head_office(&entered, &extracted);
            let with_register = kind == Kind::Number && is_number_of_register(&entered, &extracted);
            let typed = kind == Kind::Number && typed(&entered) == typed(&extracted);
            (entered == extracted || branch || with_register || typed, "The characters are the same.")
        }
    }
}

/// "821 503 114" is "821 503 114 R.C.S. Valmerle": the number, and its register.
fn is_number_of_register(entered: &str, extracted: &str) -> bool {
    let (shorter, longer) = if entered.len() <= extracted.len() { (entered, extracted) } else { (extracted, entered) };
    shorter.len() >= 6
        && longer.strip_prefix(shorter).is_some_and(|rest| !rest.chars().any(|letter| letter.is_ascii_digit()))
        && shorter.chars().filter(char::is_ascii_digit).count() >= 6
}

/// Without the difference between O and 0, I and 1, which neither people nor machines can see.
fn typed(number: &str) -> String {
    number
        .chars()
        .map(|letter| match letter {
            'o' => '0',
            'i' | 'l' => '1',
            letter => letter,
        })
        .collect()
}

/// A BIC of eight characters means the head office, `XXX`.
fn is_head_office(first: &str, second: &str) -> bool {
    let tail = |bic: &str| bic.get(8..).unwrap_or_default().to_owned();
    [tail(first), tail(second)].iter().all(|tail| tail.is_empty() || tail == "xxx")
}

fn date(text: &str) -> Option<Date> {
    Date::read(text)
}

/// In hundredths; a number without decimals is whole.
fn amount(text: &str) -> Option<i64> {
    if let Some(Amount(cents)) = Amount::read(text) {
        return Some(cents);
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let decimals = text.trim().rsplit(['.', ',']).next().filter(|tail| tail.len() == 1 && text.contains(['.', ',']));
    let factor = if decimals.is_some() { 10 } else { 100 };
    digits.parse::<i64>().ok()?.checked_mul(factor)
}

const TITLES: [&str; 12] =
    ["m", "mr", "mrs", "ms", "miss", "mme", "mlle", "monsieur", "madame", "mademoiselle", "dr", "et"];

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> =
        fold(text).split(' ').filter(|word| !word.is_empty() && !TITLES.contains(word)).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// The words of one are among those of the other, in any order: a document often has more first names than people
/// enter, and a whole name instead of the requested part.
fn same_words(entered: &str, extracted: &str) -> bool {
    if as_seen(&squeeze(entered)) == as_seen(&squeeze(extracted)) {
        return true;
    }
    let (entered, extracted) = (words(entered), words(extracted));
    let (fewer, more) = if entered.len() <= extracted.len() { (&entered, &extracted) } else { (&extracted, &entered) };
    // Apostrophes and hyphens may or may not separate words: "d'Aubrac", "DAUBRAC".
    let joined: String = more.concat();
    !fewer.is_empty() && (fewer.iter().all(|word| more.contains(word)) || fewer.concat() == joined)
}

/// The street of an address that was read whole, or the other way round; "bd" is "boulevard".
fn street_words(entered: &str, extracted: &str) -> bool {
    const SHORT: [(&str, &str); 10] = [
        ("bd", "boulevard"),
        ("bvd", "boulevard"),
        ("av", "avenue"),
        ("ave", "avenue"),
        ("pl", "place"),
        ("rte", "route"),
        ("st", "saint"),
        ("ste", "sainte"),
        ("rd", "road"),
        ("chem", "chemin"),
    ];
    let spell = |text: &str| -> Vec<String> {
        let long =
            |word: &str| SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long).to_owned();
        fold(text).split(' ').filter(|word| !word.is_empty()).map(long).collect()
    };
    let (entered, extracted) = (spell(entered), spell(extracted));
    let (fewer, more) = if entered.len() <= extracted.len() { (&entered, &extracted) } else { (&extracted, &entered) };
    // In their order, so that "12 rue A" is not "1 rue A 2".
    fewer.len() >= 2 && more.windows(fewer.len()).any(|part| part == fewer.as_slice()) || entered == extracted
}

/// Codes, adjectives and countries that mean the same.
fn same_nationality(entered: &str, extracted: &str) -> bool {
    const SAME: [&[&str]; 13] = [
        &["fra", "fr", "francaise", "francais", "french", "france"],
        &["gbr", "gb", "british", "britannique", "british citizen", "united kingdom", "uk", "royaume uni"],
        &["uto", "utopian", "utopienne", "utopien", "utopia", "utopie"],
        &["deu", "d", "de", "german", "allemande", "allemand", "germany", "allemagne", "deutsch"],
        &["ita", "it", "italian", "italienne", "italien", "italy", "italie"],
        &["esp", "es", "spanish", "espagnole", "espagnol", "spain", "espagne"],
        &["prt", "pt", "portuguese", "portugaise", "portugais", "portugal"],
        &["bel", "be", "belgian", "belge", "belgium", "belgique"],
        &["che", "ch", "swiss", "suisse", "switzerland"],
        &["irl", "ie", "irish", "irlandaise", "irlandais", "ireland", "irlande"],
        &["mar", "ma", "moroccan", "marocaine", "marocain", "morocco", "maroc"],
        &["dza", "dz", "algerian", "algerienne", "algerien", "algeria", "algerie"],
        &["tun", "tn", "tunisian", "tunisienne", "tunisien", "tunisia", "tunisie"],
    ];
    let (entered, extracted) = (fold(entered), letters(&fold(extracted)));
    entered == extracted
        || SAME.iter().any(|names| names.contains(&entered.as_str()) && names.contains(&extracted.as_str()))
}

/// Replaces digits by the letters that were misread: no nationality has digits.
fn letters(folded: &str) -> String {
    folded.replace('0', "o").replace('1', "i").replace('5', "s").replace('8', "b")
}

/// Whether first and last name together are the same words in both.
fn names_agree_together(pairs: &[Pair]) -> bool {
    let both = |of: fn(&Pair) -> &Option<String>| {
        let parts: Option<Vec<&str>> = ["lastName", "firstName"]
            .iter()
            .map(|code| pairs.iter().find(|pair| pair.code == *code).and_then(|pair| of(pair).as_deref()))
            .collect();
        parts.map(|parts| parts.join(" "))
    };
    match (both(|pair| &pair.entered), both(|pair| &pair.extracted)) {
        (Some(entered), Some(extracted)) => {
            let (entered, extracted) = (words(&entered), words(&extracted));
            let (mut entered, mut extracted) = (entered, extracted);
            entered.dedup();
            extracted.dedup();
            entered == extracted
        }
        _ => false,
    }
}

/// How similar two folded texts are: 0 to 99, by the number of letters to change.
fn likeness(first: &str, second: &str) -> u8 {
    let (first, second): (String, String) = (first.chars().take(200).collect(), second.chars().take(200).collect());
    let longest = first.chars().count().max(second.chars().count()).max(1);
    u8::try_from((longest - distance(&first, &second).min(longest)) * 99 / longest).unwrap_or(0)
}

/// The number of letters to change, remove or add.
pub(crate) fn distance(first: &str, second: &str) -> usize {
    let second: Vec<char> = second.chars().collect();
    let mut row: Vec<usize> = (0..=second.len()).collect();
    for (index, letter) in first.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in second.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[second.len()]
}

/// A folded text as it looks: `rn` and `m` are nearly the same on paper, and so are `l`, a capital `i` and `1`, also
/// for machines.
pub(crate) fn as_seen(folded: &str) -> String {
    folded.replace("rn", "m").replace(['l', '1'], "i")
}
