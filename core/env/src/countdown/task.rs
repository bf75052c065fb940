//! Task: numbers, and the target that they have to become.

use super::CountdownSettings;
use super::operation::Operation;
use crate::Split;
use crate::holdout_hash::content_digest;
use crate::random::{Purpose, Stream};

/// Of so many sets of numbers one is kept for unseen tasks; of so many targets of the others one for seen tasks.
const HELD_OUT: u64 = 8;

/// One task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The numbers, in ascending order.
    pub(super) numbers: Vec<u32>,
    /// What they have to become.
    pub(super) target: u32,
}

impl Task {
    /// The task that a seed names: numbers are drawn until they belong to the split, then one of the targets
    /// that do.
    pub(super) fn draw(settings: &CountdownSettings, split: Split, seed: u64) -> Self {
        let mut stream = Stream::new(seed, Purpose::Environment, [split as u64, 0]);
        loop {
            let mut numbers: Vec<u32> = (0..settings.numbers)
                .map(|_| 1 + stream.below(settings.largest as usize) as u32)
                .collect();
            numbers.sort_unstable();
            if is_held_out(&numbers) != (split == Split::Unseen) {
                continue;
            }
            let mut targets = Operation::results(&numbers);
            targets.retain(|&target| {
                split == Split::Unseen
                    || is_held_out_target(&numbers, target) == (split == Split::Seen)
            });
            if let Some(&target) = targets.get(stream.below(targets.len())) {
                return Self { numbers, target };
            }
        }
    }

    /// What is asked for.
    pub(super) fn instruction(&self) -> String {
        format!("make {} from {}", self.target, list(&self.numbers))
    }
}

/// Numbers as they are written in texts.
pub(super) fn list(numbers: &[u32]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn is_held_out(numbers: &[u32]) -> bool {
    (content_digest(list(numbers).as_bytes()) >> 32).is_multiple_of(HELD_OUT)
}

fn is_held_out_target(numbers: &[u32], target: u32) -> bool {
    let content = format!("{target} from {}", list(numbers));
    (content_digest(content.as_bytes()) >> 32).is_multiple_of(HELD_OUT)
}
