//! Group diagnostics: sizes, singletons, constant groups, weights.

mod inconsistency;

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::breakdown::Comparison;
use crate::error::Error;
use crate::estimate::Estimate;
use crate::estimator::{Options, Term, firsts, sum};
use crate::groups::hierarchy::Level;
use crate::returns::Scores;
use crate::text::number::six_decimals;

use inconsistency::Contexts;
pub use inconsistency::Inconsistency;

/// Health of a batch under an estimator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Diagnostics {
    /// Name of the estimator.
    pub estimator: String,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of trajectories.
    pub trajectories: usize,
    /// Number of steps.
    pub steps: usize,
    /// The episode groups, if the estimator has them.
    pub episode: Option<GroupDiagnostics>,
    /// The levels k = 0…K, those without any step too; empty for `GRPO`.
    pub levels: Vec<GroupDiagnostics>,
    /// The advantages.
    pub advantage: Summary,
    /// Fraction of steps whose advantage is exactly 0: they teach nothing.
    pub no_signal_fraction: f64,
}

/// Groups of one level.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GroupDiagnostics {
    /// k; absent for episode groups.
    pub level: Option<Level>,
    /// Number of steps that have this level.
    pub steps: usize,
    /// Number of groups.
    pub groups: usize,
    /// steps / groups; 0 without groups.
    pub mean_size: f64,
    /// How many steps are compared with groups of each size, sizes ascending.
    pub sizes: Vec<SizeCount>,
    /// How many groups there are of each size, sizes ascending; whom `baseline = "others"` leaves out
    /// counts here.
    pub group_sizes: Vec<GroupCount>,
    /// Fraction of `steps` that have nobody to be compared with.
    pub singleton_fraction: f64,
    /// Fraction of `steps` in groups of two or more whose values are all equal.
    pub zero_std_fraction: f64,
    /// Mean weight over all steps of the batch, 0 if the level is skipped or missing. Summed
    /// over HGPO's terms (with the paper's weights) this is 1 − `no_signal_fraction`, but for
    /// terms that cancel.
    pub mean_weight: f64,
    /// Whether equal states had equal pasts, for levels from 1 on.
    pub inconsistency: Option<Inconsistency>,
}

/// One bar of the histogram of group sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SizeCount {
    /// Size of a group.
    pub size: usize,
    /// Steps in groups of that size.
    pub steps: usize,
}

/// One bar of the histogram of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GroupCount {
    /// Size of a group.
    pub size: usize,
    /// Groups of that size.
    pub groups: usize,
}

/// Mean, population standard deviation and range.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Mean.
    pub mean: f64,
    /// Population standard deviation.
    pub std: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
}

impl Summary {
    /// Summary of the values; all 0 for none.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        if values.is_empty() {
            return Self::default();
        }
        let group = crate::Statistics::of(values, crate::StdRule::Population);
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { mean: group.mean, std: group.std, min, max }
    }
}

/// Measures how much signal a batch carries.
///
/// # Errors
/// [`Options::check`]'s.
pub fn diagnostics(batch: &Batch, options: &Options) -> Result<Diagnostics, Error> {
    diagnostics_by_task([Ok(batch)], options)
}

