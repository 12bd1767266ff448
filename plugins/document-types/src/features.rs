//! What a document looks like in numbers, for the weights of [`model`](crate::model).

use std::collections::HashSet;

use sealwright_plugin_sdk::{
    facts::{Document, Rectangle},
    reading::{Cell, find_accounts, find_amounts, find_dates},
};

use crate::lexicon::{Group, Lexicon, Match, Tier};

/// Cells longer than this are sentences, which may mention anything.
const SENTENCE: usize = 60;
/// A document says what it is at its beginning.
const FIRST_CELLS: usize = 14;

/// A card has no more letters than this.
const CARD: usize = 450;

/// How machine-readable zones start (ICAO Doc 9303, and the French vehicle and licence zones), and what they prove.
const ZONES: [(&str, &str); 20] = [
    ("P<", "PASSPORT"),
    ("PO", "PASSPORT"),
    ("PD", "PASSPORT"),
    ("PP", "PASSPORT"),
    ("PM", "PASSPORT"),
    ("PE", "PASSPORT"),
    ("PB", "PASSPORT"),
    ("PC", "PASSPORT"),
    ("IP", "PASSPORT"),
    ("IR", "RESIDENCE_PERMIT"),
    ("AR", "RESIDENCE_PERMIT"),
    ("TS", "RESIDENCE_PERMIT"),
    ("C1", "RESIDENCE_PERMIT"),
    ("C2", "RESIDENCE_PERMIT"),
    ("I<", "IDENTITY_CARD"),
    ("ID", "IDENTITY_CARD"),
    ("IC", "IDENTITY_CARD"),
    ("C<", "IDENTITY_CARD"),
    ("D1", "DRIVING_LICENCE"),
    ("CR", "VEHICLE_REGISTRATION"),
];
/// The types that a zone can prove, in the order of their features.
const ZONE_TYPES: [&str; 5] =
    ["PASSPORT", "IDENTITY_CARD", "RESIDENCE_PERMIT", "DRIVING_LICENCE", "VEHICLE_REGISTRATION"];
/// The codes of the Union's registration certificates (directive 1999/37/EC), folded.
const VEHICLE_CODES: [&str; 30] = [
    "a", "b", "c 1", "c 1 1", "c 1 2", "c 1 3", "c 3", "c 4", "c 4 1", "d 1", "d 2", "d 2 1", "d 3", "e", "f 1", "f 2",
    "f 3", "g", "g 1", "j", "j 1", "p 1", "p 2", "p 3", "p 6", "s 1", "s 2", "u 1", "v 7", "v 9",
];
/// The numbers of a driving licence's fields (directive 2006/126/EC).
const LICENCE_FIELDS: [&str; 11] = ["1", "2", "3", "4a", "4b", "4c", "4d", "5", "7", "8", "9"];
const CATEGORIES: [&str; 15] = ["am", "a1", "a2", "a", "b1", "b", "be", "c1", "c1e", "c", "ce", "d1", "d1e", "de", "d"];

/// A document in numbers, and where they come from.
pub struct Features<'cell> {
    /// In the order of [`names`].
    pub values: Vec<f32>,
    /// The lists of words, in the order of the lexicon.
    pub(crate) groups: Vec<Group>,
    pub(crate) matches: Vec<Match<'cell>>,
    pub(crate) zone: Option<Zone>,
}

/// A machine-readable zone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zone {
    /// None: its start is unknown.
    pub(crate) document_type: Option<&'static str>,
    pub(crate) page: u32,
    pub(crate) place: Option<Rectangle>,
}

/// The names of a title's features, from strong to weak.
const TITLE: [&str; 4] = ["large", "alone", "first", "any"];
const STRUCTURE: [&str; 20] = [
    "zone of a passport",
    "zone of an identity card",
    "zone of a permit",
    "zone of a licence",
    "zone of a vehicle",
    "zone of something",
    "valid iban",
    "any iban",
    "amounts",
    "share of amounts",
    "dates",
    "letters",
    "cells",
    "pages",
    "share of sentences",
    "share of digits",
    "percentages",
    "vehicle codes",
    "licence fields",
    "licence categories",
];
const STRUCTURE_MORE: [&str; 5] =
    ["vehicle number", "large type", "vehicle number on a card", "licence fields without a licence", "card"];

