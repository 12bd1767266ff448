//! What is wrong in a file, and where.

use std::fmt;

/// An error in a file, or something that works but is probably not intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file's name as the operator gave it.
    pub file: String,
    /// Counted from 1. For a missing key: the line on which its table starts.
    pub line: usize,
    /// The path in the file's structure, for example `frame[0].step[2].options`; empty for the file as a whole.
    pub path: String,
    /// One line: what was found and what was expected.
    pub message: String,
    pub severity: Severity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.file, self.line)?;
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}
