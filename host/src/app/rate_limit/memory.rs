//! The counters in this process; unused ones are forgotten.

use std::{
    collections::{HashMap, hash_map::Entry},
    mem,
};

use parking_lot::Mutex;

use crate::{
    clock::Timestamp,
    domain::rate_limit::{Counter, WINDOW},
};

/// A value for each counter that was used in the last one to two minutes.
///
/// There are two generations. Once a minute the older one is dropped whole and the younger one takes its place; a
/// counter that is used moves back to the young one. So no search for empty counters is needed, and a dropped counter
/// was not used for 60 s: its window is empty.
#[derive(Debug)]
pub(super) struct Counters<T>(Mutex<Generations<T>>);

#[derive(Debug)]
struct Generations<T> {
    young: HashMap<Counter, T>,
    old: HashMap<Counter, T>,
    /// When the young one started.
    since: Timestamp,
}

impl<T> Default for Counters<T> {
    fn default() -> Self {
        let since = Timestamp::from_millis(i64::MIN);
        Self(Mutex::new(Generations { young: HashMap::new(), old: HashMap::new(), since }))
    }
}

impl<T> Counters<T> {
    /// Looks at the counter's value, if there is one.
    pub(super) fn look<R>(&self, counter: &Counter, look: impl FnOnce(&T) -> Option<R>) -> Option<R> {
        let generations = self.0.lock();
        generations.young.get(counter).or_else(|| generations.old.get(counter)).and_then(look)
    }
}

impl<T: Default> Counters<T> {
    /// Does something short with the counter's value.
    pub(super) fn with<R>(&self, counter: Counter, now: Timestamp, work: impl FnOnce(&mut T) -> R) -> R {
        let mut forgotten = HashMap::new();
        // A panic while the lock was held cannot have left a value half-changed: each change is one push or pop.
        let mut generations = self.0.lock();
        let Generations { young, old, since } = &mut *generations;
        if since.after(WINDOW) <= now {
            mem::swap(&mut forgotten, old);
            mem::swap(old, young);
            *since = now;
        }
        let result = work(match young.entry(counter) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let value = old.remove(entry.key()).unwrap_or_default();
                entry.insert(value)
            }
        });
        // In this order: no one waits for the lock while many counters are dropped.
        drop(generations);
        drop(forgotten);
        result
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        let generations = self.0.lock();
        generations.young.len() + generations.old.len()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::domain::{id::CompanyId, operation::Operation, rate_limit::Window};

    fn counter(company: i64) -> Counter {
        Counter::Company(Operation::SearchCases, CompanyId::new(company).unwrap())
    }

    #[test]
    fn spec_8_rule_2_one_counter_does_not_affect_another() {
        let (counters, now) = (Counters::<Window>::default(), Timestamp::from_millis(0));
        let admitted = |counter| counters.with(counter, now, |window| window.admit(1, now).admitted);
        assert!(admitted(counter(7)));
        assert!(!admitted(counter(7)));
        assert!(admitted(counter(8)));
        assert!(admitted(Counter::Unknown(Operation::SearchCases)));
    }

    #[test]
    fn what_is_forgotten_makes_no_difference() {
        let (counters, mut now) = (Counters::<Window>::default(), Timestamp::from_millis(0));
        let mut kept: HashMap<i64, Window> = HashMap::new();
        let mut random = 1_u64;
        for _ in 0..200_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            now = now.after(Duration::from_millis((random >> 33) % 1_000));
            let company = i64::try_from((random >> 50) % 100).unwrap() + 1;
            let expected = kept.entry(company).or_default().admit(3, now);
            assert_eq!(counters.with(counter(company), now, |window| window.admit(3, now)), expected);
        }
    }

    #[test]
    fn unused_counters_are_forgotten() {
        let counters = Counters::<Window>::default();
        for second in 0..100_000_i64 {
            let now = Timestamp::from_millis(second * 1_000);
            counters.with(counter(second + 1), now, |window| window.admit(1, now));
        }
        assert!(counters.len() <= 120, "{}", counters.len());
    }
}
