use std::sync::Arc;

use hgpo_core::process::Decision;
use hgpo_core::{Discount, Trajectory, discounted_returns};

use super::*;
use crate::config::Config;
use crate::executor::Sequential;
use crate::policy::table::TablePolicy;
use crate::test_environment::CoinSuite;
use crate::trainer::{Learner as _, Trainer, initial_policy};

/// A run of a table in a gridworld.
fn config(map: &str, slip: f64, history_length: usize, max_steps: usize) -> Config {
    let text = format!(
        "seed = 3\n\
         environment = {{ name = \"gridworld\", max_steps = {max_steps}, gridworld = {{ map = {map:?}, slip = {slip} }} }}\n\
         rollout = {{ tasks = 2, history_length = {history_length} }}\n\
         warm_start = {{ episodes = 0 }}\n\
         learn = {{ learning_rate = 0.1, warmup_iterations = 0 }}\n"
    );
    toml::from_str(&text).unwrap()
}

fn trainer(config: &Config) -> Trainer<TablePolicy> {
    let suite = hgpo_env::suite(&config.environment, None).unwrap();
    let (policy, format) = initial_policy::table(config);
    Trainer::new(config, suite, format, policy).unwrap()
}

/// The process of a task of training under a policy.
fn of(
    trainer: &Trainer<TablePolicy>,
    policy: &TablePolicy,
    seed: u64,
) -> Result<Process, ProcessError> {
    let setting = ProcessSetting {
        policy,
        format: trainer.format.as_ref(),
        suite: trainer.suite.as_ref(),
        history_length: trainer.config.rollout.history_length,
        temperature: trainer.config.rollout.temperature,
    };
    finite_process(&setting, Split::Train, seed)
}

fn half() -> Discount {
    Discount::new(0.5).unwrap()
}

#[test]
fn chance_is_the_environments() {
    let config = Config::default();
    let (policy, format) = initial_policy::table(&config);
    for shown in [true, false] {
        let suite = CoinSuite { shown };
        let setting = ProcessSetting {
            policy: &policy,
            format: format.as_ref(),
            suite: &suite,
            history_length: 2,
            temperature: 1.0,
        };
        let finite_process = finite_process(&setting, Split::Train, 0).unwrap();
        let states: Vec<_> =
            finite_process.situations().iter().map(|it| it.state.as_str()).collect();
        let second = if shown { ["heads", "tails"] } else { ["coin"; 2] };
        assert_eq!(states, ["start", second[0], second[1]]);
        // γ = 1/2: 8 for heads, nothing for tails, and before the toss half of their mean.
        let values = finite_process.values(half());
        assert_eq!(
            [0, 1, 2].map(|it| values.value(it, 1).to_bits()),
            [0.0_f64, 8.0, 0.0].map(f64::to_bits)
        );
        assert_eq!(values.value(0, 2).to_bits(), 2f64.to_bits());
        let agents: Vec<_> =
            finite_process.situations().iter().map(|it| it.agent.as_deref()).collect();
        assert_eq!(agents, [Some("thrower"), Some("catcher"), Some("catcher")]);
    }
}

