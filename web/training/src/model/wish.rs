//! What a lane is to be asked next: whatever brings it nearest to what is wanted.

use super::{About, Model, pace::SLICE};
use hgpo_lane::message::{
    ArrowsRequest, CellRequest, ChangeRequest, GoBackRequest, LookRequest, Request, RunRequest,
    StartRequest,
};

impl Model {
    /// What a lane is to be asked, and what it is about; nothing where it is at work, has all that is
    /// wanted, or cannot go on.
    pub(crate) fn wish(&self, number: usize) -> Option<(Request, About)> {
        let lane = self.lanes.get(number).filter(|lane| lane.is_sound() && !lane.at_work)?;
        let about = About { iteration: lane.iteration, seed: self.seed, place: None };
        let request = self.way(number).or_else(|| self.look(number, &about));
        let place = matches!(request, Some(Request::Cell(_))).then_some(self.place).flatten();
        Some((request?, About { place, ..about }))
    }

    /// The way to the wanted iteration, with what is set there.
    fn way(&self, number: usize) -> Option<Request> {
        let lane = &self.lanes[number];
        let start = || {
            let settings = self.plan.first.settings(number);
            Request::Start(StartRequest { settings, seeds: self.plan.first.seeds() })
        };
        let Some(has) = &lane.has else {
            // Nothing begins before somebody wants it to.
            return (self.target > 0).then(start);
        };
        if lane.iteration > self.target {
            // Who learned with several settings learns all of it again.
            let is_plain = self.plan.next_change(0).is_none_or(|at| at >= lane.iteration);
            let iteration = self.target;
            return Some(if is_plain { Request::GoBack(GoBackRequest { iteration }) } else { start() });
        }
        let settings = self.plan.at(lane.iteration).settings(number);
        if *has != settings {
            return Some(Request::Change(ChangeRequest { settings }));
        }
        let until = self.plan.next_change(lane.iteration).unwrap_or(self.target).min(self.target);
        let iterations = until.saturating_sub(lane.iteration);
        (iterations > 0).then_some(Request::Run(RunRequest { iterations, milliseconds: SLICE }))
    }

    /// What is drawn of an iteration.
    fn look(&self, number: usize, about: &About) -> Option<Request> {
        let lane = &self.lanes[number];
        let seed = self.seed;
        if lane.iteration == 0 || lane.iteration != self.shown.0 {
            return None;
        }
        let has_arrows = lane.arrows.as_ref().is_some_and(|(had, _)| had == about);
        if number == self.lane && !has_arrows {
            return Some(Request::Arrows(ArrowsRequest { seed }));
        }
        if let Some(place) = self.place {
            let wanted = About { place: self.place, ..*about };
            if lane.cell.as_ref().is_none_or(|(had, _)| *had != wanted) {
                let (row, column) = (place.row, place.column);
                return Some(Request::Cell(CellRequest { seed, row, column }));
            }
        }
        let wants_rollouts = self.inspects || (self.place.is_some() && !self.is_playing);
        let has_rollouts = lane.rollouts.as_ref().is_some_and(|(had, _)| had == about);
        (number == self.lane && wants_rollouts && !has_rollouts)
            .then_some(Request::Look(LookRequest { seed }))
    }
}
