//! Explains the numbers of a case: for the operator (`sealwright analysis explain`), and on its page in the console.

use std::fmt::{self, Write as _};

use serde::Serialize;

use crate::{
    app::{
        App,
        analysis::{known, reconstruct, shadow::compared, statements::Difference},
    },
    clock::Timestamp,
    domain::{
        analysis::{
            AnalysisProgress, CaseAnalysis,
            judgement::{CaseAccount, DocumentAccount, Finding, FindingState},
            score::{Part, Sum},
        },
        id::{CaseId, ItemId},
    },
    error::{Error, Result},
    store::{self, plugin_run::PluginRun},
};

/// Every number of a case's analysis with its parts. Holds no value that was read from a document.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    pub case_id: CaseId,
    pub cf_ref: String,
    /// None before the first verdict.
    pub verdict: Option<ExplainedVerdict>,
    /// As returned by `GET /cases/:caseId/analysis`.
    pub analysis: CaseAnalysis,
    pub items: Vec<ExplainedItem>,
    /// Every plugin call that the numbers are based on, oldest first.
    pub runs: Vec<PluginRun>,
    /// Calls that are not counted (`shadow = true` in the company manifest).
    pub shadows: Vec<ShadowRun>,
}

/// The call of a shadow.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShadowRun {
    #[serde(flatten)]
    pub run: PluginRun,
    /// Its differences from the plugin that counts; none if either gave no answer.
    pub differences: Option<Vec<Difference>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedVerdict {
    /// 1 is the first.
    pub revision: i64,
    pub progress: AnalysisProgress,
    pub concluded_at: Timestamp,
    pub account: CaseAccount,
}

/// One item whose file was examined.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedItem {
    pub item_id: ItemId,
    /// `document` or `picture`.
    pub kind: &'static str,
    /// `pending`, `running`, `completed` or `failed`.
    pub state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<DocumentAccount>,
}

/// Explains a case of any company: the caller is the operator.
pub async fn explain(app: &App, id: CaseId) -> Result<Explanation> {
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?;
    let case = case.ok_or_else(|| Error::not_found(format!("case {id} does not exist")))?;
    let company = store::company::find(&mut reader, case.company).await?;
    let weights = company.map(|company| company.analysis.weights).unwrap_or_default();
    let verdict = store::analysis::verdict(&mut reader, id).await?.map(|verdict| ExplainedVerdict {
        revision: verdict.revision,
        progress: verdict.progress,
        concluded_at: verdict.concluded_at,
        account: verdict.account,
    });
    let analysis = known(&mut reader, id, &weights).await?;
    let case_items = store::item::of_case(&mut reader, id).await?;
    let items = store::analysis::of_items(&mut reader, id).await?;
    let (shadows, runs): (Vec<_>, Vec<_>) =
        store::plugin_run::of_case(&mut reader, id).await?.into_iter().partition(|run| run.shadow);
    let shadows = shadows.into_iter().map(|run| {
        let plan = items.iter().find(|item| Some(item.item) == run.item_id).and_then(|item| item.plan.as_ref());
        let fields = plan.map(|plan| reconstruct::subjects(&run, plan, &case_items));
        let differences = compared(&runs, &run, &fields.unwrap_or_default());
        ShadowRun { run, differences }
    });
    let shadows = shadows.collect();
    let items = items.into_iter().map(|item| ExplainedItem {
        item_id: item.item,
        kind: if item.plan.is_some() { "document" } else { "picture" },
        state: item.state.into_str(),
        failure: item.failure,
        account: item.account,
    });
    Ok(Explanation {
        case_id: id,
        cf_ref: case.reference().to_string(),
        verdict,
        analysis,
        items: items.collect(),
        runs,
        shadows,
    })
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_text(&mut text)?;
        // A plugin's text must not steer the operator's terminal.
        let tame = |c: char| if c.is_control() && c != '\n' { '\u{fffd}' } else { c };
        f.write_str(text.chars().map(tame).collect::<String>().trim_end())
    }
}

