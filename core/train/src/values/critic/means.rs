//! Mean return of every memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What was seen of memories.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Written>", into = "Vec<Written>")]
pub(crate) struct Means(BTreeMap<Vec<u32>, Visits>);

/// Visits that weigh less the longer they are past.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Visits {
    weight: f64,
    sum: f64,
}

/// A memory, its weight and its sum: as bits, so that what is read is what was written.
type Written = (Vec<u32>, u64, u64);

impl From<Vec<Written>> for Means {
    fn from(written: Vec<Written>) -> Self {
        let visits = |(memory, weight, sum)| {
            (memory, Visits { weight: f64::from_bits(weight), sum: f64::from_bits(sum) })
        };
        Self(written.into_iter().map(visits).collect())
    }
}

impl From<Means> for Vec<Written> {
    fn from(means: Means) -> Self {
        let written = |(memory, visits): (Vec<u32>, Visits)| {
            (memory, visits.weight.to_bits(), visits.sum.to_bits())
        };
        means.0.into_iter().map(written).collect()
    }
}

impl Means {
    /// Visits that weigh less than this are forgotten.
    const FORGOTTEN: f64 = 1e-9;

    pub(super) fn value(&self, memory: &[u32], ridge: f64) -> f64 {
        self.0.get(memory).map_or(0.0, |visits| visits.sum / (visits.weight + ridge))
    }

    pub(super) fn learn(&mut self, memories: &[Vec<u32>], returns: &[f64], keep: f64) {
        for visits in self.0.values_mut() {
            visits.weight *= keep;
            visits.sum *= keep;
        }
        self.0.retain(|_, visits| visits.weight >= Self::FORGOTTEN);
        for (memory, value) in memories.iter().zip(returns) {
            let visits = match self.0.get_mut(memory) {
                Some(visits) => visits,
                None => self.0.entry(memory.clone()).or_default(),
            };
            visits.weight += 1.0;
            visits.sum += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_lose_weight_and_a_ridge_draws_to_zero() {
        let mut means = Means::default();
        means.learn(&[vec![1], vec![1], vec![2]], &[4.0, 8.0, -2.0], 0.5);
        // 12 / (2 + 1) and −2 / (1 + 1).
        let is = |means: &Means, memory, ridge, expected: f64| {
            let value = means.value(&[memory], ridge);
            assert!((value - expected).abs() < 1e-12, "{memory}: {value}");
        };
        for (memory, expected) in [(1, 4.0), (2, -1.0), (3, 0.0)] {
            is(&means, memory, 1.0, expected);
        }
        means.learn(&[vec![1]], &[10.0], 0.5);
        // (6 + 10) / (1 + 1 + 1) is 16/3; with no ridge, 8 and −2.
        for (memory, ridge, expected) in [(1, 1.0, 16.0 / 3.0), (1, 0.0, 8.0), (2, 0.0, -2.0)] {
            is(&means, memory, ridge, expected);
        }
        let written = serde_json::to_string(&means).unwrap();
        assert_eq!(serde_json::from_str::<Means>(&written).unwrap(), means);
        for _ in 0..40 {
            means.learn(&[], &[], 0.5);
        }
        assert_eq!(means, Means::default());
    }
}
