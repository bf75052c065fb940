//! How often one algorithm beats another.

use crate::bootstrap::Stream;
use crate::{EvidenceError, Scores};

/// The probability that a run of the one algorithm scores above a run of the other on the same task.
///
/// # Formula
/// mean over tasks of U / (runs of `better` × runs of `worse`), where U counts the pairs of runs in which
/// the first scores higher, and ties by half (the statistic of Mann and Whitney). A share without unit: ½
/// if neither is ahead, 1 if every run of the one is above every run of the other. It says how often, not
/// by how much. rliable's `probability_of_improvement`; the numbers of runs may differ.
///
/// ```
/// use hgpo_evidence::{Scores, probability_of_improvement};
/// let rows = |rows: &[[f64; 2]]| Scores::new(rows.iter().map(|row| row.to_vec()).collect());
/// let better = rows(&[[1.0, 2.0], [2.0, 2.0], [1.0, 1.0], [2.0, 1.0]])?;
/// let worse = rows(&[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])?;
/// // Of 12 pairs a task, 2 are won and 4 tied: U = 4, for both tasks.
/// assert_eq!(probability_of_improvement(&better, &worse)?, 4.0 / 12.0);
/// # Ok::<(), hgpo_evidence::EvidenceError>(())
/// ```
///
/// # Errors
/// [`EvidenceError::OtherTasks`].
pub fn probability_of_improvement(better: &Scores, worse: &Scores) -> Result<f64, EvidenceError> {
    Ok(Contest::new(better, worse)?.point())
}

/// Two algorithms on the same tasks, with scores replaced by their ranks, so that counting the pairs that
/// are won takes no sorting.
pub(crate) struct Contest {
    tasks: Vec<Ranks>,
    better: Vec<u32>,
    worse: Vec<u32>,
}

/// The scores of both algorithms for a task as ranks among the distinct ones.
struct Ranks {
    distinct: usize,
    better: Vec<usize>,
    worse: Vec<usize>,
}

impl Contest {
    pub(crate) fn new(better: &Scores, worse: &Scores) -> Result<Self, EvidenceError> {
        let (left, right) = (better.tasks(), worse.tasks());
        if left != right {
            return Err(EvidenceError::OtherTasks { left, right });
        }
        let tasks = (0..left).map(|task| Ranks::of(better.task(task), worse.task(task))).collect();
        Ok(Self { tasks, better: Vec::new(), worse: Vec::new() })
    }

    /// The probability among the runs themselves.
    pub(crate) fn point(&mut self) -> f64 {
        self.probability(|counts, ranks| ranks.iter().for_each(|&it| counts[it] += 1))
    }

    /// The probability among runs that are drawn anew, for both algorithms independently.
    pub(crate) fn resampled(&mut self, stream: &mut Stream) -> f64 {
        self.probability(|counts, ranks| {
            for _ in 0..ranks.len() {
                counts[ranks[stream.below(ranks.len())]] += 1;
            }
        })
    }

    /// The probability among runs that `pick` takes from those whose ranks it is given, by counting how
    /// often every rank is taken: the runs of the better algorithm first.
    fn probability(&mut self, mut pick: impl FnMut(&mut [u32], &[usize])) -> f64 {
        let mut sum = 0.0;
        for ranks in &self.tasks {
            for (counts, ranks_of) in
                [(&mut self.better, &ranks.better), (&mut self.worse, &ranks.worse)]
            {
                counts.clear();
                counts.resize(ranks.distinct, 0);
                pick(counts, ranks_of);
            }
            let pairs = ranks.better.len() as f64 * ranks.worse.len() as f64;
            sum += half_wins(&self.better, &self.worse) as f64 / (2.0 * pairs);
        }
        sum / self.tasks.len() as f64
    }
}

impl Ranks {
    fn of(
        better: impl Iterator<Item = f64> + Clone,
        worse: impl Iterator<Item = f64> + Clone,
    ) -> Self {
        let mut distinct: Vec<f64> = better.clone().chain(worse.clone()).collect();
        distinct.sort_unstable_by(f64::total_cmp);
        distinct.dedup();
        let rank = |score: f64| distinct.partition_point(|&it| it < score);
        Self {
            better: better.map(rank).collect(),
            worse: worse.map(rank).collect(),
            distinct: distinct.len(),
        }
    }
}

/// 2 U of runs counted by rank: two for a pair that is won, one for a tie.
fn half_wins(better: &[u32], worse: &[u32]) -> u64 {
    let (mut below, mut wins) = (0, 0);
    for (&better, &worse) in better.iter().zip(worse) {
        let worse = u64::from(worse);
        wins += u64::from(better) * (2 * below + worse);
        below += worse;
    }
    wins
}
