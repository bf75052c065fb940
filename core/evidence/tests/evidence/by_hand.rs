//! Statistics of scores that can be computed on paper.

use hgpo_evidence::{
    interquartile_mean, mean, median, optimality_gap, performance_profile,
    probability_of_improvement,
};

use crate::{close, rows, single};

#[test]
fn a_quarter_is_dropped_at_either_end() {
    // n = 8 drops 2 + 2: (2 + 3 + 4 + 5) / 4.
    let eight = single(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 100.0]);
    assert_eq!(interquartile_mean(&eight), 3.5);
    // n = 10 drops 2 + 2, not 2.5: (3 + 4 + 5 + 6 + 7 + 8) / 6.
    let ten: Vec<f64> = (1..=10).map(f64::from).collect();
    assert_eq!(interquartile_mean(&single(&ten)), 5.5);
    // n = 5 drops 1 + 1: (2 + 3 + 7) / 3 = 4.
    assert_eq!(interquartile_mean(&single(&[9.0, 7.0, 3.0, 2.0, -9.0])), 4.0);
}

#[test]
fn of_less_than_four_scores_none_is_dropped() {
    assert_eq!(interquartile_mean(&single(&[7.0])), 7.0);
    assert_eq!(interquartile_mean(&single(&[0.0, 1.0])), 0.5);
    assert_eq!(interquartile_mean(&single(&[0.0, 0.0, 3.0])), 1.0);
}

#[test]
fn runs_and_tasks_are_pooled_by_the_interquartile_mean() {
    // Sorted -5, 0, 1, 2, 3, 4, 8, 9 of four runs on two tasks: (1 + 2 + 3 + 4) / 4.
    let scores = rows(&[[9.0, 0.0], [1.0, 8.0], [2.0, -5.0], [4.0, 3.0]]);
    assert_eq!(interquartile_mean(&scores), 2.5);
}

#[test]
fn scores_equal_to_an_end_are_kept_as_often_as_it_takes() {
    // Sorted 0 0 0 0 1 1 1 1: of the four in the middle, two are 0 and two are 1.
    assert_eq!(interquartile_mean(&single(&[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0])), 0.5);
    // Sorted 0 1 1 1 1 1 1 5: dropped are 0, 1 and 1, 5.
    assert_eq!(interquartile_mean(&single(&[1.0, 5.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0])), 1.0);
    // Sorted 0 0 0 2 4 4 4 4: 0, 2, 4, 4.
    assert_eq!(interquartile_mean(&single(&[4.0, 0.0, 4.0, 2.0, 0.0, 4.0, 0.0, 4.0])), 2.5);
}

#[test]
fn the_median_is_of_task_means() {
    let scores = rows(&[[0.0, 4.0, 1.0, 9.0], [2.0, 6.0, 2.0, 9.0]]);
    // Means 1, 5, 1.5, 9: the middle two are 1.5 and 5.
    assert_eq!(median(&scores), 3.25);
    assert_eq!(mean(&scores), 33.0 / 8.0);
    // A single task: its mean, whatever its median.
    assert_eq!(median(&single(&[0.0, 0.0, 9.0])), 3.0);
}

#[test]
fn what_is_above_the_target_does_not_count() {
    assert_eq!(optimality_gap(&single(&[0.5, 1.2]), 1.0), 0.25);
    // min(·, 0.5): (0.5 + 0.5 + 0 − 1) / 4 = 0.
    assert_eq!(optimality_gap(&rows(&[[0.5, 2.0], [0.0, -1.0]]), 0.5), 0.5);
    assert!(optimality_gap(&single(&[0.5]), f64::NAN).is_nan());
    assert!(optimality_gap(&single(&[0.5]), f64::INFINITY).is_nan());
}

#[test]
fn ties_are_won_by_half() {
    let better = rows(&[[1.0, 2.0], [2.0, 2.0], [1.0, 1.0], [2.0, 1.0]]);
    let worse = rows(&[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]);
    // rliable's own test: 1/3.
    assert!(close(probability_of_improvement(&better, &worse).unwrap(), 1.0 / 3.0));
    assert!(close(probability_of_improvement(&worse, &better).unwrap(), 2.0 / 3.0));
    assert_eq!(probability_of_improvement(&better, &better).unwrap(), 0.5);
    // 0 has no sign.
    assert_eq!(probability_of_improvement(&single(&[0.0]), &single(&[-0.0])).unwrap(), 0.5);
}

#[test]
fn tasks_count_alike_in_the_probability_of_improvement() {
    // The first task is won by 1 of 2 pairs and tied in the other: 0.75; the second is lost: 0.
    let (better, worse) = (rows(&[[1.0, -1.0]]), rows(&[[1.0, 0.0], [0.0, 50.0]]));
    assert_eq!(probability_of_improvement(&better, &worse).unwrap(), 0.375);
}

#[test]
fn a_profile_counts_what_is_strictly_above() {
    let scores = rows(&[[0.0, 0.5], [0.5, 1.0]]);
    let thresholds = [1.0, 0.5, f64::NAN, -0.1, 0.49, 0.0, f64::INFINITY, f64::NEG_INFINITY, -0.0];
    let expected = [0.0, 0.25, 0.0, 1.0, 0.75, 0.75, 0.0, 1.0, 0.75];
    assert_eq!(performance_profile(&scores, &thresholds), expected);
    assert!(performance_profile(&scores, &[]).is_empty());
}
