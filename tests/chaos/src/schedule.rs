//! Plans the faults and their times, from the seed alone, before anything runs.

use std::time::Duration;

use clap::ValueEnum;

use crate::random::Random;

/// A kind of fault, as `--kinds` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Kind {
    Kill,
    Stop,
    PostgresRestart,
    PostgresCrash,
    PostgresAway,
    PostgresFreeze,
    StoreAway,
    StoreFreeze,
    ReceiverSilent,
    ReceiverAway,
    DiskFull,
}

impl Kind {
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether faults of this kind belong to the run on one node with SQLite, or to the run on several nodes.
    pub(crate) fn applies_to(self, single_node: bool) -> bool {
        match self {
            Self::Kill | Self::ReceiverSilent | Self::ReceiverAway => true,
            Self::DiskFull => single_node,
            _ => !single_node,
        }
    }
}

/// The target of a fault. Each has at most one fault at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// By its place among the nodes.
    Node(usize),
    Postgres,
    Store,
    Receivers,
    Disk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlannedFault {
    pub(crate) at: Duration,
    pub(crate) kind: Kind,
    pub(crate) subject: Subject,
    /// How long it lasts before it is healed.
    pub(crate) lasts: Duration,
}

/// Faults within `span`. Each kind comes at least once if the span is long enough; kills fill the rest of the time.
/// `workers` are the places of the nodes that run jobs.
pub(crate) fn plan(seed: u64, span: Duration, kinds: &[Kind], nodes: usize, workers: &[usize]) -> Vec<PlannedFault> {
    let mut planner = Planner { random: Random::branch(seed, 1), span, nodes, workers, planned: Vec::new() };
    let mut each = kinds.to_vec();
    planner.random.shuffle(&mut each);
    // The longest first: they fit only while there is much room.
    each.sort_by_key(|kind| std::cmp::Reverse(planner.usual_length(*kind)));
    for kind in &each {
        planner.place_somewhere(*kind);
    }
    let mut at = Duration::ZERO;
    while !kinds.is_empty() && at < span {
        at += planner.random.between(Duration::from_secs(2), Duration::from_secs(6));
        let wants_kill = kinds.contains(&Kind::Kill) && planner.random.chance(60);
        let kind = if wants_kill { Kind::Kill } else { *planner.random.pick(kinds) };
        planner.place(kind, at);
    }
    planner.planned.sort_by_key(|planned| (planned.at, planned.subject));
    planner.planned
}

struct Planner<'a> {
    random: Random,
    span: Duration,
    nodes: usize,
    workers: &'a [usize],
    planned: Vec<PlannedFault>,
}

impl Planner<'_> {
    fn usual_length(&self, kind: Kind) -> Duration {
        let seconds = |seconds| Duration::from_secs(seconds);
        match kind {
            Kind::PostgresRestart | Kind::PostgresCrash => Duration::ZERO,
            Kind::Kill => seconds(4),
            Kind::PostgresAway | Kind::DiskFull => seconds(10),
            // Longer than any lease.
            Kind::Stop => seconds(35),
            Kind::PostgresFreeze | Kind::StoreFreeze | Kind::ReceiverSilent | Kind::ReceiverAway => {
                seconds(20).min(self.span / 5)
            }
            Kind::StoreAway => seconds(60).min(self.span / 4),
        }
    }

    fn place_somewhere(&mut self, kind: Kind) {
        for _ in 0..40 {
            let room = self.span.saturating_sub(self.usual_length(kind));
            let at = self.random.between(Duration::from_secs(1), room);
            if self.place(kind, at) {
                return;
            }
        }
    }

    /// Plans the fault, unless its subject has another one at that time or the time is up before it is healed.
    fn place(&mut self, kind: Kind, at: Duration) -> bool {
        let subject = match kind {
            Kind::Kill => Subject::Node(usize::try_from(self.random.below(self.nodes as u64)).unwrap_or_default()),
            Kind::Stop => Subject::Node(*self.random.pick(self.workers)),
            Kind::PostgresRestart | Kind::PostgresCrash | Kind::PostgresAway | Kind::PostgresFreeze => {
                Subject::Postgres
            }
            Kind::StoreAway | Kind::StoreFreeze => Subject::Store,
            Kind::ReceiverSilent | Kind::ReceiverAway => Subject::Receivers,
            Kind::DiskFull => Subject::Disk,
        };
        let mut lasts = self.usual_length(kind);
        if kind == Kind::Kill {
            lasts = self.random.between(Duration::ZERO, lasts);
        }
        let ends = at + lasts;
        // Time for the subject to come back.
        let rest = Duration::from_secs(3);
        let is_free = self
            .planned
            .iter()
            .all(|other| other.subject != subject || ends + rest <= other.at || other.at + other.lasts + rest <= at);
        let fits = is_free && ends <= self.span;
        if fits {
            self.planned.push(PlannedFault { at, kind, subject, lasts });
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Duration = Duration::from_mins(7);

    #[test]
    fn a_seed_determines_every_fault() {
        let of = |seed| plan(seed, SPAN, Kind::value_variants(), 4, &[2, 3]);
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
    }

    #[test]
    fn each_kind_comes_and_no_subject_has_two_faults_at_once() {
        for seed in 0..50 {
            let planned = plan(seed, SPAN, Kind::value_variants(), 4, &[2, 3]);
            for &kind in Kind::value_variants() {
                assert!(planned.iter().any(|fault| fault.kind == kind), "no {} with seed {seed}", kind.name());
            }
            for (place, fault) in planned.iter().enumerate() {
                assert!(fault.at + fault.lasts <= SPAN);
                let later = planned[place + 1..].iter().filter(|later| later.subject == fault.subject);
                assert!(later.clone().all(|later| later.at > fault.at + fault.lasts), "seed {seed}: {fault:?}");
            }
        }
    }

    #[test]
    fn kinds_are_read_by_their_names() {
        for kind in Kind::value_variants() {
            assert_eq!(Kind::from_str(&kind.name(), false).unwrap(), *kind);
        }
        assert_eq!(Kind::PostgresAway.name(), "postgres-away");
    }
}
