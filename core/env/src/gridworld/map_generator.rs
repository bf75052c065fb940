//! Map generator: mazes drawn at random.

use super::maze::Maze;
use super::{GridworldSettings, Map, MapError, Position, Tile};
use crate::holdout_hash::content_digest;
use crate::random::{Purpose, Stream};

/// The settings of maps like another one, as far as the generator makes such.
pub(super) fn like(map: &Map, settings: GridworldSettings) -> GridworldSettings {
    let side = |cells: usize| {
        cells.clamp(*GridworldSettings::SIDE.start(), *GridworldSettings::SIDE.end())
    };
    let has = |tile| map.all(tile).next().is_some();
    let is_label = |place: &Position| matches!(map.tile(*place), Tile::Label(_));
    GridworldSettings {
        height: side(map.height()),
        width: side(map.width()),
        key: has(Tile::Key) && has(Tile::Door),
        labels: map.places().filter(is_label).count().min(*GridworldSettings::LABELS.end()),
        ..settings
    }
}

/// Whether a map is for unseen tasks, or for training and seen ones: by a bit of its text's digest.
fn is_unseen(map: &Map) -> bool {
    content_digest(map.to_string().as_bytes()) >> 40 & 1 == 1
}

/// Maps that are drawn until one is for the right tasks: every second one is, so that this many
/// fail once in 10^19 times.
const TRIES: usize = 64;

/// The map of this number for unseen tasks, or for training and seen ones, which is not `fixed`, the one that is
/// trained on if only one is.
///
/// # Errors
/// The settings allow hardly any maps.
pub(super) fn generate(
    settings: &GridworldSettings,
    unseen: bool,
    number: usize,
    fixed: Option<&Map>,
) -> Result<Map, MapError> {
    let mut stream = Stream::new(number as u64, Purpose::GridMaps, [u64::from(unseen), 0]);
    for _ in 0..TRIES {
        let map = draw(settings, &mut stream)?;
        if is_unseen(&map) == unseen && Some(&map) != fixed {
            return Ok(map);
        }
    }
    Err(MapError::TooFew)
}

fn draw(settings: &GridworldSettings, stream: &mut Stream) -> Result<Map, MapError> {
    let mut maze = Maze::carve(settings.height, settings.width, stream);
    let door = if settings.key { maze.hang_door(stream) } else { None };
    maze.open_loops(settings.loops, door.map(|(before, _)| before), stream);
    if let Some((before, behind)) = door {
        // From the start to the key, from there to the door, and on: a third each. The door is one
        // move from the cells beside it.
        let third = settings.longest_plan / 3;
        maze.put_away(Tile::Goal, behind, third - 1, stream);
        if let Some(key) = maze.put_away(Tile::Key, before, third - 1, stream) {
            maze.put_away(Tile::Start, key, third, stream);
        }
    } else if let Some(start) = maze.floor(stream) {
        maze.tiles[start] = Tile::Start;
        maze.put_away(Tile::Goal, start, settings.longest_plan, stream);
    }
    maze.label(settings.labels, stream);
    Map::of(maze.width, maze.tiles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unseen_map_is_never_the_one_that_is_trained_on() {
        let settings = GridworldSettings { height: 5, width: 5, ..GridworldSettings::default() };
        for number in 0..20 {
            let map = generate(&settings, true, number, None).unwrap();
            assert_ne!(generate(&settings, true, number, Some(&map)).unwrap(), map);
            assert!(is_unseen(&map));
        }
    }
}
