//! Everything that the view knows.

use super::lane::Lane;
use super::pace::{Drive, Speed};
use super::setup::Setup;
use super::setup_text::{Plan, Refusal};
use super::study::Study;
use super::wish::Inspected;
use crate::model::History;
use hgpo_env::gridworld::{Position, Tile};

/// What went wrong, as it is told above everything.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    /// What was to be opened is no setup.
    Setup(Refusal),
    /// The map cannot be played like that: why.
    Map(String),
    /// The browser has no module workers.
    NoWorkers,
}

/// Everything that the view knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    /// What is set, and was changed on the way.
    pub(crate) plan: Plan,
    /// The lanes.
    pub(crate) lanes: Vec<Lane>,
    /// The iteration that all lanes go to.
    pub(crate) target: u64,
    /// Whether they go on from there, or stop before.
    pub(crate) drive: Drive,
    /// How fast.
    pub(crate) speed: Speed,
    /// Iterations of the round.
    pub(crate) round: u64,
    /// The iteration whose world is drawn, and milliseconds since it was.
    pub(crate) shown: (u64, f64),
    /// The lane whose policy is drawn.
    pub(crate) lane: usize,
    /// The position of the seed whose policy is drawn.
    pub(crate) seed: usize,
    /// Whether it is drawn with the key held.
    pub(crate) with_key: bool,
    /// Whether it is drawn by what the agent has in mind, not as the mean of that.
    pub(crate) by_memory: bool,
    /// The chosen place.
    pub(crate) place: Option<Position>,
    /// The tile that is painted with; none if places are only chosen.
    pub(crate) brush: Option<Tile>,
    /// How many mazes were drawn.
    pub(crate) mazes: u64,
    /// Undo and redo of what is set.
    pub(crate) history: History<Setup>,
    /// Whether the rollouts are to be handed to the page.
    pub(crate) inspects: bool,
    /// What was handed to the page last.
    pub(crate) inspected: Option<Inspected>,
    /// The map of settings.
    pub(crate) study: Study,
    /// What went wrong.
    pub(crate) problem: Option<Problem>,
}

impl Model {
    /// A view that begins with a plan's setup.
    pub(crate) fn of(plan: Plan) -> Self {
        let lanes = vec![Lane::default(); plan.first.lanes.len()];
        let (lane, study) = (lanes.len() - 1, Study::of(lanes.len()));
        Self { plan, lanes, lane, study, round: 1, ..Self::default() }
    }

    /// A view that begins with what an address holds.
    pub(crate) fn open(text: &str) -> Self {
        match Plan::read(text) {
            Ok(plan) => Self::of(plan),
            Err(refusal) => {
                let problem = Some(Problem::Setup(refusal));
                Self { problem, ..Self::of(Plan::default()) }
            }
        }
    }

    /// Whether lanes go on and on.
    pub(crate) fn is_playing(&self) -> bool {
        self.drive == Drive::Play
    }

    /// The iteration at which play stops next, if it does.
    pub(crate) fn until(&self) -> Option<u64> {
        self.plan.until.filter(|until| *until > self.target)
    }

    /// What is set now.
    pub(crate) fn setup(&self) -> &Setup {
        self.plan.at(self.target)
    }

    /// The iteration that all lanes have come to.
    pub(crate) fn iteration(&self) -> u64 {
        let sound = self.lanes.iter().filter(|lane| lane.is_sound());
        sound.map(|lane| lane.iteration).min().unwrap_or_default().min(self.target)
    }

    /// The last iteration that was measured.
    pub(crate) fn last(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.points.len() as u64).max().unwrap_or_default()
    }

    /// Whether lanes still come to where they pause.
    pub(crate) fn is_stopping(&self) -> bool {
        let goes_on =
            |lane: &&Lane| lane.is_sound() && (lane.learns || lane.iteration < self.target);
        !self.is_playing() && self.lanes.iter().any(|lane| goes_on(&lane))
    }

    /// Whether lanes learn, or are asked to.
    pub(crate) fn is_busy(&self) -> bool {
        self.is_playing() || self.study.goes_on || self.is_stopping()
    }
}
