//! The program as a process: started with its own folder and database, given company manifests, and stopped like an
//! operator or a power cut would.

use std::{
    fs::{self, File},
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::Duration,
};

use hyper::Method;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};
use serde_json::Value;
use tempfile::TempDir;

use super::{AMPLE, EFFECT, client::Api, compiled, eventually, postgres::FreshDatabase};

/// The two databases on which every behaviour is tested.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

/// The command that serves requests and runs jobs.
const ALL: [&str; 3] = ["serve", "--role", "all"];

/// A ready server. Dropping it kills the process and, if the test has failed, prints the log.
pub(crate) struct TestServer {
    process: Option<Child>,
    settings: Vec<(String, String)>,
    /// The address of the server. A restart keeps it, so that earlier URLs stay valid.
    addresses: Option<Addresses>,
    /// The arguments of the program: `serve --role …`, or `demo`.
    words: Vec<&'static str>,
    folder: TempDir,
    // Below `process`, so that the database is dropped after the server that uses it.
    database: Option<FreshDatabase>,
}

#[derive(Clone, Copy, Debug)]
struct Addresses {
    public: SocketAddr,
    admin: SocketAddr,
}

impl TestServer {
    pub(crate) async fn start(database: Database) -> Self {
        Self::start_with(database, &[]).await
    }

    /// Starts `sealwright demo`.
    pub(crate) async fn start_demo() -> Self {
        Self::start_as(&["demo"], Database::Sqlite, &[]).await
    }

    /// Starts a server with more settings, by the names of their environment variables.
    pub(crate) async fn start_with(database: Database, settings: &[(&str, &str)]) -> Self {
        Self::start_as(&ALL, database, settings).await
    }

    /// An installation that has the keys of `original` and its public root, but neither rows nor files. It is started by
    /// [`Self::begin`].
    pub(crate) fn with_keys_of(original: &Self, database: Database) -> Self {
        let server = Self::prepare(&ALL, database, &[("SEALWRIGHT_BASE_URL", &original.base_url())]);
        let (from, to) = (original.data_dir(), server.data_dir());
        for file in files_below(&from) {
            let name = file.strip_prefix(&from).expect("a file in the folder");
            let is_key = |start: &str| name.to_string_lossy().starts_with(start);
            if is_key("secret.key") || is_key("development-authority") {
                let copy = to.join(name);
                fs::create_dir_all(copy.parent().expect("a file in a folder")).expect("create a folder");
                fs::copy(&file, copy).expect("copy a key");
            }
        }
        server
    }

    /// Starts a server that was not started yet.
    pub(crate) async fn begin(&mut self) {
        self.launch().await;
    }

