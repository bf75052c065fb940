//! What each lane's estimator says of the same steps: those that the drawn lane took at a place.

use super::setup::Setup;
use super::state::Truths;
use hgpo_core::{Batch, Options, Summary, Trajectory, estimate, format};
use hgpo_env::gridworld::Direction;
use hgpo_worker::training::message::CellStep;

/// What is said of an action at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// The action.
    pub(crate) action: Direction,
    /// How often it was taken.
    pub(crate) steps: usize,
    /// The mean of its advantages under every lane's estimator, in standard deviations of the batch as
    /// lanes learn from them; none if an estimator cannot say.
    pub(crate) advantages: Vec<Option<f64>>,
    /// The same of the true advantages; none if they are not known of all steps of the batch that can
    /// be told apart.
    pub(crate) truth: Option<f64>,
}

/// What is said of each action that was taken in some steps of rollouts, as a lane's worker writes both.
pub(crate) fn verdicts(
    rollouts: &str,
    steps: &[CellStep],
    truths: &[Option<Truths>],
    setup: &Setup,
) -> Vec<Verdict> {
    let Ok((_, trajectories)) = format::read_written(rollouts) else { return Vec::new() };
    let located = located(&trajectories, steps);
    let Ok(batch) = Batch::new(trajectories) else { return Vec::new() };
    let truth = true_advantages(truths, batch.trajectories().len());
    let said: Vec<Option<Truths>> =
        (0..setup.lanes.len()).map(|lane| normalized(&batch, &setup.options(lane))).collect();
    let verdict = |action: Direction| {
        let own: Vec<(usize, usize)> =
            located.iter().filter(|(it, _)| *it == action).map(|(_, place)| *place).collect();
        Verdict {
            action,
            steps: own.len(),
            advantages: said.iter().map(|said| mean_of(said.as_ref(), &own)).collect(),
            truth: mean_of(truth.as_ref(), &own),
        }
    };
    Direction::ALL.into_iter().map(verdict).filter(|verdict| verdict.steps > 0).collect()
}

/// Where the steps are, by trajectory and time, and what was done.
fn located(trajectories: &[Trajectory], steps: &[CellStep]) -> Vec<(Direction, (usize, usize))> {
    let find = |step: &CellStep| {
        let row = trajectories.iter().position(|it| it.trajectory == step.trajectory)?;
        let own = trajectories[row].steps.get(step.time)?;
        Some((Direction::named(own.action.as_deref()?)?, (row, step.time)))
    };
    steps.iter().filter_map(find).collect()
}

/// The true advantages of all steps, brought to mean 0 and standard deviation 1; those of a trajectory at
/// a time. None unless those of all tasks are there.
fn true_advantages(truths: &[Option<Truths>], trajectories: usize) -> Option<Truths> {
    let all: Option<Vec<&Truths>> = truths.iter().map(Option::as_ref).collect();
    let all: Truths = all?.into_iter().flatten().cloned().collect();
    if all.len() != trajectories {
        return None;
    }
    let known: Vec<f64> = all.iter().flatten().copied().flatten().collect();
    let standard = standardize(&known);
    Some(all.iter().map(|row| row.iter().map(|value| value.map(&standard)).collect()).collect())
}

/// The advantages of all steps, brought to mean 0 and standard deviation 1.
fn normalized(batch: &Batch, options: &Options) -> Option<Truths> {
    let advantages = estimate(batch, options).ok()?.advantages;
    let standard = standardize(advantages.values());
    let row = |row: &[f64]| row.iter().map(|value| Some(standard(*value))).collect();
    Some(advantages.iter().map(row).collect())
}

/// What brings some values to mean 0 and standard deviation 1.
fn standardize(values: &[f64]) -> impl Fn(f64) -> f64 + use<> {
    let Summary { mean, std, .. } = Summary::of(values);
    move |value| (value - mean) / (std + 1e-8)
}

/// The mean of some steps' advantages, over those for which it is known.
fn mean_of(advantages: Option<&Truths>, own: &[(usize, usize)]) -> Option<f64> {
    let known: Vec<f64> =
        own.iter().filter_map(|(row, time)| *advantages?.get(*row)?.get(*time)?).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::verdicts;
    use crate::train::model::Setup;
    use hgpo_env::gridworld::Direction;
    use hgpo_worker::training::message::CellStep;

    #[test]
    fn each_lane_speaks_of_the_same_steps() {
        let rollouts = "{\"task\":\"g00\",\"trajectory\":\"g00t0\",\"success\":true,\"steps\":[{\"state\":\"s\",\"action\":\"up\",\"reward\":10.0}]}\n\
             {\"task\":\"g00\",\"trajectory\":\"g00t1\",\"success\":false,\"steps\":[{\"state\":\"s\",\"action\":\"left\",\"reward\":0.0}]}\n";
        let step = |trajectory: &str| CellStep { trajectory: trajectory.to_owned(), time: 0 };
        let said = verdicts(
            rollouts,
            &[step("g00t0"), step("g00t1"), step("g09t9")],
            &[Some(vec![vec![Some(3.0)], vec![None]])],
            &Setup::default(),
        );
        let actions: Vec<(Direction, usize)> =
            said.iter().map(|it| (it.action, it.steps)).collect();
        assert_eq!(actions, [(Direction::Up, 1), (Direction::Left, 1)]);
        // One won and one lost: a standard deviation above and below the mean, whatever the estimator.
        for (verdict, expected) in said.iter().zip([1.0, -1.0]) {
            assert_eq!(verdict.advantages.len(), 3);
            let near = |value: &Option<f64>| value.is_some_and(|it| (it - expected).abs() < 1e-6);
            assert!(verdict.advantages.iter().all(near), "{verdict:?}");
        }
        // The only one that is known is the mean.
        assert_eq!((said[0].truth, said[1].truth), (Some(0.0), None));
        assert!(verdicts("no rollouts", &[step("g00t0")], &[], &Setup::default()).is_empty());
    }
}
