//! How much memory a run takes, before it runs.

use super::update::TAKEN_BACK;
use crate::config::{Config, LoraConfig, ModelConfig, Precision};
use crate::model::layout;
use crate::policy::decoder::attention::BLOCK;
use crate::policy::decoder::prompts::READ_TOKENS;
use crate::policy::decoder::score::LOGITS;

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
    /// Weights of the policy, with its adapters; where all are trained in another precision than single,
    /// also the copy that generates.
    pub weights: usize,
    /// Weights of the reference, where it is a copy.
    pub reference: usize,
    /// The optimiser's two moments, and where an update can be taken back, what they and the weights were
    /// before it.
    pub optimizer: usize,
    /// The gradient of a mini-batch.
    pub gradients: usize,
    /// Keys, values and logits of the episodes that answer together, on one thread.
    pub generation: usize,
    /// What a forward and backward pass keeps, and its gradient, on one thread.
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
        let held = self.weights * config.pretrained.precision.bytes();
        let single = config.pretrained.precision == Precision::F32;
        let weights = match (self.adapted, single) {
            (true, _) => held + copies(1, self.trained),
            (false, true) => held,
            (false, false) => copies(1, self.weights) + held,
        };
        Memory {
            weights,
            reference: if self.adapted { 0 } else { held },
            optimizer: copies(2, self.trained) + copies(3, self.kept()),
            gradients: copies(1, self.trained),
            generation: self.generation(config) * NUMBER,
            backward: (self.backward(config) + self.trained) * NUMBER,
        }
    }

    /// Trained values whose state before an update is kept until it is done.
    fn kept(&self) -> usize {
        if self.trained <= TAKEN_BACK { self.trained } else { 0 }
    }

    /// Bytes of the largest tensor that generation or learning makes, weights apart.
    #[must_use]
    pub fn largest_tensor(&self, config: &Config) -> usize {
        let (rows, tokens) = Self::micro_batch(config);
        let heads = self.model.num_attention_heads;
        // Scores of a block, the feed-forward layer, or what every token may see.
        let widest = (heads * tokens.min(BLOCK)).max(self.model.intermediate_size).max(tokens);
        let generation = config.rollout.batch_size;
        let read = (generation * tokens).min(READ_TOKENS.max(tokens));
        ((rows * tokens).max(read) * widest).max(generation * self.vocabulary) * NUMBER
    }

    /// Keys and values, twice the logits, and what a layer makes of the prompts that are read at once:
    /// about 4 widths, 3 of the feed-forward layer, and the attention of a block twice.
    fn generation(&self, config: &Config) -> usize {
        let (model, rows) = (&self.model, config.rollout.batch_size);
        let tokens = Self::prompt_tokens(config) + config.rollout.max_response_tokens;
        let cache = 2 * tokens * model.num_hidden_layers * model.num_key_value_heads;
        let layer = 4 * model.hidden_size
            + 3 * model.intermediate_size
            + 2 * model.num_attention_heads * tokens.min(BLOCK);
        let reading = (rows * tokens).min(READ_TOKENS.max(tokens)) * layer;
        rows * (cache * model.head_dim() + 2 * self.vocabulary) + reading
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
    /// and its attention to those before it, up to the end of its block, three times.
    fn layer(&self, tokens: usize) -> usize {
        let model = &self.model;
        let seen = usize::midpoint(tokens, BLOCK).min(tokens);
        16 * model.hidden_size + 4 * model.intermediate_size + 3 * model.num_attention_heads * seen
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of Qwen2.5, whose heads are 64 or 128 wide.
    fn qwen(hidden: usize, inner: usize, layers: usize, heads: usize) -> ModelConfig {
        ModelConfig {
            hidden_size: hidden,
            intermediate_size: inner,
            num_hidden_layers: layers,
            num_attention_heads: heads,
            num_key_value_heads: 2,
            ..ModelConfig::default()
        }
    }

    fn config() -> Config {
        let mut config = Config::default();
        config.pretrained.model = "a model".into();
        config.rollout.max_response_tokens = 64;
        config.learn.gradient_checkpointing = true;
        config.learn.micro_batch_tokens = 4096;
        config
    }

    #[test]
    fn weights_are_counted_as_the_model_cards_count_them() {
        // 0.49 and 1.54 billion, embeddings included.
        let half = Size::new(&qwen(896, 4864, 24, 14), 151_936, None);
        assert_eq!(half.weights, 494_032_768);
        assert_eq!(half.trained, half.weights);
        let lora = LoraConfig { targets: vec!["q_proj".into()], ..LoraConfig::default() };
        let large = Size::new(&qwen(1536, 8960, 28, 12), 151_936, Some(&lora));
        assert_eq!(large.weights, 1_543_714_304);
        assert_eq!(large.trained, 28 * 16 * (1536 + 1536));
    }

    #[test]
    fn half_a_billion_weights_and_adapters_of_three_times_as_many_fit_in_24_gigabytes() {
        let half = Size::new(&qwen(896, 4864, 24, 14), 151_936, None);
        let memory = half.memory(&config());
        assert_eq!(memory.weights, 4 * 494_032_768);
        assert_eq!(memory.optimizer, 8 * 494_032_768);
        assert!(memory.total(1) < 24_000_000_000, "{memory:?}");
        let lora = LoraConfig::default();
        let large = Size::new(&qwen(1536, 8960, 28, 12), 151_936, Some(&lora));
        let memory = large.memory(&config());
        assert_eq!(memory.reference, 0);
        assert!(memory.total(1) < 24_000_000_000, "{memory:?}");
        let mut half = config();
        half.pretrained.precision = Precision::BF16;
        assert_eq!(2 * large.memory(&half).weights - 4 * large.trained, memory.weights);
        // Without checkpoints of the gradient, it would not.
        let mut config = config();
        config.learn.gradient_checkpointing = false;
        assert!(large.memory(&config).total(1) > 24_000_000_000);
    }
}
