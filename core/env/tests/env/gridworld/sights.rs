//! What is seen, and what is not.

use super::{on, situation, start, suite};
use crate::certain::Certain;
use hgpo_env::gridworld::{GridworldSettings, ObservationMode, WORLDS, World};
use hgpo_env::{Environment, Split, Suite};
use std::collections::{BTreeMap, BTreeSet};

/// What is seen from a cell by the rules, read off the text of the map.
fn by_hand(map: &str, sight: ObservationMode, row: usize, column: usize, has_key: bool) -> String {
    let lines: Vec<&[u8]> = map.lines().map(str::as_bytes).collect();
    if sight == ObservationMode::Place {
        let key = if has_key { ", key held" } else { "" };
        return format!("row {}, column {}{key}", row + 1, column + 1);
    }
    let beside = |down: isize, right: isize| {
        let line = row.checked_add_signed(down).and_then(|row| lines.get(row));
        let column = column.checked_add_signed(right);
        line.zip(column).and_then(|(line, column)| line.get(column)).copied().unwrap_or(b'#')
    };
    let around = [("up", beside(-1, 0)), ("down", beside(1, 0))];
    let around = [around, [("left", beside(0, -1)), ("right", beside(0, 1))]].concat();
    let sides = |is: fn(u8) -> bool| {
        let sides = around.iter().filter(|(_, tile)| is(*tile)).map(|(name, _)| *name);
        sides.collect::<Vec<_>>().join(" ")
    };
    let (open, doors) = (sides(|tile| !b"#D".contains(&tile)), sides(|tile| tile == b'D'));
    let here = char::from(lines[row][column]);
    let label = (sight == ObservationMode::Labels && here.is_ascii_lowercase()).then_some(here);
    let mut parts = vec![format!("open: {}", if open.is_empty() { "none" } else { &open })];
    parts.extend((!doors.is_empty()).then(|| format!("door: {doors}")));
    parts.extend(label.map(|letter| format!("label: {letter}")));
    parts.join("; ")
}

/// Plays moves drawn from a seed, and calls back before each.
fn wander(episode: &mut dyn Environment, seed: u64, mut each: impl FnMut(&dyn Environment)) {
    let mut drawn = seed;
    loop {
        each(episode);
        let now = episode.observe();
        let Some(count) = Some(now.actions.listed().len()).filter(|&count| count > 0) else {
            return;
        };
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        episode.act(&now.actions.listed()[(drawn >> 40) as usize % count]);
    }
}

#[test]
fn sights_are_those_of_the_rules_and_tell_neither_place_nor_key_but_where_they_should() {
    for World { name, map, .. } in WORLDS {
        for sight in ObservationMode::ALL {
            let settings = GridworldSettings {
                world: (*name).to_owned(),
                sight,
                ..GridworldSettings::default()
            };
            let suite = suite(settings);
            for split in [Split::Train, Split::Seen] {
                for seed in 0..30 {
                    let mut episode = suite.start(split, seed).unwrap();
                    wander(&mut *episode, seed, |episode| {
                        let place = situation(episode);
                        let has_key = place.ends_with(" key");
                        let (row, column) = place.split_once(',').unwrap();
                        let column = column.trim_end_matches(" key");
                        let [row, column] = [row, column].map(|it| it.parse().unwrap());
                        let expected = by_hand(map, sight, row, column, has_key);
                        assert_eq!(episode.observe().text, expected, "{name} {place}");
                    });
                }
            }
        }
    }
}

#[test]
fn the_key_changes_what_a_corridor_is_worth_and_not_how_it_looks() {
    let mut episode = start(on("#####.\n#K.SD.\n#####G"));
    let before = (episode.observe(), episode.way().len());
    for action in ["left", "left", "right", "right"] {
        episode.act(action);
    }
    assert_eq!(episode.observe(), before.0);
    assert_eq!(before.0.text, "open: left; door: right");
    // Two moves to the key, two back, and three; or just these.
    assert_eq!((before.1, episode.way().len()), (7, 3));
}

