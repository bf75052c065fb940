//! Tasks: what is asked for, and how the house stands at the start.

use super::super::Split;
use super::house::{Item, Place, State, THINGS, Thing};
use super::layout::{Fixture, Layout, ROOMS, TRAINED, UNSEEN};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What has to be done with a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Put it in the goal room.
    Fetch,
    /// Clean it, then put it in the goal room.
    Clean,
    /// Heat it, then put it in the goal room.
    Heat,
    /// Put two of them in the goal room.
    Two,
    /// Hold it where the lamp is lit.
    Look,
}

impl Kind {
    /// The kinds, each as often as it is drawn out of 20.
    const WEIGHTED: [(Self, usize); 5] =
        [(Self::Fetch, 4), (Self::Clean, 5), (Self::Heat, 5), (Self::Two, 4), (Self::Look, 2)];

    /// Its name, for reporting success by kind.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fetch => "fetch",
            Self::Clean => "clean",
            Self::Heat => "heat",
            Self::Two => "two",
            Self::Look => "look",
        }
    }

    /// What can be asked for.
    pub(super) fn items(self) -> &'static [Item] {
        match self {
            Self::Fetch | Self::Look => &Item::ALL,
            Self::Clean => &[Item::Mug, Item::Plate, Item::Pear, Item::Towel, Item::Shirt],
            Self::Heat => &[Item::Mug, Item::Plate, Item::Pear, Item::Pie],
            Self::Two => &[Item::Mug, Item::Pear, Item::Book, Item::Towel],
        }
    }

    /// How many of them.
    pub(super) fn count(self) -> usize {
        if self == Self::Two { 2 } else { 1 }
    }

    fn draw(rng: &mut ChaCha8Rng) -> Self {
        let mut kinds =
            Self::WEIGHTED.iter().flat_map(|&(kind, weight)| std::iter::repeat_n(kind, weight));
        let total = Self::WEIGHTED.iter().map(|&(_, weight)| weight).sum();
        kinds.nth(rng.random_range(0..total)).unwrap_or(Self::Fetch)
    }
}

/// One task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The number of its layout.
    number: usize,
    /// The house.
    pub(super) layout: Layout,
    /// What has to be done.
    pub(super) kind: Kind,
    /// With what.
    pub(super) item: Item,
    /// Where: the goal room, or the room of the lamp.
    pub(super) goal: usize,
    /// The state before the first action.
    pub(super) start: State,
}

impl Task {
    /// The task that `seed` names in `split`; each split has a random stream of its own.
    pub(super) fn draw(layouts: &[Layout], split: Split, seed: u64) -> Self {
        let (stream, numbers) = match split {
            Split::Train => (1, TRAINED),
            Split::Seen => (2, TRAINED),
            Split::Unseen => (3, UNSEEN),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        loop {
            let number = rng.random_range(numbers.clone());
            let task = Self::candidate(number, layouts[number], &mut rng);
            if split == Split::Unseen || task.kept_for_seen() == (split == Split::Seen) {
                return task;
            }
        }
    }

    /// Whether it is done in a state.
    pub(super) fn is_done(&self, state: &State) -> bool {
        let done = |thing: &&Thing| {
            let there = match self.kind {
                Kind::Look => thing.place == Place::Held && state.at == self.goal,
                _ => thing.place == Place::View(self.goal),
            };
            let ready = match self.kind {
                Kind::Fetch | Kind::Two => true,
                Kind::Clean => thing.clean,
                Kind::Heat => thing.hot,
                Kind::Look => state.lit,
            };
            thing.item == self.item && there && ready
        };
        state.things.iter().filter(done).count() >= self.kind.count()
    }

    /// Whether this pair (thing, goal room) of the layout is kept for seen tasks: one in four.
    pub(super) fn kept_for_seen(&self) -> bool {
        (self.number + self.item as usize + self.goal).is_multiple_of(4)
    }

    fn candidate(number: usize, layout: Layout, rng: &mut ChaCha8Rng) -> Self {
        let kind = Kind::draw(rng);
        let item = kind.items()[rng.random_range(0..kind.items().len())];
        let mut goal = rng.random_range(1..ROOMS);
        if kind == Kind::Look {
            goal = layout.room_of(Fixture::Lamp).unwrap_or(goal);
        }
        let mut others: Vec<Item> = Item::ALL.into_iter().filter(|&it| it != item).collect();
        others.shuffle(rng);
        let asked = std::iter::repeat_n(item, kind.count());
        let mut items: Vec<Item> = asked.chain(others).take(THINGS).collect();
        items.sort_unstable();
        Self::with_things(number, layout, kind, item, goal, &items, rng)
    }

    /// A task in which `items`, of which there are [`THINGS`], are drawn their places.
    pub(super) fn with_things(
        number: usize,
        layout: Layout,
        kind: Kind,
        item: Item,
        goal: usize,
        items: &[Item],
        rng: &mut ChaCha8Rng,
    ) -> Self {
        let banned = matches!(kind, Kind::Fetch | Kind::Two).then_some(goal);
        let mut things = [Thing::new(item, Place::View(0)); THINGS];
        for (thing, it) in things.iter_mut().zip(items.iter().copied()) {
            let banned = banned.filter(|_| it == item);
            *thing = Thing::new(it, place(&layout, it, banned, rng));
        }
        Self { number, layout, kind, item, goal, start: State::new(things) }
    }
}

/// Where a thing starts: half the time at home if the house has such a room, never in `banned`;
/// half of those in a room with a container are hidden in it.
fn place(layout: &Layout, item: Item, banned: Option<usize>, rng: &mut ChaCha8Rng) -> Place {
    let rooms: Vec<usize> = (1..ROOMS).filter(|&room| Some(room) != banned).collect();
    let home = |&room: &usize| item.homes().contains(&layout.rooms[room]);
    let homes: Vec<usize> = rooms.iter().copied().filter(home).collect();
    let at_home = rng.random_range(0..2) == 0 && !homes.is_empty();
    let rooms = if at_home { homes } else { rooms };
    let room = rooms[rng.random_range(0..rooms.len())];
    if layout.containers[room].is_some() && rng.random_range(0..2) == 0 {
        Place::Hidden(room)
    } else {
        Place::View(room)
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::layouts;
    use super::*;

    const SPLITS: [Split; 3] = [Split::Train, Split::Seen, Split::Unseen];

    #[test]
    fn train_and_seen_tasks_never_ask_the_same_of_a_layout() {
        let layouts = layouts();
        for seed in 0..4000 {
            assert!(!Task::draw(&layouts, Split::Train, seed).kept_for_seen());
            assert!(Task::draw(&layouts, Split::Seen, seed).kept_for_seen());
        }
    }

    #[test]
    fn no_task_is_won_at_the_start() {
        let layouts = layouts();
        for split in SPLITS {
            for seed in 0..4000 {
                let task = Task::draw(&layouts, split, seed);
                assert!(!task.is_done(&task.start), "{split:?} {seed}");
            }
        }
    }

    #[test]
    fn kinds_come_as_often_as_their_weights() {
        let layouts = layouts();
        let mut counts = [0_usize; 5];
        for seed in 0..8000 {
            counts[Task::draw(&layouts, Split::Unseen, seed).kind as usize] += 1;
        }
        for (kind, weight) in Kind::WEIGHTED {
            // Expected 400 for each of 20 parts; four standard deviations are at most 155.
            assert!(counts[kind as usize].abs_diff(weight * 400) < 155, "{kind:?}");
        }
    }
}
