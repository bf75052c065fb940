//! Game errors: why a file is refused, and where.

use crate::json_error::locate_json_error;

/// A part of a game file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Part {
    /// The JSON object itself.
    #[error("file")]
    File,
    /// Types, predicates, actions.
    #[error("pddl_domain")]
    Domain,
    /// Objects, initial facts, goal.
    #[error("pddl_problem")]
    Problem,
    /// The texts.
    #[error("grammar")]
    Grammar,
}

/// A game file that cannot be played: the part, the place in it, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{part}{}: {problem}", self.place())]
pub struct GameError {
    part: Part,
    at: Option<(usize, usize)>,
    problem: String,
}

impl GameError {
    /// A problem of a part as a whole.
    pub(crate) fn new(part: Part, problem: impl Into<String>) -> Self {
        Self { part, at: None, problem: problem.into() }
    }

    /// A problem at a byte of a part's text.
    pub(crate) fn at(part: Part, text: &str, byte: usize, problem: impl Into<String>) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before.chars().rev().take_while(|&it| it != '\n').count() + 1;
        Self { part, at: Some((line, column)), problem: problem.into() }
    }

    /// A problem of JSON that begins after `lines` lines of a part's text.
    pub(crate) fn json(part: Part, lines: usize, error: &serde_json::Error) -> Self {
        let (line, column, problem) = locate_json_error(error);
        Self { part, at: Some((lines + line, column)), problem }
    }

    fn place(&self) -> String {
        self.at.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default()
    }
}
