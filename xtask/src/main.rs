//! The project's own tasks. `cargo xtask plugins` builds the built-in plugins.

mod plugins;

use std::path::{Path, PathBuf};

fn main() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository's root");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    println!("{}", plugins::build(root, &target)?.display());
    Ok(())
}
