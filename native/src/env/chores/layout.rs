//! Houses: which rooms, how they join, what stands in them.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// Layouts that trained and seen tasks use.
pub(super) const TRAINED: Range<usize> = 0..64;
/// Layouts that unseen tasks use.
pub(super) const UNSEEN: Range<usize> = 64..96;
/// Rooms of a house; the hall is room 0.
pub(super) const ROOMS: usize = 4;
/// Of the 56 combinations of three rooms, those that trained layouts draw from.
const TRAINED_COMBINATIONS: usize = 38;

/// The kind of a room; a house has at most one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Room {
    Hall,
    Kitchen,
    Bathroom,
    Bedroom,
    Study,
    Lounge,
    Pantry,
    Laundry,
    Garage,
}

impl Room {
    /// Every kind; the hall first.
    pub(super) const ALL: [Self; 9] = [
        Self::Hall,
        Self::Kitchen,
        Self::Bathroom,
        Self::Bedroom,
        Self::Study,
        Self::Lounge,
        Self::Pantry,
        Self::Laundry,
        Self::Garage,
    ];

    /// Containers that such a room can have.
    fn containers(self) -> [Container; 2] {
        match self {
            Self::Kitchen | Self::Pantry => [Container::Fridge, Container::Cupboard],
            Self::Bathroom | Self::Laundry => [Container::Basket, Container::Cupboard],
            Self::Bedroom | Self::Hall => [Container::Drawer, Container::Chest],
            Self::Study | Self::Lounge => [Container::Drawer, Container::Cupboard],
            Self::Garage => [Container::Chest, Container::Basket],
        }
    }
}

/// What can hide things until it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Cupboard,
    Drawer,
    Chest,
    Fridge,
    Basket,
}

impl Container {
    /// Every kind.
    pub(super) const ALL: [Self; 5] =
        [Self::Cupboard, Self::Drawer, Self::Chest, Self::Fridge, Self::Basket];
}

/// What stands in one room of every house and is used there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixture {
    Sink,
    Stove,
    Lamp,
}

impl Fixture {
    /// Every kind, in the order in which they find their rooms.
    pub(super) const ALL: [Self; 3] = [Self::Sink, Self::Stove, Self::Lamp];

    /// Rooms that it stands in where the house has one of them free.
    fn homes(self) -> &'static [Room] {
        match self {
            Self::Sink => &[Room::Kitchen, Room::Bathroom, Room::Laundry],
            Self::Stove => &[Room::Kitchen, Room::Pantry, Room::Lounge],
            Self::Lamp => &[Room::Bedroom, Room::Study, Room::Lounge, Room::Garage],
        }
    }
}

/// A house without the things in it; rooms are numbered, the hall is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The kind of each room, ascending.
    pub(super) rooms: [Room; ROOMS],
    /// The room through which each room is reached from the hall; the hall's is itself.
    parent: [usize; ROOMS],
    /// The container of each room.
    pub(super) containers: [Option<Container>; ROOMS],
    /// The fixture of each room.
    pub(super) fixtures: [Option<Fixture>; ROOMS],
}

impl Layout {
    /// The rooms next to `room`: towards the hall first, then ascending.
    pub(super) fn neighbours(&self, room: usize) -> impl Iterator<Item = usize> {
        let up = (room != 0).then_some(self.parent[room]);
        let down = (1..ROOMS).filter(move |&child| self.parent[child] == room);
        up.into_iter().chain(down)
    }

    /// The room of a fixture.
    pub(super) fn room_of(&self, fixture: Fixture) -> Option<usize> {
        (0..ROOMS).find(|&room| self.fixtures[room] == Some(fixture))
    }

