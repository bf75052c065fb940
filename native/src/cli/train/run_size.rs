//! Run size: rows, tokens, updates and memory of an iteration, before it runs.

use std::fmt::Write as _;

use hgpo_train::config::Config;
use hgpo_train::memory::{MemoryEstimate, PolicySize};
use hgpo_train::models::ModelError;

use crate::run::machine::memory_check::render_bytes;
use crate::terminal::{escape_control_characters, one_line};

/// The program itself: its file and threads, as far as they are in memory while it trains (Linux, x86-64).
const PROGRAM: u64 = 25 << 20;

/// Rows, tokens, updates and memory of an iteration, as TOML comments. Of a policy whose size is not known,
/// what can be said without it, and why it is not known.
pub(crate) fn describe(config: &Config, size: &Result<PolicySize, ModelError>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# {name:<28}{value}");
    };
    describe_work(config, size.as_ref().unwrap_or(&PolicySize::table()), &mut line);
    match size {
        Ok(size) => {
            line("parameters", format!("{}, {} trained", size.weights, size.trained));
            describe_memory(&size.memory(config), &mut line);
        }
        Err(unknown) => {
            let why = one_line(&unknown.to_string());
            line(
                "parameters and memory",
                format!("unknown without config.json: {}", escape_control_characters(&why)),
            );
            describe_episodes(&PolicySize::table().memory(config), &mut line);
        }
    }
    text
}

/// What an iteration does.
fn describe_work(config: &Config, size: &PolicySize, line: &mut impl FnMut(&str, String)) {
    let (rollout, learn, evaluation) = (&config.rollout, &config.learn, &config.evaluation);
    let (tasks, group, response) = (rollout.tasks, rollout.group_size, rollout.max_response_tokens);
    let (steps, iterations) = (config.environment.max_steps, learn.iterations);
    // No product of numbers within their ranges exceeds 128 bits.
    let episodes = tasks as u128 * group as u128;
    let rows = episodes * steps as u128;
    let prompt = size.prompt_tokens(config);
    let tokens = rows * (prompt as u128 + response as u128);
    let updates = rows.div_ceil(learn.mini_batch_size.max(1) as u128) * learn.epochs as u128;
    let evaluated = 2 * evaluation.seeds.len() as u128 * evaluation.tasks as u128;
    // Before, after, and in between.
    let times = iterations.saturating_sub(1).checked_div(evaluation.every).unwrap_or(0) + 2;
    line("episodes per iteration", format!("{tasks} x {group} = {episodes}"));
    line("steps per iteration", format!("at most {episodes} x {steps} = {rows}"));
    line(
        "tokens per iteration",
        format!("at most {rows} x ({prompt} prompt + {response} response) = {tokens}"),
    );
    line("optimiser updates", format!("at most {updates} per iteration, {iterations} iterations"));
    if learn.environment_steps > 0 {
        line(
            "environment steps",
            format!("training ends with the iteration that reaches {}", learn.environment_steps),
        );
    }
    line("evaluation episodes", format!("{evaluated}, {times} times"));
}

/// What a run holds in memory, by what it is for.
fn describe_memory(memory: &MemoryEstimate, line: &mut impl FnMut(&str, String)) {
    let shown = render_bytes;
    // Adapters need none: without them, the weights are those of the reference.
    let reference = match memory.reference {
        0 => String::new(),
        bytes => format!(" + reference {}", shown(bytes)),
    };
    line("memory of weights", format!("{}{reference}", shown(memory.weights)));
    line(
        "memory of optimiser",
        format!("{} + gradients {}", shown(memory.optimizer), shown(memory.gradients)),
    );
    line(
        "working memory per thread",
        format!("generation {}, learning {}", shown(memory.generation), shown(memory.backward)),
    );
    describe_episodes(memory, line);
    let with_program = |memory: &MemoryEstimate| shown(memory.total(1).saturating_add(PROGRAM));
    let (least, most) = (with_program(memory), with_program(&memory.longest()));
    line("memory, estimated", format!("{least} to {most} with one thread"));
}

fn describe_episodes(memory: &MemoryEstimate, line: &mut impl FnMut(&str, String)) {
    let (least, most) = (render_bytes(memory.rollouts), render_bytes(memory.longest_rollouts));
    line("memory of episodes", format!("{least} if they take one step, at most {most}"));
    line("memory of the program", render_bytes(PROGRAM));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_run_has_the_computed_size() {
        let mut config = Config::default();
        config.rollout.tasks = 8;
        config.rollout.group_size = 8;
        config.environment.max_steps = 20;
        config.learn.mini_batch_size = 256;
        config.learn.epochs = 1;
        let size = Ok(PolicySize::new(&config.model, 100, None));
        let text = describe(&config, &size);
        assert!(text.contains("8 x 8 = 64\n"), "{text}");
        assert!(text.contains("at most 64 x 20 = 1280\n"), "{text}");
        assert!(text.contains("at most 5 per iteration"), "{text}"); // 1280 / 256
        assert!(text.contains("768, 2 times\n"), "{text}"); // 2 splits x 3 seeds x 128
        config.evaluation.every = 200; // of 500: also after 200 and 400
        assert!(describe(&config, &size).contains("768, 4 times\n"));
        assert!(text.lines().all(|line| line.starts_with("# ")), "{text}");
    }

    #[test]
    fn adapters_take_no_memory_for_a_reference() {
        let config = Config::default();
        let whole = describe(&config, &Ok(PolicySize::new(&config.model, 100, None)));
        assert!(whole.contains(" + reference "), "{whole}");
        let lora = Some(&config.pretrained.lora);
        let adapted = describe(&config, &Ok(PolicySize::new(&config.model, 100, lora)));
        assert!(!adapted.contains("reference"), "{adapted}");
    }

    #[test]
    fn unknown_sizes_are_said_in_one_line_beside_the_known_ones() {
        let config = Config::default();
        let known = describe(&config, &Ok(PolicySize::new(&config.model, 100, None)));
        let problem = "no answer\nanywhere\u{1b}[2J".to_owned();
        let unknown = ModelError::Unreachable { model: "a/b".to_owned(), problem };
        let text = describe(&config, &Err(unknown));
        let (same, new): (Vec<_>, Vec<_>) = text.lines().partition(|it| known.contains(it));
        assert_eq!(same.len(), 7, "{text}"); // five of work, episodes, and the program
        let why = r"unknown without config.json: model a/b: no answer anywhere\u{1b}[2J";
        assert_eq!(new, [format!("# {:<28}{why}", "parameters and memory")]);
    }
}
