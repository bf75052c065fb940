//! Chat template: one text of Jinja, compiled.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::sync::Arc;

use minijinja::machinery::{eval, make_string_output};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Value};
use serde_json::Map;

use super::budgeted_instructions::{check_constants, compile};
use super::conversation::Conversation;
use super::error::ChatError;
use super::generation_tag::{plain, tags};
use super::jinja_environment::{Raised, environment, syntax};
use super::render_budget::{BudgetExhausted, RenderBudget};
use crate::models::panic_text;

/// Name of the template within its environment.
const NAME: &str = "chat";
/// Bytes of a template, of which those in use have up to 20,000.
const LONGEST_SOURCE: usize = 128 << 10;
/// Bytes of a tag: a chain of operators in it is compiled by recursion, and the stack has an end.
const LONGEST_TAG: usize = 8 << 10;

/// Bytes of the stack on which templates are compiled and rendered; pages that are not used take no memory.
const STACK: usize = 64 << 20;

/// A chat template, ready to render conversations.
#[derive(Debug)]
pub struct ChatTemplate {
    source: String,
    /// What is asked about the template; it is rendered in an environment of its own.
    jinja: Environment<'static>,
}

impl ChatTemplate {
    /// Reads a template.
    ///
    /// # Errors
    /// When it is not Jinja, is longer than 128 KiB, or has a tag of more than 8 KiB.
    pub fn parse(source: &str) -> Result<Self, ChatError> {
        check_length(source)?;
        on_large_stack(|| Self::compile(source))
    }

    fn compile(source: &str) -> Result<Self, ChatError> {
        let refused =
            |error: Error| ChatError::Syntax { line: line(&error), problem: problem(&error) };
        let mut jinja = environment(&Arc::default()).map_err(refused)?;
        let source = plain(source).into_owned();
        syntax()
            .and_then(|written| check_constants(&source, written))
            .and_then(|()| jinja.add_template_owned(NAME, source.clone()))
            .map_err(refused)?;
        Ok(Self { source, jinja })
    }

    /// Renders a conversation. `tokens` are the variables that name special tokens (`bos_token`,
    /// `eos_token`, ...).
    ///
    /// # Errors
    /// When the template refuses the conversation, fails, or does not come to an end.
    pub fn render(
        &self,
        conversation: &Conversation<'_>,
        tokens: &Map<String, serde_json::Value>,
    ) -> Result<String, ChatError> {
        let variables = conversation.variables(tokens);
        on_large_stack(|| self.evaluate(variables).map_err(|error| chat_error(&error)))
    }

    /// The variables that it asks for, sorted: those that it does not set, and that no template has.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        let Ok(template) = self.jinja.get_template(NAME) else { return Vec::new() };
        let known = |name: &String| {
            name == "strftime_now" || self.jinja.globals().any(|(global, _)| global == name)
        };
        let asked = on_large_stack(|| Ok(template.undeclared_variables(false))).unwrap_or_default();
        let sorted: BTreeSet<String> = asked.into_iter().filter(|name| !known(name)).collect();
        sorted.into_iter().collect()
    }

    /// Compiled for every rendering, as the instructions borrow the source: a small part of it.
    fn evaluate(&self, variables: Value) -> Result<String, Error> {
        let budget = Arc::new(RenderBudget::of(&variables)?);
        let jinja = environment(&budget)?;
        let (instructions, blocks) = compile(NAME, &self.source, syntax()?)?;
        let mut text = String::new();
        let mut out = make_string_output(&mut text);
        eval(&jinja, &instructions, variables, &blocks, &mut out, AutoEscape::None)?;
        Ok(text)
    }
}

fn check_length(source: &str) -> Result<(), ChatError> {
    let long = |line, what, bytes, most| {
        let problem = format!("{what} has {bytes} bytes; the limit is {most}");
        Err(ChatError::Syntax { line, problem })
    };
    if source.len() > LONGEST_SOURCE {
        return long(1, "the template", source.len(), LONGEST_SOURCE);
    }
    // Nothing is compiled of a comment.
    let mut compiled = tags(source).filter(|tag| !source[tag.start..].starts_with("{#"));
    match compiled.find(|tag| tag.len() > LONGEST_TAG) {
        Some(tag) => {
            let line = source[..tag.start].matches('\n').count() + 1;
            long(line, "a tag", tag.len(), LONGEST_TAG)
        }
        None => Ok(()),
    }
}

fn line(error: &Error) -> usize {
    error.line().unwrap_or(1)
}

/// What is wrong, without the place.
fn problem(error: &Error) -> String {
    let detail = error.detail().unwrap_or_default();
    let kind = error.kind();
    let source = error.source().map(|source| format!(" ({source})")).unwrap_or_default();
    format!("{kind}{}{detail}{source}", if detail.is_empty() { "" } else { ": " })
}

/// An error of a rendering, by its cause.
fn chat_error(error: &Error) -> ChatError {
    let line = line(error);
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        if let Some(Raised(message)) = inner.downcast_ref() {
            return ChatError::Refused { line, message: message.clone() };
        }
        match inner.downcast_ref::<Error>().map(Error::kind) {
            Some(ErrorKind::OutOfFuel) => {
                return ChatError::Endless { line, limit: "a million steps" };
            }
            Some(ErrorKind::WriteFailure) => {
                return ChatError::Endless { line, limit: "64 MiB" };
            }
            _ if inner.is::<BudgetExhausted>() => {
                return ChatError::Endless { line, limit: "128 MiB of values" };
            }
            _ => cause = inner.source(),
        }
    }
    ChatError::Render { line, problem: problem(error) }
}

/// Does something on a stack of its own. Chains of operators and branches are compiled by recursion,
/// and values within values are dropped by recursion: thousands of them, which the limits on templates
/// allow, are too many for the 2 MiB that a thread usually has. A panic of the engine (it has one for
/// an empty text backwards) ends the thread and is an error; nothing half done is left, as templates
/// are never changed and what is written so far is dropped.
///
/// A module of a browser has one thread, whose stack is what it was linked with.
fn on_large_stack<T: Send>(
    work: impl FnOnce() -> Result<T, ChatError> + Send,
) -> Result<T, ChatError> {
    if cfg!(target_family = "wasm") {
        return work();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("chat template".to_owned()).stack_size(STACK);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| {
                let text = panic_text(&*panic).unwrap_or("without a reason");
                Err(ChatError::Engine(text.to_owned()))
            }),
            Err(error) => Err(ChatError::Thread(error.to_string())),
        }
    })
}
