//! The limit of open files, raised as far as the system lets this process.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the soft limit to the hard one. Returns how many files may be open.
pub(super) fn raise() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::warn!(%error, "the limit of open files was not raised");
    }
    // None is a limit that there is not.
    getrlimit(Resource::Nofile).current.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX))
}
