//! The words of `lexicon.txt`, and where a document has them.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use sealwright_plugin_sdk::reading::Cell;

const TEXT: &str = include_str!("lexicon.txt");
/// No phrase has more words, even if each has a gap inside.
const WORDS: usize = 18;
/// A phrase of fewer letters must have its own gaps: `rib` is not `ri b`.
const SHORT: usize = 7;

/// What kind of words a list has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Tier {
    /// Names of documents.
    Title,
    /// Hardly in any other document.
    Proof,
    /// Usual, but also in others.
    Mark,
    /// Of no single type.
    Common,
}

/// A list of phrases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// A document type, or the topic of common words.
    pub(crate) name: &'static str,
    pub(crate) tier: Tier,
}

/// A phrase that a cell has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match<'cell> {
    pub(crate) phrase: &'static str,
    /// The index of its cell.
    pub(crate) index: usize,
    pub(crate) cell: &'cell Cell,
    /// The lists that have it: bit 0 is the first.
    groups: u64,
}

impl Match<'_> {
    pub(crate) fn is_in(&self, group: usize) -> bool {
        self.groups >> group & 1 == 1
    }
}

#[derive(Clone, Copy)]
struct Phrase {
    text: &'static str,
    /// The lists that have it.
    groups: u64,
}

impl Phrase {
    /// Whether it is this text, which has the same letters.
    fn is(&self, text: &str) -> bool {
        text == self.text
            || (self.text.len() >= SHORT
                && text.bytes().filter(|byte| *byte != b' ').eq(self.text.bytes().filter(|byte| *byte != b' ')))
    }
}

/// All phrases.
pub(crate) struct Lexicon {
    pub(crate) groups: Vec<Group>,
    /// By the hash of their letters without gaps: wide type and bad scans have gaps inside words, and none between them.
    phrases: HashMap<u64, Phrase, BuildHasherDefault<Same>>,
}

impl Lexicon {
    pub(crate) fn read() -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut phrases = HashMap::with_capacity_and_hasher(8_192, BuildHasherDefault::default());
        for line in TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some((name, tier)) =
                line.strip_prefix('[').and_then(|line| line.trim_end_matches(']').split_once(' '))
            {
                groups.push(Group { name, tier: tier_of(tier) });
                continue;
            }
            let bit = 1_u64 << (groups.len().saturating_sub(1));
            for phrase in line.split(" | ") {
                phrases.entry(hash(START, phrase)).or_insert(Phrase { text: phrase, groups: 0 }).groups |= bit;
            }
        }
        Self { groups, phrases }
    }

    /// The phrases of each cell, from its first word on. Part of a longer name is not a name: `facture d electricite`
    /// is not `facture`.
    pub(crate) fn matches<'cell>(&self, cells: &'cell [Cell]) -> Vec<Match<'cell>> {
        let titles = self.bits(Tier::Title);
        let mut matches = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            let mut named = 0;
            let text = cell.folded.as_str();
            for start in word_starts(text) {
                for (hash, end) in word_ends(text, start) {
                    let found = self.phrases.get(&hash).filter(|found| found.is(&text[start..end]));
                    let Some(&Phrase { text: phrase, mut groups }) = found else { continue };
                    if groups & titles != 0 {
                        if end <= named {
                            groups &= !titles;
                        } else {
                            named = end;
                        }
                    }
                    if groups != 0 {
                        matches.push(Match { phrase, index, cell, groups });
                    }
                }
            }
        }
        matches
    }

    fn bits(&self, tier: Tier) -> u64 {
        (0..self.groups.len()).filter(|index| self.groups[*index].tier == tier).fold(0, |bits, index| bits | 1 << index)
    }
}

fn tier_of(name: &str) -> Tier {
    match name {
        "title" => Tier::Title,
        "proof" => Tier::Proof,
        "mark" => Tier::Mark,
        _ => Tier::Common,
    }
}

fn word_starts(text: &str) -> impl Iterator<Item = usize> {
    let first = (!text.is_empty()).then_some(0);
    first.into_iter().chain(text.match_indices(' ').map(|(at, _)| at + 1))
}

/// The ends of the first words from `start` on, the last one first, each with the hash of all up to it.
fn word_ends(text: &str, start: usize) -> impl Iterator<Item = (u64, usize)> {
    let mut ends = [None; WORDS];
    let (mut state, mut at) = (START, start);
    for (end, word) in ends.iter_mut().zip(text[start..].split(' ')) {
        state = hash(state, word);
        *end = Some((state, at + word.len()));
        at += word.len() + 1;
    }
    ends.into_iter().rev().flatten()
}

/// Where the hash FNV-1a starts.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash FNV-1a of the letters, continued from `state`. The words are our own, and reading them must be fast.
fn hash(state: u64, text: &str) -> u64 {
    let letters = text.bytes().filter(|byte| *byte != b' ');
    letters.fold(state, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Takes a number that is a hash already.
#[derive(Default)]
pub(crate) struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {}

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use sealwright_plugin_sdk::{
        facts::{Document, PageFacts, TextRun},
        reading::{cells, fold},
    };

    use super::*;

    #[test]
    fn phrases_are_written_as_documents_are_compared() {
        let lexicon = Lexicon::read();
        assert!(lexicon.groups.len() < 64);
        let wrong: Vec<_> =
            lexicon.phrases.values().map(|phrase| phrase.text).filter(|phrase| fold(phrase) != *phrase).collect();
        assert_eq!(wrong, Vec::<&str>::new());
    }

    #[test]
    fn gaps_do_not_matter_in_long_phrases() {
        let lexicon = Lexicon::read();
        let found = |text: &str| {
            let page = PageFacts::of_runs(vec![TextRun::of_text(text, 50, 50)]);
            let cells = cells(&Document { pages: vec![page], ..Document::default() });
            lexicon.matches(&cells).iter().map(|found| found.phrase).collect::<Vec<_>>()
        };
        assert!(found("C ertiﬁcate of M otor Insurance").contains(&"certificate of motor insurance"));
        assert!(found("AVISD’IMPÔT 2025").contains(&"avis d impot"));
        assert!(!found("ri b").contains(&"rib"));
    }
}
