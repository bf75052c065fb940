//! What the worlds are called, and what each is there to show.

use super::words::either;
use hgpo_env::gridworld::World;

/// The name of a world.
pub(crate) fn world_name(name: &str) -> String {
    name.replace('-', " ")
}

/// What a world is there to show.
pub(crate) fn shows(world: &World) -> String {
    let mut told = world.shows.to_owned();
    if let Some(first) = told.get(..1).map(str::to_uppercase) {
        told.replace_range(..1, &first);
    }
    either!(format!("{told}."), format!("{told}."))
}
