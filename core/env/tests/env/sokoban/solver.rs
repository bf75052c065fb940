//! Shortest solutions.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use super::drawn;

use std::collections::HashSet;
use std::time::Instant;

use hgpo_env::EpisodeSettings;
use hgpo_env::sokoban::{
    Direction, MOST_EXPANDED, Room, Sokoban, SokobanSettings, SokobanState, Solution, solve,
};

fn solved(room: &Room) -> Solution {
    solve(room.ground(), room.state(), MOST_EXPANDED)
}

/// The fewest steps, breadth first.
fn fewest(room: &Room) -> Option<usize> {
    let mut known = HashSet::from([room.state()]);
    let mut front = vec![room.state()];
    for steps in 0.. {
        if front.iter().any(|state| state.is_solved(room.ground())) {
            return Some(steps);
        }
        let after = |state: SokobanState| Direction::ALL.map(|it| state.after(room.ground(), it));
        front = front.into_iter().flat_map(after).filter(|&it| known.insert(it)).collect();
        if front.is_empty() {
            break;
        }
    }
    None
}

#[test]
fn a_solution_is_shortest_and_what_cannot_be_solved_is_told() {
    use Direction::{Down, Left, Right, Up};
    let corridor = drawn(&["######", "#@$ .#", "######"]);
    assert_eq!(solved(&corridor), Solution::Found(vec![Right, Right]));
    // Round the box, to push it up: counted by hand.
    let around = drawn(&["#####", "# . #", "# $ #", "# @ #", "#####"]);
    assert_eq!(solved(&around), Solution::Found(vec![Up]));
    let under = drawn(&["#####", "# . #", "#@$ #", "#   #", "#####"]);
    assert_eq!(solved(&under), Solution::Found(vec![Down, Right, Up]));
    let over = drawn(&["######", "#  $.#", "#  @ #", "######"]);
    assert_eq!(solved(&over), Solution::Found(vec![Left, Up, Right]));
    let corner = drawn(&["#####", "#$ .#", "#  @#", "#####"]);
    assert_eq!(solved(&corner), Solution::Impossible);
    let done = drawn(&["#####", "#@ *#", "#####"]);
    assert_eq!(solved(&done), Solution::Found(Vec::new()));
    assert_eq!(solve(under.ground(), under.state(), 1), Solution::Unknown);
}

#[test]
fn every_room_is_solved_in_the_fewest_steps() {
    let episode = EpisodeSettings { max_steps: 15, success_reward: 10.0 };
    let rooms = |side, boxes, count| {
        let settings =
            SokobanSettings { height: side, width: side, boxes, ..SokobanSettings::default() };
        let sokoban = Sokoban::new(settings, episode).unwrap();
        (0..count).map(move |seed| sokoban.room(seed).unwrap())
    };
    for (side, boxes, count, compared) in [(6, 1, 1000, 1000), (8, 2, 200, 40), (10, 3, 30, 0)] {
        let (begun, mut steps, mut longest) = (Instant::now(), 0, 0);
        let rooms: Vec<Room> = rooms(side, boxes, count).collect();
        println!("{count} rooms of side {side}, {boxes} boxes: made in {:?}", begun.elapsed());
        let begun = Instant::now();
        for (seed, room) in rooms.iter().enumerate() {
            let Solution::Found(way) = solved(room) else { panic!("{seed}:\n{room}") };
            let mut state = room.state();
            for &direction in &way {
                assert!(!state.is_solved(room.ground()));
                state = state.after(room.ground(), direction);
            }
            assert!(state.is_solved(room.ground()));
            steps += way.len();
            longest = longest.max(way.len());
        }
        let mean = steps as f64 / f64::from(count);
        println!("all solved in {:?}: {mean:.1} steps, at most {longest}", begun.elapsed());
        for room in &rooms[..compared] {
            let Solution::Found(way) = solved(room) else { panic!("solved before") };
            assert_eq!(Some(way.len()), fewest(room), "{room}");
        }
    }
}
