//! Reads the pictures of one file: pages, and machine-readable zones.

use std::{
    borrow::Cow,
    process::Command,
    time::{Duration, Instant},
};

use super::{
    Language, Tesseract, askew,
    inked::InkedPart,
    language,
    lines::{self, Piece, Spot, Word},
    paper,
    program::output,
    reread, rules, strip, unread,
};
use crate::{
    image::plane::{Plane, to_f64},
    model::{Area, TextRun},
};

/// The characters of a machine-readable zone.
const ZONE: &str = "tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<";
/// In its mode for columns and paragraphs, the program takes small isolated text such as labels, or text between the
/// rules of a table, for dirt or a drawing.
const ANYWHERE: &str = "11";
/// Only the script is detected.
const SCRIPT: &str = "0";
const BLOCK: &str = "6";
const LINE: &str = "7";
/// Ink is what is darker than its surroundings (Sauvola). By default one threshold for the whole picture separates ink
/// from paper (Otsu), and a grey card on white paper is all ink.
const LOCAL_THRESHOLD: &str = "thresholding_method=2";
/// A page with fewer letters that are sure, or with a smaller share of them than 7 in 10, is read a second time.
const FEW_LETTERS: usize = 100;
/// In percent.
const SURE: f64 = 80.0;
/// The time limit for a second reading of a page, and of its doubtful pieces.
const SECOND_LOOK: Duration = Duration::from_secs(15);
/// Larger pictures gain nothing.
const MAX_PIXELS: usize = 9_000_000;

/// Text recognition for one file, within the time that is left.
pub(crate) struct Reader<'t> {
    tesseract: &'t Tesseract,
    ends: Instant,
    /// The language of the last page that showed one. The next page is read in it first.
    language: &'static Language,
    /// The languages that pages were read in.
    used: Vec<&'static Language>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    TimedOut,
    Failed,
}

/// What a picture shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surface {
    /// A page of paper: it is straightened and its rules are removed, and doubtful pieces are read again.
    Paper,
    /// A picture of paper in even light, as it is: only doubtful pieces are read again.
    Sheet,
    /// A photograph: pieces of text anywhere, in the picture as it is. In uneven light, straightening and removing
    /// rules does not pay off.
    Photograph,
}

/// What was read on a page.
pub(crate) struct PageReading {
    pub(crate) runs: Vec<TextRun>,
    /// Its language, and whether it was read in it; `None` if its words do not show it.
    pub(crate) language: Option<(String, bool)>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(tesseract: &'t Tesseract) -> Self {
        let ends = Instant::now() + tesseract.file_time;
        Self { tesseract, ends, language: tesseract.first_language(), used: Vec::new() }
    }

    /// The lines of a page. `scale` is in dots per point of the page.
    pub(crate) fn page(&mut self, plane: &Plane, scale: f64, surface: Surface) -> Result<PageReading, Failure> {
        let reduced = reduced(plane);
        let shown = reduced.as_ref().map_or(plane, |(reduced, _)| reduced);
        let scale = reduced.as_ref().map_or(scale, |(_, step)| scale / to_f64(*step as u64));
        let is_paper = surface == Surface::Paper;
        let askew = if is_paper { askew::slope(shown) } else { 0.0 };
        let sixths = askew::sixths(shown, is_paper);
        let straight = askew::straightened(shown, askew, sixths);
        let without_rules = if is_paper { rules::without_rules(&straight) } else { Cow::Borrowed(&*straight) };
        let clear = if surface == Surface::Photograph {
            Cow::Borrowed(&*without_rules)
        } else {
            paper::with_contrast(&without_rules)
        };
        let part = if surface == Surface::Photograph { None } else { InkedPart::of(&clear) };
        let picture = part.as_ref().map_or(&*clear, |part| &part.plane);
        let file = grey(picture);
        let dots = dots_an_inch(scale * f64::from(i32::try_from(sixths).unwrap_or(6)) / 6.0);
        let words = self.words(&dots, &file)?;
        let language = self.language_of(&words, &dots, &file);
        let slope = lines::slope(&words);
        let mut pieces = lines::pieces(words);
        if surface != Surface::Photograph {
            self.look_again(picture, &mut pieces, slope);
        }
        let runs = lines::runs(
            &pieces,
            askew + slope,
            |place| {
                let place = part.as_ref().map_or(place, |part| part.in_whole(place));
                askew::seen(place, askew, sixths, shown)
            },
            (scale, Area::default()),
        );
        Ok(PageReading { runs, language })
    }

