//! Chat format: prompts for language models, a conversation in the model's own chat template.
//!
//! What is said comes from a [`Briefing`]: messages as Jinja templates, and the [`AnswerContract`] that an
//! answer has to keep. If a prompt is longer than allowed, the oldest steps are left out first, then
//! the beginning of the observation; the task stays.

mod answer_contract;
mod briefing;

use std::sync::Arc;

use hgpo_env::Observation;
use jiff::civil::{DateTime, datetime};

pub use self::answer_contract::AnswerContract;
use self::briefing::Scene;
pub use self::briefing::{Briefing, BriefingError};
use super::prompt_format::{
    ConversationFormat, ParsedResponse, PromptError, PromptFormat, RememberedStep, SpokenMessage,
    StopCondition,
};
use crate::models::chat::{ChatTemplates, Conversation, Message};
use crate::models::tokenizer::{SpecialTokenHandling, StopString, Tokenizer};

/// What templates are told of the time, whenever it is: a prompt is the same on every day.
const NOW: DateTime = datetime(2024, 7, 26, 0, 0, 0, 0);

/// Prompts of a language model.
#[derive(Clone, Debug)]
pub struct ChatFormat {
    /// Texts to tokens and back.
    pub tokenizer: Arc<Tokenizer>,
    /// Conversations to texts.
    pub templates: Arc<ChatTemplates>,
    /// What the model is told.
    pub briefing: Arc<Briefing>,
    /// Past steps in a prompt, at most.
    pub history_length: usize,
    /// Tokens of a prompt, at most.
    pub max_prompt_tokens: usize,
    /// Whether the model is asked to think, if its template can ask for it.
    pub thinking: Option<bool>,
}

impl ChatFormat {
    fn encode(&self, text: &str, special: SpecialTokenHandling) -> Result<Vec<u32>, PromptError> {
        self.tokenizer.encode(text, special).map_err(PromptError::new)
    }

    fn tokens(&self, scene: &Scene<'_>) -> Result<Vec<u32>, PromptError> {
        self.conversation(&self.briefing.messages(scene).map_err(PromptError::new)?)
    }

    fn conversation(&self, messages: &[Message]) -> Result<Vec<u32>, PromptError> {
        let conversation = Conversation::new(messages, NOW).with_thinking(self.thinking);
        let text = self.templates.render(&conversation).map_err(PromptError::new)?;
        let tokens = self.encode(&text, SpecialTokenHandling::Parsed)?;
        if tokens.is_empty() {
            return Err(PromptError::new("the model's chat template produces an empty prompt"));
        }
        Ok(tokens)
    }

    /// Whether a scene fits, and its tokens.
    fn fitting(&self, scene: &Scene<'_>) -> Result<Result<Vec<u32>, usize>, PromptError> {
        let tokens = self.tokens(scene)?;
        let count = tokens.len();
        Ok(if count <= self.max_prompt_tokens { Ok(tokens) } else { Err(count) })
    }

    /// The longest end of the observation that fits.
    fn shortened(&self, mut scene: Scene<'_>) -> Result<Vec<u32>, PromptError> {
        let whole = scene.observation;
        let starts: Vec<usize> =
            whole.char_indices().map(|(at, _)| at).chain([whole.len()]).collect();
        let mut best = None;
        let (mut fits, mut too_long) = (starts.len(), 0);
        let mut least = 0;
        // Of `starts[..fits]` none is known to fit; from `fits` on, all do.
        while too_long < fits {
            let middle = usize::midpoint(too_long, fits);
            scene.observation = &whole[starts[middle]..];
            match self.fitting(&scene)? {
                Ok(tokens) => (best, fits) = (Some(tokens), middle),
                Err(count) => (least, too_long) = (count, middle + 1),
            }
        }
        best.ok_or_else(|| {
            PromptError::new(format!(
                "a prompt takes {least} tokens even without history and observation, and \
                 pretrained.max_prompt_tokens is {}: raise it",
                self.max_prompt_tokens
            ))
        })
    }
}

