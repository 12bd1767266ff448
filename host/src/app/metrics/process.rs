//! This process as the system sees it, under the names that Prometheus clients use.

use std::{fs, time::Duration};

use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
};

use super::snapshot::{Sample, Snapshot};

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
    let most = getrlimit(Resource::Nofile).current;
    let most = most.map(|most| Snapshot::gauge("process_max_fds", "Limit of open file descriptors", most));
    let cpu = fs::read_to_string("/proc/self/stat").ok().and_then(|text| cpu_ticks(&text)).map(|ticks| {
        // To the hundredth: the usual length of a tick.
        let hundredths = ticks.saturating_mul(100) / clock_ticks_per_second().max(1);
        let seconds = Duration::from_millis(hundredths.saturating_mul(10)).as_secs_f64();
        let sample = Sample::seconds(Vec::new(), seconds);
        Snapshot::counters("process_cpu_seconds", "Processor time of this process, without its children", vec![sample])
    });
    resident.into_iter().chain(open).chain(most).chain(cpu).collect()
}

/// User and system time in `/proc/self/stat` (proc(5), fields 14 and 15). The name in field 2 may contain anything.
fn cpu_ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_ascii_whitespace().skip(11);
    let user: u64 = times.next()?.parse().ok()?;
    let system: u64 = times.next()?.parse().ok()?;
    Some(user.saturating_add(system))
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

    #[test]
    fn processor_time_is_found_whatever_the_program_is_called() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 500 0 0 0 41 1 9 9 20 0 4 0 100 1000 200";
        assert_eq!(cpu_ticks(stat), Some(42));
        assert_eq!(cpu_ticks("7 (a) S 1"), None);
    }
}
