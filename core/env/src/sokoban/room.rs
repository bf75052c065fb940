//! Room with player and boxes at the start of an episode.

use std::fmt;

use super::room_generator::generate;
use super::{Cell, MOST_BOXES, RoomError, Sokoban, SokobanSettings, SokobanState, Walls};
use crate::EnvError;
use crate::holdout_hash::content_digest;
use crate::random::python_random::PythonRandom;

/// Cells, and player and boxes in them. It is written as the original shows it: a line for every line of
/// cells, a character for every cell with white space around it: `#` wall, `_` floor, `O` target, `X` box,
/// `√` box on a target, `P` player, `S` player on a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    ground: Walls,
    state: SokobanState,
}

impl Room {
    /// How many seeds are tried, one after the other, before there is no room.
    const TRIES: usize = 1000;

    /// Player and boxes in a room.
    ///
    /// # Errors
    /// If there is not a box for every target, or something is where it cannot be.
    pub fn new(ground: Walls, state: SokobanState) -> Result<Self, RoomError> {
        let targets = ground.targets().count();
        let boxes = state.boxes().len();
        if boxes != targets || !(1..=MOST_BOXES).contains(&boxes) {
            return Err(RoomError::Boxes { boxes, targets });
        }
        if !ground.is_free(state.player()) || state.boxes().contains(&state.player()) {
            return Err(RoomError::blocked("the player", state.player(), &ground));
        }
        let twice = |&(place, at): &(usize, &u16)| state.boxes()[..place].contains(at);
        let mut boxes = state.boxes().iter().enumerate();
        if let Some((_, &at)) = boxes.find(|it| twice(it) || !ground.is_free(*it.1)) {
            return Err(RoomError::blocked("a box", at, &ground));
        }
        Ok(Self { ground, state })
    }

    /// The room of a seed that `is_wanted`. If none can be made of it, or it is not wanted, that of the
    /// seed's next one: the 32 bits that CPython's generator draws first under it.
    ///
    /// # Errors
    /// If many seeds in a row make none.
    pub(super) fn of_seed(
        settings: &SokobanSettings,
        first: u32,
        is_wanted: impl Fn(&Self) -> bool,
    ) -> Result<Self, EnvError> {
        let mut seed = first;
        for _ in 0..Self::TRIES {
            if let Some(room) = generate(settings, seed).filter(&is_wanted) {
                return Ok(room);
            }
            seed = PythonRandom::new(u64::from(seed)).bits(32) as u32;
        }
        let &SokobanSettings { height, width, boxes, .. } = settings;
        let tries = Self::TRIES;
        let hopeless = RoomError::Hopeless { height, width, boxes, tries, seed: first };
        Err(EnvError::new(Sokoban::NAME, hopeless))
    }

    /// Whether the puzzle (walls, targets and boxes, wherever the player stands) is held out from training:
    /// one in eight is, by its digest.
    pub(super) fn is_held_out(&self) -> bool {
        let is_box = |at: usize| self.state.boxes().binary_search(&(at as u16)).is_ok();
        let cells = self.ground.cells().iter().enumerate();
        let cells = cells.map(|(at, &cell)| 2 * cell as u8 + u8::from(is_box(at)));
        let content: Vec<u8> = [self.ground.width() as u8].into_iter().chain(cells).collect();
        (content_digest(&content) >> 40).is_multiple_of(8)
    }

    /// Its cells.
    #[must_use]
    pub fn ground(&self) -> &Walls {
        &self.ground
    }

    /// Player and boxes.
    #[must_use]
    pub fn state(&self) -> SokobanState {
        self.state
    }
}

/// The marks of a cell with what is on it: as agents see them, and as people draw them.
pub(super) fn marks(ground: &Walls, state: &SokobanState, at: u16) -> (char, char) {
    let cell = ground.cells()[usize::from(at)];
    let (player, is_box) = (state.player() == at, state.boxes().binary_search(&at).is_ok());
    match (cell, player, is_box) {
        (Cell::Wall, ..) => ('#', '#'),
        (Cell::Target, true, _) => ('S', '+'),
        (Cell::Target, _, true) => ('√', '*'),
        (Cell::Target, ..) => ('O', '.'),
        (Cell::Floor, true, _) => ('P', '@'),
        (Cell::Floor, _, true) => ('X', '$'),
        (Cell::Floor, ..) => ('_', ' '),
    }
}

/// The text of a room as agents see it.
pub(super) fn text(ground: &Walls, state: &SokobanState) -> String {
    let cells = ground.cells().len();
    // A mark has one byte, or three.
    let mut text = String::with_capacity(4 * cells + 2 * state.boxes().len() + cells);
    for at in 0..cells as u16 {
        if at > 0 && usize::from(at) % ground.width() == 0 {
            text.push('\n');
        }
        text.push(' ');
        text.push(marks(ground, state, at).0);
        text.push_str(" \t");
    }
    text
}

impl fmt::Display for Room {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&text(&self.ground, &self.state))
    }
}
