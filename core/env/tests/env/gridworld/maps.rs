//! Maps as texts, good and bad.

use hgpo_env::gridworld::{Map, MapError, Position, Tile, WORLDS};
use proptest::prelude::*;

fn refused(text: &str) -> String {
    Map::parse(text).unwrap_err().to_string()
}

#[test]
fn a_map_is_read_cell_by_cell() {
    let map = Map::parse("\n#S~\r\nzDK\r\n.aG\n\n").unwrap();
    assert_eq!((map.height(), map.width()), (3, 3));
    let tiles: Vec<Tile> = map.places().map(|place| map.tile(place)).collect();
    let [z, a] = ['z', 'a'].map(Tile::Label);
    let expected =
        [Tile::Wall, Tile::Start, Tile::Cost, z, Tile::Door, Tile::Key, Tile::Floor, a, Tile::Goal];
    assert_eq!(tiles, expected);
    assert_eq!(map.to_string(), "#S~\nzDK\n.aG");
    let outside = [(3, 0), (0, 3), (usize::MAX, usize::MAX)];
    for (row, column) in outside {
        assert_eq!(map.tile(Position { row, column }), Tile::Wall);
    }
}

#[test]
fn every_world_is_read_and_small_enough_to_be_seen_at_a_glance() {
    for world in WORLDS {
        let map = Map::parse(world.map).unwrap();
        assert_eq!(map.to_string(), world.map);
        assert!(map.height() <= 9 && map.width() <= 13, "{}", world.name);
        assert!(!world.shows.is_empty() && !world.shows.ends_with('.'), "{}", world.name);
    }
}

#[test]
fn texts_that_are_no_map_are_refused_with_line_and_column() {
    let empty = "the map is empty; write at least a start (S) and a goal (G)";
    let high = "the map has more than 24 lines; leave some out";
    let wide = "line 1: more than 24 columns; leave some out";
    let cases = [
        (String::new(), empty),
        ("\n\r\n\n".into(), empty),
        ("S\n".repeat(24) + "G", high),
        (format!("S{}G", ".".repeat(23)), wide),
        ("S".repeat(10_000), wide),
        ([&*"S".repeat(100); 100].join("\n"), wide),
    ];
    for (text, message) in cases {
        assert_eq!(refused(&text), message);
    }
    let equal = "make all lines equally long, with # for walls";
    for (text, columns) in [("SG\n.", 1), ("SG\n\n..", 0)] {
        let message = format!("line 2: {columns} columns, but line 1 has 2; {equal}");
        assert_eq!(refused(text), message);
    }
}

#[test]
fn characters_that_mean_nothing_are_shown_harmlessly() {
    let cases = [
        ("S.G\n.x!", "line 2, column 3", "!"),
        ("S G", "line 1, column 2", " "),
        ("S목G", "line 1, column 2", "목"),
        ("é", "line 1, column 1", "é"),
        ("S<b>G", "line 1, column 2", "<"),
        ("S.G\nX..", "line 2, column 1", "X"),
        ("S\u{202e}G", "line 1, column 2", "\\u{202e}"),
        ("S\0G", "line 1, column 2", "\\0"),
        ("S\u{1b}[2JG", "line 1, column 2", "\\u{1b}"),
    ];
    let advice = "use # (wall), . (floor), S (start), G (goal), K (key), D (door), ~ (cost) or a letter from a to z (label)";
    for (text, place, shown) in cases {
        assert_eq!(refused(text), format!("{place}: unknown character '{shown}'; {advice}"));
    }
}

