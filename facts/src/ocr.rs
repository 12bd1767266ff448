//! Text recognition by Tesseract, a program of its own that is killed when it takes too long. It is optional: without it
//! the facts say which pages nobody read.

mod lines;

use std::{
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use self::lines::lines;
use crate::{
    image::plane::{Plane, to_f64},
    model::{Area, TextRun},
    process::{Bounds, Outcome, run},
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
    /// Pages that have their text in a picture, or none that could be seen, and were not read.
    pub unread: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OcrState {
    /// All text is the file's own, or nobody asked for it.
    NotNeeded,
    /// It would have been needed and is not installed.
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

/// The program as it is installed here.
#[derive(Clone, Debug)]
pub struct Tesseract {
    program: PathBuf,
    languages: Vec<String>,
    /// For one page, and for all pages of a file.
    page_time: Duration,
    file_time: Duration,
}

/// The characters of a machine-readable zone.
const ZONE: &str = "tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<";
/// Larger pictures gain nothing.
const MAX_PIXELS: usize = 9_000_000;

impl Tesseract {
    /// Those of the product's documents, the more frequent one first.
    pub const LANGUAGES: [&str; 2] = ["fra", "eng"];

    /// The program in `PATH`, if it is there and has one of the languages at least.
    pub fn installed() -> Option<Self> {
        let program = std::env::split_paths(&std::env::var_os("PATH")?)
            .map(|folder| folder.join("tesseract"))
            .find(|program| program.is_file())?;
        let bounds = Bounds { time: Duration::from_secs(10), output_bytes: 64 * 1024, own_group: false };
        let listed = run(Command::new(&program).arg("--list-langs"), b"", bounds).ok()?;
        let Outcome::Ended { output, .. } = listed else { return None };
        let listed = String::from_utf8_lossy(&output).into_owned();
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

/// The time that is left for one file.
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
    /// Of a page that lies as it was printed: columns and paragraphs are told apart.
    Text,
    /// Of a photograph: pieces of text wherever they stand. In uneven light and at an angle, what is small and stands alone
    /// is else taken for dirt, and that is what labels are.
    ScatteredText,
    MachineReadableZone,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(tesseract: &'t Tesseract) -> Self {
        Self { tesseract, ends: Instant::now() + tesseract.file_time }
    }

    /// The lines of a picture. `scale` is how many of its dots a point of the page has; `origin` is where the picture
    /// stands on its page.
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
        let reduced = if step > 1 { Some(reduce(plane, step)) } else { None };
        let picture = reduced.as_ref().unwrap_or(plane);
        let scale = scale / to_f64(step as u64);
        let time = self.ends.saturating_duration_since(Instant::now()).min(self.tesseract.page_time);
        if time.is_zero() {
            return Err(Failure::TimedOut);
        }
        let bounds = Bounds { time, output_bytes: 16 << 20, own_group: false };
        // A photograph knows no points: it has one for each dot. Too few dots an inch make dirt of small letters.
        let dots = format!("{:.0}", (scale * 72.0).clamp(150.0, 600.0));
        let mut command = Command::new(&self.tesseract.program);
        command.env("OMP_THREAD_LIMIT", "1").args(["stdin", "stdout", "--dpi", &dots]);
        let languages = self.tesseract.languages.join("+");
        match alphabet {
            Alphabet::Text => command.args(["-l", &languages, "--psm", "3"]),
            Alphabet::ScatteredText => command.args(["-l", &languages, "--psm", "11"]),
            Alphabet::MachineReadableZone => {
                let language = self.tesseract.languages.last().map_or("eng", String::as_str);
                command.args(["-l", language, "--psm", "6", "-c", ZONE])
            }
        };
        command.args(["-c", "tessedit_create_tsv=1"]);
        let file = [format!("P5\n{} {}\n255\n", picture.width, picture.height).as_bytes(), &picture.values].concat();
        match run(&mut command, &file, bounds) {
            Ok(Outcome::Ended { status, output, .. }) if status.success() => {
                Ok(lines(&String::from_utf8_lossy(&output), scale, origin))
            }
            Ok(Outcome::TimedOut) => Err(Failure::TimedOut),
            Ok(_) | Err(_) => Err(Failure::Failed),
        }
    }
}

/// The mean of squares of so many dots.
pub(crate) fn reduce(plane: &Plane, step: usize) -> Plane {
    let (width, height) = (plane.width / step, plane.height / step);
    let mut values = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let sum: usize = (0..step)
                .flat_map(|row| &plane.row(y * step + row)[x * step..(x + 1) * step])
                .map(|&value| usize::from(value))
                .sum();
            values.push(u8::try_from(sum / (step * step)).unwrap_or(255));
        }
    }
    Plane { width, height, values }
}
