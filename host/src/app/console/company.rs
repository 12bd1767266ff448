//! The settings of a company in the console. A change is made as `sealwright apply` makes it: of the company's manifest,
//! written from what is stored, with the same checks.

use std::collections::BTreeMap;

use bytes::Bytes;
use strum::VariantArray as _;

use super::ConsoleUser;
pub use crate::app::export::StoredCompany;
use crate::{
    app::{
        App, appearance,
        apply::{ApplyError, ManifestSource, apply},
        audit::{self, Event},
        export,
        templates::{self, examine::sample},
        webhook::{self, TestDelivery},
    },
    clock::Timestamp,
    domain::{
        company_manifest::{
            self, AnalysisPlugin, Company, CompanyManifest, Keeper, Lookup, PluginRole, SignalWeights, WebhookKind,
        },
        console::{Role as ConsoleRole, SettingFault},
        id::{CompanyId, FrameId},
        rate_limit::Counter,
    },
    error::{Error, Result},
    plugins::Role,
    store,
};

/// What the page of a company shows.
pub struct CompanyView {
    pub stored: StoredCompany,
    /// The names of the certificate templates that can be chosen.
    pub templates: Vec<String>,
    /// The names of the authentication modes of webhooks.
    pub webhook_modes: Vec<String>,
    /// The webhooks whose receiver is paused, and since when.
    pub paused: BTreeMap<WebhookKind, Timestamp>,
    /// The plugins that can be named, by role.
    pub plugins: Vec<PluginChoice>,
}

/// A plugin that a company can be analysed with.
pub struct PluginChoice {
    pub name: String,
    pub role: PluginRole,
    /// The JSON Schema of its settings, if it takes any.
    pub schema: Option<serde_json::Value>,
    /// False if the company names a plugin that is missing now.
    pub is_loaded: bool,
    /// Whether the stored settings are as the schema demands. Another version of the plugin may have another schema.
    pub is_valid: bool,
}

/// What is wrong with a plugin's settings.
pub struct SettingProblem {
    /// The names of the objects on the way to the setting, and its own.
    pub path: Vec<String>,
    pub fault: SettingFault,
}

/// The companies of the user, by identifier.
pub async fn list(app: &App, user: &ConsoleUser) -> Result<Vec<store::company::Company>> {
    user.companies(app).await
}

/// Reads a company for its page. The look is in the audit log, because the page names users.
pub async fn show(app: &App, user: &ConsoleUser, id: CompanyId) -> Result<CompanyView> {
    let stored = read(app, user, id).await?;
    let event = Event::done("showCompany", Some(id), Some(format!("company {id}")));
    audit::record_alone(app, &user.actor(), event).await?;
    view(app, user, stored).await
}

pub async fn read(app: &App, user: &ConsoleUser, id: CompanyId) -> Result<StoredCompany> {
    user.company(app, id).await?;
    let mut reader = app.db.read().await?;
    let stored = export::read(app, &mut reader, id).await?;
    stored.ok_or_else(|| Error::not_found(format!("company {id} does not exist")))
}

async fn view(app: &App, user: &ConsoleUser, stored: StoredCompany) -> Result<CompanyView> {
    let shared = std::sync::Arc::clone(&app.templates);
    let folders = app.run_heavy(move || shared.folders()).await?;
    let mut names: Vec<String> = folders.into_iter().map(|(name, _)| name).collect();
    // Templates may have the name of another company.
    let current = &stored.company.certificate_template;
    names.retain(|name| user.may(ConsoleRole::Operator) || name == current);
    if !names.iter().any(|name| name == templates::DEFAULT) {
        names.insert(0, templates::DEFAULT.to_owned());
    }
    let (states, _) = webhook::states(app, Some(stored.company.id)).await?;
    Ok(CompanyView {
        templates: names,
        webhook_modes: app.plugins.webhook_modes(),
        paused: states.into_iter().filter_map(|state| Some((state.kind, state.paused_at?))).collect(),
        plugins: plugin_choices(app, &stored.manifest.plugins),
        stored,
    })
}

/// The loaded plugins, and those that a company names. A pinned component has its own schema.
pub fn plugin_choices(app: &App, named: &[AnalysisPlugin]) -> Vec<PluginChoice> {
    let mut choices = Vec::new();
    for &role in PluginRole::VARIANTS {
        let mut plugins = app.plugins.plugins();
        plugins.retain(|plugin| plugin.roles.contains(&Role::from(role)));
        plugins.dedup_by(|one, other| one.name == other.name);
        let mut names: Vec<String> = plugins.into_iter().map(|plugin| plugin.name).collect();
        for plugin in named.iter().filter(|plugin| plugin.role == role && !plugin.shadow) {
            if !names.contains(&plugin.name) {
                names.push(plugin.name.clone());
            }
        }
        choices.extend(names.into_iter().map(|name| plugin_choice(app, named, name, role)));
    }
    choices
}

