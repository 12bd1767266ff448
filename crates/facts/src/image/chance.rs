//! How likely an observation is by chance. A detector counts how often such an observation is expected in a picture
//! without any editing, the *number of false alarms* (A. Desolneux, L. Moisan and J.-M. Morel, *From Gestalt Theory to
//! Image Analysis*, 2008): the number of places that are tested, times the probability at one of them.

use super::plane::to_f64;

/// The decimal logarithm of the probability of at least `successes` in `trials` independent trials. It is 0 if the mean
/// is as high: such an observation says nothing.
pub(super) fn log_tail(trials: usize, successes: usize, probability: f64) -> f64 {
    let (n, k) = (to_f64(trials as u64), to_f64(successes as u64));
    if probability <= 0.0 || probability >= 1.0 || successes > trials || k <= n * probability {
        return 0.0;
    }
    let first = log_factorial(trials) - log_factorial(successes) - log_factorial(trials - successes)
        + k * probability.ln()
        + (n - k) * (1.0 - probability).ln();
    // Each further term is smaller than the last one, by a factor that falls.
    let odds = probability / (1.0 - probability);
    let (mut sum, mut term, mut at) = (1.0, 1.0, k);
    while at < n && term > sum * 1e-9 {
        term *= (n - at) / (at + 1.0) * odds;
        sum += term;
        at += 1.0;
    }
    ((first + sum.ln()) / std::f64::consts::LN_10).min(0.0)
}

/// The natural logarithm of the factorial: exact for small numbers, else Stirling's series.
fn log_factorial(number: usize) -> f64 {
    if number < 16 {
        return (2..=number).map(|factor| to_f64(factor as u64).ln()).sum();
    }
    let n = to_f64(number as u64);
    n * n.ln() - n + 0.5 * (2.0 * std::f64::consts::PI * n).ln() + 1.0 / (12.0 * n) - 1.0 / (360.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_is_the_sum_of_its_terms() {
        // 3 heads of 4, and all of 10.
        assert!((log_tail(4, 3, 0.5) - (5.0_f64 / 16.0).log10()).abs() < 1e-9);
        assert!((log_tail(10, 10, 0.1) + 10.0).abs() < 1e-9);
        assert!((log_tail(20, 20, 0.5) - 20.0 * 0.5_f64.log10()).abs() < 1e-6);
    }

    #[test]
    fn what_is_no_more_than_the_mean_says_nothing() {
        assert!(log_tail(100, 50, 0.5).abs() < f64::EPSILON);
        assert!(log_tail(0, 0, 0.5).abs() < f64::EPSILON);
        assert!(log_tail(5, 6, 0.5).abs() < f64::EPSILON);
        assert!(log_tail(1_000_000, 400_000, 1.0 / 64.0) < -1_000.0);
    }
}
