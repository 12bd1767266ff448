//! Public resources by their access key: what is looked up, and by which counter a request is counted (decisions 11). One
//! key that exists is counted for itself. Whatever names nothing shares one counter for each operation, and costs the
//! database no more than that counter allows.

use axum::response::{IntoResponse, Response};

use super::{Shared, guard::default_limit, rate_limit, request::RequestFacts};
use crate::{
    domain::{operation::Operation, rate_limit::Counter},
    error::{Error, Result},
};

/// How many unknown keys of one client are looked up in 60 seconds although the counter of unknown keys is full. Somebody
/// with a key that exists is so not shut out by those who guess.
const BEYOND: u32 = 20;

/// Looks the resource up with `find`, counts the request, and answers with what was found. What is missing or cannot be a
/// key is counted as unknown.
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
    let refusal = if is_known {
        rates.refusal(&its_own, limit)
    } else {
        rates.refusal(&unknown, limit).filter(|_| rates.refusal(&guesses, BEYOND).is_some())
    };
    if let Some(refusal) = refusal {
        return rate_limit::refusal(refusal, facts, shared.app.clock.now());
    }
    let found = find.await;
    let counter = match &found {
        Ok(_) => its_own,
        Err(Error::NotFound(_) | Error::Invalid(_)) => {
            // This one counts in the process alone, and cannot fail.
            if rates.refusal(&unknown, limit).is_some() && rates.admit(guesses, BEYOND).await.is_err() {
                tracing::debug!("a guess was not counted");
            }
            unknown
        }
        Err(_) => return answer(found).await,
    };
    known.note(operation, &key, found.is_ok());
    let admission = match rates.admit(counter, limit).await {
        Ok(admission) => admission,
        Err(error) => return error.into_response(),
    };
    drop(turn);
    rate_limit::within(admission, facts, shared.app.clock.now(), answer(found)).await
}