fn plugin_choice(app: &App, named: &[AnalysisPlugin], name: String, role: PluginRole) -> PluginChoice {
    let stored = named.iter().find(|plugin| plugin.name == name && plugin.role == role && !plugin.shadow);
    let sha256 = stored.and_then(|plugin| plugin.sha256);
    PluginChoice {
        schema: app.plugins.settings_schema(&name, sha256, Role::from(role)),
        is_loaded: app.plugins.plays(&name, sha256, Role::from(role)),
        is_valid: stored.is_none_or(|plugin| setting_problems(app, plugin).is_empty()),
        name,
        role,
    }
}

/// What the plugin's schema does not allow in its settings, as `apply` would find it.
pub fn setting_problems(app: &App, plugin: &AnalysisPlugin) -> Vec<SettingProblem> {
    let AnalysisPlugin { name, role, sha256, settings, .. } = plugin;
    let problems = app.plugins.settings_problems(name, *sha256, Role::from(*role), settings);
    let parts = |pointer: &str| -> Vec<String> {
        let parts = pointer.split('/').skip(1);
        parts.map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
    };
    let problems = problems.into_iter();
    problems.map(|problem| SettingProblem { path: parts(&problem.pointer), fault: problem.fault }).collect()
}

/// Makes the console the keeper of a company that a file has kept.
pub async fn keep_in_console(app: &App, user: &ConsoleUser, id: CompanyId) -> Result<()> {
    let company = user.company(app, id).await?;
    let mut tx = app.db.begin().await?;
    let kept = async {
        store::company::set_keeper(&mut tx, company.id, Keeper::Console).await?;
        let event = Event::done("keepCompany", Some(id), Some(format!("company {id}")));
        audit::record(&mut tx, app.clock.now(), &user.actor(), event).await?;
        Ok::<_, Error>(())
    };
    let kept = kept.await;
    tx.settle(kept).await
}

/// Adds a company that the console keeps.
///
/// # Errors
/// [`Error::Conflict`] if the company exists; otherwise as [`edit`].
pub async fn add(app: &App, user: &ConsoleUser, company: Company) -> Result<()> {
    let mut reader = app.db.read().await?;
    if store::company::find(&mut reader, company.id).await?.is_some() {
        return Err(Error::Conflict(format!("company {} exists", company.id)));
    }
    drop(reader);
    let manifest = CompanyManifest {
        file: String::new(),
        company,
        users: Vec::new(),
        frames: Vec::new(),
        webhooks: BTreeMap::new(),
        weights: SignalWeights::default(),
        plugins: Vec::new(),
    };
    apply_manifest(app, user, &manifest, 0).await
}

/// Changes a company that the console keeps. `revision` is the one that the form was made from.
///
/// # Errors
/// [`Error::Invalid`] with everything that a company manifest may not have, and [`Error::State`] if a file keeps the
/// company.
pub async fn edit(
    app: &App,
    user: &ConsoleUser,
    id: CompanyId,
    revision: i64,
    change: impl FnOnce(&mut CompanyManifest) -> Result<()>,
) -> Result<()> {
    let StoredCompany { company, mut manifest, .. } = read(app, user, id).await?;
    if company.keeper == Keeper::File {
        return Err(Error::state("a file keeps this company: change the file, and apply it"));
    }
    change(&mut manifest)?;
    apply_manifest(app, user, &manifest, revision).await
}

async fn apply_manifest(app: &App, user: &ConsoleUser, manifest: &CompanyManifest, revision: i64) -> Result<()> {
    const WITHOUT_FILES: Lookup<'static> = Lookup { env: &|_| None, file: &|_| Err("not in a form".to_owned()) };
    let text = manifest.to_toml().map_err(|error| Error::invalid(error.to_string()))?;
    let checked =
        company_manifest::parse("", &text, &WITHOUT_FILES).map_err(|problems| refused(manifest, &problems))?;
    let applied = apply(app, &user.actor(), &[checked.value], ManifestSource::Console { revision }, false).await;
    match applied {
        Ok(_) => Ok(()),
        Err(ApplyError::Refused(problems)) => Err(refused(manifest, &problems)),
        Err(ApplyError::Failed(error)) => Err(error),
    }
}

