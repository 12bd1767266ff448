//! The report of a backtest: printed by `sealwright plugin backtest`, and stored for the console.

use std::{collections::BTreeMap, fmt};

use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::{
    app::analysis::{
        reconstruct::MissingReason,
        trial::{Call, CallFailure, Pair},
    },
    clock::Timestamp,
    domain::{
        analysis::{CaseAnalysis, TrustLevel},
        company_manifest::PluginRole,
        id::{CaseId, CompanyId},
    },
};

/// How many messages of failed calls are reported.
const MAX_MESSAGES: usize = 5;

/// One case, judged by both sides.
pub(super) struct CaseComparison {
    pub(super) case: CaseId,
    pub(super) reference: String,
    pub(super) stored: CaseAnalysis,
    pub(super) before: CaseAnalysis,
    pub(super) after: CaseAnalysis,
    pub(super) pairs: Vec<Pair>,
    pub(super) calls: Vec<Call>,
    pub(super) from_records: u64,
    pub(super) missing: Vec<MissingReason>,
}

/// What would change if the candidate took its place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Backtest {
    pub company_id: CompanyId,
    pub candidate: CandidateInfo,
    #[serde(deserialize_with = "read_moment")]
    pub since: Timestamp,
    /// Whether it was stopped before all cases were seen.
    pub interrupted: bool,
    /// Whether there are more cases than the limit.
    pub limited: bool,
    /// Cases that were judged by both sides.
    pub cases: usize,
    /// Those whose score would change.
    pub scores_changed: usize,
    /// Those whose level would change.
    pub levels_changed: Vec<CaseChange>,
    /// Those whose stored level differs from what the plugins in service give today.
    pub differ_already: usize,
    pub documents: usize,
    pub documents_changed: usize,
    /// Documents that cannot be examined again, by the reason. They keep their result on both sides.
    pub documents_left: BTreeMap<String, usize>,
    /// The candidate's answers compared with those of the plugin it replaces, by role and subject.
    pub subjects: Vec<Subject>,
    pub calls: Calls,
    /// Answers that were reused from records.
    pub from_records: u64,
    #[serde(skip)]
    tallies: BTreeMap<(&'static str, String), Subject>,
    #[serde(skip)]
    times: Vec<u64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidateInfo {
    pub name: String,
    pub version: String,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    pub roles: Vec<PluginRole>,
    /// The plugins that it replaces.
    pub replaced: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseChange {
    pub case_id: CaseId,
    pub cf_ref: String,
    pub before: Judged,
    pub after: Judged,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    pub trust_score: u8,
    pub trust_level: TrustLevel,
}

/// A check, a field, a signal or a type, over all answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    pub role: String,
    #[serde(rename = "subject")]
    pub name: String,
    /// How often either side mentioned it.
    pub answers: usize,
    /// How often the two differed, including the following.
    pub changed: usize,
    pub score_higher: usize,
    pub score_lower: usize,
    /// How often only the candidate mentioned it, and how often only the other.
    pub new: usize,
    pub gone: usize,
}

/// The candidate's own calls.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Calls {
    #[serde(rename = "calls")]
    pub made: usize,
    pub failures: BTreeMap<String, usize>,
    /// The first messages, with their log lines.
    pub messages: Vec<String>,
    /// Microseconds.
    pub p50: u64,
    pub p99: u64,
    /// The most linear memory of a call, in bytes.
    pub memory: u64,
}

impl Backtest {
    pub(super) fn new(company_id: CompanyId, candidate: CandidateInfo, since: Timestamp) -> Self {
        Self {
            company_id,
            candidate,
            since,
            interrupted: false,
            limited: false,
            cases: 0,
            scores_changed: 0,
            levels_changed: Vec::new(),
            differ_already: 0,
            documents: 0,
            documents_changed: 0,
            documents_left: BTreeMap::new(),
            subjects: Vec::new(),
            calls: Calls::default(),
            from_records: 0,
            tallies: BTreeMap::new(),
            times: Vec::new(),
        }
    }

    /// Counts one case.
    pub(super) fn add(&mut self, compared: CaseComparison) {
        let CaseComparison { case, reference, stored, before, after, pairs, calls, from_records, missing } = compared;
        self.cases += 1;
        self.from_records += from_records;
        self.scores_changed += usize::from(before.trust_score != after.trust_score);
        self.differ_already += usize::from(stored.trust_level != before.trust_level);
        self.documents += before.document_analyses.len();
        let both = before.document_analyses.iter().zip(&after.document_analyses);
        self.documents_changed += both.filter(|(before, after)| before != after).count();
        if before.trust_level != after.trust_level {
            let judged = |analysis: &crate::domain::analysis::CaseAnalysis| Judged {
                trust_score: analysis.trust_score,
                trust_level: analysis.trust_level,
            };
            let (before, after) = (judged(&before), judged(&after));
            self.levels_changed.push(CaseChange { case_id: case, cf_ref: reference, before, after });
        }
        for reason in missing {
            *self.documents_left.entry(reason.to_string()).or_default() += 1;
        }
        for pair in pairs {
            let call = pair.function.as_str();
            let key = (call, pair.subject.clone());
            let tally = self.tallies.entry(key).or_insert_with(|| Subject::new(call, pair.subject));
            tally.answers += 1;
            tally.changed += usize::from(pair.differs);
            match (pair.before, pair.after) {
                (Some(before), Some(after)) => {
                    tally.score_higher += usize::from(after.score > before.score);
                    tally.score_lower += usize::from(after.score < before.score);
                }
                (None, Some(_)) => tally.new += 1,
                (Some(_), None) => tally.gone += 1,
                (None, None) => {}
            }
        }
        for call in calls {
            self.count(call);
        }
    }

