mod deploy;
mod plugins;
mod secrets;

use strum::VariantArray as _;

use super::*;
use crate::domain::claims::RoleMap;

fn sources() -> Sources {
    Sources { working_dir: PathBuf::from("/srv/sealwright"), ..Sources::default() }
}

fn with_file(text: &str) -> Sources {
    Sources { file: Some(SettingsFile { name: DEFAULT_FILE.to_owned(), text: text.to_owned() }), ..sources() }
}

fn with_variables(variables: &[(&str, &str)]) -> Sources {
    let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Sources { environment, ..sources() }
}

fn load(sources: &Sources) -> Config {
    Config::load(sources).unwrap().config
}

fn problems(sources: &Sources) -> String {
    Config::load(sources).unwrap_err().to_string()
}

#[test]
fn without_any_source_the_defaults_hold() {
    let config = load(&sources());
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.admin_listen.to_string(), "127.0.0.1:8081");
    assert_eq!(config.base_url, "http://127.0.0.1:8080");
    assert_eq!(config.data_dir, Path::new("/srv/sealwright/sealwright-data"));
    assert_eq!(config.database_url.expose(), "sqlite:///srv/sealwright/sealwright-data/sealwright.db");
    assert_eq!(config.blob_url.as_str(), "file:///srv/sealwright/sealwright-data/blobs");
    assert_eq!(config.plugin_dir, Path::new("/srv/sealwright/sealwright-data/plugins"));
    assert_eq!(config.template_dir, None);
    assert_eq!(config.secret_key_file, Path::new("/srv/sealwright/sealwright-data/secret.key"));
    assert_eq!(config.token_lifetime, Duration::from_hours(1));
    assert_eq!(config.console.session_idle, Duration::from_hours(1));
    assert_eq!(config.console.session_lifetime, Duration::from_hours(12));
    assert_eq!(config.field.session_idle, Duration::from_hours(12));
    assert_eq!(config.field.session_lifetime, Duration::from_hours(720));
    assert!(config.seal.signer.is_none() && config.seal.tsa_urls.is_empty());
    assert_eq!(config.analysis.deadline, Duration::from_mins(15));
    assert_eq!(config.analysis.sweep_interval, Duration::from_mins(5));
    assert_eq!(config.analysis.codes_trust, None);
    assert_eq!(config.webhook.timeout, Duration::from_secs(10));
    assert!(!config.webhook.allow_private_addresses);
    assert_eq!((config.log.format, config.log.level.as_str()), (LogFormat::Json, "info"));
    assert_eq!((config.otlp.endpoint, config.otlp.interval), (None, Duration::from_mins(1)));
}

const EVERY_SETTING: &str = r#"
listen = "0.0.0.0:80"
admin_listen = "[::1]:81"
base_url = "https://evidence.example/"
data_dir = "data"
database_url = "postgres://u:p@db/s"
blob_url = "s3://bucket/prefix"
plugin_dir = "/plugins"
template_dir = "templates"
secret_key_file = "/run/secrets/key"
token_lifetime = "30m"
database_wait = "5s"
trusted_proxies = ["10.0.0.0/8", "::1"]
[console]
session_idle = "20m"
session_lifetime = "8h"
tile_server = "https://tiles.example/{z}/{x}/{y}.png"
tile_attribution = "© Mapmakers"
[console.openid]
issuer = "https://login.example/console"
client_id = "sealwright-console"
client_secret_file = "console-secret"
private_addresses = ["10.2.0.0/16"]
role_claim = "groups"
company_claim = "branch"
role_map = ["claims-desk=reviewer", "it=operator"]
[field]
session_idle = "1h"
session_lifetime = "2d"
oidc_issuer = "https://login.example/field"
oidc_client_id = "sealwright"
oidc_client_secret_file = "oidc-secret"
oidc_name = "Harbour ID"
oidc_private_addresses = ["10.1.0.0/16"]
[http]
connections = 100
connections_per_address = 10
header_timeout = "5s"
idle_timeout = "6s"
json_timeout = "7s"
[seal]
earlier_certificates = "earlier.pem"
evidence = true
revocation_private_addresses = ["192.168.0.0/16"]
key = "seal.pem"
certificate_chain = "chain.pem"
trust = "roots.pem"
tsa_url = ["http://tsa.example/tsr", "https://other.example/"]
tsa_timeout = "3s"
tsa_pause = "1m"
tsa_quorum = 2
witnesses = ["w.example/1+2635800e+BBpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW https://w.example/1/"]
witness_quorum = 1
[witness]
name = "evidence.example/w"
logs = ["PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW an older name"]
[plugins]
require_signature = true
trusted_keys = ["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"]
fuel_per_second = 2000000000
registry_private_addresses = ["10.0.0.0/8"]
registry_credentials_file = "registries.json"
[analysis]
deadline = "20m"
sweep_interval = "1m"
codes_trust = "codes"
provenance_trust = "cameras.pem"
[webhook]
timeout = "500ms"
allow_private_addresses = true
[log]
format = "text"
level = "warn,sealwright=debug"
[otlp]
endpoint = "http://collector:4318/"
headers_file = "otlp-headers"
interval = "15s"
[backup]
to = "/mnt/backup"
interval = "12h"
keep = 30
key_file = "backup.key"
"#;

