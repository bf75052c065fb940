//! What is done with every file: it is read or refused, and what was read can be played.

use std::sync::Arc;

use hgpo_env::alfworld::{Game, GameState};

/// The texts of a small game of our own.
pub const DOMAIN: &str = include_str!("../../tests/env/workshop/domain.pddl");
/// Its problem.
pub const PROBLEM: &str = include_str!("../../tests/env/workshop/problem.pddl");
/// Its grammar.
pub const GRAMMAR: &str = include_str!("../../tests/env/workshop/grammar.txt");

/// Reads a file and plays some steps of it.
pub fn play(bytes: &[u8]) {
    let Ok(game) = Game::parse(bytes) else { return };
    let mut play = GameState::new(Arc::new(game));
    for step in 0..8 {
        let before = play.clone();
        assert!(!play.step("no such command"));
        assert!(play == before && play.feedback() == "Nothing happens.");
        let admissible: Vec<_> = play.admissible_ids().collect();
        assert!(play.admissible().is_sorted());
        let Some(&command) = admissible.get(step * 7 % admissible.len().max(1)) else { return };
        assert!(play.step_command(command));
        assert!(play.feedback().len() < 64_000_000);
    }
}

/// A file of three texts.
pub fn file(domain: &str, problem: &str, grammar: &str) -> Vec<u8> {
    let file = serde_json::json!({
        "pddl_domain": domain, "pddl_problem": problem, "grammar": grammar,
    });
    serde_json::to_vec(&file).expect("texts can be written")
}
