//! What estimators say of the steps of the last iteration, place by place, and how far that is true.

use std::collections::BTreeMap;

use hgpo_core::{Batch, Estimator, Options, Summary, estimate};
use hgpo_env::gridworld::Direction;
use hgpo_train::config::Config;
use hgpo_train::values::finite_process::ProcessError;

use super::checks;
use super::replay::{Spot, steps};
use super::runner::Runner;
use super::truth;
use crate::training::limits::ESTIMATORS;
use crate::training::message::{ActionVerdict, Answer, Settings, Verdicts};

/// What is said of each step, in the order of the rollouts.
type Said = Vec<Option<f64>>;

/// What estimators say of the last iteration of a seed.
pub(crate) fn verdicts(
    runner: &Runner,
    estimators: &[Settings],
    wants_truth: bool,
) -> Result<Answer, String> {
    if estimators.len() > ESTIMATORS {
        let count = estimators.len();
        return Err(format!("estimators: {count} are too many, send at most {ESTIMATORS}"));
    }
    let Some(played) = &runner.last else { return Ok(Answer::Verdicts(Verdicts::default())) };
    let batch = Batch::new(played.trajectories.clone()).map_err(|error| error.to_string())?;
    let taken = steps(runner.seed, played)?;
    let judge = |flat: &Settings| {
        let options = options(&played.setup.config, runner.seed, flat);
        let said = options.and_then(|options| judge(&batch, &options));
        said.unwrap_or_else(|_| vec![None; taken.len()])
    };
    let said: Vec<Said> = estimators.iter().map(judge).collect();
    let (truth, too_large) = if wants_truth {
        match truth::advantages(played, &taken) {
            Ok(advantages) => (standardized(&advantages), None),
            Err(ProcessError::TooMany { combinations, .. }) => {
                (vec![None; taken.len()], Some(combinations))
            }
            Err(other) => return Err(other.to_string()),
        }
    } else {
        (vec![None; taken.len()], None)
    };
    let mut groups: BTreeMap<(Spot, usize), Vec<usize>> = BTreeMap::new();
    for (at, one) in taken.iter().enumerate() {
        if let Some(action) = direction(played.step(one).action.as_deref()) {
            groups.entry((one.spot, action)).or_default().push(at);
        }
    }
    let verdict = |((spot, action), own): ((Spot, usize), Vec<usize>)| {
        let Spot { row, column, key } = spot;
        let advantages = said.iter().map(|said| mean_of(said, &own)).collect();
        let (steps, truth) = (own.len(), mean_of(&truth, &own));
        ActionVerdict { row, column, key, action, steps, advantages, truth }
    };
    let actions: Vec<ActionVerdict> = groups.into_iter().map(verdict).collect();
    let agreement = (0..said.len()).map(|at| agreement(&actions, at)).collect();
    Ok(Answer::Verdicts(Verdicts { actions, agreement, too_large }))
}

/// How an estimator, as settings have it, is to judge what was played with other settings.
fn options(config: &Config, seed: u64, flat: &Settings) -> Result<Options, String> {
    let estimator = Estimator::from_flat(flat).map_err(|error| error.to_string())?;
    let config = Config { estimator, ..config.clone() };
    checks::check(&config, &[seed])?;
    config.options().map_err(|error| error.to_string())
}

/// The position of a direction.
fn direction(action: Option<&str>) -> Option<usize> {
    Some(Direction::named(action?)? as usize)
}

/// What an estimator says of each step.
fn judge(batch: &Batch, options: &Options) -> Result<Said, String> {
    let report = estimate(batch, options).map_err(|error| error.to_string())?;
    let all: Said = report.advantages.values().iter().copied().map(Some).collect();
    Ok(standardized(&all))
}

/// Known values, brought to mean 0 and standard deviation 1.
fn standardized(values: &[Option<f64>]) -> Said {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    let Summary { mean, std, .. } = Summary::of(&known);
    values.iter().map(|value| value.map(|value| (value - mean) / (std + 1e-8))).collect()
}

/// The mean of some steps' values, over those for which it is known.
fn mean_of(values: &[Option<f64>], own: &[usize]) -> Option<f64> {
    let known: Vec<f64> = own.iter().filter_map(|&at| values[at]).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// How far an estimator's means agree with the true ones: their correlation over actions at places, each with the weight
/// of its steps.
///
/// # Formula
/// Σ w (a − ā)(t − t̄) / √(Σ w (a − ā)² · Σ w (t − t̄)²), where w are steps and ā and t̄ means with these weights.
fn agreement(actions: &[ActionVerdict], estimator: usize) -> Option<f64> {
    let known =
        |it: &ActionVerdict| Some([it.steps as f64, (*it.advantages.get(estimator)?)?, it.truth?]);
    let known: Vec<[f64; 3]> = actions.iter().filter_map(known).collect();
    let steps: f64 = known.iter().map(|it| it[0]).sum();
    let mean = |of: usize| known.iter().map(|it| it[0] * it[of]).sum::<f64>() / steps;
    let means = [0.0, mean(1), mean(2)];
    let product = |one: usize, other: usize| -> f64 {
        known.iter().map(|it| it[0] * (it[one] - means[one]) * (it[other] - means[other])).sum()
    };
    let scale = (product(1, 1) * product(2, 2)).sqrt();
    (scale > 1e-12).then(|| (product(1, 2) / scale).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::agreement;
    use crate::training::message::ActionVerdict;

    fn verdict(steps: usize, said: Option<f64>, truth: Option<f64>) -> ActionVerdict {
        let (advantages, key) = (vec![said], false);
        ActionVerdict { row: 0, column: 0, key, action: 0, steps, advantages, truth }
    }

    #[test]
    fn agreement_is_the_correlation_of_what_both_know_by_its_steps() {
        let of = |all: &[(usize, f64, f64)]| {
            let told =
                |&(steps, said, truth): &(usize, f64, f64)| verdict(steps, Some(said), Some(truth));
            agreement(&all.iter().map(told).collect::<Vec<_>>(), 0)
        };
        let near = |value: Option<f64>, wanted: f64| (value.unwrap() - wanted).abs() < 1e-12;
        assert!(near(of(&[(1, 1.0, 2.0), (2, 2.0, 4.0), (5, 4.0, 8.0)]), 1.0));
        // 1, 2, 3 against 1, 3, 2: a covariance of ⅓ where both variances are ⅔.
        assert!(near(of(&[(4, 1.0, 1.0), (4, 2.0, 3.0), (4, 3.0, 2.0)]), 0.5));
        // As often as it was taken.
        let twice = of(&[(2, 1.0, 1.0), (1, 2.0, 3.0), (1, 3.0, 2.0)]);
        let each = of(&[(1, 1.0, 1.0), (1, 1.0, 1.0), (1, 2.0, 3.0), (1, 3.0, 2.0)]);
        assert!(near(twice, each.unwrap()) && !near(twice, 0.5));
        assert_eq!(of(&[(1, 1.0, 5.0), (1, 2.0, 5.0)]), None);
        assert_eq!(agreement(&[], 0), None);
        let some = [
            verdict(1, Some(1.0), Some(1.0)),
            verdict(9, None, Some(9.0)),
            verdict(9, Some(7.0), None),
        ];
        assert_eq!(agreement(&some, 0), None, "one alone");
    }
}
