//! Executor of parallel work: the caller decides where it runs, so that the library needs no threads of its own.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Runs independent jobs, in any order, on any threads.
pub trait Executor: Sync {
    /// Runs `job(0) … job(count - 1)` and returns when all are done.
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync));
}

/// Runs `job(0) … job(count - 1)` and gives their results in that order.
pub fn map<T: Send + Sync>(
    executor: &dyn Executor,
    count: usize,
    job: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let slots: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    executor.run(count, &|index| {
        // Each index is run once, so that the slot is always empty.
        let _ = slots[index].set(job(index));
    });
    slots.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// Runs `job(0) … job(count - 1)` and adds their results up in that order, each as soon as those before
/// it are there: as a rule no more of them are held than jobs run at once.
pub fn fold<S: Send, T: Send>(
    executor: &dyn Executor,
    count: usize,
    start: S,
    job: impl Fn(usize) -> T + Sync,
    add: impl Fn(&mut S, T) + Sync,
) -> S {
    let state = Mutex::new((start, 0, BTreeMap::new()));
    executor.run(count, &|index| {
        let result = job(index);
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let (sum, next, waiting) = &mut *state;
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(next) {
            add(sum, result);
            *next += 1;
        }
    });
    state.into_inner().unwrap_or_else(PoisonError::into_inner).0
}

/// One job after another on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequential;

impl Executor for Sequential {
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the last job first.
    struct Backwards;

    impl Executor for Backwards {
        fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
            (0..count).rev().for_each(job);
        }
    }

    #[test]
    fn results_are_added_in_their_order() {
        for executor in [&Sequential as &dyn Executor, &Backwards] {
            let add = |sum: &mut Vec<usize>, next| sum.push(next);
            let squares = fold(executor, 5, vec![100], |index| index * index, add);
            assert_eq!(squares, [100, 0, 1, 4, 9, 16]);
            assert_eq!(map(executor, 3, |index| 2 * index), [0, 2, 4]);
        }
    }
}
