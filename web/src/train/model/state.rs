//! Everything that the view knows.

use super::pace::{Drive, Speed};
use super::reading::{Point, points};
use super::setup::Setup;
use super::setup_text::{Plan, Refusal};
use super::study::Study;
use super::wish::Inspected;
use crate::model::History;
use hgpo_env::gridworld::{Position, Tile};
use hgpo_worker::training::message::{Answer, Arrow, Cell, Request, Settings, Verdicts, Word};
use yew::AttrValue;

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
    /// What is drawn of the lane.
    pub(crate) draws: Draws,
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

/// What is drawn of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Draws {
    /// What the policy does by what the agent has in mind, not the mean of that.
    pub(crate) by_memory: bool,
    /// What estimators say.
    pub(crate) verdicts: bool,
    /// The truth beside it.
    pub(crate) truth: bool,
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

/// What answers about an iteration are about, so that they are asked for once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct About {
    /// The iteration.
    pub(crate) iteration: u64,
    /// The position of the seed.
    pub(crate) seed: usize,
    /// The place; none if it is about all.
    pub(crate) place: Option<Position>,
}

/// What estimators say of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    /// The iteration.
    pub(crate) about: About,
    /// The estimators, as settings have them.
    pub(crate) estimators: Vec<Settings>,
    /// Whether the truth was asked for.
    pub(crate) with_truth: bool,
    /// What they say.
    pub(crate) verdicts: Verdicts,
}

/// Why a lane cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LaneProblem {
    /// Its worker could not be loaded, or stopped.
    Broke,
    /// What the worker says about its settings.
    Refused(String),
}

/// One lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lane {
    /// The settings that the worker has; none before it has begun.
    pub(crate) has: Option<Settings>,
    /// Iterations that the worker has done.
    pub(crate) iteration: u64,
    /// What was measured, from the first iteration on.
    pub(crate) points: Vec<Point>,
    /// What the policy does at each place.
    pub(crate) arrows: Option<(About, Vec<Arrow>)>,
    /// What a team said and did, word by word.
    pub(crate) words: Option<(About, Vec<Word>)>,
    /// What was learned at the chosen place.
    pub(crate) cell: Option<(About, Cell)>,
    /// What was played.
    pub(crate) rollouts: Option<(About, AttrValue)>,
    /// What all lanes' estimators say of what was played.
    pub(crate) judged: Option<Judged>,
    /// The estimators that the worker is asked about, and whether the truth is asked for.
    judging: Option<(Vec<Settings>, bool)>,
    /// Why it cannot go on.
    pub(crate) problem: Option<LaneProblem>,
    /// Whether the worker is at work.
    pub(crate) at_work: bool,
    /// Whether that is to learn.
    pub(crate) learns: bool,
    /// Whether what the worker is at is not wanted any more.
    is_stale: bool,
}

impl Lane {
    /// The lane as it was before it began.
    pub(crate) fn reset(&mut self) {
        *self = Self { at_work: self.at_work, is_stale: self.at_work, ..Self::default() };
    }

    /// Whether it goes on.
    pub(crate) fn is_sound(&self) -> bool {
        self.problem.is_none()
    }

    /// The point of an iteration, from 1.
    pub(crate) fn point(&self, iteration: u64) -> Option<&Point> {
        self.points.get((iteration as usize).checked_sub(1)?)
    }

    /// Notes what its worker was asked.
    pub(super) fn ask(&mut self, request: Request) {
        (self.at_work, self.learns) = (true, matches!(request, Request::Run { .. }));
        self.judging = None;
        match request {
            Request::Start { settings, .. } | Request::Change { settings } => {
                self.has = Some(settings);
            }
            Request::Verdicts { estimators, truth, .. } => self.judging = Some((estimators, truth)),
            _ => {}
        }
    }

    /// Has done what it was asked; tells whether that is still wanted.
    pub(crate) fn rest(&mut self) -> bool {
        (self.at_work, self.learns) = (false, false);
        !std::mem::take(&mut self.is_stale)
    }

