//! The parts of the page that a link can leave out.

use super::{Key, key_of};

/// A part of the page that a link can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Title, undo, language, theme.
    Masthead,
    /// The choice of a lesson.
    Lessons,
    /// The choice of an example, a file and a task.
    Sources,
    /// The controls of the estimator.
    Controls,
    /// What there is to see in an example.
    Note,
    /// What changes the rollouts.
    Editor,
    /// The panel that explains a step.
    Panel,
    /// The comparison of estimators.
    Comparison,
    /// The map that is learned in, with the ways through it.
    World,
    /// What is set of a training.
    Dials,
    /// The estimators that learn.
    Lanes,
    /// What they have come to over the iterations.
    Chart,
    /// What they do in a place of the map.
    Place,
    /// The map of settings.
    Study,
    /// What starts and stops them.
    Bar,
    /// One control of the estimator.
    Control(Key),
}

impl Part {
    /// Every part but the single controls, with its name in links.
    pub(crate) const ALL: [(Self, &str); 15] = [
        (Self::Masthead, "masthead"),
        (Self::Lessons, "lessons"),
        (Self::Sources, "sources"),
        (Self::Controls, "controls"),
        (Self::Note, "note"),
        (Self::Editor, "editor"),
        (Self::Panel, "panel"),
        (Self::Comparison, "comparison"),
        (Self::World, "world"),
        (Self::Dials, "dials"),
        (Self::Lanes, "lanes"),
        (Self::Chart, "chart"),
        (Self::Place, "place"),
        (Self::Study, "study"),
        (Self::Bar, "bar"),
    ];

    /// How many of them there are without those of training.
    const OTHERS: usize = 8;

    /// The parts of training.
    pub(crate) fn of_training() -> impl Iterator<Item = Self> {
        Self::ALL[Self::OTHERS..].iter().map(|(part, _)| *part)
    }

    /// The parts that a page can be shared without, which `trains` or does not.
    pub(crate) fn offered(trains: bool) -> Vec<Self> {
        if trains {
            std::iter::once(Self::Masthead).chain(Self::of_training()).collect()
        } else {
            Self::ALL[..Self::OTHERS].iter().map(|(part, _)| *part).collect()
        }
    }

    /// Its name in links.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Control(key) => key,
            part => Self::ALL.iter().find(|(known, _)| *known == part).map_or("", |(_, name)| name),
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        let part = Self::ALL.iter().find(|(_, known)| *known == name).map(|(part, _)| *part);
        part.or_else(|| key_of(name).map(Self::Control))
    }
}
