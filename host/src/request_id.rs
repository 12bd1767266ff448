//! The request that the current work is done for, so that the jobs that it causes, and their log lines, name it.

tokio::task_local! {
    static CURRENT: Option<String>;
}

/// Runs `work` for the request with this identifier. Tasks that it starts need a scope of their own.
pub fn scope<F: Future>(id: Option<String>, work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(id, work)
}

/// The request that the current work is done for, if there is one.
pub fn current() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok().flatten()
}
