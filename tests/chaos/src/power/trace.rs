//! Reads the shim's trace (see `shim.c` for its format).

use std::{fs, path::Path};

use anyhow::{Context as _, bail};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// Nanoseconds of the monotonic clock at the time of the operation.
    pub(crate) time: u64,
    pub(crate) operation: Operation,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operation {
    /// A file was opened that may be new, or emptied.
    Open {
        inode: u64,
        path: String,
        emptied: bool,
    },
    Write {
        inode: u64,
        at: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        inode: u64,
        length: usize,
    },
    /// Of a file or a folder.
    Sync {
        inode: u64,
        path: String,
    },
    Rename {
        from: String,
        to: String,
    },
    Link {
        from: String,
        to: String,
    },
    Unlink(String),
    MakeFolder(String),
}

pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Record>> {
    let bytes = fs::read(path).context("the trace")?;
    let (mut rest, mut records) = (&bytes[..], Vec::new());
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        // The kill can cut off only the last record.
        let Some((record, behind)) = behind.split_at_checked(u32::from_le_bytes(*length) as usize) else { break };
        records.push(parse(record).context("a record of the trace is broken")??);
        rest = behind;
    }
    // Processes write whole records, but not in the order of their times.
    records.sort_by_key(|record| record.time);
    Ok(records)
}

fn parse(record: &[u8]) -> Option<anyhow::Result<Record>> {
    let (kind, rest) = record.split_first()?;
    let (time, rest) = number(rest)?;
    let (inode, rest) = number(rest)?;
    let (offset, rest) = number(rest)?;
    let (first, rest) = text(rest)?;
    let (second, _) = text(rest)?;
    let at = usize::try_from(offset).ok()?;
    let named = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let operation = match kind {
        b'c' | b'o' => Operation::Open { inode, path: named(first), emptied: *kind == b'o' },
        b'w' => Operation::Write { inode, at, bytes: first.to_vec() },
        b't' => Operation::Truncate { inode, length: at },
        b's' => Operation::Sync { inode, path: named(first) },
        b'r' => Operation::Rename { from: named(first), to: named(second) },
        b'l' => Operation::Link { from: named(first), to: named(second) },
        b'u' => Operation::Unlink(named(first)),
        b'm' => Operation::MakeFolder(named(first)),
        other => return Some(unknown(*other)),
    };
    Some(Ok(Record { time, operation }))
}

fn unknown(kind: u8) -> anyhow::Result<Record> {
    bail!("unknown operation {kind}")
}

fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*number), rest))
}

fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}