/// The names of the features.
pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    for group in Lexicon::read().groups {
        match group.tier {
            Tier::Title => names.extend(TITLE.map(|name| format!("{} title {name}", group.name))),
            Tier::Proof => names.push(format!("{} proof", group.name)),
            Tier::Mark => names.push(format!("{} mark", group.name)),
            Tier::Common => names.push(format!("words of {}", group.name)),
        }
    }
    names.extend(STRUCTURE.iter().chain(&STRUCTURE_MORE).map(|name| (*name).to_owned()));
    names
}

impl<'cell> Features<'cell> {
    pub fn of(document: &Document, cells: &'cell [Cell]) -> Self {
        let lexicon = Lexicon::read();
        let matches = lexicon.matches(cells);
        let usual = usual_size(cells);
        let mut values = Vec::new();
        for (index, group) in lexicon.groups.iter().enumerate() {
            let own = matches.iter().filter(|found| found.is_in(index));
            if group.tier == Tier::Title {
                let mut best = [0.0; TITLE.len()];
                for found in own {
                    for (best, seen) in best.iter_mut().zip(title(found, usual)) {
                        *best = f32::max(*best, seen);
                    }
                }
                values.extend(best);
            } else {
                values.push(distinct(own));
            }
        }
        let zone = zone(document, cells);
        values.extend(structure(cells, zone, usual));
        let names_licence = matches.iter().any(|found| {
            lexicon.groups.iter().enumerate().any(|(index, group)| {
                group.name == "DRIVING_LICENCE" && group.tier == Tier::Title && found.is_in(index)
            })
        });
        values.extend(combinations(cells, names_licence));
        Self { values, groups: lexicon.groups, matches, zone }
    }
}

/// How much a name looks like the document's title.
fn title(found: &Match, usual: u32) -> [f32; TITLE.len()] {
    let (cell, length) = (found.cell, found.phrase.len());
    if cell.folded.len() > SENTENCE {
        return [0.0, 0.0, 0.0, 0.5];
    }
    let short = cell.folded.len() <= length + 28;
    let large = short && cell.size * 100 >= usual * 125;
    let alone = cell.folded.len() <= length + 3 || cell.folded.len() * 6 <= length * 10;
    let first = short && cell.page == 1 && found.index < FIRST_CELLS;
    [large, alone, first, true].map(|is| f32::from(u8::from(is)))
}

/// The number of different phrases, of which those in sentences count less; as a logarithm, because the first ones
/// tell most.
fn distinct<'found>(matches: impl Iterator<Item = &'found Match<'found>>) -> f32 {
    let (mut labels, mut mentions) = (HashSet::new(), HashSet::new());
    for found in matches {
        if found.cell.folded.len() > SENTENCE {
            mentions.insert(found.phrase)
        } else {
            labels.insert(found.phrase)
        };
    }
    let mentioned = mentions.difference(&labels).count();
    (count(labels.len()) + 0.4 * count(mentioned)).ln_1p()
}

fn structure(cells: &[Cell], zone: Option<Zone>, usual: u32) -> Vec<f32> {
    let is = |condition: bool| f32::from(u8::from(condition));
    let proved = zone.and_then(|zone| zone.document_type);
    let mut values: Vec<f32> = ZONE_TYPES.iter().map(|name| is(proved == Some(name))).collect();
    values.push(is(zone.is_some() && proved.is_none()));
    let accounts: Vec<_> = cells.iter().flat_map(|cell| find_accounts(&cell.text)).collect();
    values.push(is(accounts.iter().any(|(account, _)| account.is_right())));
    values.push(is(!accounts.is_empty()));
    let amounts: usize = cells.iter().map(|cell| find_amounts(&cell.text).len()).sum();
    let dates: usize = cells.iter().map(|cell| find_dates(&cell.text).len()).sum();
    let letters: usize = cells.iter().map(|cell| cell.folded.len()).sum();
    let long: usize = cells.iter().map(|cell| cell.folded.len()).filter(|length| *length > SENTENCE).sum();
    let digits: usize = cells.iter().map(|cell| cell.folded.bytes().filter(u8::is_ascii_digit).count()).sum();
    let percents: usize = cells.iter().map(|cell| cell.text.matches('%').count()).sum();
    let pages: HashSet<u32> = cells.iter().map(|cell| cell.page).collect();
    values.extend([
        count(amounts).ln_1p(),
        count(amounts) / count(cells.len().max(1)),
        count(dates).ln_1p(),
        count(letters).ln_1p(),
        count(cells.len()).ln_1p(),
        count(pages.len()).ln_1p(),
        count(long) / count(letters.max(1)),
        count(digits) / count(letters.max(1)),
        count(percents).ln_1p(),
        labels(cells, &VEHICLE_CODES).ln_1p(),
        labels(cells, &LICENCE_FIELDS).ln_1p(),
    ]);
    let words: HashSet<&str> =
        cells.iter().filter(|cell| cell.folded.len() <= SENTENCE).flat_map(|cell| cell.folded.split(' ')).collect();
    values.push(count(CATEGORIES.iter().filter(|name| words.contains(*name)).count()).ln_1p());
    values.push(is(has_vehicle_number(cells)));
    values.push(is(cells.iter().any(|cell| cell.size * 10 >= usual * 20)));
    values
}

