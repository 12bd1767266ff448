//! Embeds the built-in plugins into the program: writes a table of their names and bytes for `src/built_in.rs`.
//!
//! The components themselves come from `cargo xtask plugins`, which writes them to `<target dir>/plugins`.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Names the folder of the components if it is not `<target dir>/plugins`.
const FOLDER_VARIABLE: &str = "SEALWRIGHT_BUILTIN_PLUGINS";

fn main() -> ExitCode {
    match write_table() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            println!("cargo::error={reason}");
            ExitCode::FAILURE
        }
    }
}

fn write_table() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={FOLDER_VARIABLE}");
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let folder = match env::var_os(FOLDER_VARIABLE) {
        Some(folder) => PathBuf::from(folder),
        None => target_dir(&out_dir).ok_or("the target directory is not above OUT_DIR")?.join("plugins"),
    };
    println!("cargo::rerun-if-changed={}", folder.display());

    let components = components(&folder);
    if components.is_empty() {
        return Err(format!("there are no built-in plugins in {}: run `cargo xtask plugins` first", folder.display()));
    }
    let mut table = String::from("&[\n");
    for path in components {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()))?;
        let _ = writeln!(table, "    ({name:?}, include_bytes!({path:?})),");
    }
    table.push_str("]\n");
    fs::write(out_dir.join("built_in_plugins.rs"), table).map_err(|error| format!("writing the table: {error}"))
}

/// The nearest folder above `out_dir` that cargo marked as a target directory; the depth of `out_dir` in it depends on
/// cargo's version and on `--target`.
fn target_dir(out_dir: &Path) -> Option<&Path> {
    out_dir.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file())
}

/// The components in `folder`, sorted by name; none if it does not exist.
fn components(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut components: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "wasm"))
        .collect();
    components.sort();
    components
}
