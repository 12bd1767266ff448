//! Children that try forbidden operations: each is stopped, and the others are not affected.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};
use sealwright_child_process::{Bounds, Cause, Role, run};

const PROGRAM: &str = env!("CARGO_BIN_EXE_misbehaving-child");
const BOUNDS: Bounds = Bounds { time: Duration::from_secs(20), output_bytes: 1000, own_group: true };
const LESS: [Role; 3] = [Role::ReadPages, Role::Render, Role::CompilePlugin];

/// What a child of this role reports about what it tried, or why it died.
fn tries(role: Role, operation: &str, argument: &str) -> Result<String, Cause> {
    tries_within(role, operation, argument, BOUNDS.time)
}

fn tries_within(role: Role, operation: &str, argument: &str, time: Duration) -> Result<String, Cause> {
    let mut command = role.command(Path::new(PROGRAM));
    command.args([operation, argument]);
    let result = run(&mut command, b"", Bounds { time, ..BOUNDS }).expect("the child starts");
    result.map(|output| String::from_utf8_lossy(&output).trim().to_owned()).map_err(|failure| failure.cause)
}

/// Whether the kernel that runs the tests has Landlock. If a layer is missing, `doctor` reports it, and there is
/// nothing to test here.
fn has_landlock() -> bool {
    tries(Role::Probe, "open", "/etc/passwd") == Ok("refused".to_owned())
}

#[test]
fn no_child_opens_a_file_of_the_server() {
    if !has_landlock() {
        eprintln!("SKIPPED, NOT TESTED: this kernel has no Landlock");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret.key");
    fs::write(&file, "secret").unwrap();
    for role in Role::ALL {
        assert_eq!(tries(role, "open", file.to_str().unwrap()).unwrap(), "refused", "{role:?}");
        assert_eq!(tries(role, "list", folder.path().to_str().unwrap()).unwrap(), "refused", "{role:?}");
        assert_eq!(tries(role, "open", "/proc/self/environ").unwrap(), "refused", "{role:?}");
        let programs = if role.allowance().starts_programs { "done" } else { "refused" };
        assert_eq!(tries(role, "list", "/usr").unwrap(), programs, "{role:?}");
    }
}

#[test]
fn no_child_has_a_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    for role in Role::ALL {
        assert_eq!(tries(role, "socket", "").unwrap(), "refused", "{role:?}");
        assert_eq!(tries(role, "connect", &address).unwrap(), "refused", "{role:?}");
    }
}

#[test]
fn only_a_reader_of_files_starts_programs_and_all_start_threads() {
    for role in Role::ALL {
        let expected = if role.allowance().starts_programs { "done" } else { "refused" };
        assert_eq!(tries(role, "start", "/bin/true").unwrap(), expected, "{role:?}");
        assert_eq!(tries(role, "thread", "").unwrap(), "done", "{role:?}");
    }
    for role in LESS {
        assert_eq!(tries(role, "become", "/bin/true").unwrap(), "refused", "{role:?}");
    }
}

#[test]
fn no_child_reaches_another_process_or_leaves_its_group() {
    let other = std::process::id().to_string();
    for role in LESS {
        assert_eq!(tries(role, "signal", &other).unwrap(), "refused", "{role:?}");
    }
    for role in Role::ALL {
        assert_eq!(tries(role, "leave", "").unwrap(), "refused", "{role:?}");
        assert_eq!(tries(role, "outlive", "").unwrap(), "refused", "{role:?}");
    }
}

#[test]
fn memory_descriptors_and_time_are_limited() {
    for role in [Role::ReadFile, Role::ReadPages, Role::CompilePlugin] {
        assert_eq!(tries(role, "memory", "").unwrap_err(), Cause::OutOfMemory, "{role:?}");
    }
    assert_eq!(tries(Role::Render, "limited-memory", "").unwrap_err(), Cause::OutOfMemory);
    assert_eq!(tries(Role::Render, "limited-time", "").unwrap_err(), Cause::OutOfTime);
    for role in Role::ALL {
        let printed = tries(role, "descriptors", "").unwrap();
        assert!(printed.contains("Too many open files"), "{role:?}: {printed}");
    }
    let start = Instant::now();
    assert_eq!(tries_within(Role::ReadFile, "loop", "", Duration::from_millis(200)).unwrap_err(), Cause::OutOfTime);
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// The processes of this group.
fn in_group(group: u32) -> usize {
    let stat = |process: fs::DirEntry| fs::read_to_string(process.path().join("stat")).ok();
    let group = group.to_string();
    let is_member = |stat: &String| {
        let fields = stat.rsplit_once(") ").map(|(_, fields)| fields.split(' ').collect::<Vec<_>>());
        fields.is_some_and(|fields| fields.get(2) == Some(&group.as_str()) && fields.first() != Some(&"Z"))
    };
    fs::read_dir("/proc").expect("a list of processes").filter_map(|entry| stat(entry.ok()?)).filter(is_member).count()
}

#[test]
fn endless_processes_of_a_child_die_with_it() {
    for role in LESS {
        assert_eq!(tries(role, "fork", "").unwrap(), "refused", "{role:?}");
    }
    // A reader may start programs. All of them are in its group and die with it.
    let mut command = Role::ReadFile.command(Path::new(PROGRAM));
    let mut child = command.arg("fork").stdout(Stdio::null()).spawn().unwrap();
    let group = child.id();
    wait_until("it has started some", || in_group(group) > 2);
    kill_process_group(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    wait_until("all are gone", || in_group(group) == 0);

    assert_eq!(tries_within(Role::ReadFile, "fork", "", Duration::from_millis(300)).unwrap_err(), Cause::OutOfTime);
}

#[test]
fn a_child_dies_with_its_parent() {
    let mut parent = Command::new(PROGRAM).args(["parent", "loop", "", ""]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(parent.stdout.take().unwrap()).lines();
    // The parent prints the child's process id, and the child that it is confined: in either order.
    let said = [lines.next().unwrap().unwrap(), lines.next().unwrap().unwrap()];
    assert!(said.iter().any(|line| line == "started"), "{said:?}");
    let child = said.iter().find(|line| *line != "started").unwrap();
    let runs = || {
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        // It computes endlessly: only a signal ends it. A zombie has ended.
        !stat.is_empty() && !stat.contains(") Z ")
    };
    assert!(runs());
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_until("it has died with its parent", || !runs());
}

#[test]
fn a_child_with_another_parent_does_not_start() {
    let output = Command::new(PROGRAM).args(["child", "render", "1", "thread"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("is gone"));
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < until, "{what}: not within 20 s");
        std::thread::yield_now();
    }
}
