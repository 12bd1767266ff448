//! A folder of labelled documents (`labels.json`, described in `docs/judging.md`), judged by the built-in plugins.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
};

use anyhow::Context as _;
use sealwright_plugin_sdk::cross_check::Outcome;
use serde::Deserialize;

use crate::{
    paper::{JudgedCheck, Judgement, judge_labelled},
    rate::{Grid, Rate},
};

/// The labels of a folder of documents.
#[derive(Debug, Deserialize)]
pub struct Corpus {
    #[serde(default)]
    pub maker: String,
    /// The day on which the documents are received, `yyyy-mm-dd`; today if it is missing.
    pub reference_date: Option<String>,
    pub documents: Vec<LabelledDocument>,
}

/// What is true of a document.
#[derive(Clone, Debug, Deserialize)]
pub struct LabelledDocument {
    pub id: String,
    /// Its path in the folder.
    pub file: String,
    pub class: Class,
    /// How it was processed or forged.
    pub kind: Option<String>,
    pub medium: String,
    /// None: an edited picture, whose type does not matter.
    #[serde(rename = "type")]
    pub document_type: Option<String>,
    pub lang: Option<String>,
    pub producer: Option<String>,
    /// How labels and values are placed.
    pub layout: Option<String>,
    /// The printed values by field code.
    #[serde(default)]
    pub fields: BTreeMap<String, Option<String>>,
    #[serde(default)]
    pub entries: Vec<Entry>,
    /// Fields that plain recognition cannot read.
    #[serde(default)]
    pub illegible: BTreeSet<String>,
    #[serde(default)]
    pub sha256: String,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    Genuine,
    /// Genuine, and processed afterwards without a change of what it says.
    Benign,
    ForgedPdf,
    ForgedImage,
}

/// A value that a person entered.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    pub field: String,
    pub value: String,
    pub expected: Expected,
    #[serde(default)]
    pub how: String,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub enum Expected {
    Match,
    Mismatch,
    Missing,
}

impl Expected {
    fn is(self, outcome: Outcome) -> bool {
        let expected = match self {
            Self::Match => Outcome::Same,
            Self::Mismatch => Outcome::Different,
            Self::Missing => Outcome::Missing,
        };
        expected == outcome
    }
}

/// A document and how the plugins judged it.
pub struct JudgedDocument {
    /// The maker of its corpus.
    pub maker: String,
    pub label: LabelledDocument,
    pub judgement: Judgement,
    /// The outcome of each entry.
    pub outcomes: Vec<Outcome>,
}

impl JudgedDocument {
    fn is_pdf(&self) -> bool {
        self.label.medium == "pdf"
    }

    /// Whether it counts among the files on which an alarm is wrong.
    fn is_innocent(&self) -> bool {
        matches!(self.label.class, Class::Genuine | Class::Benign)
    }

    /// The entries that count, with their outcome.
    fn counted(&self) -> impl Iterator<Item = (&Entry, Outcome)> {
        let entries = self.label.entries.iter().zip(self.outcomes.iter().copied());
        entries.filter(|(entry, _)| !self.label.illegible.contains(&entry.field))
    }
}

impl Corpus {
    /// Reads the labels of the corpus in `folder`.
    ///
    /// # Errors
    /// If `labels.json` cannot be read.
    pub fn load(folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join("labels.json");
        let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut corpus: Self =
            serde_json::from_slice(&text).with_context(|| format!("{} has no labels", file.display()))?;
        if corpus.maker.is_empty() {
            let name = folder.file_name().unwrap_or_default();
            corpus.maker = name.to_string_lossy().into_owned();
        }
        Ok(corpus)
    }

    /// Judges a document of the corpus in `folder`.
    ///
    /// # Errors
    /// If the file cannot be read, or a plugin fails, which is a bug.
    pub fn judge(
        &self,
        folder: &Path,
        label: &LabelledDocument,
        cache: Option<&Path>,
    ) -> anyhow::Result<JudgedDocument> {
        let file = folder.join(&label.file);
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let entered: Vec<(String, String)> =
            label.entries.iter().map(|entry| (entry.field.clone(), entry.value.clone())).collect();
        let (judgement, outcomes) = judge_labelled(bytes, cache, self.reference_date.as_deref(), &entered)?;
        Ok(JudgedDocument { maker: self.maker.clone(), label: label.clone(), judgement, outcomes })
    }
}

/// What the checks found on a document and what is true of it, as a JSON object in one line.
pub fn signs_line(document: &JudgedDocument) -> String {
    let JudgedDocument { maker, label, judgement, .. } = document;
    let checks: BTreeMap<&str, serde_json::Value> = judgement
        .evidence
        .iter()
        .map(|found| (found.check, serde_json::json!({ "decibans": found.decibans, "signs": found.signs })))
        .collect();
    serde_json::json!({
        "maker": maker,
        "id": label.id,
        "sha256": label.sha256,
        "medium": label.medium,
        "kind": label.kind,
        "type": label.document_type,
        "forged": !document.is_innocent(),
        "genuine": label.class == Class::Genuine,
        "suspicion": judgement.suspicion,
        "checks": checks,
    })
    .to_string()
}

