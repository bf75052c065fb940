//! Scripted player of generated games: it sees what an agent sees, and remembers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::catalogue::{Role, THINGS};
use super::observation_parser::{ParsedObservation, kind};
use crate::random::{Purpose, Stream};
use crate::{Observation, Player};

/// What the instruction asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Goal {
    /// The kind of thing.
    thing: &'static str,
    /// The verb that makes it ready, and the appliance that this takes.
    work: Option<(&'static str, &'static str)>,
    /// The kind of furniture to bring it to; none if it is to be held by the lamp.
    target: Option<String>,
}

impl Goal {
    fn read(instruction: &str) -> Self {
        let words: Vec<&str> = instruction.trim_end_matches('.').split_whitespace().collect();
        let has = |word| words.contains(&word);
        let thing = THINGS.iter().find(|thing| has(thing.name) || has(thing.plural));
        let appliance = |role: Role| role.appliance().map_or("", |(name, _)| name);
        let work = [
            ("clean", "clean", Role::Sink),
            ("hot", "heat", Role::Stove),
            ("cold", "cool", Role::Fridge),
            ("lit", "switch on", Role::Lamp),
        ];
        let work = work.into_iter().find(|(word, ..)| has(*word));
        let target = words.last().filter(|_| !has("lit"));
        Self {
            thing: thing.map_or("", |thing| thing.name),
            work: work.map(|(_, verb, role)| (verb, appliance(role))),
            target: target.map(|&name| name.to_owned()),
        }
    }
}

/// A player without hidden knowledge: it searches room by room, opens what is closed, takes what is
/// asked for, makes it ready, and brings it to its target.
///
/// It knows from experience that a thing which only has to be brought somewhere is not there yet. It
/// can take over at any time, and finds its way by walking about when it has seen too little.
#[derive(Clone, Debug)]
pub struct ScriptedExplorer {
    goal: Goal,
    stream: Stream,
    /// The room one is in; empty until it is named.
    room: String,
    place: Option<String>,
    /// The rooms next door to each room seen.
    doorways: BTreeMap<String, Vec<String>>,
    /// The room of each piece of furniture seen.
    furniture: BTreeMap<String, String>,
    dark: BTreeSet<String>,
    unsearched: BTreeSet<String>,
    /// Furniture where things asked for were left, and how many.
    left: BTreeMap<String, usize>,
    /// What is held was made ready.
    ready: bool,
    /// Where the first of two was brought.
    chosen: Option<String>,
}

impl ScriptedExplorer {
    /// A player of one episode; `seed` settles which way it goes when it does not know better.
    #[must_use]
    pub fn new(instruction: &str, seed: u64) -> Self {
        Self {
            goal: Goal::read(instruction),
            stream: Stream::new(seed, Purpose::GeneratedTasks, [u64::MAX, 0]),
            room: String::new(),
            place: None,
            doorways: BTreeMap::new(),
            furniture: BTreeMap::new(),
            dark: BTreeSet::new(),
            unsearched: BTreeSet::new(),
            left: BTreeMap::new(),
            ready: false,
            chosen: None,
        }
    }

    fn remember(&mut self, sight: &ParsedObservation) {
        if let Some(room) = &sight.room {
            (self.room, self.place) = (room.clone(), None);
        }
        if let Some(place) = &sight.place {
            self.place = Some(place.clone());
            let asked = sight.contents.iter().filter(|it| kind(it) == self.goal.thing).count();
            if !sight.closed {
                self.left.insert(place.clone(), asked);
            }
        }
        for place in sight.places.iter().chain(&sight.place) {
            self.furniture.insert(place.clone(), self.room.clone());
        }
        self.doorways.insert(self.room.clone(), sight.walks.clone());
        if let Some(around) = &sight.around {
            let here: Vec<&String> = sight.places.iter().chain(&sight.place).collect();
            self.unsearched.retain(|place| !here.contains(&place));
            self.unsearched.extend(around.unsearched.iter().cloned());
            self.unsearched.extend(sight.place.iter().filter(|_| sight.closed).cloned());
            self.dark.retain(|room| !sight.walks.contains(room) && *room != self.room);
            self.dark.extend(around.dark.iter().cloned());
        }
    }

    /// Makes what is held ready, then brings it to the target.
    fn carry(&mut self, held: &str, admissible: &[String]) -> Option<String> {
        let can = |command: &String| admissible.contains(command);
        if let Some((verb, appliance)) = self.goal.work.filter(|_| !self.ready) {
            let verb = format!("{verb} ");
            if let Some(command) = admissible.iter().find(|it| it.starts_with(&verb)) {
                self.ready = true;
                return Some(command.clone());
            }
            return self.seek(|place| kind(place) == appliance, admissible);
        }
        if let Some(place) = self.place.clone().filter(|place| self.is_target(place)) {
            let (open, put) = (format!("open {place}"), format!("put {held}"));
            if can(&put) {
                self.ready = false;
                self.chosen = Some(place);
                return Some(put);
            }
            if can(&open) {
                return Some(open);
            }
        }
        let (target, chosen) = (self.goal.target.clone(), self.chosen.clone());
        let wanted = |place: &str| match &chosen {
            Some(chosen) => place == chosen,
            None => target.as_deref() == Some(kind(place)),
        };
        self.seek(wanted, admissible)
    }

