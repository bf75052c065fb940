//! Trace of an iteration: its rollouts as JSON Lines, with the tokens of every step if the settings ask for them.

use hgpo_core::format::{Provenance, write_jsonl, write_provenance};
use hgpo_core::token_fields::{
    NEW_ENTROPIES, NEW_LOG_PROBS, PROMPT_IDS, REF_LOG_PROBS, RESPONSE_IDS, RESPONSE_MASK,
    RESPONSE_TOKENS, ROLLOUT_LOG_PROBS, TOKEN_ADVANTAGES,
};
use hgpo_core::{Error, Place, Problem, Trajectory};
use serde_json::{Map, Value};

use super::TokenRecord;
use crate::TrainerError;
use crate::config::Config;

/// The rollouts of an iteration as JSON Lines, of which the first says how the others were made. With `records`, which are
/// those of their steps, one after the other, it has the tokens of every step, and the first line their loss.
///
/// # Errors
/// When a setting does not make sense, or a number is none.
pub fn render_trace(
    config: &Config,
    iteration: u64,
    trajectories: &[Trajectory],
    records: Option<Vec<TokenRecord>>,
) -> Result<Vec<u8>, TrainerError> {
    let made = Provenance {
        environment: Some(config.environment.name.clone()),
        seed: Some(config.seed),
        iteration: Some(iteration),
        objective: records.as_ref().and_then(|_| options_of_loss(config)),
        entropy_coefficient: records.as_ref().map(|_| config.learn.entropy_coefficient),
        options: Some(config.options()?),
    };
    let mut text = Vec::new();
    write_provenance(&mut text, &made)?;
    let Some(records) = records else {
        write_jsonl(&mut text, trajectories)?;
        return Ok(text);
    };
    let mut records = records.into_iter();
    // One at a time: as JSON values, tokens take many times the memory of their text.
    for trajectory in trajectories {
        write_jsonl(&mut text, &[with_tokens(trajectory, records.by_ref())?])?;
    }
    Ok(text)
}

/// The options of the loss, as the first line has them.
fn options_of_loss(config: &Config) -> Option<Map<String, Value>> {
    match serde_json::to_value(&config.learn.objective) {
        Ok(Value::Object(options)) => Some(options),
        _ => None,
    }
}

