//! Tasks: what is asked for, and where the things are at the start.

use super::catalogue::{Role, THINGS, ThingKind};
use super::house::{House, MOST, UNSEEN};
use super::settings::GeneratedHouseSettings;
use super::shortest_plan;
use crate::Split;
use crate::random::{Purpose, Stream};

/// Draws after which the task with the shortest plan so far is taken: settings that leave this few
/// tasks are refused before.
const PATIENCE: usize = 4000;

/// What has to be done with a thing; the numbers are those of ALFWorld's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Put it somewhere.
    Place = 1,
    /// Hold it where a lamp is lit.
    Examine = 2,
    /// Clean it, then put it somewhere.
    Clean = 3,
    /// Heat it, then put it somewhere.
    Heat = 4,
    /// Cool it, then put it somewhere.
    Cool = 5,
    /// Put two of them into one place.
    Two = 6,
}

impl Kind {
    /// Every kind.
    pub(super) const ALL: [Self; 6] =
        [Self::Place, Self::Examine, Self::Clean, Self::Heat, Self::Cool, Self::Two];

    /// The kind with a number.
    pub(super) fn numbered(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&kind| kind as u8 == number)
    }

    /// How many things it asks for.
    pub(super) fn count(self) -> usize {
        if self == Self::Two { 2 } else { 1 }
    }

    /// What makes the thing ready.
    pub(super) fn appliance(self) -> Option<Role> {
        match self {
            Self::Place | Self::Two => None,
            Self::Examine => Some(Role::Lamp),
            Self::Clean => Some(Role::Sink),
            Self::Heat => Some(Role::Stove),
            Self::Cool => Some(Role::Fridge),
        }
    }

    /// Whether it can be asked of a thing.
    fn suits(self, thing: &ThingKind) -> bool {
        match self {
            Self::Place | Self::Examine | Self::Two => true,
            Self::Clean => thing.washable,
            Self::Heat | Self::Cool => thing.food,
        }
    }
}

/// A thing in a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Its kind: a place in [`THINGS`].
    pub(super) kind: usize,
    /// Which of its kind, from 1.
    pub(super) number: usize,
    /// The furniture that it is in or on at the start.
    pub(super) place: usize,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The number of its house.
    pub(super) scene: usize,
    pub(super) house: House,
    pub(super) kind: Kind,
    /// The kind of thing asked for: a place in [`THINGS`].
    pub(super) thing: usize,
    /// The kind of furniture it has to be brought to; the lamp where it has to be held there.
    pub(super) target: &'static str,
    pub(super) items: Vec<Item>,
    /// The room that the agent starts in.
    pub(super) start: usize,
}

impl Task {
    /// The task that `seed` names in `split`, with the shortest way to do it; each split has a
    /// random stream of its own.
    ///
    /// `first_numbers` are those of [`House::first_numbers`]; unseen tasks need none.
    pub(super) fn draw(
        settings: &GeneratedHouseSettings,
        first_numbers: &[usize],
        split: Split,
        seed: u64,
    ) -> (Self, Vec<shortest_plan::Action>) {
        let mut stream = Stream::new(seed, Purpose::GeneratedTasks, [split as u64, 0]);
        let types = &settings.task_types;
        let kind = Kind::numbered(types[stream.below(types.len())]).unwrap_or(Kind::Place);
        let draw = |stream: &mut Stream| {
            let task = Self::candidate(settings, first_numbers, (split, kind), stream);
            let plan = shortest_plan::shortest(&task);
            (task, plan)
        };
        let mut best = draw(&mut stream);
        for _ in 0..PATIENCE {
            if best.1.len() <= settings.longest_plan {
                break;
            }
            let next = draw(&mut stream);
            if next.1.len() < best.1.len() {
                best = next;
            }
        }
        best
    }

