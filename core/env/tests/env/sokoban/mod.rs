//! Rooms with boxes.

mod episodes;
mod recorded;
mod solver;

use hgpo_env::sokoban::{Cell, Room, SokobanState, Walls};

/// A room as people draw it.
fn drawn(lines: &[&str]) -> Room {
    let width = lines[0].chars().count();
    let marks: Vec<char> = lines.iter().flat_map(|line| line.chars()).collect();
    let cell = |&mark: &char| match mark {
        '#' => Cell::Wall,
        '.' | '*' | '+' => Cell::Target,
        _ => Cell::Floor,
    };
    let ground = Walls::new(width, marks.iter().map(cell).collect()).expect("a room");
    let found = |wanted: &str| -> Vec<u16> {
        (0..marks.len() as u16).filter(|&at| wanted.contains(marks[usize::from(at)])).collect()
    };
    let state = SokobanState::new(found("@+")[0], &found("$*")).expect("few boxes");
    Room::new(ground, state).expect("a box for every target")
}
