//! The checksums of the packages, and their signature with the caller's key.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use super::release::read;

const SUMS: &str = "SHA256SUMS";
pub(super) const SIGNATURE: &str = "SHA256SUMS.sig";
/// What the signature is for (`ssh-keygen -Y verify -n …`): a signature made for something else is not accepted.
const NAMESPACE: &str = "sealwright-release";

/// Writes the checksums of these files of a folder, in the format of `sha256sum`. A signature of other checksums is
/// removed.
pub(super) fn write(folder: &Path, names: &[String]) -> Result<()> {
    let mut lines = Vec::new();
    for name in names {
        lines.push(format!("{}  {name}\n", hex::encode(Sha256::digest(read(&folder.join(name))?))));
    }
    fs::write(folder.join(SUMS), lines.concat()).with_context(|| format!("writing {SUMS}"))?;
    let signature = folder.join(SIGNATURE);
    if signature.exists() {
        fs::remove_file(&signature).with_context(|| format!("removing {}", signature.display()))?;
    }
    Ok(())
}

/// Signs the checksums with an SSH key: a private key's file, or a public key's if an agent has the private one.
pub(super) fn sign(folder: &Path, key: &Path) -> Result<()> {
    let mut command = Command::new("ssh-keygen");
    command.args(["-q", "-Y", "sign", "-n", NAMESPACE, "-f"]).arg(key).arg(folder.join(SUMS));
    let output = command.stdin(Stdio::null()).output().context("cannot start ssh-keygen")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && folder.join(SIGNATURE).is_file(), "ssh-keygen cannot sign: {}", errors.trim());
    Ok(())
}
