//! Tasks: that they can be done, in how many moves, and which there are.

use super::{EPISODE, on, situation, suite};
use crate::certain::Certain;
use hgpo_env::gridworld::{Gridworld, GridworldSettings, Map, Tile, WORLDS};
use hgpo_env::{EpisodeSettings, Split, Suite};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn generated() -> GridworldSettings {
    GridworldSettings {
        world: GridworldSettings::GENERATED.into(),
        maps: 256,
        ..GridworldSettings::default()
    }
}

/// Moves from a cell to the goal, by relaxing the distances of all cells and both states of the key until
/// nothing changes; the map has one key at most.
fn moves_left(map: &str, situation: &str) -> Option<usize> {
    let cells: Vec<Vec<char>> = map.lines().map(|line| line.chars().collect()).collect();
    let cell = |row: usize, column: usize| {
        cells.get(row).and_then(|line| line.get(column)).copied().unwrap_or('#')
    };
    let (height, width) = (cells.len(), cells[0].len());
    let far = height * width * 2;
    let mut left = vec![vec![[far; 2]; width]; height];
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for row in 0..height {
            for column in 0..width {
                for key in [0, 1] {
                    let around = [
                        (row.wrapping_sub(1), column),
                        (row + 1, column),
                        (row, column.wrapping_sub(1)),
                        (row, column + 1),
                    ];
                    let mut best = if cell(row, column) == 'G' { 0 } else { far };
                    for (row, column) in around {
                        let tile = cell(row, column);
                        if tile != '#' && (tile != 'D' || key == 1) {
                            let key = if tile == 'K' { 1 } else { key };
                            best = best.min(left[row][column][key] + 1);
                        }
                    }
                    changes |= best < left[row][column][key];
                    left[row][column][key] = best.min(left[row][column][key]);
                }
            }
        }
    }
    let (place, key) = situation.strip_suffix(" key").map_or((situation, 0), |place| (place, 1));
    let (row, column) = place.split_once(',')?;
    let left = left[row.parse::<usize>().ok()?][column.parse::<usize>().ok()?][key];
    (left < far).then_some(left)
}

/// Carries out the plan, which must be as short as can be from every cell on the way; its length.
fn solved(suite: &Gridworld, split: Split, seed: u64) -> usize {
    let map = suite.map(split, seed).unwrap().to_string();
    let mut episode = suite.start(split, seed).unwrap();
    let plan = episode.way();
    for (step, action) in plan.iter().enumerate() {
        assert_eq!(moves_left(&map, &situation(&*episode)), Some(plan.len() - step), "{map}");
        assert_eq!(episode.way(), plan[step..]);
        let outcome = episode.act(action);
        assert_eq!((outcome.won, outcome.admissible), (step + 1 == plan.len(), true), "{map}");
    }
    plan.len()
}

#[test]
fn every_world_is_solved_in_time_from_everywhere_by_a_shortest_plan() {
    for world in WORLDS {
        let suite = suite(GridworldSettings { slip: 0.0, ..GridworldSettings::of(world) });
        let map = Map::parse(world.map).unwrap();
        for split in [Split::Train, Split::Seen] {
            let mut starts = BTreeSet::new();
            for seed in 0..400 {
                starts.insert(situation(&*suite.start(split, seed).unwrap()));
                let moves = solved(&suite, split, seed);
                assert!((1..=EPISODE.max_steps).contains(&moves), "{}: {moves}", world.name);
            }
            let is_start = |tile| match split {
                Split::Train => tile == Tile::Start,
                _ => matches!(tile, Tile::Floor | Tile::Label(_)),
            };
            let expected = map.places().filter(|&place| is_start(map.tile(place)));
            let expected = expected.map(|place| format!("{},{}", place.row, place.column));
            assert_eq!(starts, expected.collect(), "{} {split:?}", world.name);
        }
    }
}

