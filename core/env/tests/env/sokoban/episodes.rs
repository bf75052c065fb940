//! Episodes as their users see them.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::HashSet;

use super::drawn;
use crate::certain::Certain;

use hgpo_env::sokoban::{
    Cell, Room, RoomError, Sokoban, SokobanEnvironment, SokobanSettings, SokobanState, Walls,
};
use hgpo_env::{Environment, EpisodeSettings, Split, Suite};

const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 15, success_reward: 10.0 };

fn episode(lines: &[&str]) -> SokobanEnvironment {
    SokobanEnvironment::new(&drawn(lines), &SokobanSettings::default(), EPISODE)
}

fn sokoban(settings: SokobanSettings) -> Sokoban {
    Sokoban::new(settings, EPISODE).unwrap()
}

#[test]
fn steps_cost_and_boxes_earn() {
    let mut episode = episode(&["#########", "#+$   $.#", "#########"]);
    let near = |one: f64, other: f64| (one - other).abs() < 1e-12;
    assert_eq!(
        episode.observe().text.lines().nth(1),
        Some(" # \t S \t X \t _ \t _ \t _ \t X \t O \t # \t")
    );
    assert_eq!(episode.drawing().unwrap(), "#########\n#+$   $.#\n#########");
    let mut drew = episode.snapshot();
    // Into the wall: admissible, and nothing changes but the time.
    let bump = episode.act("up");
    assert!(bump.admissible && !bump.done && near(bump.reward, -0.1));
    assert_eq!(episode.situation(), drew.situation());
    let unknown = episode.act("jump");
    assert!(!unknown.admissible && near(unknown.reward, -0.1));
    for _ in 0..3 {
        assert!(near(episode.act(" right ").reward, -0.1));
    }
    // Two boxes in a row are not pushed.
    let before = episode.situation();
    assert!(near(episode.act("right").reward, -0.1) && episode.situation() == before);
    assert!(episode.plan().unwrap().is_empty(), "neither can come back to the other target");
    // What was copied before goes on from there, until the steps are up.
    assert_eq!(drew.observe().text.lines().nth(1).unwrap().matches('X').count(), 2);
    let ends: Vec<bool> = (0..15).map(|_| drew.act("left").done).collect();
    assert_eq!(ends.iter().position(|&done| done), Some(14));
    assert!(drew.observe().actions.is_empty() && drew.act("right").reward == 0.0);
}

#[test]
fn the_last_box_ends_the_episode_and_one_that_leaves_costs() {
    let near = |one: f64, other: f64| (one - other).abs() < 1e-12;
    let mut off = episode(&["######", "#@* .#", "#  $ #", "######"]);
    assert!(near(off.possibilities("right").unwrap()[0].reward, -1.1));
    assert!(near(off.act("right").reward, -1.1));
    let back = off.act("right");
    assert!(near(back.reward, 0.9) && !back.won && !back.done);

    let mut one = episode(&["######", "#@$ .#", "######"]);
    assert_eq!(one.way(), ["right", "right"]);
    let first = one.act("right");
    assert!(!first.done && !first.won);
    let ahead = one.possibilities("right").unwrap();
    assert!(ahead.len() == 1 && ahead[0].next.is_none());
    assert!(near(ahead[0].reward, 10.9));
    let last = one.act("right");
    assert!(last.done && last.won && near(last.reward, 10.9));
    assert!(one.way().is_empty() && one.possibilities("left").is_none());
    let after = one.act("left");
    assert!(after.won && after.done && !after.admissible && after.reward == 0.0);
}

#[test]
fn seeds_name_rooms_of_their_split() {
    let suite = sokoban(SokobanSettings { published_rooms: true, ..SokobanSettings::default() });
    let text = |split, seed| suite.start(split, seed).unwrap().observe().text;
    let room = |seed| suite.room(seed).unwrap().to_string();
    assert_eq!(text(Split::Train, 7), room(7));
    assert_eq!(text(Split::Train, 65_535 + 7), room(7));
    assert_eq!(text(Split::Seen, 65_536), room(65_536));
    assert_eq!(text(Split::Seen, 7), room(65_543));
    assert_eq!(text(Split::Seen, (1 << 32) - 1), text(Split::Seen, (1 << 32) - 1));
    assert_eq!(
        (text(Split::Train, 7).lines().count(), text(Split::Unseen, 7).lines().count()),
        (6, 7)
    );
    // Every word that is shown is known, as the tokenizer reads it.
    let words = suite.vocabulary().unwrap().unwrap();
    let known = |text: &str| text.split_whitespace().all(|it| words.contains(&it.to_lowercase()));
    for seed in 0..50 {
        let mut episode = suite.start(Split::Train, seed).unwrap();
        assert!(known(episode.instruction()));
        for action in episode.way() {
            let now = episode.observe();
            assert!(known(&now.text) && now.actions.listed().contains(&action));
            assert!(episode.act(&action).admissible);
        }
        assert!(known(&episode.observe().text), "√");
    }
}

