//! Carries out the schedule: injects and heals each fault at its time, and restarts nodes that ended by themselves.
//! Runs in a thread of its own, because stopping PostgreSQL blocks for an unknown time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    checker::{Rule, Violation},
    cluster::Cluster,
    history::FaultRecord,
    receiver::Receivers,
    schedule::PlannedFault,
};

/// The thread's polling interval.
const TICK: Duration = Duration::from_millis(50);
/// For this long after a dependency is back, a node may still end because of the fault.
const AFTERMATH: Duration = Duration::from_secs(10);

pub(crate) struct Driver {
    pub(crate) cluster: Cluster,
    pub(crate) faults: Vec<FaultRecord>,
    pub(crate) violations: Vec<Violation>,
    clock: Instant,
    receivers: Arc<Receivers>,
    active: Vec<ActiveFault>,
    /// How often nodes ended by themselves at their start, while a dependency was away.
    pub(crate) failed_starts: usize,
}

struct ActiveFault {
    planned: PlannedFault,
    started: Duration,
    healed: bool,
}

impl Driver {
    pub(crate) fn new(cluster: Cluster, clock: Instant, receivers: Arc<Receivers>) -> Self {
        let (faults, violations, active) = (Vec::new(), Vec::new(), Vec::new());
        Self { cluster, faults, violations, clock, receivers, active, failed_starts: 0 }
    }

    /// Runs until `finished` is set and every fault is healed.
    pub(crate) fn run(mut self, mut plan: Vec<PlannedFault>, started: Duration, finished: &AtomicBool) -> Self {
        plan.sort_by_key(|planned| std::cmp::Reverse(planned.at));
        while !finished.load(Ordering::SeqCst) || !self.active.is_empty() {
            let now = self.clock.elapsed();
            while plan.last().is_some_and(|next| started + next.at <= now) {
                if let Some(planned) = plan.pop() {
                    self.inject(planned);
                }
            }
            self.heal(now);
            self.supervise();
            thread::sleep(TICK);
        }
        self
    }

    fn inject(&mut self, planned: PlannedFault) {
        let started = self.clock.elapsed();
        println!(
            "{:8.1} s  {} {:?} for {:.1} s",
            started.as_secs_f64(),
            planned.kind.name(),
            planned.subject,
            planned.lasts.as_secs_f64()
        );
        match self.cluster.inject(planned.kind, planned.subject, &self.receivers) {
            Ok(()) => self.active.push(ActiveFault { planned, started, healed: false }),
            Err(error) => println!("            the fault could not be injected: {error:#}"),
        }
    }

    fn heal(&mut self, now: Duration) {
        for fault in &mut self.active {
            let planned = fault.planned;
            if !fault.healed && fault.started + planned.lasts <= now {
                match self.cluster.heal(planned.kind, planned.subject, &self.receivers) {
                    Ok(()) => fault.healed = true,
                    Err(error) => println!("            {} could not be healed yet: {error:#}", planned.kind.name()),
                }
            }
        }
        let (cluster, clock, faults) = (&self.cluster, self.clock, &mut self.faults);
        self.active.retain(|fault| {
            let PlannedFault { kind, subject, .. } = fault.planned;
            let is_over = fault.healed && cluster.is_usable(subject);
            if is_over {
                faults.push(FaultRecord { kind, subject, started: fault.started, ended: clock.elapsed() });
            }
            !is_over
        });
    }

    fn supervise(&mut self) {
        let ends = match self.cluster.supervise() {
            Ok(ends) => ends,
            Err(error) => vec![(format!("{error:#}"), true)],
        };
        for (what, was_ready) in ends {
            let now = self.clock.elapsed();
            let recent = |fault: &FaultRecord| now < fault.ended + AFTERMATH;
            let is_excused = !was_ready && (!self.active.is_empty() || self.faults.iter().any(recent));
            if is_excused {
                self.failed_starts += 1;
            } else {
                println!("{:8.1} s  {what}", now.as_secs_f64());
                self.violations.push(Violation { rule: Rule::Process, at: Some(now), what });
            }
        }
    }
}
