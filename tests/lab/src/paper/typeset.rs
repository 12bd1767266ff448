//! Writes sheets as PDF files with Typst, whose files have a structure of their own.

use std::fmt::Write as _;

use jiff::civil::DateTime;
use typst::foundations::Datetime;

use super::sheet::{Colour, Mark, Sheet};
use crate::document;

/// The file of these sheets.
pub(crate) fn write(sheets: &[Sheet], title: &str, made: DateTime) -> anyhow::Result<Vec<u8>> {
    let mut source = format!(
        "#set document(title: {title:?})\n#set text(kerning: false, ligatures: false, top-edge: \"baseline\", bottom-edge: \
         \"baseline\")\n"
    );
    for (index, sheet) in sheets.iter().enumerate() {
        let _ = writeln!(source, "#set page(width: {}pt, height: {}pt, margin: 0pt)", sheet.width, sheet.height);
        if index > 0 {
            source.push_str("#pagebreak(weak: true)\n");
        }
        for mark in &sheet.marks {
            source.push_str(&placed(mark));
        }
    }
    let made = Datetime::from_ymd_hms(
        made.year().into(),
        made.month().unsigned_abs(),
        made.day().unsigned_abs(),
        made.hour().unsigned_abs(),
        made.minute().unsigned_abs(),
        0,
    );
    document::typeset(&source, made)
}

fn placed(mark: &Mark) -> String {
    match mark {
        Mark::Text(run) => {
            let (family, weight) = run.face.typst_name();
            // Typst has no invisible text; hidden text has the paper's colour instead.
            let colour = if run.invisible { [255, 255, 255] } else { run.colour };
            format!(
                "#place(top + left, dx: {:.2}pt, dy: {:.2}pt, text(font: {family:?}, weight: {weight:?}, size: {:.2}pt, \
                 fill: {}, {:?}))\n",
                run.x,
                run.baseline,
                run.size,
                colour_text(colour),
                run.text.replace('\u{a0}', " ")
            )
        }
        Mark::Fill(area, colour) => format!(
            "#place(top + left, dx: {:.2}pt, dy: {:.2}pt, rect(width: {:.2}pt, height: {:.2}pt, fill: {}))\n",
            area.x,
            area.y,
            area.width,
            area.height,
            colour_text(*colour)
        ),
        Mark::Frame(area, thickness, colour) => format!(
            "#place(top + left, dx: {:.2}pt, dy: {:.2}pt, rect(width: {:.2}pt, height: {:.2}pt, stroke: {thickness}pt + \
             {}))\n",
            area.x,
            area.y,
            area.width,
            area.height,
            colour_text(*colour)
        ),
        Mark::Portrait(area) => format!(
            "#place(top + left, dx: {:.2}pt, dy: {:.2}pt, box(width: {:.2}pt, height: {:.2}pt, fill: rgb(208, 216, 224), \
             clip: true, {{ place(center + bottom, dy: 30%, ellipse(width: 90%, height: 60%, fill: rgb(73, 86, 107))); \
             place(center + horizon, ellipse(width: 52%, height: 50%, fill: rgb(214, 170, 138))) }}))\n",
            area.x, area.y, area.width, area.height
        ),
    }
}

fn colour_text([red, green, blue]: Colour) -> String {
    format!("rgb({red}, {green}, {blue})")
}
