//! The arithmetic of scores (decisions 13): weighted means of the available parts, in whole numbers. Every part is kept
//! so that each number can be explained.

use serde::{Deserialize, Serialize};

use super::judgement::Finding;

/// At or below this a score is certain fraud (decisions 13).
pub const CERTAIN_FRAUD: u8 = 9;
/// The highest CRITICAL score: the maximum for a case with certain fraud and for a document whose suspicion is HIGH, so
/// that one forgery is never averaged away (decisions 13).
pub const MOST_CRITICAL: u8 = 29;
/// The highest SUSPICIOUS score: the maximum for a document with a contradiction, for a case with something CRITICAL,
/// and for one in which not everything was examined (decisions 13).
pub const MOST_SUSPICIOUS: u8 = 69;

/// A score and what it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sum {
    /// 0 to 100. None if no part was available.
    pub score: Option<u8>,
    /// In the order of display.
    pub parts: Vec<Part>,
    /// What else affected it, for display.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Such as `falsification`, `gps` or `FONT_CONSISTENCY`.
    pub name: String,
    /// 0 to 100. None if it is not available: it counts neither for nor against.
    pub score: Option<u8>,
    /// Its weight relative to the others.
    pub weight: u32,
    /// The plugin that it comes from; none if the server computed it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plugin: Option<String>,
    /// Why it is not available, or another remark for display.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// What the plugin saw.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
}

impl Part {
    /// A part, available or not, without further details.
    pub fn new(name: impl Into<String>, score: Option<u8>, weight: u32) -> Self {
        Self { name: name.into(), score, weight, plugin: None, note: None, findings: Vec::new() }
    }
}

impl Sum {
    /// The weighted mean of the available parts. The weight of the others is distributed in proportion.
    pub fn of(parts: Vec<Part>) -> Self {
        let there = parts.iter().filter_map(|part| Some((part.score?, part.weight)));
        Self { score: weighted_mean(there), parts, notes: Vec::new() }
    }

    /// Lowers the score to `most` if it is higher, and notes why.
    pub fn cap(&mut self, most: u8, why: impl Into<String>) {
        if let Some(score) = self.score.as_mut().filter(|score| **score > most) {
            self.notes.push(format!("{} lowered to {most}: {}", *score, why.into()));
            *score = most;
        }
    }

    /// The share of `part` in the score: 0 to 1.
    pub fn share(&self, part: &Part) -> f64 {
        let total: u64 = self.parts.iter().filter(|part| part.score.is_some()).map(|part| u64::from(part.weight)).sum();
        if part.score.is_none() || total == 0 {
            return 0.0;
        }
        // Thousandths, so that 0.33333333333333331 is never shown.
        let thousandths = (u64::from(part.weight) * 1000 + total / 2) / total;
        f64::from(u32::try_from(thousandths).unwrap_or(1000)) / 1000.0
    }
}

/// The weighted mean of scores from 0 to 100, rounded to a whole number, half up. None if nothing has weight.
pub fn weighted_mean(scores: impl Iterator<Item = (u8, u32)>) -> Option<u8> {
    let (sum, total) = scores.fold((0_u64, 0_u64), |(sum, total), (score, weight)| {
        (sum + u64::from(score) * u64::from(weight), total + u64::from(weight))
    });
    if total == 0 {
        return None;
    }
    u8::try_from((2 * sum + total) / (2 * total)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sequence of numbers below `bound` that is the same at every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(self.0 >> 33).unwrap() % bound
        }

        fn parts(&mut self) -> Vec<Part> {
            (0..=self.below(7))
                .map(|n| {
                    let score = (self.below(4) > 0).then(|| u8::try_from(self.below(101)).unwrap());
                    Part::new(n.to_string(), score, self.below(5))
                })
                .collect()
        }
    }

    #[test]
    fn decisions_13_scores_are_rounded_to_a_whole_number() {
        let mean = |scores: &[(u8, u32)]| weighted_mean(scores.iter().copied());
        assert_eq!(mean(&[(100, 5), (80, 3)]), Some(93), "92.5 rounds up");
        assert_eq!(mean(&[(100, 1), (99, 2)]), Some(99));
        assert_eq!(mean(&[(0, 1), (1, 1)]), Some(1));
        assert_eq!(mean(&[(7, 0)]), None);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[(100, u32::MAX), (100, u32::MAX)]), Some(100));
    }

    #[test]
    fn a_mean_is_between_its_parts_and_follows_each_of_them() {
        let mut numbers = Numbers(11);
        for _ in 0..20_000 {
            let parts = numbers.parts();
            let weighing: Vec<u8> = parts.iter().filter(|part| part.weight > 0).filter_map(|part| part.score).collect();
            let sum = Sum::of(parts.clone());
            let (lowest, highest) = (weighing.iter().min().copied(), weighing.iter().max().copied());
            assert_eq!(sum.score.is_some(), !weighing.is_empty(), "{parts:?}");
            assert!(sum.score >= lowest && sum.score <= highest, "{parts:?}");
            // Unavailable parts change nothing.
            let there = parts.iter().filter(|part| part.score.is_some()).cloned().collect();
            assert_eq!(Sum::of(there).score, sum.score, "{parts:?}");
            // Ten times the weights are the same weights.
            let tenfold = parts.iter().cloned().map(|part| Part { weight: part.weight * 10, ..part }).collect();
            assert_eq!(Sum::of(tenfold).score, sum.score, "{parts:?}");
            // No better part makes a worse sum.
            for at in 0..parts.len() {
                let mut better = parts.clone();
                better[at].score = better[at].score.map(|score| score.saturating_add(9).min(100));
                assert!(Sum::of(better).score >= sum.score, "{parts:?}, {at}");
            }
            let shares: f64 = parts.iter().map(|part| sum.share(part)).sum();
            assert!(sum.score.is_none() || (shares - 1.0).abs() < 0.01, "{parts:?}: {shares}");
        }
    }

    #[test]
    fn a_cap_lowers_and_never_raises_and_says_so() {
        for score in 0..=100 {
            let mut sum = Sum::of(vec![Part::new("gps", Some(score), 1)]);
            sum.cap(29, "certain fraud");
            assert_eq!(sum.score, Some(score.min(29)));
            assert_eq!(sum.notes.len(), usize::from(score > 29));
        }
        let mut nothing = Sum::of(Vec::new());
        nothing.cap(29, "certain fraud");
        assert_eq!((nothing.score, nothing.notes.len()), (None, 0));
    }
}
