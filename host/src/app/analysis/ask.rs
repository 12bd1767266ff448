//! Asking the company's plugins, and keeping the record of every call.

use super::trial::Trial;
use crate::{
    app::App,
    clock::Timestamp,
    domain::{
        analysis::judgement::{Answer, Area, Asked, Finding, FindingState, Place},
        company_manifest::PluginRole,
        id::ItemId,
    },
    plugins::{self, Chosen, PluginHost, Question, Role, Run},
    store::{company::Company, plugin_run::PluginRun},
};

/// Asks the plugins of one company about one item, or about a whole case.
pub(in crate::app) struct Asking<'a> {
    pub(in crate::app) app: &'a App,
    company: &'a Company,
    item: Option<ItemId>,
    /// The plugins are given the state of the case at this moment.
    as_of: Timestamp,
    host: PluginHost,
    shadow: bool,
    trial: Option<&'a Trial>,
    /// The calls so far.
    pub(in crate::app) runs: Vec<PluginRun>,
}

impl<'a> Asking<'a> {
    pub(in crate::app) fn new(app: &'a App, company: &'a Company, item: Option<ItemId>, as_of: Timestamp) -> Self {
        let host = app.plugins.clone();
        Self { app, company, item, as_of, host, shadow: false, trial: None, runs: Vec::new() }
    }

    /// For the company's shadows, whose answers are not counted.
    pub(in crate::app) fn shadows(app: &'a App, company: &'a Company, item: Option<ItemId>, as_of: Timestamp) -> Self {
        Self { host: app.plugins.as_shadow(), shadow: true, ..Self::new(app, company, item, as_of) }
    }

    /// For the plugins of a trial. Nothing is recorded.
    pub(in crate::app) fn on_trial(app: &'a App, company: &'a Company, item: Option<ItemId>, trial: &'a Trial) -> Self {
        let now = app.clock.now();
        Self { host: app.plugins.on_trial(), trial: Some(trial), ..Self::new(app, company, item, now) }
    }

    /// The plugins that play a role here.
    pub(in crate::app) fn chosen(&self, role: PluginRole) -> Vec<Chosen> {
        match self.trial {
            Some(trial) => trial.chosen(role),
            None if self.shadow => shadows(self.company, role),
            None => chosen(self.app, self.company, role),
        }
    }

    /// Whether the plugin verifies entered values on a document.
    pub(in crate::app) fn verifies(&self, chosen: &Chosen) -> bool {
        self.host.verifies(chosen)
    }

    /// Whether the plugin reads what a document states.
    pub(in crate::app) fn states(&self, chosen: &Chosen) -> bool {
        self.host.states(chosen)
    }

    pub(in crate::app) async fn ask<Q: Question>(&mut self, chosen: &Chosen, question: Q) -> Asked<Q::Answer> {
        let answer = if let Some(trial) = self.trial {
            trial.ask(&self.host, self.item, chosen, question).await
        } else {
            let run = self.host.ask(chosen, question).await;
            self.note::<Q>(chosen, run)
        };
        Asked { plugin: chosen.plugin.clone(), answer }
    }

    /// Keeps the record of a call, and returns its answer.
    fn note<Q: Question>(&mut self, chosen: &Chosen, run: Run<Q::Answer>) -> Answer<Q::Answer> {
        let Run { outcome, record, log: _ } = run;
        let failure = outcome.as_ref().err().map(|error| error.failure.to_string());
        if let Some(record) = record {
            self.runs.push(PluginRun {
                item_id: self.item,
                role: Q::FUNCTION.as_str().to_owned(),
                plugin: record.plugin,
                version: record.version,
                digest: record.digest,
                contract: record.contract,
                settings_sha256: record.settings_hash,
                input_sha256: record.input_hash,
                answer: outcome.as_ref().ok().map(|answer| Q::record(answer.clone())),
                failure: failure.clone(),
                duration_us: i64::try_from(record.micros).unwrap_or(i64::MAX),
                fuel: record.fuel.map(|fuel| i64::try_from(fuel).unwrap_or(i64::MAX)),
                ran_at: self.app.clock.now(),
                as_of: Some(self.as_of),
                shadow: self.shadow,
                settings: serde_json::Value::Object(chosen.settings.clone()).to_string(),
            });
        }
        if let Err(error) = &outcome {
            let (company, role, shadow) = (self.company.id, Q::FUNCTION.as_str(), self.shadow);
            tracing::warn!(%company, role, shadow, %error, "a plugin gave no answer and is treated as absent");
        }
        match outcome {
            Ok(answer) => Answer::Given(answer),
            Err(_) => Answer::NotRun(failure.unwrap_or_default()),
        }
    }
}

/// The plugins that play a role for a company: those of its company manifest, else the built-in ones with their default
/// settings.
pub(in crate::app) fn chosen(app: &App, company: &Company, role: PluginRole) -> Vec<Chosen> {
    let own = named(company, role, false);
    if !own.is_empty() {
        return own;
    }
    let loaded = app.plugins.plugins().into_iter();
    loaded
        .filter(|plugin| plugin.built_in && plugin.roles.contains(&Role::from(role)))
        .map(|plugin| Chosen {
            company: company.id,
            plugin: plugin.name,
            sha256: None,
            settings: serde_json::Map::new(),
        })
        .collect()
}

/// The plugins that run in a role in addition to those that count.
pub(in crate::app) fn shadows(company: &Company, role: PluginRole) -> Vec<Chosen> {
    named(company, role, true)
}

fn named(company: &Company, role: PluginRole, shadow: bool) -> Vec<Chosen> {
    let own = company.analysis.plugins.iter().filter(|plugin| plugin.role == role && plugin.shadow == shadow);
    let own = own.map(|plugin| Chosen {
        company: company.id,
        plugin: plugin.name.clone(),
        sha256: plugin.sha256,
        settings: plugin.settings.clone(),
    });
    own.collect()
}

/// Converts a plugin's answer.
pub(in crate::app) fn map<T, U>(asked: Asked<T>, into: impl FnOnce(T) -> U) -> Asked<U> {
    let answer = match asked.answer {
        Answer::Given(answer) => Answer::Given(into(answer)),
        Answer::NotRun(reason) => Answer::NotRun(reason),
    };
    Asked { plugin: asked.plugin, answer }
}

pub(in crate::app) fn findings(findings: Vec<plugins::facts::Finding>) -> Vec<Finding> {
    findings.into_iter().map(|found| finding(found, None)).collect()
}

pub(in crate::app) fn finding(finding: plugins::facts::Finding, item: Option<ItemId>) -> Finding {
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
