//! One document: the results of the plugins, compared with its label.

use std::{fs, path::Path, sync::OnceLock};

use anyhow::Context as _;
use cross_check::FieldCrossCheck;
use document_forensics::{DocumentForensics, Evidence, evidence};
use document_types::DocumentTypes;
use sealwright_base::clock::{Clock, Timestamp};
use sealwright_domain::file_kind::FileKind;
use sealwright_facts::{Facts, Limits, Recognition, model::FileFacts, prepare};
use sealwright_lab::{Paper, PaperLabel};
use sealwright_plugin_sdk::{
    cross_check::{CrossChecker as _, Entry, Outcome, Verifier as _},
    document_type::Detector as _,
    facts::Document,
    falsification::{Check, Inspector as _, Verdict},
    reading::{Date, cells},
    webhook_auth::Content,
};

use crate::ALARM;

/// The moment at which papers are received: the lab's own today, at noon.
const RECEIVED: i64 = 1_793_620_800_000;

/// What the plugins say about a document.
pub struct Judgement {
    pub detected: String,
    /// 0 to 100.
    pub suspicion: u8,
    pub checks: Vec<JudgedCheck>,
    /// What the checks found, before it was weighed together.
    pub evidence: Vec<Evidence>,
    /// The pieces of text as the plugins see them: left and upper edge in points, confidence, text.
    pub text: Vec<String>,
}

/// The answer of one falsification check.
#[derive(Debug)]
pub struct JudgedCheck {
    pub code: String,
    /// Whether there was something to examine.
    pub applies: bool,
    /// 0 to 100; 100 means that nothing is wrong.
    pub evaluation: u8,
    /// The worst finding.
    pub text: String,
}

impl Judgement {
    pub fn alarm(&self) -> bool {
        self.suspicion >= ALARM
    }

    /// The checks that found a sign.
    pub fn raised(&self) -> Vec<&JudgedCheck> {
        self.checks.iter().filter(|check| check.evaluation < 100).collect()
    }
}

/// The judgement of a paper.
pub struct PaperVerdict {
    pub label: Option<PaperLabel>,
    pub judgement: Judgement,
    pub compared: Vec<ComparedField>,
}

/// The judgement of a field.
#[derive(Debug)]
pub struct ComparedField {
    pub code: &'static str,
    /// Its true value.
    pub value: String,
    /// The value read from the paper.
    pub read: Option<String>,
    /// Whether the true value, in another notation, was accepted as the same.
    pub same: bool,
    /// Whether a changed value was detected as different.
    pub changed: bool,
}

impl ComparedField {
    pub fn is_right(&self) -> bool {
        self.same && self.changed
    }
}

impl PaperVerdict {
    pub fn alarm(&self) -> bool {
        self.judgement.alarm()
    }

    /// Whether the detected type is correct.
    pub fn type_is_right(&self) -> bool {
        self.label.as_ref().is_some_and(|label| label.kind == self.judgement.detected)
    }
}

/// Judges a paper of the lab. Its facts are cached in the folder `cache`, if given: reading text in pictures takes
/// nearly all of the time. Cached facts are those of the program that wrote them.
///
/// # Errors
/// If a plugin fails, which is a bug, or facts cannot be cached.
pub fn judge_paper(paper: Paper, cache: Option<&Path>) -> anyhow::Result<PaperVerdict> {
    let document = document_of(paper.bytes, cache, Timestamp::from_millis(RECEIVED))?;
    let judgement = judge(&document)?;
    let compared = compared(&document, &paper.label, &judgement.detected)?;
    Ok(PaperVerdict { label: Some(paper.label), judgement, compared })
}

/// Judges any file as a document.
///
/// # Errors
/// If a plugin fails, which is a bug.
pub fn judge_file(bytes: Vec<u8>) -> anyhow::Result<Judgement> {
    judge(&document_of(bytes, None, Timestamp::from_millis(RECEIVED))?)
}

/// Judges a document that was received on `day` (`yyyy-mm-dd`; else today), and compares the `entered` values: pairs of
/// a field's code and a value.
pub(crate) fn judge_labelled(
    bytes: Vec<u8>,
    cache: Option<&Path>,
    day: Option<&str>,
    entered: &[(String, String)],
) -> anyhow::Result<(Judgement, Vec<Outcome>)> {
    let document = document_of(bytes, cache, noon_of(day)?)?;
    let judgement = judge(&document)?;
    let outcomes = outcomes(&document, &judgement.detected, entered)?;
    Ok((judgement, outcomes))
}

/// The outcome for each entered value, like the host asks for it.
fn outcomes(document: &Document, detected: &str, entered: &[(String, String)]) -> anyhow::Result<Vec<Outcome>> {
    let entry = |(code, value): &(String, String)| Entry { code: code.clone(), value: value.clone() };
    let entries: Vec<Entry> = entered.iter().map(entry).collect();
    let verified =
        FieldCrossCheck::verify(document, detected, &entries, "{}").map_err(|error| anyhow::anyhow!("{error:?}"))?;
    Ok(verified.iter().map(|verification| verification.outcome).collect())
}

