//! The one list of settings: each one's name in the file, in the environment and on the command line, its values,
//! and its default.

use std::fmt;

use strum::VariantArray;

/// A setting of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Setting {
    Listen,
    AdminListen,
    BaseUrl,
    DataDir,
    DatabaseUrl,
    DatabaseWait,
    BlobUrl,
    PluginDir,
    TemplateDir,
    SecretKeyFile,
    TokenLifetime,
    PluginsRequireSignature,
    PluginsTrustedKeys,
    PluginsFuelPerSecond,
    PluginsRegistryPrivateAddresses,
    PluginsRegistryCredentialsFile,
    ConsoleSessionIdle,
    ConsoleSessionLifetime,
    ConsoleTileServer,
    ConsoleTileAttribution,
    ConsoleOpenIdIssuer,
    ConsoleOpenIdClientId,
    ConsoleOpenIdClientSecretEnv,
    ConsoleOpenIdClientSecretFile,
    ConsoleOpenIdPrivateAddresses,
    ConsoleOpenIdRoleClaim,
    ConsoleOpenIdCompanyClaim,
    ConsoleOpenIdRoleMap,
    FieldSessionIdle,
    FieldSessionLifetime,
    FieldOidcIssuer,
    FieldOidcClientId,
    FieldOidcClientSecretEnv,
    FieldOidcClientSecretFile,
    FieldOidcPrivateAddresses,
    FieldOidcName,
    TrustedProxies,
    HttpConnections,
    HttpConnectionsPerAddress,
    HttpHeaderTimeout,
    HttpIdleTimeout,
    HttpJsonTimeout,
    SealKey,
    SealCertificateChain,
    SealPkcs12,
    SealPkcs12PasswordEnv,
    SealPkcs12PasswordFile,
    SealPkcs11Module,
    SealPkcs11Token,
    SealPkcs11Key,
    SealPkcs11PinEnv,
    SealPkcs11PinFile,
    SealTsaUrl,
    SealTsaTimeout,
    SealTsaPause,
    SealTsaQuorum,
    SealTrust,
    SealEarlierCertificates,
    SealEvidence,
    SealRevocationPrivateAddresses,
    SealWitnesses,
    SealWitnessQuorum,
    WitnessName,
    WitnessLogs,
    AnalysisDeadline,
    AnalysisSweepInterval,
    AnalysisCodesTrust,
    AnalysisProvenanceTrust,
    WebhookTimeout,
    WebhookAllowPrivateAddresses,
    LogFormat,
    LogLevel,
    OtlpEndpoint,
    OtlpHeadersFile,
    OtlpInterval,
    BackupTo,
    BackupInterval,
    BackupKeep,
    BackupKeyFile,
}

pub(super) const ENVIRONMENT_PREFIX: &str = "SEALWRIGHT_";

