use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::sync::Arc;

use hgpo_env::Suite;

use super::*;
use crate::config::{AgentAverage, AgentConfig, AgentPolicy, Config, PolicyKind};
use crate::executor::Sequential;
use crate::policy::table::TablePolicy;
use crate::trainer::initial_policy::{of_team, table};
use crate::trainer::{Iteration, Learner as _, Trainer};

/// Tables that solve and check.
fn config() -> Config {
    let mut config = Config::default();
    config.policy.kind = PolicyKind::Table;
    config.environment.name = "countdown-team".into();
    config.warm_start.episodes = 0;
    (config.rollout.tasks, config.rollout.group_size) = (4, 8);
    config
}

fn own(config: &mut Config, agent: &str, learning_rate: Option<f64>) {
    let own = AgentConfig { policy: AgentPolicy::Own, learning_rate };
    config.agents.insert(agent.into(), own);
}

fn suite(config: &Config) -> Arc<dyn Suite> {
    hgpo_env::suite(&config.environment, None).unwrap()
}

fn shared(config: &Config) -> Trainer<TablePolicy> {
    let (policy, format) = table(config);
    Trainer::new(config, suite(config), format, policy).unwrap()
}

fn team(config: &Config) -> Trainer<TeamPolicy<TablePolicy>> {
    let (policy, format) = table(config);
    let suite = suite(config);
    let (policy, format) = of_team(&policy, format, &config.team(suite.as_ref()));
    Trainer::new(config, suite, format, policy).unwrap()
}

fn iterate<P: Policy>(trainer: &mut Trainer<P>) -> Iteration {
    trainer.iterate(&Sequential).unwrap().unwrap()
}

type Files = BTreeMap<String, Vec<u8>>;

fn saved<P: Policy>(trainer: &Trainer<P>) -> Files {
    let mut files = Files::new();
    let mut write = |name: &str, bytes: Vec<u8>| {
        assert!(files.insert(name.to_owned(), bytes).is_none(), "{name} is written twice");
        Ok(())
    };
    trainer.save(&mut write).unwrap();
    files
}

fn restore<P: Policy>(trainer: &mut Trainer<P>, files: &Files) -> Result<(), crate::TrainerError> {
    let missing = || Error::from(ErrorKind::NotFound);
    trainer.restore(&mut |name| files.get(name).cloned().ok_or_else(missing))
}

/// Tables of two agents have no memory in common: two of them do what one does, as long as no norm is clipped.
#[test]
fn tables_of_their_own_play_and_learn_as_a_shared_one() {
    let mut config = config();
    config.learn.max_grad_norm = 1e30;
    let mut trainer_of_one = shared(&config);
    own(&mut config, "checker", None);
    let mut trainer_of_two = team(&config);
    for _ in 0..3 {
        let (one, two) = (iterate(&mut trainer_of_one), iterate(&mut trainer_of_two));
        assert_eq!(one.trajectories, two.trajectories);
        let prompts =
            |it: &Iteration| it.samples.iter().map(|it| it.prompt.clone()).collect::<Vec<_>>();
        let whole = prompts(&two);
        assert!(whole.iter().any(|it| it[0] == 0) && whole.iter().any(|it| it[0] == 1));
        let of_two = trainer_of_two.token_records(two.samples.clone(), &Sequential).unwrap();
        let seen: Vec<_> = of_two.iter().map(|it| it.prompt.clone()).collect();
        assert_eq!(prompts(&one), seen, "the number of the policy is not seen");
        let of_one = trainer_of_one.token_records(one.samples.clone(), &Sequential).unwrap();
        for (one, two) in of_one.iter().zip(&of_two) {
            assert!((one.new[0] - two.new[0]).abs() < 1e-9, "{} {}", one.new[0], two.new[0]);
        }
        assert!(of_one.iter().any(|it| it.new != it.old));
        let number = |it: &Iteration, name: &str| it.metrics[name].as_f64().unwrap();
        for name in ["loss/policy", "kl", "entropy", "grad_norm"] {
            assert!((number(&one, name) - number(&two, name)).abs() < 1e-12, "{name}");
        }
        let own =
            ["solver", "checker"].map(|agent| number(&two, &format!("agent/{agent}/grad_norm")));
        assert!((own[0].hypot(own[1]) - number(&two, "grad_norm")).abs() < 1e-12);
        assert!(!one.metrics.contains_key("agent/solver/grad_norm"));
    }
}

