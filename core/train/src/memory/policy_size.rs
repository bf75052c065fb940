//! Size of a policy, and the memory that a run with it takes.
//!
//! Sizes are multiplied in 128 bits, which no product of settings within their ranges exceeds.

use super::estimate::MemoryEstimate;
use super::rollout_memory::{episodes, episodes_bytes, rollouts, saturating_bytes, steps};
use crate::config::{Config, LoraConfig, ModelConfig, PolicyKind, Precision};
use crate::models::tensor_layout;
use crate::policy::requests::LONG;
use crate::policy::transformer::attention::BLOCK;
use crate::policy::transformer::generation::prefill::READ_TOKENS;
use crate::policy::transformer::scoring::LOGITS;
use crate::update::MAX_REVERTIBLE_PARAMETERS;

/// Bytes of a number in single precision.
const NUMBER: u128 = 4;
/// Tokens of a prompt of words that are assumed if none has been looked at.
const WORDS: usize = 100;
/// Tensors of the size of the logits that are alive at once: logits, their logarithms, exponentials
/// and products, and the gradients of these.
const OF_LOGITS: u128 = 6;

/// Widths that the last layer keeps of a token that predicts nothing: what it is given, normed and not, keys
/// and values, turned and not. The few tokens that predict something are left out.
const LAST_LAYER: u128 = 6;

/// What the memory of a run depends on beside its settings.
#[derive(Clone, Debug)]
pub struct PolicySize {
    /// Shape and tokens of a transformer; of a table, none.
    pub(super) shape: Option<(ModelConfig, u128)>,
    /// All values of the policy's weights.
    pub weights: u64,
    /// Those that are trained: all, or those of adapters.
    pub trained: u64,
    /// Whether adapters are trained, and not all weights.
    pub(super) adapted: bool,
    /// Tokens of a prompt, if they are words and some have been looked at.
    words: usize,
    /// Whether it is on a graphics adapter, where batches are larger.
    on_adapter: bool,
}

impl PolicySize {
    /// The size of a policy of a shape, with adapters if there are settings for them.
    #[must_use]
    pub fn new(model: &ModelConfig, vocabulary: usize, lora: Option<&LoraConfig>) -> Self {
        let adapter = |lora: &LoraConfig, spec: &tensor_layout::TensorSpec| {
            let is_target = |name: &String| spec.name.ends_with(&format!("{name}.weight"));
            let target = lora.targets.iter().any(is_target);
            let sides: u128 = spec.shape.iter().map(|&side| side as u128).sum();
            if target { lora.rank as u128 * sides } else { 0 }
        };
        let weights = of_all(model, vocabulary, &|spec| {
            spec.shape.iter().map(|&side| side as u128).product()
        });
        let adapters = lora.map(|lora| of_all(model, vocabulary, &|spec| adapter(lora, spec)));
        Self {
            shape: Some((model.clone(), vocabulary as u128)),
            weights: saturating_bytes(weights),
            trained: saturating_bytes(adapters.unwrap_or(weights)),
            adapted: lora.is_some(),
            words: WORDS,
            on_adapter: false,
        }
    }

    /// The size of a table, which is empty at first and grows with what it meets.
    #[must_use]
    pub fn table() -> Self {
        Self {
            shape: None,
            weights: 0,
            trained: 0,
            adapted: false,
            words: WORDS,
            on_adapter: false,
        }
    }

    /// The size of so many policies of this kind, of which those with adapters share their weights.
    #[must_use]
    pub fn of_team(self, policies: usize) -> Self {
        let times = |count: u64, policies: usize| count.saturating_mul(policies as u64);
        let weights = times(self.weights, if self.adapted { 1 } else { policies });
        Self { weights, trained: times(self.trained, policies), ..self }
    }

    /// The same if prompts of words have this many tokens, as [`super::longest_prompt`] finds.
    #[must_use]
    pub fn with_prompt_tokens(self, tokens: usize) -> Self {
        Self { words: tokens, ..self }
    }

    /// The same on a graphics adapter, if it is on one.
    #[must_use]
    pub fn on_adapter(self, on_adapter: bool) -> Self {
        Self { on_adapter, ..self }
    }

    /// Bytes of this many episodes of one step that are held with all that was read and written.
    #[must_use]
    pub fn played(&self, config: &Config, episodes: usize) -> u64 {
        let prompt = self.prompt_tokens(config) as u128;
        episodes_bytes(config, prompt, episodes as u128, 1)
    }

    /// Tokens of a prompt, at most (of a policy that is not a language model, about).
    #[must_use]
    pub fn prompt_tokens(&self, config: &Config) -> usize {
        let words = config.pretrained.model.is_empty() || config.policy.kind == PolicyKind::Table;
        if words { self.words } else { config.pretrained.max_prompt_tokens }
    }

    /// Tokens of a prompt and a response, at most.
    pub(super) fn row_tokens(&self, config: &Config) -> u128 {
        self.prompt_tokens(config) as u128 + config.rollout.max_response_tokens as u128
    }

