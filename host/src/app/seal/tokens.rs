//! The time-stamp tokens that go into a certificate: those of its items, and the one over the seal manifest.

use std::{collections::BTreeMap, sync::Arc};

use anyhow::Context;
use futures_util::{StreamExt, stream};
use sealwright_seal::{Sha256Digest, tsp::Token};

use crate::{
    app::{App, time_stamp::digest_to_stamp},
    certificate::data::StampedTime,
    clock::Timestamp,
    domain::id::ItemId,
    error::Result,
    signing::SealKeys,
    store::{self, case::Case, item::Item, item_token::ItemToken},
};

/// How many requests to authorities run at once.
const AT_ONCE: usize = 8;

/// The tokens of a case's items, by the items' identifiers.
pub(super) type ItemTokens = BTreeMap<ItemId, Stamp>;

/// A token, and who vouches for it.
#[derive(Clone, Debug)]
pub(super) struct Stamp {
    pub(super) token: Token,
    /// The subject of the authority's certificate.
    authority: String,
    /// Whether it is a development authority of this installation.
    is_development: bool,
}

impl Stamp {
    /// Checks the token against the digest that it must stamp.
    pub(super) fn new(token: Token, digest: &Sha256Digest, keys: &SealKeys) -> anyhow::Result<Self> {
        let authority = token.verify_signature(digest)?.subject();
        let is_development = keys.is_development_token(&token);
        Ok(Self { token, authority, is_development })
    }

    /// As the certificate shows it.
    pub(super) fn shown(&self) -> StampedTime {
        StampedTime {
            moment: Timestamp::from_millis(self.token.time().as_millis()).into(),
            authority: self.authority.clone(),
            development: self.is_development,
        }
    }
}

/// The tokens of a case's items. Missing ones are requested now; if no authority answers in time they stay missing.
pub(super) async fn of_items(app: &Arc<App>, case: &Case, items: &[Item]) -> Result<ItemTokens> {
    let mut missing = Vec::new();
    for item in items.iter().filter(|item| item.token_sha256.is_none()) {
        missing.extend(digest_to_stamp(item).map(|digest| (item.id, digest)));
    }
    let new = request(app, missing).await;
    if !new.is_empty() {
        let mut tx = app.db.begin().await?;
        if store::case::lock(&mut tx, case.company, case.id).await? {
            for token in &new {
                store::item_token::insert(&mut tx, token).await?;
            }
        }
        tx.commit().await?;
    }
    // The tokens may be from this run, from an earlier one, or from the item's own job.
    stored(app, case, items).await
}

/// The stored tokens, without requesting more.
pub(super) async fn stored(app: &App, case: &Case, items: &[Item]) -> Result<ItemTokens> {
    let mut reader = app.db.read().await?;
    let stored = store::item_token::of_case(&mut reader, case.id).await?;
    drop(reader);
    let (keys, items) = (Arc::clone(&app.seal_keys), items.to_vec());
    Ok(app.run_heavy(move || read(&keys, &items, stored)).await??)
}

fn read(keys: &SealKeys, items: &[Item], stored: Vec<ItemToken>) -> anyhow::Result<ItemTokens> {
    let mut tokens = ItemTokens::new();
    for ItemToken { item: id, der, .. } in stored {
        let Some(item) = items.iter().find(|item| item.id == id) else { continue };
        let read = || {
            let digest = digest_to_stamp(item).context("its item has no file")?;
            Stamp::new(Token::from_der(&der)?, &digest, keys)
        };
        tokens.insert(id, read().with_context(|| format!("the stored time-stamp token of {}", item.reference()))?);
    }
    Ok(tokens)
}

/// Requests tokens, within twice the time that one request may take. The first refusal ends it: the others would get
/// the same answer.
async fn request(app: &App, missing: Vec<(ItemId, Sha256Digest)>) -> Vec<ItemToken> {
    let mut tokens = Vec::new();
    let asking = async {
        let ask = |(item, digest)| async move { (item, app.time.stamp(digest).await) };
        let mut answers = stream::iter(missing).map(ask).buffer_unordered(AT_ONCE);
        while let Some((item, answer)) = answers.next().await {
            match answer {
                Ok(token) => {
                    tokens.push(ItemToken { item, sha256: token.sha256(), der: token.der().to_vec() });
                }
                Err(no_time) => {
                    tracing::info!(%item, %no_time, "a file is sealed without its own time stamp");
                    break;
                }
            }
        }
    };
    // The answers received by then are kept.
    let _ = tokio::time::timeout(app.config.seal.tsa_timeout.saturating_mul(2), asking).await;
    tokens
}
