//! Creates and updates companies from their company manifests: files (operator.md, `sealwright apply`), or what the
//! console makes of a form.
//!
//! All files are applied in one transaction, so an error in one leaves everything as it was; `--dry-run` does the same
//! work and does not commit. Whatever is no longer in a file is deactivated, never deleted: cases refer to it.

mod analysis;
mod company;
mod frames;
mod passwords;
mod registry;
mod templates;
mod users;
mod webhooks;

use std::collections::HashMap;

use crate::app::{
    App,
    audit::{self, Actor, Event},
    published,
};
use crate::{
    clock::Timestamp,
    domain::{
        apply_report::{ApplyReport, Change},
        company_manifest::CompanyManifest,
        id::CompanyId,
    },
    error::Error,
    store::{self, company::Company},
    toml_reader::{Problem, Severity},
};

/// Where the manifests come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManifestSource {
    /// Files. A company that is kept in the console is changed only with `take_over`.
    File { take_over: bool },
    /// A form of the console, made from the company's settings at `revision`. Only for a company that is kept there, or
    /// that does not exist yet.
    Console { revision: i64 },
}

/// What was done, or with `dry_run` would be, for each company in the order of the files, and warnings.
#[derive(Debug)]
pub struct AppliedManifests {
    pub reports: Vec<ApplyReport>,
    pub warnings: Vec<Problem>,
}

/// Why nothing was applied.
#[derive(Debug)]
pub enum ApplyError {
    /// The files conflict with stored data or with each other.
    Refused(Vec<Problem>),
    Failed(Error),
}

impl<E: Into<Error>> From<E> for ApplyError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Applies company manifests that have been checked together
/// (see [`check_together`](crate::domain::company_manifest::check_together)).
pub async fn apply(
    app: &App,
    actor: &Actor,
    manifests: &[CompanyManifest],
    source: ManifestSource,
    dry_run: bool,
) -> Result<AppliedManifests, ApplyError> {
    let before = before(app, manifests, source).await?;
    let pulled = registry::pull_all(app, manifests, source, !dry_run).await?;
    let pinned = pulled.pin(manifests);
    let manifests = &*pinned;
    // Before the transaction: hashing a password takes a while.
    let passwords = passwords::hash_all(app, manifests).await?;
    let templates = templates::examine_all(app, manifests, before.as_ref()).await?;
    let mut tx = app.db.begin().await?;
    let mut run = Run { app, now: app.clock.now(), source, before, problems: Vec::new(), passwords, templates };
    for (component, key) in &pulled.new {
        published::publish(&mut tx, app, actor, component, key).await?;
    }
    let mut reports: HashMap<CompanyId, ApplyReport> = HashMap::new();
    // Parents come before their children, whatever the order of the files.
    let (parents, children): (Vec<_>, Vec<_>) =
        manifests.iter().partition(|manifest| manifest.company.parent.is_none());
    for manifest in parents.into_iter().chain(children) {
        let mut report = ApplyReport::new(manifest.company.id, &manifest.company.name, dry_run);
        if company::apply(&mut run, &mut tx, manifest, &mut report).await? {
            users::apply(&mut run, &mut tx, manifest, &mut report).await?;
            frames::apply(&mut run, &mut tx, manifest, &mut report).await?;
            webhooks::apply(&mut run, &mut tx, manifest, &mut report).await?;
            analysis::check(&mut run, manifest);
        }
        if !report.is_empty() {
            company::count_revision(&mut run, &mut tx, manifest).await?;
            audit::record(&mut tx, run.now, actor, applied(&report)).await?;
        }
        reports.insert(manifest.company.id, report);
    }
    let (errors, warnings): (Vec<_>, Vec<_>) =
        run.problems.into_iter().partition(|problem| problem.severity == Severity::Error);
    if !errors.is_empty() {
        return Err(ApplyError::Refused(errors));
    }
    if !dry_run {
        tx.commit().await?;
    }
    let reports = manifests.iter().filter_map(|manifest| reports.remove(&manifest.company.id)).collect();
    Ok(AppliedManifests { reports, warnings })
}

