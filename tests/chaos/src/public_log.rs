//! Reads the public log of seals entry by entry, and computes the roots of its tree at every size.

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::{client::Answer, evidence::SeenLog, history::Detail, load::head_of, merkle};

/// Reads the whole log. `look` sends a request to a path.
pub(crate) async fn read(look: impl AsyncFn(String) -> anyhow::Result<Answer>) -> anyhow::Result<SeenLog> {
    let checkpoint = look("/log/checkpoint".to_owned()).await?;
    let Detail::Head { size, root } = head_of(&checkpoint.body) else { anyhow::bail!("no checkpoint") };
    let mut log = SeenLog::default();
    let mut entries: Vec<Vec<u8>> = Vec::new();
    for start in (0..size).step_by(256) {
        let (tile, width) = (start / 256, (size - start).min(256));
        let partial = if width == 256 { String::new() } else { format!(".p/{width}") };
        let answer = look(format!("/log/tile/entries/{tile:03}{partial}")).await?;
        ensure!(answer.status == 200, "tile {tile}: {}", answer.status);
        let mut bytes = &answer.body[..];
        while let Some((length, rest)) = bytes.split_first_chunk::<2>() {
            let entry = rest.split_at_checked(u16::from_be_bytes(*length).into()).context("a cut entry")?;
            entries.push(entry.0.to_vec());
            bytes = entry.1;
        }
    }
    log.roots = merkle::roots(&entries);
    if entries.len() as u64 != size || log.roots.get(&size).is_some_and(|recomputed| *recomputed != root) {
        log.problems.push(format!("the checkpoint of size {size} is not that of its {} entries", entries.len()));
    }
    for entry in &entries {
        let entry: Value = serde_json::from_slice(entry)?;
        match entry["kind"].as_str() {
            Some("deletion") => log.deletions += 1,
            _ => log.seals.push(entry["sealManifestSha256"].as_str().unwrap_or_default().to_owned()),
        }
        // Of an erasure: the seal that took the place of another.
        log.seals.extend(entry["successorSha256"].as_str().map(str::to_owned));
    }
    Ok(log)
}
