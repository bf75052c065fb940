//! Input that is empty, crooked or huge.

use hgpo_evidence::{
    Bootstrap, EvidenceError, Interval, Scores, interquartile_mean, mean, median, optimality_gap,
    performance_profile, probability_of_improvement,
};

use crate::{rows, single};

#[test]
fn scores_that_are_none_are_refused() {
    assert_eq!(Scores::new(Vec::new()), Err(EvidenceError::NoScores));
    assert_eq!(Scores::new(vec![Vec::new(); 3]), Err(EvidenceError::NoScores));
    assert_eq!(Scores::single_task(&[]), Err(EvidenceError::NoScores));
    let crooked = Scores::new(vec![vec![1.0], vec![1.0, 2.0]]);
    assert_eq!(crooked, Err(EvidenceError::UnequalRows { run: 1, expected: 1, found: 2 }));
    let crooked = Scores::new(vec![vec![1.0], Vec::new()]);
    assert_eq!(crooked, Err(EvidenceError::UnequalRows { run: 1, expected: 1, found: 0 }));
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e300] {
        let error = Scores::new(vec![vec![0.0, 0.0], vec![0.0, value]]).unwrap_err();
        assert!(matches!(error, EvidenceError::Score { run: 1, task: 1, .. }), "{error}");
    }
}

#[test]
fn messages_say_what_to_do() {
    let error = Scores::single_task(&[0.5, f64::NAN]).unwrap_err().to_string();
    let text = "the score of run 1 for task 0 is NaN, not a number within ±1e300: leave the run out, or scale the scores";
    assert_eq!(error, text);
}

#[test]
fn other_shapes_are_refused() {
    let (one, two, pair) = (single(&[1.0]), single(&[1.0, 2.0]), rows(&[[1.0, 2.0]]));
    let tasks = EvidenceError::OtherTasks { left: 1, right: 2 };
    let runs = EvidenceError::OtherRuns { left: 1, right: 2 };
    let bootstrap = Bootstrap::default();
    assert_eq!(probability_of_improvement(&one, &pair), Err(tasks.clone()));
    assert_eq!(bootstrap.improvement(&one, &pair), Err(tasks.clone()));
    assert_eq!(bootstrap.paired_difference(&one, &pair, mean), Err(tasks));
    assert_eq!(bootstrap.paired_difference(&one, &two, mean), Err(runs));
}

#[test]
fn bootstraps_of_no_use_are_refused_and_give_numbers_all_the_same() {
    let of = |resamples, confidence| Bootstrap { resamples, confidence, seed: 0 };
    assert_eq!(of(0, 0.95).validate(), Err(EvidenceError::Resamples(0)));
    assert!(of(10_000_001, 0.95).validate().is_err());
    for confidence in [0.0, 1.0, -1.0, 2.0] {
        assert_eq!(of(9, confidence).validate(), Err(EvidenceError::Confidence(confidence)));
    }
    assert!(of(9, f64::NAN).validate().is_err());
    let scores = single(&[0.0, 1.0]);
    let alone = of(0, 0.95).interval(&scores, mean);
    assert_eq!(alone, Interval { point: 0.5, low: 0.5, high: 0.5 });
    for confidence in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
        let Interval { low, high, .. } = of(9, confidence).interval(&scores, mean);
        assert!(0.0 <= low && low <= high && high <= 1.0);
    }
}

#[test]
fn the_largest_scores_do_not_overflow() {
    let scores = rows(&[[1e300, -1e300], [1e300, 1e300], [-1e300, 1e300]]);
    for statistic in [mean, median, interquartile_mean] {
        assert!(statistic(&scores).is_finite());
        let Interval { low, high, .. } =
            Bootstrap { resamples: 50, ..Bootstrap::default() }.interval(&scores, statistic);
        assert!(low.is_finite() && high.is_finite());
    }
    assert!(optimality_gap(&scores, 1.0).is_finite());
}

#[test]
fn a_million_scores_are_counted_and_not_squared() {
    // 0, 1, …, 999,999 shuffled by a multiplier without a common factor: all means are 499,999.5.
    let values: Vec<f64> = (0..1_000_000_u64).map(|it| (it * 7919 % 1_000_000) as f64).collect();
    let scores = single(&values);
    for statistic in [mean, median, interquartile_mean] {
        assert!((statistic(&scores) - 499_999.5).abs() < 1e-3);
    }
    assert_eq!(performance_profile(&scores, &[249_999.0]), [0.75]);
    // Half a million ties aside, as many pairs are won as lost.
    assert_eq!(probability_of_improvement(&scores, &scores), Ok(0.5));
    let two = Bootstrap { resamples: 2, ..Bootstrap::default() };
    // The standard error of the mean is 289: five of them.
    let Interval { low, high, .. } = two.interval(&scores, mean);
    assert!((low - 499_999.5).abs() < 1445.0 && (high - 499_999.5).abs() < 1445.0);
    assert!((two.improvement(&scores, &scores).unwrap().low - 0.5).abs() < 0.01);
}
