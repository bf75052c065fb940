//! Turns of the assistant: the steps of a conversation, whose messages are a list, or a tree where it was resumed from
//! an earlier point.
//!
//! In a tree a turn is a step once, in the order of the messages, and its state is what was said on its own path from
//! the beginning. A branch is not an attempt of its own: it would have the reward of the others once more.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::cell::Cell;
use super::columns::REQUIRED;
use super::line_notes::{LineNotes, StepPlace};
use super::messages::StateOf;
use super::turn_rewards::set_rewards;
use crate::error::Problem;
use crate::rollout::Step;
use crate::rollout::fields::{VALID, check_spelling};
use crate::text::json::{canonical, describe, read_json};

/// Where a message comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was there at the beginning: what an assistant says in it is an example.
    Prompt,
    /// A turn that another place of the log has, or what was answered to it.
    Past,
    /// It was said in the conversation.
    Rollout,
}

/// A message and the one before it.
pub(super) struct Message {
    pub(super) fields: Map<String, Value>,
    pub(super) before: Option<usize>,
    pub(super) origin: Origin,
    /// Where its object stands in the line.
    pub(super) place: StepPlace,
}

impl Message {
    fn role(&self) -> &str {
        self.fields.get("role").and_then(Value::as_str).unwrap_or_default()
    }

    fn is_of_assistant(&self) -> bool {
        self.role() == "assistant"
    }

    fn is_own(&self) -> bool {
        self.is_of_assistant() && self.origin == Origin::Rollout
    }

    /// Its text; of a list of parts, that of each, and what is no text as JSON.
    fn content(&self) -> Result<String, Problem> {
        let part = |part: &Value| match (part.get("text"), part) {
            (Some(Value::String(text)), _) | (_, Value::String(text)) => text.clone(),
            (_, other) => written(other),
        };
        match self.fields.get("content") {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Array(parts)) => Ok(parts.iter().map(part).collect::<Vec<_>>().join("\n")),
            Some(other) => {
                Err(Problem::wrong_type("content", "text, or a list of parts", describe(other)))
            }
        }
    }

    /// Its calls of tools.
    fn calls(&self) -> impl Iterator<Item = Value> {
        self.fields.get("tool_calls").and_then(Value::as_array).into_iter().flatten().map(call)
    }

    /// Whether it says that it was not finished.
    fn is_cut(&self) -> bool {
        is_cut_off(&self.fields)
    }
}

/// Whether an object says that a response was not finished.
pub(super) fn is_cut_off(object: &Map<String, Value>) -> bool {
    object.get("finish_reason").and_then(Value::as_str) == Some("length")
        || object.get("truncated") == Some(&Value::Bool(true))
}

/// The fields of a message.
///
/// # Errors
/// One that is no object with a role.
pub(super) fn object(message: Value, field: &str) -> Result<Map<String, Value>, Problem> {
    let found = match message {
        Value::Object(fields) if fields.get("role").is_some_and(Value::is_string) => {
            return Ok(fields);
        }
        Value::Object(_) => "one without a text `role`".to_owned(),
        other => describe(&other),
    };
    Err(Problem::wrong_type(field, "a message with `role` and `content`", found))
}

/// The messages of a conversation.
#[derive(Default)]
pub(super) struct Conversation {
    messages: Vec<Message>,
    /// The first message of the list that comes next.
    from: usize,
    /// The object that the messages of this list are of, if it is none of their own.
    holder: Option<StepPlace>,
    /// Whether messages say which one they come after.
    is_tree: bool,
}

impl Conversation {
    /// Adds the messages of a list, each after the one before it.
    ///
    /// # Errors
    /// One that is no object with a role.
    pub(super) fn append(
        &mut self,
        list: Vec<Value>,
        field: &str,
        origin: Origin,
    ) -> Result<(), Problem> {
        let name: Rc<str> = field.into();
        for (place, message) in list.into_iter().enumerate() {
            let fields = object(message, &format!("{field}[{place}]"))?;
            let place = self.holder.clone().unwrap_or_else(|| vec![(Rc::clone(&name), place)]);
            let before = self.messages.len().checked_sub(1).filter(|before| *before >= self.from);
            self.messages.push(Message { fields, before, origin, place });
        }
        Ok(())
    }

    /// Adds a message after another one.
    pub(super) fn push(&mut self, message: Message) {
        self.is_tree = true;
        self.messages.push(message);
    }

