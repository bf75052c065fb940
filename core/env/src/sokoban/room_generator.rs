//! Room generator, by seed.
//!
//! Source: `room_utils.py` of gym_sokoban 0.0.6 (after Racanière et al., "Imagination-Augmented Agents for
//! Deep Reinforcement Learning", 2017), with the changes of RAGEN and verl-agent: the depth of the
//! search, pulls only, and the player's steps after it.

use super::{Room, SokobanSettings, SokobanState, Walls, reverse_play, room_layout};
use crate::direction::Direction;
use crate::random::numpy_random::RandomState;
use crate::random::python_random::PythonRandom;

/// Rooms that are made of a seed, the first of which that has a box off its target is taken.
const TRIES: usize = 4;

/// The room of a seed; `None` if it has too little floor, or no box can be pulled off its target.
pub(super) fn generate(settings: &SokobanSettings, seed: u32) -> Option<Room> {
    let mut walk = PythonRandom::new(u64::from(seed));
    let mut places = RandomState::new(seed);
    for _ in 0..TRIES {
        let mut cells = room_layout::clear(settings, &mut walk);
        let player = room_layout::place(&mut cells, settings.boxes, &mut places)?;
        // The edge is closed, and there is a cell for everything.
        let ground = Walls::new(settings.width, cells).ok()?;
        let furthest = reverse_play::play(&ground, player, settings.search_depth);
        if furthest.displacement > 0 {
            let state = stroll(&ground, &furthest, &mut walk)?;
            return Room::new(ground, state).ok();
        }
    }
    None
}

/// How likely the player goes on after a move.
const GOES_ON: f64 = 0.5;

/// Most moves of the player.
const MOVES: usize = 3;

/// Moves the player a little at random, never where it has been and never a box.
fn stroll(
    ground: &Walls,
    from: &reverse_play::FurthestState,
    random: &mut PythonRandom,
) -> Option<SokobanState> {
    let state = SokobanState::new(from.player, &from.boxes)?;
    // More likely if no box is further off than one step.
    let moves_at_all = if from.displacement == 1 { 0.8 } else { 0.5 };
    if random.random() > moves_at_all {
        return Some(state);
    }
    let mut been = vec![from.player];
    for moved in 1..=MOVES {
        let last = been.last().copied()?;
        let beside = Direction::ALL.map(|direction| ground.beside(last, direction));
        let free = |at: &u16| ground.is_free(*at) && !from.boxes.contains(at) && !been.contains(at);
        let ways: Vec<u16> = beside.into_iter().filter(free).collect();
        let Some(&next) = random.choice(&ways) else { break };
        been.push(next);
        if moved == MOVES || random.random() > GOES_ON {
            break;
        }
    }
    SokobanState::new(been.last().copied()?, &from.boxes)
}
