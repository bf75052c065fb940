//! Options, PerStep, PerStep, explanations and diagnostics on batches small enough for a pencil.
#![allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]

mod beyond;
mod own_parts;
mod paper;
mod parts;
mod process;
mod team_statistics;
mod team_turns;

use hgpo_core::{
    AgentStatistics, Baseline, Batch, Comparison, DrMas, EpisodeStatistics, Estimator, G2po, Gigpo,
    GraphGpo, Grpo, Hgpo, History, Level, Linkage, Metric, Options, PerStep, ReinforcePlusPlus,
    Scale, Similarity, SingletonRule, Skipped, StdRule, Step, StepAddress, Trajectory, Weighting,
    Weights, diagnostics, estimate, explain, explain_row,
};

fn walk(task: &str, name: &str, states: &str, reward: f64) -> Trajectory {
    let step = |state| Step::new(state, 0.0).with_action("on");
    let mut steps: Vec<Step> = states.chars().map(step).collect();
    steps.last_mut().expect("states").reward = reward;
    Trajectory::new(task, name, steps)
}

/// The paper's overview figure: `s` from `r` three times, twice with `h` before.
fn overview() -> Batch {
    Batch::new(vec![
        walk("e", "a", "hrs", 10.0),
        walk("e", "b", "hrs", 0.0),
        walk("e", "c", "hprs", 10.0),
        walk("e", "d", "hls", 0.0),
    ])
    .expect("valid")
}

fn hgpo(options: Hgpo) -> Options {
    Options { estimator: Estimator::Hgpo(options), ..Options::default() }
}

fn advantages(batch: &Batch, options: &Options) -> PerStep {
    estimate(batch, options).expect("valid").advantages
}

/// Episodes of one task: the agents in turn, a letter each, and the score; `.` is no agent's turn.
fn episodes(all: &[(&str, f64)]) -> Batch {
    let episode = |(index, (agents, score)): (usize, &(&str, f64))| {
        let turn = |agent: char| Step {
            agent: (agent != '.').then(|| agent.to_string()),
            ..Step::new("s", 0.0)
        };
        let mut steps: Vec<Step> = agents.chars().map(turn).collect();
        steps.last_mut().expect("turns").reward = *score;
        Trajectory::new("e", index.to_string(), steps)
    };
    Batch::new(all.iter().enumerate().map(episode).collect()).expect("valid")
}

/// Dr. MAS with an estimator inside.
fn team(options: &str) -> Options {
    let estimator = [r#"{"name":"dr-mas","#, options, "}"].concat();
    Options { estimator: serde_json::from_str(&estimator).expect(options), ..Options::default() }
}

/// Every advantage is explained with the same bits.
fn explained(batch: &Batch, options: &Options) {
    let advantages = advantages(batch, options).into_values();
    for (row, advantage) in advantages.iter().enumerate() {
        let why = explain_row(batch, options, row).expect("there");
        assert!(advantage.is_finite() && why.advantage.to_bits() == advantage.to_bits());
    }
    diagnostics(batch, options).expect("valid");
}

fn mean(hgpo: Hgpo) -> Options {
    let estimator = Estimator::Hgpo(Hgpo { scale: Scale::Mean, ..hgpo });
    Options { estimator, ..Options::default() }
}
