//! How many connections there may be, in all and from one address, so that no stranger takes all descriptors.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::domain::client_address::ClientAddress;

/// How many may be open at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    pub in_all: usize,
    pub for_each_address: usize,
}

/// Counts what is open.
#[derive(Debug)]
pub(super) struct Places {
    most: Most,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    in_all: usize,
    by_address: HashMap<ClientAddress, usize>,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    InAll,
    ForAddress,
}

/// One that is open. It is given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    address: Option<ClientAddress>,
}

impl Places {
    pub(super) fn new(most: Most) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    /// Takes a place. Without an address it is counted in all alone.
    pub(super) fn take(self: &Arc<Self>, address: Option<ClientAddress>) -> Result<Place, Full> {
        let mut taken = self.taken();
        if taken.in_all >= self.most.in_all {
            return Err(Full::InAll);
        }
        if let Some(address) = address {
            let count = taken.by_address.entry(address).or_default();
            if *count >= self.most.for_each_address {
                return Err(Full::ForAddress);
            }
            *count += 1;
        }
        taken.in_all += 1;
        Ok(Place { places: Arc::clone(self), address })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        // A panic while the lock was held cannot have left anything half-changed: nothing under it panics.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.in_all = taken.in_all.saturating_sub(1);
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

/// Kept back for jobs, the database, files that are being read and the admin address.
const KEPT_BACK: usize = 256;
/// A connection, and the file that is read or written for it.
const DESCRIPTORS_EACH: usize = 2;
/// However many descriptors there are: each connection has its buffers too.
const MOST_BY_DEFAULT: usize = 4096;
const EACH_BY_DEFAULT: usize = 512;
/// With fewer the server would be of no use.
const LEAST: usize = 16;

impl Most {
    /// What `descriptors` allow. A setting can ask for less, and for more than the default, but not for more than that.
    pub fn within(descriptors: usize, in_all: Option<usize>, for_each_address: Option<usize>) -> Self {
        let possible = (descriptors.saturating_sub(KEPT_BACK) / DESCRIPTORS_EACH).max(LEAST);
        let in_all = in_all.unwrap_or(MOST_BY_DEFAULT).min(possible);
        let for_each_address = for_each_address.unwrap_or_else(|| EACH_BY_DEFAULT.min(in_all / 2).max(1)).min(in_all);
        Self { in_all, for_each_address }
    }

    /// Of the admin address, whose few callers are the operator's. Their descriptors are among those kept back.
    pub const ADMIN: Self = Self { in_all: 64, for_each_address: 64 };
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn address(last: u8) -> ClientAddress {
        IpAddr::from([192, 0, 2, last]).into()
    }

    #[test]
    fn a_place_that_is_given_back_is_free_again() {
        let places = Places::new(Most { in_all: 4, for_each_address: 2 });
        let held = [places.take(Some(address(1))).unwrap(), places.take(Some(address(1))).unwrap()];
        assert_eq!(places.take(Some(address(1))).unwrap_err(), Full::ForAddress);
        let others = [places.take(Some(address(2))).unwrap(), places.take(None).unwrap()];
        assert_eq!(places.take(Some(address(3))).unwrap_err(), Full::InAll);
        assert_eq!(places.take(None).unwrap_err(), Full::InAll);
        drop(held);
        let again = places.take(Some(address(1))).unwrap();
        drop((others, again));
        assert_eq!(places.taken().in_all, 0);
        assert!(places.taken().by_address.is_empty(), "addresses are forgotten");
    }

    #[test]
    fn descriptors_are_kept_back() {
        let most = |descriptors, in_all, each| {
            let most = Most::within(descriptors, in_all, each);
            (most.in_all, most.for_each_address)
        };
        assert_eq!(most(1_048_576, None, None), (4096, 512));
        assert_eq!(most(1024, None, None), (384, 192));
        assert_eq!(most(1024, Some(10_000), Some(1000)), (384, 384));
        assert_eq!(most(65_536, Some(10_000), Some(1000)), (10_000, 1000));
        assert_eq!(most(64, None, None), (16, 8));
        assert_eq!(most(1024, Some(1), None), (1, 1));
    }
}
