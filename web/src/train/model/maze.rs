//! Mazes that are drawn at random, as maps of the reader's own.

use hgpo_env::gridworld::{Gridworld, GridworldSettings, Map};
use hgpo_env::{EpisodeSettings, Split};

/// The maze of a number.
pub(crate) fn maze(number: u64) -> Option<Map> {
    let world = GridworldSettings::GENERATED.to_owned();
    let settings = GridworldSettings {
        world,
        maps: *GridworldSettings::MAPS.end(),
        ..GridworldSettings::default()
    };
    let suite = Gridworld::new(settings, EpisodeSettings::default()).ok()?;
    suite.map(Split::Train, number).ok()
}

#[cfg(test)]
mod tests {
    use super::maze;

    #[test]
    fn numbers_have_mazes_of_their_own() {
        assert!(maze(1).is_some() && maze(1) == maze(1));
        assert!((2..8).any(|number| maze(number) != maze(1)));
    }
}
