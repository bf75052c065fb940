//! A task under several estimators at once: where they differ, how large groups are, and why steps teach nothing.

mod heat_map;

pub(crate) use heat_map::{Detail, HeatMap};

use crate::model::Cell;
use hgpo_core::{Batch, Diagnostics, GroupDiagnostics, Options, SizeCount, diagnostics, estimate};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A task under one estimator.
#[derive(Debug)]
pub(crate) struct Column {
    /// The estimator's name in files.
    pub(crate) name: &'static str,
    /// The advantage of every step, row by row.
    pub(crate) advantages: Vec<Vec<f64>>,
    /// The largest absolute advantage.
    pub(crate) peak: f64,
    /// The groups that they come from.
    pub(crate) diagnostics: Diagnostics,
    /// Whether an attempt counts once for each of its steps in what attempts are compared with.
    pub(crate) counts_steps: bool,
}

/// A task under every estimator that the reader ticked, and the chosen one.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// One an estimator, in the order of the page; never none.
    pub(crate) columns: Vec<Column>,
    /// The position of the chosen estimator.
    pub(crate) chosen: usize,
}

impl Column {
    /// A task under an estimator; none if it does not take the task.
    fn new(batch: &Batch, options: &Options) -> Option<Self> {
        let advantages = estimate(batch, options).ok()?.advantages;
        Some(Self {
            name: options.estimator.name(),
            peak: advantages.values().iter().fold(0.0, |peak, value| value.abs().max(peak)),
            advantages: advantages.iter().map(<[f64]>::to_vec).collect(),
            diagnostics: diagnostics(batch, options).ok()?,
            counts_steps: options.get("episode_statistics") == Some("steps".into()),
        })
    }

    /// The advantage of a step.
    pub(crate) fn at(&self, cell: Cell) -> f64 {
        self.advantages[cell.row][cell.step]
    }
}

impl Comparison {
    /// A task under those of some estimators that are ticked, and under the `chosen` one; none if that
    /// does not take the task.
    pub(crate) fn new(
        batch: &Batch,
        methods: &[Options],
        chosen: &str,
        ticked: &[&str],
    ) -> Option<Self> {
        let is_shown = |name: &str| name == chosen || ticked.contains(&name);
        let shown = methods.iter().filter(|options| is_shown(options.estimator.name()));
        let columns: Vec<Column> =
            shown.filter_map(|options| Column::new(batch, options)).collect();
        let chosen = columns.iter().position(|column| column.name == chosen)?;
        Some(Self { columns, chosen })
    }

    /// The column of the chosen estimator.
    pub(crate) fn of_chosen(&self) -> &Column {
        &self.columns[self.chosen]
    }

    /// The largest absolute advantage of all columns.
    pub(crate) fn peak(&self) -> f64 {
        self.columns.iter().fold(0.0, |peak: f64, column| peak.max(column.peak))
    }
}

/// The steps on which an advantage is farthest from the chosen estimator's, at most some number of
/// them; equal ones as they stand on the stage.
pub(crate) fn differences(comparison: &Comparison, most: usize) -> Vec<Cell> {
    let chosen = &comparison.of_chosen().advantages;
    let mut heap = BinaryHeap::new();
    for (row, own) in chosen.iter().enumerate() {
        for (step, value) in own.iter().enumerate() {
            let far = comparison
                .columns
                .iter()
                .map(|column| (column.at(Cell { row, step }) - value).abs())
                .fold(0.0, f64::max);
            // The bits of numbers from 0 on are in the order of the numbers.
            heap.push((far.to_bits(), Reverse((row, step))));
        }
    }
    let next = std::iter::from_fn(|| heap.pop());
    next.take(most).map(|(_, Reverse((row, step)))| Cell { row, step }).collect()
}

#[cfg(test)]
pub(crate) mod tests;

