//! Terms of an advantage: groups of steps and of episodes, and what a step is compared by in each.

pub(crate) mod adaptive_weights;
pub(crate) mod episode_group;
pub(crate) mod episode_terms;
pub(crate) mod mixed_statistics;
pub(crate) mod state_values;
pub(crate) mod step_groups;
pub(crate) mod term;
pub(crate) mod turn_groups;
