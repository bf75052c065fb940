//! Task drawing: the task of a seed, with a plan that is short enough.

use super::catalogue::{Role, THINGS};
use super::house::{House, MOST, UNSEEN};
use super::settings::GeneratedHouseSettings;
use super::shortest_plan;
use super::task::{Item, Task};
use super::task_kind::Kind;
use crate::Split;
use crate::random::{Purpose, Stream};

/// Draws after which the task with the shortest plan so far is taken: settings that leave this few
/// tasks are refused before.
const PATIENCE: usize = 4000;

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