    /// Begins a list that does not come after the last one, of an object that holds the step.
    pub(super) fn begin_list(&mut self, holder: StepPlace) {
        (self.from, self.holder) = (self.messages.len(), Some(holder));
    }

    /// The messages of the list that was begun last.
    pub(super) fn list(&mut self) -> &mut [Message] {
        &mut self.messages[self.from..]
    }

    /// Puts each message after the one whose `id` its `parent_id` is, if messages have such.
    ///
    /// # Errors
    /// An `id` that two messages have; a `parent_id` that none before it has.
    pub(super) fn link(&mut self, field: &str) -> Result<(), Problem> {
        fn of<'a>(message: &'a Message, name: &str) -> Option<&'a Value> {
            message.fields.get(name).filter(|value| !value.is_null())
        }
        if self.messages.iter().all(|message| of(message, "parent_id").is_none()) {
            return Ok(());
        }
        self.is_tree = true;
        let mut places = HashMap::new();
        for (at, message) in self.messages.iter_mut().enumerate() {
            let parent = of(message, "parent_id");
            let before = parent.and_then(|parent| places.get(&written(parent)).copied());
            if let (Some(parent), None) = (parent, before) {
                let name = format!("{field}[{at}].parent_id");
                let found = describe(parent);
                return Err(Problem::wrong_type(&name, "the `id` of a message before it", found));
            }
            message.before = before;
            let id = of(message, "id").map(written);
            if id.is_some_and(|id| places.insert(id, at).is_some()) {
                let twice = format!("`{field}[{at}].id` is that of another message before it");
                return Err(Problem::DuplicateField(twice));
            }
        }
        Ok(())
    }

    /// Whether the assistant says anything.
    pub(super) fn has_turns(&self) -> bool {
        self.messages.iter().any(Message::is_own)
    }

    /// What the first user says.
    pub(super) fn first_question(&self) -> Option<String> {
        self.messages.iter().find(|message| message.role() == "user")?.content().ok()
    }

    /// The steps, with the reward of the conversation: one a step, or one of them all. One turn was cut off at least, if
    /// the whole conversation says so.
    ///
    /// # Errors
    /// Content that is neither text nor a list of parts; rewards that are missing, or that do not agree.
    pub(super) fn steps<'a>(
        &self,
        state_of: StateOf,
        reward: Option<(Cell, String)>,
        names: impl Iterator<Item = &'a str>,
        is_cut_off: bool,
        notes: &mut LineNotes,
    ) -> Result<Vec<Step>, Problem> {
        let followers = followers(&self.messages);
        let cut_off = notes.warnings.cut_off;
        let mut turns = turns(&self.messages, &followers, state_of, notes)?;
        notes.warnings.cut_off = notes.warnings.cut_off.max(cut_off + usize::from(is_cut_off));
        let own = turns.iter().filter(|turn| turn.reward.is_some()).count();
        let is_list = matches!(reward, Some((Cell::Json(Value::Array(_)), _)));
        let has_branches = self.is_tree && followers.iter().any(|&count| count > 1);
        if (own > 0 || is_list) && has_branches {
            let found =
                "one a turn (write branches with rewards of their own as lines of their own)";
            let [.., field] = REQUIRED;
            let one = "one number of the line, as its messages branch";
            return Err(Problem::wrong_type(field, one, found.to_owned()));
        }
        set_rewards(&mut turns, own, reward, names)?;
        Ok(turns.into_iter().map(|turn| turn.step).collect())
    }
}

/// What messages show: the text of a single one, several as JSON with their roles. Identifiers of calls, which differ
/// between attempts, are no part of it.
fn observation(messages: &[&Message]) -> Result<String, Problem> {
    if let [only] = messages
        && only.calls().next().is_none()
    {
        return only.content();
    }
    let shown = messages.iter().map(|message| {
        let mut shown = json!({ "role": message.role(), "content": message.content()? });
        let calls: Vec<Value> = message.calls().collect();
        if !calls.is_empty() {
            shown["tool_calls"] = calls.into();
        }
        Ok(shown)
    });
    Ok(written(&shown.collect::<Result<Value, Problem>>()?))
}

/// A value as its one text.
fn written(value: &Value) -> String {
    canonical(value).unwrap_or_else(|_| value.to_string())
}

