//! Repeats the plugin calls of a verdict (`sealwright plugin replay`) with the same component, settings and input, and
//! compares the answers. Nothing is written.

mod report;

use std::collections::HashMap;

use serde_json::{Map, Value};

pub use self::report::Replay;
use self::report::{Outcome, ReplayedRun};
use super::{
    ask::{ASSESS, COMPARE, DETECT, EXTRACT, INSPECT, call_of, kept},
    components, document,
    evidence::{self, Unanswered},
    reconstruct::{self, DocumentInput, MissingReason},
    statements::{differences, recorded, statements},
};
use crate::{
    app::App,
    clock::Timestamp,
    domain::id::{CaseId, ItemId},
    error::{Error, Result},
    plugins::{Chosen, Failure, Question, Reply, facts::ExtractedField, offers_contract, settings_hash},
    store::{self, analysis::ItemAnalysis, case::Case, item::Item, plugin_run::PluginRun},
};

/// Repeats every recorded call of a case and its items. The case may be any company's: the caller is the operator.
pub async fn replay(app: &App, id: CaseId) -> Result<Replay> {
    let mut tx = app.db.read().await?;
    let case = store::case::find(&mut tx, id).await?;
    let case = case.ok_or_else(|| Error::not_found(format!("case {id} does not exist")))?;
    let items = store::item::of_case(&mut tx, id).await?;
    let analyses = store::analysis::of_items(&mut tx, id).await?;
    let runs = store::plugin_run::of_case(&mut tx, id).await?;
    drop(tx);
    let mut state = ReplayState { app, case, items, analyses, runs, documents: HashMap::new(), read: HashMap::new() };
    let mut replayed = Vec::new();
    for run in state.runs.clone() {
        let outcome = match state.rerun(&run).await? {
            Ok(differences) if differences.is_empty() => Outcome::Same,
            Ok(differences) => Outcome::Different { differences },
            Err(reason) => Outcome::CannotRun { reason },
        };
        replayed.push(ReplayedRun::new(&run, outcome));
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
    read: HashMap<(ItemId, String, String), Vec<ExtractedField>>,
}

impl ReplayState<'_> {
    /// The differences between the new answer and the recorded one; or why there is no new answer.
    async fn rerun(&mut self, run: &PluginRun) -> Result<std::result::Result<Vec<String>, String>> {
        if !offers_contract(&run.contract) {
            return Ok(Err(format!("this program does not offer version {} of the contract", run.contract)));
        }
        let settings = match self.settings(run).await? {
            Ok(settings) => settings,
            Err(reason) => return Ok(Err(reason)),
        };
        let question = match self.question(run).await? {
            Ok(question) => question,
            Err(reason) => return Ok(Err(reason)),
        };
        if question.digest() != run.input_sha256 {
            let reason = "its input cannot be reconstructed: the stored data has changed, or this program builds it \
                          differently";
            return Ok(Err(reason.to_owned()));
        }
        if let Err(reason) = components::load(self.app, &run.plugin, &run.digest, question.role()).await? {
            return Ok(Err(reason));
        }
        let fields = self.fields(run);
        let chosen = Chosen {
            company: self.case.company,
            plugin: run.plugin.clone(),
            sha256: Some(run.digest.clone()),
            settings,
        };
        let call = call_of(&question);
        let outcome = self.app.plugins.on_trial().ask(&chosen, question).await.outcome;
        if let (Ok(Reply::Fields(fields)), Some(item)) = (&outcome, run.item_id) {
            self.read.insert((item, run.digest.clone(), run.settings_sha256.clone()), fields.clone());
        }
        Ok(match (outcome, &run.answer, &run.failure) {
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
                    Ok(vec![format!("then {failure}; now {now}")])
                }
            }
            (Err(error), ..) => Ok(vec![format!("it answered then; now {}", error.failure)]),
            (Ok(_), None, failure) => {
                let failure = failure.as_deref().unwrap_or("there was no answer");
                Ok(vec![format!("then {failure}; now it answers")])
            }
            (Ok(reply), Some(answer), _) => match recorded(call, answer) {
                None => Err("the recorded answer cannot be read by this program".to_owned()),
                Some(then) => {
                    let (then, now) = (statements(&then, &fields), statements(&kept(reply), &fields));
                    Ok(differences(&then, &now).iter().map(ToString::to_string).collect())
                }
            },
        })
    }

    /// The settings that the plugin was given.
    async fn settings(&self, run: &PluginRun) -> Result<std::result::Result<Map<String, Value>, String>> {
        let mut tx = self.app.db.read().await?;
        let kept = store::plugin_run::settings(&mut tx, &run.settings_sha256).await?;
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

    /// What the plugin was asked.
    async fn question(&mut self, run: &PluginRun) -> Result<std::result::Result<Question, String>> {
        if run.role == ASSESS {
            let analyses = reconstruct::analyses(&self.analyses, run.moment());
            let asked = self.about_the_case(&analyses, Unanswered::LeftOut).await?;
            if asked.digest() == run.input_sha256 {
                return Ok(Ok(asked));
            }
            return Ok(Ok(self.about_the_case(&analyses, Unanswered::AsZeros).await?));
        }
        let Some(item) = run.item_id else { return Ok(Err("its record names no document".to_owned())) };
        let given = match self.document(item, run.moment()).await? {
            Ok(given) => given,
            Err(reason) => return Ok(Err(reason.to_string())),
        };
        let DocumentInput { document, plan, entered } = given;
        let detected = || reconstruct::detected(self.runs.iter().filter(|other| other.item_id == Some(item)));
        Ok(match run.role.as_str() {
            DETECT => Ok(Question::Types { document }),
            EXTRACT => Ok(Question::Fields { document, document_type: detected(), wanted: document::wanted(&plan) }),
            COMPARE => match self.read.get(&(item, run.digest.clone(), run.settings_sha256.clone())) {
                Some(fields) => Ok(Question::Comparisons { pairs: document::pairs(&plan, fields, &entered) }),
                None => Err("the fields that it compared cannot be read again".to_owned()),
            },
            INSPECT => Ok(Question::Checks { document, document_type: detected() }),
            other => Err(format!("this program does not know the call {other:?}")),
        })
    }

    async fn about_the_case(&self, analyses: &[ItemAnalysis], unanswered: Unanswered) -> Result<Question> {
        let evidence = evidence::of_case(self.app, &self.case, &self.items, analyses, unanswered).await?;
        Ok(Question::Signals { evidence: evidence.into() })
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

    /// The codes of the fields that the item's step compares.
    fn fields(&self, run: &PluginRun) -> Vec<String> {
        let analysis = self.analyses.iter().find(|analysis| Some(analysis.item) == run.item_id);
        let plan = analysis.and_then(|analysis| analysis.plan.as_ref());
        plan.map(|plan| plan.cross_check.iter().map(|check| check.field.clone()).collect()).unwrap_or_default()
    }
}
