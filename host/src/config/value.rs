//! Parses the texts of settings: each function returns `None` for invalid text.

use std::{
    net::{IpAddr, SocketAddr},
    path::Path,
    time::Duration,
};

use ipnet::IpNet;
use url::Url;

use super::LogFormat;

const MAX_DURATION: Duration = Duration::from_hours(365 * 24);

pub(super) fn address(text: &str) -> Option<SocketAddr> {
    text.parse().ok()
}

/// A number and a unit: `ms`, `s`, `m`, `h` or `d`.
pub fn duration(text: &str) -> Option<Duration> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(unit_at);
    let milliseconds_each = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    let duration = Duration::from_millis(number.parse::<u64>().ok()?.checked_mul(milliseconds_each)?);
    (!duration.is_zero() && duration <= MAX_DURATION).then_some(duration)
}

/// Addresses or networks, separated by commas.
pub(super) fn networks(text: &str) -> Option<Vec<IpNet>> {
    let network = |text: &str| text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    text.split(',').map(|text| network(text.trim())).collect()
}

/// A maximum count.
pub(super) fn count(text: &str) -> Option<usize> {
    text.parse().ok().filter(|count| (1..=1_000_000).contains(count))
}

pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// An `http` or `https` URL of a server.
pub(super) fn web_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (matches!(url.scheme(), "http" | "https") && url.has_host() && is_plain).then_some(url)
}

/// One or several URLs of servers, separated by commas.
pub(super) fn web_urls(text: &str) -> Option<Vec<Url>> {
    text.split(',').map(|url| web_url(url.trim())).collect()
}

/// A URL that paths are appended to: without query, and without the slash at its end.
pub(super) fn base_url(text: &str) -> Option<String> {
    let url = web_url(text).filter(|url| url.query().is_none())?;
    Some(url.as_str().trim_end_matches('/').to_owned())
}

pub(super) fn database_url(text: &str) -> Option<String> {
    let is_known = match text.strip_prefix("sqlite://") {
        Some(path) => !path.is_empty() && !path.starts_with('?'),
        None => Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "postgres" | "postgresql") && url.has_host()),
    };
    is_known.then(|| text.to_owned())
}

/// A database URL for display: the password, in user information or query, is hidden.
pub(super) fn without_password(database_url: &str) -> String {
    let Ok(mut url) = Url::parse(database_url) else {
        return "…".to_owned();
    };
    if url.password().is_some() && url.set_password(Some("HIDDEN")).is_err() {
        return "…".to_owned();
    }
    if url.query_pairs().any(|(name, _)| name == "password") {
        url.set_query(None);
    }
    url.to_string()
}

/// A folder (`file:`) or a bucket (`s3:`). A relative `file:` path would be taken for a host's name.
pub(super) fn blob_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let is_known = match url.scheme() {
        "file" => url.to_file_path().is_ok_and(|path| path.is_absolute()),
        "s3" => url.host_str().is_some_and(|bucket| !bucket.is_empty()),
        _ => false,
    };
    (is_known && url.query().is_none() && url.fragment().is_none()).then_some(url)
}

pub(super) fn log_format(text: &str) -> Option<LogFormat> {
    match text {
        "text" => Some(LogFormat::Text),
        "json" => Some(LogFormat::Json),
        _ => None,
    }
}

/// A level for everything, levels for single modules, or both, separated by commas. `tracing`'s own parser would take a
/// misspelt level for the name of a module.
pub(super) fn log_level(text: &str) -> Option<String> {
    let is_level = |word: &str| matches!(word, "error" | "warn" | "info" | "debug" | "trace" | "off");
    let is_module = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:-".contains(&byte))
    };
    let is_directive = |directive: &str| match directive.split_once('=') {
        Some((module, level)) => is_module(module) && is_level(level),
        None => is_level(directive),
    };
    text.split(',').all(is_directive).then(|| text.to_owned())
}

/// The path is percent-encoded, as the database driver expects it: a folder's name may hold `?`, `#` or `%`.
pub(super) fn sqlite_url(data_dir: &Path) -> String {
    folder_url(&data_dir.join("sealwright.db")).replacen("file://", "sqlite://", 1)
}

