//! Merges the server's code that makes a plugin's document of facts (`host/src/app/analysis/facts.rs` and its children)
//! into one file that the judge includes. A `#[path]` would not find the children, and a copy would drift.

use std::{env, error::Error, fmt::Write as _, fs, path::Path};

const SOURCE: &str = "../../host/src/app/analysis";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={SOURCE}/facts.rs");
    println!("cargo::rerun-if-changed={SOURCE}/facts");
    let mut whole = String::new();
    for line in code(Path::new(SOURCE).join("facts.rs"))?.lines() {
        match line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
            Some("tests") => {}
            Some(child) => {
                let child_code = code(Path::new(SOURCE).join("facts").join(child).with_extension("rs"))?;
                writeln!(whole, "mod {child} {{\n{child_code}\n}}")?;
            }
            None if line == "#[cfg(test)]" => {}
            None => writeln!(whole, "{line}")?,
        }
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("facts.rs"), whole)?;
    Ok(())
}

/// A file without its `//!` documentation, which is allowed only at the start of a file.
fn code(path: impl AsRef<Path>) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    Ok(text.lines().filter(|line| !line.starts_with("//!")).collect::<Vec<_>>().join("\n"))
}
