//! Rewards of turns: their own, one of a list each, or that of the conversation at its end.

use serde_json::Value;

use super::cell::Cell;
use super::columns::{REQUIRED, listed};
use super::turns::Turn;
use crate::error::Problem;

/// Gives each step its reward: its own, one of a list, or that of the conversation at its end.
pub(super) fn set_rewards<'a>(
    turns: &mut [Turn],
    own: usize,
    given: Option<(Cell, String)>,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), Problem> {
    match given {
        Some((Cell::Json(Value::Array(list)), column)) => {
            if list.len() != turns.len() {
                let found = format!("one of {} for {} steps", list.len(), turns.len());
                return Err(Problem::wrong_type(&column, "a list with a reward a step", found));
            }
            for (turn, reward) in turns.iter_mut().zip(list) {
                turn.step.reward = Cell::Json(reward).number(&column)?;
            }
        }
        Some((cell, column)) => {
            let reward = cell.number(&column)?;
            let sum: f64 = turns.iter().filter_map(|turn| turn.reward).sum();
            if own > 0 && (sum - reward).abs() > 1e-9 * reward.abs().max(1.0) {
                let both =
                    format!("the rewards of messages come to {sum}, and `{column}` is {reward}");
                return Err(Problem::DuplicateField(both));
            }
            set_own(turns);
            if let (0, Some(last)) = (own, turns.last_mut()) {
                last.step.reward = reward;
            }
        }
        None if own > 0 => set_own(turns),
        None => return Err(no_reward(names)),
    }
    Ok(())
}

/// That nothing is the reward.
pub(super) fn no_reward<'a>(names: impl Iterator<Item = &'a str>) -> Problem {
    let [.., reward] = REQUIRED;
    let there = listed(names);
    let remedy =
        format!("there are {there}; write it, or name the one that holds it ({reward}=COLUMN)");
    Problem::missing(reward, &remedy)
}

/// Gives each step the reward of its messages.
fn set_own(turns: &mut [Turn]) {
    for turn in turns {
        turn.step.reward = turn.reward.unwrap_or(0.0);
    }
}
