//! The plugins of one side of a backtest at work on one case: what they are asked is answered from the records, from what
//! the other side was told, or by the plugin itself.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::{
    app::analysis::{
        ask::{ASSESS, COMPARE, DETECT, INSPECT, call_of},
        statements::{Statement, differences, recorded, statements},
    },
    domain::{analysis::judgement::Answer, company_manifest::PluginRole, id::ItemId},
    plugins::{Chosen, PluginHost, Question, Reply, settings_hash},
    store::plugin_run::PluginRun,
};

/// The plugins of one side, by role.
#[derive(Clone)]
pub(super) struct Line(Arc<BTreeMap<PluginRole, Vec<Chosen>>>);

impl Line {
    pub(super) fn new(plugins: BTreeMap<PluginRole, Vec<Chosen>>) -> Self {
        Self(Arc::new(plugins))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    InService,
    WithCandidate,
}

/// Component, settings, call and input, by which the same question to the same plugin is known.
type Key = (String, String, &'static str, String);

/// What is known of one case's answers, for both sides.
pub(super) struct Memory {
    answers: Mutex<HashMap<Key, Answer<Reply>>>,
    calls: Mutex<Vec<Call>>,
    taken: AtomicU64,
}

/// One call of the candidate.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) micros: u64,
    pub(super) memory: u64,
    /// The kind of failure, and what the operator should know of it.
    pub(super) failure: Option<(&'static str, String)>,
}

impl Memory {
    /// What the records have. An extraction's values are in none, so it is asked for again.
    pub(super) fn of(runs: &[PluginRun]) -> Self {
        const CALLS: [&str; 4] = [DETECT, COMPARE, INSPECT, ASSESS];
        let known = runs.iter().filter_map(|run| {
            let call = *CALLS.iter().find(|call| **call == run.role)?;
            let reply = recorded(call, run.answer.as_deref()?)?;
            let key = (run.digest.clone(), run.settings_sha256.clone(), call, run.input_sha256.clone());
            Some((key, Answer::Given(reply)))
        });
        Self { answers: Mutex::new(known.collect()), calls: Mutex::default(), taken: AtomicU64::new(0) }
    }

    pub(super) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many answers were taken from the records, or from the other side.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    fn recall(&self, key: &Key) -> Option<Answer<Reply>> {
        let known = self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        self.taken.fetch_add(u64::from(known.is_some()), Ordering::Relaxed);
        known
    }
}

/// One side at work on one case.
pub(in crate::app::analysis) struct Trial {
    line: Line,
    side: Side,
    /// Of the candidate.
    digest: String,
    memory: Arc<Memory>,
    heard: Mutex<Vec<Heard>>,
}

/// One question, and what a plugin said.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    call: &'static str,
    item: Option<ItemId>,
    plugin: String,
    digest: Option<String>,
    answer: Answer<Reply>,
}

impl Trial {
    pub(super) fn new(line: Line, side: Side, digest: &str, memory: Arc<Memory>) -> Self {
        Self { line, side, digest: digest.to_owned(), memory, heard: Mutex::default() }
    }

    pub(in crate::app::analysis) fn chosen(&self, role: PluginRole) -> Vec<Chosen> {
        self.line.0.get(&role).cloned().unwrap_or_default()
    }

    pub(in crate::app::analysis) async fn ask(
        &self,
        host: &PluginHost,
        item: Option<ItemId>,
        chosen: &Chosen,
        question: Question,
    ) -> Answer<Reply> {
        let call = call_of(&question);
        let digest = chosen.sha256.clone().unwrap_or_default();
        let asked = question.clone();
        // Hashing a long document takes a while.
        let input = tokio::task::spawn_blocking(move || asked.digest()).await.unwrap_or_default();
        let key = (digest.clone(), settings_hash(&chosen.settings), call, input);
        let answer = match self.memory.recall(&key) {
            Some(answer) => answer,
            None => self.call(host, chosen, question, key).await,
        };
        let plugin = chosen.plugin.clone();
        let heard = Heard { call, item, plugin, digest: chosen.sha256.clone(), answer: answer.clone() };
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(heard);
        answer
    }

