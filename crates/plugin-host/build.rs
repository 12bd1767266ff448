//! Embeds the built-in plugins into the program: writes a table of their names and bytes for `src/built_in.rs`. The
//! components themselves come from `cargo xtask plugins`, which writes them to `<target dir>/plugins`.
//!
//! Also writes the conversion of the contract's records for `src/lower.rs`, because the SDK and the bindings generate
//! each record on their own.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use wit_parser::{Resolve, TypeDefKind};

/// Names the folder of the components if it is not `<target dir>/plugins`.
const FOLDER_VARIABLE: &str = "SEALWRIGHT_BUILTIN_PLUGINS";

fn main() -> ExitCode {
    match write_table().and_then(|()| write_conversions()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            println!("cargo::error={reason}");
            ExitCode::FAILURE
        }
    }
}

/// The contract's interfaces with the records of facts.
const INTERFACES: [&str; 9] =
    ["findings", "facts", "provenance", "image", "document", "stated", "evidence", "attachments", "codes"];
/// What plugins report. It is never passed to them.
const REPORTED: [&str; 2] = ["state", "finding"];

fn write_conversions() -> Result<(), String> {
    let package = env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?;
    let folder = Path::new(&package).join("../../wit");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut contract = Resolve::default();
    let (package, _) = contract.push_dir(&folder).map_err(|error| format!("reading wit/: {error}"))?;
    let mut text = String::new();
    for interface in INTERFACES {
        let id = contract.packages[package].interfaces.get(interface).ok_or(format!("wit/ has no {interface}"))?;
        for (name, id) in &contract.interfaces[*id].types {
            if !REPORTED.contains(&name.as_str()) {
                text.push_str(&conversion(interface, name, &contract.types[*id].kind));
            }
        }
    }
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out_dir.join("lower.rs"), text).map_err(|error| format!("writing the conversions: {error}"))
}

/// The implementation of `Lower` for a record or an enum; nothing for a resource, and for a name from elsewhere.
fn conversion(interface: &str, name: &str, kind: &TypeDefKind) -> String {
    let name = name.to_upper_camel_case();
    let body = match kind {
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter().map(|field| field.name.to_snake_case());
            let fields: Vec<String> = fields.map(|field| format!("{field}: Lower::lower(&self.{field})")).collect();
            format!("Self::Lowered {{ {} }}", fields.join(", "))
        }
        TypeDefKind::Enum(cases) => {
            let cases = cases.cases.iter().map(|case| case.name.to_upper_camel_case());
            let arms: Vec<String> = cases.map(|case| format!("Self::{case} => Self::Lowered::{case}")).collect();
            format!("match self {{ {} }}", arms.join(", "))
        }
        _ => return String::new(),
    };
    format!(
        "impl Lower for shape::{name} {{\n    type Lowered = contract::{interface}::{name};\n\n    \
         fn lower(&self) -> Self::Lowered {{\n        {body}\n    }}\n}}\n"
    )
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
