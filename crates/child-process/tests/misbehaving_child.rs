//! Plays a child of each role that tries forbidden operations. It prints one word for what happened; `confinement.rs`
//! reads it.

use std::{
    env, fs, io,
    net::{TcpStream, UdpSocket},
    os::{fd::AsFd, unix::process::CommandExt},
    process::{Command, ExitCode},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process, setpgid, setsid};
use sealwright_child_process::{ARGUMENT, Confinement, Role, confine};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [first, role, parent, operation, more @ ..] = arguments.as_slice() else { return ExitCode::from(2) };
    if first != ARGUMENT {
        // Plays the parent that dies: its child reports that it is alive, and sleeps.
        return parent_that_dies(role);
    }
    let (Some(role), Ok(parent)) = (Role::of_name(role), parent.parse()) else { return ExitCode::from(2) };
    match confine(role, parent) {
        Ok(confinement) => {
            println!("{}", word(commit(&confinement, operation, more)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("not confined: {error}");
            ExitCode::FAILURE
        }
    }
}

fn word(result: io::Result<()>) -> String {
    match result {
        Ok(()) => "done".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => "refused".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn commit(confinement: &Confinement, operation: &str, more: &[String]) -> io::Result<()> {
    let argument = more.first().map_or("", String::as_str);
    let own = rustix::process::getpid();
    match operation {
        "open" => fs::File::open(argument).map(drop),
        "list" => fs::read_dir(argument).map(drop),
        "socket" => UdpSocket::bind("127.0.0.1:0").map(drop),
        "connect" => TcpStream::connect(argument).map(drop),
        "start" => Command::new(argument).status().map(drop),
        "become" => Err(Command::new(argument).exec()),
        "thread" => thread::Builder::new().spawn(|| ()).map(drop),
        "leave" => {
            setsid()?;
            setpgid(Some(own), Some(own)).map_err(io::Error::from)
        }
        "signal" => {
            let other = argument.parse().ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
            Ok(kill_process(other, Signal::CONT)?)
        }
        "outlive" => Ok(rustix::process::set_parent_process_death_signal(None)?),
        "descriptors" => {
            let files: io::Result<Vec<_>> = (0..1000).map(|_| io::stdout().as_fd().try_clone_to_owned()).collect();
            files.map(drop)
        }
        "memory" => {
            drop(vec![1_u8; 3 << 30]);
            Ok(())
        }
        "limited-memory" => {
            confinement.limit_request(60, 64 << 20)?;
            drop(vec![1_u8; 128 << 20]);
            Ok(())
        }
        "limited-time" => {
            confinement.limit_request(1, 1 << 30)?;
            forever()
        }
        "loop" => {
            println!("started");
            forever()
        }
        // Bounded: leftovers of a failed test must not use up the machine's processes (an earlier version did).
        "fork" => {
            for _ in 0..50 {
                Command::new("/bin/sh").args(["-c", "sleep 30 & sleep 30"]).spawn()?;
                thread::sleep(Duration::from_millis(20));
            }
            forever()
        }
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

fn forever() -> ! {
    loop {
        std::hint::spin_loop();
    }
}

fn parent_that_dies(operation: &str) -> ExitCode {
    let program = sealwright_child_process::this_program();
    let Ok(mut child) = Role::Render.command(&program).arg(operation).spawn() else { return ExitCode::FAILURE };
    println!("{}", child.id());
    // Killed here.
    let _ = child.wait();
    ExitCode::SUCCESS
}
