//! A small game of our own, in the format of the official ones.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::sync::Arc;

use hgpo_env::alfworld::{Game, GameError};

pub const DOMAIN: &str = include_str!("domain.pddl");
pub const PROBLEM: &str = include_str!("problem.pddl");
pub const GRAMMAR: &str = include_str!("grammar.txt");

/// A file of three texts.
pub fn file(domain: &str, problem: &str, grammar: &str) -> Vec<u8> {
    let file = serde_json::json!({
        "pddl_domain": domain, "pddl_problem": problem, "grammar": grammar, "solvable": true,
    });
    serde_json::to_vec(&file).unwrap()
}

/// The game with one piece of one of its texts replaced.
pub fn with(from: &str, to: &str) -> Result<Game, GameError> {
    let all = [DOMAIN, PROBLEM, GRAMMAR].map(|text| text.replacen(from, to, 1));
    assert_ne!(all, [DOMAIN, PROBLEM, GRAMMAR], "'{from}' is in none of the texts");
    let [domain, problem, grammar] = &all;
    Game::parse(&file(domain, problem, grammar))
}

pub fn game() -> Arc<Game> {
    Arc::new(Game::parse(&file(DOMAIN, PROBLEM, GRAMMAR)).unwrap())
}
