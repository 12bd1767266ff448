//! The WebAssembly engines, configured so that a plugin's answer depends on its input alone, and so that it can be
//! interrupted.

use std::{thread, time::Duration};

use anyhow::Context;
use rustix::process::{Resource, getrlimit};
use wasmtime::{
    Config, Enabled, Engine, EngineWeak, InstanceAllocationStrategy, PoolingAllocationConfig, Result, Strategy,
};

use super::limits;

/// How often running plugins are checked, and so how late after its deadline one may be stopped.
const EPOCH: Duration = Duration::from_millis(10);

/// How many calls may run at once. The host admits fewer, because an exhausted pool is an error rather than a wait.
const POOLED_CALLS: u32 = 16;

/// How much of a free memory, and of a free table, is reset in place instead of returned to the system. A call of most
/// plugins writes to less, so the system does not interrupt all cores to unmap pages, and the next call does not fault
/// on them.
const MEMORY_KEPT: usize = 512 * 1024;
const TABLE_KEPT: usize = 64 * 1024;

/// The most calls of one kind to admit at once. There are two kinds, webhooks and analysis; a shadow and a component
/// that is being accepted need room too.
pub(super) const MAX_CONCURRENT_CALLS: usize = (POOLED_CALLS as usize - 4) / 2;

/// The address space that is reserved for linear memories. It is not memory.
struct Room {
    /// Bytes reserved for each.
    reservation: u64,
    /// How many there are.
    memories: u32,
}

/// All that 32 bits can address for each, so that the compiled code needs no bounds checks. There are more memories
/// than calls because a free one stays prepared for the component that used it last: a company's plugin finds its own
/// again, even if many others were called meanwhile. From 128 on, Wasmtime divides them among threads, and a plugin
/// would find its own only on the thread that called it last.
const ROOMY: Room = Room { reservation: 4 << 30, memories: 127 };
/// For little address space.
const COMPACT: Room = Room { reservation: limits::MEMORY_BYTES as u64, memories: POOLED_CALLS };

/// The stacks on which the tasks of concurrent components run, and their size.
const TASK_STACKS: u32 = 2 * POOLED_CALLS;
const TASK_STACK_BYTES: usize = 2 * limits::STACK_BYTES;

/// What code is compiled for: code that was compiled for one profile does not run on an engine of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Profile {
    /// For little address space.
    pub(super) compact: bool,
    /// For components that use the component model's streams and futures.
    pub(super) concurrent: bool,
    /// Calls are not counted in fuel.
    pub(super) without_fuel: bool,
}

impl Profile {
    const COMPACT: &str = "--compact";
    const CONCURRENT: &str = "--concurrent";
    const WITHOUT_FUEL: &str = "--without-fuel";

    /// The profile as arguments of the child that compiles for it.
    pub(super) fn arguments(self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.compact, Self::COMPACT),
            (self.concurrent, Self::CONCURRENT),
            (self.without_fuel, Self::WITHOUT_FUEL),
        ];
        all.into_iter().filter_map(|(is_set, argument)| is_set.then_some(argument))
    }

    /// The profile in the arguments of a child.
    pub(super) fn of_arguments(arguments: &[String]) -> Self {
        let has = |wanted| arguments.iter().any(|given| given == wanted);
        Self { compact: has(Self::COMPACT), concurrent: has(Self::CONCURRENT), without_fuel: has(Self::WITHOUT_FUEL) }
    }
}

/// Creates an engine and the thread that advances its epochs. Also returns its profile, which is compact if it had to
/// be.
pub(super) fn new(wanted: Profile) -> anyhow::Result<(Engine, Profile)> {
    let (engine, profile) =
        with_room_for_memories(wanted).map_err(|error| error.context("starting the WebAssembly engine"))?;
    let weak = engine.weak();
    thread::Builder::new()
        .name("plugin-epochs".to_owned())
        .spawn(move || tick(&weak))
        .context("starting the thread that ends plugins at their deadline")?;
    Ok((engine, profile))
}

/// An engine that compiles for one that [`new`] created, and runs nothing.
pub(super) fn for_compiling(profile: Profile) -> Result<Engine> {
    Engine::new(&config(profile)?)
}

/// `duration` in epochs, rounded up, and one more for the epoch that is already under way.
pub(super) fn epochs(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis().div_ceil(EPOCH.as_millis())).unwrap_or(u64::MAX).saturating_add(1)
}

/// Counts epochs for as long as the engine is in use.
fn tick(engine: &EngineWeak) {
    while let Some(engine) = engine.upgrade() {
        engine.increment_epoch();
        drop(engine);
        thread::sleep(EPOCH);
    }
}

/// Reserves address space generously, unless the process may not have it (`ulimit -v`, or a kernel that refuses).
fn with_room_for_memories(wanted: Profile) -> Result<(Engine, Profile)> {
    let with = |profile| Ok((Engine::new(&config(profile)?)?, profile));
    let compact = Profile { compact: true, ..wanted };
    if wanted.compact || getrlimit(Resource::As).current.is_some() {
        return with(compact);
    }
    with(wanted).or_else(|refusal: wasmtime::Error| {
        tracing::warn!("plugins run with bounds checks, because address space is short: {refusal:#}");
        with(compact)
    })
}

fn config(profile: Profile) -> Result<Config> {
    let room = if profile.compact { &COMPACT } else { &ROOMY };
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .epoch_interruption(true)
        .consume_fuel(!profile.without_fuel)
        .concurrency_support(profile.concurrent)
        // The same input gives the same answer on every machine.
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .max_wasm_stack(limits::STACK_BYTES)
        .async_stack_size(TASK_STACK_BYTES)
        .memory_reservation(room.reservation)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(room, profile)?));
    Ok(config)
}

fn pool(room: &Room, profile: Profile) -> Result<PoolingAllocationConfig> {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(POOLED_CALLS)
        .total_memories(room.memories)
        .total_core_instances(512)
        .total_tables(48)
        // Only tasks of concurrent components have stacks of their own.
        .total_stacks(if profile.concurrent { TASK_STACKS } else { 1 })
        .max_core_instances_per_component(u32::try_from(limits::INSTANCES)?)
        .max_memories_per_component(u32::try_from(limits::MEMORIES)?)
        .max_tables_per_component(u32::try_from(limits::TABLES)?)
        .max_memory_size(limits::MEMORY_BYTES)
        .table_elements(limits::TABLE_ELEMENTS)
        .max_unused_warm_slots(room.memories)
        .linear_memory_keep_resident(MEMORY_KEPT)
        .table_keep_resident(TABLE_KEPT)
        // If the kernel reports which pages were written to (Linux 6.7), only those are reset.
        .pagemap_scan(Enabled::Auto);
    Ok(pool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_compiles_for_the_profile_in_its_arguments() {
        let all = [false, true].map(|compact| {
            [false, true]
                .map(|concurrent| [false, true].map(|without_fuel| Profile { compact, concurrent, without_fuel }))
        });
        for profile in all.into_iter().flatten().flatten() {
            let arguments: Vec<String> = profile.arguments().map(str::to_owned).collect();
            assert_eq!(Profile::of_arguments(&arguments), profile);
        }
        assert_eq!(Profile::default().arguments().count(), 0);
    }
}
