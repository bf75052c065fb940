//! Explore: any rollouts, any settings, and everything that can be told of a step.

pub(crate) mod view;

pub(crate) use view::explore::Explore;
