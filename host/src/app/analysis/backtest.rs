//! A candidate on a company's stored evidence, beside the plugins that are in service (`sealwright plugin backtest`): what
//! would change, if it took their place. Nothing is written.
//!
//! Every case is judged twice by the same rules, once with the plugins in service and once with the candidate in its place.
//! An answer that a record has for the very same component, settings and input is taken from there.

mod report;
mod trial;

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::{StreamExt, stream};
use serde_json::{Map, Value};

pub use self::report::Backtest;
use self::report::CandidateInfo;
pub(super) use self::trial::Trial;
use self::trial::{Line, Memory, Side};
use super::{
    again::{self, Lost},
    ask::{Asking, chosen},
    document, ended, shown, signals,
};
use crate::{
    app::App,
    clock::Timestamp,
    domain::{
        analysis::{AnalysisProgress, CaseAnalysis, DocumentAnalysis, judgement::judge_case},
        company_manifest::PluginRole,
        id::{CaseId, CompanyId, ItemId},
    },
    error::{Error, Result},
    plugins::{Chosen, PluginInfo, Role},
    store::{
        self,
        analysis::{ItemAnalysis, ItemState},
        company::Company,
        plugin_run::PluginRun,
    },
};

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct BacktestRequest {
    pub company: CompanyId,
    /// The component.
    pub component: Vec<u8>,
    /// What the candidate is called until it has told its name.
    pub origin: String,
    /// None: those of the plugin of its name, if the company uses one, else none.
    pub settings: Option<Map<String, Value>>,
    /// Whether it joins the plugins in service, rather than taking a place.
    pub beside: bool,
    /// Only cases that were closed since.
    pub since: Timestamp,
    /// At most so many cases, the newest.
    pub limit: u32,
    /// How many cases at once.
    pub at_once: usize,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub of: usize,
}

/// Tries the candidate until it has seen every case, or `stop` ends; then it tells what it has seen by then.
pub async fn backtest(
    app: &Arc<App>,
    request: BacktestRequest,
    stop: impl Future<Output = ()>,
    mut tell: impl FnMut(Progress),
) -> Result<Backtest> {
    let mut tx = app.db.read().await?;
    let company = store::company::find(&mut tx, request.company).await?;
    let company = company.ok_or_else(|| Error::not_found(format!("company {} does not exist", request.company)))?;
    let found = store::analysis::judged_since(&mut tx, company.id, request.since, i64::from(request.limit) + 1).await?;
    drop(tx);
    if found.is_empty() {
        let message = format!("company {} has no judged case that was closed since {}", company.id, request.since);
        return Err(Error::not_found(message));
    }
    let most = usize::try_from(request.limit).unwrap_or(usize::MAX);
    let (is_limited, total) = (found.len() > most, found.len().min(most));
    let since = request.since;
    let at_once = request.at_once.max(1);
    let (lines, candidate) = line_up(app, &company, request).await?;

    let seen = Arc::new(Mutex::new(Backtest::new(company.id, candidate, since)));
    let cases = stream::iter(found.into_iter().take(most)).map(|case| {
        let (app, company, lines, seen) = (app, &company, &lines, &seen);
        async move {
            let tried = try_case(app, company, lines, case).await?;
            if let Some(tried) = tried {
                seen.lock().unwrap_or_else(PoisonError::into_inner).add(tried);
            }
            Ok::<(), Error>(())
        }
    });
    let mut running = std::pin::pin!(cases.buffer_unordered(at_once));
    let mut stop = std::pin::pin!(stop);
    let mut done = 0;
    tell(Progress { done, of: total });
    let interrupted = loop {
        tokio::select! {
            () = &mut stop => break true,
            next = running.next() => match next {
                Some(tried) => {
                    tried?;
                    done += 1;
                    tell(Progress { done, of: total });
                }
                None => break false,
            }
        }
    };
    let mut told = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
    told.interrupted = interrupted;
    told.limited = is_limited;
    told.finish();
    Ok(told)
}

