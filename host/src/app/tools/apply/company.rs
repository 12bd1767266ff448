//! The company itself: its name, parent, options, quotas and analysis.

use super::{ApplyError, Run, classify, differing};
use crate::{
    db::{Reader, Tx},
    domain::{
        apply_report::{ApplyReport, Change, ChangeKind},
        company_manifest::CompanyManifest,
    },
    store::company::{self, Analysis, AnalysisPlugin, Company},
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
    let wanted = wanted(manifest);
    if let Some(message) = run.templates.get(&wanted.certificate_template).cloned() {
        run.refuse(manifest, manifest.company.line, "company.certificate_template", message);
        return Ok(false);
    }
    let stored = company::find(tx, wanted.id).await?;
    let change = Change::new(ChangeKind::Company, &wanted.id, Some(&wanted.name));
    let write = classify(report, change, stored.as_ref(), &wanted, |stored, wanted| {
        differing!(stored, wanted; "name" => name, "parent" => parent, "document_analysis" => document_analysis,
                   "certificate_template" => certificate_template, "rate_limits" => rate_limits, "analysis" => analysis)
    });
    if write {
        company::save(tx, &wanted, run.now).await?;
    }
    Ok(true)
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

fn wanted(manifest: &CompanyManifest) -> Company {
    let company = manifest.company.clone();
    let plugins = manifest.plugins.iter().map(|plugin| AnalysisPlugin {
        name: plugin.name.clone(),
        role: plugin.role,
        sha256: plugin.sha256,
        settings: plugin.settings.clone(),
        shadow: plugin.shadow,
    });
    Company {
        id: company.id,
        name: company.name,
        parent: company.parent,
        document_analysis: company.document_analysis,
        certificate_template: company.certificate_template,
        rate_limits: company
            .rate_limits
            .iter()
            .map(|(operation, limit)| (operation.properties().key(), *limit))
            .collect(),
        analysis: Analysis { weights: manifest.weights, plugins: plugins.collect() },
    }
}