    /// Notes that its worker broke.
    pub(crate) fn break_off(&mut self) {
        self.rest();
        self.problem = Some(LaneProblem::Broke);
    }

    /// Takes an answer over; `about` is what was asked for.
    pub(crate) fn take(&mut self, answer: Answer, about: About) {
        if !self.rest() {
            return;
        }
        match answer {
            Answer::Started { iteration, .. }
            | Answer::Changed { iteration, .. }
            | Answer::Went { iteration } => self.iteration = iteration,
            Answer::Ran { iteration, lines } => self.add(iteration, &lines),
            Answer::Arrows { places } => self.arrows = Some((about, places)),
            Answer::Words { words } => self.words = Some((about, words)),
            Answer::Cell(cell) => self.cell = Some((about, cell)),
            Answer::Look { rollouts, .. } => self.rollouts = Some((about, rollouts.into())),
            Answer::Verdicts(verdicts) => self.judge(about, verdicts),
            // Learning goes on without.
            Answer::Error(_) if self.judging.is_some() => self.judge(about, Verdicts::default()),
            // Who asked for it was told.
            Answer::Process(_) | Answer::TooLarge { .. } => {}
            Answer::Error(problem) => {
                // What it has is not what was asked for: it would begin again.
                self.has = None;
                self.iteration = 0;
                self.problem = Some(LaneProblem::Refused(problem));
            }
        }
    }

    fn judge(&mut self, about: About, verdicts: Verdicts) {
        let asked = self.judging.take();
        self.judged = asked.map(|(estimators, with_truth)| Judged {
            about,
            estimators,
            with_truth,
            verdicts,
        });
    }

    fn add(&mut self, iteration: u64, lines: &[Vec<String>]) {
        if iteration <= self.iteration {
            let problem = format!("no iteration after {}", self.iteration);
            self.problem = Some(LaneProblem::Refused(problem));
            return;
        }
        self.iteration = iteration;
        for (iteration, point) in points(lines) {
            // Those of iterations that are trained again take the place of the former ones.
            match (iteration as usize).checked_sub(1) {
                Some(place) if place < self.points.len() => self.points[place] = point,
                Some(place) if place == self.points.len() => self.points.push(point),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{About, Lane};
    use hgpo_worker::training::message::Answer;

    const NOTHING: About = About { iteration: 0, seed: 0, place: None };

    fn ran(iterations: [u64; 2], success: f64) -> Answer {
        let line = |iteration| format!("{{\"iteration\":{iteration},\"success_rate\":{success}}}");
        let lines = vec![iterations.map(line).to_vec()];
        Answer::Ran { iteration: iterations[1], lines }
    }

    #[test]
    fn points_are_kept_on_the_way_back_and_drawn_anew_on_the_way_forward() {
        let mut lane = Lane::default();
        lane.take(ran([1, 2], 0.25), NOTHING);
        lane.take(ran([3, 4], 0.5), NOTHING);
        lane.take(Answer::Went { iteration: 2 }, NOTHING);
        assert_eq!((lane.iteration, lane.points.len()), (2, 4));
        lane.take(ran([3, 4], 0.75), NOTHING);
        let means: Vec<f64> = lane.points.iter().map(|point| point.success.mean).collect();
        assert_eq!(means, [0.25, 0.25, 0.75, 0.75]);
        assert!(lane.point(4) == lane.points.last() && lane.point(0).is_none());
    }

    #[test]
    fn what_is_not_wanted_any_more_is_left_out() {
        let mut lane = Lane { at_work: true, ..Lane::default() };
        lane.reset();
        lane.take(ran([1, 2], 0.25), NOTHING);
        assert_eq!((lane.iteration, lane.points.len(), lane.at_work), (0, 0, false));
        lane.take(ran([1, 2], 0.25), NOTHING);
        assert_eq!(lane.iteration, 2);
    }

    #[test]
    fn a_lane_that_makes_no_way_stops() {
        let mut lane = Lane { iteration: 2, ..Lane::default() };
        lane.take(Answer::Ran { iteration: 2, lines: Vec::new() }, NOTHING);
        assert!(!lane.is_sound());
    }
}
