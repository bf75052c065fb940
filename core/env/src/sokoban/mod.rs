//! `sokoban`: boxes that are pushed onto targets.
//!
//! A room is seen from above, whole. Pushes cannot be taken back: a box in a corner stays there, so that
//! a step can make success impossible long before the episode ends.
//!
//! # Rooms
//! The room of a seed is the one that gym_sokoban 0.0.6 makes of it as the trainers of RAGEN and
//! verl-agent use it: a random walk clears the floor (CPython's `random`, seeded with the seed), player
//! and targets are put on it (numpy's `RandomState`, seeded with the same), and the room is played
//! backwards, boxes being pulled off their targets, as far as [`SokobanSettings::search_depth`] steps. The state
//! that was found to be furthest off is the start, after up to three moves of the player at random. So a
//! room can always be solved.
//!
//! If four rooms in a row cannot be made of a seed (boxes that cannot be pulled anywhere), the
//! original goes on with a seed that Python's hash of texts makes, which differs from process to process.
//! Here it is the 32 bits that CPython's generator draws first under the seed.
//!
//! # Steps
//! `up`, `down`, `left`, `right` are always listed. Into a wall, or a box that cannot be pushed, the
//! player stays. Every step costs [`SokobanSettings::step_cost`], a box that comes onto a target earns
//! [`SokobanSettings::box_reward`] and one that leaves it costs as much, and the last box on its target earns the
//! reward of success and ends the episode.
//!
//! # Splits
//! Rooms of training have the seeds 0 to 65,534, which the trainers draw from; seen tasks have seeds above,
//! which they evaluate on; unseen tasks are in rooms that are larger by one line and one column.
//!
//! Different seeds often make the same room: nine in ten of the seeds above make a puzzle that a seed of
//! training makes as well. So one puzzle in eight (walls, targets and boxes, by their digest) is held out
//! from training, and seen tasks come from those alone; a seed of the other part goes on to its next one, as
//! when no room can be made. With [`SokobanSettings::published_rooms`], every seed's room is taken, as the trainers do.

mod entry;
mod environment;
mod error;
mod reverse_play;
mod room;
mod room_generator;
mod settings;
mod solver;
mod state;
mod suite;
mod walls;

pub(crate) use self::entry::ENTRY;
pub use self::environment::SokobanEnvironment;
pub use self::error::RoomError;
pub use self::room::Room;
pub use self::settings::SokobanSettings;
pub use self::solver::{MOST_EXPANDED, Solution, solve};
pub use self::state::{MOST_BOXES, SokobanState};
pub use self::suite::Sokoban;
pub use self::walls::{Cell, Walls};
pub use crate::direction::Direction;