/// The plugins of both sides: those in service, and those with the candidate in its place.
async fn line_up(app: &Arc<App>, company: &Company, request: BacktestRequest) -> Result<(Lines, CandidateInfo)> {
    let BacktestRequest { component, origin, settings, beside, .. } = request;
    // Before the candidate is there: it may be the highest version of its name.
    let mut in_service = BTreeMap::new();
    for role in PluginRole::ALL {
        let pinned = chosen(app, company, role).into_iter().map(|one| {
            let digest = app.plugins.digest_in_service(&one.plugin, one.sha256.as_deref(), role.into());
            // No component has an empty digest: what is not loaded is not there, whatever the candidate is called.
            Chosen { sha256: Some(digest.unwrap_or_default()), ..one }
        });
        in_service.insert(role, pinned.collect::<Vec<_>>());
    }
    let host = app.plugins.clone();
    let admitted = tokio::task::spawn_blocking(move || host.admit(&origin, &component)).await;
    let info = admitted.map_err(Error::internal)?;
    let info =
        info.map_err(|error| Error::invalid(format!("the file is no plugin that this host would load: {error:#}")))?;
    let roles: Vec<PluginRole> =
        PluginRole::ALL.into_iter().filter(|role| info.roles.contains(&Role::from(*role))).collect();
    if roles.is_empty() {
        let message = format!("{} plays no role of the analysis, so there is nothing to try it on", info.name);
        return Err(Error::invalid(message));
    }
    let mut with_candidate = in_service.clone();
    let mut replaced = Vec::new();
    for role in &roles {
        let active = with_candidate.entry(*role).or_default();
        let of_its_name = active.iter().find(|one| one.plugin == info.name).cloned();
        if beside && of_its_name.is_some() {
            let message =
                format!("{} is in service as {} already, so it cannot stand beside it", info.name, role.as_str());
            return Err(Error::invalid(message));
        }
        let usual = || of_its_name.as_ref().map(|one| one.settings.clone()).unwrap_or_default();
        let settings = settings.clone().unwrap_or_else(usual);
        check_settings(app, &info, *role, &settings)?;
        let candidate =
            Chosen { company: company.id, plugin: info.name.clone(), sha256: Some(info.digest.clone()), settings };
        let mut gone = Vec::new();
        active.retain(|one| {
            let goes = !beside && (of_its_name.is_none() || one.plugin == info.name);
            if goes {
                gone.push(format!("{} ({role})", one.plugin, role = role.as_str()));
            }
            !goes
        });
        active.push(candidate);
        replaced.append(&mut gone);
    }
    let PluginInfo { name, version, digest, .. } = info;
    let candidate = CandidateInfo { name, version, digest: digest.clone(), roles, replaced };
    let (in_service, with_candidate) = (Line::new(in_service), Line::new(with_candidate));
    Ok((Lines { in_service, with_candidate, digest, beside }, candidate))
}

/// Both sides, and the candidate's digest.
struct Lines {
    in_service: Line,
    with_candidate: Line,
    digest: String,
    /// Whether the candidate is held against nobody.
    beside: bool,
}

fn check_settings(app: &App, info: &PluginInfo, role: PluginRole, settings: &Map<String, Value>) -> Result<()> {
    let problems = app.plugins.settings_problems(&info.name, Some(&info.digest), role.into(), settings);
    let told: Vec<String> =
        problems.into_iter().map(|problem| format!("settings{}: {}", problem.path, problem.message)).collect();
    if told.is_empty() { Ok(()) } else { Err(Error::invalid(told.join("; "))) }
}

/// One case, judged by both sides.
struct Tried {
    reference: String,
    stored: CaseAnalysis,
    before: CaseAnalysis,
    after: CaseAnalysis,
    heard: Vec<trial::Pair>,
    calls: Vec<trial::Call>,
    from_records: u64,
    lost: Vec<Lost>,
}

