//! PostgreSQL for the unit tests that need both databases: the cluster of the black-box tests.

#[path = "../../tests/black_box/support/ports.rs"]
mod ports;
#[path = "../../tests/black_box/support/postgres.rs"]
mod postgres;

pub(crate) use postgres::{FreshDatabase, is_there};

/// [`postgres`] calls this if it is not installed.
fn skip_loudly(reason: &str) {
    use std::io::Write as _;
    assert!(std::env::var_os("CI").is_none(), "{reason}, and CI tests everything");
    // Not `eprintln!`: the test harness would swallow it, because the test passes.
    let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: {reason}");
}
