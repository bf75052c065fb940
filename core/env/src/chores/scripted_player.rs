//! Scripted player of `chores`: it sees what the agent sees, and remembers.

use crate::{Observation, Player};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// What the instruction asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Goal {
    /// The thing.
    item: String,
    /// The action that makes it ready and the fixture this takes.
    work: Option<(&'static str, &'static str)>,
    /// The room to put it in; the lamp's room has no name.
    room: Option<String>,
}

impl Goal {
    fn read(instruction: &str) -> Self {
        let words: Vec<&str> = instruction.split_whitespace().collect();
        let has = |word| words.contains(&word);
        let look = has("look");
        // The thing stands before "in the ROOM" or "by the lamp".
        let noun = words.iter().rev().nth(3).copied().unwrap_or_default();
        let singular = if has("two") { noun.strip_suffix('s') } else { None };
        Self {
            item: singular.unwrap_or(noun).to_owned(),
            work: match (look, has("clean"), has("hot")) {
                (true, _, _) => Some(("turn on", "lamp")),
                (_, true, _) => Some(("clean", "sink")),
                (_, _, true) => Some(("heat", "stove")),
                _ => None,
            },
            room: words.last().filter(|_| !look).map(|&room| room.to_owned()),
        }
    }
}

/// A player without hidden knowledge: it searches room after room in the order in which they are
/// listed, opens containers on the way, takes what is asked for, looks for the sink, the stove or
/// the lamp if the task needs it, and delivers.
///
/// It knows two things from experience: a thing that only has to be put somewhere is not there yet,
/// and a room once seen keeps its fixture.
#[derive(Clone, Debug)]
pub struct ScriptedHouseholder {
    goal: Goal,
    rng: ChaCha8Rng,
    /// The rooms as first listed, from a drawn one on: the order of the search.
    order: Vec<String>,
    /// The rooms not yet entered.
    dark: Vec<String>,
    /// The room of the fixture that the task takes, once seen.
    fixture: Option<String>,
    /// Rooms in which the thing was left on view.
    seen: BTreeSet<String>,
    /// The thing carried was made ready.
    ready: bool,
}

impl ScriptedHouseholder {
    /// A player of one episode; `seed` draws the room that it searches first.
    #[must_use]
    pub fn new(instruction: &str, seed: u64) -> Self {
        Self {
            goal: Goal::read(instruction),
            rng: ChaCha8Rng::seed_from_u64(seed),
            order: Vec::new(),
            dark: Vec::new(),
            fixture: None,
            seen: BTreeSet::new(),
            ready: false,
        }
    }

    fn remember(&mut self, here: &str, contents: &str, admissible: &[String]) {
        if self.order.is_empty() {
            let ways = admissible.iter().filter_map(|it| it.strip_prefix("go to "));
            self.order = ways.map(str::to_owned).collect();
            let first = self.rng.random_range(0..self.order.len().max(1));
            self.order.rotate_left(first);
        }
        self.dark.clear();
        self.seen.remove(here);
        for part in contents.trim_end_matches('.').split(", ") {
            self.dark.extend(part.strip_prefix("dark ").map(str::to_owned));
            if part == self.goal.item {
                self.seen.insert(here.to_owned());
            }
            let fixture = self.goal.work.map(|(_, fixture)| fixture);
            if fixture == Some(part.trim_start_matches("lit ")) {
                self.fixture = Some(here.to_owned());
            }
        }
    }

    /// Makes what is carried ready, then delivers it.
    fn carry(&mut self, here: &str, put: &str, admissible: &[String]) -> Option<String> {
        if let Some((verb, _)) = self.goal.work.filter(|_| !self.ready) {
            let mut actions = admissible.iter();
            if let Some(action) = actions.find(|it| it.starts_with(verb)) {
                self.ready = true;
                return Some(action.clone());
            }
            return self.walk(self.fixture.as_deref());
        }
        if self.goal.room.as_deref() == Some(here) {
            return Some(put.to_owned());
        }
        self.walk(self.goal.room.as_deref())
    }

    /// Looks for the thing.
    fn search(&self, here: &str, admissible: &[String]) -> Option<String> {
        if self.excluded() != Some(here) {
            let take = format!("take {}", self.goal.item);
            let useful = |it: &&String| **it == take || it.starts_with("open ");
            // The things on view are listed after the container.
            if let Some(action) = admissible.iter().rev().find(useful) {
                return Some(action.clone());
            }
        }
        let mut left = self.seen.iter().map(String::as_str);
        let left = left.find(|&room| self.excluded() != Some(room));
        self.walk(left)
    }

    /// The goal room, where the thing cannot be before it is put there.
    fn excluded(&self) -> Option<&str> {
        let room = self.goal.room.as_deref();
        room.filter(|_| self.goal.work.is_none())
    }

    /// To `to`, or if that is not known, to a room not yet entered, the excluded one last.
    fn walk(&self, to: Option<&str>) -> Option<String> {
        let dark = self.order.iter().filter(|&room| self.dark.contains(room));
        let next = dark.min_by_key(|room| Some(room.as_str()) == self.excluded());
        to.or(next.map(String::as_str)).map(|room| format!("go to {room}"))
    }
}

impl Player for ScriptedHouseholder {
    /// None if nothing is admissible.
    fn act(&mut self, observation: &Observation) -> Option<String> {
        let (here, contents) = observation.text.split_once(": ")?;
        let admissible = observation.actions.listed();
        self.remember(here, contents, admissible);
        let can = |action: &str| admissible.iter().any(|it| it == action);
        let put = format!("put {}", self.goal.item);
        let chosen = if can(&put) {
            self.carry(here, &put, admissible)
        } else {
            self.search(here, admissible)
        };
        chosen.filter(|it| can(it)).or_else(|| admissible.first().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_instruction_is_read() {
        let goal = |item: &str, work, room: Option<&str>| Goal {
            item: item.to_owned(),
            work,
            room: room.map(str::to_owned),
        };
        let read = [
            ("put a key in the study", goal("key", None, Some("study"))),
            ("put two books in the hall", goal("book", None, Some("hall"))),
            ("put a clean mug in the study", goal("mug", Some(("clean", "sink")), Some("study"))),
            ("put a hot pie in the study", goal("pie", Some(("heat", "stove")), Some("study"))),
            ("look at a mug by the lamp", goal("mug", Some(("turn on", "lamp")), None)),
        ];
        for (instruction, goal) in read {
            assert_eq!(Goal::read(instruction), goal);
        }
    }

    #[test]
    fn nothing_admissible_gives_no_action() {
        let mut explorer = ScriptedHouseholder::new("put a key in the study", 0);
        let over = Observation::listed("hall: dark study.", Vec::new());
        assert_eq!(explorer.act(&over), None);
    }
}
