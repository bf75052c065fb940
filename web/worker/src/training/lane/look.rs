//! What happened in the last iteration of a seed, place by place.

use std::collections::BTreeMap;

use hgpo_train::policy::table::TablePolicy;
use hgpo_train::rollout::prompt_format::RememberedStep;
use hgpo_train::trainer::render_trace;

use super::replay::{Spot, Taken, steps};
use super::runner::{Played, Runner};
use crate::training::message::{Answer, Arrow, Cell, Memory};

/// Memories of a place that arrows show.
const SHOWN: usize = 3;
/// Actions of every memory: up, down, left and right.
const ACTIONS: usize = 4;

/// The last iteration of a seed.
pub(crate) struct LastIteration<'a> {
    runner: &'a Runner,
    played: &'a Played,
    steps: Vec<Taken>,
}

/// What was played.
pub(crate) fn look(runner: &Runner) -> Result<Answer, String> {
    let Some(Played { setup, iteration, trajectories, .. }) = &runner.last else {
        return Ok(Answer::Look { iteration: 0, rollouts: String::new() });
    };
    let rollouts = render_trace(&setup.of(runner.seed), *iteration, trajectories, None);
    let rollouts = rollouts.map_err(|error| error.to_string())?;
    let rollouts = String::from_utf8(rollouts).map_err(|error| error.to_string())?;
    Ok(Answer::Look { iteration: *iteration, rollouts })
}

/// What was learned at a place.
pub(crate) fn cell(runner: &Runner, row: usize, column: usize) -> Result<Cell, String> {
    let Some(last) = LastIteration::of(runner)? else {
        return Ok(Cell { memories: Vec::new() });
    };
    let is_here = |taken: &&Taken| (taken.spot.row, taken.spot.column) == (row, column);
    let here: Vec<&Taken> = last.steps.iter().filter(is_here).collect();
    Ok(Cell { memories: last.memories(&here) })
}

/// What the policy does at every place.
pub(crate) fn arrows(runner: &Runner) -> Result<Answer, String> {
    let places = LastIteration::of(runner)?.map(|last| {
        let places = last.by_spot().into_iter();
        places.map(|(spot, here)| last.arrow(spot, &here)).collect()
    });
    Ok(Answer::Arrows { places: places.unwrap_or_default() })
}

impl<'a> LastIteration<'a> {
    /// None before the first.
    fn of(runner: &'a Runner) -> Result<Option<Self>, String> {
        let Some(played) = &runner.last else { return Ok(None) };
        Ok(Some(Self { runner, played, steps: steps(runner.seed, played)? }))
    }

    /// The steps at every place, from the first row on.
    fn by_spot(&self) -> BTreeMap<Spot, Vec<&Taken>> {
        let mut found: BTreeMap<Spot, Vec<&Taken>> = BTreeMap::new();
        for taken in &self.steps {
            found.entry(taken.spot).or_default().push(taken);
        }
        found
    }

    fn arrow(&self, spot: Spot, here: &[&Taken]) -> Arrow {
        let mut memories = self.memories(here);
        let visits = here.len();
        let mean = |action: usize| {
            let sum: f64 = memories.iter().map(|it| it.visits as f64 * it.after[action]).sum();
            sum / visits as f64
        };
        let mean = [0, 1, 2, 3].map(mean);
        memories.truncate(SHOWN);
        let Spot { row, column, key } = spot;
        Arrow { row, column, key, visits, mean, memories }
    }

    /// What the agent had in mind in steps, the most frequent first, and equally frequent ones as they came.
    fn memories(&self, steps: &[&Taken]) -> Vec<Memory> {
        let mut places: BTreeMap<(bool, &[u32]), usize> = BTreeMap::new();
        let mut found: Vec<(&Taken, usize)> = Vec::new();
        for taken in steps {
            let next = found.len();
            let place = *places.entry((taken.spot.key, &taken.prompt)).or_insert(next);
            if place == next {
                found.push((taken, 0));
            }
            found[place].1 += 1;
        }
        found.sort_by_key(|&(_, visits)| std::cmp::Reverse(visits));
        found.into_iter().map(|(taken, visits)| self.memory(taken, visits)).collect()
    }

    fn memory(&self, taken: &Taken, visits: usize) -> Memory {
        let temperature = self.played.setup.config.rollout.temperature;
        let pair = |step: RememberedStep| (step.observation, step.action);
        let does = |policy: &TablePolicy| does(policy, &taken.prompt, temperature);
        Memory {
            past: self.played.past(taken).map(pair).collect(),
            observation: self.played.step(taken).state.clone(),
            key: taken.spot.key,
            visits,
            before: does(self.played.before.policy()),
            after: does(self.runner.now.policy()),
        }
    }
}

/// The probabilities of the actions that a prompt lists.
fn does(policy: &TablePolicy, prompt: &[u32], temperature: f64) -> [f64; ACTIONS] {
    let found = policy.probabilities(prompt, temperature);
    std::array::from_fn(|action| found.get(action).copied().unwrap_or_default())
}
