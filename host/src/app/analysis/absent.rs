//! An analysis waits while one of the company's plugins is not loaded on this node: it may be loaded in a moment, or on
//! another node. It waits until the deadline of the case, as for everything else (spec 3.3). Then the loaded plugins
//! judge alone.

use crate::{
    app::{App, plugins},
    domain::{company_manifest::PluginRole, id::CaseId},
    error::Result,
    store::{self, company::Company},
};

/// The roles that are asked about a document.
pub(super) const OF_DOCUMENTS: [PluginRole; 3] =
    [PluginRole::DocumentType, PluginRole::CrossCheck, PluginRole::Falsification];
/// The roles that are asked about a case.
pub(super) const OF_CASES: [PluginRole; 1] = [PluginRole::Signal];

/// Looks for a missing plugin of one of the roles.
///
/// # Errors
/// A plugin is missing and the deadline has not passed: the job waits for it.
pub(super) async fn check(app: &App, company: &Company, case: CaseId, roles: &[PluginRole]) -> Result<()> {
    let mut named = company.analysis.plugins.iter().filter(|plugin| !plugin.shadow && roles.contains(&plugin.role));
    let missing = named.find(|plugin| !app.plugins.plays(&plugin.name, plugin.sha256, plugin.role.into()));
    let Some(missing) = missing else { return Ok(()) };
    let mut reader = app.db.read().await?;
    // A case that is open has no deadline yet.
    let standing = store::analysis::standing(&mut reader, case).await?;
    drop(reader);
    let now = app.clock.now();
    if standing.is_some_and(|standing| now >= standing.deadline) {
        return Ok(());
    }
    Err(plugins::not_loaded(&missing.name))
}
