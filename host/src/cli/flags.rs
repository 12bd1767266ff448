//! One flag for each setting, on every command. Values stay text here: the settings check all sources in the same way.

mod plugins;
mod seal;

use clap::Args;

use self::{plugins::PluginFlags, seal::SealFlags};
use crate::config::Setting;

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Settings (each also in the settings file, or as SEALWRIGHT_… in the environment)")]
pub(super) struct SettingFlags {
    /// Address of the API [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_name = "ADDRESS:PORT", hide_short_help = true)]
    listen: Option<String>,

    /// Address of metrics and operator endpoints [default: 127.0.0.1:8081]
    #[arg(long, global = true, value_name = "ADDRESS:PORT", hide_short_help = true)]
    admin_listen: Option<String>,

    /// The server's public base URL [default: http://<listen>]
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    base_url: Option<String>,

    /// Where data is stored, unless another setting says otherwise [default: ./sealwright-data]
    #[arg(long, global = true, value_name = "FOLDER", hide_short_help = true)]
    data_dir: Option<String>,

    /// The database: `sqlite://…` or `postgres://…` [default: sqlite://<data-dir>/sealwright.db]
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    database_url: Option<String>,

    /// How long `serve` waits at startup for an unreachable database [default: 1m]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    database_wait: Option<String>,

    /// The blob store: `file:///…` or `s3://bucket/prefix` [default: file://<data-dir>/blobs]
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    blob_url: Option<String>,

    /// Plugins in this folder are loaded, and reloaded when they change [default: <data-dir>/plugins]
    #[arg(long, global = true, value_name = "FOLDER", hide_short_help = true)]
    plugin_dir: Option<String>,

    /// Certificate templates, one subfolder each [default: the built-in one]
    #[arg(long, global = true, value_name = "FOLDER", hide_short_help = true)]
    template_dir: Option<String>,

    /// The key that encrypts stored secrets; created if missing [default: <data-dir>/secret.key]
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    secret_key_file: Option<String>,

    /// How long an access token is valid [default: 1h]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    token_lifetime: Option<String>,

    /// How long a session of the console may be idle [default: 1h]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    console_session_idle: Option<String>,

    /// How long a session of the console may last [default: 12h]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    console_session_lifetime: Option<String>,

    /// The server of the map tiles below the positions of a case [default: none]
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    console_tile_server: Option<String>,

    /// The owner of that map, as the page names it
    #[arg(long, global = true, value_name = "TEXT", hide_short_help = true)]
    console_tile_attribution: Option<String>,

    /// The issuer of the OpenID Connect provider for users of the console, exactly as the provider writes it [default: none]
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    console_openid_issuer: Option<String>,

    /// The client identifier that the provider gave the console
    #[arg(long, global = true, value_name = "TEXT", hide_short_help = true)]
    console_openid_client_id: Option<String>,

    /// The environment variable with the secret of --console-openid-client-id
    #[arg(long, global = true, value_name = "NAME", hide_short_help = true)]
    console_openid_client_secret_env: Option<String>,

    /// A file with the secret of --console-openid-client-id
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    console_openid_client_secret_file: Option<String>,

    /// Private networks where the addresses of the console's provider may be [default: none]
    #[arg(long, global = true, value_name = "NETWORK[,NETWORK…]", hide_short_help = true)]
    console_openid_private_addresses: Option<String>,

    /// The claim with a person's role in the console [default: `sealwright_role`]
    #[arg(long, global = true, value_name = "CLAIM", hide_short_help = true)]
    console_openid_role_claim: Option<String>,

    /// The claim with the identifier of a person's company [default: `sealwright_company`]
    #[arg(long, global = true, value_name = "CLAIM", hide_short_help = true)]
    console_openid_company_claim: Option<String>,

    /// Which role each value of that claim gives [default: the value is the name of the role]
    #[arg(long, global = true, value_name = "VALUE=ROLE[,…]", hide_short_help = true)]
    console_openid_role_map: Option<String>,

    /// How long a session of the field app may be idle [default: 12h]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    field_session_idle: Option<String>,

    /// How long a session of the field app may last [default: 30d]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    field_session_lifetime: Option<String>,

    /// The issuer of the OpenID Connect provider for field users, exactly as the provider writes it [default: none]
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    field_oidc_issuer: Option<String>,

