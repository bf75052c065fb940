//! The mazes as their users see them.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

mod chances;
mod maps;
mod moves;
mod sights;
mod tasks;

use hgpo_env::gridworld::{Gridworld, GridworldSettings};
use hgpo_env::{Environment, EpisodeSettings, Split, Suite};

/// Steps as in the presets, and a reward of 10.
const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 30, success_reward: 10.0 };

/// The suite of some settings.
fn suite(settings: GridworldSettings) -> Gridworld {
    Gridworld::new(settings, EPISODE).expect("these settings make sense")
}

/// Settings of a map of one's own.
fn on(map: &str) -> GridworldSettings {
    GridworldSettings { map: map.to_owned(), ..GridworldSettings::default() }
}

/// The first training task under some settings.
fn start(settings: GridworldSettings) -> Box<dyn Environment> {
    suite(settings).start(Split::Train, 0).expect("a map with a start")
}

/// Where an episode is, which every state of a maze says.
fn situation(episode: &dyn Environment) -> String {
    episode.situation().expect("mazes name their situations")
}
