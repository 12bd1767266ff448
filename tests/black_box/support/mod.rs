//! Support for the black-box tests: the program as a process, its databases, a client, and a webhook receiver.

pub(crate) mod analyst;
pub(crate) mod asice;
pub(crate) mod browser;
pub(crate) mod bucket;
pub(crate) mod capturing_device;
pub(crate) mod client;
pub(crate) mod company_manifest;
mod compiled;
pub(crate) mod evidence;
pub(crate) mod issuer;
pub(crate) mod judges;
pub(crate) mod jwt;
pub(crate) mod oidc_provider;
pub(crate) mod openid_sign_in;
pub(crate) mod own_cluster;
pub(crate) mod pdf;
pub(crate) mod ports;
pub(crate) mod postgres;
pub(crate) mod proofs;
pub(crate) mod random;
pub(crate) mod receiver;
pub(crate) mod registry;
pub(crate) mod rows;
pub(crate) mod s3;
mod schema;
pub(crate) mod server;
pub(crate) mod socket;
pub(crate) mod toolchains;
pub(crate) mod tsa;
pub(crate) mod witness;
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

/// The time limit for anything on a machine that also compiles. A test that waits this long has failed.
pub(crate) const AMPLE: Duration = Duration::from_mins(2);

/// The operator's page promises that a changed company manifest takes effect within 5 s; the rest is for slow machines.
pub(crate) const EFFECT: Duration = Duration::from_secs(15);

/// Makes two tests of each named behaviour, `<behaviour>::sqlite` and `<behaviour>::postgres`. A behaviour is an `async
/// fn(TestServer)` next to the call; one that is not listed is dead code, which the lints report.
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

/// Makes one test of each named behaviour, `<behaviour>::sqlite`. For behaviour that is the same whatever the database is:
/// what is read from files, drawn, checked, or decided before the first query, and journeys in a browser through what is
/// tested on both databases without one.
macro_rules! on_sqlite {
    ($($behaviour:ident),+ $(,)?) => {
        $(
            mod $behaviour {
                use crate::support::{Database, TestServer};

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn sqlite() {
                    super::$behaviour(TestServer::start(Database::Sqlite).await).await;
                }
            }
        )+
    };
}
pub(crate) use on_sqlite;

/// Calls `attempt` until it returns a value, for at most `limit`.
///
/// If the limit is exceeded; `awaited` names what did not happen.
pub(crate) async fn eventually<T>(awaited: &str, limit: Duration, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(result) = attempt().await {
            return result;
        }
        assert!(started.elapsed() < limit, "{awaited}: not within {limit:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A number from an environment variable, for longer runs.
///
/// If the variable is not a number.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is {text}, not a number")))
}

/// Reports that something was not tested, even though the output of tests is captured.
///
/// If the environment variable `CI` is set: CI must not skip tests silently.
pub(crate) fn skip_loudly(reason: &str) {
    assert!(env::var_os("CI").is_none(), "{reason}, and CI tests everything");
    say_skipped(reason);
}

/// Like [`skip_loudly`], for things that even CI may lack, such as a reachable registry.
pub(crate) fn say_skipped(reason: &str) {
    // Not `eprintln!`: the test harness would hide it, because the test passes.
    let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: {reason}");
}