/// Signs that mean something only together: the weights add, so a product needs its own number. A vehicle's number is in
/// letters of insurers too, but on a card it is the vehicle's. A state's identity card has a licence's field numbers, and
/// does not call itself a licence.
fn combinations(cells: &[Cell], names_licence: bool) -> [f32; 3] {
    let letters: usize = cells.iter().map(|cell| cell.folded.len()).sum();
    let is_card = letters <= CARD && cells.iter().all(|cell| cell.page == 1);
    let is = |condition: bool| f32::from(u8::from(condition));
    let fields = if names_licence { 0.0 } else { labels(cells, &LICENCE_FIELDS).ln_1p() };
    [is(is_card && has_vehicle_number(cells)), fields, is(is_card)]
}

/// How many of these codes begin a cell.
fn labels(cells: &[Cell], codes: &[&str]) -> f32 {
    let begins = |code: &&&str| {
        cells.iter().any(|cell| {
            cell.folded.strip_prefix(**code).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                && cell.folded.len() <= SENTENCE
        })
    };
    count(codes.iter().filter(begins).count())
}

fn has_vehicle_number(cells: &[Cell]) -> bool {
    cells.iter().any(|cell| cell.text.split([' ', ':', '/']).any(is_vehicle_number))
}

/// Whether it looks like a vehicle identification number (ISO 3779). These have no I, O and Q, but a digit is misread
/// as one of them: one is allowed.
fn is_vehicle_number(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    word.len() == 17
        && (5..15).contains(&digits)
        && word.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && word.bytes().filter(|byte| b"IOQ".contains(byte)).count() <= 1
}

/// The first zone: one that the host read, or a line with fillers.
fn zone(document: &Document, cells: &[Cell]) -> Option<Zone> {
    let codes = document.machine_codes();
    let seen = codes.iter().find(|code| code.kind == "mrz").map(|code| Zone {
        document_type: zone_type(&code.text),
        page: code.place.page,
        place: code.place.area,
    });
    seen.filter(|zone| zone.document_type.is_some()).or_else(|| {
        let lines = cells.iter().filter_map(|cell| Some((zone_line(&cell.text)?, cell)));
        lines
            .take(1)
            .map(|(line, cell)| Zone { document_type: zone_type(&line), page: cell.page, place: Some(cell.place) })
            .next()
    })
}

/// The line without spaces and with misread fillers corrected, if it looks like one of a zone.
fn zone_line(text: &str) -> Option<String> {
    let line: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .map(|letter| if "«‹".contains(letter) { '<' } else { letter })
        .collect();
    let fillers = line.matches('<').count();
    let is_zone = line.len() >= 24
        && fillers >= 3
        && line.chars().all(|letter| letter == '<' || letter.is_ascii_alphanumeric())
        && line.bytes().filter(u8::is_ascii_lowercase).count() * 5 < line.len();
    is_zone.then_some(line)
}

fn zone_type(text: &str) -> Option<&'static str> {
    ZONES.iter().find(|(begin, _)| text.starts_with(begin)).map(|(_, document_type)| *document_type)
}

/// The size of most of the text.
fn usual_size(cells: &[Cell]) -> u32 {
    let mut sizes: Vec<u32> = cells.iter().map(|cell| cell.size).collect();
    sizes.sort_unstable();
    sizes.get(sizes.len() / 2).copied().unwrap_or(0)
}

fn count(number: usize) -> f32 {
    u16::try_from(number).unwrap_or(u16::MAX).into()
}
