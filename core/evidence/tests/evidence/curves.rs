//! Learning curves.

use hgpo_evidence::{
    Bootstrap, Curve, EvidenceError, Interval, Scores, interquartile_mean, sample_efficiency,
};

use crate::close;

fn curve(points: &[(f64, f64)]) -> Curve {
    let (at, values) = points.iter().copied().unzip();
    Curve::new(at, values).expect("valid")
}

#[test]
fn values_are_linear_between_points_and_held_beyond() {
    let curve = curve(&[(10.0, 0.0), (20.0, 1.0), (40.0, 0.5)]);
    let at = [-5.0, 0.0, 10.0, 15.0, 20.0, 30.0, 40.0, 1e9, f64::INFINITY];
    let expected = [0.0, 0.0, 0.0, 0.5, 1.0, 0.75, 0.5, 0.5, 0.5];
    assert_eq!(at.map(|at| curve.value(at)), expected);
}

#[test]
fn curves_that_are_none_are_refused() {
    let refused = |at: &[f64], values: &[f64]| Curve::new(at.into(), values.into()).unwrap_err();
    assert_eq!(refused(&[], &[]), EvidenceError::CurveLengths { at: 0, values: 0 });
    assert_eq!(refused(&[1.0], &[]), EvidenceError::CurveLengths { at: 1, values: 0 });
    for (at, point) in
        [([-1.0, 1.0], 0), ([1.0, 1.0], 1), ([2.0, 1.0], 1), ([0.0, f64::INFINITY], 1)]
    {
        let error = refused(&at, &[0.0, 0.0]);
        assert_eq!(error, EvidenceError::CurveStep { point, at: at[point] });
    }
    assert!(matches!(refused(&[f64::NAN], &[0.0]), EvidenceError::CurveStep { point: 0, .. }));
    for value in [f64::NAN, f64::INFINITY, 1e301] {
        let error = refused(&[0.0, 1.0], &[0.0, value]);
        assert!(matches!(error, EvidenceError::CurveValue { point: 1, .. }));
    }
}

#[test]
fn a_band_is_the_interval_of_what_the_curves_are_there() {
    let ends = [0.3, 0.9, 0.5, 0.7, 0.2, 0.5, 0.8, 0.1, 0.6];
    let curves: Vec<Curve> = ends.iter().map(|&end| curve(&[(0.0, 0.0), (10.0, end)])).collect();
    let bootstrap = Bootstrap { resamples: 2000, seed: 3, ..Bootstrap::default() };
    let at = [0.0, 5.0, 10.0, 20.0];
    for (found, at) in sample_efficiency(&curves, &at, &bootstrap).into_iter().zip(at) {
        let values: Vec<f64> = curves.iter().map(|curve| curve.value(at)).collect();
        let scores = Scores::single_task(&values).unwrap();
        let Interval { point, low, high } = bootstrap.interval(&scores, interquartile_mean);
        for (found, expected) in [(found.point, point), (found.low, low), (found.high, high)] {
            assert!(close(found, expected), "{at}: {found} {expected}");
        }
    }
    assert!(sample_efficiency(&[], &at, &bootstrap).is_empty());
    assert!(sample_efficiency(&curves, &[], &bootstrap).is_empty());
}
