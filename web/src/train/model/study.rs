//! The map of settings: how much more often one lane succeeds than another, over two settings at once.
//!
//! Every lane is trained in every cell for the same iterations with the same seeds. What counts for a seed
//! is the mean success over the iterations; the gain is the mean over seeds of the difference.

use super::dial::Dial;
use super::pace::SLICE;
use super::reading::Band;
use super::reading::points;
use super::setup::{Setup, with};
use hgpo_env::gridworld::{ObservationMode, Tile};
use hgpo_worker::training::message::{Answer, Request, Settings};

/// How many iterations can count: the first ones, in which lanes differ most, to nearly all of most worlds.
pub(crate) const ITERATIONS: [u64; 3] = [40, 100, 400];

/// Which settings are crossed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The depth K of the estimators that have one, and the chance to slip.
    #[default]
    DepthSlip,
    /// What is seen, and the size of groups.
    SightGroup,
}

/// The sizes of groups that are tried.
const GROUPS: [f64; 3] = [4.0, 8.0, 16.0];

/// The depths that are tried.
pub(crate) const DEPTHS: [u32; 4] = [0, 1, 2, 4];

/// The chances to slip that are tried.
const SLIPS: [f64; 4] = [0.0, 0.1, 0.2, 0.3];

impl Kind {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::DepthSlip, Self::SightGroup];

    /// Rows and columns.
    pub(crate) fn extent(self, setup: &Setup) -> (usize, usize) {
        let rows = match self {
            Self::SightGroup => sights(setup).count(),
            Self::DepthSlip => DEPTHS.len(),
        };
        (rows, self.columns().1.len())
    }

    /// The dial that differs between columns, and the number that each of them has.
    pub(crate) fn columns(self) -> (Dial, &'static [f64]) {
        match self {
            Self::SightGroup => (Dial::Group, &GROUPS),
            Self::DepthSlip => (Dial::Slip, &SLIPS),
        }
    }

    /// A setup as it is in a cell.
    pub(crate) fn cell(self, setup: &Setup, row: usize, column: usize) -> Setup {
        let mut setup = setup.clone();
        match self {
            Self::SightGroup => setup.sight = sights(&setup).nth(row).unwrap_or(setup.sight),
            Self::DepthSlip => {
                for lane in &mut setup.lanes {
                    let deep = with(lane, "context_length", &DEPTHS[row].to_string());
                    *lane = deep.unwrap_or_else(|| lane.clone());
                }
            }
        }
        let (dial, values) = self.columns();
        setup.dials.turn(dial, values[column]);
        setup
    }
}

/// What can be seen of a setup's map: with labels and without is the same if there are none.
pub(crate) fn sights(setup: &Setup) -> impl Iterator<Item = ObservationMode> + use<> {
    let has_labels = setup
        .played()
        .is_some_and(|map| map.places().any(|place| matches!(map.tile(place), Tile::Label(_))));
    ObservationMode::ALL
        .into_iter()
        .filter(move |sight| *sight != ObservationMode::Labels || has_labels)
}

/// The training of a lane as it is in a cell, or in several.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    settings: Settings,
    seeds: Vec<u64>,
    state: State,
    /// Of each seed, the sum of success over the iterations that are done.
    sums: Vec<f64>,
    iteration: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    /// At work, by the number of the worker.
    Going(usize),
    Done,
    Failed,
}

/// A map of settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Study {
    /// Which settings are crossed.
    pub(crate) kind: Kind,
    /// The lane whose gain is shown, and the one that it is compared with.
    pub(crate) pair: (usize, usize),
    /// The iterations that count, from the first on.
    pub(crate) iterations: u64,
    /// Whether it goes on.
    pub(crate) goes_on: bool,
    /// Whether it stopped because a worker could not be loaded.
    pub(crate) is_broken: bool,
    /// Whether it has begun and was not brought into sight yet.
    pub(crate) is_new: bool,
    /// What was set when it began; none before.
    pub(crate) setup: Option<Setup>,
    runs: Vec<Run>,
    /// Of each cell, row by row, the runs of its lanes.
    cells: Vec<Vec<usize>>,
}

impl Study {
    /// A map that has not begun.
    pub(crate) fn of(lanes: usize) -> Self {
        let pair = (lanes.saturating_sub(1), lanes.saturating_sub(2));
        Self { pair, iterations: ITERATIONS[0], ..Self::default() }
    }

