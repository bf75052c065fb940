//! Embedding similarity: states compared by the vectors that the rollouts give for them.

use super::StateMetric;
use crate::batch::Batch;
use crate::error::{Error, Problem};
use crate::rollout::Step;

/// Cosine similarity of embeddings: ⟨a, b⟩ / (|a| · |b|). The vectors have length 1.
pub(super) struct EmbeddingMetric(pub(super) Vec<Vec<f64>>);

/// The vector, which is not all zeros, scaled to length 1 without overflow.
pub(super) fn unit(vector: &[f64]) -> Vec<f64> {
    let largest = vector.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let scaled: Vec<f64> = vector.iter().map(|value| value / largest).collect();
    let length = scaled.iter().map(|value| value * value).sum::<f64>().sqrt();
    scaled.into_iter().map(|value| value / length).collect()
}

impl StateMetric for EmbeddingMetric {
    fn similarity(&self, left: usize, right: usize) -> f64 {
        self.0[left].iter().zip(&self.0[right]).map(|(a, b)| a * b).sum()
    }
}

/// Checks that every step has an embedding of the same length, which is not all zeros: those have no
/// direction, and would not even be similar to themselves.
pub(super) fn check(batch: &Batch) -> Result<(), Error> {
    let first = batch.step(0).embedding.as_ref().map_or(0, Vec::len);
    batch.check_steps(|step| check_step(step, first).err())
}

fn check_step(step: &Step, length: usize) -> Result<(), Problem> {
    let Some(embedding) = &step.embedding else {
        let remedy = "grouping by embeddings needs one for every step; or use `similarity = edit`";
        return Err(Problem::missing("embedding", remedy));
    };
    let (expected, found) = if embedding.is_empty() || embedding.len() != length {
        let found = format!("one of {}", embedding.len());
        ("a list of numbers as long as the first step's", found)
    } else if embedding.iter().all(|&number| number == 0.0) {
        ("a list of numbers that are not all 0", "zeros".to_owned())
    } else {
        return Ok(());
    };
    Err(Problem::wrong_type("embedding", expected, found))
}
