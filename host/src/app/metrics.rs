//! The metrics for operators: the queue of jobs and what is loaded.

use super::{
    App, plugins, seal_log,
    traffic::{Count as Counted, Traffic},
};
use crate::{
    error::Result,
    store::{
        self,
        job::{Count, JobKind},
    },
};

/// One metric with its values, each with its labels as `{name="value"}` or nothing.
#[derive(Clone, Debug)]
pub struct Metric {
    pub name: &'static str,
    pub help: &'static str,
    pub values: Vec<(String, i64)>,
}

pub async fn read(app: &App) -> Result<Vec<Metric>> {
    let mut tx = app.db.read().await?;
    let now = app.clock.now();
    let jobs = store::job::counts(&mut tx).await?;
    let waiting = plugins::waiting_jobs(&mut tx).await?;
    let oldest = store::job::oldest(&mut tx, now).await?;
    drop(tx);
    let log = seal_log::state(&app.seal_log, &app.db, &app.blobs).await?;
    let missing = plugins::missing(&app.db, &app.plugins).await?;
    let states = app.time.states();
    let refused = states.iter().flat_map(|source| {
        let labels = |reason| format!("{{authority=\"{}\",reason=\"{reason}\"}}", source.name);
        source.refused.map(|(reason, count)| (labels(reason), i64::try_from(count).unwrap_or(i64::MAX)))
    });
    let refused = refused.collect();
    let sources = states.into_iter();
    let sources = sources.map(|source| (format!("{{authority=\"{}\"}}", source.name), i64::from(source.is_up)));
    let jobs = jobs.into_iter().map(|Count { kind, state, count }| {
        let labels = format!("{{kind=\"{kind}\",state=\"{state}\"}}");
        (labels, count)
    });
    // A kind without a due job has 0, so that an alert ends.
    let oldest = JobKind::ALL.map(|kind| {
        let since = oldest.iter().find(|(name, _)| name == kind.as_str());
        let seconds = since.map_or(0, |(_, since)| (now.as_millis() - since.as_millis()) / 1000);
        (format!("{{kind=\"{}\"}}", kind.as_str()), seconds)
    });
    let calls = app.plugins.statistics();
    let mut metrics = of_traffic(&app.traffic);
    metrics.extend([
        Metric {
            name: "sealwright_time_source_up",
            help: "Whether a time-stamping authority answered the last request.",
            values: sources.collect(),
        },
        Metric {
            name: "sealwright_time_stamps_refused",
            help: "Time stamps refused since the start: no root in seal.trust, or a time too far from ours.",
            values: refused,
        },
        Metric {
            name: "sealwright_plugin_calls",
            help: "Plugin calls since the start, by outcome.",
            values: plugins::counted(&calls, false),
        },
        Metric {
            name: "sealwright_plugin_shadow_calls",
            help: "Shadow calls since the start, by outcome; `differed`: answers unlike the one that counts.",
            values: plugins::counted(&calls, true),
        },
        Metric {
            name: "sealwright_plugin_microseconds",
            help: "Time inside plugins, overstated by at most a quarter.",
            values: plugins::timed(&calls),
        },
        Metric {
            name: "sealwright_plugin_memory_bytes",
            help: "The maximum linear memory of a plugin call.",
            values: plugins::memory_used(&calls),
        },
        Metric {
            name: "sealwright_plugins_refused",
            help: "Files in the plugin folder whose current content is not in service.",
            values: vec![(String::new(), i64::try_from(app.plugins.refused().len()).unwrap_or(i64::MAX))],
        },
        Metric {
            name: "sealwright_plugins_missing",
            help: "Plugins that company manifests name and that are not loaded.",
            values: vec![(String::new(), i64::try_from(missing.len()).unwrap_or(i64::MAX))],
        },
        Metric {
            name: "sealwright_jobs_waiting_for_plugins",
            help: "Jobs that wait for a plugin that is not available on the node that took them.",
            values: vec![(String::new(), waiting)],
        },
        Metric {
            name: "sealwright_seal_log_stopped",
            help: "1 if the log of seals has stopped because the database was restored from a backup.",
            values: vec![(String::new(), i64::from(log.stopped.is_some()))],
        },
        Metric { name: "sealwright_jobs", help: "Jobs in the queue.", values: jobs.collect() },
        Metric {
            name: "sealwright_job_oldest_seconds",
            help: "How long the oldest due job has been waiting, not counting stopped jobs.",
            values: oldest.into(),
        },
        Metric {
            name: "sealwright_webhook_modes",
            help: "Webhook authentication modes that are loaded.",
            values: vec![(String::new(), i64::try_from(app.plugins.webhook_modes().len()).unwrap_or(i64::MAX))],
        },
        Metric {
            name: "sealwright_template_fallbacks",
            help: "Certificates not made with the current template of their company, since the start.",
            values: vec![(String::new(), app.templates.fallbacks())],
        },
    ]);
    Ok(metrics)
}

fn of_traffic(traffic: &Traffic) -> Vec<Metric> {
    let labelled = |label: &str, count: &Counted| (format!("{{reason=\"{label}\"}}"), count.read());
    vec![
        Metric {
            name: "sealwright_connections",
            help: "Open connections of the public listener.",
            values: vec![(String::new(), traffic.connections.read())],
        },
        Metric {
            name: "sealwright_connections_refused",
            help: "Connections (behind a trusted proxy: requests) refused since the start, and failures to accept one.",
            values: vec![
                labelled("total", &traffic.refused_by_total),
                labelled("address", &traffic.refused_by_address),
                labelled("system", &traffic.failed_accepts),
            ],
        },
        Metric {
            name: "sealwright_requests_cut_off",
            help: "Requests whose body stalled, and responses that the client stopped reading, since the start.",
            values: vec![labelled("body", &traffic.stalled_bodies), labelled("answer", &traffic.stalled_answers)],
        },
    ]
}
