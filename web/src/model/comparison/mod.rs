//! The task on the stage under several estimators at once.

mod differences;
mod heat_map;
mod signal;
mod ticks;

pub(crate) use differences::differences;
pub(crate) use heat_map::{Detail, HeatMap};
pub(crate) use signal::{Bar, Silence, bars, silence};
pub(crate) use ticks::Ticks;

use super::{Advantages, Cell, Controls, ESTIMATOR, Task};
use hgpo_core::{Diagnostics, diagnostics};

/// A task under one estimator.
#[derive(Debug)]
pub(crate) struct Column {
    /// The estimator's name in files.
    pub(crate) name: &'static str,
    /// The advantages.
    pub(crate) advantages: Advantages,
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
    fn new(task: &Task, controls: &Controls) -> Self {
        Self {
            name: controls.estimator(),
            advantages: Advantages::new(task, controls),
            diagnostics: diagnostics(&task.batch, &controls.options)
                .expect("controls admit what core admits"),
            counts_steps: controls.value("episode_statistics").as_deref() == Some("steps"),
        }
    }

    /// The advantage of a step.
    pub(crate) fn at(&self, cell: Cell) -> f64 {
        self.advantages.of[cell.row][cell.step]
    }
}

impl Comparison {
    /// The chosen estimator as it is set now, and the others as they were set before.
    pub(crate) fn new(task: &Task, controls: &Controls, ticks: Ticks) -> Self {
        let chosen = controls.estimator();
        let set = |name: &str| {
            if name == chosen { Some(controls.clone()) } else { controls.with(ESTIMATOR, name) }
        };
        let columns: Vec<Column> = ticks
            .with(chosen)
            .names()
            .filter_map(set)
            .map(|controls| Column::new(task, &controls))
            .collect();
        let chosen = columns.iter().position(|column| column.name == chosen).unwrap_or_default();
        Self { columns, chosen }
    }

    /// The column of the chosen estimator.
    pub(crate) fn of_chosen(&self) -> &Column {
        &self.columns[self.chosen]
    }

    /// The largest absolute advantage of all columns.
    pub(crate) fn peak(&self) -> f64 {
        self.columns.iter().fold(0.0, |peak: f64, column| peak.max(column.advantages.peak))
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Ticks};
    use crate::model::{Cell, Controls, ESTIMATOR, PRESETS, estimators};

    #[test]
    fn each_estimator_has_the_scale_and_the_discount_of_the_page() {
        let (rollouts, _) = PRESETS[0].load();
        let controls = Controls::default().with("scale", "mean").expect("admitted");
        let found = Comparison::new(&rollouts.tasks[0], &controls, Ticks::default());
        let names: Vec<_> = found.columns.iter().map(|column| column.name).collect();
        assert_eq!((names, found.chosen), (vec!["grpo", "gigpo", "hgpo"], 2));
        let counts: Vec<_> = found.columns.iter().map(|column| column.counts_steps).collect();
        assert_eq!(counts, [true, true, false], "HGPO compares no attempts");
        // t1 of 4 + 5 + 6 + 4 steps: S = 10 at 10 of the 19 rows, so A = 10 − 100/19 at every step.
        let (first, at_s2) = (Cell::default(), Cell { row: 0, step: 2 });
        let episode = 10.0 - 100.0 / 19.0;
        assert!((found.columns[0].at(first) - episode).abs() < 1e-12);
        // GiGPO adds the centred return at s2: 9.5 of 9.5, 0, 9.025 and 0.
        let anchor = 9.5 - (9.5 + 9.025) / 4.0;
        assert!((found.columns[1].at(at_s2) - episode - anchor).abs() < 1e-12);
        let half = controls.with("discount", "0.5").expect("admitted");
        let halved = Comparison::new(&rollouts.tasks[0], &half, Ticks::default());
        // Returns at s2 are then 5, 0, 2.5 and 0.
        assert!((halved.columns[1].at(at_s2) - episode - (5.0 - 7.5 / 4.0)).abs() < 1e-12);
    }

    #[test]
    fn the_chosen_one_is_always_there_as_it_is_set() {
        let (rollouts, _) = PRESETS[0].load();
        for name in estimators() {
            let controls = Controls::default().with(ESTIMATOR, name).expect(name);
            let found = Comparison::new(&rollouts.tasks[0], &controls, Ticks::none());
            assert_eq!((found.columns.len(), found.of_chosen().name), (1, name));
        }
        let deep = Controls::default().with("context_length", "0").expect("admitted");
        let found = Comparison::new(&rollouts.tasks[0], &deep, Ticks::all());
        assert_eq!(found.columns.len(), estimators().count());
        assert_eq!(found.of_chosen().diagnostics.levels.len(), 1);
    }
}
