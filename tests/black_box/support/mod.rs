//! What the black-box tests stand on: the program as a process, its databases, a client, and a webhook receiver.

pub(crate) mod analyst;
pub(crate) mod bucket;
pub(crate) mod client;
pub(crate) mod company_manifest;
mod compiled;
pub(crate) mod evidence;
pub(crate) mod judges;
pub(crate) mod jwt;
pub(crate) mod own_cluster;
pub(crate) mod pdf;
pub(crate) mod postgres;
pub(crate) mod proofs;
pub(crate) mod receiver;
pub(crate) mod rows;
pub(crate) mod server;
pub(crate) mod socket;
pub(crate) mod toolchains;
pub(crate) mod tsa;
pub(crate) mod zip;

use std::{
    env,
    io::Write as _,
    time::{Duration, Instant},
};

pub(crate) use self::{
    client::{Answer, Api},
    receiver::Receiver,
    server::{Database, TestServer},
};

/// How long anything may take on a busy machine that compiles beside the tests. A test that waits this long has failed.
pub(crate) const AMPLE: Duration = Duration::from_mins(1);

/// The operator's page promises that a change of a company manifest takes effect within 5 s; the rest is for the machine.
pub(crate) const EFFECT: Duration = Duration::from_secs(15);

/// Makes two tests of each named behaviour, `<behaviour>::sqlite` and `<behaviour>::postgres`. A behaviour is an
/// `async fn(TestServer)` beside the call; one that is not listed is dead code, which the lints report.
macro_rules! on_both_databases {
    ($($behaviour:ident),+ $(,)?) => {
        $(
            mod $behaviour {
                use crate::support::{Database, TestServer, postgres};

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn sqlite() {
                    super::$behaviour(TestServer::start(Database::Sqlite).await).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn postgres() {
                    if postgres::is_there() {
                        super::$behaviour(TestServer::start(Database::Postgres).await).await;
                    }
                }
            }
        )+
    };
}
pub(crate) use on_both_databases;

/// Asks again and again until `attempt` gives something, at most for `limit`.
///
/// # Panics
/// When the limit is over; `awaited` says what did not happen.
pub(crate) async fn eventually<T>(awaited: &str, limit: Duration, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(result) = attempt().await {
            return result;
        }
        assert!(begun.elapsed() < limit, "{awaited}: not within {limit:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A number that an environment variable sets, for longer runs.
///
/// # Panics
/// When the variable is set to something else.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is {text}, not a number")))
}

/// Says that something was not tested, past the capturing of tests' output.
///
/// # Panics
/// When the environment variable `CI` is set: a suite that silently tests half is no suite.
pub(crate) fn skip_loudly(reason: &str) {
    assert!(env::var_os("CI").is_none(), "{reason}, and CI tests everything");
    say_skipped(reason);
}

/// As [`skip_loudly`], for what even CI may be without: a registry that is not to be reached from everywhere.
pub(crate) fn say_skipped(reason: &str) {
    // Not `eprintln!`: the test harness would swallow it, because the test passes.
    let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: {reason}");
}
