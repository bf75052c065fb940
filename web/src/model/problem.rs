//! Problems that the page says, until the reader does something that could have caused one.

use super::{Cell, Key, Refusal, lesson, share};

/// What went wrong, and beside which control to say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A file could not be taken over: its name, what is wrong with it, where, and what to do.
    File { name: String, message: String },
    /// A control does not admit what was typed.
    Control(Key),
    /// The rollouts have not what a control would ask of them: what, and where.
    Unfit(Key, String),
    /// The rollouts cannot be changed that way.
    Edit(Cell, Refusal),
    /// A link cannot be opened.
    Link(share::Fault),
    /// A lesson cannot be opened: its name, the step that was asked for, and what is wrong with a lesson of one's own;
    /// none where one of the page's could not be loaded.
    Lesson { name: String, step: Option<usize>, fault: Option<lesson::own::Fault> },
    /// A file could not be read, as what reads files could not be loaded: its name.
    NotRead(String),
    /// A file is not there, or there is no connection: its address.
    Missing(String),
    /// A file is not on the page's own host: its address.
    Elsewhere(String),
}
