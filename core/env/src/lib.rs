//! Environments: tasks that an agent solves by writing one action a step.
//!
//! An [`Environment`] is one running episode; a [`Suite`] makes them; the [`registry`] knows all
//! suites. All are reproducible: the same split and task seed give the same start, and the same
//! actions and draws of chance the same texts.

#[cfg(feature = "alfworld")]
pub mod alfworld;
#[cfg(feature = "guide")]
pub mod chores;
#[cfg(feature = "countdown")]
pub mod countdown;
#[cfg(any(feature = "gridworld", feature = "sokoban"))]
mod direction;
mod environment;
mod error;
pub mod files;
#[cfg(feature = "gridworld")]
pub mod gridworld;
#[cfg(any(
    feature = "alfworld",
    feature = "countdown",
    feature = "gridworld",
    feature = "library",
    feature = "sokoban",
    feature = "webshop"
))]
mod holdout_hash;
pub mod json_error;
#[cfg(feature = "library")]
pub mod library;
#[cfg(feature = "panels")]
pub mod panel;
pub mod random;
pub mod registry;
#[cfg(any(feature = "library", feature = "webshop"))]
pub mod search;
mod settings;
#[cfg(any(feature = "gridworld", feature = "guide", feature = "library", feature = "sokoban"))]
mod shortest_path;
#[cfg(feature = "sokoban")]
pub mod sokoban;
#[cfg(any(feature = "countdown", feature = "guide", feature = "library"))]
pub mod team;
#[cfg(feature = "webshop")]
pub mod webshop;

pub use self::environment::{
    Actions, Environment, Observation, Outcome, Player, Possibility, Split, Suite,
};
pub use self::error::EnvError;
pub use self::registry::suite;
pub use self::settings::{EnvironmentConfig, EpisodeSettings, SettingError, Tables};

/// The environments of this build, in the order of the documentation. To add one, write its folder with its
/// entry, and name both in this file, behind a feature that is among the default ones.
const ENVIRONMENTS: &[&registry::Entry] = &[
    #[cfg(feature = "chores")]
    &chores::ENTRY,
    #[cfg(feature = "gridworld")]
    &gridworld::ENTRY,
    #[cfg(feature = "alfworld")]
    &alfworld::ENTRY,
    #[cfg(feature = "alfworld")]
    &alfworld::generate::ENTRY,
    #[cfg(feature = "sokoban")]
    &sokoban::ENTRY,
    #[cfg(feature = "webshop")]
    &webshop::ENTRY,
    #[cfg(feature = "webshop")]
    &webshop::generate::ENTRY,
    #[cfg(feature = "countdown")]
    &countdown::ENTRY,
    #[cfg(feature = "library")]
    &library::ENTRY,
    #[cfg(feature = "guide")]
    &chores::guide::ENTRY,
];
