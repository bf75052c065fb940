//! Any small batch under any options: finite advantages, explained bit for bit, and the same task
//! by task.
#![no_main]

use hgpo_core::{Batch, Options, PerStep, StepAddress, Trajectory, diagnostics, estimate, explain};
use hgpo_core_fuzz::Input;
use libfuzzer_sys::fuzz_target;

/// Most steps of a batch that are explained: every explanation begins from the whole batch.
const EXPLAINED: usize = 4;

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn explained(batch: &Batch, options: &Options, advantages: &PerStep) {
    for row in (0..batch.step_count()).step_by(batch.step_count().div_ceil(EXPLAINED)) {
        let (index, step) = batch.position(row);
        let Trajectory { task, trajectory, .. } = &batch.trajectories()[index];
        let address = StepAddress::new(task, trajectory, step);
        let why = explain(batch, options, &address).expect("there");
        assert_eq!(why.advantage.to_bits(), advantages[index][step].to_bits());
        assert!(why.to_string().contains("\nadvantage "));
    }
}

fn task_by_task(batch: &Batch, options: &Options, advantages: &PerStep) {
    for task in batch.tasks() {
        let own = |of: &&Trajectory| of.task == *task;
        let alone = batch.trajectories().iter().filter(own).cloned().collect();
        let alone = estimate(&Batch::new(alone).expect("a part of a batch"), options);
        let of_batch = batch.trajectories().iter().zip(advantages.iter());
        let of_batch = of_batch.filter(|(of, _)| own(of)).map(|(_, advantages)| advantages);
        for (alone, together) in alone.expect("the same options").advantages.iter().zip(of_batch) {
            assert_eq!(bits(alone), bits(together));
        }
    }
}

fuzz_target!(|input: Input| {
    let Input { trajectories, options } = input;
    let Ok(batch) = Batch::new(trajectories) else {
        return;
    };
    let Ok(estimate) = estimate(&batch, &options) else {
        return;
    };
    diagnostics(&batch, &options).expect("the same options");
    assert!(estimate.advantages.values().iter().all(|advantage| advantage.is_finite()));
    explained(&batch, &options, &estimate.advantages);
    if !options.estimator.needs_whole_batch() {
        task_by_task(&batch, &options, &estimate.advantages);
    }
});
