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

/// What a call comes to, and what it holds at most beyond what was held before it, in bytes, its result included.
fn peak<T>(call: impl FnOnce() -> T) -> (T, usize) {
    HEAP.reset_peak_memory();
    let found = call();
    (found, HEAP.get_peak_memory())
}

fn main() {
    println!("bytes per step{:>21} {:>10}", "16 tasks", "one task");
    let batches = [(16, 8), (1, 128)].map(|(tasks, group_size)| {
        let trajectories = acting(tasks, group_size, 50);
        peak(|| Batch::new(trajectories).unwrap())
    });
    let tell = |name: &str, [many, one]: [usize; 2]| println!("{name:<22} {many:>10} {one:>10}");
    tell("batch", batches.each_ref().map(|(batch, bytes)| bytes / batch.step_count()));
    let measure = |name: &str, estimator: Estimator| {
        let options = Options { estimator, ..Options::default() };
        let bytes = |(batch, _): &(Batch, usize)| {
            peak(|| estimate(batch, &options).unwrap()).1 / batch.step_count()
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
