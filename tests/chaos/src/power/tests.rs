//! Tests the shim and the disks that are made from its trace, with small programs of the system.

use std::{fs, path::Path, process::Command};

use super::{compile, disk::Disk, trace};
use crate::random::Random;

/// Runs a line of shell on the shim and returns the disk from before, and the trace.
fn traced(script: &str) -> (tempfile::TempDir, Disk, Vec<trace::Record>) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let data = root.join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("old"), "old").unwrap();
    let disk = Disk::of(&data).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(&data).env("LD_PRELOAD", compile(&root).unwrap());
    shell.env("CHAOS_FOLDER", &data).env("CHAOS_TRACE", root.join("trace"));
    assert!(shell.status().unwrap().success());
    let records = trace::read(&root.join("trace")).unwrap();
    assert!(!records.is_empty(), "the shim recorded nothing");
    (folder, disk, records)
}

/// The content of a file after power cuts after the last operation, with 40 seeds.
fn after_cuts(disk: &Disk, records: &[trace::Record], data: &Path, name: &str) -> Vec<Option<Vec<u8>>> {
    let mut disk = disk.clone();
    for record in records {
        disk.replay(record);
    }
    let one = |seed| {
        disk.write_after_cut(data, &mut Random::branch(seed, 0)).unwrap();
        fs::read(data.join(name)).ok()
    };
    (0..40).map(one).collect()
}

const SYNCED: &str = "printf new > plain; dd if=plain of=file conv=fsync status=none; mv file named; sync .";

#[test]
fn what_is_synced_survives_every_cut() {
    let (folder, disk, records) = traced(SYNCED);
    let data = folder.path().canonicalize().unwrap().join("data");
    let found = after_cuts(&disk, &records, &data, "named");
    assert!(found.iter().all(|bytes| bytes.as_deref() == Some(b"new")), "{found:?}");
    let found = after_cuts(&disk, &records, &data, "old");
    assert!(found.iter().all(|bytes| bytes.as_deref() == Some(b"old")), "{found:?}");
}

#[test]
fn what_is_not_synced_is_sometimes_lost() {
    let (folder, disk, records) = traced("printf new > plain; printf newer > old; sync .");
    let data = folder.path().canonicalize().unwrap().join("data");
    for (name, written) in [("plain", "new"), ("old", "newer")] {
        let found = after_cuts(&disk, &records, &data, name);
        assert!(found.iter().any(|bytes| bytes.as_deref() == Some(written.as_bytes())), "{name}: {found:?}");
        assert!(found.iter().any(|bytes| bytes.as_deref() != Some(written.as_bytes())), "{name}: {found:?}");
    }
}

#[test]
fn a_name_is_lost_without_its_folders_sync() {
    let (folder, disk, records) = traced("dd if=old of=file conv=fsync status=none");
    let data = folder.path().canonicalize().unwrap().join("data");
    let found = after_cuts(&disk, &records, &data, "file");
    assert!(found.contains(&None) && found.contains(&Some(b"old".to_vec())), "{found:?}");
}

#[test]
fn a_disk_that_does_not_sync_loses_what_was_synced() {
    let (folder, mut disk, records) = traced(SYNCED);
    let data = folder.path().canonicalize().unwrap().join("data");
    disk.ignores_syncs = true;
    assert!(after_cuts(&disk, &records, &data, "named").contains(&None));
}

#[test]
fn a_large_write_is_torn_between_sectors() {
    let (folder, disk, records) = traced(
        "dd if=/dev/zero bs=8192 count=1 status=none | tr '\\0' x | dd of=old bs=8192 iflag=fullblock status=none",
    );
    let data = folder.path().canonicalize().unwrap().join("data");
    let found = after_cuts(&disk, &records, &data, "old");
    let lengths: Vec<usize> = found.into_iter().flatten().map(|bytes| bytes.len()).collect();
    assert!(lengths.iter().any(|length| *length > 0 && *length < 8192 && length % 512 == 0), "{lengths:?}");
}