    async fn start_as(words: &[&'static str], database: Database, settings: &[(&str, &str)]) -> Self {
        let mut server = Self::prepare(words, database, settings);
        server.launch().await;
        compiled::share(&server.data_dir());
        server
    }

    fn prepare(words: &[&'static str], database: Database, settings: &[(&str, &str)]) -> Self {
        let mut server = Self::not_started(database);
        server.words = words.to_vec();
        for (name, value) in settings {
            server.set(name, value);
        }
        compiled::restore(&server.data_dir());
        server
    }

    /// A server with an empty database, and without a data folder. It is started by [`Self::begin`].
    pub(crate) fn not_started(database: Database) -> Self {
        let folder = tempfile::Builder::new().prefix("sealwright-server-").tempdir().expect("a temporary folder");
        let fresh = match database {
            Database::Sqlite => None,
            Database::Postgres => Some(FreshDatabase::create()),
        };
        let words = ALL.to_vec();
        let mut server = Self { process: None, settings: Vec::new(), addresses: None, words, folder, database: fresh };
        server.set("SEALWRIGHT_DATA_DIR", &server.data_dir().display().to_string());
        server.set("SEALWRIGHT_WEBHOOK_ALLOW_PRIVATE_ADDRESSES", "true");
        server.set("SEALWRIGHT_LOG_FORMAT", "text");
        server.set("SEALWRIGHT_LOG_LEVEL", "debug");
        if let Some(database_url) = server.database.as_ref().map(FreshDatabase::url) {
            server.set("SEALWRIGHT_DATABASE_URL", &database_url);
        }
        server
    }

    /// Starts another node on this server's database and files, with the same public root and secret key. It must be
    /// dropped before this one. Only for PostgreSQL: nodes cannot share SQLite.
    pub(crate) async fn another_node(&self) -> Self {
        let data_dir = self.data_dir();
        let folder = tempfile::Builder::new().prefix("sealwright-node-").tempdir().expect("a temporary folder");
        let settings = self.settings.clone();
        let mut node = Self { process: None, settings, addresses: None, words: ALL.to_vec(), folder, database: None };
        node.set("SEALWRIGHT_DATA_DIR", &node.data_dir().display().to_string());
        node.set("SEALWRIGHT_DATABASE_URL", &self.database_url());
        node.set("SEALWRIGHT_BLOB_URL", &format!("file://{}", data_dir.join("blobs").display()));
        node.set("SEALWRIGHT_SECRET_KEY_FILE", &data_dir.join("secret.key").display().to_string());
        node.set("SEALWRIGHT_BASE_URL", &self.base_url());
        node.set("SEALWRIGHT_LISTEN", "127.0.0.1:0");
        node.set("SEALWRIGHT_ADMIN_LISTEN", "127.0.0.1:0");
        compiled::restore(&node.data_dir());
        node.launch().await;
        node
    }

    /// Changes a setting. It applies to every command at once and to the server from the next [`Self::restart`].
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.settings.retain(|(set, _)| set != name);
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    /// The public root, `http://127.0.0.1:<port>`.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.addresses().public)
    }

    /// The root of the operators' URLs.
    pub(crate) fn admin_url(&self) -> String {
        format!("http://{}", self.addresses().admin)
    }

    /// The server's address, for raw sockets.
    pub(crate) fn address(&self) -> SocketAddr {
        self.addresses().public
    }

    /// The value of a metric, by its name with labels.
    pub(crate) async fn metric(&self, name: &str) -> i64 {
        let metrics = Api::new(&self.admin_url(), None).get("/metrics").await.expect(200).text();
        let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        value.unwrap_or_else(|| panic!("there is no metric {name}"))
    }

    /// The peak memory of the server, in MiB.
    pub(crate) fn peak_memory(&self) -> usize {
        let process = self.process.as_ref().expect("the server runs").id();
        let status = fs::read_to_string(format!("/proc/{process}/status")).expect("Linux reports memory");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        line.and_then(|kibibytes| kibibytes.parse::<usize>().ok()).expect("a number of kB") / 1024
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The address of the database: `sqlite://…` or `postgres://…`.
    pub(crate) fn database_url(&self) -> String {
        let default = || format!("sqlite://{}", self.data_dir().join("sealwright.db").display());
        self.database.as_ref().map_or_else(default, FreshDatabase::url)
    }

    /// The files of items in the blob store, unfinished ones included.
    pub(crate) fn files_of_items(&self) -> Vec<PathBuf> {
        files_below(&self.data_dir().join("blobs/items"))
    }

    /// A folder for the test's own files. It is removed with the server.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A client that has not signed in.
    pub(crate) fn anonymous(&self) -> Api {
        Api::new(&self.base_url(), None)
    }

    /// A client with a token. Waits as long as a company manifest may need to take effect.
    pub(crate) async fn sign_in(&self, username: &str, password: &str) -> Api {
        let anonymous = &self.anonymous();
        let token = eventually(&format!("{username} signs in"), EFFECT, async || {
            let answer = anonymous.sign_in(username, password).await;
            if answer.status == 401 {
                return None;
            }
            Some(answer.expect(200).json()["token"].as_str().expect("token is a string").to_owned())
        })
        .await;
        Api::new(&self.base_url(), Some(token))
    }

    /// Runs `sealwright apply` on a company manifest.
    pub(crate) fn apply(&self, company_manifest: &str) -> Output {
        self.run(&["apply", &self.write_company_manifest(company_manifest)])
    }

    /// Applies a company manifest that must be accepted.
    #[track_caller]
    pub(crate) fn must_apply(&self, company_manifest: &str) {
        let output = self.apply(company_manifest);
        assert!(output.status.success(), "apply: {}\n{}", output.status, said(&output));
    }

    /// Applies several company manifests in one call, all of which must be accepted.
    #[track_caller]
    pub(crate) fn must_apply_all(&self, company_manifests: &[String]) {
        let files: Vec<String> = company_manifests.iter().map(|text| self.write_company_manifest(text)).collect();
        let arguments: Vec<&str> = std::iter::once("apply").chain(files.iter().map(String::as_str)).collect();
        let output = self.run(&arguments);
        assert!(output.status.success(), "apply: {}\n{}", output.status, said(&output));
    }

    /// Writes a company manifest to a file and returns its path.
    pub(crate) fn write_company_manifest(&self, company_manifest: &str) -> String {
        let file = tempfile::Builder::new().prefix("company-").suffix(".toml").tempfile_in(self.folder());
        let (_, path) = file.expect("a file next to the data").keep().expect("keep the file");
        fs::write(&path, company_manifest).expect("write the company manifest");
        path.display().to_string()
    }

    /// Runs a command of the program with this server's settings, next to the server.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("run sealwright")
    }

    /// The same with further variables in its environment.
    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        self.command(arguments).envs(variables.iter().copied()).output().expect("run sealwright")
    }

