//! The operator's settings: a TOML file, overridden by environment variables, overridden by flags. [`Setting`] is the
//! list of them; this module gives them their types and defaults.

mod backup;
mod console;
mod error;
mod openid;
mod plugins;
mod seal;
mod secret_source;
mod setting;
mod sources;
#[cfg(test)]
mod tests;
mod value;
mod witness;

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::{self, Path, PathBuf},
    time::Duration,
};

use ipnet::IpNet;
use serde::Serialize;
use url::Url;

use self::sources::Given;
pub use self::value::duration as parse_duration;
pub use self::{
    backup::BackupSettings,
    console::{ConsoleSettings, TileServer},
    error::ConfigError,
    openid::{ConsoleOpenIdSettings, FieldOpenIdSettings, OpenIdSettings, is_safe_provider_url},
    plugins::{PluginSettings, RegistrySettings},
    seal::{SealSettings, SignerFiles, SignerSource},
    secret_source::{SecretSource, SecretSourceError},
    setting::Setting,
    sources::{DEFAULT_FILE, SettingsFile, Sources},
    witness::{LogWitness, WitnessSettings},
};
use crate::secrets::SecretString;

/// The settings, complete and checked. All paths are absolute.
#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    pub admin_listen: SocketAddr,
    /// The server's public root, without a slash at its end.
    pub base_url: String,
    pub data_dir: PathBuf,
    /// `sqlite://…` or `postgres://…`, which may hold a password.
    pub database_url: SecretString,
    /// How long `serve` waits at startup for an unreachable database.
    pub database_wait: Duration,
    pub blob_url: Url,
    pub plugin_dir: PathBuf,
    /// `None`: the built-in template.
    pub template_dir: Option<PathBuf>,
    pub secret_key_file: PathBuf,
    pub token_lifetime: Duration,
    pub plugins: PluginSettings,
    pub console: ConsoleSettings,
    pub field: FieldSettings,
    /// The proxies whose `Forwarded` and `X-Forwarded-For` are trusted.
    pub trusted_proxies: Vec<IpNet>,
    pub http: HttpSettings,
    pub seal: SealSettings,
    pub witnesses: WitnessSettings,
    pub analysis: AnalysisSettings,
    pub webhook: WebhookSettings,
    pub log: LogSettings,
    pub otlp: OtlpSettings,
    pub backup: BackupSettings,
    described: Vec<DescribedSetting>,
}

/// What one client may occupy of the public listener.
#[derive(Clone, Debug)]
pub struct HttpSettings {
    /// `None`: as many as the limit of open files allows.
    pub connections: Option<usize>,
    pub connections_per_address: Option<usize>,
    /// For a request's header, and between requests.
    pub header_timeout: Duration,
    /// While a body sends nothing, or a client reads nothing of an answer.
    pub idle_timeout: Duration,
    /// For a whole JSON body.
    pub json_timeout: Duration,
}

/// The field app.
#[derive(Clone, Debug)]
pub struct FieldSettings {
    /// A session ends this long after its last request.
    pub session_idle: Duration,
    /// A session ends this long after the sign-in.
    pub session_lifetime: Duration,
    /// `None`: users sign in with a password only.
    pub openid: Option<FieldOpenIdSettings>,
}

#[derive(Clone, Debug)]
pub struct AnalysisSettings {
    /// How long a closed case waits for its document analyses (spec 3.3).
    pub deadline: Duration,
    pub sweep_interval: Duration,
    /// The certificates of the issuers of signed codes: a file, or a folder. `None`: their signatures are not checked.
    pub codes_trust: Option<PathBuf>,
    /// Roots (PEM) of signers of content credentials that are trusted. `None`: no signer is.
    pub provenance_trust: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct WebhookSettings {
    /// For one whole dispatch, including the connection (decisions 12).
    pub timeout: Duration,
    /// Accepts http, IP-literal, loopback and private receivers: for development and tests.
    pub allow_private_addresses: bool,
}

#[derive(Clone, Debug)]
pub struct LogSettings {
    pub format: LogFormat,
    /// Directives of `tracing_subscriber::EnvFilter`.
    pub level: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Readable lines.
    Text,
    /// One JSON object a line.
    Json,
}

/// The receiver of traces and metrics.
#[derive(Clone, Debug)]
pub struct OtlpSettings {
    /// The root of the receiver's addresses, without a slash at its end. `None`: nothing is sent.
    pub endpoint: Option<String>,
    /// The headers of each request to the receiver. They may contain a password, so only the file is a setting.
    pub headers_file: Option<PathBuf>,
    /// How often metrics are sent.
    pub interval: Duration,
}

/// One setting as `doctor` shows it: passwords are hidden.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DescribedSetting {
    pub key: &'static str,
    pub value: String,
    /// `default`, `sealwright.toml:3: listen`, `SEALWRIGHT_LISTEN` or `--listen`.
    pub origin: String,
}

