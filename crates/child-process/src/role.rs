//! Which children exist, and what each one may do. This table is the only place that defines it.

use std::{
    env,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
};

/// The first argument of the program makes it a child. The role follows, then the parent's process id, then flags.
pub const ARGUMENT: &str = "child";

/// Where the system keeps programs, libraries and their data. Text recognition is started from there.
const SYSTEM: [&str; 8] = ["/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/nix/store", "/gnu/store"];

/// What a child is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads a document or a photo, and starts text recognition.
    ReadFile,
    /// Reads the text of a certificate's pages.
    ReadPages,
    /// Lays out certificates, with one template, until its input ends.
    Render,
    /// Compiles a plugin's component.
    CompilePlugin,
    /// Tries forbidden operations ([`probe`](crate::probe)).
    Probe,
}

/// What a child may use. Every child may use its standard input and output; no child may use a file of the server, a
/// network or another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Memory without files, in bytes; each program that it starts may use the same amount. `None`: each request sets
    /// it ([`Confinement::limit_request`](crate::Confinement::limit_request)).
    pub memory_bytes: Option<u64>,
    /// Processor time; `None` as above.
    pub cpu_seconds: Option<u64>,
    /// The most open file descriptors.
    pub descriptors: u64,
    /// Whether it may start programs: those of the system, and text recognition in `PATH`. They are confined in the
    /// same way.
    pub starts_programs: bool,
}

impl Role {
    pub const ALL: [Self; 5] = [Self::ReadFile, Self::ReadPages, Self::Render, Self::CompilePlugin, Self::Probe];

    pub const fn name(self) -> &'static str {
        match self {
            Self::ReadFile => "read-file",
            Self::ReadPages => "read-pages",
            Self::Render => "render",
            Self::CompilePlugin => "compile-plugin",
            Self::Probe => "probe",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    pub const fn allowance(self) -> Allowance {
        let reads =
            Allowance { memory_bytes: Some(1 << 30), cpu_seconds: Some(90), descriptors: 64, starts_programs: false };
        match self {
            // Probe the widest allowance: what it forbids, every other forbids too.
            Self::ReadFile | Self::Probe => Allowance { starts_programs: true, ..reads },
            Self::ReadPages => reads,
            Self::Render => Allowance { memory_bytes: None, cpu_seconds: None, ..reads },
            Self::CompilePlugin => Allowance { memory_bytes: Some(768 << 20), cpu_seconds: Some(120), ..reads },
        }
    }

    /// The variables that it gets from the server's environment: those for finding text recognition, never a setting or
    /// a secret.
    const fn environment(self) -> &'static [&'static str] {
        if self.allowance().starts_programs { &["PATH", "TESSDATA_PREFIX"] } else { &[] }
    }

    /// Settings of the C library's allocator (`mallopt(3)`); other C libraries ignore them.
    ///
    /// A rendering process needs the same tens of megabytes for each certificate. By default it returns them to the
    /// system in between, and the kernel clears each page again before the next use. The work is on a second thread, so
    /// without the first setting its memory would be that of an additional arena, which grows page by page.
    const fn allocator(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Render => &[
                ("MALLOC_ARENA_MAX", "1"),
                ("MALLOC_TOP_PAD_", "4194304"),
                ("MALLOC_TRIM_THRESHOLD_", "67108864"),
                ("MALLOC_MMAP_THRESHOLD_", "33554432"),
            ],
            Self::ReadFile | Self::ReadPages | Self::CompilePlugin | Self::Probe => &[],
        }
    }

    /// The files and folders that a child of this role may read and start programs from.
    pub(crate) fn readable(self) -> Vec<PathBuf> {
        if !self.allowance().starts_programs {
            return Vec::new();
        }
        let mut readable: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        readable.extend(["/dev/null", "/dev/urandom"].map(PathBuf::from));
        readable.extend(env::var_os("TESSDATA_PREFIX").map(PathBuf::from));
        if let Some(program) = text_recognition() {
            readable.extend(around(&program));
            // The target of a link has its libraries and languages around it.
            readable.extend(program.canonicalize().iter().flat_map(|program| around(program)));
        }
        readable
    }

    /// The command that starts a child with this role; `program` is this program.
    pub fn command(self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.args([ARGUMENT, self.name(), &std::process::id().to_string()]).env_clear();
        command.envs(self.allocator().iter().copied());
        for name in self.environment() {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        // Ctrl-C is for the server, which finishes the work in progress. And what a child starts is killed with it.
        command.current_dir("/").process_group(0);
        command
    }
}

/// Tesseract in `PATH`.
fn text_recognition() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join("tesseract")).find(|program| program.is_file())
}

/// A program, and what belongs to it in the usual layout: `PREFIX/bin/program`, `PREFIX/lib`, `PREFIX/share`.
fn around(program: &Path) -> Vec<PathBuf> {
    let prefix = program.parent().and_then(Path::parent).filter(|prefix| prefix.parent().is_some());
    let siblings = prefix.into_iter().flat_map(|prefix| [prefix.join("lib"), prefix.join("share")]);
    std::iter::once(program.to_owned()).chain(siblings).collect()
}

/// The running program, even if its file was replaced meanwhile: another version could not talk to this one.
pub fn this_program() -> PathBuf {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { running } else { env::current_exe().unwrap_or(running) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_is_found_by_its_name() {
        for role in Role::ALL {
            assert_eq!(Role::of_name(role.name()), Some(role));
        }
        assert_eq!(Role::of_name("serve"), None);
    }

    #[test]
    fn only_a_rendering_process_keeps_its_memory() {
        for role in Role::ALL {
            let command = role.command(Path::new("/bin/true"));
            let kept = command.get_envs().any(|(name, value)| name == "MALLOC_TRIM_THRESHOLD_" && value.is_some());
            assert_eq!(kept, role == Role::Render, "{role:?}");
        }
    }

    #[test]
    fn only_a_reader_of_files_reads_anything_or_sees_the_environment() {
        for role in Role::ALL {
            let reads = matches!(role, Role::ReadFile | Role::Probe);
            assert_eq!(role.readable().is_empty(), !reads, "{role:?}");
            assert_eq!(role.environment().is_empty(), !reads, "{role:?}");
        }
    }

    #[test]
    fn the_folders_of_a_program_are_found_around_it() {
        let found = around(Path::new("/opt/ocr/bin/tesseract"));
        assert_eq!(found, ["/opt/ocr/bin/tesseract", "/opt/ocr/lib", "/opt/ocr/share"].map(PathBuf::from));
        assert_eq!(around(Path::new("/bin/tesseract")), [PathBuf::from("/bin/tesseract")], "the root is too much");
    }
}
