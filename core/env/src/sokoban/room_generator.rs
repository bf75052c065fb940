//! Room generator, by seed.
//!
//! Source: `room_utils.py` of gym_sokoban 0.0.6 (after Racanière et al., "Imagination-Augmented Agents for
//! Deep Reinforcement Learning", 2017), with the changes of RAGEN and verl-agent: the depth of the
//! search, pulls only, and the player's steps after it.

use super::{Cell, Room, SokobanSettings, SokobanState, Walls, reverse_play};
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
        let mut cells = clear(settings, &mut walk);
        let player = place(&mut cells, settings.boxes, &mut places)?;
        // The edge is closed, and there is a cell for everything.
        let ground = Walls::new(settings.width, cells).ok()?;
        let (furthest, displacement) = reverse_play::play(&ground, player, settings.search_depth);
        if displacement > 0 {
            let state = stroll(&ground, &furthest, displacement, &mut walk)?;
            return Room::new(ground, state).ok();
        }
    }
    None
}

/// Cells around the walk's place that a step clears, as lines of three: one of these is drawn.
const MASKS: [[&[u8; 3]; 3]; 5] = [
    [b"...", b"###", b"..."],
    [b".#.", b".#.", b".#."],
    [b"...", b"##.", b".#."],
    [b"...", b"##.", b"##."],
    [b"...", b".##", b".#."],
];

/// Where the walk goes, in lines and columns: one of these is drawn.
const WAYS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// How likely the walk turns before a step.
const TURN: f64 = 0.35;

/// Steps of the walk for every line and every column.
const STEPS: f64 = 1.7;

/// Floor and walls, by a random walk that clears floor.
fn clear(settings: &SokobanSettings, random: &mut PythonRandom) -> Vec<Cell> {
    let &SokobanSettings { height, width, .. } = settings;
    let mut cells = vec![Cell::Wall; height * width];
    let mut way = choose(&WAYS, random);
    let mut line = random.integer(1, height - 1) as isize;
    let mut column = random.integer(1, width - 1) as isize;
    // Counted as the original does: rounded down.
    let steps = (STEPS * (height + width) as f64) as usize;
    for _ in 0..steps {
        if random.random() < TURN {
            way = choose(&WAYS, random);
        }
        line = (line + way.0).clamp(1, height as isize - 2);
        column = (column + way.1).clamp(1, width as isize - 2);
        let mask = choose(&MASKS, random);
        for at in (0..9).filter(|at| mask[at / 3][at % 3] == b'#') {
            let (line, column) = (line as usize + at / 3 - 1, column as usize + at % 3 - 1);
            let inside = (1..height - 1).contains(&line) && (1..width - 1).contains(&column);
            if inside {
                cells[line * width + column] = Cell::Floor;
            }
        }
    }
    cells
}

/// The original draws a sample of one; a sample of one is drawn as any number below a bound.
fn choose<T: Copy>(items: &[T], random: &mut PythonRandom) -> T {
    items[random.below(items.len())]
}

/// Puts the player, whose cell comes back, and the targets on free floor. `None` if there is too
/// little of it.
fn place(cells: &mut [Cell], boxes: usize, random: &mut RandomState) -> Option<u16> {
    let is_floor = |cells: &[Cell], at: &u16| cells[usize::from(*at)] == Cell::Floor;
    let mut free: Vec<u16> = (0..cells.len() as u16).filter(|at| is_floor(cells, at)).collect();
    if free.len() <= boxes + 1 {
        return None;
    }
    let mut take = |free: &mut Vec<u16>| free.remove(random.integer(0, free.len() as u32) as usize);
    let player = take(&mut free);
    for _ in 0..boxes {
        cells[usize::from(take(&mut free))] = Cell::Target;
    }
    Some(player)
}

/// How likely the player goes on after a move.
const GOES_ON: f64 = 0.5;

/// Most moves of the player.
const MOVES: usize = 3;

/// Moves the player a little at random, never where it has been and never a box.
fn stroll(
    ground: &Walls,
    from: &reverse_play::Pulled,
    displacement: usize,
    random: &mut PythonRandom,
) -> Option<SokobanState> {
    let state = SokobanState::new(from.player, &from.boxes)?;
    // More likely if no box is further off than one step.
    let moves_at_all = if displacement == 1 { 0.8 } else { 0.5 };
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
