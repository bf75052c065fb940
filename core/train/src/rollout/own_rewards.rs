//! Rewards of agents' own: an episode taken apart into one for each agent.
//!
//! # Formula
//! ```text
//! r_j^k = Σ_{t_j ≤ t < t_(j+1)} e_t^k
//! ```
//! e_t^k is what agent k earns by the step at time t, whoever takes it, and t_j the time of k's turn j: a turn has what
//! comes until k acts again, as `PettingZoo` adds rewards up between turns. What comes before its first turn is
//! nobody's. Returns are discounted by k's turns. Its episodes are compared in a group of their own, the task with the
//! agent's name behind it.

use std::collections::{BTreeMap, BTreeSet};

use hgpo_core::{Step, Trajectory};
use hgpo_env::EnvError;

use super::episode::Episode;
use crate::config::AgentRewards;

impl Episode {
    /// The sums of the rewards that are learned from: the team's, or those of every agent.
    pub(super) fn sums(&self, rewards: AgentRewards) -> Vec<f64> {
        if rewards == AgentRewards::Team {
            return vec![self.trajectory.steps.iter().map(|step| step.reward).sum()];
        }
        let names: BTreeSet<&String> = self.earned.iter().flat_map(BTreeMap::keys).collect();
        let of = |name| self.earned.iter().filter_map(|earned| earned.get(name)).sum();
        names.into_iter().map(of).collect()
    }

    /// The episodes that are learned from: this one, or one for each agent.
    ///
    /// # Errors
    /// Agents that learn from the reward of their team do not have the same.
    pub(crate) fn learned_from(self, rewards: AgentRewards) -> Result<Vec<Self>, EnvError> {
        if rewards == AgentRewards::Own {
            return Ok(self.taken_apart());
        }
        self.check_shared()?;
        Ok(vec![self])
    }

    /// Checks that agents share the reward of every step.
    ///
    /// # Errors
    /// Where they do not, and what to do.
    fn check_shared(&self) -> Result<(), EnvError> {
        let differ = |earned: &BTreeMap<String, f64>| {
            let mut rewards = earned.values();
            let first = rewards.next();
            rewards.any(|reward| first.is_some_and(|first| (first - reward).abs() > 0.0))
        };
        let Some(time) = self.earned.iter().position(differ) else { return Ok(()) };
        let earned = self.earned[time].iter().map(|(name, reward)| format!("{name} {reward}"));
        let earned = earned.collect::<Vec<_>>().join(", ");
        let Trajectory { trajectory, environment, .. } = &self.trajectory;
        let reason = format!(
            "the agents learn from the reward of their team, but in {trajectory}, step {time}, they earn {earned}: set \
             learn.agent_rewards=own, or give all of them the same"
        );
        Err(EnvError::new(environment.as_deref().unwrap_or_default(), reason))
    }

    /// An episode for each agent that acted, in the order of their first turns: its turns, with what it earned itself.
    fn taken_apart(self) -> Vec<Self> {
        let mut names: Vec<Option<String>> = Vec::new();
        for step in &self.trajectory.steps {
            if !names.contains(&step.agent) {
                names.push(step.agent.clone());
            }
        }
        names.into_iter().map(|name| self.part(name.as_deref())).collect()
    }

    fn part(&self, name: Option<&str>) -> Self {
        let Trajectory { task, trajectory, success, seed, environment, steps, extra } =
            &self.trajectory;
        let task = name.map_or_else(|| task.clone(), |name| format!("{task}/{name}"));
        let trajectory = Trajectory {
            success: *success,
            seed: *seed,
            environment: environment.clone(),
            extra: extra.clone(),
            ..Trajectory::new(task, trajectory, Vec::new())
        };
        let mut part = Self::new(self.environment.snapshot(), trajectory, self.stream.clone());
        (part.done, part.won) = (self.done, self.won);
        for (time, step) in steps.iter().enumerate() {
            if step.agent.as_deref() == name {
                part.trajectory.steps.push(Step { reward: 0.0, ..step.clone() });
                part.turns.extend(self.turns.get(time).cloned());
                part.drew.extend(self.drew.get(time));
            }
            let earned = name.and_then(|name| self.earned.get(time)?.get(name));
            if let (Some(last), Some(earned)) = (part.trajectory.steps.last_mut(), earned) {
                last.reward += earned;
            }
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hgpo_core::{Batch, Options, estimate};
    use hgpo_env::random::Stream;
    use hgpo_env::{Environment, Observation, Outcome, Split, Suite};

    use super::*;
    use crate::TrainerError;
    use crate::config::{Config, CriticKind, PolicyKind};
    use crate::executor::Sequential;
    use crate::policy::table::TablePolicy;
    use crate::trainer::{Learner as _, Trainer, initial_policy};

    const AGENTS: [&str; 2] = ["left", "right"];

    /// Four turns of two rivals: who takes earns 1, and the other loses it.
    #[derive(Clone, Default)]
    struct Rivalry {
        earned: BTreeMap<String, f64>,
        steps: usize,
    }

    impl Environment for Rivalry {
        fn instruction(&self) -> &'static str {
            "earn"
        }

        fn observe(&self) -> Observation {
            Observation {
                agent: Some(AGENTS[self.steps % 2].into()),
                ..Observation::listed("table", vec!["take".into(), "leave".into()])
            }
        }

        fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
            let taken = f64::from(u8::from(action == "take"));
            let (actor, other) = (AGENTS[self.steps % 2], AGENTS[(self.steps + 1) % 2]);
            self.earned = BTreeMap::from([(actor.into(), taken), (other.into(), -taken)]);
            self.steps += 1;
            Outcome { reward: 0.0, done: self.steps == 4, won: false, admissible: true }
        }

        fn agent_rewards(&self) -> Option<&BTreeMap<String, f64>> {
            Some(&self.earned)
        }

        fn snapshot(&self) -> Box<dyn Environment> {
            Box::new(self.clone())
        }
    }

