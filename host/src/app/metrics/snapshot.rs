//! The metrics that are read when they are asked for: the queue of jobs, what is loaded, connections, memory, authorities.

use std::fmt;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, LabelSetEncoder, MetricEncoder},
    metrics::{MetricType, exemplar::Exemplar},
};
use strum::VariantArray as _;

use super::process;
use crate::{
    app::{
        App, health, plugins,
        seal_log::{self, WitnessReport},
        traffic::Traffic,
    },
    clock::Timestamp,
    db::Connections,
    domain::company_manifest::WebhookKind,
    error::Result,
    store::{
        self,
        job::{Count, JobKind},
        webhook::DeliveryState,
    },
};

/// A metric and its values at one moment.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    /// A counter's name is without `_total`, which is added.
    name: &'static str,
    help: &'static str,
    metric_type: MetricType,
    samples: Vec<Sample>,
}

/// A value with its labels.
#[derive(Clone, Debug)]
pub(in crate::app) struct Sample {
    labels: Vec<(&'static str, String)>,
    value: SampleValue,
}

#[derive(Clone, Copy, Debug)]
enum SampleValue {
    Integer(u64),
    Seconds(f64),
}

impl Sample {
    pub(in crate::app) fn integer(labels: Vec<(&'static str, String)>, value: u64) -> Self {
        Self { labels, value: SampleValue::Integer(value) }
    }

    pub(in crate::app) fn seconds(labels: Vec<(&'static str, String)>, value: f64) -> Self {
        Self { labels, value: SampleValue::Seconds(value) }
    }
}

impl Snapshot {
    pub(super) fn gauge(name: &'static str, help: &'static str, value: u64) -> Self {
        Self::gauges(name, help, vec![Sample::integer(Vec::new(), value)])
    }

    fn gauges(name: &'static str, help: &'static str, samples: Vec<Sample>) -> Self {
        Self { name, help, metric_type: MetricType::Gauge, samples }
    }

    pub(super) fn counters(name: &'static str, help: &'static str, samples: Vec<Sample>) -> Self {
        Self { name, help, metric_type: MetricType::Counter, samples }
    }

    fn encode(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let mut metric = encoder.encode_descriptor(self.name, self.help, None, self.metric_type)?;
        for sample in &self.samples {
            if sample.labels.is_empty() {
                encode_value(&mut metric, self.metric_type, sample.value)?;
            } else {
                encode_value(&mut metric.encode_family(&sample.labels)?, self.metric_type, sample.value)?;
            }
        }
        Ok(())
    }
}

/// The labels of no exemplar.
struct NoLabels;

impl EncodeLabelSet for NoLabels {
    fn encode(&self, _encoder: &mut LabelSetEncoder<'_>) -> fmt::Result {
        Ok(())
    }
}

fn encode_value(encoder: &mut MetricEncoder<'_>, metric_type: MetricType, value: SampleValue) -> fmt::Result {
    const NONE: Option<&Exemplar<NoLabels, f64>> = None;
    match (metric_type, value) {
        (MetricType::Counter, SampleValue::Integer(value)) => encoder.encode_counter(&value, NONE),
        (MetricType::Counter, SampleValue::Seconds(value)) => encoder.encode_counter(&value, NONE),
        (_, SampleValue::Integer(value)) => encoder.encode_gauge(&value),
        (_, SampleValue::Seconds(value)) => encoder.encode_gauge(&value),
    }
}

/// All of them.
#[derive(Debug)]
pub(super) struct Snapshots(Vec<Snapshot>);

impl Collector for Snapshots {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|snapshot| snapshot.encode(&mut encoder))
    }
}

/// What is stored in an unavailable part is left out, so that the rest can be read while the part is away.
pub(super) async fn read(app: &App) -> Snapshots {
    let unusable = health::unusable_parts(app).await;
    let up = health::PARTS
        .map(|part| Sample::integer(vec![("part", part.to_owned())], u64::from(!unusable.contains(&part))));
    let mut snapshots = vec![Snapshot::gauges("sealwright_part_up", "Whether a part can be used", up.into())];
    snapshots.extend(of_traffic(&app.traffic));
    snapshots.push(of_connections(app.db.connections()));
    snapshots.extend(of_memory(app));
    snapshots.extend(of_plugins(app));
    snapshots.extend(of_time_sources(app));
    snapshots.extend(process::read());
    let build = vec![Sample::integer(vec![("version", env!("CARGO_PKG_VERSION").to_owned())], 1)];
    snapshots.push(Snapshot::gauges("sealwright_build_info", "The version of this program", build));
    if !unusable.contains(&health::DATABASE) {
        snapshots.extend(stored("jobs", of_queue(app).await));
        snapshots.extend(stored("plugins", of_missing_plugins(app).await));
        snapshots.extend(stored("webhooks", of_webhooks(app).await));
        if !unusable.contains(&health::BLOB_STORE) {
            snapshots.extend(stored("the log of seals", of_seal_log(app).await));
        }
    }
    Snapshots(snapshots)
}

/// Nothing after an error, which is logged.
fn stored(of: &str, read: Result<Vec<Snapshot>>) -> Vec<Snapshot> {
    read.unwrap_or_else(|error| {
        tracing::warn!(of, %error, "metrics cannot be read");
        Vec::new()
    })
}

async fn of_queue(app: &App) -> Result<Vec<Snapshot>> {
    let mut reader = app.db.read().await?;
    let now = app.clock.now();
    let jobs = store::job::counts(&mut reader).await?;
    let oldest = store::job::oldest(&mut reader, now).await?;
    let ready_since = store::job::ready_since(&mut reader, now).await?;
    drop(reader);
    let age = |since: Timestamp| u64::try_from((now.as_millis() - since.as_millis()) / 1000).unwrap_or(0);
    let jobs = jobs.into_iter().map(|Count { kind, state, count }| {
        Sample::integer(
            vec![("kind", kind.as_str().to_owned()), ("state", state.to_string())],
            u64::try_from(count).unwrap_or(0),
        )
    });
    // A kind without a due job has 0, so that an alert ends.
    let oldest = JobKind::ALL.map(|kind| {
        let since = oldest.iter().find(|(other, _)| *other == kind);
        Sample::integer(vec![("kind", kind.as_str().to_owned())], since.map_or(0, |(_, since)| age(*since)))
    });
    Ok(vec![
        Snapshot::gauges("sealwright_jobs", "Jobs in the queue", jobs.collect()),
        Snapshot::gauges(
            "sealwright_job_oldest_seconds",
            "How long the oldest due job has been waiting, not counting stopped jobs",
            oldest.into(),
        ),
        Snapshot::gauge(
            "sealwright_queue_wait_seconds",
            "How long a job that someone waits for has been ready without a worker that took it",
            ready_since.map_or(0, age),
        ),
    ])
}

fn of_traffic(traffic: &Traffic) -> Vec<Snapshot> {
    let count = |value: i64| u64::try_from(value).unwrap_or(0);
    let reason = |reason: &str, value: i64| Sample::integer(vec![("reason", reason.to_owned())], count(value));
    vec![
        Snapshot::gauge(
            "sealwright_connections",
            "Open connections of the public listener",
            count(traffic.connections.read()),
        ),
        Snapshot::counters(
            "sealwright_connections_refused",
            "Connections (behind a trusted proxy: requests) refused, and failures to accept one",
            vec![
                reason("total", traffic.refused_by_total.read()),
                reason("address", traffic.refused_by_address.read()),
                reason("system", traffic.failed_accepts.read()),
            ],
        ),
        Snapshot::counters(
            "sealwright_requests_cut_off",
            "Requests whose body stalled, and responses that the client stopped reading",
            vec![reason("body", traffic.stalled_bodies.read()), reason("answer", traffic.stalled_answers.read())],
        ),
    ]
}

fn of_connections(Connections { busy, idle, most }: Connections) -> Snapshot {
    let samples = [("busy", busy), ("idle", idle), ("free", most - (busy + idle).min(most))]
        .map(|(state, count)| Sample::integer(vec![("state", state.to_owned())], u64::from(count)));
    let help = "Connections of the database pool; `free`: how many more it may open";
    Snapshot::gauges("sealwright_database_connections", help, samples.into())
}

fn of_memory(app: &App) -> [Snapshot; 2] {
    let bodies = &app.traffic.bodies;
    let budgets = [
        ("bodies-of-callers", &bodies.of_callers),
        ("bodies-of-strangers", &bodies.of_strangers),
        ("public-work", &app.public_work.bytes),
    ];
    let label = |name: &str| vec![("budget", name.to_owned())];
    let all = budgets.map(|(name, budget)| Sample::integer(label(name), budget.bytes()));
    let reserved = budgets.map(|(name, budget)| Sample::integer(label(name), budget.reserved()));
    [
        Snapshot::gauges("sealwright_memory_budget_bytes", "Memory that one kind of work may take", all.into()),
        Snapshot::gauges("sealwright_memory_reserved_bytes", "Memory that it has reserved", reserved.into()),
    ]
}

fn of_plugins(app: &App) -> Vec<Snapshot> {
    let calls = app.plugins.statistics();
    let length = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
    vec![
        Snapshot::counters("sealwright_plugin_calls", "Plugin calls by outcome", plugins::counted(&calls, false)),
        Snapshot::counters(
            "sealwright_plugin_shadow_calls",
            "Shadow calls by outcome; `differed`: answers unlike the one that counts",
            plugins::counted(&calls, true),
        ),
        Snapshot::gauges(
            "sealwright_plugin_call_seconds",
            "Percentiles of the time inside plugins, overstated by at most a quarter",
            plugins::timed(&calls),
        ),
        Snapshot::gauges(
            "sealwright_plugin_memory_bytes",
            "The maximum linear memory of a plugin call",
            plugins::memory_used(&calls),
        ),
        Snapshot::gauge(
            "sealwright_plugins_refused",
            "Files in the plugin folder and published components whose current content is not in service",
            length(app.plugins.refused().len()),
        ),
        Snapshot::gauge(
            "sealwright_webhook_modes",
            "Webhook authentication modes that are loaded",
            length(app.plugins.webhook_modes().len()),
        ),
    ]
}

async fn of_missing_plugins(app: &App) -> Result<Vec<Snapshot>> {
    let mut tx = app.db.read().await?;
    let waiting = plugins::waiting_jobs(&mut tx).await?;
    drop(tx);
    let missing = plugins::missing(&app.db, &app.plugins).await?;
    Ok(vec![
        Snapshot::gauge(
            "sealwright_plugins_missing",
            "Plugins that company manifests name and that are not loaded",
            u64::try_from(missing.len()).unwrap_or(u64::MAX),
        ),
        Snapshot::gauge(
            "sealwright_jobs_waiting_for_plugins",
            "Jobs that wait for a plugin that is not available on the node that took them",
            u64::try_from(waiting).unwrap_or(0),
        ),
    ])
}

/// Each series exists from the beginning, so that an alert sees the first change.
async fn of_webhooks(app: &App) -> Result<Vec<Snapshot>> {
    let mut reader = app.db.read().await?;
    let states = store::webhook::states(&mut reader, None).await?;
    let counts = store::webhook::counts(&mut reader).await?;
    drop(reader);
    let (mut deliveries, mut paused) = (Vec::new(), Vec::new());
    for &kind in WebhookKind::VARIANTS {
        let webhook = ("webhook", kind.into_str().to_owned());
        for state in [DeliveryState::Waiting, DeliveryState::Failed] {
            let same = counts.iter().filter(|count| (count.kind, count.state) == (kind, state));
            let count: i64 = same.map(|count| count.count).sum();
            let labels = vec![webhook.clone(), ("state", state.to_string())];
            deliveries.push(Sample::integer(labels, u64::try_from(count).unwrap_or(0)));
        }
        let of_kind = states.iter().filter(|state| state.kind == kind && state.paused_at.is_some()).count();
        paused.push(Sample::integer(vec![webhook], u64::try_from(of_kind).unwrap_or(u64::MAX)));
    }
    Ok(vec![
        Snapshot::gauges(
            "sealwright_webhook_deliveries",
            "Deliveries with retries whose attempts have failed so far",
            deliveries,
        ),
        Snapshot::gauges("sealwright_webhooks_paused", "Webhooks whose receiver is paused", paused),
    ])
}

async fn of_seal_log(app: &App) -> Result<Vec<Snapshot>> {
    let log = seal_log::state(&app.seal_log, &app.db, &app.blobs).await?;
    let witnesses = seal_log::witness_reports(&app.seal_log, &app.config.witnesses, &app.db).await?;
    let sample = |witness: &WitnessReport, value: bool| {
        Sample::integer(vec![("witness", witness.name.clone())], u64::from(value))
    };
    Ok(vec![
        Snapshot::gauge(
            "sealwright_seal_log_stopped",
            "1 if the log of seals has stopped because the database was restored from a backup",
            u64::from(log.stopped.is_some()),
        ),
        Snapshot::gauges(
            "sealwright_witness_up",
            "Whether a witness cosigned the log of seals when it was last asked",
            witnesses.iter().map(|witness| sample(witness, witness.is_up())).collect(),
        ),
        Snapshot::gauges(
            "sealwright_witness_refuses",
            "1 if a witness has seen another history of the log of seals",
            witnesses.iter().map(|witness| sample(witness, witness.is_refusal())).collect(),
        ),
    ])
}

fn of_time_sources(app: &App) -> [Snapshot; 3] {
    let sources = app.time.states();
    let authority = |name: &str| ("authority", name.to_owned());
    let up = sources.iter().map(|source| Sample::integer(vec![authority(&source.name)], u64::from(source.is_up)));
    let refused = sources.iter().flat_map(|source| {
        let sample = |(reason, count): (&str, u64)| {
            Sample::integer(vec![authority(&source.name), ("reason", reason.to_owned())], count)
        };
        source.refused.map(sample)
    });
    let fallbacks = Sample::integer(Vec::new(), u64::try_from(app.templates.fallbacks()).unwrap_or(0));
    [
        Snapshot::gauges(
            "sealwright_time_source_up",
            "Whether a time-stamping authority answered the last request",
            up.collect(),
        ),
        Snapshot::counters(
            "sealwright_time_stamps_refused",
            "Time stamps refused: no root in seal.trust, or a time too far from ours",
            refused.collect(),
        ),
        Snapshot::counters(
            "sealwright_template_fallbacks",
            "Certificates not made with the current template of their company",
            vec![fallbacks],
        ),
    ]
}
