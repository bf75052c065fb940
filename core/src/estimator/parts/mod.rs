//! The parts that estimators of steps are made of.
//!
//! | part | is | of |
//! |---|---|---|
//! | [`value`] | what a state is worth | visits, or the group's own [`process`] |
//! | [`credit`] | what a step gets for how it went on | returns, actions, or [`gains`] in value |
//! | [`trust`] | how far the credit is trusted | what was seen in the state |
//! | [`mix`] | what it counts beside the episode's advantage | weights |
//!
//! An estimator that is made of them says which: [`Composable`].

mod anchors;
mod composable;
mod composed;
mod composition;
mod credit;
pub(super) mod part_options;
mod process;
mod temporal_difference;
mod trust;
mod value;

pub use composed::{Among, Composed};
pub use credit::Credit;
pub use trust::Trust;
pub use value::{Depth, Worth};

pub(super) use composable::Composable;
