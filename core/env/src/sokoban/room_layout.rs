//! Room layout: a random walk that clears floor, and what is put on it.

use super::{Cell, SokobanSettings};
use crate::random::numpy_random::RandomState;
use crate::random::python_random::PythonRandom;

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

/// Floor and walls.
pub(super) fn clear(settings: &SokobanSettings, random: &mut PythonRandom) -> Vec<Cell> {
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
pub(super) fn place(cells: &mut [Cell], boxes: usize, random: &mut RandomState) -> Option<u16> {
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
