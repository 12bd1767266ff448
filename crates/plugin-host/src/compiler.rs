//! Compiling components: the dangerous part of accepting one from a stranger, because neither its time nor its memory
//! can be bounded in this process. So the operator's components are compiled in a confined child of this program
//! (`sealwright-child-process`); the built-in ones are compiled here.

use std::{
    io::{self, Read, Write},
    path::PathBuf,
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use parking_lot::Mutex;
use sealwright_child_process::{Bounds, Cause, Role, role::Allowance, run};
use wasmtime::{Engine, component::Component};

use super::{
    cache,
    engine::{self, Profile},
    limits,
};

/// Wall-clock time. The child's own limits bound its processor time.
const TIME: Duration = Duration::from_mins(5);
/// The most machine code that is accepted from it.
const MAX_COMPILED_BYTES: u64 = 512 << 20;
/// How often compiling is tried if the system kills the child.
const MAX_TRIES: usize = 3;

/// Where components are compiled.
pub(super) struct Compiler {
    /// This program. None: in this process.
    program: Option<PathBuf>,
    /// One at a time: each may take hundreds of megabytes.
    turn: Mutex<()>,
    /// The component that has the turn.
    compiling: Mutex<Option<String>>,
}

impl Compiler {
    pub(super) fn new(program: Option<PathBuf>) -> Self {
        Self { program, turn: Mutex::new(()), compiling: Mutex::default() }
    }

    /// The component that is being compiled.
    pub(super) fn compiling(&self) -> Option<String> {
        self.compiling.lock().clone()
    }

    /// Compiles the component in `bytes`, called `origin`, for `engine`, which has this profile; in this process if it is
    /// `trusted`.
    pub(super) fn compile(
        &self,
        (engine, profile): (&Engine, Profile),
        origin: &str,
        bytes: &[u8],
        trusted: bool,
    ) -> Result<Component> {
        let Some(program) = self.program.as_ref().filter(|_| !trusted) else {
            return Component::from_binary(engine, bytes)
                .map_err(|error| error.context("it is not a WebAssembly component that this host can run").into());
        };
        let _turn = self.turn.lock();
        let mut command = Role::CompilePlugin.command(program);
        command.args(profile.arguments());
        tracing::info!(file = origin, bytes = bytes.len(), "compiling a component, which may take a minute");
        let set = |what| *self.compiling.lock() = what;
        set(Some(origin.to_owned()));
        let compiled = converse(&mut command, bytes);
        set(None);
        let compiled = compiled?;
        cache::deserialize(engine, &compiled).map_err(|error| error.context("its compiled form is invalid").into())
    }
}

/// Has the child compile the component. The error says what is wrong with the component.
fn converse(command: &mut Command, bytes: &[u8]) -> Result<Vec<u8>> {
    let bounds = Bounds { time: TIME, output_bytes: MAX_COMPILED_BYTES, own_group: true };
    let mut tries = 1;
    let failure = loop {
        match run(command, bytes, bounds).context("starting a process to compile it")? {
            Ok(compiled) => return Ok(compiled),
            Err(failure) if failure.cause.is_worth_another_child() && tries < MAX_TRIES => tries += 1,
            Err(failure) => break failure,
        }
    };
    match failure.cause {
        Cause::Ended(status) if status.code() == Some(1) => {
            // An error may have several lines; the first one contains the reason.
            let errors = &failure.errors;
            let first = errors.lines().find_map(|line| line.strip_prefix("error: "));
            bail!("{}", first.or_else(|| errors.lines().last()).unwrap_or("the compiling process gave no reason"))
        }
        Cause::TooMuchOutput => bail!("it compiles to more than {MAX_COMPILED_BYTES} bytes"),
        Cause::Killed(_) => Err(failure.into_retry()).context("compiling it"),
        _ => {
            let Allowance { memory_bytes, cpu_seconds, .. } = Role::CompilePlugin.allowance();
            let (mebibytes, seconds) = (memory_bytes.unwrap_or_default() >> 20, cpu_seconds.unwrap_or_default());
            bail!("compiling it took more than {mebibytes} MiB or {seconds} s and was stopped ({failure})")
        }
    }
}

/// What the child does: compiles the component on standard input, and writes the machine code to standard output. It is
/// confined by then. `arguments` are those of [`Role::CompilePlugin`].
pub fn compile_standard_input(arguments: &[String]) -> Result<()> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(limits::COMPONENT_BYTES as u64).read_to_end(&mut bytes)?;
    let engine = engine::for_compiling(Profile::of_arguments(arguments))?;
    let compiled = engine
        .precompile_component(&bytes)
        .map_err(|error| error.context("it is not a WebAssembly component that this host can run"))?;
    io::stdout().lock().write_all(&compiled)?;
    Ok(())
}
