//! What the benchmarks of the estimators play: walks of the published iteration's size.
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]
#![allow(unreachable_pub, reason = "a module that each benchmark has of its own")]

use hgpo_core::{Step, Trajectory};

/// Bytes of an observation.
const OBSERVATION: usize = 300;

/// A small generator of whole numbers (splitmix64): the benchmark needs no more.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// A walk among 40 places of the task, more likely to a near one; half of the walks arrive.
pub fn trajectories(tasks: usize, group_size: usize, steps: usize) -> Vec<Trajectory> {
    let mut numbers = Numbers(1);
    let mut made = Vec::new();
    for task in 0..tasks {
        for member in 0..group_size {
            let mut place = 0;
            let mut walk: Vec<Step> = Vec::new();
            for _ in 0..steps {
                place = (place + numbers.below(4)) % 40;
                let name = format!("You are at place {place} of task {task}. You see ");
                let filling = "a shelf, a drawer, ".repeat(OBSERVATION);
                let state: String = name.chars().chain(filling.chars()).take(OBSERVATION).collect();
                let valid = numbers.below(20) > 0;
                walk.push(Step::new(state, 0.0).with_valid(valid));
            }
            walk.last_mut().unwrap().reward = 10.0 * numbers.below(2) as f64;
            made.push(Trajectory::new(format!("g{task}"), format!("t{member}"), walk));
        }
    }
    made
}

/// The same with one of four actions a step.
pub fn acting(tasks: usize, group_size: usize, steps: usize) -> Vec<Trajectory> {
    let mut numbers = Numbers(2);
    let mut made = trajectories(tasks, group_size, steps);
    for step in made.iter_mut().flat_map(|walk| &mut walk.steps) {
        step.action = Some(format!("go {}", numbers.below(4)));
    }
    made
}
