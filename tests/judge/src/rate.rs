//! Rates with their intervals, and tables of them.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

/// How many of all are right.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rate {
    right: usize,
    all: usize,
}

impl Rate {
    pub(crate) fn add(&mut self, right: bool) {
        self.right += usize::from(right);
        self.all += 1;
    }

    /// The 95 % interval of the rate (Wilson), in percent.
    #[expect(clippy::cast_precision_loss, reason = "a few thousand at most")]
    fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let (count, rate) = (self.all as f64, self.right as f64 / self.all as f64);
        let middle = rate + Z * Z / (2.0 * count);
        let half = Z * (rate * (1.0 - rate) / count + Z * Z / (4.0 * count * count)).sqrt();
        let scale = 100.0 / (1.0 + Z * Z / count);
        ((middle - half).max(0.0) * scale, (middle + half) * scale)
    }
}

impl fmt::Display for Rate {
    #[expect(clippy::cast_precision_loss, reason = "a few thousand at most")]
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.all == 0 {
            return text.write_str("–");
        }
        let percent = self.right as f64 * 100.0 / self.all as f64;
        let (low, high) = self.interval();
        write!(text, "{percent:.1} % ({} of {}; {low:.0}–{high:.0})", self.right, self.all)
    }
}

/// Rows by a key, columns by another.
#[derive(Default)]
pub(crate) struct Grid(BTreeMap<String, BTreeMap<String, Rate>>);

impl Grid {
    pub(crate) fn add(&mut self, row: impl Into<String>, column: impl Into<String>, right: bool) {
        self.0.entry(row.into()).or_default().entry(column.into()).or_default().add(right);
    }

    pub(crate) fn table(&self, head: &str, columns: &[&str]) -> String {
        let mut text = format!("| {head} | {} |\n|---|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
        for (row, cells) in &self.0 {
            let cells: Vec<String> =
                columns.iter().map(|column| cells.get(*column).copied().unwrap_or_default().to_string()).collect();
            let _ = writeln!(text, "| {row} | {} |", cells.join(" | "));
        }
        text
    }
}
