//! Repeats the plugin calls of a verdict (`sealwright plugin replay`) with the same component, settings and input, and
//! compares the answers. Nothing is written.

mod report;

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use sealwright_seal::digest::Sha256Digest;
use serde_json::{Map, Value};

pub use self::report::Replay;
use self::report::{Outcome, ReplayedRun};
use crate::{
    app::{
        App,
        analysis::{
            components, document,
            evidence::{self, Unanswered},
            reconstruct::{self, DocumentInput, MissingReason},
            statements::{differences, statements},
        },
    },
    clock::Timestamp,
    domain::id::{CaseId, ItemId},
    error::{Error, Result},
    plugins::{
        CaseSignals, Chosen, DocumentChecks, DocumentFields, DocumentStatements, DocumentTypes, Failure,
        FieldComparisons, FieldVerifications, Function, PluginError, Question, facts::ExtractedField, offers_contract,
        settings_hash,
    },
    store::{self, analysis::ItemAnalysis, case::Case, item::Item, plugin_run::PluginRun},
};

/// Repeats every recorded call of a case and its items. The case may be any company's: the caller is the operator.
pub async fn replay(app: &App, id: CaseId) -> Result<Replay> {
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?;
    let case = case.ok_or_else(|| Error::not_found(format!("case {id} does not exist")))?;
    let items = store::item::of_case(&mut reader, id).await?;
    let analyses = store::analysis::of_items(&mut reader, id).await?;
    let runs = store::plugin_run::of_case(&mut reader, id).await?;
    drop(reader);
    let mut state = ReplayState {
        app,
        case,
        items,
        analyses,
        runs,
        documents: HashMap::new(),
        read: HashMap::new(),
        fuel: Mutex::default(),
    };
    let mut replayed = Vec::new();
    for run in state.runs.clone() {
        *state.fuel.lock() = None;
        let outcome = match state.rerun(&run).await? {
            Ok(differences) if differences.is_empty() => Outcome::Same,
            Ok(differences) => Outcome::Different { differences },
            Err(reason) => Outcome::CannotRun { reason },
        };
        let fuel = *state.fuel.lock();
        replayed.push(ReplayedRun::new(&run, fuel, outcome));
    }
    Ok(Replay::new(id, state.case.reference().to_string(), replayed))
}

/// The state of a replay.
struct ReplayState<'a> {
    app: &'a App,
    case: Case,
    items: Vec<Item>,
    analyses: Vec<ItemAnalysis>,
    runs: Vec<PluginRun>,
    documents: HashMap<(ItemId, Timestamp), std::result::Result<DocumentInput, MissingReason>>,
    /// The fields that each component has read from a document with its settings: a comparison needs their values,
    /// which no record keeps.
    read: HashMap<(ItemId, Sha256Digest, Sha256Digest), Vec<ExtractedField>>,
    /// What the last repeated call used.
    fuel: Mutex<Option<i64>>,
}

/// What an attempt gives; or why it cannot be made.
type Attempt<T> = std::result::Result<T, String>;

