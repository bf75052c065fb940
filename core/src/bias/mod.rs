//! Bias and variance of advantages, against true values that the caller supplies.

mod full_history_groups;
mod history;
pub(crate) mod moments;
mod report;
mod row;

use self::full_history_groups::{by_history, common_steps};
use self::history::HistoryTree;
pub use self::report::{BiasReport, BiasRow, Measure, Quantity};
use self::row::{Estimates, RowAccumulator};
use crate::batch::Batch;
use crate::breakdown::Comparison;
use crate::error::Error;
use crate::estimate::all_terms;
use crate::estimator::Options;
use crate::groups::hierarchy::Level;
use crate::returns::Scores;
use crate::statistics::Scale;

/// A*(h, a) of one step, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TrueAdvantage {
    /// Q(h, a) − V(h).
    pub value: f64,
    /// ω², the variance of `value` as an estimate; 0 if the truth is known exactly.
    pub variance: f64,
}

/// Repeated groups with the true advantage of every step: what an estimator makes of them.
///
/// The true advantage of a step after the history h (all states and actions before it, and its
/// state) with action a is A*(h, a) = Q(h, a) − V(h), in units of the discounted return. What an
/// estimator says of such a step, Â, is a random number: it depends on the luck of the episode and
/// on who else is in the group. A [`BiasStudy`] takes groups that were played again and again from
/// the same start, and finds the steps with equal history and action: repeated draws of Â for one A*.
///
/// # Formula
/// For one history and action, with errors e = Â − A*, n of them in all, n_g in group g, S_g their
/// sum in group g, S in all, and ω² the variance of the oracle's A*:
///
/// ```text
/// bias²    = (S² − Σ_g S_g²) / (n² − Σ_g n_g²) − ω²     products of errors of different groups
/// MSE      = Σ e² / n − ω²
/// variance = MSE − bias²
/// ```
/// Steps of one group share their baselines, so only different groups are independent repeats.
/// With one step a group these are the textbook's: bias² = ē² − s²/n − ω², variance = s². All three
/// are unbiased; when the true bias is small, bias² comes out slightly negative as often as
/// slightly positive. Histories met in a single group say nothing and are left out. The report
/// averages over the others, each as often as it occurred.
///
/// Three kinds of rows: every level's A_k alone, over the steps that have company there; the
/// reference [`Quantity::History`], the step against the steps with the same full history; the
/// estimator's [`Quantity::Aggregate`], over all steps (0 if it is silent). Levels have company on
/// different steps, so every row is also given over the *common steps*: those that another
/// trajectory shares the longest context with.
///
///
/// What to keep in mind:
/// 1. A group mean that holds the step itself takes 1/n of its advantage away: a bias that grows as
///    groups become small, and less variance with it. [`Baseline::Others`](crate::Baseline::Others) has neither.
/// 2. GRPO and RLOO compare undiscounted scores, GiGPO adds such a term to A_0, GraphGPO and G2PO
///    compare values of their own: part of their bias is one of unit. The correlation with A* is not
///    moved by units that all steps share.
/// 3. Only repeated histories count. They are those near the start, and those of likely actions.
///
/// ```
/// use hgpo_core::{Batch, BiasStudy, Estimator, Hgpo, Options, Quantity, Scale, Step, Trajectory, TrueAdvantage, Level};
/// // State s is worth 4 to who comes from x and 0 to who comes from y; nothing there is better
/// // than anything else, so A* = 0 everywhere.
/// let walk = |name, first, reward| {
///     Trajectory::new("g", name, vec![Step::new(first, 0.0), Step::new("s", reward)])
/// };
/// let group = Batch::new(vec![walk("a", "x", 4.0), walk("b", "x", 4.0), walk("c", "y", 0.0), walk("d", "y", 0.0)])?;
/// let hgpo = Hgpo { context_length: 1, scale: Scale::Mean, ..Hgpo::default() };
/// let options = Options { estimator: Estimator::Hgpo(hgpo), invalid_penalty: 0.0, ..Options::default() };
/// let mut study = BiasStudy::new(&options, 1)?;
/// for _ in 0..2 {
///     study.add(&group, &[Some(TrueAdvantage::default()); 8])?;
/// }
/// let report = study.report();
/// // Steps at s, level 0: ±2 from the mean 2, in both groups. n = 4, S = 8, S_g = 4, n_g = 2 for
/// // each history: (64 − 32) / (16 − 8) = 4. First steps are right, which halves it over all.
/// let squared_bias = |rows: &[hgpo_core::BiasRow], quantity| {
///     rows.iter().find(|row| row.quantity == quantity).unwrap().squared_bias.value
/// };
/// assert_eq!(squared_bias(&report.common_steps, Quantity::Level(Level(0))), 4.0);
/// assert_eq!(squared_bias(&report.all_steps, Quantity::Level(Level(0))), 2.0);
/// assert_eq!(squared_bias(&report.common_steps, Quantity::Level(Level(1))), 0.0);
/// // HGPO skips the level that says 0, and takes the biased one for the whole.
/// assert_eq!(squared_bias(&report.common_steps, Quantity::Aggregate), 4.0);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BiasStudy {
    options: Options,
    context_length: usize,
    paths: HistoryTree,
    steps: usize,
    groups: usize,
    tallies: Vec<RowAccumulator>,
}

