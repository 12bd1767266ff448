//! Which company's jobs are taken next: the free slots of a kind are divided among the companies that have work for it.
//!
//! A slot goes to the company with the fewest jobs running here, among these to the one that was served longest ago,
//! then to the one that has waited longest. No company gets more than half of the slots, so one with thousands of jobs
//! leaves some free for the first job of another. Every worker follows this rule, so it holds for all of them together.

use std::collections::HashMap;

use crate::app::queue::DueCompany;

#[derive(Debug)]
pub(super) struct Shares {
    max_per_company: usize,
    /// The number of the turn in which a company with waiting jobs was last served.
    served: HashMap<i64, u64>,
    turn: u64,
}

impl Shares {
    pub(super) fn new(slots: usize) -> Self {
        Self { max_per_company: (slots / 2).max(1), served: HashMap::new(), turn: 0 }
    }

    /// How many jobs of each company are taken now. `running` is how many each has running here.
    pub(super) fn of(&mut self, due: &[DueCompany], running: &HashMap<i64, usize>, free: usize) -> Vec<(i64, usize)> {
        self.served.retain(|company, _| due.iter().any(|due| due.company == *company));
        let mut taken: HashMap<i64, usize> = HashMap::new();
        for _ in 0..free {
            let load = |company: i64| {
                running.get(&company).copied().unwrap_or_default() + taken.get(&company).copied().unwrap_or_default()
            };
            let open = due.iter().filter(|due| load(due.company) < self.max_per_company);
            let last = |company| self.served.get(&company).copied().unwrap_or_default();
            let Some(next) = open.min_by_key(|due| (load(due.company), last(due.company), due.since)) else { break };
            self.turn += 1;
            self.served.insert(next.company, self.turn);
            *taken.entry(next.company).or_default() += 1;
        }
        due.iter().filter_map(|due| Some((due.company, *taken.get(&due.company)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    const NONE: [(i64, usize); 0] = [];

    fn due(companies: &[i64]) -> Vec<DueCompany> {
        // The first one waits longest.
        let since = |at: usize| Timestamp::from_millis(i64::try_from(at).unwrap());
        companies.iter().enumerate().map(|(at, company)| DueCompany { company: *company, since: since(at) }).collect()
    }

    fn running<const N: usize>(running: [(i64, usize); N]) -> HashMap<i64, usize> {
        running.into()
    }

    #[test]
    fn one_company_has_at_most_half_of_the_slots() {
        let mut shares = Shares::new(4);
        assert_eq!(shares.of(&due(&[7]), &running([]), 4), [(7, 2)]);
        assert_eq!(shares.of(&due(&[7]), &running([(7, 2)]), 2), NONE);
        assert_eq!(shares.of(&due(&[7, 8]), &running([(7, 2)]), 2), [(8, 2)]);
        assert_eq!(Shares::new(1).of(&due(&[7]), &running([]), 1), [(7, 1)]);
    }

    #[test]
    fn the_company_with_the_fewest_running_jobs_comes_first() {
        let mut shares = Shares::new(64);
        assert_eq!(shares.of(&due(&[7, 8, 9]), &running([(7, 5), (8, 1)]), 3), [(8, 1), (9, 2)]);
        assert_eq!(shares.of(&due(&[7, 8]), &running([]), 5), [(7, 3), (8, 2)]);
    }

    #[test]
    fn companies_take_turns_at_a_single_slot() {
        let mut shares = Shares::new(1);
        let mut served = Vec::new();
        for _ in 0..6 {
            served.push(shares.of(&due(&[7, 8, 9]), &running([]), 1)[0].0);
        }
        assert_eq!(served, [7, 8, 9, 7, 8, 9]);
        // A company that always has work does not come before one that waits.
        assert_eq!(shares.of(&due(&[7]), &running([]), 1), [(7, 1)]);
        assert_eq!(shares.of(&due(&[7, 8]), &running([]), 1), [(8, 1)]);
    }
}