    /// Looks for the thing.
    fn search(&mut self, admissible: &[String]) -> Option<String> {
        if let Some(place) = self.place.clone().filter(|place| !self.excluded(place)) {
            let take = format!("take {} ", self.goal.thing);
            if let Some(command) = admissible.iter().find(|it| it.starts_with(&take)) {
                if let Some(count) = self.left.get_mut(&place) {
                    *count = count.saturating_sub(1);
                }
                return Some(command.clone());
            }
            let open = format!("open {place}");
            if self.unsearched.contains(&place) && admissible.contains(&open) {
                return Some(open);
            }
        }
        let useful = |place: &&String| !self.excluded(place);
        let left = self.left.iter().filter(|&(_, &count)| count > 0).map(|(place, _)| place);
        let mut places: Vec<String> = left.filter(useful).cloned().collect();
        if places.is_empty() {
            places = self.unsearched.iter().filter(useful).cloned().collect();
        }
        self.seek(|place| places.iter().any(|it| it == place), admissible)
    }

    /// Whether a place is one to bring things to.
    fn is_target(&self, place: &str) -> bool {
        let fits = self.goal.target.as_deref() == Some(kind(place));
        fits && self.chosen.as_deref().is_none_or(|chosen| chosen == place)
    }

    /// Whether there is nothing to look for at a place.
    fn excluded(&self, place: &str) -> bool {
        self.goal.work.is_none() && self.goal.target.as_deref() == Some(kind(place))
    }

    /// A step towards the nearest furniture that is wanted, or else to a dark room, or anywhere.
    fn seek(&mut self, wanted: impl Fn(&str) -> bool, admissible: &[String]) -> Option<String> {
        let go = |command: &&String| command.strip_prefix("go to ").is_some_and(&wanted);
        if let Some(command) = admissible.iter().find(go) {
            return Some(command.clone());
        }
        let places = self.furniture.iter().filter(|(place, _)| wanted(place));
        let elsewhere = places.filter(|&(place, _)| Some(place) != self.place.as_ref());
        let rooms: BTreeSet<&String> = elsewhere.map(|(_, room)| room).collect();
        let known = self.towards(|room| rooms.contains(room));
        let next = known.or_else(|| self.towards(|room| self.dark.contains(room)));
        let ways = self.doorways.get(&self.room).cloned().unwrap_or_default();
        let any = self.stream.below(ways.len());
        next.or_else(|| ways.get(any).cloned()).map(|room| format!("walk to {room}"))
    }

    /// The first room on a shortest way to another room that is wanted.
    fn towards(&self, wanted: impl Fn(&String) -> bool) -> Option<String> {
        let mut reached = BTreeSet::from([&self.room]);
        let ways = self.doorways.get(&self.room)?;
        let mut ahead: VecDeque<(&String, &String)> =
            ways.iter().map(|room| (room, room)).collect();
        while let Some((first, room)) = ahead.pop_front() {
            if !reached.insert(room) {
                continue;
            }
            if wanted(room) {
                return Some(first.clone());
            }
            let further = self.doorways.get(room).into_iter().flatten();
            ahead.extend(further.map(|next| (first, next)));
        }
        None
    }
}

impl Player for ScriptedExplorer {
    fn act(&mut self, now: &Observation) -> Option<String> {
        let sight = ParsedObservation::read(now);
        self.remember(&sight);
        let admissible = now.actions.listed();
        let chosen = match &sight.held {
            Some(held) if kind(held) == self.goal.thing => self.carry(held, admissible),
            Some(held) => {
                let put = format!("put {held}");
                if admissible.contains(&put) { Some(put) } else { self.seek(|_| true, admissible) }
            }
            None => self.search(admissible),
        };
        chosen.filter(|it| admissible.contains(it)).or_else(|| admissible.first().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_instruction_is_read() {
        let goal = |thing, work, target: Option<&str>| Goal {
            thing,
            work,
            target: target.map(str::to_owned),
        };
        let read = [
            ("bring a key to the shelf.", goal("key", None, Some("shelf"))),
            ("bring two potatoes to the bed", goal("potato", None, Some("bed"))),
            ("bring a clean mug to the bed", goal("mug", Some(("clean", "sink")), Some("bed"))),
            ("bring a hot bun to the bed", goal("bun", Some(("heat", "stove")), Some("bed"))),
            ("bring a cold bun to the bed", goal("bun", Some(("cool", "fridge")), Some("bed"))),
            ("hold a key by the lit lamp", goal("key", Some(("switch on", "lamp")), None)),
        ];
        for (instruction, goal) in read {
            assert_eq!(Goal::read(instruction), goal);
        }
    }

    #[test]
    fn nothing_admissible_gives_no_action() {
        let over = Observation::listed("In attic 1.", Vec::new());
        assert_eq!(ScriptedExplorer::new("bring a key to the shelf", 0).act(&over), None);
    }
}
