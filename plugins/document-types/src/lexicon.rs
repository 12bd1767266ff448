//! The words of `lexicon.txt`, and where a document has them.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use sealwright_plugin_sdk::reading::Cell;

const TEXT: &str = include_str!("lexicon.txt");
/// No phrase has more words.
const WORDS: usize = 9;

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

/// All phrases, by their text.
pub(crate) struct Lexicon {
    pub(crate) groups: Vec<Group>,
    phrases: HashMap<&'static str, u64, BuildHasherDefault<Fnv>>,
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
                *phrases.entry(phrase).or_default() |= bit;
            }
        }
        Self { groups, phrases }
    }

    /// The phrases of each cell, from its first word on. Part of a longer name is not a name: `facture d electricite`
    /// is no `facture`.
    pub(crate) fn matches<'cell>(&self, cells: &'cell [Cell]) -> Vec<Match<'cell>> {
        let titles = self.bits(Tier::Title);
        let mut matches = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            let mut named = 0;
            for start in word_starts(&cell.folded) {
                for end in word_ends(&cell.folded, start) {
                    let Some((phrase, groups)) = self.phrases.get_key_value(&cell.folded[start..end]) else { continue };
                    let mut groups = *groups;
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

/// The ends of the first words from `start` on, the last one first, at most as many as a phrase has.
fn word_ends(text: &str, start: usize) -> impl Iterator<Item = usize> {
    let mut ends = [None; WORDS];
    let spaces = text[start..].match_indices(' ').map(|(at, _)| start + at);
    for (end, space) in ends.iter_mut().zip(spaces.chain(std::iter::once(text.len()))) {
        *end = Some(space);
    }
    ends.into_iter().rev().flatten()
}

/// The hash FNV-1a: the words are our own, and reading them must be fast.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use sealwright_plugin_sdk::reading::fold;

    use super::*;

    #[test]
    fn phrases_are_written_as_documents_are_compared() {
        let lexicon = Lexicon::read();
        assert!(lexicon.groups.len() < 64);
        let wrong: Vec<_> = lexicon.phrases.keys().filter(|phrase| fold(phrase) != **phrase).collect();
        assert_eq!(wrong, Vec::<&&str>::new());
        let long: Vec<_> = lexicon.phrases.keys().filter(|phrase| phrase.split(' ').count() > WORDS).collect();
        assert_eq!(long, Vec::<&&str>::new());
    }
}
