//! Enums whose choices have names in addresses and files: themes, parts of the arithmetic, parts of the page.

use super::{Key, key_of};

/// Declares an enum by its choices and their names; one more choice may have names of another kind.
macro_rules! named {
    ($(#[$meta:meta])* $kind:ident {
        $($(#[$doc:meta])* $choice:ident = $name:literal,)+
        $(| $(#[$more:meta])* $other:ident($of:ty),)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum $kind {
            $($(#[$doc])* $choice,)+
            $($(#[$more])* $other($of),)?
        }

        impl $kind {
            /// All, in order, but those that have names of another kind.
            pub(crate) const ALL: [Self; [$($name),+].len()] = [$(Self::$choice),+];

            /// Its name.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$choice => $name,)+
                    $(Self::$other(name) => name,)?
                }
            }

            /// What a name stands for.
            pub(crate) fn of_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|own| own.name() == name)
            }
        }
    };
}

pub(crate) use named;

named! {
    /// Light, dark, or what the system says.
    #[derive(Default)]
    Theme {
        /// What the system says.
        #[default]
        Auto = "auto",
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

named! {
    /// A part of the arithmetic, in the order in which an advantage comes about.
    Phase {
        /// Rewards become returns.
        Returns = "returns",
        /// Steps are grouped, level by level.
        Groups = "groups",
        /// Every group gives an advantage.
        Levels = "levels",
        /// Levels get weights.
        Weights = "weights",
        /// The weighted sum.
        Sum = "sum",
    }
}

impl Phase {
    /// The part after one, or the first; none after the last.
    pub(crate) fn after(phase: Option<Self>) -> Option<Self> {
        let next = phase.map_or(0, |phase| phase as usize + 1);
        Self::ALL.get(next).copied()
    }

    /// The part before one; before the whole comes the last part, before the first none.
    pub(crate) fn before(phase: Option<Self>) -> Option<Self> {
        let place = phase.map_or(Self::ALL.len(), |phase| phase as usize);
        Self::ALL.get(place.checked_sub(1)?).copied()
    }
}

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
        /// The graph of states.
        Graph = "graph",
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
    const OTHERS: usize = 9;

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

#[cfg(test)]
mod tests {
    use super::Phase;

    #[test]
    fn parts_follow_one_another_and_end_at_the_whole() {
        let mut phase = None;
        for expected in Phase::ALL {
            phase = Phase::after(phase);
            assert_eq!(phase, Some(expected));
        }
        assert_eq!(Phase::after(phase), None);
        assert_eq!(Phase::before(None), Some(Phase::Sum));
        assert_eq!(Phase::before(Some(Phase::Groups)), Some(Phase::Returns));
        assert_eq!(Phase::before(Some(Phase::Returns)), None);
    }
}
