//! The rules for the form of a webhook's URL (spec 4.17 and 6.2, decisions 12). Nothing is resolved here: whether a
//! name leads to a public address is judged at dispatch.

use ::url::{Host, ParseError, Url};

/// Where a URL comes from, which decides how strictly its form is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlPolicy {
    /// `POST /company-options/api-settings` (spec 4.17): https only.
    SettingsApi,
    /// A company manifest, and every dispatch (spec 6.2): http is accepted too; `apply` warns if [`is_plaintext`].
    CompanyManifest,
    /// Development and tests, with `webhook.allow_private_addresses` on: http, literal addresses, single-label and
    /// local names are accepted.
    AllowPrivate,
}

/// The rule that a URL breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    #[error("not a URL: {0}")]
    Malformed(ParseError),
    #[error("the scheme must be {expected}, not {found}")]
    Scheme { found: String, expected: &'static str },
    #[error("a user name or password in the URL is not accepted")]
    UserInformation,
    #[error("a literal IP address ({0}) is not accepted: use a domain name")]
    LiteralAddress(String),
    #[error("the host {0} has no domain: use a full domain name")]
    SingleLabel(String),
    #[error("the host {host} is not accepted: names under .{reserved} are not public")]
    SpecialUseName { host: String, reserved: &'static str },
    #[error("the host {0} is not a domain name")]
    MalformedName(String),
}

/// Parses a webhook's URL and judges its form.
///
/// The rules apply to the result of the URL Standard's parser, because that is what will be called: it turns `0x7f.1`,
/// `2130706433`, `%3127.0.0.1` and full-width digits into `127.0.0.1`.
pub fn check_url(text: &str, policy: UrlPolicy) -> Result<Url, UrlError> {
    let url = Url::parse(text).map_err(UrlError::Malformed)?;
    check_scheme(&url, policy)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(UrlError::UserInformation);
    }
    if policy != UrlPolicy::AllowPrivate {
        check_host(&url)?;
    }
    Ok(url)
}

/// Whether a post to `url` is not encrypted.
pub fn is_plaintext(url: &Url) -> bool {
    url.scheme() != "https"
}

/// Names that mean this machine or the local network: RFC 6761, RFC 6762 (with the names its appendix G found in use),
/// RFC 7686, RFC 8375, RFC 9476, and `.internal`, which ICANN reserves for private use. The names reserved for
/// documentation and tests (RFC 2606) are not listed: they do not resolve and are harmless.
const SPECIAL_USE_NAMES: &[&str] = &[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "arpa",
    "onion",
    "alt",
];

fn check_scheme(url: &Url, policy: UrlPolicy) -> Result<(), UrlError> {
    match (url.scheme(), policy) {
        ("https", _) | ("http", UrlPolicy::CompanyManifest | UrlPolicy::AllowPrivate) => Ok(()),
        (found, UrlPolicy::SettingsApi) => Err(UrlError::Scheme { found: found.to_owned(), expected: "https" }),
        (found, _) => Err(UrlError::Scheme { found: found.to_owned(), expected: "https or http" }),
    }
}

fn check_host(url: &Url) -> Result<(), UrlError> {
    match url.host() {
        // The parser refuses http and https without a host, so `None` cannot occur; refusing it costs nothing.
        None => Err(UrlError::Malformed(ParseError::EmptyHost)),
        Some(Host::Ipv4(address)) => Err(UrlError::LiteralAddress(address.to_string())),
        Some(Host::Ipv6(address)) => Err(UrlError::LiteralAddress(address.to_string())),
        Some(Host::Domain(name)) => check_name(name),
    }
}

fn check_name(name: &str) -> Result<(), UrlError> {
    // One final dot means the root and changes nothing; the checks below ignore it.
    let rooted = name.strip_suffix('.').unwrap_or(name);
    let labels: Vec<&str> = rooted.split('.').collect();
    if rooted.len() > 253 || !labels.iter().all(|label| is_label(label)) {
        return Err(UrlError::MalformedName(name.to_owned()));
    }
    // `labels` has at least one element: `split` returns the whole text if there is no dot.
    let top_level = labels.last().copied().unwrap_or_default();
    if let Some(reserved) = SPECIAL_USE_NAMES.iter().find(|reserved| **reserved == top_level) {
        return Err(UrlError::SpecialUseName { host: name.to_owned(), reserved });
    }
    if labels.len() < 2 {
        return Err(UrlError::SingleLabel(name.to_owned()));
    }
    Ok(())
}

