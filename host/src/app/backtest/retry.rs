//! Waits for parts of the machine that are unavailable: a failure of seconds must not lose what a backtest has seen.

use std::{future::Future, time::Duration};

use crate::error::Result;

/// How long it waits at first, then twice as long each time, until the pause is longer than the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(32);

/// Calls `attempt` until it succeeds, fails for another reason than an unavailable part of the machine, or has been tried
/// long enough. `what` is for the log.
pub(super) async fn retry<T, F>(what: &str, mut attempt: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    let mut pause = FIRST_PAUSE;
    loop {
        match attempt().await {
            Err(error) if error.is_temporary() && pause <= LONGEST_PAUSE => {
                tracing::debug!(what, %error, "a part of a backtest is tried again");
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
            ended => return ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[tokio::test]
    async fn an_error_that_is_not_temporary_is_not_tried_again() {
        let mut calls = 0;
        let ended: Result<()> = retry("a case", || {
            calls += 1;
            std::future::ready(Err(Error::invalid("no")))
        })
        .await;
        assert!(matches!(ended, Err(Error::Invalid(_))));
        assert_eq!(calls, 1);
    }
}
