//! The WebAssembly engine: one for the process, configured so that a plugin's answer depends on its input alone, and so
//! that it can be interrupted.

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

/// Creates the engine and the thread that advances its epochs. Also returns whether it had to be compact: code compiled
/// for one kind does not run on the other.
pub(super) fn new() -> anyhow::Result<(Engine, bool)> {
    let (engine, compact) =
        with_room_for_memories().map_err(|error| error.context("starting the WebAssembly engine"))?;
    let weak = engine.weak();
    thread::Builder::new()
        .name("plugin-epochs".to_owned())
        .spawn(move || tick(&weak))
        .context("starting the thread that ends plugins at their deadline")?;
    Ok((engine, compact))
}

/// An engine that compiles for one that [`new`] created, and runs nothing.
pub(super) fn for_compiling(compact: bool) -> Result<Engine> {
    Engine::new(&config(if compact { &COMPACT } else { &ROOMY })?)
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
fn with_room_for_memories() -> Result<(Engine, bool)> {
    let compact = || Ok((Engine::new(&config(&COMPACT)?)?, true));
    if getrlimit(Resource::As).current.is_some() {
        return compact();
    }
    config(&ROOMY).and_then(|config| Ok((Engine::new(&config)?, false))).or_else(|refusal| {
        tracing::warn!("plugins run with bounds checks, because address space is short: {refusal:#}");
        compact()
    })
}

fn config(room: &Room) -> Result<Config> {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .epoch_interruption(true)
        .concurrency_support(false)
        // The same input gives the same answer on every machine.
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .max_wasm_stack(limits::STACK_BYTES)
        .memory_reservation(room.reservation)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(room)?));
    Ok(config)
}

fn pool(room: &Room) -> Result<PoolingAllocationConfig> {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(POOLED_CALLS)
        .total_memories(room.memories)
        .total_core_instances(512)
        .total_tables(48)
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