    /// The client identifier that the provider gave this server
    #[arg(long, global = true, value_name = "TEXT", hide_short_help = true)]
    field_oidc_client_id: Option<String>,

    /// The environment variable with the secret of --field-oidc-client-id
    #[arg(long, global = true, value_name = "NAME", hide_short_help = true)]
    field_oidc_client_secret_env: Option<String>,

    /// A file with the secret of --field-oidc-client-id
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    field_oidc_client_secret_file: Option<String>,

    /// The name of the provider on the button of the sign-in page [default: the issuer's host]
    #[arg(long, global = true, value_name = "TEXT", hide_short_help = true)]
    field_oidc_name: Option<String>,

    /// Private networks where the provider's addresses may be [default: none]
    #[arg(long, global = true, value_name = "NETWORK[,NETWORK…]", hide_short_help = true)]
    field_oidc_private_addresses: Option<String>,

    /// Proxies whose `Forwarded` or `X-Forwarded-For` is trusted: addresses or networks [default: none]
    #[arg(long, global = true, value_name = "NETWORK[,NETWORK…]", hide_short_help = true)]
    trusted_proxies: Option<String>,

    /// Maximum number of open connections [default: as many as the open-file limit allows, at most 4096]
    #[arg(long, global = true, value_name = "NUMBER", hide_short_help = true)]
    http_connections: Option<String>,

    /// Maximum number of open connections from one address [default: 512, at most half of the total]
    #[arg(long, global = true, value_name = "NUMBER", hide_short_help = true)]
    http_connections_per_address: Option<String>,

    /// Timeout for a request's header, and for an idle connection [default: 30s]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    http_header_timeout: Option<String>,

    /// Timeout when a request body stalls, or a client stops reading a response [default: 30s]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    http_idle_timeout: Option<String>,

    /// Timeout for a whole JSON body [default: 1m]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    http_json_timeout: Option<String>,

    #[command(flatten)]
    seal: SealFlags,

    /// The name under which this installation cosigns the logs of others [default: <base-url>/witness]
    #[arg(long, global = true, value_name = "NAME", hide_short_help = true)]
    witness_name: Option<String>,

    /// The logs of others that this installation cosigns, each by its verifier key [default: none]
    #[arg(long, global = true, value_name = "KEY[ ORIGIN][,KEY…]", hide_short_help = true)]
    witness_logs: Option<String>,

    /// How long a closed case waits for its document analyses [default: 15m]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    analysis_deadline: Option<String>,

    /// How often to look for analyses that were missed because an internal signal was lost [default: 5m]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    analysis_sweep_interval: Option<String>,

    #[command(flatten)]
    plugins: PluginFlags,

    /// Certificates (DER or PEM) of the issuers of 2D-Doc codes, to check their signatures with
    #[arg(long, global = true, value_name = "FILE|FOLDER", hide_short_help = true)]
    analysis_codes_trust: Option<String>,

    /// Roots (PEM) of cameras and programs whose content credentials are trusted [default: none]
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    analysis_provenance_trust: Option<String>,

    /// Timeout for one webhook request [default: 10s]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    webhook_timeout: Option<String>,

    /// Accept http, IP-literal, loopback and private receivers: for development and tests [default: false]
    #[arg(
        long,
        global = true,
        value_name = "true|false",
        hide_short_help = true,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    webhook_allow_private_addresses: Option<String>,

    /// Log format: text or json [default: text on a terminal, else json]
    #[arg(long, global = true, value_name = "FORMAT", hide_short_help = true)]
    log_format: Option<String>,

    /// Log level: error, warn, info, debug or trace, also for one module: `info,sealwright::jobs=debug` [default: info]
    #[arg(long, global = true, value_name = "LEVEL", hide_short_help = true)]
    log_level: Option<String>,

    /// The base URL of an OTLP receiver to send traces and metrics to [default: none]
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    otlp_endpoint: Option<String>,

    /// A file with headers for the OTLP receiver, one `Name: value` on each line
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    otlp_headers_file: Option<String>,

    /// How often metrics are sent to the OTLP receiver [default: 1m]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    otlp_interval: Option<String>,

    /// Where the server makes backups on a schedule: a folder or `s3://bucket/prefix` [default: none]
    #[arg(long, global = true, value_name = "FOLDER|URL", hide_short_help = true)]
    backup_to: Option<String>,

    /// How often the server makes a backup [default: 1d]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    backup_interval: Option<String>,