#[test]
fn every_setting_can_be_given_in_the_file() {
    let config = load(&with_file(EVERY_SETTING));
    assert_eq!(config.base_url, "https://evidence.example");
    assert_eq!(config.data_dir, Path::new("/srv/sealwright/data"));
    let openid = config.field.openid.unwrap();
    assert_eq!((openid.provider.issuer.as_str(), openid.name.as_str()), ("https://login.example/field", "Harbour ID"));
    let console = config.console.openid.unwrap();
    assert_eq!((console.provider.client_id.as_str(), console.role_claim.as_str()), ("sealwright-console", "groups"));
    let role_map = RoleMap::parse("claims-desk=reviewer,it=operator");
    assert_eq!((console.company_claim.as_str(), Some(console.role_map)), ("branch", role_map));
    assert_eq!(openid.provider.client_secret, SecretSource::File(PathBuf::from("/srv/sealwright/oidc-secret")));
    assert_eq!(config.database_url.expose(), "postgres://u:p@db/s");
    assert_eq!(config.template_dir.as_deref(), Some(Path::new("/srv/sealwright/templates")));
    assert!(
        matches!(config.seal.signer, Some(SignerSource::Pem(files)) if files.key == Path::new("/srv/sealwright/seal.pem"))
    );
    let urls: Vec<&str> = config.seal.tsa_urls.iter().map(url::Url::as_str).collect();
    assert_eq!(urls, ["http://tsa.example/tsr", "https://other.example/"]);
    let seal = (config.seal.tsa_pause, config.seal.tsa_quorum, config.seal.evidence);
    assert_eq!(seal, (Duration::from_mins(1), 2, true));
    let witnesses = config.witnesses;
    assert_eq!(witnesses.of_log[0].url.as_str(), "https://w.example/1/add-checkpoint");
    let counts = (witnesses.of_log.len(), witnesses.quorum, witnesses.logs.len());
    assert_eq!((counts, witnesses.name.as_deref()), ((1, 1, 2), Some("evidence.example/w")));
    assert_eq!((config.webhook.timeout, config.webhook.allow_private_addresses), (Duration::from_millis(500), true));
    assert_eq!(config.log.format, LogFormat::Text);
    assert_eq!(config.otlp.endpoint.as_deref(), Some("http://collector:4318"));
    assert_eq!(config.otlp.headers_file.as_deref(), Some(Path::new("/srv/sealwright/otlp-headers")));
    assert_eq!((config.backup.keep, config.backup.interval), (Some(30), Duration::from_hours(12)));
    // The key can be in one place only, so the others cannot be given too.
    let once = |key: &str| key.starts_with("seal.pkcs1") || key.ends_with("client_secret_env");
    let mut others = config.described.iter().filter(|setting| !once(setting.key));
    assert!(others.all(|setting| setting.origin.starts_with("sealwright.toml:")));
    assert_eq!(config.described.len(), Setting::VARIANTS.len());
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let mut sources = Sources {
        environment: with_variables(&[("SEALWRIGHT_LISTEN", "127.0.0.1:2")]).environment,
        ..with_file("listen = \"127.0.0.1:1\"\nlog.level = \"debug\"\n")
    };
    assert_eq!(load(&sources).listen.port(), 2);
    sources.flags = vec![(Setting::Listen, "127.0.0.1:3".to_owned())];
    let config = load(&sources);
    assert_eq!(config.listen.port(), 3);
    let origin = |setting: Setting| {
        let described = config.describe().iter().find(|described| described.key == setting.key()).unwrap();
        described.origin.as_str()
    };
    assert_eq!(origin(Setting::Listen), "--listen");
    assert_eq!(origin(Setting::LogLevel), "sealwright.toml:2: log.level");
    assert_eq!(origin(Setting::DataDir), "default");
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    assert_eq!(load(&with_variables(&[("SEALWRIGHT_LISTEN", "")])).listen.port(), 8080);
}

