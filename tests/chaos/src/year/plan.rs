//! What happens in which month: a pure function of the seed.

use crate::random::Random;

/// A failure during a month's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The server is killed while it works, and started again.
    Kill,
    /// The time-stamping authority answers nothing useful until the work is done.
    AuthorityAway,
    /// No file can be stored or read for a while.
    StoreAway,
    /// The receivers of webhooks are away until the next day.
    ReceiverAway,
    /// A backup is killed.
    KilledBackup,
    /// PostgreSQL crashes while the server works.
    DatabaseCrash,
}

/// On every database.
const ANYWHERE: [Fault; 5] =
    [Fault::Kill, Fault::AuthorityAway, Fault::StoreAway, Fault::ReceiverAway, Fault::KilledBackup];

impl Fault {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Kill => "killed",
            Self::AuthorityAway => "no time stamps",
            Self::StoreAway => "no blob store",
            Self::ReceiverAway => "no receivers",
            Self::KilledBackup => "killed backup",
            Self::DatabaseCrash => "database crash",
        }
    }
}

/// What the operator changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// New certificates get another signing key.
    SigningKey,
    /// The secret of a webhook is replaced.
    WebhookSecret,
    /// Certificates are renewed in rounds, from now on.
    Evidence,
    /// At the end of the month, the installation is restored from its backup on PostgreSQL.
    Restore,
}

impl Change {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::SigningKey => "new signing key",
            Self::WebhookSecret => "new webhook secret",
            Self::Evidence => "evidence records",
            Self::Restore => "restored on PostgreSQL",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Month {
    /// From 1.
    pub(super) number: u64,
    pub(super) fault: Fault,
    pub(super) changes: Vec<Change>,
}

impl Month {
    pub(super) fn has(&self, change: Change) -> bool {
        self.changes.contains(&change)
    }
}

/// Fewer months have none after the restore.
pub(crate) const SHORTEST: u64 = 3;

/// The months of a year, or of a shorter time.
pub(super) fn plan(seed: u64, months: u64) -> Vec<Month> {
    let mut random = Random::branch(seed, 1);
    // In a year: 7.
    let restore = (months * 7).div_ceil(12);
    let mut before = faults(&mut random, restore, &ANYWHERE);
    let on_postgres = [&ANYWHERE[..], &[Fault::DatabaseCrash]].concat();
    let after = months - restore;
    let mut later = faults(&mut random, after, &on_postgres);
    if let Some(first) = later.first_mut() {
        // Also if the time is too short for all.
        *first = Fault::DatabaseCrash;
        random.shuffle(&mut later);
    }
    before.append(&mut later);
    // In a year: 5 and 9, 3 and 10.
    let at = |twelfths: u64| (months * twelfths).div_ceil(12);
    (1..)
        .zip(before)
        .map(|(number, fault)| {
            let changes = [
                (Change::SigningKey, [at(5), at(9)].contains(&number)),
                (Change::WebhookSecret, [at(3), at(10)].contains(&number)),
                (Change::Evidence, number == restore + 1),
                (Change::Restore, number == restore),
            ];
            let changes = changes.into_iter().filter_map(|(change, happens)| happens.then_some(change));
            Month { number, fault, changes: changes.collect() }
        })
        .collect()
}

/// Each kind comes once before one comes again.
fn faults(random: &mut Random, count: u64, kinds: &[Fault]) -> Vec<Fault> {
    let mut chosen = Vec::new();
    while (chosen.len() as u64) < count {
        let mut round = kinds.to_vec();
        random.shuffle(&mut round);
        chosen.append(&mut round);
    }
    chosen.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_year_and_another_seed_another_one() {
        assert_eq!(plan(7, 12), plan(7, 12));
        assert!((1..20).any(|seed| plan(seed, 12) != plan(7, 12)));
    }

    #[test]
    fn every_year_has_every_fault_and_postgres_crashes_only_after_the_restore() {
        for seed in 0..200 {
            let year = plan(seed, 12);
            assert_eq!(year.len(), 12);
            for fault in [&ANYWHERE[..], &[Fault::DatabaseCrash]].concat() {
                assert!(year.iter().any(|month| month.fault == fault), "seed {seed}: {}", fault.name());
            }
            let crash = |month: &&Month| month.fault == Fault::DatabaseCrash;
            assert!(year.iter().filter(crash).all(|month| month.number > 7), "seed {seed}");
            let with = |change: Change| {
                year.iter().filter(|month| month.has(change)).map(|month| month.number).collect::<Vec<_>>()
            };
            assert_eq!(with(Change::Restore), [7]);
            assert_eq!(with(Change::SigningKey).len(), 2, "seed {seed}");
        }
    }

    #[test]
    fn a_short_time_has_a_restore_too() {
        for months in SHORTEST..12 {
            let plan = plan(1, months);
            assert_eq!(plan.len() as u64, months);
            assert_eq!(plan.iter().filter(|month| month.has(Change::Restore)).count(), 1);
            assert!(plan.iter().any(|month| month.fault == Fault::DatabaseCrash), "{months}");
        }
    }
}