    /// The memory of a run with these settings.
    #[must_use]
    pub fn memory(&self, config: &Config) -> MemoryEstimate {
        let (weights, trained) = (u128::from(self.weights), u128::from(self.trained));
        let stored = weights * config.pretrained.precision.bytes() as u128;
        let single = config.pretrained.precision == Precision::F32;
        let held = match (self.adapted, single) {
            (true, _) => stored + trained * NUMBER,
            (false, true) => stored,
            (false, false) => weights * NUMBER + stored,
        };
        let tokens = self.row_tokens(config);
        let (generation, backward) = self.shape.as_ref().map_or((0, 0), |(model, vocabulary)| {
            let generation = generation(model, *vocabulary, tokens, self.answering_rows(config));
            (
                generation,
                backward(model, *vocabulary, tokens, self.micro_batch(config, tokens), config),
            )
        });
        // Trained values whose state before an update is kept until it is done.
        let revertible = if self.trained <= MAX_REVERTIBLE_PARAMETERS as u64 { trained } else { 0 };
        let (generating, learning) = self.jobs(config, tokens);
        let prompt = self.prompt_tokens(config) as u128;
        MemoryEstimate {
            weights: saturating_bytes(held),
            reference: if self.adapted { 0 } else { saturating_bytes(stored) },
            optimizer: saturating_bytes((2 * trained + 3 * revertible) * NUMBER),
            gradients: saturating_bytes(trained * NUMBER),
            generation: saturating_bytes(generation * NUMBER),
            generating,
            backward: saturating_bytes((backward + trained) * NUMBER),
            learning,
            rollouts: rollouts(config, prompt, 1),
            longest_rollouts: rollouts(config, prompt, config.environment.max_steps as u128),
        }
    }

    /// Bytes that it takes to answer this many prompts together, weights apart.
    #[must_use]
    pub fn answering(&self, prompts: usize, prompt_tokens: usize, answer_tokens: usize) -> u64 {
        let Some((model, vocabulary)) = &self.shape else { return 0 };
        let tokens = prompt_tokens as u128 + answer_tokens as u128;
        saturating_bytes(generation(model, *vocabulary, tokens, prompts as u128) * NUMBER)
    }

    /// Bytes of the largest tensor that generation or learning makes, weights apart.
    #[must_use]
    pub fn largest_tensor(&self, config: &Config) -> u64 {
        let Some((model, vocabulary)) = &self.shape else { return 0 };
        let tokens = self.row_tokens(config);
        let rows = self.micro_batch(config, tokens);
        let heads = model.num_attention_heads as u128;
        // Scores of a block, the feed-forward layer, or what every token may see.
        let inner = model.intermediate_size as u128;
        let widest = (heads * tokens.min(BLOCK as u128)).max(inner).max(tokens);
        let answers = self.answering_rows(config);
        let read = (answers * tokens).min(tokens.max(READ_TOKENS as u128));
        saturating_bytes(((rows * tokens).max(read) * widest).max(answers * vocabulary) * NUMBER)
    }

    /// Episodes that answer together, at most.
    fn answering_rows(&self, config: &Config) -> u128 {
        let together = episodes(config).max(config.evaluation.tasks as u128);
        together.min(config.batch_size(self.on_adapter) as u128)
    }

    /// Rows of this many tokens of a forward and backward pass, at most.
    pub(super) fn micro_batch(&self, config: &Config, tokens: u128) -> u128 {
        let learn = &config.learn;
        let rows = (learn.micro_batch_tokens as u128 / tokens).max(1);
        rows.min(learn.micro_batch_size(self.on_adapter) as u128).min(mini_batch(config))
    }

    /// Batches that can be generated at once, and micro-batches that can be learned at once.
    pub(super) fn jobs(&self, config: &Config, tokens: u128) -> (u64, u64) {
        let rollout = &config.rollout;
        let episodes = episodes(config).max(config.evaluation.tasks as u128);
        let generating = if rollout.max_response_tokens >= LONG {
            rollout.batches as u128
        } else {
            episodes.div_ceil(config.batch_size(self.on_adapter) as u128)
        };
        let learning = mini_batch(config).div_ceil(self.micro_batch(config, tokens).max(1));
        (saturating_bytes(generating.max(1)), saturating_bytes(learning.max(1)))
    }
}

/// The sum over all tensors of a model: all layers are alike.
pub(super) fn of_all(
    model: &ModelConfig,
    vocabulary: usize,
    of: &dyn Fn(&tensor_layout::TensorSpec) -> u128,
) -> u128 {
    let with = |num_hidden_layers| {
        let model = ModelConfig { num_hidden_layers, ..model.clone() };
        tensor_layout::tensors_of(&model, vocabulary).iter().map(of).sum::<u128>()
    };
    let outside = with(0);
    outside + model.num_hidden_layers as u128 * (with(1) - outside)
}

