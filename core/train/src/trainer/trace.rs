//! Trace of an iteration: its rollouts as JSON Lines, with the tokens of every step if the settings ask for them.

use hgpo_core::format::{Provenance, write_jsonl, write_provenance};
use hgpo_core::token_fields::{
    PROMPT_IDS, RESPONSE_IDS, RESPONSE_MASK, ROLLOUT_LOG_PROBS, TOKEN_ADVANTAGES,
};
use hgpo_core::{Error, Place, Problem, Trajectory};
use serde_json::Value;

use crate::TrainerError;
use crate::config::Config;
use crate::objective::clipped::Sample;

/// The rollouts of an iteration as JSON Lines, of which the first says how the others were made. `samples` are their steps,
/// one after the other, whose tokens are written if `trace.tokens` is set.
///
/// # Errors
/// When a setting does not make sense, or a number is none.
pub fn render_trace(
    config: &Config,
    iteration: u64,
    trajectories: &[Trajectory],
    samples: &[Sample],
) -> Result<Vec<u8>, TrainerError> {
    let made = Provenance {
        environment: Some(config.environment.name.clone()),
        seed: Some(config.seed),
        iteration: Some(iteration),
        options: Some(config.options()?),
    };
    let mut text = Vec::new();
    write_provenance(&mut text, &made)?;
    if !config.trace.tokens {
        write_jsonl(&mut text, trajectories)?;
        return Ok(text);
    }
    let mut samples = samples.iter();
    // One at a time: as JSON values, tokens take many times the memory of their text.
    for trajectory in trajectories {
        write_jsonl(&mut text, &[with_tokens(trajectory, samples.by_ref())?])?;
    }
    Ok(text)
}

/// A trajectory with the tokens of its steps, which are the next of `samples`.
fn with_tokens<'a>(
    trajectory: &Trajectory,
    samples: impl Iterator<Item = &'a Sample>,
) -> Result<Trajectory, Error> {
    let mut trajectory = trajectory.clone();
    for (at, (step, sample)) in trajectory.steps.iter_mut().zip(samples).enumerate() {
        let numbers = |field: &str, numbers: &[f64]| match numbers.iter().find(|it| !it.is_finite())
        {
            None => Ok(Value::from(numbers)),
            Some(number) => {
                let (task, name) = (trajectory.task.clone(), trajectory.trajectory.clone());
                let place =
                    Place { line: None, task: Some(task), trajectory: Some(name), step: Some(at) };
                let problem =
                    Problem::NonFinite { field: field.to_owned(), literal: number.to_string() };
                Err(Error::Rollouts { place: Box::new(place), problem })
            }
        };
        let tokens = sample.response.len();
        let fields = [
            (PROMPT_IDS, sample.prompt.as_slice().into()),
            (RESPONSE_IDS, sample.response.as_slice().into()),
            // The loss is over all tokens of a response.
            (RESPONSE_MASK, vec![1; tokens].into()),
            (ROLLOUT_LOG_PROBS, numbers(ROLLOUT_LOG_PROBS, &sample.old)?),
            (TOKEN_ADVANTAGES, numbers(TOKEN_ADVANTAGES, &vec![sample.advantage; tokens])?),
        ];
        step.extra.extend(fields.map(|(name, value)| (name.to_owned(), value)));
    }
    Ok(trajectory)
}

#[cfg(test)]
mod tests {
    use hgpo_core::token_fields::TOKEN_FIELDS;
    use hgpo_core::{Batch, estimate, format};

    use super::*;
    use crate::config::PolicyKind;
    use crate::executor::Sequential;
    use crate::trainer::{Iteration, Learner as _, Trainer, initial_policy};

