//! Playing when nothing is left to chance.

use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{Environment, Observation, Outcome};

/// An episode without chance.
pub(crate) trait Certain: Environment {
    /// Carries out an action, and sees that no chance was drawn for it.
    fn act(&mut self, action: &str) -> Outcome {
        let before = Stream::new(0, Purpose::Sampling, [0, 0]).chance();
        let mut chance = before.clone();
        let outcome = self.step(action, &mut chance);
        assert_eq!(chance, before, "'{action}' drew chance");
        outcome
    }

    /// The plan of an environment that plans.
    fn way(&self) -> Vec<String> {
        self.plan().expect("the environment plans")
    }
}

impl<T: Environment + ?Sized> Certain for T {}

/// Plays by `choose` to the end: what was seen, done and came of it.
pub(crate) fn play(
    episode: &mut dyn Environment,
    mut choose: impl FnMut(&Observation) -> String,
) -> Vec<(Observation, String, Outcome)> {
    let mut turns: Vec<(Observation, String, Outcome)> = Vec::new();
    while turns.last().is_none_or(|(_, _, last)| !last.done) {
        let seen = episode.observe();
        let action = choose(&seen);
        let outcome = episode.act(&action);
        turns.push((seen, action, outcome));
    }
    turns
}
