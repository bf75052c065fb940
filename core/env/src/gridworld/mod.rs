//! `gridworld`: a maze in which different places look alike.
//!
//! A [`Map`] is a text, a character a cell (see [`Tile`]). The agent sees which sides of its cell are
//! open ([`observe_from`]), and not where it is or whether it holds the key: the same sight after
//! different histories is worth different amounts, as in the mazes of McCallum ("Reinforcement learning
//! with selective perception and hidden state", 1996). [`ObservationMode`] sets how much is seen, from walls to the
//! exact place, with which nothing looks alike any more.
//!
//! # Moves
//! `up`, `down`, `left`, `right` are always listed. Into a wall, off the map, or into a door without the
//! key, one stays. With the probability [`GridworldSettings::slip`] a move goes to one of the two sides at right
//! angles, each half as likely, as in the world of Russell and Norvig ("Artificial Intelligence: A Modern
//! Approach", "Making Complex Decisions"). Coming to the key picks it up; a key opens all doors.
//!
//! # Rewards
//! The goal earns the reward of success and ends the episode. Each entry into a cost cell costs
//! [`GridworldSettings::cost`].
//!
//! # Tasks and splits
//! A task is a start, a key and a goal, one of each if a map has several; the others are floor.
//! Trained tasks begin at the map's starts, seen tasks on other floor of the same map, and unseen tasks
//! are on generated maps of the same size. What is asked for says nothing of the task, so that a table of
//! preferences shares between tasks what it learns. Generated maps of training and of unseen tasks never
//! coincide.
//!
//! # Chances
//! Every situation has a name, and every action says what it can lead to with which probability, so that
//! true values and advantages can be computed.

mod built_in_maps;
mod entry;
mod environment;
mod error;
mod map;
mod map_generator;
mod maze;
mod observation;
mod reachability;
mod settings;
mod suite;
mod transitions;

pub use self::built_in_maps::{WORLDS, World};
pub(crate) use self::entry::ENTRY;
pub use self::error::MapError;
pub use self::map::{Map, Position, Tile};
pub use self::observation::{ObservationMode, observe_from};
pub use self::settings::GridworldSettings;
pub use self::suite::Gridworld;
pub use crate::direction::Direction;