#[test]
fn names_follow_from_the_key() {
    assert_eq!(Setting::SealTsaUrl.variable(), "SEALWRIGHT_SEAL_TSA_URL");
    assert_eq!(Setting::WebhookAllowPrivateAddresses.variable(), "SEALWRIGHT_WEBHOOK_ALLOW_PRIVATE_ADDRESSES");
    assert_eq!(Setting::WebhookAllowPrivateAddresses.flag(), "--webhook-allow-private-addresses");
}

#[test]
fn a_quorum_is_at_most_the_number_of_those_that_are_asked() {
    let witness = "w.example/1+2635800e+BBpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW https://w.example/1";
    assert_eq!(load(&sources()).witnesses.quorum, 1);
    let one = with_variables(&[("SEALWRIGHT_SEAL_WITNESSES", witness)]);
    assert_eq!(load(&one).witnesses.quorum, 1);
    let two = with_variables(&[("SEALWRIGHT_SEAL_WITNESSES", witness), ("SEALWRIGHT_SEAL_WITNESS_QUORUM", "2")]);
    let expected = "SEALWRIGHT_SEAL_WITNESS_QUORUM: found 2, expected at most 1, the number of witnesses";
    assert_eq!(problems(&two), expected);
    let authorities = with_variables(&[("SEALWRIGHT_SEAL_TSA_QUORUM", "2")]);
    let expected = "SEALWRIGHT_SEAL_TSA_QUORUM: found 2, expected at most 1, the number of authorities";
    assert_eq!(problems(&authorities), expected);
    let twice = with_variables(&[("SEALWRIGHT_SEAL_WITNESSES", &format!("{witness},{witness}"))]);
    assert!(problems(&twice).contains("each key once"), "{}", problems(&twice));
}

