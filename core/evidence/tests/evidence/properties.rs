//! Laws that hold for all scores.

use hgpo_evidence::{
    Bootstrap, Curve, Interval, Scores, interquartile_mean, mean, median, optimality_gap,
    performance_profile, probability_of_improvement, sample_efficiency,
};
use proptest::prelude::*;

use crate::close;

/// Scores of which many are equal.
fn score() -> impl Strategy<Value = f64> {
    prop_oneof![3 => (0..5_i32).prop_map(|it| f64::from(it) / 4.0), 1 => -100.0..100.0]
}

fn scores() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (1..5_usize)
        .prop_flat_map(|tasks| prop::collection::vec(prop::collection::vec(score(), tasks), 1..12))
}

fn made(rows: &[Vec<f64>]) -> Scores {
    Scores::new(rows.to_vec()).expect("valid")
}

const STATISTICS: [fn(&Scores) -> f64; 4] =
    [mean, median, interquartile_mean, |scores| -optimality_gap(scores, 0.7)];

/// The definition, word for word.
fn trimmed(scores: &Scores) -> f64 {
    let mut values = scores.values().to_vec();
    values.sort_by(f64::total_cmp);
    let cut = values.len() / 4;
    let kept = &values[cut..values.len() - cut];
    kept.iter().sum::<f64>() / kept.len() as f64
}

proptest! {
    #[test]
    fn the_interquartile_mean_is_what_it_is_defined_as(rows in scores()) {
        let scores = made(&rows);
        let (found, expected) = (interquartile_mean(&scores), trimmed(&scores));
        prop_assert!((found - expected).abs() < 1e-11, "{found} {expected}");
    }

    #[test]
    fn the_order_of_runs_does_not_matter(rows in scores()) {
        let reversed: Vec<Vec<f64>> = rows.iter().rev().cloned().collect();
        for statistic in STATISTICS {
            prop_assert!((statistic(&made(&rows)) - statistic(&made(&reversed))).abs() < 1e-11);
        }
    }

    #[test]
    fn statistics_lie_between_the_extremes_and_grow_with_every_score(rows in scores(), by in 0.0..9.0) {
        let scores = made(&rows);
        let (least, most) = (f64::min, f64::max);
        let least = scores.values().iter().copied().fold(f64::INFINITY, least);
        let most = scores.values().iter().copied().fold(f64::NEG_INFINITY, most);
        let mut raised = rows.clone();
        raised[0][0] += by;
        for statistic in [mean, median, interquartile_mean] {
            let value = statistic(&scores);
            prop_assert!(least - 1e-11 <= value && value <= most + 1e-11);
        }
        for statistic in STATISTICS {
            prop_assert!(statistic(&made(&raised)) >= statistic(&scores) - 1e-11);
        }
    }

    #[test]
    fn statistics_follow_a_change_of_unit(rows in scores(), scale in 0.1..10.0, shift in -9.0..9.0) {
        let map = |row: &Vec<f64>| -> Vec<f64> { row.iter().map(|score| scale * score + shift).collect() };
        let changed = Scores::new(rows.iter().map(map).collect()).unwrap();
        for statistic in [mean, median, interquartile_mean] as [fn(&Scores) -> f64; 3] {
            let expected: f64 = scale * statistic(&made(&rows)) + shift;
            prop_assert!((statistic(&changed) - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn who_wins_is_who_loses_on_the_other_side(rows in scores(), others in scores()) {
        let tasks = rows[0].len().min(others[0].len());
        let cut = |rows: &[Vec<f64>]| rows.iter().map(|row| row[..tasks].to_vec()).collect();
        let [left, right] = [cut(&rows), cut(&others)].map(|rows| Scores::new(rows).unwrap());
        let won = probability_of_improvement(&left, &right).unwrap();
        let lost = probability_of_improvement(&right, &left).unwrap();
        prop_assert!((0.0..=1.0).contains(&won) && close(won + lost, 1.0));
        // The definition, word for word.
        let (mut wins, pairs) = (0.0, (left.runs() * right.runs() * tasks) as f64);
        for task in 0..tasks {
            for one in left.task(task) {
                for other in right.task(task) {
                    wins += if one > other { 1.0 } else if one == other { 0.5 } else { 0.0 };
                }
            }
        }
        prop_assert!(close(won, wins / pairs));
    }

    #[test]
    fn profiles_fall(rows in scores(), mut thresholds in prop::collection::vec(score(), 0..9)) {
        thresholds.sort_by(f64::total_cmp);
        let scores = made(&rows);
        let profile = performance_profile(&scores, &thresholds);
        prop_assert!(profile.is_sorted_by(|left, right| left >= right));
        for (&share, &threshold) in profile.iter().zip(&thresholds) {
            let above = scores.values().iter().filter(|&&it| it > threshold).count();
            prop_assert_eq!(share, above as f64 / scores.values().len() as f64);
        }
    }

    #[test]
    fn ends_are_ordered_and_what_runs_can_give(rows in scores(), seed: u64) {
        let scores = made(&rows);
        let bootstrap = Bootstrap { resamples: 40, seed, ..Bootstrap::default() };
        let wider = Bootstrap { confidence: 0.99, ..bootstrap };
        for statistic in STATISTICS {
            let Interval { low, high, .. } = bootstrap.interval(&scores, statistic);
            let wide = wider.interval(&scores, statistic);
            prop_assert!(wide.low <= low && low <= high && high <= wide.high);
        }
        for (interval, point) in
            bootstrap.profile(&scores, &[0.3]).iter().zip(performance_profile(&scores, &[0.3]))
        {
            prop_assert_eq!(interval.point, point);
            prop_assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0);
        }
        let improvement = bootstrap.improvement(&scores, &scores).unwrap();
        prop_assert!(improvement.low <= improvement.high);
        let difference = bootstrap.paired_difference(&scores, &scores, mean).unwrap();
        prop_assert_eq!(difference, Interval { point: 0.0, low: 0.0, high: 0.0 });
    }

    #[test]
    fn the_band_of_one_curve_has_no_width(
        steps in prop::collection::vec((0.1..50.0, score()), 1..9),
        to in 0.1..300.0,
    ) {
        let mut sum = 0.0;
        let at = steps.iter().map(|(step, _)| { sum += step; sum }).collect();
        let values: Vec<f64> = steps.iter().map(|&(_, value)| value).collect();
        let curve = Curve::new(at, values).unwrap();
        let band = sample_efficiency(&[curve], &[to], &Bootstrap { resamples: 3, ..Bootstrap::default() });
        prop_assert_eq!(band[0].low, band[0].high);
    }
}
