//! Monte Carlo simulation of an estimator on groups of a process, against the true advantages.

mod accumulator;
mod histogram;
mod repeats;
mod report;

pub use self::histogram::Bins;
pub use self::report::{
    DecisionReport, Distribution, Errors, EstimateSummary, Overall, SimulationReport, Unit,
};

use self::accumulator::Accumulator;
use super::{Decision, Process};
use crate::batch::Batch;
use crate::breakdown::Comparison;
use crate::error::Error;
use crate::estimate::all_terms;
use crate::estimator::{Options, Term, firsts, sum};
use crate::returns::Scores;

/// Most advantages that a study may draw: samples × attempts × steps × levels, and one more for the
/// whole.
pub const SIMULATION_LIMIT: usize = 10_000_000;

/// What is drawn, and how it is estimated.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulationPlan {
    /// How often a group is drawn.
    pub samples: usize,
    /// Attempts of a group.
    pub attempts: usize,
    /// The estimator, and the discount of the truth too.
    pub options: Options,
}

/// Draws groups of a process, estimates every step of each, and compares with the true advantage.
///
/// Every sample is a batch of its own. A comparison (a level k, the episode) counts if the step
/// has company in it; the advantage itself counts for every step, even if it is 0 because nothing
/// could be compared. An invalid-action penalty moves the estimates, and is no part of the truth: a
/// penalty of 0 leaves it out.
///
/// The truth has the unit of the discounted return, and so have advantages that are differences of
/// returns (`scale = mean`). Advantages that were divided by a standard deviation have not: of those
/// the study says how they scatter, how they correlate with the truth, and how often their sign is
/// the opposite, but no bias ([`Unit`]).
///
/// ```
/// use hgpo_core::{Discount, Estimator, Hgpo, Options, Scale, process::{Process, simulate}};
/// use hgpo_core::process::simulation::SimulationPlan;
/// // One action wins 1, the other 2: V = 1.5, A* = ∓0.5.
/// let process = Process::read(r#"{"step_limit": 1, "start": [{"situation": "s"}], "situations": [
///     {"state": "s", "actions": [
///         {"action": "a", "probability": 0.5, "outcomes": [{"reward": 1}]},
///         {"action": "b", "probability": 0.5, "outcomes": [{"reward": 2}]}]}]}"#)?;
/// let estimator = Estimator::Hgpo(Hgpo { scale: Scale::Mean, ..Hgpo::default() });
/// let options = Options { discount: Discount::new(1.0)?, estimator, ..Options::default() };
/// // Words that draw a, b in the first group and a, a in the second: start, action, outcome each.
/// let mut actions = [0, 1, 0, 0].into_iter().flat_map(|b| [0, b << 63, 0]);
/// let plan = SimulationPlan { samples: 2, attempts: 2, options };
/// let found = simulate(&process, &plan, &mut || actions.next().unwrap_or_default())?;
/// // Of a: −0.5, 0, 0, where −0.5 is true: mean −1/6, 1/3 too high. Of b: 0.5, which is true.
/// let whole = |decision: usize| found.decisions[decision].said.last().unwrap();
/// assert_eq!(found.decisions[0].truth, -0.5);
/// assert!((whole(0).estimates.mean + 1.0 / 6.0).abs() < 1e-15);
/// assert!((whole(0).bias.unwrap() - 1.0 / 3.0).abs() < 1e-15);
/// assert_eq!((whole(1).estimates.mean, whole(1).bias), (0.5, Some(0.0)));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
///
/// # Errors
/// No samples or attempts, or more than [`SIMULATION_LIMIT`] advantages; options that
/// [`estimate`](crate::estimate()) refuses.
pub fn simulate(
    process: &Process,
    plan: &SimulationPlan,
    words: &mut impl FnMut() -> u64,
) -> Result<SimulationReport, Error> {
    let SimulationPlan { samples, attempts, options } = plan;
    options.validate()?;
    check_size(process, plan)?;
    let values = process.values(options.discount);
    let unit = Unit::of(options);
    let mut tally = Accumulator::new(Bins::of(process, options.discount, unit));
    for _ in 0..*samples {
        let drawn: Vec<_> = process.draw("sample", *attempts, words).collect();
        let decisions = drawn.iter().flat_map(|it| &it.decisions);
        let truths: Vec<_> = decisions.map(|&it| (it, values.advantage(it))).collect();
        let batch = Batch::new(drawn.into_iter().map(|it| it.trajectory).collect())?;
        tally.add(&estimates_of_steps(&batch, options)?, &truths);
    }
    Ok(tally.report(plan, unit))
}

fn check_size(process: &Process, plan: &SimulationPlan) -> Result<(), Error> {
    let &SimulationPlan { samples, attempts, ref options } = plan;
    if samples == 0 || attempts == 0 {
        return Err(Error::process("a study needs at least one sample of one attempt"));
    }
    let levels = options.estimator.context_length().unwrap_or(0).min(process.step_limit - 1) + 2;
    let steps = samples.saturating_mul(attempts).saturating_mul(process.step_limit);
    if steps.saturating_mul(levels) <= SIMULATION_LIMIT {
        return Ok(());
    }
    Err(Error::process(format!(
        "{samples} samples of {attempts} attempts with up to {} steps, {levels} advantages each, are \
         more than {SIMULATION_LIMIT}: lower one of them",
        process.step_limit
    )))
}

/// An advantage, and the comparison that it comes from; none for the whole.
type Saying = (Option<Comparison>, f64);

/// What is said of every step of a batch, by whom: each comparison that it has company in, and the
/// estimator as a whole.
fn estimates_of_steps(batch: &Batch, options: &Options) -> Result<Vec<Vec<Saying>>, Error> {
    options.check(batch)?;
    let scores = Scores::of(batch, options.discount, options.invalid_penalty);
    let terms = all_terms(batch, options, &scores);
    let mut advantages: Vec<f64> = terms.iter().map(|terms| sum(terms)).collect();
    options.estimator.innermost().finish(&mut advantages);
    let of_row = |(terms, advantage): (&Vec<Term>, f64)| {
        let in_company = firsts(terms).filter(|term| !term.statistics.is_alone());
        let parts = in_company.map(|term| (Some(term.comparison), term.advantage));
        parts.chain([(None, advantage)]).collect()
    };
    Ok(terms.iter().zip(advantages).map(of_row).collect())
}
