//! Temporal differences: the value of where a step leads, less that of where it is.

use super::part_choices::Worth;
use super::value::StateWorth;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Difference, Ground, Source, StateSource, StateValue, Value};
use crate::returns::Scores;

/// δ_t of every row, and what is made of it.
pub(super) struct TemporalDifferences {
    /// λ; none if only δ_t counts.
    lambda: Option<f64>,
    /// V of each row's state.
    worths: Vec<f64>,
    steps: Vec<Gain>,
    pub(super) credits: Vec<f64>,
}

struct Gain {
    reward: f64,
    discount: f64,
    /// The next row of the sequence; none after its last.
    next: Option<usize>,
    /// V of what the step leads to.
    led_to: f64,
    delta: f64,
}

impl TemporalDifferences {
    pub(super) fn new(
        worth: &StateWorth,
        lambda: Option<f64>,
        batch: &Batch,
        cohort: &Cohort,
        scores: &Scores,
    ) -> Self {
        let worths = worth.of_rows(cohort.rows.len());
        let mut steps = Vec::with_capacity(worths.len());
        let mut credits = vec![0.0; worths.len()];
        for (rows, &trajectory) in cohort.sequences().zip(&cohort.trajectories) {
            let all = batch.rows_of(trajectory);
            let last = rows.end - 1;
            steps.extend(rows.clone().map(|row| {
                let next = (row < last).then_some(row + 1);
                let (mut reward, mut discount) = (0.0, worth.discount.get());
                let end = match worth.worth {
                    Worth::Returns | Worth::Recorded => {
                        // Until the next step of the sequence, which is another agent's in between.
                        let until = next.map_or(all.end, |next| cohort.rows[next]);
                        (reward, discount) = scores.between(cohort.rows[row], until);
                        0.0
                    }
                    Worth::Potentials => batch.rewards[all.end - 1],
                    Worth::Process => {
                        f64::from(u8::from(batch.trajectories()[trajectory].succeeded()))
                    }
                };
                let led_to = next.map_or(end, |next| worths[next]);
                let delta = reward + discount * led_to - worths[row];
                Gain { reward, discount, next, led_to, delta }
            }));
            let mut later = 0.0;
            for row in rows.rev() {
                let Gain { discount, delta, .. } = steps[row];
                later = delta + lambda.unwrap_or(0.0) * discount * later;
                // A penalty stays at its step, as with returns.
                let counts = worth.worth.counts_rewards();
                let penalty = if counts { scores.penalty(cohort.rows[row]) } else { 0.0 };
                credits[row] = later - penalty;
            }
        }
        Self { lambda, worths, steps, credits }
    }

    pub(super) fn value(&self, ground: &Ground<'_>, worth: &StateWorth, row: usize) -> Value {
        let source = match self.lambda {
            None => Source::Difference(self.difference(ground, worth, row)),
            Some(decay) => {
                let rows = std::iter::successors(Some(row), |&row| self.steps[row].next);
                let differences = rows.map(|row| self.difference(ground, worth, row)).collect();
                Source::Differences { decay, differences }
            }
        };
        let penalty = ground.penalty(row).filter(|_| worth.worth.counts_rewards());
        Value { source, penalty, number: self.credits[row] }
    }

    fn difference(&self, ground: &Ground<'_>, worth: &StateWorth, row: usize) -> Difference {
        let Gain { reward, discount, next, led_to, delta } = self.steps[row];
        let (trajectory, step) = ground.position(row);
        let state = |row, step| StateValue {
            step,
            source: worth.source(ground, row),
            number: self.worths[row],
        };
        let end = || {
            let all = &ground.batch.trajectories()[trajectory];
            let source = match worth.worth {
                Worth::Returns | Worth::Recorded => StateSource::Over,
                Worth::Potentials | Worth::Process => StateSource::End { success: all.succeeded() },
            };
            StateValue { step: all.steps.len(), source, number: led_to }
        };
        let next = next.map_or_else(end, |next| state(next, ground.position(next).1));
        Difference { step, reward, discount, next, own: state(row, step), number: delta }
    }
}
