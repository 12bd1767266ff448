//! When a delivery that failed is tried again.

use std::{fmt, str::FromStr, time::Duration};

/// The pauses between the attempts of one delivery. Without a pause there is one attempt, as spec 6.1 says. In a
/// company manifest it is `retry_seconds`; as a text, the seconds are separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetrySchedule(Vec<u32>);

/// A text that is not a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not 1 to 12 numbers of seconds from 1 to 86400, separated by commas")]
pub struct InvalidSchedule;

impl RetrySchedule {
    pub const MOST_PAUSES: usize = 12;
    pub const LONGEST_PAUSE_SECONDS: u32 = 86_400;

    /// None if there are more pauses than allowed, or one that is not allowed.
    pub fn new(seconds: Vec<u32>) -> Option<Self> {
        let is_allowed = |pause: &u32| (1..=Self::LONGEST_PAUSE_SECONDS).contains(pause);
        (seconds.len() <= Self::MOST_PAUSES && seconds.iter().all(is_allowed)).then_some(Self(seconds))
    }

    pub fn seconds(&self) -> &[u32] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pause after so many failed attempts; none if that was the last attempt.
    pub fn pause_after(&self, attempts: i64) -> Option<Duration> {
        let index = usize::try_from(attempts).ok()?.checked_sub(1)?;
        self.0.get(index).map(|seconds| Duration::from_secs(u64::from(*seconds)))
    }

    /// The first pause.
    pub fn first(&self) -> Option<Duration> {
        self.pause_after(1)
    }
}

impl fmt::Display for RetrySchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&seconds.join(","))
    }
}

impl FromStr for RetrySchedule {
    type Err = InvalidSchedule;

    fn from_str(text: &str) -> Result<Self, InvalidSchedule> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let seconds: Result<Vec<u32>, _> = text.split(',').map(|pause| pause.trim().parse()).collect();
        seconds.ok().and_then(Self::new).ok_or(InvalidSchedule)
    }
}

sealwright_base::text_column!(RetrySchedule, "schedule of retries");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failed_attempt_has_its_pause_until_the_schedule_ends() {
        let schedule = RetrySchedule::new(vec![5, 300]).unwrap();
        let pauses = [0, 1, 2, 3].map(|attempts| schedule.pause_after(attempts).map(|pause| pause.as_secs()));
        assert_eq!(pauses, [None, Some(5), Some(300), None]);
        assert_eq!(RetrySchedule::default().pause_after(1), None);
    }

    #[test]
    fn a_schedule_is_read_as_it_was_written() {
        for schedule in [RetrySchedule::default(), RetrySchedule::new(vec![1, 86_400]).unwrap()] {
            assert_eq!(schedule.to_string().parse::<RetrySchedule>(), Ok(schedule));
        }
        for wrong in ["0", "86401", "5,", "five", "1,1,1,1,1,1,1,1,1,1,1,1,1"] {
            assert_eq!(wrong.parse::<RetrySchedule>(), Err(InvalidSchedule), "{wrong}");
        }
    }
}
