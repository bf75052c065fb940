//! Live pages on runs, in training or done: the list of them, their curves, an iteration on the stage of the page.
//!
//! Whoever serves these pages reads the runs. Links are relative: to `runs?run=NAME`, `stage?run=NAME&iteration=N`,
//! `report?study=NAME`, `traces/NAME/iteration_N.rollouts.jsonl`, `live.js`, and the page in `page/`.

mod address;
mod curves;
mod document;
mod list;
mod stage;

use std::collections::BTreeMap;

pub use curves::curves_page;
pub use document::message_page;
pub use list::list_page;
pub use stage::stage_page;

use crate::figure::SERIES;

/// The script that brings what is shown up to date, served as `live.js`.
pub const SCRIPT: &str = include_str!("live.js");

/// How many runs one page compares: as many as are told apart by colour, dashes and marks.
pub const MOST_COMPARED: usize = SERIES;

/// A run, as the list shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveRun {
    /// What addresses call it.
    pub name: String,
    /// The study that it is part of, as addresses call it.
    pub study: Option<String>,
    /// The name of its environment.
    pub environment: String,
    /// The name of its estimator.
    pub estimator: String,
    /// Its seed.
    pub seed: Option<u64>,
    /// How far it is.
    pub state: RunState,
    /// Iterations done.
    pub iterations: u64,
    /// Iterations that it is to make; none if something else ends it.
    pub asked_iterations: Option<u64>,
    /// Mean success of the last iterations in training.
    pub success_rate: Option<f64>,
    /// Success on held-out tasks at the last evaluation: seen and unseen.
    pub held_out: [Option<f64>; 2],
    /// Seconds since its metrics were written.
    pub seconds_ago: Option<f64>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunState {
    /// A process works on it.
    Training,
    /// It has made what it was asked for.
    Done,
    /// No process works on it, and it is not done.
    #[default]
    Stopped,
}

/// A run with what there is to draw of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveCurves {
    /// The run.
    pub run: LiveRun,
    /// Metrics over the iterations, by name.
    pub metrics: BTreeMap<String, Vec<CurvePoint>>,
    /// Success on held-out tasks over the iterations: seen and unseen.
    pub held_out: [Vec<CurvePoint>; 2],
    /// Iterations of which there are traces, in ascending order.
    pub traces: Vec<u64>,
    /// Why not all of it is shown.
    pub problem: Option<String>,
}

/// A value of a metric, or the mean of some.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CurvePoint {
    /// The iteration, or the mean of some.
    pub iteration: f64,
    /// Mean of the values around it.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

impl RunState {
    /// The word for it.
    fn name(self) -> &'static str {
        match self {
            Self::Training => "in training",
            Self::Done => "done",
            Self::Stopped => "stopped",
        }
    }
}

#[cfg(test)]
mod tests;