    fn candidate(
        settings: &GeneratedHouseSettings,
        first_numbers: &[usize],
        (split, kind): (Split, Kind),
        stream: &mut Stream,
    ) -> Self {
        let unseen = split == Split::Unseen;
        loop {
            let scene = stream.below(if unseen { UNSEEN } else { settings.houses });
            let house = House::draw(settings, unseen, scene);
            let things: Vec<usize> =
                (0..THINGS.len()).filter(|&thing| kind.suits(&THINGS[thing])).collect();
            let thing = things[stream.below(things.len())];
            let target = target(&house, kind, stream);
            // By content: what is asked of a house is asked of all that are equal.
            let number = first_numbers.get(scene).copied().unwrap_or(scene);
            if !unseen && kept_for_seen(number, thing, target) != (split == Split::Seen) {
                continue;
            }
            let start = stream.below(house.size());
            let mut task = Self { scene, house, kind, thing, target, items: Vec::new(), start };
            task.spread(settings.things_per_room * task.house.size(), stream);
            return task;
        }
    }

    /// Puts the things asked for, and others up to `count` in all, into the house.
    fn spread(&mut self, count: usize, stream: &mut Stream) {
        let asked = self.kind.count();
        for item in 0..count.max(asked) {
            let kind = if item < asked { self.thing } else { stream.below(THINGS.len()) };
            let number = 1 + self.items.iter().filter(|item| item.kind == kind).count();
            if number <= MOST {
                let place = self.home(kind, stream);
                self.items.push(Item { kind, number, place });
            }
        }
    }

    /// Where a thing starts: half the time in a room where it is at home, and not where a thing of
    /// its kind just has to be put.
    fn home(&self, kind: usize, stream: &mut Stream) -> usize {
        let fetch = matches!(self.kind, Kind::Place | Kind::Two) && kind == self.thing;
        let allowed = |&place: &usize| {
            let place = &self.house.places[place];
            place.role.searched() && !(fetch && place.name == self.target)
        };
        let places: Vec<usize> = (0..self.house.places.len()).filter(allowed).collect();
        let at_home =
            |place: &usize| THINGS[kind].at_home(self.house.room(self.house.places[*place].room));
        let homes: Vec<usize> = places.iter().copied().filter(at_home).collect();
        let choice = if stream.uniform() < 0.5 && !homes.is_empty() { &homes } else { &places };
        choice[stream.below(choice.len())]
    }
}

/// The kind of furniture to bring things to.
fn target(house: &House, kind: Kind, stream: &mut Stream) -> &'static str {
    if kind == Kind::Examine {
        return Role::Lamp.appliance().map_or("", |(name, _)| name);
    }
    let furniture = house.places.iter();
    let furniture = furniture.filter(|it| matches!(it.role, Role::Surface | Role::Lidded));
    let mut names: Vec<&str> = furniture.map(|place| place.name).collect();
    names.sort_unstable();
    names.dedup();
    names[stream.below(names.len())]
}

/// Whether this pair of thing and target in a house is kept for seen tasks: one in four.
fn kept_for_seen(scene: usize, thing: usize, target: &str) -> bool {
    let letters: usize = target.bytes().map(usize::from).sum();
    (scene + thing + letters).is_multiple_of(4)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn train_and_seen_tasks_never_ask_the_same_of_equal_houses() {
        let settings = GeneratedHouseSettings {
            houses: 1024,
            rooms: 2,
            receptacles_per_room: 1,
            task_types: vec![1],
            ..GeneratedHouseSettings::default()
        };
        let first_numbers = House::first_numbers(&settings);
        let distinct = first_numbers.iter().collect::<HashSet<_>>().len();
        assert!(distinct < 900, "houses are equal here: {distinct}");
        let asked = |split| -> HashSet<(House, usize, &'static str)> {
            let task = |seed| Task::draw(&settings, &first_numbers, split, seed).0;
            (0..6000).map(task).map(|it| (it.house, it.thing, it.target)).collect()
        };
        assert!(asked(Split::Train).is_disjoint(&asked(Split::Seen)));
    }
}