#[test]
fn the_player_carries_out_the_plan() {
    let suite = suite(on("K.S.DG"));
    let mut episode = suite.start(Split::Train, 3).unwrap();
    let mut player = suite.player(&*episode, 0).unwrap();
    let mut actions = Vec::new();
    while let Some(action) = player.act(&episode.observe()) {
        episode.act(&action);
        actions.push(action);
    }
    assert_eq!(actions, ["left", "left", "right", "right", "right", "right", "right"]);
}

#[test]
fn seen_tasks_begin_where_training_never_does_and_unseen_ones_on_other_maps() {
    for settings in [
        GridworldSettings { maps: 256, ..on("S.aG\n##~.") },
        generated(),
        GridworldSettings { key: true, ..generated() },
    ] {
        let suite = suite(settings);
        let tasks = |split| -> BTreeSet<(String, String)> {
            let task = |seed| {
                let map = suite.map(split, seed).unwrap().to_string();
                (map, situation(&*suite.start(split, seed).unwrap()))
            };
            (0..2000).map(task).collect()
        };
        let [train, seen, unseen] = Split::ALL.map(tasks);
        assert!(train.is_disjoint(&seen));
        let maps = |tasks: &BTreeSet<(String, String)>| -> BTreeSet<String> {
            tasks.iter().map(|(map, _)| map.clone()).collect()
        };
        assert!(maps(&seen).is_subset(&maps(&train)));
        assert!(maps(&unseen).is_disjoint(&maps(&train)));
        assert!(maps(&unseen).len() > 100, "{}", maps(&unseen).len());
    }
}

#[test]
fn the_smallest_generated_maps_are_told_apart_as_well() {
    let suite = suite(GridworldSettings { height: 5, width: 5, labels: 0, ..generated() });
    let maps = |split| -> BTreeSet<String> {
        (0..2000).map(|seed| suite.map(split, seed).unwrap().to_string()).collect()
    };
    assert!(maps(Split::Train).is_disjoint(&maps(Split::Unseen)));
}

#[test]
fn unseen_maps_are_like_the_world() {
    for world in WORLDS {
        let known = Map::parse(world.map).unwrap();
        let suite = suite(GridworldSettings::of(world));
        for seed in 0..50 {
            let map = suite.map(Split::Unseen, seed).unwrap();
            assert_eq!((map.height(), map.width()), (known.height(), known.width()));
            for tile in [Tile::Door, Tile::Key] {
                assert_eq!(map.all(tile).count(), known.all(tile).count(), "{}", world.name);
            }
            assert_ne!(map, known);
        }
    }
}

#[test]
fn a_map_without_other_floor_has_no_seen_tasks_and_says_so() {
    let suite = suite(on("SG"));
    assert!(suite.start(Split::Train, 0).is_ok());
    let error = suite.start(Split::Seen, 0).err().unwrap().to_string();
    assert!(error.starts_with("setting 'environment.gridworld.map': the split seen"), "{error}");
}

#[test]
fn thousands_of_generated_maps_are_solved_within_their_limit() {
    for (seed, key, loops, side, longest_plan) in [
        (0, false, 0.0, 7, 15),
        (1000, true, 0.2, 7, 15),
        (2000, true, 1.0, 5, 9),
        (3000, false, 0.5, 24, 1000),
        (4000, true, 0.1, 23, 40),
    ] {
        let shape = GridworldSettings {
            key,
            loops,
            height: side,
            width: side.min(13),
            labels: 26,
            ..generated()
        };
        let episode = EpisodeSettings { max_steps: longest_plan, ..EPISODE };
        let suite = Gridworld::new(GridworldSettings { longest_plan, ..shape }, episode).unwrap();
        let large = side > 20;
        for seed in seed..seed + if large { 60 } else { 1000 } {
            for split in [Split::Train, Split::Unseen] {
                let moves = solved(&suite, split, seed);
                assert!((1..=longest_plan).contains(&moves), "{moves}");
            }
        }
    }
}

