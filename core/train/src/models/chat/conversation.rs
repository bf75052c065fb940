//! Conversation: what a template is given.

use jiff::civil::DateTime;
use serde_json::{Map, Value};

use super::message::Message;

/// A conversation to be rendered.
#[derive(Clone, Debug)]
pub struct Conversation<'a> {
    /// What was said so far.
    pub messages: &'a [Message],
    /// JSON schemas of functions that the model may call; `None` if there are none.
    pub tools: Option<&'a [Value]>,
    /// Documents to answer from; `None` if there are none.
    pub documents: Option<&'a [Value]>,
    /// Whether the text ends with the beginning of the model's turn.
    pub add_generation_prompt: bool,
    /// The time that `strftime_now` tells.
    pub now: DateTime,
    /// Other variables of the template, such as `enable_thinking`; they come before all others.
    pub variables: Map<String, Value>,
}

impl<'a> Conversation<'a> {
    /// Messages alone, with the beginning of the model's turn.
    #[must_use]
    pub fn new(messages: &'a [Message], now: DateTime) -> Self {
        Self {
            messages,
            tools: None,
            documents: None,
            add_generation_prompt: true,
            now,
            variables: Map::new(),
        }
    }

    /// The same for a model that is asked to think before it answers, or not to (`enable_thinking`), or as
    /// its template has it.
    #[must_use]
    pub fn with_thinking(mut self, thinking: Option<bool>) -> Self {
        if let Some(thinking) = thinking {
            self.variables.insert("enable_thinking".to_owned(), thinking.into());
        }
        self
    }
}
