//! The access keys of public resources that exist, as far as this process has seen them lately.

use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

use crate::domain::operation::Operation;

const REMEMBERED: usize = 100_000;
/// How many unremembered keys are looked up at once. A miss is counted before the next key is looked up, so a flood of
/// guesses costs at most these lookups beyond what the counter allows.
const AT_ONCE: usize = 8;

/// Keys that were found.
#[derive(Debug)]
pub struct KnownKeys {
    found: Cache<(Operation, String), ()>,
    /// A lookup of an unknown key holds one of these until it is counted.
    pub turns: Semaphore,
}

impl Default for KnownKeys {
    fn default() -> Self {
        Self { found: Cache::new(REMEMBERED), turns: Semaphore::new(AT_ONCE) }
    }
}

impl KnownKeys {
    pub fn has(&self, operation: Operation, key: &str) -> bool {
        self.found.get(&(operation, key.to_owned())).is_some()
    }

    /// Records whether a key was found.
    pub fn note(&self, operation: Operation, key: &str, is_there: bool) {
        let entry = (operation, key.to_owned());
        if is_there {
            self.found.insert(entry, ());
        } else {
            self.found.remove(&entry);
        }
    }
}
