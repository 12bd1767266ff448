//! What a plugin may use, and the limiter that enforces it. The contract (`wit/world.wit`) states the same numbers to
//! authors: change both together.

use std::time::Duration;

use wasmtime::ResourceLimiter;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// A component, in bytes.
pub(super) const COMPONENT_BYTES: usize = 24 * MIB;
/// Each linear memory, in bytes.
pub(super) const MEMORY_BYTES: usize = 64 * MIB;
pub(super) const MEMORIES: usize = 2;
/// Core instances of one component. Components made from Python need about 40.
pub(super) const INSTANCES: usize = 64;
pub(super) const TABLES: usize = 8;
/// Elements of each table.
pub(super) const TABLE_ELEMENTS: usize = 20_000;
pub(super) const STACK_BYTES: usize = 512 * KIB;
/// Handles of host resources, alive at once.
pub(super) const HANDLES: usize = 256;
/// What one call between plugin and host, or the plugin's answer, may carry.
pub(super) const TRANSFER_BYTES: usize = MIB;
/// The most bytes that one call of the host's `content.read` returns.
pub(super) const READ_BYTES: usize = 64 * KIB;
/// The most that one call of a list function of the host returns, in elements and in bytes.
pub(super) const WINDOW_ELEMENTS: usize = 500;
pub(super) const WINDOW_BYTES: usize = 256 * KIB;
/// What one call of a plugin may have the host hash. The deadline does not interrupt a host function, so without a
/// bound a list of a thousand parts that name the same body would occupy a thread for seconds.
pub(super) const HASHED_BYTES: usize = 32 * MIB;
/// What one call of a plugin may log.
pub(super) const LOG_BYTES: usize = 8 * KIB;
/// The most bytes of a plugin's own error message that the host keeps.
pub(super) const MESSAGE_BYTES: usize = KIB;

pub(super) const WEBHOOK_AUTH_DEADLINE: Duration = Duration::from_millis(200);
/// To look at one document, also for entered values.
pub(super) const DOCUMENT_DEADLINE: Duration = Duration::from_secs(1);
/// To compare a document's fields with what was entered.
pub(super) const COMPARE_DEADLINE: Duration = Duration::from_millis(500);
/// To judge a case.
pub(super) const SIGNAL_DEADLINE: Duration = Duration::from_millis(500);
pub(super) const DESCRIBE_DEADLINE: Duration = Duration::from_secs(2);
/// How much fuel a call may use for each second of its deadline, if the operator sets nothing else. Most instructions
/// cost one unit. A core runs about two billion of them in a second; the limit is four times that, so that a slow
/// machine is stopped by the deadline and a fast one by nothing else.
pub const USUAL_FUEL_PER_SECOND: u64 = 4 * 2_000_000_000;
/// How long a webhook may wait for its turn: half of what it has in all (decisions 12).
pub(super) const WEBHOOK_TURN_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an analysis may wait for its turn. No client waits for its answer.
pub(super) const ANALYSIS_TURN_TIMEOUT: Duration = Duration::from_mins(1);

/// What a call may use: time, which depends on the machine, and fuel, which does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    pub(super) time: Duration,
    /// None: fuel is not counted.
    pub(super) fuel: Option<u64>,
}

impl Budget {
    /// The budget of a call with this deadline.
    pub(super) fn new(time: Duration, fuel_per_second: Option<u64>) -> Self {
        Self { time, fuel: fuel_per_second.map(|rate| fuel(time, rate)) }
    }
}

/// The fuel of a call with this deadline: at least one unit.
pub(super) fn fuel(time: Duration, per_second: u64) -> u64 {
    let fuel = u128::from(per_second) * time.as_micros() / 1_000_000;
    u64::try_from(fuel).unwrap_or(u64::MAX).max(1)
}

/// Refuses growth beyond the limits, and remembers that it did: the plugin usually traps a moment later, and the
/// operator should see the cause rather than the trap.
#[derive(Default)]
pub(super) struct Limiter {
    refused: Option<String>,
    memory: usize,
}

impl Limiter {
    /// The growth that was refused, if any was.
    pub(super) fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// All linear memories together, in bytes. Memories never shrink, so this is also the most there was.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let granted = desired <= MEMORY_BYTES.min(maximum.unwrap_or(usize::MAX));
        if granted {
            self.memory += desired.saturating_sub(current);
        } else {
            self.refused = Some(format!("{} MiB; at most {} are allowed", desired.div_ceil(MIB), MEMORY_BYTES / MIB));
        }
        Ok(granted)
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let granted = desired <= TABLE_ELEMENTS.min(maximum.unwrap_or(usize::MAX));
        if !granted {
            self.refused = Some(format!("a table of {desired} elements; at most {TABLE_ELEMENTS} are allowed"));
        }
        Ok(granted)
    }

    fn instances(&self) -> usize {
        INSTANCES
    }

    fn tables(&self) -> usize {
        TABLES
    }

    fn memories(&self) -> usize {
        MEMORIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuel_follows_the_deadline() {
        assert_eq!(fuel(WEBHOOK_AUTH_DEADLINE, USUAL_FUEL_PER_SECOND), 1_600_000_000);
        assert_eq!(fuel(DOCUMENT_DEADLINE, 5), 5);
        assert_eq!(fuel(COMPARE_DEADLINE, 1), 1, "a call has some fuel");
        assert_eq!(fuel(DESCRIBE_DEADLINE, u64::MAX), u64::MAX);
        assert_eq!(Budget::new(SIGNAL_DEADLINE, None), Budget { time: SIGNAL_DEADLINE, fuel: None });
    }
}
