//! Houses of `guide-and-walker`, each with things of its own, and the tasks in them: what is wanted where.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::house::{Item, Place, THINGS};
use super::super::layout::{Layout, ROOMS, TRAINED, UNSEEN, layouts};
use super::super::task::{Kind, Task};
use crate::Split;

/// A layout, and the things that are in it, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct House {
    layout: Layout,
    items: Vec<Item>,
}

/// The houses by the numbers of their layouts, all different. Nothing in them is cleaned, heated or lit.
pub(super) fn houses() -> Vec<House> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut houses = Vec::new();
    for layout in layouts() {
        let layout = Layout { fixtures: [None; ROOMS], ..layout };
        let mut house = furnished(layout, &mut rng);
        while houses.contains(&house) {
            house = furnished(layout, &mut rng);
        }
        houses.push(house);
    }
    houses
}

fn furnished(layout: Layout, rng: &mut ChaCha8Rng) -> House {
    let mut items = Item::ALL.to_vec();
    items.shuffle(rng);
    items.truncate(THINGS);
    items.sort_unstable();
    House { layout, items }
}

/// The task that `seed` names in `split`, with `trained` layouts for training and seen tasks. Each split has a
/// random stream of its own.
pub(super) fn draw(houses: &[House], trained: usize, split: Split, seed: u64) -> Task {
    let (stream, numbers) = match split {
        Split::Train => (1, 0..trained.min(TRAINED.end)),
        Split::Seen => (2, 0..trained.min(TRAINED.end)),
        Split::Unseen => (3, UNSEEN),
    };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    // Every house has pairs of thing and room of both sorts.
    loop {
        let number = rng.random_range(numbers.clone());
        let House { layout, items } = &houses[number];
        let item = items[rng.random_range(0..items.len())];
        let goal = rng.random_range(1..ROOMS);
        let task = Task::with_things(number, *layout, Kind::Fetch, item, goal, items, &mut rng);
        if split == Split::Unseen || task.kept_for_seen() == (split == Split::Seen) {
            return task;
        }
    }
}

/// Whether the wanted thing is in a closed container at the start.
pub(super) fn is_hidden(task: &Task) -> bool {
    let wanted = task.start.things.iter().find(|thing| thing.item == task.item);
    wanted.is_some_and(|thing| matches!(thing.place, Place::Hidden(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_house_has_tasks_of_training_and_seen_ones() {
        let houses = houses();
        assert_eq!(houses.len(), UNSEEN.end);
        for (number, House { layout, items }) in houses.iter().enumerate() {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let pairs = items.iter().flat_map(|&item| (1..ROOMS).map(move |goal| (item, goal)));
            let kept = pairs.filter(|&(item, goal)| {
                Task::with_things(number, *layout, Kind::Fetch, item, goal, items, &mut rng)
                    .kept_for_seen()
            });
            assert!((1..=3).contains(&kept.count()), "{number}");
        }
    }
}
