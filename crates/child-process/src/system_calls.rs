//! Restricts the system calls of a child: seccomp, in Linux 3.5 and later, on x86-64, aarch64 and riscv64.
//!
//! A list of denied calls, not of allowed ones: text recognition is a third-party program with third-party libraries,
//! and an update of either must not lead to unread pages. What matters are families of calls: networks, other
//! processes, namespaces and mounts, the kernel itself. A denied call returns `EPERM`, as for a user without
//! privileges.

use std::{collections::BTreeMap, process};

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use crate::confine::Layer;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls of the x32 interface have this bit in their number and are otherwise the same.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

/// Denied to every child.
const REFUSED: &[i64] = &[
    // Networks. io_uring can also create sockets, bypassing this filter.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_kcmp,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    // Leaving the process group, which is killed as a whole.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // The kernel and the machine.
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_personality,
    libc::SYS_fanotify_init,
    libc::SYS_memfd_create,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_ON_THIS_MACHINE: &[i64] =
    &[libc::SYS_kexec_file_load, libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS_uselib];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_ON_THIS_MACHINE: &[i64] = &[];

/// Denied to those that may not start programs, in addition to a `clone` that does not create a thread.
#[cfg(target_arch = "x86_64")]
const STARTS_PROGRAMS: &[i64] = &[libc::SYS_execve, libc::SYS_execveat, libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const STARTS_PROGRAMS: &[i64] = &[libc::SYS_execve, libc::SYS_execveat];

/// The namespaces that `clone` can create.
const NEW_NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// From here on, the calls above are denied to this thread, and to every thread and process that it starts. Sets "no
/// new privileges" as well.
pub(crate) fn restrict(starts_programs: bool) -> Layer {
    let Ok(machine) = TargetArch::try_from(std::env::consts::ARCH) else {
        return Layer::Missing(format!("no filter of system calls on {}", std::env::consts::ARCH));
    };
    let filters = clone3_unknown(machine).and_then(|first| Ok([first, refusals(machine, starts_programs)?]));
    let filters = match filters {
        Ok(filters) => filters,
        Err(error) => return Layer::Missing(format!("the filter of system calls cannot be built: {error}")),
    };
    for filter in &filters {
        if let Err(error) = apply_filter(filter) {
            return Layer::Missing(format!("the kernel rejects the filter of system calls: {error}"));
        }
    }
    Layer::InForce
}

/// The flags of `clone3` are in memory, which a filter cannot inspect. A C library without it falls back to `clone`.
fn clone3_unknown(machine: TargetArch) -> Result<BpfProgram, BackendError> {
    let unknown = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    SeccompFilter::new(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), SeccompAction::Allow, unknown, machine)?
        .try_into()
}

fn refusals(machine: TargetArch, starts_programs: bool) -> Result<BpfProgram, BackendError> {
    let mut rules = Rules::new();
    let programs = if starts_programs { &[][..] } else { STARTS_PROGRAMS };
    for call in REFUSED.iter().chain(REFUSED_ON_THIS_MACHINE).chain(programs) {
        rules.insert(*call, Vec::new());
    }
    let namespaces = NEW_NAMESPACES.map(i32::unsigned_abs).map(|flag| has(0, flag, flag));
    let mut clone: Vec<SeccompRule> = namespaces.into_iter().collect::<Result<_, _>>()?;
    // The limits of other processes, and the parent-death signal.
    rules.insert(libc::SYS_prlimit64, vec![other_than(0, 0)?]);
    rules.insert(libc::SYS_prctl, vec![has(0, u32::MAX, libc::PR_SET_PDEATHSIG.unsigned_abs())?]);
    // Typing into a terminal.
    rules.insert(libc::SYS_ioctl, vec![has(1, u32::MAX, u32::try_from(libc::TIOCSTI).unwrap_or(u32::MAX))?]);
    if !starts_programs {
        clone.push(has(0, libc::CLONE_THREAD.unsigned_abs(), 0)?);
        // It can only signal itself.
        let own = process::id();
        rules.insert(libc::SYS_kill, vec![other_than(0, own)?]);
        rules.insert(libc::SYS_tgkill, vec![other_than(0, own)?]);
        rules.insert(libc::SYS_tkill, Vec::new());
    }
    rules.insert(libc::SYS_clone, clone);
    #[cfg(target_arch = "x86_64")]
    rules.extend(x32(&rules));
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, refused, machine)?.try_into()
}

/// Nothing in this product uses the x32 interface, so every call with a rule is denied there entirely.
#[cfg(target_arch = "x86_64")]
fn x32(rules: &Rules) -> Rules {
    /// The calls with their own numbers there.
    const OWN_NUMBERS: std::ops::RangeInclusive<i64> = 512..=547;
    rules.keys().copied().chain(OWN_NUMBERS).map(|call| (call | X32, Vec::new())).collect()
}

/// An argument has exactly the bits of `value` among those of `mask`.
fn has(argument: u8, mask: u32, value: u32) -> Result<SeccompRule, BackendError> {
    let masked = SeccompCmpOp::MaskedEq(mask.into());
    SeccompRule::new(vec![SeccompCondition::new(argument, Dword, masked, value.into())?])
}

fn other_than(argument: u8, value: u32) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, Dword, SeccompCmpOp::Ne, value.into())?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_can_be_built_for_every_supported_machine() {
        for machine in [TargetArch::x86_64, TargetArch::aarch64, TargetArch::riscv64] {
            for starts_programs in [true, false] {
                assert!(refusals(machine, starts_programs).unwrap().len() < 4096);
            }
            assert!(clone3_unknown(machine).is_ok());
        }
    }
}
