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
    let Sameness { is_same, score, text } = values(kind, &entered, &extracted);
    answer(if is_same { Outcome::Same } else { Outcome::Different }, score, text)
}

/// How two values compare.
pub(crate) struct Sameness {
    pub(crate) is_same: bool,
    /// 0 to 100.
    pub(crate) score: u8,
    pub(crate) text: &'static str,
}

/// Compares two values of a kind.
pub(crate) fn values(kind: Kind, entered: &str, extracted: &str) -> Sameness {
    let (is_same, how) = same(kind, entered, extracted);
    if is_same {
        return Sameness { is_same, score: 100, text: how };
    }
    // Two notations of a day or an amount have hardly a character in common.
    let plain = |text: &str| match kind {
        Kind::Date => date(text).map(Date::digits),
        Kind::Amount => amount(text).map(|cents| cents.to_string()),
        _ => None,
    };
    let comparable = |text: &str| plain(text).unwrap_or_else(|| squeeze(text));
    Sameness { is_same, score: likeness(&comparable(entered), &comparable(extracted)), text: "They are not the same." }
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
        Kind::Nationality => (same_nationality(&fold(entered), &fold(extracted)), "It is the same nationality."),
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
pub(crate) fn amount(text: &str) -> Option<i64> {
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

/// The words of a name without titles, folded.
pub(crate) fn words_of_name(text: &str) -> Vec<String> {
    fold(text).split(' ').filter(|word| !word.is_empty() && !TITLES.contains(word)).map(str::to_owned).collect()
}

fn words(text: &str) -> Vec<String> {
    let mut words = words_of_name(text);
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
    let words = |text: &str| spelled(text).split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (entered, extracted) = (words(entered), words(extracted));
    let (fewer, more) = if entered.len() <= extracted.len() { (&entered, &extracted) } else { (&extracted, &entered) };
    // In their order, so that "12 rue A" is not "1 rue A 2".
    fewer.len() >= 2 && more.windows(fewer.len()).any(|part| part == fewer.as_slice()) || entered == extracted
}

/// Words that are written short or long, and the short form.
const SHORT: [(&str, &[&str]); 27] = [
    ("bd", &["boulevard", "bvd", "blvd", "boul"]),
    ("av", &["avenue", "ave", "avda", "avenida"]),
    ("pl", &["place", "pza", "plaza", "platz"]),
    ("rte", &["route"]),
    ("st", &["saint", "street", "sankt"]),
    ("ste", &["sainte"]),
    ("rd", &["road"]),
    ("ch", &["chemin", "chem"]),
    ("ln", &["lane"]),
    ("dr", &["drive"]),
    ("ct", &["court"]),
    ("cl", &["close"]),
    ("sq", &["square"]),
    ("imp", &["impasse"]),
    ("all", &["allee"]),
    ("r", &["rue"]),
    ("cres", &["crescent", "cr"]),
    ("terr", &["terrace"]),
    ("gdns", &["gardens"]),
    ("pde", &["parade"]),
    ("hwy", &["highway"]),
    ("fg", &["faubourg", "fbg"]),
    ("apt", &["apartment", "appartement", "appt"]),
    ("c", &["calle"]),
    ("ltd", &["limited"]),
    ("corp", &["corporation"]),
    ("co", &["company"]),
];
/// Words that are left out or replaced by a sign.
const LEFT_OUT: [&str; 7] = ["and", "et", "und", "en", "no", "numero", "nr"];

/// Short forms with a point inside are two words: "C.so Garibaldi".
const PARTED: [(&str, &str); 5] =
    [("c so ", "corso "), ("v le ", "viale "), ("p za ", "piazza "), ("p zza ", "piazza "), ("l go ", "largo ")];

/// The text folded, each word in its short form: "boulevard" is "bd", and "Hauptstraße" is "hauptstr".
pub(crate) fn spelled(text: &str) -> String {
    let short = |word: &str| -> String {
        let listed = SHORT.iter().find(|(_, long)| long.contains(&word)).map(|(short, _)| (*short).to_owned());
        listed.unwrap_or_else(|| {
            let stem = word.strip_suffix("strasse").or_else(|| word.strip_suffix("straat"));
            stem.map_or_else(|| word.to_owned(), |stem| format!("{stem}str"))
        })
    };
    let mut folded = fold(text);
    for (parted, whole) in PARTED {
        if let Some(rest) = folded.strip_prefix(parted) {
            folded = format!("{whole}{rest}");
        }
    }
    let words = folded.split(' ').filter(|word| !word.is_empty() && !LEFT_OUT.contains(word)).map(short);
    words.collect::<Vec<_>>().join(" ")
}

/// Codes, adjectives and countries that mean the same: for each, all names in the languages of cards.
const NATIONALITIES: [&[&str]; 40] = [
    &["fra", "fr", "francaise", "francais", "french", "france", "franzosisch", "francese", "francesa", "frances"],
    &[
        "gbr",
        "gb",
        "british",
        "britannique",
        "british citizen",
        "united kingdom",
        "uk",
        "royaume uni",
        "britisch",
        "britannica",
    ],
    &["uto", "utopian", "utopienne", "utopien", "utopia", "utopie"],
    &[
        "deu",
        "d",
        "de",
        "german",
        "allemande",
        "allemand",
        "germany",
        "allemagne",
        "deutsch",
        "deutschland",
        "tedesca",
        "alemana",
    ],
    &["ita", "it", "italian", "italienne", "italien", "italy", "italie", "italiana", "italia", "italienisch"],
    &[
        "esp",
        "es",
        "spanish",
        "espagnole",
        "espagnol",
        "spain",
        "espagne",
        "espanola",
        "espana",
        "spanisch",
        "spagnola",
    ],
    &["prt", "pt", "portuguese", "portugaise", "portugais", "portugal", "portuguesa", "portugiesisch"],
    &["bel", "be", "belgian", "belge", "belgium", "belgique", "belg", "belgisch", "belgie", "belgien"],
    &["che", "ch", "swiss", "suisse", "switzerland", "schweiz", "svizzera", "schweizer"],
    &["irl", "ie", "irish", "irlandaise", "irlandais", "ireland", "irlande", "eireannach"],
    &["mar", "ma", "moroccan", "marocaine", "marocain", "morocco", "maroc"],
    &["dza", "dz", "algerian", "algerienne", "algerien", "algeria", "algerie"],
    &["tun", "tn", "tunisian", "tunisienne", "tunisien", "tunisia", "tunisie"],
    &["usa", "us", "american", "americaine", "americain", "united states", "etats unis", "united states of america"],
    &["can", "ca", "canadian", "canadienne", "canadien", "canada", "kanadisch"],
    &[
        "nld",
        "nl",
        "dutch",
        "neerlandaise",
        "neerlandais",
        "nederlandse",
        "netherlands",
        "pays bas",
        "niederlandisch",
        "nederland",
    ],
    &["lux", "lu", "luxembourger", "luxembourgeoise", "luxembourgeois", "luxembourg", "letzebuerger"],
    &["aut", "at", "austrian", "autrichienne", "autrichien", "austria", "autriche", "osterreich", "osterreichisch"],
    &["pol", "pl", "polish", "polonaise", "polonais", "poland", "pologne", "polskie", "polska"],
    &["rou", "ro", "romanian", "roumaine", "roumain", "romania", "roumanie", "romana"],
    &["bgr", "bg", "bulgarian", "bulgare", "bulgaria", "bulgarie"],
    &["hrv", "hr", "croatian", "croate", "croatia", "croatie"],
    &["cze", "cz", "czech", "tcheque", "czechia", "czech republic", "tchequie"],
    &["svk", "sk", "slovak", "slovaque", "slovakia", "slovaquie"],
    &["svn", "si", "slovenian", "slovene", "slovenia", "slovenie"],
    &["hun", "hu", "hungarian", "hongroise", "hongrois", "hungary", "hongrie"],
    &["grc", "gr", "greek", "grecque", "grec", "greece", "grece", "hellenic", "griechisch"],
    &["dnk", "dk", "danish", "danoise", "danois", "denmark", "danemark", "dansk"],
    &["swe", "se", "swedish", "suedoise", "suedois", "sweden", "suede", "svensk"],
    &["nor", "no", "norwegian", "norvegienne", "norvegien", "norway", "norvege", "norsk"],
    &["fin", "fi", "finnish", "finlandaise", "finlandais", "finland", "finlande", "suomi"],
    &["tur", "tr", "turkish", "turque", "turc", "turkey", "turkiye", "turquie", "turkisch"],
    &["ukr", "ua", "ukrainian", "ukrainienne", "ukrainien", "ukraine"],
    &["sen", "sn", "senegalese", "senegalaise", "senegalais", "senegal"],
    &["civ", "ci", "ivorian", "ivoirienne", "ivoirien", "cote d ivoire", "ivory coast"],
    &["ind", "in", "indian", "indienne", "indien", "india", "inde"],
    &["chn", "cn", "chinese", "chinoise", "chinois", "china", "chine"],
    &["bra", "br", "brazilian", "bresilienne", "bresilien", "brazil", "bresil", "brasileira", "brasileiro"],
    &["nga", "ng", "nigerian", "nigeriane", "nigeria"],
    &["vnm", "vn", "vietnamese", "vietnamienne", "vietnamien", "vietnam", "viet nam"],
];

/// Whether two folded texts name the same nationality.
/// Whether a folded text is a nationality in one of the known languages.
pub(crate) fn is_nationality(folded: &str) -> bool {
    folded.len() >= 3 && NATIONALITIES.iter().any(|names| names.contains(&folded))
}

pub(crate) fn same_nationality(entered: &str, extracted: &str) -> bool {
    let extracted = letters(extracted);
    entered == extracted
        || NATIONALITIES.iter().any(|names| names.contains(&entered) && names.contains(&extracted.as_str()))
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
pub(crate) fn likeness(first: &str, second: &str) -> u8 {
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
