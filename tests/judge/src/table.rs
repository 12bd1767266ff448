//! The verdicts as tables in Markdown.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::{CaseVerdict, PaperVerdict, PhotoVerdict};

/// How many of all are right.
#[derive(Clone, Copy, Default)]
struct Rate {
    right: usize,
    all: usize,
}

impl Rate {
    fn add(&mut self, right: bool) {
        self.right += usize::from(right);
        self.all += 1;
    }

    fn shown(self) -> String {
        if self.all == 0 {
            return "–".to_owned();
        }
        #[expect(clippy::cast_precision_loss, reason = "a few thousand at most")]
        let percent = self.right as f64 * 100.0 / self.all as f64;
        format!("{percent:.1} % ({} of {})", self.right, self.all)
    }
}

/// Rows by a key, columns by another.
#[derive(Default)]
struct Grid(BTreeMap<String, BTreeMap<String, Rate>>);

impl Grid {
    fn add(&mut self, row: impl Into<String>, column: impl Into<String>, right: bool) {
        self.0.entry(row.into()).or_default().entry(column.into()).or_default().add(right);
    }

    fn table(&self, head: &str, columns: &[&str]) -> String {
        let mut text = format!("| {head} | {} |\n|---|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
        for (row, cells) in &self.0 {
            let cells: Vec<String> =
                columns.iter().map(|column| cells.get(*column).copied().unwrap_or_default().shown()).collect();
            let _ = writeln!(text, "| {row} | {} |", cells.join(" | "));
        }
        text
    }
}

/// Types, cross-check and falsification of papers.
pub fn paper_tables(verdicts: &[PaperVerdict]) -> String {
    let (mut types, mut fields, mut alarms, mut forged) =
        (Grid::default(), Grid::default(), Grid::default(), Grid::default());
    for verdict in verdicts {
        let Some(label) = &verdict.label else { continue };
        let language = format!("{} {}", label.quality, label.language);
        types.add(label.kind, label.quality, verdict.type_is_right());
        types.add("**all**", label.quality, verdict.type_is_right());
        types.add(format!("({language})"), label.quality, verdict.type_is_right());
        if label.forgery.is_none() {
            for field in &verdict.compared {
                for row in [field.code, "**all**"] {
                    fields.add(row, format!("{}, same", label.quality), field.same);
                    fields.add(row, format!("{}, changed", label.quality), field.changed);
                }
            }
            alarms.add(label.producer, label.quality, verdict.alarm());
            alarms.add("**all**", label.quality, verdict.alarm());
        } else if let Some(forgery) = label.forgery {
            let by_its_check =
                verdict.raised.iter().any(|(code, evaluation, _)| code == forgery.check() && *evaluation < 40);
            for row in [forgery.name(), "**all**"] {
                let quality = if label.quality == "clean" { "PDF" } else { "scan or photo" };
                forged.add(row, format!("{quality}: alarm"), verdict.alarm());
                forged.add(row, format!("{quality}: by its check"), by_its_check);
            }
        }
    }
    let compared = ["clean, same", "clean, changed", "scan, same", "scan, changed", "photo, same", "photo, changed"];
    let found = ["PDF: alarm", "PDF: by its check", "scan or photo: alarm", "scan or photo: by its check"];
    let qualities = ["clean", "scan", "photo", "unreadable"];
    format!(
        "### Type detected correctly\n\n{}\n### Cross-check judged correctly\n\n{}\n### Genuine papers with an alarm\n\n{}\n### Forged papers detected\n\n{}",
        types.table("type", &qualities),
        fields.table("field", &compared),
        alarms.table("made by", &qualities),
        forged.table("forgery", &found)
    )
}

/// Alarms by the editing of photographs.
pub fn photo_table(verdicts: &[PhotoVerdict]) -> String {
    let mut grid = Grid::default();
    for verdict in verdicts {
        let Some(editing) = verdict.editing else { continue };
        let all = if editing.is_genuine() { "**genuine**" } else { "**edited**" };
        for row in [editing.name(), all] {
            grid.add(row, "alarm", verdict.alarm());
        }
    }
    format!("### Photographs with an alarm\n\n{}", grid.table("photograph", &["alarm"]))
}

/// Alarms by the kind of case; for one that is not ordinary, the alarm of the signal that should detect it.
pub fn case_table(verdicts: &[CaseVerdict]) -> String {
    let mut grid = Grid::default();
    for verdict in verdicts {
        let (name, signal) = verdict.kind;
        let row = signal.map_or_else(|| name.to_owned(), |signal| format!("{signal}: {name}"));
        grid.add(row, "alarm", verdict.alarm());
        grid.add(if signal.is_none() { "**ordinary**" } else { "**others**" }, "alarm", verdict.alarm());
    }
    format!("### Cases with an alarm\n\n{}", grid.table("case", &["alarm"]))
}
