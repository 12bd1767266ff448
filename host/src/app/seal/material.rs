//! What a certificate is made from.

use super::tokens::ItemTokens;
use crate::{
    app::App,
    domain::id::CaseId,
    error::Result,
    store::{self, case::Case, certificate::Certificate, erasure::ErasedItem, item::Item},
};

/// Everything that a certificate is made from.
pub(super) struct Evidence {
    pub(super) case: Case,
    pub(super) certificate: Certificate,
    pub(super) items: Vec<Item>,
    pub(super) tokens: ItemTokens,
    /// The capture records of each session.
    pub(super) records: Vec<Vec<String>>,
    /// Items that were erased after the sealing, in the order of their erasure.
    pub(super) erased: Vec<ErasedItem>,
}

pub(super) async fn load(app: &App, id: CaseId) -> Result<Option<(Case, Certificate, Vec<Item>)>> {
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?;
    let certificate = store::certificate::find(&mut reader, id).await?;
    let items = store::item::of_case(&mut reader, id).await?;
    Ok(case.zip(certificate).map(|(case, certificate)| (case, certificate, items)))
}
