//! Options, PerStep, PerStep, explanations and diagnostics on batches small enough for a pencil.
#![allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]

mod beyond;
mod own_parts;
mod paper;
mod parts;
mod process;

use hgpo_core::{
    Baseline, Batch, Comparison, DrMas, Estimator, G2po, Gigpo, GraphGpo, Grpo, Hgpo, History,
    Level, Linkage, Metric, Options, PerStep, ReinforcePlusPlus, Scale, Similarity, SingletonRule,
    Skipped, Step, StepAddress, Trajectory, Weighting, Weights, diagnostics, estimate, explain,
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

fn mean(hgpo: Hgpo) -> Options {
    let estimator = Estimator::Hgpo(Hgpo { scale: Scale::Mean, ..hgpo });
    Options { estimator, ..Options::default() }
}
