//! Value of a state.

use super::anchors::Anchors;
use super::composed_estimator::Composed;
use super::part_choices::{Depth, Worth};
use super::process::Process;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Ground, StateSource, Visit};
use crate::returns::{Discount, Scores};

/// What the visits of every state say about it.
pub(super) struct StateWorth {
    pub(super) worth: Worth,
    pub(super) discount: Discount,
    /// How each row's trajectory went on: its step return, or its success, discounted.
    outcomes: Vec<f64>,
    pub(super) levels: Vec<Anchored>,
    /// What each row says that its state is worth, if that counts.
    recorded: Option<Vec<f64>>,
    /// For each row of a process, the steps to the end of its sequence and whether that is a success.
    ends: Vec<(usize, f64)>,
}

pub(super) struct Anchored {
    pub(super) anchors: Anchors,
    /// V of what each row led to, if Bellman's equation is applied.
    led_to: Option<Vec<f64>>,
}

impl StateWorth {
    pub(super) fn new(
        settings: &Composed,
        batch: &Batch,
        cohort: &Cohort,
        scores: &Scores,
    ) -> Self {
        let &Composed { state_value: worth, depth, value_discount: discount, .. } = settings;
        let (outcomes, ends) = match worth {
            Worth::Returns | Worth::Potentials | Worth::Recorded => {
                (cohort.gather(&scores.step_rewards), Vec::new())
            }
            Worth::Process => successes(batch, cohort, discount),
        };
        let anchored = |anchors| {
            let led_to = (worth == Worth::Process && depth != Depth::Zero).then(|| {
                let next = Process::led_to(batch, cohort, &anchors);
                let values = match depth {
                    Depth::FixedPoint => {
                        Process::new(batch, cohort, &anchors).fixed_point(discount.get())
                    }
                    _ => applied(depth as usize, &outcomes, discount, &next, &anchors),
                };
                next.into_iter().map(|next| values[next]).collect()
            });
            Anchored { anchors, led_to }
        };
        let levels = Anchors::levels(cohort, settings.context_length);
        let levels = levels.into_iter().map(anchored).collect();
        // Every row has one: that is checked before.
        let of = |&row: &usize| batch.step(row).state_value.unwrap_or(0.0);
        let recorded = (worth == Worth::Recorded).then(|| cohort.rows.iter().map(of).collect());
        Self { worth, discount, outcomes, levels, recorded, ends }
    }

    /// What the value of a state is the mean of: a number for each of its visits.
    pub(super) fn targets(&self, level: usize) -> Vec<f64> {
        match &self.levels[level].led_to {
            None => self.outcomes.clone(),
            Some(led_to) => led_to.iter().map(|worth| self.discount.get() * worth).collect(),
        }
    }

    /// The longest context that a row shares with another one; 0 if it shares none.
    pub(super) fn deepest(&self, row: usize) -> usize {
        let shared = |level: &usize| self.levels[*level].anchors.groups.of(row).group().is_some();
        (0..self.levels.len()).rev().find(shared).unwrap_or(0)
    }

    /// V of every row's state, from the longest context that the row shares.
    pub(super) fn of_rows(&self, rows: usize) -> Vec<f64> {
        if let Some(recorded) = &self.recorded {
            return recorded.clone();
        }
        let mut values = vec![0.0; rows];
        for level in 0..self.levels.len() {
            let anchors = &self.levels[level].anchors;
            let means = anchors.contexts.statistics(&self.targets(level));
            for (row, value) in values.iter_mut().enumerate() {
                if let Some(number) =
                    anchors.contexts.of(row).filter(|_| self.deepest(row) == level)
                {
                    *value = means[number].mean;
                }
            }
        }
        values
    }

    /// A visit of a row, with what it tells of the value of its state.
    pub(super) fn visit(&self, ground: &Ground<'_>, level: usize, row: usize) -> Visit {
        let (left, end) = match (&self.levels[level].led_to, self.worth) {
            (Some(led_to), _) => (1, led_to[row]),
            (None, Worth::Process) => self.ends[row],
            (None, Worth::Returns | Worth::Potentials | Worth::Recorded) => (0, self.outcomes[row]),
        };
        ground.visit(row, left, end)
    }

    /// What V of a row's state is made of.
    pub(super) fn source(&self, ground: &Ground<'_>, row: usize) -> StateSource {
        if self.recorded.is_some() {
            return StateSource::Recorded;
        }
        let level = self.deepest(row);
        let members = self.levels[level].anchors.contexts.members(row);
        let visits = members.map(|row| self.visit(ground, level, row)).collect();
        StateSource::Visits { discount: self.discount.get(), visits }
    }
}

/// β^n·\[success\] of every row, n steps before the end of its sequence; and n and the success.
fn successes(batch: &Batch, cohort: &Cohort, discount: Discount) -> (Vec<f64>, Vec<(usize, f64)>) {
    let (mut outcomes, mut ends) = (vec![0.0; cohort.rows.len()], Vec::new());
    for (rows, &trajectory) in cohort.sequences().zip(&cohort.trajectories) {
        let success = f64::from(u8::from(batch.trajectories()[trajectory].succeeded()));
        let mut outcome = success;
        ends.extend(rows.clone().map(|row| (rows.end - row, success)));
        for row in rows.rev() {
            outcome *= discount.get();
            outcomes[row] = outcome;
        }
    }
    (outcomes, ends)
}

/// V⁽ᵈ⁻¹⁾ of every context and of the two ends, d from 1.
fn applied(
    depth: usize,
    outcomes: &[f64],
    discount: Discount,
    next: &[usize],
    anchors: &Anchors,
) -> Vec<f64> {
    let value = |targets: &[f64]| -> Vec<f64> {
        // Behind the contexts there is the end of successes, and behind that the end of failures.
        let means = anchors.contexts.statistics(targets).into_iter().take(anchors.contexts.count);
        means.map(|visits| visits.mean).chain([1.0, 0.0]).collect()
    };
    let mut values = value(outcomes);
    for _ in 1..depth {
        let targets: Vec<f64> = next.iter().map(|&next| discount.get() * values[next]).collect();
        values = value(&targets);
    }
    values
}
