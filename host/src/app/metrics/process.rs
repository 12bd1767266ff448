//! This process as the system sees it, under the names that Prometheus clients use.

use std::fs;

use rustix::param::page_size;

use super::snapshot::Snapshot;

/// What Linux says of this process in `/proc/self`. Left out if it cannot be read.
pub(super) fn read() -> Vec<Snapshot> {
    let resident = fs::read_to_string("/proc/self/statm").ok().and_then(|text| resident_pages(&text));
    let resident = resident.map(|pages| {
        let bytes = pages.saturating_mul(page_size() as u64);
        Snapshot::gauge("process_resident_memory_bytes", "Memory of this process that is in use", bytes)
    });
    let open = fs::read_dir("/proc/self/fd").ok().map(|entries| {
        let count = u64::try_from(entries.count()).unwrap_or(u64::MAX);
        Snapshot::gauge("process_open_fds", "Open file descriptors of this process", count)
    });
    resident.into_iter().chain(open).collect()
}

/// The second number of `/proc/self/statm` (proc(5)).
fn resident_pages(statm: &str) -> Option<u64> {
    statm.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_resident_memory() {
        assert_eq!(resident_pages("10 7 3 1 0 2 0\n"), Some(7));
        assert_eq!(resident_pages(""), None);
    }
}