#[test]
fn combinations_are_situations_with_memories() {
    // One way of four leads to the goal, and every other back: V(1) = 10/4, and with two steps left
    // 10/4 + 3/4 · 1/2 · 10/4. What is remembered is the last way that was tried.
    for (history_length, combinations) in [(0, 1), (1, 4), (2, 4)] {
        let trainer = trainer(&config("SG", 0.0, history_length, 2));
        let finite_process = of(&trainer, &trainer.state.policy, 7).unwrap();
        assert_eq!(finite_process.situations().len(), combinations, "{history_length}");
        let values = finite_process.values(half());
        assert_eq!(values.value(0, 1).to_bits(), 2.5f64.to_bits());
        assert_eq!(values.value(0, 2).to_bits(), 3.4375f64.to_bits());
    }
    // With three steps there are 3 memories of one way and 9 of two, and those of one step left lead
    // nowhere any more.
    let trainer = trainer(&config("SG", 0.0, 2, 3));
    let finite_process = of(&trainer, &trainer.state.policy, 7).unwrap();
    let names: Vec<_> = finite_process.situations().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), 13);
    assert_eq!(names[0], "0,0");
    assert_eq!(names[1], r#"0,0 after "open: right" "up""#);
    assert_eq!(names[12], r#"0,0 after "open: right" "left", "open: right" "left""#);
    let leads = |it: &hgpo_core::process::Situation| it.actions[0].outcomes[0].next.is_some();
    assert_eq!(finite_process.situations().iter().filter(|it| leads(it)).count(), 4);
}

/// A world in which moves slip, the way there matters, and something was learned.
fn learned() -> (Trainer<TablePolicy>, TablePolicy, Vec<Trajectory>) {
    let mut trainer = trainer(&config("#.a.G\nS~.#.", 0.3, 2, 8));
    for _ in 0..30 {
        trainer.iterate(&Sequential).unwrap().unwrap();
    }
    let policy = trainer.state.policy.clone();
    let played = trainer.iterate(&Sequential).unwrap().unwrap().trajectories;
    (trainer, policy, played)
}

#[test]
fn attempts_that_were_played_are_found_step_by_step() {
    let (trainer, policy, played) = learned();
    assert!(!policy.is_empty());
    for trajectory in &played {
        let finite_process = of(&trainer, &policy, trajectory.seed.unwrap()).unwrap();
        let decisions = finite_process.locate(trajectory).unwrap();
        assert_eq!(decisions.len(), trajectory.steps.len());
        let mut memory = Vec::new();
        for (step, decision) in trajectory.steps.iter().zip(decisions) {
            // Slips are unseen, so that places may stay open; what is remembered never does.
            if let Some(Decision { situation, action, .. }) = decision {
                let here = &finite_process.situations()[situation];
                assert_eq!(Some(&here.actions[action].action), step.action.as_ref());
                assert!(here.name.ends_with(&situation_name("", &memory)), "{}", here.name);
            }
            let now = Observation::listed(step.state.as_str(), Vec::new());
            let action = step.action.clone().unwrap();
            memory.push(RememberedStep { observation: now.text, action });
            memory.drain(..memory.len().saturating_sub(2));
        }
    }
}

#[test]
fn values_are_the_means_of_what_is_played() {
    let (mut trainer, policy, played) = learned();
    let seed = played[0].seed.unwrap();
    let truth = of(&trainer, &policy, seed).unwrap().values(half()).value(0, 8);
    trainer.state.policy = policy;
    let stream = |index| {
        hgpo_env::random::Stream::new(9, hgpo_env::random::Purpose::StudyOracle, [0, index])
    };
    let mut episodes: Vec<_> = (0..20_000)
        .map(|index| {
            trainer.sampler(&Sequential).start(Split::Train, "t", "0", seed, stream(index)).unwrap()
        })
        .collect();
    trainer.sampler(&Sequential).play(&mut episodes, "play").unwrap();
    let of = |trajectory: &Trajectory| {
        let rewards: Vec<f64> = trajectory.steps.iter().map(|step| step.reward).collect();
        discounted_returns(&rewards, half())[0]
    };
    let returns: Vec<f64> = episodes.iter().map(|it| of(&it.trajectory)).collect();
    let found = hgpo_core::Statistics::of(&returns, hgpo_core::StdRule::Sample);
    let error = found.std / (returns.len() as f64).sqrt();
    assert!(truth.abs() > 0.1 && error < 0.01, "{truth} {error}");
    assert!((found.mean - truth).abs() < 4.0 * error, "{} {truth} {error}", found.mean);
}

#[test]
fn processes_that_cannot_be_valued_are_refused() {
    let open = "S.....\n......\n......\n......\n.....G";
    let large = trainer(&config(open, 0.0, 9, 30));
    let error = of(&large, &large.state.policy, 1).unwrap_err();
    let ProcessError::TooMany { combinations, outcomes, steps } = error else { panic!("{error}") };
    assert!(outcomes > COMBINATIONS_LIMIT / 30 && outcomes < COMBINATIONS_LIMIT / 30 + 13);
    assert!(combinations > outcomes / 12 && steps == 30);
    let text = error.to_string();
    assert!(text.contains("lower environment.max_steps or rollout.history_length"), "{text}");

    let mut config = Config::default();
    config.policy.kind = crate::config::PolicyKind::Table;
    let suite: Arc<dyn Suite> = hgpo_env::suite(&config.environment, None).unwrap();
    let (policy, format) = initial_policy::table(&config);
    let chores = Trainer::new(&config, suite, format, policy).unwrap();
    let error = of(&chores, &chores.state.policy, 1).unwrap_err().to_string();
    assert!(error.contains("'chores' does not name its situations"), "{error}");
}
