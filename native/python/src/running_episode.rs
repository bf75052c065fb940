//! Running episode, with its random stream and its limit of steps.

use hgpo_env::random::Stream;
use hgpo_env::{Environment, Outcome};

/// An episode, and how far it is.
pub(crate) struct RunningEpisode {
    pub(crate) environment: Box<dyn Environment>,
    pub(crate) chance: Stream,
    steps: usize,
    most: usize,
    /// It ended of itself: the task is done, or cannot be any more.
    pub(crate) terminated: bool,
    /// It was ended by the limit of steps.
    pub(crate) truncated: bool,
    pub(crate) won: bool,
}

/// What an agent sees.
pub(crate) struct Observation {
    pub(crate) text: String,
    pub(crate) admissible: Vec<String>,
    pub(crate) score: Option<f64>,
}

impl RunningEpisode {
    /// An episode before its first step.
    pub(crate) fn new(environment: Box<dyn Environment>, chance: Stream, most: usize) -> Self {
        let (terminated, truncated, won) = (false, false, false);
        Self { environment, chance, steps: 0, most, terminated, truncated, won }
    }

    /// Carries out an action; the reward, and whether the action was admissible. After the end nothing is
    /// carried out any more, and the reward is 0.
    pub(crate) fn step(&mut self, action: &str) -> (f64, bool) {
        if self.terminated || self.truncated {
            return (0.0, false);
        }
        let Outcome { reward, done, won, admissible } =
            self.environment.step(action, &mut self.chance);
        self.steps += 1;
        self.terminated = done;
        self.truncated = !done && self.steps >= self.most;
        self.won = won;
        (reward, admissible)
    }

    /// What is seen now, told as the original of the environment tells it or as grouping compares it.
    pub(crate) fn see(&self, original: bool) -> Observation {
        let seen = self.environment.observe();
        let told = if original { self.environment.original() } else { None };
        let text = told.unwrap_or(seen.text);
        Observation { text, admissible: seen.actions.describe(), score: self.environment.score() }
    }
}

impl Clone for RunningEpisode {
    fn clone(&self) -> Self {
        let &Self { steps, most, terminated, truncated, won, .. } = self;
        let (environment, chance) = (self.environment.snapshot(), self.chance.clone());
        Self { environment, chance, steps, most, terminated, truncated, won }
    }
}
