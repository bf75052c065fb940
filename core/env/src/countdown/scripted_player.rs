//! Scripted player of `countdown-team`: it plays both roles, and sees what an agent sees.

use super::expression::{Fraction, evaluate};
use super::operation::Operation;
use crate::random::{Purpose, Stream};
use crate::{Actions, Observation, Player};

/// A solver that calculates ahead, and a checker that calculates again.
///
/// Of several ways to the target, the seed settles which one it takes. Where operations taken so far leave no way,
/// it takes any, and rejects what comes of it.
#[derive(Clone, Debug)]
pub struct ScriptedTeam {
    target: u32,
    stream: Stream,
}

impl ScriptedTeam {
    /// A player of one episode.
    #[must_use]
    pub fn new(instruction: &str, seed: u64) -> Self {
        let stream = Stream::new(seed, Purpose::Environment, [3, 0]);
        Self { target: numbers(instruction).first().copied().unwrap_or_default(), stream }
    }

    /// Whether a proposal is worth the target: its last operation says so, or it is calculated.
    fn is_right(&self, proposal: &str) -> bool {
        match proposal.rsplit_once("= ") {
            Some((_, result)) => result.parse() == Ok(self.target),
            None => evaluate(proposal).map(|it| it.0) == Some(Fraction::whole(self.target)),
        }
    }
}

/// The numbers in a text, up to its first full stop.
fn numbers(text: &str) -> Vec<u32> {
    let sentence = text.split('.').next().unwrap_or_default();
    let words = sentence.split([' ', ',']);
    words.filter_map(|word| word.parse().ok()).collect()
}

impl Player for ScriptedTeam {
    fn act(&mut self, now: &Observation) -> Option<String> {
        if let Some(proposal) = now.text.strip_prefix("proposed: ") {
            let is_right = self.is_right(proposal.trim_end_matches('.'));
            return Some(if is_right { "approve" } else { "reject" }.to_owned());
        }
        let left = numbers(&now.text);
        let mut first = |count| self.stream.below(count);
        let operations = Operation::solution(&left, self.target, &mut first);
        let operations = operations.or_else(|| {
            let possible = Operation::possible(&left);
            Some(vec![*possible.get(first(possible.len()))?])
        })?;
        Some(match now.actions {
            Actions::Text => Operation::expression(&operations),
            _ => operations.first()?.to_string(),
        })
    }
}
