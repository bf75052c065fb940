//! The parts of the page that its head leads to.

use super::Place;

/// A part of the page that its head leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The reader's own work: an example or a file, with every control.
    #[default]
    Explore,
    /// The lessons: the choice of them, or a stop of one.
    Learn(Option<Place>),
}

impl Tab {
    /// The stop of the lesson that is taken, if one is.
    pub(crate) fn place(self) -> Option<Place> {
        match self {
            Self::Explore => None,
            Self::Learn(place) => place,
        }
    }
}
