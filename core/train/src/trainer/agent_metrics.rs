//! Metrics of every agent, and how much the turns of each count.

use std::collections::BTreeMap;

use hgpo_core::{Batch, Estimate, Trajectory};
use serde_json::Value;

use super::agent_play::AgentPlay;
use super::metrics::Metrics;
use crate::config::{AgentAverage, LearnConfig, TeamMember};
use crate::objective::clipped::Sample;

/// Sums over the turns of an agent.
#[derive(Clone, Default)]
struct TurnSums {
    squared_advantage: f64,
    reward: f64,
    tokens: f64,
    log_probability: f64,
}

/// Who acted at every step, by the agent's place in the order of their first turns; none if there is but one agent.
pub(super) fn agents(batch: &Batch) -> Option<(Vec<&str>, Vec<usize>)> {
    let mut names: Vec<&str> = Vec::new();
    let mut places = Vec::with_capacity(batch.step_count());
    for step in batch.trajectories().iter().flat_map(|it| &it.steps) {
        let name = step.agent.as_deref()?;
        let place = names.iter().position(|known| *known == name);
        places.push(place.unwrap_or(names.len()));
        if place.is_none() {
            names.push(name);
        }
    }
    Some((names, places))
}

/// Weights samples as the settings have it.
///
/// # Formula
/// `agents`: w = N / (K n_k) for each of the n_k tokens of agent k, of N tokens of K agents, so that Σ w = N as without
/// weights. Where the loss is a mean over responses, these are counted in place of tokens.
pub(super) fn weigh(samples: &mut [Sample], batch: &Batch, learn: &LearnConfig) {
    if learn.agent_average == AgentAverage::Turns {
        return;
    }
    let Some((names, places)) = agents(batch) else { return };
    let by_tokens = learn.objective.aggregation != hgpo_core::Aggregation::Responses;
    let count = |sample: &Sample| if by_tokens { sample.response.len() as f64 } else { 1.0 };
    let mut counts = vec![0.0; names.len()];
    for (sample, &place) in samples.iter().zip(&places) {
        counts[place] += count(sample);
    }
    let all: f64 = counts.iter().sum();
    for (sample, &place) in samples.iter_mut().zip(&places) {
        sample.weight = all / (names.len() as f64 * counts[place].max(1.0));
    }
}

/// What every agent did, what it earned if rewards are agents' own (`of_teams` are the episodes of all then), and the
/// norm of the gradient of its policy if there are several.
pub(super) fn put(
    of_teams: Option<&[Trajectory]>,
    batch: &Batch,
    estimate: &Estimate,
    samples: &[Sample],
    (team, norms): (&[TeamMember], &[(f64, usize)]),
    metrics: &mut Metrics,
) {
    let Some((names, places)) = agents(batch) else { return };
    let mut sums = vec![TurnSums::default(); names.len()];
    let turns = places.iter().zip(estimate.advantages.values()).zip(samples);
    let steps = batch.trajectories().iter().flat_map(|it| &it.steps);
    for (((&place, advantage), sample), step) in turns.zip(steps) {
        let of = &mut sums[place];
        of.reward += step.reward;
        of.squared_advantage += advantage * advantage;
        of.tokens += sample.old.len() as f64;
        of.log_probability += sample.old.iter().sum::<f64>();
    }
    let mut play = BTreeMap::new();
    AgentPlay::add_all(&mut play, batch.trajectories());
    for (name, of) in names.into_iter().zip(sums) {
        let play = play.remove(name).unwrap_or_default();
        let episodes = of_teams.unwrap_or(batch.trajectories()).len();
        let means = play.means(episodes);
        let mut put = |key: &str, value: f64| {
            metrics.insert(format!("agent/{name}/{key}"), Value::from(value));
        };
        if of_teams.is_some() {
            put("reward/mean", of.reward / episodes.max(1) as f64);
        }
        put("turns", means.turns);
        put("success_rate", means.success_rate);
        put("invalid_fraction", means.invalid_fraction);
        put("advantage_second_moment", of.squared_advantage / play.turns.max(1) as f64);
        put("entropy", -of.log_probability / of.tokens.max(1.0));
        let member = team.iter().position(|member| member.agents.iter().any(|it| it == name));
        if let Some(&(norm, updates)) = member.and_then(|member| norms.get(member))
            && updates > 0
        {
            put("grad_norm", norm / updates as f64);
        }
    }
}
