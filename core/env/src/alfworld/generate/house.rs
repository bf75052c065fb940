//! House: rooms, doorways, furniture; by number, without the things in them.

use std::collections::{BTreeSet, HashMap, VecDeque};

use super::catalogue::{ROOMS, Role, RoomKind};
use super::settings::GeneratedHouseSettings;
use crate::random::{Purpose, Stream};

/// Houses that unseen tasks use.
pub(super) const UNSEEN: usize = 128;
/// The most of one kind in a house, so that numbers are one digit.
pub(super) const MOST: usize = 9;

/// A piece of furniture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// What kind.
    pub(super) name: &'static str,
    /// Which of its kind, from 1.
    pub(super) number: usize,
    /// The room it stands in.
    pub(super) room: usize,
    pub(super) role: Role,
}

/// A house without the things in it; rooms and furniture by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct House {
    /// Kinds of the rooms: rising places in [`ROOMS`].
    rooms: Vec<usize>,
    /// The rooms that each room has a doorway to, rising.
    pub(super) doorways: Vec<Vec<usize>>,
    pub(super) places: Vec<Place>,
}

impl House {
    /// The house with this number, of those that only unseen tasks use or of the others.
    pub(super) fn draw(settings: &GeneratedHouseSettings, unseen: bool, number: usize) -> Self {
        let index = [u64::from(unseen), number as u64];
        let mut stream = Stream::new(0, Purpose::Houses, index);
        let rooms = combination(settings.rooms, unseen, &mut stream);
        let doorways = doorways(rooms.len(), settings.doorways, &mut stream);
        let mut house = Self { rooms, doorways, places: Vec::new() };
        for role in Role::APPLIANCES {
            house.install(role, &mut stream);
        }
        for room in 0..house.rooms.len() {
            house.furnish(room, settings.receptacles_per_room, &mut stream);
        }
        house
    }

    /// The first number of a house like that of every number, of those that training uses: with few rooms, different
    /// numbers make equal houses.
    pub(super) fn first_numbers(settings: &GeneratedHouseSettings) -> Vec<usize> {
        let mut known = HashMap::new();
        let number = |number| *known.entry(Self::draw(settings, false, number)).or_insert(number);
        (0..settings.houses).map(number).collect()
    }

    /// How many rooms there are.
    pub(super) fn size(&self) -> usize {
        self.rooms.len()
    }

    /// The kind of a room.
    pub(super) fn room(&self, room: usize) -> &'static RoomKind {
        &ROOMS[self.rooms[room]]
    }

    /// The furniture with a role.
    pub(super) fn with_role(&self, role: Role) -> impl Iterator<Item = usize> {
        (0..self.places.len()).filter(move |&place| self.places[place].role == role)
    }

    /// The rooms to walk to from `from`, one after the other, to come to `to` with the fewest steps.
    pub(super) fn way(&self, from: usize, to: usize) -> Vec<usize> {
        let mut next = vec![None; self.size()];
        let mut reached = VecDeque::from([to]);
        while let Some(room) = reached.pop_front().filter(|_| next[from].is_none()) {
            for &other in &self.doorways[room] {
                if other != to && next[other].is_none() {
                    next[other] = Some(room);
                    reached.push_back(other);
                }
            }
        }
        std::iter::successors(next[from], |&room| next[room]).collect()
    }

    /// Puts an appliance into a room, one that it belongs in if possible.
    fn install(&mut self, role: Role, stream: &mut Stream) {
        let Some((name, homes)) = role.appliance() else { return };
        let home = |&room: &usize| homes.contains(&self.room(room).name);
        let homes: Vec<usize> = (0..self.size()).filter(home).collect();
        let room = match homes.as_slice() {
            [] => stream.below(self.size()),
            homes => homes[stream.below(homes.len())],
        };
        self.places.push(Place { name, number: 1, room, role });
    }

    /// Gives a room one to `most` pieces of furniture.
    fn furnish(&mut self, room: usize, most: usize, stream: &mut Stream) {
        let kinds = self.room(room).furniture();
        for _ in 0..=stream.below(most) {
            let (name, role) = kinds[stream.below(kinds.len())];
            let number = 1 + self.places.iter().filter(|place| place.name == name).count();
            if number <= MOST {
                self.places.push(Place { name, number, room, role });
            }
        }
    }
}

