//! Short scheduler slices for threads that run plugins.
//!
//! Linux lets a computing thread finish its slice before one that has just been woken runs (EEVDF's `RUN_TO_PARITY`),
//! and a slice is about 3 ms long. An endless plugin does this to every thread that shares its core: measured on two
//! cores, a call of 0.1 ms then took 2 to 3 ms in one case of a hundred. A thread may request a shorter slice
//! (`sched_setattr(2)`, `sched_runtime` of `SCHED_OTHER`, since Linux 6.12). It does not get less time by that, but it
//! runs more often.

use rustix::process::getpriority_process;

/// The shortest slice that Linux grants, in nanoseconds.
const SHORTEST_SLICE: u64 = 100_000;

thread_local! {
    /// Requested once for each thread, because requesting it before every call costs a tenth of the call. Other work of
    /// the thread runs in short slices too, which has an effect only if all cores are busy.
    static REQUESTED: () = set_slice(SHORTEST_SLICE);
}

/// Requests short slices for this thread. If the kernel refuses or is older, nothing changes.
pub(super) fn request_short() {
    REQUESTED.with(|()| ());
}

#[expect(unsafe_code, reason = "no library offers this system call")]
fn set_slice(nanoseconds: u64) {
    // The call sets the niceness too, so it must be passed unchanged.
    let Ok(niceness) = getpriority_process(None) else { return };
    let attributes = libc::sched_attr {
        size: u32::try_from(size_of::<libc::sched_attr>()).unwrap_or_default(),
        sched_policy: libc::SCHED_OTHER.cast_unsigned(),
        sched_flags: 0,
        sched_nice: niceness,
        sched_priority: 0,
        sched_runtime: nanoseconds,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the kernel reads `size` bytes of the structure, which lives until the call returns, and writes none. 0 is
    // this thread; a thread may always set its own slice and keep its niceness.
    let _ = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The niceness and the slice of this thread, from the kernel.
    #[expect(unsafe_code, reason = "no library offers this system call")]
    fn current_slice() -> (i32, u64) {
        // SAFETY: all fields are plain numbers, for which zeroes are valid.
        let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
        let size = size_of::<libc::sched_attr>();
        // SAFETY: the kernel writes at most `size` bytes into the structure.
        let done = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) };
        assert_eq!(done, 0);
        (attributes.sched_nice, attributes.sched_runtime)
    }

    #[test]
    fn a_thread_gets_a_short_slice_and_keeps_its_niceness() {
        let requested = std::thread::spawn(|| {
            let before = current_slice();
            request_short();
            (before, current_slice())
        });
        let ((niceness, usual), (niceness_now, slice)) = requested.join().unwrap();
        // A kernel before 6.12 has no per-thread slices, and reports 0.
        assert!(slice == SHORTEST_SLICE || usual == 0 && slice == 0, "{slice}, where {usual} is usual");
        assert_eq!(niceness_now, niceness);
    }
}
