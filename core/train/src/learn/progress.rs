//! What a training has come to, kept in memory.

use super::critic::Critic;
use super::trainer::Trainer;
use crate::policy::Policy;

/// All that iterations change of a trainer: the policy, what its optimiser remembers, the critic, and
/// the count.
#[derive(Clone)]
pub struct Progress<P: Policy> {
    policy: P,
    optimizer: P::Optimizer,
    critic: Option<Critic>,
    iteration: u64,
}

impl<P: Policy> Progress<P> {
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
    pub fn progress(&self) -> Progress<P> {
        let Self { policy, optimizer, critic, iteration, .. } = self;
        Progress {
            policy: policy.clone(),
            optimizer: optimizer.clone(),
            critic: critic.clone(),
            iteration: *iteration,
        }
    }

    /// Goes on from what it came to before. What came since is as if it had not been.
    pub fn go_back(&mut self, progress: &Progress<P>) {
        let Progress { policy, optimizer, critic, iteration } = progress.clone();
        (self.policy, self.optimizer) = (policy, optimizer);
        (self.critic, self.iteration) = (critic, iteration);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::coin::Coin;
    use crate::config::Config;
    use crate::executor::Sequential;
    use crate::learn::{Learner as _, start};

    #[test]
    fn what_follows_is_the_same_again() {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        let (policy, format) = start::table(&config);
        let suite = Arc::new(Coin { shown: true });
        let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
        let iterate = |trainer: &mut Trainer<_>| trainer.iterate(&Sequential).unwrap().unwrap();
        iterate(&mut trainer);
        let after_first = trainer.progress();
        assert_eq!((after_first.iteration(), after_first.policy().is_empty()), (1, false));
        let [second, third] = [(); 2].map(|()| iterate(&mut trainer).metrics);
        trainer.go_back(&after_first);
        assert_eq!(trainer.iteration(), 1);
        let again = [(); 2].map(|()| iterate(&mut trainer));
        assert_eq!(again.each_ref().map(|it| it.number), [2, 3]);
        assert_eq!(again.map(|it| it.metrics), [second, third]);
    }
}
