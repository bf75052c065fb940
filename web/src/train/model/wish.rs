//! What a lane is to be asked next: whatever brings it nearest to what is wanted.

use super::pace::SLICE;
use super::{About, Dial, Model};
use hgpo_worker::training::message::Request;

impl Model {
    /// What a lane is to be asked, and what it is about; nothing if it is at work, has all that is
    /// wanted, or cannot go on.
    pub(crate) fn wish(&self, number: usize) -> Option<(Request, About)> {
        let lane = self.lanes.get(number).filter(|lane| lane.is_sound() && !lane.at_work)?;
        let about = About { iteration: lane.iteration, seed: self.seed, place: None, task: None };
        let request = self.way(number).or_else(|| self.look(number, &about));
        let place = matches!(request, Some(Request::Cell { .. })).then_some(self.place).flatten();
        let is_truth = matches!(request, Some(Request::Truth { .. }));
        let task = is_truth.then(|| lane.known_truths(&about));
        Some((request?, About { place, task, ..about }))
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
        let has_arrows = lane.arrows.as_ref().is_some_and(|(had, _)| had == about);
        if number == self.lane && !has_arrows {
            return Some(Request::Arrows { seed });
        }
        if let Some(place) = self.place {
            let wanted = About { place: self.place, ..*about };
            if lane.cell.as_ref().is_none_or(|(had, _)| *had != wanted) {
                let (row, column) = (place.row, place.column);
                return Some(Request::Cell { seed, row, column });
            }
        }
        let wants_rollouts = self.inspects || (self.place.is_some() && !self.is_playing());
        let has_rollouts = lane.rollouts.as_ref().is_some_and(|(had, _)| had == about);
        if number != self.lane || !wants_rollouts {
            return None;
        }
        if !has_rollouts {
            return Some(Request::Look { seed });
        }
        let known = lane.known_truths(about);
        let wants_truth = !self.inspects && (known as u64) < self.setup().whole(Dial::Tasks);
        wants_truth.then(|| Request::Truth { seed, task: format!("g{known:02}") })
    }
}
