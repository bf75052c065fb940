//! One number for many: for all scores of an algorithm, for several attempts at a task, for the spread of values.

use crate::Scores;

/// The interquartile mean: the mean of the middle half of all scores.
///
/// # Formula
/// The n = runs × tasks scores are sorted, ⌊n / 4⌋ of them are dropped at either end, and the rest are
/// averaged, in the unit of the scores. Runs and tasks are pooled; no score counts in part. This is
/// `trim_mean` of scipy with 0.25, and `aggregate_iqm` of rliable. With fewer than four scores it is their
/// mean.
///
/// ```
/// use hgpo_evidence::{Scores, interquartile_mean};
/// // Ten scores: two are dropped at either end, (2 + 3 + 4 + 5 + 6 + 7) / 6 = 4.5 is left.
/// let scores = Scores::single_task(&[9.0, 0.0, 8.0, 1.0, 7.0, 2.0, 6.0, 3.0, 5.0, 4.0])?;
/// assert_eq!(interquartile_mean(&scores), 4.5);
/// # Ok::<(), hgpo_evidence::EvidenceError>(())
/// ```
#[must_use]
pub fn interquartile_mean(scores: &Scores) -> f64 {
    let values = scores.values();
    let (count, cut) = (values.len(), values.len() / 4);
    let mut sorted = values.to_vec();
    let (_, &mut low, above) = sorted.select_nth_unstable_by(cut, f64::total_cmp);
    let high = match count - 2 * cut - 1 {
        0 => low,
        rank => *above.select_nth_unstable_by(rank - 1, f64::total_cmp).1,
    };
    // What selection leaves in between has no order that could be relied on: the sum goes by the scores'
    // own. Scores that equal an end are kept in part, namely as often as it takes to keep all that count.
    let (mut up_to_low, mut inside, mut sum) = (0, 0, 0.0);
    for &value in values {
        up_to_low += usize::from(value <= low);
        if low < value && value < high {
            inside += 1;
            sum += value - low;
        }
    }
    let kept = count - 2 * cut;
    let kept_low = (up_to_low - cut).min(kept);
    let kept_high = kept - kept_low - inside;
    low + (sum + kept_high as f64 * (high - low)) / kept as f64
}

/// The mean over tasks of the mean over runs, which is the mean of all scores.
///
/// # Formula
/// Σ over runs and tasks / (runs × tasks), in the unit of the scores; rliable's `aggregate_mean`. One run
/// far off moves it without bound.
#[must_use]
pub fn mean(scores: &Scores) -> f64 {
    mean_of(scores.values().iter().copied())
}

/// The median over tasks of the mean over runs.
///
/// # Formula
/// The mean of every task is taken first; the median of an even number of tasks is the mean of the two in
/// the middle. rliable's `aggregate_median`. With a single task it is the mean, not the median, of the
/// runs.
///
/// ```
/// use hgpo_evidence::{Scores, median};
/// // Task means (1 + 3) / 2 = 2, (0 + 10) / 2 = 5 and (3 + 3) / 2 = 3.
/// assert_eq!(median(&Scores::new(vec![vec![1.0, 0.0, 3.0], vec![3.0, 10.0, 3.0]])?), 3.0);
/// # Ok::<(), hgpo_evidence::EvidenceError>(())
/// ```
#[must_use]
pub fn median(scores: &Scores) -> f64 {
    let tasks = scores.tasks();
    let mut means: Vec<f64> = (0..tasks).map(|task| mean_of(scores.task(task))).collect();
    let (below, &mut middle, _) = means.select_nth_unstable_by(tasks / 2, f64::total_cmp);
    if tasks % 2 == 1 {
        return middle;
    }
    let before = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    before + (middle - before) / 2.0
}

/// By how much scores fall short of a target.
///
/// # Formula
/// target − mean of min(score, target) over all runs and tasks, in the unit of the scores: what lies above
/// the target does not make up for what lies below. rliable's `aggregate_optimality_gap`, whose target is 1
/// unless said otherwise. NaN if the target is NaN or infinite.
///
/// ```
/// use hgpo_evidence::{Scores, optimality_gap};
/// // (0.5 + 0) / 2.
/// assert_eq!(optimality_gap(&Scores::single_task(&[0.5, 1.2])?, 1.0), 0.25);
/// # Ok::<(), hgpo_evidence::EvidenceError>(())
/// ```
#[must_use]
pub fn optimality_gap(scores: &Scores, target: f64) -> f64 {
    if !target.is_finite() {
        return f64::NAN;
    }
    mean_of(scores.values().iter().map(|score| (target - score).max(0.0)))
}

/// Mean of the values, of which there are some; exactly their common value if all are equal.
fn mean_of(mut values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    let first = values.next().unwrap_or(f64::NAN);
    first + values.map(|value| value - first).sum::<f64>() / count
}

/// The sample standard deviation; `None` of fewer than two values.
///
/// # Formula
/// √(Σ (x − mean x)² / (n − 1))
///
/// ```
/// use hgpo_evidence::sample_deviation;
/// assert_eq!(sample_deviation(&[1.0, 2.0, 3.0]), Some(1.0));
/// assert_eq!(sample_deviation(&[1.0]), None);
/// ```
#[must_use]
pub fn sample_deviation(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt())
}

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
