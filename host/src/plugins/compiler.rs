//! Compiling components: the dangerous part of taking one from a stranger, because neither its time nor its memory can be
//! bounded in this process. So the operator's components are compiled in a confined child of this program
//! (`sealwright-child-process`); the program's own, which were there when it was built, are compiled here.

use std::{
    io::{self, Read, Write},
    path::PathBuf,
    process::Command,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use sealwright_child_process::{Bounds, Cause, Role, role::Allowance, run};
use wasmtime::{Engine, component::Component};

use super::{cache, engine, limits};

/// By the clock. The child's own limits bound its processor time.
const TIME: Duration = Duration::from_mins(5);
/// The most machine code that is taken from it.
const MAX_COMPILED_BYTES: u64 = 512 << 20;
/// How often a component is compiled if the system kills the process that does it.
const MOST_TRIES: usize = 3;

/// The flag of [`Role::CompilePlugin`] for an engine that may have little address space.
pub const COMPACT_FLAG: &str = "--compact";

/// Where components are compiled.
pub(super) struct Compiler {
    /// This program. None: in this process.
    program: Option<PathBuf>,
    compact: bool,
    /// One at a time: each may take hundreds of megabytes.
    turn: Mutex<()>,
    /// What has the turn.
    compiling: Mutex<Option<String>>,
}

impl Compiler {
    pub(super) fn new(program: Option<PathBuf>, compact: bool) -> Self {
        Self { program, compact, turn: Mutex::new(()), compiling: Mutex::default() }
    }

    /// What a child compiles just now.
    pub(super) fn compiling(&self) -> Option<String> {
        self.compiling.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The component in `bytes`, called `origin`, compiled for `engine`: here where it is `trusted`.
    pub(super) fn compile(&self, engine: &Engine, origin: &str, bytes: &[u8], trusted: bool) -> Result<Component> {
        let Some(program) = self.program.as_ref().filter(|_| !trusted) else {
            return Component::from_binary(engine, bytes)
                .map_err(|error| error.context("it is no WebAssembly component that this host can run").into());
        };
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut command = Role::CompilePlugin.command(program);
        command.args(self.compact.then_some(COMPACT_FLAG));
        tracing::info!(file = origin, bytes = bytes.len(), "a component is compiled, which may take a minute");
        let set = |what| *self.compiling.lock().unwrap_or_else(PoisonError::into_inner) = what;
        set(Some(origin.to_owned()));
        let compiled = converse(&mut command, bytes);
        set(None);
        let compiled = compiled?;
        cache::deserialize(engine, &compiled).map_err(|error| error.context("its compiled form does not fit").into())
    }
}

/// Has the child compile the component. The error says what is wrong with it.
fn converse(command: &mut Command, bytes: &[u8]) -> Result<Vec<u8>> {
    let bounds = Bounds { time: TIME, output_bytes: MAX_COMPILED_BYTES, own_group: true };
    let mut tries = 1;
    let failure = loop {
        match run(command, bytes, bounds).context("starting a process to compile it")? {
            Ok(compiled) => return Ok(compiled),
            Err(failure) if failure.cause.is_worth_another_child() && tries < MOST_TRIES => tries += 1,
            Err(failure) => break failure,
        }
    };
    match failure.cause {
        Cause::Ended(status) if status.code() == Some(1) => {
            // An error may have several lines; what goes wrong is in the first.
            let errors = &failure.errors;
            let first = errors.lines().find_map(|line| line.strip_prefix("error: "));
            bail!("{}", first.or_else(|| errors.lines().last()).unwrap_or("the compiling process gave no reason"))
        }
        Cause::TooMuchOutput => bail!("it compiles to more than {MAX_COMPILED_BYTES} bytes"),
        Cause::Killed(_) => Err(failure.into_retry()).context("compiling it"),
        _ => {
            let Allowance { memory_bytes, cpu_seconds, .. } = Role::CompilePlugin.allowance();
            let (mebibytes, seconds) = (memory_bytes.unwrap_or_default() >> 20, cpu_seconds.unwrap_or_default());
            bail!("compiling it took more than {mebibytes} MiB or {seconds} s, and was stopped ({failure})")
        }
    }
}

/// What the child does: compiles what stands on standard input, and writes the machine code to standard output. It is
/// confined by then.
pub fn compile_standard_input(compact: bool) -> Result<()> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(limits::COMPONENT_BYTES as u64).read_to_end(&mut bytes)?;
    let engine = engine::for_compiling(compact)?;
    let compiled = engine
        .precompile_component(&bytes)
        .map_err(|error| error.context("it is no WebAssembly component that this host can run"))?;
    io::stdout().lock().write_all(&compiled)?;
    Ok(())
}