fn judge(document: &Document) -> anyhow::Result<Judgement> {
    let candidates = DocumentTypes::detect(document, "{}").map_err(|error| anyhow::anyhow!("{error:?}"))?;
    // Like the host: the highest score, the first of equals.
    let best = candidates.iter().rev().max_by_key(|candidate| candidate.score);
    let detected = best.map(|candidate| candidate.document_type.clone()).unwrap_or_default();
    let checks = DocumentForensics::inspect(document, &detected, "{}").map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let suspicion = suspicion(&checks);
    let evidence = evidence(document, &detected);
    let judged = checks.into_iter().map(|check| JudgedCheck {
        applies: check.verdict != Verdict::NotApplicable,
        evaluation: check.evaluation,
        text: check.findings.into_iter().next().map(|finding| finding.text).unwrap_or_default(),
        code: check.code,
    });
    let text = cells(document)
        .into_iter()
        .map(|cell| format!("{},{} {} %: {}", cell.area.left / 100, cell.area.top / 100, cell.confidence, cell.text))
        .collect();
    Ok(Judgement { detected, suspicion, checks: judged.collect(), evidence, text })
}

/// 100 less the weighted mean of the checks' evaluations (decisions 13).
fn suspicion(checks: &[Check]) -> u8 {
    let weights: u32 = checks.iter().map(|check| u32::from(check.weight)).sum();
    let sum: u32 = checks.iter().map(|check| u32::from(check.weight) * u32::from(check.evaluation)).sum();
    let mean = (sum + weights / 2).checked_div(weights).unwrap_or(100);
    100 - u8::try_from(mean).unwrap_or(100)
}

/// Noon of a day (`yyyy-mm-dd`); now without one.
pub(crate) fn noon_of(day: Option<&str>) -> anyhow::Result<Timestamp> {
    const DAY: i64 = 86_400_000;
    let Some(day) = day else { return Ok(Clock::system().now()) };
    let day = Date::read(day).with_context(|| format!("{day} is not a day"))?;
    Ok(Timestamp::from_millis(day.day_number() * DAY + DAY / 2))
}

pub(crate) fn document_of(bytes: Vec<u8>, cache: Option<&Path>, received_at: Timestamp) -> anyhow::Result<Document> {
    let read = || prepare(&bytes, &Limits::default(), &Recognition::IfInstalled(OnceLock::new()));
    let seen = match cache {
        None => read(),
        Some(folder) => cached_facts(&folder.join(FileFacts::of(&bytes).sha256).with_extension("json"), read)?,
    };
    let kind = FileKind::of(&bytes).unwrap_or(FileKind::Pdf);
    // No judged plugin asks for the digest.
    let digest = [0; 32];
    Ok(sealwright_plugin_facts::document(&seen, kind, Content(bytes), digest, received_at))
}

/// Reads the facts from a file, or writes the file if it is missing.
fn cached_facts(file: &Path, read: impl FnOnce() -> Facts) -> anyhow::Result<Facts> {
    if file.is_file() {
        let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        return serde_json::from_slice(&text).with_context(|| format!("{} has no facts", file.display()));
    }
    let seen = read();
    // An interrupted run leaves no partial file, and two threads may read the same document.
    let part = file.with_extension(format!("{:?}.part", std::thread::current().id()));
    fs::write(&part, serde_json::to_vec(&seen)?).with_context(|| format!("cannot write {}", part.display()))?;
    fs::rename(&part, file).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(seen)
}

/// Each field of the label is entered twice: in another notation, and changed.
fn compared(document: &Document, label: &PaperLabel, detected: &str) -> anyhow::Result<Vec<ComparedField>> {
    let wanted: Vec<String> = label.fields.keys().map(|code| (*code).to_owned()).collect();
    let fields =
        FieldCrossCheck::extract(document, detected, &wanted, "{}").map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let entered = |entry: fn(&str, &str) -> String| -> Vec<(String, String)> {
        label.fields.iter().map(|(code, field)| ((*code).to_owned(), entry(code, &field.value))).collect()
    };
    let same = outcomes(document, detected, &entered(otherwise_written))?;
    let changed = outcomes(document, detected, &entered(changed_value))?;
    let judged = label.fields.iter().zip(same).zip(changed);
    Ok(judged
        .map(|(((code, field), same), changed)| ComparedField {
            code,
            value: field.value.clone(),
            read: fields.iter().find(|read| read.code == **code).map(|read| read.value.clone()),
            same: same == Outcome::Same,
            changed: changed == Outcome::Different,
        })
        .collect())
}

/// The same value as another person might type it.
fn otherwise_written(code: &str, value: &str) -> String {
    use sealwright_plugin_sdk::reading::{Amount, Date};
    match code {
        _ if code.ends_with("Date") => Date::read(value).map_or_else(|| value.to_owned(), Date::iso),
        _ if code.ends_with("Amount") => Amount::read(value).map_or_else(|| value.to_owned(), Amount::plain),
        "iban" => value.replace(' ', ""),
        _ => value.to_lowercase().replace('-', " "),
    }
}

/// Another value of the same kind: another digit, or another ending.
fn changed_value(code: &str, value: &str) -> String {
    if code.ends_with("Date") {
        // The changed day stays a valid day of the month.
        let written = otherwise_written(code, value);
        return if written.ends_with('1') {
            format!("{}2", &written[..written.len() - 1])
        } else {
            format!("{}1", &written[..written.len() - 1])
        };
    }
    let mut letters: Vec<char> = value.chars().collect();
    let last_digit = letters.iter().rposition(char::is_ascii_digit);
    match last_digit {
        Some(at) => letters[at] = if letters[at] == '7' { '3' } else { '7' },
        None => letters.extend("ovic".chars()),
    }
    letters.into_iter().collect()
}
