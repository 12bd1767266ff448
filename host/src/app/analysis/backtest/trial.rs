//! Runs the plugins of one side of a backtest on one case. A question is answered from the records, from the other
//! side's answers, or by the plugin itself.

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
pub(super) struct Lineup(Arc<BTreeMap<PluginRole, Vec<Chosen>>>);

impl Lineup {
    pub(super) fn new(plugins: BTreeMap<PluginRole, Vec<Chosen>>) -> Self {
        Self(Arc::new(plugins))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    InService,
    WithCandidate,
}

/// Component, settings, call and input: they identify a question to a plugin.
type Key = (String, String, &'static str, String);

/// The known answers for one case, for both sides.
pub(super) struct AnswerCache {
    answers: Mutex<HashMap<Key, Answer<Reply>>>,
    calls: Mutex<Vec<Call>>,
    reused: AtomicU64,
}

/// One call of the candidate.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) micros: u64,
    pub(super) memory: u64,
    /// The kind of failure, and its message for the operator.
    pub(super) failure: Option<(&'static str, String)>,
}

impl AnswerCache {
    /// The recorded answers. Records do not hold extracted values, so an extraction is asked for again.
    pub(super) fn of(runs: &[PluginRun]) -> Self {
        const CALLS: [&str; 4] = [DETECT, COMPARE, INSPECT, ASSESS];
        let known = runs.iter().filter_map(|run| {
            let call = *CALLS.iter().find(|call| **call == run.role)?;
            let reply = recorded(call, run.answer.as_deref()?)?;
            let key = (run.digest.clone(), run.settings_sha256.clone(), call, run.input_sha256.clone());
            Some((key, Answer::Given(reply)))
        });
        Self { answers: Mutex::new(known.collect()), calls: Mutex::default(), reused: AtomicU64::new(0) }
    }

    pub(super) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many answers were taken from the records or from the other side.
    pub(super) fn reused(&self) -> u64 {
        self.reused.load(Ordering::Relaxed)
    }

    fn look_up(&self, key: &Key) -> Option<Answer<Reply>> {
        let known = self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        self.reused.fetch_add(u64::from(known.is_some()), Ordering::Relaxed);
        known
    }
}

/// One side's plugins for one case.
pub(in crate::app::analysis) struct Trial {
    lineup: Lineup,
    side: Side,
    /// The candidate's.
    digest: String,
    cache: Arc<AnswerCache>,
    exchanges: Mutex<Vec<Exchange>>,
}

/// One question to a plugin, and its answer.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    call: &'static str,
    item: Option<ItemId>,
    plugin: String,
    digest: Option<String>,
    answer: Answer<Reply>,
}

impl Trial {
    pub(super) fn new(lineup: Lineup, side: Side, digest: &str, cache: Arc<AnswerCache>) -> Self {
        Self { lineup, side, digest: digest.to_owned(), cache, exchanges: Mutex::default() }
    }

    pub(in crate::app::analysis) fn chosen(&self, role: PluginRole) -> Vec<Chosen> {
        self.lineup.0.get(&role).cloned().unwrap_or_default()
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
        let answer = match self.cache.look_up(&key) {
            Some(answer) => answer,
            None => self.call(host, chosen, question, key).await,
        };
        let plugin = chosen.plugin.clone();
        let exchange = Exchange { call, item, plugin, digest: chosen.sha256.clone(), answer: answer.clone() };
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).push(exchange);
        answer
    }

