//! Runs the plugins of one side of a backtest on one case. A question is answered from the records, from the other
//! side's answers, or by the plugin itself.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use parking_lot::Mutex;
use sealwright_seal::digest::Sha256Digest;

use crate::{
    app::analysis::statements::{Statement, differences, statements},
    domain::{analysis::judgement::Answer, company_manifest::PluginRole, id::ItemId},
    plugins::{Chosen, Function, PluginHost, Question, Reply, settings_hash},
    store::plugin_run::PluginRun,
};

/// The plugins of one side, by role.
#[derive(Clone)]
pub(in crate::app) struct Lineup(Arc<BTreeMap<PluginRole, Vec<Chosen>>>);

impl Lineup {
    pub(in crate::app) fn new(plugins: BTreeMap<PluginRole, Vec<Chosen>>) -> Self {
        Self(Arc::new(plugins))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Side {
    InService,
    WithCandidate,
}

/// Component, settings, function and input: they identify a question to a plugin. No component if it is not pinned, and
/// no input if it could not be hashed.
type Key = (Option<Sha256Digest>, Sha256Digest, Function, Option<Sha256Digest>);

/// The known answers for one case, for both sides.
pub(in crate::app) struct AnswerCache {
    answers: Mutex<HashMap<Key, Answer<Reply>>>,
    calls: Mutex<Vec<Call>>,
    reused: AtomicU64,
}

/// One call of the candidate.
#[derive(Clone, Debug)]
pub(in crate::app) struct Call {
    pub(in crate::app) micros: u64,
    pub(in crate::app) memory: u64,
    pub(in crate::app) failure: Option<CallFailure>,
}

/// Why a call of the candidate failed.
#[derive(Clone, Debug)]
pub(in crate::app) struct CallFailure {
    pub(in crate::app) kind: &'static str,
    /// For the operator: the plugin, the reason of the failure, and the plugin's log lines.
    pub(in crate::app) message: String,
}

impl AnswerCache {
    /// The recorded answers. Records do not hold values that were read, so a reading is asked for again.
    pub(in crate::app) fn of(runs: &[PluginRun]) -> Self {
        let known = runs.iter().filter_map(|run| {
            let function = Function::named(&run.role)
                .filter(|function| !matches!(function, Function::Extract | Function::State))?;
            let reply = Reply::recorded(function, run.answer.as_deref()?).ok()?;
            let key = (Some(run.digest), run.settings_sha256, function, Some(run.input_sha256));
            Some((key, Answer::Given(reply)))
        });
        Self { answers: Mutex::new(known.collect()), calls: Mutex::default(), reused: AtomicU64::new(0) }
    }

    pub(in crate::app) fn calls(&self) -> Vec<Call> {
        self.calls.lock().clone()
    }

    /// How many answers were taken from the records or from the other side.
    pub(in crate::app) fn reused(&self) -> u64 {
        self.reused.load(Ordering::Relaxed)
    }

    fn look_up<Q: Question>(&self, key: &Key) -> Option<Answer<Q::Answer>> {
        let known = self.answers.lock().get(key).cloned();
        let known = match known? {
            // An answer to another question is not a known answer to this one: the plugin is asked.
            Answer::Given(reply) => Answer::Given(reply.try_into().ok()?),
            Answer::NotRun(reason) => Answer::NotRun(reason),
        };
        self.reused.fetch_add(1, Ordering::Relaxed);
        Some(known)
    }

    fn add(&self, key: Key, answer: Answer<Reply>) {
        self.answers.lock().insert(key, answer);
    }
}

/// One side's plugins for one case.
pub(in crate::app) struct Trial {
    lineup: Lineup,
    side: Side,
    /// The candidate's.
    digest: Sha256Digest,
    cache: Arc<AnswerCache>,
    exchanges: Mutex<Vec<Exchange>>,
}

/// One question to a plugin, and its answer.
#[derive(Clone, Debug)]
pub(in crate::app) struct Exchange {
    function: Function,
    item: Option<ItemId>,
    plugin: String,
    digest: Option<Sha256Digest>,
    answer: Answer<Reply>,
}

impl Trial {
    pub(in crate::app) fn new(lineup: Lineup, side: Side, digest: Sha256Digest, cache: Arc<AnswerCache>) -> Self {
        Self { lineup, side, digest, cache, exchanges: Mutex::default() }
    }

    pub(in crate::app) fn chosen(&self, role: PluginRole) -> Vec<Chosen> {
        self.lineup.0.get(&role).cloned().unwrap_or_default()
    }

    pub(in crate::app) async fn ask<Q: Question>(
        &self,
        host: &PluginHost,
        item: Option<ItemId>,
        chosen: &Chosen,
        question: Q,
    ) -> Answer<Q::Answer> {
        let function = Q::FUNCTION;
        let asked = question.clone();
        // Hashing a long document takes a while.
        let input = tokio::task::spawn_blocking(move || asked.digest()).await.ok();
        let key = (chosen.sha256, settings_hash(&chosen.settings), function, input);
        let answer = match self.cache.look_up::<Q>(&key) {
            Some(answer) => answer,
            None => self.call(host, chosen, question, key).await,
        };
        let plugin = chosen.plugin.clone();
        let reply = in_general::<Q>(answer.clone());
        let exchange = Exchange { function, item, plugin, digest: chosen.sha256, answer: reply };
        self.exchanges.lock().push(exchange);
        answer
    }

    async fn call<Q: Question>(&self, host: &PluginHost, chosen: &Chosen, question: Q, key: Key) -> Answer<Q::Answer> {
        let run = host.ask(chosen, question).await;
        let is_candidate = self.side == Side::WithCandidate && chosen.sha256 == Some(self.digest);
        if let Some(record) = run.record.as_ref().filter(|_| is_candidate) {
            let failure = run
                .outcome
                .as_ref()
                .err()
                .map(|error| CallFailure { kind: error.failure.kind(), message: error.to_string() });
            let call = Call { micros: record.micros, memory: record.memory, failure };
            self.cache.calls.lock().push(call);
        }
        let answer = match run.outcome {
            Ok(reply) => Answer::Given(reply),
            Err(error) => Answer::NotRun(error.failure.to_string()),
        };
        self.cache.add(key, in_general::<Q>(answer.clone()));
        answer
    }

    pub(in crate::app) fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.lock().clone()
    }
}

/// The answer among those to other questions.
fn in_general<Q: Question>(answer: Answer<Q::Answer>) -> Answer<Reply> {
    match answer {
        Answer::Given(answer) => Answer::Given(answer.into()),
        Answer::NotRun(reason) => Answer::NotRun(reason),
    }
}

/// The statements of the plugin in service and of the candidate about one subject.
#[derive(Clone, Debug)]
pub(in crate::app) struct Pair {
    pub(in crate::app) function: Function,
    pub(in crate::app) subject: String,
    pub(in crate::app) before: Option<Statement>,
    pub(in crate::app) after: Option<Statement>,
    pub(in crate::app) differs: bool,
}

/// The candidate's statements next to those of the plugin it replaces: the one with its name, or else the first that
/// was asked the same about the same item. `fields_of` are the fields that the answer to a function is about.
pub(in crate::app) fn pairs(
    before: &[Exchange],
    after: Vec<Exchange>,
    candidate: Sha256Digest,
    fields_of: impl Fn(Function, ItemId) -> Vec<String>,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for exchange in after.into_iter().filter(|exchange| exchange.digest == Some(candidate)) {
        let same: Vec<&Exchange> =
            before.iter().filter(|other| other.function == exchange.function && other.item == exchange.item).collect();
        let other = same.iter().find(|other| other.plugin == exchange.plugin).or_else(|| same.first());
        let fields = exchange.item.map(|item| fields_of(exchange.function, item)).unwrap_or_default();
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
                function: exchange.function,
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
    use crate::plugins::{CaseSignals, DocumentChecks, facts::Signal};

    fn exchange(plugin: &str, digest: &str, answer: Answer<Reply>) -> Exchange {
        Exchange {
            function: Function::Assess,
            item: None,
            plugin: plugin.to_owned(),
            digest: Some(Sha256Digest::of(digest)),
            answer,
        }
    }

    fn gps(score: u8) -> Answer<Reply> {
        Answer::Given(Reply::Signals(vec![Signal { kind: "gps".to_owned(), score, observations: Vec::new() }]))
    }

    fn scores(before: &[Exchange], after: Vec<Exchange>) -> Vec<(Option<u8>, Option<u8>, bool)> {
        let score = |said: Option<Statement>| said.and_then(|said| said.score);
        let pairs = pairs(before, after, Sha256Digest::of("new"), |_, _| Vec::new()).into_iter();
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
    fn a_known_answer_is_reused_for_its_own_question_only() {
        let cache = AnswerCache::of(&[]);
        let [component, settings, input] = ["component", "settings", "input"].map(Sha256Digest::of);
        let key = (Some(component), settings, Function::Inspect, Some(input));
        // It could only be stored here by mistake.
        cache.add(key, Answer::Given(Reply::Signals(Vec::new())));
        assert_eq!(cache.look_up::<DocumentChecks>(&key), None);
        assert_eq!(cache.reused(), 0);
        assert_eq!(cache.look_up::<CaseSignals>(&key), Some(Answer::Given(Vec::new())));
        assert_eq!(cache.reused(), 1);
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
