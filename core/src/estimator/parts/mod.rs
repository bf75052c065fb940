//! The parts that estimators of steps are made of.
//!
//! | part | is | of |
//! |---|---|---|
//! | [`value`] | what a state is worth | visits, or the group's own [`process`] |
//! | [`credit`] | what a step gets for how it went on | returns, actions, or [`temporal_difference`] in value |
//! | [`trust_factor`] | how far the credit is trusted | what was seen in the state |
//! | [`composition`] | what it counts beside the episode's advantage | weights |
//!
//! An estimator that is made of them says which: [`Composable`].

mod anchors;
mod composed_estimator;
mod composition;
mod credit;
mod estimator_of_parts;
mod part_choices;
mod process;
mod temporal_difference;
mod trust_factor;
mod value;

pub use composed_estimator::Composed;
pub use part_choices::{Among, Credit, Depth, Trust, Worth};

pub(super) use estimator_of_parts::{Composable, composable};
