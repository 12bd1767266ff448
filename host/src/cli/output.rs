//! A command's answer on standard output: text, or JSON with `--json`. Warnings and errors go to standard
//! error, so that a pipe gets the answer alone.

use std::{
    fmt::Display,
    io::{self, Write},
};

use serde::Serialize;

/// The form in which answers are printed.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    pub json: bool,
}

impl Output {
    /// Prints one answer.
    pub fn print(self, answer: &(impl Serialize + Display)) -> io::Result<()> {
        self.write(&mut io::stdout().lock(), answer)
    }

    /// Prints several answers: one after the other as text, as an array in JSON.
    pub fn print_all(self, answers: &[impl Serialize + Display]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            return write_json(&mut out, &answers);
        }
        answers.iter().try_for_each(|answer| writeln!(out, "{answer}"))
    }

    /// Prints rows: as a text table, or as a JSON array of the rows themselves.
    pub fn print_table<R: Serialize, const N: usize>(
        self,
        headings: [&str; N],
        rows: &[R],
        cells: impl Fn(&R) -> [String; N],
    ) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.json { write_json(&mut out, &rows) } else { write_table(&mut out, headings, rows.iter().map(cells)) }
    }

    /// Warns the operator about something that did not stop the command.
    pub fn warn(self, lines: impl IntoIterator<Item = impl Display>) {
        for line in lines {
            eprintln!("{line}");
        }
    }

    fn write(self, out: &mut impl Write, answer: &(impl Serialize + Display)) -> io::Result<()> {
        if self.json { write_json(out, answer) } else { writeln!(out, "{answer}") }
    }
}

fn write_json(out: &mut impl Write, answer: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, answer)?;
    writeln!(out)
}

/// Columns as wide as their widest cell, two spaces between them, none at the end of a line. Control characters are
/// escaped: a receiver's or a client's text must not steer the operator's terminal.
fn write_table<const N: usize>(
    out: &mut impl Write,
    headings: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> io::Result<()> {
    let rows: Vec<[String; N]> = rows.map(|row| row.map(|cell| visible(&cell))).collect();
    let mut widths = headings.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for row in std::iter::once(&headings.map(str::to_owned)).chain(&rows) {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// Makes untrusted text safe for a terminal: escapes control characters and those that change the writing direction.
pub(super) fn visible(text: &str) -> String {
    let steers = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().flat_map(|c| if steers(c) { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_table_s_columns_are_as_wide_as_their_widest_cell() {
        let rows = [["1", "délivré", ""], ["1024", "x", "https://a.example/"]].map(|row| row.map(str::to_owned));
        let table = text(|out| write_table(out, ["ID", "OUTCOME", "URL"], rows.into_iter()));
        assert_eq!(table, "ID    OUTCOME  URL\n1     délivré\n1024  x        https://a.example/\n");
    }

    #[test]
    fn a_cell_cannot_steer_the_terminal() {
        let rows = [["\u{1b}[2Jgone\n".to_owned()]];
        assert_eq!(text(|out| write_table(out, ["A"], rows.into_iter())), "A\n\\u{1b}[2Jgone\\n\n");
    }

    #[test]
    fn json_is_the_answer_itself() {
        assert_eq!(text(|out| Output { json: true }.write(out, &7)), "7\n");
        assert_eq!(text(|out| Output { json: false }.write(out, &"text")), "text\n");
    }
}
