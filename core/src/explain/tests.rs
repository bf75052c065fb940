//! Kinds of terms that no estimator of this crate is made of yet, in one that is for this test alone.
#![allow(clippy::float_cmp, reason = "hand-derived numbers that have a finite binary form")]

use super::Parts;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{
    Account, Comparison, Difference, Factor, Ground, Rule, Skipped, Source, StateSource,
    StateValue, Value,
};
use crate::estimator::{Term, Terms};
use crate::returns::{Discount, Scores};
use crate::rollout::{Step, Trajectory};
use crate::statistics::{Scale, SingletonRule, Standardise, Statistics, StdRule};

const HOW: Standardise = Standardise::new(Scale::Mean, StdRule::Population, SingletonRule::Zero);

/// A quarter of the return's deviation, behind a gate that is open for row 0 alone; and the sum of
/// δ_0 = 1 + 0.5 · 8 − 2 and δ_1 = 10 − 8, λ = 1, as it is.
struct Trial {
    returns: Vec<f64>,
}

impl Trial {
    fn factors(row: usize) -> Vec<Factor> {
        vec![
            Factor::Trust { part: 1.0, whole: 4.0 },
            Factor::Gate { count: if row == 0 { 2 } else { 1 }, needed: 2 },
        ]
    }
}

fn state(step: usize, number: f64) -> StateValue {
    StateValue { step, source: StateSource::End { success: true }, number }
}

impl Terms for Trial {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        let group = Statistics::of(&self.returns, HOW.std);
        let of = |comparison| Term::new(comparison, Some(0), group, self.returns[row], HOW);
        let deviation = of(Comparison::Episode);
        terms.push(Self::factors(row).iter().fold(deviation, Term::times));
        terms.push(Term { advantage: 4.0, ..of(Comparison::Steps) });
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        let difference = |step, reward, discount, next, own, number| Difference {
            step,
            reward,
            discount,
            next: state(step + 1, next),
            own: state(step, own),
            number,
        };
        let differences =
            vec![difference(0, 1.0, 0.5, 8.0, 2.0, 3.0), difference(1, 0.0, 1.0, 10.0, 8.0, 2.0)];
        let sum = Source::Differences { decay: 1.0, differences };
        vec![ground.step_return(row), Value::new(sum, 4.0)]
    }

    fn account(&self, row: usize, _place: usize, term: &Term) -> Account {
        match term.comparison {
            Comparison::Steps => Account::new(1, Vec::new(), Rule::Value),
            _ => Account { factors: Self::factors(row), ..Account::new(0, vec![(row, 0.0)], HOW) },
        }
    }
}

#[test]
fn gates_and_discounted_sums_of_differences_are_told() {
    let walk = |name, reward| Trajectory::new("g", name, vec![Step::new("s", reward)]);
    let batch = Batch::new(vec![walk("a", 6.0), walk("b", 2.0)]).expect("valid");
    let scores = Scores::of(&batch, Discount::default(), 0.1);
    let cohort = Cohort::of_task(&batch, 0);
    let ground =
        Ground { batch: &batch, cohort: &cohort, scores: &scores, discount: Discount::default() };
    let trial = Trial { returns: vec![6.0, 2.0] };
    let parts = |row| Parts::of(&trial, &ground, false, row);
    // (6 − 4) / 4 behind an open gate, and 3 + 0.5 · 2.
    let open = parts(0);
    assert_eq!((open.terms[0].advantage, open.sum), (0.5, 4.5));
    let labels: Vec<&str> = open.terms.iter().map(|term| &*term.label).collect();
    assert_eq!(labels, ["E", "\u{394}"]);
    let text = open.terms[0].to_string();
    assert!(text.contains("factor 0.250000  trust: 1.000000 of 4.000000\n"), "{text}");
    assert!(text.contains("factor 1.000000  gate: 2 of 2 needed\n"), "{text}");
    // Behind a closed one there is nothing.
    let closed = parts(1);
    assert_eq!((closed.terms[0].advantage, closed.sum), (0.0, 4.0));
    assert_eq!(closed.terms[0].skipped, Some(Skipped::Zero));
}
