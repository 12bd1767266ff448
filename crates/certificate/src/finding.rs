//! What is wrong with a template, for its designer: file, line, column, the line itself and a caret under the place.

use std::fmt;

use serde::{Deserialize, Serialize};
use typst::{
    World, WorldExt,
    diag::{Severity as TypstSeverity, SourceDiagnostic},
    syntax::DiagSpan,
};

use super::world::CertificateWorld;

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// Where in the template. Absent for what is missing on the page.
    pub place: Option<Place>,
    pub hints: Vec<String>,
    /// The calls that led there, the innermost first.
    pub called_from: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// No certificate can be rendered, or it would lack a required part.
    Error,
    Warning,
}

/// A place in a template's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Inside the template, for example `parts/seal.typ`.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// How many characters of the line are marked, at least 1.
    pub length: usize,
    pub source_line: String,
}

impl Finding {
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            place: None,
            hints: Vec::new(),
            called_from: Vec::new(),
        }
    }

    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// `items.typ:12:3: unknown variable: x; hint: …`, for a log.
    pub fn on_one_line(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let mut line = format!("{place}{}", self.message);
        for hint in &self.hints {
            line.push_str("; hint: ");
            line.push_str(hint);
        }
        line.replace('\n', " ")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// As compilers print it: the message, the place, the source line with carets under the marked part.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// A line of a generated file may be very long.
        const WIDEST: usize = 160;
        let severity = if self.is_error() { "error" } else { "warning" };
        write!(f, "{severity}: {}", self.message)?;
        let mut margin = String::new();
        if let Some(place) = &self.place {
            let number = place.line.to_string();
            margin = " ".repeat(number.len());
            // A tab is one character wide here, as for the caret.
            let line: String =
                place.source_line.chars().take(WIDEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
            write!(f, "\n{margin}--> {place}\n{margin} |\n{number} | {}", line.trim_end())?;
            if place.column <= WIDEST {
                let carets = "^".repeat(place.length.clamp(1, WIDEST + 1 - place.column));
                write!(f, "\n{margin} | {}{carets}", " ".repeat(place.column - 1))?;
            }
        }
        for hint in &self.hints {
            write!(f, "\n{margin} = hint: {hint}")?;
        }
        for place in &self.called_from {
            write!(f, "\n{margin} = called from {place}: {}", place.source_line.trim())?;
        }
        Ok(())
    }
}

impl CertificateWorld<'_> {
    pub(super) fn findings(&self, diagnostics: &[SourceDiagnostic]) -> Vec<Finding> {
        diagnostics.iter().map(|diagnostic| self.finding(diagnostic)).collect()
    }

    fn finding(&self, diagnostic: &SourceDiagnostic) -> Finding {
        let mut place = self.place(diagnostic.span);
        let mut called_from: Vec<Place> =
            diagnostic.trace.iter().filter_map(|point| self.place(point.span.into())).collect();
        // An error inside the server's own files is reported at the first place in the template that led there.
        while place.as_ref().is_some_and(|place| place.file == super::template::TOOLKIT_FILE) && !called_from.is_empty()
        {
            place = Some(called_from.remove(0));
        }
        called_from.retain(|from| Some(from) != place.as_ref() && from.file != "certificate-entry.typ");
        called_from.truncate(8);
        Finding {
            severity: match diagnostic.severity {
                TypstSeverity::Error => Severity::Error,
                TypstSeverity::Warning => Severity::Warning,
            },
            message: diagnostic.message.to_string(),
            place,
            hints: diagnostic.hints.iter().map(|hint| hint.v.to_string()).collect(),
            called_from,
        }
    }

    fn place(&self, span: DiagSpan) -> Option<Place> {
        let id = span.id()?;
        let range = self.range(span)?;
        let file = id.get().vpath().get_without_slash().to_owned();
        // JSON and other data files have no parsed source.
        let text = match self.source(id) {
            Ok(source) => source.text().to_owned(),
            Err(_) => String::from_utf8(self.file(id).ok()?.to_vec()).ok()?,
        };
        let start = text.floor_char_boundary(range.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let source_line = text[line_start..].lines().next().unwrap_or_default().to_owned();
        let end = text.floor_char_boundary(range.end.min(line_start + source_line.len())).max(start);
        Some(Place {
            file,
            line: text[..start].matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            length: text[start..end].chars().count().max(1),
            source_line,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_shows_the_line_and_points_at_the_place() {
        let finding = Finding {
            place: Some(Place {
                file: "seal.typ".to_owned(),
                line: 12,
                column: 4,
                length: 5,
                source_line: "\t #datta.seal\r".to_owned(),
            }),
            ..Finding::error("unknown variable: datta").with_hint("did you mean `data`?")
        };
        insta::assert_snapshot!(finding.to_string(), @r"
        error: unknown variable: datta
          --> seal.typ:12:4
           |
        12 |   #datta.seal
           |    ^^^^^
           = hint: did you mean `data`?
        ");
        assert_eq!(finding.on_one_line(), "seal.typ:12:4: unknown variable: datta; hint: did you mean `data`?");
    }

    #[test]
    fn a_finding_about_the_page_has_no_place() {
        assert_eq!(Finding::error("no digest").to_string(), "error: no digest");
    }
}
