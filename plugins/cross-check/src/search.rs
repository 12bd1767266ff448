//! Looks for an entered value on the pages, in every notation in which people and issuers write it. Recognised text is
//! compared with tolerance for what recognition confuses; a PDF's own text is not.

mod alike;
mod near;
#[cfg(test)]
mod tests;

use sealwright_plugin_sdk::{
    findings::Place,
    reading::{Amount, Cell, Date, find_amounts, fold, text::squeeze},
};

pub(crate) use self::alike::without_legal_form;
use self::alike::{
    digits_of, is_behind_letters, is_misread_account, looks_like, looks_like_digits, numbers, spaced_digits,
};
use crate::{
    compare::{amount, as_seen, distance, same_nationality, spelled, words_of_name},
    date,
    fields::Kind,
    labelled::is_recognised,
    value,
};

/// Where an entered value is on the pages.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    /// The index of its cell, or of the first one.
    pub(crate) cell: usize,
    /// What is before it in its cell, folded.
    pub(crate) before: String,
    /// How sure it is: 0 to 100.
    pub(crate) score: u8,
}

/// The cells of all pages, as lines of words.
pub(crate) struct Pages<'c> {
    pub(crate) cells: &'c [Cell],
    /// Texts that belong together: the cells of a line, and cells with those below them.
    runs: Vec<Vec<Word>>,
    /// Whether dates on it have the month first.
    month_first: bool,
}

/// A word and its cell.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) folded: String,
    /// In its short form: `bd` for `boulevard`. Empty if it may be left out.
    short: String,
    pub(crate) cell: usize,
}

/// Recognised text with at least this confidence is hardly ever misread.
const SURE: u8 = 88;