impl ReplayState<'_> {
    /// The differences between the new answer and the recorded one; or why there is no new answer.
    async fn rerun(&mut self, run: &PluginRun) -> Result<Attempt<Vec<String>>> {
        if !offers_contract(&run.contract) {
            return Ok(Err(format!("this program does not offer version {} of the contract", run.contract)));
        }
        let chosen = match self.settings(run).await? {
            Ok(settings) => {
                Chosen { company: self.case.company, plugin: run.plugin.clone(), sha256: Some(run.digest), settings }
            }
            Err(reason) => return Ok(Err(reason)),
        };
        let function = Function::named(&run.role);
        if function == Some(Function::Assess) {
            let question = self.about_the_case(run).await?;
            return self.repeat(run, &chosen, question).await;
        }
        let Some(item) = run.item_id else { return Ok(Err("its record names no document".to_owned())) };
        let given = match self.document(item, run.moment()).await? {
            Ok(given) => given,
            Err(reason) => return Ok(Err(reason.to_string())),
        };
        let DocumentInput { document, plan, entered } = given;
        let detected = || reconstruct::detected(self.runs.iter().filter(|other| other.item_id == Some(item)));
        let read = (item, run.digest, run.settings_sha256);
        match function {
            Some(Function::Detect) => self.repeat(run, &chosen, DocumentTypes { document }).await,
            Some(Function::Extract) => {
                // The digest shows whether the plugin verified, and so was not asked for the compared fields.
                let reading = |wanted| DocumentFields::new(Arc::clone(&document), detected(), wanted);
                let question = reading(document::wanted(&plan));
                let is_whole = question.digest() == run.input_sha256;
                let question = if is_whole { question } else { reading(document::sent(&plan)) };
                let outcome = match self.ask(run, &chosen, question).await? {
                    Ok(outcome) => outcome,
                    Err(reason) => return Ok(Err(reason)),
                };
                if let Ok(fields) = &outcome {
                    self.read.insert(read, fields.clone());
                }
                Ok(self.compare::<DocumentFields>(run, outcome))
            }
            Some(Function::Compare) => match self.read.get(&read) {
                Some(fields) => {
                    let pairs = document::pairs(&plan, fields, &entered);
                    self.repeat(run, &chosen, FieldComparisons { pairs }).await
                }
                None => Ok(Err("the fields that it compared cannot be read again".to_owned())),
            },
            Some(Function::Verify) => {
                let entries = document::entries(&plan, &entered);
                self.repeat(run, &chosen, FieldVerifications::new(document, detected(), entries)).await
            }
            Some(Function::State) => {
                let question = DocumentStatements { document, document_type: detected() };
                self.repeat(run, &chosen, question).await
            }
            Some(Function::Inspect) => {
                let question = DocumentChecks { document, document_type: detected() };
                self.repeat(run, &chosen, question).await
            }
            Some(Function::Assess) | None => Ok(Err(format!("this program does not know the call {:?}", run.role))),
        }
    }

    /// Asks the question of a record again, and compares the answer with the recorded one.
    async fn repeat<Q: Question>(&self, run: &PluginRun, chosen: &Chosen, question: Q) -> Result<Attempt<Vec<String>>> {
        let asked = self.ask(run, chosen, question).await?;
        Ok(asked.and_then(|outcome| self.compare::<Q>(run, outcome)))
    }

    /// Asks the question of a record again, if it is the same.
    async fn ask<Q: Question>(
        &self,
        run: &PluginRun,
        chosen: &Chosen,
        question: Q,
    ) -> Result<Attempt<std::result::Result<Q::Answer, PluginError>>> {
        if question.digest() != run.input_sha256 {
            let reason = "its input cannot be reconstructed: the stored data has changed, or this program builds it \
                          differently";
            return Ok(Err(reason.to_owned()));
        }
        if let Err(reason) = components::load(self.app, &run.plugin, run.digest, Q::FUNCTION.role()).await? {
            return Ok(Err(reason));
        }
        let run = self.app.plugins.on_trial().ask(chosen, question).await;
        let fuel = run.record.and_then(|record| record.fuel);
        *self.fuel.lock() = fuel.map(|fuel| i64::try_from(fuel).unwrap_or(i64::MAX));
        Ok(Ok(run.outcome))
    }

    /// The differences between an outcome and the recorded one.
    fn compare<Q: Question>(
        &self,
        run: &PluginRun,
        outcome: std::result::Result<Q::Answer, PluginError>,
    ) -> Attempt<Vec<String>> {
        match (outcome, &run.answer, &run.failure) {
            (Err(error), ..) if matches!(error.failure, Failure::Busy(_) | Failure::Host(_) | Failure::NotLoaded) => {
                Err(error.failure.to_string())
            }
            (Err(error), _, Some(failure)) => {
                let now = error.failure.to_string();
                // Which limit stops a plugin that uses everything it can get depends on the machine.
                let both_limits = error.failure.exceeds_limits() && Failure::names_exceeded_limits(failure);
                if now == *failure || both_limits {
                    Ok(Vec::new())
                } else {
                    Ok(vec![format!("before: {failure}; now: {now}")])
                }
            }
            (Err(error), ..) => Ok(vec![format!("before: it answered; now: {}", error.failure)]),
            (Ok(_), None, failure) => {
                let failure = failure.as_deref().unwrap_or("there was no answer");
                Ok(vec![format!("before: {failure}; now: it answers")])
            }
            (Ok(now), Some(then), _) => {
                let then = Q::recorded(then).map_err(|_| "the recorded answer cannot be read by this program")?;
                let fields = self.fields(run);
                let (then, now) = (then.into(), Q::without_values(now).into());
                let differing = differences(&statements(&then, &fields), &statements(&now, &fields));
                Ok(differing.iter().map(ToString::to_string).collect())
            }
        }
    }

    /// The settings that the plugin was given.
    async fn settings(&self, run: &PluginRun) -> Result<Attempt<Map<String, Value>>> {
        let mut reader = self.app.db.read().await?;
        let kept = store::plugin_run::settings(&mut reader, run.settings_sha256).await?;
        // Older records have no stored settings: the most common ones are known.
        let kept = kept.or_else(|| (settings_hash(&Map::new()) == run.settings_sha256).then(|| "{}".to_owned()));
        let Some(kept) = kept else { return Ok(Err("the settings that it was given are not kept".to_owned())) };
        let settings: Map<String, Value> = serde_json::from_str(&kept).map_err(Error::internal)?;
        if settings_hash(&settings) == run.settings_sha256 {
            Ok(Ok(settings))
        } else {
            Ok(Err("the settings that it was given were changed in the database".to_owned()))
        }
    }

    /// The question about the case, as the plugin was asked it.
    async fn about_the_case(&self, run: &PluginRun) -> Result<CaseSignals> {
        let analyses = reconstruct::analyses(&self.analyses, run.moment());
        let question = async |unanswered| -> Result<CaseSignals> {
            let evidence = evidence::of_case(self.app, &self.case, &self.items, &analyses, unanswered).await?;
            Ok(CaseSignals { evidence: evidence.into() })
        };
        let asked = question(Unanswered::LeftOut).await?;
        if asked.digest() == run.input_sha256 { Ok(asked) } else { question(Unanswered::AsZeros).await }
    }

    async fn document(
        &mut self,
        item: ItemId,
        as_of: Timestamp,
    ) -> Result<std::result::Result<DocumentInput, MissingReason>> {
        if let Some(given) = self.documents.get(&(item, as_of)) {
            return Ok(given.clone());
        }
        let analysis = self.analyses.iter().find(|analysis| analysis.item == item);
        let given = match analysis {
            Some(analysis) => reconstruct::document(self.app, &self.items, analysis, as_of).await?,
            None => Err(MissingReason::NoDocument),
        };
        self.documents.insert((item, as_of), given.clone());
        Ok(given)
    }

    /// The codes of the fields that the answer of a run is about.
    fn fields(&self, run: &PluginRun) -> Vec<String> {
        let analysis = self.analyses.iter().find(|analysis| Some(analysis.item) == run.item_id);
        let plan = analysis.and_then(|analysis| analysis.plan.as_ref());
        plan.map(|plan| reconstruct::subjects(run, plan, &self.items)).unwrap_or_default()
    }
}
