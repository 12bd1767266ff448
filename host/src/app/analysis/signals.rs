//! The plugins' answers about a whole case.

use std::sync::Arc;

use super::{
    ask::{Asking, finding, map},
    evidence::{self, Unanswered},
};
use crate::{
    app::App,
    clock::Timestamp,
    domain::{
        analysis::judgement::{Asked, Assessment},
        company_manifest::PluginRole,
        id::ItemId,
    },
    error::Result,
    plugins::{CaseSignals, facts::Signal},
    store::{analysis::ItemAnalysis, case::Case, company::Company, item::Item, plugin_run::PluginRun},
};

/// The answer of every plugin in the role, and the records of the calls.
pub(in crate::app) struct CaseAnswers {
    pub(in crate::app) answers: Vec<Asked<Vec<Assessment>>>,
    pub(in crate::app) runs: Vec<PluginRun>,
}

pub(in crate::app) async fn assess(
    app: &App,
    case: &Case,
    company: &Company,
    items: &[Item],
    analyses: &[ItemAnalysis],
    as_of: Timestamp,
) -> Result<CaseAnswers> {
    let mut asking = Asking::new(app, company, None, as_of);
    let answers = ask(&mut asking, case, items, analyses).await?;
    Ok(CaseAnswers { answers, runs: asking.runs })
}

/// Asks every plugin in the role about the case.
pub(in crate::app) async fn ask(
    asking: &mut Asking<'_>,
    case: &Case,
    items: &[Item],
    analyses: &[ItemAnalysis],
) -> Result<Vec<Asked<Vec<Assessment>>>> {
    let plugins = asking.chosen(PluginRole::Signal);
    let mut answers = Vec::new();
    if !plugins.is_empty() {
        let evidence = Arc::new(evidence::of_case(asking.app, case, items, analyses, Unanswered::LeftOut).await?);
        for chosen in plugins {
            let asked = asking.ask(&chosen, CaseSignals { evidence: Arc::clone(&evidence) }).await;
            answers.push(map(asked, |signals| signals.into_iter().map(assessment).collect()));
        }
    }
    Ok(answers)
}

fn assessment(signal: Signal) -> Assessment {
    let item = |number: u64| i64::try_from(number).ok().and_then(ItemId::new);
    let observed = signal.observations.into_iter();
    Assessment {
        kind: signal.kind,
        score: signal.score,
        findings: observed.map(|seen| finding(seen.finding, seen.item.and_then(item))).collect(),
    }
}
