//! Team format: prompts of agents that have policies of their own.

use std::collections::BTreeMap;
use std::sync::Arc;

use hgpo_env::Observation;

use super::prompt_format::{
    ParsedResponse, PromptError, PromptFormat, RememberedStep, StopCondition,
};

/// Prompts that begin with the number of the policy that has to answer ([`crate::policy::team::TeamPolicy`]), which no
/// policy is shown.
pub struct TeamFormat {
    /// The prompts without it.
    pub inner: Arc<dyn PromptFormat>,
    /// The number of every agent's policy.
    pub policies: BTreeMap<String, u32>,
}

impl PromptFormat for TeamFormat {
    fn prompt(
        &self,
        instruction: &str,
        memory: &[RememberedStep],
        now: &Observation,
    ) -> Result<Vec<u32>, PromptError> {
        let name = now.agent.as_deref().unwrap_or_default();
        let policy = self.policies.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.policies.keys().map(String::as_str).collect();
            PromptError::new(format!(
                "the environment lets agent '{name}' act, which has no policy: its agents are {}",
                known.join(", ")
            ))
        })?;
        let mut prompt = self.inner.prompt(instruction, memory, now)?;
        prompt.insert(0, *policy);
        Ok(prompt)
    }

    fn visible<'a>(&self, prompt: &'a [u32]) -> &'a [u32] {
        prompt.get(1..).unwrap_or_default()
    }

    fn observation(&self, text: &str) -> Result<Vec<u32>, PromptError> {
        self.inner.observation(text)
    }

    fn response(&self, now: &Observation, action: &str) -> Result<Vec<u32>, PromptError> {
        self.inner.response(now, action)
    }

    fn stop_condition(&self) -> StopCondition<'_> {
        self.inner.stop_condition()
    }

    fn parse_response(
        &self,
        now: &Observation,
        response: &[u32],
    ) -> Result<ParsedResponse, PromptError> {
        self.inner.parse_response(now, response)
    }

    fn prompt_text(&self, prompt: &[u32]) -> Result<Option<String>, PromptError> {
        self.inner.prompt_text(prompt)
    }

    fn token_texts(&self, response: &[u32]) -> Result<Option<Vec<String>>, PromptError> {
        self.inner.token_texts(response)
    }

    fn file(&self) -> Option<(&'static str, Vec<u8>)> {
        self.inner.file()
    }
}
