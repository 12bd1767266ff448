//! Text recognition by Tesseract, a separate program that is killed if it takes too long. It is optional: without it,
//! the facts list the pages that were not read.

mod askew;
mod lines;
mod reread;
mod rules;
mod strip;
mod unread;

use std::{
    borrow::Cow,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use sealwright_child_process::{Bounds, Cause, run};
use serde::{Deserialize, Serialize};

use lines::Word;

use crate::{
    image::plane::{Plane, to_f64},
    model::{Area, TextRun},
};

/// What was read, and what was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OcrFacts {
    pub state: OcrState,
    /// As Tesseract names them: `eng`, `fra`.
    pub languages: Vec<String>,
    /// Pages (from 1) that were read.
    pub recognised: Vec<u32>,
    /// Pages whose text is in a picture, or that show no text, and that were not read.
    pub unread: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OcrState {
    /// All text is the file's own, or recognition was not requested.
    NotNeeded,
    /// It was needed but is not installed.
    Unavailable,
    Ran,
    /// Some page took too long.
    TimedOut,
    /// The program failed on some page, or a page could not be drawn.
    Failed,
}

impl OcrFacts {
    pub(crate) fn not_needed() -> Self {
        Self { state: OcrState::NotNeeded, languages: Vec::new(), recognised: Vec::new(), unread: Vec::new() }
    }
}

/// The program installed on this machine.
#[derive(Clone, Debug)]
pub struct Tesseract {
    program: PathBuf,
    languages: Vec<String>,
    /// The time limits for one page, and for all pages of a file.
    page_time: Duration,
    file_time: Duration,
}

/// The characters of a machine-readable zone.
const ZONE: &str = "tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<";
/// Ink is what is darker than its surroundings (Sauvola). By default one threshold for the whole picture separates ink
/// from paper, and a grey card on white paper is all ink.
const LOCAL_THRESHOLD: &str = "thresholding_method=2";
/// A page with fewer letters that are sure, or with a smaller share of them than 7 in 10, is read a second time.
const FEW_LETTERS: usize = 100;
/// In percent.
const SURE: f64 = 80.0;
/// The time limit for reading the doubtful pieces of a page again.
const SECOND_LOOK: Duration = Duration::from_secs(15);
/// Larger pictures gain nothing.
const MAX_PIXELS: usize = 9_000_000;

impl Tesseract {
    /// The languages of the product's documents, the more frequent one first.
    pub const LANGUAGES: [&str; 2] = ["fra", "eng"];

    /// The program in `PATH`, if it is installed with at least one of the languages.
    pub fn installed() -> Option<Self> {
        let program = std::env::split_paths(&std::env::var_os("PATH")?)
            .map(|folder| folder.join("tesseract"))
            .find(|program| program.is_file())?;
        let bounds = Bounds { time: Duration::from_secs(10), output_bytes: 64 * 1024, own_group: false };
        let listed = run(Command::new(&program).arg("--list-langs"), b"", bounds).ok()?;
        let listed = String::from_utf8_lossy(&listed.ok()?).into_owned();
        let languages: Vec<String> = Self::LANGUAGES
            .iter()
            .filter(|language| listed.lines().any(|line| line.trim() == **language))
            .map(|language| (*language).to_owned())
            .collect();
        let (page_time, file_time) = (Duration::from_secs(40), Duration::from_mins(2));
        (!languages.is_empty()).then_some(Self { program, languages, page_time, file_time })
    }

    pub fn program(&self) -> &std::path::Path {
        &self.program
    }

    pub fn languages(&self) -> &[String] {
        &self.languages
    }
}

/// Text recognition for one file, within the time that is left.
pub(crate) struct Reader<'t> {
    tesseract: &'t Tesseract,
    ends: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    TimedOut,
    Failed,
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// A page of paper: it is straightened and its rules are removed, and doubtful pieces are read twice. Pieces of
    /// text are looked for everywhere: in its mode for columns and paragraphs, the program takes small isolated text
    /// such as labels, or text between the rules of a table, for dirt or a drawing.
    Text,
    /// A photograph: pieces of text anywhere, in the picture as it is. In uneven light, straightening and removing
    /// rules does not pay off.
    ScatteredText,
    /// A machine-readable zone, as it is: its rows of `<` look like rules.
    MachineReadableZone,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(tesseract: &'t Tesseract) -> Self {
        Self { tesseract, ends: Instant::now() + tesseract.file_time }
    }

    /// The lines of a picture. `scale` is in dots per point of the page; `origin` is the picture's place on its page.
    pub(crate) fn read(
        &self,
        plane: &Plane,
        scale: f64,
        origin: Area,
        alphabet: Alphabet,
    ) -> Result<Vec<TextRun>, Failure> {
        let times = plane.values.len().div_ceil(MAX_PIXELS).max(1);
        let root = times.isqrt();
        let step = root + usize::from(root * root < times);
        let reduced = if step > 1 { Some(plane.reduced(step)) } else { None };
        let shown = reduced.as_ref().unwrap_or(plane);
        let is_paper = alphabet == Alphabet::Text;
        let (askew, halves) = if is_paper { (askew::slope(shown), askew::halves(shown)) } else { (0.0, 2) };
        let straight = askew::straightened(shown, askew, halves);
        let without_rules = if is_paper { rules::without_rules(&straight) } else { Cow::Borrowed(&*straight) };
        let picture = &*without_rules;
        let scale = scale / to_f64(step as u64);
        // A photograph has no points: each dot counts as one. With too few dots per inch, small letters are taken for
        // dirt.
        let dots = format!("{:.0}", (scale * 36.0 * if halves == 3 { 3.0 } else { 2.0 }).clamp(150.0, 600.0));
        let languages = self.tesseract.languages.join("+");
        let file = [format!("P5\n{} {}\n255\n", picture.width, picture.height).as_bytes(), &picture.values].concat();
        let words = match alphabet {
            Alphabet::Text | Alphabet::ScatteredText => self.scattered(&dots, &languages, &file)?,
            Alphabet::MachineReadableZone => {
                let language = self.tesseract.languages.last().map_or("eng", String::as_str);
                let mut command = self.command(&dots);
                command.args(["-l", language, "--psm", "6", "-c", ZONE]);
                lines::words(&self.table(command, &file, self.tesseract.page_time)?)
            }
        };
        let slope = lines::slope(&words);
        let mut pieces = lines::pieces(words);
        if is_paper {
            self.look_again(picture, &mut pieces, slope, &languages);
        }
        Ok(lines::runs(&pieces, askew + slope, |place| askew::seen(place, askew, halves, shown), (scale, origin)))
    }

    /// The words anywhere in a picture. If few of them are sure, they are read once more with one threshold for the whole
    /// picture, which suits faint print on even paper, and the better reading counts.
    fn scattered(&self, dots: &str, languages: &str, file: &[u8]) -> Result<Vec<Word>, Failure> {
        let read = |threshold: Option<&str>, time: Duration| {
            let mut command = self.command(dots);
            command.args(["-l", languages, "--psm", "11"]);
            if let Some(threshold) = threshold {
                command.args(["-c", threshold]);
            }
            Ok(lines::words(&self.table(command, file, time)?))
        };
        let words = read(Some(LOCAL_THRESHOLD), self.tesseract.page_time)?;
        let (sure, all) = (letters(&words, SURE), letters(&words, 0.0));
        if sure >= FEW_LETTERS && sure * 10 >= all * 7 {
            return Ok(words);
        }
        let Ok(others) = read(None, SECOND_LOOK) else { return Ok(words) };
        Ok(if letters(&others, SURE) * 20 > sure * 21 { others } else { words })
    }

    /// Reads doubtful pieces again, and what was not read at all. If anything fails, the first reading is kept.
    fn look_again(&self, picture: &Plane, pieces: &mut Vec<lines::Piece>, slope: f64, languages: &str) {
        let doubtful = reread::doubtful(pieces, slope);
        let unread = unread::places(picture, pieces, slope);
        if doubtful.is_empty() && unread.is_empty() {
            return;
        }
        let places: Vec<lines::Spot> =
            doubtful.iter().map(|index| pieces[*index].place).chain(unread.iter().copied()).collect();
        let mut command = self.command("300");
        command.args(["-l", languages, "--psm", "7"]);
        if let Ok(table) = self.table(command, &strip::strips(picture, &places, slope), SECOND_LOOK) {
            reread::merge_readings(pieces, &doubtful, &unread, &lines::words(&table));
        }
    }

    fn command(&self, dots_an_inch: &str) -> Command {
        let mut command = Command::new(&self.tesseract.program);
        command.env("OMP_THREAD_LIMIT", "1").args(["stdin", "stdout", "--dpi", dots_an_inch]);
        command.args(["-c", "tessedit_create_tsv=1"]);
        command
    }

    /// Runs the program on a picture.
    fn table(&self, mut command: Command, file: &[u8], at_most: Duration) -> Result<String, Failure> {
        let time = self.ends.saturating_duration_since(Instant::now()).min(at_most);
        if time.is_zero() {
            return Err(Failure::TimedOut);
        }
        let bounds = Bounds { time, output_bytes: 16 << 20, own_group: false };
        match run(&mut command, file, bounds) {
            Ok(Ok(output)) => Ok(String::from_utf8_lossy(&output).into_owned()),
            Ok(Err(failure)) if failure.cause == Cause::OutOfTime => Err(Failure::TimedOut),
            Ok(Err(_)) | Err(_) => Err(Failure::Failed),
        }
    }
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
            let (askew, halves) = (askew::slope(&plane), askew::halves(&plane));
            for slope in [askew, 0.06, -0.06] {
                let straight = askew::straightened(&plane, slope, halves);
                assert_eq!(straight.values.len(), straight.width * straight.height);
                let clean = rules::without_rules(&straight);
                assert_eq!((clean.width, clean.height), (straight.width, straight.height));
            }
        }
    }
}