/// The origin of a setting that no source names.
const DEFAULT_ORIGIN: &str = "default";

/// Settings, and warnings about them for the operator.
#[derive(Clone, Debug)]
pub struct LoadedConfig {
    pub config: Config,
    pub warnings: Vec<String>,
}

impl Config {
    /// Makes the settings from their sources.
    ///
    /// # Errors
    /// All problems at once. Each names the value's origin (file and line, variable or flag), the value, and what was
    /// expected; an unknown key names the nearest one.
    pub fn load(sources: &Sources) -> Result<LoadedConfig, ConfigError> {
        let mut values = Values::gather(sources);
        let config = values.config(sources);
        match config {
            Some(config) if values.problems.is_empty() => {
                Ok(LoadedConfig { config, warnings: sources::unknown_variables(sources) })
            }
            _ => Err(ConfigError { problems: values.problems }),
        }
    }

    /// Every setting with its value and where it comes from, in the order of [`Setting`].
    pub fn describe(&self) -> &[DescribedSetting] {
        &self.described
    }

    /// Whether a source gives the setting, so that its default does not apply.
    pub fn is_given(&self, setting: Setting) -> bool {
        self.described.iter().any(|described| described.key == setting.key() && described.origin != DEFAULT_ORIGIN)
    }

    /// Records the address that the server actually listens on, which differs if `listen` asked for port 0.
    /// A `base_url` that was not given follows it.
    pub fn listens_on(&mut self, address: SocketAddr) {
        if self.base_url == default_base_url(self.listen) {
            self.base_url = default_base_url(address);
        }
        self.listen = address;
    }
}

fn default_base_url(listen: SocketAddr) -> String {
    format!("http://{listen}")
}

/// The values that were given, while they are turned into settings one by one.
struct Values {
    given: BTreeMap<Setting, Given>,
    problems: Vec<String>,
    described: Vec<DescribedSetting>,
}

impl Values {
    fn gather(sources: &Sources) -> Self {
        let mut problems = Vec::new();
        let given = sources::gather(sources, &mut problems);
        Self { given, problems, described: Vec::new() }
    }

    /// `None` only after a problem was recorded. Every setting is read before the first missing one ends it.
    fn config(&mut self, sources: &Sources) -> Option<Config> {
        let path = |text: &str| absolute(&sources.working_dir, text);
        let listen = self.read(Setting::Listen, "127.0.0.1:8080", value::address);
        let admin_listen = self.read(Setting::AdminListen, "127.0.0.1:8081", value::address);
        let default = listen.map(default_base_url).unwrap_or_default();
        let base_url = self.read(Setting::BaseUrl, &default, value::base_url);
        let data_dir = self.read(Setting::DataDir, "./sealwright-data", path).unwrap_or_default();
        let inside = |name: &str| data_dir.join(name).display().to_string();
        let database_url = self.read(Setting::DatabaseUrl, &value::sqlite_url(&data_dir), value::database_url);
        let database_wait = self.read(Setting::DatabaseWait, "1m", value::duration);
        let blob_url = self.read(Setting::BlobUrl, &value::folder_url(&data_dir.join("blobs")), value::blob_url);
        let plugin_dir = self.read(Setting::PluginDir, &inside("plugins"), path);
        let template_dir = self.read_optional(Setting::TemplateDir, "the built-in template", path);
        let secret_key_file = self.read(Setting::SecretKeyFile, &inside("secret.key"), path);
        let token_lifetime = self.read(Setting::TokenLifetime, "1h", value::duration);
        let plugins = self.plugins(path);
        let console = self.console(path);
        let field = self.field(path);
        let trusted_proxies = self.read_optional(Setting::TrustedProxies, "none", value::networks).unwrap_or_default();
        let http = self.http();
        let seal = self.seal(path);
        let witnesses = self.witnesses();
        let deadline = self.read(Setting::AnalysisDeadline, "15m", value::duration);
        let sweep_interval = self.read(Setting::AnalysisSweepInterval, "5m", value::duration);
        let codes_trust = self.read_optional(Setting::AnalysisCodesTrust, "none", path);
        let provenance_trust = self.read_optional(Setting::AnalysisProvenanceTrust, "none", path);
        let timeout = self.read(Setting::WebhookTimeout, "10s", value::duration);
        let allow_private_addresses = self.read(Setting::WebhookAllowPrivateAddresses, "false", value::boolean);
        let format = if sources.logs_to_terminal { "text" } else { "json" };
        let format = self.read(Setting::LogFormat, format, value::log_format);
        let level = self.read(Setting::LogLevel, "info", value::log_level);
        let otlp = self.otlp(path);
        let backup = self.backup(path);
        self.check_addresses(listen?, admin_listen?);
        Some(Config {
            listen: listen?,
            admin_listen: admin_listen?,
            base_url: base_url?,
            data_dir,
            database_url: SecretString::new(database_url?),
            database_wait: database_wait?,
            blob_url: blob_url?,
            plugin_dir: plugin_dir?,
            template_dir,
            secret_key_file: secret_key_file?,
            token_lifetime: token_lifetime?,
            plugins: plugins?,
            console: console?,
            field: field?,
            trusted_proxies,
            http: http?,
            seal: seal?,
            witnesses,
            analysis: AnalysisSettings {
                deadline: deadline?,
                sweep_interval: sweep_interval?,
                codes_trust,
                provenance_trust,
            },
            webhook: WebhookSettings { timeout: timeout?, allow_private_addresses: allow_private_addresses? },
            log: LogSettings { format: format?, level: level? },
            otlp: otlp?,
            backup: backup?,
            described: std::mem::take(&mut self.described),
        })
    }