impl<'c> Pages<'c> {
    pub(crate) fn new(cells: &'c [Cell]) -> Self {
        let words = |cell: usize| -> Vec<Word> {
            let words = cells[cell].folded.split(' ').filter(|word| !word.is_empty());
            words.map(|word| Word { folded: word.to_owned(), short: squeeze(&spelled(word)), cell }).collect()
        };
        let mut runs: Vec<Vec<Word>> = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            let goes_on =
                index > 0 && cells[index - 1].is_next_to(cell) && cells[index - 1].area.left <= cell.area.left;
            match runs.last_mut() {
                Some(run) if goes_on => run.extend(words(index)),
                _ => runs.push(words(index)),
            }
        }
        // A name or an address may go on in the next line of its column.
        for index in 0..cells.len() {
            if let Some(below) = below(index, cells) {
                runs.push(words(index).into_iter().chain(words(below)).collect());
            }
        }
        Self { cells, runs, month_first: date::is_month_first(cells) }
    }

    /// Texts that belong together.
    pub(crate) fn runs(&self) -> &[Vec<Word>] {
        &self.runs
    }

    /// Where the entered value is; the surest first.
    pub(crate) fn find(&self, kind: Kind, entered: &str) -> Vec<Occurrence> {
        let mut found = match kind {
            Kind::Date => self.dates(entered),
            Kind::Amount => self.amounts(entered),
            Kind::Account => self.codes(entered, true),
            Kind::Bank => self.bank(entered),
            Kind::Number | Kind::PostCode => self.codes(entered, false),
            Kind::Name => self.names(entered),
            Kind::Street => self.phrase(&spelled(entered)),
            Kind::Town | Kind::Text => self.text(entered),
            Kind::Nationality => self.nationality(entered),
        };
        found.sort_by_key(|occurrence| std::cmp::Reverse(occurrence.score));
        found
    }

    pub(crate) fn place(&self, occurrence: &Occurrence) -> Place {
        let cell = &self.cells[occurrence.cell];
        Place { page: cell.page, area: Some(cell.place) }
    }

    /// Whether a letter may be misread.
    fn recognised(&self, cell: usize) -> bool {
        is_recognised(&self.cells[cell]) && self.cells[cell].confidence < SURE
    }

    /// How many letters of a phrase may be misread, if any may. Recognition is sure of its words one by one, and even
    /// then wrong in one letter of a long name.
    fn misread_letters(&self, cell: usize, length: usize) -> Option<usize> {
        if length >= 5 && self.recognised(cell) {
            Some(length / 7)
        } else if length >= 12 && is_recognised(&self.cells[cell]) {
            Some(length / 12)
        } else {
            None
        }
    }

    fn at(&self, cell: usize, before: &str, score: u8) -> Occurrence {
        Occurrence { cell, before: fold(before), score: score.min(self.cells[cell].confidence.max(40)) }
    }

    fn dates(&self, entered: &str) -> Vec<Occurrence> {
        let Some(entered) = date::entered(entered, self.month_first) else { return Vec::new() };
        let mut found = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            for (day, range) in date::find(&cell.text, self.month_first) {
                if day == entered {
                    found.push(self.at(index, &cell.text[..range.start], 95));
                }
            }
            if self.recognised(index)
                && value::accepted_as_misread(Kind::Date, &cell.text).and_then(|day| Date::read(&day)) == Some(entered)
            {
                found.push(self.at(index, "", 80));
            }
        }
        if found.is_empty() {
            // Boxes for each figure, or columns for day, month and year.
            for run in &self.runs {
                let text = run.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ");
                let days = date::find(&text, self.month_first);
                if let Some((_, range)) = days.into_iter().find(|(day, _)| *day == entered) {
                    let cell = self.cell_at(run, range.start);
                    found.push(self.at(cell, &text[..range.start], 75));
                } else if let Some(at) = spaced_digits(&text, &entered.digits()) {
                    found.push(self.at(self.cell_at(run, at), &text[..at], 70));
                }
            }
        }
        found
    }

    /// The cell of the word at a byte of the run's words, joined by spaces.
    #[expect(clippy::unused_self, reason = "reads like its neighbours")]
    fn cell_at(&self, run: &[Word], at: usize) -> usize {
        let mut end = 0;
        let word = run.iter().find(|word| {
            end += word.folded.len() + 1;
            end > at
        });
        word.or(run.last()).map_or(0, |word| word.cell)
    }

    fn amounts(&self, entered: &str) -> Vec<Occurrence> {
        let Some(entered) = amount(entered) else { return Vec::new() };
        let mut found = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            for (Amount(cents), range) in find_amounts(&cell.text) {
                if cents.abs() == entered.abs() {
                    found.push(self.at(index, &cell.text[..range.start], 95));
                }
            }
        }
        if !found.is_empty() {
            return found;
        }
        // Without its currency a whole amount looks like any number, and recognition breaks groups and decimals.
        let digits = format!("{:03}", entered.abs());
        let (whole, cents) = digits.split_at(digits.len() - 2);
        for (index, cell) in self.cells.iter().enumerate() {
            let joined: Vec<String> = numbers(&cell.text);
            let whole_alone = cents == "00" && joined.iter().any(|number| number == whole);
            let broken = self.recognised(index) && joined.contains(&digits);
            if whole_alone || broken {
                found.push(self.at(index, "", 70));
            }
        }
        if found.is_empty() {
            let separate = |run: &Vec<Word>| {
                let is_split =
                    |pair: &&[Word]| pair[0].cell != pair[1].cell && pair[0].folded == whole && pair[1].folded == cents;
                run.windows(2).find(is_split).map(|pair| pair[0].cell)
            };
            found.extend(self.runs.iter().filter_map(separate).map(|cell| self.at(cell, "", 60)));
        }
        found
    }

    /// A number of letters and digits: whole words of a line that are it together.
    fn codes(&self, entered: &str, is_account: bool) -> Vec<Occurrence> {
        let wanted = squeeze(entered);
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for run in &self.runs {
            for start in 0..run.len() {
                let mut joined = String::new();
                for word in &run[start..] {
                    joined.push_str(&word.folded);
                    let recognised = self.recognised(run[start].cell);
                    if joined.len() > wanted.len() + 6 {
                        break;
                    }
                    let score = if joined == wanted || is_behind_letters(&joined, &wanted) {
                        95
                    } else if recognised && looks_like(&joined) == looks_like(&wanted) {
                        80
                    } else if is_account && recognised && is_misread_account(&joined, &wanted) {
                        70
                    } else {
                        continue;
                    };
                    let before = run[..start].iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ");
                    found.push(self.at(run[start].cell, &before, score));
                    break;
                }
            }
        }
        found
    }

    /// A BIC of eight characters means the head office, `XXX`.
    fn bank(&self, entered: &str) -> Vec<Occurrence> {
        let wanted = squeeze(entered);
        let head = wanted.strip_suffix("xxx").filter(|head| head.len() == 8).unwrap_or(&wanted);
        let mut found = self.codes(head, false);
        if head.len() == 8 {
            found.extend(self.codes(&format!("{head}xxx"), false));
        }
        found
    }

    /// The words of a name, in any order, close together.
    fn names(&self, entered: &str) -> Vec<Occurrence> {
        let wanted = words_of_name(entered);
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for run in &self.runs {
            let places: Option<Vec<usize>> =
                wanted.iter().map(|name| (0..run.len()).find(|at| self.is_alike(&run[*at..], name))).collect();
            let Some(places) = places else { continue };
            let (Some(first), Some(last)) = (places.iter().min(), places.iter().max()) else { continue };
            if last - first < wanted.len() + 3 {
                found.push(self.at(run[*first].cell, "", 90));
            }
        }
        found.extend(self.phrase(&squeeze(entered)));
        found
    }

    /// Whether the first word, alone or with the next one (`O'Brien`), is the wanted one.
    fn is_alike(&self, words: &[Word], wanted: &str) -> bool {
        let Some(word) = words.first() else { return false };
        let joined = || words.get(1).is_some_and(|next| wanted.strip_prefix(&word.folded) == Some(&next.folded));
        word.folded == wanted
            || joined()
            || self.recognised(word.cell) && {
                let (seen, meant) = (as_seen(&word.folded), as_seen(wanted));
                let most = meant.chars().count() / 5;
                seen.chars().count().abs_diff(meant.chars().count()) <= most && distance(&seen, &meant) <= most
            }
    }

    fn text(&self, entered: &str) -> Vec<Occurrence> {
        let whole = self.phrase(&spelled(entered));
        if !whole.is_empty() {
            return whole;
        }
        let without = without_legal_form(&fold(entered));
        if without.len() >= 4 { self.phrase(&without) } else { whole }
    }

    /// Words that follow each other, wherever words are split or joined.
    fn phrase(&self, phrase: &str) -> Vec<Occurrence> {
        let wanted = squeeze(phrase);
        if wanted.chars().filter(|letter| letter.is_alphanumeric()).count() < 2 {
            return Vec::new();
        }
        let meant = as_seen(&wanted);
        let length = meant.chars().count();
        let figures = digits_of(&wanted);
        let mut found = Vec::new();
        for run in &self.runs {
            for start in 0..run.len() {
                let most = self.misread_letters(run[start].cell, length);
                let (mut joined, mut short) = (String::new(), String::new());
                for word in &run[start..] {
                    joined.push_str(&word.folded);
                    short.push_str(&word.short);
                    if joined == wanted || short == wanted {
                        found.push(self.at(run[start].cell, "", 95));
                        break;
                    }
                    // Long documents have tens of thousands of words.
                    let goes_on = wanted.starts_with(&joined) || wanted.starts_with(&short);
                    if joined.len() > wanted.len() + 8 || !goes_on && most.is_none() {
                        break;
                    }
                    let is_near = |joined: &str, most: usize| {
                        let seen = as_seen(joined);
                        seen.chars().count().abs_diff(length) <= most
                            && digits_of(&looks_like_digits(joined, &figures)) == figures
                            && distance(&seen, &meant) <= most
                    };
                    if most.is_some_and(|most| is_near(&joined, most) || is_near(&short, most)) {
                        found.push(self.at(run[start].cell, "", 75));
                        break;
                    }
                }
            }
        }
        found
    }

    fn nationality(&self, entered: &str) -> Vec<Occurrence> {
        let mut found = Vec::new();
        for run in &self.runs {
            for start in 0..run.len() {
                for length in 1..=3.min(run.len() - start) {
                    let words = run[start..start + length].iter().map(|word| word.folded.as_str());
                    let words = words.collect::<Vec<_>>().join(" ");
                    // A code of two letters is also a word of every language.
                    if words.len() > 2 && same_nationality(&fold(entered), &words) {
                        found.push(self.at(run[start].cell, "", 85));
                    }
                }
            }
        }
        found
    }
}

fn centre(cell: &Cell) -> i32 {
    i32::midpoint(cell.area.left, cell.area.right())
}

/// The cell just below with the same left edge or centre.
fn below(index: usize, cells: &[Cell]) -> Option<usize> {
    let cell = &cells[index];
    let reach = i32::try_from(cell.area.height).unwrap_or(1_000).saturating_mul(5) / 2;
    let candidates = cells.iter().enumerate().skip(index + 1).take(60).filter(|(_, other)| {
        let down = other.middle() - cell.middle();
        other.page == cell.page
            && down > i32::try_from(cell.area.height / 2).unwrap_or(0)
            && down <= reach
            && (other.area.left.abs_diff(cell.area.left) < cell.area.height.max(800)
                || centre(other).abs_diff(centre(cell)) < cell.area.height.max(800))
    });
    candidates.min_by_key(|(_, other)| other.middle()).map(|(index, _)| index)
}
