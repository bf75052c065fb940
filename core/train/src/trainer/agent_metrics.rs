//! Metrics of every agent, and how much the turns of each count.

use hgpo_core::{Batch, Estimate};
use serde_json::Value;

use super::metrics::Metrics;
use crate::config::{AgentAverage, LearnConfig, TeamMember};
use crate::objective::clipped::Sample;

/// Sums over what an agent did.
#[derive(Default)]
struct AgentSums {
    name: String,
    turns: f64,
    invalid: f64,
    squared_advantage: f64,
    tokens: f64,
    log_probability: f64,
    /// Episodes in which it acted, and those of them that succeeded.
    episodes: f64,
    won: f64,
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

/// What every agent did, and the norm of the gradient of its policy if there are several.
pub(super) fn put(
    batch: &Batch,
    estimate: &Estimate,
    samples: &[Sample],
    (team, norms): (&[TeamMember], &[(f64, usize)]),
    metrics: &mut Metrics,
) {
    let Some((names, places)) = agents(batch) else { return };
    let mut sums: Vec<AgentSums> = Vec::new();
    sums.extend(
        names.iter().map(|name| AgentSums { name: (*name).to_owned(), ..AgentSums::default() }),
    );
    let advantages = estimate.advantages.values();
    let steps = batch.trajectories().iter().flat_map(|it| &it.steps);
    for (((&place, advantage), step), sample) in
        places.iter().zip(advantages).zip(steps).zip(samples)
    {
        let of = &mut sums[place];
        of.turns += 1.0;
        of.invalid += f64::from(u8::from(!step.valid));
        of.squared_advantage += advantage * advantage;
        of.tokens += sample.old.len() as f64;
        of.log_probability += sample.old.iter().sum::<f64>();
    }
    let mut places = places.iter();
    for episode in batch.trajectories() {
        let mut acted = vec![false; sums.len()];
        places.by_ref().take(episode.steps.len()).for_each(|&place| acted[place] = true);
        for (of, _) in sums.iter_mut().zip(acted).filter(|(_, acted)| *acted) {
            of.episodes += 1.0;
            of.won += f64::from(u8::from(episode.success == Some(true)));
        }
    }
    let count = batch.trajectories().len().max(1) as f64;
    for of in sums {
        let mut put = |name: &str, value: f64| {
            metrics.insert(format!("agent/{}/{name}", of.name), Value::from(value));
        };
        put("turns", of.turns / count);
        put("success_rate", of.won / of.episodes);
        put("invalid_fraction", of.invalid / of.turns);
        put("advantage_second_moment", of.squared_advantage / of.turns);
        put("entropy", -of.log_probability / of.tokens.max(1.0));
        let member = team.iter().position(|member| member.agents.contains(&of.name));
        if let Some(&(norm, updates)) = member.and_then(|member| norms.get(member))
            && updates > 0
        {
            put("grad_norm", norm / updates as f64);
        }
    }
}
