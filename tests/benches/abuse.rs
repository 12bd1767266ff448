//! How long a company's webhooks wait while another company's plugins misbehave in every known way (`tests/hostile/`).

use std::{cell::Cell, time::Instant};

use sealwright::{domain::id::CompanyId, plugins::PluginHost};

use crate::{
    ROUNDS,
    hostile::{End, abuses},
    load::milliseconds,
    plugin::{MODE, credential, request},
    report::{Figure, Goal, Samples, Unit},
};

/// How many calls of a company with honest plugins are measured while no plugin misbehaves.
const CALLS: usize = 300;

/// The 99th percentile of its calls, with the abuses and without.
pub(crate) async fn measure(host: &PluginHost) -> anyhow::Result<Figure> {
    let mut hostile = Vec::new();
    for abuse in abuses().into_iter().filter(|abuse| matches!(abuse.end, End::Stopped(_))) {
        let (host, name) = (host.clone(), abuse.name.clone());
        tokio::task::spawn_blocking(move || host.admit(&name, &abuse.component)).await??;
        hostile.push((abuse.name, abuse.what, abuse.end));
    }
    let [mut alone, mut meanwhile] = [const { Samples::new(Unit::Microseconds) }; 2];
    for round in 0..ROUNDS {
        alone.push(honest_calls(host, |calls| calls < CALLS).await?);
        let over = Cell::new(false);
        let attack = async {
            for (name, what, end) in &hostile {
                let mut foreign = credential();
                // Another company every round: one whose plugins failed too often is not served for a while.
                foreign.company = CompanyId::new(i64::try_from(round)? + 100).expect("a positive number");
                let answer = host.authenticate_webhook(name, request(), foreign).await;
                let failed = answer.err().map(|error| error.failure.kind());
                anyhow::ensure!(end.is(None, failed), "{what}: {failed:?}");
            }
            over.set(true);
            anyhow::Ok(())
        };
        let (attacked, slowest) = tokio::join!(attack, honest_calls(host, |_| !over.get()));
        attacked?;
        meanwhile.push(slowest?);
    }
    Ok(Figure {
        what: format!("a company's p99, while {} plugins of another misbehave", hostile.len()),
        measured: meanwhile,
        against: Some(("the same without them", alone)),
        goal: Some(Goal::AtMost(1.5)),
    })
}

/// The 99th percentile of calls, in microseconds.
async fn honest_calls(host: &PluginHost, go_on: impl Fn(usize) -> bool) -> anyhow::Result<f64> {
    let mut taken = Vec::new();
    while go_on(taken.len()) || taken.is_empty() {
        let start = Instant::now();
        host.authenticate_webhook(MODE, request(), credential()).await?;
        taken.push(milliseconds(start.elapsed()) * 1000.0);
    }
    taken.sort_by(f64::total_cmp);
    Ok(taken[(taken.len() - 1) * 99 / 100])
}