/// None for a case that was deleted meanwhile.
async fn try_case(app: &Arc<App>, company: &Company, lines: &Lines, id: CaseId) -> Result<Option<Tried>> {
    let mut tx = app.db.read().await?;
    let case = store::case::find(&mut tx, id).await?;
    let verdict = store::analysis::verdict(&mut tx, id).await?;
    let (Some(case), Some(verdict)) = (case, verdict) else { return Ok(None) };
    let items = store::item::of_case(&mut tx, id).await?;
    let analyses = store::analysis::of_items(&mut tx, id).await?;
    let runs = store::plugin_run::of_case(&mut tx, id).await?;
    drop(tx);
    let as_of = runs.iter().filter(|run| run.item_id.is_none() && !run.shadow).map(PluginRun::moment).max();
    let analyses = again::analyses(&analyses, as_of.unwrap_or(verdict.concluded_at));

    let mut documents = BTreeMap::new();
    let mut lost = Vec::new();
    let examined = |analysis: &&ItemAnalysis| analysis.plan.is_some() && analysis.state == ItemState::Completed;
    for analysis in analyses.iter().filter(examined) {
        let moment = runs.iter().find(|run| run.item_id == Some(analysis.item)).map(PluginRun::moment);
        let moment = moment.or(analysis.ended_at).unwrap_or(verdict.concluded_at);
        match again::document(app, &items, analysis, moment).await? {
            Ok(given) => {
                documents.insert(analysis.item, given);
            }
            Err(reason) => lost.push(reason),
        }
    }
    let memory = Arc::new(Memory::of(&runs));
    let judge = async |side: Side, line: &Line| {
        let trial = Trial::new(line.clone(), side, &lines.digest, Arc::clone(&memory));
        let analysis = judged(app, company, &case, &items, &analyses, &documents, &trial).await?;
        Ok::<_, Error>((analysis, trial.heard()))
    };
    let (before, heard_before) = judge(Side::InService, &lines.in_service).await?;
    let (after, heard_after) = judge(Side::WithCandidate, &lines.with_candidate).await?;
    let field_codes = |item: ItemId| -> Vec<String> {
        documents
            .get(&item)
            .map(|given| given.plan.cross_check.iter().map(|check| check.field.clone()).collect())
            .unwrap_or_default()
    };
    let held_against: &[trial::Heard] = if lines.beside { &[] } else { &heard_before };
    Ok(Some(Tried {
        reference: case.reference().to_string(),
        stored: verdict.analysis,
        before,
        after,
        heard: trial::pairs(held_against, heard_after, &lines.digest, field_codes),
        calls: memory.calls(),
        from_records: memory.taken(),
        lost,
    }))
}

/// The case as the plugins of the trial would have it judged. A document that cannot be examined again keeps its result.
async fn judged(
    app: &Arc<App>,
    company: &Company,
    case: &store::case::Case,
    items: &[store::item::Item],
    analyses: &[ItemAnalysis],
    documents: &BTreeMap<ItemId, again::Given>,
    trial: &Trial,
) -> Result<CaseAnalysis> {
    let mut judged = analyses.to_vec();
    for analysis in &mut judged {
        let Some(given) = documents.get(&analysis.item) else { continue };
        let mut asking = Asking::on_trial(app, company, Some(analysis.item), trial);
        let document = Arc::clone(&given.document);
        let kept = document::examine(&mut asking, analysis.item, &given.plan, document, &given.entered).await;
        analysis.result = kept.result;
    }
    let mut asking = Asking::on_trial(app, company, None, trial);
    let answers = signals::ask(&mut asking, case, items, &judged).await?;
    let documents: Vec<_> = judged.iter().filter_map(|analysis| shown(analysis, super::level)).collect();
    // As a verdict has it: a document without an answer has not returned.
    let is_complete = documents.iter().all(DocumentAnalysis::is_completed);
    let progress = if is_complete { AnalysisProgress::Completed } else { AnalysisProgress::Failed };
    let weights = &company.analysis.weights;
    Ok(judge_case(case.id, ended(&judged), documents, &answers, weights, Some(progress)).0)
}
