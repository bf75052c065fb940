//! Task kinds: what can be asked for.

use super::catalogue::{Role, ThingKind};

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
