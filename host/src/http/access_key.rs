//! Public resources by their access key: what is looked up, and which counter counts a request (decisions 11). Each
//! existing key has its own counter. Unknown keys share one counter for each operation, and cost the database no more
//! than that counter allows.

use axum::response::{IntoResponse, Response};

use super::{
    rate_limit::{self, default_limit},
    request::RequestFacts,
    shared::Shared,
};
use crate::{
    domain::{operation::Operation, rate_limit::Counter},
    error::{Error, Result},
};

/// How many unknown keys of one client are looked up in 60 seconds although the counter of unknown keys is full. So a
/// client with an existing key is not shut out by others who guess.
const GUESS_LIMIT: u32 = 20;

/// Looks up the resource with `find`, counts the request, and answers with the result. A missing or malformed
/// key counts as unknown.
pub(super) async fn by_key<T, A: Future<Output = Response>>(
    shared: &Shared,
    facts: &RequestFacts,
    (operation, key): (Operation, String),
    find: impl Future<Output = Result<T>>,
    answer: impl FnOnce(Result<T>) -> A,
) -> Response {
    let (rates, known, limit) = (&shared.app.rates, &shared.app.known_keys, default_limit(operation));
    let (unknown, guesses) = (Counter::Unknown(operation), Counter::Guesses(operation, facts.client));
    let its_own = Counter::AccessKey(operation, key.clone());
    let is_known = known.has(operation, &key);
    let turn = if is_known { None } else { known.turns.acquire().await.ok() };
    let (refusal, quota) = if is_known {
        (rates.refusal(&its_own, limit), its_own.quota())
    } else {
        let refusal = rates.refusal(&unknown, limit).filter(|_| rates.refusal(&guesses, GUESS_LIMIT).is_some());
        (refusal, unknown.quota())
    };
    if let Some(refusal) = refusal {
        return rate_limit::refusal((refusal, quota), facts, shared.app.clock.now());
    }
    let found = find.await;
    let counter = match &found {
        Ok(_) => its_own,
        Err(Error::NotFound(_) | Error::Invalid(_)) => {
            // This counter is local to the process, and cannot fail.
            if rates.refusal(&unknown, limit).is_some() && rates.admit(guesses, GUESS_LIMIT).await.is_err() {
                tracing::debug!("a guess was not counted");
            }
            unknown
        }
        Err(_) => return answer(found).await,
    };
    known.note(operation, &key, found.is_ok());
    let quota = counter.quota();
    let admission = match rates.admit(counter, limit).await {
        Ok(admission) => admission,
        Err(error) => return error.into_response(),
    };
    drop(turn);
    rate_limit::within((admission, quota), facts, shared.app.clock.now(), answer(found)).await
}
