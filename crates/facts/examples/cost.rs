//! Prints the processor time of reading documents, a JSON object a line: that of this program, and that of the text
//! recognition which it starts. `cargo run --release -p sealwright-facts --example cost -- [--text] ROUNDS FILE…`;
//! `--text` also prints the text that was read.

use std::{env, fs};

use sealwright_facts::{Facts, Limits, Recognition, ocr::Tesseract, prepare};
use serde_json::json;

/// A tick is 10 ms on every architecture that Linux runs a server on.
const TICK: f64 = 10.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let with_text = arguments.first().is_some_and(|first| first == "--text");
    if with_text {
        arguments.remove(0);
    }
    let (rounds, files) = arguments.split_first().ok_or("give the number of rounds, and files")?;
    let rounds: u32 = rounds.parse()?;
    let recognition = Tesseract::installed().map_or(Recognition::Unavailable, Recognition::With);
    for path in files {
        let file = fs::read(path)?;
        let before = processor_time()?;
        let mut facts = prepare(&file, &Limits::default(), &recognition);
        for _ in 1..rounds {
            facts = prepare(&file, &Limits::default(), &recognition);
        }
        let after = processor_time()?;
        let [own, children] = [0, 1].map(|part| (after[part] - before[part]) * TICK / f64::from(rounds.max(1)));
        let letters: usize = texts(&facts).map(|text| text.chars().filter(|c| c.is_alphanumeric()).count()).sum();
        let mut line = json!({
            "file": path,
            "own": own,
            "recognition": children,
            "pages": facts.pages.len(),
            "recognised": facts.ocr.recognised.len(),
            "languages": facts.ocr.languages,
            "letters": letters,
        });
        if with_text {
            line["text"] = json!(texts(&facts).collect::<Vec<_>>());
        }
        println!("{line}");
    }
    Ok(())
}

fn texts(facts: &Facts) -> impl Iterator<Item = &str> {
    facts.pages.iter().flat_map(|page| &page.text).map(|run| run.text.as_str())
}

/// In ticks: of this process, and of its children that have ended (`proc_pid_stat(5)`, 14 to 17).
fn processor_time() -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').ok_or("no name")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    // The fields after the name start with the third.
    let sum = |first: usize| -> Result<f64, Box<dyn std::error::Error>> {
        Ok(fields[first - 3].parse::<f64>()? + fields[first - 2].parse::<f64>()?)
    };
    Ok([sum(14)?, sum(16)?])
}
