//! Reads a TOML file that a person wrote and reports all problems at once: each with its line, the path of its field,
//! what was found and what was expected. The problem of an unknown key names the most similar known one. The settings
//! and the company manifest are both read with it; it does not know what either means.
//!
//! A reader must read *all* fields of a table before it gives up on one (`let id = …; let name = …; Some(T { id: id?, …
//! })`); otherwise the problems of the later ones would not be reported.

mod problem;

use std::{cell::RefCell, ops::Range};

use serde_json::Value;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

pub use self::problem::{Problem, Severity};

/// The content of a file without errors.
#[derive(Clone, Debug)]
pub struct Read<T> {
    pub value: T,
    pub warnings: Vec<Problem>,
}

/// Parses `source` and passes its root table to `read`, which returns `None` only after it recorded an error.
///
/// # Errors
/// All problems, including warnings, in the order of their lines. For a file that is not TOML, only its syntax errors.
pub fn read<T>(
    file: &str,
    source: &str,
    read: impl FnOnce(&mut Table<'_>) -> Option<T>,
) -> Result<Read<T>, Vec<Problem>> {
    let (root, syntax_errors) = DeTable::parse_recoverable(source);
    let context = Context { file, source, problems: RefCell::default() };
    for error in &syntax_errors {
        context.record(Severity::Error, error.span().map_or(0, |span| span.start), "", error.message().to_owned());
    }
    let value = if syntax_errors.is_empty() {
        let mut table = Table::new(&context, root.get_ref(), root.span(), String::new());
        let value = read(&mut table);
        table.report_unknown_keys();
        value
    } else {
        None
    };
    let mut problems = context.problems.into_inner();
    problems.sort_by_key(|problem| problem.line);
    match value {
        Some(value) if problems.iter().all(|problem| problem.severity == Severity::Warning) => {
            Ok(Read { value, warnings: problems })
        }
        _ => Err(problems),
    }
}

/// The candidate most similar to `word`, ignoring case; candidates that start with it come first. `None` only if there
/// are no candidates.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word = word.to_lowercase();
    let likeness = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let prefix_bonus = if candidate.starts_with(&word) { 1.0 } else { 0.0 };
        prefix_bonus + strsim::normalized_damerau_levenshtein(&word, &candidate)
    };
    candidates
        .into_iter()
        .map(|candidate| (likeness(candidate), candidate))
        .fold(None, |best, next| match best {
            Some((likeness, _)) if likeness >= next.0 => best,
            _ => Some(next),
        })
        .map(|(_, candidate)| candidate)
}

/// The shared state of all tables and fields of one file.
struct Context<'a> {
    file: &'a str,
    source: &'a str,
    problems: RefCell<Vec<Problem>>,
}

impl Context<'_> {
    fn record(&self, severity: Severity, offset: usize, path: &str, message: String) {
        self.problems.borrow_mut().push(Problem {
            file: self.file.to_owned(),
            line: self.line(offset),
            path: path.to_owned(),
            message,
            severity,
        });
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.source.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }
}

/// A table whose keys are read by name; keys that are never read are unknown.
pub struct Table<'a> {
    context: &'a Context<'a>,
    entries: &'a DeTable<'a>,
    span: Range<usize>,
    path: String,
    known: Vec<&'static str>,
    every_key_is_known: bool,
}

impl<'a> Table<'a> {
    fn new(context: &'a Context<'a>, entries: &'a DeTable<'a>, span: Range<usize>, path: String) -> Self {
        Self { context, entries, span, path, known: Vec::new(), every_key_is_known: false }
    }

