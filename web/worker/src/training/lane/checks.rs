//! Whether a lane may be as large as settings say.

use hgpo_env::chores::guide::GuideAndWalker;
use hgpo_env::gridworld::Gridworld;
use hgpo_train::config::{AgentPolicy, Config, PolicyKind};
use serde_json::Value;

use crate::training::limits::{ASIDE, ASIDE_UPDATES, EPISODE, HISTORY, SEEDS, STEPS, UPDATES};

/// Checks that seeds can be trained with settings.
pub(crate) fn check(config: &Config, seeds: &[u64]) -> Result<(), String> {
    kinds(config)?;
    let count = seeds.len();
    if count == 0 || count > SEEDS {
        return Err(format!("seeds: {count} of them, but there must be 1 to {SEEDS}"));
    }
    if let Some(at) = (1..count).find(|&at| seeds[..at].contains(&seeds[at])) {
        return Err(format!("seeds: {} is listed twice; remove one", seeds[at]));
    }
    each(config)?;
    together(config, count)
}

fn kinds(config: &Config) -> Result<(), String> {
    let known = [Gridworld::NAME, GuideAndWalker::NAME];
    let name = &*config.environment.name;
    if !known.contains(&name) {
        return Err(format!(
            "setting 'environment.name': a lane knows no '{name}'; set it to {}",
            known.join(" or ")
        ));
    }
    if config.policy.kind != PolicyKind::Table {
        return Err("setting 'policy.kind': a lane trains tables; set it to table".into());
    }
    let own = config.agents.iter().find(|(_, agent)| agent.policy == AgentPolicy::Own);
    if let Some((agent, _)) = own {
        let by = "the agents of a lane share one table; set it to shared";
        return Err(format!("setting 'agents.{agent}.policy': {by}"));
    }
    if config.learn.environment_steps != 0 {
        let by = "a lane ends by iterations; set it to 0";
        return Err(format!("setting 'learn.environment_steps': {by}"));
    }
    Ok(())
}

/// What each is bounded by.
fn each(config: &Config) -> Result<(), String> {
    let length = config.estimator.get("context_length").as_ref().and_then(Value::as_u64);
    let settings = [
        ("environment.max_steps", config.environment.max_steps as u64, EPISODE as u64),
        ("rollout.history_length", config.rollout.history_length as u64, HISTORY),
        ("estimator.context_length", length.unwrap_or(0), HISTORY),
    ];
    let beyond = settings.into_iter().find(|(_, value, most)| value > most);
    beyond.map_or(Ok(()), |(name, value, most)| {
        Err(format!("setting '{name}': at most {most} in a lane, not {value}"))
    })
}

/// What several are bounded by.
fn together(config: &Config, seeds: usize) -> Result<(), String> {
    let product = |factors: &[usize]| factors.iter().fold(seeds, |all, &it| all.saturating_mul(it));
    let (rollout, learn) = (&config.rollout, &config.learn);
    let (warm, evaluation) = (&config.warm_start, &config.evaluation);
    let steps = config.environment.max_steps;
    let played = [rollout.tasks, rollout.group_size, steps];
    // Groups may be drawn again, and all that was played may be played on from.
    let again = [
        rollout.dynamic_sampling.saturating_add(1),
        learn.restarts.saturating_mul(steps).saturating_add(1),
    ];
    let batches = |factors: &[usize], size: usize| {
        let steps = factors.iter().fold(1_usize, |all, &it| all.saturating_mul(it));
        steps.div_ceil(size.max(1))
    };
    let warmed = [warm.episodes, steps];
    let splits = hgpo_train::trainer::SPLITS.len();
    let sizes = [
        (
            product(&[&played[..], &again].concat()),
            STEPS,
            "steps an iteration",
            match learn.restarts {
                0 => "rollout.tasks, rollout.group_size",
                _ => "learn.restarts, rollout.tasks, rollout.group_size",
            },
        ),
        (
            product(&[learn.epochs, batches(&played, learn.mini_batch_size)]),
            UPDATES,
            "updates an iteration",
            "learn.epochs or raise learn.mini_batch_size; or lower rollout.tasks",
        ),
        (
            product(&[warm.episodes, steps, warm.epochs.max(1)]),
            ASIDE,
            "steps of the warm start",
            "warm_start.episodes, warm_start.epochs",
        ),
        (
            product(&[warm.epochs, batches(&warmed, warm.mini_batch_size)]),
            ASIDE_UPDATES,
            "updates of the warm start",
            "warm_start.episodes, warm_start.epochs",
        ),
        (
            product(&[evaluation.tasks, evaluation.seeds.len(), splits, steps]),
            ASIDE,
            "steps of an evaluation",
            "evaluation.tasks, evaluation.seeds",
        ),
    ];
    let beyond = sizes.into_iter().find(|&(size, most, ..)| size > most);
    beyond.map_or(Ok(()), |(size, most, what, lower)| {
        Err(format!(
            "{seeds} seeds have up to {size} {what}, but a lane has at most {most}: lower {lower}, \
             environment.max_steps or the number of seeds"
        ))
    })
}
