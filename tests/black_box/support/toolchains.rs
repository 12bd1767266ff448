//! The toolchains of plugin authors: cargo for WebAssembly, npm, pip. What they download is cached in the target folder
//! across runs.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{Mutex, PoisonError},
};

use super::{say_skipped, server::said, skip_loudly};

const WASM: &str = "wasm32-unknown-unknown";

/// Debian's packages (`rustc-web`, `cargo-web`, `rust-web-src`) have what rustup's toolchain lacks, with a standard
/// library to compile.
const DEBIAN: [&str; 3] = ["/usr/bin/rustc", "/usr/bin/cargo", "/usr/lib/rustlib/src/rust/library/std/Cargo.toml"];

/// The folder for downloads and builds.
pub(crate) fn cache_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kit").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A component of the target folder, built by `cargo xtask plugins`.
pub(crate) fn component(folder: &str, name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let path = target.join(folder).join(name).with_extension("wasm");
    assert!(path.is_file(), "{} does not exist: run `cargo xtask plugins`", path.display());
    path
}

/// Two tests that build in one folder would block each other in turns, so one waits here.
pub(crate) static BUILDING: Mutex<()> = Mutex::new(());

/// Only one test installs packages at a time: another one would use a folder that is not complete yet.
static INSTALLING: Mutex<()> = Mutex::new(());

/// A command as an author would type it in the project folder.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    // Settings of cargo for the tests must not reach the cargo that they start.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if (name.starts_with("CARGO") && name != "CARGO_HOME") || name == "RUSTFLAGS" || name.starts_with("SEALWRIGHT")
        {
            command.env_remove(name.as_ref());
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_sealwright")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.to_path_buf()).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(folders).unwrap());
    command
}

/// Runs it and requires success.
pub(crate) fn must(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", said(&output));
    output
}

/// Makes cargo compile for WebAssembly in a way that this machine supports.
pub(crate) fn for_wasm(command: &mut Command) -> &mut Command {
    let ask =
        |what: &[&str]| String::from_utf8(must(Command::new("rustc").args(what)).stdout).unwrap().trim().to_owned();
    if Path::new(&ask(&["--print", "target-libdir", "--target", WASM])).is_dir() {
        return command;
    }
    assert!(DEBIAN.iter().all(|file| Path::new(file).exists()), "there is no way to compile for {WASM}");
    let shipped = fs::read_dir(Path::new(&ask(&["--print", "sysroot"])).join("lib/rustlib")).unwrap();
    let linker = shipped.map(|entry| entry.unwrap().path().join("bin/rust-lld")).find(|path| path.is_file());
    // Debian's cargo first, then what the author has installed.
    let of_author = command.get_envs().find_map(|(name, value)| (name == "PATH").then_some(value?.to_owned()));
    let of_author = of_author.or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    let folders = std::iter::once(PathBuf::from("/usr/bin")).chain(std::env::split_paths(&of_author));
    let path = std::env::join_paths(folders).unwrap();
    command.env("PATH", path);
    command.env("RUSTC", DEBIAN[0]).env("RUSTC_BOOTSTRAP", "1").env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort");
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker.expect("rustup's toolchain has a linker"))
}

/// Gives a Rust project the cached target folder and the dependency versions of the built-in plugins.
pub(crate) fn set_up_rust(project: &Path) {
    symlink(cache_folder("rust"), project.join("target")).unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../plugins/Cargo.lock"), project.join("Cargo.lock")).unwrap();
}

/// The `node_modules` for the project's `package.json`, in the cache folder `cache`. Prints a warning and returns `None`
/// if npm or its registry is unavailable, which may happen in CI too.
pub(crate) fn node_modules(project: &Path, cache: &str) -> Option<PathBuf> {
    let _turn = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = cache_folder(cache);
    let wanted = fs::read_to_string(project.join("package.json")).unwrap();
    let versions = wanted.split("devDependencies").nth(1).unwrap().to_owned();
    let installed = fs::read_to_string(folder.join("installed")).is_ok_and(|installed| installed == versions);
    if !installed {
        fs::copy(project.join("package.json"), folder.join("package.json")).unwrap();
        // Without the registry, npm would retry for many minutes.
        let limits = ["--fetch-retries=1", "--fetch-timeout=60000"];
        let npm = command("npm", &folder).args(["install", "--no-audit", "--no-fund"]).args(limits).output();
        if let Some(reason) = failure(npm) {
            say_skipped(&format!("npm packages ({cache}): {reason}"));
            return None;
        }
        fs::write(folder.join("installed"), versions).unwrap();
    }
    Some(folder.join("node_modules"))
}

/// The programs of a Python environment with `requirements.txt` installed. Prints a warning and returns `None` if
/// Python or its registry is unavailable.
pub(crate) fn python_programs(project: &Path) -> Option<PathBuf> {
    let folder = cache_folder("python");
    let programs = folder.join("bin");
    let wanted = fs::read_to_string(project.join("requirements.txt")).unwrap();
    if fs::read_to_string(folder.join("installed")).is_ok_and(|installed| installed == wanted) {
        return Some(programs);
    }
    let venv = command("python3", project).args(["-m", "venv"]).arg(&folder).output();
    let pip = || command(programs.join("pip"), project).args(["install", "--quiet", "-r", "requirements.txt"]).output();
    if let Some(reason) = failure(venv).or_else(|| failure(pip())) {
        skip_loudly(&format!("plugins in Python: {reason}"));
        return None;
    }
    fs::write(folder.join("installed"), wanted).unwrap();
    Some(programs)
}

fn failure(output: std::io::Result<Output>) -> Option<String> {
    match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(said(&output)),
        Err(error) => Some(error.to_string()),
    }
}

/// The component that `build` makes from these sources, or the cached one from the same sources.
pub(crate) fn built_once(language: &str, sources: &[&Path], build: impl FnOnce() -> PathBuf) -> PathBuf {
    let mut hasher = std::hash::DefaultHasher::new();
    for source in sources {
        std::hash::Hash::hash(&fs::read(source).unwrap(), &mut hasher);
    }
    let name = format!("{language}-{:016x}.wasm", std::hash::Hasher::finish(&hasher));
    let path = cache_folder("components").join(name);
    if !path.is_file() {
        let component = fs::read(build()).unwrap();
        let mut file = tempfile::NamedTempFile::new_in(cache_folder("components")).unwrap();
        file.write_all(&component).unwrap();
        file.persist(&path).unwrap();
    }
    path
}
