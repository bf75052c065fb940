//! The solver on the official games.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use crate::oracle;

use std::time::{Duration, Instant};

use hgpo_env::alfworld::GameState;

/// Steps of an episode.
const LIMIT: usize = 50;

#[test]
fn the_solver_wins_every_official_game() {
    let Some(folder) = oracle::alfworld() else { return };
    let games = oracle::files(&folder.join("json_2.1.1"), "game.tw-pddl");
    let (mut ours, mut theirs, mut longer, mut slowest) = (0, 0, 0, Duration::ZERO);
    let mut total = Duration::ZERO;
    for path in &games {
        let mut play = GameState::new(oracle::game(path));
        let started = Instant::now();
        let commands = play.plan().unwrap_or_else(|| panic!("no plan for {}", path.display()));
        slowest = slowest.max(started.elapsed());
        total += started.elapsed();
        assert!(commands.len() <= LIMIT, "{}", path.display());
        for &command in &commands {
            assert!(!play.won() && play.step_command(command), "{}", path.display());
        }
        assert!(play.won(), "{}", path.display());
        if let Some(walkthrough) = play.game().walkthrough() {
            ours += commands.len();
            theirs += walkthrough.len();
            longer += usize::from(commands.len() > walkthrough.len());
        }
    }
    println!("{} games are won; {total:?} in all, {slowest:?} at most", games.len());
    println!("with walkthrough: {ours} steps, the walkthroughs {theirs}; longer in {longer} games");
    assert_eq!(games.len(), 474);
}