#[test]
fn between_two_doors_nothing_is_open() {
    let mut episode = start(on("SKD.DG"));
    for _ in 0..3 {
        episode.act("right");
    }
    assert_eq!(episode.observe().text, "open: none; door: left right");
}

/// Words as a word-level tokenizer has them.
fn words(text: &str) -> Vec<String> {
    let spaced = text.replace(',', " , ").replace(':', " : ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// The words of what is told and seen in many episodes.
fn occurring(settings: GridworldSettings) -> BTreeSet<String> {
    let suite = suite(settings);
    let mut occur = BTreeSet::new();
    for seed in 0..100 {
        let other = suite.start(Split::Seen, seed);
        let mut episode = other.or_else(|_| suite.start(Split::Train, seed)).unwrap();
        occur.extend(words(episode.instruction()));
        wander(&mut *episode, seed, |episode| {
            let now = episode.observe();
            occur.extend(words(&now.text));
            occur.extend(now.actions.complete().iter().flat_map(|action| words(action)));
        });
    }
    occur
}

#[test]
fn every_text_is_made_of_the_words_of_the_vocabulary_and_every_word_occurs() {
    // Every letter, with each side as the last one that is open or has a door.
    let letters = "SabcdefghijklmG\nnopqrstuvwxyz..\nD#D#D#D#D#D#D#.\nK.............G";
    let generated = GridworldSettings {
        world: "generated".into(),
        maps: 64,
        key: true,
        labels: 26,
        ..GridworldSettings::default()
    };
    for sight in ObservationMode::ALL {
        let known = suite(GridworldSettings { sight, ..on("SG") }).vocabulary().unwrap().unwrap();
        assert!(known.is_sorted());
        let known: BTreeSet<String> = known.into_iter().collect();
        let maps = [on(letters), on("SKD.DG"), on(".K\n.D\nSG"), generated.clone()];
        let occur: BTreeSet<String> = maps
            .into_iter()
            .flat_map(|map| occurring(GridworldSettings { sight, ..map }))
            .collect();
        let unknown: Vec<_> = occur.difference(&known).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let mut idle = known.difference(&occur);
        // Lines and columns have numbers up to 24.
        assert!(
            idle.all(|word| word.parse::<usize>().is_ok_and(|it| it > 4)),
            "{known:?} {occur:?}"
        );
    }
}

/// The first move of the shortest way from each cell of a world, by what is seen there.
fn first_moves(world: &str) -> BTreeMap<String, Vec<String>> {
    let suite = suite(GridworldSettings::of(World::named(world).unwrap()));
    let mut known: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for seed in 0..400 {
        for split in [Split::Train, Split::Seen] {
            let episode = suite.start(split, seed).unwrap();
            let moves = known.entry(episode.observe().text).or_default();
            moves.insert(situation(&*episode), episode.way()[0].clone());
        }
    }
    let moves = |it: BTreeMap<String, String>| it.into_values().collect();
    known.into_iter().map(|(text, it)| (text, moves(it))).collect()
}

#[test]
fn worlds_are_as_they_are_said_to_be() {
    // Two junctions, left and right of the goal.
    for world in ["signpost", "remote"] {
        assert_eq!(first_moves(world)["open: down left right"], ["right", "left"]);
    }
    // Start and middle of the first and third corridor lead right, the middle of the second left.
    assert_eq!(first_moves("switchback")["open: left right"], ["right", "left", "right"]);
    // Three junctions of the comb lead on, the fourth into its arm.
    assert_eq!(first_moves("comb")["open: down left right"], ["right", "right", "right", "down"]);
    // Two corridors look alike, one on the way there and one on the way back, and so do two passages.
    let toll = first_moves("toll");
    assert_eq!(toll["open: left right"], ["left", "right"]);
    assert_eq!(toll["open: up down"], ["down", "down"]);
    for world in ["landmarks", "hall"] {
        let moves = first_moves(world);
        assert!(moves.values().all(|places| places.len() == 1), "{world}: {moves:?}");
    }
}