    async fn call(&self, host: &PluginHost, chosen: &Chosen, question: Question, key: Key) -> Answer<Reply> {
        let run = host.ask(chosen, question).await;
        let is_candidate = self.side == Side::WithCandidate && chosen.sha256.as_ref() == Some(&self.digest);
        if let Some(record) = run.record.as_ref().filter(|_| is_candidate) {
            let failure = run.outcome.as_ref().err().map(|error| (error.failure.kind(), error.to_string()));
            let call = Call { micros: record.micros, memory: record.memory, failure };
            self.memory.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        }
        let answer = match run.outcome {
            Ok(reply) => Answer::Given(reply),
            Err(error) => Answer::NotRun(error.failure.to_string()),
        };
        self.memory.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(key, answer.clone());
        answer
    }

    pub(super) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What was said of one subject by the plugin in service and by the candidate.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The role, or the call of it.
    pub(super) call: &'static str,
    pub(super) subject: String,
    pub(super) before: Option<Statement>,
    pub(super) after: Option<Statement>,
    pub(super) differs: bool,
}

/// What the candidate said beside what the plugin in its place said: the one of its name, else the first that was asked the
/// same of the same item.
pub(super) fn pairs(
    before: &[Heard],
    after: Vec<Heard>,
    candidate: &str,
    fields_of: impl Fn(ItemId) -> Vec<String>,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for heard in after.into_iter().filter(|heard| heard.digest.as_deref() == Some(candidate)) {
        let same: Vec<&Heard> =
            before.iter().filter(|other| other.call == heard.call && other.item == heard.item).collect();
        let other = same.iter().find(|other| other.plugin == heard.plugin).or_else(|| same.first());
        let fields = heard.item.filter(|_| heard.call == COMPARE).map(&fields_of).unwrap_or_default();
        let said = |answer: &Answer<Reply>| match answer {
            Answer::Given(reply) => statements(reply, &fields),
            Answer::NotRun(_) => Vec::new(),
        };
        let (then, now) = (other.map(|other| said(&other.answer)).unwrap_or_default(), said(&heard.answer));
        let differing = differences(&then, &now);
        let mut subjects: Vec<&String> = then.iter().map(|said| &said.subject).collect();
        subjects
            .extend(now.iter().map(|said| &said.subject).filter(|new| !then.iter().any(|old| old.subject == **new)));
        for subject in subjects {
            let of = |all: &[Statement]| all.iter().find(|said| said.subject == *subject).cloned();
            pairs.push(Pair {
                call: heard.call,
                subject: subject.clone(),
                before: of(&then),
                after: of(&now),
                differs: differing.iter().any(|difference| difference.subject == *subject),
            });
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugins::facts::Signal;

    fn heard(plugin: &str, digest: &str, answer: Answer<Reply>) -> Heard {
        Heard { call: ASSESS, item: None, plugin: plugin.to_owned(), digest: Some(digest.to_owned()), answer }
    }

    fn gps(score: u8) -> Answer<Reply> {
        Answer::Given(Reply::Signals(vec![Signal { kind: "gps".to_owned(), score, observations: Vec::new() }]))
    }

    fn scores(before: &[Heard], after: Vec<Heard>) -> Vec<(Option<u8>, Option<u8>, bool)> {
        let score = |said: Option<Statement>| said.and_then(|said| said.score);
        let pairs = pairs(before, after, "new", |_| Vec::new()).into_iter();
        pairs.map(|pair| (score(pair.before), score(pair.after), pair.differs)).collect()
    }

    #[test]
    fn the_candidate_is_held_against_the_plugin_of_its_name_else_the_first() {
        let before = [heard("other", "a", gps(10)), heard("mine", "b", gps(90))];
        assert_eq!(scores(&before, vec![heard("mine", "new", gps(80))]), [(Some(90), Some(80), true)]);
        assert_eq!(scores(&before, vec![heard("newcomer", "new", gps(10))]), [(Some(10), Some(10), false)]);
        assert_eq!(scores(&before, vec![heard("other", "a", gps(1))]), [], "what is no candidate changes nothing");
    }

    #[test]
    fn an_answer_on_one_side_alone_is_told() {
        let failed = || Answer::NotRun("it was stopped".to_owned());
        assert_eq!(
            scores(&[heard("mine", "b", gps(90))], vec![heard("mine", "new", failed())]),
            [(Some(90), None, true)]
        );
        assert_eq!(scores(&[], vec![heard("mine", "new", gps(5))]), [(None, Some(5), true)]);
    }
}
