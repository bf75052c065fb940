//! The parts of the page that a link can leave out.

use super::{Key, key_of, named};

named! {
    /// A part of the page that a link can leave out.
    Part {
        /// Title, undo, language, theme.
        Masthead = "masthead",
        /// The choice of a lesson.
        Lessons = "lessons",
        /// The choice of an example, a file and a task.
        Sources = "sources",
        /// The controls of the estimator.
        Controls = "controls",
        /// What there is to see in an example.
        Note = "note",
        /// What changes the rollouts.
        Editor = "editor",
        /// The panel that explains a step.
        Panel = "panel",
        /// The comparison of estimators.
        Comparison = "comparison",
        /// The map that is learned in, with the ways through it.
        World = "world",
        /// What is set of a training.
        Dials = "dials",
        /// The estimators that learn.
        Lanes = "lanes",
        /// What they have come to over the iterations.
        Chart = "chart",
        /// What they do in a place of the map.
        Place = "place",
        /// The map of settings.
        Study = "study",
        /// What starts and stops them.
        Bar = "bar",
        | /// One control of the estimator.
        Control(Key),
    }
}

impl Part {
    /// How many parts there are without those of training.
    const OTHERS: usize = 8;

    /// The parts of training.
    pub(crate) fn of_training() -> impl Iterator<Item = Self> {
        Self::ALL[Self::OTHERS..].iter().copied()
    }

    /// The parts that a page can be shared without, which `trains` or does not.
    pub(crate) fn offered(trains: bool) -> Vec<Self> {
        if trains {
            std::iter::once(Self::Masthead).chain(Self::of_training()).collect()
        } else {
            Self::ALL[..Self::OTHERS].to_vec()
        }
    }

    /// The part, or the control, of a name.
    pub(super) fn read(name: &str) -> Option<Self> {
        Self::of_name(name).or_else(|| key_of(name).map(Self::Control))
    }
}
