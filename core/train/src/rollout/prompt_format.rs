//! Prompt format: texts of an environment to tokens that a policy reads, and its tokens to actions.

use std::error::Error;

use hgpo_env::Observation;

pub use super::memory::{Memories, RememberedStep};

/// A prompt could not be made, or a response not be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PromptError(Box<dyn Error + Send + Sync>);

impl PromptError {
    /// What went wrong.
    #[must_use]
    pub fn new(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(reason.into())
    }
}

/// What a response says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedResponse {
    /// The response as text.
    pub text: String,
    /// The action that is carried out.
    pub action: String,
    /// The response kept the format.
    pub valid: bool,
}

/// Tells where a response ends: takes its next token, and says whether it is the last.
pub type StopCondition<'a> = Box<dyn FnMut(u32) -> bool + 'a>;

/// A message of a conversation: who speaks (`system`, `user`, `assistant`), and what is said.
pub type SpokenMessage = (String, String);

/// Conversations with a language model, for loops that write their prompts themselves.
pub trait ConversationFormat: Sync {
    /// The tokens after which an assistant answers.
    ///
    /// # Errors
    /// When the texts cannot be put into tokens.
    fn prompt(&self, messages: &[SpokenMessage]) -> Result<Vec<u32>, PromptError>;

    /// The text of an answer.
    ///
    /// # Errors
    /// When tokens cannot be put into a text.
    fn text(&self, response: &[u32]) -> Result<String, PromptError>;

    /// Whether a token ends an answer.
    fn is_end(&self, token: u32) -> bool;
}

/// Builds prompts from an episode's memory and reads actions from responses.
pub trait PromptFormat: Send + Sync {
    /// The tokens that a policy reads before it acts; the memory is that of the agent who has to act.
    ///
    /// # Errors
    /// When the texts cannot be put into tokens, or not into few enough.
    fn prompt(
        &self,
        instruction: &str,
        memory: &[RememberedStep],
        now: &Observation,
    ) -> Result<Vec<u32>, PromptError>;

    /// The part of a prompt that a policy reads.
    fn visible<'a>(&self, prompt: &'a [u32]) -> &'a [u32] {
        prompt
    }

    /// The tokens of an observation alone; none if tokens are not of texts.
    ///
    /// # Errors
    /// When the text cannot be put into tokens.
    fn observation(&self, text: &str) -> Result<Vec<u32>, PromptError> {
        let _ = text;
        Ok(Vec::new())
    }

    /// The response that states an action, in answer to an observation.
    ///
    /// # Errors
    /// When the action cannot be put into tokens.
    fn response(&self, now: &Observation, action: &str) -> Result<Vec<u32>, PromptError>;

    /// Where the response that now begins ends.
    fn stop_condition(&self) -> StopCondition<'_>;

    /// Reads a response to an observation.
    ///
    /// # Errors
    /// When tokens cannot be put into a text.
    fn parse_response(
        &self,
        now: &Observation,
        response: &[u32],
    ) -> Result<ParsedResponse, PromptError>;

    /// The text of a prompt's tokens, marks and special tokens too; none if tokens are not of texts.
    ///
    /// # Errors
    /// When tokens cannot be put into a text.
    fn prompt_text(&self, prompt: &[u32]) -> Result<Option<String>, PromptError> {
        let _ = prompt;
        Ok(None)
    }

    /// The text of each token of a response, special ones too, which together are the text of all; a character that
    /// several tokens write is the last one's. None if tokens are not of texts.
    ///
    /// # Errors
    /// When tokens cannot be put into a text.
    fn token_texts(&self, response: &[u32]) -> Result<Option<Vec<String>>, PromptError> {
        let _ = response;
        Ok(None)
    }

    /// How prompts of one's own are made, if the policy is a language model.
    fn conversations(&self) -> Option<&dyn ConversationFormat> {
        None
    }

    /// What a checkpoint has to keep of the format, if anything: a file's name and its bytes.
    fn file(&self) -> Option<(&'static str, Vec<u8>)> {
        None
    }
}