/// Keys and values, twice the logits, and what a layer makes of the prompts that are read at once:
/// about 4 widths, 3 of the feed-forward layer, and the attention of a block twice.
fn generation(model: &ModelConfig, vocabulary: u128, tokens: u128, rows: u128) -> u128 {
    let heads = model.num_hidden_layers as u128 * model.num_key_value_heads as u128;
    let layer = 4 * model.hidden_size as u128
        + 3 * model.intermediate_size as u128
        + 2 * model.num_attention_heads as u128 * tokens.min(BLOCK as u128);
    let reading = (rows * tokens).min(tokens.max(READ_TOKENS as u128)) * layer;
    rows * (2 * tokens * heads * model.head_dim() as u128 + 2 * vocabulary) + reading
}

/// Steps of the largest mini-batch.
fn mini_batch(config: &Config) -> u128 {
    let learning = steps(config).min(config.learn.mini_batch_size as u128);
    let (warm, steps) = (&config.warm_start, config.environment.max_steps as u128);
    learning.max((warm.episodes as u128 * steps).min(warm.mini_batch_size as u128))
}

/// What is kept of rows until their gradient has passed.
fn backward(
    model: &ModelConfig,
    vocabulary: u128,
    tokens: u128,
    rows: u128,
    config: &Config,
) -> u128 {
    let (width, layers) = (model.hidden_size as u128, model.num_hidden_layers as u128);
    let predicted = rows * config.rollout.max_response_tokens as u128 * vocabulary;
    let (kept, at_once) = if config.learn.gradient_checkpointing {
        (layers * width + layer(model, tokens), LOGITS as u128)
    } else {
        (layers.saturating_sub(1) * layer(model, tokens) + LAST_LAYER * width, u128::MAX)
    };
    rows * tokens * kept + OF_LOGITS * predicted.min(at_once)
}

/// What a layer keeps of a token for its gradient: about 16 widths, 4 of the feed-forward layer, and
/// its attention to those before it, up to the end of its block, three times.
fn layer(model: &ModelConfig, tokens: u128) -> u128 {
    let seen = u128::midpoint(tokens, BLOCK as u128).min(tokens);
    16 * model.hidden_size as u128
        + 4 * model.intermediate_size as u128
        + 3 * model.num_attention_heads as u128 * seen
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
        let half = PolicySize::new(&qwen(896, 4864, 24, 14), 151_936, None);
        assert_eq!(half.weights, 494_032_768);
        assert_eq!(half.trained, half.weights);
        let lora = LoraConfig { targets: vec!["q_proj".into()], ..LoraConfig::default() };
        let large = PolicySize::new(&qwen(1536, 8960, 28, 12), 151_936, Some(&lora));
        assert_eq!(large.weights, 1_543_714_304);
        assert_eq!(large.trained, 28 * 16 * (1536 + 1536));
    }

    #[test]
    fn half_a_billion_weights_and_adapters_of_three_times_as_many_fit_in_24_gigabytes() {
        let half = PolicySize::new(&qwen(896, 4864, 24, 14), 151_936, None);
        let memory = half.memory(&config());
        assert_eq!(memory.weights, 4 * 494_032_768);
        assert_eq!(memory.optimizer, 8 * 494_032_768);
        assert!(memory.total(1) < 24_000_000_000, "{memory:?}");
        let lora = LoraConfig::default();
        let large = PolicySize::new(&qwen(1536, 8960, 28, 12), 151_936, Some(&lora));
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

    #[test]
    fn numbers_at_the_ends_of_their_ranges_wrap_nowhere() {
        let most = 1 << 24;
        let mut config = config();
        config.model = ModelConfig { num_key_value_heads: most, ..qwen(most, most, 4096, most) };
        config.rollout.tasks = 1_000_000;
        config.rollout.group_size = 1_000_000;
        config.rollout.max_response_tokens = most;
        config.rollout.batch_size = 1_000_000;
        config.environment.max_steps = 1_000_000;
        config.pretrained.max_prompt_tokens = most;
        let size = PolicySize::new(&config.model, most, None);
        // Embedding and four matrices of attention, three of the layer behind it, each 2^48, in 2^12
        // layers, do fit 64 bits; what is generated with them does not.
        assert!(size.weights > 7 << 60 && size.weights < u64::MAX, "{}", size.weights);
        let memory = size.memory(&config);
        assert_eq!((memory.generation, memory.backward), (u64::MAX, u64::MAX));
        assert_eq!((memory.rollouts, memory.total(usize::MAX)), (u64::MAX, u64::MAX));
    }

    #[test]
    fn more_threads_than_jobs_take_no_more() {
        let size = PolicySize::new(&Config::default().model, 100, None);
        let memory = size.memory(&Config::default());
        // 128 episodes in batches of 32, mini-batches of 512 in micro-batches of 16.
        assert_eq!((memory.generating, memory.learning), (4, 32));
        assert!(memory.total(2) > memory.total(1));
        assert_eq!(memory.total(1000), memory.total(32));
    }
}
