//! Figures, the table for people and the JSON for programs.

use std::{
    fmt::{self, Write as _},
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use sealwright::clock::Clock;
use serde_json::{Value, json};

/// What was measured over the rounds.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    unit: Unit,
    /// One for each round.
    values: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    PerSecond,
    PerHour,
    Milliseconds,
    Microseconds,
    Mebibytes,
    Rows,
}

/// One line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) measured: Samples,
    /// The cost of the same work in a minimal implementation, in the same unit.
    pub(crate) against: Option<(&'static str, Samples)>,
    pub(crate) goal: Option<Goal>,
}

/// A bound on the ratio of `measured` to `against`, or on `measured` itself if `against` is `None`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

#[derive(Debug, Default)]
pub(crate) struct Report {
    figures: Vec<(&'static str, Figure)>,
}

impl Samples {
    pub(crate) const fn new(unit: Unit) -> Self {
        Self { unit, values: Vec::new() }
    }

    pub(crate) fn of(unit: Unit, values: impl IntoIterator<Item = f64>) -> Self {
        Self { unit, values: values.into_iter().collect() }
    }

    pub(crate) fn push(&mut self, value: f64) {
        self.values.push(value);
    }

    /// The samples after `change`, for a bound that is computed from a measurement.
    pub(crate) fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        Self::of(self.unit, self.values.iter().copied().map(change))
    }

    /// Converts samples in milliseconds to microseconds and applies `change`.
    pub(crate) fn in_microseconds(&self, change: impl Fn(f64) -> f64) -> Self {
        Self::of(Unit::Microseconds, self.values.iter().map(|milliseconds| change(milliseconds * 1000.0)))
    }

    pub(crate) fn median(&self) -> f64 {
        median(self.values.clone())
    }
}

/// NaN if there are no values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Figure {
    /// The median of the rounds' ratios: the contestants of a round ran under the same conditions.
    fn ratio(&self) -> Option<f64> {
        let (_, against) = self.against.as_ref()?;
        Some(median(self.measured.values.iter().zip(&against.values).map(|(own, bare)| own / bare).collect()))
    }

    /// Whether the goal is reached, if there is one.
    fn is_reached(&self) -> Option<bool> {
        let value = self.ratio().unwrap_or_else(|| self.measured.median());
        Some(match self.goal? {
            Goal::AtLeast(bound) => value >= bound,
            Goal::AtMost(bound) => value <= bound,
        })
    }

    fn cells(&self) -> [String; 6] {
        let unit = self.measured.unit;
        let shown = |samples: &Samples| format!("{}{}", round(samples.median()), unit.suffix());
        let (against, bare) =
            self.against.as_ref().map_or_else(Default::default, |(what, samples)| ((*what).to_owned(), shown(samples)));
        let goal = self.goal.map(|goal| {
            let sign = if self.against.is_some() { "×".to_owned() } else { unit.suffix() };
            let word = if self.is_reached() == Some(true) { "reached" } else { "MISSED" };
            format!("{goal}{sign} {word}")
        });
        let ratio = self.ratio().map(|ratio| format!("{}×", round(ratio)));
        [self.what.clone(), shown(&self.measured), against, bare, ratio.unwrap_or_default(), goal.unwrap_or_default()]
    }

    fn json(&self, bench: &str) -> Value {
        let samples = |samples: &Samples| json!({ "median": samples.median(), "rounds": samples.values });
        json!({
            "bench": bench,
            "what": self.what,
            "unit": self.measured.unit.name(),
            "measured": samples(&self.measured),
            "against": self.against.as_ref().map(|(what, bare)| json!({ "what": what, "measured": samples(bare) })),
            "ratio": self.ratio(),
            "goal": self.goal.map(|goal| goal.to_string()),
            "reached": self.is_reached(),
        })
    }
}

impl Report {
    pub(crate) fn add(&mut self, bench: &'static str, figures: Vec<Figure>) {
        self.figures.extend(figures.into_iter().map(|figure| (bench, figure)));
    }

    /// Text in aligned columns.
    pub(crate) fn table(&self) -> String {
        const HEAD: [&str; 6] = ["what", "measured", "against", "", "ratio", "goal"];
        let mut rows = vec![HEAD.map(str::to_owned)];
        rows.extend(self.figures.iter().map(|(_, figure)| figure.cells()));
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 6] = std::array::from_fn(width);
        let mut text = String::new();
        for row in &rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
                // Numbers are aligned right, words left.
                let padding = " ".repeat(width - cell.chars().count());
                let (before, after) =
                    if [1, 3, 4].contains(&column) { (padding, String::new()) } else { (String::new(), padding) };
                // Writing to a string cannot fail.
                let _ = write!(line, "{before}{cell}{after}  ");
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }

    /// Writes the figures to `<target>/bench/latest.json` and returns the path.
    pub(crate) fn write(&self) -> anyhow::Result<PathBuf> {
        let folder = target_dir().join("bench");
        let path = folder.join("latest.json");
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "measuredAt": Clock::system().now().to_string(),
            "processors": processors,
            "figures": self.figures.iter().map(|(bench, figure)| figure.json(bench)).collect::<Vec<_>>(),
        });
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, format!("{report:#}\n")))
            .with_context(|| format!("writing {}", path.display()))?;
        Ok(path)
    }
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::PerSecond => "1/s",
            Self::PerHour => "1/h",
            Self::Milliseconds => "ms",
            Self::Microseconds => "µs",
            Self::Mebibytes => "MiB",
            Self::Rows => "rows",
        }
    }

    fn suffix(self) -> String {
        format!(" {}", self.name())
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(bound) => write!(f, "≥ {bound}"),
            Self::AtMost(bound) => write!(f, "≤ {bound}"),
        }
    }
}

/// Three significant digits: more would suggest a precision that is not there.
fn round(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Cargo's target folder, which contains the folder that cargo gives benchmarks for their files.
pub(crate) fn target_dir() -> &'static Path {
    let files = Path::new(env!("CARGO_TARGET_TMPDIR"));
    files.parent().unwrap_or(files)
}
