//! Catalogue of rooms, furniture, things and kinds of tasks, and the words for them.

/// A kind of room; a house has at most one of each.
#[derive(Debug)]
pub(super) struct RoomKind {
    pub(super) name: &'static str,
    /// Names of the furniture that such a room can have.
    furniture: [&'static str; 3],
}

/// What a piece of furniture does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// Things lie on it.
    Surface,
    /// Things are in it; closed at the start.
    Lidded,
    /// Cleans what is held, and things can be put in it.
    Sink,
    /// Heats what is held, and things can be put on it.
    Stove,
    /// Cools what is held, and things are in it; closed at the start.
    Fridge,
    /// Can be switched on.
    Lamp,
}

impl Role {
    /// What every house has one of, in the order in which they find their rooms.
    pub(super) const APPLIANCES: [Self; 4] = [Self::Sink, Self::Stove, Self::Fridge, Self::Lamp];

    /// Whether it has to be opened.
    pub(super) fn has_lid(self) -> bool {
        matches!(self, Self::Lidded | Self::Fridge)
    }

    /// Whether what lies on it is in plain view.
    pub(super) fn open(self) -> bool {
        matches!(self, Self::Surface | Self::Sink | Self::Stove)
    }

    /// Whether things can be there at the start; sink and stove are empty then.
    pub(super) fn searched(self) -> bool {
        matches!(self, Self::Surface | Self::Lidded | Self::Fridge)
    }

    /// The name of an appliance, and the rooms it stands in if a house has one of them.
    pub(super) fn appliance(self) -> Option<(&'static str, &'static [&'static str])> {
        match self {
            Self::Sink => Some(("sink", &["kitchen", "bathroom", "laundry"])),
            Self::Stove => Some(("stove", &["kitchen", "lounge", "cellar"])),
            Self::Fridge => Some(("fridge", &["kitchen", "pantry", "garage"])),
            Self::Lamp => Some(("lamp", &["bedroom", "study", "lounge", "nursery"])),
            Self::Surface | Self::Lidded => None,
        }
    }
}

/// A kind of thing.
#[derive(Debug)]
pub(super) struct ThingKind {
    pub(super) name: &'static str,
    pub(super) plural: &'static str,
    /// Rooms in which it is more likely to be.
    pub(super) homes: [&'static str; 3],
    pub(super) washable: bool,
    /// It can be heated and cooled.
    pub(super) food: bool,
}

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
    pub(super) fn suits(self, thing: &ThingKind) -> bool {
        match self {
            Self::Place | Self::Examine | Self::Two => true,
            Self::Clean => thing.washable,
            Self::Heat | Self::Cool => thing.food,
        }
    }
}

/// Furniture that has to be opened; all other kinds are surfaces.
const LIDDED: [&str; 4] = ["cupboard", "drawer", "chest", "crate"];

impl RoomKind {
    /// The furniture that such a room can have.
    pub(super) fn furniture(&self) -> [(&'static str, Role); 3] {
        self.furniture.map(|name| {
            let lidded = LIDDED.contains(&name);
            (name, if lidded { Role::Lidded } else { Role::Surface })
        })
    }
}

/// Every kind of room.
pub(super) const ROOMS: [RoomKind; 12] = [
    RoomKind { name: "kitchen", furniture: ["table", "cupboard", "drawer"] },
    RoomKind { name: "bathroom", furniture: ["cupboard", "basket", "shelf"] },
    RoomKind { name: "bedroom", furniture: ["bed", "drawer", "chest"] },
    RoomKind { name: "study", furniture: ["desk", "shelf", "drawer"] },
    RoomKind { name: "lounge", furniture: ["sofa", "table", "cupboard"] },
    RoomKind { name: "pantry", furniture: ["shelf", "crate", "cupboard"] },
    RoomKind { name: "laundry", furniture: ["basket", "shelf", "bench"] },
    RoomKind { name: "garage", furniture: ["bench", "crate", "shelf"] },
    RoomKind { name: "attic", furniture: ["chest", "crate", "table"] },
    RoomKind { name: "cellar", furniture: ["crate", "shelf", "bench"] },
    RoomKind { name: "nursery", furniture: ["bed", "chest", "basket"] },
    RoomKind { name: "porch", furniture: ["bench", "basket", "table"] },
];

/// Every kind of thing.
pub(super) const THINGS: [ThingKind; 12] = [
    thing("mug", "mugs", ["kitchen", "lounge", "study"], true, true),
    thing("plate", "plates", ["kitchen", "pantry", "porch"], true, true),
    thing("pear", "pears", ["kitchen", "pantry", "cellar"], true, true),
    thing("potato", "potatoes", ["kitchen", "pantry", "cellar"], true, true),
    thing("bun", "buns", ["kitchen", "pantry", "lounge"], false, true),
    thing("book", "books", ["study", "lounge", "bedroom"], false, false),
    thing("towel", "towels", ["bathroom", "laundry", "porch"], true, false),
    thing("shirt", "shirts", ["bedroom", "laundry", "attic"], true, false),
    thing("key", "keys", ["porch", "garage", "study"], false, false),
    thing("candle", "candles", ["lounge", "attic", "bathroom"], false, false),
    thing("doll", "dolls", ["nursery", "attic", "bedroom"], true, false),
    thing("hammer", "hammers", ["garage", "cellar", "laundry"], false, false),
];

const fn thing(
    name: &'static str,
    plural: &'static str,
    homes: [&'static str; 3],
    washable: bool,
    food: bool,
) -> ThingKind {
    ThingKind { name, plural, homes, washable, food }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_rooms_and_every_room_is_home_to_something() {
        let names = ROOMS.map(|room| room.name);
        let homes = THINGS.iter().flat_map(|thing| thing.homes);
        let appliances = Role::APPLIANCES.iter().filter_map(|role| role.appliance());
        let homes: Vec<_> = homes.chain(appliances.flat_map(|it| it.1.iter().copied())).collect();
        assert!(homes.iter().all(|home| names.contains(home)));
        assert!(names.iter().all(|name| homes.contains(name)));
    }
}
