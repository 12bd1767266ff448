//! The detector as native code, for the benchmarks: for each line on standard input it examines the document once and
//! writes the time that this took, in nanoseconds. The document is that of `tests/benches/plugin/detector.rs`.

#[path = "../../../tests/benches/plugin/words.rs"]
mod words;

use std::{
    io::{self, BufRead as _, Write as _},
    time::Instant,
};

use document_types::DocumentTypes;
use sealwright_plugin_sdk::{
    document_type::Detector as _,
    facts::{Document, PageFacts, TextRun},
};
use words::text;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u32>());
    let (Some(Ok(pages)), Some(Ok(lines))) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("expected the number of pages, and of lines on each"));
    };
    let document = document(pages, lines);
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        line?;
        let started = Instant::now();
        let candidates =
            DocumentTypes::detect(&document, "{}").map_err(|error| io::Error::other(format!("{error:?}")))?;
        let took = started.elapsed().as_nanos();
        let best = candidates.first().map_or("nothing", |candidate| candidate.document_type.as_str());
        writeln!(out, "{took} {best}")?;
        out.flush()?;
    }
    Ok(())
}

fn document(pages: u32, lines: u32) -> Document {
    let down = |line: u32| 40 + i32::try_from(line).unwrap_or_default() * 13;
    let run = |page, line| TextRun::of_text(&text(page, line), 50, down(line));
    let page = |page: u32| PageFacts::of_runs((0..lines).map(|line| run(page, line)).collect());
    Document { pages: (0..pages).map(page).collect(), ..Document::default() }
}
