//! Finds the client address of a request behind proxies, from `Forwarded` (RFC 7239) or `X-Forwarded-For` as written by
//! trusted proxies. What a client wrote into these headers itself is to the left of what the proxies added, and is not
//! reached.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, header::FORWARDED};
use ipnet::IpNet;

use crate::domain::client_address::ClientAddress;

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// The proxies whose headers are trusted.
#[derive(Clone, Debug, Default)]
pub(super) struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    pub(super) fn new(networks: &[IpNet]) -> Self {
        Self(networks.to_vec())
    }

    pub(super) fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client of a request that came over a connection from `peer`. If the proxies name no address (`unknown`, an
    /// obfuscated name, or malformed text) it is the last known proxy. A proxy writes one of the two headers and passes
    /// the other on as the client sent it, so if the two differ, neither is trusted.
    pub(super) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientAddress {
        let peer = peer.to_canonical();
        if !self.trusts(peer) {
            return peer.into();
        }
        let walk = |hops: Vec<Option<IpAddr>>| (!hops.is_empty()).then(|| self.walk(peer, hops));
        match (walk(forwarded(headers)), walk(x_forwarded_for(headers))) {
            (Some(client), None) | (None, Some(client)) => client,
            (Some(client), Some(same)) if client == same => client,
            _ => peer,
        }
        .into()
    }

    /// From the nearest hop outwards, to the first that is not one of the proxies.
    fn walk(&self, peer: IpAddr, hops: Vec<Option<IpAddr>>) -> IpAddr {
        let mut nearest = peer;
        for hop in hops.into_iter().rev() {
            let Some(hop) = hop else { break };
            nearest = hop;
            if !self.trusts(hop) {
                break;
            }
        }
        nearest
    }
}

/// The hops of `X-Forwarded-For`, the nearest last; none for what is not an address.
fn x_forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let lines = headers.get_all(X_FORWARDED_FOR).iter();
    lines
        .flat_map(|line| line.as_bytes().split(|byte| *byte == b',').map(|hop| node(str::from_utf8(hop).ok()?)))
        .collect()
}

/// The hops of `Forwarded`, the nearest last. A malformed line counts as one unknown hop: its elements cannot be
/// separated.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let lines = headers.get_all(FORWARDED).iter();
    let hops = lines.map(|line| line.to_str().ok().and_then(elements).unwrap_or_else(|| vec![None]));
    hops.flatten().collect()
}

/// The `for` of each element of a line: `for=192.0.2.1;proto=https, for="[2001:db8::1]:443"`.
fn elements(line: &str) -> Option<Vec<Option<IpAddr>>> {
    let mut hops = Vec::new();
    let mut rest = line;
    loop {
        let (hop, ends, tail) = element(rest)?;
        hops.push(hop);
        if ends {
            return Some(hops);
        }
        rest = tail;
    }
}

/// One element, whether the line ends with it, and what follows its comma.
fn element(mut rest: &str) -> Option<(Option<IpAddr>, bool, &str)> {
    let mut hop = None;
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let (name, tail) = rest.split_once('=')?;
        let (value, tail) = value(tail)?;
        if name.eq_ignore_ascii_case("for") {
            hop = node(&value);
        } else if name.is_empty() || !name.bytes().all(is_token) {
            return None;
        }
        let tail = tail.trim_start_matches([' ', '\t']);
        match tail.as_bytes().first() {
            None => return Some((hop, true, "")),
            Some(b',') => return Some((hop, false, &tail[1..])),
            Some(b';') => rest = &tail[1..],
            Some(_) => return None,
        }
    }
}

/// A token or a quoted text, and what follows it. Unquoted brackets and colons are accepted, because proxies write
/// them.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.bytes().position(|byte| !is_token(byte) && !b"[]:".contains(&byte)).unwrap_or(text.len());
        return Some((text[..end].to_owned(), &text[end..]));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &quoted[at + 1..])),
            '\\' => value.push(characters.next()?.1),
            character => value.push(character),
        }
    }
    None
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// An address with or without a port. None for `unknown` and obfuscated names.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim_matches([' ', '\t']);
    let address = text.parse::<IpAddr>().ok();
    let address = address.or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    // A port may be obfuscated too (RFC 7239, section 6.2).
    let with_hidden_port = || match text.rsplit_once(":_")?.0 {
        host if host.starts_with('[') => host.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6),
        host => host.parse().ok().map(IpAddr::V4),
    };
    Some(address.or_else(bracketed).or_else(with_hidden_port)?.to_canonical())
}

#[cfg(test)]
mod tests;
