//! Messages of a conversation.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What the content of a message has to be.
const CONTENT: &str = "the content of a message must be a string, or a list of parts such as \
    {\"type\": \"text\", \"text\": \"...\"}";

/// A message: `role`, `content` (a text, or parts of type text; null or absent beside tool calls),
/// `tool_calls`, `name`, `tool_call_id`. Other fields (`reasoning_content`, ...) are passed on to the
/// template, and all keep their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
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
}

impl TryFrom<Map<String, Value>> for Message {
    type Error = String;

    fn try_from(fields: Map<String, Value>) -> Result<Self, String> {
        if !fields.get("role").is_some_and(Value::is_string) {
            return Err("a message needs a role: system, user, assistant or tool".to_owned());
        }
        match fields.get("content") {
            None | Some(Value::Null | Value::String(_)) => {}
            Some(Value::Array(parts)) => parts.iter().enumerate().try_for_each(check)?,
            Some(_) => return Err(CONTENT.to_owned()),
        }
        let calls =
            |calls: &Value| calls.as_array().is_some_and(|it| it.iter().all(Value::is_object));
        let field = |field, expected, holds: &dyn Fn(&Value) -> bool| match fields.get(field) {
            Some(value) if !value.is_null() && !holds(value) => {
                Err(format!("{field} of a message must be {expected}"))
            }
            _ => Ok(()),
        };
        field("tool_calls", "a list of objects", &calls)?;
        field("tool_call_id", "a string", &Value::is_string)?;
        field("name", "a string", &Value::is_string)?;
        Ok(Self(fields))
    }
}

fn check((index, part): (usize, &Value)) -> Result<(), String> {
    match part.get("type").and_then(Value::as_str) {
        Some("text") if part_text(part).is_some() => Ok(()),
        None | Some("text") => Err(CONTENT.to_owned()),
        Some(other) => Err(format!(
            "part {index} of a message's content is of type {other}; only text is supported"
        )),
    }
}

fn part_text(part: &Value) -> Option<&str> {
    part.get("text").and_then(Value::as_str)
}
