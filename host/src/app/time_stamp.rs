//! Time-stamps the files of items, each by a job that is enqueued with its item (decisions 14).

use std::sync::Arc;

use sealwright_seal::Sha256Digest;

use super::{App, queue};
use crate::{
    domain::id::ItemId,
    error::Result,
    store::{self, item::Item, item_token::ItemToken, job::Job},
};

/// Time-stamps the file of an item, as one run of a [`StampItem`](store::job::JobKind::StampItem) job. If no authority
/// answers, it is tried again later, until the case has its certificate: a later token would be in no certificate.
pub async fn stamp_item(app: &Arc<App>, job: &Job, id: ItemId) -> Result<()> {
    let Some(digest) = awaited_digest(app, id).await? else {
        return finish(app, job, None).await;
    };
    match app.time.stamp(digest).await {
        Ok(token) => {
            let (sha256, der) = (token.sha256(), token.der().to_vec());
            finish(app, job, Some(ItemToken { item: id, der, sha256 })).await
        }
        Err(no_time) => queue::await_time(app, job, &no_time).await,
    }
}

/// The digest of the item's file, if it still needs a time stamp.
async fn awaited_digest(app: &App, id: ItemId) -> Result<Option<Sha256Digest>> {
    let mut reader = app.db.read().await?;
    let Some(item) = store::item::find(&mut reader, id).await? else { return Ok(None) };
    let certificate = store::certificate::find(&mut reader, item.case).await?;
    let is_sealed = certificate.is_some_and(|certificate| certificate.pdf.is_some())
        || !store::erasure::of_case(&mut reader, item.case).await?.is_empty();
    Ok(if is_sealed || item.token_sha256.is_some() { None } else { digest_to_stamp(&item) })
}

/// The digest that an item needs a token for; `None` for an item without a file, or whose step turned time stamps off.
pub(super) fn digest_to_stamp(item: &Item) -> Option<Sha256Digest> {
    let file = item.content.file.as_ref().filter(|_| item.content.wants_time_stamp);
    file.map(|file| file.sha256)
}

/// Keeps the token, unless the case was sealed without it meanwhile, and ends the job.
async fn finish(app: &App, job: &Job, token: Option<ItemToken>) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if let Some(token) = token
        && store::case::lock_of_item(&mut tx, token.item).await?
    {
        // Under the case's lock, which sealing takes too: a token is in the certificate or nowhere.
        let item = store::item::find(&mut tx, token.item).await?;
        let is_sealed = match item {
            Some(item) => {
                let certificate = store::certificate::find(&mut tx, item.case).await?;
                // While a successor is made, there is no PDF.
                certificate.is_some_and(|certificate| certificate.pdf.is_some())
                    || !store::erasure::of_case(&mut tx, item.case).await?.is_empty()
            }
            None => false,
        };
        if !is_sealed {
            store::item_token::insert(&mut tx, &token).await?;
        }
    }
    store::job::complete(&mut tx, job).await?;
    Ok(tx.commit().await?)
}
