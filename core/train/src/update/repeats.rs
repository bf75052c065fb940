//! Repeated steps: the same prompt, and the same response to it.
//!
//! The trajectories of a group start alike and come back to the same places, so that a third to two
//! thirds of an iteration's steps are equal to another one. What the policy says of equal steps is
//! equal too: it is computed once, and only advantages and old log-probabilities are kept apart.

use crate::chunks::chunk_count;
use crate::distinct::distinct;
use crate::objective::clipped::{LossCount, Sample};
use crate::policy::Passage;

/// The indices of equal samples, by first occurrence.
#[must_use]
pub fn repeats(samples: &[Sample]) -> Vec<Vec<usize>> {
    let (distinct, of) = distinct(samples.iter().map(|sample| (&sample.prompt, &sample.response)));
    let mut sets = vec![Vec::new(); distinct.len()];
    for (index, set) in of.into_iter().enumerate() {
        sets[set].push(index);
    }
    sets
}

/// Samples in sets of equal prompts and responses, each of which is a passage that is scored once.
pub(crate) struct DistinctPassages<'a> {
    pub(crate) samples: &'a [Sample],
    /// The samples of each passage.
    pub(crate) sets: Vec<Vec<usize>>,
    pub(crate) passages: Vec<Passage<'a>>,
}

impl<'a> DistinctPassages<'a> {
    /// Those of samples.
    pub(crate) fn new(samples: &'a [Sample]) -> Self {
        let sets = repeats(samples);
        let passage = |set: &Vec<usize>| {
            let Sample { prompt, response, .. } = &samples[set[0]];
            Passage { prompt, response }
        };
        let passages = sets.iter().map(passage).collect();
        Self { samples, sets, passages }
    }

    /// Response tokens and responses of the samples of some passages.
    pub(crate) fn count(&self, passages: &[usize]) -> LossCount {
        let (mut tokens, mut responses) = (0, 0);
        for &passage in passages {
            responses += self.sets[passage].len();
            tokens += self.sets[passage].len() * self.passages[passage].response.len();
        }
        LossCount { tokens: tokens as f64, responses: responses as f64 }
    }
}

/// Splits sets, taken in `order`, into mini-batches of about `size` samples; a set stays whole.
#[must_use]
pub fn mini_batches(sets: &[Vec<usize>], order: &[usize], size: usize) -> Vec<Vec<usize>> {
    let total: usize = sets.iter().map(Vec::len).sum();
    let count = chunk_count(total, size);
    let mut batches = vec![Vec::new(); count];
    let mut before = 0;
    for &set in order {
        batches[before * count / total].push(set);
        before += sets[set].len();
    }
    // A set larger than a mini-batch takes the room of the next one too.
    batches.retain(|batch| !batch.is_empty());
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(prompt: u32, response: u32) -> Sample {
        Sample {
            prompt: vec![prompt],
            response: vec![response],
            old: vec![0.0],
            advantage: 0.0,
            weight: 1.0,
        }
    }

    #[test]
    fn equal_prompts_with_equal_responses_are_one_set() {
        let samples = [(1, 1), (1, 2), (1, 1), (2, 1), (1, 2)].map(|(p, r)| sample(p, r));
        assert_eq!(repeats(&samples), [vec![0, 2], vec![1, 4], vec![3]]);
        assert!(repeats(&[]).is_empty());
    }

    #[test]
    fn mini_batches_keep_sets_whole_and_none_is_empty() {
        let sets = [vec![0, 1], vec![2], vec![3], vec![4, 5]];
        assert_eq!(mini_batches(&sets, &[3, 1, 2, 0], 3), [vec![3, 1], vec![2, 0]]);
        assert_eq!(mini_batches(&sets, &[0, 1, 2, 3], 100), [vec![0, 1, 2, 3]]);
        let one = [vec![0, 1, 2, 3, 4, 5, 6], vec![7]];
        assert_eq!(mini_batches(&one, &[0, 1], 2), [vec![0], vec![1]]);
        assert!(mini_batches(&[], &[], 4).is_empty());
    }
}
