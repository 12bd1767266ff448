//! Writes tables of files that are part of the program: those that `sealwright plugin new` copies (the contract, and the
//! SDK's sources), those of the pages, and the module of the page that checks a certificate in a browser.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Names the folder of what `cargo xtask plugins` builds, if it is not `<target dir>/plugins`.
const FOLDER_VARIABLE: &str = "SEALWRIGHT_BUILTIN_PLUGINS";
/// The module's name in that folder.
const MODULE: &str = "verify-page.module";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    match write_tables().and_then(|()| name_module()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            println!("cargo::error={reason}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the tables that `src/cli/plugin/new.rs` and `src/http/web_files.rs` include.
fn write_tables() -> Result<(), String> {
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?).join("..");
    for (table, folder, include) in [
        ("contract.rs", "wit", "include_str"),
        ("sdk.rs", "plugins/sdk/src", "include_str"),
        ("capture.rs", "web/capture", "include_bytes"),
        ("console.rs", "web/console", "include_bytes"),
    ] {
        let folder = root.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        collect(&folder, &mut files).map_err(|error| format!("reading {}: {error}", folder.display()))?;
        files.sort();
        let mut text = String::from("&[\n");
        for path in files {
            let name = path.strip_prefix(&folder).map_err(|error| error.to_string())?;
            let (Some(name), Some(path)) = (name.to_str(), path.to_str()) else {
                return Err(format!("{} is not UTF-8", path.display()));
            };
            let _ = writeln!(text, "    ({name:?}, {include}!({path:?})),");
        }
        text.push_str("]\n");
        fs::write(out_dir.join(table), text).map_err(|error| format!("writing {table}: {error}"))?;
    }
    Ok(())
}

/// Writes the path of the module that `src/app/verification/page.rs` includes.
fn name_module() -> Result<(), String> {
    println!("cargo::rerun-if-env-changed={FOLDER_VARIABLE}");
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let folder = if let Some(folder) = env::var_os(FOLDER_VARIABLE) {
        PathBuf::from(folder)
    } else {
        // The depth of OUT_DIR in the target folder depends on cargo's version and on `--target`.
        let target_dir = out_dir.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
        target_dir.ok_or("the target directory is not above OUT_DIR")?.join("plugins")
    };
    let module = folder.join(MODULE);
    println!("cargo::rerun-if-changed={}", module.display());
    if !module.is_file() {
        return Err(format!("{} does not exist: run `cargo xtask plugins` first", module.display()));
    }
    let path = module.to_str().ok_or_else(|| format!("{} is not UTF-8", module.display()))?;
    fs::write(out_dir.join("verify_page.rs"), format!("include_bytes!({path:?})"))
        .map_err(|error| format!("writing the path of the module: {error}"))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
