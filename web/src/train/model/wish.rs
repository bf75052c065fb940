//! What a lane is to be asked next: whatever brings it nearest to what is wanted. Looking into an iteration: what was
//! played is handed to the page, which may ask later what is true of it.

use super::pace::SLICE;
use super::{About, Judged, Lane, Model};
use hgpo_core::Estimator;
use hgpo_worker::training::message::{Request, Settings};
use yew::AttrValue;

/// An iteration of a lane, whose rollouts the page has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inspected {
    /// The lane.
    lane: usize,
    /// The iteration, and the seed.
    pub(crate) about: About,
    /// Whether lanes do not come by it any more, as they learn otherwise since.
    is_gone: bool,
}

impl Model {
    /// What a lane is to be asked, and what it is about; nothing if it is at work, has all that is
    /// wanted, or cannot go on.
    pub(crate) fn wish(&self, number: usize) -> Option<(Request, About)> {
        let lane = self.lanes.get(number).filter(|lane| lane.is_sound() && !lane.at_work)?;
        let about = About { iteration: lane.iteration, seed: self.seed, place: None };
        let request = self.way(number).or_else(|| self.look(number, &about));
        let place = matches!(request, Some(Request::Cell { .. })).then_some(self.place).flatten();
        Some((request?, About { place, ..about }))
    }

    /// The way to the wanted iteration, with what is set there.
    fn way(&self, number: usize) -> Option<Request> {
        let lane = &self.lanes[number];
        let Some(has) = &lane.has else {
            // Nothing begins before somebody wants it to.
            let (settings, seeds) = (self.plan.first.settings(number), self.plan.first.seeds());
            return (self.target > 0).then_some(Request::Start { settings, seeds });
        };
        if lane.iteration > self.target {
            return Some(Request::GoBack { iteration: self.target });
        }
        let settings = self.plan.at(lane.iteration).settings(number);
        if *has != settings {
            return Some(Request::Change { settings });
        }
        let until = self.plan.next_change(lane.iteration).unwrap_or(self.target).min(self.target);
        let iterations = until.saturating_sub(lane.iteration);
        (iterations > 0).then_some(Request::Run { iterations, milliseconds: SLICE })
    }

    /// What is drawn of an iteration.
    fn look(&self, number: usize, about: &About) -> Option<Request> {
        let lane = &self.lanes[number];
        let seed = self.seed;
        if lane.iteration == 0 || lane.iteration != self.shown.0 {
            return None;
        }
        let is_team = self.setup().is_team();
        let had = if is_team {
            lane.words.as_ref().map(|(had, _)| had)
        } else {
            lane.arrows.as_ref().map(|(had, _)| had)
        };
        if number == self.lane && had != Some(about) {
            return Some(if is_team { Request::Words { seed } } else { Request::Arrows { seed } });
        }
        if let Some(place) = self.place {
            let wanted = About { place: self.place, ..*about };
            if lane.cell.as_ref().is_none_or(|(had, _)| *had != wanted) {
                let (row, column) = (place.row, place.column);
                return Some(Request::Cell { seed, row, column });
            }
        }
        if number != self.lane {
            return None;
        }
        let has_rollouts = lane.rollouts.as_ref().is_some_and(|(had, _)| had == about);
        if self.inspects && !has_rollouts {
            return Some(Request::Look { seed });
        }
        if is_team { None } else { self.verdicts(lane, about) }
    }

    /// What all estimators say of an iteration; with the truth where that is drawn, and whenever lanes rest.
    fn verdicts(&self, lane: &Lane, about: &About) -> Option<Request> {
        if self.inspects || !(self.draws.verdicts || self.place.is_some()) {
            return None;
        }
        let estimators: Vec<Settings> = self.setup().lanes.iter().map(Estimator::flat).collect();
        let truth = self.draws.truth || !self.is_playing();
        let is_known = |judged: &Judged| {
            let has_truth = judged.with_truth || !truth;
            judged.about == *about && has_truth && judged.estimators == estimators
        };
        let is_new = !lane.judged.as_ref().is_some_and(is_known);
        is_new.then_some(Request::Verdicts { seed: about.seed, estimators, truth })
    }

    /// What was played, if it is to be handed to the page and is there.
    pub(crate) fn rollouts_to_hand_over(&self) -> Option<AttrValue> {
        let lane = self.lanes.get(self.lane).filter(|_| self.inspects)?;
        let (about, rollouts) = lane.rollouts.as_ref()?;
        (about.iteration == self.target && about.seed == self.seed).then(|| rollouts.clone())
    }

    /// Notes what was handed over.
    pub(crate) fn note_inspected(&mut self) {
        self.inspects = false;
        let rollouts = self.lanes.get(self.lane).and_then(|lane| lane.rollouts.as_ref());
        let inspected =
            |(about, _): &(About, _)| Inspected { lane: self.lane, about: *about, is_gone: false };
        self.inspected = rollouts.map(inspected);
    }

    /// Notes that lanes learn otherwise after an iteration.
    pub(super) fn lose_after(&mut self, iteration: u64) {
        if let Some(inspected) = &mut self.inspected {
            inspected.is_gone |= inspected.about.iteration > iteration;
        }
    }

    /// The lane that knows the processes of what was handed over, and what it is to be asked for that of a
    /// task; nothing if it is at another iteration, or there was none.
    pub(crate) fn ask_for_process(&self, task: &str) -> Option<(usize, Request)> {
        let Inspected { lane, about, is_gone, .. } = self.inspected.as_ref()?;
        let own = self.lanes.get(*lane).filter(|own| own.is_sound() && own.has.is_some())?;
        let request = Request::Process { seed: about.seed, task: task.to_owned() };
        let is_there = !is_gone && own.iteration == about.iteration;
        is_there.then_some((*lane, request))
    }
}
