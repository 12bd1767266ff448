//! The detector as native code, for the benchmarks: for each line on standard input it looks at the document once and writes
//! how long that took, in nanoseconds. The document is that of `tests/benches/plugin/detector.rs`.

#[path = "../../../tests/benches/plugin/words.rs"]
mod words;

use std::{
    io::{self, BufRead as _, Write as _},
    time::Instant,
};

use document_types::DocumentTypes;
use sealwright_plugin_sdk::{
    document_type::Detector as _,
    facts::{Document, PageFacts, Reading, Rectangle, TextRun, TextSource},
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
        let begun = Instant::now();
        let candidates =
            DocumentTypes::detect(&document, "{}").map_err(|error| io::Error::other(format!("{error:?}")))?;
        let took = begun.elapsed().as_nanos();
        let best = candidates.first().map_or("nothing", |candidate| candidate.document_type.as_str());
        writeln!(out, "{took} {best}")?;
        out.flush()?;
    }
    Ok(())
}

fn document(pages: u32, lines: u32) -> Document {
    let page = |page: u32| {
        let runs = (0..lines).map(|line| run(&text(page, line), line)).collect();
        let full = (0..lines).map(|line| text(page, line)).collect::<Vec<_>>().join("\n");
        PageFacts {
            width: 59_500,
            height: 84_200,
            reading: Reading::Layer,
            text: full,
            text_runs: runs,
            ..PageFacts::default()
        }
    };
    Document { pages: (0..pages).map(page).collect(), ..Document::default() }
}

fn run(text: &str, line: u32) -> TextRun {
    let down = i32::try_from(line).unwrap_or_default();
    TextRun {
        text: text.to_owned(),
        area: Rectangle {
            left: 5_000,
            top: 4_000 + down * 1_300,
            width: u32::try_from(text.len()).unwrap_or_default() * 500,
            height: 1_000,
        },
        direction: 0,
        source: TextSource::Layer,
        font: Some(0),
        size: 1_000,
        colour: Some(0),
        opacity: 100,
        hidden: None,
        covered_by: None,
        order: 1,
        confidence: 100,
        unmapped: 0,
    }
}
