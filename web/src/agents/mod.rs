//! Agents of a team compared: one normalisation of their scores for all, and one for each.

mod model;
mod view;

pub(crate) use view::{Agents, AgentsProps};