#[test]
fn an_unknown_key_names_the_nearest_of_all_settings() {
    let text = "lisen = \"x\"\ntsa_url = \"x\"\n[webhook]\ntimout = \"1s\"\n[sael]\nkey = \"x\"\n";
    insta::assert_snapshot!(problems(&with_file(text)), @r#"
    sealwright.toml:1: lisen: unknown key, did you mean `listen`?
    sealwright.toml:2: tsa_url: unknown key, did you mean `seal.tsa_url`?
    sealwright.toml:4: webhook.timout: unknown key, did you mean `webhook.timeout`?
    sealwright.toml:5: sael: unknown key, did you mean `seal`?
    "#);
}

#[test]
fn a_wrong_value_names_its_place_and_what_was_expected() {
    let mut sources = with_file(
        "listen = 8080\nbase_url = \"evidence.example\"\nwebhook.allow_private_addresses = \"yes\"\nseal = 1\n",
    );
    sources.environment = with_variables(&[("SEALWRIGHT_TOKEN_LIFETIME", "1 hour")]).environment;
    sources.flags = vec![
        (Setting::LogFormat, "xml".to_owned()),
        (Setting::DataDir, String::new()),
        (Setting::OtlpEndpoint, "collector:4318".to_owned()),
    ];
    insta::assert_snapshot!(problems(&sources), @r#"
    sealwright.toml:1: listen: found the number 8080, expected an address and a port such as "127.0.0.1:8080"
    sealwright.toml:3: webhook.allow_private_addresses: found "yes", expected true or false
    sealwright.toml:4: seal: found the number 1, expected a table
    --data-dir: found "", expected the path of a folder
    SEALWRIGHT_TOKEN_LIFETIME: found "1 hour", expected a duration from 1ms to 365d, such as "1h", "15m", "10s" or "500ms"
    --log-format: found "xml", expected "text" or "json"
    --otlp-endpoint: found "collector:4318", expected an http or https URL without query, such as "http://127.0.0.1:4318"
    "#);
}

#[test]
fn invalid_toml_is_reported_with_its_line() {
    insta::assert_snapshot!(problems(&with_file("listen = \"127.0.0.1:1\"\nbase_url =\n")), @r#"sealwright.toml:2: string values must be quoted, expected literal string"#);
}

#[test]
fn a_key_and_its_certificates_go_together() {
    insta::assert_snapshot!(problems(&with_file("[seal]\nkey = \"seal.pem\"\n")), @r#"seal.certificate_chain (SEALWRIGHT_SEAL_CERTIFICATE_CHAIN): missing, expected a PEM file to go with `seal.key`"#);
}

#[test]
fn the_two_listeners_need_two_addresses() {
    insta::assert_snapshot!(problems(&with_variables(&[("SEALWRIGHT_LISTEN", "127.0.0.1:8081")])), @r#"admin_listen: found 127.0.0.1:8081, expected a different address from `listen`"#);
    let both_free = [("SEALWRIGHT_LISTEN", "127.0.0.1:0"), ("SEALWRIGHT_ADMIN_LISTEN", "127.0.0.1:0")];
    assert_eq!(load(&with_variables(&both_free)).listen.port(), 0);
}

#[test]
fn an_unknown_variable_is_a_warning_and_a_test_s_is_not() {
    let sources = with_variables(&[("SEALWRIGHT_LISTN", "x"), ("SEALWRIGHT_TEST_DATABASE", "x"), ("HOME", "/root")]);
    assert_eq!(
        Config::load(&sources).unwrap().warnings,
        ["SEALWRIGHT_LISTN is not a setting and is ignored, did you mean SEALWRIGHT_LISTEN?"]
    );
}

#[test]
fn folders_with_unusual_names_are_encoded_in_urls() {
    let config = load(&Sources { flags: vec![(Setting::DataDir, "/srv/a b?c#d%e".to_owned())], ..sources() });
    assert_eq!(config.database_url.expose(), "sqlite:///srv/a%20b%3Fc%23d%25e/sealwright.db");
    assert_eq!(config.blob_url.to_file_path().unwrap(), Path::new("/srv/a b?c#d%e/blobs"));
}

#[test]
fn the_base_url_follows_the_port_that_was_found_unless_it_was_given() {
    let found: SocketAddr = "127.0.0.1:49152".parse().unwrap();
    let mut config = load(&with_variables(&[("SEALWRIGHT_LISTEN", "127.0.0.1:0")]));
    config.listens_on(found);
    assert_eq!((config.listen, config.base_url.as_str()), (found, "http://127.0.0.1:49152"));
    let mut config = load(&with_variables(&[("SEALWRIGHT_BASE_URL", "https://evidence.example")]));
    config.listens_on(found);
    assert_eq!(config.base_url, "https://evidence.example");
}

#[test]
fn the_named_file_is_read_and_its_absence_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    std::fs::write(&path, "token_lifetime = \"2h\"\n").unwrap();
    let sources = Sources::of_process(Some(&path), true, Vec::new()).unwrap();
    assert_eq!(sources.file.unwrap().text, "token_lifetime = \"2h\"\n");
    let missing = Sources::of_process(Some(&folder.path().join("none.toml")), true, Vec::new()).unwrap_err();
    assert!(missing.to_string().starts_with("--config ") && missing.to_string().contains("No such file"), "{missing}");
}

#[test]
fn a_signing_key_is_in_one_place_and_everything_that_goes_with_it_is_named() {
    let seal = |text: &str| Config::load(&with_file(&format!("[seal]\n{text}"))).unwrap().config.seal.signer.unwrap();
    assert_eq!(
        seal("pkcs12 = \"seal.p12\"\npkcs12_password_env = \"SEAL_PASSWORD\"\n"),
        SignerSource::Pkcs12 {
            file: PathBuf::from("/srv/sealwright/seal.p12"),
            password: Some(SecretSource::Environment("SEAL_PASSWORD".to_owned())),
        }
    );
    let device = "pkcs11_module = \"/usr/lib/hsm.so\"\npkcs11_token = \"seals\"\npkcs11_key = \"2026\"\n";
    assert_eq!(
        seal(&format!("{device}pkcs11_pin_file = \"pin\"\ncertificate_chain = \"chain.pem\"\n")),
        SignerSource::Pkcs11 {
            module: PathBuf::from("/usr/lib/hsm.so"),
            token: "seals".to_owned(),
            key: "2026".to_owned(),
            pin: Some(SecretSource::File(PathBuf::from("/srv/sealwright/pin"))),
            certificate_chain: PathBuf::from("/srv/sealwright/chain.pem"),
        }
    );
    insta::assert_snapshot!(problems(&with_file("[seal]\npkcs11_module = \"hsm.so\"\npkcs12 = \"a\"\nkey = \"b\"\n")), @r"
    seal.certificate_chain (SEALWRIGHT_SEAL_CERTIFICATE_CHAIN): missing, expected a PEM file to go with `seal.key`
    seal.certificate_chain (SEALWRIGHT_SEAL_CERTIFICATE_CHAIN): missing, expected a PEM file to go with `seal.pkcs11_module`
    seal.pkcs11_token (SEALWRIGHT_SEAL_PKCS11_TOKEN): missing, expected the label of a token to go with `seal.pkcs11_module`
    seal.pkcs11_key (SEALWRIGHT_SEAL_PKCS11_KEY): missing, expected the label of a private key to go with `seal.pkcs11_module`
    sealwright.toml:4: seal.key: given together with `seal.pkcs12`, expected one of the two
    sealwright.toml:4: seal.key: given together with `seal.pkcs11_module`, expected one of the two
    sealwright.toml:3: seal.pkcs12: given together with `seal.pkcs11_module`, expected one of the two
    ");
}

#[test]
fn a_provider_is_given_completely_or_not_at_all() {
    let given = |text: &str| with_file(&format!("[field]\n{text}"));
    let complete = "oidc_issuer = \"https://login.example/\"\noidc_client_id = \"x\"\noidc_client_secret_env = \"S\"\n";
    let openid = load(&given(complete)).field.openid.unwrap();
    assert_eq!((openid.provider.issuer.as_str(), openid.name.as_str()), ("https://login.example/", "login.example"));
    assert!(load(&sources()).field.openid.is_none());
    insta::assert_snapshot!(problems(&given("oidc_name = \"Harbour ID\"\n")), @r#"
    field.oidc_issuer (SEALWRIGHT_FIELD_OIDC_ISSUER): missing, expected the https URL of an OpenID Connect issuer, such as "https://login.example" to go with the other field.oidc_… settings
    field.oidc_client_id (SEALWRIGHT_FIELD_OIDC_CLIENT_ID): missing, expected the identifier that the provider gave this server to go with the other field.oidc_… settings
    field.oidc_client_secret_file (SEALWRIGHT_FIELD_OIDC_CLIENT_SECRET_FILE): missing, expected a file with the client's secret, or `field.oidc_client_secret_env`, to go with the other field.oidc_… settings
    "#);
    insta::assert_snapshot!(problems(&given(&format!("{complete}oidc_client_secret_file = \"s\"\n"))), @"sealwright.toml:4: field.oidc_client_secret_env: given together with `field.oidc_client_secret_file`, expected one of the two");
    insta::assert_snapshot!(problems(&given(&complete.replace("https:", "http:"))), @r#"sealwright.toml:2: field.oidc_issuer: found "http://login.example/", expected the https URL of an OpenID Connect issuer, such as "https://login.example""#);
}

#[test]
fn the_provider_of_the_console_has_claims_and_a_map_of_roles() {
    let given = |text: &str| with_file(&format!("[console.openid]\n{text}"));
    let complete = "issuer = \"https://login.example\"\nclient_id = \"x\"\nclient_secret_env = \"S\"\n";
    let openid = load(&given(complete)).console.openid.unwrap();
    assert_eq!((openid.role_claim.as_str(), openid.company_claim.as_str()), ("sealwright_role", "sealwright_company"));
    assert_eq!(openid.role_map, RoleMap::Names);
    assert!(load(&sources()).console.openid.is_none());
    let with_variable = with_variables(&[("SEALWRIGHT_CONSOLE_OPENID_ROLE_MAP", "it=operator")]);
    assert!(problems(&with_variable).contains("console.openid.issuer (SEALWRIGHT_CONSOLE_OPENID_ISSUER): missing"));
    for (wrong, problem) in [
        ("role_map = \"it=king\"\n", "console.openid.role_map: found \"it=king\", expected values of the claim"),
        ("role_claim = \"\"\n", "expected the name of a claim"),
        ("isuer = \"x\"\n", "did you mean `console.openid.issuer`?"),
        ("client_secret_file = \"s\"\n", "given together with `console.openid.client_secret_file`"),
    ] {
        let reported = problems(&given(&format!("{complete}{wrong}")));
        assert!(reported.contains(problem), "{wrong}: {reported}");
    }
}

#[test]
fn networks_are_addresses_with_or_without_a_length() {
    let with = |text: &str| with_variables(&[("SEALWRIGHT_SEAL_REVOCATION_PRIVATE_ADDRESSES", text)]);
    let networks = load(&with("10.0.0.0/8, 192.168.1.5,fd00::/8")).seal.revocation_private_addresses;
    let networks: Vec<String> = networks.iter().map(ToString::to_string).collect();
    assert_eq!(networks, ["10.0.0.0/8", "192.168.1.5/32", "fd00::/8"]);
    for wrong in ["10.0.0.0/33", "authority.example", "10.0.0.0/8,,"] {
        assert!(problems(&with(wrong)).contains("expected a network such as"), "{wrong}");
    }
}
