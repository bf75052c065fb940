//! Accumulator of a simulation's samples.

use std::collections::BTreeMap;

use super::histogram::Bins;
use super::repeats::Repeats;
use super::report::{DecisionReport, Errors, EstimateSummary, Overall, SimulationReport, Unit};
use super::{Decision, Distribution, Saying, SimulationPlan};
use crate::bias::moments::Moments;
use crate::breakdown::Comparison;

/// Who says something: a comparison, or, after all of them, the whole.
type Speaker = (bool, Option<Comparison>);

/// All that was said of a decision.
#[derive(Debug, Clone)]
struct OfOne {
    truth: f64,
    steps: usize,
    said: BTreeMap<Speaker, Repeats>,
}

pub(super) struct Accumulator {
    bins: Bins,
    steps: usize,
    decisions: BTreeMap<Decision, OfOne>,
    /// Values and errors of all steps.
    together: BTreeMap<Speaker, [Repeats; 2]>,
}

impl Accumulator {
    pub(super) fn new(bins: Bins) -> Self {
        Self { bins, steps: 0, decisions: BTreeMap::new(), together: BTreeMap::new() }
    }

    /// Adds a sample: what was said of every step, and what is true.
    pub(super) fn add(&mut self, said: &[Vec<Saying>], truths: &[(Decision, f64)]) {
        let bin = |value| self.bins.bin(value);
        let mut by_decision = BTreeMap::<Decision, BTreeMap<Speaker, Vec<f64>>>::new();
        let mut of_all = BTreeMap::<Speaker, [Vec<f64>; 2]>::new();
        for (said, &(decision, truth)) in said.iter().zip(truths) {
            let new = || OfOne { truth, steps: 0, said: BTreeMap::new() };
            self.decisions.entry(decision).or_insert_with(new).steps += 1;
            for &(comparison, value) in said {
                let who = (comparison.is_none(), comparison);
                by_decision.entry(decision).or_default().entry(who).or_default().push(value);
                let [values, errors] = of_all.entry(who).or_default();
                values.push(value);
                errors.push(value - truth);
            }
        }
        self.steps += truths.len();
        for (decision, said) in by_decision {
            let Some(of) = self.decisions.get_mut(&decision) else { continue };
            for (who, values) in said {
                of.said.entry(who).or_default().add(&values, of.truth, bin);
            }
        }
        for (who, both) in of_all {
            let cells = self.together.entry(who).or_default();
            for (cell, values) in cells.iter_mut().zip(&both) {
                cell.add(values, 0.0, bin);
            }
        }
    }

    pub(super) fn report(self, plan: &SimulationPlan, unit: Unit) -> SimulationReport {
        let overall = self.together.iter().map(|(&who, [values, errors])| {
            self.overall(who, values, (unit == Unit::Return).then_some(errors))
        });
        SimulationReport {
            options: plan.options.clone(),
            samples: plan.samples,
            attempts: plan.attempts,
            unit,
            bins: self.bins,
            steps: self.steps,
            overall: overall.collect(),
            decisions: self.decisions.iter().map(|it| of_decision(it, unit)).collect(),
        }
    }

    /// One speaker over all decisions.
    fn overall(&self, who: Speaker, values: &Repeats, errors: Option<&Repeats>) -> Overall {
        let mut moments = Moments::default();
        let mut opposite = 0;
        for said in self.decisions.values().filter_map(|of| of.said.get(&who)) {
            opposite += said.distribution().opposite;
            if let Some(more) = said.errors.moments() {
                moments.add(&more);
            }
        }
        let mean = |sum: f64| (moments.count > 0.0).then(|| sum / moments.count);
        Overall {
            comparison: who.1,
            estimates: Distribution { opposite, ..values.distribution() },
            errors: errors.map(|errors| Errors {
                errors: errors.distribution(),
                squared_bias: mean(moments.squared_bias),
                variance: mean(moments.variance),
                mean_squared_error: mean(moments.mean_squared_error),
            }),
            correlation: moments.correlation(),
        }
    }
}

fn of_decision((&decision, of): (&Decision, &OfOne), unit: Unit) -> DecisionReport {
    let said = of.said.iter().map(|(&(_, comparison), cell)| {
        let estimates = cell.distribution();
        let bias = (unit == Unit::Return).then_some(estimates.mean - of.truth);
        EstimateSummary { comparison, bias, estimates }
    });
    DecisionReport { decision, truth: of.truth, steps: of.steps, said: said.collect() }
}
