//! The most memory that each estimator holds beyond its batch, with the advantages that it returns.
//!
//! Not a time, so without criterion: the numbers are the same in every run.
#![allow(missing_docs, reason = "a benchmark")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use std::alloc::System;

use hgpo_core::{Batch, Estimator, Hgpo, Options, estimate};
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait as _};

use self::walks::acting;

mod walks;

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

/// What a call holds at most beyond what was held before it, in bytes, its result included.
fn peak<T>(call: impl FnOnce() -> T) -> usize {
    HEAP.reset_peak_memory();
    let _held = call();
    HEAP.get_peak_memory()
}

fn main() {
    println!("bytes a step{:>21} {:>10}", "16 tasks", "one task");
    let batches = [(16, 8), (1, 128)].map(|(tasks, group_size)| {
        let trajectories = acting(tasks, group_size, 50);
        let steps: usize = trajectories.iter().map(|walk| walk.steps.len()).sum();
        let mut batch = None;
        let bytes = peak(|| batch = Some(Batch::new(trajectories).unwrap()));
        (batch.unwrap(), steps, bytes)
    });
    let tell = |name: &str, [many, one]: [usize; 2]| println!("{name:<22} {many:>10} {one:>10}");
    tell("batch", batches.each_ref().map(|&(_, steps, bytes)| bytes / steps));
    let measure = |name: &str, estimator: Estimator| {
        let options = Options { estimator, ..Options::default() };
        let bytes = |(batch, steps, _): &(Batch, usize, usize)| {
            peak(|| estimate(batch, &options).unwrap()) / steps
        };
        tell(name, batches.each_ref().map(bytes));
    };
    for estimator in Estimator::all() {
        measure(estimator.name(), estimator.clone());
    }
    for context_length in [0, 4, 8] {
        let hgpo = Hgpo { context_length, ..Hgpo::default() };
        measure(&format!("hgpo, K = {context_length}"), Estimator::Hgpo(hgpo));
    }
}
