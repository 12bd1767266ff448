//! The program as a process: started with its own folder and database, given company manifests, and stopped like an
//! operator or a power cut would.

mod commands;
mod process;

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Output},
};

use tempfile::TempDir;

use super::{EFFECT, client::Api, compiled, eventually, postgres::FreshDatabase, schema};

/// The two databases on which every behaviour is tested.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

/// The command that serves requests and runs jobs.
const ALL: [&str; 3] = ["serve", "--role", "all"];

/// The data folder, in the folder of the server.
const DATA: &str = "data";

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

    /// Starts `sealwright demo`, without a database that is there already.
    pub(crate) async fn start_demo() -> Self {
        let mut server = Self::not_started(Database::Sqlite);
        server.words = vec!["demo"];
        server.prepare(&[]);
        server.launch().await;
        server
    }

    /// Starts a server with more settings, by the names of their environment variables.
    pub(crate) async fn start_with(database: Database, settings: &[(&str, &str)]) -> Self {
        let folder = Self::new_folder();
        let database = match database {
            Database::Sqlite => {
                schema::write_file(&folder.path().join(DATA));
                None
            }
            Database::Postgres => Some(schema::database()),
        };
        let mut server = Self::on(folder, database);
        server.prepare(settings);
        server.launch().await;
        compiled::share(&server.data_dir());
        server
    }

    /// An installation that has the keys of `original` and its public root, but neither rows nor files. It is started by
    /// [`Self::begin`].
    pub(crate) fn with_keys_of(original: &Self, database: Database) -> Self {
        let mut server = Self::not_started(database);
        server.prepare(&[("SEALWRIGHT_BASE_URL", &original.base_url())]);
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

    /// Sets these, and copies what another server has compiled.
    fn prepare(&mut self, settings: &[(&str, &str)]) {
        for (name, value) in settings {
            self.set(name, value);
        }
        compiled::restore(&self.data_dir());
    }

    /// A server with an empty database, and without a data folder. It is started by [`Self::begin`].
    pub(crate) fn not_started(database: Database) -> Self {
        let database = match database {
            Database::Sqlite => None,
            Database::Postgres => Some(FreshDatabase::create()),
        };
        Self::on(Self::new_folder(), database)
    }

    fn new_folder() -> TempDir {
        tempfile::Builder::new().prefix("sealwright-server-").tempdir().expect("a temporary folder")
    }

    fn on(folder: TempDir, database: Option<FreshDatabase>) -> Self {
        let mut server =
            Self { process: None, settings: Vec::new(), addresses: None, words: ALL.to_vec(), folder, database };
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
        self.folder.path().join(DATA)
    }

    /// The address of the database: `sqlite://…` or `postgres://…`.
    pub(crate) fn database_url(&self) -> String {
        let default = || format!("sqlite://{}", self.data_dir().join(schema::FILE).display());
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
