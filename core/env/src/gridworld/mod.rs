//! `gridworld`: a maze in which different places look alike.

mod entry;
mod environment;
mod error;
mod generate;
mod ground;
mod map;
mod maze;
mod place;
mod plan;
mod reach;
mod settings;
mod sight;
mod suite;
mod task;
mod tile;
mod worlds;

pub(crate) use self::entry::ENTRY;
pub use self::error::MapError;
pub use self::map::Map;
pub use self::place::{Direction, Place};
pub use self::settings::Settings;
pub use self::sight::{Sight, sight_from};
pub use self::suite::Gridworld;
pub use self::tile::Tile;
pub use self::worlds::{WORLDS, World};
