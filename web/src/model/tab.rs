//! The parts of the page that its head leads to.

use super::{Chrome, Place};

/// A part of the page that its head leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The reader's own work: an example or a file, with every control.
    #[default]
    Explore,
    /// The reader's own work again: all its tasks in place of the one on the stage.
    Overview,
    /// The lessons: the choice of them, or a stop of one.
    Learn(Option<Place>),
    /// Estimators that learn side by side.
    Train,
}

impl Tab {
    /// The parts that addresses name, apart from the stops of lessons.
    pub(crate) const NAMED: [(&str, Self); 3] =
        [("learn", Self::Learn(None)), ("overview", Self::Overview), (Chrome::TRAIN, Self::Train)];

    /// The stop of the lesson that is taken, if one is.
    pub(crate) fn place(self) -> Option<Place> {
        match self {
            Self::Explore | Self::Overview | Self::Train => None,
            Self::Learn(place) => place,
        }
    }

    /// What addresses call it, if they name it.
    pub(crate) fn name(self) -> Option<&'static str> {
        Self::NAMED.into_iter().find(|(_, tab)| *tab == self).map(|(name, _)| name)
    }

    /// Whether the reader's own work is shown.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Self::Explore | Self::Overview)
    }
}