    /// The lines of a machine-readable zone, as it is: its rows of `<` look like rules. `origin` is its place on the page.
    /// `only_its_letters`: with no others to choose from.
    pub(crate) fn zone(
        &self,
        plane: &Plane,
        scale: f64,
        origin: Area,
        only_its_letters: bool,
    ) -> Result<Vec<TextRun>, Failure> {
        let reduced = reduced(plane);
        let shown = reduced.as_ref().map_or(plane, |(reduced, _)| reduced);
        let scale = reduced.as_ref().map_or(scale, |(_, step)| scale / to_f64(*step as u64));
        let language = Language::of_code("eng").filter(|english| self.tesseract.has(english)).unwrap_or(self.language);
        let mode = if only_its_letters { BLOCK } else { ANYWHERE };
        let mut command = self.tesseract.command(&dots_an_inch(scale), language.code, mode);
        if only_its_letters {
            command.args(["-c", ZONE]);
        }
        let words = self.table(command, &grey(shown), self.tesseract.page_time)?;
        let slope = lines::slope(&words);
        Ok(lines::runs(&lines::pieces(words), slope, |place| place, (scale, origin)))
    }

    /// The languages that were used, as Tesseract names them, in the order of their first use.
    pub(crate) fn used(&self) -> Vec<String> {
        self.used.iter().map(|language| language.code.to_owned()).collect()
    }

    /// The words anywhere in a picture, in the language that they show, if it is installed. If few of them are sure, they
    /// are read once more with one threshold for the whole picture, which suits faint print on even paper. The better
    /// reading counts.
    fn words(&mut self, dots: &str, file: &[u8]) -> Result<Vec<Word>, Failure> {
        let language = self.language;
        let first = self.attempt(language, true, dots, file, self.tesseract.page_time)?;
        let (sure, all) = (letters(&first, SURE), letters(&first, 0.0));
        let is_doubtful = sure < FEW_LETTERS || sure * 10 < all * 7;
        let shown = language_of(&first).filter(|shown| self.tesseract.has(shown));
        // Every model has the letters of English, so it is worth a second reading only if the first one is not good.
        let is_foreign = shown.is_some_and(|shown| shown != language && (shown.code != "eng" || sure * 10 < all * 9));
        if let Some(shown) = shown {
            self.language = shown;
        }
        if !is_doubtful && !is_foreign {
            return Ok(first);
        }
        let other = shown.unwrap_or_else(|| self.tesseract.second_language());
        let Ok(second) = self.attempt(other, !is_doubtful, dots, file, SECOND_LOOK) else { return Ok(first) };
        let sure_again = letters(&second, SURE);
        let is_better = if is_foreign { sure_again >= sure } else { sure_again * 20 > sure * 21 };
        Ok(if is_better { second } else { first })
    }

    fn attempt(
        &mut self,
        language: &'static Language,
        is_local: bool,
        dots: &str,
        file: &[u8],
        time: Duration,
    ) -> Result<Vec<Word>, Failure> {
        let mut command = self.tesseract.command(dots, language.code, ANYWHERE);
        if is_local {
            command.args(["-c", LOCAL_THRESHOLD]);
        }
        let words = self.table(command, file, time)?;
        if !self.used.contains(&language) {
            self.used.push(language);
        }
        Ok(words)
    }

    /// The language of a page, and whether it is installed. If its words show none and were hardly readable, its script.
    fn language_of(&self, words: &[Word], dots: &str, file: &[u8]) -> Option<(String, bool)> {
        if let Some(language) = language_of(words) {
            return Some((language.name.to_owned(), self.tesseract.has(language)));
        }
        let (sure, all) = (letters(words, SURE), letters(words, 0.0));
        if !self.tesseract.has_scripts || all < FEW_LETTERS || sure * 2 > all {
            return None;
        }
        let mut command = self.tesseract.command(dots, "osd", SCRIPT);
        let answer = output(&mut command, file, self.time_left(SECOND_LOOK)).ok()?;
        language::script(&answer).map(|script| (format!("{script} script"), false))
    }

