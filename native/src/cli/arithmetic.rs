//! What a run will cost, before it runs.

use std::fmt::Write as _;

use super::devices::bytes;
use crate::config::Config;

/// Tokens of a prompt that the estimates assume: the default environment stays below.
const PROMPT_TOKENS: usize = 100;

/// Bytes of a number in single precision.
const NUMBER: usize = 4;

/// Rows, tokens, updates and memory of an iteration, as TOML comments.
pub(super) fn explain(config: &Config, parameters: usize) -> String {
    let (rollout, learn) = (&config.rollout, &config.learn);
    let episodes = rollout.tasks * rollout.group_size;
    let rows = episodes * config.environment.max_steps;
    let row_tokens = PROMPT_TOKENS + rollout.max_response_tokens;
    let updates = rows.div_ceil(learn.mini_batch_size.max(1)) * learn.epochs;
    let evaluations = 2 * 2 * config.evaluation.seeds.len() * config.evaluation.tasks;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# {name:<28}{value}");
    };
    line(
        "episodes an iteration",
        format!("{} x {} = {episodes}", rollout.tasks, rollout.group_size),
    );
    line(
        "rows (steps) an iteration",
        format!("at most {episodes} x {} = {rows}", config.environment.max_steps),
    );
    line(
        "tokens an iteration",
        format!(
            "at most {rows} x ({PROMPT_TOKENS} prompt + {} response) = {}",
            rollout.max_response_tokens,
            rows * row_tokens
        ),
    );
    line(
        "optimiser updates",
        format!("at most {updates} an iteration, {} iterations", learn.iterations),
    );
    line("evaluation episodes", format!("{evaluations} before and after"));
    line("parameters", parameters.to_string());
    let (fixed, working) = (fixed_memory(parameters), working_memory(config, row_tokens));
    line(
        "memory, estimated",
        format!(
            "{} weights and optimiser + {} activations and cache a thread",
            bytes(fixed as u64),
            bytes(working as u64)
        ),
    );
    text
}

/// Policy, reference, gradient and the two moments of the optimiser.
fn fixed_memory(parameters: usize) -> usize {
    5 * parameters * NUMBER
}

/// The larger of generation (keys and values of the episodes that run together) and one backward
/// pass (about 16 widths, 4 gates and the attention scores a token and layer), on one thread.
fn working_memory(config: &Config, tokens: usize) -> usize {
    let model = &config.model;
    let cache = 2
        * config.rollout.batch_size
        * tokens
        * model.num_hidden_layers
        * model.num_key_value_heads
        * model.head_dim();
    let token = 16 * model.hidden_size
        + 4 * model.intermediate_size
        + 3 * model.num_attention_heads * tokens;
    let backward = config.learn.micro_batch_size * tokens * model.num_hidden_layers * token;
    cache.max(backward) * NUMBER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_run_in_numbers() {
        let mut config = Config::default();
        config.rollout.tasks = 8;
        config.rollout.group_size = 8;
        config.environment.max_steps = 20;
        config.learn.mini_batch_size = 256;
        config.learn.epochs = 1;
        let text = explain(&config, 1000);
        assert!(text.contains("8 x 8 = 64\n"), "{text}");
        assert!(text.contains("at most 64 x 20 = 1280\n"), "{text}");
        assert!(text.contains("at most 5 an iteration"), "{text}"); // 1280 / 256
        assert!(text.lines().all(|line| line.starts_with("# ")), "{text}");
        assert_eq!(fixed_memory(1000), 20_000);
    }
}
