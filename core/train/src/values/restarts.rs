//! Restarts: values of states, by playing on from them (Kazemnejad et al. 2024, VinePPO, arXiv 2410.01679).
//!
//! `V(s_t)` is the mean discounted return of `learn.restarts` continuations that the policy plays from
//! step t on, with its memory of the way there; they are not learned from. Attempts that did the same
//! from the start of a task share an estimate, as long as no chance was drawn on the way: they are in
//! the same state then. (VinePPO has neither discount nor chance.)
//!
//! Rewards are the environment's: there is no penalty for invalid responses in them.

use std::collections::HashMap;

use hgpo_env::Split;
use hgpo_env::random::{Purpose, Stream};

use super::play_continuations;
use crate::TrainerError;
use crate::policy::Policy;
use crate::rollout::episode::Episode;
use crate::rollout::episode_sampler::EpisodeSampler;
use crate::rollout::groups::SampledGroups;

/// A state to be valued: an episode, the step before which it is, and its number.
#[derive(Clone, Copy)]
struct Place {
    episode: usize,
    step: usize,
    number: usize,
}

/// Gives every step the value of its state, and counts the steps that this took.
pub(crate) fn estimate_values<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    iteration: u64,
    played: &mut SampledGroups,
) -> Result<(), TrainerError> {
    let restarts = sampler.config.learn.restarts;
    if restarts == 0 {
        return Ok(());
    }
    let discount = sampler.config.options()?.discount;
    let (numbers, places) = places(&played.episodes);
    let mut values = Vec::with_capacity(places.len());
    let mut steps = 0;
    let restart = |place| restart(sampler, iteration, played, place);
    let found = |_, continuations: &[Episode]| {
        steps += continuations.iter().map(|it| it.trajectory.steps.len()).sum::<usize>();
        let returns = continuations.iter().map(|it| it.first_return(discount));
        values.push(returns.sum::<f64>() / restarts as f64);
    };
    play_continuations(sampler, (&places, restarts), restart, found, "restarts")?;
    played.environment_steps += steps;
    for (episode, numbers) in played.episodes.iter_mut().zip(numbers) {
        for (step, number) in episode.trajectory.steps.iter_mut().zip(numbers) {
            step.state_value = Some(values[number]);
        }
    }
    Ok(())
}

/// Episodes that go on from a place, which is reached by the responses of its episode and with its chance.
fn restart<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    iteration: u64,
    played: &SampledGroups,
    place: Place,
) -> Result<Vec<Episode>, TrainerError> {
    let stream = |purpose, index| Stream::new(sampler.config.seed, purpose, [iteration, index]);
    let Episode { trajectory: of, turns, .. } = &played.episodes[place.episode];
    let drawn = stream(Purpose::Sampling, played.streams[place.episode]);
    let seed = of.seed.unwrap_or_default();
    let start = sampler.start(Split::Train, &of.task, &of.trajectory, seed, drawn)?;
    let there = sampler.replay(start, &turns[..place.step])?;
    let restarts = sampler.config.learn.restarts;
    let first = place.number * restarts;
    let continued = |index| there.continued(stream(Purpose::Restarts, index as u64));
    Ok((first..first + restarts).map(continued).collect())
}

/// The number of every step's state, and where each state is first met.
fn places(episodes: &[Episode]) -> (Vec<Vec<usize>>, Vec<Place>) {
    let mut places: Vec<Place> = Vec::new();
    let mut starts: HashMap<&str, usize> = HashMap::new();
    let mut next: HashMap<(usize, Option<&str>, bool), usize> = HashMap::new();
    let mut numbers = Vec::with_capacity(episodes.len());
    for (index, episode) in episodes.iter().enumerate() {
        let mut found = Vec::with_capacity(episode.trajectory.steps.len());
        let mut by_chance = false;
        for step in 0..episode.trajectory.steps.len() {
            let new = places.len();
            let number = match found.last() {
                None => *starts.entry(&episode.trajectory.task).or_insert(new),
                Some(_) if by_chance => new,
                Some(&before) => {
                    let taken = &episode.trajectory.steps[step - 1];
                    *next.entry((before, taken.action.as_deref(), taken.valid)).or_insert(new)
                }
            };
            if number == new {
                places.push(Place { episode: index, step, number });
            }
            found.push(number);
            by_chance |= episode.drew[step];
        }
        numbers.push(found);
    }
    (numbers, places)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hgpo_core::{Step, Trajectory};
    use hgpo_env::{EnvironmentConfig, Suite};

    use super::*;
    use crate::config::Config;
    use crate::executor::Sequential;
    use crate::test_environment::CoinSuite;
    use crate::trainer::{Iteration, Learner as _, Trainer, initial_policy};

    fn iteration(suite: Arc<dyn Suite>, restarts: usize) -> Iteration {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.rollout.tasks = 4;
        config.learn.restarts = restarts;
        let (policy, format) = initial_policy::table(&config);
        let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
        trainer.iterate(&Sequential).unwrap().unwrap()
    }

    fn coin(restarts: usize) -> Iteration {
        iteration(Arc::new(CoinSuite { shown: true }), restarts)
    }

    fn steps(iteration: &Iteration) -> impl Iterator<Item = &Step> {
        iteration.trajectories.iter().flat_map(|it| &it.steps)
    }

    #[test]
    fn restart_values_are_mean_returns_of_continuations() {
        let found = coin(1024);
        for step in steps(&found) {
            let value = step.state_value.unwrap();
            match step.state.as_str() {
                // 0.85 · 8 with probability 1/2: 3.4, with a standard deviation of 3.4 / 32 = 0.11.
                "start" => assert!((value - 3.4).abs() < 0.5, "{value}"),
                "heads" => assert!((value - 8.0).abs() < 1e-9, "{value}"),
                _ => assert!(value.abs() < 1e-9, "{value}"),
            }
        }
        // The start of each task is valued once; after the toss, each step: 4 + 32 states.
        let own = f64::from(4 * 8 * 2);
        let continued = f64::from(1024 * (4 * 2 + 32));
        let cost = found.metrics["environment_steps"].as_f64();
        assert_eq!(cost, Some(own + continued));
        assert_eq!(found.metrics["steps"].as_f64(), Some(own));
    }

    #[test]
    fn episodes_are_the_same_with_and_without_restarts() {
        let without_values = |iteration: Iteration| -> Vec<Trajectory> {
            let mut trajectories = iteration.trajectories;
            for step in trajectories.iter_mut().flat_map(|it| &mut it.steps) {
                step.state_value = None;
            }
            trajectories
        };
        assert!(steps(&coin(0)).all(|step| step.state_value.is_none()));
        assert_eq!(without_values(coin(2)), coin(0).trajectories);
        assert_eq!(coin(2).trajectories, coin(2).trajectories);
    }

    #[test]
    fn states_after_equal_beginnings_share_a_value() {
        let settings = EnvironmentConfig { max_steps: 4, ..EnvironmentConfig::default() };
        let found = iteration(hgpo_env::suite(&settings, None).unwrap(), 2);
        let mut values: HashMap<(&str, Vec<&str>), f64> = HashMap::new();
        let mut shared = 0;
        for trajectory in &found.trajectories {
            let mut way = Vec::new();
            for step in &trajectory.steps {
                let value = step.state_value.unwrap();
                let key = (trajectory.task.as_str(), way.clone());
                let known = values.insert(key, value);
                shared += usize::from(known.is_some());
                assert!(known.is_none_or(|known| known.total_cmp(&value).is_eq()));
                way.push(step.action.as_deref().unwrap());
            }
        }
        assert!(shared >= 4 * 7, "{shared}");
    }
}
