//! Scripted player of `guide-and-walker`: it plays both roles, and sees what an agent sees.

use super::text::utterance;
use crate::{Observation, Player};

/// A guide and a walker with a convention: where to go and what to take is said by its name, what else to do by its
/// verb. Neither remembers anything.
#[derive(Clone, Copy, Debug)]
pub struct ScriptedPair {
    words: usize,
}

impl ScriptedPair {
    /// A pair whose guide says so many words at a time.
    #[must_use]
    pub fn new(words: usize) -> Self {
        Self { words }
    }
}

/// What the walker should do next, by what the guide sees.
fn next_action(map: &str) -> Option<String> {
    let mut sentences = map.split_terminator('.').map(str::trim);
    let mut tell = || Some(sentences.next()?.split_once(": ")?.1);
    let (thing, goal) = tell()?.split_once(" in ")?;
    let (place, walker) = (tell()?, tell()?);
    let (at, held) = walker.split_once(", holding ").unzip();
    let at = at.unwrap_or(walker);
    let (room, container) = place.split_once(", closed ").unzip();
    let room = room.unwrap_or(place);
    let to = if place == "held" { goal } else { room };
    Some(match (held, container) {
        (Some(other), _) => format!("put {other}"),
        _ if at != to => format!("go to {to}"),
        _ if place == "held" => format!("put {thing}"),
        (_, Some(container)) => format!("open {container}"),
        _ => format!("take {thing}"),
    })
}

/// The first action that has all the words that were heard.
fn follow<'a>(heard: &str, actions: &'a [String]) -> Option<&'a String> {
    let has = |action: &str, word: &str| action.split(' ').any(|it| it == word);
    actions.iter().find(|action| heard.split(' ').all(|word| has(action, word)))
}

impl Player for ScriptedPair {
    /// None if nothing can be done. What it does not understand, it answers with the first possible action.
    fn act(&mut self, now: &Observation) -> Option<String> {
        if now.actions.is_empty() {
            return None;
        }
        let listed = now.actions.listed();
        match (now.agent.as_deref(), now.text.rsplit_once("heard: ")) {
            (Some("walker"), Some((_, heard))) => {
                follow(heard.trim_end_matches('.'), listed).or(listed.first()).cloned()
            }
            (Some(_), _) => Some(utterance(&next_action(&now.text)?, self.words)),
            (None, _) => next_action(&now.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_tells_what_is_to_be_done_next() {
        for (place, walker, action) in [
            ("kitchen, closed fridge", "hall", "go to kitchen"),
            ("kitchen, closed fridge", "kitchen", "open fridge"),
            ("kitchen", "kitchen", "take key"),
            ("kitchen", "kitchen, holding mug", "put mug"),
            ("held", "kitchen", "go to study"),
            ("held", "study", "put key"),
        ] {
            let map = format!("wanted: key in study. key: {place}. walker: {walker}.");
            assert_eq!(next_action(&map).as_deref(), Some(action), "{map}");
        }
        assert_eq!(next_action("kitchen: nothing. heard: key."), None);
    }

    #[test]
    fn the_walker_does_what_was_said_and_something_if_it_does_not_understand() {
        let actions = ["go to study", "open fridge", "take key"].map(str::to_owned);
        let chosen = |heard: &str| {
            let now = Observation {
                agent: Some("walker".to_owned()),
                ..Observation::listed(
                    format!("kitchen: closed fridge, key. heard: {heard}."),
                    actions.to_vec(),
                )
            };
            ScriptedPair::new(1).act(&now).unwrap()
        };
        for (heard, action) in [
            ("study", "go to study"),
            ("go study", "go to study"),
            ("open", "open fridge"),
            ("key", "take key"),
            ("take key", "take key"),
            ("moon", "go to study"),
        ] {
            assert_eq!(chosen(heard), action, "{heard}");
        }
    }
}
