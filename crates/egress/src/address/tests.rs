use std::collections::BTreeSet;

use super::*;

/// The blocks that the specification names (6.2), those that other lists are known to miss, and one address of each.
/// Written by hand, so that a missing line in the data file is detected.
const REFUSED: &[(&str, &str)] = &[
    ("0.0.0.0", "this host on this network"),
    ("0.255.255.255", "this network"),
    ("10.0.0.0", "private use"),
    ("10.255.255.255", "private use"),
    ("100.64.0.0", "shared address space (carrier-grade NAT)"),
    ("100.100.100.200", "shared address space (carrier-grade NAT)"),
    ("100.127.255.255", "shared address space (carrier-grade NAT)"),
    ("127.0.0.1", "loopback"),
    ("127.255.255.254", "loopback"),
    ("168.63.129.16", "cloud platform agent"),
    ("169.254.169.254", "link local"),
    ("172.16.0.0", "private use"),
    ("172.31.255.255", "private use"),
    ("192.0.0.1", "IPv4 service continuity prefix"),
    ("192.0.0.9", "port control protocol anycast"),
    ("192.0.0.192", "IETF protocol assignments"),
    ("192.0.2.1", "documentation (TEST-NET-1)"),
    ("192.31.196.1", "AS112-v4"),
    ("192.52.193.1", "automatic multicast tunneling"),
    ("192.88.99.1", "deprecated 6to4 relay anycast"),
    ("192.88.99.2", "6a44 relay anycast"),
    ("192.168.255.255", "private use"),
    ("192.175.48.1", "direct delegation AS112 service"),
    ("198.18.0.0", "benchmarking"),
    ("198.19.255.255", "benchmarking"),
    ("198.51.100.7", "documentation (TEST-NET-2)"),
    ("203.0.113.7", "documentation (TEST-NET-3)"),
    ("224.0.0.1", "multicast"),
    ("239.255.255.255", "multicast"),
    ("240.0.0.1", "reserved"),
    ("255.255.255.255", "limited broadcast"),
    ("::", "unspecified"),
    ("::1", "loopback"),
    ("::2", "deprecated IPv4-compatible"),
    ("::127.0.0.1", "deprecated IPv4-compatible"),
    ("::ffff:8.8.8.8", "IPv4-mapped"),
    ("::ffff:0:8.8.8.8", "IPv4-translated"),
    ("64:ff9b::10.0.0.1", "private use"),
    ("64:ff9b::7f00:1", "loopback"),
    ("64:ff9b::1:7f00:1", "reserved by IETF"),
    ("64:ff9b:1::8.8.8.8", "IPv4-IPv6 translation, local use"),
    ("64:ff9b:2::8.8.8.8", "reserved by IETF"),
    ("100::1", "discard only"),
    ("100:0:0:1::1", "dummy prefix"),
    ("200::1", "reserved by IETF"),
    ("1fff::1", "reserved by IETF"),
    ("2001::1", "Teredo"),
    ("2001:1::1", "port control protocol anycast"),
    ("2001:1::4", "IETF protocol assignments"),
    ("2001:2::1", "benchmarking"),
    ("2001:4:112::1", "AS112-v6"),
    ("2001:10::1", "deprecated ORCHID"),
    ("2001:2f:ffff::1", "ORCHIDv2"),
    ("2001:30::1", "drone remote identification"),
    ("2001:1ff:ffff::1", "IETF protocol assignments"),
    ("2001:db8::1", "documentation"),
    ("2002:808:808::1", "6to4"),
    ("2620:4f:8000::1", "direct delegation AS112 service"),
    ("3fff:fff::1", "documentation"),
    ("4000::1", "reserved by IETF"),
    ("5f00::1", "segment routing identifiers"),
    ("6000::1", "reserved by IETF"),
    ("8000::1", "reserved by IETF"),
    ("dead:beef::1", "reserved by IETF"),
    ("f000::1", "reserved by IETF"),
    ("fc00::1", "unique local"),
    ("fd00:ec2::254", "unique local"),
    ("fe00::1", "reserved by IETF"),
    ("fe80::1", "link local"),
    ("fec0::1", "deprecated site local"),
    ("ff02::1", "multicast"),
    ("ff0e::1", "multicast"),
    ("2a00:1450::5efe:8.8.8.8", "ISATAP"),
    ("2a00:1450::200:5efe:10.0.0.1", "ISATAP"),
];

/// Neighbours of refused blocks, and addresses of real receivers.
const PUBLIC: &[&str] = &[
    "1.0.0.0",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "203.0.114.0",
    "223.255.255.255",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2001:db7:ffff::1",
    "2001:db9::1",
    "2003::1",
    "2400::1",
    "2606:4700::1111",
    "2a00:1450:4007::200e",
    "3ffe:ffff::1",
    "64:ff9b::8.8.8.8",
    "64:ff9b::172.32.0.0",
];

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn each_special_address_is_refused_with_its_block_named() {
    for (address, purpose) in REFUSED {
        let refusal = is_public(ip(address)).expect_err(address);
        assert_eq!((refusal.address, refusal.purpose), (ip(address), *purpose), "{address}");
    }
}

#[test]
fn public_addresses_and_the_neighbours_of_blocks_are_accepted() {
    for address in PUBLIC {
        assert_eq!(is_public(ip(address)), Ok(()), "{address}");
    }
}

