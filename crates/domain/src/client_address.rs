//! The client that connections and failures are counted for. No quota of the specification depends on it.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

/// Where a client is: an IPv4 address, or the /64 network of an IPv6 address. One subscriber has at least a /64, and could
/// use another of its addresses for each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// An unknown origin, such as a request without a connection.
    pub const UNKNOWN: Self = Self(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
}

impl From<IpAddr> for ClientAddress {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from(u128::from(address) >> 64 << 64).into(),
            address @ IpAddr::V4(_) => address,
        })
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        ClientAddress::from(text.parse::<IpAddr>().unwrap()).to_string()
    }

    #[test]
    fn an_ipv6_subscriber_is_one_client() {
        assert_eq!(of("203.0.113.7"), "203.0.113.7");
        assert_eq!(of("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }
}
