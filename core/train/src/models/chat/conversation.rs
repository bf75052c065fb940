//! Conversation: what a template is given.

use jiff::civil::DateTime;
use minijinja::Value as JinjaValue;
use minijinja::value::Serde;
use serde_json::{Map, Value};

use super::error::invalid;
use super::message::Message;

/// Bytes of a format; a date and a time take twenty.
const LONGEST_FORMAT: usize = 1000;

/// A conversation to be rendered.
#[derive(Clone, Debug)]
pub struct Conversation<'a> {
    /// What was said so far.
    pub messages: &'a [Message],
    /// JSON schemas of functions that the model may call; `None` if there are none.
    pub tools: Option<&'a [Value]>,
    /// Whether the text ends with the beginning of the model's turn.
    pub add_generation_prompt: bool,
    /// The time that `strftime_now` tells.
    pub now: DateTime,
    /// Other variables of the template, such as `enable_thinking` or `documents`; they come before all others.
    pub variables: Map<String, Value>,
}

impl<'a> Conversation<'a> {
    /// Messages alone, with the beginning of the model's turn.
    #[must_use]
    pub fn new(messages: &'a [Message], now: DateTime) -> Self {
        Self { messages, tools: None, add_generation_prompt: true, now, variables: Map::new() }
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

    /// The variables of a template; if a name comes twice, the last counts.
    pub(super) fn variables(&self, tokens: &Map<String, Value>) -> JinjaValue {
        let now = self.now;
        let given = [
            ("messages", Serde(self.messages).into()),
            ("tools", Serde(self.tools).into()),
            ("documents", JinjaValue::from(())),
            ("add_generation_prompt", JinjaValue::from(self.add_generation_prompt)),
            (
                "strftime_now",
                JinjaValue::from_function(move |format: String| strftime(&format, now)),
            ),
        ];
        let given = given.map(|(name, value)| (name.to_owned(), value));
        let named = |map: &Map<String, Value>| {
            let entry =
                |(name, value): (&String, _)| (name.clone(), JinjaValue::from(Serde(value)));
            map.iter().map(entry).collect::<Vec<_>>()
        };
        let tokens = named(tokens);
        JinjaValue::from_pairs(tokens.into_iter().chain(given).chain(named(&self.variables)))
    }
}

/// `strftime_now`: writes a time as Python does if no locale is set.
fn strftime(format: &str, now: DateTime) -> Result<String, minijinja::Error> {
    if format.len() > LONGEST_FORMAT {
        return Err(invalid(format!("strftime_now takes formats of up to {LONGEST_FORMAT} bytes")));
    }
    jiff::fmt::strtime::format(spelled_out(format), now)
        .map_err(|error| invalid(format!("strftime_now cannot write {format:?}: {error}")))
}

/// Directives that depend on the locale, or on a time zone, which a time of Python's `now` has not.
fn spelled_out(format: &str) -> String {
    let mut out = String::with_capacity(format.len());
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('c') => out.push_str("%a %b %e %H:%M:%S %Y"),
            Some('x') => out.push_str("%m/%d/%y"),
            Some('X') => out.push_str("%H:%M:%S"),
            Some('f') => out.push_str("%6f"),
            Some('Z' | 'z') => {}
            directive => {
                out.push('%');
                out.extend(directive);
            }
        }
    }
    out
}