    /// The value of an optional key.
    pub fn optional(&mut self, key: &'static str) -> Option<Field<'a>> {
        self.known.push(key);
        self.entries.get_key_value(key).map(|(key, value)| self.field(key, value))
    }

    /// The value of a required key; `expected` describes it.
    pub fn required(&mut self, key: &'static str, expected: &str) -> Option<Field<'a>> {
        let field = self.optional(key);
        if field.is_none() {
            self.missing(key, expected);
        }
        field
    }

    /// Records that `key` is missing: for keys that are only sometimes required.
    pub fn missing(&self, key: &str, expected: &str) {
        let path = join(&self.path, key);
        self.context.record(Severity::Error, self.span.start, &path, format!("missing, expected {expected}"));
    }

    /// Records an error of the table as a whole.
    pub fn error(&self, message: impl Into<String>) {
        self.context.record(Severity::Error, self.span.start, &self.path, message.into());
    }

    /// Records a warning about `key`, at its own line if it is there.
    pub fn warn(&self, key: &str, message: &str) {
        let offset = self.entries.get_key_value(key).map_or(self.span.start, |(key, _)| key.span().start);
        self.context.record(Severity::Warning, offset, &join(&self.path, key), message.to_owned());
    }

    /// Reads an array of tables; a missing one is empty. Elements with errors are recorded and left out.
    pub fn tables<T>(&mut self, key: &'static str, mut read: impl FnMut(&mut Table<'a>) -> Option<T>) -> Vec<T> {
        let Some(elements) = self.optional(key).and_then(|field| field.array("an array of tables")) else {
            return Vec::new();
        };
        elements.into_iter().filter_map(|element| element.table(&mut read)).collect()
    }

    /// All entries in the file's order, for a table whose keys are data.
    pub fn entries(&mut self) -> Vec<(&'a str, Field<'a>)> {
        self.every_key_is_known = true;
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries.into_iter().map(|(key, value)| (key.get_ref().as_ref(), self.field(key, value))).collect()
    }

    /// The line on which the table starts.
    pub fn line(&self) -> usize {
        self.context.line(self.span.start)
    }

    fn field(&self, key: &Spanned<impl AsRef<str>>, value: &'a Spanned<DeValue<'a>>) -> Field<'a> {
        Field {
            context: self.context,
            value: value.get_ref(),
            span: value.span(),
            path: join(&self.path, key.get_ref().as_ref()),
            is_secret: false,
        }
    }

    fn report_unknown_keys(&self) {
        if self.every_key_is_known {
            return;
        }
        for key in self.entries.keys() {
            let name: &str = key.get_ref().as_ref();
            if self.known.contains(&name) {
                continue;
            }
            let message = match nearest(name, self.known.iter().copied()) {
                Some(known) => format!("unknown key, did you mean `{known}`?"),
                None => "unknown key, expected an empty table".to_owned(),
            };
            self.context.record(Severity::Error, key.span().start, &join(&self.path, name), message);
        }
    }
}

/// A value and its position. Methods named for a type return `None` after recording that another type was found.
pub struct Field<'a> {
    context: &'a Context<'a>,
    value: &'a DeValue<'a>,
    span: Range<usize>,
    path: String,
    is_secret: bool,
}

impl<'a> Field<'a> {
    /// The same field, but no message shows its value.
    #[must_use]
    pub fn secret(self) -> Self {
        Self { is_secret: true, ..self }
    }