/// A trajectory with the tokens of its steps, which are the next of `records`.
fn with_tokens(
    trajectory: &Trajectory,
    records: impl Iterator<Item = TokenRecord>,
) -> Result<Trajectory, Error> {
    let mut trajectory = trajectory.clone();
    for (at, (step, record)) in trajectory.steps.iter_mut().zip(records).enumerate() {
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
        let TokenRecord { prompt, prompt_text, response, texts, .. } = record;
        let TokenRecord { old, new, entropies, reference, advantage, .. } = record;
        let tokens = response.len();
        let entropies = entropies.map(|it| numbers(NEW_ENTROPIES, &it)).transpose()?;
        let reference = reference.map(|it| numbers(REF_LOG_PROBS, &it)).transpose()?;
        let fields = [
            (PROMPT_IDS, Some(prompt.into())),
            (RESPONSE_IDS, Some(response.into())),
            (RESPONSE_TOKENS, texts.map(Value::from)),
            // The loss is over all tokens of a response.
            (RESPONSE_MASK, Some(vec![1; tokens].into())),
            (ROLLOUT_LOG_PROBS, Some(numbers(ROLLOUT_LOG_PROBS, &old)?)),
            (NEW_LOG_PROBS, Some(numbers(NEW_LOG_PROBS, &new)?)),
            (NEW_ENTROPIES, entropies),
            (REF_LOG_PROBS, reference),
            (TOKEN_ADVANTAGES, Some(numbers(TOKEN_ADVANTAGES, &vec![advantage; tokens])?)),
        ];
        let fields = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        step.extra.extend(fields);
        step.prompt = prompt_text;
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
    use crate::objective::clipped::Sample;
    use crate::policy::table::TablePolicy;
    use crate::trainer::{Iteration, Learner as _, Trainer, initial_policy};

    /// The second iteration of a table, so that its policy is no longer what it began as, the records of its steps, and the
    /// policy after it.
    fn iterated(config: &Config) -> (Iteration, Vec<TokenRecord>, TablePolicy) {
        let (policy, format) = initial_policy::table(config);
        let suite = hgpo_env::suite(&config.environment, None).unwrap();
        let mut trainer = Trainer::new(config, suite, format, policy).unwrap();
        trainer.iterate(&Sequential).unwrap().unwrap();
        let it = trainer.iterate(&Sequential).unwrap().unwrap();
        let records = trainer.token_records(it.samples.clone(), &Sequential).unwrap();
        (it, records, trainer.state.policy)
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
        let (it, records, _) = iterated(config);
        let records = config.trace.tokens.then_some(records);
        let text = render_trace(config, it.number, &it.trajectories, records).unwrap();
        (it, text)
    }

    #[test]
    fn tokens_are_those_of_the_update_and_change_nothing_else() {
        let (plain, (iteration, text)) = (trace(&config(false)), trace(&config(true)));
        assert_eq!(text, trace(&config(true)).1);
        assert_eq!(plain.0.metrics, iteration.metrics);
        let mut read = format::read(text.as_slice()).unwrap();
        let mut samples = iteration.samples.iter();
        let (mut moved, policy) = (0, iterated(&config(true)).2);
        let steps: Vec<_> = read.iter_mut().flat_map(|it| &mut it.steps).collect();
        assert!(steps.len() > 32 && steps.len() == samples.len());
        for step in steps {
            let Sample { prompt, response, old, advantage, .. } = samples.next().unwrap();
            assert!(step.prompt.is_none() && !step.extra.contains_key(RESPONSE_TOKENS));
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
            let new = f64::from_bits(bits(list(NEW_LOG_PROBS))[0]);
            let after = policy.probabilities(prompt, 1.0)[response[0] as usize];
            assert!((new - after.ln()).abs() < 1e-9, "{new} {after}");
            moved += usize::from((new - old[0]).abs() > 1e-9);
            // The table began as the reference, which likes all actions alike.
            let reference = f64::from_bits(bits(list(REF_LOG_PROBS))[0]);
            assert!((reference + ((prompt.len() / 2 - 1) as f64).ln()).abs() < 1e-9, "{reference}");
            assert_eq!(bits(list(TOKEN_ADVANTAGES)), [advantage.to_bits()]);
            let entropy = f64::from_bits(bits(list(NEW_ENTROPIES))[0]);
            let probabilities = policy.probabilities(prompt, 1.0);
            let expected: f64 = probabilities.iter().map(|it| -it * it.ln()).sum();
            assert!((entropy - expected).abs() < 1e-9, "{entropy} {expected}");
        }
        assert!(moved > 32, "{moved}");
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
        let (it, records, _) = iterated(&config);
        let refuse = |change: &dyn Fn(&mut TokenRecord)| {
            let mut records = records.clone();
            change(&mut records[1]);
            render_trace(&config, 1, &it.trajectories, Some(records)).unwrap_err().to_string()
        };
        let told = refuse(&|it| it.old[0] = f64::NEG_INFINITY);
        let problem = "step 1: `rollout_log_probs` is -inf, not a finite number";
        assert!(told.contains(problem), "{told}");
        let told = refuse(&|it| it.new[0] = f64::NAN);
        assert!(told.contains("step 1: `new_log_probs` is NaN, not a finite number"), "{told}");
    }

    #[test]
    fn the_first_line_has_the_loss_of_tokens_alone() {
        for tokens in [false, true] {
            let mut config = config(tokens);
            config.learn.objective.clip_high = 0.28;
            let text = String::from_utf8(trace(&config).1).unwrap();
            let made = Provenance::from_line(text.lines().next().unwrap()).unwrap();
            let expected = tokens.then(|| config.learn.objective.clone());
            assert_eq!(made.objective().unwrap(), expected);
            let coefficient = tokens.then_some(config.learn.entropy_coefficient);
            assert_eq!(made.entropy_coefficient, coefficient);
        }
    }

    #[test]
    fn steps_without_a_reference_have_no_log_probabilities_of_it() {
        let mut config = config(true);
        config.learn.objective.divergence = hgpo_core::Divergence::None;
        let text = String::from_utf8(trace(&config).1).unwrap();
        assert!(text.contains(NEW_LOG_PROBS) && !text.contains(REF_LOG_PROBS));
    }

    #[test]
    fn a_loss_without_an_entropy_bonus_needs_no_entropies() {
        let mut config = config(true);
        config.learn.entropy_coefficient = 0.0;
        let text = String::from_utf8(trace(&config).1).unwrap();
        assert!(text.contains("\"entropy_coefficient\":0.0,") && !text.contains(NEW_ENTROPIES));
    }
}