/// A call of a tool, without its identifier; it may be JSON as text, and so may its arguments.
fn call(call: &Value) -> Value {
    let read = |text: &str| read_json(text).unwrap_or_else(|_| text.into());
    let mut call = call.as_str().map_or_else(|| call.clone(), read);
    if let Some(fields) = call.as_object_mut() {
        fields.remove("id");
    }
    let function = call.get("function").unwrap_or(&call);
    let Some(name) = function.get("name") else { return call };
    let arguments = match function.get("arguments") {
        Some(Value::String(text)) => read(text),
        Some(other) => other.clone(),
        None => Value::Null,
    };
    json!({ "name": name, "arguments": arguments })
}

/// What the assistant does in a turn: its calls of tools, or what it says.
fn action(turn: &[&Message]) -> Result<String, Problem> {
    let calls: Vec<Value> = turn.iter().flat_map(|message| message.calls()).collect();
    match &calls[..] {
        [] => {
            let said = turn.iter().map(|message| message.content());
            let said = said.collect::<Result<Vec<_>, _>>()?;
            Ok(said.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n"))
        }
        [only] => Ok(written(only)),
        several => Ok(written(&Value::from(several))),
    }
}

/// How many messages come after each, and, last, after none.
fn followers(messages: &[Message]) -> Vec<usize> {
    let mut followers = vec![0; messages.len() + 1];
    for message in messages {
        followers[message.before.unwrap_or(messages.len())] += 1;
    }
    followers
}

/// A turn of the assistant.
pub(super) struct Turn {
    pub(super) step: Step,
    /// What its messages say.
    pub(super) reward: Option<f64>,
}

/// The assistant's turns: what it says without an answer in between is one.
fn turns(
    messages: &[Message],
    followers: &[usize],
    state_of: StateOf,
    notes: &mut LineNotes,
) -> Result<Vec<Turn>, Problem> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    // Which turn a message ends.
    let mut ended: Vec<Option<usize>> = vec![None; messages.len()];
    for (at, message) in messages.iter().enumerate().filter(|(_, message)| message.is_own()) {
        let before = message.before.and_then(|before| ended[before].take());
        let turn = before.unwrap_or(parts.len());
        match parts.get_mut(turn) {
            Some(part) => part.push(at),
            None => parts.push(vec![at]),
        }
        ended[at] = Some(turn);
    }
    let turn = |part: &Vec<usize>| {
        let turn: Vec<&Message> = part.iter().map(|&at| &messages[at]).collect();
        notes.push_place(|| turn[turn.len() - 1].place.clone());
        let (step, reward) = read_turn(&turn, state(messages, turn[0], state_of)?)?;
        let is_empty = step.action.as_deref() == Some("") && followers[part[part.len() - 1]] == 0;
        notes.warnings.cut_off +=
            usize::from(is_empty || turn.iter().any(|message| message.is_cut()));
        Ok(Turn { step, reward })
    };
    parts.iter().map(turn).collect()
}

/// The state of a turn that begins with a message.
fn state(messages: &[Message], turn: &Message, state_of: StateOf) -> Result<String, Problem> {
    let before = |message: &Message| message.before.map(|before| &messages[before]);
    // Back to the first one.
    let path = || std::iter::successors(before(turn), |message| before(message));
    let is_turn =
        |message: &&Message| message.is_of_assistant() && message.origin != Origin::Prompt;
    let mut seen: Vec<&Message> = match state_of {
        StateOf::Transcript => path().collect(),
        _ => path().take_while(|message| !is_turn(message)).collect(),
    };
    if state_of == StateOf::ToolResult
        && let Some(result) = path().find(|message| message.role() == "tool")
    {
        return result.content();
    }
    seen.reverse();
    observation(&seen)
}

/// The step of a turn, and the reward that its messages say.
fn read_turn(turn: &[&Message], state: String) -> Result<(Step, Option<f64>), Problem> {
    let mut step = Step::new(state, 0.0).with_action(action(turn)?);
    let mut reward = None;
    for message in turn {
        let (names, heeded) = (message.fields.keys().map(String::as_str), ["reward", VALID]);
        check_spelling(names, &heeded.into_iter(), |field| !message.fields.contains_key(field))?;
        let cell = |name: &str| {
            message.fields.get(name).filter(|value| !value.is_null()).cloned().map(Cell::Json)
        };
        if let Some(own) = cell("reward") {
            reward = Some(reward.unwrap_or(0.0) + own.number("reward")?);
        }
        if let Some(valid) = cell(VALID) {
            step.valid &= valid.flag(VALID)?.unwrap_or(true);
        }
    }
    Ok((step, reward))
}
