//! Graph of states: the states of a task as nodes, and the steps between them as arrows.

mod layout;
mod model;
mod picture;
mod view;
mod ways;

pub(crate) use picture::{Chosen, Ground, Picture};
pub(crate) use view::{StateGraph, state_graph};
