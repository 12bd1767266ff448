//! One PostgreSQL cluster for the whole run, created when the first test needs it, and a separate database for each
//! test. A watchdog removes the cluster when the test process ends, however it ends.

use std::{
    env, fs,
    os::unix::{fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use parking_lot::Mutex;
use rustix::fs::{StatVfs, statvfs};

use super::{ports, skip_loudly};

/// A database of the cluster, dropped with this value.
pub(crate) struct FreshDatabase {
    pub(super) name: String,
    cluster: &'static Cluster,
}

impl FreshDatabase {
    /// If PostgreSQL is missing: check [`is_there`] first.
    pub(crate) fn create() -> Self {
        Self::copy_of("template0")
    }

    /// A copy of a database to which no program is connected.
    pub(super) fn copy_of(template: &str) -> Self {
        static CREATED: Mutex<u32> = Mutex::new(0);
        let cluster = cluster().expect("PostgreSQL is installed");
        // One at a time: PostgreSQL refuses to copy a template that another session is copying.
        let mut created = CREATED.lock();
        *created += 1;
        let name = format!("test_{created}");
        cluster.run("createdb", &[&format!("--template={template}"), &name]);
        Self { name, cluster }
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://{SUPERUSER}@127.0.0.1:{}/{}", self.cluster.port, self.name)
    }
}

impl Drop for FreshDatabase {
    fn drop(&mut self) {
        // Not worth failing a test: the whole cluster is removed at the end of the run.
        let _ = self.cluster.command("dropdb").args(["--force", "--if-exists", &self.name]).output();
    }
}

/// Whether tests can run on PostgreSQL here. If not, reports it (see [`skip_loudly`]).
pub(crate) fn is_there() -> bool {
    if cluster().is_none() {
        skip_loudly("PostgreSQL is missing (initdb, pg_ctl)");
    }
    cluster().is_some()
}

/// The variable that turns `fsync` on or off.
const FSYNC: &str = "SEALWRIGHT_TEST_POSTGRES_FSYNC";
pub(super) const SUPERUSER: &str = "sealwright";

pub(super) struct Cluster {
    programs: PathBuf,
    pub(super) dir: PathBuf,
    owner: Option<Owner>,
    pub(super) port: u16,
    /// Holds the watchdog's standard input open as long as this process lives; no other child inherits it.
    _watchdog: Option<Child>,
}

/// The account that runs the cluster if the tests run as root, which PostgreSQL rejects.
#[derive(Clone, Copy)]
struct Owner {
    user: u32,
    group: u32,
}

fn cluster() -> Option<&'static Cluster> {
    static CLUSTER: OnceLock<Option<Cluster>> = OnceLock::new();
    CLUSTER.get_or_init(|| find_programs().map(Cluster::start)).as_ref()
}

/// The newest installation under the folder where Debian keeps them, or the one on the `PATH`.
pub(super) fn find_programs() -> Option<PathBuf> {
    let mut installed: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    installed.sort();
    let on_path = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let newest_first = installed.into_iter().rev().map(|(_, bin)| bin);
    newest_first
        .chain(on_path)
        .find(|bin| ["initdb", "pg_ctl", "createdb", "dropdb"].iter().all(|program| bin.join(program).is_file()))
}

impl Cluster {
    pub(super) fn start(programs: PathBuf) -> Self {
        let owner = rustix::process::geteuid().is_root().then(postgres_account);
        let dir = new_folder();
        if let Some(Owner { user, group }) = owner {
            chown(&dir, Some(user), Some(group)).expect("hand the folder to the account of PostgreSQL");
        }
        let port = ports::next_address().port();
        let unwatched = Self { programs, dir, owner, port, _watchdog: None };
        // Before there is anything to remove: this process can be killed at any moment.
        let cluster = Self { _watchdog: Some(unwatched.start_watchdog()), ..unwatched };
        cluster.run(
            "initdb",
            &["--pgdata=data", "--encoding=UTF8", "--locale=C", "--auth=trust", "--no-sync", "--username", SUPERUSER],
        );
        cluster.start_server();
        cluster
    }

    pub(super) fn start_server(&self) {
        self.run("pg_ctl", &["start", "--pgdata=data", "--log=log", "--wait", "--options", &self.options()]);
    }

    fn options(&self) -> String {
        // Tests kill our program, never the database, so nothing is lost by not waiting for the disk. Turn `fsync` on
        // to measure, or to test power cuts.
        let fsync = env::var(FSYNC).unwrap_or_else(|_| "off".to_owned());
        format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories='{}' -c max_connections=400 \
             -c fsync={fsync} -c full_page_writes={fsync} -c max_wal_size=256MB",
            self.port,
            self.dir.display()
        )
    }

    /// Starts a shell that waits until this process has ended (its standard input closes then, whatever ended us),
    /// stops the cluster and removes its folder. It has its own process group and ignores Ctrl-C.
    fn start_watchdog(&self) -> Child {
        const SCRIPT: &str = r#"
            trap '' INT TERM HUP
            cat >/dev/null
            "$1/pg_ctl" stop --pgdata=data --mode=immediate --wait
            cd / && rm -rf "$2"
        "#;
        let mut shell = self.as_owner("sh");
        shell.args(["-c", SCRIPT, "watchdog"]).args([&self.programs, &self.dir]);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        shell.spawn().expect("start the watchdog of PostgreSQL")
    }

    /// If the program fails, with its output and the log of the cluster.
    pub(super) fn run(&self, program: &str, arguments: &[&str]) {
        // A file, not a pipe: the server that pg_ctl leaves behind would hold a pipe open for ever.
        let said = self.dir.join(format!("{program}.said"));
        let file = fs::File::create(&said).expect("create a file next to the cluster");
        let errors = file.try_clone().expect("share the file");
        let status = self.command(program).args(arguments).stdout(file).stderr(errors).status();
        assert!(
            status.as_ref().is_ok_and(std::process::ExitStatus::success),
            "{program}: {status:?}\n{}\n{}",
            fs::read_to_string(&said).unwrap_or_default(),
            fs::read_to_string(self.dir.join("log")).unwrap_or_default(),
        );
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.as_owner(self.programs.join(program));
        command.env("PGHOST", "127.0.0.1").env("PGPORT", self.port.to_string()).env("PGUSER", SUPERUSER);
        command.stdin(Stdio::null());
        command
    }

    fn as_owner(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        if let Some(Owner { user, group }) = self.owner {
            command.uid(user).gid(group);
        }
        command.current_dir(&self.dir).env("LC_ALL", "C");
        command
    }
}

/// A folder in memory if there is much room, because each test makes and drops a database of hundreds of files: on a disk
/// this takes a tenth of the processor's time of the whole run. With `fsync` the disk is what is measured.
fn new_folder() -> PathBuf {
    const MEMORY: &str = "/dev/shm";
    const ENOUGH_BYTES: u64 = 4 << 30;
    let room = |it: StatVfs| it.f_bavail * it.f_frsize;
    let has_room = statvfs(MEMORY).is_ok_and(|it| room(it) >= ENOUGH_BYTES) && env::var_os(FSYNC).is_none();
    let parent = if has_room { PathBuf::from(MEMORY) } else { env::temp_dir() };
    let folder = tempfile::Builder::new().prefix("sealwright-postgres-").tempdir_in(parent);
    folder.expect("a temporary folder").keep()
}

fn postgres_account() -> Owner {
    let id = |which: &str| {
        let output = Command::new("id").args([which, "postgres"]).output().expect("run id");
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        text.parse().expect("PostgreSQL does not run as root, and there is no account named postgres")
    };
    Owner { user: id("-u"), group: id("-g") }
}