    fn http(&mut self) -> Option<HttpSettings> {
        let connections =
            self.read_optional(Setting::HttpConnections, "as many as the open-file limit allows", value::count);
        let each =
            self.read_optional(Setting::HttpConnectionsPerAddress, "512, at most half of the total", value::count);
        let header_timeout = self.read(Setting::HttpHeaderTimeout, "30s", value::duration);
        let idle_timeout = self.read(Setting::HttpIdleTimeout, "30s", value::duration);
        let json_timeout = self.read(Setting::HttpJsonTimeout, "1m", value::duration);
        Some(HttpSettings {
            connections,
            connections_per_address: each,
            header_timeout: header_timeout?,
            idle_timeout: idle_timeout?,
            json_timeout: json_timeout?,
        })
    }

    fn field(&mut self, path: impl Fn(&str) -> Option<PathBuf>) -> Option<FieldSettings> {
        let session_idle = self.read(Setting::FieldSessionIdle, "12h", value::duration);
        let session_lifetime = self.read(Setting::FieldSessionLifetime, "30d", value::duration);
        let openid = self.field_openid(path);
        Some(FieldSettings { session_idle: session_idle?, session_lifetime: session_lifetime?, openid: openid? })
    }

    fn otlp(&mut self, path: impl Fn(&str) -> Option<PathBuf>) -> Option<OtlpSettings> {
        let endpoint = self.read_optional(Setting::OtlpEndpoint, "none", value::base_url);
        let headers_file = self.read_optional(Setting::OtlpHeadersFile, "none", path);
        let interval = self.read(Setting::OtlpInterval, "1m", value::duration);
        Some(OtlpSettings { endpoint, headers_file, interval: interval? })
    }

    /// Otherwise two listeners on one address would fail only when the second one binds, with a less clear message.
    fn check_addresses(&mut self, listen: SocketAddr, admin_listen: SocketAddr) {
        if listen == admin_listen && listen.port() != 0 {
            let problem = format!("admin_listen: found {admin_listen}, expected a different address from `listen`");
            self.problems.push(problem);
        }
    }

    /// Reads a setting that has a default. `None` after recording what is wrong with the value.
    fn read<T>(&mut self, setting: Setting, default: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        if self.given.contains_key(&setting) {
            self.read_optional(setting, "", parse)
        } else {
            self.describe(setting, default, DEFAULT_ORIGIN);
            parse(default)
        }
    }

    /// Reads a setting that may be left out; `otherwise` describes what applies then.
    fn read_optional<T>(&mut self, setting: Setting, otherwise: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let Some(Given { text, origin }) = self.given.get(&setting).cloned() else {
            self.describe(setting, otherwise, DEFAULT_ORIGIN);
            return None;
        };
        self.describe(setting, &text, &origin.to_string());
        let value = parse(&text);
        if value.is_none() {
            let found = if setting.is_secret() { "another value (not shown)".to_owned() } else { format!("{text:?}") };
            self.problems.push(format!("{origin}: found {found}, expected {}", setting.expected()));
        }
        value
    }

    fn describe(&mut self, setting: Setting, value: &str, origin: &str) {
        let value = if setting.is_secret() { value::without_password(value) } else { value.to_owned() };
        self.described.push(DescribedSetting { key: setting.key(), value, origin: origin.to_owned() });
    }
}

/// The absolute form of a path, without looking at the disk.
fn absolute(working_dir: &Path, text: &str) -> Option<PathBuf> {
    if text.is_empty() { None } else { path::absolute(working_dir.join(text)).ok() }
}
