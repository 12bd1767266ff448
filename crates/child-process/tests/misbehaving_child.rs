//! Plays a child of each role that does what it may not. It prints one word of what happened; `confinement.rs` reads it.

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
    let [first, role, parent, deed, more @ ..] = arguments.as_slice() else { return ExitCode::from(2) };
    if first != ARGUMENT {
        // Plays the parent that dies: its child says that it lives, and sleeps.
        return parent_that_dies(role);
    }
    let (Some(role), Ok(parent)) = (Role::of_name(role), parent.parse()) else { return ExitCode::from(2) };
    match confine(role, parent) {
        Ok(confinement) => {
            println!("{}", word(commit(&confinement, deed, more)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("not confined: {error}");
            ExitCode::FAILURE
        }
    }
}

fn word(deed: io::Result<()>) -> String {
    match deed {
        Ok(()) => "done".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => "refused".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn commit(confinement: &Confinement, deed: &str, more: &[String]) -> io::Result<()> {
    let argument = more.first().map_or("", String::as_str);
    let own = rustix::process::getpid();
    match deed {
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
            for_ever()
        }
        "loop" => {
            println!("begun");
            for_ever()
        }
        // Bounded: what is left over when a test fails must not take the machine's processes (an earlier version did).
        "fork" => {
            for _ in 0..50 {
                Command::new("/bin/sh").args(["-c", "sleep 30 & sleep 30"]).spawn()?;
                thread::sleep(Duration::from_millis(20));
            }
            for_ever()
        }
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

fn for_ever() -> ! {
    loop {
        std::hint::spin_loop();
    }
}

fn parent_that_dies(deed: &str) -> ExitCode {
    let program = sealwright_child_process::this_program();
    let Ok(mut child) = Role::Render.command(&program).arg(deed).spawn() else { return ExitCode::FAILURE };
    println!("{}", child.id());
    // Killed here.
    let _ = child.wait();
    ExitCode::SUCCESS
}