    /// Begins for a setup.
    pub(crate) fn begin(&mut self, setup: &Setup) {
        let (rows, columns) = self.kind.extent(setup);
        self.runs.clear();
        self.cells.clear();
        for place in 0..rows * columns {
            let own = self.kind.cell(setup, place / columns, place % columns);
            let lanes = 0..own.lanes.len();
            let runs = lanes.map(|lane| self.run(own.settings(lane), own.seeds())).collect();
            self.cells.push(runs);
        }
        self.setup = Some(setup.clone());
        (self.goes_on, self.is_new, self.is_broken) = (true, true, false);
    }

    /// The run of some settings: what is the same in several cells is trained once.
    fn run(&mut self, settings: Settings, seeds: Vec<u64>) -> usize {
        let known = self.runs.iter().position(|run| run.settings == settings && run.seeds == seeds);
        known.unwrap_or_else(|| {
            let sums = vec![0.0; seeds.len()];
            self.runs.push(Run { settings, seeds, state: State::Waiting, sums, iteration: 0 });
            self.runs.len() - 1
        })
    }

    /// The runs that are done, and all.
    pub(crate) fn progress(&self) -> (usize, usize) {
        let is_over = |run: &&Run| matches!(run.state, State::Done | State::Failed);
        (self.runs.iter().filter(is_over).count(), self.runs.len())
    }

    /// The gain of a cell, in shares of attempts; none before its lanes are done, or if one failed.
    pub(crate) fn gain(&self, row: usize, column: usize) -> Option<Band> {
        let (_, columns) = self.kind.extent(self.setup.as_ref()?);
        let lanes = self.cells.get(row * columns + column)?;
        let of = |lane: usize| {
            let run = self.runs.get(*lanes.get(lane)?)?;
            (run.state == State::Done).then_some(&run.sums)
        };
        let (own, other) = (of(self.pair.0)?, of(self.pair.1)?);
        let mean = |sum: &f64| sum / self.iterations as f64;
        let gains: Vec<f64> =
            own.iter().zip(other).map(|(own, other)| mean(own) - mean(other)).collect();
        Band::of(&gains)
    }

    /// What a worker that has nothing to do is to be asked.
    pub(crate) fn wish(&mut self, worker: usize) -> Option<Request> {
        if !self.goes_on {
            return None;
        }
        if let Some(run) = self.runs.iter().find(|run| run.state == State::Going(worker)) {
            let iterations = self.iterations - run.iteration;
            return Some(Request::Run { iterations, milliseconds: 4.0 * SLICE });
        }
        let next = self.runs.iter_mut().find(|run| run.state == State::Waiting);
        let Some(run) = next else {
            self.goes_on = self.runs.iter().any(|run| matches!(run.state, State::Going(_)));
            return None;
        };
        run.state = State::Going(worker);
        (run.iteration, run.sums) = (0, vec![0.0; run.seeds.len()]);
        let (settings, seeds) = (run.settings.clone(), run.seeds.clone());
        Some(Request::Start { settings, seeds })
    }

    /// Takes the answer of a worker; none if it broke.
    pub(crate) fn take(&mut self, worker: usize, answer: Option<&Answer>) {
        let Some(run) = self.runs.iter_mut().find(|run| run.state == State::Going(worker)) else {
            return;
        };
        match answer {
            Some(Answer::Started { .. }) => {}
            Some(Answer::Ran { iteration, lines }) if *iteration > run.iteration => {
                for (_, point) in points(lines) {
                    for (sum, success) in run.sums.iter_mut().zip(&point.seeds) {
                        *sum += f64::from(*success);
                    }
                }
                run.iteration = *iteration;
                if run.iteration >= self.iterations {
                    run.state = State::Done;
                }
            }
            _ => run.state = State::Failed,
        }
    }

    /// Stops; what has begun begins anew when it goes on.
    pub(crate) fn stop(&mut self) {
        self.goes_on = false;
        for run in &mut self.runs {
            if matches!(run.state, State::Going(_)) {
                run.state = State::Waiting;
            }
        }
    }

    /// Stops as a worker could not be loaded.
    pub(crate) fn break_off(&mut self) {
        self.stop();
        self.is_broken = true;
    }

    /// Goes on, from the start if what is set is not what it was.
    pub(crate) fn go_on(&mut self, setup: &Setup) {
        let (done, all) = self.progress();
        if self.setup.as_ref() == Some(setup) && done < all {
            (self.goes_on, self.is_broken) = (true, false);
        } else {
            self.begin(setup);
        }
    }