/// Kinds of `count` rooms. A quarter of the combinations is kept for houses of unseen tasks.
fn combination(count: usize, unseen: bool, stream: &mut Stream) -> Vec<usize> {
    loop {
        let mut kinds: Vec<usize> = (0..ROOMS.len()).collect();
        stream.shuffle(&mut kinds);
        kinds.truncate(count);
        if is_unseen(&kinds) == unseen {
            kinds.sort_unstable();
            return kinds;
        }
    }
}

/// Whether a combination of rooms is kept for unseen tasks: the two highest bits of its product with
/// 2^32 divided by the golden ratio are 0.
fn is_unseen(kinds: &[usize]) -> bool {
    let set = kinds.iter().fold(0_u32, |set, kind| set | 1 << kind);
    set.wrapping_mul(0x9E37_79B9) >> 30 == 0
}

/// The rooms that each room has a doorway to: every room is reached, and each further pair is joined
/// with probability `share`.
fn doorways(rooms: usize, share: f64, stream: &mut Stream) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..rooms).collect();
    stream.shuffle(&mut order);
    let mut doorways = vec![BTreeSet::new(); rooms];
    let mut join = |a: usize, b: usize| {
        doorways[a].insert(b);
        doorways[b].insert(a);
    };
    for later in 1..rooms {
        join(order[later], order[stream.below(later)]);
    }
    for a in 0..rooms {
        for b in 0..a {
            if stream.uniform() < share {
                join(a, b);
            }
        }
    }
    doorways.into_iter().map(Vec::from_iter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn houses(settings: &GeneratedHouseSettings) -> [Vec<House>; 2] {
        [false, true].map(|unseen| {
            let count = if unseen { UNSEEN } else { settings.houses };
            (0..count).map(|number| House::draw(settings, unseen, number)).collect()
        })
    }

    #[test]
    fn no_combination_of_rooms_is_both_trained_and_unseen() {
        for rooms in GeneratedHouseSettings::ROOMS {
            let settings = GeneratedHouseSettings { rooms, ..GeneratedHouseSettings::default() };
            let [trained, unseen] = houses(&settings)
                .map(|it| it.into_iter().map(|it| it.rooms).collect::<BTreeSet<_>>());
            assert!(!trained.is_empty() && !unseen.is_empty());
            assert!(trained.is_disjoint(&unseen), "{rooms}");
        }
    }

    #[test]
    fn every_room_is_reached_by_doorways_that_lead_both_ways() {
        for doorways in [0.0, 0.4, 1.0] {
            let settings =
                GeneratedHouseSettings { rooms: 8, doorways, ..GeneratedHouseSettings::default() };
            for house in houses(&settings).concat() {
                for to in 1..8 {
                    let way = house.way(0, to);
                    assert_eq!(way.last(), Some(&to));
                    let steps = [&[0], way.as_slice()].concat();
                    let joined = |pair: &[usize]| house.doorways[pair[0]].contains(&pair[1]);
                    assert!(steps.windows(2).all(joined));
                    assert_eq!(house.way(to, 0).len(), way.len());
                }
                let count: usize = house.doorways.iter().map(Vec::len).sum();
                assert!(doorways < 1.0 || count == 56);
                assert!(doorways > 0.0 || count == 14);
                assert!(house.way(3, 3).is_empty());
            }
        }
    }

    #[test]
    fn every_house_has_one_of_each_appliance_and_furniture_in_every_room() {
        let settings = GeneratedHouseSettings {
            rooms: 6,
            receptacles_per_room: 3,
            ..GeneratedHouseSettings::default()
        };
        for house in houses(&settings).concat() {
            assert!(Role::APPLIANCES.iter().all(|&role| house.with_role(role).count() == 1));
            for room in 0..6 {
                let furniture = |place: &&Place| {
                    place.room == room && matches!(place.role, Role::Surface | Role::Lidded)
                };
                let count = house.places.iter().filter(furniture).count();
                assert!((1..=3).contains(&count));
            }
        }
    }
}
