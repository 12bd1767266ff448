//! The features of documents, for fitting the weights (`tests/judge/fit/document_types.py`). Reads lines of fields separated by
//! tabs from standard input and writes a line for each document: its name and its features. The kinds of lines are
//! `document NAME`, `zone TEXT` and `run PAGE LEFT TOP WIDTH HEIGHT SIZE DIRECTION CONFIDENCE RECOGNISED TEXT`.

use std::io::{self, BufRead as _, BufWriter, Write as _};

use document_types::{Features, names, readable};
use sealwright_plugin_sdk::{
    facts::{Document, MachineCode, PageFacts, Place, Rectangle, TextRun, TextSource},
    reading::Cell,
};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "name\t{}", names().join("\t"))?;
    let mut current: Option<(String, Document)> = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        match (fields.as_slice(), &mut current) {
            (["document", name], _) => {
                if let Some((name, document)) = current.replace(((*name).to_owned(), Document::default())) {
                    write(&mut out, &name, &document)?;
                }
            }
            (["zone", text], Some((_, document))) => document.machine_codes.push(zone(text)),
            (["run", page, numbers @ .., text], Some((_, document))) => {
                let page: usize = page.parse().map_err(io::Error::other)?;
                while document.pages.len() < page {
                    document.pages.push(PageFacts::default());
                }
                let numbers: Vec<i32> =
                    numbers.iter().map(|number| number.parse().map_err(io::Error::other)).collect::<io::Result<_>>()?;
                document.pages[page - 1].text_runs.push(run(&numbers, text)?);
            }
            _ => return Err(io::Error::other(format!("not understood: {line}"))),
        }
    }
    current.map_or(Ok(()), |(name, document)| write(&mut out, &name, &document))?;
    out.flush()
}

fn write(out: &mut impl io::Write, name: &str, document: &Document) -> io::Result<()> {
    let cells: Vec<Cell> = readable(document);
    let values: Vec<String> = Features::of(document, &cells).values.iter().map(|value| format!("{value:.4}")).collect();
    writeln!(out, "{name}\t{}", values.join("\t"))
}

fn zone(text: &str) -> MachineCode {
    let place = Place { page: 1, area: None };
    MachineCode { kind: "mrz".to_owned(), text: text.to_owned(), place, confidence: 100 }
}

fn run(numbers: &[i32], text: &str) -> io::Result<TextRun> {
    let &[left, top, width, height, size, direction, confidence, recognised] = numbers else {
        return Err(io::Error::other("a run has eight numbers"));
    };
    let wide = |number: i32| u32::try_from(number).unwrap_or(0);
    let own = TextRun::of_text(text, 0, 0);
    Ok(TextRun {
        area: Rectangle { left, top, width: wide(width), height: wide(height) },
        size: wide(size),
        direction: u16::try_from(direction).unwrap_or(0),
        confidence: u8::try_from(confidence).unwrap_or(100),
        source: if recognised == 1 { TextSource::Recognised } else { TextSource::Layer },
        ..own
    })
}
