//! How much memory a run takes, before it runs.

use crate::config::{Config, LoraConfig, ModelConfig};
use crate::model::layout;
use crate::policy::score::LOGITS;

/// Bytes of a number in single precision.
const NUMBER: usize = 4;
/// Tokens of a prompt of words that are assumed: those of the default environment stay below.
const WORDS: usize = 100;
/// Tensors of the size of the logits that are alive at once: logits, their logarithms, exponentials
/// and products, and the gradients of these.
const OF_LOGITS: usize = 6;

/// What the memory of a run depends on beside its settings.
#[derive(Clone, Debug)]
pub struct Size {
    model: ModelConfig,
    vocabulary: usize,
    /// All values of the policy's weights.
    pub weights: usize,
    /// Those that are trained: all, or those of adapters.
    pub trained: usize,
    adapted: bool,
}

/// Bytes by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Weights of the policy, with its adapters.
    pub weights: usize,
    /// Weights of the reference, where it is a copy.
    pub reference: usize,
    /// The optimiser's two moments.
    pub optimizer: usize,
    /// The gradient of a mini-batch, and that of the micro-batch which is added to it.
    pub gradients: usize,
    /// Keys, values and logits of the episodes that answer together, on one thread.
    pub generation: usize,
    /// What a forward and backward pass keeps, on one thread.
    pub backward: usize,
}

impl Size {
    /// The size of a policy of a shape, with adapters where there are settings for them.
    #[must_use]
    pub fn new(model: &ModelConfig, vocabulary: usize, lora: Option<&LoraConfig>) -> Self {
        let specs = layout::tensors_of(model, vocabulary);
        let weights: usize = specs.iter().map(layout::Spec::count).sum();
        let adapter = |lora: &LoraConfig, spec: &layout::Spec| {
            let is_target = |name: &String| spec.name.ends_with(&format!("{name}.weight"));
            let target = lora.targets.iter().any(is_target);
            if target { lora.rank * spec.shape.iter().sum::<usize>() } else { 0 }
        };
        let adapters = lora.map(|lora| specs.iter().map(|spec| adapter(lora, spec)).sum());
        Self {
            model: model.clone(),
            vocabulary,
            weights,
            trained: adapters.unwrap_or(weights),
            adapted: lora.is_some(),
        }
    }

    /// Tokens of a prompt, at most (of a policy trained from scratch, about).
    #[must_use]
    pub fn prompt_tokens(config: &Config) -> usize {
        if config.pretrained.model.is_empty() { WORDS } else { config.pretrained.max_prompt_tokens }
    }

    /// The memory of a run with these settings.
    #[must_use]
    pub fn memory(&self, config: &Config) -> Memory {
        let copies = |count: usize, of: usize| count * of * NUMBER;
        let adapters = if self.adapted { self.trained } else { 0 };
        Memory {
            weights: copies(1, self.weights + adapters),
            reference: if self.adapted { 0 } else { copies(1, self.weights) },
            optimizer: copies(2, self.trained),
            gradients: copies(2, self.trained),
            generation: self.generation(config) * NUMBER,
            backward: self.backward(config) * NUMBER,
        }
    }

    /// Bytes of the largest tensor that generation or learning makes, weights apart.
    #[must_use]
    pub fn largest_tensor(&self, config: &Config) -> usize {
        let (rows, tokens) = Self::micro_batch(config);
        let heads = self.model.num_attention_heads;
        let widest = (heads * tokens).max(self.model.intermediate_size);
        let generation = config.rollout.batch_size;
        let reading = generation * tokens * widest;
        (rows * tokens * widest).max(reading).max(generation * self.vocabulary) * NUMBER
    }

    fn generation(&self, config: &Config) -> usize {
        let (model, rows) = (&self.model, config.rollout.batch_size);
        let tokens = Self::prompt_tokens(config) + config.rollout.max_response_tokens;
        let cache = 2 * tokens * model.num_hidden_layers * model.num_key_value_heads;
        rows * (cache * model.head_dim() + 2 * self.vocabulary) + rows * tokens * self.layer(tokens)
    }

    /// Rows and tokens a row of a forward and backward pass, at most.
    fn micro_batch(config: &Config) -> (usize, usize) {
        let tokens = Self::prompt_tokens(config) + config.rollout.max_response_tokens;
        let rows = (config.learn.micro_batch_tokens / tokens).max(1);
        (rows.min(config.learn.micro_batch_size), tokens)
    }

    fn backward(&self, config: &Config) -> usize {
        let (rows, tokens) = Self::micro_batch(config);
        let (model, layers) = (&self.model, self.model.num_hidden_layers);
        let predicted = rows * config.rollout.max_response_tokens * self.vocabulary;
        let kept = if config.learn.gradient_checkpointing {
            layers * model.hidden_size + self.layer(tokens)
        } else {
            layers * self.layer(tokens)
        };
        let at_once = if config.learn.gradient_checkpointing { LOGITS } else { usize::MAX };
        rows * tokens * kept + OF_LOGITS * predicted.min(at_once)
    }

    /// What a layer keeps of a token for its gradient: about 16 widths, 4 of the feed-forward layer,
    /// and its attention to all others three times.
    fn layer(&self, tokens: usize) -> usize {
        let model = &self.model;
        16 * model.hidden_size
            + 4 * model.intermediate_size
            + 3 * model.num_attention_heads * tokens
    }
}

impl Memory {
    /// All of it, where this many threads work at once.
    #[must_use]
    pub fn total(&self, threads: usize) -> usize {
        let learning = self.gradients + threads * self.backward;
        let working = learning.max(threads * self.generation);
        self.weights + self.reference + self.optimizer + working
    }
}