    /// Reads doubtful pieces again, and what was not read at all: those that a strip does not confirm in another size,
    /// too. If anything fails, the first reading is kept.
    fn look_again(&self, picture: &Plane, pieces: &mut Vec<Piece>, slope: f64) {
        let doubtful = reread::doubtful(pieces, slope);
        let unread = unread::places(picture, pieces, slope);
        let places: Vec<Spot> =
            doubtful.iter().map(|index| pieces[*index].place).chain(unread.iter().copied()).collect();
        let read = |places: &[Spot], height: i64| {
            if places.is_empty() {
                return Some(Vec::new());
            }
            let command = self.tesseract.command("300", self.language.code, LINE);
            self.table(command, &strip::strips(picture, places, slope, height), SECOND_LOOK).ok()
        };
        let Some(first) = read(&places, strip::HEIGHTS[0]) else { return };
        let open = reread::open(pieces, &doubtful, &unread, &first);
        let again: Vec<Spot> = open.iter().map(|turn| places[*turn]).collect();
        let second = read(&again, strip::HEIGHTS[1]).unwrap_or_default();
        reread::merge_readings(pieces, (&doubtful, &unread), &first, (&open, &second));
    }

    /// Runs the program on a picture.
    fn table(&self, mut command: Command, file: &[u8], at_most: Duration) -> Result<Vec<Word>, Failure> {
        command.args(["-c", "tessedit_create_tsv=1"]);
        Ok(lines::words(&output(&mut command, file, self.time_left(at_most))?))
    }

    fn time_left(&self, at_most: Duration) -> Duration {
        self.ends.saturating_duration_since(Instant::now()).min(at_most)
    }
}

/// A picture that is too large, reduced, and how many dots each way became one.
fn reduced(plane: &Plane) -> Option<(Plane, usize)> {
    let times = plane.values.len().div_ceil(MAX_PIXELS).max(1);
    let root = times.isqrt();
    let step = root + usize::from(root * root < times);
    (step > 1).then(|| (plane.reduced(step), step))
}

/// A PGM file.
fn grey(picture: &Plane) -> Vec<u8> {
    [format!("P5\n{} {}\n255\n", picture.width, picture.height).as_bytes(), &picture.values].concat()
}

/// A photograph has no points: each dot counts as one. With too few dots per inch, small letters are taken for dirt.
fn dots_an_inch(scale: f64) -> String {
    format!("{:.0}", (scale * 72.0).clamp(150.0, 600.0))
}

fn language_of(words: &[Word]) -> Option<&'static Language> {
    language::of(words.iter().filter(|word| word.confidence >= 50.0).map(|word| word.text.as_str()))
}

/// How many letters and digits were read with at least this confidence.
fn letters(words: &[Word], confidence: f64) -> usize {
    let is_sure = |word: &&Word| word.confidence >= confidence;
    words.iter().filter(is_sure).flat_map(|word| word.text.chars()).filter(|letter| letter.is_alphanumeric()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_every_shape_are_prepared() {
        for (width, height) in [(0, 0), (1, 1), (2, 2), (1, 40_000), (40_000, 1), (3, 20_000), (700, 9), (9, 700)] {
            let values = (0..width * height).map(|at| if at / 5 % 2 == 0 { 10 } else { 250 }).collect();
            let plane = Plane { width, height, values };
            let askew = askew::slope(&plane);
            for (slope, sixths) in [(askew, askew::sixths(&plane, true)), (0.06, 4), (-0.06, 9)] {
                let straight = askew::straightened(&plane, slope, sixths);
                assert_eq!(straight.values.len(), straight.width * straight.height);
                let clean = rules::without_rules(&straight);
                assert_eq!((clean.width, clean.height), (straight.width, straight.height));
            }
        }
    }
}