    fn count(&mut self, call: Call) {
        self.calls.made += 1;
        self.calls.memory = self.calls.memory.max(call.memory);
        self.times.push(call.micros);
        if let Some(CallFailure { kind, message }) = call.failure {
            *self.calls.failures.entry(kind.to_owned()).or_default() += 1;
            add_message(&mut self.calls.messages, message);
        }
    }

    /// Sorts the counts and computes the percentiles.
    pub(super) fn finish(&mut self) {
        self.subjects = self.tallies.values().cloned().collect();
        self.levels_changed.sort_by(|one, other| one.cf_ref.cmp(&other.cf_ref));
        self.times.sort_unstable();
        let at = |percent: usize| self.times.get((self.times.len() * percent).div_ceil(100).saturating_sub(1)).copied();
        (self.calls.p50, self.calls.p99) = (at(50).unwrap_or_default(), at(99).unwrap_or_default());
    }
}

/// Adds one of the first messages, unless it is there already.
fn add_message(messages: &mut Vec<String>, message: String) {
    if messages.len() < MAX_MESSAGES && !messages.contains(&message) {
        messages.push(message);
    }
}

impl Subject {
    fn new(role: &'static str, name: String) -> Self {
        Self { role: role.to_owned(), name, answers: 0, changed: 0, score_higher: 0, score_lower: 0, new: 0, gone: 0 }
    }
}

fn read_moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(deserializer)?;
    let moment: jiff::Timestamp = text.parse().map_err(D::Error::custom)?;
    Ok(moment.into())
}

impl fmt::Display for Backtest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CandidateInfo { name, version, digest, roles, replaced } = &self.candidate;
        let roles: Vec<&str> = roles.iter().map(PluginRole::into_str).collect();
        writeln!(f, "{name} {version} ({digest:.12}), {}, on company {}", roles.join(", "), self.company_id)?;
        let place = if replaced.is_empty() {
            "Alongside the plugins in service".to_owned()
        } else {
            format!("In place of {}", replaced.join(", "))
        };
        writeln!(f, "{place}, on cases closed since {}", self.since)?;
        if self.interrupted {
            writeln!(f, "Interrupted: these are the results so far")?;
        }
        if self.limited {
            writeln!(f, "There are older cases than these: see --limit")?;
        }
        writeln!(f, "\nCases      {:>8}", self.cases)?;
        writeln!(f, "  score changed  {:>4}", self.scores_changed)?;
        writeln!(f, "  level changed  {:>4}", self.levels_changed.len())?;
        if self.differ_already > 0 {
            writeln!(
                f,
                "  {} have a stored level that differs from the one that today's plugins and rules give",
                self.differ_already
            )?;
        }
        writeln!(f, "Documents  {:>8}", self.documents)?;
        writeln!(f, "  result changed {:>4}", self.documents_changed)?;
        for (reason, count) in &self.documents_left {
            writeln!(f, "  {count} cannot be examined again and keep their result: {reason}")?;
        }
        writeln!(
            f,
            "\nWhat it said{:>33}{:>9}{:>8}{:>7}{:>6}{:>6}",
            "answers", "changed", "higher", "lower", "new", "gone"
        )?;
        for subject in &self.subjects {
            let Subject { role, name, answers, changed, score_higher, score_lower, new, gone } = subject;
            let named = format!("{role}: {}", name.escape_debug());
            writeln!(f, "  {named:<36}{answers:>7}{changed:>9}{score_higher:>8}{score_lower:>7}{new:>6}{gone:>6}")?;
        }
        let Calls { made, failures, messages, p50, p99, memory } = &self.calls;
        let failed: usize = failures.values().sum();
        write!(f, "\n{made} calls, {failed} failed; p50 {p50} us, p99 {p99} us, at most {} KiB", memory / 1024)?;
        write!(f, "; {} answers were reused from records", self.from_records)?;
        for message in messages {
            write!(f, "\n  {}", message.escape_debug())?;
        }
        if !self.levels_changed.is_empty() {
            write!(f, "\n\nCases with a changed level")?;
        }
        for CaseChange { case_id: _, cf_ref, before, after } in &self.levels_changed {
            let text = |judged: &Judged| format!("{:?} ({})", judged.trust_level, judged.trust_score).to_uppercase();
            write!(f, "\n  {cf_ref}: {} -> {}", text(before), text(after))?;
        }
        Ok(())
    }
}
