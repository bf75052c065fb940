//! Errors of rendering a conversation.

use std::borrow::Cow;

use minijinja::{Error, ErrorKind};

/// A conversation that cannot be rendered, or a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// There is no template.
    #[error(
        "the model has no chat template: use a text instead of messages, or put a \
         chat_template.jinja into its folder"
    )]
    NoTemplate,
    /// There are templates, but none that is taken by itself.
    #[error("the model has chat templates named {0}, but none named default")]
    NoDefault(String),
    /// `tokenizer_config.json` is not the JSON that it should be.
    #[error("tokenizer_config.json:{line}:{column}: {problem}; the file is damaged or cut short")]
    Config {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// The template is not Jinja.
    #[error(
        "chat template, line {line}: {problem}; the template is damaged, or needs a newer Jinja"
    )]
    Syntax {
        /// Line of the template, from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// The template refuses the conversation (`raise_exception`).
    #[error("the chat template refuses the conversation (line {line}): {message}")]
    Refused {
        /// Line of the template, from 1.
        line: usize,
        /// What the template says.
        message: String,
    },
    /// The template fails on the conversation.
    #[error("chat template, line {line}: {problem}")]
    Render {
        /// Line of the template, from 1.
        line: usize,
        /// What went wrong.
        problem: String,
    },
    /// The template takes too many steps, or writes too much.
    #[error("chat template, line {line}: stopped after {limit}: the template does not seem to end")]
    Endless {
        /// Line of the template, from 1.
        line: usize,
        /// What it ran into.
        limit: &'static str,
    },
    /// The engine that renders templates failed.
    #[error("the template engine failed: {0}; this is a bug in the engine, not in the template")]
    Engine(String),
    /// The system has no thread for a template.
    #[error("cannot start a thread for the chat template: {0}")]
    Thread(String),
}

/// The error of an operation that a value does not have, or not with such arguments.
pub(super) fn invalid(problem: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidOperation, problem)
}
