//! Compiling components: the dangerous part of taking one from a stranger, because neither its time nor its memory can be
//! bounded in this process. So the operator's components are compiled in a child of this program that limits itself
//! first; the program's own, which were there when it was built, are compiled here.

use std::{
    env,
    io::{self, Read, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
    thread,
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Resource, Rlimit, setrlimit};
use wasmtime::{Engine, component::Component};

use super::{cache, engine, limits};

/// What the child may use: memory of its own, and seconds of a processor.
const CHILD_MEMORY_BYTES: u64 = 768 << 20;
const CHILD_SECONDS: u64 = 60;
/// The most machine code that is taken from it.
const MAX_COMPILED_BYTES: u64 = 512 << 20;

/// The words of the command line by which this program compiles what stands on its standard input.
const COMPILE_COMMAND: [&str; 2] = ["plugin", "compile"];
/// The flag that tells the child for which engine.
const COMPACT_FLAG: &str = "--compact";

/// This program as it runs, for [`PluginOptions::compiler`](super::PluginOptions::compiler): also where its file was
/// replaced meanwhile, since another version compiles what this one cannot use.
pub fn this_program() -> Option<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Some(running) } else { env::current_exe().ok() }
}

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
        let mut command = Command::new(program);
        command.args(COMPILE_COMMAND).args(self.compact.then_some(COMPACT_FLAG));
        // What it does not know, a component cannot get out of it.
        command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().with_context(|| format!("starting {} to compile it", program.display()))?;
        tracing::info!(file = origin, bytes = bytes.len(), "a component is compiled, which may take a minute");
        let set = |what| *self.compiling.lock().unwrap_or_else(PoisonError::into_inner) = what;
        set(Some(origin.to_owned()));
        let compiled = converse(child, bytes);
        set(None);
        let compiled = compiled?;
        cache::deserialize(engine, &compiled).map_err(|error| error.context("its compiled form does not fit").into())
    }
}

/// Gives the child the component and takes the machine code, or what it says was wrong.
fn converse(mut child: Child, bytes: &[u8]) -> Result<Vec<u8>> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (mut stdin, stdout, stderr) = stdin
        .zip(stdout)
        .zip(stderr)
        .map(|((stdin, stdout), stderr)| (stdin, stdout, stderr))
        .context("the compiling process has no pipes")?;
    let (mut compiled, mut said) = (Vec::new(), String::new());
    let told = thread::scope(|scope| {
        let hearing = scope.spawn(|| {
            let mut text = Vec::new();
            let _ = stderr.take(64 * 1024).read_to_end(&mut text);
            said = String::from_utf8_lossy(&text).into_owned();
        });
        let telling = scope.spawn(move || stdin.write_all(bytes));
        let read = stdout.take(MAX_COMPILED_BYTES + 1).read_to_end(&mut compiled);
        // What it has still to say goes nowhere from here, and so it ends.
        let _ = hearing.join();
        read.map(|_| telling.join().is_ok())
    });
    let status = child.wait().context("waiting for the compiling process")?;
    told.context("reading from the compiling process")?;
    if status.success() {
        ensure!(compiled.len() as u64 <= MAX_COMPILED_BYTES, "it compiles to more than {MAX_COMPILED_BYTES} bytes");
        return Ok(compiled);
    }
    if status.code() == Some(1) {
        // An error may have several lines; what goes wrong is in the first.
        let told = said.lines().find_map(|line| line.strip_prefix("error: "));
        let reason = told.or_else(|| said.lines().last()).unwrap_or("nothing was said");
        bail!("{reason}");
    }
    bail!(
        "compiling it took more than {} MiB or {CHILD_SECONDS} s, and was stopped ({status})",
        CHILD_MEMORY_BYTES >> 20
    )
}

/// What the child does: limits itself, compiles what stands on standard input, and writes the machine code to standard
/// output.
pub fn compile_standard_input(compact: bool) -> Result<()> {
    limit(Resource::Data, CHILD_MEMORY_BYTES)?;
    limit(Resource::Cpu, CHILD_SECONDS)?;
    limit(Resource::Core, 0)?;
    let mut bytes = Vec::new();
    io::stdin().lock().take(limits::COMPONENT_BYTES as u64).read_to_end(&mut bytes)?;
    let engine = engine::for_compiling(compact)?;
    let compiled = engine
        .precompile_component(&bytes)
        .map_err(|error| error.context("it is no WebAssembly component that this host can run"))?;
    io::stdout().lock().write_all(&compiled)?;
    Ok(())
}

fn limit(resource: Resource, most: u64) -> Result<()> {
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
        .with_context(|| format!("limiting {resource:?} of the compiling process"))
}
