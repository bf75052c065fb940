//! Intervals whose ends, or whose distribution, are known.

use hgpo_evidence::{Bootstrap, Interval, Scores, interquartile_mean, mean};

use crate::{close, rows, single};

fn few(resamples: usize, seed: u64) -> Bootstrap {
    Bootstrap { resamples, seed, ..Bootstrap::default() }
}

#[test]
fn defaults_are_those_of_rliable() {
    let Bootstrap { resamples, confidence, seed } = Bootstrap::default();
    assert_eq!((resamples, confidence, seed), (50_000, 0.95, 0));
    assert!(Bootstrap::default().validate().is_ok());
}

#[test]
fn tasks_are_redrawn_on_their_own() {
    // Two runs with 0 and 1 on one task and 0 and 10 on the other. Drawn together, the mean of all four
    // would be 0, 2.75 or 5.5; apart, one in 16 has 0 + 0 and 10 + 10, mean 5, and one in 8 has a mean of
    // 0.25 or 5.25. Of single draws of the 12.5 % ends, the lower is 0.25: 1/16 is below it, 3/16 at most.
    let scores = rows(&[[0.0, 0.0], [1.0, 10.0]]);
    let bootstrap = Bootstrap { confidence: 0.75, ..Bootstrap::default() };
    let interval = bootstrap.interval(&scores, mean);
    assert_eq!((interval.low, interval.point, interval.high), (0.25, 2.75, 5.25));
}

#[test]
fn a_mean_is_as_uncertain_as_its_standard_error() {
    // 100 evenly spaced scores in [0, 1): population deviation √((1 − 1/100²) / 12) = 0.28866, standard
    // error 0.028866, and the mean of 100 is normal enough: ±1.95996 of it. The ends' own error with 50,000
    // resamples is √(0.025 × 0.975 / 50,000) / 0.05845 = 0.0119 standard errors; the third moment is 0,
    // and the fourth moves the percentile by less than 0.01: 0.08 is five of the former and all of the latter.
    let scores: Vec<f64> = (0..100).map(|it| f64::from(it) / 100.0).collect();
    let Interval { point, low, high } = Bootstrap::default().interval(&single(&scores), mean);
    let error = ((1.0 - 1e-4_f64) / 12.0).sqrt() / 10.0;
    for end in [high - point, point - low] {
        assert!((end / error - 1.959_96).abs() < 0.08, "{}", end / error);
    }
}

#[test]
fn one_run_and_equal_runs_have_no_spread() {
    for scores in [single(&[0.1]), single(&[0.1; 7]), rows(&[[0.1, 0.7, -3.0]])] {
        for statistic in [mean, interquartile_mean] {
            let Interval { point, low, high } = few(100, 1).interval(&scores, statistic);
            assert_eq!((low, high), (point, point));
        }
    }
}

#[test]
fn a_seed_gives_the_same_bytes_and_another_others() {
    let scores = single(&[0.1, 0.5, 0.3, 0.9, 0.7, 0.2, 0.6, 0.8]);
    let bits = |seed| {
        let Interval { low, high, .. } = few(1000, seed).interval(&scores, mean);
        [low.to_bits(), high.to_bits()]
    };
    assert_eq!(bits(1), bits(1));
    assert_ne!(bits(1), bits(2));
}

#[test]
fn these_very_bytes_come_on_every_machine() {
    let scores = single(&[0.13, 0.57, 0.31, 0.92, 0.74, 0.28, 0.61, 0.85]);
    let Interval { low, high, .. } = few(1000, 7).interval(&scores, interquartile_mean);
    // Recorded from this crate: a change of any of its draws or sums shows here.
    assert_eq!((low, high), (0.295_000_000_000_000_04, 0.794_999_999_999_999_9));
}

#[test]
fn improvement_of_all_over_all_is_certain() {
    let interval =
        few(500, 0).improvement(&single(&[2.0, 3.0]), &single(&[0.0, 1.0, 1.5])).unwrap();
    assert_eq!(interval, Interval { point: 1.0, low: 1.0, high: 1.0 });
}

#[test]
fn improvement_redraws_both_sides_apart() {
    // One run against 0 and 2: it wins the first, loses the second. A resample of those two has both (1/2),
    // 0 twice (1/4) or 2 twice (1/4).
    let interval = few(2000, 0).improvement(&single(&[1.0]), &single(&[0.0, 2.0])).unwrap();
    assert_eq!(interval, Interval { point: 0.5, low: 0.0, high: 1.0 });
    // Equal runs on both sides would tie in every resample if they were drawn together.
    let pair = single(&[0.0, 1.0]);
    let interval = few(2000, 0).improvement(&pair, &pair).unwrap();
    assert_eq!(interval, Interval { point: 0.5, low: 0.0, high: 1.0 });
}

#[test]
fn pairs_are_drawn_together() {
    // The difference of the pair is 1 for the first seed and 3 for the second: resamples give 1, 2 or 3.
    // Runs drawn apart would reach from −98 to 102.
    let (left, right) = (single(&[1.0, 103.0]), single(&[0.0, 100.0]));
    let difference = few(2000, 0).paired_difference(&left, &right, mean).unwrap();
    assert_eq!(difference, Interval { point: 2.0, low: 1.0, high: 3.0 });
    let same = few(2000, 0).paired_difference(&left, &left, mean).unwrap();
    assert_eq!(same, Interval { point: 0.0, low: 0.0, high: 0.0 });
}

#[test]
fn profiles_have_the_intervals_of_their_shares() {
    let scores = rows(&[[0.0, 0.5], [0.5, 1.0], [0.9, 0.2], [0.4, 0.4], [0.6, 0.1]]);
    let thresholds = [0.45, -1.0, 0.7, 2.0, 0.05];
    let bootstrap = few(3000, 5);
    let profile = bootstrap.profile(&scores, &thresholds);
    // The share as a statistic of its own, with the same seed.
    for (found, threshold) in profile.into_iter().zip(thresholds) {
        let share = |scores: &Scores| {
            let above = scores.values().iter().filter(|&&score| score > threshold).count();
            above as f64 / scores.values().len() as f64
        };
        assert_eq!(found, bootstrap.interval(&scores, share), "{threshold}");
    }
}

#[test]
fn an_interval_is_read_as_it_was_written() {
    let interval = Interval { point: 0.1, low: -2.0, high: 1e-300 };
    let text = serde_json::to_string(&interval).unwrap();
    assert_eq!(text, r#"{"point":0.1,"low":-2.0,"high":1e-300}"#);
    assert!(close(serde_json::from_str::<Interval>(&text).unwrap().point, 0.1));
}
