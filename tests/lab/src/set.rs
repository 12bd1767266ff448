//! Writes sets of labelled files to a folder, with their labels in `labels.json`.

use std::{
    fs,
    path::Path,
    sync::Mutex,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::{Editing, PaperOptions, labelled_photo, package, paper, reference_date};

/// Writes `count` labelled papers, with seeds from `seed` on.
///
/// # Errors
/// If a paper cannot be made or a file cannot be written; the message names it.
pub fn write_documents(folder: &Path, seed: u64, count: u64) -> anyhow::Result<()> {
    write(folder, seed, count, |index| {
        let paper = paper(&PaperOptions::of_set(seed, index))?;
        let name = format!("{:05}-{}.{}", index, paper.label.kind.to_lowercase().replace('_', "-"), paper.extension);
        let label = paper.label.to_json(&name);
        Ok((name, paper.bytes, label))
    })
}

/// Writes `count` labelled photographs, with seeds from `seed` on.
///
/// # Errors
/// If a photograph cannot be made or a file cannot be written; the message names it.
pub fn write_photos(folder: &Path, seed: u64, count: u64) -> anyhow::Result<()> {
    write(folder, seed, count, |index| {
        let photo = labelled_photo(seed.wrapping_add(index), Editing::of_set(index))?;
        let name = format!("{:05}-{}.jpg", index, photo.editing.name());
        let label = photo.to_json(&name);
        Ok((name, photo.jpeg, label))
    })
}

/// Writes `count` packages, with seeds from `seed` on: a folder of papers for each, and `packages.json`.
///
/// # Errors
/// If a paper cannot be made or a file cannot be written; the message names it.
pub fn write_packages(folder: &Path, seed: u64, count: u64) -> anyhow::Result<()> {
    let mut packages = Vec::new();
    for index in 0..count {
        let made = package(seed, index).with_context(|| format!("making package {index} of seed {seed}"))?;
        for (name, bytes) in made.files {
            let file = folder.join(&name);
            let parent = file.parent().unwrap_or(folder);
            fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
            fs::write(&file, bytes).with_context(|| format!("cannot write {name}"))?;
        }
        packages.push(made.label);
    }
    let list = json!({ "maker": "lab", "reference_date": reference_date(), "packages": packages });
    fs::write(folder.join("packages.json"), format!("{list:#}\n"))
        .with_context(|| format!("cannot write the list of packages to {}", folder.display()))
}

/// Name, content and label.
type LabelledFile = (String, Vec<u8>, Value);

/// Makes the files on all processors; the labels are in the order of the seeds.
fn write(
    folder: &Path,
    seed: u64,
    count: u64,
    make: impl Fn(u64) -> anyhow::Result<LabelledFile> + Sync,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let next = AtomicU64::new(0);
    let labels = Mutex::new(Vec::new());
    let work = || -> anyhow::Result<()> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return Ok(());
            }
            let (name, bytes, label) = make(index).with_context(|| format!("making number {index} of seed {seed}"))?;
            fs::write(folder.join(&name), bytes).with_context(|| format!("cannot write {name}"))?;
            labels.lock().map_err(|_| anyhow::anyhow!("another thread failed"))?.push((index, label));
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))?)
    })?;
    let mut labels = labels.into_inner().map_err(|_| anyhow::anyhow!("a worker panicked"))?;
    labels.sort_by_key(|(index, _)| *index);
    let labels: Vec<Value> = labels.into_iter().map(|(_, label)| label).collect();
    let list = format!("{:#}\n", json!({ "seed": seed, "count": count, "labels": labels }));
    fs::write(folder.join("labels.json"), list)
        .with_context(|| format!("cannot write the labels to {}", folder.display()))
}
