//! Tasks: what is asked for, and where the things are at the start.

use super::catalogue::{Kind, Role, THINGS};
use super::house::{House, MOST, UNSEEN};
use super::settings::GeneratedHouseSettings;
use crate::Split;
use crate::random::Stream;

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
    /// The kind of furniture it has to be brought to; the lamp if it has to be held there.
    pub(super) target: &'static str,
    pub(super) items: Vec<Item>,
    /// The room that the agent starts in.
    pub(super) start: usize,
}

impl Task {
    /// A task of a kind in a split. `first_numbers` are those of [`House::first_numbers`]; unseen
    /// tasks need none.
    pub(super) fn candidate(
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
        let room = |place: usize| self.house.room(self.house.places[place].room).name;
        let at_home = |&place: &usize| THINGS[kind].homes.contains(&room(place));
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