/// A label of a host name (RFC 1123, section 2.1), in lower case because the parser lowers it. The underscore is not
/// allowed in host names but occurs in real ones.
fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use UrlPolicy::{AllowPrivate, CompanyManifest, SettingsApi};

    use super::*;

    /// Ways to write an address that the parser understands: dotted, short, dword, octal, hexadecimal, mixed, with a
    /// final dot, escaped, in full-width digits, with an ideographic full stop, and as IPv6.
    const LITERALS: &[&str] = &[
        "127.0.0.1",
        "8.8.8.8",
        "127.0.0.1.",
        "127.1",
        "127.0.1",
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7F.0.0.1",
        "0177.0.0.01",
        "0x7f.1",
        "0",
        "0x",
        "1.1",
        "%31%32%37.0.0.1",
        "127%2e0%2e0%2e1",
        "\u{ff11}\u{ff12}\u{ff17}.\u{ff10}.\u{ff10}.\u{ff11}",
        "127。0。0。1",
        "①②⑦.⓪.⓪.①",
        "[::1]",
        "[::]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::FFFF:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2606:4700::1111]",
        "[fd00::1]",
    ];

    #[test]
    fn a_literal_address_is_refused_in_every_spelling() {
        for literal in LITERALS {
            for (scheme, port) in [("https", ""), ("https", ":8443"), ("http", ":80")] {
                let text = format!("{scheme}://{literal}{port}/hook");
                let error = check_url(&text, CompanyManifest).expect_err(&text);
                assert!(matches!(error, UrlError::LiteralAddress(_)), "{text}: {error}");
            }
        }
    }

    #[test]
    fn a_host_that_only_looks_like_an_address_is_not_a_url() {
        for host in
            ["256.0.0.1", "1.2.3.4.5", "127.0.0.0x100", "08.1", "[::1", "[fe80::1%25eth0]", "127.0.0.1:port", "[::1]1"]
        {
            let error = check_url(&format!("https://{host}/"), SettingsApi).expect_err(host);
            assert!(matches!(error, UrlError::Malformed(_)), "{host}: {error}");
        }
    }

    #[test]
    fn names_of_the_machine_and_of_the_local_network_are_refused() {
        for host in [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.localhost",
            "printer.local",
            "metadata.google.internal",
            "metadata.google.internal.",
            "db.corp",
            "router.home",
            "router.home.arpa",
            "1.0.0.127.in-addr.arpa",
            "nas.lan",
            "hidden.onion",
            "%6cocalhost",
            "ⓛocalhost",
        ] {
            for policy in [SettingsApi, CompanyManifest] {
                let error = check_url(&format!("https://{host}/"), policy).expect_err(host);
                assert!(matches!(error, UrlError::SpecialUseName { .. }), "{host}: {error}");
            }
        }
    }

    #[test]
    fn a_host_without_a_domain_is_refused() {
        for host in ["intra", "hooks", "com", "com.", "xn--bcher-kva"] {
            for policy in [SettingsApi, CompanyManifest] {
                let error = check_url(&format!("https://{host}/"), policy).expect_err(host);
                assert!(matches!(error, UrlError::SingleLabel(_)), "{host}: {error}");
            }
        }
    }

    #[test]
    fn a_name_with_empty_or_odd_labels_is_refused() {
        let long_label = format!("{}.example.com", "a".repeat(64));
        let long_name = "abcdefg.".repeat(32) + "com";
        for host in
            ["127.0.0.1..", "a..example.com", ".example.com", "hooks.example.com..", "a!b.com", &long_label, &long_name]
        {
            let error = check_url(&format!("https://{host}/"), SettingsApi).expect_err(host);
            assert!(matches!(error, UrlError::MalformedName(_) | UrlError::Malformed(_)), "{host}: {error}");
        }
    }

    #[test]
    fn user_information_is_refused_under_every_policy() {
        for authority in ["user@", "user:secret@", ":secret@", "hooks.acme.com%40:x@", "127.0.0.1@"] {
            for policy in [SettingsApi, CompanyManifest, AllowPrivate] {
                let text = format!("https://{authority}hooks.example.com/");
                assert_eq!(check_url(&text, policy), Err(UrlError::UserInformation), "{text}");
            }
        }
        let error = check_url("https://user:secret@hooks.example.com/", SettingsApi).unwrap_err();
        assert!(!error.to_string().contains("secret"));
    }

    #[test]
    fn only_web_schemes_are_accepted() {
        for text in [
            "ftp://hooks.example.com/",
            "file:///etc/passwd",
            "gopher://127.0.0.1:6379/_x",
            "javascript:alert(1)",
            "ws://a.example/",
        ] {
            for policy in [SettingsApi, CompanyManifest, AllowPrivate] {
                assert!(matches!(check_url(text, policy), Err(UrlError::Scheme { .. })), "{text}");
            }
        }
        for text in
            ["", "hooks.example.com", "//hooks.example.com/", "https://", "https:///", "https://:443/", "https://?x"]
        {
            assert!(matches!(check_url(text, CompanyManifest), Err(UrlError::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn http_is_for_the_operator_only_and_is_detected() {
        let text = "http://hooks.acme.example/cases";
        assert_eq!(check_url(text, SettingsApi), Err(UrlError::Scheme { found: "http".to_owned(), expected: "https" }));
        assert!(is_plaintext(&check_url(text, CompanyManifest).unwrap()));
        assert!(!is_plaintext(&check_url("https://hooks.acme.example/cases", CompanyManifest).unwrap()));
    }

    #[test]
    fn public_names_are_accepted_under_every_policy() {
        for text in [
            "https://hooks.acme.example/cases",
            "https://hooks.acme.example:8443/cases?key=a%20b&x={}",
            "https://hooks.acme.example./cases",
            "https://bücher.example/straße",
            "https://localhost.example.com/",
            "https://local.internal.example.com/",
            "https://127.0.0.1.example.com/",
            "https://service_1.example.com/",
            "https://a-1--b.example.co.uk/",
        ] {
            for policy in [SettingsApi, CompanyManifest, AllowPrivate] {
                assert!(check_url(text, policy).is_ok(), "{text}: {:?}", check_url(text, policy));
            }
        }
    }

    #[test]
    fn development_accepts_plain_local_receivers() {
        for text in [
            "http://127.0.0.1:9000/hook",
            "http://[::1]:9000/",
            "http://localhost/",
            "https://receiver/",
            "http://10.0.0.1/",
        ] {
            assert!(check_url(text, AllowPrivate).is_ok(), "{text}");
        }
    }
}
