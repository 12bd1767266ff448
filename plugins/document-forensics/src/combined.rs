//! Combines the evidence of all checks into one suspicion.
//!
//! The host computes the suspicion as 100 less the weighted mean of the evaluations, and a mean alone would dilute one
//! strong sign among eleven checks that looked for something else. So the weights of all checks are chosen together,
//! such that this mean is the probability that the added evidence gives.

use sealwright_plugin_sdk::falsification::{Check, Verdict};

use crate::report::Report;

/// How unlikely a forgery is before anything is known, in decibans. Together with the worth of the signs it decides
/// what a suspicion of 30 means: at most 2 % of genuine documents reach it.
const PRIOR: f64 = 15.0;
/// The weight of the strongest evidence, and of a check that found nothing when nothing else did.
const MOST: f64 = 1000.0;
const NOTHING_FOUND: u16 = 30;

/// The probability of a forgery, in percent. Without evidence there is no suspicion.
fn suspicion(decibans: f64) -> f64 {
    if decibans <= 0.0 { 0.0 } else { 100.0 / (1.0 + 10_f64.powf((PRIOR - decibans) / 10.0)) }
}

/// The checks with evaluations and weights. A check's evaluation is 100 less the suspicion that its own evidence gives;
/// that of the strongest one takes in what the others add.
pub(crate) fn combined(reports: Vec<(&str, &str, Report)>) -> Vec<Check> {
    let evidence: Vec<f64> = reports.iter().map(|(_, _, report)| report.decibans.max(0.0)).collect();
    let strongest = (0..evidence.len())
        .filter(|index| evidence[*index] > 0.0)
        .max_by(|left, right| evidence[*left].total_cmp(&evidence[*right]));
    let weighed = match strongest {
        Some(strongest) => weighed(&reports, &evidence, strongest),
        None => vec![(100, NOTHING_FOUND); reports.len()],
    };
    reports
        .into_iter()
        .zip(weighed)
        .map(|((code, label, report), (evaluation, weight))| {
            let verdict = report.verdict();
            let weight = if verdict == Verdict::NotApplicable { 0 } else { weight };
            Check {
                code: code.to_owned(),
                label: label.to_owned(),
                verdict,
                evaluation,
                weight,
                findings: report.findings,
            }
        })
        .collect()
}

/// Evaluation and weight of each check: the evidence decides the weights, and what found nothing hardly counts next to
/// what found something. The strongest check's evaluation makes the mean exact.
fn weighed(reports: &[(&str, &str, Report)], evidence: &[f64], strongest: usize) -> Vec<(u8, u16)> {
    let wanted = suspicion(evidence.iter().sum()).min(99.0);
    let own: Vec<f64> = evidence.iter().map(|decibans| suspicion(*decibans).round()).collect();
    // If the others pull the mean down too far, their weights shrink together.
    let mut result = Vec::new();
    for share in [1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.0] {
        let weights: Vec<f64> = (0..evidence.len())
            .map(|index| match () {
                () if !reports[index].2.applies => 0.0,
                () if index == strongest => MOST,
                () if evidence[index] <= 0.0 => 1.0,
                () => (MOST * share * evidence[index] / evidence[strongest]).round().max(1.0),
            })
            .collect();
        let sum: f64 = weights.iter().sum();
        let others: f64 =
            (0..own.len()).filter(|index| *index != strongest).map(|index| weights[index] * own[index]).sum();
        let exact = (wanted * sum - others) / MOST;
        result = (0..own.len())
            .map(|index| {
                let suspicion = if index == strongest { exact } else { own[index] };
                (100 - whole(suspicion.min(100.0)), weights[index])
            })
            .map(|(evaluation, weight)| {
                (u8::try_from(evaluation).unwrap_or(0), u16::try_from(whole(weight)).unwrap_or(1))
            })
            .collect();
        if exact <= 100.0 {
            break;
        }
    }
    result
}

/// Of 0 to 1000.
#[expect(clippy::cast_possible_truncation, reason = "the range is small")]
fn whole(number: f64) -> i32 {
    number.clamp(0.0, MOST).round() as i32
}

#[cfg(test)]
mod tests {
    use sealwright_plugin_sdk::findings::found;

    use super::*;
    use crate::report::{WEAK, sign};

    fn mean(evidence: &[f64]) -> u32 {
        let reports = evidence
            .iter()
            .map(|decibans| {
                let signs = if *decibans > 0.0 { vec![sign(*decibans, found("A", "b"))] } else { Vec::new() };
                ("A", "b", Report::of(signs, "A", "b"))
            })
            .collect();
        let checks = combined(reports);
        let weights: u32 = checks.iter().map(|check| u32::from(check.weight)).sum();
        let sum: u32 = checks.iter().map(|check| u32::from(check.weight) * u32::from(check.evaluation)).sum();
        100 - (sum + weights / 2) / weights
    }

    #[test]
    fn the_mean_of_the_evaluations_is_the_combined_suspicion() {
        let nothing = [0.0; 9];
        let with = |evidence: &[f64]| mean(&[evidence, &nothing].concat());
        assert_eq!(with(&[0.0]), 0);
        // One strong sign suffices, one weak one does not, and two weak ones do.
        assert!(with(&[25.0]) >= 90);
        assert!(with(&[WEAK]) < 30);
        assert!(with(&[8.0, 7.0]) >= 49);
        for evidence in [&[3.0, 20.0][..], &[9.0, 9.0, 9.0], &[30.0, 4.0], &[5.0, 1.0, 1.0, 1.0], &[30.0, 30.0]] {
            let wanted = suspicion(evidence.iter().sum()).min(99.0);
            assert!((f64::from(with(evidence)) - wanted).abs() < 1.5, "{evidence:?}: {} {wanted}", with(evidence));
        }
    }
}
