//! Any texts: a similarity from 0 to 1, 1 if they are equal; clusters whose states are alike.
#![no_main]

use hgpo_core::{Linkage, StateMetric, clusters, edit_similarity};
use libfuzzer_sys::fuzz_target;

/// Similarities of all pairs, computed once.
struct Matrix(Vec<Vec<f64>>);

impl Matrix {
    fn new(texts: &[String]) -> Self {
        let of = |left| texts.iter().map(|right| edit_similarity(left, right)).collect();
        Self(texts.iter().map(|left| of(left)).collect())
    }
}

impl StateMetric for Matrix {
    fn similarity(&self, left: usize, right: usize) -> f64 {
        self.0[left][right]
    }
}

/// Clusters are numbered in order of first appearance; a state is like the first of its cluster,
/// or like all of them.
fn check(metric: &Matrix, threshold: f64, linkage: Linkage) {
    let count = metric.0.len();
    let found = clusters(metric, count, threshold, linkage);
    assert_eq!(found.len(), count);
    for (state, &cluster) in found.iter().enumerate() {
        let before = &found[..state];
        assert!(cluster <= before.iter().max().map_or(0, |most| most + 1));
        let mut members = (0..state).filter(|&other| found[other] == cluster);
        let alike = |other: usize| metric.similarity(state, other) >= threshold;
        match linkage {
            Linkage::Greedy => assert!(members.next().is_none_or(alike)),
            Linkage::Complete => assert!(members.all(alike)),
            other => panic!("no law is known of {other:?}"),
        }
    }
}

fuzz_target!(|input: (u8, u8, Vec<String>)| {
    let (threshold, repeated, mut texts) = input;
    texts.truncate(5);
    // Long texts, in which popular characters begin no block.
    if let Some(text) = texts.first_mut().filter(|text| text.len() < 32) {
        *text = text.repeat(usize::from(repeated % 16));
    }
    let metric = Matrix::new(&texts);
    for (left, similarities) in texts.iter().zip(&metric.0) {
        for (right, similarity) in texts.iter().zip(similarities) {
            assert!((0.0..=1.0).contains(similarity), "{similarity}");
            assert!(left != right || *similarity == 1.0, "{similarity}");
        }
    }
    for &linkage in Linkage::ALL {
        check(&metric, f64::from(threshold) / 255.0, linkage);
    }
});
