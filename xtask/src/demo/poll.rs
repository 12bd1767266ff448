//! Waiting for the server, the receiver and the user.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::ensure;

/// Set by Ctrl-C or SIGTERM.
pub(super) type Interrupted = Arc<AtomicBool>;

/// Calls `attempt` until it returns a value, at most for `limit`; an interruption or an error ends it at once.
pub(super) fn poll<T>(
    limit: Duration,
    interrupted: &Interrupted,
    mut attempt: impl FnMut() -> anyhow::Result<Option<T>>,
) -> anyhow::Result<Option<T>> {
    const PAUSE: Duration = Duration::from_millis(50);
    for _ in 0..limit.as_millis() / PAUSE.as_millis() {
        ensure!(!interrupted.load(Ordering::Relaxed), "interrupted");
        if let Some(result) = attempt()? {
            return Ok(Some(result));
        }
        thread::sleep(PAUSE);
    }
    Ok(None)
}