impl Setting {
    /// The key in the file, with its table: `seal.tsa_url`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Listen => "listen",
            Self::AdminListen => "admin_listen",
            Self::BaseUrl => "base_url",
            Self::DataDir => "data_dir",
            Self::DatabaseUrl => "database_url",
            Self::DatabaseWait => "database_wait",
            Self::BlobUrl => "blob_url",
            Self::PluginDir => "plugin_dir",
            Self::TemplateDir => "template_dir",
            Self::SecretKeyFile => "secret_key_file",
            Self::TokenLifetime => "token_lifetime",
            Self::PluginsRequireSignature => "plugins.require_signature",
            Self::PluginsTrustedKeys => "plugins.trusted_keys",
            Self::PluginsFuelPerSecond => "plugins.fuel_per_second",
            Self::PluginsRegistryPrivateAddresses => "plugins.registry_private_addresses",
            Self::PluginsRegistryCredentialsFile => "plugins.registry_credentials_file",
            Self::ConsoleSessionIdle => "console.session_idle",
            Self::ConsoleSessionLifetime => "console.session_lifetime",
            Self::ConsoleTileServer => "console.tile_server",
            Self::ConsoleTileAttribution => "console.tile_attribution",
            Self::ConsoleOpenIdIssuer => "console.openid.issuer",
            Self::ConsoleOpenIdClientId => "console.openid.client_id",
            Self::ConsoleOpenIdClientSecretEnv => "console.openid.client_secret_env",
            Self::ConsoleOpenIdClientSecretFile => "console.openid.client_secret_file",
            Self::ConsoleOpenIdPrivateAddresses => "console.openid.private_addresses",
            Self::ConsoleOpenIdRoleClaim => "console.openid.role_claim",
            Self::ConsoleOpenIdCompanyClaim => "console.openid.company_claim",
            Self::ConsoleOpenIdRoleMap => "console.openid.role_map",
            Self::FieldSessionIdle => "field.session_idle",
            Self::FieldSessionLifetime => "field.session_lifetime",
            Self::FieldOidcIssuer => "field.oidc_issuer",
            Self::FieldOidcClientId => "field.oidc_client_id",
            Self::FieldOidcClientSecretEnv => "field.oidc_client_secret_env",
            Self::FieldOidcClientSecretFile => "field.oidc_client_secret_file",
            Self::FieldOidcName => "field.oidc_name",
            Self::FieldOidcPrivateAddresses => "field.oidc_private_addresses",
            Self::TrustedProxies => "trusted_proxies",
            Self::HttpConnections => "http.connections",
            Self::HttpConnectionsPerAddress => "http.connections_per_address",
            Self::HttpHeaderTimeout => "http.header_timeout",
            Self::HttpIdleTimeout => "http.idle_timeout",
            Self::HttpJsonTimeout => "http.json_timeout",
            Self::SealKey => "seal.key",
            Self::SealCertificateChain => "seal.certificate_chain",
            Self::SealPkcs12 => "seal.pkcs12",
            Self::SealPkcs12PasswordEnv => "seal.pkcs12_password_env",
            Self::SealPkcs12PasswordFile => "seal.pkcs12_password_file",
            Self::SealPkcs11Module => "seal.pkcs11_module",
            Self::SealPkcs11Token => "seal.pkcs11_token",
            Self::SealPkcs11Key => "seal.pkcs11_key",
            Self::SealPkcs11PinEnv => "seal.pkcs11_pin_env",
            Self::SealPkcs11PinFile => "seal.pkcs11_pin_file",
            Self::SealTsaUrl => "seal.tsa_url",
            Self::SealTsaTimeout => "seal.tsa_timeout",
            Self::SealTsaPause => "seal.tsa_pause",
            Self::SealTsaQuorum => "seal.tsa_quorum",
            Self::SealTrust => "seal.trust",
            Self::SealEarlierCertificates => "seal.earlier_certificates",
            Self::SealEvidence => "seal.evidence",
            Self::SealRevocationPrivateAddresses => "seal.revocation_private_addresses",
            Self::SealWitnesses => "seal.witnesses",
            Self::SealWitnessQuorum => "seal.witness_quorum",
            Self::WitnessName => "witness.name",
            Self::WitnessLogs => "witness.logs",
            Self::AnalysisDeadline => "analysis.deadline",
            Self::AnalysisSweepInterval => "analysis.sweep_interval",
            Self::AnalysisCodesTrust => "analysis.codes_trust",
            Self::AnalysisProvenanceTrust => "analysis.provenance_trust",
            Self::WebhookTimeout => "webhook.timeout",
            Self::WebhookAllowPrivateAddresses => "webhook.allow_private_addresses",
            Self::LogFormat => "log.format",
            Self::LogLevel => "log.level",
            Self::OtlpEndpoint => "otlp.endpoint",
            Self::OtlpHeadersFile => "otlp.headers_file",
            Self::OtlpInterval => "otlp.interval",
            Self::BackupTo => "backup.to",
            Self::BackupInterval => "backup.interval",
            Self::BackupKeep => "backup.keep",
            Self::BackupKeyFile => "backup.key_file",
        }
    }

    /// The environment variable: `SEALWRIGHT_SEAL_TSA_URL`.
    pub fn variable(self) -> String {
        format!("{ENVIRONMENT_PREFIX}{}", self.key().to_uppercase().replace('.', "_"))
    }

    /// The flag: `--seal-tsa-url`.
    pub fn flag(self) -> String {
        format!("--{}", self.key().replace(['.', '_'], "-"))
    }

    /// What a value must look like, for messages.
    pub(super) const fn expected(self) -> &'static str {
        match self {
            Self::Listen | Self::AdminListen => "an address and a port such as \"127.0.0.1:8080\"",
            Self::BaseUrl => "an http or https URL without query, such as \"https://evidence.example\"",
            Self::DataDir | Self::PluginDir | Self::TemplateDir => "the path of a folder",
            Self::DatabaseUrl => "\"sqlite://<path>\" or \"postgres://<user>:<password>@<host>/<database>\"",
            Self::BackupTo => "the path of a folder or \"s3://<bucket>/<prefix>\"",
            Self::BlobUrl => "\"file:///<absolute path>\" or \"s3://<bucket>/<prefix>\"",
            Self::AnalysisCodesTrust => "the path of a file or folder",
            Self::SecretKeyFile
            | Self::SealKey
            | Self::SealCertificateChain
            | Self::SealPkcs12
            | Self::SealPkcs12PasswordFile
            | Self::SealPkcs11Module
            | Self::SealPkcs11PinFile
            | Self::SealTrust
            | Self::SealEarlierCertificates
            | Self::AnalysisProvenanceTrust
            | Self::OtlpHeadersFile
            | Self::BackupKeyFile
            | Self::PluginsRegistryCredentialsFile
            | Self::ConsoleOpenIdClientSecretFile
            | Self::FieldOidcClientSecretFile => "the path of a file",
            Self::PluginsTrustedKeys => {
                "a key of 64 hexadecimal digits, as `sealwright plugin key` prints it, or several of them"
            }
            Self::PluginsFuelPerSecond => "a whole number from 1000000 to 1000000000000",
            Self::ConsoleOpenIdIssuer | Self::FieldOidcIssuer => {
                "the https URL of an OpenID Connect issuer, such as \"https://login.example\""
            }
            Self::ConsoleOpenIdClientId | Self::FieldOidcClientId => {
                "the identifier that the provider gave this server"
            }
            Self::FieldOidcName => "a name of 1 to 40 characters",
            Self::ConsoleTileServer => {
                "an http or https URL with {z}, {x} and {y} after its host, each once, such as \
                 \"https://tiles.example/{z}/{x}/{y}.png\""
            }
            Self::ConsoleTileAttribution => "a text of 1 to 200 characters that names the owner of the map",
            Self::ConsoleOpenIdRoleClaim | Self::ConsoleOpenIdCompanyClaim => "the name of a claim in the ID token",
            Self::ConsoleOpenIdRoleMap => {
                "values of the claim with their roles, such as \"claims-desk=reviewer, it=operator\", each value once"
            }
            Self::ConsoleOpenIdPrivateAddresses
            | Self::PluginsRegistryPrivateAddresses
            | Self::FieldOidcPrivateAddresses
            | Self::SealRevocationPrivateAddresses => {
                "a network such as \"10.0.0.0/8\", an address, or several of them"
            }
            Self::SealPkcs12PasswordEnv
            | Self::SealPkcs11PinEnv
            | Self::ConsoleOpenIdClientSecretEnv
            | Self::FieldOidcClientSecretEnv => "the name of an environment variable",
            Self::SealPkcs11Token => "the label of a token",
            Self::SealPkcs11Key => "the label of a private key",
            Self::SealTsaUrl => "the http or https URL of a time-stamping authority, or several of them",
            Self::SealWitnesses => {
                "the verifier key of a witness, a blank and its http or https URL, or several of them, each key once"
            }
            Self::WitnessName => "a name without blanks and `+`, such as \"evidence.example/witness\"",
            Self::WitnessLogs => {
                "the verifier key of a log and, if its origin is another, a blank and the origin, or several of them"
            }
            Self::TrustedProxies => "an address or a network such as \"10.0.0.0/8\", or several of them",
            Self::HttpConnections
            | Self::HttpConnectionsPerAddress
            | Self::SealTsaQuorum
            | Self::SealWitnessQuorum
            | Self::BackupKeep => "a whole number from 1 to 1000000",
            Self::DatabaseWait
            | Self::TokenLifetime
            | Self::ConsoleSessionIdle
            | Self::ConsoleSessionLifetime
            | Self::FieldSessionIdle
            | Self::FieldSessionLifetime
            | Self::HttpHeaderTimeout
            | Self::HttpIdleTimeout
            | Self::HttpJsonTimeout
            | Self::SealTsaTimeout
            | Self::SealTsaPause
            | Self::AnalysisDeadline
            | Self::AnalysisSweepInterval
            | Self::WebhookTimeout
            | Self::OtlpInterval
            | Self::BackupInterval => "a duration from 1ms to 365d, such as \"1h\", \"15m\", \"10s\" or \"500ms\"",
            Self::SealEvidence | Self::PluginsRequireSignature | Self::WebhookAllowPrivateAddresses => "true or false",
            Self::OtlpEndpoint => "an http or https URL without query, such as \"http://127.0.0.1:4318\"",
            Self::LogFormat => "\"text\" or \"json\"",
            Self::LogLevel => {
                "error, warn, info, debug, trace or off, also for one module: \"info,sealwright::jobs=debug\""
            }
        }
    }

    /// Whether the value can contain a password and must not be shown in full.
    pub(super) const fn is_secret(self) -> bool {
        matches!(self, Self::DatabaseUrl)
    }

    pub(super) fn by_key(key: &str) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|setting| setting.key() == key)
    }

    /// Whether `path` is a table of the file: `console`, `console.openid`.
    pub(super) fn is_table(path: &str) -> bool {
        Self::VARIANTS.iter().any(|setting| setting.key().strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}