/// The stored company that a form of the console changes. A form that is too old is refused before anything is hashed or
/// compiled.
async fn before(
    app: &App,
    manifests: &[CompanyManifest],
    source: ManifestSource,
) -> Result<Option<Company>, ApplyError> {
    let (ManifestSource::Console { revision }, [manifest]) = (source, manifests) else { return Ok(None) };
    let mut reader = app.db.read().await?;
    let Some(stored) = store::company::find(&mut reader, manifest.company.id).await? else { return Ok(None) };
    if stored.revision != revision {
        let message = company::CHANGED_MEANWHILE.to_owned();
        let (file, path) = (String::new(), String::new());
        return Err(ApplyError::Refused(vec![Problem { file, line: 0, path, message, severity: Severity::Error }]));
    }
    Ok(Some(stored))
}

/// What changed: numbers, and the first of the rows with the names of their fields. Values are not for the audit log.
fn applied(report: &ApplyReport) -> Event {
    let ApplyReport { company, created, changed, deactivated, unchanged, .. } = report;
    let event = Event::done("apply", Some(*company), Some(format!("company {company}")));
    let numbers = format!(
        "{} created, {} changed, {} deactivated, {unchanged} unchanged",
        created.len(),
        changed.len(),
        deactivated.len()
    );
    let rows = [("created", created), ("changed", changed), ("deactivated", deactivated)];
    let rows = rows.into_iter().flat_map(|(verb, changes)| changes.iter().map(move |change| (verb, change)));
    let rows = rows.take(MOST_NAMED_ROWS).map(|(verb, Change { kind, id, fields, .. })| {
        let fields = if fields.is_empty() { String::new() } else { format!(" ({})", fields.join(", ")) };
        format!("{verb} {kind} {id}{fields}")
    });
    event.with_detail(std::iter::once(numbers).chain(rows).collect::<Vec<_>>().join("; "))
}

/// The most rows that a record of the audit log names.
const MOST_NAMED_ROWS: usize = 10;

/// The state of one call of [`apply`].
struct Run<'a> {
    app: &'a App,
    now: Timestamp,
    source: ManifestSource,
    /// The company as it is stored, if the manifest comes from the console: what is as before is not checked again, so
    /// that a template or a plugin that is missing now does not prevent another change.
    before: Option<Company>,
    problems: Vec<Problem>,
    passwords: passwords::Hashes,
    templates: templates::TemplateProblems,
}

impl Run<'_> {
    fn is_from_file(&self) -> bool {
        matches!(self.source, ManifestSource::File { .. })
    }

    fn refuse(&mut self, manifest: &CompanyManifest, line: usize, path: impl Into<String>, message: impl Into<String>) {
        self.note(manifest, line, path, message, Severity::Error);
    }

    /// Refuses what another company, or another user, has. A form does not say whose it is: its reader may not know them.
    fn refuse_as_used(&mut self, manifest: &CompanyManifest, line: usize, path: &str, whose: &str, expected: &str) {
        let found = if self.is_from_file() { whose } else { "it is already used" };
        self.refuse(manifest, line, path, format!("{found}; expected {expected}"));
    }

    fn warn(&mut self, manifest: &CompanyManifest, line: usize, path: impl Into<String>, message: impl Into<String>) {
        self.note(manifest, line, path, message, Severity::Warning);
    }

    fn note(
        &mut self,
        manifest: &CompanyManifest,
        line: usize,
        path: impl Into<String>,
        message: impl Into<String>,
        severity: Severity,
    ) {
        let (file, path, message) = (manifest.file.clone(), path.into(), message.into());
        self.problems.push(Problem { file, line, path, message, severity });
    }
}

/// Adds an element of the company manifest to the report; returns whether it has to be written.
fn classify<T>(
    report: &mut ApplyReport,
    change: Change,
    stored: Option<&T>,
    wanted: &T,
    differing: impl FnOnce(&T, &T) -> Vec<&'static str>,
) -> bool {
    let Some(stored) = stored else {
        report.created.push(change);
        return true;
    };
    let fields = differing(stored, wanted);
    if fields.is_empty() {
        report.unchanged += 1;
        return false;
    }
    report.changed.push(Change { fields, ..change });
    true
}

/// The names of the fields that differ between two rows: `differing!(a, b; "name" => name, …)`.
macro_rules! differing {
    ($stored:expr, $wanted:expr; $($name:literal => $($field:ident).+),+ $(,)?) => {{
        let mut fields = Vec::new();
        $(if $stored.$($field).+ != $wanted.$($field).+ { fields.push($name); })+
        fields
    }};
}
use differing;
