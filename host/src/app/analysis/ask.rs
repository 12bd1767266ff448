//! Asking the company's plugins, and keeping the record of every call.

use serde::Serialize;

use crate::{
    app::App,
    clock::Timestamp,
    domain::{
        analysis::judgement::{Answer, Area, Asked, Finding, FindingState, Place},
        company_manifest::PluginRole,
        id::ItemId,
    },
    plugins::{self, Chosen, Role, Run},
    store::{company::Company, plugin_run::PluginRun},
};

/// The plugins of one company at work on one item, or on a whole case.
pub(super) struct Asking<'a> {
    pub(super) app: &'a App,
    pub(super) company: &'a Company,
    pub(super) item: Option<ItemId>,
    pub(super) now: Timestamp,
    /// The calls so far.
    pub(super) runs: Vec<PluginRun>,
}

impl<'a> Asking<'a> {
    pub(super) fn new(app: &'a App, company: &'a Company, item: Option<ItemId>) -> Self {
        Self { app, company, item, now: app.clock.now(), runs: Vec::new() }
    }

    /// The plugins that play a role for the company: those of its company manifest, else the built-in ones with their
    /// default settings.
    pub(super) fn chosen(&self, role: PluginRole) -> Vec<Chosen> {
        let company = self.company.id;
        let own = self.company.analysis.plugins.iter().filter(|plugin| plugin.role == role);
        let own: Vec<Chosen> = own
            .map(|plugin| Chosen {
                company,
                plugin: plugin.name.clone(),
                sha256: plugin.sha256.clone(),
                settings: plugin.settings.clone(),
            })
            .collect();
        if !own.is_empty() {
            return own;
        }
        let loaded = self.app.plugins.plugins().into_iter();
        loaded
            .filter(|plugin| plugin.built_in && plugin.roles.contains(&Role::from(role)))
            .map(|plugin| Chosen { company, plugin: plugin.name, sha256: None, settings: serde_json::Map::new() })
            .collect()
    }

    /// Keeps the record of a call, with what `kept` leaves of its answer, and says what became of it.
    pub(super) fn note<T, K: Serialize>(
        &mut self,
        role: &str,
        chosen: &Chosen,
        run: Run<T>,
        kept: impl FnOnce(&T) -> K,
    ) -> Asked<T> {
        let Run { outcome, record } = run;
        let failure = outcome.as_ref().err().map(|error| error.failure.to_string());
        if let Some(record) = record {
            self.runs.push(PluginRun {
                item_id: self.item,
                role: role.to_owned(),
                plugin: record.plugin,
                version: record.version,
                digest: record.digest,
                contract: record.contract,
                settings_sha256: record.settings_hash,
                input_sha256: record.input_hash,
                // Answers are the contract's records, which have text keys alone.
                answer: outcome.as_ref().ok().and_then(|answer| serde_json::to_string(&kept(answer)).ok()),
                failure: failure.clone(),
                duration_us: i64::try_from(record.micros).unwrap_or(i64::MAX),
                ran_at: self.now,
            });
        }
        if let Err(error) = &outcome {
            tracing::warn!(company = %self.company.id, role, %error, "a plugin gave no answer and counts as not there");
        }
        let answer = match outcome {
            Ok(answer) => Answer::Given(answer),
            Err(_) => Answer::NotRun(failure.unwrap_or_default()),
        };
        Asked { plugin: chosen.plugin.clone(), answer }
    }
}

/// The same plugin's answer in other words.
pub(super) fn map<T, U>(asked: Asked<T>, into: impl FnOnce(T) -> U) -> Asked<U> {
    let answer = match asked.answer {
        Answer::Given(answer) => Answer::Given(into(answer)),
        Answer::NotRun(reason) => Answer::NotRun(reason),
    };
    Asked { plugin: asked.plugin, answer }
}

pub(super) fn findings(findings: Vec<plugins::facts::Finding>) -> Vec<Finding> {
    findings.into_iter().map(|found| finding(found, None)).collect()
}

pub(super) fn finding(finding: plugins::facts::Finding, item: Option<ItemId>) -> Finding {
    use plugins::facts::State;
    Finding {
        code: finding.code,
        state: match finding.state {
            State::Found => FindingState::Found,
            State::NotFound => FindingState::NotFound,
            State::NotRun => FindingState::NotRun,
        },
        item,
        place: finding.place.map(|place| Place {
            page: place.page,
            area: place.area.map(|area| Area {
                left: area.left,
                top: area.top,
                width: area.width,
                height: area.height,
            }),
        }),
        text: finding.text,
    }
}