    /// Draws a house with the rooms whose bits `combination` sets: most rooms open on the hall, one
    /// or two have a container, each has a fixture.
    fn draw(combination: u8, rng: &mut ChaCha8Rng) -> Self {
        let mut layout = Self {
            rooms: [Room::Hall; ROOMS],
            parent: [0; ROOMS],
            containers: [None; ROOMS],
            fixtures: [None; ROOMS],
        };
        let chosen = (0..8).filter(|bit| combination >> bit & 1 == 1);
        for (slot, bit) in layout.rooms[1..].iter_mut().zip(chosen) {
            *slot = Room::ALL[bit + 1];
        }
        let mut order: Vec<usize> = (1..ROOMS).collect();
        order.shuffle(rng);
        if rng.random_range(0..10) < 3 {
            layout.parent[order[0]] = order[1];
        }
        order.shuffle(rng);
        for &room in &order[..rng.random_range(1..=2)] {
            let kinds = layout.rooms[room].containers();
            layout.containers[room] = Some(kinds[rng.random_range(0..kinds.len())]);
        }
        for fixture in Fixture::ALL {
            layout.install(fixture, rng);
        }
        layout
    }

    /// Puts `fixture` in a free room, at home where it can be.
    fn install(&mut self, fixture: Fixture, rng: &mut ChaCha8Rng) {
        let free = (1..ROOMS).filter(|&room| self.fixtures[room].is_none());
        let (home, other): (Vec<_>, Vec<_>) =
            free.partition(|&room| fixture.homes().contains(&self.rooms[room]));
        let rooms = if home.is_empty() { other } else { home };
        if let Some(&room) = rooms.choose(rng) {
            self.fixtures[room] = Some(fixture);
        }
    }
}

/// The layouts by number, all different; no combination of rooms is both trained and unseen.
pub(super) fn layouts() -> Vec<Layout> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut combinations: Vec<u8> = (0..=u8::MAX).filter(|set| set.count_ones() == 3).collect();
    combinations.shuffle(&mut rng);
    let (trained, unseen) = combinations.split_at(TRAINED_COMBINATIONS);
    let trained = trained.iter().cycle().take(TRAINED.len());
    let unseen = unseen.iter().cycle().take(UNSEEN.len());
    let mut layouts = Vec::with_capacity(UNSEEN.end);
    for &combination in trained.chain(unseen) {
        let mut layout = Layout::draw(combination, &mut rng);
        while layouts.contains(&layout) {
            layout = Layout::draw(combination, &mut rng);
        }
        layouts.push(layout);
    }
    layouts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_combination_of_rooms_is_both_trained_and_unseen() {
        let layouts = layouts();
        assert_eq!(layouts.len(), UNSEEN.end);
        for trained in &layouts[TRAINED] {
            for unseen in &layouts[UNSEEN] {
                assert_ne!(trained.rooms, unseen.rooms);
            }
        }
    }

    #[test]
    fn layouts_differ_and_have_every_fixture() {
        let layouts = layouts();
        for (number, layout) in layouts.iter().enumerate() {
            assert!(!layouts[..number].contains(layout));
            assert!(layout.rooms.is_sorted() && layout.rooms[0] == Room::Hall);
            for fixture in Fixture::ALL {
                assert!(layout.room_of(fixture).is_some());
            }
        }
    }

    #[test]
    fn every_room_is_reached_from_the_hall() {
        for layout in layouts() {
            for room in 1..ROOMS {
                let up = |&room: &usize| (room != 0).then(|| layout.parent[room]);
                let way: Vec<usize> = std::iter::successors(Some(room), up).take(ROOMS).collect();
                assert_eq!(way.last(), Some(&0));
                for step in way.windows(2) {
                    assert!(layout.neighbours(step[0]).any(|room| room == step[1]));
                    assert!(layout.neighbours(step[1]).any(|room| room == step[0]));
                }
            }
        }
    }

    #[test]
    fn some_layouts_have_a_room_behind_a_room() {
        let deep = |layout: &Layout| layout.neighbours(0).count() < ROOMS - 1;
        let layouts = layouts();
        for range in [TRAINED, UNSEEN] {
            let count = layouts[range.clone()].iter().filter(|layout| deep(layout)).count();
            assert!(count > 0 && count < range.len() / 2);
        }
    }
}
