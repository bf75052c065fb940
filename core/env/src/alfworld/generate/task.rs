//! Tasks: what is asked for, and where the things are at the start.

use super::house::House;
use super::task_kind::Kind;

/// A thing in a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Its kind: a place in [`THINGS`].
    pub(super) kind: usize,
    /// Which of its kind, from 1.
    pub(super) number: usize,
    /// The furniture that it is in or on at the start.
    pub(super) place: usize,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The number of its house.
    pub(super) scene: usize,
    pub(super) house: House,
    pub(super) kind: Kind,
    /// The kind of thing asked for: a place in [`THINGS`].
    pub(super) thing: usize,
    /// The kind of furniture it has to be brought to; the lamp if it has to be held there.
    pub(super) target: &'static str,
    pub(super) items: Vec<Item>,
    /// The room that the agent starts in.
    pub(super) start: usize,
}
