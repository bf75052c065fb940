//! Messages of a conversation.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Why an object is not a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// The role is missing or no text.
    #[error("a message needs a role: system, user, assistant or tool")]
    Role,
    /// The content is of another kind.
    #[error(
        "the content of a message must be a string, or a list of parts such as {{\"type\": \"text\", \
         \"text\": \"...\"}}"
    )]
    Content,
    /// A part of the content is no text.
    #[error("part {index} of a message's content is of type {found}; only text is supported")]
    Part {
        /// Its place, from 0.
        index: usize,
        /// Its type.
        found: String,
    },
    /// A field has another type.
    #[error("{field} of a message must be {expected}")]
    Field {
        /// The field.
        field: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
}

/// A message: `role`, `content` (a text, or parts of type text; null or absent beside tool calls),
/// `tool_calls`, `name`, `tool_call_id`. Other fields (`reasoning_content`, ...) are passed on to the
/// template, and all keep their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct Message(Map<String, Value>);

impl Message {
    /// A message of a role with a text.
    #[must_use]
    pub fn new(role: &str, content: &str) -> Self {
        let fields = [("role", role), ("content", content)];
        Self(fields.map(|(name, value)| (name.to_owned(), json!(value))).into_iter().collect())
    }

    /// Who speaks: `system`, `user`, `assistant`, `tool`.
    #[must_use]
    pub fn role(&self) -> &str {
        self.0.get("role").and_then(Value::as_str).unwrap_or_default()
    }

    /// The text, that of its parts put together.
    #[must_use]
    pub fn text(&self) -> String {
        match self.0.get("content") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => parts.iter().filter_map(part_text).collect(),
            _ => String::new(),
        }
    }

    /// All fields, as a template sees them.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }
}

impl TryFrom<Map<String, Value>> for Message {
    type Error = MessageError;

    fn try_from(fields: Map<String, Value>) -> Result<Self, MessageError> {
        if !fields.get("role").is_some_and(Value::is_string) {
            return Err(MessageError::Role);
        }
        match fields.get("content") {
            None | Some(Value::Null | Value::String(_)) => {}
            Some(Value::Array(parts)) => parts.iter().enumerate().try_for_each(check)?,
            Some(_) => return Err(MessageError::Content),
        }
        let calls =
            |calls: &Value| calls.as_array().is_some_and(|it| it.iter().all(Value::is_object));
        let field = |field, expected, holds: &dyn Fn(&Value) -> bool| match fields.get(field) {
            Some(value) if !value.is_null() && !holds(value) => {
                Err(MessageError::Field { field, expected })
            }
            _ => Ok(()),
        };
        field("tool_calls", "a list of objects", &calls)?;
        field("tool_call_id", "a string", &Value::is_string)?;
        field("name", "a string", &Value::is_string)?;
        Ok(Self(fields))
    }
}

impl From<Message> for Map<String, Value> {
    fn from(message: Message) -> Self {
        message.0
    }
}

fn check((index, part): (usize, &Value)) -> Result<(), MessageError> {
    let kind = part.get("type").and_then(Value::as_str).ok_or(MessageError::Content)?;
    if kind != "text" {
        return Err(MessageError::Part { index, found: kind.to_owned() });
    }
    part_text(part).map(|_| ()).ok_or(MessageError::Content)
}

fn part_text(part: &Value) -> Option<&str> {
    part.get("text").and_then(Value::as_str)
}