    /// The second iteration of a table, so that its policy is no longer what it began as.
    fn iterated(config: &Config) -> Iteration {
        let (policy, format) = initial_policy::table(config);
        let suite = hgpo_env::suite(&config.environment, None).unwrap();
        let mut trainer = Trainer::new(config, suite, format, policy).unwrap();
        trainer.iterate(&Sequential).unwrap().unwrap();
        trainer.iterate(&Sequential).unwrap().unwrap()
    }

    fn config(tokens: bool) -> Config {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.policy.kind = PolicyKind::Table;
        config.environment.name = "gridworld".into();
        config.environment.max_steps = 40;
        config.rollout.tasks = 4;
        config.trace.tokens = tokens;
        config
    }

    fn trace(config: &Config) -> (Iteration, Vec<u8>) {
        let it = iterated(config);
        let text = render_trace(config, it.number, &it.trajectories, &it.samples).unwrap();
        (it, text)
    }

    #[test]
    fn tokens_are_those_of_the_update_and_change_nothing_else() {
        let (plain, (iteration, text)) = (trace(&config(false)), trace(&config(true)));
        assert_eq!(text, trace(&config(true)).1);
        assert_eq!(plain.0.metrics, iteration.metrics);
        let mut read = format::read(text.as_slice()).unwrap();
        let mut samples = iteration.samples.iter();
        let steps: Vec<_> = read.iter_mut().flat_map(|it| &mut it.steps).collect();
        assert!(steps.len() > 32 && steps.len() == samples.len());
        for step in steps {
            let Sample { prompt, response, old, advantage, .. } = samples.next().unwrap();
            let mut list = |name: &str| step.extra.shift_remove(name).unwrap();
            let ids = |list: Value| serde_json::from_value::<Vec<u32>>(list).unwrap();
            let bits = |list: Value| -> Vec<u64> {
                list.as_array().unwrap().iter().map(|it| it.as_f64().unwrap().to_bits()).collect()
            };
            assert!(!prompt.is_empty() && response.len() == 1 && old[0] < 0.0);
            assert_eq!(ids(list(PROMPT_IDS)), *prompt);
            assert_eq!(ids(list(RESPONSE_IDS)), *response);
            assert_eq!(ids(list(RESPONSE_MASK)), [1]);
            assert_eq!(bits(list(ROLLOUT_LOG_PROBS)), [old[0].to_bits()]);
            assert_eq!(bits(list(TOKEN_ADVANTAGES)), [advantage.to_bits()]);
        }
        let mut without = Vec::new();
        write_jsonl(&mut without, &read).unwrap();
        assert!(plain.1.ends_with(&without) && plain.1.len() > without.len());
        let plain_text = String::from_utf8(plain.1).unwrap();
        assert!(TOKEN_FIELDS.iter().all(|name| !plain_text.contains(name)));
    }

    #[test]
    fn token_advantages_are_the_estimators_unless_they_are_normalized() {
        for normalize in [false, true] {
            let mut config = config(true);
            config.learn.normalize_advantages = normalize;
            let (_, text) = trace(&config);
            let read = format::read(text.as_slice()).unwrap();
            let number = |step: &hgpo_core::Step| step.extra[TOKEN_ADVANTAGES][0].as_f64().unwrap();
            let found: Vec<f64> = read.iter().flat_map(|it| &it.steps).map(number).collect();
            let batch = Batch::new(read).unwrap();
            let own = estimate(&batch, &config.options().unwrap()).unwrap().advantages;
            assert!(found.iter().any(|it| *it != 0.0));
            assert_eq!(found == own.into_values(), !normalize);
        }
    }

    #[test]
    fn log_probabilities_that_are_no_numbers_are_refused_with_their_step() {
        let config = config(true);
        let mut it = iterated(&config);
        it.samples[1].old[0] = f64::NEG_INFINITY;
        let told = render_trace(&config, 1, &it.trajectories, &it.samples).unwrap_err().to_string();
        assert!(
            told.contains("step 1: `rollout_log_probs` is -inf, not a finite number"),
            "{told}"
        );
    }
}
