//! The same call in another plugin host: Extism. Its crate would add a second wasmtime to this build, so this is its
//! Python package (`peers.py`), timed inside that process.
//!
//! Its plugin receives the webhook's body and returns it, which is less than a mode does, and has no deadline. As in
//! our host, it is compiled once, and each call creates an instance and drops it afterwards.

use std::fs;

use anyhow::Context as _;

use super::{BODY, CALLS};
use crate::{
    peers,
    report::{Figure, Samples},
};

/// The plugin, by Extism's binary interface: input and output are in the host's memory and are read in words.
const ECHO: &str = r#"(module
    (import "extism:host/env" "input_length" (func $input_length (result i64)))
    (import "extism:host/env" "input_load_u64" (func $input_load (param i64) (result i64)))
    (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
    (import "extism:host/env" "store_u64" (func $store (param i64 i64)))
    (import "extism:host/env" "output_set" (func $output_set (param i64 i64)))
    (memory (export "memory") 1)
    (func (export "echo") (result i32)
        (local $length i64) (local $output i64) (local $at i64)
        (local.set $length (call $input_length))
        (local.set $output (call $alloc (local.get $length)))
        (loop $next
            (call $store (i64.add (local.get $output) (local.get $at)) (call $input_load (local.get $at)))
            (local.set $at (i64.add (local.get $at) (i64.const 8)))
            (br_if $next (i64.lt_u (local.get $at) (local.get $length))))
        (call $output_set (local.get $output) (local.get $length))
        (i32.const 0)))"#;

/// Compares `own` with Extism's times. Returns `None`, with a message, if there is no Python for it.
pub(super) fn measure(own: &Samples) -> anyhow::Result<Option<Figure>> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    fs::write(folder.path().join("echo.wasm"), wat::parse_str(ECHO).context("the echo is not a module")?)?;
    fs::write(folder.path().join("input"), BODY)?;
    let Some(rounds) = peers::times("extism", folder.path())? else { return Ok(None) };
    let calls = f64::from(CALLS);
    Ok(Some(Figure {
        what: "plugin call, fresh instance, hmac-sha256".to_owned(),
        measured: own.clone(),
        against: Some(("Extism, fresh plugin, 4 KiB given back", rounds.in_microseconds(|round| round / calls))),
        goal: None,
    }))
}
