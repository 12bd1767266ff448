//! Calls are counted in fuel: the same call uses the same on every machine.

use std::time::Duration;

use super::{guest::doing, *};

/// What a call of a webhook mode may use in these tests, and for each second of its deadline.
const FUEL: u64 = 1_000_000;
const FUEL_PER_SECOND: u64 = 5 * FUEL;

fn host(authenticate: &str, fuel_per_second: Option<u64>) -> PluginHost {
    let options = PluginOptions { fuel_per_second, ..PluginOptions::new(CACHE.into(), [7; 32]) };
    let host = TestHost::with_options(&[("guest.wasm", doing(authenticate).build())], options).host;
    assert_eq!(host.refused(), []);
    host
}

/// The failure of a call, and the fuel that it used.
async fn ending(host: &PluginHost) -> (Option<Failure>, Option<u64>) {
    let trial = host.try_webhook_mode("guest", request(), credential()).await;
    (trial.outcome.err().map(|error| error.failure), trial.fuel)
}

#[tokio::test]
async fn a_call_that_burns_its_fuel_ends_in_the_same_way_each_time() {
    let host = host("(loop (br 0))", Some(FUEL_PER_SECOND));
    for _ in 0..2 {
        assert_eq!(ending(&host).await, (Some(Failure::Fuel(FUEL)), Some(FUEL)));
    }
    authenticate(&host, "hmac-sha256", credential()).await.unwrap();
}

#[tokio::test]
async fn the_same_call_uses_the_same_fuel_whatever_the_limit_and_the_outcome() {
    let counting = "(local $left i32) (local.set $left (i32.const 1000))
        (loop (local.set $left (i32.sub (local.get $left) (i32.const 1))) (br_if 0 (local.get $left)))";
    for (code, failed) in [(counting.to_owned(), false), (format!("{counting} unreachable"), true)] {
        let (failure, fuel) = ending(&host(&code, Some(FUEL_PER_SECOND))).await;
        assert_eq!(failure.is_some(), failed, "{failure:?}");
        assert!(fuel.is_some_and(|fuel| (1000..100_000).contains(&fuel)), "{fuel:?}");
        let again = ending(&host(&code, Some(2 * FUEL_PER_SECOND))).await;
        assert_eq!(again, (failure, fuel));
    }
}

#[tokio::test]
async fn without_fuel_the_deadline_ends_a_call() {
    let host = host("(loop (br 0))", None);
    assert_eq!(ending(&host).await, (Some(Failure::Deadline(Duration::from_millis(200))), None));
}