/// [`diagnostics`] of rollouts that come task by task: the same numbers, holding the advantages and
/// one batch at a time. If the estimator compares tasks
/// ([`Estimator::needs_whole_batch`](crate::Estimator::needs_whole_batch)) they come in one batch.
///
/// ```
/// use hgpo_core::{diagnostics, diagnostics_by_task, Batch, Error, Options, Step, Trajectory};
/// let of = |task, reward| Trajectory::new(task, "t", vec![Step::new("s", reward)]);
/// let options = Options::default();
/// let tasks = [Batch::new(vec![of("g", 1.0)]), Batch::new(vec![of("h", 2.0)])];
/// let whole = Batch::new(vec![of("g", 1.0), of("h", 2.0)])?;
/// assert_eq!(diagnostics_by_task(tasks, &options)?, diagnostics(&whole, &options)?);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
///
/// # Errors
/// The first of the batches', and [`diagnostics`]'s.
pub fn diagnostics_by_task<B: Borrow<Batch>, E: From<Error>>(
    batches: impl IntoIterator<Item = Result<B, E>>,
    options: &Options,
) -> Result<Diagnostics, E> {
    let mut tallies = Tallies::new(options);
    let mut advantages = Vec::new();
    for batch in batches {
        let batch = batch?;
        let batch = batch.borrow();
        options.check(batch)?;
        let scores = Scores::of(batch, options.discount, options.invalid_penalty);
        advantages.extend(tallies.add(batch, options, &scores));
    }
    options.estimator.innermost().finish(&mut advantages);
    Ok(tallies.finish(options, &advantages))
}

/// [`estimate`](crate::estimate()) and [`diagnostics`] of a batch at once, for who needs both: the same
/// numbers, and groups are formed once.
///
/// # Errors
/// [`diagnostics`]'s.
pub fn estimate_with_diagnostics(
    batch: &Batch,
    options: &Options,
) -> Result<(Estimate, Diagnostics), Error> {
    options.check(batch)?;
    let scores = Scores::of(batch, options.discount, options.invalid_penalty);
    let mut tallies = Tallies::new(options);
    let mut advantages = tallies.add(batch, options, &scores);
    options.estimator.innermost().finish(&mut advantages);
    let diagnostics = tallies.finish(options, &advantages);
    Ok((Estimate::new(batch, scores, advantages), diagnostics))
}

/// Counts over the terms of all batches so far.
struct Tallies {
    tasks: usize,
    trajectories: usize,
    episode: Tally,
    levels: Vec<Tally>,
    contexts: Contexts,
}

impl Tallies {
    fn new(options: &Options) -> Self {
        let levels = options.estimator.context_length().map_or(0, |longest| longest + 1);
        let contexts = Contexts::new(levels);
        let levels = vec![Tally::default(); levels];
        Self { tasks: 0, trajectories: 0, episode: Tally::default(), levels, contexts }
    }

    /// Counts the terms of a batch; the sums of the terms, before the estimator's last step.
    fn add(&mut self, batch: &Batch, options: &Options, scores: &Scores) -> Vec<f64> {
        self.tasks += batch.tasks().len();
        self.trajectories += batch.trajectories().len();
        let mut terms = Vec::new();
        let mut sums = vec![0.0; batch.step_count()];
        let tasks = 0..batch.tasks().len();
        for cohort in tasks.flat_map(|task| options.estimator.method().cohorts(batch, task)) {
            let estimator = options.estimator.method().prepare(batch, &cohort, scores);
            for (own, &row) in cohort.rows.iter().enumerate() {
                estimator.terms(own, &mut terms);
                for term in firsts(&terms) {
                    match term.comparison {
                        Comparison::Level(level) => {
                            self.levels[level.0].add(term);
                            self.contexts.add(own, level, term.group);
                        }
                        Comparison::Episode => self.episode.add(term),
                        Comparison::Steps => {}
                    }
                }
                sums[row] = sum(&terms);
            }
            self.episode.end_cohort();
            self.levels.iter_mut().for_each(Tally::end_cohort);
            self.contexts.end_cohort(|own| scores.step_rewards[cohort.rows[own]]);
        }
        sums
    }

