//! Scripted player of `library`: it sees what the agents see.

use super::question::Pattern;
use super::relation::Relation;
use crate::{Observation, Player};

/// A player for all agents without hidden knowledge: it searches for the name in the question until it knows where that
/// leads, then for the name that it leads to, and answers once both are known.
#[derive(Clone, Debug)]
pub struct ScriptedReader {
    /// The relations of the question, and the name that it begins from.
    asked: Option<([Relation; 2], String)>,
}

impl ScriptedReader {
    /// A player of one episode.
    #[must_use]
    pub fn new(instruction: &str) -> Self {
        let asked = Pattern::read(instruction);
        Self { asked: asked.map(|(pattern, source)| (pattern.hops, source.to_owned())) }
    }
}

/// Where a relation leads from a name, or from any if none is given, by the facts in an observation.
fn follow<'a>(found: &'a str, relation: Relation, name: Option<&str>) -> Option<&'a str> {
    let facts = found.split_terminator('.').map(str::trim).filter_map(|it| relation.read(it));
    facts.filter(|(from, _)| name.is_none_or(|name| name == *from)).map(|(_, to)| to).next()
}

impl Player for ScriptedReader {
    /// None if nothing can be done, or the question is none that it knows.
    fn act(&mut self, now: &Observation) -> Option<String> {
        let ([first, second], source) = self.asked.as_ref()?;
        let (whose, found) = now.text.split_once(": ")?;
        if now.actions.is_empty() {
            return None;
        }
        let bridge = follow(found, *first, Some(source));
        let answer = bridge.and_then(|bridge| follow(found, *second, Some(bridge)));
        let search = format!("search {}", bridge.unwrap_or(source).to_lowercase());
        // In the last round, what is asked for of somebody else is more likely than any other name.
        let guess = answer.or_else(|| follow(found, *second, None)).unwrap_or(source);
        let reply = format!("answer {}", guess.to_lowercase());
        let is_last = whose.ends_with(&super::ROUNDS.to_string());
        Some(match now.agent.as_deref() {
            Some("verifier") if answer.is_some() => "yes".to_owned(),
            Some("verifier") => "no".to_owned(),
            Some("searcher") => search,
            Some(_) => reply,
            None if answer.is_some() || is_last => reply,
            None => search,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Actions;

    fn said(text: &str, agent: Option<&str>) -> Option<String> {
        let agent = agent.map(str::to_owned);
        let now = Observation { agent, ..Observation::new(text, Actions::Text) };
        ScriptedReader::new("Name the town where the owner of the blue lamp lives.").act(&now)
    }

    #[test]
    fn the_chain_is_followed_and_answered_when_it_is_whole() {
        let nothing = "round 1: nothing found.";
        let owner = "round 2: Ada Reed lives in Far Bay. Ada Stone owns the blue lamp.";
        let whole = "round 4: Ada Reed lives in Far Bay. Ada Stone lives in North Hill. Ada Stone owns the blue lamp.";
        for (text, verdict, search, answer, alone) in [
            (nothing, "no", "search blue lamp", "answer blue lamp", "search blue lamp"),
            (owner, "no", "search ada stone", "answer far bay", "search ada stone"),
            (whole, "yes", "search ada stone", "answer north hill", "answer north hill"),
        ] {
            for (agent, expected) in [
                (Some("verifier"), verdict),
                (Some("searcher"), search),
                (Some("answerer"), answer),
                (None, alone),
            ] {
                assert_eq!(said(text, agent).as_deref(), Some(expected), "{agent:?} {text}");
            }
        }
    }

    #[test]
    fn nothing_possible_and_unknown_questions_give_no_action() {
        let over = Observation::listed("round 1: nothing found.", Vec::new());
        let question = "Name the town where the owner of the blue lamp lives.";
        assert_eq!(ScriptedReader::new(question).act(&over), None);
        let now = Observation::listed("round 1: nothing found.", vec!["search moon".into()]);
        assert_eq!(ScriptedReader::new("Name the moon.").act(&now), None);
    }
}
