//! The company itself: its name, parent, options, quotas and analysis.

use super::{ApplyError, ManifestSource, Run, classify, differing};
use crate::{
    db::{Reader, Tx},
    domain::{
        appearance::{Logo, MAX_LOGO_SIDE},
        apply_report::{ApplyReport, Change, ChangeKind},
        company_manifest::{CompanyManifest, Keeper},
    },
    media,
    store::{
        self,
        company::{self, Analysis, AnalysisPlugin, Company},
    },
};

/// Returns whether the company exists now. If not, a problem was noted and its parts cannot be applied.
pub(super) async fn apply(
    run: &mut Run<'_>,
    tx: &mut Tx,
    manifest: &CompanyManifest,
    report: &mut ApplyReport,
) -> Result<bool, ApplyError> {
    if !is_family_valid(run, tx, manifest).await? {
        return Ok(false);
    }
    let stored = company::find(tx, manifest.company.id).await?;
    if !may_change(run, manifest, stored.as_ref()) {
        return Ok(false);
    }
    let wanted = wanted(run, manifest, stored.as_ref());
    if let Some(message) = run.templates.get(&wanted.certificate_template).cloned() {
        run.refuse(manifest, manifest.company.line, "company.certificate_template", message);
        return Ok(false);
    }
    // A logo that is stored was looked at.
    if let Some(logo) = &manifest.company.appearance.logo
        && stored.as_ref().and_then(|stored| stored.logo) != Some(logo.sha256)
        && let Some(problem) = problem_of_logo(run, logo).await?
    {
        run.refuse(manifest, logo.line, "company.appearance.logo_file", problem);
        return Ok(false);
    }
    let change = Change::new(ChangeKind::Company, &wanted.id, Some(&wanted.name));
    let write = classify(report, change, stored.as_ref(), &wanted, |stored, wanted| {
        differing!(stored, wanted; "name" => name, "parent" => parent, "document_analysis" => document_analysis,
                   "certificate_template" => certificate_template, "language" => language,
                   "time_zone" => time_zone, "embed_originals" => extras.embed_originals,
                   "show_documents" => extras.show_documents, "appearance.colour" => colour,
                   "appearance.logo_file" => logo, "rate_limits" => rate_limits, "analysis" => analysis,
                   "audit_days" => audit_days, "case_days" => retention.case_days,
                   "original_days" => retention.original_days, "fact_days" => retention.fact_days,
                   "delivery_days" => retention.delivery_days, "keeper" => keeper)
    });
    if write {
        if let Some(logo) = &manifest.company.appearance.logo {
            store::logo::insert(tx, logo).await?;
        }
        company::save(tx, &wanted, run.now).await?;
        store::logo::delete_unused(tx).await?;
    }
    Ok(true)
}

/// Whether the company's settings are kept where the manifest comes from. If not, a problem was noted.
fn may_change(run: &mut Run<'_>, manifest: &CompanyManifest, stored: Option<&Company>) -> bool {
    let problem = match (run.source, stored.map(|stored| stored.keeper)) {
        (ManifestSource::File { take_over: false }, Some(Keeper::Console)) => {
            "the company is kept in the console; `--take-over` makes this file keep it"
        }
        (ManifestSource::Console { .. }, Some(Keeper::File)) => "the company is kept by a file",
        _ => return true,
    };
    run.refuse(manifest, manifest.company.line, "company.id", problem);
    false
}

/// Counts a change of the company, and notes a problem if someone else has changed it since the form was made.
pub(super) async fn count_revision(
    run: &mut Run<'_>,
    tx: &mut Tx,
    manifest: &CompanyManifest,
) -> Result<(), ApplyError> {
    let id = manifest.company.id;
    let expected = match run.source {
        ManifestSource::Console { revision } => Some(revision),
        ManifestSource::File { .. } => company::find(tx, id).await?.map(|company| company.revision),
    };
    let is_counted = match expected {
        Some(revision) => company::count_revision(tx, id, revision).await?,
        // A problem of the company was noted.
        None => true,
    };
    if !is_counted {
        run.refuse(manifest, manifest.company.line, "", CHANGED_MEANWHILE);
    }
    Ok(())
}

pub(super) const CHANGED_MEANWHILE: &str = "someone else has changed the company meanwhile: load the page again";

/// Why browsers could not show the picture.
async fn problem_of_logo(run: &Run<'_>, logo: &Logo) -> Result<Option<String>, ApplyError> {
    let bytes = logo.bytes.clone();
    Ok(match run.app.run_heavy(move || media::image::size(&bytes)).await? {
        Ok((width, height)) if width.max(height) > MAX_LOGO_SIDE => {
            Some(format!("found {width} x {height} pixels, expected at most {MAX_LOGO_SIDE} on each side"))
        }
        Ok(_) => None,
        Err(error) => Some(format!("the logo cannot be shown: {error}")),
    })
}

/// Families have two levels: a report token belongs to a parent and its children (decisions 5).
async fn is_family_valid(
    run: &mut Run<'_>,
    reader: &mut Reader,
    manifest: &CompanyManifest,
) -> Result<bool, ApplyError> {
    let Some(parent) = manifest.company.parent else { return Ok(true) };
    let problem = match company::find(reader, parent).await? {
        None => format!("company {parent} does not exist; expected a stored company or one in another given file"),
        Some(Company { parent: Some(grandparent), .. }) => {
            format!("company {parent} is itself a child of company {grandparent}; expected a company without a parent")
        }
        Some(_) if company::has_children(reader, manifest.company.id).await? => {
            "the company has children, so it cannot have a parent".to_owned()
        }
        Some(_) => return Ok(true),
    };
    run.refuse(manifest, manifest.company.line, "company.parent", problem);
    Ok(false)
}

fn wanted(run: &Run<'_>, manifest: &CompanyManifest, stored: Option<&Company>) -> Company {
    let company = manifest.company.clone();
    let plugins = manifest.plugins.iter().map(|plugin| AnalysisPlugin {
        name: plugin.name.clone(),
        role: plugin.role,
        sha256: plugin.sha256,
        oci: plugin.oci.clone(),
        settings: plugin.settings.clone(),
        shadow: plugin.shadow,
    });
    Company {
        id: company.id,
        name: company.name,
        parent: company.parent,
        document_analysis: company.document_analysis,
        certificate_template: company.certificate_template,
        language: company.language,
        time_zone: company.time_zone,
        extras: company.extras,
        colour: company.appearance.colour,
        logo: company.appearance.logo.map(|logo| logo.sha256),
        rate_limits: company
            .rate_limits
            .iter()
            .map(|(operation, limit)| (operation.properties().key(), *limit))
            .collect(),
        analysis: Analysis { weights: manifest.weights, plugins: plugins.collect() },
        keeper: match run.source {
            ManifestSource::File { .. } => Keeper::File,
            ManifestSource::Console { .. } => Keeper::Console,
        },
        audit_days: company.audit_days,
        retention: company.retention,
        revision: stored.map_or(0, |stored| stored.revision),
    }
}