    pub fn text(&self, expected: &str) -> Option<&'a str> {
        match self.value {
            DeValue::String(text) => Some(text.as_ref()),
            _ => self.wrong(expected),
        }
    }

    /// A text, or several in an array.
    pub fn texts(&self, expected: &str) -> Option<Vec<&'a str>> {
        match self.value {
            DeValue::Array(_) => self.array(expected)?.iter().map(|element| element.text(expected)).collect(),
            _ => Some(vec![self.text(expected)?]),
        }
    }

    /// A text that `parse` accepts.
    pub fn parsed<T>(&self, expected: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let text = self.text(expected)?;
        parse(text).or_else(|| self.wrong(expected))
    }

    /// One word of a fixed list; the message for any other names the most similar one.
    pub fn word<T>(
        &self,
        what: &str,
        words: impl IntoIterator<Item = &'static str>,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let word = self.text(what)?;
        parse(word).or_else(|| {
            let hint = nearest(word, words).map(|known| format!(", did you mean `{known}`?")).unwrap_or_default();
            self.wrong(&format!("{what}{hint}"))
        })
    }

    pub fn boolean(&self) -> Option<bool> {
        match self.value {
            DeValue::Boolean(value) => Some(*value),
            _ => self.wrong("true or false"),
        }
    }

    /// A whole number that `accept` accepts.
    pub fn number<T>(&self, expected: &str, accept: impl FnOnce(i64) -> Option<T>) -> Option<T> {
        let number = match self.value {
            DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix()).ok(),
            _ => None,
        };
        number.and_then(accept).or_else(|| self.wrong(expected))
    }

    /// The elements, each with its position in its path.
    pub fn array(&self, expected: &str) -> Option<Vec<Field<'a>>> {
        let DeValue::Array(elements) = self.value else {
            return self.wrong(expected);
        };
        let element = |(index, element): (usize, &'a Spanned<DeValue<'a>>)| Field {
            context: self.context,
            value: element.get_ref(),
            span: element.span(),
            path: format!("{}[{index}]", self.path),
            is_secret: self.is_secret,
        };
        Some(elements.iter().enumerate().map(element).collect())
    }

    /// Passes the table to `read`, then reports the keys that it did not read.
    pub fn table<T>(&self, read: impl FnOnce(&mut Table<'a>) -> Option<T>) -> Option<T> {
        let DeValue::Table(entries) = self.value else {
            return self.wrong("a table");
        };
        let mut table = Table::new(self.context, entries, self.span.clone(), self.path.clone());
        let value = read(&mut table);
        table.report_unknown_keys();
        value
    }

    /// A table as a JSON object, in the file's order of keys. Dates and times become texts.
    pub fn json_object(&self) -> Option<serde_json::Map<String, Value>> {
        match (self.value, to_json(self.value)) {
            (DeValue::Table(_), Some(Value::Object(object))) => Some(object),
            _ => self.wrong("a table of values that JSON can hold (no infinity, no NaN)"),
        }
    }

    /// Records that the value is not what was expected.
    pub fn wrong<T>(&self, expected: &str) -> Option<T> {
        self.error(format!("found {}, expected {expected}", self.found()))
    }

    /// Records an error with the caller's message.
    pub fn error<T>(&self, message: impl Into<String>) -> Option<T> {
        self.context.record(Severity::Error, self.span.start, &self.path, message.into());
        None
    }

    pub fn warn(&self, message: impl Into<String>) {
        self.context.record(Severity::Warning, self.span.start, &self.path, message.into());
    }

    pub fn line(&self) -> usize {
        self.context.line(self.span.start)
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    fn found(&self) -> String {
        match self.value {
            DeValue::String(_) if self.is_secret => "a text".to_owned(),
            DeValue::Integer(_) | DeValue::Float(_) if self.is_secret => "a number".to_owned(),
            DeValue::String(text) if text.is_empty() => "an empty text".to_owned(),
            DeValue::String(text) => format!("{:?}", shortened(text)),
            DeValue::Integer(number) => format!("the number {}", shortened(&number.to_string())),
            DeValue::Float(number) => format!("the number {}", shortened(number.as_str())),
            DeValue::Boolean(value) => value.to_string(),
            DeValue::Datetime(moment) => format!("the date or time {moment}"),
            DeValue::Array(elements) if elements.is_empty() => "an empty array".to_owned(),
            DeValue::Array(_) => "an array".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        }
    }
}

/// The path of `key` in the table at `path`, with quotes if TOML needs them.
fn join(path: &str, key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let key = if is_bare { key.to_owned() } else { format!("{key:?}") };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

/// At most 60 characters, so that a message stays one readable line.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 60 {
        return text.to_owned();
    }
    text.chars().take(59).chain(['…']).collect()
}

fn to_json(value: &DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::String(text) => Value::String(text.clone().into_owned()),
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix()).ok()?.into(),
        DeValue::Float(digits) => Value::Number(serde_json::Number::from_f64(digits.as_str().parse().ok()?)?),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(moment) => Value::String(moment.to_string()),
        DeValue::Array(elements) => {
            Value::Array(elements.iter().map(|element| to_json(element.get_ref())).collect::<Option<_>>()?)
        }
        DeValue::Table(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| key.span().start);
            let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
                Some((AsRef::<str>::as_ref(key.get_ref()).to_owned(), to_json(value.get_ref())?))
            };
            Value::Object(entries.into_iter().map(entry).collect::<Option<_>>()?)
        }
    })
}

#[cfg(test)]
mod tests;
