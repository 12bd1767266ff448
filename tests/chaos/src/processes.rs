//! Helpers for processes and ports.

use std::{fs, net::TcpListener};

use anyhow::Context as _;
use rustix::process::Pid;

/// A port that was free a moment ago.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").context("no port on loopback")?;
    Ok(listener.local_addr()?.port())
}

pub(crate) fn children_of(parent: Pid) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    ids.filter(|id| parent_of(*id) == Some(parent)).filter_map(Pid::from_raw).collect()
}

fn parent_of(process: i32) -> Option<Pid> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    Pid::from_raw(line.trim().parse().ok()?)
}
