//! What the view knows: pure, without a browser. `state` holds it, `update` changes it as the reader and the
//! lanes will, `wish` says what a lane is to be asked next.

pub(crate) mod dial;
mod map_text;
pub(crate) mod pace;
pub(crate) mod reading;
pub(crate) mod setup;
pub(crate) mod setup_text;
pub(crate) mod state;
pub(crate) mod study;
mod team;
#[cfg(test)]
mod tests;
mod update;
mod wish;
#[cfg(test)]
mod witnesses;

pub(crate) use crate::model::{ESTIMATOR, INSIDE, Key, estimators, kind};
pub(crate) use dial::Dial;
pub(crate) use pace::{Drive, Speed};
pub(crate) use setup::Setup;
pub(crate) use setup_text::{Plan, Refusal};
pub(crate) use state::{About, Judged, Lane, LaneProblem, Model, Problem};
pub(crate) use team::{AGENTS, TEAM};
pub(crate) use update::Action;
