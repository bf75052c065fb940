//! Size limits of an estimate of rollouts, checked before it begins.

use anyhow::bail;
use hgpo_core::{Batch, Options};

/// Most bytes that the levels of one task may take: 4 GiB.
const MOST_BYTES: u64 = 1 << 32;

/// Bytes of a step at a level: its group and its advantage.
const OF_LEVEL: u64 = 12;

/// ... and what the others of the group are.
const OF_OTHERS: u64 = 40;

/// Most different states of a task that every pair of is compared: half a gigabyte of similarities.
const MOST_STATES: usize = 10_000;

/// The same of texts, a pair of which takes some microseconds if they are much alike.
const MOST_TEXTS: usize = 4_000;

/// Refuses a batch of which a task would take more memory or time than anyone means.
///
/// # Errors
/// Which task, how much, and the option to change.
pub(crate) fn check(batch: &Batch, options: &Options) -> anyhow::Result<()> {
    let is = |option: &str, value: &str| options.get(option).is_some_and(|it| it == value);
    let has = |option: &str| options.get(option).is_some_and(|it| !it.is_null());
    let longest = options.estimator.context_length().unwrap_or(0);
    let (others, complete) =
        (is("baseline", "others"), has("similarity") && is("linkage", "complete"));
    let mut lengths = vec![(0, 0); batch.tasks().len()];
    for (trajectory, &task) in batch.trajectories().iter().zip(batch.task_of()) {
        let (steps, most): &mut (usize, usize) = &mut lengths[task];
        *steps += trajectory.steps.len();
        *most = trajectory.steps.len().max(*most);
    }
    for (task, (steps, most)) in batch.tasks().iter().zip(lengths) {
        let levels = (longest + 1).min(most);
        let bytes = (steps * levels) as u64 * (OF_LEVEL + if others { OF_OTHERS } else { 0 });
        if longest > 0 && bytes > MOST_BYTES {
            bail!(
                "task {task:?}: {levels} levels of {steps} steps would take {:.1} GB, and the limit is \
                 {:.1} GB: lower --context-length, or use tasks with fewer steps",
                bytes as f64 / 1e9,
                MOST_BYTES as f64 / 1e9
            );
        }
    }
    let limit = if is("similarity", "edit") { MOST_TEXTS } else { MOST_STATES };
    let most = batch.tasks().iter().zip(batch.state_counts()).max_by_key(|&(_, count)| count);
    match most {
        Some((task, count)) if complete && *count > limit => bail!(
            "task {task:?} has {count} different states, and --linkage complete compares every pair: \
             the limit is {limit}; --linkage greedy compares fewer"
        ),
        _ => Ok(()),
    }
}
