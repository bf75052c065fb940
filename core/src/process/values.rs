//! State and action values of every situation, by recursion from the last step backwards.

use super::{Decision, Process, Situation};
use crate::returns::Discount;
use crate::statistics::ROUNDING;

/// True values under a discount, of every situation with every number of steps left.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    situations: usize,
    /// The first action of each situation among all, and at the end how many there are.
    first_action: Vec<usize>,
    /// V of all situations, for 0, 1, … steps left.
    of_situations: Vec<f64>,
    /// Q of all actions, for 1, 2, … steps left.
    of_actions: Vec<f64>,
}

impl Process {
    /// True values under a discount.
    #[must_use]
    pub fn values(&self, discount: Discount) -> Values {
        let situations = self.situations.len();
        let mut first_action = vec![0];
        for situation in &self.situations {
            first_action.push(first_action[first_action.len() - 1] + situation.actions.len());
        }
        let mut values = vec![0.0; situations];
        let mut action_values = Vec::new();
        for steps_left in 1..=self.step_limit {
            let later = &values[(steps_left - 1) * situations..];
            let mut now = Vec::with_capacity(situations);
            for situation in &self.situations {
                let of_actions = action_values.len();
                action_values.extend(worth(situation, later, discount));
                let worth = &action_values[of_actions..];
                let weighted = situation.actions.iter().zip(worth);
                now.push(weighted.map(|(action, worth)| action.probability * worth).sum());
            }
            values.append(&mut now);
        }
        Values { situations, first_action, of_situations: values, of_actions: action_values }
    }
}

/// Q of every action of a situation, given V of the next situations.
fn worth(situation: &Situation, later: &[f64], discount: Discount) -> impl Iterator<Item = f64> {
    situation.actions.iter().map(move |action| {
        let outcome = |outcome: &super::Outcome| {
            let next = outcome.next.map_or(0.0, |next| discount.get() * later[next]);
            outcome.probability * (outcome.reward + next)
        };
        action.outcomes.iter().map(outcome).sum()
    })
}

impl Values {
    /// V(s, n): the mean discounted return from here on.
    ///
    /// # Panics
    /// A situation or a number of steps that the process does not have.
    #[must_use]
    pub fn value(&self, situation: usize, steps_left: usize) -> f64 {
        self.of_situations[steps_left * self.situations..][..self.situations][situation]
    }

    /// Q(s, n, a): the same after the action is chosen.
    ///
    /// # Panics
    /// A decision that the process does not have.
    #[must_use]
    pub fn action_value(&self, decision: Decision) -> f64 {
        self.actions(decision)[decision.action]
    }

    /// A*(s, n, a) = Q(s, n, a) − V(s, n); exactly 0 within [`ROUNDING`] of the largest |Q|.
    ///
    /// # Panics
    /// A decision that the process does not have.
    #[must_use]
    pub fn advantage(&self, decision: Decision) -> f64 {
        let value = self.value(decision.situation, decision.steps_left);
        let difference = self.action_value(decision) - value;
        let magnitude = |largest: f64, worth: &f64| largest.max(worth.abs());
        let largest = self.actions(decision).iter().fold(0.0, magnitude);
        if difference.abs() <= ROUNDING * largest { 0.0 } else { difference }
    }

    /// Q of all actions there.
    fn actions(&self, Decision { situation, steps_left, .. }: Decision) -> &[f64] {
        let count = self.first_action[self.situations];
        let all = &self.of_actions[(steps_left - 1) * count..][..count];
        &all[self.first_action[situation]..self.first_action[situation + 1]]
    }
}