#[test]
fn a_map_that_cannot_be_played_says_what_is_missing() {
    let [start, goal] =
        ["no start; put an S where episodes begin", "no goal; put a G where episodes are won"];
    for (text, message) in [("s.G", start), ("###", start), ("S..", goal), ("SK.", goal)] {
        assert_eq!(refused(text), message);
    }
    // The goal, the start and the key, by their columns.
    let cases = [
        ("S#G", 3, 1, None),
        ("SDG", 3, 1, None),
        // The key is behind its own door; one of two keys is.
        ("SDKG", 4, 1, Some(3)),
        ("KSDGK", 4, 2, Some(5)),
        // Only one of two starts has a way; only one of two goals.
        ("SG#S", 2, 4, None),
        ("GS#G", 4, 2, None),
    ];
    for (text, goal, start, key) in cases {
        let key = key.map(|it| format!(" with the key at line 1, column {it}")).unwrap_or_default();
        let message = format!(
            "line 1, column {goal}: the goal cannot be reached from the start at line 1, column {start}{key}; open a way between them"
        );
        assert_eq!(refused(text), message);
    }
}

#[test]
fn the_most_crowded_maps_are_checked_at_once() {
    let row = |tiles: &str| tiles.repeat(24 / tiles.len());
    let crowd = |middle: &str, last: &str| {
        let lines: Vec<String> = std::iter::repeat_n(row("SK"), 22).collect();
        Map::parse(&[lines.join("\n"), row(middle), row(last)].join("\n"))
    };
    for middle in [".", "D", "SKG"] {
        assert!(crowd(middle, "G").is_ok(), "{middle}");
    }
    let shut = "line 24, column 1: the goal cannot be reached from the start at line 1, column 1 with the key at line 1, column 2; open a way between them";
    assert_eq!(crowd("#", "G").unwrap_err().to_string(), shut);
}

#[test]
fn a_map_is_changed_only_into_one_that_can_be_played() {
    let map = Map::parse("S.G\n.#.").unwrap();
    let place = |row, column| Position { row, column };
    let changed = map.with(place(0, 1), Tile::Label('q')).unwrap();
    assert_eq!(changed.to_string(), "SqG\n.#.");
    assert_eq!(map.to_string(), "S.G\n.#.");
    let refused = |place, tile| map.with(place, tile).unwrap_err();
    let cut = MapError::Unreachable { start: place(0, 0), goal: place(0, 2), key: None };
    assert_eq!(refused(place(0, 1), Tile::Wall), cut);
    assert_eq!(refused(place(0, 0), Tile::Floor), MapError::NoStart);
    assert_eq!(refused(place(0, 2), Tile::Start), MapError::NoGoal);
    for letter in ['A', '<', 'ä', '#', 'S', '\0'] {
        let expected = MapError::Unknown { line: 1, column: 2, character: letter };
        assert_eq!(refused(place(0, 1), Tile::Label(letter)), expected);
    }
    let outside = refused(place(2, usize::MAX), Tile::Floor).to_string();
    let expected = format!("line 3, column {}: the map has 2 lines of 3 columns", usize::MAX);
    assert_eq!(outside, expected);
}

proptest! {
    #[test]
    fn what_is_read_is_written_alike(text in "[#.SGKD~a-c]{1,6}(\n[#.SGKD~a-c]{3}){0,4}") {
        match Map::parse(&text) {
            Ok(map) => prop_assert_eq!(map.to_string(), text),
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }

    #[test]
    fn any_text_is_read_or_refused_in_a_line(text in "\\PC*|[SG.#\\n\u{0}\u{202e}<ä]{0,40}") {
        match Map::parse(&text) {
            Ok(map) => prop_assert_eq!(Map::parse(&map.to_string()), Ok(map)),
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }

    #[test]
    fn floor_with_a_start_and_a_goal_is_always_a_map(
        height in 1_usize..=24, width in 2_usize..=24, cell in 0_usize..576
    ) {
        let mut cells = vec!['.'; height * width];
        cells[cell % (height * width)] = 'G';
        let start = (cell + 1) % (height * width);
        cells[start] = 'S';
        let lines: Vec<String> = cells.chunks(width).map(|line| line.iter().collect()).collect();
        let map = Map::parse(&lines.join("\n")).unwrap();
        prop_assert_eq!((map.height(), map.width()), (height, width));
        prop_assert_eq!(map.places().count(), height * width);
        prop_assert_eq!(map.tile(Position { row: start / width, column: start % width }), Tile::Start);
    }
}
