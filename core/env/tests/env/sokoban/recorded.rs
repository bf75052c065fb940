//! Rooms and episodes against recordings of gym_sokoban, byte for byte.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use crate::certain::Certain;
use crate::oracle::unpacked;

use hgpo_env::sokoban::{Direction, Sokoban, SokobanEnvironment, SokobanSettings};
use hgpo_env::{Environment, EpisodeSettings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recording {
    cfg: Shape,
    seed: u32,
    obs: String,
    room_fixed: Vec<Vec<u8>>,
    room_state: Vec<Vec<u8>>,
    /// Action (0 is none), observation, reward, done, won.
    steps: Vec<(usize, String, f64, bool, bool)>,
}

#[derive(Deserialize)]
struct Shape {
    dim_room: [usize; 2],
    num_boxes: usize,
    max_steps: usize,
    search_depth: usize,
}

#[test]
fn rooms_and_episodes_are_as_recorded() {
    let Some(bytes) = unpacked("sokoban/sokoban.json.xz") else { return };
    let recordings: Vec<Recording> = serde_json::from_slice(&bytes).unwrap();
    let mut steps = 0;
    for recording in &recordings {
        let Recording { cfg, seed, .. } = recording;
        let at = format!("seed {seed}, {:?}", cfg.dim_room);
        let settings = SokobanSettings {
            height: cfg.dim_room[0],
            width: cfg.dim_room[1],
            boxes: cfg.num_boxes,
            search_depth: cfg.search_depth,
            ..SokobanSettings::default()
        };
        // The original does not count what is no action.
        let max_steps = 2 * cfg.max_steps;
        let episode = EpisodeSettings { max_steps, success_reward: 10.0 };
        let room = Sokoban::new(settings.clone(), episode).unwrap().room(*seed).unwrap();
        assert_eq!(room.to_string(), recording.obs, "{at}");
        assert_eq!(recording.room_fixed.len(), cfg.dim_room[0]);
        for (number, &fixed) in recording.room_fixed.iter().flatten().enumerate() {
            assert_eq!(room.ground().cells()[number] as u8, fixed, "{at}");
        }
        let boxes = recording.room_state.iter().flatten().filter(|&&cell| cell == 4).count();
        assert_eq!(boxes, room.state().boxes().len(), "{at}");

        let mut episode = SokobanEnvironment::new(&room, &settings, episode);
        for (number, (action, seen, reward, done, won)) in recording.steps.iter().enumerate() {
            let at = format!("{at}, step {number}");
            let direction = action.checked_sub(1).map(|number| Direction::ALL[number]);
            let outcome = episode.act(direction.map_or("none", Direction::name));
            assert_eq!(episode.observe().text, *seen, "{at}");
            assert_eq!(outcome.reward.to_bits(), reward.to_bits(), "{at}");
            let told = (outcome.done, outcome.won, outcome.admissible);
            assert_eq!(told, (*done, *won, *action > 0), "{at}");
            steps += 1;
        }
    }
    println!("{} rooms and {steps} steps are as recorded", recordings.len());
    assert_eq!(recordings.len(), 120);
}