    /// What was counted, of steps with these advantages.
    fn finish(self, options: &Options, advantages: &[f64]) -> Diagnostics {
        let Self { tasks, trajectories, episode, levels, contexts } = self;
        let steps = advantages.len();
        let finish = |(level, tally): (usize, Tally)| GroupDiagnostics {
            inconsistency: contexts.of(level),
            ..tally.finish(Some(Level(level)), steps)
        };
        let silent = advantages.iter().filter(|&&advantage| advantage == 0.0).count();
        Diagnostics {
            estimator: options.estimator.name().to_owned(),
            tasks,
            trajectories,
            steps,
            episode: (episode.steps > 0).then(|| episode.finish(None, steps)),
            levels: levels.into_iter().enumerate().map(finish).collect(),
            advantage: Summary::of(advantages),
            no_signal_fraction: fraction(silent as f64, steps),
        }
    }
}

fn fraction(part: f64, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

/// Counts over the terms of one level.
#[derive(Debug, Clone, Default)]
struct Tally {
    steps: usize,
    alone: usize,
    /// Members so far of the groups of the cohort at hand.
    members: Vec<usize>,
    /// Steps by the size of what they are compared with.
    sizes: Vec<usize>,
    /// Groups by size.
    groups: Vec<usize>,
    constant: usize,
    weight: f64,
}

impl Tally {
    fn add(&mut self, term: &Term) {
        self.steps += 1;
        self.alone += usize::from(term.statistics.is_alone());
        match term.group {
            Some(group) => count(&mut self.members, group),
            None => count(&mut self.groups, 1),
        }
        count(&mut self.sizes, term.statistics.size);
        self.constant += usize::from(term.statistics.is_constant());
        self.weight += term.weight;
    }

    fn end_cohort(&mut self) {
        for members in self.members.drain(..).filter(|&members| members > 0) {
            count(&mut self.groups, members);
        }
    }

    fn finish(self, level: Option<Level>, rows: usize) -> GroupDiagnostics {
        let groups = self.groups.iter().sum();
        let counted = |counts: Vec<usize>| counts.into_iter().enumerate().filter(|it| it.1 > 0);
        GroupDiagnostics {
            level,
            steps: self.steps,
            groups,
            mean_size: fraction(self.steps as f64, groups),
            sizes: counted(self.sizes).map(|(size, steps)| SizeCount { size, steps }).collect(),
            group_sizes: counted(self.groups)
                .map(|(size, groups)| GroupCount { size, groups })
                .collect(),
            singleton_fraction: fraction(self.alone as f64, self.steps),
            zero_std_fraction: fraction(self.constant as f64, self.steps),
            mean_weight: fraction(self.weight, rows),
            inconsistency: None,
        }
    }
}

/// Counts one more of a number.
fn count(counts: &mut Vec<usize>, number: usize) {
    if counts.len() <= number {
        counts.resize(number + 1, 0);
    }
    counts[number] += 1;
}

impl fmt::Display for GroupDiagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.level.map_or("episode".to_owned(), |level| format!("level {level}"));
        write!(f, "{name:<9} {:>7} {:>7} {:>9.2}", self.steps, self.groups, self.mean_size)?;
        write!(f, " {:>9.1} %", 100.0 * self.singleton_fraction)?;
        write!(f, " {:>7.1} % {:>11.4}", 100.0 * self.zero_std_fraction, self.mean_weight)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { estimator, tasks, trajectories, steps, .. } = self;
        writeln!(f, "{estimator}: tasks {tasks}, trajectories {trajectories}, steps {steps}")?;
        writeln!(f, "groups      steps  groups mean size  singletons  constant mean weight")?;
        for groups in self.episode.iter().chain(&self.levels) {
            writeln!(f, "{groups}")?;
        }
        for level in &self.levels {
            if let (Some(level), Some(found)) = (level.level, &level.inconsistency) {
                writeln!(f, "contexts of level {level}: {found}")?;
            }
        }
        let Summary { mean, std, min, max } = self.advantage;
        let [mean, std, min, max] = [mean, std, min, max].map(six_decimals);
        writeln!(f, "advantage: mean {mean}, std {std}, min {min}, max {max}")?;
        write!(f, "steps without signal: {:.1} %", 100.0 * self.no_signal_fraction)
    }
}
