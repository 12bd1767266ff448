//! Blinding for RSA without a source of randomness.

use std::convert::Infallible;

use rsa::rand_core::{TryCryptoRng, TryRng};

use crate::digest::{Sha256Digest, Sha256Hasher};

/// The blinding of RSA's private operation, so that its duration reveals nothing about the key (RUSTSEC-2023-0071):
/// bytes that cannot be predicted without the key, different for each message. Derived as in RFC 6979, because this
/// crate has no source of randomness.
pub(super) struct Blinding {
    state: Sha256Digest,
    block: u64,
}

impl Blinding {
    pub(super) fn new(seed: &Sha256Digest, message: &[u8]) -> Self {
        let mut hasher = Sha256Hasher::new();
        hasher.update("sealwright RSA blinding");
        hasher.update(seed.as_bytes());
        hasher.update(message);
        Self { state: hasher.finish(), block: 0 }
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let mut hasher = Sha256Hasher::new();
            hasher.update(self.state.as_bytes());
            hasher.update(self.block.to_be_bytes());
            self.block += 1;
            chunk.copy_from_slice(&hasher.finish().as_bytes()[..chunk.len()]);
        }
    }
}

impl TryRng for Blinding {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        Ok(u32::from_be_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        Ok(u64::from_be_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.fill(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Blinding {}
