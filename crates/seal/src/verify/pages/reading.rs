//! Extracts references and digests from the text of pages.

use std::collections::HashSet;

use super::Page;

/// Hexadecimal digits of a SHA-256.
const DIGEST: usize = 64;

/// A text without what a layout may add or remove: spaces, hyphens, and invisible characters.
#[derive(Debug, Default)]
pub(super) struct Letters {
    letters: Vec<char>,
    /// Whether each directly follows the previous one, on the same line and without a space.
    joined: Vec<bool>,
}

/// A reference or a digest, squeezed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Reference(String),
    /// In lowercase.
    Digest(String),
}

impl Letters {
    /// From the visible text of all pages, or from all text.
    pub(super) fn of(pages: &[Page], seen_only: bool) -> Self {
        let mut all = Self::default();
        for page in pages {
            let mut follows = false;
            for piece in &page.pieces {
                if seen_only && !piece.seen {
                    follows = false;
                    continue;
                }
                all.push(&piece.text, follows && piece.joined);
                follows = true;
            }
        }
        all
    }

    fn push(&mut self, text: &str, mut joined: bool) {
        for character in decoded(text).chars() {
            if character.is_whitespace() {
                joined = false;
            } else if !is_left_out(character) {
                self.letters.push(character);
                self.joined.push(joined);
                joined = true;
            }
        }
    }

    /// Whether a font did not map some character to Unicode.
    pub(super) fn has_unknown(&self) -> bool {
        self.letters.contains(&'\u{FFFD}')
    }

    /// In lowercase, to search for other texts.
    pub(super) fn lowercase(&self) -> String {
        self.letters.iter().flat_map(|letter| letter.to_lowercase()).collect()
    }

    /// Every reference and digest. `known` decides the end of one that is broken or followed by other text.
    pub(super) fn tokens(&self, known: &HashSet<String>) -> Vec<Token> {
        let hexadecimal = self.hexadecimal();
        let mut tokens = Vec::new();
        let (mut at, mut free_from) = (0, 0);
        while at < self.letters.len() {
            let found = self.reference(at, known).map(|(end, text)| (end, Token::Reference(text))).or_else(|| {
                self.digest(at, free_from, &hexadecimal, known).map(|(end, text)| (end, Token::Digest(text)))
            });
            match found {
                Some((end, token)) => {
                    tokens.push(token);
                    (at, free_from) = (end, end);
                }
                None => at += 1,
            }
        }
        tokens
    }

    /// `CAS-<number>_CMP-<number>` or `ITM-<number>_CAS-<number>`, without the hyphens. An unknown one counts only if
    /// it is in one piece: two adjacent texts do not form a reference.
    fn reference(&self, at: usize, known: &HashSet<String>) -> Option<(usize, String)> {
        let middle = match self.letters.get(at..at + 3)? {
            ['C', 'A', 'S'] => ['_', 'C', 'M', 'P'],
            ['I', 'T', 'M'] => ['_', 'C', 'A', 'S'],
            _ => return None,
        };
        let number = self.digits(at + 3);
        let second = number + middle.len();
        if number == at + 3 || self.letters.get(number..second)? != middle {
            return None;
        }
        let last = self.digits(second);
        let text = |end: usize| self.letters[at..end].iter().collect::<String>();
        let mut ends = (second + 1..=last).filter(|&end| end == last || !self.joined[end]);
        let shortest = ends.clone().next()?;
        if let Some(end) = ends.rfind(|&end| known.contains(&text(end))) {
            return Some((end, text(end)));
        }
        let is_one_piece = self.joined[at + 1..shortest].iter().all(|joined| *joined);
        is_one_piece.then(|| (shortest, text(shortest)))
    }

    fn digits(&self, from: usize) -> usize {
        let count = self.letters[from..].iter().take_while(|letter| letter.is_ascii_digit()).count();
        from + count
    }

    /// 64 hexadecimal digits: known ones anywhere, others only if they start and end with a word or line.
    fn digest(
        &self,
        at: usize,
        free_from: usize,
        hexadecimal: &[usize],
        known: &HashSet<String>,
    ) -> Option<(usize, String)> {
        let text = |at: usize| self.letters[at..at + DIGEST].iter().collect::<String>().to_ascii_lowercase();
        if hexadecimal[at] < DIGEST {
            return None;
        }
        let found = text(at);
        let end = at + DIGEST;
        if known.contains(&found) {
            return Some((end, found));
        }
        let starts = at == free_from || !self.letters[at - 1].is_ascii_hexdigit() || !self.joined[at];
        let ends = hexadecimal[at] == DIGEST || !self.joined[end];
        let reaches_into_known =
            || (at + 1..end).any(|other| hexadecimal[other] >= DIGEST && known.contains(&text(other)));
        (starts && ends && !reaches_into_known()).then_some((end, found))
    }

    /// The number of hexadecimal digits from each place on.
    fn hexadecimal(&self) -> Vec<usize> {
        let mut counts = vec![0; self.letters.len()];
        let mut count = 0;
        for (place, letter) in self.letters.iter().enumerate().rev() {
            count = if letter.is_ascii_hexdigit() { count + 1 } else { 0 };
            counts[place] = count;
        }
        counts
    }
}

/// A text in the form of [`Letters`].
pub(super) fn squeezed(text: &str) -> String {
    decoded(text).chars().filter(|character| !character.is_whitespace() && !is_left_out(*character)).collect()
}

/// Hyphens, which lines break after, and invisible characters.
fn is_left_out(character: char) -> bool {
    matches!(character,
        '-' | '\u{AD}' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}'
        | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// Replaces every note such as `[U+1F9FF]` with its character: pages show the note for characters that fonts do not
/// have.
fn decoded(text: &str) -> String {
    let mut parts = text.split("[U+");
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let noted = part.split_once(']').and_then(|(number, rest)| {
            let is_number = (4..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_hexdigit());
            let character = u32::from_str_radix(number, 16).ok().filter(|_| is_number).and_then(char::from_u32)?;
            Some((character, rest))
        });
        if let Some((character, rest)) = noted {
            decoded.push(character);
            decoded.push_str(rest);
        } else {
            decoded.push_str("[U+");
            decoded.push_str(part);
        }
    }
    decoded
}
