//! The processor time of a scanned page, against plain Tesseract on the same picture with the same languages; and that of
//! a document with its own text.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, ensure};
use sealwright::facts::prepare;
use sealwright_facts::{child::FactsScope, ocr::Tesseract};

use crate::{
    ROUNDS,
    report::{Figure, Goal, Samples, Unit},
};

/// A core may spend this many milliseconds on a scanned page, and on a document with its own text.
const MOST_OF_SCAN: f64 = 900.0;
const MOST_OF_TEXT: f64 = 25.0;
/// The kernel counts in steps of 10 ms, so that a text is read many times.
const TEXTS: u32 = 20;

/// A document with its own text, with the process that reads it.
pub(super) fn measure_text(program: &Path, file: &[u8]) -> anyhow::Result<Figure> {
    let mut own = Samples::new(Unit::Milliseconds);
    for _ in 0..ROUNDS {
        let before = of_children()?;
        for _ in 0..TEXTS {
            let facts = prepare(program, file, FactsScope::Text, "")?;
            ensure!(facts.ocr.recognised.is_empty() && !facts.pages.is_empty(), "{:?}", facts.ocr);
        }
        own.push((of_children()? - before) / f64::from(TEXTS));
    }
    let what = "processor time of a document with its text".to_owned();
    Ok(Figure { what, measured: own, against: None, goal: Some(Goal::AtMost(MOST_OF_TEXT)) })
}

/// `scan` is a PDF file whose pages show one JPEG each. Plain Tesseract reads the first one.
pub(super) fn measure(program: &Path, scan: &[u8], tesseract: &Tesseract) -> anyhow::Result<[Figure; 2]> {
    let picture = jpeg(scan).context("the scan shows no JPEG")?;
    let [mut own, mut plain] = [const { Samples::new(Unit::Milliseconds) }; 2];
    for _ in 0..ROUNDS {
        let before = of_children()?;
        let facts = prepare(program, scan, FactsScope::Text, "")?;
        ensure!(facts.ocr.recognised.first() == Some(&1), "{:?}", facts.ocr);
        let pages = f64::from(u32::try_from(facts.ocr.recognised.len())?);
        let between = of_children()?;
        run(tesseract.program(), picture)?;
        own.push((between - before) / pages);
        plain.push(of_children()? - between);
    }
    let figure = |measured, against, goal| Figure {
        what: "processor time of a scanned page".to_owned(),
        measured,
        against,
        goal: Some(Goal::AtMost(goal)),
    };
    Ok([
        figure(own.clone(), None, MOST_OF_SCAN),
        figure(own, Some(("plain Tesseract, French and English", plain)), 1.0),
    ])
}

fn jpeg(file: &[u8]) -> Option<&[u8]> {
    const END: &[u8] = b"endstream";
    let picture = &file[file.windows(3).position(|bytes| bytes == b"\xFF\xD8\xFF")?..];
    let end = picture.windows(END.len()).position(|bytes| bytes == END)?;
    Some(&picture[..end])
}

fn run(tesseract: &Path, picture: &[u8]) -> anyhow::Result<()> {
    let mut command = Command::new(tesseract);
    command.env("OMP_THREAD_LIMIT", "1").args(["stdin", "stdout", "-l", "fra+eng"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().context("starting Tesseract")?;
    let mut input = child.stdin.take().context("no input")?;
    input.write_all(picture)?;
    drop(input);
    let output = child.wait_with_output()?;
    ensure!(output.status.success() && !output.stdout.is_empty(), "Tesseract read nothing: {}", output.status);
    Ok(())
}

/// The processor time of all children that have ended, and of theirs, in milliseconds (`proc_pid_stat(5)`; a tick is
/// 10 ms on every architecture that Linux runs a server on).
fn of_children() -> anyhow::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("only Linux reports processor time")?;
    let (_, fields) = stat.rsplit_once(')').context("no name")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    // The fields after the name start with the third; 16 and 17 are those of children.
    let ticks = |number: usize| Ok::<f64, anyhow::Error>(fields.get(number - 3).context("too short")?.parse()?);
    Ok((ticks(16)? + ticks(17)?) * 10.0)
}
