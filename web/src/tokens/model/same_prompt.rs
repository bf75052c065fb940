//! Steps with the same prompt, in all tasks of a file: one prompt followed through training.

use super::{
    NEW_LOG_PROBS, OLD_LOG_PROBS, PROMPT_IDS, ROLLOUT_LOG_PROBS, TOKEN_ADVANTAGES, numbers,
};
use crate::model::{Cell, Rollouts};
use hgpo_core::Step;
use serde_json::Value;

/// The most steps that are told.
const MOST: usize = 40;

/// A step with the same prompt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SamePrompt {
    /// The task, by its position.
    pub(crate) task: usize,
    /// The step.
    pub(crate) cell: Cell,
    /// The probability of its whole response before the update and after it, as far as they are known.
    pub(crate) probability: [Option<f64>; 2],
    /// Its advantage in the loss, if the file says.
    pub(crate) advantage: Option<f64>,
}

/// What a policy read at a step; none if the file does not say.
fn prompt(step: &Step) -> Option<(Option<&Value>, Option<&str>)> {
    let ids = step.extra.get(PROMPT_IDS);
    let text = step.prompt.as_deref().filter(|_| ids.is_none());
    (ids.is_some() || text.is_some()).then_some((ids, text))
}

/// The probability of a response, of the log-probabilities of its tokens.
fn probability(step: &Step, names: &[&str]) -> Option<f64> {
    let all = names.iter().map(|name| numbers(step, name)).find(|all| !all.is_empty())?;
    let sum: f64 = all.into_iter().sum::<Option<f64>>()?;
    Some(sum.exp())
}

/// The steps whose prompt is that of a step, itself among them, and how many more there are; none if it is the only one.
pub(crate) fn same_prompt(rollouts: &Rollouts, step: &Step) -> (Vec<SamePrompt>, usize) {
    let Some(own) = prompt(step) else { return (Vec::new(), 0) };
    let tasks = rollouts.tasks.iter().enumerate();
    let steps = tasks.flat_map(|(task, one)| {
        one.rows().iter().enumerate().flat_map(move |(row, own)| {
            let cell = move |(step, it)| (task, Cell { row, step }, it);
            own.steps.iter().enumerate().map(cell)
        })
    });
    let mut same = steps.filter(|(.., step)| prompt(step) == Some(own));
    let told = |(task, cell, step): (usize, Cell, &Step)| SamePrompt {
        task,
        cell,
        probability: [
            probability(step, &[OLD_LOG_PROBS, ROLLOUT_LOG_PROBS]),
            probability(step, &[NEW_LOG_PROBS]),
        ],
        advantage: numbers(step, TOKEN_ADVANTAGES).first().copied().flatten(),
    };
    let first: Vec<SamePrompt> = same.by_ref().take(MOST).map(told).collect();
    let more = same.count();
    if first.len() < 2 { (Vec::new(), 0) } else { (first, more) }
}