    /// How many backups of the schedule are kept [default: all]
    #[arg(long, global = true, value_name = "NUMBER", hide_short_help = true)]
    backup_keep: Option<String>,

    /// The key that backups are encrypted with: 64 hexadecimal characters [default: none]
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    backup_key_file: Option<String>,
}

impl SettingFlags {
    /// The flags that were given.
    pub(super) fn given(self) -> Vec<(Setting, String)> {
        let all = [
            (Setting::Listen, self.listen),
            (Setting::AdminListen, self.admin_listen),
            (Setting::BaseUrl, self.base_url),
            (Setting::DataDir, self.data_dir),
            (Setting::DatabaseUrl, self.database_url),
            (Setting::DatabaseWait, self.database_wait),
            (Setting::BlobUrl, self.blob_url),
            (Setting::PluginDir, self.plugin_dir),
            (Setting::TemplateDir, self.template_dir),
            (Setting::SecretKeyFile, self.secret_key_file),
            (Setting::TokenLifetime, self.token_lifetime),
            (Setting::ConsoleSessionIdle, self.console_session_idle),
            (Setting::ConsoleSessionLifetime, self.console_session_lifetime),
            (Setting::ConsoleTileServer, self.console_tile_server),
            (Setting::ConsoleTileAttribution, self.console_tile_attribution),
            (Setting::ConsoleOpenIdIssuer, self.console_openid_issuer),
            (Setting::ConsoleOpenIdClientId, self.console_openid_client_id),
            (Setting::ConsoleOpenIdClientSecretEnv, self.console_openid_client_secret_env),
            (Setting::ConsoleOpenIdClientSecretFile, self.console_openid_client_secret_file),
            (Setting::ConsoleOpenIdPrivateAddresses, self.console_openid_private_addresses),
            (Setting::ConsoleOpenIdRoleClaim, self.console_openid_role_claim),
            (Setting::ConsoleOpenIdCompanyClaim, self.console_openid_company_claim),
            (Setting::ConsoleOpenIdRoleMap, self.console_openid_role_map),
            (Setting::FieldSessionIdle, self.field_session_idle),
            (Setting::FieldSessionLifetime, self.field_session_lifetime),
            (Setting::FieldOidcIssuer, self.field_oidc_issuer),
            (Setting::FieldOidcClientId, self.field_oidc_client_id),
            (Setting::FieldOidcClientSecretEnv, self.field_oidc_client_secret_env),
            (Setting::FieldOidcClientSecretFile, self.field_oidc_client_secret_file),
            (Setting::FieldOidcName, self.field_oidc_name),
            (Setting::FieldOidcPrivateAddresses, self.field_oidc_private_addresses),
            (Setting::TrustedProxies, self.trusted_proxies),
            (Setting::HttpConnections, self.http_connections),
            (Setting::HttpConnectionsPerAddress, self.http_connections_per_address),
            (Setting::HttpHeaderTimeout, self.http_header_timeout),
            (Setting::HttpIdleTimeout, self.http_idle_timeout),
            (Setting::HttpJsonTimeout, self.http_json_timeout),
            (Setting::WitnessName, self.witness_name),
            (Setting::WitnessLogs, self.witness_logs),
            (Setting::AnalysisDeadline, self.analysis_deadline),
            (Setting::AnalysisSweepInterval, self.analysis_sweep_interval),
            (Setting::AnalysisCodesTrust, self.analysis_codes_trust),
            (Setting::AnalysisProvenanceTrust, self.analysis_provenance_trust),
            (Setting::WebhookTimeout, self.webhook_timeout),
            (Setting::WebhookAllowPrivateAddresses, self.webhook_allow_private_addresses),
            (Setting::LogFormat, self.log_format),
            (Setting::LogLevel, self.log_level),
            (Setting::OtlpEndpoint, self.otlp_endpoint),
            (Setting::OtlpHeadersFile, self.otlp_headers_file),
            (Setting::OtlpInterval, self.otlp_interval),
            (Setting::BackupTo, self.backup_to),
            (Setting::BackupInterval, self.backup_interval),
            (Setting::BackupKeep, self.backup_keep),
            (Setting::BackupKeyFile, self.backup_key_file),
        ];
        let all = all.into_iter().chain(self.plugins.all()).chain(self.seal.all());
        all.filter_map(|(setting, value)| value.map(|value| (setting, value))).collect()
    }
}
