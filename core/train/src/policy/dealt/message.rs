//! What is said between a dealt policy and those who work for it.

use hgpo_env::random::Stream;
use serde::{Deserialize, Serialize};

use crate::policy::requests::Request;
use crate::policy::sampling::{Choice, Sampling};
use crate::policy::{Passage, PolicyError, Slope, TokenScore};

/// A number as it travels of a choice: its token and its log-probability.
type Drawn = (u32, f64);

/// A prompt and a response.
type Text = (Vec<u32>, Vec<u32>);

/// What is to be done.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Job {
    /// One response a prompt; they end where the format says.
    Generate { prompts: Vec<(Vec<u32>, Stream)>, drawing: Drawing, max_tokens: usize },
    /// Responses to requests, some of which are made in answer to others.
    Respond { requests: Vec<Asked>, drawing: Drawing, max_tokens: usize, batch_size: usize },
    /// Scores of response tokens.
    Score { passages: Vec<Text>, temperature: f64 },
    /// A gradient; its slopes are asked for.
    Gradient { passages: Vec<Text>, temperature: f64 },
}

/// What is asked in the middle of a job.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Question {
    /// The slopes at scores.
    Slopes(Vec<(f64, f64)>),
    /// What follows from a response.
    Next { id: usize, response: Vec<Drawn>, stream: Box<Stream> },
}

/// What is answered.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Slopes by log-probability and entropy.
    Slopes(Vec<(f64, f64)>),
    /// Whether to go on, and what is asked for now.
    Next { goes_on: bool, requests: Vec<Asked> },
}

/// What a job came to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Done {
    /// Responses, and the streams after them.
    Responses(Vec<(Vec<Drawn>, Stream)>),
    /// All requests are answered.
    Answered,
    /// Log-probability and entropy of tokens.
    Scores(Vec<(f64, f64)>),
    /// What [`super::Portable::write_gradient`] writes.
    Gradient(#[serde(with = "serde_bytes")] Vec<u8>),
    /// It could not be done.
    Failed(Problem),
}

/// A request as it travels.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) id: usize,
    pub(super) prompt: Vec<u32>,
    pub(super) stream: Stream,
}

/// How tokens are drawn.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Drawing {
    temperature: f64,
    top_k: usize,
    top_p: f64,
}

/// Why it could not be done.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Problem {
    NoProbabilities,
    NotFinite(String),
    Other(String),
}

impl From<Sampling> for Drawing {
    fn from(it: Sampling) -> Self {
        Self { temperature: it.temperature, top_k: it.top_k, top_p: it.top_p }
    }
}

impl From<Drawing> for Sampling {
    fn from(it: Drawing) -> Self {
        Self { temperature: it.temperature, top_k: it.top_k, top_p: it.top_p }
    }
}

impl From<Request> for Asked {
    fn from(it: Request) -> Self {
        Self { id: it.id, prompt: it.prompt, stream: it.stream }
    }
}

impl From<Asked> for Request {
    fn from(it: Asked) -> Self {
        Self { id: it.id, prompt: it.prompt, stream: it.stream }
    }
}

impl From<PolicyError> for Problem {
    fn from(error: PolicyError) -> Self {
        match error {
            PolicyError::NoProbabilities => Self::NoProbabilities,
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

pub(super) fn drawn(choices: Vec<Choice>) -> Vec<Drawn> {
    choices.into_iter().map(|it| (it.token, it.log_probability)).collect()
}

pub(super) fn choices(drawn: Vec<Drawn>) -> Vec<Choice> {
    drawn.into_iter().map(|(token, log_probability)| Choice { token, log_probability }).collect()
}

pub(super) fn pairs_of_scores(scores: &[TokenScore]) -> Vec<(f64, f64)> {
    scores.iter().map(|it| (it.log_probability, it.entropy)).collect()
}

pub(super) fn scores(pairs: Vec<(f64, f64)>) -> Vec<TokenScore> {
    let score = |(log_probability, entropy)| TokenScore { log_probability, entropy };
    pairs.into_iter().map(score).collect()
}

pub(super) fn pairs_of_slopes(slopes: &[Slope]) -> Vec<(f64, f64)> {
    slopes.iter().map(|it| (it.log_probability, it.entropy)).collect()
}

pub(super) fn slopes(pairs: Vec<(f64, f64)>) -> Vec<Slope> {
    let slope = |(log_probability, entropy)| Slope { log_probability, entropy };
    pairs.into_iter().map(slope).collect()
}
