//! Groups of steps with equal contexts, and the graph of states that they stand in.

pub(crate) mod graph;
pub(crate) mod grouping;
pub(crate) mod hierarchy;
