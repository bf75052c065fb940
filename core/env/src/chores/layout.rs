//! House layouts: their rooms, and the furniture in them.

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

    /// Rooms that it stands in if the house has one of them free.
    fn homes(self) -> &'static [Room] {
        match self {
            Self::Sink => &[Room::Kitchen, Room::Bathroom, Room::Laundry],
            Self::Stove => &[Room::Kitchen, Room::Pantry, Room::Lounge],
            Self::Lamp => &[Room::Bedroom, Room::Study, Room::Lounge, Room::Garage],
        }
    }
}

/// The rooms one step away, ascending: every other one but the hall, where nothing is to be done.
pub(super) fn ways(from: usize) -> impl Iterator<Item = usize> {
    (1..ROOMS).filter(move |&room| room != from)
}

/// A house without the things in it; rooms are numbered, the hall is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The kind of each room, ascending.
    pub(super) rooms: [Room; ROOMS],
    /// The container of each room.
    pub(super) containers: [Option<Container>; ROOMS],
    /// The fixture of each room.
    pub(super) fixtures: [Option<Fixture>; ROOMS],
}

impl Layout {
    /// The room of a fixture.
    pub(super) fn room_of(&self, fixture: Fixture) -> Option<usize> {
        (0..ROOMS).find(|&room| self.fixtures[room] == Some(fixture))
    }

    /// Draws a house with the rooms whose bits `combination` sets: one or two have a container, each
    /// has a fixture.
    fn draw(combination: u8, rng: &mut ChaCha8Rng) -> Self {
        let mut layout =
            Self { rooms: [Room::Hall; ROOMS], containers: [None; ROOMS], fixtures: [None; ROOMS] };
        let chosen = (0..8).filter(|bit| combination >> bit & 1 == 1);
        for (slot, bit) in layout.rooms[1..].iter_mut().zip(chosen) {
            *slot = Room::ALL[bit + 1];
        }
        let mut order: Vec<usize> = (1..ROOMS).collect();
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

    /// Puts `fixture` in a free room, one that it belongs in if possible.
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
    fn ways_lead_to_every_other_room_and_never_back_to_the_hall() {
        let all = [0, 1, 2, 3].map(|from| ways(from).collect::<Vec<_>>());
        assert_eq!(all, [vec![1, 2, 3], vec![2, 3], vec![1, 3], vec![1, 2]]);
    }
}
