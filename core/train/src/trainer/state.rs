//! State of a trainer: its counters in a checkpoint, and a snapshot in memory.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Trainer;
use crate::policy::{Policy, PolicyError, ReadFile, WriteFile, read_file, write_file};
use crate::values::critic::Critic;

/// The counters of training.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TrainerState {
    pub(super) iteration: u64,
    pub(super) optimizer_step: i32,
    /// Whether a file holds a critic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) has_critic: bool,
}

impl TrainerState {
    /// Its name in a checkpoint.
    pub(super) const FILE: &str = "trainer.json";
}

/// Reads a file of a checkpoint that is JSON.
pub(super) fn read_json<T: DeserializeOwned>(
    read: &mut ReadFile<'_>,
    name: &str,
) -> Result<T, PolicyError> {
    serde_json::from_slice(&read_file(read, name)?)
        .map_err(|error| PolicyError::damaged(name, &error))
}

/// Writes what was made JSON as a file of a checkpoint.
pub(super) fn write_json(
    write: &mut WriteFile<'_>,
    name: &str,
    json: serde_json::Result<Vec<u8>>,
) -> Result<(), PolicyError> {
    write_file(write, name, json.map_err(|error| PolicyError::damaged(name, &error))?)
}

/// All that iterations change of a trainer: the policy, what its optimiser remembers, the critic, and
/// the count.
#[derive(Clone)]
pub struct TrainerSnapshot<P: Policy> {
    pub(crate) policy: P,
    pub(crate) optimizer: P::Optimizer,
    /// What states are worth, if a critic is asked for; none before it has learned.
    pub(crate) critic: Option<Critic>,
    pub(crate) iteration: u64,
}

impl<P: Policy> TrainerSnapshot<P> {
    /// The policy as it was.
    #[must_use]
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// Iterations that were done.
    #[must_use]
    pub fn iteration(&self) -> u64 {
        self.iteration
    }
}

impl<P: Policy> Trainer<P> {
    /// A copy of what it has come to.
    #[must_use]
    pub fn snapshot(&self) -> TrainerSnapshot<P> {
        self.state.clone()
    }

    /// Goes on from what it came to before. What came since is as if it had not been.
    pub fn return_to(&mut self, snapshot: &TrainerSnapshot<P>) {
        self.state = snapshot.clone();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::config::Config;
    use crate::executor::Sequential;
    use crate::test_environment::CoinSuite;
    use crate::trainer::{Learner as _, Trainer, initial_policy};

    #[test]
    fn iterations_after_a_return_to_a_snapshot_are_the_same_again() {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        let (policy, format) = initial_policy::table(&config);
        let suite = Arc::new(CoinSuite { shown: true });
        let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
        let iterate = |trainer: &mut Trainer<_>| trainer.iterate(&Sequential).unwrap().unwrap();
        iterate(&mut trainer);
        let after_first = trainer.snapshot();
        assert_eq!((after_first.iteration(), after_first.policy().is_empty()), (1, false));
        let [second, third] = [(); 2].map(|()| iterate(&mut trainer).metrics);
        trainer.return_to(&after_first);
        assert_eq!(trainer.iteration(), 1);
        let again = [(); 2].map(|()| iterate(&mut trainer));
        assert_eq!(again.each_ref().map(|it| it.number), [2, 3]);
        assert_eq!(again.map(|it| it.metrics), [second, third]);
    }
}
