//! Updates of a policy over a few actions by the clipped objective, one logit an action.

use hgpo_core::token_loss::policy_term;
use hgpo_core::{Objective, Step};

/// A policy before and after updates on one step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PolicyUpdate {
    /// The probabilities of the actions before.
    pub(crate) before: Vec<f64>,
    /// The changes of their logits.
    pub(crate) logits: Vec<f64>,
    /// The probabilities after.
    pub(crate) after: Vec<f64>,
    /// The weight A r of ∇ log π in each update; 0 once the clip holds the ratio.
    pub(crate) weights: Vec<f64>,
}

/// The probabilities of logits.
fn softmax(logits: &[f64]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

impl PolicyUpdate {
    /// Updates of a policy that likes all actions alike, at an action with an advantage.
    ///
    /// # Formula
    /// z_b ← z_b + η w (1[b = a] − π(b)), w = A r where the clip does not hold the ratio r = π(a) / π_old(a), else 0:
    /// the first update, at r = 1, changes the logit of the action by η A (1 − π(a)).
    pub(crate) fn new(
        actions: usize,
        chosen: usize,
        advantage: f64,
        rate: f64,
        updates: usize,
        objective: &Objective,
    ) -> Self {
        let mut logits = vec![0.0; actions];
        let before = softmax(&logits);
        let mut after = before.clone();
        let mut weights = Vec::with_capacity(updates);
        for _ in 0..updates {
            let log_ratio = (after[chosen] / before[chosen]).ln();
            let weight = 0.0 - policy_term(log_ratio, advantage, objective).derivative;
            for (action, logit) in logits.iter_mut().enumerate() {
                let own = f64::from(u8::from(action == chosen));
                *logit += rate * weight * (own - after[action]);
            }
            after = softmax(&logits);
            weights.push(weight);
        }
        Self { before, logits, after, weights }
    }

    /// The ratio of the action's probabilities.
    pub(crate) fn ratio(&self, chosen: usize) -> f64 {
        self.after[chosen] / self.before[chosen]
    }
}

/// The actions that were taken in the states of some steps, in order of appearance; where all took the same, a nameless other
/// one, as a policy that had no choice would learn nothing.
pub(crate) fn actions<'a>(steps: impl Iterator<Item = &'a Step>) -> Vec<&'a str> {
    let mut actions: Vec<&str> = Vec::new();
    for action in steps.filter_map(|step| step.action.as_deref()) {
        if !actions.contains(&action) {
            actions.push(action);
        }
    }
    if actions.len() == 1 {
        actions.push("");
    }
    actions
}
