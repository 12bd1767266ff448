//! The `Host` header: exactly one, and well-formed (RFC 9112, section 3.2). If there are two, a proxy in front may have
//! used the other one.

use axum::http::{HeaderMap, Version, header::HOST};

/// The problem with it, if any.
pub(super) fn problem(version: Version, headers: &HeaderMap) -> Option<&'static str> {
    let mut all = headers.get_all(HOST).iter();
    match (all.next(), all.next()) {
        (None, _) if version < Version::HTTP_11 => None,
        (None, _) => Some("the Host header is required"),
        (Some(_), Some(_)) => Some("the Host header is given more than once"),
        (Some(host), None) if is_host(host.as_bytes()) => None,
        (Some(_), None) => Some("the Host header must be a host name or address, with or without a port"),
    }
}

/// `uri-host [ ":" port ]` (RFC 3986, section 3.2.2). The name must not be empty: no http URL allows that.
fn is_host(value: &[u8]) -> bool {
    let Ok(value) = str::from_utf8(value) else { return false };
    let (host, port) = match value.strip_prefix('[') {
        Some(literal) => {
            let Some((address, tail)) = literal.split_once(']') else { return false };
            if address.parse::<std::net::Ipv6Addr>().is_err() {
                return false;
            }
            ("literal", tail)
        }
        None => value.split_at(value.find(':').unwrap_or(value.len())),
    };
    let is_port =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    !host.is_empty() && is_port && is_name(host.as_bytes())
}

/// Unreserved characters, sub-delimiters, and percent-encoded bytes.
fn is_name(name: &[u8]) -> bool {
    let mut rest = name;
    while let Some((first, tail)) = rest.split_first() {
        rest = match first {
            b'%' => match tail {
                [high, low, tail @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => tail,
                _ => return false,
            },
            byte if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte) => tail,
            _ => return false,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_9112_which_hosts_are_well_formed() {
        for good in ["a.example", "a.example:8080", "a:", "127.0.0.1:1", "[::1]", "[2001:db8::1]:443", "x_y", "%41"] {
            assert!(is_host(good.as_bytes()), "{good}");
        }
        for bad in
            ["", ":80", "a b", "a,b c", "u@a", "a/b", "a:b", "a:80:80", "[::1", "::1", "[x]", "[::1]x", "%4", "é", "a#"]
        {
            assert!(!is_host(bad.as_bytes()), "{bad}");
        }
    }
}