/// A bar of a histogram: the steps in groups of some sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bar {
    /// The least size.
    pub(crate) from: usize,
    /// The greatest size.
    pub(crate) to: usize,
    /// The number of steps in such groups.
    pub(crate) steps: usize,
}

/// Why most of the steps without signal have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Every step has a signal.
    None,
    /// They have nobody to be compared with.
    Alone,
    /// All that they are compared with did as well.
    Alike,
}

/// The most sizes that have a bar each.
const SINGLE: usize = 8;

/// The bars of a histogram, sizes ascending: one a size, or one for each doubling of the size.
pub(crate) fn bars(sizes: &[SizeCount]) -> Vec<Bar> {
    let single = sizes.len() <= SINGLE;
    let mut bars: Vec<Bar> = Vec::new();
    for SizeCount { size, steps, .. } in sizes.iter().copied() {
        let from = if single { size } else { 1 << size.ilog2() };
        match bars.last_mut().filter(|bar| bar.from == from) {
            Some(bar) => bar.steps += steps,
            None => {
                bars.push(Bar { from, to: if single { size } else { 2 * from - 1 }, steps });
            }
        }
    }
    bars
}

/// Why most of an estimator's steps without signal have none. If its widest groups differ, a step
/// is heard; so these tell.
pub(crate) fn silence(diagnostics: &Diagnostics) -> Silence {
    let widest: Vec<&GroupDiagnostics> =
        diagnostics.episode.iter().chain(diagnostics.levels.first()).collect();
    let share = |of: fn(&GroupDiagnostics) -> f64| widest.iter().map(|groups| of(groups)).sum();
    let (alone, alike): (f64, f64) =
        (share(|groups| groups.singleton_fraction), share(|groups| groups.zero_std_fraction));
    if diagnostics.no_signal_fraction == 0.0 {
        Silence::None
    } else if alone > alike {
        Silence::Alone
    } else {
        Silence::Alike
    }
}

#[cfg(test)]
mod signal_tests {
    use super::{Bar, Silence, bars, silence};
    use crate::compare::model::tests::batch;
    use hgpo_core::{Batch, Options, Step, Trajectory, diagnostics};

    /// Group sizes of a task whose states appear so many times each.
    fn of_sizes(sizes: &[usize]) -> Vec<Bar> {
        let states = sizes.iter().enumerate().flat_map(|(state, &times)| vec![state; times]);
        let steps = states.map(|state| Step::new(state.to_string(), 0.0)).collect();
        let batch = Batch::new(vec![Trajectory::new("g", "t", steps)]).expect("valid");
        let found = diagnostics(&batch, &Options::default()).expect("admitted");
        bars(&found.levels[0].sizes)
    }

    #[test]
    fn few_sizes_have_a_bar_each() {
        let bar = |size, steps| Bar { from: size, to: size, steps };
        assert_eq!(of_sizes(&[1, 3, 1, 7]), [bar(1, 2), bar(3, 3), bar(7, 7)]);
    }

    #[test]
    fn many_sizes_share_bars_that_double() {
        let found = of_sizes(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let found: Vec<_> = found.iter().map(|bar| (bar.from, bar.to, bar.steps)).collect();
        assert_eq!(found, [(1, 1, 1), (2, 3, 5), (4, 7, 22), (8, 15, 17)]);
    }

    #[test]
    fn the_failure_examples_are_told_apart() {
        let of = |rollouts| {
            silence(&diagnostics(&batch(rollouts), &Options::default()).expect("admitted"))
        };
        let alike = of(include_str!("../../../../assets/presets/alike.rollouts.jsonl"));
        let alone = of(include_str!("../../../../assets/presets/alone.rollouts.jsonl"));
        assert_eq!((alike, alone), (Silence::Alike, Silence::Alone));
        // In the overview, s6 is met at the end of two failures: both returns are 0.
        let overview = of(include_str!("../../../../assets/presets/overview.rollouts.jsonl"));
        assert_eq!(overview, Silence::Alike);
    }
}
