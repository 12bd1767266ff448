//! Runs a candidate plugin on a company's stored evidence (`sealwright plugin backtest`): what would change if it
//! replaced the plugins in service. Nothing is written.
//!
//! Every case is judged twice by the same rules, once with the plugins in service and once with the candidate in its place.
//! A recorded answer for the same component, settings and input is reused.

mod report;

use std::{collections::BTreeMap, future::Future, sync::Arc};

use futures_util::{StreamExt, stream};
use parking_lot::Mutex;
use sealwright_seal::digest::Sha256Digest;
use serde_json::{Map, Value};
use strum::VariantArray as _;

pub use self::report::Backtest;
use self::report::{CandidateInfo, CaseComparison};
use crate::{
    app::{
        App,
        analysis::{
            ask::{Asking, chosen},
            document, ended, level, reconstruct, shown, signals,
            trial::{self, AnswerCache, Lineup, Side, Trial},
        },
    },
    clock::Timestamp,
    domain::{
        analysis::{AnalysisProgress, CaseAnalysis, DocumentAnalysis, judgement::judge_case},
        company_manifest::PluginRole,
        id::{CaseId, CompanyId, ItemId},
    },
    error::{Error, Result},
    plugins::{Chosen, Function, PluginInfo, Role},
    store::{
        self,
        analysis::{ItemAnalysis, ItemState},
        company::Company,
        plugin_run::PluginRun,
    },
};

/// What to test, and on which cases.
#[derive(Clone, Debug)]
pub struct BacktestRequest {
    pub company: CompanyId,
    /// The component.
    pub component: Vec<u8>,
    /// What the candidate is called until its name is known.
    pub origin: String,
    /// None: those of the plugin with its name, if the company uses one, or else none.
    pub settings: Option<Map<String, Value>>,
    /// Whether it joins the plugins in service instead of replacing one.
    pub alongside: bool,
    /// Only cases closed since then.
    pub since: Timestamp,
    /// The maximum number of cases; the newest are used.
    pub limit: u32,
    /// How many cases at once.
    pub at_once: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub of: usize,
}

/// Tests the candidate until it has seen every case or `stop` ends, and returns the results so far.
pub async fn backtest(
    app: &Arc<App>,
    request: BacktestRequest,
    stop: impl Future<Output = ()>,
    mut on_progress: impl FnMut(Progress),
) -> Result<Backtest> {
    let mut reader = app.db.read().await?;
    let company = store::company::find(&mut reader, request.company).await?;
    let company = company.ok_or_else(|| Error::not_found(format!("company {} does not exist", request.company)))?;
    let found =
        store::analysis::judged_since(&mut reader, company.id, request.since, i64::from(request.limit) + 1).await?;
    drop(reader);
    if found.is_empty() {
        let message = format!("company {} has no judged case that was closed since {}", company.id, request.since);
        return Err(Error::not_found(message));
    }
    let most = usize::try_from(request.limit).unwrap_or(usize::MAX);
    let (is_limited, total) = (found.len() > most, found.len().min(most));
    let since = request.since;
    let at_once = request.at_once.max(1);
    let (lineups, candidate) = line_up(app, &company, request).await?;

    let seen = Arc::new(Mutex::new(Backtest::new(company.id, candidate, since)));
    let cases = stream::iter(found.into_iter().take(most)).map(|case| {
        let (app, company, lineups, seen) = (app, &company, &lineups, &seen);
        async move {
            let compared = try_case(app, company, lineups, case).await?;
            if let Some(compared) = compared {
                seen.lock().add(compared);
            }
            Ok::<(), Error>(())
        }
    });
    let mut running = std::pin::pin!(cases.buffer_unordered(at_once));
    let mut stop = std::pin::pin!(stop);
    let mut done = 0;
    on_progress(Progress { done, of: total });
    let interrupted = loop {
        tokio::select! {
            () = &mut stop => break true,
            next = running.next() => match next {
                Some(compared) => {
                    compared?;
                    done += 1;
                    on_progress(Progress { done, of: total });
                }
                None => break false,
            }
        }
    };
    let mut result = seen.lock().clone();
    result.interrupted = interrupted;
    result.limited = is_limited;
    result.finish();
    Ok(result)
}

/// The plugins of both sides: those in service, and those with the candidate in its place.
async fn line_up(app: &Arc<App>, company: &Company, request: BacktestRequest) -> Result<(Lineups, CandidateInfo)> {
    let BacktestRequest { component, origin, settings, alongside, .. } = request;
    // Before the candidate is loaded: it may be the highest version of its name.
    let mut in_service = BTreeMap::new();
    for &role in PluginRole::VARIANTS {
        let pinned = chosen(app, company, role).into_iter().map(|one| {
            let digest = app.plugins.digest_in_service(&one.plugin, one.sha256, role.into());
            // No component has a digest of zeros: a plugin that is not loaded stays absent.
            Chosen { sha256: Some(digest.unwrap_or(Sha256Digest([0; 32]))), ..one }
        });
        in_service.insert(role, pinned.collect::<Vec<_>>());
    }
    let host = app.plugins.clone();
    let admitted = tokio::task::spawn_blocking(move || host.admit(&origin, &component)).await;
    let info = admitted.map_err(Error::internal)?;
    let info =
        info.map_err(|error| Error::invalid(format!("this host cannot load the file as a plugin: {error:#}")))?;
    let roles: Vec<PluginRole> =
        PluginRole::VARIANTS.iter().copied().filter(|role| info.roles.contains(&Role::from(*role))).collect();
    if roles.is_empty() {
        let message = format!("{} plays no role in the analysis, so there is nothing to try it on", info.name);
        return Err(Error::invalid(message));
    }
    let mut with_candidate = in_service.clone();
    let mut replaced = Vec::new();
    for role in &roles {
        let active = with_candidate.entry(*role).or_default();
        let of_its_name = active.iter().find(|one| one.plugin == info.name).cloned();
        if alongside && of_its_name.is_some() {
            let message =
                format!("{} is already in service as {}; it cannot run alongside itself", info.name, role.into_str());
            return Err(Error::invalid(message));
        }
        let usual = || of_its_name.as_ref().map(|one| one.settings.clone()).unwrap_or_default();
        let settings = settings.clone().unwrap_or_else(usual);
        check_settings(app, &info, *role, &settings)?;
        let candidate = Chosen { company: company.id, plugin: info.name.clone(), sha256: Some(info.digest), settings };
        let mut gone = Vec::new();
        active.retain(|one| {
            let goes = !alongside && (of_its_name.is_none() || one.plugin == info.name);
            if goes {
                gone.push(format!("{} ({role})", one.plugin, role = role.into_str()));
            }
            !goes
        });
        active.push(candidate);
        replaced.append(&mut gone);
    }
    let PluginInfo { name, version, digest, .. } = info;
    let candidate = CandidateInfo { name, version, digest, roles, replaced };
    let (in_service, with_candidate) = (Lineup::new(in_service), Lineup::new(with_candidate));
    Ok((Lineups { in_service, with_candidate, digest, alongside }, candidate))
}

