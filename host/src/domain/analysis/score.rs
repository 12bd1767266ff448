//! The arithmetic of scores (decisions 13): weighted means of what is there, in whole numbers, with every part kept so that
//! people can be told how a number came about.

use serde::{Deserialize, Serialize};

use super::judgement::Finding;

/// At or below this a score is certain fraud (decisions 13).
pub const CERTAIN_FRAUD: u8 = 9;
/// The most that is CRITICAL: what a case with certain fraud in it scores at most, and a document whose suspicion is HIGH, so
/// that one forgery is never averaged away (decisions 13).
pub const MOST_CRITICAL: u8 = 29;
/// The most that is SUSPICIOUS: what a document with a contradiction in it scores at most, a case with something CRITICAL in
/// it, and one at which not everything was looked at (decisions 13).
pub const MOST_SUSPICIOUS: u8 = 69;

/// A score and what it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sum {
    /// 0 to 100. None when no part was there.
    pub score: Option<u8>,
    /// In the order in which they are told.
    pub parts: Vec<Part>,
    /// What else had a hand in it, for people.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Such as `falsification`, `gps` or `FONT_CONSISTENCY`.
    pub name: String,
    /// 0 to 100. None when it is not there: it counts for nothing, neither for nor against.
    pub score: Option<u8>,
    /// How much it counts beside the others.
    pub weight: u32,
    /// The plugin that said so; none where the server worked it out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plugin: Option<String>,
    /// Why it is not there, or what else people should know.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// What the plugin saw.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
}

impl Part {
    /// A part that is there, or is not, with nothing more to say.
    pub fn new(name: impl Into<String>, score: Option<u8>, weight: u32) -> Self {
        Self { name: name.into(), score, weight, plugin: None, note: None, findings: Vec::new() }
    }
}

impl Sum {
    /// The weighted mean of the parts that are there. Those that are not share out their weight in proportion.
    pub fn of(parts: Vec<Part>) -> Self {
        let there = parts.iter().filter_map(|part| Some((part.score?, part.weight)));
        Self { score: weighted_mean(there), parts, notes: Vec::new() }
    }

    /// Lowers the score to `most`, where it is higher, and says why.
    pub fn cap(&mut self, most: u8, why: impl Into<String>) {
        if let Some(score) = self.score.as_mut().filter(|score| **score > most) {
            self.notes.push(format!("{} lowered to {most}: {}", *score, why.into()));
            *score = most;
        }
    }

    /// What part of the score `part` makes up: 0 to 1.
    pub fn share(&self, part: &Part) -> f64 {
        let total: u64 = self.parts.iter().filter(|part| part.score.is_some()).map(|part| u64::from(part.weight)).sum();
        if part.score.is_none() || total == 0 {
            return 0.0;
        }
        // Thousandths: nobody is told 0.33333333333333331.
        let thousandths = (u64::from(part.weight) * 1000 + total / 2) / total;
        f64::from(u32::try_from(thousandths).unwrap_or(1000)) / 1000.0
    }
}

/// The weighted mean of scores from 0 to 100, rounded to a whole number, half up. None where nothing weighs anything.
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
    fn a_mean_lies_between_its_parts_and_follows_each_of_them() {
        let mut numbers = Numbers(11);
        for _ in 0..20_000 {
            let parts = numbers.parts();
            let weighing: Vec<u8> = parts.iter().filter(|part| part.weight > 0).filter_map(|part| part.score).collect();
            let sum = Sum::of(parts.clone());
            let (lowest, highest) = (weighing.iter().min().copied(), weighing.iter().max().copied());
            assert_eq!(sum.score.is_some(), !weighing.is_empty(), "{parts:?}");
            assert!(sum.score >= lowest && sum.score <= highest, "{parts:?}");
            // What is not there changes nothing.
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
