//! The certificates with work left, for the operator.

pub use crate::store::certificate::PendingCertificate;
use crate::{db::Db, error::Result, store};

/// The certificates of all companies that are not finished, those of the oldest closings first, at most `most`.
pub async fn list(db: &Db, most: u32) -> Result<Vec<PendingCertificate>> {
    let mut reader = db.read().await?;
    Ok(store::certificate::pending(&mut reader, i64::from(most)).await?)
}