/// The problems in the words of a form: with names instead of positions in a file.
fn refused(manifest: &CompanyManifest, problems: &[crate::toml_reader::Problem]) -> Error {
    let texts = problems.iter().filter(|problem| problem.severity == crate::toml_reader::Severity::Error);
    let texts = texts.map(|problem| match place(manifest, &problem.path) {
        place if place.is_empty() => problem.message.clone(),
        place => format!("{place}: {}", problem.message),
    });
    Error::Invalid(texts.collect::<Vec<_>>().join("; "))
}

/// `frame[0].step[2].options` as `frame "Water damage", step "Cause", options`.
fn place(manifest: &CompanyManifest, path: &str) -> String {
    let mut frame = None;
    let mut parts = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let (name, index) = match part.strip_suffix(']').and_then(|part| part.split_once('[')) {
            Some((name, index)) => (name, index.parse::<usize>().ok()),
            None => (part, None),
        };
        let title = match (name, index) {
            ("frame", Some(index)) => {
                frame = manifest.frames.get(index);
                frame.map(|frame| frame.name.as_str())
            }
            ("step", Some(index)) => frame.and_then(|frame| frame.steps.get(index)).map(|step| step.title.as_str()),
            ("user", Some(index)) => manifest.users.get(index).map(|user| user.name.as_str()),
            ("plugin", Some(index)) => manifest.plugins.get(index).map(|plugin| plugin.name.as_str()),
            _ => None,
        };
        parts.push(title.map_or_else(|| name.to_owned(), |title| format!("{name} {title:?}")));
    }
    parts.join(", ")
}

/// The highest number of a step that a frame ever had; 0 if it has none.
pub async fn highest_step(app: &App, frame: FrameId) -> Result<i64> {
    let mut reader = app.db.read().await?;
    let frame = store::frame::find(&mut reader, frame).await?;
    let numbers = frame.into_iter().flat_map(|frame| frame.steps).map(|step| step.id.get());
    Ok(numbers.max().unwrap_or(0))
}

/// A number for a frame that is made in the console. People write the numbers in files, so these are far above.
pub async fn new_frame_number(app: &App) -> Result<FrameId> {
    const FIRST: i64 = 1_000_000_000;
    let mut reader = app.db.read().await?;
    let highest = store::frame::highest(&mut reader).await?.map_or(0, FrameId::get);
    let next = FIRST.max(highest.saturating_add(1));
    FrameId::new(next).ok_or_else(|| Error::internal(anyhow::anyhow!("{next} is not the number of a frame")))
}

/// Sends a test to a webhook's receiver, and returns its answer.
pub async fn test_webhook(app: &App, user: &ConsoleUser, id: CompanyId, kind: WebhookKind) -> Result<TestDelivery> {
    user.company(app, id).await?;
    limit(app, id).await?;
    let event = Event::done("testWebhook", Some(id), Some(format!("company {id}")));
    audit::record_alone(app, &user.actor(), event.with_detail(kind.into_str())).await?;
    webhook::send_test(app, id, kind).await
}

/// The certificate of a sample case with the company's template, language, time zone and logo.
pub async fn sample_certificate(app: &App, user: &ConsoleUser, id: CompanyId) -> Result<Bytes> {
    let company = user.company(app, id).await?;
    limit(app, id).await?;
    let templates = std::sync::Arc::clone(&app.templates);
    let mark = appearance::mark(app, company.logo).await?;
    let sample = app.run_heavy(move || sample(&templates, company, mark)).await?;
    Ok(Bytes::from(sample.map_err(|error| Error::state(format!("the template cannot be used: {error:#}")))?))
}

/// What costs much, or reaches other machines, is limited for each company.
async fn limit(app: &App, company: CompanyId) -> Result<()> {
    const LIMIT: u32 = 10;
    let admission = app.rates.admit(Counter::ConsoleTrial(company), LIMIT).await?;
    if admission.admitted {
        return Ok(());
    }
    Err(Error::state(format!("at most {LIMIT} tests and samples a minute are made: wait a minute")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_what_the_form_shows() {
        let source = "[company]\nid = 1\nname = \"A\"\n[[frame]]\nid = 1\nname = \"Water\"\n[[frame.step]]\nid = 1\n\
                      title = \"Cause\"\naction = \"TEXT_FIELD\"\n";
        let lookup = Lookup { env: &|_| None, file: &|_| Err(String::new()) };
        let manifest = company_manifest::parse("a.toml", source, &lookup).unwrap().value;
        assert_eq!(place(&manifest, "frame[0].step[0].options"), "frame \"Water\", step \"Cause\", options");
        assert_eq!(place(&manifest, "webhook.case.endpoint"), "webhook, case, endpoint");
        assert_eq!(place(&manifest, "frame[7]"), "frame");
        assert_eq!(place(&manifest, ""), "");
    }
}
