//! The plugins that a company is analysed with, their settings, and how much each signal counts.

use axum::extract::{Path, State};
use maud::{Markup, html};

use super::{address, after_change, hidden, parse, revision};
use crate::{
    app::console::company::{self, CompanyView, PluginChoice},
    domain::company_manifest::{AnalysisPlugin, CompanyManifest, PluginRole, SignalWeights},
    error::{Error, Result},
    http::{
        console::{form::Form, problem::PageResult, visit::Visit},
        shared::Shared,
    },
};

/// The signals, as the form and the company manifest name them.
const SIGNALS: [&str; 7] = ["document", "image", "duplicate", "consistency", "gps", "device", "motion"];

/// `POST /console/companies/:company/plugins`
pub(in crate::http::console) async fn change(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    let changed = async {
        company::edit(&shared.app, &visit.user, id, revision(&fields)?, |manifest| set(manifest, &fields)).await
    };
    let changed = changed.await;
    after_change(&shared, &visit, id, changed).await
}

fn set(manifest: &mut CompanyManifest, fields: &Form) -> Result<()> {
    let mut weights = [0; SIGNALS.len()];
    for (weight, signal) in weights.iter_mut().zip(SIGNALS) {
        let wrong = || Error::invalid(format!("{signal}: must be a whole number from 0 to 1000"));
        *weight = fields.text(signal).parse().map_err(|_| wrong())?;
    }
    let [document, image, duplicate, consistency, gps, device, motion] = weights;
    manifest.weights = SignalWeights { document, image, duplicate, consistency, gps, device, motion };
    if fields.is_ticked("defaults") {
        manifest.plugins.retain(|plugin| plugin.shadow);
        return Ok(());
    }
    let before = std::mem::take(&mut manifest.plugins);
    for choice in fields.all("plugin") {
        let (role, name) = choice.split_once('/').ok_or_else(|| Error::invalid("plugin: choose one of the list"))?;
        let role: PluginRole = role.parse().map_err(|_| Error::invalid("plugin: choose one of the list"))?;
        let same = before.iter().find(|plugin| !plugin.shadow && plugin.name == name && plugin.role == role);
        let settings = match fields.filled(&format!("settings:{choice}")) {
            None => serde_json::Map::new(),
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Error::invalid(format!("settings of {name}: expected a JSON object: {error}")))?,
        };
        let sha256 = same.and_then(|plugin| plugin.sha256);
        manifest.plugins.push(AnalysisPlugin { name: name.to_owned(), role, sha256, settings, shadow: false, line: 0 });
    }
    // The form does not show shadows.
    manifest.plugins.extend(before.into_iter().filter(|plugin| plugin.shadow));
    Ok(())
}

pub(super) fn section(visit: &Visit, view: &CompanyView, can_change: bool) -> Markup {
    let (language, company) = (visit.language, &view.stored.company);
    let manifest = &view.stored.manifest;
    let SignalWeights { document, image, duplicate, consistency, gps, device, motion } = manifest.weights;
    let weights = [document, image, duplicate, consistency, gps, device, motion];
    html! {
        section {
            h2 { (language.pick("Analysis", "Analyse")) }
            form.stack method="post" action={ (address(company.id)) "/plugins" } {
                (hidden(visit, company.revision))
                fieldset disabled[!can_change] {
                    fieldset {
                        legend { (language.pick("How much each signal counts", "Poids de chaque signal")) }
                        @for (signal, weight) in SIGNALS.into_iter().zip(weights) {
                            label for={ "weight-" (signal) } { (signal) }
                            input id={ "weight-" (signal) } name=(signal) type="number" min="0" max="1000" required value=(weight);
                        }
                    }
                    label.box {
                        input type="checkbox" name="defaults" checked[manifest.plugins.iter().all(|plugin| plugin.shadow)];
                        (language.pick("Use the built-in plugins with their default settings", "Utiliser les modules intégrés avec leurs réglages par défaut"))
                    }
                    fieldset {
                        legend { (language.pick("Or these plugins", "Ou ces modules")) }
                        @for choice in &view.plugins { (plugin(visit, &manifest.plugins, choice)) }
                    }
                    @if can_change { button { (language.pick("Save", "Enregistrer")) } }
                }
            }
        }
    }
}

fn plugin(visit: &Visit, named: &[AnalysisPlugin], choice: &PluginChoice) -> Markup {
    let language = visit.language;
    let PluginChoice { name, role, schema } = choice;
    let value = format!("{}/{name}", role.into_str());
    let found = named.iter().find(|plugin| plugin.name == *name && plugin.role == *role && !plugin.shadow);
    let settings = found.map(|plugin| &plugin.settings).filter(|settings| !settings.is_empty());
    let settings = settings.and_then(|settings| serde_json::to_string_pretty(settings).ok()).unwrap_or_default();
    html! {
        label.box {
            input type="checkbox" name="plugin" value=(value) checked[found.is_some()];
            (name) " · " (role.into_str())
            @if let Some(digest) = found.and_then(|plugin| plugin.sha256) { " · " span.hash { (format!("{digest:.12}")) } }
        }
        @if let Some(schema) = schema {
            label for={ "settings-" (value) } { (language.pick("Settings of ", "Réglages de ")) (name) (language.pick(" (JSON)", " (JSON)")) }
            textarea id={ "settings-" (value) } name={ "settings:" (value) } rows="4" spellcheck="false" { (settings) }
            details {
                summary { (language.pick("What the settings may be", "Ce que les réglages peuvent être")) }
                pre tabindex="0" { (schema) }
            }
        }
    }
}