/// The tables of `docs/judging.md` for labelled documents.
pub fn corpus_tables(documents: &[JudgedDocument]) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "### By maker\n\n{}", by_maker(documents));
    let _ = writeln!(text, "### Fields\n\n{}", fields(documents));
    let _ = writeln!(text, "### Forgeries\n\n{}", forgeries(documents));
    let _ = writeln!(text, "### Checks alone\n\n{}", checks(documents));
    let _ = writeln!(text, "### Innocent documents with an alarm, by history\n\n{}", histories(documents));
    text
}

fn by_maker(documents: &[JudgedDocument]) -> String {
    let mut grid = Grid::default();
    for document in documents {
        let medium = if document.is_pdf() { "clean" } else { "scan" };
        let alarm = document.judgement.alarm();
        for maker in [document.maker.as_str(), "**all**"] {
            if document.label.class == Class::Genuine {
                let is_right = Some(&document.judgement.detected) == document.label.document_type.as_ref();
                grid.add(maker, format!("type, {medium}"), is_right);
            }
            for (entry, outcome) in document.counted() {
                grid.add(maker, format!("cross-check, {medium}"), entry.expected.is(outcome));
            }
            match document.label.class {
                Class::ForgedPdf => grid.add(maker, "forged PDF found", alarm),
                Class::ForgedImage => grid.add(maker, "forged picture found", alarm),
                Class::Genuine | Class::Benign if document.label.medium.ends_with("pdf") => {
                    grid.add(maker, "PDF: false alarm", alarm);
                }
                Class::Genuine | Class::Benign => grid.add(maker, "picture: false alarm", alarm),
            }
        }
    }
    grid.table(
        "maker",
        &[
            "type, clean",
            "type, scan",
            "cross-check, clean",
            "cross-check, scan",
            "forged PDF found",
            "PDF: false alarm",
            "forged picture found",
            "picture: false alarm",
        ],
    )
}

fn fields(documents: &[JudgedDocument]) -> String {
    let mut grid = Grid::default();
    for document in documents {
        for (entry, outcome) in document.counted() {
            let column = match entry.expected {
                Expected::Match => "MATCH",
                Expected::Mismatch => "MISMATCH",
                Expected::Missing => "MISSING",
            };
            for row in [entry.field.as_str(), "**all**"] {
                grid.add(row, column, entry.expected.is(outcome));
            }
            if let Some(layout) = &document.label.layout {
                grid.add(format!("(layout {layout})"), column, entry.expected.is(outcome));
            }
        }
    }
    grid.table("field", &["MATCH", "MISMATCH", "MISSING"])
}

fn forgeries(documents: &[JudgedDocument]) -> String {
    let mut grid = Grid::default();
    for document in documents.iter().filter(|document| !document.is_innocent()) {
        let kind = document.label.kind.as_deref().unwrap_or("unknown");
        grid.add(kind, "alarm", document.judgement.alarm());
        grid.add(kind, "any sign", !document.judgement.raised().is_empty());
    }
    grid.table("forgery", &["alarm", "any sign"])
}

/// For each check alone: on how many forged and innocent PDFs it found a sign.
fn checks(documents: &[JudgedDocument]) -> String {
    let mut grid = Grid::default();
    for document in documents {
        let column = if document.is_innocent() { "innocent" } else { "forged" };
        for JudgedCheck { code, applies, evaluation, .. } in &document.judgement.checks {
            if *applies {
                grid.add(code.as_str(), format!("{column}: sign"), *evaluation < 100);
                grid.add(code.as_str(), format!("{column}: strong"), *evaluation < 40);
            }
        }
    }
    grid.table("check", &["forged: sign", "forged: strong", "innocent: sign", "innocent: strong"])
}

fn histories(documents: &[JudgedDocument]) -> String {
    let mut rates = BTreeMap::<String, Rate>::new();
    for document in documents.iter().filter(|document| document.is_innocent()) {
        let medium = &document.label.medium;
        let kind = document.label.kind.as_deref().unwrap_or("untouched");
        rates.entry(format!("{kind} ({medium})")).or_default().add(document.judgement.alarm());
    }
    let mut text = "| history | alarm |\n|---|---|\n".to_owned();
    for (history, rate) in rates {
        let _ = writeln!(text, "| {history} | {rate} |");
    }
    text
}

/// Each wrong judgement of a document, a line each.
pub fn wrong_judgements(document: &JudgedDocument) -> Vec<String> {
    let label = &document.label;
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let (kind, language) = (known(&label.document_type), known(&label.lang));
    let name = format!("{} {} {kind} {language} {} {}", document.maker, label.id, label.medium, known(&label.producer));
    let mut lines = Vec::new();
    if label.class == Class::Genuine && document.judgement.detected != kind {
        lines.push(format!("{name}: detected as {}", document.judgement.detected));
    }
    if document.judgement.alarm() == document.is_innocent() {
        lines.push(format!(
            "{name}: {} suspicion {} {:?}",
            known(&label.kind),
            document.judgement.suspicion,
            document.judgement.raised()
        ));
    }
    for (entry, outcome) in document.counted().filter(|(entry, outcome)| !entry.expected.is(*outcome)) {
        let printed = label.fields.get(&entry.field).and_then(Option::as_deref).unwrap_or("-");
        lines.push(format!(
            "{name}: {} {:?} ({}) is {:?}, expected {:?}; printed {printed:?}; layout {}",
            entry.field,
            entry.value,
            entry.how,
            outcome,
            entry.expected,
            known(&label.layout)
        ));
    }
    lines
}
