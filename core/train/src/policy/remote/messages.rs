//! What is said between a dealt policy and those who work for it.

use hgpo_env::random::Stream;
use serde::{Deserialize, Serialize};

use crate::config::Precision;
use crate::policy::requests::Request;
use crate::policy::sampling::{Choice, Sampling};
use crate::policy::{Passage, PolicyError, Slope, TokenScore};

/// A prompt and a response.
type Text = (Vec<u32>, Vec<u32>);

/// What is to be done.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Job {
    /// One response a prompt; they end where the format says.
    Generate { prompts: Vec<(Vec<u32>, Stream)>, sampling: Sampling, max_tokens: usize },
    /// Responses to requests, some of which are made in answer to others.
    Respond { requests: Vec<Request>, sampling: Sampling, max_tokens: usize, batch_size: usize },
    /// Scores of response tokens.
    Score { passages: Vec<Text>, temperature: f64 },
    /// A gradient; its slopes are asked for.
    Gradient { passages: Vec<Text>, temperature: f64 },
}

/// What is asked in the middle of a job.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Question {
    /// The slopes at scores.
    Slopes(Vec<TokenScore>),
    /// What follows from a response.
    Next { id: usize, response: Vec<Choice>, stream: Box<Stream> },
}

/// What is answered.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Slopes at the scores that were told.
    Slopes(Vec<Slope>),
    /// Whether to go on, and what is asked for now.
    Next { goes_on: bool, requests: Vec<Request> },
}

/// What a job came to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Done {
    /// Responses, and the streams after them.
    Responses(Vec<(Vec<Choice>, Stream)>),
    /// All requests are answered.
    Answered,
    /// Scores of response tokens.
    Scores(Vec<TokenScore>),
    /// What [`super::Portable::write_gradient`] writes.
    Gradient(#[serde(with = "serde_bytes")] Vec<u8>),
    /// It could not be done.
    Failed(Problem),
}

/// Why it could not be done.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Problem {
    NoProbabilities,
    Overflow(Precision),
    NotFinite(String),
    Other(String),
}

impl From<PolicyError> for Problem {
    fn from(error: PolicyError) -> Self {
        match error {
            PolicyError::NoProbabilities => Self::NoProbabilities,
            PolicyError::Overflow(precision) => Self::Overflow(precision),
            PolicyError::NotFinite(name) => Self::NotFinite(name),
            PolicyError::Workers(reason) => Self::Other(reason),
            error => Self::Other(error.to_string()),
        }
    }
}

impl From<Problem> for PolicyError {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::NoProbabilities => Self::NoProbabilities,
            Problem::Overflow(precision) => Self::Overflow(precision),
            Problem::NotFinite(name) => Self::NotFinite(name),
            Problem::Other(reason) => Self::Workers(reason),
        }
    }
}

pub(super) fn texts(passages: &[Passage<'_>]) -> Vec<Text> {
    passages.iter().map(|it| (it.prompt.to_vec(), it.response.to_vec())).collect()
}

pub(super) fn passages(texts: &[Text]) -> Vec<Passage<'_>> {
    texts.iter().map(|(prompt, response)| Passage { prompt, response }).collect()
}
