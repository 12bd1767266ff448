//! Limits on the memory that one kind of work may take at any time.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};

/// The memory for JSON bodies of signed-in callers at any time, in bytes.
const BODIES_OF_CALLERS: u32 = 64 << 20;
/// The same for callers that are not signed in.
const BODIES_OF_STRANGERS: u32 = 8 << 20;

/// An amount of memory that is handed out in KiB. Clones share it.
#[derive(Clone, Debug)]
pub struct MemoryBudget {
    permits: Arc<Semaphore>,
    kibibytes: u32,
}

impl MemoryBudget {
    pub fn new(bytes: u32) -> Self {
        let kibibytes = bytes / 1024;
        Self { permits: Arc::new(Semaphore::new(kibibytes as usize)), kibibytes }
    }

    /// Waits for `bytes` of the budget; for all of it if that is more. The memory is free again when the result is
    /// dropped.
    pub async fn reserve(&self, bytes: u64) -> Result<OwnedSemaphorePermit> {
        let kibibytes = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX).clamp(1, self.kibibytes);
        Arc::clone(&self.permits).acquire_many_owned(kibibytes).await.map_err(Error::internal)
    }

    /// The whole budget, in bytes.
    pub fn bytes(&self) -> u64 {
        u64::from(self.kibibytes) * 1024
    }

    /// How much is reserved now, in bytes.
    pub fn reserved(&self) -> u64 {
        let free = self.permits.available_permits() as u64 * 1024;
        self.bytes().saturating_sub(free)
    }
}

/// The memory for large JSON bodies.
#[derive(Debug)]
pub struct BodyBudgets {
    pub of_callers: MemoryBudget,
    pub of_strangers: MemoryBudget,
}

impl Default for BodyBudgets {
    fn default() -> Self {
        Self { of_callers: MemoryBudget::new(BODIES_OF_CALLERS), of_strangers: MemoryBudget::new(BODIES_OF_STRANGERS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_budget_knows_how_much_of_it_is_reserved() {
        let budget = MemoryBudget::new(8 << 10);
        assert_eq!((budget.bytes(), budget.reserved()), (8 << 10, 0));
        let small = budget.reserve(1).await.unwrap();
        assert_eq!(budget.reserved(), 1 << 10);
        drop(small);
        let all = budget.reserve(u64::MAX).await.unwrap();
        assert_eq!(budget.reserved(), 8 << 10);
        drop(all);
        assert_eq!(budget.reserved(), 0);
    }
}