impl Explanation {
    fn write_text(&self, out: &mut String) -> fmt::Result {
        let CaseAnalysis { trust_score, trust_level, .. } = &self.analysis;
        write!(out, "{}: trust score {trust_score}, {}", self.cf_ref, trust_level.into_str())?;
        match &self.verdict {
            None => writeln!(out, "; no verdict yet, these are the results so far")?,
            Some(verdict) => {
                let ExplainedVerdict { revision, progress, concluded_at, account } = verdict;
                writeln!(out, "; verdict {revision}, {}, of {concluded_at}", progress.into_str())?;
                write_sum(out, "Signals", &account.trust)?;
                for not_run in &account.not_run {
                    writeln!(out, "  not run: {}: {}", not_run.plugin, not_run.reason)?;
                }
            }
        }
        for item in &self.items {
            writeln!(out, "\nItem {} ({}, {})", item.item_id, item.kind, item.state)?;
            if let Some(failure) = &item.failure {
                writeln!(out, "  no answer: {failure}")?;
            }
            if let Some(account) = &item.account {
                write_sum(out, "Trust", &account.trust)?;
                let found = &account.document_type;
                write_sum(out, "Falsification (100 means nothing wrong)", &account.falsification)?;
                write_sum(out, &format!("Document type: {found}"), &account.conformity)?;
                write_sum(out, "Cross-check", &account.cross_check)?;
            }
        }
        if !self.runs.is_empty() {
            writeln!(out, "\nPlugin calls")?;
        }
        for run in &self.runs {
            write_run(out, run)?;
        }
        if !self.shadows.is_empty() {
            writeln!(out, "\nShadows, which are not counted")?;
        }
        for ShadowRun { run, differences } in &self.shadows {
            write_run(out, run)?;
            match differences.as_deref() {
                None => writeln!(out, "    nothing to compare")?,
                Some([]) => writeln!(out, "    the same as the answer that counts")?,
                Some(differences) => {
                    for Difference { subject, before, after } in differences {
                        let [counted, shadow] = [before, after].map(|answer| answer.as_deref().unwrap_or("nothing"));
                        writeln!(out, "    {subject}: {counted}; by the shadow: {shadow}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn write_run(out: &mut String, run: &PluginRun) -> fmt::Result {
    let PluginRun { role, plugin, version, digest, contract, input_sha256, duration_us, fuel, .. } = run;
    let item = run.item_id.map_or_else(|| "case".to_owned(), |item| format!("item {item}"));
    let outcome = run.failure.as_deref().unwrap_or("answered");
    let fuel = fuel.map(|fuel| format!(", {fuel} units of fuel")).unwrap_or_default();
    writeln!(
        out,
        "  {item}: {role} by {plugin} {version} ({digest:.12}), contract {contract}, input {input_sha256:.12}, \
         {duration_us} µs{fuel}: {outcome}",
    )
}

fn write_sum(out: &mut String, title: &str, sum: &Sum) -> fmt::Result {
    if sum.parts.is_empty() && sum.score.is_none() {
        return Ok(());
    }
    match sum.score {
        Some(score) => writeln!(out, "  {title}: {score}")?,
        None => writeln!(out, "  {title}: nothing to judge")?,
    }
    for part in &sum.parts {
        write_part(out, sum, part)?;
    }
    for note in &sum.notes {
        writeln!(out, "    {note}")?;
    }
    Ok(())
}

fn write_part(out: &mut String, sum: &Sum, part: &Part) -> fmt::Result {
    let Part { name, score, weight, plugin, note, findings } = part;
    let score = score.map_or_else(|| "—".to_owned(), |score| score.to_string());
    let share = sum.share(part) * 100.0;
    write!(out, "    {name:<22} {score:>3}  weight {weight:>3}, {share:>5.1} %")?;
    if let Some(plugin) = plugin {
        write!(out, "  by {plugin}")?;
    }
    if let Some(note) = note {
        write!(out, "  ({note})")?;
    }
    writeln!(out)?;
    for Finding { code, state, item, place, text } in findings {
        let state = match state {
            FindingState::Found => "found",
            FindingState::NotFound => "not detected",
            FindingState::NotRun => "not looked for",
        };
        write!(out, "      {code}, {state}")?;
        if let Some(item) = item {
            write!(out, ", item {item}")?;
        }
        if let Some(place) = place {
            write!(out, ", page {}", place.page)?;
            if let Some(area) = place.area {
                write!(out, " at ({}, {}), {} × {}", area.left, area.top, area.width, area.height)?;
            }
        }
        writeln!(out, ": {text}")?;
    }
    Ok(())
}
