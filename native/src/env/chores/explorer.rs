//! A scripted player that sees what the agent sees, and remembers.

use super::super::Observation;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
/// the lamp where the task needs it, and delivers.
///
/// It knows two things from experience: a thing that only has to be put somewhere is not there yet,
/// and a room once seen keeps its fixture.
#[derive(Clone, Debug)]
pub struct Explorer {
    goal: Goal,
    rng: ChaCha8Rng,
    /// Rooms by the order in which they were first listed; the search starts at a drawn one of
    /// those listed first.
    order: Vec<String>,
    /// The rooms next to each visited room.
    map: BTreeMap<String, Vec<String>>,
    /// The room of the fixture that the task takes, once seen.
    fixture: Option<String>,
    /// Rooms in which the thing was left on view.
    seen: BTreeSet<String>,
    /// The thing carried was made ready.
    ready: bool,
}

impl Explorer {
    /// A player of one episode; `seed` draws the room that it searches first.
    #[must_use]
    pub fn new(instruction: &str, seed: u64) -> Self {
        Self {
            goal: Goal::read(instruction),
            rng: ChaCha8Rng::seed_from_u64(seed),
            order: Vec::new(),
            map: BTreeMap::new(),
            fixture: None,
            seen: BTreeSet::new(),
            ready: false,
        }
    }

    /// The next action; none where nothing is admissible.
    ///
    /// It takes every observation of the episode, the first before any action, and relies on its
    /// actions being carried out.
    pub fn act(&mut self, observation: &Observation) -> Option<String> {
        let (here, contents) = observation.text.split_once(": ")?;
        self.remember(here, contents, &observation.admissible);
        let can = |action: &str| observation.admissible.iter().any(|it| it == action);
        let put = format!("put {}", self.goal.item);
        let chosen = if can(&put) {
            self.carry(here, &put, &observation.admissible)
        } else {
            self.search(here, &observation.admissible)
        };
        let fallback = observation.admissible.first();
        chosen.filter(|it| can(it)).or_else(|| fallback.cloned())
    }

    fn remember(&mut self, here: &str, contents: &str, admissible: &[String]) {
        let exits = admissible.iter().filter_map(|it| it.strip_prefix("go to "));
        let exits: Vec<String> = exits.map(str::to_owned).collect();
        if self.order.is_empty() && !exits.is_empty() {
            self.order.clone_from(&exits);
            let first = self.rng.random_range(0..exits.len());
            self.order.rotate_left(first);
        }
        for exit in &exits {
            if !self.order.contains(exit) {
                self.order.push(exit.clone());
            }
        }
        self.map.insert(here.to_owned(), exits);
        self.seen.remove(here);
        for part in contents.trim_end_matches('.').split(", ") {
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
            return self.walk(here, self.fixture.as_deref());
        }
        if self.goal.room.as_deref() == Some(here) {
            return Some(put.to_owned());
        }
        self.walk(here, self.goal.room.as_deref())
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
        self.walk(here, left)
    }

    /// The goal room, where the thing cannot be before it is put there.
    fn excluded(&self) -> Option<&str> {
        let room = self.goal.room.as_deref();
        room.filter(|_| self.goal.work.is_none())
    }

    /// One room towards `to`, or towards the nearest unvisited room where `to` is not known.
    fn walk(&self, here: &str, to: Option<&str>) -> Option<String> {
        let new = |room: &str| !self.map.contains_key(room);
        let useful = |room: &str| new(room) && Some(room) != self.excluded();
        let found = to.and_then(|to| self.towards(here, |room| room == to));
        let found = found.or_else(|| self.towards(here, useful));
        let found = found.or_else(|| self.towards(here, new));
        found.map(|room| format!("go to {room}"))
    }

    /// The first room on the way to the nearest known room that is `wanted`; of equally near ones
    /// that first in the order of the search.
    fn towards(&self, here: &str, wanted: impl Fn(&str) -> bool) -> Option<&str> {
        let mut queue = VecDeque::from([(here, None)]);
        let mut reached = BTreeSet::from([here]);
        while let Some((room, first)) = queue.pop_front() {
            if first.is_some() && wanted(room) {
                return first;
            }
            let exits = self.map.get(room);
            let ordered = self.order.iter().filter(|it| exits.is_some_and(|all| all.contains(it)));
            for exit in ordered {
                if reached.insert(exit) {
                    queue.push_back((exit, first.or(Some(exit))));
                }
            }
        }
        None
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
        let mut explorer = Explorer::new("put a key in the study", 0);
        let over = Observation { text: "hall: nothing.".to_owned(), admissible: Vec::new() };
        assert_eq!(explorer.act(&over), None);
    }
}
