//! Short turns at the processor for a thread on which a plugin runs.
//!
//! Linux lets a thread that computes finish its slice before one that has just been woken gets its turn (EEVDF's
//! `RUN_TO_PARITY`), and a slice is some 3 ms long: what a plugin that never ends does to everybody who shares its core.
//! Measured on two cores, a call of 0.1 ms then took 2 to 3 ms in every hundredth case. A thread may ask for a shorter slice
//! (`sched_setattr(2)`, `sched_runtime` of `SCHED_OTHER`, since Linux 6.12) and gets no less time by that, but more often.

use rustix::process::getpriority_process;

/// The shortest slice that Linux grants, in nanoseconds.
const SHORTEST: u64 = 100_000;

thread_local! {
    /// Asked once for each thread: asking before every call cost a tenth of it. What else such a thread does goes on in short
    /// turns too, which is felt only where all cores are taken, and there by none for long.
    static ASKED: () = set_slice(SHORTEST);
}

/// From now on this thread's turns are short. Where the kernel refuses, or is older, everything goes on as it would without.
pub(super) fn ask() {
    ASKED.with(|()| ());
}

#[expect(unsafe_code, reason = "no library offers this system call")]
fn set_slice(nanoseconds: u64) {
    // The call sets the niceness too, so it is given as it is.
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
    // SAFETY: the kernel reads `size` bytes of the structure, which lives until the call returns, and writes none. 0 is this
    // thread; a thread may always set its own slice and keep its niceness.
    let _ = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The niceness and the slice of this thread, from the kernel.
    #[expect(unsafe_code, reason = "no library offers this system call")]
    fn told() -> (i32, u64) {
        // SAFETY: all fields are plain numbers, for which zeroes are valid.
        let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
        let size = size_of::<libc::sched_attr>();
        // SAFETY: the kernel writes at most `size` bytes into the structure.
        let done = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) };
        assert_eq!(done, 0);
        (attributes.sched_nice, attributes.sched_runtime)
    }

    #[test]
    fn a_thread_that_asked_has_short_turns_and_its_niceness() {
        let asked = std::thread::spawn(|| {
            let before = told();
            ask();
            (before, told())
        });
        let ((niceness, usual), (niceness_now, slice)) = asked.join().unwrap();
        // A kernel before 6.12 knows no slices of threads, and tells none.
        assert!(slice == SHORTEST || usual == 0 && slice == 0, "{slice}, where {usual} is usual");
        assert_eq!(niceness_now, niceness);
    }
}
