//! Ports for servers and databases. One that is started again must get the same ports, because its addresses are in use.
//! Ports that the system chooses are given to others meanwhile: each test listens and connects. These are below the range
//! from which Linux chooses (from 32768), and no two get the same, also of several runs on one machine.
//!
//! A run takes blocks of ports. It listens on the first port of a block as long as it lives, so no other run takes the
//! block, and the system frees it however the run ends.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    ops::Range,
    process,
    sync::{Mutex, PoisonError},
};

const FIRST: u16 = 10_240;
const BLOCK: u16 = 100;
const BLOCKS: u16 = 200;

/// An address of this machine on which no program listens.
///
/// # Panics
/// If all blocks are taken.
pub(crate) fn next_address() -> SocketAddr {
    static OF_THIS_RUN: Mutex<Ports> = Mutex::new(Ports::new());
    OF_THIS_RUN.lock().unwrap_or_else(PoisonError::into_inner).next_address()
}

/// The ports of one run.
struct Ports {
    /// On the first port of each block that the run has taken.
    locks: Vec<TcpListener>,
    /// What is left of the last block.
    rest: Range<u16>,
}

impl Ports {
    const fn new() -> Self {
        Self { locks: Vec::new(), rest: 0..0 }
    }

    fn next_address(&mut self) -> SocketAddr {
        loop {
            // Another program may listen within the block.
            let mut free = self.rest.by_ref().map(local).filter(|address| TcpListener::bind(address).is_ok());
            if let Some(address) = free.next() {
                return address;
            }
            self.take_block();
        }
    }

    fn take_block(&mut self) {
        // Another run begins elsewhere, so that it seldom has to look further.
        let begin = process::id() % u32::from(BLOCKS);
        let begin = u16::try_from(begin).expect("below the number of blocks");
        let mut blocks = (0..BLOCKS).map(|number| FIRST + (begin + number) % BLOCKS * BLOCK);
        let (first, lock) = blocks
            .find_map(|first| Some((first, TcpListener::bind(local(first)).ok()?)))
            .expect("a block of ports is free");
        self.locks.push(lock);
        self.rest = first + 1..first + BLOCK;
    }
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

#[test]
fn two_runs_on_one_machine_never_get_the_same_port() {
    let (mut one, mut other) = (Ports::new(), Ports::new());
    let mut given = std::collections::BTreeSet::new();
    // More than a block for each.
    for _ in 0..=BLOCK {
        assert!(given.insert(one.next_address()));
        assert!(given.insert(other.next_address()));
    }
    assert!(one.locks.len() >= 2 && other.locks.len() >= 2);
}