    struct Rivalries;

    impl Suite for Rivalries {
        fn name(&self) -> &'static str {
            "rivalry"
        }

        fn start(&self, _: Split, _: u64) -> Result<Box<dyn Environment>, EnvError> {
            Ok(Box::new(Rivalry::default()))
        }

        fn max_steps(&self) -> usize {
            4
        }

        fn agents(&self) -> Vec<&str> {
            AGENTS.to_vec()
        }

        fn gives_agent_rewards(&self) -> bool {
            true
        }
    }

    fn config(rewards: AgentRewards) -> Config {
        let mut config = Config::default();
        config.policy.kind = PolicyKind::Table;
        (config.environment.max_steps, config.warm_start.episodes) = (4, 0);
        (config.rollout.tasks, config.rollout.group_size) = (2, 8);
        (config.learn.agent_rewards, config.learn.learning_rate) = (rewards, 0.3);
        (config.learn.warmup_iterations, config.learn.invalid_penalty) = (0, 0.0);
        config
    }

    fn trainer(config: &Config) -> Trainer<TablePolicy> {
        config.suits(&Rivalries).unwrap();
        let (policy, format) = initial_policy::table(config);
        Trainer::new(config, Arc::new(Rivalries), format, policy).unwrap()
    }

    #[test]
    fn a_turn_has_what_comes_until_its_agent_acts_again() {
        let mut config = config(AgentRewards::Own);
        config.rollout.dynamic_sampling = 1;
        let mut trainer = trainer(&config);
        let played = trainer.iterate(&Sequential).unwrap().unwrap();
        assert_eq!(played.trajectories.len(), played.streams.len());
        assert_eq!(
            played.trajectories.iter().map(|it| it.steps.len()).sum::<usize>(),
            played.samples.len()
        );
        let mut different = BTreeSet::new();
        for pair in played.trajectories.chunks(2) {
            let [left, right] = pair else { panic!("two agents") };
            assert_eq!(left.trajectory, right.trajectory);
            assert_eq!(
                [&left.task, &right.task],
                [&format!("{}/left", &left.task[..3]), &format!("{}/right", &left.task[..3])]
            );
            let took = |of: &Trajectory, turn: usize| {
                f64::from(u8::from(of.steps[turn].action.as_deref() == Some("take")))
            };
            let [a, b, c, d] = [took(left, 0), took(right, 0), took(left, 1), took(right, 1)];
            let rewards =
                |of: &Trajectory| of.steps.iter().map(|step| step.reward).collect::<Vec<_>>();
            // What left takes first, before right has acted, is not right's loss to answer for.
            assert_eq!(rewards(left), [a - b, c - d]);
            assert_eq!(rewards(right), [b - c, d]);
            different.insert([a, b, c, d].map(|it| it > 0.0));
        }
        assert!(different.len() > 4, "{different:?}");
        // Each agent's advantages are those of its episodes alone.
        let options: Options = config.options().unwrap();
        let of_left: Vec<_> = played.trajectories.iter().step_by(2).cloned().collect();
        let alone = estimate(&Batch::new(of_left).unwrap(), &options).unwrap();
        let all = estimate(&Batch::new(played.trajectories).unwrap(), &options).unwrap();
        for (index, alone) in alone.advantages.iter().enumerate() {
            assert_eq!(alone, &all.advantages[2 * index]);
        }
        // Rivals' rewards add up to nothing, which would be no signal.
        assert_eq!(played.metrics["reward/mean"], 0.0);
        assert_eq!(played.metrics["dropped_groups"], 0.0);
        assert_eq!(played.metrics["episode_length/mean"], 4.0);
        assert_eq!(played.metrics["agent/left/turns"], 2.0);
    }

    #[test]
    fn rivals_learn_each_for_itself() {
        let mut trainer = trainer(&config(AgentRewards::Own));
        let mut shares = Vec::new();
        for _ in 0..40 {
            let played = trainer.iterate(&Sequential).unwrap().unwrap();
            let steps = || played.trajectories.iter().flat_map(|it| &it.steps);
            let takes = steps().filter(|step| step.action.as_deref() == Some("take")).count();
            shares.push(takes as f64 / steps().count() as f64);
        }
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        assert!(mean(&shares[..3]) < 0.7 && mean(&shares[35..]) > 0.9, "{shares:?}");
    }

    #[test]
    fn rewards_that_differ_are_not_the_teams() {
        let error = trainer(&config(AgentRewards::Team)).iterate(&Sequential).unwrap_err();
        let said = error.to_string();
        assert!(matches!(error, TrainerError::Environment(_)), "{said}");
        for part in ["rivalry", "g00t0, step ", "left ", "right ", "learn.agent_rewards=own"] {
            assert!(said.contains(part), "{said}");
        }
        let guide = hgpo_env::suite(&Config::default().environment, None).unwrap();
        let error = config(AgentRewards::Own).suits(guide.as_ref()).unwrap_err();
        assert!(
            error.to_string().contains("chores does not tell what each agent earns"),
            "{error}"
        );
        let mut valued = config(AgentRewards::Own);
        valued.learn.restarts = 2;
        assert!(valued.validate().unwrap_err().to_string().contains("learn.restarts"));
        (valued.learn.restarts, valued.critic.kind) = (0, CriticKind::LeastSquares);
        assert!(valued.validate().unwrap_err().to_string().contains("critic.kind"));
    }
}
