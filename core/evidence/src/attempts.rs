//! What several attempts at a task say.

/// The probability that at least one of `k` attempts at a task succeeds, estimated from `attempts` of which
/// `successes` did.
///
/// # Formula
/// 1 − C(n − c, k) / C(n, k) with n attempts and c successes: the share of the choices of k of the n attempts
/// that hold a success, which is unbiased for 1 − (1 − p)^k (Chen et al., *Evaluating large language models
/// trained on code*, 2021, arXiv 2107.03374, section 2.1). Computed as 1 − Π (1 − k / i) over
/// i = n − c + 1 … n. `None` if k is 0 or exceeds n, or c does: nothing can be said.
///
/// ```
/// use hgpo_evidence::pass_at_k;
/// // 4 attempts, 1 success: of the 6 pairs, 3 hold it.
/// assert_eq!(pass_at_k(4, 1, 2), Some(0.5));
/// assert_eq!(pass_at_k(4, 1, 1), Some(0.25));
/// assert_eq!(pass_at_k(4, 1, 5), None);
/// ```
#[must_use]
pub fn pass_at_k(attempts: usize, successes: usize, k: usize) -> Option<f64> {
    if k == 0 || k > attempts || successes > attempts {
        return None;
    }
    let failures = attempts - successes;
    if failures < k {
        return Some(1.0);
    }
    let none: f64 = (failures + 1..=attempts).map(|i| 1.0 - k as f64 / i as f64).product();
    Some(1.0 - none)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(n: usize, k: usize) -> f64 {
        (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
    }

    #[test]
    fn it_is_the_quotient_of_binomials() {
        for attempts in 1..=12 {
            for successes in 0..=attempts {
                for k in 1..=attempts {
                    let failures = attempts - successes;
                    let none = if failures < k { 0.0 } else { choose(failures, k) };
                    let expected = 1.0 - none / choose(attempts, k);
                    let found = pass_at_k(attempts, successes, k).unwrap();
                    assert!((found - expected).abs() < 1e-12, "{attempts} {successes} {k}");
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_said_is_not() {
        for (attempts, successes, k) in [(0, 0, 1), (3, 0, 0), (3, 0, 4), (3, 4, 1)] {
            assert_eq!(pass_at_k(attempts, successes, k), None);
        }
    }

    #[test]
    fn its_mean_is_the_probability_itself() {
        // Attempts that succeed with 0.3: over all numbers of successes of 5, weighed by the binomial
        // distribution, the estimate is 1 - 0.7^k.
        let (n, p) = (5, 0.3_f64);
        for k in 1..=n {
            let mean: f64 = (0..=n)
                .map(|c| {
                    let chance = choose(n, c) * p.powi(c as i32) * (1.0 - p).powi((n - c) as i32);
                    chance * pass_at_k(n, c, k).unwrap()
                })
                .sum();
            assert!((mean - (1.0 - 0.7_f64.powi(k as i32))).abs() < 1e-12, "{k}");
        }
    }
}
