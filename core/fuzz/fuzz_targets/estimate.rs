//! Any small batch under any options: finite advantages, explained bit for bit.
#![no_main]

use arbitrary::Arbitrary;
use hgpo_core::{
    Batch, Discount, EpisodeStatistics, Estimator, Gigpo, Grpo, Hgpo, Options, Scale,
    SingletonRule, StdRule, Step, StepAddress, Trajectory, Weights, diagnostics, estimate, explain,
};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    walks: Vec<(u8, Vec<(u8, f64, bool)>)>,
    discount: f64,
    penalty: f64,
    which: u8,
    context_length: u16,
    number: f64,
    flags: [bool; 7],
}

fn choose<T>(flag: bool, yes: T, no: T) -> T {
    if flag { yes } else { no }
}

fn estimator(input: &Input) -> Estimator {
    let [
        mean,
        trajectories,
        sample,
        keep,
        verl,
        base_group,
        base_sample,
    ] = input.flags;
    let scale = choose(mean, Scale::Mean, Scale::MeanStd);
    let episode_statistics = choose(
        trajectories,
        EpisodeStatistics::Trajectories,
        EpisodeStatistics::Steps,
    );
    let std = choose(sample, StdRule::Sample, StdRule::Population);
    let singleton = choose(keep, SingletonRule::Keep, SingletonRule::Zero);
    match input.which % 3 {
        0 => Estimator::Grpo(Grpo {
            scale,
            episode_statistics,
            std,
            singleton,
        }),
        1 => Estimator::Gigpo(Gigpo {
            step_weight: input.number,
            scale,
            episode_statistics,
            step_std: std,
            step_singleton: singleton,
            ..Gigpo::default()
        }),
        _ => Estimator::Hgpo(Hgpo {
            context_length: usize::from(input.context_length),
            alpha: input.number,
            scale,
            weights: choose(verl, Weights::Verl, Weights::Paper),
            base_group,
            std,
            singleton,
            base_std: choose(base_sample, StdRule::Sample, StdRule::Population),
            base_singleton: singleton,
        }),
    }
}

fn batch(input: &Input) -> Option<Batch> {
    let step = |&(state, reward, valid): &(u8, f64, bool)| {
        Step::new((state % 4).to_string(), reward).with_valid(valid)
    };
    let walk = |(index, (task, steps)): (usize, &(u8, Vec<(u8, f64, bool)>))| {
        Trajectory::new(
            (task % 3).to_string(),
            index.to_string(),
            steps.iter().map(step).collect(),
        )
    };
    Batch::new(input.walks.iter().enumerate().map(walk).collect()).ok()
}

fuzz_target!(|input: Input| {
    let (Some(batch), Ok(discount)) = (batch(&input), Discount::new(input.discount)) else {
        return;
    };
    let options = Options {
        discount,
        invalid_penalty: input.penalty,
        estimator: estimator(&input),
    };
    let Ok(estimate) = estimate(&batch, &options) else {
        return;
    };
    diagnostics(&batch, &options).expect("the same options");
    for (index, trajectory) in batch.trajectories().iter().enumerate() {
        for step in (0..trajectory.steps.len()).take(4) {
            let advantage = estimate.advantages[index][step];
            assert!(advantage.is_finite(), "{advantage}");
            let address = StepAddress::new(&trajectory.task, &trajectory.trajectory, step);
            let why = explain(&batch, &options, &address).expect("there");
            assert_eq!(why.advantage.to_bits(), advantage.to_bits());
        }
    }
});