impl PromptFormat for ChatFormat {
    fn prompt(
        &self,
        instruction: &str,
        memory: &[RememberedStep],
        now: &Observation,
    ) -> Result<Vec<u32>, PromptError> {
        let told = now.actions.describe();
        let scene = |first: usize| Scene {
            task: instruction,
            first,
            history: &memory[first..],
            observation: &now.text,
            admissible: &told,
            agent: now.agent.as_deref(),
        };
        for first in memory.len().saturating_sub(self.history_length)..=memory.len() {
            if let Ok(tokens) = self.fitting(&scene(first))? {
                return Ok(tokens);
            }
        }
        self.shortened(scene(memory.len()))
    }

    /// As much of its end as a prompt may have.
    fn observation(&self, text: &str) -> Result<Vec<u32>, PromptError> {
        let tokens = self.encode(text, SpecialTokenHandling::Text)?;
        Ok(tokens[tokens.len().saturating_sub(self.max_prompt_tokens)..].to_vec())
    }

    fn response(&self, _now: &Observation, action: &str) -> Result<Vec<u32>, PromptError> {
        let text = self.briefing.contract.response(action);
        let tokens = self.encode(&text, SpecialTokenHandling::Text)?;
        if tokens.is_empty() {
            return Err(PromptError::new(format!(
                "the model's tokenizer turns the answer {text:?} into no tokens"
            )));
        }
        Ok(tokens)
    }

    /// With a token that ends a turn, or with the text that ends an action.
    fn stop_condition(&self) -> StopCondition<'_> {
        let mut decoding = self.tokenizer.decoding_text();
        let mut stop = StopString::new(AnswerContract::STOP);
        Box::new(move |token| {
            // A text that cannot be decoded is not ended by its words; reading it reports why.
            let text = decoding.push(token).unwrap_or_default();
            self.tokenizer.is_eos(token) || stop.push(&text)
        })
    }

    fn parse_response(
        &self,
        _now: &Observation,
        response: &[u32],
    ) -> Result<ParsedResponse, PromptError> {
        let text = self.tokenizer.decode_text(response).map_err(PromptError::new)?;
        Ok(self.briefing.contract.read(text))
    }

    fn prompt_text(&self, prompt: &[u32]) -> Result<Option<String>, PromptError> {
        self.tokenizer.decode(prompt).map(Some).map_err(PromptError::new)
    }

    fn token_texts(&self, response: &[u32]) -> Result<Option<Vec<String>>, PromptError> {
        let mut decoding = self.tokenizer.decoding();
        let texts = response.iter().map(|&token| decoding.push(token));
        let mut texts: Vec<String> = texts.collect::<Result<_, _>>().map_err(PromptError::new)?;
        if let Some(last) = texts.last_mut() {
            last.push_str(&decoding.finish().map_err(PromptError::new)?);
        }
        Ok(Some(texts))
    }

    fn conversations(&self) -> Option<&dyn ConversationFormat> {
        Some(self)
    }
}

impl ConversationFormat for ChatFormat {
    fn prompt(&self, messages: &[SpokenMessage]) -> Result<Vec<u32>, PromptError> {
        let message = |(role, content): &SpokenMessage| Message::new(role, content);
        let tokens = self.conversation(&messages.iter().map(message).collect::<Vec<_>>())?;
        let (count, most) = (tokens.len(), self.max_prompt_tokens);
        if count > most {
            return Err(PromptError::new(format!(
                "a prompt takes {count} tokens, and pretrained.max_prompt_tokens is {most}: raise it"
            )));
        }
        Ok(tokens)
    }

    fn text(&self, response: &[u32]) -> Result<String, PromptError> {
        self.tokenizer.decode_text(response).map_err(PromptError::new)
    }

    fn is_end(&self, token: u32) -> bool {
        self.tokenizer.is_eos(token)
    }
}
