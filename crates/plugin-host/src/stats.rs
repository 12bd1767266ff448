//! How often plugins are called, how long they take and how they fail, by component and company, since the process
//! started.

use std::{collections::BTreeMap, time::Duration};

use parking_lot::Mutex;
use sealwright_domain::id::CompanyId;
use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{call::Usage, component::PluginInfo, error::PluginError};

/// The statistics of one component's calls for one company.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallStatistics {
    pub plugin: String,
    pub version: String,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    pub company: i64,
    /// Whether these are the calls of a shadow, which do not count.
    #[serde(default)]
    pub shadow: bool,
    pub calls: u64,
    /// By kind, as [`Failure::kind`](super::Failure::kind) calls it.
    pub failures: BTreeMap<String, u64>,
    /// Microseconds inside the plugin, at most a quarter too large.
    pub p50: u64,
    pub p95: u64,
    pub p99: u64,
    /// The most linear memory of a call, in bytes.
    pub memory: u64,
    /// The last failure: the plugin's own message, or how it was stopped.
    pub last_failure: Option<String>,
    /// What it logged during the call that failed last, line by line.
    #[serde(default)]
    pub last_log: Vec<String>,
    /// How many of a shadow's answers differed from those of the plugin that counts.
    #[serde(default)]
    pub differed: u64,
    /// Whether it failed so often that it is not called for a while.
    pub out_of_service: bool,
}

/// The most components and companies that are counted separately. Replaced components stay, so there must be a limit.
const MAX_SUBJECTS: usize = 10_000;
/// How much of the log of a failed call is kept.
const KEPT_LOG_BYTES: usize = 2048;

#[derive(Default)]
pub(super) struct Statistics {
    counters: Mutex<BTreeMap<Subject, Counter>>,
}

/// A plugin's name, the company, the component's digest, and whether it is called as a shadow.
type Subject = (String, CompanyId, Sha256Digest, bool);

struct Counter {
    version: String,
    calls: u64,
    failures: BTreeMap<&'static str, u64>,
    times: Histogram,
    memory: u64,
    last_failure: Option<String>,
    last_log: Vec<String>,
    differed: u64,
}

impl Statistics {
    /// Counts one call.
    pub(super) fn note(
        &self,
        plugin: &PluginInfo,
        company: CompanyId,
        shadow: bool,
        usage: &Usage,
        failed: Option<&PluginError>,
    ) {
        let mut counters = self.counters.lock();
        let subject = (plugin.name.clone(), company, plugin.digest, shadow);
        if counters.len() >= MAX_SUBJECTS && !counters.contains_key(&subject) {
            return;
        }
        let counter = counters.entry(subject).or_insert_with(|| Counter::new(&plugin.version));
        counter.calls += 1;
        counter.times.add(usage.time);
        counter.memory = counter.memory.max(usage.memory as u64);
        if let Some(PluginError { failure, log, .. }) = failed {
            *counter.failures.entry(failure.kind()).or_default() += 1;
            counter.last_failure = Some(failure.to_string());
            counter.last_log = end_of(log);
        }
    }

    /// Counts a shadow's answer that differs from the one that counts.
    pub(super) fn note_difference(&self, plugin: &str, company: CompanyId, digest: Sha256Digest) {
        let mut counters = self.counters.lock();
        if let Some(counter) = counters.get_mut(&(plugin.to_owned(), company, digest, true)) {
            counter.differed += 1;
        }
    }

    /// Everything that was counted, by plugin and company.
    pub(super) fn read(&self, is_out: impl Fn(CompanyId, Sha256Digest, bool) -> bool) -> Vec<CallStatistics> {
        let counters = self.counters.lock();
        let statistics = counters.iter().map(|((plugin, company, digest, shadow), counter)| CallStatistics {
            plugin: plugin.clone(),
            version: counter.version.clone(),
            digest: *digest,
            company: company.get(),
            shadow: *shadow,
            calls: counter.calls,
            failures: counter.failures.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect(),
            p50: counter.times.percentile(50),
            p95: counter.times.percentile(95),
            p99: counter.times.percentile(99),
            memory: counter.memory,
            last_failure: counter.last_failure.clone(),
            last_log: counter.last_log.clone(),
            differed: counter.differed,
            out_of_service: is_out(*company, *digest, *shadow),
        });
        statistics.collect()
    }
}

/// The last lines of a log, bounded because they are kept for every component and company.
fn end_of(log: &[String]) -> Vec<String> {
    let mut room = KEPT_LOG_BYTES;
    let fits = |line: &&String| room.checked_sub(line.len() + 1).map(|left| room = left).is_some();
    let mut lines: Vec<String> = log.iter().rev().take_while(fits).cloned().collect();
    lines.reverse();
    lines
}

impl Counter {
    fn new(version: &str) -> Self {
        Self {
            version: version.to_owned(),
            calls: 0,
            failures: BTreeMap::new(),
            times: Histogram::default(),
            memory: 0,
            last_failure: None,
            last_log: Vec::new(),
            differed: 0,
        }
    }
}

/// Times in buckets, four for each doubling, so that a percentile is at most a quarter too large.
struct Histogram {
    counts: [u64; BUCKETS],
    total: u64,
}

const BUCKETS: usize = 128;

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: [0; BUCKETS], total: 0 }
    }
}

impl Histogram {
    fn add(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let bucket = (0..BUCKETS).find(|bucket| micros <= upper_bound(*bucket)).unwrap_or(BUCKETS - 1);
        self.counts[bucket] += 1;
        self.total += 1;
    }

    /// The time in microseconds that `percent` of the calls did not exceed; 0 without calls.
    fn percentile(&self, percent: u64) -> u64 {
        let wanted = (self.total * percent).div_ceil(100);
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if wanted > 0 && seen >= wanted {
                return upper_bound(bucket);
            }
        }
        0
    }
}

/// The longest time of a bucket, in microseconds: 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, …
fn upper_bound(bucket: usize) -> u64 {
    (4 + (bucket as u64 % 4)) << (bucket / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_at_most_a_quarter_too_large() {
        let mut histogram = Histogram::default();
        for micros in 1..=1000 {
            histogram.add(Duration::from_micros(micros));
        }
        for (percent, exact) in [(50, 500), (95, 950), (99, 990)] {
            let found = histogram.percentile(percent);
            assert!((exact..=exact * 5 / 4).contains(&found), "{percent}: {found}");
        }
        assert_eq!(Histogram::default().percentile(99), 0);
    }

    #[test]
    fn the_end_of_a_long_log_is_kept() {
        let log: Vec<String> = (0..1000).map(|line| format!("line {line}")).collect();
        let kept = end_of(&log);
        assert_eq!(kept.last(), log.last());
        assert!(kept.len() > 100 && kept.iter().map(String::len).sum::<usize>() <= KEPT_LOG_BYTES, "{}", kept.len());
        assert_eq!(end_of(&log[..3]), log[..3]);
    }

    #[test]
    fn the_longest_call_has_a_bucket() {
        let mut histogram = Histogram::default();
        histogram.add(Duration::from_hours(1));
        assert!(histogram.percentile(50) >= 3_600_000_000);
    }
}
