//! The queue of jobs: the stopped jobs, and whether a job waits for too long.

use super::check::Check;
use crate::{
    app::queue::{QueueState, count_text, queue_state},
    clock::Timestamp,
    db::Db,
};

/// Work that has been due for longer than this waits for a part of the machine, or for workers.
const LONGEST_WAIT_SECONDS: i64 = 10 * 60;

/// Empty if the database cannot be read, which its own check reports.
pub(in crate::app) async fn checks(db: &Db, now: Timestamp) -> Vec<Check> {
    queue_state(db, now).await.map_or_else(|_| Vec::new(), |state| judge(&state))
}

fn judge(state: &QueueState) -> Vec<Check> {
    let mut checks = Vec::new();
    if !state.stopped.is_empty() {
        let stopped = state.stopped.iter().map(|(kind, state, count)| format!("{} {kind} {state}", count_text(*count)));
        let remedy = "read their errors with sealwright job list, fix the cause, then run sealwright job retry";
        checks.push(Check::doubtful("jobs", stopped.collect::<Vec<_>>().join(", "), remedy));
    }
    if let Some((kind, seconds)) = &state.oldest
        && *seconds > LONGEST_WAIT_SECONDS
    {
        let finding = format!("a {kind} job has been due for {} minutes", seconds / 60);
        let remedy = "run sealwright job list to see what it waits for, and check that a server with workers runs";
        checks.push(Check::doubtful("jobs", finding, remedy));
    }
    if checks.is_empty() {
        checks.push(Check::good("jobs", "none has failed, and none has waited long"));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::queue::{JobKind, JobState};

    fn findings(state: &QueueState) -> Vec<(bool, String)> {
        judge(state).into_iter().map(|check| (check.remedy.is_none(), check.finding)).collect()
    }

    #[test]
    fn stopped_jobs_and_long_waits_are_reported() {
        let good = QueueState { stopped: Vec::new(), oldest: Some((JobKind::Seal, LONGEST_WAIT_SECONDS)) };
        assert_eq!(findings(&good), [(true, "none has failed, and none has waited long".to_owned())]);
        let bad = QueueState {
            stopped: vec![(JobKind::Seal, JobState::Failed, 2), (JobKind::Seal, JobState::Quarantined, 1)],
            oldest: Some((JobKind::Seal, 720)),
        };
        let expected = ["2 seal failed, 1 seal quarantined", "a seal job has been due for 12 minutes"];
        assert_eq!(findings(&bad), expected.map(|finding| (false, finding.to_owned())));
    }
}
