//! Carries out the schedule: begins and mends each fault at its time, and starts nodes again that ended by themselves. In a
//! thread of its own, because stopping PostgreSQL takes as long as it takes.

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
    schedule::Planned,
};

/// How often the thread looks.
const TICK: Duration = Duration::from_millis(50);
/// After a dependency is back a node may still end because of what it met before.
const AFTERMATH: Duration = Duration::from_secs(10);

pub(crate) struct Driver {
    pub(crate) cluster: Cluster,
    pub(crate) faults: Vec<FaultRecord>,
    pub(crate) violations: Vec<Violation>,
    clock: Instant,
    receivers: Arc<Receivers>,
    under_way: Vec<UnderWay>,
    /// How often nodes ended by themselves at their start, while something that they need was away.
    pub(crate) failed_starts: usize,
}

struct UnderWay {
    planned: Planned,
    begun: Duration,
    mended: bool,
}

impl Driver {
    pub(crate) fn new(cluster: Cluster, clock: Instant, receivers: Arc<Receivers>) -> Self {
        let (faults, violations, under_way) = (Vec::new(), Vec::new(), Vec::new());
        Self { cluster, faults, violations, clock, receivers, under_way, failed_starts: 0 }
    }

    /// Runs until `finished` is set and every fault is mended.
    pub(crate) fn run(mut self, mut plan: Vec<Planned>, started: Duration, finished: &AtomicBool) -> Self {
        plan.sort_by_key(|planned| std::cmp::Reverse(planned.at));
        while !finished.load(Ordering::SeqCst) || !self.under_way.is_empty() {
            let now = self.clock.elapsed();
            while plan.last().is_some_and(|next| started + next.at <= now) {
                if let Some(planned) = plan.pop() {
                    self.begin(planned);
                }
            }
            self.mend(now);
            self.supervise();
            thread::sleep(TICK);
        }
        self
    }

    fn begin(&mut self, planned: Planned) {
        let begun = self.clock.elapsed();
        println!(
            "{:8.1} s  {} {:?} for {:.1} s",
            begun.as_secs_f64(),
            planned.kind.name(),
            planned.subject,
            planned.lasts.as_secs_f64()
        );
        match self.cluster.begin(planned.kind, planned.subject, &self.receivers) {
            Ok(()) => self.under_way.push(UnderWay { planned, begun, mended: false }),
            Err(error) => println!("            it could not be done: {error:#}"),
        }
    }

    fn mend(&mut self, now: Duration) {
        for fault in &mut self.under_way {
            let planned = fault.planned;
            if !fault.mended && fault.begun + planned.lasts <= now {
                match self.cluster.mend(planned.kind, planned.subject, &self.receivers) {
                    Ok(()) => fault.mended = true,
                    Err(error) => println!("            {} could not be mended yet: {error:#}", planned.kind.name()),
                }
            }
        }
        let (cluster, clock, faults) = (&self.cluster, self.clock, &mut self.faults);
        self.under_way.retain(|fault| {
            let Planned { kind, subject, .. } = fault.planned;
            let is_over = fault.mended && cluster.is_usable(subject);
            if is_over {
                faults.push(FaultRecord { kind, subject, begun: fault.begun, ended: clock.elapsed() });
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
            let is_excused = !was_ready && (!self.under_way.is_empty() || self.faults.iter().any(recent));
            if is_excused {
                self.failed_starts += 1;
            } else {
                println!("{:8.1} s  {what}", now.as_secs_f64());
                self.violations.push(Violation { rule: Rule::Process, at: Some(now), what });
            }
        }
    }
}
