//! Memory estimate of a run, before it runs.

use super::rollout_memory;

/// Bytes by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEstimate {
    /// Weights of the policy, with its adapters; if all are trained in another precision than single,
    /// also the copy that generates.
    pub weights: u64,
    /// Weights of the reference, if it is a copy.
    pub reference: u64,
    /// The optimiser's two moments, and if an update can be taken back, what they and the weights were
    /// before it.
    pub optimizer: u64,
    /// The gradient of a mini-batch.
    pub gradients: u64,
    /// Keys, values and logits of the episodes that answer together, on one thread.
    pub generation: u64,
    /// Threads that generate at once, at most.
    pub generating: u64,
    /// What a forward and backward pass keeps, and its gradient, on one thread.
    pub backward: u64,
    /// Threads that learn at once, at most.
    pub learning: u64,
    /// What is played and kept until it has been learned from or counted, if every episode has one
    /// step: the episodes of an iteration, of an evaluation or of the warm start, whichever take most.
    pub rollouts: u64,
    /// The same if every episode has as many steps as it may have.
    pub longest_rollouts: u64,
}

impl MemoryEstimate {
    /// How many of the parts are tensors, which come first.
    pub const OF_TENSORS: usize = 5;

    /// All of it that is certain, if this many threads work at once.
    #[must_use]
    pub fn total(&self, threads: usize) -> u64 {
        self.parts(threads).into_iter().fold(0, |all, part| all.saturating_add(part.bytes))
    }

    /// The same if every episode has as many steps as it may have.
    #[must_use]
    pub fn longest(self) -> Self {
        Self { rollouts: self.longest_rollouts, ..self }
    }

    /// The parts that are there at once, with the settings that they grow with.
    #[must_use]
    pub fn parts(&self, threads: usize) -> [MemoryPart; 6] {
        let threads = threads as u64;
        let generation = threads.min(self.generating).saturating_mul(self.generation);
        // Each thread has a gradient of its own, which is added to that of the mini-batch.
        let learning = threads.min(self.learning);
        let gradients = self.gradients.saturating_mul(learning.saturating_add(1));
        let kept = learning.saturating_mul(self.backward.saturating_sub(self.gradients));
        let (gradients, work, settings) = if gradients.saturating_add(kept) >= generation {
            let settings =
                "learn.micro_batch_size, learn.micro_batch_tokens or rollout.max_response_tokens";
            (gradients, kept, settings)
        } else {
            (0, generation, "rollout.batch_size or rollout.max_response_tokens")
        };
        let model = "the size of the model";
        let part = |what, bytes, settings| MemoryPart { what, bytes, settings };
        [
            part("weights", self.weights, model),
            part("the reference", self.reference, model),
            part("the optimiser", self.optimizer, model),
            part("gradients", gradients, model),
            part("work", work, settings),
            part("episodes", self.rollouts, rollout_memory::SETTINGS),
        ]
    }
}

/// A part of a run's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPart {
    /// What it holds.
    pub what: &'static str,
    /// How much that is.
    pub bytes: u64,
    /// What to make smaller for less of it.
    pub settings: &'static str,
}