    /// Crosses other settings, or counts other iterations, from the start.
    pub(crate) fn cross(&mut self, kind: Kind, iterations: u64) {
        *self = Self { kind, pair: self.pair, iterations, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Study, sights};
    use crate::train::model::{Dial, Setup};
    use hgpo_env::gridworld::{ObservationMode, World};
    use hgpo_worker::training::message::{Answer, Request};

    /// A worker whose HGPO always succeeds, whose GiGPO does by half, and the others never.
    fn answer(request: &Request, of: &mut String, iteration: &mut u64) -> Answer {
        match request {
            Request::Start { settings, .. } => {
                *of = settings["estimator"]["name"].as_str().expect("a name").to_owned();
                *iteration = 0;
                Answer::Started { settings: settings.clone(), iteration: 0 }
            }
            Request::Run { iterations, .. } => {
                let success = match &**of {
                    "hgpo" => 1.0,
                    "gigpo" => 0.5,
                    _ => 0.0,
                };
                let from = *iteration + 1;
                *iteration += (*iterations).min(15);
                let line = |at| format!("{{\"iteration\":{at},\"success_rate\":{success}}}");
                let lines = vec![(from..=*iteration).map(line).collect(); 8];
                Answer::Ran { iteration: *iteration, lines }
            }
            other => panic!("{other:?} was not expected"),
        }
    }

    /// A world with labels.
    fn signpost() -> Setup {
        Setup::default().in_world(World::named("signpost").expect("a world"))
    }

    fn work(study: &mut Study) {
        let (mut of, mut iteration) = (String::new(), 0);
        while let Some(request) = study.wish(0) {
            let answer = answer(&request, &mut of, &mut iteration);
            study.take(0, Some(&answer));
        }
    }

    #[test]
    fn every_cell_has_its_gain() {
        let mut study = Study { kind: Kind::SightGroup, ..Study::of(3) };
        study.begin(&signpost());
        assert_eq!(study.progress(), (0, 27));
        assert_eq!(study.gain(0, 0), None);
        work(&mut study);
        assert_eq!(study.progress(), (27, 27));
        assert!(!study.goes_on);
        let gain = study.gain(2, 2).expect("done");
        assert!((gain.mean - 0.5).abs() < 1e-9 && gain.half.abs() < 1e-9, "HGPO over GiGPO");
        study.pair = (1, 0);
        assert!((study.gain(0, 1).expect("done").mean - 0.5).abs() < 1e-9, "GiGPO over GRPO");
        // As much over more iterations, from the start.
        study.cross(study.kind, 100);
        assert_eq!((study.progress(), study.gain(0, 1)), ((0, 0), None));
        study.begin(&signpost());
        work(&mut study);
        assert!((study.gain(0, 1).expect("done").mean - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_map_without_labels_has_no_row_of_its_own_for_them() {
        let own: Vec<ObservationMode> = sights(&Setup::default()).collect();
        assert_eq!(own, [ObservationMode::Walls, ObservationMode::Place]);
        assert_eq!(sights(&signpost()).count(), 3);
        let mut study = Study { kind: Kind::SightGroup, ..Study::of(3) };
        study.begin(&Setup::default());
        assert_eq!(study.progress(), (0, 18));
        assert_eq!(Kind::SightGroup.cell(&Setup::default(), 1, 0).sight, ObservationMode::Place);
    }

    #[test]
    fn what_is_the_same_in_several_cells_is_trained_once() {
        let mut study = Study { kind: Kind::DepthSlip, ..Study::of(3) };
        study.begin(&Setup::default());
        // Four chances to slip; of each, HGPO with four depths, and the others without one.
        let known = study.progress().1;
        assert!((24..=48).contains(&known), "{known}");
        let cell = Kind::DepthSlip.cell(&Setup::default(), 3, 2);
        assert!((cell.dials.get(Dial::Slip) - 0.2).abs() < 1e-12);
        assert_eq!(cell.lanes[2].context_length(), Some(4));
        assert_eq!(Kind::SightGroup.cell(&signpost(), 2, 0).sight, ObservationMode::Place);
    }

    #[test]
    fn a_broken_worker_leaves_a_gap_and_a_stop_begins_anew() {
        let mut study = Study { kind: Kind::SightGroup, ..Study::of(3) };
        study.begin(&signpost());
        let first = study.wish(1).expect("a wish");
        assert!(matches!(first, Request::Start { .. }));
        study.stop();
        assert_eq!((study.wish(1), study.progress().0), (None, 0));
        study.go_on(&signpost());
        assert!(matches!(study.wish(1), Some(Request::Start { .. })));
        study.break_off();
        assert_eq!((study.goes_on, study.is_broken, study.progress().0), (false, true, 0));
        study.go_on(&signpost());
        assert!(!study.is_broken && matches!(study.wish(1), Some(Request::Start { .. })));
        study.take(1, None);
        assert_eq!(study.progress().0, 1);
        work(&mut study);
        assert_eq!((study.progress(), study.gain(0, 0)), ((27, 27), study.gain(0, 0)));
    }
}
