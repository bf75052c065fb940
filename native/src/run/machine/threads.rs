//! Threads of the CPU: jobs side by side, or all of them for one.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use hgpo_train::executor::Executor;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::lock;
use crate::device::Adapter;

/// Threads that take the next job until none is left. If several jobs run, each has one thread, for
/// its large products too; a single one has all of them. What is computed is the same to the bit.
#[derive(Clone, Debug)]
pub struct Threads {
    workers: usize,
    /// Whether this many were asked for.
    is_asked: bool,
    pools: Arc<Pools>,
}

#[derive(Debug)]
struct Pools {
    /// Pools of one thread each, as many as have been needed so far.
    single: Mutex<Vec<Arc<ThreadPool>>>,
    /// All threads, if the system gives them.
    whole: Option<ThreadPool>,
}

impl Threads {
    /// This many threads; without a number, as many as the machine runs at once.
    #[must_use]
    pub fn new(workers: Option<NonZero<usize>>) -> Self {
        let machine = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let is_asked = workers.is_some();
        let workers = workers.unwrap_or(machine).get();
        // Products gain nothing by more threads than run at once.
        let whole = ThreadPoolBuilder::new().num_threads(workers.min(machine.get())).build().ok();
        Self { workers, is_asked, pools: Arc::new(Pools { single: Mutex::default(), whole }) }
    }

    /// The same for work on a device. A graphics adapter is given one job after the other unless so many threads
    /// were asked for: each would take its share of the adapter's memory, and one can fill it.
    #[must_use]
    pub fn on(&self, adapter: Option<&Adapter>) -> Self {
        let workers = if adapter.is_some() && !self.is_asked { 1 } else { self.workers };
        Self { workers, ..self.clone() }
    }

    /// Works in these threads: what is no job has all of them, and a single job begins without waiting for
    /// another thread.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pools.whole {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.workers
    }
}

impl Pools {
    /// So many pools of one thread, or as many as the system gives.
    fn single(&self, count: usize) -> Vec<Arc<ThreadPool>> {
        let mut pools = lock(&self.single);
        while pools.len() < count {
            let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).build() else { break };
            pools.push(Arc::new(pool));
        }
        pools.iter().take(count).cloned().collect()
    }
}

impl Executor for Threads {
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let threads = self.workers.min(count);
        if threads <= 1 {
            return self.within(|| (0..count).for_each(job));
        }
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    break;
                }
                job(index);
            }
        };
        let pools = self.pools.single(threads);
        // If the system gives no more threads, this one works beside those it gave.
        let here = || {
            if pools.len() < threads {
                work();
            }
        };
        run_on_all(&pools, &work, &here);
    }
}

/// Works in every pool, and here, and returns when all are done.
fn run_on_all(pools: &[Arc<ThreadPool>], work: &(dyn Fn() + Sync), here: &dyn Fn()) {
    let Some((first, rest)) = pools.split_first() else { return here() };
    first.in_place_scope(|scope| {
        scope.spawn(|_| work());
        run_on_all(rest, work, here);
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread::{ThreadId, current};

    use hgpo_train::executor::{fold, map};

    use super::*;

    fn threads(workers: usize) -> Threads {
        Threads::new(NonZero::new(workers))
    }

    #[test]
    fn every_job_runs_once_whatever_the_number_of_threads() {
        for (workers, count) in [(1, 0), (1, 7), (3, 1), (3, 2), (3, 100), (100_000, 3)] {
            let runs: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            threads(workers).run(count, &|index| {
                runs[index].fetch_add(1, Ordering::Relaxed);
            });
            assert!(runs.iter().all(|it| it.load(Ordering::Relaxed) == 1), "{workers} {count}");
        }
    }

    #[test]
    fn jobs_run_side_by_side_with_a_thread_each() {
        // Neither would pass the barrier alone.
        let barrier = Barrier::new(2);
        let seen: Vec<(ThreadId, usize)> = map(&threads(2), 2, |_| {
            barrier.wait();
            (current().id(), rayon::current_num_threads())
        });
        assert_eq!(seen.iter().map(|it| it.1).collect::<Vec<_>>(), [1, 1]);
        assert_ne!(seen[0].0, seen[1].0);
    }

    #[test]
    fn single_jobs_have_all_threads() {
        let machine = std::thread::available_parallelism().unwrap().get();
        for workers in [1, 2, 1000] {
            let seen = map(&threads(workers), 1, |_| rayon::current_num_threads());
            assert_eq!(seen, [workers.min(machine)]);
        }
    }

    #[test]
    fn adapters_have_one_job_at_a_time_unless_more_are_requested() {
        let adapter = Adapter::for_test("any", wgpu::DeviceType::DiscreteGpu);
        let (asked, left_open) = (threads(3), Threads::new(None));
        assert_eq!([asked.on(None).count(), asked.on(Some(&adapter)).count()], [3, 3]);
        assert_eq!(left_open.on(None).count(), left_open.count());
        assert_eq!(left_open.on(Some(&adapter)).count(), 1);
    }

    #[test]
    fn jobs_may_be_nested() {
        let threads = threads(2);
        let inner = |outer: usize| {
            fold(&threads, 5, 0, |it| 10 * outer + it, |sum: &mut usize, it| *sum += it)
        };
        assert_eq!(map(&threads, 4, inner), [10, 60, 110, 160]);
    }

    #[test]
    fn panics_of_jobs_are_passed_on() {
        let result = std::panic::catch_unwind(|| threads(2).run(4, &|index| assert_ne!(index, 2)));
        assert!(result.is_err());
    }
}
