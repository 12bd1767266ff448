//! Requests that are carried out once, however often they are sent with the same `Idempotency-Key`.
//!
//! The key is taken in the transaction that does the work. A second request with it waits for that transaction and gets
//! the same answer. If the first one fails, nothing is recorded, and the second one does the work.

use std::time::Duration;

use sealwright_seal::Sha256Digest;
use serde::{Serialize, de::DeserializeOwned};

use super::{App, session::Caller};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{id::CaseId, idempotency_key::IdempotencyKey, operation::Operation},
    error::{Error, Result},
    store::{
        self,
        idempotent_request::{EarlierRequest, RequestName},
    },
};

/// How long an answer is remembered.
const REMEMBERED: Duration = Duration::from_hours(24);
/// How many old answers one transaction deletes.
const AT_ONCE: u64 = 1000;

/// A request with an `Idempotency-Key`.
#[derive(Clone, Debug)]
pub struct RepeatableRequest {
    name: RequestName,
    digest: Sha256Digest,
}

impl RepeatableRequest {
    /// `content` is all that the operation depends on: the path's parameter, or the body.
    pub fn new(caller: &Caller, key: &IdempotencyKey, operation: Operation, content: &str) -> Self {
        let name = RequestName { user: caller.user.clone(), key: Sha256Digest::of(key.as_str()) };
        Self { name, digest: Sha256Digest::of(format!("{operation:?}\n{content}")) }
    }
}

/// What a request with or without a key is answered with.
#[derive(Clone, Debug)]
pub struct Outcome<T> {
    pub answer: T,
    /// Whether an earlier request with the same key did the work.
    pub is_repeated: bool,
}

impl<T: DeserializeOwned> Outcome<T> {
    pub(in crate::app) const fn done(answer: T) -> Self {
        Self { answer, is_repeated: false }
    }

    /// The answer to an earlier request, if it was the same one.
    fn repeated(request: &RepeatableRequest, earlier: EarlierRequest) -> Result<Self> {
        if earlier.request_digest != request.digest {
            return Err(Error::Conflict(
                "Idempotency-Key was sent with another request in the last 24 hours: a new request needs a new key"
                    .to_owned(),
            ));
        }
        let deleted = || Error::not_found("the case of the request with this Idempotency-Key was deleted");
        let answer = earlier.answer.ok_or_else(deleted)?;
        let answer = serde_json::from_str(&answer).map_err(Error::internal)?;
        Ok(Self { answer, is_repeated: true })
    }
}

/// Looks for the answer to an earlier request with the same key, before any other check: the case may have been closed by
/// that request, or the link used up.
pub(in crate::app) async fn find<T: DeserializeOwned>(
    reader: &mut Reader,
    request: Option<&RepeatableRequest>,
    now: Timestamp,
) -> Result<Option<Outcome<T>>> {
    let Some(request) = request else { return Ok(None) };
    let earlier = store::idempotent_request::find(reader, &request.name, now.before(REMEMBERED)).await?;
    earlier.map(|earlier| Outcome::repeated(request, earlier)).transpose()
}

/// Takes the key for the transaction; returns the answer of a concurrent request that was faster.
pub(in crate::app) async fn begin<T: DeserializeOwned>(
    tx: &mut Tx,
    request: Option<&RepeatableRequest>,
    now: Timestamp,
) -> Result<Option<Outcome<T>>> {
    let Some(request) = request else { return Ok(None) };
    let until = now.before(REMEMBERED);
    store::idempotent_request::delete_old(tx, &request.name, until).await?;
    if store::idempotent_request::insert(tx, &request.name, request.digest, now).await? {
        return Ok(None);
    }
    let earlier = store::idempotent_request::find(tx, &request.name, until).await?;
    let lost = || Error::internal(anyhow::anyhow!("a request with an Idempotency-Key is not found"));
    Outcome::repeated(request, earlier.ok_or_else(lost)?).map(Some)
}

/// Records the answer.
pub(in crate::app) async fn finish(
    tx: &mut Tx,
    request: Option<&RepeatableRequest>,
    case: CaseId,
    answer: &impl Serialize,
) -> Result<()> {
    let Some(request) = request else { return Ok(()) };
    let answer = serde_json::to_string(answer).map_err(Error::internal)?;
    Ok(store::idempotent_request::set_answer(tx, &request.name, case, &answer).await?)
}

/// Deletes the answers that are older than a day. Returns their number.
pub async fn forget_old(app: &App) -> Result<u64> {
    let until = app.clock.now().before(REMEMBERED);
    let mut forgotten = 0;
    loop {
        let mut tx = app.db.begin().await?;
        let deleted = store::idempotent_request::delete_all_old(&mut tx, until, AT_ONCE).await.map_err(Error::from);
        let deleted = tx.settle(deleted).await?;
        forgotten += deleted;
        if deleted < AT_ONCE {
            return Ok(forgotten);
        }
    }
}