/// Both sides, and the candidate's digest.
struct Lineups {
    in_service: Lineup,
    with_candidate: Lineup,
    digest: Sha256Digest,
    /// Whether the candidate is compared with no other plugin.
    alongside: bool,
}

fn check_settings(app: &App, info: &PluginInfo, role: PluginRole, settings: &Map<String, Value>) -> Result<()> {
    let problems = app.plugins.settings_problems(&info.name, Some(info.digest), role.into(), settings);
    let messages: Vec<String> =
        problems.into_iter().map(|problem| format!("settings{}: {}", problem.path, problem.message)).collect();
    if messages.is_empty() { Ok(()) } else { Err(Error::invalid(messages.join("; "))) }
}

/// None for a case that was deleted meanwhile.
async fn try_case(app: &Arc<App>, company: &Company, lineups: &Lineups, id: CaseId) -> Result<Option<CaseComparison>> {
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?;
    let verdict = store::analysis::verdict(&mut reader, id).await?;
    let (Some(case), Some(verdict)) = (case, verdict) else { return Ok(None) };
    let items = store::item::of_case(&mut reader, id).await?;
    let analyses = store::analysis::of_items(&mut reader, id).await?;
    let runs = store::plugin_run::of_case(&mut reader, id).await?;
    drop(reader);
    let as_of = runs.iter().filter(|run| run.item_id.is_none() && !run.shadow).map(PluginRun::moment).max();
    let analyses = reconstruct::analyses(&analyses, as_of.unwrap_or(verdict.concluded_at));

    let mut documents = BTreeMap::new();
    let mut missing = Vec::new();
    let examined = |analysis: &&ItemAnalysis| analysis.plan.is_some() && analysis.state == ItemState::Completed;
    for analysis in analyses.iter().filter(examined) {
        let moment = runs.iter().find(|run| run.item_id == Some(analysis.item)).map(PluginRun::moment);
        let moment = moment.or(analysis.ended_at).unwrap_or(verdict.concluded_at);
        match reconstruct::document(app, &items, analysis, moment).await? {
            Ok(given) => {
                documents.insert(analysis.item, given);
            }
            Err(reason) => missing.push(reason),
        }
    }
    let cache = Arc::new(AnswerCache::of(&runs));
    let judge = async |side: Side, lineup: &Lineup| {
        let trial = Trial::new(lineup.clone(), side, lineups.digest, Arc::clone(&cache));
        let analysis = judged(app, company, &case, &items, &analyses, &documents, &trial).await?;
        Ok::<_, Error>((analysis, trial.exchanges()))
    };
    let (before, exchanges_before) = judge(Side::InService, &lineups.in_service).await?;
    let (after, exchanges_after) = judge(Side::WithCandidate, &lineups.with_candidate).await?;
    let field_codes = |function: Function, item: ItemId| -> Vec<String> {
        let given = documents.get(&item);
        given.map(|given| document::subjects(function, &given.plan, &given.entered)).unwrap_or_default()
    };
    let compared_with: &[trial::Exchange] = if lineups.alongside { &[] } else { &exchanges_before };
    Ok(Some(CaseComparison {
        reference: case.reference().to_string(),
        stored: verdict.analysis,
        before,
        after,
        pairs: trial::pairs(compared_with, exchanges_after, lineups.digest, field_codes),
        calls: cache.calls(),
        from_records: cache.reused(),
        missing,
    }))
}

/// The analysis of the case by the plugins of the trial. A document that cannot be examined again keeps its result.
async fn judged(
    app: &Arc<App>,
    company: &Company,
    case: &store::case::Case,
    items: &[store::item::Item],
    analyses: &[ItemAnalysis],
    documents: &BTreeMap<ItemId, reconstruct::DocumentInput>,
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
    let documents: Vec<_> = judged.iter().filter_map(|analysis| shown(analysis, level)).collect();
    // As in a verdict: a document without an answer is not completed.
    let is_complete = documents.iter().all(DocumentAnalysis::is_completed);
    let progress = if is_complete { AnalysisProgress::Completed } else { AnalysisProgress::Failed };
    let weights = &company.analysis.weights;
    Ok(judge_case(case.id, ended(&judged), documents, &answers, weights, Some(progress)).0)
}
