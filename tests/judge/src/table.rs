//! The verdicts as tables in Markdown.

use crate::{CaseVerdict, PaperVerdict, PhotoVerdict, rate::Grid};

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
            let raised = verdict.judgement.raised();
            let by_its_check = raised.iter().any(|check| check.code == forgery.check() && check.evaluation < 40);
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