#[test]
fn a_refusal_reads_as_a_sentence() {
    let refusal = is_public(ip("10.1.2.3")).unwrap_err();
    assert_eq!(refusal.to_string(), "10.1.2.3 is not a public address: private use (10.0.0.0/8)");
    let refusal = is_public(ip("64:ff9b::a01:203")).unwrap_err();
    assert_eq!(refusal.to_string(), "64:ff9b::a01:203 is not a public address: private use (10.0.0.0/8)");
}

#[test]
fn the_data_file_lists_each_block_once_and_without_host_bits() {
    let mut seen = BTreeSet::new();
    for special in SPECIAL_BLOCKS.iter() {
        assert_eq!(special.block, special.block.trunc(), "{} has host bits", special.block);
        assert!(!special.purpose.is_empty());
        assert!(seen.insert(special.block), "{} is listed twice", special.block);
    }
    assert!(seen.len() > 70, "{} blocks", seen.len());
}

#[test]
fn everything_outside_global_unicast_is_refused() {
    // 2000::/3 is the only part of the address space that has global unicast addresses; the only exception is the NAT64
    // prefix, whose first 16 bits are 0x0064.
    for high in (0..=u16::MAX).filter(|high| high >> 13 != 1 && *high != 0x64) {
        let address = IpAddr::from(Ipv6Addr::new(high, 0x1234, 0, 0, 0, 0, 0, 0x25));
        assert!(is_public(address).is_err(), "{address}");
    }
}

#[test]
fn thousands_of_addresses_in_special_blocks_are_refused_in_every_embedded_form() {
    let mut generator = Generator(0x5EA1);
    let mut judged = 0;
    for special in SPECIAL_BLOCKS.iter() {
        for address in samples_of(special.block, &mut generator) {
            judged += 1;
            if let IpAddr::V4(v4) = address {
                assert!(is_public(address).is_err(), "{address}");
                for embedded in embedded_forms(v4) {
                    judged += 1;
                    assert!(is_public(embedded.into()).is_err(), "{embedded} carries {v4}");
                }
            } else if special.block != "64:ff9b::/96".parse().unwrap() {
                assert!(is_public(address).is_err(), "{address}");
            }
        }
    }
    assert!(judged > 5_000, "only {judged} addresses were generated");
}

#[test]
fn public_ipv4_addresses_pass_plain_and_through_nat64_and_no_other_way() {
    let mut generator = Generator(0xF1E1D);
    let mut judged = 0;
    while judged < 1_000 {
        let v4 = Ipv4Addr::from_bits(generator.next_u32());
        if SPECIAL_BLOCKS.iter().any(|special| special.block.contains(&IpAddr::V4(v4))) {
            continue;
        }
        judged += 1;
        assert_eq!(is_public(v4.into()), Ok(()), "{v4}");
        let [nat64, others @ ..] = embedded_forms(v4);
        assert_eq!(is_public(nat64.into()), Ok(()), "{nat64}");
        for embedded in others {
            assert!(is_public(embedded.into()).is_err(), "{embedded} carries {v4}");
        }
    }
}

/// The block's edges, and a few addresses between them.
pub(crate) fn samples_of(block: IpNet, generator: &mut Generator) -> Vec<IpAddr> {
    let mut samples = vec![block.network(), block.broadcast()];
    for _ in 0..30 {
        samples.push(match block {
            IpNet::V4(net) => {
                Ipv4Addr::from_bits(net.network().to_bits() | generator.next_u32() & net.hostmask().to_bits()).into()
            }
            IpNet::V6(net) => {
                Ipv6Addr::from_bits(net.network().to_bits() | generator.next_u128() & net.hostmask().to_bits()).into()
            }
        });
    }
    samples
}

/// The ways in which an IPv6 address embeds `v4`. Only the first one is judged by the embedded address.
pub(crate) fn embedded_forms(v4: Ipv4Addr) -> [Ipv6Addr; 11] {
    let low = u128::from(v4.to_bits());
    let at = |prefix: &str, bits: u128| Ipv6Addr::from_bits(prefix.parse::<Ipv6Addr>().unwrap().to_bits() | bits);
    [
        at("64:ff9b::", low),
        at("64:ff9b:1::", low),
        at("64:ff9b:1:1::", low),
        at("::ffff:0:0", low),
        at("::", low),
        at("::ffff:0:0:0", low),
        // 6to4 has the address after its 16-bit prefix, Teredo has the client's in the last 32 bits, inverted.
        at("2002::1", low << 80),
        at("2001:0:4136:e378:8000:63bf::", low ^ 0xffff_ffff),
        // The Teredo server's address follows its prefix.
        at("2001::", low << 64),
        at("2a00:1450::5efe:0:0", low),
        at("2a00:1450::200:5efe:0:0", low),
    ]
}

/// A small deterministic generator (xorshift64*), so that a failure can be reproduced.
pub(crate) struct Generator(pub(crate) u64);

impl Generator {
    fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn next_u32(&mut self) -> u32 {
        u32::try_from(self.next_u64() >> 32).unwrap()
    }

    fn next_u128(&mut self) -> u128 {
        u128::from(self.next_u64()) << 64 | u128::from(self.next_u64())
    }
}