impl BiasStudy {
    /// A study of an estimator; the common steps are those with company at level `context_length`.
    ///
    /// # Errors
    /// [`Options::validate`]'s. Advantages in other units than the return: a `scale` other than
    /// `mean`, whitening. An invalid-action penalty, which is no part of the return.
    pub fn new(options: &Options, context_length: usize) -> Result<Self, Error> {
        options.validate()?;
        comparable(options)?;
        let levels = options.estimator.context_length().map_or(0, |longest| longest + 1);
        let quantities = (0..levels)
            .map(|level| Quantity::Level(Level(level)))
            .chain([Quantity::History, Quantity::Aggregate]);
        let tallies = quantities
            .flat_map(|quantity| [false, true].map(|common| RowAccumulator::new(quantity, common)));
        Ok(Self {
            options: options.clone(),
            context_length,
            paths: HistoryTree::default(),
            steps: 0,
            groups: 0,
            tallies: tallies.collect(),
        })
    }

    /// Adds one group of every task in the batch, with the true advantage of every row. Rows where
    /// it is unknown are company for others and part of the coverage, and nothing else.
    ///
    /// The same history and action must come with the same truth whenever it is added: one
    /// estimate of the oracle, whose error all repeats share.
    ///
    /// # Errors
    /// A number of true advantages other than that of steps; one that is not finite, or with a
    /// negative variance; [`Options::check`]'s.
    pub fn add(&mut self, batch: &Batch, truth: &[Option<TrueAdvantage>]) -> Result<(), Error> {
        self.options.check(batch)?;
        check(batch, truth)?;
        let scores = Scores::of(batch, self.options.discount, 0.0);
        let terms = all_terms(batch, &self.options, &scores);
        let places = self.paths.places(batch);
        // The reference compares as the estimator does.
        let baseline = self.options.estimator.baseline();
        let histories = by_history(batch, &scores, &places, baseline);
        let common = common_steps(batch, &scores, self.context_length);
        for tally in &mut self.tallies {
            let said = |row: usize| match tally.quantity {
                Quantity::Level(level) => {
                    let comparison = Comparison::Level(level);
                    let mut terms = terms[row].iter();
                    terms.find(|term| term.comparison == comparison).map(Estimates::of)
                }
                Quantity::History => histories[row].as_ref().map(Estimates::of),
                Quantity::Aggregate => Some(Estimates::together(&terms[row])),
            };
            let said: Vec<Option<Estimates>> = (0..batch.step_count()).map(said).collect();
            tally.add(&said, &places, truth, &common);
        }
        self.steps += batch.step_count();
        self.groups += batch.tasks().len();
        Ok(())
    }

    /// What was found so far.
    #[must_use]
    pub fn report(&self) -> BiasReport {
        let rows = |common| {
            let tallies = self.tallies.iter().filter(move |tally| tally.common == common);
            tallies.map(|tally| tally.row(self.steps)).collect()
        };
        BiasReport {
            options: self.options.clone(),
            context_length: self.context_length,
            tasks: self.paths.tasks.len(),
            groups: self.groups,
            steps: self.steps,
            all_steps: rows(false),
            common_steps: rows(true),
        }
    }
}

/// Refuses advantages that are not differences of discounted returns.
fn comparable(options: &Options) -> Result<(), Error> {
    let estimator = &options.estimator;
    if estimator.scale() != Scale::Mean {
        let problem = format!(
            "{} divides by a standard deviation: only `mean` can be compared with returns",
            estimator.scale()
        );
        return Err(Error::option("scale", problem));
    }
    if estimator.needs_whole_batch() {
        let problem = format!(
            "{} whitens advantages, which cannot be compared with returns: choose another",
            estimator.name()
        );
        return Err(Error::option("estimator", problem));
    }
    if options.invalid_penalty != 0.0 {
        let problem = format!("{} is not part of the return: use 0", options.invalid_penalty);
        return Err(Error::option("invalid_penalty", problem));
    }
    Ok(())
}

fn check(batch: &Batch, truth: &[Option<TrueAdvantage>]) -> Result<(), Error> {
    if truth.len() != batch.step_count() {
        let (found, steps) = (truth.len(), batch.step_count());
        let problem = format!("{found} true advantages for {steps} steps: one per step is needed");
        return Err(Error::option("truth", problem));
    }
    let wrong = |truth: &&TrueAdvantage| {
        !truth.value.is_finite() || !truth.variance.is_finite() || truth.variance < 0.0
    };
    match truth.iter().flatten().find(wrong) {
        None => Ok(()),
        Some(TrueAdvantage { value, variance }) => {
            let problem = format!(
                "{value} with variance {variance}: use a finite number, and a variance of at least 0"
            );
            Err(Error::option("truth", problem))
        }
    }
}