#[test]
fn a_door_lies_on_every_way_to_the_goal() {
    let suite = suite(GridworldSettings { key: true, loops: 1.0, ..generated() });
    for seed in 0..1000 {
        let map = suite.map(Split::Train, seed).unwrap().to_string();
        let moves = suite.start(Split::Train, seed).unwrap().way().len();
        // Without the door, and with it open from the start.
        let shut = map.replace('D', "#").replace('K', ".");
        assert!(Map::parse(&shut).is_err(), "{map}");
        let start = situation(&*suite.start(Split::Train, seed).unwrap());
        assert!(moves_left(&map.replace('D', "."), &start) <= Some(moves), "{map}");
    }
}

proptest! {
    #[test]
    fn tasks_are_the_same_whoever_starts_them_and_in_whatever_order(
        seeds in prop::collection::vec(any::<u64>(), 1..6), key: bool, labels in 0_usize..=26,
        height in 5_usize..=24, width in 5_usize..=24, loops in 0.0..=1.0_f64, maps in 1_usize..=256,
    ) {
        let settings = GridworldSettings { key, labels, height, width, loops, maps, ..generated() };
        let [one, other] = [(); 2].map(|()| suite(settings.clone()));
        let task = |suite: &Gridworld, split, seed| {
            let episode = suite.start(split, seed).unwrap();
            (suite.map(split, seed).unwrap(), situation(&*episode), episode.plan())
        };
        let told = |suite: &Gridworld, seed| Split::ALL.map(|split| task(suite, split, seed));
        let forward: Vec<_> = seeds.iter().map(|&seed| told(&one, seed)).collect();
        let mut backward: Vec<_> = seeds.iter().rev().map(|&seed| told(&other, seed)).collect();
        backward.reverse();
        prop_assert_eq!(forward, backward);
    }
}

#[test]
fn settings_are_checked_and_the_choices_named() {
    let refused = |settings: GridworldSettings| {
        let error = Gridworld::new(settings, EpisodeSettings::default()).unwrap_err().to_string();
        error.strip_prefix("setting 'environment.gridworld.").unwrap().to_owned()
    };
    let default = GridworldSettings::default;
    let names =
        "signpost, remote, switchback, comb, locked, landmarks, hall, shortcut, toll, generated";
    let world = |world: &str| GridworldSettings { world: world.into(), ..default() };
    let unknown = format!("world': unknown world 'Moon\\n'; choose from {names}");
    assert_eq!(refused(world("Moon\n")), unknown);
    let long = format!("world': unknown world '{}'; choose from {names}", "<b>x".repeat(10));
    assert_eq!(refused(world(&"<b>x".repeat(10_000))), long);
    let cases = [
        (on("S#G"), "map': line 1, column 3: the goal"),
        (
            GridworldSettings { slip: 0.91, ..default() },
            "slip': must lie between 0.0 and 0.9, not 0.91",
        ),
        (
            GridworldSettings { slip: f64::NAN, ..default() },
            "slip': must lie between 0.0 and 0.9, not NaN",
        ),
        (
            GridworldSettings { cost: -1.0, ..default() },
            "cost': must lie between 0.0 and 1e38, not -1.0",
        ),
        (
            GridworldSettings { maps: 257, ..default() },
            "maps': must lie between 1 and 256, not 257",
        ),
        (GridworldSettings { height: 4, ..default() }, "height': must lie between 5 and 24, not 4"),
        (GridworldSettings { width: 25, ..default() }, "width': must lie between 5 and 24, not 25"),
        (
            GridworldSettings { loops: 1.5, ..default() },
            "loops': must lie between 0.0 and 1.0, not 1.5",
        ),
        (
            GridworldSettings { labels: 27, ..default() },
            "labels': must lie between 0 and 26, not 27",
        ),
        (
            GridworldSettings { longest_plan: 8, ..default() },
            "longest_plan': must lie between 9 and 1000",
        ),
    ];
    for (settings, message) in cases {
        let error = refused(settings);
        assert!(error.starts_with(message), "{error}");
    }
    // A map of one's own is what is played, whatever the world is called.
    assert!(
        Gridworld::new(GridworldSettings { world: "mine".into(), ..on("SG") }, EPISODE).is_ok()
    );
}
