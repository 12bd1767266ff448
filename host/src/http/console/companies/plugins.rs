//! The plugins that a company is analysed with, their settings, and how much each signal counts.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::{
    address, hidden, page_with, parse, revision,
    settings_form::{Setting, Shown},
};
use crate::{
    app::console::company::{self, CompanyView, PluginChoice, SettingProblem},
    domain::{
        company_manifest::{AnalysisPlugin, CompanyManifest, PluginRole, SignalWeights},
        console::FormProblem,
    },
    error::{Error, Result},
    http::{
        console::{
            form::Form,
            guard::redirect,
            layout,
            problem::{PageResult, form_problem},
            visit::Visit,
        },
        shared::Shared,
    },
};

/// The signals, as the form and the company manifest name them.
const SIGNALS: [&str; 7] = ["document", "image", "duplicate", "consistency", "gps", "device", "motion"];

/// A form that was not accepted: the page shows it again, with the mistakes.
pub(super) struct RefusedPlugins<'a> {
    fields: &'a Form,
    problems: &'a [PluginProblem],
}

/// What is wrong with a setting of a plugin, which is named as in the form.
struct PluginProblem {
    plugin: String,
    problem: SettingProblem,
}

/// `POST /console/companies/:company/plugins`
pub(in crate::http::console) async fn change(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    let mut problems = Vec::new();
    let changed = async {
        let change = |manifest: &mut CompanyManifest| -> Result<()> {
            let before = std::mem::take(&mut manifest.plugins);
            let choices = company::plugin_choices(&shared.app, &before);
            manifest.weights = weights(&fields)?;
            manifest.plugins = plugins(&before, &choices, &fields, &mut problems)?;
            // Unchanged plugins are not checked again, as in `apply`.
            for plugin in manifest.plugins.iter().filter(|plugin| !before.contains(plugin)) {
                let found = company::setting_problems(&shared.app, plugin);
                note(&mut problems, &form_name(plugin.role, &plugin.name), found);
            }
            match problems.len() {
                0 => Ok(()),
                count => Err(FormProblem::Settings(count).into()),
            }
        };
        company::edit(&shared.app, &visit.user, id, revision(&fields)?, change).await
    };
    let changed = changed.await;
    match form_problem(changed, visit.language)? {
        Ok(()) => Ok(redirect(&address(id))),
        Err(problem) => {
            let view = company::show(&shared.app, &visit.user, id).await?;
            let refused = RefusedPlugins { fields: &fields, problems: &problems };
            Ok(page_with(&visit, &view, StatusCode::BAD_REQUEST, &layout::alert(&problem), Some(&refused)))
        }
    }
}

fn weights(fields: &Form) -> Result<SignalWeights> {
    let mut weights = [0; SIGNALS.len()];
    for (weight, signal) in weights.iter_mut().zip(SIGNALS) {
        let wrong = || Error::invalid(format!("{signal}: must be a whole number from 0 to 1000"));
        *weight = fields.text(signal).parse().map_err(|_| wrong())?;
    }
    let [document, image, duplicate, consistency, gps, device, motion] = weights;
    Ok(SignalWeights { document, image, duplicate, consistency, gps, device, motion })
}

/// The plugins as the form has them, in the order in which they were; those that are new come last.
fn plugins(
    before: &[AnalysisPlugin],
    choices: &[PluginChoice],
    fields: &Form,
    problems: &mut Vec<PluginProblem>,
) -> Result<Vec<AnalysisPlugin>> {
    let uses_defaults = fields.is_ticked("defaults");
    let mut plugins = Vec::new();
    for stored in before {
        let plugin = form_name(stored.role, &stored.name);
        if stored.shadow {
            // The form does not show shadows.
            plugins.push(stored.clone());
        } else if !uses_defaults && fields.all("plugin").any(|chosen| chosen == plugin) {
            let mut changed = stored.clone();
            changed.settings = settings(choices, &plugin, &stored.settings, fields, problems);
            plugins.push(changed);
        }
    }
    let is_stored =
        |plugin: &str| before.iter().any(|stored| !stored.shadow && form_name(stored.role, &stored.name) == plugin);
    for plugin in fields.all("plugin").filter(|plugin| !uses_defaults && !is_stored(plugin)) {
        let (role, name) = plugin.split_once('/').ok_or_else(|| Error::invalid("plugin: choose one of the list"))?;
        let role: PluginRole = role.parse().map_err(|_| Error::invalid("plugin: choose one of the list"))?;
        let settings = settings(choices, plugin, &Map::new(), fields, problems);
        let (name, shadow) = (name.to_owned(), false);
        plugins.push(AnalysisPlugin { name, role, sha256: None, oci: None, settings, shadow, line: 0 });
    }
    for choice in choices {
        let plugin = form_name(choice.role, &choice.name);
        let is_used = plugins.iter().any(|used| !used.shadow && form_name(used.role, &used.name) == plugin);
        let (mut wrong, none) = (Vec::new(), Map::new());
        let kept = before.iter().find(|stored| !stored.shadow && form_name(stored.role, &stored.name) == plugin);
        let kept = kept.map_or(&none, |stored| &stored.settings);
        if !is_used && (settings(choices, &plugin, kept, fields, &mut wrong) != *kept || !wrong.is_empty()) {
            return Err(FormProblem::UnusedSettings(choice.name.clone()).into());
        }
    }
    Ok(plugins)
}

