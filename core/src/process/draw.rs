//! Sampling of attempts, by random words that the caller gives.

use super::{Decision, Process, Situation};
use crate::rollout::{Step, Trajectory};

/// The position of a choice by probabilities: the first whose running sum is above a fraction that
/// the upper 53 bits of a word make, the last if rounding leaves none.
fn chosen(probabilities: impl Iterator<Item = f64>, words: &mut impl FnMut() -> u64) -> usize {
    let fraction = (words() >> 11) as f64 / (1_u64 << 53) as f64;
    let (mut sum, mut last) = (0.0, 0);
    for (position, probability) in probabilities.enumerate() {
        sum += probability;
        last = position;
        if fraction < sum {
            break;
        }
    }
    last
}

/// An attempt, and the decision behind each of its steps.
pub(super) struct Drawn {
    pub(super) trajectory: Trajectory,
    pub(super) decisions: Vec<Decision>,
}

impl Process {
    /// Attempts of a task, called t1, t2, …, from random words.
    ///
    /// A word chooses where an attempt begins, two more the action and the outcome of each step. There
    /// are additions and comparisons alone, so that the same words give the same attempts everywhere.
    #[must_use]
    pub fn episodes(
        &self,
        task: &str,
        count: usize,
        words: &mut impl FnMut() -> u64,
    ) -> Vec<Trajectory> {
        self.draw(task, count, words).map(|drawn| drawn.trajectory).collect()
    }

    /// The same, with their decisions.
    pub(super) fn draw(
        &self,
        task: &str,
        count: usize,
        words: &mut impl FnMut() -> u64,
    ) -> impl Iterator<Item = Drawn> {
        (1..=count).map(move |number| self.attempt(task, &format!("t{number}"), words))
    }

    fn attempt(&self, task: &str, name: &str, words: &mut impl FnMut() -> u64) -> Drawn {
        let begins = chosen(self.start.iter().map(|start| start.probability), words);
        let mut situation = self.start[begins].situation;
        let (mut steps, mut decisions) = (Vec::new(), Vec::new());
        for steps_left in (1..=self.step_limit).rev() {
            let here = &self.situations[situation];
            let action = chosen(here.actions.iter().map(|action| action.probability), words);
            let outcomes = &here.actions[action].outcomes;
            let outcome = chosen(outcomes.iter().map(|outcome| outcome.probability), words);
            steps.push(here.step(action, outcomes[outcome].reward));
            decisions.push(Decision { situation, steps_left, action });
            let Some(next) = outcomes[outcome].next else { break };
            situation = next;
        }
        Drawn { trajectory: Trajectory::new(task, name, steps), decisions }
    }
}

impl Situation {
    /// What is recorded of an action here.
    fn step(&self, action: usize, reward: f64) -> Step {
        let action = &self.actions[action];
        Step {
            agent: self.agent.clone(),
            ..Step::new(&self.state, reward).with_action(&action.action).with_valid(action.valid)
        }
    }
}
