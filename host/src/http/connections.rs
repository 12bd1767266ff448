//! Limits the number of connections, in total and from one address, so that no client can use up all descriptors.

use std::{collections::HashMap, sync::Arc};

use parking_lot::{Mutex, MutexGuard};

use crate::domain::client_address::ClientAddress;

/// How many connections may be open at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    pub total: usize,
    pub per_address: usize,
}

/// Counts open connections.
#[derive(Debug)]
pub(super) struct ConnectionSlots {
    most: ConnectionLimits,
    taken: Mutex<SlotCounts>,
}

#[derive(Debug, Default)]
struct SlotCounts {
    total: usize,
    by_address: HashMap<ClientAddress, usize>,
}

/// The limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitReached {
    Total,
    PerAddress,
}

/// The slot of an open connection, released when dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    places: Arc<ConnectionSlots>,
    address: Option<ClientAddress>,
}

impl ConnectionSlots {
    pub(super) fn new(most: ConnectionLimits) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    /// Takes a slot. Without an address it counts only towards the total.
    pub(super) fn take(self: &Arc<Self>, address: Option<ClientAddress>) -> Result<ConnectionSlot, LimitReached> {
        let mut taken = self.taken();
        if taken.total >= self.most.total {
            return Err(LimitReached::Total);
        }
        if let Some(address) = address {
            let count = taken.by_address.entry(address).or_default();
            if *count >= self.most.per_address {
                return Err(LimitReached::PerAddress);
            }
            *count += 1;
        }
        taken.total += 1;
        Ok(ConnectionSlot { places: Arc::clone(self), address })
    }

    fn taken(&self) -> MutexGuard<'_, SlotCounts> {
        // A panic while the lock was held cannot have left anything half-changed: nothing under it panics.
        self.taken.lock()
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.total = taken.total.saturating_sub(1);
        if let Some(address) = self.address
            && let Some(count) = taken.by_address.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                taken.by_address.remove(&address);
            }
        }
    }
}

/// Reserved for jobs, the database, files that are being read and the admin address.
const RESERVED: usize = 256;
/// A connection, and the file that is read or written for it.
const DESCRIPTORS_EACH: usize = 2;
/// Independent of the descriptors: each connection needs buffers too.
const MOST_BY_DEFAULT: usize = 4096;
const EACH_BY_DEFAULT: usize = 512;
/// With fewer the server would be useless.
const LEAST: usize = 16;

impl ConnectionLimits {
    /// What `descriptors` allow. A setting can raise or lower the default, but not exceed this.
    pub fn within(descriptors: usize, total: Option<usize>, per_address: Option<usize>) -> Self {
        let possible = (descriptors.saturating_sub(RESERVED) / DESCRIPTORS_EACH).max(LEAST);
        let total = total.unwrap_or(MOST_BY_DEFAULT).min(possible);
        let per_address = per_address.unwrap_or_else(|| EACH_BY_DEFAULT.min(total / 2).max(1)).min(total);
        Self { total, per_address }
    }

    /// For the admin address with its few callers. Their descriptors are among the reserved ones.
    pub const ADMIN: Self = Self { total: 64, per_address: 64 };
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn address(last: u8) -> ClientAddress {
        IpAddr::from([192, 0, 2, last]).into()
    }

    #[test]
    fn a_released_slot_is_free_again() {
        let places = ConnectionSlots::new(ConnectionLimits { total: 4, per_address: 2 });
        let held = [places.take(Some(address(1))).unwrap(), places.take(Some(address(1))).unwrap()];
        assert_eq!(places.take(Some(address(1))).unwrap_err(), LimitReached::PerAddress);
        let others = [places.take(Some(address(2))).unwrap(), places.take(None).unwrap()];
        assert_eq!(places.take(Some(address(3))).unwrap_err(), LimitReached::Total);
        assert_eq!(places.take(None).unwrap_err(), LimitReached::Total);
        drop(held);
        let again = places.take(Some(address(1))).unwrap();
        drop((others, again));
        assert_eq!(places.taken().total, 0);
        assert!(places.taken().by_address.is_empty(), "addresses are forgotten");
    }

    #[test]
    fn descriptors_are_reserved() {
        let most = |descriptors, total, each| {
            let most = ConnectionLimits::within(descriptors, total, each);
            (most.total, most.per_address)
        };
        assert_eq!(most(1_048_576, None, None), (4096, 512));
        assert_eq!(most(1024, None, None), (384, 192));
        assert_eq!(most(1024, Some(10_000), Some(1000)), (384, 384));
        assert_eq!(most(65_536, Some(10_000), Some(1000)), (10_000, 1000));
        assert_eq!(most(64, None, None), (16, 8));
        assert_eq!(most(1024, Some(1), None), (1, 1));
    }
}
