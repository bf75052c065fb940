//! Situations behind the steps of an attempt that was recorded, or made by hand.

use serde::{Deserialize, Serialize};

use super::{Decision, Move, Process, Situation};
use crate::rollout::{Step, Trajectory};

/// Why an attempt cannot be one of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misfit {
    /// The first step that does not fit.
    pub step: usize,
    /// In what.
    pub kind: MisfitKind,
}

/// What does not fit, when all that comes before does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MisfitKind {
    /// Nothing that comes before leads to this state, with this agent.
    State,
    /// The policy never does this here.
    Action,
    /// The action never brings this reward.
    Reward,
    /// The attempt is over before this step, or cut.
    Over,
    /// The attempt stops after this step, and the process does not.
    Stops,
}

impl Process {
    /// The decision behind each step of an attempt, if states, agents, actions, validity and
    /// rewards of the whole attempt leave only one situation; none if they leave several.
    ///
    /// Situations that can be reached from the start are kept, step by step, and then those from
    /// which the rest of the attempt can be reached.
    ///
    /// # Errors
    /// The first step at which the attempt cannot be one of the process.
    pub fn locate(&self, attempt: &Trajectory) -> Result<Vec<Option<Decision>>, Misfit> {
        let steps = &attempt.steps;
        let mut possible = self.forward(steps)?;
        for step in (1..steps.len()).rev() {
            let (before, after) = possible.split_at_mut(step);
            let leads_on = |&situation: &usize| {
                self.leads(situation, &steps[step - 1])
                    .any(|next| after[0].binary_search(&next).is_ok())
            };
            before[step - 1].retain(leads_on);
        }
        let decision = |(step, possible): (usize, Vec<usize>)| {
            let &[situation] = &possible[..] else { return None };
            let action = self.situations[situation].position(&steps[step])?;
            Some(Decision { situation, steps_left: self.step_limit - step, action })
        };
        Ok(possible.into_iter().enumerate().map(decision).collect())
    }

    /// The situations of each step that what comes before leads to, and that allow the step itself, in
    /// ascending order.
    fn forward(&self, steps: &[Step]) -> Result<Vec<Vec<usize>>, Misfit> {
        let mut possible = Vec::with_capacity(steps.len());
        let mut here: Vec<usize> = self.start.iter().map(|start| start.situation).collect();
        here.sort_unstable();
        for (number, step) in steps.iter().enumerate() {
            let mut narrow = |kind, keep: &dyn Fn(&Situation) -> bool| {
                here.retain(|&situation| keep(&self.situations[situation]));
                if here.is_empty() { Err(Misfit { step: number, kind }) } else { Ok(()) }
            };
            narrow(MisfitKind::State, &|it| it.state == step.state && it.agent == step.agent)?;
            narrow(MisfitKind::Action, &|it| it.position(step).is_some())?;
            narrow(MisfitKind::Reward, &|it| it.outcomes(step).next().is_some())?;
            let is_cut = number + 1 == self.step_limit;
            if number + 1 == steps.len() {
                narrow(MisfitKind::Stops, &|it| {
                    is_cut || it.outcomes(step).any(|next| next.is_none())
                })?;
                possible.push(here);
                return Ok(possible);
            }
            let mut next: Vec<usize> =
                here.iter().flat_map(|&situation| self.leads(situation, step)).collect();
            if is_cut || next.is_empty() {
                return Err(Misfit { step: number + 1, kind: MisfitKind::Over });
            }
            next.sort_unstable();
            next.dedup();
            possible.push(std::mem::replace(&mut here, next));
        }
        Ok(possible)
    }

    /// The situations that a step leads to.
    fn leads(&self, situation: usize, step: &Step) -> impl Iterator<Item = usize> {
        self.situations[situation].outcomes(step).flatten()
    }
}

impl Situation {
    /// The number of a step's action.
    fn position(&self, step: &Step) -> Option<usize> {
        let is_it = |of: &Move| Some(&of.action) == step.action.as_ref() && of.valid == step.valid;
        self.actions.iter().position(is_it)
    }

    /// Where a step with its action and reward leads: a situation, or the end.
    #[allow(clippy::float_cmp, reason = "rewards are written, not computed")]
    fn outcomes(&self, step: &Step) -> impl Iterator<Item = Option<usize>> {
        let outcomes = self.position(step).map_or(&[][..], |action| &self.actions[action].outcomes);
        outcomes.iter().filter(|it| it.reward == step.reward).map(|it| it.next)
    }
}
