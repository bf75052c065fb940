//! Problems that are told to the reader, until something else is done.

use super::{Cell, Key, Refusal, lesson::own, share};

/// What went wrong, and beside which control to say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A file could not be taken over.
    File {
        /// The file's name.
        name: String,
        /// What is wrong with it, where, and what to do.
        message: String,
    },
    /// A control does not admit what was typed.
    Control(Key),
    /// The rollouts have not what a control would ask of them: what, and where.
    Unfit(Key, String),
    /// The rollouts cannot be changed that way.
    Edit(Cell, Refusal),
    /// A link cannot be opened.
    Link(share::Fault),
    /// A lesson cannot be opened.
    Lesson {
        /// Its name.
        name: String,
        /// The step that was asked for.
        step: Option<usize>,
        /// What is wrong with a lesson of one's own; none where one of the page's could not be loaded.
        fault: Option<own::Fault>,
    },
    /// A file could not be read, as what reads files could not be loaded: its name.
    NotRead(String),
}