#[test]
fn every_policy_learns_at_its_own_rate() {
    let mut config = config();
    own(&mut config, "checker", Some(1e-30));
    let mut trainer = team(&config);
    let begun = saved(&trainer);
    iterate(&mut trainer);
    let (after, of) = (saved(&trainer), |files: &Files, number: usize| {
        let names: Vec<&String> =
            files.keys().filter(|it| it.starts_with(&format!("policy_{number}_"))).collect();
        assert!(!names.is_empty());
        names.into_iter().map(|name| files[name].clone()).collect::<Vec<_>>()
    });
    assert_ne!(of(&begun, 0), of(&after, 0));
    let preferences = |files: &Files| {
        let TeamPolicy { members, .. } = {
            let mut trainer = team(&config);
            restore(&mut trainer, files).unwrap();
            trainer.state.policy
        };
        members[1].clone()
    };
    let checked = preferences(&after);
    let prompt = crate::policy::table::prompt(1, [2, 3]);
    let passage = Passage { prompt: &prompt, response: &[0] };
    // A rate of almost nothing leaves probabilities as they were.
    let score = checked.score(&[passage], 1.0).unwrap()[0].log_probability;
    assert!((score - 0.5_f64.ln()).abs() < 1e-12);
}

#[test]
fn a_team_that_was_saved_goes_on_as_if_it_had_not_been() {
    let mut config = config();
    own(&mut config, "checker", Some(0.1));
    let mut trainer = team(&config);
    iterate(&mut trainer);
    let files = saved(&trainer);
    let mut again = team(&config);
    restore(&mut again, &files).unwrap();
    assert_eq!(saved(&again), files);
    let (next, expected) = (iterate(&mut again), iterate(&mut trainer));
    assert_eq!((next.metrics, next.trajectories), (expected.metrics, expected.trajectories));
    assert_eq!(saved(&again), saved(&trainer));
    let mut damaged = files.clone();
    damaged.insert(STEPS.to_owned(), b"[1]".to_vec());
    let error = restore(&mut team(&config), &damaged).unwrap_err().to_string();
    assert!(error.contains("it is of 1 policies, not of 2"), "{error}");
    damaged.remove(STEPS);
    assert!(restore(&mut team(&config), &damaged).is_err());
}

/// One agent's turns weigh as much as the other's, however many they are.
#[test]
fn the_mean_over_agents_weighs_each_alike() {
    let mut config = config();
    let weights = |config: &Config| {
        let iteration = iterate(&mut shared(config));
        let steps = iteration.trajectories.iter().flat_map(|it| &it.steps);
        let mut sums = BTreeMap::new();
        for (step, sample) in steps.zip(&iteration.samples) {
            let sum: &mut (f64, usize) = sums.entry(step.agent.clone().unwrap()).or_default();
            *sum = (sum.0 + sample.weight, sum.1 + 1);
        }
        sums.into_values().collect::<Vec<_>>()
    };
    let turns = weights(&config);
    assert!(
        turns.iter().all(|(sum, count)| (sum - *count as f64).abs() < 1e-9)
            && turns[0].1 < turns[1].1
    );
    config.learn.agent_average = AgentAverage::Agents;
    let alike = weights(&config);
    let all: usize = turns.iter().map(|it| it.1).sum();
    assert!(alike.iter().all(|(sum, _)| (sum - all as f64 / 2.0).abs() < 1e-9), "{alike:?}");
}

#[test]
fn agents_that_are_not_there_and_rates_of_nothing_are_refused() {
    let mut config = config();
    own(&mut config, "walker", None);
    let refused = |config: &Config| {
        let checked = config.validate().and_then(|()| config.suits(suite(config).as_ref()));
        checked.unwrap_err().to_string()
    };
    assert_eq!(
        refused(&config),
        "setting 'agents.walker': countdown-team has no such agent: choose from solver, checker"
    );
    config.agents.clear();
    let shared = AgentConfig { learning_rate: Some(0.1), ..AgentConfig::default() };
    config.agents.insert("solver".into(), shared);
    assert!(refused(&config).starts_with("setting 'agents.solver.learning_rate': a shared policy"));
    own(&mut config, "solver", Some(f64::NAN));
    assert!(refused(&config).contains("agents.solver.learning_rate': must lie between"));
    own(&mut config, "solver", None);
    config.critic.kind = crate::config::CriticKind::LeastSquares;
    assert!(refused(&config).starts_with("setting 'critic.kind': a critic reads"));
}

#[test]
fn prompts_for_nobody_are_refused() {
    let team = TeamPolicy::new(&TablePolicy::default(), vec![1.0, 1.0]);
    for prompt in [&[][..], &[2], &[u32::MAX, 1]] {
        let passage = Passage { prompt, response: &[0] };
        assert!(team.score(&[passage], 1.0).is_err());
        let sampling = crate::policy::sampling::Sampling::at(1.0);
        let mut streams =
            [hgpo_env::random::Stream::new(1, hgpo_env::random::Purpose::Sampling, [0, 0])];
        assert!(team.generate(&[prompt], sampling, 1, &mut streams, &mut |_, _| true).is_err());
    }
}
