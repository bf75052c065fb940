//! What holds for every play of every game: ours always, the official ones if they are present.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use crate::oracle;
use crate::workshop;

use std::sync::{Arc, OnceLock};

use hgpo_env::alfworld::{CommandId, Game, GameState};
use proptest::prelude::*;

/// Ours, and every 40th official game.
fn games() -> &'static [Arc<Game>] {
    static GAMES: OnceLock<Vec<Arc<Game>>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let official = oracle::alfworld().map(|folder| oracle::files(folder, "game.tw-pddl"));
        let official = official.iter().flatten().step_by(40).map(|path| oracle::game(path));
        std::iter::once(workshop::game()).chain(official).collect()
    })
}

fn game(choice: usize) -> Arc<Game> {
    games()[choice % games().len()].clone()
}

/// Plays the admissible commands that `draws` choose.
fn wander(play: &mut GameState, draws: &[usize]) {
    for draw in draws {
        let admissible: Vec<CommandId> = play.admissible_ids().collect();
        assert!(play.step_command(admissible[draw % admissible.len()]));
    }
}

fn draws() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 0..60)
}

/// Everything that a player can see.
fn seen(play: &GameState) -> (String, Vec<String>, bool) {
    (play.feedback(), play.admissible().map(str::to_owned).collect(), play.won())
}

proptest! {
    #[test]
    fn an_inadmissible_command_never_changes_the_state(choice: usize, draws in draws(), text: String) {
        let game = game(choice);
        let mut play = GameState::new(game.clone());
        wander(&mut play, &draws);
        let before = play.clone();
        let admissible: Vec<&str> = before.admissible().collect();
        let all = game.commands().map(|it| game.command(it));
        for command in all.chain([text.as_str(), "", "LOOK", "look now"]) {
            if !admissible.contains(&command.trim()) {
                prop_assert!(!play.step(command));
                prop_assert_eq!(play.feedback(), "Nothing happens.");
                prop_assert!(play == before);
            }
        }
    }

    #[test]
    fn an_admissible_command_is_answered_and_what_changes_nothing_can_be_said_again(
        choice: usize, draws in draws(),
    ) {
        let mut play = GameState::new(game(choice));
        wander(&mut play, &draws);
        let admissible: Vec<CommandId> = play.admissible_ids().collect();
        prop_assert!(!admissible.is_empty());
        for command in admissible {
            let mut after = play.clone();
            prop_assert!(after.step_command(command));
            prop_assert!(!after.feedback().is_empty() && after.feedback() != "Nothing happens.");
            if after == play {
                prop_assert!(after.step_command(command) && after == play);
            }
        }
    }

    #[test]
    fn playing_on_from_a_snapshot_is_playing_straight(
        choice: usize, first in draws(), second in draws(),
    ) {
        let mut straight = GameState::new(game(choice));
        wander(&mut straight, &first);
        let snapshot = straight.clone();
        wander(&mut straight, &second);
        let mut restored = snapshot.clone();
        wander(&mut restored, &second);
        prop_assert_eq!(seen(&straight), seen(&restored));
        let mut again = GameState::new(snapshot.game().clone());
        wander(&mut again, &first);
        prop_assert_eq!(seen(&again), seen(&snapshot));
    }

    #[test]
    fn commands_are_listed_in_the_order_of_their_bytes_and_found_by_text(choice: usize, draws in draws()) {
        let mut play = GameState::new(game(choice));
        wander(&mut play, &draws);
        let admissible: Vec<&str> = play.admissible().collect();
        prop_assert!(admissible.is_sorted_by(|left, right| left.as_bytes() < right.as_bytes()));
        for (text, command) in admissible.iter().zip(play.admissible_ids()) {
            prop_assert_eq!(play.game().find(text), Some(command));
        }
    }
}
