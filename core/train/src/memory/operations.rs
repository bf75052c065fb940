//! Floating-point operations and kernels of an iteration, before it runs.

use super::policy_size::{PolicySize, of_all};
use super::rollout_memory::{episodes, steps};
use crate::config::{Config, ModelConfig};

impl PolicySize {
    /// Floating-point operations of an iteration in which every episode takes all its steps, and prompts and
    /// responses have all their tokens; `None` of a table. Prompts that begin alike are counted whole.
    ///
    /// # Formula
    /// A token costs 2 operations a weight of the layers and 4 a number of the tokens before it that it
    /// looks at, half of them on average; a response token also 2 a weight of the head. It is computed once
    /// when it is drawn, once by the reference if the loss holds it, and in each epoch forwards and
    /// backwards: twice in all with adapters (whose own products are left out), three times if all
    /// weights are trained, and once more if layers are computed again for their gradient.
    #[must_use]
    pub fn operations(&self, config: &Config) -> Option<f64> {
        self.operations_in_turn(config, 1)
    }

    /// Those of them that come one after the other if so many threads share the work: batches of episodes play side
    /// by side, then micro-batches are learned from side by side.
    #[must_use]
    pub fn operations_in_turn(&self, config: &Config, threads: usize) -> Option<f64> {
        let (model, vocabulary) = self.shape.as_ref()?;
        let rows = steps(config) as f64;
        let tokens = self.row_tokens(config);
        let response = config.rollout.max_response_tokens as f64;
        let head = 2.0 * *vocabulary as f64 * model.hidden_size as f64;
        let pass = rows * (tokens as f64 * token(model, tokens as f64) + response * head);
        let (playing, learning) = self.jobs(config, tokens);
        let [playing, learning] = [playing, learning].map(|it| it.min(threads as u64) as f64);
        Some(pass * (1.0 / playing + (self.passes(config) - 1) as f64 / learning))
    }

    /// How often a token is computed, if a way back counts as two.
    fn passes(&self, config: &Config) -> usize {
        let learn = &config.learn;
        let trained = if self.adapted { 2 } else { 3 };
        let learned = learn.epochs * (trained + usize::from(learn.gradient_checkpointing));
        1 + usize::from(learn.objective.compares_with_reference()) + learned
    }

    /// Kernels that a graphics adapter starts in an iteration in which every episode takes all its steps, and
    /// every response has all its tokens; `None` of a table.
    ///
    /// # Formula
    /// A layer: 26 for the prompts of a step of a batch of episodes, 9 for every token of their responses after the first,
    /// and 33 for every time that [`PolicySize::operations`] counts a micro-batch. Embedding, head and optimiser are
    /// among them.
    #[must_use]
    pub fn kernels(&self, config: &Config) -> Option<f64> {
        let (model, _) = self.shape.as_ref()?;
        let size = self.clone().on_adapter(true);
        let batches = episodes(config).div_ceil(config.batch_size(true) as u128);
        let later = config.rollout.max_response_tokens.saturating_sub(1) as f64;
        let played = (batches * config.environment.max_steps as u128) as f64;
        let micro_batch = size.micro_batch(config, self.row_tokens(config));
        let micro_batches = steps(config).div_ceil(micro_batch);
        let learned = micro_batches as f64 * (self.passes(config) - 1) as f64;
        let layers = model.num_hidden_layers as f64;
        Some(layers * (played * (PROMPTS + TOKEN * later) + PASS * learned))
    }
}

/// Kernels of a layer that reads prompts, as counted on software Vulkan (native/tests/wgpu.rs).
const PROMPTS: f64 = 26.0;
/// ... one more token a row.
const TOKEN: f64 = 9.0;
/// ... or a micro-batch once, forwards or half of the way back.
const PASS: f64 = 33.0;

/// Operations of a token in the layers.
fn token(model: &ModelConfig, tokens: f64) -> f64 {
    let weights = of_all(model, 0, &|spec| match spec.shape.as_slice() {
        [output, input] => *output as u128 * *input as u128,
        _ => 0,
    });
    let heads = (model.num_attention_heads * model.head_dim()) as f64;
    2.0 * weights as f64 + 4.0 * model.num_hidden_layers as f64 * heads * tokens / 2.0
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, LoraConfig, ModelConfig};
    use crate::memory::PolicySize;

    #[test]
    fn an_iteration_in_numbers() {
        let model = ModelConfig {
            hidden_size: 4,
            intermediate_size: 8,
            num_hidden_layers: 3,
            num_attention_heads: 2,
            num_key_value_heads: 1,
            ..ModelConfig::default()
        };
        let mut config = Config::default();
        config.pretrained.model = "a model".into();
        config.pretrained.max_prompt_tokens = 8;
        config.rollout.max_response_tokens = 2;
        config.rollout.tasks = 5;
        config.rollout.group_size = 2;
        config.environment.max_steps = 3;
        config.learn.epochs = 1;
        config.learn.objective.kl_coefficient = 0.0;
        config.learn.gradient_checkpointing = false;
        // A layer: queries and output 4 x 4 each, keys and values 4 x 2 each, three of 4 x 8: 144 weights.
        // 10 tokens x 3 layers x (2 x 144 + 4 x 4 x 10 / 2), and 2 x (2 x 4 x 20) of the head.
        let pass = 30.0 * (10.0 * 3.0 * (288.0 + 80.0) + 2.0 * 160.0);
        let whole = PolicySize::new(&model, 20, None);
        assert_eq!(whole.operations(&config), Some(4.0 * pass));
        let lora = LoraConfig::default();
        let adapted = PolicySize::new(&model, 20, Some(&lora));
        assert_eq!(adapted.operations(&config), Some(3.0 * pass));
        config.learn.objective.kl_coefficient = 0.01;
        config.learn.gradient_checkpointing = true;
        config.learn.epochs = 2;
        assert_eq!(adapted.operations(&config), Some((1.0 + 1.0 + 2.0 * 3.0) * pass));
        assert_eq!(PolicySize::table().operations(&config), None);
    }

    #[test]
    fn the_default_iteration_in_numbers() {
        let config = Config::default();
        let size = PolicySize::new(&config.model, 100, None);
        let share = |threads| {
            let of = |threads| size.operations_in_turn(&config, threads).unwrap();
            of(threads) / of(1)
        };
        // A fifth is played in 4 batches, the rest learned in the 32 micro-batches of a mini-batch.
        assert!((share(2) - 0.5).abs() < 1e-12);
        assert!((share(1000) - (0.2 / 4.0 + 0.8 / 32.0)).abs() < 1e-12);
        // Two layers; 128 episodes at once, 16 steps of 8 tokens each; 2048 steps in micro-batches of 16,384 / 108, for the
        // reference, forwards and twice backwards.
        let played = 16.0 * (26.0 + 7.0 * 9.0);
        assert_eq!(size.kernels(&config), Some(2.0 * (played + 33.0 * 14.0 * 4.0)));
        assert_eq!(PolicySize::table().kernels(&config), None);
    }
}
