//! `chores`: a small household in which one thing has to be found and dealt with.
//!
//! The agent comes in through the hall; from there, and from every room, each other room is one
//! step away. Things stand in the rooms or lie hidden in closed containers; a sink cleans, a stove
//! heats, a lamp can be lit. The agent carries one thing at a time and sees the place it stands in,
//! and of the others only whether they are dark: the light of a room goes on when it is first
//! entered.
//!
//! | kind | instruction |
//! |---|---|
//! | fetch | put a key in the study |
//! | clean, then place | put a clean towel in the bedroom |
//! | heat, then place | put a hot pie in the lounge |
//! | two of a kind | put two books in the garage |
//! | look in light | look at a mug by the lamp (hold it where the lamp is lit) |
//!
//! What is carried, and whether it is clean or hot, is not part of the observation: the same text
//! occurs under different histories with different values. Since no way is longer than one step, the
//! last two steps tell how a thing was left when it arrives, so that an agent with a memory of K = 2
//! can do every task.
//!
//! # Actions
//! `go to R` (any other room), `open C`, `turn on lamp`, `clean X` and `heat X` (what is
//! carried, at the sink and at the stove), `take X` (with empty hands), `put X` (down here).
//! An admissible action changes the state, with one exception: `clean X` and `heat X` stay listed
//! for what is clean or hot already, since their absence would give that away.
//!
//! # Context
//! What the agent knows of the past: the rooms it has seen, what it holds, and what it has made clean
//! or hot, in a fixed order whatever the order of events. It tells apart states that look alike.
//!
//! # Splits
//! Trained tasks and seen tasks share 64 layouts; a fixed quarter of the pairs (thing, goal room)
//! of each layout is kept for seen tasks, so the two never coincide. Unseen tasks use 32 further
//! layouts, whose combinations of rooms occur in no trained layout.

#[cfg(feature = "chores")]
mod entry;
#[cfg(feature = "chores")]
mod environment;
pub mod guide;
mod house;
#[cfg_attr(not(feature = "chores"), allow(dead_code, reason = "some is of one agent alone"))]
mod layout;
#[cfg(feature = "chores")]
mod scripted_player;
mod shortest_plan;
#[cfg(feature = "chores")]
mod suite;
#[cfg_attr(not(feature = "chores"), allow(dead_code, reason = "some is of one agent alone"))]
mod task;
#[cfg_attr(not(feature = "chores"), allow(dead_code, reason = "some is of one agent alone"))]
mod text;

#[cfg(feature = "chores")]
pub(crate) use entry::ENTRY;
#[cfg(feature = "chores")]
pub use scripted_player::ScriptedHouseholder;
#[cfg(feature = "chores")]
pub use suite::{Chores, EpisodeSettingsError};
