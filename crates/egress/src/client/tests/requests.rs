//! Requests as they are sent for a URL.

use ::url::Url;
use bytes::Bytes;
use hyper::{HeaderMap, Method};

use super::super::{Message, build_request, host_header};

#[test]
fn the_host_header_carries_ports_and_brackets() {
    for (text, host) in [
        ("https://hooks.acme.example/", "hooks.acme.example"),
        ("https://hooks.acme.example:443/", "hooks.acme.example"),
        ("https://hooks.acme.example:8443/", "hooks.acme.example:8443"),
        ("http://hooks.acme.example:443/", "hooks.acme.example:443"),
        ("http://[::1]/", "[::1]"),
        ("http://[::1]:9000/", "[::1]:9000"),
        ("https://b\u{fc}cher.example/", "xn--bcher-kva.example"),
    ] {
        assert_eq!(host_header(&Url::parse(text).unwrap()).unwrap(), host, "{text}");
    }
}

#[test]
fn every_path_that_a_url_can_have_is_sent_unchanged() {
    for (text, target) in [
        ("https://a.example", "/"),
        ("https://a.example?x=1#fragment", "/?x=1"),
        (
            "https://a.example/a b/\u{e9}\"<>`{}|\\^[]'!$&()*+,;=:@~%zz",
            "/a%20b/%C3%A9%22%3C%3E%60%7B%7D|/^[]'!$&()*+,;=:@~%zz",
        ),
        ("https://a.example/?{\"a\":[1]}|\\^`'", "/?{%22a%22:[1]}|\\^`%27"),
    ] {
        let message = Message { method: Method::GET, headers: HeaderMap::new(), body: Bytes::new() };
        let Ok(request) = build_request(&Url::parse(text).unwrap(), message) else {
            panic!("{text} cannot be sent");
        };
        assert_eq!(request.uri().to_string().replace("%5E", "^"), target, "{text}");
    }
}
