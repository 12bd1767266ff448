//! Ports for servers and databases. One that is started again must get the same ports, because its addresses are in use.
//! Ports that the system chooses are given to others meanwhile: each test listens and connects. These are below the range
//! from which Linux chooses (from 32768), and no two of a run get the same.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    process,
    sync::atomic::{AtomicU16, Ordering},
};

const FIRST: u16 = 10_240;
const COUNT: u16 = 20_000;

/// An address of this machine on which no program listens.
///
/// If all ports are in use.
pub(super) fn next_address() -> SocketAddr {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    // Another run on this machine begins elsewhere.
    let run = u16::try_from(u64::from(process::id()) * 1_009 % u64::from(COUNT)).expect("below the count");
    let addresses = (0..COUNT).map(|_| {
        let taken = TAKEN.fetch_add(1, Ordering::Relaxed) % COUNT;
        SocketAddr::from((Ipv4Addr::LOCALHOST, FIRST + (run + taken) % COUNT))
    });
    let mut free = addresses.filter(|address| TcpListener::bind(address).is_ok());
    free.next().expect("a port is free")
}