    /// Starts a command of the program with this server's settings, next to the server. Its output can be read.
    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("start sealwright")
    }

    /// The recorded attempts of the case webhook, newest first: `sealwright webhook list`.
    pub(crate) fn webhook_attempts(&self) -> Vec<Value> {
        self.all_attempts().into_iter().filter(|attempt| attempt["kind"] == "case").collect()
    }

    /// The recorded attempts of both webhooks, newest first.
    pub(crate) fn all_attempts(&self) -> Vec<Value> {
        let output = self.run(&["webhook", "list", "--json", "--limit", "100000"]);
        assert!(output.status.success(), "{}", said(&output));
        serde_json::from_slice(&output.stdout).expect("webhook list --json prints an array")
    }

    /// The identifier of the server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.as_ref().expect("the server runs").id()
    }

    /// Kills the process like a crash (SIGKILL).
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("kill the server");
            process.wait().expect("wait for the server");
        }
    }

    /// Limits the descriptors that the server can open to numbers below `limit`, and returns the previous limit.
    pub(crate) fn allow_descriptors(&self, limit: u64) -> u64 {
        let process = Pid::from_child(self.process.as_ref().expect("the server runs"));
        let maximum = getrlimit(Resource::Nofile).maximum;
        let before = prlimit(Some(process), Resource::Nofile, Rlimit { current: Some(limit), maximum });
        before.expect("limit the server").current.unwrap_or(u64::MAX)
    }

    /// Stops the server like an operator (SIGTERM), and requires that it drains and exits with success.
    pub(crate) async fn terminate(&mut self) {
        self.signal_to_drain();
        let status = self.wait_for_exit().await;
        assert!(status.success(), "after SIGTERM the server ended with {status}");
    }

    /// Pauses the process like an overloaded machine (SIGSTOP), until [`Self::thaw`].
    pub(crate) fn freeze(&self) {
        let process = self.process.as_ref().expect("the server runs");
        kill_process(Pid::from_child(process), Signal::STOP).expect("send SIGSTOP to the server");
    }

    pub(crate) fn thaw(&self) {
        let process = self.process.as_ref().expect("the server runs");
        kill_process(Pid::from_child(process), Signal::CONT).expect("send SIGCONT to the server");
    }

    /// Sends SIGTERM and does not wait.
    pub(crate) fn signal_to_drain(&self) {
        let process = self.process.as_ref().expect("the server runs");
        kill_process(Pid::from_child(process), Signal::TERM).expect("send SIGTERM to the server");
    }

    /// Waits until the server has ended by itself, at most the 30 s that it may drain and some more.
    pub(crate) async fn wait_for_exit(&mut self) -> ExitStatus {
        let mut process = self.process.take().expect("the server runs");
        eventually("the server ends", Duration::from_secs(30) + AMPLE, async || {
            process.try_wait().expect("ask for the server's state")
        })
        .await
    }

    /// Restarts the server with the same data and addresses; kills it first if it runs.
    pub(crate) async fn restart(&mut self) {
        self.kill();
        let addresses = self.addresses();
        self.set("SEALWRIGHT_LISTEN", &addresses.public.to_string());
        self.set("SEALWRIGHT_ADMIN_LISTEN", &addresses.admin.to_string());
        // A connection of another test may have the port for a moment.
        let is_free = |address| TcpListener::bind(address).is_ok();
        eventually("the server's addresses are free", AMPLE, async || {
            (is_free(addresses.public) && is_free(addresses.admin)).then_some(())
        })
        .await;
        self.launch().await;
    }

    /// Restarts the server with half of its work, or all of it: `api` leaves every job in the queue.
    pub(crate) async fn restart_as(&mut self, role: &'static str) {
        self.restart_with(&["serve", "--role", role]).await;
    }

    /// Restarts the server by another command.
    pub(crate) async fn restart_with(&mut self, words: &[&'static str]) {
        self.words = words.to_vec();
        self.restart().await;
    }

    /// The log of the server since its first start.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    /// Starts the process and waits until it is ready and has written its addresses.
    async fn launch(&mut self) {
        for name in [PUBLIC_ADDRESS_FILE, ADMIN_ADDRESS_FILE] {
            // Absent at the first start; a stale one would name the port of an ended process.
            let _ = fs::remove_file(self.data_dir().join(name));
        }
        let log = File::options().create(true).append(true).open(self.log_path()).expect("open the log");
        let mut serve = self.command(&self.words);
        serve.stdin(Stdio::null()).stdout(log.try_clone().expect("share the log")).stderr(log);
        self.process = Some(serve.spawn().expect("start sealwright serve"));
        if self.words.contains(&"worker") {
            // A worker answers operators only.
            let admin = self.await_address(ADMIN_ADDRESS_FILE).await;
            self.addresses = Some(Addresses { public: admin, admin });
            let operator = Api::new(&self.admin_url(), None);
            eventually("the worker is ready", AMPLE, async || {
                (operator.get("/metrics").await.status == 200).then_some(())
            })
            .await;
            return;
        }
        let public = self.await_address(PUBLIC_ADDRESS_FILE).await;
        let admin = self.await_address(ADMIN_ADDRESS_FILE).await;
        self.addresses = Some(Addresses { public, admin });
        let anonymous = self.anonymous();
        eventually("the server is ready", AMPLE, async || {
            // A connection is cut off if it is accepted just before the server that answers during startup ends.
            let answer = anonymous.request(Method::GET, "/readyz").send().await.ok()?;
            (answer.status() == 200).then_some(())
        })
        .await;
    }

    async fn await_address(&mut self, name: &str) -> SocketAddr {
        let path = self.data_dir().join(name);
        eventually(&format!("the server writes {name}"), AMPLE, async || {
            self.check_alive();
            // A half-written file has no line end, and is read again.
            fs::read_to_string(&path).ok()?.strip_suffix('\n')?.parse().ok()
        })
        .await
    }

    fn check_alive(&mut self) {
        let process = self.process.as_mut().expect("the server was started");
        if let Some(status) = process.try_wait().expect("ask for the server's state") {
            self.process = None;
            panic!("the server ended with {status} before it was ready");
        }
    }

    /// A command of the program with this server's settings, not started yet.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sealwright"));
        // Only the test's settings: the environment of the person who runs the tests must not interfere.
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("RUST_BACKTRACE", "1");
        command.env("SEALWRIGHT_LISTEN", "127.0.0.1:0").env("SEALWRIGHT_ADMIN_LISTEN", "127.0.0.1:0");
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    fn addresses(&self) -> Addresses {
        self.addresses.expect("the server has started once")
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("server.log")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // It may have ended by itself; then there is nothing left to do.
            let _ = process.kill();
            let _ = process.wait();
        }
        if std::thread::panicking() {
            eprintln!("--- log of the server ---\n{}--- end of the log ---", self.log());
        }
    }
}

/// Every file below a folder, at any depth.
///
/// If the folder does not exist.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("read a folder of the server") {
            let entry = entry.expect("read a folder of the server");
            // A file that disappears meanwhile is not a folder.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files
}

/// The number of files in a folder at any depth; 0 if it does not exist.
pub(crate) fn files_of(folder: &Path) -> usize {
    if folder.is_dir() { files_below(folder).len() } else { 0 }
}

/// The output of a command, for the message of a failed assertion.
pub(crate) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The server writes these files to its data folder when it listens, because port 0 lets the system choose.
const PUBLIC_ADDRESS_FILE: &str = "listen.address";
const ADMIN_ADDRESS_FILE: &str = "admin.address";
