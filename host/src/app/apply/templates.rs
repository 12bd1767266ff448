//! Checks that the certificate templates named by company manifests can be used. A broken template is detected here
//! rather than when the first case is closed.

use std::{collections::HashMap, sync::Arc};

use super::ApplyError;
use crate::{
    app::{
        App,
        templates::{Templates, examine::examine},
    },
    domain::company_manifest::CompanyManifest,
    store::company::Company,
};

/// The names of templates that cannot be used, each with its problem.
pub(super) type TemplateProblems = HashMap<String, String>;

/// Compiles the sample cases with every template that the manifests name. It takes seconds, so it is done before the
/// transaction.
pub(super) async fn examine_all(
    app: &App,
    manifests: &[CompanyManifest],
    before: Option<&Company>,
) -> Result<TemplateProblems, ApplyError> {
    let mut unusable = TemplateProblems::new();
    let mut names: Vec<&str> =
        manifests.iter().map(|manifest| manifest.company.certificate_template.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| before.is_none_or(|before| before.certificate_template != *name));
    for name in names {
        let (templates, wanted) = (Arc::clone(&app.templates), name.to_owned());
        if let Some(problem) = app.run_heavy(move || problem_of(&templates, &wanted)).await? {
            unusable.insert(name.to_owned(), problem);
        }
    }
    Ok(unusable)
}

fn problem_of(templates: &Templates, name: &str) -> Option<String> {
    let folder = match templates.find(name) {
        Ok(folder) => folder?,
        Err(error) => return Some(error.to_string()),
    };
    let found = match examine(&folder) {
        Ok(examination) => {
            examination.findings.into_iter().find(|found| found.finding.is_error())?.finding.on_one_line()
        }
        Err(error) => format!("{error:#}"),
    };
    Some(format!("the template {name:?} cannot be used: {found} (sealwright template check {})", folder.display()))
}