/// The `file:` URL of an absolute path; empty for a relative one, which never comes here.
pub(super) fn folder_url(path: &Path) -> String {
    Url::from_file_path(path).map(String::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_a_number_and_a_unit() {
        for (text, milliseconds) in
            [("500ms", 500), ("10s", 10_000), ("15m", 900_000), ("1h", 3_600_000), ("365d", 31_536_000_000)]
        {
            assert_eq!(duration(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "10", "s", "1.5h", "-1s", "1 h", "0s", "366d", "1h30m", "1H", "99999999999999999999s", "1µs"]
        {
            assert_eq!(duration(wrong), None, "{wrong:?}");
        }
        assert_eq!(duration("18446744073709551615d"), None);
    }

    #[test]
    fn a_base_url_has_no_slash_at_its_end_and_nothing_after_its_path() {
        assert_eq!(base_url("https://evidence.example/").as_deref(), Some("https://evidence.example"));
        assert_eq!(base_url("http://127.0.0.1:8080").as_deref(), Some("http://127.0.0.1:8080"));
        assert_eq!(base_url("https://a.example/sealwright/").as_deref(), Some("https://a.example/sealwright"));
        for wrong in [
            "a.example",
            "ftp://a.example",
            "https://",
            "https://u@a.example",
            "https://a.example/?q",
            "https://a.example/#f",
        ] {
            assert_eq!(base_url(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn time_stamping_authorities_are_one_url_or_several_in_their_order() {
        let hosts = |text| {
            web_urls(text).map(|urls| urls.iter().map(|url| url.host_str().unwrap().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(hosts("http://a.example/tsr").unwrap(), ["a.example"]);
        assert_eq!(hosts("https://b.example/tsr?x=1, http://127.0.0.1:3161").unwrap(), ["b.example", "127.0.0.1"]);
        for wrong in
            ["", ",", "http://a.example,", "http://a.example,b.example", "ftp://a.example", "http://u:p@a.example"]
        {
            assert_eq!(hosts(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn proxies_are_addresses_or_networks() {
        let read = |text| networks(text).map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(read("10.0.0.0/8, 2001:db8::1").unwrap(), ["10.0.0.0/8", "2001:db8::1/128"]);
        for wrong in ["", "10.0.0.0/8,", "10.0.0.0/33", "proxy.example", "10.0.0.1:80", "[::1]"] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn databases_are_sqlite_or_postgresql() {
        for right in ["sqlite:///var/lib/s.db", "sqlite://s.db", "postgres://u:p@db/s", "postgresql://db:5433/s"] {
            assert_eq!(database_url(right).as_deref(), Some(right));
        }
        for wrong in ["", "sqlite://", "sqlite::memory:", "mysql://db/s", "/var/lib/s.db", "postgres:db"] {
            assert_eq!(database_url(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_database_s_password_is_never_shown() {
        assert_eq!(without_password("postgres://u:s3cret@db/s"), "postgres://u:HIDDEN@db/s");
        assert_eq!(without_password("postgres://db/s?user=u&password=s3cret"), "postgres://db/s");
        assert_eq!(without_password("sqlite:///var/lib/s.db"), "sqlite:///var/lib/s.db");
        assert_eq!(without_password("s3cret"), "…");
    }

    #[test]
    fn blobs_are_in_an_absolute_folder_or_in_a_bucket() {
        assert!(blob_url("file:///var/lib/blobs").is_some());
        assert!(blob_url("s3://bucket/prefix").is_some());
        for wrong in ["file://blobs/x", "s3://", "s3:bucket", "http://a.example/", "/var/lib/blobs", "s3://b/p?x=1"] {
            assert_eq!(blob_url(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_misspelt_log_level_is_rejected() {
        for right in ["info", "off", "warn,sealwright=debug", "sealwright::jobs=trace,info"] {
            assert_eq!(log_level(right).as_deref(), Some(right));
        }
        for wrong in ["", "loud", "INFO", "info,", "sealwright=loud", "=info", "a b=info"] {
            assert_eq!(log_level(wrong), None, "{wrong:?}");
        }
    }
}
