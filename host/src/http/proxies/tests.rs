use axum::http::{HeaderName, HeaderValue};

use super::*;

const PROXY: &str = "10.0.0.1";
const CLIENT: &str = "203.0.113.7";

fn headers(lines: &[(&'static str, &[u8])]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap());
    }
    headers
}

fn client(peer: &str, lines: &[(&'static str, &str)]) -> String {
    let lines: Vec<_> = lines.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
    let trusted = TrustedProxies::new(&["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()]);
    trusted.client(peer.parse().unwrap(), &headers(&lines)).to_string()
}

#[test]
fn untrusted_peers_are_ignored() {
    for name in [X_FORWARDED_FOR, "forwarded"] {
        let value = if name == "forwarded" { "for=1.2.3.4" } else { "1.2.3.4" };
        assert_eq!(client(CLIENT, &[(name, value)]), CLIENT);
        assert_eq!(client(PROXY, &[(name, value)]), "1.2.3.4");
        assert_eq!(client("::ffff:10.0.0.1", &[(name, value)]), "1.2.3.4");
    }
    assert_eq!(client(PROXY, &[]), PROXY);
}

#[test]
fn what_the_client_wrote_is_not_reached() {
    for (value, expected) in [
        ("1.1.1.1, 203.0.113.7", CLIENT),
        ("1.1.1.1, 203.0.113.7, 10.0.0.2,10.0.0.3", CLIENT),
        ("1.1.1.1, 203.0.113.7:4711, fd00::1", CLIENT),
        ("10.0.0.9, 10.0.0.8", "10.0.0.9"),
        ("1.1.1.1, unknown", PROXY),
        ("1.1.1.1, unknown, 10.0.0.2", "10.0.0.2"),
        ("1.1.1.1,", PROXY),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::"),
        ("[2001:db8:1:2:3::4]:443", "2001:db8:1:2::"),
        ("fe80::1%eth0", PROXY),
        ("999.1.1.1", PROXY),
    ] {
        assert_eq!(client(PROXY, &[(X_FORWARDED_FOR, value)]), expected, "{value}");
    }
    assert_eq!(client(PROXY, &[(X_FORWARDED_FOR, "1.1.1.1"), (X_FORWARDED_FOR, CLIENT)]), CLIENT);
}

#[test]
fn rfc_7239_forwarded_is_read() {
    for (value, expected) in [
        ("for=203.0.113.7", CLIENT),
        ("For=\"203.0.113.7:4711\";proto=https;by=10.0.0.1", CLIENT),
        ("for=1.1.1.1, for=203.0.113.7;host=\"a,b;c\", proto=http;for=10.0.0.2", CLIENT),
        ("for=\"[2001:db8:cafe:1::17]:4711\"", "2001:db8:cafe:1::"),
        ("for=\"[2001:db8:cafe:1::17]\"", "2001:db8:cafe:1::"),
        ("for=[2001:db8:cafe:1::17]", "2001:db8:cafe:1::"),
        ("for=\"203.0.113.7:_port\"", CLIENT),
        ("for=\"[2001:db8:cafe:1::17]:_x\"", "2001:db8:cafe:1::"),
        ("for=\"2\\03.0.113.7\"", CLIENT),
        ("for=1.1.1.1, for=unknown", PROXY),
        ("for=1.1.1.1, for=_hidden", PROXY),
        ("for=1.1.1.1, for=_hidden, for=10.0.0.2", "10.0.0.2"),
        ("for=1.1.1.1, proto=https", PROXY),
        // A quote that the client left open swallows what the proxy added.
        ("for=\"1.1.1.1, for=203.0.113.7", PROXY),
        ("1.1.1.1", PROXY),
        ("for=1.1.1.1 for=2.2.2.2", PROXY),
        ("=1.1.1.1", PROXY),
        ("for=\"1.1.1.1\\", PROXY),
    ] {
        assert_eq!(client(PROXY, &[("forwarded", value)]), expected, "{value}");
    }
}

#[test]
fn two_headers_that_differ_are_both_ignored() {
    let both = |value| [("forwarded", "for=203.0.113.7"), (X_FORWARDED_FOR, value)];
    assert_eq!(client(PROXY, &both(CLIENT)), CLIENT);
    assert_eq!(client(PROXY, &both("1.1.1.1")), PROXY);
}

/// Pieces that are significant to the parsers, combined by a small random generator.
#[test]
fn hostile_values_never_panic() {
    const PIECES: [&[u8]; 18] = [
        b"for",
        b"=",
        b"\"",
        b"\\",
        b",",
        b";",
        b"[",
        b"]",
        b":",
        b"_",
        b"1.2.3.4",
        b"::",
        b"%",
        b" ",
        b"\t",
        b"\xff",
        b"\xc3\xa9",
        b"by=",
    ];
    let trusted = TrustedProxies::new(&["10.0.0.0/8".parse().unwrap()]);
    let mut random = 1_u64;
    for _ in 0..50_000 {
        let mut value = Vec::new();
        for _ in 0..12 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            value.extend_from_slice(PIECES[usize::try_from(random >> 40).unwrap() % PIECES.len()]);
        }
        let headers = headers(&[("forwarded", &value), (X_FORWARDED_FOR, &value)]);
        trusted.client("10.0.0.1".parse().unwrap(), &headers);
    }
}