/// The puzzle of a task: what is seen at its start, without the player.
fn puzzle(suite: &Sokoban, split: Split, seed: u64) -> String {
    suite.start(split, seed).unwrap().observe().text.replace('P', "_").replace('S', "O")
}

#[test]
fn no_seen_task_has_a_puzzle_that_a_seed_of_training_makes() {
    let shared = |published_rooms| {
        let suite = sokoban(SokobanSettings { published_rooms, ..SokobanSettings::default() });
        let trained: HashSet<String> =
            (0..65_535).map(|seed| puzzle(&suite, Split::Train, seed)).collect();
        let seen = (0..2000).map(|place| suite.evaluation_task(Split::Seen, 1001, place));
        let puzzles: Vec<String> = seen.map(|seed| puzzle(&suite, Split::Seen, seed)).collect();
        let distinct = puzzles.iter().collect::<HashSet<_>>().len();
        (puzzles.iter().filter(|it| trained.contains(*it)).count(), distinct)
    };
    let (held_out, published) = std::thread::scope(|threads| {
        let published = threads.spawn(|| shared(true));
        (shared(false), published.join().unwrap())
    });
    assert_eq!(held_out.0, 0);
    assert!(held_out.1 > 500, "{held_out:?}");
    // What environments.md says of published rooms.
    assert_eq!(published.0, 1862);
}

#[test]
fn rooms_of_any_shape_are_held_out() {
    for (side, boxes, search_depth) in [(5, 1, 30), (5, 2, 300), (8, 2, 30), (10, 3, 100)] {
        let shape = SokobanSettings {
            height: side,
            width: side,
            boxes,
            search_depth,
            ..SokobanSettings::default()
        };
        let suite = sokoban(shape);
        let puzzles = |split| -> HashSet<String> {
            (0..300).map(|seed| puzzle(&suite, split, seed)).collect()
        };
        assert!(puzzles(Split::Train).is_disjoint(&puzzles(Split::Seen)), "{side} {boxes}");
    }
}

#[test]
fn rooms_that_cannot_be_are_refused_in_a_line() {
    let ground = |width, cells: &str| {
        let cell = |mark| match mark {
            '#' => Cell::Wall,
            '.' => Cell::Target,
            _ => Cell::Floor,
        };
        Walls::new(width, cells.chars().map(cell).collect())
    };
    assert!(matches!(ground(2, "####"), Err(RoomError::Size { .. })));
    assert!(matches!(ground(0, ""), Err(RoomError::Size { .. })));
    assert_eq!(ground(3, "#####.###"), Err(RoomError::Open { line: 1, column: 2 }));
    let ground = ground(5, "######  .######").unwrap();
    let room = |player, boxes: &[u16]| {
        Room::new(ground.clone(), SokobanState::new(player, boxes).unwrap())
    };
    let refused = |player, boxes| room(player, boxes).unwrap_err().to_string();
    assert!(refused(6, &[]).starts_with("0 boxes for 1 targets"));
    assert!(refused(1, &[7]).starts_with("line 1, column 2: the player"));
    assert!(refused(7, &[7]).starts_with("line 2, column 3: the player"));
    assert!(refused(6, &[9000]).contains("a box"));
    assert!(room(6, &[7]).is_ok() && SokobanState::new(0, &[0; 7]).is_none());

    let settings = SokobanSettings { boxes: 7, ..SokobanSettings::default() };
    let error = Sokoban::new(settings, EPISODE).unwrap_err().to_string();
    assert_eq!(error, "setting 'environment.sokoban.boxes': must lie between 1 and 6, not 7");
    let crowded =
        sokoban(SokobanSettings { height: 5, width: 5, boxes: 6, ..SokobanSettings::default() });
    let error = crowded.start(Split::Train, 3).err().map(|error| error.to_string());
    assert!(error.is_none_or(|error| error.contains("no room of 5 lines, 5 columns and 6 boxes")));
}

#[test]
fn training_and_evaluation_draw_the_rooms_of_the_published_runs() {
    // `RandomState(9).randint(0, 2**16 - 1, size=32)` again and again: where an iteration begins and ends.
    let suite = sokoban(SokobanSettings::default());
    let mut random = hgpo_env::random::numpy_random::RandomState::new(9);
    let drawn: Vec<u64> = (0..96).map(|_| u64::from(random.integer(0, 65_535))).collect();
    for (iteration, place) in [(1, 0), (1, 31), (2, 0), (3, 31)] {
        let at = (iteration - 1) * 32 + place;
        assert_eq!(suite.training_task(9, iteration as u64, place), drawn[at]);
    }
    let mut random = hgpo_env::random::numpy_random::RandomState::new(9);
    for place in 0..5 {
        let seed = u64::from(random.integer(1 << 16, u32::MAX));
        assert_eq!(suite.evaluation_task(Split::Seen, 9, place), seed);
    }
}