/// The settings of a plugin as the form has them. What the form does not have stays as it is.
fn settings(
    choices: &[PluginChoice],
    plugin: &str,
    stored: &Map<String, Value>,
    fields: &Form,
    problems: &mut Vec<PluginProblem>,
) -> Map<String, Value> {
    let choice = choices.iter().find(|choice| form_name(choice.role, &choice.name) == plugin);
    let mut wrong = Vec::new();
    let schema = choice.and_then(|choice| choice.schema.as_ref());
    let settings = Setting::all(schema, stored).read(fields, plugin, &mut wrong);
    note(problems, plugin, wrong);
    settings
}

/// Adds problems with the settings of a plugin. What was entered and could not be read is one problem, whatever the schema
/// says about the setting that is stored.
fn note(problems: &mut Vec<PluginProblem>, plugin: &str, found: Vec<SettingProblem>) {
    let before = problems.len();
    for problem in found {
        let covers = |known: &PluginProblem| known.plugin == plugin && problem.path.starts_with(&known.problem.path);
        if !problems.iter().take(before).any(covers) {
            problems.push(PluginProblem { plugin: plugin.to_owned(), problem });
        }
    }
}

/// A plugin in a role, as the form names it.
fn form_name(role: PluginRole, name: &str) -> String {
    format!("{}/{name}", role.into_str())
}

pub(super) fn section(
    visit: &Visit,
    view: &CompanyView,
    can_change: bool,
    refused: Option<&RefusedPlugins<'_>>,
) -> Markup {
    let (language, company) = (visit.language, &view.stored.company);
    let manifest = &view.stored.manifest;
    let uses_defaults = refused.map_or_else(
        || manifest.plugins.iter().all(|plugin| plugin.shadow),
        |refused| refused.fields.is_ticked("defaults"),
    );
    // The form keeps the revision that it was made from: someone else may have changed the company since.
    let revision = refused.and_then(|refused| revision(refused.fields).ok()).unwrap_or(company.revision);
    // A browser must not refuse what is stored, or was entered, because the plugin has changed.
    let is_unchecked = refused.is_some() || view.plugins.iter().any(|choice| !choice.is_valid);
    html! {
        section {
            h2 { (language.pick("Analysis", "Analyse")) }
            form.stack.wide method="post" action={ (address(company.id)) "/plugins" } novalidate[is_unchecked] {
                (hidden(visit, revision))
                fieldset disabled[!can_change] {
                    fieldset {
                        legend { (language.pick("How much each signal counts", "Poids de chaque signal")) }
                        @for (signal, weight) in shown_weights(manifest.weights, refused) {
                            label for={ "weight-" (signal) } { (signal) }
                            input id={ "weight-" (signal) } name=(signal) type="number" min="0" max="1000" required value=(weight);
                        }
                    }
                    label.box {
                        input type="checkbox" name="defaults" checked[uses_defaults];
                        (language.pick("Use the built-in plugins with their default settings", "Utiliser les plugins intégrés avec leurs réglages par défaut"))
                    }
                    fieldset {
                        legend { (language.pick("Or these plugins", "Ou ces plugins")) }
                        @for choice in &view.plugins { (plugin(visit, &manifest.plugins, choice, refused)) }
                    }
                    @if can_change { button { (language.pick("Save", "Enregistrer")) } }
                }
            }
        }
    }
}

/// The weights as they were entered, or else as they are stored.
fn shown_weights(weights: SignalWeights, refused: Option<&RefusedPlugins<'_>>) -> Vec<(&'static str, String)> {
    let SignalWeights { document, image, duplicate, consistency, gps, device, motion } = weights;
    let stored = [document, image, duplicate, consistency, gps, device, motion];
    let weights = SIGNALS.into_iter().zip(stored);
    let shown = weights.map(|(signal, stored)| {
        let entered = refused.map(|refused| refused.fields.text(signal).to_owned());
        (signal, entered.unwrap_or_else(|| stored.to_string()))
    });
    shown.collect()
}

fn plugin(
    visit: &Visit,
    named: &[AnalysisPlugin],
    choice: &PluginChoice,
    refused: Option<&RefusedPlugins<'_>>,
) -> Markup {
    let language = visit.language;
    let PluginChoice { name, role, schema, is_loaded, .. } = choice;
    let value = form_name(*role, name);
    let found = named.iter().find(|plugin| plugin.name == *name && plugin.role == *role && !plugin.shadow);
    let is_chosen =
        refused.map_or(found.is_some(), |refused| refused.fields.all("plugin").any(|chosen| chosen == value.as_str()));
    let none = Map::new();
    let settings = found.map_or(&none, |plugin| &plugin.settings);
    // Without its schema, it is not known which settings are secrets: those of a missing plugin stay as they are.
    let has_settings = schema.is_some() || (*is_loaded && !settings.is_empty());
    let problems = refused.into_iter().flat_map(|refused| refused.problems);
    let problems = problems.filter(|problem| problem.plugin == value).map(|problem| &problem.problem);
    let shown = Shown {
        plugin: &value,
        name,
        language,
        sent: refused.map(|refused| refused.fields),
        problems: problems.collect(),
    };
    html! {
        label.box {
            input type="checkbox" name="plugin" value=(value) checked[is_chosen];
            (name) " · " (role.into_str())
            @if let Some(digest) = found.and_then(|plugin| plugin.sha256) { " · " span.hash { (format!("{digest:.12}")) } }
            @if !is_loaded { " · " (language.pick("missing", "absent")) }
        }
        @if has_settings { (Setting::all(schema.as_ref(), settings).show(&shown)) }
        @if let Some(schema) = schema {
            details {
                summary { (language.pick("What the settings may be: ", "Ce que les réglages peuvent être\u{a0}: ")) (name) }
                pre tabindex="0" { (serde_json::to_string_pretty(schema).unwrap_or_default()) }
            }
        }
    }
}
