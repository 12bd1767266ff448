//! Which addresses are public: the IANA special-purpose registries as data, and the forms in which an IPv6 address
//! embeds an IPv4 address to bypass them. Knows nothing of names or connections.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::LazyLock,
};

use ipnet::{IpNet, Ipv6Net};

/// Why an address is refused: it is in a block that is not for public receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub address: IpAddr,
    /// What the block is for, in the registry's words: `private use`, `loopback`, `Teredo`.
    pub purpose: &'static str,
    /// The block, or `None` for a form that is identified by the address's lower half (ISATAP).
    pub block: Option<IpNet>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a public address: {}", self.address, self.purpose)?;
        match self.block {
            Some(block) => write!(f, " ({block})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

/// Accepts addresses that a public receiver can have, and names the block of any other.
///
/// No list of special addresses is complete, so in doubt an address is refused: every form that embeds an IPv4 address,
/// even a public one, except the NAT64 prefix `64:ff9b::/96`. An IPv6-only network resolves every IPv4-only receiver to
/// that prefix, so the embedded address is judged instead (RFC 6052, section 3.1).
pub fn is_public(address: IpAddr) -> Result<(), Refusal> {
    if let IpAddr::V6(v6) = address {
        if let Some(embedded) = nat64_embedded(v6) {
            return is_public(embedded.into()).map_err(|refusal| Refusal { address, ..refusal });
        }
        if is_isatap(v6) {
            return Err(Refusal { address, purpose: "ISATAP", block: None });
        }
    }
    match most_specific_block(address) {
        Some(special) => Err(Refusal { address, purpose: special.purpose, block: Some(special.block) }),
        None => Ok(()),
    }
}

pub(super) struct SpecialBlock {
    pub(super) block: IpNet,
    purpose: &'static str,
}

pub(super) static SPECIAL_BLOCKS: LazyLock<Vec<SpecialBlock>> = LazyLock::new(|| {
    include_str!("special_addresses.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(parse_special_block)
        .collect()
});

/// # Panics
/// On a malformed line. The file is compiled in and a test reads all of it, so no released program has one.
fn parse_special_block(line: &'static str) -> SpecialBlock {
    let mut fields = line.split('|').map(str::trim);
    let block = fields.next().and_then(|block| block.parse::<IpNet>().ok());
    match (block, fields.next(), fields.next(), fields.next()) {
        (Some(block), Some(purpose), Some(_source), None) => SpecialBlock { block, purpose },
        _ => panic!("special_addresses.txt: not `block | purpose | source`: {line}"),
    }
}

fn most_specific_block(address: IpAddr) -> Option<&'static SpecialBlock> {
    SPECIAL_BLOCKS
        .iter()
        .filter(|special| special.block.contains(&address))
        .max_by_key(|special| special.block.prefix_len())
}

/// The IPv4 address in the last 32 bits of the well-known NAT64 prefix (RFC 6052, section 2.2).
fn nat64_embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    const WELL_KNOWN_PREFIX: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
    let [.., a, b, c, d] = address.octets();
    WELL_KNOWN_PREFIX.contains(&address).then_some(Ipv4Addr::new(a, b, c, d))
}

/// An ISATAP interface identifier, `0000:5efe` or `0200:5efe` before an IPv4 address (RFC 5214, section 6.1). It can
/// follow any prefix, so no block of a registry covers it.
fn is_isatap(address: Ipv6Addr) -> bool {
    matches!(address.segments(), [_, _, _, _, 0x0000 | 0x0200, 0x5efe, _, _])
}

#[cfg(test)]
pub(super) mod tests;
