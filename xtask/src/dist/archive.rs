//! The tarball: one folder with the program and everything to run it by hand.

use std::path::Path;

use anyhow::Result;

use super::{
    release::{Release, read},
    tree::{Tree, gzip},
};

/// Where the files of `deploy/` in the tarball come from.
const DEPLOYED: [&str; 10] = [
    "README.md",
    "alerts.yml",
    "compose/compose.yaml",
    "grafana-dashboard.json",
    "kubernetes/sealwright.yaml",
    "sealwright.toml",
    "systemd/sealwright.service",
    "systemd/sealwright.sysusers",
    "systemd/sealwright.tmpfiles",
    "systemd/sealwright@.service",
];

/// Makes the tarball, compressed.
pub(super) fn archive(release: &Release) -> Result<Vec<u8>> {
    let mut tree = Tree::default();
    tree.add_with_mode("sealwright", 0o755, read(&release.program)?);
    tree.add("README.md", release.source("deploy/archive/README.md")?);
    for name in ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        tree.add(name, release.source(name)?);
    }
    for name in DEPLOYED {
        tree.add(&format!("deploy/{name}"), release.source(&format!("deploy/{name}"))?);
    }
    for (name, content) in &release.manual {
        let folder = if is_man_page(name) { "man/man1" } else { "completions" };
        tree.add(&format!("{folder}/{name}"), content.clone());
    }
    gzip(&tree.archive(&format!("sealwright-{}/", release.version), release.time)?, release.compression)
}

/// Whether a file of the manual is a man page; the others are completions.
pub(super) fn is_man_page(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "1")
}