    async fn call(&self, host: &PluginHost, chosen: &Chosen, question: Question, key: Key) -> Answer<Reply> {
        let run = host.ask(chosen, question).await;
        let is_candidate = self.side == Side::WithCandidate && chosen.sha256.as_ref() == Some(&self.digest);
        if let Some(record) = run.record.as_ref().filter(|_| is_candidate) {
            let failure = run.outcome.as_ref().err().map(|error| (error.failure.kind(), error.to_string()));
            let call = Call { micros: record.micros, memory: record.memory, failure };
            self.cache.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        }
        let answer = match run.outcome {
            Ok(reply) => Answer::Given(reply),
            Err(error) => Answer::NotRun(error.failure.to_string()),
        };
        self.cache.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(key, answer.clone());
        answer
    }

    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The statements of the plugin in service and of the candidate about one subject.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The role, or one of its calls.
    pub(super) call: &'static str,
    pub(super) subject: String,
    pub(super) before: Option<Statement>,
    pub(super) after: Option<Statement>,
    pub(super) differs: bool,
}

/// The candidate's statements next to those of the plugin it replaces: the one with its name, or else the first that
/// was asked the same about the same item.
pub(super) fn pairs(
    before: &[Exchange],
    after: Vec<Exchange>,
    candidate: &str,
    fields_of: impl Fn(ItemId) -> Vec<String>,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for exchange in after.into_iter().filter(|exchange| exchange.digest.as_deref() == Some(candidate)) {
        let same: Vec<&Exchange> =
            before.iter().filter(|other| other.call == exchange.call && other.item == exchange.item).collect();
        let other = same.iter().find(|other| other.plugin == exchange.plugin).or_else(|| same.first());
        let fields = exchange.item.filter(|_| exchange.call == COMPARE).map(&fields_of).unwrap_or_default();
        let said = |answer: &Answer<Reply>| match answer {
            Answer::Given(reply) => statements(reply, &fields),
            Answer::NotRun(_) => Vec::new(),
        };
        let (then, now) = (other.map(|other| said(&other.answer)).unwrap_or_default(), said(&exchange.answer));
        let differing = differences(&then, &now);
        let mut subjects: Vec<&String> = then.iter().map(|said| &said.subject).collect();
        subjects
            .extend(now.iter().map(|said| &said.subject).filter(|new| !then.iter().any(|old| old.subject == **new)));
        for subject in subjects {
            let of = |all: &[Statement]| all.iter().find(|said| said.subject == *subject).cloned();
            pairs.push(Pair {
                call: exchange.call,
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

    fn exchange(plugin: &str, digest: &str, answer: Answer<Reply>) -> Exchange {
        Exchange { call: ASSESS, item: None, plugin: plugin.to_owned(), digest: Some(digest.to_owned()), answer }
    }

    fn gps(score: u8) -> Answer<Reply> {
        Answer::Given(Reply::Signals(vec![Signal { kind: "gps".to_owned(), score, observations: Vec::new() }]))
    }

    fn scores(before: &[Exchange], after: Vec<Exchange>) -> Vec<(Option<u8>, Option<u8>, bool)> {
        let score = |said: Option<Statement>| said.and_then(|said| said.score);
        let pairs = pairs(before, after, "new", |_| Vec::new()).into_iter();
        pairs.map(|pair| (score(pair.before), score(pair.after), pair.differs)).collect()
    }

    #[test]
    fn the_candidate_is_compared_with_the_plugin_of_its_name_or_else_the_first() {
        let before = [exchange("other", "a", gps(10)), exchange("mine", "b", gps(90))];
        assert_eq!(scores(&before, vec![exchange("mine", "new", gps(80))]), [(Some(90), Some(80), true)]);
        assert_eq!(scores(&before, vec![exchange("newcomer", "new", gps(10))]), [(Some(10), Some(10), false)]);
        assert_eq!(scores(&before, vec![exchange("other", "a", gps(1))]), [], "only the candidate changes something");
    }

    #[test]
    fn an_answer_on_only_one_side_is_reported() {
        let failed = || Answer::NotRun("it was stopped".to_owned());
        assert_eq!(
            scores(&[exchange("mine", "b", gps(90))], vec![exchange("mine", "new", failed())]),
            [(Some(90), None, true)]
        );
        assert_eq!(scores(&[], vec![exchange("mine", "new", gps(5))]), [(None, Some(5), true)]);
    }
}
