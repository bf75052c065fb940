//! Looking into an iteration: what was played is handed to the page, which may ask later what is true of it.

use super::{About, Model};
use hgpo_worker::training::message::Request;
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
